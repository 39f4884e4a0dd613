//! A house whose chance, keys and time are the test's.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use houseway_fair::Keyring;
use houseway_rules::Cents;
use houseway_rules::rulebook::Role;
use houseway_server::clock::Clock;
use houseway_server::config::Config;
use houseway_server::people::{By, Standing};
use houseway_server::serve::Serving;
use houseway_server::vault::{Chance, NoChance, Vault};
use houseway_store::{AccountName, Append, Memory, Move, NewEntry, Store, StreamId};
use houseway_table::Person;
use rand::{Rng, SeedableRng, rngs::ChaCha20Rng};

use crate::players::{Guest, account};

/// A clock in the test's hands.
pub(crate) struct Hands(AtomicU64);

impl Hands {
    pub(crate) fn forward(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

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

/// A vault that gives the same bytes in every run.
pub(crate) fn vault(seed: u64) -> Vault {
    let keyring = Keyring::new([(1, [7; 32])]).expect("one key");
    Vault::new(keyring, Seeded(ChaCha20Rng::seed_from_u64(seed)))
}

/// For clients that do not wait.
pub(crate) fn fast() -> Config {
    Config {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        messages_per_second: 10_000,
        requests_per_second: 10_000,
        ..Config::default()
    }
}

/// When the test begins.
pub(crate) const BEGIN: u64 = 1_800_000_000_000;

/// An open house.
pub(crate) struct Place {
    pub(crate) serving: Serving,
    pub(crate) store: Arc<Memory>,
    pub(crate) clock: Arc<Hands>,
}

impl Place {
    pub(crate) async fn open(seed: u64, change: impl FnOnce(&mut Config)) -> Place {
        let mut config = fast();
        change(&mut config);
        let store = Arc::new(Memory::new());
        let clock = Arc::new(Hands(AtomicU64::new(BEGIN)));
        let serving = Serving::on(config, store.clone(), vault(seed), clock.clone()).await;
        Place { serving: serving.expect("it opens"), store, clock }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.serving.address
    }

    /// Someone with an account and a standing.
    pub(crate) async fn staff(&self, name: &str, standing: Standing) -> Guest {
        let guest = account(self.address(), name).await.expect("an account");
        let people = &self.serving.app.people;
        let set =
            people.set_standing(By::CommandLine, Person(guest.person), standing, "a test", None);
        set.await.expect("it is set");
        guest
    }

    /// All there are.
    pub(crate) fn standings() -> [(&'static str, Standing); 5] {
        [
            ("dealer", Standing::Table(Role::Dealer)),
            ("supervisor", Standing::Table(Role::PitSupervisor)),
            ("manager", Standing::Table(Role::PitManager)),
            ("shift", Standing::Table(Role::GamingShiftManager)),
            ("operator", Standing::Operator),
        ]
    }

    /// Fills someone's wallet.
    pub(crate) async fn pays(&self, person: u32, dollars: u32) {
        let head = self.store.head(&StreamId::house()).await.expect("a head");
        let gift = Move {
            from: AccountName::issue("play").expect("a name"),
            to: AccountName::wallet(Person(person)),
            amount: Cents::dollars(dollars),
            reason: "gift".into(),
            clause: None,
        };
        let entry = NewEntry { kind: "gift".into(), body: "{}".into(), moves: vec![gift] };
        let append = Append {
            rounds: vec![],
            mark: None,
            stream: StreamId::house(),
            expected: head.version,
            at: self.clock.now(),
            entries: vec![entry],
            command: None,
        };
        self.store.append(append).await.expect("it is stored");
    }
}
