//! The clauses of `cardroom`, each with the test that fails when it is broken.

mod common;

use common::{
    bonus, check, check_all, each_beats_the_next, five, hands, house_way_ids, is_foul, pay_table,
    pays, posted, says, two,
};
use houseway_rules::houses::CARDROOM;
use houseway_rules::rulebook::{
    ActionButton, Bank, Banker, Beyond, By, Cap, Cited, Collection, Comparison, Coverage, Dealing,
    Device, Direction, First, Foul, Hands, Pattern, Payer, Rotation, Seats, Settlement, Start,
    Wager,
};
use houseway_rules::{BonusHand, Reading, Wheel};

#[test]
fn cardroom_c1_a_game_wager_and_perhaps_a_bonus() {
    assert_eq!(*CARDROOM.wagers, [posted(Wager::Standard, "C1"), posted(Wager::Fortune, "C1")]);
    says(&CARDROOM, "C1", &["game wager is required", "posted limits"]);
}

#[test]
fn cardroom_c2_the_designated_player_pays_a_rake() {
    assert_eq!(CARDROOM.collection, Some(Collection::Rake { cite: "C2".into() }));
    assert_eq!(CARDROOM.commission, None);
    says(&CARDROOM, "C2", &["before the cards are dealt"]);
}

fn dealing(device: Device, pattern: Pattern, cite: &'static str) -> Dealing {
    Dealing {
        device,
        pattern,
        direction: Direction::Clockwise,
        first: First::ActionButton,
        hands: Hands::AllSeven,
        left_over: Some(4),
        cite: cite.into(),
    }
}

#[test]
fn cardroom_c3_by_machine_seven_piles_of_seven() {
    let by_machine = dealing(Device::Machine, Pattern::SevenAtOnce, "C3");
    assert_eq!(CARDROOM.dealing.first(), Some(&by_machine));
    let seats = Seats {
        betting_positions: 6,
        banker_is_seated: true,
        several_positions: None,
        one_of_each: None,
        restricted_by: None,
        shared_wagers: None,
        staff_wagers: None,
        cite: "C3".into(),
    };
    assert_eq!(CARDROOM.seats, seats);
}

#[test]
fn cardroom_c4_by_hand_back_and_forth() {
    let by_hand = dealing(Device::Manual, Pattern::BackAndForth, "C4");
    assert_eq!(CARDROOM.dealing.get(1), Some(&by_hand));
    assert_eq!(CARDROOM.dealing.len(), 2);
}

#[test]
fn cardroom_c5_the_action_button_is_drawn() {
    assert!(CARDROOM.dealing.iter().all(|dealing| dealing.first == First::ActionButton));
    assert_eq!(CARDROOM.settlement.start, Start::ActionButton);
    let button = ActionButton { highest: 21, cite: "C5".into() };
    assert_eq!(CARDROOM.action_button, Some(button));
    assert_eq!(CARDROOM.clause("C5").map(|clause| clause.readings), Some(&[Reading::R14][..]));
    says(&CARDROOM, "C5", &["other than the Designated Player's"]);
}

#[test]
fn cardroom_c6_five_cards_must_rank_higher() {
    assert_eq!(CARDROOM.foul, Cited { is: Foul::HouseWay, cite: "C6".into() });
    assert_eq!(CARDROOM.absent, By::TablePolicy);
    hands::fouls(&CARDROOM);
    assert!(is_foul(&CARDROOM, "Kc Qh 9s 6h 4c 3d 2s", "Kc Qh"));
    check(&CARDROOM, "Kc Qh 9s 6h 4c 3d 2s", "Qh 9s", "C20");
    // The document ranks A-2-3-4-5 lowest.
    assert_eq!(CARDROOM.wheel, Cited { is: Wheel::Lowest, cite: "C6".into() });
    hands::five_card_order(&CARDROOM);
    hands::two_card_order(&CARDROOM);
    each_beats_the_next(&CARDROOM, &["6d 5h 4c 3s 2s", "5d 4h 3c 2s As", "Ad Ah Ac 3s 2s"]);
    each_beats_the_next(&CARDROOM, &["6d 5d 4d 3d 2d", "5d 4d 3d 2d Ad", "Ac Ad Ah As Kd"]);
}

#[test]
fn cardroom_c7_the_designated_player_sets_the_house_way() {
    assert_eq!(CARDROOM.bank.sets_house_way, "C7");
    let ids = ["C20", "C21", "C22", "C23", "C24", "C25", "C26", "C27", "C28", "C29"];
    assert_eq!(house_way_ids(&CARDROOM), ids);
}

#[test]
fn cardroom_c8_win_lose_push_and_copies() {
    let comparison = Comparison {
        win: "C8".into(),
        lose: "C8".into(),
        standoff: "C8".into(),
        standoff_name: "push".into(),
        copy: "C8".into(),
    };
    assert_eq!(CARDROOM.comparison, comparison);
    assert_eq!(five(&CARDROOM, "Kc Kd 9h 5s 2c"), five(&CARDROOM, "Kh Ks 9d 5c 2d"));
    assert_eq!(two(&CARDROOM, "Ac Kd"), two(&CARDROOM, "Jk Ks"));
    says(&CARDROOM, "C8", &["1 to 1", "copies are the Designated Player's"]);
}

#[test]
fn cardroom_c9_seat_by_seat_from_the_action_button() {
    let settlement = Settlement {
        start: Start::ActionButton,
        direction: Direction::Clockwise,
        order: vec![Wager::Standard, Wager::Fortune].into(),
        by: By::Clause("C9".into()),
    };
    assert_eq!(CARDROOM.settlement, settlement);
}

#[test]
fn cardroom_c10_the_designated_player_covers_what_was_put_up() {
    assert_eq!(CARDROOM.coverage, Coverage::PutUp { cite: "C10".into() });
    says(&CARDROOM, "C10", &["no more than was put up", "in settlement order"]);
}

#[test]
fn cardroom_c11_the_bonus_looks_at_the_seven_cards() {
    let printed = [
        (BonusHand::SevenCardStraightFlush, 5000, 0),
        (BonusHand::RoyalMatch, 2000, 0),
        (BonusHand::SevenCardStraightFlushJoker, 1000, 0),
        (BonusHand::FiveAces, 400, 0),
        (BonusHand::RoyalFlush, 150, 0),
        (BonusHand::StraightFlush, 50, 0),
        (BonusHand::FourOfAKind, 25, 0),
        (BonusHand::FullHouse, 5, 0),
        (BonusHand::Flush, 4, 0),
        (BonusHand::ThreeOfAKind, 3, 0),
        (BonusHand::Straight, 2, 0),
    ];
    assert_eq!(pay_table(&CARDROOM), printed);
    assert_eq!((CARDROOM.fortune.payer, &*CARDROOM.fortune.cite), (Payer::Banker, "C11"));
    assert_eq!((&CARDROOM.envy, &CARDROOM.tiger_nine), (&None, &None));
    hands::bonus_hands();
    // Four queens pay although the House Way splits them.
    check(&CARDROOM, "Qc Qd Qh Qs Ac Kd 9h", "Qc Qd", "C27");
    assert_eq!(pays(&CARDROOM, "Qc Qd Qh Qs Ac Kd 9h"), Some(25));
}

#[test]
fn cardroom_c12_the_bonus_must_beat_the_designated_players() {
    assert_eq!(CARDROOM.fortune.only_above_banker.as_deref(), Some("C12"));
    // Bonus hands compare in the order of the pay table, and a hand below a straight is below all.
    let from_the_top: Vec<_> = CARDROOM.fortune.table.iter().map(|line| line.hand).collect();
    assert!(from_the_top.is_sorted_by(|higher, lower| higher > lower));
    assert!(Some(BonusHand::Straight) > bonus("Kc Kd Qh Qs 9c 9d 2s"));
    says(&CARDROOM, "C12", &["only if", "lower", "goes back"]);
}

#[test]
fn cardroom_c13_a_posted_maximum_caps_bonus_payments() {
    let cap = Cap { amount: None, beyond: Beyond::Returned, cite: "C13".into() };
    assert_eq!(CARDROOM.fortune.cap, Some(cap));
}

#[test]
fn cardroom_c14_the_position_is_offered_clockwise_every_hand() {
    let rotation = Rotation {
        direction: Direction::Clockwise,
        rounds_in_a_row: 1,
        house_between: false,
        cite: "C14".into(),
    };
    let bank = Bank {
        banker: Banker::DesignatedPlayer,
        rotation: Some(rotation),
        player_banker: None,
        sets_house_way: "C7".into(),
        cite: "C14".into(),
    };
    assert_eq!(CARDROOM.bank, bank);
    says(&CARDROOM, "C14", &["no taker"]);
}

#[test]
fn cardroom_c20_no_pair() {
    let hands = [
        ("Kc Qh 9s 6h 4c 3d 2s", "Qh 9s"),
        ("Jk Kd 9s 8c 6h 4c 2d", "Kd 9s"),
        ("Ac Kd Js 9h 7c 4d 3s", "Kd Js"),
    ];
    check_all(&CARDROOM, "C20", &hands);
}

#[test]
fn cardroom_c21_one_pair() {
    let hands = [
        ("3c 3h Ks Jh 9c 8d 5s", "Ks Jh"),
        ("Ac Jk Kd 9s 7h 5c 3d", "Kd 9s"),
        ("2c 2d Jk Kh Qc 8s 7h", "Jk Kh"),
    ];
    check_all(&CARDROOM, "C21", &hands);
}

#[test]
fn cardroom_c22_two_pair() {
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
        // Fives, fours or threes: split, unless a queen or better can go in front.
        ("5c 5d 4h 4s Jc Td 9h", "4h 4s"),
        ("4c 4d 2h 2s Jc Td 9h", "2h 2s"),
        ("3c 3d 2h 2s Jc Td 9h", "2h 2s"),
        ("5c 5d 4h 4s Qc 9d 8h", "Qc 9d"),
        ("4c 4d 2h 2s Qc Td 9h", "Qc Td"),
        ("3c 3d 2h 2s Qc 9d 8c", "Qc 9d"),
        ("3c 3d 2h 2s Kc 9d 8c", "Kc 9d"),
        ("3c 3d 2h 2s Jk 9d 8h", "Jk 9d"),
    ];
    check_all(&CARDROOM, "C22", &hands);
}

#[test]
fn cardroom_c23_three_pair() {
    let hands = [
        ("Jc Jh 7s 7h 2c 2d 6s", "Jc Jh"),
        ("4c 4h 3s 3h 2c 2d As", "4c 4h"),
        ("As Jk 8s 8d 3h 3d 4c", "As Jk"),
    ];
    check_all(&CARDROOM, "C23", &hands);
}

#[test]
fn cardroom_c24_three_of_a_kind() {
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
    check_all(&CARDROOM, "C24", &hands);
}

#[test]
fn cardroom_c25_complete_hands() {
    let hands = [
        // No pair.
        ("Jc Th 8s 7d 6h 5d 4c", "Jc Th"),
        ("Kh 8h 6h 5h 4h 7s 3d", "Kh 8h"),
        ("Jk 2c 3d 4h 5s Kc Td", "Kc Td"),
        // One pair.
        ("Ah 8h 6h 5h 4h Qc 8s", "Qc 8s"),
        ("Ah Qh 8h 6h 5h 4h 8s", "8h 8s"),
        ("Ac Jk 9d 8h 7s 6c 2d", "Ac 2d"),
        ("Ac Jk Td 9h 8s 7c 6d", "Ac Jk"),
        // Three of a kind: a pair in front, if the joker is not needed behind.
        ("Tc 9h 8s 7d 6h 9d 9c", "9c 9d"),
        ("Kh Kc Kd Qh 9h 5h 2h", "Kc Kd"),
        ("Ac Ad Jk 9d 7d 4d 2d", "Ac Ad"),
        ("Ac Ad Jk Kh Qs Jc 5d", "Ac 5d"),
        ("Ac Ad Jk 9d 7d 4d 2s", "Ac 2s"),
    ];
    check_all(&CARDROOM, "C25", &hands);
    // With more than that the complete hand does not count.
    for (cards, low, row) in [
        ("Qh Th 7h 6h 5h Tc 6s", "6h 6s", "C22"),
        ("8c 8d 7h 7s 6c 5d 4h", "7h 7s", "C22"),
        ("Kh 8h 7h 5h 2h 8c 7s", "Kh 5h", "C22"),
        ("As Jk 2s 2d 3h 3d 4c", "As Jk", "C23"),
        ("Kc Kd Kh Jk As Jd Ts", "As Jk", "C26"),
        ("Ah As Jk Kc Kd Qh Jd", "Kc Kd", "C26"),
        ("Ac Ad Ah Jk Kd Qh Jc", "Ac Ad", "C27"),
    ] {
        check(&CARDROOM, cards, low, row);
    }
}

#[test]
fn cardroom_c26_full_house() {
    let hands = [
        ("Kc Kh Ks 2h 2c 7d 6s", "2c 2h"),
        ("2c 2d 2h Kc Kd 9s 8h", "Kc Kd"),
        // No exception for twos beside ace and king here.
        ("Qc Qh Qs 2h 2c Ad Ks", "2c 2h"),
        // Two of the three, where two pair stay behind.
        ("Jc Jh Js 4h 4c 3d 3s", "Jc Jh"),
        ("Ac Ad Jk 4h 4c 3d 3s", "Ac Ad"),
        ("4c 4d 4h Kc Kd 3h 3s", "Kc Kd"),
    ];
    check_all(&CARDROOM, "C26", &hands);
}

#[test]
fn cardroom_c27_four_of_a_kind() {
    let hands = [
        // Aces, kings or queens: split.
        ("Qc Qd Qh Qs Ac Kd 9h", "Qc Qd"),
        ("Kc Kd Kh Ks Jk Qd 9h", "Kc Kd"),
        ("Ac Ad Ah As Kd Qh 3c", "Ac Ad"),
        ("Ac Ad Ah Jk Kd Qd 7d", "Ac Ah"),
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
    check_all(&CARDROOM, "C27", &hands);
}

#[test]
fn cardroom_c28_four_of_a_kind_with_a_pair() {
    let hands = [
        ("Qc Qh Qs Qd 2h 2d 3s", "2d 2h"),
        ("Ac Ad Ah As Qh Qd 9s", "Qd Qh"),
        ("8c 8d 8h 8s As Jk 3d", "As Jk"),
        // With three of a kind.
        ("Qc Qd Qh Qs 2c 2d 2h", "2c 2d"),
        ("Ac Ad Ah Jk Ks Kd Kc", "Kc Kd"),
        ("4c 4d 4h 4s Ac Ad Jk", "Ac Ad"),
    ];
    check_all(&CARDROOM, "C28", &hands);
}

#[test]
fn cardroom_c29_five_aces() {
    let hands = [
        ("Ac Ad Ah As Jk Kh Qd", "Ac Ad"),
        ("Ac Ad Ah As Jk Qh Qd", "Ac Ad"),
        // Kings are no exception here.
        ("Ac Ad Ah As Jk Kh Kd", "Ac Ad"),
    ];
    check_all(&CARDROOM, "C29", &hands);
}
