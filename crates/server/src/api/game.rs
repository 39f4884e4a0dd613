//! The game without a table: rulebooks, House Ways and exact advice.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use houseway_odds::Advisor;
use houseway_odds::game::Stake;
use houseway_rules::describe::facts;
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{
    BonusHand, Card, CardSet, Cents, Clause as SheetClause, Dealt, Ranking, Setting, set_house_way,
};
use houseway_table::{Places, Posted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::once::{Once, place};
use super::{Access, ApiError, Named, Routes, Sent};
use crate::app::App;
use crate::house::usual;
use crate::rulebooks::NotCounted;

pub(super) fn add(routes: Routes) -> Routes {
    routes
        .get("/api/rules", Access::Anyone, "The rulebooks")
        .answers::<Vec<RulesInfo>>()
        .by(all)
        .get("/api/rules/{id}", Access::Anyone, "A rulebook: what it says, clause by clause")
        .answers::<Rules>()
        .by(one)
        .post("/api/set", Access::Anyone, "How a house sets seven cards, and by which clause")
        .takes::<Hand>()
        .answers::<SetHand>()
        .by(set)
        .post("/api/advise", Access::Anyone, "Every setting of seven cards with its exact value")
        .takes::<Hand>()
        .answers::<Advice>()
        .by(advise)
}

/// A rulebook in a line.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct RulesInfo {
    /// Its id.
    id: String,
    /// Its name.
    name: String,
    /// What is special about it.
    summary: String,
    /// How many can sit.
    seats: u8,
    /// What is posted at a table where nothing else is wished.
    posted: Posted,
}

fn in_a_line(rulebook: &Rulebook) -> RulesInfo {
    RulesInfo {
        id: rulebook.id.to_string(),
        name: rulebook.name.to_string(),
        summary: rulebook.summary.to_string(),
        seats: Places::of(rulebook).seats,
        posted: usual(rulebook),
    }
}

async fn all(State(app): State<Arc<App>>) -> Json<Vec<RulesInfo>> {
    Json(app.rulebooks.all().map(in_a_line).collect())
}

pub(super) fn find(app: &App, id: &str) -> Result<&'static Rulebook, ApiError> {
    app.rulebooks.find(id).ok_or_else(|| ApiError::not_found("rulebook"))
}

/// The same, or the one that open tables are played by whose file is not the operator's any more. Where
/// they are played by different ones under one id, it is not known which is meant.
async fn find_at_tables(app: &App, id: &str) -> Result<&'static Rulebook, ApiError> {
    if let Some(rulebook) = app.rulebooks.find(id) {
        return Ok(rulebook);
    }
    let mut found: Option<&'static Rulebook> = None;
    for room in app.house.open_rooms().await {
        let desk = &room.now().desk;
        let rulebook = &*desk.table().setup().rulebook;
        if rulebook.id != id || found.is_some_and(|it| it == rulebook) {
            continue;
        }
        if found.replace(app.rulebooks.of_table(rulebook)).is_some() {
            return Err(ApiError::not_found("rulebook"));
        }
    }
    found.ok_or_else(|| ApiError::not_found("rulebook"))
}

impl From<NotCounted> for ApiError {
    fn from(NotCounted: NotCounted) -> ApiError {
        let says = "too much is to be counted at once: ask again";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", says)
    }
}

/// A rulebook, in our own words.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Rules {
    /// In a line.
    #[serde(flatten)]
    about: RulesInfo,
    /// The document it was read from.
    document: String,
    /// And which edition of it.
    edition: String,
    /// What the house chose, with the clauses.
    choices: Vec<Choice>,
    /// Every clause with our sentence for it.
    clauses: Vec<Clause>,
    /// What the Fortune Bonus pays, and Envy where there is one.
    fortune: Vec<PayLine>,
}

/// A choice of a house.
#[derive(Serialize, JsonSchema)]
struct Choice {
    /// The part of the game it belongs to: table, wagers, pay-table, bonuses, settlement, mishaps.
    part: String,
    /// About what.
    about: String,
    /// What it is.
    is: String,
    /// By which clauses.
    clauses: String,
}

/// A clause.
#[derive(Serialize, JsonSchema)]
struct Clause {
    /// Its id.
    id: String,
    /// What it says.
    says: String,
}

/// A line of the pay table.
#[derive(Serialize, JsonSchema)]
struct PayLine {
    /// For this hand.
    hand: BonusHand,
    /// So many to one.
    pays: u32,
    /// And Envy, in cents.
    envy: Option<u64>,
}

async fn one(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Json<Rules>, ApiError> {
    let rulebook = find_at_tables(&app, &id).await?;
    let choices = facts(rulebook).into_iter().map(|fact| Choice {
        part: fact.part.id().to_string(),
        about: fact.topic,
        is: fact.value,
        clauses: fact.cite,
    });
    let clauses = rulebook.sayings().map(|it| Clause { id: it.id.into(), says: it.says.into() });
    let fortune = BonusHand::ALL.into_iter().filter_map(|hand| {
        let pays = rulebook.fortune.pays(hand)?;
        Some(PayLine { hand, pays, envy: rulebook.fortune.envy(hand).map(Cents::get) })
    });
    Ok(Json(Rules {
        about: in_a_line(rulebook),
        document: rulebook.source.document.to_string(),
        edition: rulebook.source.edition.to_string(),
        choices: choices.collect(),
        clauses: clauses.collect(),
        fortune: fortune.collect(),
    }))
}

/// A row of a House Way's sheet.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Row {
    /// Its place on the sheet, from zero.
    pub(super) place: usize,
    /// The id of its clause, which several rows may share.
    id: String,
    /// Which hands it is about.
    about: String,
    /// What it says.
    says: String,
}

impl Row {
    /// The row at a place of a house's sheet.
    pub(super) fn of(rulebook: &Rulebook, place: usize) -> Row {
        let SheetClause { id, row, says, .. } = &rulebook.house_way[place];
        Row { place, id: id.to_string(), about: row.to_string(), says: says.to_string() }
    }

    /// The row that a decision cites.
    pub(super) fn citing(rulebook: &Rulebook, clause: &SheetClause) -> Row {
        let place = rulebook.house_way.iter().position(|it| it == clause);
        Row::of(rulebook, place.expect("it is a row of this sheet"))
    }
}

/// Seven cards in a house.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Hand {
    /// The rulebook's id.
    rules: String,
    /// Seven different cards.
    cards: CardSet,
}

impl Hand {
    async fn read(&self, app: &App) -> Result<(&'static Rulebook, Dealt), ApiError> {
        let rulebook = find_at_tables(app, &self.rules).await?;
        let dealt = Dealt::new(self.cards);
        Ok((rulebook, dealt.map_err(|error| ApiError::unfit("cards", error.to_string()))?))
    }
}

/// A hand as a house sets it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct SetHand {
    /// How it is set.
    setting: Set,
    /// The clause.
    clause: String,
    /// Why, in a sentence.
    why: String,
    /// What the seven cards are for the Fortune Bonus, if it pays.
    bonus: Option<BonusHand>,
}

/// Seven cards, set.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Set {
    /// The two cards in front.
    pub(super) low: Vec<Card>,
    /// The five behind.
    high: Vec<Card>,
    /// What the two are.
    pub(super) low_is: String,
    /// What the five are.
    high_is: String,
}

pub(super) fn in_words(setting: Setting, ranking: Ranking) -> Set {
    let strengths = setting.strengths(ranking);
    Set {
        low: setting.low().from_the_top().collect(),
        high: setting.high().from_the_top().collect(),
        low_is: strengths.low.to_string(),
        high_is: ranking.name(strengths.high),
    }
}

async fn set(
    State(app): State<Arc<App>>,
    Sent(hand): Sent<Hand>,
) -> Result<Json<SetHand>, ApiError> {
    let (rulebook, dealt) = hand.read(&app).await?;
    let decision = set_house_way(rulebook, dealt);
    Ok(Json(SetHand {
        setting: in_words(decision.setting, rulebook.ranking()),
        clause: decision.clause.id.to_string(),
        why: decision.clause.says.to_string(),
        bonus: BonusHand::of(dealt),
    }))
}

/// Every legal setting of a hand, the best first.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Advice {
    /// How many hands of the banker are possible.
    deals: u64,
    /// The settings.
    settings: Vec<Advised>,
}

/// A setting and what it is worth.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Advised {
    /// The setting.
    setting: Set,
    /// Against so many hands of the banker it wins.
    win: u64,
    /// Against so many it pushes.
    push: u64,
    /// Against so many it loses.
    lose: u64,
    /// What it is worth for each dollar wagered.
    value: f64,
    /// Whether it is the House Way.
    house_way: bool,
}

/// An advisor has read its banker's House Way, which takes a while: once for each rulebook.
pub(super) fn advisor(rulebook: &'static Rulebook) -> Arc<Advisor<'static>> {
    static KEPT: Once<usize, Advisor<'static>> = Once::new();
    KEPT.get(place(rulebook), || Advisor::new(rulebook))
}

async fn advise(
    State(app): State<Arc<App>>,
    Sent(hand): Sent<Hand>,
) -> Result<Json<Advice>, ApiError> {
    let (rulebook, dealt) = hand.read(&app).await?;
    // Two milliseconds of counting: not where sockets are served.
    let advised = app.rulebooks.count(move || {
        let stake = Stake::of(rulebook);
        let all = advisor(rulebook).advise(dealt, stake);
        let all = all.into_iter().map(|it| Advised {
            setting: in_words(it.setting, rulebook.ranking()),
            win: it.outcomes.win,
            push: it.outcomes.push,
            lose: it.outcomes.lose,
            value: it.outcomes.value(stake).as_f64(),
            house_way: it.house_way,
        });
        Advice { deals: houseway_odds::BANKER_HANDS, settings: all.collect() }
    });
    Ok(Json(advised.await?))
}
