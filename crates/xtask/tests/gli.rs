//! What docs/gli-19.md names exists, and its sums are those of its rows.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/gli-19.md")).expect("the page")
}

/// The text of a Rust file, or of every one below a folder; nothing where there is none.
fn code(path: &Path) -> String {
    match fs::read_dir(path) {
        Ok(files) => files.map(|file| code(&file.expect("a file").path())).collect(),
        Err(_) if path.extension().is_some_and(|it| it == "rs") => {
            fs::read_to_string(path).unwrap_or_default()
        }
        Err(_) => String::new(),
    }
}

/// Where `crate/file::name` says that a test is: `server/people` is in the tests of the server,
/// `fair/src/draw` beside its code.
fn place(named: &str) -> Option<(PathBuf, String)> {
    let (place, name) = named.split_once("::")?;
    let (package, file) = place.split_once('/')?;
    let folder = root().join("crates").join(package);
    let file = match file.starts_with("src/") {
        true => folder.join(file),
        false => folder.join("tests").join(file),
    };
    // A file, or all that is in the folder of its name.
    let text = code(&file.with_extension("rs")) + &code(&file);
    Some((file, text)).filter(|_| !name.is_empty())
}

#[test]
fn every_test_that_is_named_exists() {
    let page = page();
    let rows = page.lines().filter(|line| line.starts_with("| "));
    // Every other piece between backticks is code.
    let code = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let mut tried = 0;
    for named in code.filter(|it| it.contains("::")) {
        let (file, text) = place(named).unwrap_or_else(|| panic!("{named} names no test"));
        let name = named.rsplit("::").next().expect("a name");
        assert!(text.contains(&format!("fn {name}(")), "{named}: not in {}", file.display());
        tried += 1;
    }
    assert!(tried > 100, "only {tried} tests are named");
}

/// The four words, by section, as the rows have them.
fn counted(page: &str) -> BTreeMap<String, [usize; 4]> {
    let words = ["met", "partly", "not met", "operator"];
    let mut sections = BTreeMap::<String, [usize; 4]>::new();
    let mut section = String::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_lowercase();
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, _, _, _, stands, _, _, ..] = cells[..]
            && let Some(word) = words.iter().position(|word| *word == stands)
        {
            sections.entry(section.clone()).or_default()[word] += 1;
        }
    }
    sections
}

#[test]
fn sums_are_those_of_the_rows() {
    let page = page();
    let sections = counted(&page);
    let told = |name: &str| {
        let line = page.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let line = line.unwrap_or_else(|| panic!("no sum of {name}"));
        let cells = line.split('|').filter_map(|cell| cell.trim().parse().ok());
        cells.collect::<Vec<usize>>()
    };
    let mut together = [0; 4];
    for (short, section) in [
        ("chance and shuffle", "chance and shuffle"),
        ("interrupted rounds", "interrupted rounds, disabling, several players"),
        ("history and logs", "history, recall, logs, reports"),
        ("accounts and money", "accounts, sessions, roles, money"),
        ("rules and display", "rules, display, fairness"),
        ("integrity and network", "integrity, change, data, network"),
    ] {
        let found = sections[section];
        assert_eq!(told(short), found, "{short}");
        for (sum, found) in together.iter_mut().zip(found) {
            *sum += found;
        }
    }
    assert_eq!(told("**together**"), together);
}

/// Every id that the reliability notes ask for has its row.
#[test]
fn every_requirement_has_its_row() {
    let page = page();
    let ids = [('R', 15), ('I', 12), ('H', 9), ('A', 10), ('D', 11), ('S', 11)];
    for (letter, last) in ids {
        for number in 1..=last {
            let row = format!("| {letter}{number} |");
            assert_eq!(page.matches(&row).count(), 1, "{row}");
        }
    }
}
