//! What was called and decided, and what it does to a round.

use std::collections::{BTreeMap, BTreeSet};

use houseway_rules::rulebook::{Incident, Irregularity, Remedy, Text, Wager};
use houseway_rules::{CardSet, Cents};

use super::check::Case;
use super::given::{GivenIncident, GivenRuling, GivenSeat};
use super::{Adjudicated, Fault, Note, fault};
use crate::command::Ruling;
use crate::decide::TABLE_POLICY;
use crate::place::{Person, Position};
use crate::settlement::Line;
use crate::stake::{Bank, Share, WAGERS};

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
    /// Everything that was called or decided, checked; what goes back by it is in action no longer.
    pub(super) fn called(&mut self) -> Result<Called, Fault> {
        let mut called = Called::default();
        for (place, incident) in self.given.irregularities.iter().enumerate() {
            let field = |name: &str| format!("irregularities[{place}].{name}");
            let late = incident.what == Incident::LateWager;
            let Some(rule) = self.rules().irregularity(incident.what).cloned() else {
                if late {
                    // No irregularity there, and still too late: what came so has gone back.
                    continue;
                }
                let why = format!("{} has no rule on {}", self.rules().id, incident.what);
                return Err(fault(field("what"), why, None));
            };
            self.carry_out(&rule, incident, &field, &mut called)?;
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
        &mut self,
        rule: &Irregularity,
        incident: &GivenIncident,
        field: &dyn Fn(&str) -> String,
        called: &mut Called,
    ) -> Result<(), Fault> {
        let refuse = |name: &str, why: &str| Err(fault(field(name), why, Some(&rule.cite)));
        let named = incident.position.and_then(|at| self.seat(Position(at)));
        let named = named.map(|seat| (Position(seat.position), seat.holder()));
        let whose = || {
            named.ok_or_else(|| {
                fault(field("position"), "name a position with a wager", Some(&rule.cite))
            })
        };
        let position = || whose().map(|(position, _)| position);
        // Whoever has part in the wager there, if not its holder.
        let person = || {
            let (position, holder) = whose()?;
            let person = incident.person.map_or(holder, Person);
            let has_part = self.partakers(position).contains(&person);
            has_part.then_some(person).ok_or_else(|| {
                let why = "that person has no part in the wager there";
                fault(field("person"), why, Some(&rule.cite))
            })
        };
        let mut out = |position: Position| {
            called.out.entry(position).or_insert_with(|| rule.cite.clone());
        };
        check_fields(rule, incident, field)?;
        match rule.remedy {
            Remedy::Void | Remedy::Redeal | Remedy::CountAndRedeal => {
                called.void.get_or_insert_with(|| rule.cite.clone());
            }
            Remedy::VoidUnlessMoved | Remedy::VoidUnlessReconstructed if !incident.repaired => {
                called.void.get_or_insert_with(|| rule.cite.clone());
            }
            Remedy::HandOut if !incident.repaired => out(position()?),
            Remedy::ReturnWager => out(position()?),
            Remedy::SecondHandOut => {
                let second = position()?;
                if self.all_of(second).len() < 2 {
                    return refuse("position", "that player has one hand only");
                }
                out(second);
            }
            // Everything of that player's goes back, wherever it lies.
            Remedy::MayBar => self.all_back(person()?, &rule.cite),
            Remedy::MayWithdraw => {
                let person = person()?;
                if !self.may_withdraw(person) {
                    return refuse("what", "nothing was called that lets that player withdraw");
                }
                self.all_back(person, &rule.cite);
            }
            // Whoever withdraws after a power failure is named, one irregularity a player.
            Remedy::WithdrawAllOrNone if incident.position.is_some() => {
                self.all_back(person()?, &rule.cite);
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
                        let why = "no wager there is under the minimum";
                        fault(field("position"), why, Some(&rule.cite))
                    },
                )?;
            }
            Remedy::SettleToMaximum => {
                self.outside(incident, |total, _, most| total > most).then_some(()).ok_or_else(
                    || {
                        let why = "no wager there is over the maximum";
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

    /// Whether a wager, of the position where one is named, is outside the limits.
    fn outside(&self, incident: &GivenIncident, is: impl Fn(Cents, Cents, Cents) -> bool) -> bool {
        let meant = |seat: &GivenSeat| incident.position.is_none_or(|at| at == seat.position);
        let stakes = self.seats().filter(|(seat, _)| meant(seat)).map(|(_, stakes)| stakes);
        let mut wagers = stakes.flat_map(|stakes| WAGERS.map(|wager| (wager, stakes.total(wager))));
        wagers.any(|(wager, total)| {
            let range = self.setup.range(wager).filter(|_| total > Cents::ZERO);
            range.is_some_and(|(range, _)| is(total, range.minimum, range.maximum))
        })
    }

    /// Who has part in the wagers at a position: the holder, and whoever shares one.
    fn partakers(&self, position: Position) -> Vec<Person> {
        let seat = self.seat(position);
        let sharers = seat.into_iter().flat_map(|seat| &seat.shared);
        let sharers = sharers.map(|share| Person(share.person));
        seat.map(GivenSeat::holder).into_iter().chain(sharers).collect()
    }

    /// Whether something was called that lets someone withdraw the rest: a hand they had part in
    /// went out, or cards were discarded that nobody wagered on.
    fn may_withdraw(&self, person: Person) -> bool {
        self.given.irregularities.iter().any(|it| match it.what {
            Incident::NoWager => true,
            Incident::PlayerHandSize | Incident::NoCards if !it.repaired => {
                it.position.is_some_and(|at| self.partakers(Position(at)).contains(&person))
            }
            _ => false,
        })
    }

    /// Everything of someone's goes back, shares at others' positions included.
    fn all_back(&mut self, person: Person, clause: &Text) {
        for place in 0..self.stakes.len() {
            self.give_back(place, |_, share| share.person == person, clause);
        }
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
        lines.extend(self.gone_back());
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

    /// Lines by which went back what is in action no longer.
    pub(super) fn gone_back(&self) -> impl Iterator<Item = Line> {
        let line = |(at, wager, share, clause): &_| Line::returned(*at, *wager, *share, clause);
        self.back.iter().map(line)
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
    let about_someone = late
        || matches!(rule.remedy, Remedy::MayBar | Remedy::MayWithdraw | Remedy::WithdrawAllOrNone);
    let unfit = [
        ("repaired", incident.repaired && !repairs),
        ("person", incident.person.is_some() && !about_someone),
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
