//! `houseway settle`: one round of a physical table, adjudicated.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Write};

use anyhow::{Context, bail};
use houseway_ledger::{Account, Book, Reason, Transfer, transfers};
use houseway_rules::{CardSet, Cents};
use houseway_table::adjudicate::{Adjudicated, Given, Misset, adjudicate};
use houseway_table::deal::Spot;
use houseway_table::settlement::{Bet, Ending, Line, On, Owner, Versus};
use houseway_table::{Bank, Event, Person};
use serde::Serialize;

use super::json;
use crate::args::Settle;
use crate::{Outcome, paint, rulebooks};

/// A round is a few kilobytes; more than this is some other file.
const LARGEST: u64 = 1 << 20;

/// The form of a round, for other programs.
const SCHEMA: &str = include_str!("../../../../docs/settle.schema.json");

pub(crate) fn run(args: &Settle, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if args.schema {
        out.write_all(SCHEMA.as_bytes())?;
        return Ok(Outcome::Done);
    }
    let source = args.round.as_deref().unwrap_or("-");
    let given = read(source)?;
    let rulebook = rulebooks::find(&given.rules).context("rules")?;
    let adjudicated = adjudicate(&rulebook, &given)?;
    let settled = Settled { transfers: moved(&adjudicated)?, adjudicated };
    let text = if args.json { json(&settled)? } else { in_words(&settled) };
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct Settled {
    #[serde(flatten)]
    adjudicated: Adjudicated,
    transfers: Vec<Transfer>,
}

fn read(source: &str) -> anyhow::Result<Given> {
    let mut text = String::new();
    let read = match source {
        "-" => io::stdin().take(LARGEST + 1).read_to_string(&mut text),
        file => {
            fs::File::open(file).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
        }
    };
    read.with_context(|| format!("cannot read {source}"))?;
    if text.len() as u64 > LARGEST {
        bail!("{source} is longer than {LARGEST} bytes: it is no round");
    }
    let mut reader = serde_json::Deserializer::from_str(&text);
    let given = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let (path, inner) = (error.path().to_string(), error.into_inner());
        match path.as_str() {
            "." => anyhow::anyhow!("{source}: {inner}"),
            path => anyhow::anyhow!("{source}: {path}: {inner}"),
        }
    })?;
    reader.end().with_context(|| source.to_string())?;
    Ok(given)
}

/// The money that moves, from wagers on the layout to where it ends. Checked by keeping books.
fn moved(round: &Adjudicated) -> anyhow::Result<Vec<Transfer>> {
    let mut all = vec![];
    for fee in &round.fees {
        let event =
            Event::FeeTaken { person: fee.person, amount: fee.amount, clause: fee.clause.clone() };
        all.extend(transfers(&event));
    }
    all.extend(transfers(&Event::Settled { lines: round.lines.clone() }));
    let mut book = Book::new();
    // What lay on the table before: wagers, the bank, and enough behind it for fees.
    for line in &round.lines {
        if let Owner::Person(person) = line.owner {
            let felt = Account::Felt(line.position);
            enter(&mut book, Account::Outside(person), felt, line.stake)?;
        }
    }
    if let Bank::Player { person, put_up, .. } = round.bank {
        enter(&mut book, Account::Outside(person), Account::Bank, put_up)?;
    }
    for fee in &round.fees {
        enter(&mut book, Account::Outside(fee.person), Account::Stack(fee.person), fee.amount)?;
    }
    for transfer in &all {
        book.enter(transfer)?;
    }
    debug_assert_eq!(book.sum(), 0);
    Ok(all)
}

fn enter(book: &mut Book, from: Account, to: Account, amount: Cents) -> anyhow::Result<()> {
    Ok(book.enter(&Transfer { from, to, amount, reason: Reason::Wager, clause: None })?)
}

fn in_words(settled: &Settled) -> String {
    let round = &settled.adjudicated;
    let mut text = format!("{}\n", paint::strong(&round.rules));
    if let Some(clause) = &round.void {
        let _ = writeln!(text, "  The round is void ({clause}): every wager goes back.");
    }
    for note in &round.notes {
        let says = format!("{} ({})", note.says, note.clause);
        let _ = writeln!(text, "  {}", paint::wrapped(&says, paint::width() - 2, 2));
    }
    for fee in &round.fees {
        let _ = writeln!(
            text,
            "  {:<12} pays a fee of {} ({})",
            person(fee.person),
            fee.amount,
            fee.clause
        );
    }
    text.push('\n');
    for line in &round.lines {
        let _ = writeln!(text, "  {}", statement(line));
    }
    text.push('\n');
    for (person, gain) in gains(round) {
        let _ = writeln!(text, "  {:<12} {:>12}", self::person(person), signed(gain));
    }
    for misset in &round.missets {
        text.push_str(&misset_in_words(misset));
    }
    text
}

/// `position 3  Fortune Bonus  $5  won +$20, $5 back   4.1.2`
fn statement(line: &Line) -> String {
    let bet = match line.bet {
        Bet::Standard => "standard".to_string(),
        Bet::Fortune => "Fortune Bonus".to_string(),
        Bet::TigerNine => "Tiger 9".to_string(),
        Bet::Envy { of } => format!("Envy of {}", of.0),
        Bet::HouseWager => "house wager".to_string(),
        Bet::BankerCommission => "on the gain".to_string(),
    };
    let ending = match line.ending {
        _ if line.bet == Bet::BankerCommission => "",
        Ending::Win => "won",
        Ending::Push => "push",
        Ending::Lose => "lost",
        Ending::Returned => "returned",
    };
    let mut amounts = vec![];
    for (sign, amount, after) in [
        ("+", line.paid, ""),
        ("-", line.taken, ""),
        ("", line.back, " back"),
        ("commission ", line.commission, ""),
    ] {
        if amount > Cents::ZERO {
            amounts.push(format!("{sign}{amount}{after}"));
        }
    }
    let stake = if line.stake > Cents::ZERO { line.stake.to_string() } else { String::new() };
    let on = match line.on {
        Some(On::Hands { high, low }) => format!("High {}, Low {}", versus(high), versus(low)),
        Some(On::Held(hand)) => hand.to_string(),
        Some(On::BankersLow) => "the banker's Low hand".to_string(),
        None => String::new(),
    };
    let first = format!(
        "{:<3} {bet:<14} {stake:>8}  {ending:<9}{:<34} {}",
        line.position.0,
        amounts.join(", "),
        line.clauses.join(" ")
    );
    match on.is_empty() {
        true => first,
        false => format!("{first}\n                               {}", paint::faint(&on)),
    }
}

fn versus(versus: Versus) -> &'static str {
    match versus {
        Versus::Higher => "higher",
        Versus::Copy => "a copy",
        Versus::Lower => "lower",
    }
}

fn person(person: Person) -> String {
    format!("player {}", person.0)
}

fn signed(cents: i64) -> String {
    let amount = Cents::new(cents.unsigned_abs());
    match cents {
        ..0 => format!("-{amount}"),
        0 => "even".to_string(),
        _ => format!("+{amount}"),
    }
}

/// What each person won or lost, fees included.
fn gains(round: &Adjudicated) -> BTreeMap<Person, i64> {
    let cents = |amount: Cents| i64::try_from(amount.get()).unwrap_or(i64::MAX);
    let mut gains: BTreeMap<Person, i64> = BTreeMap::new();
    for fee in &round.fees {
        *gains.entry(fee.person).or_default() -= cents(fee.amount);
    }
    for line in &round.lines {
        let gain = cents(line.paid) - cents(line.taken) - cents(line.commission);
        if let Owner::Person(person) = line.owner {
            *gains.entry(person).or_default() += gain;
        }
        if let (Bank::Player { person, .. }, houseway_rules::rulebook::Payer::Banker) =
            (round.bank, line.payer)
        {
            *gains.entry(person).or_default() += cents(line.taken) - cents(line.paid);
        }
    }
    gains
}

fn misset_in_words(misset: &Misset) -> String {
    let whose = match misset.spot {
        Spot::Dealer => "The dealer's hand".to_string(),
        Spot::At(position) => format!("The hand at position {}", position.0),
    };
    let low = |cards: CardSet| paint::cards(&cards.sorted::<2>());
    let mut text = format!(
        "\n  {whose} lies with {} in front; the House Way puts {} there ({}).\n",
        low(misset.low),
        low(misset.correct),
        misset.clause
    );
    for (who, difference) in &misset.differences {
        let _ =
            writeln!(text, "    {:<12} {} by the right setting", person(*who), signed(*difference));
    }
    if misset.differences.is_empty() {
        text.push_str("    No difference in money can be told, or there is none.\n");
    }
    text
}
