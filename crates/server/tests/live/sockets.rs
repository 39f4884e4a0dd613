//! Sockets in hostile hands: whatever is sent is answered or cut off, and nobody else notices.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use houseway_server::clock::SystemClock;
use houseway_server::people::Standing;
use houseway_server::serve::Serving;
use houseway_store::{Sqlite, SqliteOptions, Store};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use crate::house::{Place, fast, vault};
use crate::players::player::Player;
use crate::players::witness::Witness;
use crate::players::{Client, Gone, Guest, PATIENCE, account, guest, http, open_table};

/// Someone else's socket works: they are answered, and can do something.
async fn others_are_served(address: SocketAddr) {
    let guest = guest(address).await.expect("a guest");
    let table = open_table(address, &guest, &json!({"rules": "mbs-2020"})).await.expect("a table");
    let mut client = Client::of(address, &guest).await.expect("a socket");
    client.watch(table, None).await.expect("a view");
    client.done(table, json!({"do": "bring-money", "amount": 10_000})).await;
    client.done(table, json!({"do": "sit", "position": 1})).await;
}

/// Reads until the end and gives the house's last words.
async fn last_words(client: &mut Client) -> String {
    let mut said = String::new();
    loop {
        match client.next().await {
            Ok(message) if message["type"] == "bye" => {
                said = message["why"].as_str().expect("words").to_string();
            }
            Ok(_) => {}
            Err(Gone(why)) => {
                assert_ne!(why, "silence");
                return said;
            }
        }
    }
}

/// A house on SQLite, where one connection reads for all.
async fn one_reader(folder: &Path) -> Serving {
    let options = SqliteOptions { readers: 1, ..SqliteOptions::default() };
    let store = Sqlite::open_with(&folder.join("houseway.sqlite"), options).await;
    let (store, clock) = (Arc::new(store.expect("it opens")), Arc::new(SystemClock::new()));
    Serving::on(fast(), store, vault(1), clock).await.expect("it opens")
}

/// Whatever has to be looked up for each of them: what is sent first is decided first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_are_decided_in_the_order_in_which_they_are_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let serving = one_reader(folder.path()).await;
    let someone = guest(serving.address).await.expect("a guest");
    let wish = json!({"rules": "mbs-2020"});
    let mut client = Client::of(serving.address, &someone).await.expect("a socket");
    for _ in 0..20 {
        let table = open_table(serving.address, &someone, &wish).await.expect("a table");
        // Each can be done only after the one before.
        let commands = [
            json!({"do": "bring-money", "amount": 2_000}),
            json!({"do": "sit", "position": 1}),
            json!({"do": "leave", "position": 1}),
            json!({"do": "sit", "position": 2}),
            json!({"do": "leave", "position": 2}),
            json!({"do": "take-money", "amount": 2_000}),
        ];
        for command in &commands {
            let id = Uuid::now_v7();
            let ask = json!({"type": "command", "table": table, "id": id, "command": command});
            client.send(&ask).await.expect("sent");
        }
        for command in &commands {
            let message = client.next().await.expect("an answer");
            assert_eq!(message["answer"]["answer"], "done", "{command}: {message}");
        }
    }
    serving.close().await;
}

/// Of what happened very long ago only the last is told, and that it is not all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_back_after_very_long_is_told_what_fits() {
    let place = Place::open(1, |_| ()).await;
    let someone = guest(place.address()).await.expect("a guest");
    let table = open_table(place.address(), &someone, &json!({"rules": "mbs-2020"})).await;
    let table = table.expect("a table");
    let mut client = Client::of(place.address(), &someone).await.expect("a socket");
    for number in 0..1_200 {
        let command = ["bring-money", "take-money"][number % 2];
        let command = json!({"do": command, "amount": 100});
        let ask =
            json!({"type": "command", "table": table, "id": Uuid::now_v7(), "command": command});
        client.send(&ask).await.expect("sent");
        assert_eq!(client.next().await.expect("an answer")["answer"]["answer"], "done");
    }
    let mut told = async |since: u64| {
        let view = client.watch(table, Some(since)).await.expect("a view");
        let happened = view["happened"].as_array().expect("a list");
        let versions: Vec<u64> = happened.iter().filter_map(|it| it["version"].as_u64()).collect();
        (view["version"].as_u64().expect("a version"), versions, view["missed"] == true)
    };
    let (last, versions, missed) = told(0).await;
    assert!(missed && last > 1_200);
    assert_eq!(versions.last(), Some(&last));
    assert!(versions.windows(2).all(|two| two[1] == two[0] + 1), "without a gap");
    assert!((500..=1_000).contains(&versions.len()), "{} are told", versions.len());
    let (_, versions, missed) = told(last - 300).await;
    assert_eq!((versions.len(), missed), (300, false));
    assert_eq!(told(last).await, (last, vec![], false));
    assert_eq!(told(last + 5).await, (last, vec![], true), "what it has is no part of this log");
}

/// An ask that has been handed the only connection which reads goes on while its own client waits for that
/// connection to watch another table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_asked_goes_on_while_something_else_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let serving = one_reader(folder.path()).await;
    let someone = guest(serving.address).await.expect("a guest");
    let wish = json!({"rules": "mbs-2020"});
    let seat = open_table(serving.address, &someone, &wish).await.expect("a table");
    let mut client = Client::of(serving.address, &someone).await.expect("a socket");
    for _ in 0..10 {
        let other = open_table(serving.address, &someone, &wish).await.expect("a table");
        let (id, command) = (Uuid::now_v7(), json!({"do": "bring-money", "amount": 100}));
        let ask = json!({"type": "command", "table": seat, "id": id, "command": command});
        client.send(&ask).await.expect("sent");
        client.send(&json!({"type": "watch", "table": other})).await.expect("sent");
        let (mut answered, mut watched) = (false, false);
        while !(answered && watched) {
            let message = client.next().await.expect("a message");
            match message["type"].as_str() {
                Some("answer") => answered = true,
                Some("table") => watched = true,
                _ => panic!("{message}"),
            }
        }
        client.send(&json!({"type": "unwatch", "table": other})).await.expect("sent");
    }
    serving.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_understood_is_answered_and_changes_nothing() {
    let place = Place::open(1, |_| ()).await;
    let someone = guest(place.address()).await.expect("a guest");
    let table =
        open_table(place.address(), &someone, &json!({"rules": "cardroom", "bots": 0})).await;
    let table = table.expect("a table");
    let mut client = Client::of(place.address(), &someone).await.expect("a socket");
    let before = place.store.heads("").await.expect("heads");
    let deep = |open: &str, close: &str| open.repeat(2_000) + &close.repeat(2_000);
    let command = |inner: &str| {
        format!(
            r#"{{"type":"command","table":{table},"id":"00000000-0000-0000-0000-000000000001","command":{inner}}}"#
        )
    };
    let mut texts: Vec<String> = [
        "",
        " ",
        "{",
        "}",
        "null",
        "true",
        "7",
        "-1e999",
        "\"watch\"",
        "[]",
        "[[]]",
        "{}",
        r#"{"type":null}"#,
        r#"{"type":"nope"}"#,
        r#"{"type":"Watch","table":1}"#,
        r#"{"type":"watch"}"#,
        r#"{"type":"watch","table":-1}"#,
        r#"{"type":"watch","table":1.5}"#,
        r#"{"type":"watch","table":"1"}"#,
        r#"{"type":"watch","table":99999999999999999999999}"#,
        r#"{"type":"watch","table":1,"since":-1}"#,
        r#"{"type":"watch","table":1,"more":1}"#,
        r#"{"type":"watch","table":123456789}"#,
        r#"{"type":"ping","n":-1}"#,
        r#"{"type":"ping"} {"type":"ping"}"#,
        r#"{"type":"ping"}garbage"#,
        "\u{0}",
        r#"{"type":"ping","n":"\ud800"}"#,
        r#"{"type":"command"}"#,
        "{\"type\":\"ping\",}",
        r#"{"type":"command","table":1,"id":"no-id","command":{"do":"ready"}}"#,
    ]
    .map(String::from)
    .to_vec();
    texts.extend([deep("[", "]"), deep("{\"a\":", "}"), command(&deep("[", "]"))]);
    for inner in [
        "null",
        "[]",
        "{}",
        r#"{"do":7}"#,
        r#"{"do":"fly"}"#,
        r#"{"do":"sit"}"#,
        r#"{"do":"sit","position":300}"#,
        r#"{"do":"bring-money","amount":-5}"#,
        r#"{"do":"bring-money","amount":1e30}"#,
        r#"{"do":"say"}"#,
        r#"{"do":"say","words":7}"#,
        r#"{"do":"set","position":1,"low":["Ah","Ah"]}"#,
        r#"{"do":"set","position":1,"low":["Zz"]}"#,
        r#"{"do":"deal","deck":[]}"#,
        r#"{"do":"ready","now":true}"#,
        r#"{"do":"sit","position":1,"seat":1}"#,
        r#"{"do":"bring-money","amount":5,"more":null}"#,
    ] {
        texts.push(command(inner));
    }
    for text in texts {
        client.send_raw(Message::Text(text.clone().into())).await.expect("it is sent");
        let said = client.next().await.expect("an answer");
        assert_eq!(said["type"], "wrong", "{text:.80}: {said}");
        assert!(said["why"].as_str().is_some_and(|why| !why.is_empty()), "{text:.80}");
    }
    // What can be read and cannot be done is refused, and the refusal says so.
    for (inner, refused) in [
        (json!({"do": "sit", "position": 200}), true),
        (json!({"do": "bring-money", "amount": u64::MAX}), true),
        (json!({"do": "say", "words": "x".repeat(10_000)}), true),
        (json!({"do": "deal-committed"}), true),
        (json!({"do": "open-round"}), true),
    ] {
        let id = Uuid::now_v7().to_string();
        let answered = client.ask(table, &id, &inner).await.expect("an answer");
        assert_eq!(answered.answer["answer"] == "refused", refused, "{inner}: {answered:?}");
    }
    // Over HTTP too.
    let id = Uuid::now_v7().to_string();
    let body = json!({"id": id, "command": {"do": "sit", "position": 1, "seat": 1}});
    let path = format!("/api/tables/{table}/commands");
    let bearer = someone.bearer();
    let headers = [("authorization", &*bearer)];
    let reply = http(place.address(), "POST", &path, &headers, Some(&body)).await.expect("a reply");
    assert_eq!(reply.status, 400);
    let error = reply.json()["error"].clone();
    assert_eq!(error["field"], "command", "{error}");
    // A message says where its fault is, and which one it was.
    let id = "00000000-0000-0000-0000-000000000009";
    for (command, says) in [
        (json!({"do": "sit", "position": 256}), "command: position: invalid value"),
        (json!({"do": "bring-money", "amount": -1}), "command: amount: "),
        (json!({"do": "fly"}), "`close-table`"),
    ] {
        let ask = json!({"type": "command", "table": table, "id": id, "command": command});
        client.send(&ask).await.expect("it is sent");
        let wrong = client.next().await.expect("an answer");
        assert_eq!(
            (&wrong["type"], &wrong["id"], &wrong["table"]),
            (&json!("wrong"), &json!(id), &json!(table))
        );
        assert!(wrong["why"].as_str().is_some_and(|it| it.contains(says)), "{wrong}");
    }
    assert!(error["says"].as_str().is_some_and(|says| says.contains("`seat`")), "{error}");
    assert_eq!(place.store.heads("").await.expect("heads"), before, "nothing was kept");
    client.send(&json!({"type": "ping", "n": 7})).await.expect("it is sent");
    assert_eq!(client.next().await.expect("an answer")["n"], 7, "and the socket still works");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_too_large_or_no_text_ends_the_socket_and_no_other() {
    let place = Place::open(1, |_| ()).await;
    let address = place.address();
    for large in [16 * 1024, 60_000, 64 * 1024, 5_000_000] {
        let mut client = Client::connect(address, &[]).await.expect("a socket");
        let text = format!("{{\"type\":\"ping\",\"n\":{}}}", " ".repeat(large));
        // The house may hang up before all of it is sent.
        let sent = client.send_raw(Message::Text(text.into())).await;
        let words = last_words(&mut client).await;
        // What is cut off while it is sent may take the last words along.
        let cut_off = large >= 64 * 1024 - 100;
        assert!(cut_off || sent.is_ok());
        let lost = cut_off && words.is_empty();
        assert!(lost || words == "a message has at most 16384 bytes", "{large}: {words}");
        others_are_served(address).await;
    }
    let rules = houseway_server::protocol::schema()["description"].to_string();
    assert!(rules.contains("more than 65536 bytes the rest is not read"), "{rules}");
    assert!(rules.contains("close code 1009"), "{rules}");
    let mut client = Client::connect(address, &[]).await.expect("a socket");
    client.send_raw(Message::Binary(vec![0, 159, 146, 150].into())).await.expect("it is sent");
    assert_eq!(last_words(&mut client).await, "messages are JSON texts");
    others_are_served(address).await;

    // Bytes that are no WebSocket at all, before and after the upgrade.
    let upgrade = format!(
        "GET /api/socket HTTP/1.1\r\nhost: {address}\r\nconnection: upgrade\r\nupgrade: websocket\
         \r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    // A text that is no UTF-8, a reserved opcode, a frame without a mask, a length of 2^63; and the codes
    // that say so.
    let frames: [(&[u8], u16); 4] = [
        (b"\x81\x82\x00\x00\x00\x00\xff\xfe", 1007),
        (b"\x83\x80\x00\x00\x00\x00", 1002),
        (b"\x81\x02{}", 1002),
        (b"\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 1009),
    ];
    for (frame, code) in frames {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(upgrade.as_bytes()).await.expect("it is sent");
        stream.write_all(frame).await.expect("it is sent");
        let mut all = vec![];
        let ended = tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut all));
        // Reset or closed, it ends.
        let _ = ended.await.expect("the house hangs up");
        let [high, low] = code.to_be_bytes();
        let said = all.windows(2).any(|it| it == [high, low]);
        assert!(said, "{code} of {frame:?}: {}", String::from_utf8_lossy(&all));
    }
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(&[0x16, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, b'\r', b'\n']).await.expect("sent");
    let mut all = vec![];
    let ended = tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut all));
    let _ = ended.await.expect("the house hangs up");
    others_are_served(address).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_is_cut_off() {
    let place = Place::open(1, |config| config.messages_per_second = 20).await;
    let address = place.address();
    let floods = [
        Message::Text(r#"{"type":"ping"}"#.into()),
        Message::Text("nonsense".into()),
        Message::Ping(vec![1].into()),
        Message::Pong(vec![1].into()),
    ];
    for flood in floods {
        let mut client = Client::connect(address, &[]).await.expect("a socket");
        for _ in 0..500 {
            // The house hangs up in the middle of it.
            if client.send_raw(flood.clone()).await.is_err() {
                break;
            }
        }
        // Whoever is still writing when the house hangs up may not hear the last words.
        let said = last_words(&mut client).await;
        assert!(said == "too many messages" || said.is_empty(), "{said}");
    }
    others_are_served(address).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_not_read_makes_nobody_wait() {
    let place = Place::open(1, |_| ()).await;
    let address = place.address();
    let host = guest(address).await.expect("a guest");
    let wish = json!({"rules": "mbs-2020", "bots": 2, "results": 0});
    let table = open_table(address, &host, &wish).await.expect("a table");
    let mut stalled = vec![];
    for _ in 0..20 {
        let mut client = Client::connect(address, &[]).await.expect("a socket");
        // Each of these is answered with a whole view: together far more than buffers hold.
        for _ in 0..3_000 {
            client.send(&json!({"type": "watch", "table": table})).await.expect("it is sent");
        }
        stalled.push(client);
    }
    let witness = Arc::new(Mutex::new(Witness::default()));
    let (_, at_door) = watch::channel(vec![Some(address)]);
    let (enough, is_enough) = watch::channel(false);
    let player = Player::new((host, table), (at_door, is_enough), 1, witness.clone());
    let playing = tokio::spawn(player.play());
    while witness.lock().expect("nobody panics with it").acknowledged.len() < 300 {
        assert!(!playing.is_finished(), "the player has stopped");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    enough.send_replace(true);
    playing.await.expect("they played on");
    let contradictions = witness.lock().expect("nobody panics with it").contradictions.clone();
    assert_eq!(contradictions, Vec::<String>::new());
    // And in the end they are sent away.
    let late = Instant::now() + PATIENCE;
    while place.serving.app.house.metrics().sockets.get() > 0 {
        assert!(Instant::now() < late, "whoever reads nothing is served for ever");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(stalled);
}

async fn post(address: SocketAddr, by: &Guest, path: &str, body: &Value) -> u16 {
    let bearer = by.bearer();
    let headers = [("authorization", &*bearer)];
    http(address, "POST", path, &headers, Some(body)).await.expect("a reply").status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_ends_takes_its_sockets_along() {
    let place = Place::open(1, |_| ()).await;
    let address = place.address();
    let operator = place.staff("boss", Standing::Operator).await;
    let leaver = account(address, "leaver").await.expect("an account");
    let mut other = Client::of(address, &operator).await.expect("a socket");

    // Going.
    let mut first = Client::of(address, &leaver).await.expect("a socket");
    let mut second = Client::of(address, &leaver).await.expect("a socket");
    assert_eq!(post(address, &leaver, "/api/logout", &json!({})).await, 200);
    assert_eq!(last_words(&mut first).await, "the session has ended");
    assert_eq!(last_words(&mut second).await, "the session has ended");
    let refused = Client::of(address, &leaver).await.err().expect("no socket");
    assert!(refused.0.contains("401"), "{refused:?}");

    // Being sent away: by the end of one's sessions, and by being shut out.
    for what in ["end-sessions", "disable"] {
        let someone = account(address, &format!("someone {what}")).await.expect("an account");
        let mut client = Client::of(address, &someone).await.expect("a socket");
        let path = format!("/api/people/{}/{what}", someone.person);
        assert_eq!(post(address, &operator, &path, &json!({"why": "a test"})).await, 200);
        assert_eq!(last_words(&mut client).await, "the session has ended", "{what}");
    }

    // Coming in anew.
    let before = account(address, "again").await.expect("an account");
    let mut client = Client::of(address, &before).await.expect("a socket");
    let body = json!({"name": "again", "password": "a long enough pass phrase"});
    assert_eq!(post(address, &before, "/api/login", &body).await, 200);
    assert_eq!(last_words(&mut client).await, "the session has ended");

    other.send(&json!({"type": "ping", "n": 3})).await.expect("it is sent");
    assert_eq!(other.next().await.expect("an answer")["n"], 3, "nobody else was sent away");
}

/// Whoever plays over a socket alone is there all the same; whoever only has it open is not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn playing_over_a_socket_keeps_a_session_open() {
    let place = Place::open(1, |_| ()).await;
    let address = place.address();
    let (plays, sits) = ("plays", "only sits there");
    let plays = account(address, plays).await.expect("an account");
    let sits = account(address, sits).await.expect("an account");
    let wish = json!({"rules": "mbs-2020"});
    let table = open_table(address, &plays, &wish).await.expect("a table");
    let mut client = Client::of(address, &plays).await.expect("a socket");
    for step in 0..6_u128 {
        place.clock.forward(20 * 60_000);
        let id = Uuid::from_u128(step).to_string();
        let said = client.ask(table, &id, &json!({"do": "ready"})).await.expect("an answer");
        assert_eq!(said.answer["answer"], "refused", "nobody sits here: {:?}", said.answer);
    }
    let me = async |guest: &Guest| {
        let bearer = guest.bearer();
        http(address, "GET", "/api/me", &[("authorization", &bearer)], None).await.expect("a reply")
    };
    assert_eq!(me(&plays).await.status, 200);
    assert_eq!(me(&sits).await.status, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_socket_watches_so_many_tables_and_no_more() {
    let place = Place::open(1, |_| ()).await;
    let address = place.address();
    let someone = guest(address).await.expect("a guest");
    let mut client = Client::of(address, &someone).await.expect("a socket");
    for _ in 0..16 {
        let table = open_table(address, &someone, &json!({"rules": "mbs-2016"})).await;
        client.watch(table.expect("a table"), None).await.expect("a view");
    }
    let table = open_table(address, &someone, &json!({"rules": "mbs-2016"})).await;
    client.send(&json!({"type": "watch", "table": table.expect("a table")})).await.expect("sent");
    let said = client.next().await.expect("an answer");
    assert_eq!(said["why"], "at most 16 tables are watched at once");
}
