//! What must hold, held after every append. The judge reads the store itself, past everything that
//! goes wrong on the way to it, and believes nothing that a node says.
//!
//! After an append, what it has touched is held: accounts that moved, and the table as one onlooker
//! after the other sees it. Whenever a round has ended, now and then besides, and at the end of the
//! night, everything is held from scratch, in ways that share nothing with the quick ones.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use houseway_rules::rulebook::Role;
use houseway_rules::{CardSet, Cents};
use houseway_server::bots;
use houseway_server::desk::Desk;
use houseway_server::knowledge::{Reader, Sight};
use houseway_server::record::{Bot, Record, Stamped};
use houseway_server::room::{Answer, Snapshot};
use houseway_server::vault::Vault;
use houseway_store::{
    AccountName, Append, AppendError, Appended, Chain, Entry, Hash, Memory, Store, StreamId,
    TableId, Version,
};
use houseway_table::view::{HandView, Onlooker, TableView, past_view, view_beside};
use houseway_table::{Event, InPlay, Offer, Person, Phase, Table};
use uuid::Uuid;

use crate::deal::DeckRead;
use crate::figures::Invariant;
use crate::plan::Plan;
use crate::truth::Sabotage;
use crate::twist::twist;

/// How many appends are between two after which everything is held from scratch. No number of
/// onlookers goes into it, so that each of them has their turn.
const NOW_AND_THEN: usize = 31;

/// Something that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) what: Invariant,
    pub(crate) how: String,
}

/// A log as the judge has read it.
struct Log {
    version: Version,
    chain: Chain,
    last_at: u64,
    table: Option<TableRead>,
}

struct TableRead {
    id: TableId,
    desk: Desk,
    reader: Reader,
    deck: DeckRead,
}

/// What a command was answered when it was carried out.
#[derive(Clone, PartialEq, Eq)]
struct Answered {
    version: Version,
    text: String,
    digest: [u8; 32],
}

pub(crate) struct Judge {
    vault: Vault,
    logs: BTreeMap<StreamId, Log>,
    answered: BTreeMap<(Person, Uuid), Answered>,
    /// What moved in the logs comes to this.
    balances: BTreeMap<AccountName, i64>,
    /// And at each table to this: stacks, wagers and what is put up.
    at_tables: BTreeMap<TableId, i64>,
    /// What people have brought to tables and not taken back, and the most they let themselves lose.
    lost: BTreeMap<Person, i64>,
    limits: BTreeMap<Person, i64>,
    /// Commands that are not allowed, whatever happens meanwhile.
    illegal: BTreeSet<Uuid>,
    pub(crate) checks: BTreeMap<Invariant, u64>,
    pub(crate) breaks: Vec<Broken>,
    pub(crate) rounds: u64,
    pub(crate) entries: u64,
    pub(crate) transfers: u64,
    /// By how much clocks of nodes may differ.
    skew: u64,
    sabotage: Sabotage,
    turn: usize,
}

/// What is there at once, because nothing has to be waited for.
pub(crate) fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(it) => it,
        Poll::Pending => unreachable!("a store in memory never waits"),
    }
}

impl Judge {
    pub(crate) fn new(vault: Vault, plan: &Plan) -> Judge {
        Judge {
            vault,
            logs: BTreeMap::new(),
            answered: BTreeMap::new(),
            balances: BTreeMap::new(),
            at_tables: BTreeMap::new(),
            lost: BTreeMap::new(),
            limits: BTreeMap::new(),
            illegal: BTreeSet::new(),
            checks: BTreeMap::new(),
            breaks: vec![],
            rounds: 0,
            entries: 0,
            transfers: 0,
            // A clock that starts behind another begins at the end of the log; so what it is behind
            // by is no more than that.
            skew: plan.skew,
            sabotage: plan.sabotage,
            turn: 0,
        }
    }

    pub(crate) fn broken(&self) -> bool {
        !self.breaks.is_empty()
    }

    /// Holds something.
    pub(crate) fn hold(&mut self, what: Invariant, holds: bool, how: impl FnOnce() -> String) {
        *self.checks.entry(what).or_default() += 1;
        if !holds {
            self.breaks.push(Broken { what, how: how() });
        }
    }

    /// A command that must be refused.
    pub(crate) fn must_refuse(&mut self, id: Uuid) {
        self.illegal.insert(id);
    }

    /// Someone was told that they may lose so much from now on. A looser limit waits for longer than
    /// any night lasts.
    pub(crate) fn limited(&mut self, person: Person, most: Cents) {
        let most = most.get().cast_signed();
        self.limits.entry(person).and_modify(|it| *it = most.min(*it)).or_insert(most);
    }

    /// The table of a log as the judge has read it.
    pub(crate) fn desk(&self, table: TableId) -> Option<&Desk> {
        let log = self.logs.get(&StreamId::table(table))?;
        log.table.as_ref().map(|table| &table.desk)
    }

    /// Where a table's log ends as the judge has read it.
    pub(crate) fn version(&self, table: TableId) -> Version {
        self.logs.get(&StreamId::table(table)).map_or(Version(0), |log| log.version)
    }

    /// Something that is about to be appended, as whatever is broken on purpose wants it.
    pub(crate) fn twist(&self, append: Append) -> Append {
        let log = self.logs.get(&append.stream).and_then(|log| log.table.as_ref());
        let Some(table) = log.filter(|_| self.sabotage != Sabotage::Nothing) else { return append };
        let illegal = append.command.as_ref().is_some_and(|it| self.illegal.contains(&it.id));
        twist(self.sabotage, &table.desk, &self.vault, illegal, append)
    }

    /// Something was handed to the store, and this came of it.
    pub(crate) fn appended(
        &mut self,
        store: &Memory,
        append: &Append,
        result: &Result<Appended, AppendError>,
    ) {
        let stream = &append.stream;
        let new = || Log {
            version: Version(0),
            chain: Chain::new(stream.clone(), None),
            last_at: 0,
            table: None,
        };
        let mut log = self.logs.remove(stream).unwrap_or_else(new);
        let mut fresh = at_once(store.read(stream, log.version, u32::MAX)).unwrap_or_default();
        if self.sabotage == Sabotage::BreaksTheChain && self.turn.is_multiple_of(NOW_AND_THEN) {
            for entry in &mut fresh {
                entry.previous = Hash([1; 32]);
            }
        }
        match result {
            Ok(Appended::Now(head)) => {
                self.kept(append, &fresh, head.version);
                if let Some(command) = &append.command {
                    let key = (command.by, command.id);
                    let (version, text) = (head.version, command.answer.clone());
                    let answered = Answered { version, text, digest: command.digest };
                    let twice = self.answered.insert(key, answered).is_some();
                    self.hold(Invariant::NothingTwice, !twice, || {
                        format!("{} carried out {} a second time", command.by, command.id)
                    });
                    let refused = append.entries.is_empty();
                    if self.illegal.contains(&command.id) {
                        self.hold(Invariant::IllegalRefused, refused, || {
                            format!("{} was granted {}", command.by, command.id)
                        });
                    }
                }
            }
            Ok(Appended::Before(before)) => {
                let command = append.command.as_ref().map(|it| (it.by, it.id));
                let known = command.and_then(|it| self.answered.get(&it)).cloned();
                let same = known.is_some_and(|it| {
                    (it.version, &it.text, it.digest)
                        == (before.version, &before.answer, before.digest)
                });
                self.hold(Invariant::SameAnswer, same, || {
                    format!("{command:?} is remembered otherwise: {before:?}")
                });
                self.nothing_new(&fresh, stream);
            }
            Err(_) => self.nothing_new(&fresh, stream),
        }
        let before = self.rounds;
        for entry in &fresh {
            self.read(&mut log, entry);
        }
        let ended = before != self.rounds;
        self.logs.insert(stream.clone(), log);
        if fresh.is_empty() {
            return;
        }
        self.turn += 1;
        let whole = ended || self.turn.is_multiple_of(NOW_AND_THEN);
        self.touched(store, stream, &fresh);
        if whole {
            self.books(store);
        }
        self.look(stream, whole, ended);
    }

    fn nothing_new(&mut self, fresh: &[Entry], stream: &StreamId) {
        self.hold(Invariant::NothingTwice, fresh.is_empty(), || {
            format!("{stream} went on by {} though nothing was appended", fresh.len())
        });
    }

    /// What was acknowledged is there, all of it and once.
    fn kept(&mut self, append: &Append, fresh: &[Entry], version: Version) {
        let stands = append.expected.0 + append.entries.len() as u64;
        self.hold(Invariant::OneOrder, version.0 == stands, || {
            format!("{} stands at {version}, not at {stands}", append.stream)
        });
        self.hold(Invariant::NothingLost, fresh.len() >= append.entries.len(), || {
            format!("{}: {} of {} kept", append.stream, fresh.len(), append.entries.len())
        });
        self.hold(Invariant::NothingTwice, fresh.len() <= append.entries.len(), || {
            format!("{}: {} for {} kept", append.stream, fresh.len(), append.entries.len())
        });
        let same = fresh.iter().zip(&append.entries).all(|(kept, new)| {
            (&kept.kind, &kept.body, &kept.moves, kept.at)
                == (&new.kind, &new.body, &new.moves, append.at)
        });
        self.hold(Invariant::NothingLost, same, || format!("{}: kept otherwise", append.stream));
    }

    fn read(&mut self, log: &mut Log, entry: &Entry) {
        let Entry { stream, version, at, .. } = entry;
        self.entries += 1;
        self.transfers += entry.moves.len() as u64;
        self.hold(Invariant::OneOrder, version.0 == log.version.0 + 1, || {
            format!("{stream}: {version} after {}", log.version)
        });
        log.version = *version;
        let followed = log.chain.follow(entry);
        self.hold(Invariant::ChainHolds, followed.is_ok(), || format!("{stream}: {followed:?}"));
        self.hold(Invariant::TimeGoesOn, at + self.skew >= log.last_at, || {
            format!("{stream} {version}: {at} after {}", log.last_at)
        });
        log.last_at = log.last_at.max(*at);
        let Some(id) = stream.as_str().strip_prefix("table/").and_then(|it| it.parse().ok()) else {
            return;
        };
        let stamped = match self.vault.read(entry) {
            Ok(stamped) => stamped,
            Err(error) => {
                return self.hold(Invariant::NothingLost, false, || error.to_string());
            }
        };
        if let Some(table) = &mut log.table {
            return self.apply(table, &stamped, *at, *version);
        }
        let Record::Opened(opening) = &stamped.record else {
            return self.hold(Invariant::NothingLost, false, || format!("{stream}: no opening"));
        };
        let setup = opening.setup().expect("it was opened");
        let mut desk = Desk::new(TableId(id), opening.clone(), setup);
        desk.apply(&stamped, *at);
        let (id, reader, deck) = (TableId(id), Reader::default(), DeckRead::default());
        log.table = Some(TableRead { id, desk, reader, deck });
    }

    fn apply(&mut self, table: &mut TableRead, stamped: &Stamped, at: u64, version: Version) {
        if let Record::Happened(event) = &stamped.record {
            self.happens(table, event, at, version);
        }
        self.takes_down(table, stamped, version);
        table.reader.before(&table.desk, stamped);
        table.desk.apply(stamped, at);
        table.reader.after(&table.desk);
        if table.deck.is_dealt() && matches!(table.desk.table().phase(), Phase::Idle) {
            self.proves(table, version);
        }
        let round = table.desk.table().round();
        if let Phase::Setting(play) | Phase::Revealed(play) = table.desk.table().phase() {
            let whole = is_one_deck(play);
            self.hold(Invariant::NoCardTwice, whole, || {
                format!("table {} {version}: round {round} is not one deck", table.id)
            });
        }
    }

    /// What the log tells of a round's deck: it is settled once, before the first wager.
    fn takes_down(&mut self, table: &mut TableRead, stamped: &Stamped, version: Version) {
        let deck = &mut table.deck;
        let settled = match &stamped.record {
            Record::Committed(committed) => deck.commit(committed),
            Record::Said { words } => deck.say(stamped.by.person.0, words),
            Record::Happened(Event::BetsOpened { round, .. }) => {
                return *deck = DeckRead::of(*round);
            }
            Record::Happened(Event::Placed { .. } | Event::BetsClosed) => deck.wager(),
            Record::Happened(Event::Dealt { hands, left_over, number, .. }) => {
                return deck.deal(hands, *left_over, *number);
            }
            _ => return,
        };
        self.hold(Invariant::CommittedFirst, settled, || {
            format!(
                "table {} {version}: {:?} in a round whose deck is not settled, or was",
                table.id, stamped.record
            )
        });
    }

    /// A round with cards is over: its proof, as an auditor has it, proves what was dealt.
    fn proves(&mut self, table: &mut TableRead, version: Version) {
        let TableRead { id, desk, deck, .. } = table;
        let cut = desk.last_deck().and_then(|deck| desk.cut(deck, &self.vault).ok());
        let wrong = match cut {
            Some(cut) => deck.hold_against(&cut.disclose()),
            None => Some("there is no proof".into()),
        };
        self.hold(Invariant::CommittedDeck, wrong.is_none(), || {
            format!("table {id} {version}: {}", wrong.unwrap_or_default())
        });
    }

    fn happens(&mut self, table: &TableRead, event: &Event, at: u64, version: Version) {
        let (id, desk) = (table.id, &table.desk);
        match event {
            Event::Placed { by: None, .. } | Event::Returned { clause: None, .. } => {
                let in_time = match desk.table().phase() {
                    Phase::Betting(it) => it.until.is_none_or(|until| at <= until),
                    _ => false,
                };
                self.hold(Invariant::ClosedIsClosed, in_time, || {
                    format!("table {id} {version}: taken after the close")
                });
            }
            Event::MoneyBrought { person, amount } => {
                let lost = self.lost.entry(*person).or_default();
                let brought = (*lost).max(0) + amount.get().cast_signed();
                *lost += amount.get().cast_signed();
                if let Some(&most) = self.limits.get(person) {
                    self.hold(Invariant::OwnLimits, brought <= most, || {
                        format!("table {id} {version}: {person} brings to {brought} of {most}")
                    });
                }
            }
            Event::MoneyTaken { person, amount } => {
                *self.lost.entry(*person).or_default() -= amount.get().cast_signed();
            }
            Event::BetsOpened { .. } | Event::BankOffered { .. } => {
                // Where the bank is offered on, the round had begun.
                let begins = matches!(desk.table().phase(), Phase::Idle);
                self.hold(Invariant::ClosedTable, !(begins && desk.is_closed()), || {
                    format!("table {id} {version}: a round is begun at a closed table")
                });
            }
            Event::RoundEnded { .. } | Event::Voided { .. } => self.rounds += 1,
            _ => {}
        }
    }

    /// The accounts that moved stand where what moved takes them and where the table says, and not below
    /// their floor. What goes from one to another leaves the sum of all as it was, and all money at the
    /// table is what the table counts.
    fn touched(&mut self, store: &Memory, stream: &StreamId, fresh: &[Entry]) {
        let mut touched = BTreeSet::new();
        for moved in fresh.iter().flat_map(|entry| &entry.moves) {
            let amount = moved.amount.get().cast_signed();
            for (account, difference) in [(&moved.from, -amount), (&moved.to, amount)] {
                *self.balances.entry(account.clone()).or_default() += difference;
                if let Some((table, _)) = at_a_table(account) {
                    *self.at_tables.entry(table).or_default() += difference;
                }
                touched.insert(account);
            }
        }
        for &account in &touched {
            let (counted, kept) = (self.balances[account], at_once(store.balance(account)));
            let floor = counted >= 0 || account.may_be_overdrawn();
            self.hold(Invariant::BooksBalance, floor && kept == Ok(counted), || {
                format!("{account} has {kept:?}, and what moved comes to {counted}")
            });
        }
        let Some(table) = self.logs.get(stream).and_then(|log| log.table.as_ref()) else { return };
        let counted = self.at_tables.get(&table.id).copied().unwrap_or_default();
        let wrong = touched
            .into_iter()
            .find_map(|account| held_otherwise(table, account, self.balances[account]))
            .or_else(|| counted_otherwise(table, counted));
        self.hold(Invariant::BooksBalance, wrong.is_none(), || wrong.unwrap_or_default());
    }

    /// All accounts together come to nothing, none is below its floor, and each stands where what
    /// moved takes it; and at each table they are what the table says.
    fn books(&mut self, store: &Memory) {
        let balances = at_once(store.balances("")).unwrap_or_default();
        let sum: i64 = balances.iter().map(|(_, balance)| balance).sum();
        let below = balances.iter().find(|(name, it)| *it < 0 && !name.may_be_overdrawn());
        let counted = |name| self.balances.get(name).copied().unwrap_or_default();
        let other = balances.iter().find(|(name, it)| *it != counted(name)).cloned();
        let holds = sum == 0 && below.is_none() && other.is_none();
        self.hold(Invariant::BooksBalance, holds, || {
            format!("all come to {sum}; below nothing: {below:?}; not what moved: {other:?}")
        });
        let tables = self.logs.values().filter_map(|log| log.table.as_ref());
        let wrong: Vec<Option<String>> =
            tables.map(|table| counted_from_scratch(table, &balances)).collect();
        for wrong in wrong {
            self.hold(Invariant::BooksBalance, wrong.is_none(), || wrong.unwrap_or_default());
        }
    }

    /// One onlooker after the other looks at the table; all of them where a round has ended.
    fn look(&mut self, stream: &StreamId, whole: bool, ended: bool) {
        let Some(log) = self.logs.get(stream) else { return };
        let Some(table) = &log.table else { return };
        let onlookers = onlookers(&table.desk);
        let looks = match ended {
            true => onlookers,
            false => vec![onlookers[self.turn % onlookers.len()]],
        };
        let (id, at) = (table.id, log.last_at);
        let mut seen = vec![];
        for onlooker in looks {
            seen.push((onlooker, beyond(table, onlooker, at, self.sabotage)));
            // Of rounds that are over, an auditor sees everything.
            if whole && onlooker != Onlooker::Auditor {
                seen.push((onlooker, named_beyond(table, onlooker, at, self.sabotage)));
            }
        }
        let asleep = whole.then(|| bot_asleep(&table.desk, at));
        for (onlooker, beyond) in seen {
            self.hold(Invariant::NoHiddenCard, beyond.is_empty(), || {
                format!("table {id}: {onlooker:?} sees {beyond}")
            });
        }
        if let Some(asleep) = asleep {
            self.hold(Invariant::NoBotSleeps, asleep.is_none(), || {
                format!("table {id}: {asleep:?} has something to do")
            });
        }
    }

    /// Holds a room of a node against the log.
    pub(crate) fn live(&mut self, snapshot: &Snapshot) {
        let Some(log) = self.logs.get(&StreamId::table(snapshot.desk.id())) else { return };
        let Some(table) = &log.table else { return };
        if log.version == snapshot.version {
            let same = table.desk.table() == snapshot.desk.table();
            let id = table.id;
            self.hold(Invariant::ReplayIsLive, same, || {
                format!("table {id} is another than its log")
            });
        } else {
            let (ahead, id) = (snapshot.version > log.version, table.id);
            self.hold(Invariant::NothingLost, !ahead, || format!("table {id} is ahead of its log"));
        }
    }

    /// Someone was told an answer.
    pub(crate) fn told(&mut self, by: Person, id: Uuid, answer: &Answer) {
        let kept = self.answered.get(&(by, id)).cloned();
        let same = kept.is_some_and(|it| (it.version, &it.text) == (answer.version, &answer.text));
        self.hold(Invariant::NothingLost, same, || {
            format!("{by} was told of {id} what is not kept: {answer:?}")
        });
        if self.illegal.contains(&id) {
            let refused = answer.text.starts_with(r#"{"answer":"refused""#);
            self.hold(Invariant::IllegalRefused, refused, || format!("{by}: {id} {answer:?}"));
        }
    }

    /// Holds everything once more at the end, from the beginning.
    pub(crate) fn in_the_end(&mut self, store: &Memory) {
        let differences = at_once(store.check_books()).unwrap_or_default();
        self.hold(Invariant::BooksAreTheLog, differences.is_empty(), || format!("{differences:?}"));
        let streams: Vec<StreamId> = self.logs.keys().cloned().collect();
        for stream in &streams {
            let verified = at_once(store.verify_chain(stream, None));
            self.hold(Invariant::ChainHolds, verified.is_ok(), || {
                format!("{stream}: {verified:?}")
            });
            self.replay(store, stream);
        }
        let all: Vec<((Person, Uuid), Answered)> =
            self.answered.iter().map(|(key, it)| (*key, it.clone())).collect();
        for ((by, id), answered) in all {
            let known = at_once(store.recall(by, id)).ok().flatten();
            let same = known.is_some_and(|it| {
                (it.version, &it.answer, it.digest)
                    == (answered.version, &answered.text, answered.digest)
            });
            self.hold(Invariant::NothingLost, same, || format!("{by}'s {id} is not remembered"));
        }
    }

    fn replay(&mut self, store: &Memory, stream: &StreamId) {
        let Some(TableRead { id, desk, .. }) =
            self.logs.get(stream).and_then(|it| it.table.as_ref())
        else {
            return;
        };
        let id = *id;
        let opening = desk.opening();
        let setup = opening.setup().expect("it was opened");
        let mut again = Desk::new(id, opening.clone(), setup.clone());
        let (mut marks, mut wrong_marks) = (0, vec![]);
        for entry in at_once(store.read(stream, Version(0), u32::MAX)).unwrap_or_default() {
            if let Ok(stamped) = self.vault.read(&entry) {
                again.apply(&stamped, entry.at);
            }
            let mark = at_once(store.mark(stream, entry.version)).unwrap_or_default();
            if let Some((at, text)) = mark.filter(|(at, _)| *at == entry.version) {
                marks += 1;
                let read = self.vault.read_mark(id, at, &text, opening.clone(), setup.clone());
                if read.map(|it| format!("{:?}", it.desk)) != Ok(format!("{again:?}")) {
                    wrong_marks.push(at);
                }
            }
        }
        let same = format!("{again:?}") == format!("{desk:?}");
        // What people have at the table is what the books say.
        let people = desk.table().people();
        let stacks: Vec<(Person, Cents)> =
            people.iter().map(|(person, guest)| (*person, guest.stack)).collect();
        self.hold(Invariant::ReplayIsLive, same, || format!("{stream} is another when read again"));
        for _ in 0..marks {
            self.hold(Invariant::ReplayIsLive, wrong_marks.is_empty(), || {
                format!("{stream} is another at its marks {wrong_marks:?}")
            });
        }
        for (person, has) in stacks {
            let account = stack(id, person);
            let kept = at_once(store.balance(&account)).unwrap_or_default();
            self.hold(Invariant::BooksAreTheLog, kept == has.get().cast_signed(), || {
                format!("{account} has {kept}, and the table says {has}")
            });
        }
    }
}

/// Whose money an account at a table holds: which table's, and in which of its accounts. Nothing for what
/// lies elsewhere, or is the house's.
fn at_a_table(account: &AccountName) -> Option<(TableId, &str)> {
    let (table, rest) = account.as_str().strip_prefix("table/")?.split_once('/')?;
    let is_at_table = rest == "bank" || rest.starts_with("stack/") || rest.starts_with("felt/");
    is_at_table.then_some((TableId(table.parse().ok()?), rest))
}

/// The account of what someone has at a table.
fn stack(table: TableId, person: Person) -> AccountName {
    format!("table/{table}/stack/{}", person.0).parse().expect("a name")
}

/// What a table says is in one of its accounts; nothing where it does not say.
fn held(table: &Table, account: &str) -> Option<i64> {
    if let Some(person) = account.strip_prefix("stack/") {
        let guest = table.people().get(&Person(person.parse().ok()?));
        return Some(guest.map_or(0, |guest| guest.stack.get().cast_signed()));
    }
    // Between rounds nothing lies on the layout.
    matches!(table.phase(), Phase::Idle).then_some(0)
}

/// How an account of a table is otherwise than the table says, if it is.
fn held_otherwise(read: &TableRead, account: &AccountName, kept: i64) -> Option<String> {
    let (table, name) = at_a_table(account)?;
    let held = held(read.desk.table(), name).filter(|_| table == read.id)?;
    (held != kept).then(|| format!("{account} has {kept}, and the table says {held}"))
}

/// How all money at a table is otherwise than the table counts, if it is.
fn counted_otherwise(read: &TableRead, kept: i64) -> Option<String> {
    let counted = read.desk.table().money();
    let id = read.id;
    (counted.get().cast_signed() != kept)
        .then(|| format!("at table {id} are {kept} cents, and the table counts {counted}"))
}

/// What is wrong with the money at a table, by all accounts that there are and all people there.
fn counted_from_scratch(read: &TableRead, balances: &[(AccountName, i64)]) -> Option<String> {
    let here = |account: &AccountName| at_a_table(account).is_some_and(|(id, _)| id == read.id);
    let here: Vec<&(AccountName, i64)> =
        balances.iter().filter(|(account, _)| here(account)).collect();
    let of = |account: &AccountName| here.iter().find(|(name, _)| name == account).map(|it| it.1);
    let people = read.desk.table().people();
    let mut stacks = people.keys().map(|person| stack(read.id, *person));
    here.iter()
        .find_map(|(account, kept)| held_otherwise(read, account, *kept))
        .or_else(|| stacks.find_map(|it| held_otherwise(read, &it, of(&it).unwrap_or_default())))
        .or_else(|| counted_otherwise(read, here.iter().map(|it| it.1).sum()))
}

/// Whoever can look at a table: everyone who sits there, and one of each kind besides.
fn onlookers(desk: &Desk) -> Vec<Onlooker> {
    let staff = [Role::Dealer, Role::PitSupervisor, Role::PitManager, Role::GamingShiftManager];
    let staff = staff.map(|role| Onlooker::Staff(Person(900), role));
    let guests = desk.guests().map(Onlooker::Player);
    guests.chain([Onlooker::Spectator, Onlooker::Auditor]).chain(staff).collect()
}

/// A table as an onlooker sees it.
fn seen<Last>(
    table: &TableRead,
    onlooker: Onlooker,
    at: u64,
    last: Option<Last>,
    sabotage: Sabotage,
) -> (TableView<Last>, Sight) {
    let mut seen = view_beside(table.desk.table(), onlooker, at, last);
    if sabotage == Sabotage::ViewWithAHiddenCard
        && let Phase::Setting(play) = table.desk.table().phase()
    {
        let dealt = play.banker.dealt.cards().iter().collect();
        seen.banker = Some(HandView::Dealt { dealt });
    }
    let (person, role) = match onlooker {
        Onlooker::Player(person) => (Some(person), Role::Player),
        Onlooker::Staff(_, role) => (None, role),
        Onlooker::Spectator | Onlooker::Auditor => (None, Role::Player),
    };
    (seen, Sight { person, role })
}

/// Cards that an onlooker sees in the round in progress and may not.
fn beyond(table: &TableRead, onlooker: Onlooker, at: u64, sabotage: Sabotage) -> CardSet {
    let (seen, sight) = seen::<()>(table, onlooker, at, None, sabotage);
    let hands = seen.seats.iter().filter_map(|seat| seat.hand.as_ref());
    let hands = hands.chain(&seen.banker).chain(&seen.house).map(|hand| match hand {
        HandView::FaceDown { .. } => CardSet::EMPTY,
        HandView::Dealt { dealt } => dealt.iter().copied().fold(CardSet::EMPTY, CardSet::with),
        HandView::Set { low, high, .. } => {
            low.iter().chain(high).copied().fold(CardSet::EMPTY, CardSet::with)
        }
    });
    let offered = seen.options.iter().flat_map(|offer| match offer {
        Offer::Set { lows, fouls, .. } | Offer::SetBanker { lows, fouls } => [lows, fouls],
        _ => [const { &vec![] }; 2],
    });
    hands
        .chain(offered.flatten().copied())
        .fold(CardSet::EMPTY, CardSet::union)
        .without(table.reader.now().of(sight))
}

/// Cards that are named anywhere in all that an onlooker is sent of a table, as text, the round before
/// included, and that they may not know.
fn named_beyond(table: &TableRead, onlooker: Onlooker, at: u64, sabotage: Sabotage) -> CardSet {
    let last = table.desk.table().last_round();
    let last = last.map(|past| past_view(table.desk.table(), onlooker, past));
    let (seen, sight) = seen(table, onlooker, at, last, sabotage);
    let seen = serde_json::to_value(&seen).expect("a view is JSON");
    table.reader.beyond(&seen, sight)
}

/// A bot that has something to do by its view, and none by the quick look that the house takes.
fn bot_asleep(desk: &Desk, at: u64) -> Option<Person> {
    let quick = |bot: &Bot| bots::turn(desk.table(), bot, at);
    let slow = |bot: &Bot| bots::turn_by_view(desk.table(), bot, at);
    desk.opening().bots.iter().find(|bot| quick(bot) != slow(bot)).map(|bot| bot.person)
}

/// Whether all cards of a round are one deck.
fn is_one_deck(play: &InPlay) -> bool {
    let hands = play.hands.values().map(|hand| hand.dealt.cards());
    let house = play.house.iter().map(|house| house.dealt.cards());
    let discarded = play.discarded.iter().map(|(_, cards)| *cards);
    let all =
        hands.chain(house).chain(discarded).chain([play.banker.dealt.cards(), play.left_over]);
    let (mut seen, mut count) = (CardSet::EMPTY, 0);
    for cards in all {
        count += cards.len();
        seen = seen.union(cards);
    }
    count == 53 && seen.len() == 53
}
