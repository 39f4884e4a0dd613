//! An evening at a house that is kept on the disk under test: five tables, one of each rulebook, with
//! a guest and two bots at each. Whatever is acknowledged is written down the moment it is.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use futures_util::future::join_all;
use houseway_rules::houses;
use houseway_rules::rulebook::Role;
use houseway_server::desk::Ask;
use houseway_server::house::House;
use houseway_server::metrics::Metrics;
use houseway_server::room::{Asked, Room};
use houseway_store::{Sqlite, SqliteOptions, Store, StreamId, TableId, Version};
use houseway_table::{Actor, Person};
use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;
use uuid::Uuid;

use super::journal::ACKNOWLEDGED;
use crate::guests::{FUNDED, GIVEN, Turns, fund, next, vault, wish};

/// How often SQLite copies its log into the database, in turns. By itself it does so after 8,000
/// pages; here each image would be tens of megabytes.
const CHECKPOINT: u32 = 9;

/// How often the house is closed and opened again, in turns.
const CLOSING: u32 = 40;

/// The evening, and how far it has come.
pub(crate) struct Evening {
    path: PathBuf,
    seed: u64,
    told: File,
    clock: Arc<Turns>,
    turn: u32,
    funded: bool,
    tables: Vec<TableId>,
    /// The command that each table has not answered yet.
    waiting: Vec<Option<(Uuid, Ask)>>,
    commands: u128,
    open: Option<Open>,
}

struct Open {
    store: Arc<Sqlite>,
    rooms: Vec<Room>,
    house: Arc<House>,
}

/// The database's name in its folder.
pub(crate) const DATABASE: &str = "houseway.db";

impl Evening {
    /// An evening that has not begun, in an empty folder.
    pub(crate) fn new(folder: &Path, seed: u64) -> Result<Evening> {
        let told = folder.join(ACKNOWLEDGED);
        let told = File::create(&told).with_context(|| told.display().to_string())?;
        Ok(Evening {
            path: folder.join(DATABASE),
            seed,
            told,
            clock: Arc::new(Turns::default()),
            turn: 0,
            funded: false,
            tables: vec![],
            waiting: vec![None; houses::HOUSES.len()],
            commands: 0,
            open: None,
        })
    }

    /// How many turns were taken.
    pub(crate) fn turns(&self) -> u32 {
        self.turn
    }

    /// Takes the next step: opens the house if it is closed, pays the guests, opens a table, or asks
    /// something at all tables at once. What fails can be tried again, and nothing is done twice.
    pub(crate) async fn step(&mut self) -> Result<()> {
        let Some(Open { store, rooms, house }) = &self.open else {
            return self.open().await;
        };
        if !self.funded {
            for guest in 0..self.waiting.len() as u32 {
                let id = FUNDED;
                let version = fund(&**store, Person(guest + 1)).await?;
                let (stream, by) = (StreamId::house(), guest + 1);
                tell(&self.told, &format!("command {by} {id} {stream} {version} {GIVEN}\n"))?;
            }
            self.funded = true;
            return Ok(());
        }
        if let Some(rulebook) = houses::HOUSES.get(self.tables.len()) {
            let id = house.open_table(Person(1), wish(&rulebook.id)).await?;
            tell(&self.told, &format!("table {id}\n"))?;
            self.tables.push(id);
            let room = house.room(id).await?;
            self.open.as_mut().expect("it is open").rooms.push(room);
            return Ok(());
        }
        for (room, waiting) in rooms.iter().zip(&mut self.waiting) {
            waiting.get_or_insert_with(|| {
                self.commands += 1;
                (Uuid::from_u128(self.commands), next(room, self.commands))
            });
        }
        let asks = rooms.iter().zip(&self.waiting).enumerate().map(async |(place, (room, ask))| {
            let (id, ask) = ask.clone().expect("everyone asks");
            let by = Actor { person: Person(place as u32 + 1), role: Role::Player };
            let answer = room.ask(Asked { by, ask, id }).await?;
            let stream = StreamId::table(room.now().desk.id());
            let (version, text) = (answer.version, answer.text);
            tell(&self.told, &format!("command {} {id} {stream} {version} {text}\n", by.person.0))
        });
        let answers: Vec<Result<()>> = join_all(asks).await;
        let mut failure = None;
        for (answer, waiting) in answers.into_iter().zip(&mut self.waiting) {
            match answer {
                Ok(()) => *waiting = None,
                Err(error) => failure = Some(error),
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        self.turn += 1;
        self.clock.pass();
        if self.turn.is_multiple_of(CLOSING) {
            self.close().await;
        } else if self.turn.is_multiple_of(CHECKPOINT) {
            checkpoint(&self.path).await?;
        }
        Ok(())
    }

    async fn open(&mut self) -> Result<()> {
        // Evenings are short, and the log shall be copied to the file in each of them, more than once.
        let options = SqliteOptions { log_pages: 64, ..SqliteOptions::default() };
        let store = Arc::new(Sqlite::open_with(&self.path, options).await?);
        let house = House::new(
            store.clone(),
            Arc::new(vault(self.seed + u64::from(self.turn))),
            self.clock.clone(),
            Arc::new(Metrics::default()),
            BTreeMap::new(),
        );
        let mut rooms = Vec::new();
        let opened = async {
            house.resume_all("the house was closed").await?;
            for &table in &self.tables {
                rooms.push(house.room(table).await?);
            }
            anyhow::Ok(())
        };
        let opened = opened.await;
        self.open = Some(Open { store, rooms, house });
        if opened.is_err() {
            self.close().await;
        }
        opened
    }

    /// The house was killed, and is opened again where its files now are.
    pub(crate) async fn moved_to(mut self, folder: &Path) -> Result<Evening> {
        self.close().await;
        let told = File::create(folder.join(ACKNOWLEDGED)).context("no file can be made")?;
        Ok(Evening { path: folder.join(DATABASE), told, ..self })
    }

    /// Closes the house, if it is open.
    pub(crate) async fn close(&mut self) {
        if let Some(Open { store, .. }) = self.open.take() {
            store.close().await;
        }
    }
}

/// In one write, so that it is one record of the journal.
fn tell(mut told: &File, line: &str) -> Result<()> {
    told.write_all(line.as_bytes()).context("what was acknowledged cannot be noted")
}

/// What SQLite does by itself after many pages, at once.
async fn checkpoint(path: &Path) -> Result<()> {
    let mut database = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await?;
    sqlx::raw_sql("pragma wal_checkpoint(passive)").execute(&mut database).await?;
    Ok(database.close().await?)
}

/// Something that was acknowledged.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    /// A table was opened.
    Table(TableId),
    /// A command was answered.
    Command { by: u32, id: Uuid, stream: StreamId, version: Version, text: String },
}

impl Told {
    /// Reads the line that was noted.
    pub(crate) fn read(line: &str) -> Result<Told> {
        let words: Vec<&str> = line.trim_end().splitn(6, ' ').collect();
        let told = match words[..] {
            ["table", id] => Told::Table(TableId(id.parse()?)),
            ["command", by, id, stream, version, text] => Told::Command {
                by: by.parse()?,
                id: id.parse()?,
                stream: stream.parse()?,
                version: Version(version.parse()?),
                text: text.into(),
            },
            _ => return Err(anyhow!("`{line}` was noted as acknowledged")),
        };
        Ok(told)
    }
}

/// Opens a folder as the house would and says what is wrong with it, or nothing: it opens, SQLite
/// finds it whole, chains and books are right, what was acknowledged is there as it was told, and it
/// can be written to.
pub(crate) async fn fault_of(folder: &Path, told: &[Told]) -> Result<Option<String>> {
    let path = folder.join(DATABASE);
    let store = match Sqlite::open(&path).await {
        Ok(store) => store,
        Err(error) => return Ok(Some(format!("it does not open: {error}"))),
    };
    let fault = fault_in(&store, &path, told).await;
    store.close().await;
    fault
}

async fn fault_in(store: &Sqlite, path: &Path, told: &[Told]) -> Result<Option<String>> {
    let mut database = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await?;
    let (integrity,): (String,) =
        sqlx::query_as("pragma integrity_check").fetch_one(&mut database).await?;
    if integrity != "ok" {
        return Ok(Some(format!("integrity: {integrity}")));
    }
    let heads: BTreeMap<StreamId, _> = store.heads("").await?.into_iter().collect();
    for (stream, head) in &heads {
        if let Err(error) = store.verify_chain(stream, Some(*head)).await {
            return Ok(Some(format!("chain: {error}")));
        }
    }
    let differences = store.check_books().await?;
    let sum: i64 = store.balances("").await?.iter().map(|(_, amount)| amount).sum();
    if !differences.is_empty() || sum != 0 {
        return Ok(Some(format!("books: off by {sum}, {differences:?}")));
    }
    let rows: Vec<(i64, Vec<u8>, String, i64, String)> =
        sqlx::query_as("select person, id, stream, version, answer from command")
            .fetch_all(&mut database)
            .await?;
    database.close().await?;
    let kept: BTreeMap<_, _> = rows
        .into_iter()
        .map(|(by, id, stream, version, text)| ((by, id), (stream, version, text)))
        .collect();
    for told in told {
        match told {
            Told::Table(id) => {
                if !heads.contains_key(&StreamId::table(*id)) {
                    return Ok(Some(format!("lost: table {id}")));
                }
            }
            Told::Command { by, id, stream, version, text } => {
                let found = kept.get(&(i64::from(*by), id.as_bytes().to_vec()));
                let same = found.is_some_and(|(at, number, answer)| {
                    at == stream.as_str() && number.cast_unsigned() == version.0 && answer == text
                });
                let reached = heads.get(stream).is_some_and(|head| head.version >= *version);
                if !same || !reached {
                    return Ok(Some(format!("lost: {told:?}, found {found:?}")));
                }
            }
        }
    }
    match store.prove_writable().await {
        Ok(()) => Ok(None),
        Err(error) => Ok(Some(format!("it cannot be written: {error}"))),
    }
}
