//! The store as it really is, below everything that goes wrong on the way to it; and what can be
//! broken in it on purpose.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use houseway_store::{Append, AppendError, Appended, Head, Memory, Store, Version};

use crate::judge::at_once;

/// Something broken on purpose, to see that the simulation finds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sabotage {
    /// All is as it should be.
    #[default]
    Nothing,
    /// Now and then the store acknowledges what it does not keep.
    AcknowledgesWithoutKeeping,
    /// Now and then the store appends the same entries twice.
    AppliesTwice,
    /// Now and then the store forgets a move of money.
    DropsAMove,
    /// Now and then the store does not remember a command's answer.
    ForgetsCommands,
    /// The store of a house with one node acknowledges what its disk has not synced.
    AcknowledgesBeforeTheSync,
    /// Now and then the store panics.
    Panics,
    /// A node's clock does not go on from the end of the log.
    ClockGoesBack,
    /// A view shows a card that its onlooker may not see.
    ViewWithAHiddenCard,
    /// The ledger pays a cent more than was won.
    PaysACentTooMuch,
    /// The ledger does not enter wagers.
    EntersNoWagers,
    /// Another deck is dealt than was committed to.
    DealsAnotherDeck,
    /// A commitment is replaced by another before bets close.
    CommitsAgain,
    /// Wagers are taken though nothing was committed to.
    CommitsToNothing,
    /// Wagers are taken after the close.
    TakesLateWagers,
    /// What is not allowed is done.
    GrantsWhatIsNotAllowed,
    /// A log tells of another deadline than its table has.
    TellsAnotherTime,
    /// A card is dealt that lies elsewhere too.
    DealsACardTwice,
    /// Rounds are begun at a table that was never opened again.
    StaysClosed,
    /// A command that is sent again is answered otherwise.
    AnswersOtherwise,
    /// Entries do not follow from one another.
    BreaksTheChain,
    /// Limits that people set themselves are not kept.
    ForgetsLimits,
}

/// How many appends are good between two that are not.
const NOW_AND_THEN: u64 = 97;

/// What is kept.
pub(crate) struct Truth {
    pub(crate) memory: Memory,
    sabotage: Sabotage,
    appends: AtomicU64,
}

impl Truth {
    pub(crate) fn new(sabotage: Sabotage) -> Truth {
        Truth { memory: Memory::new(), sabotage, appends: AtomicU64::new(0) }
    }

    /// What commands will come to, as far as that can be said before they are carried out: nothing if
    /// one of them was carried out before, or is stale.
    pub(crate) fn foretell(
        &self,
        appends: &[Append],
    ) -> Option<Vec<Result<Appended, AppendError>>> {
        let mut heads = BTreeMap::new();
        let foretell = |append: &Append| {
            let command = append.command.as_ref()?;
            let known = at_once(self.memory.recall(command.by, command.id)).ok()?;
            let head = at_once(self.memory.head(&append.stream)).ok()?;
            let head = heads.entry(append.stream.clone()).or_insert(head);
            (known.is_none() && head.version == append.expected).then(|| {
                head.version.0 += append.entries.len() as u64;
                Ok(Appended::Now(*head))
            })
        };
        appends.iter().map(foretell).collect()
    }

    pub(crate) async fn append(&self, mut append: Append) -> Result<Appended, AppendError> {
        let count = self.appends.fetch_add(1, Ordering::Relaxed) + 1;
        let now = count.is_multiple_of(NOW_AND_THEN);
        let stands = append.expected.0 + append.entries.len() as u64;
        match self.sabotage {
            Sabotage::AcknowledgesWithoutKeeping if now && !append.entries.is_empty() => {
                Ok(Appended::Now(Head { version: Version(stands), ..Head::default() }))
            }
            Sabotage::AppliesTwice if now && !append.entries.is_empty() => {
                let again = Append {
                    expected: Version(stands),
                    command: None,
                    rounds: vec![],
                    mark: None,
                    ..append.clone()
                };
                let first = self.memory.append(append).await;
                if first.is_ok() {
                    let _ = self.memory.append(again).await;
                }
                first
            }
            // Not every append moves money.
            Sabotage::DropsAMove if count % NOW_AND_THEN < 10 => {
                append.entries.iter_mut().for_each(|entry| drop(entry.moves.pop()));
                self.memory.append(append).await
            }
            Sabotage::AnswersOtherwise => {
                let mut appended = self.memory.append(append).await;
                if let Ok(Appended::Before(before)) = &mut appended {
                    before.answer.push(' ');
                }
                appended
            }
            Sabotage::Panics if now => panic!("on purpose"),
            Sabotage::ForgetsCommands if count % NOW_AND_THEN < 10 => {
                append.command = None;
                self.memory.append(append).await
            }
            _ => self.memory.append(append).await,
        }
    }
}
