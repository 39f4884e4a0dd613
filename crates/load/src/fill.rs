//! Rounds by the thousand a second: a house in this process plays them, on the data folder that is
//! served afterwards. Guests ask its rooms as a socket would; all that is left out is the wire.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use houseway_rules::rulebook::{Banker, Wager};
use houseway_rules::{Cents, houses};
use houseway_server::app::App;
use houseway_server::config::Config;
use houseway_server::desk::{Ask, Desk, HouseAsk};
use houseway_server::house::Wish;
use houseway_server::inside::Inside;
use houseway_server::room::Asked;
use houseway_server::serve::DATABASE;
use houseway_table::{Action, Actor, Person, Phase, Position, Posted};
use tokio::time::Instant;
use uuid::Uuid;

use crate::door::{Guest, You};
use crate::figures::Filled;

/// How many rounds a table plays at most before another is opened: a day's and a night's.
const ROUNDS_A_TABLE: u64 = 1_000;

/// How many tables play at the same time, so that a commit is shared by many and the next is decided
/// meanwhile.
const AT_ONCE: u64 = 400;

/// How often it is told how far it has come.
const TELLING: Duration = Duration::from_secs(10);

/// Where guests sit.
const SEAT: Position = Position(1);

/// A store that was filled.
pub(crate) struct Fill {
    pub(crate) tables: Vec<Played>,
    pub(crate) figures: Filled,
}

/// A table that was played at.
pub(crate) struct Played {
    pub(crate) table: u64,
    pub(crate) rounds: u64,
    /// Who played there.
    pub(crate) guest: Guest,
}

/// Plays so many rounds in a data folder.
pub(crate) async fn fill(data: &Path, rounds: u64, rules: &str) -> anyhow::Result<Fill> {
    let start = Instant::now();
    let config = Config { data: data.to_path_buf(), ..Config::default() };
    let inside = Inside::open(config).await?;
    let played = Arc::new(AtomicU64::new(0));
    let telling = tokio::spawn(tell(played.clone(), rounds));
    // On tasks of their own, so that all cores work on them.
    let tables = shared_out(rounds).into_iter().map(|rounds| {
        let (app, rules, played) = (inside.app.clone(), rules.to_string(), played.clone());
        async move { tokio::spawn(async move { play(&app, &rules, rounds, &played).await }).await? }
    });
    let tables: Vec<Played> =
        stream::iter(tables).buffer_unordered(AT_ONCE as usize).try_collect().await?;
    telling.abort();
    inside.close().await;
    let seconds = start.elapsed().as_secs_f64();
    let figures = Filled {
        rounds,
        tables: tables.len(),
        seconds,
        rounds_per_second: rounds as f64 / seconds,
        megabytes: std::fs::metadata(data.join(DATABASE))?.len() as f64 / 1e6,
    };
    Ok(Fill { tables, figures })
}

/// How many rounds each table plays: few tables would wait for one another's commits.
fn shared_out(rounds: u64) -> Vec<u64> {
    let each = rounds.div_ceil(AT_ONCE).clamp(1, ROUNDS_A_TABLE);
    let rest = Some(rounds % each).filter(|it| *it > 0);
    (0..rounds / each).map(|_| each).chain(rest).collect()
}

/// A guest comes, opens a table and plays there.
async fn play(app: &App, rules: &str, rounds: u64, played: &AtomicU64) -> anyhow::Result<Played> {
    let entered = app.people.sit_down().await?;
    let person = entered.who.person;
    let wallet = app.people.grant(person, Cents::ZERO).await?;
    let rulebook = houses::find(rules).with_context(|| format!("there is no `{rules}`"))?;
    let wish = Wish {
        // No clock: a machine that is busy elsewhere plays the same rounds.
        posted: Some(Posted::usual(rulebook)),
        // Where the house does not bank, somebody must.
        bots: Some(u8::from(rulebook.bank.banker != Banker::House)),
        results: Some(120_000),
        ..Wish::new(rules)
    };
    let table = app.house.open_table(person, wish).await?;
    let room = app.house.room(table).await?;
    let by = Actor { person, role: entered.who.role };
    loop {
        let desk = room.now().desk.clone();
        if matches!(desk.table().phase(), Phase::Idle) && desk.table().round() == rounds {
            break;
        }
        let ask = wanted(&desk, person, wallet).context("a guest has nothing to do")?;
        let asked = Asked { by, ask, id: Uuid::now_v7() };
        let answer = app.ask(table, asked).await?;
        ensure!(answer.text == r#"{"answer":"done"}"#, "a guest was refused: {}", answer.text);
        let ended = room.now().desk.table().past().map_or(0, |past| past.round);
        let before = desk.table().past().map_or(0, |past| past.round);
        played.fetch_add(ended - before, Ordering::Relaxed);
    }
    let token = entered.token.reveal().to_string();
    let you = You { person: person.0, wallet: wallet.get() };
    Ok(Played { table: table.0, rounds, guest: Guest { token, you } })
}

/// What a guest does next, so that rounds are played to their end.
fn wanted(desk: &Desk, person: Person, wallet: Cents) -> Option<Ask> {
    let table = desk.table();
    let ready = Ask::House(HouseAsk::Ready);
    Some(match table.phase() {
        Phase::Idle if !table.people().contains_key(&person) => {
            Ask::Table(Action::BringMoney { amount: wallet })
        }
        Phase::Idle if desk.is_deserted() => Ask::Table(Action::Sit { position: SEAT }),
        Phase::Offering { to: SEAT, .. } => Ask::Table(Action::DeclineBank),
        Phase::Betting(betting) if !betting.stakes.contains_key(&SEAT) => {
            let amount = table.setup().posted.standard.minimum;
            let wager = Wager::Standard;
            Ask::Table(Action::Place { position: SEAT, wager, amount, person: None })
        }
        Phase::Setting(play) if play.hands.get(&SEAT).is_some_and(|it| it.low.is_none()) => {
            Ask::Table(Action::SetHouseWay { position: SEAT })
        }
        _ if !desk.ready().contains(&person) => ready,
        _ => return None,
    })
}

/// Says now and then how far it has come.
async fn tell(played: Arc<AtomicU64>, rounds: u64) {
    let start = Instant::now();
    loop {
        tokio::time::sleep(TELLING).await;
        let (played, seconds) = (played.load(Ordering::Relaxed), start.elapsed().as_secs_f64());
        eprintln!("{played} of {rounds} rounds, {:.0} a second", played as f64 / seconds);
    }
}

#[cfg(test)]
mod tests {
    use houseway_server::recall::recall;
    use houseway_store::TableId;
    use houseway_table::view::Onlooker;

    use super::*;

    #[test]
    fn rounds_are_shared_out_among_tables() {
        assert_eq!(shared_out(3), [1, 1, 1]);
        let (some, many) = (shared_out(1_001), shared_out(1_000_500));
        assert_eq!((some.iter().sum::<u64>(), some.len()), (1_001, 334));
        assert_eq!((many.iter().sum::<u64>(), many.len()), (1_000_500, 1_001));
        assert!(shared_out(0).is_empty());
    }

    /// What is stored is what a house in any other process would read: every round is found again, its
    /// books balance, and its log tells the same rows.
    #[tokio::test]
    async fn a_store_is_filled_with_rounds_of_every_house() {
        for rulebook in houses::HOUSES {
            let folder = tempfile::tempdir().expect("a folder");
            let fill = fill(folder.path(), 40, &rulebook.id).await.expect(&rulebook.id);
            assert_eq!(fill.tables.iter().map(|it| it.rounds).sum::<u64>(), 40, "{}", rulebook.id);
            let config = Config { data: folder.path().to_path_buf(), ..Config::default() };
            let again = Inside::open(config).await.expect("it opens again");
            let house = &again.app.house;
            assert!(house.check_rounds().await.expect("rows are read").is_empty());
            assert!(house.store().check_books().await.expect("books are read").is_empty());
            for Played { table, rounds, .. } in &fill.tables {
                for round in 1..=*rounds {
                    let told = recall(house, TableId(*table), round, Onlooker::Auditor).await;
                    let told = told.expect("a round that was played");
                    assert!(!told.statement.is_empty() && !told.steps.is_empty());
                }
            }
            again.close().await;
        }
    }
}
