//! What shows that Houseway can be trusted. Each module tries one row of the scorecard, or a few, and
//! says what it [came to](outcome::Outcome); `docs/trust.md` has the commands and the figures.

pub mod disk;
pub mod outcome;
