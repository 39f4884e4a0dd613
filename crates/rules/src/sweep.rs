//! Every hand there is, in order.

use crate::card::Card;
use crate::ranking::{HandKey, SLOTS, Six};

/// How many hands of seven the 53 cards make.
pub const HANDS: u64 = 154_143_080;

/// The pairs of lowest cards, in deck order, that a sweep starts from: together they make every
/// hand, and each is work for one thread.
pub fn starts() -> impl Iterator<Item = [Card; 2]> {
    Card::all().flat_map(|a| Card::all().skip(a.index() + 1).map(move |b| [a, b]))
}

/// Looks up every seven-card hand of the deck's first `deck` cards whose two lowest are these in
/// a table by [`HandKey::seven_slot`], and visits what it finds, hand by hand in order. `flush`
/// judges a hand in which five cards have one suit, given what its ranks alone are worth.
#[inline]
pub(crate) fn sevens<T: Copy>(
    deck: usize,
    [a, b]: [Card; 2],
    table: &[T; SLOTS],
    flush: impl Fn(HandKey, T) -> T,
    mut visit: impl FnMut(T),
) {
    let two = HandKey::EMPTY.with(a).with(b);
    // Plain numbers: a checked card for each step would cost as much as the lookup itself.
    for c in b.index() + 1..deck {
        let three = two.with_index(c);
        for d in c + 1..deck {
            let four = three.with_index(d);
            for e in d + 1..deck {
                let five = four.with_index(e);
                for f in e + 1..deck {
                    let six = five.with_index(f);
                    if six.nears_flush() {
                        for g in f + 1..deck {
                            let seven = six.with_index(g);
                            let by_ranks = table[seven.seven_slot()];
                            visit(match seven.has_flush() {
                                true => flush(seven, by_ranks),
                                false => by_ranks,
                            });
                        }
                    } else {
                        let six = six.six_of_seven();
                        for g in f + 1..Six::FIRST_HIGH {
                            visit(table[six.with_low(g)]);
                        }
                        for g in (f + 1).max(Six::FIRST_HIGH)..deck {
                            visit(table[six.with_high(g)]);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Rank;
    use crate::cards::CardSet;
    use crate::ranking::{Category, Ranking, Wheel};

    /// Alspach's counts of the best five of seven cards with the joker, all 154,143,080 hands.
    #[test]
    fn the_best_five_of_seven_have_their_published_counts() {
        let ranking = Ranking::new(Wheel::Lowest);
        let mut strengths = alloc::vec![0u64; crate::ranking::Strength::CLASSES];
        for start in starts() {
            ranking.sweep(start, |strength| strengths[strength.index()] += 1);
        }
        let mut counts = [0; 10];
        let mut floors = Category::ALL.map(|category| ranking.weakest(category).index()).to_vec();
        floors.push(strengths.len());
        for (count, bounds) in counts.iter_mut().zip(floors.windows(2)) {
            *count = strengths[bounds[0]..bounds[1]].iter().sum();
        }
        let published = [
            24_780_420, 64_221_960, 35_553_816, 7_470_676, 11_236_028, 6_172_088, 4_188_528,
            307_472, 210_964, 1_128,
        ];
        assert_eq!(counts, published);
        assert_eq!(counts.iter().sum::<u64>(), HANDS);
    }

    /// A sweep visits just the hands that plain loops visit, in their order.
    #[test]
    fn a_sweep_is_the_plain_loops() {
        let [a, b] =
            [Rank::Seven, Rank::Nine].map(|rank| Card::new(rank, crate::card::Suit::Hearts));
        let ranking = Ranking::new(Wheel::SecondHighest);
        let mut plain = alloc::vec![];
        choose(5, b.index() + 1, CardSet::of(a).with(b), &mut |cards| {
            plain.push(ranking.seven(HandKey::of(cards)));
        });
        let mut swept = alloc::vec![];
        ranking.sweep([a, b], |strength| swept.push(strength));
        assert_eq!(swept, plain);
    }
    /// Every way to add so many cards from a place in the deck on.
    fn choose(more: usize, from: usize, cards: CardSet, visit: &mut impl FnMut(CardSet)) {
        if more == 0 {
            return visit(cards);
        }
        for card in Card::all().skip(from) {
            choose(more - 1, card.index() + 1, cards.with(card), visit);
        }
    }
}
