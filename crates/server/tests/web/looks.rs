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

/// No row of things ends before the right edge of what they lie in.
async fn has_full_rows(visitor: &Visitor, within: &str, each: &str) {
    let script = format!(
        "(it => {{ const ends = {{}}; \
         for (const one of it.querySelectorAll('{each}')) {{ \
           const {{ top, right }} = one.getBoundingClientRect(); \
           ends[Math.round(top)] = Math.round(it.getBoundingClientRect().right - right); }} \
         return Object.values(ends); }})(document.querySelector('{within}'))"
    );
    let gaps = visitor.eval(&script).await;
    let gaps = gaps.as_array().expect("a number for each row");
    assert!(!gaps.is_empty() && gaps.iter().all(|it| it == 0), "{gaps:?}");
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
            has_full_rows(&visitor, ".houses", ".house").await;
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
