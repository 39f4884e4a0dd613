//! The commands, a file each.

pub(crate) mod admin;
pub(crate) mod advise;
pub(crate) mod odds;
pub(crate) mod play;
pub(crate) mod rank;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod set;
pub(crate) mod settle;
pub(crate) mod shell;
pub(crate) mod simulate;
pub(crate) mod train;
pub(crate) mod verify;

use houseway_rules::{Card, Dealt, ParseDealtError};

/// A hand with its cards in the order they were given.
pub(crate) struct Given {
    pub(crate) dealt: Dealt,
    pub(crate) cards: [Card; 7],
}

/// Reads seven cards from arguments, each of which may hold several.
pub(crate) fn hand(arguments: &[String]) -> anyhow::Result<Given> {
    parse(&arguments.join(" ")).map_err(|error| {
        let example = "a hand is seven different cards, such as Kc Kh 5s 5h Ac 6d 4s";
        anyhow::anyhow!("{error}; {example}")
    })
}

/// Reads seven cards from a line.
pub(crate) fn parse(text: &str) -> Result<Given, ParseDealtError> {
    let (dealt, cards) = Dealt::parse_in_order(text)?;
    Ok(Given { dealt, cards })
}

/// An answer for other programs, on a line of its own.
pub(crate) fn json(value: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(format!("{}\n", serde_json::to_string(value)?))
}
