//! Deals for the tests, and every way to spoil a proof by one change.

use houseway_fair::{CutDeck, Deal, Exposed, Place, Proof, Seed, Shuffle, Words};
use serde_json::{Value, json};

pub(crate) fn words(said: &[(u32, &str)]) -> Words {
    let mut words = Words::default();
    for &(person, text) in said {
        words.say(person, text).expect("1 to 256 bytes");
    }
    words
}

pub(crate) fn deck(seed: u8, highest: u8, said: &[(u32, &str)]) -> CutDeck {
    let highest = highest.try_into().expect("not 0");
    let deal = Deal { table: "lantern".into(), round: 7, highest };
    Shuffle::new(Seed::new([seed; 32]), deal).cut(words(said))
}

pub(crate) fn exposed(places: &[u8], number: bool) -> Exposed {
    let place = |&place| Place::try_from(place).expect("0 to 52");
    Exposed { places: places.iter().map(place).collect(), number }
}

/// A proof of each kind, as text.
pub(crate) fn proofs() -> Vec<Proof> {
    let deck = deck(1, 7, &[(3, "blow on the \"dice\""), (12, "八八")]);
    vec![
        deck.prove(&exposed(&[0, 9, 52], true)),
        deck.prove(&exposed(&[4], false)),
        deck.disclose(),
    ]
}

/// The document with one thing changed, and what was.
pub(crate) fn spoiled(proof: &Proof) -> Vec<(String, String)> {
    let document = serde_json::to_value(proof).expect("a proof has a text form");
    let mut all = Vec::new();
    for (pointer, value) in values(&document) {
        let mut put = |what: &str, other: Value| {
            let mut changed = document.clone();
            *changed.pointer_mut(&pointer).expect("the value is there") = other;
            all.push((format!("{pointer} {what}"), changed.to_string()));
        };
        // With fewer cards it proves less, and that is no fault.
        let fewer = |list: &Value| pointer.ends_with("/cards") && *list == json!([]);
        for other in others(&value).into_iter().filter(|other| !fewer(other)) {
            put(&format!("is {other}"), other);
        }
        match value {
            Value::Object(fields) => {
                for field in fields.keys() {
                    let mut fewer = fields.clone();
                    fewer.remove(field);
                    put(&format!("without {field}"), fewer.into());
                }
                let mut more = fields.clone();
                more.insert("more".into(), json!(1));
                put("with a field more", more.into());
                put("as a list", fields.values().cloned().collect());
            }
            Value::Array(list) => {
                let mut twice = list.clone();
                twice.extend(list.last().cloned());
                put("with the last twice", twice.into());
                if list.len() > 1 {
                    put("backwards", list.iter().rev().cloned().collect());
                }
                if !pointer.ends_with("/cards") {
                    put("without the first", list[1..].into());
                }
            }
            _ => {}
        }
    }
    all
}

/// Every value in a document with its address.
fn values(document: &Value) -> Vec<(String, Value)> {
    let below = |key: &str, value: &Value| -> Vec<(String, Value)> {
        let inner = values(value).into_iter();
        inner.map(|(pointer, value)| (format!("/{key}{pointer}"), value)).collect()
    };
    let mut all = vec![(String::new(), document.clone())];
    match document {
        Value::Object(fields) => all.extend(fields.iter().flat_map(|(key, at)| below(key, at))),
        Value::Array(list) => {
            all.extend(list.iter().enumerate().flat_map(|(key, at)| below(&key.to_string(), at)));
        }
        _ => {}
    }
    all
}

/// Other values in the place of one.
fn others(value: &Value) -> Vec<Value> {
    let mut others = vec![json!(null), json!(true), json!([]), json!({}), json!(""), json!("2c")];
    others.extend([json!(0), json!(1), json!(2), json!(254), json!(256), json!(-1), json!(1e300)]);
    match value {
        Value::Number(number) => {
            let number = number.as_u64().expect("proofs have whole numbers");
            others.extend([json!(number + 1), json!(number.wrapping_sub(1)), json!(number + 53)]);
            others.extend([json!(number.to_string()), json!(format!("{number}.0"))]);
            others.push(serde_json::from_str(&format!("{number}.0")).expect("a number"));
        }
        Value::String(text) => {
            others.extend([json!(format!("{text} ")), json!(format!("{text}0")), json!([text])]);
            others.extend([json!(text.to_uppercase()), json!("0".repeat(64))]);
            for at in [0, text.chars().count() - 1] {
                let change = |(place, letter)| match (place == at, letter) {
                    (true, '0') => '1',
                    (true, _) => '0',
                    (false, letter) => letter,
                };
                others.push(json!(text.chars().enumerate().map(change).collect::<String>()));
            }
        }
        _ => {}
    }
    others.retain(|other| other != value);
    others
}
