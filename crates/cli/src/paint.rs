//! Cards as people like to see them: suit signs, four colours. Colour is taken out again on its
//! way to anything but a terminal.

use houseway_rules::{Card, Suit};

const RESET: &str = "\x1b[0m";

/// A card with its suit's sign and colour.
pub(crate) fn card(card: Card) -> String {
    match card.suit() {
        None => format!("\x1b[1;35mJk{RESET}"),
        Some(suit) => {
            let colour = match suit {
                Suit::Clubs => "\x1b[32m",
                Suit::Diamonds => "\x1b[34m",
                Suit::Hearts => "\x1b[31m",
                Suit::Spades => "\x1b[1m",
            };
            format!("{colour}{}{}{RESET}", card.rank(), suit.symbol())
        }
    }
}

/// Cards side by side.
pub(crate) fn cards(cards: &[Card]) -> String {
    cards.iter().map(|&it| card(it)).collect::<Vec<_>>().join(" ")
}

/// Something to catch the eye.
pub(crate) fn strong(text: &str) -> String {
    format!("\x1b[1m{text}{RESET}")
}

/// Something to pass over.
pub(crate) fn faint(text: &str) -> String {
    format!("\x1b[2m{text}{RESET}")
}

/// How wide text may be: the terminal's width within reason, or that of a page.
pub(crate) fn width() -> usize {
    let columns = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
    columns.clamp(50, 100)
}

/// A text after `indent` columns, wrapped to the page's width, and what is faint after it.
pub(crate) fn paragraph(text: &str, after: &str, indent: usize) -> String {
    let whole = if after.is_empty() { text.to_string() } else { format!("{text}  {after}") };
    let wrapped = wrapped(&whole, width().saturating_sub(indent).max(20), indent);
    match wrapped.strip_suffix(after) {
        Some(text) if !after.is_empty() => format!("{text}{}", faint(after)),
        _ => wrapped,
    }
}

/// Text broken into lines of at most `width` columns, those after the first indented.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', indent));
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 8, 2), "one two\n  three");
        assert_eq!(wrapped("", 8, 2), "");
    }
}
