//! The five houses: one file each, nothing but data, and the one list of them.

use alloc::borrow::Cow;

use crate::bonus::BonusHand;
use crate::card::Rank;
use crate::house_way::{Clause, Condition, Low, Play};
use crate::money::Cents;
use crate::readings::Reading;
use crate::rulebook::{
    Cited, Incident, Irregularity, List, PayLine, Remedy, Role, Rule, Rulebook, Text,
};
use crate::shape::{Ranks, Shape, Shapes};

mod cardroom;
mod catfish_bend;
mod commission_free;
mod mbs;

pub use cardroom::CARDROOM;
pub use catfish_bend::CATFISH_BEND;
pub use commission_free::COMMISSION_FREE;
pub use mbs::{MBS_2016, MBS_2020};

/// Every house, in the order lists show them. Commands, documents and exhaustive tests all walk
/// this list, so a new house is one file and one line.
pub static HOUSES: [&Rulebook; 5] =
    [&MBS_2016, &MBS_2020, &CARDROOM, &COMMISSION_FREE, &CATFISH_BEND];

/// The house with that id.
///
/// ```
/// use houseway_rules::houses;
/// assert_eq!(houses::find("cardroom").unwrap().id, "cardroom");
/// assert!(houses::find("card-room").is_none());
/// assert_eq!(houses::nearest("card-room"), Some("cardroom"));
/// ```
pub fn find(id: &str) -> Option<&'static Rulebook> {
    HOUSES.into_iter().find(|rulebook| rulebook.id == id)
}

/// The id that was probably meant, if one is near.
pub fn nearest(id: &str) -> Option<&'static str> {
    nearest_of(id, HOUSES.into_iter().map(|rulebook| &*rulebook.id))
}

/// Which of some names was probably meant: the nearest, if less than half of it must change.
pub fn nearest_of<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = text.to_lowercase();
    let within = |name: &&str| {
        let distance = edits(&lower, name);
        // Part of a name is near it, too: `mbs`, `catfish`.
        distance * 2 < name.len() || lower.len() >= 3 && name.contains(&*lower)
    };
    names.filter(within).min_by_key(|name| edits(&lower, name))
}

/// How many letters must be added, removed, changed or swapped to make one word of the other.
fn edits(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    // A longer word is near none of ours, and the table below stays small.
    if a.len() > 64 {
        return usize::MAX / 2;
    }
    let mut table = alloc::vec![alloc::vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut least = changed.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    table[a.len()][b.len()]
}

// Short words for the literals in the house files.

const ACE: Ranks = Ranks::only(Rank::Ace);
const KING: Ranks = Ranks::only(Rank::King);
const KING_OR_BETTER: Ranks = Ranks::at_least(Rank::King);
const QUEEN_OR_BETTER: Ranks = Ranks::at_least(Rank::Queen);
/// The groups into which two houses divide pairs.
const LOW: Ranks = ranks(Rank::Two, Rank::Six);
const MEDIUM: Ranks = ranks(Rank::Seven, Rank::Ten);
const HIGH: Ranks = ranks(Rank::Jack, Rank::Ace);

const fn ranks(lowest: Rank, highest: Rank) -> Ranks {
    Ranks::between(lowest, highest)
}

const fn text(text: &'static str) -> Text {
    Cow::Borrowed(text)
}

const fn list<T: Clone>(items: &'static [T]) -> List<T> {
    Cow::Borrowed(items)
}

const fn cited<T>(is: T, cite: &'static str) -> Cited<T> {
    Cited { is, cite: text(cite) }
}

const fn rule(id: &'static str, says: &'static str, readings: &'static [Reading]) -> Rule {
    Rule { id: text(id), says: text(says), readings: list(readings) }
}

const fn wrong(
    cite: &'static str,
    what: Incident,
    remedy: Remedy,
    called_by: Role,
) -> Irregularity {
    Irregularity { what, remedy, called_by, cite: text(cite) }
}

/// One line of a House Way sheet; `(id, which row)` first.
const fn line(
    (id, row): (&'static str, &'static str),
    shapes: &[Shape],
    when: &'static [Condition],
    low: Low,
    says: &'static str,
    readings: &'static [Reading],
) -> Clause {
    Clause {
        id: text(id),
        row: text(row),
        shapes: Shapes::of(shapes),
        when: list(when),
        play: Play::Low(low),
        says: text(says),
        readings: list(readings),
    }
}

/// A pay table from what the eleven hands pay to one and bring in envy, highest hand first; no
/// envy is 0.
const fn pay_table(lines: [(u32, u32); 11]) -> [PayLine; 11] {
    let mut table = [PayLine { hand: BonusHand::Straight, pays: 0, envy: None }; 11];
    let mut place = 0;
    while place < 11 {
        let (pays, envy) = lines[place];
        let envy = if envy == 0 { None } else { Some(Cents::dollars(envy)) };
        table[place] = PayLine { hand: BonusHand::ALL[10 - place], pays, envy };
        place += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_right_names_are_recognised() {
        for (text, meant) in [
            ("mbs-2021", Some("mbs-2020")),
            ("MBS-2016", Some("mbs-2016")),
            ("mbs2020", Some("mbs-2020")),
            ("carroom", Some("cardroom")),
            ("catfish", Some("catfish-bend")),
            ("comission-free", Some("commission-free")),
            ("commision free", Some("commission-free")),
            ("roulette", None),
            ("", None),
        ] {
            assert_eq!(nearest(text), meant, "{text}");
        }
    }
}
