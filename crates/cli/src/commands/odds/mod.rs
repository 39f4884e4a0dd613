//! `houseway odds`: exact counts and edges.

mod bonus;
mod differences;
mod envy;
mod game;

use std::io::Write;

use crate::args::{Bet, Odds};
use crate::{Outcome, rulebooks};

pub(crate) fn run(args: &Odds, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebook = rulebooks::find(&args.rules)?;
    let text = match args.bet {
        Bet::Game => game::answer(&rulebook, args)?,
        Bet::Differences => differences::answer(&rulebook, args)?,
        Bet::Bonus => bonus::fortune(&rulebook, args)?,
        Bet::Tiger => bonus::tiger(&rulebook, args.json)?,
        Bet::Envy => envy::answer(&rulebook, args)?,
    };
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// A share in percent with four decimals, for people.
pub(crate) fn percent(part: u64, of: u64) -> String {
    let share = (u128::from(part) * 1_000_000 + u128::from(of) / 2) / u128::from(of.max(1));
    format!("{}.{:04}", share / 10_000, share % 10_000)
}
