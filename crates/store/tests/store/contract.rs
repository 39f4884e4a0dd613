//! One suite, run against every store.

use std::collections::BTreeSet;
use std::time::Duration;

use houseway_rules::Cents;
use houseway_store::{
    Append, AppendError, Appended, BetSum, DAY, Ending, Head, Move, NewUser, Notice, OwnLimit,
    RoundBet, RoundFilter, RoundRow, RoundStatus, RoundSum, Session, StatusKind, Strays, SumBy,
    SumKey, TableId, UserChange, UserError, Version,
};
use houseway_table::Person;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::common::{
    Fresh, account, append, append_at_head, assert_whole, bodies, command, entry, fund, moved,
    paid, round, share, stream, with_command,
};

macro_rules! contract {
    ($($promise:ident)*) => {
        mod memory { $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $promise() { super::$promise(crate::common::memory().await).await; }
        )* }
        mod sqlite { $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $promise() { super::$promise(crate::common::sqlite().await).await; }
        )* }
        mod postgres { $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $promise() { super::$promise(crate::common::postgres().await).await; }
        )* }
        mod serializable { $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $promise() { super::$promise(crate::common::serializable().await).await; }
        )* }
    };
}

contract! {
    entries_come_back_as_they_were
    a_stale_append_is_a_conflict
    an_append_is_whole_or_nothing
    concurrent_appends_have_one_winner_per_version
    a_balance_is_never_spent_twice
    money_that_crosses_does_not_stop
    an_append_is_one_moment
    a_command_is_carried_out_once
    a_refusal_is_remembered
    racing_commands_are_carried_out_once
    bad_appends_among_good_ones_fail_alone
    appends_handed_over_together_build_on_each_other
    what_was_decided_on_top_of_what_failed_is_stale
    statements_are_read_in_pages
    heads_anchor_the_log
    notices_arrive
    books_are_counted_and_rebuilt
    what_no_store_can_hold_is_refused
    names_are_unique_in_any_capitals
    sessions_come_and_go
    failed_logins_are_counted
    own_limits_keep_their_order
    whoever_changes_is_told_of
    versions_and_times_are_those_of_the_last_entries
    marks_stand_where_their_append_ends
    whether_something_can_be_stored_is_found_out_and_leaves_nothing
    rounds_come_with_their_last_entry_or_not_at_all
    rounds_are_searched_in_pages
    rounds_are_summed
    rounds_are_written_anew
    rounds_without_a_log_are_found_and_removed
    rounds_that_cannot_be_are_refused
}

async fn entries_come_back_as_they_were(fresh: Fresh) {
    let store = &*fresh.store;
    let cards = "{\"sealed\":\"…\", \"é\": [1, 2]}";
    let without = Move { clause: None, ..moved("table/7/house", "wallet/1", 2) };
    let moves = vec![moved("issue/play", "wallet/1", 1), without];
    let appended =
        store.append(append("table/7", 0, vec![entry("a"), paid(cards, moves.clone())])).await;
    let head = store.head(&stream("table/7")).await.expect("a head");
    assert_eq!(appended, Ok(Appended::Now(head)));
    store.append(append("table/7", 2, vec![entry("c")])).await.expect("appended");

    let all = store.read(&stream("table/7"), Version(0), 100).await.expect("read");
    assert_eq!(all.iter().map(|it| it.version.0).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((all[1].body.as_str(), all[1].kind.as_str(), all[1].at), (cards, "word", 1_000));
    assert_eq!(all[1].moves, moves);
    assert_eq!(all[1].head(), head);
    let page = store.read(&stream("table/7"), Version(1), 1).await.expect("read");
    assert_eq!(page, all[1..2]);
    assert_eq!(store.read(&stream("table/8"), Version(0), 9).await, Ok(vec![]));
    assert_eq!(store.head(&stream("table/8")).await, Ok(Head::default()));
    assert_whole(store).await;
}

async fn a_stale_append_is_a_conflict(fresh: Fresh) {
    let store = &*fresh.store;
    store.append(append("table/1", 0, vec![entry("a"), entry("b")])).await.expect("appended");
    for stale in [0, 1, 3] {
        let refused = store.append(append("table/1", stale, vec![entry("x")])).await;
        assert_eq!(refused, Err(AppendError::Conflict { actual: Version(2) }), "at {stale}");
    }
    assert_eq!(bodies(store, "table/1").await, ["a", "b"]);
}

async fn an_append_is_whole_or_nothing(fresh: Fresh) {
    let store = &*fresh.store;
    fund(store, "wallet/1", 100).await;
    let entries = vec![
        paid("ok", vec![moved("wallet/1", "table/1/stack/1", 60)]),
        paid("too much", vec![moved("wallet/1", "table/1/stack/1", 60)]),
    ];
    let refused =
        store.append(with_command(append("table/1", 0, entries), command(1, 1, "x"))).await;
    assert_eq!(refused, Err(AppendError::Overdrawn { account: account("wallet/1") }));
    assert_eq!(bodies(store, "table/1").await, Vec::<String>::new());
    assert_eq!(store.recall(Person(1), Uuid::from_u128(1)).await, Ok(None));
    assert_eq!(store.balance(&account("wallet/1")).await, Ok(100));
    assert_eq!(store.balance(&account("table/1/stack/1")).await, Ok(0));
    let moves = store.wallet_moves(Person(1), None, 9).await.expect("read");
    assert_eq!(moves.len(), 1, "what it was given: {moves:?}");
    assert_whole(store).await;
}

async fn concurrent_appends_have_one_winner_per_version(fresh: Fresh) {
    let mut tasks = JoinSet::new();
    for writer in 0..8 {
        let store = fresh.store.clone();
        tasks.spawn(async move {
            for number in 0..10 {
                let body = format!("{writer}.{number}");
                let (mut expected, mut lost) = (0, 0);
                while let Err(error) =
                    store.append(append("table/1", expected, vec![entry(&body)])).await
                {
                    let AppendError::Conflict { actual } = error else { panic!("{error}") };
                    assert_ne!(actual.0, expected, "a conflict says where the stream stands");
                    (expected, lost) = (actual.0, lost + 1);
                    assert!(lost < 1_000, "somebody wins each time");
                }
            }
        });
    }
    tasks.join_all().await;
    let bodies = bodies(&*fresh.store, "table/1").await;
    assert_eq!((bodies.len(), bodies.iter().collect::<BTreeSet<_>>().len()), (80, 80));
    assert_whole(&*fresh.store).await;
}

async fn a_balance_is_never_spent_twice(fresh: Fresh) {
    fund(&*fresh.store, "wallet/1", 1_000).await;
    let mut tasks = JoinSet::new();
    for table in 0..12 {
        let store = fresh.store.clone();
        tasks.spawn(async move {
            let mut spent = 0;
            for version in 0..20 {
                let to = format!("table/{table}/stack/1");
                let entries = vec![paid("spend", vec![moved("wallet/1", &to, 7)])];
                match store.append(append(&format!("table/{table}"), version, entries)).await {
                    Ok(_) => spent += 7,
                    Err(AppendError::Overdrawn { account: it }) => {
                        assert_eq!(it, account("wallet/1"));
                        break;
                    }
                    Err(other) => panic!("{other}"),
                }
            }
            spent
        });
    }
    let spent: i64 = tasks.join_all().await.into_iter().sum();
    assert_eq!(spent, 994, "all that was there in sevens, and not a cent more");
    assert_eq!(fresh.store.balance(&account("wallet/1")).await, Ok(6));
    assert_whole(&*fresh.store).await;
}

/// Everyone pays everyone, both ways, into accounts that are new at the time.
async fn money_that_crosses_does_not_stop(fresh: Fresh) {
    let mut tasks = JoinSet::new();
    for table in 0..8_u64 {
        let store = fresh.store.clone();
        tasks.spawn(async move {
            for version in 0..12 {
                let mut names = ["house/a", "house/b", "house/c", "house/d"].map(String::from);
                names.rotate_left((table % 4) as usize);
                let round = version / 3;
                let ends = names.map(|name| format!("{name}{round}"));
                let moves = vec![moved(&ends[0], &ends[1], 5), moved(&ends[2], &ends[3], 3)];
                let name = format!("table/{table}");
                store.append(append(&name, version, vec![paid("x", moves)])).await.expect("stored");
            }
        });
    }
    tasks.join_all().await;
    assert_whole(&*fresh.store).await;
}

async fn an_append_is_one_moment(fresh: Fresh) {
    let store = &*fresh.store;
    let through = vec![
        paid("out before in", vec![moved("wallet/1", "wallet/2", 50)]),
        paid("in", vec![moved("issue/play", "wallet/1", 50)]),
    ];
    store.append(append("table/1", 0, through)).await.expect("it ends at nothing, not below");
    assert_eq!(store.balance(&account("wallet/1")).await, Ok(0));
    assert_eq!(
        store.balances("wallet/").await,
        Ok(vec![(account("wallet/1"), 0), (account("wallet/2"), 50)])
    );
    assert_eq!(store.balance(&account("issue/play")).await, Ok(-50));
    assert_whole(store).await;
}

async fn a_command_is_carried_out_once(fresh: Fresh) {
    let store = &*fresh.store;
    let first = with_command(append("table/1", 0, vec![entry("a")]), command(7, 1, "done"));
    let Ok(Appended::Now(head)) = store.append(first.clone()).await else { panic!("stored") };
    // Neither what is asked now nor where the stream has gone matters.
    for entries in [vec![entry("a")], vec![entry("other")], vec![]] {
        let again = Append { entries, ..first.clone() };
        let Ok(Appended::Before(before)) = store.append(again).await else { panic!("again") };
        assert_eq!((before.answer.as_str(), before.version), ("done", head.version));
        assert_eq!(before.stream, stream("table/1"));
    }
    let other = with_command(append("table/1", 1, vec![entry("b")]), command(7, 2, "no"));
    assert_eq!(store.append(other.clone()).await, Err(AppendError::OtherContent));
    let recalled = store.recall(Person(1), Uuid::from_u128(7)).await.expect("read").expect("known");
    assert_eq!((recalled.digest, recalled.answer.as_str()), ([1; 32], "done"));
    // Another person's id is another id.
    let mut theirs = other;
    theirs.command.as_mut().expect("there").by = Person(2);
    assert!(matches!(store.append(theirs).await, Ok(Appended::Now(_))));
    assert_eq!(bodies(store, "table/1").await, ["a", "b"]);
}

async fn a_refusal_is_remembered(fresh: Fresh) {
    let store = &*fresh.store;
    store.append(append("table/1", 0, vec![entry("a")])).await.expect("stored");
    let head = store.head(&stream("table/1")).await.expect("a head");
    let refusal = with_command(append("table/1", 1, vec![]), command(3, 1, "refused: 5.1"));
    assert_eq!(store.append(refusal.clone()).await, Ok(Appended::Now(head)));
    let Ok(Appended::Before(before)) = store.append(refusal.clone()).await else { panic!("known") };
    assert_eq!((before.answer.as_str(), before.version), ("refused: 5.1", Version(1)));
    // Decided on what is no longer so, it is to be decided again.
    let stale = with_command(append("table/1", 0, vec![]), command(4, 1, "refused"));
    assert_eq!(store.append(stale).await, Err(AppendError::Conflict { actual: Version(1) }));
    assert_eq!(bodies(store, "table/1").await, ["a"]);
}

async fn racing_commands_are_carried_out_once(fresh: Fresh) {
    fund(&*fresh.store, "wallet/1", 10_000).await;
    for round in 0..5_u64 {
        let mut tasks = JoinSet::new();
        for racer in 0..8 {
            let store = fresh.store.clone();
            tasks.spawn(async move {
                // Half of them believe that it belongs to another stream.
                let name = format!("table/{}", racer % 2);
                let entries = vec![paid("bet", vec![moved("wallet/1", "house/bets", 10)])];
                let mine = command(u128::from(round), 1, &format!("by {racer}"));
                let asked = with_command(append(&name, 0, entries), mine);
                (racer, append_at_head(&*store, asked).await.expect("answered"))
            });
        }
        let (mut winners, mut answers) = (vec![], BTreeSet::new());
        for (racer, appended) in tasks.join_all().await {
            match appended {
                Appended::Now(_) => {
                    winners.push(racer);
                    answers.insert(format!("by {racer}"));
                }
                Appended::Before(before) => {
                    answers.insert(before.answer);
                }
            }
        }
        assert_eq!((winners.len(), answers.len()), (1, 1), "one winner, one answer: {answers:?}");
    }
    assert_eq!(fresh.store.balance(&account("wallet/1")).await, Ok(10_000 - 50));
    assert_whole(&*fresh.store).await;
}

/// All of these wait together, so that they share a commit where a store groups them.
async fn bad_appends_among_good_ones_fail_alone(fresh: Fresh) {
    fund(&*fresh.store, "wallet/1", 1).await;
    let mut tasks = JoinSet::new();
    for number in 0..60_u64 {
        let store = fresh.store.clone();
        tasks.spawn(async move {
            let name = format!("table/{number}");
            let (expected, moves) = match number % 3 {
                0 => (0, vec![moved("issue/play", "wallet/2", 5)]),
                1 => (0, vec![moved("wallet/1", "wallet/2", 2)]),
                _ => (9, vec![]),
            };
            let asked = append(&name, expected, vec![entry("first"), paid("second", moves)]);
            let remembered = command(u128::from(number), 1, "ok");
            (number, store.append(with_command(asked, remembered)).await)
        });
    }
    for (number, result) in tasks.join_all().await {
        match number % 3 {
            0 => assert!(matches!(result, Ok(Appended::Now(head)) if head.version.0 == 2)),
            1 => {
                let account = account("wallet/1");
                assert_eq!(result, Err(AppendError::Overdrawn { account }));
            }
            _ => assert_eq!(result, Err(AppendError::Conflict { actual: Version(0) })),
        }
        let known = fresh.store.recall(Person(1), Uuid::from_u128(number.into())).await;
        assert_eq!(known.expect("read").is_some(), number % 3 == 0);
        let written = bodies(&*fresh.store, &format!("table/{number}")).await.len();
        assert_eq!(written, if number % 3 == 0 { 2 } else { 0 });
    }
    assert_eq!(fresh.store.balance(&account("wallet/2")).await, Ok(100));
    assert_whole(&*fresh.store).await;
}

async fn appends_handed_over_together_build_on_each_other(fresh: Fresh) {
    let store = &*fresh.store;
    fund(store, "wallet/1", 10).await;
    let spend = |expected, cents, id| {
        let entries = vec![paid("spent", vec![moved("wallet/1", "house/bets", cents)])];
        with_command(append("table/1", expected, entries), command(id, 1, "done"))
    };
    let refusal = with_command(append("table/1", 2, vec![]), command(3, 1, "refused"));
    let all = vec![spend(0, 4, 1), spend(1, 4, 2), refusal.clone(), spend(2, 4, 4), spend(3, 1, 5)];
    let mut came = store.append_all(all).await.into_iter();
    let mut next = || came.next().expect("an answer to each");
    assert!(matches!(next(), Ok(Appended::Now(head)) if head.version == Version(1)));
    assert!(matches!(next(), Ok(Appended::Now(head)) if head.version == Version(2)));
    assert!(matches!(next(), Ok(Appended::Now(head)) if head.version == Version(2)));
    // Two cents are left, so the fourth fails, and the fifth was decided on top of it.
    assert_eq!(next(), Err(AppendError::Overdrawn { account: account("wallet/1") }));
    assert_eq!(next(), Err(AppendError::Conflict { actual: Version(2) }));
    // Sent again together with something new, what was answered is answered again.
    let again = store.append_all(vec![spend(2, 4, 1), refusal, spend(2, 2, 6)]).await;
    let [Ok(Appended::Before(done)), Ok(Appended::Before(refused)), Ok(Appended::Now(head))] =
        &again[..]
    else {
        panic!("{again:?}")
    };
    assert_eq!((done.answer.as_str(), done.version), ("done", Version(1)));
    assert_eq!((refused.answer.as_str(), refused.version), ("refused", Version(2)));
    assert_eq!(head.version, Version(3));
    let wrong = append("table/2", 0, vec![paid("x", vec![moved("wallet/1", "wallet/1", 1)])]);
    let alone = store.append_all(vec![wrong, append("table/2", 0, vec![entry("a")])]).await;
    assert!(
        matches!(&alone[..], [Err(AppendError::Invalid(_)), Ok(Appended::Now(_))]),
        "{alone:?}"
    );
    assert_eq!(store.append_all(vec![]).await, []);
    assert_eq!(store.balance(&account("wallet/1")).await, Ok(0));
    assert_whole(store).await;
}

/// Somebody else was faster and has taken the stream to where the second of three was expected: it
/// was decided on top of the first, which never came about.
async fn what_was_decided_on_top_of_what_failed_is_stale(fresh: Fresh) {
    let store = &*fresh.store;
    let one = |expected, word: &str| append("table/1", expected, vec![entry(word)]);
    store.append(one(0, "theirs")).await.expect("it is stored");
    let refusal = with_command(append("table/1", 2, vec![]), command(1, 1, "refused"));
    let came = store.append_all(vec![one(0, "first"), one(1, "second"), refusal]).await;
    let stale = || Err(AppendError::Conflict { actual: Version(1) });
    assert_eq!(came, [stale(), stale(), stale()]);
    assert_eq!(store.head(&stream("table/1")).await.expect("a head").version, Version(1));
    // Decided again, it is stored; what was handed over before leaves nothing behind.
    let came = store.append_all(vec![one(1, "first"), one(2, "second")]).await;
    assert!(came.iter().all(|it| matches!(it, Ok(Appended::Now(_)))), "{came:?}");
    // The same if the first is not even looked at, because it makes no sense.
    let nonsense = vec![paid("x", vec![moved("wallet/1", "wallet/1", 1)])];
    let came = store.append_all(vec![append("table/1", 2, nonsense), one(3, "on top")]).await;
    let stale = Err(AppendError::Conflict { actual: Version(3) });
    assert!(matches!(came[0], Err(AppendError::Invalid(_))), "{came:?}");
    assert_eq!(came[1], stale);
}

async fn statements_are_read_in_pages(fresh: Fresh) {
    let store = &*fresh.store;
    for number in 0..10_u64 {
        let name = format!("table/{}", number % 3);
        let moves = vec![
            moved("issue/play", "wallet/1", 10 + number),
            moved("wallet/1", "wallet/2", 1 + number),
            moved("issue/play", "wallet/3", 1),
        ];
        let mut asked = append(&name, number / 3, vec![paid("x", moves)]);
        // Times may be equal, or run backwards when a clock is set.
        asked.at = [5, 5, 5, 9, 3][number as usize % 5];
        store.append(asked).await.expect("stored");
    }
    let wallet = account("wallet/1");
    let all = store.wallet_moves(Person(1), None, 100).await.expect("read");
    assert_eq!(all.len(), 20, "both ends, and no others");
    assert!(all.is_sorted_by(|a, b| a.place > b.place), "newest first, each once");
    let mut pages = vec![];
    while let Some(page) = {
        let before = pages.last().map(|it: &houseway_store::Moved| &it.place);
        let page = store.wallet_moves(Person(1), before, 3).await.expect("read");
        (!page.is_empty()).then_some(page)
    } {
        pages.extend(page);
    }
    assert_eq!(pages, all);
    let sum: i64 = all
        .iter()
        .map(|it| {
            let cents = it.moved.amount.get().cast_signed();
            if it.moved.to == wallet { cents } else { -cents }
        })
        .sum();
    assert_eq!(store.balance(&wallet).await, Ok(sum));
    assert_eq!(store.wallet_moves(Person(9), None, 3).await, Ok(vec![]));
}

async fn heads_anchor_the_log(fresh: Fresh) {
    let store = &*fresh.store;
    for name in ["table/1", "table/10", "table/2", "tables", "house"] {
        store.append(append(name, 0, vec![entry("a"), entry("b")])).await.expect("stored");
    }
    let names = async |prefix: &str| -> Vec<String> {
        let heads = store.heads(prefix).await.expect("heads");
        assert!(heads.iter().all(|(_, head)| head.version == Version(2)));
        heads.into_iter().map(|(stream, _)| stream.to_string()).collect()
    };
    assert_eq!(names("").await, ["house", "table/1", "table/10", "table/2", "tables"]);
    assert_eq!(names("table/").await, ["table/1", "table/10", "table/2"]);
    assert_eq!(names("table/1").await, ["table/1", "table/10"]);
    assert_eq!(names("x").await, Vec::<String>::new());

    let anchor = store.head(&stream("house")).await.expect("a head");
    store.append(append("house", 2, vec![entry("c")])).await.expect("stored");
    let head = store.head(&stream("house")).await.expect("a head");
    assert_eq!(store.verify_chain(&stream("house"), Some(anchor)).await, Ok(head));
    for (anchor, found) in [
        (
            Head { hash: head.hash, ..anchor },
            "house, entry 2: it is not the entry that was anchored",
        ),
        (Head { version: Version(4), ..head }, "house, entry 3: the stream ends here"),
    ] {
        let broken = store.verify_chain(&stream("house"), Some(anchor)).await.expect_err("broken");
        assert!(broken.to_string().starts_with(found), "{broken}");
    }
}

async fn notices_arrive(fresh: Fresh) {
    let store = &*fresh.store;
    let mut changes = store.changes();
    let refused = store.append(append("table/1", 5, vec![entry("x")])).await;
    assert!(refused.is_err());
    let silent = with_command(append("table/1", 0, vec![]), command(1, 1, "refused"));
    store.append(silent).await.expect("stored");
    store.append(append("table/1", 0, vec![entry("a"), entry("b")])).await.expect("stored");
    store.append(append("table/2", 0, vec![entry("a")])).await.expect("stored");
    for (name, version) in [("table/1", 2), ("table/2", 1)] {
        let next = tokio::time::timeout(Duration::from_secs(20), changes.next()).await;
        let (stream, version) = (stream(name), Version(version));
        assert_eq!(next, Ok(Some(Notice::Appended { stream, version })));
    }
}

async fn books_are_counted_and_rebuilt(fresh: Fresh) {
    fund(&*fresh.store, "wallet/1", 500).await;
    let mut tasks = JoinSet::new();
    for table in 0..4 {
        let store = fresh.store.clone();
        tasks.spawn(async move {
            for version in 0..10 {
                let to = format!("table/{table}/stack/{version}");
                let moves = vec![moved("wallet/1", &to, 5)];
                let name = format!("table/{table}");
                store.append(append(&name, version, vec![paid("x", moves)])).await.expect("stored");
            }
        });
    }
    // Rebuilding beside appends loses none of them.
    for _ in 0..5 {
        fresh.store.rebuild_books().await.expect("rebuilt");
    }
    tasks.join_all().await;
    assert_eq!(fresh.store.balance(&account("wallet/1")).await, Ok(300));
    let before = fresh.store.balances("").await;
    fresh.store.rebuild_books().await.expect("rebuilt");
    assert_eq!(fresh.store.balances("").await, before);
    assert_whole(&*fresh.store).await;
}

async fn what_no_store_can_hold_is_refused(fresh: Fresh) {
    let store = &*fresh.store;
    let one = |moved| append("table/1", 0, vec![paid("x", vec![moved])]);
    let most = i64::MAX as u64;
    let wrong = [
        one(moved("house/a", "house/b", 0)),
        one(moved("house/a", "house/b", most + 1)),
        one(moved("house/a", "house/a", 1)),
        one(Move { reason: "a\0".into(), ..moved("house/a", "house/b", 1) }),
        one(Move { clause: Some("\0".into()), ..moved("house/a", "house/b", 1) }),
        append("table/1", 0, vec![entry("a\0b")]),
        append("table/1", u64::MAX, vec![entry("a")]),
        append("table/1", 0, vec![entry("a"); 1_001]),
        Append { at: u64::MAX, ..append("table/1", 0, vec![entry("a")]) },
        with_command(append("table/1", 0, vec![]), command(1, 1, "\0")),
    ];
    for wrong in wrong {
        let refused = store.append(wrong.clone()).await;
        assert!(matches!(refused, Err(AppendError::Invalid(_))), "{refused:?}");
    }
    // The most there is, once; twice is beyond counting.
    let all = Move { amount: Cents::new(most), ..moved("house/a", "house/b", 1) };
    store.append(one(all.clone())).await.expect("it fits");
    let twice = store.append(append("table/1", 1, vec![paid("x", vec![all])])).await;
    assert!(matches!(twice, Err(AppendError::Invalid(_))), "{twice:?}");
    assert_eq!(bodies(store, "table/1").await, ["x"]);
    store.append(append("table/2", 0, vec![entry("a"); 1_000])).await.expect("this many fit");
    assert_whole(store).await;
}

fn newcomer(name: &str) -> NewUser {
    NewUser { name: name.into(), password_hash: None, role: "player".into(), created: 5 }
}

async fn names_are_unique_in_any_capitals(fresh: Fresh) {
    let store = &*fresh.store;
    let ada = store.add_user(newcomer("Ada Øst")).await.expect("entered");
    assert_eq!((ada.id, ada.disabled), (Person(1), None));
    for taken in ["Ada Øst", "ada øst", "ADA ØST"] {
        assert_eq!(store.add_user(newcomer(taken)).await, Err(UserError::NameTaken), "{taken}");
        assert_eq!(store.user_named(taken).await, Ok(Some(ada.clone())));
    }
    let ben = store.add_user(newcomer("Ben")).await.expect("entered");
    assert!(ben.id > ada.id);
    let rename = UserChange::Name("aDA øst".into());
    assert_eq!(store.change_user(ben.id, rename.clone()).await, Err(UserError::NameTaken));
    assert_eq!(store.change_user(ada.id, rename).await, Ok(()));
    for change in [
        UserChange::Password(Some("hash".into())),
        UserChange::Role { from: "player".into(), to: "dealer".into() },
        UserChange::Disabled(Some(9)),
    ] {
        assert_eq!(store.change_user(ada.id, change.clone()).await, Ok(()));
        assert_eq!(store.change_user(Person(99), change).await, Err(UserError::Unknown));
    }
    // Whoever decided on what she was before finds that she is not any more.
    let late = UserChange::Role { from: "player".into(), to: "operator".into() };
    assert_eq!(store.change_user(ada.id, late).await, Err(UserError::Changed));
    let ada = store.user(ada.id).await.expect("read").expect("there");
    assert_eq!((ada.name.as_str(), ada.role.as_str()), ("aDA øst", "dealer"));
    assert_eq!((ada.password_hash.as_deref(), ada.disabled), (Some("hash"), Some(9)));
    assert_eq!(store.users(Person(0), 1).await, Ok(vec![ada.clone()]));
    assert_eq!(store.users(ada.id, 9).await, Ok(vec![ben]));
    assert_eq!(store.user(Person(99)).await, Ok(None));

    // Of those who want the same name at the same time, one gets it.
    let mut tasks = JoinSet::new();
    for name in ["cleo", "Cleo", "CLEO", "cLeO"] {
        let store = fresh.store.clone();
        tasks.spawn(async move { store.add_user(newcomer(name)).await.is_ok() });
    }
    assert_eq!(tasks.join_all().await.into_iter().filter(|entered| *entered).count(), 1);
}

async fn sessions_come_and_go(fresh: Fresh) {
    let store = &*fresh.store;
    let person = store.add_user(newcomer("Ada")).await.expect("entered").id;
    let session = |token: u8, idle_until, until| Session {
        token: [token; 32],
        person,
        created: 1,
        last_seen: 1,
        idle_until,
        until,
    };
    for it in [session(1, 10, 100), session(2, 50, 100), session(3, 500, 20)] {
        store.open_session(it).await.expect("opened");
    }
    let nobody = Session { person: Person(99), ..session(4, 1, 1) };
    assert_eq!(store.open_session(nobody).await, Err(UserError::Unknown));
    assert_eq!(store.touch_session([1; 32], 9, 30).await, Ok(true));
    assert_eq!(store.touch_session([9; 32], 9, 30).await, Ok(false));
    let touched = Session { last_seen: 9, ..session(1, 30, 100) };
    assert_eq!(store.session([1; 32]).await, Ok(Some(touched)));
    assert_eq!(store.end_sessions(Ending::RunOut(20)).await, Ok(1), "the third");
    assert_eq!(store.session([3; 32]).await, Ok(None));
    assert_eq!(store.end_sessions(Ending::RunOut(30)).await, Ok(1), "the first");
    assert_eq!(store.end_sessions(Ending::Token([1; 32])).await, Ok(0));
    assert_eq!(store.end_sessions(Ending::Person(person)).await, Ok(1), "the second");
    assert_eq!(store.session([2; 32]).await, Ok(None));
}

async fn failed_logins_are_counted(fresh: Fresh) {
    let store = &*fresh.store;
    for (subject, at) in [("ada", 1), ("ada", 5), ("ada", 9), ("::1", 5)] {
        store.note_failed_login(subject, at).await.expect("noted");
    }
    assert_eq!(store.failed_logins("ada", 5).await, Ok(2));
    store.forget_failed_logins(Some("ada"), 9).await.expect("forgotten");
    assert_eq!(store.failed_logins("ada", 0).await, Ok(1));
    assert_eq!(store.failed_logins("::1", 0).await, Ok(1));
    store.forget_failed_logins(None, 10).await.expect("forgotten");
    assert_eq!(store.failed_logins("::1", 0).await, Ok(0));
    assert_eq!(store.failed_logins("ada", 0).await, Ok(0));
}

async fn own_limits_keep_their_order(fresh: Fresh) {
    let store = &*fresh.store;
    let person = store.add_user(newcomer("Ada")).await.expect("entered").id;
    let limit = |most, made| OwnLimit { person, kind: "loss".into(), most, made };
    let limits = [limit(Some(100), 0), limit(None, 10), limit(Some(50), 10)];
    for it in &limits {
        store.set_limit(it.clone()).await.expect("set");
    }
    assert_eq!(store.limits(person).await, Ok(limits.to_vec()));
    let nobody = OwnLimit { person: Person(99), ..limits[0].clone() };
    assert_eq!(store.set_limit(nobody).await, Err(UserError::Unknown));
    assert_eq!(store.limits(Person(99)).await, Ok(vec![]));
}

async fn whoever_changes_is_told_of(fresh: Fresh) {
    let store = &*fresh.store;
    let mut changes = store.changes();
    let mut people = vec![];
    for name in ["Anna", "Bruno"] {
        let (name, role) = (name.to_owned(), "player".to_owned());
        let user = NewUser { name, password_hash: None, role, created: 1 };
        people.push(store.add_user(user).await.expect("added").id);
    }
    let [anna, bruno] = people[..] else { panic!("two people") };
    for (token, person) in [(1, anna), (2, anna), (3, bruno)] {
        let (token, until) = ([token; 32], 100);
        let session = Session { token, person, created: 1, last_seen: 1, idle_until: until, until };
        store.open_session(session).await.expect("opened");
    }
    let mut told = async || {
        let next = tokio::time::timeout(Duration::from_secs(30), changes.next()).await;
        next.expect("a notice comes")
    };
    assert_eq!(store.end_sessions(Ending::Token([3; 32])).await, Ok(1));
    assert_eq!(told().await, Some(Notice::Person(bruno)));
    let role = |from: &str, to: &str| UserChange::Role { from: from.into(), to: to.into() };
    store.change_user(bruno, role("player", "dealer")).await.expect("changed");
    assert_eq!(told().await, Some(Notice::Person(bruno)));
    store.change_user(bruno, UserChange::Disabled(Some(5))).await.expect("changed");
    assert_eq!(told().await, Some(Notice::Person(bruno)));
    assert_eq!(store.end_sessions(Ending::Person(anna)).await, Ok(2));
    assert_eq!(told().await, Some(Notice::Person(anna)));
}

async fn versions_and_times_are_those_of_the_last_entries(fresh: Fresh) {
    let store = &*fresh.store;
    assert_eq!(store.last_times("").await, Ok(vec![]));
    assert_eq!(store.versions(&[]).await, Ok(vec![]));
    for (name, expected, entries, at) in
        [("house", 0, 1, 5), ("table/1", 0, 3, 70), ("table/1", 3, 1, 80), ("table/22", 0, 2, 60)]
    {
        let asked = append(name, expected, vec![entry("x"); entries]);
        store.append(Append { at, ..asked }).await.expect("stored");
    }
    let last = |name, version, at| (stream(name), Version(version), at);
    let tables = vec![last("table/1", 4, 80), last("table/22", 2, 60)];
    assert_eq!(store.last_times("table/").await, Ok(tables.clone()));
    let all = [vec![last("house", 1, 5)], tables].concat();
    assert_eq!(store.last_times("").await, Ok(all));
    let asked = [stream("table/22"), stream("table/3"), stream("house")];
    let mut found = store.versions(&asked).await.expect("read");
    found.sort();
    let expected = [("house", 1), ("table/22", 2), ("table/3", 0)];
    assert_eq!(found, expected.map(|(name, version)| (stream(name), Version(version))));
}

async fn whether_something_can_be_stored_is_found_out_and_leaves_nothing(fresh: Fresh) {
    let store = &*fresh.store;
    for _ in 0..3 {
        assert_eq!(store.prove_writable().await, Ok(()));
    }
    assert_eq!(store.heads("").await, Ok(vec![]));
    assert_eq!(store.failed_logins("proof", 0).await, Ok(0));
}

async fn rounds_come_with_their_last_entry_or_not_at_all(fresh: Fresh) {
    let store = &*fresh.store;
    let mut first = round(7, 1, 2);
    first.status = RoundStatus::Void { clause: "5.1".into() };
    first.shares = vec![
        share(0, RoundBet::HouseWager, [500, 0, 0, 0]),
        share(1, RoundBet::Standard, [1_000, 0, 0, 0]),
        share(1, RoundBet::Fee, [0, 0, 0, 0]),
        share(200, RoundBet::Envy, [0, 0, 70, 0]),
    ];
    let second = RoundRow { house_took: Cents::new(3), first: Version(2), ..round(7, 2, 3) };
    let entries = vec![entry("a"), entry("b"), entry("c")];
    let both = vec![first.clone(), second.clone()];
    let asked = Append { rounds: both, ..append("table/7", 0, entries) };
    let asked = with_command(asked, command(1, 1, "done"));
    // Refused, stale or answered before: no row.
    let overdrawn = vec![entry("a"), paid("b", vec![moved("wallet/1", "house/x", 1)])];
    let refused = Append { rounds: vec![first.clone()], ..append("table/7", 0, overdrawn) };
    assert!(store.append(refused).await.is_err());
    assert_eq!(store.round(TableId(7), 1).await, Ok(vec![]));
    store.append(asked.clone()).await.expect("stored");
    assert!(matches!(store.append(asked).await, Ok(Appended::Before(_))));
    let late = Append { rounds: vec![round(7, 3, 1)], ..append("table/7", 0, vec![entry("x")]) };
    assert_eq!(store.append(late).await, Err(AppendError::Conflict { actual: Version(3) }));

    assert_eq!(store.round(TableId(7), 1).await, Ok(vec![first.clone()]));
    assert_eq!(store.round(TableId(7), 3).await, Ok(vec![]));
    assert_eq!(store.round(TableId(8), 1).await, Ok(vec![]));
    // A correction is a row of its own and names the round.
    let corrected = RoundStatus::Corrected { clause: "5.17.1".into() };
    let correction = RoundRow {
        status: corrected,
        shares: vec![share(1, RoundBet::Correction, [5, 5, 0, 0])],
        ..round(7, 1, 4)
    };
    let rounds = vec![correction.clone()];
    store
        .append(Append { rounds, ..append("table/7", 3, vec![entry("d")]) })
        .await
        .expect("stored");
    assert_eq!(store.round(TableId(7), 1).await, Ok(vec![first.clone(), correction.clone()]));
    let all = store.rounds(&RoundFilter::default(), None, 9).await;
    assert_eq!(all, Ok(vec![correction, second, first]));
    assert_whole(store).await;
}

async fn marks_stand_where_their_append_ends(fresh: Fresh) {
    let store = &*fresh.store;
    let marked = |append: Append, mark: &str| Append { mark: Some(mark.into()), ..append };
    let last = async |name: &str, until: u64| {
        let mark = store.mark(&stream(name), Version(until)).await.expect("read");
        mark.map(|(version, text)| (version.0, text))
    };
    assert_eq!(last("table/1", u64::MAX).await, None);
    let two = marked(append("table/1", 0, vec![entry("a"), entry("b")]), "after two");
    store.append(two).await.expect("stored");
    store.append(append("table/1", 2, vec![entry("c")])).await.expect("stored");
    let four = marked(append("table/1", 3, vec![entry("d")]), "after four");
    store.append(four).await.expect("stored");
    let other = marked(append("table/10", 0, vec![entry("a")]), "another's");
    store.append(other).await.expect("stored");
    let [two, four] = [(2, "after two"), (4, "after four")].map(|(at, it)| Some((at, it.into())));
    for (until, mark) in
        [(1, None), (2, two.clone()), (3, two), (4, four.clone()), (u64::MAX, four.clone())]
    {
        assert_eq!(last("table/1", until).await, mark, "until {until}");
    }

    // What is not stored leaves none, and neither does what was stored before.
    let late = marked(append("table/1", 3, vec![entry("x")]), "late");
    assert!(store.append(late).await.is_err());
    let wrong = marked(append("table/1", 4, vec![entry("x")]), "a \0");
    assert!(matches!(store.append(wrong).await, Err(AppendError::Invalid(_))));
    let once = with_command(append("table/2", 0, vec![entry("a")]), command(1, 1, "done"));
    store.append(once.clone()).await.expect("stored");
    store.append(marked(once, "again")).await.expect("answered again");
    let refused = with_command(append("table/3", 0, vec![]), command(2, 1, "no"));
    store.append(marked(refused, "of nothing")).await.expect("stored");
    assert_eq!(last("table/1", u64::MAX).await, four);
    assert_eq!(last("table/2", u64::MAX).await, None);
    assert_eq!(last("table/3", u64::MAX).await, None);
}

/// Which rows a question must find, said another way.
type Fits = fn(&RoundRow) -> bool;

/// Sixty rows at three tables, many at the same time, and what each question finds among them.
async fn rounds_are_searched_in_pages(fresh: Fresh) {
    let store = &*fresh.store;
    let mut all = vec![];
    for number in 0..60_u64 {
        let (table, last) = (number % 3 + 1, number / 3 + 1);
        let shares = vec![
            share(1, RoundBet::Standard, [10, 10, 0, 0]),
            share(1, RoundBet::Fortune, [10, 10, 0, 0]),
            share(number as u32 % 4 + 2, RoundBet::Standard, [10, 0, 10, 0]),
        ];
        let row = RoundRow {
            rulebook: ["cardroom", "mbs-2020"][number as usize / 2 % 2].into(),
            ended: [50, 40, 40, 70, 60][number as usize % 5],
            status: match number % 7 {
                0 => RoundStatus::Void { clause: "5.1".into() },
                1 => RoundStatus::Corrected { clause: "5.17".into() },
                _ => RoundStatus::Settled,
            },
            shares,
            ..round(table, last, last)
        };
        let asked = append(&format!("table/{table}"), last - 1, vec![entry("x")]);
        store.append(Append { rounds: vec![row.clone()], ..asked }).await.expect("stored");
        all.push(row);
    }
    all.sort_by_key(|row| std::cmp::Reverse((row.ended, row.table, row.last)));
    let any = RoundFilter::default();
    let one = |person| RoundFilter { person: Some(Person(person)), ..any.clone() };
    let asked: [(RoundFilter, Fits); 9] = [
        (any.clone(), |_| true),
        (one(1), |_| true),
        (one(3), |row| row.shares[2].person == Person(3)),
        (one(9), |_| false),
        (RoundFilter { table: Some(TableId(2)), ..any.clone() }, |row| row.table == TableId(2)),
        (RoundFilter { rulebook: Some("cardroom".into()), ..one(3) }, |row| {
            row.shares[2].person == Person(3) && row.rulebook == "cardroom"
        }),
        (RoundFilter { status: Some(StatusKind::Void), ..any.clone() }, |row| {
            matches!(row.status, RoundStatus::Void { .. })
        }),
        (RoundFilter { from: Some(50), until: Some(70), ..any.clone() }, |row| {
            row.ended == 50 || row.ended == 60
        }),
        (
            RoundFilter {
                table: Some(TableId(1)),
                status: Some(StatusKind::Settled),
                until: Some(60),
                ..one(1)
            },
            |row| row.table == TableId(1) && row.status == RoundStatus::Settled && row.ended < 60,
        ),
    ];
    for (filter, fits) in asked {
        let expected: Vec<RoundRow> = all.iter().filter(|row| fits(row)).cloned().collect();
        assert_eq!(store.rounds(&filter, None, 100).await.as_ref(), Ok(&expected), "{filter:?}");
        let mut pages: Vec<RoundRow> = vec![];
        while let Some(page) = {
            let before = pages.last().map(RoundRow::place);
            let page = store.rounds(&filter, before, 7).await.expect("read");
            (!page.is_empty()).then_some(page)
        } {
            pages.extend(page);
        }
        assert_eq!(pages, expected, "{filter:?}");
    }
}

async fn rounds_are_summed(fresh: Fresh) {
    use RoundBet::{Correction, Fee, Standard};
    let store = &*fresh.store;
    let one = RoundRow {
        house_took: Cents::new(300),
        house_paid: Cents::new(100),
        ended: DAY - 1,
        shares: vec![
            share(1, Standard, [300, 300, 0, 0]),
            share(2, Standard, [100, 0, 100, 5]),
            share(200, Standard, [50, 50, 0, 0]),
        ],
        ..round(1, 1, 1)
    };
    let void = RoundRow {
        status: RoundStatus::Void { clause: "5.1".into() },
        ended: DAY,
        shares: vec![share(1, Standard, [900, 0, 0, 0])],
        ..round(1, 2, 2)
    };
    let other = RoundRow {
        rulebook: "cardroom".into(),
        ended: DAY + 5,
        shares: vec![share(1, Standard, [40, 0, 40, 0]), share(1, Fee, [2, 2, 0, 0])],
        ..round(2, 1, 1)
    };
    let corrected = RoundRow {
        status: RoundStatus::Corrected { clause: "5.17".into() },
        ended: DAY + 7,
        house_paid: Cents::new(30),
        shares: vec![share(1, Correction, [0, 0, 30, 0])],
        ..round(1, 1, 3)
    };
    for (name, rows) in [("table/1", vec![one, void, corrected]), ("table/2", vec![other])] {
        let entries = vec![entry("x"); rows.len()];
        store.append(Append { rounds: rows, ..append(name, 0, entries) }).await.expect("stored");
    }
    let bet = |bet, bot, [shares, wagered, taken, paid, commission]: [u64; 5], squares| {
        let back = wagered - taken;
        BetSum { bet, bot, shares, wagered, taken, paid, back, commission, squares }
    };
    let sum = |key,
               rulebook: &str,
               [rounds, voids, corrections, house_took, house_paid]: [u64; 5],
               bets| {
        let rulebook = rulebook.into();
        RoundSum { key, rulebook, rounds, voids, corrections, house_took, house_paid, bets }
    };
    let people = bet(Standard, false, [2, 400, 300, 100, 5], 100_000.0);
    let bots = bet(Standard, true, [1, 50, 50, 0, 0], 2_500.0);
    let given = bet(Correction, false, [1, 0, 0, 30, 0], 0.0);
    let elsewhere = vec![
        bet(Standard, false, [1, 40, 0, 40, 0], 1_600.0),
        bet(Fee, false, [1, 2, 2, 0, 0], 4.0),
    ];
    let [first, second] = [TableId(1), TableId(2)].map(SumKey::Table);
    let all = vec![people, bots, given];
    assert_eq!(
        store.round_sums(SumBy::Table, 0, u64::MAX).await,
        Ok(vec![
            sum(first, "mbs-2020", [1, 1, 1, 300, 130], all.clone()),
            sum(second, "cardroom", [1, 0, 0, 0, 0], elsewhere.clone()),
        ])
    );
    assert_eq!(
        store.round_sums(SumBy::Rulebook, 0, u64::MAX).await,
        Ok(vec![
            sum(SumKey::Rulebook, "cardroom", [1, 0, 0, 0, 0], elsewhere.clone()),
            sum(SumKey::Rulebook, "mbs-2020", [1, 1, 1, 300, 130], all),
        ])
    );
    assert_eq!(
        store.round_sums(SumBy::Day, 0, u64::MAX).await,
        Ok(vec![
            sum(SumKey::Day(0), "mbs-2020", [1, 0, 0, 300, 100], vec![people, bots]),
            sum(SumKey::Day(1), "cardroom", [1, 0, 0, 0, 0], elsewhere),
            sum(SumKey::Day(1), "mbs-2020", [0, 1, 1, 0, 30], vec![given]),
        ])
    );
    let void_alone = vec![sum(SumKey::Day(1), "mbs-2020", [0, 1, 0, 0, 0], vec![])];
    assert_eq!(store.round_sums(SumBy::Day, DAY, DAY + 1).await, Ok(void_alone));
    assert_eq!(store.round_sums(SumBy::Day, 5, 5).await, Ok(vec![]));
}

async fn rounds_are_written_anew(fresh: Fresh) {
    let store = &*fresh.store;
    for name in ["table/1", "table/2"] {
        let table = if name == "table/1" { 1 } else { 2 };
        let rounds = (1..=4).map(|last| round(table, last, last)).collect();
        let asked = Append { rounds, ..append(name, 0, vec![entry("x"); 4]) };
        store.append(asked).await.expect("stored");
    }
    let shares = vec![share(1, RoundBet::Standard, [10, 10, 0, 0])];
    let anew = RoundRow { shares, ..round(1, 9, 3) };
    let rows = std::slice::from_ref(&anew);
    store.replace_rounds(TableId(1), Version(1), Version(3), rows).await.expect("replaced");
    let of = async |table| {
        let filter = RoundFilter { table: Some(TableId(table)), ..RoundFilter::default() };
        store.rounds(&filter, None, 9).await.expect("read")
    };
    assert_eq!(of(1).await, [round(1, 4, 4), anew, round(1, 1, 1)]);
    assert_eq!(of(2).await.len(), 4, "another table's are left alone");
    store.replace_rounds(TableId(1), Version(0), Version(9), &[]).await.expect("replaced");
    assert_eq!(of(1).await, []);
    for wrong in [round(2, 1, 1), round(1, 1, 5)] {
        let refused = store.replace_rounds(TableId(1), Version(0), Version(4), &[wrong]).await;
        assert!(matches!(refused, Err(AppendError::Invalid(_))), "{refused:?}");
    }
}

async fn rounds_without_a_log_are_found_and_removed(fresh: Fresh) {
    let store = &*fresh.store;
    let shares = vec![share(1, RoundBet::Standard, [10, 10, 0, 0])];
    let row = |table, last| RoundRow { shares: shares.clone(), ..round(table, 1, last) };
    let mark = Some("sealed".to_owned());
    let asked =
        Append { rounds: vec![row(1, 2)], mark, ..append("table/1", 0, vec![entry("x"); 2]) };
    store.append(asked).await.expect("stored");
    let sums = async || store.round_sums(SumBy::Day, 0, u64::MAX).await.expect("summed");
    let right = sums().await;
    assert_eq!(store.strays().await, Ok(Strays::default()));
    // Behind the log's end, and where no log is.
    for (table, last) in [(1, 3), (999, 1), (999, 2)] {
        let (after, until) = (Version(last - 1), Version(last));
        let forged = store.replace_rounds(TableId(table), after, until, &[row(table, last)]).await;
        forged.expect("it is not looked into");
    }
    let rounds = vec![row(1, 3), row(999, 1), row(999, 2)];
    assert_eq!(store.strays().await, Ok(Strays { rounds, ..Strays::default() }));
    store.remove_strays().await.expect("removed");
    assert_eq!(store.strays().await, Ok(Strays::default()));
    assert_eq!(store.rounds(&RoundFilter::default(), None, 9).await, Ok(vec![row(1, 2)]));
    assert_eq!(sums().await, right);
    let marked = store.mark(&stream("table/1"), Version(9)).await.expect("read");
    assert_eq!(marked.map(|it| it.0), Some(Version(2)), "what has its entry stays");
}

async fn rounds_that_cannot_be_are_refused(fresh: Fresh) {
    let store = &*fresh.store;
    let good = round(1, 1, 1);
    let with = |shares| vec![RoundRow { shares, ..good.clone() }];
    let standard = share(1, RoundBet::Standard, [10, 5, 0, 0]);
    let wrong = [
        vec![round(1, 1, 3)],
        vec![round(1, 1, 0)],
        vec![round(2, 1, 1)],
        vec![good.clone(), good.clone()],
        vec![round(1, 2, 2), round(1, 1, 1)],
        vec![RoundRow { first: Version(2), ..good.clone() }],
        vec![RoundRow { ended: u64::MAX, ..good.clone() }],
        vec![RoundRow { rulebook: "\0".into(), ..good.clone() }],
        vec![RoundRow { status: RoundStatus::Void { clause: "\0".into() }, ..good.clone() }],
        with(vec![standard, standard]),
        with(vec![share(2, RoundBet::Standard, [1, 0, 0, 0]), standard]),
        with(vec![houseway_store::RoundShare { back: Cents::new(6), ..standard }]),
        with(vec![share(1, RoundBet::Standard, [u64::MAX, 0, 0, 0])]),
    ];
    for rounds in wrong {
        let asked = append("table/1", 0, vec![entry("a"), entry("b")]);
        let refused = store.append(Append { rounds: rounds.clone(), ..asked }).await;
        assert!(matches!(refused, Err(AppendError::Invalid(_))), "{rounds:?}: {refused:?}");
    }
    assert_eq!(store.head(&stream("table/1")).await, Ok(Head::default()));
}
