//! Random histories, told to all three stores at once: the store in memory, which is plain enough
//! to be read, judges the other two.

use houseway_rules::Cents;
use houseway_store::{
    Append, DAY, Move, RoundBet, RoundFilter, RoundRow, RoundStatus, StatusKind, Store, SumBy,
    TableId, Version,
};
use houseway_table::Person;
use rand::rngs::ChaCha12Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use crate::common::{
    Fresh, append, assert_whole, command, memory, moved, paid, postgres, round, share, sqlite,
    stream, with_command,
};

const STREAMS: [&str; 3] = ["table/1", "table/2", "house"];
const ACCOUNTS: [&str; 5] = ["wallet/1", "wallet/2", "table/1/stack/1", "issue/play", "house/x"];

/// Something to append: often stale, often beyond what is there, often a command seen before.
fn any_append(chance: &mut ChaCha12Rng, versions: &[u64; 3]) -> Append {
    let which = chance.random_range(0..STREAMS.len());
    let expected = versions[which].saturating_sub(u64::from(chance.random_ratio(1, 5)));
    let entries = (0..chance.random_range(0..4)).map(|number| {
        let moves = (0..chance.random_range(0..4)).map(|_| {
            let ends: Vec<_> = ACCOUNTS.sample(chance, 2).collect();
            let cents = chance.random_range(1..100);
            let clause = chance.random_ratio(1, 2).then(|| "5.1".to_owned());
            Move { clause, ..moved(ends[0], ends[1], cents) }
        });
        let moves = moves.collect();
        paid(&format!("entry {number}"), moves)
    });
    let mut asked = append(STREAMS[which], expected, entries.collect());
    asked.at = chance.random_range(0..20);
    asked.rounds = any_rounds(chance, which as u64 + 1, expected, asked.entries.len() as u64);
    match chance.random_ratio(2, 3) {
        true => {
            let (id, content) = (chance.random_range(0..40), chance.random_range(0..2));
            with_command(asked, command(id, content, &format!("answer {}", chance.random::<u8>())))
        }
        false => asked,
    }
}

/// Rounds that end with some of the entries; now and then of another table, which is refused.
fn any_rounds(chance: &mut ChaCha12Rng, table: u64, expected: u64, entries: u64) -> Vec<RoundRow> {
    let mut rounds = vec![];
    for last in expected + 1..=expected + entries {
        if chance.random_ratio(1, 2) {
            let mut shares = vec![];
            for person in [0, 1, 2, 200] {
                for bet in RoundBet::ALL {
                    if chance.random_ratio(1, 6) {
                        let wagered = chance.random_range(0..100);
                        let taken = chance.random_range(0..=wagered);
                        let amounts = [wagered, taken, chance.random_range(0..100), taken / 9];
                        shares.push(share(person, bet, amounts));
                    }
                }
            }
            let clause = "5.1".to_owned();
            rounds.push(RoundRow {
                rulebook: ["cardroom", "mbs-2020"][chance.random_range(0..2)].into(),
                ended: chance.random_range(0..4) * DAY / 2,
                status: match chance.random_range(0..3) {
                    0 => RoundStatus::Void { clause },
                    1 => RoundStatus::Corrected { clause },
                    _ => RoundStatus::Settled,
                },
                house_took: Cents::new(chance.random_range(0..100)),
                house_paid: Cents::new(chance.random_range(0..100)),
                shares,
                ..round(table, last / 2, last)
            });
        }
    }
    rounds
}

/// Every question about rounds, put to two stores.
async fn compare_rounds(told: &dyn Store, other: &dyn Store, chance: &mut ChaCha12Rng) {
    let mut filters = vec![];
    for person in [None, Some(Person(1))] {
        for table in [None, Some(TableId(1))] {
            for status in [None, Some(StatusKind::Settled)] {
                for rulebook in [None, Some("cardroom".to_owned())] {
                    let (from, until) = (Some(DAY / 2), Some(DAY));
                    let filter =
                        RoundFilter { person, table, status, rulebook, from: None, until: None };
                    filters.extend([RoundFilter { from, until, ..filter.clone() }, filter]);
                }
            }
        }
    }
    for filter in filters {
        let all = told.rounds(&filter, None, 1_000).await.expect("rounds");
        assert_eq!(other.rounds(&filter, None, 1_000).await.as_ref(), Ok(&all), "{filter:?}");
        if let Some(before) = all.choose(chance).map(RoundRow::place) {
            let page = told.rounds(&filter, Some(before), 7).await;
            assert_eq!(other.rounds(&filter, Some(before), 7).await, page, "{filter:?}");
        }
    }
    for by in [SumBy::Table, SumBy::Rulebook, SumBy::Day] {
        for (from, until) in [(0, u64::MAX), (DAY / 2, 2 * DAY), (1, DAY + 1), (DAY, 2 * DAY)] {
            let sums = told.round_sums(by, from, until).await;
            assert_eq!(other.round_sums(by, from, until).await, sums, "{by:?}");
        }
    }
    for number in 0..20 {
        let table = TableId(1);
        assert_eq!(other.round(table, number).await, told.round(table, number).await);
    }
}

async fn compare(seed: u64) {
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    let stores: [Fresh; 3] = [memory().await, sqlite().await, postgres().await];
    let [model, others @ ..] = &stores;
    let mut versions = [0; 3];
    for step in 0..200 {
        let asked = any_append(&mut chance, &versions);
        let told = model.store.append(asked.clone()).await;
        for other in others {
            let result = other.store.append(asked.clone()).await;
            assert_eq!(result, told, "seed {seed}, step {step}: {asked:?}");
        }
        for (version, name) in versions.iter_mut().zip(STREAMS) {
            *version = model.store.head(&stream(name)).await.expect("a head").version.0;
        }
    }
    for other in others {
        let (told, other) = (&model.store, &other.store);
        assert_eq!(other.heads("").await, told.heads("").await);
        assert_eq!(other.balances("").await, told.balances("").await);
        for name in STREAMS {
            for after in [0, 7] {
                let (name, after) = (stream(name), Version(after));
                assert_eq!(other.read(&name, after, 30).await, told.read(&name, after, 30).await);
            }
        }
        for person in [Person(1), Person(2), Person(9)] {
            let all = told.wallet_moves(person, None, 1_000).await.expect("moves");
            assert_eq!(other.wallet_moves(person, None, 1_000).await.as_ref(), Ok(&all));
            if let Some(before) = all.choose(&mut chance) {
                let before = Some(&before.place);
                let page = told.wallet_moves(person, before, 7).await;
                assert_eq!(other.wallet_moves(person, before, 7).await, page);
            }
        }
        for id in 0..40 {
            let id = Uuid::from_u128(id);
            assert_eq!(other.recall(Person(1), id).await, told.recall(Person(1), id).await);
        }
        compare_rounds(&**told, &**other, &mut chance).await;
        assert_whole(&**other).await;
    }
    // Some rows are written anew, and then all sums.
    for (which, &version) in versions.iter().enumerate() {
        let (table, after) = (which as u64 + 1, chance.random_range(0..=version));
        let until = chance.random_range(after..=version);
        let rows = any_rounds(&mut chance, table, after, until - after);
        for store in &stores {
            let (after, until) = (Version(after), Version(until));
            let replaced = store.store.replace_rounds(TableId(table), after, until, &rows).await;
            assert_eq!(replaced, Ok(()), "seed {seed}");
        }
    }
    for other in others {
        compare_rounds(&*model.store, &*other.store, &mut chance).await;
        other.store.rebuild_round_sums().await.expect("rebuilt");
        compare_rounds(&*model.store, &*other.store, &mut chance).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_stores_live_the_same_history() {
    let seeds = std::env::var("HOUSEWAY_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(3);
    for seed in 0..seeds {
        compare(seed).await;
    }
}
