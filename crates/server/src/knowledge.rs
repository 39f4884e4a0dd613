//! What may be known of a table, worked out from its log and not from any view: the second opinion
//! that tests and simulations hold views against.

use std::collections::BTreeMap;

use houseway_rules::rulebook::Role;
use houseway_rules::{Card, CardSet};
use houseway_table::settlement::Standing;
use houseway_table::{Bank, Event, InPlay, Person, Phase};
use serde_json::Value;

use crate::desk::Desk;
use crate::record::{Record, Stamped};

/// Every card that is named in a text, however it is written.
pub fn named(text: &str) -> CardSet {
    let words = text.split(|it: char| !(it.is_alphanumeric() || "♣♦♥♠@".contains(it)));
    let cards = words.filter(|it| (1..=5).contains(&it.chars().count()));
    // A number alone names no card.
    let cards = cards.filter(|it| it.parse::<u64>().is_err());
    cards.filter_map(|it| it.parse::<Card>().ok()).fold(CardSet::EMPTY, CardSet::with)
}

/// Who looks, as far as it matters for cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Whose own cards they may see; staff see nobody's.
    pub person: Option<Person>,
    /// In which role.
    pub role: Role,
}

/// What may be known of a table at a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    everyone: CardSet,
    own: BTreeMap<Person, CardSet>,
}

/// What may be known of a round that is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    known: Knowledge,
    /// Hands that were given up, which a Pit Supervisor may look at on purpose.
    conceded: CardSet,
}

impl Knowledge {
    /// What everyone may know.
    pub fn everyone(&self) -> CardSet {
        self.everyone
    }

    /// What someone may know.
    pub fn of(&self, sight: Sight) -> CardSet {
        let own = sight.person.and_then(|person| self.own.get(&person));
        self.everyone.union(own.copied().unwrap_or(CardSet::EMPTY))
    }

    fn in_play(play: &InPlay, revealed: bool, bankers_turn: bool) -> Knowledge {
        let mut knowledge = Knowledge::default();
        if revealed {
            let house = play.house.map_or(CardSet::EMPTY, |house| house.dealt.cards());
            knowledge.everyone = play.banker.dealt.cards().union(house);
        }
        for hand in play.hands.values().filter(|hand| hand.viewed) {
            let own = knowledge.own.entry(hand.holder).or_insert(CardSet::EMPTY);
            *own = own.union(hand.dealt.cards());
        }
        // Where nobody else has a hand, it is the banker's turn at once.
        if let Bank::Player { person, .. } = play.bank
            && (bankers_turn || play.hands.is_empty())
        {
            let own = knowledge.own.entry(person).or_insert(CardSet::EMPTY);
            *own = own.union(play.banker.dealt.cards());
        }
        knowledge
    }

    fn at(phase: &Phase, bankers_turn: bool) -> Option<Knowledge> {
        match phase {
            Phase::Setting(play) => Some(Knowledge::in_play(play, false, bankers_turn)),
            Phase::Revealed(play) => Some(Knowledge::in_play(play, true, bankers_turn)),
            _ => None,
        }
    }
}

impl Shown {
    /// What someone may know of it in passing.
    pub fn of(&self, sight: Sight) -> CardSet {
        self.known.of(sight)
    }

    /// What someone may know of it who looks at the hands that were given up.
    pub fn of_one_who_looks(&self, sight: Sight) -> CardSet {
        let known = self.of(sight);
        if sight.role >= Role::PitSupervisor { known.union(self.conceded) } else { known }
    }

    fn settled(play: &InPlay) -> Shown {
        let mut shown =
            Shown { known: Knowledge::in_play(play, true, false), conceded: CardSet::EMPTY };
        for hand in play.hands.values() {
            let cards = hand.dealt.cards();
            match hand.standing {
                Standing::Plays | Standing::Dead(_) => {
                    shown.known.everyone = shown.known.everyone.union(cards);
                }
                Standing::Conceded(_) => shown.conceded = shown.conceded.union(cards),
                Standing::Returned(_) => {}
            }
        }
        shown
    }
}

/// A reader of a table's log who keeps in mind what may be known.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    bankers_turn: bool,
    now: Knowledge,
    rounds: BTreeMap<u64, Shown>,
}

impl Reader {
    /// What may be known now.
    pub fn now(&self) -> &Knowledge {
        &self.now
    }

    /// What may be known of a round that is over and had cards.
    pub fn round(&self, round: u64) -> Option<&Shown> {
        self.rounds.get(&round)
    }

    /// Reads what is about to be applied to a desk, before it is.
    pub fn before(&mut self, desk: &Desk, stamped: &Stamped) {
        let Record::Happened(event) = &stamped.record else { return };
        let round = desk.table().round();
        match (event, desk.table().phase()) {
            (Event::Settled { .. }, Phase::Revealed(play)) => {
                self.rounds.insert(round, Shown::settled(play));
            }
            // Of a void round is known what was known when it became so.
            (Event::Voided { .. }, phase) => {
                let known = Knowledge::at(phase, self.bankers_turn);
                let shown = known.map(|known| Shown { known, conceded: CardSet::EMPTY });
                self.rounds.extend(shown.map(|shown| (round, shown)));
            }
            _ => {}
        }
        self.bankers_turn |= matches!(event, Event::BankersTurn { .. });
        self.bankers_turn &= !matches!(event, Event::BetsOpened { .. });
    }

    /// Looks at a desk after something was applied.
    pub fn after(&mut self, desk: &Desk) {
        self.now = Knowledge::at(desk.table().phase(), self.bankers_turn).unwrap_or_default();
    }

    /// Cards in a view of the table as it is now that its onlooker may not know.
    pub fn beyond(&self, view: &Value, sight: Sight) -> CardSet {
        let mut view = view.clone();
        let last = view["last"].take();
        let mut beyond = named(&view.to_string()).without(self.now.of(sight));
        if !last.is_null() {
            let round = last["round"].as_u64().and_then(|round| self.round(round));
            let may = round.map_or(CardSet::EMPTY, |shown| shown.of(sight));
            beyond = beyond.union(named(&last.to_string()).without(may));
        }
        beyond
    }
}
