//! What people let themselves do: their own limits, held against what they ask of tables.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use houseway_rules::Cents;
use houseway_rules::rulebook::{Role, Wager};
use houseway_store::{TableId, Turn};
use houseway_table::{Action, Person, Phase, Position};

use crate::app::App;
use crate::desk::{Ask, HouseRefusal};
use crate::people::{Limits, may_risk};
use crate::room::{Answer, Asked, Room, Unanswered};

/// How many people's limits are kept at hand.
const KEPT: usize = 50_000;

/// How long it holds what someone's limits are and whether they have time left, in milliseconds.
const LOOKED_UP: u64 = 15_000;

/// Limits that were looked up. Most people have none, and everyone asks with every wager.
#[derive(Default)]
pub(crate) struct OwnLimits {
    known: Mutex<HashMap<Person, Known>>,
    /// How often some have changed: what was read before that is not kept after it.
    changes: AtomicU64,
}

#[derive(Clone, Copy)]
struct Known {
    looked: u64,
    has_time: bool,
    limits: Limits,
}

impl OwnLimits {
    /// Someone has set themselves a limit, which counts at once.
    pub(crate) fn changed(&self, person: Person) {
        let mut known = self.known.lock().expect("nobody panics with it");
        self.changes.fetch_add(1, Ordering::Relaxed);
        known.remove(&person);
    }
}

/// What is asked for that can cost someone money or time.
enum Risk {
    /// To bring money to a table.
    Bring(Cents),
    /// To put up a bank.
    Bank(Cents),
    /// To place a wager, in place of what lies there.
    Wager(Position, Wager, Cents),
    /// To take a seat.
    Time,
}

/// Whose money or time something can cost. Whoever has wagered plays the round to its end; these begin
/// another, or make it dearer.
fn risk_of(Asked { by, ask, .. }: &Asked) -> Option<(Person, Risk)> {
    let own = by.person;
    match ask {
        Ask::Table(Action::BringMoney { amount }) => Some((own, Risk::Bring(*amount))),
        Ask::Table(Action::Sit { .. }) => Some((own, Risk::Time)),
        Ask::Table(Action::TakeBank { put_up, .. }) => Some((own, Risk::Bank(*put_up))),
        Ask::Table(Action::Place { person, position, wager, amount }) => {
            // Only staff place for others: nobody else is told what another's limits allow.
            let other = person.filter(|_| by.role > Role::Player);
            Some((other.unwrap_or(own), Risk::Wager(*position, *wager, *amount)))
        }
        _ => None,
    }
}

impl App {
    /// Asks something of a table, as far as the one whose money it is lets themselves.
    pub async fn ask(&self, table: TableId, asked: Asked) -> Result<Answer, Unanswered> {
        self.hand_over(table, asked).await?.await
    }

    /// Looks whether something may be asked of a table, and hands it over: what comes back waits for the
    /// answer. Whoever hands over one thing after the other has them decided in that order.
    pub(crate) async fn hand_over(
        &self,
        table: TableId,
        asked: Asked,
    ) -> Result<impl Future<Output = Result<Answer, Unanswered>>, Unanswered> {
        let room = self.house.room(table).await?;
        let (refusal, turn) = match risk_of(&asked) {
            Some((person, risk)) => self.judge(&room, person, &risk).await?,
            None => (None, None),
        };
        let answer = room.hand_over(asked, refusal);
        Ok(async move {
            let answer = answer.await;
            drop(turn);
            answer
        })
    }

    /// Whether someone lets themselves risk something, and the turn to do so. It is held from looking what
    /// they have lost until what they ask is carried out: two wagers at two tables, each within a limit, may
    /// be beyond it together.
    async fn judge(
        &self,
        room: &Room,
        person: Person,
        risk: &Risk,
    ) -> Result<(Option<HouseRefusal>, Option<Turn>), Unanswered> {
        let known = match risk {
            // Few ask it, and another node may have changed what is known here.
            Risk::Bring(_) => self.look_up(person).await?,
            _ => self.own_limits(person).await?,
        };
        let has_time = known.has_time || matches!(risk, Risk::Bring(_));
        if has_time && !known.limits.are_of_money() {
            return Ok((None, None));
        }
        let turn = self.house.store().turn(person).await?;
        let may = has_time && self.may_risk(room, person, &known.limits, risk).await?;
        Ok(((!may).then_some(HouseRefusal::OwnLimit), Some(turn)))
    }

    async fn may_risk(
        &self,
        room: &Room,
        person: Person,
        limits: &Limits,
        risk: &Risk,
    ) -> Result<bool, Unanswered> {
        let more = match risk {
            Risk::Time => return Ok(true),
            Risk::Bring(amount) => {
                let lost = self.people.lost(person).await?;
                return Ok(may_risk(limits, &lost, *amount).is_ok());
            }
            Risk::Bank(put_up) => {
                let before = put_up_by(room.now().desk.table().phase(), person);
                put_up.minus(before).unwrap_or_default()
            }
            Risk::Wager(position, wager, amount) => {
                let bet = |at, on| (at, on) == (*position, *wager);
                let before = on_bets(room.now().desk.table().phase(), person, bet);
                amount.minus(before).unwrap_or_default()
            }
        };
        // Nobody is kept from wagering less.
        if more == Cents::ZERO {
            return Ok(true);
        }
        // In this order: a round that ends meanwhile counts twice rather than not at all.
        let amount = self.on_felt(person).await?.plus(more);
        let lost = self.people.lost_in_rounds(person, limits).await?;
        Ok(amount.is_some_and(|amount| may_risk(limits, &lost, amount).is_ok()))
    }

    /// What someone lets themselves, looked up now and then.
    async fn own_limits(&self, person: Person) -> Result<Known, Unanswered> {
        let now = self.house.now();
        let known = self.own.known.lock().expect("nobody panics with it").get(&person).copied();
        if let Some(known) = known
            && (known.looked..known.looked + LOOKED_UP).contains(&now)
        {
            return Ok(known);
        }
        self.look_up(person).await
    }

    async fn look_up(&self, person: Person) -> Result<Known, Unanswered> {
        let now = self.house.now();
        let changes = self.own.changes.load(Ordering::Relaxed);
        let limits = self.people.limits(person, now).await?;
        let has_time = self.people.has_time(person, &limits).await?;
        let found = Known { looked: now, has_time, limits };
        let mut known = self.own.known.lock().expect("nobody panics with it");
        if known.len() >= KEPT {
            known.clear();
        }
        if self.own.changes.load(Ordering::Relaxed) == changes {
            known.insert(person, found);
        }
        Ok(found)
    }

    /// What someone has on wagers or as a bank, at whatever table, through whatever node.
    pub(crate) async fn on_felt(&self, person: Person) -> Result<Cents, Unanswered> {
        let mut all = 0;
        for table in self.people.tables(person).await? {
            if self.house.has_wagers(table).await? {
                let room = self.house.room(table).await?;
                room.catch_up().await;
                all += at_risk(room.now().desk.table().phase(), person);
            }
        }
        Ok(Cents::new(all))
    }
}

/// What someone has on wagers or as a bank, in cents.
fn at_risk(phase: &Phase, person: Person) -> u64 {
    let wagered = on_bets(phase, person, |_, _| true);
    wagered.get() + put_up_by(phase, person).get()
}

/// What someone has put up as a bank.
fn put_up_by(phase: &Phase, person: Person) -> Cents {
    phase.bank().map_or(Cents::ZERO, |bank| bank.put_up_by(person))
}

/// What someone has on some bets.
fn on_bets(phase: &Phase, person: Person, which: impl Fn(Position, Wager) -> bool) -> Cents {
    let shares = phase
        .shares()
        .into_iter()
        .filter(|(at, on, share)| share.person == person && which(*at, *on));
    Cents::new(shares.map(|(.., share)| share.amount.get()).sum())
}
