//! For whoever runs the house or writes for it: health, figures, descriptions.

use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Access, ApiError, Route, Routes, page};
use crate::app::App;
use crate::protocol;

pub(super) fn add(routes: Routes) -> Routes {
    routes
        .get("/healthz", Access::Probe, "Whether the process lives")
        .by(async || "ok\n")
        .get("/readyz", Access::Probe, "Whether the house can take commands")
        .answers::<Ready>()
        .by(ready)
        .get("/metrics", Access::Probe, "Figures for Prometheus")
        .says("application/openmetrics-text")
        .by(metrics)
        .get("/api/openapi.json", Access::Anyone, "This description")
        .answers::<Map<String, Value>>()
        .by(openapi)
        .get("/api/socket.schema.json", Access::Anyone, "The form of the socket's messages")
        .answers::<Map<String, Value>>()
        .by(socket_schema)
        .get("/api/docs", Access::Anyone, "This description, to be read")
        .says("text/html")
        .by(docs)
        .get("/api/docs.css", Access::Anyone, "How that page looks")
        .says("text/css")
        .by(async || ([(header::CONTENT_TYPE, "text/css")], include_str!("docs.css")))
}

/// Whether the house can take commands.
#[derive(Serialize, JsonSchema)]
struct Ready {
    /// It can.
    ready: bool,
    /// The version of the program.
    version: &'static str,
}

async fn ready(State(app): State<Arc<App>>) -> Result<Json<Ready>, ApiError> {
    if *app.stopping.borrow() {
        let says = "the house is closing";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "closing", says));
    }
    if app.house.is_stopped() {
        return Err(ApiError::stopped());
    }
    app.can_store()
        .await
        .map_err(|why| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", why))?;
    Ok(Json(Ready { ready: true, version: env!("CARGO_PKG_VERSION") }))
}

async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.house.metrics().text())
}

/// The routes and their description, which are the same for every house: made once.
fn described(app: &Arc<App>) -> &'static (Vec<Route>, Value) {
    static DESCRIBED: OnceLock<(Vec<Route>, Value)> = OnceLock::new();
    DESCRIBED.get_or_init(|| {
        let (_, routes, document) = super::routes(app);
        (routes, document)
    })
}

async fn openapi(State(app): State<Arc<App>>) -> Json<&'static Value> {
    Json(&described(&app).1)
}

async fn socket_schema() -> Json<Value> {
    Json(protocol::schema())
}

async fn docs(State(app): State<Arc<App>>) -> Html<String> {
    let (routes, document) = described(&app);
    Html(page::docs(routes, document, &protocol::schema()))
}
