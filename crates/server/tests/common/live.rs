//! A socket from a client's side, with everything that was said over it.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uuid::Uuid;

use super::OpenHouse;

/// How long the house may take to say something.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open socket.
pub(crate) struct Live {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// What was said, in order.
    pub(crate) said: Vec<Value>,
    /// What was heard, in order.
    pub(crate) heard: Vec<Value>,
}

impl Live {
    pub(crate) async fn connect(house: &OpenHouse, token: Option<&str>) -> Live {
        let url = house.url.replacen("http", "ws", 1) + "/api/socket";
        let mut request = url.into_client_request().expect("a request");
        if let Some(token) = token {
            let bearer = format!("Bearer {token}").parse().expect("a header");
            request.headers_mut().insert("Authorization", bearer);
        }
        let (socket, _) = connect_async(request).await.expect("a socket");
        Live { socket, said: vec![], heard: vec![] }
    }

    pub(crate) async fn say(&mut self, message: Value) {
        self.send(Message::text(message.to_string())).await;
        self.said.push(message);
    }

    /// Sends anything.
    pub(crate) async fn send(&mut self, message: Message) {
        self.socket.send(message).await.expect("it is sent");
    }

    /// The next message; nothing once the house has closed the socket.
    pub(crate) async fn hear(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            match message.expect("the house says something in time") {
                Some(Ok(Message::Text(text))) => {
                    let value: Value = serde_json::from_str(&text).expect("JSON");
                    self.heard.push(value.clone());
                    return Some(value);
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(_) | Err(_)) | None => return None,
            }
        }
    }

    /// Listens until a message of a kind comes.
    pub(crate) async fn hear_a(&mut self, kind: &str) -> Value {
        loop {
            let message =
                self.hear().await.unwrap_or_else(|| panic!("no {kind}: {:?}", self.heard));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// The table as it was at a version or later.
    pub(crate) async fn table_at(&mut self, version: u64) -> Value {
        let fits = |it: &Value| it["type"] == "table" && it["version"].as_u64() >= Some(version);
        // It may have come before the answer that it is waited for after.
        if let Some(update) = self.heard.iter().rev().find(|it| fits(it)) {
            return update.clone();
        }
        loop {
            let update = self.hear_a("table").await;
            if fits(&update) {
                return update;
            }
        }
    }

    /// Asks something of a table and waits for the answer.
    pub(crate) async fn command(&mut self, table: u64, command: &Value) -> Value {
        let id = Uuid::new_v4();
        self.say(json!({"type": "command", "table": table, "id": id, "command": command})).await;
        loop {
            let message = self.hear().await.expect("an answer");
            if message["id"] == id.to_string() {
                return message;
            }
        }
    }
}

/// What a player does next who wants to see everything: one of the things that are offered.
pub(crate) fn next_command(update: &Value, me: u32, spoke: bool) -> Option<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let view = &update["view"];
    let offers = list(&view["options"]);
    let offer = |what: &str| offers.iter().find(|it| it["do"] == what);
    if view["stack"].is_null() {
        return Some(json!({"do": "bring-money", "amount": 100_000}));
    }
    let seats = list(&view["seats"]);
    let Some(seat) = seats.iter().find(|it| it["person"] == me) else {
        return offer("sit").cloned();
    };
    let beside = |what: &str| list(&update["house-options"]).contains(&what.into());
    if offer("decline-bank").is_some() {
        return Some(json!({"do": "decline-bank"}));
    }
    let free = |it: &&Value| {
        let bet = it["wager"].as_str().unwrap_or_default();
        it["do"] == "place" && it["position"] == seat["position"] && seat["stakes"][bet].is_null()
    };
    if let Some(place) = offers.iter().find(free) {
        let mut command = json!({"do": "place", "amount": place["least"]});
        for name in ["position", "wager"] {
            command[name] = place[name].clone();
        }
        return Some(command);
    }
    if beside("say") && !spoke {
        return Some(json!({"do": "say", "words": "seven come eleven"}));
    }
    for what in ["view", "set-house-way"] {
        if let Some(offer) = offer(what) {
            return Some(offer.clone());
        }
    }
    let waits = ["idle", "betting", "revealed"].iter().any(|it| view["phase"]["name"] == *it);
    (waits && beside("ready")).then(|| json!({"do": "ready"}))
}
