//! Hands by their ranks alone: how many cards of each rank, and the joker.

use houseway_rules::{Card, CardSet, Dealt, Rank, Suit};

/// How many cards of each rank a hand or a part of one has: four bits a rank, the joker as a
/// fourteenth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RankCounts(pub(crate) u64);

/// The thirteen ranks and the joker.
pub(crate) const KINDS: usize = 14;

/// How many cards of a kind the deck has.
pub(crate) const fn in_deck(kind: usize) -> usize {
    if kind == 13 { 1 } else { 4 }
}

/// How many ways there are to choose `k` of up to seven.
pub(crate) const CHOOSE: [[i64; 8]; 8] = {
    let mut table = [[0; 8]; 8];
    let mut n = 0;
    while n < 8 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

impl RankCounts {
    pub(crate) const NONE: RankCounts = RankCounts(0);

    pub(crate) fn of(cards: CardSet) -> RankCounts {
        let naturals = Rank::ALL.into_iter().enumerate();
        let sum =
            naturals.map(|(kind, rank)| (cards.of_rank(rank).len() as u64) << (4 * kind)).sum();
        RankCounts(sum).plus(13, usize::from(cards.has_joker()))
    }

    /// Every combination of ranks that so many cards can have, in the order of [`each_with`].
    ///
    /// [`each_with`]: RankCounts::each_with
    pub(crate) fn of_size(cards: usize) -> Vec<RankCounts> {
        let mut all = vec![];
        let fold = |(), _, _| ();
        RankCounts::NONE.each_with(0, cards, (), &fold, &mut |counts, ()| all.push(counts));
        all
    }

    /// How many of a kind.
    pub(crate) const fn count(self, kind: usize) -> usize {
        (self.0 >> (4 * kind)) as usize & 15
    }

    /// With some more of a kind.
    pub(crate) const fn plus(self, kind: usize, more: usize) -> RankCounts {
        RankCounts(self.0 + ((more as u64) << (4 * kind)))
    }

    /// The ranks of which there is a natural card, a bit a rank.
    pub(crate) fn natural_ranks(self) -> u16 {
        (0..13).filter(|&kind| self.count(kind) > 0).fold(0, |ranks, kind| ranks | 1 << kind)
    }

    /// With one card less of each of these ranks, which it must have, and without the joker.
    pub(crate) fn without_one_of(self, ranks: u16) -> RankCounts {
        let ones = (0..13).filter(|kind| ranks >> kind & 1 == 1).map(|kind| 1 << (4 * kind));
        RankCounts((self.0 & ((1 << 52) - 1)) - ones.sum::<u64>())
    }

    /// A hand of these seven cards in which no five have one suit: suits in turn.
    pub(crate) fn without_flush(self) -> Dealt {
        let mut cards = CardSet::EMPTY;
        let mut turn = 0;
        for (kind, rank) in Rank::ALL.into_iter().enumerate() {
            for _ in 0..self.count(kind) {
                cards = cards.with(Card::new(rank, Suit::ALL[turn % 4]));
                turn += 1;
            }
        }
        if self.count(13) == 1 {
            cards = cards.with(Card::JOKER);
        }
        Dealt::new(cards).expect("the counts are of seven cards")
    }

    /// Visits every way to add `cards` more cards from `kind` on; the visitor's last argument is
    /// what was folded over the kinds added, by `fold(so far, kind, how many)`.
    pub(crate) fn each_with<T: Copy>(
        self,
        kind: usize,
        cards: usize,
        value: T,
        fold: &impl Fn(T, usize, usize) -> T,
        visit: &mut impl FnMut(RankCounts, T),
    ) {
        if cards == 0 {
            return visit(self, value);
        }
        for next in kind..KINDS {
            let most = (in_deck(next) - self.count(next)).min(cards);
            for more in 1..=most {
                let value = fold(value, next, more);
                self.plus(next, more).each_with(next + 1, cards - more, value, fold, visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_of_seven_is_found_once() {
        let mut all = vec![];
        RankCounts::NONE.each_with(
            0,
            7,
            1,
            &|ways, kind, more| ways * CHOOSE[in_deck(kind)][more],
            &mut |counts, ways| {
                all.push((counts, ways));
            },
        );
        assert_eq!(all.len(), 67_600);
        assert_eq!(all.iter().map(|(_, ways)| ways).sum::<i64>(), 154_143_080);
        for &(counts, _) in all.iter().step_by(997) {
            assert_eq!(RankCounts::of(counts.without_flush().cards()), counts);
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 67_600);
    }
}
