//! Row 17: rounds that were played and stored, proved by a verifier in another language; proofs that
//! were altered; and whether what interrupts a round knows its cards.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use houseway_fair::{Bytes32, Deal, Proof, Proved, verify};
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

use crate::alterations::{Altered, CHARACTER, altered};
use crate::guests::{Party, guest};
use crate::kept::{self, Kept, Shown, read_shown};
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

/// Hands a file of proofs, a line each, to the verifier, and prints what each of them shows.
const BY_LINES: &str = "import json, sys
sys.path.insert(0, sys.argv[1])
import verify
for line in open(sys.argv[2], encoding='utf-8'):
    try:
        proof = json.loads(line, object_pairs_hook=verify.once, parse_int=verify.no_sign)
        cards, number = verify.verify(proof)
        print(json.dumps([list(cards.items()), number]))
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
    /// What its table's log tells of it.
    kept: Kept,
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
    let mut logs = BTreeMap::new();
    for room in &party.rooms {
        let table = room.now().desk.id();
        logs.insert(table, kept::rounds(&party.house, table).await?);
    }
    let mut rounds = Vec::new();
    for ((table, round), commitment) in committed {
        let place = party.rooms.iter().position(|it| it.now().desk.id() == table).unwrap_or(0);
        let whole = match proof(&party.house, table, round, Onlooker::Auditor).await {
            Ok(whole) => whole,
            Err(NotProved::NoRound) => continue,
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
        let kept = logs.get_mut(&table).and_then(|log| log.remove(&round)).unwrap_or_default();
        rounds.push(Round { shown, whole, kept, banker, interrupted, void });
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
    /// Rounds whose commitment stands in the log before their first wager.
    committed_first: usize,
    /// Rounds in which something was said, and those of them that were cut.
    with_words: usize,
    cut: usize,
    proofs: usize,
    python: usize,
    rust: usize,
    /// Proofs of rounds whose cards were dealt.
    dealt: usize,
    /// Proofs that both verifiers read alike, and as the log tells the round.
    as_dealt: usize,
    /// The first that is not.
    difference: Option<String>,
    altered: BTreeMap<&'static str, usize>,
    /// Altered proofs that hold, by what was altered.
    python_missed: BTreeMap<&'static str, usize>,
    rust_missed: BTreeMap<&'static str, usize>,
    /// Rounds by the banker's hand.
    all: [u64; 4],
    interrupted: [u64; 4],
    void: [u64; 4],
}

impl Counts {
    fn see(&mut self, round: &Round) {
        self.rounds += 1;
        self.committed_first += usize::from(round.kept.committed_first());
        self.with_words += usize::from(!round.whole.words.is_empty());
        self.cut += usize::from(round.whole.cut.places > 0);
        let Some(banker) = round.banker else { return };
        self.all[banker] += 1;
        self.interrupted[banker] += u64::from(round.interrupted);
        self.void[banker] += u64::from(round.void);
    }

    /// Checks proofs by both verifiers, and holds what they show against the log.
    fn check(&mut self, proofs: &[(&Proof, &Kept)], texts: &[String]) -> Result<()> {
        let rust: Vec<Option<Shown>> = texts.par_iter().map(|text| by_rust(text)).collect();
        let python = by_python(texts)?;
        for (at, (proof, kept)) in proofs.iter().enumerate() {
            self.proofs += 1;
            self.rust += usize::from(rust[at].is_some());
            self.python += usize::from(python[at].is_some());
            self.dealt += usize::from(kept.dealt.is_some());
            match as_dealt(proof, kept, rust[at].as_ref(), python[at].as_ref()) {
                Ok(()) => self.as_dealt += 1,
                Err(why) => {
                    let Deal { table, round, .. } = &proof.deal;
                    let told = || format!("round {round} of table {table}: {why}");
                    self.difference.get_or_insert_with(told);
                }
            }
        }
        Ok(())
    }

    /// Lets both verifiers have altered proofs.
    fn try_altered(&mut self, altered: &[Altered]) -> Result<()> {
        count(&mut self.altered, altered.iter());
        let rust = altered.par_iter().filter(|it| by_rust(&it.text).is_some());
        count(&mut self.rust_missed, rust.collect::<Vec<_>>().into_iter());
        let texts: Vec<String> = altered.iter().map(|it| it.text.clone()).collect();
        let python = altered.iter().zip(by_python(&texts)?).filter(|(_, shows)| shows.is_some());
        count(&mut self.python_missed, python.map(|(it, _)| it));
        Ok(())
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
        let proofs: Vec<(&Proof, &Kept)> = played
            .iter()
            .flat_map(|it| it.shown.iter().chain([&it.whole]).map(|proof| (proof, &it.kept)))
            .collect();
        let texts: Vec<String> = proofs.iter().map(|(proof, _)| proof.write()).collect();
        counts.check(&proofs, &texts)?;
        // As many of them as belong to this portion.
        let before: usize = counts.altered.values().sum();
        let due = alterations * counts.rounds.min(rounds) / rounds - before;
        counts.try_altered(&altered(&texts, due, some[0]))?;
    }
    Ok(outcome(&counts, seed))
}

fn outcome(counts: &Counts, seed: u64) -> Outcome {
    let Counts { rounds, committed_first, with_words, cut, .. } = *counts;
    let Counts { proofs, python, rust, dealt, as_dealt, interrupted, void, .. } = *counts;
    let sum = |some: [u64; 4]| some.iter().sum::<u64>();
    let all = |some: &BTreeMap<&str, usize>| some.values().sum::<usize>();
    let altered = all(&counts.altered);
    let (python_missed, rust_missed) = (all(&counts.python_missed), all(&counts.rust_missed));
    let reached = format!(
        "{rounds} rounds, {committed_first} committed to before their first wager, {cut} cut by \
         words, {python} of {proofs} proofs hold in Python, {as_dealt} are what was dealt, {} of \
         {altered} altered ones found, {} rounds interrupted and {} void with cards like others'",
        altered - python_missed,
        sum(interrupted),
        sum(void),
    );
    let figures = json!({
        "rounds": rounds, "committed_first": committed_first, "with_words": with_words, "cut": cut,
        "proofs": proofs, "python": python, "rust": rust, "dealt": dealt, "as_dealt": as_dealt,
        "first_difference": counts.difference,
        "altered": altered, "structural": altered - counts.altered.get(CHARACTER).unwrap_or(&0),
        "alterations": counts.altered, "missed": { "python": counts.python_missed, "rust": counts.rust_missed },
        "python_missed": python_missed, "rust_missed": rust_missed,
        "interrupted": sum(interrupted), "void": sum(void),
        "interrupted_deviation": counts.deviation(interrupted),
        "void_deviation": counts.deviation(void), "limit": LIMIT, "seed": seed,
    });
    let asked =
        "1,000,000 rounds 100 %, 100,000 alterations found, voids independent of the outcome";
    let all_well = rust == proofs && python == proofs;
    let in_order = committed_first == rounds && dealt > 0 && as_dealt == proofs && cut > 0;
    let none_missed = rust_missed == 0 && python_missed == 0;
    let holds = all_well && in_order && none_missed && counts.are_independent();
    Outcome::new(17, "commit and reveal", asked, reached, holds, figures)
}

/// Counts alterations by their kinds.
fn count<'a>(all: &mut BTreeMap<&'static str, usize>, some: impl Iterator<Item = &'a Altered>) {
    for Altered { how, .. } in some {
        *all.entry(how).or_default() += 1;
    }
}

/// That both verifiers show the same, and it is what the log tells.
fn as_dealt(
    proof: &Proof,
    kept: &Kept,
    rust: Option<&Shown>,
    python: Option<&Shown>,
) -> Result<()> {
    let shows = python.context("it is not proved in Python")?;
    ensure!(rust == python, "the verifiers show different things");
    kept.is_what(proof, shows)
}

/// What our own verifier finds shown by a text; nothing if it does not hold.
fn by_rust(text: &str) -> Option<Shown> {
    let Proved { cards, number, .. } = verify(&Proof::read(text).ok()?).ok()?;
    let cards = cards.into_iter().map(|(place, card)| (u8::from(place), card)).collect();
    Some(Shown { cards, number })
}

/// What the verifier in Python finds shown by each of some texts.
fn by_python(texts: &[String]) -> Result<Vec<Option<Shown>>> {
    let folder = tempfile::tempdir().context("no folder can be made")?;
    let batches: Vec<_> = texts
        .par_chunks(PROOFS)
        .enumerate()
        .map(|(batch, texts)| batch_by_python(&folder.path().join(batch.to_string()), texts))
        .collect::<Result<_>>()?;
    Ok(batches.into_iter().flatten().collect())
}

fn batch_by_python(file: &Path, texts: &[String]) -> Result<Vec<Option<Shown>>> {
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
    let shown = |line: &str| match line.starts_with("NOT proved") {
        true => Ok(None),
        false => read_shown(line).map(Some),
    };
    told.lines().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alterations::KINDS;
    use houseway_rules::CardSet;

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
        assert!(honest.with_words * 2 > honest.rounds, "{} with words", honest.with_words);
        assert!(honest.cut * 2 > honest.rounds, "{} were cut", honest.cut);
        assert_eq!(honest.committed_first, honest.rounds);
        let spared = counted(|chance, banker| chance.random_range(0..8) < 3 - banker.min(2));
        let deviation = spared.deviation(spared.void).expect("they are enough");
        assert!(deviation > LIMIT, "{deviation}: {:?} of {:?}", spared.void, spared.all);
    }

    /// What rounds come to if their logs are changed.
    fn checked(rounds: &[Round], change: impl Fn(&Round) -> Kept) -> Counts {
        let kept: Vec<Kept> = rounds.iter().map(change).collect();
        let proofs: Vec<(&Proof, &Kept)> = rounds.iter().map(|it| &it.whole).zip(&kept).collect();
        let texts: Vec<String> = proofs.iter().map(|(proof, _)| proof.write()).collect();
        let mut counts = Counts::default();
        counts.check(&proofs, &texts).expect("the verifier runs");
        counts
    }

    /// The log of a round as if another deck had been dealt to the same hands.
    fn dealt_from(round: &Round, deck: impl Fn(u8) -> u8) -> Kept {
        let mut kept = round.kept.clone();
        let shown = by_rust(&round.whole.write()).expect("it holds");
        let dealt = kept.dealt.as_mut().expect("cards were dealt");
        let mut hands = vec![CardSet::EMPTY; dealt.hands.len()];
        let mut left_over = CardSet::EMPTY;
        for place in 0..53 {
            let to = match dealt.hand(usize::from(place)) {
                Some(hand) => &mut hands[hand],
                None => &mut left_over,
            };
            *to = to.with(shown.cards[&deck(place)]);
        }
        (dealt.hands, dealt.left_over) = (hands, left_over);
        kept
    }

    #[test]
    fn a_house_that_deals_another_deck_than_it_proves_is_found() {
        let mut rounds = played(&[1, 2, 3], honest).expect("houses play");
        rounds.retain(|it| it.kept.dealt.is_some() && it.whole.cut.places > 0);
        assert!(rounds.len() > 10, "{} rounds were cut and dealt", rounds.len());
        let as_dealt = |change: &dyn Fn(&Round) -> Kept| checked(&rounds, change).as_dealt;
        assert_eq!(as_dealt(&|round| round.kept.clone()), rounds.len());
        assert_eq!(as_dealt(&|round| dealt_from(round, |place| place)), rounds.len());
        let uncut = |round: &Round| {
            let cut = round.whole.cut.places;
            dealt_from(round, |place| (place + 53 - cut) % 53)
        };
        assert_eq!(as_dealt(&uncut), 0, "the deck is not cut");
        let exchanged = |round: &Round| {
            dealt_from(round, |place| match place {
                0 => 52,
                52 => 0,
                place => place,
            })
        };
        assert_eq!(as_dealt(&exchanged), 0, "the first card and the last change places");
        let others = |round: &Round| {
            let other = rounds.iter().find(|it| it.whole.commitment != round.whole.commitment);
            let mut kept = round.kept.clone();
            kept.dealt.clone_from(&other.expect("there are more").kept.dealt);
            kept
        };
        assert_eq!(as_dealt(&others), 0, "the deck of another round");
        let difference = checked(&rounds, uncut).difference.expect("it is told");
        assert!(difference.contains("was not dealt at place"), "{difference}");
    }

    #[test]
    fn every_alteration_is_made_and_found() {
        let rounds = played(&[1, 2], honest).expect("houses play");
        let all = rounds.iter().flat_map(|it| it.shown.iter().chain([&it.whole]));
        let texts: Vec<String> = all.map(Proof::write).collect();
        let mut counts = Counts::default();
        counts.try_altered(&altered(&texts, 3_000, 1)).expect("the verifier runs");
        assert_eq!(counts.altered.len(), KINDS, "{:?}", counts.altered);
        assert_eq!(counts.altered[CHARACTER], 1_500);
        assert_eq!((counts.python_missed, counts.rust_missed), Default::default());
    }
}
