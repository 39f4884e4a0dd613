//! `houseway simulate`: whole rounds from a seed, beside the exact figures.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};
use houseway_odds::Seat as Side;
use houseway_odds::answers::{BestGame, HouseWayGame};
use houseway_odds::envy;
use houseway_odds::game::{Outcomes, Stake};
use houseway_rules::Cents;
use houseway_rules::describe::grouped;
use houseway_rules::rulebook::{Rulebook, Wager};
use houseway_simulate::{
    Estimate, Expected, Known, Moments, Plan, Played, Player, Seat, Strategy, expected,
    expected_banker, play,
};
use serde::Serialize;

use super::json;
use super::odds::above_banker;
use crate::args::Simulate;
use crate::ask::{Keep, ask, with_bar, write_whole};
use crate::plot::{self, Axes, Course};
use crate::{Outcome, paint, rulebooks};

pub(crate) fn run(args: &Simulate, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let rulebook = rulebooks::find(&args.rules)?;
    let plan = plan(&rulebook, args)?;
    let known = known(&plan)?;
    let hands = plan.seats.iter().filter(|seat| seat.strategy == Strategy::Optimal).count();
    let optimal = hands as u64 * plan.rounds;
    if Player::makes_table(optimal) {
        let cost = "about forty seconds on two cores and 1 GB";
        writeln!(io::stderr(), "First the best setting of every hand: {cost}.")?;
    }
    let player = with_bar(|progress| Player::new(&rulebook, optimal, progress))?;
    writeln!(io::stderr(), "Playing {} rounds: {}.", grouped(plan.rounds), cost(&plan))?;
    let played = with_bar(|progress| play(&plan, &player, progress))?;
    let exact = expected(&plan, &known);
    if let Some(folder) = &args.plots {
        write_plots(folder, &plan, &played, &exact)?;
    }
    let answer = Simulated::of(&plan, &played, &exact);
    let text = if args.json { json(&answer)? } else { answer.in_words(&plan) };
    out.write_all(text.as_bytes())?;
    match answer.farthest() {
        errors if errors > ALLOWED => {
            let most =
                format!("{errors:.1} standard errors lie between a figure and the exact one");
            writeln!(io::stderr(), "houseway: {most}; at most {ALLOWED} are expected.")?;
            Ok(Outcome::CheckFailed)
        }
        _ => Ok(Outcome::Done),
    }
}

/// How many standard errors may lie between what was played and what is exact.
const ALLOWED: f64 = 5.0;

/// How long it will take, roughly: a hand is wagered on, dealt, set and settled in two microseconds.
#[expect(clippy::cast_precision_loss, reason = "a rough estimate")]
fn cost(plan: &Plan<'_>) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let seconds = plan.rounds as f64 * (plan.seats.len() + 1) as f64 * 2.0e-6 / cores as f64;
    match seconds {
        ..2.0 => "a moment".to_string(),
        ..120.0 => format!("about {seconds:.0} seconds on {cores} cores"),
        ..7200.0 => format!("about {:.0} minutes on {cores} cores", seconds / 60.0),
        _ => format!("about {:.0} hours on {cores} cores", seconds / 3600.0),
    }
}

fn plan<'a>(rulebook: &'a Rulebook, args: &Simulate) -> anyhow::Result<Plan<'a>> {
    let most = usize::from(rulebook.seats.betting_positions);
    if args.seats.is_empty() || args.seats.len() > most {
        let given = args.seats.len();
        bail!("{} has 1 to {most} betting positions, not {given}", rulebook.id);
    }
    if args.rounds == 0 {
        bail!("--rounds must be at least 1");
    }
    if args.wager == 0 {
        bail!("--wager must be at least 1: a standard wager opens a position");
    }
    if args.tiger > 0 && rulebook.tiger_nine.is_none() {
        bail!("{} has no Tiger 9 bet; commission-free has", rulebook.id);
    }
    for (name, wager, dollars) in [
        ("--wager", Wager::Standard, args.wager),
        ("--fortune", Wager::Fortune, args.fortune),
        ("--tiger", Wager::TigerNine, args.tiger),
    ] {
        let (amount, Some(limits)) = (Cents::dollars(dollars), rulebook.limits(wager)) else {
            continue;
        };
        if !amount.get().is_multiple_of(limits.step.get()) {
            bail!("{name}: {amount} is not in steps of {} ({})", limits.step, limits.cite);
        }
        if let Some(most) = limits.maximum.highest.filter(|most| amount > *most) {
            bail!("{name}: {amount} is above the maximum of {most} ({})", limits.cite);
        }
    }
    let seat = |&strategy: &Strategy| Seat {
        strategy,
        standard: Cents::dollars(args.wager),
        fortune: Cents::dollars(args.fortune),
        tiger: Cents::dollars(args.tiger),
    };
    let seats: Vec<Seat> = args.seats.iter().map(seat).collect();
    if args.put_up.is_some() && rulebook.bank.banker.is_house() {
        bail!("--put-up is for a house where a player banks; in {} the house does", rulebook.id);
    }
    let mut plan = Plan::new(rulebook, seats, args.rounds, args.seed);
    plan.put_up = args.put_up.map(Cents::dollars);
    plan.rake = Cents::dollars(args.rake);
    plan.schedule = args.schedule;
    plan.check()?;
    Ok(plan)
}

/// Asks for the exact figures that the plan can be checked against.
fn known(plan: &Plan<'_>) -> anyhow::Result<Known> {
    let rulebook = plan.rulebook;
    let has = |strategy: Strategy| plan.seats.iter().any(|seat| seat.strategy == strategy);
    let mut known = Known::default();
    if has(Strategy::HouseWay) {
        known.house_way = Some(ask(&HouseWayGame(rulebook), Keep::Trust)?.total());
    }
    if has(Strategy::Optimal) {
        for seat in plan.seats.iter().filter(|seat| seat.strategy == Strategy::Optimal) {
            let stake = seat.stake(rulebook);
            let waived = stake.is_free() && !Stake::of(rulebook).is_free();
            if !known.optimal.iter().any(|(at, _)| *at == stake) {
                let best = ask(&BestGame { rulebook, seat: Side::Player, waived }, Keep::Trust)?;
                known.optimal.push((stake, best.other.total()));
            }
        }
    }
    if plan.seats.iter().any(|seat| seat.fortune > Cents::ZERO) {
        known.above_banker = above_banker(rulebook, Keep::Trust)?;
    }
    // Where Envy cannot be counted it is still played.
    known.envy = envy::per_other_hand(rulebook).ok().flatten();
    Ok(known)
}

#[derive(Serialize)]
struct Simulated<'a> {
    rules: &'a str,
    rounds: u64,
    seed: u64,
    seats: Vec<OneSeat>,
    banker: Banker,
}

#[derive(Serialize)]
struct OneSeat {
    strategy: &'static str,
    win: u64,
    push: u64,
    lose: u64,
    shares: Vec<Ended>,
    bets: Vec<Line>,
}

/// How often a standard wager ended so.
#[derive(Serialize)]
struct Ended {
    outcome: &'static str,
    share: f64,
    standard_error: f64,
    exact: Option<f64>,
    errors: Option<f64>,
}

impl Ended {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn of(outcome: &'static str, times: u64, rounds: u64, exact: Option<(u64, u64)>) -> Ended {
        let share = times as f64 / rounds as f64;
        let standard_error = (share * (1.0 - share) / rounds as f64).sqrt();
        let exact = exact.map(|(part, of)| part as f64 / of as f64);
        let errors = exact.filter(|_| standard_error > 0.0);
        let errors = errors.map(|exact| (share - exact) / standard_error);
        Ended { outcome, share, standard_error, exact, errors }
    }

    fn all(played: Outcomes, exact: Option<Outcomes>) -> Vec<Ended> {
        let rounds = played.deals();
        let exact = |of: fn(Outcomes) -> u64| exact.map(|game| (of(game), game.deals()));
        vec![
            Ended::of("win", played.win, rounds, exact(|game| game.win)),
            Ended::of("push", played.push, rounds, exact(|game| game.push)),
            Ended::of("lose", played.lose, rounds, exact(|game| game.lose)),
        ]
    }
}

/// A bet's average gain in cents a round.
#[derive(Serialize)]
struct Line {
    bet: &'static str,
    wager: Option<Cents>,
    mean: f64,
    standard_error: f64,
    deviation: f64,
    /// What it must be on average, where that is counted.
    exact: Option<f64>,
    /// How many standard errors lie between.
    errors: Option<f64>,
}

#[derive(Serialize)]
struct Banker {
    mean: f64,
    standard_error: f64,
    deviation: f64,
    exact: Option<f64>,
    errors: Option<f64>,
    worst: i64,
    best: i64,
    /// Gains in cents that so many of a hundred rounds do not exceed.
    quantiles: Vec<(u8, i64)>,
}

impl Line {
    fn of(
        bet: &'static str,
        wager: Option<Cents>,
        moments: Moments,
        rounds: u64,
        exact: Option<f64>,
    ) -> Line {
        let estimate = moments.estimate(rounds);
        let Estimate { mean, standard_error, deviation } = estimate;
        let errors = exact.and_then(|exact| estimate.errors_from(exact));
        Line { bet, wager, mean, standard_error, deviation, exact, errors }
    }
}

impl<'a> Simulated<'a> {
    fn of(plan: &'a Plan<'_>, played: &Played, exact: &[Expected]) -> Simulated<'a> {
        let rounds = played.rounds;
        let seats = plan.seats.iter().zip(&played.seats).zip(exact).map(|((seat, it), exact)| {
            let mut bets = vec![Line::of(
                "standard",
                Some(seat.standard),
                it.standard,
                rounds,
                exact.standard,
            )];
            if seat.fortune > Cents::ZERO {
                bets.push(Line::of(
                    "fortune",
                    Some(seat.fortune),
                    it.fortune,
                    rounds,
                    exact.fortune,
                ));
                if plan.rulebook.envy.is_some() {
                    bets.push(Line::of("envy", None, it.envy, rounds, exact.envy));
                }
            }
            if seat.tiger > Cents::ZERO {
                bets.push(Line::of("tiger", Some(seat.tiger), it.tiger, rounds, exact.tiger));
            }
            if it.fees != Moments::default() {
                bets.push(Line::of("fees", None, it.fees, rounds, None));
            }
            if bets.len() > 1 {
                bets.push(Line::of("together", None, it.total, rounds, exact.total()));
            }
            OneSeat {
                strategy: seat.strategy.name(),
                win: it.outcomes.win,
                push: it.outcomes.push,
                lose: it.outcomes.lose,
                shares: Ended::all(it.outcomes, exact.outcomes),
                bets,
            }
        });
        let estimate = played.banker.estimate(rounds);
        let Estimate { mean, standard_error, deviation } = estimate;
        let exact_banker = expected_banker(plan.rulebook, exact);
        let gains = &played.banker_gains;
        Simulated {
            rules: &plan.rulebook.id,
            rounds,
            seed: plan.seed,
            seats: seats.collect(),
            banker: Banker {
                mean,
                standard_error,
                deviation,
                exact: exact_banker,
                errors: exact_banker.and_then(|exact| estimate.errors_from(exact)),
                worst: gains.keys().next().copied().unwrap_or(0),
                best: gains.keys().next_back().copied().unwrap_or(0),
                quantiles: [1, 5, 25, 50, 75, 95, 99]
                    .map(|percent| (percent, quantile(played, percent)))
                    .to_vec(),
            },
        }
    }

    /// The most standard errors between a figure and the exact one. A handful of rounds says
    /// nothing about that.
    fn farthest(&self) -> f64 {
        if self.rounds < 1000 {
            return 0.0;
        }
        let bets = self.seats.iter().flat_map(|seat| &seat.bets).filter(|bet| bet.bet != "envy");
        let errors = bets.filter_map(|bet| bet.errors);
        let shares = self.seats.iter().flat_map(|seat| &seat.shares);
        let all = errors.chain(shares.filter_map(|share| share.errors));
        all.map(f64::abs).fold(0.0, f64::max)
    }

    fn in_words(&self, plan: &Plan<'_>) -> String {
        let mut text = format!(
            "{}  {} rounds from seed {}\n",
            paint::strong(self.rules),
            grouped(self.rounds),
            self.seed
        );
        text.push_str(
            "\n  Average gain a round in cents, with its standard error; the exact figure and\n",
        );
        text.push_str("  how many standard errors lie between\n");
        for (place, seat) in self.seats.iter().enumerate() {
            let name = paint::strong(&format!("{}", place + 1));
            let _ = writeln!(text, "\n  {name} {}", seat.strategy);
            for it in &seat.shares {
                let exact =
                    it.exact.map_or("not counted".into(), |it| format!("{:.4} %", it * 100.0));
                let errors = it.errors.map_or(String::new(), |errors| format!("{errors:+.2}"));
                let line = format!(
                    "    {:<9} {:>20.4} ± {:<8.4}% {exact:>12} {errors:>7}",
                    it.outcome,
                    it.share * 100.0,
                    it.standard_error * 100.0
                );
                let _ = writeln!(text, "{}", line.trim_end());
            }
            for bet in &seat.bets {
                let wager = bet.wager.map_or(String::new(), |wager| wager.to_string());
                let exact = bet.exact.map_or("not counted".into(), |exact| format!("{exact:+.4}"));
                let errors = bet.errors.map_or(String::new(), |errors| format!("{errors:+.2}"));
                let line = format!(
                    "    {:<9} {wager:>7} {:>+12.4} ± {:<9.4} {exact:>12} {errors:>7}",
                    bet.bet, bet.mean, bet.standard_error
                );
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        let dollars = |cents: i64| {
            let amount = Cents::new(cents.unsigned_abs());
            if cents < 0 { format!("-{amount}") } else { amount.to_string() }
        };
        let banker = &self.banker;
        let _ = writeln!(
            text,
            "\n  banker             {:>+12.4} ± {:<9.4} {:>12} {:>7}",
            banker.mean,
            banker.standard_error,
            banker.exact.map_or("not counted".into(), |exact| format!("{exact:+.4}")),
            banker.errors.map_or(String::new(), |errors| format!("{errors:+.2}"))
        );
        let quantiles: Vec<String> = banker
            .quantiles
            .iter()
            .map(|(percent, gain)| format!("{percent} % {}", dollars(*gain)))
            .collect();
        let line = format!(
            "deviation {:.2}; of all rounds so many come to at most: {}; worst {}, best {}",
            banker.deviation,
            quantiles.join(", "),
            dollars(banker.worst),
            dollars(banker.best)
        );
        let _ = writeln!(text, "    {}", paint::wrapped(&line, paint::width() - 4, 4));
        if plan.rulebook.bank.player_banker.is_some() {
            text.push_str("  The house banks every round.\n");
        }
        text
    }
}

/// The least gain that so many of a hundred rounds do not exceed.
fn quantile(played: &Played, percent: u8) -> i64 {
    let mut seen = 0;
    for (&gain, &times) in &played.banker_gains {
        seen += times;
        if seen * 100 >= played.rounds * u64::from(percent) {
            return gain;
        }
    }
    0
}

#[expect(clippy::cast_precision_loss, reason = "for a plot")]
fn write_plots(
    folder: &Path,
    plan: &Plan<'_>,
    played: &Played,
    exact: &[Expected],
) -> anyhow::Result<()> {
    let (gains, width) = histogram(played);
    let axes = Axes {
        title: "The banker's gain in a round",
        x: "dollars in a round, the middle 98 % of rounds",
        y: "percent of rounds",
    };
    let mut plots = vec![("banker-gain".to_string(), plot::bars(&axes, &gains, width)?)];
    for (place, (seat, exact)) in plan.seats.iter().zip(exact).enumerate() {
        let course = |of: fn(Estimate) -> f64| -> Vec<(f64, f64)> {
            let points = played.course.iter().filter(|(rounds, _)| *rounds > 0);
            points
                .map(|(rounds, seats)| (*rounds as f64, of(seats[place].estimate(*rounds))))
                .collect()
        };
        let mut courses = vec![
            Course { name: "average gain", points: course(|it| it.mean) },
            Course {
                name: "± 2 standard errors",
                points: course(|it| it.mean + 2.0 * it.standard_error),
            },
            Course { name: "", points: course(|it| it.mean - 2.0 * it.standard_error) },
        ];
        if let Some(exact) = exact.total() {
            let ends = [0.0, played.rounds as f64];
            courses.push(Course { name: "exact", points: ends.map(|x| (x, exact)).to_vec() });
        }
        let title = format!("Position {}, {}", place + 1, seat.strategy);
        let axes = Axes { title: &title, x: "rounds", y: "cents a round" };
        plots.push((format!("position-{}", place + 1), plot::lines(&axes, &courses)?));
    }
    for (name, svg) in plots {
        let file = folder.join(format!("{name}.svg"));
        write_whole(&file, &svg).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Shares of the middle 98 % of rounds by the banker's gain in dollars, as bars of some width: each
/// result by itself where there are few, in groups otherwise.
#[expect(clippy::cast_precision_loss, reason = "for a plot")]
fn histogram(played: &Played) -> (Vec<(f64, f64)>, f64) {
    const BARS: i64 = 60;
    let [lowest, highest] = [1, 99].map(|percent| quantile(played, percent));
    let middle = played.banker_gains.range(lowest..=highest);
    let share = |times: u64| times as f64 / played.rounds as f64 * 100.0;
    let width = ((highest - lowest) / BARS).max(100);
    if middle.clone().count() <= 40 {
        let bar = |(&gain, &times): (&i64, &u64)| ((gain - width / 2) as f64 / 100.0, share(times));
        return (middle.map(bar).collect(), width as f64 / 100.0);
    }
    let mut bars: BTreeMap<i64, u64> = BTreeMap::new();
    for (&gain, &times) in middle {
        *bars.entry(gain.div_euclid(width)).or_default() += times;
    }
    let bar = |(place, times): (i64, u64)| ((place * width) as f64 / 100.0, share(times));
    (bars.into_iter().map(bar).collect(), width as f64 / 100.0)
}
