//! Every pair of hands that can be dealt together, counted without dealing them.
//!
//! Two hands of seven out of 53 make 8,250,459,031,214,400 ordered pairs. They are counted by
//! inclusion and exclusion over the cards two hands would share: a signed sum, over sets `S` of
//! shared cards, of the pairs of hands that both contain `S`.
//!
//! What a hand is worth depends on its ranks alone, unless five of its cards have one suit. So the
//! hands are written as `R + X`: `R` gives every hand what its ranks are worth, and `X` corrects
//! the few that are worth something else, adding what they are worth and taking away what `R` gave
//! them. Counting pairs is linear in both sides, so it falls into parts:
//!
//! - with `R` on either side only the ranks of the shared cards matter, and there are 103,000
//!   combinations of these;
//! - `X` with `X` needs the shared cards themselves, but there are few such hands.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use houseway_rules::{CardSet, Dealt, HandKey, Suit, classes};
use rayon::prelude::*;

use crate::dominance::{Point, Rule, Scratch, Tally};
use crate::ranks::{CHOOSE, KINDS, RankCounts, in_deck};

/// What one side makes of its hands.
pub(crate) struct Side {
    /// What ranks alone are worth, with the number of hands: one point a combination.
    by_ranks: HashMap<RankCounts, Point, BuildHasherDefault<Mixed>>,
    /// The corrections, by ranks.
    corrections: HashMap<RankCounts, Vec<Point>, BuildHasherDefault<Mixed>>,
    /// The same corrections, by class of hands: what is added and what is taken away.
    corrected: Vec<(CardSet, [Point; 2])>,
}

/// What a policy makes of a hand: the classes of both hands, and a label.
pub(crate) type Labelled = (u8, u16, u8);

impl Side {
    /// All hands under a policy. For hands without a flush it must depend on ranks alone.
    pub(crate) fn new(policy: impl Fn(Dealt) -> Labelled + Sync) -> Side {
        let mut by_ranks = HashMap::default();
        let ways = |ways: i64, kind: usize, more: usize| ways * CHOOSE[in_deck(kind)][more];
        RankCounts::NONE.each_with(0, 7, 1, &ways, &mut |counts, weight| {
            let (low, high, label) = policy(counts.without_flush());
            by_ranks.insert(counts, Point { low, high, label, weight });
        });
        let parts: Vec<classes::Part> = classes::parts().collect();
        let corrected: Vec<(CardSet, [Point; 2])> = parts
            .par_iter()
            .flat_map_iter(|part| {
                let mut found = vec![];
                part.each(|dealt, weight| {
                    if !HandKey::of(dealt.cards()).has_flush() {
                        return;
                    }
                    let (low, high, label) = policy(dealt);
                    let given = by_ranks[&RankCounts::of(dealt.cards())];
                    if (low, high, label) != (given.low, given.high, given.label) {
                        let weight = i64::from(weight);
                        let added = Point { low, high, label, weight };
                        found.push((dealt.cards(), [added, Point { weight: -weight, ..given }]));
                    }
                });
                found
            })
            .collect();
        let mut corrections: HashMap<RankCounts, Vec<Point>, _> = HashMap::default();
        for (cards, points) in &corrected {
            corrections.entry(RankCounts::of(*cards)).or_default().extend(points);
        }
        corrections.values_mut().for_each(merge);
        Side { by_ranks, corrections, corrected }
    }
}

/// Adds up the weights of equal points.
fn merge(points: &mut Vec<Point>) {
    points.sort_unstable();
    let mut merged: Vec<Point> = Vec::with_capacity(points.len());
    for point in points.drain(..) {
        match merged.last_mut() {
            Some(last)
                if (last.low, last.high, last.label) == (point.low, point.high, point.label) =>
            {
                last.weight += point.weight;
            }
            _ => merged.push(point),
        }
    }
    merged.retain(|point| point.weight != 0);
    *points = merged;
}

/// Counts all pairs of disjoint hands of a player and a banker.
pub(crate) fn count(player: &Side, banker: &Side, rule: Rule, labels: usize) -> Tally {
    let mut total = with_ranks(player, banker, rule, labels);
    total.add(&corrections(player, banker, rule, labels), 1, 1);
    total
}

/// The parts in which one side is given by ranks: `(R + X) · R` and `R · X`.
fn with_ranks(player: &Side, banker: &Side, rule: Rule, labels: usize) -> Tally {
    let shared: Vec<(RankCounts, usize)> = (0..=7)
        .flat_map(|cards| RankCounts::of_size(cards).into_iter().map(move |it| (it, cards)))
        .collect();
    shared
        .par_iter()
        .fold(
            || Work::new(labels),
            |mut work, &(counts, cards)| {
                work.share(player, banker, counts, cards, rule);
                work
            },
        )
        .map(|work| work.total)
        .reduce(
            || Tally::new(labels),
            |mut a, b| {
                a.add(&b, 1, 1);
                a
            },
        )
}

/// One thread's share of the work.
struct Work {
    scratch: Scratch,
    total: Tally,
    part: Tally,
    players: Vec<Point>,
    bankers: Vec<Point>,
    /// The same for the other product.
    rank_players: Vec<Point>,
    corrected_bankers: Vec<Point>,
}

impl Work {
    fn new(labels: usize) -> Work {
        Work {
            scratch: Scratch::new(),
            total: Tally::new(labels),
            part: Tally::new(labels),
            players: vec![],
            bankers: vec![],
            rank_players: vec![],
            corrected_bankers: vec![],
        }
    }

    /// The pairs that share cards of these ranks.
    ///
    /// A hand with `a` cards of a rank contains `a` over `s` sets of `s` of them. On the side that
    /// is given by ranks all suits are alike, so of its hands just `4 - s` over `a - s` contain a
    /// given set.
    fn share(
        &mut self,
        player: &Side,
        banker: &Side,
        shared: RankCounts,
        cards: usize,
        rule: Rule,
    ) {
        for list in [
            &mut self.players,
            &mut self.bankers,
            &mut self.rank_players,
            &mut self.corrected_bankers,
        ] {
            list.clear();
        }
        let own: i64 = (0..KINDS).map(|kind| CHOOSE[in_deck(kind)][shared.count(kind)]).product();
        let sets = |sets: i64, kind: usize, more: usize| {
            let held = shared.count(kind);
            sets * CHOOSE[held + more][held]
        };
        let Work { players, bankers, rank_players, corrected_bankers, .. } = self;
        shared.each_with(0, 7 - cards, 1, &sets, &mut |hand, sets| {
            let times =
                |point: &Point, times: i64| Point { weight: point.weight * times, ..*point };
            let given = player.by_ranks[&hand];
            players.push(times(&given, sets));
            rank_players.push(Point { weight: given.weight * sets / own, ..given });
            let given = banker.by_ranks[&hand];
            bankers.push(Point { weight: given.weight * sets / own, ..given });
            if let Some(points) = player.corrections.get(&hand) {
                players.extend(points.iter().map(|point| times(point, sets)));
            }
            if let Some(points) = banker.corrections.get(&hand) {
                corrected_bankers.extend(points.iter().map(|point| times(point, sets)));
            }
        });
        let sign = if cards.is_multiple_of(2) { 1 } else { -1 };
        self.part.clear();
        self.scratch.count(&mut self.players, &mut self.bankers, rule, &mut self.part);
        self.scratch.count(
            &mut self.rank_players,
            &mut self.corrected_bankers,
            rule,
            &mut self.part,
        );
        self.total.add(&self.part, sign, 1);
    }
}

/// `X · X`: by the shared cards themselves, up to a change of suits.
fn corrections(player: &Side, banker: &Side, rule: Rule, labels: usize) -> Tally {
    let mut total = Tally::new(labels);
    for cards in 0..=7u32 {
        let sign = if cards.is_multiple_of(2) { 1 } else { -1 };
        total.add(&corrections_sharing(cards, player, banker, rule, labels), sign, 1);
    }
    total
}

/// A shared set of cards, up to a change of suits, and a hand that contains it.
type Incidence = (u64, u32);

fn incidences(side: &Side, cards: u32) -> Vec<Incidence> {
    let mut found: Vec<Incidence> = side
        .corrected
        .par_iter()
        .enumerate()
        .flat_map_iter(|(place, (hand, _))| {
            let hand = hand.sorted::<7>();
            (0u32..128).filter(move |subset| subset.count_ones() == cards).map(move |subset| {
                let chosen = (0..7).filter(|card| subset >> card & 1 == 1);
                let set = chosen.fold(CardSet::EMPTY, |set, card| set.with(hand[card]));
                (canonical(set), place as u32)
            })
        })
        .collect();
    found.par_sort_unstable();
    found
}

/// A number for a set of cards up to a change of suits: its suits' ranks in order, and the joker.
fn canonical(set: CardSet) -> u64 {
    let mut lanes = Suit::ALL.map(|suit| set.suit(suit));
    lanes.sort_unstable();
    lanes.iter().fold(u64::from(set.has_joker()), |key, lane| key << 13 | u64::from(*lane))
}

/// How many sets a number of [`canonical`] stands for.
fn orders(key: u64) -> i128 {
    i128::from(classes::orders([0, 13, 26, 39].map(|shift| (key >> shift) as u16 & 0x1fff)))
}

fn corrections_sharing(
    cards: u32,
    player: &Side,
    banker: &Side,
    rule: Rule,
    labels: usize,
) -> Tally {
    let of_player = incidences(player, cards);
    let own;
    let of_banker = if std::ptr::eq(player, banker) {
        &of_player
    } else {
        own = incidences(banker, cards);
        &own
    };
    // Where the banker's hands with a shared set begin and end, found as the player's are walked.
    let groups: Vec<&[Incidence]> = of_player.chunk_by(|a, b| a.0 == b.0).collect();
    groups
        .par_iter()
        .fold(
            || Work::new(labels),
            |mut work, group| {
                let key = group[0].0;
                let start = of_banker.partition_point(|incidence| incidence.0 < key);
                let end =
                    start + of_banker[start..].partition_point(|incidence| incidence.0 == key);
                work.players.clear();
                work.bankers.clear();
                for (_, place) in *group {
                    work.players.extend(player.corrected[*place as usize].1);
                }
                for (_, place) in &of_banker[start..end] {
                    work.bankers.extend(banker.corrected[*place as usize].1);
                }
                work.part.clear();
                work.scratch.count(&mut work.players, &mut work.bankers, rule, &mut work.part);
                // Each side counts the hands with any of the sets the number stands for.
                work.total.add(&work.part, 1, orders(key));
                work
            },
        )
        .map(|work| work.total)
        .reduce(
            || Tally::new(labels),
            |mut a, b| {
                a.add(&b, 1, 1);
                a
            },
        )
}

/// A quick hash for numbers that are well mixed by one multiplication.
#[derive(Default)]
pub(crate) struct Mixed(u64);

impl std::hash::Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
