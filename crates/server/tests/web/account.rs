//! Who one is: coming in, going, one's money and limits.

use serde_json::{Value, json};

use crate::common::cast::{PASSWORD, fresh_name, registered};
use crate::common::http::done;
use crate::felt::{SIZES, Scheme, Visitor, house};
use crate::record::{fits, gives, logs_in, was_only_refused, writes};

#[tokio::test(flavor = "multi_thread")]
async fn someone_registers_goes_and_comes_back() {
    let house = house(41).await;
    let visitor = Visitor::to(&house, "/account").await;
    visitor.is_accessible().await;
    let name = fresh_name();
    // A password that everyone tries first is refused, and it is said where.
    gives(&visitor, "register", &name, "password1").await;
    visitor.reads("among the first that are tried").await;
    visitor.sees("form[name=register] input[name=password][aria-invalid=true]").await;
    visitor.is_accessible().await;
    gives(&visitor, "register", &name, PASSWORD).await;
    visitor.reads(&format!("Welcome, {name}")).await;
    visitor.reads("$10,000").await;

    // A wallet that is full needs no cashier.
    visitor.clicks("[data-do=cashier]").await;
    visitor.reads("The cashier helps those who have less than $100").await;
    visitor.clicks("[data-do=leave]").await;
    visitor.reads("You have logged out").await;
    visitor.sees("form[name=login]").await;
    assert_eq!(visitor.eval("fetch('/api/me').then(it => it.status)").await, 401);

    gives(&visitor, "login", &name, "something else").await;
    visitor.reads("Name or password is wrong").await;
    gives(&visitor, "login", &name, PASSWORD).await;
    visitor.reads(&format!("Welcome, {name}")).await;
    visitor.reads("Last time here").await;

    // Whoever knows the password can change it; then the old one opens nothing.
    let new = "seven cards and a joker";
    visitor.misses(".toast").await;
    let changes = async |old: &str| {
        writes(&visitor, "form[name=password] input[name=old]", old).await;
        writes(&visitor, "form[name=password] input[name=new]", new).await;
        visitor.presses("Enter").await;
    };
    changes("something else").await;
    visitor.sees("form[name=password] input[name=old][aria-invalid=true]").await;
    visitor.is_accessible().await;
    changes(PASSWORD).await;
    visitor.reads("Your password is changed.").await;
    visitor.clicks("[data-do=leave]").await;
    visitor.sees("form[name=login]").await;
    gives(&visitor, "login", &name, PASSWORD).await;
    visitor.reads("Name or password is wrong").await;
    gives(&visitor, "login", &name, new).await;
    visitor.sees("form[name=password]").await;
    was_only_refused(&visitor, &[401, 409, 422]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_keeps_what_they_have_under_a_name() {
    let house = house(42).await;
    let visitor = Visitor::to(&house, "/account").await;
    visitor.eval("import('/app/session.js').then(it => it.comeIn()).then(() => true)").await;
    visitor.reads("You play as a guest").await;
    let before = visitor.eval("fetch('/api/me').then(it => it.json())").await;
    assert_eq!(before["guest"], true);
    // Leaving would be for good, so it is asked about first.
    visitor.clicks("[data-do=leave]").await;
    visitor.sees("dialog[open]").await;
    visitor.is_accessible().await;
    visitor.presses("Escape").await;
    visitor.misses("dialog").await;
    let name = fresh_name();
    gives(&visitor, "register", &name, PASSWORD).await;
    visitor.reads(&format!("Welcome, {name}")).await;
    let after = visitor.eval("fetch('/api/me').then(it => it.json())").await;
    assert_eq!((&after["person"], &after["guest"]), (&before["person"], &json!(false)));
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_tighter_at_once_and_looser_tomorrow() {
    let house = house(43).await;
    let known = registered(&house);
    let visitor = Visitor::to(&house, "/account").await;
    logs_in(&visitor, &known).await;
    let limits = || {
        let url = format!("{}/api/limits", house.url);
        done("GET", &url, Some(&known.token), &Value::Null)
    };
    let set = async |kind: &str, text: &str| {
        writes(&visitor, &format!("[data-limit={kind}] input"), text).await;
        visitor.presses("Enter").await;
    };
    set("loss-per-day", "much").await;
    visitor.reads("Write a number").await;
    set("loss-per-day", "250.50").await;
    visitor.reads("Now: $250.50").await;
    assert_eq!(limits()["loss-per-day"]["most"], 25_050);
    set("time-per-day", "90").await;
    visitor.reads("Now: 90 minutes").await;
    assert_eq!(limits()["time-per-day"]["most"], 90 * 60_000);
    visitor.clicks("[data-limit=loss-per-day] button[type=button]").await;
    visitor.sees("[data-limit=loss-per-day] .limit-now .quiet").await;
    let after = limits();
    assert_eq!(after["loss-per-day"]["most"], 25_050);
    assert!(after["loss-per-day"]["waiting"]["begins"].is_u64(), "{after}");
    visitor.is_accessible().await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_account_fits_every_screen() {
    let house = house(44).await;
    let known = registered(&house);
    for size in SIZES {
        for scheme in [Scheme::Light, Scheme::Dark] {
            let visitor = Visitor::at(&house, "/account", size, scheme).await;
            let shot = async |name: &str| {
                fits(&visitor).await;
                visitor.is_accessible().await;
                let name = format!("{name}-{}-{scheme:?}", size.0).to_lowercase();
                visitor.shot(&name).await;
            };
            visitor.sees("form[name=login]").await;
            shot("account-nobody").await;
            logs_in(&visitor, &known).await;
            visitor.sees("[data-limit]").await;
            shot("account").await;
            visitor.leaves();
        }
    }
}
