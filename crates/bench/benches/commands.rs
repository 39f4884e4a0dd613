//! The program itself: lines a second of `set --json -`, and the time of `rules --diff`.
//!
//! `cargo xtask bench` builds the program first. One process, one thread; the best of several
//! passes counts. Copying the same lines through a pipe without looking at them is the limit.
#![allow(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark prints its figures"
)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

const PASSES: usize = 5;
const LINES: usize = 1_000_000;

fn main() {
    let program = program();
    let lines = random_lines();
    println!("{LINES} hands a line each");
    let copied = best(|| pipe(Command::new("cat"), &lines));
    println!("  cat                        {:>6.2} million lines a second", rate(copied));
    for rules in ["mbs-2020", "all"] {
        let seconds = best(|| {
            let mut set = Command::new(&program);
            set.args(["set", "--rules", rules, "--json", "-"]);
            pipe(set, &lines);
        });
        println!("  set --rules {rules:<9} --json - {:>5.2} million lines a second", rate(seconds));
    }
    let seconds = best(|| {
        let mut set = Command::new(&program);
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/foxwoods.toml");
        set.args(["set", "--rules", file, "Ac Kd Ks Qh Jd Ts 3c"]);
        pipe(set, b"");
    });
    println!("a rulebook file read and proved, seconds {seconds:.2}");
    println!("rules --diff, seconds");
    for (a, b) in [("mbs-2020", "cardroom"), ("commission-free", "catfish-bend")] {
        let seconds = best(|| {
            let mut diff = Command::new(&program);
            diff.args(["rules", "--diff", a, b]);
            pipe(diff, b"");
        });
        println!("  {a} {b}  {seconds:.2}");
    }
}

fn rate(seconds: f64) -> f64 {
    LINES as f64 / seconds / 1e6
}

/// The program beside this one: `cargo xtask bench` has just built it.
fn program() -> PathBuf {
    let own = env::current_exe().expect("this program has a path");
    let program = own.ancestors().nth(2).expect("target/release").join("houseway");
    assert!(program.is_file(), "{} is not there: run `cargo xtask bench`", program.display());
    program
}

fn pipe(mut command: Command, input: &[u8]) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(fs::File::create("/dev/null").expect("somewhere to write to"))
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(input).expect("the program reads");
    assert!(child.wait().expect("the program ends").success());
}

fn best(mut run: impl FnMut()) -> f64 {
    (0..PASSES)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::MAX, f64::min)
}

fn random_lines() -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut deck: Vec<String> = houseway_rules::Card::all().map(|card| card.to_string()).collect();
    let mut lines = Vec::new();
    for _ in 0..LINES {
        for place in 0..7 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            deck.swap(place, place + (state >> 11) as usize % (53 - place));
        }
        lines.extend(deck[..7].join(" ").bytes());
        lines.push(b'\n');
    }
    lines
}
