//! What kind of night a seed gives.

use houseway_rules::houses;

use crate::dice::Dice;
use crate::truth::Sabotage;

/// A night as it is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// From which seed.
    pub seed: u64,
    /// The rulebook of each table.
    pub tables: Vec<&'static str>,
    /// How many nodes there are.
    pub nodes: usize,
    /// How many people sit at each table.
    pub guests: u8,
    /// How many bots do.
    pub bots: u8,
    /// How often things go wrong, from 0 to 3.
    pub roughness: u64,
    /// After how many rounds it is over.
    pub rounds: u64,
    /// By how many milliseconds the clocks of nodes differ at most.
    pub skew: u64,
    /// What is broken on purpose, to see that it is found.
    pub sabotage: Sabotage,
}

impl Plan {
    /// The night of a seed.
    pub fn of(seed: u64) -> Plan {
        let mut dice = Dice::new(seed ^ 0x50a1_c0de);
        let rules = houses::HOUSES.map(|rulebook| &*rulebook.id);
        let nodes = dice.between(1, 3) as usize;
        let mut tables = vec![rules[(seed % rules.len() as u64) as usize]];
        if dice.thousand(250) {
            tables.extend(dice.pick(&rules));
        }
        Plan {
            seed,
            tables,
            nodes,
            guests: dice.between(2, 4) as u8,
            bots: dice.below(3) as u8,
            roughness: dice.below(4),
            rounds: dice.between(80, 120),
            skew: if nodes > 1 { dice.below(400) } else { 0 },
            sabotage: Sabotage::Nothing,
        }
    }

    /// The same night with something broken on purpose.
    #[must_use]
    pub fn with(self, sabotage: Sabotage) -> Plan {
        Plan { sabotage, ..self }
    }

    /// The same night with fewer or more rounds.
    #[must_use]
    pub fn rounds(self, rounds: u64) -> Plan {
        Plan { rounds, ..self }
    }
}
