//! `houseway odds`: exact counts and edges.

use std::fmt::Write as _;
use std::io::{self, Write};

use anyhow::bail;
use houseway_odds::bonus::{self, Bonus};
use houseway_odds::envy;
use houseway_odds::game::{self, Outcomes, Stake, Value};
use houseway_odds::{Advised, Advisor};
use houseway_rules::describe::grouped;
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{BonusHand, CardSet};
use serde::Serialize;

use super::json;
use crate::args::{Bet, Odds, Player};
use crate::{Outcome, paint, rulebooks};

pub(crate) fn run(args: &Odds, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebook = rulebooks::find(&args.rules)?;
    let text = match args.bet {
        Bet::Game => main_game(&rulebook, args)?,
        Bet::Bonus => fortune(&rulebook, args.json)?,
        Bet::Tiger => tiger(&rulebook, args.json)?,
        Bet::Envy => envied(&rulebook, args.json)?,
    };
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Done)
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
    /// How many of all hands the player sets otherwise than the House Way.
    #[serde(skip_serializing_if = "Option::is_none")]
    hands_set_otherwise: Option<u64>,
    /// What each clause gives away against the best setting, the most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    given_away: Vec<GivenAway<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by: Vec<OneClause<'a>>,
}

#[derive(Serialize)]
struct GivenAway<'a> {
    clause: &'a str,
    row: &'a str,
    hands: u64,
    /// Of each unit wagered, over all deals: frequency times cost.
    cost: f64,
    example: CardSet,
    house_low: CardSet,
    best_low: CardSet,
}

impl GivenAway<'_> {
    fn of<'a>(
        it: &houseway_odds::GivenAway<'a>,
        advisor: &Advisor<'_>,
        stake: Stake,
    ) -> GivenAway<'a> {
        let advice = advisor.advise(it.example, stake);
        let low = |wanted: Option<&Advised>| wanted.expect("a hand has settings").setting.low();
        let value = Value { gain: it.cost, of: i128::from(game::DEALS) * 100 };
        GivenAway {
            clause: &it.clause.id,
            row: &it.clause.row,
            hands: it.hands,
            cost: value.as_f64(),
            example: it.example.cards(),
            house_low: low(advice.iter().find(|advised| advised.house_way)),
            best_low: low(advice.first()),
        }
    }
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
    let stake = Stake::of(rulebook);
    let optimal = args.player == Player::Optimal;
    if optimal && args.by {
        bail!("--by is for --player house-way: a clause sets no optimal hand");
    }
    if !args.json {
        let cost = if optimal { "most of a minute on two cores" } else { "some seconds" };
        writeln!(io::stderr(), "Counting {} deals: {cost}.", grouped(game::DEALS))?;
    }
    let (total, otherwise, given_away, clauses) = if optimal {
        let counted = houseway_odds::optimal(rulebook, stake);
        let advisor = Advisor::new(rulebook);
        let given = counted.given_away.iter().map(|it| GivenAway::of(it, &advisor, stake));
        (counted.best, Some(counted.hands_set_otherwise()), given.collect(), vec![])
    } else {
        let counted = game::house_way(rulebook);
        (counted.total, None, vec![], counted.clauses)
    };
    let edge = |outcomes: Outcomes, stake| 0.0 - outcomes.value(stake).as_f64();
    let Outcomes { win, push, lose } = total;
    let decided = clauses.iter().filter(|(_, outcomes)| args.by && outcomes.deals() > 0);
    let game = Game {
        rules: &rulebook.id,
        player: if optimal { "optimal" } else { "house-way" },
        deals: game::DEALS,
        win,
        push,
        lose,
        house_edge: edge(total, stake),
        house_edge_without_commission: edge(total, Stake::FREE),
        hands_set_otherwise: otherwise,
        given_away,
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
    let how = if optimal { "the player optimally, the banker" } else { "both sides" };
    let mut text = format!("{}  {how} by the House Way\n", paint::strong(game.rules));
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
    if let Some(hands) = game.hands_set_otherwise {
        let of = houseway_rules::sweep::HANDS;
        let _ = writeln!(
            text,
            "  {} of {} hands are better set otherwise than the House Way, {} %",
            grouped(hands),
            grouped(of),
            percent(hands, of)
        );
        text.push_str("\n  What the House Way gives away, frequency times cost:\n");
        for it in &game.given_away {
            let _ = writeln!(
                text,
                "  {:<6} {:>8.5} %  {} hands, {}",
                it.clause,
                it.cost * 100.0,
                grouped(it.hands),
                it.row
            );
            let _ = writeln!(
                text,
                "         {}   {} Low, better {}",
                paint::cards(&it.example.sorted::<7>()),
                paint::cards(&it.house_low.sorted::<2>()),
                paint::cards(&it.best_low.sorted::<2>())
            );
        }
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
}

#[derive(Serialize)]
struct AboveLine {
    category: &'static str,
    paid: u64,
    returned: u64,
    pays: u32,
}

impl AboveBanker {
    fn of(counted: &bonus::AboveBanker) -> AboveBanker {
        let line = |&(hand, paid, returned, pays): &(BonusHand, u64, u64, u32)| AboveLine {
            category: hand.id(),
            paid,
            returned,
            pays,
        };
        AboveBanker {
            deals: game::DEALS,
            lose: counted.lose,
            lines: counted.lines.iter().map(line).collect(),
            house_edge: 0.0 - counted.value().as_f64(),
        }
    }
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
        above_banker: bonus::fortune_above_banker(rulebook).as_ref().map(AboveBanker::of),
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
    if let Some(above) = &fortune.above_banker {
        let deals = grouped(above.deals);
        let _ =
            writeln!(text, "\n  Paid only above the banker's own bonus hand, over {deals} deals:");
        for it in &above.lines {
            let all = it.paid + it.returned;
            let _ = writeln!(
                text,
                "  {:<32} paid {:>8} %, returned {:>8} %",
                it.category.replace('-', " "),
                percent(it.paid, all),
                percent(it.returned, all)
            );
        }
        let _ = writeln!(text, "  house edge {:.4} %", above.house_edge * 100.0);
    }
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

#[derive(Serialize)]
struct Envied<'a> {
    rules: &'a str,
    /// What one other hand brings on average, as a quotient of whole numbers, in cents; as text,
    /// because it is longer than other programs' numbers.
    cents_per_other_hand: String,
    deals: String,
    by_others: Vec<ByOthers>,
}

#[derive(Serialize)]
struct ByOthers {
    others: u32,
    dollars: f64,
    /// The standard wager from which on the waived commission pays for the bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    break_even_wager: Option<f64>,
}

fn envied(rulebook: &Rulebook, as_json: bool) -> anyhow::Result<String> {
    let Some(one) = envy::per_other_hand(rulebook) else {
        bail!("{} has no Envy Bonus", rulebook.id);
    };
    let waives = rulebook.commission.as_ref().and_then(|it| it.waived_by_fortune.as_ref());
    // The break-even wager needs the share of wins: the whole game.
    let game = waives.map(|_| game::house_way(rulebook).total);
    let by_others = (0..u32::from(rulebook.seats.betting_positions)).map(|others| ByOthers {
        others,
        dollars: one.dollars() * f64::from(others),
        break_even_wager: game.and_then(|game| envy::break_even_wager(rulebook, game, others)),
    });
    let envied = Envied {
        rules: &rulebook.id,
        cents_per_other_hand: one.cents.to_string(),
        deals: one.deals.to_string(),
        by_others: by_others.collect(),
    };
    if as_json {
        return json(&envied);
    }
    let mut text = format!("{}  Envy Bonus\n", paint::strong(envied.rules));
    text.push_str("  other hands   brings on average");
    text.push_str(if waives.is_some() { "   waiver pays from a wager of\n" } else { "\n" });
    for ByOthers { others, dollars, break_even_wager } in &envied.by_others {
        let wager = break_even_wager.map_or(String::new(), |wager| format!("${wager:>26.2}"));
        let line = format!("  {others:>11}   ${dollars:>16.6}   {wager}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if let Some(waiver) = waives {
        let _ = writeln!(
            text,
            "\n  The waiver takes a Fortune Bonus wager of {} ({}).",
            waiver.is, waiver.cite
        );
    }
    Ok(text)
}
