//! Wagers on the layout, and who holds the bank.

use houseway_rules::Cents;
use houseway_rules::rulebook::Wager;
use serde::{Deserialize, Serialize};

use crate::place::{Person, Position};

/// What one person has on a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Share {
    /// Who.
    pub person: Person,
    /// How much.
    pub amount: Cents,
}

/// What lies on a position's bets. Several people may share one where the rules let them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Stakes {
    /// On the standard wager.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standard: Vec<Share>,
    /// On the Fortune Bonus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fortune: Vec<Share>,
    /// On Tiger 9.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiger_nine: Vec<Share>,
}

impl Stakes {
    /// The shares of a bet.
    pub fn of(&self, wager: Wager) -> &[Share] {
        match wager {
            Wager::Standard => &self.standard,
            Wager::Fortune => &self.fortune,
            Wager::TigerNine => &self.tiger_nine,
        }
    }

    pub(crate) fn of_mut(&mut self, wager: Wager) -> &mut Vec<Share> {
        match wager {
            Wager::Standard => &mut self.standard,
            Wager::Fortune => &mut self.fortune,
            Wager::TigerNine => &mut self.tiger_nine,
        }
    }

    /// What lies on a bet.
    pub fn total(&self, wager: Wager) -> Cents {
        sum(self.of(wager).iter().map(|share| share.amount))
    }

    /// Every share with its bet.
    pub fn shares(&self) -> impl Iterator<Item = (Wager, Share)> {
        WAGERS.into_iter().flat_map(|wager| self.of(wager).iter().map(move |it| (wager, *it)))
    }

    /// Whether nothing lies there.
    pub fn is_empty(&self) -> bool {
        self.shares().next().is_none()
    }

    /// Adds to what a person has on a bet.
    pub(crate) fn add(&mut self, wager: Wager, person: Person, amount: Cents) {
        let shares = self.of_mut(wager);
        match shares.iter_mut().find(|share| share.person == person) {
            Some(share) => share.amount = plus(share.amount, amount),
            None => shares.push(Share { person, amount }),
        }
    }

    /// Takes away what a person has on a bet.
    pub(crate) fn remove(&mut self, wager: Wager, person: Person) {
        self.of_mut(wager).retain(|share| share.person != person);
    }
}

/// The most that anyone brings, puts up or may wager: far more than there is, and little enough that
/// no sum or payout of a table is beyond counting.
pub const MOST: Cents = Cents::new(100_000_000_000_000);

/// Every bet.
pub(crate) const WAGERS: [Wager; 3] = [Wager::Standard, Wager::Fortune, Wager::TigerNine];

/// A sum of amounts that are on one table.
pub(crate) fn sum(amounts: impl IntoIterator<Item = Cents>) -> Cents {
    amounts.into_iter().fold(Cents::ZERO, plus)
}

/// A sum of two amounts that are on one table.
pub(crate) fn plus(a: Cents, b: Cents) -> Cents {
    a.plus(b).expect("the money on a table can be counted")
}

/// A difference that was looked at before.
pub(crate) fn minus(a: Cents, b: Cents) -> Cents {
    a.minus(b).expect("no more is taken than is there")
}

/// Who holds the bank in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "banker", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Bank {
    /// The house.
    House,
    /// A player.
    Player {
        /// Where they sit.
        position: Position,
        /// Who they are.
        person: Person,
        /// What they put up.
        put_up: Cents,
        /// What the house wagers against them, at most; nothing where it does not play.
        house_wager: Cents,
    },
}

impl Bank {
    /// What someone has put up as the bank.
    pub fn put_up_by(self, someone: Person) -> Cents {
        match self {
            Bank::Player { person, put_up, .. } if person == someone => put_up,
            _ => Cents::ZERO,
        }
    }

    /// The banking player's position.
    pub const fn position(self) -> Option<Position> {
        match self {
            Bank::House => None,
            Bank::Player { position, .. } => Some(position),
        }
    }
}
