//! Whether a house is run as somebody vouched for: SHA-256 of the program, of its configuration file
//! and of its rulebook files, held against a list at the start, every day and when an operator asks
//! (GLI-19 2.3.2, B.2.6). A house that differs does not open; one that comes to differ begins no
//! further round.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use houseway_fair::Bytes32;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::config::Config;
use crate::people::{HouseRecord, Run};
use crate::serve::{NotServed, file_name};

/// How often everything is hashed while a house is open.
const EVERY: Duration = Duration::from_hours(24);

/// How much of a file is read at once.
const PIECE: usize = 64 * 1024;

/// What is told to everyone while play is stopped. Which file it is, the log and operators know.
pub(crate) const STOPPED: &str = "play is stopped: a file of the house is not what it should be";

/// A list of hashes, as `houseway admin hashes` prints it. It has no paths: one list is right for
/// every node that is run in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Hashes {
    /// The version of the program; for people, as its hash says more.
    pub version: String,
    /// Of the program's file.
    pub program: Bytes32,
    /// Of the configuration file, where there is one.
    pub configuration: Option<Bytes32>,
    /// Of rulebook files, by the ids that tables are opened with.
    pub rulebooks: BTreeMap<String, Bytes32>,
}

impl Hashes {
    /// Hashes what a house would be run with: this program, and the files of a configuration.
    pub fn of(config: &Config) -> Result<Hashes, NotServed> {
        let mut hashes = Hashes {
            version: env!("CARGO_PKG_VERSION").to_string(),
            program: Bytes32([0; 32]),
            configuration: None,
            rulebooks: BTreeMap::new(),
        };
        for File { part, path } in files(config)? {
            let hash = hash(&path).map_err(|error| unread(&path, error))?;
            match part {
                Part::Program => hashes.program = hash,
                Part::Configuration => hashes.configuration = Some(hash),
                Part::Rulebook(id) => drop(hashes.rulebooks.insert(id, hash)),
            }
        }
        Ok(hashes)
    }

    fn parts(&self) -> impl Iterator<Item = (Part, Bytes32)> {
        let rulebooks = self.rulebooks.iter().map(|(id, hash)| (Part::Rulebook(id.clone()), *hash));
        let configuration = self.configuration.map(|hash| (Part::Configuration, hash));
        [(Part::Program, self.program)].into_iter().chain(configuration).chain(rulebooks)
    }
}

/// What a file is to a house.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The program itself.
    Program,
    /// How it is run.
    Configuration,
    /// A rulebook file, by its id.
    Rulebook(String),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Program => f.write_str("the program"),
            Part::Configuration => f.write_str("the configuration"),
            Part::Rulebook(id) => write!(f, "the rulebook {id}"),
        }
    }
}

/// A file that decides how a house plays.
#[derive(Clone, Debug)]
struct File {
    part: Part,
    path: PathBuf,
}

impl File {
    /// Hashes it anew.
    fn look(&self) -> Found {
        self.found(hash(&self.path).map_err(|error| error.to_string()))
    }

    fn found(&self, hash: Result<Bytes32, String>) -> Found {
        Found { part: self.part.clone(), path: self.path.clone(), hash }
    }
}

/// A file as it was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) part: Part,
    pub(crate) path: PathBuf,
    /// Its hash, or why it cannot be read.
    pub(crate) hash: Result<Bytes32, String>,
}

/// What a look at all files came to.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) found: Vec<Found>,
    /// What is not as the list says, in words: which file, what was found, what should have been.
    pub(crate) differences: Vec<String>,
}

/// The files of a house that is open, and what they should be.
#[derive(Clone, Debug, Default)]
pub struct Integrity {
    /// Found once: a program whose file was replaced no longer knows where it came from.
    files: Vec<File>,
    /// What somebody vouched for, if they did.
    expected: Option<Hashes>,
    /// What the house was started with.
    run: Run,
}

impl Integrity {
    /// Looks at everything before a house opens; the house does not if a list was given and something
    /// is not as it says.
    pub(crate) async fn at_the_start(config: &Config) -> Result<Integrity, NotServed> {
        let config = config.clone();
        blocking(move || Integrity::look_first(&config)).await
    }

    fn look_first(config: &Config) -> Result<Integrity, NotServed> {
        let files = files(config)?;
        let Some(list) = &config.hashes else {
            let found = files.iter().map(|file| match file.part {
                Part::Program => file.found(program_as_started().clone()),
                _ => file.look(),
            });
            let run = run(found, false);
            if let Some(hash) = run.program {
                tracing::info!(program = %hash, "started without a list of hashes");
            } else {
                tracing::warn!("the program cannot be read, and has no hash");
            }
            return Ok(Integrity { files, expected: None, run });
        };
        let refused = |why: String| NotServed::Hashes { list: list.clone(), why };
        let text = fs::read_to_string(list).map_err(|error| unread(list, error))?;
        let expected: Hashes = serde_json::from_str(&text)
            .map_err(|error| refused(format!("it is no list of hashes: {error}")))?;
        if let Some(web) = &config.web {
            let web = web.display();
            return Err(refused(format!("pages from the folder {web} cannot be checked")));
        }
        let mut integrity = Integrity { files, expected: Some(expected), ..Integrity::default() };
        let Look { found, differences } = integrity.look();
        if !differences.is_empty() {
            return Err(refused(differences.join("; ")));
        }
        integrity.run = run(found, true);
        tracing::info!(list = %list.display(), "every file is what it should be");
        Ok(integrity)
    }

    /// Whether there is a list.
    pub(crate) fn is_checked(&self) -> bool {
        self.expected.is_some()
    }

    /// What is recorded of a start and a stop.
    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    /// Hashes everything anew.
    fn look(&self) -> Look {
        let found: Vec<Found> = self.files.iter().map(File::look).collect();
        let differences = match &self.expected {
            Some(expected) => differences(expected, &found),
            None => vec![],
        };
        Look { found, differences }
    }
}

/// What a house is run with.
fn run(found: impl IntoIterator<Item = Found>, checked: bool) -> Run {
    let version = env!("CARGO_PKG_VERSION").to_string();
    let mut run = Run { version, checked, ..Run::default() };
    for Found { part, hash, .. } in found {
        let Ok(hash) = hash else { continue };
        match part {
            Part::Program => run.program = Some(hash),
            Part::Configuration => run.configuration = Some(hash),
            Part::Rulebook(id) => drop(run.rulebooks.insert(id, hash)),
        }
    }
    run
}

/// What differs, file by file.
fn differences(expected: &Hashes, found: &[Found]) -> Vec<String> {
    let mut expected: BTreeMap<Part, Bytes32> = expected.parts().collect();
    let mut differences = vec![];
    for Found { part, path, hash } in found {
        let path = path.display();
        match (hash, expected.remove(part)) {
            (Ok(hash), Some(right)) if *hash == right => {}
            (Ok(hash), Some(right)) => {
                differences.push(format!("{part}, {path}, has the hash {hash} instead of {right}"));
            }
            (Ok(hash), None) => {
                differences
                    .push(format!("{part}, {path}, with the hash {hash}, is not in the list"));
            }
            (Err(error), _) => differences.push(format!("{part}, {path}, cannot be read: {error}")),
        }
    }
    let missing = expected.into_iter();
    let missing =
        missing.map(|(part, right)| format!("{part}, with the hash {right}, is not in use"));
    differences.extend(missing);
    differences
}

/// Looks at everything anew. Play stops at a difference, and goes on when there is none; either is in
/// the log of the house. Whoever asks may go meanwhile: what is found counts all the same.
pub(crate) async fn check(app: Arc<App>) -> Look {
    tokio::spawn(look_and_act(app)).await.expect("looking does not panic")
}

async fn look_and_act(app: Arc<App>) -> Look {
    let _turn = app.checking.lock().await;
    let looking = app.clone();
    let look = blocking(move || looking.integrity.look()).await;
    let stop = !look.differences.is_empty();
    let record = match stop {
        true => HouseRecord::PlayStopped { differences: look.differences.clone() },
        false => HouseRecord::PlayGoesOn,
    };
    for difference in &look.differences {
        tracing::error!(%difference, "a file is not what it should be: no round is begun");
    }
    if app.house.stop_play(stop).await
        && let Err(error) = app.people.record(record).await
    {
        tracing::error!(%error, "that could not be recorded");
    }
    look
}

/// Looks at everything once a day, for as long as the house stands.
pub(crate) async fn check_daily(app: Weak<App>) {
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(app) = app.upgrade() else { return };
        check(app).await;
    }
}

/// The files of a configuration.
fn files(config: &Config) -> Result<Vec<File>, NotServed> {
    let program =
        std::env::current_exe().map_err(|error| unread(Path::new("the program"), error))?;
    let program = File { part: Part::Program, path: program };
    let configuration = config.file.clone().map(|path| File { part: Part::Configuration, path });
    let rulebooks = config.rulebooks.iter();
    let rulebooks =
        rulebooks.map(|path| File { part: Part::Rulebook(file_name(path)), path: path.clone() });
    Ok([program].into_iter().chain(configuration).chain(rulebooks).collect())
}

/// The hash of this process's program, from when it was first asked for.
fn program_as_started() -> &'static Result<Bytes32, String> {
    static PROGRAM: OnceLock<Result<Bytes32, String>> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = std::env::current_exe().map_err(|error| error.to_string())?;
        hash(&path).map_err(|error| error.to_string())
    })
}

/// SHA-256 of a file, read from its beginning.
fn hash(path: &Path) -> io::Result<Bytes32> {
    let mut file = fs::File::open(path)?;
    let mut piece = vec![0; PIECE];
    let mut hash = Sha256::new();
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(Bytes32(hash.finalize().into())),
            Ok(size) => hash.update(&piece[..size]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn unread(path: &Path, error: io::Error) -> NotServed {
    NotServed::File { what: path.display().to_string(), error }
}

/// Files are read off the threads that serve sockets.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("reading files does not panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(part: Part, hash: Result<Bytes32, String>) -> Found {
        Found { part, path: "/there".into(), hash }
    }

    #[test]
    fn every_kind_of_difference_is_told() {
        let (one, two) = (Bytes32([1; 32]), Bytes32([2; 32]));
        let own = || Part::Rulebook("own".into());
        let expected = Hashes {
            version: "1".into(),
            program: one,
            configuration: Some(one),
            rulebooks: [("own".to_string(), one)].into(),
        };
        let all = |program, configuration, rulebook| {
            let found = [
                found(Part::Program, program),
                found(Part::Configuration, configuration),
                found(rulebook, Ok(one)),
            ];
            differences(&expected, &found)
        };
        assert_eq!(all(Ok(one), Ok(one), own()), Vec::<String>::new());
        let other = Part::Rulebook("other".into());
        assert_eq!(
            all(Ok(two), Err("it is gone".into()), other),
            [
                format!("the program, /there, has the hash {two} instead of {one}"),
                "the configuration, /there, cannot be read: it is gone".into(),
                format!("the rulebook other, /there, with the hash {one}, is not in the list"),
                format!("the rulebook own, with the hash {one}, is not in use"),
            ]
        );
    }

    /// The same as `sha256sum` says, also where a file does not end with a piece.
    #[test]
    fn a_file_has_the_hash_that_others_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "abc").expect("it is written");
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash(&path).expect("it is read").to_string(), abc);
        let long = vec![7; 3 * PIECE + 1];
        fs::write(&path, &long).expect("it is written");
        let whole = Bytes32(Sha256::digest(&long).into());
        assert_eq!(hash(&path).expect("it is read"), whole);
        assert!(hash(&folder.path().join("none")).is_err());
    }

    /// The form of a list: a diff here refuses lists that were made before.
    #[test]
    fn a_list_keeps_its_form() {
        let one = Bytes32([0x1f; 32]);
        let hashes = Hashes {
            version: "1.2.3".into(),
            program: one,
            configuration: None,
            rulebooks: [("own".to_string(), one)].into(),
        };
        let digits = "1f".repeat(32);
        let text = format!(
            r#"{{"version":"1.2.3","program":"{digits}","configuration":null,"rulebooks":{{"own":"{digits}"}}}}"#
        );
        assert_eq!(serde_json::to_string(&hashes).expect("it is JSON"), text);
        assert_eq!(serde_json::from_str::<Hashes>(&text).expect("it is read"), hashes);
        assert!(serde_json::from_str::<Hashes>(&text.replace("rulebooks", "books")).is_err());
    }
}
