//! A round's deck from its seed to the cards on the table.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU8;

use houseway_rules::Card;
use serde::{Deserialize, Serialize};

use crate::bytes::Bytes32;
use crate::proof::{Disclosed, Evidence, Form, NumberOpening, Opened, Opening, Proof};
use crate::seed::Seed;
use crate::tree::{self, NUMBER_LEAF, Tree};
use crate::words::{Cut, Shift, Words};

/// Which deal it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The table's name.
    pub table: String,
    /// Which round of the table.
    pub round: u64,
    /// The number is drawn from 1 to this. It is 1 where a house draws none.
    pub highest: NonZeroU8,
}

/// A place in the deck as it is dealt, 0 to 52: the card at 0 comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "u8", into = "u8")]
pub struct Place(u8);

/// No deck has that place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchPlace(pub u8);

impl fmt::Display for NoSuchPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a deck has places 0 to 52, not {}", self.0)
    }
}

impl std::error::Error for NoSuchPlace {}

impl TryFrom<u8> for Place {
    type Error = NoSuchPlace;

    fn try_from(place: u8) -> Result<Place, NoSuchPlace> {
        if usize::from(place) < Card::COUNT { Ok(Place(place)) } else { Err(NoSuchPlace(place)) }
    }
}

impl From<Place> for u8 {
    fn from(place: Place) -> u8 {
        place.0
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "place {}", self.0)
    }
}

impl Place {
    /// Every place, in the order in which cards are dealt.
    pub fn all() -> impl DoubleEndedIterator<Item = Place> + ExactSizeIterator + Clone {
        (0..NUMBER_LEAF).map(Place)
    }

    /// The leaf that is dealt here after a cut.
    pub(crate) fn leaf(self, cut: Cut) -> u8 {
        // The cut of a proof is any byte: in u16 nothing overflows.
        ((u16::from(self.0) + u16::from(cut.places)) % u16::from(NUMBER_LEAF)) as u8
    }
}

/// A shuffled deck before the cut.
pub struct Shuffle {
    seed: Seed,
    deal: Deal,
    deck: [Card; Card::COUNT],
    number: u8,
    salts: Vec<Bytes32>,
    tree: Tree,
}

impl Shuffle {
    /// The shuffle of a seed. The same seed and deal give the same shuffle for ever.
    pub fn new(seed: Seed, deal: Deal) -> Shuffle {
        let (deck, number) = seed.shuffle(&deal);
        let salts = (0..=NUMBER_LEAF).map(|leaf| seed.salt(&deal, leaf)).collect();
        Shuffle::of(seed, deal, deck, number, salts)
    }

    fn of(
        seed: Seed,
        deal: Deal,
        deck: [Card; Card::COUNT],
        number: u8,
        salts: Vec<Bytes32>,
    ) -> Shuffle {
        let cards = deck.iter().map(|card| card.ascii().to_vec());
        let values = cards.chain([vec![number]]);
        let leaves = (0..).zip(&salts).zip(values);
        let tree = Tree::new(leaves.map(|((index, &salt), value)| tree::leaf(index, salt, &value)));
        Shuffle { seed, deal, deck, number, salts, tree }
    }

    /// What is published before the first wager.
    pub fn commitment(&self) -> Bytes32 {
        tree::commitment(&self.deal, self.tree.root())
    }

    /// Cuts the deck by what the players have said, once nobody can say more.
    pub fn cut(self, words: Words) -> CutDeck {
        let (cut, shift) = words.cut(&self.deal);
        CutDeck { shuffle: self, words, cut, shift }
    }
}

impl fmt::Debug for Shuffle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Shuffle");
        shown.field("deal", &self.deal).field("commitment", &self.commitment());
        shown.finish_non_exhaustive()
    }
}

/// A deck that can be dealt, and opened card by card.
pub struct CutDeck {
    shuffle: Shuffle,
    words: Words,
    cut: Cut,
    shift: Shift,
}

/// What the rules expose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exposed {
    /// These places of the deck.
    pub places: BTreeSet<Place>,
    /// The number.
    pub number: bool,
}

impl CutDeck {
    /// All 53 cards in the order in which they are dealt.
    pub fn cards(&self) -> [Card; Card::COUNT] {
        let mut cards = self.shuffle.deck;
        cards.rotate_left(usize::from(self.cut.places));
        cards
    }

    /// The number that was drawn.
    pub fn number(&self) -> u8 {
        self.shift.apply(self.shuffle.number, self.shuffle.deal.highest)
    }

    /// Where the deck was cut.
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// What was published before the first wager.
    pub fn commitment(&self) -> Bytes32 {
        self.shuffle.commitment()
    }

    /// The card at a place, and the proof that it was committed to.
    pub fn open(&self, place: Place) -> Opening {
        let leaf = place.leaf(self.cut);
        Opening {
            place,
            card: self.shuffle.deck[usize::from(leaf)],
            salt: self.shuffle.salts[usize::from(leaf)],
            path: self.shuffle.tree.path(leaf),
        }
    }

    /// The committed number, and the proof of it.
    pub fn open_number(&self) -> NumberOpening {
        NumberOpening {
            committed: self.shuffle.number,
            salt: self.shuffle.salts[usize::from(NUMBER_LEAF)],
            path: self.shuffle.tree.path(NUMBER_LEAF),
        }
    }

    /// A proof of what the rules expose, which tells nothing of the rest.
    pub fn prove(&self, exposed: &Exposed) -> Proof {
        let evidence = Evidence::Opened(Opened {
            cards: exposed.places.iter().map(|&place| self.open(place)).collect(),
            number: exposed.number.then(|| self.open_number()),
        });
        self.proof(exposed.number.then(|| self.number()), evidence)
    }

    /// The proof for an auditor: the seed, and so every card.
    pub fn disclose(&self) -> Proof {
        let seed = Disclosed(Bytes32(*self.shuffle.seed.bytes()));
        self.proof(Some(self.number()), Evidence::Seed(seed))
    }

    fn proof(&self, number: Option<u8>, evidence: Evidence) -> Proof {
        Proof {
            form: Form::One,
            deal: self.shuffle.deal.clone(),
            commitment: self.commitment(),
            words: self.words.clone(),
            cut: self.cut,
            number,
            evidence,
        }
    }
}

impl fmt::Debug for CutDeck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CutDeck");
        shown.field("shuffle", &self.shuffle).field("words", &self.words).field("cut", &self.cut);
        shown.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{Purpose, derive, hash};
    use crate::proof::{Fault, verify};
    use crate::seed::whole_deck;

    fn deal() -> Deal {
        Deal { table: "lantern".into(), round: 7, highest: NonZeroU8::new(7).expect("not 0") }
    }

    fn shuffle(seed: u8) -> Shuffle {
        Shuffle::new(Seed::new([seed; 32]), deal())
    }

    fn said(words: &str) -> Words {
        let mut all = Words::default();
        all.say(1, words).expect("a few bytes");
        all
    }

    fn exposed(places: impl IntoIterator<Item = u8>) -> Exposed {
        let place = |place| Place::try_from(place).expect("0 to 52");
        Exposed { places: places.into_iter().map(place).collect(), number: true }
    }

    /// Every 32 bytes that a proof tells.
    fn told(proof: &Proof) -> Vec<Bytes32> {
        let Evidence::Opened(opened) = &proof.evidence else { panic!("a seed tells all") };
        let cards = opened.cards.iter().flat_map(|card| [&[card.salt], &card.path[..]].concat());
        let number = opened.number.iter();
        let number = number.flat_map(|number| [&[number.salt], &number.path[..]].concat());
        cards.chain(number).chain([proof.commitment, proof.cut.digest]).collect()
    }

    /// What an opening says of a card does not depend on any other card: a second deck that agrees on
    /// the opened places has the same openings, but for the hashes of what is not opened.
    #[test]
    fn an_opening_tells_nothing_of_other_places() {
        let open = exposed([0, 1, 5, 20, 21, 22, 23, 52]);
        let one = shuffle(1);
        let (cut, _) = said("a").cut(&deal());
        let opened: Vec<u8> = open.places.iter().map(|place| place.leaf(cut)).collect();
        let hidden: Vec<usize> =
            (0..53u8).filter(|leaf| !opened.contains(leaf)).map(usize::from).collect();
        let (mut deck, mut salts) = (one.deck, one.salts.clone());
        for (&to, &from) in hidden.iter().zip(hidden.iter().cycle().skip(1)) {
            deck[to] = one.deck[from];
            salts[to] = Bytes32([to as u8; 32]);
        }
        let two = Shuffle::of(Seed::new([2; 32]), deal(), deck, one.number, salts);
        let (one, two) = (one.cut(said("a")), two.cut(said("a")));
        assert_ne!(one.cards(), two.cards());
        for &place in &open.places {
            let (one, two) = (one.open(place), two.open(place));
            let differ = one.path.iter().zip(&two.path).filter(|(one, two)| one != two).count();
            assert!(differ > 0, "{place}: something hidden is below every path");
            assert_eq!(one, Opening { path: one.path, ..two });
        }
        let (one, two) = (one.open_number(), two.open_number());
        assert_eq!(one, NumberOpening { path: one.path, ..two });
    }

    /// With all that a proof tells as keys and salts, no hidden salt comes out, and no guess at a
    /// hidden card can be confirmed.
    #[test]
    fn hidden_salts_do_not_follow_from_opened_ones() {
        for seed in 0..8 {
            let deck = shuffle(seed).cut(said("b"));
            // Every second place: each opened card has a hidden neighbour.
            let open = exposed((0..53).step_by(2));
            let told = told(&deck.prove(&open));
            let hidden = Place::all().filter(|place| !open.places.contains(place));
            let hidden: Vec<u8> = hidden.map(|place| place.leaf(deck.cut)).collect();
            let salts = hidden.iter().map(|&leaf| deck.shuffle.salts[usize::from(leaf)]);
            let salts: Vec<Bytes32> = salts.collect();
            for bytes in &told {
                assert!(!salts.contains(bytes));
                for &leaf in &hidden {
                    let parts: [&[u8]; 3] = [b"lantern", &7u64.to_be_bytes(), &[leaf]];
                    let derived = Bytes32(derive(&bytes.0, Purpose::Salt, &parts));
                    let chained = hash(Purpose::Salt, &[&bytes.0, &[leaf]]);
                    assert!(!salts.contains(&derived) && !salts.contains(&chained));
                    for card in Card::all() {
                        assert!(!told.contains(&tree::leaf(leaf, *bytes, &card.ascii())));
                    }
                }
            }
        }
    }

    /// The test above would see a salt that is known: a guess is then confirmed at once.
    #[test]
    fn a_known_salt_would_give_a_hidden_card_away() {
        let deck = shuffle(1).cut(Words::default());
        let told = told(&deck.prove(&exposed([0])));
        let salt = deck.shuffle.salts[1];
        let confirmed = |card: &Card| told.contains(&tree::leaf(1, salt, &card.ascii()));
        assert_eq!(Card::all().filter(confirmed).collect::<Vec<Card>>(), [deck.cards()[1]]);
    }

    /// A tree can be built over anything; what is opened of it is still looked at.
    #[test]
    fn a_deck_with_a_card_twice_is_found_out() {
        let honest = shuffle(3);
        let mut deck = whole_deck();
        deck[40] = deck[2];
        let salts = honest.salts.clone();
        let bad = Shuffle::of(Seed::new([3; 32]), deal(), deck, 8, salts).cut(Words::default());
        let place = |place| Place::try_from(place).expect("0 to 52");
        let no_number = |places| Exposed { number: false, ..exposed(places) };
        assert!(verify(&bad.prove(&no_number(vec![1, 2, 3]))).is_ok());
        assert_eq!(
            verify(&bad.prove(&no_number(vec![1, 2, 40]))),
            Err(Fault::CardTwice { place: place(40), card: deck[2] })
        );
        assert_eq!(
            verify(&bad.prove(&exposed([]))),
            Err(Fault::NumberOutOfRange { committed: 8, highest: 7 })
        );
        // To an auditor nothing of it holds.
        let gives = honest.commitment();
        assert_eq!(verify(&bad.disclose()), Err(Fault::Seed { gives }));
    }

    /// What is logged by mistake tells no card.
    #[test]
    fn nothing_prints_what_is_hidden() {
        let shuffle = shuffle(9);
        let (deck, seed) = (format!("{:?}", shuffle.deck), format!("{:?}", shuffle.seed));
        assert_eq!(seed, "Seed(hidden)");
        let shown = format!("{shuffle:?}");
        assert!(shown.starts_with("Shuffle { deal: Deal") && shown.ends_with(", .. }"), "{shown}");
        let cut = shuffle.cut(Words::default());
        let all = format!("{shown}{cut:?}{:?}", cut.disclose());
        for secret in [&deck, "9, 9, 9", "0909", &format!("{:?}", cut.cards())] {
            assert!(!all.contains(secret), "{all}");
        }
    }
}
