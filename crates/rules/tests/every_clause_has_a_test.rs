//! Every clause and every reading has a test that is named after it, and every clause that a
//! rulebook cites exists.

use std::collections::BTreeSet;

use houseway_rules::houses::{CARDROOM, CATFISH_BEND, COMMISSION_FREE, HOUSES, MBS_2016, MBS_2020};
use houseway_rules::rulebook::{
    Absent, Bank, Cap, Cited, Collection, Commission, Comparison, Concession, Coverage, Dealing,
    Envy, Fortune, Irregularity, Limits, PlayerBanker, Rotation, Seats, Settlement, TigerNine,
};
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
        for cite in cites(rulebook) {
            assert!(ids.contains(cite), "{} cites {cite}, which it does not have", rulebook.id);
        }
    }
}

/// Every clause that a typed field cites. All fields are named, so that one added later has to be
/// thought of here.
fn cites(rulebook: &Rulebook) -> Vec<&str> {
    let Rulebook {
        id: _,
        name: _,
        summary: _,
        source: _,
        wheel,
        bank,
        seats,
        dealing,
        wagers,
        comparison,
        commission,
        nine_high_push,
        fortune,
        envy,
        tiger_nine,
        coverage,
        collection,
        settlement,
        foul,
        absent,
        concession,
        conduct,
        irregularities,
        house_way: _,
        rules: _,
    } = rulebook;
    let mut cites = vec![&*wheel.cite, &*foul.cite];

    let Bank { banker: _, rotation, player_banker, sets_house_way, cite } = bank;
    cites.extend([&**sets_house_way, &**cite]);
    cites.extend(rotation.iter().map(|Rotation { cite, .. }| &**cite));
    if let Some(banker) = player_banker {
        let PlayerBanker { covers_in_advance, house_bets, sets_freely, pools, may_bet_fortune } =
            banker;
        let of_banker = [covers_in_advance, house_bets, sets_freely, pools, may_bet_fortune];
        cites.extend(of_banker.map(|cite| &**cite));
    }

    let Seats {
        betting_positions: _,
        banker_is_seated: _,
        several_positions,
        one_of_each,
        restricted_by,
        shared_wagers,
        staff_wagers,
        cite,
    } = seats;
    cites.push(cite);
    cites.extend(several_positions.iter().map(|Cited { cite, .. }| &**cite));
    cites.extend(restricted_by.iter().map(|Cited { cite, .. }| &**cite));
    for cite in [one_of_each, shared_wagers, staff_wagers, nine_high_push] {
        cites.extend(cite.as_deref());
    }

    cites.extend(dealing.iter().map(|Dealing { cite, .. }| &**cite));
    cites.extend(wagers.iter().map(|Limits { cite, .. }| &**cite));
    let Comparison { win, lose, standoff, standoff_name: _, copy } = comparison;
    cites.extend([win, lose, standoff, copy].map(|cite| &**cite));
    if let Some(Commission { percent: _, cite, waived_by_fortune }) = commission {
        cites.push(cite);
        cites.extend(waived_by_fortune.iter().map(|Cited { cite, .. }| &**cite));
    }

    let Fortune { table: _, payer: _, only_above_banker, cap, cite } = fortune;
    cites.push(cite);
    cites.extend(only_above_banker.as_deref());
    cites.extend(cap.iter().map(|Cap { cite, .. }| &**cite));
    if let Some(envy) = envy {
        let Envy {
            fortune_at_least: _,
            other_must_bet_fortune: _,
            positions_count_apart: _,
            none_if_banker_holds,
            none_with_own_straight_flush,
            higher_only_with_own_royal_match,
            payer: _,
            cite,
        } = envy;
        cites.push(cite);
        for cite in
            [none_if_banker_holds, none_with_own_straight_flush, higher_only_with_own_royal_match]
        {
            cites.extend(cite.as_deref());
        }
    }
    cites.extend(tiger_nine.iter().map(|TigerNine { cite, .. }| &**cite));

    match coverage {
        Coverage::House => {}
        Coverage::PutUp { cite } | Coverage::InAdvance { cite } => cites.push(cite),
    }
    match collection {
        None => {}
        Some(Collection::Rake { cite } | Collection::Schedules { cite, .. }) => cites.push(cite),
    }
    let Settlement { start: _, direction: _, order: _, cite } = settlement;
    cites.push(cite);
    match absent {
        Absent::Clause(cite) => cites.push(cite),
        Absent::TablePolicy => {}
    }
    if let Some(Concession { cite, viewed_by: _, viewed_cite }) = concession {
        cites.extend([&**cite, &**viewed_cite]);
    }
    cites.extend(conduct.iter().map(|Cited { cite, .. }| &**cite));
    cites.extend(irregularities.iter().map(|Irregularity { cite, .. }| &**cite));
    cites
}
