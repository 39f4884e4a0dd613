//! What takes two. Whoever may do everything at the tables, or everything in the house, is made so by
//! two operators: one proposes it, and another asks for the very same within a day (ASVS 2.3.5).
//!
//! Proposals have a log of their own. It is short, so what is open is found by reading all of it, and
//! two operators at two nodes cannot both be the first.

use std::collections::BTreeMap;

use houseway_rules::rulebook::Role;
use houseway_store::{AppendError, Entry, Failure, NewEntry, StreamId, Version};
use houseway_table::Person;
use serde::{Deserialize, Serialize};

use super::record::{Alteration, By};
use super::standing::Standing;
use super::{DAY, People, TRIES};

/// How long a proposal waits for a second operator.
pub const APPROVAL_WITHIN: u64 = DAY;

/// The lowest standing that one operator alone cannot give.
const TAKES_TWO: Standing = Standing::Table(Role::GamingShiftManager);

/// How many entries are read at once.
const PAGE: u32 = 500;

/// An entry of the stream `approvals`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Step {
    /// The first operator asks for it.
    Proposed(Alteration<Standing>),
    /// The second one does. That it was done is in the log of the house.
    Agreed(Alteration<Standing>),
    /// Someone's standing is decided otherwise: whatever was proposed is off.
    Closed {
        /// Whose.
        person: Person,
        /// By whom.
        by: By,
    },
}

impl Step {
    fn entry(&self) -> NewEntry {
        let kind = match self {
            Step::Proposed(_) => "proposed",
            Step::Agreed(_) => "agreed",
            Step::Closed { .. } => "closed",
        };
        let body = serde_json::to_string(self).expect("a step is plain data");
        NewEntry { kind: kind.to_owned(), body, moves: vec![] }
    }

    fn read(entry: &Entry) -> Result<Step, Failure> {
        serde_json::from_str(&entry.body).map_err(|error| {
            Failure::Corrupt(format!("{} {}: {error}", entry.stream, entry.version))
        })
    }
}

/// Something that waits for a second operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What is proposed, by whom and why.
    pub change: Alteration<Standing>,
    /// Until when.
    pub until: u64,
}

fn stream() -> StreamId {
    "approvals".parse().expect("it is a name")
}

/// Whether one operator alone cannot do it.
fn takes_two(change: &Alteration<Standing>) -> bool {
    // Whoever holds the machine needs nobody's leave; and nobody waits to take power away.
    change.by != By::CommandLine && change.after > change.before && change.after >= TAKES_TWO
}

impl People {
    /// What waits for a second operator, by the person it is about.
    pub async fn proposals(&self) -> Result<BTreeMap<Person, Proposal>, Failure> {
        let (_, mut all) = self.proposed().await?;
        for proposal in std::mem::take(&mut all).into_values() {
            let person = proposal.change.person;
            let user = self.store.user(person).await?;
            let is_as_it_was = user.is_some_and(|it| it.role == proposal.change.before.word());
            if is_as_it_was && self.still_counts(&proposal).await? {
                all.insert(person, proposal);
            }
        }
        Ok(all)
    }

    /// Sees to it that a change has as many hands as it takes: nothing if it may be done now, or until
    /// when it waits for another operator.
    pub(super) async fn approve(
        &self,
        change: &Alteration<Standing>,
    ) -> Result<Option<u64>, Failure> {
        for _ in 0..TRIES {
            let (version, proposed) = self.proposed().await?;
            let proposal = proposed.get(&change.person);
            let step = match proposal {
                None if !takes_two(change) => return Ok(None),
                Some(_) if !takes_two(change) => {
                    Step::Closed { person: change.person, by: change.by }
                }
                Some(it) if it.is_for(change) && self.still_counts(it).await? => {
                    if it.change.by == change.by {
                        return Ok(Some(it.until));
                    }
                    Step::Agreed(change.clone())
                }
                _ => Step::Proposed(change.clone()),
            };
            let now = self.clock.now();
            match self.append(&stream(), version, now, step.entry()).await {
                Ok(()) => {
                    let waits = matches!(step, Step::Proposed(_));
                    return Ok(waits.then_some(now + APPROVAL_WITHIN));
                }
                Err(AppendError::Conflict { .. }) => {}
                Err(AppendError::Failed(failure)) => return Err(failure),
                Err(other) => return Err(Failure::Corrupt(other.to_string())),
            }
        }
        Err(Failure::Busy)
    }

    /// Whether a proposal is young enough, and whoever made it still an operator.
    async fn still_counts(&self, proposal: &Proposal) -> Result<bool, Failure> {
        Ok(self.clock.now() < proposal.until && self.is_operator(proposal.change.by).await?)
    }

    /// The last proposal about each person that was not closed, and where the log stands.
    async fn proposed(&self) -> Result<(Version, BTreeMap<Person, Proposal>), Failure> {
        let (mut version, mut proposed) = (Version(0), BTreeMap::new());
        loop {
            let page = self.store.read(&stream(), version, PAGE).await?;
            let Some(last) = page.last() else { return Ok((version, proposed)) };
            version = last.version;
            for entry in &page {
                match Step::read(entry)? {
                    Step::Proposed(change) => {
                        let until = entry.at.saturating_add(APPROVAL_WITHIN);
                        proposed.insert(change.person, Proposal { change, until });
                    }
                    // It stays open until it is done: an act that broke off is simply done again.
                    Step::Agreed(_) => {}
                    Step::Closed { person, .. } => drop(proposed.remove(&person)),
                }
            }
        }
    }
}

impl Proposal {
    fn is_for(&self, change: &Alteration<Standing>) -> bool {
        self.change.before == change.before && self.change.after == change.after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stored form: a diff here leaves what was ever written unread.
    #[test]
    fn the_stored_form_stays_what_it_is() {
        let by = By::Person(Person(1));
        let (before, after) = (Standing::PLAYER, Standing::Operator);
        let change = Alteration { person: Person(7), by, why: "w".into(), before, after };
        let text =
            r#""person":7,"by":{"person":1},"why":"w","before":"player","after":"operator"}"#;
        for (step, kind, body) in [
            (Step::Proposed(change.clone()), "proposed", format!(r#"{{"kind":"proposed",{text}"#)),
            (Step::Agreed(change), "agreed", format!(r#"{{"kind":"agreed",{text}"#)),
            (
                Step::Closed { person: Person(7), by },
                "closed",
                r#"{"kind":"closed","person":7,"by":{"person":1}}"#.to_string(),
            ),
        ] {
            let entry = step.entry();
            assert_eq!((entry.kind.as_str(), &entry.body), (kind, &body));
            assert_eq!(serde_json::from_str::<Step>(&body).expect("it is read"), step);
        }
    }
}
