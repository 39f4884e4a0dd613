//! Rounds that are over: the list of them, and one told again step by step.

use std::collections::BTreeMap;

use ratatui::crossterm::event::KeyCode;

use super::state::{Button, Do};
use crate::heard::{Named, Recall, Rounds};
use crate::link::Ask;

/// The rounds one took part in, newest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    pub(crate) rounds: Rounds,
    pub(crate) cursor: usize,
    /// Whether more are on their way.
    pub(crate) waits: bool,
}

impl History {
    pub(crate) fn add(&mut self, more: Rounds) {
        self.waits = false;
        self.rounds.rounds.extend(more.rounds);
        self.rounds.next = more.next;
    }

    pub(crate) fn buttons(&self) -> Vec<Button> {
        let mut all = vec![];
        if !self.rounds.rounds.is_empty() {
            all.push(Button::new(KeyCode::Enter, "replay", Do::Enter));
            all.push(Button::new(KeyCode::Down, "choose", Do::Down));
        }
        all.push(Button::new(KeyCode::Esc, "back", Do::Back));
        all
    }

    pub(crate) fn act(&mut self, act: &Do) -> Option<Ask> {
        let last = self.rounds.rounds.len().checked_sub(1)?;
        match act {
            Do::Up => self.cursor = self.cursor.saturating_sub(1),
            Do::Down if self.cursor < last => self.cursor += 1,
            // At the end of what is here, there may be more.
            Do::Down => {
                let before = self.rounds.next.take()?;
                self.waits = true;
                return Some(Ask::History { before: Some(before) });
            }
            Do::Pick(row) => {
                self.cursor = (*row).min(last);
                return self.act(&Do::Enter);
            }
            Do::Enter => {
                let round = &self.rounds.rounds[self.cursor.min(last)];
                return Some(Ask::Recall { table: round.table, round: round.round });
            }
            _ => {}
        }
        None
    }
}

/// A round told again.
#[derive(Clone, Debug)]
pub(crate) struct Replay {
    pub(crate) recall: Recall,
    /// How many steps have been told.
    pub(crate) at: usize,
    pub(crate) scroll: u16,
    /// What people are called by where they sat: a round does not tell names.
    pub(crate) people: BTreeMap<u32, Named>,
}

impl Replay {
    pub(crate) fn new(mut recall: Recall) -> Replay {
        let this = recall.round.round;
        let mut people = BTreeMap::new();
        let steps = recall.steps.iter_mut().map(|step| &mut step.view);
        for view in std::iter::once(&mut recall.before).chain(steps) {
            // The round before this one is not what is told.
            view.last.take_if(|last| last.round != this);
            for seat in &view.seats {
                if let Some(person) = seat.person {
                    let name = format!("Seat {}", seat.position.0);
                    people.insert(person.0, Named { name });
                }
            }
        }
        Replay { recall, at: 0, scroll: 0, people }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.recall.steps.len()
    }

    pub(crate) fn act(&mut self, act: &Do) {
        match act {
            Do::Left => {
                self.at = self.at.saturating_sub(1);
                self.scroll = 0;
            }
            Do::Right => self.at = (self.at + 1).min(self.recall.steps.len()),
            Do::Enter => self.at = self.recall.steps.len(),
            Do::Up => self.scroll = self.scroll.saturating_sub(1),
            Do::Down => self.scroll = self.scroll.saturating_add(1),
            _ => {}
        }
    }
}

pub(crate) fn replay_buttons() -> Vec<Button> {
    vec![
        Button::new(KeyCode::Right, "step", Do::Right),
        Button::new(KeyCode::Enter, "to the end", Do::Enter),
        Button::new(KeyCode::Down, "scroll", Do::Down),
        Button::new(KeyCode::Esc, "back", Do::Back),
    ]
}
