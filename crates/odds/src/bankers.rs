//! The banker's hands as they fall around seven known cards.
//!
//! Of 46 cards left, 53,524,680 hands can be dealt to the banker. None is enumerated: hands without
//! a flush are counted by ranks, 67,600 combinations at most; for those in which five cards have
//! one suit, the flush suit's cards and the ranks of the others are enough.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{Card, CardSet, Dealt, Rank, Suit, set_house_way};
use rayon::prelude::*;

use crate::dominance::Rule;
use crate::game;
use crate::pairs::Mixed;
use crate::ranks::{CHOOSE, KINDS, RankCounts, in_deck};

/// What a banker's hand is worth: the classes of its Low and High hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worth {
    pub(crate) low: u8,
    pub(crate) high: u16,
}

/// All hands of a banker who sets the House Way.
pub(crate) struct Bankers {
    /// What ranks alone are worth, in the order in which [`RankCounts::each_with`] visits them.
    by_ranks: Vec<Worth>,
    /// Hands in which five cards have one suit and that makes a difference.
    flushes: Vec<Lane>,
    pub(crate) rule: Rule,
}

/// The hands with these ranks in the flush suit.
struct Lane {
    ranks: u16,
    joker: bool,
    others: Vec<Others>,
}

/// Those with these ranks in other suits: what such a hand is worth, and what its ranks alone are.
struct Others {
    ranks: [u8; 2],
    count: u8,
    worth: Worth,
    by_ranks: Worth,
}

impl Bankers {
    pub(crate) fn new(rulebook: &Rulebook) -> Bankers {
        let ranking = rulebook.ranking();
        // Each combination is asked for once, so there is nothing to gain from a `HouseWay`.
        let worth = |dealt: Dealt| {
            let hands = set_house_way(rulebook, dealt).setting.strengths(ranking);
            Worth { low: hands.low.index() as u8, high: hands.high.index() as u16 }
        };
        let mut combinations = Vec::with_capacity(67_600);
        RankCounts::NONE.each_with(0, 7, (), &|(), _, _| (), &mut |counts, ()| {
            combinations.push(counts);
        });
        let by_ranks: Vec<Worth> =
            combinations.par_iter().map(|counts| worth(counts.without_flush())).collect();
        let given: HashMap<RankCounts, Worth, BuildHasherDefault<Mixed>> =
            combinations.into_iter().zip(by_ranks.iter().copied()).collect();
        let lanes: Vec<(u16, bool)> = (0..1u16 << 13)
            .flat_map(|ranks| [(ranks, false), (ranks, true)])
            .filter(|&(ranks, joker)| (5..=7).contains(&(ranks.count_ones() + u32::from(joker))))
            .collect();
        let flushes = lanes
            .par_iter()
            .map(|&(ranks, joker)| Lane {
                ranks,
                joker,
                others: others(ranks, joker, &given, &worth),
            })
            .filter(|lane| !lane.others.is_empty())
            .collect();
        Bankers { by_ranks, flushes, rule: game::rule(rulebook) }
    }

    /// Visits what the banker's hands are worth that can be dealt beside these cards, and how many
    /// there are of each; corrections come as a positive and a negative number.
    pub(crate) fn each(&self, known: CardSet, mut visit: impl FnMut(Worth, i64)) {
        let held = RankCounts::of(known);
        let left: [usize; KINDS] = std::array::from_fn(|kind| in_deck(kind) - held.count(kind));
        let mut next = 0;
        // The same order as when the worths were found, with none left out.
        RankCounts::NONE.each_with(
            0,
            7,
            1,
            &|ways: i64, kind, more| ways * CHOOSE[left[kind]][more],
            &mut |_, ways| {
                if ways > 0 {
                    visit(self.by_ranks[next], ways);
                }
                next += 1;
            },
        );
        for suit in Suit::ALL {
            self.each_flush(known, suit, &mut visit);
        }
    }

    fn each_flush(&self, known: CardSet, suit: Suit, visit: &mut impl FnMut(Worth, i64)) {
        let own = known.suit(suit);
        // How many cards of each rank are left in the other suits.
        let left: [i64; 13] = Rank::ALL.map(|rank| {
            let held = known.of_rank(rank).len() - usize::from(own >> rank as u16 & 1);
            CHOOSE[3 - held][1]
        });
        for lane in &self.flushes {
            if lane.ranks & own != 0 || lane.joker && known.has_joker() {
                continue;
            }
            for others in &lane.others {
                let [a, b] = others.ranks.map(usize::from);
                let ways = match others.count {
                    0 => 1,
                    1 => left[a],
                    _ if a == b => left[a] * (left[a] - 1) / 2,
                    _ => left[a] * left[b],
                };
                if ways > 0 {
                    visit(others.worth, ways);
                    visit(others.by_ranks, -ways);
                }
            }
        }
    }
}

/// The hands with a flush suit's ranks whose worth is not that of their ranks.
fn others(
    ranks: u16,
    joker: bool,
    given: &HashMap<RankCounts, Worth, BuildHasherDefault<Mixed>>,
    worth: &impl Fn(Dealt) -> Worth,
) -> Vec<Others> {
    let mut lane = if joker { CardSet::of(Card::JOKER) } else { CardSet::EMPTY };
    for rank in Rank::ALL.into_iter().filter(|&rank| ranks >> rank as u16 & 1 == 1) {
        lane = lane.with(Card::new(rank, Suit::Spades));
    }
    let mut found = vec![];
    let mut add = |cards: CardSet, ranks: [u8; 2], count: u8| {
        let dealt = Dealt::new(cards).expect("seven by construction");
        let (own, by_ranks) = (worth(dealt), given[&RankCounts::of(cards)]);
        if own != by_ranks {
            found.push(Others { ranks, count, worth: own, by_ranks });
        }
    };
    match 7 - lane.len() {
        0 => add(lane, [0; 2], 0),
        1 => {
            for a in Rank::ALL {
                add(lane.with(Card::new(a, Suit::Clubs)), [a as u8; 2], 1);
            }
        }
        _ => {
            for (place, &a) in Rank::ALL.iter().enumerate() {
                for &b in &Rank::ALL[..=place] {
                    let other = if a == b { Suit::Diamonds } else { Suit::Clubs };
                    let cards = lane.with(Card::new(a, Suit::Clubs)).with(Card::new(b, other));
                    add(cards, [a as u8, b as u8], 2);
                }
            }
        }
    }
    found
}
