//! PostgreSQL: several nodes on one database, READ COMMITTED, no leader.
//!
//! Nothing rests on isolation alone. Unique keys decide races, rows of balances are locked in the
//! order of their names, constraints hold floors. A node that stops in the middle of a transaction
//! loses it after ten seconds, so that nobody waits for it for ever.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use houseway_table::Person;
use sqlx::postgres::{
    PgConnectOptions, PgConnection, PgListener, PgNotification, PgPool, PgPoolOptions,
};
use sqlx::{QueryBuilder, Transaction};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::append::{Append, Appended, MOST_AT_ONCE, Remembered, new_balance};
use crate::changes::{Changes, Notice, Teller};
use crate::entry::{Entry, Head, Version};
use crate::error::{AppendError, Failure, OpenError, UserError};
use crate::name::{AccountName, StreamId, after_prefix};
use crate::people::{NewUser, OwnLimit, Session, TokenHash, User, UserChange, name_key};
use crate::sql::{Migration, Trouble, store_in_sql, user_error};
use crate::{Difference, Ending, Moved, Place, Store, rows};

const MIGRATIONS: &[Migration] = &[
    Migration { name: "log", sql: include_str!("../migrations/postgres/0001_log.sql") },
    Migration { name: "people", sql: include_str!("../migrations/postgres/0002_people.sql") },
];

/// Where notices are sent, and the number under which nodes take turns to migrate.
const CHANNEL: &str = "houseway";
const MIGRATING: i64 = 0x686f_7573_6577_6179;

/// How many notices wait to be sent; more are dropped, which the contract of notices allows.
const WAITING: usize = 4_096;

/// How often an append starts over that PostgreSQL gave up to end a deadlock.
const TRIES: u32 = 5;

/// How long to wait before listening again when the database is away.
const PAUSE: Duration = Duration::from_millis(100);

/// What can be chosen about a PostgreSQL store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostgresOptions {
    /// How many connections one node uses, besides one or two for notices.
    pub connections: u32,
    /// How long to wait for one of them.
    pub patience: Duration,
}

impl Default for PostgresOptions {
    fn default() -> PostgresOptions {
        PostgresOptions { connections: 16, patience: Duration::from_secs(5) }
    }
}

/// A store in a database that other nodes use too.
#[derive(Debug)]
pub struct Postgres {
    pool: PgPool,
    teller: Teller,
    outbox: mpsc::Sender<String>,
    tasks: [JoinHandle<()>; 2],
}

impl Postgres {
    /// Opens the store at an address: `postgres://user@host/database`.
    pub async fn open(address: &str) -> Result<Postgres, OpenError> {
        Postgres::open_with(address, PostgresOptions::default()).await
    }

    /// Opens the store at an address, with choices.
    pub async fn open_with(address: &str, chosen: PostgresOptions) -> Result<Postgres, OpenError> {
        let options = PgConnectOptions::from_str(address)?.application_name("houseway").options([
            // An acknowledgement is a promise, whatever the server's own setting is.
            ("synchronous_commit", "on"),
            ("default_transaction_isolation", "read committed"),
            ("idle_in_transaction_session_timeout", "10s"),
            ("lock_timeout", "15s"),
        ]);
        let pool = PgPoolOptions::new()
            .max_connections(chosen.connections)
            .acquire_timeout(chosen.patience)
            .connect_with(options.clone())
            .await?;
        let mut setup = pool.begin().await?;
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
            tokio::spawn(listen(listener, options, chosen.patience, teller.clone())),
            tokio::spawn(send_notices(pool.clone(), waiting)),
        ];
        Ok(Postgres { pool, teller, outbox, tasks })
    }

    fn reading(&self) -> &PgPool {
        &self.pool
    }

    fn writing(&self) -> &PgPool {
        &self.pool
    }

    /// Every append that has begun to move money ends first, every later one waits.
    async fn begin_alone(&self) -> Result<Transaction<'static, sqlx::Postgres>, sqlx::Error> {
        let mut alone = self.pool.begin().await?;
        sqlx::query("lock table balance in exclusive mode").execute(&mut *alone).await?;
        Ok(alone)
    }

    /// Two appends can make the same accounts at the same time in such a way that each waits for
    /// the other. PostgreSQL then gives one up, and it starts over.
    async fn append_durably(&self, append: Append) -> Result<Appended, AppendError> {
        for _ in 0..TRIES {
            match self.append_once(&append).await {
                Ok(appended) => return Ok(appended),
                Err(Trouble::Error(error)) => return Err(error),
                Err(Trouble::LostRace) => {
                    let actual = self.head(&append.stream).await?.version;
                    return Err(AppendError::Conflict { actual });
                }
                Err(Trouble::Deadlock) => {}
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

    async fn end(&self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.pool.close().await;
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

store_in_sql!(Postgres, sqlx::Postgres, PgConnection, " for update");

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
    let (version, stream) = (Version(version.parse().ok()?), stream.parse().ok()?);
    Some(Notice::Appended { stream, version })
}
