//! Every legal setting of a hand, with its exact chances against the banker's House Way.

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Dealt, Setting, set_house_way};

use crate::Seat;
use crate::bankers::{Bankers, WinLose, Worth};
use crate::game::{self, Outcomes, Stake};

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
    seat: Seat,
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
    /// An advisor for a player under a rulebook.
    pub fn new(rulebook: &'a Rulebook) -> Advisor<'a> {
        Advisor::at(rulebook, Seat::Player)
    }

    /// An advisor for a player or for a banker who may set freely.
    pub fn at(rulebook: &'a Rulebook, seat: Seat) -> Advisor<'a> {
        Advisor { rulebook, seat, bankers: Bankers::of(rulebook, seat) }
    }

    /// Every legal setting, the most valuable first; of equal ones the House Way, then the higher
    /// Low hand.
    pub fn advise(&self, dealt: Dealt, stake: Stake) -> Vec<Advised> {
        let ranking = self.rulebook.ranking();
        let house = set_house_way(self.rulebook, dealt).setting;
        let settings: Vec<Setting> = dealt.legal_settings(ranking).collect();
        let worths: Vec<Worth> = settings.iter().map(|&it| Worth::of(it, ranking)).collect();
        let counted_as: Vec<Worth> = worths.iter().map(|&it| self.seat.worth(it)).collect();
        let counted = self.bankers.count(dealt.cards(), &counted_as);
        let rule = game::rule(self.rulebook);
        let pushes = |worth: Worth| self.seat == Seat::Banker && rule.pushes(worth.low);
        let mut advised: Vec<(Advised, Worth)> = settings
            .into_iter()
            .zip(counted)
            .zip(worths)
            .map(|((setting, counted), worth)| {
                let counted = if pushes(worth) { (0, 0) } else { counted };
                let outcomes = Outcomes::of_banker_hands(counted);
                (Advised { setting, outcomes, house_way: setting == house }, worth)
            })
            .collect();
        advised.sort_by_key(|(it, worth)| {
            std::cmp::Reverse((it.outcomes.value(stake).gain, it.house_way, worth.low))
        });
        advised.into_iter().map(|(advised, _)| advised).collect()
    }
}

impl Outcomes {
    /// Of all hands the banker can be dealt, so many are beaten and lost to.
    pub(crate) fn of_banker_hands((win, lose): WinLose) -> Outcomes {
        let count = |hands: i64| u64::try_from(hands).expect("a count of hands");
        let (win, lose) = (count(win), count(lose));
        Outcomes { win, push: BANKER_HANDS - win - lose, lose }
    }
}
