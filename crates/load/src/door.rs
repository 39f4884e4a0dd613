//! Coming in: HTTP as far as a guest needs it, and the socket.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream, lookup_host};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// How much a small socket's own side holds, in bytes.
const SMALL: u32 = 4 * 1024;

/// A client's socket.
pub(crate) type Socket = WebSocketStream<TcpStream>;

/// Someone who has come in.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Guest {
    /// What they show.
    pub(crate) token: String,
    /// Who they are.
    pub(crate) you: You,
}

/// Who someone is.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct You {
    /// Their number.
    pub(crate) person: u32,
    /// What they have.
    pub(crate) wallet: u64,
}

/// A house's address, as `name:port`.
#[derive(Clone, Debug)]
pub(crate) struct Door(String);

impl Door {
    /// The door at an address.
    pub(crate) fn at(url: &str) -> anyhow::Result<Door> {
        let host = url.strip_prefix("http://").map(|it| it.trim_end_matches('/'));
        match host {
            Some(host) if host.contains(':') && !host.contains('/') => Ok(Door(host.to_string())),
            _ => bail!("`{url}` is no address; write http://127.0.0.1:7777"),
        }
    }

    /// Comes in as a guest.
    pub(crate) async fn guest(&self) -> anyhow::Result<Guest> {
        self.post("/api/guest", None, None).await
    }

    /// Opens a table whose rounds wait for their players.
    pub(crate) async fn open_table(&self, by: &Guest, rules: &str) -> anyhow::Result<u64> {
        #[derive(Deserialize)]
        struct Opened {
            table: u64,
        }
        let wish = serde_json::json!({"rules": rules, "results": 120_000});
        let opened: Opened = self.post("/api/tables", Some(&by.token), Some(&wish)).await?;
        Ok(opened.table)
    }

    /// Registers somebody.
    pub(crate) async fn register(&self, name: &str, password: &str) -> anyhow::Result<Guest> {
        let wish = serde_json::json!({"name": name, "password": password});
        self.post("/api/register", None, Some(&wish)).await
    }

    /// Tries to come in, from some place; how it was answered.
    pub(crate) async fn log_in(
        &self,
        name: &str,
        password: &str,
        from: Ipv4Addr,
    ) -> anyhow::Result<u16> {
        let body = serde_json::json!({"name": name, "password": password});
        let shown = format!("X-Forwarded-For: {from}\r\n");
        Ok(self.ask("POST", "/api/login", &shown, Some(&body)).await?.0)
    }

    /// Comes in under a name.
    pub(crate) async fn enter(&self, name: &str, password: &str) -> anyhow::Result<Guest> {
        let body = serde_json::json!({"name": name, "password": password});
        self.post("/api/login", None, Some(&body)).await
    }

    /// Asks for something, shown to a guest.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        token: &str,
    ) -> anyhow::Result<T> {
        let shown = format!("Authorization: Bearer {token}\r\n");
        read(path, &self.ask("GET", path, &shown, None).await?)
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> anyhow::Result<T> {
        let shown = token.map_or(String::new(), |it| format!("Authorization: Bearer {it}\r\n"));
        read(path, &self.ask("POST", path, &shown, body).await?)
    }

    /// A request and its answer: the status and the text.
    async fn ask(
        &self,
        method: &str,
        path: &str,
        shown: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<(u16, String)> {
        let Door(host) = self;
        let body = body.map_or(String::new(), Value::to_string);
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{shown}Connection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let mut stream = self.connect().await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let (head, body) = answer
            .split_once("\r\n\r\n")
            .with_context(|| format!("{path} was answered by `{answer}`"))?;
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        let status = status.with_context(|| format!("{path} was answered by `{head}`"))?;
        let whole = head.lines().find_map(|it| it.strip_prefix("transfer-encoding: chunked"));
        let body = if whole.is_some() { unchunked(body) } else { Some(body.to_string()) };
        Ok((status, body.with_context(|| format!("{path}: the answer was cut off"))?))
    }

    /// A connection on which nothing was said yet.
    pub(crate) async fn connect(&self) -> anyhow::Result<TcpStream> {
        let Door(host) = self;
        TcpStream::connect(host).await.with_context(|| host.clone())
    }

    /// Opens a socket, as someone who has come in or as nobody.
    pub(crate) async fn socket(&self, token: Option<&str>) -> anyhow::Result<Socket> {
        self.socket_on(self.connect().await?, token).await
    }

    /// Opens a socket whose own side holds next to nothing that was not read.
    pub(crate) async fn small_socket(&self) -> anyhow::Result<Socket> {
        let Door(host) = self;
        let address = lookup_host(host).await?.find(SocketAddr::is_ipv4);
        let connection = TcpSocket::new_v4()?;
        connection.set_recv_buffer_size(SMALL)?;
        let stream = connection.connect(address.with_context(|| host.clone())?).await?;
        self.socket_on(stream, None).await
    }

    async fn socket_on(&self, stream: TcpStream, token: Option<&str>) -> anyhow::Result<Socket> {
        let Door(host) = self;
        let mut request = format!("ws://{host}/api/socket").into_client_request()?;
        if let Some(token) = token {
            request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
        }
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(4 * 1024).write_buffer_size(0);
        let opened = client_async_with_config(request, stream, Some(config)).await;
        let (socket, _) = opened.context("the socket was not opened")?;
        Ok(socket)
    }
}

/// What was answered, or why nothing was.
fn read<T: DeserializeOwned>(path: &str, (status, body): &(u16, String)) -> anyhow::Result<T> {
    if *status != 200 {
        bail!("{path}: {status} {body}");
    }
    serde_json::from_str(body).with_context(|| format!("{path} was answered by {body}"))
}

/// A text that came in pieces, each after its length.
fn unchunked(mut rest: &str) -> Option<String> {
    let mut whole = String::new();
    loop {
        let (size, after) = rest.split_once("\r\n")?;
        let size = usize::from_str_radix(size, 16).ok()?;
        if size == 0 {
            return Some(whole);
        }
        whole.push_str(after.get(..size)?);
        rest = after.get(size + 2..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_a_whole() {
        assert_eq!(
            unchunked("3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n").as_deref(),
            Some("abc0123456789")
        );
        for cut in ["", "3\r\nab", "3\r\nabc\r\n", "x\r\nabc\r\n0\r\n"] {
            assert_eq!(unchunked(cut), None, "{cut}");
        }
    }

    #[test]
    fn an_address_is_read_or_refused() {
        assert_eq!(Door::at("http://127.0.0.1:7777/").expect("it is one").0, "127.0.0.1:7777");
        for wrong in ["127.0.0.1:7777", "https://play.example", "http://host:1/path", ""] {
            assert!(Door::at(wrong).is_err(), "{wrong}");
        }
    }
}
