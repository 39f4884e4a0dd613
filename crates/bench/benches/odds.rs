//! Exact odds, beside brute force over every banker hand.
//!
//! `cargo bench -p houseway-bench --bench odds`. All cores for the games and for brute force, one
//! for advice; one pass each, because each is long. Memory is the process's peak so far.
#![allow(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark prints its figures"
)]

use std::fs;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use houseway_odds::game::{self, Stake};
use houseway_odds::{Advisor, BANKER_HANDS, Progress, Seat, ways};
use houseway_rules::{Card, CardSet, Dealt, HouseWay, houses};

fn main() {
    let rulebook = &houses::MBS_2020;
    let stake = Stake::of(rulebook);
    let timed = |name: &str, run: &mut dyn FnMut()| {
        let (start, cpu) = (Instant::now(), cpu_seconds());
        run();
        let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
        println!("  {name:<44} {wall:>8.3} s wall {cpu:>8.3} s CPU  {:>5} MB", peak_megabytes());
    };
    println!("Exact odds of {}", rulebook.id);
    let hand: Dealt = "Ac Kd Ks Qh Jd Ts 3c".parse().expect("seven cards");
    timed("every banker hand of one hand, by brute force", &mut || brute_force(hand));
    let mut advisor = None;
    timed("an advisor", &mut || advisor = Some(Advisor::new(rulebook)));
    let advisor = advisor.expect("just made");
    timed("advice on one hand, times 100", &mut || {
        for _ in 0..100 {
            black_box(advisor.advise(black_box(hand), stake));
        }
    });
    timed("the game, both by the House Way", &mut || {
        black_box(game::house_way(rulebook, &Progress::new()));
    });
    timed("the game, the player optimally", &mut || {
        black_box(ways::optimal(rulebook, Seat::Player, stake, &Progress::new()));
    });
}

/// What advice replaces: every hand the banker can be dealt, set and compared.
fn brute_force(hand: Dealt) {
    let rulebook = &houses::MBS_2020;
    let (ranking, house_way) = (rulebook.ranking(), HouseWay::new(rulebook));
    let left: Vec<Card> = Card::all().filter(|&card| !hand.cards().contains(card)).collect();
    let own = house_way.set(hand).setting.strengths(ranking);
    let (next, wins, hands) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        loop {
            let first = next.fetch_add(1, Ordering::Relaxed);
            let Some(&card) = left.get(first) else { return };
            let mut counts = (0, 0);
            choose(&left[first + 1..], CardSet::of(card), 6, &mut |cards| {
                let banker =
                    house_way.set(Dealt::new(cards).expect("seven")).setting.strengths(ranking);
                counts.0 += u64::from(own.low > banker.low && own.high > banker.high);
                counts.1 += 1;
            });
            wins.fetch_add(counts.0, Ordering::Relaxed);
            hands.fetch_add(counts.1, Ordering::Relaxed);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    assert_eq!(hands.into_inner(), BANKER_HANDS);
    black_box(wins.into_inner());
}

fn choose(left: &[Card], cards: CardSet, more: usize, visit: &mut impl FnMut(CardSet)) {
    if more == 0 {
        return visit(cards);
    }
    for (place, &card) in left.iter().enumerate() {
        choose(&left[place + 1..], cards.with(card), more - 1, visit);
    }
}

/// The processor time of this process, where the system tells it.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks =
        |place: usize| fields.get(place).and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) / 1024
}
