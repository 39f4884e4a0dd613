//! A store that fills, is backed up meanwhile, tells its rounds again, and is restored.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use tokio::time::Instant;

use crate::door::Guest;
use crate::figures::{Recalled, Waited};
use crate::house::House;
use crate::run::Evening;

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

/// Tables play, are backed up, and tell their rounds again.
pub(crate) async fn run(
    house: &House,
    tables: u32,
    time: Duration,
    recalls: u64,
    rules: &str,
    folder: &Path,
) -> anyhow::Result<Recalled> {
    let evening = Evening { tables, players: 6, round: None };
    let mut playing = evening.begin(house, rules).await?;
    playing.measure(house, time).await?;
    let heads = folder.join("heads.jsonl");
    std::fs::write(&heads, house.beside(&["admin", "heads"], None).await?)?;
    let copy = folder.join("copy.sqlite");
    let start = Instant::now();
    house.beside(&["admin", "backup", path(&copy)?], None).await?;
    let backup_seconds = start.elapsed().as_secs_f64();
    let seats = playing.seats.clone();
    playing.end().await?;

    let mut players: BTreeMap<u64, Guest> = BTreeMap::new();
    players.extend(seats);
    let mut rounds = vec![];
    for (&table, guest) in &players {
        let view: Value =
            house.door.get(&format!("/api/tables/{table}/view"), &guest.token).await?;
        // A table without a finished round has nothing to tell.
        if let Some(last) = view.pointer("/view/last/round").and_then(Value::as_u64) {
            rounds.push((table, last));
        }
    }
    ensure!(!rounds.is_empty(), "no table finished a round in {time:?}: let them play longer");
    let (mut chance, mut times) = (ChaCha8Rng::seed_from_u64(1), vec![]);
    let (mut not_whole, mut unequal) = (0, 0);
    for _ in 0..recalls {
        let (table, last) = rounds[chance.random_range(0..rounds.len())];
        let round = chance.random_range(1..=last);
        let guest = &players[&table];
        let start = Instant::now();
        let told: Value =
            house.door.get(&format!("/api/tables/{table}/rounds/{round}"), &guest.token).await?;
        times.push(u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX));
        let whole = FIELDS.iter().all(|it| told.pointer(it).is_some_and(|it| !it.is_null()));
        not_whole += u64::from(!whole);
        unequal += u64::from(!is_equal(&told, guest.you.person));
    }

    let start = Instant::now();
    let other = folder.join("restored");
    house.beside(&["admin", "restore", path(&copy)?], Some(&other)).await?;
    let verify = ["verify", "house", "--json", "--heads", path(&heads)?];
    let found: Value = serde_json::from_str(&house.beside(&verify, Some(&other)).await?)?;
    Ok(Recalled {
        rounds: rounds.iter().map(|(_, last)| last).sum(),
        recalls,
        not_whole,
        unequal,
        milliseconds: Waited::of(times),
        backup_seconds,
        backup_megabytes: std::fs::metadata(&copy)?.len() as f64 / 1e6,
        restore_seconds: start.elapsed().as_secs_f64(),
        lost: found["faults"].as_array().context("faults are a list")?.len() as u64,
    })
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
