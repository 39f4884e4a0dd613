//! What the log of the house says: who did what to whom, why, and what changed by it; which program
//! ran when.

use std::collections::BTreeMap;

use houseway_fair::Bytes32;
use houseway_rules::Cents;
use houseway_store::{Entry, Failure, Move, NewEntry};
use houseway_table::Person;
use serde::{Deserialize, Serialize};

use super::standing::Standing;

/// An entry of the stream `house`. Its number and time are the log's own (GLI-19 2.9.5, B.3.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum HouseRecord {
    /// Someone became something else to the house.
    Standing(Alteration<Standing>),
    /// Someone was shut out, or let in again: since when they may not come in.
    Disabled(Alteration<Option<u64>>),
    /// All sessions of someone were ended.
    Sessions(Alteration<Sessions>),
    /// Someone got another password, from their own hands or from outside of the server.
    Password(Alteration<Password>),
    /// The cashier gave play money: what the wallet held.
    PlayMoney(Alteration<Cents>),
    /// Someone looked at every card of a round, also at those that were never shown.
    EveryCard(Look),
    /// Someone looked at the hands that were conceded in a round.
    ConcededHands(Look),
    /// A node of the house was opened.
    Started(Run),
    /// A node of the house was closed in an orderly way.
    Stopped(Run),
    /// A node begins no round: files are not what they should be.
    PlayStopped {
        /// Which, in words.
        differences: Vec<String>,
    },
    /// All files are again what they should be, and play goes on.
    PlayGoesOn,
}

/// Which program ran, and with what: SHA-256 of files, as far as they could be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Its version.
    pub version: String,
    /// Of the program.
    pub program: Option<Bytes32>,
    /// Of the configuration file, where there was one.
    pub configuration: Option<Bytes32>,
    /// Of rulebook files, by the ids that tables could be opened with.
    pub rulebooks: BTreeMap<String, Bytes32>,
    /// Whether all were held against a list.
    pub checked: bool,
}

/// A look at cards of a round that is over, which are not for everyone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Who looked.
    pub by: By,
    /// Why, in their words.
    pub why: String,
    /// At which table.
    pub table: u64,
    /// At which round.
    pub round: u64,
}

/// Something about someone that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alteration<T> {
    /// Whom it is about.
    pub person: Person,
    /// Who did it.
    pub by: By,
    /// Why, in their words.
    pub why: String,
    /// What it was.
    pub before: T,
    /// What it is.
    pub after: T,
}

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Someone with an account.
    Person(Person),
    /// Whoever runs commands on the machine itself. They hold the database and need no leave.
    CommandLine,
}

/// Whether someone's sessions go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sessions {
    /// As many as there were.
    Open,
    /// None.
    Ended,
}

/// What may be said about a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Password {
    /// There was none.
    None,
    /// There was one.
    Old,
    /// There is another one now.
    New,
}

impl HouseRecord {
    /// The word an entry of this kind goes by.
    pub const fn kind(&self) -> &'static str {
        match self {
            HouseRecord::Standing(_) => "standing",
            HouseRecord::Disabled(_) => "disabled",
            HouseRecord::Sessions(_) => "sessions",
            HouseRecord::Password(_) => "password",
            HouseRecord::PlayMoney(_) => "play-money",
            HouseRecord::EveryCard(_) => "every-card",
            HouseRecord::ConcededHands(_) => "conceded-hands",
            HouseRecord::Started(_) => "started",
            HouseRecord::Stopped(_) => "stopped",
            HouseRecord::PlayStopped { .. } => "play-stopped",
            HouseRecord::PlayGoesOn => "play-goes-on",
        }
    }

    /// The entry to append.
    pub fn entry(&self, moves: Vec<Move>) -> NewEntry {
        let body = serde_json::to_string(self).expect("a record is plain data");
        NewEntry { kind: self.kind().to_owned(), body, moves }
    }

    /// What an entry says. The log of the house has entries of other kinds too: those are nothing.
    pub fn read(entry: &Entry) -> Result<Option<HouseRecord>, Failure> {
        const KINDS: [&str; 11] = [
            "standing",
            "disabled",
            "sessions",
            "password",
            "play-money",
            "every-card",
            "conceded-hands",
            "started",
            "stopped",
            "play-stopped",
            "play-goes-on",
        ];
        if !KINDS.contains(&entry.kind.as_str()) {
            return Ok(None);
        }
        let wrong =
            |error| Failure::Corrupt(format!("{} {}: {error}", entry.stream, entry.version));
        serde_json::from_str(&entry.body).map(Some).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::rulebook::Role;
    use houseway_store::{Hash, StreamId, Version};

    /// The stored form: a diff here leaves what was ever written unread.
    #[test]
    fn the_stored_form_stays_what_it_is() {
        fn of<T>(by: By, before: T, after: T) -> Alteration<T> {
            Alteration { person: Person(7), by, why: "w".into(), before, after }
        }
        let by = By::Person(Person(1));
        let (version, hash, digits) = ("1.2", Bytes32([1; 32]), "01".repeat(32));
        let run = Run {
            version: version.into(),
            program: Some(hash),
            configuration: Some(hash),
            rulebooks: [("own".to_string(), hash)].into(),
            checked: true,
        };
        let started = format!(
            r#"{{"kind":"started","version":"1.2","program":"{digits}","configuration":"{digits}","rulebooks":{{"own":"{digits}"}},"checked":true}}"#
        );
        let unknown = Run { version: version.into(), ..Run::default() };
        let (player, dealer) = (Standing::PLAYER, Standing::Table(Role::Dealer));
        let stored = [
            (
                HouseRecord::Standing(of(By::CommandLine, player, dealer)),
                r#"{"kind":"standing","person":7,"by":"command-line","why":"w","before":"player","after":"dealer"}"#,
            ),
            (
                HouseRecord::Disabled(of(by, None, Some(9))),
                r#"{"kind":"disabled","person":7,"by":{"person":1},"why":"w","before":null,"after":9}"#,
            ),
            (
                HouseRecord::Sessions(of(by, Sessions::Open, Sessions::Ended)),
                r#"{"kind":"sessions","person":7,"by":{"person":1},"why":"w","before":"open","after":"ended"}"#,
            ),
            (
                HouseRecord::Password(of(by, Password::None, Password::New)),
                r#"{"kind":"password","person":7,"by":{"person":1},"why":"w","before":"none","after":"new"}"#,
            ),
            (
                HouseRecord::PlayMoney(of(by, Cents::new(5), Cents::dollars(10_000))),
                r#"{"kind":"play-money","person":7,"by":{"person":1},"why":"w","before":5,"after":1000000}"#,
            ),
            (
                HouseRecord::EveryCard(Look { by, why: "w".into(), table: 7, round: 3 }),
                r#"{"kind":"every-card","by":{"person":1},"why":"w","table":7,"round":3}"#,
            ),
            (
                HouseRecord::ConcededHands(Look { by, why: "w".into(), table: 7, round: 3 }),
                r#"{"kind":"conceded-hands","by":{"person":1},"why":"w","table":7,"round":3}"#,
            ),
            (HouseRecord::Started(run), &started),
            (
                HouseRecord::Stopped(unknown),
                r#"{"kind":"stopped","version":"1.2","program":null,"configuration":null,"rulebooks":{},"checked":false}"#,
            ),
            (
                HouseRecord::PlayStopped { differences: vec!["it".into()] },
                r#"{"kind":"play-stopped","differences":["it"]}"#,
            ),
            (HouseRecord::PlayGoesOn, r#"{"kind":"play-goes-on"}"#),
        ];
        for (record, body) in stored {
            let new = record.entry(vec![]);
            assert_eq!(new.body, body);
            let mut entry = Entry {
                stream: StreamId::house(),
                version: Version(1),
                at: 0,
                kind: new.kind,
                body: new.body,
                moves: new.moves,
                previous: Hash::NONE,
                hash: Hash::NONE,
            };
            assert_eq!(HouseRecord::read(&entry), Ok(Some(record)));
            entry.body.pop();
            assert!(matches!(HouseRecord::read(&entry), Err(Failure::Corrupt(_))));
            entry.kind = "table-opened".into();
            assert_eq!(HouseRecord::read(&entry), Ok(None));
        }
    }
}
