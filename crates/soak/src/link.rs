//! The way from a client to a node: requests that are lost, late or come twice, answers that never
//! arrive, clients that hang up and send the same command again, elsewhere.

use std::sync::Arc;
use std::time::Duration;

use houseway_server::app::App;
use houseway_server::desk::{Ask, HouseAsk};
use houseway_server::room::{Answer, Asked, Room, Snapshot, Unanswered};
use houseway_store::TableId;
use houseway_table::Actor;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use crate::figures::{Fault, Invariant};
use crate::world::World;

/// How long a client waits for an answer before it hangs up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(4);

/// How often a client sends a command before it gives up.
const TRIES: u32 = 60;

/// Someone at a table, connected to a node.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) world: Arc<World>,
    pub(crate) by: Actor,
    pub(crate) table: TableId,
    /// Which node they talk to.
    pub(crate) node: usize,
    /// What they saw last, which was held against its log.
    held: Option<Arc<Snapshot>>,
}

impl Client {
    pub(crate) fn new(world: &Arc<World>, by: Actor, table: TableId) -> Client {
        let node = world.dice().below(world.plan.nodes as u64) as usize;
        Client { world: world.clone(), by, table, node, held: None }
    }

    /// Goes to another node, or to the same again.
    fn reconnect(&mut self) {
        self.node = self.world.dice().below(self.world.plan.nodes as u64) as usize;
    }

    /// Goes to another node, if there is one.
    pub(crate) fn go_elsewhere(&mut self) {
        let others = self.world.plan.nodes - 1;
        if others > 0 {
            let further = 1 + self.world.dice().below(others as u64) as usize;
            self.node = (self.node + further) % self.world.plan.nodes;
        }
    }

    /// The node's house, if there is a way to it.
    pub(crate) fn house(&self) -> Option<Arc<App>> {
        let partitions = self.world.partitions.lock().expect("nobody panics with it");
        let cut = partitions.get(&(self.by.person.0, self.node)).copied();
        drop(partitions);
        if cut.is_some_and(|until| until > Instant::now()) && !self.world.is_calm() {
            return None;
        }
        let node = self.world.node(self.node);
        match node.paused {
            Some(until) if until > Instant::now() => None,
            _ => node.app.clone(),
        }
    }

    /// The table as the node has it, held against its log; a client who sees nothing goes elsewhere.
    pub(crate) async fn look(&mut self) -> Option<(Arc<App>, Room)> {
        let looked = async {
            let app = self.house()?;
            let room = app.house.room(self.table).await.ok()?;
            Some((app, room))
        };
        let looked = timeout(PATIENCE, looked).await.ok().flatten();
        if let Some((_, room)) = &looked {
            let now = room.now();
            if self.held.as_ref().is_none_or(|held| !Arc::ptr_eq(held, &now)) {
                self.world.judge().live(&now);
                self.held = Some(now);
            }
            if self.world.judge().broken() {
                self.world.end();
            }
        } else {
            self.world.wait(20, 500).await;
            self.reconnect();
        }
        looked
    }

    /// Asks once; nothing if no answer comes.
    async fn once(&self, id: Uuid, ask: &Ask) -> Option<Result<Answer, Unanswered>> {
        let world = &self.world;
        world.figures().sent += 1;
        let asked = Asked { by: self.by, ask: ask.clone(), id };
        if world.goes_wrong(15, Fault::RequestTwice) {
            let (client, asked) = (self.clone(), asked.clone());
            tokio::spawn(async move {
                client.world.wait(1, 3_000).await;
                if let Some(app) = client.house() {
                    let answer = timeout(PATIENCE, app.ask(client.table, asked)).await;
                    if let Ok(Ok(answer)) = answer {
                        client.hear(id, &answer);
                    }
                }
            });
        }
        if world.goes_wrong(15, Fault::RequestLost) {
            return None;
        }
        let answer = if world.goes_wrong(15, Fault::RequestLate) {
            self.late(asked).await?
        } else {
            world.wait(1, 30).await;
            self.house()?.ask(self.table, asked).await
        };
        if world.goes_wrong(15, Fault::ReplyLost) {
            return None;
        }
        world.wait(1, 30).await;
        Some(answer)
    }

    /// Sends something that arrives late. It is on its way whatever its sender does: they may have hung
    /// up by then, have sent it again elsewhere, or have given up.
    async fn late(&self, asked: Asked) -> Option<Result<Answer, Unanswered>> {
        let (client, id) = (self.clone(), asked.id);
        let ms = {
            let ms = self.world.dice().between(200, 3_000);
            let mut more = self.world.more_dice();
            ms + if more.thousand(300) { more.between(3_000, 30_000) } else { 0 }
        };
        let (tell, told) = oneshot::channel();
        tokio::spawn(async move {
            sleep(Duration::from_millis(ms)).await;
            if tell.is_closed() {
                client.world.figures().outlived += 1;
            }
            let app = client.house()?;
            let answer = timeout(PATIENCE, app.ask(client.table, asked)).await.ok()?;
            if let Err(Ok(answer)) = tell.send(answer) {
                client.hear(id, &answer);
            }
            Some(())
        });
        told.await.ok()
    }

    /// Someone has got an answer: it is the only one there will ever be to that command.
    fn hear(&self, id: Uuid, answer: &Answer) {
        self.world.judge().told(self.by.person, id, answer);
        if self.world.judge().broken() {
            self.world.end();
        }
    }

    /// Asks until there is an answer, and later perhaps again.
    pub(crate) async fn insist(&mut self, ask: Ask) -> Option<Answer> {
        let id = self.world.dice().id();
        self.insist_as(id, ask).await
    }

    /// The same, with something that must be refused.
    pub(crate) async fn try_illegal(&mut self, ask: Ask) {
        let id = self.world.dice().id();
        self.world.judge().must_refuse(id);
        if self.insist_as(id, ask).await.is_some() {
            self.world.figures().illegal += 1;
        }
    }

    async fn insist_as(&mut self, id: Uuid, ask: Ask) -> Option<Answer> {
        self.world.figures().commands += 1;
        for _ in 0..TRIES {
            let early = self.world.goes_wrong(15, Fault::HungUpEarly);
            let patience = match early {
                true => Duration::from_millis(self.world.dice().between(1, 60)),
                false => PATIENCE,
            };
            match timeout(patience, self.once(id, &ask)).await {
                Ok(Some(Ok(answer))) => {
                    self.world.tell(&format!(
                        "{} {id} {} {}",
                        self.by.person, answer.version, answer.text
                    ));
                    self.hear(id, &answer);
                    let asked = Asked { by: self.by, ask: ask.clone(), id };
                    self.world.was_answered(self.table, asked);
                    self.again(id, &ask);
                    return Some(answer);
                }
                Ok(Some(Err(Unanswered::OtherContent))) => {
                    let by = self.by.person;
                    self.world.judge().hold(Invariant::SameAnswer, false, || {
                        format!("{by} is told that {id} was another command")
                    });
                    self.world.end();
                    return None;
                }
                Ok(Some(Err(_))) => self.world.wait(10, 400).await,
                Ok(None) => self.reconnect(),
                Err(_) if early => self.go_elsewhere(),
                Err(_) => {
                    self.world.went_wrong(Fault::HungUp);
                    self.reconnect();
                }
            }
            if self.world.is_over() {
                return None;
            }
        }
        None
    }

    /// Sends a command again that was answered, up to four times and anywhere; now and then its name
    /// with another command.
    fn again(&self, id: Uuid, ask: &Ask) {
        let times = self.world.dice().below(9).saturating_sub(4);
        for _ in 0..times {
            let (mut client, ask) = (self.clone(), ask.clone());
            tokio::spawn(async move {
                client.world.wait(1, 90_000).await;
                client.reconnect();
                let answer = timeout(PATIENCE, client.once(id, &ask)).await;
                if let Ok(Some(Ok(answer))) = answer {
                    client.world.figures().answered_again += 1;
                    client.hear(id, &answer);
                }
            });
        }
        if self.world.dice().thousand(50) {
            let mut client = self.clone();
            let other = match ask {
                Ask::House(HouseAsk::Ready) => HouseAsk::Say { words: "another".into() },
                _ => HouseAsk::Ready,
            };
            tokio::spawn(async move {
                client.world.wait(1, 60_000).await;
                client.reconnect();
                let answer = timeout(PATIENCE, client.once(id, &Ask::House(other))).await;
                let Ok(Some(answer)) = answer else { return };
                // A store that is away says nothing about it.
                if !matches!(
                    answer,
                    Err(Unanswered::Busy | Unanswered::Failed(_) | Unanswered::NoTable)
                ) {
                    let refused = answer == Err(Unanswered::OtherContent);
                    client.world.figures().other_content += 1;
                    client.world.judge().hold(Invariant::OtherContentRefused, refused, || {
                        format!("{id} stood for another command: {answer:?}")
                    });
                }
            });
        }
    }

    /// Fires something so that it arrives at a moment of the node's own clock.
    pub(crate) fn fire(&self, app: &Arc<App>, ask: Ask, until: u64, at: u64) {
        let (client, app) = (self.clone(), app.clone());
        let id = client.world.dice().id();
        client.world.figures().commands += 1;
        tokio::spawn(async move {
            let ms = at.saturating_sub(app.house.now());
            sleep(Duration::from_millis(ms)).await;
            let now = app.house.now();
            client.world.figures().sent += 1;
            let asked = Asked { by: client.by, ask, id };
            let answer = timeout(PATIENCE, app.ask(client.table, asked)).await;
            if let Ok(Ok(answer)) = answer {
                client.world.tell(&format!("{} races {id} {}", client.by.person, answer.text));
                let mut figures = client.world.figures();
                if now.abs_diff(until) <= 5 {
                    figures.races += 1;
                    figures.races_taken += u64::from(answer.text == r#"{"answer":"done"}"#);
                }
                drop(figures);
                client.hear(id, &answer);
            }
        });
    }
}
