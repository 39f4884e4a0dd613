//! An evening at a house in this process: a clock and chance in the test's hands, a guest who plays.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use houseway_fair::Keyring;
use houseway_rules::Cents;
use houseway_rules::rulebook::Role;
use houseway_server::clock::Clock;
use houseway_server::desk::{Ask, HouseAsk};
use houseway_server::house::{House, Wish};
use houseway_server::metrics::Metrics;
use houseway_server::room::{Asked, Room};
use houseway_server::vault::{Chance, NoChance, Vault};
use houseway_store::{AccountName, Append, Memory, Move, NewEntry, Store, StreamId};
use houseway_table::{Action, Actor, Person, Phase};
use rand::{Rng, SeedableRng, rngs::ChaCha20Rng};
use uuid::Uuid;

/// What no clock shows: who reads it panics.
pub(crate) const BROKEN: u64 = 0;

/// A clock in the test's hands.
#[derive(Default)]
pub(crate) struct Hands(pub(crate) AtomicU64);

impl Clock for Hands {
    fn now(&self) -> u64 {
        let now = self.0.load(Ordering::SeqCst);
        assert_ne!(now, BROKEN, "the clock is broken");
        now
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

pub(crate) fn vault(seed: u64) -> Arc<Vault> {
    let keyring = Keyring::new([(1, [7; 32])]).expect("one key");
    Arc::new(Vault::new(keyring, Seeded(ChaCha20Rng::seed_from_u64(seed))))
}

pub(crate) struct Evening {
    pub(crate) house: Arc<House>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<Hands>,
}

impl Evening {
    pub(crate) fn new(seed: u64) -> Evening {
        Evening::on(Arc::new(Memory::new()), seed)
    }

    /// An evening that is kept in a store.
    pub(crate) fn on(store: Arc<dyn Store>, seed: u64) -> Evening {
        let clock = Arc::new(Hands(AtomicU64::new(1_000_000)));
        let house = House::new(
            store.clone(),
            vault(seed),
            clock.clone(),
            Arc::new(Metrics::default()),
            BTreeMap::new(),
        );
        Evening { house, store, clock }
    }

    pub(crate) async fn pays(&self, person: Person, dollars: u32) {
        let head = self.store.head(&StreamId::house()).await.expect("a head");
        let gift = Move {
            from: AccountName::issue("play").expect("a name"),
            to: AccountName::wallet(person),
            amount: Cents::dollars(dollars),
            reason: "gift".into(),
            clause: None,
        };
        let entry = NewEntry { kind: "gift".into(), body: "{}".into(), moves: vec![gift] };
        let append = Append {
            stream: StreamId::house(),
            expected: head.version,
            at: self.clock.now(),
            entries: vec![entry],
            command: None,
            rounds: vec![],
            mark: None,
        };
        self.store.append(append).await.expect("it is stored");
    }

    pub(crate) async fn table(&self, rules: &str, bots: u8) -> Room {
        let wish = Wish { bots: Some(bots), ..Wish::new(rules) };
        let id = self.house.open_table(Person(1), wish).await.expect("it opens");
        self.house.room(id).await.expect("it is there")
    }
}

pub(crate) const GUEST: Actor = Actor { person: Person(1), role: Role::Player };

pub(crate) async fn ask(room: &Room, ask: Ask) -> String {
    let asked = Asked { by: GUEST, ask, id: Uuid::now_v7() };
    room.ask(asked).await.expect("it is answered").text
}

pub(crate) async fn done(room: &Room, action: Action) {
    let text = ask(room, Ask::Table(action.clone())).await;
    assert_eq!(text, r#"{"answer":"done"}"#, "{action:?}");
}

/// Declines the bank if it is offered to the guest, and waits until bets are open.
pub(crate) async fn until_bets(room: &Room) {
    for _ in 0..50 {
        match room.now().desk.table().phase() {
            Phase::Betting(_) => return,
            Phase::Offering { .. } => {
                ask(room, Ask::Table(Action::DeclineBank)).await;
            }
            _ => {
                ask(room, Ask::House(HouseAsk::Ready)).await;
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("no bets: {:?}", room.now().desk.table().phase());
}
