//! Playing in a house inside the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::tempdir;

use crate::tty::Tty;

/// What is done when a screen shows something, the first that does.
const ANSWERS: [(&str, &str); 9] = [
    ("Enter sit down with", "\r"),
    ("n pass the bank", "n"),
    ("Enter bet", "\r"),
    ("Enter deal", "\r"),
    ("Enter look at your cards", "\r"),
    ("Enter put in front", "h"),
    ("Enter set the hand", "\r"),
    ("Enter compare", "\r"),
    ("The others set", ""),
];

/// Does the next natural thing; the screen before it.
pub(crate) fn step(tty: &mut Tty) -> String {
    let known = ANSWERS.map(|(shown, _)| shown);
    let text = tty.until_that("something to do", |text| {
        known.iter().any(|it| text.contains(it)) || text.contains("Together")
    });
    if text.contains("Together") {
        return text;
    }
    let answer = ANSWERS.iter().find(|(shown, _)| text.contains(shown)).map(|(_, key)| *key);
    tty.press(answer.unwrap_or_default());
    // The same screen is not answered twice: something changes first, if only for a moment.
    tty.until_that("an answer", |now| now != text);
    text
}

/// Plays until a round's results are shown; they are given.
pub(crate) fn round(tty: &mut Tty) -> String {
    for _ in 0..60 {
        let text = step(tty);
        if text.contains("Together") {
            return text;
        }
    }
    panic!("the round does not end:\n{}", tty.text());
}

#[test]
fn a_whole_round_of_each_rulebook_is_played_and_told_with_clauses() {
    for (rules, clause) in [
        ("mbs-2016", "3.1"),
        ("mbs-2020", "3."),
        ("cardroom", "C"),
        ("commission-free", "F"),
        ("catfish-bend", "B"),
    ] {
        let folder = tempdir().expect("a folder");
        let mut tty =
            Tty::start(folder.path(), &["play", "--rules", rules, "--bots", "2"], (100, 30));
        let text = round(&mut tty);
        assert!(text.contains("Round 1"), "{rules}:\n{text}");
        let lines: Vec<&str> = text.lines().skip_while(|it| !it.contains("Together")).collect();
        assert!(lines[1].contains("Standard $10"), "{rules}:\n{text}");
        let cited = lines[2].trim_start();
        assert!(cited.starts_with(clause) && cited.contains(": "), "{rules}: {cited}");
        // The next round, and the way out.
        tty.press("\r");
        tty.until_that("the next round", |text| !text.contains("Together"));
        tty.press("q");
        assert_eq!(tty.exit(), 0, "{}", tty.text());
        tty.is_given_back();
    }
}

#[test]
fn a_window_is_resized_at_any_time() {
    let folder = tempdir().expect("a folder");
    let mut tty = Tty::start(folder.path(), &["play", "--rules", "mbs-2020"], (120, 40));
    tty.until("sit down with");
    tty.press("\r");
    tty.until("Enter bet $10");
    tty.resize(80, 24);
    tty.until_that("80 columns", |text| text.contains("Enter bet $10") && text.contains("1 You"));
    tty.press("\r");
    tty.until("Enter deal");
    tty.press("\r");
    tty.until("look at your cards");
    tty.resize(40, 24);
    let text = tty.until_that("40 columns", |text| text.contains("#######"));
    assert!(text.is_ascii(), "a narrow window is drawn plainly:\n{text}");
    tty.press("\r");
    tty.until("Put two cards in front");
    tty.resize(30, 10);
    tty.until("At least 40x20");
    tty.resize(80, 24);
    tty.until("┌──┐");
    tty.press("h");
    tty.until("House Way, ");
    tty.press("\r");
    tty.until("Enter compare");
    tty.press("\r");
    tty.until("Together");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
}

#[test]
fn cards_are_moved_by_keys_and_mouse() {
    let folder = tempdir().expect("a folder");
    let mut tty =
        Tty::start(folder.path(), &["play", "--rules", "mbs-2020", "--bots", "1"], (80, 24));
    for key in ["sit down with", "bet $10", "deal", "look at your cards"] {
        tty.click(key);
    }
    tty.until("Put two cards in front");
    tty.press("\x1b[C\x1b[A");
    tty.until("Put one card in front");
    tty.press("\x1b[C ");
    tty.until_any(&["Low ", "A foul"]);
    tty.press(" ");
    tty.until("Put one card in front");
    tty.click("h House Way");
    tty.until("Low ");
    tty.press("?");
    tty.until("How it is played");
    tty.press("x");
    tty.until("Set your hand.");
    tty.click("set the hand");
    tty.click("compare");
    tty.until("Together");
}

#[test]
fn ctrl_c_leaves_the_terminal_as_it_was_and_the_round_is_taken_up() {
    let folder = tempdir().expect("a folder");
    let arguments = ["play", "--rules", "mbs-2020", "--bots", "2"];
    let mut tty = Tty::start(folder.path(), &arguments, (80, 24));
    for key in ["sit down with", "bet $10", "deal", "look at your cards"] {
        tty.until(key);
        tty.press("\r");
    }
    let text = tty.until("Put two cards in front");
    let cards = hand(&text);
    tty.press("\x03");
    assert_eq!(tty.exit(), 0);
    tty.is_given_back();
    // The same cards, in another run.
    let mut tty = Tty::start(folder.path(), &arguments, (80, 24));
    let text = tty.until("Your hand at seat");
    assert_eq!(hand(&text), cards);
    assert!(text.contains("$990 here"), "what was wagered is not counted twice:\n{text}");
    assert!(text.contains("goes on"), "it is told:\n{text}");
    tty.press("d");
    // After a failure of the power, wagers may be withdrawn before the banker's hand is shown.
    for key in ["Enter go on", "Enter compare"] {
        tty.until(key);
        tty.press("\r");
    }
    tty.until("Together");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
}

/// The cards of the hand that is shown, from the top.
fn hand(text: &str) -> String {
    let row = text.lines().find(|line| line.matches('│').count() == 14);
    row.unwrap_or_else(|| panic!("no hand:\n{text}")).trim().to_string()
}

#[test]
fn money_is_kept_between_runs_and_taken_along() {
    let folder = tempdir().expect("a folder");
    let mut tty = Tty::start(folder.path(), &["play", "--rules", "cardroom"], (80, 24));
    tty.until("Enter sit down with $1,000");
    tty.press("\r");
    tty.until("$9,000 away");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
    let mut tty = Tty::start(folder.path(), &["play"], (80, 24));
    let text = tty.until("(your seat)");
    assert!(text.contains("Player · $9,000"), "{text}");
    tty.press("\r");
    tty.until("$1,000 here · $9,000 away");
    tty.press("n");
    tty.until("l leave the table");
    tty.press("l");
    tty.until("$10,000 away");
    tty.press("\x03");
    assert_eq!(tty.exit(), 0);
}

#[test]
fn whoever_ends_it_from_outside_gets_the_terminal_back() {
    let folder = tempdir().expect("a folder");
    for signal in ["-TERM", "-INT"] {
        let mut tty = Tty::start(folder.path(), &["play"], (80, 24));
        tty.until("Player · $10,000");
        let id = tty.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("kill can be run");
        assert!(sent.success());
        assert_eq!(tty.exit(), 0);
        tty.is_given_back();
    }
}

#[test]
fn a_line_after_it_is_typed_as_ever() {
    let folder = tempdir().expect("a folder");
    let line = "stty -a > before; $HOUSEWAY play; stty -a > after; cmp before after && echo alike";
    let mut tty = Tty::shell(folder.path(), line, (80, 24));
    tty.until("Player · $10,000");
    tty.press("q");
    tty.until("alike");
    assert_eq!(tty.exit(), 0);
}

#[test]
fn what_is_no_terminal_is_told_so() {
    let folder = tempdir().expect("a folder");
    for command in ["play", "train"] {
        let output = Command::new(env!("CARGO_BIN_EXE_houseway"))
            .arg(command)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("needs a terminal, and standard input is none"), "{error}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing was begun");
}

#[test]
fn what_is_damaged_is_kept_aside_and_told() {
    let folder = tempdir().expect("a folder");
    let data = folder.path().join("houseway-data");
    fs::create_dir_all(&data).expect("a folder");
    fs::write(data.join("terminal.json"), "{\"tokens\": ").expect("a file");
    fs::write(data.join("houseway.sqlite"), "no database, ".repeat(400)).expect("a file");
    let mut tty = Tty::start(folder.path(), &["play"], (100, 30));
    tty.until("Player · $10,000");
    tty.until("houseway.sqlite is damaged");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
    let told = tty.text().replace('\n', "");
    for name in ["terminal.json.aside-1", "houseway.sqlite.aside-1"] {
        assert!(told.contains(name), "{name} is told of:\n{told}");
    }
    assert_eq!(read(&data, "terminal.json.aside-1"), "{\"tokens\": ");
    assert_eq!(read(&data, "houseway.sqlite.aside-1"), "no database, ".repeat(400));
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("it is there")
}

#[test]
fn a_folder_is_one_houses_at_a_time() {
    let folder = tempdir().expect("a folder");
    let first = Tty::start(folder.path(), &["play"], (80, 24));
    first.until("Player · $10,000");
    let mut second = Tty::start(folder.path(), &["play"], (80, 24));
    assert_eq!(second.exit(), 2);
    let told = second.text().replace('\n', " ");
    assert!(told.contains("in use by another") && told.contains("--data"), "{told}");
    second.is_given_back();
}

/// `catfish-bend`: the button comes round, the bank is sized and taken, and the banker deals.
#[test]
fn a_player_banks_deals_and_is_told_what_the_bank_came_to() {
    let folder = tempdir().expect("a folder");
    let arguments = ["play", "--rules", "catfish-bend", "--bots", "2"];
    let mut tty = Tty::start(folder.path(), &arguments, (100, 30));
    for _ in 0..12 {
        tty.until_any(&["Enter sit down with", "Enter bet", "Enter next round"]);
        let text = tty.text();
        if text.contains("b take the bank") {
            break;
        }
        if text.contains("Enter next round") {
            tty.press("\r");
            tty.until_that("the next round", |text| !text.contains("Together"));
            continue;
        }
        round(&mut tty);
    }
    tty.press("b");
    tty.until("The house wagers");
    tty.press("250");
    tty.until("Enter take the bank with $250");
    tty.press("\r");
    tty.until("You bank with $250");
    tty.until("Enter deal");
    tty.press("\r");
    tty.until("The bank's hand");
    tty.press("a");
    tty.until("Enter set the hand");
    tty.press("\r");
    let text = tty.until("Your bank of $250:");
    assert!(text.contains("Together") && text.contains("Seat "), "{text}");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
}

#[test]
fn nothing_is_no_amount_to_sit_down_with() {
    let folder = tempdir().expect("a folder");
    for arguments in [
        &["play", "--buy-in", "0"][..],
        &["train", "--batch", "0"],
        &["train", "--batch", "4000000000"],
        &["train", "--questions", "0"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_houseway"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the program starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("is not in 1.."), "{arguments:?}: {error}");
    }
}

#[test]
fn without_colour_nothing_but_ascii_is_drawn() {
    let folder = tempdir().expect("a folder");
    for line in ["NO_COLOR=1 $HOUSEWAY play", "TERM=dumb $HOUSEWAY play", "$HOUSEWAY play --ascii"]
    {
        let mut tty = Tty::shell(folder.path(), line, (80, 24));
        let text = tty.until("Player - $10,000");
        assert!(text.is_ascii(), "{line}:\n{text}");
        tty.press("q");
        assert_eq!(tty.exit(), 0);
    }
}

#[test]
fn a_rulebook_file_is_played_by() {
    let folder = tempdir().expect("a folder");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/foxwoods.toml");
    let mut tty = Tty::start(folder.path(), &["play", "--rules", file, "--bots", "1"], (80, 24));
    let text = round(&mut tty);
    assert!(text.contains("Standard $10"), "{text}");
}
