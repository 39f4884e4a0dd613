//! The house's own players: what they do when it is their turn. Pure, and by a bot's own view alone:
//! nothing here looks at a card that a person in its seat could not see.

use houseway_odds::Advisor;
use houseway_odds::game::Stake;
use houseway_rules::rulebook::{Role, Rulebook, Wager};
use houseway_rules::{CardSet, Cents, Dealt, set_house_way};
use houseway_table::view::{HandView, Onlooker, TableView, view_beside};
use houseway_table::{Action, Bank, Offer, Person, Phase, Table};
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
    may_have_a_turn(table, bot).then(|| turn_by_view(table, bot, at)).flatten()
}

/// Whether it can be a bot's turn, by its own seats, wagers and hands. This is asked at every step of
/// a table and takes a fraction of the time of a view: where it says no, the view would too.
fn may_have_a_turn(table: &Table, bot: &Bot) -> bool {
    let me = bot.person;
    match table.phase() {
        Phase::Idle => true,
        Phase::Offering { to, .. } => table.seats().get(to) == Some(&me),
        Phase::Betting(betting) => {
            let wagers = [Wager::Standard, Wager::Fortune, Wager::TigerNine];
            let wanted = |wager: &Wager| {
                table.setup().range(*wager).is_some() && steps(*wager, table.round(), bot).is_some()
            };
            let placed = |position, wager| {
                let there = betting.stakes.get(position);
                there.is_some_and(|stakes| stakes.total(wager) > Cents::ZERO)
            };
            let own = table.seats().iter().filter(|(_, person)| **person == me);
            own.map(|(position, _)| position)
                .any(|position| wagers.iter().any(|it| wanted(it) && !placed(position, *it)))
        }
        Phase::Setting(play) => {
            let mut own = play.hands.values().filter(|hand| hand.holder == me);
            own.any(|hand| !hand.viewed || hand.low.is_none())
                || matches!(play.bank, Bank::Player { person, .. } if person == me)
        }
        Phase::Closed(..) | Phase::Revealed(_) => false,
    }
}

/// What a bot does now by its view alone: the slow and obvious way to say it.
pub fn turn_by_view(table: &Table, bot: &Bot, at: u64) -> Option<Action> {
    let seen = view_beside::<()>(table, Onlooker::Player(bot.person), at, None);
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

fn is_seated(seen: &TableView<()>, person: Person) -> bool {
    seen.seats.iter().any(|seat| seat.person == Some(person))
}

/// What a bot makes of an offer.
fn answer(table: &Table, bot: &Bot, seen: &TableView<()>, offer: &Offer) -> Option<Action> {
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

/// By how many steps more than the least a bot would wager: a little, other from bot to bot and round to
/// round, and a side bet now and then. Nothing depends on cards.
fn steps(wager: Wager, round: u64, bot: &Bot) -> Option<u64> {
    let turn = round.wrapping_mul(7).wrapping_add(u64::from(bot.person.0) * 13);
    match wager {
        Wager::Standard => Some(turn % 4),
        Wager::Fortune => turn.is_multiple_of(3).then_some(0),
        Wager::TigerNine => turn.is_multiple_of(5).then_some(0),
    }
}

/// What a bot would wager.
fn wanted(wager: Wager, round: u64, bot: &Bot, least: Cents, step: Cents) -> Option<Cents> {
    let steps = steps(wager, round, bot)?;
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
