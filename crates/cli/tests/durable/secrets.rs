//! Nobody is told a card they may not know, and nothing that lies or goes around holds one in clear:
//! the database, be it SQLite or PostgreSQL, its write-ahead log, a backup, logs down to the last detail,
//! figures, answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use houseway_rules::Card;
use houseway_rules::rulebook::Role;
use houseway_server::clock::SystemClock;
use houseway_server::desk::Desk;
use houseway_server::knowledge::{Knowledge, Reader, Sight, named};
use houseway_server::people::{By, People, Standing};
use houseway_server::record::Record;
use houseway_server::vault::Vault;
use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{Postgres, Sqlite, Store, StreamId, TableId, Version};
use houseway_table::{Person, Phase};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::canaries::{Canaries, row_forms, seed_forms};
use crate::kills::Evening;
use crate::node::Plan;
use crate::players::player::Player;
use crate::players::witness::{Acknowledged, Witness};
use crate::players::{Client, Guest, RULES, account, guest, http, open_table};

/// Cards in anything at all, where two letters alone mean nothing: in quotes, or several in a row.
fn lying_open(bytes: &[u8]) -> Vec<String> {
    let quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\'' | b'\\'));
    let word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let mut found = vec![];
    for start in 0..bytes.len() {
        let Some(end) = card_at(bytes, start) else { continue };
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        let quoted = quote(before) && quote(bytes.get(end));
        let second = (bytes.get(end) == Some(&b' ')).then(|| card_at(bytes, end + 1)).flatten();
        let row = second.is_some_and(|end| !word(before) && !word(bytes.get(end)));
        if (quoted || row) && amid_text(bytes, start, end) {
            let around = start.saturating_sub(60)..(end + 60).min(bytes.len());
            found.push(String::from_utf8_lossy(&bytes[around]).into_owned());
        }
    }
    for suit in ["♣", "♦", "♥", "♠"] {
        let mut places = bytes.windows(3).enumerate().filter(|it| it.1 == suit.as_bytes());
        let there = places.any(|(start, _)| amid_text(bytes, start, start + 3));
        found.extend(there.then(|| suit.to_string()));
    }
    found.truncate(5);
    found
}

/// Whether text stands on one side at least. Hashes and sealed seeds are any bytes at all, and
/// among the millions that a log of writes keeps, some spell a suit by chance.
fn amid_text(bytes: &[u8], start: usize, end: usize) -> bool {
    let text = |part: &[u8]| part.iter().all(|it| it.is_ascii_graphic() || *it == b' ');
    text(&bytes[start.saturating_sub(8)..start]) || text(&bytes[end..(end + 8).min(bytes.len())])
}

/// Where a card ends whose text begins here, if one does.
fn card_at(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    match rest {
        [b'J', b'k', ..] => Some(start + 2),
        [b'1', b'0', b'c' | b'd' | b'h' | b's', ..] => Some(start + 3),
        [b'2'..=b'9' | b'T' | b'J' | b'Q' | b'K' | b'A', b'c' | b'd' | b'h' | b's', ..] => {
            Some(start + 2)
        }
        _ => None,
    }
}

/// What may be known of one table, worked out from its log and not from any view.
#[derive(Default)]
struct Allowed {
    at: BTreeMap<u64, Knowledge>,
    reader: Reader,
    hidden: u64,
    kinds: BTreeMap<String, u64>,
}

impl Allowed {
    async fn of(table: u64, store: &dyn Store, vault: &Vault) -> Allowed {
        let id = TableId(table);
        let entries = store.read(&StreamId::table(id), Version(0), 1_000_000).await.expect("a log");
        let mut allowed = Allowed::default();
        let mut desk: Option<Desk> = None;
        for entry in entries {
            *allowed.kinds.entry(entry.kind.clone()).or_default() += 1;
            let stamped = vault.read(&entry).expect("it can be read");
            let Some(desk) = &mut desk else {
                let Record::Opened(opening) = stamped.record else { panic!("no opening") };
                let setup = opening.setup().expect("a set-up");
                desk = Some(Desk::new(id, opening, setup));
                allowed.at.insert(entry.version.0, Knowledge::default());
                continue;
            };
            allowed.reader.before(desk, &stamped);
            desk.apply(&stamped, entry.at);
            allowed.reader.after(desk);
            if matches!(desk.table().phase(), Phase::Setting(_)) {
                allowed.hidden += 1;
            }
            allowed.at.insert(entry.version.0, allowed.reader.now().clone());
        }
        allowed
    }

    /// Holds an update against what its onlooker may know.
    fn check(&self, update: &Value, who: &Onlooker) {
        let sight = Sight { person: who.person, role: who.role };
        let mut view = update["view"].clone();
        let last = view["last"].take();
        let version = update["version"].as_u64().expect("a version");
        let may = self.at[&version].of(sight);
        let told = named(&view.to_string());
        assert!(told.without(may).is_empty(), "{}: {told} of {may} in {view}", who.name);
        for it in update["happened"].as_array().expect("a list") {
            let version = it["version"].as_u64().expect("a version");
            let may = self.at[&version].everyone();
            let told = named(&it.to_string());
            assert!(told.without(may).is_empty(), "{}: {told} of {may} in {it}", who.name);
        }
        if !last.is_null() {
            let round = last["round"].as_u64().expect("a round");
            let may = self.reader.round(round).expect("a round that had cards").of(sight);
            let told = named(&last.to_string());
            assert!(told.without(may).is_empty(), "{}: {told} of {may} in {last}", who.name);
        }
    }
}

/// A search through everything, which counts what it finds and is judged at the end.
struct Search {
    canaries: Canaries,
    searched: usize,
    /// Cards that lie open, with where.
    cards: Vec<String>,
    /// Seeds and rows of a deck, with where.
    seeds: Vec<String>,
}

impl Search {
    /// Something that was told to someone, whose own cards are theirs to see.
    fn sent(&mut self, to: &str, bytes: &[u8]) {
        self.searched += bytes.len();
        let found = self.canaries.found_in(bytes);
        self.seeds.extend(found.iter().map(|it| format!("told to {to}: {it}")));
    }

    /// Something that lies somewhere, or that nobody may see cards in.
    fn lying(&mut self, place: &str, bytes: &[u8]) {
        self.sent(place, bytes);
        let found = lying_open(bytes);
        self.cards.extend(found.iter().map(|it| format!("{place}: {it}")));
    }

    #[expect(clippy::print_stderr, reason = "for whoever runs the test")]
    fn judge(&self, name: &str, mut told: Value) {
        told["bytes"] = json!(self.searched);
        told["seeds-searched"] = json!(self.canaries.seeds);
        told["cards-found"] = json!(self.cards.len());
        told["seeds-found"] = json!(self.seeds.len());
        eprintln!("figures {}", json!({"leaks": {name: told}}));
        assert_eq!(self.cards, Vec::<String>::new());
        assert_eq!(self.seeds, Vec::<String>::new());
    }
}

/// Someone who looks.
#[derive(Clone)]
struct Onlooker {
    name: &'static str,
    guest: Option<Guest>,
    /// Whose own cards they may see; staff see nobody's.
    person: Option<Person>,
    role: Role,
}

/// Fewer are no evidence.
const ENOUGH_MESSAGES: u64 = 2_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_hidden_card_is_told_or_lies_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plan = Plan::new(folder.path(), None);
    plan.log = "trace";
    let node = plan.start().await;
    let staff = [
        ("dealer", Standing::Table(Role::Dealer)),
        ("supervisor", Standing::Table(Role::PitSupervisor)),
        ("manager", Standing::Table(Role::PitManager)),
        ("shift", Standing::Table(Role::GamingShiftManager)),
        ("operator", Standing::Operator),
    ];
    let visitor = guest(node.address).await.expect("a guest");
    let mut onlookers = vec![
        Onlooker { name: "nobody", guest: None, person: None, role: Role::Player },
        Onlooker {
            name: "spectator",
            person: Some(Person(visitor.person)),
            guest: Some(visitor),
            role: Role::Player,
        },
    ];
    for (name, standing) in staff {
        let guest = Some(account(node.address, name).await.expect("an account"));
        onlookers.push(Onlooker { name, guest, person: None, role: standing.role() });
    }
    node.kill().await;
    let file = plan.data().join("houseway.sqlite");
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&file).await.expect("it opens"));
    let people = People::new(store.clone(), Arc::new(SystemClock::new()), Arc::new(plan.vault()));
    for (onlooker, (_, standing)) in onlookers[2..].iter().zip(staff) {
        let person = Person(onlooker.guest.as_ref().expect("an account").person);
        people
            .set_standing(By::CommandLine, person, standing, "a test", None)
            .await
            .expect("it is set");
    }
    store.close().await;

    let node = plan.start().await;
    let address = node.address;
    let (_, at_door) = watch::channel(vec![Some(address)]);
    let (enough, is_enough) = watch::channel(false);
    let witness = Arc::new(Mutex::new(Witness::default()));
    let (voids, told) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (mut playing, mut watching, mut tables) = (vec![], vec![], vec![]);
    for (number, rules) in RULES.into_iter().enumerate() {
        let host = guest(address).await.expect("a guest");
        let wish = json!({"rules": rules, "results": 0, "bots": 2});
        let table = open_table(address, &host, &wish).await.expect("a table");
        tables.push(table);
        let mut looking = onlookers.clone();
        for (seed, guest) in [host, guest(address).await.expect("a guest")].iter().enumerate() {
            let meet = (at_door.clone(), is_enough.clone());
            let seed = (number * 2 + seed) as u64;
            let mut player = Player::new((guest.clone(), table), meet, seed, witness.clone());
            player.bold = true;
            playing.push(tokio::spawn(player.play()));
            let person = Some(Person(guest.person));
            let guest = Some(guest.clone());
            looking.push(Onlooker { name: "player", guest, person, role: Role::Player });
        }
        for onlooker in looking {
            let bearer = onlooker.guest.as_ref().map(Guest::bearer).unwrap_or_default();
            let (mut is_enough, voids, told) = (is_enough.clone(), voids.clone(), told.clone());
            watching.push(tokio::spawn(async move {
                let headers = [("authorization", &*bearer)];
                let headers = if bearer.is_empty() { &[] } else { &headers[..] };
                let mut client = Client::connect(address, headers).await.expect("a socket");
                client.keeps = true;
                client.watch(table, Some(0)).await.expect("a view");
                let mut views = vec![];
                let mut voided = 0;
                loop {
                    tokio::select! {
                        message = client.next() => drop(message.expect("news")),
                        _ = is_enough.changed() => break,
                    }
                    told.fetch_add(1, Ordering::Relaxed);
                    let view = client.view(table);
                    let round = view["round"].as_u64().unwrap_or(0);
                    if client.heard.len() % 16 == 0 {
                        let path = format!("/api/tables/{table}/view");
                        let reply = http(address, "GET", &path, headers, None).await;
                        views.push(reply.expect("a reply").json());
                    }
                    // Now and then a round is void, with all its cards out.
                    let view = client.view(table);
                    if onlooker.name == "shift"
                        && round % 7 == 3
                        && voided != round
                        && view["phase"]["name"] == "setting"
                    {
                        voided = round;
                        let id = uuid::Uuid::now_v7().to_string();
                        let void = json!({"do": "rule", "ruling": "void", "reason": "a test"});
                        let answered = client.ask(table, &id, &void).await.expect("answered");
                        voids.fetch_add(u64::from(answered.is_done()), Ordering::Relaxed);
                    }
                }
                (table, onlooker, client.heard, views)
            }));
        }
    }
    // So many commands and messages (a quick house tells much at once), and until what is rare has happened too.
    let seen_enough = || {
        let all = &witness.lock().expect("nobody panics with it").acknowledged;
        let conceded = |it: &Acknowledged| it.command["do"] == "concede" && it.answered.is_done();
        let voided = voids.load(Ordering::Relaxed) > 0;
        let is_told = told.load(Ordering::Relaxed) > ENOUGH_MESSAGES;
        all.len() >= 1_000 && is_told && voided && all.iter().any(conceded)
    };
    let mut answers = vec![];
    while !seen_enough() {
        assert!(playing.iter().all(|it| !it.is_finished()), "someone has stopped");
        assert!(watching.iter().all(|it| !it.is_finished()), "someone looks no longer");
        for onlooker in &onlookers {
            let bearer = onlooker.guest.as_ref().map(Guest::bearer).unwrap_or_default();
            let headers = [("authorization", &*bearer)];
            let headers = if bearer.is_empty() { &[] } else { &headers[..] };
            let log = format!("/api/log?stream=table/{}&most=500", tables[answers.len() % 5]);
            for path in [
                &*log,
                "/api/tables",
                "/metrics",
                "/api/heads",
                "/api/books",
                "/api/me",
                "/api/history",
                "/api/history.csv",
                "/api/history.jsonl",
                "/api/rounds",
                "/api/report?by=table",
                "/api/liability",
            ] {
                let reply = http(address, "GET", path, headers, None).await.expect("a reply");
                answers.push((path.to_string(), reply.body));
            }
        }
    }
    enough.send_replace(true);
    let mut heard = vec![];
    for watcher in watching {
        heard.push(watcher.await.expect("they look"));
    }
    for player in playing {
        player.await.expect("they play");
    }
    let contradictions = witness.lock().expect("nobody panics with it").contradictions.clone();
    assert_eq!(contradictions, Vec::<String>::new());
    // What lies on the disk while the house is open, a copy of it, and everything when it is gone.
    // Whoever opens the file empties the write-ahead log, so that is read before.
    let read = |path: &str| fs::read(folder.path().join(path)).expect("it is there");
    let (file_name, wal) = ("data/houseway.sqlite", "data/houseway.sqlite-wal");
    let mut lying = vec![(file_name, read(file_name)), (wal, read(wal))];
    let store = Sqlite::open(&file).await.expect("it opens");
    store.backup(&folder.path().join("backup")).await.expect("a copy");
    node.kill().await;

    let vault = plan.vault();
    let canaries = Canaries::of(&tables, &store, &vault).await;
    let mut kinds = BTreeMap::new();
    let (mut messages, mut hidden) = (0, 0);
    let mut search = Search { canaries, searched: 0, cards: vec![], seeds: vec![] };
    for &table in &tables {
        let allowed = Allowed::of(table, &store, &vault).await;
        for (_, onlooker, heard, views) in heard.iter().filter(|it| it.0 == table) {
            for text in heard {
                let message: Value = serde_json::from_str(text).expect("a message");
                if message["type"] == "table" {
                    allowed.check(&message, onlooker);
                } else {
                    let told = named(text);
                    assert!(told.is_empty(), "{}: {text}", onlooker.name);
                }
                search.sent(onlooker.name, text.as_bytes());
                messages += 1;
            }
            for seen in views {
                let mut update = seen.clone();
                update["happened"] = json!([]);
                allowed.check(&update, onlooker);
                search.sent(onlooker.name, seen.to_string().as_bytes());
                messages += 1;
            }
        }
        hidden += allowed.hidden;
        for (kind, count) in allowed.kinds {
            *kinds.entry(kind).or_insert(0) += count;
        }
    }
    for (path, body) in &answers {
        search.lying(path, body);
    }
    drop(store);
    lying.extend([file_name, "backup", "log"].map(|path| (path, read(path))));
    for (path, bytes) in lying {
        assert!(bytes.len() > 10_000, "{path} of {} bytes is no evidence", bytes.len());
        search.lying(path, &bytes);
    }
    // Nor does a log hold what someone is known again by.
    let log = plan.logged();
    assert!(log.contains("DEBUG sqlx::query"), "down to the last detail");
    for Onlooker { name, guest, .. } in &onlookers {
        let known = guest.as_ref().is_some_and(|guest| log.contains(&guest.token));
        assert!(!known, "{name}'s token is in the log");
    }
    for kind in ["dealt", "viewed", "set", "banker-set", "settled", "voided", "conceded", "said"] {
        assert!(kinds.get(kind).is_some_and(|it| *it > 0), "nothing of {kind}: {kinds:?}");
    }
    assert!(messages > ENOUGH_MESSAGES && hidden > 200, "{messages} messages, {hidden} moments");
    assert!(search.canaries.seeds > 20, "{} rounds", search.canaries.seeds);
    let told = json!({"messages": messages, "hidden-moments": hidden, "answers": answers.len()});
    search.judge("sqlite", told);
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|it| it.expect("an entry").path());
    paths.flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
}

/// Tables, indexes, the write-ahead log and what the server says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_hidden_card_lies_open_in_postgresql() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = PostgresServer::start(Disk::Durable).expect("PostgreSQL starts");
    let database = server.database().await.expect("a database");
    let plan = Plan::new(folder.path(), Some(database.clone()));
    let mut nodes = vec![plan.start().await];
    let mut evening = Evening::begin(&nodes).await;
    evening.until_acknowledged(600, "the start").await;
    evening.end().await;
    nodes.remove(0).kill().await;
    let store = Postgres::open(&database).await.expect("it opens");
    let canaries = Canaries::of(&evening.tables, &store, &plan.vault()).await;
    store.close().await;
    assert!(canaries.seeds > 10, "{} rounds", canaries.seeds);
    let mut search = Search { canaries, searched: 0, cards: vec![], seeds: vec![] };
    server.stop("INT").expect("it stops");
    let (mut in_tables, mut in_log) = (0, 0);
    for path in files(&server.folder().join("data")) {
        let bytes = fs::read(&path).expect("it is read");
        search.lying(&path.display().to_string(), &bytes);
        let is_there = bytes.windows(10).any(|it| it == b"banker-set");
        match path.components().any(|it| it.as_os_str() == "pg_wal") {
            true => in_log += usize::from(is_there),
            false => in_tables += usize::from(is_there),
        }
    }
    assert!(
        in_tables > 0 && in_log > 0,
        "dealt hands are in {in_tables} files and {in_log} of the log"
    );
    search.judge("postgresql", json!({}));
}

#[test]
fn the_search_finds_what_it_looks_for() {
    assert_eq!(named(r#"{"a":["Ah","Td"]}"#).to_string(), "Ah Td");
    assert_eq!(named("A♥ 10d, Jk").len(), 3);
    assert!(named("version 10, 2026, clause 5.18, a hand").is_empty());
    for text in [r#"["Ah"]"#, "{Ah Kd 3c}", r#"\"Th\""#, "7♠"] {
        assert!(!lying_open(text.as_bytes()).is_empty(), "{text}");
    }
    assert!(lying_open(b"sealed:AhKdTc2s and 5s later").is_empty());
    assert!(lying_open(b"a hash\x90\"Ah\"\x02 or \xe2\x99\xe2\x99\xa5\xff\x00").is_empty());
}

/// A file with a seed or a row of a deck, in any form, anywhere.
#[test]
fn the_search_finds_seeds_and_decks_in_every_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let seed: [u8; 32] = std::array::from_fn(|at| (at * 37 + 129) as u8);
    let deck: Vec<Card> = (0..53).map(|at| at * 20 % 53).filter_map(Card::from_index).collect();
    let mut canaries = Canaries::new();
    canaries.add_seed("a round", &seed);
    canaries.add_deck("a round", &deck);
    let rows = [&deck[..7], &deck[30..37], &[&deck[50..], &deck[..4]].concat()];
    let rows = rows.iter().flat_map(|row| row_forms(row));
    // As others write them: alone, and in the middle of something.
    for text in [
        "gabL8BU6X4SpzvMYPWKHrNH2G0Bliq/U+R5DaI2y1/w=",
        "eyKBpsvwFTpfhKnO8xg9Yoes0fYbQGWKr9T5HkNojbLX/H0=",
        r"\x81a6cbf0153a5f84a9cef3183d6287acd1f61b40658aafd4f91e43688db2d7fc",
    ] {
        assert_eq!(canaries.found_in(text.as_bytes()).len(), 1, "{text}");
    }
    for (form, planted) in seed_forms(&seed).into_iter().chain(rows) {
        for place in [0, 1, 8_191] {
            let path = folder.path().join("planted");
            let bytes = [&vec![b'x'; place], &planted[..], &[b'y'; 9]].concat();
            fs::write(&path, bytes).expect("it is written");
            let mut bytes = fs::read(&path).expect("it is read");
            assert!(!canaries.found_in(&bytes).is_empty(), "{form} at {place}");
            bytes[place + planted.len() - 1] ^= 1;
            assert_eq!(canaries.found_in(&bytes), Vec::<String>::new(), "{form} at {place}");
        }
    }
}
