//! Writes the fast evaluator's tables from the slow evaluator.
//!
//! A hand's ranks are one number, the sum of its cards' rank keys, different for each multiset of
//! ranks. The numbers are sparse, so they are packed by row displacement: a row is a stretch of
//! 4,096 keys, moved as a whole to where it fits between the others. Looking one up is then
//! `table[key + offset[key / 4096]]`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs, path::Path};

#[path = "src/ranking/slow.rs"]
mod slow;

/// A key for each rank such that no two multisets of seven ranks, at most four of each, have the
/// same sum. Published with several evaluators; the packing below fails if they ever collide.
const RANK_KEYS: [u32; 13] =
    [0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181];
/// Above every sum of natural cards, so joker hands have the upper half to themselves.
const JOKER_KEY: u32 = 1 << 23;
const ROW_BITS: u32 = 12;
const ROWS: usize = 1 << (24 - ROW_BITS);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/ranking/slow.rs");
    let mut out = String::new();
    write_keys(&mut out);
    let fives = rank_multisets(5);
    let sevens = rank_multisets(7);
    let five_packing = pack(&fives);
    let seven_packing = pack(&sevens);
    write_packing(&mut out, "FIVE", &five_packing);
    write_packing(&mut out, "SEVEN", &seven_packing);
    write_bonus(&mut out, &sevens, &seven_packing);
    for (name, wheel_second) in [("LOWEST", false), ("SECOND", true)] {
        write_values(&mut out, name, wheel_second, &fives, &five_packing, &sevens, &seven_packing);
    }
    let path = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("tables.rs");
    fs::write(path, out).expect("the output folder can be written");
}

/// Every multiset of ranks that `size` cards can have, by key, with cards that make no flush.
fn rank_multisets(size: usize) -> BTreeMap<u32, Vec<u8>> {
    let mut found = BTreeMap::new();
    for joker in [false, true] {
        let mut ranks = vec![];
        extend(size - joker as usize, 0, &mut ranks, &mut |ranks| {
            // Suits in turn: cards of one rank differ, and no suit has more than two of seven.
            let mut cards: Vec<u8> =
                ranks.iter().zip(0..).map(|(rank, turn)| rank * 4 + turn % 4).collect();
            cards.extend(joker.then_some(slow::JOKER));
            let sum: u32 = ranks.iter().map(|&rank| RANK_KEYS[rank as usize]).sum();
            let key = sum + if joker { JOKER_KEY } else { 0 };
            assert!(found.insert(key, cards).is_none(), "two hands have the key {key}");
        });
    }
    found
}

fn extend(size: usize, lowest: u8, ranks: &mut Vec<u8>, found: &mut impl FnMut(&[u8])) {
    if ranks.len() == size {
        return found(ranks);
    }
    for rank in lowest..13 {
        if ranks.iter().filter(|&&held| held == rank).count() < 4 {
            ranks.push(rank);
            extend(size, rank, ranks, found);
            ranks.pop();
        }
    }
}

struct Packing {
    offsets: Vec<u32>,
    size: usize,
}

impl Packing {
    fn index(&self, key: u32) -> usize {
        key.wrapping_add(self.offsets[(key >> ROW_BITS) as usize]) as usize
    }
}

/// First fit, fullest rows first.
fn pack(hands: &BTreeMap<u32, Vec<u8>>) -> Packing {
    let mut rows: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &key in hands.keys() {
        rows.entry(key >> ROW_BITS).or_default().push(key & ((1 << ROW_BITS) - 1));
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(row, keys)| (std::cmp::Reverse(keys.len()), *row));
    let mut taken = vec![false; 1 << 20];
    let mut offsets = vec![0u32; ROWS];
    let mut first_free = 0;
    let mut size = 0;
    for (row, keys) in rows {
        while taken[first_free] {
            first_free += 1;
        }
        let lowest = keys[0] as usize;
        // The row's first key goes to the first free place where all the others fit too.
        let place = (first_free..)
            .find(|place| keys.iter().all(|&key| !taken[place + key as usize - lowest]))
            .expect("there is room");
        for &key in &keys {
            taken[place + key as usize - lowest] = true;
            size = size.max(place + key as usize - lowest + 1);
        }
        offsets[row as usize] =
            (place as u32).wrapping_sub(lowest as u32).wrapping_sub(row << ROW_BITS);
    }
    Packing { offsets, size }
}

fn write_keys(out: &mut String) {
    writeln!(out, "pub(super) const RANK_KEYS: [u32; 13] = {RANK_KEYS:?};").unwrap();
    writeln!(out, "pub(super) const JOKER_KEY: u32 = {JOKER_KEY};").unwrap();
    writeln!(out, "pub(super) const ROW_BITS: u32 = {ROW_BITS};").unwrap();
}

fn write_array(out: &mut String, name: &str, of: &str, values: &[impl std::fmt::Display]) {
    write!(out, "pub(super) static {name}: [{of}; {}] = [", values.len()).unwrap();
    for value in values {
        write!(out, "{value},").unwrap();
    }
    writeln!(out, "];").unwrap();
}

fn write_packing(out: &mut String, name: &str, packing: &Packing) {
    write_array(out, &format!("{name}_OFFSETS"), "u32", &packing.offsets);
    let slots = packing.size.next_power_of_two();
    writeln!(out, "pub(crate) const {name}_SLOTS: usize = {slots};").unwrap();
}

/// What a seven-card hand's ranks are worth for the Fortune Bonus, suits apart: the numbers of
/// `BonusHand`. Three of a kind goes before a straight.
fn write_bonus(out: &mut String, sevens: &BTreeMap<u32, Vec<u8>>, packing: &Packing) {
    let mut table = vec![0u8; packing.size.next_power_of_two()];
    for (&key, cards) in sevens {
        let cards: [u8; 7] = cards.as_slice().try_into().unwrap();
        let bonus = |(i, j)| match slow::five(slow::without(cards, i, j), false).category {
            slow::STRAIGHT => 1,
            slow::THREE_OF_A_KIND => 2,
            slow::FULL_HOUSE => 4,
            slow::FOUR_OF_A_KIND => 5,
            slow::FIVE_ACES => 8,
            _ => 0,
        };
        table[packing.index(key)] = slow::splits().map(bonus).max().unwrap();
    }
    write_array(out, "SEVEN_BONUS", "u8", &table);
}

fn write_values(
    out: &mut String,
    name: &str,
    wheel_second: bool,
    fives: &BTreeMap<u32, Vec<u8>>,
    five_packing: &Packing,
    sevens: &BTreeMap<u32, Vec<u8>>,
    seven_packing: &Packing,
) {
    // Every class of five-card hands is in one of two lists: by ranks, or by a flush's ranks.
    let by_ranks: Vec<(u32, slow::Value)> = fives
        .iter()
        .map(|(&key, cards)| (key, slow::five(cards.as_slice().try_into().unwrap(), wheel_second)))
        .collect();
    let mut flushes = vec![None; 1 << 14];
    for lane in 0u32..1 << 14 {
        flushes[lane as usize] = best_flush(lane, wheel_second);
    }
    let mut classes: Vec<slow::Value> = by_ranks.iter().map(|&(_, value)| value).collect();
    classes.extend(flushes.iter().flatten());
    classes.sort_unstable();
    classes.dedup();
    assert_eq!(classes.len(), 7463);
    let strength = |value: &slow::Value| classes.binary_search(value).unwrap() as u16;

    let mut five = vec![0u16; five_packing.size.next_power_of_two()];
    for (key, value) in &by_ranks {
        five[five_packing.index(*key)] = strength(value);
    }
    let mut seven = vec![0u16; seven_packing.size.next_power_of_two()];
    for (&key, cards) in sevens {
        let best = slow::best_of_seven(cards.as_slice().try_into().unwrap(), wheel_second);
        seven[seven_packing.index(key)] = strength(&best);
    }
    let flush: Vec<u16> =
        flushes.iter().map(|value| value.as_ref().map_or(0, strength)).collect();
    write_array(out, &format!("FIVE_{name}"), "u16", &five);
    write_array(out, &format!("SEVEN_{name}"), "u16", &seven);
    write_array(out, &format!("FLUSH_{name}"), "u16", &flush);
    write!(out, "pub(super) static CLASSES_{name}: [[u8; 6]; 7463] = [").unwrap();
    for slow::Value { category, ties: [a, b, c, d, e] } in &classes {
        write!(out, "[{category},{a},{b},{c},{d},{e}],").unwrap();
    }
    writeln!(out, "];").unwrap();
}

/// The best flush or straight flush of a suit's ranks, the joker as bit 13; five to seven cards.
fn best_flush(lane: u32, wheel_second: bool) -> Option<slow::Value> {
    let cards: Vec<u8> = (0..14)
        .filter(|rank| lane >> rank & 1 == 1)
        .map(|rank| if rank == 13 { slow::JOKER } else { rank * 4 })
        .collect();
    match cards.len() {
        5 => Some(slow::five(cards.try_into().unwrap(), wheel_second)),
        6 | 7 => (0..14)
            .filter(|rank| lane >> rank & 1 == 1)
            .filter_map(|rank| best_flush(lane & !(1 << rank), wheel_second))
            .max(),
        _ => None,
    }
}
