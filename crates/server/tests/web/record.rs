//! Rounds that are over: found, seen again step by step, and proved.

use serde_json::{Value, json};

use crate::common::OpenHouse;
use crate::common::cast::{Known, PASSWORD, registered};
use crate::common::http::{done, send};
use crate::common::live::{Live, next_command};
use crate::felt::{SIZES, Scheme, Visitor, house};

/// Opens a table with bots, where no round begins before its player is ready.
pub(crate) fn table(house: &OpenHouse, known: &Known, rules: &str) -> u64 {
    let wish = json!({"rules": rules, "bots": 3, "name": "Lantern", "results": 300_000});
    let opened = done("POST", &format!("{}/api/tables", house.url), Some(&known.token), &wish);
    opened["table"].as_u64().expect("a number")
}

/// Sits down and plays so many rounds to the end.
pub(crate) async fn plays(house: &OpenHouse, known: &Known, table: u64, rounds: u64) {
    plays_until(house, known, table, |view| view["last"]["round"].as_u64() >= Some(rounds)).await;
}

/// Sits down and plays until the table is like that.
pub(crate) async fn plays_until(
    house: &OpenHouse,
    known: &Known,
    table: u64,
    like_that: impl Fn(&Value) -> bool,
) -> Live {
    let mut live = Live::connect(house, Some(&known.token)).await;
    live.say(json!({"type": "watch", "table": table})).await;
    let mut update = live.hear_a("table").await;
    let mut spoke = 0;
    while !like_that(&update["view"]) {
        let round = update["view"]["round"].as_u64().unwrap_or_default();
        match next_command(&update, known.person, spoke == round) {
            Some(command) => {
                if command["do"] == "say" {
                    spoke = round;
                }
                let answer = live.command(table, &command).await;
                update = live.table_at(answer["version"].as_u64().expect("a version")).await;
            }
            None => update = live.hear_a("table").await,
        }
    }
    live
}

/// Fills in a form for a name and a password.
pub(crate) async fn gives(visitor: &Visitor, form: &str, name: &str, password: &str) {
    writes(visitor, &format!("form[name={form}] input[name=name]"), name).await;
    writes(visitor, &format!("form[name={form}] input[name=password]"), password).await;
    visitor.presses("Enter").await;
}

/// Comes in by the form.
pub(crate) async fn logs_in(visitor: &Visitor, known: &Known) {
    visitor.open("/account").await;
    gives(visitor, "login", &known.name, PASSWORD).await;
    visitor.reads(&format!("Welcome, {}", known.name)).await;
}

/// Writes something into a field in place of what is there.
pub(crate) async fn writes(visitor: &Visitor, selector: &str, text: &str) {
    visitor.clicks(selector).await;
    visitor.eval("document.activeElement.select()").await;
    visitor.page.type_text(text).await.expect("typed");
}

/// The page complains of nothing but requests that the house refused in these ways.
pub(crate) fn was_only_refused(visitor: &Visitor, statuses: &[u16]) {
    for problem in visitor.page.problems() {
        let refused = |status: &u16| problem.contains(&format!("a status of {status} "));
        assert!(statuses.iter().any(refused), "{problem}");
    }
}

/// Nothing stands out to the side.
pub(crate) async fn fits(visitor: &Visitor) {
    let wide = "(it => [it.scrollWidth, it.clientWidth])(document.documentElement)";
    let wide = visitor.eval(wide).await;
    assert_eq!(wide[0], wide[1], "the page is wider than the screen");
}

/// Watches a table, as the page of the table does.
async fn watches(visitor: &Visitor, table: u64) {
    let script = format!(
        "import('/app/socket.js').then(it => new Promise(done => it.watch({table}, done, done)))\
         .then(() => true)"
    );
    assert_eq!(visitor.eval(&script).await, true);
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_are_found_and_a_proof_holds_or_does_not() {
    let house = house(31).await;
    let known = registered(&house);
    let table = table(&house, &known, "mbs-2020");
    let visitor = Visitor::to(&house, "/history").await;
    visitor.reads("Log in to see yours").await;
    // Whoever logs in from there comes back.
    visitor.clicks(".nothing a").await;
    gives(&visitor, "login", &known.name, PASSWORD).await;
    visitor.reads("No rounds yet").await;
    watches(&visitor, table).await;
    for round in 1..=3 {
        let open = |view: &Value| view["round"] == round && view["phase"]["name"] == "betting";
        plays_until(&house, &known, table, open).await;
        // Nobody waits for those who only watch, and views that come too fast are left out for them.
        visitor.wait(&format!("localStorage['houseway-noted']?.includes('{table}/{round}')")).await;
        plays(&house, &known, table, round).await;
    }

    // Found, filtered, exported.
    visitor.open("/history").await;
    visitor.wait("document.querySelectorAll('.rounds li').length === 3").await;
    visitor.is_accessible().await;
    let filter = |status: &str| {
        format!(
            "(it => {{ it.value = '{status}'; it.dispatchEvent(new Event('change', {{bubbles: true}})); \
             return true; }})(document.querySelector('select[name=status]'))"
        )
    };
    visitor.eval(&filter("void")).await;
    visitor.reads("No round is like that").await;
    assert_eq!(visitor.eval("location.search").await, "?status=void");
    visitor.eval(&filter("settled")).await;
    visitor.wait("document.querySelectorAll('.rounds li').length === 3").await;
    for (path, lines) in [("/api/history.csv", 4), ("/api/history.jsonl", 3)] {
        let link = format!("a[href='{path}'][download]");
        visitor.sees(&link).await;
        let script = format!("fetch('{path}').then(it => it.text())");
        let text = visitor.eval(&script).await;
        assert!(text.as_str().expect("a text").lines().count() >= lines, "{text}");
    }

    // Seen again, with what the house says of it.
    visitor.clicks(".rounds li:last-child a").await;
    visitor.reads("Lantern · Round 1").await;
    let url = format!("{}/api/tables/{table}/rounds/1", house.url);
    let recall = done("GET", &url, Some(&known.token), &Value::Null);
    let steps = recall["steps"].as_array().expect("steps").len();
    visitor.reads(&format!("Step {steps} of {steps}")).await;
    assert_eq!(visitor.count(".replay-steps li").await, steps as u64 + 1);
    visitor.sees(".verdict.proved").await;
    visitor.reads("noted while bets were open").await;
    visitor.reads("The words that were said cut the deck").await;
    visitor.is_accessible().await;
    // Whoever noted another commitment finds out.
    let forged = "localStorage.setItem('houseway-noted', localStorage.getItem('houseway-noted')\
        .replaceAll(/\"[0-9a-f]{8}(?=[0-9a-f]{56}\")/g, '\"00000000')); true";
    visitor.eval(forged).await;
    visitor.open(&format!("/round/{table}/1")).await;
    visitor.sees(".verdict.not-proved").await;
    visitor.reads("not the one that was published before the first wager").await;
    visitor.leaves();
}

/// Once bets are closed the table says whose words cut the deck: as text, whatever was said.
#[tokio::test(flavor = "multi_thread")]
async fn ones_own_words_are_among_those_published() {
    let house = house(33).await;
    let known = registered(&house);
    let table = table(&house, &known, "mbs-2020");
    let seat = |view: &Value| {
        let seats = view["seats"].as_array().cloned().unwrap_or_default();
        seats.into_iter().find(|it| it["person"] == known.person).map(|it| it["position"].clone())
    };
    let betting = |view: &Value| view["phase"]["name"] == "betting" && seat(view).is_some();
    let mut live = plays_until(&house, &known, table, betting).await;
    let position = live.heard.iter().rev().find_map(|it| seat(&it["view"])).expect("a seat");
    let visitor = Visitor::to(&house, "/").await;
    logs_in(&visitor, &known).await;
    visitor.open(&format!("/table/{table}")).await;
    visitor.sees(".tray[data-phase=betting]").await;
    assert_eq!(visitor.count(".cut").await, 0, "bets are open");
    visitor.clicks(".say summary").await;
    visitor.clicks("#say").await;
    visitor.page.type_text("<b id=bold>eight</b>").await.expect("typed");
    visitor.is_accessible().await;
    visitor.clicks(".say button").await;
    visitor.reads("You: “<b id=bold>eight</b>”").await;
    let wager = json!({"do": "place", "position": position, "wager": "standard", "amount": 1_000});
    live.command(table, &wager).await;
    live.command(table, &json!({"do": "ready"})).await;
    visitor.reads("Your words cut the deck").await;
    visitor.clicks(".cut summary").await;
    visitor.reads("You: “<b id=bold>eight</b>”").await;
    assert_eq!(visitor.count("#bold").await, 0, "words are no HTML");
    let url = format!("{}/api/tables/{table}/view", house.url);
    let view = done("GET", &url, Some(&known.token), &Value::Null);
    visitor.reads(view["words"]["digest"].as_str().expect("it is published")).await;
    visitor.is_accessible().await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_is_stepped_through_by_keyboard() {
    let house = house(32).await;
    let known = registered(&house);
    let table = table(&house, &known, "commission-free");
    plays(&house, &known, table, 1).await;
    let visitor = Visitor::to(&house, "/").await;
    logs_in(&visitor, &known).await;
    visitor.open(&format!("/round/{table}/1")).await;
    visitor.sees(".replay-slider input").await;
    visitor.eval("document.querySelector('[data-do=first]').focus()").await;
    visitor.presses("Enter").await;
    visitor.reads("Step 0 of").await;
    visitor.eval("document.querySelector('.replay-slider input').focus()").await;
    visitor.reads("Before the round").await;
    assert_eq!(visitor.count(".board [data-card]").await, 0, "no card was dealt yet");
    // Every step shows what the house says could be seen then.
    let url = format!("{}/api/tables/{table}/rounds/1", house.url);
    let recall = done("GET", &url, Some(&known.token), &Value::Null);
    for (at, step) in recall["steps"].as_array().expect("steps").iter().enumerate() {
        visitor.presses("ArrowRight").await;
        visitor.reads(&format!("Step {} of", at + 1)).await;
        let mut shown: Vec<String> = cards(&step["view"], 1);
        shown.sort_unstable();
        let script = "[...document.querySelectorAll('.board [data-card]')].map(it => it.dataset.card)\
            .filter(Boolean).sort()";
        assert_eq!(visitor.eval(script).await, json!(shown), "step {}", at + 1);
    }
    // The statement tells each line's clause, one tap away.
    let own = "document.querySelectorAll('.statement li:not([data-fee])').length";
    let mine = recall["statement"].as_array().expect("lines").iter();
    let mine = mine.filter(|line| line["owner"]["person"] == known.person).count();
    assert_eq!(visitor.eval(own).await, mine);
    assert!(mine > 0);
    assert_eq!(visitor.count(".statement details[open]").await, 0);
    visitor.clicks(".statement summary").await;
    visitor.sees(".statement details[open] .clauses dd").await;
    visitor.clicks("input[name=whose][value=all] + span").await;
    let all = recall["statement"].as_array().map(Vec::len);
    visitor.wait(&format!("{own} === {}", all.unwrap_or_default())).await;
    // And what was collected before the cards were dealt.
    let taken = recall["steps"].as_array().expect("steps").iter().map(|it| &it["happened"]);
    let taken: Vec<_> =
        taken.filter(|it| it["event"] == "fee-taken").map(|it| &it["amount"]).collect();
    let shown =
        "[...document.querySelectorAll('.statement [data-fee]')].map(it => Number(it.dataset.fee))";
    assert_eq!(visitor.eval(shown).await, json!(taken));
    assert!(!taken.is_empty());
    visitor.leaves();
}

/// The cards that a view shows of a round.
fn cards(view: &Value, round: u64) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let over = view["last"]["round"] == round;
    let hands: Vec<Value> = if over {
        let past = &view["last"];
        let hands = list(&past["hands"]).into_iter().map(|it| it[1].clone());
        hands.chain([past["banker"].clone(), past["house"].clone()]).collect()
    } else {
        let hands = list(&view["seats"]).into_iter().map(|it| it["hand"].clone());
        hands.chain([view["banker"].clone(), view["house"].clone()]).collect()
    };
    let cards = hands
        .iter()
        .flat_map(|hand| ["dealt", "low", "high"].map(|part| list(&hand[part])).concat());
    cards.filter_map(|card| card.as_str().map(String::from)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_fits_every_screen() {
    let house = house(33).await;
    let known = registered(&house);
    for rules in ["mbs-2020", "cardroom"] {
        let table = table(&house, &known, rules);
        plays(&house, &known, table, 4).await;
    }
    let answer = send("GET", &format!("{}/api/history", house.url), Some(&known.token), None);
    let newest = &answer.json()["rounds"][1];
    let round = format!("/round/{}/{}", newest["table"], newest["round"]);
    for size in SIZES {
        for scheme in [Scheme::Light, Scheme::Dark] {
            let visitor = Visitor::at(&house, "/", size, scheme).await;
            logs_in(&visitor, &known).await;
            for (name, path, there) in
                [("history", "/history", ".rounds li"), ("round", &round[..], ".verdict.proved")]
            {
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
