//! A hand is set by drag, tap and key; a foul is said before it is laid down and handled as the
//! rulebook says.

use serde_json::{Value, json};

use crate::common::OpenHouse;
use crate::felt::{SIZES, Scheme, Visitor, card, house};

/// Someone at a table of their own, with seven cards.
async fn dealt(house: &OpenHouse, rules: &str, size: (u32, u32)) -> Visitor {
    let visitor = Visitor::at(house, "/", size, Scheme::Light).await;
    visitor.clicks(&format!("input[value=\"{rules}\"]")).await;
    visitor.clicks("#play-now").await;
    visitor.is_dealt().await;
    visitor
}

/// The cards on one side.
async fn cards(visitor: &Visitor, zone: &str) -> Vec<String> {
    let script = format!(
        "[...document.querySelectorAll('.zone.{zone} .playing')].map(it => it.dataset.card)"
    );
    let cards = visitor.eval(&script).await;
    cards.as_array().expect("cards").iter().map(|it| it.as_str().expect("a card").into()).collect()
}

/// The House Way of some cards, as the house tells it: two that can go Low.
fn house_way(house: &OpenHouse, rules: &str, cards: &[String]) -> Vec<String> {
    let asked = json!({"rules": rules, "cards": cards});
    let url = format!("{}/api/set", house.url);
    let set = crate::common::http::done("POST", &url, None, &asked);
    let low = set["setting"]["low"].as_array().expect("two cards").iter();
    low.map(|it| it.as_str().expect("a card").to_string()).collect()
}

async fn has_low(visitor: &Visitor, low: &[String]) {
    let mut low = low.to_vec();
    low.sort();
    let low = low.join(" ");
    let script = format!(
        "[...document.querySelectorAll('.zone.low .playing')].map(it => it.dataset.card).sort().join(' ') === {}",
        Value::from(low)
    );
    visitor.wait(&script).await;
}

/// What was laid down is what lies there in the end.
async fn is_laid(visitor: &Visitor, low: &[String]) {
    visitor.sees_results().await;
    visitor.sees(".compared").await;
    let shown = visitor
        .eval("[...document.querySelectorAll('.versus:nth-of-type(2) .side:first-child .card')].map(it => it.dataset.card)")
        .await;
    let mut shown: Vec<&str> =
        shown.as_array().expect("cards").iter().filter_map(Value::as_str).collect();
    let mut low: Vec<&str> = low.iter().map(String::as_str).collect();
    shown.sort_unstable();
    low.sort_unstable();
    assert_eq!(shown, low);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_set_by_dragging() {
    let house = house(31).await;
    let visitor = dealt(&house, "mbs-2020", SIZES[2]).await;
    let all = cards(&visitor, "high").await;
    let low = house_way(&house, "mbs-2020", &all);
    // Another card first: it is dragged back, and one lets go beside the boxes.
    let other = all.iter().find(|it| !low.contains(it)).expect("five others");
    visitor.drags(&card(other), ".zone.low").await;
    has_low(&visitor, std::slice::from_ref(other)).await;
    visitor.drags(&card(other), "h1").await;
    has_low(&visitor, std::slice::from_ref(other)).await;
    visitor.drags(&card(other), ".zone.high").await;
    has_low(&visitor, &[]).await;
    for card_of_low in &low {
        visitor.drags(&card(card_of_low), ".zone.low").await;
    }
    has_low(&visitor, &low).await;
    visitor.reads(&visitor.text(".zone.low .zone-is").await).await;
    visitor.clicks("#lay-down").await;
    is_laid(&visitor, &low).await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_set_by_tapping() {
    let house = house(32).await;
    let visitor = dealt(&house, "catfish-bend", SIZES[0]).await;
    let all = cards(&visitor, "high").await;
    let low = house_way(&house, "catfish-bend", &all);
    let other = all.iter().find(|it| !low.contains(it)).expect("five others");
    for one in [other, &low[0], &low[1]] {
        visitor.touches(&card(one)).await;
    }
    // The first made room for the third.
    has_low(&visitor, &low).await;
    visitor.touches("#undo").await;
    has_low(&visitor, &[other.clone(), low[0].clone()]).await;
    visitor.touches(&card(&low[1])).await;
    has_low(&visitor, &low).await;
    visitor.touches("#lay-down").await;
    is_laid(&visitor, &low).await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_set_by_keys_alone() {
    let house = house(33).await;
    let visitor = dealt(&house, "mbs-2016", SIZES[2]).await;
    let all = cards(&visitor, "high").await;
    let low = house_way(&house, "mbs-2016", &all);
    // Tab leads to the cards, arrows from one to the next.
    for _ in 0..60 {
        visitor.presses("Tab").await;
        if visitor.eval("document.activeElement.matches('.playing')").await == true {
            break;
        }
    }
    let seen = "getComputedStyle(document.activeElement).outlineStyle !== 'none'";
    assert_eq!(visitor.eval(seen).await, true, "the focus is visible");
    for wanted in &low {
        for _ in 0..8 {
            let here = visitor.eval("document.activeElement.dataset.card").await;
            if here == wanted.as_str() {
                break;
            }
            visitor.presses("ArrowRight").await;
        }
        visitor.presses("Enter").await;
        visitor.sees(&format!(".zone.low {}", card(wanted))).await;
    }
    has_low(&visitor, &low).await;
    visitor.presses("u").await;
    has_low(&visitor, &low[..1]).await;
    visitor.presses("h").await;
    has_low(&visitor, &low).await;
    visitor.sees(".told").await;
    visitor.presses("l").await;
    is_laid(&visitor, &low).await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_are_sorted_by_suit_or_rank() {
    let house = house(34).await;
    let visitor = dealt(&house, "cardroom", SIZES[1]).await;
    let by_rank = cards(&visitor, "high").await;
    visitor.clicks(".sorts button:last-child").await;
    visitor.sees(".sorts button:last-child[aria-pressed=true]").await;
    let by_suit = cards(&visitor, "high").await;
    let suits: Vec<&str> = by_suit.iter().map(|it| &it[1..]).collect();
    let mut runs = suits.clone();
    runs.dedup();
    let mut distinct = suits.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(runs.len(), distinct.len(), "each suit lies together: {by_suit:?}");
    visitor.clicks(".sorts button:first-child").await;
    visitor.sees(".sorts button:first-child[aria-pressed=true]").await;
    assert_eq!(cards(&visitor, "high").await, by_rank);
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foul_is_warned_of_and_handled_as_the_rulebook_says() {
    for (seed, rules) in [(35, "mbs-2020"), (36, "catfish-bend")] {
        let house = house(seed).await;
        let visitor = dealt(&house, rules, SIZES[2]).await;
        let way = house_way(&house, rules, &cards(&visitor, "high").await);
        visitor.lays_a_foul_out().await;
        let foul = cards(&visitor, "low").await;
        visitor.reads("Foul!").await;
        visitor.clicks("#lay-down").await;
        // Nothing is laid down before one is sure.
        visitor.sees("dialog[open]").await;
        visitor.presses("Escape").await;
        visitor.misses("dialog").await;
        has_low(&visitor, &foul).await;
        visitor.clicks("#lay-down").await;
        visitor.clicks("#lay-foul").await;
        // It was set the House Way, and that is said.
        is_laid(&visitor, &way).await;
        visitor.reads("It was a foul and was set the House Way.").await;
        if rules == "catfish-bend" {
            // There a second one loses, whatever the cards are.
            visitor.clicks("#next-round").await;
            visitor.is_dealt().await;
            visitor.lays_a_foul_out().await;
            visitor.reads("It is not your first: the hand would lose.").await;
            visitor.reads("later ones lose").await;
            visitor.clicks("#lay-down").await;
            visitor.clicks("#lay-foul").await;
            visitor.sees_results().await;
            visitor.sees(".lines [data-bet=standard] .lose").await;
            visitor.reads("A foul again: the hand loses").await;
            visitor.reads("Clause B5").await;
        }
        visitor.shot(&format!("fouled-{rules}")).await;
        house.books_are_right().await;
        visitor.leaves();
    }
}
