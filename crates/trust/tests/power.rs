//! Power failures are looked at with eyes that see: nothing is lost on a disk that keeps what it
//! confirms, and something is on one that lies.
#![cfg(target_os = "linux")]

use std::process::Command;

use serde_json::Value;

/// What a few images of an evening come to.
fn power_loss(more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_houseway-trust"))
        .args(["power-loss", "--images", "60", "--json"])
        .args(more)
        .output()
        .expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}{}", String::from_utf8_lossy(&output.stdout));
    serde_json::from_slice(&output.stdout).expect("one object")
}

#[test]
fn nothing_is_lost_on_a_disk_that_keeps_what_it_confirms() {
    let outcome = power_loss(&[]);
    assert_eq!(outcome["holds"], true);
    assert_eq!(outcome["figures"]["faults"], 0);
    assert!(outcome["figures"]["acknowledged_examined"].as_u64() >= Some(30), "{outcome}");
}

#[test]
fn a_disk_that_lies_is_found_out() {
    let outcome = power_loss(&["--lying"]);
    assert_eq!(outcome["holds"], true);
    assert!(outcome["figures"]["faults"].as_u64() > Some(0), "{outcome}");
    assert!(outcome["figures"]["early"].as_u64() > Some(0), "{outcome}");
}
