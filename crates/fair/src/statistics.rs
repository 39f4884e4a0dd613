//! What shuffles come to over many rounds: the real one passes, bad ones are caught. Everything is
//! drawn from fixed bytes, so a run never differs from the one before.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU8;

use houseway_rules::{BonusHand, Card, CardSet, Dealt};

use crate::draw::{draw, keystream};
use crate::seed::{Seed, fisher_yates, whole_deck};
use crate::shuffle::Deal;
use crate::words::Words;

type Deck = [Card; Card::COUNT];

/// Enough that 2³² seeds meet each other about eight times.
const ROUNDS: u64 = 1 << 18;

/// How far a test may be from what is expected, in standard deviations: all tests of the crate
/// together would fail a fair shuffle about once in a hundred sets of fixed bytes.
const LIMIT: f64 = 3.5;

/// How far a sum of squares is from what chance gives, in standard deviations of a normal
/// distribution, by the approximation of Wilson and Hilferty.
fn deviation(squares: f64, freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    ((squares / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

fn squares(counts: &[u32], expected: impl Fn(usize) -> f64) -> f64 {
    let one =
        |(at, &count): (usize, &u32)| (f64::from(count) - expected(at)).powi(2) / expected(at);
    counts.iter().enumerate().map(one).sum()
}

fn even(counts: &[u32]) -> f64 {
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let cells: f64 = counts.iter().map(|_| 1.0).sum();
    deviation(squares(counts, |_| total / cells), cells - 1.0)
}

/// What is wrong with a sequence of decks.
fn complaints(decks: impl Iterator<Item = Deck>) -> BTreeMap<&'static str, f64> {
    let mut positions = vec![0u32; 53 * 53];
    let mut first_two = vec![0u32; 53 * 52];
    let mut next_round = vec![0u32; 53 * 53];
    let mut hands = [0u32; 8];
    let mut seen = HashSet::new();
    let (mut rounds, mut twice, mut before) = (0.0, 0u32, None);
    for deck in decks {
        rounds += 1.0;
        for (place, card) in deck.iter().enumerate() {
            positions[place * 53 + card.index()] += 1;
        }
        let (first, second) = (deck[0].index(), deck[1].index());
        first_two[first * 52 + second - usize::from(second > first)] += 1;
        match before.take() {
            None => before = Some(first),
            Some(before) => next_round[before * 53 + first] += 1,
        }
        let cards = deck[..7].iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
        let hand = BonusHand::of(Dealt::new(cards).expect("a deck holds no card twice"));
        hands[hand.map_or(0, |hand| (hand as usize).min(7))] += 1;
        // Sixteen cards: two fair decks do not agree on so many.
        let begin = deck[..16].iter().fold(0u128, |all, card| all << 8 | card.index() as u128);
        twice += u32::from(!seen.insert(begin));
    }
    // The counts of all 154,143,080 hands; royal flushes and above are together.
    let exact: [u32; 8] =
        [124_556_196, 11_034_204, 7_672_500, 6_172_088, 4_188_528, 307_472, 184_644, 27_448];
    let expected = |hand: usize| f64::from(exact[hand]) * rounds / 154_143_080.0;
    // Rows and columns are both fixed: 52² are free, and each square is smaller by 1/53.
    let tables = squares(&positions, |_| rounds / 53.0) * 52.0 / 53.0;
    let mut found = BTreeMap::from([
        ("cards by position", deviation(tables, 52.0 * 52.0)),
        ("first two cards", even(&first_two)),
        ("first card and that of the next round", even(&next_round)),
        ("hands of seven cards", deviation(squares(&hands, expected), 7.0)),
    ]);
    found.retain(|_, deviation| deviation.abs() > LIMIT);
    if twice > 0 {
        found.insert("decks that came twice", f64::from(twice));
    }
    found
}

fn deal(round: u64) -> Deal {
    Deal { table: "statistics".into(), round, highest: NonZeroU8::new(7).expect("not 0") }
}

fn take<const N: usize>(bytes: &mut impl Iterator<Item = u8>) -> [u8; N] {
    std::array::from_fn(|_| bytes.next().expect("a stream does not end"))
}

/// The deck of a seed without its round, as a bad shuffler would have it.
fn from_seed(seed: &[u8; 32]) -> Deck {
    fisher_yates(&mut keystream(seed))
}

/// A shuffle whose numbers are drawn in another way than they should be.
fn exchanged(mut other: impl FnMut(u8) -> u8) -> Deck {
    let mut deck = whole_deck();
    for last in (1..53).rev() {
        deck.swap(usize::from(last), usize::from(other(last)));
    }
    deck
}

#[test]
fn the_shuffle_passes() {
    let mut fresh = keystream(&[1; 32]);
    let decks = (0..ROUNDS).map(|round| Seed::new(take(&mut fresh)).shuffle(&deal(round)).0);
    assert_eq!(complaints(decks), BTreeMap::new());
}

/// Even a seed that is used again and again gives fresh decks, because the round is part of the key.
#[test]
fn a_seed_used_twice_does_not_repeat_a_deck() {
    let seed = Seed::new([5; 32]);
    let decks = (0..ROUNDS / 8).map(|round| seed.shuffle(&deal(round)).0);
    assert_eq!(complaints(decks), BTreeMap::new());
}

#[test]
fn modulo_bias_is_caught() {
    let mut bytes = keystream(&[2; 32]);
    let mut deck = || exchanged(|last| bytes.next().expect("a stream") % (last + 1));
    let found = complaints((0..ROUNDS).map(|_| deck()));
    assert!(found.contains_key("cards by position"), "{found:?}");
}

#[test]
fn a_swap_over_the_full_range_is_caught() {
    let mut bytes = keystream(&[3; 32]);
    let mut deck = || exchanged(|_| draw(&mut bytes, 53));
    let found = complaints((0..ROUNDS).map(|_| deck()));
    assert!(found.contains_key("cards by position"), "{found:?}");
}

#[test]
fn an_exchange_that_is_off_by_one_is_caught() {
    let mut bytes = keystream(&[4; 32]);
    let mut deck = || exchanged(|last| draw(&mut bytes, last));
    let found = complaints((0..ROUNDS).map(|_| deck()));
    assert!(found.contains_key("cards by position"), "{found:?}");
}

#[test]
fn seeds_of_32_bits_are_caught() {
    let mut bytes = keystream(&[5; 32]);
    let decks = (0..ROUNDS).map(|_| {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&take::<4>(&mut bytes));
        from_seed(&seed)
    });
    assert!(complaints(decks).contains_key("decks that came twice"));
}

/// A round takes 20 to 85 seconds; the seed is the time of the day in thousandths.
#[test]
fn seeds_from_a_clock_are_caught() {
    let mut bytes = keystream(&[6; 32]);
    let mut time = 0u32;
    let decks = (0..ROUNDS).map(|_| {
        time = (time + 20_000 + u32::from(u16::from_be_bytes(take(&mut bytes)))) % 86_400_000;
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&time.to_be_bytes());
        from_seed(&seed)
    });
    assert!(complaints(decks).contains_key("decks that came twice"));
}

/// Once in a thousand rounds the seed of the round before is used again.
#[test]
fn seeds_that_are_used_again_are_caught() {
    let mut bytes = keystream(&[7; 32]);
    let mut seed = take(&mut bytes);
    let decks = (0..ROUNDS).map(|round| {
        if round % 1000 != 0 {
            seed = take(&mut bytes);
        }
        from_seed(&seed)
    });
    assert!(complaints(decks).contains_key("decks that came twice"));
}

/// Over words that differ in a digit, every cut and every number comes as often as any other, each
/// pair of them too; over seeds the committed number.
#[test]
fn cuts_and_numbers_are_even() {
    for highest in [1, 7, 21, 255u8].map(|highest| NonZeroU8::new(highest).expect("not 0")) {
        let deal = Deal { highest, ..deal(1) };
        let numbers = usize::from(highest.get());
        let mut cuts = [0; 53];
        let mut both = vec![0; 53 * numbers];
        let mut committed = vec![0; numbers];
        let mut fresh = keystream(&[8; 32]);
        for round in 0..ROUNDS {
            let mut words = Words::default();
            words.say(1, round.to_string()).expect("a few digits");
            let (cut, shift) = words.cut(&deal);
            let number = usize::from(shift.apply(1, highest) - 1);
            cuts[usize::from(cut.places)] += 1;
            both[usize::from(cut.places) * numbers + number] += 1;
            let seed = Seed::new(take(&mut fresh));
            committed[usize::from(seed.shuffle(&deal).1 - 1)] += 1;
        }
        assert!(even(&cuts).abs() < LIMIT, "{highest}: {}", even(&cuts));
        assert!(even(&both).abs() < LIMIT, "{highest}: {}", even(&both));
        let of_one = |numbers: &[u32]| numbers == [ROUNDS as u32];
        assert!(of_one(&committed) || even(&committed).abs() < LIMIT, "{highest}");
    }
}
