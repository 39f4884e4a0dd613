//! The clauses of `mbs-2016`, each with the test that fails when it is broken.
//!
//! `..._example_...` are the examples printed beside the tables of Appendix A.

mod common;

use common::{
    bonus, check, check_all, each_beats_the_next, example, five, hands, house_way_ids,
    irregularities, is_foul, mbs, pay_table, pays, posted, says, set, two,
};
use houseway_rules::houses::MBS_2016;
use houseway_rules::rulebook::{
    Bank, Banker, By, Cited, Commission, Coverage, Dealing, Device, Direction, Envy, First, Foul,
    Hands, Incident, Pattern, Payer, Remedy, Role, Seats, Settlement, Start, Wager,
};
use houseway_rules::{BonusHand, Card, CardSet, Cents, SetError, Wheel};

#[test]
fn mbs_2016_1_1_1_a_copy_hand_is_equal_in_rank() {
    for (player, dealer) in
        [("Kc Kd 9h 5s 2c", "Kh Ks 9d 5c 2d"), ("9h 8h 7c 6d 5s", "9c 8c 7h 6s 5d")]
    {
        assert_eq!(five(&MBS_2016, player), five(&MBS_2016, dealer));
    }
    assert_eq!(two(&MBS_2016, "Ac Kd"), two(&MBS_2016, "Jk Ks"));
    // One card apart is no copy.
    assert_ne!(five(&MBS_2016, "Kc Kd 9h 5s 2c"), five(&MBS_2016, "Kh Ks 9d 5c 3d"));
    says(&MBS_2016, "1.1.1", &["equals the dealer's in rank"]);
}

#[test]
fn mbs_2016_1_1_3_the_bonus_is_on_the_players_own_cards() {
    let fortune = &MBS_2016.fortune;
    assert_eq!(fortune.only_above_banker, None);
    assert_eq!((fortune.payer, &fortune.cap), (Payer::House, &None));
    assert!(MBS_2016.limits(Wager::Fortune).is_some());
    says(&MBS_2016, "1.1.3", &["optional", "whatever the dealer holds"]);
}

#[test]
fn mbs_2016_1_1_4_two_cards_that_outrank_five_are_foul() {
    hands::fouls(&MBS_2016);
    says(&MBS_2016, "1.1.4", &["foul"]);
}

#[test]
fn mbs_2016_1_1_6_the_house_way_is_appendix_a() {
    assert_eq!(house_way_ids(&MBS_2016), mbs::TABLES);
    assert_eq!(MBS_2016.bank.banker, Banker::House);
    says(&MBS_2016, "1.1.6", &["one way"]);
}

#[test]
fn mbs_2016_1_1_7_the_joker_completes_or_is_an_ace() {
    hands::joker(&MBS_2016);
    assert_eq!(bonus("Jk Ks Qs Js Ts 9s 8s"), Some(BonusHand::SevenCardStraightFlushJoker));
    assert_eq!(bonus("As Ks Qs Js Ts Kh Jk"), Some(BonusHand::RoyalFlush), "no queen of hearts");
    says(&MBS_2016, "1.1.7", &["joker", "royal match"]);
}

#[test]
fn mbs_2016_1_1_8_low_may_equal_high() {
    for (cards, low) in [("Kc Kd Kh Ks 9c 7h 5s", "Kc Kd"), ("Ac Ad Kh Ks 9c 7h 5s", "Ac Kh")] {
        assert!(set(&MBS_2016, cards, low).is_ok(), "{cards} / {low}");
    }
    assert!(is_foul(&MBS_2016, "Ac Ad Kh Qs 9c 7h 5s", "Ac Kh"));
    says(&MBS_2016, "1.1.8", &["may equal"]);
}

#[test]
fn mbs_2016_1_1_9_a_royal_match_has_a_natural_king_and_queen() {
    for (cards, matched) in [
        ("Ad Kd Qd Jd Td Ks Qs", true),
        ("Ad Jk Qd Jd Td Ks Qs", true),
        ("Ad Kd Qd Jd Td Ks Qh", false),
        ("Ad Kd Qd Jd Td Ks Jk", false),
    ] {
        assert_eq!(bonus(cards) == Some(BonusHand::RoyalMatch), matched, "{cards}");
    }
    says(&MBS_2016, "1.1.9", &["royal flush", "natural king and queen"]);
}

#[test]
fn mbs_2016_2_1_the_deck_has_a_joker() {
    assert_eq!(CardSet::DECK.len(), 53);
    assert_eq!(Card::all().filter(|card| card.is_joker()).count(), 1);
    says(&MBS_2016, "2.1", &["52 cards and a joker"]);
}

#[test]
fn mbs_2016_2_2_up_to_six_positions() {
    let seats = Seats {
        betting_positions: 6,
        banker_is_seated: false,
        several_positions: None,
        one_of_each: None,
        restricted_by: None,
        shared_wagers: None,
        staff_wagers: None,
        cite: "2.2".into(),
    };
    assert_eq!(MBS_2016.seats, seats);
}

#[test]
fn mbs_2016_3_2_no_more_bets_closes_betting() {
    says(&MBS_2016, "3.2", &["no more bets"]);
    let after_the_call = [Incident::LateWager, Incident::LateWithdrawal];
    let cites =
        after_the_call.map(|what| MBS_2016.irregularities.iter().find(|it| it.what == what));
    assert_eq!(cites.map(|it| it.map(|it| &*it.cite)), [Some("5.6"), Some("5.7")]);
}

#[test]
fn mbs_2016_3_4_a_standard_wager_opens_a_position() {
    assert_eq!(MBS_2016.limits(Wager::Standard), Some(&posted(Wager::Standard, "3.4")));
    assert_eq!(MBS_2016.wagers.len(), 2);
    assert_eq!(MBS_2016.limits(Wager::TigerNine), None);
}

#[test]
fn mbs_2016_3_5_a_bonus_may_join_it() {
    assert_eq!(MBS_2016.limits(Wager::Fortune), Some(&posted(Wager::Fortune, "3.5")));
}

#[test]
fn mbs_2016_3_6_seven_at_once_from_the_dealers_left() {
    let by_device = Dealing {
        device: Device::Machine,
        pattern: Pattern::SevenAtOnce,
        direction: Direction::Clockwise,
        first: First::DealersLeft,
        hands: Hands::Wagered,
        left_over: None,
        cite: "3.6".into(),
    };
    assert_eq!(MBS_2016.dealing.first(), Some(&by_device));
    assert_eq!(MBS_2016.dealing.len(), 1);
    let bank = Bank {
        banker: Banker::House,
        rotation: None,
        player_banker: None,
        sets_house_way: "3.8".into(),
        cite: "3.6".into(),
    };
    assert_eq!(MBS_2016.bank, bank);
    assert_eq!(MBS_2016.coverage, Coverage::House);
}

#[test]
fn mbs_2016_3_7_1_five_high_and_two_low() {
    let cards = "Kc Qh 9s 6h 4c 3d 2s";
    let setting = set(&MBS_2016, cards, "Qh 9s").expect("no foul");
    assert_eq!(setting.to_string(), "Qh 9s / Kc 6h 4c 3d 2s");
    assert_eq!(set(&MBS_2016, cards, "2s"), Err(SetError::NotTwo(1)));
    assert_eq!(set(&MBS_2016, cards, "4c 3d 2s"), Err(SetError::NotTwo(3)));
    says(&MBS_2016, "3.7.1", &["Five cards go High, two go Low"]);
}

#[test]
fn mbs_2016_3_7_2_a_foul_is_set_the_house_way() {
    assert_eq!(MBS_2016.foul, Cited { is: Foul::HouseWay, cite: "3.7.2".into() });
    assert!(is_foul(&MBS_2016, "Kc Qh 9s 6h 4c 3d 2s", "Kc Qh"));
    check(&MBS_2016, "Kc Qh 9s 6h 4c 3d 2s", "Qh 9s", "A.1");
}

#[test]
fn mbs_2016_3_8_the_dealer_sets_the_house_way() {
    assert_eq!(MBS_2016.bank.sets_house_way, "3.8");
    assert_eq!(MBS_2016.absent, By::TablePolicy, "this edition does not speak of absent players");
    says(&MBS_2016, "3.8", &["House Way"]);
}

#[test]
fn mbs_2016_3_9_five_card_hands_in_order() {
    hands::five_card_order(&MBS_2016);
    assert_eq!(MBS_2016.wheel, Cited { is: Wheel::Lowest, cite: "3.9".into() });
    each_beats_the_next(&MBS_2016, &["6d 5h 4c 3s 2s", "5d 4h 3c 2s As", "Ad Ah Ac 3s 2s"]);
    each_beats_the_next(&MBS_2016, &["6d 5d 4d 3d 2d", "5d 4d 3d 2d Ad", "Ac Ad Ah As Kd"]);
    says(&MBS_2016, "3.9", &["five aces"]);
}

#[test]
fn mbs_2016_3_9_1_1_the_higher_straight_wins() {
    each_beats_the_next(&MBS_2016, &["Qc Jd Th 9s 8c", "Tc 9d 8h 7s 6c"]);
    // Whatever the suits are: a straight is no flush.
    each_beats_the_next(&MBS_2016, &["Ac Kd Qh Js Tc", "Kc Qd Jh Ts 9c", "Qc Jd Th 9s 8c"]);
    says(&MBS_2016, "3.9.1.1", &[]);
}

#[test]
fn mbs_2016_3_9_1_2_the_next_card_decides_between_pairs() {
    each_beats_the_next(&MBS_2016, &["8c 8d Qh Ts 2c", "8h 8s Jh 9s 7c"]);
    each_beats_the_next(&MBS_2016, &["8c 8d Qh Ts 3c", "8h 8s Qd Tc 2c", "8h 8s Qd 9c 7c"]);
    says(&MBS_2016, "3.9.1.2", &[]);
}

#[test]
fn mbs_2016_3_9_1_3_the_next_card_decides_without_a_pair() {
    each_beats_the_next(&MBS_2016, &["Ac Kd Jh 4s 2c", "Ah Ks Td 6c 3h"]);
    each_beats_the_next(&MBS_2016, &["Ac Kd Jh 5s 2c", "Ac Kd Jh 4s 3c", "Ah Ks Jd 4c 2h"]);
    says(&MBS_2016, "3.9.1.3", &[]);
}

#[test]
fn mbs_2016_3_10_two_card_hands_in_order() {
    hands::two_card_order(&MBS_2016);
    says(&MBS_2016, "3.10", &["pair of aces", "pair of twos"]);
}

#[test]
fn mbs_2016_3_11_hands_are_compared_player_by_player() {
    let settlement = Settlement {
        start: Start::DealersLeft,
        direction: Direction::Clockwise,
        order: vec![Wager::Standard, Wager::Fortune].into(),
        by: By::TablePolicy,
    };
    assert_eq!(MBS_2016.settlement, settlement);
    says(&MBS_2016, "3.11", &["High is compared with High and Low with Low"]);
}

#[test]
fn mbs_2016_3_12_both_hands_higher_win() {
    assert_eq!(MBS_2016.comparison.win, "3.12");
    says(&MBS_2016, "3.12", &["wins when both hands are higher"]);
}

#[test]
fn mbs_2016_3_13_both_hands_lower_lose() {
    assert_eq!(MBS_2016.comparison.lose, "3.13");
    says(&MBS_2016, "3.13", &["loses when both hands are lower"]);
}

#[test]
fn mbs_2016_3_14_one_of_each_is_a_tie() {
    assert_eq!(MBS_2016.comparison.standoff, "3.14");
    assert_eq!(MBS_2016.comparison.standoff_name, "tie");
    says(&MBS_2016, "3.14", &["tie", "returned"]);
}

#[test]
fn mbs_2016_3_15_equal_hands_are_the_dealers() {
    assert_eq!(MBS_2016.comparison.copy, "3.15");
    says(&MBS_2016, "3.15", &["the dealer's"]);
}

#[test]
fn mbs_2016_3_16_a_bonus_without_a_paying_hand_loses() {
    for cards in ["Kc Kd Qh Qs 9c 9d 2s", "Jk Ad Kc Kd 9h 7s 2c", "Kc Qh 9s 6h 4c 3d 2s"] {
        assert_eq!(pays(&MBS_2016, cards), None, "{cards}");
    }
    says(&MBS_2016, "3.16", &["loses"]);
}

#[test]
fn mbs_2016_3_17_a_bonus_with_a_paying_hand_wins() {
    for (cards, to_one) in [
        ("Jc Tc 9c 8c 7c 6c 5c", 2500),
        ("Ad Kd Qd Jd Td Ks Qs", 1000),
        ("9c 9d 9h Tc Jd Qs Kh", 3),
        ("5c 4d 3h 2s Jk Kd 9c", 2),
    ] {
        assert_eq!(pays(&MBS_2016, cards), Some(to_one), "{cards}");
    }
    says(&MBS_2016, "3.17", &["wins"]);
}

#[test]
fn mbs_2016_3_18_envy_for_the_two_highest_hands_of_others() {
    let envy = Envy {
        fortune_at_least: Cents::dollars(1),
        other_must_bet_fortune: false,
        positions_count_apart: false,
        none_if_banker_holds: Some("3.18.1.1".into()),
        none_with_own_straight_flush: Some("3.18.1.2".into()),
        higher_only_with_own_royal_match: Some("3.18.1.3".into()),
        payer: Payer::House,
        cite: "3.18".into(),
    };
    assert_eq!(MBS_2016.envy, Some(envy));
    let with_envy: Vec<_> = pay_table(&MBS_2016).into_iter().filter(|line| line.2 > 0).collect();
    let expected =
        [(BonusHand::SevenCardStraightFlush, 2500, 250), (BonusHand::RoyalMatch, 1000, 50)];
    assert_eq!(with_envy, expected);
}

#[test]
fn mbs_2016_3_18_1_1_no_envy_when_the_dealer_holds_such_a_hand() {
    let envy = MBS_2016.envy.as_ref().expect("this house pays Envy");
    assert_eq!(envy.none_if_banker_holds.as_deref(), Some("3.18.1.1"));
    says(&MBS_2016, "3.18.1.1", &["dealer holds"]);
}

#[test]
fn mbs_2016_3_18_1_2_no_envy_with_ones_own_straight_flush() {
    let envy = MBS_2016.envy.as_ref().expect("this house pays Envy");
    assert_eq!(envy.none_with_own_straight_flush.as_deref(), Some("3.18.1.2"));
    says(&MBS_2016, "3.18.1.2", &["gets no Envy"]);
}

#[test]
fn mbs_2016_3_18_1_3_envy_for_the_higher_hand_only_with_a_royal_match() {
    let envy = MBS_2016.envy.as_ref().expect("this house pays Envy");
    assert_eq!(envy.higher_only_with_own_royal_match.as_deref(), Some("3.18.1.3"));
    says(&MBS_2016, "3.18.1.3", &["seven-card straight flush only"]);
}

#[test]
fn mbs_2016_4_1_1_a_win_pays_even_less_commission() {
    let commission = Commission { percent: 5, cite: "4.1.1".into(), waived_by_fortune: None };
    assert_eq!(MBS_2016.commission, Some(commission));
    assert_eq!(MBS_2016.nine_high_push, None);
    assert_eq!(MBS_2016.collection, None);
}

#[test]
fn mbs_2016_4_1_2_the_bonus_pays_by_the_table() {
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
    assert_eq!(pay_table(&MBS_2016), printed);
    assert_eq!(MBS_2016.fortune.cite, "4.1.2");
    assert_eq!(MBS_2016.tiger_nine, None);
    hands::bonus_hands();
}

#[test]
fn mbs_2016_5_1_a_foreign_card_voids_the_round() {
    assert_eq!(
        irregularities(&MBS_2016, "5.1"),
        [(Incident::ForeignCard, Remedy::Void, Role::Dealer)]
    );
    says(&MBS_2016, "5.1", &["earlier rounds stand"]);
}

#[test]
fn mbs_2016_5_2_a_wrong_deal_is_void_unless_hands_are_moved() {
    assert_eq!(
        irregularities(&MBS_2016, "5.2"),
        [(Incident::WronglyDealt, Remedy::VoidUnlessMoved, Role::Dealer)]
    );
    says(&MBS_2016, "5.2", &["moving whole hands"]);
}

#[test]
fn mbs_2016_5_3_a_dealers_hand_of_the_wrong_size() {
    assert_eq!(
        irregularities(&MBS_2016, "5.3"),
        [(Incident::BankerHandSize, Remedy::VoidUnlessReconstructed, Role::Dealer)]
    );
    says(&MBS_2016, "5.3", &["before the next round", "reconstructed"]);
}

#[test]
fn mbs_2016_5_4_two_exposed_cards_void_the_round() {
    assert_eq!(
        irregularities(&MBS_2016, "5.4"),
        [(Incident::TwoExposed, Remedy::Void, Role::Dealer)]
    );
    says(&MBS_2016, "5.4", &["Two or more cards"]);
}

#[test]
fn mbs_2016_5_5_a_deck_short_or_in_excess_voids_the_round() {
    assert_eq!(
        irregularities(&MBS_2016, "5.5"),
        [(Incident::CardCount, Remedy::Void, Role::Dealer)]
    );
    says(&MBS_2016, "5.5", &["short or in excess"]);
}

#[test]
fn mbs_2016_5_6_late_wagers_are_refused() {
    assert_eq!(
        irregularities(&MBS_2016, "5.6"),
        [(Incident::LateWager, Remedy::Refuse, Role::Dealer)]
    );
    says(&MBS_2016, "5.6", &["placed or raised"]);
}

#[test]
fn mbs_2016_5_7_a_wager_withdrawn_late_stands() {
    assert_eq!(
        irregularities(&MBS_2016, "5.7"),
        [(Incident::LateWithdrawal, Remedy::SettleAsStood, Role::Dealer)]
    );
    says(&MBS_2016, "5.7", &["as if it stood"]);
}

#[test]
fn mbs_2016_a_1_no_pair_and_one_pair() {
    check_all(&MBS_2016, "A.1", mbs::A_1);
}

#[test]
fn mbs_2016_a_2_two_pair() {
    check_all(&MBS_2016, "A.2", mbs::A_2);
}

#[test]
fn mbs_2016_a_3_three_pair() {
    check_all(&MBS_2016, "A.3", mbs::A_3);
}

#[test]
fn mbs_2016_a_4_three_of_a_kind() {
    check_all(&MBS_2016, "A.4", mbs::A_4);
}

#[test]
fn mbs_2016_a_5_straights_and_flushes() {
    check_all(&MBS_2016, "A.5", mbs::A_5);
    for (cards, low, table) in mbs::A_5_ELSEWHERE {
        check(&MBS_2016, cards, low, table);
    }
}

#[test]
fn mbs_2016_a_6_full_house() {
    check_all(&MBS_2016, "A.6", mbs::A_6);
}

#[test]
fn mbs_2016_a_7_four_of_a_kind() {
    check_all(&MBS_2016, "A.7", mbs::A_7);
}

#[test]
fn mbs_2016_a_8_five_aces() {
    check_all(&MBS_2016, "A.8", mbs::A_8);
}

#[test]
fn mbs_2016_a_1_example_no_pair() {
    example(&MBS_2016, "Kc Qh 9s 6h 4c 3d 2s", "Q 9", "K 6 4 3 2", "A.1");
}

#[test]
fn mbs_2016_a_1_example_one_pair() {
    example(&MBS_2016, "3c 3h Ks Jh 9c 8d 5s", "K J", "3 3 9 8 5", "A.1");
}

#[test]
fn mbs_2016_a_2_example_two_low_pairs_and_a_king() {
    example(&MBS_2016, "4c 4h 2s 2h Kc Qd 7s", "K Q", "4 4 2 2 7", "A.2");
}

#[test]
fn mbs_2016_a_2_example_low_and_medium_pair() {
    example(&MBS_2016, "8c 8h 6s 6h Qc 9d 7s", "6 6", "8 8 Q 9 7", "A.2");
}

#[test]
fn mbs_2016_a_2_example_low_and_high_pair_and_an_ace() {
    example(&MBS_2016, "Kc Kh 5s 5h Ac 6d 4s", "A 6", "K K 5 5 4", "A.2");
}

#[test]
fn mbs_2016_a_2_example_two_medium_pairs() {
    example(&MBS_2016, "Tc Th 8s 8h Kc 9d 2s", "8 8", "T T K 9 2", "A.2");
}

#[test]
fn mbs_2016_a_2_example_medium_and_high_pair() {
    example(&MBS_2016, "Jc Jh 9s 9h Ac Kd 3s", "9 9", "J J A K 3", "A.2");
}

#[test]
fn mbs_2016_a_2_example_two_high_pairs() {
    example(&MBS_2016, "Kc Kh Qs Qh Ac Jd 9s", "Q Q", "K K A J 9", "A.2");
}

#[test]
fn mbs_2016_a_2_example_aces_and_another_pair() {
    example(&MBS_2016, "As Ah 2s 2h Kc Qd Js", "2 2", "A A K Q J", "A.2");
}

#[test]
fn mbs_2016_a_3_example_three_pair() {
    example(&MBS_2016, "Jc Jh 7s 7h 2c 2d 6s", "J J", "7 7 2 2 6", "A.3");
}

#[test]
fn mbs_2016_a_4_example_three_of_a_kind() {
    example(&MBS_2016, "7c 7h 7s Jh 8c 4d 3s", "J 8", "7 7 7 4 3", "A.4");
}

#[test]
fn mbs_2016_a_4_example_three_aces() {
    example(&MBS_2016, "Ac Ah As Kh Qc Jd 2s", "A K", "A A Q J 2", "A.4");
}

#[test]
fn mbs_2016_a_4_example_two_times_three_of_a_kind() {
    example(&MBS_2016, "Tc Th Ts 4h 4c 4d 8s", "T T", "4 4 4 T 8", "A.4");
}

#[test]
fn mbs_2016_a_5_example_straight_without_a_pair() {
    example(&MBS_2016, "Jc Th 8s 7d 6h 5d 4c", "J T", "8 7 6 5 4", "A.5");
}

#[test]
fn mbs_2016_a_5_example_straight_rather_than_flush() {
    example(&MBS_2016, "Kh 8h 6h 5h 4h 7s 3d", "K 8", "7 6 5 4 3", "A.5");
}

#[test]
fn mbs_2016_a_5_example_one_pair_not_preserved() {
    example(&MBS_2016, "Ah 8h 6h 5h 4h Qc 8s", "Q 8", "A 8 6 5 4", "A.5");
}

#[test]
fn mbs_2016_a_5_example_one_pair_preserved() {
    example(&MBS_2016, "Ah Qh 8h 6h 5h 4h 8s", "8 8", "A Q 6 5 4", "A.5");
}

#[test]
fn mbs_2016_a_5_example_flush_with_two_pair() {
    example(&MBS_2016, "Qh Th 7h 6h 5h Tc 6s", "6 6", "T T Q 7 5", "A.2");
}

#[test]
fn mbs_2016_a_5_example_straight_with_three_pair() {
    example(&MBS_2016, "As Jk 2s 2d 3h 3d 4c", "A Jk", "3 3 2 2 4", "A.3");
}

#[test]
fn mbs_2016_a_5_example_straight_with_three_of_a_kind() {
    example(&MBS_2016, "Tc 9h 8s 7d 6h 9d 9c", "9 9", "T 9 8 7 6", "A.5");
}

#[test]
fn mbs_2016_a_5_example_straight_with_a_full_house() {
    example(&MBS_2016, "Ah As Jk Kc Kd Qh Jd", "K K", "A A Jk Q J", "A.6");
}

#[test]
fn mbs_2016_a_5_example_three_kings_ace_and_joker() {
    example(&MBS_2016, "Kc Kd Kh Jk As Jd Ts", "K K", "A K Jk J T", "A.5");
}

#[test]
fn mbs_2016_a_5_example_straight_with_four_of_a_kind() {
    example(&MBS_2016, "Ac Ah As Jk Kd Qh Jd", "A A", "A K Q J Jk", "A.7");
}

#[test]
fn mbs_2016_a_6_example_three_of_a_kind_and_a_pair() {
    example(&MBS_2016, "Kc Kh Ks 2h 2c 7d 6s", "2 2", "K K K 7 6", "A.6");
}

#[test]
fn mbs_2016_a_6_example_twos_with_ace_and_king() {
    example(&MBS_2016, "Qc Qh Qs 2h 2c Ad Ks", "A K", "Q Q Q 2 2", "A.6");
}

#[test]
fn mbs_2016_a_6_example_three_of_a_kind_and_two_pair() {
    example(&MBS_2016, "Jc Jh Js 4h 4c 3d 3s", "4 4", "J J J 3 3", "A.6");
}

#[test]
fn mbs_2016_a_7_example_four_fours() {
    example(&MBS_2016, "4c 4h 4s 4d 8h 7d 3s", "8 7", "4 4 4 4 3", "A.7");
}

#[test]
fn mbs_2016_a_7_example_four_sevens() {
    example(&MBS_2016, "7c 7h 7s 7d Qh Jd 5s", "7 7", "7 7 Q J 5", "A.7");
}

#[test]
fn mbs_2016_a_7_example_four_sevens_and_an_ace() {
    example(&MBS_2016, "7c 7h 7s 7d Ah Jd 5s", "A J", "7 7 7 7 5", "A.7");
}

#[test]
fn mbs_2016_a_7_example_four_jacks() {
    example(&MBS_2016, "Jc Jh Js Jd Qh 9d 4s", "J J", "J J Q 9 4", "A.7");
}

#[test]
fn mbs_2016_a_7_example_four_queens_and_a_pair() {
    example(&MBS_2016, "Qc Qh Qs Qd 2h 2d 3s", "2 2", "Q Q Q Q 3", "A.7");
}

#[test]
fn mbs_2016_a_7_example_four_aces_and_queens() {
    example(&MBS_2016, "Ac Ah As Ad Qh Qd 9s", "A A", "A A Q Q 9", "A.7");
}

#[test]
fn mbs_2016_a_7_example_four_aces_and_kings() {
    example(&MBS_2016, "Ac Ah As Ad Kh Kd 9s", "K K", "A A A A 9", "A.7");
}

#[test]
fn mbs_2016_a_8_example_five_aces_and_queens() {
    example(&MBS_2016, "Ac Ah As Ad Jk Qh Qd", "A A", "A A Jk Q Q", "A.8");
}

#[test]
fn mbs_2016_a_8_example_five_aces_and_kings() {
    example(&MBS_2016, "Ac Ah As Ad Jk Kh Kd", "K K", "A A A A Jk", "A.8");
}
