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

/// A limit someone set themselves.
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
    /// From when on it counts: at once if it is tighter, later if it is looser.
    pub begins: u64,
}

impl OwnLimit {
    /// The limit of a kind that counts at a time: of those that have begun, the one asked for last.
    /// So whoever tightens while a looser limit waits stays with the tighter one.
    pub fn in_force<'a>(limits: &'a [OwnLimit], kind: &str, at: u64) -> Option<&'a OwnLimit> {
        limits.iter().rev().find(|limit| limit.kind == kind && limit.begins <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_looser_limit_waits_and_a_tighter_one_overtakes_it() {
        let limit = |most, made, begins| OwnLimit {
            person: Person(1),
            kind: "loss".into(),
            most,
            made,
            begins,
        };
        let limits = [limit(Some(100), 0, 0), limit(Some(500), 10, 34), limit(Some(50), 20, 20)];
        let at = |at, known| OwnLimit::in_force(&limits[..known], "loss", at).map(|it| it.most);
        assert_eq!(at(15, 2), Some(Some(100)), "the looser one waits");
        assert_eq!(at(34, 2), Some(Some(500)), "and then counts");
        assert_eq!(at(34, 3), Some(Some(50)), "unless a tighter one was asked for since");
        assert_eq!(OwnLimit::in_force(&limits, "time", 34), None);
    }
}
