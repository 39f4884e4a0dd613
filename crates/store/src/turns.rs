//! Whose turn it is, where only one may act for someone at a time.

use std::sync::Arc;

use houseway_table::Person;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Someone's turn, for as long as it is held.
pub type Turn = Box<dyn Send>;

/// How many have their turn at once at most; some wait for one another without need.
const AT_ONCE: usize = 64;

/// The turns of one process.
#[derive(Debug)]
pub(crate) struct Turns(Vec<Arc<Mutex<()>>>);

impl Default for Turns {
    fn default() -> Turns {
        Turns(std::iter::repeat_with(Arc::default).take(AT_ONCE).collect())
    }
}

impl Turns {
    pub(crate) async fn of(&self, person: Person) -> OwnedMutexGuard<()> {
        self.0[person.0 as usize % AT_ONCE].clone().lock_owned().await
    }
}
