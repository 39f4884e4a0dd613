//! The pages of `play`, drawn: a pure function from what there is to a buffer, and to where it can be
//! clicked. Here is what every page has; the pages themselves are below.

mod felt;
mod own;
mod pages;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::state::{Button, Do, Page, Play, Standing};
use crate::look::{BAR, Look, STRONG, WIDE, put, put_in, short, too_small, wrapped};

/// What a frame tells the state.
#[derive(Default)]
pub(crate) struct Drawn {
    /// Where can be clicked.
    pub(crate) clicks: Vec<(Rect, Do)>,
    /// How far what is shown can be scrolled.
    pub(crate) furthest: u16,
}

/// Draws everything.
pub(crate) fn draw(play: &Play, buffer: &mut Buffer) -> Drawn {
    if too_small(buffer) {
        // What was scrolled is left as it is until there is room again.
        return Drawn { furthest: u16::MAX, ..Drawn::default() };
    }
    let area = buffer.area;
    let mut paper = Paper { buffer, look: play.look.at(area.width), clicks: vec![], furthest: 0 };
    if let Some(scrolled) = play.help {
        paper.help(play, area, scrolled);
        return paper.drawn();
    }
    paper.title(play, area);
    let buttons = paper.buttons(&play.buttons(), area);
    let notice = paper.notice(play, area, buttons);
    let taken = buttons + notice;
    let body = Rect { y: area.y + 1, height: area.height - 1 - taken, ..area };
    match play.page {
        Page::Menu => paper.menu(play, body),
        Page::Table => paper.table(play, body),
        Page::History => paper.history(play, body),
        Page::Replay => paper.replay(play, body),
    }
    paper.drawn()
}

/// What is drawn on.
struct Paper<'a> {
    buffer: &'a mut Buffer,
    look: Look,
    clicks: Vec<(Rect, Do)>,
    furthest: u16,
}

impl Paper<'_> {
    fn drawn(self) -> Drawn {
        Drawn { clicks: self.clicks, furthest: self.furthest }
    }

    fn title(&mut self, play: &Play, area: Rect) {
        let look = self.look;
        let place = match (play.page, play.seat.as_ref().and_then(|seat| seat.update.as_ref())) {
            (Page::Table, Some(update)) => {
                let wide = area.width >= WIDE;
                let name = if wide { &update.name } else { &update.view.rules };
                match update.view.round {
                    0 => name.clone(),
                    round => format!("round {round}{}{name}", look.dot()),
                }
            }
            (Page::History, _) => "your rounds".into(),
            (Page::Replay, _) => "a round told again".into(),
            _ => "Fortune Pai Gow Poker".into(),
        };
        let money = play.me.as_ref().map_or(String::new(), |me| {
            let here = play.seat.as_ref().filter(|_| play.page == Page::Table);
            let here = here.and_then(|seat| seat.view()?.stack);
            match here {
                Some(here) if area.width < WIDE => format!("{here} "),
                Some(here) => format!("{here} here{}{} away ", look.dot(), me.wallet),
                None => format!("{}{}{} ", me.name, look.dot(), me.wallet),
            }
        });
        let style = BAR;
        let width = usize::from(area.width);
        let room = width.saturating_sub(money.width() + 1);
        let head = match (area.width >= WIDE, play.page) {
            (false, Page::Table) => String::from(" "),
            _ => format!(" Houseway{}", look.dot()),
        };
        let left = short(&format!("{head}{place}"), room);
        let fill = " ".repeat(width.saturating_sub(left.width() + money.width()));
        put(self.buffer, area.x, area.y, &Line::styled(format!("{left}{fill}{money}"), style));
    }

    /// The keys at the bottom; how many rows they take. Where not all find room, help and the way out
    /// are there, and help tells the others.
    fn buttons(&mut self, buttons: &[Button], area: Rect) -> u16 {
        let look = self.look;
        let most = if area.height < 24 { 4 } else { 5 };
        let mut shown: Vec<&Button> = buttons.iter().filter(|it| !it.label.is_empty()).collect();
        let mut rows = in_rows(&shown, area.width);
        while rows.len() > most && shown.len() > 2 {
            shown.remove(shown.len() - 3);
            rows = in_rows(&shown, area.width);
        }
        let height = rows.len() as u16;
        for (row, buttons) in (area.bottom() - height..).zip(rows) {
            for (x, button) in buttons {
                let name = button.name();
                let width = (name.width() + button.label.width() + 1) as u16;
                let line = Line::from(vec![
                    Span::styled(name, look.gold().patch(STRONG)),
                    Span::raw(" "),
                    Span::raw(button.label.clone()),
                ]);
                put(self.buffer, area.x + x, row, &line);
                self.clicks.push((Rect::new(area.x + x, row, width, 1), button.act.clone()));
            }
        }
        height
    }

    /// A line above the keys, for what has to be told; how many rows it takes.
    fn notice(&mut self, play: &Play, area: Rect, below: u16) -> u16 {
        let look = self.look;
        let (text, style) = match (&play.standing, &play.notice) {
            (Standing::Lost(why), _) => {
                (format!("The house is away ({why}). Trying again ..."), look.bad())
            }
            (_, Some(notice)) if notice.wrong => (notice.text.clone(), look.bad()),
            (_, Some(notice)) => (notice.text.clone(), look.good()),
            (Standing::Opening, None) => ("Opening the house ...".into(), look.faint()),
            (Standing::Here, None) => (String::new(), look.faint()),
        };
        let mut lines = wrapped(&text, usize::from(area.width) - 1);
        lines.truncate(3);
        let height = lines.len() as u16;
        for (row, line) in (area.bottom() - below - height..).zip(lines) {
            put(self.buffer, area.x, row, &Line::styled(line, style));
        }
        height
    }

    fn choice(&mut self, area: Rect, row: u16, place: usize, cursor: usize, text: &str) {
        let look = self.look;
        let chosen = place == cursor;
        let sign = if chosen { look.pointer() } else { " " };
        let text = short(text, usize::from(area.width).saturating_sub(4));
        let style = if chosen { STRONG } else { Style::new() };
        let line = Line::from(vec![
            Span::styled(format!(" {sign} "), look.gold()),
            Span::styled(text, style),
        ]);
        put_in(self.buffer, area, row, &line);
        if row < area.height {
            let there = Rect::new(area.x, area.y + row, area.width, 1);
            self.clicks.push((there, Do::Pick(place)));
        }
    }

    /// Writes a paragraph; the row after it.
    fn paragraph(&mut self, area: Rect, row: u16, text: &str, style: Style) -> u16 {
        let lines = wrapped(text, usize::from(area.width).saturating_sub(3));
        let number = lines.len() as u16;
        for (row, line) in (row..).zip(lines) {
            put_in(self.buffer, area, row, &Line::styled(format!(" {line}"), style));
        }
        row + number
    }

    /// Lines below a title that says so where there are more than fit.
    fn scrolled(&mut self, area: Rect, title: &str, lines: &[Line<'static>], scroll: u16) {
        let room = usize::from(area.height.saturating_sub(1));
        let furthest = lines.len().saturating_sub(room);
        let first = usize::from(scroll).min(furthest);
        self.furthest = furthest as u16;
        let of = format!("{} of {}", first + room, lines.len());
        let more = match furthest > 0 {
            // The rule around it takes four columns.
            true if title.width() + of.width() + 16 > usize::from(area.width) => {
                format!("{title} ({of})")
            }
            true => format!("{title} (up/down: {of})"),
            false => title.to_string(),
        };
        put_in(self.buffer, area, 0, &self.look.rule(&more, area.width));
        for (row, line) in (1..).zip(lines.iter().skip(first).take(room)) {
            put_in(self.buffer, area, row, line);
        }
    }
}

/// Buttons in rows of some width, each with its column.
fn in_rows<'b>(buttons: &[&'b Button], width: u16) -> Vec<Vec<(u16, &'b Button)>> {
    let mut rows = vec![vec![]];
    let mut x = 0;
    for &button in buttons {
        let wide = (button.name().width() + button.label.width() + 3) as u16;
        if x + wide > width && x > 0 {
            rows.push(vec![]);
            x = 0;
        }
        rows.last_mut().expect("there is one").push((x, button));
        x += wide + 1;
    }
    rows
}
