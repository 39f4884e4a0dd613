//! The way to a house: inside this program through memory, or over the network. Requests and sockets
//! are the same over both.

use std::io;
use std::time::Duration;

use anyhow::bail;
use houseway_server::inside::Entrance;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// How long a house may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// No answer is longer than this.
const LONGEST_ANSWER: u64 = 16 * 1024 * 1024;

/// A stream to a house, whatever carries it.
pub(crate) trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Wire for T {}

/// A socket to a house.
pub(crate) type Socket = WebSocketStream<Box<dyn Wire>>;

/// The way to a house.
#[derive(Clone, Debug)]
pub(crate) enum Door {
    /// Inside this program.
    Inside(Entrance),
    /// At an address, as `name:port`.
    At(String),
}

/// A request was not granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The house cannot be reached, or does not speak as one does.
    Away(String),
    /// The house said no: a status and a sentence.
    No(u16, String),
}

impl Fault {
    pub(crate) fn says(&self) -> &str {
        match self {
            Fault::Away(why) | Fault::No(_, why) => why,
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::Away(error.to_string())
    }
}

impl Door {
    /// The door at an address as people write it.
    pub(crate) fn at(url: &str) -> anyhow::Result<Door> {
        if url.starts_with("https://") {
            bail!(
                "`{url}`: encrypted connections end at a proxy; play through a tunnel to http://"
            );
        }
        let host = url.strip_prefix("http://").unwrap_or(url).trim_end_matches('/');
        let fits = |it: &str| !it.is_empty() && !it.contains(['/', ' ', '@', '?', '#']);
        if !fits(host) {
            bail!("`{url}` is no address of a house; write http://127.0.0.1:7777");
        }
        let port = host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        match port {
            Some(Ok(_)) => Ok(Door::At(host.to_string())),
            Some(Err(_)) if !host.ends_with(']') => {
                bail!("`{url}` has no port; write http://127.0.0.1:7777")
            }
            _ => Ok(Door::At(format!("{host}:7777"))),
        }
    }

    fn host(&self) -> &str {
        match self {
            Door::Inside(_) => "localhost",
            Door::At(host) => host,
        }
    }

    async fn connect(&self) -> io::Result<Box<dyn Wire>> {
        match self {
            Door::Inside(entrance) => Ok(Box::new(entrance.connect()?)),
            Door::At(host) => {
                let stream = TcpStream::connect(host).await?;
                stream.set_nodelay(true)?;
                Ok(Box::new(stream))
            }
        }
    }

    /// Asks something of a house by HTTP.
    pub(crate) async fn ask(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Value, Fault> {
        let late = || Fault::Away("the house does not answer".into());
        timeout(PATIENCE, self.asked(method, path, token, body)).await.map_err(|_| late())?
    }

    async fn asked(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Value, Fault> {
        let body = body.map_or(String::new(), Value::to_string);
        let shown = token.map_or(String::new(), |it| format!("Authorization: Bearer {it}\r\n"));
        // By version 1.0 the answer comes whole and then ends: nothing else has to be understood.
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {}\r\n{shown}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host(),
            body.len()
        );
        let mut stream = self.connect().await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.take(LONGEST_ANSWER).read_to_end(&mut answer).await?;
        read_answer(&answer)
    }

    /// Opens a socket.
    pub(crate) async fn socket(&self, token: &str) -> Result<Socket, Fault> {
        let away = |error: &dyn std::fmt::Display| Fault::Away(error.to_string());
        let opened = timeout(PATIENCE, async {
            let address = format!("ws://{}/api/socket", self.host());
            let mut request = address.into_client_request().map_err(|error| away(&error))?;
            let bearer = format!("Bearer {token}").parse();
            let bearer = bearer.map_err(|_| Fault::No(401, "the session has ended".into()))?;
            request.headers_mut().insert("authorization", bearer);
            let stream = self.connect().await?;
            let config = WebSocketConfig::default().read_buffer_size(16 * 1024);
            match client_async_with_config(request, stream, Some(config)).await {
                Ok((socket, _)) => Ok(socket),
                Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => {
                    let status = answer.status().as_u16();
                    Err(Fault::No(status, format!("the house answered {status}")))
                }
                Err(error) => Err(away(&error)),
            }
        });
        opened.await.unwrap_or_else(|_| Err(Fault::Away("the house does not answer".into())))
    }
}

fn read_answer(answer: &[u8]) -> Result<Value, Fault> {
    let strange = || Fault::Away("what answers there is no house".to_string());
    let text = std::str::from_utf8(answer).map_err(|_| strange())?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(strange)?;
    let status = head.strip_prefix("HTTP/1.").and_then(|it| it.get(2..5)?.parse::<u16>().ok());
    let status = status.ok_or_else(strange)?;
    let read = serde_json::from_str::<Value>(body);
    match (status, read) {
        (200, Ok(value)) => Ok(value),
        (200, Err(_)) => Err(strange()),
        (status, Ok(value)) => {
            let says = value["error"]["says"].as_str();
            let says = says.map_or_else(|| format!("the house answered {status}"), str::to_string);
            Err(Fault::No(status, says))
        }
        (status, Err(_)) => Err(Fault::No(status, format!("the house answered {status}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_or_refused() {
        for (url, host) in [
            ("http://127.0.0.1:7777/", "127.0.0.1:7777"),
            ("localhost", "localhost:7777"),
            ("[::1]", "[::1]:7777"),
            ("http://[::1]:80", "[::1]:80"),
        ] {
            assert!(matches!(Door::at(url), Ok(Door::At(it)) if it == host), "{url}");
        }
        for wrong in ["", "http://", "https://play.example", "http://a:1/b", "a:b"] {
            assert!(Door::at(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_answer_is_read_or_told_to_be_none() {
        let read = |text: &str| read_answer(text.as_bytes());
        assert_eq!(read("HTTP/1.0 200 OK\r\na: b\r\n\r\n[1]"), Ok(serde_json::json!([1])));
        let no = "HTTP/1.0 409 Conflict\r\n\r\n{\"error\":{\"says\":\"not now\"}}";
        assert_eq!(read(no), Err(Fault::No(409, "not now".into())));
        assert!(matches!(read("HTTP/1.1 502 Bad\r\n\r\n<html>"), Err(Fault::No(502, _))));
        for strange in ["", "SSH-2.0", "HTTP/1.0 200 OK\r\n\r\n<html>", "HTTP/1.\r\n\r\n"] {
            assert!(matches!(read(strange), Err(Fault::Away(_))), "{strange}");
        }
    }
}
