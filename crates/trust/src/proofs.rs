//! Row 17: rounds that were played and stored, proved by a verifier in another language; proofs that
//! were altered; and whether what interrupts a round knows its cards.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use houseway_fair::{Bytes32, Proof, verify};
use houseway_rules::rulebook::{Incident, Role};
use houseway_rules::set_house_way;
use houseway_server::desk::Ask;
use houseway_server::proof::{NotProved, proof};
use houseway_store::{Memory, StatusKind, Store, TableId};
use houseway_table::view::Onlooker;
use houseway_table::{Action, Actor, Call, Person, Phase, Ruling, Table};
use rand::rngs::ChaCha12Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde_json::json;

use crate::guests::{Party, guest};
use crate::outcome::Outcome;
use crate::statistics::alike;

/// Where the verifier is that shares nothing with the house: `verify.py`.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// How many turns a house is played at before another one is opened.
const TURNS: u32 = 25;

/// How many houses are played at, proved and forgotten together.
const PORTION: usize = 256;

/// How many proofs one process of the verifier is handed.
const PROOFS: usize = 1_000;

/// How far from alike interrupted and void rounds may be, in standard deviations: 99 % for both together.
const LIMIT: f64 = 2.81;

/// So many void rounds at least are compared with the others.
const ENOUGH: u64 = 50;

/// Hands a file of proofs, a line each, to the verifier.
const BY_LINES: &str = "import json, sys
sys.path.insert(0, sys.argv[1])
import verify
for line in open(sys.argv[2], encoding='utf-8'):
    try:
        proof = json.loads(line, object_pairs_hook=verify.once, parse_int=verify.no_sign)
        verify.verify(proof)
        print('proved')
    except (ValueError, RecursionError) as why:
        print('NOT proved;', why)
";

/// Whether a round is to be void, by chance and, in a house that is not to be trusted, by the banker's
/// hand.
type Voids = fn(&mut ChaCha12Rng, usize) -> bool;

/// Some are, whatever was dealt.
fn honest(chance: &mut ChaCha12Rng, _: usize) -> bool {
    chance.random_range(0..4) == 0
}

/// A finished round.
struct Round {
    /// What its player was shown, proved.
    shown: Option<Proof>,
    /// All of it.
    whole: Proof,
    /// How good the banker's hand was, if cards were dealt.
    banker: Option<usize>,
    interrupted: bool,
    void: bool,
}

/// Some proofs of rounds that were played.
pub(crate) fn some(proofs: usize) -> Result<Vec<Proof>> {
    let rounds = runtime()?.block_on(play(40, 1, honest))?;
    let all = rounds.into_iter().flat_map(|it| it.shown.into_iter().chain([it.whole]));
    Ok(all.take(proofs).collect())
}

/// One thread, and time that passes only when nothing else is to be done: a slow machine plays the same.
fn runtime() -> Result<tokio::runtime::Runtime> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build();
    runtime.context("no runtime")
}

/// How good the banker's hand is, the House Way: no pair, one, two, or better. Nothing before the deal.
fn banker(table: &Table) -> Option<usize> {
    let (Phase::Setting(play) | Phase::Revealed(play)) = table.phase() else { return None };
    let rulebook = &table.setup().rulebook;
    let high = set_house_way(rulebook, play.banker.dealt).setting.high();
    let ranking = rulebook.ranking();
    Some((ranking.category(ranking.five(high)) as usize).min(3))
}

/// Plays a house for some turns, with lights that go out and rounds that staff make void. What was
/// committed to before the bets of a round were closed must be what is proved in the end.
async fn play(turns: u32, seed: u64, voids: Voids) -> Result<Vec<Round>> {
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    let store: Arc<dyn Store> = Arc::new(Memory::new());
    let mut party = Party::new(store.clone(), seed).await?;
    let mut committed = BTreeMap::<(TableId, u64), Bytes32>::new();
    let mut interrupted = BTreeSet::<(TableId, u64)>::new();
    let mut bankers = BTreeMap::<(TableId, u64), usize>::new();
    for _ in 0..turns {
        party.turn().await?;
        if chance.random_range(0..12) == 0 {
            party = party.interrupted().await?;
            for place in 0..party.rooms.len() {
                let desk = party.rooms[place].now().desk.clone();
                interrupted.insert((desk.id(), desk.table().round()));
                if chance.random() {
                    // Where the rules allow it; else it is refused.
                    party.ask(place, Ask::Table(Action::WithdrawAll)).await?;
                }
            }
        }
        for place in 0..party.rooms.len() {
            let now = party.rooms[place].now();
            let key = (now.desk.id(), now.desk.table().round());
            if let Some(commitment) = now.desk.commitment() {
                let first = *committed.entry(key).or_insert(commitment);
                ensure!(first == commitment, "round {key:?} was shuffled again, seed {seed}");
            }
            // Whether it is void is decided once, when the cards are dealt.
            if let Some(banker) = banker(now.desk.table())
                && bankers.insert(key, banker).is_none()
                && voids(&mut chance, banker)
            {
                make_void(&mut party, place, &mut chance).await?;
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
        let interrupted = interrupted.contains(&(table, round));
        let banker = bankers.get(&(table, round)).copied();
        rounds.push(Round { shown, whole, banker, interrupted, void });
    }
    Ok(rounds)
}

/// Staff make a round void: by a call for which the rulebook says so, or by a ruling with its reason.
async fn make_void(party: &mut Party, place: usize, chance: &mut ChaCha12Rng) -> Result<()> {
    const DEALT_WRONGLY: [Incident; 3] =
        [Incident::ForeignCard, Incident::TwoExposed, Incident::SpotMissed];
    let by = Actor { person: Person(0), role: Role::GamingShiftManager };
    let what = *DEALT_WRONGLY.choose(chance).expect("three");
    let call = Action::Call(Call { what, spot: None, repair: None });
    let reason = "a card was marked".to_string();
    let ruling = Action::Rule { ruling: Ruling::Void, reason };
    // A call that the rulebook does not know, or answers otherwise, leaves the round to a ruling.
    for action in [call, ruling] {
        if matches!(party.rooms[place].now().desk.table().phase(), Phase::Setting(_)) {
            party.ask_as(by, place, Ask::Table(action)).await?;
        }
    }
    Ok(())
}

/// What rounds came to: counts, however many there are.
#[derive(Default)]
struct Counts {
    rounds: usize,
    proofs: usize,
    python: usize,
    rust: usize,
    altered: usize,
    python_missed: usize,
    rust_missed: usize,
    /// Rounds by the banker's hand.
    all: [u64; 4],
    interrupted: [u64; 4],
    void: [u64; 4],
}

impl Counts {
    fn see(&mut self, round: &Round) {
        self.rounds += 1;
        let Some(banker) = round.banker else { return };
        self.all[banker] += 1;
        self.interrupted[banker] += u64::from(round.interrupted);
        self.void[banker] += u64::from(round.void);
    }

    /// How far the bankers' hands of some rounds are from those of the others; nothing if they are few.
    fn deviation(&self, some: [u64; 4]) -> Option<f64> {
        let others = (0..4).map(|at| self.all[at] - some[at]).collect();
        (some.iter().sum::<u64>() >= ENOUGH).then(|| alike(&[some.to_vec(), others]))
    }

    /// Whether neither what interrupts a round nor who makes it void knows the cards.
    fn are_independent(&self) -> bool {
        let within = |some| self.deviation(some).is_some_and(|it: f64| it.abs() < LIMIT);
        within(self.interrupted) && within(self.void)
    }
}

/// The rounds of some houses, in their order.
fn played(houses: &[u64], voids: Voids) -> Result<Vec<Round>> {
    let all: Vec<Vec<Round>> = houses
        .par_iter()
        .map(|&house| runtime()?.block_on(play(TURNS, house, voids)))
        .collect::<Result<_>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// Plays at least so many rounds, alters so many proofs: in portions, of which only counts are kept.
pub fn run(rounds: usize, alterations: usize, seed: u64) -> Result<Outcome> {
    let mut counts = Counts::default();
    let mut houses = seed << 20..;
    // Few rounds come from few houses.
    let portion = PORTION.min(rounds.div_ceil(25)).max(1);
    while counts.rounds < rounds {
        let some: Vec<u64> = houses.by_ref().take(portion).collect();
        let played = played(&some, honest)?;
        ensure!(!played.is_empty(), "no round came to its end");
        for round in &played {
            counts.see(round);
        }
        let proofs = played.iter().flat_map(|it| it.shown.iter().chain([&it.whole]));
        let texts: Vec<String> = proofs.map(Proof::write).collect();
        counts.proofs += texts.len();
        counts.rust += texts.par_iter().filter(|text| holds(text)).count();
        counts.python += proved_by_python(&texts)?;
        // As many of them as belong to this portion.
        let due = alterations * counts.rounds.min(rounds) / rounds - counts.altered;
        let altered = altered(&texts, due, some[0]);
        counts.altered += altered.len();
        counts.rust_missed += altered.par_iter().filter(|text| holds(text)).count();
        counts.python_missed += proved_by_python(&altered)?;
    }
    let Counts { rounds, proofs, python, rust, altered, python_missed, rust_missed, .. } = counts;
    let (interrupted, void) = (counts.interrupted, counts.void);
    let sum = |some: [u64; 4]| some.iter().sum::<u64>();
    let reached = format!(
        "{rounds} rounds, {python} of {proofs} proofs hold in Python, {} of {altered} altered ones \
         found, {} rounds interrupted and {} void with cards like others'",
        altered - python_missed,
        sum(interrupted),
        sum(void),
    );
    let figures = json!({
        "rounds": rounds, "proofs": proofs, "python": python, "rust": rust,
        "altered": altered, "python_missed": python_missed, "rust_missed": rust_missed,
        "interrupted": sum(interrupted), "void": sum(void),
        "interrupted_deviation": counts.deviation(interrupted),
        "void_deviation": counts.deviation(void), "limit": LIMIT, "seed": seed,
    });
    let asked =
        "1,000,000 rounds 100 %, 100,000 alterations found, voids independent of the outcome";
    let all_well = rust == proofs && python == proofs;
    let none_missed = rust_missed == 0 && python_missed == 0;
    let holds = all_well && none_missed && counts.are_independent();
    Ok(Outcome::new(17, "commit and reveal", asked, reached, holds, figures))
}

fn holds(text: &str) -> bool {
    Proof::read(text).is_ok_and(|proof| verify(&proof).is_ok())
}

/// How many of some texts the verifier in Python finds proved.
fn proved_by_python(texts: &[String]) -> Result<usize> {
    let folder = tempfile::tempdir().context("no folder can be made")?;
    let batches: Vec<usize> = texts
        .par_chunks(PROOFS)
        .enumerate()
        .map(|(batch, texts)| batch_by_python(&folder.path().join(batch.to_string()), texts))
        .collect::<Result<_>>()?;
    Ok(batches.iter().sum())
}

fn batch_by_python(file: &Path, texts: &[String]) -> Result<usize> {
    // A line break between the parts of a proof means nothing: none is in a text.
    let lines: Vec<String> = texts.iter().map(|it| it.replace('\n', " ") + "\n").collect();
    std::fs::write(file, lines.concat()).context("no file can be made")?;
    let output = Command::new("python3").args(["-B", "-c", BY_LINES, EXAMPLES]).arg(file).output();
    let output = output.context("python3 cannot be run")?;
    let told = String::from_utf8_lossy(&output.stdout);
    if told.lines().count() != texts.len() {
        bail!("the verifier broke: {}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::remove_file(file).context("a file cannot be removed")?;
    Ok(told.lines().filter(|line| *line == "proved").count())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(voids: Voids) -> Counts {
        let mut counts = Counts::default();
        let houses: Vec<u64> = (1..57).collect();
        for round in played(&houses, voids).expect("houses play") {
            counts.see(&round);
        }
        assert!(counts.void.iter().sum::<u64>() >= ENOUGH, "{:?}", counts.void);
        counts
    }

    #[test]
    fn who_makes_rounds_void_by_chance_is_trusted_and_who_looks_at_the_cards_is_not() {
        let honest = counted(honest);
        assert!(honest.are_independent(), "{:?} of {:?}", honest.void, honest.all);
        let spared = counted(|chance, banker| chance.random_range(0..8) < 3 - banker.min(2));
        let deviation = spared.deviation(spared.void).expect("they are enough");
        assert!(deviation > LIMIT, "{deviation}: {:?} of {:?}", spared.void, spared.all);
    }
}
