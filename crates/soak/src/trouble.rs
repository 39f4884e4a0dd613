//! What goes wrong with nodes: they are killed, paused, cut off, and come back.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::figures::Fault;
use crate::node::{come_back, kill};
use crate::world::World;

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
