//! The commands, a file each.

pub(crate) mod rank;
pub(crate) mod rules;
pub(crate) mod set;
pub(crate) mod shell;

use anyhow::Context;
use houseway_rules::{Card, CardSet, Dealt, words};

/// A hand with its cards in the order they were given.
pub(crate) struct Given {
    pub(crate) dealt: Dealt,
    pub(crate) cards: [Card; 7],
}

/// Reads seven cards from arguments, each of which may hold several.
pub(crate) fn hand(arguments: &[String]) -> anyhow::Result<Given> {
    let text = arguments.join(" ");
    parse(&text)
        .with_context(|| {
            "a hand is seven different cards, such as: houseway set Kc Kh 5s 5h Ac 6d 4s"
                .to_string()
        })
        .map_err(|error| {
            // The fault first, then what would be right.
            anyhow::anyhow!("{}; {}", error.root_cause(), error)
        })
}

/// Reads seven cards from a line.
pub(crate) fn parse(text: &str) -> anyhow::Result<Given> {
    let dealt: Dealt = text.parse()?;
    let mut cards = [Card::JOKER; 7];
    for (place, word) in cards.iter_mut().zip(words(text)) {
        *place = word.parse()?;
    }
    debug_assert_eq!(cards.iter().fold(CardSet::EMPTY, |set, &it| set.with(it)), dealt.cards());
    Ok(Given { dealt, cards })
}
