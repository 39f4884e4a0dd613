//! What can go wrong, by what the caller can do about it.

use std::borrow::Cow;

use crate::entry::{Break, Version};
use crate::name::AccountName;

/// The store could not do it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Too much is asked at once. Nothing was stored; ask again later.
    #[error("the store is busy: nothing was stored, ask again")]
    Busy,
    /// The database is down, the disk full, the folder read-only. Nothing was acknowledged: a
    /// command that asks again under the same id is carried out once, whatever became of the first.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The store holds what cannot be. A person has to look.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
}

/// An append was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Somebody else appended first. Read again, decide again.
    #[error("the stream has gone on to version {actual}")]
    Conflict {
        /// Where the stream stands.
        actual: Version,
    },
    /// An account would go below nothing that may not.
    #[error("{account} has not enough")]
    Overdrawn {
        /// Which.
        account: AccountName,
    },
    /// The command's id was used before, for something else.
    #[error("the command's id was used for another command")]
    OtherContent,
    /// No store could hold it.
    #[error("it cannot be stored: {0}")]
    Invalid(&'static str),
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// A person was not entered or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UserError {
    /// Somebody has that name, however it is capitalised.
    #[error("the name is taken")]
    NameTaken,
    /// There is nobody with that number.
    #[error("there is no such person")]
    Unknown,
    /// Somebody else was faster.
    #[error("they are not what they were: look again")]
    Changed,
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// A chain was not found whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// It is broken.
    #[error(transparent)]
    Broken(#[from] Break),
    /// It could not be read.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// A store was not opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A newer Houseway has written there.
    #[error("the database has schema {found}, this program knows {known}: use a newer Houseway")]
    NewerSchema {
        /// What was found.
        found: u32,
        /// What is known.
        known: u32,
    },
    /// An older Houseway has written there, and it was to be read only.
    #[error(
        "the database has schema {found}, this program reads {known}: open the house with this program, \
         which brings it up to date"
    )]
    OlderSchema {
        /// What was found.
        found: u32,
        /// What is read.
        known: u32,
    },
    /// The SQLite that was linked is too old to be trusted.
    #[error("SQLite {found} can damage its write-ahead log: 3.51.3 or newer is needed")]
    OldSqlite {
        /// What was found.
        found: String,
    },
    /// The database does not answer. It may later.
    #[error("it does not answer: {0}")]
    Away(String),
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// SQLite's and PostgreSQL's own words for trouble.
impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Failure {
        let code = error.as_database_error().and_then(|it| it.code().map(Cow::into_owned));
        let sqlite = || code.as_ref().and_then(|it| it.parse::<i32>().ok());
        match (&error, code.as_deref()) {
            // Serialization failure, deadlock, lock timeout; a full house.
            (_, Some("40001" | "40P01" | "55P03" | "53300")) => Failure::Busy,
            (_, Some("XX001" | "XX002")) => Failure::Corrupt(error.to_string()),
            (_, Some(code)) if code.len() == 5 => Failure::Unavailable(error.to_string()),
            (sqlx::Error::Database(_), _) => of_sqlite(sqlite(), error.to_string()),
            (
                sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::Decode(_)
                | sqlx::Error::ColumnNotFound(_)
                | sqlx::Error::TypeNotFound { .. },
                _,
            ) => Failure::Corrupt(error.to_string()),
            _ => Failure::Unavailable(error.to_string()),
        }
    }
}

/// What SQLite's code for trouble means. Extended codes carry its kind in their low byte.
fn of_sqlite(code: Option<i32>, words: String) -> Failure {
    match code.map(|it| it & 0xff) {
        Some(5 | 6) => Failure::Busy,
        Some(11 | 26) => Failure::Corrupt(words),
        _ => Failure::Unavailable(words),
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        match error.sqlite_error() {
            Some(it) => of_sqlite(Some(it.extended_code), error.to_string()),
            // What is there cannot be read as what it should be.
            None => Failure::Corrupt(error.to_string()),
        }
    }
}

impl From<sqlx::Error> for AppendError {
    fn from(error: sqlx::Error) -> AppendError {
        AppendError::Failed(error.into())
    }
}

impl From<sqlx::Error> for OpenError {
    fn from(error: sqlx::Error) -> OpenError {
        let code = error.as_database_error().and_then(|it| it.code().map(Cow::into_owned));
        let is_away = match code.as_deref() {
            None => matches!(error, sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut),
            // It starts or stops, or is full; another node brings it up to date; the connection broke.
            Some("57P01" | "57P02" | "57P03" | "53300" | "55P03") => true,
            Some(code) => code.len() == 5 && code.starts_with("08"),
        };
        match is_away {
            true => OpenError::Away(error.to_string()),
            false => OpenError::Failed(error.into()),
        }
    }
}
