//! What goes wrong with nodes: they are killed, paused, cut off, and come back; their clocks jump.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use crate::dice::Dice;
use crate::figures::Fault;
use crate::node::{come_back, kill};
use crate::world::World;

/// How far a clock jumps at most.
const HOUR: u64 = 3_600_000;

/// How far it leaps forward in a night: limits on what someone loses in a day are to hold for all of it.
const LEAPS: u64 = 3 * HOUR;

/// Lets clocks jump while people play, until it is calm. Several nodes are promised to be right by their
/// operator; the clock of one alone may do what it wants. Set forward or back, the machine's clock is
/// read again when the node starts. After a sleep, the house's own has leapt.
pub(crate) async fn set_clocks(world: Arc<World>) {
    if world.plan.roughness == 0 || world.plan.nodes > 1 {
        return;
    }
    let mut dice = Dice::new(world.plan.seed ^ 0xc10c);
    let mut left = LEAPS;
    loop {
        let ms = dice.between(60_000, 1_800_000 / world.plan.roughness);
        tokio::time::sleep(Duration::from_millis(ms)).await;
        if world.is_calm() {
            return;
        }
        let by = dice.between(1, HOUR);
        let clock = world.node(0).clock.clone();
        match (dice.below(4), clock) {
            (0, _) => {
                world.off.fetch_add(by.cast_signed(), Ordering::Relaxed);
                world.went_wrong(Fault::ClockSetForward);
                world.tell(&format!("the machine's clock is set forward by {by}"));
            }
            (1, _) => {
                world.off.fetch_sub(by.cast_signed(), Ordering::Relaxed);
                world.went_wrong(Fault::ClockSetBack);
                world.tell(&format!("the machine's clock is set back by {by}"));
            }
            (_, Some(clock)) if left > 0 => {
                let by = by.min(left);
                left -= by;
                clock.leap(by);
                world.went_wrong(Fault::ClockLeapt);
                world.tell(&format!("the node's clock leaps forward by {by}"));
            }
            _ => {}
        }
    }
}

/// Makes trouble until it is calm.
pub(crate) async fn make(world: Arc<World>, people: Vec<u32>) {
    if world.plan.roughness == 0 {
        return;
    }
    loop {
        world.wait(4_000, 320_000 / world.plan.roughness).await;
        if world.is_calm() {
            return;
        }
        let number = world.dice().below(world.plan.nodes as u64) as usize;
        let within = |ms: u64| Instant::now() + Duration::from_millis(ms);
        let what = world.dice().below(10);
        match what {
            0..3 => {
                if kill(&world, number) {
                    world.went_wrong(Fault::NodeKilled);
                    come_back(&world, number);
                }
            }
            3 => {
                world.went_wrong(Fault::HouseKilled);
                for number in 0..world.plan.nodes {
                    if kill(&world, number) {
                        come_back(&world, number);
                    }
                }
            }
            4..6 => {
                let until = within(world.dice().between(500, 20_000));
                world.went_wrong(Fault::NodePaused);
                world.node(number).paused = Some(until);
                world.tell(&format!("node {number} is paused"));
            }
            6..8 => {
                let until = within(world.dice().between(500, 12_000));
                let wire = world.node(number).wire.clone();
                if let Some(wire) = wire {
                    world.went_wrong(Fault::StoreCut);
                    wire.cut_until(until);
                    world.tell(&format!("node {number} is cut off from the store"));
                }
            }
            _ => {
                let until = within(world.dice().between(1_000, 40_000));
                let Some(person) = world.dice().pick(&people) else { continue };
                world.went_wrong(Fault::Partition);
                let mut partitions = world.partitions.lock().expect("nobody panics with it");
                partitions.insert((person, number), until);
                drop(partitions);
                world.tell(&format!("person {person} cannot reach node {number}"));
            }
        }
    }
}
