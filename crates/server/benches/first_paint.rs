//! How soon someone who opens the address sees the lobby and can press the button, on a processor
//! four times slower than this one, and what that takes over the wire.

#![expect(clippy::print_stdout, reason = "figures are what this is for")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::OpenHouse;
use houseway_browser::Browser;
use serde_json::{Value, json};

/// How much slower the browser's processor is made.
const SLOWER: u32 = 4;

/// Each time in a browser that has never been there.
const TIMES: usize = 7;

/// When something was first painted, when the largest part was, and when the button is there.
const PAINTED: &str = r"new Promise(done => {
  new PerformanceObserver(list => {
    const first = performance.getEntriesByName('first-contentful-paint')[0];
    const largest = list.getEntries().at(-1);
    if (first && document.querySelector('#play-now')) done([first.startTime, largest.startTime]);
  }).observe({ type: 'largest-contentful-paint', buffered: true });
})";

#[tokio::main]
async fn main() {
    let house = OpenHouse::open(1).await;
    let (mut first, mut largest, mut bytes) = (vec![], vec![], 0.0);
    for _ in 0..TIMES {
        let browser = Browser::launch().await.expect("a browser");
        let page = browser.page("about:blank", 1440, 900).await.expect("a page");
        page.call("Network.enable", json!({})).await.expect("requests are counted");
        let slower = json!({ "rate": SLOWER });
        page.call("Emulation.setCPUThrottlingRate", slower).await.expect("it is slower");
        page.open(&house.url).await.expect("the lobby");
        page.wait("document.querySelector('#play-now') !== null").await.expect("the button");
        let painted = page.eval(PAINTED).await.expect("it is painted");
        let at = |place: usize| painted[place].as_f64().unwrap_or_else(|| unread(&painted));
        first.push(at(0));
        largest.push(at(1));
        bytes = page.requests().iter().map(|it| it.1).sum();
    }
    let middle = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    println!("the lobby, processor {SLOWER} times slower, median of {TIMES} first visits");
    println!("  first contentful paint, ms    {:8.0}", middle(first));
    println!("  largest contentful paint, ms  {:8.0}", middle(largest));
    println!("  over the wire, KB             {:8.0}", bytes / 1e3);
}

fn unread(painted: &Value) -> f64 {
    panic!("the browser says {painted}")
}
