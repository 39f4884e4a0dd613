//! What shows that Houseway can be trusted. Each module tries one row of the scorecard, or a few, and
//! says what it [came to](outcome::Outcome); `docs/trust.md` has the commands and the figures.

#![expect(clippy::cast_precision_loss, reason = "figures are rounded for people anyway")]

pub mod bad_input;
pub mod chain;
pub mod disk;
pub mod hunt;
pub mod ledger;
pub mod outcome;
pub mod proofs;
pub mod shuffles;

mod alterations;
mod guests;
mod kept;
mod seeds;
mod statistics;
