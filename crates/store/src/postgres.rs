//! PostgreSQL: several nodes on one database, READ COMMITTED, no leader.
//!
//! Nothing rests on isolation alone. Unique keys decide races, rows of balances are locked in the
//! order of their names, constraints hold floors. A node that stops in the middle of an append
//! loses it after two seconds, so that nobody waits for it for long.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use houseway_table::Person;
use sqlx::error::DatabaseError;
use sqlx::postgres::{
    PgConnectOptions, PgConnection, PgListener, PgNotification, PgPool, PgPoolOptions,
};
use sqlx::{QueryBuilder, Transaction};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::append::{Append, Appended, MOST_AT_ONCE, Remembered, check_replacement, new_balance};
use crate::changes::{Changes, Notice, Teller};
use crate::entry::{Entry, Head, Version};
use crate::error::{AppendError, Failure, OpenError, UserError};
use crate::inserts::{self, Insert, Value};
use crate::name::{AccountName, StreamId, TableId, after_prefix};
use crate::people::{NewUser, OwnLimit, Session, TokenHash, User, UserChange, name_key};
use crate::presence::Presence;
use crate::round::{DAY, RoundFilter, RoundPlace, RoundRow, RoundSum, SumBy, SumPart, sum_parts};
use crate::sql::{
    Migration, ROWS, last_entries, no_entry, no_marked_entry, store_in_sql, user_error,
};
use crate::turns::{Turn, Turns};
use crate::{Difference, Ending, Moment, Moved, Place, Store, Strays, rows};

const MIGRATIONS: &[Migration] = &[
    Migration { name: "log", sql: include_str!("../migrations/postgres/0001_log.sql") },
    Migration { name: "people", sql: include_str!("../migrations/postgres/0002_people.sql") },
    Migration { name: "rounds", sql: include_str!("../migrations/postgres/0003_rounds.sql") },
    Migration { name: "sums", sql: include_str!("../migrations/postgres/0004_sums.sql") },
    Migration { name: "commands", sql: include_str!("../migrations/postgres/0005_commands.sql") },
    Migration { name: "marks", sql: include_str!("../migrations/postgres/0006_marks.sql") },
    Migration { name: "wallets", sql: include_str!("../migrations/postgres/0007_wallets.sql") },
    Migration { name: "limits", sql: include_str!("../migrations/postgres/0008_limits.sql") },
    Migration { name: "kept", sql: include_str!("../migrations/postgres/0009_kept.sql") },
];

/// Where notices are sent, and the number under which nodes take turns to migrate.
const CHANNEL: &str = "houseway";
const MIGRATING: i64 = 0x686f_7573_6577_6179;

/// The number before a person's, under which nodes take turns to act for them; and how many connections a
/// node has for that.
const TURN: i32 = 0x686f_7573;
const TURNS: u32 = 4;

/// How long a transaction may stand still, and wait for another. A node that stops in the middle of an append
/// holds the stream and the accounts, and its other appends wait for the same ones: those must give up, or each
/// would hold them after the one before. All are out of the way after the sum of both.
const QUICK: [(&str, &str); 2] =
    [("idle_in_transaction_session_timeout", "2s"), ("lock_timeout", "2500ms")];

/// The same for whoever counts, makes the tables, holds a turn or is inside.
const PATIENT: [(&str, &str); 2] =
    [("idle_in_transaction_session_timeout", "10s"), ("lock_timeout", "15s")];

/// The word before a person's number in a notice, where a stream has its version.
const PERSON: &str = "person";

/// How many notices wait to be sent; more are dropped, which the contract of notices allows.
const WAITING: usize = 4_096;

/// How often an append starts over that PostgreSQL gave up, and for how long. Where transactions are kept apart
/// and many want the same account, one comes through at a time; where a node stands still with what an append
/// needs, it is there again before that time is over.
const TRIES: u32 = 50;
const INSISTENCE: Duration = Duration::from_secs(10);

/// PostgreSQL's words for why it gave one up.
const DEADLOCK: &str = "40P01";
const NOT_SERIALIZABLE: &str = "40001";
const LOCK_TIMEOUT: &str = "55P03";

/// How long to wait before listening again when the database is away.
const PAUSE: Duration = Duration::from_millis(100);

/// What can be chosen about a PostgreSQL store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostgresOptions {
    /// How many connections one node uses, besides one or two for notices, one by which others know that
    /// it is there, and up to four for people who have set themselves limits.
    pub connections: u32,
    /// How long to wait for one of them. Where the database is away, whoever waits tries again after a fifth
    /// of that at the latest, so this is also how soon it is found when it is back.
    pub patience: Duration,
}

impl Default for PostgresOptions {
    fn default() -> PostgresOptions {
        PostgresOptions { connections: 16, patience: Duration::from_secs(2) }
    }
}

/// A store in a database that other nodes use too.
#[derive(Debug)]
pub struct Postgres {
    pool: PgPool,
    teller: Teller,
    outbox: mpsc::Sender<String>,
    tasks: [JoinHandle<()>; 2],
    options: PgConnectOptions,
    patience: Duration,
    /// The turns of this node, and connections on which it has them before other nodes. Those who have
    /// theirs need connections of the other pool, and must not wait for each other there.
    turns: (Turns, PgPool),
    /// Held while a house is open on this store.
    presence: Mutex<Option<Presence>>,
}

impl Postgres {
    /// Opens the store at an address: `postgres://user@host/database`.
    pub async fn open(address: &str) -> Result<Postgres, OpenError> {
        Postgres::open_with(address, PostgresOptions::default()).await
    }

    /// Opens the store at an address, with choices. Nothing rests on more isolation than `read
    /// committed`; an address may ask for another one (`options=-c default_transaction_isolation=…`).
    pub async fn open_with(address: &str, chosen: PostgresOptions) -> Result<Postgres, OpenError> {
        const ISOLATION: &str = "default_transaction_isolation";
        // What follows may be a password.
        let scheme = address.split_once("://").map_or("", |(scheme, _)| scheme);
        if !["postgres", "postgresql"].contains(&scheme) {
            let why = "the address begins with postgres://, as in postgres://user@host/database";
            return Err(Failure::Unavailable(why.into()).into());
        }
        let asked = PgConnectOptions::from_str(address)?;
        let is_isolated = asked.get_options().is_some_and(|it| it.contains(ISOLATION));
        let isolation = (!is_isolated).then_some((ISOLATION, "read committed"));
        // An acknowledgement is a promise, whatever the server's own setting is.
        let always = [("synchronous_commit", "on")].into_iter().chain(PATIENT);
        let options = asked.application_name("houseway").options(always.chain(isolation));
        let pool = PgPoolOptions::new()
            .max_connections(chosen.connections)
            .acquire_timeout(chosen.patience)
            .connect_with(options.clone().options(QUICK))
            .await?;
        // Nodes take turns, and each must see what the one before has done.
        let mut setup = pool.begin_with("begin isolation level read committed").await?;
        take_time(&mut setup).await?;
        sqlx::query("select pg_advisory_xact_lock($1)")
            .bind(MIGRATING)
            .execute(&mut *setup)
            .await?;
        migrate(&mut setup, MIGRATIONS).await?;
        setup.commit().await?;

        let teller = Teller::new();
        let (outbox, waiting) = mpsc::channel(WAITING);
        let listener = listener(&options, chosen.patience).await?;
        let tasks = [
            tokio::spawn(listen(listener, options.clone(), chosen.patience, teller.clone())),
            tokio::spawn(send_notices(pool.clone(), waiting)),
        ];
        let turns = PgPoolOptions::new()
            .max_connections(TURNS)
            .acquire_timeout(chosen.patience)
            .connect_lazy_with(options.clone());
        let (turns, presence) = ((Turns::default(), turns), Mutex::default());
        let patience = chosen.patience;
        Ok(Postgres { pool, teller, outbox, tasks, options, patience, turns, presence })
    }

    fn reading(&self) -> &PgPool {
        &self.pool
    }

    fn writing(&self) -> &PgPool {
        &self.pool
    }

    /// Every append that has begun to move money or to end rounds is done first, every later one
    /// waits.
    async fn begin_looking(&self) -> Result<Transaction<'static, sqlx::Postgres>, sqlx::Error> {
        let begin = "begin isolation level repeatable read read only";
        let mut looking = self.pool.begin_with(begin).await?;
        take_time(&mut looking).await?;
        Ok(looking)
    }

    async fn begin_alone(&self) -> Result<Transaction<'static, sqlx::Postgres>, sqlx::Error> {
        // Locks keep others out; more isolation would only be a reason to give it up.
        let mut alone = self.pool.begin_with("begin isolation level read committed").await?;
        take_time(&mut alone).await?;
        // In the order in which an append takes them.
        sqlx::query("lock table balance, round_sum, bet_sum in exclusive mode")
            .execute(&mut *alone)
            .await?;
        Ok(alone)
    }

    /// Two appends can make the same accounts at the same time in such a way that each waits for
    /// the other, or that isolated ones could not have come one after the other, or one waits too long for
    /// another. PostgreSQL then gives one up, and it starts over.
    async fn append_durably(&self, append: Append) -> Result<Appended, AppendError> {
        let late = Instant::now() + INSISTENCE;
        for _ in 0..TRIES {
            match self.append_once(&append).await {
                Ok(appended) => return Ok(appended),
                Err(Trouble::Error(error)) => return Err(error),
                Err(Trouble::LostRace) => {
                    let actual = self.head(&append.stream).await?.version;
                    return Err(AppendError::Conflict { actual });
                }
                Err(Trouble::GivenUp) if Instant::now() < late => {}
                Err(Trouble::GivenUp) => break,
            }
        }
        Err(Failure::Busy.into())
    }

    async fn append_once(&self, append: &Append) -> Result<Appended, Trouble> {
        let mut own = self.pool.begin().await?;
        let appended = match append_in(&mut own, append).await {
            Ok(appended) => appended,
            Err(trouble) => {
                // A connection on which this fails is not used again, and the server undoes it.
                let _ = own.rollback().await;
                return Err(trouble);
            }
        };
        own.commit().await?;
        if let Appended::Now(head) = &appended
            && !append.entries.is_empty()
        {
            // A full outbox means that notices are missed, which they may be.
            let _ = self.outbox.try_send(format!("{} {}", head.version, append.stream));
        }
        Ok(appended)
    }

    fn tell_of(&self, person: Person) {
        // As with appends, a notice that finds no room is missed.
        let _ = self.outbox.try_send(format!("{PERSON} {}", person.0));
    }

    async fn end(&self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        *self.presence.lock().await = None;
        self.turns.1.close().await;
        self.pool.close().await;
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

store_in_sql!(Postgres, sqlx::Postgres, PgConnection, {
    /// A transaction in which nothing happens holds the turn: whoever lets go of it takes it back, and the
    /// server does so where a node stops in the middle.
    async fn turn(&self, person: Person) -> Result<Turn, Failure> {
        let (here, connections) = &self.turns;
        let here = here.of(person).await;
        let mut own = connections.begin().await?;
        sqlx::query("select pg_advisory_xact_lock($1, $2)")
            .bind(TURN)
            .bind(person.0.cast_signed())
            .execute(&mut *own)
            .await?;
        Ok(Box::new((own, here)))
    }
    async fn enter(&self) -> Result<bool, Failure> {
        let mut presence = self.presence.lock().await;
        let (begun, alone) = Presence::begin(self.options.clone(), self.patience).await?;
        *presence = Some(begun);
        Ok(alone)
    }
    async fn time(&self) -> Result<Option<u64>, Failure> {
        let now = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";
        let (now,): (i64,) = sqlx::query_as(now).fetch_one(&self.pool).await?;
        Ok(Some(now.try_into().unwrap_or_default()))
    }
});

/// Lets a transaction think between two questions, and wait for others.
async fn take_time(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    for (name, time) in PATIENT {
        sqlx::query("select set_config($1, $2, true)")
            .bind(name)
            .bind(time)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

/// Why an append stopped inside its transaction.
#[derive(Debug)]
enum Trouble {
    /// It is refused, or the database failed.
    Error(AppendError),
    /// Another one was faster between looking and writing. The transaction is spent.
    LostRace,
    /// The database gave it up, because it and another one were in each other's way.
    GivenUp,
}

impl From<AppendError> for Trouble {
    fn from(error: AppendError) -> Trouble {
        Trouble::Error(error)
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Error(failure.into())
    }
}

impl From<sqlx::Error> for Trouble {
    fn from(error: sqlx::Error) -> Trouble {
        let code = error.as_database_error().and_then(DatabaseError::code);
        match code.as_deref() {
            Some(DEADLOCK | NOT_SERIALIZABLE | LOCK_TIMEOUT) => Trouble::GivenUp,
            _ => Trouble::Error(error.into()),
        }
    }
}

/// The whole append, but for its commit. Everyone takes what they need in the same order:
/// the command, the stream, the accounts by name.
async fn append_in(db: &mut PgConnection, append: &Append) -> Result<Appended, Trouble> {
    let version = Version(append.expected.0 + append.entries.len() as u64);
    if let Some(command) = &append.command {
        // Whoever brings the same command at the same time waits here for the first.
        let new = sqlx::query(
            "insert into command (person, id, digest, stream, version, answer) \
             values ($1, $2, $3, $4, $5, $6) on conflict (id, person) do nothing",
        )
        .bind(i64::from(command.by.0))
        .bind(&command.id.as_bytes()[..])
        .bind(&command.digest[..])
        .bind(append.stream.as_str())
        .bind(rows::int(version.0))
        .bind(&command.answer)
        .execute(&mut *db)
        .await?;
        if new.rows_affected() == 0 {
            let before = recall_in(&mut *db, command.by, command.id).await?;
            let before =
                before.ok_or_else(|| Failure::Corrupt("a command that is not there".into()))?;
            return Ok(command.again(before)?);
        }
    }
    let mut head = head_in(&mut *db, &append.stream).await?;
    if head.version != append.expected {
        return Err(AppendError::Conflict { actual: head.version }.into());
    }
    let mut entries = Vec::with_capacity(append.entries.len());
    for new in &append.entries {
        let entry = Entry::after(head, &append.stream, append.at, new.clone());
        head = entry.head();
        entries.push(entry);
    }
    if !entries.is_empty() {
        match insert(&mut *db, &inserts::entries(&entries)).await {
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
                return Err(Trouble::LostRace);
            }
            done => done?,
        }
        move_money(&mut *db, append, &entries).await?;
        let rounds: Vec<&RoundRow> = append.rounds.iter().collect();
        insert_rounds(&mut *db, &rounds).await?;
        let mark = append.mark.as_deref().map(|mark| (&append.stream, head.version, mark));
        insert(&mut *db, &inserts::marks(mark.as_slice())).await?;
    }
    Ok(Appended::Now(head))
}

/// Enters the moves and brings balances along. Accounts that are there are held from
/// reading to writing; accounts that are new are added to, in case another append makes
/// them at the same time.
async fn move_money(
    db: &mut PgConnection,
    append: &Append,
    entries: &[Entry],
) -> Result<(), Trouble> {
    let differences = append.differences();
    if differences.is_empty() {
        return Ok(());
    }
    insert(&mut *db, &inserts::moves(&inserts::moves_of(entries))).await?;
    let mut select = QueryBuilder::<sqlx::Postgres>::new(
        "select account, amount from balance where account in (",
    );
    let mut accounts = select.separated(", ");
    for account in differences.keys() {
        accounts.push_bind(account.as_str());
    }
    accounts.push_unseparated(") order by account for update");
    let there: Vec<(String, i64)> = select.build_query_as().fetch_all(&mut *db).await?;
    let there: BTreeMap<&str, i64> =
        there.iter().map(|(account, amount)| (account.as_str(), *amount)).collect();

    let (mut known, mut new) = (Vec::new(), Vec::new());
    for (account, difference) in &differences {
        let balance = there.get(account.as_str());
        let amount = new_balance(account, balance.copied().unwrap_or_default(), *difference)?;
        if balance.is_some() { &mut known } else { &mut new }.push((account, amount));
    }
    for (balances, conflict) in [
        (known, " on conflict (account) do update set amount = excluded.amount"),
        (new, " on conflict (account) do update set amount = balance.amount + excluded.amount"),
    ] {
        insert(&mut *db, &inserts::balances(&balances, conflict)).await?;
    }
    Ok(())
}

/// Sends notices after the commit, many at once. Inside the transaction they would make PostgreSQL
/// commit one append after the other, each with an fsync of its own.
async fn send_notices(pool: PgPool, mut waiting: mpsc::Receiver<String>) {
    let mut notices = Vec::with_capacity(WAITING);
    while waiting.recv_many(&mut notices, WAITING).await > 0 {
        // What cannot be sent is missed: the listeners of all nodes have lost the database too.
        let _ = sqlx::query("select pg_notify($1, notice) from unnest($2::text[]) as notice")
            .bind(CHANNEL)
            .bind(&notices)
            .execute(&pool)
            .await;
        notices.clear();
    }
}

async fn listener(
    options: &PgConnectOptions,
    patience: Duration,
) -> Result<PgListener, sqlx::Error> {
    // A pool of its own: the listener would keep a connection of the other one for ever.
    let own = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(patience)
        .connect_with(options.clone())
        .await?;
    let mut listener = PgListener::connect_with(&own).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

/// Passes notices on. Whenever the connection was lost and is there again, some were missed.
async fn listen(
    mut open: PgListener,
    options: PgConnectOptions,
    patience: Duration,
    teller: Teller,
) {
    loop {
        match open.try_recv().await {
            Ok(Some(notification)) => {
                teller.tell(read_notice(&notification).unwrap_or(Notice::Missed));
            }
            Ok(None) => teller.tell(Notice::Missed),
            Err(_) => {
                open = loop {
                    tokio::time::sleep(PAUSE).await;
                    if let Ok(again) = listener(&options, patience).await {
                        break again;
                    }
                };
                teller.tell(Notice::Missed);
            }
        }
    }
}

fn read_notice(notification: &PgNotification) -> Option<Notice> {
    let (version, stream) = notification.payload().split_once(' ')?;
    if version == PERSON {
        return stream.parse().ok().map(|number| Notice::Person(Person(number)));
    }
    let (version, stream) = (Version(version.parse().ok()?), stream.parse().ok()?);
    Some(Notice::Appended { stream, version })
}
