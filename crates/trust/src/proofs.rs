//! Row 17: rounds that were played and stored, proved by a verifier in another language; proofs that
//! were altered; and whether what interrupts a round knows its cards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use houseway_fair::{Bytes32, Proof, verify};
use houseway_rules::{BonusHand, CardSet, Dealt};
use houseway_server::desk::Ask;
use houseway_server::proof::{NotProved, proof};
use houseway_store::{Memory, StatusKind, Store, TableId};
use houseway_table::Action;
use houseway_table::view::Onlooker;
use rand::rngs::ChaCha12Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde_json::json;

use crate::guests::{Party, guest};
use crate::outcome::Outcome;
use crate::statistics::alike;

/// The verifier that shares nothing with the house.
const VERIFIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/verify.py");

/// How many turns a house is played at before another one is opened.
const TURNS: u32 = 400;

/// How many files the verifier is handed at once.
const FILES: usize = 1_000;

/// How far from alike interrupted rounds may be, in standard deviations: 99 %.
const LIMIT: f64 = 2.58;

/// A finished round.
struct Round {
    /// What its player was shown, proved.
    shown: Option<Proof>,
    /// All of it.
    whole: Proof,
    interrupted: bool,
    void: bool,
}

/// Some proofs of rounds that were played.
pub(crate) fn some(proofs: usize) -> Result<Vec<Proof>> {
    let rounds = runtime()?.block_on(play(40, 1))?;
    let all = rounds.into_iter().flat_map(|it| it.shown.into_iter().chain([it.whole]));
    Ok(all.take(proofs).collect())
}

/// One thread, and time that passes only when nothing else is to be done: a slow machine plays the same.
fn runtime() -> Result<tokio::runtime::Runtime> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build();
    runtime.context("no runtime")
}

/// Plays a house for some turns, with lights that go out. What was committed to before the bets of a
/// round were closed must be what is proved in the end.
async fn play(turns: u32, seed: u64) -> Result<Vec<Round>> {
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    let store: Arc<dyn Store> = Arc::new(Memory::new());
    let mut party = Party::new(store.clone(), seed).await?;
    let mut committed = BTreeMap::<(TableId, u64), Bytes32>::new();
    let mut interrupted = BTreeMap::<(TableId, u64), bool>::new();
    for _ in 0..turns {
        party.turn().await?;
        if chance.random_range(0..12) == 0 {
            party = party.interrupted().await?;
            for place in 0..party.rooms.len() {
                let desk = party.rooms[place].now().desk.clone();
                interrupted.insert((desk.id(), desk.table().round()), true);
                if chance.random() {
                    // Where the rules allow it; else it is refused.
                    party.ask(place, Ask::Table(Action::WithdrawAll)).await?;
                }
            }
        }
        for room in &party.rooms {
            let now = room.now();
            if let Some(commitment) = now.desk.commitment() {
                let key = (now.desk.id(), now.desk.table().round());
                let first = *committed.entry(key).or_insert(commitment);
                ensure!(first == commitment, "round {key:?} was shuffled again, seed {seed}");
            }
        }
    }
    let mut rounds = Vec::new();
    for ((table, round), commitment) in committed {
        let place = party.rooms.iter().position(|it| it.now().desk.id() == table).unwrap_or(0);
        let whole = match proof(&party.house, table, round, Onlooker::Auditor).await {
            Ok(whole) => whole,
            Err(NotProved::NoRound | NotProved::NothingShown) => continue,
            Err(error) => return Err(error.into()),
        };
        let shown = Onlooker::Player(guest(place));
        let shown = proof(&party.house, table, round, shown).await.ok();
        for proof in [Some(&whole), shown.as_ref()].into_iter().flatten() {
            ensure!(proof.commitment == commitment, "another deck was dealt, seed {seed}");
        }
        let rows = store.round(table, round).await?;
        let void = rows.first().is_some_and(|row| row.status.kind() == StatusKind::Void);
        let interrupted = interrupted.contains_key(&(table, round));
        rounds.push(Round { shown, whole, interrupted, void });
    }
    Ok(rounds)
}

/// The rounds of as many houses as it takes. Houses count in their order, however many are played at once:
/// a seed gives the same rounds on every machine.
fn played(rounds: usize, seed: u64) -> Result<Vec<Round>> {
    let mut played: Vec<Round> = Vec::new();
    let mut houses = seed..;
    while played.len() < rounds {
        let some: Vec<u64> = houses.by_ref().take(rayon::current_num_threads()).collect();
        let some: Vec<Result<Vec<Round>>> =
            some.into_par_iter().map(|house| runtime()?.block_on(play(TURNS, house))).collect();
        for of_one_house in some {
            if played.len() < rounds {
                let of_one_house = of_one_house?;
                ensure!(!of_one_house.is_empty(), "no round came to its end");
                played.extend(of_one_house);
            }
        }
    }
    Ok(played)
}

/// Plays at least so many rounds, alters so many proofs.
pub fn run(rounds: usize, alterations: usize, seed: u64) -> Result<Outcome> {
    let played = played(rounds, seed)?;
    let texts: Vec<String> =
        played.iter().flat_map(|it| it.shown.iter().chain([&it.whole])).map(Proof::write).collect();
    let ours = texts.par_iter().filter(|text| holds(text)).count();
    let python = proved_by_python(&texts)?;
    let altered = altered(&texts, alterations, seed);
    let ours_missed = altered.par_iter().filter(|text| holds(text)).count();
    let python_missed = proved_by_python(&altered)?;
    let (interrupted, voids) = independence(&played);
    let all_well = ours == texts.len() && python == texts.len();
    let none_missed = ours_missed == 0 && python_missed == 0;
    let independent = interrupted.abs() < LIMIT && voids.is_none_or(|it| it.abs() < LIMIT);
    let count = |which: fn(&Round) -> bool| played.iter().filter(|it| which(it)).count();
    let reached = format!(
        "{} rounds, {python} of {} proofs hold in Python, {} of {} altered ones found, \
         {} rounds interrupted and {} void with cards like others'",
        played.len(),
        texts.len(),
        altered.len() - python_missed,
        altered.len(),
        count(|it| it.interrupted),
        count(|it| it.void),
    );
    let figures = json!({
        "rounds": played.len(), "proofs": texts.len(), "python": python, "rust": ours,
        "altered": altered.len(), "python_missed": python_missed, "rust_missed": ours_missed,
        "interrupted": count(|it| it.interrupted), "void": count(|it| it.void),
        "interrupted_deviation": interrupted, "void_deviation": voids, "limit": LIMIT, "seed": seed,
    });
    let asked =
        "1,000,000 rounds 100 %, 100,000 alterations found, voids independent of the outcome";
    let holds = all_well && none_missed && independent;
    Ok(Outcome::new(17, "commit and reveal", asked, reached, holds, figures))
}

fn holds(text: &str) -> bool {
    Proof::read(text).is_ok_and(|proof| verify(&proof).is_ok())
}

/// How many of some texts the verifier in Python finds proved.
fn proved_by_python(texts: &[String]) -> Result<usize> {
    let folder = tempfile::tempdir().context("no folder can be made")?;
    let batches: Vec<usize> = texts
        .par_chunks(FILES)
        .enumerate()
        .map(|(batch, texts)| {
            let folder = folder.path().join(batch.to_string());
            std::fs::create_dir(&folder).context("no folder can be made")?;
            batch_by_python(&folder, texts)
        })
        .collect::<Result<_>>()?;
    Ok(batches.iter().sum())
}

fn batch_by_python(folder: &Path, texts: &[String]) -> Result<usize> {
    let mut files: Vec<PathBuf> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        files.push(folder.join(number.to_string()));
        std::fs::write(&files[number], text).context("no file can be made")?;
    }
    let output = Command::new("python3").arg(VERIFIER).args(&files).output();
    let output = output.context("python3 cannot be run")?;
    let told = String::from_utf8_lossy(&output.stdout);
    if told.lines().count() != texts.len() {
        bail!("the verifier broke: {}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::remove_dir_all(folder).context("files cannot be removed")?;
    Ok(told.lines().filter(|line| line.contains(": proved; ")).count())
}

/// Proofs with one thing changed that means something: a digit, a letter, a card, a number.
fn altered(texts: &[String], count: usize, seed: u64) -> Vec<String> {
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        let text = texts.choose(&mut chance).expect("some were played");
        let mut bytes = text.as_bytes().to_vec();
        let at = chance.random_range(0..bytes.len());
        let other = match bytes[at] {
            b'0'..=b'9' => *b"0123456789".choose(&mut chance).expect("ten"),
            b'a'..=b'f' => *b"abcdef".choose(&mut chance).expect("six"),
            b'A'..=b'Z' => *b"23456789TJQKA".choose(&mut chance).expect("thirteen"),
            _ => continue,
        };
        if other != bytes[at] {
            bytes[at] = other;
            all.push(String::from_utf8(bytes).expect("letters for letters"));
        }
    }
    all
}

/// How far the cards of interrupted rounds, and of void ones, are from those of the others.
fn independence(rounds: &[Round]) -> (f64, Option<f64>) {
    let category = |round: &Round| {
        let proved = verify(&round.whole).expect("it was verified");
        let first = proved.cards.values().take(7).fold(CardSet::EMPTY, |set, &card| set.with(card));
        // Nothing, a straight, three of a kind, and all that is better.
        let hand = BonusHand::of(Dealt::new(first).expect("seven cards"));
        hand.map_or(0, |hand| (hand as usize).min(3))
    };
    let counts = |which: &dyn Fn(&Round) -> bool| {
        let mut counts = vec![0; 4];
        rounds.iter().filter(|it| which(it)).for_each(|it| counts[category(it)] += 1);
        counts
    };
    let interrupted = alike(&[counts(&|it| it.interrupted), counts(&|it| !it.interrupted)]);
    let void = counts(&|it| it.void);
    let voids = (void.iter().sum::<u64>() > 50).then(|| alike(&[void, counts(&|it| !it.void)]));
    (interrupted, voids)
}
