//! What a house says, as far as a player listens.

use std::collections::BTreeMap;

use houseway_rules::Cents;
use houseway_table::view::TableView;
use houseway_table::{Person, Posted};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

/// A message over the socket.
pub(crate) enum Message {
    Table(Box<Update>),
    Short(Short),
}

impl Message {
    /// Reads a message. A table is read by itself: numbers as names are not read behind a tag.
    pub(crate) fn read(text: &str) -> Result<Message, serde_json::Error> {
        #[derive(Deserialize)]
        struct Kind {
            r#type: String,
        }
        let kind: Kind = serde_json::from_str(text)?;
        match kind.r#type.as_str() {
            "table" => serde_json::from_str(text).map(Message::Table),
            _ => serde_json::from_str(text).map(Message::Short),
        }
    }
}

/// Every message but that of a table.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Short {
    Welcome { protocol: u32, you: Option<Value> },
    Answer { id: Uuid, version: u64, answer: Answer },
    Failed { id: Uuid, why: String },
    Wrong { why: String },
    Pong {},
    Bye { why: String },
}

/// How a command was answered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub(crate) enum Answer {
    Done,
    Refused { says: String },
}

/// A table as we may see it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Update {
    pub(crate) table: u64,
    pub(crate) name: String,
    pub(crate) version: u64,
    pub(crate) now: u64,
    pub(crate) view: TableView,
    pub(crate) house_options: Vec<String>,
    pub(crate) ready: Vec<Person>,
    pub(crate) resumed: Option<String>,
    pub(crate) people: BTreeMap<u32, Named>,
}

/// Someone's name.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Named {
    pub(crate) name: String,
}

/// Who we are.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Me {
    pub(crate) person: Person,
    pub(crate) name: String,
    pub(crate) wallet: Cents,
}

/// A table of the lobby.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TableInfo {
    pub(crate) table: u64,
    pub(crate) rules: String,
    pub(crate) posted: Posted,
    pub(crate) seats: u8,
    pub(crate) people: u8,
    pub(crate) bots: u8,
    pub(crate) round: u64,
    pub(crate) closed: Option<String>,
}

/// Finished rounds, the newest first.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Rounds {
    pub(crate) rounds: Vec<Played>,
    pub(crate) next: Option<String>,
}

/// A finished round.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Played {
    pub(crate) table: u64,
    pub(crate) round: u64,
    pub(crate) rules: String,
    pub(crate) ended: u64,
    pub(crate) status: String,
    pub(crate) net: i64,
}

/// A finished round, told step by step.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Recall {
    pub(crate) name: String,
    pub(crate) round: Played,
    pub(crate) before: TableView,
    pub(crate) steps: Vec<Step>,
    pub(crate) clauses: Vec<Cited>,
}

/// A step of it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Step {
    pub(crate) happened: Value,
    pub(crate) view: TableView,
}

/// A clause and its sentence.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Cited {
    pub(crate) clause: String,
    pub(crate) says: Option<String>,
}
