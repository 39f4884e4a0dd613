//! What time it is. The rest of the server is told.

use std::time::{SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// Milliseconds since 1970, never less than before.
pub trait Clock: Send + Sync {
    /// The time.
    fn now(&self) -> u64;
}

/// The machine's clock, read once; from then on time passes as the machine's own counter says. So a
/// clock that is set back or forward while people play changes nothing for them.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
    epoch: u64,
}

impl SystemClock {
    /// Reads the machine's clock.
    pub fn new() -> SystemClock {
        SystemClock::not_before(0)
    }

    /// Reads the machine's clock, but for no time before this one: what is written next must not
    /// be older than what was written last, whatever became of the machine's clock meanwhile.
    pub fn not_before(last: u64) -> SystemClock {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        SystemClock::reading(epoch.as_millis() as u64, last)
    }

    /// A clock that shows a time now, but none before the last that was written.
    pub fn reading(shows: u64, last: u64) -> SystemClock {
        SystemClock { start: Instant::now(), epoch: last.max(shows) }
    }
}

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        self.epoch + self.start.elapsed().as_millis() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_begins_where_the_log_ended_and_never_goes_back() {
        let now = SystemClock::new().now();
        assert!(now > 1_700_000_000_000);
        let last = now + 86_400_000;
        let clock = SystemClock::not_before(last);
        let mut before = last;
        for _ in 0..10_000 {
            let now = clock.now();
            assert!(now >= before);
            before = now;
        }
        assert!(SystemClock::not_before(5).now() >= now, "an old log changes nothing");
    }
}
