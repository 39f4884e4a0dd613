//! The lobby, and tables for clients that ask instead of listening.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::{Extension, Json};
use houseway_fair::Bytes32;
use houseway_rules::{CardSet, Dealt};
use houseway_store::TableId;
use houseway_table::Actor;
use houseway_table::view::{TableView, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::guard::is_own_page;
use super::{Access, ApiError, Caller, Named, Routes, SOCKET, Sent};
use crate::app::App;
use crate::desk::{Ask, PublishedWords};
use crate::house::{NotOpened, TIME, TableInfo, Wish, info};
use crate::people::Who;
use crate::protocol::Answered;
use crate::room::Asked;
use crate::socket::{self, LARGEST_READ};

/// What a socket reads into. The library's own choice is 128 KiB for each.
const READ_BUFFER: usize = 4 * 1024;

/// How much is written at once: an answer, and the table it led to.
const WRITE_TOGETHER: usize = 16 * 1024;

/// How much may wait to be written to one socket.
const WRITE_BUFFER: usize = 256 * 1024;

pub(super) fn add(routes: Routes) -> Routes {
    routes
        .get("/api/tables", Access::Anyone, "The tables that everyone may find")
        .answers::<Vec<TableInfo>>()
        .by(list)
        .post("/api/tables", Access::Someone, "Open a table")
        .takes::<Wish>()
        .answers::<OpenedTable>()
        .by(open)
        .get("/api/tables/{table}", Access::Anyone, "A table, by its number")
        .answers::<TableInfo>()
        .by(one)
        .get("/api/tables/{table}/view", Access::Anyone, "A table as one may see it now")
        .answers::<Seen>()
        .by(look)
        .post("/api/tables/{table}/commands", Access::Someone, "Ask something of a table")
        .takes::<Command>()
        .answers::<Answer>()
        .by(command)
        .post(
            "/api/tables/{table}/hands",
            Access::Anyone,
            "What hands are at a table, and whether they foul",
        )
        .takes::<Laid>()
        .answers::<Vec<InWords>>()
        .by(hands)
        .get(SOCKET, Access::Anyone, "Upgrade to a WebSocket: /api/socket.schema.json")
        .by(upgrade)
}

async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<TableInfo>>, ApiError> {
    Ok(Json(app.house.tables().await?))
}

/// How long people may have at a table where strangers sit down, in milliseconds.
const LONGEST: u64 = 600_000;

/// A table was opened.
#[derive(Serialize, JsonSchema)]
struct OpenedTable {
    /// Its number.
    table: u64,
}

async fn open(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Sent(mut wish): Sent<Wish>,
) -> Result<Json<OpenedTable>, ApiError> {
    let Who { person, standing, .. } = *caller.someone()?;
    // Whoever is away is waited for by everyone, where no clock runs. At a table that one shows to
    // friends one may; where strangers sit down, somebody has to look after it.
    let is_looked_after = !wish.listed || standing.is_staff() || app.config.open_ended;
    if let Some(posted) = wish.posted.as_mut().filter(|_| !is_looked_after) {
        posted.time = posted.time.or(TIME);
        if posted.time.is_longer_than(LONGEST) {
            let why = format!(
                "at a table that everyone finds people have at most {LONGEST} milliseconds. Say less, or \
                 `\"listed\": false`"
            );
            return Err(ApiError::unfit("posted.time", why));
        }
    }
    match app.house.open_table(person, wish).await {
        Ok(table) => Ok(Json(OpenedTable { table: table.0 })),
        Err(NotOpened::Wish { field, why }) => Err(ApiError::unfit(field, why)),
        Err(NotOpened::Stopped) => Err(ApiError::stopped()),
        Err(NotOpened::Failed(error)) => Err(error.into()),
    }
}

async fn one(
    State(app): State<Arc<App>>,
    Named(table): Named<u64>,
) -> Result<Json<TableInfo>, ApiError> {
    let room = app.house.room(TableId(table)).await?;
    Ok(Json(info(&*room.latest().await)))
}

/// A table as one may see it.
#[derive(Serialize, JsonSchema)]
struct Seen {
    /// Where its log stands.
    version: u64,
    /// The table.
    view: TableView,
    /// What the deck of this round was committed to before the first wager.
    commitment: Option<Bytes32>,
    /// What the players said, by which the deck is cut: from "no more bets" until the round is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<PublishedWords>,
}

async fn look(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named(table): Named<u64>,
) -> Result<Json<Seen>, ApiError> {
    let snapshot = app.house.room(TableId(table)).await?.latest().await;
    let onlooker = socket::onlooker(caller.who.as_ref());
    let desk = &snapshot.desk;
    let mut view = view(desk.table(), onlooker, app.house.now());
    view.options.retain(|offer| desk.upholds(offer));
    let (commitment, words) = (desk.commitment(), desk.published_words());
    Ok(Json(Seen { version: snapshot.version.0, view, commitment, words }))
}

/// Something asked of a table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Command {
    /// The command's own name. Sent again under it, a command is answered again and not done again.
    id: Uuid,
    /// What.
    command: Ask,
}

/// How it was answered.
#[derive(Serialize, JsonSchema)]
struct Answer {
    /// Where the table's log stood afterwards.
    version: u64,
    /// The answer.
    #[schemars(with = "Answered")]
    answer: Box<RawValue>,
}

async fn command(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Named(table): Named<u64>,
    Sent(Command { id, command }): Sent<Command>,
) -> Result<Json<Answer>, ApiError> {
    let who = caller.someone()?;
    let by = Actor { person: who.person, role: who.role };
    let (started, metrics) = (Instant::now(), app.house.metrics());
    let answer = app.ask(TableId(table), Asked { by, ask: command, id }).await;
    metrics.answer_seconds.observe(started.elapsed().as_secs_f64());
    if answer.is_err() {
        metrics.failed.inc();
    }
    let answer = answer?;
    let version = answer.version.0;
    let answer = RawValue::from_string(answer.text).expect("an answer was kept as JSON");
    Ok(Json(Answer { version, answer }))
}

/// Hands as they lie or could lie.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Laid {
    /// At most as many as there are ways to set one hand.
    #[schemars(length(max = "WAYS"))]
    hands: Vec<LaidHand>,
}

/// The ways to set seven cards: more are not asked for at once.
const WAYS: usize = 21;

/// Seven cards as they lie.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LaidHand {
    /// The two cards in front.
    low: CardSet,
    /// The five behind.
    high: CardSet,
}

/// What a hand is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct InWords {
    /// What the two are.
    low_is: String,
    /// What the five are.
    high_is: String,
    /// Whether the Low hand is higher than the High hand, which is a foul.
    foul: bool,
}

async fn hands(
    State(app): State<Arc<App>>,
    Named(table): Named<u64>,
    Sent(Laid { hands }): Sent<Laid>,
) -> Result<Json<Vec<InWords>>, ApiError> {
    let room = app.house.room(TableId(table)).await?;
    if hands.len() > WAYS {
        return Err(ApiError::unfit("hands", format!("at most {WAYS}")));
    }
    let ranking = room.now().desk.table().setup().rulebook.ranking();
    let mut all = vec![];
    for (place, LaidHand { low, high }) in hands.into_iter().enumerate() {
        let wrong = |says: String| ApiError::unfit(&format!("hands[{place}]"), says);
        let dealt = Dealt::new(low.union(high)).map_err(|error| wrong(error.to_string()))?;
        let split = dealt.splits(ranking).find(|split| split.low == low);
        let split = split.filter(|_| dealt.cards().without(low) == high);
        let split = split.ok_or_else(|| wrong("two cards Low and five others High".into()))?;
        all.push(InWords {
            low_is: split.hands.low.to_string(),
            high_is: ranking.name(split.hands.high),
            foul: ranking.fouls(split.hands),
        });
    }
    Ok(Json(all))
}

async fn upgrade(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    // Cookies come along from any page, and a socket is not held back by the browser.
    let browser = headers.contains_key("origin") || headers.contains_key("sec-fetch-site");
    let by_cookie = !headers.contains_key("authorization") && caller.token.is_some();
    if (browser || by_cookie) && !is_own_page(&app, &headers) {
        let says = "that page may not open a socket here";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "other-origin", says));
    }
    if app.house.metrics().sockets.get() >= i64::try_from(app.config.sockets).unwrap_or(i64::MAX) {
        let says = "the house is full: come back later";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "full", says));
    }
    let Caller { who, token, .. } = caller;
    // A token that is not known is no one who only watches, but one who should come in again.
    if token.is_some() && who.is_none() {
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "come-in", "the session has ended"));
    }
    let upgrade = upgrade
        .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, "no-upgrade", error.body_text()))?;
    let upgrade = upgrade
        .max_message_size(LARGEST_READ)
        .max_frame_size(LARGEST_READ)
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_TOGETHER)
        .max_write_buffer_size(WRITE_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| socket::serve(app, socket, who, token)))
}
