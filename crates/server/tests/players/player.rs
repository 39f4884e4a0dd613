//! Someone who plays and never gives up: after every break they come back, send again what was not
//! answered, and go on.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rand::{Rng, RngExt, SeedableRng, rngs::ChaCha20Rng};
use serde_json::{Value, json};
use tokio::sync::watch;
use uuid::Uuid;

use super::witness::{Acknowledged, Sent, Witness};
use super::{Answered, Client, Gone, Guest, PATIENCE, gone, http};

/// Where houses can be found, now: nowhere for one that is down.
pub(crate) type Doors = watch::Receiver<Vec<Option<SocketAddr>>>;

/// A player at one table.
pub(crate) struct Player {
    pub(crate) guest: Guest,
    pub(crate) table: u64,
    pub(crate) doors: Doors,
    /// Which door they try first.
    pub(crate) door: usize,
    pub(crate) chance: ChaCha20Rng,
    pub(crate) witness: Arc<Mutex<Witness>>,
    /// Whether they should come to an end.
    pub(crate) enough: watch::Receiver<bool>,
    /// The version up to which they know the table.
    pub(crate) version: u64,
    /// What they sent and nobody has answered yet.
    pub(crate) pending: Option<(String, Value)>,
    /// In which round they have said something.
    pub(crate) said: u64,
    /// Whether they foul and give up now and then.
    pub(crate) bold: bool,
    /// How long a node may be silent before they go to another.
    pub(crate) patience: Duration,
}

/// How often someone is told "not now" before they go to another node.
const NOT_NOW: u32 = 10;

/// What comes of it, unless the other side is silent for too long.
async fn within<T>(
    patience: Duration,
    it: impl Future<Output = Result<T, Gone>>,
) -> Result<T, Gone> {
    tokio::time::timeout(patience, it).await.map_err(|_| gone("silence"))?
}

impl Player {
    pub(crate) fn new(
        (guest, table): (Guest, u64),
        (doors, enough): (Doors, watch::Receiver<bool>),
        seed: u64,
        witness: Arc<Mutex<Witness>>,
    ) -> Player {
        let chance = ChaCha20Rng::seed_from_u64(seed);
        let door = seed as usize;
        let (version, pending, said, bold, patience) = (1, None, 0, false, PATIENCE);
        Player {
            guest,
            table,
            doors,
            door,
            chance,
            witness,
            enough,
            version,
            pending,
            said,
            bold,
            patience,
        }
    }

    /// Plays until it is enough and nothing is left unanswered.
    pub(crate) async fn play(mut self) {
        loop {
            let doors = self.doors.borrow_and_update().clone();
            let open: Vec<SocketAddr> = doors.into_iter().flatten().collect();
            if !open.is_empty() {
                self.door += 1;
                let address = open[self.door % open.len()];
                if self.visit(address).await.is_ok() {
                    return;
                }
            }
            // Whoever is sent away comes back soon, or when a door opens.
            let soon = Duration::from_millis(20);
            let _ = tokio::time::timeout(soon, self.doors.changed()).await;
        }
    }

    async fn visit(&mut self, address: SocketAddr) -> Result<(), Gone> {
        let patience = self.patience;
        let mut client = within(patience, Client::of(address, &self.guest)).await?;
        within(patience, client.watch(self.table, Some(self.version))).await?;
        let mut not_now = 0;
        loop {
            self.learn(&mut client);
            if let Some((id, command)) = self.pending.clone() {
                let sent = Sent { id: id.clone(), to: address, at: Instant::now() };
                self.witness.lock().expect("nobody panics with it").sent.push(sent);
                let asked = async { Ok(client.ask(self.table, &id, &command).await) };
                match within(patience, asked).await? {
                    Ok(answered) => {
                        let version = answered.version;
                        self.answered(answered, address);
                        within(patience, client.until_version(self.table, version)).await?;
                        not_now = 0;
                    }
                    Err(Err(gone)) => return Err(gone),
                    // Not now: the same again, in a while; at last, elsewhere.
                    Err(Ok(why)) if not_now == NOT_NOW => return Err(gone(why)),
                    Err(Ok(_)) => {
                        not_now += 1;
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
                continue;
            }
            if *self.enough.borrow() {
                return Ok(());
            }
            if let Some(command) = self.next_command(&client) {
                let id = self.chance.random::<u128>();
                self.pending = Some((Uuid::from_u128(id).to_string(), command));
                continue;
            }
            match tokio::time::timeout(Duration::from_millis(200), client.next()).await {
                Ok(message) => drop(message?),
                Err(_) => within(patience, self.wallet(address)).await?,
            }
        }
    }

    /// Whoever cannot go on may have nothing left: the cashier gives.
    async fn wallet(&self, address: SocketAddr) -> Result<(), Gone> {
        let bearer = self.guest.bearer();
        http(address, "POST", "/api/cashier", &[("authorization", &bearer)], None).await?;
        Ok(())
    }

    /// Takes up what was told: every version once, in order, none left out.
    fn learn(&mut self, client: &mut Client) {
        let mut witness = self.witness.lock().expect("nobody panics with it");
        for (table, it) in client.happened.drain(..) {
            let version = it["version"].as_u64().expect("a version");
            assert_eq!(version, self.version + 1, "table {table}: a gap, or something twice");
            self.version = version;
            witness.happened(table, &it);
        }
        if let Some(update) = client.tables.get(&self.table) {
            assert_eq!(update["version"], self.version, "told less than is shown");
            witness.committed(update);
        }
    }

    fn answered(&mut self, answered: Answered, by: SocketAddr) {
        let (id, command) = self.pending.take().expect("something was asked");
        let Guest { person, token } = self.guest.clone();
        let (table, at) = (self.table, Instant::now());
        let acknowledged = Acknowledged { person, token, table, id, command, answered, by, at };
        self.witness.lock().expect("nobody panics with it").acknowledged.push(acknowledged);
    }

    /// What they do next, from what is offered.
    fn next_command(&mut self, client: &Client) -> Option<Value> {
        let update = client.tables.get(&self.table)?;
        let view = &update["view"];
        let offers = view["options"].as_array()?;
        let offered = |word: &str| offers.iter().find(|it| it["do"] == word);
        let seats = view["seats"].as_array()?;
        let mine: Vec<&Value> =
            seats.iter().filter(|it| it["person"] == self.guest.person).collect();
        let round = view["round"].as_u64()?;
        let phase = view["phase"]["name"].as_str()?;
        let stack = view["stack"].as_u64().unwrap_or(0);
        if stack < 10_000
            && let Some(offer) = offered("bring-money")
            && (phase == "idle" || phase == "betting")
            && self.chance.random_bool(0.5)
        {
            let most = offer["most"].as_u64()?.min(50_000);
            return Some(json!({"do": "bring-money", "amount": most / 100 * 100}));
        }
        let Some(seat) = mine.first() else {
            let seats: Vec<&Value> = offers.iter().filter(|it| it["do"] == "sit").collect();
            let offer = seats.get(self.chance.next_u32() as usize % seats.len().max(1))?;
            return Some(json!({"do": "sit", "position": offer["position"]}));
        };
        let own = |it: &&Value| it["position"] == seat["position"];
        let of = |word: &str| offers.iter().filter(|it| it["do"] == word).find(own);
        if let Some(offer) = offered("take-bank")
            && offered("decline-bank").is_some()
        {
            let least = &offer["least"];
            return Some(match self.chance.random_bool(0.3) {
                true => json!({"do": "take-bank", "put-up": least}),
                false => json!({"do": "decline-bank"}),
            });
        }
        if phase == "betting" {
            for wager in ["standard", "fortune"] {
                let placed = !seat["stakes"][wager].is_null();
                let offer = offers
                    .iter()
                    .filter(own)
                    .find(|it| it["do"] == "place" && it["wager"] == wager);
                let wanted = wager == "standard" || self.chance.random_bool(0.2);
                if let (Some(offer), false, true) = (offer, placed, wanted) {
                    return Some(json!({
                        "do": "place", "wager": wager,
                        "position": offer["position"], "amount": offer["least"],
                    }));
                }
            }
        }
        if let Some(offer) = of("view") {
            return Some(json!({"do": "view", "position": offer["position"]}));
        }
        if let Some(offer) = of("concede")
            && self.bold
            && self.chance.random_bool(0.3)
        {
            return Some(json!({"do": "concede", "position": offer["position"]}));
        }
        if let Some(offer) = of("set") {
            let fouls = offer["fouls"].as_array()?;
            if self.bold && !fouls.is_empty() && self.chance.random_bool(0.2) {
                return Some(json!({"do": "set", "position": offer["position"], "low": fouls[0]}));
            }
            let lows = offer["lows"].as_array()?;
            if lows.is_empty() || self.chance.random_bool(0.5) {
                return Some(json!({"do": "set-house-way", "position": offer["position"]}));
            }
            let low = &lows[self.chance.next_u32() as usize % lows.len()];
            return Some(json!({"do": "set", "position": offer["position"], "low": low}));
        }
        if let Some(offer) = offered("set-banker") {
            return Some(json!({"do": "set-banker", "low": offer["lows"][0]}));
        }
        let house = update["house-options"].as_array()?;
        if house.iter().any(|it| it == "say") && self.said != round {
            self.said = round;
            return Some(json!({"do": "say", "words": format!("round {round}")}));
        }
        house.iter().any(|it| it == "ready").then(|| json!({"do": "ready"}))
    }
}
