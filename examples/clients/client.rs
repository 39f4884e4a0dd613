//! Plays at a Houseway table as a guest and prints each round's statement in a line.
//! `cargo run -p houseway-server --example client -- [HOUSE [RULES [ROUNDS [TABLE]]]]`
#![expect(clippy::print_stdout, reason = "that is what it is for")]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::{Duration, sleep, timeout};
use tokio_tungstenite::tungstenite::{Error, Message, client::IntoClientRequest};

/// How long nothing is heard before a command is sent again.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Player {
    me: Value,
    table: Value,
    rounds: u32,
    update: Value,          // the table as we last saw it
    pending: Option<Value>, // a command that was not answered yet
    answered: Option<u64>,  // the version of the table at which our last command was answered
    acted: Option<u64>,     // the version that our last command was made for
    round: Value,
    spoke: Value, // the round we last said words in
    done: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let house = args.next().unwrap_or("http://127.0.0.1:7777".into());
    let wish = json!({"rules": args.next().unwrap_or("mbs-2020".into()), "bots": 3});
    let rounds = args.next().map_or(Ok(3), |it| it.parse())?;
    let come = post(&house, "/api/guest", "", &Value::Null)?;
    let (me, bearer) = (&come["you"], format!("Bearer {}", come["token"].as_str().unwrap_or("")));
    let table = match args.next() {
        Some(table) => table.parse::<u64>()?.into(),
        None => post(&house, "/api/tables", &bearer, &wish)?["table"].take(),
    };
    println!("I am {}, at table {table}", me["name"]);
    let mut player = Player { me: me["person"].clone(), table, rounds, ..Player::default() };
    while let Err(error) = player.connect(&house.replacen("http", "ws", 1), &bearer).await {
        println!("cut off, coming back: {error}");
        sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}

fn post(house: &str, path: &str, bearer: &str, body: &Value) -> Result<Value, ureq::Error> {
    let request = ureq::post(format!("{house}{path}")).header("Authorization", bearer);
    request.send_json(body)?.body_mut().read_json()
}

impl Player {
    /// Listens and acts until all is done, or the connection is cut.
    async fn connect(&mut self, house: &str, bearer: &str) -> Result<(), Error> {
        let mut request = format!("{house}/api/socket").into_client_request()?;
        request.headers_mut().insert("Authorization", bearer.parse()?);
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await?;
        // With the version we have, the house tells what happened since: no round is missed.
        let watch = json!({"type": "watch", "table": self.table, "since": self.update["version"]});
        let mut say: Vec<Value> = [watch].into_iter().chain(self.pending.clone()).collect();
        while !self.done {
            for message in say.drain(..) {
                socket.send(Message::text(message.to_string())).await?;
            }
            say.extend(match timeout(PATIENCE, socket.next()).await {
                Ok(message) => self.take(&message.ok_or(Error::ConnectionClosed)??.into_data()),
                // Sent again under the same id, a command is never done twice.
                Err(_) => self.pending.clone().or(Some(json!({"type": "ping"}))),
            });
        }
        Ok(())
    }

    /// Takes a message in, and says what is to be sent then.
    fn take(&mut self, message: &[u8]) -> Option<Value> {
        let message: Value = serde_json::from_slice(message).ok()?;
        match message["type"].as_str()? {
            "table" => self.hear(message),
            "answer" if self.pending.as_ref()?["id"] == message["id"] => {
                (self.pending, self.answered) = (None, message["version"].as_u64());
                message["answer"]["says"].as_str().iter().for_each(|it| println!("refused: {it}"));
            }
            "failed" if message["again"] == true => return self.pending.clone(),
            "failed" | "wrong" => panic!("{}", message["why"]),
            _ => {}
        }
        // One command at a time, and one for each version of the table, which must be no older than
        // the last answer: else we would act on what we have changed already.
        let version = self.update["version"].as_u64();
        let fresh = version >= self.answered && version > self.acted && self.pending.is_none();
        fresh.then(|| self.acted = version)?;
        let (id, command) = (uuid::Uuid::new_v4(), self.choose()?);
        let named = json!({"type": "command", "table": self.table, "id": id, "command": command});
        self.pending.insert(named).clone().into()
    }

    /// The table has changed. What happened is told in order, none of it twice.
    fn hear(&mut self, update: Value) {
        for event in list(&update["happened"]) {
            if event["event"] == "bets-opened" {
                self.round = event["round"].clone();
            } else if event["event"] == "fee-taken" && event["person"] == self.me {
                println!("fee of round {}: {} cents", self.round, event["amount"]);
            } else if event["event"] == "settled" && self.rounds > 0 {
                let own = |line: &&Value| line["owner"]["person"] == self.me;
                let lines: Vec<&Value> = list(&event["lines"]).iter().filter(own).collect();
                println!("round {}: {}", self.round, json!(lines));
                self.rounds -= 1;
            }
        }
        self.update = update;
    }

    /// What to do next: one of the things the house offers, or nothing.
    fn choose(&mut self) -> Option<Value> {
        let (view, over) = (&self.update["view"], self.rounds == 0);
        let seat = list(&view["seats"]).iter().find(|it| it["person"] == self.me);
        let offered = list(&view["options"]).iter().find_map(|offer| {
            let (what, at) = (offer["do"].as_str()?, &offer["position"]);
            let (most, least, wager) = (&offer["most"], &offer["least"], &offer["wager"]);
            let free = seat.is_some_and(|it| it["position"] == *at && it["stakes"] == json!({}));
            Some(match what {
                "leave" if over => json!({"do": what, "position": at}),
                "take-money" if over && seat.is_none() => json!({"do": what, "amount": most}),
                _ if over => return None,
                "bring-money" if view["stack"].is_null() => json!({"do": what, "amount": 100_000}),
                "sit" if seat.is_none() && !view["stack"].is_null() => offer.clone(),
                "decline-bank" | "view" | "set-house-way" => offer.clone(),
                "place" if wager == "standard" && free => {
                    json!({"do": what, "position": at, "wager": wager, "amount": least})
                }
                _ => return None,
            })
        });
        self.done = over && seat.is_none() && offered.is_none();
        let beside = |word: &str| list(&self.update["house-options"]).contains(&word.into());
        if offered.is_none() && beside("say") && self.spoke != self.round {
            self.spoke = self.round.clone();
            return Some(json!({"do": "say", "words": "seven come eleven"})); // they cut the deck
        }
        let ready = !over && view["phase"]["name"] != "setting" && beside("ready");
        offered.or_else(|| ready.then(|| json!({"do": "ready"})))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
