//! What is served: the files, the pages, and nothing from elsewhere.

use houseway_browser::Browser;

use crate::common::http::send;
use crate::felt::{SIZES, Scheme, Visitor, house};
use crate::record::was_only_refused;

/// Pages by their addresses, with what stands in their navigation.
const PAGES: [&str; 12] = [
    "/",
    "/table/1",
    "/trainer",
    "/look-up",
    "/odds",
    "/rules",
    "/rules/mbs-2020",
    "/history",
    "/round/1/1",
    "/proof",
    "/account",
    "/pit",
];

#[tokio::test(flavor = "multi_thread")]
async fn every_page_has_the_document_and_its_policy() {
    let house = house(1).await;
    for page in PAGES {
        let answer = send("GET", &format!("{}{page}", house.url), None, None);
        assert_eq!((answer.status, answer.kind.as_str()), (200, "text/html; charset=utf-8"));
    }
    for (path, kind) in [
        ("/app/main.js", "text/javascript; charset=utf-8"),
        ("/vendor/preact.mjs", "text/javascript; charset=utf-8"),
        ("/style/base.css", "text/css; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let answer = send("GET", &format!("{}{path}", house.url), None, None);
        assert_eq!((answer.status, answer.kind.as_str()), (200, kind), "{path}");
    }
    for path in ["/app/types.d.ts", "/package.json", "/vendor/", "/nobody"] {
        let answer = send("GET", &format!("{}{path}", house.url), None, None);
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_drawn_without_a_complaint() {
    let house = house(2).await;
    let browser = Browser::launch().await.expect("a browser");
    let visitor = Visitor::with(&browser, &house, "/", SIZES[2], Scheme::Light).await;
    // There is no such round, and the browser complains of whatever is not found.
    for page in PAGES.into_iter().filter(|page| *page != "/round/1/1") {
        visitor.open(page).await;
        visitor.sees("main section").await;
        visitor.misses("main .loading").await;
        visitor.is_accessible().await;
    }
    let version = concat!("Houseway ", env!("CARGO_PKG_VERSION"));
    visitor.reads(version).await;
    let title = visitor.eval("document.title").await;
    assert!(title.as_str().unwrap_or_default().contains("Houseway"), "{title}");
    visitor.leaves();
    // Where there is nothing, people read so on a page and programs get what they understand.
    let visitor = Visitor::with(&browser, &house, "/nonsense", SIZES[2], Scheme::Light).await;
    visitor.reads("There is nothing here").await;
    visitor.is_accessible().await;
    for (path, accepts, kind) in [
        ("/nonsense", "text/html,*/*;q=0.8", "text/html; charset=utf-8"),
        ("/nonsense", "*/*", "application/json"),
        ("/api/nonsense", "text/html", "application/json"),
    ] {
        let script = format!(
            "fetch('{path}', {{headers: {{Accept: '{accepts}'}}}})\
             .then(it => it.status + ' ' + it.headers.get('content-type'))"
        );
        assert_eq!(visitor.eval(&script).await, format!("404 {kind}"), "{path} {accepts}");
    }
    was_only_refused(&visitor, &[404]);
    visitor.clicks("main a").await;
    visitor.sees("#play-now").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_load_is_small_and_stays_in_the_house() {
    const MOST: f64 = 300.0 * 1024.0;
    let house = house(3).await;
    let visitor = Visitor::to(&house, "/").await;
    visitor.sees(".house").await;
    visitor.clicks("#play-now").await;
    visitor.comes_to_bets().await;
    let requests = visitor.page.requests();
    let elsewhere: Vec<_> = requests.iter().filter(|it| !it.0.starts_with(&house.url)).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    let bytes: f64 = requests.iter().map(|it| it.1).sum();
    assert!(requests.len() > 20 && bytes > 10_000.0, "the requests were heard: {requests:?}");
    assert!(bytes < MOST, "{bytes} bytes until one can bet: {requests:?}");
    visitor.leaves();
}
