//! The live protocol: what clients and server say to each other over a socket, as JSON texts.
//!
//! A client watches tables and sends commands; the server sends the table as that onlooker may see
//! it, and an answer to each command once it is on disk. Every update carries the whole view, so a
//! client that missed some is right again with the next; `happened` tells what led there, from the
//! version the client last had.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use houseway_fair::Bytes32;
use houseway_rules::rulebook::Role;
use houseway_table::view::TableView;
use houseway_table::{Actor, Person, seen};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::config::Config;
use crate::desk::{Ask, Desk, HouseAsk, PublishedWords};
use crate::reading::{NO_LIST, list_out_of_place, wrong_field};
use crate::record::Record;
use crate::room::{Applied, MOST_AT_ONCE};
use crate::socket::{
    HEARTBEAT, IN_FLIGHT, LARGEST_HAPPENED, LARGEST_MESSAGE, LARGEST_READ, PACE, SILENT, TABLES,
    code,
};
use crate::vault::Vault;

/// The version of the protocol. A server speaks one.
pub const PROTOCOL: u32 = 1;

/// What a client sends.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
pub enum FromClient {
    /// Watch a table: its view now, and whenever it changes.
    Watch {
        /// Which.
        table: u64,
        /// The version one has; what happened since is told, the last of it if it is very much.
        #[serde(default)]
        since: Option<u64>,
    },
    /// Watch it no longer.
    Unwatch {
        /// Which.
        table: u64,
    },
    /// Ask something of a table.
    Command {
        /// Of which.
        table: u64,
        /// The command's own name. Sent again under it, a command is answered again and not done
        /// again. Any UUID will do; one that begins with the time (version 7) is found fastest.
        id: Uuid,
        /// What.
        command: Ask,
    },
    /// Is anyone there?
    Ping {
        /// Comes back.
        #[serde(default)]
        n: u64,
    },
}

impl FromClient {
    /// Reads a message, or says what is wrong with it, and where. That takes a second reading, which the
    /// messages that can be read, almost all, need not pay for.
    pub fn read(text: &str) -> Result<FromClient, FromServer<'static>> {
        if let Some(field) = list_out_of_place(text.as_bytes()) {
            let sent: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            let why = match field.is_empty() {
                true => NO_LIST.to_owned(),
                false => format!("{field}: {NO_LIST}"),
            };
            return Err(FromServer::wrong(&sent, why));
        }
        serde_json::from_str(text).map_err(|error| {
            let sent: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            let why = match wrong_field::<FromClient>(&sent, "type") {
                Some(field) => format!("{field}: {error}"),
                None => error.to_string(),
            };
            FromServer::wrong(&sent, why)
        })
    }
}

/// What the server sends.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum FromServer<'a> {
    /// The first message.
    Welcome {
        /// The protocol's version.
        protocol: u32,
        /// Whom the server takes the client for; nobody for one who only watches.
        you: Option<You>,
        /// The server's time, in milliseconds since 1970.
        now: u64,
    },
    /// A table as this onlooker may see it.
    Table(Box<TableUpdate<'a>>),
    /// A command was answered. It is on disk.
    Answer {
        /// Which command.
        id: Uuid,
        /// Where the table's log stood afterwards.
        version: u64,
        /// `{"answer":"done"}`, or `{"answer":"refused","refused":…,"clause":…,"says":…}`.
        #[schemars(with = "Answered")]
        answer: &'a RawValue,
    },
    /// A command was not answered. Nothing was acknowledged: send it again under the same id.
    Failed {
        /// Which command.
        id: Uuid,
        /// Why.
        why: String,
        /// Whether it can help to send it again.
        again: bool,
    },
    /// A message was not understood, or a table not found.
    Wrong {
        /// Why, and where in the message.
        why: String,
        /// The command, where the message was one and has an id.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Uuid>,
        /// The table that it is about, where it names one.
        #[serde(skip_serializing_if = "Option::is_none")]
        table: Option<u64>,
    },
    /// Someone is there.
    Pong {
        /// As it was sent.
        n: u64,
        /// The server's time.
        now: u64,
    },
    /// The last message.
    Bye {
        /// Why.
        why: &'a str,
    },
}

impl FromServer<'static> {
    /// Something is wrong with a message.
    fn wrong(sent: &serde_json::Value, why: String) -> FromServer<'static> {
        let id = sent["id"].as_str().and_then(|id| id.parse().ok());
        FromServer::Wrong { why, id, table: sent["table"].as_u64() }
    }
}

/// How a command was answered.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answered {
    /// It was carried out.
    Done,
    /// It was refused, and changed nothing.
    Refused {
        /// What is wrong, in a word.
        refused: String,
        /// By which clause, where one says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clause: Option<String>,
        /// In a sentence.
        says: String,
    },
}

/// Whom the server takes a client for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct You {
    /// Their number.
    pub person: Person,
    /// Their name.
    pub name: String,
    /// As what they act.
    pub role: Role,
    /// Whether they have no password.
    pub guest: bool,
}

/// A table as one onlooker may see it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TableUpdate<'a> {
    /// Which table.
    pub table: u64,
    /// What it is called.
    pub name: &'a str,
    /// Where its log stands.
    pub version: u64,
    /// The server's time.
    pub now: u64,
    /// What happened since the version the client had, in order.
    #[schemars(with = "Vec<Happened<'static>>")]
    pub happened: Vec<&'a RawValue>,
    /// Whether something may have happened that could not be told; the table is whole all the same.
    pub missed: bool,
    /// The table.
    #[schemars(with = "TableView")]
    pub view: TableView<&'a RawValue>,
    /// What this onlooker may ask beside the game: `say`, `ready`, and for staff
    /// `close-table` or `open-table`.
    pub house_options: Vec<&'static str>,
    /// Who waits for nothing more in this phase.
    pub ready: Vec<Person>,
    /// What the deck of this round was committed to before the first wager.
    #[schemars(with = "Option<String>")]
    pub commitment: Option<Bytes32>,
    /// What the players said, by which the deck is cut: from "no more bets" until the round is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<PublishedWords>,
    /// Why the round was interrupted, if it was.
    pub resumed: Option<&'a str>,
    /// Why the table is closed, if it is: the round in progress ends, and none begins.
    pub closed: Option<&'a str>,
    /// When the next round opens, if it does by itself.
    pub next_round: Option<u64>,
    /// Names of everyone at the table, bots marked.
    #[schemars(with = "BTreeMap<u32, Named>")]
    pub people: &'a RawValue,
}

/// Someone's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Named {
    /// The name.
    pub name: String,
    /// Whether it is one of the house's own players.
    pub bot: bool,
}

/// Something that happened, as everyone may know it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Happened<'a> {
    /// At which version.
    pub version: u64,
    /// When.
    pub at: u64,
    /// By whom; nobody for what the house does by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<Person>,
    /// What.
    #[serde(flatten)]
    pub what: What<'a>,
}

/// What happened.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum What<'a> {
    /// Something of the game.
    Game(seen::Seen<'a>),
    /// Something beside it, in a word.
    Beside {
        /// The word.
        event: Beside,
        /// More about it.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<&'a str>,
        /// What the deck was committed to, where that is what happened.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        commitment: Option<Bytes32>,
    },
}

/// What can happen beside the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Beside {
    /// The table was opened.
    Opened,
    /// The house committed to a deck.
    Committed,
    /// Someone said words, by which the deck will be cut.
    Said,
    /// Someone waits for nothing more.
    Ready,
    /// Play was interrupted and goes on.
    Resumed,
    /// The table was closed.
    Closed,
    /// The table was opened again.
    Reopened,
}

/// A record as everyone may know it.
pub fn happened(applied: &Applied) -> Happened<'_> {
    let beside = |event, why| What::Beside { event, why, commitment: None };
    let what = match &applied.stamped.record {
        Record::Happened(event) => What::Game(seen::seen(event)),
        Record::Opened(_) => beside(Beside::Opened, None),
        Record::Committed(it) => {
            let commitment = Some(it.commitment);
            What::Beside { event: Beside::Committed, why: None, commitment }
        }
        // Words are told when bets are closed: whoever hears them before could aim the cut.
        Record::Said { .. } => beside(Beside::Said, None),
        Record::Ready => beside(Beside::Ready, None),
        Record::Resumed { why } => beside(Beside::Resumed, Some(why)),
        Record::Closed { why } => beside(Beside::Closed, Some(why)),
        Record::Reopened { why } => beside(Beside::Reopened, Some(why)),
    };
    let by = applied.stamped.by.person;
    Happened {
        version: applied.version.0,
        at: applied.at,
        who: (by != Person(0)).then_some(by),
        what,
    }
}

/// What someone may ask beside the game: what the desk would grant.
pub fn house_options(desk: &Desk, by: Option<Actor>, at: u64, vault: &Vault) -> Vec<&'static str> {
    static ALL: LazyLock<[(&str, Ask); 4]> = LazyLock::new(|| {
        [
            ("say", Ask::House(HouseAsk::Say { words: "words".into() })),
            ("ready", Ask::House(HouseAsk::Ready)),
            ("close-table", Ask::House(HouseAsk::CloseTable { why: "a reason".into() })),
            ("open-table", Ask::House(HouseAsk::OpenTable { why: "a reason".into() })),
        ]
    });
    let Some(by) = by else { return vec![] };
    let granted = |ask| desk.decide(by, ask, at, vault).is_ok();
    ALL.iter().filter_map(|(name, ask)| granted(ask).then_some(*name)).collect()
}

/// What the form of messages does not say.
fn in_words() -> String {
    let rate = Config::default().messages_per_second;
    format!(
        "A message is a JSON text of at most {LARGEST_MESSAGE} bytes. A client sends {rate} messages a second, \
         unless the operator allows another number, and at first twice as many at once; it watches up to \
         {TABLES} tables. Whoever sends more, or what is no text, is told why (`bye`) and let go. Of a message \
         of more than {LARGEST_READ} bytes the rest is not read: the connection ends at once, with the close code {} \
         or without, and `bye` may be lost with it. Commands are decided in the order in which they are sent, and \
         {IN_FLIGHT} are on their way at once: more are read \
         when one is answered. What happened since a version is told, the last {MOST_AT_ONCE} of it and \
         {LARGEST_HAPPENED} bytes at most; `missed` says when that is not all. Views of a table that changes \
         come every {} ms at most. The house asks every {} s whether a client is there, by a ping that \
         libraries answer by themselves, and lets go of one that has said nothing for {} s.",
        code::TOO_LARGE,
        PACE.as_millis(),
        HEARTBEAT.as_secs(),
        SILENT.as_secs(),
    )
}

/// The form of everything that is said over a socket: any message, or by who says it.
pub fn schema() -> serde_json::Value {
    let mut client = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let mut server = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let from_client = client.subschema_for::<FromClient>();
    let from_server = server.subschema_for::<FromServer<'static>>();
    let mut forms = server.take_definitions(true);
    for (name, form) in client.take_definitions(true) {
        // What both say has one form.
        let known = forms.insert(name.clone(), form.clone());
        assert!(known.is_none_or(|it| it == form), "two forms of {name}");
    }
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Houseway's live protocol",
        "description": in_words(),
        "protocol": PROTOCOL,
        "anyOf": [from_client, from_server],
        "from-client": from_client,
        "from-server": from_server,
        "$defs": forms,
    })
}
