//! A simulation that cannot fail proves nothing: here something is broken on purpose, and it must be
//! found.

use houseway_soak::{Invariant, Plan, Sabotage, night};

/// What a few short nights find first with something broken.
fn found(sabotage: Sabotage) -> Vec<Invariant> {
    let nights = (0..4).map(|seed| {
        let plan = Plan { roughness: 2, ..Plan::of(seed).rounds(25) };
        night(plan.with(sabotage))
    });
    nights.filter_map(|night| Some(night.breaks.first()?.0)).collect()
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    assert_eq!(found(Sabotage::Nothing), []);
}

#[test]
fn a_store_that_acknowledges_without_keeping_is_found() {
    let found = found(Sabotage::AcknowledgesWithoutKeeping);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|it| *it == Invariant::NothingLost), "{found:?}");
}

#[test]
fn a_store_that_applies_twice_is_found() {
    let found = found(Sabotage::AppliesTwice);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|it| *it == Invariant::NothingTwice), "{found:?}");
}

#[test]
fn a_store_that_forgets_money_is_found() {
    let found = found(Sabotage::DropsAMove);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|it| *it == Invariant::NothingLost), "{found:?}");
}

#[test]
fn a_store_that_forgets_what_it_answered_is_found() {
    let found = found(Sabotage::ForgetsCommands);
    let twice = [Invariant::NothingTwice, Invariant::NothingLost, Invariant::OtherContentRefused];
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|it| twice.contains(it)), "{found:?}");
}

/// Only a house that starts again with a clock that was set back can show it.
#[test]
fn a_clock_that_goes_back_is_found() {
    let nights = (0..12).map(|seed| {
        let plan = Plan { roughness: 3, nodes: 1, skew: 0, ..Plan::of(seed).rounds(40) };
        night(plan.with(Sabotage::ClockGoesBack))
    });
    let found: Vec<Invariant> = nights.filter_map(|night| Some(night.breaks.first()?.0)).collect();
    assert!(found.len() >= 3, "{found:?}");
    let time = [Invariant::TimeGoesOn, Invariant::PlayGoesOn];
    assert!(found.iter().all(|it| time.contains(it)), "{found:?}");
}

/// Only a house with one node has a disk of its own.
#[test]
fn a_store_that_acknowledges_before_the_sync_is_found() {
    let nights = (0..4).map(|seed| {
        let plan = Plan { roughness: 2, nodes: 1, skew: 0, ..Plan::of(seed).rounds(25) };
        night(plan.with(Sabotage::AcknowledgesBeforeTheSync))
    });
    let found: Vec<Invariant> = nights.filter_map(|night| Some(night.breaks.first()?.0)).collect();
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|it| *it == Invariant::NothingLost), "{found:?}");
}

#[test]
fn what_panics_is_found() {
    let found = found(Sabotage::Panics);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|it| *it == Invariant::NothingPanics), "{found:?}");
}

#[test]
fn a_view_with_a_hidden_card_is_found() {
    let found = found(Sabotage::ViewWithAHiddenCard);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|it| *it == Invariant::NoHiddenCard), "{found:?}");
}

/// What was looked for is what is found first, in every night.
fn found_first(sabotage: Sabotage, first: Invariant) {
    assert_eq!(found(sabotage), [first; 4], "{sabotage:?}");
}

#[test]
fn a_ledger_that_pays_a_cent_too_much_is_found() {
    found_first(Sabotage::PaysACentTooMuch, Invariant::BooksBalance);
}

#[test]
fn a_ledger_that_enters_no_wagers_is_found() {
    found_first(Sabotage::EntersNoWagers, Invariant::BooksBalance);
}

#[test]
fn another_deck_than_was_committed_to_is_found() {
    found_first(Sabotage::DealsAnotherDeck, Invariant::CommittedDeck);
}

#[test]
fn a_commitment_in_place_of_another_is_found() {
    found_first(Sabotage::CommitsAgain, Invariant::CommittedFirst);
}

#[test]
fn wagers_without_a_commitment_are_found() {
    found_first(Sabotage::CommitsToNothing, Invariant::CommittedFirst);
}

#[test]
fn a_wager_after_the_close_is_found() {
    found_first(Sabotage::TakesLateWagers, Invariant::ClosedIsClosed);
}

#[test]
fn what_is_not_allowed_and_done_is_found() {
    found_first(Sabotage::GrantsWhatIsNotAllowed, Invariant::IllegalRefused);
}

#[test]
fn a_log_that_is_another_than_its_table_is_found() {
    found_first(Sabotage::TellsAnotherTime, Invariant::ReplayIsLive);
}

#[test]
fn a_card_that_is_there_twice_is_found() {
    found_first(Sabotage::DealsACardTwice, Invariant::NoCardTwice);
}

#[test]
fn another_answer_to_the_same_command_is_found() {
    found_first(Sabotage::AnswersOtherwise, Invariant::SameAnswer);
}

#[test]
fn a_broken_chain_is_found() {
    found_first(Sabotage::BreaksTheChain, Invariant::ChainHolds);
}

/// Tables are closed and opened again, and people limit themselves, seldom: so whole nights are played.
fn found_in_whole_nights(sabotage: Sabotage) -> Vec<Vec<Invariant>> {
    let nights = (0..6).map(|seed| night(Plan::of(seed).with(sabotage)));
    let broken = nights.filter(|night| !night.breaks.is_empty());
    broken.map(|night| night.breaks.iter().map(|it| it.0).collect()).collect()
}

#[test]
fn a_round_at_a_closed_table_is_found() {
    let found = found_in_whole_nights(Sabotage::StaysClosed);
    assert!(found.len() >= 2, "{found:?}");
    assert!(found.iter().all(|it| it[0] == Invariant::ClosedTable), "{found:?}");
}

/// Whoever tries at once to pass their limit must be refused, and is not.
#[test]
fn a_limit_that_is_not_kept_is_found() {
    let found = found_in_whole_nights(Sabotage::ForgetsLimits);
    assert!(found.len() >= 2, "{found:?}");
    let both = [Invariant::IllegalRefused, Invariant::OwnLimits];
    assert!(found.iter().all(|it| both.iter().all(|one| it.contains(one))), "{found:?}");
}
