//! The main game: win, push and lose over every deal.

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Category, HandKey, HouseWay, LowStrength, Rank};
use serde::{Deserialize, Serialize};

use crate::dominance::Rule;
use crate::pairs::{self, Side};
use crate::progress::Progress;

/// Ordered pairs of disjoint hands of seven out of 53.
pub const DEALS: u64 = 8_250_459_031_214_400;

/// What becomes of a player's wager, over some number of equally likely deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// Deals in which both hands are higher than the banker's.
    pub win: u64,
    /// Deals in which the wager is returned.
    pub push: u64,
    /// Deals in which neither hand is higher.
    pub lose: u64,
}

impl Outcomes {
    /// All deals.
    pub const fn deals(self) -> u64 {
        self.win + self.push + self.lose
    }

    /// The same deals as the other side sees them.
    #[must_use]
    pub const fn from_the_other_side(self) -> Outcomes {
        Outcomes { win: self.lose, push: self.push, lose: self.win }
    }

    /// With others, counted so many times.
    #[must_use]
    pub const fn plus(self, other: Outcomes, times: u64) -> Outcomes {
        Outcomes {
            win: self.win + other.win * times,
            push: self.push + other.push * times,
            lose: self.lose + other.lose * times,
        }
    }

    /// What they come to for the player.
    pub fn value(self, stake: Stake) -> Value {
        let kept = 100 - i128::from(stake.commission_percent);
        Value {
            gain: i128::from(self.win) * kept - i128::from(self.lose) * 100,
            of: i128::from(self.deals()) * 100,
        }
    }
}

/// What a win costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stake {
    /// The commission on a win.
    pub commission_percent: u8,
}

impl Stake {
    /// A win without commission.
    pub const FREE: Stake = Stake { commission_percent: 0 };

    /// What a win costs under a rulebook, no waiver taken.
    pub fn of(rulebook: &Rulebook) -> Stake {
        let percent = rulebook.commission.as_ref().map_or(0, |commission| commission.percent);
        Stake { commission_percent: percent }
    }
}

/// An exact average gain for each unit wagered: a quotient of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// What is gained over all deals, in hundredths of a wager.
    pub gain: i128,
    /// All deals, in hundredths.
    pub of: i128,
}

impl Value {
    /// The quotient, to be printed.
    #[expect(clippy::cast_precision_loss, reason = "for printing only; the quotient is exact")]
    pub fn as_f64(self) -> f64 {
        self.gain as f64 / self.of as f64
    }
}

/// Who of the two sides is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seat {
    /// The one who wagers.
    Player,
    /// The one who holds the bank and wins copies.
    Banker,
}

/// The whole game in parts: by the clause that sets the hand the House Way, and by category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The parts that occur, in the order of the sheet.
    pub parts: Vec<Part>,
}

/// One part of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The clause that sets the hand the House Way, by its place on the sheet.
    pub clause: usize,
    /// What the best five of the seven cards are.
    pub category: Category,
    /// What becomes of the wager.
    #[serde(flatten)]
    pub outcomes: Outcomes,
}

impl Counted {
    pub(crate) fn from_cells(cells: &[Outcomes]) -> Counted {
        let categories = Category::ALL.len();
        let parts = cells.iter().enumerate().map(|(cell, &outcomes)| Part {
            clause: cell / categories,
            category: Category::ALL[cell % categories],
            outcomes,
        });
        let counted = Counted { parts: parts.filter(|part| part.outcomes.deals() > 0).collect() };
        assert_eq!(counted.total().deals(), DEALS, "every deal is counted once");
        counted
    }

    /// All deals.
    pub fn total(&self) -> Outcomes {
        self.sum(|_| true)
    }

    /// The deals in which a clause sets the hand the House Way.
    pub fn of_clause(&self, place: usize) -> Outcomes {
        self.sum(|part| part.clause == place)
    }

    /// The deals in which the best five cards are of a category.
    pub fn of_category(&self, category: Category) -> Outcomes {
        self.sum(|part| part.category == category)
    }

    fn sum(&self, wanted: impl Fn(&Part) -> bool) -> Outcomes {
        let parts = self.parts.iter().filter(|part| wanted(part));
        parts.fold(Outcomes::default(), |sum, part| sum.plus(part.outcomes, 1))
    }
}

/// How many cells a sheet's clauses and the categories make.
pub(crate) const fn cells(clauses: usize) -> usize {
    clauses * Category::ALL.len()
}

/// The cell of a clause and a category.
pub(crate) const fn cell(clause: usize, category: Category) -> usize {
    clause * Category::ALL.len() + category as usize
}

/// Both sides set the House Way of the same rulebook: what becomes of the player's wager, by the
/// player's hand.
///
/// ```
/// use houseway_odds::Progress;
/// use houseway_odds::game::{self, Stake};
/// use houseway_rules::houses;
///
/// let game = game::house_way(&houses::MBS_2020, &Progress::new()).total();
/// assert_eq!(game.win, 2_360_824_514_148_580);
/// assert_eq!(format!("{:.4}", -100.0 * game.value(Stake::of(&houses::MBS_2020)).as_f64()), "2.7242");
/// ```
pub fn house_way(rulebook: &Rulebook, progress: &Progress) -> Counted {
    let house_way = HouseWay::new(rulebook);
    let ranking = rulebook.ranking();
    let side = Side::new(|dealt| {
        let (clause, setting) =
            house_way.try_set_numbered(dealt).expect("a rulebook sets every hand");
        let hands = setting.strengths(ranking);
        let category = ranking.category(ranking.seven(HandKey::of(dealt.cards())));
        (hands.low.index() as u8, hands.high.index() as u16, cell(clause, category) as u16)
    });
    let cells = cells(rulebook.house_way.len());
    let tally = pairs::count(&side, &side, rule(rulebook), cells, progress);
    let count = |sum: i128| u64::try_from(sum).expect("a count of deals");
    let outcomes: Vec<Outcomes> = (0..cells)
        .map(|cell| {
            let [win, lose, all] = [&tally.win, &tally.lose, &tally.all].map(|it| count(it[cell]));
            Outcomes { win, push: all - win - lose, lose }
        })
        .collect();
    Counted::from_cells(&outcomes)
}

/// What pushes under a rulebook whatever the player holds.
pub(crate) fn rule(rulebook: &Rulebook) -> Rule {
    let nine_high = || {
        let (weakest, strongest) = LowStrength::headed_by(Rank::Nine).into_inner();
        (weakest.index() as u8, strongest.index() as u8)
    };
    Rule { push_low: rulebook.nine_high_push.as_ref().map(|_| nine_high()) }
}
