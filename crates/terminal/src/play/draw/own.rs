//! One's own part of the table: bets, the bank, the hand, advice, results.

use houseway_rules::{Card, Cents};
use houseway_table::Offer;
use houseway_table::settlement::Owner;
use houseway_table::view::{HandView, PastView, PhaseView, SeatView};
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
use crate::look::{STRONG, WIDE, named, put, put_in, signed, wrapped};
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
            && !matches!(view.phase, PhaseView::Betting)
        {
            self.bank(seat, put_up, house_wager, offer, area);
        } else if view.phase == PhaseView::Betting {
            self.bets(play, seat, area);
        } else {
            self.waiting(play, shown, area);
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
    pub(super) fn statement(
        &self,
        past: &PastView,
        shown: &Shown<'_>,
        width: usize,
    ) -> Vec<Line<'static>> {
        let look = self.look;
        let mut lines = vec![];
        let own = past.lines.iter().filter(|line| {
            let owner = matches!(line.owner, Owner::Person(it) if Some(it) == shown.me);
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
}
