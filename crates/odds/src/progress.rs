//! How far long work has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// Whole work, as it is kept.
const WHOLE: u64 = 1_000_000_000_000;

/// How far long work has come. The work writes, whoever waits for it reads.
///
/// ```
/// use houseway_odds::Progress;
///
/// let progress = Progress::new();
/// assert_eq!(progress.share(), 0.0);
/// ```
#[derive(Debug, Default)]
pub struct Progress(AtomicU64);

impl Progress {
    /// Nothing done.
    pub const fn new() -> Progress {
        Progress(AtomicU64::new(0))
    }

    /// What is done, between 0 and 1.
    #[expect(clippy::cast_precision_loss, reason = "to be shown")]
    pub fn share(&self) -> f64 {
        (self.0.load(Ordering::Relaxed) as f64 / WHOLE as f64).min(1.0)
    }

    /// So much of so much is done.
    pub fn add(&self, done: u64, of: u64) {
        self.part(100, usize::try_from(of).unwrap_or(usize::MAX))
            .done(usize::try_from(done).unwrap_or(0));
    }

    /// A part of the work that takes so many hundredths of it, in so many steps.
    pub(crate) fn part(&self, hundredths: u64, steps: usize) -> Part<'_> {
        Part { whole: &self.0, each: WHOLE / 100 * hundredths / (steps as u64).max(1) }
    }
}

/// A part of long work.
pub(crate) struct Part<'a> {
    whole: &'a AtomicU64,
    each: u64,
}

impl Part<'_> {
    pub(crate) fn done(&self, steps: usize) {
        self.whole.fetch_add(self.each * steps as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_up_the_whole() {
        let progress = Progress::new();
        let (first, second) = (progress.part(40, 2), progress.part(60, 3));
        first.done(1);
        assert!((progress.share() - 0.2).abs() < 1e-9);
        first.done(1);
        second.done(3);
        assert!((progress.share() - 1.0).abs() < 1e-9);
        assert_eq!(progress.part(1, 0).each, WHOLE / 100, "no steps are no division by zero");
    }
}
