//! What happened, as everyone at the table may know it.

use houseway_rules::Cents;
use houseway_rules::rulebook::{Incident, Text};
use serde::Serialize;

use crate::deal::Spot;
use crate::event::Event;
use crate::place::{Person, Position};
use crate::settlement::Line;

/// An event without a card that someone may not see. It is the same for every onlooker: what one
/// may see beyond it is in their view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Seen<'a> {
    /// As it happened: it tells no card, or one that is shown to all.
    Whole(&'a Event),
    /// What of it can be seen from every seat.
    Part(Part<'a>),
}

/// What can be seen of something that has cards in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Part<'a> {
    /// Cards were dealt.
    Dealt {
        /// In the order in which they were delivered.
        spots: Vec<Spot>,
        /// The number that was drawn.
        number: u8,
        /// Who has the action button.
        action: Option<Position>,
        /// Until when hands may be set.
        until: Option<u64>,
        /// By which clause.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        clause: &'a Text,
    },
    /// A hand was set, one way or another.
    Set {
        /// Where.
        position: Position,
    },
    /// The House Way of a hand was told to its player.
    HouseWayTold {
        /// Where.
        position: Position,
    },
    /// A hand was set again.
    Reset {
        /// Whose.
        spot: Spot,
        /// By which clause.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        clause: &'a Text,
    },
    /// A finished round was paid again as it should have been.
    Corrected {
        /// Which round.
        round: u64,
        /// What was found.
        what: Incident,
        /// Whose hand was set wrongly.
        spot: Spot,
        /// The lines as they should have been.
        lines: &'a [Line],
        /// What each person gets, or gives back if less than nothing.
        differences: &'a [(Person, i64)],
        /// What someone would have to give back and does not have here.
        owed: &'a [(Person, Cents)],
        /// By which clause.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        clause: &'a Text,
    },
}

/// An event as everyone at the table may know it.
pub fn seen(event: &Event) -> Seen<'_> {
    match event {
        Event::Dealt { hands, number, action, until, clause, left_over: _ } => {
            Seen::Part(Part::Dealt {
                spots: hands.iter().map(|(spot, _)| *spot).collect(),
                number: *number,
                action: *action,
                until: *until,
                clause,
            })
        }
        // How a hand was set, and that it fouled, is known when hands are compared.
        Event::Set { position, .. } | Event::Dead { position, .. } => {
            Seen::Part(Part::Set { position: *position })
        }
        Event::HouseWayTold { position, .. } => {
            Seen::Part(Part::HouseWayTold { position: *position })
        }
        Event::Reset { spot, clause, low: _ } => Seen::Part(Part::Reset { spot: *spot, clause }),
        Event::Corrected { round, what, spot, lines, differences, owed, clause, low: _ } => {
            Seen::Part(Part::Corrected {
                round: *round,
                what: *what,
                spot: *spot,
                lines,
                differences,
                owed,
                clause,
            })
        }
        Event::MoneyBrought { .. }
        | Event::MoneyTaken { .. }
        | Event::Sat { .. }
        | Event::Left { .. }
        | Event::BankOffered { .. }
        | Event::BankDeclined { .. }
        | Event::NoBanker { .. }
        | Event::BankTaken { .. }
        | Event::BetsOpened { .. }
        | Event::Placed { .. }
        | Event::Returned { .. }
        | Event::BetsClosed
        | Event::FeeTaken { .. }
        | Event::Viewed { .. }
        | Event::LeftToDealer { .. }
        | Event::BankersTurn { .. }
        // The banker's hand and the house's own are shown as they are set.
        | Event::BankerSet { .. }
        | Event::HouseSet { .. }
        | Event::Conceded { .. }
        | Event::Settled { .. }
        | Event::BankReturned { .. }
        | Event::RoundEnded { .. }
        | Event::Voided { .. }
        | Event::HandOut { .. }
        | Event::Swapped { .. }
        | Event::DebtCollected { .. }
        | Event::Noted { .. }
        | Event::NotInAction { .. }
        | Event::Barred { .. }
        | Event::Restricted { .. }
        | Event::ClockRestarted { .. }
        | Event::PowerFailed { .. }
        | Event::Ruled { .. } => Seen::Whole(event),
    }
}

/// The form of what everyone may know: whole events, but for those that are told in part.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Seen<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seen".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let forms = |of: schemars::Schema| {
            of.get("oneOf").and_then(|it| it.as_array()).cloned().unwrap_or_default()
        };
        let part = forms(Part::json_schema(generator));
        let mut all = forms(Event::json_schema(generator));
        let words = part.iter().map(|form| form["properties"]["event"]["const"].clone());
        // A hand that is dead was set, as far as others know.
        let in_part: Vec<_> = words.chain(["dead".into()]).collect();
        all.retain(|form| !in_part.contains(&form["properties"]["event"]["const"]));
        all.extend(part);
        schemars::json_schema!({"oneOf": all})
    }
}
