//! Every hand there is, under every House Way.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use houseway_rules::{
    BonusHand, Card, CardSet, Clause, Dealt, HouseWay, Rank, Rulebook, Suit, classes, houses,
    set_house_way, survey, sweep, try_clause,
};

#[path = "common/second_reading.rs"]
#[allow(unreachable_pub, reason = "it is written to stand alone")]
mod second_reading;

/// Visits every suit class, on all cores; each thread has a tally of its own, and they are added.
fn over_all_classes<T: Send + Default>(
    visit: impl Fn(&mut T, Dealt, u32) + Sync,
    mut add: impl FnMut(T),
) {
    let parts: Vec<classes::Part> = classes::parts().collect();
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores)
            .map(|_| {
                scope.spawn(|| {
                    let mut tally = T::default();
                    while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                        part.each(|dealt, weight| visit(&mut tally, dealt, weight));
                    }
                    tally
                })
            })
            .collect();
        for worker in workers {
            add(worker.join().expect("no worker fails"));
        }
    });
}

fn numbers(dealt: Dealt) -> [u8; 7] {
    dealt.sorted().map(|card| card.index() as u8)
}

fn set_of(cards: &[u8]) -> CardSet {
    cards.iter().fold(CardSet::EMPTY, |set, &card| {
        set.with(Card::from_index(card as usize).expect("one of 53"))
    })
}

const SECOND: [second_reading::House; 5] = [
    second_reading::House::Mbs2016,
    second_reading::House::Mbs2020,
    second_reading::House::Cardroom,
    second_reading::House::CommissionFree,
    second_reading::House::CatfishBend,
];

/// Each House Way sets every hand, by one clause, without a foul, just as a second reading of the
/// documents does that was written apart from this engine.
#[test]
fn every_house_way_sets_every_hand_as_the_second_reading_does() {
    let house_ways = houses::HOUSES.map(HouseWay::new);
    let mut hands = 0;
    over_all_classes(
        |hands: &mut u64, dealt, weight| {
            *hands += u64::from(weight);
            for ((rulebook, quick), house) in houses::HOUSES.iter().zip(&house_ways).zip(SECOND) {
                let decision = quick.set(dealt);
                let (id, setting) = (&rulebook.id, decision.setting);
                assert!(dealt.set(setting.low(), rulebook.ranking()).is_ok(), "{id}: {setting}");
                let judge = second_reading::set(house, numbers(dealt));
                assert_eq!(setting.low(), set_of(&judge.low), "{id}: {dealt}");
                assert_eq!(setting.high(), set_of(&judge.high), "{id}: {dealt}");
                assert_eq!(decision.clause.id, judge.clause, "{id}: {dealt}");
            }
        },
        |part| hands += part,
    );
    assert_eq!(hands, sweep::HANDS);
}

/// The quick version agrees with the plain one, and foul and bonus with the second reading.
#[test]
fn the_quick_house_way_is_the_plain_one() {
    let house_ways = houses::HOUSES.map(HouseWay::new);
    let mut classes = 0;
    over_all_classes(
        |classes: &mut u64, dealt, _| {
            *classes += 1;
            let cards = numbers(dealt);
            let bonus = BonusHand::of(dealt).map_or("none", BonusHand::id);
            assert_eq!(bonus, second_reading::bonus(cards), "{dealt}");
            // The plain version takes its time: one house for each class, in turn.
            let house = *classes as usize % houses::HOUSES.len();
            let (rulebook, ranking) = (houses::HOUSES[house], houses::HOUSES[house].ranking());
            let plain = set_house_way(rulebook, dealt);
            let quick = house_ways[house].set(dealt);
            assert_eq!(quick.setting, plain.setting, "{}: {dealt}", rulebook.id);
            assert!(std::ptr::eq(quick.clause, plain.clause), "{}: {dealt}", rulebook.id);
            // One of the 21 ways to set it, as well.
            let split = dealt.splits(ranking).nth(*classes as usize % 21).expect("one of 21");
            let low = split.low.sorted::<2>().map(|card| card.index() as u8);
            let high =
                dealt.cards().without(split.low).sorted::<5>().map(|card| card.index() as u8);
            let foul = second_reading::foul(SECOND[house], low, high);
            assert_eq!(ranking.fouls(split.hands), foul, "{}: {dealt}", rulebook.id);
        },
        |part| classes += part,
    );
    assert_eq!(classes, classes::CLASSES);
}

/// The two MBS editions print the same House Way, and set all hands alike.
#[test]
fn the_two_mbs_editions_set_all_hands_alike() {
    assert!(survey::partings(&houses::MBS_2016, &houses::MBS_2020).is_empty());
    let (old, new) = (&houses::MBS_2016.house_way, &houses::MBS_2020.house_way);
    assert_eq!(old, new);
}

/// The counts of each sheet's clauses sum to all hands; a clause that decides none is one of those
/// known to: F28 is always taken by F20, and B38 always agrees with B32.
#[test]
fn every_hand_has_exactly_one_deciding_clause() {
    for rulebook in houses::HOUSES {
        let tallies = survey::clauses(&rulebook.house_way, rulebook.ranking()).expect("no gap");
        assert_eq!(tallies.iter().map(|tally| tally.hands).sum::<u64>(), sweep::HANDS);
        for (clause, tally) in rulebook.house_way.iter().zip(&tallies) {
            let idle = matches!(&*clause.id, "F28" | "B38");
            assert_eq!(tally.hands == 0, idle, "{} {} {}", rulebook.id, clause.id, clause.row);
            if let Some(example) = tally.example {
                assert!(std::ptr::eq(set_house_way(rulebook, example).clause, clause));
            }
        }
    }
}

/// The rows that decide no hand of their own would set theirs as the rows before them do.
#[test]
fn idle_clauses_agree_with_those_that_decide() {
    let rows = |rulebook: &'static Rulebook, id: &str| -> Vec<&'static Clause> {
        rulebook.house_way.iter().filter(|clause| clause.id == id).collect()
    };
    let catfish = HouseWay::new(&houses::CATFISH_BEND);
    let b38 = rows(&houses::CATFISH_BEND, "B38");
    let f28 = rows(&houses::COMMISSION_FREE, "F28");
    assert_eq!((b38.len(), f28.len()), (2, 1));
    let mut applied = [0; 3];
    over_all_classes(
        |applied: &mut [u64; 3], dealt, weight| {
            for (place, clause) in b38.iter().enumerate() {
                let ranking = houses::CATFISH_BEND.ranking();
                if let Some(setting) = try_clause(clause, ranking, dealt) {
                    applied[place] += u64::from(weight);
                    let decision = catfish.set(dealt);
                    assert_eq!(decision.clause.id, "B32", "{dealt}");
                    assert_eq!(decision.setting, setting, "{dealt}");
                }
            }
            if try_clause(f28[0], houses::COMMISSION_FREE.ranking(), dealt).is_some() {
                applied[2] += u64::from(weight);
                assert_eq!(set_house_way(&houses::COMMISSION_FREE, dealt).clause.id, "F20");
            }
        },
        |part| applied.iter_mut().zip(part).for_each(|(sum, part)| *sum += part),
    );
    assert!(applied.iter().all(|&hands| hands > 0), "each was put to the test: {applied:?}");
}

/// What classes rest on: a permutation of the suits changes neither the setting's ranks nor its
/// clause nor the bonus. A sample of all hands under all 24 permutations.
#[test]
fn suits_can_be_exchanged() {
    let house_ways = houses::HOUSES.map(HouseWay::new);
    let mut state = 7u64;
    for _ in 0..20_000 {
        let mut cards = CardSet::EMPTY;
        // Two suits in every other hand, so that flushes are as frequent as they are rare.
        let suits = if state.is_multiple_of(2) { 2 } else { 4 };
        while cards.len() < 7 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let card = Card::from_index((state >> 33) as usize % 53).expect("one of 53");
            if card.suit().is_none_or(|suit| (suit as u8) < suits) {
                cards = cards.with(card);
            }
        }
        let dealt = Dealt::new(cards).expect("seven");
        let worth = |dealt: Dealt| {
            let set = |house: usize| {
                let decision = house_ways[house].set(dealt);
                let hands = decision.setting.strengths(houses::HOUSES[house].ranking());
                (hands, std::ptr::from_ref(decision.clause))
            };
            ([0, 1, 2, 3, 4].map(set), BonusHand::of(dealt))
        };
        for order in permutations() {
            let exchanged = dealt.cards().iter().fold(CardSet::EMPTY, |set, card| {
                set.with(
                    card.suit().map_or(card, |suit| Card::new(card.rank(), order[suit as usize])),
                )
            });
            let exchanged = Dealt::new(exchanged).expect("seven");
            assert_eq!(worth(dealt), worth(exchanged), "{dealt} as {exchanged}");
        }
    }
}

fn permutations() -> impl Iterator<Item = [Suit; 4]> {
    (0..256usize).filter_map(|number| {
        let order = [0, 2, 4, 6].map(|shift| Suit::ALL[number >> shift & 3]);
        let all = Suit::ALL.iter().all(|suit| order.contains(suit));
        all.then_some(order)
    })
}

/// A class stands for as many hands as its suits can be exchanged into.
#[test]
fn a_class_weighs_as_many_hands_as_it_stands_for() {
    for part in classes::parts().step_by(97) {
        part.each(|dealt, weight| {
            let hands: std::collections::HashSet<CardSet> = permutations()
                .map(|order| {
                    dealt.cards().iter().fold(CardSet::EMPTY, |set, card| {
                        set.with(
                            card.suit()
                                .map_or(card, |suit| Card::new(card.rank(), order[suit as usize])),
                        )
                    })
                })
                .collect();
            assert_eq!(hands.len(), weight as usize, "{dealt}");
        });
    }
    assert_eq!(permutations().count(), 24);
    assert_eq!(Rank::ALL.len() * 4 + 1, Card::COUNT);
}
