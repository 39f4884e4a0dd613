//! Deciding commands: every rule of the table is here or below. Reads, never writes.

mod banking;
mod betting;
mod calls;
mod play;
mod seating;

use houseway_rules::Cents;
use houseway_rules::rulebook::{Role, Rulebook, Text};

use crate::command::{Action, Command};
use crate::event::Event;
use crate::place::Person;
use crate::refusal::{Refusal, Why};
use crate::state::{Phase, Table, may_act};

pub(crate) use calls::gains;
pub use calls::outcome_established;

/// Cited where no document says anything.
pub(crate) const TABLE_POLICY: Text = Text::Borrowed("table policy");

/// What a command comes to.
pub type Decided = Result<Vec<Event>, Refusal>;

/// Decides a command: the events it leads to, or why it is refused. The table is not changed.
pub fn decide(table: &Table, command: &Command) -> Decided {
    let asked = Asked { table, command };
    match &command.action {
        Action::BringMoney { amount } => asked.bring_money(*amount),
        Action::TakeMoney { amount } => asked.take_money(*amount),
        Action::Sit { position } => asked.sit(*position),
        Action::Leave { position } => asked.leave(*position),
        Action::OpenRound => asked.open_round(),
        Action::TakeBank { put_up, house_wager } => asked.take_bank(*put_up, *house_wager),
        Action::DeclineBank => asked.decline_bank(),
        Action::Place { position, wager, amount, person } => {
            asked.place(*position, *wager, *amount, *person)
        }
        Action::Withdraw { position, wager } => asked.withdraw(*position, *wager),
        Action::CloseBets => asked.close_bets(),
        Action::Deal { deck, number } => asked.deal(deck, *number),
        Action::View { position } => asked.view(*position),
        Action::Set { position, low } => asked.set(*position, *low),
        Action::SetHouseWay { position } => asked.set_house_way(*position),
        Action::AskHouseWay { position } => asked.ask_house_way(*position),
        Action::Reveal { low } => asked.reveal(*low),
        Action::SetBanker { low } => asked.set_banker(*low),
        Action::Concede { position } => asked.concede(*position),
        Action::Settle => asked.settle(),
        Action::TimeUp => asked.time_up(),
        Action::Call(call) => asked.call(call),
        Action::WithdrawAll => asked.withdraw_all(),
        Action::Restrict { person } => asked.restrict(*person),
        Action::Rule { ruling, reason } => asked.rule(*ruling, reason),
    }
}

/// A command at a table.
#[derive(Clone, Copy)]
struct Asked<'a> {
    table: &'a Table,
    command: &'a Command,
}

impl<'a> Asked<'a> {
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
            Phase::Betting(it) if betting::sum_standard(it) == Cents::ZERO => {
                self.voided(TABLE_POLICY, "nobody wagered".into())
            }
            Phase::Betting(_) => self.close_bets(),
            Phase::Setting(_) => self.set_for_the_absent(),
            Phase::Revealed(_) => self.settle(),
            Phase::Idle | Phase::Closed(..) => Err(Refusal::new(Why::NotNow)),
        }
    }
}
