//! `cardroom`, clause by clause: the Designated Player's bank, the rake, the Action button, the
//! Fortune Bonus that must beat the banker's.

mod common;

use common::{
    ACE_HIGH, ACES, DEALER, JACKS, KINGS, NOTHING, Night, TEN_HIGH, TEN_HIGH_TOO, at, cards,
    dollars, finish, in_play, picked, plain_deck, told,
};
use houseway_rules::rulebook::{Device, Incident, Role, Wager};
use houseway_rules::{CardSet, Cents, houses};
use houseway_table::deal::Spot;
use houseway_table::fees::Fee;
use houseway_table::view::{Onlooker, view};
use houseway_table::{
    Action, Actor, Call, Event, How, Person, Phase, Position, Posted, Range, Setup, Why,
};

/// People 1 to 4 with $500 each; person 1 is the Designated Player with so much.
fn banked(put_up: u32) -> Night {
    let mut night = Night::new(&houses::CARDROOM);
    for person in 1..=4 {
        night.seat(person, 500);
    }
    night.open();
    night.bank(1, put_up);
    night
}

/// Closes, deals with the Action button at seat 2, has everyone set the House Way, settles.
fn play(night: &mut Night, hands: &[(Spot, &str)]) -> Vec<String> {
    night.close();
    night.deal(2, hands);
    finish(night)
}

/// Money is neither made nor lost but by what the house takes.
fn assert_money(night: &Night, total: u32) {
    assert_eq!(night.table.money(), dollars(total), "all the money at the table");
}

#[test]
fn cardroom_c1_a_game_wager_comes_first_and_both_keep_to_the_posted_limits() {
    let mut night = Night::with(&houses::CARDROOM, |posted| {
        posted.standard = Range { minimum: dollars(20), maximum: dollars(200) };
        posted.fortune = Range { minimum: dollars(2), maximum: dollars(30) };
    });
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.bank(1, 100);
    let two = Actor::player(2);
    let mut refused = |wager, amount| night.refused(two, Night::placing(2, wager, amount));
    assert_eq!(refused(Wager::Fortune, 5), "a standard wager comes first (C1)");
    assert_eq!(refused(Wager::Standard, 19), "below the minimum of $20 (C1)");
    assert_eq!(refused(Wager::Standard, 201), "above the maximum of $200 (C1)");
    assert_eq!(refused(Wager::TigerNine, 5), "there is no such bet, or nothing on it");
    let events = night.place(2, 2, Wager::Standard, 20);
    assert!(matches!(&events[..], [Event::Placed { clause, .. }] if clause == "C1"));
    let mut refused = |amount| night.refused(two, Night::placing(2, Wager::Fortune, amount));
    assert_eq!(refused(1), "below the minimum of $2 (C1)");
    assert_eq!(refused(31), "above the maximum of $30 (C1)");
    // The bonus may be more than the game wager: only the limits bind it.
    let events = night.place(2, 2, Wager::Fortune, 30);
    assert!(matches!(&events[..], [Event::Placed { clause, .. }] if clause == "C1"));
    assert_eq!(night.stack(2), dollars(450));
    // A raise takes the place of what lay there.
    night.standard(2, 200);
    assert_eq!(night.stack(2), dollars(270));
}

#[test]
fn cardroom_c1_a_withdrawn_game_wager_takes_the_bonus_with_it() {
    let mut night = banked(100);
    night.standard(2, 50);
    night.fortune(2, 10);
    night
        .must(Actor::player(2), Action::Withdraw { position: Position(2), wager: Wager::Standard });
    assert_eq!(night.stack(2), dollars(500));
    assert_eq!(night.refused(DEALER, Action::CloseBets), "nobody has wagered");
}

#[test]
fn cardroom_c1_nobody_wagers_against_their_own_bank() {
    let mut night = banked(100);
    for wager in [Wager::Standard, Wager::Fortune] {
        let why = night.ask(Actor::player(1), Night::placing(1, wager, 20)).expect_err("refused");
        assert_eq!(why.why, Why::NotYours);
    }
    assert_eq!(night.stack(1), dollars(400));
}

#[test]
fn cardroom_c2_the_designated_player_pays_the_posted_rake_before_the_cards() {
    let mut night = Night::with(&houses::CARDROOM, |posted| posted.rake = dollars(7));
    for person in [1, 2, 3] {
        night.seat(person, 500);
    }
    night.open();
    night.bank(1, 100);
    night.standard(2, 40);
    night.standard(3, 40);
    let events = night.close();
    let rake = Event::FeeTaken { person: Person(1), amount: dollars(7), clause: "C2".into() };
    assert_eq!(events, [Event::BetsClosed, rake], "taken before anything is dealt, once");
    assert_eq!(night.stack(1), dollars(500 - 100 - 7));
    assert_eq!(night.stack(2), dollars(460), "players pay none");
    night.deal(2, &[(at(1), JACKS), (at(2), ACES), (at(3), TEN_HIGH)]);
    let lines = finish(&mut night);
    assert_eq!(lines, ["2 standard win +$40 back $40 (C8)", "3 standard lose -$40 (C8)"]);
    // Whoever comes later still sees who banked and what it cost.
    let past = view(&night.table, Onlooker::Spectator, 0).last.expect("a round was played");
    let fee = Fee { person: Person(1), amount: dollars(7), clause: "C2".into() };
    assert_eq!((past.bank.position(), past.fees), (Some(Position(1)), vec![fee]));
    // The rake is beside the amount put up, and stays paid when the bank breaks even.
    assert_eq!(night.stack(1), dollars(493));
    assert_money(&night, 1500 - 7);
}

#[test]
fn cardroom_c2_the_rake_must_be_there_beside_the_bank() {
    let mut night = Night::with(&houses::CARDROOM, |posted| posted.rake = dollars(7));
    night.seat(1, 100);
    night.open();
    let take = |put_up| Action::TakeBank { put_up: dollars(put_up), house_wager: Cents::ZERO };
    let refused = night.refused(Actor::player(1), take(94));
    assert_eq!(refused, "$101 is needed, fees included, and $100 is there");
    night.must(Actor::player(1), take(93));
    assert_eq!(night.stack(1), dollars(7));
}

#[test]
fn cardroom_c2_the_rake_cannot_be_carried_off_before_bets_close() {
    let mut night = banked(499);
    night.standard(2, 50);
    assert_eq!(night.stack(1), dollars(1), "the rake and nothing else");
    let carried = night.ask(Actor::player(1), Action::TakeMoney { amount: dollars(1) });
    assert!(carried.is_err(), "the dollar is spoken for");
    let events = night.close();
    let rake = Event::FeeTaken { person: Person(1), amount: dollars(1), clause: "C2".into() };
    assert_eq!(events[1], rake);
}

#[test]
fn cardroom_c3_seven_piles_of_seven_clockwise_from_the_action_button() {
    let mut night = banked(100);
    night.standard(2, 50);
    night.standard(4, 50);
    night.close();
    let deck = plain_deck();
    // 4 counts three places on from the Designated Player at seat 1.
    let events = night.must(DEALER, Action::Deal { deck: deck.clone(), number: 4 });
    let [Event::Dealt { hands, action, left_over, clause, number, .. }] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!((*action, &**clause, *number), (Some(Position(4)), "C3", 4));
    let seats = [4, 5, 6, 7, 1, 2, 3];
    let piles: Vec<(Spot, CardSet)> = seats
        .iter()
        .enumerate()
        .map(|(pile, &seat)| (at(seat), picked(&deck, pile * 7..pile * 7 + 7)))
        .collect();
    assert_eq!(*hands, piles);
    assert_eq!(*left_over, picked(&deck, 49..53), "four cards are left over");
    let play = in_play(&night);
    let discarded: Vec<Spot> = play.discarded.iter().map(|(spot, _)| *spot).collect();
    assert_eq!(discarded, [at(5), at(6), at(7), at(3)], "seat 3 sits there without a wager");
    assert_eq!(play.hands.keys().copied().collect::<Vec<_>>(), [Position(2), Position(4)]);
    assert_eq!(play.banker.dealt.cards(), picked(&deck, 28..35));
}

#[test]
fn cardroom_c4_by_hand_the_piles_are_laid_back_and_forth() {
    let mut night =
        Night::with(&houses::CARDROOM, |posted: &mut Posted| posted.device = Device::Manual);
    night.seat(3, 500);
    night.seat(6, 500);
    night.open();
    night.bank(3, 100);
    night.standard(6, 50);
    night.close();
    let deck = plain_deck();
    let events = night.must(DEALER, Action::Deal { deck: deck.clone(), number: 2 });
    let [Event::Dealt { hands, action, left_over, clause, .. }] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!((*action, &**clause), (Some(Position(4)), "C4"));
    let spots: Vec<Spot> = hands.iter().map(|(spot, _)| *spot).collect();
    assert_eq!(spots, [4, 5, 6, 7, 1, 2, 3].map(at));
    // Left to right, right to left, four and three times: where the cards of each pile come from.
    assert_eq!(hands[0].1, picked(&deck, [0, 13, 14, 27, 28, 41, 42]));
    assert_eq!(hands[2].1, picked(&deck, [2, 11, 16, 25, 30, 39, 44]));
    assert_eq!(hands[3].1, picked(&deck, [3, 10, 17, 24, 31, 38, 45]));
    assert_eq!(hands[6].1, picked(&deck, [6, 7, 20, 21, 34, 35, 48]));
    assert_eq!(*left_over, picked(&deck, 49..53));
}

#[test]
fn cardroom_c5_r14_the_button_is_drawn_from_1_to_21_and_never_the_designated_players() {
    for number in 1..=21 {
        let mut night = Night::new(&houses::CARDROOM);
        night.seat(5, 500);
        night.seat(1, 500);
        night.open();
        // The offer goes clockwise from seat 1, which declines.
        night.must(Actor::player(1), Action::DeclineBank);
        night.bank(5, 100);
        night.standard(1, 50);
        night.close();
        night.must(DEALER, Action::Deal { deck: plain_deck(), number });
        // Seats on from 5; where the number names the Designated Player, the next one has it.
        let wanted = match number % 7 {
            1 | 2 => 6,
            3 => 7,
            4 => 1,
            5 => 2,
            6 => 3,
            _ => 4,
        };
        let play = in_play(&night);
        assert_eq!(play.action, Some(Position(wanted)), "number {number}");
        let [first, ..] = play.discarded[..] else { panic!("five piles are unused") };
        if wanted != 1 {
            assert_eq!(first.0, at(wanted), "the first pile goes to the button, number {number}");
        }
    }
}

#[test]
fn cardroom_c5_other_numbers_are_refused() {
    let mut night = banked(100);
    night.standard(2, 50);
    night.close();
    for number in [0, 22] {
        let refused = night.refused(DEALER, Action::Deal { deck: plain_deck(), number });
        assert_eq!(refused, "the number is from 1 to 21 (C5)");
    }
}

#[test]
fn cardroom_c6_r7_every_foul_is_set_the_house_way_and_never_dead() {
    let mut night = banked(300);
    // Twice running: the document knows no second foul that loses.
    for round in 0..2 {
        if round == 1 {
            night.open();
            // The offer has moved on to seat 2, who is to foul.
            for person in [2, 3, 4] {
                night.must(Actor::player(person), Action::DeclineBank);
            }
            night.bank(1, 300);
        }
        let before = night.stack(2);
        night.standard(2, 50);
        night.close();
        night.deal(2, &[(at(1), JACKS), (at(2), ACES)]);
        // A pair of aces in front of king-high.
        let events = night.set(2, "Ac Ad");
        let set = events.last().expect("an event");
        let house_way = Event::Set {
            position: Position(2),
            low: cards("Kh Qs"),
            how: How::Fouled,
            clause: Some("C6".into()),
        };
        assert_eq!(*set, house_way);
        night.reveal();
        assert_eq!(told(&night.settle()), ["2 standard win +$50 back $50 (C8)"]);
        assert_eq!(night.stack(2), before.plus(dollars(50)).expect("countable"));
    }
}

#[test]
fn cardroom_c6_two_cards_of_ones_own_go_in_front() {
    let mut night = banked(100);
    night.standard(2, 50);
    night.close();
    night.deal(2, &[(at(1), JACKS), (at(2), ACES)]);
    let two = Actor::player(2);
    let mut set =
        |low: &str| night.refused(two, Action::Set { position: Position(2), low: cards(low) });
    assert_eq!(set("Kh"), "two cards go Low");
    assert_eq!(set("Kh Qs 9c"), "two cards go Low");
    assert_eq!(set("Kh Jc"), "a card is not in the hand");
    // A legal hand is played as laid, however weak.
    let events = night.set(2, "5d 3h");
    assert!(matches!(events.last(), Some(Event::Set { how: How::Laid, clause: None, .. })));
    night.reveal();
    assert_eq!(told(&night.settle()), ["2 standard push back $50 (C8)"]);
}

#[test]
fn cardroom_c7_the_designated_players_hand_is_set_the_house_way() {
    let mut night = banked(100);
    night.standard(2, 50);
    night.close();
    // Kings and fours: always split.
    night.deal(2, &[(at(1), "Kc Kd 4h 4s Ac 9d 2h"), (at(2), TEN_HIGH)]);
    let own = night.refused(Actor::player(1), Action::SetBanker { low: cards("Ac 9d") });
    assert_eq!(own, "that is someone else's (C7)");
    assert_eq!(night.refused(DEALER, Action::Reveal { low: None }), "not every hand is set (C7)");
    night.set_all();
    let events = night.reveal();
    let shown = Event::BankerSet { low: cards("4h 4s"), clause: "C22".into(), until: None };
    assert_eq!(events, [shown]);
    assert_eq!(told(&night.settle()), ["2 standard lose -$50 (C8)"]);
}

#[test]
fn cardroom_c7_the_dealer_sets_it_no_other_way() {
    let mut night = banked(100);
    night.standard(2, 50);
    night.close();
    night.deal(2, &[(at(1), "Kc Kd 4h 4s Ac 9d 2h"), (at(2), TEN_HIGH)]);
    night.set_all();
    // A-9 in front is legal, but not the House Way; the document has no way to correct it later.
    let other = night.ask(DEALER, Action::Reveal { low: Some(cards("Ac 9d")) });
    let refusal = other.expect_err("not the House Way");
    assert_eq!(refusal.clause.as_deref(), Some("C7"));
    night.must(DEALER, Action::Reveal { low: Some(cards("4h 4s")) });
}

#[test]
fn cardroom_c8_win_lose_and_push_at_even_money_without_commission() {
    let mut night = banked(500 - 1);
    night.standard(2, 100);
    night.standard(3, 70);
    night.standard(4, 30);
    let lines =
        play(&mut night, &[(at(1), JACKS), (at(2), ACES), (at(3), TEN_HIGH), (at(4), ACE_HIGH)]);
    assert_eq!(
        lines,
        [
            "2 standard win +$100 back $100 (C8)",
            "3 standard lose -$70 (C8)",
            "4 standard push back $30 (C8)",
        ]
    );
    assert_eq!(night.stack(1), dollars(500 - 1 - 100 + 70));
    assert_eq!(night.stack(2), dollars(600));
    assert_eq!(night.stack(3), dollars(430));
    assert_eq!(night.stack(4), dollars(500));
    assert_money(&night, 2000 - 1);
}

#[test]
fn cardroom_c8_copies_are_the_designated_players() {
    let mut night = banked(300);
    for person in [2, 3, 4] {
        night.standard(person, 50);
    }
    let lines = play(
        &mut night,
        &[
            (at(1), JACKS),
            // Both copied.
            (at(2), "Js Jh Qs Th 7h 4s 2h"),
            // The Low hand copied, the High hand higher.
            (at(3), "Ks Kh Qd Td 8s 5c 2d"),
            // The Low hand copied, the High hand lower.
            (at(4), "9s 9h Qc Ts 8d 5h 2c"),
        ],
    );
    assert_eq!(
        lines,
        ["2 standard lose -$50 (C8)", "3 standard push back $50 (C8)", "4 standard lose -$50 (C8)",]
    );
    assert_eq!(night.stack(1), dollars(499 + 100));
    assert_eq!(night.stack(3), dollars(500));
}

#[test]
fn cardroom_c9_seats_clockwise_from_the_button_the_game_wager_before_the_bonus() {
    let mut night = banked(400);
    for person in [2, 3, 4] {
        night.standard(person, 20);
        night.fortune(person, 5);
    }
    night.close();
    // The button at seat 3: 3, 4, then on past the Designated Player to 2.
    night.deal(3, &[(at(1), JACKS), (at(2), ACES), (at(3), TEN_HIGH), (at(4), ACE_HIGH)]);
    let lines = finish(&mut night);
    assert_eq!(
        lines,
        [
            "3 standard lose -$20 (C8)",
            "3 fortune lose -$5 (C11)",
            "4 standard push back $20 (C8)",
            "4 fortune lose -$5 (C11)",
            "2 standard win +$20 back $20 (C8)",
            "2 fortune lose -$5 (C11)",
        ]
    );
    assert_eq!(night.stack(1), dollars(499 + 15));
}

#[test]
fn cardroom_c10_a_losing_wager_beyond_the_amount_goes_back_in_part() {
    let mut night = banked(100);
    night.standard(2, 60);
    night.standard(3, 60);
    night.standard(4, 60);
    let lines = play(
        &mut night,
        &[
            (at(1), JACKS),
            (at(2), TEN_HIGH),
            (at(3), TEN_HIGH_TOO),
            (at(4), "Th 9d 7d 6c 4c 3d 2h"),
        ],
    );
    assert_eq!(
        lines,
        [
            "2 standard lose -$60 (C8)",
            "3 standard lose -$40 back $20 (C8 C10)",
            "4 standard lose back $60 (C8 C10)",
        ]
    );
    assert_eq!(night.stack(1), dollars(499 + 100), "no more than was put up is won");
    assert_eq!(night.stack(2), dollars(440));
    assert_eq!(night.stack(3), dollars(460));
    assert_eq!(night.stack(4), dollars(500));
    assert_money(&night, 2000 - 1);
}

#[test]
fn cardroom_c10_a_winning_wager_is_paid_as_far_as_the_amount_reaches() {
    let mut night = banked(100);
    night.standard(2, 70);
    night.standard(3, 70);
    night.standard(4, 70);
    let lines = play(
        &mut night,
        &[(at(1), JACKS), (at(2), ACES), (at(3), KINGS), (at(4), "8c 8d 8h As Ks 6d 2c")],
    );
    assert_eq!(
        lines,
        [
            "2 standard win +$70 back $70 (C8)",
            "3 standard win +$30 back $70 (C8 C10)",
            "4 standard win back $70 (C8 C10)",
        ]
    );
    assert_eq!(night.stack(1), dollars(499 - 100), "no more than was put up is lost");
    assert_eq!(night.stack(2), dollars(570));
    assert_eq!(night.stack(3), dollars(530));
    assert_eq!(night.stack(4), dollars(500));
}

#[test]
fn cardroom_c10_r15_winnings_of_the_round_do_not_extend_the_amount() {
    let mut night = banked(100);
    night.standard(2, 60);
    night.standard(3, 60);
    let lines = play(&mut night, &[(at(1), JACKS), (at(2), TEN_HIGH), (at(3), ACES)]);
    // Sixty are used up by winning them; forty are left to pay with.
    assert_eq!(lines, ["2 standard lose -$60 (C8)", "3 standard win +$40 back $60 (C8 C10)"]);
    assert_eq!(night.stack(1), dollars(499 + 20));
    assert_eq!(night.stack(3), dollars(540));
}

#[test]
fn cardroom_c10_r15_pushes_use_nothing_up() {
    let mut night = banked(60);
    night.standard(2, 100);
    night.standard(3, 60);
    let lines = play(&mut night, &[(at(1), JACKS), (at(2), ACE_HIGH), (at(3), ACES)]);
    assert_eq!(lines, ["2 standard push back $100 (C8)", "3 standard win +$60 back $60 (C8)"]);
    assert_eq!(night.stack(1), dollars(499 - 60));
}

#[test]
fn cardroom_c10_the_amount_covers_the_bonus_in_its_turn() {
    let mut night = banked(100);
    night.standard(2, 10);
    night.fortune(2, 20);
    night.standard(3, 50);
    night.fortune(3, 5);
    let lines = play(
        &mut night,
        // A flush pays 4 to 1, of which the game wager before it has left $90 at most.
        &[(at(1), NOTHING), (at(2), "Ah Kh 9h 5h 2h Qc 7s"), (at(3), "Ac Ad Kd Qs 9c 5d 3h")],
    );
    assert_eq!(
        lines,
        [
            "2 standard win +$10 back $10 (C8)",
            "2 fortune win +$80 back $20 (C11)",
            "3 standard win +$10 back $50 (C8 C10)",
            "3 fortune lose back $5 (C11 C10)",
        ]
    );
    assert_eq!(night.stack(1), dollars(399));
    assert_eq!(night.stack(2), dollars(590));
    assert_eq!(night.stack(3), dollars(510));
}

#[test]
fn cardroom_c11_every_line_of_the_pay_table() {
    let table = [
        ("8c 7c 6c 5c 4c 3c 2c", 5000),
        ("As Ks Qs Js Ts Kh Qh", 2000),
        ("Jk 8c 7c 6c 5c 4c 3c", 1000),
        ("Ac Ad Ah As Jk 9c 2d", 400),
        ("As Ks Qs Js Ts 4d 2h", 150),
        ("9h 8h 7h 6h 5h 2c Kd", 50),
        ("7c 7d 7h 7s Ac Kd 2c", 25),
        ("Kc Kd Kh 2c 2d 9s 7h", 5),
        ("Ah Kh 9h 5h 2h Qc 7s", 4),
        ("8c 8d 8h Ks Jc 5d 2h", 3),
        ("9c 8d 7h 6s 5c 2d Kh", 2),
    ];
    for (hand, pays) in table {
        let mut night = Night::new(&houses::CARDROOM);
        night.seat(1, 20_000);
        night.seat(2, 100);
        night.open();
        night.bank(1, 19_000);
        night.standard(2, 10);
        night.fortune(2, 3);
        let lines = play(&mut night, &[(at(1), NOTHING), (at(2), hand)]);
        let paid = dollars(3 * pays);
        assert_eq!(lines[1], format!("2 fortune win +{paid} back $3 (C11)"), "{hand}");
        let game = 10 * u32::from(lines[0].starts_with("2 standard win"));
        assert_eq!(night.stack(2), dollars(100 + game + 3 * pays), "{hand}");
        assert_eq!(night.stack(1), dollars(19_999 - game - 3 * pays), "{hand}");
    }
}

#[test]
fn cardroom_c11_the_bonus_looks_at_the_seven_cards_and_not_at_the_setting() {
    let mut night = banked(400);
    night.standard(2, 50);
    night.fortune(2, 10);
    night.standard(3, 50);
    night.fortune(3, 10);
    night.close();
    night.deal(
        2,
        &[(at(1), KINGS), (at(2), "9c 8d 7h 6s 5c 2d Jh"), (at(3), "2c 2h Qd Th 8s 6h 4d")],
    );
    // The straight is torn apart and the game wager lost; the bonus is paid all the same.
    night.set(2, "9c 8d");
    night.set_all();
    night.reveal();
    let lines = told(&night.settle());
    assert_eq!(
        lines,
        [
            "2 standard lose -$50 (C8)",
            "2 fortune win +$20 back $10 (C11)",
            "3 standard lose -$50 (C8)",
            "3 fortune lose -$10 (C11)",
        ]
    );
    assert_eq!(night.stack(2), dollars(500 - 50 + 20));
    assert_eq!(night.stack(1), dollars(499 + 50 - 20 + 50 + 10));
}

#[test]
fn cardroom_c12_r16_a_bonus_that_does_not_beat_the_bankers_goes_back() {
    let straight = "9c 8d 7h 6s 5c 2d Kh";
    let trips = "Tc Td Th Ks Jc 4d 2h";
    let flush = "Ad Jd 8d 6d 3d Qc 9s";
    let cases = [
        // Three of a kind stands above a straight in the pay table.
        (straight, trips, "2 fortune returned back $10 (C12)"),
        (trips, straight, "2 fortune win +$30 back $10 (C11)"),
        // Within a line the poker value decides, and equal does not beat.
        ("Ah Kh 9h 5h 2h Qs 7s", flush, "2 fortune win +$40 back $10 (C11)"),
        (flush, "Ah Kh 9h 5h 2h Qs 7s", "2 fortune returned back $10 (C12)"),
        (straight, "9s 8c 7d 6h 5d 2c Kd", "2 fortune returned back $10 (C12)"),
        // A hand that is not paid at all is lost, whatever the Designated Player holds.
        (JACKS, "Ah Kh 9h 5h 2h Qs 7s", "2 fortune lose -$10 (C11)"),
        (ACES, NOTHING, "2 fortune lose -$10 (C11)"),
        // A pair of the Designated Player's is below every paid hand.
        (straight, JACKS, "2 fortune win +$20 back $10 (C11)"),
    ];
    for (own, bankers, wanted) in cases {
        let mut night = banked(300);
        night.standard(2, 20);
        night.fortune(2, 10);
        let lines = play(&mut night, &[(at(1), bankers), (at(2), own)]);
        assert_eq!(lines[1], wanted, "{own} against {bankers}");
        assert_eq!(lines.len(), 2);
        assert_money(&night, 2000 - 1);
    }
}

#[test]
fn cardroom_c12_a_returned_bonus_uses_nothing_of_the_amount() {
    let mut night = banked(50);
    night.standard(2, 20);
    night.fortune(2, 10);
    night.standard(3, 30);
    let lines = play(
        &mut night,
        &[
            (at(1), "7c 7d 7h 7s 9d 3h 2c"),
            (at(2), "Ah Kh 9h 5h 2h Qs 8s"),
            (at(3), "6d 4s 3s Jd Td 8h 2s"),
        ],
    );
    assert_eq!(
        lines,
        [
            "2 standard push back $20 (C8)",
            "2 fortune returned back $10 (C12)",
            "3 standard lose -$30 (C8)",
        ]
    );
    assert_eq!(night.stack(1), dollars(499 + 30));
    assert_eq!(night.stack(2), dollars(500));
}

#[test]
fn cardroom_c13_the_posted_maximum_caps_all_bonuses_of_a_round_in_order() {
    let mut night = Night::with(&houses::CARDROOM, |posted| posted.bonus_cap = Some(dollars(100)));
    night.seat(1, 5000);
    for person in 2..=5 {
        night.seat(person, 500);
    }
    night.open();
    night.bank(1, 4000);
    for person in 2..=5 {
        night.standard(person, 10);
        night.fortune(person, 20);
    }
    let lines = play(
        &mut night,
        &[
            (at(1), NOTHING),
            (at(2), "Ah Kh 9h 5h 2h Qc 7s"),
            (at(3), "8c 8d 8h Ks Jc 5d 2d"),
            (at(4), "9c 9d 9s Qs Js 7h 3h"),
            (at(5), "Kc Qd Th 7c 6c 5s 3c"),
        ],
    );
    let bonuses: Vec<&String> = lines.iter().filter(|line| line.contains("fortune")).collect();
    assert_eq!(
        bonuses,
        [
            // $80, then $20 of the $60 due, then nothing of the $60 due; a loss is no payment.
            "2 fortune win +$80 back $20 (C11)",
            "3 fortune win +$20 back $20 (C11 C13)",
            "4 fortune returned back $20 (C11 C13)",
            "5 fortune lose -$20 (C11)",
        ]
    );
    // The cap is for bonuses: the game wagers are settled in full.
    let games: Vec<&String> = lines.iter().filter(|line| line.contains("standard")).collect();
    assert_eq!(
        games,
        [
            "2 standard win +$10 back $10 (C8)",
            "3 standard win +$10 back $10 (C8)",
            "4 standard win +$10 back $10 (C8)",
            "5 standard win +$10 back $10 (C8)",
        ]
    );
    assert_eq!(night.stack(1), dollars(4999 - 100 - 40 + 20));
    assert_eq!(night.stack(4), dollars(510));
}

#[test]
fn cardroom_c13_without_a_posted_maximum_nothing_is_capped() {
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(1, 600_000);
    night.seat(2, 500);
    night.open();
    night.bank(1, 599_999);
    night.standard(2, 10);
    night.fortune(2, 100);
    let lines = play(&mut night, &[(at(1), NOTHING), (at(2), "8c 7c 6c 5c 4c 3c 2c")]);
    assert_eq!(lines[1], "2 fortune win +$500,000 back $100 (C11)");
}

#[test]
fn cardroom_c14_the_bank_goes_clockwise_every_hand_and_may_be_declined() {
    let mut night = Night::new(&houses::CARDROOM);
    for person in [2, 4, 7] {
        night.seat(person, 500);
    }
    let offered = |position| Event::BankOffered {
        position: Position(position),
        until: None,
        clause: "C14".into(),
    };
    let hands = [(at(2), JACKS), (at(4), ACES), (at(7), TEN_HIGH)];
    assert_eq!(night.open(), [offered(2)]);
    let events = night.bank(2, 100);
    assert!(matches!(&events[0], Event::BankTaken { clause, .. } if clause == "C14"));
    night.standard(4, 10);
    play(&mut night, &hands);
    // Never twice running, but offered on; 4 passes it to 7.
    assert_eq!(night.open(), [offered(4)]);
    let events = night.must(Actor::player(4), Action::DeclineBank);
    assert_eq!(events, [Event::BankDeclined { position: Position(4) }, offered(7)]);
    night.bank(7, 100);
    night.standard(2, 10);
    play(&mut night, &hands);
    // Past the empty seat 1 back to 2.
    assert_eq!(night.open(), [offered(2)]);
}

#[test]
fn cardroom_c14_with_no_taker_no_round_is_dealt() {
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(3, 500);
    night.seat(5, 500);
    night.open();
    night.must(Actor::player(3), Action::DeclineBank);
    let events = night.must(Actor::player(5), Action::DeclineBank);
    let none = Event::NoBanker { clause: "C14".into() };
    assert_eq!(events, [Event::BankDeclined { position: Position(5) }, none]);
    assert_eq!(*night.table.phase(), Phase::Idle);
    assert_eq!(night.table.round(), 0);
    let late = night.ask(Actor::player(3), Night::placing(3, Wager::Standard, 20));
    assert_eq!(late.expect_err("no bets").why, Why::NotNow);
    let close = night.ask(DEALER, Action::CloseBets);
    assert_eq!(close.expect_err("no bets").why, Why::NotNow);
}

#[test]
fn cardroom_c14_only_seats_that_can_put_something_up_are_asked() {
    let mut night = Night::new(&houses::CARDROOM);
    // A dollar is the rake; nothing would be left to bank with.
    night.seat(1, 1);
    night.seat(2, 0);
    night.seat(6, 2);
    let events = night.open();
    assert!(matches!(&events[..], [Event::BankOffered { position: Position(6), .. }]));
    let nothing = Action::TakeBank { put_up: Cents::ZERO, house_wager: Cents::ZERO };
    assert_eq!(night.refused(Actor::player(6), nothing), "an amount of nothing");
    night.bank(6, 1);
    assert_eq!(night.stack(6), dollars(1));
}

#[test]
fn cardroom_c14_an_offer_that_is_not_answered_is_declined() {
    let mut night = Night::with(&houses::CARDROOM, |posted| posted.time.banking = Some(1000));
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.now = 1000;
    assert_eq!(night.refused(DEALER, Action::TimeUp), "time is not up");
    night.now = 1001;
    let late = Action::TakeBank { put_up: dollars(10), house_wager: Cents::ZERO };
    assert_eq!(night.refused(Actor::player(1), late), "time is up");
    let events = night.must(DEALER, Action::TimeUp);
    assert_eq!(events[0], Event::BankDeclined { position: Position(1) });
    assert!(matches!(events[1], Event::BankOffered { position: Position(2), .. }));
}

#[test]
fn cardroom_c14_whoever_leaves_declines_the_bank_that_is_offered_to_them() {
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    let declined = |position| Event::BankDeclined { position: Position(position) };
    let left =
        |person, position| Event::Left { person: Person(person), position: Position(position) };
    let events = night.must(Actor::player(1), Action::Leave { position: Position(1) });
    assert_eq!(events[..2], [declined(1), left(1, 1)]);
    assert!(matches!(events[2..], [Event::BankOffered { position: Position(2), .. }]));
    let events = night.must(Actor::player(2), Action::Leave { position: Position(2) });
    assert_eq!(events[..2], [declined(2), left(2, 2)]);
    assert!(matches!(&events[2..], [Event::NoBanker { clause }] if clause == "C14"));
}

#[test]
fn cardroom_c14_the_bank_is_the_offered_seats_and_no_one_elses() {
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    let take = Action::TakeBank { put_up: dollars(100), house_wager: Cents::ZERO };
    for action in [take, Action::DeclineBank] {
        let refusal = night.ask(Actor::player(2), action).expect_err("refused");
        assert_eq!(refusal.why, Why::NotOffered);
    }
    // The house never plays, so it cannot be asked to bet either.
    let against = Action::TakeBank { put_up: dollars(100), house_wager: dollars(10) };
    let refusal = night.ask(Actor::player(1), against).expect_err("refused");
    assert_eq!(refusal.why, Why::HouseWagerTooHigh { most: Cents::ZERO });
    assert_eq!(night.stack(1), dollars(500));
}

#[test]
fn cardroom_c14_refusing_another_seats_bank_names_the_clause() {
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    let take = Action::TakeBank { put_up: dollars(100), house_wager: Cents::ZERO };
    for action in [take, Action::DeclineBank] {
        let refused = night.refused(Actor::player(2), action);
        assert_eq!(refused, "the bank is not offered to you (C14)");
    }
}

#[test]
fn cardroom_r6_money_is_whole_dollars_coming_in() {
    let mut night = banked(100);
    let place = Action::Place {
        position: Position(2),
        wager: Wager::Standard,
        amount: Cents::new(2050),
        person: None,
    };
    assert_eq!(night.refused(Actor::player(2), place), "$20.50 is not whole dollars (R6)");
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(1, 500);
    night.open();
    let take = Action::TakeBank { put_up: Cents::new(9_999), house_wager: Cents::ZERO };
    assert_eq!(night.refused(Actor::player(1), take), "$99.99 is not whole dollars (R6)");
    let mut posted = Posted::usual(&houses::CARDROOM);
    posted.rake = Cents::new(150);
    let error = Setup::new(houses::CARDROOM.clone().into(), posted).expect_err("refused");
    assert_eq!(error.to_string(), "rake: a rake is whole dollars (R6)");
}

#[test]
fn cardroom_r8_an_absent_players_hand_is_set_the_house_way_by_the_tables_policy() {
    let mut night = Night::with(&houses::CARDROOM, |posted| posted.time.setting = Some(60));
    for person in [1, 2, 3] {
        night.seat(person, 500);
    }
    night.open();
    night.bank(1, 300);
    night.standard(2, 50);
    night.standard(3, 40);
    night.close();
    night.deal(2, &[(at(1), JACKS), (at(2), ACES), (at(3), TEN_HIGH)]);
    night.set(3, "5s 2d");
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
    assert_eq!(events[0], absent);
    assert!(matches!(&events[1..], [Event::BankerSet { clause, .. }] if clause == "C21"));
    let lines = told(&night.settle());
    assert_eq!(lines, ["2 standard win +$50 back $50 (C8)", "3 standard lose -$40 (C8)"]);
}

#[test]
fn cardroom_r9_hands_are_not_conceded_here() {
    let mut night = banked(100);
    night.standard(2, 50);
    night.close();
    night.deal(2, &[(at(1), JACKS), (at(2), TEN_HIGH)]);
    night.set_all();
    night.reveal();
    let refused = night.refused(Actor::player(2), Action::Concede { position: Position(2) });
    assert_eq!(refused, "not at this moment of the round (R9)");
}

#[test]
fn cardroom_r10_a_void_round_gives_back_wagers_bank_and_rake() {
    // The document lists no irregularity, so another document's misdeal is lent to it: the reading
    // holds in all five, and this house is one of the two that have a fee to give back.
    let mut rules = houses::CARDROOM.clone();
    rules.irregularities = houses::CATFISH_BEND.irregularities.clone();
    let mut night = Night::new(&rules);
    for person in 1..=3 {
        night.seat(person, 500);
    }
    night.open();
    night.bank(1, 200);
    night.standard(2, 50);
    night.fortune(2, 10);
    night.standard(3, 40);
    night.close();
    night.deal(2, &[(at(1), JACKS), (at(2), ACES), (at(3), TEN_HIGH)]);
    assert_eq!(night.stack(1), dollars(299));
    let call = Call { what: Incident::NotFourLeft, spot: None, repair: None };
    night.must(DEALER, Action::Call(call));
    assert_eq!(*night.table.phase(), Phase::Idle);
    for person in 1..=3 {
        assert_eq!(night.stack(person), dollars(500), "person {person}");
    }
    assert_eq!(night.table.rotation().next, Position(1), "the bank has not moved on");
    let void = view(&night.table, Onlooker::Spectator, 0).last.expect("it stays on record");
    assert_eq!((void.void.as_deref(), &void.fees[..]), (Some("B18"), &[][..]));
    // What was dealt stays in the record.
    let dealt = night.log.iter().any(|event| matches!(event, Event::Dealt { .. }));
    assert!(dealt && matches!(night.log.last(), Some(Event::Voided { .. })));
}

#[test]
fn cardroom_the_document_has_no_irregularities_to_call() {
    let mut night = banked(200);
    night.standard(2, 50);
    night.close();
    night.deal(2, &[(at(1), JACKS), (at(2), ACES)]);
    let manager = common::staff(Role::GamingShiftManager);
    for what in [Incident::NotFourLeft, Incident::FourExposed, Incident::PowerFailureOpen] {
        let call = Action::Call(Call { what, spot: None, repair: None });
        assert_eq!(night.refused(manager, call), "the rulebook has no such irregularity");
    }
}

#[test]
fn cardroom_c3_seven_seats_and_one_to_a_person() {
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(7, 100);
    let eight = Action::Sit { position: Position(8) };
    assert_eq!(night.refused(Actor::player(8), eight), "there is no such position (C3)");
    let second = night.ask(Actor::player(7), Action::Sit { position: Position(6) });
    assert_eq!(second.expect_err("one seat each").why, Why::TooManyPositions);
}

/// Whoever always takes the bank while others decline may do so for ever.
#[test]
fn cardroom_c14_three_hundred_rounds_with_one_bank() {
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(1, 100_000);
    night.seat(2, 100_000);
    for _ in 0..300 {
        night.open();
        while matches!(night.table.phase(), Phase::Offering { to, .. } if to.0 == 2) {
            night.must(Actor::player(2), Action::DeclineBank);
        }
        night.bank(1, 100);
        night.standard(2, 10);
        night.close();
        night.deal(1, &[]);
        night.set_all();
        night.reveal();
        night.settle();
    }
    assert_eq!(night.table.round(), 300);
}
