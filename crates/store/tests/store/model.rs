//! Random histories, told to all three stores at once: the store in memory, which is plain enough
//! to be read, judges the other two.

use houseway_store::{Append, Move, Version};
use houseway_table::Person;
use rand::rngs::ChaCha12Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use crate::common::{
    Fresh, account, append, assert_whole, command, memory, moved, paid, postgres, sqlite, stream,
    with_command,
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
    match chance.random_ratio(2, 3) {
        true => {
            let (id, content) = (chance.random_range(0..40), chance.random_range(0..2));
            with_command(asked, command(id, content, &format!("answer {}", chance.random::<u8>())))
        }
        false => asked,
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
        for name in ACCOUNTS {
            let all = told.moves(&account(name), None, 1_000).await.expect("moves");
            assert_eq!(other.moves(&account(name), None, 1_000).await.as_ref(), Ok(&all));
            if let Some(before) = all.choose(&mut chance) {
                let before = Some(&before.place);
                let page = told.moves(&account(name), before, 7).await;
                assert_eq!(other.moves(&account(name), before, 7).await, page);
            }
        }
        for id in 0..40 {
            let id = Uuid::from_u128(id);
            assert_eq!(other.recall(Person(1), id).await, told.recall(Person(1), id).await);
        }
        assert_whole(&**other).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_stores_live_the_same_history() {
    let seeds = std::env::var("HOUSEWAY_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(3);
    for seed in 0..seeds {
        compare(seed).await;
    }
}
