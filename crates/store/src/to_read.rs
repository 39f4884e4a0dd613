//! A SQLite file that is only read, where nothing can be written too: on a disk that is full, in a folder
//! that was mounted read-only.
//!
//! Whoever reads beside a writer tells it so in the file that ends in `-shm`, and learns there what is in
//! the log that ends in `-wal`. After a kill SQLite writes the first anew, and where there is none it makes
//! both. What it cannot write it can do without, if it is told to.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

use crate::error::{Failure, OpenError};
use crate::writer::PATIENCE;

/// What is in the log is found out in memory, each time anew.
const LOG_IN_MEMORY: &str = "?readonly_shm=1";

/// Nobody changes the file, and there is no log. Where that is not so, what is read is nonsense.
const UNCHANGING: &str = "?immutable=1";

/// A file that can be read.
pub(crate) struct Readable {
    /// By which SQLite finds it and knows how to read it.
    pub(crate) address: String,
    pub(crate) readers: SqlitePool,
    /// Its schema; 0 where there is none.
    pub(crate) schema: u32,
}

/// Opens a file to be read, if possible as one that others may write meanwhile.
pub(crate) async fn open(path: &Path, readers: u32) -> Result<Readable, OpenError> {
    let barred = match connect(address(path, ""), readers).await {
        Err(error) if is_barred(&error) => error,
        tried => return Ok(tried.map_err(named(path))?),
    };
    match connect(address(path, LOG_IN_MEMORY), readers).await {
        Err(error) if is_barred(&error) => {}
        tried => return Ok(tried.map_err(named(path))?),
    }
    // Nobody has it open: they would have a file beside it that says so, and it would have been found.
    let log = with_ending(path, "-wal");
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        let why = format!(
            "{}: {barred}; what was written last is still in {}, and is read only where something can be \
             written: copy the whole folder to a disk that has room, and name the copy",
            path.display(),
            log.display(),
        );
        return Err(Failure::Unavailable(why).into());
    }
    Ok(connect(address(path, UNCHANGING), readers).await.map_err(named(path))?)
}

async fn connect(address: String, readers: u32) -> Result<Readable, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(&address)
        .read_only(true)
        .busy_timeout(PATIENCE)
        // What is sorted goes to a file otherwise, on a disk that may be the full one.
        .pragma("temp_store", "memory");
    let pool = SqlitePoolOptions::new().max_connections(readers);
    let readers = pool.connect_with(options).await?;
    let schema = match schema(&readers).await {
        Ok(schema) => schema,
        Err(error) => {
            readers.close().await;
            return Err(error);
        }
    };
    Ok(Readable { address, readers, schema })
}

/// Which schema a file has. This is the first that is read of it.
async fn schema(readers: &SqlitePool) -> Result<u32, sqlx::Error> {
    let known = "select count(*) from sqlite_schema where name = 'schema_version'";
    let (is_known,): (i64,) = sqlx::query_as(known).fetch_one(readers).await?;
    if is_known == 0 {
        return Ok(0);
    }
    let last = "select coalesce(max(version), 0) from schema_version";
    let (last,): (i64,) = sqlx::query_as(last).fetch_one(readers).await?;
    Ok(u32::try_from(last).unwrap_or(u32::MAX))
}

/// Whether SQLite would have to write something to go on, and cannot: its codes for a file that can only be
/// read, for trouble with a file, for a full disk, and for a file that cannot be made.
fn is_barred(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|it| it.code()?.parse::<i32>().ok());
    matches!(code.map(|code| code & 0xff), Some(8 | 10 | 13 | 14))
}

/// Says which file it is that makes trouble.
pub(crate) fn named(path: &Path) -> impl Fn(sqlx::Error) -> Failure {
    move |error| match Failure::from(error) {
        Failure::Unavailable(why) => Failure::Unavailable(format!("{}: {why}", path.display())),
        other => other,
    }
}

/// A file as SQLite is asked for it, with what is asked of it.
pub(crate) fn address(path: &Path, asked: &str) -> String {
    let mut address = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        let _ = match byte.is_ascii_alphanumeric() {
            true => write!(address, "{}", char::from(*byte)),
            false => write!(address, "%{byte:02x}"),
        };
    }
    address + asked
}

/// The path of a file beside another one, named after it.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
