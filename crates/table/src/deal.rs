//! From a shuffled deck to hands, as each document deals.

use houseway_rules::rulebook::{Dealing, First, Hands, Pattern, Rulebook};
use houseway_rules::{Card, CardSet, Dealt};
use serde::{Deserialize, Serialize};

use crate::place::{Places, Position};

/// All 53 cards in the order in which they come off the deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Card>", into = "Vec<Card>")]
pub struct Deck(Box<[Card; 53]>);

/// Cards are not a deck: some card is missing, or there twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotADeck {
    /// How many cards there were.
    pub cards: usize,
    /// A card that was there twice, if one was.
    pub twice: Option<Card>,
}

impl std::fmt::Display for NotADeck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.twice {
            Some(card) => write!(f, "{card} is in the deck twice"),
            None => write!(f, "a deck has 53 cards, not {}", self.cards),
        }
    }
}

impl std::error::Error for NotADeck {}

impl TryFrom<Vec<Card>> for Deck {
    type Error = NotADeck;

    fn try_from(cards: Vec<Card>) -> Result<Deck, NotADeck> {
        let mut seen = CardSet::EMPTY;
        for &card in &cards {
            if seen.contains(card) {
                return Err(NotADeck { cards: cards.len(), twice: Some(card) });
            }
            seen = seen.with(card);
        }
        let count = cards.len();
        let cards = cards.into_boxed_slice().try_into();
        cards.map(Deck).map_err(|_| NotADeck { cards: count, twice: None })
    }
}

impl From<Deck> for Vec<Card> {
    fn from(deck: Deck) -> Vec<Card> {
        deck.0.to_vec()
    }
}

impl Deck {
    /// The cards.
    pub fn cards(&self) -> &[Card; 53] {
        &self.0
    }
}

/// Who gets a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Spot {
    /// A position.
    At(Position),
    /// The dealer of a house that banks alone, who has no position.
    Dealer,
}

/// What was dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// To whom.
    pub spot: Spot,
    /// Seven cards.
    pub cards: Dealt,
}

/// How a deck was dealt out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The hands in the order in which they were delivered.
    pub hands: Vec<Hand>,
    /// Where the first one went, and which position has the action button, where there is one.
    pub first: Spot,
    /// The position that has the action button.
    pub action: Option<Position>,
    /// What is left over.
    pub left_over: CardSet,
}

/// Where the first hand goes and who has the action button, by the number that was drawn.
pub fn first_hand(
    rulebook: &Rulebook,
    dealing: &Dealing,
    banker: Option<Position>,
    number: u8,
) -> (Option<Position>, Option<Position>) {
    let places = Places::of(rulebook);
    let Some(banker) = banker else { return (None, None) };
    let named = places.further(banker, number.saturating_sub(1), dealing.direction);
    let action = rulebook.action_button.as_ref().map(|_| match named == banker {
        true => places.further(banker, 1, dealing.direction),
        false => named,
    });
    match dealing.first {
        First::DealersLeft => (None, None),
        First::ActionButton => (action, action),
        First::NumberFromBanker => (Some(named), action),
    }
}

/// Deals a deck. `wagered` are the positions with a wager, in order; `banker` is the position whose
/// hand all others play against, unless the house banks without one.
pub fn deal(
    rulebook: &Rulebook,
    dealing: &Dealing,
    deck: &Deck,
    wagered: &[Position],
    banker: Option<Position>,
    number: u8,
) -> Delivery {
    let places = Places::of(rulebook);
    let (first, action) = first_hand(rulebook, dealing, banker, number);
    let spots: Vec<Spot> = match (dealing.hands, first) {
        (Hands::AllSeven, Some(first)) => {
            places.round(first, dealing.direction).map(Spot::At).collect()
        }
        (Hands::AllSeven, None) => {
            places.round(Position(1), dealing.direction).map(Spot::At).collect()
        }
        (Hands::Wagered, _) => {
            wagered.iter().copied().map(Spot::At).chain([Spot::Dealer]).collect()
        }
    };
    let count = spots.len();
    let cards = deck.cards();
    let hands: Vec<Hand> = spots
        .iter()
        .enumerate()
        .map(|(pile, &spot)| {
            let card = |turn: usize| match dealing.pattern {
                Pattern::SevenAtOnce => pile * 7 + turn,
                // From left to right, then from right to left, and so on.
                Pattern::BackAndForth if turn % 2 == 1 => turn * count + (count - 1 - pile),
                Pattern::OneInTurn | Pattern::BackAndForth => turn * count + pile,
            };
            let set = (0..7).fold(CardSet::EMPTY, |set, turn| set.with(cards[card(turn)]));
            Hand { spot, cards: Dealt::new(set).expect("a deck holds no card twice") }
        })
        .collect();
    let left_over = cards[count * 7..].iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
    Delivery { first: spots[0], hands, action, left_over }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::houses;

    fn deck() -> Deck {
        Deck::try_from(Card::all().collect::<Vec<Card>>()).expect("53 cards")
    }

    fn spots(delivery: &Delivery) -> Vec<u8> {
        let number = |hand: &Hand| match hand.spot {
            Spot::At(position) => position.0,
            Spot::Dealer => 0,
        };
        delivery.hands.iter().map(number).collect()
    }

    #[test]
    fn a_deck_has_every_card_once() {
        let mut cards: Vec<Card> = Card::all().collect();
        cards[3] = cards[4];
        let twice = Deck::try_from(cards.clone()).expect_err("a card is there twice");
        assert_eq!(twice.to_string(), format!("{} is in the deck twice", cards[4]));
        cards.truncate(3);
        let few = Deck::try_from(cards).expect_err("too few");
        assert_eq!(few.to_string(), "a deck has 53 cards, not 3");
    }

    /// Machine and hand at `mbs-2020`: the same positions, the dealer last, other cards.
    #[test]
    fn mbs_2020_deals_to_wagers_and_then_the_dealer() {
        let rules = &houses::MBS_2020;
        let wagered = [Position(2), Position(5)];
        let deck = deck();
        let machine = deal(rules, &rules.dealing[0], &deck, &wagered, None, 1);
        assert_eq!(spots(&machine), [2, 5, 0]);
        let all = deck.cards();
        let of = |range: &[usize]| range.iter().fold(CardSet::EMPTY, |set, &at| set.with(all[at]));
        assert_eq!(machine.hands[1].cards.cards(), of(&[7, 8, 9, 10, 11, 12, 13]));
        assert_eq!(machine.left_over.len(), 53 - 21);
        let manual = deal(rules, &rules.dealing[1], &deck, &wagered, None, 1);
        assert_eq!(spots(&manual), [2, 5, 0]);
        assert_eq!(manual.hands[1].cards.cards(), of(&[1, 4, 7, 10, 13, 16, 19]));
    }

    /// `commission-free` F5: the number names the first hand; 1, 8 and 15 are the player-dealer,
    /// whose left neighbour then has the button.
    #[test]
    fn commission_free_f5_counts_from_the_player_dealer() {
        let rules = &houses::COMMISSION_FREE;
        let banker = Position(6);
        let first = |number| first_hand(rules, &rules.dealing[0], Some(banker), number);
        for number in [1, 8, 15] {
            assert_eq!(first(number), (Some(Position(6)), Some(Position(7))));
        }
        assert_eq!(first(2), (Some(Position(7)), Some(Position(7))));
        assert_eq!(first(21), (Some(Position(5)), Some(Position(5))));
        let delivery = deal(rules, &rules.dealing[0], &deck(), &[], Some(banker), 3);
        assert_eq!(spots(&delivery), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(delivery.left_over.len(), 4);
    }

    /// `cardroom` C3 and C5: the first pile goes to the Action button, never to the Designated
    /// Player's seat; C4 lays the piles back and forth.
    #[test]
    fn cardroom_c4_lays_piles_back_and_forth() {
        let rules = &houses::CARDROOM;
        assert_eq!(
            first_hand(rules, &rules.dealing[0], Some(Position(7)), 8),
            (Some(Position(1)), Some(Position(1)))
        );
        let deck = deck();
        let manual = deal(rules, &rules.dealing[1], &deck, &[], Some(Position(7)), 2);
        let all = deck.cards();
        let piles =
            |places: [usize; 7]| places.iter().fold(CardSet::EMPTY, |set, &at| set.with(all[at]));
        assert_eq!(manual.hands[0].cards.cards(), piles([0, 13, 14, 27, 28, 41, 42]));
        assert_eq!(manual.hands[6].cards.cards(), piles([6, 7, 20, 21, 34, 35, 48]));
    }

    /// `catfish-bend` B4: counter-clockwise from the banker as 1.
    #[test]
    fn catfish_bend_b4_counts_counter_clockwise() {
        let rules = &houses::CATFISH_BEND;
        let delivery = deal(rules, &rules.dealing[0], &deck(), &[], Some(Position(7)), 3);
        assert_eq!(spots(&delivery), [5, 4, 3, 2, 1, 7, 6]);
        let delivery = deal(rules, &rules.dealing[0], &deck(), &[], Some(Position(2)), 1);
        assert_eq!(spots(&delivery), [2, 1, 7, 6, 5, 4, 3]);
        assert_eq!(delivery.action, None);
    }
}
