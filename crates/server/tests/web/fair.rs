//! Proofs are checked in the browser by code of its own, against the published example.

use serde_json::{Value, json};

use crate::felt::{SIZES, Scheme, Visitor, house};
use crate::record::fits;

const FAIRNESS: &str = include_str!("../../../../docs/fairness.md");

/// The proofs that the page about fairness shows: opened cards, and the same deal for an auditor.
fn examples() -> [String; 2] {
    let blocks = FAIRNESS.split("```json\n").skip(1);
    let texts = blocks.filter_map(|rest| Some(rest.split_once("```")?.0.to_string()));
    texts.collect::<Vec<_>>().try_into().expect("two examples")
}

/// A value of its table.
fn value(what: &str) -> &'static str {
    let start = format!("| {what} | `");
    let line = FAIRNESS.lines().find_map(|line| line.strip_prefix(&start)).expect("a line");
    line.trim_end_matches("` |")
}

/// What the code says of a proof: what is proved, or why not.
async fn verdict(visitor: &Visitor, proof: &str, published: Option<&str>) -> Value {
    let script = format!(
        "import('/app/fair.js').then(fair => fair.verify({}, {}).then(\
         it => ({{...it, round: String(it.round), words: it.words.map(said => said.words)}}), \
         error => ({{at: error.at, why: error.why}})))",
        json!(proof),
        json!(published)
    );
    visitor.eval(&script).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_code_in_the_browser_agrees_with_the_published_vectors() {
    let house = house(3).await;
    let visitor = Visitor::to(&house, "/proof").await;
    let seed = value("seed");
    let script = format!(
        "import('/app/fair.js').then(async fair => {{\
           const bytes = text => Uint8Array.from(text.match(/../g), it => parseInt(it, 16));\
           const text = new TextEncoder();\
           const [seed, table, round] = [bytes('{seed}'), text.encode('lantern'), bytes('0000000000000007')];\
           const key = await fair.derive(seed, 'shuffle-key', table, round);\
           const stream = fair.chacha20(key);\
           const begins = Uint8Array.from({{length: 16}}, () => stream.next().value);\
           const {{deck, number, root}} = await fair.deckOf(seed, table, round, 7);\
           const salt = await fair.derive(seed, 'salt', table, round, Uint8Array.of(0));\
           const leaf = await fair.hash('leaf', Uint8Array.of(0), salt, text.encode(deck[0]));\
           return [fair.hex(key), fair.hex(begins), deck.join(' '), String(number), fair.hex(salt), \
             fair.hex(leaf), fair.hex(root)];\
         }})"
    );
    let expected = [
        "shuffle key",
        "its stream begins",
        "committed deck",
        "committed number",
        "salt 0",
        "leaf 0",
        "root",
    ];
    assert_eq!(visitor.eval(&script).await, json!(expected.map(value)));

    // Where the browser has no SHA-256 the page has its own, which is the same.
    let same = "import('/app/fair.js').then(async fair => {\
        for (let length = 0; length < 200; length += 1) {\
          const message = Uint8Array.from({length}, (_, at) => at * 7 + length);\
          if (fair.hex(fair.sha256ByHand(message)) !== fair.hex(await fair.sha256(message))) return length;\
        }\
        return 'same'; })";
    assert_eq!(visitor.eval(same).await, "same");
    for by_hand in [false, true] {
        if by_hand {
            let gone =
                "Object.defineProperty(crypto, 'subtle', {value: undefined}); !crypto.subtle";
            assert_eq!(visitor.eval(gone).await, true);
        }
        for (proof, cards) in examples().iter().zip([2, 53]) {
            let proved = verdict(&visitor, proof, Some(value("commitment"))).await;
            assert_eq!(proved["cards"].as_array().map(Vec::len), Some(cards), "{proved}");
            assert_eq!(proved["cut"].to_string(), value("cut"));
            assert_eq!(proved["number"].to_string(), value("number"));
            assert_eq!(proved["words"], json!(["blow on the dice", "八八"]));
            assert_eq!(proved["whole"], cards == 53);
        }
    }
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_changed_in_a_proof_is_found() {
    let house = house(4).await;
    let visitor = Visitor::to(&house, "/proof").await;
    let [opened, seed] = examples();
    let found = [
        (&opened, "\"card\": \"Ac\"", "\"card\": \"Ad\"", "not-committed"),
        (&opened, "\"card\": \"Th\"", "\"card\": \"Ac\"", "card-twice"),
        (&opened, "\"card\": \"Th\"", "\"card\": \"1h\"", "no-card"),
        (&opened, "\"place\": 52", "\"place\": 51", "not-committed"),
        (&opened, "\"place\": 52", "\"place\": 0", "no-number"),
        (&opened, "\"places\": 15", "\"places\": 16", "other-cut"),
        (&opened, "\"round\": 7", "\"round\": 8", "other-words"),
        (&opened, "\"highest\": 7", "\"highest\": 6", "not-committed"),
        (&opened, "\"number\": 7,", "\"number\": 6,", "other-number"),
        (&opened, "\"number\": 7,", "", "other-number"),
        (&opened, "\"committed\": 5", "\"committed\": 4", "number-not-committed"),
        (&opened, "blow on the dice", "blow on my dice", "other-words"),
        (&opened, "464ff57d", "464ff57e", "not-committed"),
        (&opened, "a7b111c6", "a7b111c7", "not-committed"),
        (&opened, "26ee0e7f", "26ee0e7e", "not-committed"),
        (&opened, "26ee0e7f", "26EE0E7F", "no-hash"),
        (&opened, "\"highest\": 7", "\"highest\": 7, \"highest\": 7", "twice"),
        (&opened, "\"highest\": 7", "\"highest\": 7, \"lowest\": 1", "unknown"),
        (&opened, "\"highest\": 7", "\"highest\": 7.0", "not-json"),
        (&opened, "\"highest\": 7", "\"highest\": -7", "not-json"),
        (&opened, "\"person\": 3", "\"person\": 12", "no-number"),
        (&opened, "houseway-fair/1", "houseway-fair/2", "other-form"),
        (&seed, "000102", "010102", "other-deck"),
        (&seed, "\"seed\"", "\"sead\"", "unknown"),
    ];
    for (proof, from, to, why) in found {
        assert!(proof.contains(from), "{from}");
        let said = verdict(&visitor, &proof.replacen(from, to, 1), None).await;
        assert_eq!(said["why"], why, "{to}: {said}");
    }
    let other = value("digest");
    let said = verdict(&visitor, &opened, Some(other)).await;
    assert_eq!(said, json!({"at": "commitment", "why": "not-published"}));
    for nothing in ["", "{", "[]", "7", "{} {}", "\"\\ud800\""] {
        let said = verdict(&visitor, nothing, None).await;
        assert!(said["why"].is_string(), "{nothing}: {said}");
    }
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_is_pasted_or_opened_and_checked() {
    let house = house(5).await;
    let visitor = Visitor::to(&house, "/proof").await;
    let [opened, _] = examples();
    visitor.clicks("textarea[name=proof]").await;
    visitor.page.type_text(&opened).await.expect("pasted");
    visitor.clicks("input[name=commitment]").await;
    visitor.page.type_text(value("commitment")).await.expect("typed");
    visitor.presses("Enter").await;
    visitor.sees(".verdict.proved").await;
    visitor.reads("The commitment is the one that you gave.").await;
    visitor.is_accessible().await;

    // The same from a file, in which one card is another.
    let open = format!(
        "(() => {{ const data = new DataTransfer();\
         data.items.add(new File([{}], 'proof.json', {{type: 'application/json'}}));\
         const input = document.querySelector('input[type=file]');\
         input.files = data.files;\
         input.dispatchEvent(new Event('change', {{bubbles: true}})); return true; }})()",
        json!(opened.replacen("\"card\": \"Ac\"", "\"card\": \"Kc\"", 1))
    );
    visitor.eval(&open).await;
    visitor.sees(".verdict.not-proved").await;
    visitor.reads("Kc does not lead to the commitment").await;
    visitor.is_accessible().await;
    visitor.shot("proof-wrong-1440-light").await;
    visitor.leaves();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_proofs_fits_every_screen() {
    let house = house(6).await;
    let [opened, _] = examples();
    for size in SIZES {
        for scheme in [Scheme::Light, Scheme::Dark] {
            let visitor = Visitor::at(&house, "/proof", size, scheme).await;
            visitor.clicks("textarea[name=proof]").await;
            visitor.page.type_text(&opened).await.expect("pasted");
            visitor.clicks("form button[type=submit]").await;
            visitor.sees(".verdict.proved").await;
            visitor.clicks(".verdict summary").await;
            fits(&visitor).await;
            visitor.is_accessible().await;
            visitor.shot(&format!("proof-{}-{scheme:?}", size.0).to_lowercase()).await;
            visitor.leaves();
        }
    }
}
