//! What comes again, and when: whatever was answered wrong, at growing intervals, until it was right
//! often enough.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::drills::Drill;

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// How long a question rests after it was answered, by how often it has been right since it was
/// wrong. After the last it is known.
const RESTS: [u64; 5] = [0, DAY, 3 * DAY, 7 * DAY, 21 * DAY];

/// How many other questions come before one is asked again in the same sitting.
const BETWEEN: u64 = 3;

/// What is kept between sittings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Progress {
    /// How many questions were asked, ever.
    pub asked: u64,
    /// How they were answered, by drill and rulebook: `house-way/mbs-2020`.
    pub scores: BTreeMap<String, Score>,
    /// What comes again.
    pub again: Vec<Again>,
}

/// How questions were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// How many were asked.
    pub asked: u64,
    /// How many were answered right.
    pub right: u64,
}

/// A question that comes again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// What is drilled.
    pub drill: Drill,
    /// The rulebook's id.
    pub rules: String,
    /// The number the question is made from.
    pub number: u64,
    /// How often it has been right since it was wrong.
    pub right: u8,
    /// Not before this time, in milliseconds since 1970.
    pub due: u64,
    /// Nor before so many questions were asked.
    pub after: u64,
}

impl Progress {
    /// The question that has waited longest among those that are due.
    pub fn due(&self, drills: &[Drill], rules: &[String], now: u64) -> Option<&Again> {
        let ours = |it: &&Again| drills.contains(&it.drill) && rules.contains(&it.rules);
        let due = |it: &&Again| it.due <= now && it.after <= self.asked;
        self.again.iter().filter(ours).filter(due).min_by_key(|it| (it.due, it.after))
    }

    /// Notes how a question was answered.
    pub fn note(&mut self, drill: Drill, rules: &str, number: u64, right: bool, now: u64) {
        self.asked += 1;
        let score = self.scores.entry(format!("{}/{rules}", drill.id())).or_default();
        score.asked += 1;
        score.right += u64::from(right);
        let same = |it: &Again| it.drill == drill && it.rules == rules && it.number == number;
        let known = self.again.iter().position(same);
        match (known, right) {
            (None, true) => {}
            (Some(place), true) => {
                let again = &mut self.again[place];
                again.right += 1;
                match RESTS.get(usize::from(again.right)) {
                    Some(rest) => again.due = now + rest,
                    None => drop(self.again.remove(place)),
                }
            }
            (place, false) => {
                if let Some(place) = place {
                    self.again.remove(place);
                }
                let (rules, after) = (rules.to_string(), self.asked + BETWEEN);
                self.again.push(Again { drill, rules, number, right: 0, due: now, after });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_right_at_once_does_not_come_again() {
        let mut progress = Progress::default();
        progress.note(Drill::Best, "mbs-2020", 1, true, 0);
        assert!(progress.again.is_empty());
        let score = progress.scores["best/mbs-2020"];
        assert_eq!((score.asked, score.right), (1, 1));
    }

    #[test]
    fn what_is_wrong_comes_again_after_others_and_then_at_growing_intervals() {
        let (drills, rules) = ([Drill::HouseWay], ["cardroom".to_string()]);
        let mut progress = Progress::default();
        let mut now = 1_000;
        progress.note(Drill::HouseWay, "cardroom", 7, false, now);
        assert_eq!(progress.due(&drills, &rules, now), None, "others come first");
        for number in 10..13 {
            progress.note(Drill::HouseWay, "cardroom", number, true, now);
        }
        assert_eq!(progress.due(&drills, &rules, now).map(|it| it.number), Some(7));
        assert_eq!(progress.due(&[Drill::Best], &rules, now), None);
        assert_eq!(progress.due(&drills, &["mbs-2020".to_string()], now), None);
        for days in [1, 3, 7, 21] {
            progress.note(Drill::HouseWay, "cardroom", 7, true, now);
            now += days * DAY;
            assert_eq!(progress.due(&drills, &rules, now - 1), None, "after {days} days");
            assert_eq!(progress.due(&drills, &rules, now).map(|it| it.number), Some(7));
        }
        progress.note(Drill::HouseWay, "cardroom", 7, true, now);
        assert!(progress.again.is_empty(), "it is known");
    }

    #[test]
    fn wrong_once_more_begins_anew() {
        let mut progress = Progress::default();
        progress.note(Drill::Payout, "mbs-2016", 2, false, 0);
        progress.note(Drill::Payout, "mbs-2016", 2, true, 0);
        progress.note(Drill::Payout, "mbs-2016", 2, false, 5);
        assert_eq!(progress.again.len(), 1);
        assert_eq!((progress.again[0].right, progress.again[0].due), (0, 5));
    }
}
