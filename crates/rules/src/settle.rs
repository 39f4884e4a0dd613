//! What wagers come to: two set hands compared, the commission, the bonus bets.
//!
//! Each answer names the clause that decides. Who pays whom, in which order and out of what is the
//! table's to say.

use core::cmp::Ordering;

use crate::bonus::{BonusHand, BonusStrength};
use crate::card::Rank;
use crate::money::Cents;
use crate::ranking::{LowStrength, PerHand, Strength};
use crate::rulebook::{Envy, Fortune, PayLine, Rulebook, Text};
use crate::setting::Dealt;

/// A hand's two strengths as it is set.
pub type Strengths = PerHand<Strength, LowStrength>;

/// What becomes of a standard wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Outcome {
    /// Both hands are higher than the banker's.
    Win,
    /// One hand each, or the banker's Low hand pushes everything.
    Push,
    /// Neither hand is higher than the banker's.
    Lose,
}

/// Two set hands compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// What becomes of the wager.
    pub outcome: Outcome,
    /// The player's High and Low hand against the banker's; equal is a copy, which the banker
    /// wins.
    pub hands: PerHand<Ordering, Ordering>,
    /// The clause that decides.
    pub clause: &'a Text,
    /// The clause on copies, where there was one.
    pub copy: Option<&'a Text>,
}

impl Rulebook {
    /// Compares a player's set hand with the banker's.
    ///
    /// ```
    /// use houseway_rules::settle::Outcome;
    /// use houseway_rules::{houses, set_house_way};
    ///
    /// let rules = &houses::MBS_2020;
    /// let [player, banker] = ["Kc Kh 5s 4h Ac 6d 2s", "Qc Qh Ts 4d Ad 6s 3s"].map(|cards| {
    ///     set_house_way(rules, cards.parse().unwrap()).setting.strengths(rules.ranking())
    /// });
    /// let verdict = rules.compare(player, banker);
    /// assert_eq!((verdict.outcome, &**verdict.clause), (Outcome::Push, "3.20"));
    /// ```
    pub fn compare(&self, player: Strengths, banker: Strengths) -> Verdict<'_> {
        let hands =
            PerHand { high: player.high.cmp(&banker.high), low: player.low.cmp(&banker.low) };
        let higher = |order: Ordering| order == Ordering::Greater;
        let words = &self.comparison;
        let (outcome, clause) =
            match (self.pushes(banker.low), higher(hands.high), higher(hands.low)) {
                (Some(clause), ..) => (Outcome::Push, clause),
                (None, true, true) => (Outcome::Win, &words.win),
                (None, false, false) => (Outcome::Lose, &words.lose),
                _ => (Outcome::Push, &words.standoff),
            };
        let copies = hands.high == Ordering::Equal || hands.low == Ordering::Equal;
        Verdict { outcome, hands, clause, copy: copies.then_some(&words.copy) }
    }

    /// The clause by which a banker's Low hand pushes every standard wager, if it does.
    pub fn pushes(&self, banker: LowStrength) -> Option<&Text> {
        self.nine_high_push.as_ref().filter(|_| is_nine_high(banker))
    }

    /// The commission on a standard wager's win, in whole dollars (R6), beside a Fortune Bonus wager, and the clause that
    /// takes or waives it. Nothing where the house takes none.
    pub fn commission_on(&self, win: Cents, fortune: Cents) -> Option<(Cents, &Text)> {
        let commission = self.commission.as_ref()?;
        match &commission.waived_by_fortune {
            Some(waiver) if fortune >= waiver.is => Some((Cents::ZERO, &waiver.cite)),
            _ => {
                let part = win.percent(commission.percent);
                Some((part.expect("a percentage of whole dollars is exact (R6)"), &commission.cite))
            }
        }
    }
}

/// Whether a Low hand is two unpaired cards headed by a 9.
pub fn is_nine_high(low: LowStrength) -> bool {
    LowStrength::headed_by(Rank::Nine).contains(&low)
}

/// What becomes of a Fortune Bonus wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonus<'a> {
    /// It is paid by this line.
    Paid(&'a PayLine),
    /// It would be paid, but the banker's bonus hand is not lower; the clause that returns it.
    Returned(&'a PayLine, &'a Text),
    /// The seven cards are no paid hand.
    Lost,
}

impl Rulebook {
    /// Judges a Fortune Bonus wager on seven cards, beside the banker's.
    pub fn judge_fortune(&self, own: Dealt, banker: Dealt) -> Bonus<'_> {
        let Some(line) = self.fortune.best(own) else { return Bonus::Lost };
        let strength = |dealt: Dealt| BonusStrength::of(dealt, self.ranking());
        match &self.fortune.only_above_banker {
            Some(clause) if strength(banker) >= strength(own) => Bonus::Returned(line, clause),
            _ => Bonus::Paid(line),
        }
    }
}

impl Fortune {
    /// What Envy pays for a hand.
    pub fn envy(&self, hand: BonusHand) -> Option<Cents> {
        self.line(hand)?.envy
    }
}

impl Envy {
    /// Whether a Fortune Bonus wager carries Envy.
    pub fn is_carried_by(&self, fortune: Cents) -> bool {
        fortune > Cents::ZERO && fortune >= self.fortune_at_least
    }

    /// Whether a hand brings Envy to others whose player has so much on the Fortune Bonus.
    pub fn is_for_hands_with(&self, fortune: Cents) -> bool {
        !self.other_must_bet_fortune || fortune > Cents::ZERO
    }

    /// The clause that keeps Envy for another's hand from a player, if one does: for what the
    /// banker holds, or for what the player holds.
    pub fn bars(
        &self,
        fortune: &Fortune,
        own: Option<BonusHand>,
        other: BonusHand,
        banker: Option<BonusHand>,
    ) -> Option<&str> {
        if banker.is_some_and(|hand| fortune.envy(hand).is_some())
            && let Some(clause) = &self.none_if_banker_holds
        {
            return Some(clause);
        }
        match own? {
            BonusHand::SevenCardStraightFlush => self.none_with_own_straight_flush.as_deref(),
            BonusHand::RoyalMatch if other <= BonusHand::RoyalMatch => {
                self.higher_only_with_own_royal_match.as_deref()
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house_way::set_house_way;
    use crate::houses;

    fn strengths(rulebook: &Rulebook, cards: &str) -> Strengths {
        set_house_way(rulebook, cards.parse().expect(cards)).setting.strengths(rulebook.ranking())
    }

    /// Win, lose, push and copies, each with its clause.
    #[test]
    fn hands_are_compared_with_their_clause() {
        let rules = &houses::CATFISH_BEND;
        let verdict = |player, banker| {
            let it = rules.compare(strengths(rules, player), strengths(rules, banker));
            (it.outcome, it.clause.as_ref(), it.copy.is_some())
        };
        let kings = "Kc Kd Ah Qs 9c 5d 3h";
        assert_eq!(verdict(kings, "Jc Jd Qh Ts 9d 5h 3s").0, Outcome::Win);
        assert_eq!(verdict("Jc Jd Qh Ts 9d 5h 3s", kings).0, Outcome::Lose);
        // The same ranks in other suits: both hands are copies, and the banker wins them.
        assert_eq!(verdict(kings, "Kh Ks Ad Qc 9s 5h 3c"), (Outcome::Lose, "B7", true));
        // One copied, one won.
        assert_eq!(verdict(kings, "Tc Td Ad Qc 9s 5h 3c"), (Outcome::Push, "B7", true));
        // One copied, one lost.
        assert_eq!(verdict("Tc Td Ad Qc 9s 5h 3c", kings), (Outcome::Lose, "B7", true));
    }

    /// A 9-high Low hand of the banker's pushes what would win; a pair of nines is none.
    #[test]
    fn nine_high_pushes_in_one_house_only() {
        let banker = "Tc 9d 7h 5s 4c 3d 2h";
        let player = "Kc Kd Ah Qs 9c 5d 3h";
        let outcome = |rules: &'static Rulebook| {
            let verdict = rules.compare(strengths(rules, player), strengths(rules, banker));
            (verdict.outcome, verdict.clause.as_ref())
        };
        assert_eq!(outcome(&houses::COMMISSION_FREE), (Outcome::Push, "F9"));
        assert_eq!(outcome(&houses::CARDROOM).0, Outcome::Win);
        assert!(!is_nine_high(LowStrength::of(Rank::Nine, Rank::Nine)));
        assert!(!is_nine_high(LowStrength::of(Rank::Ten, Rank::Nine)));
        assert!(is_nine_high(LowStrength::of(Rank::Nine, Rank::Two)));
    }

    #[test]
    fn commission_is_five_percent_unless_waived() {
        let dollars = Cents::dollars;
        let catfish = &houses::CATFISH_BEND;
        let on = |rules: &'static Rulebook, fortune| {
            rules.commission_on(dollars(25), dollars(fortune)).map(|(it, clause)| (it, &**clause))
        };
        assert_eq!(on(catfish, 4), Some((Cents::new(125), "B8")));
        assert_eq!(on(catfish, 5), Some((Cents::ZERO, "B2")));
        assert_eq!(on(&houses::CARDROOM, 5), None);
    }

    /// `cardroom` returns a bonus that is not above the Designated Player's.
    #[test]
    fn a_bonus_is_paid_returned_or_lost() {
        let flush = "Ah Kh 9h 5h 2h Qc 8s".parse().unwrap();
        let nothing = "Ac Kd Js 9h 7c 4d 3s".parse().unwrap();
        let quads = "7c 7d 7h 7s Ac Kd 2c".parse().unwrap();
        let judged = |own, banker| match houses::CARDROOM.judge_fortune(own, banker) {
            Bonus::Paid(line) => ("paid", line.pays, ""),
            Bonus::Returned(line, clause) => ("returned", line.pays, clause.as_ref()),
            Bonus::Lost => ("lost", 0, ""),
        };
        assert_eq!(judged(flush, nothing), ("paid", 4, ""));
        assert_eq!(judged(flush, quads), ("returned", 4, "C12"));
        assert_eq!(judged(flush, flush), ("returned", 4, "C12"));
        assert_eq!(judged(nothing, quads), ("lost", 0, ""));
        assert!(matches!(houses::MBS_2020.judge_fortune(flush, quads), Bonus::Paid(_)));
    }

    /// Where the wheel is the second highest straight, it beats a king-high one for the bonus too.
    #[test]
    fn bonus_straights_compare_by_the_houses_wheel() {
        let wheel = "Ac 2d 3h 4s 5c 9d Jh".parse().unwrap();
        let king_high = "Kc Qd Jh Ts 9c 4d 2h".parse().unwrap();
        let mut rules = Rulebook::clone(&houses::CARDROOM);
        assert!(matches!(rules.judge_fortune(wheel, king_high), Bonus::Returned(..)));
        rules.wheel.is = crate::Wheel::SecondHighest;
        assert!(matches!(rules.judge_fortune(wheel, king_high), Bonus::Paid(_)));
    }

    #[test]
    fn envy_is_barred_as_the_clauses_say() {
        use BonusHand::{FourOfAKind, RoyalMatch, SevenCardStraightFlush};
        let rules = &houses::MBS_2020;
        let envy = rules.envy.as_ref().expect("it has Envy");
        let bars = |own, other, banker| envy.bars(&rules.fortune, own, other, banker);
        assert_eq!(bars(None, RoyalMatch, None), None);
        assert_eq!(bars(None, RoyalMatch, Some(FourOfAKind)), None);
        assert_eq!(bars(None, RoyalMatch, Some(RoyalMatch)), Some("3.24.1"));
        assert_eq!(bars(Some(SevenCardStraightFlush), RoyalMatch, None), Some("3.24.2"));
        assert_eq!(bars(Some(RoyalMatch), RoyalMatch, None), Some("3.24.3"));
        assert_eq!(bars(Some(RoyalMatch), SevenCardStraightFlush, None), None);
        assert!(envy.is_carried_by(Cents::dollars(1)) && !envy.is_carried_by(Cents::ZERO));
        assert!(envy.is_for_hands_with(Cents::ZERO));
        let free = houses::COMMISSION_FREE.envy.as_ref().expect("it has Envy");
        assert!(!free.is_for_hands_with(Cents::ZERO) && !free.is_carried_by(Cents::dollars(4)));
        let catfish = &houses::CATFISH_BEND;
        let envy = catfish.envy.as_ref().expect("it has Envy");
        let own = Some(SevenCardStraightFlush);
        assert_eq!(envy.bars(&catfish.fortune, own, RoyalMatch, own), None);
    }
}
