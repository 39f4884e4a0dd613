//! The table in the terminal, and drills for dealers.
//!
//! ```text
//!  keys, mouse ──►  play: state, and what it wants of the house ──► link ──► door ──► a house:
//!       ▲             │                     ▲                        │         inside this program,
//!    screen ◄── draw (a pure function)      └── heard ◄──────────────┘         or a server
//!
//!  train: drills (questions with answers) ──► schedule (what comes again, when) ──► its own screen
//! ```
//!
//! Screens know views and offers, and no rules: what can be done is what the house offers, and the
//! house may be inside this program or far away; both speak the same protocol.

mod advisors;
mod door;
mod heard;
pub mod kept;
mod link;
mod look;
pub mod play;
mod screen;
pub mod train;
mod words;

pub use look::Look;
pub use screen::{Screen, needs_terminal};
