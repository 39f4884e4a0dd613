//! Wagers until "no more bets".

use houseway_rules::Cents;
use houseway_rules::rulebook::{Coverage, Incident, Role, Text, Wager};

use super::seating::whole_dollars;
use super::{Asked, Decided, TABLE_POLICY};
use crate::command::Action;
use crate::event::Event;
use crate::fees::{Fee, fees, player_fee_with};
use crate::place::{Person, Position};
use crate::refusal::{Refusal, Why};
use crate::stake::{Bank, Stakes, minus, plus, sum};
use crate::state::{Betting, Phase};

impl Asked<'_> {
    /// The betting phase while it lasts, or the clause that closes it.
    fn betting(&self) -> Result<&Betting, Refusal> {
        // Where no clause is about late wagers, the one that closes bets by the deal is.
        let late = || {
            let found = self.rules().irregularity(match self.command.action {
                Action::Withdraw { .. } => Incident::LateWithdrawal,
                _ => Incident::LateWager,
            });
            let dealing = || self.table.setup.dealing().cite.clone();
            let clause = Some(found.map_or_else(dealing, |it| it.cite.clone()));
            Err(Refusal { why: Why::TooLate, clause })
        };
        match &self.table.phase {
            Phase::Betting(betting) if self.in_time(betting.until).is_err() => late(),
            Phase::Betting(betting) => Ok(betting),
            Phase::Idle | Phase::Offering { .. } => Err(Refusal::new(Why::NotNow)),
            _ => late(),
        }
    }

    pub(super) fn place(
        &self,
        position: Position,
        wager: Wager,
        amount: Cents,
        person: Option<Person>,
    ) -> Decided {
        let betting = self.betting()?;
        let setup = &self.table.setup;
        let person = self.on_behalf_of(person)?;
        let Some((range, limits)) = setup.range(wager) else {
            return Err(Refusal::new(Why::NoSuchWager));
        };
        let mut clause: Text = limits.cite.clone();
        let Some(&holder) = self.table.seats.get(&position) else {
            return Err(Refusal::new(Why::NotSeated));
        };
        if self.table.people.get(&person).is_some_and(|guest| guest.barred) {
            return Err(self.barred());
        }
        if person != holder {
            match &self.rules().seats.shared_wagers {
                Some(cite) => clause.clone_from(cite),
                None => return Err(Refusal::new(Why::NotShared)),
            }
        }
        let is_banker = betting.bank.position() == Some(position);
        let own_bonus = self.rules().bank.player_banker.is_some() && wager == Wager::Fortune;
        if is_banker && !own_bonus {
            return Err(Refusal::new(Why::NotYours));
        }
        whole_dollars(amount)?;
        let none = Stakes::default();
        let there = betting.stakes.get(&position).unwrap_or(&none);
        let has = |wager: Wager| there.of(wager).iter().any(|share| share.person == person);
        if wager != Wager::Standard && !is_banker && !has(Wager::Standard) {
            return Err(Refusal::by(Why::NeedsStandard, &limits.cite));
        }
        self.one_area(betting, position, person)?;
        let before = there.of(wager).iter().find(|share| share.person == person);
        let before = before.map_or(Cents::ZERO, |share| share.amount);
        let total = plus(minus(there.total(wager), before), amount);
        if amount == Cents::ZERO {
            return Err(Refusal::new(Why::Nothing));
        }
        if !amount.get().is_multiple_of(limits.step.get()) {
            return Err(Refusal::by(Why::NotInSteps { step: limits.step }, &limits.cite));
        }
        if total < range.minimum {
            return Err(Refusal::by(Why::BelowMinimum { minimum: range.minimum }, &limits.cite));
        }
        if total > range.maximum {
            return Err(Refusal::by(Why::AboveMaximum { maximum: range.maximum }, &limits.cite));
        }
        let stack = plus(self.stack(person), before);
        let fee = match person == holder {
            true => player_fee_with(setup, there, wager, total),
            false => Cents::ZERO,
        };
        let needed = plus(amount, fee);
        if needed > stack {
            return Err(Refusal::new(Why::NoMoney { stack, needed }));
        }
        if wager == Wager::Standard {
            self.covered(betting, amount, before)?;
        }
        let by = (person != self.person()).then_some(self.command.by);
        if let (Some(_), Some(cite)) = (by, &self.rules().seats.staff_wagers) {
            clause.clone_from(cite);
        }
        Ok(vec![Event::Placed { position, person, wager, amount, before, by, clause }])
    }

    /// Someone who is kept to one area wagers on no second one.
    fn one_area(
        &self,
        betting: &Betting,
        position: Position,
        person: Person,
    ) -> Result<(), Refusal> {
        let Some(rule) = &self.rules().seats.restricted_by else { return Ok(()) };
        if !self.table.people.get(&person).is_some_and(|guest| guest.restricted) {
            return Ok(());
        }
        let elsewhere = betting.stakes.iter().any(|(&at, stakes)| {
            at != position && stakes.shares().any(|(_, share)| share.person == person)
        });
        // Their own seat is theirs; another's is a second area.
        let others = self.table.seats.get(&position) != Some(&person);
        match elsewhere || others {
            true => Err(Refusal::by(Why::TooManyPositions, &rule.cite)),
            false => Ok(()),
        }
    }

    /// Whose wager it is: one's own, or that of the player for whom staff place it.
    fn on_behalf_of(&self, person: Option<Person>) -> Result<Person, Refusal> {
        match person {
            Some(person) if person != self.person() => match &self.rules().seats.staff_wagers {
                Some(_) => self.needs(Role::Dealer).map(|()| person),
                None => Err(Refusal::new(Why::NotYours)),
            },
            _ if self.is_staff() => Err(Refusal::by(Why::StaffPlay, &TABLE_POLICY)),
            _ => Ok(self.person()),
        }
    }

    /// A banking player who must cover every standard wager in advance covers one more of this
    /// amount, in place of what was there before.
    fn covered(&self, betting: &Betting, amount: Cents, before: Cents) -> Result<(), Refusal> {
        let (Bank::Player { put_up, house_wager, .. }, Coverage::InAdvance { cite }) =
            (betting.bank, &self.rules().coverage)
        else {
            return Ok(());
        };
        let standard = minus(plus(sum_standard(betting), amount), before);
        let needed = plus(standard, house_wager);
        match needed <= put_up {
            true => Ok(()),
            false => Err(Refusal::by(Why::NotCovered { covered: put_up, needed }, cite)),
        }
    }

    pub(super) fn withdraw(&self, position: Position, wager: Wager) -> Decided {
        let betting = self.betting()?;
        let person = self.person();
        let stakes = betting.stakes.get(&position);
        let own = |wager: Wager| {
            let shares = stakes.map_or(&[][..], |stakes| stakes.of(wager));
            shares.iter().find(|share| share.person == person).map(|share| share.amount)
        };
        let Some(amount) = own(wager) else { return Err(Refusal::new(Why::NoSuchWager)) };
        let returned = |wager, person, amount| Event::Returned {
            position,
            person,
            wager,
            amount,
            clause: None,
        };
        let mut events = vec![returned(wager, person, amount)];
        // Side bets stand only beside a standard wager; and what is left of a shared one must be
        // within the limits, or it goes back as well.
        let stands = |wager: Wager| {
            let total = stakes.map_or(Cents::ZERO, |stakes| stakes.total(wager));
            let range = self.table.setup.range(wager);
            let own = own(wager).unwrap_or(Cents::ZERO);
            range.is_some_and(|(range, _)| minus(total, own) >= range.minimum)
        };
        let opens = wager != Wager::Standard || stands(Wager::Standard);
        for (on, share) in stakes.into_iter().flat_map(Stakes::shares) {
            let own = share.person == person;
            let goes = match (on == wager, own) {
                (true, true) => continue,
                (true, false) => !stands(on),
                (false, true) => wager == Wager::Standard,
                (false, false) => !opens || wager == Wager::Standard && !stands(on),
            };
            if goes {
                events.push(returned(on, share.person, share.amount));
            }
        }
        Ok(events)
    }

    pub(super) fn close_bets(&self) -> Decided {
        self.needs(Role::Dealer)?;
        let Phase::Betting(betting) = &self.table.phase else {
            return Err(Refusal::new(Why::NotNow));
        };
        if !is_wagered(betting) {
            return Err(Refusal::new(Why::NoWagers));
        }
        let stakes = betting.stakes.iter().filter_map(|(&position, stakes)| {
            let holder = self.table.seats.get(&position)?;
            Some((position, *holder, stakes))
        });
        let taken = |Fee { person, amount, clause }| Event::FeeTaken { person, amount, clause };
        let fees = fees(&self.table.setup, betting.bank, stakes).into_iter().map(taken);
        Ok([Event::BetsClosed].into_iter().chain(fees).collect())
    }
}

pub(super) fn sum_standard(betting: &Betting) -> Cents {
    sum(betting.stakes.values().map(|stakes| stakes.total(Wager::Standard)))
}

/// Whether there is something to play for: someone's wager, or the house's against a banking player.
pub(super) fn is_wagered(betting: &Betting) -> bool {
    let house =
        matches!(betting.bank, Bank::Player { house_wager, .. } if house_wager > Cents::ZERO);
    house || sum_standard(betting) > Cents::ZERO
}
