//! Coming, sitting down, getting up, going.

use houseway_rules::Cents;
use houseway_rules::rulebook::{Incident, Role};

use super::{Asked, Decided, TABLE_POLICY};
use crate::event::Event;
use crate::fees::{most_banker_fee, player_fee};
use crate::place::{Person, Places, Position, may_take};
use crate::refusal::{Refusal, Why};
use crate::stake::{Bank, MOST, Stakes, plus, sum};
use crate::state::Phase;

impl Asked<'_> {
    pub(super) fn bring_money(&self, amount: Cents) -> Decided {
        if amount == Cents::ZERO {
            return Err(Refusal::new(Why::Nothing));
        }
        whole_dollars(amount)?;
        let person = self.person();
        let there = self.stack(person);
        if amount > MOST || plus(there, amount) > MOST {
            return Err(Refusal::new(Why::AboveMaximum { maximum: MOST }));
        }
        Ok(vec![Event::MoneyBrought { person, amount }])
    }

    pub(super) fn take_money(&self, amount: Cents) -> Decided {
        let person = self.person();
        let stack = self.stack(person);
        if amount == Cents::ZERO {
            return Err(Refusal::new(Why::Nothing));
        }
        let owes = self.table.people.get(&person).map_or(Cents::ZERO, |guest| guest.owes);
        let needed = plus(plus(amount, owes), self.held_for_fees(person));
        if needed > stack {
            return Err(Refusal::new(Why::NoMoney { stack, needed }));
        }
        Ok(vec![Event::MoneyTaken { person, amount }])
    }

    /// What someone must keep until bets are closed: the fees of the round.
    fn held_for_fees(&self, person: Person) -> Cents {
        let Phase::Betting(betting) = &self.table.phase else { return Cents::ZERO };
        let setup = &self.table.setup;
        let own = |(position, stakes): (&Position, &Stakes)| {
            let holds = self.table.seats.get(position) == Some(&person);
            if holds { player_fee(setup, stakes) } else { Cents::ZERO }
        };
        let fees = sum(betting.stakes.iter().map(own));
        match betting.bank {
            Bank::Player { person: banker, .. } if banker == person => {
                plus(fees, most_banker_fee(setup))
            }
            _ => fees,
        }
    }

    /// The refusal of someone who may not play here.
    pub(super) fn barred(&self) -> Refusal {
        let rule = self.rules().irregularity(Incident::HandShown);
        Refusal { why: Why::Barred, clause: rule.map(|rule| rule.cite.clone()) }
    }

    pub(super) fn stack(&self, person: Person) -> Cents {
        self.table.people.get(&person).map_or(Cents::ZERO, |guest| guest.stack)
    }

    pub(super) fn sit(&self, position: Position) -> Decided {
        self.between_rounds()?;
        if self.is_staff() {
            return Err(Refusal::by(Why::StaffPlay, &TABLE_POLICY));
        }
        let (person, seats) = (self.person(), &self.rules().seats);
        if !Places::of(self.rules()).has_seat(position) {
            return Err(Refusal::by(Why::NoSuchPosition, &seats.cite));
        }
        if self.table.seats.contains_key(&position) {
            return Err(Refusal::new(Why::Taken));
        }
        let guest = self.table.people.get(&person).copied().unwrap_or_default();
        if guest.barred {
            return Err(self.barred());
        }
        let own: Vec<Position> = self.positions_of(person).collect();
        if guest.restricted && !own.is_empty() {
            let cite = seats.restricted_by.as_ref().map(|rule| &*rule.cite);
            return Err(Refusal { why: Why::TooManyPositions, clause: cite.map(text) });
        }
        may_take(self.rules(), &own, position)
            .map_err(|clause| Refusal { why: Why::TooManyPositions, clause: clause.map(text) })?;
        Ok(vec![Event::Sat { person, position }])
    }

    pub(super) fn leave(&self, position: Position) -> Decided {
        let Some(&holder) = self.table.seats.get(&position) else {
            return Err(Refusal::new(Why::NotSeated));
        };
        if holder != self.person() {
            self.needs(Role::Dealer)?;
        }
        let in_play = match &self.table.phase {
            Phase::Idle | Phase::Offering { .. } => false,
            Phase::Betting(betting) | Phase::Closed(betting, _) => {
                betting.stakes.get(&position).is_some_and(|stakes| !Stakes::is_empty(stakes))
                    || betting.bank.position() == Some(position)
            }
            Phase::Setting(play) | Phase::Revealed(play) => {
                play.hands.contains_key(&position) || play.bank.position() == Some(position)
            }
        };
        if in_play {
            return Err(Refusal::new(Why::HasWagers));
        }
        let left = Event::Left { person: holder, position };
        match &self.table.phase {
            // Whoever goes declines the bank that is offered to them.
            Phase::Offering { to, .. } if *to == position => {
                let mut events = self.declined(position)?;
                events.insert(1, left);
                Ok(events)
            }
            _ => Ok(vec![left]),
        }
    }

    pub(super) fn positions_of(&self, person: Person) -> impl Iterator<Item = Position> {
        let seats = self.table.seats.iter();
        seats.filter(move |(_, seated)| **seated == person).map(|(&position, _)| position)
    }

    fn between_rounds(&self) -> Result<(), Refusal> {
        match &self.table.phase {
            Phase::Idle | Phase::Offering { .. } | Phase::Betting(_) => Ok(()),
            _ => Err(Refusal::new(Why::NotNow)),
        }
    }

    pub(super) fn restrict(&self, person: Person, reason: &str) -> Decided {
        let Some(rule) = &self.rules().seats.restricted_by else {
            return Err(Refusal::new(Why::NoSuchIrregularity));
        };
        if !super::may_act(self.command.by.role, rule.is) {
            return Err(Refusal::by(Why::NeedsRole { role: rule.is }, &rule.cite));
        }
        if reason.trim().is_empty() {
            return Err(Refusal::by(Why::NoReason, &rule.cite));
        }
        match self.table.people.get(&person) {
            None => Err(Refusal::by(Why::Unknown, &rule.cite)),
            Some(guest) if guest.restricted => Err(Refusal::by(Why::AlreadyDone, &rule.cite)),
            Some(_) => {
                let (reason, clause) = (reason.to_string(), rule.cite.clone());
                Ok(vec![Event::Restricted { person, reason, clause }])
            }
        }
    }
}

fn text(clause: &str) -> houseway_rules::rulebook::Text {
    clause.to_string().into()
}

pub(super) fn whole_dollars(amount: Cents) -> Result<(), Refusal> {
    match amount.get() % 100 {
        0 => Ok(()),
        _ => Err(Refusal::by(Why::NotWholeDollars { amount }, "R6")),
    }
}
