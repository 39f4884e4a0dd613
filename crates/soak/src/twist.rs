//! Logs that tell something else than happened: what no node does is written in its name, to see that
//! the judge finds it.

use houseway_fair::{Seed, Shuffle};
use houseway_rules::{CardSet, Cents};
use houseway_server::desk::Desk;
use houseway_server::record::{Committed, Record, Stamped};
use houseway_server::vault::Vault;
use houseway_store::{AccountName, Append, Entry, Head, Move, NewEntry, Version};
use houseway_table::{Actor, Event, Phase};

use crate::truth::Sabotage;

/// Something that is about to be appended to a table's log, as a sabotage wants it. A command that is
/// not allowed is granted where that is wanted.
pub(crate) fn twist(
    sabotage: Sabotage,
    desk: &Desk,
    vault: &Vault,
    illegal: bool,
    mut append: Append,
) -> Append {
    if sabotage == Sabotage::GrantsWhatIsNotAllowed && illegal && append.entries.is_empty() {
        let granted = Stamped { by: Actor::DEALER, record: Record::Ready };
        append.entries.extend(vault.entry(desk.id(), append.expected.0 + 1, &granted));
    }
    if sabotage == Sabotage::TakesLateWagers
        && let Phase::Betting(betting) = desk.table().phase()
        && append.entries.iter().any(|entry| entry.kind == "placed")
    {
        append.at = betting.until.map_or(append.at, |until| append.at.max(until + 1));
    }
    for (place, entry) in append.entries.iter_mut().enumerate() {
        money(sabotage, desk, entry);
        let before = append.expected.0 + place as u64;
        let head = Head { version: Version(before), ..Head::default() };
        let read = vault.read(&Entry::after(head, &append.stream, append.at, entry.clone()));
        let other = read.ok().and_then(|stamped| other(sabotage, desk, vault, stamped));
        let written = other.and_then(|it| vault.entry(desk.id(), before + 1, &it).ok());
        if let Some(written) = written {
            *entry = NewEntry { moves: std::mem::take(&mut entry.moves), ..written };
        }
    }
    append
}

/// A ledger that is wrong, and the same for whoever reads it.
fn money(sabotage: Sabotage, desk: &Desk, entry: &mut NewEntry) {
    let won = entry.moves.iter().find(|it| it.reason == "win").cloned();
    match (sabotage, won) {
        (Sabotage::PaysACentTooMuch, Some(won)) => {
            let house = format!("table/{}/house", desk.id());
            let from: AccountName = house.parse().expect("a name");
            let cent = Move { amount: Cents::new(1), from, ..won };
            entry.moves.extend((cent.from != cent.to).then_some(cent));
        }
        (Sabotage::EntersNoWagers, _) => entry.moves.retain(|it| it.reason != "wager"),
        _ => {}
    }
}

/// What is written in place of something, if anything is.
fn other(sabotage: Sabotage, desk: &Desk, vault: &Vault, stamped: Stamped) -> Option<Stamped> {
    let betting = matches!(desk.table().phase(), Phase::Betting(_));
    let Stamped { by, record } = stamped;
    let record = match (sabotage, record) {
        (Sabotage::DealsAnotherDeck, Record::Committed(it)) => another(desk, vault, it.round)?,
        (Sabotage::CommitsAgain, Record::Ready) if betting => {
            another(desk, vault, desk.table().round())?
        }
        (Sabotage::CommitsToNothing, Record::Committed(_))
        | (Sabotage::StaysClosed, Record::Reopened { .. }) => Record::Ready,
        (Sabotage::TellsAnotherTime, Record::Happened(Event::BetsOpened { round, until })) => {
            let until = until.map(|until| until + 1);
            Record::Happened(Event::BetsOpened { round, until })
        }
        (Sabotage::DealsACardTwice, Record::Happened(mut event)) => {
            let Event::Dealt { hands, left_over, .. } = &mut event else { return None };
            let (_, hand) = hands.first()?;
            let (one, two) = (left_over.iter().next()?, hand.iter().next()?);
            *left_over = left_over.without(CardSet::of(one)).with(two);
            Record::Happened(event)
        }
        _ => return None,
    };
    Some(Stamped { by, record })
}

/// A commitment to another deck, as good as any.
fn another(desk: &Desk, vault: &Vault, round: u64) -> Option<Record> {
    let seed = Seed::new(vault.fresh().ok()?);
    let sealed = vault.seal_seed(desk.id(), round, &seed).ok()?;
    let commitment = Shuffle::new(seed, desk.deal_of(round)).commitment();
    Some(Record::Committed(Committed { round, commitment, seed: sealed }))
}
