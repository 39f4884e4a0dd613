//! Two nodes on one PostgreSQL: every table is played through both, and the log alone decides.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{Postgres, Store, StreamId, TableId, Version};
use serde_json::{Value, json};
use tokio::sync::watch;
use uuid::Uuid;

use crate::node::{Node, Plan, now};
use crate::players::player::Player;
use crate::players::witness::{Witness, audit};
use crate::players::{Answered, Client, Guest, PATIENCE, guest, http, open_table};

/// Two nodes and their database.
struct Pair {
    plan: Plan,
    nodes: Vec<Node>,
    store: Postgres,
    _server: PostgresServer,
    _folder: tempfile::TempDir,
}

impl Pair {
    async fn start() -> Pair {
        let folder = tempfile::tempdir().expect("a folder");
        let server = PostgresServer::start(Disk::Fast).expect("PostgreSQL starts");
        let database = server.database().await.expect("a database");
        let plan = Plan::new(Path::new(folder.path()), Some(database.clone()));
        let mut nodes = vec![plan.start().await];
        nodes.push(plan.start().await);
        let store = Postgres::open(&database).await.expect("it opens");
        Pair { plan, nodes, store, _server: server, _folder: folder }
    }

    fn address(&self, node: usize) -> SocketAddr {
        self.nodes[node].address
    }

    /// A table of `mbs-2020` where everything is soon over.
    async fn table(&self, host: &Guest, milliseconds: u64) -> u64 {
        let address = self.address(0);
        let usual = open_table(address, host, &json!({"rules": "mbs-2020"})).await;
        let path = format!("/api/tables/{}", usual.expect("a table"));
        let info = http(address, "GET", &path, &[], None).await.expect("a reply").json();
        let mut posted = info["posted"].clone();
        for what in ["banking", "betting", "setting", "conceding"] {
            posted["time"][what] = json!(milliseconds);
        }
        let wish = json!({"rules": "mbs-2020", "posted": posted, "results": 0, "listed": false});
        open_table(address, host, &wish).await.expect("a table")
    }

    /// How often one node was faster than the other.
    async fn races(&self) -> u64 {
        let mut races = 0;
        for node in &self.nodes {
            let reply = http(node.address, "GET", "/metrics", &[], None).await.expect("figures");
            let text = String::from_utf8(reply.body).expect("text");
            let line = text.lines().find(|it| it.contains("races_total ")).expect("a figure");
            races += line.rsplit(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0);
        }
        races
    }

    /// The kinds of everything that is kept of a table.
    async fn kinds(&self, table: u64) -> Vec<(u64, String)> {
        let stream = StreamId::table(TableId(table));
        let all = self.store.read(&stream, Version(0), 100_000).await.expect("entries");
        all.into_iter().map(|entry| (entry.version.0, entry.kind)).collect()
    }

    /// Waits until something is kept that was not before.
    async fn until_kept(&self, table: u64, after: u64, kind: &str) -> u64 {
        let late = Instant::now() + PATIENCE;
        loop {
            let kinds = self.kinds(table).await;
            if let Some((version, _)) = kinds.iter().find(|it| it.0 > after && it.1 == kind) {
                return *version;
            }
            assert!(Instant::now() < late, "no {kind} after {after}: {kinds:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Someone who sits at a table, at a node.
async fn seated(address: SocketAddr, guest: &Guest, table: u64, position: u8) -> Client {
    let mut client = Client::of(address, guest).await.expect("a socket");
    client.watch(table, Some(1)).await.expect("a view");
    client.done(table, json!({"do": "bring-money", "amount": 50_000})).await;
    // Others may have begun to play: nobody sits down while hands are set.
    loop {
        let id = Uuid::now_v7().to_string();
        let sit = json!({"do": "sit", "position": position});
        let answered = client.answered(table, &id, &sit).await;
        if answered.is_done() {
            client.until_version(table, answered.version).await.expect("news");
            return client;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn wager(position: u8, amount: u64) -> Value {
    json!({"do": "place", "position": position, "wager": "standard", "amount": amount})
}

/// Wagers in whatever round is the next that takes bets.
async fn wagered(client: &mut Client, table: u64, position: u8) {
    loop {
        let command = match client.view(table)["phase"]["name"].as_str() {
            Some("betting") => wager(position, 1_000),
            Some("idle") => json!({"do": "ready"}),
            _ => {
                client.next().await.expect("news");
                continue;
            }
        };
        let id = Uuid::now_v7().to_string();
        let answered = client.answered(table, &id, &command).await;
        client.until_version(table, answered.version).await.expect("news");
        if answered.is_done() && command["do"] == "place" {
            return;
        }
    }
}

/// What a client was told, by version: no gap, nothing twice.
fn in_order(client: &Client) -> BTreeMap<u64, Value> {
    let mut all = BTreeMap::new();
    let mut last = None;
    for (_, it) in &client.happened {
        let version = it["version"].as_u64().expect("a version");
        assert!(last.is_none_or(|last| version == last + 1), "{version} after {last:?}");
        last = Some(version);
        all.insert(version, it.clone());
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn racing_commands_have_one_order_at_both_nodes() {
    let pair = Pair::start().await;
    let host = guest(pair.address(0)).await.expect("a guest");
    let table = pair.table(&host, 60_000).await;
    let witness = Arc::new(Mutex::new(Witness::default()));
    let (enough, is_enough) = watch::channel(false);
    let mut watchers = vec![];
    for node in 0..2 {
        let mut client = Client::connect(pair.address(node), &[]).await.expect("a socket");
        client.watch(table, Some(0)).await.expect("a view");
        watchers.push(client);
    }
    let mut players = vec![];
    for seed in 0..4 {
        // Each has one door, so that both nodes are used to the end.
        let address = pair.address(seed as usize % 2);
        let (_, at_door) = watch::channel(vec![Some(address)]);
        let guest = guest(address).await.expect("a guest");
        let meet = (at_door, is_enough.clone());
        let player = Player::new((guest, table), meet, seed, witness.clone());
        players.push(tokio::spawn(player.play()));
    }
    let count = || witness.lock().expect("nobody panics with it").acknowledged.len();
    // So many, and until the nodes have met at least once.
    while count() < 400 || (count() < 4_000 && pair.races().await == 0) {
        assert!(players.iter().all(|it| !it.is_finished()), "someone has stopped");
        for watcher in &mut watchers {
            // Read along, so that nothing piles up.
            let _ = tokio::time::timeout(Duration::from_millis(5), watcher.next()).await;
        }
    }
    enough.send_replace(true);
    for player in players {
        player.await.expect("everyone played on");
    }
    let last = pair.kinds(table).await.last().expect("entries").0;
    let mut told = vec![];
    for watcher in &mut watchers {
        watcher.until_version(table, last).await.expect("news");
        told.push(in_order(watcher));
    }
    assert_eq!(told[0], told[1], "both nodes tell the same");
    let whole: Vec<u64> = told[0].keys().copied().collect();
    assert_eq!(whole, (1..=last).collect::<Vec<u64>>(), "from the first to the last");
    assert!(pair.races().await > 0, "the nodes did race");
    let witness = std::mem::take(&mut *witness.lock().expect("nobody panics with it"));
    audit(&witness, &pair.store, &pair.plan.vault(), &[], &BTreeMap::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_goes_on_at_the_other_node() {
    let mut pair = Pair::start().await;
    let host = guest(pair.address(0)).await.expect("a guest");
    // One table whose player comes back, and one that nobody comes back to.
    let slow = pair.table(&host, 60_000).await;
    let quick = pair.table(&host, 6_000).await;
    let mut version = 0;
    for table in [slow, quick] {
        let mut client = seated(pair.address(0), &host, table, 1).await;
        wagered(&mut client, table, 1).await;
        client.done(table, json!({"do": "ready"})).await;
        client.until_phase(table, "setting").await.expect("cards are dealt");
        client.done(table, json!({"do": "view", "position": 1})).await;
        version = client.tables[&table]["version"].as_u64().expect("a version");
    }
    pair.nodes.remove(0).kill().await;

    let mut client = Client::of(pair.address(0), &host).await.expect("a socket at the other node");
    client.watch(slow, Some(1)).await.expect("a view");
    assert_eq!(client.view(slow)["seats"][0]["hand"]["cards"], "dealt", "the same hand");
    client.done(slow, json!({"do": "set-house-way", "position": 1})).await;
    client.done(slow, json!({"do": "ready"})).await;
    assert_eq!(client.view(slow)["last"]["round"], 1, "the round ends");
    in_order(&client);

    // Nobody has opened the other table there: the node looks after it by itself.
    pair.until_kept(quick, version, "round-ended").await;
    let stream = StreamId::table(TableId(quick));
    pair.store.verify_chain(&stream, None).await.expect("a whole chain");
    assert_eq!(pair.store.check_books().await.expect("books"), []);
}

/// Whoever was answered by one node finds what was done at the other, without having to say so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_has_answered_is_seen_at_the_other() {
    let pair = Pair::start().await;
    let host = guest(pair.address(0)).await.expect("a guest");
    let table = pair.table(&host, 10_000).await;
    let bearer = host.bearer();
    let (asked, seen) =
        (format!("/api/tables/{table}/commands"), format!("/api/tables/{table}/view"));
    for turn in 0..40_u64 {
        let (here, there) = match turn % 2 {
            0 => (pair.address(0), pair.address(1)),
            _ => (pair.address(1), pair.address(0)),
        };
        let command = json!({
            "id": Uuid::now_v7().to_string(),
            "command": {"do": "bring-money", "amount": 100},
        });
        let headers = [("authorization", bearer.as_str())];
        let reply = http(here, "POST", &asked, &headers, Some(&command)).await.expect("an answer");
        let answered = reply.json();
        assert_eq!(answered["answer"]["answer"], "done", "{answered}");
        let view = http(there, "GET", &seen, &headers, None).await.expect("a view").json();
        assert!(view["version"].as_u64() >= answered["version"].as_u64(), "turn {turn}: {view}");
        assert_eq!(view["view"]["stack"], 100 * (turn + 1), "turn {turn}");
    }
}

/// No node is left, for longer than anyone had time: nobody's time has run out by that, and they are
/// told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_that_no_node_looked_after_is_taken_up_again() {
    let mut pair = Pair::start().await;
    let host = guest(pair.address(0)).await.expect("a guest");
    let table = pair.table(&host, 10_000).await;
    let mut client = seated(pair.address(0), &host, table, 1).await;
    wagered(&mut client, table, 1).await;
    client.done(table, json!({"do": "ready"})).await;
    let version = client.tables[&table]["version"].as_u64().expect("a version");
    assert_eq!(client.view(table)["phase"]["name"], "setting");
    for node in pair.nodes.drain(..) {
        node.kill().await;
    }
    // Long enough that everyone's time is over and nobody has looked after it since.
    let until = client.view(table)["until"].as_u64().expect("a deadline");
    tokio::time::sleep(Duration::from_millis(until.saturating_sub(now()) + 3_500)).await;
    pair.nodes.push(pair.plan.start().await);
    let resumed = pair.until_kept(table, version, "resumed").await;
    assert_eq!(resumed, version + 1, "before anything else");
    let mut client = Client::of(pair.address(0), &host).await.expect("a socket");
    client.watch(table, Some(version)).await.expect("a view");
    assert_eq!(client.happened[0].1["event"], "resumed");
    pair.until_kept(table, version, "round-ended").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_slept_through_everything_changes_nothing() {
    let pair = Pair::start().await;
    let people = [
        guest(pair.address(0)).await.expect("a guest"),
        guest(pair.address(1)).await.expect("a guest"),
    ];
    let table = pair.table(&people[0], 700).await;
    let mut asleep = seated(pair.address(0), &people[0], table, 1).await;
    let mut awake = seated(pair.address(1), &people[1], table, 3).await;
    wagered(&mut asleep, table, 1).await;
    wagered(&mut awake, table, 3).await;
    let before = pair.kinds(table).await.len() as u64;
    pair.nodes[0].sleeps().await;
    // What is sent to a node that sleeps waits for it.
    let round = asleep.view(table)["round"].clone();
    let stale = Uuid::now_v7().to_string();
    let change =
        json!({"type": "command", "table": table, "id": stale, "command": wager(1, 2_000)});
    asleep.send(&change).await.expect("it is sent");
    // Several rounds are played at the other node, far beyond every deadline.
    let mut ended = before;
    for _ in 0..3 {
        ended = pair.until_kept(table, ended, "round-ended").await;
        awake.until_version(table, ended).await.expect("news");
        wagered(&mut awake, table, 3).await;
    }
    let at_waking = pair.kinds(table).await.len() as u64;
    pair.nodes[0].signal("CONT").await;
    // A transaction that its sleep cut short cannot be stored: then it says so, and is asked again.
    let said = loop {
        let said = asleep.until(|it| it["id"] == stale).await.expect("an answer");
        match said["type"] == "failed" {
            true => assert_eq!(said["again"], true, "{said}"),
            false => break said,
        }
        asleep.send(&change).await.expect("it is sent again");
    };
    let answered = Answered {
        version: said["version"].as_u64().expect("a version"),
        answer: said["answer"].clone(),
    };
    // Done or refused: at the table as it stands now, not as it stood when the node fell asleep.
    assert!(answered.version >= at_waking, "{answered:?}: {round}");
    let last = pair.kinds(table).await.last().expect("entries").0;
    for client in [&mut asleep, &mut awake] {
        client.until_version(table, last).await.expect("news");
    }
    let (late, early) = (in_order(&asleep), in_order(&awake));
    for (version, it) in &late {
        assert!(early.get(version).is_none_or(|other| other == it), "version {version}");
    }
    assert!(late.contains_key(&last) && early.contains_key(&last));
    assert_eq!(pair.store.check_books().await.expect("books"), []);
    let stream = StreamId::table(TableId(table));
    pair.store.verify_chain(&stream, None).await.expect("a whole chain");
    no_bet_after_the_close(&pair.kinds(table).await);
}

/// Between "no more bets" and the next round nothing is placed.
fn no_bet_after_the_close(kinds: &[(u64, String)]) {
    let mut closed = false;
    for (version, kind) in kinds {
        match kind.as_str() {
            "bets-opened" => closed = false,
            "bets-closed" => closed = true,
            "placed" => assert!(!closed, "a wager after the close, at {version}"),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_wager_is_accepted_after_no_more_bets() {
    let pair = Pair::start().await;
    let host = guest(pair.address(0)).await.expect("a guest");
    let table = pair.table(&host, 300).await;
    let (enough, is_enough) = watch::channel(false);
    let tried: Arc<[AtomicU64; 2]> = Arc::default();
    let mut gamblers = vec![];
    for number in 0..4_u8 {
        let address = pair.address(usize::from(number) % 2);
        let someone = guest(address).await.expect("a guest");
        let (is_enough, tried) = (is_enough.clone(), tried.clone());
        gamblers.push(tokio::spawn(async move {
            let position = number + 1;
            let mut client = seated(address, &someone, table, position).await;
            let [accepted, turned_away] = &*tried;
            let mut done = vec![];
            let mut amount = 1_000;
            // Fired as fast as answers come, across every close.
            while !*is_enough.borrow() {
                amount = if amount == 1_000 { 1_500 } else { 1_000 };
                let id = Uuid::now_v7().to_string();
                let asked = client.ask(table, &id, &wager(position, amount)).await;
                match asked {
                    Ok(answered) if answered.is_done() => {
                        accepted.fetch_add(1, Ordering::Relaxed);
                        done.push((id, answered.version));
                    }
                    Ok(_) => {
                        turned_away.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(failed) => assert!(failed.is_ok(), "{failed:?}"),
                }
            }
            (someone, done)
        }));
    }
    let mut after = 0;
    // Until much was accepted and much came too late, however long a round takes here.
    let enough_of_both = || tried.iter().all(|it| it.load(Ordering::Relaxed) > 20);
    for round in 1.. {
        after = pair.until_kept(table, after, "round-ended").await;
        if round >= 8 && enough_of_both() {
            break;
        }
        assert!(round < 200, "{tried:?}: accepted and turned away");
    }
    enough.send_replace(true);
    let kinds = pair.kinds(table).await;
    no_bet_after_the_close(&kinds);
    for gambler in gamblers {
        let (someone, done) = gambler.await.expect("they gamble");
        for (id, version) in done {
            let known = pair
                .store
                .recall(houseway_table::Person(someone.person), id.parse().expect("an id"));
            let known = known.await.expect("recall").expect("it is kept");
            assert_eq!(known.version.0, version);
        }
    }
    no_bet_after_the_close(&pair.kinds(table).await);
    assert_eq!(pair.store.check_books().await.expect("books"), []);
}

/// Limits somebody to losing so many cents a day.
async fn limit(address: SocketAddr, guest: &Guest, most: u64) {
    let bearer = guest.bearer();
    let limit = json!({"kind": "loss-per-day", "most": most});
    let headers = [("authorization", &*bearer)];
    let set = http(address, "POST", "/api/limits", &headers, Some(&limit)).await;
    assert_eq!(set.expect("a reply").status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_of_loss_holds_over_all_nodes() {
    let mut pair = Pair::start().await;
    for _ in 0..5 {
        let someone = guest(pair.address(0)).await.expect("a guest");
        let (mut clients, mut tables) = (vec![], vec![]);
        for node in 0..2 {
            let table = pair.table(&someone, 600_000).await;
            let mut client = seated(pair.address(node), &someone, table, 1).await;
            client.until_phase(table, "betting").await.expect("bets");
            clients.push(client);
            tables.push(table);
        }
        // A node that has not heard yet goes by what it knows; where it is set, it counts at once.
        for node in 0..2 {
            limit(pair.address(node), &someone, 2_000).await;
        }
        // Each would be within the limit by itself.
        let [here, there] = &mut clients[..] else { panic!("two") };
        let ids = [Uuid::now_v7().to_string(), Uuid::now_v7().to_string()];
        let more = wager(1, 1_500);
        let (one, other) = tokio::join!(
            here.answered(tables[0], &ids[0], &more),
            there.answered(tables[1], &ids[1], &more)
        );
        let answers = [one, other];
        let done = answers.iter().filter(|it| it.is_done()).count();
        assert_eq!(done, 1, "{answers:?}");
        let refused = answers.iter().find(|it| !it.is_done()).expect("one is refused");
        assert_eq!(refused.answer["refused"], "own-limit", "{answers:?}");
    }
    // A node that has just opened knows no table yet, and what lies on them counts.
    let someone = guest(pair.address(0)).await.expect("a guest");
    let (first, second) =
        (pair.table(&someone, 600_000).await, pair.table(&someone, 600_000).await);
    let mut here = seated(pair.address(0), &someone, first, 1).await;
    wagered(&mut here, first, 1).await;
    let there = seated(pair.address(0), &someone, second, 1).await;
    limit(pair.address(0), &someone, 1_500).await;
    drop((here, there));
    for node in pair.nodes.drain(..) {
        node.kill().await;
    }
    pair.nodes.push(pair.plan.start().await);
    let mut again = Client::of(pair.address(0), &someone).await.expect("a socket");
    again.watch(second, None).await.expect("a view");
    again.until_phase(second, "betting").await.expect("bets");
    let id = Uuid::now_v7().to_string();
    let answered = again.answered(second, &id, &wager(1, 1_000)).await;
    assert_eq!(answered.answer["refused"], "own-limit", "{answered:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rounds_are_taken_up_when_every_node_was_killed() {
    let mut pair = Pair::start().await;
    let someone = guest(pair.address(0)).await.expect("a guest");
    let table = pair.table(&someone, 600_000).await;
    let mut client = seated(pair.address(1), &someone, table, 1).await;
    wagered(&mut client, table, 1).await;
    client.done(table, json!({"do": "ready"})).await;
    client.until_phase(table, "setting").await.expect("cards");
    drop(client);
    // While one is left, the round only goes on there.
    pair.nodes.remove(1).kill().await;
    pair.nodes.push(pair.plan.start().await);
    let taken_up = async |pair: &Pair| {
        let kinds = pair.kinds(table).await;
        kinds.iter().filter(|(_, kind)| kind == "resumed").count()
    };
    assert_eq!(taken_up(&pair).await, 0);
    for node in pair.nodes.drain(..) {
        node.kill().await;
    }
    pair.nodes.push(pair.plan.start().await);
    assert_eq!(taken_up(&pair).await, 1, "before anyone is served");
    pair.nodes.push(pair.plan.start().await);
    assert_eq!(taken_up(&pair).await, 1, "and once");
    let mut client = Client::of(pair.address(1), &someone).await.expect("a socket");
    client.watch(table, Some(1)).await.expect("a view");
    let told: Vec<&str> =
        client.happened.iter().filter_map(|(_, it)| it["event"].as_str()).collect();
    for event in ["resumed", "power-failed", "clock-restarted"] {
        assert!(told.contains(&event), "no {event}: {told:?}");
    }
    client.done(table, json!({"do": "withdraw-all"})).await;
}
