//! `houseway play`: the table in the terminal.

mod advice;
mod draw;
mod menu;
mod moves;
mod rounds;
mod seat;
mod state;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use houseway_rules::Cents;
use houseway_server::config::Config;
use houseway_server::inside::Inside;
use houseway_server::serve::{DATABASE, NotServed};
use houseway_store::{Failure, OpenError};
use houseway_table::Range;
use ratatui::crossterm::event::Event;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::door::Door;
use crate::kept;
use crate::link::{Ask, Link, Pass, Said};
use crate::look::Look;
use crate::screen::{Screen, needs_terminal, stop_on_signals};
use state::{End, Notes};
pub use state::{Library, Play};

/// How a house inside this program is called in the notes.
pub(crate) const INSIDE: &str = "inside";

/// What one is called in a house inside this program, where nothing else is said.
const USUAL_NAME: &str = "Player";

/// What is wished for at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wishes {
    /// The rulebook to play at once, without the menu.
    pub rules: Option<String>,
    /// How many bots.
    pub bots: Option<u8>,
    /// Whether bots set the best way instead of the House Way.
    pub optimal: bool,
    /// The least and the most of a standard wager.
    pub stakes: Option<Range>,
    /// What one sits down with.
    pub buy_in: Cents,
    /// Whether a new table is opened where one could go on.
    pub new: bool,
}

/// How `play` is run.
pub struct Options {
    /// Where everything is kept.
    pub data: PathBuf,
    /// A server to play at, instead of a house inside this program.
    pub server: Option<String>,
    /// Under which name, where one was given.
    pub name: Option<String>,
    /// The password of an account at a server.
    pub password: Option<String>,
    /// Rulebooks from files, with where they were read.
    pub rulebooks: Vec<PathBuf>,
    /// Those and the houses'.
    pub library: Library,
    /// How it looks.
    pub look: Look,
    /// What is wished for.
    pub wishes: Wishes,
}

/// Something that wakes the program.
enum Wake {
    Input(Event),
    Said(Box<Said>),
    /// The house inside is open; what is to be told about it.
    Open(Box<Inside>, Option<String>),
    NotOpen(String),
    Stop,
}

impl From<Event> for Wake {
    fn from(event: Event) -> Wake {
        Wake::Input(event)
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Plays until someone goes. What has to be told afterwards is in the error.
pub fn run(options: Options) -> anyhow::Result<()> {
    needs_terminal("play", "a server is asked over HTTP, see `houseway serve --help`")?;
    let door = options.server.as_deref().map(Door::at).transpose()?;
    let notes = options.data.join("terminal.json");
    let found = kept::read::<Notes>(&notes)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let ended = runtime.block_on(play(options, door, &notes, found));
    // Whatever still runs has nothing more to do.
    runtime.shutdown_timeout(Duration::from_millis(200));
    ended
}

async fn play(
    options: Options,
    door: Option<Door>,
    path: &Path,
    found: kept::Found<Notes>,
) -> anyhow::Result<()> {
    let Options { data, server: _, name, password, rulebooks, library, look, wishes } = options;
    // However an address is written, it is one house, and one is the same person there.
    let place = match &door {
        Some(Door::At(host)) => format!("http://{host}"),
        _ => INSIDE.to_string(),
    };
    let token = found.value.tokens.get(&place).cloned();
    let mut play = Play::new(look, library, wishes, place, found.value);
    if let Some(remark) = &found.remark {
        play.warn(remark.clone());
    } else if let (Some(_), Some(name), None) = (&door, &name, &password) {
        play.warn(format!(
            "{name} is not signed in: an account needs its password in HOUSEWAY_PASSWORD. You play \
             as a guest."
        ));
    }
    let name = name.unwrap_or_else(|| USUAL_NAME.to_string());
    let mut screen = Screen::open().context("the terminal cannot be used")?;
    let (wakes, mut woken) = unbounded_channel();
    Screen::listen(wakes.clone());
    let stops = wakes.clone();
    stop_on_signals(move || stops.send(Wake::Stop).is_ok());
    screen.draw(|frame| play.draw(frame.buffer_mut()))?;
    let (asks, asked) = unbounded_channel();
    let mut asked = Some(asked);
    match door {
        Some(door) => {
            let pass = match (password, token) {
                (Some(password), _) => Pass::Account { name: name.clone(), password },
                (None, Some(token)) => Pass::Token(token),
                (None, None) => Pass::Guest,
            };
            start(door, pass, asked.take().expect("it is the first"), wakes.clone());
        }
        None => open_inside(data, rulebooks, wakes.clone()),
    }
    let mut inside: Option<Box<Inside>> = None;
    let mut remarks: Vec<String> = found.remark.into_iter().collect();
    while play.over.is_none() {
        let wake = next(&mut woken, play.ticks()).await;
        match wake {
            None => {}
            Some(Wake::Input(event)) => play.input(&event),
            Some(Wake::Said(said)) => play.hear(*said),
            Some(Wake::Stop) => play.over = Some(End::Gone),
            Some(Wake::NotOpen(why)) => play.over = Some(End::Because(why)),
            Some(Wake::Open(house, remark)) => {
                if let Some(remark) = remark {
                    play.warn(remark.clone());
                    remarks.push(remark);
                }
                match house.come_in(&name).await {
                    Ok(entered) => {
                        let pass = Pass::Token(entered.token.reveal().to_string());
                        if let Some(asked) = asked.take() {
                            start(Door::Inside(house.entrance()), pass, asked, wakes.clone());
                        }
                    }
                    Err(error) => play.over = Some(End::Because(error.to_string())),
                }
                inside = Some(house);
            }
        }
        for ask in std::mem::take(&mut play.asks) {
            // A link that is over says so itself.
            let _ = asks.send(ask);
        }
        if std::mem::take(&mut play.noted)
            && let Err(error) = kept::write(path, &play.notes)
        {
            play.warn(error.to_string());
        }
        screen.draw(|frame| play.draw(frame.buffer_mut()))?;
    }
    drop(screen);
    if let Some(house) = inside {
        house.close().await;
    }
    for remark in remarks {
        remark_on(&remark);
    }
    match play.over {
        Some(End::Because(why)) => Err(anyhow::anyhow!(why)),
        Some(End::Gone) | None => Ok(()),
    }
}

fn remark_on(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "houseway: {text}.");
}

/// The next thing that wakes the program: nothing is a second that has passed where one counts.
async fn next(woken: &mut UnboundedReceiver<Wake>, ticks: bool) -> Option<Wake> {
    if !ticks {
        return woken.recv().await;
    }
    tokio::time::timeout(Duration::from_secs(1), woken.recv()).await.unwrap_or(None)
}

fn start(door: Door, pass: Pass, asked: UnboundedReceiver<Ask>, wakes: UnboundedSender<Wake>) {
    let (said, mut heard) = unbounded_channel();
    tokio::spawn(Link::new(door, pass, said).run(asked));
    tokio::spawn(async move {
        while let Some(said) = heard.recv().await {
            if wakes.send(Wake::Said(Box::new(said))).is_err() {
                return;
            }
        }
    });
}

fn open_inside(data: PathBuf, rulebooks: Vec<PathBuf>, wakes: UnboundedSender<Wake>) {
    let config = Config { data, rulebooks, ..Config::default() };
    tokio::spawn(async move {
        let wake = match open(config).await {
            Ok((house, remark)) => Wake::Open(Box::new(house), remark),
            Err(why) => Wake::NotOpen(why),
        };
        let _ = wakes.send(wake);
    });
}

/// Opens the house of a folder. A database that is none is put aside, so that what is left of it can
/// be looked at, and a new one is begun.
async fn open(config: Config) -> Result<(Inside, Option<String>), String> {
    let why = match Inside::open(config.clone()).await {
        Ok(house) => return Ok((house, None)),
        Err(NotServed::Store(OpenError::Failed(Failure::Corrupt(why)))) => why,
        Err(NotServed::Taken { folder }) => {
            return Err(format!(
                "{} is in use by another `houseway play` or a `houseway serve`: end that, give \
                 another folder with `--data`, or, if it serves, play there with `--server` and its \
                 address",
                folder.display()
            ));
        }
        Err(error) => return Err(error.to_string()),
    };
    let path = config.data.join(DATABASE);
    let aside = kept::put_aside(&path).map_err(|error| error.to_string())?;
    for end in ["-wal", "-shm"] {
        let with_end = |path: &Path| PathBuf::from(format!("{}{end}", path.display()));
        // There need not be one.
        let _ = std::fs::rename(with_end(&path), with_end(&aside));
    }
    let house = Inside::open(config).await.map_err(|error| error.to_string())?;
    let remark = format!(
        "{} is damaged ({why}). It is kept as {}; a new house is begun",
        path.display(),
        aside.display()
    );
    Ok((house, Some(remark)))
}

#[cfg(test)]
mod tests;
