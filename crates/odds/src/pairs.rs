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
use crate::progress::Progress;
use crate::ranks::{CHOOSE, KINDS, RankCounts, in_deck};

/// The hundredths of the work that ranks take; the rest is for the corrections.
const RANKS: u64 = 70;

/// What one side makes of its hands.
pub(crate) struct Side {
    /// What ranks alone are worth, with the number of hands: one point a combination.
    by_ranks: HashMap<RankCounts, Point, BuildHasherDefault<Mixed>>,
    /// The corrections, by ranks.
    corrections: HashMap<RankCounts, Vec<Point>, BuildHasherDefault<Mixed>>,
    /// The same corrections, by class of hands: what is added and what is taken away.
    corrected: Vec<(CardSet, [Point; 2])>,
    /// The labels that occur; a point carries the place of its label here, so that tallies are
    /// short.
    labels: Vec<u16>,
}

/// What a policy makes of a hand: the classes of both hands, and a label.
pub(crate) type Labelled = (u8, u16, u16);

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
        let (labels, corrected) = with_short_labels(&mut by_ranks, corrected);
        let mut corrections: HashMap<RankCounts, Vec<Point>, _> = HashMap::default();
        for (cards, points) in &corrected {
            corrections.entry(RankCounts::of(*cards)).or_default().extend(points);
        }
        corrections.values_mut().for_each(merge);
        Side { by_ranks, corrections, corrected, labels }
    }

    /// A tally of this side's points by the labels that the policy gave, of which there are so
    /// many.
    fn with_all_labels(&self, tally: &Tally, labels: usize) -> Tally {
        let mut all = Tally::new(labels);
        for (place, &label) in self.labels.iter().enumerate() {
            let label = label as usize;
            all.win[label] = tally.win[place];
            all.lose[label] = tally.lose[place];
            all.all[label] = tally.all[place];
        }
        all
    }
}

/// Replaces labels by their places among those that occur.
fn with_short_labels(
    by_ranks: &mut HashMap<RankCounts, Point, BuildHasherDefault<Mixed>>,
    mut corrected: Vec<(CardSet, [Point; 2])>,
) -> (Vec<u16>, Vec<(CardSet, [Point; 2])>) {
    let of_ranks = by_ranks.values().map(|point| point.label);
    let mut labels: Vec<u16> =
        of_ranks.chain(corrected.iter().map(|(_, [added, _])| added.label)).collect();
    labels.sort_unstable();
    labels.dedup();
    let shorten = |point: &mut Point| {
        let place = labels.binary_search(&point.label).expect("each label was collected");
        point.label = place as u16;
    };
    by_ranks.values_mut().for_each(shorten);
    corrected.iter_mut().flat_map(|(_, points)| points).for_each(shorten);
    (labels, corrected)
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

/// Counts all pairs of disjoint hands of a player and a banker, by the player's label.
pub(crate) fn count(
    player: &Side,
    banker: &Side,
    rule: Rule,
    labels: usize,
    progress: &Progress,
) -> Tally {
    let short = player.labels.len();
    let mut total = with_ranks(player, banker, rule, short, progress);
    total.add(&corrections(player, banker, rule, short, progress), 1, 1);
    player.with_all_labels(&total, labels)
}

/// The parts in which one side is given by ranks: `(R + X) · R` and `R · X`.
fn with_ranks(
    player: &Side,
    banker: &Side,
    rule: Rule,
    labels: usize,
    progress: &Progress,
) -> Tally {
    let shared: Vec<(RankCounts, usize)> = (0..=7)
        .flat_map(|cards| RankCounts::of_size(cards).into_iter().map(move |it| (it, cards)))
        .collect();
    // The work on a shared set is that on the hands it can be part of.
    let hands: [usize; 8] = std::array::from_fn(|cards| RankCounts::of_size(7 - cards).len());
    let steps = shared.iter().map(|&(_, cards)| hands[cards]).sum();
    let part = progress.part(RANKS, steps);
    shared
        .par_iter()
        .fold(
            || Work::new(labels),
            |mut work, &(counts, cards)| {
                work.share(player, banker, counts, cards, rule);
                part.done(hands[cards]);
                work
            },
        )
        .map(|work| work.total)
        .reduce(|| Tally::new(labels), Tally::plus)
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
    /// The player's points carry the sign of inclusion or exclusion.
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
        let sign = if cards.is_multiple_of(2) { 1 } else { -1 };
        let Work { players, bankers, rank_players, corrected_bankers, .. } = self;
        shared.each_with(0, 7 - cards, sign, &sets, &mut |hand, sets| {
            let times =
                |point: &Point, times: i64| Point { weight: point.weight * times, ..*point };
            let given = player.by_ranks[&hand];
            players.push(times(&given, sets));
            rank_players.push(Point { weight: given.weight * sets / own, ..given });
            let given = banker.by_ranks[&hand];
            bankers.push(Point { weight: given.weight * sets * sign / own, ..given });
            if let Some(points) = player.corrections.get(&hand) {
                players.extend(points.iter().map(|point| times(point, sets)));
            }
            if let Some(points) = banker.corrections.get(&hand) {
                corrected_bankers.extend(points.iter().map(|point| times(point, sets * sign)));
            }
        });
        self.scratch.count(&mut self.players, &mut self.bankers, rule, &mut self.total);
        self.scratch.count(
            &mut self.rank_players,
            &mut self.corrected_bankers,
            rule,
            &mut self.total,
        );
    }
}

/// `X · X`: by the shared cards themselves, up to a change of suits.
fn corrections(
    player: &Side,
    banker: &Side,
    rule: Rule,
    labels: usize,
    progress: &Progress,
) -> Tally {
    let mut total = Tally::new(labels);
    let part = progress.part(100 - RANKS, 128);
    for cards in 0..=7u32 {
        let sign = if cards.is_multiple_of(2) { 1 } else { -1 };
        total.add(&corrections_sharing(cards, player, banker, rule, labels), sign, 1);
        part.done((0..128u32).filter(|subset| subset.count_ones() == cards).count());
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
pub(crate) fn canonical(set: CardSet) -> u64 {
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
        .reduce(|| Tally::new(labels), Tally::plus)
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

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::{HouseWay, Rank, Rulebook, houses};

    /// What a House Way makes of a hand.
    fn worth(house_way: &HouseWay<'_>, rulebook: &Rulebook, dealt: Dealt) -> (u8, u16) {
        let hands = house_way.set(dealt).setting.strengths(rulebook.ranking());
        (hands.low.index() as u8, hands.high.index() as u16)
    }

    /// A deck small enough to look at every deal of two hands: some ranks in all suits, and the
    /// joker.
    struct SmallDeck {
        ranks: [Rank; 5],
    }

    impl SmallDeck {
        fn has(&self, cards: CardSet) -> bool {
            cards
                .sorted::<7>()
                .iter()
                .all(|card| card.is_joker() || self.ranks.contains(&card.rank()))
        }

        /// The game as it is counted: hands of other cards push whatever they meet, so that they
        /// neither win nor lose.
        fn counted(&self, rulebook: &Rulebook) -> (i128, i128) {
            let house_way = HouseWay::new(rulebook);
            let side = |pushes: (u8, u16)| {
                Side::new(|dealt| match self.has(dealt.cards()) {
                    true => {
                        let (low, high) = worth(&house_way, rulebook, dealt);
                        (low + 1, high + 1, 1)
                    }
                    false => (pushes.0, pushes.1, 0),
                })
            };
            let (player, banker) = (side((0, 0)), side((u8::MAX, 0)));
            let none = Rule { push_low: None };
            let tally = count(&player, &banker, none, 2, &Progress::new());
            (tally.win[1], tally.lose[1])
        }

        /// The game as it is dealt: every hand against every other that shares no card with it.
        fn enumerated(&self, rulebook: &Rulebook) -> (i128, i128) {
            let house_way = HouseWay::new(rulebook);
            let mut classes_of_player = vec![];
            for part in classes::parts() {
                part.each(|dealt, weight| {
                    if self.has(dealt.cards()) {
                        classes_of_player.push((dealt, i128::from(weight)));
                    }
                });
            }
            let hands: Vec<(CardSet, (u8, u16))> = classes_of_player
                .iter()
                .flat_map(|&(dealt, _)| classes::hands(dealt))
                .map(|dealt| (dealt.cards(), worth(&house_way, rulebook, dealt)))
                .collect();
            assert_eq!(hands.len(), 116_280, "21 over 7");
            let count = |&(dealt, weight): &(Dealt, i128)| {
                let own = worth(&house_way, rulebook, dealt);
                let (mut win, mut lose, mut all) = (0, 0, 0);
                for (cards, other) in &hands {
                    if cards.intersection(dealt.cards()).is_empty() {
                        all += 1;
                        win += i128::from(own.0 > other.0 && own.1 > other.1);
                        lose += i128::from(own.0 <= other.0 && own.1 <= other.1);
                    }
                }
                assert_eq!(all, 3_432, "14 over 7");
                (win * weight, lose * weight)
            };
            classes_of_player.par_iter().map(count).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
        }
    }

    /// The highest ranks have royal flushes and five aces, the lowest the wheel, the odd ones
    /// neither run.
    #[test]
    fn on_a_small_deck_every_deal_says_the_same() {
        use Rank::{Ace, Eight, Five, Four, Jack, King, Nine, Queen, Six, Ten, Three, Two};
        for (rulebook, ranks) in [
            (&houses::MBS_2020, [Ace, King, Queen, Jack, Ten]),
            (&houses::CATFISH_BEND, [Ace, Five, Four, Three, Two]),
            (&houses::CARDROOM, [Ace, Jack, Nine, Eight, Six]),
        ] {
            let deck = SmallDeck { ranks };
            let (counted, enumerated) = (deck.counted(rulebook), deck.enumerated(rulebook));
            assert_eq!(counted, enumerated, "{} {ranks:?}", rulebook.id);
            assert!(counted.0 > 0 && counted.1 > counted.0);
        }
    }

    /// Both sides set alike, so the player is strictly above the banker as often as the banker is
    /// strictly above the player: counted from either side.
    #[test]
    fn the_sides_mirror_each_other() {
        let rulebook = &houses::CARDROOM;
        let house_way = HouseWay::new(rulebook);
        let side = |above: u8| {
            Side::new(|dealt| {
                let (low, high) = worth(&house_way, rulebook, dealt);
                (low + above, high + u16::from(above), 0)
            })
        };
        let (plain, winning_copies) = (side(0), side(1));
        let none = Rule { push_low: None };
        let player = count(&plain, &plain, none, 1, &Progress::new());
        let banker = count(&winning_copies, &plain, none, 1, &Progress::new());
        assert_eq!(banker.win, player.lose);
        assert_eq!(banker.lose, player.win);
        assert_ne!(player.win, player.lose, "copies make the difference");
    }
}
