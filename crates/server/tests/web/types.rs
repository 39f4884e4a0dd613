//! The types that the web table is checked with are made from the house's own description.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::common::OpenHouse;
use crate::common::http::done;

/// Set to anything, this test writes the file instead of holding it against the description.
const WRITE: &str = "HOUSEWAY_WRITE_TYPES";

#[tokio::test(flavor = "multi_thread")]
async fn types_are_what_the_house_says() {
    let house = OpenHouse::open(1).await;
    let get = |at: &str| done("GET", &format!("{}{at}", house.url), None, &Value::Null);
    let written = types(&get("/api/openapi.json"), &get("/api/socket.schema.json"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/app/types.d.ts");
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, written).expect("it is written");
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == written, "web/app/types.d.ts is stale: run this test with {WRITE}=1");
}

/// Every form of the API and the socket as a type.
fn types(api: &Value, socket: &Value) -> String {
    let mut forms: BTreeMap<String, Value> = BTreeMap::new();
    for all in [&api["components"]["schemas"], &socket["$defs"]] {
        for (name, schema) in all.as_object().expect("forms") {
            forms.insert(name.clone(), schema.clone());
        }
    }
    // An amount may be sent as a text, but is always told as a number.
    forms.insert("Cents".into(), json!({"type": "integer", "description": "Whole cents."}));
    // A card is drawn, sent back, and the same as another or not. A symbol can do as much and no more:
    // whoever takes one apart, orders two or makes a number of one does not pass the type check.
    let card = forms.get_mut("Card").expect("a form for cards");
    card["type"] = json!("symbol");
    let mut text = String::from(
        "// Generated from the house's description of its API and its socket: see web/README.md.\n",
    );
    for (name, schema) in &forms {
        let _ =
            write!(text, "\n{}export type {name} = {};\n", remark(schema, ""), form(schema, ""));
    }
    text
}

/// What a form is for, as a comment.
fn remark(schema: &Value, indent: &str) -> String {
    let text = schema["description"].as_str().map(|it| it.replace('\n', " "));
    text.map_or(String::new(), |it| format!("/** {it} */\n{indent}"))
}

fn form(schema: &Value, indent: &str) -> String {
    let Some(schema) = schema.as_object() else { return "unknown".into() };
    if let Some(to) = schema.get("$ref").and_then(Value::as_str) {
        let name = to.rsplit('/').next().unwrap_or_default().to_string();
        return match fields(schema, indent) {
            Some(fields) => format!("{name} & {fields}"),
            None => name,
        };
    }
    for (word, sign) in [("oneOf", " | "), ("anyOf", " | "), ("allOf", " & ")] {
        if let Some(all) = schema.get(word).and_then(Value::as_array) {
            let all: Vec<String> = all.iter().map(|it| form(it, indent)).collect();
            let all = format!("({})", all.join(sign));
            return match fields(schema, indent) {
                Some(fields) => format!("{all} & {fields}"),
                None => all,
            };
        }
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(all) = schema.get("enum").and_then(Value::as_array) {
        return all.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match schema.get("type") {
        Some(Value::Array(kinds)) => {
            let kinds: Vec<String> =
                kinds.iter().map(|kind| of_kind(kind.as_str(), schema, indent)).collect();
            kinds.join(" | ")
        }
        Some(kind) => of_kind(kind.as_str(), schema, indent),
        None => "unknown".into(),
    }
}

fn of_kind(kind: Option<&str>, schema: &Map<String, Value>, indent: &str) -> String {
    match kind {
        Some(kind @ ("string" | "symbol")) => kind.into(),
        Some("integer" | "number") => "number".into(),
        Some("boolean") => "boolean".into(),
        Some("null") => "null".into(),
        Some("array") => match schema.get("prefixItems").and_then(Value::as_array) {
            Some(items) => {
                let items: Vec<String> = items.iter().map(|it| form(it, indent)).collect();
                format!("[{}]", items.join(", "))
            }
            None => format!("({})[]", form(schema.get("items").unwrap_or(&Value::Null), indent)),
        },
        Some("object") => fields(schema, indent).unwrap_or_else(|| {
            // Names that are numbers have a pattern of their own.
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            let values = patterns.and_then(|it| it.values().next());
            let values = values.or(schema.get("additionalProperties"));
            format!("Record<string, {}>", form(values.unwrap_or(&Value::Null), indent))
        }),
        _ => "unknown".into(),
    }
}

/// The fields of an object, where it names some.
fn fields(schema: &Map<String, Value>, indent: &str) -> Option<String> {
    let properties = schema.get("properties")?.as_object()?;
    let required = schema.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
    let deeper = format!("{indent}  ");
    let mut text = String::from("{\n");
    for (name, schema) in properties {
        let optional = if required.contains(&name.as_str()) { "" } else { "?" };
        let _ = writeln!(
            text,
            "{deeper}{}{name:?}{optional}: {};",
            remark(schema, &deeper),
            form(schema, &deeper)
        );
    }
    let _ = write!(text, "{indent}}}");
    Some(text)
}
