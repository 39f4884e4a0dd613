//! The log: text that a person can read, from which the table comes back as it was.

mod common;

use common::{DEALER, Night, at, cards, dollars, staff};
use houseway_rules::rulebook::{Incident, Role, Wager};
use houseway_rules::{Cents, houses};
use houseway_table::deal::Spot;
use houseway_table::{
    Action, Actor, Bank, Call, Command, Event, Person, Phase, Position, Posted, Repair, Rotation,
    Ruling, Setup, Table, Time, decide, replay,
};

/// A log as it is kept: an event a line.
fn written(night: &Night) -> String {
    let line = |event: &Event| serde_json::to_string(event).expect("an event is text") + "\n";
    night.log.iter().map(line).collect()
}

fn read(log: &str) -> Vec<Event> {
    log.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Three rounds of each house with a foul, a concession, a void round and a correction where the
/// house has them: the log, read back, gives the same table at every step.
#[test]
fn a_log_replays_to_the_same_table() {
    for rulebook in houses::HOUSES {
        let mut night = Night::new(rulebook);
        let mut stages = vec![];
        for person in [1, 3, 6] {
            night.seat(person, 3_000);
        }
        for round in 0..3 {
            night.open();
            for _ in 0..3 {
                if let Phase::Offering { to, .. } = night.table.phase() {
                    let who = night.table.seats()[to];
                    night.bank(who.0, 300);
                }
            }
            let banker = match night.table.phase() {
                Phase::Betting(betting) => betting.bank.position(),
                _ => None,
            };
            for person in [1, 3, 6].into_iter().filter(|at| banker != Some(Position(*at as u8))) {
                night.standard(person, 20);
                night.fortune(person, 5);
            }
            stages.push((night.log.len(), night.table.clone()));
            night.close();
            night.deal(2, &[]);
            stages.push((night.log.len(), night.table.clone()));
            if round == 1 && !rulebook.irregularities.is_empty() {
                let what = rulebook.irregularities[0].what;
                night.must(DEALER, Action::Call(Call { what, spot: None, repair: None }));
                continue;
            }
            night.set_all();
            night.reveal();
            if rulebook.concession.is_some() {
                night.must(Actor::player(3), Action::Concede { position: Position(3) });
            }
            night.settle();
            stages.push((night.log.len(), night.table.clone()));
        }
        let log = read(&written(&night));
        assert_eq!(log, night.log, "{}: what is read is what was written", rulebook.id);
        for (events, table) in stages {
            let again = replay(table.setup().clone(), &log[..events]);
            assert!(again == table, "{} after {events} events", rulebook.id);
        }
    }
}

/// The stored form of events. A difference here is a migration, not a refactoring.
#[test]
fn events_keep_their_stored_form() {
    let (position, person) = (Position(3), Person(7));
    let forms = [
        (
            Event::Placed {
                position,
                person,
                wager: Wager::Standard,
                amount: dollars(25),
                before: Cents::ZERO,
                by: None,
                clause: "3.5".into(),
            },
            r#"{"event":"placed","position":3,"person":7,"wager":"standard","amount":2500,"before":0,"by":null,"clause":"3.5"}"#,
        ),
        (
            Event::BankTaken {
                bank: Bank::Player {
                    position,
                    person,
                    put_up: dollars(100),
                    house_wager: Cents::ZERO,
                },
                before: Cents::ZERO,
                clause: "C14".into(),
            },
            r#"{"event":"bank-taken","bank":{"banker":"player","position":3,"person":7,"put-up":10000,"house-wager":0},"before":0,"clause":"C14"}"#,
        ),
        (
            Event::Dealt {
                hands: vec![(at(3), cards("Ac Kd Js 9h 7c 4d 3s")), (Spot::Dealer, cards("Jk Ad"))],
                number: 2,
                action: Some(position),
                left_over: cards("2c"),
                until: Some(30_000),
                clause: "3.10".into(),
            },
            r#"{"event":"dealt","hands":[[{"at":3},["Ac","Kd","Js","9h","7c","4d","3s"]],["dealer",["Jk","Ad"]]],"number":2,"action":3,"left-over":["2c"],"until":30000,"clause":"3.10"}"#,
        ),
        (
            Event::RoundEnded {
                rotation: Rotation {
                    next: position,
                    in_a_row: 1,
                    last: Some(person),
                    house_between: false,
                },
            },
            r#"{"event":"round-ended","rotation":{"next":3,"in-a-row":1,"last":7,"house-between":false}}"#,
        ),
        (
            Event::Ruled {
                by: staff(Role::GamingShiftManager),
                ruling: Ruling::HandOut(position),
                reason: "a drink on the cards".into(),
                clause: "6.1".into(),
            },
            r#"{"event":"ruled","by":{"person":904,"role":"gaming-shift-manager"},"ruling":{"hand-out":3},"reason":"a drink on the cards","clause":"6.1"}"#,
        ),
        (
            Event::HandOut { position, may_withdraw: vec![person], clause: "5.7".into() },
            r#"{"event":"hand-out","position":3,"may-withdraw":[7],"clause":"5.7"}"#,
        ),
        (
            Event::LeftToDealer { position, clause: "B23".into() },
            r#"{"event":"left-to-dealer","position":3,"clause":"B23"}"#,
        ),
        (
            Event::Noted { what: Incident::LateWithdrawal, person: None, clause: "5.6".into() },
            r#"{"event":"noted","what":"late-withdrawal","person":null,"clause":"5.6"}"#,
        ),
    ];
    for (event, form) in forms {
        assert_eq!(serde_json::to_string(&event).expect("text"), form);
        assert_eq!(serde_json::from_str::<Event>(form).expect(form), event);
    }
}

/// Commands are text too; what is no command is refused by the reader, never with a panic.
#[test]
fn commands_are_read_from_text() {
    let text =
        r#"{"by":{"person":7,"role":"player"},"at":5,"do":"set","position":3,"low":["9h","4d"]}"#;
    let command: Command = serde_json::from_str(text).expect(text);
    assert_eq!(command.action, Action::Set { position: Position(3), low: cards("9h 4d") });
    assert_eq!(serde_json::to_string(&command).expect("text"), text);
    let text = r#"{"by":{"person":9,"role":"pit-supervisor"},"at":5,"do":"call","what":"banker-misset","spot":{"at":6},"repair":{"lay":["Kh","9c"]}}"#;
    let command: Command = serde_json::from_str(text).expect(text);
    let repair = Some(Repair::Lay(cards("Kh 9c")));
    let call = Call { what: Incident::BankerMisset, spot: Some(at(6)), repair };
    assert_eq!(command.action, Action::Call(call));
    assert_eq!(serde_json::to_string(&command).expect("text"), text);
    for bad in [
        "",
        "{}",
        r#"{"by":{"person":7,"role":"king"},"at":5,"do":"settle"}"#,
        r#"{"by":{"person":7,"role":"player"},"at":-5,"do":"settle"}"#,
        r#"{"by":{"person":7,"role":"player"},"at":5,"do":"set","position":300,"low":[]}"#,
        r#"{"by":{"person":7,"role":"player"},"at":5,"do":"set","position":3,"low":["9h","9h"]}"#,
        r#"{"by":{"person":0,"role":"dealer"},"at":5,"do":"deal","deck":["9h"],"number":1}"#,
    ] {
        assert!(serde_json::from_str::<Command>(bad).is_err(), "{bad}");
    }
}

/// After an interruption whoever has something to do has their time again.
#[test]
fn the_clock_starts_again_after_an_interruption() {
    let rulebook = std::sync::Arc::new(houses::MBS_2020.clone());
    let time = Time { betting: Some(30_000), ..Time::default() };
    let posted = Posted { time, ..Posted::usual(&rulebook) };
    let mut table = Table::new(Setup::new(rulebook, posted).expect("a set-up"));
    let mut ask = |by: Actor, at: u64, action: Action| {
        let events = decide(&table, &Command { by, at, action });
        for event in events.iter().flatten() {
            table.apply(event);
        }
        events.map(|_| table.phase().clone()).map_err(|refusal| refusal.to_string())
    };
    let until = |phase: Phase| match phase {
        Phase::Betting(betting) => betting.until,
        other => panic!("{other:?}"),
    };
    let resume = |at| (Actor::DEALER, at, Action::Resume);
    let (by, at, action) = resume(0);
    assert_eq!(ask(by, at, action).expect_err("nothing runs"), "not at this moment of the round");
    let opened = ask(Actor::DEALER, 1_000, Action::OpenRound).expect("it opens");
    assert_eq!(until(opened), Some(31_000));
    let (by, at, action) = resume(500_000);
    assert_eq!(until(ask(by, at, action).expect("it goes on")), Some(530_000));
    let by = Actor::player(1);
    assert!(ask(by, 500_000, Action::Resume).expect_err("no dealer").contains("dealer"));
}
