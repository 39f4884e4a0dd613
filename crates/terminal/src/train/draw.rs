//! The pages of `train`, drawn.

use std::collections::BTreeMap;

use houseway_rules::{Card, CardSet};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::drills::{Drill, Form, Judged};
use super::sitting::{Asked, Do, ROWS, Sitting, Stage};
use crate::look::{BAR, Look, STRONG, WIDE, named, put, short, too_small, wrapped};

/// Draws a sitting, and notes where it can be clicked. Nobody scrolls further than there is
/// something to see.
pub(crate) fn draw(sitting: &mut Sitting, buffer: &mut Buffer) {
    sitting.clicks.clear();
    if too_small(buffer) {
        return;
    }
    let look = sitting.look.at(buffer.area.width);
    let mut paper = Paper { buffer, look, clicks: vec![], row: 0, furthest: 0 };
    paper.page(sitting);
    let Paper { clicks, furthest, .. } = paper;
    sitting.clicks = clicks;
    sitting.scroll = sitting.scroll.min(furthest);
}

struct Paper<'a> {
    buffer: &'a mut Buffer,
    look: Look,
    clicks: Vec<(Rect, Do)>,
    row: u16,
    furthest: u16,
}

impl Paper<'_> {
    fn page(&mut self, sitting: &Sitting) {
        let (look, area) = (self.look, self.buffer.area);
        self.title(sitting, area);
        match &sitting.stage {
            _ if sitting.help => self.help(sitting.scroll),
            Stage::Choosing { row } => self.choosing(sitting, *row),
            Stage::Asking(asked) => self.asking(sitting, asked),
            Stage::Told(asked, judged) => self.told(sitting, asked, judged),
            Stage::Summary => self.summary(sitting),
        }
        if let Some(notice) = &sitting.notice {
            let lines = wrapped(notice, usize::from(area.width) - 2);
            let first = area.bottom().saturating_sub(1 + lines.len() as u16);
            for (row, line) in (first..).zip(lines) {
                put(self.buffer, 1, row, &Line::styled(line, look.bad()));
            }
        }
        let mut keys = match &sitting.stage {
            _ if sitting.help => vec![("Esc", "close", Do::Help)],
            Stage::Choosing { .. } => vec![("Enter", "begin", Do::Enter), ("q", "quit", Do::Quit)],
            Stage::Asking(asked) if asked.cards.is_empty() => {
                vec![("Enter", "answer", Do::Enter), ("Esc", "end", Do::Quit)]
            }
            Stage::Asking(asked) => vec![
                ("Enter", "answer", Do::Enter),
                ("Space", "move", Do::Card(asked.cursor)),
                ("q", "end", Do::Quit),
            ],
            Stage::Told(..) => vec![("Enter", "next", Do::Enter), ("q", "end", Do::Quit)],
            Stage::Summary => vec![("Enter", "close", Do::Enter)],
        };
        if !sitting.help {
            keys.push(("?", "help", Do::Help));
        }
        self.keys(area, &keys);
    }

    fn title(&mut self, sitting: &Sitting, area: Rect) {
        let (right, asked, _) = sitting.score();
        let score = if asked > 0 { format!("{right} of {asked} right ") } else { String::new() };
        let left = format!(" Houseway{}drills", self.look.dot());
        let width = usize::from(area.width);
        let left = short(&left, width.saturating_sub(score.width()));
        let fill = " ".repeat(width.saturating_sub(left.width() + score.width()));
        let line = Line::styled(format!("{left}{fill}{score}"), BAR);
        put(self.buffer, 0, 0, &line);
        self.row = 2;
    }

    fn keys(&mut self, area: Rect, keys: &[(&str, &str, Do)]) {
        let (mut x, y) = (0, area.bottom() - 1);
        for (key, label, act) in keys {
            let width = (key.width() + label.width() + 1) as u16;
            let key = Span::styled((*key).to_string(), self.look.gold().patch(STRONG));
            put(self.buffer, x, y, &Line::from(vec![key, Span::raw(format!(" {label}"))]));
            self.clicks.push((Rect::new(x, y, width, 1), *act));
            x += width + if area.width < WIDE { 2 } else { 3 };
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        if self.row + 1 < self.buffer.area.bottom() {
            put(self.buffer, 1, self.row, line);
        }
        self.row += 1;
    }

    fn text(&mut self, text: &str, style: Style) {
        for line in wrapped(text, usize::from(self.buffer.area.width) - 3) {
            self.line(&Line::styled(line, style));
        }
    }

    fn choosing(&mut self, sitting: &Sitting, at: usize) {
        let look = self.look;
        let drill = &Sitting::drill_names()[sitting.drill_choice];
        let rules = &sitting.rules_names()[sitting.rules_choice];
        let given = |all: &[String]| all.join(", ");
        let drills: Vec<String> = sitting.drills.iter().map(|it| it.id().to_string()).collect();
        let drill = if drills.is_empty() { format!("< {drill} >") } else { given(&drills) };
        let rules =
            if sitting.rules.is_empty() { format!("< {rules} >") } else { given(&sitting.rules) };
        let rows: [String; ROWS] =
            [format!("Drill    {drill}"), format!("House    {rules}"), "Begin".to_string()];
        for (place, text) in rows.into_iter().enumerate() {
            let chosen = place == at;
            let sign = if chosen { look.pointer() } else { " " };
            let style = if chosen { STRONG } else { Style::new() };
            let there = Rect::new(0, self.row, self.buffer.area.width, 1);
            self.clicks.push((there, Do::Row(place)));
            let sign = Span::styled(format!("{sign} "), look.gold());
            self.line(&Line::from(vec![sign, Span::styled(text, style)]));
        }
        self.row += 1;
        if let Some(drill) = Drill::ALL.get(sitting.drill_choice) {
            self.text(drill.asks(), look.faint());
        } else {
            self.text("All drills, mixed.", look.faint());
        }
        let waiting = sitting.progress.again.len();
        if waiting > 0 {
            self.row += 1;
            let text = format!("{waiting} questions that were answered wrong will come again.");
            self.text(&text, look.gold());
        }
        for (name, score) in &sitting.progress.scores {
            let share = score.right * 100 / score.asked.max(1);
            let text = format!("{name:26} {} of {} right, {share} %", score.right, score.asked);
            self.line(&Line::styled(text, look.faint()));
        }
    }

    fn question(&mut self, sitting: &Sitting, asked: &Asked) {
        let look = self.look;
        let question = &asked.question;
        let number = format!("{}/{} {:06}", question.drill.id(), question.rules, question.number);
        let again = if asked.again { ", once more" } else { "" };
        let number = format!("{number}{again}");
        self.line(&Line::styled(number, look.faint()));
        self.text(question.drill.asks(), STRONG);
        self.row += 1;
        let width = usize::from(self.buffer.area.width) - 2;
        // Hands are lined up; only what does not fit is broken.
        let about = question.about.iter().flat_map(|line| match line.width() > width {
            true => wrapped(line, width - 1),
            false => vec![line.clone()],
        });
        let about: Vec<Line<'static>> = about.map(Line::raw).collect();
        if let Form::Hand(_) = question.form {
            self.hand(sitting, asked);
            return;
        }
        if let Stage::Asking(_) = sitting.stage {
            // What is typed stays in sight below, however small the window is.
            let left = self.buffer.area.height.saturating_sub(self.row + 4);
            self.scrolled(about, usize::from(left), sitting.scroll);
        } else {
            for line in &about {
                self.line(line);
            }
        }
        self.row += 1;
        let typed = format!("Player 1: {}_", asked.typed);
        self.line(&Line::styled(typed, STRONG));
    }

    fn hand(&mut self, sitting: &Sitting, asked: &Asked) {
        let look = self.look;
        let y = self.row;
        for (place, &card) in asked.cards.iter().enumerate() {
            let front = asked.chosen.contains(&card);
            let x = 2 + place as u16 * 5;
            look.large_card(self.buffer, (x, y + if front { 0 } else { 2 }), card, front);
            if place == asked.cursor {
                let sign = if look.ascii { "^^" } else { "▲▲" };
                put(self.buffer, x + 1, y + 5, &Line::styled(sign, look.gold()));
            }
            self.clicks.push((Rect::new(x, y, 5, 6), Do::Card(place)));
        }
        self.row += 6;
        let high: Vec<Card> =
            asked.cards.iter().copied().filter(|it| !asked.chosen.contains(it)).collect();
        let rulebook = sitting.library.find(&asked.question.rules);
        let names = rulebook.and_then(|it| named(it.ranking(), &asked.chosen, &high));
        if let Some((low, high)) = names {
            self.text(&format!("Low {low}, High {high}"), STRONG);
        } else {
            self.text("Left and right, then Space puts a card in front.", look.faint());
        }
    }

    fn asking(&mut self, sitting: &Sitting, asked: &Asked) {
        self.question(sitting, asked);
    }

    fn told(&mut self, sitting: &Sitting, asked: &Asked, judged: &Judged) {
        let look = self.look;
        let (word, style) = match judged.right {
            true => ("Right.".to_string(), look.good()),
            false => (format!("No: {}, not {}.", judged.correct, judged.answered), look.bad()),
        };
        self.text(&word, style.patch(STRONG));
        if let Some(cost) = judged.cost.filter(|_| !judged.right) {
            self.text(&format!("That costs {cost:.5} of each dollar wagered."), look.bad());
        }
        if let (Form::Hand(_), false) = (&asked.question.form, judged.right) {
            let correct: CardSet = judged.correct.parse().unwrap_or(CardSet::EMPTY);
            let low: Vec<Card> = correct.from_the_top().collect();
            let rest = asked.cards.iter().copied().filter(|it| !correct.contains(*it));
            let high: Vec<Card> = rest.collect();
            let mut line = look.cards(&low, " ");
            line.push(Span::raw("   "));
            line.extend(look.cards(&high, " "));
            self.line(&Line::from(line));
        }
        let width = usize::from(self.buffer.area.width) - 3;
        let lines = judged.why.iter().flat_map(|it| {
            let indent = if it.starts_with(' ') { "  " } else { "" };
            let lines = wrapped(it, width - indent.len()).into_iter();
            lines.map(move |line| format!("{indent}{line}"))
        });
        let lines: Vec<String> = lines.collect();
        // The question follows where there is room for it.
        let room =
            usize::from(self.buffer.area.height.saturating_sub(self.row + 3)).min(lines.len());
        let lines = lines.into_iter().map(|line| Line::styled(line, look.faint())).collect();
        self.scrolled(lines, room, sitting.scroll);
        self.row += 1;
        self.question(sitting, asked);
    }

    /// Lines of which so many are shown, from where they were scrolled to.
    fn scrolled(&mut self, lines: Vec<Line<'static>>, room: usize, scroll: u16) {
        let furthest = lines.len().saturating_sub(room);
        self.furthest = furthest as u16;
        let first = usize::from(scroll).min(furthest);
        let shown = (first + room).min(lines.len());
        let more = format!("(up/down: {shown} of {})", lines.len());
        for line in lines.into_iter().skip(first).take(room) {
            self.line(&line);
        }
        if furthest > 0 {
            self.line(&Line::styled(more, self.look.gold()));
        }
    }

    fn help(&mut self, scroll: u16) {
        let look = self.look;
        let width = usize::from(self.buffer.area.width) - 3;
        let mut lines = vec![];
        for drill in Drill::ALL {
            lines.push(Line::styled(drill.id(), look.gold().patch(STRONG)));
            lines.extend(wrapped(drill.teaches(), width).into_iter().map(Line::raw));
        }
        for text in KEYS {
            lines.push(Line::raw(""));
            lines.extend(wrapped(text, width).into_iter().map(Line::raw));
        }
        let room = usize::from(self.buffer.area.height.saturating_sub(self.row + 2));
        self.scrolled(lines, room, scroll);
    }

    fn summary(&mut self, sitting: &Sitting) {
        let look = self.look;
        for line in super::summary(sitting) {
            self.text(&line, Style::new());
        }
        self.row += 1;
        let wrong: Vec<_> = sitting.log.iter().filter(|it| !it.right).collect();
        if !wrong.is_empty() {
            self.text("To look at again:", look.gold());
            let width = usize::from(self.buffer.area.width) - 3;
            let lines = wrong.iter().flat_map(|it| {
                let name = format!("{}/{} {:06}", it.drill.id(), it.rules, it.number);
                wrapped(&format!("{name}: {} is right, not {}", it.correct, it.answer), width)
            });
            let lines: Vec<_> = lines.map(|line| Line::styled(line, look.faint())).collect();
            // Below it is a line for each drill, and the keys.
            let below = self.row + 3 + Drill::ALL.len() as u16;
            let room = usize::from(self.buffer.area.height.saturating_sub(below)).max(1);
            self.scrolled(lines, room, sitting.scroll);
        }
        let mut by: BTreeMap<&str, usize> = BTreeMap::new();
        for it in &sitting.progress.again {
            *by.entry(it.drill.id()).or_default() += 1;
        }
        for (drill, number) in by {
            self.text(&format!("{drill}: {number} will come again."), look.faint());
        }
    }
}

const KEYS: [&str; 4] = [
    "A hand: left and right choose a card, Space puts it in front or back, Enter answers. Cards can \
     be clicked.",
    "An amount: 9.50 won, -10 lost, 0 for neither; Enter answers.",
    "What is answered wrong comes again: three questions later, then after 1, 3, 7 and 21 days. What \
     was answered is kept at once, and q or Esc sums up and ends.",
    "Every question has a number, and the same number is the same question everywhere.",
];

#[cfg(test)]
mod tests {
    use ratatui::buffer::Cell;
    use ratatui::crossterm::event::{Event, KeyCode};

    use super::*;
    use crate::play::Library;
    use crate::train::{Plan, Progress};

    fn sitting(drill: Drill) -> Sitting {
        let look = Look { colour: true, ascii: false };
        let rules = vec!["mbs-2020".to_string()];
        let plan = Plan { drills: vec![drill], rules, most: Some(1), seed: 3 };
        Sitting::new(look, Library::default(), Progress::default(), plan, 0)
    }

    fn screen(sitting: &mut Sitting, width: u16, height: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        draw(sitting, &mut buffer);
        let rows = buffer.content.chunks(usize::from(width));
        let text = |row: &[Cell]| row.iter().map(Cell::symbol).collect();
        rows.map(text).collect::<Vec<String>>().join("\n")
    }

    fn press(sitting: &mut Sitting, keys: &[KeyCode]) {
        for &key in keys {
            sitting.input(&Event::Key(key.into()), 5_000);
        }
    }

    #[test]
    fn a_hand_is_set_and_told() {
        let mut sitting = sitting(Drill::Best);
        let shown = screen(&mut sitting, 80, 24);
        assert!(shown.contains("Set this hand the way that is worth most."), "{shown}");
        assert_eq!(shown.matches("┌──┐").count(), 7, "{shown}");
        press(&mut sitting, &[KeyCode::Enter]);
        assert!(screen(&mut sitting, 80, 24).contains("Two cards go in front."));
        press(&mut sitting, &[KeyCode::Char(' '), KeyCode::Right, KeyCode::Char(' ')]);
        let shown = screen(&mut sitting, 80, 24);
        assert_eq!(shown.matches("╔══╗").count(), 2, "{shown}");
        let narrow = screen(&mut sitting, 40, 20);
        assert!(narrow.is_ascii() && narrow.matches("====").count() >= 2, "{narrow}");
        press(&mut sitting, &[KeyCode::Enter]);
        let shown = screen(&mut sitting, 80, 24);
        assert!(shown.contains("Worth ") && shown.contains("of 1 right"), "{shown}");
        press(&mut sitting, &[KeyCode::Enter]);
        let shown = screen(&mut sitting, 80, 24);
        assert!(shown.contains("best ") && shown.contains("5 s each"), "{shown}");
        press(&mut sitting, &[KeyCode::Enter]);
        assert!(sitting.over);
    }

    #[test]
    fn help_is_a_key_away_and_scrolls_no_further_than_its_end() {
        let mut sitting = sitting(Drill::Best);
        let before = screen(&mut sitting, 40, 20);
        press(&mut sitting, &[KeyCode::Char('?')]);
        let first = screen(&mut sitting, 40, 20);
        assert!(first.contains("house-way") && first.contains("up/down"), "{first}");
        press(&mut sitting, &[KeyCode::End]);
        let last = screen(&mut sitting, 40, 20);
        assert!(last.contains("(up/down: 35 of 35)"), "{last}");
        press(&mut sitting, &[KeyCode::PageDown]);
        assert_eq!(screen(&mut sitting, 40, 20), last);
        press(&mut sitting, &[KeyCode::Up]);
        assert_ne!(screen(&mut sitting, 40, 20), last);
        press(&mut sitting, &[KeyCode::Esc]);
        assert_eq!(screen(&mut sitting, 40, 20), before);
        assert!(!sitting.over);
    }

    /// Also in the smallest window what is typed is seen, and all of the round can be.
    #[test]
    fn a_round_is_scrolled_in_a_small_window() {
        let mut sitting = sitting(Drill::Payout);
        press(&mut sitting, &[KeyCode::Char('7')]);
        let first = screen(&mut sitting, 40, 20);
        assert!(first.contains("Player 1: 7_") && first.contains("up/down"), "{first}");
        press(&mut sitting, &[KeyCode::Down; 30]);
        let last = screen(&mut sitting, 40, 20);
        assert!(last.contains("Player 1: 7_"), "{last}");
        assert!(first.contains("banks") && last.contains("deal do not."), "{last}");
    }

    #[test]
    fn an_amount_is_typed_and_told_with_its_clauses() {
        let mut sitting = sitting(Drill::Payout);
        press(&mut sitting, &[KeyCode::Enter]);
        assert!(screen(&mut sitting, 80, 24).contains("An amount is needed"));
        press(&mut sitting, &[KeyCode::Char('x'), KeyCode::Char('7'), KeyCode::Char('7')]);
        assert!(screen(&mut sitting, 80, 24).contains("Player 1: 77_"));
        press(&mut sitting, &[KeyCode::Enter]);
        let shown = screen(&mut sitting, 80, 24);
        assert!(shown.contains("not +$77.") && shown.contains("Standard $"), "{shown}");
        assert_eq!(sitting.progress.again.len(), 1);
    }
}
