//! Commands that are run, and the figures in what they say.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

/// A test or a benchmark gives its figures in a line that begins like this.
const FIGURES: &str = "figures ";

/// How many tests passed is a figure under this name.
const PASSED: &str = "tests-passed";

/// How many of the last lines of a command that failed are told.
const LAST: usize = 12;

/// What a command said.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    /// Whether it ended well.
    pub(crate) ended_well: bool,
    /// Its figures: one JSON object that it printed, lines that begin with `figures`, and how many
    /// tests passed.
    pub(crate) figures: Value,
    pub(crate) time: Duration,
    /// The last lines.
    pub(crate) last: String,
}

/// Runs commands, each once: rows that are shown by the same command share what it said.
pub(crate) struct Runs {
    root: PathBuf,
    pub(crate) seed: u64,
    /// How long a row runs that asks for hours.
    minutes: u32,
    said: BTreeMap<String, Said>,
}

impl Runs {
    pub(crate) fn new(root: PathBuf, seed: u64, minutes: u32) -> Runs {
        Runs { root, seed, minutes, said: BTreeMap::new() }
    }

    /// A command as it is run: with its seed and its time.
    pub(crate) fn filled(&self, command: &str) -> String {
        filled(command, self.seed, self.minutes)
    }

    /// Runs a command, or remembers what it said.
    pub(crate) fn run(&mut self, command: &str) -> Said {
        let line = self.filled(command);
        if let Some(said) = self.said.get(&line) {
            return said.clone();
        }
        eprintln!("scorecard:   {line}");
        let said = self.say(&line).unwrap_or_else(|error| Said {
            ended_well: false,
            figures: json!({}),
            time: Duration::ZERO,
            last: error.to_string(),
        });
        self.said.insert(line, said.clone());
        said
    }

    fn say(&self, line: &str) -> std::io::Result<Said> {
        let (variables, words) = words(line);
        let start = Instant::now();
        let mut child = Command::new(program(words[0]))
            .args(&words[1..])
            .envs(variables)
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let error = child.stderr.take().expect("it is ours");
        // Both are read at once: a full pipe would stop the command.
        let told = thread::spawn(move || -> Vec<String> {
            BufReader::new(error).lines().map_while(Result::ok).collect()
        });
        let mut out = String::new();
        child.stdout.take().expect("it is ours").read_to_string(&mut out)?;
        let told = told.join().expect("reading does not panic");
        let ended_well = child.wait()?.success();
        let lines: Vec<&str> = out.lines().chain(told.iter().map(String::as_str)).collect();
        let last = lines[lines.len().saturating_sub(LAST)..].join("\n");
        let time = start.elapsed();
        Ok(Said { ended_well, figures: figures(&out, &lines), time, last })
    }
}

/// A command with its seed and its time.
pub(crate) fn filled(command: &str, seed: u64, minutes: u32) -> String {
    command.replace("{seed}", &seed.to_string()).replace("{minutes}", &minutes.to_string())
}

/// Where cargo puts what it makes.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or(PathBuf::from("target"), PathBuf::from)
}

/// A program of ours is where cargo puts it.
fn program(word: &str) -> PathBuf {
    word.strip_prefix("target/").map_or(PathBuf::from(word), |rest| target().join(rest))
}

/// Variables and words of a command line. Nothing is quoted in ours.
fn words(line: &str) -> (Vec<(&str, &str)>, Vec<&str>) {
    let is_variable = |word: &&str| {
        let name = word.split('=').next().unwrap_or_default();
        word.contains('=') && name.bytes().all(|it| it.is_ascii_uppercase() || it == b'_')
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let count = words.iter().take_while(|it| is_variable(it)).count();
    let variables = words[..count].iter().filter_map(|it| it.split_once('=')).collect();
    (variables, words[count..].to_vec())
}

/// The figures in what a command said.
fn figures(out: &str, lines: &[&str]) -> Value {
    let mut all = Map::new();
    if let Ok(Value::Object(object)) = serde_json::from_str(out) {
        merge(&mut all, object);
    }
    let mut passed = None;
    for line in lines {
        // Other tests may have been writing to the same line.
        let text = line.split_once(FIGURES).map_or("", |(_, text)| text);
        if let Ok(Value::Object(object)) = serde_json::from_str(text) {
            merge(&mut all, object);
        }
        if let Some(count) = tests_passed(line) {
            passed = Some(passed.unwrap_or(0) + count);
        }
    }
    if let Some(passed) = passed {
        all.insert(PASSED.into(), passed.into());
    }
    Value::Object(all)
}

/// Adds figures to others: what both have as objects becomes one, and passed tests add up.
pub(crate) fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (name, value) in from {
        match (into.get_mut(&name), value) {
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            (Some(Value::Number(old)), Value::Number(new)) if name == PASSED => {
                let sum = old.as_u64().unwrap_or(0) + new.as_u64().unwrap_or(0);
                into.insert(name, sum.into());
            }
            (_, value) => {
                into.insert(name, value);
            }
        }
    }
}

/// From `test result: ok. 5 passed; 0 failed; …`.
fn tests_passed(line: &str) -> Option<u64> {
    line.strip_prefix("test result: ok. ")?.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_before_a_command() {
        let (variables, found) = words("A_B=1 C=x cargo test -- a=b");
        assert_eq!(variables, [("A_B", "1"), ("C", "x")]);
        assert_eq!(found, ["cargo", "test", "--", "a=b"]);
    }

    #[test]
    fn figures_are_found_in_objects_lines_and_counts_of_tests() {
        assert_eq!(figures("{\n \"a\": {\"b\": 1}\n}\n", &[])["a"]["b"], 1);
        let lines = [
            "test one ... figures {\"kills\": 100}",
            "figures {\"lost\": 0}",
            "figures of speech",
            "test result: ok. 5 passed; 0 failed; 1 ignored",
            "test result: ok. 2 passed; 0 failed",
            "test result: FAILED. 9 passed; 1 failed",
        ];
        let found = figures("not JSON", &lines);
        assert_eq!(found, json!({"kills": 100, "lost": 0, "tests-passed": 7}));
    }

    #[test]
    fn counts_of_tests_add_up() {
        let object = |value: Value| value.as_object().cloned().expect("an object");
        let mut all = object(json!({"tests-passed": 2, "a": {"b": 1}}));
        merge(&mut all, object(json!({"tests-passed": 3, "a": {"c": 2}})));
        assert_eq!(Value::Object(all), json!({"tests-passed": 5, "a": {"b": 1, "c": 2}}));
    }

    #[test]
    fn a_command_is_run_once_and_one_that_is_not_there_has_failed() {
        let mut runs = Runs::new(PathBuf::from("."), 7, 30);
        let said = runs.run("echo {\"seed\":{seed}}");
        assert!(said.ended_well);
        assert_eq!(said.figures, json!({"seed": 7}));
        assert!(!runs.run("false").ended_well);
        assert!(!runs.run("there-is-no-such-program").ended_well);
        assert_eq!(runs.said.len(), 3);
    }
}
