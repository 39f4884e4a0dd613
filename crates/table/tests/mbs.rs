//! `mbs-2016` and `mbs-2020`, clause by clause: each test is named after the clause it holds.

mod common;

use common::{DEALER, Night, at, cards, dollars, staff, told};
use houseway_rules::houses::{COMMISSION_FREE, MBS_2016, MBS_2020};
use houseway_rules::rulebook::{Device, Incident, Role, Rulebook, Wager};
use houseway_rules::{Card, CardSet, Cents};
use houseway_table::deal::{Deck, Spot};
use houseway_table::settlement::Line;
use houseway_table::view::{HandView, Onlooker};
use houseway_table::{
    Action, Actor, Call, Event, Person, Phase, Position, Repair, Ruling, Share, outcome_established,
};

/// Against [`JACKS`] both hands win: aces, king and queen.
const ACES: &str = "Ac Ad Kh Qs 9c 5d 3h";
/// Against [`JACKS`] both hands lose: nothing but a ten.
const TEN: &str = "Th 9h 8c 6d 4d 3c 2d";
/// Against [`JACKS`] the kings win and 9-8 loses.
const KINGS: &str = "Kc Kd 9s 8h 6h 5s 2c";
/// The dealer's: jacks, and queen and ten Low.
const JACKS: &str = "Jc Jd Qh Tc 7c 4h 2s";

/// Natural seven-card straight flushes and royal matches, which carry Envy.
const CLUBS: &str = "Jc Tc 9c 8c 7c 6c 5c";
const SPADES: &str = "Js Ts 9s 8s 7s 6s 5s";
const DIAMOND_MATCH: &str = "Ad Kd Qd Jd Td Ks Qs";
const HEART_MATCH: &str = "Ah Kh Qh Jh Th Kc Qc";
/// A dealer's hand beside all of those.
const THREES: &str = "3c 3d 9h 7d 6h 4s 2d";
/// A player's hand beside all of those, which loses to [`THREES`].
const NOTHING: &str = "8h 7h 6d 4c 3s 2c 2s";

fn player(person: u32) -> Actor {
    Actor::player(person)
}

fn call(what: Incident) -> Action {
    Action::Call(Call { what, spot: None, repair: None })
}

fn call_at(what: Incident, spot: Spot) -> Action {
    Action::Call(Call { what, spot: Some(spot), repair: None })
}

fn repaired(what: Incident, spot: Option<Spot>, repair: Repair) -> Action {
    Action::Call(Call { what, spot, repair: Some(repair) })
}

fn withdraw(position: u8, wager: Wager) -> Action {
    Action::Withdraw { position: Position(position), wager }
}

fn view(position: u8) -> Action {
    Action::View { position: Position(position) }
}

fn concede(position: u8) -> Action {
    Action::Concede { position: Position(position) }
}

fn place_for(person: u32, position: u8, wager: Wager, amount: u32) -> Action {
    let (position, amount) = (Position(position), dollars(amount));
    Action::Place { position, wager, amount, person: Some(Person(person)) }
}

/// What happened, in one line each; events that decide nothing by a clause are left out.
fn happened(events: &[Event]) -> Vec<String> {
    let bet = |wager: &Wager| format!("{wager:?}").to_lowercase();
    let spot = |spot: &Spot| match spot {
        Spot::At(position) => position.0.to_string(),
        Spot::Dealer => "dealer".to_string(),
    };
    let tell = |event: &Event| match event {
        Event::Placed { position, person, wager, amount, by, clause, .. } => {
            let by = by.map_or(String::new(), |by| format!(" by {}", by.role.name()));
            let (at, who, bet) = (position.0, person.0, bet(wager));
            Some(format!("{who} places {amount} on {at} {bet}{by} ({clause})"))
        }
        Event::Returned { position, person, wager, amount, clause, .. } => {
            let clause = clause.as_deref().map_or(String::new(), |clause| format!(" ({clause})"));
            let (at, who, bet) = (position.0, person.0, bet(wager));
            Some(format!("{amount} back to {who} from {at} {bet}{clause}"))
        }
        Event::FeeTaken { person, amount, clause, .. } => {
            Some(format!("fee {amount} of {} ({clause})", person.0))
        }
        Event::Set { position, low, how, clause, .. } => {
            let how = format!("{how:?}").to_lowercase();
            let clause = clause.as_deref().map_or(String::new(), |clause| format!(" ({clause})"));
            Some(format!("{} set {how} {low}{clause}", position.0))
        }
        Event::BankerSet { low, clause, .. } => Some(format!("dealer set {low} ({clause})")),
        Event::Conceded { position, clause, .. } => {
            Some(format!("{} conceded ({clause})", position.0))
        }
        Event::Voided { clause, .. } => Some(format!("void ({clause})")),
        Event::HandOut { position, clause, .. } => Some(format!("{} out ({clause})", position.0)),
        Event::Swapped { a, b, clause, .. } => {
            Some(format!("{} and {} swapped ({clause})", spot(a), spot(b)))
        }
        Event::Reset { spot: of, low, clause, .. } => {
            Some(format!("{} reset {low} ({clause})", spot(of)))
        }
        Event::Corrected { round, spot: of, low, differences, clause, .. } => {
            let each = differences.iter().map(|(person, cents)| format!("{} {cents}", person.0));
            let each = each.collect::<Vec<String>>().join(", ");
            Some(format!("round {round}: {} reset {low}: {each} ({clause})", spot(of)))
        }
        Event::Noted { what, clause, .. } => Some(format!("noted {what:?} ({clause})")),
        Event::Barred { person, clause, .. } => Some(format!("{} barred ({clause})", person.0)),
        Event::Restricted { person, clause, .. } => {
            Some(format!("{} restricted ({clause})", person.0))
        }
        Event::PowerFailed { decided, clause, .. } => {
            let word = if *decided { "decided" } else { "open" };
            Some(format!("power failed, {word} ({clause})"))
        }
        Event::Ruled { by, reason, clause, .. } => {
            Some(format!("{} rules: {reason} ({clause})", by.role.name()))
        }
        _ => None,
    };
    events.iter().filter_map(tell).collect()
}

/// Asks for what must be granted: what happened.
fn done(night: &mut Night, by: Actor, action: Action) -> Vec<String> {
    happened(&night.must(by, action))
}

/// Refused with these words, and nobody's money moved.
#[track_caller]
fn refused(night: &mut Night, by: Actor, action: Action, words: &str) {
    let before = night.table.clone();
    assert_eq!(night.refused(by, action), words);
    assert!(night.table == before, "a refusal changes nothing");
}

/// Refused, and the refusal names the clause.
#[track_caller]
fn refused_by(night: &mut Night, by: Actor, action: Action, clause: &str) {
    let words = night.refused(by, action);
    assert!(words.ends_with(&format!("({clause})")), "{words}");
}

#[track_caller]
fn stacks(night: &Night, wanted: &[(u32, u32)]) {
    let have: Vec<(u32, Cents)> =
        wanted.iter().map(|&(person, _)| (person, night.stack(person))).collect();
    let wanted: Vec<(u32, Cents)> =
        wanted.iter().map(|&(person, amount)| (person, dollars(amount))).collect();
    assert_eq!(have, wanted);
}

/// Two with $500: 1 wagers $100 and $5 on the bonus, 2 wagers $50. Bets are closed.
fn closed(rules: &Rulebook) -> Night {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.standard(1, 100);
    night.fortune(1, 5);
    night.standard(2, 50);
    night.close();
    stacks(&night, &[(1, 395), (2, 450)]);
    night
}

/// The same with cards: 1 is to win, 2 to lose. Nobody has looked.
fn in_hand(rules: &Rulebook) -> Night {
    let mut night = closed(rules);
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    night
}

/// Person 1 with $500 wagers $100 and $5 at position 1 and $30 and $2 at position 4; person 2 with
/// $500 wagers $50 at position 2. Nobody has looked.
fn two_areas() -> Night {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat_at(1, 4, 0);
    night.seat(2, 500);
    night.open();
    night.standard(1, 100);
    night.fortune(1, 5);
    night.place(1, 4, Wager::Standard, 30);
    night.place(1, 4, Wager::Fortune, 2);
    night.standard(2, 50);
    night.close();
    let hands = [(at(1), ACES), (at(2), TEN), (at(4), KINGS), (Spot::Dealer, JACKS)];
    night.deal(0, &hands);
    stacks(&night, &[(1, 363), (2, 450)]);
    night
}

/// Person 2 wagers $30 at position 2 and shares $20 and $3 of what lies at position 1, where person
/// 1 has $100 and $5. Nobody has looked.
fn shared() -> Night {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.standard(1, 100);
    night.fortune(1, 5);
    night.standard(2, 30);
    night.place(2, 1, Wager::Standard, 20);
    night.place(2, 1, Wager::Fortune, 3);
    night.close();
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    stacks(&night, &[(1, 395), (2, 447)]);
    night
}

/// Sets what is not set, shows and settles.
fn finish(night: &mut Night) -> Vec<Line> {
    night.set_all();
    night.reveal();
    night.settle()
}

/// One player wagers $20 of $500; both hands are set the House Way: the statement in words.
fn against(rules: &Rulebook, own: &str, dealer: &str) -> String {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    night.open();
    night.standard(1, 20);
    night.close();
    night.deal(0, &[(at(1), own), (Spot::Dealer, dealer)]);
    let lines = told(&finish(&mut night));
    assert_eq!(lines.len(), 1);
    let line = lines[0].clone();
    let after = match line.split(' ').nth(2) {
        Some("win") => dollars(519),
        Some("lose") => dollars(480),
        _ => dollars(500),
    };
    assert_eq!(night.stack(1), after, "{line}");
    line
}

const WIN_2016: &str = "1 standard win +$20 back $20 commission $1 (3.12 4.1.1)";
const LOSE_2016: &str = "1 standard lose -$20 (3.13)";
const TIE_2016: &str = "1 standard push back $20 (3.14)";
const WIN_2020: &str = "1 standard win +$20 back $20 commission $1 (3.18 4.1.1)";
const LOSE_2020: &str = "1 standard lose -$20 (3.19)";
const STANDOFF_2020: &str = "1 standard push back $20 (3.20)";

/// An irregularity voids the round of [`in_hand`]: every wager is back, the cards and the reason
/// are on record, and nothing can be settled any more (R10).
#[track_caller]
fn voids(night: &mut Night, by: Actor, action: Action, clause: &str) {
    let money = night.table.money();
    let events = night.must(by, action);
    assert_eq!(happened(&events), [format!("void ({clause})")]);
    let Some(Event::Voided { why, .. }) = events.first() else { panic!("{events:?}") };
    assert!(!why.is_empty(), "a void has its reason");
    assert_eq!(*night.table.phase(), Phase::Idle);
    stacks(night, &[(1, 500), (2, 500)]);
    assert_eq!(night.table.money(), money, "nothing is left on the layout, nothing is new");
    assert!(night.log.iter().any(|event| matches!(event, Event::Dealt { .. })));
    assert!(!night.log.iter().any(|event| matches!(event, Event::Settled { .. })));
    refused(night, DEALER, Action::Settle, "not at this moment of the round");
}

/// The round of [`in_hand`] is played to its end as if nothing had happened.
#[track_caller]
fn plays_on(night: &mut Night, [win, lose]: [&str; 2]) {
    let lines = finish(night);
    assert_eq!(
        told(&lines),
        [
            format!("1 standard win +$100 back $100 commission $5 ({win} 4.1.1)"),
            "1 fortune lose -$5 (4.1.2)".to_string(),
            format!("2 standard lose -$50 ({lose})"),
        ]
    );
    stacks(night, &[(1, 590), (2, 450)]);
}

const COMPARED_2016: [&str; 2] = ["3.12", "3.13"];
const COMPARED_2020: [&str; 2] = ["3.18", "3.19"];

// Seats, betting, dealing.

#[test]
fn mbs_2016_2_2_a_table_has_six_positions() {
    six_positions(&MBS_2016);
}

#[test]
fn mbs_2020_2_2_a_table_has_six_positions() {
    six_positions(&MBS_2020);
}

fn six_positions(rules: &Rulebook) {
    let mut night = Night::new(rules);
    for person in 1..=6 {
        night.seat(person, 100);
    }
    for position in [0, 7] {
        let sit = Action::Sit { position: Position(position) };
        refused(&mut night, player(7), sit, "there is no such position (2.2)");
    }
    night.open();
    for person in 1..=6 {
        night.standard(person, 10);
    }
    night.close();
    // Seven hands of seven cards leave four.
    let events = night.deal(0, &[]);
    let Some(Event::Dealt { hands, left_over, .. }) = events.first() else { panic!("{events:?}") };
    assert_eq!((hands.len(), left_over.len()), (7, 4));
}

/// Where the document has no word on several positions, a player has one.
#[test]
fn mbs_2016_2_2_a_player_has_one_position_and_a_wager_one_owner() {
    let mut night = Night::new(&MBS_2016);
    night.seat(1, 500);
    night.seat(2, 500);
    let sit = Action::Sit { position: Position(4) };
    refused(&mut night, player(1), sit, "no further position may be taken");
    night.open();
    night.standard(1, 100);
    let share = Night::placing(1, Wager::Standard, 10);
    refused(&mut night, player(2), share, "a wager is not shared here");
    let for_player = place_for(2, 2, Wager::Standard, 10);
    refused(&mut night, DEALER, for_player, "that is someone else's");
    stacks(&night, &[(1, 400), (2, 500)]);
}

#[test]
fn mbs_2016_3_2_bets_are_taken_until_no_more_bets() {
    bets_are_taken_until_no_more_bets(&MBS_2016, "5.6");
}

#[test]
fn mbs_2020_3_2_bets_are_taken_until_no_more_bets() {
    bets_are_taken_until_no_more_bets(&MBS_2020, "5.5");
}

fn bets_are_taken_until_no_more_bets(rules: &Rulebook, late: &str) {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    let bet = Night::placing(1, Wager::Standard, 100);
    refused(&mut night, player(1), bet.clone(), "not at this moment of the round");
    let dealers = "that takes a dealer or higher";
    refused(&mut night, player(1), Action::OpenRound, dealers);
    night.open();
    refused(&mut night, DEALER, Action::OpenRound, "not at this moment of the round");
    refused(&mut night, DEALER, Action::CloseBets, "nobody has wagered");
    night.must(player(1), bet.clone());
    stacks(&night, &[(1, 400)]);
    refused(&mut night, player(1), Action::CloseBets, dealers);
    // Until then a wager may be changed or taken back.
    night.standard(1, 60);
    stacks(&night, &[(1, 440)]);
    night.must(player(1), withdraw(1, Wager::Standard));
    stacks(&night, &[(1, 500)]);
    night.must(player(1), bet.clone());
    night.close();
    refused(&mut night, player(1), bet, &format!("time is up ({late})"));
    stacks(&night, &[(1, 400)]);
}

#[test]
fn mbs_2016_3_4_a_standard_wager_opens_a_position() {
    a_standard_wager_opens_a_position(&MBS_2016, "3.4", "3.12", "3.5");
}

#[test]
fn mbs_2020_3_5_a_standard_wager_opens_a_position() {
    a_standard_wager_opens_a_position(&MBS_2020, "3.5", "3.18", "3.6");
}

fn a_standard_wager_opens_a_position(rules: &Rulebook, clause: &str, win: &str, bonus: &str) {
    let mut night = Night::new(rules);
    for person in [1, 2, 3] {
        night.seat(person, 500);
    }
    night.open();
    let bet = |amount| Night::placing(1, Wager::Standard, amount);
    // The room posts $10 to $1,000.
    refused(&mut night, player(1), bet(9), &format!("below the minimum of $10 ({clause})"));
    let over = format!("above the maximum of $1,000 ({clause})");
    refused(&mut night, player(1), bet(1001), &over);
    let poor = "$501 is needed, fees included, and $500 is there";
    refused(&mut night, player(1), bet(501), poor);
    let elsewhere = Night::placing(5, Wager::Standard, 10);
    refused(&mut night, player(1), elsewhere, "nobody sits there");
    let placed = done(&mut night, player(1), bet(10));
    assert_eq!(placed, [format!("1 places $10 on 1 standard ({clause})")]);
    // A bonus wager alone opens nothing.
    let alone = Night::placing(3, Wager::Fortune, 5);
    let first = format!("a standard wager comes first ({bonus})");
    refused(&mut night, player(3), alone, &first);
    night.close();
    let events = night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    let Some(Event::Dealt { hands, .. }) = events.first() else { panic!("{events:?}") };
    let spots: Vec<Spot> = hands.iter().map(|(spot, _)| *spot).collect();
    assert_eq!(spots, [at(1), Spot::Dealer], "2 and 3 did not wager and get no cards");
    let lines = finish(&mut night);
    let line = format!("1 standard win +$10 back $10 commission $0.50 ({win} 4.1.1)");
    assert_eq!(told(&lines), [line]);
    assert_eq!(night.stack(1), Cents::new(50950));
    stacks(&night, &[(2, 500), (3, 500)]);
}

#[test]
fn mbs_2016_3_5_a_bonus_wager_joins_a_standard_wager() {
    a_bonus_wager_joins_a_standard_wager(&MBS_2016, "3.5");
}

#[test]
fn mbs_2020_3_6_a_bonus_wager_joins_a_standard_wager() {
    a_bonus_wager_joins_a_standard_wager(&MBS_2020, "3.6");
}

fn a_bonus_wager_joins_a_standard_wager(rules: &Rulebook, clause: &str) {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    night.open();
    let bonus = |amount| Night::placing(1, Wager::Fortune, amount);
    let first = format!("a standard wager comes first ({clause})");
    refused(&mut night, player(1), bonus(5), &first);
    night.standard(1, 100);
    let over = format!("above the maximum of $100 ({clause})");
    refused(&mut night, player(1), bonus(101), &over);
    let placed = done(&mut night, player(1), bonus(5));
    assert_eq!(placed, [format!("1 places $5 on 1 fortune ({clause})")]);
    stacks(&night, &[(1, 395)]);
    // It does not stay behind alone.
    let back = done(&mut night, player(1), withdraw(1, Wager::Standard));
    assert_eq!(back, ["$100 back to 1 from 1 standard", "$5 back to 1 from 1 fortune"]);
    stacks(&night, &[(1, 500)]);
    // Tiger 9 is another house's.
    let tiger = Night::placing(1, Wager::TigerNine, 5);
    refused(&mut night, player(1), tiger, "there is no such bet, or nothing on it");
}

/// It joins the wager of the player who places it: who has none takes no part in the round.
#[test]
fn mbs_2020_3_6_a_bonus_wager_joins_the_players_own_standard_wager() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.standard(1, 100);
    let bonus = Night::placing(1, Wager::Fortune, 5);
    refused(&mut night, player(2), bonus, "a standard wager comes first (3.6)");
    stacks(&night, &[(1, 400), (2, 500)]);
}

/// Who takes a share of the standard wager back does not leave a bonus wager there.
#[test]
fn mbs_2020_3_6_a_sharers_bonus_wager_goes_back_with_the_standard_wager() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.standard(1, 100);
    night.place(2, 1, Wager::Standard, 20);
    night.place(2, 1, Wager::Fortune, 3);
    let back = done(&mut night, player(2), withdraw(1, Wager::Standard));
    assert_eq!(back, ["$20 back to 2 from 1 standard", "$3 back to 2 from 1 fortune"]);
    stacks(&night, &[(1, 400), (2, 500)]);
}

#[test]
fn mbs_2020_3_5_1_staff_place_a_wager_a_player_asks_for() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    let standard = done(&mut night, DEALER, place_for(1, 1, Wager::Standard, 100));
    assert_eq!(standard, ["1 places $100 on 1 standard by dealer (3.5.1)"]);
    let supervisor = staff(Role::PitSupervisor);
    let bonus = done(&mut night, supervisor, place_for(1, 1, Wager::Fortune, 5));
    assert_eq!(bonus, ["1 places $5 on 1 fortune by pit supervisor (3.5.1)"]);
    let manager = staff(Role::PitManager);
    let raised = done(&mut night, manager, place_for(1, 1, Wager::Standard, 120));
    assert_eq!(raised, ["1 places $120 on 1 standard by pit manager (3.5.1)"]);
    // A player places for nobody else, and the limits hold for staff too.
    let other = place_for(1, 1, Wager::Standard, 10);
    refused(&mut night, player(2), other, "that takes a dealer or higher");
    let low = place_for(2, 2, Wager::Standard, 9);
    refused(&mut night, DEALER, low, "below the minimum of $10 (3.5)");
    stacks(&night, &[(1, 375), (2, 500)]);
    // It is the player's wager: the player wins it.
    night.close();
    night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    finish(&mut night);
    stacks(&night, &[(1, 500 + 114 - 5), (2, 500)]);
}

#[test]
fn mbs_2020_3_5_2_of_several_hands_one_is_looked_at_and_the_others_are_set() {
    let mut night = two_areas();
    // Kings High and 9-8 Low is the sheet's row for one pair.
    let seen = night.must(player(1), view(1));
    assert!(matches!(seen.first(), Some(Event::Viewed { position: Position(1) })), "{seen:?}");
    assert_eq!(happened(&seen), ["4 set unviewed 9s 8h (3.5.2)"]);
    let set = Action::Set { position: Position(4), low: cards("Kc Kd") };
    refused(&mut night, player(1), set, "the hand is set");
    refused(&mut night, player(1), view(4), "the hand is set");
    let laid =
        done(&mut night, player(1), Action::Set { position: Position(1), low: cards("Kh Qs") });
    assert_eq!(laid, ["1 set laid Kh Qs"]);
    let lines = finish(&mut night);
    assert_eq!(
        told(&lines),
        [
            "1 standard win +$100 back $100 commission $5 (3.18 4.1.1)",
            "1 fortune lose -$5 (4.1.2)",
            "2 standard lose -$50 (3.19)",
            "4 standard push back $30 (3.20)",
            "4 fortune lose -$2 (4.1.2)",
        ]
    );
    stacks(&night, &[(1, 588), (2, 450)]);
}

/// The player chooses which one.
#[test]
fn mbs_2020_3_5_2_any_one_of_several_hands_may_be_looked_at() {
    let mut night = two_areas();
    let seen = done(&mut night, player(1), view(4));
    assert_eq!(seen, ["1 set unviewed Kh Qs (3.5.2)"]);
    let laid =
        done(&mut night, player(1), Action::Set { position: Position(4), low: cards("6h 9s") });
    assert_eq!(laid, ["4 set laid 9s 6h"]);
}

/// To set a hand, or to have it set or told, is to look at it.
#[test]
fn mbs_2020_3_5_2_to_handle_a_hand_is_to_look_at_it() {
    let position = Position(4);
    for (action, then) in [
        (Action::SetHouseWay { position }, Some("4 set houseway 9s 8h (A.1)")),
        (Action::AskHouseWay { position }, None),
    ] {
        let mut night = two_areas();
        let events = night.must(player(1), action);
        assert!(events.contains(&Event::Viewed { position }), "{events:?}");
        let other = Some("1 set unviewed Kh Qs (3.5.2)");
        let wanted: Vec<&str> = [other, then].into_iter().flatten().collect();
        assert_eq!(happened(&events), wanted);
    }
}

/// Of two hands one is chosen by looking at it. Until then nothing is said of the cards in either,
/// be it by a refusal.
#[test]
fn mbs_2020_3_5_2_a_hand_that_was_not_looked_at_gives_nothing_away() {
    let mut night = two_areas();
    let position = Position(4);
    for low in ["9s 6h", "Ac Ad", "2c 3d"] {
        let set = Action::Set { position, low: cards(low) };
        refused(&mut night, player(1), set, "look at the hand first (3.5.2)");
    }
    night.must(player(1), view(4));
    let events = night.must(player(1), Action::Set { position, low: cards("9s 6h") });
    assert_eq!(happened(&events), ["4 set laid 9s 6h"]);
}

/// 3.9 and 5.12 are remembered of someone who leaves and comes back.
#[test]
fn mbs_2020_3_9_going_away_lifts_no_restriction() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.must(
        staff(Role::PitManager),
        Action::Restrict { person: Person(1), reason: "a test".into() },
    );
    night.must(player(1), Action::Leave { position: Position(1) });
    night.must(player(1), Action::TakeMoney { amount: dollars(500) });
    night.seat(1, 500);
    let second = Action::Sit { position: Position(2) };
    refused(&mut night, player(1), second, "no further position may be taken (3.9)");
}

/// R6: more money than can be counted is refused, not lost.
#[test]
fn mbs_2020_r6_amounts_have_an_end() {
    let mut night = Night::new(&MBS_2020);
    let amount = Cents::new(18_446_744_073_709_551_600);
    let most = "above the maximum of $1,000,000,000,000";
    refused(&mut night, player(1), Action::BringMoney { amount }, most);
    let most_of_all = Action::BringMoney { amount: houseway_table::MOST };
    night.must(player(1), most_of_all.clone());
    refused(&mut night, player(1), most_of_all, most);
}

#[test]
fn mbs_2020_3_7_a_playing_area_takes_one_wager_of_each_kind() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.open();
    night.standard(1, 20);
    night.fortune(1, 5);
    // What is placed again stands in place of what lay there: it is not a second wager.
    night.standard(1, 30);
    night.fortune(1, 2);
    stacks(&night, &[(1, 468)]);
    night.close();
    night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    let lines = finish(&mut night);
    assert_eq!(
        told(&lines),
        [
            "1 standard win +$30 back $30 commission $1.50 (3.18 4.1.1)",
            "1 fortune lose -$2 (4.1.2)",
        ]
    );
    assert_eq!(night.stack(1), Cents::new(52650));
}

#[test]
fn mbs_2020_3_8_several_players_share_a_wager_within_the_limits() {
    let mut night = Night::new(&MBS_2020);
    for person in [1, 2] {
        night.seat(person, 2000);
    }
    // Whoever shares need not sit.
    night.must(player(9), Action::BringMoney { amount: dollars(500) });
    night.open();
    night.standard(1, 900);
    let share = |amount| Night::placing(1, Wager::Standard, amount);
    let placed = done(&mut night, player(9), share(60));
    assert_eq!(placed, ["9 places $60 on 1 standard (3.8)"]);
    // The limits are those of the whole wager.
    let words = night.refused(player(2), share(41));
    assert!(words.starts_with("above the maximum of $1,000"), "{words}");
    night.must(player(2), share(40));
    stacks(&night, &[(1, 1100), (2, 1960), (9, 440)]);
    night.close();
    night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    // The one who sits there sets the hand.
    let set = Action::Set { position: Position(1), low: cards("Kh Qs") };
    refused(&mut night, player(9), set, "that is someone else's");
    let lines = finish(&mut night);
    assert_eq!(
        told(&lines),
        [
            "1 standard win +$900 back $900 commission $45 (3.18 4.1.1)",
            "1 standard win +$60 back $60 commission $3 (3.18 4.1.1)",
            "1 standard win +$40 back $40 commission $2 (3.18 4.1.1)",
        ]
    );
    stacks(&night, &[(1, 2855), (2, 2038), (9, 557)]);
}

/// The limits are those of the whole wager, and each placing has to leave it within them: what lies
/// on the layout can be dealt to at any moment.
#[test]
fn mbs_2020_3_8_every_share_leaves_a_wager_within_the_limits() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    let six = Night::placing(1, Wager::Standard, 6);
    refused(&mut night, player(1), six.clone(), "below the minimum of $10 (3.5)");
    night.standard(1, 10);
    night.must(player(2), six);
    night.close();
    stacks(&night, &[(1, 490), (2, 494)]);
    night.deal(0, &[(at(1), TEN), (Spot::Dealer, JACKS)]);
    let lines = finish(&mut night);
    assert_eq!(told(&lines), ["1 standard lose -$10 (3.19)", "1 standard lose -$6 (3.19)"]);
    stacks(&night, &[(1, 490), (2, 494)]);
}

/// What is left of a shared wager is still a wager, and has to be within the limits.
#[test]
fn mbs_2020_3_8_what_is_left_of_a_shared_wager_is_within_the_limits() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.standard(1, 10);
    night.place(2, 1, Wager::Standard, 5);
    night.standard(2, 10);
    // Refused now, or else not in the round: $5 alone is never dealt to.
    let _ = night.ask(player(1), withdraw(1, Wager::Standard));
    let _ = night.ask(DEALER, Action::CloseBets);
    if let Phase::Closed(betting, _) = night.table.phase() {
        let left = betting.stakes.get(&Position(1));
        let left = left.map_or(Cents::ZERO, |stakes| stakes.total(Wager::Standard));
        assert_ne!(left, dollars(5));
    }
}

#[test]
fn mbs_2020_3_9_a_pit_manager_keeps_a_player_to_one_area() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    let restrict = Action::Restrict { person: Person(1), reason: "a test".into() };
    let needs = "that takes a pit manager or higher (3.9)";
    for by in [player(2), DEALER, staff(Role::PitSupervisor)] {
        refused(&mut night, by, restrict.clone(), needs);
    }
    let silent = Action::Restrict { person: Person(1), reason: " ".into() };
    refused(&mut night, staff(Role::PitManager), silent, "a decision needs its reason (3.9)");
    let said = done(&mut night, staff(Role::PitManager), restrict);
    assert_eq!(said, ["1 restricted (3.9)"]);
    let sit = |position| Action::Sit { position: Position(position) };
    refused(&mut night, player(1), sit(4), "no further position may be taken (3.9)");
    // One area is still theirs, and nobody else is kept to one.
    night.must(player(2), sit(5));
    night.open();
    night.standard(1, 100);
    night.standard(2, 50);
    night.place(2, 5, Wager::Standard, 50);
    stacks(&night, &[(1, 400), (2, 400)]);
}

#[test]
fn mbs_2020_3_9_is_about_someone_at_the_table_and_once() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    let manager = staff(Role::PitManager);
    let restrict = |person| Action::Restrict { person: Person(person), reason: "a test".into() };
    refused(&mut night, manager, restrict(2), "there is no such person at the table (3.9)");
    night.must(manager, restrict(1));
    refused(&mut night, manager, restrict(1), "that is so already (3.9)");
}

#[test]
fn mbs_2020_3_9_a_restricted_player_who_sits_twice_wagers_once() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat_at(1, 4, 0);
    night.must(
        staff(Role::PitManager),
        Action::Restrict { person: Person(1), reason: "a test".into() },
    );
    night.open();
    night.standard(1, 100);
    refused_by(&mut night, player(1), Night::placing(4, Wager::Standard, 30), "3.9");
    stacks(&night, &[(1, 400)]);
}

#[test]
fn mbs_2020_3_9_a_restricted_player_shares_no_other_area() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    night.must(
        staff(Role::PitManager),
        Action::Restrict { person: Person(1), reason: "a test".into() },
    );
    night.open();
    night.standard(1, 100);
    night.standard(2, 50);
    refused_by(&mut night, player(1), Night::placing(2, Wager::Standard, 30), "3.9");
    stacks(&night, &[(1, 400), (2, 450)]);
}

/// The spots in the order of the deal, each with the places its cards had in the deck.
fn delivered(rules: &Rulebook, device: Device) -> (Vec<(Spot, CardSet)>, String, Deck) {
    let mut night = Night::with(rules, |posted| posted.device = device);
    // They sit down in another order than round the table.
    for person in [5, 2, 3] {
        night.seat(person, 500);
    }
    night.open();
    night.standard(5, 10);
    night.standard(2, 10);
    night.close();
    let deck = Deck::try_from(Card::all().collect::<Vec<Card>>()).expect("53 cards");
    let events = night.must(DEALER, Action::Deal { deck: deck.clone(), number: 0 });
    let Some(Event::Dealt { hands, left_over, clause, .. }) = events.first() else {
        panic!("{events:?}")
    };
    assert_eq!(left_over.len(), 53 - 21);
    (hands.clone(), clause.to_string(), deck)
}

fn places(deck: &Deck, at: [usize; 7]) -> CardSet {
    at.iter().fold(CardSet::EMPTY, |set, &place| set.with(deck.cards()[place]))
}

#[test]
fn mbs_2016_3_6_seven_at_once_from_the_dealers_left_and_the_dealer_last() {
    seven_at_once(&MBS_2016, "3.6");
}

#[test]
fn mbs_2020_3_10_seven_at_once_from_the_dealers_left_and_the_dealer_last() {
    seven_at_once(&MBS_2020, "3.10");
}

fn seven_at_once(rules: &Rulebook, by: &str) {
    let (hands, clause, deck) = delivered(rules, Device::Machine);
    assert_eq!(clause, by);
    assert_eq!(
        hands,
        [
            (at(2), places(&deck, [0, 1, 2, 3, 4, 5, 6])),
            (at(5), places(&deck, [7, 8, 9, 10, 11, 12, 13])),
            (Spot::Dealer, places(&deck, [14, 15, 16, 17, 18, 19, 20])),
        ]
    );
}

#[test]
fn mbs_2020_3_11_by_hand_one_card_at_a_time_and_the_dealer_last_in_each_turn() {
    let (hands, clause, deck) = delivered(&MBS_2020, Device::Manual);
    assert_eq!(clause, "3.11");
    assert_eq!(
        hands,
        [
            (at(2), places(&deck, [0, 3, 6, 9, 12, 15, 18])),
            (at(5), places(&deck, [1, 4, 7, 10, 13, 16, 19])),
            (Spot::Dealer, places(&deck, [2, 5, 8, 11, 14, 17, 20])),
        ]
    );
}

#[test]
fn mbs_2016_3_6_the_house_banks_and_takes_no_fee() {
    the_house_banks(&MBS_2016);
}

#[test]
fn mbs_2020_3_10_the_house_banks_and_takes_no_fee() {
    the_house_banks(&MBS_2020);
}

fn the_house_banks(rules: &Rulebook) {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    let bank = Action::TakeBank { put_up: dollars(100), house_wager: Cents::ZERO };
    refused(&mut night, player(1), bank.clone(), "not at this moment of the round");
    let rotation = night.table.rotation();
    for round in 1..=2 {
        let opened = night.open();
        assert!(matches!(opened[..], [Event::BetsOpened { .. }]), "no bank is offered: {opened:?}");
        refused(&mut night, player(1), bank.clone(), "not at this moment of the round");
        refused(&mut night, player(1), Action::DeclineBank, "not at this moment of the round");
        night.standard(1, 100);
        assert_eq!(night.close(), [Event::BetsClosed], "no fee is taken");
        night.deal(0, &[(at(1), KINGS), (Spot::Dealer, JACKS)]);
        night.set_all();
        // The dealer's hand is nobody else's to set.
        night.reveal();
        night.settle();
        stacks(&night, &[(1, 500)]);
        assert_eq!((night.table.round(), night.table.rotation()), (round, rotation));
    }
}

// Setting, showing, comparing.

#[test]
fn mbs_2016_3_7_1_two_cards_of_the_hand_go_low() {
    two_cards_go_low(&MBS_2016);
}

#[test]
fn mbs_2020_3_12_1_two_cards_of_the_hand_go_low() {
    two_cards_go_low(&MBS_2020);
}

fn two_cards_go_low(rules: &Rulebook) {
    let mut night = in_hand(rules);
    let set = |low: &str| Action::Set { position: Position(1), low: cards(low) };
    for low in ["Kh", "Kh Qs 9c"] {
        refused(&mut night, player(1), set(low), "two cards go Low");
    }
    refused(&mut night, player(1), set("Kh Jc"), "a card is not in the hand");
    refused(&mut night, player(2), set("Kh Qs"), "that is someone else's");
    assert_eq!(done(&mut night, player(1), set("Kh 9c")), ["1 set laid Kh 9c"]);
    refused(&mut night, player(1), set("Kh Qs"), "the hand is set");
    // As laid, king and nine still beat queen and ten.
    let compared = if rules.id == MBS_2016.id { COMPARED_2016 } else { COMPARED_2020 };
    plays_on(&mut night, compared);
}

#[test]
fn mbs_2016_3_7_2_a_foul_hand_is_set_the_house_way() {
    a_foul_hand_is_set_the_house_way(&MBS_2016, "3.7.2", COMPARED_2016);
}

#[test]
fn mbs_2020_3_12_2_a_foul_hand_is_set_the_house_way() {
    a_foul_hand_is_set_the_house_way(&MBS_2020, "3.12.2", COMPARED_2020);
}

fn a_foul_hand_is_set_the_house_way(rules: &Rulebook, clause: &str, compared: [&str; 2]) {
    let mut night = in_hand(rules);
    // A pair of aces before nothing.
    let foul = Action::Set { position: Position(1), low: cards("Ac Ad") };
    let set = done(&mut night, player(1), foul);
    assert_eq!(set, [format!("1 set fouled Kh Qs ({clause})")]);
    // It plays, and so does the second one: a foul costs nothing here.
    plays_on(&mut night, compared);
    night.open();
    night.standard(1, 100);
    night.close();
    night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    let foul = Action::Set { position: Position(1), low: cards("Ac Ad") };
    let set = done(&mut night, player(1), foul);
    assert_eq!(set, [format!("1 set fouled Kh Qs ({clause})")]);
    night.reveal();
    let line = format!("1 standard win +$100 back $100 commission $5 ({} 4.1.1)", compared[0]);
    assert_eq!(told(&night.settle()), [line]);
    stacks(&night, &[(1, 685)]);
}

/// A pair before the same pair is no foul, and plays as it was laid.
#[test]
fn mbs_2016_1_1_8_the_low_hand_may_equal_the_high_hand() {
    low_may_equal_high(&MBS_2016, TIE_2016);
}

#[test]
fn mbs_2020_1_1_8_the_low_hand_may_equal_the_high_hand() {
    low_may_equal_high(&MBS_2020, STANDOFF_2020);
}

fn low_may_equal_high(rules: &Rulebook, line: &str) {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    night.open();
    night.standard(1, 20);
    night.close();
    // By the sheet four sixes stay together.
    night.deal(0, &[(at(1), "6c 6d 6h 6s Kc 5d 3h"), (Spot::Dealer, JACKS)]);
    assert_eq!(happened(&night.set(1, "6c 6d")), ["1 set laid 6d 6c"]);
    night.reveal();
    assert_eq!(told(&night.settle()), [line]);
    stacks(&night, &[(1, 500)]);
}

#[test]
fn mbs_2016_3_8_the_dealers_hand_is_shown_last_and_set_by_the_sheet() {
    shown_last_and_set_by_the_sheet(&MBS_2016, COMPARED_2016, "3.8");
}

#[test]
fn mbs_2020_3_13_the_dealers_hand_is_shown_last_and_set_by_the_sheet() {
    shown_last_and_set_by_the_sheet(&MBS_2020, COMPARED_2020, "3.13");
}

fn shown_last_and_set_by_the_sheet(rules: &Rulebook, compared: [&str; 2], clause: &str) {
    let mut night = in_hand(rules);
    let reveal = Action::Reveal { low: None };
    assert!(night.refused(DEALER, reveal.clone()).starts_with("not every hand is set"));
    night.set(1, "Kh Qs");
    assert!(night.refused(DEALER, reveal.clone()).starts_with("not every hand is set"));
    refused(&mut night, DEALER, Action::Settle, "not at this moment of the round");
    night.set(2, "9h 8c");
    refused(&mut night, player(1), reveal.clone(), "that takes a dealer or higher");
    let banker = Action::SetBanker { low: cards("Qh Tc") };
    refused_by(&mut night, player(1), banker, clause);
    assert_eq!(done(&mut night, DEALER, reveal), ["dealer set Qh Tc (A.1)"]);
    let lines = told(&night.settle());
    assert_eq!(lines.len(), 3);
    assert!(lines[0].contains(compared[0]) && lines[2].contains(compared[1]), "{lines:?}");
    stacks(&night, &[(1, 590), (2, 450)]);
}

#[test]
fn mbs_2020_3_13_is_named_when_the_dealers_hand_is_asked_for_early() {
    let mut night = in_hand(&MBS_2020);
    refused_by(&mut night, DEALER, Action::Reveal { low: None }, "3.13");
}

#[test]
fn mbs_2016_3_8_is_named_when_the_dealers_hand_is_asked_for_early() {
    let mut night = in_hand(&MBS_2016);
    refused_by(&mut night, DEALER, Action::Reveal { low: None }, "3.8");
}

/// A table where a hand is to be set within a second.
fn timed(rules: &Rulebook) -> Night {
    let mut night = Night::with(rules, |posted| posted.time.setting = Some(1000));
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.standard(1, 100);
    night.standard(2, 50);
    night.close();
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    night.set(2, "9h 8c");
    night
}

fn absent(rules: &Rulebook, clause: &str, [win, lose]: [&str; 2]) {
    let mut night = timed(rules);
    night.now = 1000;
    refused(&mut night, DEALER, Action::TimeUp, "time is not up");
    night.now = 1001;
    let late = Action::Set { position: Position(1), low: cards("Kh 9c") };
    refused(&mut night, player(1), late, "time is up");
    let set = done(&mut night, DEALER, Action::TimeUp);
    assert_eq!(set, [format!("1 set absent Kh Qs ({clause})"), "dealer set Qh Tc (A.1)".into()]);
    assert_eq!(
        told(&night.settle()),
        [
            format!("1 standard win +$100 back $100 commission $5 ({win} 4.1.1)"),
            format!("2 standard lose -$50 ({lose})"),
        ]
    );
    stacks(&night, &[(1, 595), (2, 450)]);
}

#[test]
fn mbs_2020_3_13_1_the_hand_of_an_absent_player_is_set_the_house_way() {
    absent(&MBS_2020, "3.13.1", COMPARED_2020);
}

/// R8: the 2016 edition does not say so, and the table's policy is cited as such.
#[test]
fn mbs_2016_r8_the_hand_of_an_absent_player_is_set_by_the_tables_policy() {
    absent(&MBS_2016, "table policy", COMPARED_2016);
}

/// Whoever has time left is not absent, and staff of no role set their hand.
#[test]
fn mbs_2020_3_13_1_nobody_is_absent_while_their_time_runs() {
    let position = Position(1);
    let set = Action::SetHouseWay { position };
    let offered = |night: &Night, by: Actor| {
        let offers = houseway_table::options(&night.table, by.person, by.role, night.now);
        offers.contains(&houseway_table::Offer::SetHouseWay { position })
    };
    let all = [Role::Dealer, Role::PitSupervisor, Role::PitManager, Role::GamingShiftManager];
    for by in all.map(staff) {
        let mut night = timed(&MBS_2020);
        for now in [0, 1000] {
            night.now = now;
            refused(&mut night, by, set.clone(), "time is not up (3.13.1)");
            assert!(!offered(&night, by) && offered(&night, player(1)), "at {now}");
        }
        night.now = 1001;
        assert!(offered(&night, by) && !offered(&night, player(1)));
        assert_eq!(done(&mut night, by, set.clone()), ["1 set absent Kh Qs (3.13.1)"]);
    }
    // In time it is the player's own to leave it to the sheet.
    let mut night = timed(&MBS_2020);
    night.now = 1000;
    assert_eq!(done(&mut night, player(1), set), ["1 set houseway Kh Qs (A.1)"]);
}

/// An absent player on several areas has looked at none: all are set.
#[test]
fn mbs_2020_3_13_1_every_hand_of_an_absent_player_is_set() {
    let mut night = Night::with(&MBS_2020, |posted| posted.time.setting = Some(1000));
    night.seat(1, 500);
    night.seat_at(1, 4, 0);
    night.open();
    night.standard(1, 100);
    night.place(1, 4, Wager::Standard, 30);
    night.close();
    night.deal(0, &[(at(1), ACES), (at(4), KINGS), (Spot::Dealer, JACKS)]);
    night.now = 1001;
    let set = done(&mut night, DEALER, Action::TimeUp);
    assert_eq!(
        set,
        ["1 set absent Kh Qs (3.13.1)", "4 set absent 9s 8h (3.13.1)", "dealer set Qh Tc (A.1)",]
    );
    night.settle();
    stacks(&night, &[(1, 595)]);
}

const WHEEL: &str = "Ac 2d 3h 4s 5c Kd Qh";
const SIX_HIGH: &str = "6c 5d 4h 3s 2c Jd 9h";

/// 3.9 with R11: the lowest straight, so that the Low hand alone wins.
#[test]
fn mbs_2016_3_9_the_ace_to_five_is_the_lowest_straight() {
    assert_eq!(against(&MBS_2016, WHEEL, SIX_HIGH), TIE_2016);
}

#[test]
fn mbs_2020_3_4_1_1_the_ace_to_five_is_the_lowest_straight() {
    assert_eq!(against(&MBS_2020, WHEEL, SIX_HIGH), STANDOFF_2020);
}

const QUEENS_KING_LOW: &str = "Qc Qd Kh 9s 8c 5d 3h";
const JACKS_ACE_LOW: &str = "Js Jh Ac 9d 8h 5c 2s";

#[test]
fn mbs_2020_3_4_1_the_ace_is_the_highest_card() {
    // Queens beat jacks; Low, king and nine lose to ace and nine.
    assert_eq!(against(&MBS_2020, QUEENS_KING_LOW, JACKS_ACE_LOW), STANDOFF_2020);
}

#[test]
fn mbs_2020_3_4_1_2_the_joker_is_the_card_it_replaces_or_an_ace() {
    // Ten to six with the joker as the ten beats nine to five; as a five it would not.
    let straight = against(&MBS_2020, "Jk 9c 8d 7h 6s Kc 2d", "9h 8c 7d 6c 5d Qs 3h");
    assert_eq!(straight, WIN_2020);
    // Completing nothing it leads the Low hand as an ace.
    let ace = against(&MBS_2020, "Kc Kd Jk 9s 8c 5d 3h", "Qc Qd Kh Jh 9d 5c 3s");
    assert_eq!(ace, WIN_2020);
}

#[test]
fn mbs_2020_3_4_1_3_no_suit_outranks_another() {
    let (spades, clubs) = ("Ks Kh Qs 9s 8h 5s 3h", "Kc Kd Qc 9c 8d 5c 3d");
    let copied = "1 standard lose -$20 (3.19 1.1.1)";
    assert_eq!(against(&MBS_2020, spades, clubs), copied);
    assert_eq!(against(&MBS_2020, clubs, spades), copied);
}

const QUEEN_STRAIGHT: &str = "Qc Jd Th 9s 8c Ad 3h";
const TEN_STRAIGHT: &str = "Tc 9d 8h 7s 6c Kh 2s";

#[test]
fn mbs_2016_3_9_1_1_the_straight_with_the_higher_top_wins() {
    assert_eq!(against(&MBS_2016, QUEEN_STRAIGHT, TEN_STRAIGHT), WIN_2016);
    assert_eq!(against(&MBS_2016, TEN_STRAIGHT, QUEEN_STRAIGHT), LOSE_2016);
}

#[test]
fn mbs_2020_3_14_1_1_the_straight_with_the_higher_top_wins() {
    assert_eq!(against(&MBS_2020, QUEEN_STRAIGHT, TEN_STRAIGHT), WIN_2020);
    assert_eq!(against(&MBS_2020, TEN_STRAIGHT, QUEEN_STRAIGHT), LOSE_2020);
}

const EIGHTS_QUEEN: &str = "8c 8d Qh Ts 2c Ad Kh";
const EIGHTS_JACK: &str = "8h 8s Jh 9s 7c Ac Qd";

#[test]
fn mbs_2016_3_9_1_2_between_equal_pairs_the_next_card_decides() {
    assert_eq!(against(&MBS_2016, EIGHTS_QUEEN, EIGHTS_JACK), WIN_2016);
    assert_eq!(against(&MBS_2016, EIGHTS_JACK, EIGHTS_QUEEN), LOSE_2016);
}

#[test]
fn mbs_2020_3_14_1_2_between_equal_pairs_the_next_card_decides() {
    assert_eq!(against(&MBS_2020, EIGHTS_QUEEN, EIGHTS_JACK), WIN_2020);
    assert_eq!(against(&MBS_2020, EIGHTS_JACK, EIGHTS_QUEEN), LOSE_2020);
}

/// By the sheet A-10-8-4-2 with king and queen Low, and A-10-7-4-2 with king and jack Low.
const ACE_TEN_EIGHT: &str = "Ac Kd Qh Ts 8c 4d 2h";
const ACE_TEN_SEVEN: &str = "Ad Kh Js Tc 7d 4h 2s";

#[test]
fn mbs_2016_3_9_1_3_without_a_pair_the_first_card_that_differs_decides() {
    assert_eq!(against(&MBS_2016, ACE_TEN_EIGHT, ACE_TEN_SEVEN), WIN_2016);
    assert_eq!(against(&MBS_2016, ACE_TEN_SEVEN, ACE_TEN_EIGHT), LOSE_2016);
}

#[test]
fn mbs_2020_3_14_1_3_without_a_pair_the_first_card_that_differs_decides() {
    assert_eq!(against(&MBS_2020, ACE_TEN_EIGHT, ACE_TEN_SEVEN), WIN_2020);
    assert_eq!(against(&MBS_2020, ACE_TEN_SEVEN, ACE_TEN_EIGHT), LOSE_2020);
}

/// Kings with a pair of twos Low, and queens with ace and king Low.
const TWOS_LOW: &str = "Ks Kc 2c 2d Jh 9s 7d";
const ACE_KING_LOW: &str = "Qc Qd Ac Kh 9h 5d 3s";

#[test]
fn mbs_2016_3_10_the_lowest_pair_beats_ace_and_king() {
    assert_eq!(against(&MBS_2016, TWOS_LOW, ACE_KING_LOW), WIN_2016);
    assert_eq!(against(&MBS_2016, ACE_KING_LOW, TWOS_LOW), LOSE_2016);
}

#[test]
fn mbs_2020_3_15_the_lowest_pair_beats_ace_and_king() {
    assert_eq!(against(&MBS_2020, TWOS_LOW, ACE_KING_LOW), WIN_2020);
    assert_eq!(against(&MBS_2020, ACE_KING_LOW, TWOS_LOW), LOSE_2020);
}

#[test]
fn mbs_2016_3_9_a_flush_beats_a_straight_and_three_of_a_kind_loses_to_both() {
    categories(&MBS_2016, WIN_2016, LOSE_2016);
}

#[test]
fn mbs_2020_3_14_a_flush_beats_a_straight_and_three_of_a_kind_loses_to_both() {
    categories(&MBS_2020, WIN_2020, LOSE_2020);
}

fn categories(rules: &Rulebook, win: &str, lose: &str) {
    // Low: ace and king, ace and queen, king and queen.
    let flush = "Th 8h 6h 5h 3h As Kd";
    let straight = "9s 8d 7c 6d 5c Ad Qc";
    let trips = "4c 4d 4s Kc Qs 8s 2c";
    for (higher, lower) in [(flush, straight), (straight, trips), (flush, trips)] {
        assert_eq!(against(rules, higher, lower), win);
        assert_eq!(against(rules, lower, higher), lose);
    }
}

/// 3.11 to 3.14: each player is compared with the dealer, High with High and Low with Low.
#[test]
fn mbs_2016_3_11_each_player_is_compared_with_the_dealer() {
    each_player_is_compared(&MBS_2016, ["3.12", "3.13", "3.14"]);
}

#[test]
fn mbs_2020_3_17_each_player_is_compared_with_the_dealer() {
    each_player_is_compared(&MBS_2020, ["3.18", "3.19", "3.20"]);
}

fn each_player_is_compared(rules: &Rulebook, [win, lose, tie]: [&str; 3]) {
    let mut night = Night::new(rules);
    for person in [1, 2, 3] {
        night.seat(person, 500);
    }
    night.open();
    for person in [3, 1, 2] {
        night.standard(person, 100 * person);
    }
    night.close();
    let hands = [(at(1), ACES), (at(2), TEN), (at(3), KINGS), (Spot::Dealer, JACKS)];
    night.deal(0, &hands);
    let lines = finish(&mut night);
    assert_eq!(
        told(&lines),
        [
            format!("1 standard win +$100 back $100 commission $5 ({win} 4.1.1)"),
            format!("2 standard lose -$200 ({lose})"),
            format!("3 standard push back $300 ({tie})"),
        ]
    );
    stacks(&night, &[(1, 595), (2, 300), (3, 500)]);
    // What the house lost and won is all that changed.
    assert_eq!(night.table.money(), dollars(1395));
}

#[test]
fn mbs_2016_3_12_the_player_wins_when_both_hands_are_higher() {
    assert_eq!(against(&MBS_2016, ACES, JACKS), WIN_2016);
}

#[test]
fn mbs_2016_3_13_the_player_loses_when_both_hands_are_lower() {
    assert_eq!(against(&MBS_2016, TEN, JACKS), LOSE_2016);
}

#[test]
fn mbs_2016_3_14_one_hand_won_and_one_lost_is_a_tie() {
    assert_eq!(against(&MBS_2016, KINGS, JACKS), TIE_2016);
    // The other way round: tens lose to jacks, king and nine beat queen and ten.
    assert_eq!(against(&MBS_2016, "Ts Td Kh 9s 8c 5d 3h", JACKS), TIE_2016);
}

#[test]
fn mbs_2020_3_18_the_player_wins_when_both_hands_are_higher() {
    assert_eq!(against(&MBS_2020, ACES, JACKS), WIN_2020);
}

#[test]
fn mbs_2020_3_19_the_player_loses_when_both_hands_are_lower() {
    assert_eq!(against(&MBS_2020, TEN, JACKS), LOSE_2020);
}

#[test]
fn mbs_2020_3_20_one_hand_won_and_one_lost_is_a_standoff() {
    assert_eq!(against(&MBS_2020, KINGS, JACKS), STANDOFF_2020);
    assert_eq!(against(&MBS_2020, "Ts Td Kh 9s 8c 5d 3h", JACKS), STANDOFF_2020);
}

#[test]
fn mbs_2016_3_15_equal_hands_are_the_dealers() {
    copies(&MBS_2016, ["3.13", "3.14", "3.15"]);
}

/// 1.1.1 of the 2016 edition only says what a copy is; 3.15 gives it to the dealer.
#[test]
fn mbs_2020_1_1_1_equal_hands_are_the_dealers() {
    copies(&MBS_2020, ["3.19", "3.20", "1.1.1"]);
}

fn copies(rules: &Rulebook, [lose, tie, copy]: [&str; 3]) {
    let kings = "Kc Kd Qh 9s 8c 5d 3h";
    let both = against(rules, kings, "Ks Kh Qc 9d 8h 5c 3d");
    assert_eq!(both, format!("1 standard lose -$20 ({lose} {copy})"));
    let won_high = against(rules, "Ac Ad Qh 9s 8c 5d 3h", "Ks Kh Qc 9d 8h 5c 3d");
    assert_eq!(won_high, format!("1 standard push back $20 ({tie} {copy})"));
    let lost_high = against(rules, kings, "As Ah Qc 9d 8h 5c 3d");
    assert_eq!(lost_high, format!("1 standard lose -$20 ({lose} {copy})"));
    // High a copy, Low won: king and jack against queen and jack beside aces and 9-5-3.
    let won_low = against(rules, "Ac Ad Kh Js 9c 5d 3h", "As Ah Qc Jd 9h 5c 3d");
    assert_eq!(won_low, format!("1 standard push back $20 ({tie} {copy})"));
}

// Conceding.

#[test]
fn mbs_2020_3_16_once_the_dealers_hand_is_shown_a_player_may_concede() {
    let mut night = in_hand(&MBS_2020);
    let words = night.refused(player(1), concede(1));
    assert!(words.starts_with("not at this moment of the round"), "{words}");
    night.set_all();
    assert!(night.refused(player(1), concede(1)).starts_with("not at this moment of the round"));
    night.reveal();
    refused(&mut night, player(2), concede(1), "that is someone else's");
    refused(&mut night, player(2), concede(3), "there is no hand in play");
    // A hand that would have won is lost.
    assert_eq!(done(&mut night, player(1), concede(1)), ["1 conceded (3.16)"]);
    assert_eq!(
        told(&night.settle()),
        [
            "1 standard lose -$100 (3.16)",
            "1 fortune lose -$5 (4.1.2)",
            "2 standard lose -$50 (3.19)",
        ]
    );
    stacks(&night, &[(1, 395), (2, 450)]);
}

#[test]
fn mbs_2020_3_16_1_a_conceded_hand_does_not_come_back() {
    let mut night = in_hand(&MBS_2020);
    night.set_all();
    night.reveal();
    night.must(player(1), concede(1));
    assert!(night.refused(player(1), concede(1)).contains("(3.16"));
    let set = Action::Set { position: Position(1), low: cards("Kh Qs") };
    refused(&mut night, player(1), set, "not at this moment of the round");
    refused(&mut night, DEALER, Action::Reveal { low: None }, "not at this moment of the round");
    // Nor by setting the dealer's or the hand itself again.
    for spot in [Spot::Dealer, at(1)] {
        assert!(night.ask(DEALER, call_at(Incident::WrongHouseWay, spot)).is_err());
    }
    assert_eq!(told(&night.settle())[0], "1 standard lose -$100 (3.16)");
    stacks(&night, &[(1, 395), (2, 450)]);
}

#[test]
fn mbs_2020_3_16_1_is_named_when_a_conceded_hand_is_conceded_again() {
    let mut night = in_hand(&MBS_2020);
    night.set_all();
    night.reveal();
    night.must(player(1), concede(1));
    refused_by(&mut night, player(1), concede(1), "3.16.1");
}

#[test]
fn mbs_2020_3_16_is_named_when_a_hand_is_conceded_early() {
    let mut night = in_hand(&MBS_2020);
    refused_by(&mut night, player(1), concede(1), "3.16");
}

#[test]
fn mbs_2020_3_16_1_1_no_player_looks_at_a_conceded_hand() {
    let mut night = in_hand(&MBS_2020);
    night.set_all();
    night.reveal();
    night.must(player(1), concede(1));
    for by in [player(1), player(2), DEALER] {
        refused(&mut night, by, view(1), "not at this moment of the round");
    }
}

/// R12: the bonus is judged on the seven cards whatever becomes of the standard wager.
#[test]
fn mbs_2020_r12_a_conceded_hand_keeps_its_bonus() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.open();
    night.standard(1, 50);
    night.fortune(1, 5);
    night.close();
    night.deal(0, &[(at(1), "9d 8d 6d 5h 4d 2d Ts"), (Spot::Dealer, JACKS)]);
    night.set_all();
    night.reveal();
    night.must(player(1), concede(1));
    assert_eq!(
        told(&night.settle()),
        ["1 standard lose -$50 (3.16)", "1 fortune win +$20 back $5 (4.1.2)"]
    );
    stacks(&night, &[(1, 470)]);
}

/// R9: the 2016 edition has no conceding.
#[test]
fn mbs_2016_r9_no_hand_is_conceded() {
    let mut night = in_hand(&MBS_2016);
    night.set_all();
    night.reveal();
    refused(&mut night, player(2), concede(2), "not at this moment of the round (R9)");
    night.settle();
    stacks(&night, &[(1, 590), (2, 450)]);
}

// The bonus and Envy.

/// Hands with what each pays to 1, in the order of the table.
const PAY_TABLE: [(&str, u32); 11] = [
    (CLUBS, 2500),
    (DIAMOND_MATCH, 1000),
    ("Jc Tc 9c Jk 7c 6c 5c", 500),
    ("Ac Ad Ah As Jk 9c 4d", 250),
    ("Ad Kd Qd Jd Td 7c 2s", 100),
    ("9h 8h 7h 6h 5h 2c Kd", 50),
    ("8c 8d 8h 8s Kc 5d 2h", 20),
    ("8c 8d 8h Ks Kc 5d 2h", 5),
    ("Kc Jc 8c 5c 2c 9d 3h", 4),
    ("8c 8d 8h Ks Jc 5d 2h", 3),
    ("9c 8d 7h 6s 5c 2d Kh", 2),
];

/// The bonus line of a $3 wager on these cards.
fn bonus_of(rules: &Rulebook, hand: &str) -> String {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    night.open();
    night.standard(1, 10);
    night.fortune(1, 3);
    night.close();
    night.deal(0, &[(at(1), hand)]);
    let lines = finish(&mut night);
    assert_eq!(lines.len(), 2, "one player has no Envy: {lines:?}");
    let standard = lines[0].paid.get() + lines[0].back.get() - lines[0].commission.get();
    let bonus = lines[1].paid.get() + lines[1].back.get();
    assert_eq!(night.stack(1), Cents::new(48_700 + standard + bonus));
    told(&lines)[1].clone()
}

#[test]
fn mbs_2016_4_1_2_the_bonus_pays_by_the_table() {
    pays_by_the_table(&MBS_2016);
}

#[test]
fn mbs_2020_4_1_2_the_bonus_pays_by_the_table() {
    pays_by_the_table(&MBS_2020);
}

fn pays_by_the_table(rules: &Rulebook) {
    for (hand, pays) in PAY_TABLE {
        let line = format!("1 fortune win +{} back $3 (4.1.2)", dollars(3 * pays));
        assert_eq!(bonus_of(rules, hand), line, "{hand}");
    }
}

/// The best the table does not pay for: two and three pairs, a pair of aces with the joker.
#[test]
fn mbs_2016_3_16_a_bonus_without_a_paying_hand_loses() {
    for hand in ["Ac Ad Kh Ks 9c 5d 3h", "Ac Ad Kh Ks Qc Qd 3h", "Ac Jk Kh 9s 8c 5d 3h"] {
        assert_eq!(bonus_of(&MBS_2016, hand), "1 fortune lose -$3 (4.1.2)", "{hand}");
    }
}

#[test]
fn mbs_2020_3_21_a_bonus_without_a_paying_hand_loses() {
    for hand in ["Ac Ad Kh Ks 9c 5d 3h", "Ac Ad Kh Ks Qc Qd 3h", "Ac Jk Kh 9s 8c 5d 3h"] {
        assert_eq!(bonus_of(&MBS_2020, hand), "1 fortune lose -$3 (4.1.2)", "{hand}");
    }
}

/// In the royal flush the joker may stand, in the king and queen beside it not.
#[test]
fn mbs_2016_1_1_9_the_joker_has_no_part_in_the_low_hand_of_a_royal_match() {
    joker_in_a_royal_match(&MBS_2016);
}

#[test]
fn mbs_2020_1_1_9_the_joker_has_no_part_in_the_low_hand_of_a_royal_match() {
    joker_in_a_royal_match(&MBS_2020);
}

fn joker_in_a_royal_match(rules: &Rulebook) {
    let high = bonus_of(rules, "Ad Kd Qd Jd Jk Ks Qs");
    assert_eq!(high, "1 fortune win +$3,000 back $3 (4.1.2)");
    let low = bonus_of(rules, "Ad Kd Qd Jd Td Ks Jk");
    assert_eq!(low, "1 fortune win +$300 back $3 (4.1.2)");
}

#[test]
fn mbs_2016_3_17_a_bonus_with_a_paying_hand_wins_whatever_the_dealer_holds() {
    wins_whatever_the_dealer_holds(&MBS_2016, "3.13");
}

#[test]
fn mbs_2020_3_22_a_bonus_with_a_paying_hand_wins_whatever_the_dealer_holds() {
    wins_whatever_the_dealer_holds(&MBS_2020, "3.19");
}

/// Also 1.1.3: the dealer's seven-card straight flush takes the standard wager only.
fn wins_whatever_the_dealer_holds(rules: &Rulebook, lose: &str) {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    night.open();
    night.standard(1, 50);
    night.fortune(1, 5);
    night.close();
    night.deal(0, &[(at(1), "9d 8d 6d 5h 4d 2d Ts"), (Spot::Dealer, CLUBS)]);
    // However it is set: laid so that no flush is left.
    night.set(1, "9d 8d");
    night.reveal();
    assert_eq!(
        told(&night.settle()),
        [
            format!("1 standard lose -$50 ({lose})"),
            "1 fortune win +$20 back $5 (4.1.2)".to_string(),
        ]
    );
    stacks(&night, &[(1, 470)]);
}

/// A commission is exact to the cent (R6).
#[test]
fn mbs_2016_4_1_1_a_win_pays_even_money_less_five_percent() {
    even_money_less_five_percent(&MBS_2016, "3.12");
}

#[test]
fn mbs_2020_4_1_1_a_win_pays_even_money_less_five_percent() {
    even_money_less_five_percent(&MBS_2020, "3.18");
}

fn even_money_less_five_percent(rules: &Rulebook, win: &str) {
    for (wager, commission, after) in
        [(10, "$0.50", 200_950), (11, "$0.55", 201_045), (999, "$49.95", 294_905)]
    {
        let mut night = Night::new(rules);
        night.seat(1, 2000);
        night.open();
        night.standard(1, wager);
        // A bonus wager waives nothing here.
        night.fortune(1, 100);
        night.close();
        night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
        let lines = told(&finish(&mut night));
        assert_eq!(
            lines,
            [
                format!(
                    "1 standard win +${wager} back ${wager} commission {commission} ({win} 4.1.1)"
                ),
                "1 fortune lose -$100 (4.1.2)".to_string(),
            ]
        );
        assert_eq!(night.stack(1), Cents::new(after - 10_000));
    }
}

#[test]
fn mbs_2016_r6_wagers_are_whole_dollars() {
    wagers_are_whole_dollars(&MBS_2016);
}

#[test]
fn mbs_2020_r6_wagers_are_whole_dollars() {
    wagers_are_whole_dollars(&MBS_2020);
}

fn wagers_are_whole_dollars(rules: &Rulebook) {
    let mut night = Night::new(rules);
    night.seat(1, 500);
    night.open();
    let (position, amount) = (Position(1), Cents::new(1050));
    let odd = Action::Place { position, wager: Wager::Standard, amount, person: None };
    refused(&mut night, player(1), odd, "$10.50 is not whole dollars (R6)");
    let odd = Action::BringMoney { amount };
    refused(&mut night, player(1), odd, "$10.50 is not whole dollars (R6)");
    stacks(&night, &[(1, 500)]);
}

/// Everyone wagers $10, and those named $1 on the bonus; the hands are set the House Way. What each
/// gets of Envy, and the stacks move by just that.
fn envy(rules: &Rulebook, bonus: &[u32], hands: &[(Spot, &str)]) -> Vec<String> {
    let mut night = Night::new(rules);
    let positions: Vec<u32> = hands
        .iter()
        .filter_map(|(spot, _)| match spot {
            Spot::At(position) => Some(u32::from(position.0)),
            Spot::Dealer => None,
        })
        .collect();
    for &person in &positions {
        night.seat(person, 100);
    }
    night.open();
    for &person in &positions {
        night.standard(person, 10);
        if bonus.contains(&person) {
            night.fortune(person, 1);
        }
    }
    night.close();
    night.deal(0, hands);
    let lines = finish(&mut night);
    let told = told(&lines);
    let envy: Vec<String> = told.iter().filter(|line| line.contains(" envy ")).cloned().collect();
    assert!(told.ends_with(&envy), "Envy comes last: {told:?}");
    let won: u64 = lines.iter().map(|line| line.paid.get()).sum();
    let lost: u64 = lines.iter().map(|line| line.taken.get() + line.commission.get()).sum();
    let brought = 10_000 * positions.len() as u64;
    assert_eq!(night.table.money(), Cents::new(brought + won - lost));
    envy
}

fn envy_for_each_other(rules: &Rulebook, cite: &str) {
    // 3 has a bonus wager, 4 has none; 1 has none either, and its hand counts all the same.
    let hands = [
        (at(1), CLUBS),
        (at(2), DIAMOND_MATCH),
        (at(3), NOTHING),
        (at(4), "Ah Kc 9d 8d 5h 4h 3h"),
        (Spot::Dealer, THREES),
    ];
    assert_eq!(
        envy(rules, &[3], &hands),
        [format!("3 envy of 1 win +$250 ({cite})"), format!("3 envy of 2 win +$50 ({cite})")]
    );
    // Without a bonus wager nobody gets any; hands further down the table carry none.
    assert!(envy(rules, &[], &hands).is_empty());
    let lower = [
        (at(1), "Jc Tc 9c Jk 7c 6c 5c"),
        (at(2), "Ad Kd Qd Jd Td 8c 2c"),
        (at(3), "8h 7h 6d 4c 3s 5h 2s"),
        (Spot::Dealer, THREES),
    ];
    assert!(envy(rules, &[1, 2, 3], &lower).is_empty());
}

#[test]
fn mbs_2016_3_18_a_bonus_wager_gets_envy_for_each_hand_of_another_player() {
    envy_for_each_other(&MBS_2016, "3.18");
}

#[test]
fn mbs_2020_3_23_a_bonus_wager_gets_envy_for_each_hand_of_another_player() {
    envy_for_each_other(&MBS_2020, "3.23");
}

/// Every amount of one such round.
#[test]
fn mbs_2020_3_23_envy_is_paid_beside_the_other_wagers() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(3, 500);
    night.open();
    night.standard(1, 10);
    night.fortune(1, 2);
    night.standard(3, 20);
    night.fortune(3, 1);
    night.close();
    night.deal(0, &[(at(1), CLUBS), (at(3), NOTHING), (Spot::Dealer, THREES)]);
    assert_eq!(
        told(&finish(&mut night)),
        [
            "1 standard win +$10 back $10 commission $0.50 (3.18 4.1.1)",
            "1 fortune win +$5,000 back $2 (4.1.2)",
            "3 standard lose -$20 (3.19)",
            "3 fortune lose -$1 (4.1.2)",
            "3 envy of 1 win +$250 (3.23)",
        ]
    );
    assert_eq!(night.stack(1), Cents::new(550_950));
    stacks(&night, &[(3, 729)]);
}

fn no_envy_beside_the_dealers(rules: &Rulebook, cite: &str) {
    let nothing = "8d 7d 6h 4c 3s 2c 2d";
    let threes = "3c 3d 9h 7h 6s 4s 2h";
    let held = [
        ("Ad Kd Qd Jd Td Kh Qh", SPADES, "$50"),
        ("Ad Kd Qd Jd Td Ks Qs", HEART_MATCH, "$50"),
        (CLUBS, SPADES, "$250"),
        (CLUBS, HEART_MATCH, "$250"),
    ];
    for (own, dealers, amount) in held {
        let beside = |dealer| [(at(1), own), (at(3), nothing), (Spot::Dealer, dealer)];
        assert_eq!(envy(rules, &[1, 3], &beside(dealers)), Vec::<String>::new(), "{dealers}");
        // The dealer's hand is all that stands between.
        let paid = format!("3 envy of 1 win +{amount} ({cite})");
        assert_eq!(envy(rules, &[1, 3], &beside(threes)), [paid]);
    }
}

#[test]
fn mbs_2016_3_18_1_1_nobody_gets_envy_when_the_dealer_holds_such_a_hand() {
    no_envy_beside_the_dealers(&MBS_2016, "3.18");
}

#[test]
fn mbs_2020_3_24_1_nobody_gets_envy_when_the_dealer_holds_such_a_hand() {
    no_envy_beside_the_dealers(&MBS_2020, "3.23");
}

/// Two natural seven-card straight flushes, and a third player with nothing.
fn no_envy_with_a_straight_flush(rules: &Rulebook, cite: &str) {
    let hands = [(at(1), CLUBS), (at(2), SPADES), (at(3), NOTHING), (Spot::Dealer, THREES)];
    assert_eq!(
        envy(rules, &[1, 2, 3], &hands),
        [format!("3 envy of 1 win +$250 ({cite})"), format!("3 envy of 2 win +$250 ({cite})")]
    );
    // Nor for a royal match.
    let hands = [(at(1), CLUBS), (at(2), DIAMOND_MATCH), (at(3), NOTHING), (Spot::Dealer, THREES)];
    assert_eq!(
        envy(rules, &[1], &hands),
        Vec::<String>::new(),
        "1 holds a natural seven-card straight flush"
    );
}

#[test]
fn mbs_2016_3_18_1_2_a_natural_seven_card_straight_flush_gets_no_envy() {
    no_envy_with_a_straight_flush(&MBS_2016, "3.18");
}

#[test]
fn mbs_2020_3_24_2_a_natural_seven_card_straight_flush_gets_no_envy() {
    no_envy_with_a_straight_flush(&MBS_2020, "3.23");
}

/// 1 and 2 hold royal matches; first nobody, then 3 holds a natural seven-card straight flush.
fn a_match_gets_envy_for_more_only(rules: &Rulebook, cite: &str) {
    let hands =
        [(at(1), DIAMOND_MATCH), (at(2), HEART_MATCH), (at(3), NOTHING), (Spot::Dealer, THREES)];
    assert_eq!(
        envy(rules, &[1, 2, 3], &hands),
        [format!("3 envy of 1 win +$50 ({cite})"), format!("3 envy of 2 win +$50 ({cite})")]
    );
    let hands =
        [(at(1), DIAMOND_MATCH), (at(2), HEART_MATCH), (at(3), CLUBS), (Spot::Dealer, THREES)];
    assert_eq!(
        envy(rules, &[1, 2, 3], &hands),
        [format!("1 envy of 3 win +$250 ({cite})"), format!("2 envy of 3 win +$250 ({cite})")]
    );
}

#[test]
fn mbs_2016_3_18_1_3_a_royal_match_gets_envy_for_a_straight_flush_only() {
    a_match_gets_envy_for_more_only(&MBS_2016, "3.18");
}

#[test]
fn mbs_2020_3_24_3_a_royal_match_gets_envy_for_a_straight_flush_only() {
    a_match_gets_envy_for_more_only(&MBS_2020, "3.23");
}

/// R13: a player's own second position is nobody else's, and who sits twice gets Envy once.
#[test]
fn mbs_2020_r13_envy_is_for_other_players_and_once_for_each_hand() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat_at(1, 4, 0);
    night.seat(2, 500);
    night.seat_at(2, 5, 0);
    night.open();
    for (person, position) in [(1, 1), (1, 4), (2, 2), (2, 5)] {
        night.place(person, position, Wager::Standard, 10);
        night.place(person, position, Wager::Fortune, 1);
    }
    night.close();
    let hands = [
        (at(1), NOTHING),
        (at(4), DIAMOND_MATCH),
        (at(2), "Ah Kc 9d 8d 5h 4h 3h"),
        (at(5), "As Kh 8s 5d 5s 4d Jh"),
        (Spot::Dealer, THREES),
    ];
    night.deal(0, &hands);
    let told = told(&finish(&mut night));
    let envy: Vec<&String> = told.iter().filter(|line| line.contains(" envy ")).collect();
    assert_eq!(envy, ["2 envy of 4 win +$50 (3.23)"]);
}

/// A seated player with a share of a bonus wager has wagered on the bonus.
#[test]
fn mbs_2020_3_23_a_share_of_a_bonus_wager_gets_envy() {
    let mut night = Night::new(&MBS_2020);
    for person in [1, 2, 3] {
        night.seat(person, 500);
    }
    night.open();
    for person in [1, 2, 3] {
        night.standard(person, 10);
    }
    night.place(2, 1, Wager::Standard, 10);
    night.place(2, 1, Wager::Fortune, 5);
    night.close();
    let hands =
        [(at(1), NOTHING), (at(2), "Ah Kc 9d 8d 5h 4h 3h"), (at(3), CLUBS), (Spot::Dealer, THREES)];
    night.deal(0, &hands);
    let told = told(&finish(&mut night));
    let envy: Vec<&String> = told.iter().filter(|line| line.contains(" envy ")).collect();
    assert_eq!(envy, ["2 envy of 3 win +$250 (3.23)"]);
}

#[test]
fn mbs_2020_3_23_a_seated_player_who_only_shares_gets_envy() {
    let mut night = Night::new(&MBS_2020);
    for person in [1, 2, 3] {
        night.seat(person, 500);
    }
    night.open();
    night.standard(1, 10);
    night.standard(3, 10);
    night.place(2, 1, Wager::Standard, 10);
    night.place(2, 1, Wager::Fortune, 5);
    night.close();
    night.deal(0, &[(at(1), NOTHING), (at(3), CLUBS), (Spot::Dealer, THREES)]);
    let told = told(&finish(&mut night));
    let envy: Vec<&String> = told.iter().filter(|line| line.contains(" envy ")).collect();
    assert_eq!(envy, ["2 envy of 3 win +$250 (3.23)"]);
}

// Irregularities.

#[test]
fn mbs_2016_5_1_a_foreign_card_voids_the_round() {
    voids(&mut in_hand(&MBS_2016), DEALER, call(Incident::ForeignCard), "5.1");
}

#[test]
fn mbs_2016_5_5_a_card_too_many_or_too_few_voids_the_round() {
    voids(&mut in_hand(&MBS_2016), DEALER, call(Incident::CardCount), "5.5");
}

#[test]
fn mbs_2020_5_1_a_foreign_extra_or_missing_card_or_unshuffled_cards_void_the_round() {
    for what in [Incident::ForeignCard, Incident::CardCount, Incident::Unshuffled] {
        voids(&mut in_hand(&MBS_2020), DEALER, call(what), "5.1");
        // As late as when all hands lie open.
        let mut night = in_hand(&MBS_2020);
        night.set_all();
        night.reveal();
        night.must(player(2), concede(2));
        voids(&mut night, DEALER, call(what), "5.1");
        // A player cannot call it.
        let mut night = in_hand(&MBS_2020);
        refused(&mut night, player(1), call(what), "that takes a dealer or higher (5.1)");
    }
}

/// What only the later edition has a rule for cannot be called at a table under the earlier one.
#[test]
fn mbs_2016_has_none_of_5_7_to_5_18_of_the_2020_edition() {
    let mut night = in_hand(&MBS_2016);
    let none = "the rulebook has no such irregularity";
    for what in [
        Incident::Unshuffled,
        Incident::PlayerHandSize,
        Incident::NoCards,
        Incident::NoWager,
        Incident::Dissatisfied,
        Incident::DeviceCount,
        Incident::UnderMinimum,
        Incident::OverMaximum,
        Incident::EarlierRounds,
        Incident::HandShown,
        Incident::SecondViewed,
        Incident::WrongHouseWay,
        Incident::WrongHouseWayLater,
        Incident::PowerFailureOpen,
        Incident::NotCovered,
    ] {
        let by = staff(Role::GamingShiftManager);
        refused(&mut night, by, call_at(what, at(1)), none);
    }
    plays_on(&mut night, COMPARED_2016);
}

#[test]
fn mbs_2016_5_1_earlier_rounds_stand() {
    earlier_rounds_stand(&MBS_2016, COMPARED_2016);
}

#[test]
fn mbs_2020_5_1_earlier_rounds_stand() {
    earlier_rounds_stand(&MBS_2020, COMPARED_2020);
}

fn earlier_rounds_stand(rules: &Rulebook, compared: [&str; 2]) {
    let mut night = in_hand(rules);
    plays_on(&mut night, compared);
    let first = night.table.past().cloned();
    // Between rounds there is none to void.
    refused(&mut night, DEALER, call(Incident::ForeignCard), "not at this moment of the round");
    night.open();
    night.standard(1, 200);
    night.standard(2, 300);
    night.close();
    stacks(&night, &[(1, 390), (2, 150)]);
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    assert_eq!(done(&mut night, DEALER, call(Incident::ForeignCard)), ["void (5.1)"]);
    stacks(&night, &[(1, 590), (2, 450)]);
    assert_eq!(night.table.past().cloned(), first);
    // And the next round is played as any other.
    night.open();
    night.standard(1, 100);
    assert_eq!(night.table.round(), 3);
}

fn dealt_wrongly(rules: &Rulebook) {
    voids(&mut in_hand(rules), DEALER, call(Incident::WronglyDealt), "5.2");
}

#[test]
fn mbs_2016_5_2_a_wrong_deal_voids_the_round() {
    dealt_wrongly(&MBS_2016);
}

#[test]
fn mbs_2020_5_2_a_wrong_deal_voids_the_round() {
    dealt_wrongly(&MBS_2020);
}

fn moving_hands_repairs(rules: &Rulebook, [win, lose]: [&str; 2]) {
    let mut night = in_hand(rules);
    let swap = |a, b| repaired(Incident::WronglyDealt, None, Repair::Swap(a, b));
    refused(&mut night, DEALER, swap(at(1), at(1)), "there is no hand in play (5.2)");
    refused(&mut night, DEALER, swap(at(1), at(5)), "there is no hand in play (5.2)");
    let no_hand = repaired(Incident::WronglyDealt, Some(at(1)), Repair::Swap(at(1), at(2)));
    refused(&mut night, DEALER, no_hand, "it is about no single hand (5.2)");
    let mended = repaired(Incident::WronglyDealt, None, Repair::Reconstruct);
    refused(&mut night, DEALER, mended, "it is not put right like that (5.2)");
    let moved = done(&mut night, DEALER, swap(at(1), at(2)));
    assert_eq!(moved, ["1 and 2 swapped (5.2)"]);
    // The dealer's hand is one of them.
    let moved = done(&mut night, DEALER, swap(Spot::Dealer, at(1)));
    assert_eq!(moved, ["dealer and 1 swapped (5.2)"]);
    // Now 1 has the jacks, 2 the aces, the dealer the ten.
    let lines = finish(&mut night);
    assert_eq!(
        told(&lines),
        [
            format!("1 standard win +$100 back $100 commission $5 ({win} 4.1.1)"),
            "1 fortune lose -$5 (4.1.2)".to_string(),
            format!("2 standard win +$50 back $50 commission $2.50 ({win} 4.1.1)"),
        ],
        "nobody loses by {lose}"
    );
    assert_eq!((night.stack(1), night.stack(2)), (dollars(590), Cents::new(54750)));
}

#[test]
fn mbs_2016_5_2_moving_whole_hands_repairs_a_wrong_deal() {
    moving_hands_repairs(&MBS_2016, COMPARED_2016);
}

#[test]
fn mbs_2020_5_2_moving_whole_hands_repairs_a_wrong_deal() {
    moving_hands_repairs(&MBS_2020, COMPARED_2020);
}

fn no_hand_moves_once_handled(rules: &Rulebook) {
    let mut night = in_hand(rules);
    night.must(player(2), view(2));
    let swap = repaired(Incident::WronglyDealt, None, Repair::Swap(at(1), Spot::Dealer));
    refused(&mut night, DEALER, swap, "a player has handled the cards (5.2)");
}

#[test]
fn mbs_2016_5_2_no_hand_moves_once_a_player_has_handled_cards() {
    no_hand_moves_once_handled(&MBS_2016);
}

#[test]
fn mbs_2020_5_2_no_hand_moves_once_a_player_has_handled_cards() {
    no_hand_moves_once_handled(&MBS_2020);
}

fn wrong_deal_once_handled(rules: &Rulebook) {
    let mut night = in_hand(rules);
    night.must(player(2), view(2));
    refused_by(&mut night, DEALER, call(Incident::WronglyDealt), "5.2");
    stacks(&night, &[(1, 395), (2, 450)]);
}

#[test]
fn mbs_2016_5_2_holds_only_while_no_player_has_handled_cards() {
    wrong_deal_once_handled(&MBS_2016);
}

#[test]
fn mbs_2020_5_2_holds_only_while_no_player_has_handled_cards() {
    wrong_deal_once_handled(&MBS_2020);
}

fn wrong_deal_before_the_deal(rules: &Rulebook) {
    for what in [Incident::WronglyDealt, Incident::TwoExposed, Incident::BankerHandSize] {
        let mut night = Night::new(rules);
        night.seat(1, 500);
        night.open();
        night.standard(1, 100);
        assert!(night.ask(DEALER, call(what)).is_err(), "{what:?} before any card is dealt");
        stacks(&night, &[(1, 400)]);
    }
}

#[test]
fn mbs_2016_5_2_needs_a_deal() {
    wrong_deal_before_the_deal(&MBS_2016);
}

#[test]
fn mbs_2020_5_2_needs_a_deal() {
    wrong_deal_before_the_deal(&MBS_2020);
}

fn dealers_hand_size(rules: &Rulebook, compared: [&str; 2]) {
    voids(&mut in_hand(rules), DEALER, call(Incident::BankerHandSize), "5.3");
    let mut night = in_hand(rules);
    night.set_all();
    night.reveal();
    voids(&mut night, DEALER, call(Incident::BankerHandSize), "5.3");
    // Put together again, it plays.
    let mut night = in_hand(rules);
    let again = repaired(Incident::BankerHandSize, None, Repair::Reconstruct);
    assert_eq!(done(&mut night, DEALER, again), ["noted BankerHandSize (5.3)"]);
    plays_on(&mut night, compared);
}

#[test]
fn mbs_2016_5_3_a_dealers_hand_of_other_than_seven_cards_voids_the_round() {
    dealers_hand_size(&MBS_2016, COMPARED_2016);
}

#[test]
fn mbs_2020_5_3_a_dealers_hand_of_other_than_seven_cards_voids_the_round() {
    dealers_hand_size(&MBS_2020, COMPARED_2020);
}

fn dealers_hand_size_after_settling(rules: &Rulebook, compared: [&str; 2]) {
    let mut night = in_hand(rules);
    plays_on(&mut night, compared);
    night.must(DEALER, call(Incident::BankerHandSize));
    stacks(&night, &[(1, 500), (2, 500)]);
}

#[test]
fn mbs_2016_5_3_found_before_the_next_round_is_in_time() {
    dealers_hand_size_after_settling(&MBS_2016, COMPARED_2016);
}

#[test]
fn mbs_2020_5_3_found_before_the_next_round_is_in_time() {
    dealers_hand_size_after_settling(&MBS_2020, COMPARED_2020);
}

/// A hand put together again plays, in the round and right after it; without a round there is none.
fn reconstructed_in_time(rules: &Rulebook, compared: [&str; 2]) {
    let again = repaired(Incident::BankerHandSize, None, Repair::Reconstruct);
    let mut night = Night::new(rules);
    let never = "not at this moment of the round (5.3)";
    refused(&mut night, DEALER, again.clone(), never);
    refused(&mut night, DEALER, call(Incident::BankerHandSize), never);
    let mut night = in_hand(rules);
    plays_on(&mut night, compared);
    assert_eq!(done(&mut night, DEALER, again.clone()), ["noted BankerHandSize (5.3)"]);
    stacks(&night, &[(1, 590), (2, 450)]);
    night.open();
    refused(&mut night, DEALER, again.clone(), never);
    // A round that was void came between.
    night.standard(1, 10);
    night.must(DEALER, call(Incident::ForeignCard));
    refused(&mut night, DEALER, again, never);
}

#[test]
fn mbs_2016_5_3_is_noted_only_while_it_can_be_found() {
    reconstructed_in_time(&MBS_2016, COMPARED_2016);
}

#[test]
fn mbs_2020_5_3_is_noted_only_while_it_can_be_found() {
    reconstructed_in_time(&MBS_2020, COMPARED_2020);
}

fn dealers_hand_size_too_late(rules: &Rulebook, compared: [&str; 2]) {
    let mut night = in_hand(rules);
    plays_on(&mut night, compared);
    night.open();
    night.standard(1, 100);
    refused_by(&mut night, DEALER, call(Incident::BankerHandSize), "5.3");
    stacks(&night, &[(1, 490), (2, 450)]);
}

#[test]
fn mbs_2016_5_3_found_in_the_next_round_is_too_late() {
    dealers_hand_size_too_late(&MBS_2016, COMPARED_2016);
}

#[test]
fn mbs_2020_5_3_found_in_the_next_round_is_too_late() {
    dealers_hand_size_too_late(&MBS_2020, COMPARED_2020);
}

#[test]
fn mbs_2016_5_4_two_cards_exposed_in_the_deal_void_the_round() {
    voids(&mut in_hand(&MBS_2016), DEALER, call(Incident::TwoExposed), "5.4");
}

#[test]
fn mbs_2020_5_4_two_cards_exposed_in_the_deal_void_the_round() {
    voids(&mut in_hand(&MBS_2020), DEALER, call(Incident::TwoExposed), "5.4");
}

fn late_wager(rules: &Rulebook, clause: &str, compared: [&str; 2]) {
    let late = format!("time is up ({clause})");
    let mut night = closed(rules);
    night.must(player(3), Action::BringMoney { amount: dollars(100) });
    let tries = [
        (player(1), Night::placing(1, Wager::Standard, 150)),
        (player(2), Night::placing(2, Wager::Fortune, 5)),
        (player(1), Night::placing(1, Wager::Fortune, 6)),
        (DEALER, place_for(2, 2, Wager::Standard, 60)),
    ];
    for (by, action) in &tries {
        refused(&mut night, *by, action.clone(), &late);
    }
    refused(&mut night, DEALER, call(Incident::LateWager), &late);
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    for (by, action) in &tries {
        refused(&mut night, *by, action.clone(), &late);
    }
    night.set_all();
    night.reveal();
    for (by, action) in &tries {
        refused(&mut night, *by, action.clone(), &late);
    }
    let [win, lose] = compared;
    assert_eq!(
        told(&night.settle()),
        [
            format!("1 standard win +$100 back $100 commission $5 ({win} 4.1.1)"),
            "1 fortune lose -$5 (4.1.2)".to_string(),
            format!("2 standard lose -$50 ({lose})"),
        ]
    );
    stacks(&night, &[(1, 590), (2, 450), (3, 100)]);
}

#[test]
fn mbs_2016_5_6_nothing_is_placed_or_raised_after_no_more_bets() {
    late_wager(&MBS_2016, "5.6", COMPARED_2016);
}

#[test]
fn mbs_2020_5_5_nothing_is_placed_or_raised_after_no_more_bets() {
    late_wager(&MBS_2020, "5.5", COMPARED_2020);
}

fn late_withdrawal(rules: &Rulebook, clause: &str, compared: [&str; 2]) {
    let late = format!("time is up ({clause})");
    let mut night = closed(rules);
    refused(&mut night, player(2), withdraw(2, Wager::Standard), &late);
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    refused(&mut night, player(2), withdraw(2, Wager::Standard), &late);
    refused(&mut night, player(1), withdraw(1, Wager::Fortune), &late);
    // Chips that were taken off the layout are in the round all the same.
    let noted = done(&mut night, DEALER, call_at(Incident::LateWithdrawal, at(2)));
    assert_eq!(noted, [format!("noted LateWithdrawal ({clause})")]);
    stacks(&night, &[(1, 395), (2, 450)]);
    plays_on(&mut night, compared);
}

/// There must be a wager, and bets must be closed.
fn late_withdrawal_of_nothing(rules: &Rulebook, clause: &str) {
    let late = |at| call_at(Incident::LateWithdrawal, at);
    let not_now = format!("not at this moment of the round ({clause})");
    let mut night = Night::new(rules);
    refused(&mut night, DEALER, late(at(1)), &not_now);
    night.seat(1, 500);
    night.open();
    night.standard(1, 100);
    refused(&mut night, DEALER, late(at(1)), &not_now);
    night.close();
    let nothing = format!("there is no such bet, or nothing on it ({clause})");
    refused(&mut night, DEALER, late(at(2)), &nothing);
    let nobodys = call(Incident::LateWithdrawal);
    refused(&mut night, DEALER, nobodys, &format!("say whose hand it is about ({clause})"));
    assert_eq!(done(&mut night, DEALER, late(at(1))), [format!("noted LateWithdrawal ({clause})")]);
}

#[test]
fn mbs_2016_5_7_is_about_a_wager_that_lay_there() {
    late_withdrawal_of_nothing(&MBS_2016, "5.7");
}

#[test]
fn mbs_2020_5_6_is_about_a_wager_that_lay_there() {
    late_withdrawal_of_nothing(&MBS_2020, "5.6");
}

#[test]
fn mbs_2016_5_7_a_wager_withdrawn_late_is_settled_as_if_it_stood() {
    late_withdrawal(&MBS_2016, "5.7", COMPARED_2016);
}

#[test]
fn mbs_2020_5_6_a_wager_withdrawn_late_is_settled_as_if_it_stood() {
    late_withdrawal(&MBS_2020, "5.6", COMPARED_2020);
}

#[test]
fn mbs_2020_5_7_a_players_hand_of_other_than_seven_cards_is_out() {
    let mut night = in_hand(&MBS_2020);
    let nobodys = call(Incident::PlayerHandSize);
    refused(&mut night, DEALER, nobodys, "say whose hand it is about (5.7)");
    let nobody = call_at(Incident::PlayerHandSize, at(5));
    refused(&mut night, DEALER, nobody, "there is no hand in play (5.7)");
    let out = done(&mut night, DEALER, call_at(Incident::PlayerHandSize, at(1)));
    assert_eq!(
        out,
        [
            "$100 back to 1 from 1 standard (5.7)",
            "$5 back to 1 from 1 fortune (5.7)",
            "1 out (5.7)"
        ]
    );
    stacks(&night, &[(1, 500), (2, 450)]);
    let set = Action::Set { position: Position(1), low: cards("Kh Qs") };
    refused(&mut night, player(1), set, "there is no hand in play");
    // The others play on.
    assert_eq!(told(&finish(&mut night)), ["2 standard lose -$50 (3.19)"]);
    stacks(&night, &[(1, 500), (2, 450)]);
}

/// It is found as late as when all hands lie open, and each share goes back to its owner.
#[test]
fn mbs_2020_5_7_returns_every_share_to_its_owner() {
    let mut night = shared();
    night.set_all();
    night.reveal();
    let out = done(&mut night, DEALER, call_at(Incident::PlayerHandSize, at(1)));
    assert_eq!(
        out,
        [
            "$100 back to 1 from 1 standard (5.7)",
            "$20 back to 2 from 1 standard (5.7)",
            "$5 back to 1 from 1 fortune (5.7)",
            "$3 back to 2 from 1 fortune (5.7)",
            "1 out (5.7)",
        ]
    );
    stacks(&night, &[(1, 500), (2, 470)]);
    assert_eq!(told(&night.settle()), ["2 standard lose -$30 (3.19)"]);
    stacks(&night, &[(1, 500), (2, 470)]);
}

#[test]
fn mbs_2020_5_7_a_hand_put_together_again_plays() {
    let mut night = in_hand(&MBS_2020);
    let again = repaired(Incident::PlayerHandSize, Some(at(1)), Repair::Reconstruct);
    assert_eq!(done(&mut night, DEALER, again), ["noted PlayerHandSize (5.7)"]);
    plays_on(&mut night, COMPARED_2020);
}

#[test]
fn mbs_2020_5_7_found_before_the_next_round_is_in_time() {
    let mut night = in_hand(&MBS_2020);
    plays_on(&mut night, COMPARED_2020);
    night.must(DEALER, call_at(Incident::PlayerHandSize, at(2)));
    // What 2 lost is back; what 1 won stays.
    stacks(&night, &[(1, 590), (2, 500)]);
}

#[test]
fn mbs_2020_5_7_is_noted_only_about_a_hand_that_was_dealt() {
    let again = |spot| repaired(Incident::PlayerHandSize, Some(spot), Repair::Reconstruct);
    let mut night = Night::new(&MBS_2020);
    refused(&mut night, DEALER, again(at(1)), "not at this moment of the round");
    let mut night = in_hand(&MBS_2020);
    refused(&mut night, DEALER, again(at(5)), "there is no hand in play (5.7)");
    plays_on(&mut night, COMPARED_2020);
    refused(&mut night, DEALER, again(at(5)), "there is no hand in play (5.7)");
    assert_eq!(done(&mut night, DEALER, again(at(1))), ["noted PlayerHandSize (5.7)"]);
    stacks(&night, &[(1, 590), (2, 450)]);
}

/// With the last hand the round is over: nothing is left to play for.
#[test]
fn mbs_2020_5_7_ends_a_round_without_another_hand() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.open();
    night.standard(1, 100);
    night.close();
    night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    assert_eq!(
        done(&mut night, DEALER, call_at(Incident::PlayerHandSize, at(1))),
        ["$100 back to 1 from 1 standard (5.7)", "1 out (5.7)", "void (5.7)"]
    );
    assert_eq!(*night.table.phase(), Phase::Idle);
    stacks(&night, &[(1, 500)]);
}

#[test]
fn mbs_2020_5_7_found_in_the_next_round_is_too_late() {
    let mut night = in_hand(&MBS_2020);
    plays_on(&mut night, COMPARED_2020);
    night.open();
    night.standard(2, 40);
    assert!(night.ask(DEALER, call_at(Incident::PlayerHandSize, at(2))).is_err());
    stacks(&night, &[(1, 590), (2, 410)]);
}

#[test]
fn mbs_2020_5_8_a_wager_whose_position_got_no_cards_is_returned() {
    let mut night = in_hand(&MBS_2020);
    night.must(player(2), view(2));
    let out = done(&mut night, DEALER, call_at(Incident::NoCards, at(1)));
    assert_eq!(
        out,
        [
            "$100 back to 1 from 1 standard (5.8)",
            "$5 back to 1 from 1 fortune (5.8)",
            "1 out (5.8)"
        ]
    );
    stacks(&night, &[(1, 500), (2, 450)]);
    assert_eq!(told(&finish(&mut night)), ["2 standard lose -$50 (3.19)"]);
    stacks(&night, &[(1, 500), (2, 450)]);
}

#[test]
fn mbs_2020_5_8_holds_only_once_a_player_has_looked() {
    let mut night = in_hand(&MBS_2020);
    refused_by(&mut night, DEALER, call_at(Incident::NoCards, at(1)), "5.8");
    stacks(&night, &[(1, 395), (2, 450)]);
}

#[test]
fn mbs_2020_5_9_cards_of_a_position_without_a_wager_are_discarded() {
    let mut night = in_hand(&MBS_2020);
    night.must(player(2), view(2));
    let noted = done(&mut night, DEALER, call_at(Incident::NoWager, at(5)));
    assert_eq!(noted, ["noted NoWager (5.9)"]);
    plays_on(&mut night, COMPARED_2020);
}

#[test]
fn mbs_2020_5_9_holds_only_once_a_player_has_looked() {
    let mut night = in_hand(&MBS_2020);
    refused_by(&mut night, DEALER, call_at(Incident::NoWager, at(5)), "5.9");
}

#[test]
fn mbs_2020_5_9_is_about_a_position_without_a_wager() {
    let mut night = in_hand(&MBS_2020);
    night.must(player(2), view(2));
    let wagered = call_at(Incident::NoWager, at(1));
    refused(&mut night, DEALER, wagered, "the position has a wager (5.9)");
    for nowhere in [at(0), at(7)] {
        let call = call_at(Incident::NoWager, nowhere);
        refused(&mut night, DEALER, call, "there is no such position (5.9)");
    }
    for nobodys in [call(Incident::NoWager), call_at(Incident::NoWager, Spot::Dealer)] {
        refused(&mut night, DEALER, nobodys, "say whose hand it is about (5.9)");
    }
    plays_on(&mut night, COMPARED_2020);
    // A hand that is out had its wager.
    let mut other = in_hand(&MBS_2020);
    other.must(player(2), view(2));
    other.must(DEALER, call_at(Incident::NoCards, at(1)));
    let had = call_at(Incident::NoWager, at(1));
    refused(&mut other, DEALER, had, "the position has a wager (5.9)");
    let late = call_at(Incident::NoWager, at(5));
    refused(&mut night, DEALER, late, "not at this moment of the round");
}

#[test]
fn mbs_2020_5_10_who_lost_a_hand_may_withdraw_the_rest() {
    for what in [Incident::PlayerHandSize, Incident::NoCards] {
        let mut night = two_areas();
        night.must(player(2), view(2));
        let dissatisfied = call(Incident::Dissatisfied);
        // Before anything happened there is nothing to be dissatisfied with.
        refused(&mut night, player(1), dissatisfied.clone(), "that is someone else's (5.10)");
        night.must(DEALER, call_at(what, at(1)));
        stacks(&night, &[(1, 468), (2, 450)]);
        let rest = done(&mut night, player(1), dissatisfied.clone());
        assert_eq!(
            rest,
            [
                "$30 back to 1 from 4 standard (5.10)",
                "$2 back to 1 from 4 fortune (5.10)",
                "4 out (5.10)",
            ]
        );
        stacks(&night, &[(1, 500), (2, 450)]);
        refused(&mut night, player(1), dissatisfied, "there is no hand in play");
        assert_eq!(told(&finish(&mut night)), ["2 standard lose -$50 (3.19)"]);
        stacks(&night, &[(1, 500), (2, 450)]);
    }
}

#[test]
fn mbs_2020_5_10_it_may_also_be_left_to_play() {
    let mut night = two_areas();
    night.must(DEALER, call_at(Incident::PlayerHandSize, at(1)));
    assert_eq!(
        told(&finish(&mut night)),
        [
            "2 standard lose -$50 (3.19)",
            "4 standard push back $30 (3.20)",
            "4 fortune lose -$2 (4.1.2)",
        ]
    );
    stacks(&night, &[(1, 498), (2, 450)]);
}

/// 5.9 takes nobody's hand: it is the players at the table who may be dissatisfied with it.
#[test]
fn mbs_2020_5_10_follows_5_9_too() {
    let mut night = in_hand(&MBS_2020);
    night.must(player(2), view(2));
    night.must(DEALER, call_at(Incident::NoWager, at(5)));
    let rest = done(&mut night, player(1), call(Incident::Dissatisfied));
    assert_eq!(
        rest,
        [
            "$100 back to 1 from 1 standard (5.10)",
            "$5 back to 1 from 1 fortune (5.10)",
            "1 out (5.10)",
        ]
    );
    stacks(&night, &[(1, 500), (2, 450)]);
}

/// The remaining wagers are all of the player's, wherever they lie, and nobody else's.
#[test]
fn mbs_2020_5_10_the_rest_includes_shares() {
    let mut night = shared();
    night.must(player(1), view(1));
    night.must(DEALER, call_at(Incident::PlayerHandSize, at(2)));
    stacks(&night, &[(1, 395), (2, 477)]);
    night.must(player(2), call(Incident::Dissatisfied));
    stacks(&night, &[(1, 395), (2, 500)]);
    assert_eq!(
        told(&finish(&mut night)),
        ["1 standard win +$100 back $100 commission $5 (3.18 4.1.1)", "1 fortune lose -$5 (4.1.2)",]
    );
    stacks(&night, &[(1, 590), (2, 500)]);
}

/// Whoever shared the hand that went out may be dissatisfied, not its holder alone.
#[test]
fn mbs_2020_5_10_is_for_everyone_who_had_part_in_the_hand() {
    let mut night = shared();
    night.must(DEALER, call_at(Incident::PlayerHandSize, at(1)));
    stacks(&night, &[(1, 500), (2, 470)]);
    // What 2 shared at position 1 is back; the wager at position 2 is the rest.
    assert_eq!(
        done(&mut night, player(2), call(Incident::Dissatisfied)),
        ["$30 back to 2 from 2 standard (5.10)", "2 out (5.10)", "void (5.10)"]
    );
    stacks(&night, &[(1, 500), (2, 500)]);
    assert_eq!(*night.table.phase(), Phase::Idle);
}

/// 5.9 concerns whoever has a share in the round, seated or not.
#[test]
fn mbs_2020_5_10_follows_5_9_for_shares_too() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.must(player(5), Action::BringMoney { amount: dollars(100) });
    night.open();
    night.standard(1, 100);
    night.place(5, 1, Wager::Standard, 20);
    night.close();
    night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    night.must(player(1), view(1));
    night.must(DEALER, call_at(Incident::NoWager, at(3)));
    assert_eq!(
        done(&mut night, player(5), call(Incident::Dissatisfied)),
        ["$20 back to 5 from 1 standard (5.10)"]
    );
    stacks(&night, &[(1, 400), (5, 100)]);
}

#[test]
fn mbs_2020_5_11_a_count_that_is_off_voids_the_round() {
    voids(&mut in_hand(&MBS_2020), DEALER, call(Incident::DeviceCount), "5.11");
    let mut night = in_hand(&MBS_2020);
    let by_player = call(Incident::DeviceCount);
    refused(&mut night, player(1), by_player, "that takes a dealer or higher (5.11)");
}

/// Chips on the layout that no command would have put there: a wager outside the limits.
fn found(night: &mut Night, person: u32, position: u8, wager: Wager, lies: u32) {
    let (range, _) = night.table.setup().range(wager).expect("a wager of the house");
    let (position, amount) = (Position(position), range.minimum);
    let action = Action::Place { position, wager, amount, person: None };
    let command = houseway_table::Command { by: player(person), at: night.now, action };
    let mut events = houseway_table::decide(&night.table, &command).expect("within the limits");
    for event in &mut events {
        if let Event::Placed { amount, .. } = event {
            *amount = dollars(lies);
        }
        night.table.apply(event);
        night.log.push(event.clone());
    }
}

#[test]
fn mbs_2020_5_12_a_wager_under_the_minimum_is_settled_once() {
    for (hand, line, after) in [
        (ACES, "1 standard win +$4 back $4 commission $0.20 (3.18 4.1.1)", 50380),
        (TEN, "1 standard lose -$4 (3.19)", 49600),
    ] {
        let mut night = Night::new(&MBS_2020);
        night.seat(1, 500);
        night.open();
        found(&mut night, 1, 1, Wager::Standard, 4);
        stacks(&night, &[(1, 496)]);
        night.close();
        night.deal(0, &[(at(1), hand), (Spot::Dealer, JACKS)]);
        assert_eq!(told(&finish(&mut night)), [line]);
        assert_eq!(night.stack(1), Cents::new(after));
        let noted = done(&mut night, DEALER, call_at(Incident::UnderMinimum, at(1)));
        assert_eq!(noted, ["noted UnderMinimum (5.12)"]);
        assert_eq!(night.stack(1), Cents::new(after));
    }
}

#[test]
fn mbs_2020_5_12_later_wagers_under_the_minimum_are_returned() {
    for hand in [ACES, TEN] {
        let mut night = Night::new(&MBS_2020);
        night.seat(1, 500);
        night.open();
        found(&mut night, 1, 1, Wager::Standard, 4);
        night.close();
        night.deal(0, &[(at(1), TEN), (Spot::Dealer, JACKS)]);
        finish(&mut night);
        night.must(DEALER, call_at(Incident::UnderMinimum, at(1)));
        stacks(&night, &[(1, 496)]);
        night.open();
        found(&mut night, 1, 1, Wager::Standard, 4);
        night.close();
        night.deal(0, &[(at(1), hand), (Spot::Dealer, JACKS)]);
        let lines = told(&finish(&mut night));
        assert!(!lines.iter().any(|line| line.contains('+') || line.contains('-')), "{lines:?}");
        stacks(&night, &[(1, 496)]);
    }
}

/// It is about a wager that lies under the minimum, once its outcome is known and until the next
/// round.
#[test]
fn mbs_2020_5_12_is_about_a_wager_under_the_minimum_whose_outcome_is_known() {
    let under = |position| call_at(Incident::UnderMinimum, at(position));
    let not_now = "not at this moment of the round (5.12)";
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    refused(&mut night, DEALER, under(1), not_now);
    night.open();
    found(&mut night, 1, 1, Wager::Standard, 4);
    night.standard(2, 10);
    refused(&mut night, DEALER, under(1), not_now);
    night.close();
    refused(&mut night, DEALER, under(1), not_now);
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    refused(&mut night, DEALER, under(1), not_now);
    night.set_all();
    night.reveal();
    for idle in [false, true] {
        if idle {
            night.settle();
        }
        refused(&mut night, DEALER, under(2), "no wager there is under the minimum (5.12)");
        let nothing = "there is no such bet, or nothing on it (5.12)";
        refused(&mut night, DEALER, under(3), nothing);
        assert_eq!(done(&mut night, DEALER, under(1)), ["noted UnderMinimum (5.12)"]);
    }
    night.open();
    refused(&mut night, DEALER, under(1), not_now);
}

/// A bonus under the minimum is settled once as well; the next goes back, the standard wager plays.
#[test]
fn mbs_2020_5_12_holds_for_the_bonus_too() {
    let mut night = Night::with(&MBS_2020, |posted| posted.fortune.minimum = dollars(5));
    night.seat(1, 500);
    for lines in [
        &["1 standard lose -$10 (3.19)", "1 fortune lose -$2 (4.1.2)"][..],
        &["1 standard lose -$10 (3.19)"],
    ] {
        night.open();
        night.standard(1, 10);
        found(&mut night, 1, 1, Wager::Fortune, 2);
        night.close();
        night.deal(0, &[(at(1), TEN), (Spot::Dealer, JACKS)]);
        assert_eq!(told(&finish(&mut night)), lines);
        let _ = night.ask(DEALER, call_at(Incident::UnderMinimum, at(1)));
    }
    stacks(&night, &[(1, 478)]);
}

/// What goes back is neither decided, nor conceded, nor shown, nor under the minimum once more.
#[test]
fn mbs_2020_5_12_a_returned_wager_takes_no_part() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    for round in 0..2 {
        night.open();
        found(&mut night, 1, 1, Wager::Standard, 4);
        night.standard(2, 50);
        night.close();
        night.deal(0, &[(at(1), TEN), (at(2), KINGS), (Spot::Dealer, JACKS)]);
        if round == 0 {
            finish(&mut night);
            night.must(DEALER, call_at(Incident::UnderMinimum, at(1)));
        }
    }
    assert!(!outcome_established(&night.table), "it has neither won nor lost");
    night.set_all();
    night.reveal();
    assert!(!outcome_established(&night.table), "and the other wager pushes");
    refused(&mut night, player(1), concede(1), "there is no hand in play (5.12)");
    let again = call_at(Incident::UnderMinimum, at(1));
    refused(&mut night, DEALER, again.clone(), "no wager there is under the minimum (5.12)");
    assert_eq!(
        told(&night.settle()),
        ["1 standard returned back $4 (5.12)", "2 standard push back $50 (3.20)"]
    );
    refused(&mut night, DEALER, again, "no wager there is under the minimum (5.12)");
    let last = houseway_table::view::view(&night.table, Onlooker::Player(Person(2)), 0).last;
    let hands = last.expect("a round was played").hands;
    let hidden = HandView::FaceDown { set: true, conceded: false };
    assert_eq!(hands[0], (Position(1), hidden));
}

#[test]
fn mbs_2020_5_13_a_wager_over_the_maximum_is_settled_up_to_it() {
    // The room posts $1,000 for the standard wager and $100 for the bonus.
    for (hand, lines, after) in [
        (
            "9d 8d 6d 5h 4d 2d Ts",
            [
                "1 standard push back $1,200 (3.20 5.13)",
                "1 fortune win +$400 back $150 (4.1.2 5.13)",
            ],
            2400,
        ),
        (
            ACES,
            [
                "1 standard win +$1,000 back $1,200 commission $50 (3.18 5.13 4.1.1)",
                "1 fortune lose -$100 back $50 (4.1.2 5.13)",
            ],
            2850,
        ),
        (
            TEN,
            [
                "1 standard lose -$1,000 back $200 (3.19 5.13)",
                "1 fortune lose -$100 back $50 (4.1.2 5.13)",
            ],
            900,
        ),
    ] {
        let mut night = Night::new(&MBS_2020);
        night.seat(1, 2000);
        night.open();
        found(&mut night, 1, 1, Wager::Standard, 1200);
        found(&mut night, 1, 1, Wager::Fortune, 150);
        stacks(&night, &[(1, 650)]);
        night.close();
        night.deal(0, &[(at(1), hand), (Spot::Dealer, JACKS)]);
        let noted = done(&mut night, DEALER, call_at(Incident::OverMaximum, at(1)));
        assert_eq!(noted, ["noted OverMaximum (5.13)"]);
        assert_eq!(told(&finish(&mut night)), lines);
        stacks(&night, &[(1, after)]);
    }
}

#[test]
fn mbs_2020_5_13_is_about_a_wager_over_the_maximum() {
    let over = |position| call_at(Incident::OverMaximum, at(position));
    let not_now = "not at this moment of the round (5.13)";
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 2000);
    night.seat(2, 2000);
    refused(&mut night, DEALER, over(1), not_now);
    night.open();
    found(&mut night, 1, 1, Wager::Standard, 1200);
    night.standard(2, 1000);
    refused(&mut night, DEALER, over(1), not_now);
    night.close();
    assert_eq!(done(&mut night, DEALER, over(1)), ["noted OverMaximum (5.13)"]);
    refused(&mut night, DEALER, over(2), "no wager there is over the maximum (5.13)");
    refused(&mut night, DEALER, over(3), "there is no such bet, or nothing on it (5.13)");
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    assert_eq!(done(&mut night, DEALER, over(1)), ["noted OverMaximum (5.13)"]);
    finish(&mut night);
    refused(&mut night, DEALER, over(1), not_now);
}

/// A shared wager is one wager: together its shares are collected to the maximum, not each.
#[test]
fn mbs_2020_5_13_shares_are_settled_up_to_the_maximum_together() {
    for (hand, ending, house) in [(TEN, "lose", 1000), (ACES, "win", -950)] {
        let mut night = Night::new(&MBS_2020);
        night.seat(1, 2000);
        night.seat(2, 2000);
        night.open();
        night.standard(1, 900);
        found(&mut night, 2, 1, Wager::Standard, 300);
        stacks(&night, &[(1, 1100), (2, 1700)]);
        night.close();
        night.deal(0, &[(at(1), hand), (Spot::Dealer, JACKS)]);
        let lines = told(&finish(&mut night));
        assert!(lines.iter().all(|line| line.contains(ending)), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("5.13")), "{lines:?}");
        let left = i64::try_from(night.table.money().get()).expect("a few thousand dollars");
        assert_eq!(left, (4000 - house) * 100);
    }
}

#[test]
fn mbs_2020_5_14_what_earlier_rounds_settled_outside_the_limits_stands() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 2000);
    night.open();
    found(&mut night, 1, 1, Wager::Standard, 1200);
    night.close();
    night.deal(0, &[(at(1), TEN), (Spot::Dealer, JACKS)]);
    finish(&mut night);
    stacks(&night, &[(1, 1000)]);
    let past = night.table.past().cloned();
    night.open();
    night.standard(1, 10);
    let noted = done(&mut night, DEALER, call_at(Incident::EarlierRounds, at(1)));
    assert_eq!(noted, ["noted EarlierRounds (5.14)"]);
    stacks(&night, &[(1, 990)]);
    assert_eq!(night.table.past().cloned(), past);
}

#[test]
fn mbs_2020_5_14_needs_an_earlier_round() {
    let earlier = |spot| call_at(Incident::EarlierRounds, spot);
    let mut night = closed(&MBS_2020);
    refused(&mut night, DEALER, earlier(at(1)), "not at this moment of the round (5.14)");
    night.deal(0, &[(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)]);
    plays_on(&mut night, COMPARED_2020);
    assert_eq!(done(&mut night, DEALER, earlier(at(1))), ["noted EarlierRounds (5.14)"]);
    refused(&mut night, DEALER, earlier(at(7)), "there is no such position (5.14)");
}

#[test]
fn mbs_2020_5_15_for_a_hand_shown_the_gaming_shift_manager_may_bar_the_player() {
    let mut night = two_areas();
    let shown = call_at(Incident::HandShown, at(1));
    let needs = "that takes a gaming shift manager or higher (5.15)";
    for by in [player(2), DEALER, staff(Role::PitSupervisor), staff(Role::PitManager)] {
        refused(&mut night, by, shown.clone(), needs);
    }
    let manager = staff(Role::GamingShiftManager);
    assert_eq!(
        done(&mut night, manager, shown),
        [
            "$100 back to 1 from 1 standard (5.15)",
            "$5 back to 1 from 1 fortune (5.15)",
            "1 out (5.15)",
            "$30 back to 1 from 4 standard (5.15)",
            "$2 back to 1 from 4 fortune (5.15)",
            "4 out (5.15)",
            "1 barred (5.15)",
        ]
    );
    stacks(&night, &[(1, 500), (2, 450)]);
    assert_eq!(told(&finish(&mut night)), ["2 standard lose -$50 (3.19)"]);
    night.open();
    let bet = Night::placing(1, Wager::Standard, 10);
    assert!(night.refused(player(1), bet).starts_with("barred from this table"));
    let for_them = place_for(1, 1, Wager::Standard, 10);
    assert!(night.refused(DEALER, for_them).starts_with("barred from this table"));
    let sit = Action::Sit { position: Position(6) };
    assert!(night.refused(player(1), sit).starts_with("barred from this table"));
    let share = Night::placing(2, Wager::Standard, 10);
    assert!(night.refused(player(1), share).starts_with("barred from this table"));
    // The money is still the player's to take away.
    night.must(player(1), Action::TakeMoney { amount: dollars(500) });
    stacks(&night, &[(1, 0), (2, 450)]);
}

#[test]
fn mbs_2020_5_15_is_named_when_a_barred_player_wagers() {
    let mut night = in_hand(&MBS_2020);
    night.must(staff(Role::GamingShiftManager), call_at(Incident::HandShown, at(1)));
    finish(&mut night);
    night.open();
    refused_by(&mut night, player(1), Night::placing(1, Wager::Standard, 10), "5.15");
}

#[test]
fn mbs_2020_5_15_returns_a_wager_before_the_deal_too() {
    let mut night = closed(&MBS_2020);
    night.must(staff(Role::GamingShiftManager), call_at(Incident::HandShown, at(1)));
    stacks(&night, &[(1, 500), (2, 450)]);
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.open();
    night.standard(1, 100);
    night.must(staff(Role::GamingShiftManager), call_at(Incident::HandShown, at(1)));
    stacks(&night, &[(1, 500)]);
}

/// With the last wager the round is over. Nobody is barred twice.
#[test]
fn mbs_2020_5_15_ends_a_round_without_another_wager() {
    let manager = staff(Role::GamingShiftManager);
    let shown = |position| call_at(Incident::HandShown, at(position));
    let mut night = closed(&MBS_2020);
    night.must(manager, shown(1));
    refused(&mut night, manager, shown(1), "that is so already (5.15)");
    assert_eq!(
        done(&mut night, manager, shown(2)),
        ["$50 back to 2 from 2 standard (5.15)", "2 barred (5.15)", "void (5.15)"]
    );
    assert_eq!(*night.table.phase(), Phase::Idle);
    stacks(&night, &[(1, 500), (2, 500)]);
}

#[test]
fn mbs_2020_5_15_returns_shares_too() {
    let mut night = shared();
    night.must(staff(Role::GamingShiftManager), call_at(Incident::HandShown, at(2)));
    stacks(&night, &[(1, 395), (2, 500)]);
}

#[test]
fn mbs_2020_5_16_a_second_hand_looked_at_is_out() {
    let mut night = two_areas();
    night.must(player(1), view(1));
    let second = call_at(Incident::SecondViewed, at(4));
    refused(&mut night, player(2), second.clone(), "that takes a dealer or higher (5.16)");
    let out = done(&mut night, DEALER, second);
    assert_eq!(
        out,
        [
            "$30 back to 1 from 4 standard (5.16)",
            "$2 back to 1 from 4 fortune (5.16)",
            "4 out (5.16)",
        ]
    );
    stacks(&night, &[(1, 395), (2, 450)]);
    // It is no case of 5.10: the first hand plays.
    let dissatisfied = call(Incident::Dissatisfied);
    refused(&mut night, player(1), dissatisfied, "that is someone else's (5.10)");
    plays_on(&mut night, COMPARED_2020);
}

#[test]
fn mbs_2020_5_16_the_first_hand_looked_at_stays_in_play() {
    let mut night = two_areas();
    night.must(player(1), view(1));
    refused_by(&mut night, DEALER, call_at(Incident::SecondViewed, at(1)), "5.16");
    stacks(&night, &[(1, 363), (2, 450)]);
}

#[test]
fn mbs_2020_5_16_is_about_players_on_several_areas() {
    let mut night = two_areas();
    night.must(player(2), view(2));
    refused_by(&mut night, DEALER, call_at(Incident::SecondViewed, at(2)), "5.16");
    stacks(&night, &[(1, 363), (2, 450)]);
}

#[test]
fn mbs_2020_5_17_a_house_way_set_wrongly_is_set_again() {
    let mut night = in_hand(&MBS_2020);
    night.set_all();
    // Queen and ten belong Low: to seven and four there position 2 would not lose.
    let wrong = Action::Reveal { low: Some(cards("7c 4h")) };
    assert_eq!(done(&mut night, DEALER, wrong), ["dealer set 7c 4h (3.13)"]);
    let reset = call_at(Incident::WrongHouseWay, Spot::Dealer);
    let by_player = reset.clone();
    refused(&mut night, player(2), by_player, "that takes a dealer or higher (5.17)");
    let nobody = call(Incident::WrongHouseWay);
    refused(&mut night, DEALER, nobody, "say whose hand it is about (5.17)");
    assert_eq!(done(&mut night, DEALER, reset.clone()), ["dealer reset Qh Tc (5.17)"]);
    refused(&mut night, DEALER, reset, "no House Way there is set wrong (5.17)");
    let lines = told(&night.settle());
    assert_eq!(lines[2], "2 standard lose -$50 (3.19)");
    stacks(&night, &[(1, 590), (2, 450)]);
}

/// Without the call it is settled as it lies, which is what 5.17.1 is for.
#[test]
fn mbs_2020_5_17_1_found_after_the_round_the_difference_is_taken_back() {
    let mut night = in_hand(&MBS_2020);
    night.set_all();
    night.must(DEALER, Action::Reveal { low: Some(cards("7c 4h")) });
    let lines = told(&night.settle());
    assert_eq!(lines[2], "2 standard push back $50 (3.20)");
    stacks(&night, &[(1, 590), (2, 500)]);
    let correct = call_at(Incident::WrongHouseWayLater, Spot::Dealer);
    refused(&mut night, player(2), correct.clone(), "that takes a dealer or higher (5.17.1)");
    assert_eq!(
        done(&mut night, DEALER, correct.clone()),
        ["round 1: dealer reset Qh Tc: 2 -5000 (5.17.1)"]
    );
    stacks(&night, &[(1, 590), (2, 450)]);
    refused(&mut night, DEALER, correct, "no House Way there is set wrong (5.17.1)");
}

/// Two pairs kept High that the sheet splits: what it cost the player is paid.
#[test]
fn mbs_2020_5_17_1_found_after_the_round_the_difference_is_paid() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.open();
    night.standard(1, 100);
    night.close();
    night.deal(0, &[(at(1), "Ac Ad 6s 4c Jh Td 2c"), (Spot::Dealer, "Kc Kd 5c 5d Qh Ts 7c")]);
    night.set(1, "Jh Td");
    // With queen and ten Low the player's jack loses, and the aces lose to two pairs. With the
    // fives Low, where they belong, the aces win.
    night.must(DEALER, Action::Reveal { low: Some(cards("Qh Ts")) });
    assert_eq!(told(&night.settle()), ["1 standard lose -$100 (3.19)"]);
    stacks(&night, &[(1, 400)]);
    // During the bets of the next round it is still after the round.
    night.open();
    night.standard(1, 50);
    let correct = call_at(Incident::WrongHouseWayLater, Spot::Dealer);
    assert_eq!(
        done(&mut night, DEALER, correct),
        ["round 1: dealer reset 5d 5c: 1 10000 (5.17.1)"]
    );
    stacks(&night, &[(1, 450)]);
    let past = night.table.past().expect("a round was settled");
    assert_eq!(told(&past.lines), ["1 standard push back $100 (3.20)"]);
}

#[test]
fn mbs_2020_5_17_a_hand_the_player_laid_is_no_house_way() {
    let mut night = in_hand(&MBS_2020);
    // King and nine Low is the player's choice, not the sheet's.
    night.set(1, "Kh 9c");
    night.set(2, "9h 8c");
    night.reveal();
    refused_by(&mut night, DEALER, call_at(Incident::WrongHouseWay, at(1)), "5.17");
}

#[test]
fn mbs_2020_5_17_1_a_hand_the_player_laid_is_no_house_way() {
    let mut night = in_hand(&MBS_2020);
    // Nine and five Low lose to queen and ten: the player's own mistake.
    night.set(1, "9c 5d");
    night.set(2, "9h 8c");
    night.reveal();
    assert_eq!(told(&night.settle())[0], "1 standard push back $100 (3.20)");
    stacks(&night, &[(1, 495), (2, 450)]);
    refused_by(&mut night, DEALER, call_at(Incident::WrongHouseWayLater, at(1)), "5.17.1");
    stacks(&night, &[(1, 495), (2, 450)]);
}

#[test]
fn mbs_2020_5_18_1_with_none_decided_each_player_may_withdraw_all_or_none() {
    let mut night = two_areas();
    let never = "not at this moment of the round (5.18.1)";
    refused(&mut night, player(1), Action::WithdrawAll, never);
    night.must(player(1), view(1));
    assert!(!outcome_established(&night.table));
    // Which of the two clauses it is follows from the round, not from who calls it.
    let failed = done(&mut night, DEALER, call(Incident::PowerFailureDecided));
    assert_eq!(failed, ["power failed, open (5.18.1)"]);
    // All or none: no single wager.
    refused(&mut night, player(1), withdraw(4, Wager::Standard), "time is up (5.6)");
    refused(&mut night, player(3), Action::WithdrawAll, "there is no hand in play");
    assert_eq!(
        done(&mut night, player(1), Action::WithdrawAll),
        [
            "$100 back to 1 from 1 standard (5.18.1)",
            "$5 back to 1 from 1 fortune (5.18.1)",
            "1 out (5.18.1)",
            "$30 back to 1 from 4 standard (5.18.1)",
            "$2 back to 1 from 4 fortune (5.18.1)",
            "4 out (5.18.1)",
        ]
    );
    stacks(&night, &[(1, 500), (2, 450)]);
    // Who does not withdraw is in the round, which is then concluded.
    assert_eq!(told(&finish(&mut night)), ["2 standard lose -$50 (3.19)"]);
    stacks(&night, &[(1, 500), (2, 450)]);
    assert_eq!(*night.table.phase(), Phase::Idle);
}

/// When all have withdrawn the round is concluded, before the deal and after it.
#[test]
fn mbs_2020_5_18_1_r10_when_all_withdraw_the_round_ends_by_itself() {
    for mut night in [closed(&MBS_2020), in_hand(&MBS_2020)] {
        let dealt = matches!(night.table.phase(), Phase::Setting(_));
        night.must(DEALER, call(Incident::PowerFailureOpen));
        night.must(player(2), Action::WithdrawAll);
        assert_ne!(*night.table.phase(), Phase::Idle, "one wager is left");
        let mut ended = vec![
            "$100 back to 1 from 1 standard (5.18.1)",
            "$5 back to 1 from 1 fortune (5.18.1)",
            "1 out (5.18.1)",
            "void (5.18.1)",
        ];
        if !dealt {
            ended.remove(2);
        }
        assert_eq!(done(&mut night, player(1), Action::WithdrawAll), ended);
        assert_eq!(*night.table.phase(), Phase::Idle);
        stacks(&night, &[(1, 500), (2, 500)]);
        night.open();
    }
}

/// Under a house that collects fees and where a player banks, both go back with the last wager.
#[test]
fn mbs_2020_5_18_1_r10_fees_and_the_bank_go_back_when_all_withdraw() {
    let irregularities = MBS_2020.irregularities.clone();
    let rules = Rulebook { irregularities, ..COMMISSION_FREE.clone() };
    for dealt in [false, true] {
        let mut night = Night::new(&rules);
        night.seat(2, 1000);
        night.seat(6, 1000);
        night.open();
        night.bank(2, 500);
        night.standard(6, 100);
        night.close();
        stacks(&night, &[(2, 499), (6, 899)]);
        if dealt {
            night.deal(1, &[]);
        }
        night.must(DEALER, call(Incident::PowerFailureOpen));
        let events = night.must(player(6), Action::WithdrawAll);
        let Some(Event::Voided { bank, fees, wagers, .. }) = events.last() else {
            panic!("{events:?}")
        };
        let share = |person, amount| Share { person: Person(person), amount: dollars(amount) };
        assert_eq!((*bank, &fees[..]), (Some(share(2, 500)), &[share(6, 1), share(2, 1)][..]));
        assert!(wagers.is_empty(), "they went back before");
        assert_eq!(*night.table.phase(), Phase::Idle);
        stacks(&night, &[(2, 1000), (6, 1000)]);
    }
}

/// With the dealer's hand shown and every wager a standoff, none has won or lost: the option stands.
#[test]
fn mbs_2020_5_18_1_holds_while_every_wager_pushes() {
    let standoff = || {
        let mut night = Night::new(&MBS_2020);
        night.seat(1, 500);
        night.seat(2, 500);
        night.open();
        night.standard(1, 100);
        night.standard(2, 50);
        night.close();
        let king_nine = "Kh Ks 9d 8d 6d 5d 2h";
        night.deal(0, &[(at(1), KINGS), (at(2), king_nine), (Spot::Dealer, JACKS)]);
        night
    };
    // The power fails before the showing or after it: the same.
    for early in [true, false] {
        let mut night = standoff();
        let fails = call(Incident::PowerFailureDecided);
        if early {
            night.must(DEALER, fails.clone());
        }
        night.set_all();
        night.reveal();
        if !early {
            assert_eq!(done(&mut night, DEALER, fails), ["power failed, open (5.18.1)"]);
        }
        assert!(!outcome_established(&night.table));
        night.must(player(1), Action::WithdrawAll);
        stacks(&night, &[(1, 500), (2, 450)]);
        assert_eq!(told(&night.settle()), ["2 standard push back $50 (3.20)"]);
        stacks(&night, &[(1, 500), (2, 500)]);
    }
    // Both withdraw: the round is over.
    let mut night = standoff();
    night.set_all();
    night.reveal();
    night.must(DEALER, call(Incident::PowerFailureOpen));
    night.must(player(1), Action::WithdrawAll);
    night.must(player(2), Action::WithdrawAll);
    assert_eq!(*night.table.phase(), Phase::Idle);
    stacks(&night, &[(1, 500), (2, 500)]);
}

#[test]
fn mbs_2020_5_18_1_holds_before_the_deal_too() {
    let mut night = closed(&MBS_2020);
    let failed = done(&mut night, DEALER, call(Incident::PowerFailureOpen));
    assert_eq!(failed, ["power failed, open (5.18.1)"]);
    night.must(player(1), Action::WithdrawAll);
    stacks(&night, &[(1, 500), (2, 450)]);
}

/// All of the player's wagers are theirs wherever they lie, and another's are not.
#[test]
fn mbs_2020_5_18_1_all_includes_shares() {
    let mut night = shared();
    night.must(DEALER, call(Incident::PowerFailureOpen));
    night.must(player(2), Action::WithdrawAll);
    stacks(&night, &[(1, 395), (2, 500)]);
}

#[test]
fn mbs_2020_5_18_1_another_players_share_stays() {
    let mut night = shared();
    night.must(DEALER, call(Incident::PowerFailureOpen));
    night.must(player(1), Action::WithdrawAll);
    // $20 and $3 of person 2 still lie at position 1.
    stacks(&night, &[(1, 500), (2, 447)]);
}

#[test]
fn mbs_2020_5_18_2_with_any_decided_the_round_is_played_to_its_end() {
    let mut night = in_hand(&MBS_2020);
    night.set_all();
    night.reveal();
    // A conceded hand is lost for good.
    night.must(player(2), concede(2));
    assert!(outcome_established(&night.table));
    let failed = done(&mut night, DEALER, call(Incident::PowerFailureOpen));
    assert_eq!(failed, ["power failed, decided (5.18.2)"]);
    for person in [1, 2] {
        assert!(night.ask(player(person), Action::WithdrawAll).is_err());
    }
    assert_eq!(
        told(&night.settle()),
        [
            "1 standard win +$100 back $100 commission $5 (3.18 4.1.1)",
            "1 fortune lose -$5 (4.1.2)",
            "2 standard lose -$50 (3.16)",
        ]
    );
    stacks(&night, &[(1, 590), (2, 450)]);
}

/// With the dealer's hand shown, what loses to it has lost for good.
#[test]
fn mbs_2020_5_18_2_a_hand_beaten_by_the_dealers_shown_hand_is_decided() {
    let mut night = in_hand(&MBS_2020);
    night.set_all();
    night.reveal();
    let failed = done(&mut night, DEALER, call(Incident::PowerFailureOpen));
    assert_eq!(failed, ["power failed, decided (5.18.2)"]);
    assert!(night.ask(player(2), Action::WithdrawAll).is_err());
    night.settle();
    stacks(&night, &[(1, 590), (2, 450)]);
}

/// The choice is made while nothing is decided, not when the outcome is known.
#[test]
fn mbs_2020_5_18_1_the_option_ends_once_a_wager_is_decided() {
    let mut night = in_hand(&MBS_2020);
    night.must(DEALER, call(Incident::PowerFailureOpen));
    night.set_all();
    night.reveal();
    night.must(player(2), concede(2));
    assert!(night.ask(player(2), Action::WithdrawAll).is_err(), "2 has lost by 3.16");
    assert!(night.ask(player(1), Action::WithdrawAll).is_err());
    night.settle();
    stacks(&night, &[(1, 590), (2, 450)]);
}

#[test]
fn mbs_2020_6_1_what_no_rule_covers_the_gaming_shift_manager_decides() {
    let ruling = |ruling, reason: &str| Action::Rule { ruling, reason: reason.into() };
    let manager = staff(Role::GamingShiftManager);
    let mut night = in_hand(&MBS_2020);
    let void = ruling(Ruling::Void, "a drink over the layout");
    let needs = "that takes a gaming shift manager or higher (6.1)";
    for by in [player(1), DEALER, staff(Role::PitSupervisor), staff(Role::PitManager)] {
        refused(&mut night, by, void.clone(), needs);
    }
    let reason = "a decision needs its reason (6.1)";
    refused(&mut night, manager, ruling(Ruling::Void, " "), reason);
    refused(&mut night, manager, call(Incident::NotCovered), reason);
    let said = done(&mut night, manager, void);
    let rules = "gaming shift manager rules: a drink over the layout (6.1)";
    assert_eq!(said, [rules, "void (6.1)"]);
    stacks(&night, &[(1, 500), (2, 500)]);

    let mut night = in_hand(&MBS_2020);
    let said = done(&mut night, manager, ruling(Ruling::HandOut(Position(1)), "a torn card"));
    assert_eq!(
        said,
        [
            "gaming shift manager rules: a torn card (6.1)",
            "$100 back to 1 from 1 standard (6.1)",
            "$5 back to 1 from 1 fortune (6.1)",
            "1 out (6.1)",
        ]
    );
    assert_eq!(told(&finish(&mut night)), ["2 standard lose -$50 (3.19)"]);
    stacks(&night, &[(1, 500), (2, 450)]);

    let mut night = in_hand(&MBS_2020);
    let said = done(&mut night, manager, ruling(Ruling::PlayOn, "a phone rang"));
    assert_eq!(said, ["gaming shift manager rules: a phone rang (6.1)"]);
    plays_on(&mut night, COMPARED_2020);
}

/// The 2016 edition leaves nothing to a decision and keeps nobody to one position.
#[test]
fn mbs_2016_has_neither_6_1_nor_3_9_of_the_2020_edition() {
    let mut night = in_hand(&MBS_2016);
    let void = Action::Rule { ruling: Ruling::Void, reason: "a drink over the layout".into() };
    let manager = staff(Role::GamingShiftManager);
    refused(
        &mut night,
        staff(Role::PitManager),
        Action::Restrict { person: Person(1), reason: "a test".into() },
        "the rulebook has no such irregularity",
    );
    // Where the document is silent, a decision is the table's policy and says so.
    let mut another = in_hand(&MBS_2016);
    let voided = another.must(manager, void);
    let policy =
        |event: &Event| matches!(event, Event::Voided { clause, .. } if clause == "table policy");
    assert!(voided.iter().any(policy), "{voided:?}");
    plays_on(&mut night, COMPARED_2016);
}

/// A whole round dealt by each position above the dealer's.
#[test]
fn mbs_2020_6_2_a_higher_position_acts_for_a_lower_one() {
    for role in [Role::PitSupervisor, Role::PitManager, Role::GamingShiftManager] {
        let by = staff(role);
        let mut night = Night::new(&MBS_2020);
        night.seat(1, 500);
        night.must(by, Action::OpenRound);
        night.must(by, place_for(1, 1, Wager::Standard, 100));
        night.must(by, Action::CloseBets);
        let deck = night.deck(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
        night.must(by, Action::Deal { deck, number: 0 });
        night.set_all();
        night.must(by, Action::Reveal { low: Some(cards("7c 4h")) });
        let reset = done(&mut night, by, call_at(Incident::WrongHouseWay, Spot::Dealer));
        assert_eq!(reset, ["dealer reset Qh Tc (5.17)"]);
        night.must(by, Action::Settle);
        stacks(&night, &[(1, 595)]);
    }
    // And the gaming shift manager for the pit manager of 3.9.
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    let manager = staff(Role::GamingShiftManager);
    let said =
        done(&mut night, manager, Action::Restrict { person: Person(1), reason: "a test".into() });
    assert_eq!(said, ["1 restricted (3.9)"]);
    // Never the other way round: a player deals nothing.
    for action in [Action::OpenRound, Action::CloseBets, Action::Settle, Action::TimeUp] {
        refused(&mut night, player(1), action, "that takes a dealer or higher");
    }
}

/// R10: what went back before the round was void does not go back twice.
#[test]
fn mbs_2020_r10_a_void_round_returns_each_wager_once() {
    let mut night = two_areas();
    night.must(player(2), view(2));
    night.must(DEALER, call_at(Incident::PlayerHandSize, at(4)));
    stacks(&night, &[(1, 395), (2, 450)]);
    assert_eq!(done(&mut night, DEALER, call(Incident::TwoExposed)), ["void (5.4)"]);
    stacks(&night, &[(1, 500), (2, 500)]);
    assert_eq!(night.table.money(), dollars(1000));
}

/// R10: shares of a wager go back to those who placed them, before the deal and after it.
#[test]
fn mbs_2020_r10_a_void_round_returns_shares_to_their_owners() {
    voids(&mut shared(), DEALER, call(Incident::ForeignCard), "5.1");
    let mut night = closed(&MBS_2020);
    assert_eq!(done(&mut night, DEALER, call(Incident::CardCount)), ["void (5.1)"]);
    stacks(&night, &[(1, 500), (2, 500)]);
    assert_eq!(*night.table.phase(), Phase::Idle);
}

/// R10: the wagers go back, and as no fees are taken at this house none do; the cards and the
/// reason stay on record.
#[test]
fn mbs_2016_r10_a_void_round_returns_wagers_and_keeps_its_record() {
    let mut night = in_hand(&MBS_2016);
    let events = night.must(DEALER, call(Incident::TwoExposed));
    let Some(Event::Voided { fees, why, .. }) = events.first() else { panic!("{events:?}") };
    assert!(fees.is_empty());
    assert!(why.contains("exposed"), "{why}");
    assert_eq!(night.table.money(), dollars(1000));
    let dealt = night.log.iter().find_map(|event| match event {
        Event::Dealt { hands, .. } => Some(hands.clone()),
        _ => None,
    });
    let hands = [(at(1), ACES), (at(2), TEN), (Spot::Dealer, JACKS)];
    assert_eq!(dealt, Some(hands.map(|(spot, hand)| (spot, cards(hand))).to_vec()));
}

/// Two with $1,000 wager $100 each; the dealer's hand lies wrong, so that 2 wins and 1 loses.
fn misset_round() -> Night {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 1_000);
    night.seat(2, 1_000);
    night.open();
    night.standard(1, 100);
    night.standard(2, 100);
    night.close();
    night.deal(0, &[(at(1), TEN), (at(2), "Kc Kd Jh 9s 5d 4c 3d"), (Spot::Dealer, JACKS)]);
    night.set_all();
    night.must(DEALER, Action::Reveal { low: Some(cards("Tc 7c")) });
    night.settle();
    stacks(&night, &[(1, 900), (2, 1_095)]);
    night
}

/// What one correction gave back the next one does not take.
#[test]
fn mbs_2020_5_17_1_leaves_what_went_back_before() {
    let mut night = misset_round();
    night.must(DEALER, call_at(Incident::PlayerHandSize, at(1)));
    stacks(&night, &[(1, 1_000), (2, 1_095)]);
    night.must(DEALER, call_at(Incident::WrongHouseWayLater, Spot::Dealer));
    stacks(&night, &[(1, 1_000), (2, 1_000)]);
}

#[test]
fn mbs_2020_5_3_leaves_what_went_back_before() {
    let mut night = misset_round();
    night.must(DEALER, call_at(Incident::PlayerHandSize, at(1)));
    night.must(DEALER, call(Incident::BankerHandSize));
    stacks(&night, &[(1, 1_000), (2, 1_000)]);
}

/// What cannot be taken back at once is owed, and taken as soon as it is there.
#[test]
fn mbs_2020_5_17_1_what_is_not_there_is_owed() {
    let mut night = misset_round();
    night.open();
    night.standard(2, 1_000);
    night.must(player(2), Action::TakeMoney { amount: dollars(95) });
    let events = night.must(DEALER, call_at(Incident::WrongHouseWayLater, Spot::Dealer));
    let Event::Corrected { differences, owed, .. } = &events[0] else { panic!("{events:?}") };
    assert_eq!((differences.len(), &owed[..]), (0, &[(Person(2), dollars(95))][..]));
    // The round is void by a decision: the wager comes back, and the debt goes.
    let by = staff(Role::GamingShiftManager);
    let void = Action::Rule { ruling: Ruling::Void, reason: "the lights went out".into() };
    let events = night.must(by, void);
    let last = events.last().expect("something happened");
    let Event::DebtCollected { person, amount, clause } = last else { panic!("{last:?}") };
    assert_eq!((*person, *amount, &**clause), (Person(2), dollars(95), "5.17.1"));
    stacks(&night, &[(2, 905)]);
    assert_eq!(night.table.people()[&Person(2)].owes, Cents::ZERO);
}

/// Whoever owes something does not carry it away, and is remembered.
#[test]
fn mbs_2020_5_17_1_a_debt_is_not_carried_away() {
    let mut night = misset_round();
    night.must(player(2), Action::TakeMoney { amount: dollars(1_095) });
    night.must(DEALER, call_at(Incident::WrongHouseWayLater, Spot::Dealer));
    let events = night.must(player(2), Action::BringMoney { amount: dollars(100) });
    assert!(matches!(events[1], Event::DebtCollected { amount, .. } if amount == dollars(95)));
    stacks(&night, &[(2, 5)]);
}

/// Placing after time is up is late, be bets called closed or not.
#[test]
fn mbs_2020_5_5_and_5_6_name_their_clause_once_time_is_up() {
    let mut night = Night::with(&MBS_2020, |posted| posted.time.betting = Some(1_000));
    night.seat(1, 500);
    night.open();
    night.standard(1, 100);
    night.now += 1_001;
    refused(&mut night, player(1), Night::placing(1, Wager::Standard, 50), "time is up (5.5)");
    refused(&mut night, player(1), withdraw(1, Wager::Standard), "time is up (5.6)");
}

/// What others have on the hand of someone who is barred, the dealer sets.
#[test]
fn mbs_2020_5_15_the_dealer_sets_for_a_sharer_of_a_barred_hand() {
    // With time on the clock too: it is no longer theirs.
    let mut night = Night::with(&MBS_2020, |posted| posted.time.setting = Some(1000));
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.standard(1, 100);
    night.place(2, 1, Wager::Standard, 50);
    night.close();
    night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    night.must(staff(Role::GamingShiftManager), call_at(Incident::HandShown, at(1)));
    let own = Action::View { position: Position(1) };
    refused(&mut night, player(1), own, "barred from this table (5.15)");
    night.must(DEALER, Action::SetHouseWay { position: Position(1) });
    night.reveal();
    night.settle();
    assert_eq!(night.stack(2), Cents::new(54_750), "a win of $50 less 5 %");
}

/// Fouls are counted as long as someone sits, however often.
#[test]
fn mbs_2020_3_12_2_three_hundred_fouls_are_each_set_again() {
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 100_000);
    for _ in 0..300 {
        night.open();
        night.standard(1, 10);
        night.close();
        night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
        night.set(1, "Ac Ad");
        night.reveal();
        night.settle();
    }
    assert_eq!(night.table.people()[&Person(1)].fouls, u8::MAX);
}

/// The cards of a void round, and of a hand that is out, stay on record (R10).
#[test]
fn mbs_2020_5_1_r10_the_cards_of_a_void_round_stay_on_record() {
    use houseway_table::view::{HandView, Onlooker, PastView, view};
    let seen = |night: &Night, onlooker| -> PastView {
        view(&night.table, onlooker, 0).last.expect("a round had cards")
    };
    let count = |past: &PastView| {
        let hand = |hand: &HandView| match hand {
            HandView::FaceDown { .. } => 0,
            HandView::Dealt { dealt } => dealt.len(),
            HandView::Set { low, high, .. } => low.len() + high.len(),
        };
        let hands: usize = past.hands.iter().map(|(_, it)| hand(it)).sum();
        hands + hand(&past.banker) + past.unseen.as_ref().map_or(0, Vec::len)
    };
    let mut night = in_hand(&MBS_2020);
    night.must(player(1), Action::View { position: Position(1) });
    night.must(DEALER, call(Incident::ForeignCard));
    let audited = seen(&night, Onlooker::Auditor);
    assert_eq!((count(&audited), audited.void.as_deref()), (53, Some("5.1")));
    assert_eq!(count(&seen(&night, Onlooker::Player(Person(1)))), 7, "what one looked at");
    assert_eq!(count(&seen(&night, Onlooker::Spectator)), 0, "what nobody was shown");
    let mut night = misset_round();
    night.must(DEALER, call_at(Incident::PlayerHandSize, at(1)));
    assert_eq!(count(&seen(&night, Onlooker::Auditor)), 53);
}

/// No amount is too large to be answered.
#[test]
fn amounts_beyond_counting_are_refused() {
    let huge = Cents::new(18_446_744_073_709_551_600);
    let mut night = Night::new(&MBS_2020);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    night.standard(1, 100);
    let words = "above the maximum of $1,000,000,000,000";
    let (position, wager) = (Position(1), Wager::Standard);
    let place = Action::Place { position, wager, amount: huge, person: None };
    refused(&mut night, player(2), place, words);
    refused(&mut night, player(2), Action::TakeMoney { amount: huge }, words);
    refused(&mut night, player(2), Action::BringMoney { amount: huge }, words);
    let bank = Action::TakeBank { put_up: huge, house_wager: huge };
    refused(&mut night, player(2), bank, words);
}
