//! A finished round told step by step, as one onlooker may see it.
//!
//! A recall shows cards through [`view`] alone, so nobody learns from it what they could not have
//! seen. Who may recall whose rounds is decided by whoever asks here.

use std::collections::BTreeMap;

use houseway_rules::{Card, Cents};
use houseway_store::{RoundRow, StatusKind, StreamId, TableId, Version};
use houseway_table::deal::Spot;
use houseway_table::settlement::Line;
use houseway_table::view::{HandView, Look, Onlooker, TableView, view};
use houseway_table::{Bank, Event, How, InPlay, Person, Phase, Position};
use schemars::JsonSchema;
use serde::Serialize;

use crate::desk::Desk;
use crate::history::PlayedRound;
use crate::house::House;
use crate::mark::Place;
use crate::protocol::{Happened, happened};
use crate::record::Record;
use crate::room::{Applied, Unanswered};
use crate::rounds::HOUSE;

/// How many entries are read at once.
const PAGE: u32 = 1_000;

/// Why a round is not recalled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRecalled {
    /// There was no such round, or it has not ended.
    #[error("table {table} has no finished round {round}")]
    NoRound {
        /// At which table.
        table: u64,
        /// Which round.
        round: u64,
    },
    /// It could not be read.
    #[error(transparent)]
    Failed(#[from] Unanswered),
}

/// A finished round, step by step, as one onlooker may see it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Recall {
    /// Always true: this is a replay, nothing of it happens now.
    pub replay: bool,
    /// What the table is called.
    pub name: String,
    /// What the round came to: for a player their own shares, for staff everyone's.
    pub round: PlayedRound,
    /// The table before the first step.
    pub before: TableView,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// The statement, line by line; nothing for a void round.
    pub statement: Vec<Line>,
    /// Every clause that is cited, with our sentence for it, in the order of citing.
    pub clauses: Vec<CitedClause>,
    /// What was done for people who were not there to do it.
    pub for_the_absent: Vec<ForTheAbsent>,
    /// Money at the table before and after: for a player their own, for staff everyone's.
    pub funds: Vec<Funds>,
    /// Later corrections of the round.
    pub corrections: Vec<PlayedRound>,
    /// Every card as it was dealt, those that nobody saw too. For an auditor alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealt: Option<AllCards>,
}

/// One step of a round.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Step {
    /// What happened, as everyone may know it.
    #[schemars(with = "Happened<'static>")]
    pub happened: serde_json::Value,
    /// The table after it.
    pub view: TableView,
}

/// A clause with our sentence for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CitedClause {
    /// Its printed id.
    pub clause: String,
    /// What it says; nothing where it has no sentence.
    pub says: Option<String>,
}

/// Something that the platform did for someone who was not there to do it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ForTheAbsent {
    /// At which entry.
    pub version: u64,
    /// For whom.
    pub person: Person,
    /// Where they sat.
    pub position: Position,
    /// What.
    pub did: DoneForThem,
}

/// What can be done for someone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DoneForThem {
    /// Their hand was set the House Way.
    Set,
    /// The bank was declined.
    DeclinedBank,
}

/// Someone's money at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Funds {
    /// Whose.
    pub person: Person,
    /// Before the round.
    pub before: Cents,
    /// What was brought during it.
    pub brought: Cents,
    /// What was taken away during it.
    pub taken: Cents,
    /// After it.
    pub after: Cents,
}

/// Every card of a round.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AllCards {
    /// Each hand, in the order of dealing.
    pub hands: Vec<(Spot, Vec<Card>)>,
    /// The cards left over.
    pub left_over: Vec<Card>,
}

/// Replays a finished round for an onlooker, however they look.
///
/// The table before it is made from the last mark in front of it, so that a long log is not read from
/// its beginning.
pub async fn recall(
    house: &House,
    table: TableId,
    round: u64,
    look: impl Into<Look>,
) -> Result<Recall, NotRecalled> {
    let look = look.into();
    let rows = house.store().round(table, round).await.map_err(Unanswered::from)?;
    let corrected = |row: &&RoundRow| row.status.kind() == StatusKind::Corrected;
    let Some(row) = rows.iter().find(|row| !corrected(row)) else {
        return Err(NotRecalled::NoRound { table: table.0, round });
    };
    let mut desk = house.desk_at(table, Version(row.first.0 - 1)).await?;
    let before = desk.clone();
    // Whose money is told beside the steps.
    let own = |person: Person| match look.by {
        Onlooker::Player(own) => person == own,
        Onlooker::Spectator => false,
        Onlooker::Staff(..) | Onlooker::Auditor => true,
    };
    let mut telling = Telling::new(look);
    let mut last_at = row.began;
    house
        .read_between(table, Version(row.first.0 - 1), row.last, |applied| {
            telling.notice(&desk, &applied);
            desk.apply(&applied.stamped, applied.at);
            telling.tell(&desk, &applied);
            last_at = applied.at;
        })
        .await?;
    let played = view(desk.table(), look, last_at);
    let rulebook = &desk.table().setup().rulebook;
    let clauses = telling.clauses.iter().map(|id| CitedClause {
        clause: id.clone(),
        says: rulebook.clause(id).map(|saying| saying.says.to_owned()),
    });
    Ok(Recall {
        replay: true,
        name: desk.opening().name.clone(),
        round: PlayedRound::of(row, own),
        before: view(before.table(), look, row.began),
        clauses: clauses.collect(),
        for_the_absent: telling.for_the_absent(&played),
        funds: telling.funds(&before, &desk, row, own),
        corrections: rows.iter().filter(corrected).map(|it| PlayedRound::of(it, own)).collect(),
        steps: telling.steps,
        statement: telling.statement,
        dealt: telling.dealt,
    })
}

/// What a recall gathers on its way.
struct Telling {
    look: Look,
    steps: Vec<Step>,
    statement: Vec<Line>,
    clauses: Vec<String>,
    absent: Vec<ForTheAbsent>,
    brought: BTreeMap<Person, Cents>,
    taken: BTreeMap<Person, Cents>,
    dealt: Option<AllCards>,
}

impl Telling {
    fn new(look: Look) -> Telling {
        Telling {
            look,
            steps: vec![],
            statement: vec![],
            clauses: vec![],
            absent: vec![],
            brought: BTreeMap::new(),
            taken: BTreeMap::new(),
            dealt: None,
        }
    }

    /// Notes what is told apart from the steps, with the table as it was before.
    fn notice(&mut self, desk: &Desk, applied: &Applied) {
        let Record::Happened(event) = &applied.stamped.record else { return };
        let seated = |at: Position| desk.table().seats().get(&at).copied();
        let mut absent = |position: Position, did| {
            let Some(person) = seated(position) else { return };
            self.absent.push(ForTheAbsent { version: applied.version.0, person, position, did });
        };
        match event {
            Event::Set { position, how: How::Absent, .. } => absent(*position, DoneForThem::Set),
            // A banking player who sets freely sets themselves, or was not there to.
            Event::BankerSet { .. } => {
                if let Phase::Setting(InPlay {
                    bank: Bank::Player { position, person, .. }, ..
                }) = desk.table().phase()
                    && desk.table().setup().rulebook.bank.player_banker.is_some()
                    && applied.stamped.by.person != *person
                {
                    absent(*position, DoneForThem::Set);
                }
            }
            Event::BankDeclined { position }
                if Some(applied.stamped.by.person) != seated(*position) =>
            {
                absent(*position, DoneForThem::DeclinedBank);
            }
            Event::MoneyBrought { person, amount } => add(&mut self.brought, *person, *amount),
            Event::MoneyTaken { person, amount } => add(&mut self.taken, *person, *amount),
            Event::Settled { lines } => self.statement.clone_from(lines),
            Event::Dealt { hands, left_over, .. } if self.look.by == Onlooker::Auditor => {
                self.dealt = Some(AllCards {
                    hands: hands
                        .iter()
                        .map(|(spot, cards)| (*spot, cards.iter().collect()))
                        .collect(),
                    left_over: left_over.iter().collect(),
                });
            }
            _ => {}
        }
    }

    /// Tells a step, with the table as it is after it. Clauses are taken from what is told: one
    /// that set a hidden hand would tell of its cards.
    fn tell(&mut self, desk: &Desk, applied: &Applied) {
        let happened = serde_json::to_value(happened(applied)).expect("what happened is JSON");
        cite(&happened, &mut self.clauses);
        self.steps.push(Step { happened, view: view(desk.table(), self.look, applied.at) });
    }

    /// How a hand was set is known of one's own, and of those that were shown in the end.
    fn for_the_absent(&self, played: &TableView) -> Vec<ForTheAbsent> {
        let shown = |position: Position| {
            let hands = played.last.iter().flat_map(|past| &past.hands);
            hands.into_iter().any(|(at, hand)| {
                *at == position && matches!(hand, HandView::Set { how: Some(How::Absent), .. })
            })
        };
        let told = |it: &&ForTheAbsent| {
            it.did == DoneForThem::DeclinedBank
                || self.look.by == Onlooker::Player(it.person)
                || shown(it.position)
        };
        self.absent.iter().filter(told).cloned().collect()
    }

    fn funds(
        &self,
        before: &Desk,
        after: &Desk,
        row: &RoundRow,
        whose: impl Fn(Person) -> bool,
    ) -> Vec<Funds> {
        let mut people: Vec<Person> = row.shares.iter().map(|share| share.person).collect();
        people.dedup();
        people.retain(|person| *person != HOUSE && whose(*person));
        let stack = |desk: &Desk, person: Person| {
            desk.table().people().get(&person).map_or(Cents::ZERO, |guest| guest.stack)
        };
        let of = |all: &BTreeMap<Person, Cents>, person| all.get(&person).copied();
        let funds = people.into_iter().map(|person| Funds {
            person,
            before: stack(before, person),
            brought: of(&self.brought, person).unwrap_or(Cents::ZERO),
            taken: of(&self.taken, person).unwrap_or(Cents::ZERO),
            after: stack(after, person),
        });
        funds.collect()
    }
}

fn add(sums: &mut BTreeMap<Person, Cents>, person: Person, amount: Cents) {
    let sum = sums.entry(person).or_insert(Cents::ZERO);
    *sum = sum.plus(amount).expect("the money on a table can be counted");
}

/// Every clause that a text names, each once.
fn cite(told: &serde_json::Value, clauses: &mut Vec<String>) {
    use serde_json::Value;
    let mut note = |clause: &Value| {
        if let Some(clause) = clause.as_str()
            && !clauses.iter().any(|it| it == clause)
        {
            clauses.push(clause.to_owned());
        }
    };
    match told {
        Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), value) {
                    ("clause", clause) => note(clause),
                    ("clauses", Value::Array(all)) => all.iter().for_each(&mut note),
                    _ => {}
                }
            }
            fields.values().for_each(|value| cite(value, clauses));
        }
        Value::Array(all) => all.iter().for_each(|value| cite(value, clauses)),
        _ => {}
    }
}

impl House {
    /// A table as it was at a version of its log.
    pub(crate) async fn desk_at(
        &self,
        table: TableId,
        version: Version,
    ) -> Result<Desk, Unanswered> {
        let Place { version: after, mut desk, .. } = self.tools().last_mark(table, version).await?;
        self.read_between(table, after, version, |applied| {
            desk.apply(&applied.stamped, applied.at);
        })
        .await?;
        Ok(desk)
    }

    /// Reads what a log says after a version and up to another one.
    async fn read_between(
        &self,
        table: TableId,
        mut after: Version,
        until: Version,
        mut each: impl FnMut(Applied),
    ) -> Result<(), Unanswered> {
        let stream = StreamId::table(table);
        while after < until {
            let most = u32::try_from(until.0 - after.0).unwrap_or(PAGE).min(PAGE);
            let page = self.store().read(&stream, after, most).await?;
            let Some(last) = page.last() else {
                return Err(Unanswered::Failed(format!("{stream} ends before entry {until}")));
            };
            after = last.version;
            for entry in &page {
                let stamped = self.vault().read(entry)?;
                each(Applied::new(entry.version, entry.at, stamped));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_cited_once_and_in_order() {
        let told = serde_json::json!({
            "clause": "3.1", "lines": [{"clauses": ["4.2", "3.1"]}, {"clauses": ["5.5"]}], "x": null
        });
        let mut clauses = vec![];
        cite(&told, &mut clauses);
        assert_eq!(clauses, ["3.1", "4.2", "5.5"]);
    }
}
