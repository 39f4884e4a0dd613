//! More than the house can take: what is too much is said to be, and nothing is lost.
//!
//! A crowd brings money to a few tables and takes it away again, a dollar at a time, as many at once as
//! sockets allow: more than wait for a table. So the books say how often it was done.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use futures_util::{SinkExt, StreamExt, TryStreamExt, stream};
use houseway_store::AccountName;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use crate::acknowledged::{self, Acknowledged, Sample, kept_by_each};
use crate::door::{Guest, Socket};
use crate::figures::{Overloaded, Waited};
use crate::house::House;
use crate::player::{AGAIN, DONE, PATIENCE, until_over};
use crate::run::AT_ONCE;

/// How many commands each has on the way: as many as a house reads of one socket.
const IN_FLIGHT: usize = 8;

/// What is taken away each time.
const DOLLAR: u64 = 100;

/// How long the house is left alone before it must answer as ever.
const REST: Duration = Duration::from_secs(1);

/// How long it may take until all that was asked is done: what was too much is asked again.
const LEFT_OVER: Duration = Duration::from_secs(20);

/// How many commands are asked afterwards, one after the other.
const AFTERWARDS: usize = 200;

/// How large a crowd is, and how long it asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd {
    pub(crate) tables: u32,
    pub(crate) sockets: u32,
    pub(crate) time: Duration,
}

/// What all of a crowd count together.
#[derive(Default)]
struct Count {
    asked: AtomicU64,
    answered: AtomicU64,
    refused: AtomicU64,
    shed: AtomicU64,
    unanswered: AtomicU64,
}

/// What the house says, as far as the crowd listens.
#[derive(Deserialize)]
struct Said<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(default)]
    id: Option<Uuid>,
    #[serde(default)]
    version: u64,
    #[serde(default, borrow)]
    answer: Option<&'a RawValue>,
    #[serde(default)]
    again: bool,
}

/// A command that is on its way.
struct Waiting {
    text: String,
    at: Instant,
    /// When it is sent again: the house was too busy for it.
    again: Option<Instant>,
}

/// One of a crowd.
struct Asker {
    guest: Guest,
    socket: Socket,
    table: u64,
    count: Arc<Count>,
    sample: Sample,
    waiting: BTreeMap<Uuid, Waiting>,
    /// How long answers took, in microseconds.
    times: Vec<u32>,
    /// What it has at the table by all that it was told.
    stack: u64,
}

/// A crowd asks for more than can be done.
pub(crate) async fn run(
    house: &mut House,
    crowd: Crowd,
    rules: &str,
) -> anyhow::Result<Overloaded> {
    let count = Arc::new(Count::default());
    let (over, _) = watch::channel(false);
    let mut asking = JoinSet::new();
    let start = Instant::now();
    for asker in come_in(house, crowd, rules, &count).await? {
        asking.spawn(asker.crowd_in(over.subscribe()));
    }
    sleep(crowd.time).await;
    over.send_replace(true);
    let mut askers = vec![];
    while let Some(asker) = asking.join_next().await {
        askers.push(asker??);
    }
    let seconds = start.elapsed().as_secs_f64();
    let times = askers.iter_mut().flat_map(|it| std::mem::take(&mut it.times)).collect();

    sleep(REST).await;
    let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let [asked, answered, refused, shed, unanswered] =
        [&count.asked, &count.answered, &count.refused, &count.shed, &count.unanswered].map(read);
    let mut after = vec![];
    let mut idle: Vec<&mut Asker> = askers.iter_mut().filter(|it| it.waiting.is_empty()).collect();
    ensure!(!idle.is_empty(), "nobody was answered");
    for number in 0..AFTERWARDS {
        let place = number % idle.len();
        after.push(idle[place].ask_alone().await?);
    }

    let money = askers.iter().map(Asker::money).collect();
    let samples: Vec<Sample> = askers.into_iter().map(|it| it.sample).collect();
    let held = acknowledged::hold(house, &samples, &money).await?;
    Ok(Overloaded {
        tables: crowd.tables,
        sockets: crowd.sockets,
        seconds,
        asked,
        answered,
        refused,
        shed,
        unanswered,
        after_shed: read(&count.shed) - shed,
        milliseconds: Waited::of(times),
        after: Waited::of(after),
        held,
    })
}

/// Everyone comes in, brings what they have and may ask.
async fn come_in(
    house: &House,
    crowd: Crowd,
    rules: &str,
    count: &Arc<Count>,
) -> anyhow::Result<Vec<Asker>> {
    let door = &house.door;
    let opener = door.guest().await?;
    let mut tables = vec![];
    for _ in 0..crowd.tables {
        tables.push(door.open_table(&opener, rules).await?);
    }
    let asker = async |number: u32| {
        let guest = door.guest().await?;
        let socket = door.socket(Some(&guest.token)).await?;
        let mut asker = Asker {
            sample: Sample::new(guest.you.person, kept_by_each(crowd.sockets as usize)),
            table: tables[(number % crowd.tables) as usize],
            count: count.clone(),
            waiting: BTreeMap::new(),
            times: vec![],
            stack: 0,
            guest,
            socket,
        };
        asker.bring_money().await?;
        anyhow::Ok(asker)
    };
    stream::iter((0..crowd.sockets).map(asker)).buffer_unordered(AT_ONCE).try_collect().await
}

impl Asker {
    async fn bring_money(&mut self) -> anyhow::Result<()> {
        let amount = self.guest.you.wallet / DOLLAR * DOLLAR;
        self.stack = amount + DOLLAR;
        self.ask(&json!({"do": "bring-money", "amount": amount})).await?;
        timeout(PATIENCE, self.hear_all()).await.context("nobody takes a guest's money")??;
        ensure!(self.stack == amount, "a guest could not bring their money");
        self.times.clear();
        Ok(())
    }

    /// Asks as much at once as there can be until it is over, and waits for what was asked.
    async fn crowd_in(mut self, mut over: watch::Receiver<bool>) -> anyhow::Result<Asker> {
        loop {
            while self.waiting.len() < IN_FLIGHT {
                self.take_a_dollar().await?;
            }
            tokio::select! {
                () = until_over(&mut over) => break,
                heard = self.hear() => heard?,
            }
        }
        if let Ok(heard) = timeout(LEFT_OVER, self.hear_all()).await {
            heard?;
        }
        self.count.unanswered.fetch_add(self.waiting.len() as u64, Ordering::Relaxed);
        Ok(self)
    }

    /// One command, with nothing else on the way: how long it took, in microseconds.
    async fn ask_alone(&mut self) -> anyhow::Result<u32> {
        self.times.clear();
        self.take_a_dollar().await?;
        timeout(PATIENCE, self.hear_all()).await.context("the house does not recover")??;
        self.times.pop().context("an answer has its time")
    }

    async fn take_a_dollar(&mut self) -> anyhow::Result<()> {
        self.ask(&json!({"do": "take-money", "amount": DOLLAR})).await
    }

    async fn ask(&mut self, command: &Value) -> anyhow::Result<()> {
        let id = Uuid::now_v7();
        let message = json!({"type": "command", "table": self.table, "id": id, "command": command});
        let text = message.to_string();
        let waiting = Waiting { text: text.clone(), at: Instant::now(), again: None };
        self.waiting.insert(id, waiting);
        self.count.asked.fetch_add(1, Ordering::Relaxed);
        Ok(self.socket.send(Message::text(text)).await?)
    }

    /// Waits until everything that was asked is answered.
    async fn hear_all(&mut self) -> anyhow::Result<()> {
        while !self.waiting.is_empty() {
            self.hear().await?;
        }
        Ok(())
    }

    /// Waits for the next message, and sends again what is due.
    async fn hear(&mut self) -> anyhow::Result<()> {
        let due = self.waiting.iter().filter_map(|(id, it)| Some((it.again?, *id))).min();
        let due_at = due.map_or_else(|| Instant::now() + PATIENCE, |(at, _)| at);
        tokio::select! {
            message = self.socket.next() => {
                match message.context("the house closed a socket")?? {
                    Message::Text(text) => self.take(&text),
                    Message::Close(why) => bail!("the house sent a guest away: {why:?}"),
                    _ => Ok(()),
                }
            }
            () = sleep_until(due_at) => {
                let Some(waiting) = due.and_then(|(_, id)| self.waiting.get_mut(&id)) else {
                    return Ok(());
                };
                waiting.again = None;
                let text = waiting.text.clone();
                Ok(self.socket.send(Message::text(text)).await?)
            }
        }
    }

    fn take(&mut self, text: &str) -> anyhow::Result<()> {
        let said: Said = serde_json::from_str(text).with_context(|| text.to_string())?;
        let waiting = said.id.and_then(|id| self.waiting.get_mut(&id).map(|it| (id, it)));
        match (said.kind, said.answer, waiting) {
            ("welcome" | "pong", ..) => {}
            ("answer", Some(answer), Some((id, waiting))) => {
                let took = u32::try_from(waiting.at.elapsed().as_micros()).unwrap_or(u32::MAX);
                self.times.push(took);
                self.waiting.remove(&id);
                let (person, answer) = (self.guest.you.person, answer.get());
                let heard = Acknowledged::new(person, id, self.table, said.version, answer);
                self.sample.keep(heard);
                self.count.answered.fetch_add(1, Ordering::Relaxed);
                match answer == DONE {
                    true => self.stack -= DOLLAR,
                    false => drop(self.count.refused.fetch_add(1, Ordering::Relaxed)),
                }
            }
            ("failed", _, Some((_, waiting))) if said.again => {
                waiting.again = Some(Instant::now() + AGAIN);
                self.count.shed.fetch_add(1, Ordering::Relaxed);
            }
            _ => bail!("the house said {text}"),
        }
        Ok(())
    }

    /// What the books must say of it.
    fn money(&self) -> (AccountName, u64) {
        let name = format!("table/{}/stack/{}", self.table, self.guest.you.person);
        (name.parse().expect("a name"), self.stack)
    }
}
