//! All chance of a night.

use houseway_server::vault::{Chance, NoChance};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};
use uuid::Uuid;

/// Chance from a seed.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// One of so many, from 0.
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0.random_range(0..most.max(1))
    }

    /// A number between two, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        self.0.random_range(least..=most.max(least))
    }

    /// Whether something happens that does so many times in a thousand.
    pub(crate) fn thousand(&mut self, times: u64) -> bool {
        self.below(1_000) < times
    }

    /// One of some.
    pub(crate) fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let place = self.below(all.len() as u64);
        all.get(place as usize).cloned()
    }

    /// The name of a command.
    pub(crate) fn id(&mut self) -> Uuid {
        Uuid::from_u128(self.0.random())
    }

    /// Chance for something of its own.
    pub(crate) fn split(&mut self) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(self.0.next_u64()))
    }
}

impl Chance for Dice {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NoChance> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}
