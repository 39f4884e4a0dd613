//! `houseway rank`: what seven cards are.

use std::fmt::Write as _;
use std::io::Write;

use houseway_rules::{
    Card, CardSet, HandKey, LowStrength, PerHand, Ranking, Strength, set_house_way,
};
use serde::Serialize;

use super::{hand, json};
use crate::args::Rank;
use crate::{Outcome, paint, rulebooks};

/// What `rank --json` answers.
#[derive(Serialize)]
struct Ranked<'a> {
    rules: &'a str,
    cards: [Card; 7],
    best: Best,
    bonus: &'static str,
    /// What the bonus pays to one under these rules.
    pays: u32,
    settings: Vec<Legal>,
}

#[derive(Serialize)]
struct Best {
    name: String,
    cards: CardSet,
}

#[derive(Serialize)]
struct Legal {
    low: CardSet,
    high: CardSet,
    low_name: String,
    high_name: String,
    house_way: bool,
    #[serde(skip)]
    hands: PerHand<Strength, LowStrength>,
}

pub(crate) fn run(args: &Rank, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebook = rulebooks::find(&args.rules)?;
    let given = hand(&args.cards)?;
    let ranking = rulebook.ranking();
    let house = set_house_way(&rulebook, given.dealt);
    let mut settings: Vec<Legal> = given
        .dealt
        .legal_settings(ranking)
        .map(|setting| {
            let hands = setting.strengths(ranking);
            Legal {
                low: setting.low(),
                high: setting.high(),
                low_name: hands.low.to_string(),
                high_name: ranking.name(hands.high),
                house_way: setting == house.setting,
                hands,
            }
        })
        .collect();
    settings.sort_by_key(|legal| std::cmp::Reverse((legal.hands.low, legal.hands.high)));
    let bonus = rulebook.fortune.best(given.dealt);
    let ranked = Ranked {
        rules: &rulebook.id,
        cards: given.cards,
        best: best(ranking, given.dealt.cards()),
        bonus: bonus.map_or("none", |line| line.hand.id()),
        pays: bonus.map_or(0, |line| line.pays),
        settings,
    };
    if args.json {
        out.write_all(json(&ranked)?.as_bytes())?;
    } else {
        out.write_all(in_words(&ranked).as_bytes())?;
    }
    Ok(Outcome::Done)
}

/// The best five of the seven cards; a foul or not does not matter here.
fn best(ranking: Ranking, cards: CardSet) -> Best {
    let strength = ranking.seven(HandKey::of(cards));
    let dealt = houseway_rules::Dealt::new(cards).expect("seven cards came in");
    let split = dealt.splits(ranking).find(|split| split.hands.high == strength);
    let low = split.expect("the best five are one of the 21").low;
    Best { name: ranking.name(strength), cards: cards.without(low) }
}

fn in_words(ranked: &Ranked<'_>) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", paint::cards(&ranked.cards));
    let five = paint::cards(&ranked.best.cards.sorted::<5>());
    let _ = writeln!(text, "  best five   {five}   {}", ranked.best.name);
    let pays = match (ranked.bonus, ranked.pays) {
        ("none", _) => "none".to_string(),
        (bonus, pays) => {
            format!("{}, pays {pays} to 1 at {}", bonus.replace('-', " "), ranked.rules)
        }
    };
    let _ = writeln!(text, "  bonus       {pays}");
    let _ = writeln!(
        text,
        "  {} legal settings, highest Low first; * is the House Way",
        ranked.settings.len()
    );
    for legal in &ranked.settings {
        let star = if legal.house_way { paint::strong("*") } else { " ".to_string() };
        let low = paint::cards(&legal.low.sorted::<2>());
        let high = paint::cards(&legal.high.sorted::<5>());
        let _ = writeln!(text, "  {star} {low}  {high}   {} / {}", legal.low_name, legal.high_name);
    }
    text
}
