//! Hands set by hand from the documents, against both versions of each House Way.

mod common;

use common::check;
use houseway_rules::houses;

/// `house | seven cards | Low cards | clause` in each line that is not a remark.
const VECTORS: &str = include_str!("vectors.txt");

#[test]
fn every_hand_is_set_as_written() {
    let lines = VECTORS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut hands = [0; 5];
    for line in lines {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [house, cards, low, clause] = fields[..] else { panic!("four fields: `{line}`") };
        let place = houses::HOUSES.iter().position(|rulebook| rulebook.id == house);
        let place = place.unwrap_or_else(|| panic!("one of the five houses: `{line}`"));
        check(houses::HOUSES[place], cards, low, clause);
        hands[place] += 1;
    }
    // No house has lost its part of the file.
    assert!(hands.iter().sum::<usize>() >= 410, "{hands:?}");
    assert!(hands.into_iter().all(|count| count > 60), "{hands:?}");
}
