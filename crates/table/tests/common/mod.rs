//! A table to try things at: commands in, events or refusals out, decks that deal what is wanted.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fmt::Write as _;
use std::sync::Arc;

use houseway_rules::rulebook::{Role, Rulebook, Wager};
use houseway_rules::{Card, CardSet, Cents};
use houseway_table::deal::{Deck, Spot, deal};
use houseway_table::settlement::{Bet, Line};
use houseway_table::{
    Action, Actor, Command, Event, InPlay, Person, Phase, Places, Position, Posted, Refusal, Setup,
    Table, decide,
};

/// A table, and everything that has happened there.
pub(crate) struct Night {
    pub(crate) table: Table,
    pub(crate) log: Vec<Event>,
    pub(crate) now: u64,
}

pub(crate) const DEALER: Actor = Actor::DEALER;

/// Set the House Way in every house: Q-10 Low, a pair of jacks High.
pub(crate) const JACKS: &str = "Jc Jd Qh Tc 7c 4h 2s";
/// K-Q Low, aces High: above [`JACKS`] twice.
pub(crate) const ACES: &str = "Ac Ad Kh Qs 9c 5d 3h";
/// A-Q Low, kings High: above [`JACKS`] twice.
pub(crate) const KINGS: &str = "Kc Kd Ah Qc 9d 5h 3s";
/// 9-8 Low, 10-high High: below [`JACKS`] twice, and 9-high.
pub(crate) const TEN_HIGH: &str = "9h 8d 6d 5s 4d 2d Ts";
/// The same again in other suits.
pub(crate) const TEN_HIGH_TOO: &str = "9s 8h 6h 5c 3c 2c Td";
/// K-Q Low, ace-high High: above and below [`JACKS`].
pub(crate) const ACE_HIGH: &str = "As Ks Qd 8s 7d 4c 3d";
/// J-10-8-6-4-3-2 in no suit: 10-8 Low, nothing for the bonus.
pub(crate) const NOTHING: &str = "Jd Td 8s 6d 4s 3d 2s";

/// Chance from a seed.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % below
    }

    pub(crate) fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub(crate) fn shuffle(&mut self, cards: &mut [Card]) {
        for place in (1..cards.len()).rev() {
            cards.swap(place, self.below(place + 1));
        }
    }
}

/// The deck in its own order.
pub(crate) fn plain_deck() -> Deck {
    Deck::try_from(Card::all().collect::<Vec<Card>>()).expect("53 cards")
}

/// The cards at these places of a deck.
pub(crate) fn picked(deck: &Deck, places: impl IntoIterator<Item = usize>) -> CardSet {
    places.into_iter().fold(CardSet::EMPTY, |set, place| set.with(deck.cards()[place]))
}

/// The round with cards.
pub(crate) fn in_play(night: &Night) -> &InPlay {
    match night.table.phase() {
        Phase::Setting(play) | Phase::Revealed(play) => play,
        phase => panic!("no cards are out: {phase:?}"),
    }
}

/// Everyone sets the House Way, the banker's hand is shown, and the round is settled.
pub(crate) fn finish(night: &mut Night) -> Vec<String> {
    night.set_all();
    night.reveal();
    told(&night.settle())
}

pub(crate) fn staff(role: Role) -> Actor {
    Actor { person: Person(900 + role as u32), role }
}

pub(crate) fn at(position: u8) -> Spot {
    Spot::At(Position(position))
}

pub(crate) fn cards(text: &str) -> CardSet {
    text.parse().expect(text)
}

pub(crate) fn dollars(amount: u32) -> Cents {
    Cents::dollars(amount)
}

impl Night {
    /// A table as a small room would open it.
    pub(crate) fn new(rulebook: &Rulebook) -> Night {
        Night::with(rulebook, |_| {})
    }

    /// A table with something posted otherwise.
    pub(crate) fn with(rulebook: &Rulebook, change: impl FnOnce(&mut Posted)) -> Night {
        let mut posted = Posted::usual(rulebook);
        change(&mut posted);
        let setup = Setup::new(Arc::new(rulebook.clone()), posted).expect("a good setup");
        Night { table: Table::new(setup), log: vec![], now: 0 }
    }

    /// Asks, and applies what comes of it. A refusal changes nothing.
    pub(crate) fn ask(&mut self, by: Actor, action: Action) -> Result<Vec<Event>, Refusal> {
        let command = Command { by, at: self.now, action };
        let before = self.table.clone();
        let decided = decide(&self.table, &command);
        assert!(self.table == before, "deciding changes nothing");
        let events = decided?;
        for event in &events {
            self.table.apply(event);
        }
        self.log.extend(events.iter().cloned());
        Ok(events)
    }

    /// Asks for what must be granted.
    pub(crate) fn must(&mut self, by: Actor, action: Action) -> Vec<Event> {
        let asked = format!("{action:?}");
        self.ask(by, action).unwrap_or_else(|refusal| panic!("{asked}: {refusal}"))
    }

    /// Asks for what must be refused: the words of the refusal.
    pub(crate) fn refused(&mut self, by: Actor, action: Action) -> String {
        let asked = format!("{action:?}");
        match self.ask(by, action) {
            Ok(events) => panic!("{asked} is not refused: {events:?}"),
            Err(refusal) => refusal.to_string(),
        }
    }

    /// A person with money sits down at the position of the same number.
    pub(crate) fn seat(&mut self, person: u32, money: u32) {
        self.seat_at(person, person as u8, money);
    }

    pub(crate) fn seat_at(&mut self, person: u32, position: u8, money: u32) {
        let who = Actor::player(person);
        if money > 0 {
            self.must(who, Action::BringMoney { amount: dollars(money) });
        }
        self.must(who, Action::Sit { position: Position(position) });
    }

    pub(crate) fn open(&mut self) -> Vec<Event> {
        self.must(DEALER, Action::OpenRound)
    }

    /// The person on offer takes the bank.
    pub(crate) fn bank(&mut self, person: u32, put_up: u32) -> Vec<Event> {
        let action = Action::TakeBank { put_up: dollars(put_up), house_wager: Cents::ZERO };
        self.must(Actor::player(person), action)
    }

    pub(crate) fn place(
        &mut self,
        person: u32,
        position: u8,
        wager: Wager,
        amount: u32,
    ) -> Vec<Event> {
        self.must(Actor::player(person), Night::placing(position, wager, amount))
    }

    pub(crate) fn placing(position: u8, wager: Wager, amount: u32) -> Action {
        let (position, amount) = (Position(position), dollars(amount));
        Action::Place { position, wager, amount, person: None }
    }

    pub(crate) fn standard(&mut self, person: u32, amount: u32) {
        self.place(person, person as u8, Wager::Standard, amount);
    }

    pub(crate) fn fortune(&mut self, person: u32, amount: u32) {
        self.place(person, person as u8, Wager::Fortune, amount);
    }

    pub(crate) fn tiger(&mut self, person: u32, amount: u32) {
        self.place(person, person as u8, Wager::TigerNine, amount);
    }

    pub(crate) fn close(&mut self) -> Vec<Event> {
        self.must(DEALER, Action::CloseBets)
    }

    /// Deals so that these spots get these cards; the others get what is left.
    pub(crate) fn deal(&mut self, number: u8, hands: &[(Spot, &str)]) -> Vec<Event> {
        let deck = self.deck(number, hands);
        self.must(DEALER, Action::Deal { deck, number })
    }

    /// A deck that gives these spots these cards when dealt now with that number.
    pub(crate) fn deck(&self, number: u8, hands: &[(Spot, &str)]) -> Deck {
        let Phase::Closed(betting, _) = self.table.phase() else { panic!("bets are not closed") };
        let setup = self.table.setup();
        let places = Places::of(&setup.rulebook);
        let banker = betting.bank.position().or(places.dealer());
        let wagered: Vec<Position> = betting.stakes.keys().copied().collect();
        let plain = plain_deck();
        let delivery = deal(&setup.rulebook, setup.dealing(), &plain, &wagered, banker, number);
        let wanted: CardSet = hands.iter().fold(CardSet::EMPTY, |set, (_, text)| {
            let hand = cards(text);
            assert!(set.intersection(hand).is_empty(), "a card is wanted twice: {text}");
            set.union(hand)
        });
        let mut rest = Card::all().filter(|&card| !wanted.contains(card));
        let mut deck: Vec<Option<Card>> = vec![None; 53];
        for (spot, text) in hands {
            let slot = delivery.hands.iter().find(|hand| hand.spot == *spot);
            let slot = slot.unwrap_or_else(|| panic!("{spot:?} gets no hand")).cards.cards();
            let places = (0..53).filter(|&place| slot.contains(plain.cards()[place]));
            for (place, card) in places.zip(cards(text).iter()) {
                deck[place] = Some(card);
            }
        }
        let deck: Vec<Card> =
            deck.into_iter().map(|card| card.or_else(|| rest.next()).expect("a card")).collect();
        Deck::try_from(deck).expect("a deck")
    }

    /// Everyone sets the House Way, the banker's hand is shown.
    pub(crate) fn set_all(&mut self) {
        let Phase::Setting(play) = self.table.phase() else { panic!("no hands to set") };
        let waiting: Vec<(Position, Person)> = play
            .hands
            .iter()
            .filter(|(_, hand)| hand.low.is_none())
            .map(|(&position, hand)| (position, hand.holder))
            .collect();
        for (position, holder) in waiting {
            let Phase::Setting(play) = self.table.phase() else { panic!("no hands to set") };
            if play.hands[&position].low.is_some() {
                continue;
            }
            let (dealt, viewed) = (play.hands[&position].dealt, play.hands[&position].viewed);
            if !viewed {
                self.must(Actor::player(holder.0), Action::View { position });
            }
            let rules = &*self.table.setup().rulebook;
            let low = houseway_rules::set_house_way(rules, dealt).setting.low();
            self.must(Actor::player(holder.0), Action::Set { position, low });
        }
    }

    pub(crate) fn set(&mut self, person: u32, low: &str) -> Vec<Event> {
        let action = Action::Set { position: Position(person as u8), low: cards(low) };
        self.must(Actor::player(person), action)
    }

    pub(crate) fn reveal(&mut self) -> Vec<Event> {
        self.must(DEALER, Action::Reveal { low: None })
    }

    /// Settles: the statement.
    pub(crate) fn settle(&mut self) -> Vec<Line> {
        let events = self.must(DEALER, Action::Settle);
        let lines = events.iter().find_map(|event| match event {
            Event::Settled { lines } => Some(lines.clone()),
            _ => None,
        });
        lines.expect("a settlement has lines")
    }

    /// The money a person has.
    pub(crate) fn stack(&self, person: u32) -> Cents {
        self.table.people().get(&Person(person)).map_or(Cents::ZERO, |guest| guest.stack)
    }
}

/// The lines of a statement in one word each: `3 standard win +20 -1 (3.18 4.1.1)`.
pub(crate) fn told(lines: &[Line]) -> Vec<String> {
    lines.iter().map(tell).collect()
}

pub(crate) fn tell(line: &Line) -> String {
    let bet = match line.bet {
        Bet::Standard => "standard".to_string(),
        Bet::Fortune => "fortune".to_string(),
        Bet::TigerNine => "tiger".to_string(),
        Bet::Envy { of } => format!("envy of {}", of.0),
        Bet::HouseWager => "house".to_string(),
        Bet::BankerCommission => "commission".to_string(),
    };
    let ending = format!("{:?}", line.ending).to_lowercase();
    let mut text = format!("{} {bet} {ending}", line.position.0);
    for (sign, amount) in [
        ("+", line.paid),
        ("-", line.taken),
        ("back ", line.back),
        ("commission ", line.commission),
    ] {
        if amount > Cents::ZERO {
            let _ = write!(text, " {sign}{amount}");
        }
    }
    text + &format!(" ({})", line.clauses.join(" "))
}
