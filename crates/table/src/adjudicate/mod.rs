//! Adjudicating one round of a physical table: what was wagered, dealt and laid comes in as data,
//! the statement goes out.

mod called;
mod check;
mod given;
mod settled;

use std::fmt;

use houseway_rules::rulebook::{Rulebook, Text};
use houseway_rules::{Card, CardSet, Cents};
use serde::Serialize;

use crate::deal::Spot;
use crate::place::Person;
use crate::settlement::Line;
use crate::stake::Bank;

pub use given::{
    Given, GivenBank, GivenHand, GivenIncident, GivenRuling, GivenSeat, GivenSeated, GivenShare,
};

/// Adjudicates a round under a rulebook. Hands that must be set the House Way are settled as they
/// should lie; the difference to how they lay is told.
pub fn adjudicate(rulebook: &Rulebook, given: &Given) -> Result<Adjudicated, Fault> {
    let mut case = check::Case::new(rulebook, given)?;
    let called = case.called()?;
    match &called.void {
        // Cards of a void round are not looked at: they may be what is wrong with it.
        Some(clause) => Ok(case.voided(&clause.clone(), called)),
        None => case.settled(called),
    }
}

/// Why a round cannot be adjudicated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where in the data.
    pub field: String,
    /// What is wrong, and what would be right.
    pub why: String,
    /// The clause that says so, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.why)?;
        match &self.clause {
            Some(clause) => write!(f, " ({clause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

fn fault(field: impl Into<String>, why: impl Into<String>, clause: Option<&str>) -> Fault {
    Fault { field: field.into(), why: why.into(), clause: clause.map(str::to_string) }
}

/// What a round comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Adjudicated {
    /// The rulebook's id.
    pub rules: String,
    /// The clause that makes the round void, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<Text>,
    /// What is collected before the round.
    pub fees: Vec<GivenFee>,
    /// The hands as they were compared, the banker's first.
    pub hands: Vec<LaidHand>,
    /// The statement, line by line in the order of settlement.
    pub lines: Vec<Line>,
    /// Who banks, with what.
    pub bank: Bank,
    /// What else the rules say about it.
    pub notes: Vec<Note>,
    /// Hands that should lie the House Way and do not.
    pub missets: Vec<Misset>,
}

/// A fee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GivenFee {
    /// Who pays it.
    pub person: Person,
    /// How much.
    pub amount: Cents,
    /// By which clause.
    pub clause: Text,
}

/// A hand as it was compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LaidHand {
    /// Where.
    pub spot: Spot,
    /// Who sits there, where someone does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// How it came to lie so.
    pub how: Lies,
    /// The clause behind that, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Text>,
    /// The two cards in front.
    pub low: Vec<Card>,
    /// The five behind.
    pub high: Vec<Card>,
    /// What the two are: `ace-king`.
    pub low_is: String,
    /// What the five are: `pair of nines`.
    pub high_is: String,
}

/// How a hand came to lie as it was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lies {
    /// As its player laid it.
    Laid,
    /// The House Way.
    HouseWay,
    /// It lay wrong, and was put right.
    PutRight,
    /// It fouled, and was set again the House Way.
    Fouled,
    /// It fouled once too often, and is not compared.
    Dead,
    /// It was given up, and is not compared.
    Conceded,
}

/// What the rules say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// By which clause.
    pub clause: Text,
    /// In words.
    pub says: String,
}

impl Note {
    fn new(clause: &Text, says: impl Into<String>) -> Note {
        Note { clause: clause.clone(), says: says.into() }
    }
}

/// A hand that should lie the House Way and does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Misset {
    /// Whose.
    pub spot: Spot,
    /// The two cards in front as it lies.
    pub low: CardSet,
    /// The two cards that belong there.
    pub correct: CardSet,
    /// The clause of the sheet.
    pub clause: Text,
    /// The clause by which it stays as it lay all the same, where one says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stays: Option<Text>,
    /// Whether it lay foul, so that it could not be compared at all.
    pub foul: bool,
    /// What each person gets more, or less, when it lies right.
    pub differences: Vec<(Person, i64)>,
}
