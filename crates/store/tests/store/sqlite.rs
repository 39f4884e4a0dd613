//! What only SQLite does: copies under load, a queue with an end, a disk with one.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use houseway_store::{
    AppendError, Failure, NewUser, OpenError, Sqlite, SqliteOptions, Store, Version,
};
use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;
use tokio::task::JoinSet;

use crate::common::{append, assert_whole, bodies, entry, fund, moved, paid, stream};
use crate::crash::{Acknowledged, assert_kept, child};

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let store = Arc::new(Sqlite::open(&path("live.db")).await.expect("it opens"));
    fund(&*store, "wallet/1", 1_000_000).await;
    let enough = Arc::new(AtomicBool::new(false));
    let stored = Arc::new(AtomicU64::new(0));
    let mut writers = JoinSet::new();
    for table in 0..4 {
        let (store, enough, stored) = (store.clone(), enough.clone(), stored.clone());
        writers.spawn(async move {
            let mut version = 0;
            while !enough.load(Ordering::Relaxed) {
                let moves = vec![moved("wallet/1", "house/bets", 1)];
                let asked = append(&format!("table/{table}"), version, vec![paid("x", moves)]);
                store.append(asked).await.expect("stored");
                stored.fetch_add(1, Ordering::Relaxed);
                version += 1;
            }
        });
    }
    for number in 0..3 {
        let before = stored.load(Ordering::Relaxed);
        while stored.load(Ordering::Relaxed) < before + 10 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        store.backup(&path(&format!("backup{number}.db"))).await.expect("copied");
    }
    enough.store(true, Ordering::Relaxed);
    writers.join_all().await;
    // Nobody else is to read what people are known again by.
    #[cfg(unix)]
    for name in ["live.db", "live.db-wal", "backup0.db"] {
        let rights = path(name).metadata().expect("it is there").permissions();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&rights) & 0o777, 0o600, "{name}");
    }

    let occupied = store.backup(&path("backup0.db")).await;
    assert!(matches!(&occupied, Err(Failure::Unavailable(why)) if why.contains("exists already")));
    let mut before = 0;
    for number in 0..3 {
        let restored = path(&format!("restored{number}.db"));
        Sqlite::restore(&path(&format!("backup{number}.db")), &restored).await.expect("restored");
        let copy = Sqlite::open(&restored).await.expect("it opens");
        assert_whole(&copy).await;
        let heads = copy.heads("").await.expect("heads");
        let entries: u64 = heads.iter().map(|(_, head)| head.version.0).sum();
        assert!(entries > before, "later backups hold more");
        before = entries;
        for (stream, head) in heads {
            // What was copied is what the live store had at some moment.
            store.verify_chain(&stream, Some(head)).await.expect("a part of the same history");
        }
        fund(&copy, "wallet/1", 1).await;
    }
    let again = Sqlite::restore(&path("backup0.db"), &path("restored0.db")).await;
    assert!(again.is_err(), "nothing is overwritten");
    std::fs::write(path("noise.db"), [7; 9_000]).expect("written");
    let noise = Sqlite::restore(&path("noise.db"), &path("new.db")).await;
    assert!(matches!(noise, Err(OpenError::Failed(Failure::Corrupt(_)))), "{noise:?}");
    assert!(!path("new.db").exists());
    // SQLite takes an empty file for an empty database; it is nobody's copy of a store.
    std::fs::write(path("broken-off.db"), []).expect("written");
    let foreign = format!("sqlite://{}?mode=rwc", path("foreign.db").display());
    let mut raw = SqliteConnection::connect(&foreign).await.expect("it opens");
    sqlx::query("create table x (y integer)").execute(&mut raw).await.expect("a table");
    raw.close().await.expect("it closes");
    for name in ["broken-off.db", "foreign.db"] {
        let none = Sqlite::restore(&path(name), &path("new.db")).await.expect_err("no copy");
        assert!(none.to_string().contains("it is no copy of a house"), "{name}: {none}");
        assert!(!path("new.db").exists() && !path("new.db.unfinished").exists(), "{name}");
    }
}

/// A copy is known again by the file beside it, which the usual tool reads too; without that, SQLite
/// itself reads all of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_was_changed_is_not_restored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let store = Sqlite::open(&path("live.db")).await.expect("it opens");
    fund(&store, "wallet/1", 1_000_000).await;
    let entries = (0..200).map(|number| entry(&format!("entry {number}"))).collect();
    store.append(append("table/1", 0, entries)).await.expect("stored");
    store.backup(&path("copy.db")).await.expect("copied");
    assert!(!path("copy.db-wal").exists() && !path("copy.db-shm").exists(), "it is one file");
    let mut check = Command::new("sha256sum");
    let checked = check.args(["--check", "copy.db.sha256"]).current_dir(folder.path()).output();
    assert!(checked.expect("sha256sum is there").status.success());

    let whole = std::fs::read(path("copy.db")).expect("read");
    for place in [100, whole.len() / 2, whole.len() - 1] {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        std::fs::write(path("copy.db"), changed).expect("written");
        let refused = Sqlite::restore(&path("copy.db"), &path("new.db")).await;
        let Err(OpenError::Failed(Failure::Corrupt(why))) = refused else { panic!("{refused:?}") };
        assert!(why.contains("not the copy that was made"), "{why}");
    }
    std::fs::write(path("copy.db"), &whole[..whole.len() - 4_096]).expect("written");
    assert!(Sqlite::restore(&path("copy.db"), &path("new.db")).await.is_err(), "its end is gone");
    std::fs::write(path("copy.db.sha256"), "nothing").expect("written");
    let refused = Sqlite::restore(&path("copy.db"), &path("new.db")).await;
    assert!(refused.is_err_and(|it| it.to_string().contains("does not begin with a SHA-256")));

    std::fs::remove_file(path("copy.db.sha256")).expect("removed");
    let refused = Sqlite::restore(&path("copy.db"), &path("new.db")).await;
    assert!(matches!(refused, Err(OpenError::Failed(Failure::Corrupt(_)))), "{refused:?}");
    let names = std::fs::read_dir(folder.path()).expect("a folder");
    let names: Vec<_> = names.map(|it| it.expect("a name").file_name()).collect();
    assert!(!names.iter().any(|it| it.to_string_lossy().starts_with("new")), "{names:?}");
    std::fs::write(path("copy.db"), &whole).expect("written");
    Sqlite::restore(&path("copy.db"), &path("new.db")).await.expect("restored");
    assert_whole(&Sqlite::open(&path("new.db")).await.expect("it opens")).await;
    assert_eq!(std::fs::read(path("copy.db")).expect("read"), whole, "the copy is left as it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("houseway.db");
    let options = SqliteOptions { waiting: 1, ..SqliteOptions::default() };
    let store = Arc::new(Sqlite::open_with(&path, options).await.expect("it opens"));
    // Somebody else writes, so the writer waits with what it has.
    let mut other =
        SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.expect("opens");
    sqlx::raw_sql("begin immediate").execute(&mut other).await.expect("begun");
    let mut tasks = JoinSet::new();
    for number in 0..6 {
        let store = store.clone();
        tasks.spawn(async move {
            (number, store.append(append(&format!("table/{number}"), 0, vec![entry("a")])).await)
        });
    }
    let mut busy = 0;
    while busy < 4 {
        let (number, result) = tasks.join_next().await.expect("more").expect("no panic");
        assert_eq!(result, Err(AppendError::Failed(Failure::Busy)));
        assert_eq!(bodies(&*store, &format!("table/{number}")).await, Vec::<String>::new());
        busy += 1;
    }
    sqlx::raw_sql("rollback").execute(&mut other).await.expect("ended");
    let mut stored = 0;
    for (number, result) in tasks.join_all().await {
        match &result {
            Ok(_) => stored += 1,
            Err(error) => assert_eq!(*error, AppendError::Failed(Failure::Busy)),
        }
        let written = bodies(&*store, &format!("table/{number}")).await.len();
        assert_eq!(written == 1, result.is_ok());
    }
    assert!(stored >= 1, "what waited is stored");
}

/// What waits when a store is closed is stored before it closes.
#[tokio::test(flavor = "multi_thread")]
async fn closing_finishes_what_waits() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("houseway.db");
    let store = Arc::new(Sqlite::open(&path).await.expect("it opens"));
    let mut tasks = JoinSet::new();
    for number in 0..50 {
        let store = store.clone();
        tasks.spawn(async move {
            store.append(append(&format!("table/{number}"), 0, vec![entry("a")])).await.is_ok()
        });
    }
    // One is stored for certain; how many of the others came in time is not known.
    assert!(tasks.join_next().await.expect("fifty").expect("no panic"));
    store.close().await;
    let stored = 1 + tasks.join_all().await.into_iter().filter(|stored| *stored).count();
    let again = Sqlite::open(&path).await.expect("it opens");
    assert_eq!(again.heads("").await.expect("heads").len(), stored);
}

/// SQLite refuses it to some of them, now and then, if they do not take turns.
#[tokio::test(flavor = "multi_thread")]
async fn several_make_one_file() {
    for _ in 0..100 {
        let folder = tempfile::tempdir().expect("a folder");
        let mut opened: JoinSet<_> = (0..4)
            .map(|_| {
                let path = folder.path().join("houseway.db");
                async move { Sqlite::open(&path).await }
            })
            .collect();
        while let Some(store) = opened.join_next().await {
            store.expect("no panic").expect("it opens").close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_written_is_named() {
    // Nobody can make a file here, not even root.
    let refused = Sqlite::open(Path::new("/proc/houseway.db")).await.expect_err("no such place");
    let OpenError::Failed(Failure::Unavailable(why)) = &refused else { panic!("{refused:?}") };
    assert!(why.starts_with("/proc/houseway.db: "), "{why}");
}

/// Stands before the system's own: fails while a certain file exists.
const FAILING_SYNC: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
/* Syncs of the file whose path stands in the one that the environment names. */
static int fails(int file) {
    char link[64], path[4096], which[4096];
    int told = open(getenv("HOUSEWAY_TEST_FAIL"), O_RDONLY);
    ssize_t length = told < 0 ? 0 : read(told, which, sizeof which);
    if (told >= 0) close(told);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t found = readlink(link, path, sizeof path);
    errno = EIO;
    return length > 0 && found == length && !memcmp(path, which, length);
}
int fsync(int file) { return fails(file) ? -1 : syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails(file) ? -1 : syscall(SYS_fdatasync, file); }
"#;

/// After an fsync that failed, the next may succeed without having written anything. So nothing
/// more is acknowledged until the store is opened again.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_does_not_confirm_stops_the_writer() {
    stops_when_not_confirmed("houseway.db-wal").await;
}

/// The same for the file that the log is copied to now and then, of which SQLite by itself says nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_does_not_confirm_a_copy_stops_the_writer() {
    stops_when_not_confirmed("houseway.db").await;
}

async fn stops_when_not_confirmed(file: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("sync.c"), FAILING_SYNC).expect("written");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([path("sync.so"), path("sync.c")])
        .status()
        .expect("there is a C compiler, or SQLite could not have been built");
    assert!(built.success());
    let mut failing = child(&format!("sqlite:{}", path("houseway.db").display()), 1);
    failing.env("LD_PRELOAD", path("sync.so")).env("HOUSEWAY_TEST_FAIL", path("fail"));
    let mut running = failing.spawn().expect("it starts");
    let mut acknowledged = Vec::new();
    let output = BufReader::new(running.stdout.take().expect("piped"));
    let mut lines = output.lines().map_while(Result::ok);
    while acknowledged.len() < 10 {
        acknowledged.extend(Acknowledged::read(&lines.next().expect("it is alive")));
    }
    let unconfirmed = path(file).canonicalize().expect("it is there");
    std::fs::write(path("fail"), unconfirmed.as_os_str().as_encoded_bytes()).expect("written");
    let failed = lines.by_ref().find(|line| {
        acknowledged.extend(Acknowledged::read(line));
        line.starts_with("waits: the store is not available: the disk failed")
    });
    assert!(failed.is_some(), "it never noticed");
    std::fs::remove_file(path("fail")).expect("removed");
    // Six wait at a time. What the disk confirmed before it failed may still be in the pipe.
    let mut hear = |mut waits: u32| {
        let mut stored = Vec::new();
        while waits > 0 {
            let line = lines.next().expect("it is alive");
            waits -= u32::from(line.starts_with("waits: "));
            stored.extend(Acknowledged::read(&line));
        }
        stored
    };
    acknowledged.extend(hear(30));
    assert_eq!(hear(30).len(), 0, "it acknowledges nothing more");
    running.kill().expect("killed");
    running.wait().expect("ended");
    let store = Sqlite::open(&path("houseway.db")).await.expect("it opens");
    assert_kept(&store, &acknowledged).await;
    fund(&store, "wallet/1", 1).await;
}

/// A child that may not write beyond a mebibyte runs against the wall, acknowledges nothing there,
/// and goes on by itself when there is room again.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_acknowledges_nothing_and_recovers() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("houseway.db");
    let address = format!("sqlite:{}", path.display());
    drop(Sqlite::open(&path).await.expect("it opens"));
    let real = child(&address, 1);
    let mut limited = Command::new("/bin/sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -S -f 2048; exec \"$@\"", "sh"]);
    limited.arg(real.get_program()).args(real.get_args());
    limited.envs(real.get_envs().filter_map(|(key, value)| Some((key, value?))));
    let mut running = limited.stdout(Stdio::piped()).spawn().expect("it starts");
    let output = running.stdout.take().expect("piped");
    let mut acknowledged = Vec::new();
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let stuck = lines.by_ref().find(|line| {
        acknowledged.extend(Acknowledged::read(line));
        line.starts_with("waits: the store is not available")
    });
    assert!(stuck.is_some(), "it never ran against the wall");
    let before = acknowledged.len();
    assert!(before > 10, "it had room at first");
    let lifted = Command::new("prlimit")
        .args(["--pid", &running.id().to_string(), "--fsize=unlimited:unlimited"])
        .status()
        .expect("prlimit runs");
    assert!(lifted.success());
    for line in lines {
        acknowledged.extend(Acknowledged::read(&line));
        if acknowledged.len() > before + 10 {
            break;
        }
    }
    assert!(acknowledged.len() > before + 10, "it went on by itself");
    running.kill().expect("killed");
    running.wait().expect("ended");
    let store = Sqlite::open(&path).await.expect("it opens");
    assert_kept(&store, &acknowledged).await;
    assert!(store.head(&stream("table/0")).await.expect("a head").version > Version(0));
}

/// Whoever only looks finds what is in the log too, and leaves everything as it was: a house that is open
/// goes on, and what was killed is left for whoever opens it.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_only_read_is_left_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    // Nothing in a name is taken for a part of an address.
    let path = folder.path().join("a house?immutable=1#%41.db");
    let missing = Sqlite::open_to_read(&path).await.expect_err("there is none");
    assert!(missing.to_string().contains("a house?immutable=1#%41.db: "), "{missing}");
    assert!(!path.exists(), "none is made");
    let store = Sqlite::open(&path).await.expect("it opens");
    fund(&store, "wallet/1", 500).await;
    store.append(append("table/1", 0, vec![entry("a")])).await.expect("stored");
    let all = || {
        let names = std::fs::read_dir(folder.path()).expect("a folder");
        let paths = names.map(|it| it.expect("a name").path());
        // Who reads is noted in the third file, which says nothing about what is kept.
        let kept = paths.filter(|it| !it.to_string_lossy().ends_with("-shm"));
        kept.map(|it| (it.clone(), std::fs::read(it).expect("read"))).collect::<BTreeMap<_, _>>()
    };
    let before = all();
    let log = before.iter().find(|(path, _)| path.to_string_lossy().ends_with("-wal"));
    assert!(log.is_some_and(|(_, bytes)| !bytes.is_empty()), "something is in the log alone");
    let read = Sqlite::open_to_read(&path).await.expect("it opens");
    assert_eq!(bodies(&read, "table/1").await, ["a"]);
    assert_whole(&read).await;
    let refused = read.append(append("table/1", 1, vec![entry("b")])).await;
    let Err(AppendError::Failed(Failure::Unavailable(why))) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(why, "it was opened to be read only");
    for refused in [
        read.prove_writable().await,
        read.note_failed_login("ada", 1).await,
        read.rebuild_books().await,
        read.remove_strays().await,
    ] {
        assert!(matches!(refused, Err(Failure::Unavailable(_))), "{refused:?}");
    }
    assert!(all() == before, "nothing was written");
    // What comes meanwhile is seen.
    store.append(append("table/1", 1, vec![entry("b")])).await.expect("stored");
    assert_eq!(bodies(&read, "table/1").await, ["a", "b"]);
    let copy = folder.path().join("copy.db");
    read.backup(&copy).await.expect("copied");
    read.close().await;
    assert!(read.head(&stream("table/1")).await.is_err(), "it is closed");
    store.append(append("table/1", 2, vec![entry("c")])).await.expect("stored");
    store.close().await;
    let closed = Sqlite::open_to_read(&path).await.expect("it opens");
    assert_eq!(bodies(&closed, "table/1").await, ["a", "b", "c"]);
    let copy = Sqlite::open_to_read(&copy).await.expect("it opens");
    assert_eq!(bodies(&copy, "table/1").await, ["a", "b"]);
}

/// Only whoever writes can bring a schema up to date.
#[tokio::test(flavor = "multi_thread")]
async fn a_schema_of_another_time_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("houseway.db");
    Sqlite::open(&path).await.expect("it opens").close().await;
    let refused = async |sql: &'static str| {
        let mut raw = SqliteConnection::connect(&format!("sqlite://{}", path.display()))
            .await
            .expect("opens");
        sqlx::raw_sql(sql).execute(&mut raw).await.expect("done");
        raw.close().await.expect("it closes");
        Sqlite::open_to_read(&path).await.expect_err("it is another schema")
    };
    let older = refused("delete from schema_version where version > 4").await;
    let OpenError::OlderSchema { found: 4, .. } = older else { panic!("{older}") };
    assert!(older.to_string().contains("open the house with this program"), "{older}");
    let newer = refused("insert into schema_version values (99, 'later')").await;
    assert!(matches!(newer, OpenError::NewerSchema { found: 99, .. }), "{newer}");
    let none = refused("drop table schema_version").await;
    assert!(none.to_string().ends_with("holds no house"), "{none}");
}

/// SQLite tells who was added before it commits. Whoever could not be kept was not added.
#[tokio::test]
async fn whoever_could_not_be_committed_was_not_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("houseway.db");
    let store = Sqlite::open(&path).await.expect("it opens");
    let address = format!("sqlite://{}", path.display());
    let mut raw = SqliteConnection::connect(&address).await.expect("it opens");
    // What is deferred fails when everything else is done.
    let late = "create table nobody (x integer primary key); \
                create table late (x integer references nobody deferrable initially deferred); \
                create trigger fails after insert on person begin insert into late values (1); end";
    sqlx::raw_sql(late).execute(&mut raw).await.expect("a trigger");
    raw.close().await.expect("it closes");
    let (name, role) = ("Ann".to_owned(), "player".to_owned());
    let added = store.add_user(NewUser { name, password_hash: None, role, created: 1 }).await;
    assert!(added.is_err(), "{added:?}");
    assert_eq!(store.user_named("Ann").await, Ok(None));
}

/// Two who read in turn, so that somebody always does: the log stays short all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_always_read_does_not_grow_for_ever() {
    const PAGES: u32 = 16;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("read.db");
    let options = SqliteOptions { log_pages: PAGES, ..SqliteOptions::default() };
    let store = Sqlite::open_with(&path, options).await.expect("it opens");
    let enough = Arc::new(AtomicBool::new(false));
    let address = format!("sqlite://{}", path.display());
    let (is_enough, mut readers) = (enough.clone(), vec![]);
    for _ in 0..2 {
        readers.push(SqliteConnection::connect(&address).await.expect("it opens"));
    }
    let reading = tokio::spawn(async move {
        let [one, other] = &mut readers[..] else { panic!("two") };
        let look = async |connection: &mut SqliteConnection| {
            let begun = "begin; select count(*) from entry";
            sqlx::raw_sql(begun).execute(connection).await.expect("it is read");
        };
        look(one).await;
        let (mut reads, mut next) = (one, other);
        while !is_enough.load(Ordering::Relaxed) {
            look(next).await;
            tokio::time::sleep(Duration::from_millis(2)).await;
            sqlx::raw_sql("commit").execute(&mut *reads).await.expect("it ends");
            (reads, next) = (next, reads);
        }
    });
    let mut longest = 0;
    for version in 0..600 {
        let body = "x".repeat(6_000);
        store.append(append("table/1", version, vec![entry(&body)])).await.expect("stored");
        let log = std::fs::metadata(folder.path().join("read.db-wal")).expect("a log");
        longest = longest.max(log.len());
    }
    enough.store(true, Ordering::Relaxed);
    reading.await.expect("they read to the end");
    // Some groups are written before the copy begins, and while it waits.
    assert!(longest < 8 * u64::from(PAGES) * 4_096, "{longest} bytes");
    assert_whole(&store).await;
}
