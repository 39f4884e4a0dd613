//! The best setting of every hand: the same game counted by another method, and no setting missed.

use houseway_odds::game::{self, Stake};
use houseway_odds::{Advisor, optimal};
use houseway_rules::{Card, CardSet, Dealt, houses, set_house_way};

/// Counted hand by hand over every class of hands, the House Way comes to what the pairs come to:
/// two methods that share no counting, over all 8,250,459,031,214,400 deals.
#[test]
fn hand_by_hand_the_whole_game_is_what_the_pairs_give() {
    for rulebook in [&houses::COMMISSION_FREE, &houses::CATFISH_BEND] {
        let stake = Stake::of(rulebook);
        let counted = optimal(rulebook, stake);
        assert_eq!(counted.house_way, game::house_way(rulebook).total, "{}", rulebook.id);
        assert_eq!(counted.best.deals(), game::DEALS);
        assert!(counted.best.value(stake).gain > counted.house_way.value(stake).gain);
        assert!((1..154_143_080).contains(&counted.hands_set_otherwise()));
        // What the clauses give away is the whole difference, and each example is set worse.
        let costs: i128 = counted.given_away.iter().map(|it| it.cost).sum();
        let difference = counted.best.value(stake).gain - counted.house_way.value(stake).gain;
        assert_eq!(costs, difference);
        let advisor = Advisor::new(rulebook);
        for given in &counted.given_away {
            assert!(!advisor.advise(given.example, stake)[0].house_way, "{}", given.example);
            assert_eq!(set_house_way(rulebook, given.example).clause, given.clause);
        }
    }
}

/// Advice never finds a better setting than those that no other outdoes in both hands.
#[test]
fn settings_that_are_outdone_are_never_best() {
    let rulebook = &houses::CARDROOM;
    let (advisor, ranking) = (Advisor::new(rulebook), rulebook.ranking());
    let mut state = 99u64;
    for _ in 0..200 {
        let mut cards = CardSet::EMPTY;
        while cards.len() < 7 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            cards = cards.with(Card::from_index((state >> 33) as usize % 53).expect("of 53"));
        }
        let dealt = Dealt::new(cards).expect("seven");
        let advice = advisor.advise(dealt, Stake::of(rulebook));
        let gain = |place: usize| advice[place].outcomes.value(Stake::of(rulebook)).gain;
        let hands = |place: usize| advice[place].setting.strengths(ranking);
        let outdone = |place: &usize| {
            let own = hands(*place);
            (0..advice.len())
                .map(hands)
                .any(|it| it.low >= own.low && it.high >= own.high && it != own)
        };
        let kept = (0..advice.len()).filter(|place| !outdone(place)).map(gain).max();
        assert_eq!(kept, Some(gain(0)), "{dealt}");
    }
}
