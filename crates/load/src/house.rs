//! The server: started here with a data folder of its own, or found elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::HouseArgs;
use crate::door::Door;

/// The kernel counts a process's time in hundredths of a second, whatever its own clock does.
const TICKS_A_SECOND: f64 = 100.0;

/// How long a house may take to close.
const CLOSING: Duration = Duration::from_mins(1);

/// The password of whoever is made an operator beside the house.
pub(crate) const PASSWORD: &str = "mulberry tortoise lamp 71";

/// How a house treats its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manners {
    /// No client of a load reaches a limit: the house is measured.
    Patient,
    /// A socket may say as much as it may anywhere, and requests come through a proxy, from as many
    /// places as they say.
    Usual,
}

impl Manners {
    fn config(self) -> &'static str {
        match self {
            Manners::Patient => {
                "messages-per-second = 100000\nrequests-per-second = 1000000\nsockets = 100000\n"
            }
            Manners::Usual => {
                "requests-per-second = 1000000\nsockets = 100000\nbehind-proxy = true\n"
            }
        }
    }
}

/// A house under load.
pub(crate) struct House {
    pub(crate) door: Door,
    /// The process, where it was started here.
    own: Option<Own>,
}

/// A house that was started here.
struct Own {
    child: Child,
    program: PathBuf,
    data: PathBuf,
}

/// What a process has used so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used {
    /// Its time on a processor, in the program and in the kernel for it.
    pub(crate) cpu: Duration,
    /// Its memory, in bytes.
    pub(crate) memory: u64,
    /// Its open files and sockets.
    pub(crate) descriptors: usize,
    /// The size of SQLite's write-ahead log, in bytes.
    pub(crate) wal: u64,
}

impl House {
    /// The house that was named, or a fresh one in a folder.
    pub(crate) async fn open(
        args: &HouseArgs,
        folder: &Path,
        manners: Manners,
    ) -> anyhow::Result<House> {
        if let Some(url) = &args.server {
            return Ok(House { door: Door::at(url)?, own: None });
        }
        let program = match &args.program {
            Some(program) => program.clone(),
            None => beside_this_one()?,
        };
        let config = folder.join("config.toml");
        fs::write(&config, manners.config())?;
        let data = data(folder);
        let mut child = Command::new(&program)
            .arg("serve")
            .args(["--listen", "127.0.0.1:0", "--config"])
            .arg(&config)
            .arg("--data")
            .arg(&data)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| program.display().to_string())?;
        let said = child.stdout.take().context("its output is ours")?;
        let mut lines = BufReader::new(said).lines();
        let first = lines.next_line().await?.unwrap_or_default();
        let Some(url) = first.split_whitespace().find(|word| word.starts_with("http://")) else {
            bail!("the house did not open: {first}");
        };
        // It goes on talking, and would fail if nobody listened.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(House { door: Door::at(url)?, own: Some(Own { child, program, data }) })
    }

    /// What the server has used so far; nothing is known of one elsewhere.
    pub(crate) fn used(&self) -> anyhow::Result<Option<Used>> {
        let Some(own) = &self.own else { return Ok(None) };
        let process = own.child.id().context("the house has ended")?;
        let read = |what: &str| fs::read_to_string(format!("/proc/{process}/{what}"));
        let cpu = cpu(&read("stat")?).context("the form of /proc/PID/stat")?;
        let memory = memory(&read("status")?).context("the form of /proc/PID/status")?;
        let descriptors = fs::read_dir(format!("/proc/{process}/fd"))?.count();
        let wal = fs::metadata(own.data.join("houseway.sqlite-wal")).map_or(0, |it| it.len());
        Ok(Some(Used { cpu, memory, descriptors, wal }))
    }

    /// Closes a house that was started here, in order; where its data is. One elsewhere stays open.
    pub(crate) async fn close(&mut self) -> anyhow::Result<Option<PathBuf>> {
        let Some(own) = &mut self.own else { return Ok(None) };
        if let Some(process) = own.child.id() {
            let told = Command::new("kill").arg(process.to_string()).status().await?;
            ensure!(told.success(), "the house could not be told to close");
        }
        let ended =
            timeout(CLOSING, own.child.wait()).await.context("the house does not close")??;
        ensure!(ended.success(), "the house closed with {ended}");
        Ok(Some(own.data.clone()))
    }

    /// Runs a command of the program beside the house, on its data or on another folder's; what it
    /// said.
    pub(crate) async fn beside(
        &self,
        words: &[&str],
        data: Option<&Path>,
    ) -> anyhow::Result<String> {
        let own = self.own.as_ref().context("this needs a house that was started here")?;
        let data = data.unwrap_or(&own.data);
        let mut command = Command::new(&own.program);
        command.args(words).arg("--data").arg(data).env("HOUSEWAY_PASSWORD", PASSWORD);
        let said = command.output().await?;
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        if !said.status.success() {
            bail!("{words:?}: {text}{}", String::from_utf8_lossy(&said.stderr));
        }
        Ok(text)
    }
}

/// Where a house in a folder keeps its data.
pub(crate) fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

fn beside_this_one() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name("houseway");
    if !program.exists() {
        bail!("{} is not there: cargo build --release -p houseway-cli", program.display());
    }
    Ok(program)
}

/// Time in the program and in the kernel. The name before it may have spaces and brackets in it.
fn cpu(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11).map(str::parse::<u32>);
    let (user, system) = (fields.next()?.ok()?, fields.next()?.ok()?);
    Some(Duration::from_secs_f64((f64::from(user) + f64::from(system)) / TICKS_A_SECOND))
}

fn memory(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_words_are_understood() {
        let stat = "42 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 3 0 99";
        assert_eq!(cpu(stat), Some(Duration::from_secs(2)));
        assert_eq!(memory("Name:\tx\nVmRSS:\t    2048 kB\nThreads:\t3\n"), Some(2 << 20));
        assert_eq!((cpu("42 (x)"), memory("Name:\tx\n")), (None, None));
    }

    #[test]
    fn one_can_read_about_oneself() {
        let own = fs::read_to_string("/proc/self/status").expect("this is Linux");
        assert!(memory(&own).is_some_and(|it| it > 0));
        let own = fs::read_to_string("/proc/self/stat").expect("this is Linux");
        assert!(cpu(&own).is_some());
    }
}
