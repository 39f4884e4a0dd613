//! Exact odds of Fortune Pai Gow Poker: nothing is sampled that can be counted.

mod advice;
mod bankers;
mod dominance;
pub mod game;
mod pairs;
mod ranks;

pub use advice::{Advised, Advisor, BANKER_HANDS};
