//! The rulebooks that can be asked about: the five houses, and the files that the operator allows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{custom, houses};
use tokio::sync::Semaphore;

/// How many may wait for something to be counted.
const WAITING: usize = 64;

/// All rulebooks of a house, and the cores on which something is counted of them.
pub(crate) struct Rulebooks {
    all: Vec<&'static Rulebook>,
    /// Those of tables whose files are not the operator's any more.
    of_tables: Mutex<Vec<&'static Rulebook>>,
    working: Arc<Semaphore>,
    waiting: Semaphore,
}

/// Too much is to be counted at once, or it broke off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotCounted;

impl Rulebooks {
    /// The five and these files, by id. A file with the id of one of the five does not replace it.
    pub(crate) fn new(files: &BTreeMap<String, String>) -> Rulebooks {
        let own = files.iter().filter(|(id, _)| houses::find(id).is_none());
        let own = own.filter_map(|(id, toml)| custom::read(id, toml).ok());
        // The operator's files are read once and asked about for as long as the process lives.
        let own = own.map(|custom| &*Box::leak(Box::new(custom.rulebook)));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Rulebooks {
            all: houses::HOUSES.into_iter().chain(own).collect(),
            of_tables: Mutex::default(),
            working: Arc::new(Semaphore::new((cores / 2).max(1))),
            waiting: Semaphore::new(WAITING),
        }
    }

    /// Every one, the five first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'static Rulebook> {
        self.all.iter().copied()
    }

    /// The one of an id.
    pub(crate) fn find(&self, id: &str) -> Option<&'static Rulebook> {
        self.all().find(|rulebook| rulebook.id == id)
    }

    /// One that a table is played by. Tables are opened by the operator's files alone, so there are few.
    pub(crate) fn of_table(&self, rulebook: &Rulebook) -> &'static Rulebook {
        let mut known = self.of_tables.lock().expect("nobody panics with it");
        if let Some(same) = known.iter().find(|it| **it == rulebook) {
            return same;
        }
        let kept = &*Box::leak(Box::new(rulebook.clone()));
        known.push(kept);
        kept
    }

    /// Counts something off the threads that serve sockets, and not on all cores at once.
    pub(crate) async fn count<T: Send + 'static>(
        &self,
        count: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotCounted> {
        let waiting = self.waiting.try_acquire().map_err(|_| NotCounted)?;
        let turn = Arc::clone(&self.working).acquire_owned().await.map_err(|_| NotCounted)?;
        drop(waiting);
        // The turn goes along: it is not free before the work is done, whoever has gone meanwhile.
        let counted = tokio::task::spawn_blocking(move || (count(), turn)).await;
        counted.map(|(counted, _)| counted).map_err(|_| NotCounted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_after_the_five_and_replace_none() {
        let foxwoods = include_str!("../../../examples/foxwoods.toml").to_string();
        let files = [("cardroom", &foxwoods), ("foxwoods", &foxwoods)];
        let files = files.map(|(id, toml)| (id.to_string(), toml.clone())).into();
        let rulebooks = Rulebooks::new(&files);
        let ids: Vec<&str> = rulebooks.all().map(|rulebook| &*rulebook.id).collect();
        assert_eq!(ids.last(), Some(&"foxwoods"));
        assert_eq!(ids.len(), houses::HOUSES.len() + 1);
        let cardroom = rulebooks.find("cardroom").expect("one of the five");
        assert_eq!(Some(&cardroom.name), houses::find("cardroom").map(|it| &it.name));
        assert!(rulebooks.find("foxwood").is_none());
    }

    #[tokio::test]
    async fn a_crowd_is_turned_away() {
        let rulebooks = Arc::new(Rulebooks::new(&BTreeMap::new()));
        let mut held = vec![];
        while let Ok(turn) = Arc::clone(&rulebooks.working).try_acquire_owned() {
            held.push(turn);
        }
        let waiting: Vec<_> = (0..WAITING)
            .map(|number| {
                let rulebooks = Arc::clone(&rulebooks);
                tokio::spawn(async move { rulebooks.count(move || number).await })
            })
            .collect();
        while rulebooks.waiting.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(rulebooks.count(|| 0).await, Err(NotCounted));
        drop(held);
        for (number, waiting) in waiting.into_iter().enumerate() {
            assert_eq!(waiting.await.expect("no panic"), Ok(number));
        }
    }
}
