//! From a table's log to its finished rounds: the same walk where rounds end and where they are
//! written anew, so that what is kept beside the log is what the log says.

mod check;

use std::collections::{BTreeMap, BTreeSet};

use houseway_rules::Cents;
use houseway_rules::rulebook::{Payer, Wager};
use houseway_store::{
    AppendError, MOST_AT_ONCE, RoundBet, RoundFilter, RoundRow, RoundShare, RoundStatus, StreamId,
    TableId, Version,
};
use houseway_table::settlement::{Bet, Line, Owner};
use houseway_table::{Bank, Event, Person, Position};

use crate::house::{House, table_of};
use crate::record::{Opening, Record, Stamped};
use crate::room::{Applied, Unanswered};

pub use check::{Beside, strays_in_words};

/// The house among the people of a round.
pub const HOUSE: Person = Person(0);

/// How many entries are read at once.
const PAGE: u32 = 1_000;

/// Follows a table's log and gives each round as it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    table: TableId,
    rulebook: String,
    bots: BTreeSet<Person>,
    open: Option<Open>,
    /// The round that was corrected last: what is owed from it may come in later.
    corrected_last: u64,
}

/// A round that has begun.
#[derive(Clone, Debug, PartialEq)]
struct Open {
    /// Its number, once bets are open.
    round: u64,
    began: u64,
    first: Version,
    /// Whether bets are closed: what goes back from then on was a wager.
    closed: bool,
    put_up: Option<(Person, Cents)>,
    stakes: BTreeMap<(Position, Person, Wager), Cents>,
    returned: Vec<(Person, Wager, Cents)>,
    fees: Vec<(Person, Cents)>,
    lines: Vec<Line>,
}

impl Walk {
    /// Begins before a table's first entry.
    pub fn new(table: TableId, opening: &Opening) -> Walk {
        let rulebook = opening.rulebook.id().to_owned();
        let bots = opening.bots.iter().map(|bot| bot.person).collect();
        Walk { table, rulebook, bots, open: None, corrected_last: 0 }
    }

    /// Begins between two rounds of a table, the last of them that was corrected being known.
    pub(crate) fn between_rounds(table: TableId, opening: &Opening, corrected_last: u64) -> Walk {
        Walk { corrected_last, ..Walk::new(table, opening) }
    }

    /// The round that was corrected last; nothing while a round is played.
    pub(crate) fn corrected_last(&self) -> Option<u64> {
        self.open.is_none().then_some(self.corrected_last)
    }

    /// Takes the next entry; gives the round, or the correction, that ends with it.
    pub fn step(&mut self, version: Version, at: u64, stamped: &Stamped) -> Option<RoundRow> {
        let Record::Happened(event) = &stamped.record else { return None };
        match event {
            Event::BankOffered { .. } => self.begin(version, at),
            Event::NoBanker { .. } => self.open = None,
            Event::BankTaken { bank: Bank::Player { person, put_up, .. }, .. } => {
                self.begin(version, at);
                self.with(|open| open.put_up = Some((*person, *put_up)));
            }
            Event::BetsOpened { round, .. } => {
                self.begin(version, at);
                self.with(|open| open.round = *round);
            }
            Event::Placed { position, person, wager, amount, .. } => self.with(|open| {
                open.stakes.insert((*position, *person, *wager), *amount);
            }),
            Event::Returned { position, person, wager, amount, .. } => self.with(|open| {
                open.stakes.remove(&(*position, *person, *wager));
                if open.closed {
                    open.returned.push((*person, *wager, *amount));
                }
            }),
            Event::BetsClosed => self.with(|open| open.closed = true),
            Event::FeeTaken { person, amount, .. } => {
                self.with(|open| open.fees.push((*person, *amount)));
            }
            Event::Settled { lines } => self.with(|open| open.lines.clone_from(lines)),
            Event::RoundEnded { .. } => {
                let open = self.open.take()?;
                let (shares, house_took, house_paid) = open.settled();
                let row = self.row(&open, version, at, RoundStatus::Settled, shares);
                return Some(RoundRow { house_took, house_paid, ..row });
            }
            Event::Voided { clause, .. } => {
                let open = self.open.take()?;
                let shares = open.voided();
                let status = RoundStatus::Void { clause: clause.to_string() };
                return Some(self.row(&open, version, at, status, shares));
            }
            Event::Corrected { round, differences, clause, .. } => {
                self.corrected_last = *round;
                return Some(self.corrected(*round, differences, clause, version, at));
            }
            // What was owed from a correction belongs to the round that was corrected.
            Event::DebtCollected { person, amount, clause } => {
                let back = [(*person, -i64::try_from(amount.get()).unwrap_or(i64::MAX))];
                return Some(self.corrected(self.corrected_last, &back, clause, version, at));
            }
            _ => {}
        }
        None
    }

    fn begin(&mut self, version: Version, at: u64) {
        self.open.get_or_insert_with(|| Open {
            round: 0,
            began: at,
            first: version,
            closed: false,
            put_up: None,
            stakes: BTreeMap::new(),
            returned: vec![],
            fees: vec![],
            lines: vec![],
        });
    }

    fn with(&mut self, change: impl FnOnce(&mut Open)) {
        if let Some(open) = &mut self.open {
            change(open);
        }
    }

    fn row(
        &self,
        open: &Open,
        last: Version,
        ended: u64,
        status: RoundStatus,
        shares: Shares,
    ) -> RoundRow {
        RoundRow {
            table: self.table,
            round: open.round,
            rulebook: self.rulebook.clone(),
            began: open.began,
            ended,
            first: open.first,
            last,
            status,
            house_took: Cents::ZERO,
            house_paid: Cents::ZERO,
            shares: shares.end(&self.bots),
        }
    }

    fn corrected(
        &self,
        round: u64,
        differences: &[(Person, i64)],
        clause: &str,
        last: Version,
        ended: u64,
    ) -> RoundRow {
        let mut shares = Shares::default();
        let (mut took, mut paid) = (Cents::ZERO, Cents::ZERO);
        for &(person, difference) in differences {
            let amount = Cents::new(difference.unsigned_abs());
            let amounts = if difference.is_negative() {
                took = plus(took, amount);
                Amounts::taken(amount)
            } else {
                paid = plus(paid, amount);
                Amounts { paid: amount, ..Amounts::default() }
            };
            shares.add(person, RoundBet::Correction, amounts);
        }
        RoundRow {
            table: self.table,
            round,
            rulebook: self.rulebook.clone(),
            began: ended,
            ended,
            first: last,
            last,
            status: RoundStatus::Corrected { clause: clause.to_owned() },
            house_took: took,
            house_paid: paid,
            shares: shares.end(&self.bots),
        }
    }
}

impl Open {
    /// The shares of a settled round, and what the house took and paid.
    fn settled(&self) -> (Shares, Cents, Cents) {
        let mut shares = Shares::default();
        let (mut took, mut paid) = (Cents::ZERO, Cents::ZERO);
        let (mut bank_took, mut bank_paid, mut on_gain) = (Cents::ZERO, Cents::ZERO, Cents::ZERO);
        for line in &self.lines {
            if line.bet == Bet::BankerCommission {
                on_gain = plus(on_gain, line.commission);
                continue;
            }
            let person = match line.owner {
                Owner::Person(person) => person,
                Owner::House => HOUSE,
            };
            shares.add(person, bet_of(line.bet), Amounts::of(line));
            match line.payer {
                Payer::House => {
                    took = plus(took, line.taken);
                    paid = plus(paid, line.paid);
                }
                Payer::Banker => {
                    bank_took = plus(bank_took, line.taken);
                    bank_paid = plus(bank_paid, line.paid);
                }
            }
            // What the house's own wager wins is the house's, and what it loses is not.
            if line.owner == Owner::House {
                took = plus(took, line.paid);
                paid = plus(paid, line.taken);
            }
        }
        if let Some((person, put_up)) = self.put_up {
            let gained = bank_took.minus(bank_paid);
            let lost = bank_paid.minus(bank_took).unwrap_or(Cents::ZERO);
            shares.add(
                person,
                RoundBet::Bank,
                Amounts {
                    wagered: put_up,
                    taken: lost,
                    paid: gained.unwrap_or(Cents::ZERO),
                    back: put_up.minus(lost).unwrap_or(Cents::ZERO),
                    commission: on_gain,
                },
            );
        }
        for &(person, wager, amount) in &self.returned {
            shares.add(person, bet_of(wager.into()), Amounts::back(amount));
        }
        for &(person, amount) in &self.fees {
            shares.add(person, RoundBet::Fee, Amounts::taken(amount));
        }
        (shares, took, paid)
    }

    /// The shares of a void round: everything went back, fees too.
    fn voided(&self) -> Shares {
        let mut shares = Shares::default();
        let placed =
            self.stakes.iter().map(|(&(_, person, wager), &amount)| (person, wager, amount));
        for (person, wager, amount) in placed.chain(self.returned.iter().copied()) {
            shares.add(person, bet_of(wager.into()), Amounts::back(amount));
        }
        if let Some((person, put_up)) = self.put_up {
            shares.add(person, RoundBet::Bank, Amounts::back(put_up));
        }
        for &(person, amount) in &self.fees {
            shares.add(person, RoundBet::Fee, Amounts::back(amount));
        }
        shares
    }
}

fn bet_of(bet: Bet) -> RoundBet {
    match bet {
        Bet::Standard => RoundBet::Standard,
        Bet::Fortune => RoundBet::Fortune,
        Bet::TigerNine => RoundBet::TigerNine,
        Bet::Envy { .. } => RoundBet::Envy,
        Bet::HouseWager => RoundBet::HouseWager,
        Bet::BankerCommission => RoundBet::Bank,
    }
}

fn plus(a: Cents, b: Cents) -> Cents {
    a.plus(b).expect("the money on a table can be counted")
}

/// What a share is made of.
#[derive(Clone, Copy, Debug, Default)]
struct Amounts {
    wagered: Cents,
    taken: Cents,
    paid: Cents,
    back: Cents,
    commission: Cents,
}

impl Amounts {
    fn of(line: &Line) -> Amounts {
        let Line { stake, taken, paid, back, commission, .. } = *line;
        Amounts { wagered: stake, taken, paid, back, commission }
    }

    fn back(amount: Cents) -> Amounts {
        Amounts { wagered: amount, back: amount, ..Amounts::default() }
    }

    fn taken(amount: Cents) -> Amounts {
        Amounts { wagered: amount, taken: amount, ..Amounts::default() }
    }
}

/// Shares, added up by person and bet.
#[derive(Debug, Default)]
struct Shares(BTreeMap<(Person, RoundBet), Amounts>);

impl Shares {
    fn add(&mut self, person: Person, bet: RoundBet, more: Amounts) {
        let sum = self.0.entry((person, bet)).or_default();
        *sum = Amounts {
            wagered: plus(sum.wagered, more.wagered),
            taken: plus(sum.taken, more.taken),
            paid: plus(sum.paid, more.paid),
            back: plus(sum.back, more.back),
            commission: plus(sum.commission, more.commission),
        };
    }

    fn end(self, bots: &BTreeSet<Person>) -> Vec<RoundShare> {
        let shares = self.0.into_iter().map(|((person, bet), amounts)| {
            let Amounts { wagered, taken, paid, back, commission } = amounts;
            let bot = bots.contains(&person);
            RoundShare { person, bet, bot, wagered, taken, paid, back, commission }
        });
        shares.collect()
    }
}

/// A round whose row is not what the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundDifference {
    /// The row that is kept; nothing if it is missing.
    pub kept: Option<RoundRow>,
    /// What the log says; nothing if there was no such round.
    pub told: Option<RoundRow>,
}

impl House {
    /// Walks the logs of all tables and compares what they say with the rows that are kept. Nothing
    /// differs, ever.
    pub async fn check_rounds(&self) -> Result<Vec<RoundDifference>, Unanswered> {
        let mut found = vec![];
        for (stream, head) in self.store().heads("table/").await? {
            let Some(table) = table_of(&stream) else { continue };
            let mut pages = Pages::new(self, table, stream, head.version).await?;
            while let Some(Page { kept, told, .. }) = pages.next().await? {
                found.extend(differences(kept, told));
            }
        }
        let strays = self.store().strays().await?.rounds.into_iter();
        found.extend(strays.map(|row| RoundDifference { kept: Some(row), told: None }));
        Ok(found)
    }

    /// Where rounds end whose rows or shares are not what the logs say.
    pub async fn wrong_rounds(&self) -> Result<BTreeSet<(TableId, Version)>, Unanswered> {
        let found = self.check_rounds().await?;
        let rows = found.iter().filter_map(|it| it.kept.as_ref().or(it.told.as_ref()));
        let mut wrong: BTreeSet<_> = rows.map(|row| (row.table, row.last)).collect();
        wrong.extend(self.store().strays().await?.shares);
        Ok(wrong)
    }

    /// Writes the rows of all tables and their sums anew from the logs. What stands beside none goes.
    pub async fn rebuild_rounds(&self) -> Result<(), Unanswered> {
        self.store().remove_strays().await?;
        for (stream, head) in self.store().heads("table/").await? {
            let Some(table) = table_of(&stream) else { continue };
            let mut pages = Pages::new(self, table, stream, head.version).await?;
            while let Some(Page { mut after, until, told, .. }) = pages.next().await? {
                // A page has at most as many rounds as entries, but they may have more shares than
                // are written at once.
                let mut rest = &told[..];
                while !rest.is_empty() {
                    let (some, later) = split_shares(rest);
                    let last = if later.is_empty() { until } else { some[some.len() - 1].last };
                    self.replace(table, after, last, some).await?;
                    (after, rest) = (last, later);
                }
                self.replace(table, after, until, &[]).await?;
            }
        }
        Ok(self.store().rebuild_round_sums().await?)
    }

    async fn replace(
        &self,
        table: TableId,
        after: Version,
        until: Version,
        rows: &[RoundRow],
    ) -> Result<(), Unanswered> {
        if after >= until {
            return Ok(());
        }
        match self.store().replace_rounds(table, after, until, rows).await {
            Ok(()) => Ok(()),
            Err(AppendError::Failed(failure)) => Err(failure.into()),
            Err(error) => Err(Unanswered::Failed(error.to_string())),
        }
    }

    /// The rows that are kept of a table, by their last entries.
    async fn kept(&self, table: TableId) -> Result<BTreeMap<Version, RoundRow>, Unanswered> {
        let filter = RoundFilter { table: Some(table), ..RoundFilter::default() };
        let (mut all, mut before) = (BTreeMap::new(), None);
        loop {
            let page = self.store().rounds(&filter, before, PAGE).await?;
            let Some(last) = page.last() else { return Ok(all) };
            before = Some(last.place());
            all.extend(page.into_iter().map(|row| (row.last, row)));
        }
    }
}

/// A table's log, page by page, beside what is kept of it.
struct Pages<'a> {
    house: &'a House,
    table: TableId,
    stream: StreamId,
    after: Version,
    end: Version,
    walk: Option<Walk>,
    kept: BTreeMap<Version, RoundRow>,
}

/// A part of a log.
struct Page {
    /// The versions between which its rounds end.
    after: Version,
    until: Version,
    entries: Vec<Applied>,
    /// The rows that are kept.
    kept: Vec<RoundRow>,
    /// Those that the log tells.
    told: Vec<RoundRow>,
}

impl Pages<'_> {
    /// A log up to a version that it has reached. Rows that end behind it are not looked at: they came
    /// while it was read, or are strays.
    async fn new(
        house: &House,
        table: TableId,
        stream: StreamId,
        end: Version,
    ) -> Result<Pages<'_>, Unanswered> {
        let kept = house.kept(table).await?;
        Ok(Pages { house, table, stream, after: Version(0), end, walk: None, kept })
    }

    async fn next(&mut self) -> Result<Option<Page>, Unanswered> {
        let after = self.after;
        let most = u32::try_from(self.end.0 - after.0).unwrap_or(PAGE).min(PAGE);
        let page = match most {
            0 => vec![],
            most => self.house.store().read(&self.stream, after, most).await?,
        };
        let Some(last) = page.last() else { return Ok(None) };
        let until = last.version;
        let (mut entries, mut told) = (vec![], vec![]);
        for entry in &page {
            let stamped = self.house.vault().read(entry)?;
            if let Record::Opened(opening) = &stamped.record {
                self.walk = Some(Walk::new(self.table, opening));
            }
            let walk = self.walk.as_mut().ok_or_else(|| {
                Unanswered::Failed(format!("{} does not begin with its opening", self.stream))
            })?;
            told.extend(walk.step(entry.version, entry.at, &stamped));
            entries.push(Applied::new(entry.version, entry.at, stamped));
        }
        let later = self.kept.split_off(&Version(until.0 + 1));
        let kept = std::mem::replace(&mut self.kept, later).into_values().collect();
        self.after = until;
        Ok(Some(Page { after, until, entries, kept, told }))
    }
}

/// As many rows as can be written at once, and the rest.
fn split_shares(rows: &[RoundRow]) -> (&[RoundRow], &[RoundRow]) {
    let mut shares = 0;
    let fits = rows.iter().take_while(|row| {
        shares += row.shares.len();
        shares <= MOST_AT_ONCE
    });
    rows.split_at(fits.count().max(1))
}

fn differences(kept: Vec<RoundRow>, told: Vec<RoundRow>) -> Vec<RoundDifference> {
    let by_last = |rows: Vec<RoundRow>| -> BTreeMap<Version, RoundRow> {
        rows.into_iter().map(|row| (row.last, row)).collect()
    };
    let (mut kept, mut told) = (by_last(kept), by_last(told));
    let places: BTreeSet<Version> = kept.keys().chain(told.keys()).copied().collect();
    let pairs = places
        .into_iter()
        .map(|last| RoundDifference { kept: kept.remove(&last), told: told.remove(&last) });
    pairs.filter(|pair| pair.kept != pair.told).collect()
}
