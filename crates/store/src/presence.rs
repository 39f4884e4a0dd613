//! Houses on one PostgreSQL: whether there is another.
//!
//! Each holds a lock beside the others on a connection of its own. A process that ends, in whatever way, lets
//! go of it; a machine that ends does some twenty seconds later.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::task::JoinHandle;

/// Whoever comes in holds the first of these locks, so that they come one after the other; whoever is in
/// holds the second, beside all others.
const COMING: i64 = 0x686f_7573_6577_617a;
const INSIDE: i64 = 0x686f_7573_6577_617b;

/// A process that was killed a moment ago may be inside for a moment more.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// A house that is inside, until this is dropped.
#[derive(Debug)]
pub(crate) struct Presence(JoinHandle<()>);

impl Presence {
    /// Comes in, and says whether nobody else was there.
    pub(crate) async fn begin(
        options: PgConnectOptions,
        patience: Duration,
    ) -> Result<(Presence, bool), sqlx::Error> {
        let mut own = connection(&options, patience).await?;
        lock(&mut own, "select pg_advisory_lock($1)", COMING).await?;
        let alone = is_alone(&mut own).await?;
        lock(&mut own, "select pg_advisory_lock_shared($1)", INSIDE).await?;
        if alone {
            lock(&mut own, "select pg_advisory_unlock($1)", INSIDE).await?;
        }
        lock(&mut own, "select pg_advisory_unlock($1)", COMING).await?;
        Ok((Presence(tokio::spawn(stay(own, options, patience))), alone))
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Whether nobody is inside: then the lock is held against all others, too.
async fn is_alone(own: &mut PgListener) -> Result<bool, sqlx::Error> {
    for _ in 0..TRIES {
        let (alone,): (bool,) = sqlx::query_as("select pg_try_advisory_lock($1)")
            .bind(INSIDE)
            .fetch_one(&mut *own)
            .await?;
        if alone {
            return Ok(true);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(false)
}

/// Stays inside. A connection that is lost is noticed at once, and made again.
async fn stay(mut own: PgListener, options: PgConnectOptions, patience: Duration) {
    loop {
        if let Ok(Some(_)) = own.try_recv().await {
            continue;
        }
        own = loop {
            tokio::time::sleep(PAUSE).await;
            if let Ok(mut again) = connection(&options, patience).await
                && lock(&mut again, "select pg_advisory_lock_shared($1)", INSIDE).await.is_ok()
            {
                break again;
            }
        };
    }
}

async fn lock(own: &mut PgListener, how: &'static str, which: i64) -> Result<(), sqlx::Error> {
    sqlx::query(how).bind(which).execute(own).await.map(drop)
}

async fn connection(
    options: &PgConnectOptions,
    patience: Duration,
) -> Result<PgListener, sqlx::Error> {
    // A machine that has gone without a word is found out by the server.
    let found_out = [
        ("tcp_keepalives_idle", "10"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_keepalives_count", "2"),
    ];
    let own = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(patience)
        .connect_with(options.clone().options(found_out))
        .await?;
    PgListener::connect_with(&own).await
}
