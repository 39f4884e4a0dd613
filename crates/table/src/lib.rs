//! The life of one table: who sits there, what they wager, what is dealt and set, and what it comes
//! to.
//!
//! A [`Command`] is decided into [`Event`]s or refused; events are applied to the [`Table`]. All
//! rules are in [`decide`] and below, none in `apply`: what has happened is never judged again.
//! Chance, time and money come in through commands.

pub mod adjudicate;
mod command;
pub mod deal;
mod decide;
mod event;
pub mod fees;
mod options;
mod place;
mod refusal;
mod replay;
pub mod seen;
pub mod settlement;
mod setup;
mod stake;
mod state;
pub mod view;

#[cfg(feature = "schema")]
pub use command::no_other_fields;
pub use command::{Action, Actor, Call, Command, Repair, Ruling};
pub use decide::{Decided, decide, outcome_established};
pub use event::{Event, How};
pub use options::{Offer, options};
pub use place::{Person, Places, Position};
pub use refusal::{Refusal, Why};
pub use replay::replay;
pub use setup::{Posted, Range, Setup, SetupError, Time};
pub use stake::{Bank, MOST, Share, Stakes};
pub use state::{BankerHand, Betting, Guest, InHand, InPlay, Past, Phase, Rotation, Still, Table};
