//! `houseway-soak`: nights from seeds, one or many, told in figures.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Parser;
use houseway_soak::{Figures, Night, Plan, night, traced};

/// Plays whole nights of a house from seeds: the program itself, on simulated time, a simulated network
/// and a simulated way to the store.
///
/// A seed decides everything: which rules are played, who sits there and what they do, what the
/// network and the store do to them, when nodes die and come back. After every step the night is
/// held against what must hold: books balance, no card twice, the log gives the table, nothing that
/// was acknowledged is lost or done twice, nobody sees what they may not. The same seed gives the
/// same night, bit for bit.
///
/// Examples:
///
///   houseway-soak --seeds 0..500          five hundred nights, on two threads
///   houseway-soak --seed 7 --twice        one night, twice: the same hash
///   houseway-soak --seed 7 --trace        what happened in it, line by line
///   houseway-soak --seeds 0..10000 --json figures for another program
///   houseway-soak --matrix                interruptions, cell by cell
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
struct Args {
    /// One night.
    #[arg(long, conflicts_with = "seeds")]
    seed: Option<u64>,
    /// Many nights: from the first seed up to, not including, the last.
    #[arg(long, value_name = "FROM..TO", value_parser = range)]
    seeds: Option<(u64, u64)>,
    /// Play each night twice and compare.
    #[arg(long)]
    twice: bool,
    /// Print what happened in a night, line by line, before its figures.
    #[arg(long, requires = "seed")]
    trace: bool,
    /// Instead of nights, play the interruption matrix: every boundary of a round × every kind of
    /// break × every rulebook.
    #[arg(long, conflicts_with_all = ["seed", "seeds"])]
    matrix: bool,
    /// How many nights are played at once.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// How many rounds a night has; what the seed says, if nothing is said.
    #[arg(long)]
    rounds: Option<u64>,
    /// Figures as JSON.
    #[arg(long)]
    json: bool,
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("`{text}` is no range of seeds: write for example 0..500");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let number = |it: &str| it.trim().parse::<u64>().map_err(|_| wrong());
    let (from, to) = (number(from)?, number(to)?);
    if from < to { Ok((from, to)) } else { Err(wrong()) }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if args.matrix {
        return matrix(args.json);
    }
    let (from, to) = match (args.seed, args.seeds) {
        (Some(seed), _) => (seed, seed + 1),
        (None, Some(seeds)) => seeds,
        (None, None) => bail!("say which nights: --seed 7 or --seeds 0..500; --help tells more"),
    };
    let began = Instant::now();
    let found = Mutex::new(Found::default());
    let next = AtomicU64::new(from);
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= to {
                        return;
                    }
                    let played = play(&args, seed);
                    found.lock().expect("nobody panics with it").add(played);
                }
            });
        }
    });
    let found = found.into_inner().context("a night broke off")?;
    report(&args, &found, began.elapsed().as_secs_f64())?;
    if found.wrong.is_empty() { Ok(()) } else { bail!("{} of the nights broke", found.wrong.len()) }
}

/// One night, and whether it was the same when it was played again.
fn play(args: &Args, seed: u64) -> (Night, bool) {
    let plan = || {
        let plan = Plan::of(seed);
        match args.rounds {
            Some(rounds) => plan.rounds(rounds),
            None => plan,
        }
    };
    let first = if args.trace { traced(plan()) } else { night(plan()) };
    let same = !args.twice || night(plan()).hash == first.hash;
    (first, same)
}

/// What many nights came to.
#[derive(Default)]
struct Found {
    figures: Figures,
    wrong: Vec<(u64, String)>,
    hash: String,
    trace: Vec<String>,
}

impl Found {
    fn add(&mut self, (night, same): (Night, bool)) {
        self.figures.add(&night.figures);
        let seed = night.plan.seed;
        if let Some((what, how)) = night.breaks.first() {
            self.wrong.push((seed, format!("{what}: {how}")));
        }
        if !same {
            self.wrong.push((seed, "another night when it was played again".into()));
        }
        self.hash = night.hash;
        self.trace = night.trace;
    }
}

#[expect(clippy::cast_precision_loss, reason = "rates are told to two places")]
fn report(args: &Args, found: &Found, seconds: f64) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let figures = &found.figures;
    for line in &found.trace {
        writeln!(out, "{line}")?;
    }
    if args.json {
        let wrong: Vec<serde_json::Value> = found
            .wrong
            .iter()
            .map(|(seed, how)| serde_json::json!({"seed": seed, "broke": how, "replay": replay(*seed)}))
            .collect();
        let reached = format!(
            "{} nights, {} rounds, {} faults, {} checks, {} nights that broke",
            figures.seeds,
            figures.rounds,
            figures.faults_in_all(),
            figures.checks_in_all(),
            found.wrong.len()
        );
        let all = serde_json::json!({
            "row": 7,
            "what": "deterministic simulation",
            "asked": "10,000 seeds and 1,000,000 rounds, breaks 0, the same seed twice the same hash",
            "reached": reached,
            "holds": found.wrong.is_empty(),
            "figures": figures,
            "faults": figures.faults_in_all(),
            "checks": figures.checks_in_all(),
            "seconds": seconds,
            "seeds-per-second": figures.seeds as f64 / seconds,
            "same-hash-twice": args.twice,
            "hash": args.seed.map(|_| &found.hash),
            "wrong": wrong,
        });
        writeln!(out, "{all:#}")?;
        return Ok(());
    }
    let rate = figures.seeds as f64 / seconds;
    writeln!(out, "nights            {} in {seconds:.1} s, {rate:.2} a second", figures.seeds)?;
    writeln!(out, "for the house     {:.1} h", figures.simulated_ms as f64 / 3_600_000.0)?;
    writeln!(out, "rounds            {}", figures.rounds)?;
    writeln!(out, "log entries       {}", figures.entries)?;
    writeln!(out, "moves of money    {}", figures.transfers)?;
    writeln!(out, "commands          {}, sent {} times", figures.commands, figures.sent)?;
    writeln!(out, "answered again    {}, always the same", figures.answered_again)?;
    writeln!(out, "other content     {}, all refused", figures.other_content)?;
    writeln!(out, "not allowed       {}, all refused", figures.illegal)?;
    let (races, taken) = (figures.races, figures.races_taken);
    writeln!(out, "within 5 ms of the close  {races}, of which {taken} in time")?;
    writeln!(out, "faults            {}", figures.faults_in_all())?;
    for (fault, count) in &figures.faults {
        writeln!(out, "  {:<22} {count}", format!("{fault:?}"))?;
    }
    writeln!(out, "checks            {}", figures.checks_in_all())?;
    for (invariant, count) in &figures.checks {
        writeln!(out, "  {:<22} {count}", format!("{invariant:?}"))?;
    }
    if let Some(seed) = args.seed {
        let twice = if args.twice { ", twice" } else { "" };
        writeln!(out, "hash of {seed}{twice}  {}", found.hash)?;
    }
    for (seed, how) in &found.wrong {
        writeln!(out, "seed {seed} broke: {how}")?;
        writeln!(out, "  to see it again: {}", replay(*seed))?;
    }
    writeln!(out, "breaks            {}", found.wrong.len())?;
    Ok(())
}

/// The interruption matrix, in figures.
fn matrix(json: bool) -> anyhow::Result<()> {
    let cells = houseway_soak::matrix::all();
    let wrong: Vec<String> =
        cells.iter().filter(|cell| cell.wrong.is_some()).map(ToString::to_string).collect();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for cell in &cells {
        *counts.entry(format!("{} {:?}", cell.rules, cell.broken)).or_default() += 1;
    }
    let mut out = io::stdout().lock();
    if json {
        let all = serde_json::json!({
            "row": 11,
            "what": "interruption matrix",
            "asked": "every event × every break × every rulebook, all cells as the rules say",
            "reached": format!("{} cells, {} otherwise", cells.len(), wrong.len()),
            "holds": wrong.is_empty(),
            "cells": cells.len(),
            "wrong": wrong,
            "counts": counts,
        });
        writeln!(out, "{all:#}")?;
    } else {
        for (what, count) in counts {
            writeln!(out, "{what:<28} {count} cells")?;
        }
        wrong.iter().try_for_each(|cell| writeln!(out, "{cell}"))?;
        writeln!(out, "cells {}, otherwise than the rules say {}", cells.len(), wrong.len())?;
    }
    if wrong.is_empty() { Ok(()) } else { bail!("{} cells are wrong", wrong.len()) }
}

/// What plays a night again.
fn replay(seed: u64) -> String {
    format!("cargo run --release -p houseway-soak -- --seed {seed} --trace")
}
