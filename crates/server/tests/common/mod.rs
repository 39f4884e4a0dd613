//! A real house on a real socket, for tests that are clients.
#![allow(dead_code, reason = "each test uses its own part")]

pub(crate) mod cast;
pub(crate) mod cut;
pub(crate) mod endpoints;
pub(crate) mod http;
pub(crate) mod live;

use std::net::SocketAddr;
use std::sync::Arc;

use houseway_fair::Keyring;
use houseway_server::clock::SystemClock;
use houseway_server::config::Config;
use houseway_server::serve::Serving;
use houseway_server::vault::{Chance, NoChance, Vault};
use houseway_store::{AccountName, Memory, Store};
use houseway_table::Person;
use rand::{Rng, SeedableRng, rngs::ChaCha20Rng};

/// All rulebooks that are shipped.
pub(crate) const RULEBOOKS: [&str; 5] =
    ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"];

/// Chance from a seed: every run deals the same.
struct Seeded(ChaCha20Rng);

impl Chance for Seeded {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NoChance> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

/// Keys and chance that every run has the same.
pub(crate) fn vault(seed: u64) -> Vault {
    let keyring = Keyring::new([(1, [7; 32])]).expect("one key");
    Vault::new(keyring, Seeded(ChaCha20Rng::seed_from_u64(seed)))
}

/// A house that is open on some port of this machine.
pub(crate) struct OpenHouse {
    pub(crate) serving: Serving,
    pub(crate) store: Arc<Memory>,
    pub(crate) url: String,
}

impl OpenHouse {
    /// A house whose limits nobody reaches by being quick.
    pub(crate) async fn open(seed: u64) -> OpenHouse {
        OpenHouse::run_so(seed, Config::default()).await
    }

    /// A house that is run in some way, on any free port.
    pub(crate) async fn run_so(seed: u64, config: Config) -> OpenHouse {
        let config = Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            messages_per_second: 10_000,
            requests_per_second: 10_000,
            ..config
        };
        let store = Arc::new(Memory::new());
        let clock = Arc::new(SystemClock::new());
        let serving =
            Serving::on(config, store.clone(), vault(seed), clock).await.expect("it opens");
        let url = format!("http://{}", serving.address);
        OpenHouse { serving, store, url }
    }

    /// What someone has away from tables, in cents.
    pub(crate) async fn wallet(&self, person: u32) -> i64 {
        self.store.balance(&AccountName::wallet(Person(person))).await.expect("a balance")
    }

    /// Everything that moved adds up.
    pub(crate) async fn books_are_right(&self) {
        assert_eq!(self.store.check_books().await.expect("books"), []);
    }
}
