//! House Ways counted over all 154,143,080 hands: which clause decides how many, and where two
//! houses part.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::classes;
use crate::house_way::{Clause, HouseWay, SheetError};
use crate::ranking::Ranking;
use crate::rulebook::Rulebook;
use crate::setting::{Dealt, Setting};

/// How many hands something applies to, and one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of hands, exact.
    pub hands: u64,
    /// One of them, always the same one.
    pub example: Option<Dealt>,
    /// What the example was chosen by.
    mark: u64,
}

impl Tally {
    fn add(&mut self, dealt: Dealt, weight: u32) {
        self.hands += u64::from(weight);
        let mark = mark(dealt, weight);
        if self.example.is_none() || mark < self.mark {
            (self.example, self.mark) = (Some(dealt), mark);
        }
    }
}

/// A number that looks random, so that examples are ordinary hands and not extreme ones. Classes
/// that stand for many hands come before the rest.
fn mark(dealt: Dealt, weight: u32) -> u64 {
    let mixed = dealt.cards().natural_lanes().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed >> 5 | u64::from(24 - weight) << 59
}

/// How many hands each clause of a sheet decides, in the sheet's order.
///
/// It is also the proof that the sheet is complete: every hand has a clause, and none fouls.
///
/// ```
/// use houseway_rules::{houses, survey};
///
/// let rulebook = &houses::CARDROOM;
/// let tallies = survey::clauses(&rulebook.house_way, rulebook.ranking()).unwrap();
/// assert_eq!(tallies.iter().map(|tally| tally.hands).sum::<u64>(), 154_143_080);
/// ```
pub fn clauses(sheet: &[Clause], ranking: Ranking) -> Result<Vec<Tally>, SheetError<'_>> {
    let house_way = HouseWay::of_sheet(sheet, ranking)?;
    let mut tallies = alloc::vec![Tally::default(); sheet.len()];
    let mut fault = None;
    for part in classes::parts() {
        part.each(|dealt, weight| match house_way.try_set_numbered(dealt) {
            Ok((clause, _)) => tallies[clause].add(dealt, weight),
            Err(error) => fault = fault.or(Some(error)),
        });
        if let Some(error) = fault {
            return Err(error);
        }
    }
    Ok(tallies)
}

/// Hands that two houses set differently, for the same pair of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting<'a> {
    /// How many hands, and one of them.
    pub tally: Tally,
    /// The clause of each house.
    pub clauses: [&'a Clause; 2],
    /// The example as each house sets it.
    pub settings: [Setting; 2],
}

/// Where two houses set hands differently: by pairs of clauses, the most hands first.
///
/// ```
/// use houseway_rules::{houses, survey};
///
/// assert!(survey::partings(&houses::MBS_2016, &houses::MBS_2020).is_empty());
/// let partings = survey::partings(&houses::MBS_2020, &houses::CATFISH_BEND);
/// assert_eq!(partings[0].clauses.map(|clause| &*clause.id), ["A.2", "B32"]);
/// ```
///
/// # Panics
/// If a rulebook's sheet leaves a hand out.
pub fn partings<'a>(a: &'a Rulebook, b: &'a Rulebook) -> Vec<Parting<'a>> {
    let house_ways = [HouseWay::new(a), HouseWay::new(b)];
    let mut tallies: BTreeMap<[usize; 2], Tally> = BTreeMap::new();
    for part in classes::parts() {
        part.each(|dealt, weight| {
            let [a, b] = [0, 1].map(|house| {
                house_ways[house].try_set_numbered(dealt).expect("a rulebook sets every hand")
            });
            if a.1.low() != b.1.low() {
                tallies.entry([a.0, b.0]).or_default().add(dealt, weight);
            }
        });
    }
    let mut partings: Vec<Parting<'a>> = tallies
        .into_values()
        .map(|tally| {
            let dealt = tally.example.expect("a parting has an example");
            let [a, b] = house_ways.each_ref().map(|house_way| house_way.set(dealt));
            let settings = [a.setting, b.setting];
            Parting { tally, clauses: [a.clause, b.clause], settings }
        })
        .collect();
    partings.sort_by_key(|parting| core::cmp::Reverse(parting.tally.hands));
    partings
}
