//! What one way to set is worth against another, hand by hand.

use std::fmt::Write as _;

use anyhow::bail;
use houseway_odds::answers::{Against, BestGame};
use houseway_odds::game::{DEALS, Stake, Value};
use houseway_odds::ways::{Compared, Difference, Example};
use houseway_odds::{BANKER_HANDS, Seat};
use houseway_rules::CardSet;
use houseway_rules::describe::grouped;
use houseway_rules::rulebook::Rulebook;
use serde::Serialize;

use super::super::json;
use super::percent;
use crate::args::{Differences as Args, Side};
use crate::ask::{Keep, ask};
use crate::{paint, rulebooks};

#[derive(Serialize)]
struct Differences<'a> {
    rules: &'a str,
    /// Another rulebook's id, or `optimal`.
    against: &'a str,
    deals: u64,
    hands_set_otherwise: u64,
    /// Who sets the other way.
    #[serde(rename = "as")]
    seat: Seat,
    /// What is gained on each unit at stake by the House Way.
    gain: f64,
    /// What is gained the other way.
    other_gain: f64,
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
    /// What it gains on one such hand.
    gain_each: f64,
    /// The same in dollars over a thousand rounds of $100.
    dollars_per_1000_rounds: f64,
    examples: Vec<Alike>,
}

/// Hands of the same ranks.
#[derive(Serialize)]
struct Alike {
    example: CardSet,
    hands: u64,
    gain: f64,
    gain_each: f64,
    low: CardSet,
    other_low: CardSet,
}

/// Of each unit wagered, over all deals.
pub(crate) fn share(gain: i64) -> f64 {
    Value { gain: gain.into(), of: i128::from(DEALS) * 100 }.as_f64()
}

/// Of a unit wagered on one of so many hands.
fn each(gain: i64, hands: u64) -> f64 {
    Value { gain: gain.into(), of: i128::from(hands) * i128::from(BANKER_HANDS) * 100 }.as_f64()
}

impl Alike {
    fn of(it: &Example) -> Alike {
        let Example { cards, hands, gain, low, other_low } = *it;
        let gain_each = each(gain, hands);
        Alike { example: cards, hands, gain: share(gain), gain_each, low, other_low }
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
            gain_each: each(it.gain, it.hands),
            dollars_per_1000_rounds: share(it.gain) * 100_000.0,
            examples: it.most.iter().take(examples).map(Alike::of).collect(),
        }
    };
    differences.iter().map(line).collect()
}

pub(super) fn write_lines(text: &mut String, lines: &[Line<'_>]) {
    text.push_str("  clause        $ a 1,000    a hand        hands\n");
    for it in lines {
        let other = it.other_clause.map_or(String::new(), |other| format!("/{other}"));
        let _ = writeln!(
            text,
            "  {:<12} {:>+10.2} {:>+8.2} % {:>12}",
            format!("{}{other}", it.clause),
            it.dollars_per_1000_rounds,
            it.gain_each * 100.0,
            grouped(it.hands),
        );
        let rows = it.other_row.map_or(it.row.to_string(), |row| format!("{} / {row}", it.row));
        let _ = writeln!(text, "    {}", paint::faint(&paint::paragraph(&rows, "", 4)));
        for example in &it.examples {
            let _ = writeln!(text, "    {}", in_cards(example));
        }
    }
}

fn in_cards(it: &Alike) -> String {
    format!(
        "{}   {} Low; the other way {}",
        paint::cards(&it.example.sorted::<7>()),
        paint::cards(&it.low.sorted::<2>()),
        paint::cards(&it.other_low.sorted::<2>())
    )
}

pub(super) fn answer(rulebook: &Rulebook, args: &Args) -> anyhow::Result<String> {
    let (keep, seat) = (Keep::unless(args.asked.recompute), args.side.seat());
    let other = args.against.as_deref().map(rulebooks::find).transpose()?;
    if other.is_none() && seat == Seat::Banker && rulebook.bank.player_banker.is_none() {
        let cite = &rulebook.bank.sets_house_way;
        bail!("{}: the banker's hand is set the House Way ({cite})", rulebook.id);
    }
    let compared: Compared = match &other {
        Some(other) => ask(&Against { rulebook, other, seat }, keep)?,
        None => ask(&BestGame { rulebook, seat, waived: false }, keep)?,
    };
    let stake = Stake::at(rulebook, seat);
    let mut hands: Vec<&Example> = compared.differences.iter().flat_map(|it| &it.most).collect();
    hands.sort_by_key(|it| -it.gain.abs());
    let differences = Differences {
        rules: &rulebook.id,
        against: other.as_ref().map_or("optimal", |other| &*other.id),
        deals: DEALS,
        hands_set_otherwise: compared.hands_set_otherwise(),
        seat,
        gain: compared.house_way.value(stake).as_f64(),
        other_gain: compared.other.total().value(stake).as_f64(),
        clauses: lines(&compared.differences, rulebook, other.as_deref(), 1),
        // No clause keeps more examples than this, so more would not be the ones that matter most.
        hands: hands.iter().take(10).map(|it| Alike::of(it)).collect(),
    };
    if args.asked.json {
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
    let who = if args.side == Side::Banker { "the banker's gain" } else { "the player's gain" };
    for (name, gain) in
        [("by the House Way", differences.gain), ("the other way", differences.other_gain)]
    {
        let _ = writeln!(text, "  {:<40} {:>+8.4} %", format!("{who} {name}"), gain * 100.0);
    }
    text.push_str(
        "\n  What the other way gains, in dollars over 1,000 rounds of $100, and on one hand:\n",
    );
    write_lines(&mut text, &differences.clauses);
    text.push_str("\n  The ranks that matter most:\n");
    for it in &differences.hands {
        let _ = writeln!(
            text,
            "  {:>+8.2} {:>+8.2} % {:>12}  {}",
            it.gain * 100_000.0,
            it.gain_each * 100.0,
            grouped(it.hands),
            in_cards(it)
        );
    }
    Ok(text)
}
