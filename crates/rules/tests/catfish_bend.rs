//! The clauses of `catfish-bend`, each with the test that fails when it is broken.

mod common;

use common::{
    check, check_all, each_beats_the_next, five, hands, house_way_ids, irregularities, name,
    pay_table, rows_that_fit, says, two,
};
use houseway_rules::houses::CATFISH_BEND;
use houseway_rules::rulebook::{
    Bank, Banker, Beyond, Bounds, By, Cap, Cited, Commission, Comparison, Conduct, Coverage,
    Dealing, Device, Direction, Envy, First, Foul, Hands, Incident, Limits, Pattern, Payer,
    PlayerBanker, Remedy, Role, Rotation, Seats, Settlement, Several, Start, Wager,
};
use houseway_rules::{BonusHand, Cents, Group, Low, Play, Wheel};

#[test]
fn catfish_bend_b1_steps_of_five_and_a_bonus_of_one_to_twenty_five() {
    let standard = Limits {
        wager: Wager::Standard,
        minimum: Bounds::POSTED,
        maximum: Bounds::POSTED,
        step: Cents::dollars(5),
        cite: "B1".into(),
    };
    let fortune = Limits {
        wager: Wager::Fortune,
        minimum: Bounds::at(Cents::dollars(1)),
        maximum: Bounds::at(Cents::dollars(25)),
        step: Cents::dollars(1),
        cite: "B1".into(),
    };
    assert_eq!(*CATFISH_BEND.wagers, [standard, fortune]);
    says(&CATFISH_BEND, "B1", &["first hand leaves the shuffler"]);
}

#[test]
fn catfish_bend_b2_five_dollars_on_the_bonus_waive_the_commission() {
    let commission = CATFISH_BEND.commission.as_ref().expect("this house takes a commission");
    let waived = Cited { is: Cents::dollars(5), cite: "B2".into() };
    assert_eq!(commission.waived_by_fortune, Some(waived));
    let envy = CATFISH_BEND.envy.as_ref().expect("this house pays Envy");
    assert_eq!(envy.fortune_at_least, Cents::dollars(5));
    says(&CATFISH_BEND, "B2", &["$5 or more", "Envy", "waives"]);
}

#[test]
fn catfish_bend_b3_two_adjacent_positions() {
    let several = Cited { is: Several::TwoAdjacent, cite: "B3".into() };
    assert_eq!(CATFISH_BEND.seats.several_positions, Some(several));
    assert_eq!(CATFISH_BEND.envy.as_ref().map(|envy| envy.positions_count_apart), Some(true));
}

#[test]
fn catfish_bend_b4_counter_clockwise_from_a_random_spot() {
    let dealing = Dealing {
        device: Device::Machine,
        pattern: Pattern::SevenAtOnce,
        direction: Direction::CounterClockwise,
        first: First::NumberFromBanker,
        hands: Hands::AllSeven,
        left_over: Some(4),
        cite: "B4".into(),
    };
    assert_eq!(*CATFISH_BEND.dealing, [dealing]);
    let seats = Seats {
        betting_positions: 6,
        banker_is_seated: true,
        several_positions: Some(Cited { is: Several::TwoAdjacent, cite: "B3".into() }),
        one_of_each: None,
        restricted_by: None,
        shared_wagers: None,
        staff_wagers: None,
        cite: "B4".into(),
    };
    assert_eq!(CATFISH_BEND.seats, seats);
    says(&CATFISH_BEND, "B4", &["the banker as 1", "frozen"]);
}

#[test]
fn catfish_bend_b5_a_second_foul_loses() {
    assert_eq!(CATFISH_BEND.foul, Cited { is: Foul::SecondLoses, cite: "B5".into() });
    assert_eq!(CATFISH_BEND.absent, By::TablePolicy);
    hands::fouls(&CATFISH_BEND);
    says(&CATFISH_BEND, "B5", &["first foul", "warning", "later one loses"]);
}

#[test]
fn catfish_bend_b6_the_wheel_ranks_second() {
    assert_eq!(CATFISH_BEND.wheel, Cited { is: Wheel::SecondHighest, cite: "B6".into() });
    hands::five_card_order(&CATFISH_BEND);
    hands::two_card_order(&CATFISH_BEND);
    let straights = ["Ad Kh Qc Js Ts", "5d 4h 3c 2s As", "Kd Qh Jc Ts 9s", "6d 5h 4c 3s 2s"];
    each_beats_the_next(&CATFISH_BEND, &straights);
    let straight_flushes =
        ["Ad Kd Qd Jd Td", "5d 4d 3d 2d Ad", "Kd Qd Jd Td 9d", "6d 5d 4d 3d 2d", "Ac Ad Ah As 2d"];
    each_beats_the_next(&CATFISH_BEND, &straight_flushes);
    assert_eq!(name(&CATFISH_BEND, "Jk 5h 4d 3c 2s"), "straight, five high");
    assert_eq!(name(&CATFISH_BEND, "Jk 5h 4h 3h 2h"), "straight flush, five high");
}

#[test]
fn catfish_bend_b7_ties_are_the_bankers() {
    let comparison = Comparison {
        win: "B7".into(),
        lose: "B7".into(),
        standoff: "B7".into(),
        standoff_name: "push".into(),
        copy: "B7".into(),
    };
    assert_eq!(CATFISH_BEND.comparison, comparison);
    assert_eq!(five(&CATFISH_BEND, "Kc Kd 9h 5s 2c"), five(&CATFISH_BEND, "Kh Ks 9d 5c 2d"));
    assert_eq!(two(&CATFISH_BEND, "Ac Kd"), two(&CATFISH_BEND, "Jk Ks"));
    says(&CATFISH_BEND, "B7", &["neither higher loses", "anything else pushes"]);
}

#[test]
fn catfish_bend_b8_a_win_pays_even_less_commission() {
    let commission = Commission {
        percent: 5,
        cite: "B8".into(),
        waived_by_fortune: Some(Cited { is: Cents::dollars(5), cite: "B2".into() }),
    };
    assert_eq!(CATFISH_BEND.commission, Some(commission));
    assert_eq!((&CATFISH_BEND.nine_high_push, &CATFISH_BEND.collection), (&None, &None));
    says(&CATFISH_BEND, "B8", &["1 to 1", "losses, pushes or bonuses"]);
}

#[test]
fn catfish_bend_b9_from_the_dealers_far_right() {
    let settlement = Settlement {
        start: Start::DealersRight,
        direction: Direction::CounterClockwise,
        order: vec![Wager::Standard, Wager::Fortune].into(),
        by: By::Clause("B9".into()),
    };
    assert_eq!(CATFISH_BEND.settlement, settlement);
    says(&CATFISH_BEND, "B9", &["Envy last"]);
}

#[test]
fn catfish_bend_b10_bonuses_are_the_houses() {
    let fortune = &CATFISH_BEND.fortune;
    assert_eq!((fortune.payer, &*fortune.cite), (Payer::House, "B10"));
    assert_eq!(fortune.only_above_banker, None);
    assert_eq!(CATFISH_BEND.envy.as_ref().map(|envy| envy.payer), Some(Payer::House));
    let player_banker = CATFISH_BEND.bank.player_banker.as_ref().expect("players may bank");
    assert_eq!(player_banker.may_bet_fortune, "B10");
    let without_envy: Vec<_> =
        pay_table(&CATFISH_BEND).into_iter().map(|(hand, pays, _)| (hand, pays)).collect();
    let printed = [
        (BonusHand::SevenCardStraightFlush, 8000),
        (BonusHand::RoyalMatch, 2000),
        (BonusHand::SevenCardStraightFlushJoker, 1000),
        (BonusHand::FiveAces, 400),
        (BonusHand::RoyalFlush, 150),
        (BonusHand::StraightFlush, 50),
        (BonusHand::FourOfAKind, 25),
        (BonusHand::FullHouse, 5),
        (BonusHand::Flush, 4),
        (BonusHand::ThreeOfAKind, 3),
        (BonusHand::Straight, 2),
    ];
    assert_eq!(without_envy, printed);
    hands::bonus_hands();
}

#[test]
fn catfish_bend_b11_envy_for_four_of_a_kind_or_better() {
    let envy = Envy {
        fortune_at_least: Cents::dollars(5),
        other_must_bet_fortune: false,
        positions_count_apart: true,
        none_if_banker_holds: None,
        none_with_own_straight_flush: None,
        higher_only_with_own_royal_match: None,
        payer: Payer::House,
        cite: "B11".into(),
    };
    assert_eq!(CATFISH_BEND.envy, Some(envy));
    let amounts: Vec<u64> = pay_table(&CATFISH_BEND).into_iter().map(|line| line.2).collect();
    assert_eq!(amounts, [5000, 1000, 500, 250, 50, 20, 5, 0, 0, 0, 0]);
    says(&CATFISH_BEND, "B11", &["dealer's", "player banker's", "one's own"]);
}

#[test]
fn catfish_bend_b12_payments_are_capped() {
    let cap =
        Cap { amount: Some(Cents::dollars(25_000)), beyond: Beyond::Prorated, cite: "B12".into() };
    assert_eq!(CATFISH_BEND.fortune.cap, Some(cap));
    says(&CATFISH_BEND, "B12", &["$25,000", "Envy apart"]);
}

#[test]
fn catfish_bend_b13_the_button_moves_counter_clockwise() {
    let rotation = Rotation {
        direction: Direction::CounterClockwise,
        rounds_in_a_row: 1,
        house_between: true,
        cite: "B13".into(),
    };
    let player_banker = PlayerBanker {
        covers_in_advance: "B14".into(),
        house_bets: "B15".into(),
        sets_freely: "B16".into(),
        pools: "B17".into(),
        may_bet_fortune: "B10".into(),
    };
    let bank = Bank {
        banker: Banker::HouseOrPlayer,
        rotation: Some(rotation),
        player_banker: Some(player_banker),
        sets_house_way: "B15".into(),
        cite: "B13".into(),
    };
    assert_eq!(CATFISH_BEND.bank, bank);
}

fn player_banker() -> &'static PlayerBanker {
    CATFISH_BEND.bank.player_banker.as_ref().expect("players may bank")
}

#[test]
fn catfish_bend_b14_a_player_banker_covers_every_wager() {
    assert_eq!(player_banker().covers_in_advance, "B14");
    assert_eq!(CATFISH_BEND.coverage, Coverage::InAdvance { cite: "B14".into() });
    says(&CATFISH_BEND, "B14", &["every standard wager", "the house's too"]);
}

#[test]
fn catfish_bend_b15_the_house_bets_what_the_banker_asks() {
    assert_eq!(player_banker().house_bets, "B15");
    assert_eq!(CATFISH_BEND.bank.sets_house_way, "B15");
    let ids: Vec<String> = (30..=44).map(|number| format!("B{number}")).collect();
    assert_eq!(house_way_ids(&CATFISH_BEND), ids);
    says(&CATFISH_BEND, "B15", &["last wager against it", "House Way"]);
}

#[test]
fn catfish_bend_b16_players_then_banker_then_house() {
    assert_eq!(player_banker().sets_freely, "B16");
    says(&CATFISH_BEND, "B16", &["Players set first", "a foul being set the House Way"]);
}

#[test]
fn catfish_bend_b17_losing_wagers_pay_winning_ones() {
    assert_eq!(player_banker().pools, "B17");
    says(&CATFISH_BEND, "B17", &["the house's bet first", "5 % of the net gain", "short"]);
}

#[test]
fn catfish_bend_b18_misdeals() {
    let misdeals = [
        (Incident::NotFourLeft, Remedy::CountAndRedeal, Role::Dealer),
        (Incident::SpotMissed, Remedy::Redeal, Role::Dealer),
        (Incident::FourExposed, Remedy::Redeal, Role::Dealer),
        (Incident::HandSize, Remedy::Redeal, Role::Dealer),
        (Incident::ShufflerError, Remedy::CountAndRedeal, Role::Dealer),
    ];
    assert_eq!(irregularities(&CATFISH_BEND, "B18"), misdeals);
    says(&CATFISH_BEND, "B18", &["void and dealt again"]);
}

#[test]
fn catfish_bend_b19_a_first_hand_astray_is_moved() {
    let astray = [(Incident::FirstHandAstray, Remedy::MoveHands, Role::Dealer)];
    assert_eq!(irregularities(&CATFISH_BEND, "B19"), astray);
}

#[test]
fn catfish_bend_b20_a_supervisor_reconstructs_the_bankers_hand() {
    let misset = [(Incident::BankerMisset, Remedy::Reconstruct, Role::PitSupervisor)];
    assert_eq!(irregularities(&CATFISH_BEND, "B20"), misset);
}

#[test]
fn catfish_bend_b21_nothing_is_reconstructed_once_picked_up() {
    let picked_up = [(Incident::PickedUp, Remedy::Refuse, Role::Dealer)];
    assert_eq!(irregularities(&CATFISH_BEND, "B21"), picked_up);
}

/// The conduct that a clause asks for.
fn conduct(cite: &str) -> Vec<Conduct> {
    CATFISH_BEND.conduct.iter().filter(|it| it.cite == cite).map(|it| it.is).collect()
}

#[test]
fn catfish_bend_b22_no_talk_before_hands_are_set() {
    assert_eq!(conduct("B22"), [Conduct::NoTalkBeforeSet]);
    says(&CATFISH_BEND, "B22", &["may then not set again"]);
}

#[test]
fn catfish_bend_b23_the_house_way_is_told_last() {
    assert_eq!(conduct("B23"), [Conduct::HouseWayToldLast]);
    says(&CATFISH_BEND, "B23", &["only when asked", "after all others have set"]);
}

#[test]
fn catfish_bend_b24_hands_off_the_cards() {
    assert_eq!(conduct("B24"), [Conduct::HandsOff]);
    says(&CATFISH_BEND, "B24", &["four left over are counted", "after the dealer's are shown"]);
}

#[test]
fn catfish_bend_b30_no_pair() {
    let hands = [
        ("Kc Qh 9s 6h 4c 3d 2s", "Qh 9s"),
        ("Jk Kd 9s 8c 6h 4c 2d", "Kd 9s"),
        ("Ac Kd Js 9h 7c 4d 3s", "Kd Js"),
    ];
    check_all(&CATFISH_BEND, "B30", &hands);
}

#[test]
fn catfish_bend_b31_one_pair() {
    let hands = [
        ("3c 3h Ks Jh 9c 8d 5s", "Ks Jh"),
        ("Ac Jk Kd 9s 7h 5c 3d", "Kd 9s"),
        ("2c 2d Jk Kh Qc 8s 7h", "Jk Kh"),
    ];
    check_all(&CATFISH_BEND, "B31", &hands);
}

#[test]
fn catfish_bend_b32_two_pair() {
    let hands = [
        // High with high or medium: split, an ace notwithstanding.
        ("Kc Kh Qs Qh Ac Jd 9s", "Qh Qs"),
        ("Qc Qd Jh Js Jk 9d 2h", "Jh Js"),
        ("Jc Jd 7h 7s Jk 9d 2h", "7h 7s"),
        ("Kc Kd Th Ts Ac 4d 2h", "Th Ts"),
        ("Ac Ad 8h 8s Kc 9d 4h", "8h 8s"),
        // High with low: split ...
        ("Kc Kh 2s 2h Qc 6d 4s", "2h 2s"),
        ("Jc Jd 6h 6s Kc Qd 2h", "6h 6s"),
        ("As Ah 2s 2h Kc Qd 9s", "2h 2s"),
        // ... unless an ace or the joker can go Low.
        ("Kc Kh 5s 5h Ac 6d 4s", "Ac 6d"),
        ("Jc Jd 6h 6s Jk 9d 2h", "Jk 9d"),
        // Two medium pairs: the same.
        ("Tc Th 9s 9h Kc 4d 2s", "9h 9s"),
        ("8c 8d 7h 7s Kc Qd 2h", "7h 7s"),
        ("8c 8d 7h 7s Ac Kd 2h", "Ac Kd"),
        ("Tc Td 9h 9s Jk Kd 2h", "Jk Kd"),
        // Medium with low: the same.
        ("Tc Td 6h 6s Kc 4d 3h", "6h 6s"),
        ("7c 7d 2h 2s Kc Jd 9h", "2h 2s"),
        ("Tc Td 6h 6s Ad 8c 5h", "Ad 8c"),
        ("7c 7d 2h 2s Jk Jd 9h", "Jk Jd"),
        // Two low pairs: together, ace or no ace.
        ("6c 6d 5h 5s Qc Jd 9h", "Qc Jd"),
        ("3c 3d 2h 2s 9c 8d 7h", "9c 8d"),
        ("4c 4h 2s 2h Ac Qd 7s", "Ac Qd"),
    ];
    check_all(&CATFISH_BEND, "B32", &hands);
}

#[test]
fn catfish_bend_b33_three_pair() {
    let hands = [
        ("Jc Jh 7s 7h 2c 2d 6s", "Jc Jh"),
        ("4c 4h 3s 3h 2c 2d As", "4c 4h"),
        ("As Jk 8s 8d 3h 3d 4c", "As Jk"),
    ];
    check_all(&CATFISH_BEND, "B33", &hands);
}

#[test]
fn catfish_bend_b34_three_of_a_kind() {
    let hands = [
        ("7c 7h 7s Jh 8c 4d 3s", "Jh 8c"),
        ("Kc Kd Kh As Qc 9d 2s", "As Qc"),
        ("2c 2d 2h Jk Kc 9d 7s", "Jk Kc"),
        // Three aces are split.
        ("Ac Ah As Kh Qc 9d 2s", "Ac Kh"),
        ("Ac Ad Jk 9h 7c 4s 3d", "Ac 9h"),
    ];
    check_all(&CATFISH_BEND, "B34", &hands);
}

#[test]
fn catfish_bend_b35_full_house() {
    let hands = [
        ("Kc Kh Ks 2h 2c 7d 6s", "2c 2h"),
        ("2c 2d 2h Kc Kd 9s 8h", "Kc Kd"),
        ("Ac Ad Jk 9h 9c 7d 6s", "9c 9h"),
        // No exception for twos beside ace and king here.
        ("Qc Qh Qs 2h 2c Ad Ks", "2c 2h"),
    ];
    check_all(&CATFISH_BEND, "B35", &hands);
}

#[test]
fn catfish_bend_b36_full_house_with_a_second_pair() {
    let hands = [
        ("Jc Jh Js 4h 4c 3d 3s", "Jc Jh"),
        ("4c 4d 4h Kc Kd 3h 3s", "Kc Kd"),
        ("4c 4d 4h Kc Kd 5h 5s", "Kc Kd"),
        ("Ac Ad Jk 4h 4c 3d 3s", "Ac Ad"),
    ];
    check_all(&CATFISH_BEND, "B36", &hands);
}

#[test]
fn catfish_bend_b37_complete_hand_with_no_pair_or_one() {
    let hands = [
        ("Jc Th 8s 7d 6h 5d 4c", "Jc Th"),
        ("Kh 8h 6h 5h 4h 7s 3d", "Kh 8h"),
        ("Jk 2c 3d 4h 5s Kc Td", "Kc Td"),
        ("Ac 2d 3h 4s 5c Qd Jh", "Qd Jh"),
        // The Low hand comes first: the ace goes there, although the wheel is the higher straight.
        ("As 2c 3d 4h 5s 6c Kd", "As Kd"),
        ("Ah 8h 6h 5h 4h Qc 8s", "Qc 8s"),
        ("Ah Qh 8h 6h 5h 4h 8s", "8h 8s"),
        ("Ac 2d 3h 4s 5c Jk Kd", "Ac Kd"),
    ];
    check_all(&CATFISH_BEND, "B37", &hands);
}

/// Such a hand is always set as B32 sets it, which is cited, so the rows are asked by themselves.
#[test]
fn catfish_bend_b38_complete_hand_with_two_pair() {
    for (cards, low, rows) in [
        // A pair stays Low; ace and joker are among the two pair, so both rows fit.
        ("Ac Jk 5d 5h Ks Qc Jd", "5d 5h", &["5h 5d", "5h 5d"][..]),
        ("Ah Jk 5d 5h Kh Qh 9h", "5d 5h", &["5h 5d", "5h 5d"]),
        // No pair stays Low beside the complete hand: the pair is still stronger than ace-nine.
        ("Ac Jk 9d 9h 8s 7c 6d", "9d 9h", &["9h 9d"]),
        // No pair stays Low, and no ace is paired by the joker: B32 alone.
        ("Qh Th 7h 6h 5h Tc 6s", "6h 6s", &[]),
        ("8c 8d 7h 7s 6c 5d 4h", "7h 7s", &[]),
        ("6c 6d 5h 5s 4c 3d 2h", "4c 3d", &[]),
        // No complete hand.
        ("Ac Jk 9d 9h Ks 7c 2d", "9d 9h", &[]),
    ] {
        check(&CATFISH_BEND, cards, low, "B32");
        assert_eq!(rows_that_fit(&CATFISH_BEND, "B38", cards), rows, "{cards}");
    }
    let plays: Vec<Play> = CATFISH_BEND
        .house_way
        .iter()
        .filter(|clause| clause.id == "B38")
        .map(|clause| clause.play)
        .collect();
    let stronger = Play::Stronger(Low::BeforeComplete, Low::Pair(Group::Second));
    assert_eq!(plays, [Play::Low(Low::PairBeforeComplete), stronger]);
}

#[test]
fn catfish_bend_b39_four_of_a_kind() {
    let hands = [
        // Jacks to aces: split.
        ("Jc Jd Jh Js Ah Kd 4s", "Jc Jd"),
        ("Ac Ad Ah As Kd 9c 4h", "Ac Ad"),
        ("Ac Ad Ah Jk Kd Qd 7d", "Ac Ah"),
        // Sevens to tens: split, unless an ace or the joker can go Low.
        ("7c 7h 7s 7d Qh Jd 5s", "7c 7d"),
        ("Tc Td Th Ts Kc Qd 5h", "Tc Td"),
        ("7c 7h 7s 7d Ah Jd 5s", "Ah Jd"),
        ("Tc Td Th Ts Jk Kd 5h", "Jk Kd"),
        // Twos to sixes: together.
        ("6c 6d 6h 6s Qc Jd 9h", "Qc Jd"),
        ("6c 6d 6h 6s Ac Jd 9h", "Ac Jd"),
        ("2c 2d 2h 2s 5c 4d 3h", "5c 4d"),
    ];
    check_all(&CATFISH_BEND, "B39", &hands);
}

#[test]
fn catfish_bend_b40_four_of_a_kind_and_a_pair() {
    let hands = [
        ("Qc Qh Qs Qd 2h 2d 3s", "Qc Qd"),
        ("2c 2d 2h 2s Qc Qd 5h", "Qc Qd"),
        ("8c 8d 8h 8s As Jk 3d", "As Jk"),
        // Kings are no exception here.
        ("Ac Ad Ah As Kh Kd 9s", "Ac Ad"),
    ];
    check_all(&CATFISH_BEND, "B40", &hands);
}

#[test]
fn catfish_bend_b41_four_of_a_kind_and_three_of_a_kind() {
    let hands = [
        ("Qc Qd Qh Qs 2c 2d 2h", "Qc Qd"),
        ("2c 2d 2h 2s Qc Qd Qh", "Qc Qd"),
        ("Kc Kd Kh Ks Ac Ad Jk", "Ac Ad"),
        ("Ac Ad Ah As Qc Qd Qh", "Ac Ad"),
        // Four aces and three kings.
        ("Ac Ad Ah As Kc Kd Kh", "Kc Kd"),
        ("Ac Ad Ah Jk Ks Kd Kc", "Kc Kd"),
    ];
    check_all(&CATFISH_BEND, "B41", &hands);
}

#[test]
fn catfish_bend_b42_five_aces() {
    let hands = [
        ("Ac Ad Ah As Jk Qh Qd", "Ac Ad"),
        ("Ac Ad Ah As Jk Kh Qd", "Ac Ad"),
        ("Ac Ad Ah As Jk Kh Kd", "Kd Kh"),
    ];
    check_all(&CATFISH_BEND, "B42", &hands);
}

#[test]
fn catfish_bend_b43_two_times_three_of_a_kind() {
    let hands = [
        ("Tc Th Ts 4h 4c 4d 8s", "Tc Th"),
        ("2c 2d 2h 3c 3d 3h Ks", "3c 3d"),
        ("Ac Ad Jk 9h 9c 9d 8s", "Ac Ad"),
    ];
    check_all(&CATFISH_BEND, "B43", &hands);
}

#[test]
fn catfish_bend_b44_complete_hand_with_three_of_a_kind() {
    let hands = [
        ("Tc 9h 8s 7d 6h 9d 9c", "9c 9d"),
        ("Kh Kc Kd Qh 9h 5h 2h", "Kc Kd"),
        ("Ac Ad Jk 9d 7d 4d 2d", "Ac Ad"),
        // The joker is needed in the complete hand.
        ("Ac Ad Jk Kh Qs Jc 5d", "Ac 5d"),
        ("Ac Ad Jk 9d 7d 4d 2s", "Ac 2s"),
    ];
    check_all(&CATFISH_BEND, "B44", &hands);
}

#[test]
fn catfish_bend_b45_complete_hand_with_more_than_that() {
    for (cards, low, row) in [
        ("As Jk 2s 2d 3h 3d 4c", "As Jk", "B33"),
        ("Kc Kd Qh Qs Jc Jd Jk", "Kc Kd", "B33"),
        ("Kc Kd Kh Jk As Jd Ts", "As Jk", "B35"),
        ("Ah As Jk Kc Kd Qh Jd", "Kc Kd", "B35"),
        ("Ac Ad Ah Jk Kd Qh Jc", "Ac Ad", "B39"),
    ] {
        check(&CATFISH_BEND, cards, low, row);
    }
    says(&CATFISH_BEND, "B45", &["by that row"]);
}
