//! What the house does by itself: deals, closes, shows, settles, and lets its own players act. A pure
//! function of the desk and the time, so that every node comes to the same.

use houseway_rules::rulebook::Role;
use houseway_table::{Action, Actor, Command, InPlay, Person, Phase, decide};

use crate::bots;
use crate::desk::{Ask, Desk, HouseAsk};

/// What comes next without anyone asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// This, now.
    Do(Actor, Ask),
    /// Something, at that time.
    Wait(u64),
    /// Nothing, until someone does something.
    Rest,
}

/// What the house does next.
pub fn next(desk: &Desk, at: u64) -> Next {
    // A closed table plays its round to the end, and begins none.
    if desk.is_closed() && matches!(desk.table().phase(), Phase::Idle) {
        return Next::Rest;
    }
    if let Some((person, action)) = bots_turn(desk, at) {
        return Next::Do(Actor { person, role: bots::ROLE }, Ask::Table(action));
    }
    let dealer = |action| Next::Do(Actor::DEALER, Ask::Table(action));
    match desk.table().phase() {
        Phase::Idle => between_rounds(desk, at),
        Phase::Offering { until, .. } => time_up_at(*until, at),
        Phase::Betting(betting) => match everyone_is_ready(desk) && !betting.stakes.is_empty() {
            true => dealer(Action::CloseBets),
            false => time_up_at(betting.until, at),
        },
        // After a power failure players may withdraw; then what is left is dealt.
        Phase::Closed(betting, _) if betting.power_out => wait_for_withdrawals(desk, at, deal()),
        Phase::Closed(..) => deal(),
        Phase::Setting(play) => {
            let all_set = play.hands.values().all(|hand| hand.low.is_some());
            let sets_freely = desk.table().setup().rulebook.bank.player_banker.is_some()
                && play.bank.position().is_some();
            match all_set && !sets_freely {
                true if play.power_out => {
                    wait_for_withdrawals(desk, at, dealer(Action::Reveal { low: None }))
                }
                true => dealer(Action::Reveal { low: None }),
                false => time_up_at(play.until, at),
            }
        }
        // Whoever may give a hand up has the time to, also where no clock runs.
        Phase::Revealed(play) => match (someone_may_concede(desk, play, at), play.until) {
            (true, Some(until)) => Next::Wait(until.saturating_add(1)),
            (true, None) => Next::Rest,
            (false, _) => dealer(Action::Settle),
        },
    }
}

fn deal() -> Next {
    Next::Do(Actor::DEALER, Ask::House(HouseAsk::DealCommitted))
}

/// How long players may withdraw after a power failure.
const WITHDRAWAL: u64 = 15_000;

fn wait_for_withdrawals(desk: &Desk, at: u64, then: Next) -> Next {
    let until = desk.since() + WITHDRAWAL;
    match at >= until || everyone_is_ready(desk) {
        true => then,
        false => Next::Wait(until),
    }
}

/// The next round opens when results have been seen, and only for people who are there: whoever has
/// done nothing since the last round was opened is taken for away. Where nobody took the bank, it is not
/// offered again before somebody does something.
fn between_rounds(desk: &Desk, at: u64) -> Next {
    let (heard, opened) = desk.heard_and_opened();
    let is_away = heard <= opened && opened > 0 && desk.ready().is_empty();
    if desk.is_deserted() || desk.is_unbanked() || is_away {
        return Next::Rest;
    }
    let until = match desk.table().past() {
        Some(_) => desk.since() + desk.opening().results,
        None => desk.since(),
    };
    match at >= until || everyone_is_ready(desk) {
        true => Next::Do(Actor::DEALER, Ask::Table(Action::OpenRound)),
        false => Next::Wait(until),
    }
}

fn everyone_is_ready(desk: &Desk) -> bool {
    !desk.is_deserted() && desk.guests().all(|person| desk.ready().contains(&person))
}

/// Whether someone who has not said that they are ready may still give a hand up.
fn someone_may_concede(desk: &Desk, play: &InPlay, at: u64) -> bool {
    play.hands.iter().any(|(&position, hand)| {
        let person = hand.holder;
        let by = Actor { person, role: Role::Player };
        let concede = Command { by, at, action: Action::Concede { position } };
        desk.guests().any(|it| it == person)
            && !desk.ready().contains(&person)
            && decide(desk.table(), &concede).is_ok()
    })
}

fn time_up_at(until: Option<u64>, at: u64) -> Next {
    match until {
        Some(until) if at > until => Next::Do(Actor::DEALER, Ask::Table(Action::TimeUp)),
        Some(until) => Next::Wait(until.saturating_add(1)),
        None => Next::Rest,
    }
}

/// The first bot that has something to do.
fn bots_turn(desk: &Desk, at: u64) -> Option<(Person, Action)> {
    // Bots sit down for people, not for one another.
    if desk.is_deserted() && matches!(desk.table().phase(), Phase::Idle) {
        return None;
    }
    let mut bots = desk.opening().bots.iter();
    bots.find_map(|bot| Some((bot.person, bots::turn(desk.table(), bot, at)?)))
}
