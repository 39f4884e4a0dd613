//! Writes the fast evaluator's tables from the slow evaluator.
//!
//! A hand's ranks are two numbers: the sum of the keys of its low ranks, two to eight, and that of
//! its high ranks, nine to ace, with the joker. Each sum stands for one multiset of ranks. The
//! hands with the same low ranks lie together, in the order of their high ranks, so a hand's place
//! is `start[low sum] + place[high sum]`, without a gap between hands and without a search.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs, path::Path};

#[path = "src/ranking/slow.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the crate's tests")]
mod slow;

/// Keys for the seven low and the six high ranks such that no two multisets of up to seven of
/// them, at most four of each, have the same sum: each is the smallest number that keeps it so.
const RANK_KEYS: [u32; 13] = [1, 5, 24, 112, 521, 2247, 9244, 1, 5, 24, 112, 521, 2247];
const LOW_RANKS: u8 = 7;
/// Above every sum of high ranks.
const JOKER_KEY: u32 = 1 << 14;
/// The low sums are below this; the high ones far below, but two 16-bit numbers are added to find
/// one, and a table as long as any such sum needs no check.
const LOW_SUMS: usize = 1 << 16;
const HIGH_SUMS: usize = 1 << 17;
const SLOTS: usize = 1 << 17;
/// Hands with few high cards come last, and there are a little more than 65,536 hands. Counting
/// this much in the place instead of in the start keeps both within 16 bits.
const MOVED: u16 = 2560;

const fn moved(high_cards: usize) -> u16 {
    if high_cards < 3 { MOVED } else { 0 }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/ranking/slow.rs");
    let mut out = String::new();
    write_keys(&mut out);
    let fives = rank_multisets(5);
    let sevens = rank_multisets(7);
    let places = high_places();
    let five_packing = Packing::new(&fives, &places);
    let seven_packing = Packing::new(&sevens, &places);
    write_array(&mut out, "HIGH_PLACES", "u16", &places);
    write_packing(&mut out, "FIVE", &five_packing);
    write_packing(&mut out, "SEVEN", &seven_packing);
    write_bonus(&mut out, &sevens, &seven_packing);
    for (name, wheel_second) in [("LOWEST", false), ("SECOND", true)] {
        write_values(&mut out, name, wheel_second, &fives, &five_packing, &sevens, &seven_packing);
    }
    let path = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("tables.rs");
    fs::write(path, out).expect("the output folder can be written");
}

/// The sum of the low ranks' keys and that of the high ranks'.
type Sums = (u32, u32);

fn sums(ranks: &[u8], joker: bool) -> Sums {
    let sum = |low: bool| {
        let keys = ranks.iter().filter(|&&rank| (rank < LOW_RANKS) == low);
        keys.map(|&rank| RANK_KEYS[rank as usize]).sum::<u32>()
    };
    (sum(true), sum(false) + if joker { JOKER_KEY } else { 0 })
}

/// Every multiset of ranks that `size` cards can have, by key, with cards that make no flush.
fn rank_multisets(size: usize) -> BTreeMap<Sums, Vec<u8>> {
    let mut found = BTreeMap::new();
    for joker in [false, true] {
        let mut ranks = vec![];
        extend(size - joker as usize, 0, &mut ranks, &mut |ranks| {
            // Suits in turn: cards of one rank differ, and no suit has more than two of seven.
            let mut cards: Vec<u8> =
                ranks.iter().zip(0..).map(|(rank, turn)| rank * 4 + turn % 4).collect();
            cards.extend(joker.then_some(slow::JOKER));
            let key = sums(ranks, joker);
            assert!(found.insert(key, cards).is_none(), "two hands have the key {key:?}");
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

/// The place of each multiset of high ranks among those of as many cards.
fn high_places() -> Vec<u16> {
    let mut places = vec![0; HIGH_SUMS];
    let mut seen = vec![false; HIGH_SUMS];
    for size in 0..=7 {
        let mut next = moved(size);
        for joker in [false, true].into_iter().take(size + 1) {
            extend(size - joker as usize, LOW_RANKS, &mut vec![], &mut |ranks| {
                let (_, sum) = sums(ranks, joker);
                assert!(!std::mem::replace(&mut seen[sum as usize], true), "{sum} twice");
                places[sum as usize] = next;
                next += 1;
            });
        }
    }
    places
}

/// Where the hands of each multiset of low ranks start.
struct Packing<'a> {
    starts: Vec<u16>,
    places: &'a [u16],
}

impl Packing<'_> {
    fn new<'a>(hands: &BTreeMap<Sums, Vec<u8>>, places: &'a [u16]) -> Packing<'a> {
        let mut rows: BTreeMap<(usize, u32), usize> = BTreeMap::new();
        for (&(low, _), cards) in hands {
            let low_cards = cards.iter().filter(|&&card| card / 4 < LOW_RANKS).count();
            *rows.entry((low_cards, low)).or_default() += 1;
        }
        let hand = hands.values().next().expect("there are hands").len();
        let mut starts = vec![0; LOW_SUMS];
        let mut size = 0;
        for ((low_cards, low), hands) in rows {
            let start = size - moved(hand - low_cards) as usize;
            starts[low as usize] = start.try_into().expect("within 16 bits");
            size += hands;
        }
        assert!(size <= SLOTS);
        Packing { starts, places }
    }

    fn index(&self, (low, high): Sums) -> usize {
        self.starts[low as usize] as usize + self.places[high as usize] as usize
    }
}

fn write_keys(out: &mut String) {
    writeln!(out, "pub(super) const RANK_KEYS: [u32; 13] = {RANK_KEYS:?};").unwrap();
    writeln!(out, "pub(super) const JOKER_KEY: u32 = {JOKER_KEY};").unwrap();
    writeln!(out, "pub(super) const LOW_RANKS: usize = {LOW_RANKS};").unwrap();
}

fn write_array(out: &mut String, name: &str, of: &str, values: &[impl std::fmt::Display]) {
    write!(out, "const {name}: [{of}; {}] = [", values.len()).unwrap();
    for value in values {
        write!(out, "{value},").unwrap();
    }
    writeln!(out, "];").unwrap();
}

fn write_packing(out: &mut String, name: &str, packing: &Packing<'_>) {
    write_array(out, &format!("{name}_STARTS"), "u16", &packing.starts);
}

/// What a seven-card hand's ranks are worth for the Fortune Bonus, suits apart: the numbers of
/// `BonusHand`. Three of a kind goes before a straight.
fn write_bonus(out: &mut String, sevens: &BTreeMap<Sums, Vec<u8>>, packing: &Packing<'_>) {
    let mut table = vec![0u8; SLOTS];
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
    fives: &BTreeMap<Sums, Vec<u8>>,
    five_packing: &Packing<'_>,
    sevens: &BTreeMap<Sums, Vec<u8>>,
    seven_packing: &Packing<'_>,
) {
    // Every class of five-card hands is in one of two lists: by ranks, or by a flush's ranks.
    let by_ranks: Vec<(Sums, slow::Value)> = fives
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

    let mut five = vec![0u16; SLOTS];
    for (key, value) in &by_ranks {
        five[five_packing.index(*key)] = strength(value);
    }
    let mut seven = vec![0u16; SLOTS];
    for (&key, cards) in sevens {
        let best = slow::best_of_seven(cards.as_slice().try_into().unwrap(), wheel_second);
        seven[seven_packing.index(key)] = strength(&best);
    }
    let flush: Vec<u16> = flushes.iter().map(|value| value.as_ref().map_or(0, strength)).collect();
    write_array(out, &format!("FIVE_{name}"), "u16", &five);
    write_array(out, &format!("SEVEN_{name}"), "u16", &seven);
    write_array(out, &format!("FLUSH_{name}"), "u16", &flush);
    write!(out, "const CLASSES_{name}: [[u8; 6]; 7463] = [").unwrap();
    for slow::Value { category, ties: [a, b, c, d, e] } in &classes {
        write!(out, "[{category},{a},{b},{c},{d},{e}],").unwrap();
    }
    writeln!(out, "];").unwrap();
    writeln!(
        out,
        "pub(super) static {name}: Tables = Tables {{
            five_starts: FIVE_STARTS, seven_starts: SEVEN_STARTS, high_places: HIGH_PLACES,
            five: FIVE_{name}, seven: SEVEN_{name}, flush: FLUSH_{name}, bonus: SEVEN_BONUS,
            classes: CLASSES_{name},
        }};"
    )
    .unwrap();
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
