//! What the players add: words of their own, which decide the cut.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU8;

use houseway_rules::Card;
use serde::{Deserialize, Serialize};

use crate::bytes::Bytes32;
use crate::draw::draw;
use crate::hash::{Purpose, hash};
use crate::shuffle::Deal;

/// How many bytes someone's words may have.
const LONGEST: usize = 256;

/// What each person said, in the order of their numbers. What counts are the bytes of the text as it
/// was sent: nothing is trimmed or made alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Vec<Said>", into = "Vec<Said>")]
pub struct Words(BTreeMap<u32, String>);

/// What one person said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// Who, by the number that the accounts have for them.
    pub person: u32,
    /// Any text of 1 to 256 bytes.
    pub words: String,
}

/// Why words do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWords {
    /// Nothing was said, or too much.
    Length {
        /// By whom.
        person: u32,
        /// How many bytes.
        bytes: usize,
    },
    /// People are not in the order of their numbers, each once.
    Order {
        /// Who stands behind someone with as high a number.
        person: u32,
    },
}

impl fmt::Display for NotWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWords::Length { person, bytes } => {
                write!(f, "words of person {person} have {bytes} bytes, not 1 to {LONGEST}")
            }
            NotWords::Order { person } => write!(
                f,
                "words of person {person} stand behind those of a person with as high a number"
            ),
        }
    }
}

impl std::error::Error for NotWords {}

impl Words {
    /// Someone says something; it takes the place of what they said before.
    pub fn say(&mut self, person: u32, words: impl Into<String>) -> Result<(), NotWords> {
        let words = words.into();
        match words.len() {
            1..=LONGEST => {
                self.0.insert(person, words);
                Ok(())
            }
            bytes => Err(NotWords::Length { person, bytes }),
        }
    }

    /// Who said what.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.0.iter().map(|(&person, words)| (person, words.as_str()))
    }

    /// Whether nobody said anything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A hash of who said what in this deal; `block` counts further hashes of the same.
    fn hash(&self, deal: &Deal, block: u32) -> Bytes32 {
        let people: Vec<[u8; 4]> = self.0.keys().map(|person| person.to_be_bytes()).collect();
        let (round, block) = (deal.round.to_be_bytes(), block.to_be_bytes());
        let mut parts: Vec<&[u8]> = vec![deal.table.as_bytes(), &round, &block];
        for (person, words) in people.iter().zip(self.0.values()) {
            parts.extend([person.as_slice(), words.as_bytes()]);
        }
        hash(Purpose::Cut, &parts)
    }

    /// The hash of all words of a deal, which is published at "no more bets". Silence has one too.
    pub fn digest(&self, deal: &Deal) -> Bytes32 {
        self.hash(deal, 0)
    }

    /// The cut of a deck, and how far the number goes on. Without any word neither changes.
    pub(crate) fn cut(&self, deal: &Deal) -> (Cut, Shift) {
        let digest = self.digest(deal);
        if self.is_empty() {
            return (Cut { places: 0, digest }, Shift(0));
        }
        let mut bytes = (0..).flat_map(|block| self.hash(deal, block).0);
        let places = draw(&mut bytes, Card::COUNT as u8);
        (Cut { places, digest }, Shift(draw(&mut bytes, deal.highest.get())))
    }
}

impl TryFrom<Vec<Said>> for Words {
    type Error = NotWords;

    fn try_from(list: Vec<Said>) -> Result<Words, NotWords> {
        let mut all = Words::default();
        for Said { person, words } in list {
            if all.0.last_key_value().is_some_and(|(&before, _)| before >= person) {
                return Err(NotWords::Order { person });
            }
            all.say(person, words)?;
        }
        Ok(all)
    }
}

impl From<Words> for Vec<Said> {
    fn from(words: Words) -> Vec<Said> {
        words.0.into_iter().map(|(person, words)| Said { person, words }).collect()
    }
}

/// Where a deck is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// How many cards go from the top of the deck to the bottom.
    pub places: u8,
    /// The hash of the words, which is published at "no more bets".
    pub digest: Bytes32,
}

/// How far the committed number goes on, starting again at 1.
#[derive(Clone, Copy)]
pub(crate) struct Shift(u8);

impl Shift {
    /// `committed` is 1 to `highest`.
    pub(crate) fn apply(self, committed: u8, highest: NonZeroU8) -> u8 {
        let on = u16::from(committed - 1) + u16::from(self.0);
        (on % u16::from(highest.get())) as u8 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_text_of_people_in_order() {
        let mut words = Words::default();
        words.say(7, "seven").expect("text");
        words.say(2, "first").expect("text");
        words.say(2, "two").expect("text");
        let json = r#"[{"person":2,"words":"two"},{"person":7,"words":"seven"}]"#;
        assert_eq!(serde_json::to_string(&words).expect("words have a text form"), json);
        assert_eq!(serde_json::from_str::<Words>(json).expect("as written"), words);

        let said = |person, text: &str| Said { person, words: text.into() };
        let order = Words::try_from(vec![said(7, "a"), said(7, "b")]).expect_err("7 twice");
        assert_eq!(
            order.to_string(),
            "words of person 7 stand behind those of a person with as high a number"
        );
        let empty = words.say(1, "").expect_err("nothing");
        assert_eq!(empty.to_string(), "words of person 1 have 0 bytes, not 1 to 256");
        words.say(1, "é".repeat(128)).expect("256 bytes");
        words.say(1, "é".repeat(129)).expect_err("258 bytes");
    }

    #[test]
    fn a_shift_starts_again_at_one() {
        let highest = NonZeroU8::new(7).expect("not 0");
        let from = |committed| (0..7).map(move |shift| Shift(shift).apply(committed, highest));
        assert!(from(1).eq(1..=7));
        assert!(from(5).eq([5, 6, 7, 1, 2, 3, 4]));
        assert_eq!(Shift(254).apply(255, NonZeroU8::MAX), 254);
    }
}
