//! The slow and obvious evaluator: the judge of the fast one.
//!
//! It stands alone, because the build script uses it to write the fast evaluator's tables and the
//! tests use it to check every answer drawn from them. Cards are numbers: `rank * 4 + suit` with
//! the two as rank 0, and the joker as 52.

/// Number of the joker.
pub const JOKER: u8 = 52;
/// Rank of the ace.
pub const ACE: u8 = 12;

/// Categories by number, weakest first.
pub const HIGH_CARD: u8 = 0;
pub const ONE_PAIR: u8 = 1;
pub const TWO_PAIR: u8 = 2;
pub const THREE_OF_A_KIND: u8 = 3;
pub const STRAIGHT: u8 = 4;
pub const FLUSH: u8 = 5;
pub const FULL_HOUSE: u8 = 6;
pub const FOUR_OF_A_KIND: u8 = 7;
pub const STRAIGHT_FLUSH: u8 = 8;
pub const FIVE_ACES: u8 = 9;

/// What a five-card hand is worth: the category, then what breaks ties within it, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value {
    pub category: u8,
    /// Ranks of the groups and kickers. A straight has its place among the straights first and
    /// the rank of its highest card second; the place alone decides.
    pub ties: [u8; 5],
}

/// The value of five cards. `wheel_second`: A-2-3-4-5 stands below the ace-high straight only.
pub fn five(cards: [u8; 5], wheel_second: bool) -> Value {
    let Some(joker) = cards.iter().position(|&card| card == JOKER) else {
        return natural(cards.map(|card| (card / 4, Some(card % 4))), wheel_second);
    };
    let with = |rank: u8, suit: Option<u8>| {
        let mut hand = cards.map(|card| (card / 4, Some(card % 4)));
        hand[joker] = (rank, suit);
        natural(hand, wheel_second)
    };
    // An ace of no suit, or whichever card completes a straight, a flush or a straight flush.
    let ace = with(ACE, None);
    let completed = (0..JOKER)
        .filter(|card| !cards.contains(card))
        .map(|card| with(card / 4, Some(card % 4)))
        .filter(|value| matches!(value.category, STRAIGHT | FLUSH | STRAIGHT_FLUSH));
    completed.fold(ace, Ord::max)
}

/// The value of the best five of seven cards.
pub fn best_of_seven(cards: [u8; 7], wheel_second: bool) -> Value {
    splits().map(|(i, j)| five(without(cards, i, j), wheel_second)).max().expect("21 splits")
}

/// The 21 ways to take two of seven away.
pub fn splits() -> impl Iterator<Item = (usize, usize)> {
    (0..7).flat_map(|i| (i + 1..7).map(move |j| (i, j)))
}

/// Seven cards without two of them.
pub fn without(cards: [u8; 7], i: usize, j: usize) -> [u8; 5] {
    let mut rest = [0; 5];
    let kept = (0..7).filter(|&k| k != i && k != j);
    for (place, k) in rest.iter_mut().zip(kept) {
        *place = cards[k];
    }
    rest
}

/// The value of a two-card hand: whether it is a pair, then its ranks. The joker is an ace.
pub fn two(cards: [u8; 2]) -> (bool, u8, u8) {
    let [a, b] = cards.map(|card| if card == JOKER { ACE } else { card / 4 });
    (a == b, a.max(b), a.min(b))
}

/// Whether a Low hand outranks a High one, on what both show.
pub fn fouls(low: [u8; 2], high: [u8; 5]) -> bool {
    let (pair, first, second) = two(low);
    let high = five(high, false);
    match high.category {
        HIGH_CARD => pair || (first, second) > (high.ties[0], high.ties[1]),
        ONE_PAIR => pair && first > high.ties[0],
        _ => false,
    }
}

fn natural(hand: [(u8, Option<u8>); 5], wheel_second: bool) -> Value {
    let mut ranks = hand.map(|(rank, _)| rank);
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    let flush = hand.iter().all(|&(_, suit)| suit.is_some() && suit == hand[0].1);
    if let Some(ties) = straight(ranks, wheel_second) {
        let category = if flush { STRAIGHT_FLUSH } else { STRAIGHT };
        return Value { category, ties };
    }
    if flush {
        return Value { category: FLUSH, ties: ranks };
    }
    let count = |rank: u8| ranks.iter().filter(|&&other| other == rank).count();
    // Larger groups first, then higher ranks: the order in which hands are compared.
    let mut ties = ranks;
    ties.sort_unstable_by_key(|&rank| core::cmp::Reverse((count(rank), rank)));
    let category = match ties.map(count) {
        [5, ..] => FIVE_ACES,
        [4, ..] => FOUR_OF_A_KIND,
        [3, _, _, 2, _] => FULL_HOUSE,
        [3, ..] => THREE_OF_A_KIND,
        [2, _, 2, ..] => TWO_PAIR,
        [2, ..] => ONE_PAIR,
        _ => HIGH_CARD,
    };
    Value { category, ties }
}

/// The tie-break of a straight, if the five ranks, highest first, are one.
fn straight(ranks: [u8; 5], wheel_second: bool) -> Option<[u8; 5]> {
    let wheel = ranks == [ACE, 3, 2, 1, 0];
    let run = ranks.windows(2).all(|pair| pair[0] == pair[1] + 1);
    let top = if wheel { 3 } else { ranks[0] };
    let place = match (wheel, ranks[0]) {
        (true, _) if wheel_second => ACE,
        (false, ACE) => ACE + 1,
        _ => top,
    };
    (wheel || run).then_some([place, top, 0, 0, 0])
}
