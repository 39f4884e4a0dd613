//! `catfish-bend`, clause by clause: the button, the player banker's pool, fouls that count, Envy,
//! the cap on bonuses and what is done about misdeals.

mod common;

use common::{
    ACE_HIGH, ACES, DEALER, JACKS, KINGS, NOTHING, Night, TEN_HIGH, TEN_HIGH_TOO, at, cards,
    dollars, in_play, picked, plain_deck, staff, told,
};
use houseway_rules::rulebook::{Incident, Remedy, Role, Wager};
use houseway_rules::{CardSet, Cents, houses};
use houseway_table::deal::Spot;
use houseway_table::{
    Action, Actor, Bank, Call, Event, How, Offer, Person, Position, Repair, Ruling, Why, options,
};

/// Q-J-10-9-5-4-3 in no suit: nothing for the bonus either.
const NOTHING_TOO: &str = "Qd Jh Th 9d 5s 4h 3h";

/// People at the positions of the same number, $1,000 each.
fn seated(people: &[u32]) -> Night {
    let mut night = Night::new(&houses::CATFISH_BEND);
    for &person in people {
        night.seat(person, 1000);
    }
    night
}

/// Closes, deals from the banker on, has everyone set the House Way, settles.
fn play(night: &mut Night, hands: &[(Spot, &str)]) -> Vec<String> {
    night.close();
    night.deal(1, hands);
    night.set_all();
    night.reveal();
    told(&night.settle())
}

/// A round banked by the house in which one person wagers so much and nothing changes hands.
fn quiet_round(night: &mut Night, person: u32, wager: u32) {
    let before = night.stack(person);
    night.open();
    night.standard(person, wager);
    play(night, &[(at(7), JACKS), (at(person as u8), ACE_HIGH)]);
    assert_eq!(night.stack(person), before);
}

/// An amount as it is printed.
fn amount(text: &str) -> Cents {
    text.parse().expect(text)
}

fn take(put_up: u32, house_wager: u32) -> Action {
    Action::TakeBank { put_up: dollars(put_up), house_wager: dollars(house_wager) }
}

/// People 2, 4 and 6 with $1,000 each, bets open, and the button with 6, who last wagered $100
/// against the house.
fn button_at_6() -> Night {
    let mut night = seated(&[2, 4, 6]);
    quiet_round(&mut night, 6, 100);
    night.open();
    night
}

/// Closes, deals, has the players and then the banker set the House Way, settles.
fn play_against(night: &mut Night, banker: u32, hands: &[(Spot, &str)]) -> Vec<String> {
    night.close();
    night.deal(1, hands);
    night.set_all();
    let low = house_way(in_play(night).banker.dealt);
    night.must(Actor::player(banker), Action::SetBanker { low });
    told(&night.settle())
}

fn house_way(dealt: houseway_rules::Dealt) -> CardSet {
    houseway_rules::set_house_way(&houses::CATFISH_BEND, dealt).setting.low()
}

fn call(what: Incident) -> Action {
    Action::Call(Call { what, spot: None, repair: None })
}

fn swap(a: Spot, b: Spot) -> Action {
    let repair = Some(Repair::Swap(a, b));
    Action::Call(Call { what: Incident::FirstHandAstray, spot: None, repair })
}

#[test]
fn catfish_bend_b1_standard_wagers_go_in_fives_and_the_bonus_from_1_to_25() {
    let mut night = seated(&[3]);
    night.open();
    let three = Actor::player(3);
    let mut refused = |wager, amount| night.refused(three, Night::placing(3, wager, amount));
    assert_eq!(refused(Wager::Fortune, 5), "a standard wager comes first (B1)");
    for amount in [11, 12, 14, 99] {
        assert_eq!(refused(Wager::Standard, amount), "not in steps of $5 (B1)");
    }
    let events = night.place(3, 3, Wager::Standard, 15);
    assert!(matches!(&events[..], [Event::Placed { clause, .. }] if clause == "B1"));
    let mut refused = |amount| night.refused(three, Night::placing(3, Wager::Fortune, amount));
    assert_eq!(refused(26), "above the maximum of $25 (B1)");
    assert_eq!(refused(0), "an amount of nothing");
    for amount in [1, 7, 25] {
        let events = night.place(3, 3, Wager::Fortune, amount);
        assert!(matches!(&events[..], [Event::Placed { clause, .. }] if clause == "B1"));
    }
    assert_eq!(night.stack(3), dollars(1000 - 15 - 25));
    let back = Action::Withdraw { position: Position(3), wager: Wager::Standard };
    night.must(three, back);
    assert_eq!(night.stack(3), dollars(1000), "the bonus does not stay alone");
}

#[test]
fn catfish_bend_b2_five_on_the_bonus_waives_the_commission_and_carries_envy() {
    let mut night = seated(&[4, 5, 6]);
    night.open();
    for person in [4, 5, 6] {
        night.standard(person, 100);
    }
    night.fortune(6, 5);
    night.fortune(5, 4);
    let lines = play(
        &mut night,
        &[(at(7), JACKS), (at(6), ACES), (at(5), KINGS), (at(4), "8c 8d 8h 8s Td 6h 2c")],
    );
    assert_eq!(
        lines,
        [
            "6 standard win +$100 back $100 (B7 B2)",
            "6 fortune lose -$5 (B10)",
            "5 standard win +$100 back $100 commission $5 (B7 B8)",
            "5 fortune lose -$4 (B10)",
            // Eights are split without an ace: 8-8 Low, 8-8 High, one won and one lost.
            "4 standard push back $100 (B7)",
            "6 envy of 4 win +$5 (B11)",
        ]
    );
    assert_eq!(night.stack(6), dollars(1000 + 100 - 5 + 5));
    assert_eq!(night.stack(5), dollars(1000 + 100 - 5 - 4));
    assert_eq!(night.stack(4), dollars(1000));
}

#[test]
fn catfish_bend_b2_the_waiver_is_the_positions_and_not_the_players() {
    let mut night = seated(&[5]);
    night.seat_at(5, 4, 0);
    night.open();
    night.place(5, 5, Wager::Standard, 100);
    night.place(5, 5, Wager::Fortune, 5);
    night.place(5, 4, Wager::Standard, 100);
    let lines = play(&mut night, &[(at(7), JACKS), (at(5), ACES), (at(4), KINGS)]);
    assert_eq!(
        lines,
        [
            "5 standard win +$100 back $100 (B7 B2)",
            "5 fortune lose -$5 (B10)",
            "4 standard win +$100 back $100 commission $5 (B7 B8)",
        ]
    );
    assert_eq!(night.stack(5), dollars(1000 + 200 - 5 - 5));
}

#[test]
fn catfish_bend_b3_two_positions_next_to_each_other_and_no_more() {
    let mut night = seated(&[3]);
    let three = Actor::player(3);
    let sit = |position| Action::Sit { position: Position(position) };
    for apart in [1, 5, 6] {
        assert_eq!(night.refused(three, sit(apart)), "no further position may be taken (B3)");
    }
    night.must(three, sit(4));
    for third in [2, 5] {
        assert_eq!(night.refused(three, sit(third)), "no further position may be taken (B3)");
    }
    assert_eq!(night.refused(Actor::player(9), sit(7)), "there is no such position (B4)");
}

#[test]
fn catfish_bend_b3_each_hand_counts_as_a_separate_player() {
    let mut night = seated(&[3]);
    night.seat_at(3, 4, 0);
    night.open();
    for position in [3, 4] {
        night.place(3, position, Wager::Standard, 20);
        night.place(3, position, Wager::Fortune, 5);
    }
    let lines =
        play(&mut night, &[(at(7), JACKS), (at(4), TEN_HIGH), (at(3), "Kc Kd Kh Ks 9c 5c 3h")]);
    // Both hands are one person's, and still the quads of one are another's to the other.
    assert_eq!(
        lines,
        [
            "4 standard lose -$20 (B7)",
            "4 fortune lose -$5 (B10)",
            "3 standard win +$20 back $20 (B7 B2)",
            "3 fortune win +$125 back $5 (B10)",
            "4 envy of 3 win +$5 (B11)",
        ]
    );
    assert_eq!(night.stack(3), dollars(1000 - 25 + 20 + 125 + 5));
}

#[test]
fn catfish_bend_b4_the_first_hand_is_counted_counter_clockwise_from_the_banker() {
    // The house at spot 7 banks: the spots in the order in which hands reach them.
    for (number, order) in [
        (1, [7, 6, 5, 4, 3, 2, 1]),
        (2, [6, 5, 4, 3, 2, 1, 7]),
        (5, [3, 2, 1, 7, 6, 5, 4]),
        (7, [1, 7, 6, 5, 4, 3, 2]),
    ] {
        let mut night = seated(&[3, 5]);
        night.open();
        night.standard(3, 20);
        night.close();
        let deck = plain_deck();
        let events = night.must(DEALER, Action::Deal { deck: deck.clone(), number });
        let [Event::Dealt { hands, action, left_over, clause, .. }] = &events[..] else {
            panic!("{events:?}")
        };
        let wanted: Vec<(Spot, CardSet)> = order
            .iter()
            .enumerate()
            .map(|(pile, &spot)| (at(spot), picked(&deck, pile * 7..pile * 7 + 7)))
            .collect();
        assert_eq!(*hands, wanted, "number {number}");
        assert_eq!(*left_over, picked(&deck, 49..53), "four cards remain");
        assert_eq!((&**clause, *action), ("B4", None));
        let play = in_play(&night);
        assert_eq!(play.hands.keys().copied().collect::<Vec<_>>(), [Position(3)]);
        assert_eq!(play.discarded.len(), 5, "all but position 3 and the house");
        assert!(play.house.is_none(), "the house's hand is the banker's");
    }
    let mut night = seated(&[3]);
    night.open();
    night.standard(3, 20);
    night.close();
    let refusal = night.ask(DEALER, Action::Deal { deck: plain_deck(), number: 0 });
    assert_eq!(refusal.expect_err("no spot is 0").clause.as_deref(), Some("B4"));
}

#[test]
fn catfish_bend_b4_a_player_banker_is_spot_1() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.must(Actor::player(6), take(20, 0));
    night.close();
    let events = night.must(DEALER, Action::Deal { deck: plain_deck(), number: 2 });
    let [Event::Dealt { hands, .. }] = &events[..] else { panic!("{events:?}") };
    let spots: Vec<Spot> = hands.iter().map(|(spot, _)| *spot).collect();
    assert_eq!(spots, [5, 4, 3, 2, 1, 7, 6].map(at));
}

#[test]
fn catfish_bend_b4_bets_are_frozen_once_closed() {
    let mut night = seated(&[3, 5]);
    night.open();
    night.standard(3, 20);
    night.close();
    let (place, raise) =
        (Night::placing(5, Wager::Standard, 20), Night::placing(3, Wager::Standard, 40));
    let back = Action::Withdraw { position: Position(3), wager: Wager::Standard };
    for dealt in [false, true] {
        if dealt {
            night.deal(1, &[(at(7), JACKS), (at(3), ACES)]);
        }
        for (who, action) in [(5, &place), (3, &raise), (3, &back)] {
            let refusal = night.ask(Actor::player(who), action.clone()).expect_err("frozen");
            assert_eq!(refusal.why, Why::TooLate);
        }
        assert_eq!(night.stack(3), dollars(980));
        assert_eq!(night.stack(5), dollars(1000));
    }
}

#[test]
fn catfish_bend_b4_refusing_a_late_wager_names_the_clause() {
    let mut night = seated(&[3, 5]);
    night.open();
    night.standard(3, 20);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(3), ACES)]);
    let late = night.refused(Actor::player(5), Night::placing(5, Wager::Standard, 20));
    assert_eq!(late, "time is up (B4)");
    let back = Action::Withdraw { position: Position(3), wager: Wager::Standard };
    assert_eq!(night.refused(Actor::player(3), back), "time is up (B4)");
}

/// A round banked by the house in which position 3 lays aces Low, in front of king-high.
fn foul_at_3(night: &mut Night) -> (Vec<Event>, Vec<String>) {
    night.open();
    night.standard(3, 50);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(3), ACES)]);
    let events = night.set(3, "Ac Ad");
    night.reveal();
    (events, told(&night.settle()))
}

fn reset(position: u8) -> Event {
    Event::Set {
        position: Position(position),
        low: cards("Kh Qs"),
        how: How::Fouled,
        clause: Some("B5".into()),
    }
}

fn dead(position: u8) -> Event {
    Event::Dead { position: Position(position), low: cards("Ac Ad"), clause: "B5".into() }
}

const RESET_WINS: &str = "3 standard win +$50 back $50 commission $2.50 (B7 B8)";
const DEAD_LOSES: &str = "3 standard lose -$50 (B5)";

#[test]
fn catfish_bend_b5_r23_the_first_foul_is_reset_and_every_later_one_loses() {
    let mut night = seated(&[3, 5]);
    let (events, lines) = foul_at_3(&mut night);
    assert_eq!(events.last(), Some(&reset(3)));
    assert_eq!(lines, [RESET_WINS]);
    assert_eq!(night.stack(3), amount("$1,047.50"));
    // A legal hand in between forgives nothing.
    night.open();
    night.standard(3, 50);
    let lines = play(&mut night, &[(at(7), JACKS), (at(3), ACE_HIGH)]);
    assert_eq!(lines, ["3 standard push back $50 (B7)"]);
    for left in ["$997.50", "$947.50"] {
        let (events, lines) = foul_at_3(&mut night);
        assert_eq!(events.last(), Some(&dead(3)));
        assert_eq!(lines, [DEAD_LOSES], "aces would have won");
        assert_eq!(night.stack(3), amount(left));
    }
    // Another player's first foul is a first one.
    night.open();
    night.standard(5, 50);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(5), ACES)]);
    assert_eq!(night.set(5, "Ac Ad").last(), Some(&reset(5)));
}

#[test]
fn catfish_bend_b5_whoever_fouled_is_told_that_the_next_one_loses() {
    let mut night = seated(&[3]);
    for expected in [false, true, true] {
        night.open();
        night.standard(3, 50);
        night.close();
        night.deal(1, &[(at(7), JACKS), (at(3), ACES)]);
        night.must(Actor::player(3), Action::View { position: Position(3) });
        let offers = options(&night.table, Person(3), Role::Player, night.now);
        let loses = offers.iter().find_map(|offer| match offer {
            Offer::Set { foul_loses, .. } => Some(*foul_loses),
            _ => None,
        });
        assert_eq!(loses, Some(expected));
        night.set(3, "Ac Ad");
        night.reveal();
        night.settle();
    }
}

#[test]
fn catfish_bend_r23_fouls_are_counted_for_as_long_as_one_sits() {
    let mut night = seated(&[3]);
    foul_at_3(&mut night);
    night.must(Actor::player(3), Action::Leave { position: Position(3) });
    night.seat_at(3, 3, 0);
    let (events, lines) = foul_at_3(&mut night);
    assert_eq!(events.last(), Some(&reset(3)), "a new sitting starts anew");
    assert_eq!(lines, [RESET_WINS]);
}

#[test]
fn catfish_bend_r23_fouls_are_counted_by_player_over_both_positions() {
    let mut night = seated(&[3]);
    night.seat_at(3, 4, 0);
    night.open();
    night.place(3, 3, Wager::Standard, 50);
    night.place(3, 4, Wager::Standard, 50);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(4), KINGS), (at(3), ACES)]);
    let lay = |position, low: &str| Action::Set { position: Position(position), low: cards(low) };
    let first = night.must(Actor::player(3), lay(4, "Kc Kd"));
    assert!(matches!(first.last(), Some(Event::Set { how: How::Fouled, .. })));
    let second = night.must(Actor::player(3), lay(3, "Ac Ad"));
    assert_eq!(second.last(), Some(&dead(3)));
    night.reveal();
    let lines = told(&night.settle());
    let won = "4 standard win +$50 back $50 commission $2.50 (B7 B8)";
    assert_eq!(lines, [won, DEAD_LOSES]);
    assert_eq!(night.stack(3), amount("$997.50"));
}

#[test]
fn catfish_bend_r23_getting_up_from_one_of_two_positions_is_still_sitting() {
    let mut night = seated(&[3]);
    night.seat_at(3, 4, 0);
    foul_at_3(&mut night);
    night.must(Actor::player(3), Action::Leave { position: Position(4) });
    assert_eq!(foul_at_3(&mut night).1, [DEAD_LOSES]);
}

#[test]
fn catfish_bend_b6_the_wheel_is_the_second_highest_straight() {
    let wheel = "Ac 2d 3h 4s 5c Kd Qh";
    let against = |banker: &str| {
        let mut night = seated(&[3]);
        night.open();
        night.standard(3, 20);
        play(&mut night, &[(at(7), banker), (at(3), wheel)])
    };
    // K-Q Low is above 4-2 either way: the straights decide.
    let king_high = against("Kc Qd Js Th 9c 4d 2h");
    assert_eq!(king_high, ["3 standard win +$20 back $20 commission $1 (B7 B8)"]);
    let ace_high = against("As Ks Qd Js Th 4d 2h");
    assert_eq!(ace_high, ["3 standard push back $20 (B7)"]);
}

#[test]
fn catfish_bend_b7_win_lose_push_and_ties_that_are_the_bankers() {
    let mut night = seated(&[4, 5, 6]);
    night.open();
    for person in [4, 5, 6] {
        night.standard(person, 20);
    }
    let lines =
        play(&mut night, &[(at(7), JACKS), (at(6), ACES), (at(5), TEN_HIGH), (at(4), ACE_HIGH)]);
    assert_eq!(
        lines,
        [
            "6 standard win +$20 back $20 commission $1 (B7 B8)",
            "5 standard lose -$20 (B7)",
            "4 standard push back $20 (B7)",
        ]
    );
    assert_eq!(night.stack(6), dollars(1019));
    assert_eq!(night.stack(5), dollars(980));
    assert_eq!(night.stack(4), dollars(1000));

    let mut night = seated(&[4, 5, 6]);
    night.open();
    for person in [4, 5, 6] {
        night.standard(person, 20);
    }
    let lines = play(
        &mut night,
        &[
            (at(7), JACKS),
            (at(6), "Js Jh Qs Th 7h 4s 2h"),
            (at(5), "Ks Kh Qd Td 8s 5c 2d"),
            (at(4), "9s 9h Qc Ts 8d 5h 2c"),
        ],
    );
    // Both tied; one tied and one won; one tied and one lost.
    assert_eq!(
        lines,
        ["6 standard lose -$20 (B7)", "5 standard push back $20 (B7)", "4 standard lose -$20 (B7)",]
    );
}

#[test]
fn catfish_bend_b8_r6_five_per_cent_of_a_win_to_the_cent_and_of_nothing_else() {
    let mut night = seated(&[3, 4, 5, 6]);
    night.open();
    night.standard(6, 15);
    night.standard(5, 25);
    night.standard(4, 100);
    night.standard(3, 100);
    // A straight on the winner's position pays 2 to 1 without commission.
    night.fortune(5, 4);
    let lines = play(
        &mut night,
        &[
            (at(7), NOTHING),
            (at(6), ACES),
            (at(5), "9d 8d 7h 6s 5c Kd Qh"),
            // 9-7 Low, 10-high High: below both.
            (at(4), "9h 7s 6c 5h 3c 2c Ts"),
            // Q-J Low, king-high High: above both.
            (at(3), "Ks Qd Js 9s 4d 3s 2h"),
        ],
    );
    assert_eq!(
        lines,
        [
            "6 standard win +$15 back $15 commission $0.75 (B7 B8)",
            "5 standard win +$25 back $25 commission $1.25 (B7 B8)",
            "5 fortune win +$8 back $4 (B10)",
            "4 standard lose -$100 (B7)",
            "3 standard win +$100 back $100 commission $5 (B7 B8)",
        ]
    );
    assert_eq!(night.stack(6), amount("$1,014.25"));
    assert_eq!(night.stack(5), amount("$1,031.75"));
    assert_eq!(night.stack(4), dollars(900));
    assert_eq!(night.stack(3), dollars(1095));
}

#[test]
fn catfish_bend_b9_from_the_dealers_far_right_each_position_in_full_and_envy_last() {
    let mut night = seated(&[1, 3, 6]);
    night.open();
    for person in [1, 3, 6] {
        night.standard(person, 20);
        night.fortune(person, 5);
    }
    night.close();
    // Where the first hand goes does not matter to the order in which wagers are settled.
    night.deal(
        5,
        &[
            (at(7), JACKS),
            (at(1), "Kc Kd Kh Ks 9c 5h 3h"),
            (at(3), TEN_HIGH),
            (at(6), TEN_HIGH_TOO),
        ],
    );
    night.set_all();
    night.reveal();
    assert_eq!(
        told(&night.settle()),
        [
            "6 standard lose -$20 (B7)",
            "6 fortune lose -$5 (B10)",
            "3 standard lose -$20 (B7)",
            "3 fortune lose -$5 (B10)",
            "1 standard win +$20 back $20 (B7 B2)",
            "1 fortune win +$125 back $5 (B10)",
            "6 envy of 1 win +$5 (B11)",
            "3 envy of 1 win +$5 (B11)",
        ]
    );
}

#[test]
fn catfish_bend_b10_bonus_and_envy_are_the_houses_also_under_a_player_banker() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.fortune(2, 5);
    night.standard(4, 20);
    night.fortune(4, 5);
    night.must(Actor::player(6), take(40, 0));
    // The banker may bet the bonus, and nothing else.
    night.fortune(6, 10);
    let own = night.ask(Actor::player(6), Night::placing(6, Wager::Standard, 20));
    assert_eq!(own.expect_err("against oneself").why, Why::NotYours);
    let lines = play_against(
        &mut night,
        6,
        // A straight for the banker, quads at 2; both players' Low hands are higher pairs.
        &[
            (at(6), "9c 8d 7h 6s 5c 2d Kh"),
            (at(4), "Qd Qs 4h 4c Th 9d 3h"),
            (at(2), "Ac Ad Ah As Jc 4d 2h"),
        ],
    );
    assert_eq!(
        lines,
        [
            "6 fortune win +$20 back $10 (B10)",
            "4 standard push back $20 (B7)",
            "4 fortune lose -$5 (B10)",
            "2 standard push back $20 (B7)",
            "2 fortune win +$125 back $5 (B10)",
            "6 envy of 2 win +$5 (B11)",
            "4 envy of 2 win +$5 (B11)",
        ]
    );
    assert_eq!(night.stack(6), dollars(1000 + 20 + 5), "the bank has paid and taken nothing");
    assert_eq!(night.stack(4), dollars(1000 - 5 + 5));
    assert_eq!(night.stack(2), dollars(1125));
}

#[test]
fn catfish_bend_b10_b11_every_line_of_the_pay_table() {
    let table = [
        ("8c 7c 6c 5c 4c 3c 2c", 8000, 5000),
        ("As Ks Qs Js Ts Kh Qh", 2000, 1000),
        ("Jk 8c 7c 6c 5c 4c 3c", 1000, 500),
        ("Ac Ad Ah As Jk 9c 2d", 400, 250),
        ("As Ks Qs Js Ts 4d 2h", 150, 50),
        ("9h 8h 7h 6h 5h 2c Kd", 50, 20),
        ("7c 7d 7h 7s Ac Kd 2c", 25, 5),
        ("Kc Kd Kh 2c 2d 9s 7h", 5, 0),
        ("Ah Kh 9h 5h 2h Qc 7s", 4, 0),
        ("8c 8d 8h Ks Jc 5d 2h", 3, 0),
        ("9c 8d 7h 6s 5c 2d Kh", 2, 0),
    ];
    for (hand, pays, envy) in table {
        let mut night = seated(&[3, 6]);
        night.open();
        night.standard(6, 10);
        night.fortune(6, 3);
        night.standard(3, 10);
        night.fortune(3, 5);
        let lines = play(&mut night, &[(at(7), NOTHING), (at(6), hand), (at(3), NOTHING_TOO)]);
        let paid = dollars(3 * pays);
        assert_eq!(lines[1], format!("6 fortune win +{paid} back $3 (B10)"), "{hand}");
        assert_eq!(lines[3], "3 fortune lose -$5 (B10)", "{hand}");
        let envied = format!("3 envy of 6 win +{} (B11)", dollars(envy));
        let wanted = if envy == 0 { vec![] } else { vec![envied] };
        assert_eq!(lines[4..], wanted, "{hand}");
        // Q-J-10-9 wins its $10 without commission, the $5 bonus is lost, Envy comes on top.
        assert_eq!(night.stack(3), dollars(1000 + 10 - 5 + envy), "{hand}");
    }
}

#[test]
fn catfish_bend_b11_envy_for_hands_without_a_bonus_and_several_times() {
    let mut night = seated(&[3, 4, 5, 6]);
    night.open();
    for person in [3, 4, 5, 6] {
        night.standard(person, 20);
    }
    night.fortune(6, 5);
    night.fortune(4, 5);
    let lines = play(
        &mut night,
        &[
            (at(7), NOTHING),
            (at(6), NOTHING_TOO),
            // Quads without and with a bonus wager, and a flush, which nobody envies.
            (at(5), "Kc Kd Kh Ks 9c 5c 3c"),
            (at(4), "7c 7d 7h 7s Ac 2c Jc"),
            (at(3), "Ah Qh 9h 8h 6h 5h Qc"),
        ],
    );
    let envy: Vec<&String> = lines.iter().filter(|line| line.contains("envy")).collect();
    assert_eq!(
        envy,
        [
            "6 envy of 5 win +$5 (B11)",
            "6 envy of 4 win +$5 (B11)",
            // Not for their own.
            "4 envy of 5 win +$5 (B11)",
        ]
    );
}

#[test]
fn catfish_bend_b11_no_envy_for_the_dealers_or_the_player_bankers_hand() {
    let mut night = seated(&[3]);
    night.open();
    night.standard(3, 20);
    night.fortune(3, 5);
    let lines = play(&mut night, &[(at(7), "Kc Kd Kh Ks 9c 5c 3c"), (at(3), TEN_HIGH)]);
    assert_eq!(lines, ["3 standard lose -$20 (B7)", "3 fortune lose -$5 (B10)"]);

    // Quads with the banker and with the house that bets against them.
    let mut night = button_at_6();
    night.standard(2, 20);
    night.fortune(2, 5);
    night.must(Actor::player(6), take(120, 100));
    let lines = play_against(
        &mut night,
        6,
        &[(at(6), "Kc Kd Kh Ks 9c 5c 3c"), (at(7), "7c 7d 7h 7s Jc Td 3h"), (at(2), TEN_HIGH)],
    );
    assert!(!lines.iter().any(|line| line.contains("envy")), "{lines:?}");
    assert_eq!(night.stack(2), dollars(1000 - 20 - 5));
}

#[test]
fn catfish_bend_b12_r24_bonuses_over_25000_are_prorated_and_envy_stands_apart() {
    let mut night = seated(&[3, 6]);
    night.open();
    night.standard(6, 10);
    night.fortune(6, 25);
    night.standard(3, 10);
    night.fortune(3, 25);
    // Due: quads $625, a natural seven-card straight flush $200,000.
    let lines = play(
        &mut night,
        &[(at(7), NOTHING), (at(6), "Kc Kd Kh Ks 9d 5s 3h"), (at(3), "8c 7c 6c 5c 4c 3c 2c")],
    );
    // 25,000 / 200,625 of each is $77.88 and $24,922.11; the odd cent goes to the earliest.
    assert_eq!(lines[1], "6 fortune win +$77.89 back $25 (B10 B12)");
    assert_eq!(lines[3], "3 fortune win +$24,922.11 back $25 (B10 B12)");
    assert_eq!(lines[4..], ["6 envy of 3 win +$5,000 (B11)", "3 envy of 6 win +$5 (B11)"]);
    assert!(lines[0].starts_with("6 standard win +$10 "), "{lines:?}");
    assert!(lines[2].starts_with("3 standard "), "{lines:?}");
    assert_eq!(night.stack(6), amount("$6,087.89"));
}

/// The bonus lines where position 6 has $25 on a thousand to 1, the cap to the dollar, and position
/// 3 so much on a hand of its own.
fn beside_the_cap(wager: u32, hand: &str) -> [String; 2] {
    let mut night = seated(&[3, 6]);
    night.open();
    night.standard(6, 10);
    night.fortune(6, 25);
    night.standard(3, 10);
    night.fortune(3, wager);
    let lines =
        play(&mut night, &[(at(7), NOTHING), (at(6), "Jk 8c 7c 6c 5c 4c 3c"), (at(3), hand)]);
    [lines[1].clone(), lines[3].clone()]
}

const STRAIGHT: &str = "9h 8d 7h 6s 5h 2d Kh";

#[test]
fn catfish_bend_b12_the_cap_is_25000_exactly() {
    assert_eq!(
        beside_the_cap(1, NOTHING_TOO),
        ["6 fortune win +$25,000 back $25 (B10)", "3 fortune lose -$1 (B10)"]
    );
    // Ten dollars more: 25,000 / 25,010 of $25,000 and of $10, the odd cent to position 6.
    assert_eq!(
        beside_the_cap(5, STRAIGHT),
        ["6 fortune win +$24,990.01 back $25 (B10 B12)", "3 fortune win +$9.99 back $5 (B10 B12)",]
    );
}

#[test]
fn catfish_bend_b12_b8_a_prorated_bonus_of_less_than_5_is_paid_without_commission() {
    // Two dollars over the cap: 25,000 / 25,002 of $25,000 and of $2.
    assert_eq!(
        beside_the_cap(1, STRAIGHT),
        ["6 fortune win +$24,998.01 back $25 (B10 B12)", "3 fortune win +$1.99 back $1 (B10 B12)",]
    );
}

#[test]
fn catfish_bend_b12_a_single_bonus_is_capped_and_its_stake_goes_back() {
    let mut night = seated(&[3]);
    night.open();
    night.standard(3, 10);
    night.fortune(3, 25);
    let lines = play(&mut night, &[(at(7), NOTHING), (at(3), "8c 7c 6c 5c 4c 3c 2c")]);
    assert_eq!(lines[1], "3 fortune win +$25,000 back $25 (B10 B12)");
}

#[test]
fn catfish_bend_b12_a_player_bankers_own_bonus_is_under_the_same_cap() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.fortune(2, 25);
    night.must(Actor::player(6), take(20, 0));
    night.fortune(6, 25);
    let lines = play_against(
        &mut night,
        6,
        &[(at(6), "Kc Kd Kh Ks 9d 5s 3h"), (at(2), "8c 7c 6c 5c 4c 3c 2c")],
    );
    let bonuses: Vec<&String> = lines.iter().filter(|line| line.contains("fortune")).collect();
    assert_eq!(
        bonuses,
        [
            "6 fortune win +$77.89 back $25 (B10 B12)",
            "2 fortune win +$24,922.11 back $25 (B10 B12)",
        ]
    );
}

/// Who may take the bank in the round that is open: each seat asks, and nothing is applied.
fn may_bank(night: &Night) -> Vec<u32> {
    let mut able = vec![];
    for person in 1..=6 {
        let mut other = Night { table: night.table.clone(), log: vec![], now: night.now };
        if other.ask(Actor::player(person), take(10, 0)).is_ok() {
            able.push(person);
        }
    }
    able
}

#[test]
fn catfish_bend_b13_the_dealer_first_then_counter_clockwise_to_bank_or_pass() {
    let mut night = seated(&[2, 4, 6]);
    // Nobody takes it: the dealer, 6, 4, 2 and the dealer again, past the empty positions.
    for (round, able) in [&[][..], &[6], &[4], &[2], &[], &[6]].into_iter().enumerate() {
        night.open();
        assert_eq!(may_bank(&night), able, "round {}", round + 1);
        let refused = night.refused(Actor::player(if able == [4] { 6 } else { 4 }), take(10, 0));
        assert_eq!(refused, "the bank is not offered to you (B13)");
        night.standard(2, 20);
        play(&mut night, &[(at(7), JACKS), (at(2), ACE_HIGH)]);
    }
}

#[test]
fn catfish_bend_b13_after_a_players_turn_the_dealer_has_one() {
    let mut night = button_at_6();
    let events = night.must(Actor::player(6), take(50, 0));
    let [Event::BankTaken { bank, clause, .. }] = &events[..] else { panic!("{events:?}") };
    assert!(matches!(bank, Bank::Player { position: Position(6), .. }));
    assert_eq!(clause, "B13");
    night.standard(2, 20);
    play_against(&mut night, 6, &[(at(6), JACKS), (at(2), ACE_HIGH)]);
    // One round is the dealer's, whoever asks; the next is for 4.
    night.open();
    assert!(may_bank(&night).is_empty());
    night.standard(2, 20);
    play(&mut night, &[(at(7), JACKS), (at(2), ACE_HIGH)]);
    night.open();
    assert_eq!(may_bank(&night), [4]);
}

#[test]
fn catfish_bend_b13_after_the_last_players_turn_the_dealer_has_one_and_no_more() {
    let mut night = seated(&[2, 6]);
    quiet_round(&mut night, 2, 20);
    // 6 passes, 2 banks, the dealer has one round.
    quiet_round(&mut night, 2, 20);
    night.open();
    night.must(Actor::player(2), take(50, 0));
    night.standard(6, 20);
    play_against(&mut night, 2, &[(at(2), JACKS), (at(6), ACE_HIGH)]);
    quiet_round(&mut night, 2, 20);
    night.open();
    assert_eq!(may_bank(&night), [6], "then it goes on to the next player");
}

/// Someone who sits down where the button would have come by first takes nobody's bank away.
#[test]
fn catfish_bend_b13_whoever_took_the_bank_has_it_for_the_round() {
    let mut night = seated(&[2, 4]);
    quiet_round(&mut night, 2, 20);
    night.open();
    night.must(Actor::player(4), take(50, 0));
    night.seat(6, 1000);
    let refused = night.refused(Actor::player(6), take(60, 0));
    assert_eq!(refused, "the bank is not offered to you (B13)");
    night.must(Actor::player(4), take(60, 0));
    assert_eq!([4, 6].map(|person| night.stack(person)), [dollars(940), dollars(1000)]);
}

#[test]
fn catfish_bend_b14_the_banker_covers_every_standard_wager_and_the_houses() {
    let mut night = button_at_6();
    night.standard(2, 200);
    night.standard(4, 100);
    night.fortune(4, 25);
    let six = Actor::player(6);
    let refused = night.refused(six, take(399, 100));
    assert_eq!(refused, "the bank covers $399, and $400 would be needed (B14)");
    assert_eq!(
        night.refused(six, take(1001, 100)),
        "$1,001 is needed, fees included, and $1,000 is there"
    );
    assert_eq!(night.stack(6), dollars(1000));
    // The bonus is the house's and needs no cover.
    night.must(six, take(400, 100));
    assert_eq!(night.stack(6), dollars(600));
    // What comes later must be covered as well.
    let raise = night.refused(Actor::player(2), Night::placing(2, Wager::Standard, 205));
    assert_eq!(raise, "the bank covers $400, and $405 would be needed (B14)");
    night.must(six, take(405, 100));
    assert_eq!(night.stack(6), dollars(595), "instead of the $400, not beside them");
    night.standard(2, 205);
}

#[test]
fn catfish_bend_b14_who_cannot_cover_may_not_bank() {
    let mut night = seated(&[2, 4]);
    night.seat(6, 100);
    quiet_round(&mut night, 2, 20);
    night.open();
    night.standard(2, 60);
    night.standard(4, 60);
    let refused = night.refused(Actor::player(6), take(100, 0));
    assert_eq!(refused, "the bank covers $100, and $120 would be needed (B14)");
    // The house banks, and 6 may wager like anyone.
    night.standard(6, 20);
    let hands = [(at(7), JACKS), (at(6), TEN_HIGH), (at(4), ACES), (at(2), ACE_HIGH)];
    let lines = play(&mut night, &hands);
    assert_eq!(lines[0], "6 standard lose -$20 (B7)");
    assert_eq!(night.stack(6), dollars(80));
}

#[test]
fn catfish_bend_b15_the_house_bets_at_most_the_last_wager_against_it() {
    let mut night = button_at_6();
    let six = Actor::player(6);
    let refused = night.refused(six, take(500, 105));
    assert_eq!(refused, "the house wagers at most $100 against you (B15)");
    night.must(six, take(500, 100));

    // The last wager, not the highest; one against a player banker is none against the house.
    let mut night = seated(&[4, 6]);
    quiet_round(&mut night, 4, 200);
    night.open();
    night.standard(4, 300);
    night.must(Actor::player(6), take(300, 0));
    play_against(&mut night, 6, &[(at(6), JACKS), (at(4), ACE_HIGH)]);
    quiet_round(&mut night, 4, 50);
    night.open();
    let refused = night.refused(Actor::player(4), take(500, 55));
    assert_eq!(refused, "the house wagers at most $50 against you (B15)");
    night.must(Actor::player(4), take(500, 50));

    // Who never wagered against the house cannot ask it to bet.
    let mut night = seated(&[2, 6]);
    quiet_round(&mut night, 2, 100);
    night.open();
    let refused = night.refused(Actor::player(6), take(500, 5));
    assert_eq!(refused, "the house wagers at most $0 against you (B15)");
}

#[test]
fn catfish_bend_b15_b16_players_then_the_banker_then_the_house_by_the_house_way() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.must(Actor::player(6), take(120, 100));
    night.close();
    night.deal(1, &[(at(6), ACES), (at(7), "Kc Kd 4h 4s Ah 9d 2h"), (at(2), TEN_HIGH)]);
    let six = Actor::player(6);
    let lay = Action::SetBanker { low: cards("9c 5d") };
    let early = night.ask(six, lay.clone()).expect_err("players set first");
    assert_eq!(early.why, Why::NotSet);
    night.set_all();
    let reveal = night.refused(DEALER, Action::Reveal { low: None });
    assert_eq!(reveal, "that is someone else's (B16)");
    let other = night.ask(Actor::player(2), lay.clone()).expect_err("not the banker");
    assert_eq!(other.why, Why::NotYours);
    // Any legal way: 9-5 Low is not the House Way.
    let events = night.must(six, lay);
    let banker = Event::BankerSet { low: cards("9c 5d"), clause: "B16".into(), until: None };
    // Kings with fours and a single ace: kept together.
    let house = Event::HouseSet { low: cards("Ah 9d"), clause: "B32".into() };
    assert_eq!(events, [banker, house]);
    assert_eq!(
        told(&night.settle()),
        [
            // A-9 Low above 9-5, kings and fours above aces; 9-8 is above 9-5 Low, 10-high below.
            "7 house win +$100 back $100 (B7 B17)",
            "2 standard push back $20 (B7)",
        ]
    );
    assert_eq!(night.stack(6), dollars(900));
}

#[test]
fn catfish_bend_b16_a_bankers_foul_is_set_the_house_way() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.must(Actor::player(6), take(20, 0));
    night.close();
    night.deal(1, &[(at(6), ACES), (at(2), JACKS)]);
    night.set_all();
    let events = night.must(Actor::player(6), Action::SetBanker { low: cards("Ac Ad") });
    assert!(matches!(events[0], Event::BankerSet { low, .. } if low == cards("Kh Qs")));
    assert_eq!(
        told(&night.settle()),
        ["2 standard lose -$20 (B7)", "6 commission push commission $1 (B17 B8)"]
    );
    assert_eq!(night.stack(6), dollars(1019));
}

#[test]
fn catfish_bend_b16_refusing_a_banker_who_sets_first_names_the_clause() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.must(Actor::player(6), take(20, 0));
    night.close();
    night.deal(1, &[(at(6), ACES), (at(2), JACKS)]);
    let refused = night.refused(Actor::player(6), Action::SetBanker { low: cards("Kh Qs") });
    assert_eq!(refused, "not every hand is set (B16)");
}

#[test]
fn catfish_bend_b17_winners_are_paid_from_the_pool() {
    let mut night = button_at_6();
    night.standard(2, 100);
    night.standard(4, 60);
    night.must(Actor::player(6), take(200, 40));
    let lines = play_against(
        &mut night,
        6,
        &[(at(6), JACKS), (at(7), ACES), (at(4), KINGS), (at(2), TEN_HIGH)],
    );
    assert_eq!(
        lines,
        [
            // The house's hand first, and no commission from the house to itself.
            "7 house win +$40 back $40 (B7 B17)",
            "4 standard win +$60 back $60 commission $3 (B7 B8)",
            "2 standard lose -$100 (B7)",
        ]
    );
    // A hundred in the pool pays forty and sixty: nothing is gained, nothing is owed.
    assert_eq!(night.stack(6), dollars(1000));
    assert_eq!(night.stack(4), dollars(1057));
    assert_eq!(night.stack(2), dollars(900));
    assert_eq!(night.table.money(), dollars(3000 - 40 - 3));
}

#[test]
fn catfish_bend_b17_the_banker_pays_five_per_cent_of_the_net_gain_only() {
    let mut night = button_at_6();
    night.standard(2, 105);
    night.standard(4, 60);
    night.must(Actor::player(6), take(200, 20));
    night.fortune(6, 4);
    let lines = play_against(
        &mut night,
        6,
        &[(at(6), JACKS), (at(7), TEN_HIGH_TOO), (at(4), KINGS), (at(2), TEN_HIGH)],
    );
    assert_eq!(
        lines,
        [
            "7 house lose -$20 (B7 B17)",
            "6 fortune lose -$4 (B10)",
            "4 standard win +$60 back $60 commission $3 (B7 B8)",
            "2 standard lose -$105 (B7)",
            // 20 and 105 less 60: 5 % of 65. The lost bonus makes the gain no smaller.
            "6 commission push commission $3.25 (B17 B8)",
        ]
    );
    assert_eq!(night.stack(6), amount("$1,057.75"));
}

#[test]
fn catfish_bend_b17_b2_five_on_the_bonus_waives_the_bankers_commission() {
    let mut night = button_at_6();
    night.standard(2, 100);
    night.must(Actor::player(6), take(100, 0));
    night.fortune(6, 5);
    let lines = play_against(&mut night, 6, &[(at(6), JACKS), (at(2), TEN_HIGH)]);
    assert_eq!(
        lines,
        ["6 fortune lose -$5 (B10)", "2 standard lose -$100 (B7)", "6 commission push (B17 B2)"]
    );
    assert_eq!(night.stack(6), dollars(1000 + 100 - 5));
}

#[test]
fn catfish_bend_b17_a_shortfall_is_the_bankers_to_pay() {
    let mut night = button_at_6();
    night.standard(2, 100);
    night.standard(4, 60);
    night.must(Actor::player(6), take(260, 100));
    let lines = play_against(
        &mut night,
        6,
        &[(at(6), JACKS), (at(7), ACES), (at(4), TEN_HIGH), (at(2), KINGS)],
    );
    assert_eq!(
        lines,
        [
            "7 house win +$100 back $100 (B7 B17)",
            "4 standard lose -$60 (B7)",
            "2 standard win +$100 back $100 commission $5 (B7 B8)",
        ]
    );
    assert_eq!(night.stack(6), dollars(1000 - 200 + 60));
    assert_eq!(night.stack(2), dollars(1095));
    assert!(night.log.iter().any(
        |event| matches!(event, Event::BankReturned { amount, .. } if *amount == dollars(120))
    ));
}

#[test]
fn catfish_bend_b17_the_house_pushes_and_takes_its_wager_back() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.must(Actor::player(6), take(120, 100));
    let lines =
        play_against(&mut night, 6, &[(at(6), JACKS), (at(7), ACE_HIGH), (at(2), TEN_HIGH)]);
    assert_eq!(
        lines,
        [
            "7 house push back $100 (B7 B17)",
            "2 standard lose -$20 (B7)",
            "6 commission push commission $1 (B17 B8)",
        ]
    );
    assert_eq!(night.stack(6), dollars(1019));
}

#[test]
fn catfish_bend_b17_the_commission_comes_out_of_the_winnings() {
    let mut night = button_at_6();
    night.standard(2, 100);
    // Everything is in the bank: the $5 can only come out of what it wins.
    night.must(Actor::player(6), take(1000, 0));
    let lines = play_against(&mut night, 6, &[(at(6), JACKS), (at(2), TEN_HIGH)]);
    assert_eq!(lines, ["2 standard lose -$100 (B7)", "6 commission push commission $5 (B17 B8)"]);
    assert_eq!(night.stack(6), dollars(1095));
}

const MISDEALS: [(Incident, Remedy); 5] = [
    (Incident::NotFourLeft, Remedy::CountAndRedeal),
    (Incident::SpotMissed, Remedy::Redeal),
    (Incident::FourExposed, Remedy::Redeal),
    (Incident::HandSize, Remedy::Redeal),
    (Incident::ShufflerError, Remedy::CountAndRedeal),
];

#[test]
fn catfish_bend_b18_r10_a_misdeal_voids_the_round_and_everything_goes_back() {
    for (what, remedy) in MISDEALS {
        // The deck is counted to 53 for the first and the last.
        let rule = houses::CATFISH_BEND.irregularities.iter().find(|it| it.what == what);
        assert_eq!(rule.map(|it| it.remedy), Some(remedy), "{what}");
        let mut night = button_at_6();
        night.standard(2, 20);
        night.fortune(2, 5);
        night.standard(4, 60);
        night.must(Actor::player(6), take(200, 100));
        night.fortune(6, 7);
        night.close();
        night.deal(1, &[(at(6), JACKS), (at(4), KINGS), (at(2), TEN_HIGH)]);
        assert_eq!(night.stack(6), dollars(793));
        let refused = night.refused(Actor::player(2), call(what));
        assert_eq!(refused, "that takes a dealer or higher (B18)");
        let events = night.must(DEALER, call(what));
        let [Event::Voided { clause, why, .. }] = &events[..] else { panic!("{events:?}") };
        assert_eq!((&**clause, why), ("B18", &what.to_string()));
        for person in [2, 4, 6] {
            assert_eq!(night.stack(person), dollars(1000), "{what}, person {person}");
        }
        // The cards stay in the record, nothing can be settled, and it is dealt again: the button
        // is where it was.
        assert!(night.log.iter().any(|event| matches!(event, Event::Dealt { .. })));
        let settle = night.ask(DEALER, Action::Settle).expect_err("void");
        assert_eq!(settle.why, Why::NotNow);
        night.open();
        assert_eq!(may_bank(&night), [6]);
        night.standard(2, 20);
        night.must(Actor::player(6), take(20, 0));
        let lines = play_against(&mut night, 6, &[(at(6), JACKS), (at(2), KINGS)]);
        assert_eq!(lines, ["2 standard win +$20 back $20 commission $1 (B7 B8)"]);
    }
}

#[test]
fn catfish_bend_b18_three_cards_exposed_are_no_misdeal() {
    let mut night = seated(&[3]);
    night.open();
    night.standard(3, 20);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(3), ACES)]);
    let refused = night.refused(DEALER, call(Incident::TwoExposed));
    assert_eq!(refused, "the rulebook has no such irregularity");
    // Play goes on.
    night.set_all();
    night.reveal();
    let lines = told(&night.settle());
    assert_eq!(lines, ["3 standard win +$20 back $20 commission $1 (B7 B8)"]);
}

#[test]
fn catfish_bend_b18_a_settled_round_is_not_voided() {
    let mut night = seated(&[3]);
    quiet_round(&mut night, 3, 20);
    for (what, _) in MISDEALS {
        assert_eq!(night.ask(DEALER, call(what)).expect_err("over").why, Why::NotNow);
    }
}

#[test]
fn catfish_bend_b19_hands_that_went_astray_are_moved_and_play_goes_on() {
    let mut night = seated(&[3, 4]);
    night.open();
    night.standard(3, 20);
    night.standard(4, 40);
    night.close();
    // Dealt to 4 is what belongs at 3, and the other way round.
    night.deal(1, &[(at(7), JACKS), (at(4), TEN_HIGH), (at(3), ACES)]);
    let nothing = night.refused(DEALER, call(Incident::FirstHandAstray));
    assert_eq!(nothing, "say whose hand it is about (B19)");
    let refused = night.refused(Actor::player(3), swap(at(3), at(4)));
    assert_eq!(refused, "that takes a dealer or higher (B19)");
    let events = night.must(DEALER, swap(at(3), at(4)));
    assert_eq!(events, [Event::Swapped { a: at(3), b: at(4), clause: "B19".into() }]);
    night.set_all();
    night.reveal();
    assert_eq!(
        told(&night.settle()),
        ["4 standard win +$40 back $40 commission $2 (B7 B8)", "3 standard lose -$20 (B7)",]
    );
}

#[test]
fn catfish_bend_b19_nothing_is_moved_once_cards_were_looked_at() {
    let mut night = seated(&[3, 4]);
    night.open();
    night.standard(3, 20);
    night.standard(4, 40);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(4), TEN_HIGH), (at(3), ACES)]);
    night.must(Actor::player(4), Action::View { position: Position(4) });
    assert_eq!(night.refused(DEALER, swap(at(3), at(4))), "a player has handled the cards (B19)");
}

#[test]
fn catfish_bend_b19_the_houses_hand_is_moved_as_well() {
    let mut night = seated(&[3]);
    night.open();
    night.standard(3, 20);
    night.close();
    // The deal names the house's spot as 7, so a call about it does too.
    night.deal(1, &[(at(7), ACES), (at(3), JACKS)]);
    night.must(DEALER, swap(at(3), at(7)));
    let play = in_play(&night);
    assert_eq!(play.banker.dealt.cards(), cards(JACKS));
    assert_eq!(play.hands[&Position(3)].dealt.cards(), cards(ACES));
}

#[test]
fn catfish_bend_b19_a_hand_at_a_spot_without_a_wager_is_moved_as_well() {
    let mut night = seated(&[3, 4]);
    night.open();
    night.standard(3, 20);
    night.close();
    // What belongs at 3 went to 4, where nobody wagered.
    night.deal(1, &[(at(7), JACKS), (at(4), ACES), (at(3), TEN_HIGH)]);
    night.must(DEALER, swap(at(3), at(4)));
    assert_eq!(in_play(&night).hands[&Position(3)].dealt.cards(), cards(ACES));
    assert!(in_play(&night).discarded.contains(&(at(4), cards(TEN_HIGH))));
}

#[test]
fn catfish_bend_b19_the_houses_hand_is_not_moved_for_anothers() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.must(Actor::player(6), take(120, 100));
    night.close();
    night.deal(1, &[(at(6), JACKS), (at(7), TEN_HIGH), (at(4), KINGS), (at(2), ACES)]);
    // 4 sits there without a wager. Whether that hand can be moved or not, the house's stays.
    let _ = night.ask(DEALER, swap(at(2), at(4)));
    let house = in_play(&night).house.expect("the house plays");
    assert_eq!(house.dealt.cards(), cards(TEN_HIGH));
    assert_ne!(in_play(&night).hands[&Position(2)].dealt.cards(), cards(TEN_HIGH));
}

fn misset(spot: Spot) -> Action {
    Action::Call(Call { what: Incident::BankerMisset, spot: Some(spot), repair: None })
}

/// Position 2 with jacks against the banker at 6, who laid aces with 9-5 Low.
fn banker_set_low() -> Night {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.must(Actor::player(6), take(20, 0));
    night.close();
    night.deal(1, &[(at(6), ACES), (at(2), JACKS)]);
    night.set(2, "7c 4h");
    night.must(Actor::player(6), Action::SetBanker { low: cards("9c 5d") });
    night
}

#[test]
fn catfish_bend_b20_a_supervisor_reconstructs_the_player_bankers_hand() {
    let mut night = banker_set_low();
    assert_eq!(night.refused(DEALER, misset(at(6))), "that takes a pit supervisor or higher (B20)");
    let supervisor = staff(Role::PitSupervisor);
    let no_spot = night.refused(supervisor, call(Incident::BankerMisset));
    assert_eq!(no_spot, "say whose hand it is about (B20)");
    let events = night.must(supervisor, misset(at(6)));
    let reset = Event::Reset { spot: at(6), low: cards("Kh Qs"), clause: "B20".into() };
    assert_eq!(events, [reset]);
    let again = night.refused(supervisor, misset(at(6)));
    assert_eq!(again, "no House Way there is set wrong (B20)");
    assert_eq!(
        told(&night.settle()),
        ["2 standard lose -$20 (B7)", "6 commission push commission $1 (B17 B8)"]
    );
}

/// The way the banker meant it, where that is known: any legal setting but the one that lies there.
#[test]
fn catfish_bend_b20_a_hand_is_reconstructed_as_the_banker_meant_it() {
    let meant = |low: &str| {
        let repair = Some(Repair::Lay(cards(low)));
        Action::Call(Call { what: Incident::BankerMisset, spot: Some(at(6)), repair })
    };
    let supervisor = staff(Role::PitSupervisor);
    let mut night = banker_set_low();
    let refused = night.refused(DEALER, meant("Kh 9c"));
    assert_eq!(refused, "that takes a pit supervisor or higher (B20)");
    for (low, words) in [
        ("Ac Ad", "that would be a foul"),
        ("Kh Jc", "a card is not in the hand"),
        ("Kh", "two cards go Low"),
        ("9c 5d", "that is so already (B20)"),
    ] {
        assert_eq!(night.refused(supervisor, meant(low)), words);
    }
    let reset = Event::Reset { spot: at(6), low: cards("Kh 9c"), clause: "B20".into() };
    assert_eq!(night.must(supervisor, meant("Kh 9c")), [reset]);
    assert_eq!(in_play(&night).banker.low, Some(cards("Kh 9c")));
    // Hands do not change places for it.
    let repair = Some(Repair::Swap(at(6), at(2)));
    let swap = Action::Call(Call { what: Incident::BankerMisset, spot: Some(at(6)), repair });
    assert_eq!(night.refused(supervisor, swap), "it is not put right like that (B20)");
}

/// Before the hand is shown, an answer tells nobody what is in it.
#[test]
fn catfish_bend_b20_tells_no_card_before_the_showing() {
    let mut night = button_at_6();
    night.standard(2, 20);
    night.must(Actor::player(6), take(20, 0));
    night.close();
    night.deal(1, &[(at(6), ACES), (at(2), JACKS)]);
    for low in ["Kh 9c", "Ac Ad", "Jc Jd", "Kh"] {
        let repair = Some(Repair::Lay(cards(low)));
        let lay = Action::Call(Call { what: Incident::BankerMisset, spot: Some(at(6)), repair });
        let refused = night.refused(staff(Role::PitSupervisor), lay);
        assert_eq!(refused, "not at this moment of the round (B20)");
    }
}

/// The house's own hand is set by the sheet and is nobody's to mean otherwise.
#[test]
fn catfish_bend_b20_is_not_about_the_dealers_hand() {
    let mut night = seated(&[2]);
    night.open();
    night.standard(2, 20);
    night.close();
    night.deal(1, &[(at(2), ACES), (at(7), JACKS)]);
    night.set_all();
    night.reveal();
    let repair = Some(Repair::Lay(cards("7c 4h")));
    let lay = Action::Call(Call { what: Incident::BankerMisset, spot: Some(at(7)), repair });
    let refused = night.refused(staff(Role::PitSupervisor), lay);
    assert_eq!(refused, "that is someone else's (B20)");
}

#[test]
fn catfish_bend_b20_a_manager_may_do_it_too() {
    for role in [Role::PitManager, Role::GamingShiftManager] {
        let mut night = banker_set_low();
        night.must(staff(role), misset(at(6)));
    }
}

#[test]
fn catfish_bend_b20_it_is_about_the_player_bankers_hand_alone() {
    let mut night = banker_set_low();
    let before = in_play(&night).hands[&Position(2)].low;
    let other = night.ask(staff(Role::PitSupervisor), misset(at(2)));
    assert!(other.is_err(), "7-4 Low is how the player laid it: {other:?}");
    assert_eq!(in_play(&night).hands[&Position(2)].low, before);
}

#[test]
fn catfish_bend_b21_nothing_is_reconstructed_once_cards_are_picked_up() {
    let mut night = banker_set_low();
    let refused = night.refused(DEALER, call(Incident::PickedUp));
    assert_eq!(refused, "time is up (B21)");
    night.settle();
    let money = [2, 6].map(|person| night.stack(person));
    for role in [Role::Dealer, Role::PitSupervisor, Role::GamingShiftManager] {
        let refused = night.refused(staff(role), call(Incident::PickedUp));
        assert_eq!(refused, "time is up (B21)");
    }
    let late = night.ask(staff(Role::PitSupervisor), misset(at(6))).expect_err("over");
    assert_eq!(late.why, Why::NotNow);
    assert_eq!([2, 6].map(|person| night.stack(person)), money);
}

#[test]
fn catfish_bend_b22_a_hand_that_is_set_stays_set() {
    let mut night = seated(&[3, 4]);
    night.open();
    night.standard(3, 20);
    night.standard(4, 20);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(4), TEN_HIGH), (at(3), ACES)]);
    night.set(3, "5d 3h");
    // Another is still thinking, and whatever is learnt from them comes too late.
    let again = Action::Set { position: Position(3), low: cards("Kh Qs") };
    for action in [again, Action::SetHouseWay { position: Position(3) }] {
        let refusal = night.ask(Actor::player(3), action).expect_err("set");
        assert_eq!(refusal.why, Why::AlreadySet);
    }
    // Nor does one set another's.
    let others = Action::Set { position: Position(4), low: cards("9h 8d") };
    let refusal = night.ask(Actor::player(3), others).expect_err("another's");
    assert_eq!(refusal.why, Why::NotYours);
    night.set_all();
    night.reveal();
    assert_eq!(
        told(&night.settle()),
        ["4 standard lose -$20 (B7)", "3 standard push back $20 (B7)"]
    );
}

#[test]
fn catfish_bend_b22_refusing_to_set_again_names_the_clause() {
    let mut night = seated(&[3]);
    night.open();
    night.standard(3, 20);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(3), ACES)]);
    night.set(3, "5d 3h");
    let again = Action::Set { position: Position(3), low: cards("Kh Qs") };
    assert_eq!(night.refused(Actor::player(3), again), "the hand is set (B22)");
}

#[test]
fn catfish_bend_b23_the_house_way_is_told_only_after_all_others_have_set() {
    let mut night = seated(&[3, 5]);
    night.seat_at(3, 4, 0);
    night.open();
    night.place(3, 3, Wager::Standard, 20);
    night.place(3, 4, Wager::Standard, 20);
    night.standard(5, 20);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(5), TEN_HIGH), (at(4), KINGS), (at(3), ACES)]);
    let three = Actor::player(3);
    let ask = Action::AskHouseWay { position: Position(3) };
    let refused = night.refused(three, ask.clone());
    assert_eq!(refused, "only after all others have set (B23)");
    night.set(5, "9h 8d");
    // One's own second hand is no other player's.
    let events = night.must(three, ask);
    let advice =
        Event::HouseWayTold { position: Position(3), low: cards("Kh Qs"), clause: "B31".into() };
    assert_eq!(events.last(), Some(&advice));
    // Advice binds nobody, and is told to nobody else.
    assert_eq!(in_play(&night).hands[&Position(3)].low, None);
    let others = night.ask(Actor::player(5), Action::AskHouseWay { position: Position(3) });
    assert_eq!(others.expect_err("another's").why, Why::NotYours);
    night.set(3, "9c 5d");
}

/// People 3, 4 and 5 with $20 each against the house, and hands that are set as King and Queen, Ace
/// and Queen, and 9-8 Low.
fn three_thinking(time: Option<u64>) -> Night {
    let mut night = Night::with(&houses::CATFISH_BEND, |posted| posted.time.setting = time);
    for person in [3, 4, 5] {
        night.seat(person, 1000);
    }
    night.open();
    for person in [3, 4, 5] {
        night.standard(person, 20);
    }
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(5), TEN_HIGH), (at(4), KINGS), (at(3), ACES)]);
    night
}

fn leave_it(position: u8) -> Action {
    Action::SetHouseWay { position: Position(position) }
}

fn set_by_the_sheet(position: u8, low: &str, clause: &'static str) -> Event {
    let (position, low) = (Position(position), cards(low));
    Event::Set { position, low, how: How::HouseWay, clause: Some(clause.into()) }
}

/// Two who both want the House Way do not wait for each other: what is left to the dealer is set as
/// soon as everyone else has set.
#[test]
fn catfish_bend_b23_a_hand_left_to_the_dealer_is_set_once_all_others_are() {
    let mut night = three_thinking(None);
    let left = night.must(Actor::player(3), leave_it(3));
    let kept = Event::LeftToDealer { position: Position(3), clause: "B23".into() };
    assert_eq!(left.last(), Some(&kept));
    assert_eq!(in_play(&night).hands[&Position(3)].low, None, "5 and 4 still think");
    // The next one leaves theirs as well: nothing happens before the last has set.
    night.must(Actor::player(4), leave_it(4));
    let events = night.set(5, "9h 8d");
    let set = [set_by_the_sheet(3, "Kh Qs", "B31"), set_by_the_sheet(4, "Ah Qc", "B31")];
    assert_eq!(events[events.len() - 2..], set);
    night.reveal();
    assert_eq!(night.settle().len(), 3);
}

/// When all leave theirs, nobody is left to wait for.
#[test]
fn catfish_bend_b23_all_may_leave_their_hands_to_the_dealer() {
    let mut night = three_thinking(None);
    night.must(Actor::player(5), leave_it(5));
    night.must(Actor::player(3), leave_it(3));
    // 4 is the last one: the House Way could be told now, and is taken.
    night.must(Actor::player(4), Action::AskHouseWay { position: Position(4) });
    night.must(Actor::player(4), leave_it(4));
    assert!(in_play(&night).hands.values().all(|hand| hand.low.is_some()));
}

#[test]
fn catfish_bend_b23_a_hand_left_to_the_dealer_is_handed_over() {
    let mut night = three_thinking(None);
    night.must(Actor::player(3), leave_it(3));
    let over = "the hand is left to the dealer to set (B23)";
    let position = Position(3);
    for action in [
        Action::Set { position, low: cards("Kh Qs") },
        leave_it(3),
        Action::AskHouseWay { position },
        Action::View { position },
    ] {
        assert_eq!(night.refused(Actor::player(3), action), over);
    }
    // Nor does the dealer set it before its turn.
    assert_eq!(night.refused(DEALER, leave_it(3)), over);
    assert_eq!(night.refused(DEALER, Action::Reveal { low: None }), "not every hand is set (B15)");
}

/// Whatever it was that a hand waited for: one who is absent, one whose time is up, one whose hand
/// goes out.
#[test]
fn catfish_bend_b23_the_dealer_waits_for_hands_in_play_only() {
    let left = |time| {
        let mut night = three_thinking(time);
        night.must(Actor::player(3), leave_it(3));
        night.set(4, "9d 5h");
        night
    };
    let set = set_by_the_sheet(3, "Kh Qs", "B31");
    let mut night = left(None);
    assert_eq!(night.must(DEALER, leave_it(5)).last(), Some(&set), "absent");
    let mut night = left(Some(100));
    night.now = 101;
    let events = night.must(DEALER, Action::TimeUp);
    assert_eq!(events[1], set, "after the one who did not set in time: {events:?}");
    let mut night = left(None);
    let ruling = Ruling::HandOut(Position(5));
    let rule = Action::Rule { ruling, reason: "a drink on the cards".into() };
    let events = night.must(staff(Role::GamingShiftManager), rule);
    assert_eq!(events.last(), Some(&set), "out");
}

/// A banking player's own time begins once the hands left to the dealer are set.
#[test]
fn catfish_bend_b23_b16_the_banker_sets_after_hands_left_to_the_dealer() {
    let mut night = Night::with(&houses::CATFISH_BEND, |posted| posted.time.setting = Some(100));
    for person in [2, 4, 6] {
        night.seat(person, 1000);
    }
    quiet_round(&mut night, 6, 100);
    night.open();
    night.standard(2, 20);
    night.standard(4, 20);
    night.must(Actor::player(6), take(40, 0));
    night.close();
    night.deal(1, &[(at(6), JACKS), (at(4), KINGS), (at(2), ACES)]);
    night.must(Actor::player(2), leave_it(2));
    let early = Action::SetBanker { low: cards("7c 4h") };
    assert_eq!(night.refused(Actor::player(6), early.clone()), "not every hand is set (B16)");
    night.now = 60;
    let events = night.set(4, "9d 5h");
    let turn = Event::BankersTurn { until: Some(160) };
    assert_eq!(events[events.len() - 2..], [set_by_the_sheet(2, "Kh Qs", "B31"), turn]);
    night.must(Actor::player(6), early);
}

#[test]
fn catfish_bend_b24_hands_off_before_the_count_and_after_the_showing() {
    let mut night = seated(&[3]);
    night.open();
    night.standard(3, 20);
    night.close();
    let touching = |low: &str| {
        let position = Position(3);
        [Action::View { position }, Action::Set { position, low: cards(low) }]
    };
    for action in touching("Kh Qs") {
        let refusal = night.ask(Actor::player(3), action).expect_err("not dealt");
        assert_eq!(refusal.why, Why::NotNow);
    }
    let events = night.deal(1, &[(at(7), JACKS), (at(3), ACES)]);
    let [Event::Dealt { left_over, .. }] = &events[..] else { panic!("{events:?}") };
    assert_eq!(left_over.len(), 4, "counted with the deal");
    night.set(3, "5d 3h");
    night.reveal();
    for action in touching("Kh Qs") {
        let refusal = night.ask(Actor::player(3), action).expect_err("shown");
        assert_eq!(refusal.why, Why::NotNow);
    }
    assert_eq!(told(&night.settle()), ["3 standard push back $20 (B7)"], "as it lay");
}

#[test]
fn catfish_bend_b24_refusing_to_touch_cards_names_the_clause() {
    let mut night = seated(&[3]);
    night.open();
    night.standard(3, 20);
    night.close();
    night.deal(1, &[(at(7), JACKS), (at(3), ACES)]);
    night.set(3, "5d 3h");
    night.reveal();
    let touch = Action::Set { position: Position(3), low: cards("Kh Qs") };
    assert_eq!(night.refused(Actor::player(3), touch), "not at this moment of the round (B24)");
}

#[test]
fn catfish_bend_r6_wagers_and_banks_are_whole_dollars() {
    let mut night = button_at_6();
    let place = Action::Place {
        position: Position(2),
        wager: Wager::Standard,
        amount: amount("$10.50"),
        person: None,
    };
    assert_eq!(night.refused(Actor::player(2), place), "$10.50 is not whole dollars (R6)");
    let bank = Action::TakeBank { put_up: amount("$10.01"), house_wager: Cents::ZERO };
    assert_eq!(night.refused(Actor::player(6), bank), "$10.01 is not whole dollars (R6)");
}

#[test]
fn catfish_bend_r8_absent_players_and_an_absent_banker_are_set_the_house_way() {
    let mut night = Night::with(&houses::CATFISH_BEND, |posted| posted.time.setting = Some(60));
    for person in [2, 6] {
        night.seat(person, 1000);
    }
    quiet_round(&mut night, 6, 100);
    night.open();
    night.standard(2, 20);
    night.must(Actor::player(6), take(120, 100));
    night.close();
    night.deal(1, &[(at(6), JACKS), (at(7), TEN_HIGH), (at(2), ACES)]);
    night.now = 61;
    let late = Action::Set { position: Position(2), low: cards("5d 3h") };
    assert_eq!(night.refused(Actor::player(2), late), "time is up");
    let events = night.must(DEALER, Action::TimeUp);
    let absent = Event::Set {
        position: Position(2),
        low: cards("Kh Qs"),
        how: How::Absent,
        clause: Some("table policy".into()),
    };
    // B16: the banker sets last, and has time of their own for it.
    assert_eq!(events, [absent, Event::BankersTurn { until: Some(121) }]);
    night.now = 121;
    assert_eq!(night.refused(DEALER, Action::TimeUp), "time is not up");
    night.now = 122;
    let events = night.must(DEALER, Action::TimeUp);
    assert!(matches!(events[0], Event::BankerSet { low, .. } if low == cards("Qh Tc")));
    assert!(matches!(events[1], Event::HouseSet { low, .. } if low == cards("9h 8d")));
    assert_eq!(
        told(&night.settle()),
        [
            "7 house lose -$100 (B7 B17)",
            "2 standard win +$20 back $20 commission $1 (B7 B8)",
            "6 commission push commission $4 (B17 B8)",
        ]
    );
    assert_eq!(night.stack(6), dollars(1000 + 80 - 4));
}

/// B16: a player who sets at the last moment does not take the banker's time.
#[test]
fn catfish_bend_b16_the_banker_has_time_of_their_own() {
    let mut night = Night::with(&houses::CATFISH_BEND, |posted| posted.time.setting = Some(60));
    for person in [2, 6] {
        night.seat(person, 1000);
    }
    quiet_round(&mut night, 6, 100);
    night.open();
    night.standard(2, 20);
    night.must(Actor::player(6), take(120, 0));
    night.close();
    night.deal(1, &[(at(6), JACKS), (at(2), ACES)]);
    night.now = 60;
    night.set(2, "Kh Qs");
    night.now = 120;
    night.must(Actor::player(6), Action::SetBanker { low: cards("7c 4h") });
}

/// R8: the dealer sets the hand of someone who is not there, also where no time is posted.
#[test]
fn catfish_bend_r8_the_dealer_sets_for_the_absent() {
    let mut night = seated(&[2]);
    night.open();
    night.standard(2, 20);
    night.close();
    night.deal(1, &[(at(2), ACES), (at(7), JACKS)]);
    let position = Position(2);
    let events = night.must(DEALER, Action::SetHouseWay { position });
    let clause = Some("table policy".into());
    assert_eq!(events, [Event::Set { position, low: cards("Kh Qs"), how: How::Absent, clause }]);
}

/// The house's wager is one like any other: in steps of $5.
#[test]
fn catfish_bend_b1_holds_for_the_houses_wager_too() {
    let mut night = button_at_6();
    let refused = night.refused(Actor::player(6), take(500, 7));
    assert_eq!(refused, "not in steps of $5 (B1)");
}

/// Each position counts as a player of its own (B3): what was wagered at the one that banks counts.
#[test]
fn catfish_bend_b15_b3_the_last_wager_is_that_of_the_banking_position() {
    let mut night = seated(&[6]);
    night.seat_at(6, 5, 0);
    night.open();
    night.standard(6, 10);
    night.place(6, 5, Wager::Standard, 100);
    night.close();
    night.deal(1, &[]);
    night.set_all();
    night.reveal();
    night.settle();
    night.open();
    let refused = night.refused(Actor::player(6), take(500, 15));
    assert_eq!(refused, "the house wagers at most $10 against you (B15)");
    night.must(Actor::player(6), take(500, 10));
}

/// A banker and the house alone make a round.
#[test]
fn catfish_bend_b15_b17_the_house_alone_wagers_against_the_banker() {
    let mut night = seated(&[6]);
    quiet_round(&mut night, 6, 100);
    let before = night.stack(6);
    night.open();
    night.must(Actor::player(6), take(500, 100));
    night.close();
    night.deal(1, &[(at(6), ACES), (at(7), JACKS)]);
    night.must(Actor::player(6), Action::SetBanker { low: cards("Kh Qs") });
    let lines = night.settle();
    assert_eq!(lines[0].taken, dollars(100), "the house loses its wager");
    assert_eq!(lines[1].commission, dollars(5), "on the net gain");
    assert_eq!(night.stack(6), before.plus(dollars(95)).expect("money"));
}
