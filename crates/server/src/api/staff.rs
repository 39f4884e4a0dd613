//! What staff and operators see and do. Everything done here is in the log with who and why.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use houseway_rules::rulebook::Role;
use houseway_store::{StreamId, Version};
use houseway_table::Person;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Access, ApiError, Asks, Caller, Done, Named, Routes, Sent};
use crate::app::{App, Changed};
use crate::integrity;
use crate::people::{By, Outcome, Proposal, StaffError, Standing};
use crate::rounds::strays_in_words;

pub(super) fn add(routes: Routes) -> Routes {
    routes
        .get("/api/log", Access::Staff(Role::PitManager), "Entries of a log, cards left out")
        .asks::<Page>()
        .answers::<Vec<LogEntry>>()
        .by(log)
        .get(
            "/api/heads",
            Access::Staff(Role::PitManager),
            "Where every log stands, to be kept elsewhere",
        )
        .answers::<Vec<HeadOf>>()
        .by(heads)
        .get("/api/people", Access::Operator, "Everyone who has an account")
        .asks::<After>()
        .answers::<Vec<Someone>>()
        .by(people)
        .post("/api/people/{person}/standing", Access::Operator, "Make someone staff, or a player")
        .takes::<NewStanding>()
        .answers::<Made>()
        .by(set_standing)
        .get("/api/proposals", Access::Operator, "Standings that wait for a second operator")
        .answers::<Vec<Proposed>>()
        .by(proposals)
        .post(
            "/api/people/{person}/decline",
            Access::Operator,
            "Refuse the standing that is proposed for someone",
        )
        .takes::<Why>()
        .answers::<Done>()
        .by(decline)
        .post("/api/people/{person}/disable", Access::Operator, "Shut someone out")
        .takes::<Why>()
        .answers::<Done>()
        .by(disable)
        .post("/api/people/{person}/enable", Access::Operator, "Let someone in again")
        .takes::<Why>()
        .answers::<Done>()
        .by(enable)
        .post("/api/people/{person}/end-sessions", Access::Operator, "End all sessions of someone")
        .takes::<Why>()
        .answers::<Done>()
        .by(end_sessions)
        .get("/api/books", Access::Operator, "Whether all balances are the sum of what moved")
        .answers::<Books>()
        .by(books)
        .post(
            "/api/hashes",
            Access::Operator,
            "Hash program, configuration and rulebooks anew; play stops where they differ",
        )
        .answers::<Hashed>()
        .by(hashes)
}

/// Which entries.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Page {
    /// Of which log: `house`, `table/7`.
    stream: String,
    /// After which version.
    #[serde(default)]
    after: u64,
    /// How many: 1 to 500, and the nearest of these for what is beyond.
    #[serde(default = "Page::usual")]
    most: u32,
}

impl Page {
    const fn usual() -> u32 {
        100
    }
}

/// An entry of a log.
#[derive(Serialize, JsonSchema)]
struct LogEntry {
    /// Its version.
    version: u64,
    /// When, in milliseconds since 1970.
    at: u64,
    /// What kind of thing happened.
    kind: String,
    /// What happened; nothing where it is sealed.
    body: Option<Value>,
    /// Its hash, which covers all before it.
    hash: String,
}

fn stream(text: &str) -> Result<StreamId, ApiError> {
    StreamId::from_str(text).map_err(|error| ApiError::unfit("stream", error.to_string()))
}

async fn log(
    State(app): State<Arc<App>>,
    Asks(page): Asks<Page>,
) -> Result<Json<Vec<LogEntry>>, ApiError> {
    let stream = stream(&page.stream)?;
    let most = page.most.clamp(1, 500);
    let entries = app.house.store().read(&stream, Version(page.after), most).await?;
    let entry = |it: houseway_store::Entry| LogEntry {
        version: it.version.0,
        at: it.at,
        kind: it.kind,
        // What is sealed is no JSON: staff see that it happened, not what was in it.
        body: serde_json::from_str(&it.body).ok(),
        hash: it.hash.to_string(),
    };
    Ok(Json(entries.into_iter().map(entry).collect()))
}

/// Where a log stands.
#[derive(Serialize, JsonSchema)]
struct HeadOf {
    /// Which log.
    stream: String,
    /// Its last version.
    version: u64,
    /// The hash that covers all of it.
    hash: String,
}

async fn heads(State(app): State<Arc<App>>) -> Result<Json<Vec<HeadOf>>, ApiError> {
    let heads = app.house.store().heads("").await?;
    let head = |(stream, head): (StreamId, houseway_store::Head)| HeadOf {
        stream: stream.to_string(),
        version: head.version.0,
        hash: head.hash.to_string(),
    };
    Ok(Json(heads.into_iter().map(head).collect()))
}

/// After whom.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct After {
    /// After this number.
    #[serde(default)]
    after: u32,
}

/// Someone with an account.
#[derive(Serialize, JsonSchema)]
struct Someone {
    /// Their number.
    person: Person,
    /// Their name.
    name: String,
    /// What they are to the house.
    standing: String,
    /// Whether they have no password.
    guest: bool,
    /// Since when.
    created: u64,
    /// Since when they may not come in.
    disabled: Option<u64>,
}

async fn people(
    State(app): State<Arc<App>>,
    Asks(After { after }): Asks<After>,
) -> Result<Json<Vec<Someone>>, ApiError> {
    let users = app.house.store().users(Person(after), 200).await?;
    let someone = |it: houseway_store::User| Someone {
        person: it.id,
        name: it.name,
        standing: it.role,
        guest: it.password_hash.is_none(),
        created: it.created,
        disabled: it.disabled,
    };
    Ok(Json(users.into_iter().map(someone).collect()))
}

/// A standing that takes two operators, and has one.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Proposed {
    /// Its number, by which it is agreed to.
    number: u64,
    /// Who would be something else.
    person: Person,
    /// What they are called.
    name: String,
    /// What they would be.
    standing: &'static str,
    /// Who asked for it.
    by: Person,
    /// What they are called.
    by_name: String,
    /// Why.
    why: String,
    /// Until when it waits for another operator.
    until: u64,
}

async fn proposals(State(app): State<Arc<App>>) -> Result<Json<Vec<Proposed>>, ApiError> {
    let mut all = vec![];
    for Proposal { number, change, until } in app.people.proposals().await? {
        // The command line proposes nothing.
        let By::Person(by) = change.by else { continue };
        let name = async |person| {
            let user = app.house.store().user(person).await?;
            Ok::<_, ApiError>(user.map_or_else(String::new, |it| it.name))
        };
        all.push(Proposed {
            number,
            person: change.person,
            name: name(change.person).await?,
            standing: change.after.word(),
            by,
            by_name: name(by).await?,
            why: change.why,
            until,
        });
    }
    Ok(Json(all))
}

/// What someone is to be.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct NewStanding {
    /// `player`, `dealer`, `pit-supervisor`, `pit-manager`, `gaming-shift-manager` or `operator`.
    standing: String,
    /// Why.
    why: String,
    /// The number of a proposal, for whoever agrees to that one and nothing else.
    #[serde(default)]
    agrees_to: Option<u64>,
}

/// What became of it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Made {
    /// Whether it holds.
    done: bool,
    /// Where it takes two operators: until when another may ask for the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_until: Option<u64>,
}

/// Why something is done.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Why {
    /// Why.
    why: String,
}

/// What was done to someone holds for their open sockets too.
fn done(app: &App, person: u32, result: Result<(), StaffError>) -> Result<Json<Done>, ApiError> {
    result?;
    app.sessions_changed(Changed::Person(Person(person)));
    Ok(Done::YES)
}

impl From<StaffError> for ApiError {
    fn from(error: StaffError) -> ApiError {
        match error {
            StaffError::Failed(failure) => failure.into(),
            StaffError::Unknown => ApiError::not_found("person"),
            StaffError::Why => ApiError::unfit("why", error.to_string()),
            StaffError::NotAllowed => {
                ApiError::new(StatusCode::FORBIDDEN, "not-allowed", error.to_string())
            }
            StaffError::Oneself
            | StaffError::Guest
            | StaffError::TakesTwo
            | StaffError::NotProposed => {
                ApiError::new(StatusCode::CONFLICT, "refused", error.to_string())
            }
        }
    }
}

async fn set_standing(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named(person): Named<u32>,
    Sent(NewStanding { standing, why, agrees_to }): Sent<NewStanding>,
) -> Result<Json<Made>, ApiError> {
    let standing = Standing::from_str(&standing)
        .map_err(|error| ApiError::unfit("standing", error.to_string()))?;
    let by = By::Person(caller.someone()?.person);
    let person = Person(person);
    Ok(Json(match app.people.set_standing(by, person, standing, &why, agrees_to).await? {
        Outcome::Done => {
            app.sessions_changed(Changed::Person(person));
            Made { done: true, waits_until: None }
        }
        Outcome::Waits { until } => Made { done: false, waits_until: Some(until) },
    }))
}

async fn decline(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named(person): Named<u32>,
    Sent(Why { why }): Sent<Why>,
) -> Result<Json<Done>, ApiError> {
    let by = By::Person(caller.someone()?.person);
    app.people.decline(by, Person(person), &why).await?;
    Ok(Done::YES)
}

async fn disable(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named(person): Named<u32>,
    Sent(Why { why }): Sent<Why>,
) -> Result<Json<Done>, ApiError> {
    let by = By::Person(caller.someone()?.person);
    let result = app.people.disable(by, Person(person), &why).await;
    done(&app, person, result)
}

async fn enable(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named(person): Named<u32>,
    Sent(Why { why }): Sent<Why>,
) -> Result<Json<Done>, ApiError> {
    let by = By::Person(caller.someone()?.person);
    let result = app.people.enable(by, Person(person), &why).await;
    done(&app, person, result)
}

async fn end_sessions(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named(person): Named<u32>,
    Sent(Why { why }): Sent<Why>,
) -> Result<Json<Done>, ApiError> {
    let by = By::Person(caller.someone()?.person);
    let result = app.people.end_all(by, Person(person), &why).await.map(|_| ());
    done(&app, person, result)
}

/// Whether the books are right.
#[derive(Serialize, JsonSchema)]
struct Books {
    /// Accounts whose balance is not the sum of what moved, and rounds that are kept where no log tells
    /// of one: none, or a person has to look.
    differences: Vec<String>,
}

async fn books(State(app): State<Arc<App>>) -> Result<Json<Books>, ApiError> {
    let differences = app.house.store().check_books().await?;
    let words = differences
        .iter()
        .map(|it| format!("{} keeps {} cents, and {} moved", it.account, it.kept, it.counted));
    let strays = strays_in_words(&app.house.store().strays().await?);
    Ok(Json(Books { differences: words.chain(strays).collect() }))
}

/// What the files are that a house is run with.
#[derive(Serialize, JsonSchema)]
struct Hashed {
    /// The version of the program.
    version: &'static str,
    /// Whether there is a list to hold them against.
    checked: bool,
    /// Every file.
    files: Vec<HashedFile>,
    /// What is not as the list says: none, or no round is begun.
    differences: Vec<String>,
}

/// A file.
#[derive(Serialize, JsonSchema)]
struct HashedFile {
    /// What it is to the house.
    part: String,
    /// Where it is.
    path: String,
    /// Its SHA-256, in hexadecimal digits; nothing where it cannot be read.
    sha256: Option<String>,
}

async fn hashes(State(app): State<Arc<App>>) -> Json<Hashed> {
    let checked = app.integrity.is_checked();
    let look = integrity::check(app).await;
    let file = |it: integrity::Found| HashedFile {
        part: it.part.to_string(),
        path: it.path.display().to_string(),
        sha256: it.hash.ok().map(|hash| hash.to_string()),
    };
    Json(Hashed {
        version: env!("CARGO_PKG_VERSION"),
        checked,
        files: look.found.into_iter().map(file).collect(),
        differences: look.differences,
    })
}
