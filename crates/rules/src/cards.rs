//! A set of cards as bits.

use core::fmt;

use crate::card::{Card, Rank, Suit};

/// A set of cards.
///
/// Each suit has a lane of 16 bits with its thirteen ranks in the lowest; the joker is the bit
/// above the first lane's ranks. A lane is what a flush is looked up by.
///
/// ```
/// use houseway_rules::CardSet;
///
/// let cards: CardSet = "As Kd Jk".parse().unwrap();
/// assert_eq!(cards.len(), 3);
/// assert!(cards.has_joker());
/// assert_eq!(cards.to_string(), "Jk As Kd");
/// assert_eq!("As As".parse::<CardSet>().unwrap_err().to_string(), "As is there twice");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

const LANE: u32 = 16;
const RANKS: u64 = 0x1fff;
const JOKER_BIT: u64 = 1 << 13;
const SAME_RANK: u64 = 0x0001_0001_0001_0001;

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);

    /// All 53.
    pub const DECK: CardSet = CardSet((RANKS * SAME_RANK) | JOKER_BIT);

    /// The set of one card.
    pub const fn of(card: Card) -> CardSet {
        let index = card.index() as u32;
        CardSet(1 << ((index & 3) * LANE + (index >> 2)))
    }

    /// The set with these ranks in each suit (clubs, diamonds, hearts, spades), a bit a rank.
    pub(crate) const fn from_lanes(lanes: [u16; 4], joker: bool) -> CardSet {
        let mut bits = if joker { JOKER_BIT } else { 0 };
        let mut suit = 0;
        while suit < 4 {
            bits |= (lanes[suit] as u64 & RANKS) << (suit as u32 * LANE);
            suit += 1;
        }
        CardSet(bits)
    }

    /// How many cards.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in it.
    pub const fn contains(self, card: Card) -> bool {
        self.0 & CardSet::of(card).0 != 0
    }

    /// Whether the joker is in it.
    pub const fn has_joker(self) -> bool {
        self.0 & JOKER_BIT != 0
    }

    /// Both together.
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// What is in both.
    #[must_use]
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// What is left without the other's cards.
    #[must_use]
    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The set with one card more.
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        self.union(CardSet::of(card))
    }

    /// The ranks held in a suit, a bit a rank from the two up.
    pub const fn suit(self, suit: Suit) -> u16 {
        ((self.0 >> (suit as u32 * LANE)) & RANKS) as u16
    }

    /// The natural cards of a rank; the joker is in none of these.
    #[must_use]
    pub const fn of_rank(self, rank: Rank) -> CardSet {
        CardSet(self.0 & (SAME_RANK << rank as u32))
    }

    /// How many natural cards of a rank: its bit in each lane, added up in the highest one.
    pub(crate) const fn count_of_rank(self, rank: Rank) -> u8 {
        let bits = self.0 >> rank as u32 & SAME_RANK;
        (bits.wrapping_mul(SAME_RANK) >> (3 * LANE)) as u8
    }

    /// The natural cards as bits, a lane of 16 for each suit.
    pub(crate) const fn natural_lanes(self) -> u64 {
        self.0 & (RANKS * SAME_RANK)
    }

    /// The natural card of a rank, by number, that has the lowest suit; none if there is none.
    pub(crate) const fn lowest_of_rank(self, rank: u8) -> CardSet {
        let of_rank = self.0 & (SAME_RANK << (rank & 15));
        CardSet(of_rank & of_rank.wrapping_neg())
    }

    /// The cards, suit by suit. [`CardSet::sorted`] is the order to show people.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut bits = self.0;
        core::iter::from_fn(move || {
            let bit = bits.trailing_zeros();
            if bit == 64 {
                return None;
            }
            bits &= bits - 1;
            Card::from_index((bit % LANE * 4 + bit / LANE) as usize)
        })
    }

    /// The cards as people write them: the joker first, then from the highest rank down.
    pub fn from_the_top(self) -> impl Iterator<Item = Card> + Clone {
        Card::all().rev().filter(move |&card| self.contains(card))
    }

    /// The `N` cards, the joker first, then from the highest rank down.
    ///
    /// # Panics
    /// If the set has not exactly `N` cards.
    pub fn sorted<const N: usize>(self) -> [Card; N] {
        assert_eq!(self.len(), N, "a set of {N} cards");
        let mut cards = [Card::JOKER; N];
        for (place, card) in cards.iter_mut().zip(self.iter()) {
            *place = card;
        }
        cards.sort_unstable_by(|a, b| b.cmp(a));
        cards
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for card in self.from_the_top() {
            write!(f, "{separator}{card}")?;
            separator = " ";
        }
        Ok(())
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// Why a text is not a set of cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseCardsError {
    /// A word that is no card.
    NotACard(crate::card::ParseCardError),
    /// The same card again.
    Twice(Card),
}

impl fmt::Display for ParseCardsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseCardsError::NotACard(error) => error.fmt(f),
            ParseCardsError::Twice(card) => write!(f, "{card} is there twice"),
        }
    }
}

impl core::error::Error for ParseCardsError {}

impl core::str::FromStr for CardSet {
    type Err = ParseCardsError;

    /// Cards between spaces or commas.
    fn from_str(text: &str) -> Result<CardSet, ParseCardsError> {
        let mut set = CardSet::EMPTY;
        for word in words(text) {
            let card: Card = word.parse().map_err(ParseCardsError::NotACard)?;
            if set.contains(card) {
                return Err(ParseCardsError::Twice(card));
            }
            set = set.with(card);
        }
        Ok(set)
    }
}

/// The words of a list of cards: separated by white space or commas.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| sign == ',' || sign.is_whitespace()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn the_deck_holds_every_card_once() {
        assert_eq!(CardSet::DECK.len(), 53);
        let mut seen = CardSet::EMPTY;
        for card in Card::all() {
            assert!(!seen.contains(card));
            seen = seen.with(card);
            assert_eq!(CardSet::of(card).sorted::<1>(), [card]);
        }
        assert_eq!(seen, CardSet::DECK);
        assert_eq!(CardSet::DECK.iter().count(), 53);
    }

    #[test]
    fn sets_print_from_the_top_and_read_back() {
        let set: CardSet = "2c,Th  Jk 10s\tAs".parse().unwrap();
        assert_eq!(set.to_string(), "Jk As Ts Th 2c");
        assert_eq!(set.to_string().parse(), Ok(set));
        assert_eq!(set.suit(Suit::Spades), 1 << 12 | 1 << 8);
        assert_eq!(set.of_rank(Rank::Ten).to_string(), "Ts Th");
    }
}
