//! Someone in front of a browser: what they see, click, press and drag.
#![allow(dead_code, reason = "each part uses its own of it")]

use std::path::PathBuf;

use base64::Engine as _;
use houseway_browser::{Browser, Page};
use houseway_server::config::Config;
use serde_json::{Value, json};

use crate::common::OpenHouse;

/// Colours that a browser asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

/// The sizes that everything must work at: a phone, a tablet, a laptop.
pub(crate) const SIZES: [(u32, u32); 3] = [(360, 740), (768, 1024), (1440, 900)];

/// A house for browsers, from a seed. `HOUSEWAY_WEB` names a folder to take the files from instead
/// of what is built in, so that they can be worked on without building anew.
pub(crate) async fn house(seed: u64) -> OpenHouse {
    OpenHouse::run_so(seed, config()).await
}

/// How such a house is run.
pub(crate) fn config() -> Config {
    Config { web: std::env::var_os("HOUSEWAY_WEB").map(PathBuf::from), ..Config::default() }
}

/// A browser with a page of the table.
pub(crate) struct Visitor {
    pub(crate) page: Page,
    url: String,
    size: (u32, u32),
    // It ends with the visitor, unless it is another's.
    browser: Option<Browser>,
}

impl Visitor {
    /// Comes to a page of a house with a laptop.
    pub(crate) async fn to(house: &OpenHouse, path: &str) -> Visitor {
        Visitor::at(house, path, (1440, 900), Scheme::Light).await
    }

    /// Comes with a screen of that size and colours.
    pub(crate) async fn at(
        house: &OpenHouse,
        path: &str,
        size: (u32, u32),
        scheme: Scheme,
    ) -> Visitor {
        let browser = Browser::launch().await.expect("a browser");
        let mut visitor = Visitor::with(&browser, house, path, size, scheme).await;
        visitor.browser = Some(browser);
        visitor
    }

    /// Comes with a page of its own in a browser that is there already.
    pub(crate) async fn with(
        browser: &Browser,
        house: &OpenHouse,
        path: &str,
        size: (u32, u32),
        scheme: Scheme,
    ) -> Visitor {
        Visitor::by(browser, &house.url, path, size, scheme).await
    }

    /// Comes by an address that leads to a house.
    pub(crate) async fn by(
        browser: &Browser,
        url: &str,
        path: &str,
        size: (u32, u32),
        scheme: Scheme,
    ) -> Visitor {
        let page = browser.page("about:blank", size.0, size.1).await.expect("a page");
        let colours = if scheme == Scheme::Dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": colours}]);
        page.call("Emulation.setEmulatedMedia", json!({"features": features}))
            .await
            .expect("colours");
        page.call("Emulation.setScrollbarsHidden", json!({"hidden": true})).await.expect("no bars");
        page.call("Network.enable", json!({})).await.expect("the network is heard");
        let visitor = Visitor { page, url: url.to_string(), size, browser: None };
        visitor.open(path).await;
        visitor
    }

    /// Opens another page by its address.
    pub(crate) async fn open(&self, path: &str) {
        self.page.open(&format!("{}{path}", self.url)).await.expect("it opens");
        self.sees("main *").await;
    }

    /// Waits until something is there that a selector finds.
    pub(crate) async fn sees(&self, selector: &str) {
        let script = format!("!!document.querySelector({})", Value::from(selector));
        self.wait(&script).await;
    }

    /// Waits until nothing is there that a selector finds.
    pub(crate) async fn misses(&self, selector: &str) {
        self.wait(&format!("!document.querySelector({})", Value::from(selector))).await;
    }

    /// Waits until the page says something, wherever.
    pub(crate) async fn reads(&self, text: &str) {
        self.wait(&format!("document.body.innerText.includes({})", Value::from(text))).await;
    }

    /// Waits until an expression is true.
    pub(crate) async fn wait(&self, script: &str) {
        if let Err(error) = self.page.wait(script).await {
            let text = self.page.eval("document.body.innerText").await.unwrap_or_default();
            let focus = self.page.eval("document.activeElement?.outerHTML.slice(0, 200)").await;
            panic!("{error}\n{text}\nfocus: {}", focus.unwrap_or_default());
        }
    }

    /// The value of an expression.
    pub(crate) async fn eval(&self, script: &str) -> Value {
        self.page.eval(script).await.expect("a value")
    }

    /// The text of the first element that a selector finds.
    pub(crate) async fn text(&self, selector: &str) -> String {
        self.sees(selector).await;
        let script = format!("document.querySelector({}).innerText", Value::from(selector));
        self.eval(&script).await.as_str().unwrap_or_default().to_string()
    }

    /// How many elements a selector finds.
    pub(crate) async fn count(&self, selector: &str) -> u64 {
        let script = format!("document.querySelectorAll({}).length", Value::from(selector));
        self.eval(&script).await.as_u64().unwrap_or_default()
    }

    /// Waits for something that is there, can be pressed and does not move.
    async fn can_press(&self, selector: &str) {
        let script = format!(
            "(find => {{ const place = () => JSON.stringify(find()?.getBoundingClientRect()); \
             const was = place(); return new Promise(done => setTimeout(() => {{ const it = find(); \
             done(!!it && !it.disabled && it.getClientRects().length > 0 && \
             it.getAnimations().length === 0 && place() === was); }}, 50)); \
             }})(() => document.querySelector({}))",
            Value::from(selector)
        );
        self.wait(&script).await;
    }

    /// Clicks on something.
    pub(crate) async fn clicks(&self, selector: &str) {
        self.can_press(selector).await;
        self.page.click(selector).await.expect("a click");
    }

    /// Touches something with a finger.
    pub(crate) async fn touches(&self, selector: &str) {
        self.can_press(selector).await;
        self.page.touch(selector).await.expect("a touch");
    }

    /// Presses a key.
    pub(crate) async fn presses(&self, key: &str) {
        self.page.press(key).await.expect("a key");
    }

    /// Drags one element onto another.
    pub(crate) async fn drags(&self, from: &str, to: &str) {
        self.can_press(from).await;
        self.sees(to).await;
        let (from, to) = (self.page.middle(from).await, self.page.middle(to).await);
        self.page.drag(from.expect("a place"), to.expect("a place")).await.expect("a drag");
    }

    /// Gets to where wagers are placed; a bank that is offered is passed on.
    pub(crate) async fn comes_to_bets(&self) {
        loop {
            self.wait("!!document.querySelector('#deal, #decline-bank')").await;
            if self.count("#decline-bank").await == 0 {
                return;
            }
            // The offer may have gone to another meanwhile.
            let _ = self.page.click("#decline-bank").await;
            self.misses("#decline-bank:not(:disabled)").await;
        }
    }

    /// Places what is proposed and waits for cards.
    pub(crate) async fn is_dealt(&self) {
        self.comes_to_bets().await;
        self.clicks("#deal").await;
        self.sees(".setting").await;
    }

    /// From the deal to the results, with the House Way.
    pub(crate) async fn plays_a_round(&self) {
        self.is_dealt().await;
        self.clicks("#house-way").await;
        self.wait("!document.querySelector('.setting') || document.querySelectorAll('.zone.low .playing').length === 2")
            .await;
        if self.count(".setting").await > 0 {
            self.clicks("#lay-down").await;
        }
        self.sees_results().await;
    }

    /// Waits for the results; nothing is conceded on the way.
    pub(crate) async fn sees_results(&self) {
        self.wait("!!document.querySelector('#play-out, .results')").await;
        if self.count("#play-out").await > 0 {
            self.page.click("#play-out").await.expect("a click");
        }
        self.sees(".results").await;
    }

    /// Puts two cards Low that are a foul, whichever two are.
    pub(crate) async fn lays_a_foul_out(&self) {
        let cards = self
            .eval("[...document.querySelectorAll('.playing')].map(it => it.dataset.card)")
            .await;
        let cards: Vec<&str> =
            cards.as_array().expect("cards").iter().filter_map(Value::as_str).collect();
        for (at, one) in cards.iter().enumerate() {
            for other in &cards[at + 1..] {
                self.clicks(&card(one)).await;
                self.clicks(&card(other)).await;
                self.wait("document.querySelectorAll('.zone.low .playing').length === 2").await;
                if self.count(".foul-warning").await > 0 {
                    return;
                }
                for _ in 0..2 {
                    self.clicks("#undo").await;
                }
            }
        }
        panic!("no two of {cards:?} are a foul");
    }

    /// Makes the window as high as that.
    async fn resized(&self, height: u64) {
        let size = json!({"width": self.size.0, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.page.call("Emulation.setDeviceMetricsOverride", size).await.expect("a size");
    }

    /// Keeps a picture of the whole page, where `HOUSEWAY_SHOTS` names a folder for them.
    pub(crate) async fn shot(&self, name: &str) {
        let Some(folder) = std::env::var_os("HOUSEWAY_SHOTS").map(PathBuf::from) else { return };
        let whole = self.eval("document.documentElement.scrollHeight").await;
        self.resized(whole.as_u64().unwrap_or_default()).await;
        // What moves comes to rest.
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
        let shot = self.page.screenshot().await.expect("a picture");
        self.resized(u64::from(self.size.1)).await;
        let bytes = base64::prelude::BASE64_STANDARD.decode(shot);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(format!("{name}.png")), bytes.expect("base 64")).expect("kept");
    }

    /// What axe-core finds wrong with the page, of what is serious or critical: nothing.
    pub(crate) async fn is_accessible(&self) {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../web/node_modules/axe-core/axe.min.js");
        let axe = std::fs::read_to_string(&path)
            .expect("axe-core is not there: `cargo xtask web` fetches it");
        self.eval(&format!("{axe}; true")).await;
        let script = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations\
            .filter(it => ['serious', 'critical'].includes(it.impact))\
            .map(it => it.id + ': ' + it.nodes.map(node => node.html + ' ' + node.failureSummary)\
            .join('; ')))";
        let found = self.eval(script).await;
        assert_eq!(found, json!([]), "axe-core finds serious faults");
    }

    /// The texts that came over the page's socket.
    pub(crate) fn frames(&self) -> Vec<String> {
        self.page.frames()
    }

    /// Goes home. Nothing must have gone wrong in the page until now.
    pub(crate) fn leaves(self) {
        assert_eq!(self.page.problems(), Vec::<String>::new(), "the page complains");
    }
}

/// A card that can be moved.
pub(crate) fn card(card: &str) -> String {
    format!(".playing[data-card=\"{card}\"]")
}
