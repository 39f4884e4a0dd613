//! The Envy Bonus and the commission it may waive.

use std::fmt::Write as _;

use anyhow::bail;
use houseway_odds::answers::HouseWayGame;
use houseway_odds::{bonus, envy};
use houseway_rules::Cents;
use houseway_rules::rulebook::Rulebook;
use serde::Serialize;

use super::super::json;
use super::above_banker;
use crate::args::Asked;
use crate::ask::{Keep, ask};
use crate::paint;

#[derive(Serialize)]
struct Envied<'a> {
    rules: &'a str,
    /// What one other hand brings on average: so many cents in so many deals, in lowest terms.
    per_other_hand: PerOtherHand,
    /// The Fortune Bonus wager that the edges are for.
    wager: Cents,
    by_others: Vec<ByOthers>,
}

#[derive(Serialize)]
struct PerOtherHand {
    cents: u128,
    deals: u128,
}

#[derive(Serialize)]
struct ByOthers {
    others: u32,
    dollars: f64,
    /// The edge of the Fortune Bonus wager, Envy included.
    house_edge: f64,
    /// The standard wager from which on the waived commission pays for the bet: zero where it pays
    /// for itself, left out where nothing is waived.
    #[serde(skip_serializing_if = "Option::is_none")]
    break_even_wager: Option<f64>,
}

/// The Fortune Bonus wager that edges are told for: what Envy asks for, at least five dollars.
const USUAL: Cents = Cents::dollars(5);

pub(super) fn answer(rulebook: &Rulebook, args: &Asked) -> anyhow::Result<String> {
    let Some(one) = envy::per_other_hand(rulebook)? else {
        bail!("{} has no Envy Bonus", rulebook.id);
    };
    let waives = rulebook.waiver();
    // The break-even wager needs the share of wins: the whole game.
    let game = match waives {
        None => None,
        Some(_) => Some(ask(&HouseWayGame(rulebook), Keep::unless(args.recompute))?.total()),
    };
    let asked = rulebook.envy.as_ref().map_or(USUAL, |envy| envy.fortune_at_least);
    let wager = asked.max(USUAL);
    let bonus = match above_banker(rulebook, Keep::unless(args.recompute))? {
        Some(above) => above.value(),
        None => bonus::fortune(rulebook).value(),
    };
    let by_others = (0..u32::from(rulebook.seats.betting_positions)).map(|others| ByOthers {
        others,
        dollars: one.dollars() * f64::from(others),
        house_edge: envy::edge_with_envy(0.0 - bonus.as_f64(), one, wager, others),
        break_even_wager: game
            .and_then(|game| envy::break_even_wager(rulebook, game, bonus, Some(one), others)),
    });
    let envied = Envied {
        rules: &rulebook.id,
        per_other_hand: {
            let envy::PerOtherHand { cents, deals } = one.reduced();
            PerOtherHand { cents, deals }
        },
        wager,
        by_others: by_others.collect(),
    };
    if args.json {
        return json(&envied);
    }
    let mut text = format!("{}  Envy Bonus\n", paint::strong(envied.rules));
    let _ = write!(text, "  other hands   brings on average   edge of a {wager} bonus bet");
    text.push_str(if waives.is_some() { "   waiver pays from\n" } else { "\n" });
    for ByOthers { others, dollars, house_edge, break_even_wager } in &envied.by_others {
        let from = match break_even_wager {
            None => String::new(),
            Some(wager) if *wager > 0.0 => format!("${wager:.2}"),
            Some(_) => "any wager".to_string(),
        };
        let edge = house_edge * 100.0;
        let line = format!("  {others:>11}   ${dollars:>16.6}   {edge:>21.4} %   {from:>16}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if let Some(waiver) = waives {
        let says = format!(
            "The waiver takes a Fortune Bonus wager of {} ({}); it pays from that standard wager \
             on.",
            waiver.is, waiver.cite
        );
        let _ = writeln!(text, "\n  {}", paint::wrapped(&says, paint::width() - 2, 2));
    }
    Ok(text)
}
