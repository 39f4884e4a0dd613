//! Guests who play: at houses in this process, with a clock and chance of their own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use houseway_fair::Keyring;
use houseway_rules::rulebook::{Role, Wager};
use houseway_rules::{Cents, houses};
use houseway_server::clock::Clock;
use houseway_server::desk::{Ask, Desk, HouseAsk};
use houseway_server::house::{House, Wish};
use houseway_server::metrics::Metrics;
use houseway_server::room::{Asked, Room};
use houseway_server::vault::{Chance, NoChance, Vault};
use houseway_store::{
    AccountName, Append, Appended, Move, NewEntry, Remember, Store, StreamId, Version,
};
use houseway_table::{Action, Actor, Person, Phase, Position};
use rand::rngs::{ChaCha12Rng, ChaCha20Rng};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
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
    Wish { bots: Some(2), ..Wish::new(rules) }
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

/// Who sits beside them: someone without a wager, who has a word in the cut all the same.
fn companion(place: usize) -> Person {
    Person((houses::HOUSES.len() + place) as u32 + 1)
}

/// How many bytes words may have.
const LONGEST: usize = 256;

/// What people say before a cut: in many scripts and directions, with what JSON must escape.
const PHRASES: [&str; 12] = [
    "7",
    "blow on the dice",
    "八八",
    "Ни пуха ни пера",
    "بالتوفيق",
    "שיהיה בהצלחה",
    "एक और बार",
    "행운을 빌어",
    "¡Suerte! Çok şanslı, göz",
    "🀄🎲 👨\u{200d}👩\u{200d}👧",
    "a \"quoted\" \\ word\non two\tlines\u{2028}or\u{1}three",
    "e\u{301}\u{202e}\u{feff}",
];

/// Words that nobody said before; one in four goes up to the limit.
fn words(number: u128, chance: &mut ChaCha12Rng) -> String {
    let phrase = PHRASES.choose(chance).expect("some");
    let mut words = format!("{phrase} {number}");
    if chance.random_range(0..4) == 0 {
        while words.len() + phrase.len() <= LONGEST {
            words += phrase;
        }
        words += &".".repeat(LONGEST - words.len());
    }
    words
}

/// Two guests at a table of each rulebook, in a house on a store.
pub(crate) struct Party {
    pub(crate) house: Arc<House>,
    pub(crate) rooms: Vec<Room>,
    store: Arc<dyn Store>,
    clock: Arc<Turns>,
    commands: u128,
    seed: u64,
    /// Who says what.
    chance: ChaCha12Rng,
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
        let chance = ChaCha12Rng::seed_from_u64(seed);
        Ok(Party { house, rooms, store, clock, commands: 0, seed, chance })
    }

    /// Each guest does what comes next; the answers.
    pub(crate) async fn turn(&mut self) -> Result<Vec<String>> {
        let mut answers = Vec::new();
        for place in 0..self.rooms.len() {
            self.beside(place).await?;
            self.say(place, guest(place)).await?;
            let ask = next(&self.rooms[place], self.commands);
            answers.push(self.ask(place, ask).await?);
        }
        self.clock.pass();
        Ok(answers)
    }

    /// The companion sits down when a round is over, has a word, and lets nobody wait.
    async fn beside(&mut self, place: usize) -> Result<()> {
        let person = companion(place);
        let now = self.rooms[place].now();
        let table = now.desk.table();
        let ask = match table.phase() {
            Phase::Idle if now.desk.is_deserted() => return Ok(()),
            Phase::Idle if !is_seated(&now.desk, person) => {
                Ask::Table(Action::Sit { position: free_seat(&now.desk) })
            }
            _ if !is_seated(&now.desk, person) => return Ok(()),
            Phase::Offering { .. } => Ask::Table(Action::DeclineBank),
            _ if now.desk.ready().contains(&person) => return Ok(()),
            _ => Ask::House(HouseAsk::Ready),
        };
        self.say(place, person).await?;
        self.ask_as(Actor { person, role: Role::Player }, place, ask).await?;
        Ok(())
    }

    /// While bets are open somebody who sits at a table may say something, mostly; later words take
    /// the place of earlier ones.
    async fn say(&mut self, place: usize, person: Person) -> Result<()> {
        let now = self.rooms[place].now();
        let open = matches!(now.desk.table().phase(), Phase::Betting(_));
        if open && is_seated(&now.desk, person) && self.chance.random_range(0..3) > 0 {
            let words = words(self.commands, &mut self.chance);
            let by = Actor { person, role: Role::Player };
            self.ask_as(by, place, Ask::House(HouseAsk::Say { words })).await?;
        }
        Ok(())
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

fn is_seated(desk: &Desk, person: Person) -> bool {
    desk.table().seats().values().any(|it| *it == person)
}

/// A seat that nobody has, nor a bot will have.
fn free_seat(desk: &Desk) -> Position {
    let bots = &desk.opening().bots;
    let is_free = |position: &Position| {
        !desk.table().seats().contains_key(position)
            && bots.iter().all(|bot| bot.position != *position)
    };
    (2..=desk.seats()).map(Position).find(is_free).expect("two bots and a guest leave a seat")
}

fn open(store: &Arc<dyn Store>, clock: &Arc<Turns>, seed: u64) -> Arc<House> {
    let (vault, metrics) = (Arc::new(vault(seed)), Arc::new(Metrics::default()));
    House::new(store.clone(), vault, clock.clone(), metrics, BTreeMap::new())
}
