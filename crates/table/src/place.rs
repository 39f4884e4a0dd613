//! People, positions and the way round the table.

use std::fmt;

use houseway_rules::rulebook::{Banker, Direction, Rulebook, Several};
use serde::{Deserialize, Serialize};

/// Someone, by a number that whoever keeps the accounts gave them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Person(pub u32);

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "person {}", self.0)
    }
}

/// A place at the table, counted clockwise from the dealer's left as 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position(pub u8);

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.0)
    }
}

/// The places of a rulebook's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Where people can sit: positions 1 to this.
    pub seats: u8,
    /// All spots that can get a hand: the seats, and the dealer's own where it is among them.
    pub spots: u8,
}

impl Places {
    /// The places of a rulebook's table.
    ///
    /// A house that banks alone deals its own hand last and has no spot in the round. Where a
    /// player always banks, every spot is a seat. Where the house or a player banks, the last spot
    /// is the dealer's.
    pub fn of(rulebook: &Rulebook) -> Places {
        let betting = rulebook.seats.betting_positions;
        match rulebook.bank.banker {
            Banker::House => Places { seats: betting, spots: betting },
            Banker::DesignatedPlayer | Banker::PlayerDealer => {
                Places { seats: betting + 1, spots: betting + 1 }
            }
            Banker::HouseOrPlayer => Places { seats: betting, spots: betting + 1 },
        }
    }

    /// The dealer's own spot, where it is one of the round.
    pub const fn dealer(self) -> Option<Position> {
        if self.spots > self.seats { Some(Position(self.spots)) } else { None }
    }

    /// Whether someone can sit there.
    pub fn has_seat(self, position: Position) -> bool {
        (1..=self.seats).contains(&position.0)
    }

    /// The spot so many places further round.
    pub fn further(self, from: Position, places: u8, direction: Direction) -> Position {
        let (spots, at, places) =
            (u16::from(self.spots), u16::from(from.0 - 1), u16::from(places % self.spots));
        let to = match direction {
            Direction::Clockwise => at + places,
            Direction::CounterClockwise => at + spots - places,
        };
        Position((to % spots) as u8 + 1)
    }

    /// Every spot once, from this one on.
    pub fn round(self, from: Position, direction: Direction) -> impl Iterator<Item = Position> {
        (0..self.spots).map(move |places| self.further(from, places, direction))
    }
}

/// Whether someone who sits at some positions may take another one; if not, the clause that says
/// so, where one does.
pub(crate) fn may_take<'a>(
    rulebook: &'a Rulebook,
    own: &[Position],
    another: Position,
) -> Result<(), Option<&'a str>> {
    let adjacent = |other: &Position| other.0.abs_diff(another.0) == 1;
    match (&rulebook.seats.several_positions, own) {
        (_, []) => Ok(()),
        (None, _) => Err(None),
        (Some(rule), own) => match rule.is {
            Several::ViewOne => Ok(()),
            Several::TwoAdjacent if own.len() == 1 && own.iter().all(adjacent) => Ok(()),
            Several::TwoAdjacent => Err(Some(&*rule.cite)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::houses;

    #[test]
    fn places_go_round_both_ways() {
        let places = Places::of(&houses::CATFISH_BEND);
        assert_eq!((places.seats, places.dealer()), (6, Some(Position(7))));
        let round = |direction| -> Vec<u8> {
            places.round(Position(6), direction).map(|position| position.0).collect()
        };
        assert_eq!(round(Direction::Clockwise), [6, 7, 1, 2, 3, 4, 5]);
        assert_eq!(round(Direction::CounterClockwise), [6, 5, 4, 3, 2, 1, 7]);
        assert_eq!(places.further(Position(1), 8, Direction::CounterClockwise), Position(7));
    }

    #[test]
    fn every_house_has_its_places() {
        let places = houses::HOUSES.map(|rulebook| {
            let Places { seats, spots } = Places::of(rulebook);
            (seats, spots)
        });
        assert_eq!(places, [(6, 6), (6, 6), (7, 7), (7, 7), (6, 7)]);
    }
}
