//! Two nodes on one PostgreSQL, in this process.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use houseway_server::clock::SystemClock;
use houseway_server::config::Config;
use houseway_server::people::{By, Standing};
use houseway_server::serve::Serving;
use houseway_store::Postgres;
use houseway_store::testing::{Disk, PostgresServer};
use houseway_table::Person;
use serde_json::json;

use crate::house::vault;
use crate::players::{Client, account, http};

async fn node(database: &str) -> Serving {
    let config = Config {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        database: Some(database.to_string()),
        ..Config::default()
    };
    let store = Arc::new(Postgres::open(database).await.expect("it opens"));
    Serving::on(config, store, vault(1), Arc::new(SystemClock::new())).await.expect("it opens")
}

/// Sockets at another node learn of it long before their next heartbeat.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_sent_away_at_one_node_goes_at_every_node() {
    let server = PostgresServer::start(Disk::Fast).expect("PostgreSQL starts");
    let database = server.database().await.expect("a database");
    let (here, there) = (node(&database).await, node(&database).await);
    let dealer = Standing::Table(houseway_rules::rulebook::Role::Dealer);
    let people = &here.app.people;
    for what in ["logout", "disable", "end-sessions"] {
        let someone = account(here.address, what).await.expect("an account");
        let mut client = Client::of(there.address, &someone).await.expect("a socket");
        let person = Person(someone.person);
        let began = Instant::now();
        match what {
            "logout" => {
                let bearer = someone.bearer();
                let headers = [("authorization", &*bearer)];
                let body = json!({});
                let reply = http(here.address, "POST", "/api/logout", &headers, Some(&body)).await;
                assert_eq!(reply.expect("a reply").status, 200);
            }
            "disable" => people.disable(By::CommandLine, person, "a test").await.expect("done"),
            _ => drop(people.end_all(By::CommandLine, person, "a test").await.expect("done")),
        }
        let bye = client.until(|it| it["type"] == "bye").await.expect("last words");
        assert_eq!(bye["why"], "the session has ended", "{what}");
        assert!(began.elapsed() < Duration::from_secs(20), "{what}: not by its heartbeat");
    }

    // Whoever is made less stays and may do less.
    let someone = account(here.address, "was staff").await.expect("an account");
    let person = Person(someone.person);
    people.set_standing(By::CommandLine, person, dealer, "a test", None).await.expect("done");
    let mut client = Client::of(there.address, &someone).await.expect("a socket");
    let host = account(there.address, "host").await.expect("an account");
    let wish = json!({"rules": "mbs-2020"});
    let table = crate::players::open_table(there.address, &host, &wish).await.expect("a table");
    let deal = json!({"do": "deal-committed"});
    let mut refused = async || {
        let id = uuid::Uuid::now_v7().to_string();
        client.ask(table, &id, &deal).await.expect("an answer").answer["refused"].clone()
    };
    assert_ne!(refused().await, "needs-role", "a dealer may ask for it");
    people
        .set_standing(By::CommandLine, person, Standing::PLAYER, "a test", None)
        .await
        .expect("done");
    let began = Instant::now();
    while refused().await != "needs-role" {
        assert!(began.elapsed() < Duration::from_secs(20), "not by its heartbeat");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    eprintln!("figures {}", json!({"demoted": {"ms": began.elapsed().as_millis() as u64}}));
    here.close().await;
    there.close().await;
}
