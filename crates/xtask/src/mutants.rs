//! Tests with teeth: the program changed in one place at a time, and whether a test notices.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::{cargo, run};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What is changed, and the tests that must notice. Those that count every hand would notice as well, and
/// take minutes for each change.
struct Group {
    name: &'static str,
    what: &'static [&'static str],
    tests: &'static [&'static str],
}

const GROUPS: [Group; 3] = [
    Group { name: "ledger", what: &["--package", "houseway-ledger"], tests: &[] },
    Group {
        name: "views",
        what: &[
            "--package",
            "houseway-table",
            "--file",
            "crates/table/src/view.rs",
            "--file",
            "crates/table/src/seen.rs",
        ],
        tests: &["--lib", "--test", "views", "--test", "log", "--test", "rounds"],
    },
    Group {
        name: "rules",
        what: &["--package", "houseway-rules", "--all-features"],
        tests: &[
            "--lib",
            "--test",
            "cardroom",
            "--test",
            "catfish_bend",
            "--test",
            "commission_free",
            "--test",
            "custom",
            "--test",
            "mbs_2016",
            "--test",
            "mbs_2020",
            "--test",
            "readings",
            "--test",
            "vectors",
        ],
    },
];

/// What came of some changes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    caught: u32,
    survived: Vec<String>,
}

impl Counts {
    /// Of those that could be built, how many in a hundred a test noticed.
    fn percent(&self) -> Option<f64> {
        let all = self.caught + self.survived.len() as u32;
        (all > 0).then(|| 100.0 * f64::from(self.caught) / f64::from(all))
    }

    /// Reads what `cargo mutants` wrote. A test that does not end any more has noticed.
    fn read(outcomes: &Value) -> Counts {
        let mut counts = Counts::default();
        for outcome in outcomes["outcomes"].as_array().into_iter().flatten() {
            match outcome["summary"].as_str() {
                Some("CaughtMutant" | "Timeout") => counts.caught += 1,
                Some("MissedMutant") => {
                    let name = outcome["scenario"]["Mutant"]["name"].as_str().unwrap_or_default();
                    counts.survived.push(name.to_string());
                }
                _ => {}
            }
        }
        counts
    }
}

/// `mutants [PART/PARTS] [GROUP ...]`
pub(crate) fn mutants(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (parts, wanted): (Vec<String>, Vec<String>) = arguments.partition(|it| it.contains('/'));
    if let Some(other) = wanted.iter().find(|it| GROUPS.iter().all(|group| group.name != **it)) {
        return Err(format!("`{other}` is none of ledger, views and rules"));
    }
    let installed = Command::new(env!("CARGO")).args(["mutants", "--version"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        eprintln!("xtask: installing cargo-mutants, once, in a few minutes");
        cargo(&["install", "cargo-mutants", "--locked"])?;
    }
    let mut all = Counts::default();
    for group in GROUPS.iter().filter(|it| wanted.is_empty() || wanted.contains(&it.name.into())) {
        let counts = group.change(parts.first().map(String::as_str))?;
        println!(
            "row 27, mutants of {}: {} caught, {} survived",
            group.name,
            counts.caught,
            counts.survived.len()
        );
        all.caught += counts.caught;
        all.survived.extend(counts.survived);
    }
    for name in &all.survived {
        println!("survived: {name}");
    }
    let told = json!({
        "caught": all.caught, "survived": all.survived.len(), "percent": all.percent(),
        "part": parts.first().map_or("all", String::as_str),
    });
    println!("figures {}", json!({"mutants": told}));
    Ok(())
}

impl Group {
    /// Changes one place after the other, or every so-manieth of them.
    fn change(&self, part: Option<&str>) -> Result<Counts, String> {
        let folder = Path::new(ROOT).join("target/mutants").join(self.name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut command = Command::new(env!("CARGO"));
        command.arg("mutants").args(self.what).current_dir(ROOT);
        command.args(["--jobs", "2", "--minimum-test-timeout", "60", "--no-shuffle", "--output"]);
        command.arg(&folder);
        if let Some(part) = part {
            command.args(["--shard", part, "--sharding", "round-robin"]);
        }
        command.arg("--").args(self.tests);
        // It ends badly where something survives, which is a result and not a failure.
        let ended = run(&mut command);
        let path = folder.join("mutants.out/outcomes.json");
        let text = fs::read_to_string(&path).map_err(|error| match &ended {
            Err(why) => why.clone(),
            Ok(()) => format!("{}: {error}", path.display()),
        })?;
        let outcomes =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Counts::read(&outcomes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_built_counts_for_nothing_and_what_hangs_was_noticed() {
        let mutant = |summary: &str, name: &str| json!({"summary": summary, "scenario": {"Mutant": {"name": name}}});
        let outcomes = json!({"outcomes": [
            {"summary": "Success", "scenario": "Baseline"},
            mutant("CaughtMutant", "a"), mutant("CaughtMutant", "b"), mutant("Timeout", "c"),
            mutant("MissedMutant", "d"), mutant("Unviable", "e"),
        ]});
        let counts = Counts::read(&outcomes);
        assert_eq!(counts, Counts { caught: 3, survived: vec!["d".into()] });
        assert_eq!(counts.percent(), Some(75.0));
        assert_eq!(Counts::default().percent(), None, "nothing was tried");
    }

    /// A file or a test that is renamed would silently be left out.
    #[test]
    fn what_is_changed_and_what_must_notice_exists() {
        for group in &GROUPS {
            let after = |words: &[&'static str], flag: &str| -> Vec<&'static str> {
                let pairs = words.windows(2).filter(|pair| pair[0] == flag);
                pairs.map(|pair| pair[1]).collect()
            };
            for file in after(group.what, "--file") {
                assert!(Path::new(ROOT).join(file).is_file(), "{file}");
            }
            let package = after(group.what, "--package")[0].trim_start_matches("houseway-");
            for test in after(group.tests, "--test") {
                let path = Path::new(ROOT).join(format!("crates/{package}/tests/{test}.rs"));
                assert!(path.is_file(), "{}", path.display());
            }
        }
    }
}
