//! The shipped answers are what counting gives.

use houseway_odds::Progress;
use houseway_odds::answers::{HouseWayGame, Question, recounts};
use houseway_rules::{Rulebook, houses};

/// Every kind of question once, in half the time that all take: the others differ in their rulebook
/// alone, and each is held to its rulebook by its key.
#[test]
fn an_answer_of_every_kind_is_counted_anew() {
    let skipped = [
        "mbs-2016-optimal",
        "mbs-2020-optimal",
        "cardroom-optimal",
        "catfish-bend-optimal.",
        "catfish-bend-optimal-waived",
    ];
    count_anew(|name| !skipped.iter().any(|it| name.starts_with(it)));
}

#[test]
#[ignore = "five minutes on two cores: `cargo test --release -p houseway-odds -- --ignored`"]
fn every_shipped_answer_is_counted_anew() {
    count_anew(|_| true);
}

fn count_anew(is_asked: impl Fn(&str) -> bool) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shipped");
    let mut shipped: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|file| file.expect("a file").file_name().into_string().expect("a plain name"))
        .collect();
    let recounts = recounts();
    let mut counted: Vec<String> = recounts.iter().map(|(name, _)| name.clone()).collect();
    shipped.sort();
    counted.sort();
    assert_eq!(shipped, counted, "no file is missing, none is left over");
    for (name, count) in recounts.into_iter().filter(|(name, _)| is_asked(name)) {
        let progress = Progress::new();
        let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("a text file");
        assert!(text == count(&progress), "{name} is stale: run `cargo xtask answers`");
        assert!(progress.share() > 0.99, "{name}: all of the work was seen, {}", progress.share());
    }
}

/// A word changed in a rulebook, and its answers are no longer taken for granted.
#[test]
fn an_answer_is_for_one_rulebook_alone() {
    let question = HouseWayGame(&houses::MBS_2020);
    let text = question.write(&question.shipped().expect("shipped"));
    assert!(question.read(&text).is_some());
    let mut changed = Rulebook::clone(&houses::MBS_2020);
    changed.summary = "another".into();
    assert!(HouseWayGame(&changed).shipped().is_none());
    assert!(HouseWayGame(&changed).read(&text).is_none());
    assert!(question.read("{").is_none(), "half a file is no answer");
    assert_ne!(HouseWayGame(&houses::MBS_2016).key(), question.key());
}
