//! The bets on seven cards alone: the Fortune Bonus and Tiger 9.

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{BonusHand, BonusStrength, HouseWay, LowStrength, Rank, classes, sweep};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::dominance::Rule;
use crate::game::{self, Value};
use crate::pairs::{self, Side};
use crate::progress::Progress;

/// What a pay table comes to over all 154,143,080 hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bonus {
    /// Each paid hand, highest first: how many hands are paid for it, and what it pays to 1.
    pub lines: Vec<(BonusHand, u64, u32)>,
    /// Hands that pay nothing.
    pub nothing: u64,
}

impl Bonus {
    /// All hands.
    pub const HANDS: u64 = sweep::HANDS;

    /// The player's average gain for each unit wagered.
    pub fn value(&self) -> Value {
        let paid: i128 =
            self.lines.iter().map(|&(_, hands, pays)| i128::from(hands) * i128::from(pays)).sum();
        let gain = (paid - i128::from(self.nothing)) * 100;
        Value { gain, of: i128::from(Bonus::HANDS) * 100 }
    }

    /// The variance of the gain of a unit wager, as a quotient over the square of all hands.
    pub fn variance(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "for printing only")]
        let mean_of_squares = {
            let squares: i128 = self
                .lines
                .iter()
                .map(|&(_, hands, pays)| i128::from(hands) * i128::from(pays).pow(2))
                .sum();
            (squares + i128::from(self.nothing)) as f64 / Bonus::HANDS as f64
        };
        mean_of_squares - self.value().as_f64().powi(2)
    }
}

/// The Fortune Bonus of a rulebook.
///
/// ```
/// use houseway_odds::bonus;
/// use houseway_rules::houses;
///
/// // The table that pays 8,000 to 1 for the highest hand: a published figure.
/// let fortune = bonus::fortune(&houses::CATFISH_BEND);
/// assert_eq!(fortune.value().gain, -11_970_096 * 100);
/// ```
pub fn fortune(rulebook: &Rulebook) -> Bonus {
    let counts = if rulebook.fortune.is_ordered() { by_height() } else { by_pay(rulebook) };
    let paid = BonusHand::ALL.into_iter().rev().filter_map(|hand| {
        rulebook.fortune.pays(hand).map(|pays| (hand, counts[hand as usize], pays))
    });
    let lines: Vec<(BonusHand, u64, u32)> = paid.collect();
    let nothing = Bonus::HANDS - lines.iter().map(|&(_, hands, _)| hands).sum::<u64>();
    Bonus { lines, nothing }
}

/// How many hands have each bonus hand as their highest; nothing is number 0.
pub(crate) fn by_height() -> [u64; 12] {
    let starts: Vec<_> = sweep::starts().collect();
    let count = |&start: &[houseway_rules::Card; 2]| {
        let mut counts = [0; 12];
        BonusHand::sweep(start, |hand| counts[hand.map_or(0, |hand| hand as usize)] += 1);
        counts
    };
    starts.par_iter().map(count).reduce(|| [0; 12], added)
}

/// How many hands are paid for each bonus hand where a lower one may pay more than a higher.
fn by_pay(rulebook: &Rulebook) -> [u64; 12] {
    let parts: Vec<_> = classes::parts().collect();
    let count = |part: &classes::Part| {
        let mut counts = [0; 12];
        part.each(|dealt, weight| {
            let paid = rulebook.fortune.best(dealt).map_or(0, |line| line.hand as usize);
            counts[paid] += u64::from(weight);
        });
        counts
    };
    parts.par_iter().map(count).reduce(|| [0; 12], added)
}

fn added(mut a: [u64; 12], b: [u64; 12]) -> [u64; 12] {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    a
}

/// The Fortune Bonus where it is paid only if the banker's own bonus hand is lower (`cardroom`
/// C12), over all deals of two hands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboveBanker {
    /// Each paid hand, highest first.
    pub lines: Vec<AboveLine>,
    /// Deals in which the wager is lost.
    pub lose: u64,
}

/// A paid hand against the banker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboveLine {
    /// The hand.
    pub category: BonusHand,
    /// Deals in which it is paid.
    pub paid: u64,
    /// Deals in which the wager goes back.
    pub returned: u64,
    /// What it pays to 1.
    pub pays: u32,
}

impl AboveBanker {
    /// The player's average gain for each unit wagered.
    pub fn value(&self) -> Value {
        let paid = |line: &AboveLine| i128::from(line.paid) * i128::from(line.pays);
        let gain = self.lines.iter().map(paid).sum::<i128>() - i128::from(self.lose);
        Value { gain: gain * 100, of: i128::from(game::DEALS) * 100 }
    }

    /// The variance of the gain of a unit wager.
    #[expect(clippy::cast_precision_loss, reason = "for printing only")]
    pub fn variance(&self) -> f64 {
        let square = |line: &AboveLine| i128::from(line.paid) * i128::from(line.pays).pow(2);
        let squares = self.lines.iter().map(square).sum::<i128>() + i128::from(self.lose);
        squares as f64 / game::DEALS as f64 - self.value().as_f64().powi(2)
    }
}

/// The Fortune Bonus of a rulebook that pays it only above the banker's bonus hand, if it does.
pub fn fortune_above_banker(rulebook: &Rulebook, progress: &Progress) -> Option<AboveBanker> {
    rulebook.fortune.only_above_banker.as_ref()?;
    // In both hands at once: the player's first is always the higher, so the second decides.
    let side = |first: u8| {
        Side::new(|dealt| {
            // By the line that pays, which is not the highest hand where a lower one pays more.
            let paid = rulebook.fortune.best(dealt).map(|line| line.hand);
            let strength = BonusStrength::of(dealt, rulebook.ranking()).index() as u16;
            (first, strength, paid.map_or(0, |hand| hand as u16))
        })
    };
    let (player, banker) = (side(1), side(0));
    let tally = pairs::count(&player, &banker, Rule { push_low: None }, 12, progress);
    let count = |sum: i128| u64::try_from(sum).expect("a count of deals");
    let lines = BonusHand::ALL.into_iter().rev().filter_map(|hand| {
        let [paid, all] = [&tally.win, &tally.all].map(|sums| count(sums[hand as usize]));
        let pays = rulebook.fortune.pays(hand)?;
        Some(AboveLine { category: hand, paid, returned: all - paid, pays })
    });
    let lines: Vec<AboveLine> = lines.collect();
    let decided: u64 = lines.iter().map(|line| line.paid + line.returned).sum();
    Some(AboveBanker { lines, lose: game::DEALS - decided })
}

impl Tiger {
    /// The variance of the gain of a unit wager.
    #[expect(clippy::cast_precision_loss, reason = "for printing only")]
    pub fn variance(&self) -> f64 {
        let squares = i128::from(self.hands) * i128::from(self.pays).pow(2)
            + i128::from(Bonus::HANDS - self.hands);
        squares as f64 / Bonus::HANDS as f64 - self.value.as_f64().powi(2)
    }
}

/// Tiger 9: how many of all hands a House Way sets with a 9-high Low hand, what that pays to 1,
/// and the player's average gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiger {
    /// Hands that win.
    pub hands: u64,
    /// What they pay to 1.
    pub pays: u32,
    /// The player's average gain for each unit wagered.
    pub value: Value,
}

/// The Tiger 9 bet of a rulebook, if it has one.
pub fn tiger_nine(rulebook: &Rulebook) -> Option<Tiger> {
    let pays = rulebook.tiger_nine.as_ref()?.pays;
    let nine_high = LowStrength::headed_by(Rank::Nine);
    let house_way = HouseWay::new(rulebook);
    let ranking = rulebook.ranking();
    let parts: Vec<_> = classes::parts().collect();
    let count = |part: &classes::Part| {
        let mut hands = 0u64;
        part.each(|dealt, weight| {
            if nine_high.contains(&ranking.two(house_way.set(dealt).setting.low())) {
                hands += u64::from(weight);
            }
        });
        hands
    };
    let hands: u64 = parts.par_iter().map(count).sum();
    let gain = i128::from(hands) * i128::from(pays) - i128::from(Bonus::HANDS - hands);
    Some(Tiger {
        hands,
        pays,
        value: Value { gain: gain * 100, of: i128::from(Bonus::HANDS) * 100 },
    })
}
