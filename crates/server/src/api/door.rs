//! Coming in, going, one's own money and limits.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::{Extension, Json};
use houseway_rules::Cents;
use houseway_rules::rulebook::Role;
use houseway_store::AccountName;
use houseway_table::Person;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Access, ApiError, Caller, Done, Routes, Sent};
use crate::app::{App, Changed};
use crate::people::{
    Attempt, Entered, GrantError, Kind, LimitError, Limits, LoginError, PasswordError,
    RegisterError, Who,
};

pub(super) fn add(routes: Routes) -> Routes {
    routes
        .post("/api/guest", Access::Anyone, "Come in without an account, with play money")
        .answers::<Come>()
        .by(guest)
        .post("/api/register", Access::Anyone, "Get a name and a password, keeping what one has")
        .takes::<Credentials>()
        .answers::<Come>()
        .by(register)
        .post("/api/login", Access::Anyone, "Come in by name and password")
        .takes::<Credentials>()
        .answers::<Come>()
        .by(login)
        .post("/api/logout", Access::Anyone, "Go")
        .answers::<Done>()
        .by(logout)
        .post("/api/password", Access::Someone, "Change one's password; other sessions end")
        .takes::<Passwords>()
        .answers::<Come>()
        .by(password)
        .get("/api/me", Access::Someone, "Who one is, and what one has")
        .answers::<Me>()
        .by(me)
        .post("/api/cashier", Access::Someone, "Ask the cashier for more play money")
        .answers::<Given>()
        .by(cashier)
        .get("/api/limits", Access::Someone, "The limits one has set oneself")
        .answers::<Limits>()
        .by(limits)
        .post("/api/limits", Access::Someone, "Limit oneself: tighter at once, looser in a day")
        .takes::<OwnLimit>()
        .answers::<Limits>()
        .by(set_limit)
}

/// A name and a password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Credentials {
    /// The name.
    name: String,
    /// The password, of at least 8 characters.
    password: String,
}

/// One's password, and what it is to be.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Passwords {
    /// The one until now.
    old: String,
    /// The one from now on, of at least 8 characters.
    new: String,
}

/// Someone has come in.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Come {
    /// Who they are.
    you: Me,
    /// What to show from now on where there are no cookies: `Authorization: Bearer …`.
    token: String,
}

/// Who someone is, and what they have.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Me {
    /// Their number.
    person: Person,
    /// Their name.
    name: String,
    /// What they may act as at a table.
    role: Role,
    /// Whether they run the house.
    operator: bool,
    /// Whether they have no password.
    guest: bool,
    /// What they have away from tables.
    wallet: Cents,
    /// When they came in before, in milliseconds since 1970.
    last_login: Option<u64>,
}

async fn about(app: &App, who: &Who) -> Result<Me, ApiError> {
    let wallet = app.house.store().balance(&AccountName::wallet(who.person)).await?;
    Ok(Me {
        person: who.person,
        name: who.name.clone(),
        role: who.role,
        operator: who.standing == crate::people::Standing::Operator,
        guest: who.guest,
        wallet: Cents::new(u64::try_from(wallet).unwrap_or(0)),
        last_login: who.last_login,
    })
}

/// The answer to someone who has come in, with the cookie by which they are known again.
async fn come(app: &App, entered: Entered) -> Result<(HeaderMap, Json<Come>), ApiError> {
    app.learn_name(entered.who.person, &entered.who.name);
    let token = entered.token.reveal().to_string();
    let headers = cookie(app, &token, 60 * 60 * 24 * 60);
    let you = about(app, &entered.who).await?;
    Ok((headers, Json(Come { you, token })))
}

fn cookie(app: &App, token: &str, seconds: u64) -> HeaderMap {
    let secure = if app.config.is_secure() { "; Secure" } else { "" };
    let name = app.config.cookie_name();
    let text =
        format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_str(&text) {
        headers.insert(header::SET_COOKIE, value);
    }
    headers
}

async fn guest(State(app): State<Arc<App>>) -> Result<(HeaderMap, Json<Come>), ApiError> {
    let entered = app.people.sit_down().await?;
    // Nobody can play with nothing.
    match app.people.grant(entered.who.person, Cents::ZERO).await {
        Ok(_) => {}
        Err(GrantError::Failed(failure)) => return Err(failure.into()),
        Err(error) => tracing::warn!(%error, "a guest came with empty hands"),
    }
    come(&app, entered).await
}

async fn register(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Sent(credentials): Sent<Credentials>,
) -> Result<(HeaderMap, Json<Come>), ApiError> {
    let Credentials { name, password } = credentials;
    let entered = app.people.register(caller.token.as_deref(), &name, &password).await;
    let entered = entered.map_err(|error| match error {
        RegisterError::Failed(failure) => failure.into(),
        RegisterError::NameTaken => {
            ApiError::new(StatusCode::CONFLICT, "name-taken", error.to_string()).at("name")
        }
        RegisterError::Registered => {
            ApiError::new(StatusCode::CONFLICT, "registered", error.to_string())
        }
        RegisterError::Name(_) => ApiError::unfit("name", error.to_string()),
        RegisterError::Password(_) => ApiError::unfit("password", error.to_string()),
        RegisterError::Busy => {
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", error.to_string())
        }
    })?;
    if !caller.who.as_ref().is_some_and(|who| who.guest) {
        // Somebody new; whoever was a guest keeps what they have.
        let _ = app.people.grant(entered.who.person, Cents::ZERO).await;
    }
    left(&app, caller.token);
    come(&app, entered).await
}

/// Whoever comes in anew leaves the session they had.
fn left(app: &App, token: Option<String>) {
    if let Some(token) = token {
        app.sessions_changed(Changed::Token(token));
    }
}

async fn login(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Sent(Credentials { name, password }): Sent<Credentials>,
) -> Result<(HeaderMap, Json<Come>), ApiError> {
    let Caller { token, address, .. } = caller;
    let attempt = Attempt { name, password, address, replaces: token.clone() };
    let entered = app.people.login(attempt).await.map_err(|error| match error {
        LoginError::Failed(failure) => failure.into(),
        LoginError::Refused => {
            ApiError::new(StatusCode::UNAUTHORIZED, "refused", error.to_string())
        }
        LoginError::Locked => {
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "locked", error.to_string())
        }
        LoginError::Busy => {
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", error.to_string())
        }
    })?;
    left(&app, token);
    come(&app, entered).await
}

async fn logout(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<(HeaderMap, Json<Done>), ApiError> {
    if let Some(token) = &caller.token {
        app.people.logout(token).await?;
    }
    left(&app, caller.token);
    Ok((cookie(&app, "", 0), Done::YES))
}

async fn password(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Sent(Passwords { old, new }): Sent<Passwords>,
) -> Result<(HeaderMap, Json<Come>), ApiError> {
    let person = caller.someone()?.person;
    let entered =
        app.people.change_password(person, old, new).await.map_err(|error| match error {
            PasswordError::Failed(failure) => failure.into(),
            PasswordError::Guest => ApiError::new(StatusCode::CONFLICT, "guest", error.to_string()),
            PasswordError::Wrong => {
                ApiError::new(StatusCode::CONFLICT, "other-password", error.to_string()).at("old")
            }
            PasswordError::Locked => {
                ApiError::new(StatusCode::TOO_MANY_REQUESTS, "locked", error.to_string())
            }
            PasswordError::Password(_) => ApiError::unfit("new", error.to_string()),
            PasswordError::Busy => {
                ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", error.to_string())
            }
        })?;
    app.sessions_changed(Changed::Person(person));
    come(&app, entered).await
}

async fn me(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Me>, ApiError> {
    about(&app, caller.someone()?).await.map(Json)
}

/// What the cashier gave.
#[derive(Serialize, JsonSchema)]
struct Given {
    /// How much.
    given: Cents,
}

async fn cashier(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Given>, ApiError> {
    let person = caller.someone()?.person;
    let on_felt = app.on_felt(person).await?;
    match app.people.grant(person, on_felt).await {
        Ok(given) => Ok(Json(Given { given })),
        Err(GrantError::Failed(failure)) => Err(failure.into()),
        Err(error) => Err(ApiError::new(StatusCode::CONFLICT, "enough", error.to_string())),
    }
}

async fn limits(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Limits>, ApiError> {
    let person = caller.someone()?.person;
    Ok(Json(app.people.limits(person, app.house.now()).await?))
}

/// A limit one sets oneself.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OwnLimit {
    /// On what.
    kind: Kind,
    /// The most: cents, or milliseconds; nothing lifts the limit.
    most: Option<u64>,
}

async fn set_limit(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Sent(OwnLimit { kind, most }): Sent<OwnLimit>,
) -> Result<Json<Limits>, ApiError> {
    let person = caller.someone()?.person;
    match app.people.set_limit(person, kind, most).await {
        Ok(limits) => {
            app.own.changed(person);
            Ok(Json(limits))
        }
        Err(LimitError::Failed(failure)) => Err(failure.into()),
        Err(error) => Err(ApiError::unfit("most", error.to_string())),
    }
}
