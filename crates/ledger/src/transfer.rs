//! From events to transfers.

use std::fmt;

use houseway_rules::Cents;
use houseway_rules::rulebook::{Payer, Text};
use houseway_table::settlement::{Bet, Line, Owner};
use houseway_table::{Bank, Event, Person, Position, Share};
use serde::{Deserialize, Serialize};

/// Where money is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Account {
    /// Away from the table: a person's pocket or the cage.
    Outside(Person),
    /// A person's at the table, theirs to wager.
    Stack(Person),
    /// On a position's bets.
    Felt(Position),
    /// What a banking player has put up.
    Bank,
    /// The house's own money at the table.
    House,
    /// Commission the house has taken.
    Commission,
    /// Fees and rake the house has collected.
    Collection,
}

impl Account {
    /// Whether it may be below nothing: the house's purse and the world outside have no floor here.
    pub const fn may_be_overdrawn(self) -> bool {
        matches!(self, Account::Outside(_) | Account::House)
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::Outside(person) => write!(f, "{person}, outside"),
            Account::Stack(person) => write!(f, "{person}, stack"),
            Account::Felt(position) => write!(f, "{position}, wagers"),
            Account::Bank => f.write_str("bank"),
            Account::House => f.write_str("house"),
            Account::Commission => f.write_str("commission"),
            Account::Collection => f.write_str("collection"),
        }
    }
}

/// Why money moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Someone brought it or took it away.
    CameOrWent,
    /// It was wagered.
    Wager,
    /// A wager went back.
    WagerBack,
    /// A wager was lost.
    Loss,
    /// A wager was won.
    Win,
    /// Envy for another's hand.
    Envy,
    /// Commission on a win or a banker's gain.
    Commission,
    /// A fee or rake.
    Fee,
    /// A fee that went back.
    FeeBack,
    /// It was put up as the bank.
    PutUp,
    /// The bank went back to whoever put it up.
    BankBack,
    /// A settled round was corrected.
    Correction,
}

/// One movement of money.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// From where.
    pub from: Account,
    /// To where.
    pub to: Account,
    /// How much, more than nothing.
    pub amount: Cents,
    /// Why.
    pub reason: Reason,
    /// By which clause, where one decides.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clause: Option<Text>,
}

/// Collects transfers, none of nothing.
#[derive(Default)]
struct Moves(Vec<Transfer>);

impl Moves {
    fn add(
        &mut self,
        (from, to): (Account, Account),
        amount: Cents,
        reason: Reason,
        clause: Option<&Text>,
    ) {
        if amount > Cents::ZERO {
            self.0.push(Transfer { from, to, amount, reason, clause: clause.cloned() });
        }
    }
}

/// The money that moves because of an event. Pure, total, and the only such place.
pub fn transfers(event: &Event) -> Vec<Transfer> {
    use Account::{Bank as BankAccount, Collection, Felt, House, Outside, Stack};
    let mut moves = Moves::default();
    match event {
        Event::MoneyBrought { person, amount } => {
            moves.add((Outside(*person), Stack(*person)), *amount, Reason::CameOrWent, None);
        }
        Event::MoneyTaken { person, amount } => {
            moves.add((Stack(*person), Outside(*person)), *amount, Reason::CameOrWent, None);
        }
        Event::BankTaken { bank, before, clause } => {
            if let Bank::Player { person, put_up, .. } = bank {
                let back = (BankAccount, Stack(*person));
                moves.add(back, *before, Reason::BankBack, Some(clause));
                let up = (Stack(*person), BankAccount);
                moves.add(up, *put_up, Reason::PutUp, Some(clause));
            }
        }
        Event::Placed { position, person, amount, before, clause, .. } => {
            let back = (Felt(*position), Stack(*person));
            moves.add(back, *before, Reason::WagerBack, Some(clause));
            let down = (Stack(*person), Felt(*position));
            moves.add(down, *amount, Reason::Wager, Some(clause));
        }
        Event::Returned { position, person, amount, clause, .. } => {
            let back = (Felt(*position), Stack(*person));
            moves.add(back, *amount, Reason::WagerBack, clause.as_ref());
        }
        Event::FeeTaken { person, amount, clause } => {
            moves.add((Stack(*person), Collection), *amount, Reason::Fee, Some(clause));
        }
        Event::Settled { lines } => lines.iter().for_each(|line| settled(line, &mut moves)),
        Event::BankReturned { person, amount } => {
            moves.add((BankAccount, Stack(*person)), *amount, Reason::BankBack, None);
        }
        Event::Voided { wagers, bank, fees, clause, .. } => {
            for (position, Share { person, amount }) in wagers {
                let back = (Felt(*position), Stack(*person));
                moves.add(back, *amount, Reason::WagerBack, Some(clause));
            }
            if let Some(Share { person, amount }) = bank {
                let back = (BankAccount, Stack(*person));
                moves.add(back, *amount, Reason::BankBack, Some(clause));
            }
            for Share { person, amount } in fees {
                let back = (Collection, Stack(*person));
                moves.add(back, *amount, Reason::FeeBack, Some(clause));
            }
        }
        Event::Corrected { differences, clause, .. } => {
            for (person, difference) in differences {
                let amount = Cents::new(difference.unsigned_abs());
                let ends = match difference.is_negative() {
                    true => (Stack(*person), House),
                    false => (House, Stack(*person)),
                };
                moves.add(ends, amount, Reason::Correction, Some(clause));
            }
        }
        Event::DebtCollected { person, amount, clause } => {
            let back = (Stack(*person), House);
            moves.add(back, *amount, Reason::Correction, Some(clause));
        }
        Event::Sat { .. }
        | Event::Left { .. }
        | Event::BankOffered { .. }
        | Event::BankDeclined { .. }
        | Event::NoBanker { .. }
        | Event::BetsOpened { .. }
        | Event::BetsClosed
        | Event::Dealt { .. }
        | Event::Viewed { .. }
        | Event::Set { .. }
        | Event::LeftToDealer { .. }
        | Event::Dead { .. }
        | Event::HouseWayTold { .. }
        | Event::BankersTurn { .. }
        | Event::BankerSet { .. }
        | Event::HouseSet { .. }
        | Event::Conceded { .. }
        | Event::RoundEnded { .. }
        | Event::HandOut { .. }
        | Event::Swapped { .. }
        | Event::Reset { .. }
        | Event::Noted { .. }
        | Event::NotInAction { .. }
        | Event::Barred { .. }
        | Event::Restricted { .. }
        | Event::ClockRestarted { .. }
        | Event::PowerFailed { .. }
        | Event::Ruled { .. } => {}
    }
    moves.0
}

/// The money of one line of a statement: what is taken, what is paid, what goes back, and the
/// commission on it.
fn settled(line: &Line, moves: &mut Moves) {
    let clause = line.clauses.first();
    let payer = match line.payer {
        Payer::House => Account::House,
        Payer::Banker => Account::Bank,
    };
    // The house's own wager never leaves its purse until it is lost.
    let (staked, own) = match line.owner {
        Owner::Person(person) => (Account::Felt(line.position), Account::Stack(person)),
        Owner::House => (Account::House, Account::House),
    };
    let won = if matches!(line.bet, Bet::Envy { .. }) { Reason::Envy } else { Reason::Win };
    moves.add((staked, payer), line.taken, Reason::Loss, clause);
    moves.add((payer, own), line.paid, won, clause);
    if staked != own {
        moves.add((staked, own), line.back, Reason::WagerBack, clause);
    }
    // A banker's commission comes out of the bank.
    let own = if line.bet == Bet::BankerCommission { Account::Bank } else { own };
    moves.add((own, Account::Commission), line.commission, Reason::Commission, line.clauses.last());
}
