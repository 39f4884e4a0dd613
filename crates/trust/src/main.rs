//! `houseway-trust`: rows of the scorecard, tried on the real thing.

#![expect(clippy::print_stdout, reason = "its one line is what it is for")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use houseway_trust::{bad_input, chain, disk, hunt, ledger, proofs, shuffles};

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    /// Row 9: random play by every rulebook, and the books after each operation
    Ledger {
        /// How many transfers
        #[arg(long)]
        transfers: Option<u64>,
    },
    /// Row 16: decks by the million, and bad shufflers
    Shuffles {
        /// How many decks
        #[arg(long)]
        decks: Option<u64>,
    },
    /// Row 17: rounds that are played, proved and altered
    Proofs {
        /// How many rounds
        #[arg(long)]
        rounds: Option<usize>,
        /// How many altered proofs
        #[arg(long)]
        alterations: Option<usize>,
    },
    /// Row 18: changed inputs for every decoder
    BadInput {
        /// For how many seconds in all
        #[arg(long)]
        seconds: Option<u64>,
    },
    /// Row 24: a long audit chain, and everything that can be done to it
    Chain,
    /// Writes good inputs of a decoder into a folder, for `cargo xtask fuzz`
    Seeds {
        /// Which decoder
        target: String,
        /// Where to
        folder: PathBuf,
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
    let seed = trust.seed;
    let form = |short: u64, long: u64| if trust.short { short } else { long };
    let size = |short: usize, long: usize| if trust.short { short } else { long };
    let outcome = match &trust.what {
        What::PowerLoss { images, lying } => {
            disk::power::run(images.unwrap_or(size(500, 12_000)), *lying, seed)?
        }
        What::IoFaults { one_in, part } => {
            disk::faults::run(one_in.unwrap_or(size(97, 1)), *part, seed)?
        }
        What::Ledger { transfers } => {
            ledger::run(transfers.unwrap_or(form(200_000, 10_000_000)), seed)?
        }
        What::Shuffles { decks } => {
            shuffles::run(decks.unwrap_or(form(10_000_000, 1_000_000_000)), seed)?
        }
        What::Proofs { rounds, alterations } => {
            let alterations = alterations.unwrap_or(size(2_000, 100_000));
            proofs::run(rounds.unwrap_or(size(500, 1_000_000)), alterations, seed)?
        }
        What::BadInput { seconds } => {
            let seconds = seconds.unwrap_or(form(30, 1_800));
            hunt::run(Duration::from_secs(seconds), seed)?
        }
        What::Chain => chain::run(size(100_000, 1_000_000), size(1_000, 10_000), seed)?,
        What::Seeds { target, folder } => {
            seeds(target, folder)?;
            return Ok(true);
        }
    };
    match trust.json {
        true => println!("{}", outcome.to_json()),
        false => println!("{outcome}"),
    }
    Ok(outcome.holds)
}

fn seeds(target: &str, folder: &Path) -> Result<()> {
    let target = bad_input::target(target).with_context(|| {
        let names: Vec<&str> = bad_input::TARGETS.iter().map(|target| target.name).collect();
        format!("there is no `{target}`; there are {}", names.join(", "))
    })?;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let all = [(target.seeds)(), hunt::found(target)?].concat();
    for (number, input) in all.iter().enumerate() {
        std::fs::write(folder.join(number.to_string()), input).context("a seed is not written")?;
    }
    Ok(())
}
