//! Every clause that concerns dealing, wagering, settling, banking, fees or irregularities has a
//! scenario at the table that is named after it.

use std::collections::BTreeSet;

use houseway_rules::Rulebook;
use houseway_rules::houses::{CARDROOM, CATFISH_BEND, COMMISSION_FREE, MBS_2016, MBS_2020};

static SCENARIOS: [(&Rulebook, &[&str]); 5] = [
    (&MBS_2016, &[include_str!("mbs.rs"), include_str!("views.rs")]),
    (&MBS_2020, &[include_str!("mbs.rs"), include_str!("views.rs")]),
    (&CARDROOM, &[include_str!("cardroom.rs"), include_str!("views.rs")]),
    (&COMMISSION_FREE, &[include_str!("commission_free.rs"), include_str!("views.rs")]),
    (&CATFISH_BEND, &[include_str!("catfish_bend.rs"), include_str!("views.rs")]),
];

/// Clauses that a table has no part in: how hands rank and what words mean. The rules' own tests
/// have them.
static NOT_AT_THE_TABLE: &[(&str, &[&str])] = &[
    ("mbs-2016", &["1.1.1", "1.1.3", "1.1.4", "1.1.6", "1.1.7", "2.1"]),
    ("mbs-2020", &["1.1.3", "1.1.4", "1.1.6", "1.1.7", "2.1"]),
    ("catfish-bend", &["B45"]),
];

/// The names of the tests in a source.
fn tests(source: &str) -> impl Iterator<Item = &str> {
    let lines = source.lines().zip(source.lines().skip(1));
    let tests = lines.filter(|(attribute, _)| attribute.trim() == "#[test]");
    tests.filter_map(|(_, line)| line.trim().strip_prefix("fn ")?.split('(').next())
}

/// Whether a test is named after just this id: `5_1_` and a word, but neither `5_10_` nor `5_1_1_`.
fn is_named_after(name: &str, prefix: &str) -> bool {
    let words = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_'));
    words.is_some_and(|words| words.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

#[test]
fn every_clause_has_a_scenario() {
    let mut without = BTreeSet::new();
    for (rulebook, sources) in SCENARIOS {
        let names: Vec<&str> = sources.iter().flat_map(|source| tests(source)).collect();
        let exempt = NOT_AT_THE_TABLE.iter().find(|(id, _)| *id == rulebook.id);
        let exempt = exempt.map_or(&[][..], |(_, ids)| ids);
        for rule in rulebook.rules.iter() {
            let prefix =
                format!("{}_{}", rulebook.id, rule.id).to_lowercase().replace(['-', '.'], "_");
            let has = names.iter().any(|name| is_named_after(name, &prefix));
            match (has, exempt.contains(&&*rule.id)) {
                (false, false) => {
                    without.insert(format!("{} {}: fn {prefix}_...", rulebook.id, rule.id));
                }
                (true, true) => panic!("{} {} has a scenario after all", rulebook.id, rule.id),
                _ => {}
            }
        }
    }
    assert!(without.is_empty(), "clauses without a scenario: {without:#?}");
}

/// The readings that are about wagering, dealing, settling, banking, fees or irregularities.
static READINGS: [u8; 15] = [6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 19, 21, 22, 23, 24];

#[test]
fn every_reading_of_the_table_has_a_scenario() {
    let names: Vec<&str> =
        SCENARIOS.iter().flat_map(|(_, sources)| *sources).flat_map(|it| tests(it)).collect();
    let without: Vec<u8> = READINGS
        .into_iter()
        .filter(|number| !names.iter().any(|name| name.contains(&format!("_r{number}_"))))
        .collect();
    assert!(without.is_empty(), "readings without a scenario: {without:?}");
}
