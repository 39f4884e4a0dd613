//! At a table: friends come by a link, a hand is given up, money runs short; and whoever plays by
//! keyboard is led from one thing to the next.

use houseway_browser::Browser;
use serde_json::{Value, json};

use crate::common::cast::registered;
use crate::common::http::done;
use crate::felt::{SIZES, Scheme, Visitor, house};
use crate::record::{logs_in, was_only_refused, writes};

/// Where the focus must be.
async fn is_led_to(visitor: &Visitor, selector: &str) {
    let script = format!("document.activeElement.matches({})", Value::from(selector));
    visitor.wait(&script).await;
}

async fn lays_the_house_way(visitor: &Visitor) {
    visitor.clicks("#house-way").await;
    visitor.wait("document.querySelectorAll('.zone.low .playing').length === 2").await;
    visitor.clicks("#lay-down").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_friend_follows_the_link_in_mid_round_and_finds_back_later() {
    let house = house(71).await;
    let browser = Browser::launch().await.expect("a browser");
    let anna = Visitor::with(&browser, &house, "/", SIZES[2], Scheme::Light).await;
    anna.clicks(".own summary").await;
    anna.clicks("#open-table").await;
    anna.is_dealt().await;
    // A browser without a screen has no clipboard, so the link is shown. Closed, one is where one was.
    anna.clicks(".tools > :first-child").await;
    is_led_to(&anna, "dialog[open] *").await;
    anna.is_accessible().await;
    let link = anna.eval("document.querySelector('#invite-link').value").await;
    let link = link.as_str().and_then(|it| it.strip_prefix(&house.url)).expect("a link to here");
    anna.presses("Escape").await;
    anna.misses("dialog").await;
    is_led_to(&anna, ".tools > :first-child").await;

    let ben = Visitor::with(&browser, &house, link, SIZES[2], Scheme::Dark).await;
    ben.clicks("#come-in").await;
    ben.reads("You sit down when this round is over").await;
    ben.sees("#only-watch").await;
    assert_eq!(ben.count(".seat.own").await, 0, "nobody sits down in a round");
    lays_the_house_way(&anna).await;
    anna.sees_results().await;
    ben.sees(".seat.own").await;

    // From anywhere one finds back to where one sits, until one has got up.
    let path = ben.eval("location.pathname").await;
    ben.clicks("nav a[href='/rules']").await;
    ben.clicks(".to-table").await;
    ben.sees(".seat.own").await;
    assert_eq!(ben.eval("location.pathname").await, path);
    ben.misses(".to-table").await;
    ben.clicks("nav a[href='/']").await;
    ben.sees(".own-tables a").await;
    ben.clicks(".own-tables a").await;
    ben.clicks("#leave").await;
    ben.reads("You got up.").await;
    ben.misses(".own-tables, .to-table").await;
    ben.leaves();
    anna.leaves();
    house.books_are_right().await;
}

/// Alone where a player always banks: whoever passes the bank on is told that nothing comes by itself, is
/// asked again when they want to be, and may get up instead of answering.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_passes_the_bank_on_alone_is_not_asked_for_ever() {
    let house = house(77).await;
    let known = registered(&house);
    let wish = json!({"rules": "cardroom", "bots": 0});
    let opened = done("POST", &format!("{}/api/tables", house.url), Some(&known.token), &wish);
    let visitor = Visitor::to(&house, "/").await;
    logs_in(&visitor, &known).await;
    visitor.open(&format!("/table/{}?sit", opened["table"])).await;
    visitor.clicks("#decline-bank").await;
    visitor.reads("No round opens before someone is ready for it.").await;
    visitor.clicks("#next-round").await;
    visitor.sees("#decline-bank").await;
    visitor.clicks("#leave").await;
    visitor.reads("You got up.").await;
    visitor.leaves();
    house.books_are_right().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_given_up_after_a_house_way_that_did_not_come() {
    let house = house(72).await;
    let visitor = Visitor::to(&house, "/").await;
    visitor.clicks("#play-now").await;
    visitor.is_dealt().await;
    visitor.sees(".clock").await;
    visitor.reads("if it reaches the house before the clock runs out").await;
    // The house cannot be asked: that is said, nothing is laid down, and it can be asked again.
    let away = "window.fetched = fetch; window.fetch = (at, ...rest) => at === '/api/set' \
        ? Promise.reject(new TypeError('away')) : fetched(at, ...rest); true";
    visitor.eval(away).await;
    visitor.clicks("#house-way").await;
    visitor.reads("The house cannot be reached.").await;
    visitor.sees("#house-way:not(:disabled)").await;
    assert_eq!(visitor.count(".zone.high .playing").await, 7, "nothing was laid down");
    visitor.eval("window.fetch = fetched; true").await;
    lays_the_house_way(&visitor).await;

    visitor.sees(".give-up").await;
    is_led_to(&visitor, ".tray h2").await;
    // By keyboard from there.
    for _ in 0..2 {
        visitor.presses("Tab").await;
    }
    is_led_to(&visitor, ".give-up").await;
    visitor.presses("Enter").await;
    visitor.sees(".results[data-total='-1000']").await;
    is_led_to(&visitor, ".results h2").await;
    assert_eq!(visitor.text(".results h2").await, "You lost $10");
    visitor.reads("You gave this hand up: its wager is lost, whatever the cards.").await;
    visitor.sees(".lines [data-bet=standard] .lose").await;
    assert_eq!(visitor.count(".coach").await, 0, "nothing is to be said of how it was set");
    let balance = visitor.text(".balance").await;
    assert!(balance.contains("$990") && balance.contains("−$10 in "), "{balance}");
    assert!(balance.ends_with(" min"), "{balance}");
    visitor.clicks("#next-round").await;
    visitor.comes_to_bets().await;
    is_led_to(&visitor, ".tray h2").await;
    visitor.leaves();
    house.books_are_right().await;
}

/// Whoever plays their hand out is not asked again, but may still change their mind.
#[tokio::test(flavor = "multi_thread")]
async fn a_hand_that_is_played_out_is_not_asked_about_again() {
    let house = house(74).await;
    let browser = Browser::launch().await.expect("a browser");
    let anna = Visitor::with(&browser, &house, "/", SIZES[2], Scheme::Light).await;
    anna.clicks("#play-now").await;
    anna.plays_a_round().await;
    let path = anna.eval("location.pathname").await;
    let link = format!("{}?sit", path.as_str().expect("a path"));
    let ben = Visitor::with(&browser, &house, &link, SIZES[0], Scheme::Dark).await;
    ben.clicks("#come-in").await;
    ben.sees(".seat.own").await;
    for visitor in [&anna, &ben] {
        visitor.clicks("#next-round").await;
    }
    for visitor in [&anna, &ben] {
        visitor.clicks("#deal").await;
    }
    for visitor in [&anna, &ben] {
        lays_the_house_way(visitor).await;
    }
    for visitor in [&anna, &ben] {
        visitor.sees("#play-out").await;
    }
    ben.clicks("#play-out").await;
    ben.misses("#play-out").await;
    ben.reads("You play your hand out. The others still decide about theirs.").await;
    assert_eq!(ben.count(".tray h2").await, 0, "nothing more is asked");
    is_led_to(&ben, ".tray").await;
    ben.is_accessible().await;
    ben.shot("played-out").await;
    assert_eq!(anna.count("#play-out").await, 1, "it was one's own answer");
    ben.clicks(".tray summary").await;
    ben.clicks(".give-up").await;
    ben.misses(".give-up").await;
    anna.clicks("#play-out").await;
    for visitor in [&anna, &ben] {
        visitor.sees(".results").await;
    }
    ben.reads("You gave this hand up: its wager is lost, whatever the cards.").await;
    anna.leaves();
    ben.leaves();
    house.books_are_right().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_little_money_for_a_wager_is_said_and_more_is_brought() {
    const MONEY: &str = ".tools > button:nth-of-type(2)";
    let house = house(73).await;
    let visitor = Visitor::at(&house, "/", SIZES[0], Scheme::Light).await;
    visitor.clicks("#play-now").await;
    visitor.comes_to_bets().await;
    visitor.clicks(MONEY).await;
    writes(&visitor, ".money-form:nth-of-type(2) input", "995").await;
    visitor.presses("Enter").await;
    visitor.reads("You have $5, the least wager is $10").await;
    visitor.presses("Escape").await;
    visitor.misses("dialog").await;
    is_led_to(&visitor, MONEY).await;
    assert_eq!(visitor.count("#deal").await, 0, "there is nothing to bet with");
    visitor.is_accessible().await;
    visitor.shot("short").await;
    // Refusals are whole sentences.
    visitor.clicks("#ask-cashier").await;
    visitor.sees(".toast.wrong").await;
    let refused = visitor.text(".toast.wrong span").await;
    assert!(refused.starts_with("The cashier helps") && refused.ends_with('.'), "{refused}");
    visitor.clicks("#bring-money").await;
    writes(&visitor, ".money-form input", "500").await;
    visitor.presses("Enter").await;
    visitor.sees("#deal").await;
    visitor.presses("Escape").await;
    visitor.is_dealt().await;
    was_only_refused(&visitor, &[409]);
    house.books_are_right().await;
}
