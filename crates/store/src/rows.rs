//! Between rows of a database and what they stand for. Whatever cannot be read back is damage.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use houseway_rules::Cents;
use houseway_table::Person;

use crate::append::Remembered;
use crate::entry::{Entry, Hash, Head, Move, Version};
use crate::error::Failure;
use crate::name::{StreamId, TableId};
use crate::people::{OwnLimit, Session, User};
use crate::round::{
    BetSum, RoundRow, RoundShare, RoundStatus, RoundSum, Rows, StatusKind, SumBy, Sums,
};
use crate::{Moved, Place};

/// Databases count in signed numbers. Times beyond them are further away than anyone waits.
pub(crate) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn damage(what: impl Display) -> Failure {
    Failure::Corrupt(what.to_string())
}

pub(crate) fn count(number: i64) -> Result<u64, Failure> {
    u64::try_from(number).map_err(damage)
}

pub(crate) fn name<T: FromStr<Err: Display>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(damage)
}

fn small(number: i64) -> Result<u32, Failure> {
    u32::try_from(number).map_err(damage)
}

fn bytes(bytes: Vec<u8>) -> Result<[u8; 32], Failure> {
    bytes.try_into().map_err(|it: Vec<u8>| damage(format!("a hash of {} bytes", it.len())))
}

pub(crate) fn person(number: i64) -> Result<Person, Failure> {
    small(number).map(Person)
}

pub(crate) fn head((version, hash): (i64, Vec<u8>)) -> Result<Head, Failure> {
    Ok(Head { version: Version(count(version)?), hash: Hash(bytes(hash)?) })
}

/// Places in streams.
pub(crate) fn places(rows: Vec<(String, i64)>) -> Result<Vec<(StreamId, Version)>, Failure> {
    let places = rows.into_iter();
    places.map(|(stream, version)| Ok((name(&stream)?, Version(count(version)?)))).collect()
}

/// `digest, stream, version, answer`.
pub(crate) type CommandRow = (Vec<u8>, String, i64, String);

pub(crate) fn remembered(row: CommandRow) -> Result<Remembered, Failure> {
    let (digest, stream, version, answer) = row;
    let (digest, version) = (bytes(digest)?, Version(count(version)?));
    Ok(Remembered { digest, stream: name(&stream)?, version, answer })
}

/// `version, at, kind, body, previous, hash`.
pub(crate) type EntryRow = (i64, i64, String, String, Vec<u8>, Vec<u8>);

/// `from_account, to_account, amount, reason, clause`.
pub(crate) type MoveRow = (String, String, i64, String, Option<String>);

fn moved((from, to, amount, reason, clause): MoveRow) -> Result<Move, Failure> {
    let amount = Cents::new(count(amount)?);
    Ok(Move { from: name(&from)?, to: name(&to)?, amount, reason, clause })
}

/// Puts entries and their moves together; the moves come with their entry's version and in order.
pub(crate) fn entries(
    stream: &StreamId,
    entries: Vec<EntryRow>,
    moves: Vec<(i64, String, String, i64, String, Option<String>)>,
) -> Result<Vec<Entry>, Failure> {
    let mut by_entry: BTreeMap<i64, Vec<Move>> = BTreeMap::new();
    for (version, from, to, amount, reason, clause) in moves {
        let it = moved((from, to, amount, reason, clause))?;
        by_entry.entry(version).or_default().push(it);
    }
    let entries = entries.into_iter().map(|(version, at, kind, body, previous, hash)| {
        Ok(Entry {
            stream: stream.clone(),
            version: Version(count(version)?),
            at: count(at)?,
            kind,
            body,
            moves: by_entry.remove(&version).unwrap_or_default(),
            previous: Hash(bytes(previous)?),
            hash: Hash(bytes(hash)?),
        })
    });
    entries.collect()
}

/// `at, stream, version, number`, then as [`MoveRow`].
pub(crate) type MovedRow = (i64, String, i64, i64, String, String, i64, String, Option<String>);

pub(crate) fn placed(row: MovedRow) -> Result<Moved, Failure> {
    let (at, stream, version, number, from, to, amount, reason, clause) = row;
    let (at, version, number) = (count(at)?, Version(count(version)?), small(number)?);
    let place = Place { at, stream: name(&stream)?, version, number };
    Ok(Moved { place, moved: moved((from, to, amount, reason, clause))? })
}

/// `id, name, password_hash, role, created, disabled`.
pub(crate) type UserRow = (i64, String, Option<String>, String, i64, Option<i64>);

pub(crate) fn user(row: UserRow) -> Result<User, Failure> {
    let (id, name, password_hash, role, created, disabled) = row;
    let (id, created) = (person(id)?, count(created)?);
    Ok(User { id, name, password_hash, role, created, disabled: disabled.map(count).transpose()? })
}

/// `token, person, created, last_seen, idle_until, until`.
pub(crate) type SessionRow = (Vec<u8>, i64, i64, i64, i64, i64);

pub(crate) fn session(row: SessionRow) -> Result<Session, Failure> {
    let (token, person, created, last_seen, idle_until, until) = row;
    Ok(Session {
        token: bytes(token)?,
        person: self::person(person)?,
        created: count(created)?,
        last_seen: count(last_seen)?,
        idle_until: count(idle_until)?,
        until: count(until)?,
    })
}

/// `person, kind, most, made`.
pub(crate) type LimitRow = (i64, String, Option<i64>, i64);

pub(crate) fn limit((person, kind, most, made): LimitRow) -> Result<OwnLimit, Failure> {
    let (person, most) = (self::person(person)?, most.map(count).transpose()?);
    Ok(OwnLimit { person, kind, most, made: count(made)? })
}

/// `table_id, last_version, round, first_version, rulebook, began, ended, status, clause,
/// house_took, house_paid`.
pub(crate) type RoundRowRow =
    (i64, i64, i64, i64, String, i64, i64, String, Option<String>, i64, i64);

/// `table_id, last_version, person, bet, bot, wagered, taken, paid, back, commission`.
pub(crate) type ShareRow = (i64, i64, i64, String, bool, i64, i64, i64, i64, i64);

/// Puts rounds and their shares together, in the order of the rounds.
pub(crate) fn rounds(
    rounds: Vec<RoundRowRow>,
    shares: Vec<ShareRow>,
) -> Result<Vec<RoundRow>, Failure> {
    let mut by_round: BTreeMap<(i64, i64), Vec<RoundShare>> = BTreeMap::new();
    for (table, last, person, bet, bot, wagered, taken, paid, back, commission) in shares {
        by_round.entry((table, last)).or_default().push(RoundShare {
            person: self::person(person)?,
            bet: name(&bet)?,
            bot,
            wagered: cents(wagered)?,
            taken: cents(taken)?,
            paid: cents(paid)?,
            back: cents(back)?,
            commission: cents(commission)?,
        });
    }
    let rounds = rounds.into_iter().map(
        |(table, last, round, first, rulebook, began, ended, status, clause, took, paid)| {
            let clause = || clause.clone().ok_or_else(|| damage("a round without its clause"));
            let mut shares = by_round.remove(&(table, last)).unwrap_or_default();
            // Words sort otherwise than what they stand for.
            shares.sort_by_key(|it| (it.person, it.bet));
            Ok(RoundRow {
                table: TableId(count(table)?),
                round: count(round)?,
                rulebook,
                began: count(began)?,
                ended: count(ended)?,
                first: Version(count(first)?),
                last: Version(count(last)?),
                status: match name(&status)? {
                    StatusKind::Settled => RoundStatus::Settled,
                    StatusKind::Void => RoundStatus::Void { clause: clause()? },
                    StatusKind::Corrected => RoundStatus::Corrected { clause: clause()? },
                },
                house_took: cents(took)?,
                house_paid: cents(paid)?,
                shares,
            })
        },
    );
    rounds.collect()
}

fn cents(number: i64) -> Result<Cents, Failure> {
    count(number).map(Cents::new)
}

/// `key, rulebook, status, count, house_took, house_paid`.
pub(crate) type RowsSumRow = (i64, String, String, i64, i64, i64);

/// `key, rulebook, bet, bot, count, wagered, taken, paid, back, commission, squares`.
pub(crate) type BetSumRow = (i64, String, String, bool, i64, i64, i64, i64, i64, i64, f64);

pub(crate) fn sums(
    by: SumBy,
    rows: Vec<RowsSumRow>,
    bets: Vec<BetSumRow>,
) -> Result<Vec<RoundSum>, Failure> {
    let mut sums = Sums::default();
    for (key, rulebook, status, number, took, paid) in rows {
        let (status, number): (StatusKind, u64) = (name(&status)?, count(number)?);
        let of = |kind| if status == kind { number } else { 0 };
        let rows = Rows {
            rounds: of(StatusKind::Settled),
            voids: of(StatusKind::Void),
            corrections: of(StatusKind::Corrected),
            house_took: count(took)?,
            house_paid: count(paid)?,
        };
        sums.rows((by.key_of(count(key)?), rulebook), rows);
    }
    for (key, rulebook, bet, bot, shares, wagered, taken, paid, back, commission, squares) in bets {
        let bet = BetSum {
            bet: name(&bet)?,
            bot,
            shares: count(shares)?,
            wagered: count(wagered)?,
            taken: count(taken)?,
            paid: count(paid)?,
            back: count(back)?,
            commission: count(commission)?,
            squares,
        };
        sums.bet((by.key_of(count(key)?), rulebook), bet);
    }
    Ok(sums.end())
}
