//! Exact odds of Fortune Pai Gow Poker: nothing is sampled that can be counted.

mod advice;
mod bankers;
pub mod bonus;
mod dominance;
pub mod envy;
pub mod game;
mod optimal;
mod pairs;
mod ranks;

pub use advice::{Advised, Advisor, BANKER_HANDS};
pub use optimal::{GivenAway, Optimal, optimal};
