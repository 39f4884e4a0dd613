//! Who may depend on whom inside the workspace. What is not written here is forbidden.

use std::process::Command;

const EDGES: &[(&str, &[&str])] = &[
    // Drives a browser in tests; it knows nothing of the house.
    ("houseway-browser", &[]),
    ("houseway-rules", &[]),
    ("houseway-fair", &["houseway-rules"]),
    ("houseway-odds", &["houseway-rules"]),
    ("houseway-table", &["houseway-rules"]),
    ("houseway-ledger", &["houseway-rules", "houseway-table"]),
    // Its tests turn on its own private PostgreSQL.
    ("houseway-store", &["houseway-ledger", "houseway-rules", "houseway-store", "houseway-table"]),
    ("houseway-simulate", &["houseway-odds", "houseway-rules", "houseway-table"]),
    (
        "houseway-server",
        &[
            "houseway-browser",
            "houseway-fair",
            "houseway-ledger",
            "houseway-odds",
            "houseway-rules",
            "houseway-store",
            "houseway-table",
        ],
    ),
    (
        "houseway-terminal",
        &[
            "houseway-fair",
            "houseway-odds",
            "houseway-rules",
            "houseway-server",
            "houseway-store",
            "houseway-table",
        ],
    ),
    (
        "houseway-cli",
        &[
            "houseway-ledger",
            "houseway-odds",
            "houseway-fair",
            "houseway-rules",
            "houseway-server",
            "houseway-simulate",
            "houseway-store",
            "houseway-table",
            "houseway-terminal",
        ],
    ),
    // Chores read everything and are used by nothing.
    ("houseway-bench", &["houseway-odds", "houseway-rules", "houseway-store", "houseway-table"]),
    // It knows the house by its sockets; a store is filled by a house inside it.
    (
        "houseway-load",
        &[
            "houseway-bench",
            "houseway-rules",
            "houseway-server",
            "houseway-store",
            "houseway-table",
        ],
    ),
    // Whole nights of the house, with nothing real around it; used by nothing.
    (
        "houseway-soak",
        &["houseway-fair", "houseway-rules", "houseway-server", "houseway-store", "houseway-table"],
    ),
    // It tries the house as a whole, on a disk that fails.
    (
        "houseway-trust",
        &[
            "houseway-fair",
            "houseway-ledger",
            "houseway-rules",
            "houseway-server",
            "houseway-store",
            "houseway-table",
        ],
    ),
    ("xtask", &["houseway-odds", "houseway-rules", "houseway-table"]),
];

#[test]
fn crates_depend_only_downwards() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .output()
        .expect("cargo can be run");
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let ours: Vec<&str> = packages.iter().filter_map(|it| it["name"].as_str()).collect();
    assert!(ours.len() >= EDGES.len(), "the workspace was read: {ours:?}");
    for package in packages {
        let name = package["name"].as_str().expect("a package has a name");
        let allowed = EDGES.iter().find(|(krate, _)| *krate == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{name} is not in EDGES"));
        for dependency in package["dependencies"].as_array().expect("a list") {
            let dependency = dependency["name"].as_str().expect("a name");
            assert!(
                !ours.contains(&dependency) || allowed.contains(&dependency),
                "{name} may not use {dependency}"
            );
        }
    }
}
