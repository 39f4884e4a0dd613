//! Rulebook files: what is read, what is refused and why.
#![cfg(feature = "toml")]

use houseway_rules::custom::{self, Custom};
use houseway_rules::rulebook::{By, Collection};
use houseway_rules::{BonusHand, Cents, houses, set_house_way};

fn read(file: &str) -> Custom {
    custom::read("ours", file).unwrap_or_else(|remark| panic!("{remark}\n{file}"))
}

/// What is said of a file that is refused.
fn refusal(file: &str) -> String {
    match custom::read("ours", file) {
        Ok(_) => panic!("accepted:\n{file}"),
        Err(remark) => remark.to_string(),
    }
}

const BASE: &str = "extends = \"commission-free\"\n";

#[test]
fn a_file_that_changes_nothing_is_its_base() {
    for house in houses::HOUSES {
        let custom = read(&format!("extends = \"{}\"", house.id));
        assert!(custom.warnings.is_empty(), "{:?}", custom.warnings);
        let mut rulebook = custom.rulebook;
        assert_eq!(rulebook.id, "ours");
        rulebook.id = house.id.clone();
        rulebook.summary = house.summary.clone();
        assert_eq!(&rulebook, house);
    }
}

/// What is printed as data can be read again: every type of a rulebook, there and back.
#[test]
fn a_whole_rulebook_can_be_written_and_read() {
    for house in houses::HOUSES {
        let mut data = toml::Table::try_from(house).expect("a rulebook is data");
        data.insert("id".into(), "copy".into());
        let extends = format!("extends = \"{}\"\n", house.id);
        let text = format!("{extends}{data}");
        let mut rulebook = read(&text).rulebook;
        assert_eq!(rulebook.id, "copy");
        rulebook.id = house.id.clone();
        assert_eq!(&rulebook, house);
    }
}

#[test]
fn pay_tables_can_be_changed_line_by_line() {
    let rulebook = read(
        "extends = \"mbs-2020\"\n[fortune.pays]\nfive-aces = 300\n[fortune.envy]\nfive-aces = \"$100\"\n",
    )
    .rulebook;
    let line = rulebook.fortune.line(BonusHand::FiveAces).expect("a line");
    assert_eq!((line.pays, line.envy), (300, Some(Cents::dollars(100))));
    assert_eq!(rulebook.fortune.pays(BonusHand::RoyalMatch), Some(1000));
}

#[test]
fn what_a_house_has_can_be_taken_away() {
    let rulebook = read(&format!(
        "{BASE}envy = false\ntiger-nine = false\nnine-high-push = false\ncollection = false\n"
    ))
    .rulebook;
    assert!(rulebook.envy.is_none() && rulebook.tiger_nine.is_none());
    assert!(rulebook.nine_high_push.is_none() && rulebook.collection.is_none());
    assert!(matches!(houses::COMMISSION_FREE.collection, Some(Collection::Schedules { .. })));
}

#[test]
fn amendments_replace_add_and_remove() {
    let file = "extends = \"mbs-2020\"
        [[amend]]
        id = \"house-1\"
        before = \"A.7\"
        shape = \"four-of-a-kind\"
        first = \"9\"
        low = \"best-singles\"
        says = \"four nines are never split.\"
        [[amend]]
        id = \"A.3\"
        shape = \"three-pair\"
        best-single = \"A\"
        low = \"pair-of-second\"
        says = \"with an ace the middle pair goes Low.\"
        [[amend]]
        id = \"A.3\"
        shape = \"three-pair\"
        low = \"pair-of-first\"
        says = \"the highest pair goes Low.\"";
    let rulebook = read(file).rulebook;
    for (cards, low, clause) in [
        ("9c 9d 9h 9s Qh Jd 5s", "Qh Jd", "house-1"),
        ("8c 8d 8h 8s Qh Jd 5s", "8c 8d", "A.7"),
        ("Jc Jh 7s 7h 2c 2d As", "7s 7h", "A.3"),
        ("Jc Jh 7s 7h 2c 2d Ks", "Jc Jh", "A.3"),
    ] {
        let decision = set_house_way(&rulebook, cards.parse().expect(cards));
        assert_eq!(decision.setting.low(), low.parse().expect(low), "{cards}");
        assert_eq!(decision.clause.id, clause);
    }
}

#[test]
fn a_file_without_a_base_says_everything() {
    let why = refusal(
        "name = \"Ours\"\n[[house-way]]\nid = \"1\"\nshape = \"any\"\nlow = \"highest-pair\"\nsays = \"x\"\n",
    );
    assert!(why.contains("missing: source, wheel, bank, seats, dealing, wagers"), "{why}");
    assert!(refusal("").contains("there is no House Way"));
    let amended = "[[amend]]\nid = \"1\"\nshape = \"any\"\nlow = \"best-singles\"\nsays = \"x\"\n";
    assert!(refusal(amended).contains("say which house it `extends`"));
}

/// Each mistake is named with its line, where it has one, and with what would be right.
#[test]
fn mistakes_are_named() {
    for (file, why) in [
        (
            "extends = \"comission-free\"",
            "line 1: there is no house `comission-free`; did you mean `commission-free`?",
        ),
        ("extends = \"x.toml\"", "and a file extends one of these"),
        ("name = \"a\"\nname = \"b\"", "line 2: duplicate key"),
        ("comission = false", "line 1: unknown field `comission`; did you mean `commission`?"),
        ("name = 7", "line 1: invalid type: integer `7`, expected a string"),
        ("wheel = \"lowest\"", "expected a choice and its clause: { is = \"…\", cite = \"…\" }"),
        (
            "wheel = { is = \"highest\", cite = \"3.9\" }",
            "`highest` is not a place for the wheel; did you mean `second-highest`?",
        ),
        (
            "[fortune.pays]\nroyal-flsh = 5",
            "line 3: `royal-flsh` is not a bonus hand; did you mean `royal-flush`?",
        ),
        (
            "[fortune.pays]\nroyal-flush = -5",
            "line 3: invalid value: integer `-5`, expected a whole number, 0 or more",
        ),
        ("[tiger-nine]\npays = 30\ncite = \"F10\"\nodds = 1", "line 5: unknown field `odds`"),
        ("commission = true", "or `false` if it has none"),
        ("remove = [\"Z9\"]", "line 1: there is no clause `Z9`; there are "),
    ] {
        let file = match (file.starts_with("extends"), file.starts_with('[')) {
            (true, _) => file.to_string(),
            // A key of the file itself cannot follow a table.
            (_, true) => format!("extends = \"commission-free\"\n{file}"),
            _ => format!("{file}\nextends = \"commission-free\"\n"),
        };
        let refused = refusal(&file);
        assert!(refused.contains(why), "{file}\nsaid: {refused}");
    }
}

#[test]
fn clauses_that_are_wrong_are_named() {
    let amend = |lines: &str| format!("{BASE}\n[[amend]]\nid = \"F23\"\nsays = \"x\"\n{lines}\n");
    for (lines, why) in [
        (
            "shape = \"three-pairs\"\nlow = \"pair-of-first\"",
            "`three-pairs` is not a shape; did you mean `three-pair`?",
        ),
        ("shape = []\nlow = \"pair-of-first\"", "line 6: invalid length 0, expected a shape"),
        (
            "shape = \"three-pair\"\nlow = \"pair-of-fist\"",
            "line 7: `pair-of-fist` is not a play; did you mean `pair-of-first`?",
        ),
        (
            "shape = \"three-pair\"\nlow = [\"best-singles\"]",
            "line 7: invalid length 1, expected a play such as",
        ),
        (
            "shape = \"three-pair\"\nlow = \"best-singles\"",
            "line 3: clause `F23` cannot play `best-singles` with",
        ),
        (
            "shape = \"three-pair\"\nfirst = \"A-J\"\nlow = \"pair-of-first\"",
            "line 7: `A-J` is not a set of ranks: write",
        ),
        (
            "shape = \"three-pair\"\nfirst = 9\nlow = \"pair-of-first\"",
            "line 7: invalid type: integer `9`, expected a string: write it between quotation marks",
        ),
        (
            "shape = \"three-pair\"\nbestsingle = \"A\"\nlow = \"pair-of-first\"",
            "unknown field `bestsingle`; did you mean `best-single`?",
        ),
        ("shape = \"three-pair\"\nfirst = \"A\"\nlow = \"pair-of-first\"", "no clause sets"),
        (
            "shape = \"three-pair\"\nlow = \"pair-of-first\"\nreadings = [\"R29\"]",
            "`R29` is not a reading: they are R1 to R28",
        ),
        (
            "before = \"F99\"\nshape = \"three-pair\"\nlow = \"pair-of-first\"",
            "line 3: there is no clause `F99`",
        ),
    ] {
        let refused = refusal(&amend(lines));
        assert!(refused.contains(why), "{lines}\nsaid: {refused}");
    }
    let new =
        refusal(&amend("shape = \"three-pair\"\nlow = \"pair-of-first\"").replace("F23", "new"));
    assert!(new.contains("say which one it goes in front of"), "{new}");
}

#[test]
fn what_no_game_can_have_is_refused() {
    for (lines, why) in [
        ("[commission]\npercent = 200\ncite = \"F8\"", "percent is more than the whole win"),
        ("id = \"cardroom\"", "the id `cardroom` is a house's"),
        ("id = \" \"", "id is empty"),
        ("name = \"\\u001b[31mred\"", "name has control characters"),
        ("dealing = []", "dealing is empty"),
        ("wagers = []", "no `standard` wager"),
        ("foul = { is = \"house-way\", cite = \"F99\" }", "cites `F99`, which is no clause here"),
        ("collection = { schedules = { schedules = [], cite = \"F13\" } }", "has no schedule"),
        (
            "[settlement]\nstart = \"action-button\"\ndirection = \"clockwise\"\norder = [\"fortune\", \"fortune\"]\nby = { clause = \"F7\" }",
            "order must name each wager once",
        ),
        (
            "[[wagers]]\nwager = \"standard\"\nminimum = { lowest = \"$100\", highest = \"$5\" }\nmaximum = {}\nstep = \"$1\"\ncite = \"F1\"",
            "`lowest` is above `highest`",
        ),
        (
            "[[wagers]]\nwager = \"standard\"\nminimum = {}\nmaximum = {}\nstep = \"$0\"\ncite = \"F1\"",
            "wagers are whole dollars",
        ),
        (
            "[[fortune.table]]\nhand = \"straight\"\npays = 2\n[[fortune.table]]\nhand = \"straight\"\npays = 3",
            "two lines for `straight`",
        ),
        (
            "[[collection.schedules.schedules]]\noption = 1\nmeasure = \"table-total\"\nfixed = \"$0\"\nbands = [{ up-to = \"$9\", fee = \"$1\" }]\n[collection.schedules]\ncite = \"F13\"",
            "only the last has no `up-to`",
        ),
        (
            "[[amend]]\nid = \"F23\"\nshape = \"three-pair\"\nlow = \"pair-of-first\"\nsays = \"\"",
            "`says` of a clause is empty",
        ),
    ] {
        let refused = refusal(&format!("{BASE}{lines}\n"));
        assert!(refused.contains(why), "{lines}\nsaid: {refused}");
    }
    let positions = |count: u8| {
        format!(
            "{BASE}[seats]\nbetting-positions = {count}\nbanker-is-seated = true\ncite = \"F4\"\n"
        )
    };
    assert!(refusal(&positions(0)).contains("must be 1 to 6"));
    assert!(refusal(&positions(7)).contains("must be 1 to 6"));
    assert_eq!(read(&positions(4)).rulebook.seats.betting_positions, 4);
}

#[test]
fn too_many_clauses_are_refused() {
    let clause =
        "[[house-way]]\nid = \"1\"\nshape = \"any\"\nlow = \"highest-pair\"\nsays = \"x\"\n";
    let refused = refusal(&format!("{BASE}{}", clause.repeat(300)));
    assert!(refused.contains("300 clauses, but a House Way has at most 255"), "{refused}");
}

/// Rows that the base prints and never uses are no news; what a file makes idle is.
#[test]
fn idle_clauses_are_reported_once_they_are_news() {
    let catch_all = "extends = \"catfish-bend\"
        [[amend]]
        id = \"new\"
        before = \"B37\"
        shape = [\"two-pair\", \"three-pair\"]
        low = \"pair-of-second\"
        says = \"the second pair goes Low.\"";
    let warnings: Vec<String> = read(catch_all).warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|it| it.contains("clause `B33` (three pair) decides no hand")));
    assert!(!warnings.iter().any(|it| it.contains("B38")), "{warnings:?}");
}

#[test]
fn a_choice_may_rest_on_the_tables_policy() {
    let file = format!(
        "{BASE}[settlement]\nstart = \"dealers-left\"\ndirection = \"clockwise\"\n\
         order = [\"standard\", \"fortune\", \"tiger-nine\"]\nby = \"table-policy\"\n"
    );
    assert_eq!(read(&file).rulebook.settlement.by, By::TablePolicy);
}
