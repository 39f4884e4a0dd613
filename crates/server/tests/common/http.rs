//! Requests from a client's side.

use serde_json::Value;

/// What was answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: String,
    pub(crate) text: String,
}

impl Answer {
    /// The answer as JSON; nothing where it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }
}

/// Makes a request, with a token if there is one and a text as it is.
pub(crate) fn send(method: &str, url: &str, token: Option<&str>, body: Option<&str>) -> Answer {
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    if body.is_some() {
        request = request.header("Content-Type", "application/json");
    }
    let request = request.body(body.unwrap_or_default().to_string()).expect("a request");
    let mut answer = agent.run(request).unwrap_or_else(|error| panic!("{method} {url}: {error}"));
    let kind = answer.headers().get("content-type").and_then(|it| it.to_str().ok());
    let kind = kind.unwrap_or_default().to_string();
    let text = answer.body_mut().read_to_string().expect("a text");
    Answer { status: answer.status().as_u16(), kind, text }
}

/// Asks for something with JSON, and is not refused.
pub(crate) fn done(method: &str, url: &str, token: Option<&str>, body: &Value) -> Value {
    let body = (method != "GET").then(|| body.to_string());
    let answer = send(method, url, token, body.as_deref());
    assert_eq!(answer.status, 200, "{method} {url}: {}", answer.text);
    answer.json()
}
