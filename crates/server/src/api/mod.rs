//! The API: one list of routes, from which requests are served, rights are checked and the
//! description is made.

mod door;
mod drill;
mod game;
mod guard;
mod history;
mod odds;
mod once;
mod page;
mod service;
mod staff;
mod tables;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Query};
use axum::handler::Handler;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use houseway_rules::rulebook::Role;
use houseway_store::Failure;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::integrity::STOPPED;
use crate::people::Standing;
use crate::reading::{NO_LIST, list_out_of_place};
use crate::room::Unanswered;

pub(crate) use guard::Caller;

/// Where sockets are opened.
const SOCKET: &str = "/api/socket";

/// Who may ask something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everyone, known or not.
    Anyone,
    /// Whatever watches the process: it is answered however much others ask, and whether sessions can be
    /// looked up or not.
    Probe,
    /// Whoever has come in, be it as a guest.
    Someone,
    /// Staff from this role up.
    Staff(Role),
    /// Operators.
    Operator,
}

/// A route as it is described.
#[derive(Clone, Debug)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with names in braces.
    pub path: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Who may.
    pub access: Access,
    /// The form of what is sent.
    pub body: Option<Schema>,
    /// The form of what is asked in the address.
    pub query: Option<Schema>,
    /// The form of the answer; nothing where it is no JSON.
    pub answer: Option<Schema>,
    /// What kind of text the answer is, where it is no JSON.
    pub kind: &'static str,
}

/// Routes as they are gathered.
pub(crate) struct Routes {
    app: Arc<App>,
    router: Router<Arc<App>>,
    described: Vec<Route>,
    generator: SchemaGenerator,
}

/// A route about to be added.
pub(crate) struct Adding {
    routes: Routes,
    route: Route,
}

impl Routes {
    fn new(app: Arc<App>) -> Routes {
        let settings = schemars::generate::SchemaSettings::draft2020_12();
        let settings = settings.with(|it| it.definitions_path = "/components/schemas".into());
        let generator = settings.into_generator();
        Routes { app, router: Router::new(), described: vec![], generator }
    }

    fn get(self, path: &'static str, access: Access, summary: &'static str) -> Adding {
        self.route(Method::GET, path, access, summary)
    }

    fn post(self, path: &'static str, access: Access, summary: &'static str) -> Adding {
        self.route(Method::POST, path, access, summary)
    }

    fn route(
        self,
        method: Method,
        path: &'static str,
        access: Access,
        summary: &'static str,
    ) -> Adding {
        let (body, query, answer) = (None, None, None);
        let kind = "text/plain";
        let route = Route { method, path, summary, access, body, query, answer, kind };
        Adding { routes: self, route }
    }
}

impl Adding {
    /// What is sent is of this form.
    fn takes<T: JsonSchema>(mut self) -> Adding {
        self.route.body = Some(self.routes.generator.subschema_for::<T>());
        self
    }

    /// What is asked in the address is of this form.
    fn asks<T: JsonSchema>(mut self) -> Adding {
        self.route.query = Some(T::json_schema(&mut self.routes.generator));
        self
    }

    /// The answer is of this form.
    fn answers<T: JsonSchema>(mut self) -> Adding {
        self.route.answer = Some(self.routes.generator.subschema_for::<T>());
        self
    }

    /// The answer is a text of this kind.
    fn says(mut self, kind: &'static str) -> Adding {
        self.route.kind = kind;
        self
    }

    /// This is what answers.
    fn by<H: Handler<T, Arc<App>>, T: 'static>(self, handler: H) -> Routes {
        let Adding { mut routes, route } = self;
        let filter = axum::routing::MethodFilter::try_from(route.method.clone())
            .expect("a method that can be routed");
        let guard = from_fn_with_state((routes.app.clone(), route.access), guard::guard);
        let methods: MethodRouter<Arc<App>> =
            MethodRouter::new().on(filter, handler).route_layer(guard);
        routes.router = routes.router.route(route.path, methods);
        routes.described.push(route);
        routes
    }
}

/// Everything that is served, and its description.
pub(crate) fn routes(app: &Arc<App>) -> (Router<Arc<App>>, Vec<Route>, Value) {
    let routes = Routes::new(app.clone());
    let routes = door::add(routes);
    let routes = tables::add(routes);
    let routes = history::add(routes);
    let routes = game::add(routes);
    let routes = drill::add(routes);
    let routes = odds::add(routes);
    let routes = staff::add(routes);
    let mut routes = service::add(routes);
    let document = document(&routes.described, &mut routes.generator, app.config.cookie_name());
    let router = routes.router.method_not_allowed_fallback(otherwise);
    (router, routes.described, document)
}

/// There is nothing there.
pub(crate) async fn nowhere() -> ApiError {
    ApiError::not_found("page")
}

/// It is there, but cannot be asked for like that.
pub(crate) async fn otherwise() -> ApiError {
    let says = "that is there, but not for this method";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "other-method", says)
}

/// The description of the API, as OpenAPI 3.1.
fn document(routes: &[Route], generator: &mut SchemaGenerator, cookie: &str) -> Value {
    let fault = generator.subschema_for::<Wrong>();
    let mut paths = Map::new();
    for route in routes {
        let names = route.path.split('/').filter_map(|part| {
            Some(part.strip_prefix('{')?.strip_suffix('}')?.trim_start_matches('*'))
        });
        let in_path = names.map(|name| {
            let number = json!({"type": "integer", "minimum": 0});
            let schema = if name == "id" { json!({"type": "string"}) } else { number };
            json!({"name": name, "in": "path", "required": true, "schema": schema})
        });
        let in_query = route.query.iter().flat_map(|schema| parameters(schema.as_value()));
        let parameters: Vec<Value> = in_path.chain(in_query).collect();
        let mut answers = Map::new();
        let said = match &route.answer {
            Some(schema) => json!({"application/json": {"schema": schema}}),
            None => json!({route.kind: {"schema": {"type": "string"}}}),
        };
        let done = match route.path {
            SOCKET => ("101", json!({"description": "The connection is a WebSocket from now on."})),
            _ => ("200", json!({"description": "Done.", "content": said})),
        };
        answers.insert(done.0.into(), done.1);
        let refusals = [
            ("400", "What was sent is wrong."),
            ("401", "Come in first."),
            ("403", "That is not for you."),
            ("404", "There is no such thing."),
            ("409", "The rules or the moment do not allow it."),
            ("413", "What was sent is too large."),
            ("422", "What was sent cannot be."),
            ("429", "Too much is asked at once."),
            ("503", "It cannot be done now; nothing was changed."),
        ];
        for (status, description) in refusals {
            let content = json!({"application/json": {"schema": fault}});
            let answer = json!({"description": description, "content": content});
            answers.insert(status.into(), answer);
        }
        let mut described = json!({
            "summary": route.summary,
            "operationId": operation(route),
            "parameters": parameters,
            "responses": answers,
            "x-access": access_name(route.access),
            "security": match route.access {
                Access::Anyone | Access::Probe => json!([]),
                _ => json!([{"session": []}, {"bearer": []}]),
            },
        });
        if let Some(schema) = &route.body {
            let content = json!({"application/json": {"schema": schema}});
            described["requestBody"] = json!({"required": true, "content": content});
        }
        let path = paths.entry(route.path.to_string()).or_insert_with(|| json!({}));
        path[route.method.as_str().to_lowercase()] = described;
    }
    let schemas = generator.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Houseway",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Tables of Fortune Pai Gow Poker.",
            "description": "Amounts are whole cents. Times are milliseconds since 1970. \
                            What happens at a table comes over the socket at /api/socket.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": cookie},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    })
}

/// A name for what a route does, from its method and path.
fn operation(route: &Route) -> String {
    let mut name = route.method.as_str().to_lowercase();
    for part in route.path.split(['/', '{', '}', '-', '.', '*']).filter(|part| *part != "api") {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

fn access_name(access: Access) -> String {
    match access {
        Access::Anyone | Access::Probe => "anyone".into(),
        Access::Someone => "someone".into(),
        Access::Staff(role) => Standing::Table(role).word().into(),
        Access::Operator => "operator".into(),
    }
}

/// Parameters of the address, from the form of what is asked there.
fn parameters(schema: &Value) -> Vec<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(properties) = schema["properties"].as_object() else { return vec![] };
    properties
        .iter()
        .map(|(name, schema)| {
            let required = required.iter().any(|it| it == name);
            json!({"name": name, "in": "query", "required": required, "schema": schema})
        })
        .collect()
}

/// What is told when something is not done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Wrong {
    /// What is wrong.
    pub error: Fault,
}

/// What is wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Fault {
    /// In a word that stays the same.
    pub code: String,
    /// In a sentence for people.
    pub says: String,
    /// Where in what was sent, where it is about a part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The clause that says so, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

/// Something that is not done.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    fault: Fault,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &str, says: impl Into<String>) -> ApiError {
        let fault = Fault { code: code.into(), says: says.into(), field: None, clause: None };
        ApiError { status, fault }
    }

    fn at(mut self, field: impl Into<String>) -> ApiError {
        self.fault.field = Some(field.into());
        self
    }

    fn not_found(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not-found", format!("there is no such {what}"))
    }

    /// Nothing is begun at this node.
    fn stopped() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "play-stopped", STOPPED)
    }

    /// A text has what nobody can see and not every store keeps.
    fn nul(field: &str) -> ApiError {
        ApiError::unfit(field, "a text must not have the character NUL")
    }

    fn unfit(field: &str, says: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unfit", says).at(field)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(Wrong { error: self.fault })).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            // Every second brings new ones.
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> ApiError {
        // What exactly broke is the house's business.
        tracing::warn!(%failure, "the store failed");
        let says = "the house cannot do that now: ask again";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", says)
    }
}

impl From<Unanswered> for ApiError {
    fn from(error: Unanswered) -> ApiError {
        match error {
            Unanswered::NoTable => ApiError::not_found("table"),
            Unanswered::OtherContent => {
                ApiError::new(StatusCode::CONFLICT, "other-content", error.to_string())
            }
            Unanswered::Busy => {
                ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", error.to_string())
            }
            Unanswered::Failed(why) => Failure::Unavailable(why).into(),
        }
    }
}

/// No text that people mean has it, and not every store keeps it.
const NUL: char = '\0';

/// The field of a JSON text in which there is a NUL.
fn nul_in(text: &[u8]) -> Option<String> {
    // In JSON it is always written like this.
    text.windows(6).any(|it| it == br"\u0000").then_some(())?;
    let sent: Value = serde_json::from_slice(text).ok()?;
    let path = path_to_nul(&sent)?;
    Some(path.trim_start_matches('.').to_owned())
}

fn path_to_nul(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => text.contains(NUL).then(String::new),
        Value::Array(all) => all
            .iter()
            .enumerate()
            .find_map(|(place, value)| Some(format!("[{place}]{}", path_to_nul(value)?))),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let rest = if name.contains(NUL) { String::new() } else { path_to_nul(value)? };
            Some(format!(".{}{rest}", name.replace(NUL, "\\0")))
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// What was sent, read; a mistake is named where it is.
pub(crate) struct Sent<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = ApiError;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Sent<T>, ApiError> {
        let wrong = |code, says: String| ApiError::new(StatusCode::BAD_REQUEST, code, says);
        let bytes = axum::body::Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|error: BytesRejection| {
            ApiError::new(error.status(), "unreadable", error.body_text())
        })?;
        if let Some(field) = nul_in(&bytes) {
            return Err(ApiError::nul(&field));
        }
        if let Some(field) = list_out_of_place(&bytes) {
            return Err(wrong("unreadable", NO_LIST.to_owned()).at(field));
        }
        let mut reader = serde_json::Deserializer::from_slice(&bytes);
        let read = serde_path_to_error::deserialize(&mut reader);
        let read = read.map_err(|error| {
            let field = error.path().to_string();
            wrong("unreadable", error.inner().to_string()).at(field)
        })?;
        reader.end().map_err(|error| wrong("unreadable", error.to_string()))?;
        Ok(Sent(read))
    }
}

/// What is asked in the address, read.
pub(crate) struct Asks<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> axum::extract::FromRequestParts<S> for Asks<T> {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        state: &S,
    ) -> Result<Asks<T>, ApiError> {
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            let pairs = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
            let pairs = pairs.map(|it| it.0).unwrap_or_default();
            let has = |(name, value): &&(String, String)| name.contains(NUL) || value.contains(NUL);
            let name = pairs.iter().find(has).map(|(name, _)| name.replace(NUL, "\\0"));
            return Err(ApiError::nul(&name.unwrap_or_else(|| "query".to_owned())));
        }
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|it| Asks(it.0)).map_err(|error| {
            ApiError::new(StatusCode::BAD_REQUEST, "unreadable", error.body_text()).at("query")
        })
    }
}

/// A part of the path, read.
pub(crate) struct Named<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> axum::extract::FromRequestParts<S> for Named<T> {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        state: &S,
    ) -> Result<Named<T>, ApiError> {
        if parts.uri.path().contains("%00") {
            return Err(ApiError::not_found("page"));
        }
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|it| Named(it.0)).map_err(|_| ApiError::not_found("page"))
    }
}

/// Nothing more to say.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct Done {
    /// It was done.
    done: bool,
}

impl Done {
    const YES: Json<Done> = Json(Done { done: true });
}
