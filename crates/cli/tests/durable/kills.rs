//! Houses that are killed again and again while people play. `HOUSEWAY_KILLS` says how often.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{Postgres, Sqlite, Store};
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::node::{Node, Plan, now};
use crate::players::player::Player;
use crate::players::witness::{Acknowledged, Figures, Witness, audit};
use crate::players::{Answered, PATIENCE, RULES, guest, http, open_table};

fn kills(usual: usize) -> usize {
    std::env::var("HOUSEWAY_KILLS").map_or(usual, |it| it.parse().expect("a number"))
}

/// Two people at a table of every rulebook, who play until they are told to stop.
pub(crate) struct Evening {
    witness: Arc<Mutex<Witness>>,
    pub(crate) doors: watch::Sender<Vec<Option<std::net::SocketAddr>>>,
    enough: watch::Sender<bool>,
    players: Vec<JoinHandle<()>>,
    pub(crate) tables: Vec<u64>,
}

impl Evening {
    pub(crate) async fn begin(nodes: &[Node]) -> Evening {
        Evening::begin_with(nodes, PATIENCE).await
    }

    /// With players who go to another node where one is silent for so long.
    pub(crate) async fn begin_with(nodes: &[Node], patience: Duration) -> Evening {
        let addresses: Vec<_> = nodes.iter().map(|node| Some(node.address)).collect();
        let address = nodes[0].address;
        let (doors, at_door) = watch::channel(addresses);
        let (enough, is_enough) = watch::channel(false);
        let witness = Arc::new(Mutex::new(Witness::default()));
        let (mut players, mut tables) = (vec![], vec![]);
        for (number, rules) in RULES.into_iter().enumerate() {
            let host = guest(address).await.expect("a guest");
            let wish = json!({"rules": rules, "results": 0, "bots": 1});
            let table = open_table(address, &host, &wish).await.expect("a table");
            tables.push(table);
            for (seed, guest) in [host, guest(address).await.expect("a guest")].iter().enumerate() {
                let seed = (number * 2 + seed) as u64;
                let meet = (at_door.clone(), is_enough.clone());
                let mut player = Player::new((guest.clone(), table), meet, seed, witness.clone());
                player.patience = patience;
                players.push(tokio::spawn(player.play()));
            }
        }
        Evening { witness, doors, enough, players, tables }
    }

    pub(crate) fn acknowledged(&self) -> usize {
        self.witness.lock().expect("nobody panics with it").acknowledged.len()
    }

    /// Plays on until so many commands are acknowledged. A slow machine takes its time; nobody being
    /// able to do anything at all is another matter.
    pub(crate) async fn until_acknowledged(&self, least: usize, after: &str) {
        let (mut before, mut late) = (self.acknowledged(), Instant::now() + PATIENCE);
        while self.acknowledged() < least {
            if self.acknowledged() > before {
                (before, late) = (self.acknowledged(), Instant::now() + PATIENCE);
            }
            assert!(Instant::now() < late, "nobody could do anything after {after}");
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
    }

    /// The last commands that were acknowledged, which were in the greatest danger.
    pub(crate) fn newest(&self, count: usize) -> Vec<Acknowledged> {
        let witness = self.witness.lock().expect("nobody panics with it");
        witness.since(witness.acknowledged.len().saturating_sub(count))
    }

    /// All that was told.
    pub(crate) fn heard(&self) -> Witness {
        std::mem::take(&mut *self.witness.lock().expect("nobody panics with it"))
    }

    pub(crate) fn assert_all_play(&self) {
        assert!(self.players.iter().all(|it| !it.is_finished()), "someone has stopped playing");
    }

    pub(crate) async fn end(&mut self) {
        self.enough.send_replace(true);
        for player in self.players.drain(..) {
            player.await.expect("everyone played on");
        }
    }
}

/// Sends commands again: each is answered as it was. A house that has just come back may say that it
/// cannot store anything yet.
pub(crate) async fn ask_again(address: std::net::SocketAddr, acknowledged: &[Acknowledged]) {
    let late = Instant::now() + PATIENCE;
    for it in acknowledged {
        let path = format!("/api/tables/{}/commands", it.table);
        let bearer = format!("Bearer {}", it.token);
        let body = json!({"id": it.id, "command": it.command});
        let reply = loop {
            let headers = [("authorization", &*bearer)];
            let reply = http(address, "POST", &path, &headers, Some(&body)).await;
            let reply = reply.expect("an answer");
            if reply.status != 503 || Instant::now() > late {
                break reply.json();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let version = reply["version"].as_u64().unwrap_or_else(|| panic!("{reply}"));
        let again = Answered { version, answer: reply["answer"].clone() };
        assert_eq!(again, it.answered, "{it:?}");
    }
}

/// Waits until a house whose database was away says that it is ready.
async fn until_ready(address: std::net::SocketAddr, after: &str) {
    let late = Instant::now() + PATIENCE;
    loop {
        let reply = http(address, "GET", "/readyz", &[], None).await.expect("an answer");
        if reply.status == 200 {
            return;
        }
        assert!(Instant::now() < late, "it is not ready after {after}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The part in a hundred of some times, in milliseconds.
pub(crate) fn part(times: &mut [Duration], hundredth: usize) -> u64 {
    times.sort();
    times[(times.len() - 1) * hundredth / 100].as_millis() as u64
}

/// Figures are worth reading even where nothing failed: what an audit found to be as it must.
fn report(what: &str, kills: &Value, figures: &Figures, told: u64, times: &mut [Duration]) {
    let Figures { entries, commands, rounds_dealt, taken_up, .. } = figures;
    let mut told = json!({
        "acknowledged": commands, "entries": entries, "rounds-dealt": rounds_dealt,
        "rounds-taken-up": taken_up, "times-told": told,
        "ready-median": part(times, 50), "ready-p99": part(times, 99),
        "ready-longest": part(times, 100),
    });
    for (name, count) in kills.as_object().expect("counts by name") {
        told[name] = count.clone();
    }
    eprintln!("figures {}", json!({"killed": {what: told}}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_when_the_house_is_killed() {
    let kills = kills(100);
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan::new(folder.path(), None);
    let mut chance = ChaCha20Rng::seed_from_u64(1);
    let mut nodes = vec![plan.start().await];
    let mut evening = Evening::begin(&nodes).await;
    let (mut starts, mut times, mut anchors) = (vec![], vec![], BTreeMap::new());
    let file = plan.data().join("houseway.sqlite");
    let mut before = 0;
    for kill in 0..kills {
        // Something is acknowledged in every life.
        let least = before + chance.random_range(1..60);
        evening.until_acknowledged(least, &format!("kill {kill}")).await;
        evening.doors.send_replace(vec![None]);
        nodes.remove(0).kill().await;
        before = evening.acknowledged();
        if kill % 20 == 0 {
            let store = Sqlite::open(&file).await.expect("it opens");
            assert_eq!(store.check_books().await.expect("books"), [], "after kill {kill}");
            anchors.extend(store.heads("").await.expect("heads"));
            store.close().await;
        }
        // The clock has moved on since the last entry.
        tokio::time::sleep(Duration::from_millis(2)).await;
        starts.push(now());
        let start = Instant::now();
        nodes.push(plan.start().await);
        times.push(start.elapsed());
        let newest = evening.newest(12);
        evening.doors.send_replace(vec![Some(nodes[0].address)]);
        ask_again(nodes[0].address, &newest).await;
        evening.assert_all_play();
    }
    evening.end().await;
    nodes.remove(0).kill().await;
    let store = Sqlite::open(&file).await.expect("it opens");
    let witness = evening.heard();
    let figures = audit(&witness, &store, &plan.vault(), &starts, &anchors).await;
    report("sqlite", &json!({"house": kills}), &figures, witness.told_resumed, &mut times);
    assert!(figures.taken_up > 0, "some round ran when the house was killed");
    assert!(witness.told_resumed >= figures.taken_up, "and the players were told");
    assert!(figures.rounds_dealt > 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_when_nodes_and_their_database_are_killed() {
    let kills = kills(30);
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = PostgresServer::start(Disk::Durable).expect("PostgreSQL starts");
    let database = server.database().await.expect("a database");
    let plan = Plan::new(folder.path(), Some(database.clone()));
    let mut chance = ChaCha20Rng::seed_from_u64(2);
    let mut nodes = vec![plan.start().await];
    nodes.push(plan.start().await);
    let mut evening = Evening::begin(&nodes).await;
    let mut times = vec![];
    for kill in 0..kills {
        let least = evening.acknowledged() + chance.random_range(1..60);
        evening.until_acknowledged(least, &format!("kill {kill}")).await;
        let start;
        if kill % 5 == 4 {
            server.stop("KILL").expect("it can be killed");
            start = Instant::now();
            server.start_again().expect("it starts again");
            for node in &nodes {
                until_ready(node.address, &format!("kill {kill}")).await;
            }
        } else {
            let which = kill % 2;
            let door = |address| {
                evening.doors.send_modify(|doors| doors[which] = address);
            };
            door(None);
            nodes.remove(which).kill().await;
            start = Instant::now();
            nodes.insert(which, plan.start().await);
            door(Some(nodes[which].address));
        }
        times.push(start.elapsed());
        ask_again(nodes[kill % 2].address, &evening.newest(12)).await;
        evening.assert_all_play();
    }
    evening.end().await;
    for node in nodes {
        node.kill().await;
    }
    let store = Postgres::open(&database).await.expect("it opens");
    let witness = evening.heard();
    let figures = audit(&witness, &store, &plan.vault(), &[], &BTreeMap::new()).await;
    let kinds = json!({"house": kills - kills / 5, "database": kills / 5});
    report("postgresql", &kinds, &figures, witness.told_resumed, &mut times);
    assert!(figures.rounds_dealt > 5);
    store.close().await;
}
