//! What hands are worth: five-card High hands, two-card Low hands, the joker, fouls.
//!
//! A five-card hand falls into one of 7,463 classes, a two-card hand into one of 91. A
//! [`Strength`] or [`LowStrength`] is the number of the class, weakest first, so comparing hands
//! is comparing numbers. [`Ranking`] finds the number from tables that the build script writes
//! with `ranking/slow.rs`, the obvious evaluator, which the tests then hold against every answer.

use core::fmt;

use crate::card::{Card, Rank, Suit};
use crate::cards::CardSet;
use crate::sweep;

#[allow(clippy::large_const_arrays, reason = "each is used once, in the static that holds it")]
mod tables {
    use super::SLOTS;

    /// All that one way to rank hands is looked up in. One struct, so that one address finds all
    /// of it; what does not depend on the ranking stands in both. A slot is the sum of two 16-bit
    /// numbers, so a table of this length is never left.
    pub(super) struct Tables {
        pub(super) five_starts: [u16; 1 << 16],
        pub(super) seven_starts: [u16; 1 << 16],
        pub(super) high_places: [u16; SLOTS],
        pub(super) five: [u16; SLOTS],
        pub(super) seven: [u16; SLOTS],
        pub(super) flush: [u16; 1 << 14],
        pub(super) bonus: [u8; SLOTS],
        pub(super) classes: [[u8; 6]; 7463],
    }
    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}
#[cfg(test)]
#[allow(dead_code, missing_docs, unreachable_pub, reason = "shared with the build script")]
mod slow;

use tables::Tables;

/// How many entries a table by [`HandKey::seven_slot`] has.
pub(crate) const SLOTS: usize = 1 << 17;

/// The kinds of five-card hand, weakest first. The royal flush is the highest straight flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Category {
    HighCard,
    OnePair,
    TwoPair,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    StraightFlush,
    FiveAces,
}

impl Category {
    /// Every category, weakest first.
    pub const ALL: [Category; 10] = [
        Category::HighCard,
        Category::OnePair,
        Category::TwoPair,
        Category::ThreeOfAKind,
        Category::Straight,
        Category::Flush,
        Category::FullHouse,
        Category::FourOfAKind,
        Category::StraightFlush,
        Category::FiveAces,
    ];

    /// The category's name in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Category::HighCard => "high card",
            Category::OnePair => "one pair",
            Category::TwoPair => "two pair",
            Category::ThreeOfAKind => "three of a kind",
            Category::Straight => "straight",
            Category::Flush => "flush",
            Category::FullHouse => "full house",
            Category::FourOfAKind => "four of a kind",
            Category::StraightFlush => "straight flush",
            Category::FiveAces => "five aces",
        }
    }
}

/// Where A-2-3-4-5 stands among the straights and the straight flushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wheel {
    /// Below the six-high straight.
    Lowest,
    /// Below the ace-high straight and above the king-high one.
    SecondHighest,
}

/// One value for the five-card High hand and one for the two-card Low hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PerHand<H, L = H> {
    pub high: H,
    pub low: L,
}

/// How good a five-card hand is: the number of its class under one [`Ranking`], 0 to 7,462.
/// Comparable only with strengths of the same ranking.
///
/// ```
/// use houseway_rules::{Category, Ranking, Wheel};
///
/// let ranking = Ranking::new(Wheel::Lowest);
/// let [aces, kings] = ["Ac Ad Kh 7s 2c", "Ks Kd Qh Js 9c"].map(|it| ranking.five(it.parse().unwrap()));
/// assert!(aces > kings);
/// assert_eq!(ranking.category(aces), Category::OnePair);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u16);

impl Strength {
    /// How many there are.
    pub const CLASSES: usize = 7463;

    /// The number of the class, weakest first.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How good a two-card hand is, the same in every house: the number of its class, 0 (3-2) to 90
/// (a pair of aces).
///
/// ```
/// use houseway_rules::{LowStrength, Rank};
///
/// let twos = LowStrength::of(Rank::Two, Rank::Two);
/// let ace_king = LowStrength::of(Rank::Ace, Rank::King);
/// assert!(twos > ace_king);
/// assert_eq!(ace_king.to_string(), "ace-king");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LowStrength(u8);

/// The number of unpaired two-card hands; the pairs stand above them.
const UNPAIRED: u8 = 78;

/// The class of each pair of ranks, in either order.
static LOW: [[u8; 13]; 13] = {
    let mut table = [[0; 13]; 13];
    let mut a = 0;
    while a < 13 {
        table[a][a] = UNPAIRED + a as u8;
        let mut b = 0;
        while b < a {
            // The unpaired hands with a lower first card come first: 0 + 1 + … + (a - 1).
            let class = (a * (a - 1) / 2 + b) as u8;
            table[a][b] = class;
            table[b][a] = class;
            b += 1;
        }
        a += 1;
    }
    table
};

impl LowStrength {
    /// How many there are.
    pub const CLASSES: usize = 91;

    /// The number of the class, weakest first.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Two cards by rank; the joker is an ace.
    pub const fn of(a: Rank, b: Rank) -> LowStrength {
        LowStrength(LOW[a as usize][b as usize])
    }

    /// The unpaired hands whose higher card has this rank, which must be above the two: from the
    /// weakest to the strongest.
    ///
    /// ```
    /// use houseway_rules::{LowStrength, Rank};
    ///
    /// let nine_high = LowStrength::headed_by(Rank::Nine);
    /// assert!(nine_high.contains(&LowStrength::of(Rank::Nine, Rank::Two)));
    /// assert!(!nine_high.contains(&LowStrength::of(Rank::Nine, Rank::Nine)));
    /// assert!(!nine_high.contains(&LowStrength::of(Rank::Ten, Rank::Nine)));
    /// ```
    pub const fn headed_by(rank: Rank) -> core::ops::RangeInclusive<LowStrength> {
        let lower = Rank::ALL[(rank as usize).saturating_sub(1)];
        LowStrength::of(rank, Rank::Two)..=LowStrength::of(rank, lower)
    }

    /// Whether it is a pair.
    pub const fn is_pair(self) -> bool {
        self.0 >= UNPAIRED
    }

    /// The two ranks, the higher first.
    pub fn ranks(self) -> (Rank, Rank) {
        if self.is_pair() {
            let rank = Rank::ALL[(self.0 - UNPAIRED) as usize];
            return (rank, rank);
        }
        let first = (1..13).rev().find(|a| a * (a - 1) / 2 <= self.0).expect("every class has one");
        (Rank::ALL[first as usize], Rank::ALL[(self.0 - first * (first - 1) / 2) as usize])
    }
}

impl fmt::Display for LowStrength {
    /// `pair of nines`, `ace-king`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ranks() {
            (a, b) if a == b => write!(f, "pair of {}", a.plural()),
            (a, b) => write!(f, "{}-{}", a.name(), b.name()),
        }
    }
}

/// Cards being counted: what the evaluator needs to know of a hand, as sums. Adding a card is one
/// addition and one union, so hands that differ in a card cost next to nothing to tell apart.
///
/// ```
/// use houseway_rules::{HandKey, Ranking, Wheel};
///
/// let ranking = Ranking::new(Wheel::Lowest);
/// let six = HandKey::of("As Ks Qs Js 2d 2c".parse().unwrap());
/// let with_joker = six.with("Jk".parse().unwrap());
/// assert_eq!(ranking.name(ranking.seven(with_joker)), "royal flush");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandKey {
    /// Three sums. In the lowest 16 bits the keys of the high ranks and the joker; above them a
    /// counter for each suit that starts at three, so that its top bit is set from the fifth card
    /// on; in the highest 16 bits the keys of the low ranks.
    sum: u64,
    /// A lane per suit, the joker as bit 13 of each.
    lanes: u64,
}

const COUNTERS: u32 = 16;
const COUNTERS_START: u64 = 0x3333 << COUNTERS;
const FLUSH: u64 = 0x8888 << COUNTERS;
const LOW_SUM: u32 = 48;

/// The keys of single cards, filled up so that no lookup needs a check.
static CARD_KEYS: [HandKey; 64] = {
    let mut keys = [HandKey { sum: 0, lanes: 0 }; 64];
    let mut index = 0;
    while index < 52 {
        let (rank, suit) = (index / 4, index % 4);
        let field = if rank < tables::LOW_RANKS { LOW_SUM } else { 0 };
        keys[index].sum =
            ((tables::RANK_KEYS[rank] as u64) << field) + (1 << (COUNTERS + 4 * suit as u32));
        keys[index].lanes = 1 << (16 * suit + rank);
        index += 1;
    }
    // The joker may belong to any suit.
    keys[52].sum = tables::JOKER_KEY as u64 + (0x1111 << COUNTERS);
    keys[52].lanes = 0x2000_2000_2000_2000;
    keys
};

/// How many sets of low ranks a suit can have, and of high ones.
const LOW_HALF: usize = 1 << tables::LOW_RANKS;
const HIGH_HALF: usize = 1 << (13 - tables::LOW_RANKS);

static LOW_HALVES: [[u64; LOW_HALF]; 4] = sums_of_half(0);
static HIGH_HALVES: [[u64; HIGH_HALF]; 4] = sums_of_half(tables::LOW_RANKS);

/// For each suit, the sum of each set of ranks from `first` on.
const fn sums_of_half<const SETS: usize>(first: usize) -> [[u64; SETS]; 4] {
    let mut sums = [[0; SETS]; 4];
    let mut suit = 0;
    while suit < 4 {
        let mut set = 1;
        while set < SETS {
            let rank = set.trailing_zeros() as usize;
            let card = (first + rank) * 4 + suit;
            sums[suit][set] = sums[suit][set & (set - 1)] + CARD_KEYS[card].sum;
            set += 1;
        }
        suit += 1;
    }
    sums
}

impl HandKey {
    /// No card yet.
    pub const EMPTY: HandKey = HandKey { sum: COUNTERS_START, lanes: 0 };

    /// The key of a set of cards: the sums of whole suits, each in two halves.
    #[inline]
    pub fn of(cards: CardSet) -> HandKey {
        let mut sum = COUNTERS_START;
        for suit in Suit::ALL {
            let ranks = cards.suit(suit) as usize;
            let (low, high) = (ranks % LOW_HALF, ranks / LOW_HALF % HIGH_HALF);
            sum += LOW_HALVES[suit as usize][low] + HIGH_HALVES[suit as usize][high];
        }
        let naturals = HandKey { sum, lanes: cards.natural_lanes() };
        if cards.has_joker() { naturals.with(Card::JOKER) } else { naturals }
    }

    /// With one card more.
    #[inline]
    #[must_use]
    pub fn with(self, card: Card) -> HandKey {
        self.with_index(card.index())
    }

    /// With the card at that place in the deck.
    #[inline]
    pub(crate) fn with_index(self, index: usize) -> HandKey {
        let key = &CARD_KEYS[index & 63];
        HandKey { sum: self.sum + key.sum, lanes: self.lanes | key.lanes }
    }

    /// With one card less, which must be in it.
    #[inline]
    #[must_use]
    pub fn without(self, card: Card) -> HandKey {
        let key = &CARD_KEYS[card.index() & 63];
        HandKey { sum: self.sum - key.sum, lanes: self.lanes & !key.lanes }
    }

    /// Whether five of the cards have one suit, the joker counted.
    #[inline]
    pub const fn has_flush(self) -> bool {
        self.sum & FLUSH != 0
    }

    /// Whether some further card could make a flush.
    #[inline]
    pub(crate) const fn nears_flush(self) -> bool {
        (self.sum + (0x1111 << COUNTERS)) & FLUSH != 0
    }

    /// The suit that has five cards, the joker counted, and its ranks with the joker as bit 13.
    /// At most one suit has: two would need nine cards.
    #[inline]
    pub(crate) fn flush_suit(self) -> Option<(Suit, usize)> {
        let suit = ((self.sum & FLUSH) >> COUNTERS).trailing_zeros() as usize / 4;
        let lane = (self.lanes >> (16 * (suit & 3))) as usize & 0x3fff;
        Some((*Suit::ALL.get(suit)?, lane))
    }

    /// The place of the ranks in a table of hands of one size.
    #[inline]
    fn slot(self, tables: &Tables, starts: &[u16; 1 << 16]) -> usize {
        let start = starts[(self.sum >> LOW_SUM) as usize];
        let place = tables.high_places[self.sum as u16 as usize];
        start as usize + place as usize
    }

    /// The six cards' part of [`HandKey::seven_slot`], to be finished with each seventh card.
    #[inline]
    pub(crate) fn six_of_seven(self) -> Six {
        let tables = &tables::LOWEST;
        let (low, high) = ((self.sum >> LOW_SUM) as u16, self.sum as u16);
        let start = tables.seven_starts[low as usize];
        Six { low, high, start, place: tables.high_places[high as usize] }
    }

    /// The place of a seven-card hand's ranks in a table of [`SLOTS`] entries.
    #[inline]
    pub(crate) fn seven_slot(self) -> usize {
        let tables = &tables::LOWEST;
        self.slot(tables, &tables.seven_starts)
    }

    /// What a seven-card hand's ranks are worth for the bonus, suits apart.
    #[inline]
    pub(crate) fn seven_bonus(self) -> u8 {
        HandKey::bonus_table()[self.seven_slot()]
    }

    /// The numbers of the bonus hands by [`HandKey::seven_slot`], suits apart.
    pub(crate) fn bonus_table() -> &'static [u8; SLOTS] {
        &tables::LOWEST.bonus
    }

    /// Whether a suit's ranks make a straight flush, and if so whether a royal one.
    pub(crate) fn royal_or_straight_flush(lane: usize) -> Option<bool> {
        let ranking = Ranking::new(Wheel::Lowest);
        let strength = tables::LOWEST.flush[lane & 0x3fff];
        let above = ranking.weakest(Category::FiveAces).0;
        (strength >= ranking.weakest(Category::StraightFlush).0).then_some(strength + 1 == above)
    }

    /// The natural cards.
    pub(crate) fn naturals(self) -> CardSet {
        CardSet::from_lanes([0, 16, 32, 48].map(|lane| (self.lanes >> lane) as u16), false)
    }
}

/// Six cards that wait for a seventh: one of the two lookups of a slot is already made.
#[derive(Clone, Copy)]
pub(crate) struct Six {
    low: u16,
    high: u16,
    start: u16,
    place: u16,
}

/// The key of each card within its sum, by index; filled up so that no lookup needs a check.
static KEY_IN_SUM: [u16; 64] = {
    let mut keys = [0; 64];
    let mut index = 0;
    while index < 52 {
        keys[index] = tables::RANK_KEYS[index / 4] as u16;
        index += 1;
    }
    keys[52] = tables::JOKER_KEY as u16;
    keys
};

impl Six {
    /// The index of the first card of a high rank.
    pub(crate) const FIRST_HIGH: usize = tables::LOW_RANKS * 4;

    /// The slot with a seventh card of a low rank, by index.
    #[inline]
    pub(crate) fn with_low(self, card: usize) -> usize {
        let sum = self.low.wrapping_add(KEY_IN_SUM[card & 63]);
        let start = tables::LOWEST.seven_starts[sum as usize];
        start as usize + self.place as usize
    }

    /// The slot with a seventh card of a high rank, or the joker, by index.
    #[inline]
    pub(crate) fn with_high(self, card: usize) -> usize {
        let sum = self.high as usize + KEY_IN_SUM[card & 63] as usize;
        let place = tables::LOWEST.high_places[sum];
        self.start as usize + place as usize
    }
}

/// How a house ranks hands.
///
/// ```
/// use houseway_rules::{Ranking, Wheel};
///
/// // The joker with 2-3-4-5 makes whichever straight is higher.
/// let hand = "Jk 5h 4d 3c 2s".parse().unwrap();
/// let most = Ranking::new(Wheel::Lowest);
/// let catfish_bend = Ranking::new(Wheel::SecondHighest);
/// assert_eq!(most.name(most.five(hand)), "straight, six high");
/// assert_eq!(catfish_bend.name(catfish_bend.five(hand)), "straight, five high");
///
/// let kings = "Kd Qh Jc Ts 9s".parse().unwrap();
/// assert!(most.five(hand) < most.five(kings));
/// assert!(catfish_bend.five(hand) > catfish_bend.five(kings));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ranking {
    /// The place of A-2-3-4-5.
    pub wheel: Wheel,
}

impl Ranking {
    /// The ranking with the wheel in that place.
    pub const fn new(wheel: Wheel) -> Ranking {
        Ranking { wheel }
    }

    /// The strength of five cards.
    ///
    /// # Panics
    /// If there are not five.
    pub fn five(self, cards: CardSet) -> Strength {
        assert_eq!(cards.len(), 5, "a High hand has five cards");
        self.five_key(HandKey::of(cards))
    }

    /// The strength of five counted cards; of any other number, some strength.
    #[inline]
    pub fn five_key(self, hand: HandKey) -> Strength {
        let tables = self.tables();
        match hand.flush_suit() {
            Some((_, lane)) => Strength(tables.flush[lane]),
            None => Strength(tables.five[hand.slot(tables, &tables.five_starts)]),
        }
    }

    /// The strength of the best five of seven counted cards; of any other number, some strength.
    #[inline]
    pub fn seven(self, hand: HandKey) -> Strength {
        let tables = self.tables();
        let by_ranks = tables.seven[hand.slot(tables, &tables.seven_starts)];
        if hand.has_flush() {
            return better_flush(tables, hand, by_ranks);
        }
        Strength(by_ranks)
    }

    /// The strengths of all seven-card hands whose two lowest cards, in deck order, are these,
    /// visited hand by hand in order. [`sweep::starts`](crate::sweep::starts) names them all.
    ///
    /// ```
    /// use houseway_rules::{Ranking, Wheel};
    ///
    /// let ranking = Ranking::new(Wheel::Lowest);
    /// let mut hands = 0;
    /// ranking.sweep(["2c".parse().unwrap(), "2d".parse().unwrap()], |_strength| hands += 1);
    /// assert_eq!(hands, 2_349_060); // 51 over 5
    /// ```
    pub fn sweep(self, lowest: [Card; 2], visit: impl FnMut(Strength)) {
        self.sweep_of(Card::COUNT, lowest, visit);
    }

    /// The same with the joker left out of the deck.
    pub fn sweep_without_joker(self, lowest: [Card; 2], visit: impl FnMut(Strength)) {
        self.sweep_of(Card::COUNT - 1, lowest, visit);
    }

    #[inline]
    fn sweep_of(self, deck: usize, lowest: [Card; 2], mut visit: impl FnMut(Strength)) {
        let tables = self.tables();
        let flush = |hand, by_ranks| better_flush(tables, hand, by_ranks).0;
        sweep::sevens(deck, lowest, &tables.seven, flush, |strength| visit(Strength(strength)));
    }

    /// The strength of two cards, the same in every house.
    ///
    /// # Panics
    /// If there are not two.
    pub fn two(self, cards: CardSet) -> LowStrength {
        let [a, b] = cards.sorted();
        LowStrength::of(a.rank(), b.rank())
    }

    /// The weakest High hand that this Low hand does not outrank. Any below it makes a foul.
    ///
    /// Hands are compared on what both show: a pair beats no pair, and equal pairs, or equal first
    /// and second cards, are no foul, because the High hand has further cards.
    #[inline]
    pub fn weakest_legal_high(self, low: LowStrength) -> Strength {
        FLOORS[low.index()]
    }

    /// Whether the Low hand outranks the High hand.
    #[inline]
    pub fn fouls(self, hands: PerHand<Strength, LowStrength>) -> bool {
        hands.high < self.weakest_legal_high(hands.low)
    }

    /// The category of a strength.
    pub fn category(self, strength: Strength) -> Category {
        Category::ALL[self.class(strength)[0] as usize]
    }

    /// The ranks that make a strength, those that decide first; a straight has only its highest.
    pub fn ranks(self, strength: Strength) -> impl Iterator<Item = Rank> {
        let [category, ties @ ..] = self.class(strength);
        let of = |range: core::ops::Range<usize>| {
            ties[range].iter().map(|&rank| Rank::ALL[rank as usize])
        };
        match Category::ALL[*category as usize] {
            Category::Straight | Category::StraightFlush => of(1..2),
            _ => of(0..5),
        }
    }

    /// The hand's name: `two pair, kings and fives`, `straight, six high`.
    pub fn name(self, strength: Strength) -> alloc::string::String {
        use alloc::format;
        let mut ranks = [Rank::Two; 5];
        for (place, rank) in ranks.iter_mut().zip(self.ranks(strength)) {
            *place = rank;
        }
        let [first, second, third, fourth, _] = ranks;
        match self.category(strength) {
            Category::HighCard => format!("{}-{} high", first.name(), second.name()),
            Category::OnePair => format!("pair of {}", first.plural()),
            Category::TwoPair => format!("two pair, {} and {}", first.plural(), third.plural()),
            Category::ThreeOfAKind => format!("three {}", first.plural()),
            Category::Straight => format!("straight, {} high", first.name()),
            Category::Flush => format!("flush, {} high", first.name()),
            Category::FullHouse => {
                format!("full house, {} over {}", first.plural(), fourth.plural())
            }
            Category::FourOfAKind => format!("four {}", first.plural()),
            Category::StraightFlush if first == Rank::Ace => "royal flush".into(),
            Category::StraightFlush => format!("straight flush, {} high", first.name()),
            Category::FiveAces => "five aces".into(),
        }
    }

    /// The lowest strength of a category.
    pub fn weakest(self, category: Category) -> Strength {
        let index = self.tables().classes.partition_point(|class| class[0] < category as u8);
        Strength(index as u16)
    }

    fn class(self, strength: Strength) -> &'static [u8; 6] {
        &self.tables().classes[strength.index()]
    }

    #[inline]
    fn tables(self) -> &'static Tables {
        match self.wheel {
            Wheel::Lowest => &tables::LOWEST,
            Wheel::SecondHighest => &tables::SECOND,
        }
    }
}

/// The flush, unless the ranks are worth more: with the joker, four of a kind or a full house can
/// stand beside one. Out of line, because one hand in thirty needs it.
#[cold]
#[inline(never)]
fn better_flush(tables: &Tables, hand: HandKey, by_ranks: u16) -> Strength {
    Strength(hand.flush_suit().map_or(by_ranks, |(_, lane)| by_ranks.max(tables.flush[lane])))
}

/// For each Low hand the weakest High hand it does not outrank. Straights are far above all of
/// these, so the wheel's place does not matter.
static FLOORS: [Strength; LowStrength::CLASSES] = {
    let mut floors = [Strength(0); LowStrength::CLASSES];
    let mut a = 0;
    while a < 13 {
        let mut b = 0;
        while b <= a {
            let mut class = 0;
            while fouls_class(tables::LOWEST.classes[class], a as u8, b as u8) {
                class += 1;
            }
            floors[LOW[a][b] as usize] = Strength(class as u16);
            b += 1;
        }
        a += 1;
    }
    floors
};

const fn fouls_class(high: [u8; 6], a: u8, b: u8) -> bool {
    let [category, first, second, ..] = high;
    match category {
        0 => a == b || a > first || a == first && b > second,
        1 => a == b && a > first,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_five(mut check: impl FnMut([u8; 5])) {
        for a in 0..53u8 {
            for b in 0..a {
                for c in 0..b {
                    for d in 0..c {
                        for e in 0..d {
                            check([a, b, c, d, e]);
                        }
                    }
                }
            }
        }
    }

    fn set(cards: &[u8]) -> CardSet {
        cards.iter().fold(CardSet::EMPTY, |set, &card| {
            set.with(Card::from_index(card as usize).expect("one of 53"))
        })
    }

    fn value(ranking: Ranking, strength: Strength) -> slow::Value {
        let [category, ties @ ..] = *ranking.class(strength);
        slow::Value { category, ties }
    }

    /// The fast evaluator against the slow one, over all 2,869,685 five-card hands, both ways to
    /// rank the wheel.
    #[test]
    fn five_cards_are_ranked_as_the_obvious_evaluator_ranks_them() {
        let mut hands = 0;
        let mut categories = [0; 10];
        every_five(|cards| {
            hands += 1;
            for (wheel, second) in [(Wheel::Lowest, false), (Wheel::SecondHighest, true)] {
                let ranking = Ranking::new(wheel);
                let strength = ranking.five(set(&cards));
                assert_eq!(value(ranking, strength), slow::five(cards, second), "{cards:?}");
                if !second {
                    categories[ranking.category(strength) as usize] += 1;
                }
            }
        });
        assert_eq!(hands, 2_869_685);
        let counts = [1418964, 1215024, 138600, 63360, 20532, 7804, 4368, 828, 204, 1];
        assert_eq!(categories, counts);
    }

    #[test]
    fn two_cards_are_ranked_as_the_obvious_evaluator_ranks_them() {
        let ranking = Ranking::new(Wheel::Lowest);
        let mut seen = alloc::vec![];
        for a in 0..53u8 {
            for b in 0..a {
                seen.push((ranking.two(set(&[a, b])), slow::two([a, b])));
            }
        }
        assert_eq!(seen.len(), 1378);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), LowStrength::CLASSES, "one strength a class, in the same order");
        assert!(seen.is_sorted_by_key(|&(_, slow)| slow));
        for (low, (pair, first, second)) in seen {
            assert_eq!(low.is_pair(), pair);
            assert_eq!(low.ranks(), (Rank::ALL[first as usize], Rank::ALL[second as usize]));
        }
    }

    /// Every Low hand against every High hand that the rest of the deck can make, by class.
    #[test]
    fn a_foul_is_what_the_obvious_test_says() {
        let ranking = Ranking::new(Wheel::Lowest);
        let mut lows = alloc::collections::BTreeMap::new();
        for a in 0..53u8 {
            for b in 0..a {
                lows.entry(ranking.two(set(&[a, b]))).or_insert([a, b]);
            }
        }
        let mut highs = alloc::collections::BTreeMap::new();
        every_five(|cards| {
            highs.entry(ranking.five(set(&cards))).or_insert(cards);
        });
        assert_eq!((lows.len(), highs.len()), (LowStrength::CLASSES, Strength::CLASSES));
        for (&low, &low_cards) in &lows {
            for (&high, &high_cards) in &highs {
                let fouls = ranking.fouls(PerHand { high, low });
                assert_eq!(fouls, slow::fouls(low_cards, high_cards), "{low} / {high_cards:?}");
            }
        }
    }

    /// Seven cards are worth their best five: a sample of all hands, under both rankings.
    #[test]
    fn seven_cards_are_worth_their_best_five() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..300_000 {
            let mut cards = CardSet::EMPTY;
            while cards.len() < 7 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                cards = cards.with(Card::from_index((state >> 33) as usize % 53).expect("of 53"));
            }
            let numbers = cards.sorted::<7>().map(|card| card.index() as u8);
            for (wheel, second) in [(Wheel::Lowest, false), (Wheel::SecondHighest, true)] {
                let ranking = Ranking::new(wheel);
                let best = ranking.seven(HandKey::of(cards));
                assert_eq!(value(ranking, best), slow::best_of_seven(numbers, second), "{cards}");
            }
        }
    }

    #[test]
    fn cards_taken_away_leave_the_key_of_the_rest() {
        let seven: CardSet = "As Ks Qs Js Jk 2d 2c".parse().unwrap();
        for low in [["2d", "2c"], ["As", "2d"], ["Jk", "As"]] {
            let low = low.map(|card| card.parse::<Card>().unwrap());
            let rest = low.iter().fold(HandKey::of(seven), |key, &card| key.without(card));
            let high = low.iter().fold(seven, |set, &card| set.without(CardSet::of(card)));
            assert_eq!(rest, HandKey::of(high));
        }
    }
}
