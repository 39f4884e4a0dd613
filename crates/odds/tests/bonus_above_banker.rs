//! `cardroom` C12: the bonus is paid only above the banker's own bonus hand.

use houseway_odds::answers::{FortuneAboveBanker, Question};
use houseway_odds::bonus::{self, Bonus};
use houseway_odds::{BANKER_HANDS, Progress, game};
use houseway_rules::{BonusHand, CardSet, Suit, classes, houses};

/// All hands of the three highest categories that need no joker, and five aces.
fn rare_hands() -> Vec<(CardSet, BonusHand)> {
    let mut found = vec![];
    for part in classes::parts() {
        part.each(|dealt, _| {
            let hand = BonusHand::of(dealt);
            if let Some(hand) = hand.filter(|&hand| hand >= BonusHand::FiveAces) {
                found.extend(classes::hands(dealt).into_iter().map(|it| (it.cards(), hand)));
            }
        });
    }
    found
}

/// The highest rank of seven suited cards in sequence, the ace low where it must be.
fn top(cards: CardSet) -> u16 {
    let lane = Suit::ALL.into_iter().map(|suit| cards.suit(suit)).max().expect("four suits");
    let low_ace = lane & 0b1_0000_0000_0001 == 0b1_0000_0000_0001 && lane & 0b1000_0000_0000 == 0;
    let lane = if low_ace { lane & 0xfff } else { lane };
    15 - lane.leading_zeros() as u16
}

/// For the rarest hands the banker's better hands can be named one by one.
#[test]
fn cardroom_c12_rare_hands_are_counted_by_hand() {
    let rare = rare_hands();
    let of = |wanted: BonusHand| rare.iter().filter(move |(_, hand)| *hand == wanted);
    assert_eq!(of(BonusHand::SevenCardStraightFlush).count(), 32);
    assert_eq!(of(BonusHand::RoyalMatch).count(), 72);
    assert_eq!(of(BonusHand::FiveAces).count(), 1128);
    let counted =
        FortuneAboveBanker(&houses::CARDROOM).shipped().flatten().expect("it has the rule");
    for hand in [BonusHand::SevenCardStraightFlush, BonusHand::RoyalMatch, BonusHand::FiveAces] {
        let paid: u64 = of(hand)
            .map(|(own, _)| {
                let not_lower = |(banker, other): &&(CardSet, BonusHand)| {
                    let same = *other == hand
                        && (hand != BonusHand::SevenCardStraightFlush || top(*banker) >= top(*own));
                    banker.intersection(*own).is_empty() && (*other > hand || same)
                };
                BANKER_HANDS - rare.iter().filter(not_lower).count() as u64
            })
            .sum();
        let line = counted.lines.iter().find(|line| line.category == hand).expect("it pays");
        assert_eq!(line.paid, paid, "{hand}");
    }
}

/// Paid or returned, every deal of a category is counted; and the rule costs the player something.
#[test]
fn cardroom_c12_every_deal_is_counted() {
    let counted =
        FortuneAboveBanker(&houses::CARDROOM).shipped().flatten().expect("it has the rule");
    let plain = bonus::fortune(&houses::CARDROOM);
    for (line, (hand, hands, pays)) in counted.lines.iter().zip(&plain.lines) {
        assert_eq!((line.category, line.pays), (*hand, *pays));
        assert_eq!(line.paid + line.returned, hands * BANKER_HANDS, "{hand}");
        assert!(line.returned > 0, "{hand} does not always win");
    }
    assert_eq!(counted.lose, plain.nothing * BANKER_HANDS);
    assert_eq!(Bonus::HANDS * BANKER_HANDS, game::DEALS);
    assert!(counted.value().as_f64() < plain.value().as_f64());
    assert_eq!(bonus::fortune_above_banker(&houses::MBS_2020, &Progress::new()), None);
}
