//! Rounds that are over: found, told again step by step, proved, exported, summed up.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use houseway_fair::Proof;
use houseway_rules::rulebook::Role;
use houseway_store::TableId;
use houseway_table::view::{Look, Onlooker};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Access, ApiError, Asks, Caller, Named, Routes};
use crate::app::App;
use crate::history::{Cursor, Format, Page, RoundEnd, Search, export, rounds_of, rounds_of_all};
use crate::people::{By, Standing};
use crate::proof::{NotProved, proof};
use crate::recall::{NotRecalled, Recall, recall};
use crate::report::{Liability, Report, ReportBy, liability, report};
use crate::socket;

pub(super) fn add(routes: Routes) -> Routes {
    routes
        .get("/api/history", Access::Someone, "The rounds one took part in, the newest first")
        .asks::<Wanted>()
        .answers::<Page>()
        .by(own)
        .get("/api/history.csv", Access::Someone, "All of them, a line a bet")
        .says("text/csv")
        .by(async |app, caller| exported(app, caller, Format::Csv, "text/csv").await)
        .get("/api/history.jsonl", Access::Someone, "All of them, as JSON, a line a round")
        .says("application/jsonl")
        .by(async |app, caller| exported(app, caller, Format::JsonLines, "application/jsonl").await)
        .get("/api/rounds", Access::Staff(Role::PitSupervisor), "All rounds, the newest first")
        .asks::<Wanted>()
        .answers::<Page>()
        .by(all)
        .get("/api/tables/{table}/rounds/{round}", Access::Anyone, "A round, told step by step")
        .asks::<As>()
        .answers::<Recall>()
        .by(one)
        .get(
            "/api/tables/{table}/rounds/{round}/proof",
            Access::Anyone,
            "The proof of a round's cards",
        )
        .asks::<As>()
        .answers::<Proof>()
        .by(proved)
        .get("/api/report", Access::Staff(Role::PitManager), "What tables took and paid")
        .asks::<Period>()
        .answers::<Report>()
        .by(summed)
        .get(
            "/api/liability",
            Access::Staff(Role::PitManager),
            "What the house holds for its guests",
        )
        .answers::<Liability>()
        .by(held)
}

/// Which rounds.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
struct Wanted {
    /// At one table.
    table: Option<u64>,
    /// By one rulebook, by its id.
    rules: Option<String>,
    /// That ended in one way: `settled`, `void` or `corrected`.
    status: Option<RoundEnd>,
    /// That ended at this time or later, in milliseconds since 1970.
    from: Option<u64>,
    /// That ended before this time.
    until: Option<u64>,
    /// Where the page before ended.
    before: Option<String>,
    /// How many: 1 to 1,000, and the nearest of these for what is beyond.
    most: Option<u32>,
}

impl Wanted {
    fn read(self) -> Result<(Search, Option<Cursor>, u32), ApiError> {
        let Wanted { table, rules, status, from, until, before, most } = self;
        let before = before.map(|text| text.parse::<Cursor>()).transpose();
        let before = before.map_err(|why| ApiError::unfit("before", why))?;
        Ok((Search { table, rules, status, from, until }, before, most.unwrap_or(50)))
    }
}

async fn own(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Asks(wanted): Asks<Wanted>,
) -> Result<Json<Page>, ApiError> {
    let (search, before, most) = wanted.read()?;
    let person = caller.someone()?.person;
    Ok(Json(rounds_of(&app.house, person, &search, before, most).await?))
}

async fn all(
    State(app): State<Arc<App>>,
    Asks(wanted): Asks<Wanted>,
) -> Result<Json<Page>, ApiError> {
    let (search, before, most) = wanted.read()?;
    Ok(Json(rounds_of_all(&app.house, &search, before, most).await?))
}

async fn exported(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    form: Format,
    kind: &'static str,
) -> Result<Response, ApiError> {
    let person = caller.someone()?.person;
    let mut text = String::new();
    let written = export(&app.house, person, &Search::default(), form, &mut text).await;
    written.map_err(|error| houseway_store::Failure::Unavailable(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// As whom one looks.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct As {
    /// Whether one looks as an auditor, who sees every card: for operators, and it is in the log.
    #[serde(default)]
    auditor: bool,
    /// Whether one looks at the hands that were conceded: for pit supervisors and above, and it is in the
    /// log.
    #[serde(default)]
    conceded: bool,
    /// Why one looks as an auditor, or at conceded hands.
    #[serde(default)]
    why: String,
}

/// What a caller may see of a round.
fn look(caller: &Caller, round: u64, looks: &As) -> Result<Look, ApiError> {
    let who = caller.who.as_ref();
    let refused = |takes| Err(ApiError::new(StatusCode::FORBIDDEN, "not-allowed", takes));
    match who {
        Some(who) if looks.auditor && who.standing == Standing::Operator => {
            Ok(Onlooker::Auditor.into())
        }
        _ if looks.auditor => refused("that takes an operator"),
        Some(who) if looks.conceded && who.role >= Role::PitSupervisor => {
            Ok(Look { by: socket::onlooker(Some(who)), conceded: Some(round) })
        }
        _ if looks.conceded => refused("that takes a pit supervisor"),
        who => Ok(socket::onlooker(who).into()),
    }
}

/// Whoever is shown cards of a round that are not for everyone is in the log of the house before they
/// see one.
async fn noted(
    app: &App,
    caller: &Caller,
    (table, round): (u64, u64),
    looks: &As,
) -> Result<(), ApiError> {
    if !looks.auditor && !looks.conceded {
        return Ok(());
    }
    let by = By::Person(caller.someone()?.person);
    match looks.auditor {
        true => app.people.note_look(by, table, round, &looks.why).await?,
        false => app.people.note_look_at_conceded(by, table, round, &looks.why).await?,
    }
    Ok(())
}

async fn one(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named((table, round)): Named<(u64, u64)>,
    Asks(looks): Asks<As>,
) -> Result<Json<Recall>, ApiError> {
    let look = look(&caller, round, &looks)?;
    match recall(&app.house, TableId(table), round, look).await {
        Ok(recall) => {
            noted(&app, &caller, (table, round), &looks).await?;
            Ok(Json(recall))
        }
        Err(NotRecalled::NoRound { .. }) => Err(ApiError::not_found("round")),
        Err(NotRecalled::Failed(error)) => Err(error.into()),
    }
}

async fn proved(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named((table, round)): Named<(u64, u64)>,
    Asks(looks): Asks<As>,
) -> Result<Json<Proof>, ApiError> {
    let look = look(&caller, round, &looks)?;
    match proof(&app.house, TableId(table), round, look).await {
        Ok(proof) => {
            noted(&app, &caller, (table, round), &looks).await?;
            Ok(Json(proof))
        }
        Err(NotProved::Failed(error)) => Err(error.into()),
        Err(error) => Err(ApiError::new(StatusCode::NOT_FOUND, "not-found", error.to_string())),
    }
}

/// A time, and how it is divided.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Period {
    /// By what.
    by: ReportBy,
    /// From when on, in milliseconds since 1970.
    #[serde(default)]
    from: u64,
    /// Until when; now, if nothing is said.
    #[serde(default)]
    until: Option<u64>,
}

async fn summed(
    State(app): State<Arc<App>>,
    Asks(Period { by, from, until }): Asks<Period>,
) -> Result<Json<Report>, ApiError> {
    let until = until.unwrap_or_else(|| app.house.now() + 1);
    Ok(Json(report(&app.house, by, from, until).await?))
}

async fn held(State(app): State<Arc<App>>) -> Result<Json<Liability>, ApiError> {
    Ok(Json(liability(&app.house).await?))
}
