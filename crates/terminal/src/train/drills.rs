//! The questions of the drills, each made from a number: the same number is the same question on
//! every machine. A question knows its answer, and why.

use houseway_odds::Seat;
use houseway_odds::game::Stake;
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Card, CardSet, Cents, Dealt, set_house_way};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use super::payouts::payout;
use crate::advisors::advisor;

/// What is drilled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Drill {
    /// Set a hand as the house does.
    HouseWay,
    /// Set a hand the way that is worth most.
    Best,
    /// See whether a hand lies the House Way, and put it right.
    Misset,
    /// Say what a player gets or gives.
    Payout,
}

impl Drill {
    /// All of them.
    pub const ALL: [Drill; 4] = [Drill::HouseWay, Drill::Best, Drill::Misset, Drill::Payout];

    /// Its name on the command line and in files.
    pub const fn id(self) -> &'static str {
        match self {
            Drill::HouseWay => "house-way",
            Drill::Best => "best",
            Drill::Misset => "misset",
            Drill::Payout => "payout",
        }
    }

    /// What it is for.
    pub(crate) const fn teaches(self) -> &'static str {
        match self {
            Drill::HouseWay => "Set a hand as the house does; the clause is told afterwards.",
            Drill::Best => {
                "Set a hand the way that is worth most; any other is told its exact cost."
            }
            Drill::Misset => {
                "A hand lies before you, right or wrong. Enter says that it lies the House Way; \
                 otherwise put it right first."
            }
            Drill::Payout => {
                "A round lies before you: say what player 1 wins or loses by it, as a player or as \
                 the bank. Commission, Fortune Bonus, Envy, Tiger 9 and coverage come up."
            }
        }
    }

    /// What is asked.
    pub const fn asks(self) -> &'static str {
        match self {
            Drill::HouseWay => "Set this hand the House Way.",
            Drill::Best => "Set this hand the way that is worth most.",
            Drill::Misset => "Does this hand lie the House Way? If not, put it right.",
            Drill::Payout => "What does player 1 win or lose by this round?",
        }
    }
}

/// A question.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is drilled.
    pub drill: Drill,
    /// The rulebook's id.
    pub rules: String,
    /// The number it is made from.
    pub number: u64,
    /// What is shown beside what is asked.
    pub about: Vec<String>,
    /// What has to be answered.
    pub form: Form,
}

/// What has to be answered.
#[derive(Clone, Debug)]
pub enum Form {
    /// Seven cards to be set.
    Hand(Hand),
    /// An amount.
    Amount(Amount),
}

/// Seven cards to be set.
#[derive(Clone, Debug)]
pub struct Hand {
    /// The cards.
    pub dealt: Dealt,
    /// How they lie, where they do already.
    pub laid: Option<CardSet>,
    /// Every pair that can go Low without a foul, with what it costs for each dollar wagered against
    /// the best; nothing where only the House Way is asked for. The right answer first.
    pub settings: Vec<(CardSet, f64)>,
    /// Pairs that are right.
    pub right: Vec<CardSet>,
    /// Why.
    pub why: String,
    /// The clause that sets it.
    pub clause: String,
}

/// An amount to be said.
#[derive(Clone, Debug)]
pub struct Amount {
    /// What is right, in cents: what the player wins, or loses if less than nothing.
    pub right: i64,
    /// Why: the lines of the statement with their clauses.
    pub why: Vec<String>,
    /// Those clauses.
    pub clauses: Vec<String>,
}

/// What someone answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Two cards in front.
    Low(CardSet),
    /// An amount in cents.
    Amount(i64),
}

/// How an answer is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Whether it is right.
    pub right: bool,
    /// The right answer, as text.
    pub correct: String,
    /// What was answered, as text.
    pub answered: String,
    /// What the answer costs for each dollar wagered, where that is counted.
    pub cost: Option<f64>,
    /// Why, line by line.
    pub why: Vec<String>,
    /// The clauses behind it.
    pub clauses: Vec<String>,
}

/// An amount as it is answered: `+$9.50`, `-$10`, `$0`.
pub(crate) fn amount_text(cents: i64) -> String {
    let amount = Cents::new(cents.unsigned_abs());
    match cents {
        0 => "$0".into(),
        it if it > 0 => format!("+{amount}"),
        _ => format!("-{amount}"),
    }
}

/// Reads an amount as people type it: `9.50`, `-10`, `+$1,000`.
pub(crate) fn read_amount(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, digits) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
        (Some(rest), _) => (-1, rest),
        (None, Some(rest)) => (1, rest),
        (None, None) => (1, text),
    };
    let digits = digits.trim().trim_start_matches('$');
    let digits = match digits.rsplit_once('.') {
        Some((_, cents)) if cents.len() == 1 => format!("{digits}0"),
        _ => digits.to_string(),
    };
    let amount: Cents = format!("${digits}").parse().ok()?;
    i64::try_from(amount.get()).ok().map(|it| sign * it)
}

impl Question {
    /// The question of a number.
    pub fn make(drill: Drill, rulebook: &'static Rulebook, number: u64) -> Question {
        let mut chance = ChaCha8Rng::seed_from_u64(number);
        // The drills ask about other hands under the same number.
        chance.set_stream(drill as u64 + 1);
        let (about, form) = match drill {
            Drill::HouseWay | Drill::Best | Drill::Misset => {
                (vec![], Form::Hand(hand(drill, rulebook, &mut chance)))
            }
            Drill::Payout => payout(rulebook, &mut chance),
        };
        Question { drill, rules: rulebook.id.to_string(), number, about, form }
    }

    /// Judges an answer.
    pub fn judge(&self, answer: &Answer) -> Judged {
        match (&self.form, answer) {
            (Form::Hand(hand), Answer::Low(low)) => {
                let cost = hand.settings.iter().find(|(it, _)| it == low).map(|(_, cost)| *cost);
                let right = hand.right.contains(low);
                let foul = hand.settings.iter().all(|(it, _)| it != low);
                let mut why = vec![];
                if foul {
                    why.push("That is a foul: Low is higher than High.".to_string());
                }
                why.push(hand.why.clone());
                Judged {
                    right,
                    correct: hand.right.first().map_or(String::new(), ToString::to_string),
                    answered: low.to_string(),
                    cost: cost.filter(|_| self.drill == Drill::Best),
                    why,
                    clauses: vec![hand.clause.clone()],
                }
            }
            (Form::Amount(amount), Answer::Amount(said)) => Judged {
                right: amount.right == *said,
                correct: amount_text(amount.right),
                answered: amount_text(*said),
                cost: None,
                why: amount.why.clone(),
                clauses: amount.clauses.clone(),
            },
            (Form::Hand(_), Answer::Amount(_)) | (Form::Amount(_), Answer::Low(_)) => Judged {
                right: false,
                correct: String::new(),
                answered: String::new(),
                cost: None,
                why: vec![],
                clauses: vec![],
            },
        }
    }

    /// The right answer, judged: for printing.
    pub fn solved(&self) -> Judged {
        let answer = match &self.form {
            Form::Hand(hand) => Answer::Low(hand.right.first().copied().unwrap_or(CardSet::EMPTY)),
            Form::Amount(amount) => Answer::Amount(amount.right),
        };
        self.judge(&answer)
    }

    /// What is asked, in lines of plain text.
    pub fn text(&self) -> Vec<String> {
        let mut lines = vec![format!("{} ({})", self.drill.asks(), self.rules)];
        if let Form::Hand(hand) = &self.form {
            match hand.laid {
                None => lines.push(hand.dealt.cards().to_string()),
                Some(low) => {
                    let high = hand.dealt.cards().without(low);
                    lines.push(format!("Low {low}   High {high}"));
                }
            }
        }
        lines.extend(self.about.iter().cloned());
        lines
    }
}

pub(super) fn deck(chance: &mut ChaCha8Rng) -> Vec<Card> {
    let mut deck: Vec<Card> = Card::all().collect();
    deck.shuffle(chance);
    deck
}

pub(super) fn dealt(cards: &[Card]) -> Dealt {
    let set = cards.iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
    Dealt::new(set).expect("seven different cards")
}

/// Whether a hand is worth asking about: nobody learns from a hand without so much as a pair.
fn is_interesting(rulebook: &Rulebook, hand: Dealt) -> bool {
    let nothing = |clause: &houseway_rules::Clause| {
        let first = rulebook.house_way.first();
        first.is_some_and(|first| first.id == clause.id)
    };
    !nothing(set_house_way(rulebook, hand).clause)
}

/// A hand to be set. Two in three are such that the setting is not plain to see.
fn hand(drill: Drill, rulebook: &'static Rulebook, chance: &mut ChaCha8Rng) -> Hand {
    let wants = chance.random_range(0..3) > 0;
    let mut cards = dealt(&deck(chance)[..7]);
    for _ in 0..20 {
        if !wants || is_interesting(rulebook, cards) {
            break;
        }
        cards = dealt(&deck(chance)[..7]);
    }
    let ranking = rulebook.ranking();
    let decision = set_house_way(rulebook, cards);
    let same = |a: houseway_rules::Setting, b: houseway_rules::Setting| {
        let (a, b) = (a.strengths(ranking), b.strengths(ranking));
        (a.low, a.high) == (b.low, b.high)
    };
    let clause = decision.clause;
    let mut legal: Vec<_> = cards.legal_settings(ranking).collect();
    match drill {
        Drill::Best => {
            let stake = Stake::of(rulebook);
            let advised = advisor(rulebook, Seat::Player).advise(cards, stake);
            let value = |at: usize| advised[at].outcomes.value(stake);
            let best = value(0).as_f64();
            let settings = (0..advised.len())
                .map(|at| (advised[at].setting.low(), best - value(at).as_f64()))
                .collect();
            let right = (0..advised.len())
                .filter(|at| value(*at).gain == value(0).gain)
                .map(|at| advised[at].setting.low())
                .collect();
            let house = advised.iter().position(|it| it.house_way).unwrap_or(0);
            let why = match value(house).gain == value(0).gain {
                true => format!("The House Way does it as well ({}).", clause.id),
                false => format!(
                    "The House Way ({}) puts {} in front, which costs {:.5} of each dollar.",
                    clause.id,
                    decision.setting.low(),
                    best - value(house).as_f64()
                ),
            };
            let why = format!("Worth {best:+.5} for each dollar. {why}");
            Hand { dealt: cards, laid: None, settings, right, why, clause: clause.id.to_string() }
        }
        Drill::HouseWay | Drill::Misset | Drill::Payout => {
            legal.sort_by_key(|it| !same(*it, decision.setting));
            let right: Vec<CardSet> = std::iter::once(decision.setting)
                .chain(legal.iter().copied().filter(|it| same(*it, decision.setting)))
                .map(houseway_rules::Setting::low)
                .collect();
            let laid = (drill == Drill::Misset).then(|| laid(cards, &right, rulebook, chance));
            let settings = legal.iter().map(|it| (it.low(), 0.0)).collect();
            let why = format!("{}: {}", clause.id, clause.says);
            Hand { dealt: cards, laid, settings, right, why, clause: clause.id.to_string() }
        }
    }
}

/// How a hand lies that a supervisor looks at: right in half of all cases, else likely wrong.
fn laid(cards: Dealt, right: &[CardSet], rulebook: &Rulebook, chance: &mut ChaCha8Rng) -> CardSet {
    let splits = cards.splits(rulebook.ranking()).map(|split| split.low);
    let wrong: Vec<CardSet> = splits.filter(|low| !right.contains(low)).collect();
    if chance.random_range(0..2) == 0 || wrong.is_empty() {
        return right[0];
    }
    // A mistake that someone could make: the strongest of what is legal and wrong, or any.
    let ranking = rulebook.ranking();
    let legal = |low: &&CardSet| cards.set(**low, ranking).is_ok();
    let mut likely: Vec<CardSet> = wrong.iter().filter(legal).copied().collect();
    likely.sort_by_key(|low| std::cmp::Reverse(ranking.two(*low)));
    match likely.is_empty() || chance.random_range(0..6) == 0 {
        true => wrong[chance.random_range(0..wrong.len())],
        false => likely[chance.random_range(0..likely.len().min(3))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_odds::Advisor;
    use houseway_rules::houses::HOUSES;

    #[test]
    fn amounts_are_read_as_people_type_them() {
        let cases = [
            ("9.50", Some(950)),
            ("9.5", Some(950)),
            ("-10", Some(-1000)),
            ("+$1,000", Some(100_000)),
            ("0", Some(0)),
            ("-$0.05", Some(-5)),
            ("", None),
            ("ten", None),
            ("1.234", None),
            ("--1", None),
        ];
        for (text, cents) in cases {
            assert_eq!(read_amount(text), cents, "{text:?}");
        }
        assert_eq!(read_amount(&amount_text(-950)), Some(-950));
    }

    #[test]
    fn a_number_is_the_same_question_each_time_and_its_answer_is_right() {
        for rulebook in HOUSES {
            for drill in [Drill::HouseWay, Drill::Misset, Drill::Payout] {
                for number in 0..12 {
                    let question = Question::make(drill, rulebook, number);
                    let again = Question::make(drill, rulebook, number);
                    assert_eq!(question.text(), again.text());
                    let solved = question.solved();
                    assert!(solved.right, "{question:?}");
                    assert!(!solved.correct.is_empty() && !solved.why.is_empty());
                }
            }
        }
    }

    #[test]
    fn only_the_house_way_is_right_by_the_sheet() {
        for rulebook in HOUSES {
            let (mut lies_right, mut asked) = (0, 0);
            for number in 0..200 {
                let Form::Hand(hand) = Question::make(Drill::Misset, rulebook, number).form else {
                    panic!("a hand");
                };
                let low = set_house_way(rulebook, hand.dealt).setting.low();
                assert_eq!(hand.right[0], low);
                let laid = hand.laid.expect("it lies");
                assert_eq!(laid.without(hand.dealt.cards()), CardSet::EMPTY);
                asked += 1;
                lies_right += usize::from(hand.right.contains(&laid));
            }
            assert!((60..=140).contains(&lies_right), "{}: {lies_right} of {asked}", rulebook.id);
        }
    }

    #[test]
    fn the_best_setting_costs_nothing_and_others_what_they_cost() {
        let rulebook = HOUSES[1];
        let question = Question::make(Drill::Best, rulebook, 3);
        assert_eq!(question.solved().cost, Some(0.0));
        let Form::Hand(hand) = &question.form else { panic!("a hand") };
        let advised = Advisor::new(rulebook).advise(hand.dealt, Stake::of(rulebook));
        assert_eq!(hand.settings.len(), advised.len());
        let (worst, cost) = hand.settings.last().expect("there is one");
        let judged = question.judge(&Answer::Low(*worst));
        assert_eq!((judged.right, judged.cost), (*cost == 0.0, Some(*cost)));
        assert!(*cost > 0.0);
    }

    #[test]
    fn payouts_are_about_everything_that_is_paid() {
        use std::collections::BTreeSet;
        let mut words = BTreeSet::new();
        for rulebook in HOUSES {
            for number in 0..40 {
                let question = Question::make(Drill::Payout, rulebook, number);
                let Form::Amount(amount) = &question.form else { panic!("an amount") };
                for line in &amount.why {
                    let known =
                        ["commission", "Fortune Bonus", "Envy", "Tiger 9", "loses $", "pushes"];
                    words.extend(known.into_iter().filter(|word| line.contains(word)));
                }
            }
        }
        let all = ["Envy", "Fortune Bonus", "Tiger 9", "commission", "loses $", "pushes"];
        assert_eq!(words.into_iter().collect::<Vec<_>>(), all);
    }
}
