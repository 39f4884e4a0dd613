//! What `disk.c` wrote down, and the disk that a power failure leaves behind.

use std::collections::BTreeMap;
use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rand::rngs::ChaCha12Rng;
use rand::{Rng, RngExt};

/// What a disk writes whole or not at all.
const SECTOR: usize = 512;

/// The file that acknowledgements are written to. It is no part of the disk: it stands for whoever
/// was told.
pub(crate) const ACKNOWLEDGED: &str = "acknowledged";

/// One thing that happened to the folder.
#[derive(Debug)]
pub(crate) enum Step {
    /// A file was made, under this name.
    Create { inode: u64, name: String },
    /// A name was taken away.
    Remove { name: String },
    /// A change of a file.
    Change { inode: u64, change: Change },
    /// A file was synced.
    Sync { inode: u64 },
    /// A sync of a file failed: what had not been synced before never comes to the disk.
    SyncFailed { inode: u64 },
    /// The folder was synced: names are on the disk.
    SyncNames,
    /// Someone was told something.
    Told(String),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Create { inode, name } => write!(f, "{inode} is made: {name}"),
            Step::Remove { name } => write!(f, "{name} is removed"),
            Step::Change { inode, change: Change::Write { at, bytes } } => {
                write!(f, "{inode} at {at}: {} bytes", bytes.len())
            }
            Step::Change { inode, change: Change::Resize { to } } => {
                write!(f, "{inode} has {to} bytes")
            }
            Step::Sync { inode } => write!(f, "{inode} is synced"),
            Step::SyncFailed { inode } => write!(f, "{inode} is NOT synced"),
            Step::SyncNames => write!(f, "names are synced"),
            Step::Told(line) => write!(f, "told: {}", line.trim_end()),
        }
    }
}

/// A change of a file's bytes.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Bytes from a place on.
    Write { at: usize, bytes: Vec<u8> },
    /// Another length.
    Resize { to: usize },
}

/// Reads a journal that nobody writes to any more.
pub(crate) fn read(path: &Path) -> Result<Vec<Step>> {
    let (steps, is_whole) = read_so_far(path)?;
    ensure!(is_whole, "the journal is cut");
    Ok(steps)
}

/// Reads a journal as far as it goes, and says whether it ends with a whole record. One that is being
/// written is of a call that has not returned, and has not happened yet.
pub(crate) fn read_so_far(path: &Path) -> Result<(Vec<Step>, bool)> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let mut rest = bytes.as_slice();
    let mut told = None;
    let mut shared = Vec::new();
    let mut steps = Vec::new();
    while let Some((head, after)) = rest.split_at_checked(21) {
        let number = |from: usize| {
            u64::from_ne_bytes(head[from..from + 8].try_into().expect("eight of them"))
        };
        let (inode, place) = (number(1), number(9) as usize);
        let size = u32::from_ne_bytes(head[17..21].try_into().expect("four of them"));
        let Some((data, after)) = after.split_at_checked(size as usize) else { break };
        rest = after;
        let name = || String::from_utf8_lossy(data).into_owned();
        match head[0] {
            b'C' if data == ACKNOWLEDGED.as_bytes() => told = Some(inode),
            // Shared memory: SQLite begins it anew when nobody has it open.
            b'C' if data.ends_with(b"-shm") => shared.push(inode),
            _ if shared.contains(&inode) => {}
            b'W' if told == Some(inode) => steps.push(Step::Told(name())),
            b'U' if data.ends_with(b"-shm") => {}
            b'C' => steps.push(Step::Create { inode, name: name() }),
            b'U' => steps.push(Step::Remove { name: name() }),
            b'W' => {
                let change = Change::Write { at: place, bytes: data.to_vec() };
                steps.push(Step::Change { inode, change });
            }
            b'T' => steps.push(Step::Change { inode, change: Change::Resize { to: place } }),
            b'S' => steps.push(Step::Sync { inode }),
            b'D' => steps.push(Step::SyncNames),
            b'E' if place == 0 => steps.push(Step::SyncFailed { inode }),
            // Names that were not synced are names that may be lost, as before.
            b'E' => {}
            other => bail!("the journal has a record of the kind {other}"),
        }
    }
    Ok((steps, rest.is_empty()))
}

/// A disk: what is on it for certain, and what is only on its way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    files: BTreeMap<u64, File>,
    /// Names as the program knows them, and as the disk does.
    names: BTreeMap<String, u64>,
    durable_names: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, Default)]
struct File {
    durable: Vec<u8>,
    pending: Vec<Change>,
    /// What the program reads: the system remembers also what a failed sync has lost.
    seen: Vec<u8>,
}

/// What becomes of writes that no sync has confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// None of them came to the disk.
    Dropped,
    /// All of them did.
    Kept,
    /// Those up to some moment did, and of the last one some sectors.
    Torn,
    /// Some did, whichever came first.
    Reordered,
    /// Of each some sectors did.
    Sectors,
    /// Of each some sectors did, and where others should be there is noise.
    Noise,
}

impl Loss {
    pub(crate) const ALL: [Loss; 6] =
        [Loss::Dropped, Loss::Kept, Loss::Torn, Loss::Reordered, Loss::Sectors, Loss::Noise];
}

/// The files of a folder by name.
pub(crate) type Image = BTreeMap<String, Vec<u8>>;

impl Disk {
    /// Goes on by a step.
    pub(crate) fn apply(&mut self, step: &Step) {
        match step {
            Step::Create { inode, name } => {
                self.files.insert(*inode, File::default());
                self.names.insert(name.clone(), *inode);
            }
            Step::Remove { name } => {
                self.names.remove(name);
            }
            Step::Change { inode, change } => {
                let file = self.files.entry(*inode).or_default();
                change.apply(&mut file.seen);
                file.pending.push(change.clone());
            }
            Step::Sync { inode } => {
                let file = self.files.entry(*inode).or_default();
                for change in std::mem::take(&mut file.pending) {
                    change.apply(&mut file.durable);
                }
            }
            Step::SyncFailed { inode } => self.files.entry(*inode).or_default().pending.clear(),
            Step::SyncNames => self.durable_names = self.names.clone(),
            Step::Told(_) => {}
        }
    }

    /// What the next program finds if this one dies and the power stays.
    pub(crate) fn seen(&self) -> Image {
        let seen =
            |inode: &u64| self.files.get(inode).map(|it| it.seen.clone()).unwrap_or_default();
        self.names.iter().map(|(name, inode)| (name.clone(), seen(inode))).collect()
    }

    /// The same disk, with files that have other inodes now: those of [`Disk::seen`], in a folder.
    pub(crate) fn moved_to(mut self, folder: &Path) -> Result<Disk> {
        let mut moved = Disk::default();
        for (name, inode) in &self.names {
            let path = folder.join(name);
            let now = path.metadata().with_context(|| path.display().to_string())?.ino();
            moved.files.insert(now, self.files.get(inode).cloned().unwrap_or_default());
            moved.names.insert(name.clone(), now);
        }
        for (name, inode) in self.durable_names {
            match self.names.get(&name) {
                Some(same) if *same == inode => {
                    moved.durable_names.insert(name.clone(), moved.names[&name]);
                }
                // It was removed, or another has its name; the disk does not know that yet.
                _ => {
                    let gone = u64::MAX - inode;
                    moved.files.insert(gone, self.files.remove(&inode).unwrap_or_default());
                    moved.durable_names.insert(name, gone);
                }
            }
        }
        Ok(moved)
    }

    /// Whether nothing is on its way: then every loss leaves the same disk.
    pub(crate) fn is_settled(&self) -> bool {
        self.names == self.durable_names && self.files.values().all(|it| it.pending.is_empty())
    }

    /// What is found after a power failure at this moment.
    pub(crate) fn after(&self, loss: Loss, chance: &mut ChaCha12Rng) -> Image {
        let names = match loss {
            Loss::Dropped => &self.durable_names,
            Loss::Kept => &self.names,
            _ if chance.random() => &self.names,
            _ => &self.durable_names,
        };
        let image = names.iter().map(|(name, inode)| {
            let found = self.files.get(inode).map(|file| file.after(loss, chance));
            (name.clone(), found.unwrap_or_default())
        });
        image.collect()
    }
}

impl File {
    fn after(&self, loss: Loss, chance: &mut ChaCha12Rng) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        let last = chance.random_range(0..=self.pending.len());
        for (number, change) in self.pending.iter().enumerate() {
            let noise = loss == Loss::Noise;
            match loss {
                Loss::Kept => change.apply(&mut bytes),
                Loss::Torn if number < last => change.apply(&mut bytes),
                Loss::Reordered if chance.random() => change.apply(&mut bytes),
                Loss::Torn if number == last => change.tear(&mut bytes, false, chance),
                Loss::Sectors | Loss::Noise => change.tear(&mut bytes, noise, chance),
                Loss::Dropped | Loss::Torn | Loss::Reordered => {}
            }
        }
        bytes
    }
}

impl Change {
    fn apply(&self, file: &mut Vec<u8>) {
        match self {
            Change::Resize { to } => file.resize(*to, 0),
            Change::Write { at, bytes } => put(file, *at, bytes),
        }
    }

    /// Applies those sectors that chance chooses. Others stay as they were, or become noise; bytes
    /// of a sector that were not written are not touched.
    fn tear(&self, file: &mut Vec<u8>, noise: bool, chance: &mut ChaCha12Rng) {
        let Change::Write { at, bytes } = self else {
            if chance.random() {
                self.apply(file);
            }
            return;
        };
        let mut from = 0;
        while from < bytes.len() {
            let until = (((at + from) / SECTOR + 1) * SECTOR - at).min(bytes.len());
            if chance.random() {
                put(file, at + from, &bytes[from..until]);
            } else if noise {
                let mut lost = vec![0; until - from];
                chance.fill_bytes(&mut lost);
                put(file, at + from, &lost);
            }
            from = until;
        }
    }
}

fn put(file: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[at..end].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn write(at: usize, byte: u8, times: usize) -> Step {
        Step::Change { inode: 1, change: Change::Write { at, bytes: vec![byte; times] } }
    }

    fn disk(steps: &[Step]) -> Disk {
        let mut disk = Disk::default();
        for step in steps {
            disk.apply(step);
        }
        disk
    }

    fn file(disk: &Disk, loss: Loss, seed: u64) -> Option<Vec<u8>> {
        disk.after(loss, &mut ChaCha12Rng::seed_from_u64(seed)).remove("a")
    }

    fn made() -> Step {
        Step::Create { inode: 1, name: "a".into() }
    }

    #[test]
    fn what_was_synced_is_there_and_the_rest_may_not_be() {
        let synced = [made(), write(0, 1, 600), Step::Sync { inode: 1 }, Step::SyncNames];
        let mut disk = disk(&synced);
        disk.apply(&write(100, 2, 600));
        assert!(!disk.is_settled());
        assert_eq!(file(&disk, Loss::Dropped, 1), Some(vec![1; 600]));
        let whole = [vec![1; 100], vec![2; 600]].concat();
        assert_eq!(file(&disk, Loss::Kept, 1), Some(whole));
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..100 {
            for loss in [Loss::Torn, Loss::Reordered, Loss::Sectors, Loss::Noise] {
                let found = file(&disk, loss, seed).expect("its name was synced");
                assert_eq!(found[..100], [1; 100], "what was not written stays");
                seen.insert((found.len(), found.get(200).copied(), found.get(550).copied()));
            }
        }
        assert!(seen.contains(&(600, Some(2), Some(1))), "the first sector alone");
        assert!(seen.contains(&(700, Some(1), Some(2))), "the second alone");
    }

    #[test]
    fn names_are_kept_by_the_folder() {
        let unnamed = disk(&[made(), write(0, 1, 10), Step::Sync { inode: 1 }]);
        assert_eq!(file(&unnamed, Loss::Dropped, 1), None);
        assert_eq!(file(&unnamed, Loss::Kept, 1), Some(vec![1; 10]));
        let removed = disk(&[made(), Step::SyncNames, Step::Remove { name: "a".into() }]);
        assert_eq!(file(&removed, Loss::Dropped, 1), Some(vec![]));
        assert_eq!(file(&removed, Loss::Kept, 1), None);
    }

    #[test]
    fn what_a_failed_sync_lost_never_comes() {
        let lost = [made(), Step::SyncNames, write(0, 1, 10), Step::SyncFailed { inode: 1 }];
        let mut disk = disk(&lost);
        disk.apply(&write(10, 2, 10));
        disk.apply(&Step::Sync { inode: 1 });
        let expected = [vec![0; 10], vec![2; 10]].concat();
        assert_eq!(file(&disk, Loss::Kept, 1), Some(expected));
    }
}
