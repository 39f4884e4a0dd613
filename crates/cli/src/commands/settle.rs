//! `houseway settle`: one round of a physical table, adjudicated.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Write};

use anyhow::{Context, bail};
use houseway_ledger::{Account, Book, Reason, Transfer, transfers};
use houseway_rules::{CardSet, Cents};
use houseway_table::adjudicate::{Adjudicated, Fault, Given, LaidHand, Lies, Misset, adjudicate};
use houseway_table::deal::Spot;
use houseway_table::settlement::{Bet, Ending, Line, On, Owner, Versus, bank_after};
use houseway_table::{Bank, Event, Person};
use serde::Serialize;

use super::json;
use crate::args::Settle;
use crate::{Outcome, paint, rulebooks};

/// A round is a few kilobytes; more than this is some other file.
const LARGEST: u64 = 1 << 20;

/// The form of a round, for other programs: generated from what reads it.
const SCHEMA: &str = include_str!("../../../../docs/settle.schema.json");

pub(crate) fn run(args: &Settle, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if args.schema {
        out.write_all(SCHEMA.as_bytes())?;
        return Ok(Outcome::Done);
    }
    let source = args.round.as_deref().unwrap_or("-");
    let unfit = |field: &str, error: anyhow::Error| Fault {
        field: field.to_string(),
        why: format!("{error:#}"),
        clause: None,
    };
    let adjudicated = read(source).unwrap_or_else(|error| Err(unfit("the file", error)));
    let adjudicated = adjudicated.and_then(|given| {
        let rulebook = rulebooks::find(&given.rules).map_err(|error| unfit("rules", error))?;
        adjudicate(&rulebook, &given)
    });
    let adjudicated = match adjudicated {
        Ok(adjudicated) => adjudicated,
        Err(fault) => return refuse(args, source, &fault, out),
    };
    let settled = Settled::new(adjudicated)?;
    let text = if args.json { json(&settled)? } else { in_words(&settled) };
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// A round that cannot be adjudicated: refused by a clause, or wrong as it was written down.
fn refuse(
    args: &Settle,
    source: &str,
    fault: &Fault,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let refused = fault.clause.is_some();
    if args.json {
        #[derive(Serialize)]
        #[serde(rename_all = "kebab-case")]
        enum Answer<'a> {
            Refused(&'a Fault),
            Error(&'a Fault),
        }
        let answer = if refused { Answer::Refused(fault) } else { Answer::Error(fault) };
        out.write_all(json(&answer)?.as_bytes())?;
    } else if refused {
        writeln!(out, "Refused: {fault}")?;
    } else {
        bail!("{source}: {fault}");
    }
    Ok(if refused { Outcome::CheckFailed } else { Outcome::PartlyWrong })
}

/// What a round comes to, and the money that moves for it.
#[derive(Serialize)]
struct Settled {
    #[serde(flatten)]
    adjudicated: Adjudicated,
    transfers: Vec<Transfer>,
    results: Results,
}

/// What everyone won or lost, in cents, fees and commission included.
#[derive(Serialize)]
struct Results {
    players: BTreeMap<u32, i128>,
    house: i128,
}

fn read(source: &str) -> anyhow::Result<Result<Given, Fault>> {
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
        let field = if path == "." { "the round".to_string() } else { path };
        Fault { field, why: friendlier(&inner.to_string()), clause: None }
    });
    match (given, reader.end()) {
        (Ok(_), Err(error)) => {
            let field = "after the round".to_string();
            Ok(Err(Fault { field, why: error.to_string(), clause: None }))
        }
        (given, _) => Ok(given),
    }
}

/// A reader's words for what it found, as people would say them.
fn friendlier(message: &str) -> String {
    if message.starts_with("invalid length") {
        return "a list is not an object with named fields".to_string();
    }
    let words = [
        ("invalid type: ", ""),
        ("invalid value: ", ""),
        ("integer `", "`"),
        ("floating point `", "`"),
        ("boolean `", "`"),
        ("string \"", "\""),
        ("unit variant", "name alone"),
        (", expected ", " is not "),
        ("null is not ", "nothing is there, and it must be "),
        ("sequence is not ", "a list is not "),
        ("map is not ", "an object is not "),
        ("not struct ", "not an object: "),
        ("u8", "a number from 0 to 255"),
        ("u32", "a whole number"),
        ("a sequence", "a list"),
    ];
    words.iter().fold(message.to_string(), |text, (from, to)| text.replace(from, to))
}

impl Settled {
    /// The money that moves, from wagers on the layout to where it ends. Checked by keeping books.
    fn new(round: Adjudicated) -> anyhow::Result<Settled> {
        let mut all = vec![];
        for fee in &round.fees {
            let (person, amount, clause) = (fee.person, fee.amount, fee.clause.clone());
            all.extend(transfers(&Event::FeeTaken { person, amount, clause }));
        }
        all.extend(transfers(&Event::Settled { lines: round.lines.clone() }));
        if let Some((person, amount)) = bank_after(round.bank, &round.lines) {
            all.extend(transfers(&Event::BankReturned { person, amount }));
        }
        let mut book = Book::new();
        // What lay on the table before: wagers, the bank, and enough behind it for fees.
        let mut before = |from, to, amount| {
            let reason = Reason::Wager;
            book.enter(&Transfer { from, to, amount, reason, clause: None })
        };
        for line in &round.lines {
            if let Owner::Person(person) = line.owner {
                before(Account::Outside(person), Account::Felt(line.position), line.stake)?;
            }
        }
        if let Bank::Player { person, put_up, .. } = round.bank {
            before(Account::Outside(person), Account::Bank, put_up)?;
        }
        for fee in &round.fees {
            before(Account::Outside(fee.person), Account::Stack(fee.person), fee.amount)?;
        }
        for transfer in &all {
            book.enter(transfer)?;
        }
        debug_assert_eq!(book.sum(), 0);
        let mut results = Results { players: BTreeMap::new(), house: 0 };
        for (account, balance) in book.balances() {
            match account {
                Account::Outside(person) | Account::Stack(person) => {
                    *results.players.entry(person.0).or_default() += balance;
                }
                Account::House | Account::Commission | Account::Collection => {
                    results.house += balance;
                }
                // Nothing is left there.
                Account::Felt(_) | Account::Bank => {}
            }
        }
        Ok(Settled { transfers: all, adjudicated: round, results })
    }
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
        let who = person(fee.person);
        let _ = writeln!(text, "  {who} pays a fee of {} ({})", fee.amount, fee.clause);
    }
    if !round.hands.is_empty() {
        text.push('\n');
    }
    let banker = round.hands.first().map(|hand| hand.spot);
    for hand in &round.hands {
        text.push_str(&hand_in_words(hand, Some(hand.spot) == banker));
    }
    text.push('\n');
    for line in &round.lines {
        text.push_str(&line_in_words(line));
    }
    for misset in &round.missets {
        text.push_str(&misset_in_words(misset));
    }
    text.push_str("\n  What everyone won or lost\n");
    for (&who, &gain) in &settled.results.players {
        let _ = writeln!(text, "    {:<12} {:>12}", person(Person(who)), signed(gain));
    }
    let _ = writeln!(text, "    {:<12} {:>12}", "the house", signed(settled.results.house));
    text.push_str("\n  What moves\n");
    for transfer in &settled.transfers {
        let name = |account: Account| account.to_string().replace("person ", "player ");
        let (from, to) = (name(transfer.from), name(transfer.to));
        let amount = transfer.amount.to_string();
        let clause = transfer.clause.as_deref().unwrap_or_default();
        let moves = format!("    {amount:>10}  {from:<20} to {to:<20} {clause}");
        let _ = writeln!(text, "{}", moves.trim_end());
    }
    text
}

/// `position 3  T♠ 9♦ | 8♦ 6♦ 5♥ 4♦ 2♦  ten-nine / flush, nine high  as laid`
fn hand_in_words(hand: &LaidHand, is_banker: bool) -> String {
    let whose = match (hand.spot, hand.person) {
        (Spot::At(position), Some(_)) if is_banker => format!("banker, {}", position.0),
        (_, None) if is_banker => "dealer".to_string(),
        (Spot::At(position), Some(_)) => format!("position {}", position.0),
        _ => "house".to_string(),
    };
    let clause = hand.clause.as_deref().unwrap_or_default();
    let how = match hand.how {
        Lies::Laid if clause.is_empty() => "as laid".to_string(),
        Lies::Laid => format!("as it lay ({clause})"),
        Lies::HouseWay => format!("the House Way ({clause})"),
        Lies::PutRight => format!("put right ({clause})"),
        Lies::Fouled => format!("a foul, set again ({clause})"),
        Lies::Dead => format!("dead ({clause})"),
        Lies::Conceded => format!("conceded ({clause})"),
    };
    format!(
        "  {whose:<11} {} | {}  {} / {}; {}\n",
        paint::cards(&hand.low),
        paint::cards(&hand.high),
        hand.low_is,
        hand.high_is,
        paint::faint(&how)
    )
}

/// `3  player 3   Fortune Bonus  $5  won  +$20, $5 back`, and below it the clauses and what was
/// looked at.
fn line_in_words(line: &Line) -> String {
    let bet = match line.bet {
        Bet::Standard => "standard".to_string(),
        Bet::Fortune => "Fortune Bonus".to_string(),
        Bet::TigerNine => "Tiger 9".to_string(),
        Bet::Envy { of } => format!("Envy of {}", of.0),
        Bet::HouseWager => "house wager".to_string(),
        Bet::BankerCommission => "on the gain".to_string(),
    };
    // What the bank does not reach takes no part, however the hands compare.
    let uncovered =
        line.stake > Cents::ZERO && line.paid == Cents::ZERO && line.taken == Cents::ZERO;
    let ending = match line.ending {
        _ if line.bet == Bet::BankerCommission => "",
        Ending::Win | Ending::Lose if uncovered => "uncovered",
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
    let owner = match line.owner {
        Owner::Person(owner) => person(owner),
        Owner::House => "the house".to_string(),
    };
    let stake = if line.stake > Cents::ZERO { line.stake.to_string() } else { String::new() };
    let first = format!(
        "  {:<2} {owner:<10} {bet:<13} {stake:>7}  {ending:<9} {}",
        line.position.0,
        amounts.join(", "),
    );
    let on = match line.on {
        Some(On::Hands { high, low }) => format!(": High {}, Low {}", versus(high), versus(low)),
        Some(On::Held(hand)) => format!(": {hand}"),
        Some(On::BankersLow) => ": the banker's Low hand".to_string(),
        None => String::new(),
    };
    let why = format!("{}{on}", line.clauses.join(" "));
    format!("{}\n{}{}\n", first.trim_end(), " ".repeat(39), paint::faint(&why))
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

fn signed(cents: i128) -> String {
    let amount = Cents::new(u64::try_from(cents.unsigned_abs()).unwrap_or(u64::MAX));
    match cents {
        ..0 => format!("-{amount}"),
        0 => "even".to_string(),
        _ => format!("+{amount}"),
    }
}

fn misset_in_words(misset: &Misset) -> String {
    let whose = match misset.spot {
        Spot::Dealer => "The dealer's hand".to_string(),
        Spot::At(position) => format!("The hand at {position}"),
    };
    let low = |cards: CardSet| paint::cards(&cards.sorted::<2>());
    let mut text = format!(
        "\n  {whose} lies with {} in front; right would be {} ({}).\n",
        low(misset.low),
        low(misset.correct),
        misset.clause
    );
    let when = match &misset.stays {
        Some(clause) => format!("had it been put right in time; it stays ({clause})"),
        None => "by the right setting".to_string(),
    };
    for (who, difference) in &misset.differences {
        let _ =
            writeln!(text, "    {:<12} {} {when}", person(*who), signed(i128::from(*difference)));
    }
    match (misset.foul, misset.differences.is_empty()) {
        (true, _) => text.push_str("    It lay foul: there is no result to compare with.\n"),
        (false, true) => text.push_str("    No wager ends differently for it.\n"),
        (false, false) => {}
    }
    text
}
