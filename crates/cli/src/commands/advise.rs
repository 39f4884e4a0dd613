//! `houseway advise`: every legal setting with its exact chances.

use std::fmt::Write as _;
use std::io::Write;

use houseway_odds::game::Stake;
use houseway_odds::{Advised, Advisor, BANKER_HANDS, Seat};
use houseway_rules::{Card, CardSet, Ranking, set_house_way};
use serde::Serialize;

use super::odds::check_waiver;
use super::{hand, json};
use crate::args::{Advise, Side};
use crate::{Outcome, paint, rulebooks};

/// What `advise --json` answers.
#[derive(Serialize)]
struct Advice<'a> {
    rules: &'a str,
    cards: [Card; 7],
    /// Whose hand it is.
    #[serde(rename = "as")]
    seat: Seat,
    waived: bool,
    /// The clause of the House Way.
    clause: &'a str,
    deals: u64,
    settings: Vec<OneSetting>,
}

#[derive(Serialize)]
struct OneSetting {
    low: CardSet,
    high: CardSet,
    win: u64,
    push: u64,
    lose: u64,
    value: f64,
    /// What it is worth less than the best.
    cost: f64,
    house_way: bool,
}

impl OneSetting {
    fn of(advised: &Advised, stake: Stake, best: f64) -> OneSetting {
        let Advised { setting, outcomes, house_way } = *advised;
        OneSetting {
            low: setting.low(),
            high: setting.high(),
            win: outcomes.win,
            push: outcomes.push,
            lose: outcomes.lose,
            value: outcomes.value(stake).as_f64(),
            cost: best - outcomes.value(stake).as_f64(),
            house_way,
        }
    }
}

pub(crate) fn run(args: &Advise, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebook = rulebooks::find(&args.rules)?;
    let given = hand(&args.cards)?;
    if args.side == Side::Banker && rulebook.bank.player_banker.is_none() {
        let cite = &rulebook.bank.sets_house_way;
        anyhow::bail!("{}: the banker's hand is set the House Way ({cite})", rulebook.id);
    }
    if args.waived {
        check_waiver(&rulebook)?;
    }
    let seat = args.side.seat();
    let stake = if args.waived { Stake::FREE } else { Stake::at(&rulebook, seat) };
    let advised = Advisor::at(&rulebook, seat).advise(given.dealt, stake);
    let best = advised.first().map_or(0.0, |it| it.outcomes.value(stake).as_f64());
    let settings: Vec<OneSetting> =
        advised.iter().map(|advised| OneSetting::of(advised, stake, best)).collect();
    let advice = Advice {
        rules: &rulebook.id,
        cards: given.cards,
        seat,
        waived: args.waived,
        clause: &set_house_way(&rulebook, given.dealt).clause.id,
        deals: BANKER_HANDS,
        settings,
    };
    if args.json {
        out.write_all(json(&advice)?.as_bytes())?;
    } else {
        out.write_all(in_words(&advice, rulebook.ranking()).as_bytes())?;
    }
    Ok(Outcome::Done)
}

fn in_words(advice: &Advice<'_>, ranking: Ranking) -> String {
    let mut text = format!("{}   {}\n", paint::cards(&advice.cards), advice.rules);
    text.push_str("    Low    High               win     push    lose    value     cost\n");
    let worth = |setting: &OneSetting| (ranking.two(setting.low), ranking.five(setting.high));
    // Settings that differ in suits alone are told once.
    let same = |setting: &&OneSetting| {
        advice.settings.iter().filter(|it| worth(it) == worth(setting)).count()
    };
    let mut told = vec![];
    for setting in &advice.settings {
        if !setting.house_way
            && advice.settings.iter().any(|it| it.house_way && worth(it) == worth(setting))
        {
            continue;
        }
        if told.contains(&worth(setting)) {
            continue;
        }
        told.push(worth(setting));
        #[expect(clippy::cast_precision_loss, reason = "for printing only")]
        let share = |deals: u64| deals as f64 / advice.deals as f64 * 100.0;
        let star = if setting.house_way { paint::strong("*") } else { " ".to_string() };
        let _ = writeln!(
            text,
            "  {star} {}  {}   {:>6.2}  {:>6.2}  {:>6.2}  {:>+8.5} {:>8.5}",
            paint::cards(&setting.low.sorted::<2>()),
            paint::cards(&setting.high.sorted::<5>()),
            share(setting.win),
            share(setting.push),
            share(setting.lose),
            setting.value,
            setting.cost
        );
        let alike = match same(&setting) - 1 {
            0 => String::new(),
            1 => ", and one alike".to_string(),
            more => format!(", and {more} alike"),
        };
        let names = format!(
            "{} / {}{alike}",
            ranking.two(setting.low),
            ranking.name(ranking.five(setting.high))
        );
        let _ = writeln!(text, "    {}", paint::faint(&names));
    }
    let of = houseway_rules::describe::grouped(advice.deals);
    let _ = writeln!(
        text,
        "\n  * the House Way, {}; shares in percent of the other side's {of} hands",
        advice.clause
    );
    text
}
