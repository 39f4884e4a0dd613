//! House Ways set on random hands, and the bonus category of every hand.
//!
//! `cargo bench -p houseway-bench --bench house_way`. One core for the House Ways, all of them for
//! the bonus; the best of several passes counts.
#![allow(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark prints its figures"
)]

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use houseway_rules::{BonusHand, Card, CardSet, Dealt, HouseWay, houses, set_house_way, sweep};

const PASSES: usize = 7;
const HANDS: usize = 2_000_000;

fn main() {
    let hands = random_hands();
    println!("Random hands set the House Way on one core, clause and cards included");
    for rulebook in houses::HOUSES {
        let built = best(|| {
            black_box(HouseWay::new(black_box(rulebook)));
        });
        let house_way = HouseWay::new(rulebook);
        let quick = best(|| {
            for &dealt in &hands {
                black_box(house_way.set(dealt));
            }
        });
        let read = best(|| {
            for &dealt in &hands[..HANDS / 20] {
                black_box(set_house_way(rulebook, dealt));
            }
        });
        println!(
            "  {:<16} {:>6.1} million a second, {:.0} ns a hand; sheet read anew {:.0} ns; built in {:.1} ms",
            rulebook.id,
            HANDS as f64 / quick / 1e6,
            quick * 1e9 / HANDS as f64,
            read * 1e9 / (HANDS / 20) as f64,
            built * 1e3,
        );
    }
    println!("The bonus category of all {} hands, all cores", sweep::HANDS);
    let seconds = best(all_bonus_hands);
    println!("  {seconds:.3} s");
}

fn best(mut run: impl FnMut()) -> f64 {
    (0..PASSES)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::MAX, f64::min)
}

fn random_hands() -> Vec<Dealt> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut hand = || {
        let mut cards = CardSet::EMPTY;
        while cards.len() < 7 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            cards = cards.with(Card::from_index((state >> 11) as usize % 53).expect("of 53"));
        }
        Dealt::new(cards).expect("seven")
    };
    (0..HANDS).map(|_| hand()).collect()
}

fn all_bonus_hands() {
    let starts: Vec<[Card; 2]> = sweep::starts().collect();
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let count = || {
        let mut counts = [0u64; 12];
        while let Some(&start) = starts.get(next.fetch_add(1, Ordering::Relaxed)) {
            BonusHand::sweep(start, |hand| counts[hand.map_or(0, |hand| hand as usize)] += 1);
        }
        counts
    };
    let straights: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(count)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker fails")[1]).sum()
    });
    assert_eq!(straights, 11_034_204);
}
