//! A private PostgreSQL for tests: in a temporary folder, on a Unix socket, gone with the test.
//!
//! PostgreSQL's programs must be installed: `apt-get install postgresql`, which `cargo xtask test`
//! does where they are absent.

use std::fs;
use std::io::{self, BufRead, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sqlx::Connection;
use sqlx::postgres::PgConnection;

/// Someone without rights on every system: PostgreSQL refuses to run as root.
const NOBODY: u32 = 65534;

/// Holds the server and ends it. It says the server's number first. Given a signal's name, it sends
/// that and leaves the folder; a server that is killed takes its workers along, which would else finish
/// what they are at. When its input ends, because the test did, or when it is interrupted
/// itself, it stops the server at once and cleans up.
const KEEPER: &str = r#"
    dir=$1; shift
    trap : HUP INT TERM
    "$@" </dev/null >&2 & server=$!
    echo $server
    if read -r signal; then
        workers=$(cat /proc/$server/task/$server/children)
        kill -"$signal" $server; wait $server
        [ "$signal" != KILL ] || kill -KILL $workers
    else
        kill -QUIT $server; wait $server; cd /; rm -rf "$dir"
    fi"#;

/// Whether the server's writes must reach the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disk {
    /// They must: for tests of what survives.
    Durable,
    /// They need not: for everything else.
    Fast,
}

/// A running server.
#[derive(Debug)]
pub struct PostgresServer {
    folder: PathBuf,
    disk: Disk,
    keeper: Option<Child>,
    databases: AtomicU32,
}

impl PostgresServer {
    /// Makes a fresh server and starts it.
    pub fn start(disk: Disk) -> io::Result<PostgresServer> {
        // Directly under /tmp: a socket's path has at most 107 bytes, and nobody must get there.
        let folder = tempfile::Builder::new().prefix("houseway").tempdir_in("/tmp")?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700))?;
        if is_root()? {
            chown(folder.path(), Some(NOBODY), Some(NOBODY))?;
        }
        let made = command(&program("initdb")?, folder.path())?
            .args(["-U", "houseway", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(folder.path().join("data"))
            .output()?;
        if !made.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&made.stderr).into_owned()));
        }
        // From here on the keeper removes it.
        let folder = folder.keep();
        let databases = AtomicU32::new(0);
        let mut server = PostgresServer { folder, disk, keeper: None, databases };
        server.start_again()?;
        Ok(server)
    }

    /// Starts the server again after it was stopped.
    pub fn start_again(&mut self) -> io::Result<()> {
        let until = Instant::now() + Duration::from_secs(30);
        // A server that was killed leaves helpers behind, and none can start until they are gone.
        while !self.try_start()? {
            if Instant::now() > until {
                let log = fs::read_to_string(self.folder.join("log"))?;
                return Err(io::Error::other(format!("PostgreSQL did not start:\n{log}")));
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Whether the server is ready; if not, it has ended.
    fn try_start(&mut self) -> io::Result<bool> {
        let mut keeper = self.launch()?;
        let mut number = String::new();
        if let Some(output) = keeper.stdout.take() {
            io::BufReader::new(output).read_line(&mut number)?;
        }
        self.keeper = Some(keeper);
        // Of one that has ended, nothing but the number is left.
        let alive =
            || fs::read(format!("/proc/{}/cmdline", number.trim())).map(|it| !it.is_empty());
        while alive().unwrap_or(false) {
            if self.is_ready(number.trim()) {
                return Ok(true);
            }
            sleep(Duration::from_millis(10));
        }
        self.stop("KILL")?;
        Ok(false)
    }

    /// Stops the server with a signal: `INT` ends it in order, `KILL` without warning.
    pub fn stop(&mut self, signal: &str) -> io::Result<()> {
        let Some(mut keeper) = self.keeper.take() else { return Ok(()) };
        if let Some(input) = &mut keeper.stdin {
            writeln!(input, "{signal}")?;
        }
        keeper.wait().map(drop)
    }

    /// Where all its files are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The address of one of the server's databases.
    pub fn address(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=houseway", self.folder.display())
    }

    /// Makes an empty database and gives its address.
    pub async fn database(&self) -> Result<String, sqlx::Error> {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut connection = PgConnection::connect(&self.address("postgres")).await?;
        let make = format!("create database {name} strategy file_copy");
        sqlx::raw_sql(sqlx::AssertSqlSafe(make)).execute(&mut connection).await?;
        connection.close().await?;
        Ok(self.address(&name))
    }

    fn launch(&self) -> io::Result<Child> {
        let disk: &[&str] = match self.disk {
            Disk::Durable => &["-c", "fsync=on"],
            Disk::Fast => &["-c", "fsync=off", "-c", "full_page_writes=off"],
        };
        command(Path::new("/bin/sh"), &self.folder)?
            .args(["-c", KEEPER, "sh"])
            .arg(&self.folder)
            .arg(program("postgres")?)
            .arg("-D")
            .arg(self.folder.join("data"))
            .arg("-k")
            .arg(&self.folder)
            .args(["-c", "listen_addresses=", "-c", "shared_buffers=32MB"])
            .args(["-c", "max_connections=200"])
            .args(disk)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(self.folder.join("log"))?)
            .spawn()
    }

    /// Whether the server with this number is. One that was killed leaves its own word that it is, and helpers
    /// that may still listen for it.
    fn is_ready(&self, number: &str) -> bool {
        let state = fs::read_to_string(self.folder.join("data/postmaster.pid"));
        let is_its = |it: &str| it.lines().next().is_some_and(|line| line.trim() == number);
        let says = |it: &str| it.lines().nth(7).is_some_and(|line| line.trim() == "ready");
        state.is_ok_and(|it| is_its(&it) && says(&it))
            && UnixStream::connect(self.folder.join(".s.PGSQL.5432")).is_ok()
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        match self.keeper.take() {
            Some(mut keeper) => {
                drop(keeper.stdin.take());
                let _ = keeper.wait();
            }
            None => {
                let _ = fs::remove_dir_all(&self.folder);
            }
        }
    }
}

fn is_root() -> io::Result<bool> {
    Ok(fs::metadata("/proc/self")?.uid() == 0)
}

fn command(program: &Path, folder: &Path) -> io::Result<Command> {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null()).env_remove("PGDATA");
    if is_root()? {
        command.gid(NOBODY).uid(NOBODY);
    }
    Ok(command)
}

/// A program of PostgreSQL's, from the newest version that is installed. Debian does not put all of
/// them on the path.
fn program(name: &str) -> io::Result<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|it| it.path().join("bin")).collect();
    folders.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let elsewhere: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut places = folders.iter().rev().chain(&elsewhere).map(|folder| folder.join(name));
    places.find(|place| place.is_file()).ok_or_else(|| {
        io::Error::other(format!("`{name}` is not installed: apt-get install postgresql"))
    })
}
