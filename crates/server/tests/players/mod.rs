//! Clients that speak to a house over real connections: HTTP, a request each, and sockets.
#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod player;
pub(crate) mod witness;

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::{WebSocketStream, client_async};

/// All rulebooks.
pub(crate) const RULES: [&str; 5] =
    ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"];

/// Longer than anything takes that is going to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// What a house says of a table whose queue is full.
pub(crate) const BUSY: &str = "the table is busy: ask again";

/// The connection is gone, or says nothing any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gone(pub(crate) String);

#[expect(clippy::needless_pass_by_value, reason = "errors are handed over as they come")]
fn gone(error: impl ToString) -> Gone {
    Gone(error.to_string())
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error}: {}", String::from_utf8_lossy(&self.body));
        })
    }
}

/// One request on a connection of its own.
pub(crate) async fn http(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Result<Reply, Gone> {
    let talk = async {
        let mut stream = TcpStream::connect(address).await?;
        let body = body.map(ToString::to_string).unwrap_or_default();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
             content-length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            request.extend([name, ": ", value, "\r\n"]);
        }
        request.push_str("\r\n");
        request.push_str(&body);
        stream.write_all(request.as_bytes()).await?;
        let mut answer = vec![];
        stream.read_to_end(&mut answer).await?;
        io::Result::Ok(answer)
    };
    let answer = tokio::time::timeout(PATIENCE, talk).await.map_err(gone)?.map_err(gone)?;
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n").ok_or_else(|| gone("cut off"))?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let mut body = answer[end + 4..].to_vec();
    if head.to_lowercase().contains("transfer-encoding: chunked") {
        body = unchunked(&body).ok_or_else(|| gone("cut off"))?;
    }
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    Ok(Reply { status: status.ok_or_else(|| gone("no status"))?, head, body })
}

fn unchunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut whole = vec![];
    loop {
        let end = rest.windows(2).position(|it| it == b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).ok()?, 16).ok()?;
        if size == 0 {
            return Some(whole);
        }
        whole.extend_from_slice(rest.get(end + 2..end + 2 + size)?);
        rest = rest.get(end + 4 + size..)?;
    }
}

/// Someone who has come in.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) person: u32,
    pub(crate) token: String,
}

impl Guest {
    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }
}

fn come(reply: &Reply) -> Guest {
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
    let said = reply.json();
    Guest {
        person: said["you"]["person"].as_u64().expect("a number") as u32,
        token: said["token"].as_str().expect("a token").to_string(),
    }
}

/// Comes in as a guest. A house that cannot let anyone in now says so, and is asked again.
pub(crate) async fn guest(address: SocketAddr) -> Result<Guest, Gone> {
    let late = std::time::Instant::now() + PATIENCE;
    loop {
        let reply = http(address, "POST", "/api/guest", &[], None).await?;
        if reply.status != 503 || std::time::Instant::now() > late {
            return Ok(come(&reply));
        }
    }
}

/// Comes in with a new account.
pub(crate) async fn account(address: SocketAddr, name: &str) -> Result<Guest, Gone> {
    let body = json!({"name": name, "password": "a long enough pass phrase"});
    Ok(come(&http(address, "POST", "/api/register", &[], Some(&body)).await?))
}

/// Opens a table.
pub(crate) async fn open_table(
    address: SocketAddr,
    guest: &Guest,
    wish: &Value,
) -> Result<u64, Gone> {
    let bearer = guest.bearer();
    let reply =
        http(address, "POST", "/api/tables", &[("authorization", &bearer)], Some(wish)).await?;
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
    Ok(reply.json()["table"].as_u64().expect("a number"))
}

/// How a command was answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answered {
    pub(crate) version: u64,
    pub(crate) answer: Value,
}

impl Answered {
    pub(crate) fn is_done(&self) -> bool {
        self.answer["answer"] == "done"
    }
}

/// A client on a socket.
pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
    /// The last update of each table that is watched.
    pub(crate) tables: BTreeMap<u64, Value>,
    /// What was told to have happened and nobody has taken up yet.
    pub(crate) happened: Vec<(u64, Value)>,
    /// Every message, as it came.
    pub(crate) heard: Vec<String>,
    /// Whether messages are kept.
    pub(crate) keeps: bool,
}

impl Client {
    /// Opens a socket and waits for the welcome.
    pub(crate) async fn connect(
        address: SocketAddr,
        headers: &[(&str, &str)],
    ) -> Result<Client, Gone> {
        let connect = async {
            let stream = TcpStream::connect(address).await.map_err(gone)?;
            stream.set_nodelay(true).map_err(gone)?;
            let mut request =
                format!("ws://{address}/api/socket").into_client_request().map_err(gone)?;
            for (name, value) in headers {
                let name: HeaderName = name.parse().map_err(gone)?;
                let value = HeaderValue::from_bytes(value.as_bytes()).map_err(gone)?;
                request.headers_mut().insert(name, value);
            }
            let (socket, _) = client_async(request, stream).await.map_err(gone)?;
            let (tables, happened, heard) = Default::default();
            let mut client = Client { socket, tables, happened, heard, keeps: false };
            let welcome = client.next().await?;
            assert_eq!(welcome["type"], "welcome");
            Ok(client)
        };
        tokio::time::timeout(PATIENCE, connect).await.map_err(gone)?
    }

    /// Opens a socket as someone who has come in.
    pub(crate) async fn of(address: SocketAddr, guest: &Guest) -> Result<Client, Gone> {
        Client::connect(address, &[("authorization", &guest.bearer())]).await
    }

    pub(crate) async fn send_raw(&mut self, message: Message) -> Result<(), Gone> {
        self.socket.send(message).await.map_err(gone)
    }

    pub(crate) async fn send(&mut self, message: &Value) -> Result<(), Gone> {
        self.send_raw(Message::Text(message.to_string().into())).await
    }

    /// The next message, whatever it is.
    pub(crate) async fn next(&mut self) -> Result<Value, Gone> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let message = message.map_err(|_| gone("silence"))?.ok_or_else(|| gone("closed"))?;
            let text = match message.map_err(gone)? {
                Message::Text(text) => text,
                Message::Close(frame) => {
                    let said = frame.map(|it| format!("{} {}", it.code, it.reason));
                    return Err(gone(said.unwrap_or_default()));
                }
                _ => continue,
            };
            if self.keeps {
                self.heard.push(text.to_string());
            }
            let message: Value = serde_json::from_str(&text).expect("messages are JSON");
            // Of two things with one name a reader has the last.
            assert_eq!(message.to_string().len(), text.len(), "a name is there twice: {text}");
            if message["type"] == "table" {
                let table = message["table"].as_u64().expect("a number");
                for it in message["happened"].as_array().expect("a list") {
                    self.happened.push((table, it.clone()));
                }
                self.tables.insert(table, message.clone());
            }
            return Ok(message);
        }
    }

    /// Watches a table and waits for its first view. A busy table says so, and is asked again.
    pub(crate) async fn watch(&mut self, table: u64, since: Option<u64>) -> Result<Value, Gone> {
        let late = std::time::Instant::now() + PATIENCE;
        loop {
            self.send(&json!({"type": "watch", "table": table, "since": since})).await?;
            let is_busy = |it: &Value| it["why"] == BUSY && it["id"].is_null();
            let of_it = |it: &Value| it["type"] == "table" || is_busy(it);
            let said = self.until(|it| it["table"] == table && of_it(it)).await?;
            if !is_busy(&said) {
                return Ok(said);
            }
            assert!(std::time::Instant::now() < late, "{said}");
        }
    }

    /// The next message that fits.
    pub(crate) async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Result<Value, Gone> {
        loop {
            let message = self.next().await?;
            if fits(&message) {
                return Ok(message);
            }
            assert_ne!(message["type"], "wrong", "{message}");
        }
    }

    /// Sends a command and waits for its answer; `Err(Ok(…))` says why there is none.
    pub(crate) async fn ask(
        &mut self,
        table: u64,
        id: &str,
        command: &Value,
    ) -> Result<Answered, Result<String, Gone>> {
        let message = json!({"type": "command", "table": table, "id": id, "command": command});
        self.send(&message).await.map_err(Err)?;
        let fits = |it: &Value| it["id"] == id;
        let said = self.until(fits).await.map_err(Err)?;
        match said["type"].as_str() {
            Some("answer") => Ok(Answered {
                version: said["version"].as_u64().expect("a version"),
                answer: said["answer"].clone(),
            }),
            _ => Err(Ok(said["why"].as_str().unwrap_or_default().to_string())),
        }
    }

    /// Sends a command until it is answered: a house that cannot take it now says so, and is asked again.
    pub(crate) async fn answered(&mut self, table: u64, id: &str, command: &Value) -> Answered {
        let late = std::time::Instant::now() + PATIENCE;
        loop {
            match self.ask(table, id, command).await {
                Ok(answered) => return answered,
                Err(Ok(why)) => assert!(std::time::Instant::now() < late, "{command}: {why}"),
                Err(Err(gone)) => panic!("{command}: {gone:?}"),
            }
        }
    }

    /// Sends a command under a fresh id that must be carried out, and waits for what comes of it.
    pub(crate) async fn done(&mut self, table: u64, command: Value) -> Answered {
        let id = uuid::Uuid::now_v7().to_string();
        let answered = self.answered(table, &id, &command).await;
        assert!(answered.is_done(), "{command}: {}", answered.answer);
        if self.tables.contains_key(&table) {
            self.until_version(table, answered.version).await.expect("news");
        }
        answered
    }

    /// The view of a table as it was last told.
    pub(crate) fn view(&self, table: u64) -> &Value {
        &self.tables[&table]["view"]
    }

    /// Waits until a table is in a phase.
    pub(crate) async fn until_phase(&mut self, table: u64, phase: &str) -> Result<(), Gone> {
        while self.view(table)["phase"]["name"] != phase {
            self.next().await?;
        }
        Ok(())
    }

    /// Waits until it is told that a table's log has come so far.
    pub(crate) async fn until_version(&mut self, table: u64, version: u64) -> Result<(), Gone> {
        while self.tables[&table]["version"].as_u64() < Some(version) {
            self.next().await?;
        }
        Ok(())
    }
}

/// Someone with a wager on the table and cards to set.
pub(crate) async fn in_the_middle(address: SocketAddr) -> (Guest, u64, Client) {
    let someone = guest(address).await.expect("a guest");
    let wish = json!({"rules": "mbs-2020", "results": 0});
    let table = open_table(address, &someone, &wish).await.expect("a table");
    let mut client = Client::of(address, &someone).await.expect("a socket");
    client.watch(table, None).await.expect("a view");
    client.done(table, json!({"do": "bring-money", "amount": 50_000})).await;
    client.done(table, json!({"do": "sit", "position": 1})).await;
    client.until_phase(table, "betting").await.expect("bets are open");
    let wager = json!({"do": "place", "position": 1, "wager": "standard", "amount": 1_000});
    client.done(table, wager).await;
    client.done(table, json!({"do": "ready"})).await;
    client.until_phase(table, "setting").await.expect("cards are dealt");
    (someone, table, client)
}
