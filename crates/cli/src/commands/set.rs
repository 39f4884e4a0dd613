//! `houseway set`: seven cards the House Way.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use anyhow::Context;
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{BonusHand, Card, Contents, Dealt, Decision, HouseWay, set_house_way};

use super::{Given, hand, parse};
use crate::args::Set;
use crate::{Outcome, batch, paint, rulebooks};

pub(crate) fn run(args: &Set, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebooks = rulebooks::find_several(&args.rules)?;
    if let ["-"] = args.cards.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        return set_lines(&rulebooks, args.json, out);
    }
    let given = hand(&args.cards)?;
    if args.json {
        let mut text = String::new();
        for rulebook in &rulebooks {
            let mut house = House::new(rulebook);
            let decision = house.set(given.dealt);
            write_json(&mut text, &house, &given, &decision);
        }
        out.write_all(text.as_bytes())?;
    } else {
        out.write_all(one_in_full(&rulebooks, &given).as_bytes())?;
    }
    Ok(Outcome::Done)
}

/// A rulebook that sets hands one after another.
struct House<'a> {
    rulebook: &'a Rulebook,
    id_in_json: String,
    /// Whether the highest bonus hand is always the best-paid.
    pays_in_order: bool,
    hands: usize,
    quick: Option<HouseWay<'a>>,
}

/// Few hands are set by reading the sheet; for many it pays to have read it beforehand.
const MANY: usize = 1000;

impl<'a> House<'a> {
    fn new(rulebook: &'a Rulebook) -> House<'a> {
        House {
            rulebook,
            id_in_json: json_string(&rulebook.id),
            pays_in_order: rulebook.fortune.is_ordered(),
            hands: 0,
            quick: None,
        }
    }

    fn set(&mut self, dealt: Dealt) -> Decision<'a> {
        self.hands += 1;
        if self.hands < MANY {
            return set_house_way(self.rulebook, dealt);
        }
        self.quick.get_or_insert_with(|| HouseWay::new(self.rulebook)).set(dealt)
    }

    /// The bonus hand that this house pays.
    fn bonus(&self, dealt: Dealt) -> Option<BonusHand> {
        match self.pays_in_order {
            true => BonusHand::of(dealt).filter(|&hand| self.rulebook.fortune.line(hand).is_some()),
            false => self.rulebook.fortune.best(dealt).map(|line| line.hand),
        }
    }
}

/// Hands from standard input, one a line.
fn set_lines(
    rulebooks: &[Cow<'_, Rulebook>],
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let mut houses: Vec<House<'_>> =
        rulebooks.iter().map(|rulebook| House::new(rulebook)).collect();
    let mut outcome = Outcome::Done;
    // Written in large pieces: a batch is millions of lines.
    let mut text = String::with_capacity(1 << 17);
    batch::each_line(io::stdin().lock(), |number, line| {
        let parsed = line.and_then(|line| parse(line).map_err(|error| error.to_string()));
        match parsed {
            Ok(given) => {
                for house in &mut houses {
                    let decision = house.set(given.dealt);
                    if json {
                        write_json(&mut text, house, &given, &decision);
                    } else {
                        write_line(&mut text, house.rulebook, rulebooks.len() > 1, &decision);
                    }
                }
            }
            Err(error) => {
                outcome = Outcome::PartlyWrong;
                if json {
                    let _ =
                        writeln!(text, "{{\"line\":{number},\"error\":{}}}", json_string(&error));
                } else {
                    let _ = writeln!(text, "line {number}: {error}");
                }
            }
        }
        if text.len() > 1 << 16 {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
        Ok(())
    })
    .context("standard input or output failed")?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(outcome)
}

/// The object of design: rules, cards as given, low, high, clause, why, bonus.
fn write_json(text: &mut String, house: &House<'_>, given: &Given, decision: &Decision<'_>) {
    text.push_str("{\"rules\":");
    text.push_str(&house.id_in_json);
    write_cards(text, ",\"cards\":[", &given.cards);
    write_cards(text, ",\"low\":[", &decision.setting.low().sorted::<2>());
    write_cards(text, ",\"high\":[", &decision.setting.high().sorted::<5>());
    text.push_str(",\"clause\":");
    push_json_string(text, &decision.clause.id);
    text.push_str(",\"why\":\"");
    let mut why = Escaped(text);
    decision.write_why(&mut why).expect("a String takes everything");
    text.push_str("\",\"bonus\":\"");
    text.push_str(house.bonus(given.dealt).map_or("none", BonusHand::id));
    text.push_str("\"}\n");
}

fn write_cards(text: &mut String, start: &str, cards: &[Card]) {
    text.push_str(start);
    for (place, card) in cards.iter().enumerate() {
        text.push_str(if place == 0 { "\"" } else { ",\"" });
        let [rank, suit] = card.ascii();
        text.push(rank.into());
        text.push(suit.into());
        text.push('"');
    }
    text.push(']');
}

/// Passes text on as the inside of a JSON string.
struct Escaped<'a>(&'a mut String);

impl std::fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        if text.bytes().any(|byte| byte == b'"' || byte == b'\\' || byte < b' ') {
            let quoted = json_string(text);
            self.0.push_str(&quoted[1..quoted.len() - 1]);
        } else {
            self.0.push_str(text);
        }
        Ok(())
    }
}

fn push_json_string(text: &mut String, value: &str) {
    text.push('"');
    let _ = Escaped(text).write_str(value);
    text.push('"');
}

fn json_string(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// A hand of a batch on one line: low / high, clause.
fn write_line(text: &mut String, rulebook: &Rulebook, several: bool, decision: &Decision<'_>) {
    if several {
        let _ = write!(text, "{:<16}", rulebook.id);
    }
    let _ = writeln!(text, "{}  {}", decision.setting, decision.clause.id);
}

/// One hand with names, clause and reason; houses that set it alike stand together.
fn one_in_full(rulebooks: &[Cow<'_, Rulebook>], given: &Given) -> String {
    let mut text = String::new();
    let bonus = match BonusHand::of(given.dealt) {
        Some(hand) => format!(" · bonus: {hand}"),
        None => String::new(),
    };
    let contents = Contents::of(given.dealt);
    let _ = writeln!(text, "{}   {contents}{bonus}", paint::cards(&given.cards));
    let mut groups: Vec<Vec<(&Rulebook, Decision<'_>)>> = Vec::new();
    for rulebook in rulebooks {
        let decision = set_house_way(rulebook, given.dealt);
        let same = |group: &&mut Vec<(&Rulebook, Decision<'_>)>| {
            group[0].1.setting.low() == decision.setting.low()
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push((rulebook, decision)),
            None => groups.push(vec![(rulebook, decision)]),
        }
    }
    for group in &groups {
        let (rulebook, decision) = &group[0];
        let (ranking, setting) = (rulebook.ranking(), decision.setting);
        let hands = setting.strengths(ranking);
        let (low, high) = (setting.low().sorted::<2>(), setting.high().sorted::<5>());
        let _ = writeln!(text, "\n  Low   {}            {}", paint::cards(&low), hands.low);
        let _ = writeln!(text, "  High  {}   {}", paint::cards(&high), ranking.name(hands.high));
        for (rulebook, decision) in group {
            let label = format!("{} {}", rulebook.id, decision.clause.id);
            let width = label.len().max(20);
            let why = paint::paragraph(&decision.clause.says, "", width + 4);
            let padding = " ".repeat(width - label.len());
            let _ = writeln!(text, "  {}{padding}  {why}", paint::strong(&label));
        }
    }
    text
}
