//! The books follow the table to the cent, whatever happens there.

#[path = "../../table/tests/common/mod.rs"]
mod common;

use common::{Chance, DEALER, Night, staff};
use houseway_ledger::{Account, Book};
use houseway_rules::rulebook::{Role, Wager};
use houseway_rules::{Card, Cents, houses};
use houseway_table::deal::{Deck, Spot};
use houseway_table::{Action, Actor, Call, Event, Phase, Position, Ruling};

/// The balances say what the table says: every stack, and nothing in between that is not there.
fn check(night: &Night, book: &Book) {
    assert_eq!(book.sum(), 0, "money comes from somewhere and goes somewhere");
    for (person, guest) in night.table.people() {
        let balance = book.balance(Account::Stack(*person));
        assert_eq!(balance, i128::from(guest.stack.get()), "{person}");
    }
    let at_table: i128 = book
        .balances()
        .filter(|(account, _)| {
            matches!(account, Account::Stack(_) | Account::Felt(_) | Account::Bank)
        })
        .map(|(_, balance)| balance)
        .sum();
    assert_eq!(at_table, i128::from(night.table.money().get()));
    for (account, balance) in book.balances() {
        assert!(balance >= 0 || account.may_be_overdrawn(), "{account} has {balance}");
    }
    if matches!(night.table.phase(), Phase::Idle) {
        for position in (1..=7).map(Position) {
            assert_eq!(book.balance(Account::Felt(position)), 0, "nothing is left on the layout");
        }
        assert_eq!(book.balance(Account::Bank), 0);
    }
}

/// Nights with banks, fees, bonus bets, void rounds, concessions, hands out and corrections.
#[test]
fn books_follow_the_table() {
    let mut chance = Chance(42);
    for rulebook in houses::HOUSES {
        let (mut book, mut entered) = (Book::new(), 0);
        let mut night = Night::new(rulebook);
        for person in [1, 3, 6] {
            night.seat(person, 50_000);
        }
        for round in 0..400 {
            play(&mut night, round, &mut chance);
            for event in &night.log[entered..] {
                let moved = book.record(event);
                let moved = moved.unwrap_or_else(|error| panic!("{}: {error}", rulebook.id));
                assert!(moved.iter().all(|it| it.amount > Cents::ZERO), "{event:?}");
            }
            entered = night.log.len();
            check(&night, &book);
        }
        let seen = |wanted: fn(&Event) -> bool| night.log.iter().any(wanted);
        assert!(seen(|it| matches!(it, Event::Settled { .. })));
        assert!(seen(|it| matches!(it, Event::Voided { .. })));
        assert!(book.balance(Account::House) != 0 || rulebook.commission.is_none());
    }
}

fn play(night: &mut Night, round: usize, chance: &mut Chance) {
    night.open();
    if let Phase::Offering { to, .. } = night.table.phase() {
        let who = night.table.seats()[to];
        night.bank(who.0, 100 + 50 * chance.below(5) as u32);
    }
    let Phase::Betting(betting) = night.table.phase() else { return };
    let mut banker = betting.bank.position();
    // A player with the button may take the bank of a house that banks otherwise.
    if night.table.setup().rulebook.bank.player_banker.is_some() && chance.below(2) == 0 {
        for person in [1, 3, 6] {
            let action = Action::TakeBank { put_up: Cents::dollars(500), house_wager: Cents::ZERO };
            if night.ask(Actor::player(person), action).is_ok() {
                banker = Some(Position(person as u8));
            }
        }
    }
    for person in [1, 3, 6].into_iter().filter(|at| banker != Some(Position(*at as u8))) {
        night.standard(person, 20 + 5 * chance.below(10) as u32);
        if chance.below(2) == 0 {
            night.fortune(person, 5);
        }
        let tiger = Night::placing(person as u8, Wager::TigerNine, 2);
        let _ = night.ask(Actor::player(person), tiger);
    }
    night.close();
    let mut deck: Vec<Card> = Card::all().collect();
    chance.shuffle(&mut deck);
    let deck = Deck::try_from(deck).expect("53 cards");
    night.must(DEALER, Action::Deal { deck, number: 1 + chance.below(7) as u8 });
    let manager = staff(Role::GamingShiftManager);
    match round % 7 {
        3 => {
            let ruling = Ruling::Void;
            night.must(manager, Action::Rule { ruling, reason: "a drink on the cards".into() });
            return;
        }
        5 => {
            let Phase::Setting(play) = night.table.phase() else { return };
            let position = *play.hands.keys().next().expect("someone wagered");
            let ruling = Ruling::HandOut(position);
            night.must(manager, Action::Rule { ruling, reason: "a card fell".into() });
        }
        _ => {}
    }
    night.set_all();
    let Phase::Setting(play) = night.table.phase() else { return };
    let legal = play.banker.dealt.legal_settings(night.table.setup().rulebook.ranking());
    let low = legal.last().expect("a setting").low();
    let free = night.table.setup().rulebook.bank.player_banker.is_some();
    match banker {
        Some(position) if free => {
            night.must(Actor::player(position.0.into()), Action::SetBanker { low });
        }
        // Where a wrong House Way is put right later, the dealer errs now and then.
        _ => {
            if night.ask(DEALER, Action::Reveal { low: Some(low) }).is_err() {
                night.reveal();
            }
        }
    }
    let _ = night.ask(Actor::player(3), Action::Concede { position: Position(3) });
    night.settle();
    let rules = &night.table.setup().rulebook.irregularities;
    for what in rules.iter().map(|rule| rule.what).collect::<Vec<_>>() {
        let call = Call { what, spot: Some(Spot::Dealer), repair: None };
        let later = matches!(
            what,
            houseway_rules::rulebook::Incident::WrongHouseWayLater
                | houseway_rules::rulebook::Incident::BankerHandSize
        );
        if later && chance.below(3) == 0 {
            let _ = night.ask(DEALER, Action::Call(call));
        }
    }
}
