//! Guests who play: at houses in this process, with a clock and chance of their own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use houseway_fair::Keyring;
use houseway_rules::rulebook::{Role, Wager};
use houseway_rules::{Cents, houses};
use houseway_server::clock::Clock;
use houseway_server::desk::{Ask, HouseAsk};
use houseway_server::house::{House, Wish};
use houseway_server::metrics::Metrics;
use houseway_server::room::{Asked, Room};
use houseway_server::vault::{Chance, NoChance, Vault};
use houseway_store::{
    AccountName, Append, Appended, Move, NewEntry, Remember, Store, StreamId, Version,
};
use houseway_table::{Action, Actor, Person, Phase, Position};
use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use uuid::Uuid;

/// Eight in the morning (UTC), some day.
const BEGIN: u64 = 1_800_000_000_000;

/// A clock that goes on by a second a turn.
#[derive(Default)]
pub(crate) struct Turns(AtomicU64);

impl Turns {
    pub(crate) fn pass(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Clock for Turns {
    fn now(&self) -> u64 {
        BEGIN + self.0.load(Ordering::SeqCst) * 1_000
    }
}

/// Chance from a seed.
struct Seeded(ChaCha20Rng);

impl Chance for Seeded {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NoChance> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

/// Keys that every house here has, and chance.
pub(crate) fn vault(seed: u64) -> Vault {
    let keyring = Keyring::new([(1, [7; 32])]).expect("one key");
    Vault::new(keyring, Seeded(ChaCha20Rng::seed_from_u64(seed)))
}

/// A table with two bots.
pub(crate) fn wish(rules: &str) -> Wish {
    Wish { bots: 2, ..Wish::new(rules) }
}

/// The name of the command by which a guest gets money, and its answer.
pub(crate) const FUNDED: Uuid = Uuid::from_u128(u128::MAX);
pub(crate) const GIVEN: &str = "given";

/// Gives a guest money to play with, once.
pub(crate) async fn fund(store: &dyn Store, by: Person) -> Result<Version> {
    let stream = StreamId::house();
    let head = store.head(&stream).await?;
    let gift = Move {
        from: AccountName::issue("play").expect("a name"),
        to: AccountName::wallet(by),
        amount: Cents::dollars(10_000_000),
        reason: "gift".into(),
        clause: None,
    };
    let append = Append {
        stream,
        expected: head.version,
        at: BEGIN,
        entries: vec![NewEntry { kind: "gift".into(), body: "{}".into(), moves: vec![gift] }],
        command: Some(Remember { by, id: FUNDED, digest: [1; 32], answer: GIVEN.into() }),
        rounds: vec![],
        mark: None,
    };
    Ok(match store.append(append).await? {
        Appended::Now(head) => head.version,
        Appended::Before(before) => before.version,
    })
}

/// What a guest asks for next, so that rounds are played to their end.
pub(crate) fn next(room: &Room, number: u128) -> Ask {
    let position = Position(1);
    let ready = Ask::House(HouseAsk::Ready);
    let now = room.now();
    let table = now.desk.table();
    match (now.version.0, table.phase()) {
        (1, _) => Ask::Table(Action::BringMoney { amount: Cents::dollars(1_000_000) }),
        _ if now.desk.is_deserted() => Ask::Table(Action::Sit { position }),
        (_, Phase::Offering { .. }) => Ask::Table(Action::DeclineBank),
        (_, Phase::Betting(_)) if !number.is_multiple_of(3) => {
            let (wager, amount) = (Wager::Standard, Cents::dollars(10));
            Ask::Table(Action::Place { position, wager, amount, person: None })
        }
        (_, Phase::Setting(_)) => Ask::Table(Action::SetHouseWay { position }),
        _ => ready,
    }
}

/// Who plays at the table of a place, counted from 0.
pub(crate) fn guest(place: usize) -> Person {
    Person(place as u32 + 1)
}

/// A guest at a table of each rulebook, in a house on a store.
pub(crate) struct Party {
    pub(crate) house: Arc<House>,
    pub(crate) rooms: Vec<Room>,
    store: Arc<dyn Store>,
    clock: Arc<Turns>,
    commands: u128,
    seed: u64,
}

impl Party {
    pub(crate) async fn new(store: Arc<dyn Store>, seed: u64) -> Result<Party> {
        let clock = Arc::new(Turns::default());
        let house = open(&store, &clock, seed);
        let mut rooms = Vec::new();
        for (place, rulebook) in houses::HOUSES.iter().enumerate() {
            fund(&*store, guest(place)).await?;
            let table = house.open_table(guest(place), wish(&rulebook.id)).await?;
            rooms.push(house.room(table).await?);
        }
        Ok(Party { house, rooms, store, clock, commands: 0, seed })
    }

    /// Each guest does what comes next; the answers.
    pub(crate) async fn turn(&mut self) -> Result<Vec<String>> {
        let mut answers = Vec::new();
        for place in 0..self.rooms.len() {
            let ask = next(&self.rooms[place], self.commands);
            answers.push(self.ask(place, ask).await?);
        }
        self.clock.pass();
        Ok(answers)
    }

    /// What the guest at a table asks, and the answer. Every command of a party is counted, and named
    /// by its number: so no two have one name.
    pub(crate) async fn ask(&mut self, place: usize, ask: Ask) -> Result<String> {
        let by = Actor { person: guest(place), role: Role::Player };
        self.ask_as(by, place, ask).await
    }

    /// What somebody else asks at a table, and the answer.
    pub(crate) async fn ask_as(&mut self, by: Actor, place: usize, ask: Ask) -> Result<String> {
        self.commands += 1;
        let asked = Asked { by, ask, id: Uuid::from_u128(self.commands) };
        Ok(self.rooms[place].ask(asked).await?.text)
    }

    /// The house goes down and another takes its tables up from their logs.
    pub(crate) async fn interrupted(self) -> Result<Party> {
        // Other houses begin with the seeds next to this one: another life is far from them all.
        let seed = self.seed.wrapping_add(1 << 32);
        let house = open(&self.store, &self.clock, seed);
        house.resume_all("the lights went out").await?;
        let mut rooms = Vec::new();
        for room in &self.rooms {
            rooms.push(house.room(room.now().desk.id()).await?);
        }
        Ok(Party { house, rooms, seed, ..self })
    }
}

fn open(store: &Arc<dyn Store>, clock: &Arc<Turns>, seed: u64) -> Arc<House> {
    let (vault, metrics) = (Arc::new(vault(seed)), Arc::new(Metrics::default()));
    House::new(store.clone(), vault, clock.clone(), metrics, BTreeMap::new())
}
