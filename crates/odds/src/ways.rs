//! Two ways to set every hand there is, compared: the House Way with the best setting, or with
//! another house's.
//!
//! For each of 6,972,147 classes of hands, every setting that can matter is counted against all
//! 53,524,680 hands of the other side. What the other side's ranks contribute depends on the own
//! ranks alone; what flush hands correct is a sum over the four suits, and a suit's share depends
//! only on the own cards in it, as a set of ranks, and on the ranks of the others. So each share is
//! counted once and looked up for every hand that has it.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use houseway_rules::rulebook::Rulebook;
use houseway_rules::{
    CardSet, Dealt, HandKey, HouseWay, LowStrength, Ranking, Setting, Strength, Suit, classes,
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::advice::Advisor;
use crate::bankers::{Bankers, Signed, WinLose, Worth};
use crate::dominance::{Rule, Tree};
use crate::game::{self, Counted, Outcomes, Stake};
use crate::pairs::{Mixed, canonical};
use crate::progress::Progress;
use crate::ranks::RankCounts;
use crate::{BANKER_HANDS, Seat};

/// The House Way and another way to set, each over all deals against a House Way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// Each hand set the House Way.
    pub house_way: Outcomes,
    /// Each hand set the other way, by the clause that would have set it the House Way.
    pub other: Counted,
    /// Where the two ways are worth something else, what matters most first.
    pub differences: Vec<Difference>,
}

impl Compared {
    /// How many of all hands are worth more or less the other way.
    pub fn hands_set_otherwise(&self) -> u64 {
        self.differences.iter().map(|it| it.hands).sum()
    }
}

/// The hands that one clause sets, and where two houses are compared one of the other's, that the
/// two ways make something else of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The clause of the House Way, by its place on the sheet.
    pub clause: usize,
    /// The other house's clause, by its place on the other sheet.
    pub other: Option<usize>,
    /// How many hands.
    pub hands: u64,
    /// What the other way gains on the House Way, in hundredths of a wager over all deals:
    /// frequency times cost.
    pub gain: i64,
    /// The combinations of ranks that contribute most, the most first.
    pub most: Vec<Example>,
}

/// Hands of the same ranks that two ways make something else of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// One of them.
    pub cards: CardSet,
    /// How many.
    pub hands: u64,
    /// What the other way gains, as in [`Difference::gain`].
    pub gain: i64,
    /// The Low hand of the House Way.
    pub low: CardSet,
    /// The Low hand of the other way.
    pub other_low: CardSet,
}

/// How many combinations of ranks are kept as examples of a difference.
const EXAMPLES: usize = 10;

/// The House Way compared with the setting that is worth most, ties to the House Way. The other
/// side sets the House Way.
pub fn optimal(rulebook: &Rulebook, seat: Seat, stake: Stake, progress: &Progress) -> Compared {
    compare(rulebook, seat, stake, Way::Best, progress)
}

/// The House Way of a rulebook compared with another's, both played at one seat under the first.
///
/// Both are counted by the first's ranking and payoff, against the other side's House Way. At the
/// banker's seat that is what it costs or brings a house to set by another sheet.
pub fn against(rulebook: &Rulebook, other: &Rulebook, seat: Seat, progress: &Progress) -> Compared {
    let other = HouseWay::new(other);
    compare(rulebook, seat, Stake::at(rulebook, seat), Way::HouseWay(&other), progress)
}

/// The best setting of every hand, looked up. Making it takes most of a minute and a gigabyte; it
/// answers a million times a second, where an [`Advisor`] answers five hundred times.
pub struct Best {
    ranking: Ranking,
    table: Table,
    /// The flush hands, by [`canonical`].
    flushes: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
}

impl Best {
    /// The best settings of a player under a rulebook.
    pub fn new(rulebook: &Rulebook, progress: &Progress) -> Best {
        let house_way = HouseWay::new(rulebook);
        let (ranking, seat) = (rulebook.ranking(), Seat::Player);
        let asking = Asking { house_way: &house_way, ranking, way: Way::Best, seat };
        let table = Table::new(rulebook, asking, progress);
        let flushes = table.flushes.iter().zip(0..);
        let flushes = flushes.map(|(hand, place)| (canonical(hand.cards), place)).collect();
        Best { ranking, table, flushes }
    }

    /// The setting that is worth most; of equal ones the House Way.
    pub fn set(&self, dealt: Dealt, stake: Stake) -> Setting {
        let cards = dealt.cards();
        let wanted = if HandKey::of(cards).has_flush() {
            let hand = &self.table.flushes[self.flushes[&canonical(cards)] as usize];
            hand.asked.best(stake, |place| self.table.flush_outcomes[hand.first + place])
        } else {
            let (of_ranks, lanes) = self.table.find(cards);
            of_ranks.asked.best(stake, |place| self.table.outcomes(of_ranks, &lanes, place))
        };
        let mut settings = dealt.legal_settings(self.ranking);
        let found = settings.find(|&setting| Worth::of(setting, self.ranking) == wanted);
        found.expect("an option is a legal setting's worth")
    }
}

/// Another way to set than the House Way.
#[derive(Clone, Copy)]
enum Way<'a> {
    Best,
    HouseWay(&'a HouseWay<'a>),
}

fn compare(
    rulebook: &Rulebook,
    seat: Seat,
    stake: Stake,
    way: Way<'_>,
    progress: &Progress,
) -> Compared {
    let house_way = HouseWay::new(rulebook);
    let asking = Asking { house_way: &house_way, ranking: rulebook.ranking(), way, seat };
    let table = Table::new(rulebook, asking, progress);
    let parts: Vec<classes::Part> = classes::parts().collect();
    let last = progress.part(5, parts.len());
    let new = || Sum::new(rulebook.house_way.len(), rulebook.ranking(), stake);
    let without_flush = parts
        .par_iter()
        .map(|part| {
            let mut sum = new();
            part.each(|dealt, weight| {
                if !HandKey::of(dealt.cards()).has_flush() {
                    let (of_ranks, lanes) = table.find(dealt.cards());
                    let counted = |place: usize| table.outcomes(of_ranks, &lanes, place);
                    sum.add((dealt.cards(), weight), &of_ranks.asked, counted);
                }
            });
            last.done(1);
            sum
        })
        .reduce(new, Sum::plus);
    let with_flush = table
        .flushes
        .par_iter()
        .fold(new, |mut sum, hand| {
            let counted = |place: usize| table.flush_outcomes[hand.first + place];
            sum.add((hand.cards, hand.weight), &hand.asked, counted);
            sum
        })
        .reduce(new, Sum::plus);
    let sum = without_flush.plus(with_flush);
    let lows = Lows::new(rulebook, asking, stake);
    Compared {
        house_way: sum.house_way,
        differences: sum.differences(&lows),
        other: Counted::from_cells(&sum.other),
    }
}

/// Finds the cards behind an example.
struct Lows<'a> {
    asking: Asking<'a>,
    advisor: Advisor<'a>,
    stake: Stake,
}

impl<'a> Lows<'a> {
    fn new(rulebook: &'a Rulebook, asking: Asking<'a>, stake: Stake) -> Lows<'a> {
        Lows { asking, advisor: Advisor::at(rulebook, asking.seat), stake }
    }

    /// The Low hands of the two ways.
    fn of(&self, cards: CardSet) -> [CardSet; 2] {
        let dealt = Dealt::new(cards).expect("a class has seven cards");
        let other = match self.asking.way {
            Way::HouseWay(other) => set(other, dealt).1,
            Way::Best => self.advisor.advise(dealt, self.stake)[0].setting,
        };
        [set(self.asking.house_way, dealt).1.low(), other.low()]
    }
}

/// What two ways make of some hands: how many, and what the other gains.
#[derive(Clone, Copy, Default)]
struct Gap {
    hands: u64,
    gain: i64,
    /// The class that contributes most, and how much.
    most: (i64, CardSet),
}

impl Gap {
    /// Of equal classes the first by its cards is kept, so that the answer does not depend on how
    /// the work was shared out.
    fn plus(self, other: Gap) -> Gap {
        let key = |gap: &Gap| (gap.most.0.abs(), gap.most.1.to_string());
        let ahead = other.hands > 0 && (self.hands == 0 || key(&other) > key(&self));
        Gap {
            hands: self.hands + other.hands,
            gain: self.gain + other.gain,
            most: if ahead { other.most } else { self.most },
        }
    }
}

/// The clauses of both ways and the ranks of some hands.
type Kind = (u16, Option<u16>, RankCounts);

/// What hands come to together.
struct Sum {
    ranking: Ranking,
    stake: Stake,
    /// By the place of the clause and the category.
    other: Vec<Outcomes>,
    house_way: Outcomes,
    gaps: HashMap<Kind, Gap, BuildHasherDefault<Mixed>>,
}

impl Sum {
    fn new(clauses: usize, ranking: Ranking, stake: Stake) -> Sum {
        Sum {
            ranking,
            stake,
            other: vec![Outcomes::default(); game::cells(clauses)],
            house_way: Outcomes::default(),
            gaps: HashMap::default(),
        }
    }

    fn add(
        &mut self,
        (cards, weight): (CardSet, u32),
        asked: &Asked,
        counted: impl Fn(usize) -> Outcomes,
    ) {
        let counted = |place: usize| match asked.pushes[place] {
            true => Outcomes { win: 0, push: BANKER_HANDS, lose: 0 },
            false => counted(place),
        };
        let stake = self.stake;
        let value = |outcomes: Outcomes| outcomes.value(stake).gain;
        let own = counted(asked.house);
        let (mut chosen, mut gain) = (own, value(own));
        match asked.other {
            Some(place) => {
                chosen = counted(place);
                gain = value(chosen);
            }
            None => {
                for place in (0..asked.options.len()).filter(|&place| place != asked.house) {
                    let outcomes = counted(place);
                    let other = value(outcomes);
                    if other > gain {
                        (chosen, gain) = (outcomes, other);
                    }
                }
            }
        }
        let hands = u64::from(weight);
        let gain = i64::try_from(gain - value(own)).expect("of 53,524,680 banker hands");
        if gain != 0 {
            let gain = gain * i64::from(weight);
            let kind = (asked.clause, asked.other_clause, RankCounts::of(cards));
            let gap = self.gaps.entry(kind).or_default();
            *gap = gap.plus(Gap { hands, gain, most: (gain, cards) });
        }
        let category = self.ranking.category(self.ranking.seven(HandKey::of(cards)));
        let cell = &mut self.other[game::cell(asked.clause as usize, category)];
        *cell = cell.plus(chosen, hands);
        self.house_way = self.house_way.plus(own, hands);
    }

    fn plus(mut self, mut other: Sum) -> Sum {
        if self.gaps.len() < other.gaps.len() {
            std::mem::swap(&mut self.gaps, &mut other.gaps);
        }
        for (kind, gap) in other.gaps {
            let sum = self.gaps.entry(kind).or_default();
            *sum = sum.plus(gap);
        }
        for (sum, part) in self.other.iter_mut().zip(other.other) {
            *sum = sum.plus(part, 1);
        }
        self.house_way = self.house_way.plus(other.house_way, 1);
        self
    }

    /// What was gained, by clauses; what matters most first.
    fn differences(&self, lows: &Lows<'_>) -> Vec<Difference> {
        let mut by_clause: HashMap<(u16, Option<u16>), Vec<Gap>> = HashMap::new();
        for (&(clause, other, _), &gap) in &self.gaps {
            by_clause.entry((clause, other)).or_default().push(gap);
        }
        let mut differences: Vec<Difference> = by_clause
            .into_iter()
            .map(|((clause, other), mut gaps)| {
                gaps.sort_by_key(|gap| (-gap.gain.abs(), gap.most.1.to_string()));
                let example = |gap: &Gap| {
                    let [low, other_low] = lows.of(gap.most.1);
                    let (cards, hands, gain) = (gap.most.1, gap.hands, gap.gain);
                    Example { cards, hands, gain, low, other_low }
                };
                Difference {
                    clause: clause.into(),
                    other: other.map(usize::from),
                    hands: gaps.iter().map(|gap| gap.hands).sum(),
                    gain: gaps.iter().map(|gap| gap.gain).sum(),
                    most: gaps.iter().take(EXAMPLES).map(example).collect(),
                }
            })
            .collect();
        differences.sort_by_key(|it| (-it.gain.abs(), it.clause, it.other));
        differences
    }
}

/// What is asked about hands.
#[derive(Clone, Copy)]
struct Asking<'a> {
    house_way: &'a HouseWay<'a>,
    ranking: Ranking,
    way: Way<'a>,
    seat: Seat,
}

/// The settings of a hand that can matter.
struct Asked {
    clause: u16,
    other_clause: Option<u16>,
    options: Vec<Worth>,
    /// Which of them push whatever the other side holds.
    pushes: Vec<bool>,
    /// The place of the House Way.
    house: usize,
    /// The place of the other way, unless it is the best of all.
    other: Option<usize>,
}

impl Asked {
    /// The option that is worth most to a player; of equal ones the House Way.
    fn best(&self, stake: Stake, counted: impl Fn(usize) -> Outcomes) -> Worth {
        let value = |place: usize| (counted(place).value(stake).gain, place == self.house);
        let best = (0..self.options.len()).max_by_key(|&place| value(place));
        self.options[best.expect("a hand has a setting")]
    }
}

impl Asking<'_> {
    /// For the best setting, those that no other outdoes in both hands.
    fn about(self, rule: Rule, dealt: Dealt) -> Asked {
        let worth = |setting: Setting| Worth::of(setting, self.ranking);
        let pushes = |hands: &Worth| self.seat == Seat::Banker && rule.pushes(hands.low);
        let (clause, setting) = set(self.house_way, dealt);
        let mut kept: Vec<Worth> = vec![];
        let place_of = |kept: &mut Vec<Worth>, own: Worth| {
            kept.iter().position(|&hands| hands == own).unwrap_or_else(|| {
                kept.push(own);
                kept.len() - 1
            })
        };
        let (mut other, mut other_clause) = (None, None);
        match self.way {
            Way::Best => {
                // A setting that pushes everything is outdone by none and outdoes none.
                let (pushing, mut all): (Vec<Worth>, Vec<Worth>) =
                    dealt.legal_settings(self.ranking).map(worth).partition(pushes);
                all.sort_unstable_by(|a, b| b.cmp(a));
                for hands in all {
                    if kept.last().is_none_or(|last| hands.high > last.high) {
                        kept.push(hands);
                    }
                }
                kept.extend(pushing.first());
            }
            Way::HouseWay(way) => {
                let (clause, setting) = set(way, dealt);
                other = Some(place_of(&mut kept, worth(setting)));
                other_clause = Some(clause as u16);
            }
        }
        let house = place_of(&mut kept, worth(setting));
        Asked {
            clause: clause as u16,
            other_clause,
            pushes: kept.iter().map(pushes).collect(),
            options: kept.into_iter().map(|hands| self.seat.worth(hands)).collect(),
            house,
            other,
        }
    }
}

/// Wins and losses, each with the slot it belongs to.
type Slotted = Vec<(usize, WinLose)>;

/// The hands of one combination of ranks without a flush.
struct OfRanks {
    counts: RankCounts,
    asked: Asked,
    /// What the other side's ranks contribute: wins and losses an option.
    by_ranks: Vec<WinLose>,
    /// Where the shares of its suits start in the table of shares.
    first: usize,
}

/// A class of hands in which five cards have one suit.
struct Flush {
    cards: CardSet,
    weight: u32,
    asked: Asked,
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

/// Which share is wanted: of a suit in which one holds these ranks, beside the others.
struct Query {
    others: RankCounts,
    hands: Worth,
    slot: usize,
}

/// A suit's ranks in the own hand, and whether the joker is there.
type Held = (u16, bool);

impl Table {
    fn new(rulebook: &Rulebook, asking: Asking<'_>, progress: &Progress) -> Table {
        let bankers = Bankers::of(rulebook, asking.seat);
        let rule = game::rule(rulebook);
        let flushes = flush_hands(asking, rule);
        let mut extra: HashMap<RankCounts, Vec<(Worth, usize)>, BuildHasherDefault<Mixed>> =
            HashMap::default();
        for hand in &flushes {
            let wanted = extra.entry(RankCounts::of(hand.cards)).or_default();
            wanted.extend(hand.asked.options.iter().copied().zip(hand.first..));
        }
        // What ranks contribute, to hands without a flush and to those with one.
        let combinations = RankCounts::of_size(7);
        let first = progress.part(60, combinations.len());
        let counted: Vec<(OfRanks, Slotted)> = combinations
            .into_par_iter()
            .map(|counts| {
                let asked = asking.about(rule, counts.without_flush());
                let more = extra.get(&counts).map_or(&[][..], Vec::as_slice);
                let options = asked.options.iter().copied();
                let wanted: Vec<Worth> =
                    options.chain(more.iter().map(|&(hands, _)| hands)).collect();
                let mut answers = bankers.count_by_ranks(counts, &wanted);
                let of_flushes = answers.split_off(asked.options.len());
                let of_flushes = more.iter().map(|&(_, slot)| slot).zip(of_flushes).collect();
                first.done(1);
                (OfRanks { counts, asked, by_ranks: answers, first: 0 }, of_flushes)
            })
            .collect();
        let total: usize = flushes.iter().map(|hand| hand.asked.options.len()).sum();
        let mut flush_sums = vec![(0, 0); total];
        let mut of_ranks = Vec::with_capacity(counted.len());
        let mut next = 0;
        for (mut it, of_flushes) in counted {
            for (slot, sums) in of_flushes {
                flush_sums[slot] = sums;
            }
            it.first = next;
            next += it.asked.options.len() << it.counts.natural_ranks().count_ones();
            of_ranks.push(it);
        }
        let shares = count_shares(&bankers, &of_ranks, next, progress);
        count_flush_shares(&bankers, &flushes, &mut flush_sums, progress);
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
            .map(|suit| it.first + place_within(cards.suit(suit), ranks) * it.asked.options.len());
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

fn flush_hands(asking: Asking<'_>, rule: Rule) -> Vec<Flush> {
    let parts: Vec<classes::Part> = classes::parts().collect();
    let mut found: Vec<Flush> = parts
        .par_iter()
        .flat_map_iter(|part| {
            let mut found = vec![];
            part.each(|dealt, weight| {
                if HandKey::of(dealt.cards()).has_flush() {
                    let asked = asking.about(rule, dealt);
                    found.push(Flush { cards: dealt.cards(), weight, asked, first: 0 });
                }
            });
            found
        })
        .collect();
    let mut next = 0;
    for hand in &mut found {
        hand.first = next;
        next += hand.asked.options.len();
    }
    found
}

/// The shares of every suit of every hand without a flush: at most four cards of it, or three
/// beside the joker.
fn count_shares(
    bankers: &Bankers,
    of_ranks: &[OfRanks],
    size: usize,
    progress: &Progress,
) -> Vec<WinLose> {
    let held: Vec<Held> = (0..1u16 << 13)
        .filter(|ranks| ranks.count_ones() <= 4)
        .flat_map(|ranks| [(ranks, false), (ranks, true)])
        .filter(|(ranks, joker)| ranks.count_ones() + u32::from(*joker) <= 4)
        .collect();
    let part = progress.part(25, held.len());
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
                let options = &it.asked.options;
                let first = it.first + place_within(ranks, own) * options.len();
                queries.extend(options.iter().zip(first..).map(|(&hands, slot)| Query {
                    others,
                    hands,
                    slot,
                }));
            }
            let answers = answer(bankers, (ranks, joker), queries);
            part.done(1);
            answers
        })
        .collect();
    let mut shares = vec![(0, 0); size];
    for (slot, share) in counted.into_iter().flatten() {
        shares[slot] = share;
    }
    shares
}

/// Adds the shares of the four suits to what ranks contribute to hands with a flush.
fn count_flush_shares(
    bankers: &Bankers,
    flushes: &[Flush],
    sums: &mut [WinLose],
    progress: &Progress,
) {
    let mut queries: HashMap<Held, Vec<Query>> = HashMap::new();
    for hand in flushes {
        let (counts, joker) = (RankCounts::of(hand.cards), hand.cards.has_joker());
        for suit in Suit::ALL {
            let ranks = hand.cards.suit(suit);
            let others = counts.without_one_of(ranks);
            let wanted = hand.asked.options.iter().zip(hand.first..);
            let list = queries.entry((ranks, joker)).or_default();
            list.extend(wanted.map(|(&hands, slot)| Query { others, hands, slot }));
        }
    }
    let queries: Vec<(Held, Vec<Query>)> = queries.into_iter().collect();
    let part = progress.part(10, queries.len());
    let counted: Vec<Slotted> = queries
        .into_par_iter()
        .map(|(held, queries)| {
            let answers = answer(bankers, held, queries);
            part.done(1);
            answers
        })
        .collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_rules::houses;

    /// A banker's 9-high Low hand pushes everything, which can be worth more than any other
    /// setting: it is among those that are counted, though others outdo it in both hands.
    #[test]
    fn a_push_is_never_outdone() {
        let mut rulebook = Rulebook::clone(&houses::CATFISH_BEND);
        rulebook.nine_high_push = Some("B7".into());
        let house_way = HouseWay::new(&rulebook);
        let dealt = "2c 3d 4h 5s 6c Td 9h".parse().expect("seven cards");
        let asked = |seat| {
            let ranking = rulebook.ranking();
            let asking = Asking { house_way: &house_way, ranking, way: Way::Best, seat };
            asking.about(game::rule(&rulebook), dealt)
        };
        let pushing = |asked: &Asked| asked.pushes.iter().filter(|pushes| **pushes).count();
        assert_eq!(pushing(&asked(Seat::Banker)), 1);
        assert_eq!(pushing(&asked(Seat::Player)), 0);
        let advice = Advisor::at(&rulebook, Seat::Banker).advise(dealt, Stake::of(&rulebook));
        assert_eq!(advice[0].outcomes.push, BANKER_HANDS, "here it is worth most");
    }
}
