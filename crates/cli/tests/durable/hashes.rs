//! The program itself, with a byte of it changed.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use houseway_server::people::HouseRecord;
use houseway_store::{Sqlite, Store, StreamId, Version};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::node::Plan;
use crate::players::http;
use crate::trouble::not_opened;

/// Puts a program in another's place, as an installation does: a file that runs is not written to.
fn replace(program: &Path, bytes: &[u8]) {
    let beside = program.with_extension("new");
    fs::write(&beside, bytes).expect("it is written");
    let rights = fs::metadata(program).expect("it is there").permissions();
    fs::set_permissions(&beside, rights).expect("it can be");
    fs::rename(&beside, program).expect("it is replaced");
}

/// Runs a command of the copied program and gives what it printed.
async fn printed(plan: &Plan, args: &[&str], password: &str) -> String {
    let mut command = Command::new(&plan.program);
    command.args(args).env("HOUSEWAY_PASSWORD", password).stdin(Stdio::null());
    let output = command.output().await.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_byte_of_the_program_refuses_the_start_and_stops_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plan = Plan::new(folder.path(), None);
    let program = folder.path().join("houseway");
    fs::copy(&plan.program, &program).expect("it is copied");
    plan.program.clone_from(&program);
    let config = folder.path().join("houseway.toml");
    let text = fs::read_to_string(&config).expect("a configuration");
    // Named in the file itself, and from where the file is.
    fs::write(&config, text + "hashes = \"hashes.json\"\n").expect("it is written");
    let config = config.to_str().expect("UTF-8");
    let list = printed(&plan, &["admin", "hashes", "--config", config], "").await;
    fs::write(folder.path().join("hashes.json"), &list).expect("it is written");
    let list: Value = serde_json::from_str(&list).expect("JSON");
    // Anyone can count what the list says, by their own means.
    let sum = Command::new("sha256sum").arg(&program).arg(config).output().await.expect("it runs");
    let sums = String::from_utf8(sum.stdout).expect("text");
    let sums: Vec<&str> = sums.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(json!(sums), json!([list["program"], list["configuration"]]));

    let node = plan.start().await;
    let data = plan.data();
    let data = data.to_str().expect("UTF-8");
    let password = "correct horse staple";
    printed(&plan, &["admin", "operator", "alice", "--data", data], password).await;
    let known = json!({"name": "alice", "password": password});
    let login = http(node.address, "POST", "/api/login", &[], Some(&known)).await.expect("a reply");
    let bearer = format!("Bearer {}", login.json()["token"].as_str().expect("a token"));
    let check = async || {
        let headers = [("authorization", &*bearer)];
        let checked = http(node.address, "POST", "/api/hashes", &headers, None).await;
        checked.expect("a reply").json()["differences"].clone()
    };
    assert_eq!(check().await, json!([]));

    // The last byte is of the table of sections, which nobody needs to run it.
    let right = fs::read(&program).expect("a program");
    let mut wrong = right.clone();
    *wrong.last_mut().expect("some bytes") ^= 1;
    replace(&program, &wrong);
    let differences = check().await;
    let differs = format!("the program, {}, has the hash ", program.display());
    assert!(differences[0].as_str().is_some_and(|it| it.starts_with(&differs)), "{differences}");
    let ready = http(node.address, "GET", "/readyz", &[], None).await.expect("a reply");
    assert_eq!((ready.status, &ready.json()["error"]["code"]), (503, &json!("play-stopped")));
    node.signal("TERM").await;
    assert!(node.wait().await.success());
    assert!(plan.logged().contains("a file is not what it should be"), "{}", plan.logged());

    let (code, said) = not_opened(plan.command()).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(&differs), "{said}");
    assert!(said.contains(list["program"].as_str().expect("a hash")), "{said}");
    assert!(said.contains("houseway admin hashes"), "{said}");
    replace(&program, &right);
    plan.start().await.kill().await;

    let store = Sqlite::open(&plan.data().join("houseway.sqlite")).await.expect("it opens");
    store.verify_chain(&StreamId::house(), None).await.expect("the chain is whole");
    let entries = store.read(&StreamId::house(), Version(0), 1_000).await.expect("it is read");
    let kinds = entries.iter().map(|it| it.kind.as_str());
    let kinds: Vec<&str> =
        kinds.filter(|it| it.starts_with("st") || it.starts_with("play-s")).collect();
    // Who was refused has written nothing, and who was killed could not.
    assert_eq!(kinds, ["started", "standing", "play-stopped", "stopped", "started"]);
    let Ok(Some(HouseRecord::Started(run))) = HouseRecord::read(&entries[0]) else {
        panic!("{:?}", entries[0]);
    };
    assert_eq!(json!(run.program), list["program"]);
    assert!(run.checked);
}
