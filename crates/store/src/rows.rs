//! Between rows of a database and what they stand for. Whatever cannot be read back is damage.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use houseway_rules::Cents;
use houseway_table::Person;
use uuid::Uuid;

use crate::append::Remembered;
use crate::entry::{Entry, Hash, Head, Move, Version};
use crate::error::Failure;
use crate::name::StreamId;
use crate::people::{OwnLimit, Session, User};
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

pub(crate) fn uuid(bytes: &[u8]) -> Result<Uuid, Failure> {
    Uuid::from_slice(bytes).map_err(damage)
}

pub(crate) fn head((version, hash): (i64, Vec<u8>)) -> Result<Head, Failure> {
    Ok(Head { version: Version(count(version)?), hash: Hash(bytes(hash)?) })
}

/// `digest, stream, version, answer`.
pub(crate) type CommandRow = (Vec<u8>, String, i64, String);

/// `person, id`, then as [`CommandRow`].
pub(crate) type AnyCommandRow = (i64, Vec<u8>, Vec<u8>, String, i64, String);

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

/// `person, kind, most, made, begins`.
pub(crate) type LimitRow = (i64, String, Option<i64>, i64, i64);

pub(crate) fn limit((person, kind, most, made, begins): LimitRow) -> Result<OwnLimit, Failure> {
    let (person, most) = (self::person(person)?, most.map(count).transpose()?);
    Ok(OwnLimit { person, kind, most, made: count(made)?, begins: count(begins)? })
}
