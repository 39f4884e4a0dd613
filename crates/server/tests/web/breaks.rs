//! The line breaks, the house closes and opens again: play goes on.

use std::sync::Arc;

use houseway_browser::Browser;
use houseway_server::clock::SystemClock;
use houseway_server::config::Config;
use houseway_server::serve::Serving;
use serde_json::Value;

use crate::common::cut::BadLine;
use crate::common::{OpenHouse, vault};
use crate::felt::{SIZES, Scheme, Visitor, config, house};

/// Closes a house while someone looks at it, and opens it again at the same address, run so.
async fn restarted(house: OpenHouse, visitor: &Visitor, config: Config, seed: u64) -> OpenHouse {
    let OpenHouse { serving, store, url } = house;
    let listen = serving.address;
    serving.close().await;
    visitor.sees(".link-lost").await;
    let config =
        Config { listen, messages_per_second: 10_000, requests_per_second: 10_000, ..config };
    let clock = Arc::new(SystemClock::new());
    let serving = Serving::on(config, store.clone(), vault(seed), clock).await;
    let house = OpenHouse { serving: serving.expect("it opens again"), store, url };
    // It is said what happened.
    visitor.misses(".link-lost").await;
    visitor.sees(".interrupted").await;
    house
}

/// While nobody listened the browser could not connect, and says so. Nothing else went wrong.
fn was_only_cut_off(visitor: &Visitor) {
    let known = |it: &String| it.contains("ERR_CONNECTION_REFUSED");
    let other: Vec<String> = visitor.page.problems().into_iter().filter(|it| !known(it)).collect();
    assert_eq!(other, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_is_played_over_a_bad_line() {
    let house = house(51).await;
    let line = BadLine::to(house.serving.address).await;
    let browser = Browser::launch().await.expect("a browser");
    let visitor = Visitor::by(&browser, &line.url, "/", SIZES[2], Scheme::Light).await;
    visitor.clicks("#play-now").await;
    visitor.plays_a_round().await;
    assert!(line.cuts() > 2, "the line was cut {} times", line.cuts());
    house.books_are_right().await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_house_is_restarted_in_the_middle_of_a_round() {
    for (seed, rules) in [(52, "mbs-2020"), (53, "cardroom")] {
        let house = house(seed).await;
        let visitor = Visitor::to(&house, "/").await;
        visitor.clicks(&format!("input[value=\"{rules}\"]")).await;
        visitor.clicks("#play-now").await;
        visitor.is_dealt().await;
        let cards =
            "[...document.querySelectorAll('.playing')].map(it => it.dataset.card).sort().join()";
        let before = visitor.eval(cards).await;

        // The same cards.
        let house = restarted(house, &visitor, config(), seed + 100).await;
        assert_eq!(visitor.eval(cards).await, before);
        visitor.shot(&format!("restarted-{rules}")).await;
        visitor.clicks("#house-way").await;
        visitor.wait("document.querySelectorAll('.zone.low .playing').length === 2").await;
        visitor.clicks("#lay-down").await;
        visitor.wait("!!document.querySelector('#play-on, #play-out, .results')").await;
        if visitor.count("#play-on").await > 0 {
            visitor.clicks("#play-on").await;
        }
        visitor.sees_results().await;
        house.books_are_right().await;
        was_only_cut_off(&visitor);
        assert_ne!(before, Value::Null);
    }
}

/// A table keeps the rulebook it was opened with, whatever becomes of the file. Only how the house would
/// set a hand can no longer be looked up beforehand: that is said, and nothing is laid down for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_rulebook_is_taken_away_in_the_middle_of_a_round() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/foxwoods.toml");
    let with = Config { rulebooks: vec![file.into()], ..config() };
    let house = OpenHouse::run_so(54, with).await;
    let visitor = Visitor::to(&house, "/").await;
    visitor.clicks("input[value='foxwoods']").await;
    visitor.clicks("#play-now").await;
    visitor.is_dealt().await;
    let house = restarted(house, &visitor, config(), 154).await;
    // The table has its rulebook, and those who sit there can look the House Way up.
    visitor.clicks("#house-way").await;
    visitor.sees(".told").await;
    assert_eq!(visitor.count(".zone.low .playing").await, 2);
    visitor.is_accessible().await;
    visitor.shot("rulebook-taken-away").await;
    visitor.clicks("#lay-down").await;
    visitor.sees_results().await;
    // Whoever comes anew finds the table too, and the next round is played.
    let path = visitor.eval("location.pathname").await;
    visitor.open(path.as_str().expect("a path")).await;
    visitor.sees_results().await;
    visitor.clicks("#next-round").await;
    visitor.is_dealt().await;
    house.books_are_right().await;
    was_only_cut_off(&visitor);
}
