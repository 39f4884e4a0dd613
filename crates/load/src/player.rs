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
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::tungstenite::{Error, Message};
use uuid::Uuid;

use crate::acknowledged::{Acknowledged, Sample};
use crate::door::{Guest, Socket};

/// How long a player waits before a command is sent again.
pub(crate) const AGAIN: Duration = Duration::from_millis(100);

/// After how long a command counts as unanswered, and how long players wait for answers when all go.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// The answer to a command that was carried out.
pub(crate) const DONE: &str = r#"{"answer":"done"}"#;

/// What all players of a run share.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Whether what happens is counted.
    pub(crate) counting: AtomicBool,
    /// Whether everyone goes: nothing more is asked.
    pub(crate) over: watch::Sender<bool>,
    /// How many have sat down.
    pub(crate) seated: AtomicU32,
    /// Rounds that were settled.
    pub(crate) rounds: AtomicU64,
    /// Commands that were refused.
    pub(crate) refused: AtomicU64,
    /// Hands that the house set because their players were late.
    pub(crate) late: AtomicU64,
    /// Commands that were sent again, since the house was too busy for them.
    pub(crate) again: AtomicU64,
    /// Commands that waited for their answers for longer than anyone should, or in vain.
    pub(crate) unanswered: AtomicU64,
    /// The longest that anyone waited, in microseconds, for an answer or in vain.
    pub(crate) longest: AtomicU64,
    /// Views that came.
    pub(crate) views: AtomicU64,
    /// How long answers took, in microseconds.
    pub(crate) times: Mutex<Vec<u32>>,
}

impl Tally {
    /// Someone waited so long.
    pub(crate) fn waited(&self, time: Duration) {
        let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.longest.fetch_max(time, Ordering::Relaxed);
    }
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
    id: Option<Uuid>,
    #[serde(default)]
    version: u64,
    #[serde(default, borrow)]
    answer: Option<&'a RawValue>,
    #[serde(default, borrow)]
    view: Option<View<'a>>,
    #[serde(default, borrow)]
    house_options: Vec<&'a str>,
    #[serde(default, borrow)]
    happened: Vec<Happened<'a>>,
    /// Whether it can help to send a command that was not answered again.
    #[serde(default)]
    again: bool,
}

#[derive(Deserialize)]
struct Happened<'a> {
    event: &'a str,
    /// By whom; nobody for what the house does by itself.
    who: Option<u32>,
    position: Option<u8>,
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
    /// The command that is on its way.
    asked: Option<Asked>,
    /// When it is sent again: the house was too busy for it.
    again: Option<Instant>,
    /// Nothing is done before a view of this version.
    after: u64,
    /// Whether it has sat down.
    sits: bool,
    /// What it was acknowledged.
    sample: Sample,
}

/// A command that is on its way.
struct Asked {
    id: Uuid,
    text: String,
    /// When it was first sent.
    at: Instant,
    /// Whether it counts as unanswered already.
    late: bool,
}

impl Player {
    pub(crate) fn new(
        seat: Seat,
        guest: Guest,
        socket: Socket,
        tally: Arc<Tally>,
        most_kept: usize,
    ) -> Player {
        Player {
            sample: Sample::new(guest.you.person, most_kept),
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

    /// Plays until everyone goes, and waits for the last answer; what it was acknowledged.
    pub(crate) async fn play(mut self) -> anyhow::Result<Sample> {
        let watch = json!({"type": "watch", "table": self.seat.table});
        self.socket.send(Message::text(watch.to_string())).await?;
        let mut over = self.tally.over.subscribe();
        loop {
            let due = match (&self.wants, &self.asked) {
                (Some((_, due)), None) if self.seen >= self.after => Some(*due),
                (_, Some(_)) => self.again,
                _ => None,
            };
            let late = self.asked.as_ref().filter(|it| !it.late).map(|it| it.at + PATIENCE);
            tokio::select! {
                () = until_over(&mut over) => break,
                message = self.socket.next() => self.take(message)?,
                () = wait_until(due) => self.act().await?,
                () = wait_until(late) => self.lose_patience(),
            }
        }
        self.wait_for_the_last_answer().await?;
        // The house is told; whether it hears it does not matter any more.
        let _ = self.socket.close(None).await;
        Ok(self.sample)
    }

    /// Asks nothing new, and waits a fair time for what was asked.
    async fn wait_for_the_last_answer(&mut self) -> anyhow::Result<()> {
        self.wants = None;
        let until = Instant::now() + PATIENCE;
        while self.asked.is_some() {
            tokio::select! {
                message = self.socket.next() => self.take(message)?,
                () = wait_until(self.again) => self.act().await?,
                () = sleep_until(until) => {
                    self.lose_patience();
                    break;
                }
            }
            self.wants = None;
        }
        Ok(())
    }

    /// A command counts as unanswered, once.
    fn lose_patience(&mut self) {
        let Some(asked) = &mut self.asked else { return };
        self.tally.waited(asked.at.elapsed());
        if !asked.late {
            asked.late = true;
            self.tally.unanswered.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn take(&mut self, message: Option<Result<Message, Error>>) -> anyhow::Result<()> {
        match message.context("the house closed the socket")?? {
            Message::Text(text) => self.hear(&text),
            Message::Close(why) => bail!("the house sent a player away: {why:?}"),
            _ => Ok(()),
        }
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
                let late = said.happened.iter().filter(|it| {
                    it.event == "set" && it.who.is_none() && it.position == Some(self.seat.position)
                });
                let late = if counting { late.count() as u64 } else { 0 };
                self.tally.late.fetch_add(late, Ordering::Relaxed);
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
                // A second answer to a command is an answer to nothing, too.
                let asked = self.asked.take_if(|it| said.id == Some(it.id));
                let asked = asked.with_context(|| format!("an answer to nothing: {text}"))?;
                let took = asked.at.elapsed();
                self.tally.waited(took);
                let answer = said.answer.context("an answer says something")?.get();
                self.sample.keep(Acknowledged::new(
                    self.guest.you.person,
                    asked.id,
                    self.seat.table,
                    said.version,
                    answer,
                ));
                self.after = said.version;
                let done = answer == DONE;
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
        if let (Some(asked), Some(_)) = (&self.asked, self.again.take()) {
            let text = asked.text.clone();
            return Ok(self.socket.send(Message::text(text)).await?);
        }
        let Some((command, _)) = self.wants.take() else { return Ok(()) };
        let id = Uuid::now_v7();
        let table = self.seat.table;
        let message =
            json!({"type": "command", "table": table, "id": id.to_string(), "command": command});
        let text = message.to_string();
        self.asked = Some(Asked { id, text: text.clone(), at: Instant::now(), late: false });
        self.socket.send(Message::text(text)).await?;
        Ok(())
    }
}

/// Waits until nothing more is asked.
pub(crate) async fn until_over(over: &mut watch::Receiver<bool>) {
    // Whoever drops the sender ends it too.
    let _ = over.wait_for(|over| *over).await;
}

/// Waits for a moment, or for ever.
async fn wait_until(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}
