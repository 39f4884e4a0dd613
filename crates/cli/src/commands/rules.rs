//! `houseway rules`: the rulebooks, one in full, and where two differ.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::bail;
use houseway_rules::describe::{Fact, facts, grouped};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::survey::{self, Parting, Tally};
use houseway_rules::{CardSet, Clause, Reading, houses, sweep};
use serde::Serialize;

use super::json;
use crate::args::Rules;
use crate::{Outcome, paint, rulebooks};

pub(crate) fn run(args: &Rules, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let text = match (&args.diff, &args.rulebook, &args.clause) {
        (Some(two), ..) => {
            let [a, b] = [rulebooks::find(&two[0])?, rulebooks::find(&two[1])?];
            let difference = Difference::between(&a, &b);
            if args.json { json(&difference)? } else { difference.in_words() }
        }
        (None, None, _) if args.json => json(&houses::HOUSES.map(Headline::of))?,
        (None, None, _) => list(),
        (None, Some(name), clause) if is_reading(name) => match (reading(name), clause) {
            (Some(reading), None) => one_reading(reading, args.json)?,
            _ => bail!("readings are R1 to R{}, one at a time", Reading::ALL.len()),
        },
        (None, Some(name), Some(id)) => one_clause(&*rulebooks::find(name)?, id, args.json)?,
        (None, Some(name), None) => {
            let rulebook = rulebooks::find(name)?;
            let whole = Whole::of(&rulebook);
            if args.json { json(&whole)? } else { whole.in_words() }
        }
    };
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// Whether a name looks like a reading's.
fn is_reading(name: &str) -> bool {
    let number = name.strip_prefix(['R', 'r']);
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

fn reading(name: &str) -> Option<Reading> {
    Reading::ALL.iter().copied().find(|reading| reading.to_string().eq_ignore_ascii_case(name))
}

#[derive(Serialize)]
struct Headline<'a> {
    id: &'a str,
    name: &'a str,
    summary: &'a str,
    document: &'a str,
    edition: &'a str,
}

impl Headline<'_> {
    fn of(rulebook: &Rulebook) -> Headline<'_> {
        Headline {
            id: &rulebook.id,
            name: &rulebook.name,
            summary: &rulebook.summary,
            document: &rulebook.source.document,
            edition: &rulebook.source.edition,
        }
    }
}

fn list() -> String {
    let mut text = String::new();
    for rulebook in houses::HOUSES {
        let id = paint::strong(&format!("{:<16}", rulebook.id));
        let _ = writeln!(text, "{id}  {}", rulebook.name);
        let _ = writeln!(text, "{:18}{}", "", paint::paragraph(&rulebook.summary, "", 18));
    }
    text.push_str("\nOne in full: houseway rules ID    Two compared: houseway rules --diff A B\n");
    text
}

#[derive(Serialize)]
struct Said<'a> {
    id: &'a str,
    says: &'a str,
    readings: Vec<ReadingSaid>,
}

#[derive(Serialize)]
struct ReadingSaid {
    id: String,
    says: &'static str,
}

impl ReadingSaid {
    fn of(reading: Reading) -> ReadingSaid {
        ReadingSaid { id: reading.to_string(), says: reading.says() }
    }
}

fn one_reading(reading: Reading, as_json: bool) -> anyhow::Result<String> {
    if as_json {
        return json(&ReadingSaid::of(reading));
    }
    let says = paint::paragraph(reading.says(), "", 5);
    let mut text = format!("{:<3}  {says}\n", paint::strong(&reading.to_string()));
    for rulebook in houses::HOUSES {
        let mut ids: Vec<&str> = rulebook
            .sayings()
            .filter(|saying| saying.readings.contains(&reading))
            .map(|saying| saying.id)
            .collect();
        ids.dedup();
        if !ids.is_empty() {
            let clauses = paint::paragraph(&ids.join(" "), "", 22);
            let _ = writeln!(text, "    {:<16}  {clauses}", rulebook.id);
        }
    }
    Ok(text)
}

/// One clause; a House Way clause with all its rows.
fn one_clause(rulebook: &Rulebook, id: &str, as_json: bool) -> anyhow::Result<String> {
    let exact = rulebook.sayings().any(|saying| saying.id.eq_ignore_ascii_case(id));
    // A number that has only parts, such as 5.18, stands for all of them.
    let part = format!("{}.", id.to_ascii_lowercase());
    let wanted = |found: &str| match exact {
        true => found.eq_ignore_ascii_case(id),
        false => found.to_ascii_lowercase().starts_with(&part),
    };
    let found: Vec<Said<'_>> = rulebook
        .sayings()
        .filter(|saying| wanted(saying.id))
        .map(|saying| Said {
            id: saying.id,
            says: saying.says,
            readings: saying.readings.iter().copied().map(ReadingSaid::of).collect(),
        })
        .collect();
    if found.is_empty() {
        let ids: Vec<&str> = rulebook.sayings().map(|saying| saying.id).collect();
        match houses::nearest_of(id, ids.into_iter()) {
            Some(near) => bail!("{} has no clause `{id}`; did you mean `{near}`?", rulebook.id),
            None => bail!("{} has no clause `{id}`; `houseway rules {0}` lists them", rulebook.id),
        }
    }
    if as_json {
        return json(&found);
    }
    let mut text = String::new();
    let mut readings: Vec<&ReadingSaid> = Vec::new();
    for said in &found {
        let label = format!("{} {}", rulebook.id, said.id);
        let says = paint::paragraph(&sentence(said.says), "", label.len() + 2);
        let _ = writeln!(text, "{}  {says}", paint::strong(&label));
        for reading in &said.readings {
            if !readings.iter().any(|known| known.id == reading.id) {
                readings.push(reading);
            }
        }
    }
    for ReadingSaid { id, says } in readings {
        let _ = writeln!(text, "  {id:<3}  {}", paint::paragraph(says, "", 7));
    }
    Ok(text)
}

/// A clause's words as a sentence: what a House Way clause says starts in the middle of one.
fn sentence(says: &str) -> String {
    let mut letters = says.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A rulebook in full.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    headline: Headline<'a>,
    facts: Vec<FactSaid>,
    house_way: Vec<Line<'a>>,
    rules: Vec<Said<'a>>,
    /// Every choice as data, in the names and shapes of rulebook files.
    rulebook: &'a Rulebook,
}

#[derive(Serialize)]
struct FactSaid {
    topic: String,
    value: String,
    cite: String,
}

impl From<Fact> for FactSaid {
    fn from(Fact { topic, value, cite, .. }: Fact) -> FactSaid {
        FactSaid { topic, value, cite }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    clause: &'a str,
    row: &'a str,
    shapes: String,
    when: Vec<String>,
    low: String,
    says: &'a str,
    readings: Vec<String>,
    hands: u64,
    example: Option<CardSet>,
}

impl Line<'_> {
    fn of<'a>((clause, tally): (&'a Clause, &Tally)) -> Line<'a> {
        Line {
            clause: &clause.id,
            row: &clause.row,
            shapes: clause.shapes.to_string(),
            when: clause.when.iter().map(ToString::to_string).collect(),
            low: clause.play.to_string(),
            says: &clause.says,
            readings: clause.readings.iter().map(ToString::to_string).collect(),
            hands: tally.hands,
            example: tally.example.map(houseway_rules::Dealt::cards),
        }
    }
}

impl Whole<'_> {
    fn of(rulebook: &Rulebook) -> Whole<'_> {
        let tallies = survey::clauses(&rulebook.house_way, rulebook.ranking())
            .expect("a rulebook sets every hand");
        Whole {
            headline: Headline::of(rulebook),
            facts: facts(rulebook).into_iter().map(FactSaid::from).collect(),
            rulebook,
            house_way: rulebook.house_way.iter().zip(&tallies).map(Line::of).collect(),
            rules: rulebook
                .rules
                .iter()
                .map(|rule| Said {
                    id: &rule.id,
                    says: &rule.says,
                    readings: rule.readings.iter().copied().map(ReadingSaid::of).collect(),
                })
                .collect(),
        }
    }

    fn in_words(&self) -> String {
        let Headline { id, name, summary, document, edition } = &self.headline;
        let mut text = format!("{}  {name}\n", paint::strong(id));
        let _ = writeln!(text, "{}", paint::paragraph(summary, "", 0));
        let source = format!("{document}, {edition}");
        let _ = writeln!(text, "{}\n", paint::faint(&paint::paragraph(&source, "", 0)));
        let widest = self.facts.iter().map(|fact| fact.topic.len()).max().unwrap_or(0).min(28);
        for FactSaid { topic, value, cite } in &self.facts {
            let _ = if topic.len() > widest {
                write!(text, "  {}\n  {:widest$}", paint::paragraph(topic, "", 2), "")
            } else {
                write!(text, "  {topic:<widest$}")
            };
            let _ = writeln!(text, "  {}", paint::paragraph(value, cite, widest + 4));
        }
        let _ = writeln!(text, "\n{}", paint::strong("House Way: the first that fits"));
        for row in &self.house_way {
            let hands = grouped(row.hands);
            let title = paint::paragraph(&format!("{} · {hands} hands", row.row), "", 8);
            let _ = writeln!(text, "  {}  {title}", paint::strong(row.clause));
            let _ = writeln!(text, "        {}", paint::paragraph(&sentence(row.says), "", 8));
        }
        let total = grouped(sweep::HANDS);
        let _ = writeln!(text, "  {total} hands in all\n");
        let _ = writeln!(text, "{}", paint::strong("Clauses"));
        for Said { id, says, readings } in &self.rules {
            let named: Vec<&str> = readings.iter().map(|reading| &*reading.id).collect();
            let says = paint::paragraph(says, &named.join(" "), 12);
            let _ = writeln!(text, "  {id:<8}  {says}");
        }
        text
    }
}

/// Where two rulebooks differ.
#[derive(Serialize)]
struct Difference<'a> {
    a: &'a str,
    b: &'a str,
    facts: Vec<FactPair>,
    /// Of all hands.
    hands: u64,
    set_differently: u64,
    partings: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct FactPair {
    topic: String,
    a: Option<FactSaid>,
    b: Option<FactSaid>,
}

#[derive(Serialize)]
struct Part<'a> {
    hands: u64,
    a: Side<'a>,
    b: Side<'a>,
    example: CardSet,
}

#[derive(Serialize)]
struct Side<'a> {
    clause: &'a str,
    row: &'a str,
    low: CardSet,
    high: CardSet,
}

impl<'a> Part<'a> {
    fn of(parting: &Parting<'a>) -> Part<'a> {
        let [a, b] = [0, 1].map(|house| Side {
            clause: &parting.clauses[house].id,
            row: &parting.clauses[house].row,
            low: parting.settings[house].low(),
            high: parting.settings[house].high(),
        });
        let example = parting.settings[0].dealt().cards();
        Part { hands: parting.tally.hands, a, b, example }
    }
}

/// How many pairs of clauses are shown in words.
const SHOWN: usize = 12;

impl Difference<'_> {
    fn between<'a>(a: &'a Rulebook, b: &'a Rulebook) -> Difference<'a> {
        let partings: Vec<Part<'a>> = survey::partings(a, b).iter().map(Part::of).collect();
        Difference {
            a: &a.id,
            b: &b.id,
            facts: differing(facts(a), facts(b)),
            hands: sweep::HANDS,
            set_differently: partings.iter().map(|part| part.hands).sum(),
            partings,
        }
    }

    fn in_words(&self) -> String {
        let Difference { a, b, facts, hands, set_differently, partings } = self;
        let mut text = format!("{} and {}\n\n", paint::strong(a), paint::strong(b));
        match (facts.is_empty(), partings.is_empty()) {
            (true, true) => text.push_str("They choose alike in everything.\n"),
            (true, false) => text.push_str("They choose alike in everything but the House Way.\n"),
            _ => {}
        }
        for FactPair { topic, a: of_a, b: of_b } in facts {
            let _ = writeln!(text, "  {}", paint::strong(&paint::paragraph(topic, "", 2)));
            for (house, fact) in [(a, of_a), (b, of_b)] {
                let (value, cite) =
                    fact.as_ref().map_or(("not mentioned", ""), |fact| (&*fact.value, &*fact.cite));
                let value = paint::paragraph(value, cite, 22);
                let _ = writeln!(text, "    {house:<16}  {value}");
            }
        }
        // In hundredths of a percent, to the nearest.
        let share = (set_differently * 10_000 + hands / 2) / hands;
        let _ = writeln!(
            text,
            "\n{} of {} hands are set differently ({}.{:02} %).",
            paint::strong(&grouped(*set_differently)),
            grouped(*hands),
            share / 100,
            share % 100
        );
        for Part { hands, a: of_a, b: of_b, example } in partings.iter().take(SHOWN) {
            let _ = writeln!(
                text,
                "\n  {} hands, such as {}",
                grouped(*hands),
                paint::cards(&example.sorted::<7>())
            );
            for (house, side) in [(a, of_a), (b, of_b)] {
                let (low, high) = (side.low.sorted::<2>(), side.high.sorted::<5>());
                let _ = writeln!(
                    text,
                    "    {house:<16}  {}  {}  {}",
                    paint::cards(&low),
                    paint::cards(&high),
                    side.clause
                );
                let row = paint::paragraph(side.row, "", 22);
                let _ = writeln!(text, "{:22}{}", "", paint::faint(&row));
            }
        }
        if partings.len() > SHOWN {
            let rest: u64 = partings[SHOWN..].iter().map(|part| part.hands).sum();
            let _ = writeln!(
                text,
                "\n  and {} hands for {} further pairs of reasons: --json lists them",
                grouped(rest),
                partings.len() - SHOWN
            );
        }
        text
    }
}

/// The topics on which two lists of facts say different things, cites apart.
fn differing(a: Vec<Fact>, b: Vec<Fact>) -> Vec<FactPair> {
    let mut b: Vec<Option<Fact>> = b.into_iter().map(Some).collect();
    let mut pairs: Vec<FactPair> = a
        .into_iter()
        .filter_map(|fact| {
            let same = b.iter_mut().find(|it| it.as_ref().is_some_and(|it| it.topic == fact.topic));
            let other = same.and_then(Option::take);
            let alike = other.as_ref().is_some_and(|other| other.value == fact.value);
            let topic = fact.topic.clone();
            (!alike).then(|| FactPair { topic, a: Some(fact.into()), b: other.map(FactSaid::from) })
        })
        .collect();
    pairs.extend(b.into_iter().flatten().map(|fact| FactPair {
        topic: fact.topic.clone(),
        a: None,
        b: Some(fact.into()),
    }));
    pairs
}
