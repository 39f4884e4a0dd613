//! One's own part of the table: bets, the bank, the hand, advice, results.

use std::collections::BTreeSet;

use houseway_rules::rulebook::{Payer, Text};
use houseway_rules::{Card, Cents};
use houseway_table::settlement::{Bet, Ending, Line as Settled, Owner};
use houseway_table::view::{HandView, PastView, PhaseView, SeatView, TableView};
use houseway_table::{Bank, How, Offer};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::super::advice::Advice;
use super::super::seat::{CHIPS, Move, Seat, Unset, Whose, wager_name};
use super::super::state::{Do, Play};
use super::Paper;
use super::felt::Shown;
use crate::heard::Update;
use crate::look::{Look, STRONG, WIDE, named, put, put_in, signed, wrapped};
use crate::words as tell;

impl Paper<'_> {
    pub(super) fn own(
        &mut self,
        play: &Play,
        seat: &Seat,
        update: &Update,
        shown: &Shown<'_>,
        area: Rect,
    ) {
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
            && seat.looks_at_bank()
        {
            self.bank(seat, put_up, house_wager, offer, area);
        } else if view.phase == PhaseView::Betting {
            self.bets(play, seat, view, area);
        } else {
            self.waiting(play, shown, area);
        }
    }

    fn bets(&mut self, play: &Play, seat: &Seat, view: &TableView, area: Rect) {
        let look = self.look;
        let put_up = play.person().zip(view.bank).map(|(me, bank)| bank.put_up_by(me));
        let title = match put_up {
            Some(put_up) if put_up > Cents::ZERO => format!("You bank with {put_up}"),
            _ => "Your bets".to_string(),
        };
        put_in(self.buffer, area, 0, &look.rule(&title, area.width));
        let boxes = seat.boxes(play.person(), play.rulebook());
        if boxes.is_empty() {
            self.paragraph(area, 1, "Others place their bets.", look.faint());
            return;
        }
        let cursor = seat.at_box(&boxes);
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
            let room = if area.width >= WIDE { 8 } else { 6 };
            let line = Line::from(vec![
                Span::styled(format!(" {sign} "), look.gold()),
                Span::styled(
                    format!("seat {} {name}", it.position.0),
                    if chosen { STRONG } else { Style::new() },
                ),
                Span::styled(format!("{amount:>room$} "), look.gold().patch(STRONG)),
                Span::styled(limits, look.faint()),
            ]);
            put_in(self.buffer, area, row, &line);
            if row < area.height {
                let there = Rect::new(area.x, area.y + row, area.width, 1);
                self.clicks.push((there, Do::Seat(Move::Box(it.position, it.wager))));
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
        let amount = |here: bool, amount: Cents| match here && !seat.typed.is_empty() {
            true => format!("${}_", seat.typed),
            false => amount.to_string(),
        };
        let mark = |here: bool| if here { look.pointer() } else { " " };
        let here = !seat.at_house_wager;
        let text = amount(here, put_up);
        let line = format!(" {} Put up  < {text} >  {least} to {most}", mark(here));
        put_in(self.buffer, area, row, &Line::raw(line));
        let mut row = row + 1;
        if *house_wager > Cents::ZERO {
            let text = amount(!here, house);
            let line =
                format!(" {} The house wagers  < {text} >  up to {house_wager}", mark(!here));
            put_in(self.buffer, area, row, &Line::raw(line));
            row += 1;
        }
        let how = "Type an amount in dollars, or change it by left and right.";
        self.paragraph(area, row + 1, how, look.faint());
    }

    /// A hand that is to be set: the cards that go in front are a row higher.
    fn unset(&mut self, seat: &Seat, shown: &Shown<'_>, unset: &Unset, area: Rect) {
        let look = self.look;
        let whose = match unset.whose {
            Whose::At(position) => format!("Your hand at seat {}", position.0),
            Whose::Banker => "The bank's hand".to_string(),
        };
        put_in(self.buffer, area, 0, &look.rule(&whose, area.width));
        // Advice in a small window needs the rows more than the cards do.
        let tight = seat.advice.is_some() && area.width < WIDE && area.height < 14;
        let lanes = area.height >= 9 && !tight;
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
                (format!("Put {cards} in front: left and right, then up."), look.faint())
            }
            (_, _, true) => {
                // A banker's foul is always set again.
                let then = match unset.whose {
                    Whose::At(_) => tell::foul(shown.rulebook, unset.foul_loses),
                    Whose::Banker => "It would be set the House Way".to_string(),
                };
                (format!("A foul: Low would be higher than High. {then}."), look.bad())
            }
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
        let mut lines = vec![];
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
        self.scrolled(area, &advice.title, &lines, scroll);
    }

    fn waiting(&mut self, play: &Play, shown: &Shown<'_>, area: Rect) {
        let look = self.look;
        let view = shown.view;
        let own = view.seats.iter().find(|seat| seat.person.is_some() && seat.person == shown.me);
        if let Some(SeatView { position, hand: Some(HandView::Set { low, high, how }), .. }) = own {
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
            let row = self.paragraph(area, 4, &format!("Low {low_is}, High {high_is}"), STRONG);
            if *how == Some(How::Fouled) {
                let text = tell::fouled(shown.rulebook, *position, low, high);
                self.paragraph(area, row, &text, look.bad());
            }
            return;
        }
        put_in(self.buffer, area, 0, &look.rule("", area.width));
        let text = match (view.phase, shown.rulebook) {
            (PhaseView::Idle, Some(rulebook)) => {
                format!("{} ({}): {}", rulebook.name, rulebook.id, rulebook.summary)
            }
            (PhaseView::Setting, _) if shown.looks() => {
                "Seven cards lie before you, face down. Enter looks at them; d leaves them to the \
                 dealer, who sets them the House Way."
                    .to_string()
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
    pub(super) fn statement(
        &self,
        past: &PastView,
        shown: &Shown<'_>,
        width: usize,
    ) -> Vec<Line<'static>> {
        let mut told = Statement { look: self.look, shown, width, lines: vec![], sum: 0 };
        told.fouls(past);
        let of_me = |person| shown.me.is_none_or(|me| me == person);
        for line in &past.lines {
            // A banker's commission is part of what the bank came to.
            let own = matches!(line.owner, Owner::Person(person) if of_me(person));
            if own && line.bet != Bet::BankerCommission {
                told.line(&told.in_words(line), tell::gain(line), &line.clauses);
            }
        }
        for fee in past.fees.iter().filter(|fee| of_me(fee.person)) {
            let gain = -tell::signed_cents(fee.amount);
            let text = format!("Fee of {} before the round", fee.amount);
            told.line(&text, gain, std::slice::from_ref(&fee.clause));
        }
        if let Bank::Player { person, put_up, .. } = past.bank
            && shown.me == Some(person)
        {
            told.bank(&past.lines, put_up);
        }
        told.finish()
    }
}

/// What a round came to for someone, as it is written down.
struct Statement<'a> {
    look: Look,
    shown: &'a Shown<'a>,
    width: usize,
    lines: Vec<Line<'static>>,
    sum: i64,
}

impl Statement<'_> {
    fn style(&self, gain: i64) -> Style {
        match gain {
            0 => self.look.faint(),
            it if it > 0 => self.look.good(),
            _ => self.look.bad(),
        }
    }

    fn put(&mut self, indent: usize, text: &str, style: Style) {
        for text in wrapped(text, self.width.saturating_sub(indent)) {
            let text = format!("{:indent$}{text}", "", indent = indent + 1);
            self.lines.push(Line::styled(text, style));
        }
    }

    /// A line in words. A hand that was given up lost by the clause that lets one do so.
    fn in_words(&self, line: &Settled) -> String {
        let rule = self.shown.rulebook.and_then(|it| it.concession.as_ref());
        let gave_up = rule.is_some_and(|rule| line.clauses.first() == Some(&rule.cite));
        match gave_up && line.ending == Ending::Lose {
            true => format!(
                "Seat {} {} {} is given up",
                line.position.0,
                tell::bet(line.bet),
                line.stake
            ),
            false => tell::line(line),
        }
    }

    fn clauses(&mut self, clauses: &[Text]) {
        for clause in clauses {
            let text = tell::clause(self.shown.rulebook, clause);
            self.put(2, &text, self.look.faint());
        }
    }

    fn line(&mut self, text: &str, gain: i64, clauses: &[Text]) {
        self.sum += gain;
        self.put(0, &format!("{text}."), self.style(gain).patch(STRONG));
        self.clauses(clauses);
    }

    /// One's own hands that were fouls, and what became of them.
    fn fouls(&mut self, past: &PastView) {
        let own = self.shown.view.seats.iter().filter(|seat| seat.person.is_some());
        let own = own.filter(|seat| seat.person == self.shown.me).map(|seat| seat.position);
        for position in own {
            let hand = past.hands.iter().find(|(at, _)| *at == position);
            if let Some((_, HandView::Set { low, high, how: Some(How::Fouled) })) = hand {
                let text = tell::fouled(self.shown.rulebook, position, low, high);
                self.put(0, &text, self.look.bad().patch(STRONG));
            }
        }
    }

    /// What one's bank took and paid, seat by seat, and the clauses behind it.
    fn bank(&mut self, lines: &[Settled], put_up: Cents) {
        let gain = tell::bank_gain(lines);
        self.sum += gain;
        let text = format!("Your bank of {put_up}: {}.", signed(gain));
        self.put(0, &text, self.style(gain).patch(STRONG));
        let mut clauses: Vec<Text> = vec![];
        for line in lines {
            let (gain, text) = match line {
                line if line.bet == Bet::BankerCommission => {
                    (tell::gain(line), tell::bet(line.bet))
                }
                line if line.payer == Payer::Banker => (
                    tell::signed_cents(line.taken) - tell::signed_cents(line.paid),
                    tell::line(line),
                ),
                _ => continue,
            };
            let text = format!("{} {text} ({})", signed(gain), line.clauses.join(", "));
            self.put(2, &text, self.style(gain));
            clauses.extend(line.clauses.iter().cloned());
        }
        let mut told = BTreeSet::new();
        clauses.retain(|clause| told.insert(clause.clone()));
        self.clauses(&clauses);
    }

    fn finish(mut self) -> Vec<Line<'static>> {
        if self.lines.is_empty() {
            return vec![Line::raw(" You had no part in it.")];
        }
        let style = if self.sum < 0 { self.look.bad() } else { self.look.good() };
        let sum = format!(" Together {}", signed(self.sum));
        self.lines.insert(0, Line::styled(sum, style.patch(STRONG)));
        self.lines
    }
}
