//! Everything that is answered has the form that is published for it.

mod common;

use std::sync::Arc;

use common::cast::{self, guest, operator, registered};
use common::endpoints::{self, About, Request};
use common::http::{Answer, done, send};
use common::live::{Live, next_command};
use common::{OpenHouse, RULEBOOKS};
use houseway_server::clock::SystemClock;
use houseway_server::config::Config;
use houseway_server::house::{House, Wish};
use houseway_table::Person;
use jsonschema::Validator;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

fn document(house: &OpenHouse) -> Value {
    done("GET", &format!("{}/api/openapi.json", house.url), None, &Value::Null)
}

/// A schema that looks at formats too.
fn validator(schema: &Value) -> Validator {
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
    options.should_validate_formats(true).build(schema).expect("a schema")
}

/// Holds an answer against the document.
fn fits(document: &Value, method: &str, path: &str, answer: &Answer) {
    let about = format!("{method} {path}: {} {}", answer.status, answer.text);
    let described = &document["paths"][path][method.to_lowercase()]["responses"];
    let described = &described[answer.status.to_string()]["content"];
    let kind = answer.kind.split(';').next().unwrap_or_default();
    let schema = &described[kind]["schema"];
    assert!(schema.is_object(), "an answer that is not described, as {kind}: {about}");
    let value = match kind {
        "application/json" => serde_json::from_str(&answer.text).expect("JSON"),
        _ => Value::String(answer.text.clone()),
    };
    let whole = json!({"allOf": [schema], "components": document["components"]});
    let whole = validator(&whole);
    let errors: Vec<String> = whole.iter_errors(&value).map(|it| it.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}: {about}");
}

struct Stage {
    house: OpenHouse,
    document: Value,
    operator: cast::Known,
    requests: Vec<Request>,
}

impl Stage {
    async fn set() -> Stage {
        let house = OpenHouse::open(11).await;
        let operator = operator(&house).await;
        let wish = json!({"rules": "mbs-2020", "bots": 2});
        let url = format!("{}/api/tables", house.url);
        let table = done("POST", &url, Some(&operator.token), &wish)["table"].as_u64();
        let table = table.expect("a number");
        let scapegoat = registered(&house);
        let requests = endpoints::all(&About { table, scapegoat: &scapegoat });
        Stage { document: document(&house), house, operator, requests }
    }

    /// Makes a request as it is or a changed one, and holds the answer against the document.
    fn ask(&self, request: &Request, token: Option<&str>, at: &str, body: Option<&str>) -> Answer {
        let url = format!("{}{at}", self.house.url);
        let answer = send(request.method, &url, token, body);
        fits(&self.document, request.method, request.path, &answer);
        answer
    }
}

fn text(body: &Value) -> Option<String> {
    (!body.is_null()).then(|| body.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_endpoint_answers_as_it_is_described() {
    let stage = Stage::set().await;
    endpoints::none_is_missing(&stage.document, &stage.requests);
    // Operators are given nothing when they are made, so the cashier gives.
    let token = Some(stage.operator.token.as_str());
    let cashier = stage.requests.iter().find(|it| it.path == "/api/cashier").expect("a cashier");
    assert_eq!(stage.ask(cashier, token, &cashier.at, None).status, 200);
    for request in &stage.requests {
        // Whoever comes in or goes is someone else afterwards.
        let changes = ["/api/register", "/api/login", "/api/logout"].contains(&request.path);
        let token = (!changes).then_some(stage.operator.token.as_str());
        let answer = stage.ask(request, token, &request.at, text(&request.body).as_deref());
        assert_eq!(answer.status, request.status, "{request:?}: {}", answer.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_endpoint_refuses_as_it_is_described() {
    let stage = Stage::set().await;
    let token = Some(stage.operator.token.as_str());
    let guest = guest(&stage.house);
    let large = format!(r#"{{"why":"{}"}}"#, "x".repeat(70_000));
    let deep = "[".repeat(10_000);
    for request in &stage.requests {
        let described = &stage.document["paths"][request.path][request.method.to_lowercase()];
        let body = text(&request.body);
        if described["x-access"] != "anyone" {
            let answer = stage.ask(request, None, &request.at, body.as_deref());
            assert_eq!(answer.status, 401, "{request:?}");
        }
        if !["anyone", "someone"].iter().any(|it| described["x-access"] == *it) {
            let answer = stage.ask(request, Some(&guest.token), &request.at, body.as_deref());
            assert_eq!(answer.status, 403, "{request:?}");
        }
        if !described["requestBody"].is_null() {
            for (wrong, status) in [
                ("", 400),
                ("{", 400),
                ("null", 400),
                ("[1,2]", 400),
                (r#"{"nobody":"knows"}"#, 400),
                ("\u{0}", 400),
                (deep.as_str(), 400),
                (large.as_str(), 413),
            ] {
                let answer = stage.ask(request, token, &request.at, Some(wrong));
                assert_eq!(answer.status, status, "{request:?} {:.40}: {}", wrong, answer.text);
            }
            let mut more = request.body.clone();
            more["nobody-knows-this"] = true.into();
            let answer = stage.ask(request, token, &request.at, text(&more).as_deref());
            assert_eq!(answer.status, 400, "{request:?}: {}", answer.text);
        }
        if request.path.contains('{') {
            for nobody in
                ["99999999", "nobody", "-1", "18446744073709551616", "%00", "%F0%9F%82%A1"]
            {
                let parts =
                    request.path.split('/').map(|it| if it.starts_with('{') { nobody } else { it });
                let at = parts.collect::<Vec<&str>>().join("/");
                let answer = stage.ask(request, token, &at, body.as_deref());
                assert_eq!(answer.status, 404, "{request:?} {at}: {}", answer.text);
            }
        }
    }
    let taken = json!({"name": registered(&stage.house).name, "password": cast::PASSWORD});
    let register = stage.requests.iter().find(|it| it.path == "/api/register").expect("a door");
    assert_eq!(stage.ask(register, None, &register.at, text(&taken).as_deref()).status, 409);
    for (method, at, body, status) in [
        ("POST", "/api/register", json!({"name": "x", "password": cast::PASSWORD}), 422),
        ("POST", "/api/register", json!({"name": cast::fresh_name(), "password": "short"}), 422),
        ("POST", "/api/register", json!({"name": guest.name, "password": cast::PASSWORD}), 422),
        ("POST", "/api/login", json!({"name": "nobody", "password": cast::PASSWORD}), 401),
        ("POST", "/api/limits", json!({"kind": "loss-per-day", "most": u64::MAX}), 422),
        ("POST", "/api/tables", json!({"rules": "nobody"}), 422),
        ("POST", "/api/tables", json!({"rules": "cardroom", "bots": 200}), 422),
        ("POST", "/api/tables", json!({"rules": "cardroom", "name": " "}), 422),
        ("POST", "/api/set", json!({"rules": "nobody", "cards": []}), 404),
        ("POST", "/api/set", json!({"rules": "cardroom", "cards": ["Ah"]}), 422),
        ("POST", "/api/advise", json!({"rules": "cardroom", "cards": ["Ah", "Ah"]}), 400),
        ("GET", "/api/log?stream=", Value::Null, 422),
        ("GET", "/api/log", Value::Null, 400),
        ("GET", "/api/log?stream=house&after=-1", Value::Null, 400),
        ("GET", "/api/people?before=1", Value::Null, 400),
    ] {
        let path = at.split('?').next().unwrap_or_default();
        let request = stage.requests.iter().find(|it| it.method == method && it.path == path);
        let request = request.expect("an endpoint");
        let token = if path == "/api/register" { None } else { token };
        let answer = stage.ask(request, token, at, text(&body).as_deref());
        assert_eq!(answer.status, status, "{at} {body}: {}", answer.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said_in_the_same_form() {
    let stage = Stage::set().await;
    let wrong =
        json!({"$ref": "#/components/schemas/Wrong", "components": stage.document["components"]});
    let wrong = validator(&wrong);
    for (method, at, status) in [
        ("GET", "/nowhere", 404),
        ("GET", "/api/tables/1/2/3", 404),
        ("DELETE", "/api/tables", 405),
        ("PUT", "/", 405),
    ] {
        let answer = send(method, &format!("{}{at}", stage.house.url), None, None);
        assert_eq!(answer.status, status, "{method} {at}");
        assert!(wrong.is_valid(&answer.json()), "{method} {at}: {}", answer.text);
    }
}

/// Every reference leads somewhere.
fn all_lead_somewhere(root: &Value, part: &Value) {
    match part {
        Value::Object(fields) => {
            if let Some(Value::String(to)) = fields.get("$ref") {
                let there = to.strip_prefix('#').and_then(|it| root.pointer(it));
                assert!(there.is_some(), "{to} leads nowhere");
            }
            fields.values().for_each(|it| all_lead_somewhere(root, it));
        }
        Value::Array(items) => items.iter().for_each(|it| all_lead_somewhere(root, it)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_openapi_3_1() {
    let house = OpenHouse::open(12).await;
    let document = document(&house);
    let schema: Value = serde_json::from_str(include_str!("data/openapi-3.1.json")).expect("JSON");
    let validator = validator(&schema);
    let errors: Vec<String> = validator
        .iter_errors(&document)
        .map(|it| format!("{it} at {}", it.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    assert!(!validator.is_valid(&json!({"openapi": "3.1.0"})), "the validator refuses something");
    all_lead_somewhere(&document, &document);
    let forms = document["components"]["schemas"].as_object().expect("forms");
    assert!(forms.len() > 20);
    for (name, form) in forms {
        assert!(jsonschema::meta::is_valid(form), "{name} is no JSON Schema");
    }
    let mut names = std::collections::BTreeSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, described) in methods.as_object().expect("methods") {
            let name = described["operationId"].as_str().expect("a name");
            assert!(names.insert(name.to_string()), "{name} is there twice");
            let parameters = described["parameters"].as_array().expect("parameters");
            let in_path: Vec<String> = parameters
                .iter()
                .filter(|it| it["in"] == "path")
                .map(|it| format!("{{{}}}", it["name"].as_str().expect("a name")))
                .collect();
            let named: Vec<&str> = path.split('/').filter(|it| it.starts_with('{')).collect();
            assert_eq!(in_path, named, "{method} {path}");
        }
    }
}

/// Every message that was said and heard has the form that is published.
fn said_in_form(schema: &Value, live: &Live) {
    for (name, messages) in [("from-client", &live.said), ("from-server", &live.heard)] {
        let form = json!({"allOf": [schema[name]], "$defs": schema["$defs"]});
        let form = validator(&form);
        for message in messages {
            let errors: Vec<String> = form.iter_errors(message).map(|it| it.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}: {message}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_message_of_a_round_has_its_form() {
    for rules in RULEBOOKS {
        let house = OpenHouse::open(13).await;
        let schema =
            done("GET", &format!("{}/api/socket.schema.json", house.url), None, &Value::Null);
        let guest = guest(&house);
        let url = format!("{}/api/tables", house.url);
        let wish = json!({"rules": rules, "bots": 3, "results": 0});
        let table =
            done("POST", &url, Some(&guest.token), &wish)["table"].as_u64().expect("a table");
        let mut live = Live::connect(&house, Some(&guest.token)).await;
        let mut onlooker = Live::connect(&house, None).await;
        for live in [&mut live, &mut onlooker] {
            assert_eq!(live.hear_a("welcome").await["protocol"], 1);
            live.say(json!({"type": "watch", "table": table})).await;
        }
        plays(&mut live, table, guest.person, 3).await;
        live.say(json!({"type": "ping", "n": 7})).await;
        assert_eq!(live.hear_a("pong").await["n"], 7);
        live.say(json!({"type": "unwatch", "table": table})).await;
        live.say(json!({"type": "watch", "table": table, "since": 0})).await;
        let whole = live.hear_a("table").await;
        let told: Vec<&str> = whole["happened"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| it["event"].as_str().expect("a word"))
            .collect();
        for word in ["opened", "sat", "bets-opened", "committed", "said", "dealt", "settled"] {
            assert!(told.contains(&word), "{rules}: {word} in {told:?}");
        }
        // What is refused and what is wrong has its form too.
        let refused = live.command(table, &json!({"do": "open-round"})).await;
        assert_eq!(refused["answer"]["answer"], "refused", "{refused}");
        let refused = live.command(table, &json!({"do": "deal-committed"})).await;
        assert_eq!(refused["answer"]["refused"], "needs-role", "{refused}");
        live.say(json!({"type": "watch", "table": 1})).await;
        live.hear_a("wrong").await;
        onlooker.say(json!({"type": "unwatch", "table": table})).await;
        let failed = onlooker.command(table, &json!({"do": "ready"})).await;
        assert_eq!((&failed["type"], &failed["again"]), (&"failed".into(), &false.into()));
        onlooker.send(Message::binary(vec![1, 2, 3])).await;
        onlooker.hear_a("bye").await;
        assert!(onlooker.hear().await.is_none(), "and then it is closed");
        said_in_form(&schema, &live);
        said_in_form(&schema, &onlooker);
    }
}

/// Plays rounds at a table that is watched, until it is at the one of a number.
async fn plays(live: &mut Live, table: u64, person: u32, until: u64) {
    let (mut round, mut spoke, mut version) = (Value::Null, false, 0);
    while round != until {
        let update = live.table_at(version).await;
        if update["view"]["round"] != round {
            (round, spoke) = (update["view"]["round"].clone(), false);
        }
        version = update["version"].as_u64().expect("a version") + 1;
        if let Some(command) = next_command(&update, person, spoke) {
            spoke |= command["do"] == "say";
            let answer = live.command(table, &command).await;
            assert_eq!(answer["answer"]["answer"], "done", "{command}: {answer}");
            version = answer["version"].as_u64().expect("a version");
        }
    }
}

/// What is told of rounds has its form where there are rounds, for everyone who may ask.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_of_rounds_has_its_form() {
    for rules in RULEBOOKS {
        let house = OpenHouse::open(15).await;
        let (document, operator) = (document(&house), operator(&house).await);
        let someone = registered(&house);
        let url = format!("{}/api/tables", house.url);
        let wish = json!({"rules": rules, "bots": 2, "results": 0});
        let table =
            done("POST", &url, Some(&someone.token), &wish)["table"].as_u64().expect("a table");
        let mut live = Live::connect(&house, Some(&someone.token)).await;
        live.hear_a("welcome").await;
        live.say(json!({"type": "watch", "table": table})).await;
        plays(&mut live, table, someone.person, 3).await;
        let ask = |method: &str, path: &str, at: &str, token: Option<&str>, body: &Value| {
            let answer = send(method, &format!("{}{at}", house.url), token, text(body).as_deref());
            fits(&document, method, path, &answer);
            assert_eq!(answer.status, 200, "{rules}: {at}: {}", answer.text);
            answer
        };
        let (round, proof) =
            ("/api/tables/{table}/rounds/{round}", "/api/tables/{table}/rounds/{round}/proof");
        let first = format!("/api/tables/{table}/rounds/1");
        let (own, boss) = (Some(&*someone.token), Some(&*operator.token));
        for (path, at, token, tells) in [
            ("/api/history", "/api/history", own, "\"rounds\":[{"),
            ("/api/history.csv", "/api/history.csv", own, rules),
            ("/api/history.jsonl", "/api/history.jsonl", own, rules),
            ("/api/rounds", "/api/rounds", boss, "\"rounds\":[{"),
            (round, &first, None, "\"steps\":[{"),
            (round, &first, own, "\"steps\":[{"),
            (round, &format!("{first}?auditor=true&why=a%20test"), boss, "\"left-over\":[\""),
            (proof, &format!("{first}/proof"), own, "\"opened\":{"),
            (proof, &format!("{first}/proof?auditor=true&why=a%20test"), boss, "\"seed\":\""),
            ("/api/report", "/api/report?by=table", boss, &table.to_string()),
            ("/api/report", "/api/report?by=rules", boss, rules),
            ("/api/report", "/api/report?by=day", boss, rules),
            ("/api/liability", "/api/liability", boss, "stacks"),
            ("/api/log", &format!("/api/log?stream=table/{table}&most=500"), boss, "dealt"),
            ("/api/log", "/api/log?stream=house&most=500", boss, "every-card"),
            ("/api/tables/{table}/view", &format!("/api/tables/{table}/view"), own, "\"stack\":"),
        ] {
            let answer = ask("GET", path, at, token, &Value::Null);
            assert!(answer.text.contains(tells), "{rules}: {at}: {tells} in {}", answer.text);
        }
        let new = json!({"old": cast::PASSWORD, "new": "another long passphrase"});
        ask("POST", "/api/password", "/api/password", own, &new);
    }
}

/// A table is opened once under a name, with the seats and the times that were asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_what_was_wished_for() {
    let house = OpenHouse::open(16).await;
    let (someone, other) = (guest(&house), guest(&house));
    let url = format!("{}/api/tables", house.url);
    let id = "0c8f2b34-3c7f-4b0c-9d3b-1f6a0e6d3c11";
    let mut wish = json!({"id": id, "rules": "mbs-2020", "bots": 1, "seats": 3, "results": 0});
    let table = done("POST", &url, Some(&someone.token), &wish)["table"].clone();
    assert_eq!(done("POST", &url, Some(&someone.token), &wish)["table"], table, "no second one");
    assert_ne!(done("POST", &url, Some(&other.token), &wish)["table"], table, "another's name");
    wish["bots"] = 2.into();
    let answer = send("POST", &url, Some(&someone.token), text(&wish).as_deref());
    assert_eq!(answer.status, 409, "{}", answer.text);
    // Three may sit.
    let info = done("GET", &format!("{url}/{table}"), None, &Value::Null);
    assert_eq!(info["seats"], 3);
    let view = format!("{url}/{table}/view");
    let offered = || {
        let seen = done("GET", &view, Some(&someone.token), &Value::Null);
        let offers = seen["view"]["options"].as_array().expect("offers").clone();
        let seats = offers.into_iter().filter(|it| it["do"] == "sit");
        seats.map(|it| it["position"].as_u64().expect("a seat")).collect::<Vec<u64>>()
    };
    assert_eq!(offered(), [1, 2, 3]);
    let sits = |position: u64| {
        let ask =
            json!({"id": uuid::Uuid::new_v4(), "command": {"do": "sit", "position": position}});
        done("POST", &format!("{url}/{table}/commands"), Some(&someone.token), &ask)["answer"]
            .take()
    };
    let refused = sits(4);
    assert_eq!((&refused["refused"], &refused["seats"]), (&"seat-closed".into(), &3.into()));
    assert_eq!(sits(2)["answer"], "done");
    for (seats, bots) in [(0, 0), (7, 0), (2, 2)] {
        let wish = json!({"rules": "mbs-2020", "seats": seats, "bots": bots});
        let answer = send("POST", &url, Some(&someone.token), text(&wish).as_deref());
        assert_eq!(answer.status, 422, "{wish}: {}", answer.text);
    }
    // Whoever is away is waited for only where nobody comes by chance, or staff look after it.
    let usual = info["posted"]["time"]["setting"].clone();
    assert!(usual.is_u64(), "{info}");
    let staff = operator(&house).await;
    let opened = |token: &str, listed: bool, setting: &Value| {
        let mut posted = info["posted"].clone();
        posted["time"]["setting"] = setting.clone();
        let wish = json!({"rules": "mbs-2020", "posted": posted, "listed": listed});
        send("POST", &url, Some(token), text(&wish).as_deref())
    };
    for (token, listed, set, stands) in [
        (&someone.token, true, Value::Null, &usual),
        (&someone.token, true, json!(600_000), &json!(600_000)),
        (&someone.token, false, Value::Null, &Value::Null),
        (&staff.token, true, Value::Null, &Value::Null),
    ] {
        let answer = opened(token, listed, &set);
        assert_eq!(answer.status, 200, "{listed} {set}: {}", answer.text);
        let opened = done("GET", &format!("{url}/{}", answer.json()["table"]), None, &Value::Null);
        assert_eq!(&opened["posted"]["time"]["setting"], stands, "{listed} {set}");
    }
    assert_eq!(opened(&someone.token, true, &json!(600_001)).status, 422);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_not_its_form_is_not_understood() {
    let house = OpenHouse::open(14).await;
    let schema = done("GET", &format!("{}/api/socket.schema.json", house.url), None, &Value::Null);
    all_lead_somewhere(&schema, &schema);
    assert!(jsonschema::meta::is_valid(&schema));
    let form = json!({"allOf": [schema["from-client"]], "$defs": schema["$defs"]});
    let form = validator(&form);
    let guest = guest(&house);
    let mut live = Live::connect(&house, Some(&guest.token)).await;
    live.hear_a("welcome").await;
    let id = "0c8f2b34-3c7f-4b0c-9d3b-1f6a0e6d3c11";
    for wrong in [
        json!(null),
        json!([]),
        json!({}),
        json!({"type": "nobody"}),
        json!({"type": "watch"}),
        json!({"type": "watch", "table": -1}),
        json!({"type": "watch", "table": 1, "more": 1}),
        json!({"type": "command", "table": 1, "id": "x", "command": {"do": "ready"}}),
        json!({"type": "command", "table": 1, "id": id, "command": {"do": "nobody"}}),
        json!({"type": "command", "table": 1, "id": id, "command": {"do": "say"}}),
        json!({"type": "command", "table": 1, "id": id, "command": {"do": "sit", "position": 1.5}}),
        json!({"type": "command", "table": 1, "id": id, "command": {"do": "sit", "position": 1, "at": 1}}),
        json!({"type": "command", "table": 1, "id": id, "command": {"do": "ready", "at": 1}}),
        json!({"type": "command", "table": 1, "id": id, "command": ["sit", 1]}),
        json!({"type": "command", "table": 1, "id": id, "command": {"do": "set", "position": 1, "low": ["Xx"]}}),
    ] {
        assert!(!form.is_valid(&wrong), "{wrong} has its form");
        live.say(wrong.clone()).await;
        let answer = live.hear().await.expect("an answer");
        assert_eq!(answer["type"], "wrong", "{wrong}: {answer}");
    }
    for wrong in ["", "{", "{\"type\":\"ping\"} and more", "\u{1F0A1}"] {
        live.send(Message::text(wrong)).await;
        let answer = live.hear().await.expect("an answer");
        assert_eq!(answer["type"], "wrong", "{wrong}: {answer}");
    }
}

/// A rulebook file that the operator allows is asked about as the five are.
#[tokio::test(flavor = "multi_thread")]
async fn rulebook_files_are_asked_about_as_the_five_are() {
    let folder = tempfile::tempdir().expect("a folder");
    // What it is called is its own affair: the file says which id the rulebook has.
    let file = folder.path().join("ours.toml");
    let text_of = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/foxwoods.toml");
    std::fs::copy(text_of, &file).expect("a copy");
    let config = Config { rulebooks: vec![file], ..Config::default() };
    let house = OpenHouse::run_so(12, config).await;
    let document = document(&house);
    let ask = |method: &str, path: &str, at: &str, body: &Value| {
        let answer = send(method, &format!("{}{at}", house.url), None, text(body).as_deref());
        fits(&document, method, path, &answer);
        assert_eq!(answer.status, 200, "{at}: {}", answer.text);
        answer.json()
    };
    let all = ask("GET", "/api/rules", "/api/rules", &Value::Null);
    let ids: Vec<&str> =
        all.as_array().expect("a list").iter().filter_map(|it| it["id"].as_str()).collect();
    assert_eq!(ids, [&RULEBOOKS[..], &["foxwoods"]].concat());
    let rules = ask("GET", "/api/rules/{id}", "/api/rules/foxwoods", &Value::Null);
    assert!(rules["clauses"].as_array().is_some_and(|it| !it.is_empty()));
    let hand = json!({"rules": "foxwoods", "cards": ["Ah", "Ad", "Kc", "Ks", "9h", "3d", "2c"]});
    let set = ask("POST", "/api/set", "/api/set", &hand);
    let advice = ask("POST", "/api/advise", "/api/advise", &hand);
    let own = advice["settings"].as_array().expect("a list").iter();
    let own: Vec<&Value> = own.filter(|it| it["house-way"] == true).collect();
    assert_eq!(own.len(), 1);
    assert_eq!(own[0]["setting"], set["setting"]);
    // What is not shipped is not counted while someone waits, and the answer says so.
    let odds = ask("GET", "/api/odds/{id}", "/api/odds/foxwoods", &Value::Null);
    assert!(odds["house-way"].is_null() && odds["fortune"]["edge"].is_number(), "{odds}");
    assert!(odds["not-counted"].as_str().is_some_and(|it| it.contains("houseway odds game")));
    assert_eq!(ask("GET", "/api/odds/{id}", "/api/odds/foxwoods", &Value::Null), odds);
    let shipped = ask("GET", "/api/odds/{id}", "/api/odds/mbs-2020", &Value::Null);
    assert!(shipped["not-counted"].is_null() && shipped["house-way"].is_object(), "{shipped}");
}

/// PostgreSQL keeps no NUL: it is refused wherever it is sent, before any store hears of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_nul_is_refused_where_it_is() {
    let house = OpenHouse::open(15).await;
    let operator = operator(&house).await;
    let ask = |method, path: &str, body: Option<&str>| {
        let answer = send(method, &format!("{}{path}", house.url), Some(&operator.token), body);
        let field = answer.json()["error"]["field"].as_str().unwrap_or_default().to_string();
        (answer.status, field)
    };
    assert_eq!(ask("GET", "/api/history?rules=%00", None), (422, "rules".into()));
    assert_eq!(ask("GET", "/api/history?most=5&rules=a%00b", None), (422, "rules".into()));
    assert_eq!(ask("GET", "/api/history?rules=%2500", None).0, 200, "that is a percent sign");
    assert_eq!(ask("GET", "/api/rules/mbs-2020%00", None).0, 404);
    let login = r#"{"name": "a\u0000b", "password": "seven cards, no tells"}"#;
    assert_eq!(ask("POST", "/api/login", Some(login)), (422, "name".into()));
    let wish = r#"{"rules": "mbs-2020", "name": "\u0000"}"#;
    assert_eq!(ask("POST", "/api/tables", Some(wish)), (422, "name".into()));
    let wish = r#"{"rules": "mbs-2020", "name": "\\u0000"}"#;
    assert_eq!(ask("POST", "/api/tables", Some(wish)).0, 200, "that is a backslash");
    let hands = r#"{"hands": [{"low": "\u0000", "high": ""}]}"#;
    assert_eq!(ask("POST", "/api/tables/1/hands", Some(hands)), (422, "hands[0].low".into()));
}

/// Whichever way a command comes, how long it took is measured.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_over_http_are_measured_too() {
    let house = OpenHouse::open(16).await;
    let guest = guest(&house);
    let url = format!("{}/api/tables", house.url);
    let table = &done("POST", &url, Some(&guest.token), &json!({"rules": "mbs-2020"}))["table"];
    let measured = || {
        let figures = send("GET", &format!("{}/metrics", house.url), None, None).text;
        let line = figures.lines().find_map(|it| it.strip_prefix("houseway_answer_seconds_count "));
        line.expect("a figure").to_string()
    };
    assert_eq!(measured(), "0");
    let command =
        json!({"id": uuid::Uuid::new_v4(), "command": {"do": "bring-money", "amount": 10_000}});
    done("POST", &format!("{url}/{table}/commands"), Some(&guest.token), &command);
    assert_eq!(measured(), "1");
}

/// A table goes on by the file that it was opened with, also when the operator has taken that away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rules_of_a_table_are_known_while_it_is_open() {
    let house = OpenHouse::open(17).await;
    let toml = include_str!("../../../examples/foxwoods.toml").to_string();
    let files = [("foxwoods".to_string(), toml)].into();
    let (clock, metrics) = (Arc::new(SystemClock::new()), Arc::default());
    let before =
        House::new(house.store.clone(), Arc::new(common::vault(17)), clock, metrics, files);
    let opened = before.open_table(Person(1), Wish::new("foxwoods")).await;
    let table = opened.expect("it opens").0;
    let hand = json!({"rules": "foxwoods", "cards": ["Ah", "Ad", "Kc", "Ks", "9h", "3d", "Jk"]})
        .to_string();
    let asked = || {
        let ask = |method, path, body| send(method, &format!("{}{path}", house.url), None, body);
        [
            ask("GET", "/api/rules/foxwoods", None).status,
            ask("POST", "/api/set", Some(&hand)).status,
            ask("POST", "/api/advise", Some(&hand)).status,
        ]
    };
    assert_eq!(asked(), [404; 3], "nobody plays there");
    done("GET", &format!("{}/api/tables/{table}", house.url), None, &Value::Null);
    assert_eq!(asked(), [200; 3]);
}

/// Every way to put a list in the place of one of the objects in something.
fn with_lists(sent: &Value) -> Vec<Value> {
    let Some(fields) = sent.as_object() else { return vec![] };
    let mut all = vec![Value::Array(fields.values().cloned().collect())];
    for (name, value) in fields {
        for listed in with_lists(value) {
            let mut other = sent.clone();
            other[name] = listed;
            all.push(other);
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_is_not_taken_for_something_with_names() {
    let stage = Stage::set().await;
    let token = Some(&*stage.operator.token);
    let wish = json!({"rules": "mbs-2020", "posted": {
        "device": "machine", "standard": {"minimum": 1_000, "maximum": 100_000},
        "fortune": {"minimum": 100, "maximum": 10_000}, "time": {"betting": 5_000},
    }});
    let mut tried = 0;
    for request in stage.requests.iter().filter(|it| it.method != "GET") {
        let body = match request.path {
            "/api/tables" => &wish,
            _ => &request.body,
        };
        for body in with_lists(body) {
            let answer = stage.ask(request, token, &request.at, Some(&body.to_string()));
            assert_eq!(answer.status, 400, "{} {body}: {}", request.path, answer.text);
            assert!(answer.text.contains("a list is not what belongs here"), "{}", answer.text);
            tried += 1;
        }
    }
    assert!(tried > 15, "{tried} lists");
    let mut live = Live::connect(&stage.house, token).await;
    live.hear_a("welcome").await;
    let id = "0c8f2b34-3c7f-4b0c-9d3b-1f6a0e6d3c11";
    let sit =
        json!({"type": "command", "table": 1, "id": id, "command": {"do": "sit", "position": 1}});
    let ping = json!({"type": "ping", "n": 5});
    for message in [sit, ping].iter().flat_map(with_lists) {
        live.say(message.clone()).await;
        let said = live.hear().await.expect("an answer");
        assert_eq!(said["type"], "wrong", "{message}: {said}");
    }
}
