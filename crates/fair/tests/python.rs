//! The verifier in Python, written from the page alone, says the same of every document.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use common::{deck, exposed, proofs, spoiled};
use houseway_fair::{Proof, verify};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What `verify.py` says of each file: the rest of its line, and whether it found all well.
fn python(options: &[&str], files: &[PathBuf]) -> (Vec<String>, bool) {
    let output = Command::new("python3")
        .arg(Path::new(ROOT).join("examples/verify.py"))
        .args(options)
        .args(files)
        .output();
    let output = match output {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            panic!("there is no python3: install the Debian package `python3`")
        }
        output => output.expect("python3 can be run"),
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.is_empty(), "{error}");
    let lines = String::from_utf8(output.stdout).expect("text");
    let told = lines.lines().zip(files).map(|(line, file)| {
        let told = line.strip_prefix(&format!("{}: ", file.display()));
        told.unwrap_or_else(|| panic!("{line}: not of {}", file.display())).to_owned()
    });
    let told: Vec<String> = told.collect();
    assert_eq!(told.len(), files.len(), "{lines}");
    (told, output.status.success())
}

/// Each text in a file of its own.
fn files<'a>(folder: &str, texts: impl IntoIterator<Item = &'a [u8]>) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("a folder for proofs");
    let write = |(at, text): (usize, &[u8])| {
        let file = folder.join(format!("{at}.json"));
        fs::write(&file, text).expect("a proof can be written");
        file
    };
    texts.into_iter().enumerate().map(write).collect()
}

/// What we say of a document, in the words of `verify.py`.
fn ours(text: &[u8]) -> Option<String> {
    let proved = verify(&Proof::read(str::from_utf8(text).ok()?).ok()?).ok()?;
    let number = proved.number.map_or("None".into(), |number| number.to_string());
    let cards = proved.cards.iter().map(|(&place, card)| format!("{}={card}", u8::from(place)));
    let cards = match proved.cards.is_empty() {
        true => "no card".into(),
        false => cards.collect::<Vec<String>>().join(" "),
    };
    Some(format!("proved; number {number}; {cards}"))
}

fn both_say_the_same(folder: &str, texts: &[Vec<u8>]) {
    let files = files(folder, texts.iter().map(Vec::as_slice));
    let (told, _) = python(&[], &files);
    for (told, text) in told.iter().zip(texts) {
        let text_shown = String::from_utf8_lossy(text);
        match ours(text) {
            Some(proved) => assert_eq!(*told, proved, "{text_shown}"),
            None => assert!(told.starts_with("NOT proved; "), "{told}: {text_shown}"),
        }
    }
}

#[test]
fn good_proofs_hold() {
    let mut texts = Vec::new();
    for seed in 0..40u8 {
        let highest = [1, 7, 21, 255][usize::from(seed) % 4];
        let said = [(1, "one"), (40, "forty \\ \"八\" \u{1f0cf}"), (u32::MAX, "\u{0}\n")];
        let deck = deck(seed, highest, &said[..usize::from(seed / 4) % 4]);
        let places: Vec<u8> = (0..53).filter(|place| (place + seed) % 5 == 0).collect();
        texts.push(deck.prove(&exposed(&places, seed % 2 == 0)).write().into_bytes());
        texts.push(deck.disclose().write().into_bytes());
        // A void round may have been shown to nobody.
        texts.push(deck.prove(&exposed(&[], true)).write().into_bytes());
    }
    assert!(texts.iter().all(|text| ours(text).is_some()));
    both_say_the_same("good", &texts);
    let (_, well) = python(&[], &files("good", texts.iter().map(Vec::as_slice)));
    assert!(well);
}

#[test]
fn spoiled_proofs_do_not_hold() {
    let texts: Vec<Vec<u8>> = proofs()
        .iter()
        .flat_map(|proof| spoiled(proof).into_iter().map(|(_, text)| text.into_bytes()))
        .collect();
    assert!(texts.iter().all(|text| ours(text).is_none()));
    both_say_the_same("spoiled", &texts);
}

/// Bytes changed, left out and doubled; where only spaces change, both still find it well.
#[test]
fn changed_bytes_are_judged_alike() {
    let mut texts = Vec::new();
    for proof in proofs() {
        let text = proof.write().into_bytes();
        for at in (0..text.len()).step_by(5) {
            let (before, rest) = text.split_at(at);
            let bit = 1 << (at / 5 % 8);
            texts.push([before, &[rest[0] ^ bit], &rest[1..]].concat());
            texts.push([before, &rest[1..]].concat());
            texts.push([before, &rest[..1], rest].concat());
            texts.push([before, b"-", rest].concat());
        }
    }
    both_say_the_same("bytes", &texts);
}

/// A proof of another deal does not pass for one whose commitment was noted.
#[test]
fn the_commitment_that_was_noted_is_asked_for() {
    let (one, two) = (deck(1, 7, &[]), deck(2, 7, &[]));
    let text = one.prove(&exposed(&[0], false)).write();
    let files = files("noted", [text.as_bytes()]);
    assert!(python(&["--commitment", &one.commitment().to_string()], &files).1);
    let (told, well) = python(&["--commitment", &two.commitment().to_string()], &files);
    assert!(!well);
    assert_eq!(told, ["NOT proved; commitment: not the one that was published"]);
}

/// The proofs on the page can be taken from it as they stand.
#[test]
fn the_proofs_on_the_page_hold() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/fairness.md")).expect("the page");
    let blocks = page.split("```json\n").skip(1);
    let texts: Vec<&str> =
        blocks.map(|block| block.split("```").next().expect("a block ends")).collect();
    assert_eq!(texts.len(), 2);
    let (told, well) = python(&[], &files("page", texts.iter().map(|text| text.as_bytes())));
    assert!(well, "{told:?}");
    for (told, text) in told.iter().zip(texts) {
        assert_eq!(Some(told), ours(text.as_bytes()).as_ref());
    }
}

#[test]
fn the_verifier_is_short() {
    let text = fs::read_to_string(Path::new(ROOT).join("examples/verify.py")).expect("a script");
    assert!(text.lines().count() < 150);
}
