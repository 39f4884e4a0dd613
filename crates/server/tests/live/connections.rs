//! Connections on which little or nothing is said.

use std::net::SocketAddr;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::house::Place;
use crate::players::{Client, Gone, PATIENCE, guest, http};

/// Says something, and listens until the house hangs up.
async fn until_the_end(address: SocketAddr, said: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(said.as_bytes()).await.expect("it is sent");
    heard_to_the_end(&mut stream).await
}

async fn heard_to_the_end(stream: &mut TcpStream) -> String {
    let mut heard = vec![];
    let listening = stream.read_to_end(&mut heard);
    // A house that hangs up on what it has not read may reset the connection.
    let _ = tokio::time::timeout(PATIENCE, listening).await.expect("the house hangs up");
    String::from_utf8(heard).expect("text")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_not_send_a_head_in_time_is_let_go() {
    let place = Place::open(1, |config| config.head_milliseconds = 200).await;
    let address = place.address();
    let someone = guest(address).await.expect("a guest");
    // Both are open before the others: what holds for those has held for these as well.
    let mut client = Client::of(address, &someone).await.expect("a socket");
    let mut kept = TcpStream::connect(address).await.expect("a connection");
    let request = "GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n";
    kept.write_all(request.as_bytes()).await.expect("it is sent");
    assert_eq!(until_the_end(address, "").await, "", "nothing is said");
    let half = "GET /healthz HTTP/1.1\r\nhost: ";
    assert!(!until_the_end(address, half).await.contains("200 OK"), "half a head");
    // A little at a time is no better.
    let slow = TcpStream::connect(address).await.expect("a connection");
    let (mut hears, mut says) = slow.into_split();
    let dripping = tokio::spawn(async move {
        while says.write_all(b"a").await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    let mut heard = vec![];
    let listening = hears.read_to_end(&mut heard);
    let _ = tokio::time::timeout(PATIENCE, listening).await.expect("the house hangs up");
    tokio::time::timeout(PATIENCE, dripping).await.expect("nobody listens").expect("no panic");
    // A connection that was answered and then fell silent has ended too; a socket has not.
    let heard = heard_to_the_end(&mut kept).await;
    assert!(heard.starts_with("HTTP/1.1 200 OK") && heard.ends_with("ok\n"), "{heard}");
    client.send(&json!({"type": "ping"})).await.expect("it is sent");
    client.until(|it| it["type"] == "pong").await.expect("an answer");
    assert_eq!(http(address, "GET", "/healthz", &[], None).await.expect("a reply").status, 200);
}

/// A house that closes does not wait for those who say nothing, and tells those on sockets.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_that_closes_lets_everyone_go() {
    let place = Place::open(1, |config| config.head_milliseconds = 3_600_000).await;
    let address = place.address();
    let someone = guest(address).await.expect("a guest");
    let mut client = Client::of(address, &someone).await.expect("a socket");
    let mut silent = TcpStream::connect(address).await.expect("a connection");
    let mut kept = TcpStream::connect(address).await.expect("a connection");
    kept.write_all(b"GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n").await.expect("it is sent");
    let mut first = [0; 15];
    kept.read_exact(&mut first).await.expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    let closing = tokio::spawn(place.serving.close());
    assert_eq!(heard_to_the_end(&mut silent).await, "");
    assert!(heard_to_the_end(&mut kept).await.ends_with("ok\n"));
    let gone = loop {
        if let Err(Gone(why)) = client.next().await {
            break why;
        }
    };
    assert_ne!(gone, "silence");
    closing.await.expect("no panic");
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens");
}

/// Whoever asks too much is told when to come again; what watches the process is answered all the same, whatever
/// token it shows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn probes_are_answered_however_much_others_ask() {
    let place = Place::open(1, |config| config.requests_per_second = 5).await;
    let address = place.address();
    let shown = [("authorization", "Bearer nobody's")];
    let refused = loop {
        let reply = http(address, "GET", "/api/rules", &[], None).await.expect("a reply");
        if reply.status != 200 {
            break reply;
        }
    };
    assert_eq!(refused.status, 429);
    assert!(refused.head.to_lowercase().contains("retry-after: 1"), "{}", refused.head);
    for _ in 0..20 {
        for path in ["/healthz", "/readyz", "/metrics"] {
            let reply = http(address, "GET", path, &shown, None).await.expect("a reply");
            assert_eq!(reply.status, 200, "{path}");
        }
    }
}
