//! What Houseway keeps: logs that only grow, the money that moved, and the people it belongs to.
//!
//! One trait, [`Store`], and three that fulfil it: [`Memory`] for tests and trials, [`Sqlite`] for
//! one node, [`Postgres`] for several. All pass the same suite, `tests/contract`. An [`Append`] is
//! entries, money and answer in one transaction; what it returns is on disk.

mod append;
mod backup;
mod changes;
mod entry;
mod error;
mod inserts;
mod memory;
mod name;
mod people;
mod postgres;
mod presence;
mod round;
mod rows;
mod sql;
mod sqlite;
#[cfg(feature = "testing")]
pub mod testing;
mod to_read;
mod turns;
mod writer;

use async_trait::async_trait;
use houseway_table::Person;
use uuid::Uuid;

pub use append::{Append, Appended, MOST_AT_ONCE, Remember, Remembered, Together};
pub use changes::{Changes, Notice, Teller};
pub use entry::{Break, BreakKind, Chain, Entry, Hash, Head, Move, NewEntry, Version};
pub use error::{AppendError, Failure, OpenError, UserError, VerifyError};
pub use memory::Memory;
pub use name::{AccountName, NameError, StreamId, TableId};
pub use people::{NewUser, OwnLimit, Session, TokenHash, User, UserChange};
pub use postgres::{Postgres, PostgresOptions};
pub use round::{
    BetSum, DAY, RoundBet, RoundFilter, RoundPlace, RoundRow, RoundShare, RoundStatus, RoundSum,
    StatusKind, SumBy, SumKey, UnknownWord,
};
pub use sqlite::{Sqlite, SqliteOptions};
pub use turns::Turn;

/// How many entries are read at once where a whole stream is walked.
const PAGE: u32 = 1_000;

/// What is stored to see whether anything can be.
const PROOF: &str = "proof";

/// A move with its place. Places sort by time, then by stream and number in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// When and by which entry.
    pub place: Place,
    /// What moved.
    pub moved: Move,
}

/// Where a move stands among all moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// In which stream.
    pub stream: StreamId,
    /// By which entry.
    pub version: Version,
    /// As which of the entry's moves, from 0.
    pub number: u32,
}

/// An account whose balance is not the sum of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which.
    pub account: AccountName,
    /// The balance that is kept.
    pub kept: i64,
    /// The sum of its moves.
    pub counted: i64,
}

/// Where everything stands at one moment, while others go on writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// All streams, sorted by name.
    pub heads: Vec<(StreamId, Head)>,
    /// What is kept for all accounts, sorted by name.
    pub balances: Vec<(AccountName, i64)>,
    /// How many moves there are in all.
    pub moves: u64,
    /// Entries whose moves are kept under another time than theirs, sorted.
    pub misdated: Vec<(StreamId, Version)>,
}

/// What is kept beside the logs and belongs to no entry of any. There is nothing, ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strays {
    /// Rounds that end where no entry is, sorted by table and last entry.
    pub rounds: Vec<RoundRow>,
    /// Where there are shares that are of no round, or are kept under another time, rulebook or status than
    /// theirs; sorted.
    pub shares: Vec<(TableId, Version)>,
    /// Marks that stand where no entry is, sorted.
    pub marks: Vec<(StreamId, Version)>,
}

/// Which sessions end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The one with this token.
    Token(TokenHash),
    /// All of one person.
    Person(Person),
    /// All that have run out by this time.
    RunOut(u64),
}

/// Where things are kept.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Appends entries, their moves and the answer to remember, or nothing at all.
    ///
    /// A command that was answered before gets that answer again, whatever else is asked. Then the
    /// stream must stand where it was expected to, and no account may end below its floor. When
    /// this returns [`Appended`], it will survive a power failure.
    async fn append(&self, append: Append) -> Result<Appended, AppendError>;

    /// Appends one after the other, handed over together: what each came to, in their order. Each
    /// is judged for itself, but for one that was decided on top of one that failed: it finds a
    /// conflict, wherever the stream stands.
    async fn append_all(&self, appends: Vec<Append>) -> Vec<Result<Appended, AppendError>> {
        let mut all = Vec::with_capacity(appends.len());
        let mut together = Together::default();
        for append in appends {
            let result = self.append(together.fit(&append).into_owned()).await;
            together.came(&append, &result);
            all.push(result);
        }
        all
    }

    /// What was answered to a command, if it is known.
    async fn recall(&self, by: Person, id: Uuid) -> Result<Option<Remembered>, Failure>;

    /// The entries of a stream after a version, in order, at most so many.
    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        most: u32,
    ) -> Result<Vec<Entry>, Failure>;

    /// The last mark of a stream up to a version, and where it stands.
    async fn mark(
        &self,
        stream: &StreamId,
        until: Version,
    ) -> Result<Option<(Version, String)>, Failure>;

    /// Where a stream stands; at version 0 if nothing was ever appended.
    async fn head(&self, stream: &StreamId) -> Result<Head, Failure>;

    /// Where all streams stand whose names begin like this, sorted by name. With no prefix this is
    /// the export that anchors the whole log.
    async fn heads(&self, prefix: &str) -> Result<Vec<(StreamId, Head)>, Failure>;

    /// Where some streams stand, by version alone: one question for all of them.
    async fn versions(&self, streams: &[StreamId]) -> Result<Vec<(StreamId, Version)>, Failure>;

    /// When something was last appended to each stream whose name begins like this, with its
    /// version; sorted by name.
    async fn last_times(&self, prefix: &str) -> Result<Vec<(StreamId, Version, u64)>, Failure>;

    /// What is in an account, in cents.
    async fn balance(&self, account: &AccountName) -> Result<i64, Failure>;

    /// What is in all accounts whose names begin like this, sorted by name.
    async fn balances(&self, prefix: &str) -> Result<Vec<(AccountName, i64)>, Failure>;

    /// The moves of a person's wallet, newest first, at most so many, from before a place on. Those of
    /// accounts at a table stand in its own log.
    async fn wallet_moves(
        &self,
        person: Person,
        before: Option<&Place>,
        most: u32,
    ) -> Result<Vec<Moved>, Failure>;

    /// Notices from now on.
    fn changes(&self) -> Changes;

    /// Where all logs and accounts stand, read at one moment.
    async fn moment(&self) -> Result<Moment, Failure>;

    /// Adds all moves up and compares with the balances that are kept. Nothing differs, ever.
    async fn check_books(&self) -> Result<Vec<Difference>, Failure>;

    /// Writes all balances anew from the moves.
    async fn rebuild_books(&self) -> Result<(), Failure>;

    /// Finished rounds and corrections, newest first, at most so many, from before a place on.
    async fn rounds(
        &self,
        filter: &RoundFilter,
        before: Option<RoundPlace>,
        most: u32,
    ) -> Result<Vec<RoundRow>, Failure>;

    /// One round and then its corrections; nothing if it has not ended.
    async fn round(&self, table: TableId, round: u64) -> Result<Vec<RoundRow>, Failure>;

    /// Rounds that ended from a time on and before another, summed; sorted by key and rulebook.
    async fn round_sums(&self, by: SumBy, from: u64, until: u64) -> Result<Vec<RoundSum>, Failure>;

    /// Writes the sums of all days anew from the rows.
    async fn rebuild_round_sums(&self) -> Result<(), Failure>;

    /// Writes a table's rows anew: all that end after a version and up to another one go, these
    /// come in their place. At most 1,000 at once.
    async fn replace_rounds(
        &self,
        table: TableId,
        after: Version,
        until: Version,
        rows: &[RoundRow],
    ) -> Result<(), AppendError>;

    /// Looks for what is kept beside the logs where no entry is, at one moment.
    async fn strays(&self) -> Result<Strays, Failure>;

    /// Removes rounds, shares and marks that stand where no entry is.
    async fn remove_strays(&self) -> Result<(), Failure>;

    /// Enters someone under a name that nobody has.
    async fn add_user(&self, user: NewUser) -> Result<User, UserError>;

    /// Someone by number.
    async fn user(&self, id: Person) -> Result<Option<User>, Failure>;

    /// Someone by name, however it is capitalised.
    async fn user_named(&self, name: &str) -> Result<Option<User>, Failure>;

    /// Everyone with a number after this one, in order, at most so many.
    async fn users(&self, after: Person, most: u32) -> Result<Vec<User>, Failure>;

    /// Changes something about someone.
    async fn change_user(&self, id: Person, change: UserChange) -> Result<(), UserError>;

    /// Someone has come in.
    async fn open_session(&self, session: Session) -> Result<(), UserError>;

    /// The session of a token, run out or not.
    async fn session(&self, token: TokenHash) -> Result<Option<Session>, Failure>;

    /// Someone was heard of; false if there is no such session any more.
    async fn touch_session(
        &self,
        token: TokenHash,
        last_seen: u64,
        idle_until: u64,
    ) -> Result<bool, Failure>;

    /// Ends sessions and says how many.
    async fn end_sessions(&self, ending: Ending) -> Result<u64, Failure>;

    /// Someone failed to come in, under this name or from this address.
    async fn note_failed_login(&self, subject: &str, at: u64) -> Result<(), Failure>;

    /// How often that was since a time.
    async fn failed_logins(&self, subject: &str, since: u64) -> Result<u64, Failure>;

    /// Forgets failures before a time, of one subject or of all.
    async fn forget_failed_logins(&self, subject: Option<&str>, before: u64)
    -> Result<(), Failure>;

    /// Keeps a limit that someone set themselves.
    async fn set_limit(&self, limit: OwnLimit) -> Result<(), UserError>;

    /// All limits someone ever set themselves, in the order of asking.
    async fn limits(&self, person: Person) -> Result<Vec<OwnLimit>, Failure>;

    /// Waits until nobody else acts for someone, at whatever node. What is held meanwhile is let go when it
    /// is dropped. A node that stops in the middle loses it after a while.
    async fn turn(&self, person: Person) -> Result<Turn, Failure>;

    /// Takes the store for a house, until it is closed or the process ends: says whether no other house
    /// has it. A store that only one can open is nobody else's.
    async fn enter(&self) -> Result<bool, Failure> {
        Ok(true)
    }

    /// What time it is by the clock of a store that several nodes share, in milliseconds since 1970.
    async fn time(&self) -> Result<Option<u64>, Failure> {
        Ok(None)
    }

    /// Whether something can be stored at this moment, found out by storing something that is taken
    /// back at once.
    async fn prove_writable(&self) -> Result<(), Failure> {
        // Appends have a way of their own to the disk, which may be closed while others are not.
        let nothing = Append {
            stream: StreamId::house(),
            expected: Version(0),
            at: 0,
            entries: vec![],
            command: None,
            rounds: vec![],
            mark: None,
        };
        if let Err(AppendError::Failed(failure)) = self.append(nothing).await {
            return Err(failure);
        }
        self.note_failed_login(PROOF, 0).await?;
        self.forget_failed_logins(Some(PROOF), 1).await
    }

    /// Ends cleanly: what is queued is stored, what is asked later fails.
    async fn close(&self);

    /// Follows a stream's chain from its first entry to its last, and holds it against a head that
    /// was kept elsewhere.
    async fn verify_chain(
        &self,
        stream: &StreamId,
        anchor: Option<Head>,
    ) -> Result<Head, VerifyError> {
        let anchors = anchor.into_iter().collect();
        self.follow_chain(stream, anchors, &mut |_| {}).await
    }

    /// The same with any number of heads, for someone who wants to see the entries on the way.
    async fn follow_chain(
        &self,
        stream: &StreamId,
        anchors: Vec<Head>,
        each: &mut (dyn for<'entry> FnMut(&'entry Entry) + Send),
    ) -> Result<Head, VerifyError> {
        let mut chain = Chain::new(stream.clone(), anchors);
        loop {
            let page = self.read(stream, chain.version(), PAGE).await?;
            for entry in &page {
                chain.follow(entry)?;
                each(entry);
            }
            if page.is_empty() {
                return Ok(chain.end()?);
            }
        }
    }
}
