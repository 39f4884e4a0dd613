//! Seven-card evaluation beside `pokers` and `aya_poker`, and the bonus category of every hand.
//!
//! `cargo bench -p houseway-bench --bench evaluate`. Every evaluator walks the same hands in the
//! same loops and adds its ratings up; the best of several passes counts, because other work on
//! the machine only ever adds time.
#![allow(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark prints its figures"
)]

use std::hint::black_box;
use std::time::Instant;

use aya_poker::base::{CARDS as AYA_CARDS, Hand as AyaHand};
use houseway_rules::{Card, HandKey, Ranking, Strength, Wheel, sweep};

const PASSES: usize = 7;

fn main() {
    println!("Seven cards in order, ns a hand (best of {PASSES})");
    let mut best = [f64::MAX; 7];
    for _ in 0..PASSES {
        // In turn, so that a busy spell of the machine falls on all of them.
        let runs: [fn() -> f64; 7] =
            [pokers, aya, || swept(52), || swept(53), || one_by_one(52), || one_by_one(53), floor];
        for (best, run) in best.iter_mut().zip(runs) {
            *best = best.min(run());
        }
    }
    let [pokers, aya, swept, swept_joker, single, single_joker, floor] = best;
    let ratio = |ns: f64, of: f64| format!("{ns:.2}   {:.2} of pokers", ns / of);
    println!("  pokers 0.10                       {pokers:.2}");
    println!("  aya_poker 0.1                     {aya:.2}");
    println!("  houseway, swept, 52 cards         {}", ratio(swept, pokers));
    println!("  houseway, swept, joker too        {}", ratio(swept_joker, pokers));
    println!("  houseway, one by one, 52 cards    {}", ratio(single, pokers));
    println!("  houseway, one by one, joker too   {}", ratio(single_joker, pokers));
    println!("  the loops and sums alone          {floor:.2}");
}

/// Every hand of seven of the cards, built up card by card; the ns a hand.
fn in_order<C: Copy, H: Copy>(
    deck: &[C],
    empty: H,
    add: impl Fn(H, C) -> H,
    rate: impl Fn(H) -> u32,
) -> f64 {
    let start = Instant::now();
    let (mut hands, mut sum) = (0, 0u64);
    for (a, deck) in each(deck) {
        let hand = add(empty, a);
        for (b, deck) in each(deck) {
            let hand = add(hand, b);
            for (c, deck) in each(deck) {
                let hand = add(hand, c);
                for (d, deck) in each(deck) {
                    let hand = add(hand, d);
                    for (e, deck) in each(deck) {
                        let hand = add(hand, e);
                        for (f, deck) in each(deck) {
                            let hand = add(hand, f);
                            for &g in deck {
                                sum += u64::from(rate(add(hand, g)));
                            }
                            hands += deck.len();
                        }
                    }
                }
            }
        }
    }
    black_box(sum);
    start.elapsed().as_secs_f64() * 1e9 / hands as f64
}

/// Each card with those after it.
fn each<C: Copy>(deck: &[C]) -> impl Iterator<Item = (C, &[C])> {
    deck.iter().enumerate().map(|(place, &card)| (card, &deck[place + 1..]))
}

fn pokers() -> f64 {
    in_order(
        &pokers::CARDS,
        pokers::Hand::default(),
        |hand, card| hand + card,
        |hand| u32::from(hand.evaluate()),
    )
}

fn aya() -> f64 {
    let add = |mut hand: AyaHand, card| {
        hand.insert_unchecked(&card);
        hand
    };
    in_order(&AYA_CARDS, AyaHand::new(), add, |hand| u32::from(aya_poker::poker_rank(&hand).0))
}

fn one_by_one(deck: usize) -> f64 {
    let ranking = Ranking::new(Wheel::Lowest);
    let cards: Vec<Card> = Card::all().take(deck).collect();
    in_order(&cards, HandKey::EMPTY, HandKey::with, |hand| ranking.seven(hand).index() as u32)
}

/// The engine's own way through every hand: each is looked up and visited, in order.
fn swept(deck: usize) -> f64 {
    let ranking = Ranking::new(Wheel::Lowest);
    let start = Instant::now();
    let (mut hands, mut sum) = (0u64, 0u64);
    for lowest in sweep::starts() {
        let visit = |strength: Strength| {
            hands += 1;
            sum += strength.index() as u64;
        };
        if deck == 52 {
            ranking.sweep_without_joker(lowest, visit);
        } else {
            ranking.sweep(lowest, visit);
        }
    }
    black_box(sum);
    start.elapsed().as_secs_f64() * 1e9 / hands as f64
}

/// The loops with a sum and no rating: what no evaluator can be faster than.
fn floor() -> f64 {
    let cards: Vec<u64> = (0..52).collect();
    in_order(&cards, 0u64, |hand, card| hand + black_box(card), |hand| hand as u32)
}
