//! Coming in: HTTP as far as a guest needs it, and the socket.

use anyhow::{Context, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

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

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> anyhow::Result<T> {
        let Door(host) = self;
        let body = body.map_or(String::new(), Value::to_string);
        let length = body.len();
        let shown = token.map_or(String::new(), |it| format!("Authorization: Bearer {it}\r\n"));
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\n{shown}Connection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let mut stream = TcpStream::connect(host).await.with_context(|| host.clone())?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let (head, body) = answer
            .split_once("\r\n\r\n")
            .with_context(|| format!("{path} was answered by `{answer}`"))?;
        if !head.starts_with("HTTP/1.1 200") {
            bail!("{path}: {} {body}", head.lines().next().unwrap_or_default());
        }
        serde_json::from_str(body).with_context(|| format!("{path} was answered by {body}"))
    }

    /// Opens a socket.
    pub(crate) async fn socket(&self, token: &str) -> anyhow::Result<Socket> {
        let Door(host) = self;
        let mut request = format!("ws://{host}/api/socket").into_client_request()?;
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
        let stream = TcpStream::connect(host).await.with_context(|| host.clone())?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(4 * 1024).write_buffer_size(0);
        let opened = client_async_with_config(request, stream, Some(config)).await;
        let (socket, _) = opened.context("the socket was not opened")?;
        Ok(socket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_or_refused() {
        assert_eq!(Door::at("http://127.0.0.1:7777/").expect("it is one").0, "127.0.0.1:7777");
        for wrong in ["127.0.0.1:7777", "https://play.example", "http://host:1/path", ""] {
            assert!(Door::at(wrong).is_err(), "{wrong}");
        }
    }
}
