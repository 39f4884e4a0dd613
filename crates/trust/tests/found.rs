//! Inputs that once broke a decoder do so no more, and good ones are read.

use houseway_trust::bad_input::TARGETS;
use houseway_trust::hunt::found;

#[test]
fn what_was_found_breaks_nothing_any_more() {
    for target in TARGETS {
        let good = (target.seeds)();
        assert!(!good.is_empty(), "{}", target.name);
        for input in good.iter().chain(&found(target).expect("files")) {
            (target.run)(input);
        }
    }
}
