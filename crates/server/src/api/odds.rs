//! The exact odds of a rulebook's bets, with all that is shipped about them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use houseway_odds::answers::{BestGame, FortuneAboveBanker, HouseWayGame, Question};
use houseway_odds::bonus::{self, Bonus};
use houseway_odds::envy::{self, PerOtherHand};
use houseway_odds::game::{self, Counted, DEALS, Outcomes, Stake, Value};
use houseway_odds::ways::{Compared, Example};
use houseway_odds::{BANKER_HANDS, Seat};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{BonusHand, Card, Category, Cents};
use schemars::JsonSchema;
use serde::Serialize;

use super::game::{Row, find};
use super::once::{Once, place};
use super::{Access, ApiError, Named, Routes};
use crate::app::App;

pub(super) fn add(routes: Routes) -> Routes {
    routes
        .get("/api/odds/{id}", Access::Anyone, "The exact odds of a rulebook's bets")
        .answers::<Odds>()
        .by(odds)
}

/// The exact odds of a rulebook's bets. What is left out was not counted for this rulebook.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Odds {
    /// The rulebook's id.
    rules: String,
    /// What is kept of a win, in percent.
    commission: u8,
    /// All hands of seven cards.
    hands: u64,
    /// All deals of two hands.
    deals: u64,
    /// The standard wager of a player who sets the House Way.
    house_way: Option<Wagered>,
    /// The standard wager of a player who sets best.
    optimal: Option<Wagered>,
    /// The same with the commission waived, where it can be.
    waived: Option<Wagered>,
    /// A player who banks and sets best, on one opponent's wager, where players bank.
    banker: Option<Wagered>,
    /// What is not told because it takes minutes to count, and what counts it.
    not_counted: Option<String>,
    /// What a hundred rounds of one unit come to by the House Way.
    session: Vec<Bar>,
    /// The House Way's game by what the best five of the seven cards are.
    categories: Vec<OfCategory>,
    /// The House Way's game by the row of the sheet that sets the hand.
    rows: Vec<OfRow>,
    /// How many hands are worth more set otherwise.
    set_otherwise: Option<u64>,
    /// The hands for which that matters most.
    better: Vec<Better>,
    /// The Fortune Bonus.
    fortune: Fortune,
    /// What Envy does to it, by how many others play.
    envy: Option<Envy>,
    /// Tiger 9, where there is one.
    tiger: Option<Tiger>,
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
    /// What the other side keeps of each dollar.
    edge: f64,
    /// The variance of the gain on one dollar.
    variance: f64,
    /// The chance to be ahead after a hundred rounds.
    ahead: f64,
}

impl Wagered {
    fn of(it: Outcomes, stake: Stake) -> Wagered {
        Wagered {
            deals: it.deals(),
            win: it.win,
            push: it.push,
            lose: it.lose,
            edge: edge(it.value(stake)),
            variance: it.variance(stake),
            ahead: game::session(it, stake, ROUNDS).ahead,
        }
    }
}

/// Rounds of which results are told.
const ROUNDS: usize = 100;

/// The chance of results from one number of units up to another.
#[derive(Serialize, JsonSchema)]
struct Bar {
    /// From so many units.
    from: i64,
    /// Below so many.
    to: i64,
    /// How likely.
    chance: f64,
}

/// The deals in which the best five cards are of a category.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct OfCategory {
    /// Its name.
    category: String,
    /// So many hands.
    hands: u64,
    /// Deals won.
    win: u64,
    /// Deals pushed.
    push: u64,
    /// Deals lost.
    lose: u64,
    /// What the banker keeps of each dollar.
    edge: f64,
}

/// The deals in which a row of the sheet sets the hand.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct OfRow {
    /// The row.
    row: Row,
    /// So many hands.
    hands: u64,
    /// What the banker keeps of each dollar on such a hand.
    edge: f64,
    /// What the best settings of such hands would gain, of each dollar over all deals.
    gives_away: Option<f64>,
}

/// Hands of the same ranks that are worth more set otherwise than the House Way.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Better {
    /// One of them.
    cards: Vec<Card>,
    /// The clause that sets them.
    clause: String,
    /// What goes Low by the House Way.
    low: Vec<Card>,
    /// What had better go Low.
    other_low: Vec<Card>,
    /// So many hands.
    hands: u64,
    /// What is gained on one such hand, of each dollar.
    gain: f64,
}

/// The Fortune Bonus over all hands.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Fortune {
    /// What is paid, highest first.
    lines: Vec<FortuneLine>,
    /// Hands that pay nothing.
    nothing: u64,
    /// What the house keeps of each dollar by the pay table alone.
    table_edge: f64,
    /// What the house keeps of each dollar as the bonus is paid here.
    edge: f64,
    /// The variance of the gain on one dollar by the pay table alone.
    variance: f64,
    /// The clause by which it is paid only if the banker's own bonus hand is lower.
    above_banker: Option<String>,
}

/// A hand that the Fortune Bonus pays.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct FortuneLine {
    /// The hand.
    hand: BonusHand,
    /// How many hands are paid for it.
    hands: u64,
    /// So many to one.
    pays: u32,
    /// And Envy, in cents.
    envy: Option<u64>,
    /// The share in which it is paid where the banker's own hand must be lower; else one.
    paid: f64,
}

/// The Fortune Bonus with Envy.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Envy {
    /// A Fortune Bonus wager of so many cents.
    wager: u64,
    /// A Fortune Bonus wager that waives the commission, in cents, where one does.
    waived_from: Option<u64>,
    /// By how many others play.
    by_others: Vec<ByOthers>,
}

/// The Fortune Bonus with so many others at the table.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct ByOthers {
    /// So many others.
    others: u32,
    /// What Envy brings on average, in dollars a round.
    brings: f64,
    /// What the house keeps of each dollar of the bonus wager.
    edge: f64,
    /// The standard wager, in dollars, from which the waived commission pays for the bonus wager.
    pays_from: Option<f64>,
}

/// Tiger 9.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Tiger {
    /// It wins with so many hands of the banker.
    hands: u64,
    /// So many to one.
    pays: u32,
    /// What the banker keeps of each dollar.
    edge: f64,
    /// The variance of the gain on one dollar.
    variance: f64,
}

async fn odds(State(app): State<Arc<App>>, Named(id): Named<String>) -> Result<Response, ApiError> {
    static KEPT: Once<usize, Odds> = Once::new();
    let rulebook = find(&app, &id)?;
    let count = move || KEPT.get(place(rulebook), || Odds::count(rulebook));
    let odds = app.rulebooks.count(count).await?;
    Ok(Json(&*odds).into_response())
}

impl Odds {
    /// Most of it is shipped; the rest takes some tenths of a second.
    fn count(rulebook: &'static Rulebook) -> Odds {
        let stake = Stake::of(rulebook);
        let best = |seat, waived| BestGame { rulebook, seat, waived };
        let wagered = |question: BestGame<'_>| {
            let stake = question.stake();
            question.shipped().map(|it| Wagered::of(it.other.total(), stake))
        };
        let counted = HouseWayGame(rulebook).shipped();
        let compared = best(Seat::Player, false).shipped();
        let total = counted.as_ref().map(Counted::total);
        let (fortune, worth) = Fortune::count(rulebook);
        Odds {
            rules: rulebook.id.to_string(),
            commission: 100 - stake.win,
            hands: Bonus::HANDS,
            deals: DEALS,
            house_way: total.map(|it| Wagered::of(it, stake)),
            optimal: compared.as_ref().map(|it| Wagered::of(it.other.total(), stake)),
            waived: wagered(best(Seat::Player, true)),
            banker: wagered(best(Seat::Banker, false)),
            not_counted: (total.is_none() || compared.is_none()).then(|| {
                "every deal of the standard wager, which takes a minute and a gigabyte: \
                 `houseway odds game --rules FILE` counts it"
                    .to_string()
            }),
            session: total.map_or(vec![], |it| session(it, stake)),
            categories: counted.as_ref().map_or(vec![], |it| categories(it, stake)),
            rows: counted
                .as_ref()
                .map_or(vec![], |it| rows(rulebook, it, compared.as_ref(), stake)),
            set_otherwise: compared.as_ref().map(Compared::hands_set_otherwise),
            better: compared.as_ref().map_or(vec![], |it| better(rulebook, it)),
            fortune,
            envy: total.and_then(|it| Envy::count(rulebook, it, worth)),
            tiger: bonus::tiger_nine(rulebook).map(|it| Tiger {
                hands: it.hands,
                pays: it.pays,
                edge: edge(it.value),
                variance: it.variance(),
            }),
        }
    }
}

/// What the other side keeps.
fn edge(value: Value) -> f64 {
    0.0 - value.as_f64()
}

/// Results in steps of two units; what is beyond the ends is in the last of them.
fn session(game: Outcomes, stake: Stake) -> Vec<Bar> {
    const STEP: i64 = 2;
    const LOWEST: i64 = -31;
    let mut bars: Vec<Bar> = (0..31)
        .map(|bar| LOWEST + bar * STEP)
        .map(|from| Bar { from, to: from + STEP, chance: 0.0 })
        .collect();
    let last = bars.len() - 1;
    for (hundredths, chance) in game::session(game, stake, ROUNDS).results {
        let bar = (hundredths - LOWEST * 100).div_euclid(STEP * 100);
        bars[usize::try_from(bar).unwrap_or(0).min(last)].chance += chance;
    }
    bars
}

fn categories(counted: &Counted, stake: Stake) -> Vec<OfCategory> {
    let of = |category: Category| {
        let it = counted.of_category(category);
        OfCategory {
            category: category.name().to_string(),
            hands: it.deals() / BANKER_HANDS,
            win: it.win,
            push: it.push,
            lose: it.lose,
            edge: edge(it.value(stake)),
        }
    };
    Category::ALL.into_iter().map(of).filter(|it| it.hands > 0).collect()
}

fn rows(
    rulebook: &Rulebook,
    counted: &Counted,
    compared: Option<&Compared>,
    stake: Stake,
) -> Vec<OfRow> {
    let gives_away = |place: usize| {
        let all = compared?.differences.iter().filter(|it| it.clause == place);
        let gain = all.map(|it| i128::from(it.gain)).sum();
        Some(Value { gain, of: i128::from(DEALS) * 100 }.as_f64())
    };
    let of = |place: usize| {
        let it = counted.of_clause(place);
        OfRow {
            row: Row::of(rulebook, place),
            hands: it.deals() / BANKER_HANDS,
            edge: edge(it.value(stake)),
            gives_away: gives_away(place),
        }
    };
    (0..rulebook.house_way.len()).map(of).filter(|it| it.hands > 0).collect()
}

/// So many hands that matter most are told.
const MOST: usize = 10;

fn better(rulebook: &Rulebook, compared: &Compared) -> Vec<Better> {
    let of_clause = |place: usize| &*rulebook.house_way[place].id;
    let mut all: Vec<(&str, &Example)> = compared
        .differences
        .iter()
        .flat_map(|it| it.most.iter().map(|example| (of_clause(it.clause), example)))
        .collect();
    all.sort_by_key(|(_, example)| -example.gain);
    let each = |it: &Example| Value {
        gain: it.gain.into(),
        of: i128::from(it.hands) * i128::from(BANKER_HANDS) * 100,
    };
    let told = |(clause, it): (&str, &Example)| Better {
        cards: it.cards.from_the_top().collect(),
        clause: clause.to_string(),
        low: it.low.from_the_top().collect(),
        other_low: it.other_low.from_the_top().collect(),
        hands: it.hands,
        gain: each(it).as_f64(),
    };
    all.into_iter().take(MOST).map(told).collect()
}

impl Fortune {
    /// The bonus, and what it is worth as it is paid here.
    #[expect(clippy::cast_precision_loss, reason = "a share, to be printed")]
    fn count(rulebook: &Rulebook) -> (Fortune, Value) {
        let counted = bonus::fortune(rulebook);
        let above = FortuneAboveBanker(rulebook).shipped().flatten();
        let worth = above.as_ref().map_or(counted.value(), bonus::AboveBanker::value);
        let paid = |hand: BonusHand| {
            let line = above.as_ref()?.lines.iter().find(|line| line.category == hand)?;
            Some(line.paid as f64 / (line.paid + line.returned) as f64)
        };
        let lines = counted.lines.iter().map(|&(hand, hands, pays)| FortuneLine {
            hand,
            hands,
            pays,
            envy: rulebook.fortune.envy(hand).map(Cents::get),
            paid: paid(hand).unwrap_or(1.0),
        });
        let fortune = Fortune {
            lines: lines.collect(),
            nothing: counted.nothing,
            table_edge: edge(counted.value()),
            edge: edge(worth),
            variance: counted.variance(),
            above_banker: rulebook.fortune.only_above_banker.as_ref().map(ToString::to_string),
        };
        (fortune, worth)
    }
}

impl Envy {
    /// For the wager that Envy asks for, at least five dollars.
    fn count(rulebook: &Rulebook, game: Outcomes, worth: Value) -> Option<Envy> {
        let asked = rulebook.envy.as_ref()?.fortune_at_least;
        let one: PerOtherHand = envy::per_other_hand(rulebook).ok()??;
        let wager = asked.max(Cents::dollars(5));
        let with = |others: u32| ByOthers {
            others,
            brings: one.dollars() * f64::from(others),
            edge: envy::edge_with_envy(edge(worth), one, wager, others),
            pays_from: envy::break_even_wager(rulebook, game, worth, Some(one), others),
        };
        let others = 0..u32::from(rulebook.seats.betting_positions);
        Some(Envy {
            wager: wager.get(),
            waived_from: rulebook.waiver().map(|it| it.is.get()),
            by_others: others.map(with).collect(),
        })
    }
}
