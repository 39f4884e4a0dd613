//! A house from its configuration to its last guest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use houseway_rules::custom;
use houseway_store::{Failure, OpenError, Postgres, Sqlite, Store};
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::CorsLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

use crate::api::{self, ApiError};
use crate::app::App;
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::connections;
use crate::house::House;
use crate::integrity::{self, Integrity};
use crate::keys::{self, keyring};
use crate::metrics::Metrics;
use crate::people::{HouseRecord, People};
use crate::room::INTERRUPTED;
use crate::vault::{NoChance, SystemChance, Vault};
use crate::web;

/// The database in the data folder.
pub const DATABASE: &str = "houseway.sqlite";

/// The largest request.
const LARGEST_REQUEST: usize = 64 * 1024;

/// How long a request may take.
const LONGEST_REQUEST: Duration = Duration::from_secs(30);

/// How long guests have to go when the house closes.
const CLOSING: Duration = Duration::from_secs(5);

/// How long to wait before a database that did not answer is tried again.
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// How often what has run out is swept away.
const SWEEP: Duration = Duration::from_mins(10);

/// How much the system keeps of what a client has not taken yet, in bytes, of which it makes twice as many.
/// With as much as the system likes, megabytes, a client that reads nothing would be found out late.
const SENT_AHEAD: u32 = 32 * 1024;

/// How many connections wait to be accepted.
const BACKLOG: u32 = 4_096;

/// How far a clock may be from another, in milliseconds, before it is said.
const LATE_CLOCK: u64 = 1_000;

/// A house was not opened.
#[derive(Debug, thiserror::Error)]
pub enum NotServed {
    /// Something could not be read or written.
    #[error("{what}: {error}")]
    File {
        /// What.
        what: String,
        /// Why.
        error: std::io::Error,
    },
    /// Keys are not what they should be.
    #[error("{path}: {why}")]
    Keys {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what would be right.
        why: String,
    },
    /// The house was run with other keys before.
    #[error(
        "{path} lacks keys that this house was run with, or has others: name its own with --keys. If they \
         are lost, `houseway admin keys --adopt` goes on with these, and what the old ones sealed stays unread"
    )]
    OtherKeys {
        /// The file.
        path: PathBuf,
    },
    /// A rulebook file is wrong.
    #[error("{path}: {why}")]
    Rulebook {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Files are not what they should be.
    #[error(
        "{list} forbids it: {why}. If all is as it should be, write a new list with \
         `houseway admin hashes`"
    )]
    Hashes {
        /// The list of hashes.
        list: PathBuf,
        /// What is not as it says.
        why: String,
    },
    /// The database could not be opened.
    #[error("the database cannot be opened: {0}")]
    Store(#[from] OpenError),
    /// Another house is open in the folder.
    #[error("a house is open in {folder} already: close it, or give another folder")]
    Taken {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no chance to be had.
    #[error(transparent)]
    NoChance(#[from] NoChance),
    /// Somebody else listens there, or nobody may.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// What tables have kept could not be read, or rounds that were interrupted not be taken up.
    #[error("what tables have kept cannot be read: {0}")]
    Resume(#[from] crate::room::Unanswered),
}

/// A house that is open.
pub struct Serving {
    /// Where it listens.
    pub address: SocketAddr,
    /// What every request shares.
    pub app: Arc<App>,
    task: tokio::task::JoinHandle<()>,
    #[expect(dead_code, reason = "held for as long as the house is open")]
    lock: Option<fs::File>,
}

/// What a house is opened on.
pub(crate) struct Kept {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) vault: Vault,
    /// Time, which goes on from the end of the log.
    pub(crate) clock: Arc<dyn Clock>,
    /// Held while a folder is this house's; a database of several nodes has no such lock.
    pub(crate) lock: Option<fs::File>,
}

impl Kept {
    /// Opens what a configuration names.
    pub(crate) async fn open(config: &Config) -> Result<Kept, NotServed> {
        let file = |what: &Path| {
            let what = what.display().to_string();
            move |error| NotServed::File { what: what.clone(), error }
        };
        make_folder(&config.data).map_err(file(&config.data))?;
        let lock = match config.database {
            Some(_) => None,
            None => Some(lock(&config.data)?),
        };
        let path = config.keys_file();
        let vault = Vault::new(keyring(&path)?, SystemChance);
        let store: Arc<dyn Store> = if let Some(url) = &config.database {
            Arc::new(Postgres::open(url).await?)
        } else {
            Arc::new(Sqlite::open(&config.data.join(DATABASE)).await?)
        };
        // A database of several nodes may go away again at once.
        let away = |failure: Failure| match failure {
            Failure::Corrupt(_) => OpenError::from(failure),
            _ if config.database.is_none() => OpenError::from(failure),
            Failure::Busy | Failure::Unavailable(_) => OpenError::Away(failure.to_string()),
        };
        let last = last_written(&*store).await.map_err(away)?;
        let (own, shared) = (SystemClock::new().now(), store.time().await.map_err(away)?);
        // Nodes have one time, whatever their machines' clocks show. What runs now is older than whatever
        // is written from now on.
        let clock = SystemClock::reading(shared.unwrap_or(own), last + 1);
        if clock.now() > shared.unwrap_or(own) + LATE_CLOCK {
            tracing::warn!(last, "the clock is behind the log: time goes on from there");
        }
        if let Some(shared) = shared.filter(|shared| shared.abs_diff(own) > LATE_CLOCK) {
            tracing::warn!(own, shared, "the machine's clock is not the database's, which counts");
        }
        if !keys::open_with(&*store, &vault, clock.now()).await.map_err(away)? {
            return Err(NotServed::OtherKeys { path });
        }
        Ok(Kept { store, vault, clock: Arc::new(clock), lock })
    }
}

/// Makes the folder of a house, if there is none: nobody else is to read it.
pub fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut making = fs::DirBuilder::new();
    making.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making.create(folder)
}

/// Makes a folder this house's alone: a second house in it would take up rounds that still run in
/// the first. The lock goes with the process, however that ends.
fn lock(folder: &Path) -> Result<fs::File, NotServed> {
    let path = folder.join("lock");
    let wrong = |error| NotServed::File { what: path.display().to_string(), error };
    let file = fs::OpenOptions::new().create(true).append(true).open(&path).map_err(wrong)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(NotServed::Taken { folder: folder.to_path_buf() }),
        Err(fs::TryLockError::Error(error)) => Err(wrong(error)),
    }
}

/// When something was last written, in any log: no clock goes on from before it.
pub async fn last_written(store: &dyn Store) -> Result<u64, Failure> {
    let written = store.last_times("").await?;
    Ok(written.into_iter().map(|(.., at)| at).max().unwrap_or(0))
}

/// Takes a house up where it was left: its tables, its people, and what is looked after meanwhile.
/// Nobody is served yet.
pub async fn take_up(
    config: Config,
    files: BTreeMap<String, String>,
    store: Arc<dyn Store>,
    vault: Vault,
    clock: Arc<dyn Clock>,
    integrity: Integrity,
) -> Result<Arc<App>, NotServed> {
    let vault = Arc::new(vault);
    let metrics = Arc::new(Metrics::default());
    let house = House::new(store.clone(), vault.clone(), clock.clone(), metrics, files);
    // Where other nodes are open, tables are looked after.
    if store.enter().await.map_err(OpenError::from)? {
        let resumed = house.resume_all(INTERRUPTED).await?;
        tracing::info!(resumed, "rounds were taken up");
    }
    tokio::spawn(House::look_after_all(Arc::downgrade(&house)));
    if config.database.is_some() {
        tokio::spawn(House::look_for_news(Arc::downgrade(&house)));
    }
    let people = People::new(store, clock, vault);
    let app = App::new(house, people, config, integrity);
    tokio::spawn(sweep(Arc::downgrade(&app)));
    Ok(app)
}

/// The same for a house of this very program: its files are looked at from now on, and its start is
/// in its log.
pub(crate) async fn start(
    config: Config,
    files: BTreeMap<String, String>,
    Kept { store, vault, clock, .. }: Kept,
    integrity: Integrity,
) -> Result<Arc<App>, NotServed> {
    let app = take_up(config, files, store, vault, clock, integrity).await?;
    let started = app.people.record(HouseRecord::Started(app.integrity.run().clone())).await;
    started.map_err(OpenError::from)?;
    if app.integrity.is_checked() {
        tokio::spawn(integrity::check_daily(Arc::downgrade(&app)));
    }
    Ok(app)
}

/// A house closes: its log says so, and what is queued is stored.
pub(crate) async fn stop(app: &App) {
    let recording = app.people.record(HouseRecord::Stopped(app.integrity.run().clone()));
    match tokio::time::timeout(CLOSING, recording).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "that the house closes could not be recorded"),
        Err(_) => tracing::warn!("that the house closes was not recorded in time"),
    }
    app.house.store().close().await;
}

/// How much was not as the logs say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rebuilt {
    /// Accounts whose balance was not what moved.
    pub balances: usize,
    /// Rounds whose rows or shares were not what was played.
    pub rounds: usize,
    /// Marks that stood where no entry is.
    pub marks: usize,
}

/// Writes everything anew that follows from the logs of a house that is closed: balances, rounds and their
/// sums. What stands beside no log goes.
pub async fn rebuild(config: &Config) -> Result<Rebuilt, NotServed> {
    let Kept { store, vault, clock, lock } = Kept::open(config).await?;
    let balances = store.check_books().await.map_err(OpenError::from)?.len();
    store.rebuild_books().await.map_err(OpenError::from)?;
    let metrics = Arc::new(Metrics::default());
    let house = House::new(store.clone(), Arc::new(vault), clock, metrics, BTreeMap::new());
    let rounds = house.wrong_rounds().await?.len();
    let marks = store.strays().await.map_err(OpenError::from)?.marks.len();
    house.rebuild_rounds().await?;
    store.close().await;
    drop(lock);
    Ok(Rebuilt { balances, rounds, marks })
}

/// The rulebook files of a configuration, by id. Each has one of its own, and a name of its own, by which
/// hashes are listed.
pub(crate) fn rulebooks(config: &Config) -> Result<BTreeMap<String, String>, NotServed> {
    let (mut all, mut names) = (BTreeMap::new(), BTreeSet::new());
    for path in &config.rulebooks {
        let wrong = |why| NotServed::Rulebook { path: path.clone(), why };
        let (id, toml) = rulebook(path)?;
        if !names.insert(file_name(path)) {
            return Err(wrong("another rulebook file has that name: give this one its own".into()));
        }
        if all.insert(id.clone(), toml).is_some() {
            return Err(wrong(format!(
                "there is a rulebook `{id}` already: give this one its own id"
            )));
        }
    }
    Ok(all)
}

/// Opens a place to listen at. First of all: a house that cannot open must not have touched rounds that
/// run in another.
fn listen(config: &Config) -> Result<std::net::TcpListener, NotServed> {
    let address = config.listen;
    let open = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        // Connections have it from the listener.
        socket.set_send_buffer_size(SENT_AHEAD)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)?.into_std()
    };
    open().map_err(|error| NotServed::Listen { address, error })
}

/// Opens what a configuration names, and waits for a database that does not answer yet. Meanwhile whoever
/// asks is told so.
async fn kept_when_there(
    config: &Config,
    listener: &std::net::TcpListener,
) -> Result<Kept, NotServed> {
    let mut waiting = None;
    loop {
        match Kept::open(config).await {
            Err(NotServed::Store(OpenError::Away(why))) => {
                tracing::warn!("the database cannot be opened: {why}; it is tried again");
                if waiting.is_none() {
                    let address = config.listen;
                    let second = listener.try_clone().and_then(TcpListener::from_std);
                    let second = second.map_err(|error| NotServed::Listen { address, error })?;
                    let (stop, stopping) = watch::channel(false);
                    let patience = Duration::from_millis(config.head_milliseconds);
                    let answer = connections::serve(second, not_yet(), patience, stopping);
                    waiting = Some((stop, tokio::spawn(answer)));
                }
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
            tried => {
                if let Some((stop, answering)) = waiting {
                    drop(stop);
                    let _ = tokio::time::timeout(CLOSING, answering).await;
                }
                return tried;
            }
        }
    }
}

/// What is answered while the house waits for its database: it lives, and can do nothing.
fn not_yet() -> Router {
    let says = "the house waits for its database";
    let refused =
        move || async move { ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not-ready", says) };
    Router::new().route("/healthz", axum::routing::get(|| async { "ok" })).fallback(refused)
}

impl Serving {
    /// Opens a house, as soon as its database is there.
    pub async fn open(config: Config) -> Result<Serving, NotServed> {
        let integrity = Integrity::at_the_start(&config).await?;
        let listener = listen(&config)?;
        let kept = kept_when_there(&config, &listener).await?;
        Serving::start(config, listener, kept, integrity).await
    }

    /// Opens a house on a store, with keys, chance and time that come from elsewhere.
    pub async fn on(
        config: Config,
        store: Arc<dyn Store>,
        vault: Vault,
        clock: Arc<dyn Clock>,
    ) -> Result<Serving, NotServed> {
        let integrity = Integrity::at_the_start(&config).await?;
        let kept = Kept { store, vault, clock, lock: None };
        let listener = listen(&config)?;
        Serving::start(config, listener, kept, integrity).await
    }

    async fn start(
        config: Config,
        listener: std::net::TcpListener,
        mut kept: Kept,
        integrity: Integrity,
    ) -> Result<Serving, NotServed> {
        let files = rulebooks(&config)?;
        let asked = config.listen;
        let refused = |error| NotServed::Listen { address: asked, error };
        let listener = TcpListener::from_std(listener).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let lock = kept.lock.take();
        let app = start(config, files, kept, integrity).await?;
        let patience = Duration::from_millis(app.config.head_milliseconds);
        let stopping = app.stopping.subscribe();
        let task = tokio::spawn(connections::serve(listener, router(&app), patience, stopping));
        Ok(Serving { address, app, task, lock })
    }

    /// Closes the house: sockets are told, requests are answered, what is queued is stored.
    pub async fn close(self) {
        self.app.stopping.send_replace(true);
        if tokio::time::timeout(CLOSING, self.task).await.is_err() {
            tracing::warn!("some guests did not go in time");
        }
        stop(&self.app).await;
    }
}

/// Everything that is served, with what holds for all of it.
pub fn router(app: &Arc<App>) -> Router {
    let (routes, _, _) = api::routes(app);
    let fixed = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let policy = "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; \
                  connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    web::add(routes, app)
        .with_state(app.clone())
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(CompressionLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, LONGEST_REQUEST))
        .layer(fixed(header::CONTENT_SECURITY_POLICY, policy))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .layer(fixed(header::CACHE_CONTROL, "no-store"))
        .layer(other_pages(&app.config))
        .layer(CatchPanicLayer::new())
        .layer(TraceLayer::new_for_http())
}

/// Pages from elsewhere that the house trusts: browsers are told so before they ask, and after.
fn other_pages(config: &Config) -> CorsLayer {
    let origins = config.origins.iter().filter_map(|it| it.parse::<HeaderValue>().ok());
    CorsLayer::new()
        .allow_origin(origins.collect::<Vec<HeaderValue>>())
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
}

async fn sweep(app: std::sync::Weak<App>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(app) = app.upgrade() else { return };
        if let Err(error) = app.people.sweep().await {
            tracing::warn!(%error, "what has run out could not be swept away");
        }
    }
}

/// A rulebook file that tables may be opened with: its id and its text.
fn rulebook(path: &Path) -> Result<(String, String), NotServed> {
    let what = path.display().to_string();
    let toml = fs::read_to_string(path).map_err(|error| NotServed::File { what, error })?;
    let name = file_name(path);
    let path = path.to_path_buf();
    match custom::read(&name, &toml) {
        Ok(custom) => Ok((custom.rulebook.id.into_owned(), toml)),
        Err(remark) => Err(NotServed::Rulebook { path, why: remark.to_string() }),
    }
}

/// The name of a rulebook file without the ending: the rulebook's id too, unless the file says another.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_stem().map_or("custom".into(), |stem| stem.to_string_lossy()).into_owned()
}
