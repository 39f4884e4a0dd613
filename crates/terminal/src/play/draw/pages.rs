//! The pages beside the table: the menu, rounds that are over, help.

use houseway_rules::describe;
use houseway_rules::rulebook::Rulebook;
use houseway_table::{Places, Time};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::menu::{FIELDS, Field};
use super::super::state::{Page, Play};
use super::Paper;
use super::felt::Shown;
use crate::look::{STRONG, WIDE, put_in, short, signed, wrapped};
use crate::words as tell;

impl Paper<'_> {
    pub(super) fn menu(&mut self, play: &Play, area: Rect) {
        let look = self.look;
        let menu = &play.menu;
        let mut row = 1;
        let fields = FIELDS.len() as u16 + 3;
        let room = usize::from(area.height.saturating_sub(fields + 2)).max(1);
        if !menu.tables.is_empty() {
            put_in(self.buffer, area, row, &look.rule("Tables", area.width));
            row += 1;
            let first = menu.cursor.min(menu.tables.len() - 1).saturating_sub(room - 1);
            for (place, info) in menu.tables.iter().enumerate().skip(first).take(room) {
                let people = match info.people {
                    1 => "1 person".to_string(),
                    more => format!("{more} people"),
                };
                let bots = match info.bots {
                    1 => "1 bot".to_string(),
                    more => format!("{more} bots"),
                };
                let posted = &info.posted.standard;
                let last = play.notes.tables.get(&play.place);
                let ours = last.is_some_and(|it| it.values().any(|table| *table == info.table));
                let mark = if ours { " (your seat)" } else { "" };
                let line = match area.width >= WIDE {
                    true => format!(
                        "{}{mark}, round {}: {people}, {bots} of {} seats, {}-{}",
                        info.rules, info.round, info.seats, posted.minimum, posted.maximum
                    ),
                    false => format!("{}{mark}, round {}", info.rules, info.round),
                };
                self.choice(area, row, place, menu.cursor, &line);
                row += 1;
            }
            row += 1;
        }
        put_in(self.buffer, area, row, &look.rule("A new table", area.width));
        row += 1;
        let rulebook = menu.rulebook(&play.library);
        let seats = Places::of(rulebook).seats;
        for (place, field) in FIELDS.into_iter().enumerate() {
            let place = menu.tables.len() + place;
            let line = match field {
                Field::Rules => format!("Rulebook     < {} >", rulebook.id),
                Field::Bots => format!("Bots         < {} >", menu.bots.min(seats - 1)),
                Field::Strategy => format!(
                    "Bots set     < {} >",
                    if menu.optimal { "the best way" } else { "the House Way" }
                ),
                Field::Stakes => {
                    let posted = menu.posted(rulebook, Time::default());
                    let range = posted.standard;
                    format!("Stakes       < {} to {} >", range.minimum, range.maximum)
                }
                Field::Open => "Open it and sit down".to_string(),
            };
            self.choice(area, row, place, menu.cursor, &line);
            row += 1;
        }
        row += 1;
        let about = format!("{}: {}", rulebook.name, rulebook.summary);
        for line in wrapped(&about, usize::from(area.width) - 4) {
            put_in(self.buffer, area, row, &Line::styled(format!("  {line}"), look.faint()));
            row += 1;
        }
    }

    pub(super) fn history(&mut self, play: &Play, area: Rect) {
        let look = self.look;
        let history = &play.history;
        let rounds = &history.rounds.rounds;
        let sum: i64 = rounds.iter().map(|round| round.net).sum();
        let number = match rounds.len() {
            1 => "1 round".to_string(),
            more => format!("{more} rounds"),
        };
        let title = format!("{number}, together {}", signed(sum));
        put_in(self.buffer, area, 0, &look.rule(&title, area.width));
        if rounds.is_empty() {
            let text =
                if history.waits { "Looking ..." } else { "You have not played a round yet." };
            put_in(self.buffer, area, 1, &Line::raw(format!(" {text}")));
            return;
        }
        let room = usize::from(area.height.saturating_sub(1)).max(1);
        let first = history.cursor.saturating_sub(room - 1);
        for (row, (place, round)) in (1..).zip(rounds.iter().enumerate().skip(first).take(room)) {
            let when = time(round.ended);
            let net = signed(round.net);
            let status = if round.status == "settled" { "" } else { &round.status };
            let text = match area.width >= WIDE {
                true => format!(
                    "{when}  {:16} round {:<5} {net:>12}  {status}",
                    round.rules, round.round
                ),
                false => format!("{:15} {:<4} {net:>9} {status}", round.rules, round.round),
            };
            self.choice(area, row, place, history.cursor, &text);
        }
    }

    pub(super) fn replay(&mut self, play: &Play, area: Rect) {
        let Some(replay) = &play.replay else { return };
        let recall = &replay.recall;
        let steps = recall.steps.len();
        let step = replay.at.checked_sub(1).map(|at| &recall.steps[at]);
        let view = step.map_or(&recall.before, |step| &step.view);
        let here = play.seat.as_ref().and_then(|seat| seat.update.as_ref());
        let here = here.filter(|update| update.table == recall.round.table);
        let shown = Shown {
            view,
            people: here.map_or(&replay.people, |update| &update.people),
            me: play.person(),
            rulebook: play.library.find(&view.rules),
        };
        let what = step.map_or("Before the round.".to_string(), |step| {
            tell::happened(&step.happened, shown.people)
        });
        let text = format!("{} of {steps}: {what}", replay.at);
        let text = short(&text, usize::from(area.width) - 2);
        put_in(self.buffer, area, 0, &Line::styled(format!(" {text}"), STRONG));
        let felt = Rect { y: area.y + 1, height: area.height - 1, ..area };
        let taken = self.felt(&shown, felt);
        let rest = Rect { y: felt.y + taken, height: felt.height.saturating_sub(taken), ..felt };
        let width = usize::from(rest.width) - 3;
        let title = format!("{}, round {}", recall.name, recall.round.round);
        let lines = match (&view.last, replay.is_at_end()) {
            (Some(past), true) if past.round == recall.round.round => {
                let mut lines = self.statement(past, &shown, width);
                if shown.rulebook.is_none() {
                    for cited in &recall.clauses {
                        let says = cited.says.as_deref().unwrap_or_default();
                        let text = format!("{}: {says}", cited.clause);
                        lines.extend(wrapped(&text, width).into_iter().map(Line::raw));
                    }
                }
                lines
            }
            _ => {
                let told = recall.steps.iter().take(replay.at).rev();
                let told = told
                    .flat_map(|step| wrapped(&tell::happened(&step.happened, shown.people), width));
                told.map(|text| Line::styled(format!(" {text}"), self.look.faint())).collect()
            }
        };
        self.scrolled(rest, &title, &lines, replay.scroll);
    }

    pub(super) fn help(&mut self, play: &Play, area: Rect, scrolled: u16) {
        let look = self.look;
        let width = usize::from(area.width).saturating_sub(2);
        let mut lines = vec![];
        let head = |text: &str| Line::styled(text.to_string(), look.gold().patch(STRONG));
        lines.push(head("Keys on this page"));
        for button in play.buttons().iter().filter(|it| !it.label.is_empty()) {
            lines.push(Line::raw(format!("  {:12} {}", button.name(), button.label)));
        }
        let paragraph = |text: &str, lines: &mut Vec<Line<'static>>| {
            lines.extend(wrapped(text, width).into_iter().map(Line::raw));
        };
        paragraph(MOUSE, &mut lines);
        lines.push(Line::raw(""));
        lines.push(head("How it is played"));
        let rulebook = play.rulebook().filter(|_| play.page != Page::Menu);
        let rulebook = rulebook.unwrap_or_else(|| play.menu.rulebook(&play.library));
        for text in HOW {
            paragraph(text, &mut lines);
        }
        paragraph(&side_bets(rulebook), &mut lines);
        paragraph(MARKS, &mut lines);
        lines.push(Line::raw(""));
        lines.push(head(&format!("{} ({})", rulebook.name, rulebook.id)));
        for fact in describe::facts(rulebook) {
            let cite =
                if fact.cite.is_empty() { String::new() } else { format!(" ({})", fact.cite) };
            let text = format!("{}: {}{cite}", fact.topic, fact.value);
            let mut first = true;
            for line in wrapped(&text, width.saturating_sub(4)) {
                lines.push(Line::raw(format!("{}{line}", if first { "  " } else { "    " })));
                first = false;
            }
        }
        self.scrolled(area, "Help, Esc closes", &lines, scrolled);
    }
}

const MOUSE: &str = "Everything that is shown can be clicked, too; Ctrl-C goes at once.";

const HOW: [&str; 3] = [
    "Everyone gets seven cards and makes two hands of them: five cards High, two cards Low in front. \
     High must be the higher of the two, or the hand is a foul.",
    "Both of yours beat the banker's: the standard wager wins. Both lose: it loses. One of each \
     pushes. A hand that is equal is a copy, and the banker wins it.",
    "The joker is an ace, or fills a straight, a flush or a straight flush.",
];

const MARKS: &str = "At a seat, B is who banks, o where the bank can go next, * who acts first; \
                     S, F and T are what lies on Standard, Fortune and Tiger 9.";

/// What decides the side bets of a house.
fn side_bets(rulebook: &Rulebook) -> String {
    let fortune = match &rulebook.fortune.only_above_banker {
        None => "The Fortune Bonus is decided by your seven cards alone, however they are set."
            .to_string(),
        Some(cite) => format!(
            "The Fortune Bonus looks at your seven cards, however they are set, and is paid only \
             where the banker's own bonus hand is lower ({cite})."
        ),
    };
    let tiger = rulebook.tiger_nine.as_ref().map_or(String::new(), |tiger| {
        format!(
            " Tiger 9 is decided by the banker's Low hand alone: it must be 9-high ({}).",
            tiger.cite
        )
    });
    format!("{fortune}{tiger}")
}

/// A time, in UTC: `2026-11-15 18:59`.
fn time(milliseconds: u64) -> String {
    let text = houseway_server::calendar::time(milliseconds);
    text.get(..16).unwrap_or(&text).replace('T', " ")
}
