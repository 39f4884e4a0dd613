//! Text in, text out: what the tests of clauses and readings share.

#![allow(dead_code, reason = "every test file uses its own part of this")]

use std::fmt::Display;
use std::str::FromStr;
use std::sync::OnceLock;

use houseway_rules::rulebook::{Incident, Limits, Remedy, Role, Wager};
use houseway_rules::{
    BonusHand, Card, CardSet, Cents, Clause, Dealt, Decision, HouseWay, LowStrength, Reading,
    Rulebook, SetError, Setting, Strength, houses, set_house_way, try_clause, words,
};

/// Reads a text that a test wrote out.
#[track_caller]
pub(crate) fn read<T: FromStr<Err: Display>>(text: &str) -> T {
    text.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

/// The House Way read beforehand, once for each house and test file.
fn quick(rulebook: &Rulebook) -> &'static HouseWay<'static> {
    static QUICK: [OnceLock<HouseWay<'_>>; 5] = [const { OnceLock::new() }; 5];
    let place = houses::HOUSES.iter().position(|house| house.id == rulebook.id);
    let place = place.expect("one of the five houses");
    QUICK[place].get_or_init(|| HouseWay::new(houses::HOUSES[place]))
}

/// Holds both versions of a House Way against the Low cards and the clause that are expected.
#[track_caller]
pub(crate) fn check(rulebook: &Rulebook, cards: &str, low: &str, clause: &str) {
    let (dealt, low): (Dealt, CardSet) = (read(cards), read(low));
    for (version, decision) in both_versions(rulebook, dealt) {
        let Decision { setting, clause: decided } = decision;
        let house = &rulebook.id;
        assert_eq!(setting.low(), low, "{house}, {version}: {cards} by {}", decided.id);
        assert_eq!(decided.id, clause, "{house}, {version}: the clause of {cards}");
        assert_eq!(setting.high(), dealt.cards().without(low), "{house}, {version}: {cards}");
    }
}

/// Checks a table of `(seven cards, Low cards)` that one clause decides.
#[track_caller]
pub(crate) fn check_all(rulebook: &Rulebook, clause: &str, hands: &[(&str, &str)]) {
    for (cards, low) in hands {
        check(rulebook, cards, low, clause);
    }
}

/// Checks a printed example by ranks alone: which of several suits it shows is the printer's.
#[track_caller]
pub(crate) fn example(rulebook: &Rulebook, cards: &str, low: &str, high: &str, clause: &str) {
    for (version, Decision { setting, clause: decided }) in both_versions(rulebook, read(cards)) {
        assert_eq!(ranks(setting.low()), sorted_words(low), "{version}: {cards}");
        assert_eq!(ranks(setting.high()), sorted_words(high), "{version}: {cards}");
        assert_eq!(decided.id, clause, "{version}: {cards}");
    }
}

fn both_versions(rulebook: &Rulebook, dealt: Dealt) -> [(&'static str, Decision<'_>); 2] {
    [("by the sheet", set_house_way(rulebook, dealt)), ("quick", quick(rulebook).set(dealt))]
}

fn ranks(cards: CardSet) -> Vec<String> {
    let name = |card: Card| if card.is_joker() { "Jk".into() } else { card.rank().to_string() };
    let mut names: Vec<String> = cards.iter().map(name).collect();
    names.sort();
    names
}

fn sorted_words(text: &str) -> Vec<String> {
    let mut names: Vec<String> = words(text).map(String::from).collect();
    names.sort();
    names
}

/// The setting of each row of a clause that fits, whether or not an earlier row decides the hand.
pub(crate) fn rows_that_fit(rulebook: &Rulebook, id: &str, cards: &str) -> Vec<String> {
    let fits = |clause: &Clause| try_clause(clause, rulebook.ranking(), read(cards));
    let rows = rulebook.house_way.iter().filter(|clause| clause.id == id).filter_map(fits);
    rows.map(|setting| setting.low().to_string()).collect()
}

/// The ids of the House Way, each once, in the order of their numbers.
pub(crate) fn house_way_ids(rulebook: &Rulebook) -> Vec<&str> {
    let mut ids: Vec<&str> = rulebook.house_way.iter().map(|clause| &*clause.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The strength of five cards.
#[track_caller]
pub(crate) fn five(rulebook: &Rulebook, cards: &str) -> Strength {
    rulebook.ranking().five(read(cards))
}

/// The strength of two cards.
#[track_caller]
pub(crate) fn two(rulebook: &Rulebook, cards: &str) -> LowStrength {
    rulebook.ranking().two(read(cards))
}

/// Each of these five-card hands beats the next.
#[track_caller]
pub(crate) fn each_beats_the_next(rulebook: &Rulebook, hands: &[&str]) {
    for pair in hands.windows(2) {
        let [higher, lower] = [pair[0], pair[1]];
        assert!(
            five(rulebook, higher) > five(rulebook, lower),
            "{}: {higher} beats {lower}",
            rulebook.id
        );
    }
}

/// What the five cards are called.
#[track_caller]
pub(crate) fn name(rulebook: &Rulebook, cards: &str) -> String {
    rulebook.ranking().name(five(rulebook, cards))
}

/// Sets seven cards with these two Low.
#[track_caller]
pub(crate) fn set(rulebook: &Rulebook, cards: &str, low: &str) -> Result<Setting, SetError> {
    read::<Dealt>(cards).set(read(low), rulebook.ranking())
}

/// Whether two of the seven cards cannot go Low, because they outrank the rest.
#[track_caller]
pub(crate) fn is_foul(rulebook: &Rulebook, cards: &str, low: &str) -> bool {
    matches!(set(rulebook, cards, low), Err(SetError::Foul { .. }))
}

/// The bonus hand of seven cards.
#[track_caller]
pub(crate) fn bonus(cards: &str) -> Option<BonusHand> {
    BonusHand::of(read(cards))
}

/// What the seven cards pay to one.
#[track_caller]
pub(crate) fn pays(rulebook: &Rulebook, cards: &str) -> Option<u32> {
    rulebook.fortune.best(read(cards)).map(|line| line.pays)
}

/// The pay table as `(hand, pays to one, envy in dollars or 0)`, from the top.
pub(crate) fn pay_table(rulebook: &Rulebook) -> Vec<(BonusHand, u32, u64)> {
    let dollars = |envy: Cents| {
        assert_eq!(envy.get() % 100, 0, "whole dollars");
        envy.get() / 100
    };
    let lines = rulebook.fortune.table.iter();
    lines.map(|line| (line.hand, line.pays, line.envy.map_or(0, dollars))).collect()
}

/// Limits that the house posts, in whole dollars.
pub(crate) fn posted(wager: Wager, cite: &'static str) -> Limits {
    use houseway_rules::rulebook::Bounds;
    Limits {
        wager,
        minimum: Bounds::POSTED,
        maximum: Bounds::POSTED,
        step: Cents::dollars(1),
        cite: cite.into(),
    }
}

/// What a clause says of things that go wrong.
pub(crate) fn irregularities(rulebook: &Rulebook, cite: &str) -> Vec<(Incident, Remedy, Role)> {
    let of_clause = rulebook.irregularities.iter().filter(|it| it.cite == cite);
    of_clause.map(|it| (it.what, it.remedy, it.called_by)).collect()
}

/// A clause that no typed field holds is in the rulebook, and its sentence speaks of these.
#[track_caller]
pub(crate) fn says(rulebook: &Rulebook, id: &str, of: &[&str]) {
    let clause = rulebook.clause(id).unwrap_or_else(|| panic!("{} has {id}", rulebook.id));
    for words in of {
        assert!(clause.says.contains(words), "{} {id} says `{}`", rulebook.id, clause.says);
    }
}

/// Every clause that rests on a reading, as `house id`, each once.
pub(crate) fn resting_on(reading: Reading) -> Vec<String> {
    let mut clauses = Vec::new();
    for rulebook in houses::HOUSES {
        for saying in rulebook.sayings().filter(|saying| saying.readings.contains(&reading)) {
            let clause = format!("{} {}", rulebook.id, saying.id);
            if !clauses.contains(&clause) {
                clauses.push(clause);
            }
        }
    }
    clauses
}

/// What the documents of all five houses say alike of hands.
pub(crate) mod hands {
    use super::*;
    use houseway_rules::Category;

    /// Highest first, without the wheel; one of each category at least.
    pub(crate) const FIVE_CARD_ORDER: &[&str] = &[
        "Ac Ad Ah As Jk",
        "Ad Kd Qd Jd Td",
        "Kc Qc Jc Tc 9c",
        "Qh Jh Th 9h 8h",
        "6h 5h 4h 3h 2h",
        "Ac Ad Ah As 2c",
        "Kc Kd Kh Ks Ac",
        "2c 2d 2h 2s Ac",
        "Ac Ad Ah Kc Kd",
        "Kc Kh Kd As Ah",
        "2c 2d 2h 3c 3d",
        "Ah Kh Qh Jh 9h",
        "Jh 8h 6h 5h 2h",
        "7h 5h 4h 3h 2h",
        "Ad Ks Qc Js Td",
        "Kh Qd Jc Td 9s",
        "6d 5s 4c 3s 2d",
        "Ac Ad Ah 3d 2s",
        "Ts Th Tc As Kd",
        "2s 2h 2c As Kd",
        "Ac Ad Kh Ks 2c",
        "Qs Qh 6c 6h 2c",
        "3c 3d 2h 2s Ac",
        "Ac Ah 4d 3s 2c",
        "2c 2h As Kd Qc",
        "As Kd Qc Jh 9c",
        "7s 5d 4c 3h 2c",
    ];

    /// Five-card hands rank from five aces down to 7-5-4-3-2, in ten categories.
    #[track_caller]
    pub(crate) fn five_card_order(rulebook: &Rulebook) {
        each_beats_the_next(rulebook, FIVE_CARD_ORDER);
        let category = |cards: &&&str| rulebook.ranking().category(five(rulebook, cards));
        let mut seen: Vec<Category> =
            FIVE_CARD_ORDER.iter().rev().map(|it| category(&it)).collect();
        seen.dedup();
        assert_eq!(seen, Category::ALL);
    }

    /// Two-card hands rank from a pair of aces to a pair of twos, then by the first card, then by
    /// the second; suits make neither a flush nor a difference, and nothing is a straight.
    #[track_caller]
    pub(crate) fn two_card_order(rulebook: &Rulebook) {
        const RANKS: &str = "AKQJT98765432";
        let mut hands: Vec<String> = RANKS.chars().map(|rank| format!("{rank}c {rank}d")).collect();
        for (place, first) in RANKS.char_indices() {
            hands.extend(RANKS[place + 1..].chars().map(|second| format!("{first}c {second}d")));
        }
        assert_eq!(hands.len(), 91);
        for pair in hands.windows(2) {
            assert!(two(rulebook, &pair[0]) > two(rulebook, &pair[1]), "{pair:?}");
        }
        assert_eq!(two(rulebook, "Kc Qc"), two(rulebook, "Kd Qh"));
        assert_eq!(two(rulebook, "Jk As"), two(rulebook, "Ac Ad"));
        assert_eq!(two(rulebook, "Jk Ks"), two(rulebook, "Ac Kd"));
    }

    /// The Low hand may equal the High hand on what both show, but not outrank it.
    #[track_caller]
    pub(crate) fn fouls(rulebook: &Rulebook) {
        for (cards, low, foul) in [
            ("As Kd Qh 9h 8c 4d 2s", "As Kd", true),
            ("As Kd Qh 9h 8c 4d 2s", "Kd Qh", false),
            ("As Kd Qh 9h 8c 4d 2s", "As 2s", true),
            ("2c 2d Ah Kd 9c 7h 5s", "2c 2d", true),
            ("Kc Kd Qh Qs 9c 7h 5s", "Kc Kd", true),
            ("Kc Kd Qh Qs 9c 7h 5s", "Qh Qs", false),
            ("Kc Kd Qh Qs Jc Jd 2s", "Kc Kd", false),
            // Equal on what both show, and the High hand has further cards.
            ("Kc Kd Kh Ks 9c 7h 5s", "Kc Kd", false),
            ("Ac Ad Kh Ks 9c 7h 5s", "Ac Kh", false),
            ("Ac Ad Kh Qs 9c 7h 5s", "Ac Kh", true),
            // The joker is an ace in the Low hand.
            ("Jk Kd Qh 9h 8c 4d 2s", "Jk 2s", true),
            ("Jk Ad Kh Ks 8c 4d 2s", "Jk Ad", true),
            ("Jk Ad Kh Ks Kc 4d 2s", "Jk Ad", false),
        ] {
            assert_eq!(is_foul(rulebook, cards, low), foul, "{}: {cards} / {low}", rulebook.id);
        }
    }

    /// The joker completes a straight or a flush, and is an ace otherwise.
    #[track_caller]
    pub(crate) fn joker(rulebook: &Rulebook) {
        for (cards, is) in [
            ("Jk Kd Qh Jc Ts", "straight, ace high"),
            ("9d Jk Qh Jc Ts", "straight, king high"),
            ("9d 8d Jk 6c 5s", "straight, nine high"),
            ("Kd 9d 7d 4d Jk", "flush, ace high"),
            ("9s 8s Jk 6s 5s", "straight flush, nine high"),
            ("As Ks Jk Js Ts", "royal flush"),
            ("Jk Ad 9h 6c 2s", "pair of aces"),
            ("Jk Ad Ah 6c 2s", "three aces"),
            ("Jk Ad Kh Kc 2s", "two pair, aces and kings"),
            ("Jk Kd 9h 6c 2s", "ace-king high"),
            // No wild card: it does not make three kings of two.
            ("Jk Kd Kh 6c 2s", "pair of kings"),
            ("Jk Kd Kh Kc 2s", "three kings"),
        ] {
            assert_eq!(name(rulebook, cards), is, "{}: {cards}", rulebook.id);
        }
        assert_eq!(five(rulebook, "Jk Kd 9h 6c 2s"), five(rulebook, "As Kd 9h 6c 2s"));
        // The highest card missing from the flush.
        assert_eq!(five(rulebook, "Jk Ad 9d 6d 2d"), five(rulebook, "Ah Kh 9h 6h 2h"));
    }

    /// The highest bonus hand of seven cards, top to bottom, with what comes close.
    #[track_caller]
    pub(crate) fn bonus_hands() {
        use BonusHand as Bonus;
        for (cards, is) in [
            ("As Ks Qs Js Ts 9s 8s", Some(Bonus::SevenCardStraightFlush)),
            ("7s 6s 5s 4s 3s 2s As", Some(Bonus::SevenCardStraightFlush)),
            ("3s 2s As Ks Qs Js Ts", Some(Bonus::RoyalFlush)),
            ("As Ks Qs Js Ts Kh Qh", Some(Bonus::RoyalMatch)),
            ("As Jk Qs Js Ts Kh Qh", Some(Bonus::RoyalMatch)),
            ("As Ks Qs Js Ts Kh Qd", Some(Bonus::RoyalFlush)),
            ("As Ks Qs Js Ts Kh Jk", Some(Bonus::RoyalFlush)),
            ("Jk Ks Qs Js Ts 9s 8s", Some(Bonus::SevenCardStraightFlushJoker)),
            ("Ac Ad Ah As Jk Kc Kd", Some(Bonus::FiveAces)),
            ("Jk Ks Qs Js Ts 4d 4h", Some(Bonus::RoyalFlush)),
            ("9s 8s 7s 6s Jk 4d 4h", Some(Bonus::StraightFlush)),
            ("Ac Ad Ah Jk 9s 5c 3d", Some(Bonus::FourOfAKind)),
            ("Ac Ad Jk 9h 9s 5c 3d", Some(Bonus::FullHouse)),
            ("Jk Ks 9s 5s 3s 4d 6h", Some(Bonus::Flush)),
            // Three of a kind pays more than the straight beside it.
            ("9c 9d 9h Tc Jd Qs Kh", Some(Bonus::ThreeOfAKind)),
            ("Ac Jk Ad 9h 7s 5c 3d", Some(Bonus::ThreeOfAKind)),
            ("5c 4d 3h 2s Jk Kd 9c", Some(Bonus::Straight)),
            ("Kc Kd Qh Qs 9c 9d 2s", None),
            ("Jk Ad Kc Kd 9h 7s 2c", None),
        ] {
            assert_eq!(bonus(cards), is, "{cards}");
        }
    }
}

/// What the two editions of one house's rules say alike.
pub(crate) mod mbs {
    /// `(seven cards, Low cards)` of each table in Appendix A: every row, and both sides of every
    /// bound and every "unless".
    pub(crate) const A_1: &[(&str, &str)] = &[
        // No pair.
        ("Kc Qh 9s 6h 4c 3d 2s", "Qh 9s"),
        ("Jk Kd 9s 8c 6h 4c 2d", "Kd 9s"),
        ("Ac Kd Js 9h 7c 4d 3s", "Kd Js"),
        // One pair.
        ("3c 3h Ks Jh 9c 8d 5s", "Ks Jh"),
        ("Ac Jk Kd 9s 7h 5c 3d", "Kd 9s"),
        ("Ac Ad Jh 9s 7h 5c 3d", "Jh 9s"),
        ("2c 2d As Kh Qc Js 9h", "As Kh"),
        ("2c 2d Jk Kh Qc 8s 7h", "Jk Kh"),
    ];

    pub(crate) const A_2: &[(&str, &str)] = &[
        // Low with low: split ...
        ("6c 6d 5h 5s Qc Jd 9h", "5h 5s"),
        ("3c 3d 2h 2s Qc Jd 9h", "2h 2s"),
        // ... unless a king, an ace or the joker is held.
        ("3c 3d 2h 2s Kc 9d 7h", "Kc 9d"),
        ("6c 6d 5h 5s Ac Qd 9h", "Ac Qd"),
        ("6c 6d 5h 5s Jk Jd 9h", "Jk Jd"),
        // Low with medium: the same.
        ("7c 7d 2h 2s Qc Jd 9h", "2h 2s"),
        ("Tc Td 6h 6s Qc 4d 3h", "6h 6s"),
        ("Tc Td 6h 6s Kc 4d 3h", "Kc 4d"),
        ("7c 7d 2h 2s Ac 9d 5h", "Ac 9d"),
        ("Tc Td 2h 2s Jk 8c 5h", "Jk 8c"),
        // Low with high: split, a king notwithstanding ...
        ("Jc Jd 6h 6s Kc Qd 2h", "6h 6s"),
        ("Kc Kd 2h 2s Qc 9d 7h", "2h 2s"),
        // ... unless an ace or the joker is held.
        ("Jc Jd 6h 6s Ac 9d 3h", "Ac 9d"),
        ("Kc Kd 2h 2s Ac Qd 7h", "Ac Qd"),
        ("Qc Qd 2h 2s Jk 9d 7h", "Jk 9d"),
        // Two medium pairs: the same.
        ("8c 8d 7h 7s Kc Qd 2h", "7h 7s"),
        ("Tc Td 9h 9s Kc 4d 2h", "9h 9s"),
        ("Tc Td 7h 7s Ac 4d 2h", "Ac 4d"),
        ("8c 8d 7h 7s Jk Kd 2h", "Jk Kd"),
        // Medium with high: always split.
        ("Jc Jd 7h 7s Ac 9d 2h", "7h 7s"),
        ("Kc Kd Th Ts Ac 4d 2h", "Th Ts"),
        ("Jc Jd Th Ts Jk 4d 2h", "Th Ts"),
        // Two high pairs: always split.
        ("Qc Qd Jh Js Ac 9d 2h", "Jh Js"),
        ("Kc Kd Qh Qs Jk 9d 2h", "Qh Qs"),
        // Aces with any pair: always split.
        ("Ac Ad 2h 2s Kc Qd 9h", "2h 2s"),
        ("Ac Ad 8h 8s Kc 9d 4h", "8h 8s"),
        ("Ac Ad Kh Ks Qc 9d 7h", "Kh Ks"),
        ("Ac Jk 6d 6h Ks 9c 8d", "6d 6h"),
    ];

    pub(crate) const A_3: &[(&str, &str)] = &[
        ("Jc Jh 7s 7h 2c 2d 6s", "Jc Jh"),
        ("4c 4h 3s 3h 2c 2d As", "4c 4h"),
        ("Ac Ad Kh Ks 2c 2d 6s", "Ac Ad"),
        ("As Jk 8s 8d 3h 3d 4c", "As Jk"),
    ];

    pub(crate) const A_4: &[(&str, &str)] = &[
        // Three of a kind.
        ("7c 7h 7s Jh 8c 4d 3s", "Jh 8c"),
        ("2c 2d 2h As Kc 9d 7s", "As Kc"),
        ("Kc Kd Kh Jk Qc 9d 2s", "Jk Qc"),
        // Three aces.
        ("Ac Ah As Kh Qc 9d 2s", "Ac Kh"),
        ("Ac Ad Jk 9h 7c 4s 3d", "Ac 9h"),
        // Two times three of a kind.
        ("Tc Th Ts 4h 4c 4d 8s", "Tc Th"),
        ("2c 2d 2h 3c 3d 3h Ks", "3c 3d"),
        ("Ac Ad Jk 9h 9c 9d 8s", "Ac Ad"),
    ];

    pub(crate) const A_5: &[(&str, &str)] = &[
        // No pair: the two highest cards that leave a complete hand.
        ("Jc Th 8s 7d 6h 5d 4c", "Jc Th"),
        ("Kh 8h 6h 5h 4h 7s 3d", "Kh 8h"),
        ("As Ks 9d 8h 7c 6s 5d", "As Ks"),
        ("Jk 2c 3d 4h 5s Kc Td", "Kc Td"),
        ("Ah Kh Qh Jh Th 8c 2d", "8c 2d"),
        // A straight will do where it lets the ace go Low, a royal flush notwithstanding.
        ("Ah Kh Qh Jh Th 9c 2d", "Ah 2d"),
        // One pair: Low if a complete hand is left.
        ("Ah Qh 8h 6h 5h 4h 8s", "8h 8s"),
        ("Ac Jk Td 9h 8s 7c 6d", "Ac Jk"),
        ("Ah 8h 6h 5h 4h Qc 8s", "Qc 8s"),
        ("Ac Jk 9d 8h 7s 6c 2d", "Ac 2d"),
        // Three of a kind: a pair of it Low.
        ("Tc 9h 8s 7d 6h 9d 9c", "9c 9d"),
        ("Kh Kc Kd Qh 9h 5h 2h", "Kc Kd"),
        ("Ac Ad Jk Kh Qs Jc Td", "Ac Ad"),
        ("Ac Ad Jk 9d 7d 4d 2d", "Ac Ad"),
        // Three aces of which the joker is needed in the complete hand.
        ("Ac Ad Jk Kh Qs Jc 5d", "Ac 5d"),
        ("Ac Ad Jk 9d 7d 4d 2s", "Ac 2s"),
        // Three kings with an ace and the joker.
        ("Kc Kd Kh Jk As Jd Ts", "Kc Kd"),
        ("Kc Kd Ks Jk Ad 9d 5d", "Kc Ks"),
    ];

    /// What Appendix A.5 sends back to another table: `(seven cards, Low cards, table)`.
    pub(crate) const A_5_ELSEWHERE: &[(&str, &str, &str)] = &[
        ("Qh Th 7h 6h 5h Tc 6s", "6h 6s", "A.2"),
        ("5c 5d 4h 4s 3c 2d Ah", "Ah 3c", "A.2"),
        ("Ac Jk 5d 5h Ks Qc Jd", "5d 5h", "A.2"),
        ("As Jk 2s 2d 3h 3d 4c", "As Jk", "A.3"),
        ("Ah As Jk Kc Kd Qh Jd", "Kc Kd", "A.6"),
        ("Qc Qd Qh Jk As Kd Jc", "As Jk", "A.6"),
        // Three kings with an ace and the joker, but no complete hand.
        ("Kc Kd Kh Jk As 9d 5c", "As Jk", "A.6"),
        ("Ac Ah As Jk Kd Qh Jd", "Ac Ah", "A.7"),
        ("Ac Ad Ah Jk Kd Qd 7d", "Ac Ah", "A.7"),
    ];

    pub(crate) const A_6: &[(&str, &str)] = &[
        // Three of a kind and a pair.
        ("Kc Kh Ks 2h 2c 7d 6s", "2h 2c"),
        ("5c 5d 5h Ac Ad 9s 8c", "Ac Ad"),
        ("9c 9d 9h As Jk 5d 3c", "As Jk"),
        // With twos, an ace and a king ...
        ("Qc Qh Qs 2h 2c Ad Ks", "Ad Ks"),
        ("3c 3d 3h 2s 2c Jk Kd", "Jk Kd"),
        // ... and just short of that.
        ("Qc Qh Qs 2h 2c Ad Js", "2h 2c"),
        ("Qc Qh Qs 2h 2c Kd Js", "2h 2c"),
        ("Qc Qh Qs 3h 3c Ad Ks", "3h 3c"),
        ("Ac Ad Ah 2s 2c Kd Qs", "2c 2s"),
        ("Kc Kd Kh 2s 2c Ad Qs", "2c 2s"),
        // Three of a kind and two pair.
        ("Jc Jh Js 4h 4c 3d 3s", "4h 4c"),
        ("4c 4d 4h Kc Kd 3h 3s", "Kc Kd"),
        ("Ac Ad Jk 4h 4c 2d 2s", "4c 4h"),
    ];

    pub(crate) const A_7: &[(&str, &str)] = &[
        // Twos to sixes: never split.
        ("2c 2d 2h 2s 5c 4d 3h", "5c 4d"),
        ("6c 6d 6h 6s Qc Jd 9h", "Qc Jd"),
        ("6c 6d 6h 6s Ac Kd 9h", "Ac Kd"),
        // Sevens to tens: split ...
        ("7c 7h 7s 7d Qh Jd 5s", "7c 7d"),
        ("Tc Td Th Ts Kc Qd 5h", "Tc Td"),
        // ... unless an ace or the joker is held.
        ("7c 7h 7s 7d Ah Jd 5s", "Ah Jd"),
        ("Tc Td Th Ts Jk Kd 5h", "Jk Kd"),
        // Jacks to aces: always split.
        ("Jc Jd Jh Js Qh 9d 4s", "Jc Jd"),
        ("Jc Jd Jh Js Ah Kd 4s", "Jc Jd"),
        ("Ac Ad Ah As Kd 9c 4h", "Ac Ad"),
        ("Ac Ad Ah Jk 9s 7c 3d", "Ac Ad"),
        // Twos to kings with a pair or three of a kind: the pair Low.
        ("2c 2d 2h 2s 9c 9d 5h", "9c 9d"),
        ("Kc Kd Kh Ks 2c 2d 5h", "2c 2d"),
        ("8c 8d 8h 8s As Jk 3d", "As Jk"),
        ("5c 5d 5h 5s Kc Kd Kh", "Kc Kd"),
        ("Qc Qd Qh Qs 2c 2d 2h", "2c 2d"),
        ("Kc Kd Kh Ks Ac Ad Jk", "Ac Ad"),
        // Four aces with a pair or three of a kind: split ...
        ("Ac Ah As Ad Qh Qd 9s", "Ac Ad"),
        ("Ac Ah As Ad 2h 2d 9s", "Ac Ad"),
        ("Ac Ad Ah Jk Qs Qd Qc", "Ac Ad"),
        // ... but kings Low.
        ("Ac Ah As Ad Kh Kd 9s", "Kd Kh"),
        ("Ac Ad Ah Jk Ks Kd Kc", "Kc Kd"),
    ];

    pub(crate) const A_8: &[(&str, &str)] = &[
        ("Ac Ad Ah As Jk Qh Qd", "Ac Ad"),
        ("Ac Ad Ah As Jk 2h 2d", "Ac Ad"),
        ("Ac Ad Ah As Jk Kh Qd", "Ac Ad"),
        ("Ac Ad Ah As Jk Kh Kd", "Kd Kh"),
    ];

    /// The eight tables of Appendix A.
    pub(crate) const TABLES: [&str; 8] = ["A.1", "A.2", "A.3", "A.4", "A.5", "A.6", "A.7", "A.8"];
}
