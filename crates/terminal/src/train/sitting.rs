//! One sitting of drills: what is asked, what is typed, how it was answered. Nothing here draws or
//! waits, and the time is told.

use houseway_rules::{Card, CardSet};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position as Place, Rect};
use serde::Serialize;

use super::drills::{Answer, Drill, Form, Judged, Question, read_amount};
use super::schedule::Progress;
use crate::look::Look;
use crate::play::Library;

/// What can be chosen before the first question.
pub(crate) const ROWS: usize = 3;

/// A line of the log: a question, how it was answered, and what is right.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Logged {
    /// Who answered, where that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learner: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What is drilled.
    pub drill: Drill,
    /// The rulebook's id.
    pub rules: String,
    /// The number the question is made from.
    pub number: u64,
    /// What was asked.
    pub question: String,
    /// What was answered.
    pub answer: String,
    /// What is right.
    pub correct: String,
    /// The clauses behind it.
    pub clauses: Vec<String>,
    /// Whether it was.
    pub right: bool,
    /// What the answer costs for each dollar wagered, where that is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// How long it took, in milliseconds.
    pub took: u64,
    /// Whether the question had been answered wrong before.
    pub again: bool,
}

/// Where a sitting stands.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// The drill and the house are chosen.
    Choosing { row: usize },
    /// Something is asked.
    Asking(Box<Asked>),
    /// It was answered.
    Told(Box<Asked>, Judged),
    /// The sitting is over.
    Summary,
}

/// A question, as far as it is answered.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) again: bool,
    pub(crate) cards: Vec<Card>,
    pub(crate) chosen: Vec<Card>,
    pub(crate) cursor: usize,
    pub(crate) typed: String,
    since: u64,
}

/// Something done by a key or a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Do {
    Row(usize),
    Card(usize),
    Enter,
    Help,
    Quit,
}

/// One sitting.
pub struct Sitting {
    pub(crate) look: Look,
    pub(crate) library: Library,
    /// Who answers, where that was said.
    pub(crate) learner: Option<String>,
    /// The drills that are asked, and by which rulebooks.
    pub(crate) drills: Vec<Drill>,
    pub(crate) rules: Vec<String>,
    pub(crate) progress: Progress,
    pub(crate) stage: Stage,
    pub(crate) log: Vec<Logged>,
    /// Whether there is something new to keep.
    pub(crate) noted: bool,
    pub(crate) notice: Option<String>,
    /// How many questions, where that was said.
    pub(crate) most: Option<u32>,
    pub(crate) over: bool,
    /// Whether help is shown.
    pub(crate) help: bool,
    pub(crate) scroll: u16,
    chance: ChaCha8Rng,
    pub(crate) clicks: Vec<(Rect, Do)>,
    pub(crate) drill_choice: usize,
    pub(crate) rules_choice: usize,
}

/// What a sitting is about.
pub struct Plan {
    /// The drills; none asks which.
    pub drills: Vec<Drill>,
    /// The rulebooks' ids; none asks which.
    pub rules: Vec<String>,
    /// How many questions.
    pub most: Option<u32>,
    /// Where chance starts.
    pub seed: u64,
}

impl Sitting {
    /// A sitting that begins.
    pub fn new(look: Look, library: Library, progress: Progress, plan: Plan, now: u64) -> Sitting {
        let Plan { drills, rules, most, seed } = plan;
        let asks = drills.is_empty() || rules.is_empty();
        let mut sitting = Sitting {
            look,
            library,
            learner: None,
            drills,
            rules,
            progress,
            stage: Stage::Choosing { row: 2 },
            log: vec![],
            noted: false,
            notice: None,
            most,
            over: false,
            help: false,
            scroll: 0,
            chance: ChaCha8Rng::seed_from_u64(seed),
            clicks: vec![],
            drill_choice: 0,
            rules_choice: 0,
        };
        if !asks {
            sitting.ask(now);
        }
        sitting
    }

    /// The drills to choose from, by name.
    pub(crate) fn drill_names() -> Vec<String> {
        let each = Drill::ALL.iter().map(|drill| drill.id().to_string());
        each.chain(["all".to_string()]).collect()
    }

    pub(crate) fn rules_names(&self) -> Vec<String> {
        let each = self.library.all().map(|it| it.id.to_string());
        each.chain(["all".to_string()]).collect()
    }

    fn begin(&mut self, now: u64) {
        if self.drills.is_empty() {
            self.drills = match Drill::ALL.get(self.drill_choice) {
                Some(drill) => vec![*drill],
                None => Drill::ALL.to_vec(),
            };
        }
        if self.rules.is_empty() {
            let names: Vec<String> = self.library.all().map(|it| it.id.to_string()).collect();
            self.rules = match names.get(self.rules_choice) {
                Some(one) => vec![one.clone()],
                None => names,
            };
        }
        self.ask(now);
    }

    /// Asks what is due, or something new.
    fn ask(&mut self, now: u64) {
        if self.most.is_some_and(|most| self.log.len() >= most as usize) {
            self.stage = Stage::Summary;
            return;
        }
        self.scroll = 0;
        let due = self.progress.due(&self.drills, &self.rules, now);
        let (drill, rules, number, again) = if let Some(it) = due {
            (it.drill, it.rules.clone(), it.number, true)
        } else {
            let draw = self.chance.next_u64();
            let drill = self.drills[(draw >> 32) as usize % self.drills.len()];
            let rules = self.rules[(draw >> 40) as usize % self.rules.len()].clone();
            // A number that a person can read out.
            (drill, rules, draw % 1_000_000, false)
        };
        let Some(rulebook) = self.library.find(&rules) else {
            // What comes again may be of a rulebook file that is not named any more.
            self.progress.again.retain(|it| it.rules != rules);
            return self.ask(now);
        };
        let question = Question::make(drill, rulebook, number);
        let (cards, chosen) = match &question.form {
            Form::Hand(hand) => {
                let low = hand.laid.unwrap_or(CardSet::EMPTY);
                (hand.dealt.cards().from_the_top().collect(), low.from_the_top().collect())
            }
            Form::Amount(_) => (vec![], vec![]),
        };
        let (cursor, typed) = (0, String::new());
        let asked = Asked { question, again, cards, chosen, cursor, typed, since: now };
        self.stage = Stage::Asking(Box::new(asked));
    }

    /// What someone types or clicks.
    pub(crate) fn input(&mut self, event: &Event, now: u64) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, now),
            Event::Mouse(MouseEvent {
                kind: MouseEventKind::Down(MouseButton::Left),
                column,
                row,
                ..
            }) => {
                let at = Place::new(*column, *row);
                let hit = self.clicks.iter().rev().find(|(area, _)| area.contains(at));
                match hit.map(|(_, act)| *act) {
                    _ if self.help => self.close_help(),
                    Some(Do::Help) => self.open_help(),
                    Some(Do::Quit) => self.quit(),
                    Some(Do::Enter) => self.enter(now),
                    Some(Do::Card(place)) => self.toggle(place),
                    Some(Do::Row(row)) => {
                        self.stage = Stage::Choosing { row };
                        if row == ROWS - 1 { self.begin(now) } else { self.change(true) }
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }

    fn open_help(&mut self) {
        self.help = true;
        self.scroll = 0;
    }

    fn close_help(&mut self) {
        self.help = false;
        self.scroll = 0;
    }

    fn quit(&mut self) {
        match self.stage {
            Stage::Summary | Stage::Choosing { .. } => self.over = true,
            Stage::Asking(_) | Stage::Told(..) => self.stage = Stage::Summary,
        }
    }

    fn key(&mut self, key: KeyEvent, now: u64) {
        self.notice = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            self.over |= matches!(key.code, KeyCode::Char('c' | 'd' | 'q'));
            return;
        }
        if self.help {
            match key.code {
                KeyCode::Up | KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(1),
                KeyCode::Down | KeyCode::PageDown => self.scroll = self.scroll.saturating_add(1),
                KeyCode::Home => self.scroll = 0,
                KeyCode::End => self.scroll = u16::MAX,
                _ => self.close_help(),
            }
            return;
        }
        match (key.code, &mut self.stage) {
            (KeyCode::Char('?'), _) => self.open_help(),
            (KeyCode::Char('q') | KeyCode::Esc, _) => self.quit(),
            (KeyCode::Enter, _) => self.enter(now),
            (KeyCode::Up, Stage::Choosing { row }) => *row = (*row + ROWS - 1) % ROWS,
            (KeyCode::Down, Stage::Choosing { row }) => *row = (*row + 1) % ROWS,
            (KeyCode::Left, Stage::Choosing { .. }) => self.change(false),
            (KeyCode::Right, Stage::Choosing { .. }) => self.change(true),
            (KeyCode::Down | KeyCode::PageDown, Stage::Told(..) | Stage::Summary) => {
                self.scroll = self.scroll.saturating_add(1);
            }
            (KeyCode::Up | KeyCode::PageUp, Stage::Told(..) | Stage::Summary) => {
                self.scroll = self.scroll.saturating_sub(1);
            }
            (KeyCode::Down | KeyCode::PageDown, Stage::Asking(asked)) if asked.cards.is_empty() => {
                self.scroll = self.scroll.saturating_add(1);
            }
            (KeyCode::Up | KeyCode::PageUp, Stage::Asking(asked)) if asked.cards.is_empty() => {
                self.scroll = self.scroll.saturating_sub(1);
            }
            (code, Stage::Asking(asked)) => match (code, asked.cards.is_empty()) {
                (KeyCode::Left, false) => asked.cursor = asked.cursor.saturating_sub(1),
                (KeyCode::Right, false) => asked.cursor = (asked.cursor + 1).min(6),
                (KeyCode::Up | KeyCode::Down | KeyCode::Char(' '), false) => {
                    let place = asked.cursor;
                    self.toggle(place);
                }
                (KeyCode::Char(letter), true)
                    if asked.typed.len() < 14
                        && (letter.is_ascii_digit() || "+-$.,".contains(letter)) =>
                {
                    asked.typed.push(letter);
                }
                (KeyCode::Backspace, true) => drop(asked.typed.pop()),
                _ => {}
            },
            _ => {}
        }
    }

    fn change(&mut self, up: bool) {
        let Stage::Choosing { row } = self.stage else { return };
        let turn = |at: usize, of: usize| if up { (at + 1) % of } else { (at + of - 1) % of };
        match row {
            0 => self.drill_choice = turn(self.drill_choice, Sitting::drill_names().len()),
            1 => self.rules_choice = turn(self.rules_choice, self.rules_names().len()),
            _ => {}
        }
    }

    /// Puts a card in front or takes it back. A third in front sends the first back.
    fn toggle(&mut self, place: usize) {
        let Stage::Asking(asked) = &mut self.stage else { return };
        let Some(&card) = asked.cards.get(place) else { return };
        asked.cursor = place;
        if let Some(at) = asked.chosen.iter().position(|it| *it == card) {
            asked.chosen.remove(at);
            return;
        }
        if asked.chosen.len() == 2 {
            asked.chosen.remove(0);
        }
        asked.chosen.push(card);
    }

    fn enter(&mut self, now: u64) {
        let asked = match &self.stage {
            Stage::Choosing { .. } => return self.begin(now),
            Stage::Told(..) => return self.ask(now),
            Stage::Summary => {
                self.over = true;
                return;
            }
            Stage::Asking(asked) => asked.clone(),
        };
        let answer = match &asked.question.form {
            Form::Hand(_) if asked.chosen.len() == 2 => {
                let low = asked.chosen.iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
                Answer::Low(low)
            }
            Form::Hand(_) => {
                self.notice = Some("Two cards go in front.".into());
                return;
            }
            Form::Amount(_) => {
                let Some(amount) = read_amount(&asked.typed) else {
                    let why = "An amount is needed: 9.50 won, -10 lost, 0 for neither.";
                    self.notice = Some(why.into());
                    return;
                };
                Answer::Amount(amount)
            }
        };
        self.judge(*asked, &answer, now);
    }

    fn judge(&mut self, asked: Asked, answer: &Answer, now: u64) {
        let judged = asked.question.judge(answer);
        let Question { drill, rules, number, .. } = &asked.question;
        self.progress.note(*drill, rules, *number, judged.right, now);
        self.noted = true;
        self.log.push(Logged {
            learner: self.learner.clone(),
            at: now,
            drill: *drill,
            rules: rules.clone(),
            number: *number,
            question: asked.question.text().join("\n"),
            answer: judged.answered.clone(),
            correct: judged.correct.clone(),
            clauses: judged.clauses.clone(),
            right: judged.right,
            cost: judged.cost,
            took: now.saturating_sub(asked.since),
            again: asked.again,
        });
        self.scroll = 0;
        self.stage = Stage::Told(Box::new(asked), judged);
    }

    /// Every answer of this sitting.
    pub fn answers(&self) -> &[Logged] {
        &self.log
    }

    /// How many were right in this sitting, and what wrong settings cost together.
    pub fn score(&self) -> (usize, usize, f64) {
        let right = self.log.iter().filter(|it| it.right).count();
        let cost: f64 = self.log.iter().filter_map(|it| it.cost).sum();
        (right, self.log.len(), cost)
    }
}
