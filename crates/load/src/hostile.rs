//! Attackers of several kinds, one after the other, while others play.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use tokio_tungstenite::tungstenite::Message;

use crate::door::{Door, Socket};
use crate::figures::{Attacked, Figures, Waited};
use crate::house::House;
use crate::login::address;
use crate::run::Evening;
use crate::stalled::{self, Stalls};

/// How long a round takes at the tables that play on.
const ROUND: Duration = Duration::from_secs(5);

/// How long after an attack readers that do not read are waited for to be cut off.
const CUT_OFF: Duration = Duration::from_secs(30);

/// In how long a storm comes, at most.
const STORM: Duration = Duration::from_secs(10);

/// How many requests of a flood wait for their answers at once.
const WAITING: usize = 2_000;

/// How often guesses are sent, as many as are due.
const TICK: Duration = Duration::from_millis(5);

/// How many tables one socket may watch.
const WATCHED: usize = 16;

/// A kind of attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Attack {
    /// Sockets that watch tables and never read
    Stalled,
    /// Connections that begin a request and never end it
    HalfOpen,
    /// Messages of more than 64 KiB
    Large,
    /// Sockets that say a thousand things a second
    Floods,
    /// Everyone comes back at once
    Storm,
    /// Wrong names and passwords, from everywhere
    Logins,
}

/// Which attacks, and how large they are.
#[derive(Args, Clone, Debug)]
pub(crate) struct Attacks {
    /// The kinds; all, if nothing is said
    #[arg(long = "attack", value_enum)]
    kinds: Vec<Attack>,
    /// How many stalled readers
    #[arg(long, default_value_t = 500)]
    stalled: u32,
    /// How many half-open connections
    #[arg(long, default_value_t = 5_000)]
    half_open: u32,
    /// How many sockets flood
    #[arg(long, default_value_t = 10)]
    floods: u32,
    /// How many come back in a storm
    #[arg(long, default_value_t = 6_000)]
    reconnects: u32,
    /// How many wrong passwords a second; a tenth more than are asked for, as not all are answered in
    /// their second
    #[arg(long, default_value_t = 1_100)]
    logins: u32,
}

impl Attacks {
    fn kinds(&self) -> Vec<Attack> {
        match self.kinds.is_empty() {
            true => Attack::value_variants().to_vec(),
            false => self.kinds.clone(),
        }
    }
}

/// What attackers of one kind came to.
#[derive(Default)]
struct Came {
    count: AtomicU64,
    /// Tries that got no answer.
    unanswered: AtomicU64,
    /// Things that should not have been.
    wrong: AtomicU64,
    /// How long each waited, in microseconds.
    times: std::sync::Mutex<Vec<u32>>,
    /// What became of readers that do not read.
    stalls: std::sync::Mutex<Stalls>,
}

impl Came {
    /// A wrong name and password got an answer, or none.
    fn guessed(&self, status: &anyhow::Result<u16>) {
        match status {
            Ok(status) => {
                self.count.fetch_add(1, Ordering::Relaxed);
                self.wrong.fetch_add(u64::from(*status == 200), Ordering::Relaxed);
            }
            Err(_) => {
                self.unanswered.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// A kind of attack that is going on.
struct Siege {
    came: Arc<Came>,
    attackers: JoinSet<anyhow::Result<()>>,
    until: Instant,
    /// Tables, and the versions that everyone has seen.
    tables: Arc<Vec<(u64, u64)>>,
    door: Door,
}

/// Tables play, and the house is attacked in one way after the other.
pub(crate) async fn run(
    house: &House,
    tables: u32,
    time: Duration,
    attacks: &Attacks,
    rules: &str,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let evening = Evening { tables, players: 6, round: Some(ROUND) };
    let mut playing = evening.begin(house, rules).await?;
    let quiet = Waited::of(playing.measure(house, time).await?.times);
    let mut numbers: Vec<u64> = playing.seats.iter().map(|(table, _)| *table).collect();
    numbers.dedup();
    for kind in attacks.kinds() {
        let mut seen = vec![];
        for &table in numbers.iter().take(WATCHED) {
            seen.push((table, version(&house.door, table).await?));
        }
        let memory = house.used()?.map_or(0, |it| it.memory);
        let start = Instant::now();
        let mut siege = Siege {
            came: Arc::default(),
            attackers: JoinSet::new(),
            until: start + time,
            tables: Arc::new(seen),
            door: house.door.clone(),
        };
        siege.begin(kind, attacks, time).await?;
        let measured = playing.measure(house, siege.until.duration_since(Instant::now())).await?;
        let seconds = start.elapsed().as_secs_f64();
        let grown = house.used()?.map_or(0, |it| it.memory).saturating_sub(memory);
        while let Some(done) = siege.attackers.join_next().await {
            done??;
        }
        let came = &siege.came;
        let count = came.count.load(Ordering::Relaxed);
        let wrong = came.wrong.load(Ordering::Relaxed);
        let mut more: BTreeMap<&'static str, Value> = BTreeMap::new();
        match kind {
            Attack::Stalled => {
                let stalls = *came.stalls.lock().expect("nobody panics with it");
                more.insert("memory-each", json!(grown / count.max(1)));
                more.insert("not-cut", json!(count.saturating_sub(stalls.cut)));
                more.insert("cut-seconds", json!(stalls.longest.as_secs_f64()));
                more.insert("queued", json!(stalls.queued));
            }
            Attack::HalfOpen => {
                more.insert("memory-each", json!(grown / count.max(1)));
            }
            Attack::Large => {
                more.insert("accepted", json!(wrong));
            }
            Attack::Storm => {
                let times = std::mem::take(&mut *came.times.lock().expect("nobody panics with it"));
                more.insert("gaps", json!(wrong));
                more.insert("back-p99", json!(Waited::of(times).p99));
            }
            Attack::Logins => {
                more.insert("let-in", json!(wrong));
                more.insert("unanswered-attempts", json!(came.unanswered.load(Ordering::Relaxed)));
            }
            Attack::Floods => {}
        }
        let attacked = Attacked {
            count,
            per_second: count as f64 / seconds,
            p99: Waited::of(measured.times).p99,
            p99_asked: (quiet.p99 * 2.0).max(figures.asked_milliseconds),
            refused: measured.refused,
            again: measured.again,
            unanswered: measured.unanswered,
            longest_wait: measured.longest.as_secs_f64(),
            more,
        };
        figures.attacks.insert(name(kind), attacked);
    }
    figures.quiet = Some(quiet);
    figures.unanswered_at_the_end = Some(playing.end().await?.unanswered);
    Ok(())
}

fn name(kind: Attack) -> &'static str {
    match kind {
        Attack::Stalled => "stalled",
        Attack::HalfOpen => "half-open",
        Attack::Large => "large",
        Attack::Floods => "floods",
        Attack::Storm => "storm",
        Attack::Logins => "logins",
    }
}

impl Siege {
    async fn begin(&mut self, kind: Attack, size: &Attacks, time: Duration) -> anyhow::Result<()> {
        match kind {
            Attack::Stalled => self.stall(size.stalled).await?,
            Attack::HalfOpen => self.half_open(size.half_open).await?,
            Attack::Large => self.each(4, |siege| async move { siege.send_large().await }),
            Attack::Floods => self.each(size.floods, |siege| async move { siege.flood().await }),
            Attack::Storm => self.storm(size.reconnects, STORM.min(time)),
            Attack::Logins => self.log_in(size.logins),
        }
        Ok(())
    }

    /// What an attacker knows.
    fn attacker(&self) -> Attacker {
        let Siege { came, until, tables, door, .. } = self;
        Attacker { came: came.clone(), until: *until, tables: tables.clone(), door: door.clone() }
    }

    /// So many attackers, each again and again until the end.
    fn each<F, T>(&mut self, count: u32, attack: F)
    where
        F: Fn(Attacker) -> T,
        T: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        for _ in 0..count {
            self.attackers.spawn(attack(self.attacker()));
        }
    }

    async fn stall(&mut self, count: u32) -> anyhow::Result<()> {
        let mut sockets = vec![];
        for _ in 0..count {
            let mut socket = self.door.small_socket().await?;
            for (table, _) in &*self.tables {
                socket.send(Message::text(watch(*table, None))).await?;
            }
            self.came.count.fetch_add(1, Ordering::Relaxed);
            sockets.push(socket);
        }
        self.count_from_now();
        let (came, until) = (self.came.clone(), self.until + CUT_OFF);
        self.attackers.spawn(async move {
            let stalls = stalled::hold(sockets, until).await?;
            *came.stalls.lock().expect("nobody panics with it") = stalls;
            Ok(())
        });
        Ok(())
    }

    async fn half_open(&mut self, count: u32) -> anyhow::Result<()> {
        for number in 0..count {
            let mut stream: TcpStream = self.door.connect().await?;
            // Some say nothing at all.
            if number % 2 == 0 {
                stream.write_all(b"GET /api/me HTTP/1.1\r\nHost: houseway\r\nX-Slow: ").await?;
            }
            self.came.count.fetch_add(1, Ordering::Relaxed);
            self.hold(stream);
        }
        Ok(())
    }

    /// Keeps something open until the end.
    fn hold(&mut self, held: impl Send + 'static) {
        self.count_from_now();
        let until = self.until;
        self.attackers.spawn(async move {
            sleep_until(until).await;
            drop(held);
            Ok(())
        });
    }

    /// It counts from when all are there.
    fn count_from_now(&mut self) {
        self.until = self.until.max(Instant::now() + Duration::from_secs(2));
    }

    fn storm(&mut self, count: u32, within: Duration) {
        let start = Instant::now();
        for number in 0..count {
            let attacker = self.attacker();
            let due = start + within.mul_f64(f64::from(number) / f64::from(count));
            self.attackers.spawn(async move {
                sleep_until(due).await;
                attacker.come_back(number as usize).await
            });
        }
    }

    fn log_in(&mut self, per_second: u32) {
        let attacker = self.attacker();
        self.attackers.spawn(async move { attacker.guess(per_second).await });
    }
}

/// Someone who attacks.
struct Attacker {
    came: Arc<Came>,
    until: Instant,
    tables: Arc<Vec<(u64, u64)>>,
    door: Door,
}

impl Attacker {
    fn is_time(&self) -> bool {
        Instant::now() < self.until
    }

    /// A message that is too large ends the socket; an answer to it would be wrong.
    async fn send_large(self) -> anyhow::Result<()> {
        let text = format!(r#"{{"type":"ping","n":{}1}}"#, " ".repeat(64 * 1024));
        while self.is_time() {
            let mut socket = self.door.socket(None).await?;
            // The house may hang up before all of it is sent.
            let _ = socket.send(Message::text(text.clone())).await;
            self.came.count.fetch_add(1, Ordering::Relaxed);
            while let Some(Ok(message)) = socket.next().await {
                let answered = message.to_text().is_ok_and(|it| it.contains("\"pong\""));
                self.came.wrong.fetch_add(u64::from(answered), Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// A thousand messages a second until the house hangs up, and again.
    async fn flood(self) -> anyhow::Result<()> {
        while self.is_time() {
            let mut socket = self.door.socket(None).await?;
            let mut tick = interval(Duration::from_millis(1));
            tick.set_missed_tick_behavior(MissedTickBehavior::Burst);
            while self.is_time() {
                tick.tick().await;
                if socket.send(Message::text(r#"{"type":"ping","n":1}"#)).await.is_err() {
                    break;
                }
                self.came.count.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Comes back with what was seen before, and is told everything since, once and in order.
    async fn come_back(self, number: usize) -> anyhow::Result<()> {
        let (table, seen) = self.tables[number % self.tables.len()];
        let start = Instant::now();
        let mut socket = self.door.socket(None).await?;
        socket.send(Message::text(watch(table, Some(seen)))).await?;
        let update = first_view(&mut socket).await?;
        let took = u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX);
        self.came.times.lock().expect("nobody panics with it").push(took);
        self.came.count.fetch_add(1, Ordering::Relaxed);
        self.came.wrong.fetch_add(u64::from(!is_whole(&update, seen)), Ordering::Relaxed);
        sleep_until(self.until).await;
        let _ = socket.close(None).await;
        Ok(())
    }

    /// So many wrong passwords a second, whatever the clock's ticks are.
    async fn guess(self, per_second: u32) -> anyhow::Result<()> {
        let waiting = Arc::new(Semaphore::new(WAITING));
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let mut guesses = JoinSet::new();
        let (start, mut number) = (Instant::now(), 0_usize);
        while self.is_time() {
            tick.tick().await;
            let due = start.elapsed().as_millis() * u128::from(per_second) / 1_000;
            while (number as u128) < due {
                number += 1;
                let Ok(turn) = waiting.clone().try_acquire_owned() else { continue };
                let (door, came) = (self.door.clone(), self.came.clone());
                guesses.spawn(async move {
                    let name = format!("nobody {}", number % 5_000);
                    let status = door.log_in(&name, "a guess or two", address(number)).await;
                    came.guessed(&status);
                    drop(turn);
                });
            }
            while guesses.try_join_next().is_some() {}
        }
        guesses.shutdown().await;
        Ok(())
    }
}

fn watch(table: u64, since: Option<u64>) -> String {
    json!({"type": "watch", "table": table, "since": since}).to_string()
}

/// The version of a table as it is now.
async fn version(door: &Door, table: u64) -> anyhow::Result<u64> {
    let mut socket = door.socket(None).await?;
    socket.send(Message::text(watch(table, None))).await?;
    let version = first_view(&mut socket).await?["version"].as_u64().context("a version")?;
    let _ = socket.close(None).await;
    Ok(version)
}

async fn first_view(socket: &mut Socket) -> anyhow::Result<Value> {
    loop {
        let message = socket.next().await.context("the house closed a socket")??;
        let Ok(text) = message.to_text() else { continue };
        if text.starts_with(r#"{"type":"table""#) {
            return Ok(serde_json::from_str(text)?);
        }
    }
}

/// Whether everything since a version was told, once and in order, up to the version that is shown.
fn is_whole(update: &Value, seen: u64) -> bool {
    let Some(shown) = update["version"].as_u64() else { return false };
    let told = update["happened"].as_array().map(Vec::as_slice).unwrap_or_default();
    let told: Option<Vec<u64>> = told.iter().map(|it| it["version"].as_u64()).collect();
    told.is_some_and(|told| told.into_iter().eq(seen + 1..=shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_without_an_answer_is_no_attempt() {
        let came = Came::default();
        for status in [Ok(401), Ok(429), Ok(200), Err(anyhow::anyhow!("the house hung up"))] {
            came.guessed(&status);
        }
        let counted = [&came.count, &came.unanswered, &came.wrong];
        assert_eq!(counted.map(|it| it.load(Ordering::Relaxed)), [3, 1, 1]);
    }

    #[test]
    fn gaps_and_repetitions_are_seen() {
        let update = |versions: &[u64]| {
            let happened: Vec<Value> = versions.iter().map(|it| json!({"version": it})).collect();
            json!({"version": 7, "happened": happened})
        };
        assert!(is_whole(&update(&[5, 6, 7]), 4));
        assert!(is_whole(&update(&[]), 7));
        for wrong in [&[][..], &[5, 7], &[5, 6], &[5, 6, 6, 7], &[4, 5, 6, 7], &[6, 5, 7]] {
            assert!(!is_whole(&update(wrong), 4), "{wrong:?}");
        }
        assert!(!is_whole(&json!({}), 0));
    }
}
