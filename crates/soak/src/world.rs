//! What everything in a night shares: time, chance, the store, the nodes, the judge.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use houseway_fair::{Bytes32, Keyring};
use houseway_server::room::Asked;
use houseway_server::vault::Vault;
use houseway_store::{Append, AppendError, Appended, TableId};
use sha2::{Digest, Sha256};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::dice::Dice;
use crate::figures::{Fault, Figures};
use crate::judge::Judge;
use crate::node::Node;
use crate::plan::Plan;
use crate::truth::Truth;

/// When nights begin, in milliseconds since 1970: an evening in 2026.
pub(crate) const EVENING: u64 = 1_790_000_000_000;

/// The house's key, the same at every node and in every life.
pub(crate) fn vault(dice: Dice) -> Vault {
    Vault::new(Keyring::new([(1, [7; 32])]).expect("one key"), dice)
}

/// What happened, in one hash; as text for whoever wants to read it.
pub(crate) struct Trace {
    hash: Sha256,
    keep: bool,
    pub(crate) lines: Vec<String>,
}

/// A night.
pub(crate) struct World {
    pub(crate) plan: Plan,
    pub(crate) truth: Truth,
    pub(crate) tables: Mutex<Vec<TableId>>,
    pub(crate) nodes: Vec<Mutex<Node>>,
    /// What the node of a house with one has written to its disk and not yet synced.
    unsynced: Mutex<Vec<Append>>,
    /// Something was appended. Whoever waits for a room itself is woken in an order that is no seed's.
    pub(crate) news: Notify,
    /// Until when a client cannot reach a node.
    pub(crate) partitions: Mutex<BTreeMap<(u32, usize), Instant>>,
    /// Commands that were answered lately, to be asked again in the end.
    pub(crate) lately: Mutex<VecDeque<(TableId, Asked)>>,
    /// By how many milliseconds the machine's clock is off in a house with one node.
    pub(crate) off: AtomicI64,
    /// Whether the disk takes writes and confirms none of them.
    pub(crate) confirms_nothing: AtomicBool,
    start: Instant,
    dice: Mutex<Dice>,
    /// Chance of its own for what was added later, so that seeds keep most of their nights.
    more_dice: Mutex<Dice>,
    trace: Mutex<Trace>,
    figures: Mutex<Figures>,
    judge: Mutex<Judge>,
    calm: AtomicBool,
    over: AtomicBool,
}

impl World {
    pub(crate) fn new(plan: Plan, keep_trace: bool) -> Arc<World> {
        let mut dice = Dice::new(plan.seed);
        let judge = Judge::new(vault(dice.split()), &plan);
        let nodes = (0..plan.nodes).map(|_| Mutex::new(Node::new())).collect();
        let trace = Trace { hash: Sha256::new(), keep: keep_trace, lines: vec![] };
        Arc::new(World {
            truth: Truth::new(plan.sabotage),
            tables: Mutex::default(),
            nodes,
            unsynced: Mutex::default(),
            news: Notify::new(),
            partitions: Mutex::default(),
            lately: Mutex::default(),
            off: AtomicI64::new(0),
            confirms_nothing: AtomicBool::new(false),
            start: Instant::now(),
            dice: Mutex::new(dice),
            more_dice: Mutex::new(Dice::new(plan.seed ^ 0x1a7e)),
            trace: Mutex::new(trace),
            figures: Mutex::new(Figures { seeds: 1, ..Figures::default() }),
            judge: Mutex::new(judge),
            calm: AtomicBool::new(false),
            over: AtomicBool::new(false),
            plan,
        })
    }

    /// What time it is, for nobody in particular.
    pub(crate) fn now(&self) -> u64 {
        EVENING + self.start.elapsed().as_millis() as u64
    }

    pub(crate) fn dice(&self) -> MutexGuard<'_, Dice> {
        self.dice.lock().expect("nobody panics with it")
    }

    pub(crate) fn more_dice(&self) -> MutexGuard<'_, Dice> {
        self.more_dice.lock().expect("nobody panics with it")
    }

    pub(crate) fn unsynced(&self) -> MutexGuard<'_, Vec<Append>> {
        self.unsynced.lock().expect("nobody panics with it")
    }

    /// It is asked even if something has panicked meanwhile.
    pub(crate) fn judge(&self) -> MutexGuard<'_, Judge> {
        self.judge.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// They are told even if something has panicked meanwhile.
    pub(crate) fn figures(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn node(&self, number: usize) -> MutexGuard<'_, Node> {
        self.nodes[number].lock().expect("nobody panics with it")
    }

    pub(crate) fn table(&self, number: usize) -> TableId {
        self.tables.lock().expect("nobody panics with it")[number]
    }

    /// Something happened: it is part of the night's hash.
    pub(crate) fn tell(&self, what: &str) {
        let ms = self.start.elapsed().as_millis() as u64;
        let mut trace = self.trace.lock().expect("nobody panics with it");
        trace.hash.update(ms.to_le_bytes());
        trace.hash.update((what.len() as u64).to_le_bytes());
        trace.hash.update(what);
        if trace.keep {
            trace.lines.push(format!("{:>9}.{:03}  {what}", ms / 1_000, ms % 1_000));
        }
    }

    /// The hash so far, and the lines that were kept.
    pub(crate) fn told(&self) -> (String, Vec<String>) {
        let mut trace = self.trace.lock().expect("nobody panics with it");
        let hash = trace.hash.clone().finalize();
        let hash = Bytes32(hash.into()).to_string();
        (hash, std::mem::take(&mut trace.lines))
    }

    /// A command was answered.
    pub(crate) fn was_answered(&self, table: TableId, asked: Asked) {
        /// How many are asked again.
        const LATELY: usize = 40;
        let mut lately = self.lately.lock().expect("nobody panics with it");
        lately.push_back((table, asked));
        if lately.len() > LATELY {
            lately.pop_front();
        }
    }

    /// Whether something goes wrong that does so many times in a thousand, at a night of middling
    /// roughness. Nothing does once it is calm.
    pub(crate) fn goes_wrong(&self, times: u64, fault: Fault) -> bool {
        if self.is_calm() || !self.dice().thousand(times * self.plan.roughness / 2) {
            return false;
        }
        self.went_wrong(fault);
        true
    }

    pub(crate) fn went_wrong(&self, fault: Fault) {
        *self.figures().faults.entry(fault).or_default() += 1;
    }

    /// Whether nothing goes wrong any more.
    pub(crate) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    pub(crate) fn calm_down(&self) {
        self.calm.store(true, Ordering::Relaxed);
    }

    /// Whether nobody begins anything any more.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Between two times, in milliseconds.
    pub(crate) async fn wait(&self, least: u64, most: u64) {
        let ms = self.dice().between(least, most);
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }

    /// Appends to the store itself, and has it judged.
    pub(crate) async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let append = self.judge().twist(append);
        let result = self.truth.append(append.clone()).await;
        let (breaks, told) = {
            let mut judge = self.judge();
            judge.appended(&self.truth.memory, &append, &result);
            (judge.broken(), format!("append {} {}", append.stream, short(&result)))
        };
        self.tell(&told);
        self.news.notify_waiters();
        if breaks {
            self.end();
        }
        result
    }
}

fn short(result: &Result<Appended, AppendError>) -> String {
    match result {
        Ok(Appended::Now(head)) => format!("{} {}", head.version, head.hash),
        Ok(Appended::Before(before)) => format!("before {}", before.version),
        Err(error) => error.to_string(),
    }
}
