//! What takes a while to count is counted once and kept.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use houseway_rules::rulebook::Rulebook;

/// Things that are counted when they are first asked for, each by its key. Whoever asks for the
/// same while it is counted waits for it; whoever asks for another does not.
pub(super) struct Once<K, T>(Mutex<BTreeMap<K, Arc<OnceLock<Arc<T>>>>>);

impl<K: Ord, T> Once<K, T> {
    pub(super) const fn new() -> Once<K, T> {
        Once(Mutex::new(BTreeMap::new()))
    }

    pub(super) fn get(&self, key: K, count: impl FnOnce() -> T) -> Arc<T> {
        let kept = {
            let mut all = self.0.lock().expect("nobody panics with it");
            all.entry(key).or_default().clone()
        };
        kept.get_or_init(|| Arc::new(count())).clone()
    }
}

/// A rulebook's key. It is there for as long as the process, so where it lies is its own; two houses
/// may have files of the same name.
pub(super) fn place(rulebook: &'static Rulebook) -> usize {
    std::ptr::from_ref(rulebook).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten ask at once, and it is counted once; another key is counted apart.
    #[test]
    fn what_is_kept_is_counted_once() {
        static KEPT: Once<u8, usize> = Once::new();
        static COUNTED: Mutex<usize> = Mutex::new(0);
        let ask = |key| {
            *KEPT.get(key, || {
                let mut counted = COUNTED.lock().expect("whole");
                *counted += 1;
                *counted
            })
        };
        std::thread::scope(|scope| {
            let asking: Vec<_> = (0..10).map(|_| scope.spawn(|| ask(1))).collect();
            assert!(asking.into_iter().all(|it| it.join().expect("an answer") == 1));
        });
        assert_eq!((ask(2), ask(1)), (2, 1));
    }
}
