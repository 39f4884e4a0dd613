//! The main game: win, push and lose over every deal.

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Clause, HouseWay, LowStrength, Rank};

use crate::dominance::Rule;
use crate::pairs::{self, Side};

/// Ordered pairs of disjoint hands of seven out of 53.
pub const DEALS: u64 = 8_250_459_031_214_400;

/// What becomes of a player's wager, over some number of equally likely deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// The whole game when both sides set the House Way of one rulebook, and its parts by the player's
/// clause, in the order of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByClause<'a> {
    /// All deals.
    pub total: Outcomes,
    /// Those in which a clause set the player's hand.
    pub clauses: Vec<(&'a Clause, Outcomes)>,
}

/// Both sides set the House Way of the same rulebook.
///
/// ```
/// use houseway_odds::game::{self, Stake};
/// use houseway_rules::houses;
///
/// let game = game::house_way(&houses::MBS_2020);
/// assert_eq!(game.total.win, 2_360_824_514_148_580);
/// assert_eq!(format!("{:.4}", -100.0 * game.total.value(Stake::of(&houses::MBS_2020)).as_f64()), "2.7242");
/// ```
pub fn house_way(rulebook: &Rulebook) -> ByClause<'_> {
    let sheet = &*rulebook.house_way;
    let house_way = HouseWay::new(rulebook);
    let ranking = rulebook.ranking();
    let side = Side::new(|dealt| {
        let (clause, setting) =
            house_way.try_set_numbered(dealt).expect("a rulebook sets every hand");
        let hands = setting.strengths(ranking);
        (hands.low.index() as u8, hands.high.index() as u16, clause as u8)
    });
    let tally = pairs::count(&side, &side, rule(rulebook), sheet.len());
    let count = |sum: i128| u64::try_from(sum).expect("a count of deals");
    let clauses: Vec<(&Clause, Outcomes)> = sheet
        .iter()
        .enumerate()
        .map(|(place, clause)| {
            let [win, lose, all] = [&tally.win, &tally.lose, &tally.all].map(|it| count(it[place]));
            (clause, Outcomes { win, push: all - win - lose, lose })
        })
        .collect();
    let total = clauses.iter().fold(Outcomes::default(), |sum, (_, part)| sum.plus(*part, 1));
    assert_eq!(total.deals(), DEALS, "every deal is counted once");
    ByClause { total, clauses }
}

/// What pushes under a rulebook whatever the player holds.
pub(crate) fn rule(rulebook: &Rulebook) -> Rule {
    let nine_high = || {
        let (weakest, strongest) = LowStrength::headed_by(Rank::Nine).into_inner();
        (weakest.index() as u8, strongest.index() as u8)
    };
    Rule { push_low: rulebook.nine_high_push.as_ref().map(|_| nine_high()) }
}
