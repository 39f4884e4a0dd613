//! Balances, folded from transfers.

use std::collections::BTreeMap;
use std::fmt;

use houseway_table::Event;

use crate::transfer::{Account, Transfer, transfers};

/// What is in every account, in cents. The sum over all accounts is nothing, always.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    balances: BTreeMap<Account, i128>,
}

/// An account would go below nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overdrawn {
    /// Which.
    pub account: Account,
    /// By which transfer.
    pub transfer: Transfer,
    /// What was there.
    pub balance: i128,
}

impl fmt::Display for Overdrawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Overdrawn { account, transfer, balance } = self;
        write!(f, "{account} has {balance} cents and would give {}", transfer.amount)
    }
}

impl std::error::Error for Overdrawn {}

impl Book {
    /// Empty books.
    pub fn new() -> Book {
        Book::default()
    }

    /// What is in an account, in cents.
    pub fn balance(&self, account: Account) -> i128 {
        self.balances.get(&account).copied().unwrap_or(0)
    }

    /// Every account that was ever used, with what is in it.
    pub fn balances(&self) -> impl Iterator<Item = (Account, i128)> {
        self.balances.iter().map(|(&account, &balance)| (account, balance))
    }

    /// Enters a transfer, unless an account would go below nothing that may not.
    pub fn enter(&mut self, transfer: &Transfer) -> Result<(), Overdrawn> {
        let amount = i128::from(transfer.amount.get());
        let balance = self.balance(transfer.from);
        if balance < amount && !transfer.from.may_be_overdrawn() {
            let (account, transfer) = (transfer.from, transfer.clone());
            return Err(Overdrawn { account, transfer, balance });
        }
        *self.balances.entry(transfer.from).or_default() -= amount;
        *self.balances.entry(transfer.to).or_default() += amount;
        Ok(())
    }

    /// Enters everything that an event moves.
    pub fn record(&mut self, event: &Event) -> Result<Vec<Transfer>, Overdrawn> {
        let all = transfers(event);
        for transfer in &all {
            self.enter(transfer)?;
        }
        Ok(all)
    }

    /// The sum over all accounts: nothing, or the books are wrong.
    pub fn sum(&self) -> i128 {
        self.balances.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::Reason;
    use houseway_rules::Cents;
    use houseway_table::Person;

    fn transfer(from: Account, to: Account, dollars: u32) -> Transfer {
        let amount = Cents::dollars(dollars);
        Transfer { from, to, amount, reason: Reason::Wager, clause: None }
    }

    #[test]
    fn books_balance_and_refuse_what_is_not_there() {
        let (one, outside) = (Account::Stack(Person(1)), Account::Outside(Person(1)));
        let mut book = Book::new();
        book.enter(&transfer(outside, one, 100)).expect("the world outside has no floor");
        book.enter(&transfer(one, Account::House, 60)).expect("it is there");
        let refused = book.enter(&transfer(one, Account::House, 60)).expect_err("only $40 left");
        assert_eq!(refused.to_string(), "person 1, stack has 4000 cents and would give $60");
        assert_eq!((book.balance(one), book.balance(Account::House)), (4_000, 6_000));
        assert_eq!(book.sum(), 0);
        // Money from nowhere would be seen.
        book.balances.insert(one, 4_001);
        assert_eq!(book.sum(), 1);
    }
}
