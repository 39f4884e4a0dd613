//! What seven cards contain, in the words that House Way sheets use.

use core::fmt;

use crate::card::Rank;
use crate::cards::CardSet;
use crate::setting::Dealt;

/// How many cards of a rank seven cards have, the joker counted as an ace (R2). Every hand has
/// exactly one shape.
///
/// ```
/// use houseway_rules::{Contents, Shape};
///
/// let shape = |cards: &str| Contents::of(cards.parse().unwrap()).shape;
/// assert_eq!(shape("As Ad Jk Kc Kd 7h 2s"), Shape::FullHouse);
/// assert_eq!(shape("As Ad Ah Ac Jk Kd 7h"), Shape::FiveAces);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// Seven ranks.
    NoPair,
    /// One pair.
    OnePair,
    /// Two pair.
    TwoPair,
    /// Three pair.
    ThreePair,
    /// Three of a kind.
    Trips,
    /// Two times three of a kind.
    TwoTrips,
    /// Three of a kind and a pair.
    FullHouse,
    /// Three of a kind and two pair.
    FullHouseAndPair,
    /// Four of a kind.
    Quads,
    /// Four of a kind and a pair.
    QuadsAndPair,
    /// Four of a kind and three of a kind.
    QuadsAndTrips,
    /// Five aces.
    FiveAces,
    /// Five aces and a pair.
    FiveAcesAndPair,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Shape; 13] = [
        Shape::NoPair,
        Shape::OnePair,
        Shape::TwoPair,
        Shape::ThreePair,
        Shape::Trips,
        Shape::TwoTrips,
        Shape::FullHouse,
        Shape::FullHouseAndPair,
        Shape::Quads,
        Shape::QuadsAndPair,
        Shape::QuadsAndTrips,
        Shape::FiveAces,
        Shape::FiveAcesAndPair,
    ];

    /// The id used in rulebook files.
    pub const fn id(self) -> &'static str {
        match self {
            Shape::NoPair => "no-pair",
            Shape::OnePair => "one-pair",
            Shape::TwoPair => "two-pair",
            Shape::ThreePair => "three-pair",
            Shape::Trips => "three-of-a-kind",
            Shape::TwoTrips => "two-three-of-a-kind",
            Shape::FullHouse => "full-house",
            Shape::FullHouseAndPair => "full-house-and-pair",
            Shape::Quads => "four-of-a-kind",
            Shape::QuadsAndPair => "four-of-a-kind-and-pair",
            Shape::QuadsAndTrips => "four-and-three-of-a-kind",
            Shape::FiveAces => "five-aces",
            Shape::FiveAcesAndPair => "five-aces-and-pair",
        }
    }
}

/// A set of shapes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shapes(u16);

impl Shapes {
    /// Every shape.
    pub const ALL: Shapes = Shapes((1 << 13) - 1);

    /// The set of these.
    pub const fn of(shapes: &[Shape]) -> Shapes {
        let mut bits = 0;
        let mut next = 0;
        while next < shapes.len() {
            bits |= 1 << shapes[next] as u16;
            next += 1;
        }
        Shapes(bits)
    }

    /// Whether the shape is in it.
    pub const fn contains(self, shape: Shape) -> bool {
        self.0 >> shape as u16 & 1 == 1
    }

    /// The shapes in it.
    pub fn iter(self) -> impl Iterator<Item = Shape> {
        Shape::ALL.into_iter().filter(move |&shape| self.contains(shape))
    }
}

impl fmt::Display for Shapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Shapes::ALL {
            return f.write_str("any");
        }
        for (place, shape) in self.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { ", " })?;
            f.write_str(shape.id())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Shapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of ranks. Written `J-A`, `2-6`, `K`, or several of these between commas.
///
/// ```
/// use houseway_rules::{Rank, Ranks};
///
/// let ranks: Ranks = "2-6,A".parse().unwrap();
/// assert!(ranks.contains(Rank::Ace) && !ranks.contains(Rank::Seven));
/// assert_eq!(ranks.to_string(), "2-6,A");
/// assert!("6-2".parse::<Ranks>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ranks(u16);

impl Ranks {
    /// Every rank.
    pub const ALL: Ranks = Ranks::between(Rank::Two, Rank::Ace);

    /// Only this one.
    pub const fn only(rank: Rank) -> Ranks {
        Ranks(1 << rank as u16)
    }

    /// From the lower to the higher, both included.
    pub const fn between(lowest: Rank, highest: Rank) -> Ranks {
        Ranks((2 << highest as u16) - (1 << lowest as u16))
    }

    /// This one and all above it.
    pub const fn at_least(rank: Rank) -> Ranks {
        Ranks::between(rank, Rank::Ace)
    }

    /// Whether the rank is in it.
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 >> rank as u16 & 1 == 1
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut rest = Rank::ALL.into_iter().filter(|&rank| self.contains(rank)).peekable();
        while let Some(first) = rest.next() {
            let mut last = first;
            while let Some(next) = rest.next_if(|&next| next as u8 == last as u8 + 1) {
                last = next;
            }
            write!(f, "{separator}{first}")?;
            if last != first {
                write!(f, "-{last}")?;
            }
            separator = ",";
        }
        Ok(())
    }
}

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a set of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRanksError(alloc::string::String);

impl fmt::Display for ParseRanksError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a set of ranks: write `A`, `2-6` with the lower rank first, or `2-6,A`",
            self.0.escape_debug()
        )
    }
}

impl core::error::Error for ParseRanksError {}

impl core::str::FromStr for Ranks {
    type Err = ParseRanksError;

    fn from_str(text: &str) -> Result<Ranks, ParseRanksError> {
        let wrong = || ParseRanksError(text.into());
        let mut bits = 0;
        for part in text.split(',') {
            let (lowest, highest) = part.split_once('-').unwrap_or((part, part));
            let rank = |name: &str| Rank::from_name(name.trim()).ok_or_else(wrong);
            let (lowest, highest) = (rank(lowest)?, rank(highest)?);
            if lowest > highest {
                return Err(wrong());
            }
            bits |= Ranks::between(lowest, highest).0;
        }
        Ok(Ranks(bits))
    }
}

/// One of the groups of cards of a rank, two or more, in a hand: larger ones first, then higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The largest, and the highest of these.
    First,
    /// The next.
    Second,
    /// The last of three.
    Third,
}

/// What seven cards contain.
///
/// ```
/// use houseway_rules::{Contents, Group, Rank, Shape};
///
/// let contents = Contents::of("Kc Kh 5s 5h Jk 6d 4s".parse().unwrap());
/// assert_eq!(contents.shape, Shape::TwoPair);
/// assert_eq!(contents.group(Group::Second), Some(Rank::Five));
/// assert_eq!(contents.single(0), Some(Rank::Ace)); // the joker
/// assert_eq!(contents.to_string(), "two pair, kings and fives, with a single joker");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The shape.
    pub shape: Shape,
    joker: bool,
    groups: [Option<Rank>; 3],
    singles: [Option<Rank>; 7],
}

impl Contents {
    /// What these seven cards contain.
    pub fn of(dealt: Dealt) -> Contents {
        Contents::of_cards(dealt.cards())
    }

    fn of_cards(cards: CardSet) -> Contents {
        let mut sizes = [0u8; 3];
        let mut groups = [None; 3];
        let mut singles = [None; 7];
        let mut next_single = 0;
        for rank in Rank::ALL.into_iter().rev() {
            let joker = rank == Rank::Ace && cards.has_joker();
            match cards.count_of_rank(rank) + u8::from(joker) {
                0 => {}
                1 => {
                    singles[next_single] = Some(rank);
                    next_single += 1;
                }
                // Ranks come from the highest down: behind every group at least as large.
                size => {
                    let place = sizes.iter().position(|&held| held < size).unwrap_or(2);
                    sizes[place..].rotate_right(1);
                    groups[place..].rotate_right(1);
                    sizes[place] = size;
                    groups[place] = Some(rank);
                }
            }
        }
        let shape = match sizes {
            [0, ..] => Shape::NoPair,
            [2, 0, _] => Shape::OnePair,
            [2, _, 0] => Shape::TwoPair,
            [2, ..] => Shape::ThreePair,
            [3, 0, _] => Shape::Trips,
            [3, 3, _] => Shape::TwoTrips,
            [3, _, 0] => Shape::FullHouse,
            [3, ..] => Shape::FullHouseAndPair,
            [4, 0, _] => Shape::Quads,
            [4, 2, _] => Shape::QuadsAndPair,
            [4, ..] => Shape::QuadsAndTrips,
            [_, 0, _] => Shape::FiveAces,
            _ => Shape::FiveAcesAndPair,
        };
        Contents { shape, joker: cards.has_joker(), groups, singles }
    }

    /// The rank of a group.
    pub const fn group(&self, group: Group) -> Option<Rank> {
        self.groups[group as usize]
    }

    /// The rank of a card that is alone in its rank: the highest is number 0.
    pub const fn single(&self, number: usize) -> Option<Rank> {
        if number < 7 { self.singles[number] } else { None }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = |group| self.group(group).map_or("", Rank::plural);
        let (first, second, third) =
            (group(Group::First), group(Group::Second), group(Group::Third));
        match self.shape {
            Shape::NoPair => f.write_str("no pair"),
            Shape::OnePair => write!(f, "a pair of {first}"),
            Shape::TwoPair => write!(f, "two pair, {first} and {second}"),
            Shape::ThreePair => write!(f, "three pair, {first}, {second} and {third}"),
            Shape::Trips => write!(f, "three {first}"),
            Shape::TwoTrips => write!(f, "three {first} and three {second}"),
            Shape::FullHouse => write!(f, "three {first} and a pair of {second}"),
            Shape::FullHouseAndPair => {
                write!(f, "three {first} and two pair, {second} and {third}")
            }
            Shape::Quads => write!(f, "four {first}"),
            Shape::QuadsAndPair => write!(f, "four {first} and a pair of {second}"),
            Shape::QuadsAndTrips => write!(f, "four {first} and three {second}"),
            Shape::FiveAces => f.write_str("five aces"),
            Shape::FiveAcesAndPair => write!(f, "five aces and a pair of {second}"),
        }?;
        match (self.shape, self.single(0)) {
            (Shape::NoPair, Some(highest)) if self.joker && highest == Rank::Ace => {
                f.write_str(", joker high")
            }
            (Shape::NoPair, Some(highest)) => write!(f, ", {} high", highest.name()),
            (_, Some(Rank::Ace)) if self.joker => f.write_str(", with a single joker"),
            (_, Some(highest)) => write!(f, ", with a single {}", highest.name()),
            (_, None) => Ok(()),
        }
    }
}
