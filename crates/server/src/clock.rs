//! What time it is. The rest of the server is told.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

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
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        SystemClock { start: Instant::now(), epoch: epoch.as_millis() as u64 }
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
