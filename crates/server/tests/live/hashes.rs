//! Files that are not what somebody vouched for: the house does not open with them, and begins no
//! round once they have changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use houseway_server::clock::SystemClock;
use houseway_server::config::Config;
use houseway_server::integrity::Hashes;
use houseway_server::people::{HouseRecord, Run, Standing};
use houseway_server::serve::{NotServed, Serving};
use houseway_store::{Memory, Store, StreamId, Version};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::sleep;

use crate::house::{Place, vault};
use crate::players::{http, in_the_middle};

/// A house's files: its configuration, a rulebook and the list of their hashes.
struct Files {
    _folder: TempDir,
    configuration: PathBuf,
    rulebook: PathBuf,
    list: PathBuf,
}

impl Files {
    fn new() -> Files {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let foxwoods = include_str!("../../../../examples/foxwoods.toml");
        let (configuration, list) = (at("houseway.toml"), at("hashes.json"));
        let rulebook = at("own.toml");
        fs::write(&configuration, "sockets = 100\n").expect("it is written");
        fs::write(&rulebook, foxwoods).expect("it is written");
        let files = Files { _folder: folder, configuration, rulebook, list };
        files.vouch();
        files
    }

    /// Writes the list anew.
    fn vouch(&self) {
        let mut config = Config::default();
        self.use_for(&mut config);
        let hashes = Hashes::of(&config).expect("everything can be read");
        fs::write(&self.list, serde_json::to_string(&hashes).expect("JSON")).expect("written");
    }

    fn use_for(&self, config: &mut Config) {
        config.file = Some(self.configuration.clone());
        config.rulebooks = vec![self.rulebook.clone()];
        config.hashes = Some(self.list.clone());
    }
}

/// Flips one bit in the middle of a file; twice is as before.
fn flip(path: &Path) {
    let mut bytes = fs::read(path).expect("it is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).expect("it is written");
}

/// Tries to open a house.
async fn opening(files: &Files, change: impl FnOnce(&mut Config)) -> Result<(), NotServed> {
    let mut config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
    files.use_for(&mut config);
    change(&mut config);
    let (store, clock) = (Arc::new(Memory::new()), Arc::new(SystemClock::new()));
    let opened = Serving::on(config, store.clone(), vault(1), clock).await.map(drop);
    if opened.is_err() {
        assert_eq!(store.heads("").await.expect("heads"), [], "nothing was touched");
    }
    opened
}

/// Why a house is not opened.
async fn refused(files: &Files, change: impl FnOnce(&mut Config)) -> String {
    let error = opening(files, change).await.expect_err("it must not open");
    assert!(matches!(error, NotServed::Hashes { .. }), "{error}");
    let says = error.to_string();
    assert!(says.contains("houseway admin hashes"), "what to do: {says}");
    assert!(says.starts_with(files.list.to_str().expect("UTF-8")), "by what: {says}");
    says
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flipped_bit_refuses_the_start() {
    let files = Files::new();
    opening(&files, |_| ()).await.expect("all is as it was");
    let right: Hashes =
        serde_json::from_slice(&fs::read(&files.list).expect("a list")).expect("one");
    let parts = [
        (&files.configuration, "the configuration", right.configuration.expect("a hash")),
        (&files.rulebook, "the rulebook own", right.rulebooks["own"]),
    ];
    for (path, part, right) in parts {
        flip(path);
        let says = refused(&files, |_| ()).await;
        let path_text = path.to_str().expect("UTF-8");
        assert!(says.contains(&format!("{part}, {path_text}, has the hash ")), "{says}");
        assert!(says.contains(&format!(" instead of {right}")), "{says}");
        flip(path);
    }
    // The program is this test's, which cannot be changed: so the list is.
    let mut wrong = right.clone();
    wrong.program.0[31] ^= 1;
    fs::write(&files.list, serde_json::to_string(&wrong).expect("JSON")).expect("it is written");
    let says = refused(&files, |_| ()).await;
    assert!(says.contains("the program, "), "{says}");
    assert!(says.contains(&format!("has the hash {} instead of {}", right.program, wrong.program)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_is_run_with_what_the_list_has_and_nothing_else() {
    let files = Files::new();
    let more = files.list.with_file_name("more.toml");
    fs::copy(&files.rulebook, &more).expect("it is copied");
    let says = refused(&files, |config| config.rulebooks.push(more)).await;
    assert!(says.contains("the rulebook more, "), "{says}");
    assert!(says.contains("is not in the list"), "{says}");
    let says = refused(&files, |config| drop(config.rulebooks.pop())).await;
    assert!(says.contains("the rulebook own, with the hash "), "{says}");
    assert!(says.contains("is not in use"), "{says}");
    let says = refused(&files, |config| config.file = None).await;
    assert!(says.contains("the configuration, with the hash "), "{says}");
    let says = refused(&files, |config| config.web = Some("web".into())).await;
    assert!(says.contains("pages from the folder web cannot be checked"), "{says}");
    fs::remove_file(&files.rulebook).expect("it is there");
    let says = refused(&files, |_| ()).await;
    assert!(says.contains("cannot be read"), "{says}");
    fs::write(&files.list, "{}").expect("it is written");
    let says = refused(&files, |_| ()).await;
    assert!(says.contains("it is no list of hashes: missing field"), "{says}");
    fs::remove_file(&files.list).expect("it is there");
    let error = opening(&files, |_| ()).await.expect_err("there is no list");
    assert!(error.to_string().contains("hashes.json"), "{error}");
}

/// What the log of the house says of starts, stops and hashes.
async fn recorded(store: &Memory) -> Vec<HouseRecord> {
    let house = StreamId::house();
    store.verify_chain(&house, None).await.expect("the chain is whole");
    let entries = store.read(&house, Version(0), 1_000).await.expect("it is read");
    let records = entries.iter().filter_map(|it| HouseRecord::read(it).expect("it is whole"));
    records
        .filter(|it| ["started", "stopped", "play-stopped", "play-goes-on"].contains(&it.kind()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bit_flipped_while_the_house_is_open_stops_play() {
    let files = Files::new();
    let place = Place::open(1, |config| files.use_for(config)).await;
    let address = place.address();
    let operator = place.staff("olga", Standing::Operator).await.bearer();
    let check = async || {
        let headers = [("authorization", &*operator)];
        let reply = http(address, "POST", "/api/hashes", &headers, None).await.expect("a reply");
        assert_eq!(reply.status, 200);
        reply.json()
    };
    let get = async |path: &str| http(address, "GET", path, &[], None).await.expect("a reply");
    let found = check().await;
    assert_eq!((&found["checked"], &found["differences"]), (&json!(true), &json!([])));
    assert_eq!(found["files"].as_array().expect("a list").len(), 3);

    let (someone, table, mut client) = in_the_middle(address).await;

    flip(&files.rulebook);
    assert_eq!(get("/readyz").await.status, 200, "nobody has looked yet");
    let found = check().await;
    let differences = found["differences"].as_array().expect("a list");
    assert_eq!(differences.len(), 1, "{found}");
    assert!(differences[0].as_str().expect("words").starts_with("the rulebook own, "), "{found}");
    let ready = get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["error"]["code"]), (503, &json!("play-stopped")));
    let told = String::from_utf8(get("/metrics").await.body).expect("text");
    assert!(told.contains("\nhouseway_play_stopped 1\n"), "{told}");
    let bearer = someone.bearer();
    let headers = [("authorization", &*bearer)];
    let wish = json!({"rules": "mbs-2020"});
    let opened =
        http(address, "POST", "/api/tables", &headers, Some(&wish)).await.expect("a reply");
    assert_eq!((opened.status, &opened.json()["error"]["code"]), (503, &json!("play-stopped")));

    // The round in progress ends as it would have.
    client.done(table, json!({"do": "set-house-way", "position": 1})).await;
    client.until_phase(table, "revealed").await.expect("hands are shown");
    client.done(table, json!({"do": "ready"})).await;
    client.until_phase(table, "idle").await.expect("it is settled");
    // Its player has been heard: any other house would open the next one by now.
    place.clock.forward(60_000);
    for begins in [
        json!({"do": "ready"}),
        json!({"do": "bring-money", "amount": 1_000}),
        json!({"do": "sit", "position": 2}),
    ] {
        let id = uuid::Uuid::now_v7().to_string();
        let answered = client.ask(table, &id, &begins).await.expect("an answer");
        assert_eq!(answered.answer["refused"], "play-stopped", "{begins}");
    }
    client.done(table, json!({"do": "take-money", "amount": 1_000})).await;
    client.watch(table, None).await.expect("a view");
    assert_eq!(client.view(table)["phase"]["name"], "idle");
    assert_eq!(client.view(table)["round"], 1);
    assert_eq!(client.tables[&table]["next-round"], Value::Null);

    // A second look finds nothing new; with the file put right play goes on by itself.
    assert_eq!(check().await["differences"], found["differences"]);
    flip(&files.rulebook);
    assert_eq!(check().await["differences"], json!([]));
    assert_eq!(get("/readyz").await.status, 200);
    client.until_phase(table, "betting").await.expect("the next round");
    assert_eq!(client.view(table)["round"], 2);

    drop(client);
    let store = place.store.clone();
    place.serving.close().await;
    let right: Hashes =
        serde_json::from_slice(&fs::read(&files.list).expect("a list")).expect("one");
    let records = recorded(&store).await;
    let [
        HouseRecord::Started(started),
        HouseRecord::PlayStopped { differences: recorded },
        HouseRecord::PlayGoesOn,
        HouseRecord::Stopped(stopped),
    ] = &*records
    else {
        panic!("{records:?}");
    };
    assert_eq!(json!(recorded), found["differences"]);
    assert_eq!(started, stopped);
    let Hashes { version, program, configuration, rulebooks } = right;
    let program = Some(program);
    assert_eq!(*started, Run { version, program, configuration, rulebooks, checked: true });
}

/// Nobody has to ask: a day later it is seen, and a day after it was put right that too.
#[tokio::test(start_paused = true)]
async fn files_are_looked_at_every_day() {
    let files = Files::new();
    let place = Place::open(1, |config| files.use_for(config)).await;
    let house = &place.serving.app.house;
    let almost_a_day = Duration::from_mins(24 * 60 - 1);
    for stopped in [true, false] {
        flip(&files.rulebook);
        sleep(almost_a_day).await;
        assert_ne!(house.is_stopped(), stopped, "it is not yet seen");
        sleep(Duration::from_mins(2)).await;
        assert_eq!(house.is_stopped(), stopped);
    }
}

/// Without a list nothing is refused, but which program was started and closed is known all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_start_and_stop_is_in_the_log_of_the_house() {
    let store = Arc::new(Memory::new());
    for _ in 0..2 {
        let config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        let clock = Arc::new(SystemClock::new());
        let serving = Serving::on(config, store.clone(), vault(1), clock).await.expect("it opens");
        serving.close().await;
    }
    let hashes = Hashes::of(&Config::default()).expect("the program can be read");
    let records = recorded(&store).await;
    let kinds: Vec<&str> = records.iter().map(HouseRecord::kind).collect();
    assert_eq!(kinds, ["started", "stopped", "started", "stopped"]);
    for record in &records {
        let (HouseRecord::Started(run) | HouseRecord::Stopped(run)) = record else {
            panic!("{record:?}");
        };
        assert_eq!((run.program, run.checked), (Some(hashes.program), false));
    }
}
