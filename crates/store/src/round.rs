//! Finished rounds as rows that can be searched and summed: told by the log, kept beside it, and
//! rebuildable from it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use houseway_rules::Cents;
use houseway_table::Person;

use crate::entry::Version;
use crate::name::TableId;

/// How long a day is, in milliseconds. Days are counted from 1970, in UTC.
pub const DAY: u64 = 86_400_000;

/// A finished round of a table, or a correction of one. It stands where its last entry stands, so
/// that no two rows can ever claim the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRow {
    /// At which table.
    pub table: TableId,
    /// Which round; for a correction the round that it corrects.
    pub round: u64,
    /// By whose rules.
    pub rulebook: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// When it ended.
    pub ended: u64,
    /// Its first entry in the table's stream.
    pub first: Version,
    /// Its last.
    pub last: Version,
    /// How it ended.
    pub status: RoundStatus,
    /// What the house itself won of bets.
    pub house_took: Cents,
    /// What the house itself paid on bets.
    pub house_paid: Cents,
    /// What it came to for everyone, sorted by person and bet, each once.
    pub shares: Vec<RoundShare>,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundStatus {
    /// It was settled.
    Settled,
    /// It is void: everything went back.
    Void {
        /// By which clause.
        clause: String,
    },
    /// It is no round but the correction of one.
    Corrected {
        /// By which clause.
        clause: String,
    },
}

/// [`RoundStatus`] without its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusKind {
    /// Settled.
    Settled,
    /// Void.
    Void,
    /// A correction.
    Corrected,
}

/// What one bet of a round came to for one person. Of the wager, some was taken and the rest went
/// back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundShare {
    /// Whose; number 0 is the house.
    pub person: Person,
    /// On what.
    pub bet: RoundBet,
    /// Whether it is one of the house's own players.
    pub bot: bool,
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

impl RoundShare {
    /// What it brought, or cost if less than nothing.
    pub fn net(&self) -> i128 {
        let [paid, taken, commission] =
            [self.paid, self.taken, self.commission].map(|it| i128::from(it.get()));
        paid - taken - commission
    }
}

/// What money was in play for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundBet {
    /// The standard wager.
    Standard,
    /// The Fortune Bonus.
    Fortune,
    /// Tiger 9.
    TigerNine,
    /// Envy for others' hands; nothing is wagered on it.
    Envy,
    /// The house's wager against a banking player.
    HouseWager,
    /// What a banking player put up.
    Bank,
    /// A fee or rake: all of it is taken.
    Fee,
    /// A correction: what is paid on top, or taken back.
    Correction,
}

impl RoundBet {
    /// Every one, in order.
    pub const ALL: [RoundBet; 8] = [
        RoundBet::Standard,
        RoundBet::Fortune,
        RoundBet::TigerNine,
        RoundBet::Envy,
        RoundBet::HouseWager,
        RoundBet::Bank,
        RoundBet::Fee,
        RoundBet::Correction,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            RoundBet::Standard => "standard",
            RoundBet::Fortune => "fortune",
            RoundBet::TigerNine => "tiger-nine",
            RoundBet::Envy => "envy",
            RoundBet::HouseWager => "house-wager",
            RoundBet::Bank => "bank",
            RoundBet::Fee => "fee",
            RoundBet::Correction => "correction",
        }
    }
}

impl StatusKind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            StatusKind::Settled => "settled",
            StatusKind::Void => "void",
            StatusKind::Corrected => "corrected",
        }
    }
}

impl RoundStatus {
    /// Without its clause.
    pub const fn kind(&self) -> StatusKind {
        match self {
            RoundStatus::Settled => StatusKind::Settled,
            RoundStatus::Void { .. } => StatusKind::Void,
            RoundStatus::Corrected { .. } => StatusKind::Corrected,
        }
    }

    /// The clause, where there is one.
    pub fn clause(&self) -> Option<&str> {
        match self {
            RoundStatus::Settled => None,
            RoundStatus::Void { clause } | RoundStatus::Corrected { clause } => Some(clause),
        }
    }
}

/// A word that names no bet or status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a word for what a round holds")]
pub struct UnknownWord(String);

impl FromStr for RoundBet {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<RoundBet, UnknownWord> {
        let found = RoundBet::ALL.into_iter().find(|bet| bet.name() == text);
        found.ok_or_else(|| UnknownWord(text.to_owned()))
    }
}

impl FromStr for StatusKind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<StatusKind, UnknownWord> {
        let all = [StatusKind::Settled, StatusKind::Void, StatusKind::Corrected];
        let found = all.into_iter().find(|status| status.name() == text);
        found.ok_or_else(|| UnknownWord(text.to_owned()))
    }
}

impl fmt::Display for RoundBet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for StatusKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a row stands among all rows: by time, then by table and place in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoundPlace {
    /// When it ended.
    pub ended: u64,
    /// At which table.
    pub table: TableId,
    /// Its last entry.
    pub last: Version,
}

/// Which rows are looked for: those that meet everything that is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundFilter {
    /// In which someone had a share.
    pub person: Option<Person>,
    /// Of one table.
    pub table: Option<TableId>,
    /// By one rulebook, by its id.
    pub rulebook: Option<String>,
    /// That ended in one way.
    pub status: Option<StatusKind>,
    /// That ended at this time or later.
    pub from: Option<u64>,
    /// That ended before this time.
    pub until: Option<u64>,
}

impl RoundRow {
    /// Where it stands.
    pub const fn place(&self) -> RoundPlace {
        RoundPlace { ended: self.ended, table: self.table, last: self.last }
    }
}

impl RoundFilter {
    /// Whether a row is among those that are looked for.
    pub fn fits(&self, row: &RoundRow) -> bool {
        self.person.is_none_or(|it| row.shares.iter().any(|share| share.person == it))
            && self.table.is_none_or(|it| row.table == it)
            && self.rulebook.as_ref().is_none_or(|it| row.rulebook == *it)
            && self.status.is_none_or(|it| row.status.kind() == it)
            && self.from.is_none_or(|it| row.ended >= it)
            && self.until.is_none_or(|it| row.ended < it)
    }
}

/// What rows are summed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumBy {
    /// One sum a table.
    Table,
    /// One sum a rulebook.
    Rulebook,
    /// One sum a day, by UTC.
    Day,
}

/// What a sum is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SumKey {
    /// A table.
    Table(TableId),
    /// A rulebook; its id stands beside the key.
    Rulebook,
    /// A day, counted from 1970.
    Day(u64),
}

impl SumBy {
    /// The key of a row.
    pub(crate) fn key(self, row: &RoundRow) -> SumKey {
        match self {
            SumBy::Table => SumKey::Table(row.table),
            SumBy::Rulebook => SumKey::Rulebook,
            SumBy::Day => SumKey::Day(row.ended / DAY),
        }
    }

    /// The key as a database counts it.
    pub(crate) fn key_of(self, number: u64) -> SumKey {
        match self {
            SumBy::Table => SumKey::Table(TableId(number)),
            SumBy::Rulebook => SumKey::Rulebook,
            SumBy::Day => SumKey::Day(number),
        }
    }
}

/// A part of a time that is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SumPart {
    /// Whole days, from one on and before another.
    Days(u64, u64),
    /// What is no whole day, from a time on and before another.
    Rounds(u64, u64),
}

/// Splits a time into whole days and what is left before and after them.
pub(crate) fn sum_parts(from: u64, until: u64) -> Vec<SumPart> {
    let (first, end) = (from.div_ceil(DAY), until / DAY);
    let parts = match first < end {
        true => vec![
            SumPart::Rounds(from, first * DAY),
            SumPart::Days(first, end),
            SumPart::Rounds(end * DAY, until),
        ],
        false => vec![SumPart::Rounds(from, until)],
    };
    let is_some = |part: &SumPart| match part {
        SumPart::Days(..) => true,
        SumPart::Rounds(from, until) => from < until,
    };
    parts.into_iter().filter(is_some).collect()
}

/// Rows of one rulebook under one key, summed.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundSum {
    /// What it is a sum of.
    pub key: SumKey,
    /// By whose rules. A key with rounds by several has several sums.
    pub rulebook: String,
    /// Rounds that were settled.
    pub rounds: u64,
    /// Rounds that are void. Their wagers are in no sum, since they went back.
    pub voids: u64,
    /// Corrections.
    pub corrections: u64,
    /// What the house itself won of bets and corrections.
    pub house_took: u64,
    /// What the house itself paid on bets and corrections.
    pub house_paid: u64,
    /// By bet, people and the house's own players apart; sorted.
    pub bets: Vec<BetSum>,
}

/// A bet over many rounds, in cents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetSum {
    /// Which bet.
    pub bet: RoundBet,
    /// Whether of the house's own players.
    pub bot: bool,
    /// How many shares there were.
    pub shares: u64,
    /// What was wagered.
    pub wagered: u64,
    /// What was taken.
    pub taken: u64,
    /// What was paid.
    pub paid: u64,
    /// What went back.
    pub back: u64,
    /// Commission.
    pub commission: u64,
    /// The squares of the wagers, summed: what chance can make of them. For standard errors alone.
    pub squares: f64,
}

impl BetSum {
    /// A sum of one.
    #[expect(clippy::cast_precision_loss, reason = "for standard errors alone")]
    pub(crate) fn of(share: &RoundShare) -> BetSum {
        BetSum {
            bet: share.bet,
            bot: share.bot,
            shares: 1,
            wagered: share.wagered.get(),
            taken: share.taken.get(),
            paid: share.paid.get(),
            back: share.back.get(),
            commission: share.commission.get(),
            squares: (share.wagered.get() as f64).powi(2),
        }
    }

    /// Adds another sum of the same bet.
    pub fn add(&mut self, other: &BetSum) {
        self.shares += other.shares;
        self.wagered += other.wagered;
        self.taken += other.taken;
        self.paid += other.paid;
        self.back += other.back;
        self.commission += other.commission;
        self.squares += other.squares;
    }
}

/// How many rows of each kind there are, and what the house had of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) rounds: u64,
    pub(crate) voids: u64,
    pub(crate) corrections: u64,
    pub(crate) house_took: u64,
    pub(crate) house_paid: u64,
}

/// Puts sums together that come in parts.
#[derive(Debug, Default)]
pub(crate) struct Sums(BTreeMap<(SumKey, String), RoundSum>);

impl Sums {
    fn of(&mut self, (key, rulebook): (SumKey, String)) -> &mut RoundSum {
        self.0.entry((key, rulebook.clone())).or_insert_with(|| RoundSum {
            key,
            rulebook,
            rounds: 0,
            voids: 0,
            corrections: 0,
            house_took: 0,
            house_paid: 0,
            bets: vec![],
        })
    }

    pub(crate) fn rows(&mut self, of: (SumKey, String), rows: Rows) {
        let sum = self.of(of);
        sum.rounds += rows.rounds;
        sum.voids += rows.voids;
        sum.corrections += rows.corrections;
        sum.house_took += rows.house_took;
        sum.house_paid += rows.house_paid;
    }

    pub(crate) fn bet(&mut self, of: (SumKey, String), bet: BetSum) {
        let bets = &mut self.of(of).bets;
        match bets.iter_mut().find(|it| (it.bet, it.bot) == (bet.bet, bet.bot)) {
            Some(sum) => sum.add(&bet),
            None => bets.push(bet),
        }
    }

    pub(crate) fn end(self) -> Vec<RoundSum> {
        let mut all: Vec<RoundSum> = self.0.into_values().collect();
        for sum in &mut all {
            sum.bets.sort_by_key(|it| (it.bet, it.bot));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_its_whole_days_and_the_rest() {
        use SumPart::{Days, Rounds};
        let parts: [(u64, u64, &[SumPart]); 6] = [
            (0, 0, &[]),
            (5, 7, &[Rounds(5, 7)]),
            (5, DAY + 5, &[Rounds(5, DAY + 5)]),
            (0, 2 * DAY, &[Days(0, 2)]),
            (5, 2 * DAY + 5, &[Rounds(5, DAY), Days(1, 2), Rounds(2 * DAY, 2 * DAY + 5)]),
            (DAY, 3 * DAY + 1, &[Days(1, 3), Rounds(3 * DAY, 3 * DAY + 1)]),
        ];
        for (from, until, expected) in parts {
            assert_eq!(sum_parts(from, until), expected, "{from}..{until}");
        }
    }

    #[test]
    fn every_word_is_read_as_it_is_written() {
        for bet in RoundBet::ALL {
            assert_eq!(bet.name().parse(), Ok(bet));
        }
        for status in [StatusKind::Settled, StatusKind::Void, StatusKind::Corrected] {
            assert_eq!(status.name().parse(), Ok(status));
        }
        assert!("tiger".parse::<RoundBet>().is_err());
        assert!(RoundBet::ALL.is_sorted());
    }
}
