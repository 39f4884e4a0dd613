//! The table as it lies before everyone: the banker, the seats, what is going on.

use std::collections::BTreeMap;

use houseway_rules::rulebook::{Rulebook, Wager};
use houseway_rules::{Card, Cents};
use houseway_table::view::{HandView, PastView, PhaseView, SeatView, TableView};
use houseway_table::{Bank, How, Offer, Person};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::super::seat::{Seat, WAGERS, banks, holds_bank};
use super::super::state::Play;
use super::Paper;
use crate::heard::{Named, Update};
use crate::look::{STRONG, WIDE, named, put_in, short, signed};
use crate::words as tell;

/// A table to be drawn, live or told again.
pub(super) struct Shown<'a> {
    pub(super) view: &'a TableView,
    pub(super) people: &'a BTreeMap<u32, Named>,
    pub(super) me: Option<Person>,
    pub(super) rulebook: Option<&'a Rulebook>,
}

impl Shown<'_> {
    /// The round before, while it lies on the table.
    fn past(&self) -> Option<&PastView> {
        self.view.last.as_ref().filter(|_| self.view.phase == PhaseView::Idle)
    }

    /// Whether there is a hand to look at.
    pub(super) fn looks(&self) -> bool {
        self.view.options.iter().any(|it| matches!(it, Offer::View { .. }))
    }

    fn name(&self, person: Person) -> String {
        if Some(person) == self.me { "You".into() } else { tell::name(self.people, person) }
    }
}

impl Paper<'_> {
    pub(super) fn table(&mut self, play: &Play, area: Rect) {
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
    pub(super) fn felt(&mut self, shown: &Shown<'_>, area: Rect) -> u16 {
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
        let past = shown.past();
        let who = match view.bank.or(past.map(|past| past.bank)) {
            // A narrow window marks the seat alone.
            Some(Bank::Player { person, .. }) if width < WIDE => {
                format!("Bank: {}", short(&shown.name(person), 12))
            }
            Some(Bank::Player { position, person, put_up, .. }) => {
                format!("Bank: {}, seat {}, {put_up}", shown.name(person), position.0)
            }
            Some(Bank::House) => "Dealer".into(),
            None => "The bank".into(),
        };
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

    fn past_hand<'s>(shown: &'s Shown<'_>, seat: &SeatView) -> Option<&'s HandView> {
        let hands = &shown.past()?.hands;
        hands.iter().find(|(at, _)| *at == seat.position).map(|(_, hand)| hand)
    }

    /// What the round that lies there came to at a seat, the bank included.
    fn past_gain(shown: &Shown<'_>, seat: &SeatView) -> Option<i64> {
        let past = shown.past()?;
        let own = tell::gain_at(&past.lines, seat.position, seat.person);
        match past.bank.position() == Some(seat.position) {
            true => Some(own.unwrap_or(0) + tell::bank_gain(&past.lines)),
            false => own,
        }
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
        let past = shown.past().and_then(|past| past.bank.position());
        if banks(view, seat.position) || past == Some(seat.position) {
            marks.push_str(" B");
        } else if view.button == Some(seat.position) {
            marks.push_str(" o");
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
        let past = Paper::past_hand(shown, seat);
        let hand = seat.hand.as_ref().or(past);
        if let (None, Some(HandView::Set { how: Some(How::Fouled), .. })) = (&seat.hand, past) {
            lines[2] = Line::styled("foul", look.bad());
        }
        match hand {
            // A banker's cards are above.
            None if shown.past().is_some() => lines.extend([Line::default(), Line::default()]),
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
        if let Some(gain) = Paper::past_gain(shown, seat) {
            lines.push(self.gain(gain));
        }
        lines
    }

    pub(super) fn gain(&self, gain: i64) -> Line<'static> {
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
        } else if let Some(gain) = Paper::past_gain(shown, seat) {
            if let Some(HandView::Set { low, high, .. }) = Paper::past_hand(shown, seat) {
                line.extend(look.cards(low, ""));
                line.push(Span::raw(" "));
                line.extend(look.cards(high, ""));
                line.push(Span::raw(" "));
            }
            line.extend(self.gain(gain).spans);
        } else {
            let stack = seat.stack.map_or(String::new(), |stack| stack.to_string());
            let text = format!("{} {stack}", Paper::wagers(seat));
            line.push(Span::styled(short(text.trim(), room), look.gold()));
        }
        Line::from(line)
    }
}

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
        PhaseView::Betting if shown.me.is_some_and(|me| holds_bank(view, me)) => {
            "You bank. The others place their bets.".into()
        }
        PhaseView::Betting if seat.boxes(shown.me, shown.rulebook).is_empty() => {
            "Bets are open.".into()
        }
        PhaseView::Betting if seat.bank().is_some() => {
            "Place your bets, or take the bank (b).".into()
        }
        PhaseView::Betting => "Place your bets.".into(),
        PhaseView::Closed => "No more bets.".into(),
        PhaseView::Setting if seat.unset().is_some() => "Set your hand.".into(),
        PhaseView::Setting if shown.looks() => "The cards are dealt.".into(),
        PhaseView::Setting => "The others set their hands.".into(),
        PhaseView::Revealed => {
            let concedes = seat.offers().iter().any(|it| matches!(it, Offer::Concede { .. }));
            match concedes {
                true => "The banker shows. Compare, or give up?".into(),
                false => "The banker's hand is shown.".into(),
            }
        }
    };
    let resumed = update.resumed.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    let clock = view.until.map_or(String::new(), |until| {
        let now = super::super::now() + play.ahead;
        let left = i64::try_from(until).unwrap_or(i64::MAX).saturating_sub(now).max(0);
        format!(" {} s", left / 1000)
    });
    let waits = view.phase != PhaseView::Setting;
    let ready = waits && shown.me.is_some_and(|me| update.ready.contains(&me));
    let ready = if ready { " You are ready." } else { "" };
    format!("{text}{clock}{ready}{resumed}")
}
