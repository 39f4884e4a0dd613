//! Every interruption of a round under every rulebook ends as the rules say.

use std::collections::BTreeSet;

use houseway_rules::houses;
use houseway_soak::matrix::When::{Betting, Established, Offering, Setting, Undecided};
use houseway_soak::matrix::{Break, RULES, When, all, line};

/// Wherever a round can stand.
const WHEN: [When; 5] = [Offering, Betting, Setting, Established, Undecided];

#[test]
fn every_interruption_ends_as_the_rules_say() {
    let cells = all();
    let wrong: Vec<String> =
        cells.iter().filter(|cell| cell.wrong.is_some()).map(ToString::to_string).collect();
    assert_eq!(wrong, Vec::<String>::new());
    for rulebook in houses::HOUSES {
        for broken in Break::ALL {
            let count = cells.iter().filter(|it| it.rules == rulebook.id && it.broken == broken);
            assert!(count.count() >= 8, "{} {broken:?}: every boundary", rulebook.id);
        }
    }
    // Nearly wherever the power failed, somebody had something on the disk that was not confirmed.
    let cut: Vec<bool> =
        cells.iter().filter(|it| it.broken == Break::PowerLoss).map(|it| it.lost > 0).collect();
    let lost = cut.iter().filter(|lost| **lost).count();
    assert!(lost * 4 > cut.len() * 3, "{lost} of {} power failures lost something", cut.len());
    // Every line of the table has decided something, and a round was broken wherever it can stand.
    let lines: BTreeSet<usize> = cells.iter().map(|cell| cell.line).collect();
    assert!(lines.into_iter().eq(0..RULES.len()), "every line of the table decides");
    let stood: BTreeSet<When> = cells.iter().map(|cell| cell.when).collect();
    assert_eq!(stood.into_iter().collect::<Vec<When>>(), WHEN);
}

#[test]
fn the_table_has_a_line_for_every_cell() {
    for rulebook in houses::HOUSES {
        for broken in Break::ALL {
            for when in WHEN {
                assert!(line(&rulebook.id, broken, when).is_some(), "{broken:?} {when:?}");
            }
        }
    }
    // What is cited is a clause of its rulebook.
    for rule in RULES {
        let (Some(rules), Some(clause)) = (rule.rules, rule.clause) else { continue };
        let rulebook = houses::find(rules).expect("a rulebook");
        assert!(rulebook.clause(clause).is_some(), "{rules} {clause}");
    }
}
