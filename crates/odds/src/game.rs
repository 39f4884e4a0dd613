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
        let (win, lose) = (i128::from(self.win), i128::from(self.lose));
        Value {
            gain: win * i128::from(stake.win) - lose * i128::from(stake.lose),
            of: i128::from(self.deals()) * 100,
        }
    }

    /// The variance of the gain on a unit wager, to be printed.
    #[expect(clippy::cast_precision_loss, reason = "for printing only")]
    pub fn variance(self, stake: Stake) -> f64 {
        let square = |percent: u8| (f64::from(percent) / 100.0).powi(2);
        let squares = self.win as f64 * square(stake.win) + self.lose as f64 * square(stake.lose);
        squares / self.deals() as f64 - self.value(stake).as_f64().powi(2)
    }
}

/// What a win brings and a loss costs, in percent of the wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stake {
    /// What a win brings, commission taken.
    pub win: u8,
    /// What a loss costs.
    pub lose: u8,
}

impl Stake {
    /// Even money, without commission.
    pub const FREE: Stake = Stake { win: 100, lose: 100 };

    /// A player's under a rulebook, no waiver taken.
    pub fn of(rulebook: &Rulebook) -> Stake {
        let percent = rulebook.commission.as_ref().map_or(0, |commission| commission.percent);
        Stake { win: 100 - percent, lose: 100 }
    }

    /// A banker's. A house that banks keeps the commission on what it pays. A player who banks in
    /// its place pays commission on a gain; one who always banks has nothing to do with it.
    pub fn of_banker(rulebook: &Rulebook) -> Stake {
        let Stake { win, lose } = Stake::of(rulebook);
        match &rulebook.bank.player_banker {
            Some(_) => Stake { win, lose },
            None if rulebook.bank.banker.is_house() => Stake { win: lose, lose: win },
            None => Stake::FREE,
        }
    }

    /// That of a player or a banker.
    pub fn at(rulebook: &Rulebook, seat: Seat) -> Stake {
        match seat {
            Seat::Player => Stake::of(rulebook),
            Seat::Banker => Stake::of_banker(rulebook),
        }
    }

    /// Whether commission makes a difference.
    pub fn is_free(self) -> bool {
        self == Stake::FREE
    }
}

/// How likely so many rounds leave a player ahead, one unit wagered in each; and the chances of
/// every result, in units, from the lowest up.
#[expect(clippy::cast_precision_loss, reason = "for printing and plotting only")]
pub fn session(game: Outcomes, stake: Stake, rounds: usize) -> Session {
    let share = |deals: u64| deals as f64 / game.deals() as f64;
    let (win, lose) = (share(game.win), share(game.lose));
    // By wins and losses so far.
    let mut chances = vec![vec![0.0; rounds + 1]; rounds + 1];
    chances[0][0] = 1.0;
    for round in 0..rounds {
        for wins in (0..=round).rev() {
            for losses in (0..=round - wins).rev() {
                let chance: f64 = chances[wins][losses];
                chances[wins + 1][losses] += chance * win;
                chances[wins][losses + 1] += chance * lose;
                chances[wins][losses] = chance * (1.0 - win - lose);
            }
        }
    }
    let mut results = vec![];
    for (wins, row) in chances.iter().enumerate() {
        for (losses, &chance) in row.iter().enumerate().take(rounds + 1 - wins) {
            let percent = (wins as u64 * u64::from(stake.win)).cast_signed()
                - (losses as u64 * u64::from(stake.lose)).cast_signed();
            results.push((percent, chance));
        }
    }
    results.sort_unstable_by_key(|(percent, _)| *percent);
    let ahead = results.iter().filter(|(percent, _)| *percent > 0).map(|(_, chance)| chance).sum();
    Session { ahead, results }
}

/// What so many rounds come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The chance to be ahead.
    pub ahead: f64,
    /// Every result in hundredths of a unit, with its chance.
    pub results: Vec<(i64, f64)>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::houses;

    /// A fair coin three times: ahead with two or three wins.
    #[test]
    fn sessions_are_counted() {
        let coin = Outcomes { win: 1, push: 0, lose: 1 };
        let session = session(coin, Stake::FREE, 3);
        assert!((session.ahead - 0.5).abs() < 1e-12);
        let all: f64 = session.results.iter().map(|(_, chance)| chance).sum();
        assert!((all - 1.0).abs() < 1e-12);
        assert!((coin.variance(Stake::FREE) - 1.0).abs() < 1e-12);
    }

    /// Commission is a house's that banks, a player banker's to pay, and nothing to others.
    #[test]
    fn bankers_have_their_own_stake() {
        assert_eq!(Stake::of_banker(&houses::MBS_2020), Stake { win: 100, lose: 95 });
        assert_eq!(Stake::of_banker(&houses::CATFISH_BEND), Stake { win: 95, lose: 100 });
        assert_eq!(Stake::of_banker(&houses::CARDROOM), Stake::FREE);
    }
}
