//! People: who comes in, what they are to the house, the limits they set themselves, play money.
//!
//! Nothing here knows HTTP. [`People`] is a handle to the store with a clock and a source of
//! chance; its functions are what a server or a command line calls.
//!
//! | module | what belongs there |
//! |---|---|
//! | `names`, `passwords` | which are accepted; how a password is known again |
//! | `entrance` | guests, registration, login, lockout, one's own password |
//! | `session` | tokens, how long they hold, who shows one |
//! | `standing`, `staff` | what someone is to the house; what operators do |
//! | `approval` | what takes two of them |
//! | `record` | what the log of the house says about it |
//! | `limits` | what people allow themselves, and pure decisions by it |
//! | `cashier` | play money |

mod approval;
mod cashier;
mod chance;
mod entrance;
mod limits;
mod names;
mod passwords;
mod record;
mod session;
mod staff;
mod standing;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use houseway_store::{
    Append, AppendError, Ending, Failure, NewEntry, Store, StreamId, User, UserError, Version,
};
use houseway_table::Person;
use tokio::sync::Mutex;

pub use approval::{APPROVAL_WITHIN, Proposal};
pub use cashier::{GRANT_EVERY, GRANT_TO, GRANT_UNDER, GrantError};
pub use chance::{Chance, SystemChance};
pub use entrance::{
    ADDRESS_LOCK_AFTER, Attempt, ComeInError, LOCK_AFTER, LOCK_FOR, LoginError, PasswordError,
    RegisterError,
};
pub use limits::{
    Exceeded, Kind, LOOSER_AFTER, Limit, LimitError, Limits, Lost, ParseKindError, Waiting,
    lost_since, may_play, may_risk, played_since,
};
pub use names::NameProblem;
pub use passwords::{PASSWORD_ADVISED, PASSWORD_LONGEST, PASSWORD_SHORTEST, PasswordProblem};
pub use record::{Alteration, By, HouseRecord, Password, Run, Sessions};
pub(crate) use session::TOUCH_EVERY;
pub use session::{Entered, Lasting, Token, Who};
pub use staff::{OperatorError, Outcome, StaffError};
pub use standing::{ParseStandingError, Standing};

use passwords::Passwords;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How often an append is tried again that others keep overtaking.
const TRIES: usize = 32;

/// Everyone who has come or may come. Clones are handles to the same.
#[derive(Clone)]
pub struct People {
    store: Arc<dyn Store>,
    clock: Arc<dyn crate::clock::Clock>,
    chance: Arc<dyn Chance>,
    passwords: Arc<Passwords>,
    /// Staff acts are recorded and then done, one after the other: so the log's order is theirs.
    acts: Arc<Mutex<()>>,
    /// When it was last logged that signs of life cannot be kept.
    complained: Arc<AtomicU64>,
}

impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("People").finish_non_exhaustive()
    }
}

impl People {
    /// The people of a store. Takes the time of one password's hash.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn crate::clock::Clock>,
        chance: Arc<dyn Chance>,
    ) -> People {
        let (acts, complained) = Default::default();
        People { store, clock, chance, passwords: Arc::new(Passwords::new()), acts, complained }
    }

    /// Forgets what no longer matters: sessions that have run out, failures to log in that no
    /// longer lock. To be called now and then; nothing but the store's size depends on it.
    pub async fn sweep(&self) -> Result<(), Failure> {
        let now = self.clock.now();
        self.store.end_sessions(Ending::RunOut(now)).await?;
        self.store.forget_failed_logins(None, (now + 1).saturating_sub(LOCK_FOR)).await
    }

    async fn known(&self, person: Person) -> Result<User, UserError> {
        self.store.user(person).await?.ok_or(UserError::Unknown)
    }

    /// Appends an entry that depends on nothing before it.
    async fn enter(&self, stream: &StreamId, at: u64, entry: NewEntry) -> Result<(), Failure> {
        for _ in 0..TRIES {
            let expected = self.store.head(stream).await?.version;
            match self.append(stream, expected, at, entry.clone()).await {
                Err(AppendError::Conflict { .. }) => {}
                Err(AppendError::Failed(failure)) => return Err(failure),
                Err(other) => return Err(Failure::Corrupt(other.to_string())),
                Ok(()) => return Ok(()),
            }
        }
        Err(Failure::Busy)
    }

    async fn append(
        &self,
        stream: &StreamId,
        expected: Version,
        at: u64,
        entry: NewEntry,
    ) -> Result<(), AppendError> {
        let (stream, entries) = (stream.clone(), vec![entry]);
        let rounds = vec![];
        let append = Append { stream, expected, at, entries, rounds, command: None, mark: None };
        self.store.append(append).await.map(|_| ())
    }
}

/// An error of someone who was just read: whoever was there once is there for good.
fn must_exist(error: UserError) -> Failure {
    match error {
        UserError::Failed(failure) => failure,
        UserError::Changed => Failure::Busy,
        other => Failure::Corrupt(other.to_string()),
    }
}
