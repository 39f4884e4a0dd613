//! What a room posts at a table: limits, fees, caps, time to decide.

use std::fmt;
use std::sync::Arc;

use houseway_rules::Cents;
use houseway_rules::rulebook::{Collection, Dealing, Device, Limits, Rulebook, Schedule, Wager};
use serde::{Deserialize, Serialize};

use crate::place::Places;
use crate::stake::MOST;

/// A table as it is opened: a rulebook and what the document leaves to the room.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The rulebook.
    pub rulebook: Arc<Rulebook>,
    /// What the room posts.
    pub posted: Posted,
}

/// What the room posts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Posted {
    /// With what cards are dealt.
    pub device: Device,
    /// The least and the most of a standard wager.
    pub standard: Range,
    /// The least and the most of a Fortune Bonus wager.
    pub fortune: Range,
    /// The least and the most of a Tiger 9 wager, where there is one.
    #[serde(default)]
    pub tiger_nine: Option<Range>,
    /// What a Designated Player pays before the cards are dealt.
    #[serde(default)]
    pub rake: Cents,
    /// Which collection schedule is used.
    #[serde(default)]
    pub schedule: Option<u8>,
    /// What all bonus wagers of a round are paid together at most, where the room posts it.
    #[serde(default)]
    pub bonus_cap: Option<Cents>,
    /// How long people have, in milliseconds.
    #[serde(default)]
    pub time: Time,
}

/// A wager's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Range {
    /// The least.
    pub minimum: Cents,
    /// The most.
    pub maximum: Cents,
}

/// How long people have, in milliseconds; nothing is as long as they like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Time {
    /// To take or decline the bank.
    #[serde(default)]
    pub banking: Option<u64>,
    /// To place wagers.
    #[serde(default)]
    pub betting: Option<u64>,
    /// To set a hand.
    #[serde(default)]
    pub setting: Option<u64>,
    /// To concede one.
    #[serde(default)]
    pub conceding: Option<u64>,
}

impl Time {
    /// The longest that can be posted, in milliseconds. Deadlines stay far from the end of all numbers.
    pub const LONGEST: u64 = 7 * 24 * 60 * 60_000;

    const fn each(&self) -> [Option<u64>; 4] {
        [self.banking, self.betting, self.setting, self.conceding]
    }

    /// These times, and another's where nothing is said.
    #[must_use]
    pub fn or(self, other: Time) -> Time {
        Time {
            banking: self.banking.or(other.banking),
            betting: self.betting.or(other.betting),
            setting: self.setting.or(other.setting),
            conceding: self.conceding.or(other.conceding),
        }
    }

    /// Whether there is something for which people have longer than this, or as long as they like.
    pub fn is_longer_than(&self, most: u64) -> bool {
        self.each().into_iter().any(|time| time.is_none_or(|time| time > most))
    }
}

/// Why a table cannot be opened like that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// What is wrong.
    pub field: &'static str,
    /// Why, and what would be right.
    pub why: String,
    /// The clause that says so, where one does.
    pub clause: Option<String>,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.why)?;
        match &self.clause {
            Some(clause) => write!(f, " ({clause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SetupError {}

impl Posted {
    /// What a small room would post under a rulebook: the first device, modest limits, and the
    /// first collection schedule where there are some.
    pub fn usual(rulebook: &Rulebook) -> Posted {
        let dollars = Cents::dollars;
        let range = |wager: Wager, minimum: u32, maximum: u32| {
            let limits = rulebook.limits(wager)?;
            let clamp = |amount: Cents, bounds: &houseway_rules::rulebook::Bounds| {
                let at_least = bounds.lowest.map_or(amount, |lowest| amount.max(lowest));
                bounds.highest.map_or(at_least, |highest| at_least.min(highest))
            };
            Some(Range {
                minimum: clamp(dollars(minimum), &limits.minimum),
                maximum: clamp(dollars(maximum), &limits.maximum),
            })
        };
        Posted {
            device: rulebook.dealing.first().map_or(Device::Machine, |dealing| dealing.device),
            standard: range(Wager::Standard, 10, 1_000).unwrap_or(Range::NONE),
            fortune: range(Wager::Fortune, 1, 100).unwrap_or(Range::NONE),
            tiger_nine: range(Wager::TigerNine, 1, 100),
            rake: match rulebook.collection {
                Some(Collection::Rake { .. }) => dollars(1),
                _ => Cents::ZERO,
            },
            schedule: match &rulebook.collection {
                Some(Collection::Schedules { schedules, .. }) => {
                    schedules.first().map(|schedule| schedule.option)
                }
                _ => None,
            },
            bonus_cap: None,
            time: Time::default(),
        }
    }
}

impl Range {
    /// Nothing can be wagered.
    const NONE: Range = Range { minimum: Cents::ZERO, maximum: Cents::ZERO };
}

impl Setup {
    /// A table under a rulebook, if what is posted is what the rulebook allows.
    pub fn new(rulebook: Arc<Rulebook>, posted: Posted) -> Result<Setup, SetupError> {
        let setup = Setup { rulebook, posted };
        setup.check()?;
        Ok(setup)
    }

    /// The way cards are dealt.
    pub fn dealing(&self) -> &Dealing {
        let all = &self.rulebook.dealing;
        let wanted = all.iter().find(|dealing| dealing.device == self.posted.device);
        wanted.expect("checked when the table was opened")
    }

    /// The highest number that is drawn before the deal; once round the table where the document
    /// names none.
    pub fn highest_number(&self) -> u8 {
        let button = self.rulebook.action_button.as_ref();
        button.map_or(Places::of(&self.rulebook).spots, |button| button.highest)
    }

    /// The collection schedule, where the rulebook has some.
    pub fn schedule(&self) -> Option<(&Schedule, &str)> {
        let Some(Collection::Schedules { schedules, cite }) = &self.rulebook.collection else {
            return None;
        };
        let wanted = schedules.iter().find(|it| Some(it.option) == self.posted.schedule);
        wanted.map(|schedule| (schedule, &**cite))
    }

    /// The limits of a wager, if it can be placed at all.
    pub fn range(&self, wager: Wager) -> Option<(Range, &Limits)> {
        let limits = self.rulebook.limits(wager)?;
        let range = match wager {
            Wager::Standard => self.posted.standard,
            Wager::Fortune => self.posted.fortune,
            Wager::TigerNine => self.posted.tiger_nine?,
        };
        Some((range, limits))
    }

    fn check(&self) -> Result<(), SetupError> {
        let Setup { rulebook, posted } = self;
        let error = |field, why: String, clause: Option<&str>| {
            Err(SetupError { field, why, clause: clause.map(str::to_string) })
        };
        if !rulebook.dealing.iter().any(|dealing| dealing.device == posted.device) {
            return error("device", "the document has no such dealing device".into(), None);
        }
        let wagers = [
            ("standard", Wager::Standard, Some(posted.standard)),
            ("fortune", Wager::Fortune, Some(posted.fortune)),
            ("tiger-nine", Wager::TigerNine, posted.tiger_nine),
        ];
        for (field, wager, range) in wagers {
            let (limits, range) = match (rulebook.limits(wager), range) {
                (Some(limits), Some(range)) => (limits, range),
                (None, Some(_)) if wager == Wager::TigerNine => {
                    return error(field, "the rulebook has no such bet".into(), None);
                }
                _ => continue,
            };
            let cite = Some(&*limits.cite);
            if range.maximum > MOST {
                let why = format!("a maximum of {} is more than {MOST}", range.maximum);
                return error(field, why, None);
            }
            if range.minimum > range.maximum || range.minimum == Cents::ZERO {
                let why = format!("limits of {} to {} are no range", range.minimum, range.maximum);
                return error(field, why, cite);
            }
            for (name, amount, bounds) in [
                ("minimum", range.minimum, &limits.minimum),
                ("maximum", range.maximum, &limits.maximum),
            ] {
                let low = bounds.lowest.is_some_and(|lowest| amount < lowest);
                let high = bounds.highest.is_some_and(|highest| amount > highest);
                if low || high {
                    let why = format!("a {name} of {amount} is not what the document allows");
                    return error(field, why, cite);
                }
                if amount.get() % limits.step.get() != 0 {
                    let why = format!("a {name} of {amount} is not in steps of {}", limits.step);
                    return error(field, why, cite);
                }
            }
        }
        if posted.time.each().into_iter().flatten().any(|time| time > Time::LONGEST) {
            let why = format!(
                "a time is {} milliseconds at most, a week: leave it out where no clock runs",
                Time::LONGEST
            );
            return error("time", why, None);
        }
        if posted.rake > MOST {
            return error("rake", format!("{} is more than {MOST}", posted.rake), None);
        }
        if posted.bonus_cap.is_some() && rulebook.fortune.cap.is_none() {
            return error("bonus-cap", "the rulebook caps no bonus: leave it out".into(), None);
        }
        let schedules = matches!(rulebook.collection, Some(Collection::Schedules { .. }));
        if posted.schedule.is_some() && !schedules {
            return error("schedule", "the rulebook has no schedules: leave it out".into(), None);
        }
        let rake = matches!(rulebook.collection, Some(Collection::Rake { .. }));
        if posted.rake > Cents::ZERO && !rake {
            return error("rake", "the rulebook takes no rake: leave it out".into(), None);
        }
        match &rulebook.collection {
            Some(Collection::Schedules { schedules, cite }) if self.schedule().is_none() => {
                let why = format!("one of the {} schedules must be posted", schedules.len());
                error("schedule", why, Some(cite))
            }
            Some(Collection::Rake { .. }) if posted.rake.get() % 100 != 0 => {
                error("rake", "a rake is whole dollars".into(), Some("R6"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::houses;

    fn open(rulebook: &Rulebook, change: impl FnOnce(&mut Posted)) -> Result<Setup, SetupError> {
        let mut posted = Posted::usual(rulebook);
        change(&mut posted);
        Setup::new(Arc::new(rulebook.clone()), posted)
    }

    #[test]
    fn every_house_opens_with_what_is_usual() {
        for rulebook in houses::HOUSES {
            open(rulebook, |_| {}).unwrap_or_else(|error| panic!("{}: {error}", rulebook.id));
        }
    }

    #[test]
    fn what_the_document_does_not_allow_is_refused() {
        let dollars = Cents::dollars;
        let range =
            |minimum, maximum| Range { minimum: dollars(minimum), maximum: dollars(maximum) };
        let told = |rulebook, change: &dyn Fn(&mut Posted)| {
            open(rulebook, |posted| change(posted)).expect_err("refused").to_string()
        };
        let free = &houses::COMMISSION_FREE;
        let too_low = told(free, &|posted| posted.standard = range(10, 50));
        assert_eq!(too_low, "standard: a maximum of $50 is not what the document allows (F1)");
        let none = told(free, &|posted| posted.schedule = Some(29));
        assert_eq!(none, "schedule: one of the 28 schedules must be posted (F13)");
        let catfish = &houses::CATFISH_BEND;
        let fortune = told(catfish, &|posted| posted.fortune = range(1, 50));
        assert_eq!(fortune, "fortune: a maximum of $50 is not what the document allows (B1)");
        let steps = told(catfish, &|posted| posted.standard = range(7, 100));
        assert_eq!(steps, "standard: a minimum of $7 is not in steps of $5 (B1)");
        let manual = told(catfish, &|posted| posted.device = Device::Manual);
        assert_eq!(manual, "device: the document has no such dealing device");
        let mbs = &houses::MBS_2016;
        let tiger = told(mbs, &|posted| posted.tiger_nine = Some(range(1, 5)));
        assert_eq!(tiger, "tiger-nine: the rulebook has no such bet");
        let rake = told(mbs, &|posted| posted.rake = dollars(1));
        assert_eq!(rake, "rake: the rulebook takes no rake: leave it out");
        let week = Time::LONGEST;
        assert!(open(mbs, |posted| posted.time.setting = Some(week)).is_ok());
        let times: [fn(&mut Posted, u64); 4] = [
            |posted, time| posted.time.banking = Some(time),
            |posted, time| posted.time.betting = Some(time),
            |posted, time| posted.time.setting = Some(time),
            |posted, time| posted.time.conceding = Some(time),
        ];
        for time in times {
            for long in [week + 1, u64::MAX] {
                let too_long = told(mbs, &|posted| time(posted, long));
                assert_eq!(
                    too_long,
                    "time: a time is 604800000 milliseconds at most, a week: leave it out where no clock runs"
                );
            }
        }
        let no_range = told(mbs, &|posted| posted.standard = range(20, 10));
        assert_eq!(no_range, "standard: limits of $20 to $10 are no range (3.4)");
    }
}
