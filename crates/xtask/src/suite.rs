//! The test binaries of the workspace, in two lanes: those that wait, for clocks, disks and browsers, one
//! after the other as cargo would run them; and beside them, where these leave a core idle, those that
//! count. One lane after the other would take half as long again.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

/// Crates whose tests count and wait for nothing. They give way to everyone else.
const COUNTING: &[&str] =
    &["houseway-rules", "houseway-odds", "houseway-table", "houseway-simulate", "houseway-soak"];

/// How much they give way.
const GIVES_WAY: &str = "19";

/// A binary full of tests.
#[derive(Debug, PartialEq, Eq)]
struct Binary {
    package: String,
    file: PathBuf,
    /// Where cargo would run it.
    folder: PathBuf,
}

/// Builds all tests of the workspace, runs them, then those of the documentation.
pub(crate) fn run() -> Result<(), String> {
    let (counting, waiting): (Vec<Binary>, Vec<Binary>) =
        built()?.into_iter().partition(|it| COUNTING.contains(&it.package.as_str()));
    let beside = thread::spawn(move || -> Vec<String> {
        counting.iter().filter_map(|it| count(it).err()).collect()
    });
    let mut failed: Vec<String> = waiting.iter().filter_map(|it| wait(it).err()).collect();
    failed.extend(beside.join().map_err(|_| "the tests that count broke off")?);
    if !failed.is_empty() {
        return Err(format!("tests failed:\n{}", failed.join("\n")));
    }
    super::cargo(&["test", "--workspace", "--all-features", "--locked", "--doc"])
}

/// Builds the tests, and tells where they are.
fn built() -> Result<Vec<Binary>, String> {
    let mut cargo = Command::new(env!("CARGO"))
        .args(["test", "--workspace", "--all-features", "--locked", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cargo test: {error}"))?;
    let told = BufReader::new(cargo.stdout.take().expect("it is ours")).lines();
    let binaries = told.map_while(Result::ok).filter_map(|line| binary(&line)).collect();
    match cargo.wait() {
        Ok(status) if status.success() => Ok(binaries),
        Ok(status) => Err(format!("cargo test --no-run: {status}")),
        Err(error) => Err(format!("cargo test --no-run: {error}")),
    }
}

/// The binary that a line of cargo's tells of, if it tells of one with tests.
fn binary(line: &str) -> Option<Binary> {
    let told: Value = serde_json::from_str(line).ok()?;
    if told["reason"] != "compiler-artifact" || told["profile"]["test"] != true {
        return None;
    }
    let folder = Path::new(told["manifest_path"].as_str()?).parent()?.to_path_buf();
    // `path+file:///…/crates/odds#houseway-odds@0.1.0`, or without the name where the folder has it.
    let (place, name) = told["package_id"].as_str()?.split_once('#')?;
    let package = match name.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next()?,
    };
    Some(Binary { package: package.to_string(), file: told["executable"].as_str()?.into(), folder })
}

/// Runs tests and shows what they say as they say it.
fn wait(it: &Binary) -> Result<(), String> {
    eprintln!("     Running {}: {}", it.package, it.file.display());
    super::run(Command::new(&it.file).current_dir(&it.folder))
}

/// Runs tests beside others, and shows what they said in one go.
#[expect(clippy::print_stdout, reason = "tests speak there")]
fn count(it: &Binary) -> Result<(), String> {
    let named = |error| format!("{}: {error}", it.file.display());
    let said = Command::new("nice")
        .args(["-n", GIVES_WAY])
        .arg(&it.file)
        .current_dir(&it.folder)
        .output()
        .map_err(|error| named(error.to_string()))?;
    eprintln!("     Ran {} beside: {}", it.package, it.file.display());
    print!("{}", String::from_utf8_lossy(&said.stdout));
    eprint!("{}", String::from_utf8_lossy(&said.stderr));
    match said.status.success() {
        true => Ok(()),
        false => Err(named(said.status.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binaries_with_tests_are_found_in_what_cargo_tells() {
        let line = |test: bool, id: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"{id}","manifest_path":"/a/crates/odds/Cargo.toml",
                "profile":{{"test":{test}}},"executable":"/a/target/debug/deps/brute-1"}}"#
            )
        };
        let id = "path+file:///a/crates/odds#houseway-odds@0.1.0";
        let found = binary(&line(true, id)).expect("tests");
        assert_eq!(found.package, "houseway-odds");
        assert_eq!(found.folder, Path::new("/a/crates/odds"));
        assert_eq!(found.file, Path::new("/a/target/debug/deps/brute-1"));
        assert_eq!(binary(&line(false, id)), None, "a library");
        let short = binary(&line(true, "path+file:///a/crates/xtask#0.1.0")).expect("tests");
        assert_eq!(short.package, "xtask");
        assert_eq!(binary(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(binary("Compiling"), None);
    }

    /// A crate that is renamed would silently wait with the others.
    #[test]
    fn crates_that_count_exist() {
        for name in COUNTING {
            let folder = name.strip_prefix("houseway-").expect("one of ours");
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
            assert!(path.join("Cargo.toml").is_file(), "{name}");
        }
    }
}
