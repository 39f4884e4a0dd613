//! Deciding commands: every rule of the table is here or below. Reads, never writes.

mod banking;
mod betting;
mod calls;
mod play;
mod seating;

use houseway_rules::Cents;
use houseway_rules::rulebook::{Incident, Role, Rulebook, Text};

use crate::command::{Action, Command};
use crate::event::Event;
use crate::place::Person;
use crate::refusal::{Refusal, Why};
use crate::stake::MOST;
use crate::state::{Phase, Table, may_act};

pub use calls::outcome_established;
pub(crate) use calls::{Mend, form};

/// Cited where no document says anything.
pub(crate) const TABLE_POLICY: Text = Text::Borrowed("table policy");

/// What a command comes to.
pub type Decided = Result<Vec<Event>, Refusal>;

/// Decides a command: the events it leads to, or why it is refused. The table is not changed.
pub fn decide(table: &Table, command: &Command) -> Decided {
    let asked = Asked { table, command };
    asked.staff_do_not_play()?;
    asked.countable()?;
    let events = asked.answer()?;
    let events = asked.with_hands_left_to_the_dealer(events);
    Ok(asked.with_debts_collected(events))
}

/// A command at a table.
#[derive(Clone, Copy)]
struct Asked<'a> {
    table: &'a Table,
    command: &'a Command,
}

impl<'a> Asked<'a> {
    fn answer(&self) -> Decided {
        match &self.command.action {
            Action::BringMoney { amount } => self.bring_money(*amount),
            Action::TakeMoney { amount } => self.take_money(*amount),
            Action::Sit { position } => self.sit(*position),
            Action::Leave { position } => self.leave(*position),
            Action::OpenRound => self.open_round(),
            Action::TakeBank { put_up, house_wager } => self.take_bank(*put_up, *house_wager),
            Action::DeclineBank => self.decline_bank(),
            Action::Place { position, wager, amount, person } => {
                self.place(*position, *wager, *amount, *person)
            }
            Action::Withdraw { position, wager } => self.withdraw(*position, *wager),
            Action::CloseBets => self.close_bets(),
            Action::Deal { deck, number } => self.deal(deck, *number),
            Action::View { position } => self.view(*position),
            Action::Set { position, low } => self.set(*position, *low),
            Action::SetHouseWay { position } => self.set_house_way(*position),
            Action::AskHouseWay { position } => self.ask_house_way(*position),
            Action::Reveal { low } => self.reveal(*low),
            Action::SetBanker { low } => self.set_banker(*low),
            Action::Concede { position } => self.concede(*position),
            Action::Settle => self.settle(),
            Action::TimeUp => self.time_up(),
            Action::Resume => self.resume(),
            Action::Call(call) => self.call(call),
            Action::WithdrawAll => self.withdraw_all(),
            Action::Restrict { person, reason } => self.restrict(*person, reason),
            Action::Rule { ruling, reason } => self.rule(*ruling, reason),
        }
    }

    fn is_staff(&self) -> bool {
        self.command.by.role >= Role::Dealer
    }

    /// Whoever sits at a table or has a wager there is a player and nothing else.
    fn staff_do_not_play(&self) -> Result<(), Refusal> {
        match self.is_staff() && self.table.is_played_at_by(self.person()) {
            true => Err(Refusal::by(Why::StaffPlay, &TABLE_POLICY)),
            false => Ok(()),
        }
    }

    /// No amount is so large that a sum with it could not be counted.
    fn countable(&self) -> Result<(), Refusal> {
        let amount = match self.command.action {
            Action::BringMoney { amount }
            | Action::TakeMoney { amount }
            | Action::Place { amount, .. } => amount,
            Action::TakeBank { put_up, house_wager } => put_up.max(house_wager),
            _ => return Ok(()),
        };
        match amount > MOST {
            true => Err(Refusal::new(Why::AboveMaximum { maximum: MOST })),
            false => Ok(()),
        }
    }

    /// Whoever owes something from a correction pays it as soon as they have it between rounds.
    fn with_debts_collected(&self, mut events: Vec<Event>) -> Vec<Event> {
        if self.table.people.values().all(|guest| guest.owes == Cents::ZERO) {
            return events;
        }
        let after = self.after(&events);
        if after.phase != Phase::Idle {
            return events;
        }
        let rule = self.rules().irregularity(Incident::WrongHouseWayLater);
        let clause = rule.map_or(TABLE_POLICY, |rule| rule.cite.clone());
        for (&person, guest) in &after.people {
            let amount = guest.owes.min(guest.stack);
            if amount > Cents::ZERO {
                events.push(Event::DebtCollected { person, amount, clause: clause.clone() });
            }
        }
        events
    }

    /// The table as it will be after some events.
    fn after(&self, events: &[Event]) -> Table {
        let mut table = self.table.clone();
        for event in events {
            table.apply(event);
        }
        table
    }

    fn rules(&self) -> &'a Rulebook {
        &self.table.setup.rulebook
    }

    fn person(&self) -> Person {
        self.command.by.person
    }

    /// Refused unless the asker is at least that.
    fn needs(&self, role: Role) -> Result<(), Refusal> {
        match may_act(self.command.by.role, role) {
            true => Ok(()),
            false => Err(Refusal::new(Why::NeedsRole { role })),
        }
    }

    /// Refused once a deadline has passed.
    fn in_time(&self, until: Option<u64>) -> Result<(), Refusal> {
        match until {
            Some(until) if self.command.at > until => Err(Refusal::new(Why::TooLate)),
            _ => Ok(()),
        }
    }

    /// When something that takes so long has to be done.
    fn until(&self, time: Option<u64>) -> Option<u64> {
        time.map(|time| self.command.at.saturating_add(time))
    }

    /// Gives everyone the time of the phase again, where there is one.
    fn resume(&self) -> Decided {
        self.needs(Role::Dealer)?;
        let time = self.table.setup.posted.time;
        let (until, time) = match &self.table.phase {
            Phase::Offering { until, .. } => (*until, time.banking),
            Phase::Betting(betting) => (betting.until, time.betting),
            Phase::Setting(play) => (play.until, time.setting),
            Phase::Revealed(play) => (play.until, time.conceding),
            Phase::Idle | Phase::Closed(..) => (None, None),
        };
        match until {
            Some(_) => Ok(vec![Event::ClockRestarted { until: self.until(time) }]),
            None => Err(Refusal::new(Why::NotNow)),
        }
    }

    /// Does what is done when time is up: declines, closes, sets the House Way, settles.
    fn time_up(&self) -> Decided {
        self.needs(Role::Dealer)?;
        let until = match &self.table.phase {
            Phase::Offering { until, .. } => *until,
            Phase::Betting(betting) => betting.until,
            Phase::Setting(play) | Phase::Revealed(play) => play.until,
            Phase::Idle | Phase::Closed(..) => None,
        };
        match until {
            None => return Err(Refusal::new(Why::NotNow)),
            Some(until) if self.command.at <= until => return Err(Refusal::new(Why::TooEarly)),
            Some(_) => {}
        }
        match &self.table.phase {
            Phase::Offering { to, .. } => self.declined(*to),
            // A round that nobody wagers in is not dealt.
            Phase::Betting(it) if !betting::is_wagered(it) => {
                self.voided(TABLE_POLICY, "nobody wagered".into())
            }
            Phase::Betting(_) => self.close_bets(),
            Phase::Setting(_) => self.set_for_the_absent(),
            Phase::Revealed(_) => self.settle(),
            Phase::Idle | Phase::Closed(..) => Err(Refusal::new(Why::NotNow)),
        }
    }
}
