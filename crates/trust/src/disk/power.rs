//! Power failures: at every step of an evening, what a disk may look like afterwards, and whether the
//! house finds everything on it that it acknowledged.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, Result, bail};
use rand::SeedableRng;
use rand::rngs::ChaCha12Rng;
use serde_json::{Value, json};

use super::evening::{Evening, Told, fault_of};
use super::journal::{Disk, Loss, Step, read};
use super::{control, folder, is_watched, watched, write_image};
use crate::outcome::Outcome;

/// How many steps an evening has that gives more than ten thousand images.
const TURNS: u32 = 90;

/// Of the faults found so many are told.
const TOLD: usize = 5;

/// Plays an evening and looks at so many images, chosen evenly from all there are, and at one right after
/// every answer, if there are no more of these than that. A disk that lies
/// confirms syncs and does nothing: then faults must be found.
pub fn run(images: usize, lying: bool, seed: u64) -> Result<Outcome> {
    if is_watched() {
        return look(images, lying, seed);
    }
    let place = folder()?;
    let (images, seed) = (images.to_string(), seed.to_string());
    let mut arguments = vec!["power-loss", "--json", "--seed", &seed, "--images", &images];
    if lying {
        arguments.push("--lying");
    }
    let arguments: Vec<&OsStr> = arguments.into_iter().map(OsStr::new).collect();
    let output = watched(place.path(), &arguments, 0)?.output().context("it cannot be started")?;
    let Ok(found) = serde_json::from_slice::<Value>(&output.stdout) else {
        bail!("it ended without a word: {}", String::from_utf8_lossy(&output.stderr));
    };
    Ok(outcome(&found["figures"], lying, output.status.success()))
}

fn outcome(figures: &Value, lying: bool, holds: bool) -> Outcome {
    let reached = format!(
        "{} images of {} steps, {} with a fault, {} of {} answers before their sync",
        figures["images"],
        figures["steps"],
        figures["faults"],
        figures["early"],
        figures["acknowledged_examined"]
    );
    let asked = match lying {
        true => "a disk that lies, faults found",
        false => "10,000 images, acknowledged and lost 0",
    };
    Outcome::new(5, "power loss on SQLite", asked, reached, holds, figures.clone())
}

/// What images had.
#[derive(Default)]
struct Found {
    by_loss: BTreeMap<String, u64>,
    /// Answers right after which a disk was looked at that dropped everything unsynced.
    answers: u64,
    /// Those of them that were told before they were on the disk.
    early: u64,
    faults: Vec<String>,
}

impl Found {
    fn plus(mut self, other: Found) -> Found {
        for (loss, times) in other.by_loss {
            *self.by_loss.entry(loss).or_default() += times;
        }
        self.answers += other.answers;
        self.early += other.early;
        self.faults.extend(other.faults);
        self
    }
}

fn look(images: usize, lying: bool, seed: u64) -> Result<Outcome> {
    let place = folder()?;
    let mut steps = record(place.path(), seed)?;
    if lying {
        steps.retain(|step| !matches!(step, Step::Sync { .. }));
    }
    let mut all = 0;
    power_failures(&steps, |_, _, _| {
        all += 1;
        Ok(())
    })?;
    // Six losses follow each other: a distance that shares no divisor with six meets them all alike.
    let distances = (1..=all / images.max(1)).rev();
    let every = distances.into_iter().find(|it| it % 2 != 0 && it % 3 != 0).unwrap_or(1);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let acknowledged = steps.iter().filter(|it| matches!(it, Step::Told(_))).count();
    let answers_every = acknowledged.div_ceil(images.max(1)).max(1);
    let found = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers)
            .map(|worker| {
                let (folder, steps) = (place.path().join(format!("image{worker}")), &steps);
                let share = Share { every, answers_every, workers, worker };
                scope.spawn(move || examine(steps, &folder, seed, share))
            })
            .collect();
        let found = workers.into_iter().map(|it| it.join().expect("nobody panics"));
        found.collect::<Result<Vec<Found>>>()
    })?;
    let Found { by_loss, answers, early, faults } =
        found.into_iter().fold(Found::default(), Found::plus);
    let figures = json!({
        "images": by_loss.values().sum::<u64>(),
        "by_loss": by_loss,
        "steps": steps.len(),
        "syncs": steps.iter().filter(|it| matches!(it, Step::Sync { .. })).count(),
        "acknowledged": acknowledged,
        "acknowledged_examined": answers,
        "early": early,
        "faults": faults.len(),
        "first_faults": faults.iter().take(TOLD).collect::<Vec<_>>(),
        "seed": seed,
    });
    Ok(outcome(&figures, lying, faults.is_empty() != lying))
}

/// Plays an evening, and says what happened to its folder.
fn record(place: &Path, seed: u64) -> Result<Vec<Step>> {
    let (house, journal) = (place.join("house"), place.join("journal"));
    std::fs::create_dir(&house).context("no folder can be made")?;
    control(&format!("watch {}", house.display()))?;
    control(&format!("journal {}", journal.display()))?;
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    runtime.block_on(async {
        let mut evening = Evening::new(&house, seed)?;
        while evening.turns() < TURNS {
            evening.step().await?;
        }
        evening.close().await;
        anyhow::Ok(())
    })?;
    control("stop")?;
    read(&journal)
}

/// Walks over every power failure there can be: after each step, with each loss that makes a
/// difference.
fn power_failures(
    steps: &[Step],
    mut visit: impl FnMut(usize, &Disk, Loss) -> Result<()>,
) -> Result<()> {
    let mut disk = Disk::default();
    for (number, step) in steps.iter().enumerate() {
        disk.apply(step);
        let losses = if disk.is_settled() { &Loss::ALL[..1] } else { &Loss::ALL };
        losses.iter().try_for_each(|loss| visit(number, &disk, *loss))?;
    }
    Ok(())
}

/// Which images one of the workers looks at: some of all, and the disks that dropped everything unsynced
/// right after an answer, which are where an early one shows.
#[derive(Clone, Copy)]
struct Share {
    every: usize,
    answers_every: usize,
    workers: usize,
    worker: usize,
}

impl Share {
    /// The image of a number among all; `answer` is its number among those after an answer.
    fn has(self, number: usize, answer: Option<usize>) -> bool {
        let mine = |number: usize, every: usize| {
            number.is_multiple_of(every).then(|| number / every % self.workers == self.worker)
        };
        let chosen = answer.and_then(|answer| mine(answer, self.answers_every));
        chosen.or_else(|| mine(number, self.every)).unwrap_or(false)
    }
}

fn examine(steps: &[Step], folder: &Path, seed: u64, share: Share) -> Result<Found> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("no runtime")?;
    let (mut found, mut told, mut heard, mut number) = (Found::default(), Vec::new(), 0, 0);
    power_failures(steps, |at, disk, loss| {
        for step in &steps[heard..=at] {
            if let Step::Told(line) = step {
                told.push(Told::read(line)?);
            }
        }
        heard = at + 1;
        number += 1;
        let after_answer = loss == Loss::Dropped && matches!(steps[at], Step::Told(_));
        let answer = after_answer.then(|| told.len() - 1);
        if !share.has(number - 1, answer) {
            return Ok(());
        }
        found.answers += u64::from(after_answer);
        let mut chance = ChaCha12Rng::seed_from_u64(seed);
        chance.set_stream(number as u64);
        write_image(folder, &disk.after(loss, &mut chance))?;
        *found.by_loss.entry(format!("{loss:?}").to_lowercase()).or_default() += 1;
        if let Some(fault) = runtime.block_on(fault_of(folder, &told))? {
            found.early += u64::from(after_answer && fault.starts_with("lost"));
            found.faults.push(format!("after step {at}, {loss:?}: {fault}"));
        }
        Ok(())
    })?;
    Ok(found)
}
