//! Lets libFuzzer loose on one decoder: the one that `HOUSEWAY_TARGET` names.

#![no_main]

use std::sync::LazyLock;

use houseway_trust::bad_input::{Target, target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("HOUSEWAY_TARGET").unwrap_or_default();
    target(&name).unwrap_or_else(|| panic!("HOUSEWAY_TARGET names no decoder: `{name}`"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
