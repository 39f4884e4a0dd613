//! Where the program comes from: a bill of materials, and a build that anyone can repeat.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::run;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Prints a bill of materials of the program in the form of `CycloneDX` 1.6: every crate that is
/// built into it, with version, licence, source and checksum, and who depends on whom.
pub(crate) fn sbom() -> Result<(), String> {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform"])
        .arg("x86_64-unknown-linux-gnu")
        .current_dir(ROOT)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: Value =
        serde_json::from_slice(&metadata.stdout).map_err(|error| format!("metadata: {error}"))?;
    let lock = fs::read_to_string(Path::new(ROOT).join("Cargo.lock"))
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let bill = bill(&metadata, &checksums(&lock))?;
    println!("{}", serde_json::to_string_pretty(&bill).expect("a bill is JSON"));
    Ok(())
}

fn bill(metadata: &Value, checksums: &BTreeMap<String, String>) -> Result<Value, String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|it| (text(&it["id"]), it)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|it| (text(&it["id"]), it)).collect();
    let root = packages.iter().find(|(_, it)| it["name"] == "houseway-cli");
    let (root, program) = root.ok_or("there is no houseway-cli")?;
    // What only tests and build scripts need is not in the program.
    let needed = |id: &str| -> Vec<String> {
        let all = nodes.get(id).map(|node| list(&node["deps"])).unwrap_or_default();
        let built_in = |it: &Value| list(&it["dep_kinds"]).iter().any(|it| it["kind"].is_null());
        all.iter().filter(|it| built_in(it)).map(|it| text(&it["pkg"])).collect()
    };
    let (mut seen, mut next) = (BTreeSet::from([root.clone()]), vec![root.clone()]);
    while let Some(id) = next.pop() {
        next.extend(needed(&id).into_iter().filter(|it| seen.insert(it.clone())));
    }
    let component = |id: &String| {
        let it = &packages[id];
        let (name, version) = (text(&it["name"]), text(&it["version"]));
        let mut component = json!({
            "type": "library", "bom-ref": format!("{name}@{version}"),
            "name": name, "version": version,
            "purl": format!("pkg:cargo/{name}@{version}"),
            "licenses": [{"expression": text(&it["license"]).replace('/', " OR ")}],
        });
        if let Some(checksum) = checksums.get(&format!("{name} {version}")) {
            component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
        }
        component
    };
    let reference = |id: &String| {
        let it = &packages[id];
        format!("{}@{}", text(&it["name"]), text(&it["version"]))
    };
    let dependencies = seen.iter().map(|id| {
        let on: BTreeSet<String> = needed(id).iter().map(reference).collect();
        json!({"ref": reference(id), "dependsOn": on})
    });
    let dependencies: Vec<Value> = dependencies.collect();
    Ok(json!({
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": reference(root), "name": "houseway",
            "version": program["version"],
            "licenses": [{"expression": program["license"]}],
        }},
        "components": seen.iter().filter(|id| *id != root).map(component).collect::<Vec<_>>(),
        "dependencies": dependencies,
    }))
}

/// The checksums of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let value = |part: &str, name: &str| {
        let line = part.lines().find_map(|line| line.strip_prefix(&format!("{name} = ")));
        line.map(|line| line.trim_matches('"').to_string())
    };
    let package = |part: &str| {
        let name = format!("{} {}", value(part, "name")?, value(part, "version")?);
        Some((name, value(part, "checksum")?))
    };
    lock.split("[[package]]").filter_map(package).collect()
}

/// Builds the program twice, in two folders with other names, and compares bit by bit.
pub(crate) fn reproducible() -> Result<(), String> {
    let place = std::env::temp_dir().join(format!("houseway-twice-{}", std::process::id()));
    let built =
        [place.join("one"), place.join("another/place/of/its/own")].map(|folder| build_in(&folder));
    let [one, other] = built;
    let (one, other) = (one?, other?);
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let (first, second) = (read(&one)?, read(&other)?);
    let sum = Command::new("sha256sum").args([&one, &other]).output();
    let sum = sum.map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
    let hashes = sum.map_err(|error| format!("sha256sum: {error}"))?;
    fs::remove_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    let differ = first.iter().zip(&second).filter(|(a, b)| a != b).count()
        + first.len().abs_diff(second.len());
    let hash = hashes.split(' ').next().unwrap_or_default();
    println!("row 27, reproducible build: {differ} of {} bytes differ, sha256 {hash}", first.len());
    println!("figures {}", json!({"differing-bytes": differ, "sha256": hash}));
    match differ {
        0 => Ok(()),
        _ => Err(format!("two builds of the same source differ:\n{hashes}")),
    }
}

/// The program, built from what is committed, in a folder of its own.
fn build_in(folder: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    run(Command::new("git")
        .args(["-C", ROOT, "worktree", "add", "--detach"])
        .arg(folder.join("source"))
        .arg("HEAD"))?;
    let source = folder.join("source");
    let built = run(Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--package", "houseway-cli"])
        .current_dir(&source)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .env("SOURCE_DATE_EPOCH", "0")
        .env("RUSTFLAGS", remapped(&source, &folder)));
    run(Command::new("git").args(["-C", ROOT, "worktree", "remove", "--force"]).arg(&source))?;
    built?;
    Ok(folder.join("target/release/houseway"))
}

/// Folders are called the same wherever they are.
fn remapped(source: &Path, folder: &Path) -> String {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))
        .unwrap_or_default();
    let one = |from: &str, to: &str| format!("--remap-path-prefix={from}={to}");
    let target = folder.join("target");
    [
        one(&home, "/cargo"),
        one(&folder.display().to_string(), "/build"),
        one(&target.display().to_string(), "/target"),
        one(&source.display().to_string(), "/houseway"),
    ]
    .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_found_by_name_and_version() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0\"\nchecksum = \"ff\"\n\n\
                    [[package]]\nname = \"own\"\nversion = \"0.1\"\n";
        assert_eq!(checksums(lock), BTreeMap::from([("a 1.0".into(), "ff".into())]));
    }

    #[test]
    fn a_bill_has_what_is_built_in_and_nothing_else() {
        let package = |name: &str| json!({"id": name, "name": name, "version": "1.0", "license": "MIT/Apache-2.0"});
        let on = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [package("houseway-cli"), package("a"), package("b"), package("test")],
            "resolve": {"nodes": [
                {"id": "houseway-cli", "deps": [on("a", Value::Null), on("test", json!("dev"))]},
                {"id": "a", "deps": [on("b", Value::Null)]},
                {"id": "b", "deps": []},
                {"id": "test", "deps": []},
            ]},
        });
        let bill = bill(&metadata, &BTreeMap::from([("a 1.0".into(), "ff".into())])).expect("one");
        let names: Vec<&str> = bill["components"]
            .as_array()
            .expect("some")
            .iter()
            .filter_map(|it| it["name"].as_str())
            .collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(bill["components"][0]["hashes"][0]["content"], "ff");
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["dependencies"][1], json!({"ref": "b@1.0", "dependsOn": []}));
    }
}
