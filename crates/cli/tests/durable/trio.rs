//! Three nodes on one PostgreSQL, and everything that can happen to them. `HOUSEWAY_FAULTS` says how
//! often, `HOUSEWAY_ISOLATION=serializable` how transactions are kept apart.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{Postgres, Store, StreamId, TableId};
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};
use serde_json::json;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use uuid::Uuid;

use crate::kills::{Evening, ask_again, part};
use crate::node::Plan;
use crate::players::witness::{Sent, Witness, inspect};
use crate::players::{Guest, PATIENCE, guest, http};

const NODES: usize = 3;

/// From so many faults on it is the long form, with everything as long as it is asked.
const MANY: usize = 100;

/// How long a node may be silent before its players try the next one: less than any sleeps.
const SILENCE: Duration = Duration::from_secs(1);

/// The name of PostgreSQL's socket in its folder.
const SOCKET: &str = ".s.PGSQL.5432";

/// What happens to a house of several nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// A node is killed and started again.
    Kill,
    /// A node does nothing for a while, and wakes up in another world.
    Sleep,
    /// A node cannot reach the database for a while.
    Cut,
    /// The database is killed and started again.
    Database,
}

const FAULTS: [Fault; 4] = [Fault::Kill, Fault::Sleep, Fault::Cut, Fault::Database];

/// A node's way to the database, which can be cut.
struct Link {
    folder: PathBuf,
    whole: watch::Sender<bool>,
}

impl Link {
    /// A way from a folder of its own to the socket in another.
    fn open(folder: PathBuf, to: PathBuf) -> Link {
        std::fs::create_dir(&folder).expect("a folder");
        let listener = UnixListener::bind(folder.join(SOCKET)).expect("a socket");
        let (whole, is_whole) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let (to, mut is_whole) = (to.clone(), is_whole.clone());
                tokio::spawn(async move {
                    if *is_whole.borrow_and_update() {
                        carry(near, &to, is_whole).await;
                    }
                });
            }
        });
        Link { folder, whole }
    }

    /// Cuts it: when this returns nothing is carried any more.
    async fn cut(&self) {
        self.whole.send_replace(false);
        // The one who waits for connections, and one for each that is carried.
        while self.whole.receiver_count() > 1 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

/// When a node was cut off or asleep, with its door open: nobody had told the players.
struct Hurt {
    node: SocketAddr,
    from: Instant,
    to: Instant,
    /// How far each table had come when the node was healed.
    heads: BTreeMap<u64, u64>,
}

impl Hurt {
    fn was_sent(&self, it: &Sent) -> bool {
        it.to == self.node && self.from <= it.at && it.at < self.to
    }
}

/// What was asked of nodes while they were hurt.
#[derive(Default)]
struct Asked {
    /// How often something was sent to one.
    sent: usize,
    /// What it acknowledged in the end, healed again.
    acknowledged: usize,
    /// What it alone was asked and acknowledged while it was hurt, when it can have stored nothing, or
    /// afterwards on the table as it had stood before.
    stale: Vec<String>,
}

impl Asked {
    fn of(hurts: &[Hurt], witness: &Witness) -> Asked {
        let mut asked = Asked::default();
        let mut sent: BTreeMap<&str, Vec<&Sent>> = BTreeMap::new();
        for it in &witness.sent {
            sent.entry(&it.id).or_default().push(it);
            asked.sent += usize::from(hurts.iter().any(|hurt| hurt.was_sent(it)));
        }
        for it in &witness.acknowledged {
            let ways = &sent[&*it.id];
            for hurt in hurts.iter().filter(|hurt| hurt.node == it.by) {
                asked.acknowledged += usize::from(ways.iter().any(|way| hurt.was_sent(way)));
                let is_old = it.at < hurt.to || it.answered.version < hurt.heads[&it.table];
                if is_old && ways.iter().all(|way| hurt.was_sent(way)) {
                    asked.stale.push(format!("{it:?}"));
                }
            }
        }
        asked
    }
}

/// How far tables have come.
async fn heads(store: &Postgres, tables: &[u64]) -> BTreeMap<u64, u64> {
    let mut heads = BTreeMap::new();
    for &table in tables {
        let head = store.head(&StreamId::table(TableId(table))).await.expect("it is read");
        heads.insert(table, head.version.0);
    }
    heads
}

/// Carries bytes both ways until an end hangs up or the link is cut.
async fn carry(mut near: UnixStream, to: &Path, mut is_whole: watch::Receiver<bool>) {
    let Ok(mut far) = UnixStream::connect(to).await else { return };
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
        _ = is_whole.wait_for(|whole| !whole) => {}
    }
}

/// Someone at no table who asks something of each: how long until a node answers.
async fn until_answered(address: SocketAddr, asks: &Guest, table: u64, start: Instant) -> Duration {
    let path = format!("/api/tables/{table}/commands");
    let bearer = asks.bearer();
    let id = Uuid::now_v7().to_string();
    let body = json!({"id": id, "command": {"do": "bring-money", "amount": 100}});
    loop {
        let headers = [("authorization", &*bearer)];
        let reply = http(address, "POST", &path, &headers, Some(&body)).await;
        if reply.as_ref().is_ok_and(|reply| reply.status == 200) {
            return start.elapsed();
        }
        assert!(start.elapsed() < PATIENCE, "table {table} is nobody's: {reply:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_lose_nothing_whatever_happens_to_them() {
    let faults = std::env::var("HOUSEWAY_FAULTS").map_or(8, |it| it.parse().expect("a number"));
    let (sleep, cut) = match faults >= MANY {
        true => (Duration::from_secs(15), Duration::from_secs(5)),
        false => (Duration::from_secs(3), Duration::from_secs(2)),
    };
    let isolation = std::env::var("HOUSEWAY_ISOLATION");
    let told = isolation.as_ref().map_or("trio".into(), |it| format!("trio-{it}"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = PostgresServer::start(Disk::Durable).expect("PostgreSQL starts");
    let database = server.database().await.expect("a database");
    let (before, rest) = database.split_once("host=").expect("the form of its address");
    let (place, after) = rest.split_once('&').expect("the form of its address");
    let plan = Plan::new(folder.path(), Some(database.clone()));
    let (mut links, mut plans, mut nodes) = (vec![], vec![], vec![]);
    for number in 0..NODES {
        let link =
            Link::open(folder.path().join(format!("link{number}")), Path::new(place).join(SOCKET));
        let mut through = format!("{before}host={}&{after}", link.folder.display());
        if let Ok(isolation) = &isolation {
            through.push_str("&options=-c%20default_transaction_isolation%3D");
            through.push_str(isolation);
        }
        let plan = Plan { database: Some(through), ..plan.clone() };
        nodes.push(plan.start().await);
        links.push(link);
        plans.push(plan);
    }
    let mut evening = Evening::begin_with(&nodes, SILENCE).await;
    let looks = Postgres::open(&database).await.expect("it opens");
    let asks = guest(nodes[0].address).await.expect("a guest");
    let mut chance = ChaCha20Rng::seed_from_u64(8);
    let (mut times, mut hurts) = (BTreeMap::<Fault, Vec<Duration>>::new(), vec![]);
    for number in 0..faults {
        let least = evening.acknowledged() + chance.random_range(1..60);
        evening.until_acknowledged(least, &format!("fault {number}")).await;
        let fault = FAULTS[number % FAULTS.len()];
        let which = chance.random_range(0..NODES);
        let node = nodes[which].address;
        let other = nodes[(which + 1) % NODES].address;
        let start = Instant::now();
        match fault {
            Fault::Kill => {
                evening.doors.send_modify(|doors| doors[which] = None);
                nodes.remove(which).kill().await;
            }
            Fault::Sleep => nodes[which].sleeps().await,
            Fault::Cut => links[which].cut().await,
            Fault::Database => {
                server.stop("KILL").expect("it can be killed");
                server.start_again().expect("it starts again");
            }
        }
        let from = Instant::now();
        for table in evening.tables.clone() {
            let time = until_answered(other, &asks, table, start).await;
            times.entry(fault).or_default().push(time);
        }
        let long = match fault {
            Fault::Sleep => sleep,
            Fault::Cut => cut,
            Fault::Kill | Fault::Database => Duration::ZERO,
        };
        tokio::time::sleep(long.saturating_sub(from.elapsed())).await;
        let heads = match fault {
            Fault::Sleep | Fault::Cut => heads(&looks, &evening.tables).await,
            Fault::Kill | Fault::Database => BTreeMap::new(),
        };
        let hurt = Hurt { node, from, to: Instant::now(), heads };
        match fault {
            Fault::Kill => {
                nodes.insert(which, plans[which].start().await);
                evening.doors.send_modify(|doors| doors[which] = Some(nodes[which].address));
            }
            Fault::Sleep => {
                hurts.push(hurt);
                nodes[which].signal("CONT").await;
            }
            Fault::Cut => {
                hurts.push(hurt);
                links[which].whole.send_replace(true);
            }
            Fault::Database => {}
        }
        ask_again(other, &evening.newest(12)).await;
        evening.assert_all_play();
    }
    evening.end().await;
    for node in nodes {
        node.kill().await;
    }
    let witness = evening.heard();
    let found = inspect(&witness, &looks, &plan.vault(), &[], &BTreeMap::new()).await;
    let asked = Asked::of(&hurts, &witness);
    let mut all: Vec<Duration> = times.values().flatten().copied().collect();
    let longest: BTreeMap<String, u64> = times
        .iter_mut()
        .map(|(fault, times)| (format!("{fault:?}").to_lowercase(), part(times, 100)))
        .collect();
    eprintln!(
        "figures {}",
        json!({told: {
            "faults": faults, "kinds": times.len(), "acknowledged": found.commands,
            "rounds-dealt": found.rounds_dealt,
            "sent-to-hurt": asked.sent, "acknowledged-by-hurt": asked.acknowledged,
            "lost": found.lost.len(), "stale": asked.stale.len(), "doubles": found.doubles.len(),
            "takeover-median": part(&mut all, 50), "takeover-p99": part(&mut all, 99),
            "takeover-longest": part(&mut all, 100), "longest-by-kind": longest,
        }})
    );
    assert_eq!(found.lost, Vec::<String>::new());
    assert_eq!(found.doubles, Vec::<String>::new());
    assert_eq!(asked.stale, Vec::<String>::new());
    assert!(asked.sent > 0, "nobody was at a node that was cut off or asleep");
    assert!(found.rounds_dealt > 5);
    looks.close().await;
}
