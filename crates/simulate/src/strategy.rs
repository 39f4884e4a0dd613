//! How positions set their hands.

use std::fmt;
use std::str::FromStr;

use houseway_odds::game::Stake;
use houseway_odds::ways::Best;
use houseway_odds::{Advisor, Progress};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Dealt, HouseWay, Ranking, Setting};

/// A way to set every hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// As the banker would.
    HouseWay,
    /// The setting that is worth most.
    Optimal,
    /// The strongest Low hand that does not foul.
    StrongestLow,
    /// The strongest High hand.
    StrongestHigh,
    /// Any legal setting, for what it costs to know nothing.
    Random,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Strategy; 5] = [
        Strategy::HouseWay,
        Strategy::Optimal,
        Strategy::StrongestLow,
        Strategy::StrongestHigh,
        Strategy::Random,
    ];

    /// Its name, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::HouseWay => "house-way",
            Strategy::Optimal => "optimal",
            Strategy::StrongestLow => "strongest-low",
            Strategy::StrongestHigh => "strongest-high",
            Strategy::Random => "random",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no strategy of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoStrategy(String);

impl fmt::Display for NoStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        write!(f, "there is no strategy `{}`; there are {names}", self.0.escape_debug())
    }
}

impl std::error::Error for NoStrategy {}

impl FromStr for Strategy {
    type Err = NoStrategy;

    fn from_str(name: &str) -> Result<Strategy, NoStrategy> {
        let found = Strategy::ALL.into_iter().find(|strategy| strategy.name() == name);
        found.ok_or_else(|| NoStrategy(name.into()))
    }
}

/// Sets hands by strategy.
pub struct Player<'a> {
    ranking: Ranking,
    house_way: HouseWay<'a>,
    best: Option<Source<'a>>,
}

/// Where best settings come from: looked up where many are wanted, counted one by one otherwise.
enum Source<'a> {
    Table(Box<Best>),
    Advisor(Advisor<'a>),
}

/// From so many hands on it is worth to make a table of all best settings first.
const MANY: u64 = 20_000;

impl<'a> Player<'a> {
    /// A player under a rulebook who is to set so many hands optimally.
    pub fn new(rulebook: &'a Rulebook, optimal_hands: u64, progress: &Progress) -> Player<'a> {
        let best = match optimal_hands {
            0 => None,
            1..MANY => Some(Source::Advisor(Advisor::new(rulebook))),
            _ => Some(Source::Table(Box::new(Best::new(rulebook, progress)))),
        };
        let ranking = rulebook.ranking();
        Player { ranking, house_way: HouseWay::new(rulebook), best }
    }

    /// Whether so many hands make a table of all best settings, which takes its time.
    pub const fn makes_table(optimal_hands: u64) -> bool {
        optimal_hands >= MANY
    }

    /// Sets a hand on which so much is at stake. A random setting is drawn by a number below that
    /// of all.
    pub fn set(
        &self,
        strategy: Strategy,
        dealt: Dealt,
        stake: Stake,
        draw: impl FnOnce(usize) -> usize,
    ) -> Setting {
        let legal = || dealt.legal_settings(self.ranking);
        let strengths = |setting: &Setting| setting.strengths(self.ranking);
        let found = match strategy {
            Strategy::HouseWay => Some(self.house_way.set(dealt).setting),
            Strategy::Optimal => match &self.best {
                Some(Source::Table(best)) => Some(best.set(dealt, stake)),
                Some(Source::Advisor(advisor)) => {
                    advisor.advise(dealt, stake).first().map(|advised| advised.setting)
                }
                None => unreachable!("the player was told that hands are set optimally"),
            },
            Strategy::StrongestLow => {
                legal().max_by_key(|it| (strengths(it).low, strengths(it).high))
            }
            Strategy::StrongestHigh => {
                legal().max_by_key(|it| (strengths(it).high, strengths(it).low))
            }
            Strategy::Random => legal().nth(draw(legal().count())),
        };
        found.expect("every hand has a legal setting")
    }
}
