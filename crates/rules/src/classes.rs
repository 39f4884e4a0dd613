//! Hands up to a change of suits: 6,972,147 classes stand for all 154,143,080.
//!
//! Suits have no order in this game, so hands that differ by a permutation of the suits are set
//! alike and pay alike. Whatever is counted over hands is counted over classes, each weighted by
//! the number of hands it stands for.

use alloc::vec::Vec;

use crate::card::Suit;
use crate::cards::CardSet;
use crate::setting::Dealt;

/// How many classes there are, with and without the joker.
pub const CLASSES: u64 = 6_972_147;

/// The sets of ranks one suit can have.
const LANES: usize = 1 << 13;

/// Some of the classes: those whose highest suit, read as a number, has certain ranks. The parts
/// are independent, so threads can share them out.
///
/// ```
/// use houseway_rules::classes;
///
/// let (mut classes, mut hands) = (0u64, 0u64);
/// for part in classes::parts() {
///     part.each(|_dealt, weight| {
///         classes += 1;
///         hands += u64::from(weight);
///     });
/// }
/// assert_eq!((classes, hands), (6_972_147, 154_143_080));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Part {
    first: u16,
    joker: bool,
}

/// All parts; together they hold every class once.
pub fn parts() -> impl DoubleEndedIterator<Item = Part> + Clone {
    (1..LANES as u16)
        .filter(|lane| lane.count_ones() <= 7)
        .flat_map(|first| [false, true].map(|joker| Part { first, joker }))
}

impl Part {
    /// Visits one hand of each class, and how many hands it stands for.
    pub fn each(self, mut visit: impl FnMut(Dealt, u32)) {
        let Part { first: a, joker } = self;
        let cards = 7 - u32::from(joker);
        let Some(rest) = cards.checked_sub(a.count_ones()) else { return };
        for in_b in 0..=rest {
            for &b in up_to(in_b, a) {
                for in_c in 0..=rest - in_b {
                    for &c in up_to(in_c, b) {
                        for &d in up_to(rest - in_b - in_c, c) {
                            let lanes = [a, b, c, d];
                            let dealt = Dealt::new(CardSet::from_lanes(lanes, joker));
                            visit(dealt.expect("seven by construction"), orders(lanes));
                        }
                    }
                }
            }
        }
    }
}

/// Every hand of the class that a hand belongs to: those that a change of suits makes of it.
///
/// ```
/// use houseway_rules::classes;
///
/// let royal_match = "As Ks Qs Js Ts Kh Qh".parse().unwrap();
/// assert_eq!(classes::hands(royal_match).len(), 12);
/// ```
pub fn hands(dealt: Dealt) -> Vec<Dealt> {
    let lanes = Suit::ALL.map(|suit| dealt.cards().suit(suit));
    let mut orders: Vec<[u16; 4]> = (0..256usize)
        .map(|number| [0, 2, 4, 6].map(|shift| number >> shift & 3))
        .filter(|order| (0..4).all(|suit| order.contains(&suit)))
        .map(|order| order.map(|suit| lanes[suit]))
        .collect();
    orders.sort_unstable();
    orders.dedup();
    let joker = dealt.cards().has_joker();
    let hand = |lanes| Dealt::new(CardSet::from_lanes(lanes, joker)).expect("still seven");
    orders.into_iter().map(hand).collect()
}

/// In how many ways the four suits can have these sets of ranks, given in order of their numbers.
pub const fn orders([a, b, c, d]: [u16; 4]) -> u32 {
    match (a == b, b == c, c == d) {
        (false, false, false) => 24,
        (true, false, false) | (false, true, false) | (false, false, true) => 12,
        (true, false, true) => 6,
        (true, true, false) | (false, true, true) => 4,
        (true, true, true) => 1,
    }
}

/// The sets of so many ranks, by number, that are at most `most`.
fn up_to(count: u32, most: u16) -> &'static [u16] {
    let (start, end) = (STARTS[count as usize], STARTS[count as usize + 1]);
    let sets = &BY_COUNT[start..end];
    &sets[..sets.partition_point(|&set| set <= most)]
}

/// Where the sets of each count start in [`BY_COUNT`].
const STARTS: [usize; 9] = {
    let mut starts = [0; 9];
    let mut lane = 0;
    while lane < LANES {
        let count = lane.count_ones() as usize;
        let mut later = count + 1;
        while later < 9 {
            starts[later] += 1;
            later += 1;
        }
        lane += 1;
    }
    starts
};

/// The sets of up to seven ranks, by count, then by number.
static BY_COUNT: [u16; STARTS[8]] = {
    let mut sets = [0; STARTS[8]];
    let mut next = STARTS;
    let mut lane = 0;
    while lane < LANES {
        let count = lane.count_ones() as usize;
        if count < 8 {
            sets[next[count]] = lane as u16;
            next[count] += 1;
        }
        lane += 1;
    }
    sets
};
