//! Tables in a process, without sockets: a guest plays with bots under every rulebook.

mod evening;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use houseway_rules::rulebook::{Role, Wager};
use houseway_rules::{Cents, houses};
use houseway_server::clock::Clock;
use houseway_server::desk::{Ask, Desk, HouseAsk};
use houseway_server::house::{House, Wish};
use houseway_server::metrics::Metrics;
use houseway_server::room::{Asked, Unanswered};
use houseway_store::{AccountName, Append, NewEntry, Sqlite, StreamId, Version};
use houseway_table::{Action, Actor, Person, Phase, Position, Posted};
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

/// `mbs-2020` 3.16: where no clock runs, a shown hand waits for everybody who may concede.
#[tokio::test]
async fn whoever_may_concede_is_waited_for_where_no_clock_runs() {
    let evening = Evening::new(5);
    for person in [1, 2] {
        evening.pays(Person(person), 100).await;
    }
    let rulebook = houses::find("mbs-2020").expect("it is there");
    let wish =
        Wish { posted: Some(Posted::usual(rulebook)), bots: Some(1), ..Wish::new("mbs-2020") };
    let id = evening.house.open_table(Person(1), wish).await.expect("it opens");
    let room = evening.house.room(id).await.expect("it is there");
    let asks = async |person: u32, ask: Ask| {
        let by = Actor::player(person);
        let answer = room.ask(Asked { by, ask, id: Uuid::now_v7() }).await;
        assert_eq!(answer.expect("it is answered").text, r#"{"answer":"done"}"#, "{person}");
    };
    let does = async |person: u32, action: Action| asks(person, Ask::Table(action)).await;
    for person in [1, 2] {
        does(person, Action::BringMoney { amount: Cents::dollars(50) }).await;
        let position = Position(u8::try_from(person).expect("a seat"));
        does(person, Action::Sit { position }).await;
    }
    for round in 1..=2 {
        until_bets(&room).await;
        for person in [1, 2] {
            let position = Position(u8::try_from(person).expect("a seat"));
            let (wager, amount) = (Wager::Standard, Cents::dollars(10));
            does(person, Action::Place { position, wager, amount, person: None }).await;
        }
        for person in [1, 2] {
            asks(person, Ask::House(HouseAsk::Ready)).await;
        }
        for person in [1, 2] {
            let position = Position(u8::try_from(person).expect("a seat"));
            does(person, Action::SetHouseWay { position }).await;
        }
        let shown = || matches!(room.now().desk.table().phase(), Phase::Revealed(_));
        assert!(shown(), "round {round}: {:?}", room.now().desk.table().phase());
        match round {
            1 => asks(1, Ask::House(HouseAsk::Ready)).await,
            // Who has given up the only hand has nothing more to say.
            _ => does(1, Action::Concede { position: Position(1) }).await,
        }
        assert!(shown(), "the other may concede still");
        asks(2, Ask::House(HouseAsk::Ready)).await;
        let now = room.now();
        assert_eq!(now.desk.table().past().map(|past| past.round), Some(round));
        asks(2, Ask::House(HouseAsk::Ready)).await;
    }
}

/// Cardroom C14: with no taker no round is dealt. Nobody is asked again, nothing is
/// written and everyone may go, until somebody does something.
#[tokio::test]
async fn where_nobody_banks_the_table_rests_until_somebody_does_something() {
    for rules in ["cardroom", "commission-free"] {
        let evening = Evening::new(6);
        evening.pays(Person(1), 1_000).await;
        let room = evening.table(rules, 0).await;
        let rests = async || {
            let version = room.now().version;
            for _ in 0..20 {
                evening.clock.0.fetch_add(10_000, Ordering::Relaxed);
                // Refused, and the house looks what there is to do.
                ask(&room, Ask::Table(Action::DeclineBank)).await;
            }
            let now = room.now();
            assert_eq!(now.version, version, "{rules}");
            assert_eq!(now.desk.table().phase(), &Phase::Idle, "{rules}");
        };
        let offered = || matches!(room.now().desk.table().phase(), Phase::Offering { .. });
        // Without money nobody can be asked.
        done(&room, Action::Sit { position: Position(1) }).await;
        rests().await;
        done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
        assert!(offered(), "{rules}: there is someone who can");
        let before = room.now().version;
        done(&room, Action::DeclineBank).await;
        assert_eq!(room.now().version.0, before.0 + 2, "{rules}: declined, and no banker");
        rests().await;
        // Whoever says that they are ready is asked again, and may go instead of answering.
        assert_eq!(ask(&room, Ask::House(HouseAsk::Ready)).await, r#"{"answer":"done"}"#);
        assert!(offered(), "{rules}: asked again");
        done(&room, Action::Leave { position: Position(1) }).await;
        rests().await;
    }
}

/// Whoever opens a table and says nothing of bots is dealt to, also where a player always banks.
#[tokio::test]
async fn bots_come_by_themselves_where_a_player_always_banks() {
    let evening = Evening::new(7);
    for (rules, seats, bots) in [
        ("mbs-2016", None, 0),
        ("mbs-2020", None, 0),
        ("cardroom", None, 2),
        ("commission-free", None, 2),
        ("commission-free", Some(2), 1),
        ("cardroom", Some(1), 0),
        ("catfish-bend", None, 0),
    ] {
        let wish = Wish { seats, ..Wish::new(rules) };
        let id = evening.house.open_table(Person(1), wish).await.expect("it opens");
        let room = evening.house.room(id).await.expect("it is there");
        assert_eq!(room.now().desk.opening().bots.len(), bots, "{rules}, {seats:?}");
    }
    let wish = Wish { bots: Some(0), ..Wish::new("cardroom") };
    let id = evening.house.open_table(Person(1), wish).await.expect("it opens");
    let room = evening.house.room(id).await.expect("it is there");
    assert_eq!(room.now().desk.opening().bots, [], "who wants none has none");
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

/// A log that cannot be read is one table's trouble: the others are taken up, listed and played at.
#[tokio::test]
async fn a_table_that_cannot_be_read_keeps_no_other_from_play() {
    let evening = Evening::new(8);
    evening.pays(Person(1), 1_000).await;
    let mut rooms = vec![];
    for _ in 0..2 {
        let room = evening.table("mbs-2020", 1).await;
        done(&room, Action::BringMoney { amount: Cents::dollars(100) }).await;
        done(&room, Action::Sit { position: Position(1) }).await;
        until_bets(&room).await;
        let (position, wager, amount) = (Position(1), Wager::Standard, Cents::dollars(10));
        done(&room, Action::Place { position, wager, amount, person: None }).await;
        rooms.push(room.now());
    }
    let stream = StreamId::table(rooms[0].desk.id());
    let spoiled = Append {
        expected: evening.store.head(&stream).await.expect("a head").version,
        stream,
        at: evening.clock.now(),
        entries: vec![NewEntry { kind: "x".into(), body: "no record".into(), moves: vec![] }],
        command: None,
        rounds: vec![],
        mark: None,
    };
    evening.store.append(spoiled).await.expect("it is stored");
    let (clock, metrics) = (evening.clock.clone(), Arc::new(Metrics::default()));
    let again = House::new(evening.store.clone(), vault(8), clock, metrics, BTreeMap::new());
    assert_eq!(again.resume_all("a test").await, Ok(1));
    let whole = rooms[1].desk.id();
    let listed: Vec<u64> =
        again.tables().await.expect("a list").iter().map(|it| it.table).collect();
    assert_eq!(listed, [whole.0]);
    assert!(again.room(whole).await.expect("it is there").now().version > rooms[1].version);
    assert!(matches!(again.room(rooms[0].desk.id()).await, Err(Unanswered::Failed(_))));
}

/// A house that was away tells so where nothing lies on the table yet, too: whoever was offered the bank, or
/// was about to wager, has their time again.
#[tokio::test]
async fn what_was_interrupted_before_the_first_wager_is_taken_up() {
    for (rules, offered) in [("cardroom", true), ("mbs-2020", false)] {
        let evening = Evening::new(9);
        evening.pays(Person(1), 2_000).await;
        let room = evening.table(rules, 0).await;
        done(&room, Action::BringMoney { amount: Cents::dollars(1_000) }).await;
        done(&room, Action::Sit { position: Position(1) }).await;
        let is_there = |phase: &Phase| match phase {
            Phase::Offering { .. } => offered,
            Phase::Betting(_) => !offered,
            _ => false,
        };
        let mut watch = room.watch();
        watch.wait_for(|now| is_there(now.desk.table().phase())).await.expect("it comes");
        let before = room.now();
        assert_eq!(before.desk.resumed(), None);
        evening.clock.0.fetch_add(1_000, Ordering::SeqCst);
        let (clock, metrics) = (evening.clock.clone(), Arc::new(Metrics::default()));
        let again = House::new(evening.store.clone(), vault(9), clock, metrics, BTreeMap::new());
        assert_eq!(again.resume_all("a test").await, Ok(0), "nothing lies on the table");
        let opened = again.room(before.desk.id()).await.expect("it opens");
        let mut watch = opened.watch();
        let taken_up = watch.wait_for(|now| now.desk.resumed().is_some()).await;
        let taken_up = taken_up.expect("it is taken up").clone();
        assert!(is_there(taken_up.desk.table().phase()), "{rules}");
        let until = |desk: &Desk| match desk.table().phase() {
            Phase::Offering { until, .. } => *until,
            Phase::Betting(betting) => betting.until,
            _ => None,
        };
        assert!(until(&taken_up.desk) > until(&before.desk), "{rules}: the time is given again");
    }
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

/// What is kept for good can be asked for a few times a round, and again in the next.
#[tokio::test]
async fn words_and_house_ways_are_not_asked_for_without_end() {
    let evening = Evening::new(6);
    evening.pays(Person(1), 1_000).await;
    let room = evening.table("mbs-2020", 1).await;
    done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
    let position = Position(1);
    done(&room, Action::Sit { position }).await;
    let (wager, amount) = (Wager::Standard, Cents::dollars(10));
    let asked = async |what: &Ask| {
        let mut times = 0;
        while ask(&room, what.clone()).await == r#"{"answer":"done"}"# {
            times += 1;
            assert!(times < 100, "{what:?} has no end");
        }
        let refused = ask(&room, what.clone()).await;
        assert!(refused.contains(r#""refused":"often-enough""#), "{refused}");
        assert!(refused.contains("8 times in a round"), "{refused}");
        times
    };
    for _ in 0..2 {
        until_bets(&room).await;
        done(&room, Action::Place { position, wager, amount, person: None }).await;
        let words = Ask::House(HouseAsk::Say { words: "again".into() });
        assert_eq!(asked(&words).await, 8);
        ask(&room, Ask::House(HouseAsk::Ready)).await;
        ask(&room, Ask::Table(Action::View { position })).await;
        let before = room.now().version;
        let times = asked(&Ask::Table(Action::AskHouseWay { position })).await;
        assert_eq!(times, 8);
        assert_eq!(room.now().version.0, before.0 + 8, "a refusal is no entry");
        done(&room, Action::SetHouseWay { position }).await;
        ask(&room, Ask::House(HouseAsk::Ready)).await;
    }
}

/// A room that nobody needs is closed, and whoever comes next finds the table as it was.
#[tokio::test]
async fn quiet_rooms_are_closed_and_opened_again() {
    const MINUTE: u64 = 60_000;
    let evening = Evening::new(7);
    let pass = |minutes: u64| evening.clock.0.fetch_add(minutes * MINUTE, Ordering::SeqCst);
    evening.pays(Person(1), 1_000).await;
    let house = &evening.house;
    let empty = evening.table("mbs-2020", 2).await.now().desk.id();
    let played = evening.table("mbs-2020", 2).await;
    done(&played, Action::BringMoney { amount: Cents::dollars(500) }).await;
    done(&played, Action::Sit { position: Position(1) }).await;
    until_bets(&played).await;
    let table = played.now().desk.id();
    assert_eq!(house.close_quiet().await, 0, "they were asked for just now");
    pass(6);
    assert_eq!(house.close_quiet().await, 1, "nobody is there");
    assert_eq!(house.open_rooms().await.len(), 1, "and here someone is");

    // Opened again, it is the same table, and commands are answered.
    let again = house.room(empty).await.expect("it is there");
    assert_eq!(again.now().version, Version(1));
    done(&again, Action::BringMoney { amount: Cents::dollars(100) }).await;
    pass(6);
    assert_eq!(house.close_quiet().await, 0, "someone has it in hand");
    let watching = again.watch();
    drop(again);
    assert_eq!(house.close_quiet().await, 1);
    while watching.has_changed().is_ok() {
        // Its task ends as soon as it has seen that nobody can ask any more.
        tokio::task::yield_now().await;
    }
    let again = house.room(empty).await.expect("it is there");
    assert_eq!(again.now().version, Version(2));

    // Rounds that run are not left alone, whoever looks.
    drop(played);
    pass(60);
    drop(again);
    house.close_quiet().await;
    let left: Vec<_> = house.open_rooms().await.iter().map(|it| it.now().desk.id()).collect();
    assert_eq!(left, [table]);
    assert_eq!(evening.store.check_books().await.expect("books"), []);
}

/// The lobby opens no table twice to show it, and none that is long forgotten.
#[tokio::test]
async fn the_lobby_shows_what_happened_lately() {
    let evening = Evening::new(8);
    let pass = |minutes: u64| evening.clock.0.fetch_add(minutes * 60_000, Ordering::SeqCst);
    let house = &evening.house;
    let listed = async || house.tables().await.expect("a list");
    evening.pays(Person(1), 1_000).await;
    let first = evening.table("mbs-2020", 2).await.now().desk.id();
    pass(60 * 13);
    let second = evening.table("cardroom", 0).await;
    let shown = listed().await;
    assert_eq!(shown.len(), 2);
    pass(6);
    drop(second);
    house.close_quiet().await;
    assert!(house.open_rooms().await.is_empty());
    assert_eq!(listed().await, shown);
    assert!(house.open_rooms().await.is_empty(), "shown without being opened");

    pass(60 * 12);
    assert_eq!(listed().await.len(), 1, "the first has been quiet for a day");
    let room = house.room(first).await.expect("its link still leads there");
    done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
    done(&room, Action::Sit { position: Position(1) }).await;
    let shown = listed().await;
    let again = shown.iter().find(|it| it.table == first.0).expect("it is back");
    assert_eq!(again.people, 1);
}

/// Commands that come while rooms are closed are all answered, each once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_meets_a_closing_room_is_answered_by_a_new_one() {
    let evening = Arc::new(Evening::new(9));
    evening.pays(Person(1), 10_000_000).await;
    let table = evening.table("mbs-2020", 0).await.now().desk.id();
    let closing = evening.clone();
    let closer = tokio::spawn(async move {
        let mut closed = 0;
        while closed < 20 {
            closing.clock.0.fetch_add(6 * 60_000, Ordering::SeqCst);
            closed += closing.house.close_quiet().await;
            tokio::task::yield_now().await;
        }
    });
    let mut brought = 0;
    while !closer.is_finished() {
        let room = evening.house.room(table).await.expect("it opens");
        done(&room, Action::BringMoney { amount: Cents::dollars(1) }).await;
        brought += 1;
        drop(room);
        tokio::task::yield_now().await;
    }
    closer.await.expect("no panic");
    let room = evening.house.room(table).await.expect("it opens");
    assert_eq!(room.now().version, Version(1 + brought));
    let wallet = evening.store.balance(&AccountName::wallet(Person(1))).await;
    assert_eq!(wallet, Ok(1_000_000_000 - 100 * i64::try_from(brought).expect("a few")));
}

/// Two houses on one file, neither of which hears of the other: a look is enough.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_went_on_without_a_notice_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("store.db");
    let store = async || Arc::new(Sqlite::open(&file).await.expect("it opens"));
    let (here, there) = (Evening::on(store().await, 3), Evening::on(store().await, 4));
    here.pays(Person(1), 1_000).await;
    let room = here.table("mbs-2020", 0).await;
    let twin = there.house.room(room.now().desk.id()).await.expect("it is there");
    let mut watching = twin.watch();
    done(&room, Action::BringMoney { amount: Cents::dollars(5) }).await;
    assert_eq!(twin.now().version, Version(1), "nobody has told it");
    there.house.look_for_missed().await.expect("it can be seen");
    watching.wait_for(|it| it.version > Version(1)).await.expect("it looks");
    assert_eq!(twin.now().version, room.now().version);
    assert_eq!(twin.now().desk.table(), room.now().desk.table());
}

/// A closed table plays its round to the end, begins none, and keeps nobody's money; opened again it
/// goes on.
#[tokio::test]
async fn a_closed_table_ends_its_round_and_begins_none() {
    let evening = Evening::new(14);
    evening.pays(Person(1), 1_000).await;
    let room = evening.table("mbs-2020", 1).await;
    done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
    let position = Position(1);
    done(&room, Action::Sit { position }).await;
    until_bets(&room).await;
    let (wager, amount) = (Wager::Standard, Cents::dollars(10));
    done(&room, Action::Place { position, wager, amount, person: None }).await;
    let by = async |role, what: HouseAsk| {
        let by = Actor { person: Person(77), role };
        let asked = Asked { by, ask: Ask::House(what), id: Uuid::now_v7() };
        room.ask(asked).await.expect("it is answered").text
    };
    let why = || "a spilled drink".to_string();
    let close = |why| HouseAsk::CloseTable { why };
    let supervisor = by(Role::PitSupervisor, close(why())).await;
    assert!(supervisor.contains(r#""refused":"needs-role","role":"pit-manager""#), "{supervisor}");
    for wrong in [String::new(), "  ".into(), "two\nlines".into(), "x".repeat(201)] {
        let refused = by(Role::PitManager, close(wrong)).await;
        assert!(refused.contains("needs-reason"), "{refused}");
    }
    let open = by(Role::PitManager, HouseAsk::OpenTable { why: why() }).await;
    assert!(open.contains("table-open"), "{open}");
    assert_eq!(by(Role::PitManager, close(why())).await, r#"{"answer":"done"}"#);
    assert_eq!(room.now().desk.closed(), Some("a spilled drink"));
    let again = by(Role::GamingShiftManager, close(why())).await;
    assert!(again.contains("table-closed"), "{again}");
    let listed = evening.house.tables().await.expect("a list");
    let said: Vec<_> = listed.iter().map(|it| it.closed.as_deref()).collect();
    assert_eq!(said, [Some("a spilled drink")], "the lobby says why it is closed");
    // The round goes on as if nothing had been.
    ask(&room, Ask::House(HouseAsk::Ready)).await;
    ask(&room, Ask::Table(Action::View { position })).await;
    done(&room, Action::SetHouseWay { position }).await;
    ask(&room, Ask::House(HouseAsk::Ready)).await;
    assert_eq!(room.now().desk.table().past().expect("it is settled").round, 1);
    evening.clock.0.fetch_add(600_000, Ordering::SeqCst);
    for ask_in_vain in [
        Ask::House(HouseAsk::Ready),
        Ask::Table(Action::BringMoney { amount }),
        Ask::Table(Action::Sit { position: Position(3) }),
        Ask::Table(Action::OpenRound),
    ] {
        let refused = ask(&room, ask_in_vain).await;
        assert!(refused.contains(r#""refused":"table-closed""#), "{refused}");
    }
    assert!(matches!(room.now().desk.table().phase(), Phase::Idle));
    done(&room, Action::TakeMoney { amount }).await;
    // Opened again from its log it is still closed, until someone opens it.
    let (clock, metrics) = (evening.clock.clone(), Arc::new(Metrics::default()));
    let again = House::new(evening.store.clone(), vault(14), clock, metrics, BTreeMap::new());
    let twin = again.room(room.now().desk.id()).await.expect("it is there").now();
    assert!(twin.desk.is_closed());
    let opened = by(Role::PitManager, HouseAsk::OpenTable { why: "it is dry".into() }).await;
    assert_eq!(opened, r#"{"answer":"done"}"#);
    until_bets(&room).await;
    assert_eq!(room.now().desk.table().round(), 2);
}

/// A fault of ours ends the task of a table: whoever asked is told to ask again, and the table is opened anew.
#[tokio::test]
async fn a_table_whose_task_has_ended_is_opened_anew() {
    let evening = Evening::new(31);
    evening.pays(Person(1), 1_000).await;
    let room = evening.table("mbs-2020", 2).await;
    let table = room.now().desk.id();
    done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
    let time = evening.clock.0.swap(evening::BROKEN, Ordering::SeqCst);
    let sit = Action::Sit { position: Position(1) };
    let asked = Asked { by: evening::GUEST, ask: Ask::Table(sit), id: Uuid::now_v7() };
    let failed = room.ask(asked.clone()).await;
    assert!(matches!(failed, Err(Unanswered::Failed(_))), "to be asked again: {failed:?}");
    evening.clock.0.store(time, Ordering::SeqCst);
    // Whoever watches hears of it.
    let mut changes = room.watch();
    while changes.changed().await.is_ok() {}
    assert!(room.ask(asked.clone()).await.is_err(), "and this room is over");
    let again = evening.house.room(table).await.expect("it is opened anew");
    let answered = again.ask(asked.clone()).await.expect("answered");
    assert_eq!(answered.text, r#"{"answer":"done"}"#);
    assert_eq!(again.ask(asked).await, Ok(answered), "once");
}
