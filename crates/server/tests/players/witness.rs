//! What clients were told, held against itself and against what the house has kept.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Instant;

use houseway_server::desk::{Ask, Desk, HouseAsk};
use houseway_server::record::Record;
use houseway_server::vault::Vault;
use houseway_store::{Head, Store, StreamId, TableId, Version};
use houseway_table::{Actor, Event, How, Person, Phase};
use serde_json::Value;

use super::Answered;

/// A command that was answered: acknowledged, and so for ever.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) person: u32,
    pub(crate) token: String,
    pub(crate) table: u64,
    pub(crate) id: String,
    pub(crate) command: Value,
    pub(crate) answered: Answered,
    /// Which node answered, and when.
    pub(crate) by: SocketAddr,
    pub(crate) at: Instant,
}

/// A command on its way to a node, for the first time or again.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) id: String,
    pub(crate) to: SocketAddr,
    pub(crate) at: Instant,
}

/// What all clients together were told.
#[derive(Default)]
pub(crate) struct Witness {
    pub(crate) acknowledged: Vec<Acknowledged>,
    /// Everything that was sent, whether it was answered or not.
    pub(crate) sent: Vec<Sent>,
    /// Where one was told otherwise than another: two nodes that both believe a table to be theirs.
    pub(crate) contradictions: Vec<String>,
    /// What happened at each table, by version.
    happened: BTreeMap<(u64, u64), Value>,
    /// What the deck of each round was committed to.
    commitments: BTreeMap<(u64, u64), String>,
    /// How often someone was told that a round goes on after a break.
    pub(crate) told_resumed: u64,
}

impl Witness {
    /// Someone was told that this happened. Everyone is told the same.
    pub(crate) fn happened(&mut self, table: u64, it: &Value) {
        let version = it["version"].as_u64().expect("a version");
        if it["event"] == "resumed" {
            self.told_resumed += 1;
        }
        let known = self.happened.entry((table, version)).or_insert_with(|| it.clone());
        if known != it {
            self.contradictions.push(format!("version {version} of table {table}: {known}, {it}"));
        }
    }

    /// Someone was told what the round's deck is committed to.
    pub(crate) fn committed(&mut self, update: &Value) {
        let Some(commitment) = update["commitment"].as_str() else { return };
        let table = update["table"].as_u64().expect("a table");
        let round = update["view"]["round"].as_u64().expect("a round");
        let known = self.commitments.entry((table, round)).or_insert_with(|| commitment.into());
        if known != commitment {
            let found = format!("the deck of round {round} at table {table} was rolled again");
            self.contradictions.push(found);
        }
    }

    /// What was acknowledged from a place on.
    pub(crate) fn since(&self, place: usize) -> Vec<Acknowledged> {
        self.acknowledged[place..].to_vec()
    }
}

/// What an audit counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) entries: u64,
    pub(crate) commands: u64,
    pub(crate) rounds_dealt: u64,
    pub(crate) taken_up: u64,
    /// Commands that were acknowledged and are not kept as they were answered.
    pub(crate) lost: Vec<String>,
    /// Versions left out or there twice, things told in two ways, commands done more or less than once.
    pub(crate) doubles: Vec<String>,
}

/// The kinds of entries that a command leads to, each exactly once.
fn kind_of(command: &Value) -> &'static str {
    match command["do"].as_str().expect("a word") {
        "bring-money" => "money-brought",
        "sit" => "sat",
        "place" => "placed",
        "take-bank" => "bank-taken",
        "decline-bank" => "bank-declined",
        "view" => "viewed",
        "set" | "set-house-way" => "set",
        "set-banker" => "banker-set",
        "ready" => "ready",
        "say" => "said",
        "concede" => "conceded",
        "withdraw" => "returned",
        other => panic!("nobody sends {other}"),
    }
}

/// The kind of an entry, as far as it is what the person asked for: setting a hand may set others
/// that were left to the dealer.
fn own_kind<'a>(desk: &Desk, person: Person, record: &Record, kind: &'a str) -> &'a str {
    let (position, left) = match record {
        Record::Happened(Event::LeftToDealer { position, .. }) => (position, true),
        // A second hand that may not be looked at is set by itself.
        Record::Happened(Event::Set { how: How::Unviewed, .. }) => return "set by the dealer",
        Record::Happened(Event::Set { position, .. } | Event::Dead { position, .. }) => {
            (position, false)
        }
        _ => return kind,
    };
    let Phase::Setting(play) = desk.table().phase() else { return kind };
    let own = play.hands.get(position).is_some_and(|hand| hand.holder == person);
    let was_left = play.left_to_dealer.contains(position);
    if own && (left || !was_left) { "set" } else { "set by the dealer" }
}

/// Holds everything that clients were told against what is kept: nothing acknowledged is lost,
/// nothing was done twice, every deck is the one that was committed to, chains and books are whole.
/// `starts` is when the house was started again; rounds that ran then were taken up first.
pub(crate) async fn audit(
    witness: &Witness,
    store: &dyn Store,
    vault: &Vault,
    starts: &[u64],
    anchors: &BTreeMap<StreamId, Head>,
) -> Figures {
    let figures = inspect(witness, store, vault, starts, anchors).await;
    assert_eq!(figures.lost, Vec::<String>::new());
    assert_eq!(figures.doubles, Vec::<String>::new());
    figures
}

/// As `audit`, for whoever counts what was lost or is there twice before judging it.
pub(crate) async fn inspect(
    witness: &Witness,
    store: &dyn Store,
    vault: &Vault,
    starts: &[u64],
    anchors: &BTreeMap<StreamId, Head>,
) -> Figures {
    let mut figures = Figures { doubles: witness.contradictions.clone(), ..Figures::default() };
    assert_eq!(store.check_books().await.expect("books"), [], "the books do not add up");
    for (stream, _) in store.heads("").await.expect("heads") {
        let anchor = anchors.get(&stream).copied();
        store.verify_chain(&stream, anchor).await.unwrap_or_else(|error| {
            panic!("{stream}: {error}");
        });
    }

    // Each acknowledged command is remembered as it was answered.
    for it in &witness.acknowledged {
        let id = it.id.parse().expect("an id");
        let known = store.recall(Person(it.person), id).await.expect("recall");
        let kept = known.map(|known| Answered {
            version: known.version.0,
            answer: serde_json::from_str(&known.answer).expect("an answer is JSON"),
        });
        if kept.as_ref() != Some(&it.answered) {
            figures.lost.push(format!("{it:?} is kept as {kept:?}"));
        }
        figures.commands += 1;
    }

    // What people did, by person, table and kind: as often as it was acknowledged.
    let mut acknowledged: BTreeMap<(u64, u32, String), i64> = BTreeMap::new();
    for it in witness.acknowledged.iter().filter(|it| it.answered.is_done()) {
        let kind = kind_of(&it.command).to_string();
        *acknowledged.entry((it.table, it.person, kind)).or_default() += 1;
    }
    let mut kept: BTreeMap<(u64, u32, String), i64> = BTreeMap::new();
    let tables: BTreeSet<u64> = witness.happened.keys().map(|(table, _)| *table).collect();
    for &table in &tables {
        let id = TableId(table);
        let stream = StreamId::table(id);
        let mut desk: Option<Desk> = None;
        let mut committed = BTreeMap::new();
        let (mut after, mut last_at, mut versions) = (Version(0), 0, 0);
        loop {
            let page = store.read(&stream, after, 1_000).await.expect("a page");
            let Some(last) = page.last() else { break };
            after = last.version;
            for entry in &page {
                figures.entries += 1;
                versions += 1;
                if entry.version.0 != versions {
                    figures.doubles.push(format!("{stream}: {} for {versions}", entry.version));
                    versions = entry.version.0;
                }
                let stamped = vault.read(entry).expect("it can be read");
                if let Some(told) = witness.happened.get(&(table, entry.version.0)) {
                    let kind = if entry.kind == "dead" || entry.kind == "banker-set" {
                        told["event"].as_str().expect("a word")
                    } else {
                        &entry.kind
                    };
                    if told["event"] != *kind || told["at"] != entry.at {
                        let found = format!("{stream} {}: {told} for {kind}", entry.version);
                        figures.doubles.push(found);
                    }
                }
                let Some(desk) = &mut desk else {
                    let Record::Opened(opening) = stamped.record else { panic!("{stream}") };
                    let setup = opening.setup().expect("a set-up");
                    desk = Some(Desk::new(id, opening, setup));
                    continue;
                };
                // The first thing after a start is that a running round goes on.
                let started = starts.iter().any(|&start| last_at < start && start <= entry.at);
                if started && desk.table().is_at_stake() {
                    let resumed = matches!(stamped.record, Record::Resumed { .. });
                    assert!(resumed, "{stream} {}: {:?}", entry.version, stamped.record);
                    figures.taken_up += 1;
                }
                last_at = entry.at;
                match &stamped.record {
                    Record::Committed(it) => {
                        let first = committed.insert(it.round, it.commitment).is_none();
                        assert!(first, "{stream}: round {} was committed to twice", it.round);
                    }
                    Record::Happened(Event::Dealt { .. }) => {
                        let ask = Ask::House(HouseAsk::DealCommitted);
                        let due = desk.decide(Actor::DEALER, &ask, entry.at, vault);
                        let due = due.expect("it is dealt");
                        assert_eq!(
                            due[0], stamped.record,
                            "{stream} {}: another deck",
                            entry.version
                        );
                        figures.rounds_dealt += 1;
                    }
                    _ => {}
                }
                let person = stamped.by.person;
                if person != Actor::DEALER.person && !desk.is_bot(person) {
                    let kind = own_kind(desk, person, &stamped.record, &entry.kind);
                    *kept.entry((table, person.0, kind.to_string())).or_default() += 1;
                }
                desk.apply(&stamped, entry.at);
            }
        }
        for ((of, round), told) in &witness.commitments {
            if *of == table {
                let kept = committed.get(round).map(ToString::to_string);
                assert_eq!(kept.as_ref(), Some(told), "{stream}: the deck of round {round}");
            }
        }
    }
    for (key, &count) in &acknowledged {
        let there = kept.get(key).copied().unwrap_or_default();
        if there != count {
            let found = format!("{key:?}: acknowledged {count} times, kept {there} times");
            figures.doubles.push(found);
        }
    }
    figures
}
