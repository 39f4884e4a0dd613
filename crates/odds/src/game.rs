//! The main game: win, push and lose over every deal.

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{HouseWay, LowStrength, Rank};

use crate::dominance::Rule;
use crate::pairs::{self, Side};

/// Ordered pairs of disjoint hands of seven out of 53.
pub const DEALS: u64 = 8_250_459_031_214_400;

/// What becomes of the player's wager, over every deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// Deals in which both hands are higher than the banker's.
    pub win: u64,
    /// Deals in which the wager is returned.
    pub push: u64,
    /// Deals in which neither hand is higher.
    pub lose: u64,
}

/// Both sides set the House Way of the same rulebook.
pub fn house_way(rulebook: &Rulebook) -> Outcomes {
    let side = side(rulebook);
    let tally = pairs::count(&side, &side, rule(rulebook), 1);
    let count = |sums: &[i128]| u64::try_from(sums[0]).expect("a count of deals");
    let (win, lose, all) = (count(&tally.win), count(&tally.lose), count(&tally.all));
    assert_eq!(all, DEALS, "every deal is counted once");
    Outcomes { win, push: all - win - lose, lose }
}

fn side(rulebook: &Rulebook) -> Side {
    let house_way = HouseWay::new(rulebook);
    let ranking = rulebook.ranking();
    Side::new(|dealt| {
        let hands = house_way.set(dealt).setting.strengths(ranking);
        (hands.low.index() as u8, hands.high.index() as u16, 0)
    })
}

fn rule(rulebook: &Rulebook) -> Rule {
    let class = |second| LowStrength::of(Rank::Nine, second).index() as u8;
    Rule {
        push_low: rulebook.nine_high_push.as_ref().map(|_| (class(Rank::Two), class(Rank::Eight))),
    }
}
