//! The link to a house: what the screens ask goes out, what the house says comes in. A link that is
//! lost is taken up again, and what was not answered is asked again under the same name.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use houseway_server::protocol::PROTOCOL;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio_tungstenite::tungstenite;
use uuid::Uuid;

use crate::door::{Door, Fault, Socket};
use crate::heard::{Answer, Me, Message, Recall, Rounds, Short, TableInfo, Update};

/// What the screens ask.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ask {
    Tables,
    Open(Value),
    Watch(u64),
    Command { table: u64, id: Uuid, command: Value },
    Me,
    Cashier,
    History { before: Option<String> },
    Recall { table: u64, round: u64 },
}

/// What comes back.
#[derive(Debug)]
pub(crate) enum Said {
    /// We are known to the house, by this token.
    In(Me, String),
    Me(Me),
    Tables(Vec<TableInfo>),
    Opened(u64),
    Table(Box<Update>),
    Answered {
        version: u64,
        answer: Answer,
    },
    Rounds(Rounds),
    Recall(Box<Recall>),
    Given(houseway_rules::Cents),
    /// Something was not granted, and why.
    No(String),
    /// The link is lost, and taken up again.
    Lost(String),
    /// The link stands.
    Here,
    /// It cannot be played here, and why.
    Over(String),
}

/// Who someone is to a house.
#[derive(Clone)]
pub(crate) enum Pass {
    /// They have come in before, by this token.
    Token(String),
    /// Nobody yet: a guest.
    Guest,
    /// Someone with an account.
    Account { name: String, password: String },
}

/// How long nothing is tried after so many failures.
fn pause(failures: u32) -> Duration {
    Duration::from_millis(250 * u64::from(failures.clamp(1, 20)))
}

/// Keeps a link until it is over, or nobody listens.
pub(crate) struct Link {
    door: Door,
    pass: Pass,
    said: UnboundedSender<Said>,
    token: String,
    watching: Option<(u64, Option<u64>)>,
    /// Commands on their way.
    unanswered: Vec<(Uuid, String)>,
}

/// Why a link ends for good.
struct Over;

impl Link {
    pub(crate) fn new(door: Door, pass: Pass, said: UnboundedSender<Said>) -> Link {
        let (token, watching, unanswered) = (String::new(), None, vec![]);
        Link { door, pass, said, token, watching, unanswered }
    }

    pub(crate) async fn run(mut self, mut asks: UnboundedReceiver<Ask>) {
        let mut failures = 0;
        loop {
            let ended = match self.come_in().await {
                Ok(socket) => {
                    failures = 0;
                    self.say(Said::Here);
                    self.serve(socket, &mut asks).await
                }
                Err(fault) => match fault {
                    Fault::Away(why) => Ok(why),
                    Fault::No(_, why) => {
                        self.say(Said::Over(why));
                        Err(Over)
                    }
                },
            };
            let Ok(why) = ended else { return };
            failures += 1;
            self.say(Said::Lost(why));
            if self.said.is_closed() {
                return;
            }
            tokio::time::sleep(pause(failures)).await;
        }
    }

    fn say(&self, said: Said) {
        // Whoever does not listen any more is gone.
        let _ = self.said.send(said);
    }

    /// Comes in, as whom we were or anew, and opens the socket.
    async fn come_in(&mut self) -> Result<Socket, Fault> {
        for _ in 0..2 {
            if self.token.is_empty() {
                self.enter().await?;
            }
            match self.door.socket(&self.token).await {
                // The session has run out: come in again.
                Err(Fault::No(401, _)) => self.token.clear(),
                other => return other,
            }
        }
        Err(Fault::No(401, "the house does not know us again".into()))
    }

    async fn enter(&mut self) -> Result<(), Fault> {
        let known = match &self.pass {
            Pass::Token(token) => {
                let me = self.door.ask("GET", "/api/me", Some(token), None).await;
                match me {
                    Err(Fault::No(401, _)) => None,
                    me => Some((me?, token.clone())),
                }
            }
            Pass::Guest | Pass::Account { .. } => None,
        };
        let (me, token) = if let Some(known) = known {
            known
        } else {
            let come = match &self.pass {
                Pass::Account { name, password } => {
                    let body = json!({"name": name, "password": password});
                    self.door.ask("POST", "/api/login", None, Some(&body)).await?
                }
                Pass::Token(_) | Pass::Guest => {
                    self.door.ask("POST", "/api/guest", None, None).await?
                }
            };
            let token = come["token"].as_str().unwrap_or_default().to_string();
            (come["you"].clone(), token)
        };
        let me: Me = read(me)?;
        self.token.clone_from(&token);
        if !matches!(self.pass, Pass::Account { .. }) {
            self.pass = Pass::Token(token.clone());
        }
        self.say(Said::In(me, token));
        Ok(())
    }

    /// Serves a socket until it is lost; why it was.
    async fn serve(
        &mut self,
        mut socket: Socket,
        asks: &mut UnboundedReceiver<Ask>,
    ) -> Result<String, Over> {
        let mut welcomed = false;
        loop {
            tokio::select! {
                message = socket.next() => {
                    let text = match message {
                        Some(Ok(tungstenite::Message::Text(text))) => text,
                        Some(Ok(tungstenite::Message::Close(_))) | None => {
                            return Ok("the house has closed the connection".into());
                        }
                        Some(Ok(_)) => continue,
                        Some(Err(error)) => return Ok(error.to_string()),
                    };
                    match self.hear(&text)? {
                        Heard::Welcome => {
                            welcomed = true;
                            if let Err(error) = self.take_up(&mut socket).await {
                                return Ok(error);
                            }
                        }
                        Heard::Bye(why) => return Ok(why),
                        Heard::Else => {}
                    }
                }
                ask = asks.recv(), if welcomed => {
                    let Some(ask) = ask else { return Err(Over) };
                    if let Some(text) = self.asked(ask)
                        && let Err(error) = socket.send(tungstenite::Message::text(text)).await
                    {
                        return Ok(error.to_string());
                    }
                }
            }
        }
    }

    /// Goes on where the last socket ended.
    async fn take_up(&mut self, socket: &mut Socket) -> Result<(), String> {
        let watch = self.watching.map(|(table, since)| watch(table, since));
        let again = self.unanswered.iter().map(|(_, text)| text.clone());
        for text in watch.into_iter().chain(again) {
            let sent = socket.send(tungstenite::Message::text(text)).await;
            sent.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn hear(&mut self, text: &str) -> Result<Heard, Over> {
        let other = |house: &Link, spoken: &str| {
            let why = format!(
                "the house speaks {spoken}, this program protocol {PROTOCOL}: use the Houseway \
                 of the house's own version"
            );
            house.say(Said::Over(why));
            Err(Over)
        };
        let message = match Message::read(text) {
            Ok(message) => message,
            Err(error) => {
                // A house of another version says so first, whatever else it says differently.
                let spoken = serde_json::from_str::<Value>(text).ok();
                let spoken = spoken.and_then(|it| it["protocol"].as_u64());
                return match spoken {
                    Some(number) => other(self, &format!("protocol {number}")),
                    None => other(self, &format!("another protocol ({error})")),
                };
            }
        };
        match message {
            Message::Table(update) => {
                if let Some((table, since)) = &mut self.watching
                    && *table == update.table
                {
                    *since = Some(update.version);
                    self.say(Said::Table(update));
                }
            }
            Message::Short(Short::Welcome { protocol, .. }) if protocol != PROTOCOL => {
                return other(self, &format!("protocol {protocol}"));
            }
            Message::Short(Short::Welcome { you: None, .. }) => {
                self.token.clear();
                return Ok(Heard::Bye("the session has ended".into()));
            }
            Message::Short(Short::Welcome { .. }) => return Ok(Heard::Welcome),
            Message::Short(Short::Answer { id, version, answer }) => {
                self.unanswered.retain(|(it, _)| *it != id);
                self.say(Said::Answered { version, answer });
            }
            Message::Short(Short::Failed { id, why }) => {
                self.unanswered.retain(|(it, _)| *it != id);
                self.say(Said::Answered { version: 0, answer: Answer::Refused { says: why } });
            }
            Message::Short(Short::Wrong { why }) => self.say(Said::No(why)),
            Message::Short(Short::Pong {}) => {}
            Message::Short(Short::Bye { why }) => return Ok(Heard::Bye(why)),
        }
        Ok(Heard::Else)
    }

    /// What is sent over the socket for an ask; the rest is asked apart.
    fn asked(&mut self, ask: Ask) -> Option<String> {
        match ask {
            Ask::Watch(table) => {
                self.watching = Some((table, None));
                Some(watch(table, None))
            }
            Ask::Command { table, id, command } => {
                let text = json!({"type": "command", "table": table, "id": id, "command": command})
                    .to_string();
                self.unanswered.push((id, text.clone()));
                Some(text)
            }
            other => {
                let (door, token, said) =
                    (self.door.clone(), self.token.clone(), self.said.clone());
                tokio::spawn(async move {
                    let told = request(&door, &token, other).await;
                    let _ = said.send(told.unwrap_or_else(|it| Said::No(it.says().to_string())));
                });
                None
            }
        }
    }
}

enum Heard {
    Welcome,
    Bye(String),
    Else,
}

fn watch(table: u64, since: Option<u64>) -> String {
    json!({"type": "watch", "table": table, "since": since}).to_string()
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, Fault> {
    let other = |error| Fault::Away(format!("the house speaks another way: {error}"));
    serde_json::from_value(value).map_err(other)
}

async fn request(door: &Door, token: &str, ask: Ask) -> Result<Said, Fault> {
    let get = async |path: &str| door.ask("GET", path, Some(token), None).await;
    Ok(match ask {
        Ask::Tables => Said::Tables(read(get("/api/tables").await?)?),
        Ask::Me => Said::Me(read(get("/api/me").await?)?),
        Ask::Open(wish) => {
            let opened = door.ask("POST", "/api/tables", Some(token), Some(&wish)).await?;
            Said::Opened(read(opened["table"].clone())?)
        }
        Ask::Cashier => {
            let given = door.ask("POST", "/api/cashier", Some(token), None).await?;
            Said::Given(read(given["given"].clone())?)
        }
        Ask::History { before } => {
            let before = before.map_or(String::new(), |it| format!("&before={it}"));
            Said::Rounds(read(get(&format!("/api/history?most=200{before}")).await?)?)
        }
        Ask::Recall { table, round } => {
            Said::Recall(read(get(&format!("/api/tables/{table}/rounds/{round}")).await?)?)
        }
        Ask::Watch(_) | Ask::Command { .. } => unreachable!("these go over the socket"),
    })
}
