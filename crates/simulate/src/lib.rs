//! Whole rounds, played by named strategies from a seed.
//!
//! Sums are whole cents and blocks of rounds have streams of chance of their own, so a seed gives
//! the same figures on any number of cores, to the last digit. What can be counted is counted by
//! `houseway-odds`; [`expected`] puts its figures beside the estimates.

mod estimate;
mod round;
mod strategy;

use std::collections::BTreeMap;

use houseway_odds::Progress;
use houseway_odds::bonus::{self, AboveBanker};
use houseway_odds::envy::PerOtherHand;
use houseway_odds::game::{Outcomes, Stake};
use houseway_rules::rulebook::{Collection, Rulebook};
use houseway_rules::{Card, Cents};
use houseway_table::SetupError;
use rand::SeedableRng;
use rand::rngs::ChaCha12Rng;
use rayon::prelude::*;

pub use estimate::{Estimate, Moments};
pub use strategy::{Player, Strategy};

/// Rounds that share one stream of chance.
const BLOCK: u64 = 4096;

/// How many points a running estimate has at most.
const CHECKPOINTS: u64 = 200;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The rulebook.
    pub rulebook: &'a Rulebook,
    /// Who sits at the betting positions.
    pub seats: Vec<Seat>,
    /// How many rounds.
    pub rounds: u64,
    /// Where chance starts.
    pub seed: u64,
    /// What a banking player puts up; nothing is as much as it takes.
    pub put_up: Option<Cents>,
    /// What a Designated Player pays before the cards are dealt.
    pub rake: Cents,
    /// The collection schedule, where there are some; nothing is the first.
    pub schedule: Option<u8>,
}

impl<'a> Plan<'a> {
    /// Rounds with an unlimited bank and without a rake.
    pub fn new(rulebook: &'a Rulebook, seats: Vec<Seat>, rounds: u64, seed: u64) -> Plan<'a> {
        Plan { rulebook, seats, rounds, seed, put_up: None, rake: Cents::ZERO, schedule: None }
    }

    /// Why no table can be opened for it, if none can.
    pub fn check(&self) -> Result<(), SetupError> {
        round::setup(self).map(|_| ())
    }
}

/// A betting position: how it sets and what it wagers each round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// How it sets.
    pub strategy: Strategy,
    /// The standard wager.
    pub standard: Cents,
    /// The Fortune Bonus wager, or nothing.
    pub fortune: Cents,
    /// The Tiger 9 wager, or nothing.
    pub tiger: Cents,
}

/// What one position came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatResult {
    /// Standard wagers by what became of them.
    pub outcomes: Outcomes,
    /// Gains in cents, bet by bet and together.
    pub standard: Moments,
    /// The Fortune Bonus alone.
    pub fortune: Moments,
    /// Envy alone.
    pub envy: Moments,
    /// Tiger 9 alone.
    pub tiger: Moments,
    /// Fees.
    pub fees: Moments,
    /// All of it.
    pub total: Moments,
}

/// What was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// How many rounds.
    pub rounds: u64,
    /// What each position came to.
    pub seats: Vec<SeatResult>,
    /// The banker's gain a round, in cents.
    pub banker: Moments,
    /// How often the banker's gain was so many cents.
    pub banker_gains: BTreeMap<i64, u64>,
    /// After so many rounds, each position's total so far.
    pub course: Vec<(u64, Vec<Moments>)>,
}

/// Plays.
pub fn play(plan: &Plan<'_>, player: &Player<'_>, progress: &Progress) -> Played {
    let blocks = plan.rounds.div_ceil(BLOCK);
    // Blocks are added up in groups, so that the course of the estimates is known.
    let group = blocks.div_ceil(CHECKPOINTS).max(1);
    let mut played = Played::new(plan.seats.len());
    for first in (0..blocks).step_by(usize::try_from(group).expect("a count of blocks")) {
        let last = (first + group).min(blocks);
        let part = (first..last)
            .into_par_iter()
            .map(|block| {
                let rounds = BLOCK.min(plan.rounds - block * BLOCK);
                let played = play_block(plan, player, block, rounds);
                progress.add(rounds, plan.rounds);
                played
            })
            .reduce(|| Played::new(plan.seats.len()), Played::plus);
        played = played.plus(part);
        let totals = played.seats.iter().map(|seat| seat.total).collect();
        played.course.push((played.rounds, totals));
    }
    played
}

fn play_block(plan: &Plan<'_>, player: &Player<'_>, block: u64, rounds: u64) -> Played {
    let mut chance = ChaCha12Rng::seed_from_u64(plan.seed);
    chance.set_stream(block);
    let mut deck: Vec<Card> = Card::all().collect();
    let mut table = round::seated(plan);
    let mut played = Played::new(plan.seats.len());
    for _ in 0..rounds {
        round::play(plan, player, &mut table, &mut deck, &mut chance, &mut played);
    }
    played
}

impl Played {
    fn new(seats: usize) -> Played {
        Played { seats: vec![SeatResult::default(); seats], ..Played::default() }
    }

    fn plus(mut self, other: Played) -> Played {
        self.rounds += other.rounds;
        for (sum, part) in self.seats.iter_mut().zip(other.seats) {
            sum.outcomes = sum.outcomes.plus(part.outcomes, 1);
            sum.standard = sum.standard.plus(part.standard);
            sum.fortune = sum.fortune.plus(part.fortune);
            sum.envy = sum.envy.plus(part.envy);
            sum.tiger = sum.tiger.plus(part.tiger);
            sum.fees = sum.fees.plus(part.fees);
            sum.total = sum.total.plus(part.total);
        }
        self.banker = self.banker.plus(other.banker);
        for (gain, times) in other.banker_gains {
            *self.banker_gains.entry(gain).or_default() += times;
        }
        self
    }
}

/// What has been counted, as far as it is needed.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The game of a player who sets the House Way.
    pub house_way: Option<Outcomes>,
    /// The games of players who set best, by what is at stake for them.
    pub optimal: Vec<(Stake, Outcomes)>,
    /// The Fortune Bonus where it must be above the banker's.
    pub above_banker: Option<AboveBanker>,
    /// What one other hand brings by Envy.
    pub envy: Option<PerOtherHand>,
}

/// The exact average gains of a position in cents a round, where they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// Win, push and lose over all deals.
    pub outcomes: Option<Outcomes>,
    /// Of the standard wager, what a banker has no part in: commission that goes to the house.
    commission: Option<f64>,
    /// On the standard wager.
    pub standard: Option<f64>,
    /// On the Fortune Bonus.
    pub fortune: Option<f64>,
    /// By Envy.
    pub envy: Option<f64>,
    /// On Tiger 9.
    pub tiger: Option<f64>,
    /// Whether no fees are taken.
    fees: bool,
}

impl Expected {
    /// All of it, if all of it is known.
    pub fn total(&self) -> Option<f64> {
        let total = self.standard? + self.fortune? + self.envy? + self.tiger?;
        self.fees.then_some(total)
    }
}

/// Whether a round's cap on bonus payouts can be reached by this position alone.
fn is_capped(rulebook: &Rulebook, seat: &Seat) -> bool {
    let cap = rulebook.fortune.cap.as_ref().and_then(|cap| cap.amount);
    let highest = rulebook.fortune.table.iter().map(|line| line.pays).max().unwrap_or(0);
    let most = seat.fortune.times(highest);
    cap.is_some_and(|cap| most.is_none_or(|most| most > cap))
}

/// Whether the house collects something before each round.
fn takes_fees(plan: &Plan<'_>) -> bool {
    match &plan.rulebook.collection {
        None => false,
        Some(Collection::Rake { .. }) => plan.rake > Cents::ZERO,
        Some(Collection::Schedules { .. }) => true,
    }
}

/// What each position's gains must come to on average.
#[expect(clippy::cast_precision_loss, reason = "for comparison with estimates")]
pub fn expected(plan: &Plan<'_>, known: &Known) -> Vec<Expected> {
    let rulebook = plan.rulebook;
    let bonus = match &known.above_banker {
        Some(counted) => counted.value(),
        None => bonus::fortune(rulebook).value(),
    };
    let tiger = bonus::tiger_nine(rulebook).map(|tiger| tiger.value.as_f64());
    let cents = |wager: Cents, value: f64| wager.get() as f64 * value;
    plan.seats
        .iter()
        .enumerate()
        .map(|(place, seat)| {
            let stake = round::stake(rulebook, seat);
            let best = known.optimal.iter().find(|(at, _)| *at == stake);
            let game = match seat.strategy {
                Strategy::HouseWay => known.house_way,
                Strategy::Optimal => best.map(|(_, game)| *game),
                Strategy::StrongestLow | Strategy::StrongestHigh | Strategy::Random => None,
            };
            let gain = |stake| game.map(|game| cents(seat.standard, game.value(stake).as_f64()));
            let envy = rulebook.envy.as_ref();
            let is_envied = |it: &Seat| envy.is_some_and(|envy| envy.is_for_hands_with(it.fortune));
            let others = plan
                .seats
                .iter()
                .enumerate()
                .filter(|&(other, it)| other != place && is_envied(it));
            let envies = envy.is_some_and(|envy| envy.is_carried_by(seat.fortune));
            let others = if envies { others.count() } else { 0 };
            // A bank that can be used up, or a cap that can be reached, has no closed figure.
            let whole = plan.put_up.is_none() || rulebook.bank.banker.is_house();
            let capped = is_capped(rulebook, seat);
            Expected {
                outcomes: game,
                commission: gain(Stake::FREE).zip(gain(stake)).map(|(free, less)| free - less),
                standard: gain(stake).filter(|_| whole),
                fortune: Some(cents(seat.fortune, bonus.as_f64())).filter(|_| whole && !capped),
                envy: match others {
                    0 => Some(0.0),
                    others => known
                        .envy
                        .filter(|_| whole)
                        .map(|envy| envy.dollars() * 100.0 * others as f64),
                },
                tiger: match seat.tiger {
                    Cents::ZERO => Some(0.0),
                    wager => tiger.filter(|_| whole).map(|value| cents(wager, value)),
                },
                fees: !takes_fees(plan),
            }
        })
        .collect()
}

/// What the banker's gain in cents a round must come to on average, if all of it is known.
pub fn expected_banker(rulebook: &Rulebook, positions: &[Expected]) -> Option<f64> {
    let mut gain = 0.0;
    for it in positions {
        if !it.fees {
            return None;
        }
        let pays = |payer| round::banker_pays(rulebook, payer);
        gain -= it.standard? + it.tiger?;
        gain -= if rulebook.bank.banker.is_house() { 0.0 } else { it.commission? };
        gain -= if pays(rulebook.fortune.payer) { it.fortune? } else { 0.0 };
        gain -=
            if rulebook.envy.as_ref().is_some_and(|it| pays(it.payer)) { it.envy? } else { 0.0 };
    }
    Some(gain)
}

impl Seat {
    /// What is at stake for a position: a Fortune Bonus wager may waive the commission.
    pub fn stake(&self, rulebook: &Rulebook) -> Stake {
        round::stake(rulebook, self)
    }
}
