//! One night, from its first table to the last check.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic;
use std::sync::{Arc, Once};
use std::time::Duration;

use houseway_rules::Cents;
use houseway_server::house::Wish;
use houseway_store::{AccountName, Append, Move, NewEntry, NewUser, Store, StreamId, TableId};
use houseway_table::{Person, Places, Position};

use crate::figures::{Figures, Invariant};
use crate::guest::{Guest, lie};
use crate::judge::at_once;
use crate::node::{kill, start};
use crate::plan::Plan;
use crate::world::World;
use crate::{staff, trouble};

/// How long no round may end before the night is: people have lost their money, or were sent away.
const LULL: Duration = Duration::from_mins(20);

/// How long rounds may take to end once all is calm.
const TO_THE_END: Duration = Duration::from_mins(20);

/// What a night came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    /// Its plan.
    pub plan: Plan,
    /// A hash over everything that happened.
    pub hash: String,
    /// What was counted.
    pub figures: Figures,
    /// What did not hold: the first is what to look at.
    pub breaks: Vec<(Invariant, String)>,
    /// What happened, line by line, if it was to be kept.
    pub trace: Vec<String>,
}

/// A whole night.
pub fn night(plan: Plan) -> Night {
    run(plan, false)
}

/// A whole night, with what happened line by line.
pub fn traced(plan: Plan) -> Night {
    run(plan, true)
}

thread_local! {
    /// What has panicked in the night that this thread plays. A task that does is gone without a word
    /// otherwise.
    static PANICKED: Cell<Option<String>> = const { Cell::new(None) };
}

/// Takes down what panics, besides printing it.
fn watch_for_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PANICKED.set(Some(info.to_string()));
            before(info);
        }));
    });
}

fn run(plan: Plan, keep_trace: bool) -> Night {
    watch_for_panics();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("one thread and a clock");
    let night = runtime.block_on(async move {
        let world = World::new(plan, keep_trace);
        let begun = tokio::time::Instant::now();
        PANICKED.take();
        let played = tokio::spawn(play(world.clone())).await;
        let panicked = PANICKED.take();
        let holds = played.is_ok() && panicked.is_none();
        {
            let mut judge = world.judge();
            judge.hold(Invariant::NothingPanics, holds, || format!("{panicked:?} {played:?}"));
            if !holds {
                // Whatever else did not hold came of it.
                judge.breaks.rotate_right(1);
            }
        }
        let (hash, trace) = world.told();
        let mut figures = world.figures().clone();
        let judge = world.judge();
        figures.checks.clone_from(&judge.checks);
        figures.rounds = judge.rounds;
        figures.entries = judge.entries;
        figures.transfers = judge.transfers;
        figures.breaks = judge.breaks.len() as u64;
        figures.simulated_ms = begun.elapsed().as_millis() as u64;
        let breaks = judge.breaks.iter().map(|it| (it.what, it.how.clone())).collect();
        Night { plan: world.plan.clone(), hash, figures, breaks, trace }
    });
    // Whatever still waits is forgotten with it.
    drop(runtime);
    night
}

async fn play(world: Arc<World>) {
    let world = &world;
    world.tell(&format!("{:?}", world.plan));
    register(world);
    for number in 0..world.plan.nodes {
        start(world, number).await;
    }
    let mut people = vec![];
    for table in 0..world.plan.tables.len() {
        open(world, table).await;
        people.extend(seat(world, table).await);
        tokio::spawn(staff::work(world.clone(), table));
    }
    tokio::spawn(trouble::make(world.clone(), people));
    tokio::spawn(trouble::set_clocks(world.clone()));
    let (mut rounds, mut last) = (0, tokio::time::Instant::now());
    while !world.is_over() && rounds < world.plan.rounds && last.elapsed() < LULL {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = world.judge().rounds;
        if now != rounds {
            (rounds, last) = (now, tokio::time::Instant::now());
        }
    }
    let broken = world.judge().broken();
    if !broken {
        come_to_rest(world).await;
        ask_again(world).await;
    }
    let mut judge = world.judge();
    if !judge.broken() {
        judge.in_the_end(&world.truth.memory);
    }
    drop(judge);
    for (account, balance) in at_once(world.truth.memory.balances("")).unwrap_or_default() {
        world.tell(&format!("{account} {balance}"));
    }
    // Nodes hold on to the world, and the world to its nodes.
    for number in 0..world.plan.nodes {
        kill(world, number);
    }
}

/// Opens a table at the first node.
pub(crate) async fn open(world: &Arc<World>, table: usize) {
    let rules = world.plan.tables[table].to_string();
    let results = Some(world.dice().between(0, 6_000));
    let wish = Wish { bots: Some(world.plan.bots), results, ..Wish::new(&rules) };
    loop {
        let app = world.node(0).app.clone();
        if let Some(app) = app {
            // The node may be killed meanwhile: then nothing comes back.
            let opened = app.house.open_table(Person(1), wish.clone());
            if let Ok(Ok(id)) = tokio::time::timeout(LULL, opened).await {
                return world.tables.lock().expect("nobody panics with it").push(id);
            }
        }
        world.wait(100, 1_000).await;
    }
}

/// The people of the house, whom accounts belong to.
fn register(world: &World) {
    for number in 1..=world.plan.tables.len() * 10 {
        let name = format!("Guest {number}");
        let role = "player".into();
        let user = NewUser { name, password_hash: None, role, created: world.now() };
        at_once(world.truth.memory.add_user(user)).expect("a name of their own");
    }
}

/// Gives people money and lets them play.
async fn seat(world: &Arc<World>, table: usize) -> Vec<u32> {
    let id = world.table(table);
    let desk = world.judge().desk(id).expect("it was opened").clone();
    let bots: BTreeSet<Position> = desk.opening().bots.iter().map(|bot| bot.position).collect();
    let seats = Places::of(&desk.table().setup().rulebook).seats;
    let free: Vec<Position> = (1..=seats).map(Position).filter(|at| !bots.contains(at)).collect();
    // One seat stays free for whoever plays two hands.
    let guests = usize::from(world.plan.guests).min(free.len() - 1);
    let mut people = vec![];
    for (number, &position) in free.iter().take(guests).enumerate() {
        let person = Person((table * 10 + number + 1) as u32);
        pay(world, person, 50_000).await;
        let others = free.iter().take(guests).chain(&bots).copied();
        let others: Vec<Position> = others.filter(|at| *at != position).collect();
        let guest = Guest::new(world, table, person, position, others);
        tokio::spawn(guest.play());
        people.push(person.0);
    }
    let liar = Person((table * 10 + 9) as u32);
    tokio::spawn(lie(world.clone(), table, liar, free));
    people
}

/// Gives someone play money.
pub(crate) async fn pay(world: &Arc<World>, person: Person, dollars: u32) {
    let gift = Move {
        from: AccountName::issue("play").expect("a name"),
        to: AccountName::wallet(person),
        amount: Cents::dollars(dollars),
        reason: "gift".into(),
        clause: None,
    };
    let head = at_once(world.truth.memory.head(&StreamId::house())).expect("a head");
    let append = Append {
        stream: StreamId::house(),
        expected: head.version,
        at: world.now(),
        entries: vec![NewEntry { kind: "gift".into(), body: "{}".into(), moves: vec![gift] }],
        command: None,
        rounds: vec![],
        mark: None,
    };
    let _ = world.append(append).await;
}

/// Nothing goes wrong any more, nobody begins anything: every round comes to its end.
async fn come_to_rest(world: &Arc<World>) {
    world.calm_down();
    world.end();
    world.tell("all is calm");
    for number in 0..world.plan.nodes {
        start(world, number).await;
    }
    let running =
        |id: &TableId| world.judge().desk(*id).is_some_and(|desk| desk.table().is_at_stake());
    let tables = world.tables.lock().expect("nobody panics with it").clone();
    let end = tokio::time::Instant::now() + TO_THE_END;
    for id in tables {
        while running(&id) && tokio::time::Instant::now() < end {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        let still = running(&id);
        let mut judge = world.judge();
        let phase = judge.desk(id).map(|desk| format!("{:?}", desk.table().phase()));
        judge.hold(Invariant::PlayGoesOn, !still, || format!("table {id} stands still: {phase:?}"));
    }
}

/// Reads every table anew at a node that has just started, and holds it against what was live.
async fn ask_again(world: &Arc<World>) {
    kill(world, 0);
    start(world, 0).await;
    let app = world.node(0).app.clone().expect("all is calm");
    let tables = world.tables.lock().expect("nobody panics with it").clone();
    for id in tables {
        match app.house.room(id).await {
            Ok(room) => world.judge().live(&room.now()),
            Err(error) => {
                let why = error.to_string();
                world.judge().hold(Invariant::ReplayIsLive, false, || why);
            }
        }
    }
    let lately = std::mem::take(&mut *world.lately.lock().expect("nobody panics with it"));
    for (table, asked) in lately {
        let (person, id) = (asked.by.person, asked.id);
        match app.ask(table, asked).await {
            Ok(answer) => {
                world.figures().answered_again += 1;
                world.judge().told(person, id, &answer);
            }
            Err(error) => {
                let why = format!("{person}'s {id} is not answered again: {error}");
                world.judge().hold(Invariant::SameAnswer, false, || why);
            }
        }
    }
}
