//! Newcomers play: one click, a whole round, in every rulebook.

use crate::common::RULEBOOKS;
use crate::felt::{Visitor, house};

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_plays_a_round_in_each_rulebook() {
    for (seed, rules) in (100..).zip(RULEBOOKS) {
        let house = house(seed).await;
        let visitor = Visitor::to(&house, "/").await;
        visitor.clicks(&format!("input[value=\"{rules}\"]")).await;
        visitor.clicks("#play-now").await;
        visitor.plays_a_round().await;
        visitor.shot(&format!("results-{rules}")).await;
        house.books_are_right().await;
        visitor.leaves();
    }
}
