//! Look up, odds, trainer and rules: what a visitor reads there is what the house says.

use houseway_browser::Browser;
use houseway_server::config::Config;
use serde_json::{Value, json};

use crate::common::OpenHouse;
use crate::common::http::{done, send};
use crate::felt::{SIZES, Scheme, Visitor, config, house};

const HOUSES: [&str; 5] = ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"];

fn ask(house: &OpenHouse, at: &str) -> Value {
    done("GET", &format!("{}{at}", house.url), None, &Value::Null)
}

fn told(house: &OpenHouse, at: &str, body: &Value) -> Value {
    done("POST", &format!("{}{at}", house.url), None, body)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

fn cards(value: &Value) -> String {
    list(value).iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Seven cards that the houses set in several ways.
const HAND: &str = "Kc Kh 5s 5h Ac 6d 4s";

async fn types(visitor: &Visitor, what: &str) {
    visitor.sees(".typed input").await;
    visitor
        .eval("(it => { it.focus(); it.select(); })(document.querySelector('.typed input'))")
        .await;
    visitor.page.type_text(what).await.expect("typed");
}

#[tokio::test(flavor = "multi_thread")]
async fn seven_typed_cards_are_looked_up_in_five_houses() {
    let house = house(21).await;
    let visitor = Visitor::to(&house, "/look-up").await;
    types(&visitor, "KC kh, 5♠ 5h Ac 6d 4s").await;
    visitor.sees(".house-set").await;
    let asked: Vec<&str> = HAND.split(' ').collect();
    for rules in HOUSES {
        let body = json!({"rules": rules, "cards": asked});
        let set = told(&house, "/api/set", &body);
        let at = format!(".house-set[data-house='{rules}']");
        let low = visitor.eval(&format!("document.querySelector(\"{at}\").dataset.low")).await;
        assert_eq!(text(&low), cards(&set["setting"]["low"]), "{rules}");
        let shown = visitor.text(&at).await;
        for said in [&set["clause"], &set["why"], &set["setting"]["low-is"]] {
            assert!(shown.contains(text(said)), "{rules}: {shown}");
        }
    }
    // The exact value of the best setting, and which is the House Way.
    let advice = told(&house, "/api/advise", &json!({"rules": "mbs-2016", "cards": asked}));
    visitor.sees(".value").await;
    let best = &advice["settings"][0];
    let low = visitor.eval("document.querySelector('.value').dataset.low").await;
    assert_eq!(text(&low), cards(&best["setting"]["low"]));
    let value = best["value"].as_f64().expect("a value") * 100.0;
    let worth = visitor.text(".value .value-worth").await;
    assert!(worth.contains(&format!("{value:.3}")), "{worth} and {value}");
    let counts = visitor.eval("document.querySelector('.value-odds').title").await;
    let digits: String = text(&counts).chars().filter(char::is_ascii_digit).collect();
    assert_eq!(digits, format!("{}{}{}", best["win"], best["push"], best["lose"]));
    assert_eq!(visitor.count(".mark-house").await, 1);
    // The address is the hand: whoever opens it sees the same.
    // A browser without a screen has no clipboard.
    let noted = "navigator.clipboard.writeText = async text => { window.copied = text; }; true";
    visitor.eval(noted).await;
    visitor.clicks(".look-up-acts button:last-child").await;
    visitor.reads("The link is copied.").await;
    assert_eq!(visitor.eval("copied === location.href").await, true);
    let address = visitor.eval("location.pathname + location.search").await;
    let other = Visitor::to(&house, text(&address)).await;
    other.sees(".house-set").await;
    let shown = "[...document.querySelectorAll('.house-set')].map(it => it.innerText).join()";
    assert_eq!(other.eval(shown).await, visitor.eval(shown).await);
    other.leaves();
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_are_tapped_and_reached_by_keyboard() {
    let house = house(22).await;
    let visitor = Visitor::to(&house, "/look-up").await;
    for card in HAND.split(' ').take(5) {
        visitor.clicks(&format!("[data-pick='{card}']")).await;
    }
    visitor.reads("5 cards, 2 to go.").await;
    // From the king of clubs down the row to the queen, and past the ends to the joker.
    visitor.eval("document.querySelector('[data-pick=Kc]').focus()").await;
    visitor.presses("ArrowRight").await;
    visitor.presses(" ").await;
    for _ in 0..2 {
        visitor.presses("ArrowDown").await;
    }
    visitor.presses("Enter").await;
    visitor.sees(".house-set").await;
    let query = visitor.eval("location.search").await;
    assert_eq!(query, "?cards=Kc-Kh-5s-5h-Ac-Qc-Jk");
    // An eighth does nothing; one can be taken away.
    visitor.clicks("[data-pick='2d']").await;
    assert_eq!(visitor.eval("location.search").await, query);
    visitor.clicks(".chosen-card").await;
    visitor.misses(".house-set").await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_hand_is_named() {
    let house = house(23).await;
    let visitor = Visitor::to(&house, "/look-up").await;
    for (typed, says) in [
        ("Kc Kh 5x", "“5x” is no card."),
        ("Kc Kh Kc", "The king of clubs is there twice."),
        ("2c 3c 4c 5c 6c 7c 8c 9c", "8 cards: a hand has seven. Take 1 away."),
    ] {
        types(&visitor, typed).await;
        visitor.reads(says).await;
    }
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn odds_are_the_counted_ones() {
    let house = house(24).await;
    let visitor = Visitor::to(&house, "/odds").await;
    visitor.sees(".compared").await;
    // A published figure: both sides by the House Way of this house.
    let game = visitor.text(".game[data-who='house-way']").await;
    assert!(game.contains("2.7242%") && game.contains("2,360,824,514,148,580"), "{game}");
    for rules in HOUSES {
        let odds = ask(&house, &format!("/api/odds/{rules}"));
        visitor.clicks(&format!(".choose-house input[value='{rules}']")).await;
        let edge = odds["fortune"]["edge"].as_f64().expect("an edge") * 100.0;
        visitor.reads(&format!("The house keeps {edge:.4}% of each dollar")).await;
        assert_eq!(visitor.eval("location.search").await, format!("?rules={rules}"));
        for line in list(&odds["fortune"]["lines"]) {
            let row = visitor.text(&format!("tr[data-hand='{}']", text(&line["hand"]))).await;
            let digits: String = row.chars().filter(|it| *it != ',').collect();
            assert!(digits.contains(&line["hands"].to_string()), "{row} and {line}");
            assert!(digits.contains(&format!("{} to 1", line["pays"])), "{row} and {line}");
        }
        let tiger = visitor.count("#tiger").await == 1;
        assert_eq!(tiger, !odds["tiger"].is_null(), "{rules}");
        let others = list_or_none(&odds["envy"]["by-others"]);
        assert_eq!(visitor.count(".plot-figure").await, others, "{rules}: a bar a table size");
        assert_eq!(visitor.count(".by-row tbody tr").await, list_or_none(&odds["rows"]));
        let chances = list(&odds["session"]).iter().map(|it| it["chance"].as_f64().expect("one"));
        assert!((chances.sum::<f64>() - 1.0).abs() < 1e-9, "{rules}: some result comes");
    }
    let tree = visitor.page.tree().await.expect("a tree");
    let plot = "How likely each result of a hundred rounds is";
    assert!(tree.iter().any(|(_, name)| name == plot), "the plot has a name");
    visitor.leaves();
}

fn list_or_none(value: &Value) -> u64 {
    value.as_array().map_or(0, |it| it.len() as u64)
}

/// The question that is on the page, as the house told it.
async fn question(visitor: &Visitor) -> Value {
    visitor.sees(".question-hand").await;
    let script = "fetch(performance.getEntriesByType('resource').filter(it => it.name.includes('/api/drill')).at(-1).name)\
        .then(it => it.json())";
    visitor.eval(script).await
}

async fn lays(visitor: &Visitor, low: &Value) {
    for card in list(low) {
        visitor.clicks(&format!(".lay-card[data-card='{}']", text(card))).await;
    }
    visitor.clicks(".lay-acts .first").await;
}

fn setting(drill: &Value, right: bool) -> &Value {
    let found = list(&drill["settings"]).iter().find(|it| it["right"] == right);
    &found.unwrap_or_else(|| panic!("none is {right}: {drill}"))["setting"]["low"]
}

async fn run(visitor: &Visitor) -> (String, String) {
    let figure = async |at: u8| visitor.text(&format!(".run > :nth-child({at}) dd")).await;
    (figure(1).await, figure(3).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_set_the_house_way_and_streaks_are_kept() {
    let house = house(25).await;
    let visitor = Visitor::to(&house, "/trainer?rules=catfish-bend&kind=set").await;
    for streak in 1..=3 {
        let drill = question(&visitor).await;
        lays(&visitor, setting(&drill, true)).await;
        visitor.sees(".verdict-right").await;
        assert!(visitor.text(".told-why").await.contains(text(&drill["row"]["id"])));
        assert_eq!(run(&visitor).await, (streak.to_string(), streak.to_string()));
        // The focus is on what goes on.
        visitor.wait("document.activeElement.matches('.next')").await;
        visitor.presses("Enter").await;
        visitor.misses(".verdict").await;
        visitor.wait("document.activeElement.matches('.ask')").await;
    }
    // A wrong one ends the streak and is a weak spot, which can be practised.
    let drill = question(&visitor).await;
    let another = list(&drill["settings"]).iter().find(|it| it["right"] == false);
    match another {
        Some(it) => lays(&visitor, &it["setting"]["low"]).await,
        None => visitor.clicks(".question-acts button").await,
    }
    visitor.sees(".verdict-wrong, .verdict-shown").await;
    assert_eq!(run(&visitor).await, ("0".into(), "4".into()));
    let weak = visitor.text(".weak li").await;
    assert!(weak.contains(text(&drill["row"]["about"])), "{weak}");
    visitor.clicks(".weak button").await;
    visitor.sees(".practising").await;
    let practised = question(&visitor).await;
    assert_eq!(practised["row"], drill["row"]);
    assert_ne!(practised["cards"], drill["cards"]);
    // It is all there again the next time.
    visitor.open("/trainer?rules=catfish-bend&kind=set").await;
    visitor.sees(".weak li").await;
    assert_eq!(run(&visitor).await.1, "4");
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn clauses_the_best_and_two_houses_are_asked_about() {
    let house = house(26).await;
    let visitor = Visitor::to(&house, "/trainer?rules=mbs-2020&kind=clause").await;
    let drill = question(&visitor).await;
    assert_eq!(visitor.count(".row-choice").await, 4);
    visitor.clicks(&format!(".row-choice[data-place='{}']", drill["row"]["place"])).await;
    visitor.sees(".verdict-right").await;

    visitor.clicks("input[name=kind][value=best]").await;
    visitor.sees(".lay-card").await;
    let drill = question(&visitor).await;
    assert_eq!(drill["kind"], "best");
    lays(&visitor, setting(&drill, true)).await;
    visitor.sees(".verdict-right").await;

    visitor.clicks("input[name=kind][value=houses]").await;
    visitor.sees(".setting-choice").await;
    let drill = question(&visitor).await;
    let right = list(&drill["settings"]).iter().position(|it| it["right"] == true);
    let nth = right.expect("one is right") + 1;
    visitor.clicks(&format!(".setting-choice:nth-child({nth})")).await;
    visitor.sees(".verdict-right").await;
    let parted = ask(&house, "/api/partings?rules=mbs-2020&other=cardroom");
    let first = visitor.text(".partings li").await;
    assert!(first.contains(text(&parted["by-rows"][0]["other-row"]["says"])), "{first}");
    // Two editions of one House Way have nothing to ask about.
    visitor.open("/trainer?rules=mbs-2020&kind=houses&other=mbs-2016").await;
    visitor.reads("These two houses set every hand alike.").await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foul_is_called_one() {
    let house = house(27).await;
    let visitor = Visitor::to(&house, "/trainer?rules=mbs-2020&kind=set").await;
    // A setting that is not among the legal ones fouls; not every hand has one.
    for _ in 0..20 {
        let drill = question(&visitor).await;
        let dealt: Vec<&str> = list(&drill["cards"]).iter().map(text).collect();
        let legal: Vec<String> =
            list(&drill["settings"]).iter().map(|it| cards(&it["setting"]["low"])).collect();
        let pairs = (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b)));
        let mut pairs = pairs.map(|(a, b)| [dealt[a], dealt[b]]);
        let foul = pairs.find(|[a, b]| {
            !legal.contains(&format!("{a} {b}")) && !legal.contains(&format!("{b} {a}"))
        });
        if let Some(low) = foul {
            lays(&visitor, &json!(low)).await;
            visitor.reads("That would be a foul").await;
            return visitor.leaves();
        }
        visitor.clicks(".question-acts button").await;
        visitor.clicks(".next").await;
        visitor.misses(".verdict").await;
    }
    panic!("twenty hands without a foul");
}

#[test]
fn nonsense_is_no_drill() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let house = runtime.block_on(house(28));
    for (asked, status) in [
        ("rules=nowhere&kind=set&seed=1", 404),
        ("rules=mbs-2020&kind=riddle&seed=1", 400),
        ("rules=mbs-2020&kind=set", 400),
        ("rules=mbs-2020&kind=set&seed=-1", 400),
        ("rules=mbs-2020&kind=set&seed=1&row=99", 422),
        ("rules=mbs-2020&kind=set&seed=1&other=cardroom", 422),
        ("rules=mbs-2020&kind=houses&seed=1", 422),
        ("rules=mbs-2020&kind=houses&seed=1&other=mbs-2016", 422),
        ("rules=mbs-2020&kind=set&seed=18446744073709551615", 200),
    ] {
        let answer = send("GET", &format!("{}/api/drill?{asked}", house.url), None, None);
        assert_eq!(answer.status, status, "{asked}");
    }
    let at = "/api/drill?rules=cardroom&kind=clause&seed=5";
    assert_eq!(ask(&house, at), ask(&house, at), "the same is answered with the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_read_before_any_wager() {
    let house = house(29).await;
    let visitor = Visitor::to(&house, "/rules").await;
    visitor.sees(".differences tbody tr").await;
    assert_eq!(visitor.count(".steps > li").await, 5);
    assert_eq!(visitor.count(".rule-houses > li").await, 5);
    for rules in HOUSES {
        let said = ask(&house, &format!("/api/rules/{rules}"));
        visitor.open(&format!("/rules/{rules}")).await;
        visitor.sees(".house-way li").await;
        let shown = text(&visitor.eval("document.body.textContent").await).to_string();
        for clause in list(&said["clauses"]) {
            assert!(shown.contains(text(&clause["says"])), "{rules}: {clause}");
        }
        for choice in list(&said["choices"]).iter().filter(|it| it["part"] != "pay-table") {
            assert!(shown.contains(text(&choice["is"])), "{rules}: {choice}");
        }
        for line in list(&said["fortune"]) {
            let pays = line["pays"].as_u64().expect("a number");
            let pays = if pays < 1000 {
                pays.to_string()
            } else {
                format!("{},{:03}", pays / 1000, pays % 1000)
            };
            assert!(shown.contains(&format!("{pays} to 1")), "{rules}: {line}");
        }
        let sheet = ask(&house, &format!("/api/rules/{rules}/house-way"));
        assert_eq!(visitor.count(".house-way > li").await, list_or_none(&sheet["rows"]));
        let hands = list(&sheet["rows"]).iter().map(|it| it["hands"].as_u64().expect("a count"));
        assert_eq!(hands.sum::<u64>(), 154_143_080, "{rules}: every hand is set once");
    }
    visitor.open("/rules/nowhere").await;
    visitor.reads("There is no such house.").await;
    visitor.leaves();
}

/// Whatever can be done with the five can be done with a rulebook that the operator brought.
#[tokio::test(flavor = "multi_thread")]
async fn the_operators_own_rulebook_is_looked_up_trained_and_played() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/foxwoods.toml");
    let config = Config { rulebooks: vec![file.into()], ..config() };
    let house = OpenHouse::run_so(20, config).await;
    let look_up = format!("/look-up?cards={}", HAND.replace(' ', "-"));
    let visitor = Visitor::to(&house, &look_up).await;
    visitor.sees(".house-set[data-house='foxwoods']").await;
    assert_eq!(visitor.count(".house-set").await, 6);
    for (kind, there) in [("set", ".lay-card"), ("clause", ".row-choice"), ("best", ".lay-card")] {
        visitor.open(&format!("/trainer?rules=foxwoods&kind={kind}")).await;
        visitor.sees(there).await;
        visitor.clicks(".question-acts button").await;
        visitor.sees(".verdict").await;
    }
    visitor.open("/odds?rules=foxwoods").await;
    visitor.reads("Not counted for this house").await;
    visitor.sees("#fortune").await;
    visitor.open("/rules/foxwoods").await;
    visitor.sees(".house-way li").await;
    visitor.open("/").await;
    visitor.clicks("input[value='foxwoods']").await;
    visitor.clicks("#play-now").await;
    visitor.is_dealt().await;
    // The House Way is shown before it is laid down, as everywhere.
    visitor.clicks("#house-way").await;
    visitor.sees(".told").await;
    visitor.clicks("#lay-down").await;
    visitor.sees_results().await;
    visitor.leaves();
}

/// Every page at every size and in both colours: nothing is cut off, axe-core is content.
#[tokio::test(flavor = "multi_thread")]
async fn pages_fit_every_screen() {
    let house = house(30).await;
    let browser = Browser::launch().await.expect("a browser");
    let look_up = format!("/look-up?cards={}", HAND.replace(' ', "-"));
    let pages = [
        ("look-up", look_up.as_str(), ".value"),
        ("odds", "/odds?rules=catfish-bend", ".compared"),
        ("trainer", "/trainer?rules=mbs-2020&kind=set", ".lay-card"),
        ("trainer-clause", "/trainer?rules=cardroom&kind=clause", ".row-choice"),
        ("trainer-best", "/trainer?rules=commission-free&kind=best", ".lay-card"),
        ("trainer-houses", "/trainer?rules=mbs-2020&kind=houses&other=cardroom", ".partings li"),
        ("rules", "/rules", ".differences"),
        ("rules-house", "/rules/commission-free", ".house-way li"),
    ];
    for size in SIZES {
        for scheme in [Scheme::Light, Scheme::Dark] {
            let visitor = Visitor::with(&browser, &house, "/look-up", size, scheme).await;
            for (name, path, shows) in pages {
                visitor.open(path).await;
                visitor.sees(shows).await;
                if name.starts_with("trainer") {
                    visitor.sees(".question-acts button").await;
                    visitor.clicks(".question-acts button").await;
                    visitor.sees(".verdict").await;
                }
                let wide = "(it => it.scrollWidth - it.clientWidth)(document.documentElement)";
                assert_eq!(visitor.eval(wide).await, 0, "{name} is wider than {size:?}");
                // A tablet shows what a laptop does, in the same colours.
                if size != SIZES[1] {
                    visitor.is_accessible().await;
                }
                visitor.shot(&format!("{name}-{}-{scheme:?}", size.0).to_lowercase()).await;
            }
            visitor.leaves();
        }
    }
}
