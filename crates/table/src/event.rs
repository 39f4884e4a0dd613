//! What has happened at a table. Never refused, never edited, kept for good.

use houseway_rules::rulebook::{Incident, Text, Wager};
use houseway_rules::{CardSet, Cents};
use serde::{Deserialize, Serialize};

use crate::command::{Actor, Ruling};
use crate::deal::Spot;
use crate::place::{Person, Position};
use crate::settlement::Line;
use crate::stake::{Bank, Share};
use crate::state::Rotation;

/// A fact. Those that decide something carry the clause they follow, and amounts rather than the
/// rules that gave them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Event {
    /// Money came to the table.
    MoneyBrought {
        /// Whose.
        person: Person,
        /// How much.
        amount: Cents,
    },
    /// Money left the table.
    MoneyTaken {
        /// Whose.
        person: Person,
        /// How much.
        amount: Cents,
    },
    /// Someone sat down.
    Sat {
        /// Who.
        person: Person,
        /// Where.
        position: Position,
    },
    /// Someone got up.
    Left {
        /// Who.
        person: Person,
        /// From where.
        position: Position,
    },
    /// The bank is offered.
    BankOffered {
        /// To whom.
        position: Position,
        /// Until when.
        until: Option<u64>,
        /// By which clause.
        clause: Text,
    },
    /// It was declined.
    BankDeclined {
        /// By whom.
        position: Position,
    },
    /// Nobody took it: no round is dealt.
    NoBanker {
        /// By which clause.
        clause: Text,
    },
    /// Someone put money up to bank with.
    BankTaken {
        /// Who, with what.
        bank: Bank,
        /// What they had put up before.
        before: Cents,
        /// By which clause.
        clause: Text,
    },
    /// "Place your bets".
    BetsOpened {
        /// Which round.
        round: u64,
        /// Until when.
        until: Option<u64>,
    },
    /// A wager was placed, in place of what that person had on the bet.
    Placed {
        /// Where.
        position: Position,
        /// Whose.
        person: Person,
        /// On which bet.
        wager: Wager,
        /// How much.
        amount: Cents,
        /// What lay there of theirs before.
        before: Cents,
        /// Staff who placed it for the player.
        by: Option<Actor>,
        /// By which clause.
        clause: Text,
    },
    /// A wager went back before bets closed, or by a decision.
    Returned {
        /// Where.
        position: Position,
        /// Whose.
        person: Person,
        /// From which bet.
        wager: Wager,
        /// How much.
        amount: Cents,
        /// By which clause, where one decides.
        clause: Option<Text>,
    },
    /// "No more bets".
    BetsClosed,
    /// A fee was taken.
    FeeTaken {
        /// From whom.
        person: Person,
        /// How much.
        amount: Cents,
        /// By which clause.
        clause: Text,
    },
    /// Cards were dealt.
    Dealt {
        /// In the order in which they were delivered; hands without a wager are discarded.
        hands: Vec<(Spot, CardSet)>,
        /// The number that was drawn.
        number: u8,
        /// Who has the action button.
        action: Option<Position>,
        /// The cards left over.
        left_over: CardSet,
        /// Until when hands may be set.
        until: Option<u64>,
        /// By which clause.
        clause: Text,
    },
    /// A player looked at their cards.
    Viewed {
        /// Where.
        position: Position,
    },
    /// A hand was set.
    Set {
        /// Where.
        position: Position,
        /// The two cards that went Low.
        low: CardSet,
        /// How.
        how: How,
        /// By which clause, where it was not simply laid.
        clause: Option<Text>,
    },
    /// A hand is left to the dealer, who sets it the House Way once all others are set.
    LeftToDealer {
        /// Where.
        position: Position,
        /// By which clause.
        clause: Text,
    },
    /// A hand fouled once too often and loses.
    Dead {
        /// Where.
        position: Position,
        /// The two cards that went Low.
        low: CardSet,
        /// By which clause.
        clause: Text,
    },
    /// The House Way of a hand was told.
    HouseWayTold {
        /// Where.
        position: Position,
        /// The two cards that would go Low.
        low: CardSet,
        /// By which clause.
        clause: Text,
    },
    /// Every player has set; a banking player who sets freely has time from now on.
    BankersTurn {
        /// Until when.
        until: Option<u64>,
    },
    /// The banker's hand was shown and set.
    BankerSet {
        /// The two cards that went Low.
        low: CardSet,
        /// By which clause.
        clause: Text,
        /// Until when hands may be conceded, where they may.
        until: Option<u64>,
    },
    /// The house's own hand against a banking player's was set.
    HouseSet {
        /// The two cards that went Low.
        low: CardSet,
        /// By which clause.
        clause: Text,
    },
    /// A hand was given up.
    Conceded {
        /// Where.
        position: Position,
        /// By which clause.
        clause: Text,
    },
    /// The round was settled.
    Settled {
        /// Line by line, in order.
        lines: Vec<Line>,
    },
    /// What a banking player has left goes back to them.
    BankReturned {
        /// Who.
        person: Person,
        /// How much.
        amount: Cents,
    },
    /// The round is over and the bank has moved on.
    RoundEnded {
        /// Where it goes next.
        rotation: Rotation,
    },
    /// The round is void: wagers and fees go back, the cards stay on record.
    Voided {
        /// By which clause.
        clause: Text,
        /// Why.
        why: String,
        /// What went back of wagers.
        wagers: Vec<(Position, Share)>,
        /// What went back of a bank.
        bank: Option<Share>,
        /// What went back of fees.
        fees: Vec<Share>,
    },
    /// A hand is out of play.
    HandOut {
        /// Where.
        position: Position,
        /// Who had part in it and may withdraw the rest of their wagers.
        may_withdraw: Vec<Person>,
        /// By which clause.
        clause: Text,
    },
    /// Whole hands changed places.
    Swapped {
        /// One.
        a: Spot,
        /// The other.
        b: Spot,
        /// By which clause.
        clause: Text,
    },
    /// A hand was set again, as the sheet says or as it was meant.
    Reset {
        /// Whose.
        spot: Spot,
        /// The two cards that go Low.
        low: CardSet,
        /// By which clause.
        clause: Text,
    },
    /// A finished round was paid again as it should have been.
    Corrected {
        /// Which round.
        round: u64,
        /// What was found.
        what: Incident,
        /// Whose hand was set wrongly.
        spot: Spot,
        /// The two cards that should have gone Low.
        low: CardSet,
        /// The lines as they should have been.
        lines: Vec<Line>,
        /// What each person gets, or gives back if less than nothing.
        differences: Vec<(Person, i64)>,
        /// What someone would have to give back and does not have here.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        owed: Vec<(Person, Cents)>,
        /// By which clause.
        clause: Text,
    },
    /// What someone owed from a correction was taken.
    DebtCollected {
        /// From whom.
        person: Person,
        /// How much.
        amount: Cents,
        /// By which clause.
        clause: Text,
    },
    /// Something was called that moves no money by itself.
    Noted {
        /// What.
        what: Incident,
        /// About whom, where it is about someone.
        person: Option<Person>,
        /// By which clause.
        clause: Text,
    },
    /// A position's wagers will go back when the round is settled.
    NotInAction {
        /// Where.
        position: Position,
        /// By which clause.
        clause: Text,
    },
    /// Someone may not play on.
    Barred {
        /// Who.
        person: Person,
        /// By which clause.
        clause: Text,
    },
    /// Someone is kept to one position.
    Restricted {
        /// Who.
        person: Person,
        /// Why.
        reason: String,
        /// By which clause.
        clause: Text,
    },
    /// Play goes on after an interruption, and whoever has something to do has their time again.
    ClockRestarted {
        /// Until when.
        until: Option<u64>,
    },
    /// The power failed.
    PowerFailed {
        /// Whether some wager had been decided.
        decided: bool,
        /// By which clause play goes on or wagers may be withdrawn.
        clause: Text,
    },
    /// A decision was taken that no rule covers.
    Ruled {
        /// By whom.
        by: Actor,
        /// How.
        ruling: Ruling,
        /// Why.
        reason: String,
        /// By which clause.
        clause: Text,
    },
}

/// How a hand came to be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The player set it.
    Laid,
    /// The player had it set the House Way.
    HouseWay,
    /// It fouled: what follows is the rulebook's, be it that it is set the House Way or that it loses.
    Fouled,
    /// The player did not set it in time.
    Absent,
    /// The player may look at another hand only.
    Unviewed,
}
