//! The pages of `play`, drawn: a pure function from what there is to a buffer, and to where it can be
//! clicked.

use std::collections::BTreeMap;

use houseway_rules::rulebook::{Rulebook, Wager};
use houseway_rules::{Card, Cents, describe};
use houseway_table::view::{HandView, PastView, PhaseView, SeatView, TableView};
use houseway_table::{Bank, Offer, Person, Places};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::advice::Advice;
use super::menu::{FIELDS, Field};
use super::seat::{CHIPS, Move, Seat, Unset, WAGERS, Whose, banks, holds_bank, wager_name};
use super::state::{Button, Do, Page, Play, Standing};
use crate::heard::{Named, Step, Update};
use crate::look::{BAR, Look, STRONG, WIDE, named, put, put_in, short, signed, too_small, wrapped};
use crate::words as tell;

/// Where can be clicked.
type Clicks = Vec<(Rect, Do)>;

/// Draws everything.
pub(crate) fn draw(play: &Play, buffer: &mut Buffer) -> Clicks {
    if too_small(buffer) {
        return vec![];
    }
    let area = buffer.area;
    let mut paper = Paper { buffer, look: play.look.at(area.width), clicks: vec![] };
    if let Some(scrolled) = play.help {
        paper.help(play, area, scrolled);
        return paper.clicks;
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
    paper.clicks
}

/// What is drawn on.
struct Paper<'a> {
    buffer: &'a mut Buffer,
    look: Look,
    clicks: Clicks,
}

/// A table to be drawn, live or told again.
struct Shown<'a> {
    view: &'a TableView,
    people: &'a BTreeMap<u32, Named>,
    me: Option<Person>,
    rulebook: Option<&'a Rulebook>,
    /// The last round in which the bank was ours.
    banked: Option<u64>,
}

impl Shown<'_> {
    fn name(&self, person: Person) -> String {
        if Some(person) == self.me { "You".into() } else { tell::name(self.people, person) }
    }
}

impl Paper<'_> {
    fn title(&mut self, play: &Play, area: Rect) {
        let look = self.look;
        let place = match (play.page, play.seat.as_ref().and_then(|seat| seat.update.as_ref())) {
            (Page::Table, Some(update)) => {
                let wide = area.width >= WIDE;
                let name = if wide { &update.name } else { &update.view.rules };
                format!("{}{}round {}", short(name, 34), look.dot(), update.view.round)
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

    /// The keys at the bottom; how many rows they take.
    fn buttons(&mut self, buttons: &[Button], area: Rect) -> u16 {
        let look = self.look;
        let mut rows: Vec<Vec<(u16, &Button)>> = vec![vec![]];
        let mut x = 0;
        for button in buttons.iter().filter(|it| !it.label.is_empty()) {
            let width = (button.name().width() + button.label.width() + 3) as u16;
            if x + width > area.width && x > 0 {
                rows.push(vec![]);
                x = 0;
            }
            rows.last_mut().expect("there is one").push((x, button));
            x += width + 1;
        }
        let most = if area.height < 24 { 4 } else { 5 };
        rows.truncate(most);
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

    // --- the menu ---

    fn menu(&mut self, play: &Play, area: Rect) {
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
                let posted = &info.posted.standard;
                let last = play.notes.tables.get(&play.place);
                let ours = last.is_some_and(|it| it.values().any(|table| *table == info.table));
                let mark = if ours { " (your seat)" } else { "" };
                let line = match area.width >= WIDE {
                    true => format!(
                        "{}{mark}, round {}: {people}, {} bots of {} seats, {}-{}",
                        info.rules,
                        info.round,
                        info.bots,
                        info.seats,
                        posted.minimum,
                        posted.maximum
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
                    let posted = menu.posted(rulebook, houseway_table::Time::default());
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

    // --- the table ---

    fn table(&mut self, play: &Play, area: Rect) {
        let Some((seat, update)) =
            play.seat.as_ref().and_then(|seat| Some((seat, seat.update.as_ref()?)))
        else {
            put_in(self.buffer, area, 1, &Line::raw("  Coming to the table ..."));
            return;
        };
        let shown = Shown {
            view: &update.view,
            people: &update.people,
            me: play.person(),
            rulebook: play.rulebook(),
            banked: seat.banked,
        };
        let status = status(play, seat, update, &shown);
        let status = short(&status, usize::from(area.width) - 2);
        let resumed = update.resumed.is_some();
        let style = if resumed { self.look.gold() } else { STRONG };
        put_in(self.buffer, area, 0, &Line::styled(format!(" {status}"), style));
        let felt = Rect { y: area.y + 1, height: area.height - 1, ..area };
        let taken = self.felt(&shown, felt);
        let own = Rect { y: felt.y + taken, height: felt.height.saturating_sub(taken), ..felt };
        self.own(play, seat, update, &shown, own);
    }

    /// The banker and the seats; how many rows they take.
    fn felt(&mut self, shown: &Shown<'_>, area: Rect) -> u16 {
        let mut row = 0;
        for line in self.banker(shown, area.width) {
            put_in(self.buffer, area, row, &line);
            row += 1;
        }
        if area.width >= WIDE {
            put_in(self.buffer, area, row, &self.look.rule("", area.width));
            row += 1;
            let seats = shown.view.seats.len() as u16;
            let width = area.width / seats.max(1);
            for (place, seat) in (0..).zip(&shown.view.seats) {
                let column = Rect { x: area.x + place * width, y: area.y + row, width, height: 6 };
                for (line, text) in (0..).zip(self.seat_column(shown, seat, width)) {
                    put_in(self.buffer, Rect { width: width - 1, ..column }, line, &text);
                }
            }
            row += 6;
        } else {
            let some = shown.view.seats.iter().filter(|seat| seat.person.is_some());
            for seat in some {
                put_in(self.buffer, area, row, &self.seat_line(shown, seat, area.width));
                row += 1;
            }
        }
        row
    }

    fn banker(&self, shown: &Shown<'_>, width: u16) -> Vec<Line<'static>> {
        let look = self.look;
        let view = shown.view;
        let who = match view.bank {
            Some(Bank::Player { position, person, put_up, .. }) => {
                format!("Bank: {}, seat {}, {put_up}", shown.name(person), position.0)
            }
            Some(Bank::House) => "Dealer".into(),
            None => match view.last {
                Some(_) => "Banker".into(),
                None => "The bank".into(),
            },
        };
        let past = view.last.as_ref().filter(|_| view.phase == PhaseView::Idle);
        let hand = view.banker.as_ref().or(past.map(|past| &past.banker));
        let mut lines = self.hand_lines(&who, hand, shown, width);
        let house = view.house.as_ref().or(past.and_then(|past| past.house.as_ref()));
        if let Some(house) = house {
            lines.extend(self.hand_lines("The house", Some(house), shown, width));
        }
        if let Some(void) = past.and_then(|past| past.void.as_ref()) {
            lines.push(Line::styled(format!(" The round is void ({void})."), look.bad()));
        }
        lines
    }

    /// A hand in two lines: whose, and its cards with their names.
    fn hand_lines(
        &self,
        who: &str,
        hand: Option<&HandView>,
        shown: &Shown<'_>,
        width: u16,
    ) -> Vec<Line<'static>> {
        let look = self.look;
        let mut first = vec![Span::styled(format!(" {who}  "), look.gold())];
        let mut second = vec![Span::raw(" ")];
        match hand {
            None => {}
            Some(HandView::FaceDown { .. }) => first.push(look.backs(7)),
            Some(HandView::Dealt { dealt }) => first.extend(look.cards(dealt, " ")),
            Some(HandView::Set { low, high, .. }) => {
                let names = shown.rulebook.and_then(|it| named(it.ranking(), low, high));
                let (low_is, high_is) = names.unwrap_or_default();
                let wide = width >= WIDE;
                if wide {
                    first.extend(look.cards(low, " "));
                    first.push(Span::styled(format!(" {low_is}   "), look.faint()));
                    first.extend(look.cards(high, " "));
                    first.push(Span::styled(format!(" {high_is}"), look.faint()));
                } else {
                    first.extend(look.cards(low, " "));
                    first.push(Span::raw(" | "));
                    first.extend(look.cards(high, ""));
                    second.push(Span::styled(format!("{low_is} | {high_is}"), look.faint()));
                }
            }
        }
        match second.len() {
            1 => vec![Line::from(first)],
            _ => vec![Line::from(first), Line::from(second)],
        }
    }

    fn past_hand<'s>(
        shown: &'s Shown<'_>,
        seat: &SeatView,
    ) -> Option<(&'s PastView, &'s HandView)> {
        let view = shown.view;
        let past = view.last.as_ref().filter(|_| view.phase == PhaseView::Idle)?;
        let hand = past.hands.iter().find(|(at, _)| *at == seat.position);
        hand.map(|(_, hand)| (past, hand))
    }

    fn seat_title(&self, shown: &Shown<'_>, seat: &SeatView, width: u16) -> Line<'static> {
        let look = self.look;
        let view = shown.view;
        let number = format!("{} ", seat.position.0);
        let name = seat.person.map_or(String::from("-"), |person| shown.name(person));
        let style = match seat.person {
            None => look.faint(),
            Some(person) if Some(person) == shown.me => look.gold().patch(STRONG),
            Some(_) => STRONG,
        };
        let mut marks = String::new();
        if banks(view, seat.position) {
            marks.push_str(" B");
        }
        if view.action == Some(seat.position) {
            marks.push_str(" *");
        }
        let room = usize::from(width).saturating_sub(number.width() + marks.width() + 1);
        Line::from(vec![
            Span::styled(number, look.faint()),
            Span::styled(short(&name, room), style),
            Span::styled(marks, look.gold()),
        ])
    }

    /// What lies at a seat, as letters and amounts.
    fn wagers(seat: &SeatView) -> String {
        let letter = |wager| match wager {
            Wager::Standard => 'S',
            Wager::Fortune => 'F',
            Wager::TigerNine => 'T',
        };
        let amounts = WAGERS.into_iter().filter_map(|wager| {
            let total = seat.stakes.total(wager);
            let plain = total.to_string().replace('$', "");
            (total > Cents::ZERO).then(|| format!("{}{plain}", letter(wager)))
        });
        amounts.collect::<Vec<_>>().join(" ")
    }

    fn seat_column(&self, shown: &Shown<'_>, seat: &SeatView, width: u16) -> Vec<Line<'static>> {
        let look = self.look;
        let stack = seat.stack.map_or(String::new(), |stack| stack.to_string());
        let mut lines = vec![
            self.seat_title(shown, seat, width),
            Line::styled(stack, look.faint()),
            Line::styled(Paper::wagers(seat), look.gold()),
        ];
        let word = |text: &'static str| Line::styled(text, look.faint());
        let set = |low: &[Card], high: &[Card]| {
            [Line::from(look.cards(low, "")), Line::from(look.cards(high, ""))]
        };
        let (hand, past) = match (&seat.hand, Paper::past_hand(shown, seat)) {
            (Some(hand), _) => (Some(hand), None),
            (None, Some((past, hand))) => (Some(hand), Some(past)),
            (None, None) => (None, None),
        };
        match hand {
            None => {}
            Some(HandView::FaceDown { conceded: true, .. }) => {
                lines.extend([Line::from(look.backs(7)), word("given up")]);
            }
            Some(HandView::FaceDown { set: true, .. }) => {
                let low = Line::from(look.backs(2));
                lines.extend([low, Line::from(look.backs(5))]);
            }
            Some(HandView::FaceDown { .. }) => {
                let waits = if seat.left_to_dealer { "to dealer" } else { "not set" };
                lines.extend([Line::from(look.backs(7)), word(waits)]);
            }
            Some(HandView::Dealt { .. }) => {
                lines.extend([Line::from(look.backs(7)), word("your turn")]);
            }
            Some(HandView::Set { low, high, .. }) => lines.extend(set(low, high)),
        }
        if let Some(past) = past
            && let Some(gain) = tell::gain_at(&past.lines, seat.position, seat.person)
        {
            lines.push(self.gain(gain));
        }
        lines
    }

    fn gain(&self, gain: i64) -> Line<'static> {
        let style = match gain {
            0 => self.look.faint(),
            it if it > 0 => self.look.good(),
            _ => self.look.bad(),
        };
        Line::styled(signed(gain), style)
    }

    fn seat_line(&self, shown: &Shown<'_>, seat: &SeatView, width: u16) -> Line<'static> {
        let look = self.look;
        let mut line = vec![Span::raw(" ")];
        let title = self.seat_title(shown, seat, 14);
        let used: usize = title.spans.iter().map(|it| it.content.width()).sum();
        line.extend(title.spans);
        line.push(Span::raw(" ".repeat(14_usize.saturating_sub(used))));
        let room = usize::from(width).saturating_sub(15);
        if let Some(hand) = &seat.hand {
            let text = format!("{:10}", short(&Paper::wagers(seat), 10));
            line.push(Span::styled(text, look.gold()));
            match hand {
                HandView::FaceDown { conceded: true, .. } => line.push(Span::raw("given up")),
                HandView::FaceDown { set: true, .. } => {
                    line.extend([look.backs(2), Span::raw(" "), look.backs(5)]);
                }
                HandView::FaceDown { .. } => line.push(look.backs(7)),
                HandView::Dealt { .. } => line.push(Span::raw("your turn")),
                HandView::Set { low, .. } => {
                    line.extend(look.cards(low, ""));
                    line.push(Span::raw(" set"));
                }
            }
        } else if let Some((past, hand)) = Paper::past_hand(shown, seat) {
            if let HandView::Set { low, high, .. } = hand {
                line.extend(look.cards(low, ""));
                line.push(Span::raw(" "));
                line.extend(look.cards(high, ""));
            }
            if let Some(gain) = tell::gain_at(&past.lines, seat.position, seat.person) {
                line.push(Span::raw(" "));
                line.extend(self.gain(gain).spans);
            }
        } else {
            let stack = seat.stack.map_or(String::new(), |stack| stack.to_string());
            let text = format!("{} {stack}", Paper::wagers(seat));
            line.push(Span::styled(short(text.trim(), room), look.gold()));
        }
        Line::from(line)
    }

    // --- one's own part of the table ---

    fn own(&mut self, play: &Play, seat: &Seat, update: &Update, shown: &Shown<'_>, area: Rect) {
        let view = &update.view;
        if let Some(words) = &seat.words {
            let text = "Words for the cut. The deck was settled before the first wager; what \
                        players say decides where it is cut, so that nobody can aim.";
            let row = self.paragraph(area, 0, text, self.look.faint());
            put_in(self.buffer, area, row, &Line::raw(format!("  {words}_")));
        } else if let Some(unset) = seat.unset() {
            self.unset(seat, shown, &unset, area);
        } else if seat.results
            && view.phase == PhaseView::Idle
            && let Some(past) = &view.last
        {
            let title = format!("Round {}", past.round);
            let lines = self.statement(past, shown, usize::from(area.width) - 3);
            self.scrolled(area, &title, &lines, seat.scroll);
        } else if let Some((put_up, house_wager, offer)) = seat.bank()
            && !matches!(view.phase, PhaseView::Betting)
        {
            self.bank(seat, put_up, house_wager, offer, area);
        } else if view.phase == PhaseView::Betting {
            self.bets(play, seat, area);
        } else {
            self.waiting(play, shown, area);
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

    fn scrolled(&mut self, area: Rect, title: &str, lines: &[Line<'static>], scroll: u16) {
        let room = usize::from(area.height.saturating_sub(1));
        let first = usize::from(scroll).min(lines.len().saturating_sub(room));
        let more = match lines.len() > room {
            true => format!("{title} (up/down: {} of {})", first + room, lines.len()),
            false => title.to_string(),
        };
        put_in(self.buffer, area, 0, &self.look.rule(&more, area.width));
        for (row, line) in (1..).zip(lines.iter().skip(first).take(room)) {
            put_in(self.buffer, area, row, line);
        }
    }

    fn bets(&mut self, play: &Play, seat: &Seat, area: Rect) {
        let look = self.look;
        put_in(self.buffer, area, 0, &look.rule("Your bets", area.width));
        let boxes = seat.boxes(play.person(), play.rulebook());
        if boxes.is_empty() {
            self.paragraph(area, 1, "Others place their bets.", look.faint());
            return;
        }
        let cursor = seat.at_box.min(boxes.len() - 1);
        let chips = usize::from(area.width >= WIDE);
        let room = usize::from(area.height.saturating_sub(1)).saturating_sub(chips).max(1);
        let first = cursor.saturating_sub(room - 1);
        for (row, (place, it)) in (1..).zip(boxes.iter().enumerate().skip(first).take(room)) {
            let chosen = place == cursor;
            let sign = if chosen { look.pointer() } else { " " };
            let limits = match it.offered {
                Some((least, most, _)) => format!("{least} to {most}"),
                None if it.placed == Cents::ZERO => "not yet".to_string(),
                None => String::new(),
            };
            let amount = match it.placed {
                Cents::ZERO => "-".to_string(),
                placed => placed.to_string(),
            };
            let name = format!("{:9}", wager_name(it.wager));
            let line = Line::from(vec![
                Span::styled(format!(" {sign} "), look.gold()),
                Span::styled(
                    format!("seat {} {name}", it.position.0),
                    if chosen { STRONG } else { Style::new() },
                ),
                Span::styled(format!("{amount:>8} "), look.gold().patch(STRONG)),
                Span::styled(limits, look.faint()),
            ]);
            put_in(self.buffer, area, row, &line);
            if row < area.height {
                let there = Rect::new(area.x, area.y + row, area.width, 1);
                self.clicks.push((there, Do::Seat(Move::Box(place))));
            }
        }
        let row = boxes.len().min(room) as u16 + 1;
        if chips == 1 && row < area.height {
            let mut x = area.x + 1;
            for chip in CHIPS {
                let text = match look.ascii {
                    true => format!("(${chip})"),
                    false => format!("●${chip}"),
                };
                let width = text.width() as u16;
                put(self.buffer, x, area.y + row, &Line::styled(text, look.gold()));
                let there = Rect::new(x, area.y + row, width, 1);
                self.clicks.push((there, Do::Seat(Move::Chip(chip))));
                x += width + 2;
            }
        }
    }

    fn bank(&mut self, seat: &Seat, put_up: Cents, house: Cents, offer: &Offer, area: Rect) {
        let look = self.look;
        put_in(self.buffer, area, 0, &look.rule("The bank", area.width));
        let Offer::TakeBank { least, most, house_wager, .. } = offer else { return };
        let row = self.paragraph(
            area,
            1,
            "Whoever banks plays against everyone else's wagers with what they put up.",
            look.faint(),
        );
        let mark = |here: bool| if here { look.pointer() } else { " " };
        let line =
            format!(" {} Put up  < {put_up} >  {least} to {most}", mark(!seat.at_house_wager));
        put_in(self.buffer, area, row, &Line::raw(line));
        if *house_wager > Cents::ZERO {
            let line = format!(
                " {} The house wagers  < {house} >  up to {house_wager}",
                mark(seat.at_house_wager)
            );
            put_in(self.buffer, area, row + 1, &Line::raw(line));
        }
    }

    /// A hand that is to be set: the cards that go in front are a row higher.
    fn unset(&mut self, seat: &Seat, shown: &Shown<'_>, unset: &Unset, area: Rect) {
        let look = self.look;
        let whose = match unset.whose {
            Whose::At(position) => format!("Your hand at seat {}", position.0),
            Whose::Banker => "The bank's hand".to_string(),
        };
        put_in(self.buffer, area, 0, &look.rule(&whose, area.width));
        let lanes = area.height >= 9;
        let low = seat.low();
        for (place, &card) in unset.cards.iter().enumerate() {
            let x = area.x + 1 + place as u16 * 5 + 2;
            let front = seat.chosen.contains(&card);
            let cursor = place == seat.at_card;
            let height = if lanes { 6 } else { 2 };
            if lanes {
                let y = area.y + if front { 1 } else { 3 };
                look.large_card(self.buffer, (x, y), card, front);
                if cursor {
                    let sign = if look.ascii { "^^" } else { "▲▲" };
                    put(self.buffer, x + 1, area.y + 6, &Line::styled(sign, look.gold()));
                }
            } else {
                let text = look.card_text(card);
                let text = if front { format!("[{text}]") } else { format!(" {text} ") };
                put(self.buffer, x, area.y + 1, &Line::styled(text, look.card_style(card)));
                let sign = if cursor { "^^" } else { "  " };
                put(self.buffer, x + 1, area.y + 2, &Line::styled(sign, look.gold()));
            }
            let there = Rect::new(x, area.y + 1, 5, height);
            self.clicks.push((there, Do::Seat(Move::Card(place))));
        }
        let below = if lanes { 7 } else { 3 };
        let high: Vec<Card> =
            unset.cards.iter().copied().filter(|card| !low.contains(*card)).collect();
        let names = shown.rulebook.and_then(|it| named(it.ranking(), &seat.chosen, &high));
        let foul = unset.fouls.contains(&low);
        let (text, style) = match (&names, seat.chosen.len(), foul) {
            (_, 0 | 1, _) => {
                let left = 2 - seat.chosen.len();
                let cards = if left == 1 { "one card" } else { "two cards" };
                (format!("Put {cards} in front: left, right, up."), look.faint())
            }
            (_, _, true) => ("A foul: Low would be higher than High.".into(), look.bad()),
            (Some((low, high)), _, _) => (format!("Low {low}, High {high}"), STRONG),
            (None, _, _) => (String::new(), look.faint()),
        };
        let wide = area.width >= WIDE;
        if let Some(advice) = &seat.advice {
            let beside = match wide {
                true => Rect {
                    x: area.x + 39,
                    y: area.y + 1,
                    width: area.width - 39,
                    height: area.height - 1,
                },
                false => {
                    Rect { y: area.y + below, height: area.height.saturating_sub(below), ..area }
                }
            };
            if wide {
                self.paragraph(Rect { width: 39, ..area }, below, &text, style);
            }
            self.advice(advice, seat.scroll, beside);
        } else {
            self.paragraph(area, below, &text, style);
        }
    }

    fn advice(&mut self, advice: &Advice, scroll: u16, area: Rect) {
        let look = self.look;
        let mut lines = vec![Line::styled(advice.title.clone(), look.gold())];
        for (place, worth) in advice.settings.iter().enumerate() {
            let mut line = look.cards(&worth.low, "");
            line.push(Span::raw(" "));
            line.extend(look.cards(&worth.high, ""));
            let star = if worth.house_way { "*" } else { " " };
            let [win, push, _] = worth.shares;
            line.push(Span::raw(format!("{star} {:+.4} {win:3.0}/{push:.0}%", worth.value)));
            let line = Line::from(line);
            lines.push(if place == 0 { line.style(STRONG) } else { line });
        }
        for text in wrapped(&advice.why, usize::from(area.width) - 1) {
            lines.push(Line::styled(text, look.faint()));
        }
        let room = usize::from(area.height);
        let first = usize::from(scroll).min(lines.len().saturating_sub(room));
        for (row, line) in (0..).zip(lines.iter().skip(first).take(room)) {
            put_in(self.buffer, area, row, line);
        }
    }

    fn waiting(&mut self, play: &Play, shown: &Shown<'_>, area: Rect) {
        let look = self.look;
        let view = shown.view;
        let own = view.seats.iter().find(|seat| seat.person.is_some() && seat.person == shown.me);
        if let Some(SeatView { position, hand: Some(HandView::Set { low, high, .. }), .. }) = own {
            let title = format!("Your hand at seat {}", position.0);
            put_in(self.buffer, area, 0, &look.rule(&title, area.width));
            let names = shown.rulebook.and_then(|it| named(it.ranking(), low, high));
            let (low_is, high_is) = names.unwrap_or_default();
            if area.height >= 5 {
                for (place, &card) in low.iter().chain(high).enumerate() {
                    let gap = if place < 2 { 1 } else { 3 };
                    let x = area.x + place as u16 * 5 + gap;
                    look.large_card(self.buffer, (x, area.y + 1), card, place < 2);
                }
            }
            self.paragraph(area, 4, &format!("Low {low_is}, High {high_is}"), STRONG);
            return;
        }
        put_in(self.buffer, area, 0, &look.rule("", area.width));
        let text = match (view.phase, shown.rulebook) {
            (PhaseView::Idle, Some(rulebook)) => {
                format!("{} ({}): {}", rulebook.name, rulebook.id, rulebook.summary)
            }
            _ => String::new(),
        };
        let row = self.paragraph(area, 1, &text, look.faint());
        if view.phase == PhaseView::Idle
            && !play.seat.as_ref().is_some_and(|it| it.is_seated(shown.me))
        {
            self.paragraph(area, row + 1, "Enter sits down. ? tells how it is played.", STRONG);
        }
    }

    /// What a round came to for us, with clauses and their sentences.
    fn statement(&self, past: &PastView, shown: &Shown<'_>, width: usize) -> Vec<Line<'static>> {
        let look = self.look;
        let mut lines = vec![];
        let own = past.lines.iter().filter(|line| {
            let owner = matches!(line.owner, houseway_table::settlement::Owner::Person(it) if Some(it) == shown.me);
            owner || shown.me.is_none()
        });
        let mut sum = 0;
        for line in own {
            let gain = tell::gain(line);
            sum += gain;
            let style = match gain {
                0 => look.faint(),
                it if it > 0 => look.good(),
                _ => look.bad(),
            };
            for text in wrapped(&format!("{}.", tell::line(line)), width) {
                lines.push(Line::styled(format!(" {text}"), style.patch(STRONG)));
            }
            for clause in &line.clauses {
                for text in wrapped(&tell::clause(shown.rulebook, clause), width - 2) {
                    lines.push(Line::styled(format!("   {text}"), look.faint()));
                }
            }
        }
        if shown.banked == Some(past.round) {
            let gain = tell::bank_gain(&past.lines);
            sum += gain;
            let text = format!(" Your bank {}.", signed(gain));
            let style = if gain < 0 { look.bad() } else { look.good() };
            lines.push(Line::styled(text, style.patch(STRONG)));
        }
        if lines.is_empty() {
            lines.push(Line::raw(" You had no part in it."));
        } else {
            let style = if sum < 0 { look.bad() } else { look.good() };
            lines
                .insert(0, Line::styled(format!(" Together {}", signed(sum)), style.patch(STRONG)));
        }
        lines
    }

    // --- rounds that are over ---

    fn history(&mut self, play: &Play, area: Rect) {
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

    fn replay(&mut self, play: &Play, area: Rect) {
        let Some(replay) = &play.replay else { return };
        let recall = &replay.recall;
        let steps = recall.steps.len();
        let step = replay.at.checked_sub(1).map(|at| &recall.steps[at]);
        let view = step.map_or(&recall.before, |step| &step.view);
        let none = BTreeMap::new();
        let me = play.person();
        let ours = |step: &Step| me.is_some_and(|me| holds_bank(&step.view, me));
        let banked = recall.steps.iter().any(ours);
        let people = play.seat.as_ref().and_then(|seat| seat.update.as_ref());
        let shown = Shown {
            view,
            people: people.map_or(&none, |update| &update.people),
            me: play.person(),
            rulebook: play.library.find(&view.rules),
            banked: banked.then_some(recall.round.round),
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
                let told = told.map(|step| tell::happened(&step.happened, shown.people));
                told.map(|text| Line::styled(format!(" {text}"), self.look.faint())).collect()
            }
        };
        self.scrolled(rest, &title, &lines, replay.scroll);
    }

    // --- help ---

    fn help(&mut self, play: &Play, area: Rect, scrolled: u16) {
        let look = self.look;
        let width = usize::from(area.width).saturating_sub(2);
        let mut lines = vec![];
        let head = |text: &str| Line::styled(text.to_string(), look.gold().patch(STRONG));
        lines.push(head("Keys on this page"));
        for button in play.buttons() {
            lines.push(Line::raw(format!("  {:12} {}", button.name(), button.label)));
        }
        lines.push(Line::raw(
            "  Everything that is shown can be clicked, too; Ctrl-C goes at once.",
        ));
        lines.push(Line::raw(""));
        lines.push(head("How it is played"));
        for text in HOW {
            lines.extend(wrapped(text, width).into_iter().map(Line::raw));
        }
        let rulebook = play.rulebook().filter(|_| play.page != Page::Menu);
        let rulebook = rulebook.unwrap_or_else(|| play.menu.rulebook(&play.library));
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
        let title = "Help: up and down scroll, any other key closes".to_string();
        self.scrolled(area, &title, &lines, scrolled);
    }
}

const HOW: [&str; 4] = [
    "Everyone gets seven cards and makes two hands of them: five cards High, two cards Low in front. \
     High must be the higher of the two, or the hand is a foul.",
    "Both of yours beat the banker's: the standard wager wins. Both lose: it loses. One of each \
     pushes. A hand that is equal is a copy, and the banker wins it.",
    "The joker is an ace, or fills a straight, a flush or a straight flush.",
    "Side bets are decided by your seven cards alone, however they are set.",
];

/// What is to be done, in a line.
fn status(play: &Play, seat: &Seat, update: &Update, shown: &Shown<'_>) -> String {
    let view = &update.view;
    let seated = seat.is_seated(shown.me);
    let mine = |position| {
        view.seats.iter().any(|it| it.position == position && it.person == shown.me && seated)
    };
    let text = match view.phase {
        PhaseView::Idle if !seated => "Welcome. Take a seat.".into(),
        PhaseView::Idle if view.last.is_some() => "The round is over.".into(),
        PhaseView::Idle => "The next round begins soon.".into(),
        PhaseView::Offering { to } if mine(to) => "The bank is offered to you.".into(),
        PhaseView::Offering { to } => format!("The bank is offered to seat {}.", to.0),
        PhaseView::Betting if seat.boxes(shown.me, shown.rulebook).is_empty() => {
            "Bets are open.".into()
        }
        PhaseView::Betting => "Place your bets.".into(),
        PhaseView::Closed => "No more bets.".into(),
        PhaseView::Setting if seat.unset().is_some() => "Set your hand.".into(),
        PhaseView::Setting => {
            let looks = seat.offers().iter().any(|it| matches!(it, Offer::View { .. }));
            match looks {
                true => "The cards are dealt.".into(),
                false => "The others set their hands.".into(),
            }
        }
        PhaseView::Revealed => "The banker's hand is shown.".into(),
    };
    let resumed = update.resumed.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    let clock = view.until.map_or(String::new(), |until| {
        let now = super::now() + play.ahead;
        let left = i64::try_from(until).unwrap_or(i64::MAX).saturating_sub(now).max(0);
        format!(" {} s", left / 1000)
    });
    let ready = shown.me.is_some_and(|me| update.ready.contains(&me));
    let ready = if ready { " You are ready." } else { "" };
    format!("{text}{clock}{ready}{resumed}")
}

/// A time, in UTC: `2026-11-15 18:59`.
fn time(milliseconds: u64) -> String {
    let text = houseway_server::calendar::time(milliseconds);
    text.get(..16).unwrap_or(&text).replace('T', " ")
}
