//! `houseway report`: a rulebook's mathematics as one page.
//!
//! The page is made of what the other commands answer, and says which. Nothing in it depends on the
//! day or the machine, so the same rulebook gives the same page.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use houseway_odds::answers::{BestGame, HouseWayGame, fingerprint};
use houseway_odds::bonus::{self, AboveBanker, Bonus};
use houseway_odds::envy::{self, PerOtherHand};
use houseway_odds::game::{self, Counted, DEALS, Outcomes, Stake, Value};
use houseway_odds::ways::Compared;
use houseway_odds::{BANKER_HANDS, Seat};
use houseway_rules::describe::{facts, grouped};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{CardSet, Category, Cents, Suit, sweep};

use super::odds::differences::share;
use super::odds::{above_banker, percent};
use crate::args::Report;
use crate::ask::{Keep, ask, write_whole};
use crate::plot::{self, Axes};
use crate::{Outcome, rulebooks};

pub(crate) fn run(args: &Report, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebook = rulebooks::find(&args.rules)?;
    let page = Page::ask(&rulebook, &args.rules, Keep::unless(args.recompute))?.html()?;
    let default = || PathBuf::from(format!("houseway-{}.html", rulebook.id));
    let file = args.out.clone().unwrap_or_else(default);
    if file.as_os_str() == "-" {
        out.write_all(page.as_bytes())?;
        return Ok(Outcome::Done);
    }
    write_whole(&file, &page).with_context(|| format!("cannot write {}", file.display()))?;
    writeln!(io::stderr(), "Written: {}", file.display())?;
    Ok(Outcome::Done)
}

/// Everything the page says.
struct Page<'a> {
    rulebook: &'a Rulebook,
    /// The rulebook as it is named in a command.
    named: &'a str,
    stake: Stake,
    house_way: Counted,
    best: Compared,
    best_banker: Option<Compared>,
    best_waived: Option<Compared>,
    fortune: Bonus,
    above_banker: Option<AboveBanker>,
    envy: Result<Option<PerOtherHand>, envy::TooMany>,
    tiger: Option<bonus::Tiger>,
    key: String,
}

/// Text in HTML.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// A table: names of columns, those from some place on with numbers, and rows of HTML.
fn table(
    html: &mut String,
    caption: &str,
    columns: &[&str],
    numbers_from: usize,
    rows: &[Vec<String>],
) {
    let class = |column: usize| if column >= numbers_from { " class=n" } else { "" };
    html.push_str("<div class=wide><table><thead><tr>");
    for (column, name) in columns.iter().enumerate() {
        let _ = write!(html, "<th scope=col{}>{name}</th>", class(column));
    }
    html.push_str("</tr></thead><tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(html, "<td{}>{cell}</td>", class(column));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    let _ = writeln!(html, "<p class=soft>{caption}</p>");
}

fn figure(html: &mut String, svg: &str, caption: &str) {
    let _ = writeln!(
        html,
        "<figure><div class=wide>{svg}</div><figcaption>{caption}</figcaption></figure>"
    );
}

fn cards(set: CardSet) -> String {
    let card = |card: houseway_rules::Card| match card.suit() {
        None => "<span>Joker</span>".to_string(),
        Some(suit) => {
            let class = match suit {
                Suit::Clubs => "c",
                Suit::Diamonds => "d",
                Suit::Hearts => "h",
                Suit::Spades => "s",
            };
            format!("<span class={class}>{}{}</span>", card.rank(), suit.symbol())
        }
    };
    let cards: String = set.from_the_top().map(card).collect();
    format!("<span class=cards>{cards}</span>")
}

/// An edge in percent.
fn edge(share: f64) -> String {
    format!("{:.4} %", share * 100.0)
}

fn loss(outcomes: Outcomes, stake: Stake) -> f64 {
    0.0 - outcomes.value(stake).as_f64()
}

/// A chance as people say it: one in so many.
#[expect(clippy::cast_precision_loss, reason = "for printing only")]
fn one_in(part: u64, of: u64) -> String {
    match of / part.max(1) {
        0..100 => format!("1 in {:.2}", of as f64 / part.max(1) as f64),
        _ => format!("1 in {}", grouped((of + part / 2) / part.max(1))),
    }
}

impl<'a> Page<'a> {
    fn ask(rulebook: &'a Rulebook, named: &'a str, keep: Keep) -> anyhow::Result<Page<'a>> {
        let best = |seat, waived| ask(&BestGame { rulebook, seat, waived }, keep);
        let best_banker = match &rulebook.bank.player_banker {
            Some(_) => Some(best(Seat::Banker, false)?),
            None => None,
        };
        let best_waived = match rulebook.waiver() {
            Some(_) => Some(best(Seat::Player, true)?),
            None => None,
        };
        Ok(Page {
            rulebook,
            named,
            stake: Stake::of(rulebook),
            house_way: ask(&HouseWayGame(rulebook), keep)?,
            best: best(Seat::Player, false)?,
            best_banker,
            best_waived,
            fortune: bonus::fortune(rulebook),
            above_banker: above_banker(rulebook, keep)?,
            envy: envy::per_other_hand(rulebook),
            tiger: bonus::tiger_nine(rulebook),
            key: fingerprint(rulebook),
        })
    }

    fn command(&self, rest: &str) -> String {
        let (command, options) = rest.split_once(' ').unwrap_or((rest, ""));
        let quoted = match self.named.contains(|letter: char| " '\"\\$&();<>|*?".contains(letter)) {
            true => format!("'{}'", self.named.replace('\'', "'\\''")),
            false => self.named.to_string(),
        };
        let rules = Escaped(&quoted);
        let line = format!("houseway {command} {options}");
        format!("<code class=command>{} --rules {rules}</code>", line.trim_end())
    }

    /// What the Fortune Bonus is worth as it is paid in this house.
    fn fortune_value(&self) -> Value {
        match &self.above_banker {
            Some(counted) => counted.value(),
            None => self.fortune.value(),
        }
    }

    fn fortune_edge(&self) -> f64 {
        0.0 - self.fortune_value().as_f64()
    }

    fn html(&self) -> anyhow::Result<String> {
        let name = Escaped(&self.rulebook.name);
        let mut html = format!(
            "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n\
             <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
             <title>{name}: the mathematics</title>\n<style>{}</style></head><body>\n",
            include_str!("report.css")
        );
        self.head(&mut html);
        self.main_game(&mut html)?;
        self.fortune(&mut html);
        self.envy(&mut html)?;
        self.tiger(&mut html);
        self.house_way(&mut html);
        self.differences(&mut html);
        self.rules(&mut html);
        self.method(&mut html);
        html.push_str("</body></html>\n");
        Ok(html)
    }

    fn head(&self, html: &mut String) {
        let Rulebook { id, name, summary, source, .. } = self.rulebook;
        let _ = writeln!(
            html,
            "<h1>{}</h1><p>{}</p><p class=soft>Rulebook <code>{}</code>, after {}, {}. \
             Fortune Pai Gow Poker: seven cards of 53, one joker; a five-card High and a two-card \
             Low hand. Every figure on this page is counted, none is sampled; below each table \
             stand the commands that give its figures.</p>",
            Escaped(name),
            Escaped(summary),
            Escaped(id),
            Escaped(&source.document),
            Escaped(&source.edition)
        );
        html.push_str("<div class=key>");
        let mut key = |name: &str, share: f64| {
            let _ = write!(html, "<div>{name}<b>{}</b></div>", edge(share));
        };
        key("House edge, player by the House Way", loss(self.house_way.total(), self.stake));
        key("House edge, player at best", loss(self.best.other.total(), self.stake));
        key("Fortune Bonus", self.fortune_edge());
        if let Some(tiger) = &self.tiger {
            key("Tiger 9", 0.0 - tiger.value.as_f64());
        }
        html.push_str("</div>\n");
    }

    fn main_game(&self, html: &mut String) -> anyhow::Result<()> {
        let _ = writeln!(
            html,
            "<h2>The main game</h2><p>Over all {} deals of a player's and the banker's hand. A \
             player wins with both hands higher, loses with neither, and pushes otherwise; copies \
             are the banker's ({}).{}</p>",
            grouped(DEALS),
            Escaped(&self.rulebook.comparison.copy),
            match &self.rulebook.nine_high_push {
                Some(clause) => format!(
                    " Every wager pushes when the banker's Low hand is 9-high ({}).",
                    Escaped(clause)
                ),
                None => String::new(),
            }
        );
        let total = self.house_way.total();
        let mut games = vec![
            ("by the House Way", total, self.stake, "odds game"),
            ("at best", self.best.other.total(), self.stake, "odds game --player optimal"),
        ];
        if let Some(best) = &self.best_waived {
            let command = "odds game --player optimal --waived";
            games.push(("at best, waived", best.other.total(), Stake::FREE, command));
        }
        if let Some(best) = &self.best_banker {
            let mirrored = total.from_the_other_side();
            let stake = Stake::of_banker(self.rulebook);
            games.push(("as banker, House Way", mirrored, stake, "odds game --as banker"));
            let command = "odds game --as banker --player optimal";
            games.push(("as banker, at best", best.other.total(), stake, command));
        }
        let row = |name: &str, cell: &dyn Fn(Outcomes, Stake) -> String| {
            let cells = games.iter().map(|(_, game, stake, _)| cell(*game, *stake));
            [name.to_string()].into_iter().chain(cells).collect::<Vec<String>>()
        };
        let share = |deals: u64| {
            format!("{}<br><span class=soft>{} %</span>", grouped(deals), percent(deals, DEALS))
        };
        let rows = [
            row("win", &|game, _| share(game.win)),
            row("push", &|game, _| share(game.push)),
            row("lose", &|game, _| share(game.lose)),
            row("house edge", &|game, stake| format!("<b>{}</b>", edge(loss(game, stake)))),
            row("without commission", &|game, _| edge(loss(game, Stake::FREE))),
            row("variance", &|game, stake| format!("{:.4}", game.variance(stake))),
        ];
        let columns: Vec<&str> = [""].into_iter().chain(games.iter().map(|it| it.0)).collect();
        let commands: Vec<String> = games.iter().map(|(_, _, _, it)| self.command(it)).collect();
        let caption = format!(
            "Commission {} % of a win; without it, the same hands are set alike. For a banking \
             player the edge is what is lost on each unit of one opponent's wager. {}",
            100 - self.stake.win,
            commands.join(" ")
        );
        table(html, &caption, &columns, 1, &rows);
        self.by_category(html);
        self.session(html)
    }

    fn by_category(&self, html: &mut String) {
        html.push_str("<h3>By what the player holds</h3>\n");
        let rows: Vec<Vec<String>> = Category::ALL
            .into_iter()
            .map(|category| {
                let it = self.house_way.of_category(category);
                let best = self.best.other.of_category(category);
                vec![
                    category.name().to_string(),
                    grouped(it.deals() / BANKER_HANDS),
                    percent(it.deals(), DEALS),
                    percent(it.win, it.deals()),
                    percent(it.push, it.deals()),
                    percent(it.lose, it.deals()),
                    edge(loss(it, self.stake)),
                    edge(loss(best, self.stake)),
                ]
            })
            .collect();
        let columns = [
            "best five of seven",
            "hands",
            "share %",
            "win %",
            "push %",
            "lose %",
            "edge",
            "at best",
        ];
        let caption = format!(
            "Win, push, lose and edge by the House Way; then the edge at best. {} {}",
            self.command("odds game --by category"),
            self.command("odds game --player optimal --by category")
        );
        table(html, &caption, &columns, 1, &rows);
    }

    /// The exact distribution of what a hundred rounds come to.
    #[expect(clippy::cast_precision_loss, reason = "for a plot")]
    fn session(&self, html: &mut String) -> anyhow::Result<()> {
        let session = game::session(self.house_way.total(), self.stake, 100);
        let mut bars = vec![0.0; 31];
        for (percent, chance) in &session.results {
            let bar = (percent + 3_100).div_euclid(200).clamp(0, 30);
            bars[usize::try_from(bar).unwrap_or(0)] += chance * 100.0;
        }
        let bars: Vec<(f64, f64)> = bars
            .iter()
            .enumerate()
            .map(|(bar, chance)| (bar as f64 * 2.0 - 31.0, *chance))
            .collect();
        let axes = Axes {
            title: "What a hundred rounds come to",
            x: "units won or lost after 100 rounds",
            y: "percent",
        };
        let svg = plot::bars(&axes, &bars, 2.0)?;
        let caption = format!(
            "A hundred rounds of one unit each, both sides by the House Way: ahead in {:.2} % of \
             them. From the counts above. {}",
            session.ahead * 100.0,
            self.command("odds game")
        );
        figure(html, &svg, &caption);
        Ok(())
    }

    fn fortune(&self, html: &mut String) {
        let fortune = &self.rulebook.fortune;
        let _ = writeln!(
            html,
            "<h2>Fortune Bonus</h2><p>On the best hand in the player's seven cards ({}), over all \
             {} hands.</p>",
            Escaped(&fortune.cite),
            grouped(Bonus::HANDS)
        );
        let mut rows: Vec<Vec<String>> = self
            .fortune
            .lines
            .iter()
            .map(|&(hand, hands, pays)| {
                let envy = fortune.envy(hand).map_or(String::new(), |envy| envy.to_string());
                let returned = u64::from(pays) * hands;
                vec![
                    hand.id().replace('-', " "),
                    grouped(hands),
                    percent(hands, Bonus::HANDS),
                    one_in(hands, Bonus::HANDS),
                    grouped(pays.into()),
                    envy,
                    percent(returned, Bonus::HANDS),
                ]
            })
            .collect();
        let nothing = self.fortune.nothing;
        let empty = String::new;
        rows.push(vec![
            "nothing".into(),
            grouped(nothing),
            percent(nothing, Bonus::HANDS),
            empty(),
            empty(),
            empty(),
            format!("−{}", percent(nothing, Bonus::HANDS)),
        ]);
        let columns = ["hand", "hands", "share %", "", "pays to 1", "Envy", "of the wager %"];
        let gain = self.fortune.value();
        let caption = format!(
            "House edge {}: {} of {} units wagered. Variance {:.2}. {}",
            edge(0.0 - gain.as_f64()),
            -gain.gain / 100,
            gain.of / 100,
            self.fortune.variance(),
            self.command("odds bonus")
        );
        table(html, &caption, &columns, 1, &rows);
        if let (Some(above), Some(clause)) = (&self.above_banker, &fortune.only_above_banker) {
            let _ = writeln!(
                html,
                "<h3>Paid only above the banker's bonus hand</h3><p>By {} the bonus is paid only \
                 if the banker's own bonus hand is lower, and returned otherwise: counted over all \
                 {} deals of both hands.</p>",
                Escaped(clause),
                grouped(DEALS)
            );
            let rows: Vec<Vec<String>> = above
                .lines
                .iter()
                .map(|line| {
                    let all = line.paid + line.returned;
                    vec![
                        line.category.id().replace('-', " "),
                        grouped(line.paid),
                        grouped(line.returned),
                        percent(line.paid, all),
                    ]
                })
                .collect();
            let caption = format!(
                "House edge {}, variance {:.2}. {}",
                edge(0.0 - above.value().as_f64()),
                above.variance(),
                self.command("odds bonus")
            );
            table(html, &caption, &["hand", "paid", "returned", "paid %"], 1, &rows);
        }
    }

    fn envy(&self, html: &mut String) -> anyhow::Result<()> {
        let Some(envy) = &self.rulebook.envy else { return Ok(()) };
        let one = match &self.envy {
            Ok(Some(one)) => *one,
            Ok(None) => return Ok(()),
            Err(why) => {
                let why = why.to_string();
                let _ = writeln!(html, "<h2>Envy Bonus</h2><p>Not counted: {}.</p>", Escaped(&why));
                return Ok(());
            }
        };
        let wager = envy.fortune_at_least.max(Cents::dollars(5));
        let _ = writeln!(
            html,
            "<h2>Envy Bonus</h2><p>A Fortune Bonus wager{} brings the amounts above for others' \
             hands ({}){}. Each other hand brings ${:.6} a round on average.</p>",
            if envy.fortune_at_least > Cents::new(1) {
                format!(" of at least {}", envy.fortune_at_least)
            } else {
                String::new()
            },
            Escaped(&envy.cite),
            if envy.other_must_bet_fortune { ", if the other bets the bonus too" } else { "" },
            one.dollars()
        );
        let others = 0..u32::from(self.rulebook.seats.betting_positions);
        let game = self.house_way.total();
        let edges: Vec<f64> = others
            .clone()
            .map(|others| envy::edge_with_envy(self.fortune_edge(), one, wager, others))
            .collect();
        let waiver = self.rulebook.waiver();
        let rows: Vec<Vec<String>> = others
            .clone()
            .zip(&edges)
            .map(|(others, share)| {
                let mut row = vec![
                    others.to_string(),
                    format!("${:.6}", one.dollars() * f64::from(others)),
                    edge(*share),
                ];
                if waiver.is_some() {
                    let from = {
                        let bonus = self.fortune_value();
                        envy::break_even_wager(self.rulebook, game, bonus, Some(one), others)
                    };
                    row.push(match from {
                        Some(from) if from > 0.0 => format!("${from:.2}"),
                        _ => "any".into(),
                    });
                }
                row
            })
            .collect();
        let title = format!("edge of a {wager} bonus bet");
        let mut columns = vec!["other hands", "brings", &title];
        if waiver.is_some() {
            columns.push("waiver pays from a wager of");
        }
        let caption = match waiver {
            Some(waiver) => format!(
                "The waiver takes a Fortune Bonus wager of {} and saves the commission ({}). {}",
                waiver.is,
                Escaped(&waiver.cite),
                self.command("odds envy")
            ),
            None => self.command("odds envy"),
        };
        table(html, &caption, &columns, 0, &rows);
        let bars: Vec<(f64, f64)> = others
            .zip(edges)
            .map(|(others, share)| (f64::from(others) - 0.4, share * 100.0))
            .collect();
        let axes = Axes {
            title: "Edge of the Fortune Bonus by number of other hands",
            x: "other hands at the table",
            y: "house edge, percent",
        };
        let svg = plot::bars(&axes, &bars, 0.8)?;
        figure(html, &svg, &format!("The edge of a {wager} Fortune Bonus bet with Envy."));
        Ok(())
    }

    fn tiger(&self, html: &mut String) {
        let (Some(tiger), Some(rule)) = (&self.tiger, &self.rulebook.tiger_nine) else { return };
        let _ = writeln!(
            html,
            "<h2>Tiger 9</h2><p>Pays {} to 1 when the banker's Low hand is 9-high ({}): {} of {} \
             hands, {} %. House edge {}, variance {:.2}. {}</p>",
            tiger.pays,
            Escaped(&rule.cite),
            grouped(tiger.hands),
            grouped(Bonus::HANDS),
            percent(tiger.hands, Bonus::HANDS),
            edge(0.0 - tiger.value.as_f64()),
            tiger.variance(),
            self.command("odds tiger")
        );
    }

    fn house_way(&self, html: &mut String) {
        html.push_str("<h2>The House Way</h2><p>The first row that fits a hand sets it.</p>\n");
        let gives_away = |place: usize| {
            let all = self.best.differences.iter().filter(|it| it.clause == place);
            let gain: i64 = all.map(|it| it.gain).sum();
            edge(share(gain))
        };
        let rows: Vec<Vec<String>> = self
            .rulebook
            .house_way
            .iter()
            .enumerate()
            .map(|(place, clause)| {
                let it = self.house_way.of_clause(place);
                let hands = it.deals() / BANKER_HANDS;
                let row = if clause.row.is_empty() {
                    String::new()
                } else {
                    format!("<b>{}</b>: ", Escaped(&clause.row))
                };
                vec![
                    format!("<b>{}</b>", Escaped(&clause.id)),
                    format!("{row}{}", Escaped(&clause.says)),
                    grouped(hands),
                    percent(hands, sweep::HANDS),
                    if hands > 0 { edge(loss(it, self.stake)) } else { String::new() },
                    gives_away(place),
                ]
            })
            .collect();
        let caption = format!(
            "The edge is that of a player whose hand the clause sets; what it gives away against \
             the best setting is frequency times cost. {} {}",
            self.command("odds game --by clause"),
            self.command("odds differences")
        );
        let columns = ["clause", "", "hands", "share %", "edge", "gives away"];
        table(html, &caption, &columns, 2, &rows);
    }

    fn differences(&self, html: &mut String) {
        let hands = self.best.hands_set_otherwise();
        let _ = writeln!(
            html,
            "<h2>Where the House Way is not the best</h2><p>{} of {} hands, {} %, are worth more \
             set otherwise. These combinations of ranks matter most.</p>",
            grouped(hands),
            grouped(sweep::HANDS),
            percent(hands, sweep::HANDS)
        );
        let mut examples: Vec<_> = self
            .best
            .differences
            .iter()
            .flat_map(|it| it.most.iter().map(move |example| (it.clause, example)))
            .collect();
        examples.sort_by_key(|(_, example)| -example.gain);
        let rows: Vec<Vec<String>> = examples
            .iter()
            .take(10)
            .map(|(clause, it)| {
                vec![
                    cards(it.cards),
                    format!("<b>{}</b>", Escaped(&self.rulebook.house_way[*clause].id)),
                    cards(it.low),
                    cards(it.other_low),
                    grouped(it.hands),
                    format!("{:.6} %", share(it.gain) * 100.0),
                ]
            })
            .collect();
        let columns = ["such as", "clause", "Low by the House Way", "better", "hands", "gain"];
        table(html, &self.command("odds differences"), &columns, 4, &rows);
    }

    fn rules(&self, html: &mut String) {
        html.push_str("<h2>What the house does its own way</h2>\n");
        let rows: Vec<Vec<String>> = facts(self.rulebook)
            .iter()
            .map(|fact| {
                let text = |text: &str| Escaped(text).to_string();
                vec![text(&fact.topic), text(&fact.value), text(&fact.cite)]
            })
            .collect();
        let rules = format!("<code class=command>houseway rules {}</code>", Escaped(self.named));
        table(html, &rules, &["", "", "clause"], 9, &rows);
    }

    fn method(&self, html: &mut String) {
        let version = env!("CARGO_PKG_VERSION");
        let _ = writeln!(
            html,
            "<h2>Method</h2>\
             <p>Two hands of seven out of 53 cards make {} ordered deals. They are counted by \
             inclusion and exclusion over the cards two hands would share; hands that differ only \
             by a change of suits count alike. The best setting of each of 6,972,147 classes of \
             hands is counted against all {} hands of the other side, by ranks with \
             multiplicities, flush hands apart. The two methods share no counting and agree on \
             every deal of the House Way's game.</p>\
             <p>Counts are whole numbers. Edges are quotients of them, printed to four decimals; \
             a variance is that of the gain on a unit wager.</p>\
             <p>Not in these figures: limits on what a banker covers, caps on what a round pays, \
             and fees.</p>\
             <p class=soft>houseway {version}. The rulebook has the fingerprint <code>{}</code>, a \
             hash of everything it says. {} writes this page again, and <code>--recompute</code> \
             counts every figure anew.</p>",
            grouped(DEALS),
            grouped(BANKER_HANDS),
            self.key,
            self.command("report")
        );
    }
}
