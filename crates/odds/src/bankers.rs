//! The banker's hands as they fall around seven known cards.
//!
//! Of 46 cards left, 53,524,680 hands can be dealt to the banker. None is enumerated: hands without
//! a flush are counted by ranks, 67,600 combinations at most; for those in which five cards have
//! one suit, the flush suit's cards and the ranks of the others are enough.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{
    Card, CardSet, Dealt, LowStrength, Rank, Ranking, Setting, Strength, Suit, set_house_way,
};
use rayon::prelude::*;

use crate::Seat;
use crate::dominance::Rule;
use crate::game;
use crate::pairs::Mixed;
use crate::ranks::{CHOOSE, KINDS, RankCounts, in_deck};

/// Wins and losses, or what corrects them.
pub(crate) type WinLose = (i64, i64);

/// What a hand is worth as it is set: the classes of its Low and High hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Worth {
    pub(crate) low: u8,
    pub(crate) high: u16,
}

impl Worth {
    pub(crate) fn of(setting: Setting, ranking: Ranking) -> Worth {
        let hands = setting.strengths(ranking);
        Worth { low: hands.low.index() as u8, high: hands.high.index() as u16 }
    }
}

impl Seat {
    /// What a hand counts for at this seat where the higher one wins: a banker wins equal hands,
    /// as if both were one class higher.
    pub(crate) const fn worth(self, Worth { low, high }: Worth) -> Worth {
        match self {
            Seat::Player => Worth { low, high },
            Seat::Banker => Worth { low: low + 1, high: high + 1 },
        }
    }
}

/// The ranks of the cards that a flush hand has in other suits: none, one or two.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct OtherRanks {
    ranks: [u8; 2],
    count: u8,
}

impl OtherRanks {
    /// In how many ways they can be dealt beside those held in other suits.
    fn ways(self, held: RankCounts) -> i64 {
        let left = |rank: u8| CHOOSE[3 - held.count(rank as usize)][1];
        let [a, b] = self.ranks;
        match self.count {
            0 => 1,
            1 => left(a),
            _ if a == b => left(a) * (left(a) - 1) / 2,
            _ => left(a) * left(b),
        }
    }
}

/// All hands of a banker who sets the House Way.
pub(crate) struct Bankers {
    /// What ranks alone are worth, in the order in which [`RankCounts::each_with`] visits them.
    by_ranks: Vec<Worth>,
    /// Hands in which five cards have one suit and that makes a difference.
    flushes: Vec<Lane>,
    /// The same by the cards in other suits.
    kinds: Vec<KindOfOthers>,
    rule: Rule,
}

/// Flush hands with the same ranks in other suits, as signed points sorted by Low hand.
pub(crate) struct KindOfOthers {
    ranks: OtherRanks,
    pub(crate) points: Vec<Signed>,
}

/// What a flush hand adds to what ranks are worth, or takes away from it.
#[derive(Clone, Copy)]
pub(crate) struct Signed {
    /// The ranks in the flush suit, and whether the joker is there.
    pub(crate) lane: u16,
    pub(crate) joker: bool,
    pub(crate) low: u8,
    pub(crate) high: u16,
    pub(crate) sign: i64,
}

impl KindOfOthers {
    /// In how many ways these cards can be dealt beside those held in other suits.
    pub(crate) fn ways(&self, held: RankCounts) -> i64 {
        self.ranks.ways(held)
    }
}

/// The hands with these ranks in the flush suit.
struct Lane {
    ranks: u16,
    joker: bool,
    others: Vec<Others>,
}

/// Those with these ranks in other suits: what such a hand is worth, and what its ranks alone are.
struct Others {
    ranks: OtherRanks,
    worth: Worth,
    by_ranks: Worth,
}

impl Bankers {
    /// Those that someone at this seat plays against: they set the House Way.
    ///
    /// A player's hand must be higher to win, a banker's only not lower; [`Seat::worth`] sees to
    /// that, so that the other side can be counted alike.
    pub(crate) fn of(rulebook: &Rulebook, seat: Seat) -> Bankers {
        let ranking = rulebook.ranking();
        // Each combination is asked for once, so there is nothing to gain from a `HouseWay`.
        let worth = |dealt: Dealt| Worth::of(set_house_way(rulebook, dealt).setting, ranking);
        let combinations = RankCounts::of_size(7);
        let by_ranks: Vec<Worth> =
            combinations.par_iter().map(|counts| worth(counts.without_flush())).collect();
        let given: HashMap<RankCounts, Worth, BuildHasherDefault<Mixed>> =
            combinations.into_iter().zip(by_ranks.iter().copied()).collect();
        let lanes: Vec<(u16, bool)> = (0..1u16 << 13)
            .flat_map(|ranks| [(ranks, false), (ranks, true)])
            .filter(|&(ranks, joker)| (5..=7).contains(&(ranks.count_ones() + u32::from(joker))))
            .collect();
        let flushes: Vec<Lane> = lanes
            .par_iter()
            .map(|&(ranks, joker)| Lane {
                ranks,
                joker,
                others: others(ranks, joker, &given, &worth),
            })
            .filter(|lane| !lane.others.is_empty())
            .collect();
        let rule = match seat {
            Seat::Player => game::rule(rulebook),
            Seat::Banker => Rule { push_low: None },
        };
        let kinds = by_others(&flushes, rule);
        Bankers { by_ranks, flushes, kinds, rule }
    }

    /// Flush hands by their cards in other suits.
    pub(crate) fn kinds_of_others(&self) -> &[KindOfOthers] {
        &self.kinds
    }

    /// How many hands, by what their ranks are worth, a setting beats and loses to, beside seven
    /// cards of these ranks; for each of some settings.
    pub(crate) fn count_by_ranks(&self, held: RankCounts, settings: &[Worth]) -> Vec<WinLose> {
        let mut bins = Bins::new(settings, self.rule);
        self.each_by_ranks(held, |worth, hands| bins.add(worth, hands));
        bins.answers(settings)
    }

    /// How many hands a setting beats and loses to beside these seven cards; for each of some
    /// settings.
    pub(crate) fn count(&self, known: CardSet, settings: &[Worth]) -> Vec<WinLose> {
        let mut bins = Bins::new(settings, self.rule);
        self.each_by_ranks(RankCounts::of(known), |worth, hands| bins.add(worth, hands));
        for suit in Suit::ALL {
            self.each_flush(known, suit, &mut |worth, hands| bins.add(worth, hands));
        }
        bins.answers(settings)
    }

    fn each_by_ranks(&self, held: RankCounts, mut visit: impl FnMut(Worth, i64)) {
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
    }

    /// Visits what flush hands of a suit correct, as a positive and a negative number of hands.
    fn each_flush(&self, known: CardSet, suit: Suit, visit: &mut impl FnMut(Worth, i64)) {
        let own = known.suit(suit);
        let held = RankCounts::of(known).without_one_of(own);
        for lane in &self.flushes {
            if lane.ranks & own != 0 || lane.joker && known.has_joker() {
                continue;
            }
            for others in &lane.others {
                let ways = others.ranks.ways(held);
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
            found.push(Others { ranks: OtherRanks { ranks, count }, worth: own, by_ranks });
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

fn by_others(flushes: &[Lane], rule: Rule) -> Vec<KindOfOthers> {
    let mut kinds: Vec<KindOfOthers> = vec![];
    let mut places: HashMap<OtherRanks, usize> = HashMap::new();
    for lane in flushes {
        for others in &lane.others {
            let place = *places.entry(others.ranks).or_insert_with(|| {
                kinds.push(KindOfOthers { ranks: others.ranks, points: vec![] });
                kinds.len() - 1
            });
            for (worth, sign) in [(others.worth, 1), (others.by_ranks, -1)] {
                if !rule.pushes(worth.low) {
                    let Worth { low, high } = worth;
                    let point = Signed { lane: lane.ranks, joker: lane.joker, low, high, sign };
                    kinds[place].points.push(point);
                }
            }
        }
    }
    for kind in &mut kinds {
        kind.points.sort_unstable_by_key(|point| point.low);
    }
    kinds
}

/// Hands in bins between the Low and High hands of some settings.
struct Bins {
    rule: Rule,
    lows: Vec<u8>,
    highs: Vec<u16>,
    bin_of_low: Vec<u8>,
    bin_of_high: Vec<u16>,
    cells: Vec<i64>,
}

impl Bins {
    fn new(settings: &[Worth], rule: Rule) -> Bins {
        let mut lows: Vec<u8> = settings.iter().map(|worth| worth.low).collect();
        let mut highs: Vec<u16> = settings.iter().map(|worth| worth.high).collect();
        lows.sort_unstable();
        lows.dedup();
        highs.sort_unstable();
        highs.dedup();
        let bin_of_low = (0..LowStrength::CLASSES as u8)
            .map(|low| lows.partition_point(|&other| other <= low) as u8)
            .collect();
        let mut bin_of_high = Vec::with_capacity(Strength::CLASSES);
        let mut bin = 0;
        for high in 0..Strength::CLASSES as u16 {
            bin += u16::from(highs.get(bin as usize).is_some_and(|&other| other <= high));
            bin_of_high.push(bin);
        }
        let cells = vec![0; (lows.len() + 1) * (highs.len() + 1)];
        Bins { rule, lows, highs, bin_of_low, bin_of_high, cells }
    }

    /// Adds hands, unless such a Low hand pushes.
    fn add(&mut self, worth: Worth, hands: i64) {
        if self.rule.pushes(worth.low) {
            return;
        }
        let row = self.bin_of_low[worth.low as usize] as usize * (self.highs.len() + 1);
        self.cells[row + self.bin_of_high[worth.high as usize] as usize] += hands;
    }

    /// What each setting beats and loses to.
    fn answers(mut self, settings: &[Worth]) -> Vec<WinLose> {
        self.add_up();
        settings.iter().map(|&worth| self.win_and_lose(worth)).collect()
    }

    /// Makes each cell the sum of all up to it.
    fn add_up(&mut self) {
        let width = self.highs.len() + 1;
        for place in 0..self.cells.len() {
            let (row, column) = (place / width, place % width);
            let left = if column > 0 { self.cells[place - 1] } else { 0 };
            let above = if row > 0 { self.cells[place - width] } else { 0 };
            let corner = if row > 0 && column > 0 { self.cells[place - width - 1] } else { 0 };
            self.cells[place] += left + above - corner;
        }
    }

    fn win_and_lose(&self, Worth { low, high }: Worth) -> WinLose {
        let width = self.highs.len() + 1;
        let row = self.lows.partition_point(|&other| other < low);
        let column = self.highs.partition_point(|&other| other < high);
        let last = self.lows.len();
        let up_to = |row: usize, column: usize| self.cells[row * width + column];
        let win = up_to(row, column);
        let lose = up_to(last, width - 1) - up_to(row, width - 1) - up_to(last, column) + win;
        (win, lose)
    }
}
