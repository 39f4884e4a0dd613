//! What hidden cards are known by without being named: the seed of a round, from which every card
//! follows, and the order of its deck, each in all forms in which it could lie somewhere.

use std::collections::HashMap;

use houseway_fair::Evidence;
use houseway_rules::Card;
use houseway_server::desk::Desk;
use houseway_server::record::Record;
use houseway_server::vault::Vault;
use houseway_store::{Store, StreamId, TableId, Version};

/// So many cards in a row are no chance, and a hand.
const ROW: usize = 7;

/// The digits of base 64, but for the last two, which are `+/` or `-_`.
const DIGITS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Everything that may be found nowhere.
pub(crate) struct Canaries {
    /// By their first bytes: what it is, and all of its bytes.
    forms: HashMap<[u8; ROW], Vec<(String, Vec<u8>)>>,
    /// Whether something begins with these three bytes: almost nothing that is searched does.
    begins: Vec<bool>,
    pub(crate) seeds: usize,
}

impl Canaries {
    pub(crate) fn new() -> Canaries {
        Canaries { forms: HashMap::new(), begins: vec![false; 1 << 24], seeds: 0 }
    }

    /// Those of every round of some tables, opened with the house's own keys.
    pub(crate) async fn of(tables: &[u64], store: &dyn Store, vault: &Vault) -> Canaries {
        let mut canaries = Canaries::new();
        for &table in tables {
            let id = TableId(table);
            let log = store.read(&StreamId::table(id), Version(0), 1_000_000).await;
            let mut desk: Option<Desk> = None;
            for entry in log.expect("a log") {
                let stamped = vault.read(&entry).expect("it can be read");
                let Some(desk) = &mut desk else {
                    let Record::Opened(opening) = stamped.record else { panic!("no opening") };
                    let setup = opening.setup().expect("a set-up");
                    desk = Some(Desk::new(id, opening, setup));
                    continue;
                };
                desk.apply(&stamped, entry.at);
                if let Record::Committed(committed) = &stamped.record {
                    let deck = desk.deck().expect("it was committed to");
                    let deck = desk.cut(deck, vault).expect("it opens");
                    let name = format!("round {} of table {table}", committed.round);
                    let Evidence::Seed(seed) = deck.disclose().evidence else { panic!("no seed") };
                    canaries.add_seed(&name, &seed.0.0);
                    canaries.add_deck(&name, &deck.cards());
                }
            }
        }
        canaries
    }

    pub(crate) fn add_seed(&mut self, name: &str, seed: &[u8; 32]) {
        self.seeds += 1;
        for (form, bytes) in seed_forms(seed) {
            self.add(format!("the seed of {name} {form}"), bytes);
        }
    }

    /// Wherever it is cut, the cards keep their order.
    pub(crate) fn add_deck(&mut self, name: &str, deck: &[Card]) {
        for start in 0..deck.len() {
            let row: Vec<Card> = deck.iter().cycle().skip(start).take(ROW).copied().collect();
            for (form, bytes) in row_forms(&row) {
                self.add(format!("the deck of {name} from {start} {form}"), bytes);
            }
        }
    }

    fn add(&mut self, what: String, bytes: Vec<u8>) {
        let first = *bytes.first_chunk().expect("long enough to be no chance");
        self.begins[beginning(first)] = true;
        self.forms.entry(first).or_default().push((what, bytes));
    }

    /// What of it is in some bytes.
    pub(crate) fn found_in(&self, bytes: &[u8]) -> Vec<String> {
        let mut found = vec![];
        for (at, first) in bytes.array_windows::<ROW>().enumerate() {
            if !self.begins[beginning(*first)] {
                continue;
            }
            let forms = self.forms.get(first).into_iter().flatten();
            let there = forms.filter(|(_, form)| bytes[at..].starts_with(form));
            found.extend(there.map(|(what, _)| format!("{what} at {at}")));
        }
        found.truncate(5);
        found
    }
}

fn beginning(bytes: [u8; ROW]) -> usize {
    usize::from(bytes[0]) << 16 | usize::from(bytes[1]) << 8 | usize::from(bytes[2])
}

fn hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from(b"0123456789abcdef"[usize::from(digit)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A seed as bytes, in hexadecimal digits, and in base 64 wherever it stands in what is written so.
pub(crate) fn seed_forms(seed: &[u8; 32]) -> Vec<(String, Vec<u8>)> {
    let hex = hex(seed);
    let numbers: Vec<String> = seed.iter().map(ToString::to_string).collect();
    let mut forms = vec![
        ("as bytes".to_string(), seed.to_vec()),
        ("in hexadecimal".to_string(), hex.clone().into_bytes()),
        ("in hexadecimal capitals".to_string(), hex.to_uppercase().into_bytes()),
        ("as a list of numbers".to_string(), numbers.join(",").into_bytes()),
        ("as numbers in words".to_string(), numbers.join(", ").into_bytes()),
    ];
    for before in 0..3 {
        for last in [b"+/", b"-_"] {
            let text = base_64(&[&vec![0; before], &seed[..]].concat(), *last);
            // Without the digits that what stands before and after has a part in.
            let whole = (before * 8).div_ceil(6)..(before + seed.len()) * 8 / 6;
            let name = format!("in base 64 after {before} bytes");
            forms.push((name, text[whole].to_vec()));
        }
    }
    forms
}

/// The digits of some bytes, the last one filled up.
fn base_64(bytes: &[u8], last: [u8; 2]) -> Vec<u8> {
    let digits = [&DIGITS[..], &last[..]].concat();
    let groups = bytes.chunks(3).flat_map(|group| {
        let bits = group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - group.len()));
        [18, 12, 6, 0]
            .map(|shift| digits[(bits >> shift) as usize & 63])
            .into_iter()
            .take(group.len() + 1)
    });
    groups.collect()
}

/// Cards in a row as memory holds them, and as numbers and letters. Cards in quotes or between spaces are
/// found one by one.
pub(crate) fn row_forms(row: &[Card]) -> Vec<(String, Vec<u8>)> {
    let indexes: Vec<u8> = row.iter().map(|card| card.index() as u8).collect();
    let hex = hex(&indexes);
    let numbers: Vec<String> = indexes.iter().map(ToString::to_string).collect();
    let letters: Vec<String> = row.iter().map(ToString::to_string).collect();
    [
        ("as bytes", indexes),
        ("in hexadecimal", hex.into_bytes()),
        ("as a list of numbers", numbers.join(",").into_bytes()),
        ("as numbers in words", numbers.join(", ").into_bytes()),
        ("as letters", letters.concat().into_bytes()),
        ("as a list of letters", letters.join(",").into_bytes()),
        ("as letters in words", letters.join(", ").into_bytes()),
    ]
    .map(|(form, bytes)| (form.to_string(), bytes))
    .into()
}
