//! Pages of others in a browser that has been here: nothing is done in its owner's name, nobody comes
//! in by them, and what has ended stays so.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use houseway_server::people::{Kind, Standing};
use houseway_store::Store;
use houseway_table::Person;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::house::Place;
use crate::players::{Client, Gone, Guest, Reply, account, guest, http, open_table};

/// Origins of pages that are not the house's, where its own is `http://127.0.0.1` at a port and
/// `https://friend.example` is trusted.
fn hostile_origins(port: u16) -> Vec<String> {
    let own = format!("http://127.0.0.1:{port}");
    let fixed = [
        "null",
        "",
        " ",
        "*",
        "undefined",
        "about:blank",
        "data:",
        "http://evil.example",
        "https://evil.example",
        "http://127.0.0.1",
        "http://127.0.0.1:80",
        "https://friend.example.evil.example",
        "https://friend.example:444",
        "https://friend.example:443",
        "https://friend.example.",
        "https://friend.example/",
        "https://friend.example?",
        "https://friend.example, https://evil.example",
        "https://evil.example/https://friend.example",
        "https://sub.friend.example",
        "https://friend-example",
        "https://friend%2eexample",
        "https://xn--frend-example-8ib",
        // Look-alikes as they are, a full stop of another script, a space without width.
        "https://fr\u{456}end.example",
        "https://friend\u{3002}example",
        "https://friend.example\u{200b}",
        "http://friend.example",
        "https://notfriend.example",
        "https://FRIEND.example",
        "chrome-extension://friend.example",
        "blob:https://friend.example",
    ];
    let about_the_port = [
        format!("http://evil.example:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port.wrapping_add(1)),
        format!("http://127.0.0.1:0{port}"),
        format!("http://\u{ff11}\u{ff12}\u{ff17}.0.0.1:{port}"),
        format!("http://localhost:{port}"),
        format!("http://localhost.evil.example:{port}"),
        format!("{own}.evil.example"),
        format!("{own}@evil.example"),
        format!("http://evil.example@127.0.0.1:{port}"),
        format!("{own}/"),
        format!("{own}#"),
        format!("{own}\\"),
        format!("{own} http://evil.example"),
        format!("{own},{own}"),
        format!("http://0177.0.0.1:{port}"),
        format!("http://2130706433:{port}"),
        format!("http://127.1:{port}"),
        format!("http://[::1]:{port}"),
        format!("http://[::ffff:127.0.0.1]:{port}"),
        format!("HTTP://127.0.0.1:{port}"),
        format!("ws://127.0.0.1:{port}"),
        format!("file://127.0.0.1:{port}"),
        format!("//127.0.0.1:{port}"),
        format!("127.0.0.1:{port}"),
    ];
    fixed.into_iter().map(str::to_string).chain(about_the_port).collect()
}

async fn place() -> Place {
    Place::open(1, |config| config.origins = vec!["https://friend.example".into()]).await
}

/// Every route that can change something, from the house's own description, about a table and a person.
async fn changing_routes(address: SocketAddr, table: u64, person: u32) -> Vec<String> {
    let reply = http(address, "GET", "/api/openapi.json", &[], None).await.expect("a reply");
    let document = reply.json();
    let paths = document["paths"].as_object().expect("paths");
    let posts = paths.iter().filter(|(_, methods)| {
        methods.as_object().expect("methods").keys().any(|method| method != "get")
    });
    let (table, person) = (table.to_string(), person.to_string());
    let filled =
        posts.map(|(path, _)| path.replace("{table}", &table).replace("{person}", &person));
    filled.collect()
}

/// What would be sent to a route by someone who means it.
fn body(path: &str) -> Value {
    let known = json!({"name": "mallory", "password": "a long enough pass phrase"});
    match path.rsplit('/').next().unwrap_or_default() {
        "login" | "register" => known,
        "password" => {
            json!({"old": "a long enough pass phrase", "new": "another good pass phrase"})
        }
        "limits" => json!({"kind": "loss-per-day", "most": 1}),
        "tables" => json!({"rules": "mbs-2020"}),
        "commands" => json!({
            "id": "00000000-0000-0000-0000-000000000001",
            "command": {"do": "bring-money", "amount": 10_000},
        }),
        "standing" => json!({"standing": "operator", "why": "mine"}),
        _ => json!({"why": "because"}),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_other_page_does_anything_or_lets_anyone_in() {
    let place = place().await;
    let address = place.address();
    // An operator's browser, so that nothing fails for want of rights.
    let victim = place.staff("victim", Standing::Operator).await;
    account(address, "mallory").await.expect("an account");
    let table = open_table(address, &victim, &json!({"rules": "mbs-2020"})).await.expect("a table");
    let routes = changing_routes(address, table, victim.person).await;
    let cookie = format!("houseway={}", victim.token);
    let before = place.store.heads("").await.expect("heads");
    let users = place.store.users(Person(0), 100).await.expect("users");
    let origins = hostile_origins(address.port());
    let mut forged = 0_u32;
    let mut accepted: Vec<String> = vec![];
    for path in &routes {
        let body = body(path);
        let mut tries: Vec<Vec<(&str, &str)>> = vec![];
        for origin in &origins {
            tries.push(vec![("cookie", &*cookie), ("origin", &**origin)]);
            // As the page of a form does it, in a browser that keeps the cookie back.
            tries.push(vec![("origin", &**origin), ("content-type", "text/plain")]);
        }
        for site in ["cross-site", "same-site", "none"] {
            tries.push(vec![("cookie", &*cookie), ("sec-fetch-site", site)]);
            tries.push(vec![("sec-fetch-site", site)]);
        }
        tries.push(vec![("cookie", &*cookie)]);
        for headers in tries {
            forged += 1;
            let reply = http(address, "POST", path, &headers, Some(&body)).await.expect("a reply");
            if reply.status != 403 || reply.head.to_lowercase().contains("set-cookie") {
                accepted.push(format!("{path}: {headers:?}: {}", reply.status));
            }
        }
    }
    assert!(accepted.is_empty(), "{} of {forged}: {accepted:#?}", accepted.len());
    assert_eq!(place.store.heads("").await.expect("heads"), before, "nothing was kept");
    let after = place.store.users(Person(0), 100).await.expect("users");
    assert_eq!(after, users, "and nobody came in");
    // It can be told from a house that refuses everything.
    let own = format!("http://127.0.0.1:{}", address.port());
    for headers in [
        vec![("cookie", &*cookie), ("origin", &*own)],
        vec![("cookie", &*cookie), ("origin", "https://friend.example")],
        vec![("cookie", &*cookie), ("sec-fetch-site", "same-origin")],
        vec![("origin", &*own)],
        vec![],
    ] {
        let path =
            if headers.iter().any(|it| it.0 == "cookie") { "/api/tables" } else { "/api/guest" };
        let reply =
            http(address, "POST", path, &headers, Some(&body(path))).await.expect("a reply");
        assert_eq!(reply.status, 200, "{headers:?}");
    }
    let (origins, routes) = (origins.len(), routes.len());
    let accepted = accepted.len();
    eprintln!(
        "figures {}",
        json!({
            "origins": origins, "changing-routes": routes, "forged": forged,
            "forged-accepted": accepted,
        })
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cookie_from_another_page_opens_nothing() {
    let place = place().await;
    let address = place.address();
    let someone = guest(address).await.expect("a guest");
    let cookie = format!("houseway={}", someone.token);
    let port = address.port();
    let hostile = hostile_origins(port);
    let mut tries: Vec<Vec<(&str, &str)>> = vec![];
    for origin in &hostile {
        tries.push(vec![("cookie", &*cookie), ("origin", &**origin)]);
        // A page that has no cookie to send opens nothing either.
        tries.push(vec![("origin", &**origin)]);
    }
    // Without an origin.
    tries.push(vec![("cookie", &*cookie)]);
    for site in ["cross-site", "same-site", "none"] {
        tries.push(vec![("cookie", &*cookie), ("sec-fetch-site", site)]);
    }
    // A name that leads here is not one of ours, whatever the page claims.
    let rebound = format!("evil.example:{port}");
    let origin = format!("http://{rebound}");
    tries.push(vec![("cookie", &*cookie), ("origin", &*origin), ("host", &*rebound)]);
    let mut accepted = vec![];
    for headers in &tries {
        match Client::connect(address, headers).await {
            Err(Gone(why)) if why.contains("403") => {}
            Err(Gone(why)) => accepted.push(format!("{headers:?}: {why}")),
            Ok(_) => accepted.push(format!("{headers:?}")),
        }
    }
    let figures = json!({"tried": tries.len(), "accepted": accepted.len()});
    eprintln!("figures {}", json!({"upgrades": figures}));
    assert_eq!(accepted, Vec::<String>::new());

    let own = format!("http://127.0.0.1:{port}");
    for origin in [&*own, "https://friend.example"] {
        let opened = Client::connect(address, &[("cookie", &cookie), ("origin", origin)]).await;
        assert!(opened.is_ok(), "{origin}: {:?}", opened.err());
    }
    assert!(Client::of(address, &someone).await.is_ok(), "a program shows its token itself");
}

/// A house on all addresses of a machine is used by whichever of them someone has typed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_that_listens_everywhere_has_all_its_addresses() {
    let everywhere = SocketAddr::from(([0, 0, 0, 0], 0));
    let place = Place::open(1, |config| config.listen = everywhere).await;
    let port = place.address().port();
    for host in [[127, 0, 0, 1], [127, 0, 0, 2], [127, 8, 0, 9]] {
        let address = SocketAddr::from((host, port));
        let comes = async |origin: &str| {
            let headers = [("origin", origin)];
            http(address, "POST", "/api/guest", &headers, None).await.expect("a reply").status
        };
        assert_eq!(comes(&format!("http://{address}")).await, 200);
        for other in [
            format!("http://evil.example:{port}"),
            format!("https://{address}"),
            format!("http://127.7.7.7:{port}"),
            format!("http://{}", address.ip()),
        ] {
            assert_eq!(comes(&other).await, 403, "{other} at {address}");
        }
        // A name that leads here is not one of ours, whoever gave it.
        let mut line = TcpStream::connect(address).await.expect("a line");
        let evil = format!("evil.example:{port}");
        let request = format!(
            "POST /api/guest HTTP/1.1\r\nhost: {evil}\r\norigin: http://{evil}\r\n\
             connection: close\r\ncontent-length: 0\r\n\r\n"
        );
        line.write_all(request.as_bytes()).await.expect("it is sent");
        let mut reply = String::new();
        line.read_to_string(&mut reply).await.expect("a reply");
        assert!(reply.starts_with("HTTP/1.1 403 "), "{reply}");
    }
}

async fn me(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Reply {
    http(address, "GET", path, headers, None).await.expect("a reply")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_shown_in_a_header_or_not_at_all() {
    let place = place().await;
    let address = place.address();
    let someone = guest(address).await.expect("a guest");
    let token = &someone.token;
    assert_eq!(me(address, "/api/me", &[("authorization", &someone.bearer())]).await.status, 200);
    for name in ["token", "houseway", "session", "access_token", "authorization", "key"] {
        for path in [format!("/api/me?{name}={token}"), format!("/api/me;{name}={token}")] {
            assert_ne!(me(address, &path, &[]).await.status, 200, "{path}");
        }
        let reply = me(address, &format!("/api/socket?{name}={token}"), &[]).await;
        assert_ne!(reply.status, 101);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_from_elsewhere_is_never_made_good() {
    let place = place().await;
    let address = place.address();
    account(address, "known").await.expect("an account");
    let attacker = guest(address).await.expect("a guest");
    let own = format!("http://127.0.0.1:{}", address.port());
    let body = json!({"name": "known", "password": "a long enough pass phrase"});
    // One that the attacker made up, and one that the attacker holds.
    for planted in ["a".repeat(64), attacker.token.clone()] {
        let cookie = format!("houseway={planted}");
        let headers = [("cookie", &*cookie), ("origin", &*own)];
        let reply = http(address, "POST", "/api/login", &headers, Some(&body)).await;
        let reply = reply.expect("a reply");
        assert_eq!(reply.status, 200);
        assert_ne!(reply.json()["token"], *planted, "a fresh one");
        let bearer = format!("Bearer {planted}");
        let reply = me(address, "/api/me", &[("authorization", &bearer)]).await;
        assert_eq!(reply.status, 401, "and the planted one leads nowhere");
    }
}

async fn ended_after(client: &mut Client, start: Instant) -> Duration {
    loop {
        match client.next().await {
            Ok(_) => {}
            Err(Gone(why)) => {
                assert_ne!(why, "silence");
                return start.elapsed();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_was_left_is_over_everywhere() {
    let place = place().await;
    let address = place.address();
    let someone: Guest = account(address, "leaver").await.expect("an account");
    let bearer = someone.bearer();
    let headers = [("authorization", &*bearer)];
    let table =
        open_table(address, &someone, &json!({"rules": "mbs-2020"})).await.expect("a table");
    let mut sockets = vec![];
    for _ in 0..20 {
        sockets.push(Client::of(address, &someone).await.expect("a socket"));
    }
    let start = Instant::now();
    let left = http(address, "POST", "/api/logout", &headers, None).await.expect("a reply");
    assert_eq!(left.status, 200);
    let mut longest = Duration::ZERO;
    for socket in &mut sockets {
        longest = longest.max(ended_after(socket, start).await);
    }
    eprintln!("figures {}", json!({"closed-after-ms": longest.as_millis() as u64}));
    let cookie = format!("houseway={}", someone.token);
    let own = format!("http://127.0.0.1:{}", address.port());
    for shown in [vec![("authorization", &*bearer)], vec![("cookie", &*cookie), ("origin", &*own)]]
    {
        assert_eq!(me(address, "/api/me", &shown).await.status, 401);
        assert!(Client::connect(address, &shown).await.is_err(), "no socket");
        let path = format!("/api/tables/{table}/commands");
        let reply = http(address, "POST", &path, &shown, Some(&body("commands"))).await;
        assert_eq!(reply.expect("a reply").status, 401);
    }
}

/// How many minutes someone can do nothing and still is who they were, in the house's time.
async fn idle_minutes(place: &Place, someone: &Guest) -> u64 {
    let mut minutes = 0;
    // To look is no sign of life.
    while place.serving.app.people.who(&someone.token).await.expect("it is known").is_some() {
        place.clock.forward(60_000);
        minutes += 1;
        assert!(minutes < 12 * 60, "this never ends");
    }
    minutes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_nothing_is_let_go_and_their_sockets_with_them() {
    let place = place().await;
    let address = place.address();
    let mut longest = [0; 2];
    let (mut tried, mut asked) = (0, Duration::ZERO);
    let player = ("player", Standing::PLAYER);
    for (name, standing) in [player].into_iter().chain(Place::standings()) {
        let someone = place.staff(name, standing).await;
        let mut socket = Client::of(address, &someone).await.expect("a socket");
        let minutes = idle_minutes(&place, &someone).await;
        let which = usize::from(standing != Standing::PLAYER);
        longest[which] = longest[which].max(minutes);
        let bearer = someone.bearer();
        let shown = [("authorization", &*bearer)];
        assert_eq!(me(address, "/api/me", &shown).await.status, 401, "{name}");
        assert!(Client::connect(address, &shown).await.is_err(), "{name}: no socket");
        tried += 1;
        // Whoever asks something is gone at once.
        let id = "00000000-0000-0000-0000-000000000001";
        let ask = json!({"type": "command", "table": 1, "id": id, "command": {"do": "ready"}});
        socket.send(&ask).await.expect("it is sent");
        asked = asked.max(ended_after(&mut socket, Instant::now()).await);
    }
    let [players, staff] = longest;
    // One that does not ask goes when its session does. The house sees that coming when it looks, which it
    // does now and then and whenever something about someone changes.
    let someone = place.staff("leaver", Standing::PLAYER).await;
    let mut socket = Client::of(address, &someone).await.expect("a socket");
    place.clock.forward(players * 60_000 - 800);
    let people = &place.serving.app.people;
    let set = people.set_limit(Person(someone.person), Kind::LossPerDay, Some(1_000_000)).await;
    set.expect("it is set");
    // It looks, finds nothing wrong, and stays.
    let stays = tokio::time::timeout(Duration::from_millis(500), socket.next()).await;
    assert!(stays.is_err(), "{stays:?} before the session has run out");
    place.clock.forward(800);
    let closed = ended_after(&mut socket, Instant::now()).await;
    let idle = json!({
        "roles": tried, "player-minutes": players, "staff-minutes": staff,
        "socket-closed-after-ms": closed.as_millis() as u64,
        "asking-socket-closed-after-ms": asked.as_millis() as u64,
    });
    eprintln!("figures {}", json!({"idle": idle}));
    assert_eq!(longest, [30, 5]);
    assert!(closed < Duration::from_secs(5), "{closed:?}: by its heartbeat");
}
