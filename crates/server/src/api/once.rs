//! What takes a while to count is counted once and kept, away from where sockets are served.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use axum::http::StatusCode;

use super::ApiError;

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

/// Does what keeps a core busy where no socket waits for it.
pub(super) async fn busy<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let wrong = |_| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "ask again");
    tokio::task::spawn_blocking(work).await.map_err(wrong)
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
