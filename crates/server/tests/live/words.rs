//! Words by which the deck is cut: nobody hears them while bets are open, everyone afterwards.

use std::net::SocketAddr;

use houseway_fair::{Deal, Said, Words};
use houseway_server::people::Standing;
use serde_json::{Value, json};

use crate::house::Place;
use crate::players::{Client, Guest, guest, http, open_table};

/// Someone at the table, or nobody who only watches.
struct Onlooker {
    guest: Option<Guest>,
    client: Client,
}

impl Onlooker {
    async fn come(address: SocketAddr, table: u64, guest: Option<Guest>) -> Onlooker {
        let mut client = match &guest {
            Some(guest) => Client::of(address, guest).await,
            None => Client::connect(address, &[]).await,
        }
        .expect("a socket");
        client.keeps = true;
        client.watch(table, None).await.expect("a view");
        Onlooker { guest, client }
    }

    /// The table as it is answered to a request.
    async fn asks(&self, address: SocketAddr, path: &str) -> Value {
        let bearer = self.guest.as_ref().map(Guest::bearer);
        let headers: Vec<_> = bearer.iter().map(|it| ("authorization", &**it)).collect();
        let reply = http(address, "GET", path, &headers, None).await.expect("a reply");
        assert_eq!(reply.status, 200, "{path}");
        reply.json()
    }
}

/// Two who play, a manager and somebody who is not known at a table whose bets are open.
async fn company(place: &Place) -> (u64, Vec<Onlooker>) {
    let address = place.address();
    let first = guest(address).await.expect("a guest");
    let second = guest(address).await.expect("a guest");
    let shift = Standing::Table(houseway_rules::rulebook::Role::GamingShiftManager);
    let manager = place.staff("shift", shift).await;
    let wish = json!({"rules": "mbs-2020", "results": 60_000});
    let table = open_table(address, &first, &wish).await.expect("a table");
    let mut all = vec![];
    for who in [Some(first), Some(second), Some(manager), None] {
        all.push(Onlooker::come(address, table, who).await);
    }
    for (one, position) in all.iter_mut().zip([1, 2]) {
        one.client.done(table, json!({"do": "bring-money", "amount": 50_000})).await;
        one.client.done(table, json!({"do": "sit", "position": position})).await;
    }
    (table, all)
}

/// Both wager, perhaps say something, and wait for nothing more: the cards are dealt.
async fn bets(table: u64, all: &mut [Onlooker], words: [Option<&str>; 2]) {
    for (one, position) in all.iter_mut().zip([1, 2]) {
        one.client.until_phase(table, "betting").await.expect("bets are open");
        let wager =
            json!({"do": "place", "position": position, "wager": "standard", "amount": 1_000});
        one.client.done(table, wager).await;
    }
    for (one, words) in all.iter_mut().zip(words) {
        if let Some(words) = words {
            one.client.done(table, json!({"do": "say", "words": words})).await;
        }
    }
    let version = all[1].client.tables[&table]["version"].as_u64().expect("a version");
    for one in &mut *all {
        one.client.until_version(table, version).await.expect("news");
    }
}

/// What everyone is told of the words once bets are closed.
async fn published(address: SocketAddr, table: u64, all: &mut [Onlooker]) -> Value {
    for one in &mut all[..2] {
        one.client.done(table, json!({"do": "ready"})).await;
    }
    let mut told = vec![];
    for one in all {
        one.client.until_phase(table, "setting").await.expect("cards are dealt");
        told.push(one.client.tables[&table]["words"].clone());
        let view = one.asks(address, &format!("/api/tables/{table}/view")).await;
        told.push(view["words"].clone());
        assert_eq!(view["commitment"], one.client.tables[&table]["commitment"]);
    }
    assert!(told.iter().all(|it| *it == told[0]), "everyone is told the same: {told:?}");
    told.swap_remove(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_are_published_when_bets_are_closed_and_not_before() {
    let place = Place::open(1, |_| ()).await;
    let address = place.address();
    let (table, mut all) = company(&place).await;
    // A card in somebody's words is none.
    let (one, two) = ("blow on the Ah", "<b>八八</b>");
    bets(table, &mut all, [Some(one), Some(two)]).await;
    // Whoever comes only now, or asks, hears nothing either.
    all.push(Onlooker::come(address, table, None).await);
    for onlooker in &all {
        let view = onlooker.asks(address, &format!("/api/tables/{table}/view")).await;
        assert!(view["commitment"].is_string() && view.get("words").is_none(), "{view}");
        for message in &onlooker.client.heard {
            assert!(!message.contains("blow on") && !message.contains("八八"), "{message}");
            assert!(!message.contains("\"digest\""), "{message}");
        }
    }
    let told = published(address, table, &mut all).await;
    let person = |at: usize| all[at].guest.as_ref().expect("a guest").person;
    let said = [(person(0), one), (person(1), two)];
    let said = said.map(|(person, words)| Said { person, words: words.into() });
    assert_eq!(told["said"], json!(said), "in the order of their numbers");
    let words = Words::try_from(said.to_vec()).expect("they are in order");

    // The round is void before anyone looks at a card: what was published is proved to everyone.
    let void = json!({"do": "rule", "ruling": "void", "reason": "a fire alarm"});
    let commitment = all[0].client.tables[&table]["commitment"].clone();
    let version = all[2].client.done(table, void).await.version;
    let round = format!("/api/tables/{table}/rounds/1");
    for one in &mut all {
        one.client.until_version(table, version).await.expect("news");
        assert!(one.client.tables[&table].get("words").is_none(), "the round is over");
        let proof = one.asks(address, &format!("{round}/proof")).await;
        let proof = houseway_fair::Proof::read(&proof.to_string()).expect("a proof");
        assert_eq!(json!(proof.commitment), commitment);
        assert_eq!(json!(proof.cut.digest), told["digest"]);
        assert_eq!(proof.words, words);
        assert_eq!(words.digest(&proof.deal), proof.cut.digest);
        let proved = houseway_fair::verify(&proof).expect("it holds");
        assert!(proved.cards.is_empty() && proved.number.is_some() && !proved.whole);
        let recall = one.asks(address, &round).await;
        let steps = recall["steps"].as_array().expect("steps");
        let committed = steps.iter().find(|it| it["happened"]["event"] == "committed");
        assert_eq!(committed.expect("a step")["happened"]["commitment"], commitment);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_is_published_too() {
    let place = Place::open(1, |_| ()).await;
    let (table, mut all) = company(&place).await;
    bets(table, &mut all, [None, None]).await;
    let told = published(place.address(), table, &mut all).await;
    assert_eq!(told["said"], json!([]));
    let highest = 7.try_into().expect("not 0");
    let deal = Deal { table: table.to_string(), round: 1, highest };
    assert_eq!(told["digest"], json!(Words::default().digest(&deal)));
}
