//! People as the store keeps them. Who may do what is decided elsewhere.

use houseway_table::Person;

/// Someone who has an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Their number, given once.
    pub id: Person,
    /// The name they are shown under.
    pub name: String,
    /// How their password is known again; nothing for a guest.
    pub password_hash: Option<String>,
    /// What they are to the house.
    pub role: String,
    /// Since when, in milliseconds since 1970.
    pub created: u64,
    /// Since when they may not come in, if at all.
    pub disabled: Option<u64>,
}

/// Someone who is to have an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewUser {
    /// The name they are shown under; nobody else may have it in other capitals either.
    pub name: String,
    /// How their password is known again; nothing for a guest.
    pub password_hash: Option<String>,
    /// What they are to the house.
    pub role: String,
    /// Since when, in milliseconds since 1970.
    pub created: u64,
}

/// What can change about someone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserChange {
    /// Their name.
    Name(String),
    /// How their password is known again.
    Password(Option<String>),
    /// What they are to the house. Whoever decides it has looked at what they were: if that is not so
    /// any more, nothing changes.
    Role {
        /// What they were.
        from: String,
        /// What they are to be.
        to: String,
    },
    /// Since when they may not come in, if at all.
    Disabled(Option<u64>),
}

/// Two names are one if they are alike in lower case.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// SHA-256 of a session's token. The token itself is never kept.
pub type TokenHash = [u8; 32];

/// Someone who has come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the token they show.
    pub token: TokenHash,
    /// Who.
    pub person: Person,
    /// Since when.
    pub created: u64,
    /// When they were last heard of.
    pub last_seen: u64,
    /// When they are forgotten if they are not heard of.
    pub idle_until: u64,
    /// When they are forgotten in any case.
    pub until: u64,
}

/// A limit someone wished for themselves. What counts when is decided elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnLimit {
    /// Whose.
    pub person: Person,
    /// On what, in a word.
    pub kind: String,
    /// The most; nothing lifts the limit.
    pub most: Option<u64>,
    /// When it was asked for.
    pub made: u64,
}
