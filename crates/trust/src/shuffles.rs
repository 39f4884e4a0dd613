//! Row 16: final decks by the billion, shuffled and cut. They pass every test together at 99 %; three bad
//! shufflers, and three bad sources of [seeds](crate::seeds), are each caught.
//!
//! The tests are those that GLI-19 3.2.2 names, each on whole decks as they would be dealt. Every
//! count is of things that are independent from deck to deck, so that what chance gives is known
//! exactly.

use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::time::Instant;

use anyhow::Result;
use houseway_fair::{Deal, Seed, Shuffle, Words};
use houseway_rules::{BonusHand, Card, CardSet, Dealt};
use rand::rngs::ChaCha20Rng;
use rand::{Rng, RngExt, SeedableRng};
use rayon::prelude::*;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::outcome::Outcome;
use crate::seeds;
use crate::statistics::{against, deviation, even, squares};

type Deck = [Card; Card::COUNT];

const CARDS: usize = Card::COUNT;

/// Decks that follow one another, and share a stream of fresh bytes.
const BLOCK: u64 = 1 << 16;

/// Decks in which every card is looked for; the last bin is for windows where one did not come.
const WINDOW: usize = 1_024;

/// How far a test may be from what is expected, in standard deviations. A fair shuffle fails one test
/// with a chance of 0.126 %, and one of all eight with 1 %.
const LIMIT: f64 = 3.23;

/// Of so many decks at most it is remembered what they were.
const REMEMBERED: u64 = 1 << 24;

/// How many decks of a bad shuffler are looked at.
const BAD: u64 = 1 << 18;

/// One deck in so many goes the whole way that a table's does, with its commitment.
const WHOLE_WAY: u64 = 4_096;

/// What was seen of some decks.
struct Seen {
    decks: u64,
    positions: Vec<u64>,
    neighbours: Vec<u64>,
    hand_apart: Vec<u64>,
    next_round: Vec<u64>,
    coupons: Vec<u64>,
    ascents: Vec<u64>,
    hands: [u64; 8],
    /// Hashes of decks, of one in so many: equal decks are equal here.
    hashes: Vec<u64>,
}

impl Seen {
    fn new() -> Seen {
        Seen {
            decks: 0,
            positions: vec![0; CARDS * CARDS],
            neighbours: vec![0; CARDS * (CARDS - 1)],
            hand_apart: vec![0; CARDS * (CARDS - 1)],
            next_round: vec![0; CARDS * CARDS],
            coupons: vec![0; WINDOW + 1],
            ascents: vec![0; CARDS],
            hands: [0; 8],
            hashes: vec![],
        }
    }

    fn plus(mut self, other: Seen) -> Seen {
        let add = |sums: &mut [u64], more: &[u64]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        self.decks += other.decks;
        add(&mut self.positions, &other.positions);
        add(&mut self.neighbours, &other.neighbours);
        add(&mut self.hand_apart, &other.hand_apart);
        add(&mut self.next_round, &other.next_round);
        add(&mut self.coupons, &other.coupons);
        add(&mut self.ascents, &other.ascents);
        add(&mut self.hands, &other.hands);
        self.hashes.extend(other.hashes);
        self
    }

    /// Looks at decks that follow one another; hashes of one in `one_in` decks are kept.
    fn of(decks: impl Iterator<Item = Deck>, one_in: u64) -> Seen {
        let mut seen = Seen::new();
        let mut before = None;
        // In which draw of the window the last card came.
        let (mut collected, mut begun, mut complete) = (0_u64, 0, None);
        for (number, deck) in decks.enumerate() {
            let place = number % CARDS;
            seen.decks += 1;
            for (row, card) in seen.positions.chunks_exact_mut(CARDS).zip(&deck) {
                row[card.index()] += 1;
            }
            let at = |place: usize| deck[place % CARDS].index();
            seen.neighbours[pair(at(place), at(place + 1))] += 1;
            seen.hand_apart[pair(at(place), at(place + 7))] += 1;
            match before.take() {
                None => before = Some(at(0)),
                Some(before) => seen.next_round[before * CARDS + at(0)] += 1,
            }
            collected |= 1 << at(0);
            begun += 1;
            if collected.count_ones() as usize == CARDS {
                complete = complete.or(Some(begun - 1));
            }
            // A window that does not end counts for nothing: short ones would be too many.
            if begun == WINDOW {
                seen.coupons[complete.unwrap_or(WINDOW)] += 1;
                (collected, begun, complete) = (0, 0, None);
            }
            let ascents = deck.windows(2).filter(|two| two[0].index() < two[1].index()).count();
            seen.ascents[ascents] += 1;
            let cards = deck[..7].iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
            let hand = BonusHand::of(Dealt::new(cards).expect("a deck holds no card twice"));
            seen.hands[hand.map_or(0, |hand| (hand as usize).min(7))] += 1;
            let hash = hash(&deck);
            if hash.is_multiple_of(one_in) {
                seen.hashes.push(hash);
            }
        }
        seen
    }

    /// How far each test is from what is expected.
    fn deviations(&mut self) -> BTreeMap<&'static str, f64> {
        let decks = self.decks as f64;
        // Rows and columns are both fixed: 52² are free, and each square is smaller by 1/53.
        let tables = squares(&self.positions, |_| decks / 53.0) * 52.0 / 53.0;
        // The counts of all 154,143,080 hands; royal flushes and above are together.
        let exact: [f64; 8] =
            [124_556_196, 11_034_204, 7_672_500, 6_172_088, 4_188_528, 307_472, 184_644, 27_448]
                .map(|hands| f64::from(hands) / 154_143_080.0);
        self.hashes.sort_unstable();
        let twice = self.hashes.windows(2).filter(|two| two[0] == two[1]).count();
        BTreeMap::from([
            ("chi-square: cards by position", deviation(tables, 52.0 * 52.0)),
            ("overlaps: neighbours", even(&self.neighbours)),
            ("coupon collector: first cards", against(&self.coupons, &coupons())),
            ("runs: cards that rise", against(&self.ascents, &ascents())),
            ("interplay: cards a hand apart", even(&self.hand_apart)),
            ("serial correlation: the next round", even(&self.next_round)),
            ("categories: hands of seven cards", against(&self.hands, &exact)),
            // Two fair decks are never the same; one pair is as far off as can be.
            ("duplicates: decks that came twice", twice as f64 * 1_000.0),
        ])
    }
}

/// A place for two different cards.
fn pair(first: usize, second: usize) -> usize {
    first * (CARDS - 1) + second - usize::from(second > first)
}

/// FNV, card by card, and turned after each.
fn hash(deck: &Deck) -> u64 {
    deck.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, card| {
        (hash ^ card.index() as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    })
}

/// How likely it is that all cards have been seen with exactly so many draws; last, with more.
fn coupons() -> Vec<f64> {
    let mut known = vec![0.0; CARDS + 1];
    known[0] = 1.0;
    let mut all = Vec::with_capacity(WINDOW + 1);
    for _ in 0..WINDOW {
        let before = known[CARDS];
        for seen in (1..=CARDS).rev() {
            let stays = known[seen] * seen as f64 / CARDS as f64;
            known[seen] = stays + known[seen - 1] * (CARDS - seen + 1) as f64 / CARDS as f64;
        }
        known[0] = 0.0;
        all.push(known[CARDS] - before);
    }
    all.push(1.0 - known[CARDS]);
    all
}

/// How likely it is that so many cards of a deck are followed by a higher one: Euler's numbers.
fn ascents() -> Vec<f64> {
    let mut known = vec![0.0; CARDS];
    known[0] = 1.0;
    for cards in 2..=CARDS {
        for rises in (0..cards).rev() {
            let from = if rises == 0 { 0.0 } else { known[rises - 1] * (cards - rises) as f64 };
            known[rises] = (known[rises] * (rises + 1) as f64 + from) / cards as f64;
        }
    }
    known
}

/// Fresh bytes, as many as are wanted.
fn fresh(seed: u64, stream: u64) -> ChaCha20Rng {
    let mut fresh = ChaCha20Rng::seed_from_u64(seed);
    fresh.set_stream(stream);
    fresh
}

fn deal(round: u64) -> Deal {
    Deal { table: "statistics".into(), round, highest: NonZeroU8::MIN }
}

/// The decks of a block, as a house would deal them: a fresh seed for each, cut by what a guest says.
fn block(seed: u64, number: u64, decks: u64) -> impl Iterator<Item = Deck> {
    let mut fresh = fresh(seed, number);
    let mut deal = deal(number * BLOCK);
    (0..decks).map(move |_| {
        deal.round += 1;
        let bytes = fresh.random();
        let words = format!("{:x}", fresh.next_u64());
        let mut deck = Seed::new(bytes).shuffle(&deal).0;
        deck.rotate_left(cut(&deal, GUEST, &words));
        if deal.round.is_multiple_of(WHOLE_WAY) {
            assert_eq!(deck, whole_way(bytes, &deal, words), "round {}", deal.round);
        }
        deck
    })
}

/// Who says something.
const GUEST: u32 = 7;

/// The deck as a table has it: with a tree over all cards, which takes fifty times as long as the cards.
fn whole_way(seed: [u8; 32], deal: &Deal, words: String) -> Deck {
    let mut said = Words::default();
    said.say(GUEST, words).expect("a few bytes");
    Shuffle::new(Seed::new(seed), deal.clone()).cut(said).cards()
}

/// Where a deck is cut by what one person says, from `docs/fairness.md`.
fn cut(deal: &Deal, person: u32, words: &str) -> usize {
    let hash = |block: u32| {
        let (round, block, person) =
            (deal.round.to_be_bytes(), block.to_be_bytes(), person.to_be_bytes());
        let parts: [&[u8]; 6] = [
            b"houseway-fair/1/cut",
            deal.table.as_bytes(),
            &round,
            &block,
            &person,
            words.as_bytes(),
        ];
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        <[u8; 32]>::from(hash.finalize())
    };
    // 212 is the last multiple of 53 in a byte.
    let drawn = (0..100).flat_map(hash).find(|byte| *byte < 212).expect("four in five bytes are");
    usize::from(drawn) % CARDS
}

/// The real shuffle over so many decks, the system's seeds, then bad ones of both.
pub fn run(decks: u64, seed: u64) -> Result<Outcome> {
    let start = Instant::now();
    let one_in = decks.div_ceil(REMEMBERED).next_power_of_two();
    let blocks = decks.div_ceil(BLOCK);
    let mut seen = (0..blocks)
        .into_par_iter()
        .map(|number| {
            let some = BLOCK.min(decks - number * BLOCK);
            Seen::of(block(seed, number, some), one_in)
        })
        .reduce(Seen::new, Seen::plus);
    let time = start.elapsed().as_secs_f64();
    let deviations = seen.deviations();
    let failed: Vec<&&str> =
        deviations.iter().filter(|(_, it)| it.abs() > LIMIT).map(|(name, _)| name).collect();
    let of_seeds = seeds::of_the_system()?;
    let failed_seeds: Vec<&&str> =
        of_seeds.iter().filter(|(_, it)| it.abs() > seeds::LIMIT).map(|(name, _)| name).collect();
    let mut caught: BTreeMap<&str, Vec<&str>> =
        BAD_SHUFFLERS.par_iter().map(|(name, decks)| (*name, caught_by(decks(seed)))).collect();
    caught.extend(seeds::bad_ones(seed)?);
    let caught_of = caught.values().filter(|by| !by.is_empty()).count();
    let bad = BAD_SHUFFLERS.len() + seeds::BAD_SEEDS.len();
    let holds = failed.is_empty() && failed_seeds.is_empty() && caught_of == bad;
    let reached = format!(
        "{decks} decks, {} of {} tests passed, {} seeds of the system's, {} of {} tests passed, \
         {caught_of} of {bad} bad shufflers and sources of seeds caught, {:.0} decks a second",
        deviations.len() - failed.len(),
        deviations.len(),
        seeds::ROUNDS,
        of_seeds.len() - failed_seeds.len(),
        of_seeds.len(),
        decks as f64 / time
    );
    let figures = json!({
        "decks": decks, "seconds": time, "deviations": deviations, "limit": LIMIT,
        "failed": failed, "seeds": seeds::ROUNDS, "seed_deviations": of_seeds,
        "seed_limit": seeds::LIMIT, "failed_seeds": failed_seeds, "caught": caught,
        "caught_count": caught_of, "seed": seed,
    });
    let asked = "10^9 decks, all tests together at 99 %, 6 of 6 bad shufflers caught";
    Ok(Outcome::new(16, "shuffle statistics", asked, reached, holds, figures))
}

/// The tests that a shuffler does not pass.
fn caught_by(decks: Vec<Deck>) -> Vec<&'static str> {
    let deviations = Seen::of(decks.into_iter(), 1).deviations();
    deviations.into_iter().filter(|(_, it)| it.abs() > LIMIT).map(|(name, _)| name).collect()
}

/// Makes decks from a seed.
type Shuffler = fn(u64) -> Vec<Deck>;

/// Shufflers that people have written.
const BAD_SHUFFLERS: [(&str, Shuffler); 3] = [
    ("modulo bias", |seed| {
        let mut fresh = fresh(seed, 1);
        shuffled(|last| usize::from(fresh.random::<u8>()) % (last + 1))
    }),
    ("swaps over the full range", |seed| {
        let mut fresh = fresh(seed, 2);
        shuffled(|_| fresh.random_range(0..CARDS))
    }),
    ("off by one", |seed| {
        let mut fresh = fresh(seed, 3);
        shuffled(|last| fresh.random_range(0..last))
    }),
];

/// Decks whose cards change places in another way than they should.
fn shuffled(mut other: impl FnMut(usize) -> usize) -> Vec<Deck> {
    let one = |_| {
        let mut deck = whole_deck();
        for last in (1..CARDS).rev() {
            deck.swap(last, other(last));
        }
        deck
    };
    (0..BAD).map(one).collect()
}

fn whole_deck() -> Deck {
    std::array::from_fn(|index| Card::from_index(index).expect("the deck has so many cards"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Held against counting: all decks of a few cards, and what is known of coupons.
    #[test]
    fn what_chance_gives_adds_up() {
        for all in [coupons(), ascents()] {
            assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        let draws: f64 = (1..).zip(coupons()).map(|(draws, it)| f64::from(draws) * it).sum();
        let expected: f64 = (1..=53).map(|card| 53.0 / f64::from(card)).sum();
        assert!((draws - expected).abs() < 0.01, "{draws} and not {expected}");
        let rises: f64 = (0..).zip(ascents()).map(|(rises, it)| f64::from(rises) * it).sum();
        assert!((rises - 26.0).abs() < 1e-9, "half of the neighbours rise");
    }

    /// Even a seed that is used again and again gives fresh decks, because the round is part of the
    /// key.
    #[test]
    fn a_seed_used_twice_does_not_repeat_a_deck() {
        let seed = Seed::new([5; 32]);
        let decks = (0..BAD / 8).map(|round| seed.shuffle(&deal(round)).0);
        assert_eq!(caught_by(decks.collect()), Vec::<&str>::new());
    }

    #[test]
    fn the_shuffle_passes_and_bad_ones_are_caught() {
        let outcome = run(BAD, 1).expect("it runs");
        assert!(outcome.holds, "{}", outcome.to_json());
        let caught = |bad: &str, by: &str| {
            let tests = outcome.figures["caught"][bad].as_array();
            tests.is_some_and(|tests| tests.iter().any(|test| test == by))
        };
        for bad in ["modulo bias", "swaps over the full range", "off by one"] {
            assert!(caught(bad, "chi-square: cards by position"), "{bad}");
        }
        for bad in ["seeds of 32 bits", "seeds that are used again"] {
            assert!(caught(bad, "repeats: eight bytes that came twice"), "{bad}");
        }
        assert!(caught("seeds from a clock", "frequency: bits"));
    }

    #[test]
    fn a_deck_that_comes_twice_is_seen() {
        let twice = |decks: &[Deck]| {
            let deviations = Seen::of(decks.iter().copied(), 1).deviations();
            deviations["duplicates: decks that came twice"] > LIMIT
        };
        let mut decks: Vec<Deck> = block(1, 0, 1 << 17).collect();
        assert!(!twice(&decks));
        decks[4_000] = decks[17];
        assert!(twice(&decks));
    }

    #[test]
    fn decks_are_cut_as_a_table_cuts_them() {
        let words = |round: u64| "八".repeat(round as usize % 85 + 1);
        let mut cuts = std::collections::BTreeSet::new();
        for round in 0..500 {
            let deal = deal(round);
            let mut deck = Seed::new([3; 32]).shuffle(&deal).0;
            let cut = cut(&deal, GUEST, &words(round));
            cuts.insert(cut);
            deck.rotate_left(cut);
            assert_eq!(deck, whole_way([3; 32], &deal, words(round)), "round {round}");
        }
        assert_eq!(cuts.len(), CARDS, "every cut comes");
    }
}
