//! Proofs of finished rounds: what someone was shown was settled before the first wager.

use houseway_fair::{Exposed, Place, Proof};
use houseway_rules::CardSet;
use houseway_store::{RoundRow, StatusKind, TableId};
use houseway_table::view::{HandView, Look, Onlooker, PastView, view};

use crate::house::House;
use crate::room::Unanswered;

/// A round has no proof for someone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProved {
    /// There is no such round, or it is not over.
    #[error("there is no such round, or it is not over")]
    NoRound,
    /// It could not be read.
    #[error(transparent)]
    Failed(#[from] Unanswered),
}

/// The proof of a round for an onlooker: every card that they were shown, and the number. Whoever was
/// shown no card, as of a void round, has the number alone: so its commitment is proved to everyone. An
/// auditor's opens the seed, and so everything.
pub async fn proof(
    house: &House,
    table: TableId,
    round: u64,
    look: impl Into<Look>,
) -> Result<Proof, NotProved> {
    let look = look.into();
    let rows = house.store().round(table, round).await.map_err(Unanswered::from)?;
    let over = |row: &&RoundRow| row.status.kind() != StatusKind::Corrected;
    let row = rows.iter().find(over).ok_or(NotProved::NoRound)?;
    let desk = house.desk_at(table, row.last).await?;
    let deck = desk.last_deck().filter(|deck| deck.committed.round == round);
    let deck = deck.ok_or(NotProved::NoRound)?;
    let cut = desk.cut(deck, house.vault());
    let cut = cut.map_err(|error| Unanswered::Failed(error.to_string()))?;
    if look.by == Onlooker::Auditor {
        return Ok(cut.disclose());
    }
    let past = view(desk.table(), look, row.ended).last.filter(|past| past.round == round);
    let shown = past.map_or(CardSet::EMPTY, |past| shown(&past));
    let cards = cut.cards();
    let places = Place::all().zip(cards).filter(|(_, card)| shown.contains(*card));
    let places = places.map(|(place, _)| place).collect();
    Ok(cut.prove(&Exposed { places, number: true }))
}

/// Every card that an onlooker was shown.
fn shown(past: &PastView) -> CardSet {
    let hands = past.hands.iter().map(|(_, hand)| hand).chain([&past.banker]).chain(&past.house);
    let cards = hands.flat_map(|hand| match hand {
        HandView::FaceDown { .. } => vec![],
        HandView::Dealt { dealt } => dealt.clone(),
        HandView::Set { low, high, .. } => [&low[..], &high[..]].concat(),
    });
    cards.fold(CardSet::EMPTY, CardSet::with)
}
