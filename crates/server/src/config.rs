//! How a house is run. Everything has a default that is right for one person at home.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde::Deserialize;

/// How a house is run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Where everything is kept that is not in another database: the database itself, and the keys.
    pub data: PathBuf,
    /// A PostgreSQL database to use instead of the SQLite file in the data folder.
    pub database: Option<String>,
    /// The file with the keys that seal decks; in the data folder, if nothing is said. Every node of
    /// a house needs the same.
    pub keys: Option<PathBuf>,
    /// The address people type, if it is not where the house listens: `https://play.example`.
    pub public_url: Option<String>,
    /// Other pages that may use the house from a browser, by their origin.
    pub origins: Vec<String>,
    /// Rulebook files that tables may be opened with.
    pub rulebooks: Vec<PathBuf>,
    /// A list of hashes that program, configuration and rulebooks are held against: what
    /// `houseway admin hashes` prints.
    pub hashes: Option<PathBuf>,
    /// A folder to serve the web table from instead of what is built in, for those who work on it.
    pub web: Option<PathBuf>,
    /// Whether a proxy in front says where requests come from.
    pub behind_proxy: bool,
    /// Whether everyone may open tables that all find, and where people have as long as they like: then
    /// one who is away is waited for. Staff always may.
    pub open_ended: bool,
    /// How many messages a socket may send in a second.
    pub messages_per_second: u32,
    /// How many requests an address may make in a second.
    pub requests_per_second: u32,
    /// How many sockets are open at most.
    pub sockets: usize,
    /// How long the head of a request may take to come, in milliseconds.
    pub head_milliseconds: u64,
    /// The file that this was read from, if it was.
    #[serde(skip)]
    pub file: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7777),
            data: PathBuf::from("houseway-data"),
            database: None,
            keys: None,
            public_url: None,
            origins: vec![],
            rulebooks: vec![],
            hashes: None,
            web: None,
            behind_proxy: false,
            open_ended: false,
            messages_per_second: 20,
            requests_per_second: 50,
            sockets: 20_000,
            head_milliseconds: 10_000,
            file: None,
        }
    }
}

impl Config {
    /// Whether people come by a connection that nobody can read.
    pub fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }

    /// The file with the keys.
    pub fn keys_file(&self) -> PathBuf {
        self.keys.clone().unwrap_or_else(|| self.data.join("keys"))
    }

    /// The cookie that a session is kept in. Its name binds it to the host where that can be.
    pub fn cookie_name(&self) -> &'static str {
        if self.is_secure() { "__Host-houseway" } else { "houseway" }
    }
}
