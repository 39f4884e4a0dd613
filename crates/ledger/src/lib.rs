//! Money that moved: one function from what has happened to transfers, each with both of its ends.
//!
//! There is no such thing as half a transfer, so the books balance by construction. Nothing else
//! moves money.

mod book;
mod transfer;

pub use book::{Book, Overdrawn};
pub use transfer::{Account, Reason, Transfer, transfers};
