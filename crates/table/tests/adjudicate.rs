//! Rounds of a physical table, given as data.

use std::sync::LazyLock;

use houseway_rules::houses;
use houseway_table::Person;
use houseway_table::adjudicate::{Adjudicated, Fault, Given, Lies, adjudicate};
use houseway_table::settlement::{Bet, Ending, Owner};
use serde_json::{Value, json};

mod common;
use common::Chance;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

fn example(rules: &str) -> Value {
    let text = std::fs::read_to_string(format!("{FOLDER}examples/rounds/{rules}.json"));
    serde_json::from_str(&text.expect("an example")).expect("JSON")
}

fn decided(round: Value) -> Result<Adjudicated, Fault> {
    let given: Given = serde_json::from_value(round).expect("the form of a round");
    let rulebook = houses::HOUSES.into_iter().find(|it| it.id == given.rules);
    adjudicate(rulebook.expect("a house"), &given)
}

fn settled(rules: &str, change: impl FnOnce(&mut Value)) -> Adjudicated {
    let mut round = example(rules);
    change(&mut round);
    decided(round).unwrap_or_else(|fault| panic!("{fault}"))
}

fn refused(rules: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut round = example(rules);
    change(&mut round);
    decided(round).expect_err("refused").to_string()
}

/// The lines of a position: ending, taken, paid, back in dollars, first clause.
fn lines(round: &Adjudicated, position: u8) -> Vec<(Ending, u64, u64, u64, &str)> {
    let own = round.lines.iter().filter(|line| line.position.0 == position);
    own.map(|line| {
        let [taken, paid, back] = [line.taken, line.paid, line.back].map(|it| it.get() / 100);
        (line.ending, taken, paid, back, &*line.clauses[0])
    })
    .collect()
}

fn says(round: &Adjudicated, clause: &str) -> String {
    let notes = round.notes.iter().filter(|note| note.clause == clause);
    notes.map(|note| note.says.clone()).collect::<Vec<_>>().join("\n")
}

#[test]
fn mbs_2020_5_1_a_void_round_does_not_look_at_its_cards() {
    let round = settled("mbs-2020", |it| {
        it["banker"] = json!({});
        it["seats"][0]["cards"] = json!(["Ah", "Ah"]);
        it["irregularities"] = json!([{"what": "foreign-card"}, {"what": "two-exposed"}]);
    });
    assert_eq!(round.void.as_deref(), Some("5.1"));
    assert_eq!(lines(&round, 1), [(Ending::Returned, 0, 0, 100, "5.1")]);
    assert!(says(&round, "5.4").contains("exposed"), "what else was called is noted");
    assert!(round.hands.is_empty());
}

/// What is called after a void is still looked at.
#[test]
fn mbs_2020_5_1_does_not_hide_a_mistake_in_what_follows() {
    let said = refused("mbs-2020", |it| {
        it["irregularities"] =
            json!([{"what": "foreign-card"}, {"what": "no-cards", "position": 6}]);
    });
    assert_eq!(said, "irregularities[1].position: name a position with a wager (5.8)");
}

#[test]
fn mbs_2020_5_3_a_dealers_hand_of_six_is_void_or_reconstructed() {
    let six = |it: &mut Value| it["banker"]["cards"] = json!(["Jc", "Jd", "Qh", "Tc", "7c", "4h"]);
    assert_eq!(
        refused("mbs-2020", six),
        "banker.cards: 6 cards, and a hand has seven (5.3)",
        "the clause that would have to be called"
    );
    let void = settled("mbs-2020", |it| {
        six(it);
        it["irregularities"] = json!([{"what": "banker-hand-size"}]);
    });
    assert_eq!(void.void.as_deref(), Some("5.3"));
    let stands = settled("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "banker-hand-size", "repaired": true}]);
    });
    assert_eq!(stands.void, None);
    assert!(says(&stands, "5.3").ends_with("put right, so play goes on"));
}

#[test]
fn mbs_2020_5_5_a_late_raise_goes_back_and_the_rest_plays() {
    let round = settled("mbs-2020", |it| {
        it["irregularities"] =
            json!([{"what": "late-wager", "position": 1, "wager": "standard", "amount": "$40"}]);
    });
    assert_eq!(
        lines(&round, 1),
        [(Ending::Returned, 0, 0, 40, "5.5"), (Ending::Win, 0, 60, 60, "3.18")]
    );
    let all = settled("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "late-wager", "position": 3, "wager": "standard"}]);
    });
    assert_eq!(
        lines(&all, 3),
        [(Ending::Returned, 0, 0, 50, "5.5"), (Ending::Returned, 0, 0, 5, "5.5")],
        "a bonus stands only beside a standard wager"
    );
    let said = refused("mbs-2020", |it| {
        it["irregularities"] =
            json!([{"what": "late-wager", "position": 1, "wager": "standard", "amount": "$101"}]);
    });
    assert_eq!(said, "irregularities[0].amount: $101 cannot be late of $100 (5.5)");
}

#[test]
fn mbs_2020_5_7_a_hand_of_eight_is_out() {
    let eight = json!(["Ac", "Ad", "Kh", "Qs", "9c", "5d", "3h", "2h"]);
    let said = refused("mbs-2020", |it| it["seats"][0]["cards"] = eight.clone());
    assert_eq!(said, "seats[0].cards: 8 cards, and a hand has seven (5.7)");
    let round = settled("mbs-2020", |it| {
        it["seats"][0]["cards"] = eight;
        it["irregularities"] = json!([{"what": "player-hand-size", "position": 1}]);
    });
    assert_eq!(lines(&round, 1), [(Ending::Returned, 0, 0, 100, "5.7")]);
    assert_eq!(lines(&round, 4), [(Ending::Lose, 20, 0, 0, "3.16")], "others play on");
}

#[test]
fn mbs_2020_5_8_a_position_without_cards_gets_its_wager_back() {
    let round = settled("mbs-2020", |it| {
        it["seats"][1].as_object_mut().expect("a seat").remove("cards");
        it["seats"][1].as_object_mut().expect("a seat").remove("low");
        it["irregularities"] = json!([{"what": "no-cards", "position": 3}]);
    });
    assert_eq!(
        lines(&round, 3),
        [(Ending::Returned, 0, 0, 50, "5.8"), (Ending::Returned, 0, 0, 5, "5.8")]
    );
}

#[test]
fn mbs_2020_5_9_is_about_a_position_without_a_wager() {
    let said = refused("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "no-wager", "position": 3}]);
    });
    assert_eq!(said, "irregularities[0].position: the position has a wager (5.9)");
    let round = settled("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "no-wager", "position": 6}]);
    });
    assert!(says(&round, "5.9").starts_with("position 6: "));
}

#[test]
fn mbs_2020_5_10_needs_something_to_be_unhappy_with() {
    let unhappy = json!({"what": "dissatisfied", "position": 4});
    let said = refused("mbs-2020", |it| it["irregularities"] = json!([unhappy]));
    let why = "irregularities[0].what: nothing was called that lets that player withdraw (5.10)";
    assert_eq!(said, why);
    let round = settled("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "no-wager", "position": 6}, unhappy]);
    });
    assert_eq!(lines(&round, 4), [(Ending::Returned, 0, 0, 20, "5.10")]);
}

#[test]
fn mbs_2020_5_12_is_settled_once_and_then_goes_back() {
    let under = |it: &mut Value| it["seats"][2]["standard"] = json!("$5");
    let once = settled("mbs-2020", under);
    assert_eq!(lines(&once, 4), [(Ending::Lose, 5, 0, 0, "3.16")]);
    assert!(says(&once, "5.12").contains("settled this once"));
    let again = settled("mbs-2020", |it| {
        under(it);
        it["seats"][2]["under-minimum-before"] = json!(true);
    });
    assert_eq!(lines(&again, 4), [(Ending::Returned, 0, 0, 5, "5.12")]);
    let said = refused("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "under-minimum", "position": 1}]);
    });
    let why = "irregularities[0].position: no wager there is under the minimum (5.12)";
    assert_eq!(said, why);
}

/// A wager that takes no part earns no Envy: seat 3's bonus goes back with the rest.
#[test]
fn mbs_2020_5_12_a_returned_bonus_earns_no_envy() {
    let royal_match = json!(["Ah", "Kh", "Qh", "Jh", "Th", "9c", "9s"]);
    let with = |before: bool| {
        settled("mbs-2020", |it| {
            it["banker"] = json!({"cards": ["Jc", "Jd", "Qs", "8c", "7c", "4h", "2s"]});
            it["seats"] = json!([
                {"position": 1, "standard": "$20", "cards": ["Kc", "Kd", "Ac", "Qd", "6c", "5c", "3c"]},
                {"position": 3, "standard": "$5", "fortune": "$5", "under-minimum-before": before,
                 "cards": ["2c", "3d", "5s", "7d", "8d", "Td", "Qc"]},
                {"position": 5, "standard": "$20", "cards": royal_match},
            ]);
            // A royal match: the royal flush and a suited king and queen beside it.
            it["seats"][2]["cards"] = json!(["Ah", "Kh", "Qh", "Jh", "Th", "Ks", "Qs"]);
            it["banker"]["cards"][2] = json!("9d");
        })
    };
    let envy = |round: &Adjudicated| round.lines.iter().filter(|it| it.stake.get() == 0).count();
    assert_eq!(envy(&with(false)), 1, "once it is settled, Envy with it");
    assert_eq!(envy(&with(true)), 0);
}

#[test]
fn mbs_2020_3_24_1_envy_withheld_is_told() {
    let round = settled("mbs-2020", |it| {
        it["banker"] = json!({"cards": ["Ad", "Kd", "Qd", "Jd", "Td", "Ks", "Qs"]});
        it["seats"] = json!([
            {"position": 1, "standard": "$20", "fortune": "$5",
             "cards": ["2c", "3d", "5s", "7d", "8d", "9c", "Jc"]},
            {"position": 2, "standard": "$20", "cards": ["Ah", "Kh", "Qh", "Jh", "Th", "Kc", "Qc"]},
        ]);
    });
    assert!(round.lines.iter().all(|line| line.stake.get() > 0), "no Envy is paid");
    assert_eq!(
        says(&round, "3.24.1"),
        "position 1: no Envy of $50 for the royal match at position 2"
    );
}

#[test]
fn mbs_2020_3_5_2_one_player_lays_one_hand() {
    let two = |it: &mut Value| {
        it["seats"][1]["person"] = json!(1);
        it["seats"][0]["low"] = json!(["9c", "5d"]);
        it["seats"][1]["low"] = json!(["Ts", "2d"]);
        it["seats"][1]["cards"] = json!(["9d", "8d", "6d", "5h", "4d", "2d", "Ts"]);
    };
    let said = refused("mbs-2020", |it| {
        two(it);
        it["seats"][1]["low"] = json!(["5h", "2d"]);
    });
    assert!(said.starts_with("seats[1].low: a player lays one hand"), "{said}");
    assert!(said.ends_with("or call `second-viewed` (5.16) (3.5.2)"), "{said}");
    // As the House Way would have it, nobody can tell who laid it.
    let round = settled("mbs-2020", |it| {
        two(it);
        it["seats"][1]["low"] = json!(["Ts", "5h"]);
    });
    assert_eq!(round.hands.len(), 4);
    let called = settled("mbs-2020", |it| {
        two(it);
        it["seats"][1]["low"] = json!(["5h", "2d"]);
        it["irregularities"] = json!([{"what": "second-viewed", "position": 3}]);
    });
    assert_eq!(lines(&called, 3)[0], (Ending::Returned, 0, 0, 50, "5.16"));
}

#[test]
fn mbs_2020_5_16_needs_a_second_hand() {
    let said = refused("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "second-viewed", "position": 3}]);
    });
    assert_eq!(said, "irregularities[0].position: that player has one hand only (5.16)");
}

#[test]
fn mbs_2020_6_1_a_decision_is_recorded_with_its_reason() {
    let ruling = |ruling: Value, reason: &str| {
        let mut round = example("mbs-2020");
        round["rulings"] = json!([{"ruling": ruling, "reason": reason}]);
        decided(round)
    };
    let void = ruling(json!("void"), "a drink was spilled over the layout").expect("void");
    assert_eq!(void.void.as_deref(), Some("6.1"));
    assert!(says(&void, "6.1").ends_with("a drink was spilled over the layout"));
    let out = ruling(json!({"hand-out": 1}), "the hand was mixed with another").expect("out");
    assert_eq!(lines(&out, 1), [(Ending::Returned, 0, 0, 100, "6.1")]);
    let on = ruling(json!("play-on"), "nothing was seen").expect("goes on");
    assert_eq!(lines(&on, 1)[0].0, Ending::Win);
    let fault = ruling(json!("void"), "  ").expect_err("no reason");
    assert_eq!(fault.to_string(), "rulings[0].reason: a decision needs its reason (6.1)");
    let fault = ruling(json!({"hand-out": 5}), "why").expect_err("nobody wagers there");
    assert_eq!(fault.field, "rulings[0].ruling");
    let said = refused("mbs-2020", |it| it["irregularities"] = json!([{"what": "not-covered"}]));
    assert!(said.contains("under `rulings` (6.1)"), "{said}");
}

#[test]
fn mbs_2020_5_17_a_misset_hand_is_put_right() {
    let round = settled("mbs-2020", |it| {
        it["banker"]["low"] = json!(["4h", "2s"]);
        it["seats"][0]["cards"] = json!(["Ac", "Ad", "8s", "7s", "9c", "5d", "3h"]);
        it["seats"][0]["low"] = json!(["9c", "8s"]);
    });
    assert_eq!(
        (round.hands[0].how, round.hands[0].clause.as_deref()),
        (Lies::PutRight, Some("5.17"))
    );
    assert_eq!(round.hands[0].low_is, "queen-ten");
    assert_eq!(round.hands[0].high_is, "pair of jacks");
    // As it lay, both would have won, less commission; put right, both push.
    let differences = [(Person(1), -9_500), (Person(3), -4_750)];
    assert_eq!(round.missets[0].differences, differences);
    assert!(!round.missets[0].foul);
    let said = refused("mbs-2020", |it| it["banker"]["low"] = json!(["4h", "As"]));
    assert!(said.starts_with("banker.low: "), "{said}");
}

/// A banking player's hand lies `low`; the positions are those of the example.
fn banked(change: impl FnOnce(&mut Value)) -> Adjudicated {
    settled("catfish-bend", |it| {
        // Aces with king-queen: laid so that the pair of kings at position 2 would push.
        it["banker"]["low"] = json!(["5d", "3h"]);
        change(it);
    })
}

#[test]
fn catfish_bend_b20_a_bankers_hand_is_reconstructed() {
    let lay = banked(|_| {});
    assert_eq!(lines(&lay, 2), [(Ending::Push, 0, 0, 100, "B7")], "legal, so it stands (B16)");
    assert_eq!(lay.hands[0].how, Lies::Laid);
    let round = banked(|it| it["irregularities"] = json!([{"what": "banker-misset"}]));
    assert_eq!(lines(&round, 2), [(Ending::Lose, 100, 0, 0, "B7")]);
    assert_eq!(round.hands[0].clause.as_deref(), Some("B20"));
    assert_eq!(round.missets[0].clause, "B20");
    let meant = banked(|it| {
        it["irregularities"] = json!([{"what": "banker-misset", "low": ["9c", "3h"]}]);
    });
    assert_eq!(meant.hands[0].low_is, "nine-three");
    let said = refused("catfish-bend", |it| {
        it["irregularities"] = json!([{"what": "banker-misset", "low": ["Ac", "Ad"]}]);
    });
    assert!(said.contains("(B20)"), "{said}");
    let said = refused("catfish-bend", |it| {
        let round = it.as_object_mut().expect("a round");
        round.remove("bank");
        round.remove("house");
        it["irregularities"] = json!([{"what": "banker-misset"}]);
    });
    assert!(said.ends_with("no player's hand is the banker's (B20)"), "{said}");
}

#[test]
fn catfish_bend_b21_after_pick_up_hands_stay_as_they_lay() {
    let round = banked(|it| {
        it["irregularities"] = json!([{"what": "banker-misset"}, {"what": "picked-up"}]);
        it["house"]["low"] = json!(["4h", "2s"]);
    });
    assert_eq!(lines(&round, 2), [(Ending::Push, 0, 0, 100, "B7")]);
    assert!(says(&round, "B21").contains("stays as it lay"), "{:?}", round.notes);
    assert_eq!(round.hands[1].low_is, "four-two", "the dealer's mistake stays too");
    assert_eq!(round.missets[0].stays.as_deref(), Some("B21"));
}

#[test]
fn catfish_bend_b18_a_hand_of_six_is_a_misdeal() {
    let round = settled("catfish-bend", |it| {
        it["seats"][0]["cards"] = json!(["Kc", "Kd", "Jh", "Ts", "9d", "5h"]);
        it["irregularities"] = json!([{"what": "hand-size"}]);
    });
    assert_eq!(round.void.as_deref(), Some("B18"));
    assert_eq!(lines(&round, 6), [(Ending::Returned, 0, 0, 5, "B18")], "the banker's own bonus");
    assert_eq!(lines(&round, 2), [(Ending::Returned, 0, 0, 100, "B18")]);
}

#[test]
fn catfish_bend_b1_holds_for_the_houses_wager_too() {
    let said = refused("catfish-bend", |it| it["bank"]["house-wager"] = json!("$7"));
    assert_eq!(said, "bank.house-wager: $7 is not in steps of $5 (B1)");
}

/// What says nothing here is a mistake, not something to pass over.
#[test]
fn nothing_that_is_given_is_ignored() {
    let said = refused("mbs-2020", |it| it["number"] = json!(3));
    assert!(said.starts_with("number: no number is drawn here"), "{said}");
    let said = refused("mbs-2020", |it| it["house"] = json!({"cards": []}));
    assert!(said.starts_with("house: the house banks"), "{said}");
    let said = refused("cardroom", |it| it["house"] = json!({"cards": []}));
    assert!(said.starts_with("house: the house does not play here"), "{said}");
    let said = refused("mbs-2020", |it| it["seats"] = json!([]));
    assert_eq!(said, "seats: nobody has wagered: name a position");
    let said = refused("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "foreign-card", "repaired": true}]);
    });
    assert!(said.starts_with("irregularities[0].repaired: that says nothing about"), "{said}");
    let said = refused("cardroom", |it| it["seats"][0]["under-minimum-before"] = json!(true));
    assert!(said.starts_with("seats[0].under-minimum-before: "), "{said}");
}

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let text = std::fs::read_to_string(format!("{FOLDER}docs/settle.schema.json"));
    let schema = serde_json::from_str(&text.expect("a schema")).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
});

/// The published form takes just what the reader takes: examples, and ten thousand changes of them.
#[test]
fn the_schema_takes_what_the_reader_takes() {
    let mut chance = Chance(11);
    let pieces = [
        json!(null),
        json!(true),
        json!(-1),
        json!(7),
        json!(300),
        json!(2.5),
        json!("$25"),
        json!("$1,50"),
        json!("$1,500.00"),
        json!("Ah"),
        json!("joker"),
        json!("10♥"),
        json!("Zz"),
        json!([]),
        json!(["Ah", "Ah"]),
        json!(["Ah", "Kd"]),
        json!({}),
        json!("foreign-card"),
        json!("void"),
        json!({"hand-out": 3}),
        json!([{"what": "no-cards", "position": 3}]),
        json!([{"ruling": "void", "reason": "so"}]),
        json!([{"person": 9, "standard": 1000}]),
    ];
    let names = ["position", "low", "cards", "shared", "rulings", "irregularities", "wager", "odd"];
    let (mut taken, mut refused) = (0, 0);
    for rulebook in houses::HOUSES {
        let whole = example(&rulebook.id);
        assert!(SCHEMA.is_valid(&whole) && serde_json::from_value::<Given>(whole.clone()).is_ok());
        for _ in 0..2_000 {
            let mut round = whole.clone();
            for _ in 0..=chance.below(2) {
                change(&mut round, &mut chance, &pieces, &names);
            }
            let read = serde_json::from_value::<Given>(round.clone());
            // A reader takes a list of fields for an object with them, which nobody means to write.
            let listed = |error: jsonschema::ValidationError<'_>| error.instance().is_array();
            let listed = read.is_ok() && SCHEMA.iter_errors(&round).any(listed);
            assert_eq!(SCHEMA.is_valid(&round) || listed, read.is_ok(), "{round}\n{read:?}");
            *(if read.is_ok() { &mut taken } else { &mut refused }) += 1;
        }
    }
    assert!(taken > 500 && refused > 500, "{taken} taken, {refused} refused");
}

/// Puts a piece somewhere into a value, or takes something away.
fn change(value: &mut Value, chance: &mut Chance, pieces: &[Value], names: &[&str]) {
    match value {
        Value::Object(map) if !map.is_empty() && chance.below(4) > 0 => {
            let at = chance.below(map.len());
            let name = map.keys().nth(at).expect("it is there").clone();
            match chance.below(5) {
                0 => drop(map.remove(&name)),
                1 => drop(map.insert(chance.of(names).to_string(), chance.of(pieces).clone())),
                _ => change(&mut map[&name], chance, pieces, names),
            }
        }
        Value::Array(list) if !list.is_empty() && chance.below(4) > 0 => {
            let at = chance.below(list.len());
            change(&mut list[at], chance, pieces, names);
        }
        value => *value = chance.of(pieces).clone(),
    }
}

/// A hand had its part of 5.7 alone may let its players withdraw the rest; a stranger may not, nor
/// anyone after it was put right.
#[test]
fn mbs_2020_5_10_is_for_those_who_had_part_in_the_hand() {
    let unhappy = |position: u8, repaired: bool| {
        let mut round = example("mbs-2020");
        round["irregularities"] = json!([
            {"what": "player-hand-size", "position": 1, "repaired": repaired},
            {"what": "dissatisfied", "position": position},
        ]);
        decided(round)
    };
    assert!(unhappy(1, false).is_ok());
    for (position, repaired) in [(4, false), (1, true)] {
        let fault = unhappy(position, repaired).expect_err("refused");
        assert_eq!(fault.clause.as_deref(), Some("5.10"), "{fault}");
    }
}

/// Position 1 is held by 1 with $100 and shared by 9 with $50; 1 has $30 at position 3 too.
fn shared(what: &str, person: Option<u32>) -> Adjudicated {
    settled("mbs-2020", |it| {
        it["seats"][0]["shared"] = json!([{"person": 9, "standard": "$50"}]);
        it["seats"][1]["shared"] = json!([{"person": 1, "standard": "$30"}]);
        it["irregularities"] = json!([{"what": what, "position": 1, "person": person}]);
    })
}

/// Who has what back, and what of whose was settled.
fn owners(round: &Adjudicated) -> Vec<(u8, u32, Ending)> {
    let standard = round.lines.iter().filter(|line| line.bet == Bet::Standard);
    let mut owners: Vec<(u8, u32, Ending)> = standard
        .map(|line| match line.owner {
            Owner::Person(person) => (line.position.0, person.0, line.ending),
            Owner::House => panic!("the house has no wager"),
        })
        .collect();
    owners.sort_by_key(|it| (it.0, it.1));
    owners
}

/// Everything of whoever is barred goes back, wherever it lies, and nothing of anyone else's.
#[test]
fn mbs_2020_5_15_and_5_18_1_give_back_one_persons_shares() {
    for what in ["hand-shown", "power-failure-open"] {
        let round = shared(what, None);
        let all = owners(&round);
        assert!(all.contains(&(1, 1, Ending::Returned)) && all.contains(&(3, 1, Ending::Returned)));
        assert!(all.contains(&(1, 9, Ending::Win)), "{all:?}");
        let sharer = shared(what, Some(9));
        let all = owners(&sharer);
        assert!(all.contains(&(1, 9, Ending::Returned)) && all.contains(&(1, 1, Ending::Win)));
    }
    let said = refused("mbs-2020", |it| {
        it["irregularities"] = json!([{"what": "hand-shown", "position": 1, "person": 7}]);
    });
    assert_eq!(said, "irregularities[0].person: that person has no part in the wager there (5.15)");
}

/// 5.12 holds for every bet: a later bonus under its minimum goes back alone.
#[test]
fn mbs_2020_5_12_a_later_bonus_under_the_minimum_goes_back() {
    let round = settled("mbs-2020", |it| {
        it["posted"] = json!({"device": "machine",
            "standard": {"minimum": "$10", "maximum": "$1,000"},
            "fortune": {"minimum": "$10", "maximum": "$100"}});
        it["seats"][1]["under-minimum-before"] = json!(true);
        it["irregularities"] = json!([{"what": "under-minimum", "position": 3}]);
    });
    assert_eq!(lines(&round, 3)[0], (Ending::Returned, 0, 0, 5, "5.12"));
    assert_eq!(lines(&round, 3)[1], (Ending::Push, 0, 0, 50, "3.20"));
}

/// Someone who sits there and only shares another's wager is envious like anyone.
#[test]
fn mbs_2020_3_23_a_seated_sharer_gets_envy() {
    let envy = |seated: Value| {
        let round = settled("mbs-2020", |it| {
            it["banker"] = json!({"cards": ["Jc", "Jd", "9d", "8c", "7c", "4h", "2s"]});
            it["seats"] = json!([
                {"position": 1, "standard": "$20", "cards": ["2c", "3d", "5s", "7d", "8d", "Td", "6c"],
                 "shared": [{"person": 9, "standard": "$20", "fortune": "$5"}]},
                {"position": 5, "standard": "$20", "cards": ["Ah", "Kh", "Qh", "Jh", "Th", "Ks", "Qs"]},
            ]);
            it["seated"] = seated;
        });
        round.lines.iter().filter(|line| matches!(line.bet, Bet::Envy { .. })).count()
    };
    assert_eq!(envy(json!([])), 0, "who has no seat gets none");
    assert_eq!(envy(json!([{"position": 2, "person": 9}])), 1);
}

/// Where no irregularity is about late wagers, the clause that closes bets is.
#[test]
fn cardroom_c3_a_late_wager_goes_back() {
    let round = settled("cardroom", |it| {
        it["irregularities"] = json!([{"what": "late-wager", "position": 2}]);
    });
    assert_eq!(lines(&round, 2), [(Ending::Returned, 0, 0, 100, "C3")]);
    let round = settled("catfish-bend", |it| {
        it["irregularities"] =
            json!([{"what": "late-wager", "position": 4, "wager": "standard", "amount": "$10"}]);
    });
    assert_eq!(lines(&round, 4)[0], (Ending::Returned, 0, 0, 10, "B4"));
}

/// A banker may wager at their other position: each counts as a player of its own.
#[test]
fn catfish_bend_b3_a_banker_wagers_at_their_other_position() {
    let round = settled("catfish-bend", |it| {
        it["seats"][1]["position"] = json!(5);
        it["seats"][1]["person"] = json!(6);
    });
    assert!(lines(&round, 5)[0].0 == Ending::Win);
    let said = refused("catfish-bend", |it| it["seats"][1]["person"] = json!(6));
    assert!(said.ends_with("(B3)"), "{said}");
}

/// The cards of a dead hand are told as they lay.
#[test]
fn catfish_bend_b5_a_dead_hand_is_told_as_it_lay() {
    let round = settled("catfish-bend", |it| {
        it["seats"][0]["low"] = json!(["Kc", "Kd"]);
        it["seats"][0]["fouls"] = json!(1);
    });
    let hand = round.hands.iter().find(|it| it.how == Lies::Dead).expect("a dead hand");
    assert_eq!(hand.low_is, "pair of kings");
    assert_eq!(lines(&round, 2), [(Ending::Lose, 100, 0, 0, "B5")]);
}

/// A banker and the house make a round without anyone else.
#[test]
fn catfish_bend_b15_the_house_alone_plays_against_a_banker() {
    let round = settled("catfish-bend", |it| it["seats"] = json!([]));
    assert_eq!(round.lines[0].bet, Bet::HouseWager);
    assert_eq!(round.lines[0].taken.get(), 2_500);
}

/// How a hand was meant counts, also where nothing is said of how it lay.
#[test]
fn catfish_bend_b20_a_hand_is_laid_as_it_was_meant() {
    let round = settled("catfish-bend", |it| {
        it["banker"].as_object_mut().expect("a hand").remove("low");
        it["irregularities"] = json!([{"what": "banker-misset", "low": ["9c", "3h"]}]);
    });
    assert_eq!(round.hands[0].low_is, "nine-three");
}
