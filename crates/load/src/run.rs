//! A run: the house is opened, filled, measured and left.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use futures_util::{SinkExt, StreamExt, TryStreamExt, stream};
use houseway_bench::floor::{fdatasyncs, inserts};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_tungstenite::tungstenite::Message;

use crate::door::{Door, Guest, Socket};
use crate::figures::{Figures, Floor, Idled, Played, Waited};
use crate::house::House;
use crate::player::{Player, Seat, Tally, Tempo};
use crate::{Load, What};

/// How many come in at the same time.
const AT_ONCE: usize = 32;

/// How long the disk and the plain database are measured.
const FLOOR: Duration = Duration::from_secs(3);

/// How long everyone has played before it counts.
const WARM_UP: Duration = Duration::from_secs(3);

/// How long players may take to sit down.
const SITTING_DOWN: Duration = Duration::from_mins(10);

pub(crate) async fn run(load: &Load) -> anyhow::Result<()> {
    let folder = match &load.house.folder {
        Some(folder) => tempfile::tempdir_in(folder),
        None => tempfile::tempdir_in("."),
    };
    let folder = folder.context("a folder for the house's data")?;
    let floor = floor(folder.path()).await?;
    let house = House::open(&load.house, folder.path()).await?;
    let (mut played, mut idled) = (None, None);
    match load.what {
        What::Pace { tables, players, round, time } => {
            let evening = Evening { tables, players, round: Some(round), time };
            played = Some(evening.play(&house, &load.house.rules).await?);
        }
        What::FlatOut { tables, players, time } => {
            let evening = Evening { tables, players, round: None, time };
            played = Some(evening.play(&house, &load.house.rules).await?);
        }
        What::Idle { sockets } => idled = Some(idle(&house, sockets, &load.house.rules).await?),
    }
    let figures = Figures { floor, played, idled };
    if let Some(path) = &load.house.json {
        let text = serde_json::to_string_pretty(&figures)?;
        std::fs::write(path, text + "\n").with_context(|| path.display().to_string())?;
    }
    Ok(std::io::stdout().write_all(figures.table().as_bytes())?)
}

async fn floor(folder: &Path) -> anyhow::Result<Floor> {
    Ok(Floor {
        fdatasyncs_per_second: fdatasyncs(&folder.join("plain"), FLOOR)?,
        sqlite_inserts_per_second: inserts(&folder.join("loop.db"), FLOOR).await?,
    })
}

/// Tables, and how they are played at.
struct Evening {
    tables: u32,
    players: u8,
    /// How long a round takes; as short as it goes, if nothing is said.
    round: Option<Duration>,
    time: Duration,
}

impl Evening {
    async fn play(&self, house: &House, rules: &str) -> anyhow::Result<Played> {
        let tally = Arc::new(Tally::default());
        let tables = come_in(&house.door, self.tables, self.players, rules).await?;
        let mut playing = JoinSet::new();
        let start = Instant::now();
        for (number, (table, guests)) in (0..).zip(tables) {
            let tempo = match self.round {
                None => Tempo::FlatOut,
                // Tables begin one after the other, spread over a round's time.
                Some(round) => Tempo::Every(
                    round,
                    start + round.mul_f64(f64::from(number) / f64::from(self.tables)),
                ),
            };
            for (position, (guest, socket)) in (1..).zip(guests) {
                let seat = Seat { table, position, players: self.players, tempo };
                let player = Player::new(seat, guest, socket, tally.clone());
                playing.spawn(async move {
                    // Nor do all tables fill at the same moment.
                    if let Tempo::Every(_, first) = tempo {
                        sleep_until(first).await;
                    }
                    player.play().await
                });
            }
        }
        self.all_sit(&tally, &mut playing).await?;
        sleep(WARM_UP.max(self.round.unwrap_or_default())).await;

        let (before, start) = (house.used()?, Instant::now());
        tally.counting.store(true, Ordering::Relaxed);
        sleep(self.time).await;
        tally.counting.store(false, Ordering::Relaxed);
        let (after, seconds) = (house.used()?, start.elapsed().as_secs_f64());
        tally.over.store(true, Ordering::Relaxed);
        let mut times = vec![];
        while let Some(done) = playing.join_next().await {
            times.extend(done??);
        }

        let (rounds, views) =
            (tally.rounds.load(Ordering::Relaxed), tally.views.load(Ordering::Relaxed));
        let commands = times.len() as u64;
        let cpu = before
            .zip(after)
            .map(|(before, after)| after.cpu.saturating_sub(before.cpu).as_secs_f64());
        Ok(Played {
            tables: self.tables,
            players: self.players,
            seconds,
            rounds,
            rounds_per_second: rounds as f64 / seconds,
            commands,
            refused: tally.refused.load(Ordering::Relaxed),
            again: tally.again.load(Ordering::Relaxed),
            commands_per_second: commands as f64 / seconds,
            views_per_command: views as f64 / commands as f64,
            milliseconds: Waited::of(times),
            server_cpu_per_command: cpu.map(|cpu| cpu * 1e6 / commands as f64),
            server_cores: cpu.map(|cpu| cpu / seconds),
            server_memory: after.map(|after| after.memory),
        })
    }

    async fn all_sit(
        &self,
        tally: &Tally,
        playing: &mut JoinSet<anyhow::Result<Vec<u32>>>,
    ) -> anyhow::Result<()> {
        let (all, start) = (self.tables * u32::from(self.players), Instant::now());
        while tally.seated.load(Ordering::Relaxed) < all {
            if let Some(gone) = playing.try_join_next() {
                gone??;
                bail!("a player has gone");
            }
            if start.elapsed() > SITTING_DOWN {
                bail!("only {} of {all} sit", tally.seated.load(Ordering::Relaxed));
            }
            sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }
}

/// Those who come to a table.
type Company = (u64, Vec<(Guest, Socket)>);

/// Opens tables, and lets so many come to each.
async fn come_in(
    door: &Door,
    tables: u32,
    players: u8,
    rules: &str,
) -> anyhow::Result<Vec<Company>> {
    let company = async || {
        let first = door.guest().await?;
        let table = door.open_table(&first, rules).await?;
        let mut guests = vec![first];
        for _ in 1..players {
            guests.push(door.guest().await?);
        }
        let mut company = vec![];
        for guest in guests {
            let socket = door.socket(&guest.token).await?;
            company.push((guest, socket));
        }
        anyhow::Ok((table, company))
    };
    stream::iter((0..tables).map(|_| company())).buffer_unordered(AT_ONCE).try_collect().await
}

/// Sockets that do nothing, and then watch.
async fn idle(house: &House, sockets: u32, rules: &str) -> anyhow::Result<Idled> {
    const TOGETHER: u32 = 6;
    const QUIET: Duration = Duration::from_secs(5);
    let used = || house.used()?.context("memory is read of a server that was started here");
    let door = &house.door;
    // What everyone shares is there before the first is counted.
    let guests: Vec<Guest> = stream::iter((0..sockets).map(|_| door.guest()))
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    let tables: Vec<u64> = stream::iter(guests.iter().step_by(TOGETHER as usize))
        .map(|guest| door.open_table(guest, rules))
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    let first = guests.first().context("some sockets are needed")?;
    let mut opener = door.socket(&first.token).await?;
    for &table in &tables {
        watch(&mut opener, table).await?;
        opener.send(Message::text(format!(r#"{{"type":"unwatch","table":{table}}}"#))).await?;
    }
    sleep(QUIET).await;
    let before = used()?;

    let mut open: Vec<Socket> = stream::iter(&guests)
        .map(|guest| door.socket(&guest.token))
        .buffered(AT_ONCE)
        .try_collect()
        .await?;
    for socket in &mut open {
        socket.next().await.context("the house closed a socket")??;
    }
    sleep(QUIET).await;
    let bare = used()?;

    for (number, socket) in open.iter_mut().enumerate() {
        watch(socket, tables[number / TOGETHER as usize]).await?;
    }
    let start = Instant::now();
    let busy = used()?;
    sleep(QUIET).await;
    let watching = used()?;
    let each = |memory: u64| memory.saturating_sub(before.memory) / u64::from(sockets);
    Ok(Idled {
        sockets,
        memory_per_socket: each(bare.memory),
        memory_per_watching_socket: each(watching.memory),
        server_cores: watching.cpu.saturating_sub(busy.cpu).as_secs_f64()
            / start.elapsed().as_secs_f64(),
    })
}

/// Watches a table, and waits for its first view.
async fn watch(socket: &mut Socket, table: u64) -> anyhow::Result<()> {
    let watch = format!(r#"{{"type":"watch","table":{table}}}"#);
    socket.send(Message::text(watch)).await?;
    loop {
        let message = socket.next().await.context("the house closed a socket")??;
        if message.to_text().is_ok_and(|text| text.starts_with(r#"{"type":"table""#)) {
            return Ok(());
        }
    }
}
