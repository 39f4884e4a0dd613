//! SQLite: one file, one writer, and one fsync for everything that waits.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use houseway_table::Person;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{QueryBuilder, Transaction};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::append::{Append, Appended, MOST_AT_ONCE, Remembered, Together, check_replacement};
use crate::backup;
use crate::changes::{Changes, Notice, Teller};
use crate::entry::{Entry, Head, Version};
use crate::error::{AppendError, Failure, OpenError, UserError};
use crate::inserts::{self, Insert, Value};
use crate::name::{AccountName, StreamId, TableId, after_prefix};
use crate::people::{NewUser, OwnLimit, Session, TokenHash, User, UserChange, name_key};
use crate::round::{DAY, RoundFilter, RoundPlace, RoundRow, RoundSum, SumBy, SumPart, sum_parts};
use crate::sql::{
    Migration, ROWS, last_entries, no_entry, no_marked_entry, store_in_sql, user_error,
};
use crate::to_read::{self, Readable, address, named};
use crate::turns::{Turn, Turns};
use crate::writer::{Answered, Job, LastToGo, PATIENCE, Writer, came, write};
use crate::{Difference, Ending, Moment, Moved, Place, Store, Strays, rows};

const MIGRATIONS: &[Migration] = &[
    Migration { name: "log", sql: include_str!("../migrations/sqlite/0001_log.sql") },
    Migration { name: "people", sql: include_str!("../migrations/sqlite/0002_people.sql") },
    Migration { name: "rounds", sql: include_str!("../migrations/sqlite/0003_rounds.sql") },
    Migration { name: "sums", sql: include_str!("../migrations/sqlite/0004_sums.sql") },
    Migration { name: "gaps", sql: include_str!("../migrations/sqlite/0005_gaps.sql") },
    Migration { name: "commands", sql: include_str!("../migrations/sqlite/0006_commands.sql") },
    Migration { name: "marks", sql: include_str!("../migrations/sqlite/0007_marks.sql") },
    Migration { name: "wallets", sql: include_str!("../migrations/sqlite/0008_wallets.sql") },
    Migration { name: "limits", sql: include_str!("../migrations/sqlite/0009_limits.sql") },
    Migration { name: "kept", sql: include_str!("../migrations/sqlite/0010_kept.sql") },
];

/// The first SQLite whose write-ahead log cannot be damaged by a checkpoint at the wrong moment.
const OLDEST: (u32, u32, u32) = (3, 51, 3);

/// How long to wait before asking again whether it is one's turn to open.
const BETWEEN_TURNS: Duration = Duration::from_millis(5);

/// What can be chosen about a SQLite store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How many appends may wait before further ones are told that the store is busy.
    pub waiting: usize,
    /// How many connections read.
    pub readers: u32,
    /// How many pages of the write-ahead log are copied to the file at once. A page that changed often
    /// is copied once.
    pub log_pages: u32,
}

impl Default for SqliteOptions {
    fn default() -> SqliteOptions {
        SqliteOptions { waiting: 4_096, readers: 4, log_pages: 8_000 }
    }
}

/// A store in one file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    /// By which SQLite finds the file to read it.
    address: String,
    /// Whether nothing is to be written.
    is_to_read: bool,
    readers: SqlitePool,
    writer: SqlitePool,
    teller: Teller,
    /// Appends wait here; none once the store is closed, or if it is only read.
    queue: std::sync::Mutex<Option<mpsc::Sender<Job>>>,
    writing: Mutex<Option<JoinHandle<Option<Failure>>>>,
    turns: Turns,
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        // The writer does it, and looks at what comes of it.
        .pragma("wal_autocheckpoint", "0")
}

pub(crate) fn io_failure(what: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::Unavailable(format!("{}: {error}", what.display()))
}

impl Sqlite {
    /// Opens the store in a file, which is made if there is none.
    pub async fn open(path: &Path) -> Result<Sqlite, OpenError> {
        Sqlite::open_with(path, SqliteOptions::default()).await
    }

    /// Opens the store in a file, with choices.
    pub async fn open_with(path: &Path, chosen: SqliteOptions) -> Result<Sqlite, OpenError> {
        let named = named(path);
        let _turn = turn(path).await?;
        // One that is there is not touched: closing a handle of it would take SQLite's own locks away.
        match new_file(path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(io_failure(path)(error).into());
            }
            _ => {}
        }
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options(path))
            .await
            .map_err(&named)?;
        let (found,): (String,) =
            sqlx::query_as("select sqlite_version()").fetch_one(&writer).await.map_err(&named)?;
        if !new_enough(&found) {
            return Err(OpenError::OldSqlite { found });
        }
        // After a sync that failed, the system may remember what never came to the disk, and take it
        // for stored. Copied out of the log now, all that can be read is written once more.
        sqlx::raw_sql("pragma wal_checkpoint(truncate)").execute(&writer).await.map_err(&named)?;
        let mut setup = writer.begin_with("begin immediate").await.map_err(&named)?;
        migrate(&mut setup, MIGRATIONS).await?;
        // The file is marked as ours. SQLite opens a file that can only be read without a word, and
        // this is a write: what cannot be kept is found out now, not with the first command.
        sqlx::raw_sql("pragma application_id = 0x68776179")
            .execute(&mut *setup)
            .await
            .map_err(&named)?;
        setup.commit().await.map_err(&named)?;
        // SQLite does not mind if the names of its files are not on the disk.
        sync_folder(path).map_err(io_failure(path))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(chosen.readers)
            .connect_with(options(path).read_only(true))
            .await
            .map_err(&named)?;
        let teller = Teller::new();
        let (queue, jobs) = mpsc::channel(chosen.waiting);
        let own = Writer::new(path, chosen.log_pages);
        let writing = tokio::spawn(write(own, writer.clone(), jobs, teller.clone()));
        let (queue, writing) = (std::sync::Mutex::new(Some(queue)), Mutex::new(Some(writing)));
        let (path, address) = (path.to_owned(), address(path, ""));
        let (is_to_read, turns) = (false, Turns::default());
        Ok(Sqlite { path, address, is_to_read, readers, writer, teller, queue, writing, turns })
    }

    /// Opens the store in a file to look at it and no more: nothing is brought up to date, nothing copied
    /// out of the log, and what would change anything fails. So it can be looked at on a disk that is full
    /// and in a folder that cannot be written, while a house is open in it and after one was killed.
    ///
    /// A file that nobody has open, in a place where nothing can be written, is taken for one that stays as
    /// it is: whoever opens a house there meanwhile may be seen halfway through a change.
    pub async fn open_to_read(path: &Path) -> Result<Sqlite, OpenError> {
        let _turn = turn(path).await?;
        let readers = SqliteOptions::default().readers;
        let Readable { address, readers, schema: found } = to_read::open(path, readers).await?;
        let known = MIGRATIONS.len() as u32;
        if found != known {
            readers.close().await;
            if found == 0 {
                let why = format!("{} holds no house", path.display());
                return Err(Failure::Unavailable(why).into());
            }
            return Err(match found < known {
                true => OpenError::OlderSchema { found, known },
                false => OpenError::NewerSchema { found, known },
            });
        }
        Ok(Sqlite {
            path: path.to_owned(),
            address,
            is_to_read: true,
            // What is written over a connection that reads fails.
            writer: readers.clone(),
            readers,
            teller: Teller::new(),
            queue: std::sync::Mutex::default(),
            writing: Mutex::default(),
            turns: Turns::default(),
        })
    }

    /// Copies the store as it stands at this moment into a new file, while others go on writing, and
    /// what it is known again by into one beside it. Both are whole and on disk when this returns, or
    /// there is no copy.
    pub async fn backup(&self, to: &Path) -> Result<(), Failure> {
        let (from, to) = (self.address.clone(), to.to_owned());
        on_disk(move || backup::make(&from, &to)).await
    }

    /// Puts a backup where a store is to be. Nothing may be there yet; the backup is checked first.
    pub async fn restore(from: &Path, to: &Path) -> Result<(), OpenError> {
        let (from, to) = (from.to_owned(), to.to_owned());
        Ok(on_disk(move || backup::put_back(&from, &to)).await?)
    }

    fn reading(&self) -> &SqlitePool {
        &self.readers
    }

    fn writing(&self) -> &SqlitePool {
        &self.writer
    }

    async fn begin_looking(&self) -> Result<Transaction<'static, sqlx::Sqlite>, sqlx::Error> {
        self.readers.begin().await
    }

    async fn begin_alone(&self) -> Result<Transaction<'static, sqlx::Sqlite>, sqlx::Error> {
        self.writer.begin_with("begin immediate").await
    }

    async fn append_durably(&self, append: Append) -> Result<Appended, AppendError> {
        self.queue(append, Arc::default())?.await.map_err(|_| self.closed())?
    }

    fn queue(
        &self,
        append: Append,
        together: Arc<std::sync::Mutex<Together>>,
    ) -> Result<oneshot::Receiver<Answered>, AppendError> {
        let (answer, answered) = oneshot::channel();
        let queue = self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match queue.as_ref().ok_or_else(|| self.closed())?.try_send(Job {
            append,
            together,
            answer,
        }) {
            Ok(()) => Ok(answered),
            Err(mpsc::error::TrySendError::Full(job)) => {
                came(&job.together, &job.append, Err(Failure::Busy.into())).map(|_| answered)
            }
            Err(mpsc::error::TrySendError::Closed(_)) => Err(self.closed().into()),
        }
    }

    fn tell_of(&self, person: Person) {
        self.teller.tell(Notice::Person(person));
    }

    /// Why nothing is appended.
    fn closed(&self) -> Failure {
        let why = if self.is_to_read { "it was opened to be read only" } else { "it is closed" };
        Failure::Unavailable(why.into())
    }

    async fn end(&self) {
        if self.is_to_read {
            return self.readers.close().await;
        }
        drop(self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take());
        let Some(writing) = self.writing.lock().await.take() else { return };
        // What waits is written first. A writer that panicked has nothing left to write.
        let is_sound = matches!(writing.await, Ok(None));
        let path = self.path.clone();
        let last = tokio::task::spawn_blocking(move || LastToGo::open(&path)).await;
        self.readers.close().await;
        self.writer.close().await;
        if let Ok(Ok(last)) = last {
            let _ = tokio::task::spawn_blocking(move || last.go(is_sound)).await;
        }
    }
}

store_in_sql!(Sqlite, sqlx::Sqlite, SqliteConnection, {
    /// All are queued before the first is waited for, so that one commit can take them all.
    async fn append_all(&self, appends: Vec<Append>) -> Vec<Result<Appended, AppendError>> {
        let together = Arc::default();
        let queued: Vec<_> = appends
            .into_iter()
            .map(|append| match append.check() {
                Ok(()) => self.queue(append, Arc::clone(&together)),
                Err(error) => Err(came(&together, &append, Err(error)).expect_err("it is refused")),
            })
            .collect();
        let mut all = Vec::with_capacity(queued.len());
        for answered in queued {
            all.push(match answered {
                Ok(answered) => answered.await.unwrap_or_else(|_| Err(self.closed().into())),
                Err(error) => Err(error),
            });
        }
        all
    }
    async fn turn(&self, person: Person) -> Result<Turn, Failure> {
        Ok(Box::new(self.turns.of(person).await))
    }
});

fn new_enough(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next(), next(), next()) >= OLDEST
}

fn folder(of: &Path) -> std::io::Result<File> {
    File::open(of.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new(".")))
}

/// Makes a file that only its owner reads: a store knows people, and what they are known again by. SQLite
/// gives the files beside it the same rights.
pub(crate) fn new_file(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Waits until a file's name is on disk.
pub(crate) fn sync_folder(of: &Path) -> std::io::Result<()> {
    folder(of)?.sync_all()
}

/// Whoever opens a file does it alone, until what this gives is dropped. Several that make one at once get
/// in each other's way: SQLite refuses all but one of those that set how it is to be written, whatever
/// patience it was asked for, and copying the log of a file that is still empty waits for those that wait
/// to write it.
///
/// The folder is locked, not the file: closing a second handle of that would take SQLite's own locks away.
async fn turn(path: &Path) -> Result<File, Failure> {
    let folder = folder(path).map_err(io_failure(path))?;
    let begun = Instant::now();
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(folder),
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                tokio::time::sleep(BETWEEN_TURNS).await;
            }
            Err(TryLockError::WouldBlock) => return Err(Failure::Busy),
            Err(TryLockError::Error(error)) => return Err(io_failure(path)(error)),
        }
    }
}

/// Does something with large files, away from the threads on which others wait.
async fn on_disk(
    work: impl FnOnce() -> Result<(), Failure> + Send + 'static,
) -> Result<(), Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Failure::Unavailable(error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        for (version, enough) in
            [("3.51.3", true), ("3.100.0", true), ("4.0", true), ("3.51.2", false), ("x", false)]
        {
            assert_eq!(new_enough(version), enough, "{version}");
        }
    }
}
