//! A store that fills, is backed up meanwhile, tells its rounds again, and is restored.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, ensure};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use tokio::time::Instant;

use crate::door::Guest;
use crate::figures::{Recalled, Waited};
use crate::fill::{self, Fill};
use crate::house::{House, PASSWORD};
use crate::run::Playing;
use crate::told::Told;

/// A table with finished rounds, and someone who played there.
struct Source {
    table: u64,
    rounds: u64,
    guest: Guest,
}

/// Tables that play are backed up; then rounds of theirs and of those before them are told again.
pub(crate) async fn run(
    house: &House,
    playing: Playing,
    filled: Option<&Fill>,
    recalls: u64,
    folder: &Path,
) -> anyhow::Result<Recalled> {
    let heads = folder.join("heads.jsonl");
    std::fs::write(&heads, house.beside(&["admin", "heads"], None).await?)?;
    let copy = folder.join("copy.sqlite");
    let start = Instant::now();
    house.beside(&["admin", "backup", path(&copy)?], None).await?;
    let backup_seconds = start.elapsed().as_secs_f64();
    let seats = playing.seats.clone();
    playing.end().await?;

    let mut tables = tables(house, &seats).await?;
    ensure!(!tables.is_empty(), "no table finished a round: let them play longer");
    let before = filled.iter().flat_map(|it| &it.tables);
    tables.extend(before.map(|it| {
        let fill::Played { table, rounds, ref guest } = *it;
        Source { table, rounds, guest: guest.clone() }
    }));
    let (not_whole, unequal, times) = tell_again(house, &tables, recalls).await?;
    let report_seconds = report(house).await?;

    let start = Instant::now();
    let other = folder.join("restored");
    house.beside(&["admin", "restore", path(&copy)?], Some(&other)).await?;
    let verify = ["verify", "house", "--json", "--heads", path(&heads)?];
    let found: Value = serde_json::from_str(&house.beside(&verify, Some(&other)).await?)?;
    Ok(Recalled {
        rounds: tables.iter().map(|it| it.rounds).sum(),
        recalls,
        not_whole,
        unequal,
        milliseconds: Waited::of(times),
        report_seconds,
        backup_seconds,
        backup_megabytes: std::fs::metadata(&copy)?.len() as f64 / 1e6,
        restore_seconds: start.elapsed().as_secs_f64(),
        lost: found["faults"].as_array().context("faults are a list")?.len() as u64,
    })
}

/// The tables of an evening, as far as they finished a round, each with someone who played there.
async fn tables(house: &House, seats: &[(u64, Guest)]) -> anyhow::Result<Vec<Source>> {
    let players: BTreeMap<u64, &Guest> =
        seats.iter().map(|(table, guest)| (*table, guest)).collect();
    let mut all = vec![];
    for (table, guest) in players {
        let view: Value =
            house.door.get(&format!("/api/tables/{table}/view"), &guest.token).await?;
        if let Some(rounds) = view.pointer("/view/last/round").and_then(Value::as_u64) {
            all.push(Source { table, rounds, guest: guest.clone() });
        }
    }
    Ok(all)
}

/// Asks for rounds at random, any as likely as any other: how many were not whole, how many not
/// paid as the rules say, and how long each took, in microseconds.
async fn tell_again(
    house: &House,
    tables: &[Source],
    recalls: u64,
) -> anyhow::Result<(u64, u64, Vec<u32>)> {
    let mut until = vec![];
    for source in tables {
        until.push(until.last().unwrap_or(&0) + source.rounds);
    }
    let all = *until.last().context("there are rounds")?;
    let (mut chance, mut times) = (ChaCha8Rng::seed_from_u64(1), vec![]);
    let (mut not_whole, mut unequal) = (0, 0);
    for _ in 0..recalls {
        let number = chance.random_range(0..all);
        let at = until.partition_point(|&it| it <= number);
        let Source { table, rounds, guest } = &tables[at];
        let round = until[at] - number;
        ensure!((1..=*rounds).contains(&round), "round {round} of {rounds}");
        let start = Instant::now();
        let told: Value =
            house.door.get(&format!("/api/tables/{table}/rounds/{round}"), &guest.token).await?;
        times.push(u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX));
        let told = Told { recall: &told, table: *table, round, person: guest.you.person };
        not_whole += fault(&told, told.check_whole());
        unequal += fault(&told, told.check_paid());
    }
    Ok((not_whole, unequal, times))
}

/// How long the operator's report over all rounds takes, in seconds.
async fn report(house: &House) -> anyhow::Result<f64> {
    const NAME: &str = "Auditor";
    house.beside(&["admin", "operator", NAME], None).await?;
    let operator = house.door.enter(NAME, PASSWORD).await?;
    let start = Instant::now();
    let told: Value = house.door.get("/api/report?by=day", &operator.token).await?;
    ensure!(told["total"]["rounds"].as_u64() > Some(0), "a report of nothing: {told}");
    Ok(start.elapsed().as_secs_f64())
}

/// Counts what is wrong with a round, and says what it is.
fn fault(told: &Told, found: anyhow::Result<()>) -> u64 {
    match found {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("round {} of table {}: {error:#}", told.round, told.table);
            1
        }
    }
}

fn path(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("a path that can be written")
}
