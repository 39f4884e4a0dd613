//! `cargo xtask scorecard`: what reliability is asked of the house, row by row, run and written down.
//!
//! ```text
//!  rows ──► what is asked, the commands that show it, the figures in their output and their bounds
//!   │
//!   ▼
//!  runs ──► one command after the other; what they say, read
//!   │
//!   ▼
//!  kept ──► docs/scorecard.json: the last result of each row in each form, with its date
//!   │
//!   ▼
//!  page ──► docs/scorecard.md
//! ```

mod kept;
mod page;
mod rows;
mod runs;

use std::path::{Path, PathBuf};

use kept::{Kept, Machine, Outcome};
use rows::{ROWS, Row};
use runs::Runs;

/// How long row 26 is asked to run. A shorter run is written down as what it is: not reached.
pub(crate) const EIGHT_HOURS: u32 = 480;

/// Which form of a row is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// The figure as it is asked.
    Long,
    /// A small part of it, for every change.
    Short,
}

impl Form {
    fn word(self) -> &'static str {
        match self {
            Form::Long => "long",
            Form::Short => "short",
        }
    }
}

/// What is asked of this chore.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    form: Form,
    /// Whether it is a part of `cargo xtask test`.
    check: bool,
    /// The rows, if not all.
    rows: Vec<u8>,
    seed: u64,
    /// How long row 26 runs, if not as long as is asked.
    minutes: u32,
}

impl Wish {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Wish, String> {
        let mut wish =
            Wish { form: Form::Long, check: false, rows: vec![], seed: 1, minutes: EIGHT_HOURS };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let text = arguments.next().unwrap_or_default();
                text.parse::<u64>().map_err(|_| format!("{argument} takes a number, not `{text}`"))
            };
            match argument.as_str() {
                "--short" => wish.form = Form::Short,
                "--check" => (wish.form, wish.check) = (Form::Short, true),
                "--seed" => wish.seed = number()?,
                "--minutes" => {
                    let minutes = u32::try_from(number()?).ok().filter(|it| *it > 0);
                    wish.minutes =
                        minutes.ok_or("--minutes takes a number of minutes from 1 on")?;
                }
                "--row" => {
                    let row = number()?;
                    let known = ROWS.iter().find(|it| u64::from(it.number) == row);
                    let known = known.ok_or_else(|| format!("there is no row {row}: 1 to 27"))?;
                    wish.rows.push(known.number);
                }
                other => {
                    return Err(format!(
                        "`{other}` is not understood: cargo xtask scorecard [--short] [--check] [--row N]… \
                     [--seed S] [--minutes M]"
                    ));
                }
            }
        }
        Ok(wish)
    }

    fn wants(&self, row: &Row) -> bool {
        let named = self.rows.is_empty() || self.rows.contains(&row.number);
        named && !(self.check && row.is_held_by_the_suite())
    }
}

/// Runs the rows that are asked for, one after the other, and writes what came of it.
pub(crate) fn run(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let wish = Wish::read(arguments)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder: PathBuf = root.join(if wish.check { runs::target() } else { "docs".into() });
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = folder.join("scorecard.json");
    // What cannot be read is found out before anything is run.
    Kept::read(&path)?;
    let machine = Machine::this()?;
    let mut runs = Runs::new(root, wish.seed, wish.minutes);
    let mut missed = vec![];
    for row in ROWS.iter().filter(|row| wish.wants(row)) {
        let Some(result) = try_row(row, wish.form, &mut runs, &machine) else { continue };
        if !result.is_reached() {
            missed.push(format!("row {}: {}", row.number, result.missed.join("; ")));
        }
        // After each row, on top of what others have written meanwhile: a run that is broken off loses
        // nothing, and neither do two at once.
        let mut kept = Kept::read(&path)?;
        kept.put(row.number, wish.form, result);
        kept.write(&folder)?;
    }
    if wish.check {
        let suite = ROWS.iter().filter(|row| row.is_held_by_the_suite());
        let numbers: Vec<String> = suite.map(|row| row.number.to_string()).collect();
        eprintln!(
            "scorecard: rows {} are tests of the suite; bounds on time are not held there",
            numbers.join(", ")
        );
    }
    eprintln!("scorecard: {}", folder.join("scorecard.md").display());
    match missed.is_empty() || !wish.check {
        true => Ok(()),
        false => Err(format!("the scorecard is not reached:\n{}", missed.join("\n"))),
    }
}

fn try_row(row: &Row, form: Form, runs: &mut Runs, machine: &Machine) -> Option<Outcome> {
    let commands = row.commands(form);
    if commands.is_empty() {
        eprintln!("scorecard: row {}, {}: has no {} form", row.number, row.name, form.word());
        return None;
    }
    eprintln!("scorecard: row {} of {}, {}", row.number, ROWS.len(), row.name);
    let result = Outcome::of(row, form, runs, machine);
    match result.is_reached() {
        true => eprintln!("scorecard: row {}: reached: {}", row.number, result.told()),
        false => {
            eprintln!("scorecard: row {}: NOT reached: {}", row.number, result.missed.join("; "));
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Wish, String> {
        Wish::read(words.iter().map(|it| (*it).to_string()))
    }

    #[test]
    fn what_is_wished_is_understood_or_refused() {
        let all =
            Wish { form: Form::Long, check: false, rows: vec![], seed: 1, minutes: EIGHT_HOURS };
        assert_eq!(read(&[]), Ok(all));
        let some =
            Wish { form: Form::Short, check: false, rows: vec![3, 27], seed: 9, minutes: 30 };
        assert_eq!(
            read(&["--short", "--row", "3", "--seed", "9", "--minutes", "30", "--row", "27"]),
            Ok(some)
        );
        for wrong in [
            &["--row"][..],
            &["--row", "28"],
            &["--row", "0"],
            &["--seed", "x"],
            &["3"],
            &["--minutes", "0"],
        ] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
