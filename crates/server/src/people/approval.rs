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
use super::staff::{StaffError, reason};
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
    /// The second one does, and the proposal is used up. That it was done is in the log of the house.
    Agreed {
        /// The version of what was proposed.
        proposal: u64,
        #[serde(flatten)]
        change: Alteration<Standing>,
    },
    /// Whatever was proposed is off.
    Closed {
        /// About whom.
        person: Person,
        /// By whom.
        by: By,
        /// Why, in their words.
        why: String,
    },
}

impl Step {
    fn entry(&self) -> NewEntry {
        let kind = match self {
            Step::Proposed(_) => "proposed",
            Step::Agreed { .. } => "agreed",
            Step::Closed { .. } => "closed",
        };
        let body = serde_json::to_string(self).expect("a step is plain data");
        NewEntry { kind: kind.to_owned(), body, moves: vec![] }
    }

    fn read(entry: &Entry) -> Result<Step, Failure> {
        let wrong =
            |error| Failure::Corrupt(format!("{} {}: {error}", entry.stream, entry.version));
        serde_json::from_str(&entry.body).map_err(wrong)
    }
}

/// Something that waits for a second operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Its number, by which it is agreed to.
    pub number: u64,
    /// What is proposed, by whom and why.
    pub change: Alteration<Standing>,
    /// Until when.
    pub until: u64,
}

impl Proposal {
    fn is_for(&self, change: &Alteration<Standing>) -> bool {
        self.change.before == change.before && self.change.after == change.after
    }
}

fn stream() -> StreamId {
    "approvals".parse().expect("it is a name")
}

/// Whether one operator alone cannot give someone a standing.
pub(super) fn takes_two(by: By, standing: Standing) -> bool {
    // Whoever holds the machine needs nobody's leave.
    by != By::CommandLine && standing >= TAKES_TWO
}

impl People {
    /// What waits for a second operator, the oldest first.
    pub async fn proposals(&self) -> Result<Vec<Proposal>, Failure> {
        let (_, proposed) = self.proposed().await?;
        let mut open = vec![];
        for proposal in proposed.into_values() {
            let user = self.store.user(proposal.change.person).await?;
            let is_as_it_was = user.is_some_and(|it| it.role == proposal.change.before.word());
            if is_as_it_was && self.still_counts(&proposal).await? {
                open.push(proposal);
            }
        }
        open.sort_by_key(|it| it.number);
        Ok(open)
    }

    /// Sees to it that a change has as many hands as it takes: nothing if it may be done now, or until
    /// when it waits for another operator. Whoever agrees to a proposal by its number agrees to that
    /// one alone.
    pub(super) async fn approve(
        &self,
        change: &Alteration<Standing>,
        agrees_to: Option<u64>,
    ) -> Result<Option<u64>, StaffError> {
        // Nobody waits to take power away.
        let takes_two = takes_two(change.by, change.after) && change.after > change.before;
        for _ in 0..TRIES {
            let (version, mut proposed) = self.proposed().await?;
            let earlier = proposed.remove(&change.person);
            let open = match &earlier {
                Some(it) if takes_two && it.is_for(change) => self.still_counts(it).await?,
                _ => false,
            };
            let open = earlier.as_ref().filter(|_| open);
            let from_another = open.filter(|it| it.change.by != change.by);
            if agrees_to.is_some() && agrees_to != from_another.map(|it| it.number) {
                return Err(StaffError::NotProposed);
            }
            let step = match (from_another, open, &earlier) {
                (Some(other), ..) => {
                    Step::Agreed { proposal: other.number, change: change.clone() }
                }
                (None, Some(own), _) => return Ok(Some(own.until)),
                (None, None, _) if takes_two => Step::Proposed(change.clone()),
                (None, None, Some(_)) => closed(change.person, change.by, &change.why),
                (None, None, None) => return Ok(None),
            };
            if let Some(at) = self.enter_approvals(version, &step).await? {
                let waits = matches!(step, Step::Proposed(_));
                return Ok(waits.then_some(at + APPROVAL_WITHIN));
            }
        }
        Err(Failure::Busy.into())
    }

    /// Refuses what was proposed about someone.
    pub async fn decline(&self, by: By, person: Person, why: &str) -> Result<(), StaffError> {
        let why = reason(why)?;
        self.may_administer(by).await?;
        self.known(person).await?;
        match self.close(by, &why, |it| it.person == person).await? {
            0 => Err(StaffError::NotProposed),
            _ => Ok(()),
        }
    }

    /// What someone has proposed is off: they are no operator any more, or not the one they were.
    pub(super) async fn close_proposals_by(
        &self,
        person: Person,
        by: By,
        why: &str,
    ) -> Result<(), Failure> {
        self.close(by, why, |it| it.by == By::Person(person)).await.map(drop)
    }

    /// Closes proposals, and says how many.
    async fn close(
        &self,
        by: By,
        why: &str,
        which: impl Fn(&Alteration<Standing>) -> bool,
    ) -> Result<usize, Failure> {
        let mut count = 0;
        for _ in 0..TRIES {
            let (mut version, proposed) = self.proposed().await?;
            let mut all = proposed.into_values().filter(|it| which(&it.change));
            loop {
                let Some(proposal) = all.next() else { return Ok(count) };
                let step = closed(proposal.change.person, by, why);
                if self.enter_approvals(version, &step).await?.is_none() {
                    break;
                }
                (version, count) = (Version(version.0 + 1), count + 1);
            }
        }
        Err(Failure::Busy)
    }

    /// Appends a step and says when that was; nothing if somebody was faster.
    async fn enter_approvals(
        &self,
        expected: Version,
        step: &Step,
    ) -> Result<Option<u64>, Failure> {
        let now = self.clock.now();
        match self.append(&stream(), expected, now, step.entry()).await {
            Ok(()) => Ok(Some(now)),
            Err(AppendError::Conflict { .. }) => Ok(None),
            Err(AppendError::Failed(failure)) => Err(failure),
            Err(other) => Err(Failure::Corrupt(other.to_string())),
        }
    }

    /// Whether a proposal is young enough, and whoever made it an operator.
    async fn still_counts(&self, proposal: &Proposal) -> Result<bool, Failure> {
        Ok(self.clock.now() < proposal.until && self.is_operator(proposal.change.by).await?)
    }

    /// The last proposal about each person that was neither agreed to nor closed, and where the log
    /// stands.
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
                        let proposal = Proposal { number: entry.version.0, change, until };
                        proposed.insert(proposal.change.person, proposal);
                    }
                    Step::Agreed { change: Alteration { person, .. }, .. }
                    | Step::Closed { person, .. } => drop(proposed.remove(&person)),
                }
            }
        }
    }
}

fn closed(person: Person, by: By, why: &str) -> Step {
    Step::Closed { person, by, why: why.to_owned() }
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
            (
                Step::Agreed { proposal: 3, change },
                "agreed",
                format!(r#"{{"kind":"agreed","proposal":3,{text}"#),
            ),
            (
                closed(Person(7), by, "no"),
                "closed",
                r#"{"kind":"closed","person":7,"by":{"person":1},"why":"no"}"#.to_string(),
            ),
        ] {
            let entry = step.entry();
            assert_eq!((entry.kind.as_str(), &entry.body), (kind, &body));
            assert_eq!(serde_json::from_str::<Step>(&body).expect("it is read"), step);
        }
    }
}
