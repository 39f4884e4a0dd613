//! Everything that reads what strangers send or files hold, each behind a function that takes any
//! bytes at all. None may panic, take more than a second or more than 64 MiB.
//!
//! The coverage-guided fuzzer in `fuzz/` runs these functions, and so does [`crate::hunt`], which
//! needs nothing but this program. Inputs that once broke something are kept in `found/`.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use houseway_fair::{Bytes32, Keyring, Proof, Sealed, Slot, verify};
use houseway_rules::{Card, CardSet, Cents, Dealt, Ranks, custom, houses, set_house_way};
use houseway_server::config::Config;
use houseway_server::inside::Inside;
use houseway_server::protocol::FromClient;
use houseway_server::serve::router;
use houseway_server::vault::Vault;
use houseway_store::{AccountName, Entry, Hash, Memory, Store, StreamId, Version};
use houseway_table::adjudicate::{Given, adjudicate};
use houseway_table::view::{Onlooker, view};
use houseway_table::{Action, Actor, Command, Person, Position, Posted, Setup, Table, decide};
use tokio::runtime::Runtime;
use tower::ServiceExt;

use crate::guests::{Party, Turns, vault};

/// A decoder, by name.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its folders.
    pub name: &'static str,
    /// Lets it have some bytes.
    pub run: fn(&[u8]),
    /// Good inputs, from rounds that were played and files that people use.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "frame", run: frame, seeds: frames },
    Target { name: "command", run: command, seeds: commands },
    Target { name: "request", run: request, seeds: requests },
    Target { name: "record", run: record, seeds: records },
    Target { name: "rulebook", run: rulebook, seeds: rulebooks },
    Target { name: "cards", run: cards, seeds: card_texts },
    Target { name: "settle", run: settle, seeds: rounds },
    Target { name: "proof", run: proof, seeds: proofs },
    Target { name: "config", run: config, seeds: configs },
    Target { name: "seal", run: seal, seeds: seals },
    Target { name: "keys", run: keys, seeds: key_files },
];

/// One by its name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<Vec<u8>> {
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// A message on a socket.
fn frame(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        let _ = FromClient::read(text);
    }
}

fn frames() -> Vec<Vec<u8>> {
    texts([
        r#"{"type":"watch","table":7,"since":12}"#,
        r#"{"type":"unwatch","table":7}"#,
        r#"{"type":"ping","n":1}"#,
        r#"{"type":"command","table":7,"id":"01890a5d-ac96-774b-bcce-b302099a8057","command":{"do":"place","position":1,"wager":"standard","amount":"$10"}}"#,
        r#"{"type":"command","table":7,"id":"01890a5d-ac96-774b-bcce-b302099a8057","command":{"do":"set","position":1,"low":["Ac","Kd"]}}"#,
        r#"{"type":"command","table":7,"id":"01890a5d-ac96-774b-bcce-b302099a8057","command":{"do":"ready"}}"#,
        r#"{"type":"command","table":7,"id":"01890a5d-ac96-774b-bcce-b302099a8057","command":{"do":"place","position":300,"amount":"$10"}}"#,
        r#"{"type":"command","table":7,"id":"01890a5d-ac96-774b-bcce-b302099a8057","command":{"do":"say","words":"blow on the dice"}}"#,
    ])
}

/// A table with three people, for each rulebook.
static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let tables = houses::HOUSES.iter().map(|rulebook| {
        let setup = Setup::new(Arc::new((*rulebook).clone()), Posted::usual(rulebook));
        let mut table = Table::new(setup.expect("what is usual is allowed"));
        for person in [1, 3, 6] {
            let by = Actor::player(person);
            let bring = Action::BringMoney { amount: Cents::dollars(3_000) };
            for action in [bring, Action::Sit { position: Position(person as u8) }] {
                let events = decide(&table, &Command { by, at: 0, action }).expect("it is allowed");
                for event in &events {
                    table.apply(event);
                }
            }
        }
        table
    });
    tables.collect()
});

/// Splits the first byte off, as a choice of rulebook.
fn choice(bytes: &[u8]) -> (usize, &[u8]) {
    match bytes.split_first() {
        Some((first, rest)) => (usize::from(*first) % houses::HOUSES.len(), rest),
        None => (0, bytes),
    }
}

/// A rulebook, and commands line by line: each is decided at the table, and seen by everyone.
fn command(bytes: &[u8]) {
    let (rulebook, lines) = choice(bytes);
    let mut table = TABLES[rulebook].clone();
    for line in lines.split(|byte| *byte == b'\n').take(64) {
        let Ok(command) = serde_json::from_slice::<Command>(line) else { continue };
        if let Ok(events) = decide(&table, &command) {
            for event in &events {
                table.apply(event);
            }
            for onlooker in [Onlooker::Auditor, Onlooker::Spectator, Onlooker::Player(Person(3))] {
                let _ = serde_json::to_string(&view(&table, onlooker, command.at));
            }
        }
    }
}

fn commands() -> Vec<Vec<u8>> {
    let deck: Vec<String> = Card::all().map(|card| format!("\"{card}\"")).collect();
    let by = |person: u32, role: &str, action: &str| {
        format!("{{\"by\":{{\"person\":{person},\"role\":\"{role}\"}},\"at\":5,{action}}}")
    };
    let dealer = |action: &str| by(0, "dealer", action);
    let wager = r#""do":"place","position":1,"wager":"standard","amount":5000"#;
    let bonus = r#""do":"place","position":3,"wager":"fortune","amount":500"#;
    let round = [
        dealer(r#""do":"open-round""#),
        by(1, "player", r#""do":"take-bank","put-up":100000,"house-wager":0"#),
        by(1, "player", wager),
        by(3, "player", &wager.replace("\"position\":1", "\"position\":3")),
        by(3, "player", bonus),
        dealer(r#""do":"close-bets""#),
        dealer(&format!("\"do\":\"deal\",\"deck\":[{}],\"number\":3", deck.join(","))),
        by(3, "player", r#""do":"set-house-way","position":3"#),
        by(1, "player", r#""do":"set-house-way","position":1"#),
        dealer(r#""do":"call","what":"player-hand-size","spot":{"at":3}"#),
        dealer(r#""do":"reveal""#),
        dealer(r#""do":"settle""#),
        by(9, "gaming-shift-manager", r#""do":"rule","ruling":"void","reason":"fire""#),
        by(9, "pit-supervisor", r#""do":"call","what":"wrong-house-way-later","spot":"dealer""#),
        by(6, "player", r#""do":"leave","position":6"#),
        by(6, "player", r#""do":"take-money","amount":"$20""#),
        dealer(r#""do":"resume""#),
        by(1, "player", r#""do":"withdraw-all""#),
    ];
    let all = (0..houses::HOUSES.len() as u8)
        .map(|rulebook| [&[rulebook], round.join("\n").as_bytes()].concat());
    all.collect()
}

thread_local! {
    static RUNTIME: Runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    static HOUSE: RefCell<Option<Served>> = const { RefCell::new(None) };
}

/// How many requests a house gets before another one is opened: it remembers all of them.
const REQUESTS: u32 = 2_000;

/// A house that is open, for someone with a token.
struct Served {
    inside: Inside,
    router: Router,
    token: String,
    requests: u32,
}

async fn house() -> Result<Served> {
    let config = Config { requests_per_second: u32::MAX, ..Config::default() };
    let store: Arc<dyn Store> = Arc::new(Memory::new());
    let inside = Inside::on(config, store, vault(1), Arc::new(Turns::default())).await?;
    let entered = inside.come_in("Ana").await?;
    let token = entered.token.reveal().to_string();
    Ok(Served { router: router(&inside.app), inside, token, requests: 0 })
}

/// A line with a method and an address, and a body: what any endpoint is sent. Whatever panics is
/// caught by the house and answered with 500, so that is as bad.
fn request(bytes: &[u8]) {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let body = bytes.get(line.len() + 1..).unwrap_or_default().to_vec();
    let Some((method, address)) = str::from_utf8(line).ok().and_then(|it| it.split_once(' '))
    else {
        return;
    };
    let status = HOUSE.with_borrow_mut(|kept| {
        RUNTIME.with(|runtime| {
            runtime.block_on(async {
                if kept.as_ref().is_none_or(|it| it.requests >= REQUESTS) {
                    if let Some(old) = kept.take() {
                        old.inside.close().await;
                    }
                    *kept = Some(house().await.expect("a house opens in memory"));
                }
                let served = kept.as_mut().expect("it was opened");
                served.requests += 1;
                let token = &served.token;
                let from = SocketAddr::from(([127, 0, 0, 1], 1));
                let request = Request::builder()
                    .method(method)
                    .uri(address)
                    .header("authorization", format!("Bearer {token}"))
                    .header("content-type", "application/json")
                    .extension(ConnectInfo(from))
                    .body(Body::from(body))
                    .ok()?;
                let answer = served.router.clone().oneshot(request).await;
                Some(answer.map_or(500, |answer| answer.status().as_u16()))
            })
        })
    });
    assert_ne!(status, Some(500), "an endpoint broke");
}

fn requests() -> Vec<Vec<u8>> {
    let cards = r#"{"rules":"mbs-2020","cards":["Ah","Ad","Kc","Ks","9h","3d","Jk"]}"#;
    let command = r#"{"id":"01890a5d-ac96-774b-bcce-b302099a8057","command":{"do":"bring-money","amount":10000}}"#;
    let set = format!("POST /api/set\n{cards}");
    let asked = format!("POST /api/tables/7/commands\n{command}");
    texts([
        &set,
        &asked,
        "POST /api/tables\n{\"rules\":\"cardroom\",\"bots\":2,\"listed\":true}",
        "POST /api/limits\n{\"kind\":\"loss-per-day\",\"most\":900000}",
        "POST /api/tables/7/hands\n{\"hands\":[{\"low\":[\"9h\",\"3d\"],\"high\":[\"Ah\",\"Ad\",\"Kc\",\"Ks\",\"Jk\"]}]}",
        "POST /api/people/1/standing\n{\"standing\":\"dealer\",\"why\":\"for a test\"}",
        "GET /api/history?rules=mbs-2020&most=10\n",
        "GET /api/rounds?status=settled&from=0\n",
        "GET /api/drill?rules=mbs-2020&kind=houses&seed=1&other=cardroom\n",
        "GET /api/log?stream=house&after=0&most=500\n",
        "GET /api/report?by=rules\n",
        "GET /api/tables/7/rounds/1/proof\n",
        "GET /api/rules/catfish-bend/house-way\n",
        "GET /api/me\n",
    ])
}

static KEYS: LazyLock<Keyring> = LazyLock::new(|| Keyring::new([(1, [7; 32])]).expect("one key"));
static VAULT: LazyLock<Vault> = LazyLock::new(|| vault(1));

/// An entry of a table's log, as it comes from the store.
fn record(bytes: &[u8]) {
    let Ok(body) = str::from_utf8(bytes) else { return };
    let entry = Entry {
        stream: "table/7".parse().expect("a name"),
        version: Version(3),
        at: 0,
        kind: "played".into(),
        body: body.into(),
        moves: vec![],
        previous: Hash::NONE,
        hash: Hash::NONE,
    };
    if let Ok(stamped) = VAULT.read(&entry) {
        let _ = serde_json::to_string(&stamped);
    }
}

/// The log of an evening at five tables, opened.
fn records() -> Vec<Vec<u8>> {
    let played = RUNTIME.with(|runtime| runtime.block_on(played()));
    played.expect("a house in memory can be played at")
}

async fn played() -> Result<Vec<Vec<u8>>> {
    let store: Arc<dyn Store> = Arc::new(Memory::new());
    let mut party = Party::new(store.clone(), 1).await?;
    for _ in 0..12 {
        party.turn().await?;
    }
    let mut all = Vec::new();
    for (stream, _) in store.heads("table/").await? {
        for entry in store.read(&stream, Version(0), 1_000).await? {
            all.push(serde_json::to_vec(&party.house.vault().read(&entry)?)?);
        }
    }
    Ok(all)
}

/// A rulebook file, and if it is one, a hand set by it.
fn rulebook(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(custom) = custom::read("ours", text) {
        let hand: Dealt = "Ac Ad Kh Qs 9c 5d Jk".parse().expect("seven cards");
        let _ = set_house_way(&custom.rulebook, hand);
    }
}

fn rulebooks() -> Vec<Vec<u8>> {
    let example = include_str!("../../../examples/foxwoods.toml");
    let rest = "\n[fortune]\ntable = []\n";
    let own = format!("extends = \"mbs-2020\"\n{rest}");
    texts([example, "extends = \"mbs-2020\"\n", "extends = \"cardroom\"\nname = \"ours\"\n", &own])
}

/// Everything that people write about cards, money and names.
fn cards(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let _ = text.parse::<Card>().map(|card| card.to_string());
    let _ = text.parse::<CardSet>().map(|cards| cards.to_string());
    let _ = text.parse::<Ranks>();
    let _ = text.parse::<Cents>().map(|amount| amount.to_string());
    let _ = text.parse::<Bytes32>();
    let _ = text.parse::<StreamId>();
    let _ = text.parse::<AccountName>();
    if let Ok(hand) = text.parse::<Dealt>() {
        for rulebook in houses::HOUSES {
            let _ = set_house_way(rulebook, hand).setting.to_string();
        }
    }
}

fn card_texts() -> Vec<Vec<u8>> {
    texts([
        "Ac Ad Kh Qs 9c 5d Jk",
        "AcAdKhQs9c5d3h",
        "10h 9♠ 🃏",
        "$1,234.50",
        "table/7",
        "table/7/stack/3",
        "A-K-Q-J-10",
    ])
}

/// A rulebook, and a round of a physical table.
fn settle(bytes: &[u8]) {
    let (rulebook, text) = choice(bytes);
    let Ok(given) = serde_json::from_slice::<Given>(text) else { return };
    if let Ok(statement) = adjudicate(houses::HOUSES[rulebook], &given) {
        for line in &statement.lines {
            assert_eq!(line.taken.plus(line.back), Some(line.stake), "a wager is taken or back");
        }
    }
}

fn rounds() -> Vec<Vec<u8>> {
    let examples = [
        ("mbs-2016", include_str!("../../../examples/rounds/mbs-2016.json")),
        ("mbs-2020", include_str!("../../../examples/rounds/mbs-2020.json")),
        ("cardroom", include_str!("../../../examples/rounds/cardroom.json")),
        ("commission-free", include_str!("../../../examples/rounds/commission-free.json")),
        ("catfish-bend", include_str!("../../../examples/rounds/catfish-bend.json")),
    ];
    let all = examples.iter().map(|(id, text)| {
        let place = houses::HOUSES.iter().position(|rulebook| rulebook.id == *id);
        let place = place.expect("a house of that name") as u8;
        [&[place], text.as_bytes()].concat()
    });
    all.collect()
}

/// A proof, as anyone may be handed one.
fn proof(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(proof) = Proof::read(text) {
        let _ = verify(&proof);
    }
}

fn proofs() -> Vec<Vec<u8>> {
    let proofs = crate::proofs::some(8).expect("a house in memory can be played at");
    proofs.iter().map(|proof| proof.write().into_bytes()).collect()
}

/// The configuration of a house.
fn config(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(config) = toml::from_str::<Config>(text) {
        let _ = (config.is_secure(), config.cookie_name());
    }
}

fn configs() -> Vec<Vec<u8>> {
    texts([
        "listen = \"0.0.0.0:7777\"\ndata = \"/var/lib/houseway\"\nbehind-proxy = true\n",
        "database = \"postgres://houseway@db/houseway\"\npublic-url = \"https://play.example\"\n",
        "origins = [\"https://a.example\"]\nrulebooks = [\"ours.toml\"]\nsockets = 100\n",
        "messages-per-second = 20\nrequests-per-second = 50\nkeys = \"keys\"\nweb = \"web\"\n",
    ])
}

/// A sealed text.
fn seal(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let slot = Slot { stream: "table/7", version: 3 };
    if let Ok(sealed) = text.parse::<Sealed>() {
        let _ = KEYS.open(slot, &sealed);
        let _ = KEYS.open_seed(slot, &sealed);
    }
}

fn seals() -> Vec<Vec<u8>> {
    let slot = Slot { stream: "table/7", version: 3 };
    texts([&KEYS.seal(slot, [3; 24], b"{}").to_string()])
}

/// The lines of a file with keys.
fn keys(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let _ = houseway_server::keys::read_keys(text);
}

fn key_files() -> Vec<Vec<u8>> {
    let digits = "0123456789abcdef".repeat(4);
    let one = format!("# keys\n1 {digits}\n");
    let two = format!("1 {digits}\n\n2 {}\n", "f".repeat(64));
    texts([&one, &two])
}
