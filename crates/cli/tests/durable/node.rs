//! A house as a process of its own.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use houseway_server::keys::keyring;
use houseway_server::vault::{SystemChance, Vault};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::players::PATIENCE;

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64
}

/// How a house is started.
#[derive(Clone)]
pub(crate) struct Plan {
    /// The program.
    pub(crate) program: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) database: Option<String>,
    /// What is logged.
    pub(crate) log: &'static str,
}

impl Plan {
    /// A house in a folder, which is fast enough for clients that do not wait.
    pub(crate) fn new(folder: &Path, database: Option<String>) -> Plan {
        let config = "listen = \"127.0.0.1:0\"\ndata = \"data\"\n\
                      messages-per-second = 10000\nrequests-per-second = 10000\n";
        fs::write(folder.join("houseway.toml"), config).expect("it can be written");
        Plan {
            program: env!("CARGO_BIN_EXE_houseway").into(),
            folder: folder.to_path_buf(),
            database,
            log: "warn",
        }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The house's own keys.
    pub(crate) fn vault(&self) -> Vault {
        Vault::new(keyring(&self.data().join("keys")).expect("there are keys"), SystemChance)
    }

    /// Everything that was logged.
    pub(crate) fn logged(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    pub(crate) fn command(&self) -> Command {
        let mut log = fs::OpenOptions::new();
        let log =
            log.append(true).create(true).open(self.folder.join("log")).expect("it can be written");
        // A file that may not grow is to fail a write, as a full disk does, not end the program.
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"])
            .arg(&self.program)
            .args(["serve", "--config"])
            .arg(self.folder.join("houseway.toml"))
            .env("HOUSEWAY_LOG", self.log)
            .env_remove("HOUSEWAY_DATABASE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true);
        if let Some(database) = &self.database {
            command.args(["--database", database]);
        }
        command
    }

    /// Starts the house and waits until it is open.
    pub(crate) async fn start(&self) -> Node {
        let logged = self.logged().len();
        let mut child = self.command().spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let line = lines.next_line().await.expect("a line");
        let Some(line) = line else {
            panic!("the house did not open: {}", &self.logged()[logged..]);
        };
        let address = line.rsplit("http://").next().and_then(|it| it.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address: {line}"));
        Node { child, address, _said: lines }
    }
}

/// A house that is open.
pub(crate) struct Node {
    child: Child,
    pub(crate) address: SocketAddr,
    /// Held, so that the house can go on saying things.
    _said: Lines<BufReader<ChildStdout>>,
}

impl Node {
    /// Ends it as a power failure would: without a word.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.expect("it can be killed");
    }

    /// Its number as a process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Sends it a signal by name.
    pub(crate) async fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &id]).status().await;
        assert!(sent.expect("kill can be run").success());
    }

    /// Puts it to sleep, to be woken by `CONT`. One thread hears of that first and stops the others: on a busy
    /// machine they go on for a while, so it is asleep when the last of them is.
    pub(crate) async fn sleeps(&self) {
        self.signal("STOP").await;
        let late = Instant::now() + PATIENCE;
        while !self.is_asleep() {
            assert!(Instant::now() < late, "it does not fall asleep");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Whether every thread of it is stopped.
    fn is_asleep(&self) -> bool {
        let threads = fs::read_dir(format!("/proc/{}/task", self.id())).expect("its threads");
        threads.flatten().all(|thread| {
            // The state stands behind the name, which is in brackets; a thread that has ended has none.
            let told = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            told.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with('T'))
        })
    }

    /// Waits for its end.
    pub(crate) async fn wait(mut self) -> std::process::ExitStatus {
        self.child.wait().await.expect("it ends")
    }
}
