//! The house's own players: what they do when it is their turn. Pure, and by a bot's own view alone:
//! nothing here looks at a card that a person in its seat could not see.

use houseway_odds::Advisor;
use houseway_odds::game::Stake;
use houseway_rules::rulebook::{Role, Rulebook, Wager};
use houseway_rules::{CardSet, Cents, Dealt, set_house_way};
use houseway_table::view::{HandView, Onlooker, TableView, view};
use houseway_table::{Action, Offer, Person, Table};
use serde::{Deserialize, Serialize};

use crate::record::Bot;

/// How a bot sets its hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// As the house would.
    HouseWay,
    /// The way that is worth most against the banker's House Way.
    Optimal,
}

/// What a bot that comes to the table brings.
const BRINGS: Cents = Cents::dollars(20_000);

/// When a bot brings money again.
const LOW: Cents = Cents::dollars(5_000);

/// What a bot does now, if it is its turn.
pub fn turn(table: &Table, bot: &Bot, at: u64) -> Option<Action> {
    let seen = view(table, Onlooker::Player(bot.person), at);
    let offers = &seen.options;
    let stack = seen.stack.unwrap_or(Cents::ZERO);
    let idle = matches!(seen.phase, houseway_table::view::PhaseView::Idle);
    if idle && !is_seated(&seen, bot.person) {
        let sit = Offer::Sit { position: bot.position };
        return offers.contains(&sit).then_some(Action::Sit { position: bot.position });
    }
    if idle && stack < LOW {
        return Some(Action::BringMoney { amount: BRINGS });
    }
    offers.iter().find_map(|offer| answer(table, bot, &seen, offer))
}

fn is_seated(seen: &TableView, person: Person) -> bool {
    seen.seats.iter().any(|seat| seat.person == Some(person))
}

/// What a bot makes of an offer.
fn answer(table: &Table, bot: &Bot, seen: &TableView, offer: &Offer) -> Option<Action> {
    let rulebook = &table.setup().rulebook;
    match *offer {
        // A bank that others can bet against, and something left to play with. Where the house
        // banks if nobody does, bots leave it to the house.
        Offer::TakeBank { least, most, .. } if rulebook.bank.player_banker.is_none() => {
            let half = Cents::new(most.get() / 200 * 100);
            Some(Action::TakeBank { put_up: half.max(least), house_wager: Cents::ZERO })
        }
        Offer::Place { position, wager, person: None, least, most, step } => {
            let there = seen.seats.iter().find(|seat| seat.position == position)?;
            let own = there.person == Some(bot.person);
            let placed = there.stakes.total(wager) > Cents::ZERO;
            let wanted = wanted(wager, seen.round, bot, least, step)?;
            (own && !placed).then_some(Action::Place {
                position,
                wager,
                amount: wanted.min(most),
                person: None,
            })
        }
        Offer::View { position } => Some(Action::View { position }),
        Offer::Set { position, .. } => {
            let seat = seen.seats.iter().find(|seat| seat.position == position)?;
            let low = low_of(rulebook, bot.strategy, seat.hand.as_ref()?)?;
            Some(Action::Set { position, low })
        }
        Offer::SetBanker { .. } => {
            let low = low_of(rulebook, Strategy::HouseWay, seen.banker.as_ref()?)?;
            Some(Action::SetBanker { low })
        }
        _ => None,
    }
}

/// What a bot would wager: small amounts that differ from bot to bot and round to round, and a side
/// bet now and then. Nothing depends on cards.
fn wanted(wager: Wager, round: u64, bot: &Bot, least: Cents, step: Cents) -> Option<Cents> {
    let turn = round.wrapping_mul(7).wrapping_add(u64::from(bot.person.0) * 13);
    let steps = match wager {
        Wager::Standard => turn % 4,
        Wager::Fortune if turn.is_multiple_of(3) => 0,
        Wager::TigerNine if turn.is_multiple_of(5) => 0,
        Wager::Fortune | Wager::TigerNine => return None,
    };
    // The first amount from the least on that is in steps.
    let first = least.get().div_ceil(step.get()) * step.get();
    Some(Cents::new(first + steps * step.get()))
}

fn low_of(rulebook: &Rulebook, strategy: Strategy, hand: &HandView) -> Option<CardSet> {
    let HandView::Dealt { dealt } = hand else { return None };
    let cards = dealt.iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
    let dealt = Dealt::new(cards).ok()?;
    Some(match strategy {
        Strategy::HouseWay => set_house_way(rulebook, dealt).setting.low(),
        Strategy::Optimal => {
            let advised = Advisor::new(rulebook).advise(dealt, Stake::of(rulebook));
            advised.first()?.setting.low()
        }
    })
}

/// The role bots act in: they have no other rights than anyone who plays.
pub const ROLE: Role = Role::Player;
