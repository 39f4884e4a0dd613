//! A table and what the house adds to it: the shuffle, the players' words, who is ready. Pure but for
//! the vault's fresh bytes: whatever happened is in the records, and a desk is their sum.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroU8;
use std::sync::Arc;

use houseway_fair::{Bytes32, CutDeck, Deal, Seed, Shuffle, Words};
use houseway_rules::rulebook::{First, Role};
use houseway_store::TableId;
use houseway_table::deal::Deck;
use houseway_table::{
    Action, Actor, Command, Event, Offer, Person, Phase, Places, Position, Refusal, Setup, Still,
    Table, decide, no_other_fields,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::reading::wrong_field;
use crate::record::{Committed, Opening, Record, Stamped};
use crate::vault::{NoChance, Vault};

/// How often one person's words are taken in a round, and one hand's House Way told. The last words
/// count; what was told may get lost on the way and be asked for again.
const OFTEN: u8 = 8;

/// Who closes tables.
const CLOSES: Role = Role::PitManager;

/// What someone asks of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Ask {
    /// Something that the house adds.
    House(HouseAsk),
    /// Something of the game itself.
    Table(Action),
}

/// What one can ask beside the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(transform = no_other_fields)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum HouseAsk {
    /// Add words of one's own, by which the deck is cut, until "no more bets".
    Say {
        /// Any text of 1 to 256 bytes.
        words: String,
    },
    /// Wait for nothing more in this phase.
    Ready,
    /// Deal the deck that was committed to: the dealer's.
    DealCommitted,
    /// Close the table: the round in progress is played to its end, and none is begun after it.
    CloseTable {
        /// Why, in 1 to 200 characters.
        why: String,
    },
    /// Open a table that was closed.
    OpenTable {
        /// Why, in 1 to 200 characters.
        why: String,
    },
}

/// By the word that says what is to be done, so that a mistake is named where it is. What is not
/// read is refused: a misspelt name must not pass for one that was left out.
impl<'de> Deserialize<'de> for Ask {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Ask, D::Error> {
        use serde::de::Error;
        let sent = Value::deserialize(deserializer)?;
        let ask = read(&sent).map_err(D::Error::custom)?;
        match unread(&sent, &ask) {
            Some(path) => Err(D::Error::custom(format!("`{path}` is no field of this command"))),
            None => Ok(ask),
        }
    }
}

/// What is asked beside the game, in a word.
const HOUSE_ASKS: [&str; 5] = ["say", "ready", "deal-committed", "close-table", "open-table"];

/// Reads it, or says what is wrong, and where.
fn read(sent: &Value) -> Result<Ask, String> {
    let of_house = sent["do"].as_str().is_some_and(|word| HOUSE_ASKS.contains(&word));
    let (read, field) = match of_house {
        true => {
            (HouseAsk::deserialize(sent).map(Ask::House), wrong_field::<HouseAsk> as fn(_, _) -> _)
        }
        false => {
            (Action::deserialize(sent).map(Ask::Table), wrong_field::<Action> as fn(_, _) -> _)
        }
    };
    read.map_err(|error| match field(sent, "do") {
        Some(field) if field == "do" => format!("{error}, `{}`", HOUSE_ASKS.join("`, `")),
        Some(field) => format!("{field}: {error}"),
        None => error.to_string(),
    })
}

/// The first field that was sent and is no part of what was read.
fn unread(sent: &Value, ask: &Ask) -> Option<String> {
    let kept = serde_json::to_value(ask).expect("an ask is JSON");
    missing(sent, &kept, "").into_iter().find(|path| {
        // Nothing at all is read and not kept where something could be: then something wrong in its
        // place is not accepted.
        let mut wrong = sent.clone();
        match wrong.get_mut(path) {
            Some(field) if field.is_null() => *field = Value::Object(serde_json::Map::new()),
            _ => return true,
        }
        read(&wrong).is_ok()
    })
}

/// Fields of one value that another has not, wherever both are objects.
fn missing(sent: &Value, kept: &Value, path: &str) -> Vec<String> {
    let (Value::Object(sent), Value::Object(kept)) = (sent, kept) else { return vec![] };
    let fields = sent.iter().flat_map(|(name, value)| {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match kept.get(name) {
            Some(kept) => missing(value, kept, &path),
            None => vec![path],
        }
    });
    fields.collect()
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Denied {
    /// The rules of the game, or of the moment, do not allow it.
    Refused(Refusal),
    /// The house does not allow it.
    House(HouseRefusal),
    /// No randomness can be had, so nothing is dealt.
    #[serde(skip)]
    NoChance(NoChance),
}

/// What the house does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "refused", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum HouseRefusal {
    /// A deck is not brought along: the one that was committed to is dealt.
    OwnDeck,
    /// Words are taken from those who sit at the table, until "no more bets".
    NoWordsNow,
    /// Words have 1 to 256 bytes.
    WordsTooLong,
    /// One says so oneself, at a table where one sits.
    NotHere,
    /// It has been said already.
    ReadyAlready,
    /// Words are taken a few times a round from each, and the House Way is told as often of a hand:
    /// whatever is kept must end somewhere.
    OftenEnough {
        /// So many times.
        most: u8,
    },
    /// The table is closed: no round is begun, nobody sits down and no money is brought.
    TableClosed,
    /// The house begins nothing at any table: a file that it is run with is not what it should be.
    PlayStopped,
    /// Fewer can sit at this table than the layout has places for.
    SeatClosed {
        /// So many.
        seats: u8,
    },
    /// The table is not closed.
    TableOpen,
    /// It takes a reason of 1 to 200 characters.
    NeedsReason,
    /// There is not so much in the wallet.
    WalletShort,
    /// A limit that the player set themselves.
    OwnLimit,
    /// That takes another role.
    NeedsRole {
        /// At least this one.
        role: Role,
    },
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Denied::Refused(refusal) => refusal.fmt(f),
            Denied::House(refusal) => refusal.fmt(f),
            Denied::NoChance(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for HouseRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HouseRefusal::OwnDeck => f.write_str("the deck that was committed to is dealt"),
            HouseRefusal::NoWordsNow => {
                f.write_str("words are taken from those who sit here, until no more bets")
            }
            HouseRefusal::WordsTooLong => f.write_str("words have 1 to 256 bytes"),
            HouseRefusal::NotHere => f.write_str("only who sits here says so"),
            HouseRefusal::ReadyAlready => f.write_str("that was said already"),
            HouseRefusal::OftenEnough { most } => {
                write!(f, "that can be asked {most} times in a round, and was")
            }
            HouseRefusal::TableClosed => f.write_str("the table is closed"),
            HouseRefusal::PlayStopped => f.write_str(crate::integrity::STOPPED),
            HouseRefusal::SeatClosed { seats } => {
                write!(f, "this table is opened with seats 1 to {seats}")
            }
            HouseRefusal::TableOpen => f.write_str("the table is not closed"),
            HouseRefusal::NeedsReason => f.write_str("say why, in 1 to 200 characters"),
            HouseRefusal::WalletShort => f.write_str("there is not so much in the wallet"),
            HouseRefusal::OwnLimit => f.write_str("that is beyond a limit you set yourself"),
            HouseRefusal::NeedsRole { role } => {
                write!(f, "that takes a {} or higher", role.name())
            }
        }
    }
}

impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Denied {
        Denied::Refused(refusal)
    }
}

impl From<HouseRefusal> for Denied {
    fn from(refusal: HouseRefusal) -> Denied {
        Denied::House(refusal)
    }
}

impl From<NoChance> for Denied {
    fn from(error: NoChance) -> Denied {
        Denied::NoChance(error)
    }
}

/// The deck of the round in progress.
#[derive(Clone, Debug)]
pub struct RoundDeck {
    /// What was published, and the seed under seal.
    pub committed: Arc<Committed>,
    /// What the players have said.
    pub words: Words,
}

/// What the players said in a round, as it is published when bets are closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PublishedWords {
    /// Who said what, in the order in which it is hashed; an empty list if nobody spoke.
    pub said: Words,
    /// The hash of it, by which the deck is cut. Of an empty list there is one too, and no cut.
    pub digest: Bytes32,
}

/// One table with all that belongs to it.
#[derive(Clone, Debug)]
pub struct Desk {
    id: TableId,
    opening: Arc<Opening>,
    table: Table,
    deck: Option<RoundDeck>,
    /// The deck of the round before, which is opened on request.
    last_deck: Option<RoundDeck>,
    ready: BTreeSet<Person>,
    /// How often each has said words in this round, and each hand's House Way was told.
    said: BTreeMap<Person, u8>,
    told: BTreeMap<Position, u8>,
    /// When the phase began.
    since: u64,
    /// When someone who is no bot last did something.
    heard: u64,
    /// When the round in progress, or the last one, was opened.
    opened: u64,
    /// Nobody took the bank, and nobody but bots has done anything since.
    unbanked: bool,
    /// Why the table is closed, if it is.
    closed: Option<String>,
    /// Why play was interrupted, until the round is over.
    resumed: Option<String>,
}

/// A desk between two rounds, without how it was opened: the form in which it can be kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StillDesk {
    id: u64,
    table: Still,
    deck: Option<(Committed, Words)>,
    last_deck: Option<(Committed, Words)>,
    ready: BTreeSet<Person>,
    said: BTreeMap<Person, u8>,
    told: BTreeMap<Position, u8>,
    since: u64,
    heard: u64,
    opened: u64,
    unbanked: bool,
    closed: Option<String>,
    resumed: Option<String>,
}

impl StillDesk {
    /// Which table it is.
    pub(crate) fn id(&self) -> TableId {
        TableId(self.id)
    }
}

impl Desk {
    /// The desk as it can be kept; nothing while a round is played.
    pub fn still(&self) -> Option<StillDesk> {
        let parts = |deck: &RoundDeck| (Committed::clone(&deck.committed), deck.words.clone());
        Some(StillDesk {
            id: self.id.0,
            table: self.table.still()?,
            deck: self.deck.as_ref().map(parts),
            last_deck: self.last_deck.as_ref().map(parts),
            ready: self.ready.clone(),
            said: self.said.clone(),
            told: self.told.clone(),
            since: self.since,
            heard: self.heard,
            opened: self.opened,
            unbanked: self.unbanked,
            closed: self.closed.clone(),
            resumed: self.resumed.clone(),
        })
    }

    /// A desk that was kept.
    pub fn from_still(opening: Opening, setup: Setup, still: StillDesk) -> Desk {
        let deck = |(committed, words)| RoundDeck { committed: Arc::new(committed), words };
        Desk {
            id: still.id(),
            opening: Arc::new(opening),
            table: Table::from_still(setup, still.table),
            deck: still.deck.map(deck),
            last_deck: still.last_deck.map(deck),
            ready: still.ready,
            said: still.said,
            told: still.told,
            since: still.since,
            heard: still.heard,
            opened: still.opened,
            unbanked: still.unbanked,
            closed: still.closed,
            resumed: still.resumed,
        }
    }

    /// An empty table.
    pub fn new(id: TableId, opening: Opening, setup: Setup) -> Desk {
        Desk {
            id,
            opening: Arc::new(opening),
            table: Table::new(setup),
            deck: None,
            last_deck: None,
            ready: BTreeSet::new(),
            said: BTreeMap::new(),
            told: BTreeMap::new(),
            since: 0,
            heard: 0,
            opened: 0,
            unbanked: false,
            closed: None,
            resumed: None,
        }
    }

    /// Which table it is.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// How it was opened.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// The game itself.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The deck of the round in progress.
    pub fn deck(&self) -> Option<&RoundDeck> {
        self.deck.as_ref()
    }

    /// The deck of the round before.
    pub fn last_deck(&self) -> Option<&RoundDeck> {
        self.last_deck.as_ref()
    }

    /// Who waits for nothing more in this phase.
    pub fn ready(&self) -> &BTreeSet<Person> {
        &self.ready
    }

    /// When the phase began.
    pub fn since(&self) -> u64 {
        self.since
    }

    /// When someone who is no bot last did something, and when the last round was opened.
    pub fn heard_and_opened(&self) -> (u64, u64) {
        (self.heard, self.opened)
    }

    /// Whether nobody took the bank, and nobody but bots has done anything since.
    pub fn is_unbanked(&self) -> bool {
        self.unbanked
    }

    /// Whether no round is begun any more: staff have closed the table.
    pub fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Why the table is closed, if it is.
    pub fn closed(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    /// Why play was interrupted in this round, if it was.
    pub fn resumed(&self) -> Option<&str> {
        self.resumed.as_deref()
    }

    /// Whether someone is one of the house's own players.
    pub fn is_bot(&self, person: Person) -> bool {
        self.opening.bots.iter().any(|bot| bot.person == person)
    }

    /// Whoever sits here and is no bot: twice, if they have two positions.
    pub fn guests(&self) -> impl Iterator<Item = Person> {
        let seated = self.table.seats().values().copied();
        seated.filter(|&person| !self.is_bot(person))
    }

    /// Whether nobody sits here but bots.
    pub fn is_deserted(&self) -> bool {
        self.guests().next().is_none()
    }

    /// Decides what someone asks: the records it leads to, or why not. Nothing is changed.
    pub fn decide(
        &self,
        by: Actor,
        ask: &Ask,
        at: u64,
        vault: &Vault,
    ) -> Result<Vec<Record>, Denied> {
        if self.is_closed() && self.begins_something(ask) {
            return Err(HouseRefusal::TableClosed.into());
        }
        let taken = match ask {
            Ask::Table(Action::Sit { position } | Action::Place { position, .. }) => {
                Some(*position)
            }
            _ => None,
        };
        if taken.is_some_and(|position| !self.has_seat(position)) {
            return Err(HouseRefusal::SeatClosed { seats: self.seats() }.into());
        }
        match ask {
            Ask::Table(Action::Deal { .. }) => Err(HouseRefusal::OwnDeck.into()),
            Ask::Table(action) => {
                let records = self.play(by, action.clone(), at, vault)?;
                if let Action::AskHouseWay { position } = action {
                    often_enough(self.told.get(position))?;
                }
                Ok(records)
            }
            Ask::House(HouseAsk::Say { words }) => {
                let betting = matches!(self.table.phase(), Phase::Betting(_));
                let seated = self.table.seats().values().any(|seated| *seated == by.person);
                let (Some(deck), true) = (&self.deck, betting && seated) else {
                    return Err(HouseRefusal::NoWordsNow.into());
                };
                let said = deck.words.clone().say(by.person.0, words.clone());
                said.map_err(|_| HouseRefusal::WordsTooLong)?;
                often_enough(self.said.get(&by.person))?;
                Ok(vec![Record::Said { words: words.clone() }])
            }
            Ask::House(HouseAsk::Ready) => {
                if !self.guests().any(|person| person == by.person) {
                    return Err(HouseRefusal::NotHere.into());
                }
                match self.ready.contains(&by.person) {
                    true => Err(HouseRefusal::ReadyAlready.into()),
                    false => Ok(vec![Record::Ready]),
                }
            }
            Ask::House(HouseAsk::DealCommitted) => {
                if by.role < Role::Dealer {
                    return Err(HouseRefusal::NeedsRole { role: Role::Dealer }.into());
                }
                let Some(deck) = &self.deck else { return Err(HouseRefusal::OwnDeck.into()) };
                let cut = self.cut(deck, vault).map_err(|why| NoChance(why.to_string()))?;
                let cards = Deck::try_from(cut.cards().to_vec()).expect("a shuffle has every card");
                let number = cut.number();
                self.play(by, Action::Deal { deck: cards, number }, at, vault)
            }
            Ask::House(HouseAsk::CloseTable { why }) => {
                if self.is_closed() {
                    return Err(HouseRefusal::TableClosed.into());
                }
                may_close(by, why)?;
                Ok(vec![Record::Closed { why: why.clone() }])
            }
            Ask::House(HouseAsk::OpenTable { why }) => {
                may_close(by, why)?;
                match self.is_closed() {
                    true => Ok(vec![Record::Reopened { why: why.clone() }]),
                    false => Err(HouseRefusal::TableOpen.into()),
                }
            }
        }
    }

    /// Whether something is for rounds to come. What belongs to the round in progress goes on at a
    /// closed table, and whoever has money there takes it away.
    pub(crate) fn begins_something(&self, ask: &Ask) -> bool {
        match ask {
            Ask::Table(action) => {
                matches!(action, Action::OpenRound | Action::Sit { .. } | Action::BringMoney { .. })
            }
            Ask::House(HouseAsk::Ready) => matches!(self.table.phase(), Phase::Idle),
            Ask::House(_) => false,
        }
    }

    /// Whether what the table offers is granted: a closed one begins nothing, and one with fewer seats
    /// than its layout has them closed.
    pub fn upholds(&self, offer: &Offer) -> bool {
        let begins =
            matches!(offer, Offer::OpenRound | Offer::Sit { .. } | Offer::BringMoney { .. });
        let is_open = match offer {
            Offer::Sit { position } | Offer::Place { position, .. } => self.has_seat(*position),
            _ => true,
        };
        is_open && !(begins && self.is_closed())
    }

    /// How many can sit here.
    pub fn seats(&self) -> u8 {
        let most = Places::of(&self.table.setup().rulebook).seats;
        self.opening.seats.map_or(most, |seats| seats.min(most))
    }

    /// Whether a seat is open. The dealer's own place is none, and the table knows what may be there.
    fn has_seat(&self, position: Position) -> bool {
        let most = Places::of(&self.table.setup().rulebook).seats;
        position.0 <= self.seats() || position.0 > most
    }

    fn play(
        &self,
        by: Actor,
        action: Action,
        at: u64,
        vault: &Vault,
    ) -> Result<Vec<Record>, Denied> {
        let events = decide(&self.table, &Command { by, at, action })?;
        let mut records = Vec::with_capacity(events.len() + 1);
        for event in events {
            let opened = match &event {
                Event::BetsOpened { round, .. } => Some(*round),
                _ => None,
            };
            records.push(Record::Happened(event));
            if let Some(round) = opened {
                records.push(Record::Committed(self.commit(round, vault)?));
            }
        }
        Ok(records)
    }

    /// Which deal a round is, for its proof.
    pub fn deal_of(&self, round: u64) -> Deal {
        let setup = self.table.setup();
        // A house that draws no number has one that is always 1.
        let drawn = setup.dealing().first != First::DealersLeft;
        let highest = if drawn { setup.highest_number() } else { 1 };
        let highest = NonZeroU8::new(highest).unwrap_or(NonZeroU8::MIN);
        Deal { table: self.id.to_string(), round, highest }
    }

    fn commit(&self, round: u64, vault: &Vault) -> Result<Committed, NoChance> {
        let seed = Seed::new(vault.fresh()?);
        let sealed = vault.seal_seed(self.id, round, &seed)?;
        let commitment = Shuffle::new(seed, self.deal_of(round)).commitment();
        Ok(Committed { round, commitment, seed: sealed })
    }

    /// The deck of a round as it is cut by what was said.
    pub fn cut(&self, deck: &RoundDeck, vault: &Vault) -> Result<CutDeck, houseway_fair::Unopened> {
        let Committed { round, seed, .. } = &*deck.committed;
        let seed = vault.open_seed(self.id, *round, seed)?;
        Ok(Shuffle::new(seed, self.deal_of(*round)).cut(deck.words.clone()))
    }

    /// What was published for the round in progress.
    pub fn commitment(&self) -> Option<Bytes32> {
        self.deck.as_ref().map(|deck| deck.committed.commitment)
    }

    /// What was said in the round in progress, with its digest. Nothing before "no more bets": whoever
    /// hears words while they can still speak could aim the cut.
    pub fn published_words(&self) -> Option<PublishedWords> {
        match self.table.phase() {
            Phase::Idle | Phase::Offering { .. } | Phase::Betting(_) => None,
            Phase::Closed(..) | Phase::Setting(_) | Phase::Revealed(_) => {
                let RoundDeck { committed, words } = self.deck.as_ref()?;
                let digest = words.digest(&self.deal_of(committed.round));
                Some(PublishedWords { said: words.clone(), digest })
            }
        }
    }

    /// Records what has happened.
    pub fn apply(&mut self, stamped: &Stamped, at: u64) {
        let Stamped { by, record } = stamped;
        if by.role == Role::Player && !self.is_bot(by.person) {
            self.heard = self.heard.max(at);
            self.unbanked = false;
        }
        match record {
            Record::Opened(_) => self.since = at,
            Record::Happened(event) => self.happened(event, at),
            Record::Committed(committed) => {
                let words = Words::default();
                self.deck = Some(RoundDeck { committed: Arc::new(committed.clone()), words });
            }
            Record::Said { words } => {
                count(self.said.entry(by.person).or_default());
                if let Some(deck) = &mut self.deck {
                    // It was looked at before it was kept.
                    let _ = deck.words.say(by.person.0, words.clone());
                }
            }
            Record::Ready => {
                self.ready.insert(by.person);
            }
            Record::Resumed { why } => self.resumed = Some(why.clone()),
            Record::Closed { why } => self.closed = Some(why.clone()),
            Record::Reopened { .. } => self.closed = None,
        }
    }

    fn happened(&mut self, event: &Event, at: u64) {
        if let Event::HouseWayTold { position, .. } = event {
            count(self.told.entry(*position).or_default());
        }
        let before = std::mem::discriminant(self.table.phase());
        self.table.apply(event);
        let phase = self.table.phase();
        if std::mem::discriminant(phase) != before || matches!(event, Event::BankOffered { .. }) {
            self.ready.clear();
            self.since = at;
            if matches!(phase, Phase::Idle) {
                self.last_deck = self.deck.take();
                self.resumed = None;
                self.said.clear();
                self.told.clear();
            }
        }
        match event {
            Event::BetsOpened { .. } | Event::BankOffered { .. } => self.opened = at,
            Event::NoBanker { .. } => self.unbanked = true,
            _ => {}
        }
    }
}

/// Who closes a table, and opens it again, says why.
fn may_close(by: Actor, why: &str) -> Result<(), HouseRefusal> {
    if by.role < CLOSES {
        return Err(HouseRefusal::NeedsRole { role: CLOSES });
    }
    let long = (1..=200).contains(&why.chars().count()) && !why.chars().any(char::is_control);
    if long && !why.trim().is_empty() { Ok(()) } else { Err(HouseRefusal::NeedsReason) }
}

fn often_enough(times: Option<&u8>) -> Result<(), HouseRefusal> {
    match times.is_some_and(|&times| times >= OFTEN) {
        true => Err(HouseRefusal::OftenEnough { most: OFTEN }),
        false => Ok(()),
    }
}

/// Logs from before there was a bound may go beyond it.
fn count(times: &mut u8) {
    *times = times.saturating_add(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str) -> Result<Ask, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_field_that_is_not_read_is_named() {
        for (text, field) in [
            (r#"{"do":"ready","now":true}"#, "now"),
            (r#"{"do":"ready","now":null}"#, "now"),
            (r#"{"do":"say","words":"a","loud":1}"#, "loud"),
            (r#"{"do":"settle","fast":1}"#, "fast"),
            (r#"{"do":"sit","position":1,"seat":2}"#, "seat"),
            (r#"{"do":"bring-money","amount":1,"Amount":2}"#, "Amount"),
            (r#"{"do":"reveal","Low":null}"#, "Low"),
            (r#"{"do":"reveal","lows":["Ah","Kd"]}"#, "lows"),
            (r#"{"do":"place","position":1,"wager":"standard","amount":5,"persona":3}"#, "persona"),
            (r#"{"do":"call","what":"power-failure-open","sport":null}"#, "sport"),
        ] {
            let error = ask(text).expect_err(text);
            assert!(error.contains(&format!("`{field}` is no field")), "{text}: {error}");
        }
    }

    #[test]
    fn a_field_may_say_nothing_where_it_may_be_left_out() {
        for (text, short) in [
            (r#"{"do":"reveal","low":null}"#, r#"{"do":"reveal"}"#),
            (
                r#"{"do":"place","position":1,"wager":"standard","amount":5,"person":null}"#,
                r#"{"do":"place","position":1,"wager":"standard","amount":5}"#,
            ),
            (
                r#"{"do":"call","what":"power-failure-open","spot":null,"repair":null}"#,
                r#"{"do":"call","what":"power-failure-open"}"#,
            ),
        ] {
            assert_eq!(ask(text).expect(text), ask(short).expect(short));
        }
    }
}
