//! The coverage-guided hunt for inputs that break a decoder.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::run;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Counters in every branch and every comparison, as libFuzzer reads them. All of it is stable.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Build scripts are not fuzzed, so the target is named.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Of every decoder so many inputs are tried, if nothing else is said.
const EXECUTIONS: u64 = 10_000_000;

/// So much more than for good inputs may be used, in MiB.
const MOST_MEMORY: u64 = 64;

/// Names of the decoders, and how many inputs of each count for one of the others: requests go through
/// a whole house, and rulebooks are proved hand by hand.
const DECODERS: [(&str, u64); 11] = [
    ("frame", 1),
    ("command", 4),
    ("request", 100),
    ("record", 1),
    ("rulebook", 100),
    ("cards", 1),
    ("settle", 2),
    ("proof", 4),
    ("config", 1),
    ("seal", 1),
    ("keys", 1),
];

/// `fuzz [EXECUTIONS] [DECODER ...]`
pub(crate) fn fuzz(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut executions, mut wanted) = (EXECUTIONS, vec![]);
    for argument in arguments {
        match argument.parse() {
            Ok(number) => executions = number,
            Err(_) => wanted.push(argument),
        }
    }
    let folder = Path::new(ROOT).join("fuzz");
    run(Command::new(env!("CARGO"))
        .args(["build", "--release", "--target", TARGET])
        .current_dir(&folder)
        .env("RUSTFLAGS", FLAGS))?;
    let program = folder.join("target").join(TARGET).join("release/houseway-fuzz");
    let decoders: Vec<_> = DECODERS
        .into_iter()
        .filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|it| it == name))
        .collect();
    // Two at a time, a core each; the total is what counts.
    let (mut all, mut bad) = (0, vec![]);
    for pair in decoders.chunks(2) {
        let running: Vec<_> = pair
            .iter()
            .map(|(name, weight)| hunt(&program, &folder, name, executions / weight))
            .collect::<Result<_, _>>()?;
        for Hunt { name, start, mut child, executions } in running {
            let status = child.wait().map_err(|error| format!("{name}: {error}"))?;
            let seconds = start.elapsed().as_secs_f64();
            println!("{name}: {executions} executions in {seconds:.0} s, {status}");
            match status.success() {
                true => all += executions,
                false => bad.push(name),
            }
        }
    }
    println!("row 18, bad input: {all} executions over {} decoders, bad: {bad:?}", decoders.len());
    match bad.is_empty() {
        true => Ok(()),
        false => Err(format!("the inputs are in crates/trust/found: {bad:?}")),
    }
}

struct Hunt {
    name: &'static str,
    start: Instant,
    child: std::process::Child,
    executions: u64,
}

/// Starts a hunt. An input that panics, takes longer than a second or lets the program grow beyond
/// what it needs by 64 MiB ends it, and is kept.
fn hunt(
    program: &Path,
    folder: &Path,
    name: &'static str,
    executions: u64,
) -> Result<Hunt, String> {
    let corpus = folder.join("corpus").join(name);
    let found = PathBuf::from(ROOT).join("crates/trust/found").join(name);
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let trust = ["run", "--quiet", "--package", "houseway-trust", "--", "seeds", name];
    run(Command::new(env!("CARGO")).args(trust).arg(&corpus))?;
    let needed = needed(program, &corpus, name)?;
    let log = fs::File::create(folder.join("corpus").join(format!("{name}.log")));
    let log = log.map_err(|error| format!("{name}.log: {error}"))?;
    let child = Command::new(program)
        .arg(&corpus)
        .arg(format!("-runs={executions}"))
        .args(["-timeout=1", "-max_len=16384", "-print_final_stats=1"])
        .arg(format!("-rss_limit_mb={}", needed + MOST_MEMORY))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .env("HOUSEWAY_TARGET", name)
        .stderr(Stdio::from(log))
        .spawn()
        .map_err(|error| format!("{name}: {error}"))?;
    Ok(Hunt { name, start: Instant::now(), child, executions })
}

/// How much memory good inputs take, the fuzzer's own included, in MiB.
fn needed(program: &Path, corpus: &Path, name: &str) -> Result<u64, String> {
    let output = Command::new(program)
        .arg(corpus)
        .args(["-runs=0", "-print_final_stats=1"])
        .env("HOUSEWAY_TARGET", name)
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    peak(&told).ok_or_else(|| format!("{name}: no peak_rss_mb in what libFuzzer says: {told}"))
}

/// The peak of memory in the figures that libFuzzer prints last.
fn peak(told: &str) -> Option<u64> {
    let figure = told.lines().find_map(|line| line.strip_prefix("stat::peak_rss_mb:"));
    figure?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_of_memory_is_among_the_figures() {
        let told = "Done 0 runs in 0 second(s)\n\
                    stat::slowest_unit_time_sec:    0\n\
                    stat::peak_rss_mb:              47\n";
        assert_eq!(peak(told), Some(47));
        assert_eq!(peak("Done 0 runs"), None);
    }
}
