//! Drills, in a terminal and in a pipe.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;

use crate::tty::Tty;

fn batch(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_houseway"))
        .arg("train")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_run_is_answered_summed_up_and_kept() {
    let folder = tempdir().expect("a folder");
    let arguments = ["train", "--drill", "misset", "--rules", "mbs-2020", "-n", "3", "--seed", "4"];
    let logged = ["--log", "answers.jsonl", "--json"];
    let mut tty = Tty::start(folder.path(), &[&arguments[..], &logged[..]].concat(), (80, 24));
    for _ in 0..3 {
        tty.until("Does this hand lie the House Way?");
        // As it lies: right or wrong, and then it is told.
        tty.press("\r");
        tty.until_any(&["Right.", "No: "]);
        tty.press("\r");
    }
    let text = tty.until("of 3 right, ");
    assert!(text.contains("misset"), "{text}");
    tty.press("\r");
    assert_eq!(tty.exit(), 0);
    tty.is_given_back();
    let log = fs::read_to_string(folder.path().join("answers.jsonl")).expect("a log");
    let log: Vec<Value> = log.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    assert_eq!(log.len(), 3);
    let told = tty.text().replace('\n', "");
    for answer in &log {
        assert_eq!((&answer["drill"], &answer["rules"]), (&"misset".into(), &"mbs-2020".into()));
        let right = answer["answer"] == answer["correct"];
        assert!(right || !answer["right"].as_bool().expect("told"), "{answer}");
        let number = format!("\"number\":{}", answer["number"]);
        assert!(told.contains(&number), "printed at the end:\n{told}");
    }
    let kept = fs::read_to_string(folder.path().join("houseway-data/train.json")).expect("kept");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    let wrong = log.iter().filter(|it| it["right"] == false).count();
    assert_eq!(kept["scores"]["misset/mbs-2020"]["asked"], 3);
    assert_eq!(kept["again"].as_array().map(Vec::len), Some(wrong), "what was wrong comes again");
}

#[test]
fn what_was_wrong_comes_again_in_the_next_run() {
    let folder = tempdir().expect("a folder");
    let arguments = ["train", "--drill", "payout", "--rules", "cardroom", "--seed", "9"];
    let mut tty = Tty::start(folder.path(), &arguments, (100, 30));
    // No round is won by so much.
    for _ in 0..5 {
        tty.until("What does player 1 win or lose");
        tty.press("x123456.78\r");
        let text = tty.until("No: ");
        assert!(text.contains("not +$123,456.78"), "{text}");
        assert!(text.contains("Standard $"), "the statement is told:\n{text}");
        tty.press("\r");
        tty.until_that("the next question", |text| !text.contains("No: "));
    }
    // Three others have been asked since the first.
    tty.until(", once more");
    tty.press("\x03");
    assert_eq!(tty.exit(), 0);
    tty.is_given_back();
    let mut tty = Tty::start(folder.path(), &arguments, (100, 30));
    tty.until(", once more");
    tty.press("\x1b");
    tty.until("No question was answered");
    tty.press("\r");
    assert_eq!(tty.exit(), 0);
}

#[test]
fn the_menu_asks_for_the_drill_and_the_house() {
    let folder = tempdir().expect("a folder");
    let mut tty = Tty::start(folder.path(), &["train"], (40, 20));
    tty.until("< house-way >");
    tty.press("\x1b[A\x1b[A\x1b[C");
    tty.until("< best >");
    tty.press("\x1b[B\x1b[C\x1b[C\r");
    tty.until("Set this hand the way that is worth");
    let text = tty.until("best/cardroom");
    assert!(text.is_ascii(), "a narrow window is drawn plainly:\n{text}");
    tty.press("\r");
    tty.until("Two cards go in front");
    tty.press(" \x1b[C \r");
    tty.until_any(&["Right.", "That costs 0.", "That is a foul"]);
    tty.press("q");
    tty.until("of 1 right");
}

/// What is printed goes to a file, and the questions stay on the screen.
#[test]
fn answers_are_written_to_a_file_with_who_answered_and_by_which_clause() {
    let folder = tempdir().expect("a folder");
    let line = "$HOUSEWAY train --drill house-way --rules mbs-2020 -n 1 --seed 4 --name Ann --json \
                > answers.jsonl; echo done";
    let mut tty = Tty::shell(folder.path(), line, (80, 24));
    tty.until("Set this hand the House Way.");
    tty.press(" \x1b[C \r");
    tty.until_any(&["Right.", "No: "]);
    tty.press("\r");
    tty.until("of 1 right, ");
    tty.press("\r");
    tty.until("done");
    assert_eq!(tty.exit(), 0);
    tty.is_given_back();
    let log = fs::read_to_string(folder.path().join("answers.jsonl")).expect("a log");
    let log: Value = serde_json::from_str(&log).expect("one line of JSON and nothing else");
    assert_eq!(log["learner"], "Ann");
    let clause = log["clauses"][0].as_str().expect("a clause");
    assert!(clause.starts_with("A."), "{clause}");
}

#[test]
fn damaged_progress_is_kept_aside() {
    let folder = tempdir().expect("a folder");
    let data = folder.path().join("houseway-data");
    fs::create_dir_all(&data).expect("a folder");
    fs::write(data.join("train.json"), "[1, 2").expect("a file");
    let mut tty = Tty::start(folder.path(), &["train"], (100, 24));
    tty.until("train.json.aside-1");
    tty.press("\x03");
    assert_eq!(tty.exit(), 0);
    assert!(tty.text().contains("train.json.aside-1"), "{}", tty.text());
    assert_eq!(fs::read_to_string(data.join("train.json.aside-1")).expect("it is there"), "[1, 2");
}

#[test]
fn a_batch_is_printed_with_its_answers_and_a_seed_repeats_it() {
    let folder = tempdir().expect("a folder");
    let arguments = ["--batch", "8", "--rules", "all", "--seed", "3"];
    let text = batch(folder.path(), &arguments);
    assert_eq!(text, batch(folder.path(), &arguments));
    let (questions, answers) = text.split_once("ANSWERS").expect("both are there");
    for number in 1..=8 {
        let number = format!("{number:3}. ");
        assert!(questions.contains(&number) && answers.contains(&number), "{text}");
    }
    let json = batch(folder.path(), &[&arguments[..], &["--json"]].concat());
    let lines: Vec<Value> =
        json.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    assert_eq!(lines.len(), 8);
    assert!(lines.iter().all(|it| it["answer"].as_str().is_some_and(|it| !it.is_empty())));
    assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none(), "nothing is kept");
}

/// What the House Way drill calls right is what `houseway set` answers.
#[test]
fn the_drill_and_the_command_agree() {
    let folder = tempdir().expect("a folder");
    for rules in ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"] {
        let drill =
            ["--batch", "25", "--drill", "house-way", "--rules", rules, "--seed", "1", "--json"];
        for line in batch(folder.path(), &drill).lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let cards = line["question"][1].as_str().expect("cards");
            let output = Command::new(env!("CARGO_BIN_EXE_houseway"))
                .args(["set", "--rules", rules, "--json", cards])
                .output()
                .expect("the program starts");
            let set: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let low: Vec<&str> =
                set["low"].as_array().expect("two").iter().filter_map(Value::as_str).collect();
            assert_eq!(line["answer"], low.join(" "), "{rules} {cards}");
        }
    }
}
