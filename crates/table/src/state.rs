//! The table as it stands, and how events change it. There are no rules here.

use std::collections::BTreeMap;
use std::sync::Arc;

use houseway_rules::rulebook::{Incident, Role, Text, Wager};
use houseway_rules::{CardSet, Cents, Dealt};
use serde::{Deserialize, Serialize};

use crate::deal::Spot;
use crate::event::{Event, How};
use crate::fees::Fee;
use crate::place::{Person, Places, Position};
use crate::settlement::{Bet, Ending, Line, Owner, PlayerHand, Round, SetHand, Standing};
use crate::setup::Setup;
use crate::stake::{Bank, Share, Stakes, minus, plus, sum};

/// One table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub(crate) setup: Setup,
    pub(crate) version: u64,
    pub(crate) round: u64,
    pub(crate) people: BTreeMap<Person, Guest>,
    pub(crate) seats: BTreeMap<Position, Person>,
    pub(crate) rotation: Rotation,
    pub(crate) phase: Phase,
    /// The last standard wager against the house at each position, and whose it was.
    pub(crate) last_wagers: BTreeMap<Position, Share>,
    /// The last round that was settled, for corrections.
    pub(crate) past: Option<Arc<Past>>,
    /// A round since then that became void with cards on the table.
    pub(crate) voided: Option<Arc<Past>>,
}

/// Someone with money at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Guest {
    /// What is theirs to wager.
    pub stack: Cents,
    /// How often they fouled since they sat down.
    pub fouls: u8,
    /// Whether they may play on.
    pub barred: bool,
    /// Whether they are kept to one position.
    pub restricted: bool,
    /// Whether a wager of theirs under the minimum has been settled once.
    pub under_minimum: bool,
    /// What they owe from a correction that took more than they had here.
    pub owes: Cents,
}

/// Where the bank goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct Rotation {
    /// The spot that is asked next, or that has the button.
    pub next: Position,
    /// How many rounds the last banker has banked in a row.
    pub in_a_row: u8,
    /// Who the last banker was.
    pub last: Option<Person>,
    /// Whether the house banks the next round before the button goes on.
    pub house_between: bool,
}

/// What may happen next. Each phase owns what exists during it.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// Between rounds.
    Idle,
    /// The bank is offered.
    Offering {
        /// To whom.
        to: Position,
        /// Who declined before.
        declined: Vec<Position>,
        /// Until when.
        until: Option<u64>,
    },
    /// Wagers are placed.
    Betting(Betting),
    /// No more bets.
    Closed(Betting, Vec<Fee>),
    /// Hands are set.
    Setting(InPlay),
    /// The banker's hand is shown.
    Revealed(InPlay),
}

impl Phase {
    /// Who banks, once someone does.
    pub fn bank(&self) -> Option<Bank> {
        match self {
            Phase::Idle | Phase::Offering { .. } => None,
            Phase::Betting(betting) | Phase::Closed(betting, _) => Some(betting.bank),
            Phase::Setting(play) | Phase::Revealed(play) => Some(play.bank),
        }
    }

    /// Every share that lies on wagers, with its position.
    pub fn shares(&self) -> Vec<(Position, Wager, Share)> {
        match self {
            Phase::Idle | Phase::Offering { .. } => vec![],
            Phase::Betting(betting) | Phase::Closed(betting, _) => betting.shares().collect(),
            Phase::Setting(play) | Phase::Revealed(play) => play.shares().collect(),
        }
    }
}

/// Wagers before the deal.
#[derive(Clone, Debug, PartialEq)]
pub struct Betting {
    /// Who banks.
    pub bank: Bank,
    /// What lies where.
    pub stakes: BTreeMap<Position, Stakes>,
    /// Until when.
    pub until: Option<u64>,
    /// Whether the power failed: everyone may withdraw everything.
    pub power_out: bool,
}

/// A round with cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct InPlay {
    /// Who banks.
    pub bank: Bank,
    /// What was collected.
    pub fees: Vec<Fee>,
    /// Who has the action button.
    pub action: Option<Position>,
    /// The positions in play.
    pub hands: BTreeMap<Position, InHand>,
    /// The hand that all others play against.
    pub banker: BankerHand,
    /// A Fortune Bonus wager of the banking player's.
    pub banker_fortune: Cents,
    /// The house's own hand against a banking player's.
    pub house: Option<BankerHand>,
    /// The cards left over.
    pub left_over: CardSet,
    /// The dealer's own spot, where it is one of the round.
    pub dealer: Option<Position>,
    /// Who sat at the table when cards were dealt.
    pub seated: Vec<(Position, Person)>,
    /// Hands that are left to the dealer, who sets them the House Way once all others are set.
    pub left_to_dealer: Vec<Position>,
    /// Hands that were dealt to nobody who wagered.
    pub discarded: Vec<(Spot, CardSet)>,
    /// Until when the next thing must be done.
    pub until: Option<u64>,
    /// Who may withdraw the rest of their wagers.
    pub may_withdraw: Vec<Person>,
    /// Whether the power failed with nothing decided: everyone may withdraw everything.
    pub power_out: bool,
}

/// A position's hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct InHand {
    /// Who sits there.
    pub holder: Person,
    /// Its cards.
    pub dealt: Dealt,
    /// What lies there.
    pub stakes: Stakes,
    /// Whether the holder has looked.
    pub viewed: bool,
    /// The two cards that went Low, and how.
    pub low: Option<(CardSet, How)>,
    /// Whether it is compared.
    pub standing: Standing,
}

/// The banker's hand, or the house's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BankerHand {
    /// Its cards.
    pub dealt: Dealt,
    /// The two cards that went Low.
    pub low: Option<CardSet>,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Past {
    /// Its number.
    pub round: u64,
    /// As it was when it was settled.
    pub play: InPlay,
    /// What it came to, corrections included.
    pub lines: Vec<Line>,
    /// The clause that makes it void, where one does.
    pub void: Option<Text>,
}

/// A table between two rounds, without what it was set up with: the form in which it can be kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Still {
    version: u64,
    round: u64,
    people: BTreeMap<Person, Guest>,
    seats: BTreeMap<Position, Person>,
    rotation: Rotation,
    last_wagers: BTreeMap<Position, Share>,
    past: Option<Past>,
    voided: Option<Past>,
}

impl Past {
    /// Lines of hands that are out by a correction: what went back stays as it is.
    pub(crate) fn returned_before(&self) -> Vec<Line> {
        let gone = self.lines.iter().filter(|line| !self.play.hands.contains_key(&line.position));
        gone.filter(|line| line.ending == Ending::Returned).cloned().collect()
    }
}

impl Table {
    /// An empty table.
    pub fn new(setup: Setup) -> Table {
        let places = Places::of(&setup.rulebook);
        let next = places.dealer().unwrap_or(Position(1));
        Table {
            setup,
            version: 0,
            round: 0,
            people: BTreeMap::new(),
            seats: BTreeMap::new(),
            rotation: Rotation { next, in_a_row: 0, last: None, house_between: false },
            phase: Phase::Idle,
            last_wagers: BTreeMap::new(),
            past: None,
            voided: None,
        }
    }

    /// The table as it can be kept; nothing while a round is played.
    pub fn still(&self) -> Option<Still> {
        let of = |past: &Option<Arc<Past>>| past.as_deref().cloned();
        matches!(self.phase, Phase::Idle).then(|| Still {
            version: self.version,
            round: self.round,
            people: self.people.clone(),
            seats: self.seats.clone(),
            rotation: self.rotation,
            last_wagers: self.last_wagers.clone(),
            past: of(&self.past),
            voided: of(&self.voided),
        })
    }

    /// A table that was kept.
    pub fn from_still(setup: Setup, still: Still) -> Table {
        Table {
            setup,
            version: still.version,
            round: still.round,
            people: still.people,
            seats: still.seats,
            rotation: still.rotation,
            phase: Phase::Idle,
            last_wagers: still.last_wagers,
            past: still.past.map(Arc::new),
            voided: still.voided.map(Arc::new),
        }
    }

    /// How the table was opened.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// How many events there have been.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The number of the round, from 1.
    pub fn round(&self) -> u64 {
        self.round
    }

    /// What someone last wagered against the house at a position. Each position counts by itself,
    /// as if it were another player's.
    pub fn last_wager(&self, position: Position, person: Person) -> Cents {
        let last = self.last_wagers.get(&position).filter(|last| last.person == person);
        last.map_or(Cents::ZERO, |last| last.amount)
    }

    /// Who has money here.
    pub fn people(&self) -> &BTreeMap<Person, Guest> {
        &self.people
    }

    /// Who sits where.
    pub fn seats(&self) -> &BTreeMap<Position, Person> {
        &self.seats
    }

    /// What may happen next.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Whether money is on a round that is not over: on the layout, or in a player's bank.
    pub fn is_at_stake(&self) -> bool {
        match &self.phase {
            Phase::Idle | Phase::Offering { .. } => false,
            Phase::Betting(betting) | Phase::Closed(betting, _) => {
                !betting.stakes.is_empty() || betting.bank.position().is_some()
            }
            Phase::Setting(_) | Phase::Revealed(_) => true,
        }
    }

    /// Where the bank goes next.
    pub fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// The spot that has the button, where the bank goes round: the next one that someone sits at,
    /// or the dealer's.
    pub fn button(&self) -> Option<Position> {
        let rotation = self.setup.rulebook.bank.rotation.as_ref()?;
        let places = Places::of(&self.setup.rulebook);
        let mut round = places.round(self.rotation.next, rotation.direction);
        // A button that waits for the house's round goes past the dealer's own spot.
        let dealer = |at: Position| places.dealer() == Some(at) && !self.rotation.house_between;
        let taken = |at: &Position| self.seats.contains_key(at) || dealer(*at);
        Some(round.find(taken).unwrap_or(self.rotation.next))
    }

    /// The last round that was settled.
    pub fn past(&self) -> Option<&Past> {
        self.past.as_deref()
    }

    /// The last round that had cards: settled, or void.
    pub fn last_round(&self) -> Option<&Arc<Past>> {
        self.voided.as_ref().or(self.past.as_ref())
    }

    /// All money at the table: stacks, wagers and what a banking player put up.
    pub fn money(&self) -> Cents {
        let felt = sum(self.phase.shares().into_iter().map(|(.., share)| share.amount));
        let put_up = match self.phase.bank() {
            Some(Bank::Player { put_up, .. }) => put_up,
            _ => Cents::ZERO,
        };
        plus(sum(self.people.values().map(|guest| guest.stack)), plus(felt, put_up))
    }

    /// Whether someone sits here or has a wager here.
    pub(crate) fn is_played_at_by(&self, person: Person) -> bool {
        if !self.people.contains_key(&person) {
            return false;
        }
        let has_share = |stakes: &Stakes| stakes.shares().any(|(_, share)| share.person == person);
        self.seats.values().any(|seated| *seated == person)
            || match &self.phase {
                Phase::Idle | Phase::Offering { .. } => false,
                Phase::Betting(betting) | Phase::Closed(betting, _) => {
                    betting.stakes.values().any(has_share)
                }
                Phase::Setting(play) | Phase::Revealed(play) => {
                    play.hands.values().any(|hand| has_share(&hand.stakes))
                }
            }
    }

    fn guest(&mut self, person: Person) -> &mut Guest {
        self.people.entry(person).or_default()
    }

    fn give(&mut self, person: Person, amount: Cents) {
        self.exchange(person, amount, Cents::ZERO);
    }

    fn take(&mut self, person: Person, amount: Cents) {
        self.exchange(person, Cents::ZERO, amount);
    }

    /// Gives something and then takes something.
    fn exchange(&mut self, person: Person, given: Cents, taken: Cents) {
        let guest = self.guest(person);
        guest.stack = minus(plus(guest.stack, given), taken);
    }

    /// The stakes of a position, in whatever phase.
    fn stakes_mut(&mut self, position: Position) -> Option<&mut Stakes> {
        match &mut self.phase {
            Phase::Betting(betting) | Phase::Closed(betting, _) => {
                Some(betting.stakes.entry(position).or_default())
            }
            Phase::Setting(play) | Phase::Revealed(play) => {
                play.hands.get_mut(&position).map(|hand| &mut hand.stakes)
            }
            Phase::Idle | Phase::Offering { .. } => None,
        }
    }

    fn play_mut(&mut self) -> Option<&mut InPlay> {
        match &mut self.phase {
            Phase::Setting(play) | Phase::Revealed(play) => Some(play),
            _ => None,
        }
    }

    /// Records what has happened. An event is a fact, so this cannot fail.
    pub fn apply(&mut self, event: &Event) {
        self.version += 1;
        match event {
            Event::MoneyBrought { person, amount } | Event::BankReturned { person, amount } => {
                self.give(*person, *amount);
            }
            Event::MoneyTaken { person, amount } => {
                self.take(*person, *amount);
                self.forget(*person);
            }
            Event::Sat { person, position } => {
                self.seats.insert(*position, *person);
                self.guest(*person);
            }
            Event::Left { person, position } => {
                self.seats.remove(position);
                if !self.seats.values().any(|seated| seated == person) {
                    self.guest(*person).fouls = 0;
                }
                self.forget(*person);
            }
            Event::BankOffered { position, until, .. } => {
                let declined = match &mut self.phase {
                    Phase::Offering { declined, .. } => std::mem::take(declined),
                    _ => vec![],
                };
                self.phase = Phase::Offering { to: *position, declined, until: *until };
            }
            Event::BankDeclined { position } => {
                if let Phase::Offering { declined, .. } = &mut self.phase {
                    declined.push(*position);
                }
            }
            Event::NoBanker { .. } => self.phase = Phase::Idle,
            Event::BankTaken { bank, .. } => self.take_bank(*bank),
            Event::BetsOpened { round, until } => {
                self.round = *round;
                let bank = match &self.phase {
                    Phase::Betting(betting) => betting.bank,
                    _ => Bank::House,
                };
                self.phase = Phase::Betting(Betting {
                    bank,
                    stakes: BTreeMap::new(),
                    until: *until,
                    power_out: false,
                });
            }
            Event::Placed { position, person, wager, amount, .. } => {
                self.place(*position, *person, *wager, *amount);
            }
            Event::Returned { position, person, wager, amount, .. } => {
                self.give(*person, *amount);
                if let Some(stakes) = self.stakes_mut(*position) {
                    stakes.remove(*wager, *person);
                }
                self.drop_empty();
            }
            Event::BetsClosed => {
                if let Phase::Betting(betting) = std::mem::replace(&mut self.phase, Phase::Idle) {
                    self.phase = Phase::Closed(betting, vec![]);
                }
            }
            Event::FeeTaken { person, amount, clause } => {
                self.take(*person, *amount);
                if let Phase::Closed(_, fees) = &mut self.phase {
                    fees.push(Fee { person: *person, amount: *amount, clause: clause.clone() });
                }
            }
            Event::Dealt { hands, action, left_over, until, .. } => {
                self.deal(hands, *action, *left_over, *until);
            }
            Event::Viewed { position } => {
                if let Some(hand) = self.hand_mut(*position) {
                    hand.viewed = true;
                }
            }
            Event::Set { position, low, how, .. } => {
                if let Some(play) = self.play_mut() {
                    play.left_to_dealer.retain(|at| at != position);
                }
                if let Some(hand) = self.hand_mut(*position) {
                    hand.low = Some((*low, *how));
                    if *how == How::Fouled {
                        let holder = hand.holder;
                        let guest = self.guest(holder);
                        guest.fouls = guest.fouls.saturating_add(1);
                    }
                }
            }
            Event::LeftToDealer { position, .. } => {
                if let Some(play) = self.play_mut() {
                    play.left_to_dealer.push(*position);
                }
            }
            Event::Dead { position, low, clause } => {
                if let Some(hand) = self.hand_mut(*position) {
                    hand.low = Some((*low, How::Fouled));
                    hand.standing = Standing::Dead(clause.clone());
                    let holder = hand.holder;
                    let guest = self.guest(holder);
                    guest.fouls = guest.fouls.saturating_add(1);
                }
            }
            Event::BankerSet { low, until, .. } => self.reveal(*low, *until),
            Event::HouseSet { low, .. } => {
                if let Some(house) = self.play_mut().and_then(|play| play.house.as_mut()) {
                    house.low = Some(*low);
                }
            }
            Event::Conceded { position, clause } => {
                if let Some(hand) = self.hand_mut(*position) {
                    hand.standing = Standing::Conceded(clause.clone());
                }
            }
            Event::Settled { lines } => self.settle(lines),
            Event::RoundEnded { rotation } => {
                self.rotation = *rotation;
                self.phase = Phase::Idle;
            }
            Event::Voided { wagers, bank, fees, clause, .. } => {
                let wagers = wagers.iter().map(|(_, share)| share);
                for share in wagers.chain(bank).chain(fees) {
                    self.give(share.person, share.amount);
                }
                let phase = std::mem::replace(&mut self.phase, Phase::Idle);
                // The cards stay on record (R10).
                if let Phase::Setting(play) | Phase::Revealed(play) = phase {
                    let void = Some(clause.clone());
                    let voided = Past { round: self.round, play, lines: vec![], void };
                    self.voided = Some(Arc::new(voided));
                }
            }
            Event::HandOut { position, may_withdraw, .. } => {
                if let Some(play) = self.play_mut()
                    && let Some(hand) = play.hands.remove(position)
                {
                    play.discarded.push((Spot::At(*position), hand.dealt.cards()));
                    play.left_to_dealer.retain(|at| at != position);
                    play.may_withdraw.extend(may_withdraw);
                }
            }
            Event::Swapped { a, b, .. } => {
                if let Some(play) = self.play_mut() {
                    let [one, two] = [*a, *b].map(|spot| play.dealt_at(spot));
                    if let (Some(one), Some(two)) = (one, two) {
                        play.put(*a, two);
                        play.put(*b, one);
                    }
                }
            }
            Event::Reset { spot, low, .. } => {
                if let Some(play) = self.play_mut() {
                    play.set_low(*spot, *low);
                }
            }
            Event::Corrected { what, lines, differences, owed, spot, low, clause, .. } => {
                for (person, difference) in differences {
                    let amount = Cents::new(difference.unsigned_abs());
                    match difference.is_negative() {
                        true => self.take(*person, amount),
                        false => self.give(*person, amount),
                    }
                }
                for (person, amount) in owed {
                    let guest = self.guest(*person);
                    guest.owes = plus(guest.owes, *amount);
                }
                if let Some(past) = self.past.as_mut().map(Arc::make_mut) {
                    past.lines.clone_from(lines);
                    match (what, spot) {
                        // A hand that is out, or a round that is void, has nothing more to correct.
                        (Incident::PlayerHandSize, Spot::At(position)) => {
                            let out = past.play.hands.remove(position);
                            let cards = out.map(|hand| (*spot, hand.dealt.cards()));
                            past.play.discarded.extend(cards);
                        }
                        (Incident::BankerHandSize, _) => past.void = Some(clause.clone()),
                        _ => past.play.set_low(*spot, *low),
                    }
                }
            }
            Event::DebtCollected { person, amount, .. } => {
                self.take(*person, *amount);
                let guest = self.guest(*person);
                guest.owes = minus(guest.owes, *amount);
            }
            Event::Barred { person, .. } => self.guest(*person).barred = true,
            Event::Restricted { person, .. } => self.guest(*person).restricted = true,
            Event::PowerFailed { decided, .. } => match &mut self.phase {
                Phase::Setting(play) | Phase::Revealed(play) => play.power_out = !decided,
                Phase::Closed(betting, _) => betting.power_out = !decided,
                _ => {}
            },
            Event::Noted { what, person, .. } => self.note(*what, *person),
            Event::NotInAction { position, clause } => {
                if let Some(hand) = self.hand_mut(*position) {
                    hand.standing = Standing::Returned(clause.clone());
                }
            }
            Event::BankersTurn { until } | Event::ClockRestarted { until } => {
                if let Phase::Offering { until: now, .. }
                | Phase::Betting(Betting { until: now, .. })
                | Phase::Setting(InPlay { until: now, .. })
                | Phase::Revealed(InPlay { until: now, .. }) = &mut self.phase
                {
                    *now = *until;
                }
            }
            Event::HouseWayTold { .. } | Event::Ruled { .. } => {}
        }
    }

    /// What is kept in mind of something that was called.
    fn note(&mut self, what: Incident, person: Option<Person>) {
        match (what, person) {
            (Incident::UnderMinimum, Some(person)) => self.guest(person).under_minimum = true,
            // A hand discarded by mistake leaves everyone free to withdraw the rest.
            (Incident::NoWager, _) => {
                if let Some(play) = self.play_mut() {
                    play.may_withdraw = play.hands.values().flat_map(InHand::partakers).collect();
                }
            }
            _ => {}
        }
    }

    /// Someone without money or seat is no longer known here.
    fn forget(&mut self, person: Person) {
        let seated = self.seats.values().any(|seated| *seated == person);
        // What staff have decided about someone is not forgotten.
        let gone = |guest: &Guest| {
            let decided = guest.barred || guest.restricted || guest.under_minimum;
            guest.stack == Cents::ZERO && guest.owes == Cents::ZERO && !decided
        };
        if !seated && self.people.get(&person).is_some_and(gone) && self.phase == Phase::Idle {
            self.people.remove(&person);
        }
    }

    fn take_bank(&mut self, bank: Bank) {
        let Bank::Player { person, put_up, .. } = bank else { return };
        let before = match &self.phase {
            Phase::Betting(Betting { bank: Bank::Player { put_up, .. }, .. }) => *put_up,
            _ => Cents::ZERO,
        };
        self.exchange(person, before, put_up);
        match &mut self.phase {
            Phase::Betting(betting) => betting.bank = bank,
            phase => {
                *phase = Phase::Betting(Betting {
                    bank,
                    stakes: BTreeMap::new(),
                    until: None,
                    power_out: false,
                });
            }
        }
    }

    fn place(&mut self, position: Position, person: Person, wager: Wager, amount: Cents) {
        let Some(stakes) = self.stakes_mut(position) else { return };
        let before = stakes.of(wager).iter().find(|share| share.person == person);
        let before = before.map_or(Cents::ZERO, |share| share.amount);
        stakes.remove(wager, person);
        stakes.add(wager, person, amount);
        self.exchange(person, before, amount);
    }

    fn drop_empty(&mut self) {
        if let Phase::Betting(betting) | Phase::Closed(betting, _) = &mut self.phase {
            betting.stakes.retain(|_, stakes| !stakes.is_empty());
        }
    }

    fn hand_mut(&mut self, position: Position) -> Option<&mut InHand> {
        self.play_mut()?.hands.get_mut(&position)
    }

    fn deal(
        &mut self,
        dealt: &[(Spot, CardSet)],
        action: Option<Position>,
        left_over: CardSet,
        until: Option<u64>,
    ) {
        let phase = std::mem::replace(&mut self.phase, Phase::Idle);
        let Phase::Closed(Betting { bank, mut stakes, .. }, fees) = phase else { return };
        let dealer = Places::of(&self.setup.rulebook).dealer();
        let banker_at = bank.position().or(dealer).map_or(Spot::Dealer, Spot::At);
        let (mut banker, mut house, mut discarded) = (None, None, vec![]);
        let mut hands = BTreeMap::new();
        let own = bank.position().and_then(|position| stakes.remove(&position));
        for &(spot, cards) in dealt {
            let Ok(dealt) = Dealt::new(cards) else { continue };
            let fresh = BankerHand { dealt, low: None };
            match spot {
                spot if spot == banker_at => banker = Some(fresh),
                // Without a wager of the house's its spot is one like any other without one.
                Spot::At(position) if Some(position) == dealer => match bank {
                    Bank::Player { house_wager, .. } if house_wager > Cents::ZERO => {
                        house = Some(fresh);
                    }
                    _ => discarded.push((spot, cards)),
                },
                Spot::At(position) => match (stakes.remove(&position), self.seats.get(&position)) {
                    (Some(stakes), Some(&holder)) => {
                        let hand = InHand {
                            holder,
                            dealt,
                            stakes,
                            viewed: false,
                            low: None,
                            standing: Standing::Plays,
                        };
                        hands.insert(position, hand);
                    }
                    _ => discarded.push((spot, cards)),
                },
                Spot::Dealer => discarded.push((spot, cards)),
            }
        }
        let Some(banker) = banker else { return };
        self.phase = Phase::Setting(InPlay {
            bank,
            fees,
            action,
            hands,
            banker,
            banker_fortune: own.map_or(Cents::ZERO, |stakes| stakes.total(Wager::Fortune)),
            house,
            left_over,
            dealer,
            seated: self.seats.iter().map(|(&position, &person)| (position, person)).collect(),
            left_to_dealer: vec![],
            discarded,
            until,
            may_withdraw: vec![],
            power_out: false,
        });
    }

    fn reveal(&mut self, low: CardSet, until: Option<u64>) {
        if let Phase::Setting(mut play) = std::mem::replace(&mut self.phase, Phase::Idle) {
            play.banker.low = Some(low);
            play.until = until;
            self.phase = Phase::Revealed(play);
        }
    }

    fn settle(&mut self, lines: &[Line]) {
        let Phase::Revealed(play) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        for line in lines {
            // A banker's commission comes out of the bank.
            if let (Owner::Person(person), false) = (line.owner, line.bet == Bet::BankerCommission)
            {
                self.exchange(person, plus(line.back, line.paid), line.commission);
            }
        }
        if play.bank == Bank::House {
            // What went back was no wager against the house.
            let staked = |hand: &InHand| !matches!(hand.standing, Standing::Returned(_));
            for (&position, hand) in play.hands.iter().filter(|(_, hand)| staked(hand)) {
                let amount = hand.stakes.total(Wager::Standard);
                self.last_wagers.insert(position, Share { person: hand.holder, amount });
            }
        }
        // Gone first, so that its memory serves again.
        drop(self.past.take());
        self.voided = None;
        let past = Past { round: self.round, play, lines: lines.to_vec(), void: None };
        self.past = Some(Arc::new(past));
    }
}

impl InHand {
    /// Who has part in it: the holder, and whoever shares a wager there.
    pub(crate) fn partakers(&self) -> Vec<Person> {
        let mut all = vec![self.holder];
        for (_, share) in self.stakes.shares() {
            if !all.contains(&share.person) {
                all.push(share.person);
            }
        }
        all
    }
}

impl Betting {
    /// Every share that lies on wagers, with its position.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (Position, Wager, Share)> {
        let all = self.stakes.iter();
        all.flat_map(|(&at, stakes)| stakes.shares().map(move |(wager, it)| (at, wager, it)))
    }
}

impl InPlay {
    /// Whether a spot is the banker's.
    pub(crate) fn is_banker(&self, spot: Spot) -> bool {
        match (spot, self.bank.position().or(self.dealer)) {
            (Spot::At(position), Some(banker)) => position == banker,
            (Spot::At(_), None) => false,
            (Spot::Dealer, banker) => banker.is_none(),
        }
    }

    /// The cards at a spot, be it one without a wager.
    pub(crate) fn dealt_at(&self, spot: Spot) -> Option<Dealt> {
        if self.is_banker(spot) {
            return Some(self.banker.dealt);
        }
        let Spot::At(position) = spot else { return None };
        if Some(position) == self.dealer {
            return self.house.map(|house| house.dealt);
        }
        let discarded = || {
            let cards = self.discarded.iter().find(|(at, _)| *at == spot);
            cards.and_then(|(_, cards)| Dealt::new(*cards).ok())
        };
        self.hands.get(&position).map(|hand| hand.dealt).or_else(discarded)
    }

    fn put(&mut self, spot: Spot, dealt: Dealt) {
        if self.is_banker(spot) {
            self.banker.dealt = dealt;
            return;
        }
        let Spot::At(position) = spot else { return };
        if Some(position) == self.dealer {
            if let Some(house) = &mut self.house {
                house.dealt = dealt;
            }
        } else if let Some(hand) = self.hands.get_mut(&position) {
            hand.dealt = dealt;
        } else if let Some((_, cards)) = self.discarded.iter_mut().find(|(at, _)| *at == spot) {
            *cards = dealt.cards();
        }
    }

    pub(crate) fn set_low(&mut self, spot: Spot, low: CardSet) {
        if self.is_banker(spot) {
            self.banker.low = Some(low);
            return;
        }
        let Spot::At(position) = spot else { return };
        if Some(position) == self.dealer {
            if let Some(house) = &mut self.house {
                house.low = Some(low);
            }
        } else if let Some(hand) = self.hands.get_mut(&position) {
            hand.low = Some((low, How::HouseWay));
        }
    }

    /// Every share that lies on wagers, with its position, a banking player's bonus included.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (Position, Wager, Share)> {
        let hands = self.hands.iter().flat_map(|(&at, hand)| {
            hand.stakes.shares().map(move |(wager, share)| (at, wager, share))
        });
        let own = match self.bank {
            Bank::Player { position, person, .. } if self.banker_fortune > Cents::ZERO => {
                let share = Share { person, amount: self.banker_fortune };
                Some((position, Wager::Fortune, share))
            }
            _ => None,
        };
        hands.chain(own)
    }

    /// Where the banker's hand lies.
    pub(crate) fn banker_spot(&self) -> Spot {
        self.bank.position().or(self.dealer).map_or(Spot::Dealer, Spot::At)
    }

    /// Lines by which the wagers of some positions go back.
    pub(crate) fn returned_lines(
        &self,
        wanted: impl Fn(Position) -> bool,
        clause: &Text,
    ) -> Vec<Line> {
        let those = self.shares().filter(|(at, ..)| wanted(*at));
        those.map(|(at, wager, share)| Line::returned(at, wager, share, clause)).collect()
    }

    /// What a settlement looks at, once every hand is set.
    pub(crate) fn with_round<T>(
        &self,
        setup: &Setup,
        settle: impl FnOnce(&Round<'_>) -> T,
    ) -> Option<T> {
        let ranking = setup.rulebook.ranking();
        let set = |dealt: Dealt, low: CardSet| {
            Some(SetHand { dealt, strengths: dealt.strengths(low, ranking).ok()? })
        };
        let banker = set(self.banker.dealt, self.banker.low?)?;
        let house = match self.house {
            Some(BankerHand { dealt, low: Some(low) }) => set(dealt, low),
            _ => None,
        };
        let mut hands = Vec::with_capacity(self.hands.len());
        for (&position, hand) in &self.hands {
            let (low, _) = hand.low?;
            // A dead hand may be foul: it is not compared.
            let own = match &hand.standing {
                Standing::Dead(_) => SetHand { dealt: hand.dealt, strengths: banker.strengths },
                _ => set(hand.dealt, low)?,
            };
            hands.push(PlayerHand {
                position,
                holder: hand.holder,
                hand: own,
                stakes: hand.stakes.clone(),
                standing: hand.standing.clone(),
            });
        }
        let round = Round {
            setup,
            bank: self.bank,
            action: self.action,
            banker,
            banker_fortune: self.banker_fortune,
            house,
            hands: &hands,
            seated: &self.seated,
        };
        Some(settle(&round))
    }
}

/// Whether someone in a role may do what takes another.
pub(crate) fn may_act(role: Role, needed: Role) -> bool {
    role >= needed
}
