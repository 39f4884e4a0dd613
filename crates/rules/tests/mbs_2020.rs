//! The clauses of `mbs-2020`, each with the test that fails when it is broken.
//!
//! `..._example_...` are the examples printed beside the tables of Appendix A.

mod common;

use common::{
    bonus, check, check_all, each_beats_the_next, example, five, hands, house_way_ids,
    irregularities, is_foul, mbs, name, pay_table, pays, posted, says, set, two,
};
use houseway_rules::houses::MBS_2020;
use houseway_rules::rulebook::{
    Bank, Banker, By, Cited, Commission, Concession, Coverage, Dealing, Device, Direction, Envy,
    First, Foul, Hands, Incident, Pattern, Payer, Remedy, Role, Seats, Settlement, Several, Start,
    Wager,
};
use houseway_rules::{BonusHand, Card, CardSet, Cents, SetError, Wheel};

#[test]
fn mbs_2020_1_1_1_equal_hands_are_the_dealers() {
    assert_eq!(MBS_2020.comparison.copy, "1.1.1");
    assert_eq!(five(&MBS_2020, "Kc Kd 9h 5s 2c"), five(&MBS_2020, "Kh Ks 9d 5c 2d"));
    assert_eq!(two(&MBS_2020, "Ac Kd"), two(&MBS_2020, "Jk Ks"));
    says(&MBS_2020, "1.1.1", &["is the dealer's"]);
}

#[test]
fn mbs_2020_1_1_3_the_bonus_is_on_the_players_own_cards() {
    let fortune = &MBS_2020.fortune;
    assert_eq!(fortune.only_above_banker, None);
    assert_eq!((fortune.payer, &fortune.cap), (Payer::House, &None));
    assert!(MBS_2020.limits(Wager::Fortune).is_some());
    says(&MBS_2020, "1.1.3", &["optional", "whatever the dealer holds"]);
}

#[test]
fn mbs_2020_1_1_4_two_cards_that_outrank_five_are_foul() {
    hands::fouls(&MBS_2020);
    says(&MBS_2020, "1.1.4", &["foul"]);
}

#[test]
fn mbs_2020_1_1_6_the_house_way_is_appendix_a() {
    assert_eq!(house_way_ids(&MBS_2020), mbs::TABLES);
    assert_eq!(MBS_2020.bank.banker, Banker::House);
    says(&MBS_2020, "1.1.6", &["one way"]);
}

#[test]
fn mbs_2020_1_1_7_the_joker_completes_or_is_an_ace() {
    hands::joker(&MBS_2020);
    assert_eq!(bonus("Jk Ks Qs Js Ts 9s 8s"), Some(BonusHand::SevenCardStraightFlushJoker));
    assert_eq!(bonus("As Ks Qs Js Ts Kh Jk"), Some(BonusHand::RoyalFlush), "no queen of hearts");
    says(&MBS_2020, "1.1.7", &["joker", "royal match"]);
}

#[test]
fn mbs_2020_1_1_8_low_may_equal_high() {
    for (cards, low) in [("Kc Kd Kh Ks 9c 7h 5s", "Kc Kd"), ("Ac Ad Kh Ks 9c 7h 5s", "Ac Kh")] {
        assert!(set(&MBS_2020, cards, low).is_ok(), "{cards} / {low}");
    }
    assert!(is_foul(&MBS_2020, "Ac Ad Kh Qs 9c 7h 5s", "Ac Kh"));
    says(&MBS_2020, "1.1.8", &["may equal"]);
}

#[test]
fn mbs_2020_1_1_9_a_royal_match_has_a_natural_king_and_queen() {
    for (cards, matched) in [
        ("Ad Kd Qd Jd Td Ks Qs", true),
        ("Ad Jk Qd Jd Td Ks Qs", true),
        ("Ad Kd Qd Jd Td Ks Qh", false),
        ("Ad Kd Qd Jd Td Ks Jk", false),
    ] {
        assert_eq!(bonus(cards) == Some(BonusHand::RoyalMatch), matched, "{cards}");
    }
    says(&MBS_2020, "1.1.9", &["royal flush", "natural king and queen"]);
}

#[test]
fn mbs_2020_2_1_the_deck_has_a_joker() {
    assert_eq!(CardSet::DECK.len(), 53);
    assert_eq!(Card::all().filter(|card| card.is_joker()).count(), 1);
    says(&MBS_2020, "2.1", &["52 cards and a joker"]);
}

#[test]
fn mbs_2020_2_2_up_to_six_positions() {
    let seats = Seats {
        betting_positions: 6,
        banker_is_seated: false,
        several_positions: Some(Cited { is: Several::ViewOne, cite: "3.5.2".into() }),
        one_of_each: Some("3.7".into()),
        restricted_by: Some(Cited { is: Role::PitManager, cite: "3.9".into() }),
        shared_wagers: Some("3.8".into()),
        staff_wagers: Some("3.5.1".into()),
        cite: "2.2".into(),
    };
    assert_eq!(MBS_2020.seats, seats);
}

#[test]
fn mbs_2020_3_2_no_more_bets_closes_betting() {
    says(&MBS_2020, "3.2", &["no more bets"]);
    let after_the_call = [Incident::LateWager, Incident::LateWithdrawal];
    let cites =
        after_the_call.map(|what| MBS_2020.irregularities.iter().find(|it| it.what == what));
    assert_eq!(cites.map(|it| it.map(|it| &*it.cite)), [Some("5.5"), Some("5.6")]);
}

#[test]
fn mbs_2020_3_4_1_cards_rank_from_the_ace_down() {
    let fives: Vec<String> =
        "AKQJT9876".chars().map(|rank| format!("{rank}c 5d 4h 3s 2h")).collect();
    // With 5-4-3-2 the ace and the six make straights: the order of cards shows between them.
    for pair in fives[1..fives.len() - 1].windows(2) {
        assert!(five(&MBS_2020, &pair[0]) > five(&MBS_2020, &pair[1]), "{pair:?}");
    }
    hands::two_card_order(&MBS_2020);
    says(&MBS_2020, "3.4.1", &["ace down to the two"]);
}

#[test]
fn mbs_2020_3_4_1_1_the_wheel_is_the_lowest_straight() {
    let wheel = Cited { is: Wheel::Lowest, cite: "3.4.1.1".into() };
    assert_eq!(MBS_2020.wheel, wheel);
    each_beats_the_next(
        &MBS_2020,
        &["Kd Qh Jc Ts 9s", "6d 5h 4c 3s 2s", "5d 4h 3c 2s As", "Ad Ah Ac 3s 2s"],
    );
    each_beats_the_next(
        &MBS_2020,
        &["Kd Qd Jd Td 9d", "6d 5d 4d 3d 2d", "5d 4d 3d 2d Ad", "Ac Ad Ah As Kd"],
    );
}

#[test]
fn mbs_2020_3_4_1_2_the_joker_ranks_as_the_card_it_replaces() {
    hands::joker(&MBS_2020);
    assert_eq!(name(&MBS_2020, "Jk 5h 4d 3c 2s"), "straight, six high");
    assert_eq!(five(&MBS_2020, "Ac Jk 4d 3c 2s"), five(&MBS_2020, "Ac 5h 4d 3c 2s"));
    says(&MBS_2020, "3.4.1.2", &["card it replaces", "ace"]);
}

#[test]
fn mbs_2020_3_4_1_3_suits_have_no_value() {
    for [a, b] in [
        ["Kc Qd Jh Ts 8c", "Ks Qh Jd Tc 8s"],
        ["Kc Qc Jc Tc 8c", "Ks Qs Js Ts 8s"],
        ["9c 9d 5h 5s 2c", "9h 9s 5c 5d 2s"],
        ["9c 8c 7c 6c 5c", "9s 8s 7s 6s 5s"],
    ] {
        assert_eq!(five(&MBS_2020, a), five(&MBS_2020, b));
    }
    says(&MBS_2020, "3.4.1.3", &["No suit outranks"]);
}

#[test]
fn mbs_2020_3_5_a_standard_wager_opens_a_position() {
    assert_eq!(MBS_2020.limits(Wager::Standard), Some(&posted(Wager::Standard, "3.5")));
    assert_eq!(MBS_2020.wagers.len(), 2);
    assert_eq!(MBS_2020.limits(Wager::TigerNine), None);
}

#[test]
fn mbs_2020_3_5_1_staff_may_place_a_wager() {
    assert_eq!(MBS_2020.seats.staff_wagers.as_deref(), Some("3.5.1"));
    says(&MBS_2020, "3.5.1", &["Dealer, pit supervisor or pit manager"]);
}

#[test]
fn mbs_2020_3_5_2_one_hand_of_several_may_be_looked_at() {
    let several = Cited { is: Several::ViewOne, cite: "3.5.2".into() };
    assert_eq!(MBS_2020.seats.several_positions, Some(several));
    says(&MBS_2020, "3.5.2", &["one hand", "House Way"]);
}

#[test]
fn mbs_2020_3_6_a_bonus_may_join_it() {
    assert_eq!(MBS_2020.limits(Wager::Fortune), Some(&posted(Wager::Fortune, "3.6")));
}

#[test]
fn mbs_2020_3_7_one_wager_of_each_kind() {
    assert_eq!(MBS_2020.seats.one_of_each.as_deref(), Some("3.7"));
    says(&MBS_2020, "3.7", &["one standard and one Fortune Bonus"]);
}

#[test]
fn mbs_2020_3_8_wagers_may_be_shared() {
    assert_eq!(MBS_2020.seats.shared_wagers.as_deref(), Some("3.8"));
    says(&MBS_2020, "3.8", &["within the limits"]);
}

#[test]
fn mbs_2020_3_9_a_pit_manager_may_restrict_a_player() {
    let restricted = Cited { is: Role::PitManager, cite: "3.9".into() };
    assert_eq!(MBS_2020.seats.restricted_by, Some(restricted));
    says(&MBS_2020, "3.9", &["one playing area"]);
}

#[test]
fn mbs_2020_3_10_seven_at_once_from_the_dealers_left() {
    let by_device = Dealing {
        device: Device::Machine,
        pattern: Pattern::SevenAtOnce,
        direction: Direction::Clockwise,
        first: First::DealersLeft,
        hands: Hands::Wagered,
        left_over: None,
        cite: "3.10".into(),
    };
    assert_eq!(MBS_2020.dealing.first(), Some(&by_device));
    assert_eq!(MBS_2020.dealing.len(), 2);
    let bank = Bank {
        banker: Banker::House,
        rotation: None,
        player_banker: None,
        sets_house_way: "3.13".into(),
        cite: "3.10".into(),
    };
    assert_eq!(MBS_2020.bank, bank);
    assert_eq!(MBS_2020.coverage, Coverage::House);
}

#[test]
fn mbs_2020_3_11_by_hand_one_card_at_a_time() {
    let by_hand = Dealing {
        device: Device::Manual,
        pattern: Pattern::OneInTurn,
        direction: Direction::Clockwise,
        first: First::DealersLeft,
        hands: Hands::Wagered,
        left_over: None,
        cite: "3.11".into(),
    };
    assert_eq!(MBS_2020.dealing.get(1), Some(&by_hand));
}

#[test]
fn mbs_2020_3_12_1_five_high_and_two_low() {
    let cards = "Kc Qh 9s 6h 4c 3d 2s";
    let setting = set(&MBS_2020, cards, "Qh 9s").expect("no foul");
    assert_eq!(setting.to_string(), "Qh 9s / Kc 6h 4c 3d 2s");
    assert_eq!(set(&MBS_2020, cards, "2s"), Err(SetError::NotTwo(1)));
    assert_eq!(set(&MBS_2020, cards, "4c 3d 2s"), Err(SetError::NotTwo(3)));
    says(&MBS_2020, "3.12.1", &["Five cards go High, two go Low"]);
}

#[test]
fn mbs_2020_3_12_2_a_foul_is_set_the_house_way() {
    assert_eq!(MBS_2020.foul, Cited { is: Foul::HouseWay, cite: "3.12.2".into() });
    assert!(is_foul(&MBS_2020, "Kc Qh 9s 6h 4c 3d 2s", "Kc Qh"));
    check(&MBS_2020, "Kc Qh 9s 6h 4c 3d 2s", "Qh 9s", "A.1");
}

#[test]
fn mbs_2020_3_13_the_dealer_sets_the_house_way() {
    assert_eq!(MBS_2020.bank.sets_house_way, "3.13");
    says(&MBS_2020, "3.13", &["House Way"]);
}

#[test]
fn mbs_2020_3_13_1_an_absent_players_hand_is_set_the_house_way() {
    assert_eq!(MBS_2020.absent, By::Clause("3.13.1".into()));
    says(&MBS_2020, "3.13.1", &["absent"]);
}

#[test]
fn mbs_2020_3_14_five_card_hands_in_order() {
    hands::five_card_order(&MBS_2020);
    says(&MBS_2020, "3.14", &["five aces"]);
}

#[test]
fn mbs_2020_3_14_1_1_the_higher_straight_wins() {
    each_beats_the_next(&MBS_2020, &["Qc Jd Th 9s 8c", "Tc 9d 8h 7s 6c"]);
    // Whatever the suits are: a straight is no flush.
    each_beats_the_next(&MBS_2020, &["Ac Kd Qh Js Tc", "Kc Qd Jh Ts 9c", "Qc Jd Th 9s 8c"]);
    says(&MBS_2020, "3.14.1.1", &[]);
}

#[test]
fn mbs_2020_3_14_1_2_the_next_card_decides_between_pairs() {
    each_beats_the_next(&MBS_2020, &["8c 8d Qh Ts 2c", "8h 8s Jh 9s 7c"]);
    each_beats_the_next(&MBS_2020, &["8c 8d Qh Ts 3c", "8h 8s Qd Tc 2c", "8h 8s Qd 9c 7c"]);
    says(&MBS_2020, "3.14.1.2", &[]);
}

#[test]
fn mbs_2020_3_14_1_3_the_next_card_decides_without_a_pair() {
    each_beats_the_next(&MBS_2020, &["Ac Kd Jh 4s 2c", "Ah Ks Td 6c 3h"]);
    each_beats_the_next(&MBS_2020, &["Ac Kd Jh 5s 2c", "Ac Kd Jh 4s 3c", "Ah Ks Jd 4c 2h"]);
    says(&MBS_2020, "3.14.1.3", &[]);
}

#[test]
fn mbs_2020_3_15_two_card_hands_in_order() {
    hands::two_card_order(&MBS_2020);
    says(&MBS_2020, "3.15", &["pair of aces", "pair of twos"]);
}

#[test]
fn mbs_2020_3_16_a_hand_may_be_conceded() {
    let concession = Concession {
        cite: "3.16".into(),
        viewed_by: Role::PitSupervisor,
        viewed_cite: "3.16.1.1".into(),
    };
    assert_eq!(MBS_2020.concession, Some(concession));
    says(&MBS_2020, "3.16", &["Once the dealer's hand is shown"]);
}

#[test]
fn mbs_2020_3_16_1_a_conceded_hand_does_not_come_back() {
    says(&MBS_2020, "3.16.1", &["does not come back"]);
}

#[test]
fn mbs_2020_3_16_1_1_a_pit_supervisor_may_look_at_it() {
    let concession = MBS_2020.concession.as_ref().expect("this edition lets players concede");
    assert_eq!((concession.viewed_by, &*concession.viewed_cite), (Role::PitSupervisor, "3.16.1.1"));
}

#[test]
fn mbs_2020_3_17_hands_are_compared_player_by_player() {
    let settlement = Settlement {
        start: Start::DealersLeft,
        direction: Direction::Clockwise,
        order: vec![Wager::Standard, Wager::Fortune].into(),
        by: By::TablePolicy,
    };
    assert_eq!(MBS_2020.settlement, settlement);
    says(&MBS_2020, "3.17", &["High is compared with High and Low with Low"]);
}

#[test]
fn mbs_2020_3_18_both_hands_higher_win() {
    assert_eq!(MBS_2020.comparison.win, "3.18");
    says(&MBS_2020, "3.18", &["wins when both hands are higher"]);
}

#[test]
fn mbs_2020_3_19_both_hands_lower_lose() {
    assert_eq!(MBS_2020.comparison.lose, "3.19");
    says(&MBS_2020, "3.19", &["loses when both hands are lower"]);
}

#[test]
fn mbs_2020_3_20_one_of_each_is_a_standoff() {
    assert_eq!(MBS_2020.comparison.standoff, "3.20");
    assert_eq!(MBS_2020.comparison.standoff_name, "standoff");
    says(&MBS_2020, "3.20", &["standoff", "returned"]);
}

#[test]
fn mbs_2020_3_21_a_bonus_without_a_paying_hand_loses() {
    for cards in ["Kc Kd Qh Qs 9c 9d 2s", "Jk Ad Kc Kd 9h 7s 2c", "Kc Qh 9s 6h 4c 3d 2s"] {
        assert_eq!(pays(&MBS_2020, cards), None, "{cards}");
    }
    says(&MBS_2020, "3.21", &["loses"]);
}

#[test]
fn mbs_2020_3_22_a_bonus_with_a_paying_hand_wins() {
    for (cards, to_one) in [
        ("Jc Tc 9c 8c 7c 6c 5c", 2500),
        ("Ad Kd Qd Jd Td Ks Qs", 1000),
        ("9c 9d 9h Tc Jd Qs Kh", 3),
        ("5c 4d 3h 2s Jk Kd 9c", 2),
    ] {
        assert_eq!(pays(&MBS_2020, cards), Some(to_one), "{cards}");
    }
    says(&MBS_2020, "3.22", &["wins"]);
}

#[test]
fn mbs_2020_3_23_envy_for_the_two_highest_hands_of_others() {
    let envy = Envy {
        fortune_at_least: Cents::dollars(1),
        other_must_bet_fortune: false,
        positions_count_apart: false,
        none_if_banker_holds: Some("3.24.1".into()),
        none_with_own_straight_flush: Some("3.24.2".into()),
        higher_only_with_own_royal_match: Some("3.24.3".into()),
        payer: Payer::House,
        cite: "3.23".into(),
    };
    assert_eq!(MBS_2020.envy, Some(envy));
    let with_envy: Vec<_> = pay_table(&MBS_2020).into_iter().filter(|line| line.2 > 0).collect();
    let expected =
        [(BonusHand::SevenCardStraightFlush, 2500, 250), (BonusHand::RoyalMatch, 1000, 50)];
    assert_eq!(with_envy, expected);
}

#[test]
fn mbs_2020_3_24_1_no_envy_when_the_dealer_holds_such_a_hand() {
    let envy = MBS_2020.envy.as_ref().expect("this house pays Envy");
    assert_eq!(envy.none_if_banker_holds.as_deref(), Some("3.24.1"));
    says(&MBS_2020, "3.24.1", &["dealer holds"]);
}

#[test]
fn mbs_2020_3_24_2_no_envy_with_ones_own_straight_flush() {
    let envy = MBS_2020.envy.as_ref().expect("this house pays Envy");
    assert_eq!(envy.none_with_own_straight_flush.as_deref(), Some("3.24.2"));
    says(&MBS_2020, "3.24.2", &["gets no Envy"]);
}

#[test]
fn mbs_2020_3_24_3_envy_for_the_higher_hand_only_with_a_royal_match() {
    let envy = MBS_2020.envy.as_ref().expect("this house pays Envy");
    assert_eq!(envy.higher_only_with_own_royal_match.as_deref(), Some("3.24.3"));
    says(&MBS_2020, "3.24.3", &["seven-card straight flush only"]);
}

#[test]
fn mbs_2020_4_1_1_a_win_pays_even_less_commission() {
    let commission = Commission { percent: 5, cite: "4.1.1".into(), waived_by_fortune: None };
    assert_eq!(MBS_2020.commission, Some(commission));
    assert_eq!(MBS_2020.nine_high_push, None);
    assert_eq!(MBS_2020.collection, None);
}

#[test]
fn mbs_2020_4_1_2_the_bonus_pays_by_the_table() {
    let printed = [
        (BonusHand::SevenCardStraightFlush, 2500, 250),
        (BonusHand::RoyalMatch, 1000, 50),
        (BonusHand::SevenCardStraightFlushJoker, 500, 0),
        (BonusHand::FiveAces, 250, 0),
        (BonusHand::RoyalFlush, 100, 0),
        (BonusHand::StraightFlush, 50, 0),
        (BonusHand::FourOfAKind, 20, 0),
        (BonusHand::FullHouse, 5, 0),
        (BonusHand::Flush, 4, 0),
        (BonusHand::ThreeOfAKind, 3, 0),
        (BonusHand::Straight, 2, 0),
    ];
    assert_eq!(pay_table(&MBS_2020), printed);
    assert_eq!(MBS_2020.fortune.cite, "4.1.2");
    assert_eq!(MBS_2020.tiger_nine, None);
    hands::bonus_hands();
}

#[test]
fn mbs_2020_5_1_a_wrong_deck_voids_the_round() {
    assert_eq!(
        irregularities(&MBS_2020, "5.1"),
        [
            (Incident::ForeignCard, Remedy::Void, Role::Dealer),
            (Incident::CardCount, Remedy::Void, Role::Dealer),
            (Incident::Unshuffled, Remedy::Void, Role::Dealer)
        ]
    );
    says(&MBS_2020, "5.1", &["earlier rounds stand"]);
}

#[test]
fn mbs_2020_5_2_a_wrong_deal_is_void_unless_hands_are_moved() {
    assert_eq!(
        irregularities(&MBS_2020, "5.2"),
        [(Incident::WronglyDealt, Remedy::VoidUnlessMoved, Role::Dealer)]
    );
    says(&MBS_2020, "5.2", &["moving whole hands"]);
}

#[test]
fn mbs_2020_5_3_a_dealers_hand_of_the_wrong_size() {
    assert_eq!(
        irregularities(&MBS_2020, "5.3"),
        [(Incident::BankerHandSize, Remedy::VoidUnlessReconstructed, Role::Dealer)]
    );
    says(&MBS_2020, "5.3", &["before the next round", "reconstructed"]);
}

#[test]
fn mbs_2020_5_4_two_exposed_cards_void_the_round() {
    assert_eq!(
        irregularities(&MBS_2020, "5.4"),
        [(Incident::TwoExposed, Remedy::Void, Role::Dealer)]
    );
    says(&MBS_2020, "5.4", &["Two or more cards"]);
}

#[test]
fn mbs_2020_5_5_late_wagers_are_refused() {
    assert_eq!(
        irregularities(&MBS_2020, "5.5"),
        [(Incident::LateWager, Remedy::Refuse, Role::Dealer)]
    );
    says(&MBS_2020, "5.5", &["placed or raised"]);
}

#[test]
fn mbs_2020_5_6_a_wager_withdrawn_late_stands() {
    assert_eq!(
        irregularities(&MBS_2020, "5.6"),
        [(Incident::LateWithdrawal, Remedy::SettleAsStood, Role::Dealer)]
    );
    says(&MBS_2020, "5.6", &["as if it stood"]);
}

#[test]
fn mbs_2020_5_7_a_players_hand_of_the_wrong_size_is_out() {
    assert_eq!(
        irregularities(&MBS_2020, "5.7"),
        [(Incident::PlayerHandSize, Remedy::HandOut, Role::Dealer)]
    );
    says(&MBS_2020, "5.7", &["wager returned", "reconstructed"]);
}

#[test]
fn mbs_2020_5_8_a_wager_without_cards_is_returned() {
    assert_eq!(
        irregularities(&MBS_2020, "5.8"),
        [(Incident::NoCards, Remedy::ReturnWager, Role::Dealer)]
    );
    says(&MBS_2020, "5.8", &["returned", "looked"]);
}

#[test]
fn mbs_2020_5_9_cards_without_a_wager_are_discarded() {
    assert_eq!(
        irregularities(&MBS_2020, "5.9"),
        [(Incident::NoWager, Remedy::DiscardHand, Role::Dealer)]
    );
    says(&MBS_2020, "5.9", &["discarded", "looked"]);
}

#[test]
fn mbs_2020_5_10_an_unhappy_player_may_withdraw_the_rest() {
    assert_eq!(
        irregularities(&MBS_2020, "5.10"),
        [(Incident::Dissatisfied, Remedy::MayWithdraw, Role::Player)]
    );
    says(&MBS_2020, "5.10", &["5.7, 5.8 or 5.9", "before more cards are dealt"]);
}

#[test]
fn mbs_2020_5_11_a_count_that_is_off_voids_the_round() {
    assert_eq!(
        irregularities(&MBS_2020, "5.11"),
        [(Incident::DeviceCount, Remedy::Void, Role::Dealer)]
    );
    says(&MBS_2020, "5.11", &["count by hand"]);
}

#[test]
fn mbs_2020_5_12_a_wager_under_the_minimum_is_settled_once() {
    assert_eq!(
        irregularities(&MBS_2020, "5.12"),
        [(Incident::UnderMinimum, Remedy::SettleOnce, Role::Dealer)]
    );
    says(&MBS_2020, "5.12", &["settled once", "later ones"]);
}

#[test]
fn mbs_2020_5_13_a_wager_over_the_maximum_counts_up_to_it() {
    assert_eq!(
        irregularities(&MBS_2020, "5.13"),
        [(Incident::OverMaximum, Remedy::SettleToMaximum, Role::Dealer)]
    );
    says(&MBS_2020, "5.13", &["up to the maximum"]);
}

#[test]
fn mbs_2020_5_14_earlier_rounds_stand() {
    assert_eq!(
        irregularities(&MBS_2020, "5.14"),
        [(Incident::EarlierRounds, Remedy::Stand, Role::Dealer)]
    );
    says(&MBS_2020, "5.14", &["earlier rounds"]);
}

#[test]
fn mbs_2020_5_15_a_player_who_shows_or_looks_may_be_barred() {
    assert_eq!(
        irregularities(&MBS_2020, "5.15"),
        [(Incident::HandShown, Remedy::MayBar, Role::GamingShiftManager)]
    );
    says(&MBS_2020, "5.15", &["gaming shift manager", "returned"]);
}

#[test]
fn mbs_2020_5_16_a_second_hand_looked_at_is_out() {
    assert_eq!(
        irregularities(&MBS_2020, "5.16"),
        [(Incident::SecondViewed, Remedy::SecondHandOut, Role::Dealer)]
    );
    says(&MBS_2020, "5.16", &["second hand"]);
}

#[test]
fn mbs_2020_5_17_a_wrong_house_way_is_set_again() {
    assert_eq!(
        irregularities(&MBS_2020, "5.17"),
        [(Incident::WrongHouseWay, Remedy::Reset, Role::Dealer)]
    );
    says(&MBS_2020, "5.17", &["set again"]);
}

#[test]
fn mbs_2020_5_17_1_the_difference_is_corrected() {
    assert_eq!(
        irregularities(&MBS_2020, "5.17.1"),
        [(Incident::WrongHouseWayLater, Remedy::Correct, Role::Dealer)]
    );
    says(&MBS_2020, "5.17.1", &["difference is paid or taken back"]);
}

#[test]
fn mbs_2020_5_18_1_power_fails_before_any_wager_is_decided() {
    assert_eq!(
        irregularities(&MBS_2020, "5.18.1"),
        [(Incident::PowerFailureOpen, Remedy::WithdrawAllOrNone, Role::Dealer)]
    );
    says(&MBS_2020, "5.18.1", &["all wagers or none"]);
}

#[test]
fn mbs_2020_5_18_2_power_fails_after_a_wager_is_decided() {
    assert_eq!(
        irregularities(&MBS_2020, "5.18.2"),
        [(Incident::PowerFailureDecided, Remedy::PlayOn, Role::Dealer)]
    );
    says(&MBS_2020, "5.18.2", &["played to its end"]);
}

#[test]
fn mbs_2020_6_1_the_gaming_shift_manager_decides_the_rest() {
    assert_eq!(
        irregularities(&MBS_2020, "6.1"),
        [(Incident::NotCovered, Remedy::Decide, Role::GamingShiftManager)]
    );
    says(&MBS_2020, "6.1", &["gaming shift manager"]);
}

#[test]
fn mbs_2020_6_2_a_higher_position_may_act_for_a_lower() {
    let order = [
        Role::Player,
        Role::Dealer,
        Role::PitSupervisor,
        Role::PitManager,
        Role::GamingShiftManager,
    ];
    assert!(order.is_sorted_by(|lower, higher| lower < higher));
    assert_eq!(MBS_2020.higher_acts.as_deref(), Some("6.2"));
    says(&MBS_2020, "6.2", &["higher position"]);
}

#[test]
fn mbs_2020_a_1_no_pair_and_one_pair() {
    check_all(&MBS_2020, "A.1", mbs::A_1);
}

#[test]
fn mbs_2020_a_2_two_pair() {
    check_all(&MBS_2020, "A.2", mbs::A_2);
}

#[test]
fn mbs_2020_a_3_three_pair() {
    check_all(&MBS_2020, "A.3", mbs::A_3);
}

#[test]
fn mbs_2020_a_4_three_of_a_kind() {
    check_all(&MBS_2020, "A.4", mbs::A_4);
}

#[test]
fn mbs_2020_a_5_straights_and_flushes() {
    check_all(&MBS_2020, "A.5", mbs::A_5);
    for (cards, low, table) in mbs::A_5_ELSEWHERE {
        check(&MBS_2020, cards, low, table);
    }
}

#[test]
fn mbs_2020_a_6_full_house() {
    check_all(&MBS_2020, "A.6", mbs::A_6);
}

#[test]
fn mbs_2020_a_7_four_of_a_kind() {
    check_all(&MBS_2020, "A.7", mbs::A_7);
}

#[test]
fn mbs_2020_a_8_five_aces() {
    check_all(&MBS_2020, "A.8", mbs::A_8);
}

#[test]
fn mbs_2020_a_1_example_no_pair() {
    example(&MBS_2020, "Kc Qh 9s 6h 4c 3d 2s", "Q 9", "K 6 4 3 2", "A.1");
}

#[test]
fn mbs_2020_a_1_example_one_pair() {
    example(&MBS_2020, "3c 3h Ks Jh 9c 8d 5s", "K J", "3 3 9 8 5", "A.1");
}

#[test]
fn mbs_2020_a_2_example_two_low_pairs_and_a_king() {
    example(&MBS_2020, "4c 4h 2s 2h Kc Qd 7s", "K Q", "4 4 2 2 7", "A.2");
}

#[test]
fn mbs_2020_a_2_example_low_and_medium_pair() {
    example(&MBS_2020, "8c 8h 6s 6h Qc 9d 7s", "6 6", "8 8 Q 9 7", "A.2");
}

#[test]
fn mbs_2020_a_2_example_low_and_high_pair_and_an_ace() {
    example(&MBS_2020, "Kc Kh 5s 5h Ac 6d 4s", "A 6", "K K 5 5 4", "A.2");
}

#[test]
fn mbs_2020_a_2_example_two_medium_pairs() {
    example(&MBS_2020, "Tc Th 8s 8h Kc 9d 2s", "8 8", "T T K 9 2", "A.2");
}

#[test]
fn mbs_2020_a_2_example_medium_and_high_pair() {
    example(&MBS_2020, "Jc Jh 9s 9h Ac Kd 3s", "9 9", "J J A K 3", "A.2");
}

#[test]
fn mbs_2020_a_2_example_two_high_pairs() {
    example(&MBS_2020, "Kc Kh Qs Qh Ac Jd 9s", "Q Q", "K K A J 9", "A.2");
}

#[test]
fn mbs_2020_a_2_example_aces_and_another_pair() {
    example(&MBS_2020, "As Ah 2s 2h Kc Qd Js", "2 2", "A A K Q J", "A.2");
}

#[test]
fn mbs_2020_a_3_example_three_pair() {
    example(&MBS_2020, "Jc Jh 7s 7h 2c 2d 6s", "J J", "7 7 2 2 6", "A.3");
}

#[test]
fn mbs_2020_a_4_example_three_of_a_kind() {
    example(&MBS_2020, "7c 7h 7s Jh 8c 4d 3s", "J 8", "7 7 7 4 3", "A.4");
}

#[test]
fn mbs_2020_a_4_example_three_aces() {
    example(&MBS_2020, "Ac Ah As Kh Qc Jd 2s", "A K", "A A Q J 2", "A.4");
}

#[test]
fn mbs_2020_a_4_example_two_times_three_of_a_kind() {
    example(&MBS_2020, "Tc Th Ts 4h 4c 4d 8s", "T T", "4 4 4 T 8", "A.4");
}

#[test]
fn mbs_2020_a_5_example_straight_without_a_pair() {
    example(&MBS_2020, "Jc Th 8s 7d 6h 5d 4c", "J T", "8 7 6 5 4", "A.5");
}

#[test]
fn mbs_2020_a_5_example_straight_rather_than_flush() {
    example(&MBS_2020, "Kh 8h 6h 5h 4h 7s 3d", "K 8", "7 6 5 4 3", "A.5");
}

#[test]
fn mbs_2020_a_5_example_one_pair_not_preserved() {
    example(&MBS_2020, "Ah 8h 6h 5h 4h Qc 8s", "Q 8", "A 8 6 5 4", "A.5");
}

#[test]
fn mbs_2020_a_5_example_one_pair_preserved() {
    example(&MBS_2020, "Ah Qh 8h 6h 5h 4h 8s", "8 8", "A Q 6 5 4", "A.5");
}

#[test]
fn mbs_2020_a_5_example_flush_with_two_pair() {
    example(&MBS_2020, "Qh Th 7h 6h 5h Tc 6s", "6 6", "T T Q 7 5", "A.2");
}

#[test]
fn mbs_2020_a_5_example_straight_with_three_pair() {
    example(&MBS_2020, "As Jk 2s 2d 3h 3d 4c", "A Jk", "3 3 2 2 4", "A.3");
}

#[test]
fn mbs_2020_a_5_example_straight_with_three_of_a_kind() {
    example(&MBS_2020, "Tc 9h 8s 7d 6h 9d 9c", "9 9", "T 9 8 7 6", "A.5");
}

#[test]
fn mbs_2020_a_5_example_straight_with_a_full_house() {
    example(&MBS_2020, "Ah As Jk Kc Kd Qh Jd", "K K", "A A Jk Q J", "A.6");
}

#[test]
fn mbs_2020_a_5_example_three_kings_ace_and_joker() {
    example(&MBS_2020, "Kc Kd Kh Jk As Jd Ts", "K K", "A K Jk J T", "A.5");
}

#[test]
fn mbs_2020_a_5_example_straight_with_four_of_a_kind() {
    example(&MBS_2020, "Ac Ah As Jk Kd Qh Jd", "A A", "A K Q J Jk", "A.7");
}

#[test]
fn mbs_2020_a_6_example_three_of_a_kind_and_a_pair() {
    example(&MBS_2020, "Kc Kh Ks 2h 2c 7d 6s", "2 2", "K K K 7 6", "A.6");
}

#[test]
fn mbs_2020_a_6_example_twos_with_ace_and_king() {
    example(&MBS_2020, "Qc Qh Qs 2h 2c Ad Ks", "A K", "Q Q Q 2 2", "A.6");
}

#[test]
fn mbs_2020_a_6_example_three_of_a_kind_and_two_pair() {
    example(&MBS_2020, "Jc Jh Js 4h 4c 3d 3s", "4 4", "J J J 3 3", "A.6");
}

#[test]
fn mbs_2020_a_7_example_four_fours() {
    example(&MBS_2020, "4c 4h 4s 4d 8h 7d 3s", "8 7", "4 4 4 4 3", "A.7");
}

#[test]
fn mbs_2020_a_7_example_four_sevens() {
    example(&MBS_2020, "7c 7h 7s 7d Qh Jd 5s", "7 7", "7 7 Q J 5", "A.7");
}

#[test]
fn mbs_2020_a_7_example_four_sevens_and_an_ace() {
    example(&MBS_2020, "7c 7h 7s 7d Ah Jd 5s", "A J", "7 7 7 7 5", "A.7");
}

#[test]
fn mbs_2020_a_7_example_four_jacks() {
    example(&MBS_2020, "Jc Jh Js Jd Qh 9d 4s", "J J", "J J Q 9 4", "A.7");
}

#[test]
fn mbs_2020_a_7_example_four_queens_and_a_pair() {
    example(&MBS_2020, "Qc Qh Qs Qd 2h 2d 3s", "2 2", "Q Q Q Q 3", "A.7");
}

#[test]
fn mbs_2020_a_7_example_four_aces_and_queens() {
    example(&MBS_2020, "Ac Ah As Ad Qh Qd 9s", "A A", "A A Q Q 9", "A.7");
}

#[test]
fn mbs_2020_a_7_example_four_aces_and_kings() {
    example(&MBS_2020, "Ac Ah As Ad Kh Kd 9s", "K K", "A A A A 9", "A.7");
}

#[test]
fn mbs_2020_a_8_example_five_aces_and_queens() {
    example(&MBS_2020, "Ac Ah As Ad Jk Qh Qd", "A A", "A A Jk Q Q", "A.8");
}

#[test]
fn mbs_2020_a_8_example_five_aces_and_kings() {
    example(&MBS_2020, "Ac Ah As Ad Jk Kh Kd", "K K", "A A A A Jk", "A.8");
}
