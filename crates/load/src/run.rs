//! A run: the house is opened, filled, measured and left.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use futures_util::{SinkExt, StreamExt, TryStreamExt, stream};
use houseway_bench::floor::{fdatasyncs, inserts};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_tungstenite::tungstenite::Message;

use crate::acknowledged::{self, Money, Sample, kept_by_each};
use crate::door::{Door, Guest, Socket};
use crate::figures::{Figures, Floor, Grown, Idled, Played, Waited};
use crate::house::{House, Manners, Used, data};
use crate::player::{Player, Seat, Tally, Tempo};
use crate::{Load, What, fill, hostile, login, overload, recall};

/// How many come in at the same time.
pub(crate) const AT_ONCE: usize = 32;

/// How long the disk and the plain database are measured.
const FLOOR: Duration = Duration::from_secs(3);

/// How long everyone has played before it counts.
const WARM_UP: Duration = Duration::from_secs(3);

/// In how many parts an evening is measured.
const TENTHS: u32 = 10;

/// How long players may take to sit down.
const SITTING_DOWN: Duration = Duration::from_mins(10);

pub(crate) async fn run(load: &Load) -> anyhow::Result<()> {
    let folder = match &load.house.folder {
        Some(folder) => tempfile::tempdir_in(folder),
        None => tempfile::tempdir_in("."),
    };
    let folder = folder.context("a folder for the house's data")?;
    let floor = floor(folder.path()).await?;
    let manners = match load.what {
        What::Hostile { .. } | What::Login { .. } => Manners::Usual,
        _ => Manners::Patient,
    };
    let rules = &load.house.rules;
    let filled = match load.what {
        What::Recall { fill, .. } if fill > 0 => {
            Some(fill::fill(&data(folder.path()), fill, rules).await?)
        }
        _ => None,
    };
    let mut house = House::open(&load.house, folder.path(), manners).await?;
    let mut figures = Figures::beside(floor);
    match &load.what {
        &What::Pace { tables, players, round, time } => {
            let evening = Evening { tables, players, round: Some(round) };
            play(&evening, &mut house, rules, time, &mut figures).await?;
        }
        &What::FlatOut { tables, players, time } => {
            let evening = Evening { tables, players, round: None };
            play(&evening, &mut house, rules, time, &mut figures).await?;
        }
        &What::Overload { tables, sockets, time } => {
            let crowd = overload::Crowd { tables, sockets, time };
            figures.overloaded = Some(overload::run(&mut house, crowd, rules).await?);
        }
        &What::Idle { sockets } => figures.idled = Some(idle(&house, sockets, rules).await?),
        What::Hostile { tables, time, attacks } => {
            hostile::run(&house, *tables, *time, attacks, rules, &mut figures).await?;
        }
        &What::Login { tries } => figures.login = Some(login::run(&house.door, tries).await?),
        &What::Recall { tables, time, recalls, .. } => {
            let evening = Evening { tables, players: 6, round: None };
            let mut playing = evening.begin(&house, rules).await?;
            playing.measure(&house, time).await?;
            let found = recall::run(&house, playing, filled.as_ref(), recalls, folder.path());
            figures.recalled = Some(found.await?);
            figures.filled = filled.map(|it| it.figures);
        }
    }
    let text = serde_json::to_string_pretty(&figures)? + "\n";
    match &load.house.json {
        Some(path) if path.as_os_str() == "-" => {
            return Ok(std::io::stdout().write_all(text.as_bytes())?);
        }
        Some(path) => std::fs::write(path, text).with_context(|| path.display().to_string())?,
        None => {}
    }
    Ok(std::io::stdout().write_all(figures.table().as_bytes())?)
}

/// Tables are played at for a while, in tenths, so that what grows is seen.
async fn play(
    evening: &Evening,
    house: &mut House,
    rules: &str,
    time: Duration,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let mut playing = evening.begin(house, rules).await?;
    let mut tenths = vec![];
    for _ in 0..TENTHS {
        tenths.push(playing.measure(house, time / TENTHS).await?);
    }
    let ended = playing.end().await?;
    figures.grown = grown(&tenths, time);
    let mut whole = Measured::together(&tenths);
    whole.unanswered += ended.unanswered;
    whole.longest = whole.longest.max(ended.longest);
    figures.played = Some(whole.played(evening));
    figures.held = acknowledged::hold(house, &ended.samples, &Money::new()).await?;
    Ok(())
}

/// From the second tenth on: in the first, what everyone shares is still being made.
fn grown(tenths: &[Measured], time: Duration) -> Option<Grown> {
    let (first, last) = (tenths.get(1)?, tenths.last()?);
    let percent = |from: f64, to: f64| (to / from - 1.0) * 100.0;
    let p99 = |it: &Measured| Waited::of(it.times.clone()).p99;
    let (before, after) = (first.after?, last.after?);
    let wal = tenths.iter().filter_map(|it| it.after).map(|it| it.wal).max()?;
    Some(Grown {
        minutes: time.as_secs_f64() / 60.0,
        memory_percent: percent(before.memory as f64, after.memory as f64),
        descriptors: before.descriptors.abs_diff(after.descriptors),
        p99_percent: percent(p99(first), p99(last)),
        wal_megabytes: wal as f64 / 1e6,
    })
}

async fn floor(folder: &Path) -> anyhow::Result<Floor> {
    Ok(Floor {
        fdatasyncs_per_second: fdatasyncs(&folder.join("plain"), FLOOR)?,
        sqlite_inserts_per_second: inserts(&folder.join("loop.db"), FLOOR).await?,
    })
}

/// Tables, and how they are played at.
pub(crate) struct Evening {
    pub(crate) tables: u32,
    pub(crate) players: u8,
    /// How long a round takes; as short as it goes, if nothing is said.
    pub(crate) round: Option<Duration>,
}

/// An evening that goes on.
pub(crate) struct Playing {
    tally: Arc<Tally>,
    players: JoinSet<anyhow::Result<Sample>>,
    /// Who plays where.
    pub(crate) seats: Vec<(u64, Guest)>,
}

/// What is known once everyone has gone.
pub(crate) struct Ended {
    /// Commands that nobody answered any more.
    pub(crate) unanswered: u64,
    /// The longest that anyone waited since it was last measured.
    pub(crate) longest: Duration,
    /// What players were acknowledged.
    pub(crate) samples: Vec<Sample>,
}

/// What was counted in a while.
#[derive(Default)]
pub(crate) struct Measured {
    seconds: f64,
    rounds: u64,
    views: u64,
    pub(crate) refused: u64,
    late: u64,
    pub(crate) again: u64,
    pub(crate) unanswered: u64,
    /// The longest that anyone waited.
    pub(crate) longest: Duration,
    /// How long answers took, in microseconds.
    pub(crate) times: Vec<u32>,
    /// What the server used meanwhile, of one that was started here.
    cpu: Option<f64>,
    after: Option<Used>,
}

impl Measured {
    /// Several, one after the other.
    fn together(all: &[Measured]) -> Measured {
        let mut whole = Measured { cpu: Some(0.0), ..Measured::default() };
        for it in all {
            whole.seconds += it.seconds;
            whole.rounds += it.rounds;
            whole.views += it.views;
            whole.refused += it.refused;
            whole.late += it.late;
            whole.again += it.again;
            whole.unanswered += it.unanswered;
            whole.longest = whole.longest.max(it.longest);
            whole.times.extend(&it.times);
            whole.cpu = whole.cpu.zip(it.cpu).map(|(sum, cpu)| sum + cpu);
            whole.after = it.after;
        }
        whole
    }

    fn played(self, evening: &Evening) -> Played {
        let (seconds, commands) = (self.seconds, self.times.len() as u64);
        Played {
            tables: evening.tables,
            players: evening.players,
            seconds,
            rounds: self.rounds,
            rounds_per_second: self.rounds as f64 / seconds,
            commands,
            refused: self.refused,
            late: self.late,
            again: self.again,
            unanswered: self.unanswered,
            longest_wait: self.longest.as_secs_f64(),
            commands_per_second: commands as f64 / seconds,
            views_per_command: self.views as f64 / commands as f64,
            milliseconds: Waited::of(self.times),
            server_cpu_per_command: self.cpu.map(|cpu| cpu * 1e6 / commands as f64),
            server_cores: self.cpu.map(|cpu| cpu / seconds),
            server_memory: self.after.map(|after| after.memory),
        }
    }
}

impl Evening {
    /// Everyone comes, sits down and plays.
    pub(crate) async fn begin(&self, house: &House, rules: &str) -> anyhow::Result<Playing> {
        let tally = Arc::new(Tally::default());
        let tables = come_in(&house.door, self.tables, self.players, rules).await?;
        let (mut players, mut seats) = (JoinSet::new(), vec![]);
        let most_kept = kept_by_each(self.tables as usize * usize::from(self.players));
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
                seats.push((table, guest.clone()));
                let seat = Seat { table, position, players: self.players, tempo };
                let player = Player::new(seat, guest, socket, tally.clone(), most_kept);
                players.spawn(async move {
                    // Nor do all tables fill at the same moment.
                    if let Tempo::Every(_, first) = tempo {
                        sleep_until(first).await;
                    }
                    player.play().await
                });
            }
        }
        let mut playing = Playing { tally, players, seats };
        playing.all_sit().await?;
        sleep(WARM_UP.max(self.round.unwrap_or_default())).await;
        // Until here nobody was measured; what is still unanswered is counted at the end.
        playing.tally.unanswered.store(0, Ordering::Relaxed);
        playing.tally.longest.store(0, Ordering::Relaxed);
        Ok(playing)
    }
}

impl Playing {
    /// What happens in a while.
    pub(crate) async fn measure(
        &mut self,
        house: &House,
        time: Duration,
    ) -> anyhow::Result<Measured> {
        let tally = &self.tally;
        let (before, start) = (house.used()?, Instant::now());
        tally.counting.store(true, Ordering::Relaxed);
        sleep(time).await;
        tally.counting.store(false, Ordering::Relaxed);
        let (after, seconds) = (house.used()?, start.elapsed().as_secs_f64());
        if let Some(gone) = self.players.try_join_next() {
            gone??;
            bail!("a player has gone");
        }
        let taken = |count: &AtomicU64| count.swap(0, Ordering::Relaxed);
        let cpu = before.zip(after).map(|(before, after)| after.cpu.saturating_sub(before.cpu));
        Ok(Measured {
            seconds,
            rounds: taken(&tally.rounds),
            views: taken(&tally.views),
            refused: taken(&tally.refused),
            late: taken(&tally.late),
            again: taken(&tally.again),
            unanswered: taken(&tally.unanswered),
            longest: Duration::from_micros(taken(&tally.longest)),
            times: std::mem::take(&mut *tally.times.lock().expect("nobody panics with it")),
            cpu: cpu.map(|cpu| cpu.as_secs_f64()),
            after,
        })
    }

    /// Everyone waits for what they asked, and goes.
    pub(crate) async fn end(mut self) -> anyhow::Result<Ended> {
        self.tally.over.send_replace(true);
        let mut samples = vec![];
        while let Some(done) = self.players.join_next().await {
            samples.push(done??);
        }
        Ok(Ended {
            unanswered: self.tally.unanswered.load(Ordering::Relaxed),
            longest: Duration::from_micros(self.tally.longest.load(Ordering::Relaxed)),
            samples,
        })
    }

    async fn all_sit(&mut self) -> anyhow::Result<()> {
        let (all, start) = (self.seats.len(), Instant::now());
        while (self.tally.seated.load(Ordering::Relaxed) as usize) < all {
            if let Some(gone) = self.players.try_join_next() {
                gone??;
                bail!("a player has gone");
            }
            if start.elapsed() > SITTING_DOWN {
                bail!("only {} of {all} sit", self.tally.seated.load(Ordering::Relaxed));
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
            let socket = door.socket(Some(&guest.token)).await?;
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
    let mut opener = door.socket(Some(&first.token)).await?;
    for &table in &tables {
        watch(&mut opener, table).await?;
        opener.send(Message::text(format!(r#"{{"type":"unwatch","table":{table}}}"#))).await?;
    }
    sleep(QUIET).await;
    let before = used()?;

    let mut open: Vec<Socket> = stream::iter(&guests)
        .map(|guest| door.socket(Some(&guest.token)))
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
pub(crate) async fn watch(socket: &mut Socket, table: u64) -> anyhow::Result<()> {
    let watch = format!(r#"{{"type":"watch","table":{table}}}"#);
    socket.send(Message::text(watch)).await?;
    loop {
        let message = socket.next().await.context("the house closed a socket")??;
        if message.to_text().is_ok_and(|text| text.starts_with(r#"{"type":"table""#)) {
            return Ok(());
        }
    }
}
