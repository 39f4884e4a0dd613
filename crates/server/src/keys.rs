//! The keys of a house: the file they are read from, and the log that says whose they are.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use houseway_fair::{Bytes32, Keyring};
use houseway_store::{Append, AppendError, Failure, NewEntry, Store, StreamId, Version};
use serde::{Deserialize, Serialize};

use crate::serve::NotServed;
use crate::vault::{Chance as _, SystemChance, Vault};

/// How often the log is read again because somebody else wrote to it first.
const TRIES: usize = 8;

/// The house's keys, a line each: a number and 64 hexadecimal digits. Made if there are none.
pub fn keyring(path: &Path) -> Result<Keyring, NotServed> {
    let file = |error| NotServed::File { what: path.display().to_string(), error };
    let wrong = |why: String| NotServed::Keys { path: path.to_path_buf(), why };
    if !path.exists() {
        let mut key = [0; 32];
        SystemChance.fill(&mut key)?;
        make_keys(path, &key).map_err(file)?;
    }
    read_keys(&fs::read_to_string(path).map_err(file)?).map_err(wrong)
}

/// The keys of such a file, or what is wrong with it.
pub fn read_keys(text: &str) -> Result<Keyring, String> {
    let mut keys = vec![];
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let read = || {
            let (id, digits) = line.split_once(' ')?;
            let key: Bytes32 = digits.trim().to_ascii_lowercase().parse().ok()?;
            Some((id.parse().ok()?, key.0))
        };
        let key = read().ok_or_else(|| {
            format!("line {number} is not a key: a number and 64 hexadecimal digits")
        })?;
        keys.push(key);
    }
    Keyring::new(keys).map_err(|error| error.to_string())
}

/// Writes a file with one key, for the eyes of its owner alone.
fn make_keys(path: &Path, key: &[u8; 32]) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    let digits = Bytes32(*key);
    writeln!(file, "# Keys of this house. Without them no deck that was dealt can be read again.")?;
    writeln!(file, "1 {digits}")?;
    file.sync_all()
}

/// An entry of the stream `keys`: from here on the house is run with these.
#[derive(Serialize, Deserialize)]
struct Used {
    /// What each key is known again by.
    keys: BTreeMap<u32, Bytes32>,
}

fn stream() -> StreamId {
    "keys".parse().expect("it is a name")
}

/// The keys that a house is run with, and where its log of them stands.
async fn used(store: &dyn Store) -> Result<(Version, Option<Used>), Failure> {
    let stream = stream();
    let head = store.head(&stream).await?.version;
    let Some(before) = head.0.checked_sub(1) else { return Ok((head, None)) };
    let last = store.read(&stream, Version(before), 1).await?;
    let damaged = || Failure::Corrupt(format!("{stream} {head} does not say which keys"));
    let entry = last.first().ok_or_else(damaged)?;
    serde_json::from_str(&entry.body).map(|used| (head, Some(used))).map_err(|_| damaged())
}

/// Whether all keys that a house was run with are here; nothing where that was never noted.
pub async fn are_the_houses(store: &dyn Store, vault: &Vault) -> Result<Option<bool>, Failure> {
    let own = vault.fingerprints();
    let (_, used) = used(store).await?;
    Ok(used.map(|used| used.keys.iter().all(|(id, key)| own.get(id) == Some(key))))
}

/// Opens a house with its keys, and notes those that are new; false if some that it was run with are not
/// here, or are others. The first to open it decides.
pub(crate) async fn open_with(store: &dyn Store, vault: &Vault, now: u64) -> Result<bool, Failure> {
    let own = vault.fingerprints();
    for _ in 0..TRIES {
        let (head, used) = used(store).await?;
        let known = used.map(|it| it.keys).unwrap_or_default();
        if !known.iter().all(|(id, key)| own.get(id) == Some(key)) {
            return Ok(false);
        }
        if known == own || write(store, vault, head, now).await? {
            return Ok(true);
        }
    }
    Err(Failure::Busy)
}

/// The house is run with these keys from now on, and no others.
pub async fn adopt(store: &dyn Store, vault: &Vault, now: u64) -> Result<(), Failure> {
    for _ in 0..TRIES {
        let (head, _) = used(store).await?;
        if write(store, vault, head, now).await? {
            return Ok(());
        }
    }
    Err(Failure::Busy)
}

/// Whether nobody was faster.
async fn write(
    store: &dyn Store,
    vault: &Vault,
    expected: Version,
    at: u64,
) -> Result<bool, Failure> {
    let body = serde_json::to_string(&Used { keys: vault.fingerprints() });
    let body = body.expect("it is plain data");
    let entries = vec![NewEntry { kind: "used".to_owned(), body, moves: vec![] }];
    let (stream, rounds) = (stream(), vec![]);
    let append = Append { stream, expected, at, entries, rounds, command: None, mark: None };
    match store.append(append).await {
        Ok(_) => Ok(true),
        Err(AppendError::Conflict { .. }) => Ok(false),
        Err(AppendError::Failed(failure)) => Err(failure),
        Err(other) => Err(Failure::Corrupt(other.to_string())),
    }
}
