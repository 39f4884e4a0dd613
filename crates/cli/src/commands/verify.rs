//! `houseway verify`: a round's proof, or everything that a house has kept.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use houseway_fair::{Bytes32, Proof, Proved, verify};
use houseway_rules::Card;
use houseway_server::clock::SystemClock;
use houseway_server::house::House;
use houseway_server::keys::{self, keyring};
use houseway_server::rounds::Beside;
use houseway_server::vault::{SystemChance, Vault};
use houseway_store::{
    AccountName, Difference, Entry, Failure, Hash, Head, Moment, Store, StreamId, VerifyError,
    Version,
};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::admin::must_be_there;
use super::json;
use crate::args::{Verify, VerifyHouse, VerifyProof, VerifyWhat};
use crate::{Outcome, paint};

/// A proof is a few kilobytes; more than this is some other file.
const LARGEST: u64 = 1 << 20;

pub(crate) fn run(args: &Verify, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    match &args.what {
        VerifyWhat::Proof(args) => proof(args, out),
        VerifyWhat::House(args) => {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            runtime.block_on(house(args, out))
        }
    }
}

/// What a proof proves, for other programs.
#[derive(Serialize)]
struct Told<'a> {
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    table: &'a str,
    round: u64,
    commitment: Bytes32,
    cut: u8,
    number: Option<u8>,
    cards: Vec<(u8, Card)>,
    whole: bool,
}

fn proof(args: &VerifyProof, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let name = &args.file;
    let mut text = String::new();
    let read = match name.as_str() {
        "-" => io::stdin().take(LARGEST + 1).read_to_string(&mut text),
        file => {
            fs::File::open(file).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
        }
    };
    read.with_context(|| format!("cannot read {name}"))?;
    if text.len() as u64 > LARGEST {
        bail!("{name} is longer than {LARGEST} bytes: it is no proof");
    }
    let proof = Proof::read(&text).with_context(|| format!("{name} is no proof"))?;
    let published = match &args.commitment {
        Some(hex) => Some(hex.parse::<Bytes32>().context("--commitment")?),
        None => None,
    };
    let checked = match published {
        Some(published) if published != proof.commitment => {
            Err("it is about another commitment than the one that was published".to_string())
        }
        _ => verify(&proof).map_err(|fault| fault.to_string()),
    };
    let cards = |proved: &Proved| -> Vec<(u8, Card)> {
        proved.cards.iter().map(|(&place, &card)| (place.into(), card)).collect()
    };
    let told = Told {
        proved: checked.is_ok(),
        fault: checked.as_ref().err().cloned(),
        table: &proof.deal.table,
        round: proof.deal.round,
        commitment: proof.commitment,
        cut: proof.cut.places,
        number: checked.as_ref().ok().and_then(|proved| proved.number),
        cards: checked.as_ref().map(cards).unwrap_or_default(),
        whole: checked.as_ref().is_ok_and(|proved| proved.whole),
    };
    let text = if args.json { json(&told)? } else { in_words(&told, published.is_some()) };
    out.write_all(text.as_bytes())?;
    Ok(if told.proved { Outcome::Done } else { Outcome::CheckFailed })
}

fn in_words(told: &Told<'_>, compared: bool) -> String {
    let mut text = format!("Table {}, round {}\n", told.table, told.round);
    let _ = writeln!(text, "  committed to {}", told.commitment);
    if let Some(fault) = &told.fault {
        let _ = writeln!(text, "  {}: {fault}.", paint::strong("Not proved"));
        return text;
    }
    let what = match told.cards.is_empty() {
        // Of a void round that may be all.
        true => "No card is opened. The number",
        false if told.whole => "The whole deck",
        false => "What was shown",
    };
    let _ = writeln!(text, "  {what} was settled before the first wager.");
    let _ = writeln!(text, "  The players' words cut it after {} cards.", told.cut);
    if let Some(number) = told.number {
        let _ = writeln!(text, "  The number drawn was {number}.");
    }
    for (place, card) in &told.cards {
        let _ = writeln!(text, "  {:>4}  {}", place + 1, paint::card(*card));
    }
    if !compared {
        let says = "Compare the commitment with the one that was published before the round, or \
                    give it with --commitment: without that, only the document is proved.";
        let _ = writeln!(text, "  {}", paint::wrapped(says, paint::width() - 2, 2));
    }
    text
}

/// Where a log stood when it was written down elsewhere.
#[derive(Serialize, Deserialize)]
pub(crate) struct Anchor {
    pub(crate) stream: String,
    pub(crate) version: u64,
    pub(crate) hash: String,
}

/// What was found, for other programs.
#[derive(Default, Serialize)]
struct Found {
    streams: usize,
    entries: u64,
    /// What was held against the logs; nothing where that was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<CheckedBeside>,
    /// Why it was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    unchecked: Option<String>,
    faults: Vec<String>,
}

/// What is kept beside the logs, and was held against them.
#[derive(Serialize)]
struct CheckedBeside {
    rounds: u64,
    marks: u64,
}

async fn house(args: &VerifyHouse, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let store = args.place.store_to_read().await?;
    let mut anchors = match &args.heads {
        Some(path) => read_anchors(path)?,
        None => BTreeMap::new(),
    };
    let vault = keys_at_hand(args, &*store).await?;
    let mut found = Found::default();
    let is_anchored = !anchors.is_empty();
    // In a house that is open money moves meanwhile: what is kept at one moment is held against the logs
    // as far as they went then.
    let Moment { heads, balances, moves, misdated } = store.moment().await?;
    let streams = heads.into_iter().map(|(stream, head)| Log {
        anchors: anchors.remove(stream.as_str()).unwrap_or_default(),
        until: head.version,
        stream,
    });
    let followed = follow_all(&store, streams.collect()).await?;
    found.streams = followed.streams;
    found.entries = followed.entries;
    let gone = anchors.into_keys().map(|stream| format!("{stream}: the whole log is gone"));
    found.faults.extend(gone);
    let mut by_log: BTreeMap<StreamId, Vec<Version>> = BTreeMap::new();
    for (stream, version) in misdated {
        by_log.entry(stream).or_default().push(version);
    }
    for (stream, entries) in by_log {
        let (count, first) = (entries.len(), entries[0]);
        found.faults.push(format!(
            "{stream}: the moves of {count} entries are kept under another time than theirs; the first, \
             of entry {first}"
        ));
    }
    let is_whole = followed.faults.is_empty();
    let books = match is_whole {
        true => {
            if moves != followed.moves {
                let told = followed.moves;
                found.faults.push(format!("{moves} moves are kept, and the logs tell of {told}"));
            }
            differences(balances, followed.moved)
        }
        // What follows a break was not read.
        false => store.check_books().await?,
    };
    found.faults.extend(followed.faults);
    for Difference { account, kept, counted } in books {
        found.faults.push(format!("{account}: {kept} cents are kept, and {counted} moved"));
    }
    match vault {
        // Tables are not played from logs that are not theirs.
        Ok(_) if !is_whole => found.unchecked = Some("the logs themselves are wrong".to_string()),
        Ok(vault) => {
            let beside = check_beside(&store, vault).await?;
            let Beside { rounds, marks, faults } = beside;
            found.beside = Some(CheckedBeside { rounds, marks });
            found.faults.extend(faults);
        }
        Err(why) => found.unchecked = Some(why),
    }
    store.close().await;
    let text = if args.json { json(&found)? } else { found_in_words(&found, is_anchored) };
    out.write_all(text.as_bytes())?;
    Ok(if found.faults.is_empty() { Outcome::Done } else { Outcome::CheckFailed })
}

/// The house's keys, without which its tables cannot be played again; or why that is left out.
async fn keys_at_hand(
    args: &VerifyHouse,
    store: &dyn Store,
) -> anyhow::Result<Result<Vault, String>> {
    if args.logs_only {
        return Ok(Err("--logs-only leaves them out".to_string()));
    }
    let path = args.place.config()?.keys_file();
    let path = match &args.keys {
        Some(path) => {
            must_be_there(path)?;
            path
        }
        None if !path.is_file() => {
            let shown = path.display();
            return Ok(Err(format!("there are no keys in {shown}; name their file with --keys")));
        }
        None => &path,
    };
    let vault = Vault::new(keyring(path)?, SystemChance);
    if keys::are_the_houses(store, &vault).await? == Some(false) {
        let shown = path.display();
        bail!(
            "{shown} lacks keys that the house is run with, or has others: name theirs with --keys, or \
             check the logs alone with --logs-only"
        );
    }
    Ok(Ok(vault))
}

/// Plays all tables again from their logs, beside what is kept of them.
async fn check_beside(store: &Arc<dyn Store>, vault: Vault) -> anyhow::Result<Beside> {
    let (vault, clock) = (Arc::new(vault), Arc::new(SystemClock::new()));
    let house = House::new(store.clone(), vault, clock, Arc::default(), BTreeMap::new());
    Ok(house.check_beside().await?)
}

/// A log that is to be followed.
struct Log {
    stream: StreamId,
    /// Where it stood at times, by what was kept elsewhere.
    anchors: Vec<Head>,
    /// How far it went when balances were read.
    until: Version,
}

/// Logs that were followed from their first entry to their last.
#[derive(Default)]
struct Followed {
    streams: usize,
    entries: u64,
    faults: Vec<String>,
    /// How many moves they tell of.
    moves: u64,
    /// What each account has by what moved.
    moved: BTreeMap<AccountName, i64>,
}

/// Follows every log, as many at once as there are cores.
async fn follow_all(store: &Arc<dyn Store>, streams: VecDeque<Log>) -> anyhow::Result<Followed> {
    let (left, mut working) = (Arc::new(Mutex::new(streams)), JoinSet::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..cores {
        let (store, left) = (store.clone(), left.clone());
        working.spawn(async move {
            let mut own = Followed::default();
            let next = || left.lock().expect("nobody panics with it").pop_front();
            while let Some(log) = next() {
                own.follow(&*store, log).await?;
            }
            Ok::<Followed, Failure>(own)
        });
    }
    let mut all = Followed::default();
    while let Some(own) = working.join_next().await {
        let own = own.context("a core went away")??;
        all.streams += own.streams;
        all.entries += own.entries;
        all.moves += own.moves;
        all.faults.extend(own.faults);
        for (account, moved) in own.moved {
            *all.moved.entry(account).or_default() += moved;
        }
    }
    all.faults.sort();
    Ok(all)
}

impl Followed {
    async fn follow(&mut self, store: &dyn Store, log: Log) -> Result<(), Failure> {
        let Log { stream, anchors, until } = log;
        self.streams += 1;
        let (moved, moves) = (&mut self.moved, &mut self.moves);
        let mut add = |account: &AccountName, amount: i64| match moved.get_mut(account) {
            Some(sum) => *sum += amount,
            None => drop(moved.insert(account.clone(), amount)),
        };
        let mut add_up = |entry: &Entry| {
            if entry.version > until {
                return;
            }
            for it in &entry.moves {
                let amount = it.amount.get().cast_signed();
                add(&it.from, -amount);
                add(&it.to, amount);
                *moves += 1;
            }
        };
        match store.follow_chain(&stream, anchors, &mut add_up).await {
            Ok(head) => self.entries += head.version.0,
            Err(VerifyError::Broken(fault)) => self.faults.push(format!("{stream}: {fault}")),
            Err(VerifyError::Failed(failure)) => return Err(failure),
        }
        Ok(())
    }
}

/// Accounts in which something else is kept than has moved.
fn differences(
    balances: Vec<(AccountName, i64)>,
    mut moved: BTreeMap<AccountName, i64>,
) -> Vec<Difference> {
    let kept = balances.into_iter().map(|(account, kept)| {
        let counted = moved.remove(&account).unwrap_or(0);
        Difference { account, kept, counted }
    });
    let mut all: Vec<Difference> = kept.collect();
    let left = moved.into_iter();
    all.extend(left.map(|(account, counted)| Difference { account, kept: 0, counted }));
    all.retain(|it| it.kept != it.counted);
    all
}

fn found_in_words(found: &Found, anchored: bool) -> String {
    let mut text = format!("{} logs with {} entries\n", found.streams, found.entries);
    for fault in &found.faults {
        let _ = writeln!(text, "  {} {fault}", paint::strong("wrong:"));
    }
    if found.faults.is_empty() {
        text.push_str("  Every entry follows from the one before it, and the books balance.\n");
        if let Some(CheckedBeside { rounds, marks }) = found.beside {
            let says = format!(
                "History and reports are as the logs say: {rounds} rounds with their shares, their sums by \
                 day, and {marks} marks of tables."
            );
            let _ = writeln!(text, "  {}", paint::wrapped(&says, paint::width() - 2, 2));
        }
    }
    if let Some(why) = &found.unchecked {
        let says = format!(
            "Whether history and reports (rounds, shares, sums by day) and marks of tables are as the logs \
             say was not checked: {why}."
        );
        let _ = writeln!(text, "  {}", paint::wrapped(&says, paint::width() - 2, 2));
    }
    if !anchored {
        let says = "Whether entries were cut off at the end shows only against heads that were \
                    kept elsewhere: `houseway admin heads`, and --heads here.";
        let _ = writeln!(text, "  {}", paint::wrapped(says, paint::width() - 2, 2));
    }
    text
}

/// Heads that were kept elsewhere, by their logs: every one that was ever written down there.
fn read_anchors(path: &std::path::Path) -> anyhow::Result<BTreeMap<String, Vec<Head>>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let mut all: BTreeMap<String, Vec<Head>> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{name}, line {number}");
        let anchor: Anchor = serde_json::from_str(line).with_context(place)?;
        let hash = anchor.hash.parse::<Bytes32>().with_context(place)?;
        let head = Head { version: Version(anchor.version), hash: Hash(hash.0) };
        all.entry(anchor.stream).or_default().push(head);
    }
    Ok(all)
}

/// All heads of a store, as they are kept elsewhere.
pub(crate) async fn anchors(store: &Arc<dyn Store>) -> anyhow::Result<Vec<Anchor>> {
    let anchor = |(stream, head): (StreamId, Head)| Anchor {
        stream: stream.to_string(),
        version: head.version.0,
        hash: head.hash.to_string(),
    };
    Ok(store.heads("").await?.into_iter().map(anchor).collect())
}
