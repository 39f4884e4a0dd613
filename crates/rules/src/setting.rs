//! Seven cards, and the ways to set them.

use core::fmt;

use crate::card::Card;
use crate::cards::{CardSet, ParseCardsError, words};
use crate::ranking::{HandKey, LowStrength, PerHand, Ranking, Strength};

/// Seven distinct cards: what one seat is dealt. Making one is the only check for that.
///
/// ```
/// use houseway_rules::Dealt;
///
/// let dealt: Dealt = "As Kd Jk 9h 9c 4d 2s".parse().unwrap();
/// assert_eq!(dealt.to_string(), "Jk As Kd 9h 9c 4d 2s");
///
/// let six = "As Kd Jk 9h 9c 4d".parse::<Dealt>();
/// assert_eq!(six.unwrap_err().to_string(), "6 cards, but a hand has 7");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dealt(CardSet);

impl Dealt {
    /// The hand of these cards, if there are seven.
    pub const fn new(cards: CardSet) -> Result<Dealt, NotSeven> {
        let count = cards.len();
        if count == 7 { Ok(Dealt(cards)) } else { Err(NotSeven(count)) }
    }

    /// Reads seven cards between spaces or commas, and keeps the order they are in as well.
    ///
    /// ```
    /// use houseway_rules::Dealt;
    ///
    /// let (dealt, cards) = Dealt::parse_in_order("2s As Kd, Jk 9h 9c 4d").unwrap();
    /// assert_eq!(cards[0].to_string(), "2s");
    /// assert_eq!(dealt.sorted()[0].to_string(), "Jk");
    /// ```
    pub fn parse_in_order(text: &str) -> Result<(Dealt, [Card; 7]), ParseDealtError> {
        let mut set = CardSet::EMPTY;
        let mut cards = [Card::JOKER; 7];
        for (place, word) in words(text).enumerate() {
            let wrong = |error| ParseDealtError::Cards(ParseCardsError::NotACard(error));
            let card: Card = word.parse().map_err(wrong)?;
            if set.contains(card) {
                return Err(ParseDealtError::Cards(ParseCardsError::Twice(card)));
            }
            set = set.with(card);
            if let Some(place) = cards.get_mut(place) {
                *place = card;
            }
        }
        let dealt = Dealt::new(set).map_err(ParseDealtError::NotSeven)?;
        Ok((dealt, cards))
    }

    /// The cards as a set.
    pub const fn cards(self) -> CardSet {
        self.0
    }

    /// The cards, the joker first, then from the highest rank down.
    pub fn sorted(self) -> [Card; 7] {
        self.0.sorted()
    }

    /// Sets the hand with these two cards Low, if that is legal under the ranking.
    ///
    /// ```
    /// use houseway_rules::{Dealt, Ranking, Wheel};
    ///
    /// let ranking = Ranking::new(Wheel::Lowest);
    /// let dealt: Dealt = "As Kd Jk 9h 9c 4d 2s".parse().unwrap();
    ///
    /// let setting = dealt.set("9h 9c".parse().unwrap(), ranking).unwrap();
    /// assert_eq!(setting.to_string(), "9h 9c / Jk As Kd 4d 2s");
    ///
    /// let foul = dealt.set("As Jk".parse().unwrap(), ranking).unwrap_err();
    /// assert_eq!(foul.to_string(), "foul: Low, a pair of aces, outranks High, a pair of nines");
    /// ```
    pub fn set(self, low: CardSet, ranking: Ranking) -> Result<Setting, SetError> {
        self.strengths(low, ranking).map(|_| Setting { dealt: self, low })
    }

    /// What both hands are worth with these two cards Low, if that is legal under the ranking.
    pub fn strengths(
        self,
        low: CardSet,
        ranking: Ranking,
    ) -> Result<PerHand<Strength, LowStrength>, SetError> {
        if low.len() != 2 {
            return Err(SetError::NotTwo(low.len()));
        }
        if let Some(card) = low.without(self.0).iter().next() {
            return Err(SetError::NotDealt(card));
        }
        let hands = Setting { dealt: self, low }.strengths(ranking);
        if ranking.fouls(hands) {
            return Err(SetError::Foul { hands, ranking });
        }
        Ok(hands)
    }

    /// The 21 ways to take two cards Low, fouls included.
    pub fn splits(self, ranking: Ranking) -> impl Iterator<Item = Split> {
        // Each card is in six splits: what it is alone is worked out once.
        let cards = self.sorted().map(|card| (card, CardSet::of(card), card.rank()));
        let key = HandKey::of(self.0);
        TWO_OF_SEVEN.iter().map(move |&[a, b]| {
            let ((a, only_a, rank_a), (b, only_b, rank_b)) = (cards[a as usize], cards[b as usize]);
            let high = ranking.five_key(key.without(a).without(b));
            let low = LowStrength::of(rank_a, rank_b);
            Split { low: only_a.union(only_b), hands: PerHand { high, low } }
        })
    }

    /// Every legal setting.
    pub fn legal_settings(self, ranking: Ranking) -> impl Iterator<Item = Setting> {
        self.splits(ranking)
            .filter(move |split| !ranking.fouls(split.hands))
            .map(move |split| Setting { dealt: self, low: split.low })
    }

    /// The setting with these two cards Low, which the caller knows to be legal.
    pub(crate) const fn set_unchecked(self, low: CardSet) -> Setting {
        Setting { dealt: self, low }
    }
}

impl fmt::Display for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// So many cards are not seven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotSeven(pub usize);

impl fmt::Display for NotSeven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("no cards, but a hand has 7"),
            1 => f.write_str("1 card, but a hand has 7"),
            count => write!(f, "{count} cards, but a hand has 7"),
        }
    }
}

impl core::error::Error for NotSeven {}

/// Why a text is not a hand of seven cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseDealtError {
    /// A word is no card, or a card is there twice.
    Cards(ParseCardsError),
    /// Too few or too many.
    NotSeven(NotSeven),
}

impl fmt::Display for ParseDealtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseDealtError::Cards(error) => error.fmt(f),
            ParseDealtError::NotSeven(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseDealtError {}

impl core::str::FromStr for Dealt {
    type Err = ParseDealtError;

    fn from_str(text: &str) -> Result<Dealt, ParseDealtError> {
        Dealt::parse_in_order(text).map(|(dealt, _)| dealt)
    }
}

/// The 21 pairs of places among seven.
const TWO_OF_SEVEN: [[u8; 2]; 21] = {
    let mut pairs = [[0; 2]; 21];
    let (mut next, mut a) = (0, 0);
    while a < 7 {
        let mut b = a + 1;
        while b < 7 {
            pairs[next] = [a, b];
            next += 1;
            b += 1;
        }
        a += 1;
    }
    pairs
};

/// One of the 21 ways to take two cards Low, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The two cards taken Low.
    pub low: CardSet,
    /// What both hands are worth.
    pub hands: PerHand<Strength, LowStrength>,
}

/// Seven cards set into a legal High and Low hand. Only [`Dealt`] and a House Way make one.
///
/// ```
/// use houseway_rules::{Dealt, houses};
///
/// let ranking = houses::CARDROOM.ranking();
/// let dealt: Dealt = "As Ks Qs Js Ts 9h 9c".parse().unwrap();
/// let setting = dealt.set("9h 9c".parse().unwrap(), ranking).unwrap();
/// assert_eq!(setting.high().to_string(), "As Ks Qs Js Ts");
///
/// let hands = setting.strengths(ranking);
/// assert_eq!(hands.low.to_string(), "pair of nines");
/// assert_eq!(ranking.name(hands.high), "royal flush");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setting {
    dealt: Dealt,
    low: CardSet,
}

impl Setting {
    /// The seven cards.
    pub const fn dealt(self) -> Dealt {
        self.dealt
    }

    /// The two cards in the Low hand.
    pub const fn low(self) -> CardSet {
        self.low
    }

    /// The five cards in the High hand.
    pub const fn high(self) -> CardSet {
        self.dealt.0.without(self.low)
    }

    /// What both hands are worth.
    pub fn strengths(self, ranking: Ranking) -> PerHand<Strength, LowStrength> {
        PerHand { high: ranking.five(self.high()), low: ranking.two(self.low) }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.low, self.high())
    }
}

/// Why two cards cannot go Low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetError {
    /// The Low hand has two cards, not so many.
    NotTwo(usize),
    /// The card is not in the hand.
    NotDealt(Card),
    /// Low would outrank High.
    #[expect(missing_docs, reason = "the names say it")]
    Foul { hands: PerHand<Strength, LowStrength>, ranking: Ranking },
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::NotTwo(count) => write!(f, "{count} cards Low, but the Low hand has 2"),
            SetError::NotDealt(card) => write!(f, "{card} is not among the seven cards"),
            SetError::Foul { hands, ranking } => {
                let high = ranking.name(hands.high);
                let a = |pair: bool| if pair { "a " } else { "" };
                let (low_a, high_a) = (a(hands.low.is_pair()), a(high.starts_with("pair")));
                write!(f, "foul: Low, {low_a}{}, outranks High, {high_a}{high}", hands.low)
            }
        }
    }
}

impl core::error::Error for SetError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::Wheel;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    const RANKING: Ranking = Ranking::new(Wheel::Lowest);

    #[test]
    fn offered_settings_are_the_accepted_ones() {
        for text in [
            "As Kd Jk 9h 9c 4d 2s",
            "Ac Ad Ah As Jk Kc Kd",
            "7c 5d 4h 3s 2c 9d Jh",
            "Jk Kc Qd 8h 6s 4c 2d",
        ] {
            let dealt: Dealt = text.parse().unwrap();
            let offered: Vec<Setting> = dealt.legal_settings(RANKING).collect();
            assert_eq!(dealt.splits(RANKING).count(), 21);
            for split in dealt.splits(RANKING) {
                let accepted = dealt.set(split.low, RANKING);
                assert_eq!(accepted.is_ok(), offered.iter().any(|it| it.low() == split.low));
                if let Ok(setting) = accepted {
                    assert_eq!(setting.strengths(RANKING), split.hands);
                }
            }
        }
    }

    #[test]
    fn wrong_settings_are_named() {
        let dealt: Dealt = "As Kd Qh 9h 8c 4d 2s".parse().unwrap();
        let why = |low: &str| dealt.set(low.parse().unwrap(), RANKING).unwrap_err().to_string();
        assert_eq!(why("As"), "1 cards Low, but the Low hand has 2");
        assert_eq!(why("As Jk"), "Jk is not among the seven cards");
        assert_eq!(why("As Kd"), "foul: Low, ace-king, outranks High, queen-nine high");
        assert!(dealt.set("Kd Qh".parse().unwrap(), RANKING).is_ok());
    }

    #[test]
    fn hands_of_other_sizes_are_refused() {
        for (text, why) in [
            ("", "no cards, but a hand has 7"),
            ("As", "1 card, but a hand has 7"),
            ("2c 3c 4c 5c 6c 7c 8c 9c", "8 cards, but a hand has 7"),
            ("2c 3c 4c 5c 6c 7c 2c", "2c is there twice"),
            ("2c 3c 4c 5c 6c 7c 1c", "`1c` is not a card"),
        ] {
            assert_eq!(text.parse::<Dealt>().unwrap_err().to_string(), why);
        }
    }
}
