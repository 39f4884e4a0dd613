//! Finished rounds: kept as the log tells them, recalled as they were seen, summed as the books say.

mod evening;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use houseway_rules::rulebook::{Incident, Role, Wager};
use houseway_rules::{Cents, set_house_way};
use houseway_server::desk::{Ask, Desk, HouseAsk};
use houseway_server::history::{self, Format, RoundEnd, Search};
use houseway_server::mark::EVERY;
use houseway_server::proof::proof;
use houseway_server::recall::{DoneForThem, NotRecalled, Recall, recall};
use houseway_server::report::{self, Liability, ReportBy};
use houseway_server::room::{Asked, Room};
use houseway_server::rounds::Walk;
use houseway_store::{
    AccountName, RoundBet, RoundFilter, RoundRow, Sqlite, StatusKind, Strays, StreamId, TableId,
    Version,
};
use houseway_table::deal::Spot;
use houseway_table::view::{HandView, Onlooker, TableView, view};
use houseway_table::{Action, Actor, Call, Person, Phase, Position, Ruling};
use sqlx::Connection;
use uuid::Uuid;

use evening::{Evening, ask, done, until_bets};

const RULES: [&str; 5] = ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"];
const HERE: Position = Position(1);
const ME: Person = Person(1);

/// Views of a table as they were live, by onlooker and version.
type Seen = BTreeMap<(bool, u64), TableView>;

/// Lets time pass, in milliseconds.
fn pass(evening: &Evening, time: u64) {
    evening.clock.0.fetch_add(time, Ordering::SeqCst);
}

fn look(room: &Room, evening: &Evening, seen: &mut Seen) {
    let now = room.now();
    for (me, onlooker) in [(true, Onlooker::Player(ME)), (false, Onlooker::Spectator)] {
        let view = view(now.desk.table(), onlooker, evening.house.now());
        seen.insert((me, now.version.0), view);
    }
}

async fn sit_down(evening: &Evening, rules: &str) -> Room {
    evening.pays(ME, 1_000).await;
    let room = evening.table(rules, 3).await;
    done(&room, Action::BringMoney { amount: Cents::dollars(500) }).await;
    done(&room, Action::Sit { position: HERE }).await;
    room
}

/// Plays a round to its end, and looks at the table between what is done.
async fn play(evening: &Evening, room: &Room, seen: &mut Seen) {
    until_bets(room).await;
    pass(evening, 10);
    let (position, amount) = (HERE, Cents::dollars(10));
    for wager in [Wager::Standard, Wager::Fortune] {
        let place = Action::Place { position, wager, amount, person: None };
        ask(room, Ask::Table(place)).await;
        look(room, evening, seen);
    }
    ask(room, Ask::House(HouseAsk::Ready)).await;
    look(room, evening, seen);
    pass(evening, 10);
    ask(room, Ask::Table(Action::View { position })).await;
    look(room, evening, seen);
    ask(room, Ask::Table(Action::SetHouseWay { position })).await;
    look(room, evening, seen);
    if matches!(room.now().desk.table().phase(), Phase::Revealed(_)) {
        ask(room, Ask::House(HouseAsk::Ready)).await;
        look(room, evening, seen);
    }
    assert!(matches!(room.now().desk.table().phase(), Phase::Idle), "the round is over");
}

async fn rows(evening: &Evening, table: TableId) -> Vec<RoundRow> {
    let filter = RoundFilter { table: Some(table), ..RoundFilter::default() };
    evening.store.rounds(&filter, None, 1_000).await.expect("rounds")
}

async fn recalled(evening: &Evening, table: TableId, round: u64, as_whom: Onlooker) -> Recall {
    recall(&evening.house, table, round, as_whom).await.expect("it is recalled")
}

async fn manager(room: &Room, action: Action) {
    let by = Actor { person: Person(9), role: Role::GamingShiftManager };
    let asked = Asked { by, ask: Ask::Table(action.clone()), id: Uuid::now_v7() };
    let text = room.ask(asked).await.expect("it is answered").text;
    assert_eq!(text, r#"{"answer":"done"}"#, "{action:?}");
}

/// The ledger knows nothing of rows: both must come to the same.
async fn assert_books(evening: &Evening, table: TableId) {
    let all = rows(evening, table).await;
    assert_eq!(evening.house.check_rounds().await, Ok(vec![]));
    let balance = async |name: &str| {
        let account: AccountName = format!("table/{table}/{name}").parse().expect("a name");
        i128::from(evening.store.balance(&account).await.expect("a balance"))
    };
    let shares = || all.iter().flat_map(|row| &row.shares);
    let total = |of: &dyn Fn(&RoundRow) -> i128| all.iter().map(of).sum::<i128>();
    let cents = |amount: Cents| i128::from(amount.get());
    assert_eq!(
        balance("house").await,
        total(&|row| cents(row.house_took) - cents(row.house_paid)),
        "the house"
    );
    let commission = shares().map(|it| cents(it.commission)).sum::<i128>();
    assert_eq!(balance("commission").await, commission, "commission");
    let fees = shares().filter(|it| it.bet == RoundBet::Fee).map(|it| cents(it.taken));
    assert_eq!(balance("collection").await, fees.sum::<i128>(), "fees");
    let mine = shares().filter(|it| it.person == ME).map(houseway_store::RoundShare::net);
    assert_eq!(balance("stack/1").await, 50_000 + mine.sum::<i128>(), "the guest");
}

#[tokio::test]
async fn rows_come_to_what_the_books_say() {
    for rules in RULES {
        let evening = Evening::new(21);
        let room = sit_down(&evening, rules).await;
        for _ in 0..8 {
            play(&evening, &room, &mut Seen::new()).await;
        }
        let table = room.now().desk.id();
        let all = rows(&evening, table).await;
        assert_eq!(all.len(), 8, "{rules}");
        assert!(all.iter().all(|row| row.rulebook == rules && row.began < row.ended));
        assert_books(&evening, table).await;
        let shares = || all.iter().flat_map(|row| &row.shares);
        assert!(shares().any(|it| it.bot), "{rules}: bots are marked");
        assert!(shares().all(|it| !it.bot || it.person != ME));
    }
}

#[tokio::test]
async fn rows_that_were_spoiled_are_found_and_written_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("houseway.db");
    let store = Arc::new(Sqlite::open(&file).await.expect("it opens"));
    let evening = Evening::on(store, 22);
    let room = sit_down(&evening, "mbs-2020").await;
    for _ in 0..4 {
        play(&evening, &room, &mut Seen::new()).await;
    }
    let table = room.now().desk.id();
    let before = rows(&evening, table).await;
    assert_eq!(evening.house.check_rounds().await, Ok(vec![]));
    let spoil = async |sql: &str| {
        let address = format!("sqlite://{}", file.display());
        let mut raw = sqlx::SqliteConnection::connect(&address).await.expect("it opens");
        let sql = sqlx::AssertSqlSafe(sql.to_owned());
        sqlx::raw_sql(sql).execute(&mut raw).await.expect("nothing guards a projection");
        raw.close().await.expect("it closes");
    };
    spoil(
        "update round_share set paid = paid + 1 where person = 1 and bet = 'standard' and \
           last_version = (select last_version from round where round = 2)",
    )
    .await;
    spoil("delete from round_share where last_version = (select last_version from round where round = 3);
           delete from round where round = 3")
    .await;
    spoil(
        "insert into round select table_id, 99999, 77, first_version, rulebook, began, ended, \
           status, clause, house_took, house_paid from round where round = 1",
    )
    .await;
    // A table that no log tells of, which is another's twin.
    spoil(
        "insert into round select 999, last_version, round, first_version, rulebook, began, ended, \
           status, clause, house_took, house_paid from round where round = 1; \
         insert into round_share select 999, last_version, person, bet, bot, ended, rulebook, status, \
           wagered, taken, paid, back, commission from round_share \
           where last_version = (select last_version from round where round = 1); \
         insert into mark values ('table/999', 1, 'x')",
    )
    .await;
    let found = evening.house.check_rounds().await.expect("checked");
    let rounds: Vec<_> = found
        .iter()
        .map(|it| (it.kept.as_ref().map(|row| row.round), it.told.as_ref().map(|row| row.round)))
        .collect();
    assert_eq!(rounds, [(Some(2), Some(2)), (None, Some(3)), (Some(1), None), (Some(77), None)]);
    evening.house.rebuild_rounds().await.expect("rebuilt");
    assert_eq!(evening.house.check_rounds().await, Ok(vec![]));
    assert_eq!(evening.store.strays().await, Ok(Strays::default()));
    assert_eq!(rows(&evening, TableId(999)).await, []);
    assert_eq!(evening.house.check_beside().await.expect("checked").faults, Vec::<String>::new());
    assert_eq!(rows(&evening, table).await, before);
    // And the table goes on.
    play(&evening, &room, &mut Seen::new()).await;
    assert_eq!(rows(&evening, table).await.len(), 5);
    assert_eq!(evening.house.check_rounds().await, Ok(vec![]));
}

/// Rounds, shares, sums and marks: whatever is not as the log says is found, and nothing else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_kept_beside_the_logs_is_held_against_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("houseway.db");
    let store = Arc::new(Sqlite::open(&file).await.expect("it opens"));
    let evening = Evening::on(store, 23);
    let rooms = [sit_down(&evening, "mbs-2020").await, sit_down(&evening, "cardroom").await];
    while rooms[0].now().version.0 < 2 * EVERY {
        pass(&evening, 40_000_000);
        for room in &rooms {
            play(&evening, room, &mut Seen::new()).await;
        }
    }
    let mut rounds = 0;
    for room in &rooms {
        rounds += rows(&evening, room.now().desk.id()).await.len() as u64;
    }
    let found = evening.house.check_beside().await.expect("checked");
    assert_eq!(found.faults, Vec::<String>::new());
    assert_eq!(found.rounds, rounds);
    assert!(found.marks >= 2, "{found:?}");
    // Each is found by itself, in so many words, and taken back.
    let spoiled = [
        ("delete from round_share; delete from round; delete from bet_sum", "is missing"),
        ("update round_share set paid = paid + 1 where person = 1", "is another one"),
        (
            "insert into round select table_id, 99999, 77, first_version, rulebook, began, ended, \
               status, clause, house_took, house_paid from round where round = 1",
            "was never played",
        ),
        (
            "insert into round select 999, last_version, round, first_version, rulebook, began, ended, \
               status, clause, house_took, house_paid from round where round = 1 limit 1; \
             insert into round_share select 999, last_version, person, bet, bot, ended, rulebook, \
               status, wagered, taken, paid, back, commission from round_share \
               where (table_id, last_version) = (select table_id, last_version from round where round = 1)",
            "table/999: 1 rounds end where the log has no entry; the first, round 1 up to entry",
        ),
        (
            "insert into round_share select 999, last_version, person, bet, bot, ended, rulebook, \
               status, wagered, taken, paid, back, commission from round_share limit 1",
            "table/999: 1 rounds have shares that are not theirs; the first, those up to entry",
        ),
        ("update round_share set ended = ended + 1", "have shares that are not theirs"),
        ("update round_share set status = 'void'", "have shares that are not theirs"),
        (
            "insert into mark values ('table/999', 7, 'x')",
            "table/999: 1 marks stand where the log has no entry; the first, after entry 7",
        ),
        ("update round_sum set house_took = house_took + 1", "house-took is kept as"),
        ("update round_sum set rounds = rounds - 1", "rounds is kept as"),
        ("delete from round_sum where day = 0", "and the log comes to"),
        ("insert into round_sum values (9999, 5, 'own', 'settled', 1, 1, 0)", "5, own: rounds"),
        ("update bet_sum set wagered = wagered - 1 where bot = 0", "standard: wagered is kept as"),
        ("update bet_sum set squares = squares * 2", "squares"),
        ("delete from bet_sum where bet = 'standard' and bot = 1", "standard of bots: shares"),
        ("update mark set body = replace(body, 'a', 'b')", "does not open"),
    ];
    let kept = ["round", "round_share", "round_sum", "bet_sum", "mark"];
    let copy = kept.map(|it| format!("create table kept_{it} as select * from {it};")).concat();
    let put_back = kept.map(|it| {
        format!("delete from {it}; insert into {it} select * from kept_{it}; drop table kept_{it};")
    });
    let put_back = put_back.concat();
    let address = format!("sqlite://{}", file.display());
    let mut raw = sqlx::SqliteConnection::connect(&address).await.expect("it opens");
    let mut run = async |sql: String| {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut raw).await.expect("it is done");
    };
    run("pragma foreign_keys = off".to_string()).await;
    for (sql, says) in spoiled {
        run(format!("{copy} {sql}")).await;
        let found = evening.house.check_beside().await.expect("checked").faults;
        assert!(found.iter().any(|it| it.contains(says)), "{sql}: {found:?}");
        run(put_back.clone()).await;
        let found = evening.house.check_beside().await.expect("checked").faults;
        assert_eq!(found, Vec::<String>::new(), "{sql} was taken back");
    }
}

/// While people play, nothing that comes meanwhile is taken for a fault.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_that_is_open_is_checked_without_false_alarms() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(Sqlite::open(&folder.path().join("houseway.db")).await.expect("it opens"));
    let evening = Evening::on(store, 24);
    let room = sit_down(&evening, "mbs-2020").await;
    let house = evening.house.clone();
    let checking = tokio::spawn(async move {
        let mut last = 0;
        while last < 6 {
            let found = house.check_beside().await.expect("checked");
            assert_eq!(found.faults, Vec::<String>::new());
            last = found.rounds;
        }
    });
    for _ in 0..6 {
        play(&evening, &room, &mut Seen::new()).await;
    }
    checking.await.expect("no false alarm");
}

/// A hand that is out gets its wagers back in a round that is settled for the others; a finished
/// round that is put right has a row of its own for that.
#[tokio::test]
async fn hands_that_are_out_and_corrections_are_rows_too() {
    let evening = Evening::new(31);
    let room = sit_down(&evening, "mbs-2020").await;
    let table = room.now().desk.id();
    until_bets(&room).await;
    let (position, amount, wager) = (HERE, Cents::dollars(10), Wager::Standard);
    done(&room, Action::Place { position, wager, amount, person: None }).await;
    ask(&room, Ask::House(HouseAsk::Ready)).await;
    manager(&room, Action::Rule { ruling: Ruling::HandOut(HERE), reason: "a spill".into() }).await;
    for _ in 0..3 {
        pass(&evening, 120_000);
        ask(&room, Ask::House(HouseAsk::Ready)).await;
    }
    let first = evening.store.round(table, 1).await.expect("read").remove(0);
    assert_eq!(first.status.kind(), StatusKind::Settled);
    let mine: Vec<_> = first.shares.iter().filter(|it| it.person == ME).collect();
    let [standard] = mine[..] else { panic!("{mine:?}") };
    assert_eq!((standard.wagered, standard.back, standard.net()), (amount, amount, 0));
    assert_books(&evening, table).await;

    // Rounds until one is won or lost; then the guest's hand turns out not to have had seven cards.
    let lost_or_won = loop {
        play(&evening, &room, &mut Seen::new()).await;
        let past = history::rounds_of(&evening.house, ME, &Search::default(), None, 1).await;
        let last = past.expect("a page").rounds.remove(0);
        if last.net != 0 {
            break last;
        }
    };
    let what = Incident::PlayerHandSize;
    manager(&room, Action::Call(Call { what, spot: Some(Spot::At(HERE)), repair: None })).await;
    let both = evening.store.round(table, lost_or_won.round).await.expect("read");
    let [round, correction] = &both[..] else { panic!("{both:?}") };
    assert_eq!(correction.status.clause(), Some("5.7"));
    assert_eq!((correction.round, correction.first), (round.round, correction.last));
    let mine = correction.shares.iter().find(|it| it.person == ME).expect("a share");
    assert_eq!((mine.bet, mine.net()), (RoundBet::Correction, -i128::from(lost_or_won.net)));
    assert_books(&evening, table).await;
    let told = recalled(&evening, table, round.round, Onlooker::Player(ME)).await;
    assert_eq!(told.corrections.len(), 1);
    assert_eq!(told.corrections[0].net, -lost_or_won.net);
}

#[tokio::test]
async fn a_void_round_gives_everything_back() {
    for rules in RULES {
        let evening = Evening::new(23);
        let room = sit_down(&evening, rules).await;
        until_bets(&room).await;
        let (position, amount) = (HERE, Cents::dollars(10));
        let wager = Wager::Standard;
        done(&room, Action::Place { position, wager, amount, person: None }).await;
        ask(&room, Ask::House(HouseAsk::Ready)).await;
        let ruling = Ruling::Void;
        manager(&room, Action::Rule { ruling, reason: "a fire alarm".into() }).await;
        let table = room.now().desk.id();
        let all = rows(&evening, table).await;
        assert_eq!(all.len(), 1, "{rules}");
        assert_eq!(all[0].status.kind(), StatusKind::Void);
        assert!(all[0].status.clause().is_some_and(|clause| !clause.is_empty()));
        assert!(all[0].shares.iter().all(|it| it.net() == 0 && it.wagered == it.back));
        let mine: Vec<_> = all[0].shares.iter().filter(|it| it.person == ME).collect();
        assert!(mine.iter().any(|it| it.bet == RoundBet::Standard && it.wagered == amount));
        assert_eq!(evening.house.check_rounds().await, Ok(vec![]), "{rules}");
        let told = recalled(&evening, table, 1, Onlooker::Player(ME)).await;
        assert_eq!((told.round.status, told.statement.len()), (RoundEnd::Void, 0));
        assert_eq!(told.funds[0].before, told.funds[0].after);
        // The cards stay on record, for an auditor.
        let audited = recalled(&evening, table, 1, Onlooker::Auditor).await;
        assert!(audited.dealt.is_some(), "{rules}");
        assert!(told.dealt.is_none());
    }
}

/// Whenever it became so, and whether or not somebody was there to note it: what was committed to is
/// told to everyone, and proved as far as it was shown.
#[tokio::test]
async fn a_void_round_keeps_its_commitment() {
    for (rules, dealt) in RULES.into_iter().flat_map(|rules| [(rules, false), (rules, true)]) {
        let evening = Evening::new(27);
        let room = sit_down(&evening, rules).await;
        until_bets(&room).await;
        let published = room.now().desk.commitment().expect("committed before the first wager");
        let (position, amount) = (HERE, Cents::dollars(10));
        let wager = Wager::Standard;
        done(&room, Action::Place { position, wager, amount, person: None }).await;
        ask(&room, Ask::House(HouseAsk::Say { words: "seven come eleven".into() })).await;
        assert_eq!(room.now().desk.published_words(), None, "{rules}: bets are open");
        if dealt {
            ask(&room, Ask::House(HouseAsk::Ready)).await;
            assert!(room.now().desk.published_words().is_some(), "{rules}: bets are closed");
            done(&room, Action::View { position }).await;
        }
        let reason = "a fire alarm".into();
        manager(&room, Action::Rule { ruling: Ruling::Void, reason }).await;
        let table = room.now().desk.id();
        for (onlooker, cards) in [(Onlooker::Player(ME), 7), (Onlooker::Spectator, 0)] {
            let told = recalled(&evening, table, 1, onlooker).await;
            let committed = told.steps.iter().find(|it| it.happened["event"] == "committed");
            let committed = &committed.expect("a step").happened["commitment"];
            assert_eq!(*committed, published.to_string(), "{rules}");
            let proof = proof(&evening.house, table, 1, onlooker).await.expect("it is over");
            assert_eq!(proof.commitment, published, "{rules}");
            let said: Vec<_> = proof.words.iter().collect();
            assert_eq!(said, [(ME.0, "seven come eleven")], "{rules}");
            let proved = houseway_fair::verify(&proof).expect("it is proved");
            assert_eq!(proved.cards.len(), if dealt { cards } else { 0 }, "{rules}");
            assert!(proved.number.is_some() && !proved.whole, "{rules}");
        }
    }
}

/// Every view of a recall is the one that was seen live, for the player and for a spectator.
#[tokio::test]
async fn a_round_is_recalled_as_it_was_seen() {
    for rules in RULES {
        let evening = Evening::new(24);
        let room = sit_down(&evening, rules).await;
        let mut seen = Seen::new();
        for _ in 0..5 {
            play(&evening, &room, &mut seen).await;
        }
        let table = room.now().desk.id();
        let mut compared = 0;
        for row in rows(&evening, table).await {
            for (me, onlooker) in [(true, Onlooker::Player(ME)), (false, Onlooker::Spectator)] {
                let told = recalled(&evening, table, row.round, onlooker).await;
                assert!(told.replay && told.dealt.is_none());
                assert_eq!(told.steps.len() as u64, row.last.0 - row.first.0 + 1);
                for step in &told.steps {
                    let version = step.happened["version"].as_u64().expect("a version");
                    if let Some(live) = seen.get(&(me, version)) {
                        assert_eq!(&step.view, live, "{rules}, entry {version}");
                        compared += 1;
                    }
                }
                let end = &told.steps.last().expect("a step").view;
                let past = end.last.as_ref().expect("a round is over");
                assert_eq!((past.round, &past.lines), (row.round, &told.statement));
                assert!(!told.statement.is_empty());
                // Every clause that the statement rests on is cited.
                for clause in told.statement.iter().flat_map(|line| &line.clauses) {
                    assert!(told.clauses.iter().any(|it| it.clause == **clause), "{clause}");
                }
                assert!(told.clauses.iter().any(|it| it.says.is_some()), "{rules}");
                if me {
                    let [funds] = &told.funds[..] else { panic!("one's own: {:?}", told.funds) };
                    let difference =
                        funds.after.get().cast_signed() - funds.before.get().cast_signed();
                    assert_eq!(difference, told.round.net, "{rules}");
                    assert!(told.round.shares.iter().all(|it| it.person == ME));
                } else {
                    assert!(told.funds.is_empty() && told.round.shares.is_empty());
                }
            }
        }
        assert!(compared >= 40, "{rules}: {compared} views were seen live");
    }
}

#[tokio::test]
async fn an_auditor_is_shown_every_card() {
    let evening = Evening::new(25);
    let room = sit_down(&evening, "mbs-2020").await;
    play(&evening, &room, &mut Seen::new()).await;
    let table = room.now().desk.id();
    let audited = recalled(&evening, table, 1, Onlooker::Auditor).await;
    let dealt = audited.dealt.as_ref().expect("an auditor sees them");
    let hands = dealt.hands.iter().flat_map(|(_, cards)| cards);
    let mut cards: Vec<_> = hands.chain(&dealt.left_over).copied().collect();
    cards.sort_unstable();
    cards.dedup();
    assert_eq!(cards.len(), 53);
    assert!(audited.funds.len() >= 2, "everyone's");
    // What is told has the form that is published for it.
    let form = schemars::schema_for!(Recall);
    let told = serde_json::to_value(&audited).expect("JSON");
    for name in told.as_object().expect("an object").keys() {
        assert!(form.as_value()["properties"].get(name).is_some(), "{name}");
    }
    let missing = recall(&evening.house, table, 2, Onlooker::Auditor).await;
    assert_eq!(missing, Err(NotRecalled::NoRound { table: table.0, round: 2 }));
}

/// A banking player who sets freely and does not come back to it.
#[tokio::test]
async fn a_bank_that_was_set_for_its_player_is_marked() {
    let evening = Evening::new(29);
    let room = sit_down(&evening, "catfish-bend").await;
    let table = room.now().desk.id();
    let take = Action::TakeBank { put_up: Cents::dollars(400), house_wager: Cents::ZERO };
    let (mut by_themselves, mut for_them) = (0, 0);
    for round in 1..30 {
        until_bets(&room).await;
        ask(&room, Ask::Table(take.clone())).await;
        let banks = matches!(room.now().desk.table().phase(),
            Phase::Betting(it) if it.bank.position() == Some(HERE));
        ask(&room, Ask::House(HouseAsk::Ready)).await;
        let is_there = banks && by_themselves == 0;
        if is_there {
            let Phase::Setting(play) = room.now().desk.table().phase().clone() else {
                panic!("cards are dealt")
            };
            let rulebook = room.now().desk.table().setup().rulebook.clone();
            let low = set_house_way(&rulebook, play.banker.dealt).setting.low();
            done(&room, Action::SetBanker { low }).await;
        }
        while !matches!(room.now().desk.table().phase(), Phase::Idle) {
            pass(&evening, 300_000);
            ask(&room, Ask::House(HouseAsk::Ready)).await;
        }
        if !banks {
            continue;
        }
        let told = recalled(&evening, table, round, Onlooker::Player(ME)).await.for_the_absent;
        let told: Vec<_> = told.iter().map(|it| (it.person, it.position, it.did)).collect();
        if is_there {
            assert_eq!(told, [], "they set it themselves");
            by_themselves += 1;
        } else {
            assert_eq!(told, [(ME, HERE, DoneForThem::Set)], "it was set for them");
            for_them += 1;
        }
        if by_themselves > 0 && for_them > 0 {
            return;
        }
    }
    panic!("they banked {by_themselves} and {for_them} times");
}

#[tokio::test]
async fn what_was_done_for_the_absent_is_marked() {
    let evening = Evening::new(26);
    let room = sit_down(&evening, "mbs-2020").await;
    until_bets(&room).await;
    let (position, amount, wager) = (HERE, Cents::dollars(10), Wager::Standard);
    done(&room, Action::Place { position, wager, amount, person: None }).await;
    ask(&room, Ask::House(HouseAsk::Ready)).await;
    assert!(matches!(room.now().desk.table().phase(), Phase::Setting(_)));
    // Nobody sets it in time; whatever is done next, the house goes on first.
    pass(&evening, 120_000);
    for _ in 0..3 {
        ask(&room, Ask::House(HouseAsk::Ready)).await;
        pass(&evening, 120_000);
    }
    let table = room.now().desk.id();
    let told = recalled(&evening, table, 1, Onlooker::Player(ME)).await;
    let [it] = &told.for_the_absent[..] else { panic!("{:?}", told.for_the_absent) };
    assert_eq!((it.person, it.position, it.did), (ME, HERE, DoneForThem::Set));
    // Until hands are compared, a spectator does not see how it was set.
    let set = told.steps.iter().position(|step| step.happened["version"] == it.version);
    let watched = recalled(&evening, table, 1, Onlooker::Spectator).await;
    let view = &watched.steps[set.expect("its step")].view;
    let hand = view.seats.iter().find(|seat| seat.position == HERE).and_then(|it| it.hand.clone());
    assert_eq!(hand, Some(HandView::FaceDown { set: true, conceded: false }));
    assert!(watched.steps[set.expect("its step")].happened.get("how").is_none());
}

/// A mark is the table that the log tells up to there, and whoever opens the table from it goes on as if
/// they had read all of it.
#[tokio::test]
async fn marks_are_what_the_log_tells() {
    for (seed, rules) in (30..).zip(RULES) {
        let evening = Evening::new(seed);
        let room = sit_down(&evening, rules).await;
        while room.now().version < Version(3 * EVERY) {
            play(&evening, &room, &mut Seen::new()).await;
        }
        let (store, vault, now) = (&evening.store, evening::vault(0), room.now());
        let (table, opening) = (now.desk.id(), now.desk.opening().clone());
        let stream = StreamId::table(table);
        let mut marks = BTreeMap::new();
        let mut until = now.version;
        while let Some((version, text)) = store.mark(&stream, until).await.expect("read") {
            marks.insert(version, text);
            until = Version(version.0 - 1);
        }
        assert!((2..4).contains(&marks.len()), "{rules}: {} marks", marks.len());
        let setup = opening.setup().expect("it was opened");
        let mut desk = Desk::new(table, opening.clone(), setup.clone());
        let mut walk = Walk::new(table, &opening);
        for entry in store.read(&stream, Version(0), u32::MAX).await.expect("read") {
            let stamped = vault.read(&entry).expect("it opens");
            desk.apply(&stamped, entry.at);
            walk.step(entry.version, entry.at, &stamped);
            let Some(mark) = marks.remove(&entry.version) else { continue };
            let read =
                |table, at| vault.read_mark(table, at, &mark, opening.clone(), setup.clone());
            let place = read(table, entry.version).expect("it is read");
            assert_eq!(format!("{:?}", place.desk), format!("{desk:?}"), "{rules}");
            assert_eq!(place.walk, walk, "{rules}");
            // It is bound to its table and its place.
            assert!(read(table, Version(entry.version.0 - 1)).is_err());
            assert!(read(TableId(table.0 + 1), entry.version).is_err());
        }
        assert!(marks.is_empty(), "{rules}: marks where nothing is: {marks:?}");

        let fresh = Evening::on(store.clone(), 99);
        fresh.clock.0.store(evening.clock.0.load(Ordering::SeqCst), Ordering::SeqCst);
        let again = fresh.house.room(table).await.expect("it opens");
        assert_eq!(format!("{:?}", again.now().desk), format!("{:?}", room.now().desk), "{rules}");
        let before = rows(&evening, table).await.len();
        play(&fresh, &again, &mut Seen::new()).await;
        assert_eq!(rows(&fresh, table).await.len(), before + 1, "{rules}");
    }
}

/// Every name that a kept table has in its text. Whoever changes one changes `FORM` in `mark.rs` with it, so
/// that marks of before are passed over instead of misread.
const KEPT: &str = "action amount at back bank banker banker-fortune barred bet clause clauses closed commission \
    commitment dealer dealt deck discarded ending fees fortune fouls hands heard held high holder \
    house house-between house-wager id in-a-row last last-deck last-wagers left-over left-to-dealer \
    lines low may-withdraw next on opened owes owner paid past payer people person play position \
    power-out put-up ready restricted resumed rotation round said seated seats seed since stack \
    stake stakes standard standing table taken tiger-nine told unbanked under-minimum until version \
    viewed void voided";

#[tokio::test]
async fn marks_keep_their_form() {
    fn note(value: &serde_json::Value, names: &mut BTreeSet<String>) {
        match value {
            serde_json::Value::Object(fields) => {
                for (name, value) in fields {
                    // Positions and people are numbers.
                    if !name.bytes().all(|it| it.is_ascii_digit()) {
                        names.insert(name.clone());
                    }
                    note(value, names);
                }
            }
            serde_json::Value::Array(all) => all.iter().for_each(|it| note(it, names)),
            _ => {}
        }
    }
    let mut names = BTreeSet::new();
    for (seed, rules) in (40..).zip(RULES) {
        let evening = Evening::new(seed);
        let room = sit_down(&evening, rules).await;
        for _ in 0..6 {
            play(&evening, &room, &mut Seen::new()).await;
        }
        let still = room.now().desk.still().expect("no round is played");
        note(&serde_json::to_value(still).expect("JSON"), &mut names);
    }
    let names: Vec<String> = names.into_iter().collect();
    assert_eq!(names.join(" "), KEPT);
}

/// With marks, without them and with some that do not open, a recall is the same.
#[tokio::test(flavor = "multi_thread")]
async fn long_logs_are_recalled_from_marks() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("houseway.db");
    let store = Arc::new(Sqlite::open(&file).await.expect("it opens"));
    let evening = Evening::on(store, 27);
    let room = sit_down(&evening, "cardroom").await;
    while room.now().version < Version(4 * EVERY) {
        play(&evening, &room, &mut Seen::new()).await;
    }
    let table = room.now().desk.id();
    let some: Vec<u64> = rows(&evening, table).await.iter().map(|it| it.round).step_by(5).collect();
    let mut first = vec![];
    for &round in &some {
        first.push(recalled(&evening, table, round, Onlooker::Auditor).await);
    }
    for (what, left) in [
        ("update mark set body = upper(body) where version % 2 = 0", 4),
        ("update mark set body = 'no mark'", 4),
        ("delete from mark", 0),
    ] {
        let address = format!("sqlite://{}", file.display());
        let mut raw = sqlx::SqliteConnection::connect(&address).await.expect("a connection");
        sqlx::raw_sql(what).execute(&mut raw).await.expect("nothing guards marks");
        let count: (i64,) =
            sqlx::query_as("select count(*) from mark").fetch_one(&mut raw).await.expect("counted");
        assert!(count.0 <= left, "{what}: {}", count.0);
        let fresh = Evening::on(evening.store.clone(), 28);
        for (&round, first) in some.iter().zip(&first) {
            let again = recalled(&fresh, table, round, Onlooker::Auditor).await;
            assert_eq!(&again, first, "{what}: round {round}");
        }
    }
}

#[tokio::test]
async fn histories_are_searched_and_exported() {
    let evening = Evening::new(29);
    let room = sit_down(&evening, "mbs-2020").await;
    for _ in 0..5 {
        play(&evening, &room, &mut Seen::new()).await;
    }
    let (house, table) = (&evening.house, room.now().desk.id());
    let any = Search::default();
    let first = history::rounds_of(house, ME, &any, None, 2).await.expect("a page");
    assert_eq!(first.rounds.iter().map(|it| it.round).collect::<Vec<_>>(), [5, 4]);
    let next = first.next.expect("more").to_string().parse().expect("a cursor");
    let second = history::rounds_of(house, ME, &any, Some(next), 10).await.expect("a page");
    assert_eq!(second.rounds.iter().map(|it| it.round).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(second.next, None);
    let nobody = history::rounds_of(house, Person(77), &any, None, 10).await.expect("a page");
    assert_eq!(nobody.rounds, []);
    for (search, found) in [
        (Search { table: Some(table.0), ..any.clone() }, 5),
        (Search { table: Some(table.0 + 1), ..any.clone() }, 0),
        (Search { rules: Some("cardroom".into()), ..any.clone() }, 0),
        (Search { status: Some(RoundEnd::Void), ..any.clone() }, 0),
        (Search { from: Some(first.rounds[1].ended), ..any.clone() }, 2),
        (Search { until: Some(first.rounds[1].ended), ..any.clone() }, 3),
    ] {
        let page = history::rounds_of(house, ME, &search, None, 10).await.expect("a page");
        assert_eq!(page.rounds.len(), found, "{search:?}");
    }
    let all = history::rounds_of_all(house, &any, None, 10).await.expect("a page");
    assert!(all.rounds.iter().all(|it| it.shares.len() > 2), "everyone's shares");

    let (mut csv, mut lines) = (String::new(), String::new());
    history::export(house, ME, &any, Format::Csv, &mut csv).await.expect("exported");
    history::export(house, ME, &any, Format::JsonLines, &mut lines).await.expect("exported");
    let mut table_of_csv = csv.lines();
    let names: Vec<&str> = table_of_csv.next().expect("names").split(',').collect();
    let cells: Vec<Vec<&str>> = table_of_csv.map(|line| line.split(',').collect()).collect();
    assert!(cells.iter().all(|row| row.len() == names.len()));
    let column = |name: &str| names.iter().position(|it| *it == name).expect("a column");
    let sum = |name: &str| -> i64 {
        let cents = cells.iter().map(|row| row[column(name)].parse::<i64>().expect("cents"));
        cents.sum()
    };
    let rounds: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rounds.len(), 5);
    let net: i64 = rounds.iter().map(|it| it["net"].as_i64().expect("a number")).sum();
    assert_eq!(sum("paid") - sum("taken") - sum("commission"), net);
    let stack: AccountName = format!("table/{table}/stack/1").parse().expect("a name");
    assert_eq!(evening.store.balance(&stack).await, Ok(50_000 + net));
    assert!(cells[0][column("ended")].starts_with("1970-01-01T00:16:"), "{csv}");
}

#[tokio::test]
async fn reports_come_to_what_was_played() {
    let evening = Evening::new(30);
    for rules in ["mbs-2020", "cardroom"] {
        let room = sit_down(&evening, rules).await;
        for _ in 0..4 {
            play(&evening, &room, &mut Seen::new()).await;
        }
    }
    let house = &evening.house;
    let by_rules = report::report(house, ReportBy::Rules, 0, u64::MAX).await.expect("a report");
    let of: Vec<&str> = by_rules.lines.iter().map(|line| line.of.as_str()).collect();
    assert_eq!(of, ["cardroom", "mbs-2020"]);
    assert_eq!((by_rules.total.rounds, by_rules.total.voids), (8, 0));
    let by_day = report::report(house, ReportBy::Day, 0, u64::MAX).await.expect("a report");
    assert_eq!(by_day.lines.len(), 1);
    assert_eq!(by_day.lines[0].of, "1970-01-01");
    assert_eq!(by_day.lines[0].rules, ["cardroom", "mbs-2020"]);
    assert_eq!(by_day.total, by_rules.total);
    let by_table = report::report(house, ReportBy::Table, 0, u64::MAX).await.expect("a report");
    assert_eq!((by_table.lines.len(), &by_table.total), (2, &by_rules.total));
    for line in &by_rules.lines {
        let standard = &line.people[0];
        assert_eq!((standard.bet, standard.shares, standard.wagered), ("standard", 4, 4_000));
        assert!(standard.theoretical_return.is_some_and(|it| (0.9..1.0).contains(&it)));
        assert!(standard.standard_error.is_some_and(|it| (0.3..0.5).contains(&it)));
        assert!(standard.actual_return.is_some());
        assert!(!line.bots.is_empty());
    }
    // What the house has is what the books say it has.
    let mut kept = 0;
    for (account, balance) in evening.store.balances("table/").await.expect("balances") {
        if ["/house", "/commission", "/collection"].iter().any(|it| account.as_str().ends_with(it))
        {
            kept += balance;
        }
    }
    assert_eq!(by_rules.total.house_result, kept);
    let none = report::report(house, ReportBy::Day, 5, 5).await.expect("a report");
    assert_eq!((none.lines.len(), none.total.rounds), (0, 0));

    let owed = report::liability(house).await.expect("counted");
    let wallet = evening.store.balance(&AccountName::wallet(ME)).await.expect("a balance");
    assert_eq!(wallet, 100_000);
    let brought = 200_000 - wallet;
    let page = history::rounds_of(house, ME, &Search::default(), None, 100).await.expect("a page");
    let net: i64 = page.rounds.iter().map(|it| it.net).sum();
    assert_eq!(owed, Liability { wallets: wallet, stacks: brought + net, in_play: 0 });
}
