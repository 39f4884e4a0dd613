//! Every clause and every reading has a test that is named after it, and every clause that a
//! rulebook cites exists.

use std::collections::BTreeSet;

use houseway_rules::houses::{CARDROOM, CATFISH_BEND, COMMISSION_FREE, HOUSES, MBS_2016, MBS_2020};
use houseway_rules::{Reading, Rulebook};

static TESTS: [(&Rulebook, &str); 5] = [
    (&MBS_2016, include_str!("mbs_2016.rs")),
    (&MBS_2020, include_str!("mbs_2020.rs")),
    (&CARDROOM, include_str!("cardroom.rs")),
    (&COMMISSION_FREE, include_str!("commission_free.rs")),
    (&CATFISH_BEND, include_str!("catfish_bend.rs")),
];

static READING_TESTS: &str = include_str!("readings.rs");

/// The names of the tests in a source.
fn tests(source: &str) -> Vec<&str> {
    let lines = source.lines().zip(source.lines().skip(1));
    let tests = lines.filter(|(attribute, _)| attribute.trim() == "#[test]");
    let names = tests.filter_map(|(_, line)| line.trim().strip_prefix("fn ")?.split('(').next());
    names.collect()
}

/// How the name of a clause's test begins.
fn prefix(rulebook: &Rulebook, id: &str) -> String {
    format!("{}_{id}", rulebook.id).to_lowercase().replace(['-', '.'], "_")
}

/// Whether a test is named after just this id: `5_1_` and a word, but neither `5_10_` nor `5_1_1_`.
fn is_named_after(name: &str, prefix: &str) -> bool {
    let words = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_'));
    words.is_some_and(|words| words.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

#[test]
fn a_test_belongs_to_one_id() {
    assert!(is_named_after("mbs_2020_5_1_a_foreign_card", "mbs_2020_5_1"));
    for other in ["mbs_2020_5_10_x", "mbs_2020_5_1_1_x", "mbs_2020_5_1", "mbs_2020_5_1_"] {
        assert!(!is_named_after(other, "mbs_2020_5_1"), "{other}");
    }
    assert!(!is_named_after("mbs_2020_5_17_1_the_difference", "mbs_2020_5_17"));
    assert!(!is_named_after("mbs_2020_5_17_reset", "mbs_2020_5_17_1"));
    assert!(!is_named_after("r10_void_rounds", "r1"));
    assert_eq!(tests("#[test]\nfn a_b() {\n}\nfn c() {}\n"), ["a_b"]);
}

#[test]
fn every_clause_has_a_test() {
    let mut without = BTreeSet::new();
    for (rulebook, source) in TESTS {
        let names = tests(source);
        for saying in rulebook.sayings() {
            let prefix = prefix(rulebook, saying.id);
            if !names.iter().any(|name| is_named_after(name, &prefix)) {
                without.insert(format!("{} {}: fn {prefix}_...", rulebook.id, saying.id));
            }
        }
    }
    assert!(without.is_empty(), "clauses without a test: {without:#?}");
    assert!(HOUSES.iter().all(|house| TESTS.iter().any(|(tested, _)| tested.id == house.id)));
}

#[test]
fn every_test_is_named_after_a_clause() {
    for (rulebook, source) in TESTS {
        let prefixes: Vec<String> =
            rulebook.sayings().map(|saying| prefix(rulebook, saying.id)).collect();
        for name in tests(source) {
            let named = prefixes.iter().any(|prefix| is_named_after(name, prefix));
            assert!(named, "{} has no clause for the test {name}", rulebook.id);
        }
    }
}

#[test]
fn every_reading_has_a_test() {
    let names = tests(READING_TESTS);
    let has_test = |reading: &&Reading| {
        let prefix = reading.to_string().to_lowercase();
        names.iter().any(|name| is_named_after(name, &prefix))
    };
    let without: Vec<&Reading> = Reading::ALL.iter().filter(|it| !has_test(it)).collect();
    assert!(without.is_empty(), "readings without a test: {without:?}");
}

#[test]
fn every_reading_is_one_of_a_clause() {
    let is_attached = |reading: &&Reading| {
        HOUSES.iter().flat_map(|house| house.sayings()).any(|it| it.readings.contains(reading))
    };
    let nowhere: Vec<String> =
        Reading::ALL.iter().filter(|it| !is_attached(it)).map(Reading::to_string).collect();
    assert!(nowhere.is_empty(), "readings that no clause rests on: {nowhere:?}");
}

#[test]
fn every_clause_that_is_cited_exists() {
    for rulebook in HOUSES {
        let ids: BTreeSet<&str> = rulebook.sayings().map(|saying| saying.id).collect();
        for cite in rulebook.cites() {
            assert!(ids.contains(cite), "{} cites {cite}, which it does not have", rulebook.id);
        }
    }
}
