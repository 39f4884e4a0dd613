//! The one writer of a SQLite store.
//!
//! Appends queue for a single task. It takes all that wait, reads what they depend on, judges one
//! after the other in memory, writes what is carried out in one transaction, commits once and only
//! then answers: under load the disk is asked once for many, and so is SQLite.
//!
//! A group is written in one go on one thread, over a connection that is its own. A connection that is
//! asked over a channel, statement by statement and row by row, wakes two threads for each.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{
    CachedStatement, Connection, OpenFlags, OptionalExtension, ToSql, Transaction,
    TransactionBehavior, params, params_from_iter,
};
use sqlx::sqlite::SqlitePool;
use tokio::sync::{mpsc, oneshot};

use crate::append::{Append, Appended, Known, Together};
use crate::changes::{Notice, Teller};
use crate::entry::{Head, Version};
use crate::error::{AppendError, Failure};
use crate::inserts::{self, Insert, Value};
use crate::rows;
use crate::sql::ROWS;

/// The most appends that share a commit.
const GROUP: usize = 256;

/// How many streams and accounts are known at most; more are read again.
const KNOWN: usize = 50_000;

/// How many statements are kept.
const STATEMENTS: usize = 512;

/// A group of so many is a sign that more are on their way.
const BUSY: usize = 8;

/// How long these are waited for. Everyone waits a little longer, and a commit, which costs much the
/// same for one as for fifty, is shared by more.
const GATHER: Duration = Duration::from_millis(3);

/// How long another program may hold the file.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Pages that every group touches stay in memory, and what a statement might have to undo is kept there.
/// The cache is no larger than that takes: SQLite walks through all of it at every commit that has split
/// a page. When the log is copied to the file is not left to SQLite.
const TUNED: &str = "pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16384; \
                     pragma temp_store = memory; pragma wal_autocheckpoint = 0";

/// How often the pages that are copied at once may be in the log before readers are waited for, and how
/// long.
const LONGEST: i64 = 2;
const MOMENT: Duration = Duration::from_millis(100);

/// An append that waits.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) append: Append,
    /// What it was handed over with.
    pub(crate) together: Arc<Mutex<Together>>,
    pub(crate) answer: oneshot::Sender<Answered>,
}

/// What an append comes to.
pub(crate) type Answered = Result<Appended, AppendError>;

/// Tells those that were handed over with an append what it came to.
pub(crate) fn came(together: &Mutex<Together>, append: &Append, result: Answered) -> Answered {
    let mut together = together.lock().unwrap_or_else(PoisonError::into_inner);
    together.came(append, &result);
    result
}

/// The writer: everything that waits goes into one transaction, and is answered after its commit.
/// `right` has one connection, and whoever holds it may write: so nobody finds the file taken. At the end
/// it says why nothing was written any more, if so.
pub(crate) async fn write(
    mut writer: Writer,
    right: SqlitePool,
    mut jobs: mpsc::Receiver<Job>,
    teller: Teller,
) -> Option<Failure> {
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
        let stored = match (&stopped, right.acquire().await) {
            (Some(failure), _) => Err(Failure::clone(failure).into()),
            (None, Err(error)) => Err(Failure::from(error).into()),
            (None, Ok(_right)) => {
                let storing = move || {
                    let stored = writer.store(&group);
                    (writer, group, stored)
                };
                // It panics only if we do, and then nothing more is to be written.
                let Ok(done) = tokio::task::spawn_blocking(storing).await else { return stopped };
                let stored;
                (writer, group, stored) = done;
                stored
            }
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
        if writer.is_long && stopped.is_none() {
            let copying = move || {
                let copied = writer.copy();
                (writer, copied)
            };
            let copied;
            let Ok(done) = tokio::task::spawn_blocking(copying).await else { return stopped };
            (writer, copied) = done;
            // Whatever else is wrong is met again, here or by the next group.
            stopped = copied.err().filter(|it| it.is_final).map(|it| it.failure);
        }
    }
    stopped
}

/// SQLite's codes for a failed fsync, of a file and of a folder.
const FSYNC_FAILED: [i32; 2] = [1034, 1290];

/// A group was not stored.
struct GroupFailure {
    failure: Failure,
    /// After a failed fsync nobody knows what is on the disk, and the next one may claim success
    /// all the same. So nothing is written until the store is opened again.
    is_final: bool,
}

impl From<rusqlite::Error> for GroupFailure {
    fn from(error: rusqlite::Error) -> GroupFailure {
        let code = error.sqlite_error().map(|it| it.extended_code);
        let is_final = code.is_some_and(|code| FSYNC_FAILED.contains(&code));
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

pub(crate) struct Writer {
    path: PathBuf,
    /// So many pages of the log are copied to the file at once.
    log_pages: u32,
    /// None before the first group, and after one that failed.
    link: Option<Link>,
    /// Whether the log has become long.
    is_long: bool,
}

impl Writer {
    pub(crate) fn new(path: &Path, log_pages: u32) -> Writer {
        Writer { path: path.to_owned(), log_pages, link: None, is_long: false }
    }

    /// Stores a group of appends on a connection that is not used again if it failed: after a failed
    /// commit it may not know itself whether it is still in a transaction.
    fn store(&mut self, group: &[Job]) -> Result<Vec<Answered>, GroupFailure> {
        let mut link = match self.link.take() {
            Some(link) => link,
            None => Link::new(open(&self.path)?),
        };
        let stored = link.store(group)?;
        let (length, copied) = checkpoint(&link.connection, "noop").unwrap_or_default();
        self.is_long = length - copied >= i64::from(self.log_pages);
        self.link = Some(link);
        Ok(stored)
    }

    /// Copies the log to the file, as far as nobody reads what is there.
    ///
    /// SQLite would do it by itself after a commit, and say nothing if the disk does not confirm it.
    /// But what was copied before, while someone read, was not synced by itself, and is not copied
    /// again: a sync that fails may have lost it. So nothing is written until the store is opened again,
    /// when all of the log is copied.
    fn copy(&mut self) -> Result<(), GroupFailure> {
        self.is_long = false;
        let Some(link) = &self.link else { return Ok(()) };
        let (length, _) = checkpoint(&link.connection, "passive")?;
        // The log begins anew when nobody reads what is in it. Where there always is somebody it would grow
        // for ever: then they are waited for, but for a moment only, since a backup reads for minutes.
        if length >= LONGEST * i64::from(self.log_pages) {
            link.connection.busy_timeout(MOMENT)?;
            let begun_anew = checkpoint(&link.connection, "restart");
            link.connection.busy_timeout(PATIENCE)?;
            begun_anew?;
        }
        Ok(())
    }
}

/// Copies the log to the file in one of SQLite's ways: how many pages are in the log, and how many of
/// them were copied.
fn checkpoint(connection: &Connection, way: &str) -> rusqlite::Result<(i64, i64)> {
    let mut pragma = connection.prepare_cached(&format!("pragma wal_checkpoint({way})"))?;
    pragma.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))
}

/// A connection that is closed after all others, and copies nothing then.
///
/// Whichever connection goes last copies the log to the file and removes it, also where a sync has failed
/// and the log is all that is left of what was copied before.
pub(crate) struct LastToGo(Connection);

impl LastToGo {
    pub(crate) fn open(path: &Path) -> Result<LastToGo, Failure> {
        let connection = open(path)?;
        // Until it reads something, it does not count.
        connection.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?;
        Ok(LastToGo(connection))
    }

    /// Once all others have gone: leaves one file behind, if the disk has confirmed everything.
    pub(crate) fn go(self, is_sound: bool) {
        if is_sound && checkpoint(&self.0, "truncate").is_ok() {
            // What cannot be tidied up is no worse than after a power failure.
            let _ = self.0.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false);
        }
    }
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.execute_batch(TUNED)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// A connection, and what is known of the file as long as nobody else writes to it: no other program, and
/// none of our own connections, which write sessions and people.
struct Link {
    connection: Connection,
    /// Where streams stand and what is in accounts, after the last group.
    known: Known,
    /// SQLite's count of what others have written, when that was read.
    others: i64,
}

impl Link {
    fn new(connection: Connection) -> Link {
        Link { connection, known: Known::default(), others: 0 }
    }

    /// Stores a group. Not to be asked again once it has failed.
    fn store(&mut self, group: &[Job]) -> Result<Vec<Answered>, GroupFailure> {
        let Link { connection, known, others } = self;
        let whole = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let written: i64 =
            whole.prepare_cached("pragma data_version")?.query_row([], |row| row.get(0))?;
        if written != *others || known.heads.len() + known.balances.len() > KNOWN {
            *known = Known::default();
            *others = written;
        }
        known.commands.clear();
        read_known(&whole, group, known)?;
        store_group(whole, group, known)
    }
}

/// An append that is refused leaves nothing behind; a failure of the database fails all, since none
/// of them is on disk.
fn store_group(
    whole: Transaction<'_>,
    group: &[Job],
    known: &mut Known,
) -> Result<Vec<Answered>, GroupFailure> {
    let (mut entries, mut commands) = (Vec::new(), Vec::new());
    let (mut rounds, mut marks) = (Vec::new(), Vec::new());
    let judged = group.iter().map(|Job { append, together, .. }| {
        let mut together = together.lock().unwrap_or_else(PoisonError::into_inner);
        let (result, new) = match known.append(&together.fit(append)) {
            Ok((appended, new)) => (Ok(appended), new),
            Err(error) => (Err(error), vec![]),
        };
        together.came(append, &result);
        let appended = result?;
        if !new.is_empty() {
            rounds.extend(&append.rounds);
            let here = Version(append.expected.0 + append.entries.len() as u64);
            marks.extend(append.mark.as_deref().map(|mark| (&append.stream, here, mark)));
        }
        entries.extend(new);
        if let (Appended::Now(head), Some(command)) = (&appended, &append.command) {
            commands.push((command, &append.stream, head.version));
        }
        Ok(appended)
    });
    let answers = judged.collect();
    insert(&whole, &inserts::entries(&entries))?;
    let moves = inserts::moves_of(&entries);
    insert(&whole, &inserts::moves(&moves))?;
    let moved: BTreeSet<_> = moves.iter().flat_map(|(_, _, it)| [&it.from, &it.to]).collect();
    let balances: Vec<_> = moved.into_iter().map(|it| (it, known.balances[it])).collect();
    let replace = " on conflict (account) do update set amount = excluded.amount";
    insert(&whole, &inserts::balances(&balances, replace))?;
    insert(&whole, &inserts::rounds(&rounds))?;
    insert(&whole, &inserts::shares(&rounds))?;
    let (of_rows, of_bets) = inserts::day_sums(&rounds);
    insert(&whole, &inserts::round_sums(&of_rows))?;
    insert(&whole, &inserts::bet_sums(&of_bets))?;
    insert(&whole, &inserts::marks(&marks))?;
    insert(&whole, &inserts::commands(&commands))?;
    whole.commit()?;
    Ok(answers)
}

/// Reads what the appends of a group depend on and is not known.
fn read_known(db: &Transaction<'_>, group: &[Job], known: &mut Known) -> Result<(), GroupFailure> {
    let appends = || group.iter().map(|job| &job.append);

    let mut head = db.prepare_cached(
        "select version, hash from entry where stream = ?1 order by version desc limit 1",
    )?;
    for stream in appends().map(|it| &it.stream) {
        if known.heads.contains_key(stream) {
            continue;
        }
        let row = head.query_row([stream.as_str()], |it| Ok((it.get(0)?, it.get(1)?)));
        let head: Option<Head> = row.optional()?.map(rows::head).transpose()?;
        known.heads.extend(head.map(|head| (stream.clone(), head)));
    }

    let mut balance = db.prepare_cached("select amount from balance where account = ?1")?;
    let moves = appends().flat_map(|it| &it.entries).flat_map(|it| &it.moves);
    for account in moves.flat_map(|it| [&it.from, &it.to]) {
        if known.balances.contains_key(account) {
            continue;
        }
        let amount = balance.query_row([account.as_str()], |it| it.get(0)).optional()?;
        known.balances.extend(amount.map(|amount| (account.clone(), amount)));
    }

    let mut command = db.prepare_cached(
        "select digest, stream, version, answer from command where person = ?1 and id = ?2",
    )?;
    for asked in appends().filter_map(|it| it.command.as_ref()) {
        let row = command.query_row(params![asked.by.0, &asked.id.as_bytes()[..]], |it| {
            Ok((it.get(0)?, it.get(1)?, it.get(2)?, it.get(3)?))
        });
        if let Some(row) = row.optional()? {
            known.commands.insert((asked.by, asked.id), rows::remembered(row)?);
        }
    }
    Ok(())
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Int(it) => ValueRef::Integer(it),
            Value::Real(it) => ValueRef::Real(it),
            Value::Bool(it) => ValueRef::Integer(it.into()),
            Value::Text(it) => ValueRef::Text(it.as_bytes()),
            Value::NoText => ValueRef::Null,
            Value::Bytes(it) => ValueRef::Blob(it),
        }))
    }
}

/// Writes rows, some at a time.
fn insert<const N: usize>(db: &Transaction<'_>, rows: &Insert<'_, N>) -> rusqlite::Result<()> {
    for some in rows.values.chunks(ROWS) {
        statement(db, rows, some.len())?.execute(params_from_iter(some.iter().flatten()))?;
    }
    Ok(())
}

/// The statement that writes so many rows. Whatever is wrong with one of them undoes the transaction:
/// to undo the statement alone, SQLite would copy every page before it writes there.
fn statement<'a, const N: usize>(
    db: &'a Transaction<'_>,
    rows: &Insert<'_, N>,
    count: usize,
) -> rusqlite::Result<CachedStatement<'a>> {
    let row = format!("({})", ["?"; N].join(","));
    let values = vec![row; count].join(",");
    let Insert { into, conflict, .. } = rows;
    db.prepare_cached(&format!("insert or rollback into {into} values {values}{conflict}"))
}
