//! `houseway-load`: tables full of clients over real sockets, and what that costs the house.
//!
//! ```text
//!  run ──► house     the server, started here or found elsewhere; its CPU and memory
//!   │  └─► player    one client: what it sees, what it does, how long it waited for answers
//!   │        └─► door: HTTP and WebSocket, as any client uses them
//!   ├────► acknowledged   what players were answered, held against the closed house's store
//!   ├────► hostile   attackers, while others play
//!   │        └─► stalled: when readers that do not read are cut off
//!   ├────► overload  more at once than the house can take
//!   ├────► login     names and passwords that are wrong, timed
//!   ├────► recall    rounds told again, a backup restored
//!   │        ├─► told: whether a round is whole, and paid as the rules say
//!   │        └─► fill: a store of many rounds, played without sockets
//!   └────► figures   what came out, beside what the disk does
//! ```

#![expect(clippy::cast_precision_loss, reason = "figures are rounded for people anyway")]

mod acknowledged;
mod door;
mod figures;
mod fill;
mod hostile;
mod house;
mod login;
mod overload;
mod player;
mod recall;
mod run;
mod stalled;
mod told;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

/// Tables full of clients over real sockets, and what that costs the house.
#[derive(Parser)]
#[command(version, about)]
struct Load {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    house: HouseArgs,
}

#[derive(Subcommand)]
enum What {
    /// Rounds at a steady pace, with players who think
    Pace {
        /// How many tables
        #[arg(long, default_value_t = 1_000)]
        tables: u32,
        /// How many players at each
        #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=6))]
        players: u8,
        /// How long a round takes, from its beginning to the next
        #[arg(long, default_value = "60s", value_parser = duration)]
        round: Duration,
        /// How long it is measured
        #[arg(long = "for", default_value = "2m", value_parser = duration)]
        time: Duration,
    },
    /// Rounds as fast as they go
    FlatOut {
        /// How many tables
        #[arg(long, default_value_t = 50)]
        tables: u32,
        /// How many players at each
        #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=6))]
        players: u8,
        /// How long it is measured
        #[arg(long = "for", default_value = "30s", value_parser = duration)]
        time: Duration,
    },
    /// More at once than the house can take
    Overload {
        /// How many tables are asked
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
        tables: u32,
        /// How many sockets ask, each eight things at once
        #[arg(long, default_value_t = 160, value_parser = clap::value_parser!(u32).range(1..))]
        sockets: u32,
        /// How long they ask
        #[arg(long = "for", default_value = "10s", value_parser = duration)]
        time: Duration,
    },
    /// Attackers of some kinds, one after the other, while others play
    Hostile {
        /// How many tables play meanwhile
        #[arg(long, default_value_t = 100)]
        tables: u32,
        /// How long each attack is
        #[arg(long = "for", default_value = "30s", value_parser = duration)]
        time: Duration,
        #[command(flatten)]
        attacks: hostile::Attacks,
    },
    /// Wrong names and passwords: whether time tells who exists, and when a name is locked
    Login {
        /// How many tries, half of them under names that exist
        #[arg(long, default_value_t = 10_000)]
        tries: u64,
    },
    /// Rounds told again, and a backup of a house that plays, restored and verified
    Recall {
        /// How many tables play
        #[arg(long, default_value_t = 50)]
        tables: u32,
        /// How long they play
        #[arg(long = "for", default_value = "60s", value_parser = duration)]
        time: Duration,
        /// How many rounds are asked for
        #[arg(long, default_value_t = 1_000)]
        recalls: u64,
        /// How many rounds the store is filled with before: played by a house in this process,
        /// without sockets, a thousand a table
        #[arg(long, value_name = "ROUNDS", default_value_t = 0, conflicts_with = "server")]
        fill: u64,
    },
    /// Sockets of people who watch and do nothing
    Idle {
        /// How many sockets
        #[arg(long, default_value_t = 5_000)]
        sockets: u32,
    },
}

#[derive(Args)]
struct HouseArgs {
    /// A house that is open already; its limits must allow for the load
    #[arg(long, global = true, value_name = "URL")]
    server: Option<String>,
    /// The program to start, unless there is a house: `houseway` beside this one, if nothing is said
    #[arg(long, global = true, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Where the data folder is made; on the disk that is meant
    #[arg(long, global = true, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The rulebook of the tables
    #[arg(long, global = true, value_name = "ID", default_value = "mbs-2020")]
    rules: String,
    /// Also write the figures as JSON; `-` prints them so
    #[arg(long, global = true, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// `500ms`, `60s`, `2m`.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "ms" => 1,
        "" | "s" => 1_000,
        "m" => 60_000,
        _ => return Err(format!("`{unit}` is no unit: write 500ms, 60s or 2m")),
    };
    let number: u64 = number.parse().map_err(|_| "write 500ms, 60s or 2m".to_string())?;
    match number.checked_mul(scale) {
        Some(0) | None => Err("some time, and not for ever: 500ms, 60s or 2m".to_string()),
        Some(millis) => Ok(Duration::from_millis(millis)),
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run::run(&Load::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("houseway-load: {error:#}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_with_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("60s"), Ok(Duration::from_mins(1)));
        assert_eq!(duration("2m"), Ok(Duration::from_mins(2)));
        for wrong in ["", "m", "2h", "0s", "99999999999999999999s", "1000000000000000000m"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_arguments_hold_together() {
        use clap::CommandFactory;
        Load::command().debug_assert();
    }
}
