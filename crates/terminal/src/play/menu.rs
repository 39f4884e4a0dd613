//! The first page: tables to go on at, and a new one to open.

use houseway_rules::Cents;
use houseway_rules::rulebook::Rulebook;
use houseway_table::{Places, Posted, Range, Setup, Time};
use ratatui::crossterm::event::KeyCode;
use serde_json::{Value, json};

use super::Wishes;
use super::state::{Button, Do, Library};
use crate::heard::TableInfo;

/// Stakes to choose from beside the usual ones: the least and the most of a standard wager.
const STAKES: [(u32, u32); 3] = [(25, 2_500), (100, 10_000), (5, 500)];

/// How long people have at a server's tables, in milliseconds.
const TIME: Time = Time {
    banking: Some(20_000),
    betting: Some(45_000),
    setting: Some(90_000),
    conceding: Some(15_000),
};

/// How long results are shown to someone who plays alone, if they do not go on by themselves.
const RESULTS: u64 = 120_000;

/// The first page.
#[derive(Clone, Debug)]
pub(crate) struct Menu {
    pub(crate) tables: Vec<TableInfo>,
    pub(crate) cursor: usize,
    pub(crate) rules: usize,
    pub(crate) bots: u8,
    pub(crate) optimal: bool,
    /// Which of the stakes; the first is what is usual.
    pub(crate) stakes: usize,
    own_stakes: Option<Range>,
    touched: bool,
}

/// What can be chosen below the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Rules,
    Bots,
    Strategy,
    Stakes,
    Open,
}

pub(crate) const FIELDS: [Field; 5] =
    [Field::Rules, Field::Bots, Field::Strategy, Field::Stakes, Field::Open];

/// What was chosen.
pub(crate) enum Chosen {
    Table(u64),
    Open,
}

impl Menu {
    pub(crate) fn new(library: &Library, wishes: &Wishes) -> Menu {
        let wanted = wishes.rules.as_deref().unwrap_or("mbs-2020");
        let rules = library.all().position(|it| it.id == wanted).unwrap_or(0);
        Menu {
            tables: vec![],
            cursor: 4,
            rules,
            bots: wishes.bots.unwrap_or(3),
            optimal: wishes.optimal,
            stakes: 0,
            own_stakes: wishes.stakes,
            touched: false,
        }
    }

    /// Shows the tables that are open. Whoever has chosen nothing yet is at the first of them.
    pub(crate) fn show(&mut self, mut tables: Vec<TableInfo>) {
        let below = self.cursor.checked_sub(self.tables.len());
        tables.retain(|it| it.closed.is_none());
        self.tables = tables;
        self.cursor = match (self.touched, below) {
            (true, Some(field)) => self.tables.len() + field,
            (true, None) => self.cursor.min(self.rows() - 1),
            (false, _) if self.tables.is_empty() => FIELDS.len() - 1,
            (false, _) => 0,
        };
    }

    pub(crate) fn rows(&self) -> usize {
        self.tables.len() + FIELDS.len()
    }

    pub(crate) fn rulebook(&self, library: &Library) -> &'static Rulebook {
        library.all().nth(self.rules).expect("the choice is among them")
    }

    /// What the room would post.
    pub(crate) fn posted(&self, rulebook: &Rulebook, time: Time) -> Posted {
        let mut posted = Posted { time, ..Posted::usual(rulebook) };
        let chosen = match self.stakes.checked_sub(1) {
            None => self.own_stakes,
            Some(place) => {
                let (least, most) = STAKES[place];
                Some(Range { minimum: Cents::dollars(least), maximum: Cents::dollars(most) })
            }
        };
        if let Some(range) = chosen {
            posted.standard = range;
        }
        posted
    }

    /// The wish for a new table, or why there can be none like it.
    pub(crate) fn wish(&self, library: &Library, inside: bool) -> Result<Value, String> {
        let rulebook = self.rulebook(library);
        let time = if inside { Time::default() } else { TIME };
        let posted = self.posted(rulebook, time);
        Setup::new(rulebook.clone().into(), posted.clone()).map_err(|error| error.to_string())?;
        let seats = Places::of(rulebook).seats;
        let mut wish = json!({
            "rules": rulebook.id,
            "bots": self.bots.min(seats - 1),
            "strategy": if self.optimal { "optimal" } else { "house-way" },
            "posted": posted,
        });
        if inside {
            wish["results"] = RESULTS.into();
        }
        Ok(wish)
    }

    pub(crate) fn buttons(&self) -> Vec<Button> {
        let enter = match self.cursor < self.tables.len() {
            true => "sit at this table",
            false => "open this table",
        };
        vec![
            Button::new(KeyCode::Enter, enter, Do::Enter),
            Button::new(KeyCode::Down, "choose", Do::Down),
            Button::new(KeyCode::Right, "change", Do::Right),
            Button::new(KeyCode::Char('y'), "history", Do::History),
        ]
    }

    pub(crate) fn act(&mut self, act: &Do, library: &Library) -> Option<Chosen> {
        self.touched = true;
        let rows = self.rows();
        match act {
            Do::Up => self.cursor = (self.cursor + rows - 1) % rows,
            Do::Down => self.cursor = (self.cursor + 1) % rows,
            Do::Left => self.change(library, false),
            Do::Right => self.change(library, true),
            Do::Pick(row) if *row == self.cursor && self.is_a_choice() => {
                self.change(library, true);
            }
            Do::Pick(row) => {
                self.cursor = (*row).min(rows - 1);
                if !self.is_a_choice() {
                    return self.act(&Do::Enter, library);
                }
            }
            Do::Enter => {
                let table = self.tables.get(self.cursor);
                return Some(table.map_or(Chosen::Open, |it| Chosen::Table(it.table)));
            }
            _ => {}
        }
        None
    }

    fn is_a_choice(&self) -> bool {
        let field = self.cursor.checked_sub(self.tables.len()).map(|it| FIELDS[it]);
        field.is_some_and(|it| it != Field::Open)
    }

    fn change(&mut self, library: &Library, up: bool) {
        let Some(field) = self.cursor.checked_sub(self.tables.len()) else { return };
        let turn = |at: usize, of: usize| if up { (at + 1) % of } else { (at + of - 1) % of };
        match FIELDS[field] {
            Field::Rules => self.rules = turn(self.rules, library.all().count()),
            Field::Bots => {
                let seats = Places::of(self.rulebook(library)).seats;
                let bots = self.bots.min(seats - 1);
                self.bots = turn(usize::from(bots), usize::from(seats)) as u8;
            }
            Field::Strategy => self.optimal = !self.optimal,
            Field::Stakes => self.stakes = turn(self.stakes, STAKES.len() + 1),
            Field::Open => {}
        }
    }
}
