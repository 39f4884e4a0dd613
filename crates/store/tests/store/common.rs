//! Stores to test, and short ways to write appends.

use std::sync::{Arc, LazyLock};

use houseway_rules::Cents;
use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{
    AccountName, Append, AppendError, Appended, Entry, Memory, Move, NewEntry, Postgres, Remember,
    RoundBet, RoundRow, RoundShare, RoundStatus, Sqlite, Store, StreamId, TableId, Version,
};
use houseway_table::Person;
use tempfile::TempDir;
use uuid::Uuid;

/// One server for all tests that need no crash. It ends with the process that holds it.
static SERVER: LazyLock<PostgresServer> =
    LazyLock::new(|| PostgresServer::start(Disk::Fast).expect("PostgreSQL can be started"));

/// An empty store, and the folder it lies in.
pub(crate) struct Fresh {
    pub(crate) store: Arc<dyn Store>,
    _folder: Option<TempDir>,
}

pub(crate) async fn memory() -> Fresh {
    Fresh { store: Arc::new(Memory::new()), _folder: None }
}

pub(crate) async fn sqlite() -> Fresh {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::open(&folder.path().join("houseway.db")).await.expect("it opens");
    Fresh { store: Arc::new(store), _folder: Some(folder) }
}

pub(crate) async fn postgres() -> Fresh {
    let store = Postgres::open(&database().await).await.expect("it opens");
    Fresh { store: Arc::new(store), _folder: None }
}

/// Transactions that PostgreSQL keeps apart as far as it can, and gives up where it cannot.
pub(crate) async fn serializable() -> Fresh {
    const ISOLATION: &str = "&options=-c%20default_transaction_isolation%3Dserializable";
    let store = Postgres::open(&(database().await + ISOLATION)).await.expect("it opens");
    Fresh { store: Arc::new(store), _folder: None }
}

/// The address of an empty database.
pub(crate) async fn database() -> String {
    SERVER.database().await.expect("a database")
}

pub(crate) fn stream(name: &str) -> StreamId {
    name.parse().expect("a name")
}

pub(crate) fn account(name: &str) -> AccountName {
    name.parse().expect("a name")
}

pub(crate) fn entry(body: &str) -> NewEntry {
    NewEntry { kind: "word".into(), body: body.into(), moves: vec![] }
}

/// `cents` from one account to another.
pub(crate) fn moved(from: &str, to: &str, cents: u64) -> Move {
    let (from, to, amount) = (account(from), account(to), Cents::new(cents));
    Move { from, to, amount, reason: "test".into(), clause: Some("5.1".into()) }
}

pub(crate) fn paid(body: &str, moves: Vec<Move>) -> NewEntry {
    NewEntry { moves, ..entry(body) }
}

pub(crate) fn append(to: &str, expected: u64, entries: Vec<NewEntry>) -> Append {
    let (stream, expected) = (stream(to), Version(expected));
    Append { stream, expected, at: 1_000, entries, command: None, rounds: vec![], mark: None }
}

pub(crate) fn command(id: u128, content: u8, answer: &str) -> Remember {
    let (by, id, digest) = (Person(1), Uuid::from_u128(id), [content; 32]);
    Remember { by, id, digest, answer: answer.into() }
}

pub(crate) fn with_command(append: Append, command: Remember) -> Append {
    Append { command: Some(command), ..append }
}

/// A settled round that ends with one entry, of nobody yet.
pub(crate) fn round(table: u64, round: u64, last: u64) -> RoundRow {
    RoundRow {
        table: TableId(table),
        round,
        rulebook: "mbs-2020".into(),
        began: 500,
        ended: 1_000,
        first: Version(last),
        last: Version(last),
        status: RoundStatus::Settled,
        house_took: Cents::ZERO,
        house_paid: Cents::ZERO,
        shares: vec![],
    }
}

/// What a bet came to for someone: so much of the wager was taken, so much was paid.
pub(crate) fn share(
    person: u32,
    bet: RoundBet,
    [wagered, taken, paid, commission]: [u64; 4],
) -> RoundShare {
    RoundShare {
        person: Person(person),
        bet,
        bot: person > 100,
        wagered: Cents::new(wagered),
        taken: Cents::new(taken),
        paid: Cents::new(paid),
        back: Cents::new(wagered - taken),
        commission: Cents::new(commission),
    }
}

/// Appends where the stream stands, as often as others are faster.
pub(crate) async fn append_at_head(
    store: &dyn Store,
    mut append: Append,
) -> Result<Appended, AppendError> {
    loop {
        match store.append(append.clone()).await {
            Err(AppendError::Conflict { actual }) => append.expected = actual,
            result => return result,
        }
    }
}

/// Puts money into an account.
pub(crate) async fn fund(store: &dyn Store, to: &str, cents: u64) {
    let entries = vec![paid("issue", vec![moved("issue/play", to, cents)])];
    append_at_head(store, append("house", 0, entries)).await.expect("money is issued");
}

/// The bodies of a whole stream.
pub(crate) async fn bodies(store: &dyn Store, name: &str) -> Vec<String> {
    let entries = store.read(&stream(name), Version(0), u32::MAX).await.expect("it is read");
    entries.into_iter().map(|entry| entry.body).collect()
}

/// Everything that must hold of any store that nobody writes to just now: chains, books, the sum
/// over all accounts.
pub(crate) async fn assert_whole(store: &dyn Store) {
    let moment = store.moment().await.expect("it is read");
    assert_eq!(Ok(&moment.heads), store.heads("").await.as_ref());
    assert_eq!(Ok(&moment.balances), store.balances("").await.as_ref());
    let mut moves = 0;
    for (stream, head) in moment.heads {
        let mut count = |entry: &Entry| moves += entry.moves.len() as u64;
        assert_eq!(store.follow_chain(&stream, vec![head], &mut count).await, Ok(head));
    }
    assert_eq!(moment.moves, moves);
    assert_eq!(store.check_books().await, Ok(vec![]));
    let balances = store.balances("").await.expect("balances are read");
    assert_eq!(balances.iter().map(|(_, amount)| amount).sum::<i64>(), 0);
    for (account, amount) in balances {
        assert!(amount >= 0 || account.may_be_overdrawn(), "{account} has {amount}");
    }
}
