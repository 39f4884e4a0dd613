//! Lobby and table on a phone, a tablet and a laptop, by day and by night: nothing sticks out, and
//! axe-core finds nothing serious.

use houseway_browser::Browser;

use crate::felt::{SIZES, Scheme, Visitor, house};

async fn looks_right(visitor: &Visitor, name: &str) {
    let fits = visitor.eval("document.documentElement.scrollWidth <= window.innerWidth").await;
    if fits != true {
        let out = "[...document.querySelectorAll('main *')].filter(it => \
                   it.getBoundingClientRect().right > window.innerWidth).map(it => it.outerHTML.slice(0, 80))";
        panic!("{name} is wider than its window: {}", visitor.eval(out).await);
    }
    visitor.is_accessible().await;
    visitor.shot(name).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lobby_and_table_look_right_everywhere() {
    let browser = Browser::launch().await.expect("a browser");
    for scheme in [Scheme::Light, Scheme::Dark] {
        for size in SIZES {
            let house = house(7).await;
            let name = |what: &str| format!("{what}-{}-{scheme:?}", size.0).to_lowercase();
            let visitor = Visitor::with(&browser, &house, "/", size, scheme).await;
            visitor.sees(".house").await;
            looks_right(&visitor, &name("lobby")).await;
            visitor.clicks("#play-now").await;
            visitor.comes_to_bets().await;
            looks_right(&visitor, &name("betting")).await;
            visitor.is_dealt().await;
            looks_right(&visitor, &name("setting")).await;
            visitor.lays_a_foul_out().await;
            looks_right(&visitor, &name("foul")).await;
            visitor.clicks("#house-way").await;
            visitor.misses(".foul-warning").await;
            looks_right(&visitor, &name("set")).await;
            visitor.clicks("#lay-down").await;
            visitor.sees_results().await;
            visitor.sees(".coach").await;
            looks_right(&visitor, &name("results")).await;
            visitor.leaves();
        }
    }
}
