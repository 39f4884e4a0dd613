//! Chance and secrets: fresh bytes, seals for what may not lie open, and the text of log entries.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Mutex;

use houseway_fair::{Bytes32, Keyring, Sealed, Seed, Slot, Unopened};
use houseway_ledger::transfers;
use houseway_store::{Entry, Move, NewEntry, StreamId, TableId, Version};
use rand::TryRng;

use crate::record::{Record, Stamped};

/// Where chance comes from: the operating system, or a seed in a test's hands.
pub trait Chance: Send {
    /// Fills bytes; fails if there is no chance to be had, and then nothing is dealt.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NoChance>;
}

/// There is no chance to be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no randomness can be had: {0}")]
pub struct NoChance(pub String);

/// The operating system's own generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemChance;

impl Chance for SystemChance {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NoChance> {
        let mut system = rand::rngs::SysRng;
        system.try_fill_bytes(bytes).map_err(|error| NoChance(error.to_string()))
    }
}

/// The house's keys and its source of chance.
pub struct Vault {
    keyring: Keyring,
    chance: Mutex<Box<dyn Chance>>,
}

/// A log entry that does not tell what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is sealed, and does not open.
    #[error("entry {version} of {stream} does not open: {why}")]
    Sealed {
        /// In which stream.
        stream: String,
        /// Where.
        version: u64,
        /// Why.
        why: String,
    },
    /// It opens, and is no entry.
    #[error("entry {version} of {stream} is not what a table keeps: {why}")]
    Text {
        /// In which stream.
        stream: String,
        /// Where.
        version: u64,
        /// Why.
        why: String,
    },
}

impl Vault {
    /// A vault with keys of its own.
    pub fn new(keyring: Keyring, chance: impl Chance + 'static) -> Vault {
        Vault { keyring, chance: Mutex::new(Box::new(chance)) }
    }

    /// Fresh bytes.
    pub fn fresh<const N: usize>(&self) -> Result<[u8; N], NoChance> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Fills bytes afresh.
    pub fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance> {
        self.chance.lock().expect("nobody panics with it").fill(bytes)
    }

    /// Seals a round's seed for its table.
    pub fn seal_seed(&self, table: TableId, round: u64, seed: &Seed) -> Result<Sealed, NoChance> {
        let slot = seed_slot(table);
        Ok(self.keyring.seal_seed(Slot { stream: &slot, version: round }, self.fresh()?, seed))
    }

    /// Opens a round's seed.
    pub fn open_seed(&self, table: TableId, round: u64, sealed: &Sealed) -> Result<Seed, Unopened> {
        let slot = seed_slot(table);
        self.keyring.open_seed(Slot { stream: &slot, version: round }, sealed)
    }

    /// Seals a table as it stands at a version of its log.
    pub(crate) fn seal_mark(
        &self,
        table: TableId,
        version: Version,
        plain: &[u8],
    ) -> Result<String, NoChance> {
        let slot = Slot { stream: &mark_slot(table), version: version.0 };
        Ok(self.keyring.seal(slot, self.fresh()?, plain).to_string())
    }

    /// Opens it.
    pub(crate) fn open_mark(
        &self,
        table: TableId,
        version: Version,
        text: &str,
    ) -> Result<impl Deref<Target = Vec<u8>> + use<>, Unreadable> {
        let slot = mark_slot(table);
        let unreadable =
            |why: String| Unreadable::Sealed { stream: slot.clone(), version: version.0, why };
        let sealed: Sealed = text.parse().map_err(|_| unreadable("it is not sealed".into()))?;
        let opened = self.keyring.open(Slot { stream: &slot, version: version.0 }, &sealed);
        opened.map_err(|error| unreadable(error.to_string()))
    }

    /// What a command's content is known again by. Contents are few, so the digest has a key.
    pub fn digest(&self, content: &[u8]) -> [u8; 32] {
        self.keyring.digest("command", content).0
    }

    /// What the house's keys are known again by, by their numbers.
    pub(crate) fn fingerprints(&self) -> BTreeMap<u32, Bytes32> {
        self.keyring.fingerprints()
    }

    /// What is written to a table's log for a record that will stand at a version.
    pub fn entry(
        &self,
        table: TableId,
        version: u64,
        stamped: &Stamped,
    ) -> Result<NewEntry, NoChance> {
        let text = serde_json::to_string(stamped).expect("a record is JSON");
        let kind = stamped.record.kind(&text);
        let body = match stamped.record.is_secret() {
            true => {
                let stream = StreamId::table(table);
                let slot = Slot { stream: stream.as_str(), version };
                self.keyring.seal(slot, self.fresh()?, text.as_bytes()).to_string()
            }
            false => text,
        };
        let moved = match &stamped.record {
            Record::Happened(event) => transfers(event),
            _ => vec![],
        };
        let moves = moved.iter().map(|transfer| Move::of(table, transfer)).collect();
        Ok(NewEntry { kind, body, moves })
    }

    /// What an entry of a table's log tells.
    pub fn read(&self, entry: &Entry) -> Result<Stamped, Unreadable> {
        let (stream, version) = (entry.stream.as_str(), entry.version.0);
        let no_record = |error: serde_json::Error| Unreadable::Text {
            stream: stream.to_owned(),
            version,
            why: error.to_string(),
        };
        let Ok(sealed) = entry.body.parse::<Sealed>() else {
            return serde_json::from_str(&entry.body).map_err(no_record);
        };
        let opened = self.keyring.open(Slot { stream, version }, &sealed);
        let plain = opened.map_err(|error| Unreadable::Sealed {
            stream: stream.to_owned(),
            version,
            why: error.to_string(),
        })?;
        serde_json::from_slice(&plain).map_err(no_record)
    }
}

/// A seed is bound to its table and round, not to the entry it happens to stand in.
fn seed_slot(table: TableId) -> String {
    format!("{}/seed", StreamId::table(table))
}

/// A mark is bound to its table, and is none of its entries.
fn mark_slot(table: TableId) -> String {
    format!("{}/mark", StreamId::table(table))
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").finish_non_exhaustive()
    }
}

impl crate::people::Chance for Vault {
    fn fill(&self, bytes: &mut [u8]) {
        // Without chance nothing may go on: a token that can be guessed is worse than none.
        Vault::fill(self, bytes).expect("the operating system gives random bytes");
    }
}
