//! Who holds the bank.

use houseway_rules::Cents;
use houseway_rules::rulebook::{Direction, Role, Wager};

use super::seating::whole_dollars;
use super::{Asked, Decided};
use crate::event::Event;
use crate::fees::most_banker_fee;
use crate::place::{Places, Position};
use crate::refusal::{Refusal, Why};
use crate::stake::{Bank, plus, sum};
use crate::state::{Betting, Phase, Rotation};

impl Asked<'_> {
    pub(super) fn open_round(&self) -> Decided {
        self.needs(Role::Dealer)?;
        if self.table.phase != Phase::Idle {
            return Err(Refusal::new(Why::NotNow));
        }
        match self.rules().bank.banker.is_house() {
            true => Ok(vec![self.bets_opened()]),
            false => Ok(vec![self.offer(&[])]),
        }
    }

    fn bets_opened(&self) -> Event {
        let until = self.until(self.table.setup.posted.time.betting);
        Event::BetsOpened { round: self.table.round + 1, until }
    }

    /// Offers the bank to the next eligible seat that has not declined.
    fn offer(&self, declined: &[Position]) -> Event {
        let rules = self.rules();
        let clause = rules.bank.cite.clone();
        let rotation = rules.bank.rotation.as_ref();
        let direction = rotation.map_or(Direction::Clockwise, |rotation| rotation.direction);
        let mut round = Places::of(rules).round(self.table.rotation.next, direction);
        let least = plus(Cents::dollars(1), most_banker_fee(&self.table.setup));
        let to = round.find(|position| {
            let seated = self.table.seats.get(position);
            let Rotation { last, in_a_row, .. } = self.table.rotation;
            let most = rotation.map_or(u8::MAX, |rotation| rotation.rounds_in_a_row);
            let eligible = seated.is_some_and(|person| {
                let guest = self.table.people.get(person);
                // Whoever has banked as often in a row as one may is passed over, wherever they sit.
                let spent = last == Some(*person) && in_a_row >= most && most > 1;
                guest.is_some_and(|guest| !guest.barred && guest.stack >= least) && !spent
            });
            eligible && !declined.contains(position)
        });
        match to {
            Some(position) => {
                let until = self.until(self.table.setup.posted.time.banking);
                Event::BankOffered { position, until, clause }
            }
            None => Event::NoBanker { clause },
        }
    }

    pub(super) fn decline_bank(&self) -> Decided {
        let Phase::Offering { to, .. } = &self.table.phase else {
            return Err(Refusal::new(Why::NotNow));
        };
        if self.table.seats.get(to) != Some(&self.person()) {
            return Err(Refusal::by(Why::NotOffered, &self.rules().bank.cite));
        }
        self.declined(*to)
    }

    pub(super) fn declined(&self, position: Position) -> Decided {
        let Phase::Offering { declined, .. } = &self.table.phase else {
            return Err(Refusal::new(Why::NotNow));
        };
        let all = [declined.as_slice(), &[position]].concat();
        Ok(vec![Event::BankDeclined { position }, self.offer(&all)])
    }

    pub(super) fn take_bank(&self, put_up: Cents, house_wager: Cents) -> Decided {
        whole_dollars(put_up)?;
        whole_dollars(house_wager)?;
        if put_up == Cents::ZERO {
            return Err(Refusal::new(Why::Nothing));
        }
        match &self.table.phase {
            Phase::Offering { to, until, .. } => {
                self.take_offered(*to, *until, put_up, house_wager)
            }
            Phase::Betting(betting) => self.take_button(betting, put_up, house_wager),
            _ => Err(Refusal::new(Why::NotNow)),
        }
    }

    /// The bank of a house where a player always banks.
    fn take_offered(
        &self,
        position: Position,
        until: Option<u64>,
        put_up: Cents,
        house_wager: Cents,
    ) -> Decided {
        let person = self.person();
        if self.table.seats.get(&position) != Some(&person) {
            return Err(Refusal::by(Why::NotOffered, &self.rules().bank.cite));
        }
        self.in_time(until)?;
        if house_wager > Cents::ZERO {
            return Err(Refusal::new(Why::HouseWagerTooHigh { most: Cents::ZERO }));
        }
        // The fee is known only when bets close, so the most it can be stays beside the bank.
        let needed = plus(put_up, most_banker_fee(&self.table.setup));
        let stack = self.stack(person);
        if needed > stack {
            return Err(Refusal::new(Why::NoMoney { stack, needed }));
        }
        let bank = Bank::Player { position, person, put_up, house_wager };
        let clause = self.rules().bank.cite.clone();
        let taken = Event::BankTaken { bank, before: Cents::ZERO, clause };
        Ok(vec![taken, self.bets_opened()])
    }

    /// The bank of a house that banks itself unless the player with the button does.
    fn take_button(&self, betting: &Betting, put_up: Cents, house_wager: Cents) -> Decided {
        let Some(rules) = &self.rules().bank.player_banker else {
            return Err(Refusal::new(Why::NotNow));
        };
        self.in_time(betting.until)?;
        let person = self.person();
        // Whoever took the bank has it for the round, wherever others sit down meanwhile.
        let button = betting.bank.position().or_else(|| self.button());
        let Some(position) = button.filter(|at| self.table.seats.get(at) == Some(&person)) else {
            return Err(Refusal::by(Why::NotOffered, &self.rules().bank.cite));
        };
        let own = betting.stakes.get(&position);
        if own.is_some_and(|stakes| stakes.total(Wager::Standard) > Cents::ZERO) {
            return Err(Refusal::new(Why::HasWagers));
        }
        let most = self.table.last_wager(position, person);
        if let Some((_, limits)) = self.table.setup.range(Wager::Standard)
            && !house_wager.get().is_multiple_of(limits.step.get())
        {
            return Err(Refusal::by(Why::NotInSteps { step: limits.step }, &limits.cite));
        }
        if house_wager > most {
            return Err(Refusal::by(Why::HouseWagerTooHigh { most }, &rules.house_bets));
        }
        let standard = betting.stakes.values().map(|stakes| stakes.total(Wager::Standard));
        let needed = plus(sum(standard), house_wager);
        if put_up < needed {
            let why = Why::NotCovered { covered: put_up, needed };
            return Err(Refusal::by(why, &rules.covers_in_advance));
        }
        let before = match betting.bank {
            Bank::Player { put_up, .. } => put_up,
            Bank::House => Cents::ZERO,
        };
        let stack = plus(self.stack(person), before);
        if put_up > stack {
            return Err(Refusal::new(Why::NoMoney { stack, needed: put_up }));
        }
        let bank = Bank::Player { position, person, put_up, house_wager };
        Ok(vec![Event::BankTaken { bank, before, clause: self.rules().bank.cite.clone() }])
    }

    /// The seat that may take the bank this round, where the house banks otherwise.
    fn button(&self) -> Option<Position> {
        let button = self.table.button()?;
        let waits = self.table.rotation.house_between;
        (!waits && Places::of(self.rules()).has_seat(button)).then_some(button)
    }

    /// Where the bank goes after a round.
    pub(super) fn next_rotation(&self, bank: Bank) -> Rotation {
        let rules = self.rules();
        let now = self.table.rotation;
        let Some(rotation) = &rules.bank.rotation else { return now };
        let places = Places::of(rules);
        // The next spot; who sits there by then is seen when the next round opens.
        let following = |from: Position, past_the_dealer: bool| {
            let next = places.further(from, 1, rotation.direction);
            match places.dealer() == Some(next) && past_the_dealer {
                true => places.further(next, 1, rotation.direction),
                false => next,
            }
        };
        match bank {
            Bank::Player { position, person, .. } => {
                let in_a_row =
                    if now.last == Some(person) { now.in_a_row.saturating_add(1) } else { 1 };
                let last = Some(person);
                let house_between = rotation.house_between;
                if in_a_row < rotation.rounds_in_a_row && !house_between {
                    return Rotation { next: position, in_a_row, last, house_between };
                }
                // The dealer has the round between, so its own spot is passed over.
                let next = following(position, house_between);
                Rotation { next, in_a_row, last, house_between }
            }
            // The house banked between two players: the button is the next player's.
            Bank::House if now.house_between => {
                let next = self.table.button().unwrap_or(now.next);
                Rotation { next, house_between: false, ..now }
            }
            Bank::House => {
                let next = following(self.table.button().unwrap_or(now.next), false);
                Rotation { next, in_a_row: 0, last: None, house_between: false }
            }
        }
    }
}
