//! The readings R1 to R28, each with what would be otherwise under the other reading.
//!
//! A reading of how rounds are played is checked on what a rulebook holds of it: the choice, the
//! clause cited, and which clauses rest on the reading.

mod common;

use common::{
    check, check_all, each_beats_the_next, five, is_foul, name, resting_on, rows_that_fit, says,
    two,
};
use houseway_rules::houses::{CARDROOM, CATFISH_BEND, COMMISSION_FREE, HOUSES, MBS_2016, MBS_2020};
use houseway_rules::rulebook::{
    Beyond, By, Collection, Coverage, First, Foul, Measure, Payer, Remedy, Schedule, Several, Wager,
};
use houseway_rules::{
    Card, CardSet, Cents, Dealt, HouseWay, Reading, Rulebook, Shape, Wheel, set_house_way,
};

/// Checks one hand in all five houses, by the clause of each in the order of the list.
#[track_caller]
fn check_everywhere(cards: &str, low: &str, clauses: [&str; 5]) {
    for (rulebook, clause) in HOUSES.into_iter().zip(clauses) {
        check(rulebook, cards, low, clause);
    }
}

/// The clauses that rest on a reading are these, no more and no fewer.
#[track_caller]
fn is_for(reading: Reading, clauses: &[&str]) {
    assert_eq!(resting_on(reading), clauses, "{reading}");
}

/// These clauses rest on a reading, others may.
#[track_caller]
fn is_for_at_least(reading: Reading, clauses: &[&str]) {
    let resting = resting_on(reading);
    for &clause in clauses {
        assert!(resting.iter().any(|held| held == clause), "{clause} rests on {reading}");
    }
}

#[test]
fn r1_the_cards_taken_leave_the_highest_high_hand() {
    // The ace of diamonds is left to the flush ...
    check_everywhere("Ac Ad Ah Jk Kd Qd 7d", "Ac Ah", ["A.7", "A.7", "C27", "F20", "B39"]);
    // ... and so is the king of diamonds.
    for house in [&MBS_2016, &MBS_2020] {
        check(house, "Kc Kd Ks Jk Ad 9d 5d", "Kc Ks", "A.5");
    }
    check_everywhere("Kh Kc Kd Qh 9h 5h 2h", "Kc Kd", ["A.5", "A.5", "C25", "F20", "B44"]);
    is_for_at_least(Reading::R1, &["mbs-2020 A.5", "cardroom C27", "catfish-bend B39"]);
}

#[test]
fn r1_suits_break_no_tie_beyond_that() {
    for house in HOUSES {
        assert_eq!(five(house, "Ac Kc Qc Jc 9c"), five(house, "As Ks Qs Js 9s"));
        assert_eq!(two(house, "Ac Kc"), two(house, "Ah Kd"));
    }
}

#[test]
fn r2_the_joker_makes_a_pair_of_one_ace() {
    check_everywhere("Ac Jk Kd 9s 7h 5c 3d", "Kd 9s", ["A.1", "A.1", "C21", "F21", "B31"]);
    check_everywhere("Ac Jk 9d 9h Ks Qc 3d", "9d 9h", ["A.2", "A.2", "C22", "F22", "B32"]);
    check_everywhere("As Jk 8s 8d 3h 3d 4c", "As Jk", ["A.3", "A.3", "C23", "F23", "B33"]);
}

#[test]
fn r2_the_joker_makes_three_and_four_and_five_aces() {
    check_everywhere("Ac Ad Jk 9h 7c 4s 3d", "Ac 9h", ["A.4", "A.4", "C24", "F24", "B34"]);
    check_everywhere("Ac Ad Ah Jk 9s 7c 3d", "Ac Ad", ["A.7", "A.7", "C27", "F27", "B39"]);
    check_everywhere("Ac Ad Ah As Jk Kh Qd", "Ac Ad", ["A.8", "A.8", "C29", "F29", "B42"]);
}

#[test]
fn r2_the_joker_stays_high_where_it_completes_a_hand() {
    check_everywhere("Ac Ad Jk Kh Qs Jc Td", "Ac Ad", ["A.5", "A.5", "C25", "F20", "B44"]);
    check_everywhere("Ac Ad Ah Jk Kd Qh Jc", "Ac Ad", ["A.7", "A.7", "C27", "F20", "B39"]);
    is_for_at_least(Reading::R2, &["mbs-2016 1.1.7", "mbs-2020 3.4.1.2", "cardroom C29"]);
}

#[test]
fn r3_the_highest_low_hand_before_a_complete_one() {
    let complete = ["A.5", "A.5", "C25", "F25", "B37"];
    // A straight rather than the flush, because king-eight goes Low.
    check_everywhere("Kh 8h 6h 5h 4h 7s 3d", "Kh 8h", complete);
    // A straight rather than the royal flush, because the ace goes Low.
    check_everywhere("Ah Kh Qh Jh Th 9c 2d", "Ah 2d", complete);
    // The lower of two straights.
    check_everywhere("Jc Td 9s 8h 7h 6c 5d", "Jc Td", complete);
    // A pair is a higher Low hand than ace-queen.
    let pair_low = ["A.5", "A.5", "C25", "F20", "B37"];
    check_everywhere("Ah Qh 8h 6h 5h 4h 8s", "8h 8s", pair_low);
    // The pair is broken where no complete hand is left otherwise.
    check_everywhere("Ah 8h 6h 5h 4h Qc 8s", "Qc 8s", complete);
}

#[test]
fn r3_then_the_highest_high_hand() {
    // Either nine may go Low with the two; one leaves a straight flush, the other a straight.
    let complete = ["A.5", "A.5", "C25", "F25", "B37"];
    check_everywhere("9h 9c 8h 7h 6h 5h 2s", "9c 2s", complete);
    check_everywhere("9d 9h 8h 7h 6h 5h 2s", "9d 2s", complete);
    let clauses = ["mbs-2016 A.5", "mbs-2020 A.5", "cardroom C25", "commission-free F25"];
    is_for_at_least(Reading::R3, &clauses);
    is_for_at_least(Reading::R3, &["catfish-bend B37", "catfish-bend B44"]);
}

#[test]
fn r4_a_better_card_satisfies() {
    for (house, two_pair, four) in [(&CARDROOM, "C22", "C27"), (&COMMISSION_FREE, "F22", "F27")] {
        // An ace or the joker where a king is asked for.
        let king_asked = [("8c 8d 7h 7s Ac 3d 2h", "Ac 3d"), ("8c 8d 7h 7s Jk 3d 2h", "Jk 3d")];
        check_all(house, two_pair, &king_asked);
        check_all(house, four, &[("Jc Jd Jh Js Ac 9d 4h", "Ac 9d")]);
        // A king, an ace or the joker where a queen is asked for.
        let queen_asked = [
            ("5c 5d 4h 4s Kc 9d 8h", "Kc 9d"),
            ("5c 5d 4h 4s Ac 9d 8h", "Ac 9d"),
            ("5c 5d 4h 4s Jk 9d 8h", "Jk 9d"),
        ];
        check_all(house, two_pair, &queen_asked);
        let queen_asked = [("8c 8d 8h 8s Kc Td 2h", "Kc Td"), ("8c 8d 8h 8s Ac Td 2h", "Ac Td")];
        check_all(house, four, &queen_asked);
        // A lesser one does not.
        check_all(house, two_pair, &[("8c 8d 7h 7s Qc 3d 2h", "7h 7s")]);
        check_all(house, two_pair, &[("5c 5d 4h 4s Jc 9d 8h", "4h 4s")]);
    }
    is_for_at_least(Reading::R4, &["cardroom C22", "cardroom C27"]);
    is_for_at_least(Reading::R4, &["commission-free F22", "commission-free F27"]);
}

/// Hands without end, the same ones every time.
fn pseudo_random_hands() -> impl Iterator<Item = Dealt> {
    let mut state = 20_160_526u64;
    std::iter::repeat_with(move || {
        let mut cards = CardSet::EMPTY;
        while cards.len() < 7 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let card = Card::from_index((state >> 33) as usize % Card::COUNT);
            cards = cards.with(card.expect("one of 53"));
        }
        Dealt::new(cards).expect("seven")
    })
}

#[test]
fn r5_a_house_way_never_fouls() {
    for rulebook in HOUSES {
        let quick = HouseWay::new(rulebook);
        for dealt in pseudo_random_hands().take(5000) {
            for decision in [set_house_way(rulebook, dealt), quick.set(dealt)] {
                let low = decision.setting.low();
                let fouls = dealt.set(low, rulebook.ranking());
                assert_eq!(fouls, Ok(decision.setting), "{} {dealt}", rulebook.id);
            }
        }
    }
    // Two of the three kings would be the highest pair, but would foul.
    assert!(is_foul(&CARDROOM, "Kc Kh Ks 2h 2c 7d 6s", "Kc Kh"));
    check(&CARDROOM, "Kc Kh Ks 2h 2c 7d 6s", "2c 2h", "C26");
    is_for_at_least(Reading::R5, &["mbs-2016 1.1.6", "mbs-2020 1.1.6", "cardroom C7"]);
    is_for_at_least(Reading::R5, &["commission-free F6", "catfish-bend B15"]);
}

#[test]
fn r6_money_is_whole_cents_and_never_rounded() {
    for rulebook in HOUSES {
        for limits in rulebook.wagers.iter() {
            assert_eq!(limits.step.get() % 100, 0, "{}: whole dollars", rulebook.id);
            assert!(limits.step.percent(5).is_some(), "{}: 5 % is exact", rulebook.id);
        }
    }
    for dollars in 1..=1000 {
        let commission = Cents::dollars(dollars).percent(5);
        assert_eq!(commission, Some(Cents::new(u64::from(dollars) * 5)), "${dollars}");
    }
    assert_eq!(Cents::new(10).percent(5), None, "half a cent is not rounded");
    let clauses = ["mbs-2016 3.4", "mbs-2016 4.1.1", "mbs-2020 3.5", "mbs-2020 4.1.1"];
    is_for_at_least(Reading::R6, &clauses);
    let clauses = [
        "cardroom C1",
        "commission-free F1",
        "catfish-bend B1",
        "catfish-bend B8",
        "catfish-bend B12",
    ];
    is_for_at_least(Reading::R6, &clauses);
}

#[test]
fn r7_a_foul_is_set_the_house_way_where_the_document_is_silent() {
    for (house, cite) in [(&CARDROOM, "C6"), (&COMMISSION_FREE, "F6")] {
        assert_eq!((house.foul.is, &*house.foul.cite), (Foul::HouseWay, cite));
    }
    is_for(Reading::R7, &["cardroom C6", "commission-free F6"]);
}

#[test]
fn r8_an_absent_players_hand_is_set_by_clause_or_by_policy() {
    assert_eq!(MBS_2020.absent, By::Clause("3.13.1".into()));
    for house in [&MBS_2016, &CARDROOM, &COMMISSION_FREE, &CATFISH_BEND] {
        assert_eq!(house.absent, By::TablePolicy, "{}", house.id);
    }
    let clauses =
        ["mbs-2016 3.8", "mbs-2020 3.13.1", "cardroom C6", "commission-free F6", "catfish-bend B5"];
    is_for(Reading::R8, &clauses);
}

#[test]
fn r9_only_the_2020_edition_lets_a_player_concede() {
    for house in HOUSES {
        assert_eq!(house.concession.is_some(), house.id == "mbs-2020", "{}", house.id);
    }
    is_for(Reading::R9, &["mbs-2020 3.16", "mbs-2020 3.16.1"]);
}

#[test]
fn r10_every_clause_that_voids_a_round_rests_on_it() {
    let voids = |remedy| {
        let whole = matches!(remedy, Remedy::Void | Remedy::Redeal | Remedy::CountAndRedeal);
        whole || matches!(remedy, Remedy::VoidUnlessMoved | Remedy::VoidUnlessReconstructed)
    };
    let mut voiding = Vec::new();
    for house in HOUSES {
        for it in house.irregularities.iter().filter(|it| voids(it.remedy)) {
            voiding.push(format!("{} {}", house.id, it.cite));
        }
    }
    voiding.dedup();
    assert_eq!(resting_on(Reading::R10), voiding);
    let clauses = [
        "mbs-2016 5.1",
        "mbs-2016 5.2",
        "mbs-2016 5.3",
        "mbs-2016 5.4",
        "mbs-2016 5.5",
        "mbs-2020 5.1",
        "mbs-2020 5.2",
        "mbs-2020 5.3",
        "mbs-2020 5.4",
        "mbs-2020 5.11",
        "catfish-bend B18",
    ];
    is_for(Reading::R10, &clauses);
    assert!(Reading::R10.says().contains("wager and fee"));
}

#[test]
fn r11_the_2016_edition_ranks_the_wheel_lowest() {
    assert_eq!((MBS_2016.wheel.is, &*MBS_2016.wheel.cite), (Wheel::Lowest, "3.9"));
    let straights = ["Ad Kh Qc Js Ts", "Kd Qh Jc Ts 9s", "6d 5h 4c 3s 2s", "5d 4h 3c 2s As"];
    each_beats_the_next(&MBS_2016, &straights);
    assert_eq!(name(&MBS_2016, "Jk 5h 4d 3c 2s"), "straight, six high");
    is_for(Reading::R11, &["mbs-2016 3.9"]);
}

#[test]
fn r12_a_conceded_hand_keeps_its_bonus() {
    // The bonus looks at nothing but the player's own cards, so nothing forfeits it.
    assert_eq!(MBS_2020.fortune.only_above_banker, None);
    assert_eq!(MBS_2020.fortune.payer, Payer::House);
    says(&MBS_2020, "3.16", &["loses the standard wager"]);
    is_for(Reading::R12, &["mbs-2020 1.1.3", "mbs-2020 3.16"]);
}

#[test]
fn r13_ones_own_second_position_is_not_another_player() {
    for house in [&MBS_2016, &MBS_2020] {
        let envy = house.envy.as_ref().expect("this house pays Envy");
        assert!(!envy.positions_count_apart && !envy.other_must_bet_fortune, "{}", house.id);
        says(house, &envy.cite, &["each other player's"]);
    }
    // At Catfish Bend each position counts as a player of its own.
    let envy = CATFISH_BEND.envy.as_ref().expect("this house pays Envy");
    assert!(envy.positions_count_apart);
    let several = CATFISH_BEND.seats.several_positions.as_ref().map(|several| several.is);
    assert_eq!(several, Some(Several::TwoAdjacent));
    is_for(Reading::R13, &["mbs-2016 3.18", "mbs-2020 3.23"]);
}

#[test]
fn r14_the_action_button_is_drawn_as_f5_draws_it() {
    assert!(CARDROOM.dealing.iter().all(|dealing| dealing.first == First::ActionButton));
    assert_eq!(COMMISSION_FREE.dealing[0].first, First::NumberFromBanker);
    assert!(Reading::R14.says().contains("commission-free F5"));
    is_for(Reading::R14, &["cardroom C5"]);
}

#[test]
fn r15_what_was_put_up_is_used_up() {
    for (house, clause) in [(&CARDROOM, "C10"), (&COMMISSION_FREE, "F3")] {
        assert_eq!(house.coverage, Coverage::PutUp { cite: clause.into() });
        assert_eq!(house.fortune.payer, Payer::Banker);
    }
    for house in [&MBS_2016, &MBS_2020, &CATFISH_BEND] {
        assert!(!matches!(house.coverage, Coverage::PutUp { .. }), "{}", house.id);
    }
    is_for(Reading::R15, &["cardroom C10", "commission-free F3"]);
}

#[test]
fn r16_a_bonus_that_may_not_be_paid_is_returned() {
    for house in HOUSES {
        let beaten = house.fortune.only_above_banker.as_deref();
        assert_eq!(beaten, (house.id == "cardroom").then_some("C12"), "{}", house.id);
    }
    says(&CARDROOM, "C12", &["it goes back"]);
    is_for(Reading::R16, &["cardroom C12"]);
}

#[test]
fn r17_two_of_three_may_be_the_highest_pair() {
    check(&CARDROOM, "Jc Jh Js 4h 4c 3d 3s", "Jc Jh", "C26");
    // But not where that fouls.
    check(&CARDROOM, "Kc Kh Ks 2h 2c 7d 6s", "2c 2h", "C26");
    // The row of `commission-free` reads the same; F20 takes the hand before it.
    let row = rows_that_fit(&COMMISSION_FREE, "F26", "Jc Jh Js 4h 4c 3d 3s");
    assert_eq!(row, ["Jh Jc"]);
    is_for(Reading::R17, &["cardroom C26", "commission-free F26"]);
}

#[test]
fn r18_four_with_three_of_a_kind_is_set_like_four_with_a_pair() {
    check(&CARDROOM, "Qc Qd Qh Qs 2c 2d 2h", "2c 2d", "C28");
    check(&CARDROOM, "Ac Ad Ah Jk Ks Kd Kc", "Kc Kd", "C28");
    assert_eq!(rows_that_fit(&COMMISSION_FREE, "F28", "Qc Qd Qh Qs 2c 2d 2h"), ["2d 2c"]);
    is_for(Reading::R18, &["cardroom C28", "commission-free F28"]);
}

#[test]
fn r19_tiger_nine_comes_after_the_game_wager() {
    let order = [Wager::Fortune, Wager::Standard, Wager::TigerNine];
    assert_eq!(*COMMISSION_FREE.settlement.order, order);
    says(&COMMISSION_FREE, "F7", &["Fortune Bonus, game wager, Tiger 9", "Envy last"]);
    is_for(Reading::R19, &["commission-free F7"]);
}

#[test]
fn r20_a_straight_or_better_includes_full_houses_and_four_of_a_kind() {
    let hands = [
        ("Jc Jh Js 4h 4c 3d 3s", "4c 4h"),
        ("Qc Qd Qh Qs 2c 2d 2h", "Qc Qd"),
        ("Qc Qh Qs Qd 2h 2d 3s", "2d 2h"),
        ("Ac Ad Ah As Qh Qd 9s", "Qd Qh"),
    ];
    check_all(&COMMISSION_FREE, "F20", &hands);
    // Three of a kind is not enough.
    check(&COMMISSION_FREE, "Kc Kh Ks 2h 2c 7d 6s", "2c 2h", "F26");
    is_for(Reading::R20, &["commission-free F20"]);
}

/// The collection schedules of `commission-free`.
fn schedules() -> &'static [Schedule] {
    match &COMMISSION_FREE.collection {
        Some(Collection::Schedules { schedules, .. }) => schedules,
        _ => panic!("this house collects by schedules"),
    }
}

#[test]
fn r21_the_tables_decide_what_the_player_pays() {
    // The paragraph has options 6 and 7 free for players, and the others of 5 to 28 not.
    for schedule in &schedules()[4..] {
        let fee = u32::from(matches!(schedule.option, 6 | 7));
        assert_eq!(schedule.fixed, Cents::dollars(fee), "option {}", schedule.option);
    }
    is_for(Reading::R21, &["commission-free F13"]);
}

#[test]
fn r22_options_one_to_four_go_by_each_wager() {
    assert_eq!(schedules().len(), 28);
    for schedule in schedules() {
        let by = if schedule.option <= 4 { Measure::EachWager } else { Measure::TableTotal };
        assert_eq!(schedule.measure, by, "option {}", schedule.option);
    }
    // Two wagers of $100 cost a dollar each under option 1, and not the two dollars of $200 each.
    let first = &schedules()[0];
    assert_eq!(first.banded(Cents::dollars(100)), Cents::dollars(1));
    assert_eq!(first.banded(Cents::dollars(200)), Cents::dollars(2));
    is_for(Reading::R22, &["commission-free F13"]);
}

#[test]
fn r23_fouls_are_counted_per_player() {
    for house in HOUSES {
        let counted = house.foul.is == Foul::SecondLoses;
        assert_eq!(counted, house.id == "catfish-bend", "{}", house.id);
    }
    says(&CATFISH_BEND, "B5", &["a player's first foul"]);
    assert!(Reading::R23.says().contains("for as long as they sit"));
    is_for(Reading::R23, &["catfish-bend B5"]);
}

#[test]
fn r24_a_capped_total_is_shared_in_proportion() {
    let beyond = |house: &Rulebook| house.fortune.cap.as_ref().map(|cap| cap.beyond);
    assert_eq!(beyond(&CATFISH_BEND), Some(Beyond::Prorated));
    // Where a cap is posted the rest is returned instead.
    assert_eq!(beyond(&CARDROOM), Some(Beyond::Returned));
    is_for(Reading::R24, &["catfish-bend B12"]);
}

#[test]
fn r25_two_times_three_of_a_kind_at_catfish_bend() {
    // Not like three pair, nor like a full house, which would put the lower Low.
    let hands = [("Tc Th Ts 4h 4c 4d 8s", "Tc Th"), ("2c 2d 2h 3c 3d 3h Ks", "3c 3d")];
    check_all(&CATFISH_BEND, "B43", &hands);
    is_for(Reading::R25, &["catfish-bend B43"]);
}

#[test]
fn r26_a_complete_hand_with_three_of_a_kind_at_catfish_bend() {
    // As three of a kind alone ten-eight would go Low.
    check(&CATFISH_BEND, "Tc 9h 8s 7d 6h 9d 9c", "9c 9d", "B44");
    check(&CATFISH_BEND, "Kh Kc Kd Qh 9h 5h 2h", "Kc Kd", "B44");
    is_for(Reading::R26, &["catfish-bend B44"]);
}

#[test]
fn r27_three_aces_of_which_the_joker_is_needed() {
    let joker_needed = ["A.5", "A.5", "C25", "F25", "B44"];
    // As three aces alone ace-king would go Low.
    check_everywhere("Ac Ad Jk Kh Qs Jc 5d", "Ac 5d", joker_needed);
    check_everywhere("Ac Ad Jk 9d 7d 4d 2s", "Ac 2s", joker_needed);
    let clauses = ["mbs-2016 A.5", "mbs-2020 A.5", "cardroom C25"];
    is_for_at_least(Reading::R27, &clauses);
    is_for_at_least(Reading::R27, &["commission-free F25", "catfish-bend B44"]);
}

#[test]
fn r28_the_row_that_is_played_is_cited() {
    // A flush passed over.
    check_everywhere("Qh Th 7h 6h 5h Tc 6s", "6h 6s", ["A.2", "A.2", "C22", "F22", "B32"]);
    // A straight behind two pair after all; `commission-free` cites F20 whenever it applies.
    check_everywhere("Ac Jk 5d 5h Ks Qc Jd", "5d 5h", ["A.2", "A.2", "C22", "F20", "B32"]);
    check_everywhere("As Jk 2s 2d 3h 3d 4c", "As Jk", ["A.3", "A.3", "C23", "F23", "B33"]);
    check_everywhere("Ac Ad Ah Jk Kd Qh Jc", "Ac Ad", ["A.7", "A.7", "C27", "F20", "B39"]);
    let clauses = ["mbs-2016 A.2", "mbs-2020 A.2", "cardroom C22", "commission-free F22"];
    is_for_at_least(Reading::R28, &clauses);
    is_for_at_least(Reading::R28, &["commission-free F20", "catfish-bend B32"]);
    // F20 stands first and speaks of every shape.
    let first = &COMMISSION_FREE.house_way[0];
    assert_eq!(first.id, "F20");
    assert!(Shape::ALL.into_iter().all(|shape| first.shapes.contains(shape)));
}

#[test]
fn r28_is_the_last_of_them() {
    let numbers: Vec<u8> = Reading::ALL.iter().map(|reading| reading.number()).collect();
    assert_eq!(numbers, (1..=28).collect::<Vec<u8>>());
    assert!(Reading::ALL.iter().all(|reading| !reading.says().is_empty()));
}
