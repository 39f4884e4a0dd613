//! What happened, in words.

use std::collections::BTreeMap;

use houseway_rules::Cents;
use houseway_rules::rulebook::{Payer, Rulebook};
use houseway_table::settlement::{Bet, Ending, Line, On, Owner, Versus};
use houseway_table::{Person, Position};
use serde_json::Value;

use crate::heard::Named;

/// What happened, in a line. What has no words of its own is called by its name.
pub(crate) fn happened(event: &Value, people: &BTreeMap<u32, Named>) -> String {
    let who = |field: &str| {
        let number = event[field].as_u64().and_then(|it| u32::try_from(it).ok());
        number.map_or("the house".into(), |it| name(people, Person(it)))
    };
    let seat = || format!("seat {}", event["position"].as_u64().unwrap_or_default());
    let amount = || Cents::new(event["amount"].as_u64().unwrap_or_default()).to_string();
    let kind = event["event"].as_str().unwrap_or_default();
    let text = match kind {
        "opened" => "the table is opened".into(),
        "committed" => "the deck is settled, before the first wager".into(),
        "said" => format!("{} adds words for the cut", who("by")),
        "ready" => format!("{} is ready", who("by")),
        "resumed" => "play goes on after an interruption".into(),
        "closed" => "the table is closed: no round is begun".into(),
        "reopened" => "the table is open again".into(),
        "money-brought" => format!("{} brings {}", who("person"), amount()),
        "money-taken" => format!("{} takes {} away", who("person"), amount()),
        "sat" => format!("{} sits down at {}", who("person"), seat()),
        "left" => format!("{} leaves {}", who("person"), seat()),
        "bank-offered" => format!("the bank is offered to {}", seat()),
        "bank-declined" => format!("{} declines the bank", seat()),
        "no-banker" => "nobody takes the bank".into(),
        "bank-taken" => "the bank is taken".into(),
        "bets-opened" => "bets are open".into(),
        "placed" => {
            let wager = event["wager"].as_str().unwrap_or_default().replace('-', " ");
            format!("{} places {} on {wager} at {}", who("person"), amount(), seat())
        }
        "returned" => format!("{} goes back to {}", amount(), who("person")),
        "bets-closed" => "no more bets".into(),
        "fee-taken" => format!("{} pays a fee of {}", who("person"), amount()),
        "dealt" => "the cards are dealt".into(),
        "viewed" => format!("{} is looked at", seat()),
        "set" => format!("{} is set", seat()),
        "left-to-dealer" => format!("{} is left to the dealer", seat()),
        "house-way-told" => format!("{} is told the House Way", seat()),
        "banker-set" => "the banker's hand is shown and set".into(),
        "house-set" => "the house's own hand is set".into(),
        "conceded" => format!("{} is given up", seat()),
        "settled" => "hands are compared, wagers paid and taken".into(),
        "bank-returned" => format!("{} takes {} back from the bank", who("person"), amount()),
        "round-ended" => "the round is over".into(),
        "voided" => "the round is void, wagers go back".into(),
        "power-failed" => "the power has failed".into(),
        other => other.replace('-', " "),
    };
    match event["clause"].as_str() {
        Some(clause) => format!("{text} ({clause})"),
        None => text,
    }
}

pub(crate) fn name(people: &BTreeMap<u32, Named>, person: Person) -> String {
    match people.get(&person.0) {
        Some(named) => named.name.clone(),
        None => format!("player {}", person.0),
    }
}

/// What someone gained by lines at one position, in cents.
pub(crate) fn gain_at(lines: &[Line], position: Position, person: Option<Person>) -> Option<i64> {
    let own = lines.iter().filter(|line| {
        line.position == position
            && matches!(line.owner, Owner::Person(it) if person.is_none_or(|whose| whose == it))
            && line.bet != Bet::BankerCommission
    });
    let mut any = false;
    let sum = own.fold(0, |sum, line| {
        any = true;
        sum + gain(line)
    });
    any.then_some(sum)
}

/// What a line brought its owner.
pub(crate) fn gain(line: &Line) -> i64 {
    let signed = |amount: Cents| i64::try_from(amount.get()).unwrap_or(i64::MAX);
    signed(line.paid) - signed(line.taken) - signed(line.commission)
}

/// What a banking player gained by the lines that the bank took and paid, commission included.
pub(crate) fn bank_gain(lines: &[Line]) -> i64 {
    let signed = |amount: Cents| i64::try_from(amount.get()).unwrap_or(i64::MAX);
    let by_bank = lines.iter().filter(|line| line.payer == Payer::Banker);
    let compared: i64 = by_bank.map(|line| signed(line.taken) - signed(line.paid)).sum();
    let commissions = lines.iter().filter(|line| line.bet == Bet::BankerCommission);
    compared - commissions.map(|line| signed(line.commission)).sum::<i64>()
}

/// A bet's name.
pub(crate) fn bet(bet: Bet) -> String {
    match bet {
        Bet::Standard => "Standard".into(),
        Bet::Fortune => "Fortune Bonus".into(),
        Bet::TigerNine => "Tiger 9".into(),
        Bet::Envy { of } => format!("Envy for seat {}", of.0),
        Bet::HouseWager => "the house's wager".into(),
        Bet::BankerCommission => "commission of the bank".into(),
    }
}

/// A line of a statement in words: what the bet came to, and why.
pub(crate) fn line(line: &Line) -> String {
    let ending = match line.ending {
        Ending::Win => format!("wins {}", line.paid),
        Ending::Push => "pushes".into(),
        Ending::Lose if line.taken == Cents::ZERO => "is not covered and goes back".into(),
        Ending::Lose if line.taken < line.stake => {
            format!("loses {} of {}", line.taken, line.stake)
        }
        Ending::Lose => "loses".into(),
        Ending::Returned => "goes back".into(),
    };
    let stake = match line.stake {
        Cents::ZERO => String::new(),
        stake => format!(" {stake}"),
    };
    let commission = match line.commission {
        Cents::ZERO => String::new(),
        amount => format!(", less {amount} commission"),
    };
    let on = match line.on {
        Some(On::Hands { high, low }) => format!("; High {}, Low {}", versus(high), versus(low)),
        Some(On::Held(hand)) => format!("; {}", hand.to_string().replace('-', " ")),
        Some(On::BankersLow) => "; by the banker's Low".into(),
        None => String::new(),
    };
    format!("{}{stake} {ending}{commission}{on}", bet(line.bet))
}

fn versus(versus: Versus) -> &'static str {
    match versus {
        Versus::Higher => "wins",
        Versus::Copy => "is a copy",
        Versus::Lower => "loses",
    }
}

/// A clause with its sentence, where the rulebook is known.
pub(crate) fn clause(rulebook: Option<&Rulebook>, id: &str) -> String {
    match rulebook.and_then(|it| it.clause(id)) {
        Some(saying) => format!("{id}: {}", saying.says),
        None => id.to_string(),
    }
}
