//! The counts against counting: every banker hand, one by one.

use houseway_odds::game::{Outcomes, Stake};
use houseway_odds::{Advisor, BANKER_HANDS, Seat};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Card, CardSet, Dealt, HouseWay, LowStrength, Rank, Setting, houses};
use rayon::prelude::*;

/// What becomes of settings of a hand against every hand the other side can be dealt.
fn enumerate(rulebook: &Rulebook, seat: Seat, settings: &[Setting]) -> Vec<Outcomes> {
    let (ranking, house_way) = (rulebook.ranking(), HouseWay::new(rulebook));
    let known = settings[0].dealt().cards();
    let left: Vec<Card> = Card::all().filter(|&card| !known.contains(card)).collect();
    let hands: Vec<_> = settings.iter().map(|it| it.strengths(ranking)).collect();
    let nine_high =
        LowStrength::of(Rank::Nine, Rank::Two)..=LowStrength::of(Rank::Nine, Rank::Eight);
    let firsts: Vec<(usize, usize)> =
        (0..left.len()).flat_map(|a| (a + 1..left.len()).map(move |b| (a, b))).collect();
    let count = |&(a, b): &(usize, usize)| {
        let mut outcomes = vec![Outcomes::default(); hands.len()];
        let two = CardSet::of(left[a]).with(left[b]);
        each_five(&left[b + 1..], two, &mut |cards| {
            let dealt = Dealt::new(cards).expect("seven");
            let other = house_way.set(dealt).setting.strengths(ranking);
            for (outcomes, own) in outcomes.iter_mut().zip(&hands) {
                let (banker, higher) = match seat {
                    Seat::Player => (&other, (own.low > other.low, own.high > other.high)),
                    Seat::Banker => (own, (own.low >= other.low, own.high >= other.high)),
                };
                let pushed = rulebook.nine_high_push.is_some() && nine_high.contains(&banker.low);
                match higher {
                    _ if pushed => outcomes.push += 1,
                    (true, true) => outcomes.win += 1,
                    (false, false) => outcomes.lose += 1,
                    _ => outcomes.push += 1,
                }
            }
        });
        outcomes
    };
    firsts.par_iter().map(count).reduce(
        || vec![Outcomes::default(); hands.len()],
        |mut sums, part| {
            for (sum, part) in sums.iter_mut().zip(part) {
                sum.win += part.win;
                sum.push += part.push;
                sum.lose += part.lose;
            }
            sums
        },
    )
}

fn each_five(left: &[Card], two: CardSet, visit: &mut impl FnMut(CardSet)) {
    for (c, &card) in left.iter().enumerate() {
        let three = two.with(card);
        for (d, &card) in left.iter().enumerate().skip(c + 1) {
            let four = three.with(card);
            for (e, &card) in left.iter().enumerate().skip(d + 1) {
                let five = four.with(card);
                for (f, &card) in left.iter().enumerate().skip(e + 1) {
                    let six = five.with(card);
                    for &card in &left[f + 1..] {
                        visit(six.with(card));
                    }
                }
            }
        }
    }
}

/// Every legal setting of hands with jokers, flushes, five aces, the hands of R27 and none of
/// these.
#[test]
fn advice_is_what_every_banker_hand_says() {
    for (rulebook, cards) in [
        (&houses::MBS_2020, "Ac Kd Js 9h 7c 4d 3s"),
        (&houses::CARDROOM, "As Ad Jk Kh Qc Jd 5s"),
        (&houses::COMMISSION_FREE, "Th 9h 6h 5h 2h Qc 8s"),
        (&houses::CATFISH_BEND, "Ac Ad Ah As Jk Kd 2c"),
        (&houses::CATFISH_BEND, "5s 4s 3s 2s Jk Kd 9h"),
        (&houses::MBS_2020, "Ac Kd Ks Qh Jd Ts 3c"),
    ] {
        check(rulebook, Seat::Player, cards);
    }
}

/// At the banker's seat, also where the banker's own 9-high Low hand pushes everything.
#[test]
fn a_banker_is_advised_by_what_every_other_hand_says() {
    check(&houses::CATFISH_BEND, Seat::Banker, "Ac Ad 9h 9s Jk Kd 2c");
    let mut pushing = Rulebook::clone(&houses::CATFISH_BEND);
    pushing.nine_high_push = Some("B7".into());
    check(&pushing, Seat::Banker, "2c 3d 4h 5s 6c Td 9h");
}

fn check(rulebook: &Rulebook, seat: Seat, cards: &str) {
    let dealt: Dealt = cards.parse().expect(cards);
    let stake = Stake::at(rulebook, seat);
    let advice = Advisor::at(rulebook, seat).advise(dealt, stake);
    let settings: Vec<Setting> = advice.iter().map(|advised| advised.setting).collect();
    assert_eq!(settings.len(), dealt.legal_settings(rulebook.ranking()).count());
    for (advised, counted) in advice.iter().zip(enumerate(rulebook, seat, &settings)) {
        assert_eq!(advised.outcomes, counted, "{} {}", rulebook.id, advised.setting);
        assert_eq!(counted.deals(), BANKER_HANDS);
    }
    assert_eq!(advice.iter().filter(|advised| advised.house_way).count(), 1);
    let values = advice.iter().map(|it| it.outcomes.value(stake).gain);
    assert!(values.is_sorted_by(|a, b| a >= b), "best first");
}
