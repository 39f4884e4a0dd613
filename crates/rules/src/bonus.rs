//! What seven cards are worth for the Fortune Bonus.

use core::fmt;

use crate::card::{Card, Rank, Suit};
use crate::cards::CardSet;
use crate::ranking::{Category, HandKey, Ranking, Wheel};
use crate::setting::Dealt;
use crate::sweep;

/// The hands the Fortune Bonus pays for, lowest first. Three of a kind stands above a straight,
/// because it pays more.
///
/// ```
/// use houseway_rules::BonusHand;
///
/// // Three of a kind and a straight: the better-paid one counts.
/// let both = "9c 9d 9h Tc Jd Qs Kh".parse().unwrap();
/// assert_eq!(BonusHand::of(both), Some(BonusHand::ThreeOfAKind));
///
/// // The joker may stand in the royal flush, not in the match beside it.
/// let matched = "As Jk Qs Js Ts Kh Qh".parse().unwrap();
/// assert_eq!(BonusHand::of(matched), Some(BonusHand::RoyalMatch));
/// assert_eq!(BonusHand::of(matched).unwrap().id(), "royal-match");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BonusHand {
    /// Five cards in sequence.
    Straight = 1,
    /// Three cards of a rank.
    ThreeOfAKind,
    /// Five cards of a suit.
    Flush,
    /// Three of a kind and a pair.
    FullHouse,
    /// Four cards of a rank.
    FourOfAKind,
    /// Five cards of a suit in sequence.
    StraightFlush,
    /// A-K-Q-J-10 of a suit; the joker may be one of them.
    RoyalFlush,
    /// Four aces and the joker.
    FiveAces,
    /// Seven cards of a suit in sequence, the joker one of them.
    SevenCardStraightFlushJoker,
    /// A royal flush and, as the other two cards, a natural king and queen of one suit.
    RoyalMatch,
    /// Seven natural cards of a suit in sequence.
    SevenCardStraightFlush,
}

impl BonusHand {
    /// Every one of them, lowest first.
    pub const ALL: [BonusHand; 11] = [
        BonusHand::Straight,
        BonusHand::ThreeOfAKind,
        BonusHand::Flush,
        BonusHand::FullHouse,
        BonusHand::FourOfAKind,
        BonusHand::StraightFlush,
        BonusHand::RoyalFlush,
        BonusHand::FiveAces,
        BonusHand::SevenCardStraightFlushJoker,
        BonusHand::RoyalMatch,
        BonusHand::SevenCardStraightFlush,
    ];

    /// The highest of them that the seven cards form, however they are set.
    pub fn of(dealt: Dealt) -> Option<BonusHand> {
        let hand = HandKey::of(dealt.cards());
        let by_ranks = hand.seven_bonus();
        BonusHand::from_number(if hand.has_flush() { suited(hand, by_ranks) } else { by_ranks })
    }

    /// Visits the bonus hand of every hand whose two lowest cards, in deck order, are these.
    /// [`sweep::starts`](crate::sweep::starts) names them all.
    pub fn sweep(lowest: [Card; 2], mut visit: impl FnMut(Option<BonusHand>)) {
        let table = HandKey::bonus_table();
        sweep::sevens(Card::COUNT, lowest, table, suited, |number| {
            visit(BonusHand::from_number(number));
        });
    }

    /// All of them that the seven cards form. A table that pays a lower one more than a higher
    /// one pays by this.
    pub fn formed(dealt: Dealt) -> impl Iterator<Item = BonusHand> {
        let ranking = Ranking::new(Wheel::Lowest);
        let royal = ranking.weakest(Category::FiveAces).index() - 1;
        let mut formed = 0u16;
        let mut add =
            |hands: &[BonusHand]| hands.iter().for_each(|&hand| formed |= 1 << hand as u16);
        for split in dealt.splits(ranking) {
            match ranking.category(split.hands.high) {
                Category::HighCard | Category::OnePair | Category::TwoPair => {}
                Category::ThreeOfAKind => add(&[BonusHand::ThreeOfAKind]),
                Category::Straight => add(&[BonusHand::Straight]),
                Category::Flush => add(&[BonusHand::Flush]),
                Category::FullHouse => add(&[BonusHand::FullHouse, BonusHand::ThreeOfAKind]),
                Category::FourOfAKind => add(&[BonusHand::FourOfAKind, BonusHand::ThreeOfAKind]),
                Category::StraightFlush => {
                    add(&[BonusHand::StraightFlush, BonusHand::Flush, BonusHand::Straight]);
                    if split.hands.high.index() == royal {
                        add(&[BonusHand::RoyalFlush]);
                    }
                }
                Category::FiveAces => {
                    add(&[BonusHand::FiveAces, BonusHand::FourOfAKind, BonusHand::ThreeOfAKind]);
                }
            }
        }
        // The hands of seven cards exclude one another, and each is the highest where it occurs.
        if let Some(highest) = BonusHand::of(dealt) {
            add(&[highest]);
        }
        BonusHand::ALL.into_iter().filter(move |&hand| formed >> hand as u16 & 1 == 1)
    }

    /// The id used in JSON and in rulebook files.
    pub const fn id(self) -> &'static str {
        match self {
            BonusHand::Straight => "straight",
            BonusHand::ThreeOfAKind => "three-of-a-kind",
            BonusHand::Flush => "flush",
            BonusHand::FullHouse => "full-house",
            BonusHand::FourOfAKind => "four-of-a-kind",
            BonusHand::StraightFlush => "straight-flush",
            BonusHand::RoyalFlush => "royal-flush",
            BonusHand::FiveAces => "five-aces",
            BonusHand::SevenCardStraightFlushJoker => "seven-card-straight-flush-joker",
            BonusHand::RoyalMatch => "royal-match",
            BonusHand::SevenCardStraightFlush => "seven-card-straight-flush",
        }
    }

    /// The poker category of the five cards, where that is what hands of this kind differ by.
    const fn category(self) -> Option<Category> {
        match self {
            BonusHand::Straight => Some(Category::Straight),
            BonusHand::ThreeOfAKind => Some(Category::ThreeOfAKind),
            BonusHand::Flush => Some(Category::Flush),
            BonusHand::FullHouse => Some(Category::FullHouse),
            BonusHand::FourOfAKind => Some(Category::FourOfAKind),
            BonusHand::StraightFlush => Some(Category::StraightFlush),
            BonusHand::RoyalFlush
            | BonusHand::FiveAces
            | BonusHand::SevenCardStraightFlushJoker
            | BonusHand::RoyalMatch
            | BonusHand::SevenCardStraightFlush => None,
        }
    }

    fn from_number(number: u8) -> Option<BonusHand> {
        BonusHand::ALL.get((number as usize).wrapping_sub(1)).copied()
    }
}

impl fmt::Display for BonusHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            BonusHand::Straight => "straight",
            BonusHand::ThreeOfAKind => "three of a kind",
            BonusHand::Flush => "flush",
            BonusHand::FullHouse => "full house",
            BonusHand::FourOfAKind => "four of a kind",
            BonusHand::StraightFlush => "straight flush",
            BonusHand::RoyalFlush => "royal flush",
            BonusHand::FiveAces => "five aces",
            BonusHand::SevenCardStraightFlushJoker => "seven-card straight flush with joker",
            BonusHand::RoyalMatch => "royal match",
            BonusHand::SevenCardStraightFlush => "seven-card straight flush, natural",
        })
    }
}

/// How good seven cards are for the bonus, where two hands are compared (`cardroom` C12): by
/// category, then by the poker value of the five or seven cards that make it. A hand below a
/// straight is below all.
///
/// ```
/// use houseway_rules::{BonusStrength, Ranking, Wheel};
///
/// let ranking = Ranking::new(Wheel::Lowest);
/// let strength = |cards: &str| BonusStrength::of(cards.parse().unwrap(), ranking);
/// let straight = strength("9c Tc Jd Qs Kh 2c 4d");
/// let three = strength("2c 2d 2h Jd Qs Kh 7c");
/// assert!(three > straight); // it pays more
/// assert!(strength("3c 3d 3h Jd Qs Kh 7c") > three);
/// assert!(straight > strength("Ac Ad Kh Ks 9c 7d 2h"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BonusStrength(u16);

/// At least as many numbers as each bonus hand has different values, by its own number; nothing is
/// number 0.
const ROOM: [usize; 12] = [1, 10, 858, 1277, 156, 156, 10, 13, 13, 13, 13, 13];

impl BonusStrength {
    /// How good these seven cards are under a ranking, which says where the wheel stands among
    /// straights of five.
    pub fn of(dealt: Dealt, ranking: Ranking) -> BonusStrength {
        let Some(hand) = BonusHand::of(dealt) else { return BonusStrength(0) };
        let within = if let Some(category) = hand.category() {
            let splits = dealt.splits(ranking).map(|split| split.hands.high);
            let of_category = splits.filter(|&high| ranking.category(high) == category);
            let best = of_category.max().expect("the hand is of this category");
            best.index() - ranking.weakest(category).index()
        } else {
            // The higher the best five of seven suited cards in sequence, the higher the seven;
            // the best five of the other hands are always the same. Seven from the ace are the
            // lowest seven wherever five from the ace stand.
            let ranking = Ranking::new(Wheel::Lowest);
            let best = ranking.seven(HandKey::of(dealt.cards()));
            ranking.ranks(best).next().expect("a hand has ranks") as usize
        };
        let place = hand as usize;
        assert!(within < ROOM[place], "{hand} has room for its values");
        BonusStrength((ROOM[..place].iter().sum::<usize>() + within) as u16)
    }

    /// A number that orders as the strengths do, below [`Strength::CLASSES`].
    ///
    /// [`Strength::CLASSES`]: crate::Strength::CLASSES
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

const JOKER: usize = 1 << 13;

/// The number of the best bonus hand of seven cards, five of which have one suit.
#[cold]
fn suited(hand: HandKey, by_ranks: u8) -> u8 {
    let Some((suit, lane)) = hand.flush_suit() else { return by_ranks };
    let suited = match lane.count_ones() {
        7 if in_sequence(lane) && lane & JOKER == 0 => BonusHand::SevenCardStraightFlush,
        7 if in_sequence(lane) => BonusHand::SevenCardStraightFlushJoker,
        _ => match HandKey::royal_or_straight_flush(lane) {
            Some(true) if lane.count_ones() == 5 && has_match(hand.naturals(), suit) => {
                BonusHand::RoyalMatch
            }
            Some(true) => BonusHand::RoyalFlush,
            Some(false) => BonusHand::StraightFlush,
            None => BonusHand::Flush,
        },
    };
    by_ranks.max(suited as u8)
}

/// Whether seven ranks, the joker as bit 13 for any of them, follow one another; the ace is high
/// or low.
fn in_sequence(lane: usize) -> bool {
    let ranks = lane & (JOKER - 1);
    // Bit 0 the ace as a one, bits 1 to 13 the two to the ace.
    let spread = ranks << 1 | ranks >> 12;
    let wanted = 7 - u32::from(lane & JOKER != 0);
    (0..8).any(|lowest| (spread & (0x7f << lowest)).count_ones() == wanted)
}

/// Whether a suit other than the royal flush's has a king and a queen.
fn has_match(cards: CardSet, royal: Suit) -> bool {
    const KING_QUEEN: u16 = 1 << Rank::King as u16 | 1 << Rank::Queen as u16;
    Suit::ALL.into_iter().any(|suit| suit != royal && cards.suit(suit) & KING_QUEEN == KING_QUEEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published counts, over all 154,143,080 hands.
    #[test]
    fn bonus_hands_have_their_published_counts() {
        let mut counts = [0u64; 12];
        for start in sweep::starts() {
            BonusHand::sweep(start, |hand| counts[hand.map_or(0, |hand| hand as usize)] += 1);
        }
        let published = [
            124_556_196,
            11_034_204,
            7_672_500,
            6_172_088,
            4_188_528,
            307_472,
            184_644,
            26_020,
            1_128,
            196,
            72,
            32,
        ];
        assert_eq!(counts, published);
        assert_eq!(counts.iter().sum::<u64>(), sweep::HANDS);
    }

    /// Mistakes that other programs make.
    #[test]
    fn hands_that_are_often_misjudged() {
        for (cards, id) in [
            ("As 2s 3s 4s 5s 6s 7s", "seven-card-straight-flush"),
            ("As Ks Qs Js Ts 9s 8s", "seven-card-straight-flush"),
            ("As 2s 3s Jk 5s 6s 7s", "seven-card-straight-flush-joker"),
            ("Ks Qs As 2s 3s 4s 5s", "straight-flush"), // no wrap around the ace
            ("As Ks Qs Js Ts Kh Qh", "royal-match"),
            ("As Ks Qs Js Ts Kh Qd", "royal-flush"),
            ("As Ks Qs Js Ts Jk Kh", "royal-flush"), // the joker is no queen of hearts
            ("As Jk Qs Js Ts Kd Qd", "royal-match"),
            ("Ac Ad Ah As Jk Kc Qc", "five-aces"),
            ("As Ks 9s 4s Jk Ah Ad", "four-of-a-kind"), // beside a flush
            ("As Ks 9s 4s Jk Ah Kd", "full-house"),
            ("5c 5d 5h 6c 7d 8h 9s", "three-of-a-kind"),
        ] {
            assert_eq!(BonusHand::of(cards.parse().unwrap()).unwrap().id(), id, "{cards}");
        }
        assert_eq!(BonusHand::of("Kc Kd Qh Qs 9c 9d 2s".parse().unwrap()), None);
    }

    /// The highest hand is among those formed, and nothing above it is.
    #[test]
    fn the_highest_formed_hand_is_the_bonus_hand() {
        let mut state = 1u64;
        for _ in 0..200_000 {
            let mut cards = CardSet::EMPTY;
            while cards.len() < 7 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                cards = cards.with(Card::from_index((state >> 33) as usize % 53).expect("of 53"));
            }
            let dealt = Dealt::new(cards).expect("seven");
            assert_eq!(BonusHand::formed(dealt).max(), BonusHand::of(dealt), "{dealt}");
        }
    }
}
