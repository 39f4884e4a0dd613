//! What someone asks of a table. It may be refused.

use houseway_rules::rulebook::{Incident, Role, Wager};
use houseway_rules::{CardSet, Cents};
use serde::{Deserialize, Serialize};

use crate::deal::{Deck, Spot};
use crate::place::{Person, Position};

/// A request: who, when, what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Who asks, and as what.
    pub by: Actor,
    /// When, in milliseconds since whenever the table's clock started. The table has no clock.
    pub at: u64,
    /// What.
    #[serde(flatten)]
    pub action: Action,
}

/// Someone in a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Actor {
    /// Who.
    pub person: Person,
    /// As what.
    pub role: Role,
}

impl Actor {
    /// A player.
    pub const fn player(person: u32) -> Actor {
        Actor { person: Person(person), role: Role::Player }
    }

    /// The dealer, or the room that does a dealer's work.
    pub const DEALER: Actor = Actor { person: Person(0), role: Role::Dealer };
}

/// Says in the form of something with several kinds that none has other fields than it names.
#[cfg(feature = "schema")]
pub fn no_other_fields(form: &mut schemars::Schema) {
    let kinds = form.get_mut("oneOf").and_then(|it| it.as_array_mut()).into_iter().flatten();
    for kind in kinds.filter_map(|it| it.as_object_mut()) {
        // Beside a reference, fields of that are counted too.
        kind.insert("unevaluatedProperties".into(), false.into());
    }
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = no_other_fields))]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Action {
    /// Bring money to the table.
    BringMoney {
        /// How much.
        amount: Cents,
    },
    /// Take money away.
    TakeMoney {
        /// How much.
        amount: Cents,
    },
    /// Sit down.
    Sit {
        /// Where.
        position: Position,
    },
    /// Get up.
    Leave {
        /// From where.
        position: Position,
    },
    /// Start a round.
    OpenRound,
    /// Take the bank that is offered.
    TakeBank {
        /// What is put up.
        put_up: Cents,
        /// What the house is to wager against it, where it plays too.
        #[serde(default)]
        house_wager: Cents,
    },
    /// Decline it.
    DeclineBank,
    /// Place a wager, in place of what one had on that bet.
    Place {
        /// Where.
        position: Position,
        /// On which bet.
        wager: Wager,
        /// How much.
        amount: Cents,
        /// For whom, where staff place it for a player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person: Option<Person>,
    },
    /// Take a wager back.
    Withdraw {
        /// Where.
        position: Position,
        /// From which bet.
        wager: Wager,
    },
    /// "No more bets".
    CloseBets,
    /// Deal.
    Deal {
        /// The shuffled deck: the table draws no chance.
        #[cfg_attr(feature = "schema", schemars(with = "CardSet"))]
        deck: Deck,
        /// The number that was drawn, where one is.
        #[serde(default)]
        number: u8,
    },
    /// Look at one's cards.
    View {
        /// Where.
        position: Position,
    },
    /// Set a hand.
    Set {
        /// Where.
        position: Position,
        /// The two cards that go Low.
        low: CardSet,
    },
    /// Have a hand set the House Way.
    SetHouseWay {
        /// Where.
        position: Position,
    },
    /// Ask how the House Way would set a hand.
    AskHouseWay {
        /// Where.
        position: Position,
    },
    /// Show the banker's hand and set it.
    Reveal {
        /// The two cards that the dealer put Low; nothing has it set by the sheet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        low: Option<CardSet>,
    },
    /// Set the hand of a banking player who may set freely.
    SetBanker {
        /// The two cards that go Low.
        low: CardSet,
    },
    /// Give a hand up.
    Concede {
        /// Where.
        position: Position,
    },
    /// Compare, pay and take.
    Settle,
    /// Do what is done when time is up.
    TimeUp,
    /// Call an irregularity.
    Call(Call),
    /// Go on after an interruption: whoever has something to do has their time again.
    Resume,
    /// Withdraw everything after a power failure.
    WithdrawAll,
    /// Keep someone to one position.
    Restrict {
        /// Whom.
        person: Person,
        /// Why.
        reason: String,
    },
    /// Decide what no rule covers.
    Rule {
        /// How.
        ruling: Ruling,
        /// Why.
        reason: String,
    },
}

/// An irregularity as it is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct Call {
    /// What happened.
    pub what: Incident,
    /// Whose hand, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<Spot>,
    /// How the cards can be put right, where they can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<Repair>,
}

/// How cards are put right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// Whole hands change places.
    Swap(Spot, Spot),
    /// A hand is put together again as it was dealt.
    Reconstruct,
    /// A hand is laid as it was meant, with these two cards in front.
    Lay(CardSet),
}

/// A decision at someone's discretion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// Play goes on.
    PlayOn,
    /// The round is void.
    Void,
    /// A hand is out and its wagers go back.
    HandOut(Position),
}
