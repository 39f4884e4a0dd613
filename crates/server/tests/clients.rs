//! The clients in `examples/clients` play at a real house over real sockets, on good lines and bad.

mod common;

use std::path::{Path, PathBuf};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use common::cut::BadLine;
use common::{OpenHouse, RULEBOOKS};
use houseway_browser::Browser;
use houseway_server::config::Config;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::process::Command;

/// What every guest comes with.
const COMES_WITH: i64 = 1_000_000;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/clients")
}

/// What a client that is a program prints.
async fn run(program: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    let output = command.args(arguments).kill_on_drop(true).output().await;
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}{error}");
    said
}

/// The programs that run a client: each is told the house, the rulebook and the number of rounds.
async fn python(house: &str, rules: &str, rounds: &str) -> String {
    // Debian's own: its packages are not for any other.
    let python = Path::new("/usr/bin/python3");
    let websockets = Command::new(python).args(["-c", "import websockets"]).output().await;
    let there = websockets.is_ok_and(|output| output.status.success());
    assert!(there, "the Python client needs: apt-get install python3-websockets");
    let client = examples().join("client.py");
    let client = client.to_str().expect("a path in Unicode");
    run(python, &[client, "--house", house, "--rules", rules, "--rounds", rounds]).await
}

async fn rust(house: &str, rules: &str, rounds: &str) -> String {
    let here = std::env::current_exe().expect("a test has a path");
    let client = here.ancestors().nth(2).expect("it lies in deps").join("examples/client");
    assert!(client.exists(), "the Rust client needs: cargo build -p houseway-server --examples");
    run(&client, &[house, rules, rounds]).await
}

/// A place that serves the page of the client in JavaScript: another than the house.
async fn place_with_page() -> String {
    let read = |name| std::fs::read_to_string(examples().join(name)).expect("an example");
    let (page, script) = (read("client.html"), read("client.js"));
    let page = get(async move || ([(CONTENT_TYPE, "text/html")], page));
    let script = get(async move || ([(CONTENT_TYPE, "text/javascript")], script));
    let router = Router::new().route("/client.html", page).route("/client.js", script);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let place = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    place
}

/// What the client in JavaScript prints in a browser.
async fn javascript(
    browser: &Browser,
    place: &str,
    house: &str,
    rules: &str,
    rounds: u32,
) -> String {
    let url = format!("{place}/client.html?house={house}&rules={rules}&rounds={rounds}");
    let page = browser.page(&url, 800, 600).await.expect("a page");
    // Round by round: a machine may be slow, but not so slow that nothing comes of a round at all.
    for next in (1..=rounds).map(|round| format!("round {round}:")).chain(["done".into()]) {
        let said = "document.getElementById('said').textContent";
        let there = format!("/^({next}|done$|not played)/m.test({said})");
        page.wait(&there).await.expect("it plays on");
    }
    let said = page.eval("document.getElementById('said').textContent").await.expect("a text");
    let said = said.as_str().expect("a text").to_string();
    assert!(said.ends_with("done\n"), "{said}");
    said
}

/// What a client says its rounds came to, in cents: one statement for each round from the first on,
/// none missing and none twice.
fn came_to(said: &str, rounds: u32) -> i64 {
    let statements = said.lines().filter_map(|line| line.strip_prefix("round ")?.split_once(": "));
    let (numbers, sums): (Vec<u32>, Vec<i64>) = statements
        .map(|(round, statement)| {
            assert!(statement.contains("standard"), "a wager in every round: {said}");
            (round.parse::<u32>().expect("a number"), in_cents(statement))
        })
        .unzip();
    assert_eq!(numbers, (1..=rounds).collect::<Vec<u32>>(), "{said}");
    assert!(!said.contains("refused"), "what is offered is granted: {said}");
    let fees = said.lines().filter_map(|line| {
        let (_, fee) = line.strip_prefix("fee of round ")?.split_once(": ")?;
        fee.strip_suffix(" cents")?.parse::<i64>().ok()
    });
    sums.iter().sum::<i64>() - fees.sum::<i64>()
}

/// The sum of a statement: in words with a sum at the end, or as the house's own lines.
fn in_cents(statement: &str) -> i64 {
    if let Ok(Value::Array(lines)) = serde_json::from_str(statement) {
        let cents = |line: &Value, name: &str| line[name].as_i64().expect("an amount");
        let net = |it| cents(it, "paid") - cents(it, "taken") - cents(it, "commission");
        return lines.iter().map(net).sum();
    }
    let sum = statement.strip_suffix(" with fees").and_then(|it| it.rsplit(' ').next());
    let sum: f64 = sum.and_then(|it| it.parse().ok()).expect("a sum in dollars");
    (sum * 100.0).round() as i64
}

/// One guest has played and gone: what they have is what they came with and what they were told.
async fn is_true(house: &OpenHouse, said: &str, rounds: u32) {
    let sum = came_to(said, rounds);
    assert_eq!(house.wallet(1).await, COMES_WITH + sum, "{said}");
    house.books_are_right().await;
}

fn trusting(place: &str) -> Config {
    Config { origins: vec![place.to_string()], ..Config::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_plays_every_rulebook() {
    for rules in RULEBOOKS {
        let house = OpenHouse::open(1).await;
        is_true(&house, &python(&house.url, rules, "1").await, 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_client_plays_every_rulebook() {
    for rules in RULEBOOKS {
        let house = OpenHouse::open(2).await;
        is_true(&house, &rust(&house.url, rules, "1").await, 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_javascript_client_plays_every_rulebook() {
    let place = place_with_page().await;
    let browser = Browser::launch().await.expect("a browser");
    for rules in RULEBOOKS {
        let house = OpenHouse::run_so(3, trusting(&place)).await;
        is_true(&house, &javascript(&browser, &place, &house.url, rules, 1).await, 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_the_house_does_not_know_cannot_use_it() {
    let place = place_with_page().await;
    let browser = Browser::launch().await.expect("a browser");
    let house = OpenHouse::open(4).await;
    let page = browser.page(&format!("{place}/client.html?house={}", house.url), 800, 600).await;
    let page = page.expect("a page");
    page.wait("document.getElementById('said').textContent.startsWith('not played')")
        .await
        .expect("the browser holds it back");
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_come_back_after_every_cut_and_miss_nothing() {
    const ROUNDS: u32 = 4;
    let place = place_with_page().await;
    let browser = Browser::launch().await.expect("a browser");
    for which in ["python", "rust", "javascript"] {
        let house = OpenHouse::run_so(5, trusting(&place)).await;
        let line = BadLine::to(house.serving.address).await;
        let rounds = ROUNDS.to_string();
        let said = match which {
            "python" => python(&line.url, "mbs-2020", &rounds).await,
            "rust" => rust(&line.url, "mbs-2020", &rounds).await,
            _ => javascript(&browser, &place, &line.url, "mbs-2020", ROUNDS).await,
        };
        assert!(line.cuts() >= 5, "{which}: {} cuts: {said}", line.cuts());
        is_true(&house, &said, ROUNDS).await;
    }
}

#[test]
fn clients_are_short_enough_to_be_read() {
    for name in ["client.rs", "client.py", "client.js"] {
        let text = std::fs::read_to_string(examples().join(name)).expect("an example");
        let lines = text.lines().count();
        assert!(lines < 150, "{name} has {lines} lines");
    }
}
