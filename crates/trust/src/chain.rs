//! Row 24: a long audit chain, and everything that can be done to it.

use std::time::Instant;

use anyhow::{Context, Result};
use houseway_rules::Cents;
use houseway_store::{BreakKind, Chain, Entry, Head, Move, NewEntry, StreamId, Version};
use rand::rngs::ChaCha12Rng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::outcome::Outcome;
use crate::statistics::time_worked;

/// A chain is followed from one of these places on, as far as it was not changed.
const MARK: usize = 1_000;

/// How much of a chain's end is written again at most.
const SUFFIX: usize = 2_000;

/// Makes a chain of so many entries, verifies it, and changes it in so many ways.
pub fn run(entries: usize, mutations: usize, seed: u64) -> Result<Outcome> {
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    let stream = StreamId::house();
    let mut head = Head::default();
    let chain: Vec<Entry> = (0..entries)
        .map(|number| {
            let entry = Entry::after(head, &stream, number as u64, any(&mut chance));
            head = entry.head();
            entry
        })
        .collect();
    let (start, worked) = (Instant::now(), time_worked()?);
    let mut following = Chain::new(stream.clone(), Some(head));
    let mut marks = Vec::with_capacity(entries / MARK + 1);
    for (number, entry) in chain.iter().enumerate() {
        if number % MARK == 0 {
            marks.push(following.clone());
        }
        following.follow(entry)?;
    }
    following.end()?;
    // A core's speed is what is asked for; others may use the machine too.
    let speed = entries as f64 / time_worked()?.saturating_sub(worked).as_secs_f64();
    let by_the_clock = entries as f64 / start.elapsed().as_secs_f64();
    let mut unnoticed = Vec::new();
    for number in 0..mutations {
        let kind = KINDS[number % KINDS.len()];
        if !is_found(kind, &chain, &marks, &mut chance)? {
            unnoticed.push(format!("{kind:?}, number {number}"));
        }
    }
    let reached = format!(
        "{entries} entries, {} of {mutations} changes found, {speed:.0} entries verified a second on a core",
        mutations - unnoticed.len()
    );
    let figures = json!({
        "entries": entries, "mutations": mutations, "unnoticed": unnoticed.len(),
        "first_unnoticed": unnoticed.first(), "a_second": speed.round(),
        "a_second_by_the_clock": by_the_clock.round(), "seed": seed,
    });
    let asked = "1,000,000 entries, 10,000 changes found 100 %, 200,000 entries a second";
    // How fast a machine is says nothing about the chain: whoever reads the figure judges it.
    Ok(Outcome::new(24, "audit chain", asked, reached, unnoticed.is_empty(), figures))
}

/// What is done to a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One bit of one field.
    Flip,
    /// One entry is left out.
    Drop,
    /// Two entries change places, and their numbers with them.
    Swap,
    /// The end is cut off.
    Cut,
    /// The end is written again, with hashes that are right.
    Rewrite,
}

const KINDS: [Kind; 5] = [Kind::Flip, Kind::Drop, Kind::Swap, Kind::Cut, Kind::Rewrite];

/// An entry as tables write them: some with money.
fn any(chance: &mut ChaCha12Rng) -> NewEntry {
    let amount = Cents::new(chance.random_range(1..100_000));
    let moves = (0..chance.random_range(0..3)).map(|_| Move {
        from: "wallet/1".parse().expect("a name"),
        to: "table/7/felt/1".parse().expect("a name"),
        amount,
        reason: "wager".into(),
        clause: Some("5.1".into()),
    });
    let body = format!(
        "{{\"event\":\"placed\",\"amount\":{},\"{:0160x}\":1}}",
        amount.get(),
        chance.random::<u128>()
    );
    NewEntry { kind: "placed".into(), body, moves: moves.collect() }
}

/// Whether a change of a chain is found, by following it from the last mark before the change.
fn is_found(
    kind: Kind,
    chain: &[Entry],
    marks: &[Chain],
    chance: &mut ChaCha12Rng,
) -> Result<bool> {
    let last = chain.len() - 1;
    let at = match kind {
        Kind::Rewrite => chance.random_range(chain.len().saturating_sub(SUFFIX)..chain.len()),
        Kind::Drop | Kind::Swap => chance.random_range(0..last),
        Kind::Flip | Kind::Cut => chance.random_range(0..chain.len()),
    };
    let from = at / MARK * MARK;
    let mut following = marks[at / MARK].clone();
    for entry in &chain[from..at] {
        following.follow(entry)?;
    }
    // What comes after a change is looked at until the chain breaks, or to its end.
    let changed: Vec<Entry> = match kind {
        Kind::Flip => vec![flipped(&chain[at], chance)],
        Kind::Drop => vec![chain[at + 1].clone()],
        Kind::Swap => {
            let other = chance.random_range(at + 1..chain.len());
            vec![Entry { version: chain[at].version, ..chain[other].clone() }]
        }
        Kind::Cut => vec![],
        Kind::Rewrite => rewritten(&chain[at..], chance).context("a suffix is not empty")?,
    };
    for entry in &changed {
        if following.follow(entry).is_err() {
            return Ok(true);
        }
    }
    Ok(match kind {
        // Here the chain goes on as it was, and ends where it should or breaks.
        Kind::Flip | Kind::Drop | Kind::Swap => {
            chain[at + 1..].iter().any(|entry| following.follow(entry).is_err())
        }
        Kind::Cut => matches!(following.end(), Err(broken) if broken.what == BreakKind::Cut),
        Kind::Rewrite => false,
    })
}

/// One bit changed, in any field that is kept.
fn flipped(entry: &Entry, chance: &mut ChaCha12Rng) -> Entry {
    let mut entry = entry.clone();
    let bit = 1_u64 << chance.random_range(0..40);
    let flip = |text: &mut String, chance: &mut ChaCha12Rng| {
        let mut bytes = std::mem::take(text).into_bytes();
        let at = chance.random_range(0..bytes.len());
        bytes[at] ^= 1 << chance.random_range(0..7);
        *text = String::from_utf8_lossy(&bytes).into_owned();
    };
    match chance.random_range(0..9) {
        0 => entry.version = Version(entry.version.0 ^ bit),
        1 => entry.at ^= bit,
        2 => flip(&mut entry.kind, chance),
        3 => entry.previous.0[chance.random_range(0..32)] ^= 1 << chance.random_range(0..8),
        4 => entry.hash.0[chance.random_range(0..32)] ^= 1 << chance.random_range(0..8),
        5 if !entry.moves.is_empty() => {
            entry.moves[0].amount = Cents::new(entry.moves[0].amount.get() ^ bit);
        }
        6 if !entry.moves.is_empty() => flip(&mut entry.moves[0].reason, chance),
        7 if !entry.moves.is_empty() => entry.moves[0].to = "wallet/2".parse().expect("a name"),
        _ => flip(&mut entry.body, chance),
    }
    entry
}

/// Other entries in place of these, each with a hash that is right for it.
fn rewritten(entries: &[Entry], chance: &mut ChaCha12Rng) -> Option<Vec<Entry>> {
    let first = entries.first()?;
    let mut head = Head { version: Version(first.version.0 - 1), hash: first.previous };
    let forged = entries.iter().map(|entry| {
        let forged = Entry::after(head, &entry.stream, entry.at, any(chance));
        head = forged.head();
        forged
    });
    Some(forged.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_chain_is_found() {
        let outcome = run(5_000, 1_000, 1).expect("it runs");
        assert_eq!(outcome.figures["unnoticed"], 0, "{outcome}");
    }
}
