//! `cargo xtask`: the project's chores.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{env, fs};

use houseway_odds::{Progress, answers};

mod fuzz;
mod manual;
mod mutants;
mod schemathesis;
mod scorecard;
mod suite;
mod supply;
mod web;

const HELP: &str = "\
cargo xtask test      everything that must hold: format, lints, tests, documentation, licences
                      (installs PostgreSQL, Chromium, Node and python3-websockets where absent)
cargo xtask web       types and lints of the web table (installs Node and its packages where absent)
cargo xtask manual    write docs/houses from the rulebooks
cargo xtask answers   count the shipped odds of the five houses anew, five minutes on two cores
cargo xtask deny      licences and sources of the dependencies (installs cargo-deny once)
cargo xtask bench     the figures of BENCHMARKS.md
cargo xtask advisories
                      known faults of the dependencies (fetches the database of RustSec)
cargo xtask mutants [PART/PARTS] [ledger] [views] [rules]
                      change the program in one place at a time and see whether a test notices: hours,
                      or a part of it (installs cargo-mutants once)
cargo xtask sbom      print the bill of materials of the program (CycloneDX)
cargo xtask reproducible
                      build what is committed twice, in two places, and compare bit by bit
cargo xtask fuzz [EXECUTIONS] [DECODER ...]
                      libFuzzer on every decoder: 10,000,000 inputs of each, fewer of slow ones
cargo xtask schemathesis [EXAMPLES]
                      lets schemathesis loose on a house: so many requests for each endpoint, or
                      100 (installs it from PyPI into a folder that is removed again)
cargo xtask scorecard [--short] [--row N]… [--seed S]
                      runs the rows of the scorecard, or those that are named, and writes
                      docs/scorecard.md: all of them take days, the short form minutes; --check is
                      what `cargo xtask test` runs, and writes under target/";

fn main() -> ExitCode {
    let done = match env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("web") => web::check(),
        Some("manual") => write_manual(),
        Some("answers") => write_answers(),
        Some("deny") => deny(),
        Some("advisories") => advisories(),
        Some("mutants") => mutants::mutants(env::args().skip(2)),
        Some("bench") => bench(),
        Some("fuzz") => fuzz::fuzz(env::args().skip(2)),
        Some("sbom") => supply::sbom(),
        Some("reproducible") => supply::reproducible(),
        Some("schemathesis") => schemathesis::run(env::args().skip(2)),
        Some("scorecard") => scorecard::run(env::args().skip(2)),
        Some(other) => Err(format!("there is no chore `{other}`\n\n{HELP}")),
        None => {
            eprintln!("{HELP}");
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Everything that must hold, the quick checks first.
fn test() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--locked",
        "--",
        "-D",
        "warnings",
    ])?;
    rules_stand_alone()?;
    install_packages()?;
    web::check()?;
    suite::run()?;
    scorecard::run(["--check".to_string()].into_iter())?;
    run(Command::new(env!("CARGO"))
        .args(["doc", "--package", "houseway-rules", "--all-features", "--no-deps", "--locked"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    deny()
}

/// The rules build without any feature and then depend on nothing at all.
fn rules_stand_alone() -> Result<(), String> {
    cargo(&["build", "--package", "houseway-rules", "--no-default-features", "--locked"])?;
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "houseway-rules", "--no-default-features", "--edges"])
        .args(["normal,build", "--prefix", "none", "--locked"])
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    match String::from_utf8_lossy(&tree.stdout).trim().lines().count() {
        1 => Ok(()),
        _ => Err(format!(
            "houseway-rules depends on something:\n{}",
            String::from_utf8_lossy(&tree.stdout)
        )),
    }
}

/// Tests start a `postgres` and a browser of their own and run a client in Python; where the programs
/// are absent, Debian's packages bring them.
fn install_packages() -> Result<(), String> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places = debian.map(|it| it.path().join("bin")).chain(env::split_paths(&path));
    let postgres = places.any(|place| place.join("initdb").is_file());
    let browsers =
        ["/usr/lib/chromium/chromium-headless-shell", "/usr/lib/chromium/chromium"].map(Path::new);
    let needed = [
        ("postgresql", postgres),
        ("chromium-headless-shell", browsers.iter().any(|it| it.is_file())),
        ("python3-websockets", Path::new("/usr/lib/python3/dist-packages/websockets").is_dir()),
    ];
    install(&needed)
}

/// Installs what is not there of Debian's packages.
fn install(needed: &[(&str, bool)]) -> Result<(), String> {
    let absent = needed.iter().filter(|(_, there)| !there).map(|(package, _)| *package);
    let absent: Vec<&str> = absent.collect();
    if absent.is_empty() {
        return Ok(());
    }
    eprintln!("xtask: installing {}, once", absent.join(", "));
    let root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    let apt = |arguments: &[&str]| match root {
        true => run(Command::new("apt-get").args(arguments)),
        false => run(Command::new("sudo").arg("apt-get").args(arguments)),
    };
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], absent.as_slice()].concat())
}

/// Licences, bans and sources; the advisories need a database from outside and have a chore of their own.
fn deny() -> Result<(), String> {
    install_deny()?;
    // All targets' crates: their licences count too.
    cargo(&["fetch", "--locked"])?;
    cargo(&["deny", "--offline", "--all-features", "check", "licenses", "bans", "sources"])
}

/// Known faults of what the program is made of. Where their database cannot be fetched, this fails.
#[expect(clippy::print_stdout, reason = "the scorecard reads it")]
fn advisories() -> Result<(), String> {
    install_deny()?;
    cargo(&["deny", "--all-features", "check", "advisories"])?;
    println!("figures {{\"advisories\": 0}}");
    Ok(())
}

fn install_deny() -> Result<(), String> {
    let installed = Command::new(env!("CARGO")).args(["deny", "--version"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        eprintln!("xtask: installing cargo-deny, once, in a few minutes");
        cargo(&["install", "cargo-deny", "--locked"])?;
    }
    Ok(())
}

/// The program is measured too, so it is built first.
fn bench() -> Result<(), String> {
    cargo(&["build", "--release", "--package", "houseway-cli", "--locked"])?;
    cargo(&["bench", "--package", "houseway-bench", "--benches", "--locked"])
}

fn write_answers() -> Result<(), String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../odds/shipped");
    for (name, count) in answers::recounts() {
        let start = Instant::now();
        let text = count(&Progress::new());
        fs::write(format!("{folder}/{name}"), text).map_err(|error| format!("{name}: {error}"))?;
        eprintln!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn write_manual() -> Result<(), String> {
    for (path, page) in manual::pages() {
        let folder = path.parent().expect("a page lies in a folder");
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    run(Command::new(env!("CARGO")).args(arguments))
}

fn run(command: &mut Command) -> Result<(), String> {
    let line = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{line}: {status}")),
        Err(error) => Err(format!("{line}: {error}")),
    }
}
