//! Every interruption of a round under every rulebook ends as the rules say.

use std::collections::BTreeSet;

use houseway_rules::houses;
use houseway_soak::matrix::{Break, Expected, RULES, When, all, rule};

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
    // Every line of the table has decided something.
    let expected: BTreeSet<Expected> = cells.iter().map(|cell| cell.expected).collect();
    assert_eq!(expected.len(), 5, "{expected:?}");
}

#[test]
fn the_table_has_a_line_for_every_cell() {
    use When::{Betting, Established, Offering, Setting, Undecided};
    for rulebook in houses::HOUSES {
        for broken in Break::ALL {
            for when in [Offering, Betting, Setting, Established, Undecided] {
                assert!(rule(&rulebook.id, broken, when).is_some(), "{broken:?} {when:?}");
            }
        }
    }
    // What is cited is a clause of its rulebook.
    for line in RULES {
        let (Some(rules), Some(clause)) = (line.rules, line.clause) else { continue };
        let rulebook = houses::find(rules).expect("a rulebook");
        assert!(rulebook.clause(clause).is_some(), "{rules} {clause}");
    }
}
