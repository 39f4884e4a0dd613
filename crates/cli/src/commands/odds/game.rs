//! The main game.

use std::fmt::Write as _;

use anyhow::bail;
use houseway_odds::Seat;
use houseway_odds::answers::{BestGame, HouseWayGame};
use houseway_odds::game::{self, Counted, Outcomes, Stake};
use houseway_odds::ways::Compared;
use houseway_rules::Category;
use houseway_rules::describe::grouped;
use houseway_rules::rulebook::{Banker, Rulebook};
use serde::Serialize;

use super::super::json;
use super::differences::{Line, lines, write_lines};
use super::{check_waiver, percent};
use crate::args::{By, Game as Args, Player};
use crate::ask::{Keep, ask};
use crate::paint;

#[derive(Serialize)]
struct Game<'a> {
    rules: &'a str,
    player: &'static str,
    /// Whose win, push and lose they are.
    #[serde(rename = "as")]
    seat: Seat,
    deals: u64,
    win: u64,
    push: u64,
    lose: u64,
    /// What is lost on average of each unit at stake, commission taken.
    house_edge: f64,
    /// The same hands, set alike, without commission.
    house_edge_without_commission: f64,
    /// Of the gain on a unit at stake.
    variance: f64,
    /// How likely a hundred rounds of a unit each leave one ahead.
    ahead_after_100_rounds: f64,
    waived: bool,
    /// What the banker gains on each unit that is wagered against the bank.
    banker_gain: f64,
    /// The same where a player banks against one opponent and pays commission on the gain.
    #[serde(skip_serializing_if = "Option::is_none")]
    player_banker_gain: Option<f64>,
    /// How many of all hands are better set otherwise than the House Way.
    #[serde(skip_serializing_if = "Option::is_none")]
    hands_set_otherwise: Option<u64>,
    /// What each clause gives away against the best setting, the most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    given_away: Vec<Line<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by: Vec<Part<'a>>,
}

/// The deals of one clause or category.
#[derive(Serialize)]
struct Part<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<Category>,
    deals: u64,
    win: u64,
    push: u64,
    lose: u64,
    house_edge: f64,
}

fn edge(outcomes: Outcomes, stake: Stake) -> f64 {
    0.0 - outcomes.value(stake).as_f64()
}

fn parts<'a>(rulebook: &'a Rulebook, counted: &Counted, stake: Stake, by: By) -> Vec<Part<'a>> {
    let part = |clause, row, category, outcomes: Outcomes| Part {
        clause,
        row,
        category,
        deals: outcomes.deals(),
        win: outcomes.win,
        push: outcomes.push,
        lose: outcomes.lose,
        house_edge: edge(outcomes, stake),
    };
    let all: Vec<Part<'a>> = match by {
        By::Clause => rulebook
            .house_way
            .iter()
            .enumerate()
            .map(|(place, it)| part(Some(&*it.id), Some(&*it.row), None, counted.of_clause(place)))
            .collect(),
        By::Category => Category::ALL
            .into_iter()
            .map(|it| part(None, None, Some(it), counted.of_category(it)))
            .collect(),
    };
    all.into_iter().filter(|part| part.deals > 0).collect()
}

/// Why nobody can sit and set like that.
fn check(rulebook: &Rulebook, args: &Args) -> anyhow::Result<()> {
    let bank = &rulebook.bank;
    if args.side.seat() == Seat::Banker && bank.banker == Banker::House {
        bail!(
            "{}: only the house banks ({}), so there is no banker to play as",
            rulebook.id,
            bank.cite
        );
    }
    if args.waived {
        check_waiver(rulebook)?;
    }
    let sets_freely = bank.player_banker.is_some();
    if args.side.seat() == Seat::Banker && args.player == Player::Optimal && !sets_freely {
        let cite = &bank.sets_house_way;
        bail!(
            "{}: the banker's hand is set the House Way ({cite}), not as the banker likes",
            rulebook.id
        );
    }
    Ok(())
}

pub(super) fn answer(rulebook: &Rulebook, args: &Args) -> anyhow::Result<String> {
    check(rulebook, args)?;
    let (keep, seat) = (Keep::unless(args.asked.recompute), args.side.seat());
    let stake = if args.waived { Stake::FREE } else { Stake::at(rulebook, seat) };
    let (counted, compared) = match args.player {
        Player::HouseWay => {
            let mut counted = ask(&HouseWayGame(rulebook), keep)?;
            if seat == Seat::Banker {
                if args.by.is_some() {
                    bail!("--by is by the player's hand: leave out --as banker");
                }
                for part in &mut counted.parts {
                    part.outcomes = part.outcomes.from_the_other_side();
                }
            }
            (counted, None)
        }
        Player::Optimal => {
            let compared = ask(&BestGame { rulebook, seat, waived: args.waived }, keep)?;
            (compared.other.clone(), Some(compared))
        }
    };
    let total = counted.total();
    let banker = total.from_the_other_side();
    let as_player = seat == Seat::Player;
    let game = Game {
        rules: &rulebook.id,
        player: match args.player {
            Player::HouseWay => "house-way",
            Player::Optimal => "optimal",
        },
        seat,
        deals: game::DEALS,
        win: total.win,
        push: total.push,
        lose: total.lose,
        house_edge: edge(total, stake),
        house_edge_without_commission: edge(total, Stake::FREE),
        variance: total.variance(stake),
        ahead_after_100_rounds: game::session(total, stake, 100).ahead,
        waived: args.waived,
        banker_gain: match (seat, rulebook.bank.banker) {
            (Seat::Banker, _) => total.value(stake).as_f64(),
            // A house that banks keeps the commission; a player who banks has no part in it.
            (Seat::Player, banker) if banker.is_house() => edge(total, stake),
            (Seat::Player, _) => edge(total, Stake::FREE),
        },
        player_banker_gain: rulebook
            .bank
            .player_banker
            .as_ref()
            .filter(|_| as_player)
            .map(|_| banker.value(Stake::of(rulebook)).as_f64()),
        hands_set_otherwise: compared.as_ref().map(Compared::hands_set_otherwise),
        given_away: compared
            .as_ref()
            .map_or(vec![], |it| lines(&it.differences, rulebook, None, 1)),
        by: args.by.map_or(vec![], |by| parts(rulebook, &counted, stake, by)),
    };
    if args.asked.json {
        return json(&game);
    }
    Ok(in_words(&game, rulebook, stake, args))
}

fn in_words(game: &Game<'_>, rulebook: &Rulebook, stake: Stake, args: &Args) -> String {
    let how = match (game.seat, args.player) {
        (Seat::Player, Player::HouseWay) => "player and banker by the House Way",
        (Seat::Player, Player::Optimal) => "the player optimally, the banker by the House Way",
        (Seat::Banker, Player::HouseWay) => "as the banker, both sides by the House Way",
        (Seat::Banker, Player::Optimal) => "as the banker, optimally against one House Way hand",
    };
    let waived = if game.waived { ", commission waived" } else { "" };
    let mut text = format!("{}  {how}{waived}\n", paint::strong(game.rules));
    let rows = [("win", game.win), ("push", game.push), ("lose", game.lose), ("deals", game.deals)];
    for (name, deals) in rows {
        let share = percent(deals, game.deals);
        let _ = writeln!(text, "  {name:<6} {:>25}  {share:>9} %", grouped(deals));
    }
    let mut figure = |name: &str, share: f64| {
        let _ = writeln!(text, "  {name:<49} {:>+8.4} %", share * 100.0);
    };
    if game.seat == Seat::Player {
        figure("house edge", game.house_edge);
        if !stake.is_free() {
            figure("the same without commission", game.house_edge_without_commission);
        }
    }
    let who = match (game.seat, rulebook.bank.banker) {
        (Seat::Player, Banker::House | Banker::HouseOrPlayer) => "the house's gain as banker",
        (_, Banker::DesignatedPlayer) => "the Designated Player's gain, before the rake",
        (_, Banker::PlayerDealer) => "the player-dealer's gain, before fees",
        (Seat::Banker, _) => "the banking player's gain",
    };
    figure(who, game.banker_gain);
    if let Some(gain) = game.player_banker_gain {
        figure("a player banker's gain on one opponent", gain);
    }
    let _ = writeln!(
        text,
        "  variance {:.4}; a hundred rounds leave one ahead in {:.2} %",
        game.variance,
        game.ahead_after_100_rounds * 100.0
    );
    if let Some(hands) = game.hands_set_otherwise {
        let of = houseway_rules::sweep::HANDS;
        let share = percent(hands, of);
        let _ = writeln!(
            text,
            "  {} of {} hands are better set otherwise, {share} %",
            grouped(hands),
            grouped(of)
        );
        text.push_str("\n  What the House Way gives away, frequency times cost:\n");
        write_lines(&mut text, &game.given_away);
    }
    if let Some(by) = args.by {
        let (name, width) = match by {
            By::Clause => ("clause", 7),
            By::Category => ("category", 15),
        };
        let _ = writeln!(
            text,
            "\n  {name:<width$}    share      win     push     lose     edge, all in percent"
        );
        for it in &game.by {
            let name = it.clause.or(it.category.map(Category::name)).unwrap_or_default();
            let _ = writeln!(
                text,
                "  {name:<width$} {:>8} {:>8} {:>8} {:>8} {:>8.2}",
                percent(it.deals, game.deals),
                percent(it.win, it.deals),
                percent(it.push, it.deals),
                percent(it.lose, it.deals),
                it.house_edge * 100.0
            );
            if let Some(row) = it.row {
                let _ =
                    writeln!(text, "          {}", paint::faint(&paint::paragraph(row, "", 10)));
            }
        }
    }
    text
}
