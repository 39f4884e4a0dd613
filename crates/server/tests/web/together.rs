//! Several browsers at one table: each sees who sits where, and no card that is not theirs to see.

use std::collections::BTreeSet;

use houseway_browser::Browser;
use serde_json::Value;

use crate::felt::{SIZES, Scheme, Visitor, house};

/// Every card that a page has drawn face up, anywhere.
async fn faces(visitor: &Visitor) -> BTreeSet<String> {
    let script =
        "[...new Set([...document.querySelectorAll('[data-card]')].map(it => it.dataset.card))]";
    let cards = visitor.eval(script).await;
    let cards = cards.as_array().expect("cards").iter().filter_map(Value::as_str);
    cards.filter(|it| !it.is_empty()).map(str::to_string).collect()
}

/// Every card that came over a page's socket: what is hidden must not even be sent.
fn heard(visitor: &Visitor) -> BTreeSet<String> {
    let said = visitor.frames();
    let mut cards = BTreeSet::new();
    for text in said {
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        gather(&message["view"], &mut cards);
    }
    cards
}

fn gather(value: &Value, cards: &mut BTreeSet<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|it| gather(it, cards)),
        Value::Object(fields) => fields.values().for_each(|it| gather(it, cards)),
        Value::String(text) if is_card(text) => drop(cards.insert(text.clone())),
        _ => {}
    }
}

fn is_card(text: &str) -> bool {
    let mut letters = text.chars();
    let rank = letters.next().is_some_and(|it| "AKQJT98765432".contains(it));
    text == "Jk" || text.len() == 2 && rank && letters.next().is_some_and(|it| "cdhs".contains(it))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_see_each_other_and_no_hidden_card() {
    let house = house(41).await;
    let browser = Browser::launch().await.expect("a browser");
    let anna = Visitor::with(&browser, &house, "/", SIZES[2], Scheme::Light).await;
    anna.clicks(".own summary").await;
    anna.clicks("#open-table").await;
    anna.sees(".seat.own").await;
    let path = anna.eval("location.pathname").await;
    let path = path.as_str().expect("a path").to_string();
    // A friend comes by the link, a stranger only looks.
    let ben = Visitor::with(&browser, &house, &format!("{path}?sit"), SIZES[1], Scheme::Dark).await;
    ben.clicks("#come-in").await;
    ben.sees(".seat.own").await;
    let eve = Visitor::with(&browser, &house, &path, SIZES[2], Scheme::Light).await;
    eve.sees(".seats").await;

    for visitor in [&anna, &ben] {
        visitor.wait("document.querySelectorAll('.seat-who').length >= 5").await;
        let names = visitor
            .eval("[...document.querySelectorAll('.seat-who')].map(it => it.innerText).join()")
            .await;
        let names = names.as_str().unwrap_or_default().to_string();
        assert!(names.contains("You") && names.contains("Guest"), "{names}");
    }
    anna.comes_to_bets().await;
    anna.clicks("#deal").await;
    // A chip of one's neighbour is seen at once.
    ben.wait("document.querySelectorAll('.seat:not(.own) .circle.standard.laid').length >= 4")
        .await;
    // Whoever came while bets were open may have to wait for the next round.
    let both = ben.count("#deal").await > 0;
    if both {
        ben.clicks("#deal").await;
    }
    anna.sees(".setting").await;
    if both {
        ben.sees(".setting").await;
    }
    eve.sees(".seat .hand.down").await;
    let (of_anna, of_ben) = (faces(&anna).await, faces(&ben).await);
    assert_eq!(of_anna.len(), 7, "one's own seven cards: {of_anna:?}");
    assert_eq!(of_ben.len(), if both { 7 } else { 0 }, "{of_ben:?}");
    assert!(of_anna.is_disjoint(&of_ben), "{of_anna:?} {of_ben:?}");
    assert_eq!(faces(&eve).await, BTreeSet::new(), "who looks on sees backs");
    assert_eq!(heard(&anna), of_anna, "nothing else was sent");
    assert_eq!(heard(&ben), of_ben, "nothing else was sent");
    assert_eq!(heard(&eve), BTreeSet::new(), "nothing else was sent");

    for visitor in [&anna, &ben] {
        if visitor.count(".setting").await > 0 {
            visitor.clicks("#house-way").await;
            visitor.wait("!document.querySelector('.setting') || document.querySelectorAll('.zone.low .playing').length === 2").await;
            if visitor.count(".setting").await > 0 {
                visitor.clicks("#lay-down").await;
            }
        }
    }
    for visitor in [&anna, &ben] {
        visitor.sees_results().await;
    }
    // Now everyone sees the same.
    eve.sees(".results").await;
    assert_eq!(faces(&anna).await, faces(&eve).await);
    anna.shot("together").await;
    for visitor in [anna, ben, eve] {
        visitor.leaves();
    }
    house.books_are_right().await;
}
