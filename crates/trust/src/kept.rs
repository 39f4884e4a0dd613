//! What a table's log, as it is stored, tells of its rounds; and whether that is what a proof proves.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use houseway_fair::{Bytes32, Proof, Words};
use houseway_rules::rulebook::Pattern;
use houseway_rules::{Card, CardSet};
use houseway_server::house::House;
use houseway_server::record::{Record, Stamped};
use houseway_store::{StreamId, TableId, Version};
use houseway_table::Event;

/// How many entries are read at once.
const PAGE: u32 = 1_000;

/// What the log tells of a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// What was committed to; once, if all is well.
    commitments: Vec<Bytes32>,
    /// Whether a wager stands before that.
    wagered_before: bool,
    /// What was said until "no more bets".
    words: Words,
    /// Nothing, if the round ended before its deal.
    pub(crate) dealt: Option<DealtOut>,
}

/// Cards as they were dealt.
#[derive(Clone, Debug)]
pub(crate) struct DealtOut {
    /// The hands in the order in which they were delivered.
    pub(crate) hands: Vec<CardSet>,
    pub(crate) left_over: CardSet,
    number: u8,
    pattern: Pattern,
}

/// Cards by their places in the deck as it was dealt, and the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) cards: BTreeMap<u8, Card>,
    pub(crate) number: Option<u8>,
}

/// The rounds of a table, from its log.
pub(crate) async fn rounds(house: &House, table: TableId) -> Result<BTreeMap<u64, Kept>> {
    rounds_of(&log(house, table).await?)
}

/// The log of a table.
async fn log(house: &House, table: TableId) -> Result<Vec<Stamped>> {
    let stream = StreamId::table(table);
    let (mut log, mut after) = (Vec::new(), Version(0));
    loop {
        let page = house.store().read(&stream, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(log) };
        after = last.version;
        for entry in &page {
            log.push(house.vault().read(entry)?);
        }
    }
}

/// The rounds of a log, entry by entry.
fn rounds_of(log: &[Stamped]) -> Result<BTreeMap<u64, Kept>> {
    let Some(Record::Opened(opening)) = log.first().map(|it| &it.record) else {
        anyhow::bail!("the log of a table begins with its opening");
    };
    let pattern = opening.setup().map_err(anyhow::Error::msg)?.dealing().pattern;
    let mut rounds = BTreeMap::<u64, Kept>::new();
    let (mut round, mut open, mut wagered_before) = (0, false, false);
    for Stamped { by, record } in log {
        match record {
            Record::Committed(it) => {
                rounds.entry(it.round).or_default().commitments.push(it.commitment);
            }
            Record::Said { words } if open => {
                rounds.entry(round).or_default().words.say(by.person.0, words.clone())?;
            }
            Record::Happened(Event::BetsOpened { round: opened, .. }) => {
                (round, open) = (*opened, true);
                rounds.entry(round).or_default().wagered_before |= wagered_before;
                wagered_before = false;
            }
            Record::Happened(Event::Placed { .. }) if open => {
                let kept = rounds.entry(round).or_default();
                kept.wagered_before |= kept.commitments.is_empty();
            }
            // Whatever lies there when bets are closed can be of the next round alone.
            Record::Happened(Event::Placed { .. }) => wagered_before = true,
            Record::Happened(Event::BetsClosed) => open = false,
            Record::Happened(Event::Dealt { hands, number, left_over, .. }) => {
                let (number, left_over) = (*number, *left_over);
                let hands = hands.iter().map(|(_, cards)| *cards).collect();
                let dealt = DealtOut { hands, left_over, number, pattern };
                rounds.entry(round).or_default().dealt = Some(dealt);
            }
            _ => {}
        }
    }
    Ok(rounds)
}

impl Kept {
    /// Whether the deck was committed to once, and before the first wager.
    pub(crate) fn committed_first(&self) -> bool {
        self.commitments.len() == 1 && !self.wagered_before
    }

    /// That a proof is of this round, and what it shows is what was dealt, place by place.
    pub(crate) fn is_what(&self, proof: &Proof, shows: &Shown) -> Result<()> {
        ensure!(self.commitments == [proof.commitment], "the log has another commitment");
        ensure!(self.words == proof.words, "other words were said");
        let Some(dealt) = &self.dealt else { return Ok(()) };
        ensure!(shows.number == Some(dealt.number), "number {} was drawn", dealt.number);
        for (&place, &card) in &shows.cards {
            let cards = match dealt.hand(usize::from(place)) {
                Some(hand) => dealt.hands[hand],
                None => dealt.left_over,
            };
            ensure!(cards.contains(card), "{card} was not dealt at place {place}");
        }
        Ok(())
    }
}

impl DealtOut {
    /// Which hand the card at a place of the deck goes to; none if it is left over. Written from the
    /// documents once more, and the other way round: the table asks which cards go to a hand.
    pub(crate) fn hand(&self, place: usize) -> Option<usize> {
        let hands = self.hands.len();
        let (turn, from_left) = (place / hands, place % hands);
        let hand = match self.pattern {
            Pattern::SevenAtOnce => place / 7,
            Pattern::BackAndForth if turn % 2 == 1 => hands - 1 - from_left,
            Pattern::OneInTurn | Pattern::BackAndForth => from_left,
        };
        (place < 7 * hands).then_some(hand)
    }
}

/// The line that the verifier in Python prints for a proof that holds.
pub(crate) fn read_shown(line: &str) -> Result<Shown> {
    let (cards, number): (Vec<(u8, Card)>, Option<u8>) =
        serde_json::from_str(line).with_context(|| format!("`{line}` is not cards"))?;
    Ok(Shown { cards: cards.into_iter().collect(), number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guests::Party;
    use houseway_store::Memory;
    use std::sync::Arc;

    /// The log of the first table after some turns.
    async fn played() -> Vec<Stamped> {
        let mut party = Party::new(Arc::new(Memory::new()), 1).await.expect("a house");
        for _ in 0..12 {
            party.turn().await.expect("a turn");
        }
        let table = party.rooms[0].now().desk.id();
        log(&party.house, table).await.expect("it can be read")
    }

    fn place_of(log: &[Stamped], is: fn(&Record) -> bool) -> usize {
        log.iter().position(|it| is(&it.record)).expect("there is one")
    }

    const WAGER: fn(&Record) -> bool = |it| matches!(it, Record::Happened(Event::Placed { .. }));
    const OPENED: fn(&Record) -> bool =
        |it| matches!(it, Record::Happened(Event::BetsOpened { .. }));
    const COMMITTED: fn(&Record) -> bool = |it| matches!(it, Record::Committed(_));

    fn all_committed_first(log: &[Stamped]) -> bool {
        let rounds = rounds_of(log).expect("a log");
        assert!(!rounds.is_empty());
        rounds.values().all(Kept::committed_first)
    }

    #[tokio::test]
    async fn a_commitment_behind_a_wager_missing_or_there_twice_is_found() {
        let log = played().await;
        assert!(all_committed_first(&log));
        let (committed, wager) = (place_of(&log, COMMITTED), place_of(&log, WAGER));
        let mut late = log.clone();
        let moved = late.remove(committed);
        late.insert(wager, moved.clone());
        assert!(!all_committed_first(&late), "it stands right behind the first wager");
        let mut before_bets = log.clone();
        let moved_wager = before_bets.remove(wager);
        before_bets.insert(place_of(&log, OPENED), moved_wager);
        assert!(!all_committed_first(&before_bets), "a wager lies there before bets are open");
        let mut twice = log.clone();
        twice.insert(wager + 1, moved);
        assert!(!all_committed_first(&twice), "the deck is settled again");
        let mut missing = log;
        missing.remove(committed);
        assert!(!all_committed_first(&missing), "there is none");
    }
}
