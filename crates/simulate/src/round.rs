//! One round: the hands that were dealt, set and settled.

use houseway_odds::game::Stake;
use houseway_rules::rulebook::{Banker, Payer, Rulebook};
use houseway_rules::settle::{self, Bonus, Outcome};
use houseway_rules::{BonusHand, Card, Cents, Dealt, HouseWay};

use rand::RngExt;
use rand::rngs::ChaCha12Rng;

use crate::strategy::Player;
use crate::{Plan, Played, Seat};

/// A position's gains in one round, in cents.
#[derive(Clone, Copy, Default)]
struct Gains {
    /// Commission taken.
    standard: i64,
    commission: i64,
    fortune: i64,
    envy: i64,
    tiger: i64,
}

fn signed(amount: Cents) -> i64 {
    i64::try_from(amount.get()).expect("wagers are far below what can be counted")
}

/// Sets and settles one round: seven cards for each position, then seven for the banker.
pub(crate) fn settle(
    plan: &Plan<'_>,
    player: &Player<'_>,
    house_way: &HouseWay<'_>,
    cards: &[Card],
    chance: &mut ChaCha12Rng,
    played: &mut Played,
) {
    let Plan { rulebook, seats, .. } = plan;
    let ranking = rulebook.ranking();
    let mut hands = cards.chunks_exact(7).map(|seven| {
        let set = seven.iter().fold(houseway_rules::CardSet::EMPTY, |set, &card| set.with(card));
        Dealt::new(set).expect("seven different cards")
    });
    let dealt: Vec<Dealt> = hands.by_ref().take(seats.len()).collect();
    let banker = hands.next().expect("a hand for the banker");
    let banker_set = house_way.set(banker).setting.strengths(ranking);
    let bonus_hands: Vec<Option<BonusHand>> = dealt.iter().map(|&it| BonusHand::of(it)).collect();
    let mut banker_gain = 0;
    for (place, seat) in seats.iter().enumerate() {
        let draw = |below: usize| chance.random_range(0..below);
        let stake = stake(rulebook, seat);
        let setting = player.set(seat.strategy, dealt[place], stake, draw).strengths(ranking);
        let result = &mut played.seats[place];
        let mut gains = Gains::default();
        match rulebook.compare(setting, banker_set).outcome {
            Outcome::Win => {
                let commission = rulebook.commission_on(seat.standard, seat.fortune);
                gains.commission = commission.map_or(0, |(commission, _)| signed(commission));
                gains.standard = signed(seat.standard) - gains.commission;
                result.outcomes.win += 1;
            }
            Outcome::Push => result.outcomes.push += 1,
            Outcome::Lose => {
                gains.standard = -signed(seat.standard);
                result.outcomes.lose += 1;
            }
        }
        if seat.fortune > Cents::ZERO {
            gains.fortune = match rulebook.judge_fortune(dealt[place], banker) {
                Bonus::Paid(line) => signed(seat.fortune) * i64::from(line.pays),
                Bonus::Returned(..) => 0,
                Bonus::Lost => -signed(seat.fortune),
            };
        }
        if envies(rulebook, seat) {
            gains.envy = envy(plan, place, &bonus_hands, BonusHand::of(banker));
        }
        if let Some(tiger) = &rulebook.tiger_nine
            && seat.tiger > Cents::ZERO
        {
            gains.tiger = match settle::is_nine_high(banker_set.low) {
                true => signed(seat.tiger) * i64::from(tiger.pays),
                false => -signed(seat.tiger),
            };
        }
        banker_gain -= paid_by_banker(rulebook, gains);
        result.standard.add(gains.standard);
        result.fortune.add(gains.fortune);
        result.envy.add(gains.envy);
        result.tiger.add(gains.tiger);
        result.total.add(gains.standard + gains.fortune + gains.envy + gains.tiger);
    }
    played.rounds += 1;
    played.banker.add(banker_gain);
    *played.banker_gains.entry(banker_gain).or_default() += 1;
}

/// What the other positions' hands bring.
fn envy(
    plan: &Plan<'_>,
    place: usize,
    hands: &[Option<BonusHand>],
    banker: Option<BonusHand>,
) -> i64 {
    let rulebook = plan.rulebook;
    let Some(envy) = &rulebook.envy else { return 0 };
    let others = plan.seats.iter().zip(hands).enumerate();
    others
        .filter(|&(other, (seat, _))| other != place && is_envied(rulebook, seat))
        .filter_map(|(_, (_, hand))| *hand)
        .filter(|&hand| envy.bars(&rulebook.fortune, hands[place], hand, banker).is_none())
        .filter_map(|hand| rulebook.fortune.envy(hand))
        .map(signed)
        .sum()
}

/// What the banker pays of a position's gains. A house that banks pays everything and keeps the
/// commission; a player who banks has no part in it, nor in bonus bets that are between player and
/// house.
fn paid_by_banker(rulebook: &Rulebook, gains: Gains) -> i64 {
    let commission = if house_banks(rulebook) { 0 } else { gains.commission };
    let fortune = if banker_pays(rulebook, rulebook.fortune.payer) { gains.fortune } else { 0 };
    let envy = rulebook.envy.as_ref().filter(|envy| banker_pays(rulebook, envy.payer));
    gains.standard + commission + fortune + envy.map_or(0, |_| gains.envy) + gains.tiger
}

/// Whether the house banks, as it does here wherever it can.
pub(crate) fn house_banks(rulebook: &Rulebook) -> bool {
    matches!(rulebook.bank.banker, Banker::House | Banker::HouseOrPlayer)
}

/// Whether a bonus bet is the banker's to pay.
pub(crate) fn banker_pays(rulebook: &Rulebook, payer: Payer) -> bool {
    house_banks(rulebook) || payer == Payer::Banker
}

/// Whether a position's Fortune Bonus wager carries Envy.
pub(crate) fn envies(rulebook: &Rulebook, seat: &Seat) -> bool {
    let asked = rulebook.envy.as_ref().map(|envy| envy.fortune_at_least);
    seat.fortune > Cents::ZERO && asked.is_some_and(|asked| seat.fortune >= asked)
}

/// Whether a position's hand brings Envy to others.
pub(crate) fn is_envied(rulebook: &Rulebook, seat: &Seat) -> bool {
    let must_bet = rulebook.envy.as_ref().is_some_and(|envy| envy.other_must_bet_fortune);
    !must_bet || seat.fortune > Cents::ZERO
}

/// What a win costs a position.
pub(crate) fn stake(rulebook: &Rulebook, seat: &Seat) -> Stake {
    let waived = rulebook.commission_on(Cents::dollars(1), seat.fortune);
    match waived {
        Some((Cents::ZERO, _)) | None => Stake::FREE,
        Some(_) => Stake::of(rulebook),
    }
}
