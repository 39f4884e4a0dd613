//! The Envy Bonus: what others' hands bring.

use houseway_rules::rulebook::{Envy, Rulebook};
use houseway_rules::{BonusHand, CardSet, Cents, classes};
use rayon::prelude::*;

use crate::bonus;
use crate::game::{Outcomes, Stake, Value};

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
    /// The same quotient in lowest terms: cents and deals.
    #[must_use]
    pub fn reduced(self) -> PerOtherHand {
        let (mut a, mut b) = (self.cents, self.deals);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        PerOtherHand { cents: self.cents / a, deals: self.deals / a }
    }

    /// The average in dollars, to be printed.
    #[expect(clippy::cast_precision_loss, reason = "for printing only; the quotient is exact")]
    pub fn dollars(self) -> f64 {
        self.cents as f64 / self.deals as f64 / 100.0
    }
}

/// Why Envy is not counted: its bars would have to be looked up for too many hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooMany;

impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Envy is paid for more hands than can be looked at and can be barred by what the banker or the player \
             holds; that is counted for at most {MOST_HANDS} hands, such as straight flushes of \
             seven, five aces and royal flushes"
        )
    }
}

impl std::error::Error for TooMany {}

/// So many hands can be looked up beside one another in some seconds.
const MOST_HANDS: usize = 40_000;

/// What one other hand brings under a rulebook, if it has Envy. The other is taken to bet the
/// Fortune Bonus where that is asked for.
///
/// ```
/// use houseway_odds::envy;
/// use houseway_rules::houses;
///
/// let catfish_bend = envy::per_other_hand(&houses::CATFISH_BEND).unwrap().unwrap();
/// assert_eq!(format!("{:.4}", catfish_bend.dollars()), "0.0463");
/// assert_eq!(envy::per_other_hand(&houses::CARDROOM), Ok(None));
/// ```
pub fn per_other_hand(rulebook: &Rulebook) -> Result<Option<PerOtherHand>, TooMany> {
    let Some(envy) = &rulebook.envy else { return Ok(None) };
    let rest = u128::from(sevens_of(46)) * u128::from(sevens_of(39));
    let deals = u128::from(sevens_of(53)) * rest;
    let bars = envy.none_if_banker_holds.is_some()
        || envy.none_with_own_straight_flush.is_some()
        || envy.higher_only_with_own_royal_match.is_some();
    let cents = if bars { with_bars(rulebook, envy)? } else { without_bars(rulebook) * rest };
    Ok(Some(PerOtherHand { cents, deals }))
}

/// What all hands bring once: for what is held, whatever that pays its holder.
fn without_bars(rulebook: &Rulebook) -> u128 {
    let hands = bonus::by_height();
    let brought = BonusHand::ALL.into_iter().map(|hand| {
        let cents = rulebook.fortune.envy(hand).map_or(0, Cents::get);
        u128::from(hands[hand as usize]) * u128::from(cents)
    });
    brought.sum()
}

/// Seven cards and the bonus hand they are.
type Held = (CardSet, BonusHand);

/// Where the banker's or the player's own hand can bar Envy: all deals are counted in which the
/// other's hand brings something, less those in which it is barred.
fn with_bars(rulebook: &Rulebook, envy: &Envy) -> Result<u128, TooMany> {
    let fortune = &rulebook.fortune;
    // One hand of each class that brings something; all of them; and all that can bar by being
    // the player's own.
    let (mut classes_that_bring, mut bringing, mut own_bars) = (vec![], vec![], vec![]);
    for part in classes::parts() {
        part.each(|dealt, weight| {
            let Some(hand) = BonusHand::of(dealt) else { return };
            let brings = fortune.envy(hand);
            let can_bar = hand >= BonusHand::RoyalMatch;
            if let Some(cents) = brings {
                classes_that_bring.push((dealt.cards(), hand, cents.get() * u64::from(weight)));
            }
            if brings.is_some() && bringing.len() <= MOST_HANDS || can_bar {
                let all = classes::hands(dealt).into_iter().map(|dealt| (dealt.cards(), hand));
                let all: Vec<Held> = all.collect();
                if brings.is_some() {
                    bringing.extend(&all);
                }
                if can_bar {
                    own_bars.extend(&all);
                }
            }
        });
    }
    if bringing.len() > MOST_HANDS {
        return Err(TooMany);
    }
    let apart = |a: CardSet, b: CardSet| a.intersection(b).is_empty();
    let (one, two) = (u128::from(sevens_of(39)), u128::from(sevens_of(46)));
    let brought = classes_that_bring.par_iter().map(|&(other, hand, cents)| {
        let bankers: Vec<CardSet> = bringing
            .iter()
            .filter(|&&(banker, held)| {
                apart(banker, other) && envy.bars(fortune, None, hand, Some(held)).is_some()
            })
            .map(|&(banker, _)| banker)
            .collect();
        // Barred by the banker's hand, whatever the player holds; and by the player's, where the
        // banker's does not bar already.
        let by_banker = bankers.len() as u128 * one;
        let by_own: u128 = own_bars
            .iter()
            .filter(|&&(own, held)| {
                apart(own, other) && envy.bars(fortune, Some(held), hand, None).is_some()
            })
            .map(|&(own, _)| one - bankers.iter().filter(|&&it| apart(it, own)).count() as u128)
            .sum();
        (two * one - by_banker - by_own) * u128::from(cents)
    });
    Ok(brought.sum())
}

/// The standard wager from which on it pays to bet the Fortune Bonus for the sake of the waived
/// commission, with so many other hands at the table; in dollars, to be printed. Zero where the bet
/// pays for itself, nothing where the house waives nothing.
pub fn break_even_wager(
    rulebook: &Rulebook,
    game: Outcomes,
    bonus: Value,
    envy: Option<PerOtherHand>,
    others: u32,
) -> Option<f64> {
    let waiver = rulebook.waiver()?;
    #[expect(clippy::cast_precision_loss, reason = "for printing only")]
    let dollars = waiver.is.get() as f64 / 100.0;
    let edge = -bonus.as_f64();
    let envy = envy.map_or(0.0, PerOtherHand::dollars) * f64::from(others);
    // What is saved on each dollar of the standard wager: the commission on its wins.
    let [free, less] = [Stake::FREE, Stake::of(rulebook)].map(|stake| game.value(stake).as_f64());
    let saved = free - less;
    Some(((dollars * edge - envy) / saved).max(0.0))
}

/// The edge of a Fortune Bonus wager that carries Envy, with so many other hands at the table; to
/// be printed.
#[expect(clippy::cast_precision_loss, reason = "for printing only")]
pub fn edge_with_envy(bonus: f64, envy: PerOtherHand, wager: Cents, others: u32) -> f64 {
    bonus - envy.dollars() * f64::from(others) / (wager.get() as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::rulebook::PayLine;
    use houseway_rules::{Dealt, houses};
    use std::borrow::Cow;

    #[test]
    fn sevens_are_counted() {
        assert_eq!([53, 46, 39].map(sevens_of), [154_143_080, 53_524_680, 15_380_937]);
    }

    /// Bars take away next to nothing: the dealer's hand one in a million, one's own as rarely.
    #[test]
    fn bars_take_away_little_and_something() {
        let mbs = per_other_hand(&houses::MBS_2020).unwrap().unwrap();
        let free = (32 * 25_000 + 72 * 5_000) * (mbs.deals / 154_143_080);
        assert!(mbs.cents < free, "something is barred");
        let barred = free - mbs.cents;
        assert!(barred * 500_000 < free, "but little: {barred} of {free}");
        assert_eq!(per_other_hand(&houses::MBS_2016), Ok(Some(mbs)));
    }

    /// A custom house may pay Envy for other hands than those that bar it.
    fn paying(hands: &[(BonusHand, u32)]) -> Rulebook {
        let mut rulebook = Rulebook::clone(&houses::MBS_2020);
        let lines = rulebook.fortune.table.iter().map(|line| {
            let envy = hands.iter().find(|(hand, _)| *hand == line.hand);
            PayLine { envy: envy.map(|&(_, dollars)| Cents::dollars(dollars)), ..*line }
        });
        rulebook.fortune.table = Cow::Owned(lines.collect());
        rulebook
    }

    /// Five aces bring Envy, and a natural seven-card straight flush of one's own bars it: of the
    /// 1,128 hands with five aces none has a suited run, so every deal can be counted by hand.
    #[test]
    fn hands_that_bar_need_not_be_paid() {
        let rulebook = paying(&[(BonusHand::FiveAces, 1)]);
        let counted = per_other_hand(&rulebook).unwrap().unwrap();
        let (mut aces, mut runs) = (vec![], vec![]);
        for part in classes::parts() {
            part.each(|dealt, _| {
                let all = || classes::hands(dealt).into_iter().map(Dealt::cards);
                match BonusHand::of(dealt) {
                    Some(BonusHand::FiveAces) => aces.extend(all()),
                    Some(hand @ (BonusHand::SevenCardStraightFlush | BonusHand::RoyalMatch)) => {
                        runs.extend(all().map(|cards| (cards, hand)));
                    }
                    _ => {}
                }
            });
        }
        let one = u128::from(sevens_of(39));
        let expected: u128 = aces
            .iter()
            .map(|other| {
                let free = |cards: &CardSet| cards.intersection(*other).is_empty();
                // No banker holds five aces beside another who does.
                assert!(!aces.iter().any(free));
                let barred = runs.iter().filter(|(cards, _)| free(cards)).count() as u128;
                u128::from(sevens_of(46)) * one - barred * one
            })
            .sum();
        assert_eq!(counted.cents, expected * 100);
    }

    /// Envy is for what is held, also where a lower hand pays its holder more.
    #[test]
    fn envy_does_not_depend_on_what_the_bonus_pays() {
        let mut rulebook = Rulebook::clone(&houses::CATFISH_BEND);
        let lines = rulebook.fortune.table.iter().map(|line| match line.hand {
            BonusHand::FullHouse => PayLine { pays: 30, ..*line },
            _ => *line,
        });
        rulebook.fortune.table = Cow::Owned(lines.collect());
        assert!(!rulebook.fortune.is_ordered());
        assert_eq!(per_other_hand(&rulebook), per_other_hand(&houses::CATFISH_BEND));
        let one = per_other_hand(&rulebook).unwrap().unwrap();
        let reduced = one.reduced();
        assert_eq!(one.cents * reduced.deals, reduced.cents * one.deals);
        assert!(reduced.deals <= 154_143_080);
    }

    #[test]
    fn too_many_hands_are_refused_with_the_reason() {
        let rulebook = paying(&[(BonusHand::FourOfAKind, 5)]);
        let refused = per_other_hand(&rulebook).expect_err("307,472 hands");
        assert!(refused.to_string().contains("at most 40000 hands"), "{refused}");
    }

    /// With every wager and hand counted by hand: five dollars on the bonus, no others.
    #[test]
    fn the_waiver_pays_from_some_wager_on() {
        let game = Outcomes { win: 29, push: 41, lose: 30 };
        let envy = per_other_hand(&houses::CATFISH_BEND).unwrap();
        let bonus = bonus::fortune(&houses::CATFISH_BEND).value();
        let wager =
            |envy, others| break_even_wager(&houses::CATFISH_BEND, game, bonus, envy, others);
        let alone = wager(envy, 0).unwrap();
        // 5 × 7.7656 % over 5 % of 29 %.
        assert!((alone - 5.0 * 0.077_655_7 / 0.0145).abs() < 0.001, "{alone}");
        assert!(wager(envy, 5).unwrap() < alone);
        assert_eq!(wager(envy, 50), Some(0.0), "the bet pays for itself");
        assert_eq!(break_even_wager(&houses::MBS_2020, game, bonus, envy, 0), None);
    }

    /// The published break-even wagers, $27.36 alone and $3.73 less for each further player, can be
    /// those of another pay table (5,000 to 1, edge 7.83 %), of a game in which 28.61 % of hands
    /// win, and of an Envy that brings $0.0534 a hand. The first figure follows from figures that
    /// were published elsewhere; the Envy table is not known, so the steps are fitted.
    #[test]
    fn the_published_break_even_wagers_can_be_explained() {
        let mut rulebook = Rulebook::clone(&houses::CATFISH_BEND);
        rulebook.fortune.table = houses::CARDROOM.fortune.table.clone();
        let game = Outcomes { win: 2861, push: 4148, lose: 2991 };
        let envy = Some(PerOtherHand { cents: 53_357, deals: 10_000 });
        let published = [27.36, 23.63, 19.90, 16.17, 12.44, 8.71];
        for (others, dollars) in (0..).zip(published) {
            let bonus = bonus::fortune(&rulebook).value();
            let counted = break_even_wager(&rulebook, game, bonus, envy, others).unwrap();
            assert!((counted - dollars).abs() < 0.011, "{others} others: {counted}, {dollars}");
        }
    }
}
