//! The text forms in other formats: cards, hands and amounts as strings and numbers.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bonus::BonusHand;
use crate::card::Card;
use crate::cards::CardSet;
use crate::houses::nearest_of;
use crate::money::Cents;
use crate::ranking::Wheel;
use crate::readings::Reading;
use crate::setting::Dealt;
use crate::shape::{Ranks, Shape, Shapes};

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.ascii();
        serializer.serialize_str(core::str::from_utf8(&text).expect("two ASCII letters"))
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A list of cards, the joker first, then from the highest rank down.
impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.from_the_top())
    }
}

/// A list of cards, none twice.
impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
        let mut set = CardSet::EMPTY;
        for card in Vec::<Card>::deserialize(deserializer)? {
            if set.contains(card) {
                return Err(D::Error::custom(format_args!("{card} is there twice")));
            }
            set = set.with(card);
        }
        Ok(set)
    }
}

/// A list of seven cards.
impl Serialize for Dealt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.cards().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Dealt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Dealt, D::Error> {
        Dealt::new(CardSet::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for BonusHand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for BonusHand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BonusHand, D::Error> {
        one_of(deserializer, "a bonus hand", &BonusHand::ALL, BonusHand::id)
    }
}

/// Whole cents, as a number.
impl Serialize for Cents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.get())
    }
}

/// Whole cents as a number, or an amount as it is printed: `"$25"`.
impl<'de> Deserialize<'de> for Cents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cents, D::Error> {
        struct Amount;

        impl Visitor<'_> for Amount {
            type Value = Cents;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount such as \"$25\"")
            }

            fn visit_u64<E: Error>(self, cents: u64) -> Result<Cents, E> {
                Ok(Cents::new(cents))
            }

            fn visit_i64<E: Error>(self, cents: i64) -> Result<Cents, E> {
                let wrong = |_| E::invalid_value(Unexpected::Signed(cents), &self);
                u64::try_from(cents).map(Cents::new).map_err(wrong)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Cents, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Amount)
    }
}

impl Serialize for Reading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Reading {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Reading, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let number = text.strip_prefix('R').and_then(|number| number.parse::<u8>().ok());
        let reading = Reading::ALL.iter().find(|reading| Some(reading.number()) == number);
        reading.copied().ok_or_else(|| {
            D::Error::custom(format_args!("`{text}` is not a reading: they are R1 to R28"))
        })
    }
}

impl<'de> Deserialize<'de> for Ranks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ranks, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

const fn wheel_id(wheel: Wheel) -> &'static str {
    match wheel {
        Wheel::Lowest => "lowest",
        Wheel::SecondHighest => "second-highest",
    }
}

impl Serialize for Wheel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(wheel_id(*self))
    }
}

impl<'de> Deserialize<'de> for Wheel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Wheel, D::Error> {
        let all = [Wheel::Lowest, Wheel::SecondHighest];
        one_of(deserializer, "a place for the wheel", &all, wheel_id)
    }
}

/// `"any"`, one shape, or a list of them.
impl<'de> Deserialize<'de> for Shapes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shapes, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Shapes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a shape such as \"two-pair\", a list of shapes, or \"any\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Shapes, E> {
                if text == "any" {
                    return Ok(Shapes::ALL);
                }
                named(text, "a shape", &Shape::ALL, Shape::id).map(|shape| Shapes::of(&[shape]))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut names: A,
            ) -> Result<Shapes, A::Error> {
                let mut shapes = alloc::vec![];
                while let Some(name) = names.next_element::<String>()? {
                    shapes.push(named(&name, "a shape", &Shape::ALL, Shape::id)?);
                }
                if shapes.is_empty() {
                    return Err(A::Error::invalid_length(0, &self));
                }
                Ok(Shapes::of(&shapes))
            }
        }

        deserializer.deserialize_any(Names)
    }
}

/// Reads one of some named things; an unknown name is answered with the nearest and the list.
fn one_of<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    kind: &str,
    all: &[T],
    id: impl Fn(T) -> &'static str,
) -> Result<T, D::Error> {
    named(&Cow::<str>::deserialize(deserializer)?, kind, all, id)
}

/// The thing of that name.
pub(crate) fn named<E: Error, T: Copy>(
    text: &str,
    kind: &str,
    all: &[T],
    id: impl Fn(T) -> &'static str,
) -> Result<T, E> {
    if let Some(&found) = all.iter().find(|&&it| id(it) == text) {
        return Ok(found);
    }
    let names: Vec<&str> = all.iter().map(|&it| id(it)).collect();
    let meant = nearest_of(text, names.iter().copied());
    let meant = meant.map_or(String::new(), |name| alloc::format!("; did you mean `{name}`?"));
    Err(E::custom(format_args!(
        "`{}` is not {kind}{meant} There are {}",
        text.escape_debug(),
        names.join(", ")
    )))
}
