//! `houseway admin`: what whoever holds the machine does to a house.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use houseway_server::clock::SystemClock;
use houseway_server::integrity::Hashes;
use houseway_server::people::{People, SystemChance};
use houseway_store::{Postgres, Sqlite, Store};

use super::{json, serve, verify};
use crate::Outcome;
use crate::args::{Admin, AdminWhat, Place};

impl Place {
    /// The store that is meant. One that is not there is not made by looking for it.
    pub(crate) async fn store(&self) -> anyhow::Result<Arc<dyn Store>> {
        if let Some(url) = &self.database {
            return Ok(Arc::new(Postgres::open(url).await?));
        }
        let path = self.file();
        if !path.is_file() {
            bail!("there is no house in {}: name its folder with --data", self.data.display());
        }
        Ok(Arc::new(Sqlite::open(&path).await?))
    }

    fn file(&self) -> PathBuf {
        self.data.join("houseway.sqlite")
    }
}

pub(crate) fn run(args: &Admin, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match &args.what {
            AdminWhat::Operator { name, place } => operator(name, place, out).await,
            AdminWhat::Heads { place } => heads(place, out).await,
            AdminWhat::Hashes { config, rulebook } => hashes(config.as_deref(), rulebook, out),
            AdminWhat::Backup { to, place } => {
                if place.database.is_some() {
                    bail!("PostgreSQL is backed up with its own tools, such as pg_dump");
                }
                let path = place.file();
                if !path.is_file() {
                    bail!("there is no house in {}", place.data.display());
                }
                let store = Sqlite::open(&path).await?;
                store.backup(to).await.with_context(|| to.display().to_string())?;
                store.close().await;
                writeln!(out, "{} holds everything up to now.", to.display())?;
                writeln!(out, "The keys are not in it: back up the file `keys` apart.")?;
                Ok(Outcome::Done)
            }
            AdminWhat::Restore { from, place } => {
                if place.database.is_some() {
                    bail!("PostgreSQL is restored with its own tools, such as pg_restore");
                }
                std::fs::create_dir_all(&place.data)
                    .with_context(|| place.data.display().to_string())?;
                let path = place.file();
                if path.exists() {
                    bail!("{} is there already: move it away first", path.display());
                }
                Sqlite::restore(from, &path).await.with_context(|| from.display().to_string())?;
                writeln!(out, "{} is restored.", path.display())?;
                Ok(Outcome::Done)
            }
        }
    })
}

async fn operator(name: &str, place: &Place, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let password = match std::env::var("HOUSEWAY_PASSWORD") {
        Ok(password) => password,
        Err(_) => typed(out)?,
    };
    let store = place.store().await?;
    let clock = Arc::new(SystemClock::new());
    let people = People::new(store.clone(), clock, Arc::new(SystemChance));
    let person = people.make_operator(name, &password).await?;
    store.close().await;
    writeln!(out, "{name} is an operator, with the number {}.", person.0)?;
    Ok(Outcome::Done)
}

/// A password from standard input, a line.
fn typed(out: &mut dyn Write) -> anyhow::Result<String> {
    if io::stdin().is_terminal() {
        write!(out, "Password (it is shown as you type): ")?;
        out.flush()?;
    }
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).context("no password could be read")?;
    let line = line.trim_end_matches(['\r', '\n']);
    if line.is_empty() {
        bail!("no password: give it on standard input, or in HOUSEWAY_PASSWORD");
    }
    Ok(line.to_string())
}

async fn heads(place: &Place, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let store = place.store().await?;
    for anchor in verify::anchors(&store).await? {
        out.write_all(json(&anchor)?.as_bytes())?;
    }
    store.close().await;
    Ok(Outcome::Done)
}

fn hashes(config: Option<&Path>, more: &[PathBuf], out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut config = serve::read(config)?;
    config.rulebooks.extend_from_slice(more);
    writeln!(out, "{}", serde_json::to_string_pretty(&Hashes::of(&config)?)?)?;
    Ok(Outcome::Done)
}
