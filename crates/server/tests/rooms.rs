//! Tables in a process, without sockets: a guest plays with bots under every rulebook.

mod evening;

use std::collections::BTreeMap;
use std::sync::Arc;

use houseway_rules::Cents;
use houseway_rules::rulebook::{Role, Wager};
use houseway_server::desk::{Ask, HouseAsk};
use houseway_server::house::House;
use houseway_server::metrics::Metrics;
use houseway_server::room::{Asked, Unanswered};
use houseway_store::{AccountName, StreamId, Version};
use houseway_table::{Action, Actor, Person, Phase, Position};
use uuid::Uuid;

use evening::{Evening, ask, done, until_bets, vault};

#[tokio::test]
async fn a_guest_plays_with_bots_under_every_rulebook() {
    for rules in ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"] {
        let evening = Evening::new(11);
        evening.pays(Person(1), 1_000).await;
        let room = evening.table(rules, 3).await;
        let here = Position(1);
        done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
        done(&room, Action::Sit { position: here }).await;
        for round in 1..=6 {
            until_bets(&room).await;
            let now = room.now();
            assert!(now.desk.commitment().is_some(), "{rules}: committed before the first wager");
            assert_eq!(now.desk.table().round(), round, "{rules}");
            let amount = Cents::dollars(10);
            let (position, wager) = (here, Wager::Standard);
            done(&room, Action::Place { position, wager, amount, person: None }).await;
            ask(&room, Ask::House(HouseAsk::Say { words: "seven come eleven".into() })).await;
            ask(&room, Ask::House(HouseAsk::Ready)).await;
            let phase = room.now().desk.table().phase().clone();
            assert!(matches!(phase, Phase::Setting(_)), "{rules} {round}: {phase:?}");
            ask(&room, Ask::Table(Action::View { position })).await;
            done(&room, Action::SetHouseWay { position }).await;
            if matches!(room.now().desk.table().phase(), Phase::Revealed(_)) {
                ask(&room, Ask::House(HouseAsk::Ready)).await;
            }
            let now = room.now();
            let past = now.desk.table().past().expect("a round is over");
            assert_eq!(past.round, round, "{rules}");
        }
        assert_eq!(evening.store.check_books().await.expect("books"), []);
        let stream = StreamId::table(room.now().desk.id());
        evening.store.verify_chain(&stream, None).await.expect("a whole chain");
        // Opened again from its log, the table is the same.
        let again = House::new(
            evening.store.clone(),
            vault(12),
            evening.clock.clone(),
            Arc::new(Metrics::default()),
            BTreeMap::new(),
        );
        let twin = again.room(room.now().desk.id()).await.expect("it is there").now();
        assert_eq!(twin.version, room.now().version);
        assert_eq!(twin.desk.table(), room.now().desk.table());
        assert!(twin.version > Version(20));
    }
}

/// Whatever is asked at the same moment is decided in a row, each on top of the one before, and each
/// gets an answer of its own: also when one in the middle fails or had been answered before.
#[tokio::test]
async fn what_is_asked_at_once_is_answered_in_a_row() {
    let evening = Evening::new(3);
    for person in 1..=5 {
        evening.pays(Person(person), 100).await;
    }
    let room = evening.table("mbs-2020", 0).await;
    let asked = |person: u32, action: Action, id: u128| {
        let by = Actor { person: Person(person), role: Role::Player };
        room.ask(Asked { by, ask: Ask::Table(action), id: Uuid::from_u128(id) })
    };
    let bring = |dollars| Action::BringMoney { amount: Cents::dollars(dollars) };
    let before = asked(1, bring(40), 1).await.expect("it is answered");
    let sit = |position| Action::Sit { position: Position(position) };
    // The second has no more than 100, the third sends the same command twice, and the first sends
    // what was answered before; each of the others was decided on top of something else.
    let answers = futures_util::future::join_all([
        asked(1, sit(1), 2),
        asked(2, bring(101), 3),
        asked(2, bring(99), 4),
        asked(3, bring(50), 5),
        asked(3, bring(50), 5),
        asked(1, bring(40), 1),
        asked(1, bring(41), 1),
        asked(2, sit(1), 6),
        asked(3, sit(2), 7),
        asked(2, sit(3), 8),
    ])
    .await;
    let says: Vec<String> = answers
        .iter()
        .map(|answer| match answer {
            Ok(answer) => {
                let value: serde_json::Value =
                    serde_json::from_str(&answer.text).expect("an answer is JSON");
                value["refused"].as_str().unwrap_or("done").to_string()
            }
            Err(error) => error.to_string(),
        })
        .collect();
    let other = Unanswered::OtherContent.to_string();
    let expected =
        ["done", "wallet-short", "done", "done", "done", "done", &*other, "taken", "done", "done"];
    assert_eq!(says, expected);
    assert_eq!(answers[5].as_ref(), Ok(&before), "the first answer again");
    assert_eq!(answers[3], answers[4], "one command, one answer");
    let balance = async |person| {
        let wallet = AccountName::wallet(Person(person));
        evening.store.balance(&wallet).await.expect("it is read")
    };
    assert_eq!((balance(1).await, balance(2).await, balance(3).await), (6_000, 100, 5_000));
    assert_eq!(evening.store.check_books().await.expect("books"), []);
    let now = room.now();
    let seats: Vec<_> = now.desk.table().seats().iter().map(|(at, who)| (at.0, who.0)).collect();
    assert_eq!(seats, [(1, 1), (2, 3), (3, 2)]);
    // What was published in between is what the log says.
    let log = evening.store.read(&StreamId::table(now.desk.id()), Version(0), 1_000).await;
    assert_eq!(log.expect("it is read").len() as u64, now.version.0);
    let told = room.since(Version(0), now.version).await.expect("it is there");
    assert!(told.iter().zip(1..).all(|(applied, version)| applied.version == Version(version)));
    assert_eq!(told.len() as u64, now.version.0);
}

/// The proof of a finished round opens what was shown to its onlooker, and an auditor's opens all.
#[tokio::test]
async fn a_round_is_proved() {
    use houseway_server::proof::{NotProved, proof};
    use houseway_table::view::Onlooker;
    let evening = Evening::new(5);
    evening.pays(Person(1), 1_000).await;
    let room = evening.table("mbs-2020", 2).await;
    done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
    let position = Position(1);
    done(&room, Action::Sit { position }).await;
    until_bets(&room).await;
    let published = room.now().desk.commitment().expect("committed before the first wager");
    let (wager, amount) = (Wager::Standard, Cents::dollars(10));
    done(&room, Action::Place { position, wager, amount, person: None }).await;
    ask(&room, Ask::House(HouseAsk::Say { words: "blow on them".into() })).await;
    ask(&room, Ask::House(HouseAsk::Ready)).await;
    let (house, table) = (&evening.house, room.now().desk.id());
    let early = proof(house, table, 1, Onlooker::Spectator).await;
    assert_eq!(early, Err(NotProved::NoRound), "it is not over");
    ask(&room, Ask::Table(Action::View { position })).await;
    done(&room, Action::SetHouseWay { position }).await;
    ask(&room, Ask::House(HouseAsk::Ready)).await;
    for (onlooker, whole) in [(Onlooker::Spectator, false), (Onlooker::Auditor, true)] {
        let proof = proof(house, table, 1, onlooker).await.expect("it is over");
        assert_eq!(proof.commitment, published);
        let proved = houseway_fair::verify(&proof).expect("it is proved");
        assert_eq!(proved.whole, whole);
        // The dealer's hand and three others, or the whole deck.
        assert_eq!(proved.cards.len(), if whole { 53 } else { 28 });
    }
}
