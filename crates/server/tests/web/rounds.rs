//! Newcomers play: one click, a whole round, in every rulebook.

use crate::common::RULEBOOKS;
use crate::felt::{SIZES, Scheme, Visitor, house};

/// What the page says that the round came to is what the house wrote down, fees and all; and it is
/// still said to whoever comes back.
async fn tells_what_it_came_to(visitor: &Visitor) {
    let net = "fetch('/api/history').then(it => it.json()).then(it => it.rounds[0].net)";
    let net = visitor.eval(net).await.as_i64().expect("a sum");
    let headline = match net {
        1.. => "You won",
        0 => "Push",
        _ => "You lost",
    };
    for _ in 0..2 {
        visitor.sees(&format!(".results[data-total='{net}']")).await;
        let said = visitor.text(".results h2").await;
        assert!(said.starts_with(headline), "{said}, but {net}");
        let path = visitor.eval("location.pathname").await;
        visitor.open(path.as_str().expect("a path")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_plays_a_round_in_each_rulebook() {
    for (seed, rules) in (100..).zip(RULEBOOKS) {
        let house = house(seed).await;
        let visitor = Visitor::to(&house, "/").await;
        visitor.clicks(&format!("input[value=\"{rules}\"]")).await;
        visitor.clicks("#play-now").await;
        visitor.plays_a_round().await;
        visitor.shot(&format!("results-{rules}")).await;
        tells_what_it_came_to(&visitor).await;
        house.books_are_right().await;
        visitor.leaves();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_banks() {
    for (seed, rules) in [(61, "cardroom"), (62, "catfish-bend")] {
        let house = house(seed).await;
        let visitor = Visitor::to(&house, "/").await;
        visitor.clicks(&format!("input[value=\"{rules}\"]")).await;
        // With one bot the bank comes round soon.
        visitor.clicks(".own summary").await;
        visitor.clicks("input[name=bots][value=\"1\"]").await;
        visitor.clicks("input[name=pace][value=calm]").await;
        visitor.clicks("#open-table").await;
        for round in 1.. {
            assert!(round < 10, "the bank goes round");
            visitor.wait("!!document.querySelector('#take-bank, #deal')").await;
            if visitor.count("#take-bank").await > 0 {
                break;
            }
            visitor.plays_a_round().await;
            visitor.clicks("#next-round").await;
            visitor.misses(".results").await;
        }
        if visitor.count(".bank-option").await > 0 {
            visitor.clicks(".bank-option summary").await;
        }
        visitor.is_accessible().await;
        visitor.shot(&format!("bank-offer-{rules}")).await;
        visitor.clicks("#take-bank").await;
        visitor.reads("You bank").await;
        // The mark is at one's own seat, and at no other.
        visitor.sees(".seat.own.banks .mark-action").await;
        let marks = "[...document.querySelectorAll('.seat-marks')].filter(it => /banker/i.test(it.innerText)).length";
        assert_eq!(visitor.eval(marks).await, 1);
        visitor.clicks("#bank-ready").await;
        // Where a banking player sets freely they set; elsewhere the dealer does it by the sheet.
        visitor.wait("!!document.querySelector('.setting, .results')").await;
        if visitor.count(".setting").await > 0 {
            visitor.reads("banker’s hand").await;
            for place in [2, 3] {
                visitor.clicks(&format!(".zone.high .playing:nth-child({place})")).await;
            }
            visitor.wait("document.querySelectorAll('.zone.low .playing').length === 2").await;
            visitor.clicks("#lay-down").await;
            visitor.wait("!!document.querySelector('dialog[open], .results')").await;
            if visitor.count("dialog[open]").await > 0 {
                visitor.clicks("#lay-foul").await;
            }
        }
        visitor.sees(".results").await;
        visitor.reads("You put up").await;
        visitor.reads("came back").await;
        visitor.shot(&format!("banked-{rules}")).await;
        tells_what_it_came_to(&visitor).await;
        house.books_are_right().await;
        visitor.leaves();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_speaks_where_it_may() {
    let house = house(63).await;
    let visitor = Visitor::at(&house, "/", SIZES[1], Scheme::Light).await;
    // Here players exchange nothing before hands are set.
    visitor.clicks("input[value=\"catfish-bend\"]").await;
    visitor.clicks("#play-now").await;
    visitor.is_dealt().await;
    visitor.reads("Clause B22: no advice before hands are set.").await;
    assert_eq!(visitor.count(".coach-note button").await, 0);
    visitor.clicks("#house-way").await;
    visitor.clicks("#lay-down").await;
    visitor.sees_results().await;
    visitor.sees(".coach table").await;
    visitor.reads("53,524,680").await;
    visitor.reads("1 hand,").await;
    // Elsewhere it may be asked before.
    visitor.open("/").await;
    visitor.clicks("input[value=\"commission-free\"]").await;
    visitor.clicks("#play-now").await;
    visitor.is_dealt().await;
    for _ in 0..2 {
        visitor.clicks(".zone.high .playing:last-child").await;
    }
    visitor.clicks(".coach-note button").await;
    visitor.sees(".coach-note [role=status]").await;
    // Turned off, it says nothing at all.
    visitor.clicks(".settings summary").await;
    visitor.clicks(".settings input[name=coach][value=off]").await;
    visitor.misses(".coach-note").await;
    visitor.leaves();
}
