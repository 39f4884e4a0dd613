//! Every hand there is, under every House Way.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use houseway_rules::{
    Card, CardSet, Dealt, HandKey, HouseWay, Ranking, Rulebook, Setting, Wheel, classes, houses,
    set_house_way, sweep, try_clause,
};

#[path = "common/second_reading.rs"]
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
        workers.into_iter().for_each(|worker| add(worker.join().expect("no worker fails")));
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
/// documents does that was written apart from this engine; and the quick version agrees with the
/// plain one.
#[test]
fn every_house_way_sets_every_hand_as_the_second_reading_does() {
    let house_ways = houses::HOUSES.map(HouseWay::new);
    let mut hands = 0;
    over_all_classes(
        |hands: &mut u64, dealt, weight| {
            *hands += u64::from(weight);
            for ((rulebook, quick), house) in houses::HOUSES.iter().zip(&house_ways).zip(SECOND) {
                let decision = quick.set(dealt);
                let setting = decision.setting;
                assert!(
                    dealt.set(setting.low(), rulebook.ranking()).is_ok(),
                    "{} {setting}",
                    rulebook.id
                );
                let judge = second_reading::set(house, numbers(dealt));
                assert_eq!(setting.low(), set_of(&judge.low), "{} {dealt}", rulebook.id);
                assert_eq!(setting.high(), set_of(&judge.high), "{} {dealt}", rulebook.id);
                assert_eq!(decision.clause.id, judge.clause, "{} {dealt}", rulebook.id);
            }
        },
        |part| hands += part,
    );
    assert_eq!(hands, sweep::HANDS);
}
