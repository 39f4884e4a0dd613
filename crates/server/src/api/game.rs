//! The game without a table: rulebooks, House Ways, exact advice and odds.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use houseway_odds::answers::{BestGame, HouseWayGame, Question};
use houseway_odds::game::{Outcomes, Stake};
use houseway_odds::{Seat, bonus};
use houseway_rules::describe::facts;
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{BonusHand, Card, CardSet, Cents, Dealt, Ranking, Setting, set_house_way};
use houseway_table::{Places, Posted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
        .get("/api/odds/{id}", Access::Anyone, "The exact odds of a rulebook's bets")
        .answers::<Odds>()
        .by(odds)
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

fn find(app: &App, id: &str) -> Result<&'static Rulebook, ApiError> {
    app.rulebooks.find(id).ok_or_else(|| ApiError::not_found("rulebook"))
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
    let rulebook = find(&app, &id)?;
    let choices = facts(rulebook).into_iter().map(|fact| Choice {
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
        choices: choices.collect(),
        clauses: clauses.collect(),
        fortune: fortune.collect(),
    }))
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
    fn read(&self, app: &App) -> Result<(&'static Rulebook, Dealt), ApiError> {
        let rulebook = find(app, &self.rules)?;
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
struct Set {
    /// The two cards in front.
    low: Vec<Card>,
    /// The five behind.
    high: Vec<Card>,
    /// What the two are.
    low_is: String,
    /// What the five are.
    high_is: String,
}

fn in_words(setting: Setting, ranking: Ranking) -> Set {
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
    let (rulebook, dealt) = hand.read(&app)?;
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

async fn advise(
    State(app): State<Arc<App>>,
    Sent(hand): Sent<Hand>,
) -> Result<Json<Advice>, ApiError> {
    let (rulebook, dealt) = hand.read(&app)?;
    let counting = app.clone();
    // Two milliseconds of counting: not where sockets are served.
    let advised = app.rulebooks.count(move || {
        let stake = Stake::of(rulebook);
        let all = counting.rulebooks.advisor(rulebook).advise(dealt, stake);
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

/// The exact odds of a rulebook's bets.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Odds {
    /// The rulebook's id.
    rules: String,
    /// The standard wager of a player who sets the House Way.
    house_way: Option<Wagered>,
    /// The standard wager of a player who sets best.
    optimal: Option<Wagered>,
    /// What the house keeps of the Fortune Bonus by its pay table, of each dollar.
    fortune_edge: f64,
    /// What the banker keeps of Tiger 9, of each dollar, where there is one.
    tiger_edge: Option<f64>,
    /// What is not told because it takes minutes to count, and what counts it.
    not_counted: Option<String>,
}

/// What becomes of a wager over all deals.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Wagered {
    /// Of so many deals.
    deals: u64,
    /// It wins in so many.
    win: u64,
    /// It pushes in so many.
    push: u64,
    /// It loses in so many.
    lose: u64,
    /// What the banker keeps of each dollar.
    edge: f64,
}

async fn odds(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Json<Value>, ApiError> {
    let rulebook = find(&app, &id)?;
    // Some of it is counted: a tenth of a second, not where sockets are served.
    let counted = app.rulebooks.odds(rulebook, move || {
        let odds = serde_json::to_value(count(rulebook));
        odds.expect("odds are JSON")
    });
    Ok(Json(counted.await?))
}

fn count(rulebook: &Rulebook) -> Odds {
    let stake = Stake::of(rulebook);
    let edge = |it: Outcomes| Wagered {
        deals: it.deals(),
        win: it.win,
        push: it.push,
        lose: it.lose,
        edge: -it.value(stake).as_f64(),
    };
    let best = BestGame { rulebook, seat: Seat::Player, waived: false };
    let house_way = HouseWayGame(rulebook).shipped().map(|it| edge(it.total()));
    let optimal = best.shipped().map(|it| edge(it.other.total()));
    let not_counted = (house_way.is_none() || optimal.is_none()).then(|| {
        "every deal of the standard wager, which takes a minute and a gigabyte: \
         `houseway odds game --rules FILE` counts it"
            .to_string()
    });
    Odds {
        rules: rulebook.id.to_string(),
        house_way,
        optimal,
        fortune_edge: -bonus::fortune(rulebook).value().as_f64(),
        tiger_edge: bonus::tiger_nine(rulebook).map(|it| -it.value.as_f64()),
        not_counted,
    }
}
