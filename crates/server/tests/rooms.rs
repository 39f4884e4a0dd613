//! Tables in a process, without sockets: a guest plays with bots under every rulebook.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use houseway_fair::Keyring;
use houseway_rules::Cents;
use houseway_rules::rulebook::{Role, Wager};
use houseway_server::bots::Strategy;
use houseway_server::clock::Clock;
use houseway_server::desk::{Ask, HouseAsk};
use houseway_server::house::{House, Wish};
use houseway_server::metrics::Metrics;
use houseway_server::room::{Asked, Room};
use houseway_server::vault::{Chance, NoChance, Vault};
use houseway_store::{AccountName, Append, Memory, Move, NewEntry, Store, StreamId, Version};
use houseway_table::{Action, Actor, Person, Phase, Position};
use rand::{Rng, SeedableRng, rngs::ChaCha20Rng};
use uuid::Uuid;

/// A clock in the test's hands.
#[derive(Default)]
struct Hands(AtomicU64);

impl Clock for Hands {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
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

fn vault(seed: u64) -> Arc<Vault> {
    let keyring = Keyring::new([(1, [7; 32])]).expect("one key");
    Arc::new(Vault::new(keyring, Seeded(ChaCha20Rng::seed_from_u64(seed))))
}

struct Evening {
    house: Arc<House>,
    store: Arc<Memory>,
    clock: Arc<Hands>,
}

impl Evening {
    fn new(seed: u64) -> Evening {
        let store = Arc::new(Memory::new());
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

    async fn pays(&self, person: Person, dollars: u32) {
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
        };
        self.store.append(append).await.expect("it is stored");
    }

    async fn table(&self, rules: &str, bots: u8) -> Room {
        let wish = Wish {
            name: None,
            rules: rules.into(),
            posted: None,
            bots,
            strategy: Strategy::HouseWay,
            results: None,
            listed: true,
        };
        let id = self.house.open_table(Person(1), wish).await.expect("it opens");
        self.house.room(id).await.expect("it is there")
    }
}

const GUEST: Actor = Actor { person: Person(1), role: Role::Player };

async fn ask(room: &Room, ask: Ask) -> String {
    let asked = Asked { by: GUEST, ask, id: Uuid::now_v7() };
    room.ask(asked).await.expect("it is answered").text
}

async fn done(room: &Room, action: Action) {
    let text = ask(room, Ask::Table(action.clone())).await;
    assert_eq!(text, r#"{"answer":"done"}"#, "{action:?}");
}

/// Takes the bank if it is offered to the guest, and waits until bets are open.
async fn until_bets(room: &Room) {
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

#[tokio::test]
async fn a_guest_plays_with_bots_under_every_rulebook() {
    for rules in ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"] {
        let evening = Evening::new(11);
        evening.pays(Person(1), 1_000).await;
        let room = evening.table(rules, 3).await;
        let here = Position(1);
        done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
        done(&room, Action::Sit { position: here }).await;
        for round in 1..=6 {
            until_bets(&room).await;
            let now = room.now();
            assert!(now.desk.commitment().is_some(), "{rules}: committed before the first wager");
            assert_eq!(now.desk.table().round(), round, "{rules}");
            let amount = Cents::dollars(10);
            let (position, wager) = (here, Wager::Standard);
            done(&room, Action::Place { position, wager, amount, person: None }).await;
            ask(&room, Ask::House(HouseAsk::Say { words: "seven come eleven".into() })).await;
            ask(&room, Ask::House(HouseAsk::Ready)).await;
            let phase = room.now().desk.table().phase().clone();
            assert!(matches!(phase, Phase::Setting(_)), "{rules} {round}: {phase:?}");
            ask(&room, Ask::Table(Action::View { position })).await;
            done(&room, Action::SetHouseWay { position }).await;
            if matches!(room.now().desk.table().phase(), Phase::Revealed(_)) {
                ask(&room, Ask::House(HouseAsk::Ready)).await;
            }
            let now = room.now();
            let past = now.desk.table().past().expect("a round is over");
            assert_eq!(past.round, round, "{rules}");
        }
        assert_eq!(evening.store.check_books().await.expect("books"), []);
        let stream = StreamId::table(room.now().desk.id());
        evening.store.verify_chain(&stream, None).await.expect("a whole chain");
        // Opened again from its log, the table is the same.
        let again = House::new(
            evening.store.clone(),
            vault(12),
            evening.clock.clone(),
            Arc::new(Metrics::default()),
            BTreeMap::new(),
        );
        let twin = again.room(room.now().desk.id()).await.expect("it is there").now();
        assert_eq!(twin.version, room.now().version);
        assert_eq!(twin.desk.table(), room.now().desk.table());
        assert!(twin.version > Version(20));
    }
}
