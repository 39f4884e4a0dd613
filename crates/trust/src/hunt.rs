//! Row 18: changed and mixed inputs for every decoder, without knowledge of its code. The
//! coverage-guided hunt is `cargo xtask fuzz`; this one runs wherever the program does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
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
use crate::statistics;

/// An input that takes longer is slow.
const LONGEST: Duration = Duration::from_secs(1);

/// The process does not grow by more, so no input takes more.
const MOST_MEMORY: u64 = 64 * 1024;

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
}

/// Hunts for so long in all, with all cores.
pub fn run(time: Duration, seed: u64) -> Result<Outcome> {
    let seeds: Vec<(&Target, Vec<Vec<u8>>)> = TARGETS
        .iter()
        .map(|target| Ok((target, [(target.seeds)(), found(target)?].concat())))
        .collect::<Result<_>>()?;
    // Everything that is made once is made before memory is looked at.
    for (target, seeds) in &seeds {
        for seed in seeds {
            (target.run)(seed);
        }
    }
    // Tried once here, so that a machine without it is told of and does not panic in the hunt.
    statistics::time_worked()?;
    let before = peak_memory()?;
    let each = time / TARGETS.len() as u32 * rayon::current_num_threads() as u32;
    let quiet = Quiet::new();
    let tried: Vec<Tried> = seeds
        .par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(number, (target, seeds))| {
            let mut chance = ChaCha12Rng::seed_from_u64(seed);
            chance.set_stream(number as u64);
            hunt(target, seeds, each, &mut chance)
        })
        .collect();
    drop(quiet);
    let grown = peak_memory()?.saturating_sub(before);
    let executions: u64 = tried.iter().map(|it| it.executions).sum();
    let kept = |which: fn(&Tried) -> &[Vec<u8>]| -> Result<Vec<String>> {
        let each = tried.iter().map(|it| keep(it.target, which(it)));
        Ok(each.collect::<Result<Vec<_>>>()?.concat())
    };
    let (bad, slow) = (kept(|it| &it.bad)?, kept(|it| &it.slow)?);
    let longest = tried.iter().map(|it| it.longest).max().unwrap_or_default();
    // How long an input takes depends on the machine too: whoever reads the figure judges it.
    let holds = bad.is_empty() && grown <= MOST_MEMORY;
    let targets: Map<_, _> = tried
        .iter()
        .map(|it| {
            let a_second = it.executions * 1_000 / it.time.as_millis().max(1) as u64;
            (it.target.to_string(), json!({"executions": it.executions, "a_second": a_second}))
        })
        .collect();
    let reached = format!(
        "{executions} executions over {} targets, {} bad, {} slow, longest {} ms, memory grew by \
         {grown} KiB",
        tried.len(),
        bad.len(),
        slow.len(),
        longest.as_millis()
    );
    let figures = json!({
        "executions": executions, "targets": targets, "bad": bad, "slow": slow,
        "longest_ms": longest.as_millis() as u64, "grown_kib": grown, "seed": seed,
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

fn hunt(target: &Target, seeds: &[Vec<u8>], time: Duration, chance: &mut ChaCha12Rng) -> Tried {
    let start = Instant::now();
    let (mut bad, mut slow) = (Vec::new(), Vec::new());
    let (mut executions, mut longest) = (0, Duration::ZERO);
    while start.elapsed() < time && bad.len() + slow.len() < MOST_FOUND {
        let input = mutated(seeds, chance);
        let began = Instant::now();
        let ran = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        let mut took = began.elapsed();
        if ran.is_ok() && took > LONGEST {
            // Others may use the machine too: what counts is the work.
            let worked = time_worked();
            (target.run)(&input);
            took = time_worked().saturating_sub(worked);
        }
        executions += 1;
        longest = longest.max(took);
        if ran.is_err() {
            bad.push(input);
        } else if took > LONGEST {
            slow.push(input);
        }
    }
    Tried { target: target.name, executions, time: start.elapsed(), longest, bad, slow }
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

/// The work of this thread so far.
fn time_worked() -> Duration {
    statistics::time_worked().expect("it could be read before")
}

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

/// The most memory that this process ever had, in KiB.
fn peak_memory() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("no /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()).context("no VmHWM")?;
    number.parse().context("VmHWM is no number")
}
