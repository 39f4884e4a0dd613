//! rules
#![no_std]
extern crate alloc;
mod card;
mod cards;
mod money;
mod ranking;
pub mod sweep;
pub use card::{Card, ParseCardError, Rank, Suit};
pub use cards::{CardSet, ParseCardsError, words};
pub use money::Cents;
pub use ranking::{Category, HandKey, LowStrength, PerHand, Ranking, Strength, Wheel};
