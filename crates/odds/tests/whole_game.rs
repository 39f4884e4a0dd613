//! The whole game, counted: against published figures, and against a second method.

use houseway_odds::answers::{BestGame, HouseWayGame, Question};
use houseway_odds::game::{self, Counted, Outcomes, Stake};
use houseway_odds::{Advisor, Progress, Seat, ways};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Category, HouseWay, classes, custom, houses};
use rayon::prelude::*;

/// Percent with so many decimals.
fn percent(part: f64, decimals: usize) -> String {
    format!("{:.decimals$}", part * 100.0)
}

/// The only exact figures published before: one House Way against itself.
#[test]
fn foxwoods_is_what_was_published() {
    let file = include_str!("../../../examples/foxwoods.toml");
    let foxwoods = custom::read("foxwoods", file).expect("a good file").rulebook;
    let Outcomes { win, push, lose } = game::house_way(&foxwoods, &Progress::new()).total();
    // A share is the value of winning it without commission.
    let share = |win: u64| {
        let outcomes = Outcomes { win, push: game::DEALS - win, lose: 0 };
        percent(outcomes.value(Stake::FREE).as_f64(), 2)
    };
    assert_eq!([win, push, lose].map(share), ["29.12", "40.50", "30.38"]);
    let total = Outcomes { win, push, lose };
    let stake = Stake::of(&foxwoods);
    assert_eq!(percent(-total.value(stake).as_f64(), 4), "2.7212");
    // The best setting against it, not banking and banking, as they are quoted: 2.51 and 0.04.
    for (seat, edge) in [(Seat::Player, "2.5122"), (Seat::Banker, "0.0442")] {
        let best = ways::optimal(&foxwoods, seat, stake, &Progress::new());
        assert_eq!(percent(-best.other.total().value(stake).as_f64(), 4), edge, "{seat:?}");
        let other_side = |outcomes: Outcomes| match seat {
            Seat::Player => outcomes,
            Seat::Banker => outcomes.from_the_other_side(),
        };
        assert_eq!(other_side(best.house_way), total, "the House Way, counted hand by hand");
    }
}

/// The deals in which a clause sets the player's hand, counted hand by hand: what the pairs count
/// by inclusion and exclusion, the advisor counts from the 46 cards left beside each hand.
fn hand_by_hand(rulebook: &Rulebook, fewer_than: u64, game: &Counted) -> usize {
    let house_way = HouseWay::new(rulebook);
    let advisor = Advisor::new(rulebook);
    let clauses = rulebook.house_way.len();
    let by_clause: Vec<Outcomes> = (0..clauses).map(|place| game.of_clause(place)).collect();
    let rare = |clause: usize| {
        let deals = by_clause[clause].deals();
        deals > 0 && deals / 53_524_680 < fewer_than
    };
    let parts: Vec<classes::Part> = classes::parts().collect();
    let count = |part: &classes::Part| {
        let mut sums = vec![Outcomes::default(); clauses];
        part.each(|dealt, weight| {
            let (clause, setting) = house_way.try_set_numbered(dealt).expect("every hand is set");
            if rare(clause) {
                let advice = advisor.advise(dealt, Stake::of(rulebook));
                let house = advice.iter().find(|it| it.house_way).expect("the House Way is legal");
                assert_eq!(house.setting, setting);
                sums[clause] = sums[clause].plus(house.outcomes, u64::from(weight));
            }
        });
        sums
    };
    let sums = parts.par_iter().map(count).reduce(
        || vec![Outcomes::default(); clauses],
        |a, b| a.into_iter().zip(b).map(|(a, b)| a.plus(b, 1)).collect(),
    );
    let mut checked = 0;
    for (place, (clause, outcomes)) in rulebook.house_way.iter().zip(&by_clause).enumerate() {
        if rare(place) {
            assert_eq!(sums[place], *outcomes, "{} {} {}", rulebook.id, clause.id, clause.row);
            checked += 1;
        }
    }
    checked
}

/// The shipped game of a house; another test counts it anew.
fn shipped(rulebook: &Rulebook) -> Counted {
    HouseWayGame(rulebook).shipped().expect("shipped for every house")
}

/// Every house: all deals counted once, and the rarer clauses hand by hand.
#[test]
fn the_pairs_are_what_hand_by_hand_gives() {
    for rulebook in houses::HOUSES {
        let game = shipped(rulebook);
        assert_eq!(game.total().deals(), game::DEALS);
        assert!(hand_by_hand(rulebook, 20_000, &game) >= 2, "{}", rulebook.id);
    }
}

/// The categories have the published number of hands, each against every banker hand.
#[test]
fn the_parts_by_category_are_whole() {
    let hands = [
        24_780_420, 64_221_960, 35_553_816, 7_470_676, 11_236_028, 6_172_088, 4_188_528, 307_472,
        210_964, 1_128,
    ];
    for rulebook in houses::HOUSES {
        let game = shipped(rulebook);
        let best =
            BestGame { rulebook, seat: Seat::Player, waived: false }.shipped().expect("shipped");
        for (category, hands) in Category::ALL.into_iter().zip(hands) {
            for counted in [&game, &best.other] {
                let deals = counted.of_category(category).deals();
                assert_eq!(deals, hands * 53_524_680, "{} {}", rulebook.id, category.name());
            }
        }
        for place in 0..rulebook.house_way.len() {
            let [by_house_way, by_best] = [&game, &best.other].map(|it| it.of_clause(place));
            assert_eq!(by_house_way.deals(), by_best.deals());
        }
    }
}

/// The two editions play alike; a push on 9-high costs the player wins.
#[test]
fn the_houses_compare_as_their_rules_do() {
    let [old, new] = [&houses::MBS_2016, &houses::MBS_2020].map(|it| shipped(it).total());
    assert_eq!(old, new);
    assert_eq!(new.win, 2_360_824_514_148_580);
    assert_eq!(new.lose, 2_467_543_379_145_284);
    let pushed = shipped(&houses::COMMISSION_FREE).total();
    assert!(pushed.win < shipped(&houses::CARDROOM).total().win);
}
