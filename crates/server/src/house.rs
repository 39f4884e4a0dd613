//! All tables of a house: opened, found, listed, taken up again after a break.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use houseway_rules::houses;
use houseway_rules::rulebook::{Conduct, Role, Rulebook};
use houseway_store::{
    AccountName, Append, AppendError, Appended, Failure, Notice, Remember, Store, StreamId,
    TableId, Version,
};
use houseway_table::{Actor, Person, Places, Position, Posted, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::bots::Strategy;
use crate::clock::Clock;
use crate::desk::Desk;
use crate::integrity::STOPPED;
use crate::metrics::Metrics;
use crate::pace::Next;
use crate::record::{Bot, Opening, Record, RulebookSource, Stamped};
use crate::room::{Room, Snapshot, Tools, Unanswered};
use crate::vault::{NoChance, Vault};

/// The first number of bots. People's numbers are given from 1 on and never come near it.
pub(crate) const FIRST_BOT: u32 = 4_000_000_000;

/// A version beyond all that are known: the log is looked at in any case.
const UNKNOWN: Version = Version(u64::MAX);

/// How many tables are opened at the same time at most.
const OPENINGS: usize = 64;

/// A table's number is not guessed: whoever has the link was given it. It fits a JSON number.
const NUMBERS: u64 = 1 << 53;

/// How long a running table may be silent before another node looks after it.
const SILENCE: u64 = 5_000;

/// How often a node looks for tables that nobody looks after.
const ROUNDS: Duration = Duration::from_secs(2);

/// How often a node of several looks whether it missed something.
const NEWS: Duration = Duration::from_secs(3);

/// For how long nobody has asked for a room that is closed, in milliseconds.
const QUIET: u64 = 5 * 60_000;

/// For how long a table where nothing happens is found in the lobby. Whoever has its link finds it
/// later too.
const LISTED: u64 = 24 * 60 * 60_000;

/// How long results are shown at most, in milliseconds.
const LONGEST_RESULTS: u64 = 120_000;

/// A table that someone wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Wish {
    /// A name for the wish, made by whoever sends it: sent again, it opens no second table.
    #[serde(default)]
    pub id: Option<Uuid>,
    /// What it is to be called.
    #[serde(default)]
    pub name: Option<String>,
    /// A rulebook's id.
    pub rules: String,
    /// What the room posts; what is usual, if nothing is said. At a table that everyone finds, times that
    /// are not said are the usual ones too, unless staff open it or the house allows it otherwise.
    #[serde(default)]
    pub posted: Option<Posted>,
    /// How many can sit; as many as the layout has, if nothing is said.
    #[serde(default)]
    pub seats: Option<u8>,
    /// How many seats bots fill. If nothing is said: two where a player always banks, so that whoever sits
    /// down alone is dealt to at once, and else none.
    #[serde(default)]
    pub bots: Option<u8>,
    /// How bots set their hands.
    #[serde(default = "Wish::strategy")]
    pub strategy: Strategy,
    /// How long results are shown, in milliseconds; more than two minutes are two minutes.
    #[serde(default)]
    pub results: Option<u64>,
    /// Whether everyone finds it in the lobby.
    #[serde(default = "Wish::listed")]
    pub listed: bool,
}

impl Wish {
    /// A table by a rulebook, and everything else as it is usual.
    pub fn new(rules: &str) -> Wish {
        Wish {
            id: None,
            name: None,
            rules: rules.to_owned(),
            posted: None,
            seats: None,
            bots: None,
            strategy: Wish::strategy(),
            results: None,
            listed: Wish::listed(),
        }
    }

    const fn strategy() -> Strategy {
        Strategy::HouseWay
    }

    const fn listed() -> bool {
        true
    }
}

/// A table as the lobby shows it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TableInfo {
    /// Its number.
    pub table: u64,
    /// What it is called.
    pub name: String,
    /// Its rulebook's id.
    pub rules: String,
    /// What the room posts.
    pub posted: Posted,
    /// How many can sit.
    pub seats: u8,
    /// How many people sit, bots not counted.
    pub people: u8,
    /// How many bots sit or will.
    pub bots: u8,
    /// Which round it is.
    pub round: u64,
    /// The clause that forbids advice until hands are set, where one does.
    pub no_advice: Option<String>,
    /// Why it is closed, if it is: nobody sits down there and no round begins.
    pub closed: Option<String>,
}

/// Why a table is not opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotOpened {
    /// Something about the wish is wrong.
    #[error("{field}: {why}")]
    Wish {
        /// What.
        field: &'static str,
        /// Why, and what would be right.
        why: String,
    },
    /// Nothing is begun at this node.
    #[error("{STOPPED}")]
    Stopped,
    /// The house could not do it.
    #[error(transparent)]
    Failed(#[from] Unanswered),
}

/// A room that is open.
struct Open {
    room: Room,
    /// When someone last asked for it.
    asked: u64,
}

/// A house with its tables.
pub struct House {
    tools: Arc<Tools>,
    /// In the order of their numbers, so that a simulation can repeat what is done with all of them.
    rooms: tokio::sync::Mutex<BTreeMap<TableId, Open>>,
    /// Held while a table is opened, so that none is opened twice.
    openings: [tokio::sync::Mutex<()>; OPENINGS],
    /// Tables as the lobby shows them, at a version.
    lobby: Mutex<BTreeMap<TableId, (Version, Option<TableInfo>)>>,
    /// When something was last heard of a table, here or on another node.
    heard: Mutex<BTreeMap<TableId, u64>>,
    /// Rulebook files that the operator allows, by id.
    files: BTreeMap<String, String>,
}

impl House {
    /// A house on a store.
    pub fn new(
        store: Arc<dyn Store>,
        vault: Arc<Vault>,
        clock: Arc<dyn Clock>,
        metrics: Arc<Metrics>,
        files: BTreeMap<String, String>,
    ) -> Arc<House> {
        let tools = Arc::new(Tools::new(store, vault, clock, metrics));
        let (rooms, lobby, heard) = Default::default();
        let openings = [const { tokio::sync::Mutex::const_new(()) }; OPENINGS];
        let house = Arc::new(House { tools, rooms, openings, lobby, heard, files });
        tokio::spawn(House::listen(Arc::downgrade(&house)));
        house
    }

    /// Where things are kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.tools.store
    }

    /// The house's keys.
    pub fn vault(&self) -> &Arc<Vault> {
        &self.tools.vault
    }

    /// What time it is.
    pub fn now(&self) -> u64 {
        self.tools.clock.now()
    }

    /// Figures.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.tools.metrics
    }

    /// What comes next at a table without anyone asking.
    pub fn next(&self, desk: &Desk, at: u64) -> Next {
        self.tools.next(desk, at)
    }

    /// Whether play is stopped at this node.
    pub fn is_stopped(&self) -> bool {
        self.tools.is_stopped()
    }

    /// Stops play at this node, or lets it go on: where it is stopped, rounds in progress end and none
    /// is begun. Says whether that is news.
    pub async fn stop_play(&self, stop: bool) -> bool {
        let before = self.tools.stopped.swap(stop, Ordering::Relaxed);
        self.tools.metrics.play_stopped.set(i64::from(stop));
        if before && !stop {
            // Tables that rest look up.
            self.open_rooms().await.iter().for_each(|room| room.look(UNKNOWN));
        }
        before != stop
    }

    /// Rulebook files that the operator allows, by id.
    pub(crate) fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// What its tables stand on.
    pub(crate) fn tools(&self) -> &Tools {
        &self.tools
    }

    /// A table, opened from its log if it is not open in this process.
    pub async fn room(&self, id: TableId) -> Result<Room, Unanswered> {
        if let Some(room) = self.open_room(id).await {
            return Ok(room);
        }
        // A long log takes its time: who wants another table does not wait for it.
        let _alone = self.openings[id.0 as usize % OPENINGS].lock().await;
        if let Some(room) = self.open_room(id).await {
            return Ok(room);
        }
        let room = Room::open(id, self.tools.clone()).await?;
        let mut rooms = self.rooms.lock().await;
        rooms.insert(id, Open { room: room.clone(), asked: self.now() });
        self.tools.metrics.rooms.set(i64::try_from(rooms.len()).unwrap_or(i64::MAX));
        Ok(room)
    }

    async fn open_room(&self, id: TableId) -> Option<Room> {
        let mut rooms = self.rooms.lock().await;
        if rooms.get(&id)?.room.is_over() {
            tracing::error!(table = %id, "the table had to stop and is opened anew");
            rooms.remove(&id);
            return None;
        }
        let open = rooms.get_mut(&id)?;
        open.asked = self.now();
        Some(open.room.clone())
    }

    /// Closes rooms that nobody has asked for in a while, that nobody watches and where nothing is
    /// due; says how many.
    ///
    /// A room is handed out under the same lock and found alone under it: so nobody has it in hand
    /// when it is let go, its task ends with it, and whoever comes next opens the table anew.
    pub async fn close_quiet(&self) -> usize {
        let now = self.now();
        let mut rooms = self.rooms.lock().await;
        let before = rooms.len();
        rooms.retain(|_, Open { room, asked }| {
            now < *asked + QUIET
                || !room.is_alone()
                || self.next(&room.now().desk, now) != Next::Rest
        });
        self.tools.metrics.rooms.set(i64::try_from(rooms.len()).unwrap_or(i64::MAX));
        let mut heard = self.heard.lock().expect("nobody panics with it");
        heard.retain(|id, at| now < *at + QUIET || rooms.contains_key(id));
        before - rooms.len()
    }

    /// The tables that are open in this process.
    pub async fn open_rooms(&self) -> Vec<Room> {
        self.rooms.lock().await.values().map(|open| open.room.clone()).collect()
    }

    /// Opens a new table.
    pub async fn open_table(&self, by: Person, wish: Wish) -> Result<TableId, NotOpened> {
        if self.is_stopped() {
            return Err(NotOpened::Stopped);
        }
        let content = serde_json::to_vec(&("open-table", &wish)).expect("a wish is JSON");
        let (asked, digest) = (wish.id, self.tools.vault.digest(&content));
        let opening = self.opening(wish)?;
        for _ in 0..10 {
            let drawn =
                u64::from_be_bytes(self.tools.vault.fresh().map_err(|error| no_chance(&error))?);
            let id = TableId(drawn % (NUMBERS - 1) + 1);
            let stamped = Stamped {
                by: Actor { person: by, role: Role::Player },
                record: Record::Opened(opening.clone()),
            };
            let entry =
                self.tools.vault.entry(id, 1, &stamped).map_err(|error| no_chance(&error))?;
            let append = Append {
                stream: StreamId::table(id),
                expected: Version(0),
                at: self.now(),
                entries: vec![entry],
                command: asked.map(|asked| {
                    let answer = id.to_string();
                    Remember { by, id: asked, digest, answer }
                }),
                rounds: vec![],
                mark: None,
            };
            match self.tools.store.append(append).await {
                Ok(Appended::Now(_)) => return Ok(id),
                Ok(Appended::Before(opened)) => {
                    let opened = opened.answer.parse().map(TableId);
                    return opened.map_err(|_| Unanswered::OtherContent.into());
                }
                // The number is taken: draw another.
                Err(AppendError::Conflict { .. }) => {}
                Err(AppendError::OtherContent) => return Err(Unanswered::OtherContent.into()),
                Err(AppendError::Failed(failure)) => return Err(Unanswered::from(failure).into()),
                Err(error) => return Err(Unanswered::Failed(error.to_string()).into()),
            }
        }
        Err(Unanswered::Busy.into())
    }

    /// What a wish comes to, checked.
    fn opening(&self, wish: Wish) -> Result<Opening, NotOpened> {
        let wrong = |field, why: String| NotOpened::Wish { field, why };
        let source = match (houses::find(&wish.rules), self.files.get(&wish.rules)) {
            (Some(_), _) => RulebookSource::House(wish.rules.clone()),
            (None, Some(toml)) => {
                RulebookSource::File { id: wish.rules.clone(), toml: toml.clone() }
            }
            (None, None) => {
                let known = houses::HOUSES.iter().map(|rulebook| &*rulebook.id);
                let known: Vec<&str> = known.chain(self.files.keys().map(String::as_str)).collect();
                let why = format!("there is no `{}`; there are {}", wish.rules, known.join(", "));
                return Err(wrong("rules", why));
            }
        };
        let rulebook = source.rulebook().map_err(|why| wrong("rules", why))?;
        let posted = wish.posted.unwrap_or_else(|| usual(&rulebook));
        let most = Places::of(&rulebook).seats;
        let seats = wish.seats.unwrap_or(most);
        if !(1..=most).contains(&seats) {
            return Err(wrong("seats", format!("1 to {most} under these rules")));
        }
        let usual_bots = if rulebook.bank.banker.is_house() { 0 } else { 2 };
        let wanted_bots = wish.bots.unwrap_or(usual_bots.min(seats - 1));
        if wanted_bots >= seats {
            let why = format!("at most {}, so that someone can sit down", seats - 1);
            return Err(wrong("bots", why));
        }
        let name = wish.name.unwrap_or_else(|| rulebook.name.to_string());
        let name = name.trim().to_string();
        if !(1..=60).contains(&name.chars().count()) || name.chars().any(is_unseen) {
            return Err(wrong("name", "1 to 60 characters on one line, all to be seen".into()));
        }
        let opening = Opening {
            name,
            rulebook: source,
            posted,
            results: wish.results.unwrap_or(6_000).min(LONGEST_RESULTS),
            seats: wish.seats,
            bots: bots(wanted_bots, seats, wish.strategy),
            listed: wish.listed,
        };
        opening.setup().map_err(|why| wrong("posted", why))?;
        Ok(opening)
    }

    /// The tables that everyone may find: those where something happened not long ago. A table that
    /// stands as it stood is not opened again to be shown.
    pub async fn tables(&self) -> Result<Vec<TableInfo>, Unanswered> {
        let since = self.now().saturating_sub(LISTED);
        let mut shown = BTreeMap::new();
        let mut all = vec![];
        for (stream, version, at) in self.tools.store.last_times("table/").await? {
            let Some(id) = table_of(&stream).filter(|_| at >= since) else { continue };
            let known = self.lobby.lock().expect("nobody panics with it").get(&id).cloned();
            let entry = if let Some(known) = known.filter(|(at, _)| *at == version) {
                known
            } else {
                let snapshot = match self.room(id).await {
                    Ok(room) => room.now(),
                    // One that cannot be read does not keep the others from being shown.
                    Err(error) => {
                        tracing::error!(table = %id, %error, "a table cannot be read");
                        continue;
                    }
                };
                let listed = snapshot.desk.opening().listed;
                (snapshot.version, listed.then(|| info(&snapshot)))
            };
            all.extend(entry.1.clone());
            shown.insert(id, entry);
        }
        *self.lobby.lock().expect("nobody panics with it") = shown;
        Ok(all)
    }

    /// The tables with a round in progress: those with money on the layout or in the bank.
    async fn running(&self) -> Result<Vec<TableId>, Failure> {
        let balances = self.tools.store.balances("table/").await?;
        let mut running: Vec<TableId> = balances.iter().filter_map(in_play).collect();
        running.dedup();
        Ok(running)
    }

    /// Whether money lies on the layout or in the bank of a table.
    pub(crate) async fn has_wagers(&self, table: TableId) -> Result<bool, Failure> {
        let balances = self.tools.store.balances(&format!("table/{table}/")).await?;
        Ok(balances.iter().any(|it| in_play(it).is_some()))
    }

    /// Takes up every round that was interrupted when the house last stopped; says how many. Those in which
    /// nothing lies on the table yet are taken up when someone comes to it. A table that cannot be read is
    /// left as it is, and keeps no other from being played at.
    pub async fn resume_all(&self, why: &str) -> Result<usize, Unanswered> {
        let mut resumed = 0;
        let _ = self.tools.alone_since.set(self.now());
        for id in self.running().await? {
            match self.resume(id, why).await {
                Ok(()) => resumed += 1,
                Err(error) => {
                    tracing::error!(table = %id, %error, "a round could not be taken up");
                }
            }
        }
        Ok(resumed)
    }

    async fn resume(&self, id: TableId, why: &str) -> Result<(), Unanswered> {
        self.room(id).await?.resume(why).await
    }

    /// Looks after tables that run and that nobody is heard to look after, now and then, for as long
    /// as the house stands.
    pub async fn look_after_all(house: std::sync::Weak<House>) {
        loop {
            tokio::time::sleep(ROUNDS).await;
            let Some(house) = house.upgrade() else { return };
            if let Err(error) = house.take_over_silent().await {
                tracing::warn!(%error, "tables could not be looked after");
            }
            house.close_quiet().await;
        }
    }

    async fn take_over_silent(&self) -> Result<(), Unanswered> {
        let now = self.now();
        for id in self.running().await? {
            let heard = {
                let mut heard = self.heard.lock().expect("nobody panics with it");
                *heard.entry(id).or_insert(now)
            };
            if now >= heard + SILENCE {
                match self.room(id).await {
                    Ok(room) => room.look(UNKNOWN),
                    Err(error) => tracing::error!(table = %id, %error, "a table cannot be read"),
                }
            }
        }
        Ok(())
    }

    /// Looks now and then whether logs went on without a notice, for as long as the house stands: a
    /// node that dies after a commit tells nobody.
    pub async fn look_for_news(house: std::sync::Weak<House>) {
        loop {
            tokio::time::sleep(NEWS).await;
            let Some(house) = house.upgrade() else { return };
            if let Err(error) = house.look_for_missed().await {
                tracing::warn!(%error, "it could not be seen whether tables went on");
            }
        }
    }

    /// Looks whether the logs of open rooms went on without their knowing; one question for all.
    pub async fn look_for_missed(&self) -> Result<(), Unanswered> {
        let rooms = self.open_rooms().await;
        let rooms: BTreeMap<StreamId, Room> =
            rooms.into_iter().map(|room| (StreamId::table(room.now().desk.id()), room)).collect();
        let streams: Vec<StreamId> = rooms.keys().cloned().collect();
        for (stream, version) in self.tools.store.versions(&streams).await? {
            if let Some(room) = rooms.get(&stream)
                && room.now().version < version
            {
                room.look(version);
            }
        }
        Ok(())
    }

    /// Tells rooms that their logs went on.
    async fn listen(house: std::sync::Weak<House>) {
        let Some(mut changes) = house.upgrade().map(|house| house.tools.store.changes()) else {
            return;
        };
        while let Some(notice) = changes.next().await {
            let Some(house) = house.upgrade() else { return };
            match notice {
                Notice::Appended { stream, version } => {
                    let Some(id) = table_of(&stream) else { continue };
                    let now = house.now();
                    house.heard.lock().expect("nobody panics with it").insert(id, now);
                    let rooms = house.rooms.lock().await;
                    if let Some(Open { room, .. }) = rooms.get(&id)
                        && room.now().version < version
                    {
                        room.look(version);
                    }
                }
                Notice::Person(_) => {}
                Notice::Missed => {
                    house.rooms.lock().await.values().for_each(|open| open.room.look(UNKNOWN));
                }
            }
        }
    }
}

/// How long people have at a table where nothing else is wished, in milliseconds.
pub(crate) const TIME: Time = Time {
    banking: Some(15_000),
    betting: Some(30_000),
    setting: Some(60_000),
    conceding: Some(10_000),
};

/// What is posted at such a table.
pub(crate) fn usual(rulebook: &Rulebook) -> Posted {
    Posted { time: TIME, ..Posted::usual(rulebook) }
}

fn no_chance(error: &NoChance) -> NotOpened {
    NotOpened::Failed(Unanswered::Failed(error.to_string()))
}

/// The table whose log a stream is.
pub(crate) fn table_of(stream: &StreamId) -> Option<TableId> {
    stream.as_str().strip_prefix("table/")?.parse().ok().map(TableId)
}

/// A table as the lobby shows it.
pub fn info(snapshot: &Snapshot) -> TableInfo {
    let desk = &snapshot.desk;
    let opening = desk.opening();
    let mut conduct = desk.table().setup().rulebook.conduct.iter();
    let no_advice = conduct
        .find(|it| matches!(it.is, Conduct::NoTalkBeforeSet | Conduct::HouseWayToldLast))
        .map(|it| it.cite.to_string());
    TableInfo {
        table: desk.id().0,
        name: opening.name.clone(),
        rules: opening.rulebook.id().to_string(),
        posted: opening.posted.clone(),
        seats: desk.seats(),
        people: desk.guests().collect::<BTreeSet<_>>().len() as u8,
        bots: opening.bots.len() as u8,
        round: desk.table().round(),
        no_advice,
        closed: desk.closed().map(String::from),
    }
}

/// The table whose money on the layout or in the bank an account holds, if it holds any.
fn in_play((account, balance): &(AccountName, i64)) -> Option<TableId> {
    let (table, what) = account.at_table().filter(|_| *balance > 0)?;
    (what == "bank" || what.starts_with("felt/")).then_some(table)
}

/// Names for bots: nobody takes them for people.
const NAMES: [&str; 6] = ["Bot Wu", "Bot Lian", "Bot Mei", "Bot Chen", "Bot Rosa", "Bot Otto"];

/// Whether a character shows nothing by itself, and may turn around or hide what stands beside it.
fn is_unseen(character: char) -> bool {
    let formats = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    formats || character.is_control()
}

/// So many bots, spread over the seats so that a place beside each is free as long as possible.
fn bots(wanted: u8, seats: u8, strategy: Strategy) -> Vec<Bot> {
    let from_the_far_end = (1..=seats).rev();
    let positions = from_the_far_end.step_by(2).chain((1..=seats).rev().skip(1).step_by(2));
    let all = (0..).zip(positions).zip(NAMES).take(usize::from(wanted));
    all.map(|((number, position), name)| Bot {
        person: Person(FIRST_BOT + number),
        name: name.to_string(),
        position: Position(position),
        strategy,
    })
    .collect()
}
