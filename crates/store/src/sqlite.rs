//! SQLite: one file, one writer, and one fsync for everything that waits.
//!
//! Appends queue for a single task. It takes all that wait, reads what they depend on, judges one
//! after the other in memory, writes what is carried out in one transaction, commits once and only
//! then answers: under load the disk is asked once for many, and so is SQLite.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use houseway_table::Person;
use sqlx::error::DatabaseError;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{Connection, QueryBuilder, Transaction};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::append::{
    Append, Appended, Known, MOST_AT_ONCE, Remember, Remembered, Together, check_replacement,
};
use crate::changes::{Changes, Notice, Teller};
use crate::entry::{Entry, Head, Move, Version};
use crate::error::{AppendError, Failure, OpenError, UserError};
use crate::name::{AccountName, StreamId, TableId, after_prefix};
use crate::people::{NewUser, OwnLimit, Session, TokenHash, User, UserChange, name_key};
use crate::round::{DAY, RoundFilter, RoundPlace, RoundRow, RoundSum, SumBy, SumPart, sum_parts};
use crate::sql::{Migration, ROWS, last_entries, store_in_sql, user_error};
use crate::{Difference, Ending, Moved, Place, Store, rows};

const MIGRATIONS: &[Migration] = &[
    Migration { name: "log", sql: include_str!("../migrations/sqlite/0001_log.sql") },
    Migration { name: "people", sql: include_str!("../migrations/sqlite/0002_people.sql") },
    Migration { name: "rounds", sql: include_str!("../migrations/sqlite/0003_rounds.sql") },
    Migration { name: "sums", sql: include_str!("../migrations/sqlite/0004_sums.sql") },
];

/// The first SQLite whose write-ahead log cannot be damaged by a checkpoint at the wrong moment.
const OLDEST: (u32, u32, u32) = (3, 51, 3);

/// The most appends that share a commit.
const GROUP: usize = 256;

/// How many statements are kept.
const STATEMENTS: usize = 512;

/// A group of so many is a sign that more are on their way.
const BUSY: usize = 8;

/// How long these are waited for. Everyone waits a little longer, and a commit, which costs much the
/// same for one as for fifty, is shared by more.
const GATHER: Duration = Duration::from_millis(3);

/// What can be chosen about a SQLite store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How many appends may wait before further ones are told that the store is busy.
    pub waiting: usize,
    /// How many connections read.
    pub readers: u32,
}

impl Default for SqliteOptions {
    fn default() -> SqliteOptions {
        SqliteOptions { waiting: 4_096, readers: 4 }
    }
}

/// A store in one file.
#[derive(Debug)]
pub struct Sqlite {
    readers: SqlitePool,
    writer: SqlitePool,
    teller: Teller,
    /// Appends wait here; none once the store is closed.
    queue: std::sync::Mutex<Option<mpsc::Sender<Job>>>,
    writing: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Job {
    append: Append,
    /// What it was handed over with.
    together: Arc<std::sync::Mutex<Together>>,
    answer: oneshot::Sender<Answered>,
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
}

fn io_failure(what: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::Unavailable(format!("{}: {error}", what.display()))
}

impl Sqlite {
    /// Opens the store in a file, which is made if there is none.
    pub async fn open(path: &Path) -> Result<Sqlite, OpenError> {
        Sqlite::open_with(path, SqliteOptions::default()).await
    }

    /// Opens the store in a file, with choices.
    pub async fn open_with(path: &Path, chosen: SqliteOptions) -> Result<Sqlite, OpenError> {
        let named = |error: sqlx::Error| match Failure::from(error) {
            Failure::Unavailable(why) => Failure::Unavailable(format!("{}: {why}", path.display())),
            other => other,
        };
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(
                options(path)
                    .create_if_missing(true)
                    // Pages that every group touches stay in memory, what a statement might have to
                    // undo is kept there, and a page that changed often is copied to the file once.
                    .pragma("cache_size", "-65536")
                    .pragma("temp_store", "memory")
                    .pragma("wal_autocheckpoint", "8000")
                    .statement_cache_capacity(STATEMENTS),
            )
            .await
            .map_err(named)?;
        let (found,): (String,) =
            sqlx::query_as("select sqlite_version()").fetch_one(&writer).await.map_err(named)?;
        if !new_enough(&found) {
            return Err(OpenError::OldSqlite { found });
        }
        // After a sync that failed, the system may remember what never came to the disk, and take it
        // for stored. Copied out of the log now, all that can be read is written once more.
        sqlx::raw_sql("pragma wal_checkpoint(truncate)").execute(&writer).await.map_err(named)?;
        let mut setup = writer.begin_with("begin immediate").await.map_err(named)?;
        migrate(&mut setup, MIGRATIONS).await?;
        // The file is marked as ours. SQLite opens a file that can only be read without a word, and
        // this is a write: what cannot be kept is found out now, not with the first command.
        sqlx::raw_sql("pragma application_id = 0x68776179")
            .execute(&mut *setup)
            .await
            .map_err(named)?;
        setup.commit().await.map_err(named)?;
        // SQLite does not mind if the names of its files are not on the disk.
        sync_folder(path).map_err(io_failure(path))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(chosen.readers)
            .connect_with(options(path).read_only(true))
            .await
            .map_err(named)?;
        let teller = Teller::new();
        let (queue, jobs) = mpsc::channel(chosen.waiting);
        let writing = tokio::spawn(write(writer.clone(), jobs, teller.clone()));
        let (queue, writing) = (std::sync::Mutex::new(Some(queue)), Mutex::new(Some(writing)));
        Ok(Sqlite { readers, writer, teller, queue, writing })
    }

    /// Copies the store as it stands at this moment into a new file, while others go on writing.
    /// The copy is whole and on disk when this returns, or it is not there.
    pub async fn backup(&self, to: &Path) -> Result<(), Failure> {
        let unfinished = unfinished(to)?;
        let text = unfinished.to_str().ok_or_else(|| {
            Failure::Unavailable(format!("{}: not a path in UTF-8", to.display()))
        })?;
        sqlx::query("vacuum into $1").bind(text).execute(&self.readers).await?;
        finish(unfinished, to).await
    }

    /// Puts a backup where a store is to be. Nothing may be there yet; the backup is checked first.
    pub async fn restore(from: &Path, to: &Path) -> Result<(), OpenError> {
        let unfinished = unfinished(to)?;
        let mut backup =
            SqliteConnection::connect_with(&options(from).journal_mode(SqliteJournalMode::Delete))
                .await?;
        let (found,): (String,) =
            sqlx::query_as("pragma integrity_check").fetch_one(&mut backup).await?;
        backup.close().await?;
        if found != "ok" {
            return Err(Failure::Corrupt(format!("{}: {found}", from.display())).into());
        }
        std::fs::copy(from, &unfinished).map_err(io_failure(from))?;
        Ok(finish(unfinished, to).await?)
    }

    fn reading(&self) -> &SqlitePool {
        &self.readers
    }

    fn writing(&self) -> &SqlitePool {
        &self.writer
    }

    async fn begin_alone(&self) -> Result<Transaction<'static, sqlx::Sqlite>, sqlx::Error> {
        self.writer.begin_with("begin immediate").await
    }

    async fn append_durably(&self, append: Append) -> Result<Appended, AppendError> {
        self.queue(append, Arc::default())?.await.map_err(|_| closed())?
    }

    fn queue(
        &self,
        append: Append,
        together: Arc<std::sync::Mutex<Together>>,
    ) -> Result<oneshot::Receiver<Answered>, AppendError> {
        let (answer, answered) = oneshot::channel();
        let queue = self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match queue.as_ref().ok_or_else(closed)?.try_send(Job { append, together, answer }) {
            Ok(()) => Ok(answered),
            Err(mpsc::error::TrySendError::Full(job)) => {
                came(&job.together, &job.append, Err(Failure::Busy.into())).map(|_| answered)
            }
            Err(mpsc::error::TrySendError::Closed(_)) => Err(closed().into()),
        }
    }

    fn tell_of(&self, person: Person) {
        self.teller.tell(Notice::Person(person));
    }

    async fn end(&self) {
        drop(self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take());
        if let Some(writing) = self.writing.lock().await.take() {
            // What waits is written first. A writer that panicked has nothing left to write.
            let _ = writing.await;
        }
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// What an append comes to.
type Answered = Result<Appended, AppendError>;

/// Tells those that were handed over with an append what it came to.
fn came(together: &std::sync::Mutex<Together>, append: &Append, result: Answered) -> Answered {
    let mut together = together.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    together.came(append, &result);
    result
}

fn closed() -> Failure {
    Failure::Unavailable("it is closed".into())
}

store_in_sql!(
    Sqlite,
    sqlx::Sqlite,
    SqliteConnection,
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
                Ok(answered) => answered.await.unwrap_or_else(|_| Err(closed().into())),
                Err(error) => Err(error),
            });
        }
        all
    }
);

fn new_enough(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next(), next(), next()) >= OLDEST
}

/// The name a file has until it is whole. Nothing may stand under its final name.
fn unfinished(to: &Path) -> Result<PathBuf, Failure> {
    if to.exists() {
        return Err(Failure::Unavailable(format!("{} exists already", to.display())));
    }
    let mut name = to.as_os_str().to_owned();
    name.push(".unfinished");
    let unfinished = PathBuf::from(name);
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(io_failure(&unfinished)(error))
        }
        _ => Ok(unfinished),
    }
}

/// Waits until a file's name is on disk.
fn sync_folder(of: &Path) -> std::io::Result<()> {
    let folder = of.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Gives a file its name once it is on disk, and waits until the name is too.
async fn finish(unfinished: PathBuf, to: &Path) -> Result<(), Failure> {
    let (name, failure) = (to.to_owned(), io_failure(to));
    let finish = move || {
        File::open(&unfinished)?.sync_all()?;
        std::fs::rename(&unfinished, &name)?;
        sync_folder(&name)
    };
    // A large file takes its time, and others wait on these threads.
    let finished = tokio::task::spawn_blocking(finish).await.map_err(std::io::Error::other);
    finished.flatten().map_err(failure)
}

/// The writer: everything that waits goes into one transaction, and is answered after its commit.
async fn write(pool: SqlitePool, mut jobs: mpsc::Receiver<Job>, teller: Teller) {
    let mut group = Vec::with_capacity(GROUP);
    let (mut stopped, mut busy) = (None, false);
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        if busy {
            tokio::time::sleep(GATHER).await;
            while group.len() < GROUP
                && let Ok(job) = jobs.try_recv()
            {
                group.push(job);
            }
        }
        busy = group.len() >= BUSY;
        let stored = match &stopped {
            None => store_group(&pool, &group).await,
            Some(failure) => Err(Failure::clone(failure).into()),
        };
        match stored {
            Ok(answers) => {
                for (Job { append, answer, .. }, result) in group.drain(..).zip(answers) {
                    if let Ok(Appended::Now(head)) = &result
                        && !append.entries.is_empty()
                    {
                        let (stream, version) = (append.stream, head.version);
                        teller.tell(Notice::Appended { stream, version });
                    }
                    // Whoever asked may be gone; it is stored all the same.
                    let _ = answer.send(result);
                }
            }
            Err(GroupFailure { failure, is_final }) => {
                if is_final {
                    stopped = Some(failure.clone());
                }
                for Job { append, together, answer } in group.drain(..) {
                    let _ = answer.send(came(&together, &append, Err(failure.clone().into())));
                }
            }
        }
    }
}

/// SQLite's codes for a failed fsync, of a file and of a folder.
const FSYNC_FAILED: [&str; 2] = ["1034", "1290"];

/// A group was not stored.
struct GroupFailure {
    failure: Failure,
    /// After a failed fsync nobody knows what is on the disk, and the next one may claim success
    /// all the same. So nothing is written until the store is opened again.
    is_final: bool,
}

impl From<sqlx::Error> for GroupFailure {
    fn from(error: sqlx::Error) -> GroupFailure {
        let code = error.as_database_error().and_then(DatabaseError::code);
        let is_final = code.is_some_and(|code| FSYNC_FAILED.contains(&&*code));
        let failure = match is_final {
            true => Failure::Unavailable(format!("the disk failed, open the store again: {error}")),
            false => error.into(),
        };
        GroupFailure { failure, is_final }
    }
}

impl From<Failure> for GroupFailure {
    fn from(failure: Failure) -> GroupFailure {
        GroupFailure { failure, is_final: false }
    }
}

/// Stores a group of appends on a connection that is not used again if it failed: after a failed
/// commit it may not know itself whether it is still in a transaction.
async fn store_group(
    pool: &SqlitePool,
    group: &[Job],
) -> Result<Vec<Result<Appended, AppendError>>, GroupFailure> {
    let mut connection = pool.acquire().await?;
    let stored = store_group_on(&mut connection, group).await;
    if stored.is_err() {
        // The file is closed either way.
        let _ = connection.close().await;
    }
    stored
}

/// An append that is refused leaves nothing behind; a failure of the database fails all, since none
/// of them is on disk.
async fn store_group_on(
    connection: &mut SqliteConnection,
    group: &[Job],
) -> Result<Vec<Result<Appended, AppendError>>, GroupFailure> {
    let mut whole = connection.begin_with("begin immediate").await?;
    let mut known = read_known(&mut whole, group).await?;
    let (mut entries, mut commands, mut rounds) = (Vec::new(), Vec::new(), Vec::new());
    let judged = group.iter().map(|Job { append, together, .. }| {
        let mut together = together.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (result, new) = match known.append(&together.fit(append)) {
            Ok((appended, new)) => (Ok(appended), new),
            Err(error) => (Err(error), vec![]),
        };
        together.came(append, &result);
        let appended = result?;
        if !new.is_empty() {
            rounds.extend(&append.rounds);
        }
        entries.extend(new);
        if let (Appended::Now(head), Some(command)) = (&appended, &append.command) {
            commands.push((command, &append.stream, head.version));
        }
        Ok(appended)
    });
    let answers = judged.collect();
    for some in entries.chunks(ROWS) {
        insert_entries(&mut whole, some).await?;
    }
    let moves = rows::moves_of(&entries);
    for some in moves.chunks(ROWS) {
        insert_moves(&mut whole, some).await?;
    }
    let moved: BTreeSet<_> = moves.iter().flat_map(|(_, _, it)| [&it.from, &it.to]).collect();
    let balances: Vec<_> = moved.into_iter().map(|it| (it, known.balances[it])).collect();
    for some in balances.chunks(ROWS) {
        let replace = " on conflict (account) do update set amount = excluded.amount";
        write_balances(&mut whole, some, replace).await?;
    }
    for some in rounds.chunks(ROWS) {
        insert_rounds(&mut whole, some).await?;
    }
    for some in commands.chunks(ROWS) {
        insert_commands(&mut whole, some).await?;
    }
    whole.commit().await?;
    Ok(answers)
}

/// What the appends of a group depend on, asked in three questions.
async fn read_known(db: &mut SqliteConnection, group: &[Job]) -> Result<Known, Failure> {
    let appends = || group.iter().map(|job| &job.append);
    let mut known = Known::default();

    let streams: BTreeSet<&str> = appends().map(|it| it.stream.as_str()).collect();
    let heads: Vec<(String, i64, Vec<u8>)> = sqlx::query_as(
        "select stream, version, hash from json_each($1) as wanted join entry \
         on stream = wanted.value \
         and version = (select max(version) from entry where stream = wanted.value)",
    )
    .bind(serde_json::json!(streams).to_string())
    .fetch_all(&mut *db)
    .await?;
    for (stream, version, hash) in heads {
        known.heads.insert(rows::name(&stream)?, rows::head((version, hash))?);
    }

    let moves = appends().flat_map(|it| &it.entries).flat_map(|it| &it.moves);
    let accounts: BTreeSet<&str> =
        moves.flat_map(|it| [it.from.as_str(), it.to.as_str()]).collect();
    if !accounts.is_empty() {
        let balances: Vec<(String, i64)> = sqlx::query_as(
            "select account, amount from balance \
             where account in (select value from json_each($1))",
        )
        .bind(serde_json::json!(accounts).to_string())
        .fetch_all(&mut *db)
        .await?;
        for (account, amount) in balances {
            known.balances.insert(rows::name(&account)?, amount);
        }
    }

    let commands: Vec<_> = appends().filter_map(|it| it.command.as_ref()).collect();
    for some in commands.chunks(ROWS) {
        // Joined and not looked up in a list: SQLite would walk every command for that.
        let mut wanted = QueryBuilder::<sqlx::Sqlite>::new("with wanted (by_person, by_id) as (");
        wanted.push_values(some, |mut row, command| {
            row.push_bind(i64::from(command.by.0)).push_bind(&command.id.as_bytes()[..]);
        });
        wanted.push(
            ") select person, id, digest, stream, version, answer from wanted join command \
             on person = by_person and id = by_id",
        );
        let before: Vec<rows::AnyCommandRow> = wanted.build_query_as().fetch_all(&mut *db).await?;
        for (person, id, digest, stream, version, answer) in before {
            let answered = rows::remembered((digest, stream, version, answer))?;
            known.commands.insert((rows::person(person)?, rows::uuid(&id)?), answered);
        }
    }
    Ok(known)
}

async fn insert_commands(
    db: &mut SqliteConnection,
    commands: &[(&Remember, &StreamId, Version)],
) -> Result<(), sqlx::Error> {
    let mut insert = QueryBuilder::<sqlx::Sqlite>::new(
        "insert into command (person, id, digest, stream, version, answer) ",
    );
    insert.push_values(commands, |mut row, (command, stream, version)| {
        row.push_bind(i64::from(command.by.0))
            .push_bind(&command.id.as_bytes()[..])
            .push_bind(&command.digest[..])
            .push_bind(stream.as_str())
            .push_bind(rows::int(version.0))
            .push_bind(&command.answer);
    });
    insert.build().execute(db).await.map(drop)
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
