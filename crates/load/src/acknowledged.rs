//! What players were acknowledged, kept by them and held against the store when the house is closed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use anyhow::Context;
use houseway_server::serve::DATABASE;
use houseway_store::{AccountName, Remembered, Sqlite, Store, StreamId, TableId, Version};
use houseway_table::Person;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use uuid::Uuid;

use crate::figures::Held;
use crate::house::House;
use crate::player::DONE;

/// How many acknowledgements all players keep together: all of a short run, and of a long one as many
/// of each player, any as likely as any other.
const KEPT: usize = 50_000;

/// How many of them each of so many players keeps.
pub(crate) fn kept_by_each(players: usize) -> usize {
    (KEPT / players.max(1)).max(1)
}

/// An acknowledgement as it was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Acknowledged {
    person: u32,
    id: Uuid,
    table: u64,
    version: u64,
    /// A digest of the answer.
    answer: u64,
    /// Whether it said that the command was carried out.
    done: bool,
}

impl Acknowledged {
    pub(crate) fn new(
        person: u32,
        id: Uuid,
        table: u64,
        version: u64,
        answer: &str,
    ) -> Acknowledged {
        Acknowledged { person, id, table, version, answer: digest(answer), done: answer == DONE }
    }

    /// Whether the store says the same.
    fn is_held_by(&self, kept: &Remembered) -> bool {
        kept.stream == StreamId::table(TableId(self.table))
            && kept.version == Version(self.version)
            && digest(&kept.answer) == self.answer
    }
}

fn digest(answer: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    answer.hash(&mut hasher);
    hasher.finish()
}

/// Some of what one player was acknowledged, any as likely as any other.
pub(crate) struct Sample {
    most: usize,
    /// How many there were.
    heard: u64,
    kept: Vec<Acknowledged>,
    /// Apart from what players think by, so that they play alike whatever is kept.
    chance: ChaCha8Rng,
}

impl Sample {
    pub(crate) fn new(person: u32, most: usize) -> Sample {
        let chance = ChaCha8Rng::seed_from_u64(!u64::from(person));
        Sample { most, heard: 0, kept: vec![], chance }
    }

    pub(crate) fn keep(&mut self, it: Acknowledged) {
        self.heard += 1;
        if self.kept.len() < self.most {
            self.kept.push(it);
            return;
        }
        let place = self.chance.random_range(0..self.heard);
        if let Some(place) = usize::try_from(place).ok().and_then(|it| self.kept.get_mut(it)) {
            *place = it;
        }
    }
}

/// What accounts must hold, where that is known.
pub(crate) type Money = BTreeMap<AccountName, u64>;

/// Closes the house in order, lets it verify itself, and looks up what was acknowledged.
///
/// Nothing is known of a house elsewhere.
pub(crate) async fn hold(
    house: &mut House,
    samples: &[Sample],
    money: &Money,
) -> anyhow::Result<Option<Held>> {
    let Some(data) = house.close().await? else { return Ok(None) };
    let said = house.beside(&["verify", "house", "--json"], None).await?;
    let found: Value = serde_json::from_str(&said)?;
    let faults = found["faults"].as_array().context("faults are a list")?.len();
    let store = Sqlite::open(&data.join(DATABASE)).await?;
    let mut held = compare(&store, samples).await?;
    held.wrong += wrong_accounts(&store, money).await?;
    store.close().await;
    (held.faults, held.verified) = (faults as u64, faults == 0);
    Ok(Some(held))
}

async fn compare(store: &dyn Store, samples: &[Sample]) -> anyhow::Result<Held> {
    let mut held = Held::default();
    let mut steps = BTreeSet::new();
    for sample in samples {
        held.acknowledged += sample.heard;
        for it in &sample.kept {
            held.compared += 1;
            match store.recall(Person(it.person), it.id).await? {
                None => held.lost += 1,
                Some(kept) if !it.is_held_by(&kept) => held.wrong += 1,
                // Every command that is carried out takes its table a step further.
                Some(_) if it.done && !steps.insert((it.table, it.version)) => held.wrong += 1,
                Some(_) => {}
            }
        }
    }
    Ok(held)
}

/// How many accounts hold something else than they must.
async fn wrong_accounts(store: &dyn Store, money: &Money) -> anyhow::Result<u64> {
    let mut wrong = 0;
    for (account, amount) in money {
        wrong += u64::from(store.balance(account).await? != i64::try_from(*amount)?);
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use houseway_store::{Append, Memory, NewEntry, Remember};

    use super::*;

    #[test]
    fn a_sample_is_bounded_and_spread_over_all() {
        let mut sample = Sample::new(7, 100);
        for number in 0..10_000 {
            sample.keep(Acknowledged::new(7, Uuid::from_u128(number), 1, 1, DONE));
        }
        assert_eq!((sample.heard, sample.kept.len()), (10_000, 100));
        let late = sample.kept.iter().filter(|it| it.id.as_u128() >= 5_000).count();
        assert!((30..=70).contains(&late), "{late} of the later half");
    }

    /// One command is kept; players heard of it, and of others that were never there.
    async fn against_the_store(heard: &[Acknowledged]) -> (u64, u64, u64) {
        let store = Memory::new();
        let entry = NewEntry { kind: "ready".into(), body: "{}".into(), moves: vec![] };
        let command = Remember {
            by: Person(7),
            id: Uuid::from_u128(1),
            digest: [0; 32],
            answer: DONE.to_string(),
        };
        let append = Append {
            stream: StreamId::table(TableId(3)),
            expected: Version(0),
            at: 0,
            entries: vec![entry],
            command: Some(command),
            rounds: vec![],
            mark: None,
        };
        store.append(append).await.expect("it is stored");
        let mut sample = Sample::new(7, 10);
        for it in heard {
            sample.keep(*it);
        }
        let held = compare(&store, &[sample]).await.expect("it can be read");
        (held.compared, held.lost, held.wrong)
    }

    #[tokio::test]
    async fn what_is_lost_or_wrong_is_seen() {
        let heard = Acknowledged::new(7, Uuid::from_u128(1), 3, 1, DONE);
        assert_eq!(against_the_store(&[heard]).await, (1, 0, 0));
        let lost = Acknowledged { id: Uuid::from_u128(2), ..heard };
        assert_eq!(against_the_store(&[heard, lost]).await, (2, 1, 0));
        assert_eq!(against_the_store(&[Acknowledged { person: 8, ..heard }]).await, (1, 1, 0));
        for wrong in [
            Acknowledged { version: 2, ..heard },
            Acknowledged { table: 4, ..heard },
            Acknowledged { answer: digest(r#"{"answer":"refused"}"#), ..heard },
        ] {
            assert_eq!(against_the_store(&[wrong]).await, (1, 0, 1), "{wrong:?}");
        }
        assert_eq!(against_the_store(&[heard, heard]).await, (2, 0, 1), "twice");
    }
}
