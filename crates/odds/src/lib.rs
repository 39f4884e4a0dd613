//! Exact odds of Fortune Pai Gow Poker.

mod dominance;
pub mod game;
mod pairs;
mod ranks;
