//! One good request for every endpoint of the API. A new endpoint needs a line here: else the tests
//! of forms and rights fail.

use serde_json::{Value, json};
use uuid::Uuid;

use super::cast::{Known, PASSWORD, fresh_name};

/// A request that is answered with what was asked for, by someone who may ask.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    /// The path as the document has it.
    pub(crate) path: &'static str,
    /// The path with names filled in, and what is asked in the address.
    pub(crate) at: String,
    pub(crate) body: Value,
    pub(crate) status: u16,
}

/// What requests are about.
pub(crate) struct About<'a> {
    pub(crate) table: u64,
    /// Someone with an account to whom staff may do anything.
    pub(crate) scapegoat: &'a Known,
}

/// One request for every endpoint.
pub(crate) fn all(about: &About<'_>) -> Vec<Request> {
    let get = |path: &'static str, at: &str| Request {
        method: "GET",
        path,
        at: at.to_string(),
        body: Value::Null,
        status: 200,
    };
    let plain = |path: &'static str| get(path, path);
    let post = |path: &'static str, at: &str, body: Value| Request {
        method: "POST",
        body,
        ..get(path, at)
    };
    let own = |path: &'static str, body: Value| post(path, path, body);
    let About { table, scapegoat } = about;
    let person = |what: &str| format!("/api/people/{}/{what}", scapegoat.person);
    let hand = json!({"rules": "mbs-2020", "cards": ["Ah", "Ad", "Kc", "Ks", "9h", "3d", "Jk"]});
    let known = json!({"name": scapegoat.name, "password": PASSWORD});
    let bring = json!({"id": Uuid::new_v4(), "command": {"do": "bring-money", "amount": 10_000}});
    let why = json!({"why": "for a test"});
    vec![
        own("/api/guest", Value::Null),
        own("/api/register", json!({"name": fresh_name(), "password": PASSWORD})),
        own("/api/login", known),
        own("/api/logout", Value::Null),
        plain("/api/me"),
        // Not the one they have: the tests of people do better.
        Request {
            status: 409,
            ..own("/api/password", json!({"old": "some other one", "new": PASSWORD}))
        },
        // Whoever has plenty gets no more.
        Request { status: 409, ..own("/api/cashier", Value::Null) },
        plain("/api/limits"),
        own("/api/limits", json!({"kind": "loss-per-day", "most": 900_000})),
        plain("/api/tables"),
        post(
            "/api/tables/{table}/hands",
            &format!("/api/tables/{table}/hands"),
            json!({"hands": [{"low": ["9h", "3d"], "high": ["Ah", "Ad", "Kc", "Ks", "Jk"]}]}),
        ),
        own("/api/tables", json!({"rules": "cardroom", "bots": 2, "listed": true})),
        get("/api/tables/{table}", &format!("/api/tables/{table}")),
        get("/api/tables/{table}/view", &format!("/api/tables/{table}/view")),
        post("/api/tables/{table}/commands", &format!("/api/tables/{table}/commands"), bring),
        // No request to upgrade: the socket's own tests do better.
        Request { status: 400, ..plain("/api/socket") },
        get("/api/history", "/api/history?rules=mbs-2020&most=10"),
        plain("/api/history.csv"),
        plain("/api/history.jsonl"),
        get("/api/rounds", "/api/rounds?status=settled&from=0"),
        // Nobody has played there: tests of history and proofs do better.
        Request {
            status: 404,
            ..get("/api/tables/{table}/rounds/{round}", &format!("/api/tables/{table}/rounds/1"))
        },
        Request {
            status: 404,
            ..get(
                "/api/tables/{table}/rounds/{round}/proof",
                &format!("/api/tables/{table}/rounds/1/proof"),
            )
        },
        get("/api/report", "/api/report?by=rules"),
        plain("/api/liability"),
        plain("/api/rules"),
        get("/api/rules/{id}", "/api/rules/catfish-bend"),
        get("/api/rules/{id}/house-way", "/api/rules/catfish-bend/house-way"),
        get("/api/partings", "/api/partings?rules=mbs-2020&other=catfish-bend"),
        get("/api/drill", "/api/drill?rules=mbs-2020&kind=houses&seed=1&other=cardroom"),
        own("/api/set", hand.clone()),
        own("/api/advise", hand),
        get("/api/odds/{id}", "/api/odds/mbs-2020"),
        get("/api/log", "/api/log?stream=house&after=0&most=500"),
        plain("/api/heads"),
        get("/api/people", "/api/people?after=0"),
        // It takes another operator, and is refused.
        post(
            "/api/people/{person}/standing",
            &person("standing"),
            json!({"standing": "operator", "why": "for a test"}),
        ),
        plain("/api/proposals"),
        post("/api/people/{person}/decline", &person("decline"), why.clone()),
        post("/api/people/{person}/disable", &person("disable"), why.clone()),
        post("/api/people/{person}/enable", &person("enable"), why.clone()),
        post("/api/people/{person}/end-sessions", &person("end-sessions"), why),
        plain("/api/books"),
        own("/api/hashes", Value::Null),
        plain("/healthz"),
        plain("/readyz"),
        plain("/metrics"),
        plain("/api/openapi.json"),
        plain("/api/socket.schema.json"),
        plain("/api/docs"),
        plain("/api/docs.css"),
    ]
}

/// Whether the document and the requests are about the same endpoints.
pub(crate) fn none_is_missing(document: &Value, requests: &[Request]) {
    let paths = document["paths"].as_object().expect("paths");
    let described = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods");
        methods.keys().map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    let mut described: Vec<String> = described.collect();
    let mut asked: Vec<String> =
        requests.iter().map(|it| format!("{} {}", it.method, it.path)).collect();
    described.sort();
    asked.sort();
    assert_eq!(described, asked, "endpoints and the requests of tests/common/endpoints.rs");
}
