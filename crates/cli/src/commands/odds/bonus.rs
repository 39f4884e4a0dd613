//! The Fortune Bonus and Tiger 9.

use std::fmt::Write as _;

use anyhow::bail;
use houseway_odds::bonus::{self, AboveLine, Bonus};
use houseway_odds::game::DEALS;
use houseway_rules::describe::grouped;
use houseway_rules::rulebook::Rulebook;
use serde::Serialize;

use super::super::json;
use super::{above_banker, percent};
use crate::args::Asked;
use crate::ask::Keep;
use crate::paint;

#[derive(Serialize)]
struct Fortune<'a> {
    rules: &'a str,
    hands: u64,
    lines: Vec<OneLine>,
    /// Hands that pay nothing.
    nothing: u64,
    /// Of the pay table alone; where the bonus must be above the banker's, see there.
    house_edge: f64,
    variance: f64,
    /// What a round pays at most, which these figures leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<String>,
    /// Where the bonus is paid only above the banker's own bonus hand: over all deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    above_banker: Option<AboveBanker>,
}

#[derive(Serialize)]
struct AboveBanker {
    deals: u64,
    lose: u64,
    lines: Vec<AboveLine>,
    house_edge: f64,
    variance: f64,
}

impl AboveBanker {
    fn of(counted: &bonus::AboveBanker) -> AboveBanker {
        AboveBanker {
            deals: DEALS,
            lose: counted.lose,
            lines: counted.lines.clone(),
            house_edge: 0.0 - counted.value().as_f64(),
            variance: counted.variance(),
        }
    }
}

#[derive(Serialize)]
struct OneLine {
    category: &'static str,
    hands: u64,
    pays: u32,
}

pub(super) fn fortune(rulebook: &Rulebook, args: &Asked) -> anyhow::Result<String> {
    let counted = bonus::fortune(rulebook);
    let above = above_banker(rulebook, Keep::unless(args.recompute))?;
    let fortune = Fortune {
        rules: &rulebook.id,
        hands: Bonus::HANDS,
        lines: counted
            .lines
            .iter()
            .map(|&(hand, hands, pays)| OneLine { category: hand.id(), hands, pays })
            .collect(),
        nothing: counted.nothing,
        house_edge: 0.0 - counted.value().as_f64(),
        variance: counted.variance(),
        cap: cap(rulebook),
        above_banker: above.as_ref().map(AboveBanker::of),
    };
    if args.json {
        return json(&fortune);
    }
    let mut text = format!("{}  Fortune Bonus\n", paint::strong(fortune.rules));
    let mut line = |name: &str, hands: u64, pays: &str| {
        let share = percent(hands, fortune.hands);
        let _ = writeln!(text, "  {name:<32} {:>12}  {share:>8} %  {pays:>6}", grouped(hands));
    };
    for it in &fortune.lines {
        line(&it.category.replace('-', " "), it.hands, &grouped(it.pays.into()));
    }
    line("nothing", counted.nothing, "");
    line("hands", fortune.hands, "");
    let gain = counted.value();
    let _ = writeln!(
        text,
        "  {} {:.4} %: {} of {} units wagered; variance {:.2}",
        if fortune.above_banker.is_some() { "edge of the pay table alone" } else { "house edge" },
        fortune.house_edge * 100.0,
        signed(-gain.gain / 100),
        signed(gain.of / 100),
        fortune.variance
    );
    if let Some(above) = &fortune.above_banker {
        let deals = grouped(above.deals);
        let _ =
            writeln!(text, "\n  Paid only above the banker's own bonus hand, over {deals} deals:");
        for it in &above.lines {
            let all = it.paid + it.returned;
            let _ = writeln!(
                text,
                "  {:<32} paid {:>8} %, returned {:>8} %",
                it.category.id().replace('-', " "),
                percent(it.paid, all),
                percent(it.returned, all)
            );
        }
        let edge = above.house_edge * 100.0;
        let _ = writeln!(text, "  house edge {edge:.4} %; variance {:.2}", above.variance);
    }
    if let Some(cap) = &fortune.cap {
        let _ = writeln!(text, "  {}", paint::wrapped(cap, paint::width() - 2, 2));
    }
    Ok(text)
}

/// A whole number with a sign and groups.
fn signed(number: i128) -> String {
    let digits = grouped(u64::try_from(number.unsigned_abs()).unwrap_or(u64::MAX));
    if number < 0 { format!("-{digits}") } else { digits }
}

/// What a round pays at most, in words, where the house caps it.
fn cap(rulebook: &Rulebook) -> Option<String> {
    let cap = rulebook.fortune.cap.as_ref()?;
    let amount = cap.amount.map_or("what the room posts".to_string(), |amount| amount.to_string());
    Some(format!(
        "Counted without the cap on what all bonus bets of a round are paid, {amount} ({}).",
        cap.cite
    ))
}

#[derive(Serialize)]
struct Tiger<'a> {
    rules: &'a str,
    hands: u64,
    win: u64,
    pays: u32,
    house_edge: f64,
    variance: f64,
}

pub(super) fn tiger(rulebook: &Rulebook, as_json: bool) -> anyhow::Result<String> {
    let Some(counted) = bonus::tiger_nine(rulebook) else {
        bail!("{} has no Tiger 9 bet; commission-free has", rulebook.id);
    };
    let tiger = Tiger {
        rules: &rulebook.id,
        hands: Bonus::HANDS,
        win: counted.hands,
        pays: counted.pays,
        house_edge: 0.0 - counted.value.as_f64(),
        variance: counted.variance(),
    };
    if as_json {
        return json(&tiger);
    }
    Ok(format!(
        "{}  Tiger 9\n  win {} of {} hands, {} %, paid {} to 1\n  house edge {:.4} %; variance {:.2}\n",
        paint::strong(tiger.rules),
        grouped(tiger.win),
        grouped(tiger.hands),
        percent(tiger.win, tiger.hands),
        tiger.pays,
        tiger.house_edge * 100.0,
        tiger.variance
    ))
}
