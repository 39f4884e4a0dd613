//! What is kept beside the logs of tables, held against them: rounds, their sums by day, marks. Nothing is
//! written, and a house may be open meanwhile.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

use houseway_store::{
    DAY, RoundBet, RoundRow, RoundSum, StatusKind, Strays, StreamId, SumBy, SumKey, TableId,
    Version,
};
use tokio::task::JoinSet;

use super::{Page, Pages, RoundDifference, Walk, differences};
use crate::calendar;
use crate::desk::Desk;
use crate::house::{House, table_of};
use crate::record::Record;
use crate::room::{Applied, Unanswered};

/// A time after all that are kept, which every store can count.
const EVER: u64 = 1 << 52;

/// Squares are no whole numbers: in another order they come to a little more or less.
const ROUNDING: f64 = 1e-9;

/// What was found of that which is kept beside the logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// How many rounds and corrections the logs tell of.
    pub rounds: u64,
    /// How many marks of tables are what the logs make of them.
    pub marks: u64,
    /// What is not as the logs say, in words.
    pub faults: Vec<String>,
}

/// What a sum is of: a day, a table, a rulebook, and a bet of people or bots, or the rounds themselves.
type Key = (u64, TableId, String, Option<(RoundBet, bool)>);

/// Sums by what they are of.
type Sums = BTreeMap<Key, Figures>;

const OF_ROUNDS: [&str; 6] = ["rounds", "void", "corrected", "house-took", "house-paid", ""];
const OF_BETS: [&str; 6] = ["shares", "wagered", "taken", "paid", "back", "commission"];

/// A sum. None of its figures ever becomes less while people play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Figures {
    counted: [u64; 6],
    squares: f64,
}

/// What some tables came to.
#[derive(Default)]
struct Found {
    beside: Beside,
    sums: Sums,
    /// Tables that could not be read to their end.
    unread: BTreeSet<TableId>,
}

impl House {
    /// Holds everything that is kept beside the logs of tables against them, on all cores.
    pub async fn check_beside(self: &Arc<Self>) -> Result<Beside, Unanswered> {
        // Sums grow while people play. Those that the logs tell up to this moment lie between what was kept
        // just before it and just after.
        let before = self.kept_sums().await?;
        let heads = self.store().heads("table/").await?;
        let after = self.kept_sums().await?;
        let tables = heads.into_iter();
        let tables =
            tables.filter_map(|(stream, head)| Some((table_of(&stream)?, stream, head.version)));
        let Found { mut beside, sums: told, unread } = self.check_tables(tables.collect()).await?;
        beside.faults.sort();
        let keys: BTreeSet<&Key> = before.keys().chain(after.keys()).chain(told.keys()).collect();
        for key in keys.into_iter().filter(|(_, table, ..)| !unread.contains(table)) {
            let of = |sums: &Sums| sums.get(key).copied().unwrap_or_default();
            beside.faults.extend(of(&told).fault(key, of(&before), of(&after)));
        }
        beside.faults.extend(strays_in_words(&self.store().strays().await?));
        Ok(beside)
    }

    async fn check_tables(
        self: &Arc<Self>,
        tables: VecDeque<(TableId, StreamId, Version)>,
    ) -> Result<Found, Unanswered> {
        let (left, mut working) = (Arc::new(Mutex::new(tables)), JoinSet::new());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..cores {
            let (house, left) = (self.clone(), left.clone());
            working.spawn(async move {
                let mut own = Found::default();
                let next = || left.lock().expect("nobody panics with it").pop_front();
                while let Some((table, stream, end)) = next() {
                    if let Err(error) = own.check_table(&house, table, stream.clone(), end).await {
                        own.beside.faults.push(format!("{stream}: {error}"));
                        own.unread.insert(table);
                    }
                }
                own
            });
        }
        let mut all = Found::default();
        while let Some(own) = working.join_next().await {
            let own = own.map_err(|error| Unanswered::Failed(error.to_string()))?;
            all.beside.rounds += own.beside.rounds;
            all.beside.marks += own.beside.marks;
            all.beside.faults.extend(own.beside.faults);
            // Tables are in one part each, and so are their sums.
            all.sums.extend(own.sums);
            all.unread.extend(own.unread);
        }
        Ok(all)
    }

    /// The sums that are kept, day by day and table by table.
    async fn kept_sums(&self) -> Result<Sums, Unanswered> {
        let days = self.store().round_sums(SumBy::Day, 0, EVER / DAY * DAY).await?;
        let days: BTreeSet<u64> = days.iter().filter_map(|sum| day_of(sum.key)).collect();
        let mut all = Sums::new();
        for day in days {
            let sums = self.store().round_sums(SumBy::Table, day * DAY, (day + 1) * DAY).await?;
            for sum in sums {
                let SumKey::Table(table) = sum.key else { continue };
                add_sum(&mut all, day, table, sum);
            }
        }
        Ok(all)
    }
}

impl Found {
    /// Follows a table from its first entry to its last.
    async fn check_table(
        &mut self,
        house: &House,
        table: TableId,
        stream: StreamId,
        end: Version,
    ) -> Result<(), Unanswered> {
        let (mut rounds, mut marks) = (Wrong::default(), Wrong::default());
        let mut pages = Pages::new(house, table, stream.clone(), end).await?;
        let mut following: Option<(Desk, Walk)> = None;
        while let Some(Page { after, until, entries, kept, told }) = pages.next().await? {
            self.beside.rounds += told.len() as u64;
            for row in &told {
                add_row(&mut self.sums, row);
            }
            for difference in differences(kept, told) {
                rounds.note(|| in_words(&difference));
            }
            let mut kept = kept_marks(house, &stream, after, until).await?;
            for applied in &entries {
                let (desk, walk) = follow(house, table, &mut following, applied)?;
                let Some(text) = kept.remove(&applied.version) else { continue };
                match check_mark(house, desk, walk, applied.version, &text) {
                    Ok(()) => self.beside.marks += 1,
                    Err(why) => marks.note(|| format!("after entry {} {why}", applied.version)),
                }
            }
        }
        self.beside.faults.extend(rounds.told(&stream, "rounds are not as the log says"));
        self.beside.faults.extend(marks.told(&stream, "marks are not as the log says"));
        Ok(())
    }
}

/// Puts an entry to a table and to its rounds.
fn follow<'a>(
    house: &House,
    table: TableId,
    following: &'a mut Option<(Desk, Walk)>,
    applied: &Applied,
) -> Result<(&'a Desk, &'a Walk), Unanswered> {
    if let Record::Opened(opening) = &applied.stamped.record {
        let setup = house.tools().setup(opening)?;
        let desk = Desk::new(table, opening.clone(), setup);
        *following = Some((desk, Walk::new(table, opening)));
    }
    let (desk, walk) = following.as_mut().expect("a log that is read begins with its opening");
    desk.apply(&applied.stamped, applied.at);
    walk.step(applied.version, applied.at, &applied.stamped);
    Ok((desk, walk))
}

/// The marks of a log that stand after one version and up to another.
async fn kept_marks(
    house: &House,
    stream: &StreamId,
    after: Version,
    until: Version,
) -> Result<BTreeMap<Version, String>, Unanswered> {
    let (mut all, mut until) = (BTreeMap::new(), until);
    while let Some((version, text)) = house.store().mark(stream, until).await? {
        if version <= after {
            break;
        }
        until = Version(version.0 - 1);
        all.insert(version, text);
    }
    Ok(all)
}

/// Whether a mark is the table as the log makes it; else what it is.
fn check_mark(
    house: &House,
    desk: &Desk,
    walk: &Walk,
    version: Version,
    text: &str,
) -> Result<(), &'static str> {
    let vault = house.vault();
    vault.open_mark(desk.id(), version, text).map_err(|_| "does not open")?;
    let (opening, setup) = (desk.opening().clone(), desk.table().setup().clone());
    // What opens and cannot be read was kept by a program that keeps tables in another form. It is passed
    // over, here as everywhere.
    let Ok(place) = vault.read_mark(desk.id(), version, text, opening, setup) else {
        return Ok(());
    };
    let form = |desk: &Desk| serde_json::to_string(&desk.still()).expect("a table is JSON");
    match place.walk == *walk && form(&place.desk) == form(desk) {
        true => Ok(()),
        false => Err("is another table"),
    }
}

/// What is wrong with one table: how much, and the first of it.
#[derive(Default)]
struct Wrong {
    count: u64,
    first: Option<String>,
}

impl Wrong {
    fn note(&mut self, first: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(first);
    }

    fn told(self, stream: &StreamId, what: &str) -> Option<String> {
        let Wrong { count, first } = self;
        first.map(|first| format!("{stream}: {count} {what}; the first, {first}"))
    }
}

fn in_words(difference: &RoundDifference) -> String {
    let words =
        |row: &RoundRow, what| format!("round {} up to entry {}, {what}", row.round, row.last);
    match (&difference.kept, &difference.told) {
        (None, Some(told)) => words(told, "is missing"),
        (Some(kept), None) => words(kept, "was never played"),
        (_, Some(told)) => words(told, "is another one"),
        (None, None) => String::new(),
    }
}

/// What is kept where no entry is, log by log.
pub fn strays_in_words(strays: &Strays) -> Vec<String> {
    let Strays { rounds, shares, marks } = strays;
    let rounds = rounds.iter().map(|row| {
        let first = format!("round {} up to entry {}, was never played", row.round, row.last);
        (StreamId::table(row.table), first)
    });
    let shares = shares
        .iter()
        .map(|(table, last)| (StreamId::table(*table), format!("those up to entry {last}")));
    let marks = marks.iter().map(|(stream, at)| (stream.clone(), format!("after entry {at}")));
    let mut all = of_logs(rounds, "rounds end where the log has no entry");
    all.extend(of_logs(shares, "rounds have shares that are not theirs"));
    all.extend(of_logs(marks, "marks stand where the log has no entry"));
    all
}

/// What is wrong with each log, from what is.
fn of_logs(found: impl Iterator<Item = (StreamId, String)>, what: &str) -> Vec<String> {
    let mut logs: BTreeMap<StreamId, Wrong> = BTreeMap::new();
    for (stream, first) in found {
        logs.entry(stream).or_default().note(|| first);
    }
    logs.into_iter().filter_map(|(stream, wrong)| wrong.told(&stream, what)).collect()
}

fn day_of(key: SumKey) -> Option<u64> {
    match key {
        SumKey::Day(day) => Some(day),
        SumKey::Table(_) | SumKey::Rulebook => None,
    }
}

/// Takes up a sum that is kept.
fn add_sum(sums: &mut Sums, day: u64, table: TableId, sum: RoundSum) {
    let RoundSum { rulebook, rounds, voids, corrections, house_took, house_paid, .. } = sum;
    for it in &sum.bets {
        let counted = [it.shares, it.wagered, it.taken, it.paid, it.back, it.commission];
        let key = (day, table, rulebook.clone(), Some((it.bet, it.bot)));
        sums.insert(key, Figures { counted, squares: it.squares });
    }
    let counted = [rounds, voids, corrections, house_took, house_paid, 0];
    sums.insert((day, table, rulebook, None), Figures { counted, squares: 0.0 });
}

/// Adds a round to its sums. What went back with a void round is in none.
#[expect(clippy::cast_precision_loss, reason = "for standard errors alone")]
fn add_row(sums: &mut Sums, row: &RoundRow) {
    let (day, status) = (row.ended / DAY, row.status.kind());
    let is = |kind| u64::from(status == kind);
    let [settled, void] = [is(StatusKind::Settled), is(StatusKind::Void)];
    let (took, paid) = (row.house_took.get(), row.house_paid.get());
    let counted = [settled, void, is(StatusKind::Corrected), took, paid, 0];
    let mut add = |of, counted, squares| {
        let sum = sums.entry((day, row.table, row.rulebook.clone(), of)).or_default();
        sum.add(Figures { counted, squares });
    };
    add(None, counted, 0.0);
    for it in row.shares.iter().filter(|_| status != StatusKind::Void) {
        let amounts = [it.wagered, it.taken, it.paid, it.back, it.commission];
        let [wagered, taken, paid, back, commission] = amounts.map(houseway_rules::Cents::get);
        let counted = [1, wagered, taken, paid, back, commission];
        add(Some((it.bet, it.bot)), counted, (wagered as f64).powi(2));
    }
}

impl Figures {
    fn add(&mut self, more: Figures) {
        for (sum, more) in self.counted.iter_mut().zip(more.counted) {
            *sum += more;
        }
        self.squares += more.squares;
    }

    /// What is wrong with a sum that was kept before and after the logs came to this one.
    fn fault(&self, key: &Key, before: Figures, after: Figures) -> Option<String> {
        let (day, table, rulebook, bet) = key;
        let names = if bet.is_some() { OF_BETS } else { OF_ROUNDS };
        let lies = |place: usize| {
            (before.counted[place]..=after.counted[place]).contains(&self.counted[place])
        };
        let squares = before.squares * (1.0 - ROUNDING)..=after.squares * (1.0 + ROUNDING);
        let differs = match (0..names.len()).find(|&place| !lies(place)) {
            Some(place) => {
                let (name, kept, told) = (names[place], after.counted[place], self.counted[place]);
                format!("{name} is kept as {kept}, and the log comes to {told}")
            }
            None if squares.contains(&self.squares) => return None,
            None => "the squares of wagers are not what the log comes to".to_string(),
        };
        let of = match bet {
            Some((bet, true)) => format!(", {bet} of bots"),
            Some((bet, false)) => format!(", {bet}"),
            None => String::new(),
        };
        Some(format!("sum of {}, table {table}, {rulebook}{of}: {differs}", calendar::date(*day)))
    }
}

#[cfg(test)]
mod tests {
    use houseway_fair::Keyring;
    use houseway_rules::rulebook::Role;
    use houseway_store::Memory;
    use houseway_table::{Actor, Person};

    use super::*;
    use crate::clock::SystemClock;
    use crate::house::Wish;
    use crate::record::Stamped;
    use crate::vault::{SystemChance, Vault};

    /// Marks are sealed, so one of another table is made only by whoever has the keys, or by a mistake.
    #[tokio::test]
    async fn a_mark_of_another_table_is_told_from_the_right_one() {
        let vault = Vault::new(Keyring::new([(1, [7; 32])]).expect("one key"), SystemChance);
        let (store, clock) = (Arc::new(Memory::new()), Arc::new(SystemClock::new()));
        let house = House::new(store, Arc::new(vault), clock, Arc::default(), BTreeMap::default());
        let table = house.open_table(Person(1), Wish::new("mbs-2020")).await.expect("it opens");
        let desk = house.room(table).await.expect("it is there").now().desk.clone();
        let walk = Walk::new(table, desk.opening());
        let marked = house.vault().mark(Version(1), &desk, &walk).expect("chance");
        let text = marked.expect("no round is played");
        let check = |desk, walk, version| check_mark(&house, desk, walk, Version(version), &text);
        assert_eq!(check(&desk, &walk, 1), Ok(()));
        assert_eq!(check(&desk, &walk, 2), Err("does not open"));
        let corrected = Walk::between_rounds(table, desk.opening(), 5);
        assert_eq!(check(&desk, &corrected, 1), Err("is another table"));
        let mut closed = desk.clone();
        let by = Actor { person: Person(9), role: Role::GamingShiftManager };
        let record = Record::Closed { why: "a leak".to_owned() };
        closed.apply(&Stamped { by, record }, 5);
        assert_eq!(check(&closed, &walk, 1), Err("is another table"));
    }
}
