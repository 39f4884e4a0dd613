//! Shuffles that can be checked, and seals for what may not lie open.
//!
//! ```text
//!  32 fresh bytes ──► Seed ──► Shuffle ──► commitment          published before the first wager
//!                                 │
//!        players' words ──► Cut ──┤                            until "no more bets"
//!                                 ▼
//!                              CutDeck ──► Proof ──► verify    the cards that the rules expose
//!                                                              an auditor: the seed, and so all
//! ```
//!
//! The crate is pure: it reads nothing, knows no clock and draws no chance. Seeds and nonces come in
//! from outside. The format is written down to the byte in `docs/fairness.md`; `examples/verify.py`
//! is a verifier that shares nothing with this one.
//!
//! ```
//! use houseway_fair::{Deal, Exposed, Place, Seed, Shuffle, Words, verify};
//!
//! let deal = Deal { table: "lantern".into(), round: 7, highest: 7.try_into()? };
//! let shuffle = Shuffle::new(Seed::new([7; 32]), deal); // the bytes: from the operating system
//! let published = shuffle.commitment();
//!
//! let mut words = Words::default();
//! words.say(3, "blow on the dice")?;
//! let deck = shuffle.cut(words);
//!
//! let first = Place::try_from(0)?;
//! let proof = deck.prove(&Exposed { places: [first].into(), number: true });
//! let proved = verify(&proof)?;
//! assert_eq!(proof.commitment, published);
//! assert_eq!(proved.cards[&first], deck.cards()[0]);
//! assert_eq!(proved.number, Some(deck.number()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod draw;
mod hash;
mod proof;
mod seal;
mod seed;
mod shuffle;
mod tree;
mod words;

#[cfg(test)]
mod document;
#[cfg(test)]
mod statistics;

pub use bytes::{Bytes32, NotBytes};
pub use proof::{
    Disclosed, Evidence, Fault, Form, NumberOpening, Opened, Opening, Proof, Proved, Unreadable,
    verify,
};
pub use seal::{Keyring, NoKeyring, NotASeal, Sealed, Slot, Unopened};
pub use seed::Seed;
pub use shuffle::{CutDeck, Deal, Exposed, NoSuchPlace, Place, Shuffle};
pub use words::{Cut, NotWords, Said, Words};
