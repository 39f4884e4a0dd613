//! The 32 bytes that everything of a round follows from.

use std::fmt;

use houseway_rules::Card;
use zeroize::Zeroizing;

use crate::bytes::Bytes32;
use crate::draw::{draw, keystream};
use crate::hash::{Purpose, derive};
use crate::shuffle::Deal;

/// 32 fresh bytes from the operating system, for one round. Whoever has them has every card, so
/// they have no text form, and are wiped when they are done with.
pub struct Seed(Zeroizing<[u8; 32]>);

impl Seed {
    /// A seed from fresh bytes.
    pub fn new(bytes: [u8; 32]) -> Seed {
        Seed(Zeroizing::new(bytes))
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The deck as it is committed to, and the number.
    ///
    /// The key is one for this table and round: even a seed that came twice would not give the same
    /// deck again.
    pub fn shuffle(&self, deal: &Deal) -> ([Card; Card::COUNT], u8) {
        let parts = [deal.table.as_bytes(), &deal.round.to_be_bytes()];
        let key = Zeroizing::new(derive(&self.0, Purpose::ShuffleKey, &parts));
        let mut bytes = keystream(&key);
        let deck = fisher_yates(&mut bytes);
        (deck, draw(&mut bytes, deal.highest.get()) + 1)
    }

    /// The salt of a leaf.
    pub(crate) fn salt(&self, deal: &Deal, leaf: u8) -> Bytes32 {
        let parts = [deal.table.as_bytes(), &deal.round.to_be_bytes(), &[leaf]];
        Bytes32(derive(&self.0, Purpose::Salt, &parts))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(hidden)")
    }
}

/// From the last place down, each card changes places with one of those up to it, itself included.
pub(crate) fn fisher_yates(bytes: &mut impl Iterator<Item = u8>) -> [Card; Card::COUNT] {
    let mut deck = whole_deck();
    for last in (1..Card::COUNT).rev() {
        deck.swap(last, usize::from(draw(bytes, last as u8 + 1)));
    }
    deck
}

/// All cards in their own order.
pub(crate) fn whole_deck() -> [Card; Card::COUNT] {
    std::array::from_fn(|index| Card::from_index(index).expect("the deck has so many cards"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU8;

    /// Pinned: a stored seed gives the same deck for ever. `examples/verify.py` gave these values.
    #[test]
    fn a_seed_gives_the_deck_that_it_always_gave() {
        let seed = Seed::new(std::array::from_fn(|at| at as u8));
        let highest = NonZeroU8::new(7).expect("not 0");
        let deal = Deal { table: "lantern".into(), round: 7, highest };
        let (deck, number) = seed.shuffle(&deal);
        let deck = deck.map(|card| card.to_string()).join(" ");
        assert_eq!(
            deck,
            "7s As 4s Jh 5d 8c 8h 2s 5s Ks 5h Js 7d Jd Th Ac 9h 6s Ad Ts 6d Qd 9c 5c 7h Jk 8d Tc Kd \
             3c 4d Qc 7c Qs 3d 2d 6h 3h Kh Ah Kc 9d 2h Jc Td 3s 6c 4h 2c 4c Qh 9s 8s"
        );
        assert_eq!(number, 5);
    }

    /// The same, done with cards that are taken out one by one.
    #[test]
    fn the_shuffle_is_the_obvious_one() {
        for first in 0..=255u8 {
            let key = [first; 32];
            let mut bytes = keystream(&key);
            let mut slow = Vec::new();
            let mut left: Vec<Card> = Card::all().collect();
            while !left.is_empty() {
                // With one card left nothing is drawn.
                let at = if left.len() == 1 { 0 } else { draw(&mut bytes, left.len() as u8) };
                slow.push(left.swap_remove(usize::from(at)));
            }
            slow.reverse();
            assert_eq!(fisher_yates(&mut keystream(&key)).to_vec(), slow);
        }
    }
}
