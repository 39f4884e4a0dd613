//! Processes that are killed while they append: what they acknowledged is there, once.
//!
//! The child is this test program itself, told by its environment which store to write to. It
//! prints a line for each acknowledgement after it got it; the parent kills it without warning.

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader, Write, stdout};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{
    AppendError, Appended, Postgres, Sqlite, SqliteOptions, Store, StreamId, Version,
};
use rand::rngs::ChaCha12Rng;
use rand::{RngExt, SeedableRng};
use sqlx::Connection;
use sqlx::postgres::PgConnection;

use crate::common::{append, append_at_head, assert_whole, command, moved, paid, with_command};

/// Names the store that the child writes to, and makes its commands' ids its own.
const STORE: &str = "HOUSEWAY_TEST_STORE";
const RUN: &str = "HOUSEWAY_TEST_RUN";

/// A command that was acknowledged to the child, by the id that its entry holds.
pub(crate) struct Acknowledged {
    id: String,
    stream: StreamId,
    version: Version,
}

impl Acknowledged {
    pub(crate) fn read(line: &str) -> Option<Acknowledged> {
        let mut words = line.strip_prefix("stored ")?.split(' ');
        let (id, stream, version) = (words.next()?, words.next()?, words.next()?);
        // The full stop says that the line is whole.
        let version = Version(version.strip_suffix('.')?.parse().ok()?);
        Some(Acknowledged { id: id.into(), stream: stream.parse().ok()?, version })
    }
}

/// The command that runs the child.
pub(crate) fn child(address: &str, run: u32) -> Command {
    let mut child = Command::new(env::current_exe().expect("this program"));
    child.args(["crash::appends_until_it_is_killed", "--exact", "--nocapture"]);
    child.env(STORE, address).env(RUN, run.to_string());
    child.stdout(Stdio::piped()).stderr(Stdio::inherit());
    child
}

/// The child's part. Without its environment there is nothing to do.
#[tokio::test(flavor = "multi_thread")]
async fn appends_until_it_is_killed() {
    let Ok(address) = env::var(STORE) else { return };
    let run: u64 = env::var(RUN).expect("set with the store").parse().expect("a number");
    let store: Arc<dyn Store> = if let Some(path) = address.strip_prefix("sqlite:") {
        // The log is copied to the file again and again.
        let options = SqliteOptions { log_pages: 64, ..SqliteOptions::default() };
        Arc::new(Sqlite::open_with(path.as_ref(), options).await.expect("it opens"))
    } else {
        Arc::new(Postgres::open(&address).await.expect("it opens"))
    };
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..6_u64 {
        let store = store.clone();
        writers.spawn(async move {
            for number in 0.. {
                let id = u128::from(run) << 64 | u128::from(writer) << 32 | number;
                write_one(&*store, id).await;
            }
        });
    }
    writers.join_all().await;
}

/// Brings one command through, however often it takes, and now and then once more than needed.
async fn write_one(store: &dyn Store, id: u128) {
    let number = id as u64;
    let name = format!("table/{}", number % 3);
    let moves = match number % 4 {
        0 => vec![moved("wallet/1", "house/bets", 5), moved("wallet/2", "house/bets", 1)],
        _ => vec![moved("issue/play", "wallet/1", 3), moved("issue/play", "wallet/2", 2)],
    };
    let entries = vec![paid(&id.to_string(), moves), paid("beside it", vec![])];
    let asked = with_command(append(&name, 0, entries), command(id, 1, "ok"));
    let version = loop {
        match append_at_head(store, asked.clone()).await {
            Ok(Appended::Now(head)) => break head.version,
            Ok(Appended::Before(before)) => break before.version,
            Err(AppendError::Overdrawn { .. }) => return,
            Err(error) => {
                say(&format!("waits: {error}"));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    };
    say(&format!("stored {id} {name} {}.", version.0 - 1));
    if number % 8 == 1
        && let Ok(again) = store.append(asked).await
    {
        assert!(matches!(again, Appended::Before(it) if it.version == version));
    }
}

/// On a line of its own, in one piece: the test harness writes to the same place.
fn say(words: &str) {
    let mut out = stdout().lock();
    out.write_all(format!("\n{words}\n").as_bytes()).and_then(|()| out.flush()).expect("heard");
}

/// Everything acknowledged is in its place, nothing is there twice, and all of it adds up.
pub(crate) async fn assert_kept(store: &dyn Store, acknowledged: &[Acknowledged]) {
    assert_whole(store).await;
    let mut places = BTreeMap::new();
    for (stream, head) in store.heads("table/").await.expect("heads") {
        let entries = store.read(&stream, Version(0), u32::MAX).await.expect("read");
        assert_eq!(entries.len() as u64, head.version.0);
        for pair in entries.chunks(2) {
            let [entry, beside] = pair else { panic!("half an append in {stream}") };
            assert_eq!(beside.body, "beside it");
            let place = (stream.clone(), entry.version);
            let twice = places.insert(entry.body.clone(), place);
            assert_eq!(twice, None, "command {} was carried out twice", entry.body);
        }
    }
    for Acknowledged { id, stream, version } in acknowledged {
        assert_eq!(places.get(id), Some(&(stream.clone(), *version)), "command {id} was lost");
    }
}

fn kills() -> u32 {
    env::var("HOUSEWAY_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(20)
}

struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
    acknowledged: Vec<Acknowledged>,
}

impl Running {
    fn start(address: &str, run: u32) -> Running {
        let mut child = child(address, run).spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        Running { child, lines, acknowledged: Vec::new() }
    }

    /// Reads so many acknowledgements.
    fn hear(&mut self, acknowledgements: usize) {
        let enough = self.acknowledged.len() + acknowledgements;
        while self.acknowledged.len() < enough {
            let line = self.lines.next().expect("it is alive").expect("text");
            self.acknowledged.extend(Acknowledged::read(&line));
        }
    }

    /// Kills it, and reads what it had said by then.
    fn kill(mut self) -> Vec<Acknowledged> {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
        let rest = self.lines.by_ref().map_while(Result::ok);
        self.acknowledged.extend(rest.filter_map(|line| Acknowledged::read(&line)));
        self.acknowledged
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_keeps_what_a_killed_process_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("houseway.db");
    let mut chance = ChaCha12Rng::seed_from_u64(1);
    let mut acknowledged = Vec::new();
    for run in 0..kills() {
        let mut running = Running::start(&format!("sqlite:{}", path.display()), run);
        running.hear(1);
        std::thread::sleep(Duration::from_micros(chance.random_range(0..100_000)));
        acknowledged.extend(running.kill());
        let store = Sqlite::open(&path).await.expect("it opens");
        assert_kept(&store, &acknowledged).await;
        store.close().await;
    }
}

/// The database may still be finishing what a killed node had begun, commits among it.
async fn wait_for_quiet(address: &str) {
    let mut raw = PgConnection::connect(address).await.expect("it opens");
    let others = "select count(*) from pg_stat_activity \
                  where datname = current_database() and application_name = 'houseway'";
    for _ in 0..6_000 {
        let (others,): (i64,) = sqlx::query_as(others).fetch_one(&mut raw).await.expect("counted");
        if others == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("a killed node is still there");
}

/// Most runs kill the node; every fifth kills the database under it first, which the node outlives.
#[tokio::test(flavor = "multi_thread")]
async fn postgres_keeps_what_a_killed_process_acknowledged() {
    let mut server = PostgresServer::start(Disk::Durable).expect("PostgreSQL can be started");
    let address = server.database().await.expect("a database");
    let mut chance = ChaCha12Rng::seed_from_u64(2);
    let mut acknowledged = Vec::new();
    for run in 0..kills() {
        let mut running = Running::start(&address, run);
        running.hear(1);
        std::thread::sleep(Duration::from_micros(chance.random_range(0..100_000)));
        if run % 5 == 4 {
            server.stop("KILL").expect("killed");
            server.start_again().expect("it starts");
            running.hear(50);
        }
        acknowledged.extend(running.kill());
        wait_for_quiet(&address).await;
        let store = Postgres::open(&address).await.expect("it opens");
        assert_kept(&store, &acknowledged).await;
        store.close().await;
    }
}
