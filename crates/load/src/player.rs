//! One client: it sits down, wagers, looks, sets, and says when it is ready. It knows nothing but
//! what the house offers it, as any client does.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, bail};
use futures_util::{SinkExt, StreamExt};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use crate::door::{Guest, Socket};

/// How long a player waits before a command is sent again.
const AGAIN: Duration = Duration::from_millis(100);

/// What all players of a run share.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Whether what happens is counted.
    pub(crate) counting: AtomicBool,
    /// Whether everyone goes.
    pub(crate) over: AtomicBool,
    /// How many have sat down.
    pub(crate) seated: AtomicU32,
    /// Rounds that were settled.
    pub(crate) rounds: AtomicU64,
    /// Commands that were refused.
    pub(crate) refused: AtomicU64,
    /// Commands that were sent again, since the house was too busy for them.
    pub(crate) again: AtomicU64,
    /// Views that came.
    pub(crate) views: AtomicU64,
    /// How long answers took, in microseconds.
    pub(crate) times: Mutex<Vec<u32>>,
}

/// How a table is played at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tempo {
    /// As fast as it goes.
    FlatOut,
    /// A round every so often, from a moment of the table's own.
    Every(Duration, Instant),
}

/// A seat at a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    pub(crate) table: u64,
    pub(crate) position: u8,
    /// How many play there.
    pub(crate) players: u8,
    pub(crate) tempo: Tempo,
}

/// What the house says, as far as a player listens.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Said<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(default)]
    version: u64,
    #[serde(default, borrow)]
    answer: Option<&'a RawValue>,
    #[serde(default, borrow)]
    view: Option<View<'a>>,
    #[serde(default, borrow)]
    house_options: Vec<&'a str>,
    /// Whether it can help to send a command that was not answered again.
    #[serde(default)]
    again: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct View<'a> {
    #[serde(borrow)]
    phase: Phase<'a>,
    stack: Option<u64>,
    seats: Vec<Taken>,
    #[serde(borrow)]
    options: Vec<Offer<'a>>,
    last: Option<Last>,
}

#[derive(Deserialize)]
struct Phase<'a> {
    name: &'a str,
}

#[derive(Deserialize)]
struct Taken {
    person: Option<u32>,
}

#[derive(Deserialize)]
struct Last {
    round: u64,
}

#[derive(Deserialize)]
struct Offer<'a> {
    #[serde(rename = "do")]
    what: &'a str,
    #[serde(default)]
    position: u8,
    #[serde(default)]
    wager: &'a str,
    #[serde(default)]
    least: u64,
    #[serde(default, borrow)]
    lows: Vec<&'a RawValue>,
}

/// A client at its seat.
pub(crate) struct Player {
    seat: Seat,
    guest: Guest,
    socket: Socket,
    tally: Arc<Tally>,
    chance: ChaCha8Rng,
    /// The version of the last view.
    seen: u64,
    /// The last round that was settled.
    round: u64,
    /// What it wants to do, and when.
    wants: Option<(Value, Instant)>,
    /// The command that is on its way, and when it was first sent.
    asked: Option<(String, Instant)>,
    /// When it is sent again: the house was too busy for it.
    again: Option<Instant>,
    /// Nothing is done before a view of this version.
    after: u64,
    /// Whether it has sat down.
    sits: bool,
}

impl Player {
    pub(crate) fn new(seat: Seat, guest: Guest, socket: Socket, tally: Arc<Tally>) -> Player {
        Player {
            chance: ChaCha8Rng::seed_from_u64(u64::from(guest.you.person)),
            seat,
            guest,
            socket,
            tally,
            seen: 0,
            round: 0,
            wants: None,
            asked: None,
            again: None,
            after: 0,
            sits: false,
        }
    }

    /// Plays until everyone goes.
    pub(crate) async fn play(mut self) -> anyhow::Result<()> {
        let watch = json!({"type": "watch", "table": self.seat.table});
        self.socket.send(Message::text(watch.to_string())).await?;
        while !self.tally.over.load(Ordering::Relaxed) {
            let due = match (&self.wants, &self.asked) {
                (Some((_, due)), None) if self.seen >= self.after => Some(*due),
                (_, Some(_)) => self.again,
                _ => None,
            };
            tokio::select! {
                message = self.socket.next() => {
                    match message.context("the house closed the socket")?? {
                        Message::Text(text) => self.hear(&text)?,
                        Message::Close(why) => bail!("the house sent a player away: {why:?}"),
                        _ => {}
                    }
                }
                () = wait_until(due) => self.act().await?,
            }
        }
        // The house is told; whether it hears it does not matter any more.
        let _ = self.socket.close(None).await;
        Ok(())
    }

    fn hear(&mut self, text: &str) -> anyhow::Result<()> {
        let said: Said = serde_json::from_str(text).with_context(|| text.to_string())?;
        let counting = self.tally.counting.load(Ordering::Relaxed);
        match (said.kind, said.view) {
            ("table", Some(view)) => {
                if counting {
                    self.tally.views.fetch_add(1, Ordering::Relaxed);
                }
                self.seen = said.version;
                self.count_round(&view, counting);
                let own = Some(self.guest.you.person);
                if !self.sits && view.seats.iter().any(|it| it.person == own) {
                    self.sits = true;
                    self.tally.seated.fetch_add(1, Ordering::Relaxed);
                }
                let wanted = self.wanted(&view, &said.house_options);
                let due = self.wants.take().map(|(_, due)| due);
                self.wants = wanted.map(|(command, earliest)| {
                    (command, due.unwrap_or_else(|| self.after_thinking(earliest)))
                });
            }
            ("answer", _) => {
                let (_, asked) = self.asked.take().context("an answer to nothing")?;
                let took = asked.elapsed();
                self.after = said.version;
                let done = said.answer.is_some_and(|it| it.get() == r#"{"answer":"done"}"#);
                if counting {
                    let took = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
                    self.tally.times.lock().expect("nobody panics with it").push(took);
                }
                if !done {
                    // The table went on meanwhile: what is next is seen in another view.
                    self.after = self.seen + 1;
                    self.tally.refused.fetch_add(u64::from(counting), Ordering::Relaxed);
                }
            }
            ("failed", _) if said.again => {
                self.tally.again.fetch_add(u64::from(counting), Ordering::Relaxed);
                self.again = Some(Instant::now() + AGAIN);
            }
            ("welcome" | "pong", _) => {}
            _ => bail!("the house said {text}"),
        }
        Ok(())
    }

    fn count_round(&mut self, view: &View, counting: bool) {
        let round = view.last.as_ref().map_or(0, |last| last.round);
        if self.seat.position == 1 && round > self.round && counting {
            self.tally.rounds.fetch_add(round - self.round, Ordering::Relaxed);
        }
        self.round = round;
    }

    /// What to do next, and the earliest time for it.
    fn wanted(&self, view: &View, house: &[&str]) -> Option<(Value, Instant)> {
        let now = Instant::now();
        let own = |what: &str| {
            let mut offers = view.options.iter();
            offers.find(|it| it.what == what && it.position == self.seat.position)
        };
        let position = self.seat.position;
        if view.stack.is_none_or(|stack| stack == 0) && !self.sits {
            let amount = self.guest.you.wallet / 100 * 100;
            return Some((json!({"do": "bring-money", "amount": amount}), now));
        }
        if own("sit").is_some() {
            return Some((json!({"do": "sit", "position": position}), now));
        }
        let is_standard = |it: &&Offer| it.wager == "standard" && it.position == position;
        let wager = |what: &str| view.options.iter().filter(|it| it.what == what).find(is_standard);
        let set = own("set").and_then(|offer| offer.lows.last());
        let command = if let Some(place) = wager("place").filter(|_| wager("withdraw").is_none()) {
            let amount = place.least;
            json!({"do": "place", "position": position, "wager": "standard", "amount": amount})
        } else if own("view").is_some() {
            json!({"do": "view", "position": position})
        } else if let Some(low) = set {
            json!({"do": "set", "position": position, "low": low})
        } else if house.contains(&"ready") && view.phase.name != "setting" {
            return self.ready(view, now);
        } else {
            return None;
        };
        Some((command, now))
    }

    /// Between rounds, the next one is opened once all sit, and when the table's time has come.
    fn ready(&self, view: &View, now: Instant) -> Option<(Value, Instant)> {
        let ready = json!({"do": "ready"});
        if view.phase.name != "idle" {
            return Some((ready, now));
        }
        let people = view.seats.iter().filter(|it| it.person.is_some()).count();
        let next = match self.seat.tempo {
            Tempo::FlatOut => now,
            Tempo::Every(round, first) => {
                let gone = now.saturating_duration_since(first).as_nanos() / round.as_nanos();
                first + round * (u32::try_from(gone).unwrap_or(u32::MAX - 1) + 1)
            }
        };
        (people == usize::from(self.seat.players)).then_some((ready, next))
    }

    /// People think before they act: up to a fifteenth of a round.
    fn after_thinking(&mut self, earliest: Instant) -> Instant {
        match self.seat.tempo {
            Tempo::FlatOut => earliest,
            Tempo::Every(round, _) => earliest + (round / 15).mul_f64(self.chance.random()),
        }
    }

    async fn act(&mut self) -> anyhow::Result<()> {
        if let (Some((text, _)), Some(_)) = (&self.asked, self.again.take()) {
            let text = text.clone();
            return Ok(self.socket.send(Message::text(text)).await?);
        }
        let Some((command, _)) = self.wants.take() else { return Ok(()) };
        let id = Uuid::now_v7();
        let table = self.seat.table;
        let message =
            json!({"type": "command", "table": table, "id": id.to_string(), "command": command});
        let text = message.to_string();
        self.asked = Some((text.clone(), Instant::now()));
        self.socket.send(Message::text(text)).await?;
        Ok(())
    }
}

/// Waits for a moment, or for ever.
async fn wait_until(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}
