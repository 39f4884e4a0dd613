//! `houseway train`: drills for dealers and supervisors.

mod draw;
mod drills;
mod payouts;
mod schedule;
mod sitting;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use ratatui::crossterm::event::Event;
use serde::Serialize;
use tokio::sync::mpsc::unbounded_channel;

use crate::kept;
use crate::look::{Look, signed};
use crate::play::Library;
use crate::screen::{Screen, needs_terminal};

pub use drills::{Answer, Drill, Form, Judged, Question};
pub use schedule::{Again, Progress, Score};
pub use sitting::{Logged, Plan, Sitting};

/// How `train` is run.
pub struct Options {
    /// Where progress is kept.
    pub data: PathBuf,
    /// Rulebooks by id.
    pub library: Library,
    /// How it looks.
    pub look: Look,
    /// Who answers, where that was said.
    pub learner: Option<String>,
    /// What it is about.
    pub plan: Plan,
    /// A file that every answer is added to as a line of JSON.
    pub log: Option<PathBuf>,
}

/// Something that wakes the program.
enum Wake {
    Input(Event),
    Stop,
}

impl From<Event> for Wake {
    fn from(event: Event) -> Wake {
        Wake::Input(event)
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A seed that nobody chose.
pub fn any_seed() -> u64 {
    let mut system = rand::rngs::SysRng;
    rand::TryRng::try_next_u64(&mut system).unwrap_or_else(|_| now())
}

/// Drills until someone has enough; how it went.
pub fn run(options: Options) -> anyhow::Result<(Sitting, Option<String>)> {
    needs_terminal("train", "`houseway train --batch 20` prints questions with answers")?;
    let Options { data, library, look, learner, plan, log } = options;
    let path = data.join("train.json");
    let found = kept::read::<Progress>(&path)?;
    let mut log = match &log {
        None => None,
        Some(path) => {
            let opened = fs::OpenOptions::new().create(true).append(true).open(path);
            Some(opened.with_context(|| format!("cannot write {}", path.display()))?)
        }
    };
    let mut sitting = Sitting::new(look, library, found.value, plan, now());
    sitting.learner = learner;
    sitting.notice.clone_from(&found.remark);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut screen = Screen::open().context("the terminal cannot be used")?;
    let (wakes, mut woken) = unbounded_channel();
    Screen::listen(wakes.clone());
    runtime.block_on(async {
        crate::screen::stop_on_signals(move || wakes.send(Wake::Stop).is_ok());
        while !sitting.over {
            screen.draw(|frame| {
                draw::draw(&mut sitting, frame.buffer_mut());
            })?;
            match woken.recv().await {
                Some(Wake::Input(event)) => sitting.input(&event, now()),
                Some(Wake::Stop) | None => sitting.over = true,
            }
            if std::mem::take(&mut sitting.noted) {
                // At once, so that nothing is lost whatever comes.
                kept::write(&path, &sitting.progress)?;
                if let (Some(log), Some(last)) = (&mut log, sitting.log.last()) {
                    writeln!(log, "{}", serde_json::to_string(last)?)?;
                }
            }
        }
        anyhow::Ok(())
    })?;
    drop(screen);
    Ok((sitting, found.remark))
}

/// How a sitting went, in lines.
pub fn summary(sitting: &Sitting) -> Vec<String> {
    let (right, asked, cost) = sitting.score();
    if asked == 0 {
        return vec!["No question was answered.".into()];
    }
    let share = right * 100 / asked;
    let mut lines = vec![format!("{right} of {asked} right, {share} %.")];
    for drill in Drill::ALL {
        let of = |it: &&Logged| it.drill == drill;
        let asked = sitting.log.iter().filter(of).count();
        let right = sitting.log.iter().filter(of).filter(|it| it.right).count();
        if asked > 0 {
            let took: u64 = sitting.log.iter().filter(of).map(|it| it.took).sum();
            let seconds = took / 1000 / asked as u64;
            lines.push(format!("  {:10} {right} of {asked}, {seconds} s each", drill.id()));
        }
    }
    if cost > 0.0 {
        lines.push(format!("Settings that were not the best cost {cost:.5} of a dollar together."));
    }
    lines
}

/// A question with its answer, for other programs.
#[derive(Serialize)]
struct Printed<'a> {
    drill: Drill,
    rules: &'a str,
    number: u64,
    question: Vec<String>,
    answer: String,
    clauses: Vec<String>,
    why: Vec<String>,
}

/// Prints so many questions, and then their answers; as JSON, a question with its answer a line.
/// Questions are made as they are printed, answers from the same numbers again.
pub fn batch(
    library: &Library,
    plan: &Plan,
    number: u32,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let questions = || {
        let mut chance = ChaCha8Rng::seed_from_u64(plan.seed);
        (0..number as usize).map(move |place| {
            let draw = chance.next_u64();
            let drill = plan.drills[place % plan.drills.len()];
            let rules = &plan.rules[place / plan.drills.len() % plan.rules.len()];
            let rulebook = library.find(rules).context("the rulebook was found before")?;
            anyhow::Ok(Question::make(drill, rulebook, draw % 1_000_000))
        })
    };
    if json {
        for question in questions() {
            let question = question?;
            let solved = question.solved();
            let printed = Printed {
                drill: question.drill,
                rules: &question.rules,
                number: question.number,
                question: question.text(),
                answer: solved.correct,
                clauses: solved.clauses,
                why: solved.why,
            };
            writeln!(out, "{}", serde_json::to_string(&printed)?)?;
        }
        return Ok(());
    }
    writeln!(out, "QUESTIONS\n")?;
    for (place, question) in (1..).zip(questions()) {
        for (row, line) in question?.text().iter().enumerate() {
            match row {
                0 => writeln!(out, "{place:3}. {line}")?,
                _ => writeln!(out, "     {line}")?,
            }
        }
        writeln!(out)?;
    }
    writeln!(out, "ANSWERS\n")?;
    for (place, question) in (1..).zip(questions()) {
        let question = question?;
        let solved = question.solved();
        let answer = match &question.form {
            Form::Hand(hand) => {
                let low = hand.right.first().copied().unwrap_or_default();
                let lies = match hand.laid {
                    Some(laid) if hand.right.contains(&laid) => "It lies right. ",
                    Some(_) => "It lies wrong. ",
                    None => "",
                };
                format!("{lies}Low {low}, High {}", hand.dealt.cards().without(low))
            }
            Form::Amount(amount) => signed(amount.right),
        };
        writeln!(out, "{place:3}. {answer}")?;
        for line in &solved.why {
            writeln!(out, "     {line}")?;
        }
    }
    Ok(())
}
