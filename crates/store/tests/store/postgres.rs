//! What only PostgreSQL does: several nodes, and a database that goes away and comes back.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use houseway_store::testing::{Disk, PostgresServer};
use houseway_store::{
    AppendError, Appended, Changes, Failure, Notice, Postgres, PostgresOptions, Store, Version,
};
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
