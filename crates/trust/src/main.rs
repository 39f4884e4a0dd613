//! `houseway-trust`: rows of the scorecard, tried on the real thing.

#![expect(clippy::print_stdout, reason = "its one line is what it is for")]

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use houseway_trust::disk;

/// Rows of the scorecard, tried on the real thing. Ends with 1 if one does not hold.
#[derive(Parser)]
#[command(version, about)]
struct Trust {
    #[command(subcommand)]
    what: What,
    /// Print one JSON object instead of a line
    #[arg(long, global = true)]
    json: bool,
    /// The short form, for every change
    #[arg(long, global = true)]
    short: bool,
    /// Where chance begins
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
}

#[derive(Subcommand)]
enum What {
    /// Row 5: disks as power failures leave them, opened by the house
    PowerLoss {
        /// How many images
        #[arg(long)]
        images: Option<usize>,
        /// A disk that confirms syncs and does nothing: faults must be found
        #[arg(long)]
        lying: bool,
    },
    /// Row 6: calls of the disk that fail, for every n the n-th one
    IoFaults {
        /// Try one in so many
        #[arg(long)]
        one_in: Option<usize>,
        /// One case alone, as faults are told with, and everything that happens to its disk
        #[arg(long)]
        part: Option<disk::faults::Part>,
    },
}

fn main() -> ExitCode {
    let trust = Trust::parse();
    match run(&trust) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("houseway-trust: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(trust: &Trust) -> Result<bool> {
    let outcome = match trust.what {
        What::PowerLoss { images, lying } => {
            let images = images.unwrap_or(if trust.short { 500 } else { 12_000 });
            disk::power::run(images, lying, trust.seed)?
        }
        What::IoFaults { one_in, part } => {
            let one_in = one_in.unwrap_or(if trust.short { 61 } else { 1 });
            disk::faults::run(one_in, part, trust.seed)?
        }
    };
    match trust.json {
        true => println!("{}", outcome.to_json()),
        false => println!("{outcome}"),
    }
    Ok(outcome.holds)
}
