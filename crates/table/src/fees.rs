//! What the house collects before a round.

use houseway_rules::Cents;
use houseway_rules::rulebook::{Collection, Measure, Text, Wager};
use serde::{Deserialize, Serialize};

use crate::place::{Person, Position};
use crate::setup::Setup;
use crate::stake::{Bank, Stakes, WAGERS, plus, sum};

/// One fee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct Fee {
    /// Who pays it.
    pub person: Person,
    /// How much.
    pub amount: Cents,
    /// The clause that takes it.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub clause: Text,
}

/// The fees of a round: players' first, in the order of positions, then the banker's.
pub fn fees<'a>(
    setup: &Setup,
    bank: Bank,
    stakes: impl Iterator<Item = (Position, Person, &'a Stakes)> + Clone,
) -> Vec<Fee> {
    let Bank::Player { person: banker, .. } = bank else { return vec![] };
    let mut fees: Vec<Fee> = vec![];
    match &setup.rulebook.collection {
        None => {}
        Some(Collection::Rake { cite }) => {
            fees.push(Fee { person: banker, amount: setup.posted.rake, clause: cite.clone() });
        }
        Some(Collection::Schedules { cite, .. }) => {
            for (_, person, stakes) in stakes.clone() {
                let amount = player_fee(setup, stakes);
                match fees.iter_mut().find(|fee| fee.person == person) {
                    // By the wager each counts; otherwise a player pays once (R22).
                    Some(fee) if is_by_wager(setup) => fee.amount = plus(fee.amount, amount),
                    Some(_) => {}
                    None => fees.push(Fee { person, amount, clause: cite.clone() }),
                }
            }
            let totals = stakes.map(|(_, _, it)| sum(it.shares().map(|(_, share)| share.amount)));
            let amount = banker_fee(setup, sum(totals));
            fees.push(Fee { person: banker, amount, clause: cite.clone() });
        }
    }
    fees.retain(|fee| fee.amount > Cents::ZERO);
    fees
}

fn is_by_wager(setup: &Setup) -> bool {
    setup.schedule().is_some_and(|(schedule, _)| schedule.measure == Measure::EachWager)
}

/// What a player's stakes cost: each wager by its own band, or once.
pub fn player_fee(setup: &Setup, stakes: &Stakes) -> Cents {
    fee_of(setup, |wager| stakes.total(wager))
}

/// What they would cost with so much on one bet.
pub(crate) fn player_fee_with(setup: &Setup, stakes: &Stakes, wager: Wager, total: Cents) -> Cents {
    fee_of(setup, |on| if on == wager { total } else { stakes.total(on) })
}

fn fee_of(setup: &Setup, total: impl Fn(Wager) -> Cents) -> Cents {
    let Some((schedule, _)) = setup.schedule() else { return Cents::ZERO };
    match schedule.measure {
        Measure::EachWager => sum(WAGERS.map(|wager| schedule.banded(total(wager)))),
        Measure::TableTotal if WAGERS.iter().all(|on| total(*on) == Cents::ZERO) => Cents::ZERO,
        Measure::TableTotal => schedule.fixed,
    }
}

/// What the bank costs when so much is wagered at the table.
pub fn banker_fee(setup: &Setup, total: Cents) -> Cents {
    let Some((schedule, _)) = setup.schedule() else { return setup.posted.rake };
    match schedule.measure {
        Measure::EachWager => schedule.fixed,
        Measure::TableTotal => schedule.banded(total),
    }
}

/// The most that the bank can cost.
pub fn most_banker_fee(setup: &Setup) -> Cents {
    let Some((schedule, _)) = setup.schedule() else { return setup.posted.rake };
    let bands = schedule.bands.iter().map(|band| band.fee).max().unwrap_or(Cents::ZERO);
    match schedule.measure {
        Measure::EachWager => schedule.fixed,
        Measure::TableTotal => bands,
    }
}
