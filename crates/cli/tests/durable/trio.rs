//! Three nodes on one PostgreSQL, and everything that can happen to them. `HOUSEWAY_FAULTS` says how
//! often, `HOUSEWAY_ISOLATION=serializable` how transactions are kept apart.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{Postgres, Store};
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};
use serde_json::json;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use uuid::Uuid;

use crate::kills::{Evening, ask_again, part};
use crate::node::Plan;
use crate::players::witness::audit;
use crate::players::{Guest, PATIENCE, guest, http};

const NODES: usize = 3;

/// From so many faults on it is the long form, with everything as long as it is asked.
const MANY: usize = 100;

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
        if reply.is_ok_and(|reply| reply.status == 200) {
            return start.elapsed();
        }
        assert!(start.elapsed() < PATIENCE, "table {table} is nobody's");
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
            through += &format!("&options=-c%20default_transaction_isolation%3D{isolation}");
        }
        let plan = Plan { database: Some(through), ..plan.clone() };
        nodes.push(plan.start().await);
        links.push(link);
        plans.push(plan);
    }
    let mut evening = Evening::begin(&nodes).await;
    let asks = guest(nodes[0].address).await.expect("a guest");
    let mut chance = ChaCha20Rng::seed_from_u64(8);
    let (mut times, mut kinds) = (vec![], BTreeSet::new());
    for number in 0..faults {
        let least = evening.acknowledged() + chance.random_range(1..60);
        evening.until_acknowledged(least, &format!("fault {number}")).await;
        let fault = FAULTS[number % FAULTS.len()];
        kinds.insert(fault);
        let which = chance.random_range(0..NODES);
        let other = nodes[(which + 1) % NODES].address;
        let door = |address| evening.doors.send_modify(|doors| doors[which] = address);
        let mut hurt = None;
        match fault {
            Fault::Kill => {
                door(None);
                hurt = Some(nodes.remove(which));
            }
            Fault::Sleep => {
                door(None);
                nodes[which].signal("STOP").await;
            }
            Fault::Cut => {
                door(None);
                links[which].whole.send_replace(false);
            }
            Fault::Database => server.stop("KILL").expect("it can be killed"),
        }
        let start = Instant::now();
        match (fault, hurt) {
            (Fault::Kill, Some(node)) => node.kill().await,
            (Fault::Database, _) => server.start_again().expect("it starts again"),
            _ => {}
        }
        for table in evening.tables.clone() {
            times.push(until_answered(other, &asks, table, start).await);
        }
        match fault {
            Fault::Kill => {
                nodes.insert(which, plans[which].start().await);
            }
            Fault::Sleep => {
                tokio::time::sleep(sleep.saturating_sub(start.elapsed())).await;
                nodes[which].signal("CONT").await;
            }
            Fault::Cut => {
                tokio::time::sleep(cut.saturating_sub(start.elapsed())).await;
                links[which].whole.send_replace(true);
            }
            Fault::Database => {}
        }
        evening.doors.send_modify(|doors| doors[which] = Some(nodes[which].address));
        ask_again(other, &evening.newest(12)).await;
        evening.assert_all_play();
    }
    evening.end().await;
    for node in nodes {
        node.kill().await;
    }
    let store = Postgres::open(&database).await.expect("it opens");
    let witness = evening.heard();
    let found = audit(&witness, &store, &plan.vault(), &[], &BTreeMap::new()).await;
    assert_eq!(store.check_books().await.expect("books"), []);
    assert!(found.rounds_dealt > 5);
    eprintln!(
        "figures {}",
        json!({told: {
            "faults": faults, "kinds": kinds.len(), "acknowledged": found.commands,
            "rounds-dealt": found.rounds_dealt,
            "takeover-median": part(&mut times, 50), "takeover-p99": part(&mut times, 99),
            "takeover-longest": part(&mut times, 100),
        }})
    );
    store.close().await;
}
