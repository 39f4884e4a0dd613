//! Advice on a hand: how the house would set it and why, or what every setting is worth.

use houseway_odds::game::Stake;
use houseway_odds::{BANKER_HANDS, Seat};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Card, CardSet, Cents, Dealt, set_house_way};

use crate::advisors::advisor;

/// Advice on a hand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Advice {
    /// What it is about.
    pub(crate) title: String,
    /// The two cards that it would put in front.
    pub(crate) low: CardSet,
    /// Settings with their worth, the best first; none where only the House Way was asked for.
    pub(crate) settings: Vec<Worth>,
    /// A sentence.
    pub(crate) why: String,
}

/// What a setting is worth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Worth {
    pub(crate) low: Vec<Card>,
    pub(crate) high: Vec<Card>,
    /// Percent of the banker's hands that it beats, pushes and loses to.
    pub(crate) shares: [f64; 3],
    /// For each dollar wagered.
    pub(crate) value: f64,
    pub(crate) house_way: bool,
}

impl Advice {
    /// How the house would set a hand, and by which clause.
    pub(crate) fn house_way(rulebook: &Rulebook, dealt: Dealt) -> Advice {
        let decision = set_house_way(rulebook, dealt);
        Advice {
            title: format!("House Way, {}", decision.clause.id),
            low: decision.setting.low(),
            settings: vec![],
            why: decision.clause.says.to_string(),
        }
    }

    /// What every setting is worth against the other side's House Way, counted over all its hands.
    pub(crate) fn exact(
        rulebook: &'static Rulebook,
        dealt: Dealt,
        banks: bool,
        fortune: Cents,
    ) -> Advice {
        let seat = if banks { Seat::Banker } else { Seat::Player };
        let waived = rulebook.waiver().is_some_and(|waiver| fortune >= waiver.is);
        let stake = if waived { Stake::FREE } else { Stake::at(rulebook, seat) };
        let all = advisor(rulebook, seat).advise(dealt, stake);
        let ranking = rulebook.ranking();
        let mut told = vec![];
        let mut settings = vec![];
        for advised in &all {
            // Settings that differ in suits alone are told once.
            let strengths = advised.setting.strengths(ranking);
            let worth = (strengths.low, strengths.high);
            let is_house_way = all.iter().any(|it| {
                let other = it.setting.strengths(ranking);
                it.house_way && (other.low, other.high) == worth
            });
            if told.contains(&worth) {
                continue;
            }
            told.push(worth);
            #[expect(clippy::cast_precision_loss, reason = "for showing only")]
            let share = |deals: u64| deals as f64 / BANKER_HANDS as f64 * 100.0;
            let outcomes = advised.outcomes;
            settings.push(Worth {
                low: advised.setting.low().from_the_top().collect(),
                high: advised.setting.high().from_the_top().collect(),
                shares: [outcomes.win, outcomes.push, outcomes.lose].map(share),
                value: outcomes.value(stake).as_f64(),
                house_way: is_house_way,
            });
        }
        Advice {
            title: "Exact worth, win/push".into(),
            low: all.first().map_or(CardSet::EMPTY, |best| best.setting.low()),
            settings,
            why: "Counted over all 53,524,680 hands of the other side; * is the House Way.".into(),
        }
    }
}

/// Reads a banker's House Way before anyone asks, so that a key is answered at once.
pub(crate) fn prepare(rulebook: &'static Rulebook) {
    std::thread::spawn(move || drop(advisor(rulebook, Seat::Player)));
}
