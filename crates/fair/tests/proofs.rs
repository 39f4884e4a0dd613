//! Proofs hold as they were written, and any change of them is found.

mod common;

use std::collections::BTreeSet;

use common::{deck, exposed, proofs, spoiled, words};
use houseway_fair::{
    Bytes32, Deal, Evidence, Fault, Opened, Place, Proof, Seed, Shuffle, Unreadable, Words, verify,
};
use houseway_rules::Card;

fn place(place: u8) -> Place {
    Place::try_from(place).expect("0 to 52")
}

fn opened(proof: &mut Proof) -> &mut Opened {
    match &mut proof.evidence {
        Evidence::Opened(opened) => opened,
        Evidence::Seed(_) => panic!("cards are opened"),
    }
}

/// A text either is no proof, or proves nothing, or is the same proof.
fn is_found(text: &[u8], proof: &Proof) -> bool {
    let Ok(text) = str::from_utf8(text) else { return true };
    match Proof::read(text) {
        Ok(read) => verify(&read).is_err() || read == *proof,
        Err(_) => true,
    }
}

#[test]
fn every_cut_deals_what_is_proved() {
    let mut cuts = BTreeSet::new();
    let whole = deck(3, 21, &[]).cards();
    for number in 0u32.. {
        let deck = deck(3, 21, &[(number, "again")]);
        let cut = deck.cut().places;
        if !cuts.insert(cut) {
            continue;
        }
        let mut rotated = whole;
        rotated.rotate_left(usize::from(cut));
        assert_eq!(deck.cards(), rotated);
        let all: Vec<u8> = (0..53).collect();
        let proved = verify(&deck.prove(&exposed(&all, true))).expect("all of it is opened");
        assert!(proved.cards.values().eq(&rotated) && !proved.whole);
        assert_eq!(proved.number, Some(deck.number()));
        let audited = verify(&deck.disclose()).expect("the seed is there");
        assert_eq!((audited.cards, audited.number), (proved.cards, proved.number));
        assert!(audited.whole);
        if cuts.len() == 53 {
            break;
        }
    }
}

#[test]
fn without_words_the_deck_is_not_cut_and_the_number_stays() {
    let deck = deck(4, 255, &[]);
    assert_eq!(deck.cut().places, 0);
    assert_eq!(deck.number(), deck.open_number().committed);
}

/// Whoever speaks, what they say, the table and the round all matter.
#[test]
fn words_belong_to_a_person_a_table_and_a_round() {
    let highest = 7.try_into().expect("not 0");
    let digest = |table: &str, round, said: &[(u32, &str)]| {
        let deal = Deal { table: table.into(), round, highest };
        Shuffle::new(Seed::new([0; 32]), deal).cut(words(said)).cut().digest
    };
    let digests: BTreeSet<Bytes32> = [
        digest("a", 1, &[]),
        digest("a", 2, &[]),
        digest("a", 1, &[(1, "x")]),
        digest("b", 1, &[(1, "x")]),
        digest("a", 2, &[(1, "x")]),
        digest("a", 1, &[(2, "x")]),
        digest("a", 1, &[(1, "x "), (2, "y")]),
        digest("a", 1, &[(1, "x"), (2, " y")]),
        digest("a", 1, &[(1, "x"), (2, "y")]),
        digest("a", 1, &[(1, "y"), (2, "x")]),
    ]
    .into();
    assert_eq!(digests.len(), 10);
}

/// A commitment is one for its table, its round and the numbers that can be drawn.
#[test]
fn a_commitment_belongs_to_its_deal() {
    let commitment = |table: &str, round, highest: u8, seed| {
        let highest = highest.try_into().expect("not 0");
        let deal = Deal { table: table.into(), round, highest };
        Shuffle::new(Seed::new([seed; 32]), deal).commitment()
    };
    let all = [
        commitment("a", 1, 7, 1),
        commitment("b", 1, 7, 1),
        commitment("a", 2, 7, 1),
        commitment("a", 1, 8, 1),
        commitment("a", 1, 7, 2),
    ];
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), 5);
    assert_eq!(commitment("a", 1, 7, 1), all[0]);
}

#[test]
fn every_fault_has_its_name() {
    let good = proofs().remove(0);
    let fault = |change: &dyn Fn(&mut Proof)| {
        let mut proof = good.clone();
        change(&mut proof);
        verify(&proof).expect_err("it was changed")
    };
    let card = |at: usize| match &good.evidence {
        Evidence::Opened(opened) => opened.cards[at].card,
        Evidence::Seed(_) => panic!("cards are opened"),
    };
    let number = good.number;
    assert!(matches!(
        fault(&|proof| proof.words = Words::default()),
        Fault::WordsDigest { gives } if gives != good.cut.digest
    ));
    assert_eq!(fault(&|proof| proof.cut.places += 1), Fault::Cut { gives: good.cut.places });
    assert_eq!(fault(&|proof| proof.cut.places = 255), Fault::Cut { gives: good.cut.places });
    assert_eq!(fault(&|proof| opened(proof).cards.swap(0, 1)), Fault::Order { place: place(0) });
    let again = |proof: &mut Proof| {
        let first = opened(proof).cards[0].clone();
        opened(proof).cards.insert(1, first);
    };
    assert_eq!(fault(&again), Fault::Order { place: place(0) });
    assert_eq!(
        fault(&|proof| proof.commitment.0[31] ^= 1),
        Fault::Card { place: place(0), card: card(0) }
    );
    assert_eq!(
        fault(&|proof| opened(proof).cards[1].card = card(0)),
        Fault::Card { place: place(9), card: card(0) }
    );
    assert_eq!(
        fault(&|proof| opened(proof).cards[2].place = place(51)),
        Fault::Card { place: place(51), card: card(2) }
    );
    for committed in [0, 8, 255] {
        assert_eq!(
            fault(&|proof| opened(proof).number.as_mut().expect("opened").committed = committed),
            Fault::NumberOutOfRange { committed, highest: 7 }
        );
    }
    assert!(matches!(
        fault(&|proof| {
            let number = opened(proof).number.as_mut().expect("opened");
            number.committed = number.committed % 7 + 1;
        }),
        Fault::CommittedNumber { .. }
    ));
    assert_eq!(fault(&|proof| proof.number = None), Fault::Number { said: None, gives: number });
    assert_eq!(
        fault(&|proof| opened(proof).number = None),
        Fault::Number { said: number, gives: None }
    );
    assert_eq!(
        fault(&|proof| {
            proof.number = None;
            *opened(proof) = Opened { cards: vec![], number: None };
        }),
        Fault::Nothing
    );
    let mut audit = proofs().remove(2);
    let gives = audit.commitment;
    audit.commitment.0[0] ^= 1;
    assert_eq!(verify(&audit), Err(Fault::Seed { gives }));
    assert_eq!(
        fault(&|proof| proof.cut.places += 1).to_string(),
        format!("the words give a cut of {} places", good.cut.places)
    );
}

/// A number's opening is no card's and a card's is no number's.
#[test]
fn leaves_do_not_stand_for_each_other() {
    let deck = deck(5, 255, &[]);
    let number = deck.open_number();
    for at in Place::all() {
        let mut proof = deck.prove(&exposed(&[u8::from(at)], false));
        let card = &mut opened(&mut proof).cards[0];
        (card.salt, card.path) = (number.salt, number.path);
        assert!(verify(&proof).is_err(), "{at}");
    }
}

#[test]
fn every_changed_field_is_found() {
    let mut changes = 0;
    for proof in proofs() {
        for (what, text) in spoiled(&proof) {
            let read = Proof::read(&text);
            assert!(read.is_err() || verify(&read.expect("read")).is_err(), "{what}: {text}");
            changes += 1;
        }
    }
    assert!(changes > 1000, "{changes}");
}

/// Each byte of the text in turn: every bit changed, the byte left out, doubled, or another letter.
#[test]
fn every_changed_byte_is_found() {
    for proof in proofs() {
        let text = proof.write().into_bytes();
        for at in 0..text.len() {
            let space = text[at].is_ascii_whitespace();
            for other in (0..8).map(|bit| text[at] ^ 1 << bit).chain(*b"0a\"\\ -.,:{}[]\n") {
                let mut changed = text.clone();
                changed[at] = other;
                assert!(is_found(&changed, &proof), "byte {at} as {other}");
                let same = str::from_utf8(&changed)
                    .is_ok_and(|text| Proof::read(text).is_ok_and(|read| read == proof));
                assert!(!same || changed == text || space, "byte {at} as {other} says the same");
            }
            let (before, rest) = text.split_at(at);
            assert!(is_found(&[before, &rest[1..]].concat(), &proof), "without byte {at}");
            assert!(is_found(&[before, &rest[..1], rest].concat(), &proof), "byte {at} twice");
            if !text[at..].trim_ascii().is_empty() {
                let cut_off = str::from_utf8(before).map(Proof::read);
                assert!(!matches!(cut_off, Ok(Ok(_))), "cut off at {at}");
            }
        }
    }
}

/// Salts and paths of one deal prove nothing in another, and no two hashes can change places.
#[test]
fn exchanged_hashes_are_found() {
    let good = proofs().remove(0);
    let text = good.write();
    let hashes: BTreeSet<&str> = text
        .split('"')
        .filter(|part| part.len() == 64 && part.parse::<Bytes32>().is_ok())
        .collect();
    assert!(hashes.len() > 20);
    for one in &hashes {
        for two in &hashes {
            let changed = text.replace(one, "#").replace(two, one).replace('#', two);
            assert!(is_found(changed.as_bytes(), &good), "{one} and {two}");
        }
    }
    let mut other = good.clone();
    opened(&mut other).cards[1] = deck(2, 7, &[]).open(place(9));
    assert!(matches!(verify(&other), Err(Fault::Card { .. })));
}

#[test]
fn bad_documents_are_refused_with_the_place() {
    let good = proofs().remove(0).write();
    let refused = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        Proof::read(&good.replacen(from, to, 1)).expect_err(to).to_string()
    };
    let hint = |text: String| text.split(" at line").next().expect("a text").to_owned();
    assert_eq!(
        hint(refused("houseway-fair/1", "houseway-fair/2")),
        "form: unknown variant `houseway-fair/2`, expected `houseway-fair/1`"
    );
    assert_eq!(
        hint(refused("\"place\": 52", "\"place\": 53")),
        "evidence.opened.cards[2].place: a deck has places 0 to 52, not 53"
    );
    assert_eq!(
        hint(refused("\"salt\": \"", "\"salt\": \"F")),
        "evidence.opened.cards[0].salt: not 32 bytes as 64 lower-case hexadecimal digits"
    );
    assert_eq!(
        hint(refused("\"person\": 12", "\"person\": 2")),
        "words: words of person 2 stand behind those of a person with as high a number"
    );
    assert!(refused("\"number\": ", "\"number\": null, \"x\": ").contains("unknown field `x`"));
    assert!(refused("\"round\": 7", "\"round\": 7, \"round\": 7").contains("duplicate field"));
    let twice = format!("{good}{good}");
    assert!(Proof::read(&twice).expect_err("two documents").to_string().contains("trailing"));
}

/// What is said in another way than proofs say it is refused: another program might read it otherwise.
#[test]
fn a_proof_has_one_form() {
    let mut proof = proofs().remove(1);
    proof.number = None;
    let text = proof.write();
    let null = text.replacen("\"cut\"", "\"number\": null, \"cut\"", 1);
    assert_eq!(Proof::read(&null), Err(Unreadable::OtherForm));
    let card = opened(&mut proof).cards[0].card.to_string();
    let loud = text.replacen(&format!("\"{card}\""), &format!("\"{}\"", card.to_uppercase()), 1);
    assert_eq!(Proof::read(&loud), Err(Unreadable::OtherForm));
}

#[test]
fn rubbish_is_refused_quietly() {
    let good = proofs().remove(0).write();
    let deep = "[".repeat(100_000);
    let nested = good.replacen("\"words\": [", &format!("\"words\": {deep}"), 1);
    let large = good.replacen("\"round\": 7", "\"round\": 18446744073709551616", 1);
    let surrogate = good.replacen("lantern", "\\ud800", 1);
    for text in
        ["", " ", "null", "{}", "[]", "7", "\"", "\u{feff}{}", &deep, &nested, &large, &surrogate]
    {
        assert!(Proof::read(text).is_err());
    }
    // Pieces of the text in another order.
    let pieces: Vec<&str> = good.split_inclusive([',', ':', '{', '}', '[', ']']).collect();
    for step in 1..pieces.len() {
        let text: String = (0..pieces.len()).map(|at| pieces[at * step % pieces.len()]).collect();
        assert!(text == good || Proof::read(&text).is_err());
    }
}

/// After a crash the seed is opened again, and everything is as it was.
#[test]
fn the_same_seed_gives_the_same_deal() {
    let (one, two) = (deck(6, 7, &[(1, "x")]), deck(6, 7, &[(1, "x")]));
    assert_eq!(one.cards(), two.cards());
    assert_eq!(one.disclose(), two.disclose());
    let all: BTreeSet<Card> = one.cards().into();
    assert_eq!(all.len(), 53);
}
