//! The clauses of `commission-free`, each with the test that fails when it is broken.

mod common;

use common::{
    check, check_all, each_beats_the_next, five, hands, house_way_ids, is_foul, pay_table, pays,
    rows_that_fit, says, two,
};
use houseway_rules::houses::COMMISSION_FREE;
use houseway_rules::rulebook::{
    ActionButton, Bank, Banker, Bounds, By, Cited, Collection, Comparison, Coverage, Dealing,
    Device, Direction, Envy, First, Foul, Hands, Limits, Measure, Pattern, Payer, Rotation, Seats,
    Settlement, Start, TigerNine, Wager,
};
use houseway_rules::{BonusHand, Cents, Condition, Rank, Wheel};

#[test]
fn commission_free_f1_three_wagers_within_the_limits() {
    let limits = |wager| Limits {
        wager,
        minimum: Bounds::between(Cents::dollars(1), Cents::dollars(1000)),
        maximum: Bounds::between(Cents::dollars(100), Cents::dollars(10_000)),
        step: Cents::dollars(1),
        cite: "F1".into(),
    };
    let wagers = [Wager::Standard, Wager::Fortune, Wager::TigerNine].map(limits);
    assert_eq!(*COMMISSION_FREE.wagers, wagers);
    says(&COMMISSION_FREE, "F1", &["game wager is required"]);
}

#[test]
fn commission_free_f2_at_most_two_rounds_in_a_row() {
    let rotation = Rotation {
        direction: Direction::Clockwise,
        rounds_in_a_row: 2,
        house_between: false,
        cite: "F2".into(),
    };
    let bank = Bank {
        banker: Banker::PlayerDealer,
        rotation: Some(rotation),
        player_banker: None,
        sets_house_way: "F6".into(),
        cite: "F2".into(),
    };
    assert_eq!(COMMISSION_FREE.bank, bank);
}

#[test]
fn commission_free_f3_the_player_dealer_covers_what_was_put_up() {
    assert_eq!(COMMISSION_FREE.coverage, Coverage::PutUp { cite: "F3".into() });
    // On every bet: all of them are between player and player-dealer.
    assert_eq!(COMMISSION_FREE.fortune.payer, Payer::Banker);
    assert_eq!(COMMISSION_FREE.envy.as_ref().map(|envy| envy.payer), Some(Payer::Banker));
    says(&COMMISSION_FREE, "F3", &["neither wins nor loses more", "on any bet"]);
}

#[test]
fn commission_free_f4_all_seven_hands_are_dealt() {
    let seats = Seats {
        betting_positions: 6,
        banker_is_seated: true,
        several_positions: None,
        one_of_each: None,
        restricted_by: None,
        shared_wagers: None,
        staff_wagers: None,
        cite: "F4".into(),
    };
    assert_eq!(COMMISSION_FREE.seats, seats);
    for dealing in COMMISSION_FREE.dealing.iter() {
        assert_eq!((dealing.hands, dealing.left_over), (Hands::AllSeven, Some(4)));
    }
    says(&COMMISSION_FREE, "F4", &["discarded", "four cards are left"]);
}

#[test]
fn commission_free_f5_a_number_names_the_first_seat() {
    let dealing = Dealing {
        device: Device::Machine,
        pattern: Pattern::SevenAtOnce,
        direction: Direction::Clockwise,
        first: First::NumberFromBanker,
        hands: Hands::AllSeven,
        left_over: Some(4),
        cite: "F5".into(),
    };
    assert_eq!(*COMMISSION_FREE.dealing, [dealing]);
    let button = ActionButton { highest: 21, cite: "F5".into() };
    assert_eq!(COMMISSION_FREE.action_button, Some(button));
    says(&COMMISSION_FREE, "F5", &["1 to 21", "1, 8 and 15", "action button"]);
}

#[test]
fn commission_free_f6_five_cards_must_rank_higher() {
    assert_eq!(COMMISSION_FREE.foul, Cited { is: Foul::HouseWay, cite: "F6".into() });
    assert_eq!(COMMISSION_FREE.absent, By::TablePolicy);
    assert_eq!(COMMISSION_FREE.bank.sets_house_way, "F6");
    hands::fouls(&COMMISSION_FREE);
    assert!(is_foul(&COMMISSION_FREE, "Kc Qh 9s 6h 4c 3d 2s", "Kc Qh"));
    check(&COMMISSION_FREE, "Kc Qh 9s 6h 4c 3d 2s", "Qh 9s", "F21");
    let ids = ["F20", "F21", "F22", "F23", "F24", "F25", "F26", "F27", "F28", "F29"];
    assert_eq!(house_way_ids(&COMMISSION_FREE), ids);
    // The document ranks A-2-3-4-5 lowest.
    assert_eq!(COMMISSION_FREE.wheel, Cited { is: Wheel::Lowest, cite: "F6".into() });
    hands::five_card_order(&COMMISSION_FREE);
    hands::two_card_order(&COMMISSION_FREE);
    each_beats_the_next(&COMMISSION_FREE, &["6d 5h 4c 3s 2s", "5d 4h 3c 2s As", "Ad Ah Ac 3s 2s"]);
    each_beats_the_next(&COMMISSION_FREE, &["6d 5d 4d 3d 2d", "5d 4d 3d 2d Ad", "Ac Ad Ah As Kd"]);
}

#[test]
fn commission_free_f7_bonus_then_game_then_tiger_nine() {
    let settlement = Settlement {
        start: Start::ActionButton,
        direction: Direction::Clockwise,
        order: vec![Wager::Fortune, Wager::Standard, Wager::TigerNine].into(),
        by: By::Clause("F7".into()),
    };
    assert_eq!(COMMISSION_FREE.settlement, settlement);
    says(&COMMISSION_FREE, "F7", &["Envy last for all"]);
}

#[test]
fn commission_free_f8_win_lose_push_and_copies() {
    let comparison = Comparison {
        win: "F8".into(),
        lose: "F8".into(),
        standoff: "F8".into(),
        standoff_name: "push".into(),
        copy: "F8".into(),
    };
    assert_eq!(COMMISSION_FREE.comparison, comparison);
    assert_eq!(COMMISSION_FREE.commission, None);
    assert_eq!(five(&COMMISSION_FREE, "Kc Kd 9h 5s 2c"), five(&COMMISSION_FREE, "Kh Ks 9d 5c 2d"));
    assert_eq!(two(&COMMISSION_FREE, "Ac Kd"), two(&COMMISSION_FREE, "Jk Ks"));
    says(&COMMISSION_FREE, "F8", &["1 to 1", "copies are the player-dealer's"]);
}

#[test]
fn commission_free_f9_nine_high_pushes() {
    assert_eq!(COMMISSION_FREE.nine_high_push.as_deref(), Some("F9"));
    says(&COMMISSION_FREE, "F9", &["unpaired and 9-high", "every game wager pushes"]);
}

#[test]
fn commission_free_f10_tiger_nine_pays_thirty_to_one() {
    assert_eq!(COMMISSION_FREE.tiger_nine, Some(TigerNine { pays: 30, cite: "F10".into() }));
    says(&COMMISSION_FREE, "F10", &["30 to 1", "loses on any other"]);
}

const PAY_TABLE: [(BonusHand, u32, u64); 11] = [
    (BonusHand::SevenCardStraightFlush, 2500, 1000),
    (BonusHand::RoyalMatch, 1000, 750),
    (BonusHand::SevenCardStraightFlushJoker, 750, 250),
    (BonusHand::FiveAces, 250, 100),
    (BonusHand::RoyalFlush, 125, 50),
    (BonusHand::StraightFlush, 50, 20),
    (BonusHand::FourOfAKind, 25, 5),
    (BonusHand::FullHouse, 5, 0),
    (BonusHand::Flush, 4, 0),
    (BonusHand::ThreeOfAKind, 3, 0),
    (BonusHand::Straight, 2, 0),
];

#[test]
fn commission_free_f11_the_bonus_looks_at_the_seven_cards() {
    let without_envy = |(hand, pays, _)| (hand, pays);
    let held: Vec<_> = pay_table(&COMMISSION_FREE).into_iter().map(without_envy).collect();
    assert_eq!(held, PAY_TABLE.map(without_envy));
    let fortune = &COMMISSION_FREE.fortune;
    assert_eq!((&fortune.only_above_banker, &fortune.cap), (&None, &None));
    assert_eq!((fortune.payer, &*fortune.cite), (Payer::Banker, "F11"));
    hands::bonus_hands();
    // Four queens pay although the House Way splits them.
    check(&COMMISSION_FREE, "Qc Qd Qh Qs Ac Kd 9h", "Qc Qd", "F27");
    assert_eq!(pays(&COMMISSION_FREE, "Qc Qd Qh Qs Ac Kd 9h"), Some(25));
}

#[test]
fn commission_free_f12_envy_for_others_who_bet_the_bonus() {
    let envy = Envy {
        fortune_at_least: Cents::dollars(5),
        other_must_bet_fortune: true,
        positions_count_apart: false,
        none_if_banker_holds: None,
        none_with_own_straight_flush: None,
        higher_only_with_own_royal_match: None,
        payer: Payer::Banker,
        cite: "F12".into(),
    };
    assert_eq!(COMMISSION_FREE.envy, Some(envy));
    assert_eq!(pay_table(&COMMISSION_FREE), PAY_TABLE);
}

/// What bands measure, their upper bounds, their fees and the fee of the other side, in dollars.
#[rustfmt::skip]
const SCHEDULES: [(Measure, &[u32], &[u32], u32); 28] = [
    (Measure::EachWager, &[100, 200, 300, 400], &[1, 2, 3, 4, 5], 1),
    (Measure::EachWager, &[100, 200, 300, 400], &[1, 2, 3, 4, 5], 2),
    (Measure::EachWager, &[200, 400, 600, 800], &[1, 3, 5, 7, 9], 1),
    (Measure::EachWager, &[200, 600, 1000, 1400], &[2, 4, 8, 12, 15], 2),
    (Measure::TableTotal, &[49, 99, 149, 199], &[2, 4, 6, 8, 12], 0),
    (Measure::TableTotal, &[49, 99, 149, 199], &[1, 3, 5, 7, 10], 1),
    (Measure::TableTotal, &[49, 99, 199], &[2, 4, 6, 12], 1),
    (Measure::TableTotal, &[49, 99, 149, 199], &[1, 2, 3, 4, 5], 0),
    (Measure::TableTotal, &[49, 99, 199, 299], &[1, 2, 3, 4, 6], 0),
    (Measure::TableTotal, &[49, 99, 199, 399], &[1, 2, 3, 4, 6], 0),
    (Measure::TableTotal, &[49, 99, 199, 299], &[1, 2, 3, 5, 8], 0),
    (Measure::TableTotal, &[74, 149, 224, 299], &[1, 2, 3, 4, 5], 0),
    (Measure::TableTotal, &[74, 149, 224, 299], &[1, 2, 3, 4, 6], 0),
    (Measure::TableTotal, &[74, 149, 224, 399], &[1, 2, 3, 4, 7], 0),
    (Measure::TableTotal, &[74, 199, 399, 699], &[1, 2, 5, 8, 12], 0),
    (Measure::TableTotal, &[99, 199, 299, 399], &[1, 2, 3, 4, 6], 0),
    (Measure::TableTotal, &[99, 199, 299, 399], &[1, 3, 4, 5, 7], 0),
    (Measure::TableTotal, &[99, 199, 299, 399], &[1, 4, 5, 6, 8], 0),
    (Measure::TableTotal, &[99, 299, 499, 799], &[1, 3, 5, 8, 12], 0),
    (Measure::TableTotal, &[99, 299, 499, 799], &[2, 3, 6, 8, 12], 0),
    (Measure::TableTotal, &[99, 299, 499, 799], &[2, 3, 6, 10, 15], 0),
    (Measure::TableTotal, &[99, 299, 499, 799], &[2, 3, 6, 10, 15], 0),
    (Measure::TableTotal, &[99, 299, 499, 799], &[2, 3, 5, 12, 20], 0),
    (Measure::TableTotal, &[999, 1999, 2999, 3999], &[5, 15, 25, 35, 45], 0),
    (Measure::TableTotal, &[999, 1999, 2999, 3999], &[10, 15, 30, 35, 50], 0),
    (Measure::TableTotal, &[999, 1999, 2999, 3999], &[15, 20, 30, 40, 55], 0),
    (Measure::TableTotal, &[999, 1999, 2999, 3999], &[20, 25, 35, 45, 55], 0),
    (Measure::TableTotal, &[999, 1999, 2999, 3999], &[15, 25, 35, 50, 70], 0),
];

#[test]
fn commission_free_f13_one_of_twenty_eight_schedules() {
    let Some(Collection::Schedules { schedules, cite }) = &COMMISSION_FREE.collection else {
        panic!("this house collects by schedules");
    };
    assert_eq!(cite, "F13");
    assert_eq!(schedules.len(), SCHEDULES.len());
    for (option, (schedule, (measure, bounds, fees, fixed))) in
        (1..).zip(schedules.iter().zip(SCHEDULES))
    {
        assert_eq!(schedule.option, option);
        assert_eq!(schedule.measure, measure, "option {option}");
        assert_eq!(schedule.fixed, Cents::dollars(fixed), "option {option}");
        assert_eq!(schedule.bands.len(), fees.len(), "option {option}");
        let fee = |dollars| schedule.banded(Cents::dollars(dollars));
        assert_eq!(fee(0), Cents::ZERO, "option {option}: nothing for nothing");
        // The first and the last amount of each band.
        let first = [1].into_iter().chain(bounds.iter().map(|bound| bound + 1));
        let last = bounds.iter().copied().chain([1_000_000]);
        for ((first, last), &expected) in first.zip(last).zip(fees) {
            for amount in [first, last] {
                let expected = Cents::dollars(expected);
                assert_eq!(fee(amount), expected, "option {option}: ${amount}");
            }
        }
    }
}

#[test]
fn commission_free_f20_a_pair_in_front_of_a_straight_or_better() {
    let hands = [
        // A complete hand behind.
        ("Ah Qh 8h 6h 5h 4h 8s", "8h 8s"),
        ("Ac Jk Td 9h 8s 7c 6d", "Ac Jk"),
        ("Ac Jk 5d 5h Ks Qc Jd", "5d 5h"),
        ("Tc 9h 8s 7d 6h 9d 9c", "9c 9d"),
        ("Ac Ad Jk 9d 7d 4d 2d", "Ac Ad"),
        ("Kc Kd Kh Jk As Jd Ts", "Kc Kd"),
        ("Ac Ad Ah Jk Kd Qd 7d", "Ac Ah"),
        // A full house behind.
        ("Jc Jh Js 4h 4c 3d 3s", "4c 4h"),
        ("4c 4d 4h Kc Kd 3h 3s", "Kc Kd"),
        ("Ac Ad Jk 4h 4c 3d 3s", "4c 4h"),
        ("Qc Qd Qh Qs 2c 2d 2h", "Qc Qd"),
        ("Ac Ad Ah As Jk Kh Kd", "Ac Ad"),
        // Four of a kind or five aces behind.
        ("Qc Qh Qs Qd 2h 2d 3s", "2d 2h"),
        ("Ac Ad Ah As Qh Qd 9s", "Qd Qh"),
        ("2c 2d 2h 2s Ac Ad Jk", "Ac Ad"),
    ];
    check_all(&COMMISSION_FREE, "F20", &hands);
}

#[test]
fn commission_free_f21_no_pair_and_one_pair() {
    let hands = [
        ("Kc Qh 9s 6h 4c 3d 2s", "Qh 9s"),
        ("Jk Kd 9s 8c 6h 4c 2d", "Kd 9s"),
        ("3c 3h Ks Jh 9c 8d 5s", "Ks Jh"),
        ("Ac Jk Kd 9s 7h 5c 3d", "Kd 9s"),
        ("2c 2d Jk Kh Qc 8s 7h", "Jk Kh"),
    ];
    check_all(&COMMISSION_FREE, "F21", &hands);
}

#[test]
fn commission_free_f22_two_pair() {
    let hands = [
        // Aces, kings or queens: split, an ace notwithstanding.
        ("Qc Qd 2h 2s Ac Kd 9h", "2h 2s"),
        ("Kc Kd 3h 3s Jk 9d 7c", "3h 3s"),
        ("Ac Jk 9d 9h Ks Qc 3d", "9d 9h"),
        ("Ac Ad Kd Kh Qs 8c 3d", "Kd Kh"),
        // Jacks, tens or nines: split, unless an ace can go in front.
        ("Jc Jd 3h 3s Kc Qd 8h", "3h 3s"),
        ("Tc Td 2h 2s Kc Qd 8h", "2h 2s"),
        ("9c 9d 8h 8s Kc Qd 2h", "8h 8s"),
        ("Jc Jd 3h 3s Ac Kd 9h", "Ac Kd"),
        ("Tc Td 9h 9s Ac Kd 2h", "Ac Kd"),
        ("9c 9d 2h 2s Jk Kd 6c", "Jk Kd"),
        // Eights, sevens or sixes: split, unless a king or better can go in front.
        ("8c 8d 7h 7s Qc Jd 2h", "7h 7s"),
        ("7c 7d 2h 2s Qc Jd 9h", "2h 2s"),
        ("6c 6d 5h 5s Qc Jd 9h", "5h 5s"),
        ("8c 8d 7h 7s Kc 3d 2h", "Kc 3d"),
        ("7c 7d 2h 2s Kc Qd 9h", "Kc Qd"),
        ("6c 6d 2h 2s Ac 9d 7c", "Ac 9d"),
        ("6c 6d 5h 5s Jk Td 2c", "Jk Td"),
        // Fives and below: split, unless a queen or better can go in front.
        ("5c 5d 4h 4s Jc Td 9h", "4h 4s"),
        ("4c 4d 2h 2s Jc Td 9h", "2h 2s"),
        ("3c 3d 2h 2s Jc Td 9h", "2h 2s"),
        ("5c 5d 4h 4s Qc 9d 8h", "Qc 9d"),
        ("4c 4d 2h 2s Qc Td 9h", "Qc Td"),
        ("3c 3d 2h 2s Qc 9d 8c", "Qc 9d"),
        ("3c 3d 2h 2s Jk 9d 8h", "Jk 9d"),
    ];
    check_all(&COMMISSION_FREE, "F22", &hands);
    // The chart names twos in the last row, although no hand has them as its higher pair.
    let names_twos = |condition: &Condition| match condition {
        Condition::First(ranks) => ranks.contains(Rank::Two),
        _ => false,
    };
    let sheet = COMMISSION_FREE.house_way.iter().filter(|clause| clause.id == "F22");
    assert_eq!(sheet.filter(|clause| clause.when.iter().any(names_twos)).count(), 2);
}

#[test]
fn commission_free_f23_three_pair() {
    let hands = [
        ("Jc Jh 7s 7h 2c 2d 6s", "Jc Jh"),
        ("4c 4h 3s 3h 2c 2d As", "4c 4h"),
        ("As Jk 8s 8d 3h 3d 4c", "As Jk"),
    ];
    check_all(&COMMISSION_FREE, "F23", &hands);
}

#[test]
fn commission_free_f24_three_of_a_kind() {
    let hands = [
        ("Ac Ah As Kh Qc 9d 2s", "Ac Kh"),
        ("Ac Ad Jk 9h 7c 4s 3d", "Ac 9h"),
        // Kings and below are never split.
        ("Kc Kd Kh As Qc 9d 2s", "As Qc"),
        ("2c 2d 2h Jk Kc 9d 7s", "Jk Kc"),
        ("7c 7h 7s Jh 8c 4d 3s", "Jh 8c"),
        // Two times three of a kind.
        ("Tc Th Ts 4h 4c 4d 8s", "Tc Th"),
        ("2c 2d 2h 3c 3d 3h Ks", "3c 3d"),
        ("Ac Ad Jk 9h 9c 9d 8s", "Ac Ad"),
    ];
    check_all(&COMMISSION_FREE, "F24", &hands);
}

#[test]
fn commission_free_f25_complete_hands() {
    let hands = [
        // No pair.
        ("Jc Th 8s 7d 6h 5d 4c", "Jc Th"),
        ("Kh 8h 6h 5h 4h 7s 3d", "Kh 8h"),
        ("Jk 2c 3d 4h 5s Kc Td", "Kc Td"),
        // One pair that cannot be kept together.
        ("Ah 8h 6h 5h 4h Qc 8s", "Qc 8s"),
        ("Ac Jk 9d 8h 7s 6c 2d", "Ac 2d"),
        // Three aces of which the joker is needed behind.
        ("Ac Ad Jk Kh Qs Jc 5d", "Ac 5d"),
        ("Ac Ad Jk 9d 7d 4d 2s", "Ac 2s"),
    ];
    check_all(&COMMISSION_FREE, "F25", &hands);
    // With more than that the complete hand does not count, unless it leaves a pair (F20).
    for (cards, low, row) in [
        ("Qh Th 7h 6h 5h Tc 6s", "6h 6s", "F22"),
        ("Kh 8h 7h 5h 2h 8c 7s", "Kh 5h", "F22"),
        ("Ac Jk 9d 9h 8s 7c 6d", "9d 9h", "F22"),
        ("As Jk 2s 2d 3h 3d 4c", "As Jk", "F23"),
        ("Ah As Jk Kc Kd Qh Jd", "Kc Kd", "F26"),
    ] {
        check(&COMMISSION_FREE, cards, low, row);
    }
}

#[test]
fn commission_free_f26_full_house() {
    let hands = [
        ("Kc Kh Ks 2h 2c 7d 6s", "2c 2h"),
        ("2c 2d 2h Kc Kd 9s 8h", "Kc Kd"),
        // No exception for twos beside ace and king here.
        ("Qc Qh Qs 2h 2c Ad Ks", "2c 2h"),
        ("Kc Kd Kh Jk As 9d 5c", "As Jk"),
    ];
    check_all(&COMMISSION_FREE, "F26", &hands);
}

#[test]
fn commission_free_f27_four_of_a_kind() {
    let hands = [
        // Aces, kings or queens: split.
        ("Qc Qd Qh Qs Ac Kd 9h", "Qc Qd"),
        ("Kc Kd Kh Ks Jk Qd 9h", "Kc Kd"),
        ("Ac Ad Ah As Kd Qh 3c", "Ac Ad"),
        ("Ac Ad Ah Jk 9s 7c 3d", "Ac Ad"),
        // Jacks, tens or nines: split, unless a king or better can go in front.
        ("Jc Jd Jh Js Qc 9d 4h", "Jc Jd"),
        ("Tc Td Th Ts Qc 9d 4h", "Tc Td"),
        ("9c 9d 9h 9s Qd Jc 2c", "9c 9d"),
        ("Jc Jd Jh Js Kc 9d 4h", "Kc 9d"),
        ("Tc Td Th Ts Ac 9d 4h", "Ac 9d"),
        ("9c 9d 9h 9s Kd Qd 2c", "Kd Qd"),
        ("9c 9d 9h 9s Jk Qd 2c", "Jk Qd"),
        // Eights, sevens or sixes: split, unless a queen or better can go in front.
        ("8c 8d 8h 8s Jc Td 2h", "8c 8d"),
        ("7c 7d 7h 7s Jc Td 2h", "7c 7d"),
        ("6c 6d 6h 6s Jc Td 2h", "6c 6d"),
        ("8c 8d 8h 8s Qc Jd 2h", "Qc Jd"),
        ("7c 7d 7h 7s Jk Jd 2h", "Jk Jd"),
        ("6c 6d 6h 6s Kc Jd 2h", "Kc Jd"),
        ("6c 6d 6h 6s Qc Jd 2h", "Qc Jd"),
        // Fives and below: never split.
        ("5c 5d 5h 5s Jc Td 2h", "Jc Td"),
        ("2c 2d 2h 2s 5c 4d 3h", "5c 4d"),
    ];
    check_all(&COMMISSION_FREE, "F27", &hands);
}

/// F20 always decides such a hand, so the row is asked by itself.
#[test]
fn commission_free_f28_four_of_a_kind_with_a_pair() {
    for (cards, low) in [
        ("Qc Qh Qs Qd 2h 2d 3s", "2h 2d"),
        ("2c 2d 2h 2s 9c 9d 5h", "9d 9c"),
        ("Ac Ad Ah As Qh Qd 9s", "Qh Qd"),
        ("Qc Qd Qh Qs 2c 2d 2h", "2d 2c"),
    ] {
        assert_eq!(rows_that_fit(&COMMISSION_FREE, "F28", cards), [low], "{cards}");
    }
    assert!(rows_that_fit(&COMMISSION_FREE, "F28", "Qc Qd Qh Qs Ac Kd 9h").is_empty());
    check(&COMMISSION_FREE, "Qc Qh Qs Qd 2h 2d 3s", "2d 2h", "F20");
}

#[test]
fn commission_free_f29_five_aces() {
    let hands = [("Ac Ad Ah As Jk Kh Qd", "Ac Ad"), ("Ac Ad Ah As Jk 3h 2d", "Ac Ad")];
    check_all(&COMMISSION_FREE, "F29", &hands);
    // With a pair F20 plays the same.
    check(&COMMISSION_FREE, "Ac Ad Ah As Jk Qh Qd", "Ac Ad", "F20");
    assert_eq!(rows_that_fit(&COMMISSION_FREE, "F29", "Ac Ad Ah As Jk Qh Qd"), ["Ad Ac"]);
}
