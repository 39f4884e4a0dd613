//! Bad circumstances: a clear answer, no false acknowledgement, and recovery without a hand.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Stdio;
use std::time::{Duration, Instant};

use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{Sqlite, Store, StreamId, TableId};
use serde_json::{Value, json};
use tokio::process::Command;
use uuid::Uuid;

use crate::node::{Node, Plan};
use crate::players::{Answered, Client, PATIENCE, RULES, guest, http, in_the_middle, open_table};

/// Starts a house that cannot open, and gives its exit code and what it said.
pub(crate) async fn not_opened(mut command: Command) -> (Option<i32>, String) {
    let output = command.stderr(Stdio::piped()).output();
    let output = tokio::time::timeout(PATIENCE, output).await.expect("it ends").expect("it starts");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("is open"));
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_port_or_a_folder_in_use_disturbs_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan::new(folder.path(), None);
    let node = plan.start().await;
    let (_, table, mut client) = in_the_middle(node.address).await;
    let version = client.tables[&table]["version"].clone();
    // Another house is opened on the same port by mistake, and the same house on another.
    let mut second = plan.command();
    let other = folder.path().join("other");
    second.args(["--listen", &node.address.to_string()]).arg("--data").arg(other);
    let (code, said) = not_opened(second).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(&format!("cannot listen on {}", node.address)), "{said}");
    let (code, said) = not_opened(plan.command()).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("a house is open in"), "{said}");
    // The round that runs in the first was not touched.
    client.watch(table, None).await.expect("a view");
    assert_eq!(client.tables[&table]["version"], version);
    assert!(client.tables[&table]["resumed"].is_null());
    let log = Sqlite::open(&plan.data().join("houseway.sqlite")).await.expect("it opens");
    let head = log.head(&StreamId::table(TableId(table))).await.expect("a head");
    assert_eq!(json!(head.version.0), version, "nothing was written by the second");
    client.done(table, json!({"do": "set-house-way", "position": 1})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan::new(folder.path(), None);
    let data = plan.data();
    let root = fs::metadata("/proc/self").expect("a process").uid() == 0;
    let nobody = |mut command: Command| {
        if root {
            command.uid(65_534).gid(65_534);
        }
        command
    };
    fs::create_dir(&data).expect("it can be made");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("it can be");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o555)).expect("it can be");
    let (code, said) = not_opened(nobody(plan.command())).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(data.to_str().expect("UTF-8")), "{said}");
    // A house that was there before is not opened without being able to keep anything.
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).expect("it can be");
    plan.start().await.kill().await;
    for entry in fs::read_dir(&data).expect("a folder") {
        let path = entry.expect("a file").path();
        fs::set_permissions(path, fs::Permissions::from_mode(0o444)).expect("it can be");
    }
    fs::set_permissions(&data, fs::Permissions::from_mode(0o555)).expect("it can be");
    let (code, said) = not_opened(nobody(plan.command())).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(data.to_str().expect("UTF-8")), "{said}");
    // Somewhere else is a file where the folder should be.
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).expect("it can be");
    let file = folder.path().join("houseway.toml");
    let mut command = plan.command();
    command.arg("--data").arg(&file);
    let (code, said) = not_opened(command).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(file.to_str().expect("UTF-8")), "{said}");
}

/// Whoever asks meanwhile is told so, and the house opens by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_down_at_the_start_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = PostgresServer::start(Disk::Durable).expect("PostgreSQL starts");
    let database = server.database().await.expect("a database");
    server.stop("INT").expect("it can be stopped");
    let known = if database.contains('?') { "&" } else { "?" };
    let plan = Plan::new(folder.path(), Some(format!("{database}{known}password=hush")));
    // Where it will be open, which it does not say before it is.
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("an address");
    drop(free);
    let mut command = plan.command();
    command.args(["--listen", &address.to_string()]);
    let mut house = command.spawn().expect("it starts");
    let late = Instant::now() + PATIENCE;
    let status = async |path: &str| {
        let reply = http(address, "GET", path, &[], None).await.ok()?;
        Some((reply.status, String::from_utf8_lossy(&reply.body).into_owned()))
    };
    while status("/readyz").await.is_none_or(|it| it.0 != 503) {
        assert!(Instant::now() < late, "it does not answer: {}", plan.logged());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(status("/healthz").await.expect("a reply").0, 200);
    let (code, body) = status("/api/tables").await.expect("a reply");
    assert_eq!(code, 503);
    assert!(body.contains("waits for its database"), "{body}");
    let said = plan.logged();
    assert!(said.contains("the database cannot be opened"), "{said}");
    assert!(!said.contains("hush"), "{said}");
    server.start_again().expect("it starts");
    while status("/readyz").await.is_none_or(|it| it.0 != 200) {
        assert!(Instant::now() < late, "it does not open: {}", plan.logged());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    in_the_middle(address).await;
    house.kill().await.expect("it can be killed");
    // An address that no waiting makes right is said at once.
    for wrong in ["postgres://?port=none", "mysql://db/houseway"] {
        let (code, said) = not_opened(Plan::new(folder.path(), Some(wrong.into())).command()).await;
        assert_eq!(code, Some(2), "{wrong}: {said}");
        assert!(said.contains("the database cannot be opened"), "{said}");
    }
}

/// Whoever waits can be told to stop.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_that_waits_for_its_database_can_be_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = format!("postgres:///none?host={}", folder.path().display());
    let plan = Plan::new(folder.path(), Some(nowhere));
    let mut house = plan.command().spawn().expect("it starts");
    let late = Instant::now() + PATIENCE;
    while !plan.logged().contains("the database cannot be opened") {
        assert!(Instant::now() < late, "{}", plan.logged());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let id = house.id().expect("it runs").to_string();
    let told = Command::new("kill").arg(id).status().await.expect("kill can be run");
    assert!(told.success());
    let ended = tokio::time::timeout(PATIENCE, house.wait()).await.expect("it ends");
    assert!(ended.expect("it ran").success());
}

/// A key is added: what was sealed with the old one opens, and what was asked before is known again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_key_changes_nothing_that_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan::new(folder.path(), None);
    let node = plan.start().await;
    let (someone, table, mut client) = in_the_middle(node.address).await;
    let id = Uuid::now_v7().to_string();
    let command = json!({"do": "bring-money", "amount": 5_000});
    let answered = client.ask(table, &id, &command).await.expect("an answer");
    assert!(answered.is_done(), "{answered:?}");
    node.kill().await;
    let keys = plan.data().join("keys");
    let more = format!("{}2 {}\n", fs::read_to_string(&keys).expect("keys"), "ab".repeat(32));
    fs::write(&keys, &more).expect("it can be written");
    let node = plan.start().await;
    let mut client = Client::of(node.address, &someone).await.expect("a socket");
    client.watch(table, None).await.expect("a view");
    assert_eq!(client.ask(table, &id, &command).await.expect("an answer"), answered);
    let other = json!({"do": "bring-money", "amount": 5_001});
    let refused = client.ask(table, &id, &other).await.expect_err("it is no answer");
    assert_eq!(refused, Ok("the command's id was used for another command".to_string()));
    client.done(table, json!({"do": "set-house-way", "position": 1})).await;
    // Other keys are no new keys, and those that were used once are needed.
    node.kill().await;
    let first = more.lines().find(|it| it.starts_with("1 ")).expect("a key");
    for wrong in [format!("1 {}\n", "cd".repeat(32)), format!("{first}\n")] {
        fs::write(&keys, wrong).expect("it can be written");
        let (code, said) = not_opened(plan.command()).await;
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("lacks keys that this house was run with, or has others"), "{said}");
    }
}

/// Money moves while a house is looked through, and nothing is called wrong for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_that_is_open_is_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan::new(folder.path(), None);
    let node = plan.start().await;
    let mut busy = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (_, table, mut client) = in_the_middle(node.address).await;
        busy.spawn(async move {
            loop {
                client.done(table, json!({"do": "bring-money", "amount": 100})).await;
                client.done(table, json!({"do": "take-money", "amount": 100})).await;
            }
        });
    }
    for _ in 0..20 {
        let verified = Command::new(&plan.program)
            .args(["verify", "house", "--data"])
            .arg(plan.data())
            .output()
            .await
            .expect("it runs");
        let said = String::from_utf8_lossy(&verified.stdout);
        assert_eq!(verified.status.code(), Some(0), "{said}");
    }
    assert!(busy.try_join_next().is_none(), "they went on all the time");
}

/// Waits until a request is answered with a status.
async fn until_status(node: &Node, path: &str, status: u16) {
    let late = Instant::now() + PATIENCE;
    loop {
        let reply = http(node.address, "GET", path, &[], None).await.expect("a reply");
        if reply.status == status {
            return;
        }
        assert!(Instant::now() < late, "{path} answers {}", reply.status);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_goes_away_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = PostgresServer::start(Disk::Durable).expect("PostgreSQL starts");
    let database = server.database().await.expect("a database");
    let plan = Plan::new(folder.path(), Some(database));
    let node = plan.start().await;
    let (someone, table, mut client) = in_the_middle(node.address).await;
    let bearer = someone.bearer();
    for signal in ["INT", "KILL"] {
        server.stop(signal).expect("it can be stopped");
        let id = Uuid::now_v7().to_string();
        let command = json!({"do": "bring-money", "amount": 5_000});
        let failed = client.ask(table, &id, &command).await.expect_err("nothing is acknowledged");
        assert_eq!(failed, Ok("the house cannot store it now".to_string()), "{signal}");
        until_status(&node, "/readyz", 503).await;
        until_status(&node, "/healthz", 200).await;
        // Who is known cannot be looked up either: nobody is taken for a stranger.
        let headers = [("authorization", &*bearer)];
        let me = http(node.address, "GET", "/api/me", &headers, None).await.expect("a reply");
        assert_eq!(me.status, 503, "{signal}");
        server.start_again().expect("it starts again");
        until_status(&node, "/readyz", 200).await;
        // The same command under the same id, done once.
        let late = Instant::now() + PATIENCE;
        let answered = loop {
            match client.ask(table, &id, &command).await {
                Ok(answered) => break answered,
                Err(failed) => assert!(failed.is_ok() && Instant::now() < late, "{failed:?}"),
            }
        };
        assert!(answered.is_done(), "{answered:?}");
        let again = client.ask(table, &id, &command).await.expect("answered");
        assert_eq!(again, answered, "{signal}");
    }
    client.until_version(table, 1).await.expect("news");
    let before = 50_000 - 1_000;
    let stack = client.view(table)["stack"].as_u64().expect("a stack");
    assert!(stack >= before + 10_000, "brought twice, each once: {stack}");
    assert!(!plan.logged().contains("panicked"), "{}", plan.logged());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_acknowledges_nothing_and_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan::new(folder.path(), None);
    // The house is made first, so that it has a file to fill.
    plan.start().await.kill().await;
    let node = plan.start().await;
    let id = node.id().to_string();
    let limit = async |size: &str| {
        let limited =
            Command::new("prlimit").args(["--pid", &id, &format!("--fsize={size}")]).status().await;
        assert!(limited.expect("prlimit is there").success());
    };
    let (_, table, mut client) = in_the_middle(node.address).await;
    let mut acknowledged: BTreeMap<String, (Value, Answered)> = BTreeMap::new();
    let wal = fs::metadata(plan.data().join("houseway.sqlite-wal")).expect("a file").len();
    limit(&format!("{}:unlimited", wal + 400_000)).await;
    let command = json!({"do": "bring-money", "amount": 100});
    let late = Instant::now() + PATIENCE;
    let failed = loop {
        assert!(Instant::now() < late, "the disk never fills");
        let id = Uuid::now_v7().to_string();
        match client.ask(table, &id, &command).await {
            Ok(answered) => drop(acknowledged.insert(id, (command.clone(), answered))),
            Err(why) => break (id, why.expect("the socket is open")),
        }
    };
    assert_eq!(failed.1, "the house cannot store it now");
    assert!(acknowledged.len() > 3, "some were stored before");
    // Still full: still no.
    let again = client.ask(table, &failed.0, &command).await;
    assert!(matches!(again, Err(Ok(_))), "{again:?}");
    // Nor does anyone come in, and the log says why.
    let reply = http(node.address, "POST", "/api/guest", &[], None).await.expect("a reply");
    assert_eq!(reply.status, 503);
    let log = plan.logged();
    // A file that may not grow is an I/O error to SQLite.
    assert!(log.contains("disk I/O error") && !log.contains("damaged"), "{log}");
    // Whoever balances loads is told, and so is who reads about it.
    until_status(&node, "/readyz", 503).await;
    let reply = http(node.address, "GET", "/readyz", &[], None).await.expect("a reply").json();
    assert_eq!(reply["error"]["says"], "the store cannot be written");
    until_status(&node, "/healthz", 200).await;
    // There is room again, and nobody has to do anything about it.
    limit("unlimited").await;
    until_status(&node, "/readyz", 200).await;
    let answered = client.ask(table, &failed.0, &command).await.expect("it is answered");
    assert!(answered.is_done());
    acknowledged.insert(failed.0, (command, answered));
    for (id, (command, answered)) in &acknowledged {
        assert_eq!(&client.ask(table, id, command).await.expect("answered"), answered);
    }
    node.kill().await;
    let store = Sqlite::open(&plan.data().join("houseway.sqlite")).await.expect("it opens");
    assert_eq!(store.check_books().await.expect("books"), []);
    let stream = StreamId::table(TableId(table));
    store.verify_chain(&stream, None).await.expect("a whole chain");
    assert!(!plan.logged().contains("panicked"), "{}", plan.logged());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_is_answered_the_same_on_every_connection_and_in_every_life() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan::new(folder.path(), None);
    let mut node = plan.start().await;
    let someone = guest(node.address).await.expect("a guest");
    let mut asked = vec![];
    for rules in RULES {
        let table = open_table(node.address, &someone, &json!({"rules": rules, "bots": 0}))
            .await
            .expect("a table");
        let mut client = Client::of(node.address, &someone).await.expect("a socket");
        for command in [
            json!({"do": "sit", "position": 1}),
            json!({"do": "bring-money", "amount": 10_000}),
            json!({"do": "sit", "position": 1}),
            json!({"do": "sit", "position": 77}),
            json!({"do": "bring-money", "amount": 100_000_000}),
        ] {
            let id = Uuid::now_v7().to_string();
            let answered = client.ask(table, &id, &command).await.expect("answered");
            asked.push((table, id, command, answered));
        }
    }
    let done = asked.iter().filter(|it| it.3.is_done()).count();
    assert!(done >= RULES.len() && done < asked.len(), "some are done, some refused: {done}");
    for ending in ["a new connection", "KILL", "TERM"] {
        if ending != "a new connection" {
            let mut watching = Client::of(node.address, &someone).await.expect("a socket");
            node.signal(ending).await;
            if ending == "TERM" {
                let bye = watching.until(|it| it["type"] == "bye").await.expect("last words");
                assert_eq!(bye["why"], "the house is closing: come back soon");
            }
            let status = node.wait().await;
            assert_eq!(status.success(), ending == "TERM", "{status:?}");
            node = plan.start().await;
        }
        let mut client = Client::of(node.address, &someone).await.expect("a socket");
        for (table, id, command, answered) in &asked {
            let again = client.ask(*table, id, command).await.expect("answered");
            assert_eq!(&again, answered, "{ending}: {command}");
            // The same id for something else, or for another table, is refused and does nothing.
            let other = json!({"do": "bring-money", "amount": 12_300});
            let refused = client.ask(*table, id, &other).await;
            let why = "the command's id was used for another command".to_string();
            assert_eq!(refused, Err(Ok(why.clone())), "{ending}: {command}");
            let elsewhere = asked.iter().find(|it| it.0 != *table).expect("another table").0;
            let refused = client.ask(elsewhere, id, command).await;
            assert_eq!(refused, Err(Ok(why)), "{ending}: {command}");
        }
    }
    node.kill().await;
}
