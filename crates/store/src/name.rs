//! Names that are paths of plain text: streams, tables' and people's accounts.

use std::fmt;
use std::str::FromStr;

use houseway_ledger::Account;
use houseway_table::Person;

/// The longest name that is kept.
const LONGEST: usize = 200;

/// The text is not a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a name: write 1 to {LONGEST} visible ASCII characters, such as `table/7`")]
pub struct NameError(String);

/// Visible ASCII only: sorted alike everywhere, and a prefix is a range.
fn named(text: &str) -> Result<String, NameError> {
    let fits = (1..=LONGEST).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_graphic());
    match fits {
        true => Ok(text.to_owned()),
        false => Err(NameError(text.chars().take(LONGEST).flat_map(char::escape_debug).collect())),
    }
}

/// The first text after all names that begin like this one.
pub(crate) fn after_prefix(prefix: &str) -> String {
    format!("{prefix}\u{7f}")
}

/// One table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u64);

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The name of an append-only log: `table/7`, `house`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(String);

impl StreamId {
    /// The log of a table.
    pub fn table(table: TableId) -> StreamId {
        StreamId(format!("table/{table}"))
    }

    /// The log of the house: cashier, staff, everything that belongs to no table.
    pub fn house() -> StreamId {
        StreamId("house".to_owned())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of an account that lasts. Which accounts there are is written here and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountName(String);

impl AccountName {
    /// An account of the ledger at a table: `table/7/stack/12`. Outside of the table a person has
    /// one wallet for all tables.
    pub fn of(table: TableId, account: Account) -> AccountName {
        AccountName(match account {
            Account::Outside(person) => return AccountName::wallet(person),
            Account::Stack(person) => format!("table/{table}/stack/{}", person.0),
            Account::Felt(position) => format!("table/{table}/felt/{}", position.0),
            Account::Bank => format!("table/{table}/bank"),
            Account::House => format!("table/{table}/house"),
            Account::Commission => format!("table/{table}/commission"),
            Account::Collection => format!("table/{table}/collection"),
        })
    }

    /// The table that it is at, and what it is there: 7 and `stack/12` for `table/7/stack/12`.
    pub fn at_table(&self) -> Option<(TableId, &str)> {
        let (table, what) = self.0.strip_prefix("table/")?.split_once('/')?;
        Some((TableId(table.parse().ok()?), what))
    }

    /// What a person has away from all tables: `wallet/12`.
    pub fn wallet(person: Person) -> AccountName {
        AccountName(format!("wallet/{}", person.0))
    }

    /// An account of the house that belongs to no table: `house/cage`.
    pub fn house(purpose: &str) -> Result<AccountName, NameError> {
        named(&format!("house/{purpose}")).map(AccountName)
    }

    /// Where money comes from that has not existed before: `issue/play`.
    pub fn issue(purpose: &str) -> Result<AccountName, NameError> {
        named(&format!("issue/{purpose}")).map(AccountName)
    }

    /// Whether it may be below nothing: the house's purses and issues. Unlike the world outside of
    /// a table, a wallet has a floor.
    pub fn may_be_overdrawn(&self) -> bool {
        let mut parts = self.0.split('/');
        matches!(
            (parts.next(), parts.nth(1), parts.next()),
            (Some("house" | "issue"), _, _) | (Some("table"), Some("house"), None)
        )
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for StreamId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<StreamId, NameError> {
        named(text).map(StreamId)
    }
}

impl FromStr for AccountName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<AccountName, NameError> {
        named(text).map(AccountName)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_table::Position;

    #[test]
    fn every_account_has_one_name() {
        let (table, person) = (TableId(7), Person(12));
        let named = [
            (Account::Outside(person), "wallet/12"),
            (Account::Stack(person), "table/7/stack/12"),
            (Account::Felt(Position(3)), "table/7/felt/3"),
            (Account::Bank, "table/7/bank"),
            (Account::House, "table/7/house"),
            (Account::Commission, "table/7/commission"),
            (Account::Collection, "table/7/collection"),
        ];
        for (account, name) in named {
            let made = AccountName::of(table, account);
            assert_eq!(made.as_str(), name);
            assert_eq!(name.parse().as_ref(), Ok(&made));
            // The ledger's world outside has no floor; the wallet that stands for it here has.
            let floorless = account.may_be_overdrawn() && account != Account::Outside(person);
            assert_eq!(made.may_be_overdrawn(), floorless, "{name}");
        }
        assert!(AccountName::house("cage").expect("a name").may_be_overdrawn());
        assert!(AccountName::issue("play").expect("a name").may_be_overdrawn());
        for floored in ["table/7/house/1", "wallet/house", "houses/x", "table/house"] {
            assert!(!floored.parse::<AccountName>().expect("a name").may_be_overdrawn());
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for wrong in ["", "a b", "stol/ø", "nul\0", &"x".repeat(201)] {
            assert!(wrong.parse::<StreamId>().is_err(), "{wrong:?}");
            assert!(wrong.parse::<AccountName>().is_err(), "{wrong:?}");
        }
        let error = "a b".parse::<StreamId>().expect_err("a space");
        assert!(error.to_string().starts_with("`a b` is not a name: write 1 to 200"), "{error}");
    }
}
