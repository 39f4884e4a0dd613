//! What someone is to the house.

use std::fmt;
use std::str::FromStr;

use houseway_rules::rulebook::Role;
use houseway_store::Failure;
use serde::{Deserialize, Serialize};

/// What someone is to the house: one of the roles that the rules of the game know, or an operator.
///
/// The rules name who may call an irregularity, up to the gaming shift manager. Who may hand out
/// those roles is no rule of the game, so [`Role`] does not grow by it: operators stand above, and
/// only they administer people (GLI-19 B.2.3 asks for several levels of access). At a table a
/// higher post may act for a lower one, so there an operator acts as the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Standing {
    /// A player or staff of the tables.
    Table(Role),
    /// Runs the house: accounts, roles, tables.
    Operator,
}

impl Standing {
    /// A player's.
    pub const PLAYER: Standing = Standing::Table(Role::Player);

    /// All there are, lowest first.
    pub const ALL: [Standing; 6] = [
        Standing::PLAYER,
        Standing::Table(Role::Dealer),
        Standing::Table(Role::PitSupervisor),
        Standing::Table(Role::PitManager),
        Standing::Table(Role::GamingShiftManager),
        Standing::Operator,
    ];

    /// The one word it is kept and sent as.
    pub const fn word(self) -> &'static str {
        match self {
            Standing::Table(Role::Player) => "player",
            Standing::Table(Role::Dealer) => "dealer",
            Standing::Table(Role::PitSupervisor) => "pit-supervisor",
            Standing::Table(Role::PitManager) => "pit-manager",
            Standing::Table(Role::GamingShiftManager) => "gaming-shift-manager",
            Standing::Operator => "operator",
        }
    }

    /// What they may act as at a table.
    pub const fn role(self) -> Role {
        match self {
            Standing::Table(role) => role,
            Standing::Operator => Role::GamingShiftManager,
        }
    }

    /// Whether they work here: a dealer, or anyone above.
    pub fn is_staff(self) -> bool {
        self > Standing::PLAYER
    }

    /// As the store kept it.
    pub(super) fn kept(word: &str) -> Result<Standing, Failure> {
        word.parse().map_err(|error: ParseStandingError| Failure::Corrupt(error.to_string()))
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The text is not a standing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` is no role: write player, dealer, pit-supervisor, pit-manager, gaming-shift-manager or \
     operator",
    .0.escape_debug()
)]
pub struct ParseStandingError(String);

impl FromStr for Standing {
    type Err = ParseStandingError;

    fn from_str(text: &str) -> Result<Standing, ParseStandingError> {
        let found = Standing::ALL.into_iter().find(|it| it.word() == text);
        found.ok_or_else(|| ParseStandingError(text.chars().take(40).collect()))
    }
}

impl From<Standing> for String {
    fn from(standing: Standing) -> String {
        standing.word().to_owned()
    }
}

impl TryFrom<String> for Standing {
    type Error = ParseStandingError;

    fn try_from(text: String) -> Result<Standing, ParseStandingError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_rules_own_and_lead_back() {
        for standing in Standing::ALL {
            assert_eq!(standing.word().parse(), Ok(standing));
            if let Standing::Table(role) = standing {
                let word = serde_json::to_value(role).expect("a role is a word");
                assert_eq!(word, standing.word());
            }
        }
        assert!(Standing::ALL.is_sorted(), "an operator stands above all roles");
        let error = "Dealer\n".parse::<Standing>().expect_err("words are in lower case");
        assert!(error.to_string().starts_with("`Dealer\\n` is no role: write player, dealer"));
    }
}
