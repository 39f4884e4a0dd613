//! Calls that fail: the n-th one, for every n, once or until the disk is repaired. Nothing that was
//! acknowledged may be lost, not even if the power fails later; what cannot be kept is refused soon.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rand::SeedableRng;
use rand::rngs::ChaCha12Rng;
use serde_json::{Value, json};

use super::evening::{Evening, Told, fault_of};
use super::journal::{Disk, Loss, Step, read_so_far};
use super::{control, folder, is_watched, watched, write_image};
use crate::outcome::Outcome;

/// The kinds of `disk.c`, in its order, and up to which n a full run goes. Syncs are few beside other
/// calls, and an evening with so many of them would take too long to play two thousand times.
const KINDS: [(&str, usize); 4] =
    [("I/O error", 2_000), ("full disk", 2_000), ("short write", 2_000), ("failed sync", 400)];

/// How soon what cannot be kept is refused.
const SOON: Duration = Duration::from_secs(1);

/// Nothing takes so long: it hangs.
const HANGS: Duration = Duration::from_secs(30);

/// How many turns are played after the repair.
const AFTER: u32 = 2;

/// Of the faults found so many are told.
const TOLD: usize = 12;

/// Some of the cases.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Every so-many-th, from one on.
    Share {
        /// The first.
        first: usize,
        /// Of how many.
        of: usize,
    },
    /// One of them, with everything that happens to its disk.
    One(Case),
}

/// One call that fails.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    kind: usize,
    nth: usize,
    /// Whether all later ones fail too, until the disk is repaired.
    lasting: bool,
}

impl FromStr for Part {
    type Err = &'static str;

    /// `0/2` is the first half; `0:17` the 17th call of the first kind, `0:17+` and all later ones.
    fn from_str(text: &str) -> Result<Part, &'static str> {
        let wrong = "neither a share such as 0/2 nor a case such as 0:17 or 0:17+";
        let number = |text: &str| text.parse().map_err(|_| wrong);
        if let Some((first, of)) = text.split_once('/') {
            return Ok(Part::Share { first: number(first)?, of: number(of)? });
        }
        let (kind, nth) = text.split_once(':').ok_or(wrong)?;
        let kind = number(kind).ok().filter(|kind| *kind < KINDS.len()).ok_or(wrong)?;
        let nth_alone = nth.strip_suffix('+').unwrap_or(nth);
        let lasting = nth_alone.len() < nth.len();
        Ok(Part::One(Case { kind, nth: number(nth_alone)?, lasting }))
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { kind, nth, lasting } = self;
        write!(f, "{kind}:{nth}{}", if *lasting { "+" } else { "" })
    }
}

/// Tries every n up to the full figures, or one in so many of them.
pub fn run(one_in: usize, part: Option<Part>, seed: u64) -> Result<Outcome> {
    if let (true, Some(part)) = (is_watched(), part) {
        return try_part(one_in, part, seed);
    }
    let place = folder()?;
    let one = match part {
        Some(Part::One(case)) => Some(case.to_string()),
        _ => None,
    };
    let workers = match one {
        Some(_) => 1,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let (one_in, seed) = (one_in.to_string(), seed.to_string());
    let mut running = Vec::new();
    for worker in 0..workers {
        let part = one.clone().unwrap_or_else(|| format!("{worker}/{workers}"));
        let arguments =
            ["io-faults", "--json", "--seed", &seed, "--one-in", &one_in, "--part", &part];
        let mut child = watched(place.path(), &arguments.map(OsStr::new), worker)?;
        running.push(child.spawn().context("it cannot be started")?);
    }
    let mut parts = Vec::new();
    for child in running {
        let output = child.wait_with_output().context("it cannot be waited for")?;
        let Ok(found) = serde_json::from_slice::<Value>(&output.stdout) else {
            bail!("a part ended without a word");
        };
        parts.push(found["figures"].clone());
    }
    let sum = |name: &str| parts.iter().filter_map(|it| it[name].as_u64()).sum::<u64>();
    let longest = parts.iter().filter_map(|it| it["longest_refusal_ms"].as_u64()).max();
    let first: Vec<&Value> =
        parts.iter().filter_map(|it| it["first_faults"].as_array()).flatten().take(TOLD).collect();
    Ok(outcome(&json!({
        "cases": sum("cases"),
        "met": sum("met"),
        "refusals": sum("refusals"),
        "acknowledged": sum("acknowledged"),
        "longest_refusal_ms": longest,
        "faults": sum("faults"),
        "first_faults": first,
        "seed": seed,
    })))
}

fn outcome(figures: &Value) -> Outcome {
    let reached = format!(
        "{} faults met in {} cases, {} refusals, the longest after {} ms; {} false answers or losses",
        figures["met"],
        figures["cases"],
        figures["refusals"],
        figures["longest_refusal_ms"],
        figures["faults"]
    );
    let asked =
        "every n <= 2,000, false answers 0, refused within 1 s, nothing lost after the repair";
    let holds = figures["faults"] == 0 && figures["met"] != 0;
    Outcome::new(6, "I/O faults under SQLite", asked, reached, holds, figures.clone())
}

#[derive(Default)]
struct Found {
    cases: u64,
    met: u64,
    refusals: u64,
    acknowledged: u64,
    longest: Duration,
    faults: Vec<String>,
}

fn try_part(one_in: usize, part: Part, seed: u64) -> Result<Outcome> {
    let place = folder()?;
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    let mut found = Found::default();
    let (mut number, first, of) = match part {
        Part::Share { first, of } => (0, first, of),
        Part::One(case) => {
            runtime.block_on(try_case(case, place.path(), seed, &mut found, true))?;
            return Ok(found.outcome(seed));
        }
    };
    for (kind, (_, most)) in KINDS.iter().enumerate() {
        for nth in 1..=*most {
            for lasting in [false, true] {
                number += 1;
                if number % one_in == 0 && number / one_in % of == first {
                    let case = Case { kind, nth, lasting };
                    runtime.block_on(try_case(case, place.path(), seed, &mut found, false))?;
                }
            }
        }
    }
    Ok(found.outcome(seed))
}

impl Found {
    fn outcome(&self, seed: u64) -> Outcome {
        outcome(&json!({
            "cases": self.cases,
            "met": self.met,
            "refusals": self.refusals,
            "acknowledged": self.acknowledged,
            "longest_refusal_ms": self.longest.as_millis() as u64,
            "faults": self.faults.len(),
            "first_faults": self.faults.iter().take(TOLD).collect::<Vec<_>>(),
            "seed": seed,
        }))
    }
}

/// How many calls have failed.
fn failed(place: &Path) -> Result<u64> {
    let counts = place.join("counts");
    control(&format!("count {}", counts.display()))?;
    let text = std::fs::read_to_string(&counts).context("disk.c does not count")?;
    text.split(' ').next_back().and_then(|it| it.parse().ok()).context("disk.c does not count")
}

/// What becomes of a house whose disk failed, once the disk is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// It goes on, if it can.
    GoesOn,
    /// It is closed and opened again.
    Opened,
    /// It is killed and started again; the system still remembers what was written.
    Killed,
}

async fn try_case(
    case: Case,
    place: &Path,
    seed: u64,
    found: &mut Found,
    aloud: bool,
) -> Result<()> {
    let Case { kind, nth, lasting } = case;
    let then = [Then::GoesOn, Then::Opened, Then::Killed][nth % 3];
    let (house, journal) = (place.join("house"), place.join("journal"));
    write_image(&house, &[].into())?;
    control(&format!("watch {}", house.display()))?;
    control(&format!("journal {}", journal.display()))?;
    let mut evening = Evening::new(&house, seed)?;
    control(&format!("fail {kind} {nth} {}", u8::from(lasting)))?;
    found.cases += 1;
    let mut wrong = |what: String| {
        let (name, _) = KINDS[kind];
        found.faults.push(format!("--part {case} ({name}, {then:?}): {what}"));
    };
    let (mut disk, mut told) = (Disk::default(), Vec::new());
    let (mut refusals, mut until, mut folder) = (0_u32, None, house);
    while until.is_none_or(|until| evening.turns() < until) {
        let start = Instant::now();
        let step = tokio::time::timeout(HANGS, evening.step()).await;
        let (took, met) = (start.elapsed(), refusals > 0 || failed(place)? > 0);
        match step {
            // A fault that nobody minds.
            Ok(Ok(())) if met && until.is_none() => until = Some(evening.turns() + AFTER),
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                let error = format!("{error:#}");
                if aloud {
                    eprintln!("refused: {error}");
                }
                refusals += 1;
                found.longest = found.longest.max(took);
                if took > SOON {
                    wrong(format!("refused after {} ms: {error}", took.as_millis()));
                }
                if !met || refusals > 20 {
                    wrong(format!("a refusal without a fault: {error}"));
                    break;
                }
                control("heal")?;
                until = Some(evening.turns() + AFTER);
                if then == Then::Killed && refusals == 1 {
                    control("stop")?;
                    play_back(&journal, &mut disk, &mut told, aloud)?;
                    folder = place.join("house-again");
                    write_image(&folder, &disk.seen())?;
                    disk = disk.moved_to(&folder)?;
                    evening = evening.moved_to(&folder).await?;
                    control(&format!("watch {}", folder.display()))?;
                    control(&format!("journal {}", journal.display()))?;
                } else if then == Then::Opened || error.contains("open the store again") {
                    evening.close().await;
                }
            }
            Err(_) => {
                wrong("it hangs".into());
                break;
            }
        }
    }
    found.met += u64::from(refusals > 0 || failed(place)? > 0);
    found.refusals += u64::from(refusals);
    control("heal")?;
    // The power fails while the house is open; and, elsewhere, it is closed in good order.
    play_back(&journal, &mut disk, &mut told, aloud)?;
    found.acknowledged += told.len() as u64;
    evening.close().await;
    control("stop")?;
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    if let Some(fault) = fault_of(&folder, &told).await? {
        wrong(format!("after the repair {fault}"));
    }
    let image = place.join("image");
    write_image(&image, &disk.after(Loss::Dropped, &mut chance))?;
    if let Some(fault) = fault_of(&image, &told).await? {
        wrong(format!("after the repair and a power failure {fault}"));
    }
    Ok(())
}

/// Lets happen to a disk what a journal tells. The house may still be copying its log to the file.
fn play_back(journal: &Path, disk: &mut Disk, told: &mut Vec<Told>, aloud: bool) -> Result<()> {
    for step in read_so_far(journal)?.0 {
        if aloud {
            eprintln!("{step}");
        }
        disk.apply(&step);
        if let Step::Told(line) = step {
            told.push(Told::read(&line)?);
        }
    }
    Ok(())
}
