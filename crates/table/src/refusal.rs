//! Why a command is refused. Nothing has changed.

use std::fmt;

use houseway_rules::Cents;
use houseway_rules::rulebook::{Role, Text};
use serde::Serialize;

/// A refusal: what is wrong, and the clause where one says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// What is wrong.
    #[serde(flatten)]
    pub why: Why,
    /// By which clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Text>,
}

/// What can be wrong with a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "refused", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
#[expect(missing_docs, reason = "each has its sentence below")]
pub enum Why {
    NotNow,
    NotYours,
    NeedsRole { role: Role },
    NoSuchPosition,
    Taken,
    NotSeated,
    TooManyPositions,
    Barred,
    NoMoney { stack: Cents, needed: Cents },
    NotWholeDollars { amount: Cents },
    Nothing,
    NoSuchWager,
    NeedsStandard,
    BelowMinimum { minimum: Cents },
    AboveMaximum { maximum: Cents },
    NotInSteps { step: Cents },
    NotShared,
    NoWagers,
    NotOffered,
    NotCovered { covered: Cents, needed: Cents },
    HouseWagerTooHigh { most: Cents },
    TooLate,
    TooEarly,
    NumberOutOfRange { highest: u8 },
    HasWagers,
    NoHand,
    AlreadySet,
    NotViewed,
    SecondHand,
    NotTwoCards,
    NotInHand,
    OthersFirst,
    NotSet,
    FoulBanker,
    NotTheHouseWay,
    NoSuchIrregularity,
    NoSpot,
    SetRight,
    NoReason,
    CardsHandled,
    NobodyLooked,
    HasAWager,
    FirstHand,
    PlayersOwn,
    StaffPlay,
    Unknown,
    AlreadyDone,
    AlreadyViewed,
    LeftToDealer,
    NotAboutAHand,
    NoSuchRepair,
    NotUnderMinimum,
    NotOverMaximum,
}

impl Refusal {
    pub(crate) fn new(why: Why) -> Refusal {
        Refusal { why, clause: None }
    }

    pub(crate) fn by(why: Why, clause: &str) -> Refusal {
        Refusal { why, clause: Some(clause.to_string().into()) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::NotNow => f.write_str("not at this moment of the round"),
            Why::NotYours => f.write_str("that is someone else's"),
            Why::NeedsRole { role } => write!(f, "that takes a {} or higher", role.name()),
            Why::NoSuchPosition => f.write_str("there is no such position"),
            Why::Taken => f.write_str("someone sits there"),
            Why::NotSeated => f.write_str("nobody sits there"),
            Why::TooManyPositions => f.write_str("no further position may be taken"),
            Why::Barred => f.write_str("barred from this table"),
            Why::NoMoney { stack, needed } => {
                write!(f, "{needed} is needed, fees included, and {stack} is there")
            }
            Why::NotWholeDollars { amount } => write!(f, "{amount} is not whole dollars"),
            Why::Nothing => f.write_str("an amount of nothing"),
            Why::NoSuchWager => f.write_str("there is no such bet, or nothing on it"),
            Why::NeedsStandard => f.write_str("a standard wager comes first"),
            Why::BelowMinimum { minimum } => write!(f, "below the minimum of {minimum}"),
            Why::AboveMaximum { maximum } => write!(f, "above the maximum of {maximum}"),
            Why::NotInSteps { step } => write!(f, "not in steps of {step}"),
            Why::NotShared => f.write_str("a wager is not shared here"),
            Why::NoWagers => f.write_str("nobody has wagered"),
            Why::NotOffered => f.write_str("the bank is not offered to you"),
            Why::NotCovered { covered, needed } => {
                write!(f, "the bank covers {covered}, and {needed} would be needed")
            }
            Why::HouseWagerTooHigh { most } => {
                write!(f, "the house wagers at most {most} against you")
            }
            Why::TooLate => f.write_str("time is up"),
            Why::TooEarly => f.write_str("time is not up"),
            Why::NumberOutOfRange { highest } => write!(f, "the number is from 1 to {highest}"),
            Why::HasWagers => f.write_str("wagers lie there"),
            Why::NoHand => f.write_str("there is no hand in play"),
            Why::AlreadySet => f.write_str("the hand is set"),
            Why::NotViewed => f.write_str("look at the hand first"),
            Why::SecondHand => f.write_str("only one hand may be looked at"),
            Why::NotTwoCards => f.write_str("two cards go Low"),
            Why::NotInHand => f.write_str("a card is not in the hand"),
            Why::OthersFirst => f.write_str("only after all others have set"),
            Why::NotSet => f.write_str("not every hand is set"),
            Why::FoulBanker => f.write_str("that would be a foul"),
            Why::NotTheHouseWay => f.write_str("that is not the House Way"),
            Why::NoSuchIrregularity => f.write_str("the rulebook has no such irregularity"),
            Why::NoSpot => f.write_str("say whose hand it is about"),
            Why::SetRight => f.write_str("no House Way there is set wrong"),
            Why::CardsHandled => f.write_str("a player has handled the cards"),
            Why::NobodyLooked => f.write_str("no player has looked at their cards"),
            Why::HasAWager => f.write_str("the position has a wager"),
            Why::FirstHand => f.write_str("it is not a second hand"),
            Why::PlayersOwn => f.write_str("the player set it, not the dealer"),
            Why::StaffPlay => f.write_str("staff do not play at the table they work at"),
            Why::Unknown => f.write_str("there is no such person at the table"),
            Why::AlreadyDone => f.write_str("that is so already"),
            Why::AlreadyViewed => f.write_str("the hand was looked at"),
            Why::LeftToDealer => f.write_str("the hand is left to the dealer to set"),
            Why::NotAboutAHand => f.write_str("it is about no single hand"),
            Why::NoSuchRepair => f.write_str("it is not put right like that"),
            Why::NotUnderMinimum => f.write_str("no wager there is under the minimum"),
            Why::NotOverMaximum => f.write_str("no wager there is over the maximum"),
            Why::NoReason => f.write_str("a decision needs its reason"),
        }?;
        match &self.clause {
            Some(clause) => write!(f, " ({clause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}
