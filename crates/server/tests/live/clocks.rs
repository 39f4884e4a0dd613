//! Time that jumps: what was due is done once, and nothing is accepted late.

use serde_json::json;

use crate::house::Place;
use crate::players::{Client, guest, open_table};

/// A machine that slept through the deadline: a wager that comes before the house has looked at its
/// clock is late all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wager_after_a_jump_beyond_the_deadline_is_late() {
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
        assert!(!answered.is_done(), "{rules}: accepted after {until}");
        // The same command is refused the same way, whatever time it is.
        place.clock.forward(86_400_000);
        let again = client.ask(table, &id, &late).await.expect("an answer");
        assert_eq!(again, answered, "{rules}");
        // Play goes on by itself: what was due is done.
        client.send(&json!({"type": "ping"})).await.expect("it is sent");
        let happened = client.happened.clone();
        let placed = happened.iter().filter(|(_, it)| it["event"] == "placed");
        let mine = placed.filter(|(_, it)| it["person"] == someone.person);
        assert_eq!(mine.count(), 0, "{rules} round {round}");
    }
}
