//! What every request and socket shares.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLock, Weak};
use std::time::{Duration, Instant};

use houseway_store::{Failure, Notice};
use houseway_table::Person;
use tokio::sync::{broadcast, watch};
use tokio::time::timeout;

use crate::config::Config;
use crate::desk::Desk;
use crate::house::House;
use crate::integrity::Integrity;
use crate::own::OwnLimits;
use crate::people::People;
use crate::protocol::Named;
use crate::rate::Bucket;
use crate::rulebooks::Rulebooks;

/// How many addresses are counted before those that have been quiet are forgotten.
const ADDRESSES: usize = 20_000;

/// How many names are kept at hand.
const NAMES: usize = 50_000;

/// How many changes of sessions a socket may be late; one that is later looks in any case.
const CHANGES: usize = 256;

/// How long it holds that something can be stored or cannot, and how long that may take to find out.
const STORED_HOLDS: Duration = Duration::from_secs(1);
const NOT_STORED_HOLDS: Duration = Duration::from_millis(200);
const STORED_PATIENCE: Duration = Duration::from_secs(3);

/// Whose session has ended or changed, so that their sockets look again at once.
#[derive(Clone, Debug)]
pub(crate) enum Changed {
    /// The one with this token.
    Token(String),
    /// All of one person.
    Person(Person),
}

/// The house, its people and how it is run.
pub struct App {
    /// All tables.
    pub house: Arc<House>,
    /// Everyone.
    pub people: People,
    /// How it is run.
    pub config: Config,
    /// Whether the house is closing.
    pub stopping: watch::Sender<bool>,
    /// The files that it is run with, and what they should be.
    pub(crate) integrity: Integrity,
    /// Held while they are looked at: what is found is recorded in the order of looking.
    pub(crate) checking: tokio::sync::Mutex<()>,
    /// What can be asked about without a table.
    pub(crate) rulebooks: Rulebooks,
    sessions: broadcast::Sender<Changed>,
    names: RwLock<HashMap<Person, String>>,
    /// How often one of them became another.
    renamed: AtomicU64,
    rates: Mutex<HashMap<IpAddr, Bucket>>,
    /// What people let themselves do.
    pub(crate) own: OwnLimits,
    /// When it was last looked whether something can be stored, and what was found.
    stored: tokio::sync::Mutex<Option<(Instant, Result<(), &'static str>)>>,
}

impl App {
    /// A house that is open.
    pub fn new(
        house: Arc<House>,
        people: People,
        config: Config,
        integrity: Integrity,
    ) -> Arc<App> {
        let (stopping, _) = watch::channel(false);
        let (sessions, _) = broadcast::channel(CHANGES);
        let (checking, names, renamed, rates, own, stored) = Default::default();
        let rulebooks = Rulebooks::new(house.files());
        let app = Arc::new(App {
            house,
            people,
            config,
            stopping,
            integrity,
            checking,
            rulebooks,
            sessions,
            names,
            renamed,
            rates,
            own,
            stored,
        });
        tokio::spawn(App::listen(Arc::downgrade(&app)));
        app
    }

    /// Passes on what the store tells of people: another node has sent them away, or made them
    /// something else. What is missed is seen with the next heartbeat of a socket.
    async fn listen(app: Weak<App>) {
        let Some(mut changes) = app.upgrade().map(|app| app.house.store().changes()) else {
            return;
        };
        while let Some(notice) = changes.next().await {
            let Some(app) = app.upgrade() else { return };
            if let Notice::Person(person) = notice {
                app.own.changed(person);
                app.sessions_changed(Changed::Person(person));
            }
        }
    }

    /// Sessions have ended or changed: their sockets at this house look again. Those at other nodes
    /// do as soon as the store tells of it.
    pub(crate) fn sessions_changed(&self, which: Changed) {
        // Nobody may be listening.
        let _ = self.sessions.send(which);
    }

    /// Changes of sessions from now on.
    pub(crate) fn session_changes(&self) -> broadcast::Receiver<Changed> {
        self.sessions.subscribe()
    }

    /// Someone's name at a table.
    pub(crate) async fn name_of(&self, desk: &Desk, person: Person) -> Named {
        let bot = desk.opening().bots.iter().find(|bot| bot.person == person);
        if let Some(bot) = bot {
            return Named { name: bot.name.clone(), bot: true };
        }
        let known = self.names.read().expect("nobody panics with it").get(&person).cloned();
        let name = match known {
            Some(name) => name,
            None => match self.house.store().user(person).await {
                Ok(Some(user)) => {
                    self.learn_name(person, &user.name);
                    user.name
                }
                _ => format!("Player {}", person.0),
            },
        };
        Named { name, bot: false }
    }

    /// How often names have changed: those that were looked up at the same count are right.
    pub(crate) fn renamed(&self) -> u64 {
        self.renamed.load(Ordering::Relaxed)
    }

    /// Someone is called so from now on.
    pub(crate) fn learn_name(&self, person: Person, name: &str) {
        let mut names = self.names.write().expect("nobody panics with it");
        if names.len() >= NAMES {
            names.clear();
        }
        let before = names.insert(person, name.to_string());
        if before.is_none_or(|before| before != name) {
            self.renamed.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether something can be stored, or why not. Looked at once a second at most, however many ask, and
    /// more often while it cannot: whoever waits for it is to know soon.
    pub(crate) async fn can_store(&self) -> Result<(), &'static str> {
        let mut looked = self.stored.lock().await;
        if let Some((at, found)) = &*looked
            && at.elapsed() < if found.is_ok() { STORED_HOLDS } else { NOT_STORED_HOLDS }
        {
            return *found;
        }
        let proved = timeout(STORED_PATIENCE, self.house.store().prove_writable()).await;
        let found = match proved {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                tracing::warn!(%error, "nothing can be stored");
                Err(match error {
                    Failure::Busy => "the store is busy",
                    Failure::Unavailable(_) => "the store cannot be written",
                    Failure::Corrupt(_) => "the store is damaged",
                })
            }
            Err(_) => Err("the store does not answer"),
        };
        *looked = Some((Instant::now(), found));
        found
    }

    /// Whether an address may ask once more.
    pub(crate) fn may_ask(&self, address: IpAddr) -> bool {
        let now = Instant::now();
        let mut rates = self.rates.lock().expect("nobody panics with it");
        if rates.len() >= ADDRESSES {
            rates.retain(|_, bucket| !bucket.is_full(now));
        }
        let fresh = || Bucket::new(self.config.requests_per_second);
        rates.entry(address).or_insert_with(fresh).take(now)
    }
}
