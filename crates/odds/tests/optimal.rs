//! The best setting of every hand: the same game counted by another method, and no setting missed.

use houseway_odds::answers::{Against, BestGame, HouseWayGame, Question};
use houseway_odds::game::{self, Stake};
use houseway_odds::{Advisor, Progress, Seat};
use houseway_rules::{Card, CardSet, Dealt, houses, set_house_way};

/// Counted hand by hand over every class of hands, the House Way comes to what the pairs come to:
/// two methods that share no counting, over all 8,250,459,031,214,400 deals. From the banker's side
/// as well.
#[test]
fn hand_by_hand_the_whole_game_is_what_the_pairs_give() {
    for rulebook in houses::HOUSES {
        for seat in [Seat::Player, Seat::Banker] {
            if seat == Seat::Banker && rulebook.bank.player_banker.is_none() {
                continue;
            }
            let stake = Stake::at(rulebook, seat);
            let counted = BestGame { rulebook, seat, waived: false }.shipped().expect("shipped");
            let game = HouseWayGame(rulebook).shipped().expect("shipped").total();
            let own = if seat == Seat::Player { game } else { game.from_the_other_side() };
            assert_eq!(counted.house_way, own, "{}", rulebook.id);
            let best = counted.other.total();
            assert_eq!(best.deals(), game::DEALS);
            assert!(best.value(stake).gain > counted.house_way.value(stake).gain);
            assert!((1..154_143_080).contains(&counted.hands_set_otherwise()));
            // What the clauses give away is the whole difference, and each example is set worse.
            let gains: i128 = counted.differences.iter().map(|it| i128::from(it.gain)).sum();
            let difference = best.value(stake).gain - counted.house_way.value(stake).gain;
            assert_eq!(gains, difference);
            let advisor = Advisor::at(rulebook, seat);
            for given in &counted.differences {
                let most = given.most.first().expect("a difference has an example");
                let dealt = Dealt::new(most.cards).expect("seven cards");
                let advice = advisor.advise(dealt, stake);
                assert!(!advice[0].house_way, "{}", dealt);
                assert_eq!(advice[0].setting.low(), most.other_low);
                let house = set_house_way(rulebook, dealt);
                assert_eq!(*house.clause, rulebook.house_way[given.clause]);
                assert_eq!(house.setting.low(), most.low);
                assert!(most.gain > 0 && given.gain >= most.gain);
            }
        }
    }
}

/// Two House Ways under one rulebook: what is gained is the difference of the two games.
#[test]
fn another_house_way_is_compared_hand_by_hand() {
    let (rulebook, other) = (&houses::MBS_2020, &houses::CARDROOM);
    let counted = Against { rulebook, other, seat: Seat::Player }.count(&Progress::new());
    let game = HouseWayGame(rulebook).shipped().expect("shipped").total();
    assert_eq!(counted.house_way, game);
    let stake = Stake::of(rulebook);
    let gains: i128 = counted.differences.iter().map(|it| i128::from(it.gain)).sum();
    let difference = counted.other.total().value(stake).gain - game.value(stake).gain;
    assert_eq!(gains, difference);
    let advisor = Advisor::new(rulebook);
    for it in &counted.differences {
        let most = it.most.first().expect("a difference has an example");
        let dealt = Dealt::new(most.cards).expect("seven cards");
        let theirs = set_house_way(other, dealt);
        assert_eq!(*theirs.clause, other.house_way[it.other.expect("two houses")]);
        assert_eq!(theirs.setting.low(), most.other_low);
        let advice = advisor.advise(dealt, stake);
        let gain = |low: CardSet| {
            let found = advice.iter().find(|advised| advised.setting.low() == low);
            found.expect("a legal setting").outcomes.value(stake).gain
        };
        let one_hand = gain(most.other_low) - gain(most.low);
        assert_eq!(one_hand.signum(), i128::from(most.gain).signum(), "{dealt}");
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
