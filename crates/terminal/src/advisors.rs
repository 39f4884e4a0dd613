//! Advisors that are made once: each has read a banker's House Way, which takes a moment.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use houseway_odds::{Advisor, Seat};
use houseway_rules::rulebook::Rulebook;

type Advisors = BTreeMap<(&'static str, bool), Arc<Advisor<'static>>>;

static ADVISORS: Mutex<Advisors> = Mutex::new(BTreeMap::new());

/// The advisor of a rulebook, for a player or a banker who sets freely.
pub(crate) fn advisor(rulebook: &'static Rulebook, seat: Seat) -> Arc<Advisor<'static>> {
    let mut advisors = ADVISORS.lock().unwrap_or_else(PoisonError::into_inner);
    let fresh = || Arc::new(Advisor::at(rulebook, seat));
    advisors.entry((&rulebook.id, seat == Seat::Banker)).or_insert_with(fresh).clone()
}
