//! The worked example of `docs/fairness.md`, which is a test vector: it must be what the code gives.

use std::fmt::Write;
use std::fs;

use crate::bytes::to_hex;
use crate::draw::keystream;
use crate::hash::{Purpose, derive};
use crate::shuffle::{Deal, Exposed, Place, Shuffle};
use crate::tree::{self, NUMBER_LEAF, Tree};
use crate::words::Words;
use crate::{Proof, Seed, verify};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/fairness.md");
const BEGIN: &str = "<!-- worked example -->\n";
const END: &str = "<!-- end -->\n";

fn worked_example() -> String {
    let bytes: [u8; 32] = std::array::from_fn(|at| at as u8);
    let highest = 7.try_into().expect("not 0");
    let deal = Deal { table: "lantern".into(), round: 7, highest };
    let mut words = Words::default();
    words.say(3, "blow on the dice").expect("16 bytes");
    words.say(12, "八八").expect("6 bytes");

    let seed = Seed::new(bytes);
    let key = derive(&bytes, Purpose::ShuffleKey, &[b"lantern", &7u64.to_be_bytes()]);
    let (committed, number) = seed.shuffle(&deal);
    let salts = [0, NUMBER_LEAF].map(|leaf| seed.salt(&deal, leaf));
    let leaves = (0..)
        .zip(committed)
        .map(|(index, card)| tree::leaf(index, seed.salt(&deal, index), &card.ascii()));
    let number_leaf = tree::leaf(NUMBER_LEAF, salts[1], &[number]);
    let leaves: Vec<_> = leaves.chain([number_leaf]).collect();
    let root = Tree::new(leaves.clone()).root();
    let deck = Shuffle::new(seed, deal).cut(words);

    let place = |place| Place::try_from(place).expect("0 to 52");
    let opened = deck.prove(&Exposed { places: [place(0), place(52)].into(), number: true });
    let audit = deck.disclose();
    for proof in [&opened, &audit] {
        assert_eq!(Proof::read(&proof.write()).as_ref(), Ok(proof));
        verify(proof).expect("the example is a proof");
    }

    let stream: Vec<u8> = keystream(&key).take(16).collect();
    let cards = |deck: [houseway_rules::Card; 53]| deck.map(|card| card.to_string()).join(" ");
    let mut text = String::from("| what | value |\n|---|---|\n");
    for (what, value) in [
        ("seed", to_hex(&bytes)),
        ("table, round, highest", "lantern, 7, 7".into()),
        ("shuffle key", to_hex(&key)),
        ("its stream begins", to_hex(&stream)),
        ("committed deck", cards(committed)),
        ("committed number", number.to_string()),
        ("salt 0", salts[0].to_string()),
        ("leaf 0", leaves[0].to_string()),
        ("salt 53", salts[1].to_string()),
        ("leaf 53", number_leaf.to_string()),
        ("root", root.to_string()),
        ("commitment", deck.commitment().to_string()),
        ("words", "person 3: blow on the dice; person 12: 八八".into()),
        ("digest", deck.cut().digest.to_string()),
        ("cut", deck.cut().places.to_string()),
        ("shift", ((deck.number() + 7 - number) % 7).to_string()),
        ("deck as dealt", cards(deck.cards())),
        ("number", deck.number().to_string()),
    ] {
        writeln!(text, "| {what} | `{value}` |").expect("a string takes all text");
    }
    let (opened, audit) = (opened.write(), audit.write());
    write!(
        text,
        "\nThe first and the last card and the number, opened:\n\n```json\n{opened}```\n\n\
         The same deal for an auditor:\n\n```json\n{audit}```\n"
    )
    .expect("a string takes all text");
    text
}

#[test]
fn the_worked_example_is_what_the_code_gives() {
    let page = fs::read_to_string(PAGE).expect("docs/fairness.md is there");
    let (before, rest) = page.split_once(BEGIN).expect("the page has a place for the example");
    let (written, after) = rest.split_once(END).expect("the example ends");
    let example = worked_example();
    if std::env::var_os("HOUSEWAY_WRITE").is_some() {
        let page = format!("{before}{BEGIN}{example}{END}{after}");
        fs::write(PAGE, page).expect("docs/fairness.md can be written");
    } else {
        assert_eq!(
            written, example,
            "stale: HOUSEWAY_WRITE=1 cargo test -p houseway-fair worked_example"
        );
    }
}
