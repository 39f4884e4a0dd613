//! Proofs of what was dealt, as documents that anyone can check.

use std::collections::BTreeMap;
use std::fmt;

use houseway_rules::{Card, CardSet};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bytes::Bytes32;
use crate::seed::Seed;
use crate::shuffle::{Deal, Place, Shuffle};
use crate::tree::{self, NUMBER_LEAF, Path};
use crate::words::{Cut, Shift, Words};

/// That cards and the number were committed to before the first wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// How it is written.
    pub form: Form,
    /// Which deal it is about.
    pub deal: Deal,
    /// What was published before the first wager.
    pub commitment: Bytes32,
    /// What the players said until "no more bets".
    pub words: Words,
    /// The cut that follows from it.
    pub cut: Cut,
    /// The number that was drawn, if it is opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// What proves it.
    pub evidence: Evidence,
}

/// The version of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Form {
    /// The first.
    #[serde(rename = "houseway-fair/1")]
    One,
}

/// What proves a deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "a proof has one, and most are opened cards")]
pub enum Evidence {
    /// Single cards, and perhaps the number.
    Opened(Opened),
    /// Everything, for an auditor.
    Seed(Disclosed),
}

/// What is opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// Cards in the order in which they are dealt.
    pub cards: Vec<Opening>,
    /// The number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberOpening>,
}

/// One card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Its place in the deck after the cut.
    pub place: Place,
    /// The card.
    pub card: Card,
    /// The salt of its leaf.
    pub salt: Bytes32,
    /// The other half at each step from the leaf to the root.
    pub path: [Bytes32; tree::DEPTH],
}

/// The number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NumberOpening {
    /// The number as it was committed to, before the players' words moved it on.
    pub committed: u8,
    /// The salt of its leaf.
    pub salt: Bytes32,
    /// The other half at each step from the leaf to the root.
    pub path: [Bytes32; tree::DEPTH],
}

/// A seed that was given away on purpose: it is written in proofs, and still not in logs.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Disclosed(pub Bytes32);

impl fmt::Debug for Disclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Disclosed(hidden)")
    }
}

/// What a proof proves of its deal, if the commitment is the one that was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Cards by their places in the deck as it was dealt.
    pub cards: BTreeMap<Place, Card>,
    /// The number that was drawn.
    pub number: Option<u8>,
    /// Whether the whole deck was seen to be a shuffle of 53 cards from one seed.
    pub whole: bool,
}

/// A document that is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not JSON, or a field is missing, unknown or wrong.
    Document {
        /// Which field.
        at: String,
        /// What is wrong with it.
        why: String,
    },
    /// It could be read, but says something in another way than proofs do.
    OtherForm,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Document { at, why } if at == "." => f.write_str(why),
            Unreadable::Document { at, why } => write!(f, "{at}: {why}"),
            Unreadable::OtherForm => f.write_str(
                "the document has lists for objects, null for what is absent, or cards in another \
                 form than `Ah`",
            ),
        }
    }
}

impl std::error::Error for Unreadable {}

impl Proof {
    /// Reads a document. There is one way to write a proof, save for spaces and the order of fields.
    pub fn read(json: &str) -> Result<Proof, Unreadable> {
        let mut document = serde_json::Deserializer::from_str(json);
        let proof: Proof = serde_path_to_error::deserialize(&mut document).map_err(|error| {
            let (at, why) = (error.path().to_string(), error.into_inner().to_string());
            Unreadable::Document { at, why }
        })?;
        let whole = |error: serde_json::Error| Unreadable::Document {
            at: ".".into(),
            why: error.to_string(),
        };
        // This also sees what follows behind the proof.
        let written: Value = serde_json::from_str(json).map_err(whole)?;
        match serde_json::to_value(&proof).map_err(whole)? == written {
            true => Ok(proof),
            false => Err(Unreadable::OtherForm),
        }
    }

    /// The document.
    pub fn write(&self) -> String {
        serde_json::to_string_pretty(self).expect("a proof has a text form") + "\n"
    }
}

/// What is wrong with a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The words have another hash.
    WordsDigest {
        /// The hash that they have.
        gives: Bytes32,
    },
    /// The words give another cut.
    Cut {
        /// The cut that they give.
        gives: u8,
    },
    /// It opens nothing.
    Nothing,
    /// A card stands behind one from the same place or a later one.
    Order {
        /// Where.
        place: Place,
    },
    /// A card was not committed to, there or at all.
    Card {
        /// Where.
        place: Place,
        /// Which.
        card: Card,
    },
    /// A card is opened at a second place.
    CardTwice {
        /// The second place.
        place: Place,
        /// Which.
        card: Card,
    },
    /// The committed number is none of those that could be drawn.
    NumberOutOfRange {
        /// The number.
        committed: u8,
        /// The highest that there is.
        highest: u8,
    },
    /// The number was not committed to.
    CommittedNumber {
        /// The number.
        committed: u8,
    },
    /// The number that is said does not follow from what is opened.
    Number {
        /// The number that is said.
        said: Option<u8>,
        /// The number that follows.
        gives: Option<u8>,
    },
    /// The seed gives another commitment.
    Seed {
        /// The commitment that it gives.
        gives: Bytes32,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |number: &Option<u8>| match number {
            Some(number) => format!("number {number}"),
            None => "no number".into(),
        };
        match self {
            Fault::WordsDigest { gives } => write!(f, "the hash of the words is {gives}"),
            Fault::Cut { gives } => write!(f, "the words give a cut of {gives} places"),
            Fault::Nothing => f.write_str("no card and no number is opened"),
            Fault::Order { place } => {
                write!(f, "{place} is not behind the place that is opened before it")
            }
            Fault::Card { place, card } => {
                write!(f, "{card} at {place} does not lead to the commitment")
            }
            Fault::CardTwice { place, card } => {
                write!(f, "{card} at {place} is opened at an earlier place too")
            }
            Fault::NumberOutOfRange { committed, highest } => {
                write!(f, "the committed number {committed} is not from 1 to {highest}")
            }
            Fault::CommittedNumber { committed } => {
                write!(f, "the committed number {committed} does not lead to the commitment")
            }
            Fault::Number { said, gives } => {
                write!(
                    f,
                    "the proof says {}, what it opens gives {}",
                    or_none(said),
                    or_none(gives)
                )
            }
            Fault::Seed { gives } => write!(f, "the seed gives the commitment {gives}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Checks a proof. What is left to whoever asks: that its commitment is the one that was published
/// before the first wager, and its words are those that were said.
pub fn verify(proof: &Proof) -> Result<Proved, Fault> {
    let (cut, shift) = proof.words.cut(&proof.deal);
    if proof.cut.digest != cut.digest {
        return Err(Fault::WordsDigest { gives: cut.digest });
    }
    if proof.cut.places != cut.places {
        return Err(Fault::Cut { gives: cut.places });
    }
    let proved = match &proof.evidence {
        Evidence::Opened(opened) => verify_opened(proof, opened, shift)?,
        Evidence::Seed(seed) => verify_seed(proof, *seed)?,
    };
    match proof.number == proved.number {
        true => Ok(proved),
        false => Err(Fault::Number { said: proof.number, gives: proved.number }),
    }
}

fn verify_opened(proof: &Proof, opened: &Opened, shift: Shift) -> Result<Proved, Fault> {
    let leads = |index: u8, salt: Bytes32, value: &[u8], path: &Path| {
        let root = tree::root_from(index, tree::leaf(index, salt, value), path);
        tree::commitment(&proof.deal, root) == proof.commitment
    };
    let (mut cards, mut seen) = (BTreeMap::new(), CardSet::EMPTY);
    for &Opening { place, card, salt, ref path } in &opened.cards {
        if cards.last_key_value().is_some_and(|(&before, _)| before >= place) {
            return Err(Fault::Order { place });
        }
        if !leads(place.leaf(proof.cut), salt, &card.ascii(), path) {
            return Err(Fault::Card { place, card });
        }
        if seen.contains(card) {
            return Err(Fault::CardTwice { place, card });
        }
        seen = seen.with(card);
        cards.insert(place, card);
    }
    let highest = proof.deal.highest;
    let number = match opened.number {
        None => None,
        Some(NumberOpening { committed, .. }) if !(1..=highest.get()).contains(&committed) => {
            return Err(Fault::NumberOutOfRange { committed, highest: highest.get() });
        }
        Some(NumberOpening { committed, salt, ref path }) => {
            if !leads(NUMBER_LEAF, salt, &[committed], path) {
                return Err(Fault::CommittedNumber { committed });
            }
            Some(shift.apply(committed, highest))
        }
    };
    match cards.is_empty() && number.is_none() {
        true => Err(Fault::Nothing),
        false => Ok(Proved { cards, number, whole: false }),
    }
}

fn verify_seed(proof: &Proof, seed: Disclosed) -> Result<Proved, Fault> {
    let shuffle = Shuffle::new(Seed::new(seed.0.0), proof.deal.clone());
    let gives = shuffle.commitment();
    if gives != proof.commitment {
        return Err(Fault::Seed { gives });
    }
    let deck = shuffle.cut(proof.words.clone());
    let cards = Place::all().zip(deck.cards()).collect();
    Ok(Proved { cards, number: Some(deck.number()), whole: true })
}
