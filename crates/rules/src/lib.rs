#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(feature = "toml")]
extern crate std;
mod bonus;
mod card;
mod cards;
pub mod classes;
#[cfg(feature = "toml")]
pub mod custom;
pub mod describe;
mod house_way;
pub mod houses;
mod money;
mod ranking;
mod readings;
pub mod rulebook;
#[cfg(feature = "schema")]
mod schema;
mod setting;
pub mod settle;
mod shape;
pub mod survey;
pub mod sweep;
#[cfg(feature = "serde")]
mod text_form;
pub use bonus::{BonusHand, BonusStrength};
pub use card::{Card, ParseCardError, Rank, Suit};
pub use cards::{CardSet, ParseCardsError, words};
pub use house_way::{
    Clause, Condition, Decision, HouseWay, Low, Play, SheetError, set_house_way, try_clause,
    try_set,
};
pub use money::Cents;
pub use ranking::{Category, HandKey, LowStrength, PerHand, Ranking, Strength, Wheel};
pub use readings::Reading;
pub use rulebook::Rulebook;
pub use setting::{Dealt, NotSeven, ParseDealtError, SetError, Setting, Split};
pub use shape::{Contents, Group, ParseRanksError, Ranks, Shape, Shapes};
