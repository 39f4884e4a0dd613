//! What a report over many rounds costs: sums that are kept by day, beside the same sums over every
//! round.
//!
//! `cargo bench -p houseway-bench --bench sums`, `ROUNDS` in all, a million if nothing is said: 20
//! tables over a month, seven shares a round, on SQLite.
#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints its figures")]

use std::path::Path;
use std::time::{Duration, Instant};

use houseway_rules::Cents;
use houseway_store::{
    Append, DAY, NewEntry, RoundBet, RoundRow, RoundShare, RoundStatus, Sqlite, Store, StreamId,
    SumBy, TableId, Version,
};
use houseway_table::Person;
use sqlx::{Connection, SqliteConnection};

const TABLES: u64 = 20;
const DAYS: u64 = 30;
const SHARES: u32 = 7;
/// Rounds in one append.
const AT_ONCE: u64 = 100;

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure(&folder.path().join("store.db")));
}

async fn measure(file: &Path) {
    let rounds: u64 =
        std::env::var("ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(1_000_000);
    let store = Sqlite::open(file).await.expect("it opens");
    let appends = rounds / TABLES / AT_ONCE;
    let ((), filled) = timed(fill(&store, appends)).await;
    println!("{} rounds of {SHARES} shares stored: {filled:.1?}", appends * AT_ONCE * TABLES);
    for (name, by) in [("table", SumBy::Table), ("rulebook", SumBy::Rulebook), ("day", SumBy::Day)]
    {
        let (sums, whole) = timed(store.round_sums(by, 0, u64::MAX)).await;
        let (_, part) = timed(store.round_sums(by, DAY / 2, (DAYS - 1) * DAY + DAY / 2)).await;
        let sums = sums.expect("summed").len();
        println!("by {name}: {sums} sums, {whole:.1?}; with two half days {part:.1?}");
    }
    let mut plain =
        SqliteConnection::connect(&format!("sqlite://{}", file.display())).await.expect("it opens");
    let every = sqlx::query(
        "select table_id, rulebook, bet, bot, count(*), sum(wagered), sum(taken), sum(paid), \
         sum(back), sum(commission), sum(cast(wagered as double precision) * wagered) \
         from round_share where status <> 'void' group by 1, 2, 3, 4",
    )
    .fetch_all(&mut plain);
    let (sums, every) = timed(every).await;
    println!("by table over every share: {} sums, {every:.1?}", sums.expect("summed").len());
}

async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let start = Instant::now();
    (work.await, start.elapsed())
}

async fn fill(store: &Sqlite, appends: u64) {
    let between = DAYS * DAY / (appends * AT_ONCE + 1);
    for expected in (0..appends).map(|number| number * AT_ONCE) {
        for table in (1..=TABLES).map(TableId) {
            let lasts = expected + 1..=expected + AT_ONCE;
            let rounds = lasts.map(|last| round(table, last, last * between)).collect();
            let entry = NewEntry { kind: "settled".into(), body: "{}".into(), moves: vec![] };
            let append = Append {
                stream: StreamId::table(table),
                expected: Version(expected),
                at: 0,
                entries: vec![entry; AT_ONCE as usize],
                command: None,
                rounds,
                mark: None,
            };
            store.append(append).await.expect("stored");
        }
    }
}

fn round(table: TableId, last: u64, ended: u64) -> RoundRow {
    let amount = Cents::dollars(10);
    let shares = (0..SHARES).map(|person| {
        let lost = (last + u64::from(person)).is_multiple_of(2);
        let [taken, kept] = if lost { [amount, Cents::ZERO] } else { [Cents::ZERO, amount] };
        RoundShare {
            person: Person(person + 1),
            bet: if person.is_multiple_of(2) { RoundBet::Standard } else { RoundBet::Fortune },
            bot: person > 3,
            wagered: amount,
            taken,
            paid: kept,
            back: kept,
            commission: Cents::ZERO,
        }
    });
    RoundRow {
        table,
        round: last,
        rulebook: "mbs-2020".into(),
        began: ended,
        ended,
        first: Version(last),
        last: Version(last),
        status: RoundStatus::Settled,
        house_took: amount,
        house_paid: amount,
        shares: shares.collect(),
    }
}
