//! What is counted: things that went wrong on purpose, things that were held, and what a night came
//! to.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The store takes long.
    StoreSlow,
    /// The store is busy: nothing was stored.
    StoreBusy,
    /// The store fails before it has stored anything.
    StoreFailed,
    /// The store has stored something, and whoever asked never hears of it.
    AnswerLost,
    /// Several appends were handed over, and the store failed on the way.
    HalfDone,
    /// A node is cut off from the store for a while.
    StoreCut,
    /// A notice comes late.
    NoticeLate,
    /// A notice does not come.
    NoticeLost,
    /// A notice comes twice.
    NoticeTwice,
    /// A request does not arrive.
    RequestLost,
    /// A request arrives late, after others that were sent later.
    RequestLate,
    /// A request arrives twice.
    RequestTwice,
    /// An answer does not arrive.
    ReplyLost,
    /// A client waits in vain and hangs up.
    HungUp,
    /// A client hangs up in the middle of a command, and sends it again at another node at once.
    HungUpEarly,
    /// A client cannot reach a node for a while.
    Partition,
    /// A node does nothing for a while, and then goes on as if nothing had been.
    NodePaused,
    /// A node is gone from one moment to the next.
    NodeKilled,
    /// All nodes are.
    HouseKilled,
    /// A node starts with a clock that was set.
    ClockSet,
    /// The machine's clock is set forward while its node runs.
    ClockSetForward,
    /// It is set back.
    ClockSetBack,
    /// The clock of a running node leaps forward: its machine has slept.
    ClockLeapt,
    /// A disk takes long to sync.
    SyncSlow,
    /// The power of a house with one node is cut while it writes.
    PowerCut,
    /// Something that was written and not yet synced is gone when a node comes back.
    WriteLost,
}

/// Something that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invariant {
    /// The sum of all accounts is nothing, none is below its floor, and what lies at a table is what the
    /// table itself counts.
    BooksBalance,
    /// Balances are the sum of what moved, and a table's stacks what its log says.
    BooksAreTheLog,
    /// No card is twice in a round, and none is missing.
    NoCardTwice,
    /// A round's deck is committed to once, before its first wager.
    CommittedFirst,
    /// The deck that is dealt is the one that was committed to.
    CommittedDeck,
    /// A log read again gives the table as it stands.
    ReplayIsLive,
    /// What was acknowledged is kept.
    NothingLost,
    /// Nothing is carried out twice.
    NothingTwice,
    /// A command that is sent again is answered the same.
    SameAnswer,
    /// A command's name does not stand for another command.
    OtherContentRefused,
    /// Versions follow one another without a gap.
    OneOrder,
    /// The audit chain is whole.
    ChainHolds,
    /// Nobody sees a card that they may not.
    NoHiddenCard,
    /// A bot has nothing to do by its whole view, where a quick look says so.
    NoBotSleeps,
    /// No wager is taken after the close.
    ClosedIsClosed,
    /// Nobody brings more to a table than a limit of their own lets them lose.
    OwnLimits,
    /// What is not allowed is refused and changes nothing.
    IllegalRefused,
    /// Time in a log does not go back, but for what clocks may differ by.
    TimeGoesOn,
    /// A round in progress ends once nothing goes wrong any more.
    PlayGoesOn,
    /// A closed table begins no round.
    ClosedTable,
    /// Nothing panics.
    NothingPanics,
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// What one night, or many, came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Figures {
    /// Nights.
    pub seeds: u64,
    /// How many of them were played a second time and were the same.
    pub twice: u64,
    /// Rounds that ended.
    pub rounds: u64,
    /// Entries of tables' logs.
    pub entries: u64,
    /// Moves of money.
    pub transfers: u64,
    /// Commands, each counted once.
    pub commands: u64,
    /// Commands that were answered at least twice, across connections and lives of nodes.
    pub answered_again: u64,
    /// How often commands were sent in all.
    pub sent: u64,
    /// Requests that arrived after whoever sent them had hung up.
    pub outlived: u64,
    /// Wagers and withdrawals that arrived within 5 ms of "no more bets", and how many were taken.
    pub races: u64,
    /// How many of those were taken: in time, by the log.
    pub races_taken: u64,
    /// Well-formed commands that are not allowed, all refused.
    pub illegal: u64,
    /// Commands under a name that had been used for another, all refused.
    pub other_content: u64,
    /// Milliseconds that passed for the house.
    pub simulated_ms: u64,
    /// What went wrong on purpose, by kind.
    pub faults: BTreeMap<Fault, u64>,
    /// What was held, by invariant.
    pub checks: BTreeMap<Invariant, u64>,
    /// How often something did not hold.
    pub breaks: u64,
}

impl Figures {
    /// Adds another night's.
    pub fn add(&mut self, other: &Figures) {
        self.seeds += other.seeds;
        self.twice += other.twice;
        self.rounds += other.rounds;
        self.entries += other.entries;
        self.transfers += other.transfers;
        self.commands += other.commands;
        self.answered_again += other.answered_again;
        self.sent += other.sent;
        self.outlived += other.outlived;
        self.races += other.races;
        self.races_taken += other.races_taken;
        self.illegal += other.illegal;
        self.other_content += other.other_content;
        self.simulated_ms += other.simulated_ms;
        self.breaks += other.breaks;
        for (fault, count) in &other.faults {
            *self.faults.entry(*fault).or_default() += count;
        }
        for (invariant, count) in &other.checks {
            *self.checks.entry(*invariant).or_default() += count;
        }
    }

    /// All faults together.
    pub fn faults_in_all(&self) -> u64 {
        self.faults.values().sum()
    }

    /// All checks together.
    pub fn checks_in_all(&self) -> u64 {
        self.checks.values().sum()
    }
}
