//! `houseway admin`: what whoever holds the machine does to a house.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use houseway_server::calendar;
use houseway_server::clock::{Clock as _, SystemClock};
use houseway_server::config::Config;
use houseway_server::integrity::Hashes;
use houseway_server::keys::{self, keyring};
use houseway_server::people::{By, People, Standing, SystemChance};
use houseway_server::record::{Record, Stamped};
use houseway_server::serve::{DATABASE, Rebuilt, make_folder};
use houseway_server::vault::Vault;
use houseway_store::{Postgres, Sqlite, Store, User, Version};
use houseway_table::Person;
use serde::Serialize;

use super::{json, serve, verify};
use crate::Outcome;
use crate::args::{Admin, AdminWhat, Place};

impl Place {
    /// How the house is run that is meant: a file, over it what flags or the environment say.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let mut config = serve::read(self.config.as_deref())?;
        if let Some(data) = &self.data {
            config.data.clone_from(data);
        }
        if self.database.is_some() {
            config.database.clone_from(&self.database);
        }
        Ok(config)
    }

    /// The store that is meant. One that is not there is not made by looking for it.
    async fn store(&self) -> anyhow::Result<Arc<dyn Store>> {
        if let Some(url) = &self.config()?.database {
            return Ok(Arc::new(Postgres::open(url).await?));
        }
        Ok(Arc::new(Sqlite::open(&self.file()?).await?))
    }

    /// The same for whoever only looks, which is possible on a full disk too.
    pub(crate) async fn store_to_read(&self) -> anyhow::Result<Arc<dyn Store>> {
        if let Some(url) = &self.config()?.database {
            return Ok(Arc::new(Postgres::open(url).await?));
        }
        Ok(Arc::new(Sqlite::open_to_read(&self.file()?).await?))
    }

    /// The file that is meant, which is there.
    fn file(&self) -> anyhow::Result<PathBuf> {
        let data = self.config()?.data;
        let path = data.join(DATABASE);
        match path.is_file() {
            true => Ok(path),
            false => bail!("there is no house in {}: name its folder with --data", data.display()),
        }
    }
}

pub(crate) fn run(args: &Admin, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut tell = Teller { out, json: args.json };
        let out = &mut tell;
        match &args.what {
            AdminWhat::Operator { name, place } => operator(name, place, out).await,
            AdminWhat::People { place } => people(place, out).await,
            AdminWhat::Role { name, role, why, place } => {
                set_role(name, *role, why, place, out).await
            }
            AdminWhat::Tables { place } => tables(place, out).await,
            AdminWhat::Rebuild { place, keys } => rebuild(place, keys.as_deref(), out).await,
            AdminWhat::Keys { place, keys, adopt } => {
                check_keys(place, keys.as_deref(), *adopt, out).await
            }
            AdminWhat::Heads { place } => heads(place, out).await,
            AdminWhat::Hashes { config, rulebook } => hashes(config.as_deref(), rulebook, out.out),
            AdminWhat::Backup { to, place } => {
                if place.config()?.database.is_some() {
                    bail!("PostgreSQL is backed up with its own tools, such as pg_dump");
                }
                let store = Sqlite::open_to_read(&place.file()?).await?;
                store.backup(to).await.with_context(|| to.display().to_string())?;
                store.close().await;
                let words = format!(
                    "{} holds everything up to now.\nThe keys are not in it: back up the file `keys` \
                     apart.\n",
                    to.display()
                );
                out.tell(&BackedUp { backup: to }, &words)
            }
            AdminWhat::Restore { from, place } => {
                let config = place.config()?;
                if config.database.is_some() {
                    bail!("PostgreSQL is restored with its own tools, such as pg_restore");
                }
                make_folder(&config.data)
                    .with_context(|| config.data.display().to_string())?;
                let path = config.data.join(DATABASE);
                if path.exists() {
                    bail!("{} is there already: move it away first", path.display());
                }
                Sqlite::restore(from, &path).await.with_context(|| from.display().to_string())?;
                let words = format!("{} is restored.\n", path.display());
                out.tell(&Restored { restored: &path }, &words)
            }
        }
    })
}

/// Tells people or other programs.
struct Teller<'a> {
    out: &'a mut dyn Write,
    json: bool,
}

impl Teller<'_> {
    /// The same in JSON or in words.
    fn tell(&mut self, data: &impl Serialize, words: &str) -> anyhow::Result<Outcome> {
        let text = if self.json { json(data)? } else { words.to_owned() };
        self.out.write_all(text.as_bytes())?;
        Ok(Outcome::Done)
    }
}

#[derive(Serialize)]
struct BackedUp<'a> {
    backup: &'a Path,
}

#[derive(Serialize)]
struct Restored<'a> {
    restored: &'a Path,
}

/// Someone, for other programs.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Someone<'a> {
    person: u32,
    name: &'a str,
    standing: Standing,
    guest: bool,
    /// Since when, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    shut_out: Option<u64>,
}

impl<'a> Someone<'a> {
    fn of(user: &'a User) -> anyhow::Result<Someone<'a>> {
        Ok(Someone {
            person: user.id.0,
            name: &user.name,
            standing: user.role.parse()?,
            guest: user.password_hash.is_none(),
            shut_out: user.disabled,
        })
    }
}

fn people_of(store: &Arc<dyn Store>) -> People {
    People::new(store.clone(), Arc::new(SystemClock::new()), Arc::new(SystemChance))
}

async fn operator(name: &str, place: &Place, out: &mut Teller<'_>) -> anyhow::Result<Outcome> {
    let password = match std::env::var("HOUSEWAY_PASSWORD") {
        Ok(password) => password,
        Err(_) => typed(out.out)?,
    };
    let store = place.store().await?;
    let person = people_of(&store).make_operator(name, &password).await?;
    let user = store.user(person).await?.context("nobody was made")?;
    store.close().await;
    let words = format!("{name} is an operator, with the number {}.\n", person.0);
    out.tell(&Someone::of(&user)?, &words)
}

/// How many people are read at once.
const PAGE: u32 = 1_000;

async fn people(place: &Place, out: &mut Teller<'_>) -> anyhow::Result<Outcome> {
    let store = place.store_to_read().await?;
    let mut after = Person(0);
    loop {
        let page = store.users(after, PAGE).await?;
        for user in &page {
            let someone = Someone::of(user)?;
            let note = match (user.disabled, someone.guest) {
                (Some(_), _) => ", shut out",
                (None, true) => ", a guest",
                (None, false) => "",
            };
            let Someone { person, name, standing, .. } = someone;
            out.tell(&someone, &format!("{person:>8}  {name}: {standing}{note}\n"))?;
        }
        match page.last() {
            Some(last) => after = last.id,
            None => break,
        }
    }
    store.close().await;
    Ok(Outcome::Done)
}

async fn set_role(
    name: &str,
    role: Standing,
    why: &str,
    place: &Place,
    out: &mut Teller<'_>,
) -> anyhow::Result<Outcome> {
    let store = place.store().await?;
    let user = store.user_named(name).await?;
    let user = user.with_context(|| format!("there is nobody called `{name}`"))?;
    let people = people_of(&store);
    people.set_standing(By::CommandLine, user.id, role, why, None).await?;
    let user = store.user(user.id).await?.context("they are gone")?;
    store.close().await;
    out.tell(&Someone::of(&user)?, &format!("{} is {role} now.\n", user.name))
}

/// A table, for other programs.
#[derive(Serialize)]
struct Listed {
    table: u64,
    name: String,
    rules: String,
    entries: u64,
    /// When it was opened and when something last happened, in milliseconds since 1970.
    opened: u64,
    last: u64,
}

async fn tables(place: &Place, out: &mut Teller<'_>) -> anyhow::Result<Outcome> {
    let store = place.store_to_read().await?;
    for (stream, version, last) in store.last_times("table/").await? {
        let number = stream.as_str().strip_prefix("table/").and_then(|it| it.parse().ok());
        let (Some(table), Some(entry)) = (number, store.read(&stream, Version(0), 1).await?.pop())
        else {
            continue;
        };
        let stamped: Stamped =
            serde_json::from_str(&entry.body).with_context(|| stream.to_string())?;
        let Record::Opened(opening) = stamped.record else { bail!("{stream} is no table") };
        let (name, rules) = (opening.name, opening.rulebook.id().to_string());
        let words = format!("{table:>12}  {name} ({rules}), last {}\n", calendar::time(last));
        let opened = entry.at;
        out.tell(&Listed { table, name, rules, entries: version.0, opened, last }, &words)?;
    }
    store.close().await;
    Ok(Outcome::Done)
}

async fn rebuild(
    place: &Place,
    keys: Option<&Path>,
    out: &mut Teller<'_>,
) -> anyhow::Result<Outcome> {
    let mut config = place.config()?;
    // A house that is not there is not made by looking for it.
    if config.database.is_none() {
        place.file()?;
    }
    config.keys = keys.map(Path::to_path_buf).or(config.keys);
    must_be_there(&config.keys_file())?;
    let rebuilt = houseway_server::serve::rebuild(&config).await?;
    let words = match rebuilt {
        Rebuilt { balances: 0, rounds: 0, marks: 0 } => {
            "Everything was as the logs say.\n".to_string()
        }
        Rebuilt { balances, rounds, marks } => format!(
            "{balances} balances, {rounds} rounds and {marks} marks of tables were not as the logs \
             say, and are now.\n"
        ),
    };
    out.tell(&rebuilt, &words)
}

/// Keys are made by a house that is opened, and by nobody else.
pub(crate) fn must_be_there(keys: &Path) -> anyhow::Result<()> {
    match keys.is_file() {
        true => Ok(()),
        false => bail!("there are no keys in {}: name their file with --keys", keys.display()),
    }
}

/// Whether keys are the house's.
#[derive(Serialize)]
struct Keys<'a> {
    keys: &'a Path,
    /// Nothing where the house has not noted its keys yet.
    used: Option<bool>,
}

async fn check_keys(
    place: &Place,
    keys: Option<&Path>,
    adopt: bool,
    out: &mut Teller<'_>,
) -> anyhow::Result<Outcome> {
    let config = place.config()?;
    let path = keys.map_or_else(|| config.keys_file(), Path::to_path_buf);
    must_be_there(&path)?;
    let vault = Vault::new(keyring(&path)?, houseway_server::vault::SystemChance);
    let store = if adopt { place.store().await? } else { place.store_to_read().await? };
    if adopt {
        keys::adopt(&*store, &vault, SystemClock::new().now()).await?;
    }
    let used = keys::are_the_houses(&*store, &vault).await?;
    store.close().await;
    let shown = path.display();
    let words = match used {
        Some(true) => format!("{shown} has the keys that the house is run with.\n"),
        Some(false) => format!("{shown} lacks keys that the house is run with, or has others.\n"),
        None => "The house has not noted its keys yet: it does when it is opened.\n".to_string(),
    };
    out.tell(&Keys { keys: &path, used }, &words)?;
    Ok(if used == Some(false) { Outcome::CheckFailed } else { Outcome::Done })
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

/// In JSON for everyone: it is kept to be compared by a program.
async fn heads(place: &Place, out: &mut Teller<'_>) -> anyhow::Result<Outcome> {
    let store = place.store_to_read().await?;
    for anchor in verify::anchors(&store).await? {
        out.out.write_all(json(&anchor)?.as_bytes())?;
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
