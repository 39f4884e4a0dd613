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

/// What a recall must have (GLI-19 2.8.2, 4.14).
const FIELDS: [&str; 10] = [
    "/replay",
    "/name",
    "/round/began",
    "/round/ended",
    "/round/rules",
    "/round/status",
    "/round/shares",
    "/before",
    "/steps",
    "/funds",
];

/// A table with finished rounds, and someone who played there.
struct Told {
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
        Told { table, rounds, guest: guest.clone() }
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
async fn tables(house: &House, seats: &[(u64, Guest)]) -> anyhow::Result<Vec<Told>> {
    let players: BTreeMap<u64, &Guest> =
        seats.iter().map(|(table, guest)| (*table, guest)).collect();
    let mut all = vec![];
    for (table, guest) in players {
        let view: Value =
            house.door.get(&format!("/api/tables/{table}/view"), &guest.token).await?;
        if let Some(rounds) = view.pointer("/view/last/round").and_then(Value::as_u64) {
            all.push(Told { table, rounds, guest: guest.clone() });
        }
    }
    Ok(all)
}

/// Asks for rounds at random, any as likely as any other: how many were not whole, how many not
/// equal to the books, and how long each took, in microseconds.
async fn tell_again(
    house: &House,
    tables: &[Told],
    recalls: u64,
) -> anyhow::Result<(u64, u64, Vec<u32>)> {
    let mut until = vec![];
    for told in tables {
        until.push(until.last().unwrap_or(&0) + told.rounds);
    }
    let all = *until.last().context("there are rounds")?;
    let (mut chance, mut times) = (ChaCha8Rng::seed_from_u64(1), vec![]);
    let (mut not_whole, mut unequal) = (0, 0);
    for _ in 0..recalls {
        let number = chance.random_range(0..all);
        let at = until.partition_point(|&it| it <= number);
        let Told { table, rounds, guest } = &tables[at];
        let round = until[at] - number;
        ensure!((1..=*rounds).contains(&round), "round {round} of {rounds}");
        let start = Instant::now();
        let told: Value =
            house.door.get(&format!("/api/tables/{table}/rounds/{round}"), &guest.token).await?;
        times.push(u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX));
        not_whole += u64::from(!is_whole(&told, round));
        unequal += u64::from(!is_equal(&told, guest.you.person));
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

/// Whether a recall has everything that belongs to a round, to its last step.
fn is_whole(told: &Value, round: u64) -> bool {
    let there = FIELDS.iter().all(|it| told.pointer(it).is_some_and(|it| !it.is_null()));
    let last = told["steps"].as_array().and_then(|steps| steps.last());
    there && last.is_some_and(|step| step["view"]["last"]["round"] == round)
}

fn path(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("a path that can be written")
}

/// Whether someone's lines of the statement come to their shares of the round, amount by amount.
fn is_equal(told: &Value, person: u32) -> bool {
    let list = |at: &str| told.pointer(at).and_then(Value::as_array).cloned().unwrap_or_default();
    let sum = |all: &[Value], field: &str| -> u64 {
        all.iter().filter_map(|it| it[field].as_u64()).sum()
    };
    let shares: Vec<Value> =
        list("/round/shares").into_iter().filter(|it| it["person"] == person).collect();
    let lines: Vec<Value> =
        list("/statement").into_iter().filter(|it| it["owner"]["person"] == person).collect();
    let void = told.pointer("/round/status").is_some_and(|it| it == "void");
    let amounts = ["taken", "paid", "back", "commission"];
    // Whoever missed a round has neither.
    void || (lines.is_empty() == shares.is_empty()
        && amounts.iter().all(|it| sum(&shares, it) == sum(&lines, it)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cent_too_much_is_seen() {
        let line = |paid: u64| json!({"owner": {"person": 7}, "taken": 0, "paid": paid, "back": 1000, "commission": 50});
        let share = json!({"person": 7, "taken": 0, "paid": 1000, "back": 1000, "commission": 50});
        let told = |paid: u64| {
            json!({
                "round": {"status": "settled", "shares": [share.clone()]},
                "statement": [line(paid), {"owner": "house", "taken": 5}],
            })
        };
        assert!(is_equal(&told(1_000), 7));
        assert!(!is_equal(&told(1_001), 7));
        assert!(is_equal(&told(1_000), 9), "they missed the round");
        let mut unsaid = told(1_000);
        unsaid["statement"] = json!([]);
        assert!(!is_equal(&unsaid, 7), "a share without a line");
        assert!(is_equal(&json!({"round": {"status": "void"}}), 7));
    }
}
