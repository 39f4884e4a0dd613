//! Exact odds of Fortune Pai Gow Poker: nothing is sampled that can be counted.

mod advice;
pub mod answers;
mod bankers;
pub mod bonus;
mod dominance;
pub mod envy;
pub mod game;
mod pairs;
mod progress;
mod ranks;
pub mod ways;

pub use advice::{Advised, Advisor, BANKER_HANDS};
pub use game::Seat;
pub use progress::Progress;
