//! What is kept of a table, entry by entry.

use std::sync::Arc;

use houseway_fair::{Bytes32, Sealed};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{custom, houses};
use houseway_table::{Actor, Event, Person, Position, Posted, Setup};
use serde::{Deserialize, Serialize};

use crate::bots::Strategy;

/// An entry of a table's log: who did it, and what it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Stamped {
    /// Who, and as what; the house's own doing is the dealer's.
    pub by: Actor,
    /// What.
    pub record: Record,
}

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// The table was opened. Always the first.
    Opened(Opening),
    /// An event of the table itself.
    Happened(Event),
    /// The deck of a round is settled, before the first wager.
    Committed(Committed),
    /// A player added words of their own, by which the deck will be cut.
    Said {
        /// What they said.
        words: String,
    },
    /// Someone waits for nothing more in this phase.
    Ready,
    /// Play was interrupted and goes on.
    Resumed {
        /// What happened, in words for the players.
        why: String,
    },
    /// The table is closed: the round in progress ends, and none begins.
    Closed {
        /// Why.
        why: String,
    },
    /// The table is open again.
    Reopened {
        /// Why.
        why: String,
    },
}

/// How a table was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Opening {
    /// What it is called.
    pub name: String,
    /// By whose rules it is played.
    pub rulebook: RulebookSource,
    /// What the room posts.
    pub posted: Posted,
    /// How long results are shown before the next round, in milliseconds.
    #[serde(default = "Opening::results")]
    pub results: u64,
    /// How many can sit, where it is fewer than the layout has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<u8>,
    /// Seats that the house's own players fill, shown as such to everyone.
    #[serde(default)]
    pub bots: Vec<Bot>,
    /// Whether it is listed for everyone; otherwise one needs its link.
    #[serde(default = "Opening::listed")]
    pub listed: bool,
}

impl Opening {
    /// Long enough to read a result.
    const fn results() -> u64 {
        6_000
    }

    const fn listed() -> bool {
        true
    }

    /// The table's set-up, if its rulebook can be read and allows what is posted.
    pub fn setup(&self) -> Result<Setup, String> {
        let rulebook = self.rulebook.rulebook()?;
        Setup::new(rulebook, self.posted.clone()).map_err(|error| error.to_string())
    }
}

/// Where a rulebook comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RulebookSource {
    /// One of the five houses, by its id.
    House(String),
    /// A file of the operator's, kept whole, so that a log can always be read again.
    File {
        /// Its id.
        id: String,
        /// Its text.
        toml: String,
    },
}

impl RulebookSource {
    /// The rulebook's id.
    pub fn id(&self) -> &str {
        match self {
            RulebookSource::House(id) | RulebookSource::File { id, .. } => id,
        }
    }

    /// The rulebook, read and proved.
    pub fn rulebook(&self) -> Result<Arc<Rulebook>, String> {
        match self {
            RulebookSource::House(id) => match houses::find(id) {
                Some(rulebook) => Ok(Arc::new(rulebook.clone())),
                None => Err(format!("there is no rulebook `{id}`")),
            },
            RulebookSource::File { id, toml } => match custom::read(id, toml) {
                Ok(custom) => Ok(Arc::new(custom.rulebook)),
                Err(remark) => Err(remark.to_string()),
            },
        }
    }
}

/// A player of the house's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Bot {
    /// Its number among people.
    pub person: Person,
    /// What it is called.
    pub name: String,
    /// Where it sits.
    pub position: Position,
    /// How it sets its hands.
    pub strategy: Strategy,
}

/// The deck of a round, settled before the first wager.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Committed {
    /// Which round.
    pub round: u64,
    /// What is published.
    pub commitment: Bytes32,
    /// What it was made from, sealed.
    pub seed: Sealed,
}

impl Record {
    /// What kind of thing it is, in a word. Of events it is their tag, which stands in the text of the
    /// entry already: `{"by":…,"record":{"happened":{"event":"…`.
    pub(crate) fn kind(&self, text: &str) -> String {
        match self {
            Record::Happened(_) => {
                let tagged = text.split_once(r#"{"happened":{"event":""#).map(|(_, rest)| rest);
                let kind = tagged.and_then(|it| it.split('"').next());
                kind.expect("an event begins with its tag").to_string()
            }
            Record::Opened(_) => "opened".into(),
            Record::Committed(_) => "committed".into(),
            Record::Said { .. } => "said".into(),
            Record::Ready => "ready".into(),
            Record::Resumed { .. } => "resumed".into(),
            Record::Closed { .. } => "closed".into(),
            Record::Reopened { .. } => "reopened".into(),
        }
    }

    /// Whether it may not lie open: it tells cards, or words by which a deck is still to be cut.
    pub fn is_secret(&self) -> bool {
        let Record::Happened(event) = self else { return matches!(self, Record::Said { .. }) };
        matches!(
            event,
            Event::Dealt { .. }
                | Event::Set { .. }
                | Event::Dead { .. }
                | Event::HouseWayTold { .. }
                | Event::BankerSet { .. }
                | Event::HouseSet { .. }
                | Event::Reset { .. }
                | Event::Corrected { .. }
        )
    }
}
