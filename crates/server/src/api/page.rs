//! The API's description as a page to read, without script.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::{Route, access_name};

/// The description, to be read.
pub(super) fn docs(routes: &[Route], document: &Value, socket: &Value) -> String {
    let mut text = String::from(include_str!("docs.head.html"));
    let _ = write!(text, "<p>Version {}. ", escaped(&document["info"]["version"]));
    text.push_str(
        "The same for programs: <a href=/api/openapi.json>OpenAPI 3.1</a> and \
         <a href=/api/socket.schema.json>the socket's JSON Schema</a>.</p>",
    );
    for route in routes {
        let method = route.method.as_str();
        let _ = write!(
            text,
            "<section><h2><b>{method}</b> <code>{}</code></h2><p>{}. For {}.</p>",
            escape(route.path),
            escape(route.summary),
            escape(&access_name(route.access))
        );
        for (title, schema) in
            [("In the address", &route.query), ("Sent", &route.body), ("Answer", &route.answer)]
        {
            if let Some(schema) = schema {
                let _ = write!(text, "<p>{title}: {}</p>", form(schema.as_value()));
            }
        }
        text.push_str("</section>");
    }
    let _ = write!(text, "<h1>The socket</h1><p>{}</p>", escaped(&socket["description"]));
    for (title, name) in [("A client says", "from-client"), ("The server says", "from-server")] {
        let _ = write!(text, "<p>{title}: {}</p>", form(&socket[name]));
    }
    text.push_str("<h1>Forms</h1>");
    let forms = [&document["components"]["schemas"], &socket["$defs"]].map(Value::as_object);
    // What is said in requests and over the socket alike is shown once.
    let forms: BTreeMap<&String, &Value> = forms.into_iter().flatten().flatten().collect();
    for (name, schema) in forms {
        let name = escape(name);
        let _ =
            write!(text, "<details id={name}><summary>{name}</summary>{}</details>", block(schema));
    }
    text.push_str("</main>");
    text
}

/// A form in a line: a link where it has a name of its own.
fn form(schema: &Value) -> String {
    let name = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next());
    match name {
        Some(name) => format!("<a href=#{0}>{0}</a>", escape(name)),
        None => block(schema),
    }
}

fn block(schema: &Value) -> String {
    let text = serde_json::to_string_pretty(schema).unwrap_or_default();
    format!("<pre>{}</pre>", escape(&text))
}

fn escaped(value: &Value) -> String {
    escape(value.as_str().unwrap_or_default())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
