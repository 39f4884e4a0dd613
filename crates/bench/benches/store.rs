//! Durable appends a second, beside what the disk and a plain insert loop do in the same run.
//!
//! `cargo bench -p houseway-bench --bench store`, `SECONDS` a row, at 1, 8, 64 and 256 `TABLES`. An append is three entries, four
//! moves and a remembered answer, as a wager or a settlement makes it. Each table appends one after
//! the other, as a room does; what is counted was acknowledged. Disks change from minute to minute:
//! what this one does is measured right before and right after each row, and the row is read beside the
//! mean of both. `SYNC_TAKES=2000` makes every sync take that many microseconds at least, for the databases and
//! for the disk alone: what a slower disk would give.
#![allow(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark prints its figures"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use houseway_bench::floor::{fdatasyncs, inserts};
use houseway_bench::slow;
use houseway_rules::Cents;
use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{
    AccountName, Append, Appended, Head, Memory, Move, NewEntry, Postgres, Remember, Sqlite, Store,
    StreamId, TableId, Version,
};
use houseway_table::Person;
use uuid::Uuid;

/// How long the disk alone is measured at most, before and after a row.
const SYNCING: Duration = Duration::from_secs(10);

/// Entries in an append.
const EVENTS: f64 = 3.0;

fn main() {
    let slowly = slow::asked().expect("a disk as asked for");
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure(folder.path(), slowly.as_deref()));
}

async fn measure(folder: &Path, slowly: Option<&str>) {
    if let Some(takes) = slowly {
        println!("A sync takes {takes} µs at least");
    }
    println!("Durable appends a second (3 entries, 4 moves, 1 answer each)");
    let syncs = || fdatasyncs(&folder.join("plain"), time().min(SYNCING)).expect("written");
    let before = syncs();
    println!(r#"figures {{"fdatasyncs-per-second": {before:.0}}}"#);
    let inserted = inserts(&folder.join("loop.db"), time()).await.expect("inserted");
    row("plain insert loop, SQLite, one row each", inserted, [before, syncs()]);
    let sqlite = Sqlite::open(&folder.join("store.db")).await.expect("it opens");
    let server = PostgresServer::start(Disk::Durable).expect("PostgreSQL can be started");
    let database = server.database().await.expect("a database");
    let postgres = Postgres::open(&database).await.expect("it opens");
    let stores: [(&str, Arc<dyn Store>); 3] = [
        ("memory", Arc::new(Memory::new())),
        ("SQLite", Arc::new(sqlite)),
        ("PostgreSQL", Arc::new(postgres)),
    ];
    for (name, store) in stores {
        for tables in tables() {
            let before = syncs();
            let rate = appends(&store, tables).await;
            let synced = [before, syncs()];
            row(&format!("{name}, {tables} tables at once"), rate, synced);
            if tables == 64 {
                figures(name, slowly.is_some(), rate * EVENTS, synced);
            }
        }
        let (entries, rate) = verify(&*store).await;
        println!("  {name}: {entries} entries verified, {rate:.0} a second");
        assert_eq!(store.check_books().await, Ok(vec![]), "and the books are right");
    }
}

/// A row beside what the disk did before and after it.
fn row(what: &str, rate: f64, synced: [f64; 2]) {
    let ([before, after], each) = (synced, rate / mean(synced));
    println!(
        "  {what:<42} {rate:>9.0}   {each:>5.1} for each fdatasync ({before:.0}, {after:.0}/s)"
    );
}

fn mean([before, after]: [f64; 2]) -> f64 {
    f64::midpoint(before, after)
}

fn figures(name: &str, is_slow: bool, events: f64, synced: [f64; 2]) {
    let ([before, after], each) = (synced, events / mean(synced));
    let suffix = if is_slow { "-slowly" } else { "" };
    println!(
        r#"figures {{"{}{suffix}": {{"events-per-second": {events:.0}, "events-per-fdatasync": {each:.2}, "fdatasyncs-before": {before:.0}, "fdatasyncs-after": {after:.0}}}}}"#,
        name.to_lowercase(),
    );
}

fn time() -> Duration {
    let seconds = std::env::var("SECONDS").ok().and_then(|it| it.parse().ok()).unwrap_or(3);
    Duration::from_secs(seconds)
}

/// How many tables append at once.
fn tables() -> Vec<u64> {
    let one = std::env::var("TABLES").ok().and_then(|it| it.parse().ok());
    one.map_or(vec![1, 8, 64, 256], |one| vec![one])
}

async fn appends(store: &Arc<dyn Store>, tables: u64) -> f64 {
    let until = Instant::now() + time();
    let start = Instant::now();
    let tasks: Vec<_> =
        (0..tables).map(|table| tokio::spawn(play(store.clone(), tables, table, until))).collect();
    let mut count = 0;
    for task in tasks {
        count += task.await.expect("no panic");
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}

async fn play(store: Arc<dyn Store>, tables: u64, table: u64, until: Instant) -> u32 {
    let (id, person) = (TableId(tables << 32 | table), Person(table as u32));
    let names: [AccountName; 3] = [
        AccountName::wallet(person),
        format!("table/{id}/stack/{table}").parse().expect("a name"),
        format!("table/{id}/house").parse().expect("a name"),
    ];
    let (mut head, mut count) = (Head::default(), 0);
    while Instant::now() < until {
        let append = one(id, head.version, &names, person);
        match store.append(append).await.expect("stored") {
            Appended::Now(now) => head = now,
            Appended::Before(_) => unreachable!("every command has a name of its own"),
        }
        count += 1;
    }
    count
}

fn one(table: TableId, expected: Version, names: &[AccountName; 3], by: Person) -> Append {
    let body = format!("{{\"event\":\"placed\",\"body\":\"{}\"}}", "x".repeat(150));
    let moved = |from: usize, to: usize| Move {
        from: names[from].clone(),
        to: names[to].clone(),
        amount: Cents::dollars(1),
        reason: "wager".into(),
        clause: Some("5.1".into()),
    };
    let moves = [vec![moved(2, 0)], vec![moved(0, 1)], vec![moved(1, 2), moved(2, 1)]];
    let entries = moves.map(|moves| NewEntry { kind: "placed".into(), body: body.clone(), moves });
    let (stream, id) = (StreamId::table(table), Uuid::from_u64_pair(table.0, expected.0));
    let command = Remember { by, id, digest: [1; 32], answer: "ok".into() };
    let (entries, command) = (entries.into(), Some(command));
    Append { stream, expected, at: 0, entries, command, rounds: vec![], mark: None }
}

/// How fast chains are followed.
async fn verify(store: &dyn Store) -> (u64, f64) {
    let (start, mut entries) = (Instant::now(), 0);
    for (stream, head) in store.heads("").await.expect("heads") {
        store.verify_chain(&stream, Some(head)).await.expect("whole");
        entries += head.version.0;
    }
    (entries, entries as f64 / start.elapsed().as_secs_f64())
}
