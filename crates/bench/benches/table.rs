//! Whole rounds through `decide` and `apply`: shuffle, wagers, deal, House Ways, settlement.
//!
//! `cargo bench -p houseway-bench --bench table`, `ROUNDS` a pass. One core; every position taken, a
//! standard and a Fortune Bonus wager on each; each hand set by its player the House Way. Players
//! read the sheet anew for each hand, or have read it beforehand as a simulation's do; the table
//! itself reads it anew for the banker's. Beside each, in the same run, what the shuffle and the
//! House Ways of such a round cost alone: the floor.
#![allow(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark prints its figures"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use houseway_rules::rulebook::{Rulebook, Wager};
use houseway_rules::{Card, CardSet, Cents, Dealt, HouseWay, houses, set_house_way};
use houseway_table::deal::Deck;
use houseway_table::{
    Action, Actor, Command, Person, Phase, Places, Position, Posted, Setup, Table, decide,
};
use rand::SeedableRng;
use rand::rngs::ChaCha12Rng;
use rand::seq::SliceRandom;

fn main() {
    println!("Whole rounds a second, one core");
    for rulebook in houses::HOUSES {
        let known = HouseWay::new(rulebook);
        let anew = |dealt: Dealt| set_house_way(rulebook, dealt).setting.low();
        let beforehand = |dealt: Dealt| known.set(dealt).setting.low();
        println!("  {}, {} seats", rulebook.id, Places::of(rulebook).seats);
        figures(rulebook, "sheet read anew", anew);
        figures(rulebook, "sheet read beforehand", beforehand);
    }
}

fn figures(rulebook: &Rulebook, how: &str, low: impl Fn(Dealt) -> CardSet) {
    let rounds = timed(|rounds| play(rulebook, rounds, &low));
    let floor = timed(|rounds| floor(Places::of(rulebook).seats, rounds, &low));
    println!("    {how:<22}{rounds:>9.0}   shuffle and House Ways alone {floor:>9.0}");
}

/// The best of a thousand short passes: some of them have the core to themselves.
fn timed(mut run: impl FnMut(u32)) -> f64 {
    let rounds = std::env::var("ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    let mut best = f64::INFINITY;
    for _ in 0..1_000 {
        let start = Instant::now();
        run(rounds);
        best = best.min(start.elapsed().as_secs_f64());
    }
    f64::from(rounds) / best
}

fn ask(table: &mut Table, by: Actor, action: Action) {
    let command = Command { by, at: 0, action };
    let events = decide(table, &command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
    for event in &events {
        table.apply(event);
    }
    black_box(events);
}

fn play(rulebook: &Rulebook, rounds: u32, low: impl Fn(Dealt) -> CardSet) {
    let setup = Setup::new(Arc::new(rulebook.clone()), Posted::usual(rulebook)).expect("usual");
    let mut table = Table::new(setup);
    let seats = Places::of(rulebook).seats;
    let mut chance = ChaCha12Rng::seed_from_u64(1);
    let mut deck: Vec<Card> = Card::all().collect();
    for number in 1..=seats {
        let who = Actor::player(u32::from(number));
        ask(&mut table, who, Action::BringMoney { amount: Cents::dollars(1_000_000_000) });
        ask(&mut table, who, Action::Sit { position: Position(number) });
    }
    for _ in 0..rounds {
        ask(&mut table, Actor::DEALER, Action::OpenRound);
        if let Phase::Offering { to, .. } = table.phase() {
            let who = Actor::player(u32::from(to.0));
            let put_up = Cents::dollars(1_000);
            ask(&mut table, who, Action::TakeBank { put_up, house_wager: Cents::ZERO });
        }
        let Phase::Betting(betting) = table.phase() else { panic!("bets are open") };
        let banker = betting.bank.position();
        for position in (1..=seats).map(Position).filter(|at| Some(*at) != banker) {
            let who = Actor::player(u32::from(position.0));
            for (wager, dollars) in [(Wager::Standard, 20), (Wager::Fortune, 5)] {
                let amount = Cents::dollars(dollars);
                ask(&mut table, who, Action::Place { position, wager, amount, person: None });
            }
        }
        ask(&mut table, Actor::DEALER, Action::CloseBets);
        deck.shuffle(&mut chance);
        let deck = Deck::try_from(deck.clone()).expect("53 cards");
        ask(&mut table, Actor::DEALER, Action::Deal { deck, number: 3 });
        for position in (1..=seats).map(Position).filter(|at| Some(*at) != banker) {
            let who = Actor { person: Person(u32::from(position.0)), ..Actor::player(0) };
            let Phase::Setting(hands) = table.phase() else { panic!("hands are set") };
            let low = low(hands.hands[&position].dealt);
            ask(&mut table, who, Action::Set { position, low });
        }
        ask(&mut table, Actor::DEALER, Action::Reveal { low: None });
        ask(&mut table, Actor::DEALER, Action::Settle);
    }
}

/// What cannot be saved: a shuffle and the House Way of every hand.
fn floor(seats: u8, rounds: u32, low: impl Fn(Dealt) -> CardSet) {
    let mut chance = ChaCha12Rng::seed_from_u64(1);
    let mut deck: Vec<Card> = Card::all().collect();
    for _ in 0..rounds {
        deck.shuffle(&mut chance);
        for hand in deck.chunks_exact(7).take(usize::from(seats)) {
            let cards = hand.iter().fold(CardSet::EMPTY, |set, &it| set.with(it));
            black_box(low(Dealt::new(cards).expect("seven")));
        }
    }
}
