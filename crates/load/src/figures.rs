//! What came out, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

/// What the disk and a plain database did in the same run.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Floor {
    /// 4 KiB written and synced, one after the other, a second.
    pub(crate) fdatasyncs_per_second: f64,
    /// Rows inserted into SQLite, one after the other, a second.
    pub(crate) sqlite_inserts_per_second: f64,
}

/// Tables that were played at.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Played {
    /// Tables.
    pub(crate) tables: u32,
    /// Players at each.
    pub(crate) players: u8,
    /// How long it was measured, in seconds.
    pub(crate) seconds: f64,
    /// Rounds that were settled.
    pub(crate) rounds: u64,
    /// Rounds a second.
    pub(crate) rounds_per_second: f64,
    /// Commands that were answered.
    pub(crate) commands: u64,
    /// Of these, refused.
    pub(crate) refused: u64,
    /// Hands that the house set because their players were late.
    pub(crate) late: u64,
    /// Of all, sent again because the house was too busy.
    pub(crate) again: u64,
    /// Beside them, unanswered for more than 5 s at any time, or at all when play ended.
    pub(crate) unanswered: u64,
    /// The longest that anyone waited, for an answer or in vain, in seconds.
    pub(crate) longest_wait: f64,
    /// Commands a second.
    pub(crate) commands_per_second: f64,
    /// Views that were sent, a command.
    pub(crate) views_per_command: f64,
    /// From a command to its durable answer, in milliseconds, as clients wait.
    pub(crate) milliseconds: Waited,
    /// The server's CPU for each command, in microseconds, views and all.
    pub(crate) server_cpu_per_command: Option<f64>,
    /// The server's CPU in whole cores.
    pub(crate) server_cores: Option<f64>,
    /// The server's memory afterwards, in bytes.
    pub(crate) server_memory: Option<u64>,
}

/// What players were acknowledged, held against the store after the house was closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Held {
    /// How many answers players heard, from when they came to when they went.
    pub(crate) acknowledged: u64,
    /// Of these, looked up: all, or so many of each player, any as likely as any other.
    pub(crate) compared: u64,
    /// Of these, not in the store.
    pub(crate) lost: u64,
    /// Of these, kept with another answer, at another table or version, or acknowledged twice.
    pub(crate) wrong: u64,
    /// Faults that the house found in itself (`houseway verify house`).
    pub(crate) faults: u64,
    /// Whether it found none.
    pub(crate) verified: bool,
}

/// More at once than the house could take.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Overloaded {
    /// Tables that were asked.
    pub(crate) tables: u32,
    /// Sockets that asked, each eight things at once.
    pub(crate) sockets: u32,
    /// How long, in seconds.
    pub(crate) seconds: f64,
    /// Commands, each counted once.
    pub(crate) asked: u64,
    /// Of these, answered.
    pub(crate) answered: u64,
    /// Of these, refused.
    pub(crate) refused: u64,
    /// How often it was said that the house is too busy and may be asked again.
    pub(crate) shed: u64,
    /// Commands that got no answer in 20 s after nothing new was asked.
    pub(crate) unanswered: u64,
    /// How often the house was too busy a second later, for one command at a time.
    pub(crate) after_shed: u64,
    /// How long answers took meanwhile, with all asking again.
    pub(crate) milliseconds: Waited,
    /// How long answers took a second later, one command after the other.
    pub(crate) after: Waited,
    /// What was acknowledged, held against the store.
    #[serde(flatten)]
    pub(crate) held: Option<Held>,
}

/// What changed from the second tenth of the time to the last.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Grown {
    /// How long it was measured.
    pub(crate) minutes: f64,
    /// The server's memory.
    pub(crate) memory_percent: f64,
    /// Its open files and sockets: how many more or fewer.
    pub(crate) descriptors: usize,
    /// How long answers took, 99 in a hundred of them.
    pub(crate) p99_percent: f64,
    /// The largest that SQLite's write-ahead log ever was.
    pub(crate) wal_megabytes: f64,
}

/// Players while the house was attacked.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Attacked {
    /// How many attacked, or how often: what got an answer, where one is waited for.
    pub(crate) count: u64,
    /// How often a second, where that says something.
    pub(crate) per_second: f64,
    /// How long players at tables waited for answers meanwhile, 99 in a hundred, in milliseconds.
    pub(crate) p99: f64,
    /// And how long they may have: twice as long as before, or as long as they may under load.
    pub(crate) p99_asked: f64,
    /// Commands of players that were refused meanwhile.
    pub(crate) refused: u64,
    /// Commands of players that were sent again, because the house was too busy.
    pub(crate) again: u64,
    /// Commands of players that were unanswered for more than 5 s meanwhile.
    pub(crate) unanswered: u64,
    /// The longest that a player waited, for an answer or in vain, in seconds.
    pub(crate) longest_wait: f64,
    /// What else was counted.
    #[serde(flatten)]
    pub(crate) more: BTreeMap<&'static str, Value>,
}

/// Names and passwords that were tried.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct LoggedIn {
    /// Tries, half of them under names that exist.
    pub(crate) tries: u64,
    /// How far apart the times of both halves lie, in standard errors (Welch).
    pub(crate) welch_t: f64,
    /// The median of each, in milliseconds.
    pub(crate) known: f64,
    pub(crate) unknown: f64,
    /// After how many failures a name is locked.
    pub(crate) locked_after: u64,
}

/// A store that was filled without sockets.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Filled {
    /// Rounds.
    pub(crate) rounds: u64,
    /// Tables they were played at.
    pub(crate) tables: usize,
    /// How long that took.
    pub(crate) seconds: f64,
    /// Rounds a second.
    pub(crate) rounds_per_second: f64,
    /// The size of the store afterwards.
    pub(crate) megabytes: f64,
}

/// Rounds that were told again, and a backup that was restored.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Recalled {
    /// Rounds in the store.
    pub(crate) rounds: u64,
    /// Rounds that were asked for.
    pub(crate) recalls: u64,
    /// Of these, not told with everything that belongs to a round.
    pub(crate) not_whole: u64,
    /// Of these, paid otherwise than the rules say: settled again from cards, settings and wagers.
    pub(crate) unequal: u64,
    pub(crate) milliseconds: Waited,
    /// How long the operator's report over all of them took, by day.
    pub(crate) report_seconds: f64,
    /// How long the backup took while tables played, and its size.
    pub(crate) backup_seconds: f64,
    pub(crate) backup_megabytes: f64,
    /// How long it took to restore and verify it.
    pub(crate) restore_seconds: f64,
    /// Faults in what was restored, entries missing that were there before the backup among them.
    pub(crate) lost: u64,
}

/// Sockets that were open and quiet.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Idled {
    /// How many.
    pub(crate) sockets: u32,
    /// The server's memory for each that does nothing at all, in bytes.
    pub(crate) memory_per_socket: u64,
    /// And for each once it watches a table, six to a table.
    pub(crate) memory_per_watching_socket: u64,
    /// The server's CPU for all of them, in whole cores.
    pub(crate) server_cores: f64,
}

/// How long something took.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Waited {
    pub(crate) p50: f64,
    pub(crate) p90: f64,
    pub(crate) p99: f64,
    pub(crate) longest: f64,
}

impl Waited {
    /// From times in microseconds.
    pub(crate) fn of(mut times: Vec<u32>) -> Waited {
        times.sort_unstable();
        let at = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100).saturating_sub(1);
            times.get(rank).map_or(0.0, |&it| f64::from(it) / 1_000.0)
        };
        Waited { p50: at(50), p90: at(90), p99: at(99), longest: at(100) }
    }
}

/// Everything of a run.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Figures {
    pub(crate) floor: Option<Floor>,
    /// How long answers may take under load: 100 ms, or ten syncs of this disk.
    pub(crate) asked_milliseconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) played: Option<Played>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) held: Option<Held>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) overloaded: Option<Overloaded>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) grown: Option<Grown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idled: Option<Idled>,
    /// How long players waited before the house was attacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quiet: Option<Waited>,
    /// Commands of players that were not answered when all attacks were over, after 5 s of waiting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unanswered_at_the_end: Option<u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attacks: BTreeMap<&'static str, Attacked>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) login: Option<LoggedIn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) filled: Option<Filled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recalled: Option<Recalled>,
}

impl Figures {
    /// With what the disk does.
    pub(crate) fn beside(floor: Floor) -> Figures {
        let asked_milliseconds = (10.0 * 1_000.0 / floor.fdatasyncs_per_second).max(100.0);
        Figures { floor: Some(floor), asked_milliseconds, ..Figures::default() }
    }

    /// As a table for people: a line a figure.
    pub(crate) fn table(&self) -> String {
        let mut text = String::new();
        let all = serde_json::to_value(self).expect("figures are JSON");
        lines(&mut text, "", &all);
        text
    }
}

/// A figure and those in it, named by where they are.
fn lines(text: &mut String, name: &str, value: &Value) {
    let told = match value {
        Value::Object(inner) => {
            for (part, value) in inner {
                let name = format!("{name} {}", part.replace('-', " "));
                lines(text, name.trim_start(), value);
            }
            return;
        }
        Value::Null => return,
        Value::Number(number) if number.is_f64() => {
            format!("{:.2}", number.as_f64().unwrap_or_default())
        }
        other => other.to_string(),
    };
    writeln!(text, "  {name:<52} {told:>12}").expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_named_by_where_they_are() {
        let floor = Floor { fdatasyncs_per_second: 50.0, sqlite_inserts_per_second: 7.0 };
        let figures = Figures::beside(floor);
        assert!((figures.asked_milliseconds - 200.0).abs() < 1e-9, "ten syncs of a slow disk");
        let table = figures.table();
        assert!(table.contains("  floor fdatasyncs per second "), "{table}");
        assert!(table.lines().all(|line| line.len() == 67), "{table}");
        assert!(!table.contains("idled"), "{table}");
    }

    #[test]
    fn so_many_in_a_hundred_waited_no_longer() {
        let waited = Waited::of((1..=100).rev().map(|it| it * 1_000).collect());
        assert_eq!((waited.p50, waited.p90, waited.p99), (50.0, 90.0, 99.0));
        assert!((waited.longest - 100.0).abs() < f64::EPSILON);
        assert!(Waited::of(vec![]).p99.abs() < f64::EPSILON);
        assert!((Waited::of(vec![7_000]).p50 - 7.0).abs() < f64::EPSILON);
    }
}
