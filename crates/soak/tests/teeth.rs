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
