//! Twin houses that differ in nothing but cards an onlooker may not see: whatever that onlooker is
//! sent is the same, byte for byte.
//!
//! Both tables are committed to the same deck in their logs, and other cards were dealt than it
//! holds; so even commitments are the same, and nothing has to be left out of the comparison but the
//! hashes of the log, which cover sealed cards.

use houseway_rules::rulebook::Wager;
use houseway_rules::{Card, CardSet, Cents, Dealt, houses, set_house_way};
use houseway_server::desk::{Ask, Desk};
use houseway_server::record::{Opening, Record, RulebookSource, Stamped};
use houseway_store::{Append, Store, StreamId, TableId, Version};
use houseway_table::deal::Deck;
use houseway_table::{Action, Actor, Command, Person, Phase, Position, Posted, decide};
use rand::{SeedableRng, rngs::ChaCha20Rng, seq::SliceRandom};
use serde_json::{Value, json};

use crate::house::{BEGIN, Place, vault};
use crate::players::{Client, Guest, RULES, guest, http};

/// A table that has been dealt with a deck of the test's choice, as it is kept.
struct Prepared {
    desk: Desk,
    kept: Vec<Stamped>,
}

impl Prepared {
    /// Everything up to "no more bets".
    fn closed(id: TableId, rules: &str, people: [Person; 3]) -> Prepared {
        let rulebook = houses::find(rules).expect("a rulebook");
        let opening = Opening {
            name: "twins".into(),
            rulebook: RulebookSource::House(rules.into()),
            posted: Posted::usual(rulebook),
            results: 0,
            seats: None,
            bots: vec![],
            listed: true,
        };
        let setup = opening.setup().expect("a set-up");
        let mut prepared = Prepared { desk: Desk::new(id, opening.clone(), setup), kept: vec![] };
        prepared.keep(Actor::DEALER, vec![Record::Opened(opening)]);
        for (person, at) in people.into_iter().zip([1, 3, 6]) {
            let by = Actor::player(person.0);
            prepared.must(by, Action::BringMoney { amount: Cents::dollars(2_000) });
            prepared.must(by, Action::Sit { position: Position(at) });
        }
        prepared.must(Actor::DEALER, Action::OpenRound);
        let [first, others @ ..] = people;
        let place = |position, wager, dollars| {
            let (position, amount) = (Position(position), Cents::dollars(dollars));
            Action::Place { position, wager, amount, person: None }
        };
        if matches!(prepared.desk.table().phase(), Phase::Offering { .. }) {
            let (put_up, house_wager) = (Cents::dollars(500), Cents::ZERO);
            let bank = Action::TakeBank { put_up, house_wager };
            prepared.must(Actor::player(first.0), bank);
        } else {
            prepared.must(Actor::player(first.0), place(1, Wager::Standard, 20));
        }
        for (person, at) in others.into_iter().zip([3, 6]) {
            let by = Actor::player(person.0);
            prepared.must(by, place(at, Wager::Standard, 20));
            prepared.must(by, place(at, Wager::Fortune, 5));
        }
        // One who may look at one hand only has a second one.
        if rules == "mbs-2020" {
            let by = Actor::player(others[0].0);
            prepared.must(by, Action::Sit { position: Position(4) });
            prepared.must(by, place(4, Wager::Standard, 20));
        }
        prepared.must(Actor::DEALER, Action::CloseBets);
        prepared
    }

    fn keep(&mut self, by: Actor, records: Vec<Record>) {
        for record in records {
            let stamped = Stamped { by, record };
            self.desk.apply(&stamped, BEGIN);
            self.kept.push(stamped);
        }
    }

    fn must(&mut self, by: Actor, action: Action) {
        let ask = Ask::Table(action);
        let decided = self.desk.decide(by, &ask, BEGIN, &vault(5));
        self.keep(by, decided.unwrap_or_else(|denied| panic!("{ask:?}: {denied}")));
    }

    fn deal(&mut self, deck: Deck) {
        let action = Action::Deal { deck, number: 1 };
        let command = Command { by: Actor::DEALER, at: BEGIN, action };
        let events = decide(self.desk.table(), &command).expect("it is dealt");
        self.keep(Actor::DEALER, events.into_iter().map(Record::Happened).collect());
    }

    async fn store(&self, store: &dyn Store) {
        let id = self.desk.id();
        let vault = vault(6);
        let entries = (1..)
            .zip(&self.kept)
            .map(|(version, it)| vault.entry(id, version, it).expect("it can be sealed"));
        let append = Append {
            rounds: vec![],
            mark: None,
            stream: StreamId::table(id),
            expected: Version(0),
            at: BEGIN,
            entries: entries.collect(),
            command: None,
        };
        store.append(append).await.expect("it is stored");
    }

    fn hand(&self, position: u8) -> Option<Dealt> {
        let Phase::Setting(play) = self.desk.table().phase() else { panic!("it is dealt") };
        play.hands.get(&Position(position)).map(|hand| hand.dealt)
    }
}

/// The same table dealt with two decks: the hands of `own` and the banker's are the same, all others
/// get other cards.
fn twins(closed: impl Fn() -> Prepared, own: &[u8], chance: &mut ChaCha20Rng) -> [Prepared; 2] {
    let mut deck: Vec<Card> = Card::all().collect();
    deck.shuffle(chance);
    let mut one = closed();
    one.deal(Deck::try_from(deck.clone()).expect("53 cards"));
    let Phase::Setting(play) = one.desk.table().phase() else { panic!("it is dealt") };
    let hands = own.iter().filter_map(|&position| one.hand(position));
    let fixed = hands.fold(play.banker.dealt.cards(), |all, hand| all.union(hand.cards()));
    let free: Vec<usize> = (0..53).filter(|&place| !fixed.contains(deck[place])).collect();
    let mut others: Vec<Card> = free.iter().map(|&place| deck[place]).collect();
    others.shuffle(chance);
    for (&place, card) in free.iter().zip(others) {
        deck[place] = card;
    }
    let mut other = closed();
    other.deal(Deck::try_from(deck).expect("53 cards"));
    [one, other]
}

/// Everyone who looks at a table of a house, by name; nobody has no token.
struct Crowd {
    people: Vec<(&'static str, Option<Guest>)>,
}

impl Crowd {
    async fn gather(place: &Place) -> Crowd {
        let mut people = vec![("nobody", None)];
        for name in ["first", "second", "third", "spectator"] {
            let guest = guest(place.address()).await.expect("a guest");
            place.pays(guest.person, 100_000).await;
            people.push((name, Some(guest)));
        }
        for (name, standing) in Place::standings() {
            people.push((name, Some(place.staff(name, standing).await)));
        }
        Crowd { people }
    }

    fn players(&self) -> [Person; 3] {
        [1, 2, 3].map(|place| Person(self.people[place].1.as_ref().expect("a guest").person))
    }
}

/// A crowd on sockets at one table.
struct Watching {
    table: u64,
    clients: Vec<(&'static str, Option<Guest>, Client)>,
}

impl Watching {
    async fn begin(place: &Place, crowd: &Crowd, table: u64) -> Watching {
        let mut clients = vec![];
        for (name, guest) in &crowd.people {
            let bearer = guest.as_ref().map(Guest::bearer).unwrap_or_default();
            let headers = [("authorization", &*bearer)];
            let headers = if guest.is_some() { &headers[..] } else { &[] };
            let mut client = Client::connect(place.address(), headers).await.expect("a socket");
            client.keeps = true;
            client.watch(table, Some(0)).await.expect("a view");
            clients.push((*name, guest.clone(), client));
        }
        Watching { table, clients }
    }

    /// Someone does something, and everyone is told.
    async fn act(&mut self, who: usize, id: u128, command: &Value) -> Value {
        let id = uuid::Uuid::from_u128(id).to_string();
        let client = &mut self.clients[who].2;
        let answered = client.ask(self.table, &id, command).await.expect("an answer");
        for (_, _, client) in &mut self.clients {
            client.until_version(self.table, answered.version).await.expect("news");
        }
        answered.answer
    }

    /// What someone has been sent since last time, over the socket and as answers to requests.
    async fn heard(&mut self, place: &Place, who: usize) -> Vec<String> {
        let (_, guest, client) = &mut self.clients[who];
        let mut heard = std::mem::take(&mut client.heard);
        // An answer and the update it leads to overtake each other.
        heard.sort();
        let bearer = guest.as_ref().map(Guest::bearer).unwrap_or_default();
        let table = self.table;
        for path in [
            format!("/api/tables/{table}"),
            format!("/api/tables/{table}/view"),
            format!("/api/log?stream=table/{table}&most=500"),
            "/api/tables".to_string(),
            "/api/books".to_string(),
        ] {
            let headers = [("authorization", &*bearer)];
            let headers = if guest.is_some() { &headers[..] } else { &[] };
            let reply = http(place.address(), "GET", &path, headers, None).await.expect("a reply");
            heard.push(without_hashes(&String::from_utf8_lossy(&reply.body)));
        }
        heard
    }
}

fn without_hashes(text: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else { return text.to_string() };
    if let Some(entries) = value.as_array_mut() {
        for entry in entries {
            if let Some(entry) = entry.as_object_mut() {
                entry.remove("hash");
            }
        }
    }
    value.to_string()
}

fn cards(set: CardSet) -> Value {
    serde_json::to_value(set).expect("cards are text")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_not_be_seen_makes_no_difference_on_the_wire() {
    let mut chance = ChaCha20Rng::seed_from_u64(3);
    let places = [Place::open(1, |_| ()).await, Place::open(1, |_| ()).await];
    let crowds = [Crowd::gather(&places[0]).await, Crowd::gather(&places[1]).await];
    let people = crowds[0].players();
    assert_eq!(people, crowds[1].players(), "the houses are twins");
    let (mut compared, mut differed) = (0, 0);
    let mut number = 100;
    for rules in RULES {
        // Whose cards are the same in both: then what they are sent is compared.
        let pairs: [(&[u8], &[usize]); 4] =
            [(&[], &[0, 4, 5, 6, 7, 8, 9]), (&[1], &[1]), (&[3], &[2]), (&[6], &[3])];
        for (own, onlookers) in pairs {
            number += 1;
            let id = TableId(number);
            let prepared = twins(|| Prepared::closed(id, rules, people), own, &mut chance);
            let mut watching = vec![];
            for twin in 0..2 {
                prepared[twin].store(&*places[twin].store).await;
                watching.push(Watching::begin(&places[twin], &crowds[twin], number).await);
            }
            // Everyone but the last looks and sets; then the round is void, and nothing is shown.
            let mut steps: Vec<(usize, [Value; 2])> = vec![];
            for (who, position) in [(1, 1), (2, 3), (3, 6)] {
                let hands = [0, 1].map(|twin: usize| prepared[twin].hand(position));
                let [Some(_), Some(_)] = hands else { continue };
                let same = |value: Value| [value.clone(), value];
                steps.push((who, same(json!({"do": "view", "position": position}))));
                // Somebody else tries their luck: the refusal tells nothing either.
                let other = who % 3 + 1;
                for luck in [
                    json!({"do": "view", "position": position}),
                    json!({"do": "set", "position": position, "low": ["Ac", "Kd"]}),
                    json!({"do": "concede", "position": position}),
                ] {
                    steps.push((other, same(luck)));
                }
                let rulebook = &prepared[0].desk.table().setup().rulebook;
                let low = hands.map(|hand| {
                    let low = set_house_way(rulebook, hand.expect("a hand")).setting.low();
                    json!({"do": "set", "position": position, "low": cards(low)})
                });
                match position {
                    1 => steps.push((who, same(json!({"do": "ask-house-way", "position": 1})))),
                    3 => steps.push((who, same(json!({"do": "set-house-way", "position": 3})))),
                    // The last hand is never set.
                    _ => continue,
                }
                if position == 1 {
                    steps.push((who, low));
                }
            }
            let void = json!({"do": "rule", "ruling": "void", "reason": "twins"});
            steps.push((8, [void.clone(), void]));
            let secret = "what may not be seen";
            for place in 0..=steps.len() {
                let mut heard = vec![];
                for twin in 0..2 {
                    let mut all = vec![];
                    for who in 0..crowds[0].people.len() {
                        all.push(watching[twin].heard(&places[twin], who).await);
                    }
                    heard.push(all);
                }
                for &who in onlookers {
                    let name = crowds[0].people[who].0;
                    assert_eq!(
                        heard[0][who], heard[1][who],
                        "{rules}: {name} is told {secret} at step {place}"
                    );
                    compared += heard[0][who].len();
                }
                differed += (1..4).filter(|&who| heard[0][who] != heard[1][who]).count();
                let Some((who, commands)) = steps.get(place) else { continue };
                let step = u128::from(number) * 1_000 + place as u128;
                let mut answers = vec![];
                for (twin, command) in commands.iter().enumerate() {
                    answers.push(watching[twin].act(*who, step, command).await);
                }
                assert_eq!(answers[0], answers[1], "{rules} {commands:?}");
            }
            let phase = &watching[0].clients[0].2.view(number)["phase"]["name"];
            assert_eq!(phase, "idle", "{rules}: the round is void");
        }
    }
    assert!(compared > 2_000, "{compared} messages and answers compared");
    assert!(differed > 50, "the twins do differ for those who may look: {differed}");
}
