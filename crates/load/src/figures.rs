//! What came out, for people and for programs.

use std::fmt::Write as _;

use serde::Serialize;

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
    /// Of all, sent again because the house was too busy.
    pub(crate) again: u64,
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Figures {
    pub(crate) floor: Floor,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) played: Option<Played>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idled: Option<Idled>,
}

impl Figures {
    /// As a table for people.
    pub(crate) fn table(&self) -> String {
        let mut text = String::new();
        let mut row = |what: &str, value: String| {
            writeln!(text, "  {what:<44} {value:>12}").expect("a string takes all");
        };
        if let Some(it) = &self.played {
            let synced = self.floor.fdatasyncs_per_second;
            row("tables × players", format!("{} × {}", it.tables, it.players));
            row("seconds", format!("{:.0}", it.seconds));
            row("rounds a second", format!("{:.1}", it.rounds_per_second));
            row("commands a second", format!("{:.0}", it.commands_per_second));
            row("commands for each fdatasync", format!("{:.2}", it.commands_per_second / synced));
            row("commands refused", it.refused.to_string());
            row("commands sent again", it.again.to_string());
            row("views sent for each command", format!("{:.1}", it.views_per_command));
            row("command to durable answer, p50, ms", format!("{:.1}", it.milliseconds.p50));
            row("p90, ms", format!("{:.1}", it.milliseconds.p90));
            row("p99, ms", format!("{:.1}", it.milliseconds.p99));
            row("longest, ms", format!("{:.1}", it.milliseconds.longest));
            if let Some(cpu) = it.server_cpu_per_command {
                row("server CPU for each command, µs", format!("{cpu:.0}"));
            }
            if let Some(cores) = it.server_cores {
                row("server CPU, cores", format!("{cores:.2}"));
            }
            if let Some(memory) = it.server_memory {
                row("server memory, MB", format!("{:.0}", memory as f64 / 1e6));
            }
        }
        if let Some(it) = &self.idled {
            let kb = |bytes: u64| format!("{:.1}", bytes as f64 / 1e3);
            row("sockets", it.sockets.to_string());
            row("server memory for each, KB", kb(it.memory_per_socket));
            row("and for each that watches a table, KB", kb(it.memory_per_watching_socket));
            row("server CPU, cores", format!("{:.3}", it.server_cores));
        }
        row("fdatasync a second", format!("{:.0}", self.floor.fdatasyncs_per_second));
        row(
            "plain SQLite inserts a second",
            format!("{:.0}", self.floor.sqlite_inserts_per_second),
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_in_a_hundred_waited_no_longer() {
        let waited = Waited::of((1..=100).rev().map(|it| it * 1_000).collect());
        assert_eq!((waited.p50, waited.p90, waited.p99), (50.0, 90.0, 99.0));
        assert!((waited.longest - 100.0).abs() < f64::EPSILON);
        assert!(Waited::of(vec![]).p99.abs() < f64::EPSILON);
        assert!((Waited::of(vec![7_000]).p50 - 7.0).abs() < f64::EPSILON);
    }
}
