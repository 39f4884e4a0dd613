//! Staff at work: irregularities, rulings, tables that are closed and opened again.

use std::sync::Arc;

use houseway_rules::rulebook::{Incident, Role};
use houseway_server::desk::{Ask, HouseAsk};
use houseway_table::{Action, Actor, Call, Offer, Person, options};

use crate::link::Client;
use crate::world::World;

/// The staff of a table, one post after the other.
pub(crate) async fn work(world: Arc<World>, table: usize) {
    let posts = [
        (901, Role::Dealer),
        (902, Role::PitSupervisor),
        (903, Role::PitManager),
        (904, Role::GamingShiftManager),
    ];
    let mut clients = posts.map(|(person, role)| {
        Client::new(&world, Actor { person: Person(person), role }, world.table(table))
    });
    while !world.is_over() {
        world.wait(5_000, 60_000).await;
        let place = world.dice().below(clients.len() as u64) as usize;
        let client = &mut clients[place];
        let Some((app, room)) = client.look().await else { continue };
        let snapshot = room.now();
        drop(room);
        if snapshot.desk.is_closed() && client.by.role >= Role::PitManager {
            let why = "all is well again".into();
            client.insist(Ask::House(HouseAsk::OpenTable { why })).await;
            continue;
        }
        if client.by.role >= Role::PitManager && world.dice().thousand(60) {
            let why = "a chair is broken".into();
            client.insist(Ask::House(HouseAsk::CloseTable { why })).await;
            continue;
        }
        let (person, role) = (client.by.person, client.by.role);
        let offers = options(snapshot.desk.table(), person, role, app.house.now());
        let offer = world.dice().pick(&offers);
        if let Some(action) = offer.and_then(|offer| act(&world, &offer)) {
            client.insist(Ask::Table(action)).await;
        }
    }
}

/// What staff make of an offer. What would empty the table is done seldom.
fn act(world: &World, offer: &Offer) -> Option<Action> {
    let mut dice = world.dice();
    match offer {
        Offer::Call { what, spots, unrepaired, repairs } => {
            let seldom = matches!(what, Incident::NotCovered);
            if seldom && !dice.thousand(100) {
                return None;
            }
            let spot = dice.pick(spots);
            let repair = match *unrepaired && dice.thousand(500) {
                true => None,
                false => dice.pick(repairs),
            };
            if repair.is_none() && !unrepaired {
                return None;
            }
            Some(Action::Call(Call { what: *what, spot, repair }))
        }
        Offer::Rule { rulings } => {
            let ruling = dice.pick(rulings)?;
            let reason = "it was seen by the camera".into();
            dice.thousand(400).then_some(Action::Rule { ruling, reason })
        }
        Offer::Restrict { persons } => {
            let person = dice.pick(persons)?;
            dice.thousand(20).then_some(Action::Restrict { person, reason: "a test".into() })
        }
        Offer::CloseBets => dice.thousand(300).then_some(Action::CloseBets),
        Offer::Settle => Some(Action::Settle),
        Offer::Resume => Some(Action::Resume),
        Offer::Reveal { .. } => Some(Action::Reveal { low: None }),
        Offer::TimeUp => Some(Action::TimeUp),
        Offer::OpenRound => Some(Action::OpenRound),
        _ => None,
    }
}
