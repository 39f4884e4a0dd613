//! The pit: staff see tables without hidden cards, decide, correct, and read what happened.

use houseway_browser::Browser;
use serde_json::{Value, json};

use crate::common::OpenHouse;
use crate::common::cast::{Known, on, operator, registered, staff};
use crate::common::http::done;
use crate::felt::{SIZES, Scheme, Visitor, house};
use crate::record::{fits, logs_in, plays, plays_until, table, was_only_refused, writes};

/// Someone in the browser, come in as that person.
async fn visits(house: &OpenHouse, known: &Known, path: &str) -> Visitor {
    let visitor = Visitor::to(house, "/").await;
    logs_in(&visitor, known).await;
    visitor.open(path).await;
    visitor
}

/// Chooses an entry of a list by how its text begins.
async fn chooses(visitor: &Visitor, selector: &str, text: &str) {
    let (selector, text) = (json!(selector), json!(text));
    let there = format!(
        "[...(document.querySelector({selector})?.options ?? [])]\
         .some(it => it.text.trim().startsWith({text}))"
    );
    visitor.wait(&there).await;
    let choose = format!(
        "(it => {{ it.value = [...it.options].find(one => one.text.trim().startsWith({text})).value;\
         it.dispatchEvent(new Event('change', {{bubbles: true}})); return true; }})\
         (document.querySelector({selector}))"
    );
    visitor.eval(&choose).await;
}

/// No card can be seen on the page.
async fn sees_no_card(visitor: &Visitor) {
    let up = "[...document.querySelectorAll('[data-card]')].filter(it => it.dataset.card).length";
    assert_eq!(visitor.eval(up).await, 0, "a hidden card");
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_void_a_round_and_the_players_are_told() {
    let house = house(51).await;
    let operator = operator(&house).await;
    let manager = staff(&house, &operator, "gaming-shift-manager").await;
    let player = registered(&house);
    let table = table(&house, &player, "mbs-2020");
    let setting = |view: &Value| view["phase"]["name"] == "setting";
    let mut live = plays_until(&house, &player, table, setting).await;

    let visitor = visits(&house, &manager, "/").await;
    visitor.clicks("nav a[href='/pit']").await;
    visitor.reads("Hands are being set").await;
    visitor.clicks(&format!("[data-table='{table}'] a")).await;
    visitor.reads("Hands are being set").await;
    visitor.sees(".board .card.down").await;
    sees_no_card(&visitor).await;
    visitor.is_accessible().await;
    chooses(&visitor, "select[name=ruling]", "The round is void").await;
    writes(&visitor, "input[name=reason]", "a fire alarm").await;
    visitor.presses("Enter").await;
    visitor.sees("dialog[open]").await;
    visitor.reads("The table is told: “a fire alarm”").await;
    visitor.is_accessible().await;
    visitor.clicks("dialog[open] [data-do=yes]").await;
    visitor.reads("The round is void, every wager went back: a fire alarm").await;
    visitor.leaves();

    // The player hears it at the table, has everything back, and finds it in their history.
    let voided = loop {
        let update = live.hear_a("table").await;
        let happened = update["happened"].as_array().cloned().unwrap_or_default();
        if let Some(it) = happened.into_iter().find(|it| it["event"] == "voided") {
            assert_eq!(update["view"]["stack"], 100_000);
            break it;
        }
    };
    assert_eq!((&voided["why"], voided["clause"].is_string()), (&json!("a fire alarm"), true));
    let visitor = visits(&house, &player, "/history").await;
    visitor.sees(".rounds .tag.void").await;
    visitor.clicks(".rounds li:last-child a").await;
    visitor.reads("The round is void: every wager went back.").await;
    visitor.reads("“a fire alarm”").await;
    // Nobody was shown a card; what the house committed to is on record all the same.
    visitor.sees(".verdict.proved").await;
    visitor.reads("No card is opened").await;
    let commitment = live.heard.iter().find_map(|it| it["commitment"].as_str());
    visitor.reads(commitment.expect("it was published")).await;
    visitor.is_accessible().await;
    visitor.leaves();
    // The cards stay on record for an auditor, who sees that they were a shuffle of the whole deck.
    let visitor = visits(&house, &operator, &format!("/round/{table}/1")).await;
    visitor.clicks(".audit summary").await;
    writes(&visitor, ".audit input[name=why]", "a complaint").await;
    visitor.presses("Enter").await;
    visitor.reads("The seed gives the whole deck").await;
    // They come by a request of their own.
    visitor.sees(".all-cards [data-card]").await;
    assert_eq!(visitor.count(".all-cards [data-card]").await, 53);
    visitor.is_accessible().await;
    visitor.leaves();
    let visitor = visits(&house, &operator, "/pit/log").await;
    visitor.reads(&format!("Every card seen: table {table}, round 1")).await;
    visitor.reads("“a complaint”").await;
    visitor.leaves();
    house.books_are_right().await;
}

/// Says why, and agrees to what will happen.
async fn closes_or_opens(visitor: &Visitor, why: &str, happens: &str) {
    writes(visitor, "[data-part=closing] input[name=reason]", why).await;
    visitor.presses("Enter").await;
    visitor.sees("dialog[open]").await;
    let asked = visitor.text("dialog[open]").await;
    assert!(asked.contains(happens) && asked.contains(&format!("“{why}”")), "{asked}");
    visitor.is_accessible().await;
    visitor.clicks("dialog[open] [data-do=yes]").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_closed_and_opened_again_and_everyone_sees_why() {
    let house = house(56).await;
    let operator = operator(&house).await;
    let browser = Browser::launch().await.expect("a browser");
    let comes =
        async |path: &str| Visitor::with(&browser, &house, path, SIZES[2], Scheme::Light).await;
    let manager = comes("/").await;
    logs_in(&manager, &staff(&house, &operator, "pit-manager").await).await;
    let supervisor = comes("/").await;
    logs_in(&supervisor, &staff(&house, &operator, "pit-supervisor").await).await;
    let player = comes("/").await;
    player.clicks(".own summary").await;
    player.clicks("input[name=pace][value=calm]").await;
    player.clicks("input[name=who][value=everyone]").await;
    player.clicks("#open-table").await;
    player.is_dealt().await;
    let path = player.eval("location.pathname").await;
    let path = path.as_str().expect("a path");
    let table = path.strip_prefix("/table/").expect("a table");

    manager.open(&format!("/pit/tables/{table}")).await;
    closes_or_opens(&manager, "a spilled drink", "none begins after it").await;
    manager.reads("Closed: “a spilled drink”").await;
    manager.reads("The table was closed: a spilled drink").await;
    manager.sees("[data-do=open-table]").await;
    manager.is_accessible().await;
    manager.shot("pit-closed").await;
    // Less than a manager sees it, and has no such button.
    supervisor.open("/pit").await;
    supervisor.sees(&format!("[data-table='{table}'] .tag.void")).await;
    supervisor.clicks(&format!("[data-table='{table}'] a")).await;
    supervisor.reads("Closed: “a spilled drink”").await;
    assert_eq!(supervisor.count("[data-part=closing]").await, 0);

    // The round is played to its end, and there is no other.
    player.reads("This table is closed: “a spilled drink”. This round is played to its end").await;
    player.shot("closed-setting").await;
    player.clicks("#house-way").await;
    player.wait("document.querySelectorAll('.zone.low .playing').length === 2").await;
    player.clicks("#lay-down").await;
    player.sees_results().await;
    player.reads("No round begins until it is open again.").await;
    player.sees("#leave").await;
    assert_eq!(player.count("#next-round, .seat-sit").await, 0);
    player.is_accessible().await;
    player.shot("closed-results").await;

    // The lobby says so; one can look on, but not sit down.
    let stranger = comes("/").await;
    let row = format!(".tables [data-table='{table}']");
    stranger.sees(&row).await;
    assert!(stranger.text(&row).await.contains("Closed: “a spilled drink”"));
    assert_eq!(stranger.count(&format!("{row} button")).await, 0);
    stranger.is_accessible().await;
    stranger.shot("lobby-closed").await;
    stranger.clicks(&format!("{row} a")).await;
    stranger.reads("This table is closed: “a spilled drink”.").await;
    stranger.clicks("#come-in").await;
    stranger.reads("Nobody sits down while the table is closed.").await;
    assert_eq!(stranger.count("#sit, .seat-sit").await, 0);

    closes_or_opens(&manager, "it is dry", "Rounds begin again").await;
    manager.sees("[data-do=close-table]").await;
    manager.reads("The table is open again: it is dry").await;
    stranger.sees("#sit").await;
    player.misses(".closed").await;
    player.clicks("#next-round").await;
    player.comes_to_bets().await;
    for visitor in [manager, supervisor, player, stranger] {
        visitor.leaves();
    }
    house.books_are_right().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_refused_the_pit() {
    let house = house(52).await;
    let operator = operator(&house).await;
    let player = registered(&house);
    let table = table(&house, &player, "cardroom");
    let visitor = Visitor::to(&house, "/pit").await;
    visitor.reads("Log in as staff").await;
    visitor.is_accessible().await;
    logs_in(&visitor, &player).await;
    let parts = ["", "/rounds", "/report", "/log", "/people"];
    for part in parts.into_iter().chain([&format!("/tables/{table}")[..]]) {
        visitor.open(&format!("/pit{part}")).await;
        visitor.reads("The pit is for staff").await;
        visitor.misses(".pit").await;
    }
    visitor.is_accessible().await;
    assert_eq!(visitor.count("nav a[href='/pit']").await, 0);
    // It is the house that refuses, whatever the page shows.
    for asked in ["rounds", "report?by=day", "log?stream=house", "heads", "people", "liability"] {
        let status = format!("fetch('/api/{asked}').then(it => it.status)");
        assert_eq!(visitor.eval(&status).await, 403, "{asked}");
    }
    let rule = format!(
        "import('/app/socket.js').then(it => it.command({table}, \
         {{do: 'rule', ruling: 'void', reason: 'because'}}))"
    );
    assert_eq!(visitor.eval(&rule).await["answer"], "refused");
    was_only_refused(&visitor, &[403]);

    // A dealer has the tables, and nothing that takes more.
    let dealer = staff(&house, &operator, "dealer").await;
    let visitor = visits(&house, &dealer, "/pit").await;
    visitor.sees(".pit").await;
    let tabs = "[...document.querySelectorAll('.tabs a')].map(it => it.textContent)";
    assert_eq!(visitor.eval(tabs).await, json!(["Tables"]));
    visitor.open(&format!("/pit/tables/{table}")).await;
    visitor.reads("Deciding takes a higher role").await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_round_is_corrected_by_a_call() {
    let house = house(53).await;
    let operator = operator(&house).await;
    let manager = staff(&house, &operator, "pit-manager").await;
    let player = registered(&house);
    let table = table(&house, &player, "mbs-2020");
    let url = format!("{}/api/history", house.url);
    let mut rounds = 0;
    let round = loop {
        rounds += 1;
        plays(&house, &player, table, rounds).await;
        let past = done("GET", &url, Some(&player.token), &Value::Null);
        if past["rounds"][0]["net"] != 0 {
            break past["rounds"][0].clone();
        }
    };
    let visitor = visits(&house, &manager, &format!("/pit/tables/{table}")).await;
    chooses(&visitor, "select[name=what]", "A player’s hand has not seven cards").await;
    chooses(&visitor, "select[name=spot]", "Seat 1").await;
    visitor.clicks("[data-part=call] button[type=submit]").await;
    visitor.clicks("dialog[open] [data-do=yes]").await;
    visitor.reads(&format!("Round {} was corrected", round["round"])).await;
    visitor.leaves();
    let visitor = visits(&house, &player, &format!("/round/{table}/{}", round["round"])).await;
    visitor.reads("Corrected later").await;
    visitor.is_accessible().await;
    let past = done("GET", &url, Some(&player.token), &Value::Null);
    assert_eq!(past["rounds"][0]["status"], "corrected");
    assert_eq!(past["rounds"][0]["net"].as_i64(), round["net"].as_i64().map(|it| -it));
    visitor.leaves();
    house.books_are_right().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_logs_and_people_are_for_those_who_run_the_house() {
    let house = house(54).await;
    let (second, operator) = (operator(&house).await, operator(&house).await);
    let player = registered(&house);
    for rules in ["mbs-2020", "catfish-bend"] {
        let table = table(&house, &player, rules);
        plays(&house, &player, table, 2).await;
    }
    let visitor = visits(&house, &operator, "/pit/rounds").await;
    visitor.wait("document.querySelectorAll('.rounds li').length === 4").await;

    // The page says what the report says, by whatever it is divided.
    visitor.open("/pit/report").await;
    for (by, lines) in [("rules", 2), ("day", 1), ("table", 2)] {
        visitor.clicks(&format!("input[name=by][value={by}] + span")).await;
        visitor.wait(&format!("new URLSearchParams(location.search).get('by') === '{by}'")).await;
        visitor
            .wait(&format!("document.querySelectorAll('[data-line]').length === {}", lines + 1))
            .await;
    }
    let url = format!("{}/api/report?by=table", house.url);
    let report = done("GET", &url, Some(&operator.token), &Value::Null);
    let total = visitor.text("[data-line=Total]").await;
    let result = report["total"]["house-result"].as_i64().expect("a sum");
    let script = format!("import('/app/format.js').then(it => it.gain({result}))");
    let result = visitor.eval(&script).await;
    assert!(total.starts_with("Total\t4\t0\t0"), "{total}");
    assert!(total.ends_with(result.as_str().expect("a text")), "{total}: {result}");
    visitor.reads("In theory").await;
    visitor.is_accessible().await;

    // Whoever makes someone a dealer says why, and it stands in the log.
    visitor.open("/pit/people").await;
    let person = format!("[data-person='{}']", player.person);
    visitor.clicks(&format!("{person} summary")).await;
    writes(&visitor, &format!("{person} input[name=why]"), "deals on Fridays").await;
    chooses(&visitor, &format!("{person} select"), "Dealer").await;
    visitor.is_accessible().await;
    visitor.clicks(&format!("{person} button[type=submit]")).await;
    visitor
        .wait(&format!("document.querySelector(\"{person} .tag\").textContent === 'Dealer'"))
        .await;
    // A shift manager takes another operator.
    writes(&visitor, &format!("{person} input[name=why]"), "runs the night").await;
    chooses(&visitor, &format!("{person} select"), "Gaming shift manager").await;
    visitor.clicks(&format!("{person} button[type=submit]")).await;
    visitor.reads("to be Gaming shift manager").await;
    assert_eq!(visitor.count("[data-do=agree]").await, 0, "not by oneself");
    visitor.is_accessible().await;
    let other = visits(&house, &second, "/pit/people").await;
    writes(&other, "[data-proposal] input[name=why]", "she does").await;
    other.clicks("[data-proposal] [data-do=agree]").await;
    other
        .wait(&format!(
            "document.querySelector(\"{person} .tag\").textContent === 'Gaming shift manager'"
        ))
        .await;
    assert_eq!(other.count("[data-proposal]").await, 0);
    other
        .wait(&format!(
            "document.querySelector(\"{person} select\").value === 'gaming-shift-manager'"
        ))
        .await;
    other.leaves();
    visitor.open("/pit/people").await;
    visitor.clicks(&format!("{person} summary")).await;
    writes(&visitor, &format!("{person} input[name=why]"), "lost the key").await;
    visitor.clicks(&format!("{person} [data-do=disable]")).await;
    visitor.sees(&format!("{person} .tag.void")).await;
    visitor.sees(&format!("{person} [data-do=enable]")).await;

    visitor.open("/pit/log").await;
    visitor.sees(".log li").await;
    visitor.clicks(".log li:first-child summary").await;
    visitor.reads("lost the key").await;
    visitor.clicks("[data-do=books]").await;
    visitor.reads("Every balance is the sum of what moved").await;
    chooses(&visitor, "select[name=stream]", "Table").await;
    visitor.wait("location.search.includes('table')").await;
    // What tells cards is sealed, to the house's own people too.
    visitor.sees(".log [data-kind=dealt]").await;
    visitor
        .eval("document.querySelector('[data-kind=dealt]').closest('details').open = true")
        .await;
    visitor.reads("Sealed: it tells cards.").await;
    visitor.is_accessible().await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pit_fits_every_screen() {
    let house = house(55).await;
    let (other, operator) = (operator(&house).await, operator(&house).await);
    let player = registered(&house);
    let shift = json!({"standing": "gaming-shift-manager", "why": "runs the night from now on"});
    on(&house, &other, &player, "standing", &shift);
    for rules in ["mbs-2020", "cardroom"] {
        let table = table(&house, &player, rules);
        plays(&house, &player, table, 2).await;
    }
    let table = table(&house, &player, "commission-free");
    plays(&house, &player, table, 1).await;
    let setting = |view: &Value| view["phase"]["name"] == "setting";
    let _live = plays_until(&house, &player, table, setting).await;
    let at_table = format!("/pit/tables/{table}");
    for size in SIZES {
        for scheme in [Scheme::Light, Scheme::Dark] {
            let visitor = Visitor::at(&house, "/", size, scheme).await;
            logs_in(&visitor, &operator).await;
            for (name, path, there) in [
                ("pit-tables", "/pit", "[data-table]"),
                ("pit-table", &at_table[..], ".board-seat"),
                ("pit-rounds", "/pit/rounds", ".rounds li"),
                ("pit-report", "/pit/report", "[data-line]"),
                ("pit-log", "/pit/log", ".log li"),
                ("pit-people", "/pit/people", "[data-proposal]"),
            ] {
                visitor.open(path).await;
                visitor.sees(there).await;
                fits(&visitor).await;
                visitor.is_accessible().await;
                visitor.shot(&format!("{name}-{}-{scheme:?}", size.0).to_lowercase()).await;
            }
            visitor.leaves();
        }
    }
}
