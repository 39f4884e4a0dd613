//! What is appended, and what comes back.

use std::borrow::Cow;
use std::collections::BTreeMap;

use houseway_rules::Cents;
use houseway_table::Person;
use uuid::Uuid;

use crate::entry::{Entry, Head, Move, NewEntry, Version};
use crate::error::AppendError;
use crate::name::{AccountName, StreamId, TableId};
use crate::round::RoundRow;

/// The most entries, and the most moves, that can be appended at once.
pub const MOST_AT_ONCE: usize = 1_000;

/// Entries, the money they move and the answer to remember: all of it or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// To which stream.
    pub stream: StreamId,
    /// Where the stream stood when this was decided.
    pub expected: Version,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What happened, in order. May be nothing, for a refusal that is remembered.
    pub entries: Vec<NewEntry>,
    /// The command that led to it, if it is to be remembered.
    pub command: Option<Remember>,
    /// Rounds of the stream's table that end with one of the entries.
    pub rounds: Vec<RoundRow>,
    /// The sum of the stream up to its last entry, for whoever would otherwise read all of it. Not
    /// looked into; like rounds it can be made from the log at any time.
    pub mark: Option<String>,
}

/// A command with the answer it gets. Sent again, it gets the same answer and changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remember {
    /// Who sent it; ids of different people do not meet.
    pub by: Person,
    /// Its name, made by whoever sent it.
    pub id: Uuid,
    /// SHA-256 of its content.
    pub digest: [u8; 32],
    /// What is answered.
    pub answer: String,
}

/// What was answered to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// SHA-256 of its content.
    pub digest: [u8; 32],
    /// To which stream it went.
    pub stream: StreamId,
    /// Where the stream stood after it.
    pub version: Version,
    /// What was answered.
    pub answer: String,
}

/// What became of an append. Either way it is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It was stored now, and the stream stands here.
    Now(Head),
    /// The command had been carried out before; nothing was stored this time.
    Before(Remembered),
}

impl Append {
    /// Refuses what no store could hold.
    pub(crate) fn check(&self) -> Result<(), AppendError> {
        let number = |number: u64| i64::try_from(number).is_ok();
        let moves = || self.entries.iter().flat_map(|entry| &entry.moves);
        let texts = self.entries.iter().flat_map(|it| [&it.kind, &it.body]);
        let others = self.command.iter().map(|it| &it.answer).chain(&self.mark);
        let mut texts =
            texts.chain(moves().flat_map(|it| [Some(&it.reason), it.clause.as_ref()]).flatten());
        let refused = if self.entries.len() > MOST_AT_ONCE || moves().count() > MOST_AT_ONCE {
            "more than 1,000 entries or moves: append them in parts"
        } else if !number(self.at) || !number(self.expected.0.saturating_add(1_000)) {
            "a time or version beyond what can be counted"
        } else if moves().any(|it| it.amount.get() == 0 || !number(it.amount.get())) {
            "a move of nothing, or of more than can be counted"
        } else if moves().any(|it| it.from == it.to) {
            "a move from an account to itself"
        } else if texts.any(|text| text.contains('\0'))
            || others.into_iter().any(|it| it.contains('\0'))
        {
            "a text with a NUL character"
        } else {
            return self.check_rounds();
        };
        Err(AppendError::Invalid(refused))
    }

    /// Rows stand where the append's own entries will stand, each at another one. So no row can
    /// ever be in another's way, and nothing has to be looked up.
    fn check_rounds(&self) -> Result<(), AppendError> {
        let last = self.expected.0 + self.entries.len() as u64;
        let own = |row: &RoundRow| {
            self.stream == StreamId::table(row.table)
                && (self.expected.0 + 1..=last).contains(&row.last.0)
        };
        match self.rounds.iter().all(own) {
            true => check_rows(&self.rounds),
            false => Err(AppendError::Invalid("a round that does not end with one of the entries")),
        }
    }

    /// What each account gains or loses by the whole append, in the order of their names. An append
    /// is one moment: what counts is where accounts stand after it.
    pub(crate) fn differences(&self) -> BTreeMap<AccountName, i128> {
        let mut differences = BTreeMap::new();
        for Move { from, to, amount, .. } in self.entries.iter().flat_map(|it| &it.moves) {
            let amount = i128::from(amount.get());
            *differences.entry(from.clone()).or_default() -= amount;
            *differences.entry(to.clone()).or_default() += amount;
        }
        differences
    }
}

/// Refuses rows that no store could hold.
pub(crate) fn check_rows(rows: &[RoundRow]) -> Result<(), AppendError> {
    let shares = || rows.iter().flat_map(|row| &row.shares);
    let number = |number: u64| i64::try_from(number).is_ok();
    let sorted = |row: &RoundRow| {
        row.shares.is_sorted_by(|a, b| (a.person, a.bet) < (b.person, b.bet))
            && row.first <= row.last
    };
    let counted = |row: &RoundRow| {
        let times = [row.table.0, row.round, row.began, row.ended, row.last.0];
        times.into_iter().chain([row.house_took, row.house_paid].map(Cents::get)).all(number)
    };
    let texts = rows.iter().flat_map(|row| [Some(row.rulebook.as_str()), row.status.clause()]);
    let refused = if !rows.is_sorted_by(|a, b| a.last < b.last) || !rows.iter().all(sorted) {
        "rounds or shares out of order"
    } else if rows.len() > MOST_AT_ONCE || shares().count() > MOST_AT_ONCE {
        "more than 1,000 rounds or shares: append them in parts"
    } else if !rows.iter().all(counted) {
        "a time, place or amount of a round beyond what can be counted"
    } else if shares().any(|it| {
        it.taken.plus(it.back) != Some(it.wagered)
            || ![it.wagered, it.paid, it.commission].map(Cents::get).into_iter().all(number)
    }) {
        "a share that is not what was taken and what went back, or beyond what can be counted"
    } else if texts.flatten().any(|text| text.contains('\0')) {
        "a text with a NUL character"
    } else {
        return Ok(());
    };
    Err(AppendError::Invalid(refused))
}

/// Refuses rows that do not belong where they are to stand.
pub(crate) fn check_replacement(
    table: TableId,
    after: Version,
    until: Version,
    rows: &[RoundRow],
) -> Result<(), AppendError> {
    let own = |row: &RoundRow| row.table == table && row.last > after && row.last <= until;
    match rows.iter().all(own) {
        true => check_rows(rows),
        false => Err(AppendError::Invalid("a round of another table, or one that ends elsewhere")),
    }
}

/// Where no stream ever stands.
const NOWHERE: Version = Version(1 << 62);

/// Appends that are handed over together, each decided on top of those before it. One that was decided
/// on top of what did not come about is stale, even if somebody else has meanwhile taken the stream
/// to the very version that it expects.
#[derive(Debug, Default)]
pub struct Together {
    /// Where each stream stood when the first append to it was decided that did not come about.
    lost: BTreeMap<StreamId, Version>,
}

impl Together {
    /// The next append as it is to be judged: a stale one expects what never is.
    pub fn fit<'a>(&self, append: &'a Append) -> Cow<'a, Append> {
        match self.lost.get(&append.stream) {
            Some(lost) if append.expected > *lost => {
                let stale = Append { expected: NOWHERE, rounds: vec![], ..append.clone() };
                Cow::Owned(stale)
            }
            _ => Cow::Borrowed(append),
        }
    }

    /// What became of it.
    pub fn came(&mut self, append: &Append, result: &Result<Appended, AppendError>) {
        if !append.entries.is_empty() && !matches!(result, Ok(Appended::Now(_))) {
            self.lost.entry(append.stream.clone()).or_insert(append.expected);
        }
    }
}

impl Remember {
    /// What a command that was seen before is answered now.
    pub(crate) fn again(&self, before: Remembered) -> Result<Appended, AppendError> {
        match before.digest == self.digest {
            true => Ok(Appended::Before(before)),
            false => Err(AppendError::OtherContent),
        }
    }
}

/// An account's new balance, if it may have it.
pub(crate) fn new_balance(
    account: &AccountName,
    balance: i64,
    difference: i128,
) -> Result<i64, AppendError> {
    let sum = i128::from(balance) + difference;
    if sum < 0 && !account.may_be_overdrawn() {
        return Err(AppendError::Overdrawn { account: account.clone() });
    }
    i64::try_from(sum).map_err(|_| AppendError::Invalid("a balance beyond what can be counted"))
}

/// What appends are judged by, held in memory by whoever writes alone.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) heads: BTreeMap<StreamId, Head>,
    pub(crate) balances: BTreeMap<AccountName, i64>,
    pub(crate) commands: BTreeMap<(Person, Uuid), Remembered>,
}

impl Known {
    /// Judges an append and, if it is carried out, knows it from then on; gives what came of it and
    /// the entries to keep.
    pub(crate) fn append(
        &mut self,
        append: &Append,
    ) -> Result<(Appended, Vec<Entry>), AppendError> {
        if let Some(command) = &append.command
            && let Some(before) = self.commands.get(&(command.by, command.id))
        {
            return Ok((command.again(before.clone())?, Vec::new()));
        }
        let mut head = self.heads.get(&append.stream).copied().unwrap_or_default();
        if head.version != append.expected {
            return Err(AppendError::Conflict { actual: head.version });
        }
        let mut balances = Vec::new();
        for (account, difference) in append.differences() {
            let balance = self.balances.get(&account).copied().unwrap_or_default();
            let balance = new_balance(&account, balance, difference)?;
            balances.push((account, balance));
        }
        // Nothing is refused from here on.
        self.balances.extend(balances);
        let mut entries = Vec::with_capacity(append.entries.len());
        for new in &append.entries {
            let entry = Entry::after(head, &append.stream, append.at, new.clone());
            head = entry.head();
            entries.push(entry);
        }
        if !entries.is_empty() {
            self.heads.insert(append.stream.clone(), head);
        }
        if let Some(Remember { by, id, digest, answer }) = &append.command {
            let (stream, version) = (append.stream.clone(), head.version);
            let answered = Remembered { digest: *digest, stream, version, answer: answer.clone() };
            self.commands.insert((*by, *id), answered);
        }
        Ok((Appended::Now(head), entries))
    }
}
