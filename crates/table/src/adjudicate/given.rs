//! A round as it lay on a physical table.

use houseway_rules::rulebook::{Incident, Wager};
use houseway_rules::{Card, CardSet, Cents};
use serde::Deserialize;

use crate::command::Ruling;
use crate::place::Person;
use crate::setup::Posted;
use crate::stake::Stakes;

/// A round as it lay on the table. A hand without `low` is set the House Way.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(title = "A round for `houseway settle`")
)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Given {
    /// A rulebook's id, or a rulebook file.
    pub rules: String,
    /// What the room posts, where it is not what is usual.
    #[serde(default)]
    pub posted: Option<Posted>,
    /// Who banks, where it is not the house.
    #[serde(default)]
    pub bank: Option<GivenBank>,
    /// The number that was drawn, where one is.
    #[serde(default)]
    pub number: Option<u8>,
    /// The banker's hand.
    #[serde(default)]
    pub banker: GivenHand,
    /// The house's own hand against a banking player's.
    #[serde(default)]
    pub house: Option<GivenHand>,
    /// The positions with a wager.
    #[serde(default)]
    pub seats: Vec<GivenSeat>,
    /// Who sits at the table without a wager of their own, be it to share another's.
    #[serde(default)]
    pub seated: Vec<GivenSeated>,
    /// What went wrong.
    #[serde(default)]
    pub irregularities: Vec<GivenIncident>,
    /// What was decided about something that no rule covers.
    #[serde(default)]
    pub rulings: Vec<GivenRuling>,
}

/// A banking player.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenBank {
    /// Where they sit, counted clockwise from the dealer's left as 1.
    pub position: u8,
    /// Who they are; their position's number, if nothing is said.
    #[serde(default)]
    pub person: Option<u32>,
    /// What they put up.
    pub put_up: Cents,
    /// What the house wagers against them.
    #[serde(default)]
    pub house_wager: Cents,
    /// A Fortune Bonus wager on their own hand.
    #[serde(default)]
    pub fortune: Cents,
}

/// Seven cards and how they lay.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenHand {
    /// The cards: seven, unless an irregularity says otherwise.
    #[serde(default)]
    pub cards: Vec<Card>,
    /// The two cards in front; the House Way, if nothing is said.
    #[serde(default)]
    pub low: Option<CardSet>,
}

/// A position with a wager.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenSeat {
    /// Where, counted clockwise from the dealer's left as 1.
    pub position: u8,
    /// Who; the position's number, if nothing is said.
    #[serde(default)]
    pub person: Option<u32>,
    /// The standard wager.
    pub standard: Cents,
    /// The Fortune Bonus wager.
    #[serde(default)]
    pub fortune: Cents,
    /// The Tiger 9 wager.
    #[serde(default)]
    pub tiger_nine: Cents,
    /// Who else has part in the wagers, where they are shared.
    #[serde(default)]
    pub shared: Vec<GivenShare>,
    /// The cards: seven, unless an irregularity says otherwise.
    #[serde(default)]
    pub cards: Vec<Card>,
    /// The two cards in front; the House Way, if nothing is said.
    #[serde(default)]
    pub low: Option<CardSet>,
    /// Whether the dealer set it, so that it must be the House Way.
    #[serde(default)]
    pub dealer_set: bool,
    /// Whether the hand was given up.
    #[serde(default)]
    pub conceded: bool,
    /// How often this player has fouled before.
    #[serde(default)]
    pub fouls: u8,
    /// Whether a wager of this player's under the minimum has been settled before.
    #[serde(default)]
    pub under_minimum_before: bool,
}

/// Someone who sits at the table without a wager of their own.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenSeated {
    /// Where, counted clockwise from the dealer's left as 1.
    pub position: u8,
    /// Who; the position's number, if nothing is said.
    #[serde(default)]
    pub person: Option<u32>,
}

/// Part of a wager.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenShare {
    /// Whose.
    pub person: u32,
    /// On the standard wager.
    #[serde(default)]
    pub standard: Cents,
    /// On the Fortune Bonus.
    #[serde(default)]
    pub fortune: Cents,
}

/// Something that went wrong.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenIncident {
    /// What.
    pub what: Incident,
    /// Whose hand, where it is about one.
    #[serde(default)]
    pub position: Option<u8>,
    /// Who, where it is about someone who only shares the wager there.
    #[serde(default)]
    pub person: Option<u32>,
    /// Whether the cards could be put right, so that the round stands.
    #[serde(default)]
    pub repaired: bool,
    /// The two cards that belong in front of a banking player's hand that lay wrong; the House Way,
    /// if nothing is said.
    #[serde(default)]
    pub low: Option<CardSet>,
    /// Which bet was placed or raised late; every bet of the position, if nothing is said.
    #[serde(default)]
    pub wager: Option<Wager>,
    /// By how much it was raised late; all of it, if nothing is said.
    #[serde(default)]
    pub amount: Option<Cents>,
}

/// A decision about something that no rule covers.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenRuling {
    /// How it was decided.
    pub ruling: Ruling,
    /// Why.
    pub reason: String,
}

impl GivenSeated {
    /// Who sits there.
    pub(super) fn holder(&self) -> Person {
        Person(self.person.unwrap_or(u32::from(self.position)))
    }
}

impl GivenSeat {
    /// Who sits there.
    pub(super) fn holder(&self) -> Person {
        Person(self.person.unwrap_or(u32::from(self.position)))
    }

    /// What lies there.
    pub(super) fn stakes(&self) -> Stakes {
        let mut stakes = Stakes::default();
        let own = [
            (Wager::Standard, self.holder(), self.standard),
            (Wager::Fortune, self.holder(), self.fortune),
            (Wager::TigerNine, self.holder(), self.tiger_nine),
        ];
        let shared = self.shared.iter().flat_map(|share| {
            let person = Person(share.person);
            [(Wager::Standard, person, share.standard), (Wager::Fortune, person, share.fortune)]
        });
        for (wager, person, amount) in own.into_iter().chain(shared) {
            if amount > Cents::ZERO {
                stakes.add(wager, person, amount);
            }
        }
        stakes
    }
}
