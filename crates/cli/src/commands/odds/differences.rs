//! What one way to set is worth against another, hand by hand.

use std::fmt::Write as _;

use houseway_odds::Seat;
use houseway_odds::answers::{Against, BestGame};
use houseway_odds::game::{DEALS, Stake, Value};
use houseway_odds::ways::{Compared, Difference, Example};
use houseway_rules::CardSet;
use houseway_rules::describe::grouped;
use houseway_rules::rulebook::Rulebook;
use serde::Serialize;

use super::super::json;
use super::percent;
use crate::args::Odds;
use crate::ask::{Keep, ask};
use crate::{paint, rulebooks};

#[derive(Serialize)]
struct Differences<'a> {
    rules: &'a str,
    /// Another rulebook's id, or `optimal`.
    against: &'a str,
    deals: u64,
    hands_set_otherwise: u64,
    house_edge: f64,
    /// The edge against someone who sets the other way.
    other_house_edge: f64,
    /// By clause, what matters most first.
    clauses: Vec<Line<'a>>,
    /// The hands that matter most.
    hands: Vec<Alike>,
}

/// The hands of one clause, or of a pair of clauses.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    clause: &'a str,
    row: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_clause: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_row: Option<&'a str>,
    hands: u64,
    /// What the other way gains of each unit wagered, over all deals: frequency times cost.
    gain: f64,
    examples: Vec<Alike>,
}

/// Hands of the same ranks.
#[derive(Serialize)]
struct Alike {
    example: CardSet,
    hands: u64,
    gain: f64,
    low: CardSet,
    other_low: CardSet,
}

/// Of each unit wagered, over all deals.
fn share(gain: i64) -> f64 {
    Value { gain: gain.into(), of: i128::from(DEALS) * 100 }.as_f64()
}

impl Alike {
    fn of(it: &Example) -> Alike {
        let Example { cards, hands, gain, low, other_low } = *it;
        Alike { example: cards, hands, gain: share(gain), low, other_low }
    }
}

pub(super) fn lines<'a>(
    differences: &[Difference],
    rulebook: &'a Rulebook,
    other: Option<&'a Rulebook>,
    examples: usize,
) -> Vec<Line<'a>> {
    let line = |it: &Difference| {
        let own = &rulebook.house_way[it.clause];
        let theirs = it.other.zip(other).map(|(place, other)| &other.house_way[place]);
        Line {
            clause: &own.id,
            row: &own.row,
            other_clause: theirs.map(|clause| &*clause.id),
            other_row: theirs.map(|clause| &*clause.row),
            hands: it.hands,
            gain: share(it.gain),
            examples: it.most.iter().take(examples).map(Alike::of).collect(),
        }
    };
    differences.iter().map(line).collect()
}

pub(super) fn write_lines(text: &mut String, lines: &[Line<'_>]) {
    for it in lines {
        let other = it.other_clause.map_or(String::new(), |other| format!(" / {other}"));
        let _ = writeln!(
            text,
            "  {:<6}{other} {:>+9.5} %  {} hands, {}{}",
            it.clause,
            it.gain * 100.0,
            grouped(it.hands),
            it.row,
            it.other_row.map_or(String::new(), |row| format!(" / {row}")),
        );
        for example in &it.examples {
            let _ = writeln!(text, "         {}", in_cards(example));
        }
    }
}

fn in_cards(it: &Alike) -> String {
    format!(
        "{}   {} Low, other {}",
        paint::cards(&it.example.sorted::<7>()),
        paint::cards(&it.low.sorted::<2>()),
        paint::cards(&it.other_low.sorted::<2>())
    )
}

pub(super) fn answer(rulebook: &Rulebook, args: &Odds) -> anyhow::Result<String> {
    let keep = Keep::unless(args.recompute);
    let other = args.against.as_deref().map(rulebooks::find).transpose()?;
    let compared: Compared = match &other {
        Some(other) => ask(&Against { rulebook, other }, keep)?,
        None => ask(&BestGame { rulebook, seat: Seat::Player }, keep)?,
    };
    let stake = Stake::of(rulebook);
    let mut hands: Vec<&Example> = compared.differences.iter().flat_map(|it| &it.most).collect();
    hands.sort_by_key(|it| -it.gain.abs());
    let differences = Differences {
        rules: &rulebook.id,
        against: other.as_ref().map_or("optimal", |other| &*other.id),
        deals: DEALS,
        hands_set_otherwise: compared.hands_set_otherwise(),
        house_edge: 0.0 - compared.house_way.value(stake).as_f64(),
        other_house_edge: 0.0 - compared.other.total().value(stake).as_f64(),
        clauses: lines(&compared.differences, rulebook, other.as_deref(), 1),
        // No clause keeps more examples than this, so more would not be the ones that matter most.
        hands: hands.iter().take(10).map(|it| Alike::of(it)).collect(),
    };
    if args.json {
        return json(&differences);
    }
    let of = houseway_rules::sweep::HANDS;
    let against = match &other {
        Some(other) => format!("the House Way of {}", other.id),
        None => "the best setting".to_string(),
    };
    let mut text = format!("{}  the House Way, and {against}\n", paint::strong(differences.rules));
    let _ = writeln!(
        text,
        "  {} of {} hands are worth something else the other way, {} %",
        grouped(differences.hands_set_otherwise),
        grouped(of),
        percent(differences.hands_set_otherwise, of)
    );
    let edges = [
        ("house edge, player by the House Way", differences.house_edge),
        ("house edge, player the other way", differences.other_house_edge),
    ];
    for (name, edge) in edges {
        let _ = writeln!(text, "  {name:<40} {:>+8.4} %", edge * 100.0);
    }
    text.push_str(
        "\n  The hands that matter most: what the other way gains, frequency times cost\n",
    );
    for it in &differences.hands {
        let _ = writeln!(
            text,
            "  {:>+9.5} %  {:>9} hands like  {}",
            it.gain * 100.0,
            grouped(it.hands),
            in_cards(it)
        );
    }
    text.push_str("\n  By clause:\n");
    write_lines(&mut text, &differences.clauses);
    Ok(text)
}
