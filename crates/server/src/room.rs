//! One table's life in a process: one task decides and appends, everyone else watches.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use houseway_rules::Cents;
use houseway_rules::rulebook::Rulebook;
use houseway_store::{
    AccountName, Append, AppendError, Appended, Failure, Move, Remember, StatusKind, Store,
    StreamId, TableId, Version,
};
use houseway_table::{Actor, Event, Person, Phase, Setup};
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use uuid::Uuid;

use crate::clock::Clock;
use crate::desk::{Ask, Denied, Desk, HouseRefusal};
use crate::mark::{self, Place};
use crate::metrics::Metrics;
use crate::pace::{self, Next};
use crate::protocol::happened;
use crate::record::{Opening, Record, RulebookSource, Stamped};
use crate::rounds::Walk;
use crate::vault::{NoChance, Unreadable, Vault};

/// How many asks wait for a table before it is busy.
const WAITING: usize = 256;

/// How many entries are kept at hand for whoever comes back after a gap.
const AT_HAND: usize = 512;

/// How much of what happened is looked up for someone at once.
pub(crate) const MOST_AT_ONCE: u64 = 1_000;

/// How often a lost race is decided again before someone is told that the table is busy.
const RACES: usize = 50;

/// How many asks are answered together.
const TOGETHER: usize = 32;

/// How many things the house does by itself in one append.
const AT_ONCE: usize = 64;

/// By how much something may be late that the house does by itself. What is later was due while
/// nobody looked after the table: no node ran, or none could store anything.
const LATE: u64 = 3_000;

/// What players are told when a round goes on after a break.
pub(crate) const INTERRUPTED: &str =
    "the house was interrupted, and play goes on with the same deck";

/// How many rulebooks are kept at hand.
const RULEBOOKS: usize = 64;

/// After every entry.
const LATEST: Version = Version(u64::MAX);

/// How long whoever looks at a table waits for what other nodes have appended to its log.
const WAIT_FOR_LATEST: Duration = Duration::from_secs(1);

/// How many entries are read at once.
const PAGE: u32 = 1_000;

/// What a table stands on in this process.
pub(crate) struct Tools {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) vault: Arc<Vault>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) metrics: Arc<Metrics>,
    /// Whether play is stopped at this node: rounds in progress end, and none is begun.
    pub(crate) stopped: AtomicBool,
    /// Since when this process alone looks after all tables, if it does: whatever runs and is older was
    /// interrupted.
    pub(crate) alone_since: OnceLock<u64>,
    /// Rulebooks that tables were opened with.
    rulebooks: Mutex<Vec<(RulebookSource, Arc<Rulebook>)>>,
}

/// A desk at a version of its log.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The version.
    pub version: Version,
    /// The table.
    pub desk: Desk,
}

/// An entry that was applied.
#[derive(Clone, Debug)]
pub struct Applied {
    /// At which version.
    pub version: Version,
    /// When.
    pub at: u64,
    /// What.
    pub stamped: Stamped,
    /// How everyone is told, once someone was.
    told: OnceLock<Box<RawValue>>,
}

impl Applied {
    pub(crate) fn new(version: Version, at: u64, stamped: Stamped) -> Applied {
        Applied { version, at, stamped, told: OnceLock::new() }
    }

    /// It as everyone may know it, as text: all who watch are told the same.
    pub(crate) fn told(&self) -> &RawValue {
        self.told.get_or_init(|| to_raw_value(&happened(self)).expect("what happened is JSON"))
    }
}

/// Something asked of a table.
#[derive(Clone, Debug)]
pub struct Asked {
    /// By whom, as what.
    pub by: Actor,
    /// What.
    pub ask: Ask,
    /// The command's own name, made by whoever sent it.
    pub id: Uuid,
}

/// What an ask comes to. It was answered so, and will be if it is sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Where the log stood afterwards.
    pub version: Version,
    /// The answer as it is told and kept: JSON.
    pub text: String,
}

/// An ask was not answered. Nothing was acknowledged; the same command can be sent again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// Too much is asked at once.
    #[error("the table is busy: ask again")]
    Busy,
    /// The command's name was used for something else.
    #[error("the command's id was used for another command")]
    OtherContent,
    /// The table is not there.
    #[error("there is no such table")]
    NoTable,
    /// What is kept cannot be read, or not now.
    #[error("{0}")]
    Failed(String),
}

impl From<Failure> for Unanswered {
    fn from(failure: Failure) -> Unanswered {
        match failure {
            Failure::Busy => Unanswered::Busy,
            other => Unanswered::Failed(other.to_string()),
        }
    }
}

impl From<Unreadable> for Unanswered {
    fn from(error: Unreadable) -> Unanswered {
        Unanswered::Failed(error.to_string())
    }
}

/// The task that looked after a table has ended before it answered. The table is opened anew for whoever
/// asks next.
fn stopped() -> Unanswered {
    Unanswered::Failed("the table had to stop".into())
}

enum Message {
    /// An ask.
    Ask(Waiting),
    /// The log has gone on to this version at least, perhaps without us.
    Look(Version),
    /// The same, for someone who waits until it was read.
    CatchUp(oneshot::Sender<()>),
    /// Play was interrupted.
    Resume(String, oneshot::Sender<Result<(), Unanswered>>),
}

/// A table that is open in this process.
#[derive(Clone)]
pub struct Room {
    inbox: mpsc::Sender<Message>,
    watch: watch::Receiver<Arc<Snapshot>>,
    recent: Arc<Mutex<VecDeque<Arc<Applied>>>>,
    tools: Arc<Tools>,
    stream: StreamId,
}

impl Room {
    /// Opens a table from its log.
    pub(crate) async fn open(id: TableId, tools: Arc<Tools>) -> Result<Room, Unanswered> {
        let stream = StreamId::table(id);
        let Place { version, desk, walk } = tools.last_mark(id, LATEST).await?;
        let snapshot = Arc::new(Snapshot { version, desk });
        let (sender, watch) = watch::channel(snapshot.clone());
        let (inbox, asked) = mpsc::channel(WAITING);
        let recent = Arc::new(Mutex::new(VecDeque::new()));
        let room = Room { inbox, watch, recent: recent.clone(), tools: tools.clone(), stream };
        let mut keeper = Keeper {
            stream: room.stream.clone(),
            id,
            tools,
            snapshot,
            sender,
            recent,
            asked,
            walk,
            marked: version,
            stale: false,
            taken_up: false,
            interrupted: false,
            due: None,
        };
        keeper.catch_up().await?;
        keeper.interrupted = keeper.was_interrupted();
        tokio::spawn(keeper.run());
        Ok(room)
    }

    /// Asks something, and waits until the answer is on disk.
    pub async fn ask(&self, asked: Asked) -> Result<Answer, Unanswered> {
        self.hand_over(asked, None).await
    }

    /// Hands something over, at once: what is handed over first is decided first. What comes back waits
    /// until the answer is on disk.
    ///
    /// It may be refused for a reason the table does not know. That answer is kept too, and a command that
    /// was answered before gets its first answer all the same.
    pub(crate) fn hand_over(
        &self,
        asked: Asked,
        refusal: Option<HouseRefusal>,
    ) -> impl Future<Output = Result<Answer, Unanswered>> + use<> {
        let (answer, answered) = oneshot::channel();
        let sent = self.inbox.try_send(Message::Ask(Waiting { asked, refusal, answer }));
        let sent = sent.map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => Unanswered::Busy,
            mpsc::error::TrySendError::Closed(_) => stopped(),
        });
        async move {
            sent?;
            answered.await.unwrap_or_else(|_| Err(stopped()))
        }
    }

    /// The log has gone on to a version at least: look, if that is not known here.
    pub(crate) fn look(&self, version: Version) {
        // Whoever is that busy looks anyway.
        let _ = self.inbox.try_send(Message::Look(version));
    }

    /// Waits until what is in the log by now is known here, if it can be read.
    pub(crate) async fn catch_up(&self) {
        let (done, waiting) = oneshot::channel();
        if self.inbox.send(Message::CatchUp(done)).await.is_ok() {
            let _ = waiting.await;
        }
    }

    /// The table as its log has it by now: whoever was answered by one node finds it at every other. A log
    /// that cannot be read soon is not waited for.
    pub(crate) async fn latest(&self) -> Arc<Snapshot> {
        let _ = tokio::time::timeout(WAIT_FOR_LATEST, self.catch_up()).await;
        self.now()
    }

    /// Play was interrupted: go on, as the rulebook says.
    pub(crate) async fn resume(&self, why: &str) -> Result<(), Unanswered> {
        let (done, waiting) = oneshot::channel();
        let sent = self.inbox.send(Message::Resume(why.to_string(), done)).await;
        sent.map_err(|_| stopped())?;
        waiting.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Whether nobody looks after the table here any more: its task has ended, by a fault of ours.
    pub(crate) fn is_over(&self) -> bool {
        self.inbox.is_closed()
    }

    /// Whether nobody knows of this room but who asks and its own task.
    pub(crate) fn is_alone(&self) -> bool {
        Arc::strong_count(&self.recent) <= 2
    }

    /// The table as it stands.
    pub fn now(&self) -> Arc<Snapshot> {
        self.watch.borrow().clone()
    }

    /// The table as it stands, again and again.
    pub fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.watch.clone()
    }

    /// What was applied after a version, up to another one, in order: the last of it, where it is very
    /// much.
    pub async fn since(
        &self,
        after: Version,
        until: Version,
    ) -> Result<Vec<Arc<Applied>>, Unanswered> {
        if after >= until {
            return Ok(vec![]);
        }
        let after = after.max(Version(until.0.saturating_sub(MOST_AT_ONCE)));
        let at_hand = {
            let recent = self.recent.lock().expect("nobody panics with it");
            // Versions have no gaps, so a version is a place.
            let place = |version: Version| {
                let first = recent.front()?.version.0;
                usize::try_from((version.0 + 1).checked_sub(first)?).ok()
            };
            let places = place(after).zip(place(until));
            places
                .filter(|(_, until)| *until <= recent.len())
                .map(|(after, until)| recent.range(after..until).cloned().collect())
        };
        if let Some(applied) = at_hand {
            return Ok(applied);
        }
        let mut all = vec![];
        let mut after = after;
        while after < until {
            let page = self.tools.store.read(&self.stream, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.version;
            for entry in page.iter().filter(|entry| entry.version <= until) {
                let stamped = self.tools.vault.read(entry)?;
                all.push(Arc::new(Applied::new(entry.version, entry.at, stamped)));
            }
        }
        Ok(all)
    }
}

/// The task that decides and appends.
struct Keeper {
    id: TableId,
    stream: StreamId,
    tools: Arc<Tools>,
    snapshot: Arc<Snapshot>,
    sender: watch::Sender<Arc<Snapshot>>,
    recent: Arc<Mutex<VecDeque<Arc<Applied>>>>,
    asked: mpsc::Receiver<Message>,
    /// The round in progress, as far as the log has gone.
    walk: Walk,
    /// Where the last mark is, as far as is known here.
    marked: Version,
    /// Whether an append may have been stored without our knowing.
    stale: bool,
    /// Whether a round was taken up after a break, since the table was opened here.
    taken_up: bool,
    /// Whether a round is to be taken up that ran when the house last stopped.
    interrupted: bool,
    /// What is due by itself at the snapshot, once that was worked out, and whether play was stopped:
    /// most of what is asked changes nothing about it.
    due: Option<(bool, Next)>,
}

/// Someone who waits for an answer.
struct Waiting {
    asked: Asked,
    /// Why it is refused, if that has been decided already.
    refusal: Option<HouseRefusal>,
    answer: oneshot::Sender<Result<Answer, Unanswered>>,
}

/// What was decided and is not stored yet: one append after the other, each on top of the one before.
struct Draft {
    /// The table as it will stand.
    desk: Desk,
    walk: Walk,
    marked: Version,
    version: Version,
    /// What was decided since the last append.
    fresh: Vec<Stamped>,
    appends: Vec<Append>,
    applied: Vec<Applied>,
    /// How many rounds end.
    ended: u64,
    /// Whether the desk has gone further than what can be stored.
    spoiled: bool,
}

/// Whether a failure is logged, by how many there were in a row: a table that is stuck for hours tries
/// again several times a second, and says so about once a minute.
const fn is_told(failures: u64) -> bool {
    const SELDOM: u64 = 256;
    failures.is_multiple_of(SELDOM) || (failures < SELDOM && failures.is_power_of_two())
}

impl Keeper {
    async fn run(mut self) {
        /// What could not be done is tried again soon, and not at once.
        const AGAIN: Duration = Duration::from_millis(250);
        let mut not_before = Instant::now();
        let mut failures = 0;
        let mut messages = Vec::new();
        loop {
            let wake = (Instant::now() + self.rest()).max(not_before);
            tokio::select! {
                // What is due comes first: however much is asked, it never waits.
                biased;
                () = tokio::time::sleep_until(wake) => {
                    match self.go_on().await {
                        Ok(()) => failures = 0,
                        Err(error) => {
                            failures += 1;
                            if is_told(failures) {
                                let table = self.id;
                                tracing::warn!(%table, failures, %error, "the table could not go on");
                            }
                        }
                    }
                    if self.rest().is_zero() {
                        not_before = Instant::now() + AGAIN;
                    }
                }
                count = self.asked.recv_many(&mut messages, TOGETHER) => {
                    if count == 0 {
                        return;
                    }
                    self.take_up(&mut messages).await;
                }
            }
        }
    }

    /// Takes up what has come in, in its order; what is asked in a row is answered together.
    async fn take_up(&mut self, messages: &mut Vec<Message>) {
        let mut waiting = VecDeque::new();
        for message in messages.drain(..) {
            match message {
                Message::Ask(it) => waiting.push_back(it),
                // What was heard of may be what was appended here a moment ago.
                Message::Look(version) if version <= self.snapshot.version => {}
                Message::Look(_) => self.look().await,
                Message::CatchUp(done) => {
                    self.look().await;
                    let _ = done.send(());
                }
                Message::Resume(why, done) => {
                    self.answer_all(&mut waiting).await;
                    let _ = done.send(self.resume(why).await);
                }
            }
        }
        self.answer_all(&mut waiting).await;
    }

    /// How long nothing has to be done by itself.
    fn rest(&mut self) -> Duration {
        const LONG: Duration = Duration::from_hours(1);
        if self.interrupted {
            return Duration::ZERO;
        }
        let (at, stopped) = (self.tools.clock.now(), self.tools.is_stopped());
        let still = self.due.take().filter(|(was_stopped, next)| {
            *was_stopped == stopped
                && match next {
                    Next::Do(..) => false,
                    Next::Wait(until) => at < *until,
                    Next::Rest => true,
                }
        });
        let due = still.unwrap_or_else(|| (stopped, self.tools.next(&self.snapshot.desk, at)));
        match &self.due.insert(due).1 {
            Next::Do(..) => Duration::ZERO,
            Next::Wait(until) => Duration::from_millis(until.saturating_sub(at)).min(LONG),
            Next::Rest => LONG,
        }
    }

    async fn look(&mut self) {
        if let Err(error) = self.catch_up().await {
            self.stale = true;
            tracing::warn!(table = %self.id, %error, "the log could not be read");
        }
    }

    /// Applies what others have appended.
    async fn catch_up(&mut self) -> Result<(), Unanswered> {
        loop {
            let page = self.tools.store.read(&self.stream, self.snapshot.version, PAGE).await?;
            if page.is_empty() {
                self.stale = false;
                return Ok(());
            }
            let (mut desk, mut walk) = (self.snapshot.desk.clone(), self.walk.clone());
            let mut applied = vec![];
            for entry in &page {
                let stamped = self.tools.vault.read(entry)?;
                desk.apply(&stamped, entry.at);
                // Whoever appended it has kept the round with it.
                walk.step(entry.version, entry.at, &stamped);
                applied.push(Applied::new(entry.version, entry.at, stamped));
            }
            let version = page.last().map_or(self.snapshot.version, |entry| entry.version);
            self.walk = walk;
            self.publish(Snapshot { version, desk }, applied);
        }
    }

    fn publish(&mut self, snapshot: Snapshot, applied: Vec<Applied>) {
        {
            let mut recent = self.recent.lock().expect("nobody panics with it");
            recent.extend(applied.into_iter().map(Arc::new));
            let over = recent.len().saturating_sub(AT_HAND);
            recent.drain(..over);
        }
        self.snapshot = Arc::new(snapshot);
        self.due = None;
        self.sender.send_replace(self.snapshot.clone());
    }

    /// Lets the house do what is due.
    async fn go_on(&mut self) -> Result<(), Unanswered> {
        for _ in 0..RACES {
            if self.stale {
                self.catch_up().await?;
            }
            let at = self.tools.clock.now();
            let mut draft = self.draft();
            let takes_up = (self.interrupted || self.is_late(at))
                && draft.resume(INTERRUPTED, at, &self.tools.vault);
            self.tools.house_acts(&mut draft, at);
            if draft.fresh.is_empty() || self.store_own(draft, at).await? {
                self.interrupted = false;
                self.taken_up |= takes_up;
                return Ok(());
            }
        }
        Err(Unanswered::Busy)
    }

    /// Stores what the house does by itself; false if others were faster.
    async fn store_own(&mut self, mut draft: Draft, at: u64) -> Result<bool, Unanswered> {
        draft.append(&self.tools.vault, at, None)?;
        match self.store(draft).await.pop() {
            Some(Err(AppendError::Conflict { .. })) => Ok(false),
            Some(Err(error)) => Err(unanswered(error)),
            Some(Ok(_)) | None => Ok(true),
        }
    }

    /// Whether a round was left as it is when the house last stopped: nothing was appended since, and
    /// nobody else looks after tables.
    fn was_interrupted(&self) -> bool {
        let last = self.recent.lock().expect("nobody panics with it").back().map(|it| it.at);
        let before = last.zip(self.tools.alone_since.get()).is_some_and(|(at, since)| at < *since);
        before && !matches!(self.snapshot.desk.table().phase(), Phase::Idle)
    }

    /// Whether something has been due for so long that the house must have been away.
    fn is_late(&self, at: u64) -> bool {
        let then = at.saturating_sub(LATE);
        let last = self.recent.lock().expect("nobody panics with it").back().map_or(at, |it| it.at);
        last < then && matches!(self.tools.next(&self.snapshot.desk, then), Next::Do(..))
    }

    fn draft(&self) -> Draft {
        Draft {
            desk: self.snapshot.desk.clone(),
            walk: self.walk.clone(),
            marked: self.marked,
            version: self.snapshot.version,
            fresh: vec![],
            appends: vec![],
            applied: vec![],
            ended: 0,
            spoiled: false,
        }
    }

    /// Answers all who wait. Each is decided on top of those before, and all are handed to the
    /// store together; whoever was decided on what did not come about is decided again.
    async fn answer_all(&mut self, waiting: &mut VecDeque<Waiting>) {
        for _ in 0..RACES {
            if waiting.is_empty() {
                return;
            }
            if self.stale
                && let Err(error) = self.catch_up().await
            {
                return tell_all(waiting, &error);
            }
            self.answer_some(waiting).await;
        }
        tell_all(waiting, &Unanswered::Busy);
    }

    async fn answer_some(&mut self, waiting: &mut VecDeque<Waiting>) {
        let at = self.tools.clock.now();
        let mut draft = self.draft();
        let mut decided = Vec::with_capacity(waiting.len());
        while let Some(it) = waiting.pop_front() {
            match self.decide(&mut draft, &it, at) {
                Ok(done) => decided.push((it, done)),
                Err(error) => {
                    draft.spoiled = true;
                    // Whoever asked may have gone, here and below.
                    let _ = it.answer.send(Err(error));
                    break;
                }
            }
        }
        let stored = self.store(draft).await;
        let mut again = VecDeque::new();
        for ((mut it, (done, text)), stored) in decided.into_iter().zip(stored) {
            let answer = match stored {
                Ok(Appended::Now(head)) => {
                    match done {
                        true => self.tools.metrics.done.inc(),
                        false => self.tools.metrics.refused.inc(),
                    };
                    Ok(Answer { version: head.version, text })
                }
                Ok(Appended::Before(before)) => {
                    Ok(Answer { version: before.version, text: before.answer })
                }
                Err(AppendError::Conflict { .. }) => {
                    self.tools.metrics.races.inc();
                    again.push_back(it);
                    continue;
                }
                // Someone's wallet: the table cannot know what is in it.
                Err(AppendError::Overdrawn { .. }) => {
                    it.refusal = Some(HouseRefusal::WalletShort);
                    again.push_back(it);
                    continue;
                }
                Err(error) => Err(unanswered(error)),
            };
            let _ = it.answer.send(answer);
        }
        again.append(waiting);
        *waiting = again;
    }

    /// Decides one ask on top of a draft: whether it is done, and the answer.
    fn decide(
        &self,
        draft: &mut Draft,
        waiting: &Waiting,
        at: u64,
    ) -> Result<(bool, String), Unanswered> {
        let Waiting { asked, refusal, .. } = waiting;
        let vault = &self.tools.vault;
        let decided = match refusal {
            Some(refusal) => Err(refusal.clone().into()),
            None if draft.desk.begins_something(&asked.ask) && self.tools.is_stopped() => {
                Err(HouseRefusal::PlayStopped.into())
            }
            None => draft.desk.decide(asked.by, &asked.ask, at, vault),
        };
        let (done, text) = match decided {
            Ok(records) => {
                draft.record(asked.by, records, at);
                self.tools.house_acts(draft, at);
                (true, r#"{"answer":"done"}"#.to_string())
            }
            Err(Denied::NoChance(error)) => return Err(Unanswered::Failed(error.to_string())),
            Err(denied) => (false, refused(&denied)),
        };
        let content = serde_json::to_vec(&(&asked.ask, self.id.0)).expect("an ask is JSON");
        let digest = vault.digest(&content);
        let command = Remember { by: asked.by.person, id: asked.id, digest, answer: text.clone() };
        draft.append(vault, at, Some(command))?;
        Ok((done, text))
    }

    /// Appends a draft: what each of its appends came to. What is stored is published.
    async fn store(&mut self, mut draft: Draft) -> Vec<Result<Appended, AppendError>> {
        let appends = std::mem::take(&mut draft.appends);
        let sizes: Vec<usize> = appends.iter().map(|it| it.entries.len()).collect();
        let stored = self.tools.store.append_all(appends).await;
        let as_drafted = !draft.spoiled
            && stored.iter().zip(sizes).all(|(stored, size)| match stored {
                Ok(Appended::Now(_)) => true,
                Ok(Appended::Before(_)) => size == 0,
                Err(_) => false,
            });
        if as_drafted {
            if !draft.applied.is_empty() {
                (self.walk, self.marked) = (draft.walk, draft.marked);
                self.tools.metrics.rounds.inc_by(draft.ended);
                let snapshot = Snapshot { version: draft.version, desk: draft.desk };
                self.publish(snapshot, draft.applied);
            }
            return stored;
        }
        let failed = |it: &Result<_, _>| match it {
            Err(AppendError::Failed(failure)) => !matches!(failure, Failure::Busy),
            _ => false,
        };
        match stored.iter().any(failed) {
            // It may have been stored all the same: look before anything else is decided.
            true => self.stale = true,
            false => self.look().await,
        }
        stored
    }

    /// A round was interrupted: the rulebook says whether wagers may be withdrawn, everyone gets
    /// their time again, and the deck is the same.
    async fn resume(&mut self, why: String) -> Result<(), Unanswered> {
        // What was overdue was seen to be before anyone said so.
        if self.taken_up {
            return Ok(());
        }
        for _ in 0..RACES {
            let at = self.tools.clock.now();
            let mut draft = self.draft();
            if !draft.resume(&why, at, &self.tools.vault) {
                return Ok(());
            }
            self.tools.house_acts(&mut draft, at);
            if self.store_own(draft, at).await? {
                (self.interrupted, self.taken_up) = (false, true);
                return Ok(());
            }
        }
        Err(Unanswered::Busy)
    }
}

impl Tools {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        vault: Arc<Vault>,
        clock: Arc<dyn Clock>,
        metrics: Arc<Metrics>,
    ) -> Tools {
        let (stopped, alone_since, rulebooks) = Default::default();
        Tools { store, vault, clock, metrics, stopped, alone_since, rulebooks }
    }

    /// What a table is set up with.
    pub(crate) fn setup(&self, opening: &Opening) -> Result<Setup, Unanswered> {
        let rulebook = self.rulebook(&opening.rulebook)?;
        let setup = Setup::new(rulebook, opening.posted.clone());
        setup.map_err(|error| Unanswered::Failed(error.to_string()))
    }

    /// Tables with the same rules share one rulebook, which takes room, and time to be proved.
    fn rulebook(&self, source: &RulebookSource) -> Result<Arc<Rulebook>, Unanswered> {
        let kept = || self.rulebooks.lock().expect("nobody panics with it");
        let known = kept().iter().find(|(it, _)| it == source).map(|(_, it)| it.clone());
        if let Some(rulebook) = known {
            return Ok(rulebook);
        }
        let rulebook = source.rulebook().map_err(Unanswered::Failed)?;
        let mut kept = kept();
        // Files of an operator change seldom; whoever changes them often pays for it.
        if kept.len() >= RULEBOOKS {
            kept.clear();
        }
        kept.push((source.clone(), rulebook.clone()));
        Ok(rulebook)
    }

    /// What the house does next at a table; where play is stopped, a round ends and none begins.
    pub(crate) fn next(&self, desk: &Desk, at: u64) -> Next {
        match matches!(desk.table().phase(), Phase::Idle) && self.is_stopped() {
            true => Next::Rest,
            false => pace::next(desk, at),
        }
    }

    /// Whether play is stopped at this node.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// What the house does by itself after something was done, in the same breath.
    fn house_acts(&self, draft: &mut Draft, at: u64) {
        for _ in 0..AT_ONCE {
            let Next::Do(by, ask) = self.next(&draft.desk, at) else { return };
            match draft.desk.decide(by, &ask, at, &self.vault) {
                Ok(records) => draft.record(by, records, at),
                Err(denied) => {
                    tracing::error!(table = %draft.desk.id(), ?ask, ?denied, "the house was refused");
                    return;
                }
            }
        }
    }
}

impl Draft {
    fn record(&mut self, by: Actor, records: Vec<Record>, at: u64) {
        for record in records {
            let stamped = Stamped { by, record };
            self.desk.apply(&stamped, at);
            self.fresh.push(stamped);
        }
    }

    /// Makes one append of what was decided since the last one, and of the answer to a command.
    fn append(
        &mut self,
        vault: &Vault,
        at: u64,
        command: Option<Remember>,
    ) -> Result<(), Unanswered> {
        let (id, expected) = (self.desk.id(), self.version);
        let mut entries = Vec::with_capacity(self.fresh.len());
        let mut rounds = vec![];
        for stamped in std::mem::take(&mut self.fresh) {
            self.version = Version(self.version.0 + 1);
            let entry = vault.entry(id, self.version.0, &stamped);
            let mut entry = entry.map_err(|error| Unanswered::Failed(error.to_string()))?;
            // The house gives its own players what they bring.
            if let Record::Happened(Event::MoneyBrought { person, amount }) = &stamped.record
                && self.desk.is_bot(*person)
            {
                entry.moves.insert(0, house_gives(*person, *amount));
            }
            entries.push(entry);
            if let Some(row) = self.walk.step(self.version, at, &stamped) {
                self.ended += u64::from(row.status.kind() != StatusKind::Corrected);
                rounds.push(row);
            }
            self.applied.push(Applied::new(self.version, at, stamped));
        }
        let mark = self.mark(vault).map_err(|error| Unanswered::Failed(error.to_string()))?;
        let stream = StreamId::table(id);
        self.appends.push(Append { stream, expected, at, entries, command, rounds, mark });
        Ok(())
    }

    /// The table as it will stand, for its log, where the last one lies far back and no round is played.
    fn mark(&mut self, vault: &Vault) -> Result<Option<String>, NoChance> {
        if self.version.0 < self.marked.0 + mark::EVERY {
            return Ok(None);
        }
        let mark = vault.mark(self.version, &self.desk, &self.walk)?;
        if mark.is_some() {
            self.marked = self.version;
        }
        Ok(mark)
    }

    /// Takes an interrupted round up again; false if none is in progress.
    fn resume(&mut self, why: &str, at: u64, vault: &Vault) -> bool {
        use houseway_rules::rulebook::Incident;
        use houseway_table::{Action, Call};
        if matches!(self.desk.table().phase(), Phase::Idle) {
            return false;
        }
        let by = Actor::DEALER;
        self.record(by, vec![Record::Resumed { why: why.to_string() }], at);
        let power = Call { what: Incident::PowerFailureOpen, spot: None, repair: None };
        for action in [Action::Call(power), Action::Resume] {
            // Not every rulebook has a clause on it, and not every phase a clock.
            if let Ok(records) = self.desk.decide(by, &Ask::Table(action), at, vault) {
                self.record(by, records, at);
            }
        }
        true
    }
}

/// What an append's failure means for whoever waits for it.
fn unanswered(error: AppendError) -> Unanswered {
    match error {
        AppendError::OtherContent => Unanswered::OtherContent,
        AppendError::Failed(failure) => failure.into(),
        other => Unanswered::Failed(other.to_string()),
    }
}

/// Everyone who waits is told the same.
fn tell_all(waiting: &mut VecDeque<Waiting>, why: &Unanswered) {
    for it in waiting.drain(..) {
        let _ = it.answer.send(Err(why.clone()));
    }
}

/// Play money that a bot gets when it sits down.
fn house_gives(bot: Person, amount: Cents) -> Move {
    Move {
        from: AccountName::issue("bots").expect("a plain name"),
        to: AccountName::wallet(bot),
        amount,
        reason: "bot".into(),
        clause: None,
    }
}

/// A refusal as it is told and kept.
fn refused(denied: &Denied) -> String {
    #[derive(serde::Serialize)]
    struct Refused<'a> {
        answer: &'a str,
        #[serde(flatten)]
        why: &'a Denied,
        says: String,
    }
    let says = denied.to_string();
    serde_json::to_string(&Refused { answer: "refused", why: denied, says })
        .expect("a refusal is JSON")
}

#[cfg(test)]
mod tests {
    use super::is_told;

    #[test]
    fn a_table_that_is_stuck_says_so_less_and_less_often() {
        let told: Vec<u64> = (1..=1_024).filter(|&failures| is_told(failures)).collect();
        assert_eq!(told, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1_024]);
    }
}
