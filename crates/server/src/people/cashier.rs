//! Play money, from a purse that is never empty.

use std::collections::BTreeSet;

use houseway_rules::Cents;
use houseway_store::{
    AccountName, AppendError, Failure, Move, Moved, Place, Store, StreamId, TableId,
};
use houseway_table::Person;

use super::record::{Alteration, By, HouseRecord};
use super::{HOUR, People, TRIES};

/// What a wallet holds after a grant.
pub const GRANT_TO: Cents = Cents::dollars(10_000);
/// A wallet that holds this or more gets nothing.
pub const GRANT_UNDER: Cents = Cents::dollars(100);
/// How long there is between two grants, in milliseconds.
pub const GRANT_EVERY: u64 = HOUR;

/// How many moves are read at once.
const PAGE: u32 = 100;

/// No play money was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// There is enough.
    #[error("the cashier helps those who have less than $100: there is {0} in the wallet")]
    Enough(Cents),
    /// There is some elsewhere.
    #[error("the cashier helps those who have nothing on tables: there is {0}")]
    OnTables(Cents),
    /// There was some a while ago.
    #[error("the cashier helps once an hour: come back in {} minutes", .minutes)]
    TooSoon {
        /// How long to wait, in whole minutes, the last one begun counted.
        minutes: u64,
    },
    /// There is nobody with that number, or they are shut out.
    #[error("there is no such person")]
    Unknown,
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl People {
    /// Tops a wallet up with play money, and says what was given.
    ///
    /// Stacks are found in the store. What lies on the felt or in a bank is nobody's account there:
    /// the tables know whose it is, so the caller says what this person has there.
    pub async fn grant(&self, person: Person, on_felt: Cents) -> Result<Cents, GrantError> {
        let house = StreamId::house();
        let wallet = AccountName::wallet(person);
        // All grants are in one log. Many who come at once would only overtake one another.
        let _turn = self.acts.lock().await;
        for _ in 0..TRIES {
            // Where the log stands is read first: a second grant at the same time finds it moved.
            let expected = self.store.head(&house).await?.version;
            let before = self.may_grant(person, on_felt).await?;
            let amount = GRANT_TO.minus(before).expect("it is under the limit");
            let why = "play money from the cashier".to_owned();
            let by = By::Person(person);
            let record = Alteration { person, by, why, before, after: GRANT_TO };
            let moved = Move {
                from: issue(),
                to: wallet.clone(),
                amount,
                reason: "play-money".to_owned(),
                clause: None,
            };
            let entry = HouseRecord::PlayMoney(record).entry(vec![moved]);
            match self.append(&house, expected, self.clock.now(), entry).await {
                Ok(()) => return Ok(amount),
                Err(AppendError::Conflict { .. }) => {}
                Err(AppendError::Failed(failure)) => return Err(failure.into()),
                Err(other) => return Err(Failure::Corrupt(other.to_string()).into()),
            }
        }
        Err(Failure::Busy.into())
    }

    /// What the wallet holds, if it may be topped up.
    async fn may_grant(&self, person: Person, on_felt: Cents) -> Result<Cents, GrantError> {
        let user = self.store.user(person).await?.filter(|it| it.disabled.is_none());
        user.ok_or(GrantError::Unknown)?;
        let wallet = AccountName::wallet(person);
        let holds = floored(&wallet, self.store.balance(&wallet).await?)?;
        if holds >= GRANT_UNDER {
            return Err(GrantError::Enough(holds));
        }
        // Whoever never had anything has nothing on tables.
        if on_felt == Cents::ZERO && self.store.wallet_moves(person, None, 1).await?.is_empty() {
            return Ok(holds);
        }
        let now = self.clock.now();
        let since = (now + 1).saturating_sub(GRANT_EVERY);
        let moves = moves_since(&*self.store, person, since).await?;
        if let Some(last) = moves.iter().find(|it| it.moved.from == issue()) {
            let wait = last.place.at + GRANT_EVERY - now;
            return Err(GrantError::TooSoon { minutes: wait.div_ceil(super::MINUTE) });
        }
        let stack = format!("/stack/{}", person.0);
        let mut on_tables = on_felt;
        for (account, balance) in self.store.balances("table/").await? {
            if account.as_str().ends_with(&stack) {
                let more = on_tables.plus(floored(&account, balance)?);
                on_tables = more.ok_or_else(|| Failure::Corrupt("stacks beyond count".into()))?;
            }
        }
        match on_tables {
            Cents::ZERO => Ok(holds),
            more => Err(GrantError::OnTables(more)),
        }
    }
}

fn issue() -> AccountName {
    AccountName::issue("play").expect("it is a name")
}

/// What is in an account that is never below nothing.
fn floored(account: &AccountName, balance: i64) -> Result<Cents, Failure> {
    let cents = u64::try_from(balance).map(Cents::new);
    cents.map_err(|_| Failure::Corrupt(format!("{account} is below nothing")))
}

impl People {
    /// The tables to which someone has ever brought money.
    pub(crate) async fn tables(&self, person: Person) -> Result<BTreeSet<TableId>, Failure> {
        let moves = moves_since(&*self.store, person, 0).await?;
        let tables = moves.iter().filter_map(|it| Some(it.moved.to.at_table()?.0));
        Ok(tables.collect())
    }
}

/// The moves of a person's wallet since a time, newest first.
pub(super) async fn moves_since(
    store: &dyn Store,
    person: Person,
    since: u64,
) -> Result<Vec<Moved>, Failure> {
    let mut moves: Vec<Moved> = Vec::new();
    loop {
        let before: Option<Place> = moves.last().map(|it| it.place.clone());
        let page = store.wallet_moves(person, before.as_ref(), PAGE).await?;
        let known = moves.len();
        moves.extend(page.into_iter().take_while(|it| it.place.at >= since));
        if moves.len() - known < PAGE as usize {
            return Ok(moves);
        }
    }
}
