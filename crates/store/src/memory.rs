//! The store without a disk: plain collections under one lock. It is also the model that the
//! others are judged by.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use houseway_table::Person;
use uuid::Uuid;

use crate::append::{Append, Appended, Known, Remembered, check_replacement};
use crate::changes::{Changes, Notice, Teller};
use crate::entry::{Entry, Head, Move, Version};
use crate::error::{AppendError, Failure, UserError};
use crate::name::{AccountName, StreamId, TableId};
use crate::people::{NewUser, OwnLimit, Session, TokenHash, User, UserChange, name_key};
use crate::round::{
    BetSum, RoundFilter, RoundPlace, RoundRow, RoundSum, Rows, StatusKind, SumBy, Sums,
};
use crate::turns::{Turn, Turns};
use crate::{Difference, Ending, Moment, Moved, Place, Store, Strays};

/// A store that forgets everything when the program ends.
#[derive(Debug, Default)]
pub struct Memory {
    kept: Mutex<Kept>,
    teller: Teller,
    turns: Turns,
}

#[derive(Debug, Default)]
struct Kept {
    streams: BTreeMap<StreamId, Vec<Entry>>,
    known: Known,
    rounds: BTreeMap<(TableId, Version), RoundRow>,
    marks: BTreeMap<(StreamId, Version), String>,
    users: Vec<User>,
    sessions: BTreeMap<TokenHash, Session>,
    failed_logins: Vec<(String, u64)>,
    limits: Vec<OwnLimit>,
}

impl Memory {
    /// An empty store.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Nothing panics while it holds the lock halfway through a change, so a poisoned one is whole.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn head(&self, stream: &StreamId) -> Head {
        self.known.heads.get(stream).copied().unwrap_or_default()
    }

    fn has_entry(&self, stream: &StreamId, version: Version) -> bool {
        (1..=self.head(stream).version.0).contains(&version.0)
    }

    fn append(&mut self, append: &Append) -> Result<Appended, AppendError> {
        append.check()?;
        let (appended, entries) = self.known.append(append)?;
        if !entries.is_empty() {
            self.streams.entry(append.stream.clone()).or_default().extend(entries);
            self.keep(&append.rounds);
            let here = (append.stream.clone(), self.head(&append.stream).version);
            self.marks.extend(append.mark.iter().map(|mark| (here.clone(), mark.clone())));
        }
        Ok(appended)
    }

    fn keep(&mut self, rows: &[RoundRow]) {
        self.rounds.extend(rows.iter().map(|row| ((row.table, row.last), row.clone())));
    }

    /// Every move of an account, in the order of places.
    fn moves(&self, account: &AccountName) -> BTreeMap<Place, &Move> {
        let entries = self.streams.values().flatten();
        let moves = entries.flat_map(|entry| {
            let all = entry.moves.iter().zip(0..);
            let own = all.filter(|(moved, _)| moved.from == *account || moved.to == *account);
            own.map(|(moved, number)| {
                let (stream, version) = (entry.stream.clone(), entry.version);
                (Place { at: entry.at, stream, version, number }, moved)
            })
        });
        moves.collect()
    }

    fn counted(&self) -> BTreeMap<AccountName, i64> {
        let mut counted = BTreeMap::new();
        for moved in self.streams.values().flatten().flat_map(|entry| &entry.moves) {
            let amount = i64::try_from(moved.amount.get()).expect("checked when it was appended");
            *counted.entry(moved.from.clone()).or_default() -= amount;
            *counted.entry(moved.to.clone()).or_default() += amount;
        }
        counted
    }

    fn user_mut(&mut self, id: Person) -> Result<&mut User, UserError> {
        self.users.iter_mut().find(|it| it.id == id).ok_or(UserError::Unknown)
    }

    fn user_named(&self, name: &str) -> Option<&User> {
        self.users.iter().find(|it| name_key(&it.name) == name_key(name))
    }
}

#[async_trait]
impl Store for Memory {
    async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let appended = self.kept().append(&append)?;
        if let Appended::Now(Head { version, .. }) = appended
            && !append.entries.is_empty()
        {
            let stream = append.stream;
            self.teller.tell(Notice::Appended { stream, version });
        }
        Ok(appended)
    }

    async fn turn(&self, person: Person) -> Result<Turn, Failure> {
        Ok(Box::new(self.turns.of(person).await))
    }

    async fn recall(&self, by: Person, id: Uuid) -> Result<Option<Remembered>, Failure> {
        Ok(self.kept().known.commands.get(&(by, id)).cloned())
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        most: u32,
    ) -> Result<Vec<Entry>, Failure> {
        let kept = self.kept();
        let entries = kept.streams.get(stream).map(Vec::as_slice).unwrap_or_default();
        // Versions have no gaps, so a version is a place.
        let after = usize::try_from(after.0).unwrap_or(usize::MAX).min(entries.len());
        Ok(entries[after..].iter().take(most as usize).cloned().collect())
    }

    async fn mark(
        &self,
        stream: &StreamId,
        until: Version,
    ) -> Result<Option<(Version, String)>, Failure> {
        let kept = self.kept();
        let places = (stream.clone(), Version(0))..=(stream.clone(), until);
        let last = kept.marks.range(places).next_back();
        Ok(last.map(|((_, version), mark)| (*version, mark.clone())))
    }

    async fn head(&self, stream: &StreamId) -> Result<Head, Failure> {
        Ok(self.kept().head(stream))
    }

    async fn heads(&self, prefix: &str) -> Result<Vec<(StreamId, Head)>, Failure> {
        let kept = self.kept();
        let streams = kept.streams.keys().filter(|it| it.as_str().starts_with(prefix));
        Ok(streams.map(|stream| (stream.clone(), kept.head(stream))).collect())
    }

    async fn versions(&self, streams: &[StreamId]) -> Result<Vec<(StreamId, Version)>, Failure> {
        let kept = self.kept();
        Ok(streams.iter().map(|stream| (stream.clone(), kept.head(stream).version)).collect())
    }

    async fn last_times(&self, prefix: &str) -> Result<Vec<(StreamId, Version, u64)>, Failure> {
        let kept = self.kept();
        let streams = kept.streams.iter().filter(|(it, _)| it.as_str().starts_with(prefix));
        let last = streams.filter_map(|(stream, entries)| Some((stream, entries.last()?)));
        Ok(last.map(|(stream, entry)| (stream.clone(), entry.version, entry.at)).collect())
    }

    async fn balance(&self, account: &AccountName) -> Result<i64, Failure> {
        Ok(self.kept().known.balances.get(account).copied().unwrap_or(0))
    }

    async fn balances(&self, prefix: &str) -> Result<Vec<(AccountName, i64)>, Failure> {
        let kept = self.kept();
        let balances = kept.known.balances.iter().filter(|(it, _)| it.as_str().starts_with(prefix));
        Ok(balances.map(|(account, &balance)| (account.clone(), balance)).collect())
    }

    async fn moment(&self) -> Result<Moment, Failure> {
        let kept = self.kept();
        let heads = kept.streams.keys().map(|it| (it.clone(), kept.head(it))).collect();
        let balances = kept.known.balances.iter().map(|(it, &amount)| (it.clone(), amount));
        let moves = kept.streams.values().flatten().map(|entry| entry.moves.len() as u64).sum();
        Ok(Moment { heads, balances: balances.collect(), moves, misdated: vec![] })
    }

    async fn wallet_moves(
        &self,
        person: Person,
        before: Option<&Place>,
        most: u32,
    ) -> Result<Vec<Moved>, Failure> {
        let kept = self.kept();
        let moves = kept.moves(&AccountName::wallet(person)).into_iter().rev();
        let moves = moves.filter(|(place, _)| before.is_none_or(|before| place < before));
        let moves = moves.map(|(place, moved)| Moved { place, moved: moved.clone() });
        Ok(moves.take(most as usize).collect())
    }

    fn changes(&self) -> Changes {
        self.teller.listen()
    }

    async fn check_books(&self) -> Result<Vec<Difference>, Failure> {
        let kept = self.kept();
        let counted = kept.counted();
        let mut accounts: Vec<_> = kept.known.balances.keys().chain(counted.keys()).collect();
        accounts.sort();
        accounts.dedup();
        let of = |all: &BTreeMap<_, i64>, account| all.get(account).copied().unwrap_or(0);
        let differences = accounts.into_iter().map(|account| Difference {
            account: account.clone(),
            kept: of(&kept.known.balances, account),
            counted: of(&counted, account),
        });
        Ok(differences.filter(|it| it.kept != it.counted).collect())
    }

    async fn rebuild_books(&self) -> Result<(), Failure> {
        let mut kept = self.kept();
        kept.known.balances = kept.counted();
        Ok(())
    }

    async fn rounds(
        &self,
        filter: &RoundFilter,
        before: Option<RoundPlace>,
        most: u32,
    ) -> Result<Vec<RoundRow>, Failure> {
        let kept = self.kept();
        let fits =
            |row: &&RoundRow| filter.fits(row) && before.is_none_or(|before| row.place() < before);
        let mut found: Vec<&RoundRow> = kept.rounds.values().filter(fits).collect();
        found.sort_by_key(|row| std::cmp::Reverse(row.place()));
        Ok(found.into_iter().take(most as usize).cloned().collect())
    }

    async fn round(&self, table: TableId, round: u64) -> Result<Vec<RoundRow>, Failure> {
        let kept = self.kept();
        let rows = kept.rounds.values();
        Ok(rows.filter(|row| row.table == table && row.round == round).cloned().collect())
    }

    async fn round_sums(&self, by: SumBy, from: u64, until: u64) -> Result<Vec<RoundSum>, Failure> {
        let kept = self.kept();
        let rows = kept.rounds.values().filter(|row| (from..until).contains(&row.ended));
        let mut sums = Sums::default();
        for row in rows {
            let (key, status) = (by.key(row), row.status.kind());
            let is = |kind| u64::from(status == kind);
            sums.rows(
                (key, row.rulebook.clone()),
                Rows {
                    rounds: is(StatusKind::Settled),
                    voids: is(StatusKind::Void),
                    corrections: is(StatusKind::Corrected),
                    house_took: row.house_took.get(),
                    house_paid: row.house_paid.get(),
                },
            );
            for share in row.shares.iter().filter(|_| status != StatusKind::Void) {
                sums.bet((key, row.rulebook.clone()), BetSum::of(share));
            }
        }
        Ok(sums.end())
    }

    /// Nothing is summed beforehand here: these sums judge the others.
    async fn rebuild_round_sums(&self) -> Result<(), Failure> {
        Ok(())
    }

    async fn replace_rounds(
        &self,
        table: TableId,
        after: Version,
        until: Version,
        rows: &[RoundRow],
    ) -> Result<(), AppendError> {
        check_replacement(table, after, until, rows)?;
        let mut kept = self.kept();
        kept.rounds.retain(|&(at, last), _| at != table || last <= after || last > until);
        kept.keep(rows);
        Ok(())
    }

    async fn strays(&self) -> Result<Strays, Failure> {
        let kept = self.kept();
        let rounds = kept.rounds.values();
        let rounds = rounds.filter(|row| !kept.has_entry(&StreamId::table(row.table), row.last));
        let marks = kept.marks.keys().filter(|(stream, version)| !kept.has_entry(stream, *version));
        let (rounds, marks) = (rounds.cloned().collect(), marks.cloned().collect());
        Ok(Strays { rounds, shares: vec![], marks })
    }

    async fn remove_strays(&self) -> Result<(), Failure> {
        let Strays { rounds, marks, .. } = self.strays().await?;
        let mut kept = self.kept();
        for row in rounds {
            kept.rounds.remove(&(row.table, row.last));
        }
        for mark in marks {
            kept.marks.remove(&mark);
        }
        Ok(())
    }

    async fn add_user(&self, user: NewUser) -> Result<User, UserError> {
        let mut kept = self.kept();
        if kept.user_named(&user.name).is_some() {
            return Err(UserError::NameTaken);
        }
        let id = Person(kept.users.last().map_or(0, |it| it.id.0) + 1);
        let NewUser { name, password_hash, role, created } = user;
        let user = User { id, name, password_hash, role, created, disabled: None };
        kept.users.push(user.clone());
        Ok(user)
    }

    async fn user(&self, id: Person) -> Result<Option<User>, Failure> {
        Ok(self.kept().users.iter().find(|it| it.id == id).cloned())
    }

    async fn user_named(&self, name: &str) -> Result<Option<User>, Failure> {
        Ok(self.kept().user_named(name).cloned())
    }

    async fn users(&self, after: Person, most: u32) -> Result<Vec<User>, Failure> {
        let kept = self.kept();
        let users = kept.users.iter().filter(|it| it.id > after);
        Ok(users.take(most as usize).cloned().collect())
    }

    async fn change_user(&self, id: Person, change: UserChange) -> Result<(), UserError> {
        let mut kept = self.kept();
        if let UserChange::Name(name) = &change
            && kept.user_named(name).is_some_and(|it| it.id != id)
        {
            return Err(UserError::NameTaken);
        }
        let user = kept.user_mut(id)?;
        match change {
            UserChange::Name(name) => user.name = name,
            UserChange::Password(hash) => user.password_hash = hash,
            UserChange::Role { from, .. } if user.role != from => return Err(UserError::Changed),
            UserChange::Role { to, .. } => user.role = to,
            UserChange::Disabled(since) => user.disabled = since,
        }
        self.teller.tell(Notice::Person(id));
        Ok(())
    }

    async fn open_session(&self, session: Session) -> Result<(), UserError> {
        let mut kept = self.kept();
        kept.user_mut(session.person)?;
        kept.sessions.insert(session.token, session);
        Ok(())
    }

    async fn session(&self, token: TokenHash) -> Result<Option<Session>, Failure> {
        Ok(self.kept().sessions.get(&token).cloned())
    }

    async fn touch_session(
        &self,
        token: TokenHash,
        last_seen: u64,
        idle_until: u64,
    ) -> Result<bool, Failure> {
        let mut kept = self.kept();
        let session = kept.sessions.get_mut(&token);
        Ok(session.map(|it| (it.last_seen, it.idle_until) = (last_seen, idle_until)).is_some())
    }

    async fn end_sessions(&self, ending: Ending) -> Result<u64, Failure> {
        let mut kept = self.kept();
        let before = kept.sessions.len();
        let whose = match ending {
            Ending::Token(token) => kept.sessions.get(&token).map(|it| it.person),
            Ending::Person(person) => Some(person),
            // Whoever looks at a session sees for themselves that it has run out.
            Ending::RunOut(_) => None,
        };
        kept.sessions.retain(|_, session| match ending {
            Ending::Token(token) => session.token != token,
            Ending::Person(person) => session.person != person,
            Ending::RunOut(at) => session.until > at && session.idle_until > at,
        });
        if let Some(person) = whose {
            self.teller.tell(Notice::Person(person));
        }
        Ok((before - kept.sessions.len()) as u64)
    }

    async fn note_failed_login(&self, subject: &str, at: u64) -> Result<(), Failure> {
        self.kept().failed_logins.push((subject.to_owned(), at));
        Ok(())
    }

    async fn failed_logins(&self, subject: &str, since: u64) -> Result<u64, Failure> {
        let kept = self.kept();
        let failures = kept.failed_logins.iter();
        Ok(failures.filter(|(whose, at)| whose == subject && *at >= since).count() as u64)
    }

    async fn forget_failed_logins(
        &self,
        subject: Option<&str>,
        before: u64,
    ) -> Result<(), Failure> {
        let forgotten = |(whose, at): &(String, u64)| {
            *at < before && subject.is_none_or(|subject| whose == subject)
        };
        self.kept().failed_logins.retain(|failure| !forgotten(failure));
        Ok(())
    }

    async fn set_limit(&self, limit: OwnLimit) -> Result<(), UserError> {
        let mut kept = self.kept();
        let person = limit.person;
        kept.user_mut(person)?;
        kept.limits.push(limit);
        self.teller.tell(Notice::Person(person));
        Ok(())
    }

    async fn limits(&self, person: Person) -> Result<Vec<OwnLimit>, Failure> {
        Ok(self.kept().limits.iter().filter(|it| it.person == person).cloned().collect())
    }

    async fn close(&self) {}
}
