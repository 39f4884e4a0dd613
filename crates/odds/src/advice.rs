//! Every legal setting of a hand, with its exact chances against the banker's House Way.

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Dealt, LowStrength, Setting, Strength, set_house_way};

use crate::bankers::Bankers;
use crate::game::{Outcomes, Stake};

/// Hands that can be dealt to the banker beside seven known cards.
pub const BANKER_HANDS: u64 = 53_524_680;

/// Advises on hands under one rulebook. Making one takes a moment, asking it next to nothing.
///
/// ```
/// use houseway_odds::{Advisor, game::Stake};
/// use houseway_rules::houses;
///
/// let advisor = Advisor::new(&houses::MBS_2020);
/// let advice = advisor.advise("Ac Kd Js 9h 7c 4d 3s".parse().unwrap(), Stake::of(&houses::MBS_2020));
/// let best = &advice[0];
/// assert_eq!(best.setting.low().to_string(), "Kd Js");
/// assert!(best.house_way);
/// assert_eq!(best.outcomes.deals(), 53_524_680);
/// ```
pub struct Advisor<'a> {
    rulebook: &'a Rulebook,
    bankers: Bankers,
}

/// One legal setting and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advised {
    /// The setting.
    pub setting: Setting,
    /// Over every hand the banker can be dealt.
    pub outcomes: Outcomes,
    /// Whether it is the House Way.
    pub house_way: bool,
}

impl<'a> Advisor<'a> {
    /// An advisor for a rulebook.
    pub fn new(rulebook: &'a Rulebook) -> Advisor<'a> {
        Advisor { rulebook, bankers: Bankers::new(rulebook) }
    }

    /// Every legal setting, the most valuable first; of equal ones the House Way, then the higher
    /// Low hand.
    pub fn advise(&self, dealt: Dealt, stake: Stake) -> Vec<Advised> {
        let ranking = self.rulebook.ranking();
        let house = set_house_way(self.rulebook, dealt).setting;
        let settings: Vec<(Setting, LowStrength, Strength)> = dealt
            .legal_settings(ranking)
            .map(|setting| {
                let hands = setting.strengths(ranking);
                (setting, hands.low, hands.high)
            })
            .collect();
        let grid = self.grid(dealt, &settings);
        let mut advised: Vec<(Advised, LowStrength)> = settings
            .iter()
            .map(|&(setting, low, high)| {
                let outcomes = grid.outcomes(low, high);
                (Advised { setting, outcomes, house_way: setting == house }, low)
            })
            .collect();
        advised.sort_by_key(|(it, low)| {
            std::cmp::Reverse((it.outcomes.value(stake).gain, it.house_way, *low))
        });
        advised.into_iter().map(|(advised, _)| advised).collect()
    }

    /// The banker's hands, sorted between the settings' Low and High hands.
    fn grid(&self, dealt: Dealt, settings: &[(Setting, LowStrength, Strength)]) -> Grid {
        let mut grid = Grid::new(settings);
        self.bankers.each(dealt.cards(), |worth, hands| {
            grid.all += hands;
            if !self.bankers.rule.pushes(worth.low) {
                let cell = grid.low_bins[worth.low as usize] as usize * SIDE
                    + grid.high_bins[worth.high as usize] as usize;
                grid.cells[cell] += hands;
            }
        });
        grid
    }
}

/// At most 21 settings have different hands; one more bin for what is above them all.
const SIDE: usize = 22;

/// The banker's hands in bins: a bin's number is how many of the settings' different Low (or High)
/// hands it is not below.
struct Grid {
    lows: Vec<LowStrength>,
    highs: Vec<Strength>,
    low_bins: [u8; LowStrength::CLASSES],
    high_bins: Box<[u8; Strength::CLASSES]>,
    cells: [i64; SIDE * SIDE],
    all: i64,
}

impl Grid {
    fn new(settings: &[(Setting, LowStrength, Strength)]) -> Grid {
        let mut lows: Vec<LowStrength> = settings.iter().map(|&(_, low, _)| low).collect();
        let mut highs: Vec<Strength> = settings.iter().map(|&(_, _, high)| high).collect();
        lows.sort_unstable();
        lows.dedup();
        highs.sort_unstable();
        highs.dedup();
        let mut low_bins = [0; LowStrength::CLASSES];
        for low in &lows {
            low_bins[low.index()..].iter_mut().for_each(|bin| *bin += 1);
        }
        let mut high_bins = Box::new([0; Strength::CLASSES]);
        for high in &highs {
            high_bins[high.index()..].iter_mut().for_each(|bin| *bin += 1);
        }
        Grid { lows, highs, low_bins, high_bins, cells: [0; SIDE * SIDE], all: 0 }
    }

    fn outcomes(&self, low: LowStrength, high: Strength) -> Outcomes {
        // Bins up to a hand's own place hold what is below it.
        let below_low = self.lows.partition_point(|&other| other < low);
        let below_high = self.highs.partition_point(|&other| other < high);
        let sum = |lows: std::ops::RangeInclusive<usize>,
                   highs: std::ops::RangeInclusive<usize>| {
            lows.flat_map(|a| highs.clone().map(move |b| (a, b)))
                .map(|(a, b)| self.cells[a * SIDE + b])
                .sum::<i64>()
        };
        let win = sum(0..=below_low, 0..=below_high);
        let lose = sum(below_low + 1..=SIDE - 1, below_high + 1..=SIDE - 1);
        let count = |hands: i64| u64::try_from(hands).expect("a count of hands");
        Outcomes { win: count(win), push: count(self.all - win - lose), lose: count(lose) }
    }
}
