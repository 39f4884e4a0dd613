//! Copies of a SQLite store: made while it is written to, and put back where a store is to be.
//!
//! A copy is made page by page, from one moment of the store. Beside it lies what it is known again by,
//! in the form that `sha256sum --check` reads too: whatever happens to a single bit of the copy shows,
//! and is found out in the time it takes to read it.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest, Sha256};

use crate::entry::Hash;
use crate::error::Failure;
use crate::sqlite::{io_failure, new_file, sync_folder};
use crate::to_read::with_ending;
use crate::writer::PATIENCE;

/// How much is read at once.
const CHUNK: usize = 1 << 20;

/// Copies a store, known by its address, as it stands at this moment.
pub(crate) fn make(from: &str, to: &Path) -> Result<(), Failure> {
    let unfinished = unfinished(to)?;
    // Half a copy would only take what room is left.
    make_as(from, to, &unfinished).inspect_err(|_| drop(std::fs::remove_file(&unfinished)))
}

fn make_as(from: &str, to: &Path, unfinished: &Path) -> Result<(), Failure> {
    new_file(unfinished).map_err(io_failure(unfinished))?;
    copy_pages(from, unfinished)?;
    let mut file = File::open(unfinished).map_err(io_failure(unfinished))?;
    let hash = pass(&mut file, &mut std::io::sink()).map_err(io_failure(unfinished))?;
    file.sync_all().map_err(io_failure(unfinished))?;
    // First what it is known by: a copy without it would be checked another way, which takes longer.
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let known = known_by(to);
    let text = format!("{hash}  {name}\n");
    write_synced(&known, text.as_bytes()).map_err(io_failure(&known))?;
    finish(unfinished, to)
}

/// Puts a copy where a store is to be, once it is known to be whole.
pub(crate) fn put_back(from: &Path, to: &Path) -> Result<(), Failure> {
    let unfinished = unfinished(to)?;
    put_back_as(from, to, &unfinished).inspect_err(|_| drop(std::fs::remove_file(&unfinished)))
}

fn put_back_as(from: &Path, to: &Path, unfinished: &Path) -> Result<(), Failure> {
    let known = read_known_by(from)?;
    if known.is_none() {
        check(from)?;
    }
    let mut copy = File::open(from).map_err(io_failure(from))?;
    let mut file = new_file(unfinished).map_err(io_failure(unfinished))?;
    let hash = pass(&mut copy, &mut file).map_err(io_failure(unfinished))?;
    if let Some(known) = known
        && known != hash.to_string()
    {
        let why = format!(
            "{} is not the copy that was made: its SHA-256 is {hash}, and {} says {known}",
            from.display(),
            known_by(from).display(),
        );
        return Err(Failure::Corrupt(why));
    }
    file.sync_all().map_err(io_failure(unfinished))?;
    finish(unfinished, to)
}

/// All pages in one step: they are those of one moment, whatever is written meanwhile.
fn copy_pages(from: &str, to: &Path) -> Result<(), Failure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let source = Connection::open_with_flags(from, flags)?;
    source.busy_timeout(PATIENCE)?;
    let mut copy = Connection::open(to)?;
    // What is not finished is thrown away, so nothing needs to be undone; it is synced at the end.
    copy.execute_batch("pragma journal_mode = off; pragma synchronous = off")?;
    let step = Backup::new(&source, &mut copy)?.step(-1)?;
    if step != StepResult::Done {
        return Err(Failure::Busy);
    }
    // The copy is one file, and can be read where nothing can be written.
    copy.execute_batch("pragma journal_mode = delete")?;
    copy.close().map_err(|(_, error)| Failure::from(error))
}

/// A copy that nothing is known of is read by SQLite, every page and every index of it.
fn check(copy: &Path) -> Result<(), Failure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let found = Connection::open_with_flags(copy, flags).and_then(|copy| {
        copy.execute_batch("pragma cache_size = -262144")?;
        let kept = "select count(*) from sqlite_schema where name = 'schema_version'";
        let is_store: bool = copy.query_row(kept, [], |row| row.get(0))?;
        let found = copy.query_row("pragma integrity_check", [], |row| row.get::<_, String>(0))?;
        Ok((is_store, found))
    });
    match found {
        Ok((true, found)) if found == "ok" => Ok(()),
        // An empty file, such as a copy that broke off leaves, is an empty database to SQLite.
        Ok((false, _)) => {
            let why = "it is no copy of a house: nothing of one is in it";
            Err(Failure::Corrupt(format!("{}: {why}", copy.display())))
        }
        Ok((_, found)) => Err(Failure::Corrupt(format!("{}: {found}", copy.display()))),
        Err(error) => Err(match Failure::from(error) {
            Failure::Corrupt(why) => Failure::Corrupt(format!("{}: {why}", copy.display())),
            Failure::Unavailable(why) => Failure::Unavailable(format!("{}: {why}", copy.display())),
            Failure::Busy => Failure::Busy,
        }),
    }
}

/// Hands everything on, and says what it is known again by.
fn pass(from: &mut File, to: &mut impl Write) -> std::io::Result<Hash> {
    let mut reader = BufReader::with_capacity(CHUNK, from);
    let mut hash = Sha256::new();
    loop {
        let some = reader.fill_buf()?;
        if some.is_empty() {
            return Ok(Hash(hash.finalize().into()));
        }
        hash.update(some);
        to.write_all(some)?;
        let length = some.len();
        reader.consume(length);
    }
}

/// The file beside a copy that says what it is known again by.
fn known_by(copy: &Path) -> PathBuf {
    with_ending(copy, ".sha256")
}

/// What it says; nothing if there is none.
fn read_known_by(copy: &Path) -> Result<Option<String>, Failure> {
    let path = known_by(copy);
    let mut text = String::new();
    match File::open(&path).and_then(|file| file.take(4_096).read_to_string(&mut text)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(io_failure(&path))?,
    };
    match text.split_whitespace().next() {
        Some(hash) if hash.len() == 64 => Ok(Some(hash.to_lowercase())),
        _ => Err(Failure::Corrupt(format!("{} does not begin with a SHA-256", path.display()))),
    }
}

/// The name a file has until it is whole. Nothing may stand under its final name.
fn unfinished(to: &Path) -> Result<PathBuf, Failure> {
    if to.exists() {
        return Err(Failure::Unavailable(format!("{} exists already", to.display())));
    }
    let unfinished = with_ending(to, ".unfinished");
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io_failure(&unfinished)(error)),
        _ => Ok(unfinished),
    }
}

fn write_synced(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text)?;
    file.sync_all()
}

/// Gives a file that is on disk its name, and waits until the name is too.
fn finish(unfinished: &Path, to: &Path) -> Result<(), Failure> {
    std::fs::rename(unfinished, to).and_then(|()| sync_folder(to)).map_err(io_failure(to))
}
