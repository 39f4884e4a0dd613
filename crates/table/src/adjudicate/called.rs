//! What was called and decided, and what it does to a round.

use std::collections::{BTreeMap, BTreeSet};

use houseway_rules::rulebook::{Incident, Irregularity, Remedy, Text, Wager};
use houseway_rules::{CardSet, Cents};

use super::check::Case;
use super::given::{GivenIncident, GivenRuling, GivenSeat};
use super::{Adjudicated, Fault, Note, fault};
use crate::command::Ruling;
use crate::decide::TABLE_POLICY;
use crate::place::Position;
use crate::settlement::Line;
use crate::stake::{Bank, Share};

/// What was called does to a round.
#[derive(Default)]
pub(super) struct Called {
    /// The clause that makes it void, where one does.
    pub(super) void: Option<Text>,
    /// Hands that are out, and the clause that says so.
    pub(super) out: BTreeMap<Position, Text>,
    /// A banking player's hand that lay wrong: the cards that belong in front, where they were
    /// named, and the clause.
    pub(super) reconstructed: Option<(Option<CardSet>, Text)>,
    /// The clause by which hands stay as they lay, where one says so.
    pub(super) as_they_lay: Option<Text>,
    /// In words.
    pub(super) notes: Vec<Note>,
}

impl Case<'_> {
    /// Everything that was called or decided, checked.
    pub(super) fn called(&self) -> Result<Called, Fault> {
        let mut called = Called::default();
        for (place, incident) in self.given.irregularities.iter().enumerate() {
            let field = |name: &str| format!("irregularities[{place}].{name}");
            let Some(rule) = self.rules().irregularity(incident.what) else {
                let why = format!("{} has no rule on {}", self.rules().id, incident.what);
                return Err(fault(field("what"), why, None));
            };
            self.carry_out(rule, incident, &field, &mut called)?;
            let at = incident.position.map(|at| format!("position {at}: ")).unwrap_or_default();
            let says = match incident.repaired {
                true => format!("{at}{}: put right, so play goes on", rule.what),
                false => format!("{at}{}: {}", rule.what, rule.remedy),
            };
            called.notes.push(Note::new(&rule.cite, says));
        }
        for (place, ruling) in self.given.rulings.iter().enumerate() {
            self.rule(place, ruling, &mut called)?;
        }
        if let (Some(refused), Some((_, clause))) = (&called.as_they_lay, &called.reconstructed) {
            let says = format!("too late to reconstruct a hand ({clause}): it stays as it lay");
            called.notes.push(Note::new(refused, says));
            called.reconstructed = None;
        }
        Ok(called)
    }

    fn carry_out(
        &self,
        rule: &Irregularity,
        incident: &GivenIncident,
        field: &dyn Fn(&str) -> String,
        called: &mut Called,
    ) -> Result<(), Fault> {
        let refuse = |name: &str, why: &str| Err(fault(field(name), why, Some(&rule.cite)));
        let position = || {
            let named = incident.position.and_then(|at| self.seat(Position(at)));
            let named = named.map(|seat| Position(seat.position));
            named.ok_or_else(|| {
                fault(field("position"), "name a position with a wager", Some(&rule.cite))
            })
        };
        let mut out = |positions: Vec<Position>| {
            for position in positions {
                called.out.entry(position).or_insert_with(|| rule.cite.clone());
            }
        };
        check_fields(rule, incident, field)?;
        match rule.remedy {
            Remedy::Void | Remedy::Redeal | Remedy::CountAndRedeal => {
                called.void.get_or_insert_with(|| rule.cite.clone());
            }
            Remedy::VoidUnlessMoved | Remedy::VoidUnlessReconstructed if !incident.repaired => {
                called.void.get_or_insert_with(|| rule.cite.clone());
            }
            Remedy::HandOut if !incident.repaired => out(vec![position()?]),
            Remedy::ReturnWager => out(vec![position()?]),
            Remedy::SecondHandOut => {
                let second = position()?;
                if self.all_of(second).len() < 2 {
                    return refuse("position", "that player has one hand only");
                }
                out(vec![second]);
            }
            // Everything of that player's goes back.
            Remedy::MayBar => out(self.all_of(position()?)),
            Remedy::MayWithdraw => {
                let may = [Incident::PlayerHandSize, Incident::NoCards, Incident::NoWager];
                if !self.given.irregularities.iter().any(|it| may.contains(&it.what)) {
                    return refuse("what", "nothing was called that lets a player withdraw");
                }
                out(self.all_of(position()?));
            }
            // Whoever withdraws after a power failure is named, one irregularity a player.
            Remedy::WithdrawAllOrNone if incident.position.is_some() => {
                out(self.all_of(position()?));
            }
            Remedy::Refuse if rule.what == Incident::PickedUp => {
                called.as_they_lay = Some(rule.cite.clone());
            }
            Remedy::Reconstruct => {
                if self.bank == Bank::House {
                    return refuse("what", "the house banks: no player's hand is the banker's");
                }
                called.reconstructed = Some((incident.low, rule.cite.clone()));
            }
            Remedy::DiscardHand => {
                let named = incident.position.and_then(|at| self.seat(Position(at)));
                if named.is_some() {
                    return refuse("position", "the position has a wager");
                }
            }
            Remedy::SettleOnce => {
                self.outside(incident, |total, least, _| total < least).then_some(()).ok_or_else(
                    || {
                        let why = "no standard wager there is under the minimum";
                        fault(field("position"), why, Some(&rule.cite))
                    },
                )?;
            }
            Remedy::SettleToMaximum => {
                self.outside(incident, |total, _, most| total > most).then_some(()).ok_or_else(
                    || {
                        let why = "no standard wager there is over the maximum";
                        fault(field("position"), why, Some(&rule.cite))
                    },
                )?;
            }
            Remedy::Decide => {
                return refuse("what", "say how it was decided, and why, under `rulings`");
            }
            // What was late has been taken away already; the rest changes nothing.
            _ => {}
        }
        Ok(())
    }

    /// Whether a standard wager, that of the position where one is named, is outside the limits.
    fn outside(&self, incident: &GivenIncident, is: impl Fn(Cents, Cents, Cents) -> bool) -> bool {
        let Some((range, _)) = self.setup.range(Wager::Standard) else { return false };
        let meant = |seat: &GivenSeat| incident.position.is_none_or(|at| at == seat.position);
        self.seats()
            .filter(|(seat, _)| meant(seat))
            .any(|(_, stakes)| is(stakes.total(Wager::Standard), range.minimum, range.maximum))
    }

    fn rule(&self, place: usize, given: &GivenRuling, called: &mut Called) -> Result<(), Fault> {
        let rule = self.rules().irregularity(Incident::NotCovered);
        let clause = rule.map_or(TABLE_POLICY, |rule| rule.cite.clone());
        let field = |name: &str| format!("rulings[{place}].{name}");
        let reason = given.reason.trim();
        if reason.is_empty() {
            return Err(fault(field("reason"), "a decision needs its reason", Some(&clause)));
        }
        let says = match given.ruling {
            Ruling::PlayOn => format!("decided that play goes on: {reason}"),
            Ruling::Void => {
                called.void.get_or_insert_with(|| clause.clone());
                format!("decided that the round is void: {reason}")
            }
            Ruling::HandOut(position) => {
                if self.seat(position).is_none() {
                    let why = "name a position with a wager";
                    return Err(fault(field("ruling"), why, Some(&clause)));
                }
                called.out.entry(position).or_insert_with(|| clause.clone());
                format!("decided that the hand at {position} is out: {reason}")
            }
        };
        called.notes.push(Note::new(&clause, says));
        Ok(())
    }

    pub(super) fn seat(&self, position: Position) -> Option<&GivenSeat> {
        self.given.seats.iter().find(|seat| seat.position == position.0)
    }

    /// Every position of whoever sits at this one.
    fn all_of(&self, position: Position) -> Vec<Position> {
        let seats = &self.given.seats;
        let holder = self.seat(position).map(GivenSeat::holder);
        let own = seats.iter().filter(|seat| Some(seat.holder()) == holder);
        own.map(|seat| Position(seat.position)).collect()
    }

    /// Everything goes back; fees are not taken.
    pub(super) fn voided(&self, clause: &Text, called: Called) -> Adjudicated {
        let all: BTreeSet<Position> =
            self.given.seats.iter().map(|seat| Position(seat.position)).collect();
        let mut lines: Vec<Line> =
            all.iter().flat_map(|&position| self.returned(position, clause)).collect();
        if let (Bank::Player { position, person, .. }, Some(bank)) = (self.bank, &self.given.bank)
            && bank.fortune > Cents::ZERO
        {
            let share = Share { person, amount: bank.fortune };
            lines.push(Line::returned(position, Wager::Fortune, share, clause));
        }
        lines.extend(self.late_back());
        Adjudicated {
            rules: self.rules().id.to_string(),
            void: Some(clause.clone()),
            fees: vec![],
            hands: vec![],
            lines,
            bank: self.bank,
            notes: called.notes,
            missets: vec![],
        }
    }

    /// Lines by which a position's wagers go back.
    pub(super) fn returned(&self, position: Position, clause: &Text) -> Vec<Line> {
        let found = self.seats().find(|(seat, _)| Position(seat.position) == position);
        let shares = found.into_iter().flat_map(|(_, stakes)| stakes.shares());
        shares.map(|(wager, share)| Line::returned(position, wager, share, clause)).collect()
    }

    /// Lines by which goes back what came too late.
    pub(super) fn late_back(&self) -> impl Iterator<Item = Line> {
        let clause = self.rules().irregularity(Incident::LateWager).map(|rule| &rule.cite);
        self.late.iter().filter_map(move |&(position, wager, share)| {
            Some(Line::returned(position, wager, share, clause?))
        })
    }
}

/// A field that says nothing about this irregularity is a mistake.
fn check_fields(
    rule: &Irregularity,
    incident: &GivenIncident,
    field: &dyn Fn(&str) -> String,
) -> Result<(), Fault> {
    let repairs = matches!(
        rule.remedy,
        Remedy::VoidUnlessMoved
            | Remedy::VoidUnlessReconstructed
            | Remedy::HandOut
            | Remedy::MoveHands
            | Remedy::Reconstruct
    );
    let late = rule.what == Incident::LateWager;
    let unfit = [
        ("repaired", incident.repaired && !repairs),
        ("low", incident.low.is_some() && rule.remedy != Remedy::Reconstruct),
        ("wager", incident.wager.is_some() && !late),
        ("amount", incident.amount.is_some() && !late),
    ];
    match unfit.into_iter().find(|(_, is)| *is) {
        Some((name, _)) => {
            let why = format!("that says nothing about {}: leave it out", rule.what);
            Err(fault(field(name), why, None))
        }
        None => Ok(()),
    }
}
