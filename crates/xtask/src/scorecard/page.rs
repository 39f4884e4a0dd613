//! The page, written from what is kept.

use std::fmt::Write as _;

use serde_json::Value;

use super::kept::{Kept, Machine, Outcome};
use super::rows::{ROWS, Row};
use super::runs;
use super::{EIGHT_HOURS, Form};

const HEAD: &str = "\
# Scorecard

`cargo xtask scorecard` runs the rows and writes this page; `--short` runs a small part of each, which `cargo
xtask test` does too, `--row N` one alone. Every figure was read from what the command in its row printed. A
row has a line for each form that was run, with its own day; nothing is claimed that was not run. Others'
load is how many processes wanted a core when the row began: times beside it are worth less. A seed that is
\"fixed\" stands in the command or in the test: `--seed` does not change it.

| # | row, and what is asked of a full run | form | what was run | asked in this form | reached | seed | when, commit | verdict |
|--:|---|---|---|---|---|--:|---|---|
";

/// The page.
pub(crate) fn page(kept: &Kept) -> String {
    let mut text = HEAD.to_string();
    let mut machines: Vec<&Machine> = vec![];
    for row in ROWS {
        let mut first = true;
        for form in [Form::Long, Form::Short] {
            let Some(result) = kept.of(row.number, form) else { continue };
            let place = machines.iter().position(|it| **it == result.machine);
            let place = place.unwrap_or_else(|| {
                machines.push(&result.machine);
                machines.len() - 1
            });
            line(&mut text, row, first, form, result, place);
            first = false;
        }
        if first {
            let Row { number, name, asked, .. } = row;
            let command = row.commands(Form::Long).iter().map(|it| code(it));
            let command = command.collect::<Vec<String>>().join("<br>");
            wrote(writeln!(
                text,
                "| {number} | **{name}**: {asked} | | {command} | | | | | not run |"
            ));
        }
    }
    text.push_str("\n## What limits rows\n\n");
    for row in ROWS {
        if let Some(limits) = row.limits {
            wrote(writeln!(text, "- {}, {}: {limits}", row.number, row.name));
        }
    }
    if !machines.is_empty() {
        text.push_str("\n## Machines\n\n");
    }
    for (place, it) in machines.iter().enumerate() {
        let Machine { cores, processor, memory_gib, kernel } = it;
        let letter = letter(place);
        wrote(writeln!(
            text,
            "- {letter}: {cores} cores, {processor}, {memory_gib} GiB, Linux {kernel}"
        ));
    }
    text
}

fn line(text: &mut String, row: &Row, first: bool, form: Form, result: &Outcome, machine: usize) {
    let Row { number, name, asked, .. } = row;
    let name = if first { format!("**{name}**: {asked}") } else { format!("**{name}**") };
    let commands: Vec<String> = result.commands.iter().map(|it| code(it)).collect();
    let reached: Vec<String> =
        result.reached.iter().map(|(name, value)| format!("{name}: {}", figure(value))).collect();
    let load = match result.load_before >= 1.0 {
        true => format!(", others' load {:.0}", result.load_before),
        false => String::new(),
    };
    let mut verdict = match (form, result.is_reached()) {
        (Form::Long, true) => "reached".to_string(),
        (Form::Short, true) => "reached in the short form".to_string(),
        (_, false) => format!("not reached: {}", result.missed.join("; ")),
    };
    // Where no command takes the seed, chance begins where the program or the test says.
    let seed = match row.commands(form).iter().any(|it| it.contains("{seed}")) {
        true => result.seed.to_string(),
        false => "fixed".to_string(),
    };
    // A result stays for what it was; it is not one of commands that were never run.
    let now = row.commands(form).iter().map(|it| runs::filled(it, result.seed, EIGHT_HOURS));
    if !now.eq(result.commands.iter().map(String::as_str)) {
        verdict.push_str(", by other commands than are asked for now");
    } else if result.is_reached() && !row.asks_as(form, &result.reached, &result.asked) {
        verdict.push_str(", of what was asked then: other figures are asked for now");
    }
    wrote(writeln!(
        text,
        "| {number} | {name} | {} | {} | {} | {} | {} | {} UTC, {}, {} s, machine {}{load} | {} |",
        form.word(),
        commands.join("<br>"),
        cell(&result.asked.join("; ")),
        cell(&reached.join("; ")),
        seed,
        result.when,
        result.commit,
        result.seconds,
        letter(machine),
        cell(&verdict),
    ));
}

fn wrote(written: std::fmt::Result) {
    written.expect("a string takes all");
}

fn letter(place: usize) -> char {
    char::from(b'A' + place as u8)
}

/// A figure for people: no more digits than mean something.
pub(crate) fn figure(value: &Value) -> String {
    match value {
        Value::Null => "no figure".to_string(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            let digits = if number.abs() >= 100.0 { 0 } else { 2 };
            format!("{number:.digits$}")
        }
        Value::Number(number) => grouped(&number.to_string()),
        other => other.to_string(),
    }
}

/// 1234567 as 1,234,567.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A text that fits into a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn code(text: &str) -> String {
    format!("`{}`", cell(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::kept::tests::result;
    use super::*;

    #[test]
    fn every_row_has_its_line_and_none_claims_what_was_not_run() {
        let mut kept = Kept::default();
        kept.put(
            4,
            Form::Long,
            Outcome {
                missed: vec!["kills 9,\nnot 10".into()],
                commands: ROWS[3]
                    .commands(Form::Long)
                    .iter()
                    .map(|it| runs::filled(it, 1, EIGHT_HOURS))
                    .collect(),
                seed: 1,
                ..result("once")
            },
        );
        kept.put(4, Form::Short, result("today"));
        let page = page(&kept);
        let lines: Vec<&str> = page.lines().filter(|it| it.starts_with("| ")).collect();
        assert_eq!(lines.len(), ROWS.len() + 2, "the head, a line a row, one more for row 4");
        assert_eq!(lines.iter().filter(|it| it.ends_with("| not run |")).count(), ROWS.len() - 1);
        let four: Vec<&&str> = lines.iter().filter(|it| it.starts_with("| 4 |")).collect();
        assert!(four[0].ends_with("| not reached: kills 9, not 10 |"), "{}", four[0]);
        assert!(four[0].contains("HOUSEWAY_KILLS"), "the commands that are asked for now");
        let older = "| reached in the short form, by other commands than are asked for now |";
        assert!(four[1].ends_with(older), "{}", four[1]);
        assert!(four[1].contains("`cargo test a\\|b`"));
        assert!(four[1].contains("kills: 100; p99, ms: 2.35"));
    }

    /// A bound that was raised, or a figure that came later, was not reached by an older result.
    #[test]
    fn what_was_asked_otherwise_is_told_apart() {
        let row = &ROWS[23];
        let commands: Vec<String> =
            row.commands(Form::Long).iter().map(|it| runs::filled(it, 1, EIGHT_HOURS)).collect();
        let named = |names: &[&str]| names.iter().map(|it| ((*it).to_string(), json!(1))).collect();
        let now = Outcome {
            commands,
            reached: named(&["entries", "mutations", "unnoticed", "entries/s"]),
            asked: [
                "entries at least 1,000,000",
                "mutations at least 10,000",
                "unnoticed 0",
                "entries/s at least 200,000",
            ]
            .map(String::from)
            .to_vec(),
            seed: 1,
            ..result("now")
        };
        let mut lower = now.clone();
        lower.asked[1] = "mutations at least 100".into();
        let fewer = Outcome {
            reached: now.reached[..3].to_vec(),
            asked: now.asked[..3].to_vec(),
            ..now.clone()
        };
        for (outcome, ends) in [
            (now, "| reached |"),
            (lower, "| reached, of what was asked then: other figures are asked for now |"),
            (fewer, "| reached, of what was asked then: other figures are asked for now |"),
        ] {
            let mut kept = Kept::default();
            kept.put(24, Form::Long, outcome);
            let page = page(&kept);
            let line = page.lines().find(|it| it.starts_with("| 24 |")).expect("its line");
            assert!(line.ends_with(ends), "{line}");
        }
    }

    #[test]
    fn figures_are_read_easily() {
        let told = [json!(1234567), json!(12), json!(0.5), json!(136.4), json!("all"), json!(true)];
        let told: Vec<String> = told.iter().map(figure).collect();
        assert_eq!(told, ["1,234,567", "12", "0.50", "136", "all", "true"]);
    }
}
