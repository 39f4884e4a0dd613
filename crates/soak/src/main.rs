//! `houseway-soak`: nights from seeds, one or many, told in figures.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, bail, ensure};
use clap::Parser;
use houseway_soak::{Figures, Night, Plan, night, traced};
use serde::{Deserialize, Serialize};
use tokio::signal::unix::{SignalKind, signal};

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Plays whole nights of a house from seeds: the program itself, on simulated time, a simulated network
/// and a simulated way to the store.
///
/// A seed decides everything: which rules are played, who sits there and what they do, what the
/// network and the store do to them, when nodes die and come back. After every step the night is
/// held against what must hold: books balance, no card twice, the log gives the table, nothing that
/// was acknowledged is lost or done twice, nobody sees what they may not. The same seed gives the
/// same night, bit for bit.
///
/// How far it has come is told on the standard error. A run that is interrupted plays the nights in
/// progress to their end and tells what it has.
///
/// Examples:
///
///   houseway-soak --seeds 0..500          five hundred nights, on two threads
///   houseway-soak --seed 7 --twice        one night, twice: the same hash
///   houseway-soak --seed 7 --trace        what happened in it, line by line
///   houseway-soak --seeds 0..10000 --twice=10 --json >nights.json
///                                         figures for another program; each tenth night twice
///   houseway-soak --seeds 4210..10000 --twice=10 --json --after nights.json
///                                         goes on where that was interrupted
///   houseway-soak --matrix                interruptions, cell by cell
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Args {
    /// One night.
    #[arg(long, conflicts_with = "seeds")]
    seed: Option<u64>,
    /// Many nights: from the first seed up to, not including, the last.
    #[arg(long, value_name = "FROM..TO", value_parser = range)]
    seeds: Option<(u64, u64)>,
    /// Play nights twice and compare: all, or those whose seeds are multiples of a number.
    #[arg(
        long,
        value_name = "NUMBER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    twice: Option<u64>,
    /// What an earlier part has printed with `--json`; it is added to this one, which begins where
    /// that one ended.
    #[arg(long, value_name = "FILE", requires = "seeds")]
    after: Option<PathBuf>,
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
    let before = match &args.after {
        Some(file) => Some(earlier(file, from)?),
        None => None,
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    listen(interrupted.clone());
    let part = Mutex::new(Part { from, to, ..Part::default() });
    let progress = Mutex::new(Progress::new(to - from));
    let next = AtomicU64::new(from);
    thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                while !interrupted.load(Ordering::Relaxed) {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= to {
                        return;
                    }
                    let (night, same) = play(&args, seed);
                    let mut part = part.lock().expect("nobody panics with it");
                    part.add(night, same);
                    progress.lock().expect("nobody panics with it").tell(&part);
                }
            });
        }
    });
    let mut part = part.into_inner().context("a night broke off")?;
    // Seeds are taken in their order, and whatever was taken was played.
    part.to = next.into_inner().min(to);
    let elapsed = progress.into_inner().context("a night broke off")?.began.elapsed();
    part.seconds = elapsed.as_secs_f64();
    if let Some(before) = before {
        part.add_earlier(before);
    }
    report(&args, &part)?;
    ensure!(part.wrong.is_empty(), "{} of the nights broke", part.wrong.len());
    ensure!(part.to == to, "interrupted before seed {}: go on with --seeds {0}..{to}", part.to);
    Ok(())
}

/// Listens for whoever interrupts, beside the nights.
fn listen(interrupted: Arc<AtomicBool>) {
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        runtime.block_on(interruptions(&interrupted))
    });
}

/// Whoever interrupts wants to know what there is so far; whoever does it twice does not.
async fn interruptions(interrupted: &AtomicBool) -> io::Result<()> {
    let mut stop = signal(SignalKind::interrupt())?;
    let mut end = signal(SignalKind::terminate())?;
    loop {
        let code = tokio::select! { _ = stop.recv() => 130, _ = end.recv() => 143 };
        if interrupted.swap(true, Ordering::Relaxed) {
            std::process::exit(code);
        }
    }
}

/// One night, and whether it was the same if it was played again.
fn play(args: &Args, seed: u64) -> (Night, Option<bool>) {
    let plan = || {
        let plan = Plan::of(seed);
        match args.rounds {
            Some(rounds) => plan.rounds(rounds),
            None => plan,
        }
    };
    let first = if args.trace { traced(plan()) } else { night(plan()) };
    let twice = args.twice.is_some_and(|every| seed.is_multiple_of(every));
    let same = twice.then(|| night(plan()).hash == first.hash);
    (first, same)
}

/// What many nights came to. Parts can be added.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Part {
    /// The first seed, and the one after the last.
    from: u64,
    to: u64,
    seconds: f64,
    figures: Figures,
    wrong: Vec<Wrong>,
    /// Of the last night.
    #[serde(skip)]
    hash: String,
    #[serde(skip)]
    trace: Vec<String>,
}

/// A night that broke.
#[derive(Serialize, Deserialize)]
struct Wrong {
    seed: u64,
    broke: String,
    replay: String,
}

impl Part {
    fn add(&mut self, night: Night, same: Option<bool>) {
        self.figures.add(&night.figures);
        let seed = night.plan.seed;
        if let Some((what, how)) = night.breaks.first() {
            self.broke(seed, format!("{what}: {how}"));
        }
        self.figures.twice += u64::from(same == Some(true));
        if same == Some(false) {
            self.figures.breaks += 1;
            self.broke(seed, "another night when it was played again".into());
        }
        self.hash = night.hash;
        self.trace = night.trace;
    }

    fn broke(&mut self, seed: u64, broke: String) {
        let replay = format!("cargo run --release -p houseway-soak -- --seed {seed} --trace");
        self.wrong.push(Wrong { seed, broke, replay });
    }

    fn add_earlier(&mut self, mut earlier: Part) {
        self.from = earlier.from;
        self.seconds += earlier.seconds;
        self.figures.add(&earlier.figures);
        earlier.wrong.append(&mut self.wrong);
        self.wrong = earlier.wrong;
    }
}

/// What an earlier part has printed.
fn earlier(file: &Path, from: u64) -> anyhow::Result<Part> {
    let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let part: Part = serde_json::from_str(&text)
        .with_context(|| format!("{} is not what --json prints", file.display()))?;
    let (to, name) = (part.to, file.display());
    ensure!(to == from, "{name} ends before seed {to}: go on with --seeds {to}.., not {from}..");
    Ok(part)
}

/// How far a run has come.
struct Progress {
    began: Instant,
    told: Instant,
    wanted: u64,
}

impl Progress {
    fn new(wanted: u64) -> Progress {
        let now = Instant::now();
        Progress { began: now, told: now, wanted }
    }

    /// Tells it, now and then.
    #[expect(clippy::cast_precision_loss, reason = "rates are told to two places")]
    fn tell(&mut self, part: &Part) {
        const NOW_AND_THEN: Duration = Duration::from_secs(20);
        if self.told.elapsed() < NOW_AND_THEN {
            return;
        }
        self.told = Instant::now();
        let played = part.figures.seeds;
        let rate = played as f64 / self.began.elapsed().as_secs_f64();
        let left = (self.wanted - played) as f64 / rate / 60.0;
        let (wanted, wrong) = (self.wanted, part.wrong.len());
        // Whoever does not read it misses nothing else.
        let _ = writeln!(
            io::stderr(),
            "{played} of {wanted} nights, {rate:.2} a second, {left:.0} min left, {wrong} broke"
        );
    }
}

/// A part as another program reads it.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Told<'a> {
    row: u8,
    what: &'a str,
    asked: &'a str,
    reached: String,
    holds: bool,
    #[serde(flatten)]
    part: &'a Part,
    faults: u64,
    kinds: usize,
    checks: u64,
    kinds_of_checks: usize,
    seeds_per_second: f64,
    hash: Option<&'a str>,
}

#[expect(clippy::cast_precision_loss, reason = "rates are told to two places")]
fn report(args: &Args, part: &Part) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let Part { figures, seconds, wrong, .. } = part;
    let rate = figures.seeds as f64 / seconds;
    for line in &part.trace {
        writeln!(out, "{line}")?;
    }
    if args.json {
        let told = Told {
            row: 7,
            what: "deterministic simulation",
            asked: "10,000 seeds and 1,000,000 rounds, breaks 0, the same seed twice the same hash",
            reached: format!(
                "{} nights, {} of them twice, {} rounds, {} faults, {} checks, {} nights that broke",
                figures.seeds,
                figures.twice,
                figures.rounds,
                figures.faults_in_all(),
                figures.checks_in_all(),
                wrong.len()
            ),
            holds: wrong.is_empty(),
            part,
            faults: figures.faults_in_all(),
            kinds: figures.faults.len(),
            checks: figures.checks_in_all(),
            kinds_of_checks: figures.checks.len(),
            seeds_per_second: rate,
            hash: args.seed.map(|_| &*part.hash),
        };
        serde_json::to_writer_pretty(&mut out, &told)?;
        return Ok(writeln!(out)?);
    }
    writeln!(out, "nights            {} in {seconds:.1} s, {rate:.2} a second", figures.seeds)?;
    writeln!(out, "played twice      {}, with the same hash", figures.twice)?;
    writeln!(out, "for the house     {:.1} h", figures.simulated_ms as f64 / 3_600_000.0)?;
    writeln!(out, "rounds            {}", figures.rounds)?;
    writeln!(out, "log entries       {}", figures.entries)?;
    writeln!(out, "moves of money    {}", figures.transfers)?;
    writeln!(out, "commands          {}, sent {} times", figures.commands, figures.sent)?;
    writeln!(out, "answered again    {}, always the same", figures.answered_again)?;
    writeln!(out, "after hanging up  {} arrived", figures.outlived)?;
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
        writeln!(out, "hash of {seed}  {}", part.hash)?;
    }
    for Wrong { seed, broke, replay } in wrong {
        writeln!(out, "seed {seed} broke: {broke}")?;
        writeln!(out, "  to see it again: {replay}")?;
    }
    writeln!(out, "breaks            {}", wrong.len())?;
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
            "power-losses": cells.iter().filter(|it| it.lost > 0).count(),
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
