//! The whole game, counted: against published figures, and against a second method.

use houseway_odds::Advisor;
use houseway_odds::game::{self, ByClause, Outcomes, Stake};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{HouseWay, classes, custom, houses};
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
    let Outcomes { win, push, lose } = game::house_way(&foxwoods).total;
    // A share is the value of winning it without commission.
    let share = |win: u64| {
        let outcomes = Outcomes { win, push: game::DEALS - win, lose: 0 };
        percent(outcomes.value(Stake::FREE).as_f64(), 2)
    };
    assert_eq!([win, push, lose].map(share), ["29.12", "40.50", "30.38"]);
    let total = Outcomes { win, push, lose };
    assert_eq!(percent(-total.value(Stake::of(&foxwoods)).as_f64(), 4), "2.7212");
}

/// The deals in which a clause sets the player's hand, counted hand by hand: what the pairs count
/// by inclusion and exclusion, the advisor counts from the 46 cards left beside each hand.
fn hand_by_hand(rulebook: &Rulebook, fewer_than: u64, game: &ByClause<'_>) -> usize {
    let house_way = HouseWay::new(rulebook);
    let advisor = Advisor::new(rulebook);
    let rare = |clause: usize| {
        let (_, outcomes) = &game.clauses[clause];
        outcomes.deals() > 0 && outcomes.deals() / 53_524_680 < fewer_than
    };
    let parts: Vec<classes::Part> = classes::parts().collect();
    let count = |part: &classes::Part| {
        let mut sums = vec![Outcomes::default(); game.clauses.len()];
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
        || vec![Outcomes::default(); game.clauses.len()],
        |a, b| a.into_iter().zip(b).map(|(a, b)| a.plus(b, 1)).collect(),
    );
    let mut checked = 0;
    for (place, (clause, outcomes)) in game.clauses.iter().enumerate() {
        if rare(place) {
            assert_eq!(sums[place], *outcomes, "{} {} {}", rulebook.id, clause.id, clause.row);
            checked += 1;
        }
    }
    checked
}

/// Every house: all deals counted once, and the rarer clauses hand by hand.
#[test]
fn the_pairs_are_what_hand_by_hand_gives() {
    for rulebook in houses::HOUSES {
        let game = game::house_way(rulebook);
        assert_eq!(game.total.deals(), game::DEALS);
        assert!(hand_by_hand(rulebook, 20_000, &game) >= 2, "{}", rulebook.id);
    }
}

/// The two editions play alike; a push on 9-high costs the player wins.
#[test]
fn the_houses_compare_as_their_rules_do() {
    let [old, new] = [&houses::MBS_2016, &houses::MBS_2020].map(|it| game::house_way(it).total);
    assert_eq!(old, new);
    assert_eq!(new.win, 2_360_824_514_148_580);
    assert_eq!(new.lose, 2_467_543_379_145_284);
}
