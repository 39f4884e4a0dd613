//! What someone may do now. Each offer was put to [`decide`]: what is offered is what is accepted.

use houseway_rules::rulebook::{First, Incident, Irregularity, Role, Wager};
use houseway_rules::{Card, CardSet, Cents, Dealt};
use serde::{Deserialize, Serialize};

use crate::command::{Action, Actor, Call, Command, Repair, Ruling};
use crate::deal::{Deck, Spot};
use crate::decide::{Decided, Mend, decide, form};
use crate::event::Event;
use crate::place::{Person, Places, Position};
use crate::refusal::Why;
use crate::stake::{Bank, MOST, Stakes, WAGERS, minus, plus, sum};
use crate::state::{Phase, Table, may_act};

/// Stands for the reason that whoever decides something gives.
const SOME_REASON: &str = "some reason";

/// Something that would be granted. An offer allows every command that it describes, and together
/// the offers describe every command that would be granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Offer {
    /// Bring money, in whole dollars.
    BringMoney {
        /// At most so much.
        most: Cents,
    },
    /// Take money away.
    TakeMoney {
        /// At most so much.
        most: Cents,
    },
    /// Sit down.
    Sit {
        /// Where.
        position: Position,
    },
    /// Get up, or be taken off a position that is not played.
    Leave {
        /// From where.
        position: Position,
    },
    /// Start a round.
    OpenRound,
    /// Take the bank, in whole dollars: put up from `least` to `most`, and no less than `covers` and
    /// what the house is asked to wager together.
    TakeBank {
        /// With at least so much.
        least: Cents,
        /// With at most so much.
        most: Cents,
        /// What others wager already, which must be covered.
        covers: Cents,
        /// What the house wagers at most, where it plays too.
        house_wager: Cents,
        /// In steps of so much.
        step: Cents,
    },
    /// Decline it.
    DeclineBank,
    /// Place a wager.
    Place {
        /// Where.
        position: Position,
        /// On which bet.
        wager: Wager,
        /// For whom, where staff place it for a player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person: Option<Person>,
        /// At least so much.
        least: Cents,
        /// At most so much.
        most: Cents,
        /// In steps of so much.
        step: Cents,
    },
    /// Take a wager back.
    Withdraw {
        /// Where.
        position: Position,
        /// From which bet.
        wager: Wager,
    },
    /// "No more bets".
    CloseBets,
    /// Deal, with any shuffled deck.
    Deal {
        /// The number that is drawn is from 1 to this; nothing where none is looked at.
        highest: Option<u8>,
    },
    /// Look at one's cards.
    View {
        /// Where.
        position: Position,
    },
    /// Set a hand. Before one has looked no cards are named: any two of them would be taken.
    Set {
        /// Where.
        position: Position,
        /// Pairs of cards that can go Low without a foul.
        lows: Vec<CardSet>,
        /// Pairs that would be a foul.
        fouls: Vec<CardSet>,
        /// Whether a foul would lose the hand, because it would not be the first; otherwise the hand
        /// is set the House Way.
        foul_loses: bool,
    },
    /// Have a hand set the House Way.
    SetHouseWay {
        /// Where.
        position: Position,
    },
    /// Ask how the House Way would set a hand.
    AskHouseWay {
        /// Where.
        position: Position,
    },
    /// Show the banker's hand and set it by the sheet.
    Reveal {
        /// Whether any two cards may be laid Low that are no foul, because a House Way that lies
        /// wrong is put right by a rule; otherwise only those that the sheet says.
        by_hand: bool,
    },
    /// Set one's hand as the banker.
    SetBanker {
        /// Pairs of cards that can go Low without a foul.
        lows: Vec<CardSet>,
        /// Pairs that would be a foul and set again the House Way.
        fouls: Vec<CardSet>,
    },
    /// Give a hand up.
    Concede {
        /// Where.
        position: Position,
    },
    /// Compare, pay and take.
    Settle,
    /// Do what is done when time is up.
    TimeUp,
    /// Go on after an interruption, with everyone's time again.
    Resume,
    /// Call an irregularity: with one of the spots, where there are some, and then without a repair
    /// or with one of those that are named.
    Call {
        /// What happened.
        what: Incident,
        /// Whose hand it can be about; none where it is about no single hand.
        spots: Vec<Spot>,
        /// Whether it can be called without a repair.
        unrepaired: bool,
        /// How the cards can be put right. Two hands change places in either order.
        repairs: Vec<Repair>,
    },
    /// Withdraw everything after a power failure.
    WithdrawAll,
    /// Keep someone to one position.
    Restrict {
        /// Whom: any of these.
        persons: Vec<Person>,
    },
    /// Decide what no rule covers, with a reason.
    Rule {
        /// How: any of these.
        rulings: Vec<Ruling>,
    },
}

/// Everything that someone may do at a moment.
pub fn options(table: &Table, person: Person, role: Role, at: u64) -> Vec<Offer> {
    let asking = Asking { table, by: Actor { person, role }, at };
    let mut offers = vec![];
    asking.as_staff(&mut offers);
    asking.seating(&mut offers);
    asking.banking(&mut offers);
    asking.betting(&mut offers);
    asking.hands(&mut offers);
    asking.calls(&mut offers);
    offers
}

/// By how much an amount was too large, as far as its refusal says so.
fn too_much(why: &Why) -> Cents {
    match *why {
        Why::NoMoney { stack: has, needed } | Why::NotCovered { covered: has, needed } => {
            minus(needed, has)
        }
        _ => Cents::ZERO,
    }
}

struct Asking<'a> {
    table: &'a Table,
    by: Actor,
    at: u64,
}

impl Asking<'_> {
    fn granted(&self, action: Action) -> bool {
        self.decided(action).is_ok()
    }

    fn decided(&self, action: Action) -> Decided {
        decide(self.table, &Command { by: self.by, at: self.at, action })
    }

    /// Whether it is no use to ask about what is someone else's: most of a table is, and every view
    /// of it comes with its offers.
    fn is_no_business_of(&self, holder: Person) -> bool {
        self.by.role < Role::Dealer && holder != self.by.person
    }

    fn offer(&self, offers: &mut Vec<Offer>, action: Action, offer: Offer) {
        if self.granted(action) {
            offers.push(offer);
        }
    }

    fn as_staff(&self, offers: &mut Vec<Offer>) {
        if self.by.role < Role::Dealer {
            return;
        }
        self.offer(offers, Action::OpenRound, Offer::OpenRound);
        self.offer(offers, Action::CloseBets, Offer::CloseBets);
        if matches!(self.table.phase(), Phase::Closed(..)) {
            let deck = Deck::try_from(Card::all().collect::<Vec<Card>>()).expect("all 53 cards");
            let setup = self.table.setup();
            let drawn = setup.dealing().first != First::DealersLeft;
            let highest = drawn.then(|| setup.highest_number());
            self.offer(offers, Action::Deal { deck, number: 1 }, Offer::Deal { highest });
        }
        let irregularity = self.table.setup().rulebook.irregularity(Incident::WrongHouseWay);
        let by_hand = irregularity.is_some();
        self.offer(offers, Action::Reveal { low: None }, Offer::Reveal { by_hand });
        self.offer(offers, Action::Settle, Offer::Settle);
        self.offer(offers, Action::TimeUp, Offer::TimeUp);
        self.offer(offers, Action::Resume, Offer::Resume);
        let restrict = |person: &Person| {
            self.granted(Action::Restrict { person: *person, reason: SOME_REASON.into() })
        };
        let persons: Vec<Person> = self.table.people().keys().copied().filter(restrict).collect();
        if !persons.is_empty() {
            offers.push(Offer::Restrict { persons });
        }
        let positions = (1..=Places::of(&self.table.setup().rulebook).seats).map(Position);
        let all = [Ruling::PlayOn, Ruling::Void].into_iter().chain(positions.map(Ruling::HandOut));
        let rule = |ruling: &Ruling| {
            self.granted(Action::Rule { ruling: *ruling, reason: SOME_REASON.into() })
        };
        let rulings: Vec<Ruling> = all.filter(rule).collect();
        if !rulings.is_empty() {
            offers.push(Offer::Rule { rulings });
        }
    }

    fn seating(&self, offers: &mut Vec<Offer>) {
        let places = Places::of(&self.table.setup().rulebook);
        for position in (1..=places.seats).map(Position) {
            match self.table.seats().get(&position) {
                None => self.offer(offers, Action::Sit { position }, Offer::Sit { position }),
                Some(&holder) if self.is_no_business_of(holder) => {}
                Some(_) => {
                    self.offer(offers, Action::Leave { position }, Offer::Leave { position });
                }
            }
        }
        let dollar = Cents::dollars(1);
        let bring = |amount| Action::BringMoney { amount };
        let room = MOST.minus(self.stack()).unwrap_or(Cents::ZERO);
        if let Some((_, most)) = self.range(dollar, dollar, room, bring) {
            offers.push(Offer::BringMoney { most });
        }
        // Fees of the round may have to stay.
        let cent = Cents::new(1);
        let take = |amount| Action::TakeMoney { amount };
        if let Some((_, most)) = self.range(cent, cent, self.stack(), take) {
            offers.push(Offer::TakeMoney { most });
        }
    }

    fn stack(&self) -> Cents {
        self.stack_of(self.by.person)
    }

    fn stack_of(&self, person: Person) -> Cents {
        self.table.people().get(&person).map_or(Cents::ZERO, |guest| guest.stack)
    }

    /// The least and the most of whole steps that are granted. Mostly that is everything between
    /// two ends, or all but what a refusal says is too much; where it is not, by halving.
    fn range(
        &self,
        step: Cents,
        least: Cents,
        most: Cents,
        action: impl Fn(Cents) -> Action,
    ) -> Option<(Cents, Cents)> {
        let step = step.get().max(1);
        let (first, last) = (least.get().div_ceil(step), most.get() / step);
        let granted = |steps: u64| self.granted(action(Cents::new(steps * step)));
        if first > last || !granted(first) {
            return None;
        }
        // What is granted is a range from the least on: find its end.
        let (mut low, mut high) = match self.decided(action(Cents::new(last * step))) {
            Ok(_) => (last, last),
            Err(refusal) => {
                let fits = last.saturating_sub(too_much(&refusal.why).get().div_ceil(step));
                match fits >= first && fits < last && granted(fits) && !granted(fits + 1) {
                    true => (fits, fits),
                    false => (first, last - 1),
                }
            }
        };
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if granted(middle) { low = middle } else { high = middle - 1 }
        }
        Some((Cents::new(first * step), Cents::new(low * step)))
    }

    fn banking(&self, offers: &mut Vec<Offer>) {
        self.offer(offers, Action::DeclineBank, Offer::DeclineBank);
        let (covers, before) = match self.table.phase() {
            Phase::Offering { .. } => (Cents::ZERO, Cents::ZERO),
            Phase::Betting(betting) => {
                let standard = betting.stakes.values().map(|it| it.total(Wager::Standard));
                let before = match betting.bank {
                    Bank::Player { person, put_up, .. } if person == self.by.person => put_up,
                    _ => Cents::ZERO,
                };
                (sum(standard), before)
            }
            _ => return,
        };
        let dollar = Cents::dollars(1);
        let most = plus(self.stack(), before);
        let take = |put_up| Action::TakeBank { put_up, house_wager: Cents::ZERO };
        if let Some((least, most)) = self.range(dollar, covers.max(dollar), most, take) {
            // With all that can be put up, the house wagers as much as it ever does.
            let take = |house_wager| Action::TakeBank { put_up: most, house_wager };
            let standard = self.table.setup().range(Wager::Standard);
            let step = standard.map_or(dollar, |(_, limits)| limits.step);
            let house_wager = self.range(step, Cents::ZERO, minus(most, covers), take);
            let house_wager = house_wager.map_or(Cents::ZERO, |(_, most)| most);
            offers.push(Offer::TakeBank { least, most, covers, house_wager, step });
        }
    }

    fn betting(&self, offers: &mut Vec<Offer>) {
        let Phase::Betting(betting) = self.table.phase() else { return };
        let staff = self.by.role >= Role::Dealer;
        let others = self.table.people().keys().copied();
        let others = others.filter(|person| staff && *person != self.by.person).map(Some);
        let placed_for: Vec<Option<Person>> = [None].into_iter().chain(others).collect();
        let is_shared = self.table.setup().rulebook.seats.shared_wagers.is_some();
        for (&position, &holder) in self.table.seats() {
            if self.is_no_business_of(holder) && !is_shared {
                continue;
            }
            let none = Stakes::default();
            let there = betting.stakes.get(&position).unwrap_or(&none);
            for wager in WAGERS {
                for &person in &placed_for {
                    offers.extend(self.placing(position, wager, person, there));
                }
                let withdraw = Action::Withdraw { position, wager };
                self.offer(offers, withdraw, Offer::Withdraw { position, wager });
            }
        }
    }

    fn placing(
        &self,
        position: Position,
        wager: Wager,
        person: Option<Person>,
        there: &Stakes,
    ) -> Option<Offer> {
        let (limits, rule) = self.table.setup().range(wager)?;
        let step = rule.step;
        let owner = person.unwrap_or(self.by.person);
        let others = there.of(wager).iter().filter(|share| share.person != owner);
        let others = sum(others.map(|share| share.amount));
        // Beside what others have there, the sum must be within the limits.
        let least = limits.minimum.minus(others).unwrap_or(Cents::ZERO).max(step);
        let place = |amount| Action::Place { position, wager, amount, person };
        // Nor can it be more than what they have, with what they have there already.
        let own = there.of(wager).iter().filter(|share| share.person == owner);
        let owned = plus(self.stack_of(owner), sum(own.map(|share| share.amount)));
        let most = limits.maximum.minus(others).unwrap_or(Cents::ZERO).min(owned);
        let (least, most) = self.range(step, least, most, place)?;
        Some(Offer::Place { position, wager, person, least, most, step })
    }

    fn hands(&self, offers: &mut Vec<Offer>) {
        self.offer(offers, Action::WithdrawAll, Offer::WithdrawAll);
        let (Phase::Setting(play) | Phase::Revealed(play)) = self.table.phase() else { return };
        for (&position, hand) in &play.hands {
            if self.is_no_business_of(hand.holder) {
                continue;
            }
            self.offer(offers, Action::View { position }, Offer::View { position });
            if self.granted(Action::Set { position, low: any_two(hand.dealt) }) {
                let unseen = || (vec![], vec![]);
                let (lows, fouls) =
                    if hand.viewed { self.ways_to_set(hand.dealt) } else { unseen() };
                let foul_loses = fouls.first().is_some_and(|&low| self.loses(position, low));
                offers.push(Offer::Set { position, lows, fouls, foul_loses });
            }
            let house_way = Action::SetHouseWay { position };
            self.offer(offers, house_way, Offer::SetHouseWay { position });
            let ask = Action::AskHouseWay { position };
            self.offer(offers, ask, Offer::AskHouseWay { position });
            self.offer(offers, Action::Concede { position }, Offer::Concede { position });
        }
        if self.granted(Action::SetBanker { low: any_two(play.banker.dealt) }) {
            let (lows, fouls) = self.ways_to_set(play.banker.dealt);
            offers.push(Offer::SetBanker { lows, fouls });
        }
    }

    /// Whether a hand would lose by these two cards in front, whatever the others are.
    fn loses(&self, position: Position, low: CardSet) -> bool {
        let decided = self.decided(Action::Set { position, low });
        decided.is_ok_and(|events| events.iter().any(|it| matches!(it, Event::Dead { .. })))
    }

    /// The pairs of a hand's cards that can go Low, and those that would be a foul.
    fn ways_to_set(&self, dealt: Dealt) -> (Vec<CardSet>, Vec<CardSet>) {
        let ranking = self.table.setup().rulebook.ranking();
        let pairs = dealt.splits(ranking).map(|split| split.low);
        pairs.partition(|&low| dealt.set(low, ranking).is_ok())
    }

    fn calls(&self, offers: &mut Vec<Offer>) {
        for rule in self.table.setup().rulebook.irregularities.iter() {
            if may_act(self.by.role, rule.called_by) {
                offers.extend(self.calling(rule));
            }
        }
    }

    /// Every way in which an irregularity may be called. All spots take the same repairs.
    fn calling(&self, rule: &Irregularity) -> Option<Offer> {
        let (what, form) = (rule.what, form(rule.remedy));
        let granted = |spot: Option<Spot>, repair: Option<Repair>| {
            self.granted(Action::Call(Call { what, spot, repair }))
        };
        let named: Vec<Option<Spot>> = match form.spot {
            true => self.spots().map(Some).collect(),
            false => vec![None],
        };
        let repairs = form.mend.map_or(vec![], |mend| self.repairs(mend));
        for &first in &named {
            let unrepaired = granted(first, None);
            let with = |repair: &Repair| granted(first, Some(repair.clone()));
            let repairs: Vec<Repair> = repairs.iter().filter(|it| with(it)).cloned().collect();
            let Some(sample) = unrepaired.then_some(None).or(repairs.first().cloned().map(Some))
            else {
                continue;
            };
            let as_well = |spot: &Option<Spot>| granted(*spot, sample.clone());
            let spots = named.iter().filter(|it| as_well(it)).filter_map(|spot| *spot).collect();
            return Some(Offer::Call { what, spots, unrepaired, repairs });
        }
        None
    }

    /// Every spot of the table that can be named.
    fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let places = Places::of(&self.table.setup().rulebook);
        let dealer = places.dealer().is_none().then_some(Spot::Dealer);
        (1..=places.spots).map(|number| Spot::At(Position(number))).chain(dealer)
    }

    /// Every repair of a kind that could be thought of. How a hand is meant to lie can be told only
    /// once it is shown.
    fn repairs(&self, mend: Mend) -> Vec<Repair> {
        match (mend, self.table.phase()) {
            (Mend::Reconstruct, _) => vec![Repair::Reconstruct],
            (Mend::Swap, Phase::Setting(_)) => {
                let pairs = self.spots().flat_map(|a| self.spots().map(move |b| (a, b)));
                pairs.filter(|(a, b)| a < b).map(|(a, b)| Repair::Swap(a, b)).collect()
            }
            (Mend::Lay, Phase::Revealed(play)) => {
                self.ways_to_set(play.banker.dealt).0.into_iter().map(Repair::Lay).collect()
            }
            (Mend::Swap | Mend::Lay, _) => vec![],
        }
    }
}

/// Two cards of a hand: whether it may be set does not depend on which.
fn any_two(dealt: Dealt) -> CardSet {
    dealt.cards().iter().take(2).fold(CardSet::EMPTY, CardSet::with)
}
