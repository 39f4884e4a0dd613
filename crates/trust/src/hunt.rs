//! Row 18: changed and mixed inputs for every decoder, without knowledge of its code. The
//! coverage-guided hunt is `cargo xtask fuzz`; this one runs wherever the program does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use houseway_fair::Bytes32;
use rand::rngs::ChaCha12Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde_json::{Map, json};
use sha2::{Digest, Sha256};

use crate::bad_input::{TARGETS, Target};
use crate::outcome::Outcome;

/// An input that takes longer is slow.
const LONGEST: Duration = Duration::from_secs(1);

/// An input that takes longer has no end: it is kept, and the hunt with it ends.
const ENDLESS: Duration = Duration::from_secs(10);

/// No input lets the process grow by more, in KiB.
const MOST_MEMORY: u64 = 64 * 1024;

/// So many inputs are run before memory is looked at.
const BATCH: u32 = 256;

/// Inputs are no longer than what a socket or a request may bring.
const LENGTH: usize = 16 * 1024;

/// With so many finds, a target is left.
const MOST_FOUND: usize = 10;

/// Where inputs are kept that broke something once, a folder for each target.
pub const FOUND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/found");

/// What one target came to.
struct Tried {
    target: &'static str,
    executions: u64,
    time: Duration,
    longest: Duration,
    /// Inputs that it panics at.
    bad: Vec<Vec<u8>>,
    /// Inputs that it takes long over.
    slow: Vec<Vec<u8>>,
    /// Inputs that it takes much memory for.
    heavy: Vec<Vec<u8>>,
    /// How often memory grew by too much, and none of the inputs did it alone.
    unexplained: u64,
    /// By how much memory grew at most, in KiB.
    grown: u64,
}

/// What one hunt is at: since when, with which input.
struct AtWork {
    target: &'static str,
    input: Mutex<Option<(Instant, Arc<Vec<u8>>)>>,
}

impl AtWork {
    fn set(&self, input: Option<&Arc<Vec<u8>>>) {
        let input = input.map(|input| (Instant::now(), input.clone()));
        *self.input.lock().unwrap_or_else(PoisonError::into_inner) = input;
    }

    /// The input, if it has been run for longer than that.
    fn longer_than(&self, time: Duration) -> Option<Vec<u8>> {
        let input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, input) = input.as_ref()?;
        (since.elapsed() > time).then(|| input.to_vec())
    }
}

/// Ends the process if an input does not end. Nothing else can: no thread can be stopped from outside.
fn watch(hunts: &Weak<Vec<AtWork>>) {
    while let Some(hunts) = hunts.upgrade() {
        for hunt in &*hunts {
            if let Some(input) = hunt.longer_than(ENDLESS) {
                let kept = keep(hunt.target, &[input]);
                eprintln!("houseway-trust: {} does not end with {kept:?}", hunt.target);
                std::process::exit(2);
            }
        }
        drop(hunts);
        thread::sleep(Duration::from_millis(200));
    }
}

/// The memory of the process while several hunts are on. Its peak is one for all of them.
struct Memory {
    /// The peak that each hunt has seen so far, before others set it back.
    seen: Mutex<Vec<u64>>,
    /// Many hunt at once; who looks for one input is alone.
    hunting: RwLock<()>,
}

impl Memory {
    fn new(hunts: usize) -> Memory {
        Memory { seen: Mutex::new(vec![0; hunts]), hunting: RwLock::new(()) }
    }

    /// Sets the peak back to what is used now, for one of the hunts; that.
    fn begin(&self, hunt: usize) -> u64 {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let peak = peak_memory().expect("it could be read before");
        seen.iter_mut().for_each(|it| *it = peak.max(*it));
        reset_peak().expect("it could be set back before");
        seen[hunt] = 0;
        peak_memory().expect("it could be read before")
    }

    /// By how much memory has grown since that.
    fn grown(&self, hunt: usize, since: u64) -> u64 {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let peak = peak_memory().expect("it could be read before");
        peak.max(seen[hunt]).saturating_sub(since)
    }
}

/// Hunts for so long in all, with all cores.
pub fn run(time: Duration, seed: u64) -> Result<Outcome> {
    let seeds: Vec<(&Target, Vec<Vec<u8>>)> = TARGETS
        .iter()
        .map(|target| Ok((target, [(target.seeds)(), found(target)?].concat())))
        .collect::<Result<_>>()?;
    // Everything that is made once, or once a thread, is made before memory is looked at.
    rayon::broadcast(|_| {
        for (target, seeds) in &seeds {
            for seed in seeds {
                (target.run)(seed);
            }
        }
    });
    reset_peak()?;
    let before = peak_memory()?;
    let memory = Memory::new(TARGETS.len());
    let at_work = |target: &Target| AtWork { target: target.name, input: Mutex::new(None) };
    let hunts: Arc<Vec<AtWork>> = Arc::new(TARGETS.iter().map(at_work).collect());
    let watched = Arc::downgrade(&hunts);
    thread::spawn(move || watch(&watched));
    let each = time / TARGETS.len() as u32 * rayon::current_num_threads() as u32;
    let quiet = Quiet::new();
    let tried: Vec<Tried> = seeds
        .par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(number, (target, seeds))| {
            let mut chance = ChaCha12Rng::seed_from_u64(seed);
            chance.set_stream(number as u64);
            let place = Place { number, at_work: &hunts[number], memory: &memory };
            hunt(target, seeds, each, &mut chance, place)
        })
        .collect();
    drop((quiet, hunts));
    // What is left of all inputs together, for whoever reads it: houses remember their requests.
    reset_peak()?;
    let left = peak_memory()?.saturating_sub(before);
    let grown = tried.iter().map(|it| it.grown).max().unwrap_or_default();
    let unexplained: u64 = tried.iter().map(|it| it.unexplained).sum();
    let executions: u64 = tried.iter().map(|it| it.executions).sum();
    let kept = |which: fn(&Tried) -> &[Vec<u8>]| -> Result<Vec<String>> {
        let each = tried.iter().map(|it| keep(it.target, which(it)));
        Ok(each.collect::<Result<Vec<_>>>()?.concat())
    };
    let (bad, slow, heavy) = (kept(|it| &it.bad)?, kept(|it| &it.slow)?, kept(|it| &it.heavy)?);
    let longest = tried.iter().map(|it| it.longest).max().unwrap_or_default();
    // How long an input takes depends on the machine too: whoever reads the figure judges it.
    let holds = bad.is_empty() && heavy.is_empty() && unexplained == 0;
    let targets: Map<_, _> = tried
        .iter()
        .map(|it| {
            let a_second = it.executions * 1_000 / it.time.as_millis().max(1) as u64;
            (it.target.to_string(), json!({"executions": it.executions, "a_second": a_second}))
        })
        .collect();
    let reached = format!(
        "{executions} executions over {} targets, {} bad, {} slow, {} heavy, longest {} ms, {BATCH} \
         inputs took {grown} KiB at most",
        tried.len(),
        bad.len(),
        slow.len(),
        heavy.len(),
        longest.as_millis()
    );
    let figures = json!({
        "executions": executions, "targets": targets, "bad": bad, "slow": slow,
        "heavy": heavy, "unexplained": unexplained, "longest_ms": longest.as_millis() as u64,
        "grown_kib": grown, "left_kib": left, "seed": seed,
    });
    let asked = "10^8 executions, panics, hangs over 1 s, more than 64 MiB: 0";
    Ok(Outcome::new(18, "bad input", asked, reached, holds, figures))
}

/// Panics are counted and kept, not printed.
struct Quiet;

impl Quiet {
    fn new() -> Quiet {
        std::panic::set_hook(Box::new(|_| {}));
        Quiet
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        drop(std::panic::take_hook());
    }
}

/// Inputs that broke a target once.
pub fn found(target: &Target) -> Result<Vec<Vec<u8>>> {
    let folder = Path::new(FOUND).join(target.name);
    let Ok(files) = std::fs::read_dir(&folder) else { return Ok(vec![]) };
    let mut paths = files.map(|file| Ok(file?.path())).collect::<Result<Vec<PathBuf>>>()?;
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).with_context(|| path.display().to_string()))
        .collect()
}

/// Keeps what was found with a target, and says where. Files are named by what is in them, so that no
/// hunt writes over what another one found.
fn keep(target: &str, inputs: &[Vec<u8>]) -> Result<Vec<String>> {
    let folder = Path::new(FOUND).join(target);
    let files = inputs.iter().map(|input| {
        std::fs::create_dir_all(&folder).context("no folder for what was found")?;
        let path = folder.join(Bytes32(Sha256::digest(input).into()).to_string());
        std::fs::write(&path, input).with_context(|| path.display().to_string())?;
        Ok(path.display().to_string())
    });
    files.collect()
}

/// What a hunt shares with the others, and which one it is.
#[derive(Clone, Copy)]
struct Place<'a> {
    number: usize,
    at_work: &'a AtWork,
    memory: &'a Memory,
}

impl Place<'_> {
    /// Lets a target have an input, under the eyes of the watch; whether it did not panic.
    fn run(self, target: &Target, input: &Arc<Vec<u8>>) -> bool {
        self.at_work.set(Some(input));
        let ran = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
        self.at_work.set(None);
        ran.is_ok()
    }
}

fn hunt(
    target: &Target,
    seeds: &[Vec<u8>],
    time: Duration,
    chance: &mut ChaCha12Rng,
    place: Place,
) -> Tried {
    let start = Instant::now();
    let mut tried = Tried {
        target: target.name,
        executions: 0,
        time,
        longest: Duration::ZERO,
        bad: vec![],
        slow: vec![],
        heavy: vec![],
        unexplained: 0,
        grown: 0,
    };
    let enough = |it: &Tried| it.bad.len() + it.slow.len() + it.heavy.len() >= MOST_FOUND;
    while start.elapsed() < time && !enough(&tried) {
        // By its seed a batch can be made again.
        let seed = chance.random();
        let mut batch = ChaCha12Rng::seed_from_u64(seed);
        let hunting = place.memory.hunting.read().unwrap_or_else(PoisonError::into_inner);
        let used = place.memory.begin(place.number);
        let mut inputs = 0;
        while inputs < BATCH && start.elapsed() < time && !enough(&tried) {
            try_one(target, &Arc::new(mutated(seeds, &mut batch)), place, &mut tried);
            inputs += 1;
        }
        let grown = place.memory.grown(place.number, used);
        drop(hunting);
        tried.grown = tried.grown.max(grown);
        if grown > MOST_MEMORY {
            let batch = ChaCha12Rng::seed_from_u64(seed);
            let heavy = heavy_ones(target, seeds, batch, inputs, place);
            tried.unexplained += u64::from(heavy.is_empty());
            tried.heavy.extend(heavy);
        }
    }
    tried.time = start.elapsed();
    tried
}

fn try_one(target: &Target, input: &Arc<Vec<u8>>, place: Place, tried: &mut Tried) {
    let began = Instant::now();
    let ran = place.run(target, input);
    let mut took = began.elapsed();
    if ran && took > LONGEST {
        // Others may use the machine too: what takes long takes long again.
        let again = Instant::now();
        place.run(target, input);
        took = took.min(again.elapsed());
    }
    tried.executions += 1;
    tried.longest = tried.longest.max(took);
    if !ran {
        tried.bad.push(input.to_vec());
    } else if took > LONGEST {
        tried.slow.push(input.to_vec());
    }
}

/// The same inputs once more, one by one, while nobody else hunts: those that take too much memory.
fn heavy_ones(
    target: &Target,
    seeds: &[Vec<u8>],
    mut chance: ChaCha12Rng,
    inputs: u32,
    place: Place,
) -> Vec<Vec<u8>> {
    let _alone = place.memory.hunting.write().unwrap_or_else(PoisonError::into_inner);
    let mut heavy = vec![];
    for _ in 0..inputs {
        let input = Arc::new(mutated(seeds, &mut chance));
        let used = place.memory.begin(place.number);
        place.run(target, &input);
        if place.memory.grown(place.number, used) > MOST_MEMORY {
            heavy.push(input.to_vec());
        }
    }
    heavy
}

/// Texts that programs stumble over.
const ODD: [&str; 22] = [
    "0",
    "-1",
    "1e999",
    "18446744073709551615",
    "9223372036854775808",
    "4294967296",
    "256",
    "1.5",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "\\u0000",
    "\u{202e}",
    "🂡",
    "Jk",
    "$",
    "$0.01",
    "\\",
    "\"",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

/// A seed with a few changes, some of them from other seeds.
fn mutated(seeds: &[Vec<u8>], chance: &mut ChaCha12Rng) -> Vec<u8> {
    let pick = |chance: &mut ChaCha12Rng| seeds.choose(chance).cloned().unwrap_or_default();
    let mut input = pick(chance);
    for _ in 0..chance.random_range(1..6) {
        let length = input.len();
        let at = chance.random_range(0..=length);
        let until = (at + chance.random_range(0..24)).min(length);
        match chance.random_range(0..9) {
            0 if at < length => input[at] ^= 1 << chance.random_range(0..8),
            1 if at < length => input[at] = chance.random(),
            2 => drop(input.drain(at..until)),
            3 => {
                let part = input[at..until].to_vec();
                let times = chance.random_range(1..20);
                let many = part.repeat(times);
                input.splice(at..at, many);
            }
            4 => drop(input.splice(at..until, ODD.choose(chance).expect("some").bytes())),
            5 => {
                // Digits where digits are.
                if let Some(digit) = input[at..].iter().position(u8::is_ascii_digit) {
                    let odd = ODD[chance.random_range(0..8)];
                    input.splice(at + digit..=at + digit, odd.bytes());
                }
            }
            6 => {
                let other = pick(chance);
                let from = chance.random_range(0..=other.len());
                input.truncate(at);
                input.extend(&other[from..]);
            }
            7 => {
                let other = pick(chance);
                let from = chance.random_range(0..=other.len());
                let to = (from + chance.random_range(0..64)).min(other.len());
                input.splice(at..until, other[from..to].iter().copied());
            }
            _ => input.truncate(at.max(length / 2)),
        }
    }
    input.truncate(LENGTH);
    input
}

/// Sets the peak of memory back to what is used now.
fn reset_peak() -> Result<()> {
    std::fs::write("/proc/self/clear_refs", "5").context("the peak of memory cannot be set back")
}

/// The most memory that this process had since its peak was set back, in KiB.
fn peak_memory() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("no /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()).context("no VmHWM")?;
    number.parse().context("VmHWM is no number")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes 80 MiB for some inputs.
    const GREEDY: Target = Target {
        name: "greedy",
        run: |input| {
            if input.starts_with(b"!") {
                std::hint::black_box(vec![1_u8; 80 << 20]);
            }
        },
        seeds: || vec![b"!1".to_vec(), b"2".to_vec()],
    };

    fn at_work() -> AtWork {
        AtWork { target: "greedy", input: Mutex::new(None) }
    }

    #[test]
    fn an_input_that_takes_much_memory_is_found_though_the_process_had_more_before() {
        std::hint::black_box(vec![1_u8; 200 << 20]);
        let (at_work, memory) = (at_work(), Memory::new(1));
        let place = Place { number: 0, at_work: &at_work, memory: &memory };
        let mut chance = ChaCha12Rng::seed_from_u64(1);
        let time = Duration::from_secs(30);
        let tried = hunt(&GREEDY, &(GREEDY.seeds)(), time, &mut chance, place);
        assert!(tried.grown > MOST_MEMORY, "{} KiB", tried.grown);
        let greedy = tried.heavy.iter().filter(|input| input.starts_with(b"!"));
        assert!(greedy.count() > MOST_FOUND / 2, "{:?}", tried.heavy);
    }

    #[test]
    fn an_input_that_does_not_end_is_named() {
        let hunt = at_work();
        let input = Arc::new(b"for ever".to_vec());
        assert_eq!(hunt.longer_than(Duration::ZERO), None, "nothing is run");
        hunt.set(Some(&input));
        thread::sleep(Duration::from_millis(20));
        assert_eq!(hunt.longer_than(Duration::from_millis(10)), Some(input.to_vec()));
        assert_eq!(hunt.longer_than(ENDLESS), None, "it may still end");
        hunt.set(None);
        assert_eq!(hunt.longer_than(Duration::ZERO), None, "it has ended");
    }
}
