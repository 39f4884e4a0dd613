//! Finished rounds: found again and exported. [`recall`](crate::recall) tells one step by step.

use std::fmt::{self, Write};

use houseway_rules::Cents;
use houseway_store::{
    Failure, RoundFilter, RoundPlace, RoundRow, RoundShare, StatusKind, TableId, Version,
};
use houseway_table::Person;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::calendar;
use crate::house::House;

/// The most rounds on a page.
pub const MOST: u32 = 1_000;

/// What someone looks for among their rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Search {
    /// At one table.
    pub table: Option<u64>,
    /// By one rulebook, by its id.
    pub rules: Option<String>,
    /// That ended in one way: `settled`, `void` or `corrected`.
    pub status: Option<RoundEnd>,
    /// That ended at this time or later, in milliseconds since 1970.
    pub from: Option<u64>,
    /// That ended before this time.
    pub until: Option<u64>,
}

impl Search {
    fn filter(&self, person: Option<Person>) -> RoundFilter {
        RoundFilter {
            person,
            table: self.table.map(TableId),
            rulebook: self.rules.clone(),
            status: self.status.map(|status| match status {
                RoundEnd::Settled => StatusKind::Settled,
                RoundEnd::Void => StatusKind::Void,
                RoundEnd::Corrected => StatusKind::Corrected,
            }),
            from: self.from,
            until: self.until,
        }
    }
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RoundEnd {
    /// It was settled.
    Settled,
    /// It is void: everything went back.
    Void,
    /// It is no round but the correction of one.
    Corrected,
}

impl From<StatusKind> for RoundEnd {
    fn from(status: StatusKind) -> RoundEnd {
        match status {
            StatusKind::Settled => RoundEnd::Settled,
            StatusKind::Void => RoundEnd::Void,
            StatusKind::Corrected => RoundEnd::Corrected,
        }
    }
}

/// Where a page ends: given back as it was, it brings the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor(RoundPlace);

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RoundPlace { ended, table, last } = self.0;
        write!(f, "{ended}-{table}-{last}")
    }
}

impl std::str::FromStr for Cursor {
    type Err = String;

    fn from_str(text: &str) -> Result<Cursor, String> {
        let numbers: Option<Vec<u64>> = text.split('-').map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[ended, table, last]) => {
                Ok(Cursor(RoundPlace { ended, table: TableId(table), last: Version(last) }))
            }
            _ => Err(format!("`{text}` is no place in a history: give back what `next` was")),
        }
    }
}

impl Serialize for Cursor {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Rounds, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Page {
    /// The rounds.
    pub rounds: Vec<PlayedRound>,
    /// Where the next page begins, if there may be one.
    #[schemars(with = "Option<String>")]
    pub next: Option<Cursor>,
}

/// A finished round, or a correction of one, as its shares tell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PlayedRound {
    /// At which table.
    pub table: u64,
    /// Which round.
    pub round: u64,
    /// The rulebook's id.
    pub rules: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// When it ended.
    pub ended: u64,
    /// How it ended.
    pub status: RoundEnd,
    /// By which clause it is void or was corrected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// What it came to, bet by bet.
    pub shares: Vec<PlayedShare>,
    /// What all of it brought, or cost if less than nothing, in cents.
    pub net: i64,
}

/// What one bet came to for one person. Of the wager, some was taken and the rest went back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PlayedShare {
    /// Whose; number 0 is the house.
    pub person: Person,
    /// On what: `standard`, `fortune`, `tiger-nine`, `envy`, `house-wager`, `bank`, `fee` or
    /// `correction`.
    pub bet: &'static str,
    /// What was wagered.
    pub wagered: Cents,
    /// What of it was taken.
    pub taken: Cents,
    /// What was paid beside it.
    pub paid: Cents,
    /// What of it went back.
    pub back: Cents,
    /// The commission on it.
    pub commission: Cents,
}

impl PlayedRound {
    /// A round with the shares of some people.
    pub(crate) fn of(row: &RoundRow, whose: impl Fn(Person) -> bool) -> PlayedRound {
        let own = |share: &&RoundShare| whose(share.person);
        let net: i128 = row.shares.iter().filter(own).map(RoundShare::net).sum();
        PlayedRound {
            table: row.table.0,
            round: row.round,
            rules: row.rulebook.clone(),
            began: row.began,
            ended: row.ended,
            status: row.status.kind().into(),
            clause: row.status.clause().map(str::to_owned),
            shares: row.shares.iter().filter(own).map(PlayedShare::of).collect(),
            net: i64::try_from(net).expect("the money on a table can be counted"),
        }
    }
}

impl PlayedShare {
    fn of(share: &RoundShare) -> PlayedShare {
        let RoundShare { person, bet, wagered, taken, paid, back, commission, .. } = *share;
        PlayedShare { person, bet: bet.name(), wagered, taken, paid, back, commission }
    }
}

/// Someone's rounds, with their own shares alone.
pub async fn rounds_of(
    house: &House,
    person: Person,
    search: &Search,
    after: Option<Cursor>,
    most: u32,
) -> Result<Page, Failure> {
    page(house, Some(person), search, after, most).await
}

/// All rounds, with everyone's shares: the operator's.
pub async fn rounds_of_all(
    house: &House,
    search: &Search,
    after: Option<Cursor>,
    most: u32,
) -> Result<Page, Failure> {
    page(house, None, search, after, most).await
}

async fn page(
    house: &House,
    person: Option<Person>,
    search: &Search,
    after: Option<Cursor>,
    most: u32,
) -> Result<Page, Failure> {
    let most = most.clamp(1, MOST);
    let filter = search.filter(person);
    let rows = house.store().rounds(&filter, after.map(|it| it.0), most).await?;
    let full = rows.len() == most as usize;
    let next = rows.last().filter(|_| full).map(|row| Cursor(row.place()));
    let own = |it: Person| person.is_none_or(|person| it == person);
    Ok(Page { rounds: rows.iter().map(|row| PlayedRound::of(row, own)).collect(), next })
}

/// As what rounds are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A line a bet, with a line of names above; amounts in cents, times by UTC.
    Csv,
    /// A [`PlayedRound`] a line, as JSON.
    JsonLines,
}

/// An export stopped.
#[derive(Debug, thiserror::Error)]
pub enum NotExported {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] Failure),
    /// What was exported could not be written.
    #[error("the export could not be written")]
    Write(#[from] fmt::Error),
}

const COLUMNS: &str =
    "table,round,rules,began,ended,status,clause,bet,wagered,taken,paid,back,commission\n";

/// Writes someone's rounds, newest first, page by page.
pub async fn export(
    house: &House,
    person: Person,
    search: &Search,
    format: Format,
    out: &mut (impl Write + Send),
) -> Result<(), NotExported> {
    if format == Format::Csv {
        out.write_str(COLUMNS)?;
    }
    let mut after = None;
    loop {
        let page = rounds_of(house, person, search, after, MOST).await?;
        for round in &page.rounds {
            match format {
                Format::Csv => write_csv(round, out)?,
                Format::JsonLines => {
                    let line = serde_json::to_string(round).map_err(|_| fmt::Error)?;
                    writeln!(out, "{line}")?;
                }
            }
        }
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

fn write_csv(round: &PlayedRound, out: &mut impl Write) -> fmt::Result {
    let status = match round.status {
        RoundEnd::Settled => "settled",
        RoundEnd::Void => "void",
        RoundEnd::Corrected => "corrected",
    };
    let [rules, clause] = [&round.rules, round.clause.as_deref().unwrap_or_default()].map(field);
    let [began, ended] = [round.began, round.ended].map(calendar::time);
    for share in &round.shares {
        write!(out, "{},{},{rules},{began},{ended},{status},{clause}", round.table, round.round)?;
        write!(out, ",{}", share.bet)?;
        for amount in [share.wagered, share.taken, share.paid, share.back, share.commission] {
            write!(out, ",{}", amount.get())?;
        }
        out.write_char('\n')?;
    }
    Ok(())
}

/// A text as a field: in quotes where it could be taken for more than one.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_is_written() {
        let place = RoundPlace { ended: 5, table: TableId(7), last: Version(9) };
        assert_eq!(Cursor(place).to_string().parse(), Ok(Cursor(place)));
        for wrong in ["", "1-2", "1-2-3-4", "a-b-c", "1-2--3"] {
            assert!(wrong.parse::<Cursor>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
