//! Results that are kept: the last one of each row in each form, with its day, commit and machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rows::Row;
use super::runs::{Runs, merge};
use super::{Form, page};

/// The machine that something ran on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) processor: String,
    pub(crate) memory_gib: u64,
    pub(crate) kernel: String,
}

impl Machine {
    /// This one.
    pub(crate) fn this() -> Result<Machine, String> {
        let read = |path: &str| fs::read_to_string(path).map_err(|it| format!("{path}: {it}"));
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_once(':').map_or(String::new(), |(_, value)| value.trim().to_string())
        };
        let memory = field(&read("/proc/meminfo")?, "MemTotal");
        let kib: u64 = memory.trim_end_matches(" kB").parse().unwrap_or_default();
        Ok(Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            processor: field(&read("/proc/cpuinfo")?, "model name"),
            memory_gib: (kib + (1 << 19)) >> 20,
            kernel: read("/proc/sys/kernel/osrelease")?.trim().to_string(),
        })
    }
}

/// What a row came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Outcome {
    /// What was run.
    pub(crate) commands: Vec<String>,
    /// The figures by their names, in the order of the row.
    pub(crate) reached: Vec<(String, Value)>,
    /// What was asked of them in this form.
    pub(crate) asked: Vec<String>,
    /// What is not as it was asked; nothing where all of it is.
    pub(crate) missed: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) seconds: u64,
    /// When, in UTC.
    pub(crate) when: String,
    pub(crate) commit: String,
    /// How many others wanted a core when it began: figures of time are worth less then.
    pub(crate) load_before: f64,
    pub(crate) machine: Machine,
}

impl Outcome {
    /// Runs a row.
    pub(crate) fn of(row: &Row, form: Form, runs: &mut Runs, machine: &Machine) -> Outcome {
        let load_before = fs::read_to_string("/proc/loadavg")
            .ok()
            .and_then(|it| it.split(' ').next()?.parse().ok())
            .unwrap_or_default();
        let (mut figures, mut missed, mut time) = (Map::new(), vec![], Duration::ZERO);
        for command in row.commands(form) {
            let said = runs.run(command);
            time += said.time;
            if !said.ended_well {
                missed.push(format!("`{}` failed: {}", runs.filled(command), said.last));
            }
            if let Value::Object(found) = said.figures {
                merge(&mut figures, found);
            }
        }
        let figures = Value::Object(figures);
        let (mut reached, mut asked) = (vec![], vec![]);
        for (figure, bound) in row.bounds(form) {
            let value = figures.pointer(figure.at).cloned().unwrap_or_default();
            asked.extend(bound.words(figure.name, &figures));
            if let Some(fault) = bound.fault(figure.name, &value, &figures) {
                missed.push(fault);
            }
            reached.push((figure.name.to_string(), value));
        }
        Outcome {
            commands: row.commands(form).iter().map(|it| runs.filled(it)).collect(),
            reached,
            asked,
            missed,
            seed: runs.seed,
            seconds: time.as_secs(),
            when: output("date", &["-u", "+%Y-%m-%d %H:%M"]),
            commit: commit(),
            load_before,
            machine: machine.clone(),
        }
    }

    pub(crate) fn is_reached(&self) -> bool {
        self.missed.is_empty()
    }

    /// The figures in a line.
    pub(crate) fn told(&self) -> String {
        let told = self.reached.iter().map(|(name, value)| match value {
            Value::Null => format!("{name}: none"),
            value => format!("{name} {}", page::figure(value)),
        });
        told.collect::<Vec<String>>().join(", ")
    }
}

fn output(program: &str, arguments: &[&str]) -> String {
    let said = Command::new(program).args(arguments).output();
    said.map_or(String::new(), |it| String::from_utf8_lossy(&it.stdout).trim().to_string())
}

/// The commit, with a `+` where files differ from it that are not the scorecard's own.
fn commit() -> String {
    let changed = output("git", &["status", "--porcelain", "--untracked-files=no"]);
    let changed = changed.lines().any(|line| !line.contains("docs/scorecard."));
    output("git", &["rev-parse", "--short", "HEAD"]) + if changed { "+" } else { "" }
}

/// All results that are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// By row, then by form.
    rows: BTreeMap<u8, BTreeMap<String, Outcome>>,
}

impl Kept {
    /// What a file has, or nothing where there is none.
    pub(crate) fn read(path: &Path) -> Result<Kept, String> {
        match fs::read_to_string(path) {
            Ok(text) => {
                serde_json::from_str(&text).map_err(|it| format!("{}: {it}", path.display()))
            }
            Err(_) => Ok(Kept::default()),
        }
    }

    pub(crate) fn put(&mut self, row: u8, form: Form, result: Outcome) {
        self.rows.entry(row).or_default().insert(form.word().to_string(), result);
    }

    /// The last result of a row in a form.
    pub(crate) fn of(&self, row: u8, form: Form) -> Option<&Outcome> {
        self.rows.get(&row)?.get(form.word())
    }

    /// Writes the results and the page.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|it| it.to_string())? + "\n";
        for (name, text) in [("scorecard.json", text), ("scorecard.md", page::page(self))] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|it| format!("{}: {it}", path.display()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;

    /// A result of nothing.
    pub(crate) fn result(when: &str) -> Outcome {
        let machine =
            Machine { cores: 2, processor: "one".into(), memory_gib: 24, kernel: "6.1".into() };
        Outcome {
            commands: vec!["cargo test a|b".into()],
            reached: vec![("kills".into(), json!(100)), ("p99, ms".into(), json!(2.345))],
            asked: vec!["kills at least 100".into()],
            missed: vec![],
            seed: 1,
            seconds: 3,
            when: when.into(),
            commit: "abc".into(),
            load_before: 0.1,
            machine,
        }
    }

    #[test]
    fn a_short_run_leaves_what_a_long_one_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut kept = Kept::default();
        kept.put(4, Form::Long, result("yesterday"));
        kept.put(4, Form::Short, result("yesterday"));
        kept.write(folder.path()).expect("it is written");
        let mut kept = Kept::read(&folder.path().join("scorecard.json")).expect("it is read");
        kept.put(4, Form::Short, result("today"));
        assert_eq!(kept.of(4, Form::Long).map(|it| &*it.when), Some("yesterday"));
        assert_eq!(kept.of(4, Form::Short).map(|it| &*it.when), Some("today"));
        assert_eq!(kept.of(5, Form::Short), None);
        fs::write(folder.path().join("scorecard.json"), "{").expect("it is written");
        assert!(Kept::read(&folder.path().join("scorecard.json")).is_err(), "nothing is guessed");
    }

    #[test]
    fn this_machine_is_known() {
        let machine = Machine::this().expect("this is Linux");
        assert!(machine.cores > 0 && machine.memory_gib > 0 && !machine.kernel.is_empty());
    }
}
