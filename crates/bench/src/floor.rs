//! What the disk and a plain database do: every durable figure is read beside these.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

/// How often a second the disk takes 4 KiB for good, asked one after the other.
pub fn fdatasyncs(path: &Path, time: Duration) -> io::Result<f64> {
    let mut file = File::create(path)?;
    let (start, mut count) = (Instant::now(), 0_u32);
    while start.elapsed() < time {
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        count += 1;
    }
    Ok(f64::from(count) / start.elapsed().as_secs_f64())
}

/// How many rows a second SQLite inserts for good, each in a transaction of its own.
pub async fn inserts(path: &Path, time: Duration) -> Result<f64, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
    sqlx::raw_sql("create table line (body text)").execute(&pool).await?;
    let (start, mut count) = (Instant::now(), 0_u32);
    while start.elapsed() < time {
        let insert = sqlx::query("insert into line values ($1)").bind("x".repeat(200));
        insert.execute(&pool).await?;
        count += 1;
    }
    let rate = f64::from(count) / start.elapsed().as_secs_f64();
    pool.close().await;
    Ok(rate)
}
