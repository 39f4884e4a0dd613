//! Time that jumps: what was due is done once, and nothing is accepted late.

use serde_json::{Value, json};

use crate::house::Place;
use crate::players::{Client, guest, http, open_table};

/// A machine that slept through the deadline: a wager that comes before the house has looked at its
/// clock is late all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wager_after_a_jump_beyond_the_deadline_is_late() {
    let mut refused = 0;
    for rules in crate::players::RULES {
        let place = Place::open(1, |_| ()).await;
        let address = place.address();
        let someone = guest(address).await.expect("a guest");
        let wish = json!({"rules": rules, "bots": 3, "results": 0});
        let table = open_table(address, &someone, &wish).await.expect("a table");
        let mut client = Client::of(address, &someone).await.expect("a socket");
        client.watch(table, None).await.expect("a view");
        client.done(table, json!({"do": "bring-money", "amount": 50_000})).await;
        client.done(table, json!({"do": "sit", "position": 1})).await;
        while client.view(table)["phase"]["name"] != "betting" {
            let offered = client.view(table)["options"].as_array().expect("a list").clone();
            match offered.iter().any(|it| it["do"] == "decline-bank") {
                true => drop(client.done(table, json!({"do": "decline-bank"})).await),
                false => drop(client.next().await.expect("news")),
            }
        }
        let until = client.view(table)["until"].as_u64().expect("a deadline");
        let round = client.view(table)["round"].clone();
        place.clock.forward(3_600_000);
        let id = uuid::Uuid::now_v7().to_string();
        let late = json!({"do": "place", "position": 1, "wager": "standard", "amount": 1_000});
        let answered = client.ask(table, &id, &late).await.expect("an answer");
        if answered.is_done() {
            // The house was faster, and had taken the round up: everyone has their time again.
            let is_mine = |it: &Value| it["event"] == "placed" && it["person"] == someone.person;
            while !client.happened.iter().any(|(_, it)| is_mine(it)) {
                client.next().await.expect("news of the wager");
            }
            let mut either = client.happened.iter().map(|(_, it)| it);
            let first = either.find(|it| it["event"] == "resumed" || is_mine(it));
            let is_taken_up = first.is_some_and(|it| it["event"] == "resumed");
            assert!(is_taken_up, "{rules}: accepted after {until}");
            continue;
        }
        refused += 1;
        // The same command is refused the same way, whatever time it is.
        place.clock.forward(86_400_000);
        let again = client.ask(table, &id, &late).await.expect("an answer");
        assert_eq!(again, answered, "{rules}");
        // The house goes on by itself: nobody looked after the round for so long that everyone has their
        // time again.
        while !client.happened.iter().any(|(_, it)| it["event"] == "resumed") {
            client.next().await.expect("the round is taken up");
        }
        let happened = client.happened.clone();
        let placed = happened.iter().filter(|(_, it)| it["event"] == "placed");
        let mine = placed.filter(|(_, it)| it["person"] == someone.person);
        assert_eq!(mine.count(), 0, "{rules} round {round}");
    }
    assert!(refused > 0, "no wager came before the house had looked at its clock");
}

/// Whoever has been at tables for as long as they let themselves plays the round to its end and is
/// dealt in to no other, until the time is theirs again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_time_that_is_up_lets_the_round_end_and_no_other_begin() {
    let place = Place::open(1, |_| ()).await;
    let address = place.address();
    let someone = guest(address).await.expect("a guest");
    let wish = json!({"rules": "mbs-2020", "bots": 1, "results": 0});
    let table = open_table(address, &someone, &wish).await.expect("a table");
    let bearer = someone.bearer();
    let headers = [("authorization", &*bearer)];
    let limit = json!({"kind": "time-per-day", "most": 20_000});
    let set = http(address, "POST", "/api/limits", &headers, Some(&limit)).await.expect("a reply");
    assert_eq!(set.status, 200);
    let mut client = Client::of(address, &someone).await.expect("a socket");
    client.watch(table, None).await.expect("a view");
    client.done(table, json!({"do": "bring-money", "amount": 50_000})).await;
    client.done(table, json!({"do": "sit", "position": 1})).await;
    client.until_phase(table, "betting").await.expect("bets");
    let wager = json!({"do": "place", "position": 1, "wager": "standard", "amount": 1_000});
    client.done(table, wager.clone()).await;
    client.done(table, json!({"do": "ready"})).await;
    client.until_phase(table, "setting").await.expect("cards");
    place.clock.forward(25_000);
    // In the round one is in, everything goes on.
    client.done(table, json!({"do": "view", "position": 1})).await;
    client.done(table, json!({"do": "set-house-way", "position": 1})).await;
    client.until_phase(table, "revealed").await.expect("results");
    client.done(table, json!({"do": "ready"})).await;
    place.clock.forward(10_000);
    client.until_phase(table, "betting").await.expect("the next round");
    let mut refused = async |command: &Value| {
        let id = uuid::Uuid::now_v7().to_string();
        let answered = client.ask(table, &id, command).await.expect("an answer");
        answered.answer["refused"] == "own-limit"
    };
    assert!(refused(&wager).await);
    assert!(refused(&json!({"do": "sit", "position": 2})).await);
    place.clock.forward(86_400_000);
    assert!(!refused(&json!({"do": "sit", "position": 2})).await, "another day");
}

/// A limit of loss holds for money that lies on the table already, over all tables together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_of_loss_holds_for_what_is_at_the_table() {
    let place = Place::open(1, |_| ()).await;
    let address = place.address();
    let someone = guest(address).await.expect("a guest");
    let bearer = someone.bearer();
    let headers = [("authorization", &*bearer)];
    let limit = async |most: u64| {
        let limit = json!({"kind": "loss-per-day", "most": most});
        let set = http(address, "POST", "/api/limits", &headers, Some(&limit)).await;
        assert_eq!(set.expect("a reply").status, 200);
    };
    let wish = json!({"rules": "mbs-2020", "bots": 1, "results": 0});
    let mut tables = vec![];
    let mut client = Client::of(address, &someone).await.expect("a socket");
    for _ in 0..2 {
        let table = open_table(address, &someone, &wish).await.expect("a table");
        client.watch(table, None).await.expect("a view");
        client.done(table, json!({"do": "bring-money", "amount": 100_000})).await;
        client.done(table, json!({"do": "sit", "position": 1})).await;
        client.until_phase(table, "betting").await.expect("bets");
        tables.push(table);
    }
    let mut refused = async |number: usize, wager: &str, amount: u64| {
        let ask = json!({"do": "place", "position": 1, "wager": wager, "amount": amount});
        let id = uuid::Uuid::now_v7().to_string();
        let answered = client.ask(tables[number], &id, &ask).await.expect("an answer");
        match answered.answer["refused"].as_str() {
            None => false,
            Some(word) => {
                assert_eq!(word, "own-limit", "{}", answered.answer);
                true
            }
        }
    };
    limit(5_000).await;
    assert!(refused(0, "standard", 6_000).await, "more than may be lost");
    assert!(!refused(0, "standard", 4_000).await);
    assert!(refused(1, "standard", 2_000).await, "together it is too much");
    assert!(refused(0, "fortune", 1_500).await);
    assert!(!refused(1, "standard", 1_000).await, "to the cent");
    assert!(refused(0, "standard", 4_500).await, "not more than that");
    limit(0).await;
    assert!(!refused(0, "standard", 3_000).await, "less is always allowed");
    assert!(refused(0, "standard", 3_500).await);
    limit(1_000_000).await;
    assert!(refused(0, "standard", 3_500).await, "a looser limit waits for a day");
}
