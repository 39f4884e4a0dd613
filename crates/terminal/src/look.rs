//! How things look: cards, money and frames, in colour or without, with signs or in plain ASCII.

use std::env;

use houseway_rules::{Card, Cents, Ranking, Suit};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// The smallest window that everything fits into.
pub(crate) const SMALLEST: (u16, u16) = (40, 20);

/// From this width on there is room for seats side by side.
pub(crate) const WIDE: u16 = 80;

/// What catches the eye.
pub(crate) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// A bar across the screen.
pub(crate) const BAR: Style = Style::new().add_modifier(Modifier::REVERSED);

/// How a screen is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether there are colours.
    pub colour: bool,
    /// Whether nothing but ASCII is drawn.
    pub ascii: bool,
}

impl Look {
    /// What suits the terminal, or plain ASCII where it is asked for.
    pub fn of_terminal(ascii: bool) -> Look {
        let named = |name: &str| env::var_os(name).filter(|it| !it.is_empty());
        let term = named("TERM");
        let dumb = term.is_none_or(|it| it == "dumb" || it == "vt100" || it == "vt220");
        let colour = !dumb && named("NO_COLOR").is_none();
        Look { colour, ascii: ascii || !colour }
    }

    /// The same for a window of some width: a narrow one is drawn plainly.
    pub(crate) fn at(self, width: u16) -> Look {
        Look { ascii: self.ascii || width < WIDE, ..self }
    }

    fn fg(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    pub(crate) fn faint(self) -> Style {
        self.fg(Color::DarkGray)
    }

    pub(crate) fn good(self) -> Style {
        self.fg(Color::Green)
    }

    pub(crate) fn bad(self) -> Style {
        self.fg(Color::LightRed)
    }

    pub(crate) fn gold(self) -> Style {
        self.fg(Color::Yellow)
    }

    /// A card's two letters: rank and suit.
    pub(crate) fn card_text(self, card: Card) -> String {
        match card.suit() {
            Some(suit) if !self.ascii => format!("{}{}", card.rank(), suit.symbol()),
            _ => card.to_string(),
        }
    }

    pub(crate) fn card_style(self, card: Card) -> Style {
        match card.suit() {
            None => self.fg(Color::Magenta).add_modifier(Modifier::BOLD),
            Some(Suit::Clubs) => self.fg(Color::Green),
            Some(Suit::Diamonds) => self.fg(Color::LightBlue),
            Some(Suit::Hearts) => self.fg(Color::LightRed),
            Some(Suit::Spades) => STRONG,
        }
    }

    /// Cards side by side, with something between them.
    pub(crate) fn cards(self, cards: &[Card], between: &'static str) -> Vec<Span<'static>> {
        let mut spans = vec![];
        for (place, &card) in cards.iter().enumerate() {
            if place > 0 && !between.is_empty() {
                spans.push(Span::raw(between));
            }
            spans.push(Span::styled(self.card_text(card), self.card_style(card)));
        }
        spans
    }

    /// The backs of so many cards.
    pub(crate) fn backs(self, number: usize) -> Span<'static> {
        let back = if self.ascii { "#" } else { "▒" };
        Span::styled(back.repeat(number), self.fg(Color::Blue))
    }

    /// A sign between two parts of a line.
    pub(crate) fn dot(self) -> &'static str {
        if self.ascii { " - " } else { " · " }
    }

    pub(crate) fn pointer(self) -> &'static str {
        if self.ascii { ">" } else { "▸" }
    }

    /// A line across, with a word in it.
    pub(crate) fn rule(self, word: &str, width: u16) -> Line<'static> {
        let stroke = if self.ascii { "-" } else { "─" };
        let word = if word.is_empty() { String::new() } else { format!(" {word} ") };
        let rest = usize::from(width).saturating_sub(word.width() + 2);
        Line::from(vec![
            Span::styled(stroke.repeat(2), self.faint()),
            Span::styled(word, self.gold()),
            Span::styled(stroke.repeat(rest), self.faint()),
        ])
    }

    /// A card as large as four columns and three rows.
    pub(crate) fn large_card(self, buffer: &mut Buffer, at: (u16, u16), card: Card, held: bool) {
        let [top, side, bottom] = match (self.ascii, held) {
            (true, false) => ["+--+", "|", "+--+"],
            (true, true) => ["====", "|", "===="],
            (false, false) => ["┌──┐", "│", "└──┘"],
            (false, true) => ["╔══╗", "║", "╚══╝"],
        };
        let (x, y) = at;
        let edge = if held { self.gold() } else { self.faint() };
        put(buffer, x, y, &Line::styled(top, edge));
        let face = Span::styled(self.card_text(card), self.card_style(card));
        let middle = vec![Span::styled(side, edge), face, Span::styled(side, edge)];
        put(buffer, x, y + 1, &Line::from(middle));
        put(buffer, x, y + 2, &Line::styled(bottom, edge));
    }
}

/// Writes a line, as far as there is room.
pub(crate) fn put(buffer: &mut Buffer, x: u16, y: u16, line: &Line<'_>) {
    let area = buffer.area;
    if y < area.bottom() && x < area.right() {
        buffer.set_line(x, y, line, area.right() - x);
    }
}

/// Writes a line into a box of its own.
pub(crate) fn put_in(buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
    if row < area.height && area.y + row < buffer.area.bottom() && area.x < buffer.area.right() {
        let width = area.width.min(buffer.area.right() - area.x);
        buffer.set_line(area.x, area.y + row, line, width);
    }
}

/// Text broken between words into lines of at most so many columns.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = vec![];
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.width() + 1 + word.width() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// Text of at most so many columns; what is cut off is shown to be.
pub(crate) fn short(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_string();
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if cut.width() + 2 > width {
            break;
        }
        cut.push(letter);
    }
    format!("{cut}.")
}

/// What someone gained or lost.
pub(crate) fn signed(cents: i64) -> String {
    let amount = Cents::new(cents.unsigned_abs());
    match cents {
        0 => "$0".to_string(),
        cents if cents > 0 => format!("+{amount}"),
        _ => format!("-{amount}"),
    }
}

/// What a set hand is, in words: Low and High.
pub(crate) fn named(ranking: Ranking, low: &[Card], high: &[Card]) -> Option<(String, String)> {
    let set = |cards: &[Card]| {
        let each = cards.iter();
        each.fold(houseway_rules::CardSet::EMPTY, |set, &card| set.with(card))
    };
    if low.len() != 2 || high.len() != 5 {
        return None;
    }
    Some((ranking.two(set(low)).to_string(), ranking.name(ranking.five(set(high)))))
}

/// Says that the window is too small, and how large it must be.
pub(crate) fn too_small(buffer: &mut Buffer) -> bool {
    let Rect { width, height, .. } = buffer.area;
    let (least_width, least_height) = SMALLEST;
    if width >= least_width && height >= least_height {
        return false;
    }
    let text = format!(
        "The window is too small: {width}x{height}. At least {least_width}x{least_height} are \
         needed: make it larger."
    );
    for (row, line) in (0..).zip(wrapped(&text, usize::from(width))) {
        put(buffer, 0, row, &Line::raw(line));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_and_shortened_by_columns() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("a\n\nb", 9), ["a", "", "b"]);
        assert_eq!(short("seven", 5), "seven");
        assert_eq!(short("seventeen", 5), "seve.");
    }

    #[test]
    fn cards_have_signs_or_letters() {
        let card = "Ts".parse().expect("a card");
        let fine = Look { colour: true, ascii: false };
        assert_eq!(fine.card_text(card), "T♠");
        assert_eq!(fine.at(40).card_text(card), "Ts");
        assert_eq!(fine.card_text(Card::JOKER), "Jk");
        assert_eq!(signed(-150), "-$1.50");
    }

    #[test]
    fn a_small_window_is_told_how_large_it_must_be() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 6));
        assert!(too_small(&mut buffer));
        let text: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert!(text.contains("30x6") && text.contains("40x20"), "{text}");
        assert!(!too_small(&mut Buffer::empty(Rect::new(0, 0, 40, 20))));
    }
}
