//! `houseway odds`: exact counts and edges.

use std::fmt::Write as _;
use std::io::{self, Write};

use anyhow::bail;
use houseway_odds::bonus::{self, Bonus};
use houseway_odds::game::{self, Outcomes, Stake};
use houseway_rules::describe::grouped;
use houseway_rules::rulebook::Rulebook;
use serde::Serialize;

use crate::args::{Bet, Odds};
use crate::{Outcome, paint, rulebooks};

pub(crate) fn run(args: &Odds, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebook = rulebooks::find(&args.rules)?;
    let text = match args.bet {
        Bet::Game => main_game(&rulebook, args)?,
        Bet::Bonus => fortune(&rulebook, args.json)?,
        Bet::Tiger => tiger(&rulebook, args.json)?,
    };
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

fn json(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(format!("{}\n", serde_json::to_string(value)?))
}

#[derive(Serialize)]
struct Game<'a> {
    rules: &'a str,
    player: &'static str,
    deals: u64,
    win: u64,
    push: u64,
    lose: u64,
    house_edge: f64,
    /// Where no commission is taken, or it is waived.
    house_edge_without_commission: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by: Vec<OneClause<'a>>,
}

#[derive(Serialize)]
struct OneClause<'a> {
    clause: &'a str,
    row: &'a str,
    deals: u64,
    win: u64,
    push: u64,
    lose: u64,
    house_edge: f64,
}

fn main_game(rulebook: &Rulebook, args: &Odds) -> anyhow::Result<String> {
    if !args.json {
        writeln!(io::stderr(), "Counting {} deals: some seconds.", grouped(game::DEALS))?;
    }
    let counted = game::house_way(rulebook);
    let stake = Stake::of(rulebook);
    let edge = |outcomes: Outcomes, stake| 0.0 - outcomes.value(stake).as_f64();
    let Outcomes { win, push, lose } = counted.total;
    let decided = counted.clauses.iter().filter(|(_, outcomes)| args.by && outcomes.deals() > 0);
    let game = Game {
        rules: &rulebook.id,
        player: "house-way",
        deals: game::DEALS,
        win,
        push,
        lose,
        house_edge: edge(counted.total, stake),
        house_edge_without_commission: edge(counted.total, Stake::FREE),
        by: decided
            .map(|(clause, outcomes)| OneClause {
                clause: &clause.id,
                row: &clause.row,
                deals: outcomes.deals(),
                win: outcomes.win,
                push: outcomes.push,
                lose: outcomes.lose,
                house_edge: edge(*outcomes, stake),
            })
            .collect(),
    };
    if args.json {
        return json(&game);
    }
    let mut text = format!("{}  both sides by the House Way\n", paint::strong(game.rules));
    for (name, deals) in [("win", win), ("push", push), ("lose", lose), ("deals", game.deals)] {
        let _ = writeln!(
            text,
            "  {name:<6} {:>25}  {:>9} %",
            grouped(deals),
            percent(deals, game.deals)
        );
    }
    let _ = writeln!(text, "  house edge {:.4} %", game.house_edge * 100.0);
    if stake != Stake::FREE {
        let free = game.house_edge_without_commission * 100.0;
        let _ = writeln!(text, "  house edge without commission {free:.4} %");
    }
    if args.by {
        text.push_str("\n  clause     share      win     push     lose     edge, all in percent\n");
        for it in &game.by {
            let _ = writeln!(
                text,
                "  {:<6} {:>9} {:>8} {:>8} {:>8} {:>8.2}",
                it.clause,
                percent(it.deals, game.deals),
                percent(it.win, it.deals),
                percent(it.push, it.deals),
                percent(it.lose, it.deals),
                it.house_edge * 100.0
            );
            let _ = writeln!(text, "         {}", paint::faint(&paint::paragraph(it.row, "", 9)));
        }
    }
    Ok(text)
}

/// A share in percent with four decimals, for people.
fn percent(part: u64, of: u64) -> String {
    let share = (u128::from(part) * 1_000_000 + u128::from(of) / 2) / u128::from(of.max(1));
    format!("{}.{:04}", share / 10_000, share % 10_000)
}

#[derive(Serialize)]
struct Fortune<'a> {
    rules: &'a str,
    hands: u64,
    lines: Vec<OneLine>,
    house_edge: f64,
    variance: f64,
}

#[derive(Serialize)]
struct OneLine {
    category: &'static str,
    hands: u64,
    pays: u32,
}

fn fortune(rulebook: &Rulebook, as_json: bool) -> anyhow::Result<String> {
    let counted = bonus::fortune(rulebook);
    let fortune = Fortune {
        rules: &rulebook.id,
        hands: Bonus::HANDS,
        lines: counted
            .lines
            .iter()
            .map(|&(hand, hands, pays)| OneLine { category: hand.id(), hands, pays })
            .collect(),
        house_edge: 0.0 - counted.value().as_f64(),
        variance: counted.variance(),
    };
    if as_json {
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
        "  house edge {:.4} %: {} of {} units wagered; variance {:.2}",
        fortune.house_edge * 100.0,
        -gain.gain / 100,
        gain.of / 100,
        fortune.variance
    );
    Ok(text)
}

#[derive(Serialize)]
struct Tiger<'a> {
    rules: &'a str,
    hands: u64,
    win: u64,
    pays: u32,
    house_edge: f64,
}

fn tiger(rulebook: &Rulebook, as_json: bool) -> anyhow::Result<String> {
    let Some(counted) = bonus::tiger_nine(rulebook) else {
        bail!("{} has no Tiger 9 bet; commission-free has", rulebook.id);
    };
    let tiger = Tiger {
        rules: &rulebook.id,
        hands: Bonus::HANDS,
        win: counted.hands,
        pays: counted.pays,
        house_edge: 0.0 - counted.value.as_f64(),
    };
    if as_json {
        return json(&tiger);
    }
    Ok(format!(
        "{}  Tiger 9\n  win {} of {} hands, {} %, paid {} to 1\n  house edge {:.4} %\n",
        paint::strong(tiger.rules),
        grouped(tiger.win),
        grouped(tiger.hands),
        percent(tiger.win, tiger.hands),
        tiger.pays,
        tiger.house_edge * 100.0
    ))
}
