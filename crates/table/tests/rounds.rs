//! A whole round under each rulebook.

mod common;

use common::{ACES, JACKS, Night, at, cards, dollars, staff, told};
use houseway_rules::houses;
use houseway_rules::rulebook::{Role, Wager};
use houseway_table::deal::Spot;
use houseway_table::{Action, Actor, Person, Phase, Position};

/// Two players against the house: a win with commission, a loss, a bonus.
#[test]
fn a_round_at_mbs_2020() {
    let mut night = Night::new(&houses::MBS_2020);
    night.seat(1, 500);
    night.seat(3, 500);
    night.open();
    night.standard(1, 100);
    night.standard(3, 50);
    night.fortune(3, 5);
    night.close();
    night.deal(
        0,
        &[
            (at(1), "Ac Ad Kh Qs 9c 5d 3h"),
            (at(3), "9d 8d 6d 5h 4d 2d Ts"),
            (Spot::Dealer, "Jc Jd Qh Tc 7c 4h 2s"),
        ],
    );
    night.set(1, "Kh Qs");
    night.set(3, "Ts 9d");
    night.reveal();
    let lines = night.settle();
    assert_eq!(
        told(&lines),
        [
            "1 standard win +$100 back $100 commission $5 (3.18 4.1.1)",
            "3 standard push back $50 (3.20)",
            "3 fortune win +$20 back $5 (4.1.2)",
        ]
    );
    assert_eq!(night.stack(1), dollars(595));
    assert_eq!(night.stack(3), dollars(520));
}

#[test]
fn money_is_at_stake_from_the_first_wager_to_the_statement() {
    let mut night = Night::new(&houses::MBS_2020);
    night.seat(1, 500);
    assert!(!night.table.is_at_stake(), "between rounds");
    night.open();
    assert!(!night.table.is_at_stake(), "nobody has wagered");
    night.standard(1, 100);
    assert!(night.table.is_at_stake());
    night.close();
    assert!(night.table.is_at_stake());
    night.deal(0, &[(at(1), ACES), (Spot::Dealer, JACKS)]);
    assert!(night.table.is_at_stake());
    night.set(1, "Kh Qs");
    night.reveal();
    assert!(night.table.is_at_stake());
    night.settle();
    assert!(!night.table.is_at_stake(), "it is over");
}

#[test]
fn what_a_banking_player_puts_up_is_at_stake() {
    let mut night = Night::new(&houses::CARDROOM);
    night.seat(1, 500);
    night.seat(2, 500);
    night.open();
    assert!(!night.table.is_at_stake(), "the bank is only offered");
    night.bank(1, 120);
    assert!(night.table.is_at_stake());
}

/// The Designated Player pays a rake, covers what it put up and no more.
#[test]
fn a_round_at_the_cardroom() {
    let mut night = Night::new(&houses::CARDROOM);
    for person in [1, 2, 5] {
        night.seat(person, 500);
    }
    night.open();
    night.bank(1, 120);
    night.standard(2, 100);
    night.standard(5, 50);
    night.close();
    // The number 2 names the seat to the left of the Designated Player.
    night.deal(
        2,
        &[
            (at(1), "Jc Jd Qh Tc 7c 4h 2s"),
            (at(2), "Ac Ad Kh Qs 9c 5d 3h"),
            (at(5), "Kc Kd Ah Qc 9d 5h 3s"),
        ],
    );
    night.set_all();
    night.reveal();
    let lines = night.settle();
    assert_eq!(
        told(&lines),
        ["2 standard win +$100 back $100 (C8)", "5 standard win +$20 back $50 (C8 C10)",]
    );
    assert_eq!(night.stack(1), dollars(500 - 1 - 120));
    assert_eq!(night.stack(2), dollars(600));
    assert_eq!(night.stack(5), dollars(520));
    assert_eq!(night.table.rotation().next, Position(2), "the bank goes on clockwise");
}

/// Fees before the cards; a 9-high Low hand pushes and pays Tiger 9.
#[test]
fn a_round_commission_free() {
    let mut night = Night::new(&houses::COMMISSION_FREE);
    night.seat(2, 1000);
    night.seat(6, 1000);
    night.open();
    night.bank(2, 500);
    night.standard(6, 100);
    night.tiger(6, 10);
    let events = night.close();
    assert_eq!(events.len(), 3, "closed, and two fees: {events:?}");
    night.deal(1, &[(at(2), "Tc 9d 7h 5s 4c 3d 2h"), (at(6), "Kc Kd Ah Qc 9c 5h 3s")]);
    night.set_all();
    night.reveal();
    let lines = night.settle();
    assert_eq!(
        told(&lines),
        ["6 standard push back $100 (F9)", "6 tiger win +$300 back $10 (F10)"]
    );
    // Schedule 1: a dollar for each wager up to $100, a dollar from the player-dealer.
    assert_eq!(night.stack(6), dollars(1000 - 2 + 300));
    assert_eq!(night.stack(2), dollars(1000 - 1 - 300));
}

/// A player banks: the house bets too, the pool pays, the net gain pays commission.
#[test]
fn a_round_with_a_player_banker_at_catfish_bend() {
    let mut night = Night::new(&houses::CATFISH_BEND);
    for person in [2, 6] {
        night.seat(person, 1000);
    }
    // The dealer banks first; then the button goes counter-clockwise to position 6.
    night.open();
    night.standard(6, 25);
    night.close();
    night.deal(1, &[]);
    night.set_all();
    night.reveal();
    night.settle();
    assert_eq!(night.table.rotation().next, Position(6));
    let before = night.stack(6);

    night.open();
    night.standard(2, 100);
    let bank = Action::TakeBank { put_up: dollars(125), house_wager: dollars(25) };
    night.must(Actor::player(6), bank);
    night.fortune(6, 5);
    night.close();
    night.deal(
        1,
        &[
            (at(6), "Ac Ad Kh Qs 9c 5d 3h"),
            (at(2), "Kc Kd Ah Jc 9d 5h 3s"),
            (at(7), "Jc Jd Qh Tc 7c 4h 2s"),
        ]
        .map(|(spot, hand)| (spot, if spot == at(2) { "Kc Kd Jh Ts 9d 5h 3s" } else { hand })),
    );
    night.set_all();
    night.must(Actor::player(6), Action::SetBanker { low: cards("Kh Qs") });
    let lines = night.settle();
    assert_eq!(
        told(&lines),
        [
            "7 house lose -$25 (B7 B17)",
            "6 fortune lose -$5 (B10)",
            "2 standard lose -$100 (B7)",
            "6 commission push (B17 B2)",
        ]
    );
    let gained = night.stack(6).minus(before);
    assert_eq!(gained, Some(dollars(125 - 5)), "waived by the Fortune Bonus wager");
    let stacks = night.stack(2).plus(night.stack(6));
    assert_eq!(Some(night.table.money()), stacks, "nothing is left on the layout");
    assert!(night.table.rotation().house_between, "the dealer banks the next round");
}

/// Who works at a table does not play there, and who plays there does not work: in every house.
#[test]
fn staff_do_not_play_at_the_table_they_work_at() {
    let refused = "staff do not play at the table they work at (table policy)";
    for rulebook in houses::HOUSES {
        let mut night = Night::new(rulebook);
        let sit = |position| Action::Sit { position: Position(position) };
        for role in [Role::Dealer, Role::PitSupervisor, Role::GamingShiftManager] {
            assert_eq!(night.refused(staff(role), sit(1)), refused);
        }
        night.seat(1, 500);
        night.seat(2, 500);
        for role in [Role::Dealer, Role::GamingShiftManager] {
            let both = Actor { person: Person(1), role };
            let leave = Action::Leave { position: Position(2) };
            for action in [Action::OpenRound, leave, sit(3)] {
                assert_eq!(night.refused(both, action), refused);
            }
        }
        // Nor do they wager on another's position.
        night.must(staff(Role::Dealer), Action::BringMoney { amount: dollars(100) });
        night.open();
        if !matches!(night.table.phase(), Phase::Offering { .. }) {
            let bet = Night::placing(1, Wager::Standard, 10);
            assert_eq!(night.refused(staff(Role::Dealer), bet), refused);
        }
        if rulebook.seats.shared_wagers.is_some() {
            night.must(Actor::player(5), Action::BringMoney { amount: dollars(100) });
            night.standard(1, 10);
            night.place(5, 1, Wager::Standard, 10);
            let shares = Actor { person: Person(5), role: Role::Dealer };
            assert_eq!(night.refused(shares, Action::CloseBets), refused);
        }
        // Who got up is free to work.
        night.must(Actor::player(2), Action::Leave { position: Position(2) });
        let freed = Actor { person: Person(2), role: Role::Dealer };
        assert_ne!(night.refused(freed, Action::OpenRound), refused);
    }
}
