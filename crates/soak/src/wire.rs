//! The way from a node to the store. It is slow, it is cut, it loses answers; and once its node is
//! killed, nothing comes back over it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use async_trait::async_trait;
use houseway_store::{
    AccountName, Append, AppendError, Appended, Changes, Difference, Ending, Entry, Failure, Head,
    Moment, Moved, NewUser, Notice, OwnLimit, Place, Remembered, RoundFilter, RoundPlace, RoundRow,
    RoundSum, Session, Store, Strays, StreamId, SumBy, TableId, Teller, Together, TokenHash, Turn,
    User, UserChange, UserError, Version,
};
use houseway_table::Person;
use tokio::time::{Instant, sleep, sleep_until};
use uuid::Uuid;

use crate::figures::Fault;
use crate::node::power_cut;
use crate::truth::Sabotage;
use crate::world::World;

/// How long nothing is heard over a wire that is cut before whoever asked is told so.
const PATIENCE: Duration = Duration::from_secs(3);

/// A node's store.
pub(crate) struct Wire {
    world: Arc<World>,
    node: usize,
    dead: AtomicBool,
    cut: Mutex<Option<Instant>>,
    teller: Teller,
    /// Held while something is written to the disk of a house with one node.
    disk: Arc<tokio::sync::Mutex<()>>,
    /// Turns that this node has: the store takes them back when it is killed.
    turns: Mutex<Vec<Weak<Held>>>,
}

/// A turn, as long as its node lives and somebody there has it.
struct Held(Mutex<Option<Turn>>);

impl Wire {
    pub(crate) fn new(world: Arc<World>, node: usize) -> Wire {
        let (dead, cut) = (AtomicBool::new(false), Mutex::new(None));
        let (teller, disk, turns) = (Teller::new(), Arc::default(), Mutex::default());
        Wire { world, node, dead, cut, teller, disk, turns }
    }

    /// From now on nothing comes back.
    pub(crate) fn kill(&self) {
        self.dead.store(true, Ordering::Relaxed);
        for held in self.turns.lock().expect("nobody panics with it").drain(..) {
            if let Some(held) = held.upgrade() {
                *held.0.lock().expect("nobody panics with it") = None;
            }
        }
    }

    /// Nothing goes through for a while.
    pub(crate) fn cut_until(&self, until: Instant) {
        *self.cut.lock().expect("nobody panics with it") = Some(until);
    }

    /// Whoever belongs to a node that was killed waits for ever; to one that is paused, until it
    /// goes on.
    async fn alive(&self) {
        loop {
            if self.dead.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
            let paused = self.world.node(self.node).paused;
            match paused {
                Some(until) if until > Instant::now() => sleep_until(until).await,
                _ => return,
            }
        }
    }

    fn is_cut(&self) -> bool {
        let cut = *self.cut.lock().expect("nobody panics with it");
        cut.is_some_and(|until| until > Instant::now()) && !self.world.is_calm()
    }

    /// On the way to the store.
    async fn there(&self) -> Result<(), Failure> {
        self.alive().await;
        let world = &self.world;
        if world.goes_wrong(8, Fault::StoreSlow) {
            world.wait(50, 2_500).await;
        } else if world.dice().thousand(500) {
            world.wait(1, 4).await;
        }
        self.alive().await;
        if self.is_cut() {
            sleep(PATIENCE).await;
            self.alive().await;
            return Err(away("no way to the store"));
        }
        if world.goes_wrong(4, Fault::StoreBusy) {
            return Err(Failure::Busy);
        }
        if world.goes_wrong(4, Fault::StoreFailed) {
            return Err(away("the store failed"));
        }
        Ok(())
    }

    /// On the way back.
    async fn back(&self) -> Result<(), Failure> {
        self.alive().await;
        if self.world.goes_wrong(4, Fault::AnswerLost) {
            self.world.wait(1, 3_000).await;
            self.alive().await;
            return Err(away("the answer was lost"));
        }
        if self.world.dice().thousand(300) {
            self.world.wait(1, 3).await;
            self.alive().await;
        }
        Ok(())
    }

    /// Writes appends to the disk of a house with one node, and waits until they are synced. If the
    /// power is cut before that, some of them are there when it comes back, and some are not.
    async fn sync(&self, appends: &[Append]) {
        let world = &self.world;
        world.unsynced().extend_from_slice(appends);
        if world.confirms_nothing.load(Ordering::Relaxed) {
            return std::future::pending().await;
        }
        if world.goes_wrong(8, Fault::SyncSlow) {
            world.wait(50, 2_000).await;
        } else {
            world.wait(0, 4).await;
        }
        self.alive().await;
        if world.goes_wrong(2, Fault::PowerCut) {
            power_cut(world, self.node);
        }
        self.alive().await;
        world.unsynced().clear();
    }

    /// Acknowledges what is not synced yet, which no store may.
    fn too_early(&self, appends: &[Append]) -> Option<Vec<Result<Appended, AppendError>>> {
        let foretold = self.world.truth.foretell(appends)?;
        let wire = self.world.node(self.node).wire.clone()?;
        let turn = wire.disk.clone().try_lock_owned().ok()?;
        let appends = appends.to_vec();
        tokio::spawn(async move {
            wire.sync(&appends).await;
            let most = appends.len();
            carry_out(&wire.world, appends, most).await;
            drop(turn);
        });
        Some(foretold)
    }

    /// There, done, and back: what was done is done, even if whoever asked never hears of it.
    async fn over<T, E: From<Failure>>(
        &self,
        act: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        self.there().await?;
        let done = act.await;
        self.back().await?;
        done
    }

    fn truth(&self) -> &houseway_store::Memory {
        &self.world.truth.memory
    }
}

fn away(why: &str) -> Failure {
    Failure::Unavailable(why.into())
}

/// Carries out the first so many of some appends that are handed over together: each is judged, and
/// everyone is told of it, more or less. On the way to the others the store fails.
pub(crate) async fn carry_out(
    world: &Arc<World>,
    appends: Vec<Append>,
    most: usize,
) -> Vec<Result<Appended, AppendError>> {
    let mut all = Vec::with_capacity(appends.len());
    let mut together = Together::default();
    for (number, append) in appends.into_iter().enumerate() {
        let result = match number < most {
            true => world.append(together.fit(&append).into_owned()).await,
            false => Err(away("the store failed on the way").into()),
        };
        if let Ok(Appended::Now(Head { version, .. })) = result
            && !append.entries.is_empty()
        {
            tell_all(world, &Notice::Appended { stream: append.stream.clone(), version });
        }
        together.came(&append, &result);
        all.push(result);
    }
    all
}

/// Tells all nodes: now, late, twice or never.
fn tell_all(world: &Arc<World>, notice: &Notice) {
    for number in 0..world.plan.nodes {
        let Some(wire) = world.node(number).wire.clone() else { continue };
        if world.goes_wrong(20, Fault::NoticeLost) {
            continue;
        }
        let twice = world.goes_wrong(20, Fault::NoticeTwice);
        let late = world.goes_wrong(30, Fault::NoticeLate);
        if twice || !late {
            wire.teller.tell(notice.clone());
        }
        if twice || late {
            let (ms, notice) = (world.dice().between(20, 4_000), notice.clone());
            tokio::spawn(async move {
                sleep(Duration::from_millis(ms)).await;
                wire.teller.tell(notice);
            });
        }
    }
}

#[async_trait]
impl Store for Wire {
    async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let mut all = self.append_all(vec![append]).await;
        all.pop().expect("one for each")
    }

    async fn append_all(&self, appends: Vec<Append>) -> Vec<Result<Appended, AppendError>> {
        if let Err(failure) = self.there().await {
            return appends.iter().map(|_| Err(failure.clone().into())).collect();
        }
        let world = &self.world;
        if world.plan.sabotage == Sabotage::AcknowledgesBeforeTheSync
            && let Some(all) = self.too_early(&appends)
        {
            return all;
        }
        // One after the other is written and synced.
        let turn = match world.plan.nodes {
            1 => Some(self.disk.lock().await),
            _ => None,
        };
        if turn.is_some() {
            self.sync(&appends).await;
        }
        let most = match appends.len() > 1 && world.goes_wrong(20, Fault::HalfDone) {
            true => world.dice().below(appends.len() as u64) as usize,
            false => appends.len(),
        };
        let all = carry_out(world, appends, most).await;
        drop(turn);
        match self.back().await {
            Ok(()) => all,
            Err(failure) => all.iter().map(|_| Err(failure.clone().into())).collect(),
        }
    }

    async fn recall(&self, by: Person, id: Uuid) -> Result<Option<Remembered>, Failure> {
        self.over(self.truth().recall(by, id)).await
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        most: u32,
    ) -> Result<Vec<Entry>, Failure> {
        self.over(self.truth().read(stream, after, most)).await
    }

    async fn mark(
        &self,
        stream: &StreamId,
        until: Version,
    ) -> Result<Option<(Version, String)>, Failure> {
        self.over(self.truth().mark(stream, until)).await
    }

    async fn head(&self, stream: &StreamId) -> Result<Head, Failure> {
        self.over(self.truth().head(stream)).await
    }

    async fn heads(&self, prefix: &str) -> Result<Vec<(StreamId, Head)>, Failure> {
        self.over(self.truth().heads(prefix)).await
    }

    async fn versions(&self, streams: &[StreamId]) -> Result<Vec<(StreamId, Version)>, Failure> {
        self.over(self.truth().versions(streams)).await
    }

    async fn last_times(&self, prefix: &str) -> Result<Vec<(StreamId, Version, u64)>, Failure> {
        self.over(self.truth().last_times(prefix)).await
    }

    async fn balance(&self, account: &AccountName) -> Result<i64, Failure> {
        self.over(self.truth().balance(account)).await
    }

    async fn moment(&self) -> Result<Moment, Failure> {
        self.over(self.truth().moment()).await
    }

    async fn balances(&self, prefix: &str) -> Result<Vec<(AccountName, i64)>, Failure> {
        self.over(self.truth().balances(prefix)).await
    }

    async fn wallet_moves(
        &self,
        person: Person,
        before: Option<&Place>,
        most: u32,
    ) -> Result<Vec<Moved>, Failure> {
        self.over(self.truth().wallet_moves(person, before, most)).await
    }

    fn changes(&self) -> Changes {
        self.teller.listen()
    }

    async fn check_books(&self) -> Result<Vec<Difference>, Failure> {
        self.over(self.truth().check_books()).await
    }

    async fn rebuild_books(&self) -> Result<(), Failure> {
        self.over(self.truth().rebuild_books()).await
    }

    async fn rounds(
        &self,
        filter: &RoundFilter,
        before: Option<RoundPlace>,
        most: u32,
    ) -> Result<Vec<RoundRow>, Failure> {
        self.over(self.truth().rounds(filter, before, most)).await
    }

    async fn round(&self, table: TableId, round: u64) -> Result<Vec<RoundRow>, Failure> {
        self.over(self.truth().round(table, round)).await
    }

    async fn round_sums(&self, by: SumBy, from: u64, until: u64) -> Result<Vec<RoundSum>, Failure> {
        self.over(self.truth().round_sums(by, from, until)).await
    }

    async fn rebuild_round_sums(&self) -> Result<(), Failure> {
        self.over(self.truth().rebuild_round_sums()).await
    }

    async fn replace_rounds(
        &self,
        table: TableId,
        after: Version,
        until: Version,
        rows: &[RoundRow],
    ) -> Result<(), AppendError> {
        self.over(self.truth().replace_rounds(table, after, until, rows)).await
    }

    async fn strays(&self) -> Result<Strays, Failure> {
        self.over(self.truth().strays()).await
    }

    async fn remove_strays(&self) -> Result<(), Failure> {
        self.over(self.truth().remove_strays()).await
    }

    async fn add_user(&self, user: NewUser) -> Result<User, UserError> {
        self.over(self.truth().add_user(user)).await
    }

    async fn user(&self, id: Person) -> Result<Option<User>, Failure> {
        self.over(self.truth().user(id)).await
    }

    async fn user_named(&self, name: &str) -> Result<Option<User>, Failure> {
        self.over(self.truth().user_named(name)).await
    }

    async fn users(&self, after: Person, most: u32) -> Result<Vec<User>, Failure> {
        self.over(self.truth().users(after, most)).await
    }

    async fn change_user(&self, id: Person, change: UserChange) -> Result<(), UserError> {
        self.over(self.truth().change_user(id, change)).await
    }

    async fn open_session(&self, session: Session) -> Result<(), UserError> {
        self.over(self.truth().open_session(session)).await
    }

    async fn session(&self, token: TokenHash) -> Result<Option<Session>, Failure> {
        self.over(self.truth().session(token)).await
    }

    async fn touch_session(
        &self,
        token: TokenHash,
        last_seen: u64,
        idle_until: u64,
    ) -> Result<bool, Failure> {
        self.over(self.truth().touch_session(token, last_seen, idle_until)).await
    }

    async fn end_sessions(&self, ending: Ending) -> Result<u64, Failure> {
        self.over(self.truth().end_sessions(ending)).await
    }

    async fn note_failed_login(&self, subject: &str, at: u64) -> Result<(), Failure> {
        self.over(self.truth().note_failed_login(subject, at)).await
    }

    async fn failed_logins(&self, subject: &str, since: u64) -> Result<u64, Failure> {
        self.over(self.truth().failed_logins(subject, since)).await
    }

    async fn forget_failed_logins(
        &self,
        subject: Option<&str>,
        before: u64,
    ) -> Result<(), Failure> {
        self.over(self.truth().forget_failed_logins(subject, before)).await
    }

    async fn turn(&self, person: Person) -> Result<Turn, Failure> {
        self.there().await?;
        let turn = Some(self.truth().turn(person).await?);
        // It may have been killed while it waited.
        let turn = turn.filter(|_| !self.dead.load(Ordering::Relaxed));
        let held = Arc::new(Held(Mutex::new(turn)));
        {
            let mut turns = self.turns.lock().expect("nobody panics with it");
            turns.retain(|it| it.strong_count() > 0);
            turns.push(Arc::downgrade(&held));
        }
        self.back().await?;
        Ok(Box::new(held))
    }

    async fn enter(&self) -> Result<bool, Failure> {
        self.there().await?;
        let others = (0..self.world.plan.nodes).filter(|number| *number != self.node);
        let alone = others.into_iter().all(|number| self.world.node(number).wire.is_none());
        self.back().await?;
        Ok(alone)
    }

    async fn set_limit(&self, limit: OwnLimit) -> Result<(), UserError> {
        if self.world.plan.sabotage == Sabotage::ForgetsLimits {
            return Ok(());
        }
        self.over(self.truth().set_limit(limit)).await
    }

    async fn limits(&self, person: Person) -> Result<Vec<OwnLimit>, Failure> {
        self.over(self.truth().limits(person)).await
    }

    async fn close(&self) {}
}
