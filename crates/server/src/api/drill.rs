//! Questions to learn House Ways by, with their answers; House Ways row by row, and where two part.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use houseway_odds::BANKER_HANDS;
use houseway_odds::answers::{HouseWayGame, Question};
use houseway_odds::game::Stake;
use houseway_rules::rulebook::Rulebook;
use houseway_rules::survey::{self, Tally};
use houseway_rules::{Card, CardSet, Contents, Dealt, HouseWay, Setting, classes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::game::{Row, Set, advisor, find, in_words};
use super::once::{Once, place};
use super::{Access, ApiError, Asks, Named, Routes};
use crate::app::App;

pub(super) fn add(routes: Routes) -> Routes {
    routes
        .get("/api/rules/{id}/house-way", Access::Anyone, "A House Way, row by row with examples")
        .answers::<Sheet>()
        .by(sheet)
        .get("/api/partings", Access::Anyone, "The hands that two houses set differently")
        .asks::<Pair>()
        .answers::<Partings>()
        .by(partings)
        .get("/api/drill", Access::Anyone, "A question about setting a hand, with its answer")
        .asks::<Wanted>()
        .answers::<Drill>()
        .by(drill)
}

/// A House Way. The first row that fits a hand sets it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Sheet {
    /// The rulebook's id.
    rules: String,
    /// Its rows.
    rows: Vec<SheetRow>,
}

/// A row with what it does.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct SheetRow {
    /// The row.
    row: Row,
    /// How we understand the document where it leaves something open.
    readings: Vec<ReadingSays>,
    /// It sets so many hands.
    hands: u64,
    /// One of them, as it is set.
    example: Option<Set>,
}

/// A numbered reading.
#[derive(Serialize, JsonSchema)]
struct ReadingSays {
    /// Its number.
    id: String,
    /// What it says.
    says: String,
}

/// Every row's hands are counted once, with an example: a second for each house.
fn tallies(rulebook: &'static Rulebook) -> Arc<Vec<Tally>> {
    static KEPT: Once<usize, Vec<Tally>> = Once::new();
    KEPT.get(place(rulebook), || {
        survey::clauses(&rulebook.house_way, rulebook.ranking()).expect("a house sets every hand")
    })
}

fn house_way(rulebook: &'static Rulebook) -> Arc<HouseWay<'static>> {
    static KEPT: Once<usize, HouseWay<'static>> = Once::new();
    KEPT.get(place(rulebook), || HouseWay::new(rulebook))
}

async fn sheet(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Json<Sheet>, ApiError> {
    let rulebook = find(&app, &id)?;
    let counted = app.rulebooks.count(move || {
        let tallies = tallies(rulebook);
        let row = |(place, tally): (usize, &Tally)| SheetRow {
            row: Row::of(rulebook, place),
            readings: rulebook.house_way[place]
                .readings
                .iter()
                .map(|it| ReadingSays { id: it.to_string(), says: it.says().to_string() })
                .collect(),
            hands: tally.hands,
            example: tally
                .example
                .map(|dealt| in_words(house_way(rulebook).set(dealt).setting, rulebook.ranking())),
        };
        let rows = tallies.iter().enumerate().map(row).collect();
        Json(Sheet { rules: rulebook.id.to_string(), rows })
    });
    Ok(counted.await?)
}

/// Two houses.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pair {
    /// One rulebook's id.
    rules: String,
    /// The other's.
    other: String,
}

/// Where two houses set hands differently.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Partings {
    /// Of so many hands.
    of: u64,
    /// So many are set differently.
    hands: u64,
    /// By the rows that decide, the most hands first.
    by_rows: Vec<Parting>,
}

/// Hands that two houses set differently, for the same pair of reasons.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Parting {
    /// So many hands.
    hands: u64,
    /// What one house says.
    row: Row,
    /// What the other says.
    other_row: Row,
    /// One of the hands, as the one sets it.
    setting: Set,
    /// As the other sets it.
    other_setting: Set,
}

type Parted = Vec<survey::Parting<'static>>;

fn parted(one: &'static Rulebook, other: &'static Rulebook) -> Arc<Parted> {
    static KEPT: Once<(usize, usize), Parted> = Once::new();
    KEPT.get((place(one), place(other)), || survey::partings(one, other))
}

async fn partings(
    State(app): State<Arc<App>>,
    Asks(pair): Asks<Pair>,
) -> Result<Json<Partings>, ApiError> {
    let (one, other) = (find(&app, &pair.rules)?, find(&app, &pair.other)?);
    let counted = app.rulebooks.count(move || {
        let told = |it: &survey::Parting<'static>| {
            let [row, other_row] =
                [(one, 0), (other, 1)].map(|(house, side)| Row::citing(house, it.clauses[side]));
            let [setting, other_setting] = [(one, 0), (other, 1)]
                .map(|(house, side)| in_words(it.settings[side], house.ranking()));
            Parting { hands: it.tally.hands, row, other_row, setting, other_setting }
        };
        let by_rows: Vec<Parting> = parted(one, other).iter().map(told).collect();
        let hands = by_rows.iter().map(|it| it.hands).sum();
        Json(Partings { of: houseway_rules::sweep::HANDS, hands, by_rows })
    });
    Ok(counted.await?)
}

/// What kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum DrillKind {
    /// How does the house set this hand?
    Set,
    /// Which row of the sheet decides?
    Clause,
    /// Which setting is worth most?
    Best,
    /// Two houses set it differently: which way is this one's?
    Houses,
}

/// The question that is wanted. The same is answered with the same.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// The rulebook's id.
    rules: String,
    /// What kind.
    kind: DrillKind,
    /// What the hand is drawn from.
    seed: u64,
    /// Only hands that this row of the sheet sets, by its place from zero.
    row: Option<usize>,
    /// The other house, where two are asked about.
    other: Option<String>,
}

/// A question with its answer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Drill {
    /// The rulebook's id.
    rules: String,
    /// What kind of question.
    kind: DrillKind,
    /// The seven cards.
    cards: Vec<Card>,
    /// What they contain, in a word that stays the same.
    shape: String,
    /// How the house sets them.
    setting: Set,
    /// The row that says so.
    row: Row,
    /// Why, in a sentence about these cards.
    why: String,
    /// The settings among which one chooses, in no order: every legal one, or those of two houses.
    settings: Vec<Possible>,
    /// The rows among which one chooses, in no order.
    rows: Vec<Row>,
    /// The other house's answer, where two are asked about.
    other: Option<OtherHouse>,
}

/// A setting that can be chosen.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Possible {
    /// The setting.
    setting: Set,
    /// Whether it answers the question: cards of one rank stand for one another.
    right: bool,
    /// Whether it is the House Way, or as good as that.
    house_way: bool,
    /// What it is worth for each dollar, where the best is asked for.
    value: Option<f64>,
}

/// How the other house sets the hand.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct OtherHouse {
    /// Its rulebook's id.
    rules: String,
    /// The setting.
    setting: Set,
    /// The row that says so.
    row: Row,
    /// Why, in a sentence about these cards.
    why: String,
}

/// Chance for questions, from their seed. Nothing hangs on it but variety.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        let scaled = (u128::from(self.next()) * end as u128) >> 64;
        usize::try_from(scaled).expect("it is below the end")
    }

    fn hand(&mut self) -> Dealt {
        let mut cards = CardSet::EMPTY;
        while cards.len() < 7 {
            cards = cards.with(Card::from_index(self.below(53)).expect("one of 53"));
        }
        Dealt::new(cards).expect("seven")
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for place in (1..all.len()).rev() {
            all.swap(place, self.below(place + 1));
        }
    }

    /// A hand that is like another but for the suits.
    fn alike(&mut self, dealt: Dealt) -> Dealt {
        let all = classes::hands(dealt);
        all[self.below(all.len())]
    }
}

/// So many hands are drawn to find one that is wanted; then a known one is taken.
const DRAWS: usize = 20_000;

async fn drill(
    State(app): State<Arc<App>>,
    Asks(wanted): Asks<Wanted>,
) -> Result<Json<Drill>, ApiError> {
    let rulebook = find(&app, &wanted.rules)?;
    let other = wanted.other.as_deref().map(|id| find(&app, id)).transpose()?;
    match (wanted.kind, other) {
        (DrillKind::Houses, None) => return Err(ApiError::unfit("other", "which other house?")),
        (DrillKind::Houses, Some(_)) | (_, None) => {}
        _ => return Err(ApiError::unfit("other", "only a question about two houses has another")),
    }
    let rows = rulebook.house_way.len();
    if wanted.row.is_some_and(|row| row >= rows || wanted.kind == DrillKind::Houses) {
        let says = format!("the sheet has the rows 0 to {}", rows - 1);
        return Err(ApiError::unfit("row", says));
    }
    let Wanted { kind, seed, row, .. } = wanted;
    let mut chance = Chance(seed);
    let alike = || ApiError::unfit("other", "these two houses set every hand alike");
    let never = || ApiError::unfit("row", "that row sets no hand: one before it always fits");
    let counted = app.rulebooks.count(move || {
        let dealt = match (other, row) {
            (Some(other), _) => parting_hand(rulebook, other, &mut chance).ok_or_else(alike)?,
            (None, Some(row)) => hand_of_row(rulebook, row, &mut chance).ok_or_else(never)?,
            (None, None) => any_hand(rulebook, &mut chance),
        };
        Ok(Json(Drill::about(rulebook, kind, dealt, other, &mut chance)))
    });
    counted.await?
}

/// A hand to learn from: of a few that are drawn, the one whose row decides the fewest hands. One
/// question in four is about the first hand that comes.
fn any_hand(rulebook: &'static Rulebook, chance: &mut Chance) -> Dealt {
    let house_way = house_way(rulebook);
    let counted = HouseWayGame(rulebook).shipped();
    let draws = 1 << (2 * chance.below(4));
    let rarity = |dealt: &Dealt| {
        let (place, _) = house_way.try_set_numbered(*dealt).expect("a house sets every hand");
        counted.as_ref().map(|it| it.of_clause(place).deals() / BANKER_HANDS)
    };
    (0..draws).map(|_| chance.hand()).min_by_key(rarity).expect("one was drawn")
}

/// A hand that a row sets, if it sets any: some printed rows never come to decide.
fn hand_of_row(rulebook: &'static Rulebook, row: usize, chance: &mut Chance) -> Option<Dealt> {
    let house_way = house_way(rulebook);
    let decides =
        |dealt: &Dealt| house_way.try_set_numbered(*dealt).is_ok_and(|(place, _)| place == row);
    (0..DRAWS).map(|_| chance.hand()).find(decides).or_else(|| {
        let example = tallies(rulebook)[row].example?;
        Some(chance.alike(example))
    })
}

/// A hand that two houses set differently, if there is one.
fn parting_hand(
    rulebook: &'static Rulebook,
    other: &'static Rulebook,
    chance: &mut Chance,
) -> Option<Dealt> {
    let ways = [rulebook, other].map(house_way);
    let differ = |dealt: &Dealt| {
        let [one, two] = ways.each_ref().map(|way| way.set(*dealt).setting);
        !same(rulebook, one, two)
    };
    (0..DRAWS).map(|_| chance.hand()).find(differ).or_else(|| {
        let parted = parted(rulebook, other);
        let example = parted.first()?.tally.example?;
        Some(chance.alike(example))
    })
}

/// Whether two settings of a hand are worth the same, whatever their suits.
fn same(rulebook: &Rulebook, one: Setting, other: Setting) -> bool {
    one.strengths(rulebook.ranking()) == other.strengths(rulebook.ranking())
}

impl Drill {
    fn about(
        rulebook: &'static Rulebook,
        kind: DrillKind,
        dealt: Dealt,
        other: Option<&'static Rulebook>,
        chance: &mut Chance,
    ) -> Drill {
        let ranking = rulebook.ranking();
        let decision = house_way(rulebook).set(dealt);
        let row = Row::citing(rulebook, decision.clause);
        let other_way = other.map(|house| (house, house_way(house).set(dealt)));
        let possible = |setting, right, value| Possible {
            setting: in_words(setting, ranking),
            right,
            house_way: same(rulebook, setting, decision.setting),
            value,
        };
        let mut settings: Vec<Possible> = match kind {
            DrillKind::Set => dealt
                .legal_settings(ranking)
                .map(|it| possible(it, same(rulebook, it, decision.setting), None))
                .collect(),
            DrillKind::Clause => vec![],
            DrillKind::Best => {
                let stake = Stake::of(rulebook);
                let all = advisor(rulebook).advise(dealt, stake);
                let most = all.iter().map(|it| it.outcomes.value(stake).gain).max();
                let right = |gain| Some(gain) == most;
                all.iter()
                    .map(|it| (it.setting, it.outcomes.value(stake)))
                    .map(|(it, value)| possible(it, right(value.gain), Some(value.as_f64())))
                    .collect()
            }
            DrillKind::Houses => {
                let both = other_way.iter().map(|(_, it)| (it.setting, false));
                let both = both.chain([(decision.setting, true)]);
                both.map(|(it, right)| possible(it, right, None)).collect()
            }
        };
        chance.shuffle(&mut settings);
        let rows = if kind == DrillKind::Clause { rows(rulebook, &row, chance) } else { vec![] };
        Drill {
            rules: rulebook.id.to_string(),
            kind,
            cards: dealt.cards().from_the_top().collect(),
            shape: Contents::of(dealt).shape.id().to_string(),
            setting: in_words(decision.setting, ranking),
            why: decision.why(),
            row,
            settings,
            rows,
            other: other_way.map(|(house, it)| OtherHouse {
                rules: house.id.to_string(),
                setting: in_words(it.setting, house.ranking()),
                row: Row::citing(house, it.clause),
                why: it.why(),
            }),
        }
    }
}

/// The row that decides among three that do not.
fn rows(rulebook: &Rulebook, right: &Row, chance: &mut Chance) -> Vec<Row> {
    let mut places: Vec<usize> =
        (0..rulebook.house_way.len()).filter(|&place| place != right.place).collect();
    chance.shuffle(&mut places);
    places.truncate(3);
    places.push(right.place);
    places.sort_unstable();
    places.into_iter().map(|place| Row::of(rulebook, place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::{houses, set_house_way};

    fn drilled(house: &'static Rulebook, kind: DrillKind, seed: u64) -> Drill {
        let mut chance = Chance(seed);
        let dealt = any_hand(house, &mut chance);
        Drill::about(house, kind, dealt, None, &mut chance)
    }

    fn cards(all: &[Card]) -> CardSet {
        all.iter().fold(CardSet::EMPTY, |set, &card| set.with(card))
    }

    /// The answer is what reading the sheet gives, and it is among the right settings.
    #[test]
    fn answers_are_what_the_sheet_says() {
        for house in houses::HOUSES {
            for seed in 0..200 {
                let drill = drilled(house, DrillKind::Set, seed);
                let dealt = Dealt::new(cards(&drill.cards)).expect("seven");
                let read = set_house_way(house, dealt);
                assert_eq!(cards(&drill.setting.low), read.setting.low());
                assert_eq!(house.house_way[drill.row.place], *read.clause);
                let own = |it: &&Possible| cards(&it.setting.low) == read.setting.low();
                assert!(drill.settings.iter().find(own).is_some_and(|it| it.right));
                assert_eq!(drill.settings.len(), dealt.legal_settings(house.ranking()).count());
            }
        }
    }

    /// A question about clauses offers four, one of which decides.
    #[test]
    fn four_rows_are_offered_and_one_decides() {
        for seed in 0..100 {
            let drill = drilled(&houses::CARDROOM, DrillKind::Clause, seed);
            let mut places: Vec<usize> = drill.rows.iter().map(|it| it.place).collect();
            places.dedup();
            assert_eq!((places.len(), places.contains(&drill.row.place)), (4, true));
        }
    }

    /// No setting is worth more than one that is called right, and one is.
    #[test]
    fn the_best_is_worth_most() {
        for seed in 0..20 {
            let drill = drilled(&houses::CATFISH_BEND, DrillKind::Best, seed);
            let value = |it: &Possible| it.value.expect("it is worth something");
            let most = drill.settings.iter().map(value).fold(f64::MIN, f64::max);
            for it in &drill.settings {
                assert_eq!(it.right, value(it) >= most, "{}", it.setting.low_is);
            }
        }
    }

    /// Even a row that sets six hands of 154 million can be practised; one that sets none cannot.
    #[test]
    fn every_row_that_sets_a_hand_can_be_practised() {
        for house in houses::HOUSES {
            let tallies = tallies(house);
            for row in 0..house.house_way.len() {
                let dealt = hand_of_row(house, row, &mut Chance(7));
                assert_eq!(dealt.is_some(), tallies[row].hands > 0, "{} {row}", house.id);
                let read = dealt.map(|dealt| set_house_way(house, dealt).clause);
                assert!(read.is_none_or(|it| house.house_way[row] == *it), "{} {row}", house.id);
            }
        }
    }

    /// Two editions of one House Way part nowhere; others do, and the hand shows it.
    #[test]
    fn houses_part_where_they_part() {
        let mut chance = Chance(3);
        assert_eq!(parting_hand(&houses::MBS_2016, &houses::MBS_2020, &mut chance), None);
        for seed in 0..50 {
            let mut chance = Chance(seed);
            let (one, other) = (&houses::MBS_2020, &houses::CARDROOM);
            let dealt = parting_hand(one, other, &mut chance).expect("they part");
            let drill = Drill::about(one, DrillKind::Houses, dealt, Some(other), &mut chance);
            assert_eq!(drill.settings.iter().filter(|it| it.right).count(), 1);
            let theirs = drill.other.expect("the other house");
            assert_eq!(cards(&theirs.setting.low), set_house_way(other, dealt).setting.low());
            assert_ne!(cards(&theirs.setting.low), cards(&drill.setting.low));
        }
    }
}
