//! A round's deck as the judge takes it down from the log: what was committed to, what was said, what
//! was dealt. Whether the one gives the other is left to the verifier that anyone can run.

use houseway_fair::{Bytes32, Proof, Words, verify};
use houseway_rules::{Card, CardSet};
use houseway_server::record::Committed;
use houseway_table::deal::Spot;

/// How many cards a hand has.
const HAND: usize = 7;

/// What the log tells of a round's deck.
#[derive(Default)]
pub(crate) struct DeckRead {
    round: u64,
    commitment: Option<Bytes32>,
    wagered: bool,
    words: Words,
    dealt: Option<Dealt>,
}

/// How it was dealt.
struct Dealt {
    hands: Vec<CardSet>,
    left_over: CardSet,
    number: u8,
}

impl DeckRead {
    /// Bets are open.
    pub(crate) fn of(round: u64) -> DeckRead {
        DeckRead { round, ..DeckRead::default() }
    }

    /// A deck is committed to: whether it is this round's and the first, before any wager.
    pub(crate) fn commit(&mut self, committed: &Committed) -> bool {
        let first = self.commitment.replace(committed.commitment).is_none();
        first && !self.wagered && committed.round == self.round
    }

    /// A wager is placed, or bets close: whether the deck is settled.
    pub(crate) fn wager(&mut self) -> bool {
        self.wagered = true;
        self.commitment.is_some()
    }

    /// Someone adds words of their own.
    pub(crate) fn say(&mut self, person: u32, words: &str) -> bool {
        self.words.say(person, words).is_ok()
    }

    /// Cards are dealt.
    pub(crate) fn deal(&mut self, hands: &[(Spot, CardSet)], left_over: CardSet, number: u8) {
        let hands = hands.iter().map(|(_, cards)| *cards).collect();
        self.dealt = Some(Dealt { hands, left_over, number });
    }

    /// Whether cards were dealt whose proof is still to be looked at.
    pub(crate) fn is_dealt(&self) -> bool {
        self.dealt.is_some()
    }

    /// What is wrong with the proof of the round, if something is: it must prove the commitment and
    /// the words that stand in the log, and place by place the cards that were dealt.
    pub(crate) fn hold_against(&mut self, proof: &Proof) -> Option<String> {
        let dealt = self.dealt.take()?;
        if Some(proof.commitment) != self.commitment || proof.deal.round != self.round {
            return Some(format!("another deck than was committed to in round {}", self.round));
        }
        if proof.words != self.words {
            return Some("cut by other words than were said".into());
        }
        let proved = match verify(proof) {
            Ok(proved) => proved,
            Err(fault) => return Some(fault.to_string()),
        };
        let cards: Vec<Card> = proved.cards.values().copied().collect();
        let same = proved.whole && proved.number == Some(dealt.number) && dealt.is_off(&cards);
        (!same).then(|| format!("the proof gives {:?} {cards:?}", proved.number))
    }
}

impl Dealt {
    /// Whether hands came off a deck in their order, seven cards at once, as tables of a night are
    /// dealt by every rulebook.
    fn is_off(&self, deck: &[Card]) -> bool {
        let set = |cards: &[Card]| cards.iter().copied().fold(CardSet::EMPTY, CardSet::with);
        let (out, rest) = deck.split_at((self.hands.len() * HAND).min(deck.len()));
        out.chunks(HAND).map(set).eq(self.hands.iter().copied()) && set(rest) == self.left_over
    }
}
