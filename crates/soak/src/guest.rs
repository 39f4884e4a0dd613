//! People who play: most as they should, some slowly, some badly, and one who lies.

use std::sync::Arc;
use std::time::Duration;

use houseway_rules::rulebook::{Incident, Role, Wager};
use houseway_rules::{Card, CardSet, Cents};
use houseway_server::app::App;
use houseway_server::desk::{Ask, HouseAsk};
use houseway_server::people::Kind;
use houseway_server::room::Snapshot;
use houseway_store::Version;
use houseway_table::deal::Deck;
use houseway_table::view::{Onlooker, PhaseView, TableView, view_beside};
use houseway_table::{Action, Actor, Call, MOST, Offer, Person, Phase, Position, Ruling};
use tokio::time::timeout;

use crate::link::{Client, PATIENCE};
use crate::world::World;

/// How long someone waits for news before they look by themselves: their node may not have heard.
const NEWS: Duration = Duration::from_secs(5);

/// What whoever is kept by their own limit is told.
const OWN_LIMIT: &str = "own-limit";

/// Someone who plays, always at the same seat.
pub(crate) struct Guest {
    client: Client,
    seat: Position,
    others: Vec<Position>,
    /// What they looked at last, and found nothing to do in.
    idle_at: Option<Version>,
    /// In which round they have raced, spoken, dozed.
    raced: u64,
    said: u64,
    dozed: u64,
    /// Whether this round they wait for the clock.
    dawdles: bool,
    /// Whether their own limit keeps them from bringing more.
    limited: bool,
    decided: u64,
}

impl Guest {
    pub(crate) fn new(
        world: &Arc<World>,
        table: usize,
        person: Person,
        seat: Position,
        others: Vec<Position>,
    ) -> Guest {
        let by = Actor { person, role: Role::Player };
        let client = Client::new(world, by, world.table(table));
        Guest {
            client,
            seat,
            others,
            idle_at: None,
            raced: 0,
            said: 0,
            dozed: 0,
            dawdles: false,
            limited: false,
            decided: 0,
        }
    }

    fn world(&self) -> &World {
        &self.client.world
    }

    fn thousand(&self, times: u64) -> bool {
        self.world().dice().thousand(times)
    }

    pub(crate) async fn play(mut self) {
        while !self.world().is_over() {
            self.world().wait(20, 700).await;
            let Some((app, room)) = self.client.look().await else { continue };
            let snapshot = room.now();
            drop(room);
            if self.idle_at == Some(snapshot.version) {
                let _ = timeout(NEWS, self.world().news.notified()).await;
                continue;
            }
            let round = snapshot.desk.table().round();
            if self.decided != round {
                self.decided = round;
                self.dawdles = self.thousand(350);
                if self.thousand(60) && self.dozed + 5 < round {
                    // Someone who is not there for a while.
                    self.dozed = round;
                    self.world().wait(20_000, 120_000).await;
                    continue;
                }
            }
            if self.thousand(60) {
                let ask = self.illegal();
                self.client.try_illegal(ask).await;
                continue;
            }
            if self.thousand(2) {
                self.limit_themselves(&app).await;
                continue;
            }
            let now = app.house.now();
            let me = Onlooker::Player(self.client.by.person);
            let seen = view_beside(snapshot.desk.table(), me, now, None);
            self.race(&app, &snapshot, &seen);
            match self.choose(&snapshot, &seen) {
                Some(ask) => {
                    let brings = matches!(ask, Ask::Table(Action::BringMoney { .. }));
                    let answer = self.client.insist(ask).await;
                    self.limited |= brings && answer.is_some_and(|it| it.text.contains(OWN_LIMIT));
                }
                None => self.idle_at = Some(snapshot.version),
            }
        }
    }

    /// Sets a limit on what they lose. Once they are told so, it counts, at every node and at once.
    async fn limit_themselves(&mut self, app: &App) {
        let person = self.client.by.person;
        let most = Cents::dollars(self.world().dice().between(20, 200) as u32 * 100);
        let set = app.people.set_limit(person, Kind::LossPerDay, Some(most.get()));
        if let Ok(Ok(_)) = timeout(PATIENCE, set).await {
            self.world().tell(&format!("{person} lets themselves lose {most}"));
            self.world().judge().limited(person, most);
            self.client.go_elsewhere();
            let amount = most.plus(Cents::dollars(1)).expect("it can be counted");
            self.client.try_illegal(Ask::Table(Action::BringMoney { amount })).await;
        }
    }

    /// Wagers and withdrawals that arrive as bets close.
    fn race(&mut self, app: &Arc<App>, snapshot: &Snapshot, seen: &TableView<()>) {
        let Phase::Betting(betting) = snapshot.desk.table().phase() else { return };
        let Some(until) = betting.until else { return };
        if !self.dawdles || self.raced == seen.round || !self.wagered(seen, Wager::Standard) {
            return;
        }
        self.raced = seen.round;
        let place = |least: Cents, step: Cents, steps: u64| Action::Place {
            position: self.seat,
            wager: Wager::Standard,
            amount: Cents::new(least.get() + step.get() * steps),
            person: None,
        };
        let offer = seen.options.iter().find_map(|offer| match offer {
            Offer::Place {
                position, wager: Wager::Standard, person: None, least, step, ..
            } if *position == self.seat => Some((*least, *step)),
            _ => None,
        });
        let Some((least, step)) = offer else { return };
        for number in 0..6 {
            let at = until + self.world().dice().below(11) - 5;
            let action = match number % 3 {
                2 => Action::Withdraw { position: self.seat, wager: Wager::Standard },
                _ => place(least, step, number),
            };
            self.client.fire(app, Ask::Table(action), until, at);
        }
    }

    fn wagered(&self, seen: &TableView<()>, wager: Wager) -> bool {
        let seat = seen.seats.iter().find(|seat| seat.position == self.seat);
        seat.is_some_and(|seat| seat.stakes.total(wager) > Cents::ZERO)
    }

    /// What they do next, from what is offered.
    fn choose(&mut self, snapshot: &Snapshot, seen: &TableView<()>) -> Option<Ask> {
        let me = self.client.by.person;
        let here = self.seat;
        let stack = seen.stack.unwrap_or(Cents::ZERO);
        let calm = matches!(seen.phase, PhaseView::Idle | PhaseView::Betting);
        let seated = seen.seats.iter().any(|seat| seat.person == Some(me));
        if stack < Cents::dollars(200) && calm && !snapshot.desk.is_closed() && !self.limited {
            let amount = Cents::dollars(self.world().dice().between(3, 20) as u32 * 100);
            return Some(Ask::Table(Action::BringMoney { amount }));
        }
        // Where nobody but a player can bank, someone has to.
        let offered = seen.options.contains(&Offer::DeclineBank);
        let banks = self.thousand(if offered { 500 } else { 40 });
        let mut found = None;
        for offer in &seen.options {
            let action = match offer {
                Offer::Sit { position } if *position == here && !seated => {
                    Some(Action::Sit { position: here })
                }
                // Where two hands may be played, some play two.
                Offer::Sit { position } if seated && self.thousand(4) => {
                    let free = !self.others.contains(position);
                    free.then_some(Action::Sit { position: *position })
                }
                Offer::Leave { position }
                    if self.thousand(if *position == here { 6 } else { 60 }) =>
                {
                    Some(Action::Leave { position: *position })
                }
                Offer::TakeMoney { most } if self.thousand(12) => {
                    let part = self.world().dice().between(1, 3);
                    Some(Action::TakeMoney { amount: Cents::new((most.get() / part).max(1)) })
                }
                Offer::TakeBank { least, most, house_wager, step, .. } if banks => {
                    let put_up = Cents::new(least.get().max(most.get() / 300 * 100));
                    let house_wager = match self.thousand(300) && step.get() > 0 {
                        true => Cents::new(house_wager.get() / 4 / step.get() * step.get()),
                        false => Cents::ZERO,
                    };
                    Some(Action::TakeBank { put_up, house_wager })
                }
                Offer::DeclineBank if !banks => Some(Action::DeclineBank),
                Offer::Place { position, wager, person: None, least, most, step } => {
                    let own = *position == here;
                    let wanted = match wager {
                        _ if !own => self.thousand(15),
                        Wager::Standard => !self.wagered(seen, *wager) || self.thousand(40),
                        _ => !self.wagered(seen, *wager) && self.thousand(250),
                    };
                    let more = self.world().dice().below(4) * step.get();
                    wanted.then(|| Action::Place {
                        position: *position,
                        wager: *wager,
                        amount: Cents::new((least.get() + more).min(most.get())),
                        person: None,
                    })
                }
                Offer::Withdraw { position, wager } if self.thousand(20) => {
                    Some(Action::Withdraw { position: *position, wager: *wager })
                }
                Offer::View { position } if self.thousand(800) => {
                    Some(Action::View { position: *position })
                }
                Offer::AskHouseWay { position } if self.thousand(50) => {
                    Some(Action::AskHouseWay { position: *position })
                }
                Offer::SetHouseWay { position } if self.thousand(300) => {
                    Some(Action::SetHouseWay { position: *position })
                }
                Offer::Set { position, lows, fouls, .. }
                    if !lows.is_empty() && self.thousand(900) =>
                {
                    let mut dice = self.world().dice();
                    let foul = dice.thousand(60) && !fouls.is_empty();
                    let low = dice.pick(if foul { fouls } else { lows });
                    low.map(|low| Action::Set { position: *position, low })
                }
                Offer::SetBanker { lows, fouls } => {
                    let mut dice = self.world().dice();
                    let foul = dice.thousand(100) && !fouls.is_empty();
                    dice.pick(if foul { fouls } else { lows }).map(|low| Action::SetBanker { low })
                }
                Offer::Concede { position } if self.thousand(80) => {
                    Some(Action::Concede { position: *position })
                }
                Offer::WithdrawAll if self.thousand(150) => Some(Action::WithdrawAll),
                _ => None,
            };
            if action.is_some() {
                found = action;
                break;
            }
        }
        if let Some(action) = found {
            return Some(Ask::Table(action));
        }
        if matches!(seen.phase, PhaseView::Betting) && self.said != seen.round && self.thousand(200)
        {
            self.said = seen.round;
            let words = format!("{me} says {}", self.world().dice().below(1_000_000));
            return Some(Ask::House(HouseAsk::Say { words }));
        }
        // Someone who dawdles lets bets run to their close.
        let waits = self.dawdles && matches!(seen.phase, PhaseView::Betting);
        let ready = seated && !waits && !snapshot.desk.ready().contains(&me);
        let closed = snapshot.desk.is_closed() && matches!(seen.phase, PhaseView::Idle);
        (ready && !closed && self.thousand(700)).then_some(Ask::House(HouseAsk::Ready))
    }

    fn illegal(&self) -> Ask {
        illegal(self.world(), &self.others)
    }
}

/// Something that nobody may who plays, whatever happens meanwhile: what is staff's, what is
/// another's, what does not exist.
fn illegal(world: &World, others: &[Position]) -> Ask {
    let mut dice = world.dice();
    let other = dice.pick(others).unwrap_or(Position(200));
    let (wager, reason) = (Wager::Standard, "because".to_string());
    let place = |position, amount, person| Action::Place { position, wager, amount, person };
    let deck = Deck::try_from(Card::all().collect::<Vec<Card>>()).expect("all cards");
    let two = CardSet::of("Ac".parse().expect("a card")).with("Kd".parse().expect("a card"));
    let call = |what| Action::Call(Call { what, spot: None, repair: None });
    let actions = [
        Action::OpenRound,
        Action::CloseBets,
        Action::Deal { deck, number: 1 },
        Action::Reveal { low: None },
        Action::Settle,
        Action::TimeUp,
        Action::Resume,
        Action::Restrict { person: Person(1), reason: "a test".into() },
        Action::Rule { ruling: Ruling::Void, reason: reason.clone() },
        Action::Rule { ruling: Ruling::PlayOn, reason: reason.clone() },
        Action::Rule { ruling: Ruling::HandOut(other), reason: reason.clone() },
        call(Incident::PowerFailureOpen),
        call(Incident::NotCovered),
        Action::View { position: other },
        Action::Set { position: other, low: two },
        Action::SetHouseWay { position: other },
        Action::AskHouseWay { position: other },
        Action::Concede { position: other },
        Action::Leave { position: other },
        Action::Sit { position: Position(0) },
        Action::Sit { position: Position(200) },
        place(Position(200), Cents::dollars(10), None),
        place(other, Cents::ZERO, None),
        place(other, Cents::dollars(10), Some(Person(4_000_000_000))),
        Action::Withdraw { position: Position(200), wager },
        Action::BringMoney { amount: Cents::ZERO },
        Action::BringMoney { amount: MOST },
        Action::BringMoney { amount: Cents::new(u64::MAX) },
        Action::TakeMoney { amount: Cents::dollars(4_000_000) },
        Action::TakeBank { put_up: Cents::ZERO, house_wager: Cents::ZERO },
        Action::TakeBank { put_up: Cents::new(u64::MAX), house_wager: Cents::new(u64::MAX) },
        Action::Set { position: other, low: CardSet::EMPTY },
        Action::SetBanker { low: CardSet::EMPTY },
    ];
    let house = [
        HouseAsk::DealCommitted,
        HouseAsk::CloseTable { why: reason.clone() },
        HouseAsk::OpenTable { why: reason },
        HouseAsk::Say { words: String::new() },
        HouseAsk::Say { words: "x".repeat(257) },
    ];
    let asks: Vec<Ask> = actions.map(Ask::Table).into_iter().chain(house.map(Ask::House)).collect();
    dice.pick(&asks).expect("there are some")
}

/// Someone who does nothing that they may.
pub(crate) async fn lie(world: Arc<World>, table: usize, person: Person, seats: Vec<Position>) {
    let by = Actor { person, role: Role::Player };
    let mut client = Client::new(&world, by, world.table(table));
    while !world.is_over() {
        world.wait(2_000, 12_000).await;
        let turn = world.dice().below(4);
        let ask = match turn {
            // Nor may one who does not sit there.
            0 => Ask::House(HouseAsk::Ready),
            1 => Ask::House(HouseAsk::Say { words: "let me in".into() }),
            _ => illegal(&world, &seats),
        };
        client.try_illegal(ask).await;
    }
}
