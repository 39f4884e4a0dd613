//! The Envy Bonus: what others' hands bring.

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{BonusHand, CardSet, Cents, classes};

use crate::bonus;
use crate::game::{Outcomes, Stake};

/// Ways to choose seven cards of so many.
const fn sevens_of(cards: u64) -> u64 {
    let (mut ways, mut card) = (1, 0);
    while card < 7 {
        ways = ways * (cards - card) / (card + 1);
        card += 1;
    }
    ways
}

/// What one other hand at the table brings on average to a player whose Fortune Bonus wager
/// carries Envy: an exact quotient, in cents. Each further hand brings as much again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerOtherHand {
    /// What all deals bring together.
    pub cents: u128,
    /// All deals of the player's, the other's and the banker's hand.
    pub deals: u128,
}

impl PerOtherHand {
    /// The average in dollars, to be printed.
    #[expect(clippy::cast_precision_loss, reason = "for printing only; the quotient is exact")]
    pub fn dollars(self) -> f64 {
        self.cents as f64 / self.deals as f64 / 100.0
    }
}

/// What one other hand brings under a rulebook, if it has Envy. The other is taken to bet the
/// Fortune Bonus where that is asked for.
///
/// ```
/// use houseway_odds::envy;
/// use houseway_rules::houses;
///
/// let catfish_bend = envy::per_other_hand(&houses::CATFISH_BEND).unwrap();
/// assert_eq!(format!("{:.4}", catfish_bend.dollars()), "0.0463");
/// assert!(envy::per_other_hand(&houses::CARDROOM).is_none());
/// ```
pub fn per_other_hand(rulebook: &Rulebook) -> Option<PerOtherHand> {
    let envy = rulebook.envy.as_ref()?;
    let brings = |hand: BonusHand| rulebook.fortune.line(hand).and_then(|line| line.envy);
    let rest = u128::from(sevens_of(46)) * u128::from(sevens_of(39));
    let deals = u128::from(sevens_of(53)) * rest;
    let barred = envy.none_if_banker_holds.is_some()
        || envy.none_with_own_straight_flush.is_some()
        || envy.higher_only_with_own_royal_match.is_some();
    if !barred {
        let counted = bonus::fortune(rulebook);
        let brought = counted.lines.iter().map(|&(hand, hands, _)| {
            u128::from(hands) * u128::from(brings(hand).map_or(0, Cents::get))
        });
        return Some(PerOtherHand { cents: brought.sum::<u128>() * rest, deals });
    }
    Some(PerOtherHand { cents: with_bars(rulebook, &brings), deals })
}

/// Where the banker's or the player's own hand can bar Envy: all deals are counted in which the
/// other's hand brings something, less those in which it is barred. Such hands are few enough to
/// look at every three of them.
fn with_bars(rulebook: &Rulebook, brings: &impl Fn(BonusHand) -> Option<Cents>) -> u128 {
    let envy = rulebook.envy.as_ref().expect("the caller has it");
    let mut hands: Vec<(CardSet, BonusHand, u64)> = vec![];
    for part in classes::parts() {
        part.each(|dealt, _| {
            if let Some(hand) = BonusHand::of(dealt)
                && let Some(cents) = brings(hand)
            {
                let all = classes::hands(dealt).into_iter();
                hands.extend(all.map(|dealt| (dealt.cards(), hand, cents.get())));
            }
        });
    }
    let apart = |a: CardSet, b: CardSet| a.intersection(b).is_empty();
    let bars = |own: BonusHand, other: BonusHand| match own {
        BonusHand::SevenCardStraightFlush => envy.none_with_own_straight_flush.is_some(),
        BonusHand::RoyalMatch => envy.higher_only_with_own_royal_match.is_some() && other <= own,
        _ => false,
    };
    let banker_bars = envy.none_if_banker_holds.is_some();
    let (one, two) = (u128::from(sevens_of(39)), u128::from(sevens_of(46)));
    let mut cents = 0;
    for &(other, hand, brought) in &hands {
        let mut deals = two * one;
        for &(own, own_hand, _) in hands.iter().filter(|it| apart(it.0, other)) {
            // As the banker's hand, whatever the player holds; or as the player's own.
            deals -= if banker_bars { one } else { 0 };
            if bars(own_hand, hand) {
                deals -= one;
                // Both at once was taken away twice.
                if banker_bars {
                    let third =
                        |it: &&(CardSet, BonusHand, u64)| apart(it.0, other) && apart(it.0, own);
                    deals += hands.iter().filter(third).count() as u128;
                }
            }
        }
        cents += deals * u128::from(brought);
    }
    cents
}

/// The standard wager from which on it pays to bet the Fortune Bonus for the sake of the waived
/// commission, with so many other hands at the table; in dollars, to be printed. Nothing where the
/// house waives nothing, or where the bet pays for itself.
pub fn break_even_wager(rulebook: &Rulebook, game: Outcomes, others: u32) -> Option<f64> {
    let commission = rulebook.commission.as_ref()?;
    let waiver = commission.waived_by_fortune.as_ref()?;
    #[expect(clippy::cast_precision_loss, reason = "for printing only")]
    let dollars = waiver.is.get() as f64 / 100.0;
    let edge = -bonus::fortune(rulebook).value().as_f64();
    let envy = per_other_hand(rulebook).map_or(0.0, PerOtherHand::dollars) * f64::from(others);
    // What is saved on each dollar of the standard wager: the commission on its wins.
    let [free, less] = [0, commission.percent]
        .map(|commission_percent| game.value(Stake { commission_percent }).as_f64());
    let saved = free - less;
    let wager = (dollars * edge - envy) / saved;
    (wager > 0.0).then_some(wager)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::houses;

    #[test]
    fn sevens_are_counted() {
        assert_eq!([53, 46, 39].map(sevens_of), [154_143_080, 53_524_680, 15_380_937]);
    }

    /// Bars take away next to nothing: the dealer's hand one in a million, one's own as rarely.
    #[test]
    fn bars_take_away_little_and_something() {
        let mbs = per_other_hand(&houses::MBS_2020).unwrap();
        let free = (32 * 25_000 + 72 * 5_000) * (mbs.deals / 154_143_080);
        assert!(mbs.cents < free, "something is barred");
        let barred = free - mbs.cents;
        assert!(barred * 500_000 < free, "but little: {barred} of {free}");
        assert_eq!(per_other_hand(&houses::MBS_2016), Some(mbs));
    }

    /// With every wager and hand counted by hand: five dollars on the bonus, no others.
    #[test]
    fn the_waiver_pays_from_some_wager_on() {
        let game = Outcomes { win: 29, push: 41, lose: 30 };
        let alone = break_even_wager(&houses::CATFISH_BEND, game, 0).unwrap();
        // 5 × 7.7656 % over 5 % of 29 %.
        assert!((alone - 5.0 * 0.077_655_7 / 0.0145).abs() < 0.001, "{alone}");
        let company = break_even_wager(&houses::CATFISH_BEND, game, 5).unwrap();
        assert!(company < alone);
        assert_eq!(break_even_wager(&houses::MBS_2020, game, 0), None);
    }
}
