//! What only PostgreSQL does: several nodes, and a database that goes away and comes back.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{
    AppendError, Appended, Changes, Failure, Notice, Postgres, PostgresOptions, Store, Version,
};
use houseway_table::Person;
use sqlx::Connection;
use sqlx::postgres::PgConnection;
use tokio::task::JoinSet;

use crate::common::{
    append, append_at_head, assert_whole, bodies, command, database, entry, fund, moved, paid,
    stream, with_command,
};

/// Commands go to two nodes at once, each to both of them: one order, no gap, nothing twice.
#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_keep_one_log() {
    let address = database().await;
    let nodes: [Arc<dyn Store>; 2] = [
        Arc::new(Postgres::open(&address).await.expect("it opens")),
        Arc::new(Postgres::open(&address).await.expect("it opens")),
    ];
    fund(&*nodes[0], "wallet/1", 60).await;
    let mut tasks = JoinSet::new();
    for number in 0..40_u8 {
        for node in nodes.clone() {
            tasks.spawn(async move {
                let moves = vec![moved("wallet/1", "table/1/stack/1", 2)];
                let asked = append("table/1", 0, vec![paid(&number.to_string(), moves)]);
                let asked = with_command(asked, command(number.into(), number, "ok"));
                (number, append_at_head(&*node, asked).await)
            });
        }
    }
    let (mut now, mut before, mut refused) = (BTreeSet::new(), BTreeSet::new(), 0);
    for (number, result) in tasks.join_all().await {
        match result {
            Ok(Appended::Now(_)) => assert!(now.insert(number), "{number} was carried out twice"),
            Ok(Appended::Before(_)) => assert!(before.insert(number)),
            Err(AppendError::Overdrawn { .. }) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((now.len(), refused), (30, 20), "there was money for thirty");
    assert_eq!(now, before);
    assert_eq!(bodies(&*nodes[1], "table/1").await.len(), 30);
    assert_whole(&*nodes[0]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_hear_of_each_other() {
    let address = database().await;
    let here = Postgres::open(&address).await.expect("it opens");
    let there = Postgres::open(&address).await.expect("it opens");
    let mut changes = there.changes();
    here.append(append("table/1", 0, vec![entry("a"), entry("b")])).await.expect("stored");
    let next = tokio::time::timeout(Duration::from_secs(20), changes.next()).await;
    let (stream, version) = (stream("table/1"), Version(2));
    assert_eq!(next, Ok(Some(Notice::Appended { stream, version })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_comes_back_is_found_again() {
    let mut server = PostgresServer::start(Disk::Durable).expect("PostgreSQL can be started");
    let address = server.database().await.expect("a database");
    let patience = Duration::from_secs(2);
    let options = PostgresOptions { connections: 4, patience };
    let store = Postgres::open_with(&address, options).await.expect("it opens");
    let mut changes = store.changes();
    let mut version = 0;
    for signal in ["INT", "KILL"] {
        store.append(append("table/1", version, vec![entry("before")])).await.expect("stored");
        server.stop(signal).expect("it stops");
        let refused = store.append(append("table/1", version + 1, vec![entry("lost")])).await;
        assert!(
            matches!(refused, Err(AppendError::Failed(Failure::Unavailable(_)))),
            "{refused:?}"
        );
        assert!(store.head(&stream("table/1")).await.is_err());
        server.start_again().expect("it starts");
        // The same store, nothing opened again.
        let asked = append("table/1", version + 1, vec![entry("after")]);
        let mut tries = 0;
        while store.append(asked.clone()).await.is_err() {
            tries += 1;
            assert!(tries < 100, "it is not found again");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        version += 2;
        // Whoever listens is told that they missed something, and hears what comes after that.
        hears(&mut changes, &Notice::Missed).await;
        store.append(append("table/2", version / 2 - 1, vec![entry("x")])).await.expect("stored");
        let heard = Notice::Appended { stream: stream("table/2"), version: Version(version / 2) };
        hears(&mut changes, &heard).await;
    }
    assert_eq!(bodies(&store, "table/1").await, ["before", "after", "before", "after"]);
    assert_whole(&store).await;
}

/// Listens until something is told.
async fn hears(changes: &mut Changes, wanted: &Notice) {
    loop {
        let next = tokio::time::timeout(Duration::from_secs(30), changes.next()).await;
        if next.expect("it is told in time").as_ref() == Some(wanted) {
            return;
        }
    }
}

#[tokio::test]
async fn houses_know_whether_they_are_alone() {
    let address = database().await;
    let open = || Postgres::open(&address);
    let first = open().await.expect("it opens");
    assert!(first.enter().await.expect("it enters"), "nobody else is there");
    let (second, looker) = (open().await.expect("it opens"), open().await.expect("it opens"));
    assert!(!second.enter().await.expect("it enters"), "the first is");
    first.close().await;
    let third = open().await.expect("it opens");
    assert!(!third.enter().await.expect("it enters"), "the second is");
    second.close().await;
    third.close().await;
    let again = open().await.expect("it opens");
    assert!(again.enter().await.expect("it enters"), "whoever only looks is no house");
    drop(looker);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_houses_that_open_at_once_one_is_the_first() {
    let address = database().await;
    let entered = (0..6).map(|_| {
        let address = address.clone();
        tokio::spawn(async move {
            let store = Postgres::open(&address).await.expect("it opens");
            let alone = store.enter().await.expect("it enters");
            (store, alone)
        })
    });
    let mut alone = vec![];
    for entered in entered.collect::<Vec<_>>() {
        alone.push(entered.await.expect("it ends"));
    }
    assert_eq!(alone.iter().filter(|(_, alone)| *alone).count(), 1);
}

#[tokio::test]
async fn turns_are_taken_over_all_nodes() {
    let address = database().await;
    let here = Postgres::open(&address).await.expect("it opens");
    let there = Postgres::open(&address).await.expect("it opens");
    let turn = here.turn(Person(7)).await.expect("a turn");
    there.turn(Person(8)).await.expect("another's turn");
    let waiting = tokio::time::timeout(Duration::from_millis(200), there.turn(Person(7)));
    assert!(waiting.await.is_err(), "it is not theirs yet");
    drop(turn);
    let waiting = tokio::time::timeout(Duration::from_secs(10), there.turn(Person(7)));
    waiting.await.expect("in time").expect("a turn");
}

#[tokio::test]
async fn the_databases_clock_is_told() {
    let address = database().await;
    let store = Postgres::open(&address).await.expect("it opens");
    let time = store.time().await.expect("it is told").expect("a time");
    let own = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let own = own.expect("after 1970").as_millis() as u64;
    assert!(time.abs_diff(own) < 10_000, "{time} and {own}");
}

/// Another session holds an account for longer than an append waits for it in one go.
#[tokio::test(flavor = "multi_thread")]
async fn an_append_outlasts_whoever_is_in_its_way() {
    let address = database().await;
    let store = Postgres::open(&address).await.expect("it opens");
    fund(&store, "wallet/1", 60).await;
    let mut other = PgConnection::connect(&address).await.expect("a session");
    let hold = "begin; select amount from balance where account = 'wallet/1' for update";
    sqlx::raw_sql(hold).execute(&mut other).await.expect("it is held");
    let let_go = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(4)).await;
        other.close().await.expect("it is let go");
    });
    let moves = vec![moved("wallet/1", "table/1/stack/1", 2)];
    let appended = store.append(append("table/1", 0, vec![paid("a", moves)])).await;
    assert!(matches!(appended, Ok(Appended::Now(_))), "{appended:?}");
    let_go.await.expect("it ends");
    assert_whole(&store).await;
}
