//! `houseway odds`: exact counts and edges.

mod bonus;
pub(crate) mod differences;
mod envy;
mod game;

use std::io::Write;

use anyhow::bail;
use houseway_odds::answers::FortuneAboveBanker;
use houseway_odds::bonus as bonus_odds;
use houseway_rules::rulebook::Rulebook;

use crate::args::{Bet, Odds};
use crate::ask::{Keep, ask};
use crate::{Outcome, rulebooks};

pub(crate) fn run(args: &Odds, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebook = rulebooks::find(&args.bet.asked().rules)?;
    let text = match &args.bet {
        Bet::Game(game) => game::answer(&rulebook, game)?,
        Bet::Differences(asked) => differences::answer(&rulebook, asked)?,
        Bet::Bonus(asked) => bonus::fortune(&rulebook, asked)?,
        Bet::Tiger(asked) => bonus::tiger(&rulebook, asked.json)?,
        Bet::Envy(asked) => envy::answer(&rulebook, asked)?,
    };
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// The Fortune Bonus as the house pays it: against the banker's hand where that is the rule.
pub(crate) fn above_banker(
    rulebook: &Rulebook,
    keep: Keep,
) -> anyhow::Result<Option<bonus_odds::AboveBanker>> {
    match &rulebook.fortune.only_above_banker {
        Some(_) => ask(&FortuneAboveBanker(rulebook), keep),
        None => Ok(None),
    }
}

/// Refused where no Fortune Bonus wager waives the commission.
pub(crate) fn check_waiver(rulebook: &Rulebook) -> anyhow::Result<()> {
    match rulebook.waiver().is_some() {
        true => Ok(()),
        false => bail!("{}: nothing waives a commission here", rulebook.id),
    }
}

/// A share in percent with four decimals, for people.
pub(crate) fn percent(part: u64, of: u64) -> String {
    let share = (u128::from(part) * 1_000_000 + u128::from(of) / 2) / u128::from(of.max(1));
    format!("{}.{:04}", share / 10_000, share % 10_000)
}
