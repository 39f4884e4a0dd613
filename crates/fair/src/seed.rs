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
    pub(crate) fn shuffle(&self, deal: &Deal) -> ([Card; Card::COUNT], u8) {
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
