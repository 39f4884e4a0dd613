//! Proofs that say something else than they did: by a character, or by their structure.
//!
//! An opening that is left out with nothing else changed is none of these: what is left proves less,
//! and proves it.

use rand::rngs::ChaCha12Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// A proof that was altered.
pub(crate) struct Altered {
    /// How, in a few words.
    pub(crate) how: &'static str,
    pub(crate) text: String,
}

/// How those are called that are not structural.
pub(crate) const CHARACTER: &str = "one character";

/// So many alterations of some proofs, at least half of them structural.
pub(crate) fn altered(texts: &[String], count: usize, seed: u64) -> Vec<Altered> {
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        let text = texts.choose(&mut chance).expect("some were played");
        let another = texts.choose(&mut chance).expect("some were played");
        let one = match all.len() % 2 {
            0 => structure(text, another, &mut chance),
            _ => one_character(text, &mut chance),
        };
        all.extend(one);
    }
    all
}

/// One thing changed that means something: a digit, a letter, a card, a number.
fn one_character(text: &str, chance: &mut ChaCha12Rng) -> Option<Altered> {
    let mut bytes = text.as_bytes().to_vec();
    let at = chance.random_range(0..bytes.len());
    let other = match bytes[at] {
        b'0'..=b'9' => *b"0123456789".choose(chance).expect("ten"),
        b'a'..=b'f' => *b"abcdef".choose(chance).expect("six"),
        b'A'..=b'Z' => *b"23456789TJQKA".choose(chance).expect("thirteen"),
        _ => return None,
    };
    if other == bytes[at] {
        return None;
    }
    bytes[at] = other;
    let text = String::from_utf8(bytes).expect("letters for letters");
    Some(Altered { how: CHARACTER, text })
}

/// One of the structural changes, if it can be done to this proof and makes a difference.
fn structure(text: &str, another: &str, chance: &mut ChaCha12Rng) -> Option<Altered> {
    let at = chance.random_range(0..=STRUCTURAL.len());
    let Some((how, alter)) = STRUCTURAL.get(at) else {
        return Some(Altered { how: "a field twice", text: field_twice(text, chance)? });
    };
    let read = |text: &str| serde_json::from_str::<Value>(text).expect("a proof is JSON");
    let (proof, another) = (read(text), read(another));
    // What is of the same round fits.
    if proof["commitment"] == another["commitment"] {
        return None;
    }
    let mut changed = proof.clone();
    alter(&mut changed, &another, chance)?;
    (changed != proof).then(|| Altered { how, text: format!("{changed:#}\n") })
}

/// How many kinds there are: these, a field twice, and one character.
#[cfg(test)]
pub(crate) const KINDS: usize = STRUCTURAL.len() + 2;

/// Changes a proof, perhaps by something of another round. Nothing, if it has nothing to be changed so.
type Alter = fn(&mut Value, &Value, &mut ChaCha12Rng) -> Option<()>;

const STRUCTURAL: [(&str, Alter); 30] = [
    ("two openings in another order", |proof, _, chance| {
        let cards = openings(proof)?;
        let (one, two) = two_of(cards, chance)?;
        cards.swap(one, two);
        Some(())
    }),
    ("two cards for each other", |proof, _, chance| exchange(openings(proof)?, "card", chance)),
    ("two places for each other", |proof, _, chance| exchange(openings(proof)?, "place", chance)),
    ("two salts for each other", |proof, _, chance| exchange(openings(proof)?, "salt", chance)),
    ("an opening twice", |proof, _, chance| {
        let cards = openings(proof)?;
        let again = cards.choose(chance)?.clone();
        cards.push(again);
        Some(())
    }),
    ("a card left out of its opening", |proof, _, chance| {
        let cards = openings(proof)?;
        let at = chance.random_range(0..cards.len());
        cards[at].as_object_mut()?.remove("card").map(drop)
    }),
    ("nothing opened", |proof, _, _| {
        *proof["evidence"].get_mut("opened")? = json!({ "cards": [] });
        proof.as_object_mut()?.remove("number").map(drop)
    }),
    ("an opening of another round", |proof, another, chance| {
        let cards = openings(proof)?;
        let at = chance.random_range(0..cards.len());
        let place = cards[at]["place"].clone();
        cards[at] = another["evidence"]["opened"]["cards"].as_array()?.choose(chance)?.clone();
        cards[at]["place"] = place;
        Some(())
    }),
    ("a path of another round", |proof, another, chance| {
        let cards = openings(proof)?;
        let at = chance.random_range(0..cards.len());
        let others = another["evidence"]["opened"]["cards"].as_array()?;
        cards[at]["path"] = others.choose(chance)?["path"].clone();
        Some(())
    }),
    ("two steps of a path for each other", |proof, _, chance| {
        let cards = openings(proof)?;
        let at = chance.random_range(0..cards.len());
        let path = cards[at]["path"].as_array_mut()?;
        let (one, two) = two_of(path, chance)?;
        path.swap(one, two);
        Some(())
    }),
    ("a path that is too short", |proof, _, chance| {
        let cards = openings(proof)?;
        let at = chance.random_range(0..cards.len());
        cards[at]["path"].as_array_mut()?.pop().map(drop)
    }),
    ("the number's opening left out", |proof, _, _| {
        proof["evidence"]["opened"].as_object_mut()?.remove("number").map(drop)
    }),
    ("the number's opening of another round", |proof, another, _| {
        let others = another["evidence"]["opened"].get("number")?.clone();
        proof["evidence"].get_mut("opened")?["number"] = others;
        Some(())
    }),
    ("the number left out", |proof, _, _| proof.as_object_mut()?.remove("number").map(drop)),
    ("another number", |proof, _, chance| add(proof.get_mut("number")?, 255, chance)),
    ("the seed of another round", |proof, another, _| {
        let seed = another["evidence"].get("seed")?.clone();
        *proof["evidence"].get_mut("seed")? = seed;
        Some(())
    }),
    ("evidence of two kinds", |proof, another, _| {
        let kinds = ["seed", "opened"];
        let missing = kinds.iter().find(|kind| proof["evidence"].get(kind).is_none())?;
        proof["evidence"][missing] = another["evidence"].get(missing)?.clone();
        Some(())
    }),
    ("the evidence of another round", |proof, another, _| {
        proof["evidence"] = another["evidence"].clone();
        Some(())
    }),
    ("someone's words left out", |proof, _, chance| {
        let words = said(proof)?;
        let at = chance.random_range(0..words.len());
        words.remove(at);
        Some(())
    }),
    ("words that nobody said", |proof, _, _| {
        let words = proof["words"].as_array_mut()?;
        words.push(json!({ "person": u32::MAX, "words": "cut it where I say" }));
        Some(())
    }),
    ("words in another order", |proof, _, chance| {
        let words = said(proof)?;
        let (one, two) = two_of(words, chance)?;
        words.swap(one, two);
        Some(())
    }),
    ("words in others' mouths", |proof, _, chance| exchange(said(proof)?, "words", chance)),
    ("words of somebody else", |proof, _, _| {
        said(proof)?.last_mut()?["person"] = json!(u32::MAX);
        Some(())
    }),
    ("words of another round", |proof, another, _| {
        proof["words"] = another["words"].clone();
        Some(())
    }),
    ("another cut", |proof, _, chance| add(&mut proof["cut"]["places"], 53, chance)),
    ("the cut of another round", |proof, another, _| {
        proof["cut"] = another["cut"].clone();
        Some(())
    }),
    ("another round", |proof, _, chance| add(&mut proof["deal"]["round"], 1 << 40, chance)),
    ("another table", |proof, _, chance| {
        let table = proof["deal"]["table"].as_str()?;
        proof["deal"]["table"] = json!(format!("{table}{}", chance.random_range(0..10)));
        Some(())
    }),
    ("another highest number", |proof, _, chance| add(&mut proof["deal"]["highest"], 256, chance)),
    ("the commitment of another round", |proof, another, _| {
        proof["commitment"] = another["commitment"].clone();
        Some(())
    }),
];

/// The cards that a proof opens, if there are any.
fn openings(proof: &mut Value) -> Option<&mut Vec<Value>> {
    let cards = proof["evidence"].get_mut("opened")?["cards"].as_array_mut()?;
    if cards.is_empty() { None } else { Some(cards) }
}

/// What was said, if anything was.
fn said(proof: &mut Value) -> Option<&mut Vec<Value>> {
    let words = proof["words"].as_array_mut()?;
    if words.is_empty() { None } else { Some(words) }
}

/// Two different places of a list.
fn two_of(list: &[Value], chance: &mut ChaCha12Rng) -> Option<(usize, usize)> {
    let one = chance.random_range(0..list.len());
    let two = chance.random_range(0..list.len());
    (one != two).then_some((one, two))
}

/// A field of two things of a list, each for the other's.
fn exchange(list: &mut [Value], field: &str, chance: &mut ChaCha12Rng) -> Option<()> {
    let (one, two) = two_of(list, chance)?;
    let (first, second) = (list[one][field].clone(), list[two][field].clone());
    (list[one][field], list[two][field]) = (second, first);
    Some(())
}

/// Another number below a bound.
fn add(number: &mut Value, below: u64, chance: &mut ChaCha12Rng) -> Option<()> {
    *number = json!((number.as_u64()? + chance.random_range(1..below)) % below);
    Some(())
}

/// One of the fields written twice, with the same value: which one counts must not be a question.
fn field_twice(text: &str, chance: &mut ChaCha12Rng) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = chance.random_range(0..lines.len());
    let is_whole = |value: &str| !value.ends_with(['{', '[']);
    lines[at].split_once("\": ").filter(|(_, value)| is_whole(value))?;
    let again = format!("{},", lines[at].trim_end_matches(','));
    let all = [&lines[..at], &[&again], &lines[at..]].concat();
    Some(all.join("\n") + "\n")
}
