//! What is played agrees with what is counted, and a seed gives the same rounds everywhere.

use houseway_odds::answers::{FortuneAboveBanker, HouseWayGame, Question};
use houseway_odds::{Progress, envy};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Cents, houses};
use houseway_simulate::{
    Expected, Known, Plan, Played, Player, Seat, Strategy, expected, expected_banker, play,
};

fn seat(strategy: Strategy) -> Seat {
    let dollars = Cents::dollars;
    Seat { strategy, standard: dollars(20), fortune: dollars(5), tiger: Cents::ZERO }
}

fn played(plan: &Plan<'_>) -> Played {
    let optimal = plan.seats.iter().filter(|it| it.strategy == Strategy::Optimal).count() as u64;
    let player = Player::new(plan.rulebook, optimal * plan.rounds, &Progress::new());
    play(plan, &player, &Progress::new())
}

fn known(rulebook: &Rulebook) -> Known {
    Known {
        house_way: HouseWayGame(rulebook).shipped().map(|game| game.total()),
        optimal: vec![],
        above_banker: FortuneAboveBanker(rulebook).shipped().flatten(),
        envy: envy::per_other_hand(rulebook).expect("few hands bar Envy"),
    }
}

/// Every bet of every house, played through the table, within four standard errors of the exact figure, from a fixed seed.
#[test]
fn estimates_meet_the_exact_figures() {
    for rulebook in houses::HOUSES {
        let mut seats = vec![seat(Strategy::HouseWay); 3];
        if rulebook.tiger_nine.is_some() {
            seats[1].tiger = Cents::dollars(1);
        }
        // A bonus wager whose highest payout is below every cap; none at all.
        seats[1].fortune = Cents::dollars(3);
        seats[2].fortune = Cents::ZERO;
        let plan = Plan::new(rulebook, seats, 400_000, 11);
        let played = played(&plan);
        assert_eq!(played.rounds, plan.rounds);
        let expected = expected(&plan, &known(rulebook));
        // Where fees are taken or a cap can be reached, no closed figure is given for the banker.
        if let Some(banker) = expected_banker(rulebook, &expected) {
            let errors = played.banker.estimate(played.rounds).errors_from(banker);
            let within = errors.is_some_and(|errors| errors.abs() < 5.0);
            assert!(within, "{}: {errors:?}", rulebook.id);
        }
        for (place, (seat, exact)) in played.seats.iter().zip(expected).enumerate() {
            assert_eq!(seat.outcomes.deals(), plan.rounds);
            let Expected { standard, fortune, envy, tiger, .. } = exact;
            let bets = [
                ("standard", seat.standard, standard),
                ("fortune", seat.fortune, fortune),
                ("envy", seat.envy, envy),
                ("tiger", seat.tiger, tiger),
            ];
            for (bet, moments, exact) in bets {
                let Some(exact) = exact else {
                    let capped = (&*rulebook.id, bet, place);
                    assert_eq!(capped, ("catfish-bend", "fortune", 0), "$5 can reach the cap");
                    continue;
                };
                let estimate = moments.estimate(played.rounds);
                let Some(errors) = estimate.errors_from(exact) else {
                    // Two kinds of hands earn Envy at these houses, one deal in a million: where
                    // none was dealt there is no error to measure by. Everywhere else there is.
                    let rare = bet == "envy" && rulebook.id.starts_with("mbs");
                    let no_such_bet = exact.abs() < f64::EPSILON;
                    assert!(rare || no_such_bet, "{} {bet} never varied", rulebook.id);
                    continue;
                };
                assert!(errors.abs() < 4.0, "{} {bet}: {estimate:?}, exact {exact}", rulebook.id);
            }
            assert!(seat.standard.estimate(played.rounds).standard_error > 0.0);
        }
    }
}

/// The house's gain is what the players lose, round by round.
#[test]
fn what_players_lose_the_banker_gains() {
    let rulebook = &houses::MBS_2020;
    let seats =
        vec![seat(Strategy::HouseWay), seat(Strategy::Random), seat(Strategy::StrongestLow)];
    let played = played(&Plan::new(rulebook, seats, 10_000, 3));
    let players: i128 = played.seats.iter().map(|seat| seat.total.sum).sum();
    assert_eq!(played.banker.sum, -players);
    let gains: i128 = played
        .banker_gains
        .iter()
        .map(|(&gain, &times)| i128::from(gain) * i128::from(times))
        .sum();
    assert_eq!(gains, played.banker.sum);
    assert_eq!(played.banker_gains.values().sum::<u64>(), 10_000);
    assert_eq!(played.course.last().map(|(rounds, _)| *rounds), Some(10_000));
}

/// One core or two, the same rounds; another seed, others.
#[test]
fn a_seed_is_the_same_night_on_any_number_of_cores() {
    let rulebook = &houses::COMMISSION_FREE;
    let seats = vec![seat(Strategy::Random), seat(Strategy::StrongestHigh)];
    let plan = Plan::new(rulebook, seats, 20_000, 5);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| played(&plan))
    };
    let (one, two) = (on(1), on(2));
    assert_eq!(one, two);
    // Pinned: whoever repeats a published seed gets the published figures.
    assert_eq!(one.seats[1].outcomes.win, PINNED_WINS);
    assert_ne!(played(&Plan { seed: 6, ..plan.clone() }), one);
}

/// The wins of the second position with seed 5.
const PINNED_WINS: u64 = 878;

/// The better a strategy, the less it loses.
#[test]
fn strategies_are_worth_what_they_should_be() {
    let rulebook = &houses::CARDROOM;
    let strategies = [Strategy::Optimal, Strategy::HouseWay, Strategy::Random];
    let gains = strategies.map(|strategy| {
        let plan = Plan::new(rulebook, vec![seat(strategy)], 15_000, 9);
        played(&plan).seats[0].standard.sum
    });
    // The same cards are dealt to each.
    assert!(gains[0] > gains[1] && gains[1] > gains[2], "{gains:?}");
}

/// Where the bonus pays out of order, is judged against the banker's, and a player banks with
/// commission going to the house: played and counted alike.
#[test]
fn odd_rulebooks_are_counted_as_they_are_played() {
    use houseway_odds::bonus;
    use houseway_rules::BonusHand;
    use houseway_rules::rulebook::PayLine;
    let mut rulebook = Rulebook::clone(&houses::CARDROOM);
    let lines = rulebook.fortune.table.iter().map(|line| match line.hand {
        BonusHand::Straight => PayLine { pays: 5, ..*line },
        BonusHand::ThreeOfAKind => PayLine { pays: 2, ..*line },
        _ => *line,
    });
    rulebook.fortune.table = lines.collect::<Vec<PayLine>>().into();
    rulebook.commission = houses::MBS_2020.commission.clone();
    let plan = Plan::new(&rulebook, vec![seat(Strategy::HouseWay); 6], 300_000, 21);
    let above = bonus::fortune_above_banker(&rulebook, &Progress::new());
    let plain = bonus::fortune(&rulebook);
    for (above, (hand, hands, _)) in
        above.as_ref().expect("it has the rule").lines.iter().zip(&plain.lines)
    {
        assert_eq!(above.paid + above.returned, hands * 53_524_680, "{hand}");
    }
    let known = Known { above_banker: above, ..known(&houses::CARDROOM) };
    let (played, expected) = (played(&plan), expected(&plan, &known));
    for (seat, exact) in played.seats.iter().zip(&expected) {
        for (moments, exact) in [(seat.standard, exact.standard), (seat.fortune, exact.fortune)] {
            let errors = moments.estimate(played.rounds).errors_from(exact.expect("counted"));
            assert!(errors.is_some_and(|errors| errors.abs() < 5.0), "{errors:?}");
        }
    }
    let banker = expected_banker(&rulebook, &expected).expect("counted");
    let errors = played.banker.estimate(played.rounds).errors_from(banker);
    assert!(errors.is_some_and(|errors| errors.abs() < 5.0), "{errors:?}");
}
