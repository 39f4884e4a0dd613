//! A client's socket: what it says is answered, what it watches is sent, and nothing piles up.
//!
//! Views are made when they can be sent, from the table as it stands then. So a slow reader misses
//! steps in between and never makes anyone else wait; one that reads nothing at all is cut off.

use std::collections::{BTreeMap, VecDeque};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use futures_util::stream::{FuturesUnordered, SplitSink};
use futures_util::{SinkExt, StreamExt};
use houseway_rules::rulebook::Role;
use houseway_store::{TableId, Version};
use houseway_table::view::{Onlooker, past_view, view_beside};
use houseway_table::{Actor, Past, Person, Table};
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::{Mutex, broadcast, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{self, error::ProtocolError};
use uuid::Uuid;

use crate::app::{App, Changed};
use crate::desk::Desk;
use crate::pace::Next;
use crate::people::{TOUCH_EVERY, Who};
use crate::protocol::{FromClient, FromServer, Named, PROTOCOL, TableUpdate, You, house_options};
use crate::rate::Bucket;
use crate::room::{Answer, Applied, Asked, Room, Snapshot, Unanswered};

/// How many commands of one client are on their way at once; then it is not read until one is back.
pub(crate) const IN_FLIGHT: usize = 8;

/// How many tables one client watches at most.
pub(crate) const TABLES: usize = 16;

/// How long after a view of a table the next one is sent at the earliest, unless it comes with an
/// answer. What happens in between comes with it: nobody sees the difference, and at a full table it
/// saves five views in six.
pub(crate) const PACE: Duration = Duration::from_millis(50);

/// The largest message of a client.
pub(crate) const LARGEST_MESSAGE: usize = 16 * 1024;

/// The largest message of a client that is read at all. Whoever sends one that is larger than it may be is
/// told so; who sends one that is larger than this is cut off, and may not hear it any more.
pub(crate) const LARGEST_READ: usize = 64 * 1024;

/// What is said to one that is larger.
const TOO_LARGE: &str = "a message has at most 16384 bytes";

/// How much of what happened is told at once, in bytes.
pub(crate) const LARGEST_HAPPENED: usize = 128 * 1024;

/// How long a client that was told to go has for it.
const GOODBYE: Duration = Duration::from_secs(1);

/// How long a message may take to be sent before the client is cut off.
const STALLED: Duration = Duration::from_secs(8);

/// How often a client is asked whether it is there, and its session looked at.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(30);

/// How long nothing may be heard of a client.
pub(crate) const SILENT: Duration = Duration::from_secs(95);

/// Close codes of the WebSocket protocol.
pub(crate) mod code {
    pub(super) const NO_WEBSOCKET: u16 = 1002;
    pub(super) const NO_TEXT: u16 = 1007;
    pub(super) const POLICY: u16 = 1008;
    pub(crate) const TOO_LARGE: u16 = 1009;
    pub(super) const RESTART: u16 = 1012;
}

/// Serves one client until it goes or is sent away.
pub(crate) async fn serve(
    app: Arc<App>,
    socket: WebSocket,
    who: Option<Who>,
    token: Option<String>,
) {
    let metrics = app.house.metrics().clone();
    metrics.sockets.inc();
    let (sink, mut stream) = socket.split();
    let mut client = Client {
        bucket: Bucket::new(app.config.messages_per_second),
        sink,
        who,
        token,
        watched: BTreeMap::new(),
        heard: Instant::now(),
        touched: app.house.now(),
        in_order: Arc::default(),
        app,
    };
    let ended = client.run(&mut stream).await;
    if let Err(End::Bye(code, why)) = ended {
        // The client may be gone; then nobody is told.
        let _ = client.say(&FromServer::Bye { why }).await;
        let frame = CloseFrame { code, reason: Utf8Bytes::from(why) };
        let _ = timeout(STALLED, client.sink.send(Message::Close(Some(frame)))).await;
        // What it still sends is taken: a connection that is closed before that is cut off, and with it
        // what it was told last.
        let _ = timeout(GOODBYE, async { while let Some(Ok(_)) = stream.next().await {} }).await;
    }
    metrics.sockets.dec();
}

/// Why a client is served no longer.
enum End {
    /// It went, or does not read.
    Gone,
    /// It is sent away, and told why.
    Bye(u16, &'static str),
}

/// A table that a client watches.
struct Watched {
    room: Room,
    changes: watch::Receiver<Arc<Snapshot>>,
    /// The version the client has.
    told: Version,
    /// Whether it says that it has more than there is: a copy of the house was put back meanwhile.
    astray: bool,
    /// When the next view is sent at the earliest.
    due: Instant,
    /// The round before as this client sees it, as text: it is part of every view and seldom changes.
    last: Option<Last>,
    /// Who is there and what they are called, as text: the same.
    people: Option<Names>,
}

struct Names {
    /// Who has money at the table.
    players: Vec<Person>,
    renamed: u64,
    text: Box<RawValue>,
}

struct Last {
    past: Arc<Past>,
    seen_by: Onlooker,
    text: Box<RawValue>,
}

impl Watched {
    /// Waits until the table has changed and may be sent again.
    async fn change(&mut self) -> Result<(), End> {
        // The time first: whoever may not be sent anything yet is not woken by every change until then.
        sleep_until(self.due).await;
        let told = self.told;
        match self.changes.wait_for(|now| now.version > told).await {
            Ok(_) => Ok(()),
            // Whoever comes back finds the table opened anew.
            Err(_) => Err(End::Bye(code::RESTART, "the table had to stop: come back soon")),
        }
    }

    /// Makes the text of the names anew, if someone came, went or is called otherwise.
    async fn keep_people(&mut self, desk: &Desk, app: &App) {
        let players = desk.table().people().keys();
        let renamed = app.renamed();
        let same = |kept: &Names| kept.renamed == renamed && players.clone().eq(&kept.players);
        if self.people.as_ref().is_some_and(same) {
            return;
        }
        let players: Vec<Person> = players.copied().collect();
        let mut people = BTreeMap::new();
        for &person in &players {
            people.insert(person.0, app.name_of(desk, person).await);
        }
        for bot in &desk.opening().bots {
            people.insert(bot.person.0, Named { name: bot.name.clone(), bot: true });
        }
        let text = to_raw_value(&people).expect("names are JSON");
        self.people = Some(Names { players, renamed, text });
    }

    /// Makes the text of the round before anew, if it is not the one that is kept.
    fn keep_last(&mut self, table: &Table, onlooker: Onlooker) {
        let last = table.last_round();
        let same = |kept: &Last| {
            kept.seen_by == onlooker && last.is_some_and(|last| Arc::ptr_eq(&kept.past, last))
        };
        self.last = self.last.take().filter(same).or_else(|| {
            let past = last?.clone();
            let text = to_raw_value(&past_view(table, onlooker, &past)).expect("a view is JSON");
            Some(Last { past, seen_by: onlooker, text })
        });
    }
}

struct Client {
    app: Arc<App>,
    sink: SplitSink<WebSocket, Message>,
    who: Option<Who>,
    token: Option<String>,
    watched: BTreeMap<TableId, Watched>,
    bucket: Bucket,
    heard: Instant,
    /// When the session was last told that someone is there, by the house's time.
    touched: u64,
    /// Held by the command that is being handed over to its table: they wait for it in the order in which
    /// they were sent.
    in_order: Arc<Mutex<()>>,
}

type Answered = (TableId, Uuid, Result<Answer, Unanswered>);

/// What a client has asked and was not told yet.
///
/// It goes on whatever else the client's task waits for. Whoever queues for a connection of the store, or
/// for a lock, is handed it when their turn comes and has it until they go on: asks that nobody goes on
/// with would keep it from everyone, and from their own task too.
struct Asks<F> {
    running: FuturesUnordered<F>,
    answered: VecDeque<Answered>,
}

impl<F: Future<Output = Answered>> Asks<F> {
    fn new() -> Asks<F> {
        Asks { running: FuturesUnordered::new(), answered: VecDeque::new() }
    }

    fn len(&self) -> usize {
        self.running.len() + self.answered.len()
    }

    /// The next answer; nothing if nothing was asked.
    async fn next(&mut self) -> Option<Answered> {
        match self.answered.pop_front() {
            Some(answered) => Some(answered),
            None => self.running.next().await,
        }
    }

    /// Waits for something else, while all that was asked goes on.
    async fn meanwhile<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = pin!(other);
        loop {
            tokio::select! {
                biased;
                done = other.as_mut() => return done,
                Some(answered) = self.running.next() => self.answered.push_back(answered),
            }
        }
    }
}

impl Client {
    async fn run(
        &mut self,
        stream: &mut futures_util::stream::SplitStream<WebSocket>,
    ) -> Result<(), End> {
        self.welcome().await?;
        let mut asks = Asks::new();
        let mut heartbeat = interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut stopping = self.app.stopping.subscribe();
        let mut sessions = self.app.session_changes();
        loop {
            tokio::select! {
                biased;
                () = closing(&mut stopping) => {
                    return Err(End::Bye(code::RESTART, "the house is closing: come back soon"));
                }
                changed = sessions.recv() => {
                    if self.is_about_us(changed) {
                        let rest = asks.meanwhile(self.look_again()).await?;
                        heartbeat.reset_after(rest);
                    }
                }
                Some(answered) = asks.next() => {
                    let is_last = asks.len() == 0;
                    asks.meanwhile(self.answer(answered, is_last)).await?;
                }
                changed = changed(&mut self.watched) => asks.meanwhile(self.update(changed?)).await?,
                message = stream.next(), if asks.len() < IN_FLIGHT => {
                    let message = message.ok_or(End::Gone)?.map_err(unreadable)?;
                    self.heard = Instant::now();
                    // Whatever it is, it costs something.
                    if !self.bucket.take(self.heard.into_std()) {
                        return Err(End::Bye(code::POLICY, "too many messages"));
                    }
                    let text = match message {
                        Message::Text(text) if text.len() > LARGEST_MESSAGE => {
                            return Err(End::Bye(code::TOO_LARGE, TOO_LARGE));
                        }
                        Message::Text(text) => text,
                        Message::Binary(_) => {
                            return Err(End::Bye(code::POLICY, "messages are JSON texts"));
                        }
                        Message::Ping(_) | Message::Pong(_) => continue,
                        Message::Close(_) => return Err(End::Gone),
                    };
                    if let Some(asked) = asks.meanwhile(self.read(&text)).await? {
                        asks.running.push(asked);
                    }
                }
                _ = heartbeat.tick() => {
                    let rest = asks.meanwhile(self.beat()).await?;
                    heartbeat.reset_after(rest);
                }
            }
        }
    }

    async fn welcome(&mut self) -> Result<(), End> {
        let you = self.who.as_ref().map(|who| You {
            person: who.person,
            name: who.name.clone(),
            role: who.role,
            guest: who.guest,
        });
        let now = self.app.house.now();
        self.say(&FromServer::Welcome { protocol: PROTOCOL, you, now }).await
    }

    async fn say(&mut self, message: &FromServer<'_>) -> Result<(), End> {
        self.put(message).await?;
        self.flush().await
    }

    /// Makes a message ready to be sent with the next one.
    async fn put(&mut self, message: &FromServer<'_>) -> Result<(), End> {
        in_time(self.sink.feed(text_of(message))).await
    }

    async fn flush(&mut self) -> Result<(), End> {
        in_time(self.sink.flush()).await
    }

    /// Asks whether the client is there, and whether it still is who it was.
    async fn beat(&mut self) -> Result<Duration, End> {
        if self.heard.elapsed() > SILENT {
            return Err(End::Gone);
        }
        let rest = self.look_again().await?;
        in_time(self.sink.send(Message::Ping(Bytes::new()))).await?;
        Ok(rest)
    }

    /// Whether a change of sessions may be one of this client's own.
    fn is_about_us(&self, changed: Result<Changed, broadcast::error::RecvError>) -> bool {
        match changed {
            Ok(Changed::Token(token)) => self.token.as_ref() == Some(&token),
            Ok(Changed::Person(person)) => self.who.as_ref().is_some_and(|it| it.person == person),
            Err(_) => true,
        }
    }

    /// Looks whether the client still is who it was, and says when to look again: when the session runs
    /// out, if that is soon.
    async fn look_again(&mut self) -> Result<Duration, End> {
        let Some(token) = &self.token else { return Ok(HEARTBEAT) };
        match self.app.people.who_until(token).await {
            Ok(Some((who, until))) => {
                self.who = Some(who);
                let left = until.saturating_sub(self.app.house.now()) + 1;
                Ok(HEARTBEAT.min(Duration::from_millis(left)))
            }
            Ok(None) => Err(End::Bye(code::POLICY, "the session has ended")),
            // The store is away: whoever was let in stays until it is back.
            Err(_) => Ok(HEARTBEAT),
        }
    }

    /// Whoever asks something is there: their session lasts. Said as often as it is kept.
    async fn give_sign_of_life(&mut self) -> Result<(), End> {
        let now = self.app.house.now();
        let Some(token) = self.token.as_ref().filter(|_| now >= self.touched + TOUCH_EVERY) else {
            return Ok(());
        };
        self.touched = now;
        match self.app.people.touch(token).await {
            Ok(None) => Err(End::Bye(code::POLICY, "the session has ended")),
            // The store is away: whoever was let in stays until it is back.
            Ok(Some(_)) | Err(_) => Ok(()),
        }
    }

    /// Takes a message up; what must be waited for comes back.
    async fn read(
        &mut self,
        text: &str,
    ) -> Result<Option<impl Future<Output = Answered> + use<>>, End> {
        let message = match FromClient::read(text) {
            Ok(message) => message,
            Err(wrong) => {
                self.say(&wrong).await?;
                return Ok(None);
            }
        };
        match message {
            FromClient::Ping { n } => {
                let now = self.app.house.now();
                self.say(&FromServer::Pong { n, now }).await?;
            }
            FromClient::Unwatch { table } => drop(self.watched.remove(&TableId(table))),
            FromClient::Watch { table, since } => self.watch(TableId(table), since).await?,
            FromClient::Command { table, id, command } => {
                self.give_sign_of_life().await?;
                let Some(who) = &self.who else {
                    let why = "who watches only asks nothing: come in first".to_string();
                    self.say(&FromServer::Failed { id, why, again: false }).await?;
                    return Ok(None);
                };
                let by = Actor { person: who.person, role: who.role };
                let (app, table) = (self.app.clone(), TableId(table));
                let in_order = self.in_order.clone();
                return Ok(Some(async move {
                    let started = std::time::Instant::now();
                    let asked = Asked { by, ask: command, id };
                    let turn = in_order.lock().await;
                    let handed_over = app.hand_over(table, asked).await;
                    drop(turn);
                    let answer = match handed_over {
                        Ok(answer) => answer.await,
                        Err(error) => Err(error),
                    };
                    app.house.metrics().answer_seconds.observe(started.elapsed().as_secs_f64());
                    (table, id, answer)
                }));
            }
        }
        Ok(None)
    }

    /// Sends an answer, and in the same breath the table it led to.
    ///
    /// It need not be due: whoever asks one thing after the other sees where each led, and it costs no
    /// message of its own. Whoever asks for much at once sees it with the last answer.
    async fn answer(&mut self, (table, id, answer): Answered, is_last: bool) -> Result<(), End> {
        self.put_answer(id, answer).await?;
        if let Some(it) = self.watched.get(&table)
            && it.changes.borrow().version > it.told
            && (is_last || it.due <= Instant::now())
        {
            self.put_update(table).await?;
        }
        self.flush().await
    }

    async fn put_answer(
        &mut self,
        id: Uuid,
        answer: Result<Answer, Unanswered>,
    ) -> Result<(), End> {
        match answer {
            Ok(Answer { version, text }) => {
                let answer: Box<RawValue> =
                    RawValue::from_string(text).expect("an answer was kept as JSON");
                let version = version.0;
                self.put(&FromServer::Answer { id, version, answer: &answer }).await
            }
            Err(error) => {
                self.app.house.metrics().failed.inc();
                let again = matches!(error, Unanswered::Busy | Unanswered::Failed(_));
                let why = match &error {
                    // What exactly broke is the house's business.
                    Unanswered::Failed(_) => "the house cannot store it now".to_string(),
                    other => other.to_string(),
                };
                self.put(&FromServer::Failed { id, why, again }).await
            }
        }
    }

    async fn watch(&mut self, table: TableId, since: Option<u64>) -> Result<(), End> {
        if self.watched.len() >= TABLES && !self.watched.contains_key(&table) {
            let why = format!("at most {TABLES} tables are watched at once");
            return self.say(&not_watched(table, why)).await;
        }
        let room = match self.app.house.room(table).await {
            Ok(room) => room,
            Err(error) => {
                return self.say(&not_watched(table, error.to_string())).await;
            }
        };
        // Whoever comes from another node may have seen more than this one has heard of.
        if since.is_some_and(|since| Version(since) > room.now().version) {
            room.catch_up().await;
        }
        let changes = room.watch();
        let now = room.now().version;
        let since = since.map_or(now, Version);
        let (told, astray, due) = (since.min(now), since > now, Instant::now());
        let watched = Watched { room, changes, told, astray, due, last: None, people: None };
        self.watched.insert(table, watched);
        self.update(table).await
    }

    /// Sends a table as it stands now.
    async fn update(&mut self, table: TableId) -> Result<(), End> {
        self.put_update(table).await?;
        self.flush().await
    }

    async fn put_update(&mut self, table: TableId) -> Result<(), End> {
        let Some(watched) = self.watched.get_mut(&table) else { return Ok(()) };
        let snapshot = watched.changes.borrow_and_update().clone();
        // Where it cannot be had, the view is whole without it.
        let applied = watched.room.since(watched.told, snapshot.version).await.unwrap_or_default();
        let (happened, fits) = told_of(&applied);
        let wanted = snapshot.version.0.saturating_sub(watched.told.0);
        let missed = !fits || (applied.len() as u64) < wanted || watched.astray;
        (watched.told, watched.astray) = (snapshot.version, false);
        watched.due = Instant::now() + PACE;
        let desk = &snapshot.desk;
        let now = self.app.house.now();
        let onlooker = onlooker(self.who.as_ref());
        let actor = self.who.as_ref().map(|who| Actor { person: who.person, role: who.role });
        watched.keep_people(desk, &self.app).await;
        watched.keep_last(desk.table(), onlooker);
        let last = watched.last.as_ref().map(|kept| &*kept.text);
        let mut view = view_beside(desk.table(), onlooker, now, last);
        view.options.retain(|offer| desk.upholds(offer));
        let update = TableUpdate {
            table: table.0,
            name: &desk.opening().name,
            version: snapshot.version.0,
            now,
            happened,
            missed,
            view,
            house_options: house_options(desk, actor, now, self.app.house.vault()),
            ready: desk.ready().iter().copied().collect(),
            commitment: desk.commitment(),
            words: desk.published_words(),
            resumed: desk.resumed(),
            closed: desk.closed(),
            next_round: match (desk.table().phase(), self.app.house.next(desk, now)) {
                (houseway_table::Phase::Idle, Next::Wait(until)) => Some(until),
                _ => None,
            },
            people: &watched.people.as_ref().expect("just kept").text,
        };
        let text = text_of(&FromServer::Table(Box::new(update)));
        in_time(self.sink.feed(text)).await
    }
}

/// What a client may see.
pub(crate) fn onlooker(who: Option<&Who>) -> Onlooker {
    match who {
        None => Onlooker::Spectator,
        Some(who) if who.role == Role::Player => Onlooker::Player(who.person),
        Some(who) => Onlooker::Staff(who.person, who.role),
    }
}

/// Waits until the house closes.
async fn closing(stopping: &mut watch::Receiver<bool>) {
    // Whoever drops the sender closes it too.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

fn not_watched(table: TableId, why: String) -> FromServer<'static> {
    FromServer::Wrong { why, id: None, table: Some(table.0) }
}

/// What happened, as much of it as a message takes: the last of it. And whether that is all.
fn told_of(applied: &[Arc<Applied>]) -> (Vec<&RawValue>, bool) {
    let mut length = 0;
    let left_out = applied.iter().rposition(|applied| {
        length += applied.told().get().len();
        length > LARGEST_HAPPENED
    });
    let told = &applied[left_out.map_or(0, |place| place + 1)..];
    (told.iter().map(|applied| applied.told()).collect(), left_out.is_none())
}

fn text_of(message: &FromServer<'_>) -> Message {
    // A table takes some kilobytes, which need not be moved again and again while they are written.
    let room = if matches!(message, FromServer::Table(_)) { 8 * 1024 } else { 256 };
    let mut text = Vec::with_capacity(room);
    serde_json::to_writer(&mut text, message).expect("a message is JSON");
    Message::Text(Utf8Bytes::try_from(text).expect("JSON is UTF-8"))
}

/// What cannot be read as a message ends the connection, and whoever sent it is told why.
fn unreadable(error: axum::Error) -> End {
    match error.into_inner().downcast_ref() {
        Some(tungstenite::Error::Capacity(_)) => End::Bye(code::TOO_LARGE, TOO_LARGE),
        Some(tungstenite::Error::Utf8(_)) => End::Bye(code::NO_TEXT, "messages are UTF-8"),
        Some(tungstenite::Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => {
            End::Gone
        }
        Some(tungstenite::Error::Protocol(_)) => {
            End::Bye(code::NO_WEBSOCKET, "that is no message of the WebSocket protocol")
        }
        _ => End::Gone,
    }
}

/// Whoever does not take what is sent is gone.
async fn in_time<E>(sending: impl Future<Output = Result<(), E>>) -> Result<(), End> {
    match timeout(STALLED, sending).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}

/// The next watched table that has changed and may be sent again.
async fn changed(watched: &mut BTreeMap<TableId, Watched>) -> Result<TableId, End> {
    let mut waiting = watched.iter_mut().map(async |(&table, it)| {
        it.change().await?;
        Ok(table)
    });
    // Almost everyone watches one table, and waits for it without a list.
    match (waiting.next(), waiting.len()) {
        (None, _) => std::future::pending().await,
        (Some(only), 0) => only.await,
        (Some(first), _) => {
            let all = std::iter::once(first).chain(waiting).map(Box::pin);
            futures_util::future::select_all(all).await.0
        }
    }
}
