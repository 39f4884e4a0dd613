//! A node of the house: the house as it runs in production, on a store and a clock of its own. It
//! lives, is killed, and starts again from the store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use houseway_server::app::App;
use houseway_server::clock::{Clock, SystemClock};
use houseway_server::config::Config;
use houseway_server::integrity::Integrity;
use houseway_server::serve::{last_written, take_up};
use tokio::time::Instant;

use crate::figures::Fault;
use crate::judge::at_once;
use crate::truth::Sabotage;
use crate::wire::{Wire, carry_out};
use crate::world::{World, vault};

/// The clock of a node: the house's own, on a machine that may sleep while it runs.
pub(crate) struct NodeClock {
    house: SystemClock,
    slept: AtomicU64,
}

impl NodeClock {
    /// The machine has slept for so many milliseconds, and its counter has gone on.
    pub(crate) fn leap(&self, ms: u64) {
        self.slept.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Clock for NodeClock {
    fn now(&self) -> u64 {
        self.house.now() + self.slept.load(Ordering::Relaxed)
    }
}

/// A node and where it stands.
pub(crate) struct Node {
    pub(crate) life: u32,
    /// The house, while the node lives.
    pub(crate) app: Option<Arc<App>>,
    /// The way to the store, while the node lives.
    pub(crate) wire: Option<Arc<Wire>>,
    /// Its clock, while the node lives.
    pub(crate) clock: Option<Arc<NodeClock>>,
    /// Until when it does nothing.
    pub(crate) paused: Option<Instant>,
}

impl Node {
    pub(crate) fn new() -> Node {
        Node { life: 0, app: None, wire: None, clock: None, paused: None }
    }
}

/// Starts a node, and tries until it stands.
pub(crate) async fn start(world: &Arc<World>, number: usize) {
    for _ in 0..1_000 {
        if try_start(world, number).await {
            return;
        }
        world.wait(200, 2_000).await;
    }
}

async fn try_start(world: &Arc<World>, number: usize) -> bool {
    let life = {
        let mut node = world.node(number);
        if node.wire.is_some() {
            return true;
        }
        node.life += 1;
        node.life
    };
    let wire = Arc::new(Wire::new(world.clone(), number));
    world.node(number).wire = Some(wire.clone());
    let shows = reading(world, life);
    let last = match world.plan.sabotage {
        Sabotage::ClockGoesBack => 0,
        _ => last_written(&world.truth.memory).await.unwrap_or(0),
    };
    let house = SystemClock::reading(shows, last);
    let clock = Arc::new(NodeClock { house, slept: AtomicU64::new(0) });
    let chance = world.dice().split();
    let database = (world.plan.nodes > 1).then(|| "simulated".to_string());
    let config = Config { database, ..Config::default() };
    let started = take_up(
        config,
        BTreeMap::new(),
        wire.clone(),
        vault(chance),
        clock.clone(),
        Integrity::default(),
    );
    // A node that hangs while it starts is given up.
    let started = tokio::time::timeout(Duration::from_secs(30), started).await;
    let mut node = world.node(number);
    // It may have been killed meanwhile.
    if node.life != life || node.wire.is_none() {
        return false;
    }
    let Ok(Ok(app)) = started else {
        node.wire = None;
        drop(node);
        wire.kill();
        world.tell(&format!("node {number} could not start"));
        return false;
    };
    node.app = Some(app);
    node.clock = Some(clock);
    drop(node);
    world.tell(&format!("node {number} starts its life {life}, its clock at {shows}"));
    true
}

/// What the machine's clock shows as a node starts: about the time with several nodes, which is
/// their operator's duty; anything at all with one.
fn reading(world: &World, life: u32) -> u64 {
    let now = world.now().saturating_add_signed(world.off.load(Ordering::Relaxed));
    let skew = world.plan.skew;
    if world.plan.nodes > 1 {
        return now - skew / 2 + world.dice().below(skew + 1);
    }
    if life > 1 && world.goes_wrong(300, Fault::ClockSet) {
        let hour = 3_600_000;
        return now - 2 * hour + world.dice().below(4 * hour);
    }
    now
}

/// Kills a node: whatever it was about to do never happens, and whatever it was about to be told
/// never arrives. What it was about to store is there or not, all of it.
pub(crate) fn kill(world: &Arc<World>, number: usize) -> bool {
    let killed = stop(world, number);
    if killed {
        let kept = world.dice().thousand(500);
        settle(world, if kept { usize::MAX } else { 0 });
    }
    killed
}

/// Cuts the power of a house with one node, which comes back in a while. What was written and not
/// synced is there up to some append, and not from there on.
pub(crate) fn power_cut(world: &Arc<World>, number: usize) {
    if stop(world, number) {
        let written = world.unsynced().len() as u64;
        let kept = world.dice().below(written + 1) as usize;
        settle(world, kept);
        come_back(world, number);
    }
}

/// Stops a house with one node, and loses what was written and not synced.
pub(crate) fn lose_power(world: &Arc<World>, number: usize) {
    if stop(world, number) {
        settle(world, 0);
    }
}

/// What became of the writes that were not synced: so many of them are kept.
fn settle(world: &Arc<World>, most: usize) {
    let written = std::mem::take(&mut *world.unsynced());
    let lost = written.len().saturating_sub(most);
    (0..lost).for_each(|_| world.went_wrong(Fault::WriteLost));
    if !written.is_empty() {
        world.tell(&format!("of {} writes, {lost} are lost", written.len()));
    }
    at_once(carry_out(world, written, most));
}

/// A node that was killed is started again in a while.
pub(crate) fn come_back(world: &Arc<World>, number: usize) {
    let world = world.clone();
    tokio::spawn(async move {
        world.wait(200, 25_000).await;
        start(&world, number).await;
    });
}

fn stop(world: &World, number: usize) -> bool {
    let mut node = world.node(number);
    let Some(wire) = node.wire.take() else { return false };
    wire.kill();
    // Nothing else holds on to it but requests that nobody waits for.
    drop(node.app.take());
    node.clock = None;
    node.paused = None;
    drop(node);
    world.tell(&format!("node {number} is killed"));
    true
}
