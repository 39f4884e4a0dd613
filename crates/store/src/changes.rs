//! Notices that something was appended, or someone's sessions changed.

use houseway_table::Person;
use tokio::sync::broadcast;

use crate::entry::Version;
use crate::name::StreamId;

/// How many notices wait for a slow listener before it is told that it missed some.
const WAITING: usize = 1_024;

/// Something has changed, perhaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A stream has gone on at least to this version.
    Appended {
        /// Which stream.
        stream: StreamId,
        /// To which version.
        version: Version,
    },
    /// Someone was changed, or sessions of theirs have ended.
    Person(Person),
    /// Notices were lost: any stream may have gone on, anyone may have changed.
    Missed,
}

/// Notices from the moment of asking on.
///
/// They wake, they do not tell: a notice can be missed, come twice or come late. Whoever gets one
/// reads from the version they have; whoever must not wait for long looks now and then without one.
#[derive(Debug)]
pub struct Changes(broadcast::Receiver<Notice>);

impl Changes {
    /// The next notice; none when the store is closed.
    pub async fn next(&mut self) -> Option<Notice> {
        match self.0.recv().await {
            Ok(notice) => Some(notice),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(Notice::Missed),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

/// Where notices are told: by a store, or by one that stands in front of another.
#[derive(Clone, Debug)]
pub struct Teller(broadcast::Sender<Notice>);

impl Default for Teller {
    fn default() -> Teller {
        Teller::new()
    }
}

impl Teller {
    /// Nobody listens yet.
    pub fn new() -> Teller {
        Teller(broadcast::Sender::new(WAITING))
    }

    /// Notices from now on.
    pub fn listen(&self) -> Changes {
        Changes(self.0.subscribe())
    }

    /// Tells all who listen.
    pub fn tell(&self, notice: Notice) {
        // Nobody may be listening.
        let _ = self.0.send(notice);
    }
}
