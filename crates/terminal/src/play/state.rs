//! What is on the screen, and how it changes by keys and by what the house says. Nothing here draws
//! and nothing waits: what is wanted of the house is put into `asks`.

use std::collections::{BTreeMap, VecDeque};

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Cents, houses};
use houseway_table::Person;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position as Place, Rect};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::menu::Menu;
use super::rounds::{History, Replay};
use super::seat::Seat;
use super::{Wishes, advice, draw, moves};
use crate::heard::{Answer, Me, Update};
use crate::link::{Ask, Said};
use crate::look::Look;

/// How many rows a page of help is scrolled by.
const PAGE: u16 = 10;

/// Rulebooks by id: the houses, and files that were named. They are held as long as the program runs.
#[derive(Clone, Default)]
pub struct Library(Vec<&'static Rulebook>);

impl Library {
    /// Adds a rulebook from a file.
    pub fn add(&mut self, rulebook: Rulebook) {
        self.0.push(Box::leak(Box::new(rulebook)));
    }

    pub(crate) fn find(&self, id: &str) -> Option<&'static Rulebook> {
        self.0.iter().find(|it| it.id == id).copied().or_else(|| houses::find(id))
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &'static Rulebook> {
        houses::HOUSES.into_iter().chain(self.0.iter().copied())
    }
}

/// What is kept between runs beside the house: who we are to servers, and where we sat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Notes {
    /// What we show to servers, by address.
    pub(crate) tokens: BTreeMap<String, String>,
    /// The last table under each rulebook, by address and rulebook.
    pub(crate) tables: BTreeMap<String, BTreeMap<String, u64>>,
}

/// Something that can be done, by a key or a click.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Do {
    Quit,
    Help,
    Back,
    Up,
    Down,
    Left,
    Right,
    Pick(usize),
    Enter,
    History,
    Seat(super::seat::Move),
}

/// A key with what it does, as it is shown and clicked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Button {
    pub(crate) key: KeyCode,
    pub(crate) label: String,
    pub(crate) act: Do,
}

impl Button {
    pub(crate) fn new(key: KeyCode, label: impl Into<String>, act: Do) -> Button {
        Button { key, label: label.into(), act }
    }

    /// The key as people call it.
    pub(crate) fn name(&self) -> String {
        match self.key {
            KeyCode::Enter => "Enter".into(),
            KeyCode::Esc => "Esc".into(),
            KeyCode::Tab => "Tab".into(),
            KeyCode::Backspace => "Back".into(),
            KeyCode::Char(' ') => "Space".into(),
            KeyCode::Char(letter) => letter.to_string(),
            KeyCode::Up | KeyCode::Down => "up/down".into(),
            KeyCode::Left | KeyCode::Right => "left/right".into(),
            _ => String::new(),
        }
    }
}

/// Which page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Menu,
    Table,
    History,
    Replay,
}

/// How the link to the house stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Opening,
    Here,
    Lost(String),
}

/// Why the program ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Whoever played goes.
    Gone,
    /// It cannot be played.
    Because(String),
}

/// Something to be told in a line, until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) wrong: bool,
}

/// The program as it stands.
pub struct Play {
    pub(crate) look: Look,
    pub(crate) library: Library,
    pub(crate) wishes: Wishes,
    /// Where we play, as it is written in the notes.
    pub(crate) place: String,
    pub(crate) notes: Notes,
    /// Whether the notes are to be written.
    pub(crate) noted: bool,
    pub(crate) me: Option<Me>,
    pub(crate) standing: Standing,
    pub(crate) page: Page,
    pub(crate) help: Option<u16>,
    pub(crate) notice: Option<Notice>,
    pub(crate) menu: Menu,
    pub(crate) seat: Option<Seat>,
    pub(crate) history: History,
    pub(crate) replay: Option<Replay>,
    /// Why it is over, if it is.
    pub(crate) over: Option<End>,
    /// What the house's clock is ahead of ours, in milliseconds.
    pub(crate) ahead: i64,
    pub(crate) asks: VecDeque<Ask>,
    pub(crate) commands: Commands,
    /// Where can be clicked, since the last frame.
    clicks: Vec<(Rect, Do)>,
}

/// Commands go one after the other: what comes second may need what the first did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commands {
    waiting: VecDeque<Value>,
    under_way: Option<Value>,
    /// Where the table's log stood after the last one.
    pub(crate) version: u64,
    /// Whether some of them bring or take money.
    pub(crate) move_money: bool,
}

impl Commands {
    pub(crate) fn are_done(&self) -> bool {
        self.under_way.is_none() && self.waiting.is_empty()
    }

    /// Whether such a command is on its way already.
    pub(crate) fn hold(&self, command: &Value) -> bool {
        self.under_way.iter().chain(&self.waiting).any(|it| it == command)
    }
}

impl Play {
    pub(crate) fn new(
        look: Look,
        library: Library,
        wishes: Wishes,
        place: String,
        notes: Notes,
    ) -> Play {
        let menu = Menu::new(&library, &wishes);
        Play {
            look,
            library,
            wishes,
            place,
            notes,
            noted: false,
            me: None,
            standing: Standing::Opening,
            page: Page::Menu,
            help: None,
            notice: None,
            menu,
            seat: None,
            history: History::default(),
            replay: None,
            over: None,
            ahead: 0,
            asks: VecDeque::new(),
            commands: Commands::default(),
            clicks: vec![],
        }
    }

    pub(crate) fn person(&self) -> Option<Person> {
        self.me.as_ref().map(|me| me.person)
    }

    pub(crate) fn rulebook(&self) -> Option<&'static Rulebook> {
        self.library.find(&self.seat.as_ref()?.update.as_ref()?.view.rules)
    }

    pub(crate) fn tell(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), wrong: false });
    }

    pub(crate) fn warn(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), wrong: true });
    }

    /// Whether something on the screen changes with time alone.
    pub(crate) fn ticks(&self) -> bool {
        let update = self.seat.as_ref().and_then(|seat| seat.update.as_ref());
        self.page == Page::Table && update.is_some_and(|it| it.view.until.is_some())
    }

    // --- what the house says ---

    pub(crate) fn hear(&mut self, said: Said) {
        match said {
            Said::In(me, token) => {
                if self.place != super::INSIDE {
                    self.notes.tokens.insert(self.place.clone(), token);
                    self.noted = true;
                }
                let first = self.me.is_none();
                self.me = Some(me);
                self.asks.push_back(Ask::Tables);
                if first {
                    self.begin();
                }
            }
            Said::Me(me) => self.me = Some(me),
            Said::Here => self.standing = Standing::Here,
            Said::Lost(why) => self.standing = Standing::Lost(why),
            Said::Over(why) => self.over = Some(End::Because(why)),
            Said::Tables(tables) => self.menu.show(tables),
            Said::Opened(table) => self.go_to(table),
            Said::Table(update) => self.table(*update),
            Said::Answered { version, answer } => self.answered(version, answer),
            Said::Rounds(rounds) => self.history.add(rounds),
            Said::Recall(recall) => {
                self.replay = Some(Replay::new(*recall));
                self.page = Page::Replay;
            }
            Said::Given(amount) => {
                self.tell(format!("The cashier gives you {amount} of play money."));
                self.asks.push_back(Ask::Me);
            }
            Said::No(why) => {
                let nowhere = self.seat.as_ref().is_some_and(|seat| seat.update.is_none());
                if nowhere {
                    self.seat = None;
                    self.page = Page::Menu;
                }
                self.history.waits = false;
                self.warn(why);
            }
        }
    }

    /// What was asked for on the command line, once the house is there.
    fn begin(&mut self) {
        let Some(rules) = self.wishes.rules.clone() else { return };
        let kept = self.notes.tables.get(&self.place).and_then(|it| it.get(&rules)).copied();
        match kept.filter(|_| !self.wishes.new) {
            Some(table) => self.go_to(table),
            None => self.open(),
        }
    }

    pub(crate) fn open(&mut self) {
        let inside = self.place == super::INSIDE;
        match self.menu.wish(&self.library, inside) {
            Ok(wish) => self.asks.push_back(Ask::Open(wish)),
            Err(why) => self.warn(why),
        }
    }

    pub(crate) fn go_to(&mut self, table: u64) {
        self.seat = Some(Seat::new(table));
        self.commands = Commands::default();
        self.page = Page::Table;
        self.asks.push_back(Ask::Watch(table));
    }

    fn table(&mut self, update: Update) {
        let Some(seat) = self.seat.as_mut().filter(|it| it.table == update.table) else { return };
        let now = super::now();
        self.ahead = i64::try_from(update.now).unwrap_or(now).saturating_sub(now);
        let rules = update.view.rules.clone();
        let (table, place) = (update.table, self.place.clone());
        if seat.update.is_none()
            && let Some(rulebook) = self.library.find(&rules)
        {
            advice::prepare(rulebook);
        }
        let ended = seat.show(update, self.me.as_ref().map(|me| me.person));
        let seat = &*seat;
        let seated = seat.is_seated(self.me.as_ref().map(|me| me.person));
        if seated && self.notes.tables.entry(place.clone()).or_default().get(&rules) != Some(&table)
        {
            self.notes.tables.entry(place).or_default().insert(rules, table);
            self.noted = true;
        }
        if ended {
            self.asks.push_back(Ask::Me);
        }
        self.settle_wanted();
    }

    /// What was wanted is forgotten once the table shows what became of it.
    fn settle_wanted(&mut self) {
        let done = self.commands.are_done();
        let version = self.commands.version;
        if let Some(seat) = &mut self.seat
            && done
            && seat.update.as_ref().is_some_and(|it| it.version >= version)
        {
            seat.wanted.clear();
        }
    }

    fn answered(&mut self, version: u64, answer: Answer) {
        self.commands.under_way = None;
        self.commands.version = self.commands.version.max(version);
        match answer {
            Answer::Done => {}
            Answer::Refused { says } => {
                self.commands.waiting.clear();
                if let Some(seat) = &mut self.seat {
                    seat.refused();
                }
                self.warn(format!("Not done: {says}."));
            }
        }
        self.send_next();
        self.settle_wanted();
        if self.commands.are_done() && std::mem::take(&mut self.commands.move_money) {
            self.asks.push_back(Ask::Me);
        }
    }

    // --- commands ---

    pub(crate) fn command(&mut self, command: Value) {
        self.commands.waiting.push_back(command);
        self.send_next();
    }

    fn send_next(&mut self) {
        let Some(table) = self.seat.as_ref().map(|seat| seat.table) else { return };
        if self.commands.under_way.is_some() {
            return;
        }
        if let Some(command) = self.commands.waiting.pop_front() {
            self.commands.under_way = Some(command.clone());
            self.asks.push_back(Ask::Command { table, id: Uuid::now_v7(), command });
        }
    }

    // --- keys and the mouse ---

    /// What someone types or clicks.
    pub(crate) fn input(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            if matches!(key.code, KeyCode::Char('c' | 'd' | 'q')) {
                self.over = Some(End::Gone);
            }
            return;
        }
        self.notice = None;
        if let Some(scrolled) = self.help {
            self.help = match key.code {
                KeyCode::Down | KeyCode::Char('j') => Some(scrolled.saturating_add(1)),
                KeyCode::Up | KeyCode::Char('k') => Some(scrolled.saturating_sub(1)),
                KeyCode::PageDown | KeyCode::Char(' ') => Some(scrolled.saturating_add(PAGE)),
                KeyCode::PageUp => Some(scrolled.saturating_sub(PAGE)),
                KeyCode::Home => Some(0),
                KeyCode::End => Some(u16::MAX),
                _ => None,
            };
            return;
        }
        if let Some(seat) = self.seat.as_mut().filter(|_| self.page == Page::Table)
            && seat.words.is_some()
        {
            if let Some(words) = seat.type_words(key.code) {
                self.command(serde_json::json!({"do": "say", "words": words}));
            }
            return;
        }
        let code = match key.code {
            KeyCode::BackTab => KeyCode::Up,
            KeyCode::Delete => KeyCode::Backspace,
            code => code,
        };
        if let Some(seat) = self.seat.as_mut().filter(|_| self.page == Page::Table)
            && seat.type_amount(code)
        {
            return;
        }
        let button = self.buttons().into_iter().find(|button| button.key == code);
        let act = button.map(|button| button.act).or(match code {
            KeyCode::Up | KeyCode::PageUp | KeyCode::Char('k') => Some(Do::Up),
            KeyCode::Down | KeyCode::PageDown | KeyCode::Char('j') => Some(Do::Down),
            KeyCode::Left => Some(Do::Left),
            KeyCode::Right => Some(Do::Right),
            _ => None,
        });
        if let Some(act) = act {
            self.act(act);
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let at = Place::new(mouse.column, mouse.row);
                let hit = self.clicks.iter().rev().find(|(area, _)| area.contains(at)).cloned();
                if let Some((_, act)) = hit {
                    self.notice = None;
                    self.act(act);
                } else if self.help.is_some() {
                    self.help = None;
                }
            }
            MouseEventKind::ScrollDown => self.scroll(true),
            MouseEventKind::ScrollUp => self.scroll(false),
            _ => {}
        }
    }

    fn scroll(&mut self, down: bool) {
        match (self.help, down) {
            (Some(by), true) => self.help = Some(by.saturating_add(3)),
            (Some(by), false) => self.help = Some(by.saturating_sub(3)),
            (None, true) => self.act(Do::Down),
            (None, false) => self.act(Do::Up),
        }
    }

    /// Everything that can be done now, by key.
    pub(crate) fn buttons(&self) -> Vec<Button> {
        let mut all = match self.page {
            Page::Menu => self.menu.buttons(),
            Page::Table => moves::buttons(self),
            Page::History => self.history.buttons(),
            Page::Replay => super::rounds::replay_buttons(),
        };
        all.push(Button::new(KeyCode::Char('?'), "help", Do::Help));
        all.push(Button::new(KeyCode::Char('q'), "quit", Do::Quit));
        all
    }

    pub(crate) fn act(&mut self, act: Do) {
        match (act, self.page) {
            (Do::Quit, _) => self.over = Some(End::Gone),
            (Do::Help, _) => self.help = Some(0),
            (Do::History, _) => {
                self.page = Page::History;
                self.history = History { waits: true, ..History::default() };
                self.asks.push_back(Ask::History { before: None });
            }
            (Do::Back, Page::Replay) => self.page = Page::History,
            (Do::Back, Page::History) if self.seat.is_some() => self.page = Page::Table,
            (Do::Back, Page::Table) if self.seat.as_mut().is_some_and(Seat::step_back) => {}
            (Do::Back, _) => {
                self.page = Page::Menu;
                self.asks.push_back(Ask::Tables);
                self.asks.push_back(Ask::Me);
            }
            (Do::Seat(step), Page::Table) => moves::act(self, step),
            (act, Page::Menu) => self.in_menu(&act),
            (act, Page::Table) => {
                let (me, rulebook) = (self.person(), self.rulebook());
                if let Some(seat) = &mut self.seat {
                    seat.arrows(&act, me, rulebook);
                }
            }
            (act, Page::History) => {
                if let Some(ask) = self.history.act(&act) {
                    self.asks.push_back(ask);
                }
            }
            (act, Page::Replay) => {
                if let Some(replay) = &mut self.replay {
                    replay.act(&act);
                }
            }
        }
    }

    fn in_menu(&mut self, act: &Do) {
        match self.menu.act(act, &self.library) {
            None => {}
            Some(super::menu::Chosen::Table(table)) => self.go_to(table),
            Some(super::menu::Chosen::Open) => self.open(),
        }
    }

    /// Draws what there is, and notes where it can be clicked.
    pub(crate) fn draw(&mut self, buffer: &mut Buffer) {
        let drawn = draw::draw(self, buffer);
        self.clicks = drawn.clicks;
        // Nobody scrolls further than there is something to see.
        let scroll = match (&mut self.help, &mut self.seat, &mut self.replay) {
            (Some(scroll), _, _) => scroll,
            (None, Some(seat), _) if self.page == Page::Table => &mut seat.scroll,
            (None, _, Some(replay)) if self.page == Page::Replay => &mut replay.scroll,
            _ => return,
        };
        *scroll = (*scroll).min(drawn.furthest);
    }
}

/// An amount as it is said to a house.
pub(crate) fn cents(amount: Cents) -> Value {
    Value::from(amount.get())
}
