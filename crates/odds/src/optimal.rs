//! The best setting of every hand there is.
//!
//! For each of 6,972,147 classes of hands, every setting that no other outdoes in both hands is
//! counted against all 53,524,680 banker hands. What the banker's ranks contribute depends on the
//! player's ranks alone; what flush hands correct is a sum over the four suits, and a suit's share
//! depends only on the player's cards in it, as a set of ranks, and on the ranks of the others. So
//! each share is counted once and looked up for every hand that has it.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{
    CardSet, Clause, Dealt, HandKey, HouseWay, LowStrength, Ranking, Setting, Strength, Suit,
    classes,
};
use rayon::prelude::*;

use crate::bankers::{Bankers, Signed, WinLose, Worth};
use crate::dominance::Tree;
use crate::game::{Outcomes, Stake};
use crate::pairs::Mixed;
use crate::ranks::RankCounts;

/// The game of a player who always sets best, and of one who sets the House Way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimal<'a> {
    /// Over all deals, each hand set the way that is worth most; ties go to the House Way.
    pub best: Outcomes,
    /// Over all deals, each hand set the House Way.
    pub house_way: Outcomes,
    /// What each clause of the House Way gives away, the most first.
    pub given_away: Vec<GivenAway<'a>>,
}

impl Optimal<'_> {
    /// How many of all hands are better set otherwise than the House Way.
    pub fn hands_set_otherwise(&self) -> u64 {
        self.given_away.iter().map(|it| it.hands).sum()
    }
}

/// What a clause gives away against the best setting, over all deals in which it sets the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenAway<'a> {
    /// The clause.
    pub clause: &'a Clause,
    /// How many hands it sets worse than they could be set.
    pub hands: u64,
    /// What that costs, in hundredths of a wager over all deals: frequency times cost.
    pub cost: i128,
    /// The hand, up to a change of suits, that contributes most to it.
    pub example: Dealt,
}

/// What the player's optimal setting comes to against a banker who sets the House Way.
pub fn optimal(rulebook: &Rulebook, stake: Stake) -> Optimal<'_> {
    let table = Table::new(rulebook);
    let sheet = &*rulebook.house_way;
    let parts: Vec<classes::Part> = classes::parts().collect();
    let without_flush = parts
        .par_iter()
        .map(|part| {
            let mut sum = Sum::new(sheet.len());
            part.each(|dealt, weight| {
                if !HandKey::of(dealt.cards()).has_flush() {
                    let (of_ranks, lanes) = table.find(dealt.cards());
                    let counted = |place: usize| table.outcomes(of_ranks, &lanes, place);
                    let hand = Hand { cards: dealt.cards(), weight, clause: of_ranks.clause };
                    sum.add(hand, of_ranks.options.len(), of_ranks.house, stake, counted);
                }
            });
            sum
        })
        .reduce(|| Sum::new(sheet.len()), Sum::plus);
    let with_flush = table
        .flushes
        .par_iter()
        .map(|hand| {
            let mut sum = Sum::new(sheet.len());
            let counted = |place: usize| table.flush_outcomes[hand.first + place];
            sum.add(hand.hand, hand.options.len(), hand.house, stake, counted);
            sum
        })
        .reduce(|| Sum::new(sheet.len()), Sum::plus);
    let Sum { best, house_way, clauses } = without_flush.plus(with_flush);
    let mut given_away: Vec<GivenAway<'_>> = sheet
        .iter()
        .zip(clauses)
        .filter_map(|(clause, Loss { hands, cost, most })| {
            let example = Dealt::new(most?.1).expect("a class has seven cards");
            Some(GivenAway { clause, hands, cost, example })
        })
        .collect();
    given_away.sort_by_key(|it| std::cmp::Reverse(it.cost));
    Optimal { best, house_way, given_away }
}

/// A class of hands, and the place of the clause that sets it the House Way.
#[derive(Clone, Copy)]
struct Hand {
    cards: CardSet,
    weight: u32,
    clause: usize,
}

/// What a clause gives away.
#[derive(Clone, Copy, Default)]
struct Loss {
    hands: u64,
    cost: i128,
    /// The class that contributes most, and how much.
    most: Option<(i128, CardSet)>,
}

impl Loss {
    fn plus(self, other: Loss) -> Loss {
        let most = match (self.most, other.most) {
            (Some(a), Some(b)) if more(b, a) => Some(b),
            (None, b) => b,
            (a, _) => a,
        };
        Loss { hands: self.hands + other.hands, cost: self.cost + other.cost, most }
    }
}

/// Whether a class contributes more than another; of equal ones the first by its cards, so that
/// the answer does not depend on how the work was shared out.
fn more(a: (i128, CardSet), b: (i128, CardSet)) -> bool {
    a.0 > b.0 || a.0 == b.0 && a.1.to_string() > b.1.to_string()
}

/// What hands come to together.
struct Sum {
    best: Outcomes,
    house_way: Outcomes,
    /// By the place of the clause.
    clauses: Vec<Loss>,
}

impl Sum {
    fn new(clauses: usize) -> Sum {
        let (best, house_way) = (Outcomes::default(), Outcomes::default());
        Sum { best, house_way, clauses: vec![Loss::default(); clauses] }
    }

    fn add(
        &mut self,
        hand: Hand,
        options: usize,
        house: usize,
        stake: Stake,
        counted: impl Fn(usize) -> Outcomes,
    ) {
        let own = counted(house);
        let own_gain = own.value(stake).gain;
        let (mut best, mut gain) = (own, own_gain);
        for place in (0..options).filter(|&place| place != house) {
            let outcomes = counted(place);
            let other = outcomes.value(stake).gain;
            if other > gain {
                (best, gain) = (outcomes, other);
            }
        }
        let weight = u64::from(hand.weight);
        if gain > own_gain {
            let cost = (gain - own_gain) * i128::from(weight);
            let loss = &mut self.clauses[hand.clause];
            *loss = loss.plus(Loss { hands: weight, cost, most: Some((cost, hand.cards)) });
        }
        self.best = self.best.plus(best, weight);
        self.house_way = self.house_way.plus(own, weight);
    }

    fn plus(self, other: Sum) -> Sum {
        let clauses = self.clauses.into_iter().zip(other.clauses).map(|(a, b)| a.plus(b));
        Sum {
            best: self.best.plus(other.best, 1),
            house_way: self.house_way.plus(other.house_way, 1),
            clauses: clauses.collect(),
        }
    }
}

/// Wins and losses, each with the slot it belongs to.
type Slotted = Vec<(usize, WinLose)>;

/// The settings of a hand that no other outdoes in both hands, and the House Way; its place.
fn options(dealt: Dealt, ranking: Ranking, house: Setting) -> (Vec<Worth>, usize) {
    let mut all: Vec<Worth> =
        dealt.legal_settings(ranking).map(|setting| Worth::of(setting, ranking)).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    let mut kept: Vec<Worth> = vec![];
    for hands in all {
        if kept.last().is_none_or(|last| hands.high > last.high) {
            kept.push(hands);
        }
    }
    let own = Worth::of(house, ranking);
    let place = kept.iter().position(|&hands| hands == own).unwrap_or_else(|| {
        kept.push(own);
        kept.len() - 1
    });
    (kept, place)
}

/// The hands of one combination of ranks without a flush.
struct OfRanks {
    counts: RankCounts,
    clause: usize,
    options: Vec<Worth>,
    house: usize,
    /// What the banker's ranks contribute: wins and losses an option.
    by_ranks: Vec<WinLose>,
    /// Where the shares of its suits start in the table of shares.
    first: usize,
}

/// A class of hands in which five cards have one suit.
struct Flush {
    hand: Hand,
    options: Vec<Worth>,
    house: usize,
    /// Where its outcomes start.
    first: usize,
}

struct Table {
    of_ranks: Vec<OfRanks>,
    places: HashMap<RankCounts, u32, BuildHasherDefault<Mixed>>,
    /// Wins and losses that a suit's share of flush hands corrects.
    shares: Vec<WinLose>,
    flushes: Vec<Flush>,
    flush_outcomes: Vec<Outcomes>,
}

/// Which share is wanted: of a suit in which the player holds these ranks, beside the others.
struct Query {
    others: RankCounts,
    hands: Worth,
    slot: usize,
}

/// A suit's ranks in the player's hand, and whether the player holds the joker.
type Held = (u16, bool);

impl Table {
    fn new(rulebook: &Rulebook) -> Table {
        let bankers = Bankers::new(rulebook);
        let house_way = HouseWay::new(rulebook);
        let ranking = rulebook.ranking();
        let flushes = flush_hands(&house_way, ranking);
        let mut extra: HashMap<RankCounts, Vec<(Worth, usize)>, BuildHasherDefault<Mixed>> =
            HashMap::default();
        for hand in &flushes {
            let wanted = extra.entry(RankCounts::of(hand.hand.cards)).or_default();
            wanted.extend(hand.options.iter().copied().zip(hand.first..));
        }
        // What ranks contribute, to hands without a flush and to those with one.
        let counted: Vec<(OfRanks, Slotted)> = RankCounts::of_size(7)
            .into_par_iter()
            .map(|counts| {
                let dealt = counts.without_flush();
                let (clause, setting) = set(&house_way, dealt);
                let (options, house) = options(dealt, ranking, setting);
                let more = extra.get(&counts).map_or(&[][..], Vec::as_slice);
                let asked: Vec<Worth> =
                    options.iter().copied().chain(more.iter().map(|&(hands, _)| hands)).collect();
                let mut answers = bankers.count_by_ranks(counts, &asked);
                let of_flushes = answers.split_off(options.len());
                let of_flushes = more.iter().map(|&(_, slot)| slot).zip(of_flushes).collect();
                (
                    OfRanks { counts, clause, options, house, by_ranks: answers, first: 0 },
                    of_flushes,
                )
            })
            .collect();
        let total: usize = flushes.iter().map(|hand| hand.options.len()).sum();
        let mut flush_sums = vec![(0, 0); total];
        let mut of_ranks = Vec::with_capacity(counted.len());
        let mut next = 0;
        for (mut it, of_flushes) in counted {
            for (slot, sums) in of_flushes {
                flush_sums[slot] = sums;
            }
            it.first = next;
            next += it.options.len() << it.counts.natural_ranks().count_ones();
            of_ranks.push(it);
        }
        let shares = count_shares(&bankers, &of_ranks, next);
        count_flush_shares(&bankers, &flushes, &mut flush_sums);
        let flush_outcomes = flush_sums.into_iter().map(Outcomes::of_banker_hands).collect();
        let places = of_ranks.iter().zip(0..).map(|(it, place)| (it.counts, place)).collect();
        Table { of_ranks, places, shares, flushes, flush_outcomes }
    }

    /// The combination of a hand's ranks, and where its suits' shares lie.
    fn find(&self, cards: CardSet) -> (&OfRanks, [usize; 4]) {
        let counts = RankCounts::of(cards);
        let it = &self.of_ranks[self.places[&counts] as usize];
        let ranks = counts.natural_ranks();
        let lanes = Suit::ALL
            .map(|suit| it.first + place_within(cards.suit(suit), ranks) * it.options.len());
        (it, lanes)
    }

    fn outcomes(&self, it: &OfRanks, lanes: &[usize; 4], place: usize) -> Outcomes {
        let shares = lanes.iter().map(|lane| self.shares[lane + place]);
        Outcomes::of_banker_hands(shares.fold(it.by_ranks[place], plus))
    }
}

fn plus(a: WinLose, b: WinLose) -> WinLose {
    (a.0 + b.0, a.1 + b.1)
}

/// The number of a subset among those of a set: its bits pushed together.
fn place_within(subset: u16, set: u16) -> usize {
    let (mut place, mut bit, mut rest) = (0, 0, set);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        place |= usize::from(subset & lowest != 0) << bit;
        bit += 1;
        rest ^= lowest;
    }
    place
}

/// The House Way of a hand, and the place of its clause.
fn set(house_way: &HouseWay<'_>, dealt: Dealt) -> (usize, Setting) {
    house_way.try_set_numbered(dealt).expect("a rulebook sets every hand")
}

fn flush_hands(house_way: &HouseWay<'_>, ranking: Ranking) -> Vec<Flush> {
    let parts: Vec<classes::Part> = classes::parts().collect();
    let mut found: Vec<Flush> = parts
        .par_iter()
        .flat_map_iter(|part| {
            let mut found = vec![];
            part.each(|dealt, weight| {
                if HandKey::of(dealt.cards()).has_flush() {
                    let (clause, setting) = set(house_way, dealt);
                    let (options, house) = options(dealt, ranking, setting);
                    let hand = Hand { cards: dealt.cards(), weight, clause };
                    found.push(Flush { hand, options, house, first: 0 });
                }
            });
            found
        })
        .collect();
    let mut next = 0;
    for hand in &mut found {
        hand.first = next;
        next += hand.options.len();
    }
    found
}

/// The shares of every suit of every hand without a flush: at most four cards of it, or three
/// beside the joker.
fn count_shares(bankers: &Bankers, of_ranks: &[OfRanks], size: usize) -> Vec<WinLose> {
    let held: Vec<Held> = (0..1u16 << 13)
        .filter(|ranks| ranks.count_ones() <= 4)
        .flat_map(|ranks| [(ranks, false), (ranks, true)])
        .filter(|(ranks, joker)| ranks.count_ones() + u32::from(*joker) <= 4)
        .collect();
    let counted: Vec<Slotted> = held
        .par_iter()
        .map(|&(ranks, joker)| {
            let mut queries = vec![];
            for it in of_ranks {
                let own = it.counts.natural_ranks();
                if own & ranks != ranks || (it.counts.count(13) == 1) != joker {
                    continue;
                }
                let others = it.counts.without_one_of(ranks);
                // Four of a rank have one in every suit.
                if (0..13).any(|kind| others.count(kind) > 3) {
                    continue;
                }
                let first = it.first + place_within(ranks, own) * it.options.len();
                queries.extend(it.options.iter().zip(first..).map(|(&hands, slot)| Query {
                    others,
                    hands,
                    slot,
                }));
            }
            answer(bankers, (ranks, joker), queries)
        })
        .collect();
    let mut shares = vec![(0, 0); size];
    for (slot, share) in counted.into_iter().flatten() {
        shares[slot] = share;
    }
    shares
}

/// Adds the shares of the four suits to what ranks contribute to hands with a flush.
fn count_flush_shares(bankers: &Bankers, flushes: &[Flush], sums: &mut [WinLose]) {
    let mut queries: HashMap<Held, Vec<Query>> = HashMap::new();
    for hand in flushes {
        let (counts, joker) = (RankCounts::of(hand.hand.cards), hand.hand.cards.has_joker());
        for suit in Suit::ALL {
            let ranks = hand.hand.cards.suit(suit);
            let others = counts.without_one_of(ranks);
            let wanted = hand.options.iter().zip(hand.first..);
            let list = queries.entry((ranks, joker)).or_default();
            list.extend(wanted.map(|(&hands, slot)| Query { others, hands, slot }));
        }
    }
    let queries: Vec<(Held, Vec<Query>)> = queries.into_iter().collect();
    let counted: Vec<Slotted> =
        queries.into_par_iter().map(|(held, queries)| answer(bankers, held, queries)).collect();
    for (slot, share) in counted.into_iter().flatten() {
        sums[slot] = plus(sums[slot], share);
    }
}

/// Answers all queries about one holding: for each kind of other cards that banker hands may have,
/// how many flush hands are below a setting, times the ways those other cards can be dealt.
fn answer(bankers: &Bankers, (ranks, joker): Held, mut queries: Vec<Query>) -> Slotted {
    queries.sort_unstable_by_key(|query| query.hands.low);
    let mut sums = vec![(0, 0); queries.len()];
    let mut below = Below::new();
    let mut points: Vec<Signed> = vec![];
    for others in bankers.kinds_of_others() {
        points.clear();
        points.extend(
            others.points.iter().filter(|point| point.lane & ranks == 0 && !(joker && point.joker)),
        );
        if points.is_empty() {
            continue;
        }
        below.start(&points);
        let mut next = 0;
        for (query, sum) in queries.iter().zip(&mut sums) {
            let Worth { low, high } = query.hands;
            while let Some(point) = points.get(next).filter(|point| point.low < low) {
                below.tree.insert(point.high, point.sign);
                next += 1;
            }
            let ways = others.ways(query.others);
            if ways > 0 {
                let (win, lose) = below.win_and_lose(low, high);
                *sum = plus(*sum, (win * ways, lose * ways));
            }
        }
    }
    queries.iter().map(|query| query.slot).zip(sums).collect()
}

/// Signed points below a setting: in its Low hand, in its High hand, and in both.
struct Below {
    /// Sums of all points by Low and by High hand.
    lows: Vec<i64>,
    highs: Vec<i64>,
    /// Sums over High hands of the points inserted so far, as a tree.
    tree: Tree,
}

impl Below {
    fn new() -> Below {
        Below {
            lows: vec![0; LowStrength::CLASSES + 1],
            highs: vec![0; Strength::CLASSES + 1],
            tree: Tree::new(),
        }
    }

    fn start(&mut self, points: &[Signed]) {
        self.lows.fill(0);
        self.highs.fill(0);
        self.tree.clear();
        for point in points {
            self.lows[point.low as usize + 1] += point.sign;
            self.highs[point.high as usize + 1] += point.sign;
        }
        for sums in [&mut self.lows, &mut self.highs] {
            let mut sum = 0;
            for place in sums.iter_mut() {
                sum += *place;
                *place = sum;
            }
        }
    }

    fn win_and_lose(&self, low: u8, high: u16) -> WinLose {
        let both = self.tree.sum_below(high);
        let neither =
            self.highs[Strength::CLASSES] - self.lows[low as usize] - self.highs[high as usize]
                + both;
        (both, neither)
    }
}
