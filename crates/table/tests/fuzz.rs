//! Text that means harm: whatever is decoded, decided or adjudicated, nothing panics.
//!
//! A fixed count in the test run; `HOUSEWAY_FUZZ=10000000 cargo test --release -p houseway-table
//! --test fuzz` for longer hunts.

mod common;

use common::{Chance, Night};
use houseway_rules::{Card, houses};
use houseway_table::adjudicate::{Given, adjudicate};
use houseway_table::{Command, Phase, decide, view};
use serde_json::{Value, json};

fn tries() -> usize {
    let wanted = std::env::var("HOUSEWAY_FUZZ").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(30_000)
}

/// Commands as they are sent, one of each kind and more.
fn commands() -> Vec<Value> {
    let deck: Vec<String> = Card::all().map(|card| card.to_string()).collect();
    let actions = [
        json!({"do": "bring-money", "amount": 50000}),
        json!({"do": "take-money", "amount": "$20"}),
        json!({"do": "sit", "position": 2}),
        json!({"do": "leave", "position": 1}),
        json!({"do": "open-round"}),
        json!({"do": "take-bank", "put-up": 10000, "house-wager": 500}),
        json!({"do": "decline-bank"}),
        json!({"do": "place", "position": 1, "wager": "standard", "amount": 2000}),
        json!({"do": "place", "position": 3, "wager": "fortune", "amount": 500, "person": 3}),
        json!({"do": "place", "position": 6, "wager": "tiger-nine", "amount": 100}),
        json!({"do": "withdraw", "position": 1, "wager": "standard"}),
        json!({"do": "close-bets"}),
        json!({"do": "deal", "deck": deck, "number": 3}),
        json!({"do": "view", "position": 3}),
        json!({"do": "set", "position": 3, "low": ["Ac", "Kd"]}),
        json!({"do": "set-house-way", "position": 3}),
        json!({"do": "ask-house-way", "position": 1}),
        json!({"do": "reveal", "low": ["2c", "3d"]}),
        json!({"do": "reveal"}),
        json!({"do": "set-banker", "low": ["2c", "3d"]}),
        json!({"do": "concede", "position": 1}),
        json!({"do": "settle"}),
        json!({"do": "time-up"}),
        json!({"do": "resume"}),
        json!({"do": "call", "what": "player-hand-size", "spot": {"at": 3}}),
        json!({"do": "call", "what": "wrongly-dealt", "repair": {"swap": [{"at": 1}, "dealer"]}}),
        json!({"do": "call", "what": "foreign-card"}),
        json!({"do": "call", "what": "wrong-house-way-later", "spot": "dealer"}),
        json!({"do": "call", "what": "power-failure-open"}),
        json!({"do": "withdraw-all"}),
        json!({"do": "restrict", "person": 1}),
        json!({"do": "rule", "ruling": {"hand-out": 3}, "reason": "a drink on the cards"}),
        json!({"do": "rule", "ruling": "void", "reason": "fire"}),
    ];
    let roles = ["player", "dealer", "pit-supervisor", "pit-manager", "gaming-shift-manager"];
    let mut all = vec![];
    for action in actions {
        for (person, role) in [(1, 0), (3, 0), (6, 0), (0, 1), (9, 2), (9, 4)] {
            let mut command = action.clone();
            command["by"] = json!({"person": person, "role": roles[role]});
            command["at"] = json!(5);
            all.push(command);
        }
    }
    all
}

/// Values that programs stumble over.
fn odd(chance: &mut Chance) -> Value {
    let odd = [
        json!(null),
        json!(0),
        json!(-1),
        json!(255),
        json!(256),
        json!(18_446_744_073_709_551_615_u64),
        // As large, and whole dollars.
        json!(18_446_744_073_709_551_600_u64),
        json!(9_223_372_036_854_775_808_u64),
        json!(1.5),
        json!(""),
        json!("$"),
        json!("$184467440737095516.15"),
        json!("$0.01"),
        json!("Jk"),
        json!("Zz"),
        json!([]),
        json!(["Ac", "Ac"]),
        json!(["Jk", "Ac"]),
        json!({}),
        json!({"at": 0}),
        json!({"at": 200}),
        json!(true),
        json!("player"),
        json!("🂡"),
    ];
    chance.of(&odd).clone()
}

/// Changes something somewhere.
fn mutate(value: &mut Value, chance: &mut Chance) {
    let changed = match value {
        Value::Object(fields) if !fields.is_empty() => {
            let name = fields.keys().nth(chance.below(fields.len())).cloned().expect("a field");
            match chance.below(8) {
                0 => {
                    fields.remove(&name);
                }
                1 => {
                    let other = odd(chance);
                    fields.insert("odd".into(), other);
                }
                2 | 3 => fields[&name] = odd(chance),
                _ => mutate(&mut fields[&name], chance),
            }
            true
        }
        Value::Array(items) if !items.is_empty() => {
            let place = chance.below(items.len());
            match chance.below(6) {
                0 => {
                    items.remove(place);
                }
                1 => items.push(odd(chance)),
                2 => items[place] = odd(chance),
                3 => {
                    let other = chance.below(items.len());
                    items.swap(place, other);
                }
                _ => mutate(&mut items[place], chance),
            }
            true
        }
        _ => false,
    };
    if !changed {
        *value = odd(chance);
    }
}

/// Well-formed and malformed commands at a table in every moment of its rounds. What is granted is
/// applied, so the table wanders; views are drawn on the way.
#[test]
fn no_command_breaks_a_table() {
    let mut chance = Chance(2024);
    let commands = commands();
    let (mut decoded, mut granted) = (0, 0);
    for rulebook in houses::HOUSES {
        let fresh = || {
            let mut night = Night::new(rulebook);
            for person in [1, 3, 6] {
                night.seat(person, 3_000);
            }
            night
        };
        let mut night = fresh();
        for turn in 0..tries() / 5 {
            // What keeps a round going comes more often than the rest.
            let mut command = match (night.table.phase(), chance.below(3)) {
                (Phase::Idle, 0) => {
                    json!({"by": {"person": 0, "role": "dealer"}, "at": 1, "do": "open-round"})
                }
                (Phase::Offering { to, .. }, 0) => {
                    json!({"by": {"person": to.0, "role": "player"}, "at": 1, "do": "take-bank", "put-up": 30000})
                }
                _ => chance.of(&commands).clone(),
            };
            for _ in 0..chance.below(4).saturating_sub(1) {
                mutate(&mut command, &mut chance);
            }
            let mut text = command.to_string().into_bytes();
            if chance.below(10) == 0 {
                let place = chance.below(text.len());
                text[place] = chance.below(256) as u8;
            }
            let Ok(command) = serde_json::from_slice::<Command>(&text) else { continue };
            decoded += 1;
            if let Ok(events) = decide(&night.table, &command) {
                granted += 1;
                for event in &events {
                    night.table.apply(event);
                }
            }
            if turn % 50 == 0 {
                let seen = view::view(&night.table, view::Onlooker::Auditor, 5);
                assert!(serde_json::to_string(&seen).is_ok());
            }
            if turn % 500 == 499 {
                night = fresh();
            }
        }
    }
    assert!(
        decoded > tries() / 4 && granted > tries() / 100,
        "{decoded} decoded, {granted} granted"
    );
}

/// Rounds given to be adjudicated, changed in every way: a statement or a fault, never a panic.
#[test]
fn no_round_breaks_adjudication() {
    let mut chance = Chance(77);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/rounds");
    let (mut settled, mut faults) = (0, 0);
    for rulebook in houses::HOUSES {
        let text = std::fs::read_to_string(format!("{folder}/{}.json", rulebook.id));
        let round: Value = serde_json::from_str(&text.expect("an example")).expect("JSON");
        for _ in 0..tries() / 5 {
            let mut round = round.clone();
            for _ in 0..=chance.below(3) {
                mutate(&mut round, &mut chance);
            }
            let Ok(given) = serde_json::from_value::<Given>(round) else { continue };
            match adjudicate(rulebook, &given) {
                Ok(statement) => {
                    settled += 1;
                    for line in &statement.lines {
                        assert_eq!(line.taken.plus(line.back), Some(line.stake));
                    }
                }
                Err(fault) => {
                    faults += 1;
                    assert!(!fault.field.is_empty() && !fault.why.is_empty());
                }
            }
        }
    }
    assert!(settled > 100 && faults > 100, "{settled} settled, {faults} refused");
}
