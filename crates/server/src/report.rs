//! The operator's reports: what rounds came to by table, rulebook or day, beside what the exact odds
//! say they come to in the long run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use houseway_odds::answers::{BestGame, FortuneAboveBanker, HouseWayGame, Question};
use houseway_odds::game::Stake;
use houseway_odds::{Seat, bonus};
use houseway_rules::houses;
use houseway_rules::rulebook::Rulebook;
use houseway_store::{BetSum, Failure, RoundBet, RoundSum, SumBy, SumKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::calendar;
use crate::house::{FIRST_BOT, House};

/// What a report has a line for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportBy {
    /// Each table.
    Table,
    /// Each rulebook.
    Rules,
    /// Each day, by UTC.
    Day,
}

/// What rounds came to. Amounts are in cents; void rounds are counted, and their wagers are not.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// What it has a line for.
    pub by: ReportBy,
    /// Of rounds that ended at this time or later, in milliseconds since 1970.
    pub from: u64,
    /// And before this time.
    pub until: u64,
    /// The lines, sorted.
    pub lines: Vec<ReportLine>,
    /// All of them together.
    pub total: ReportLine,
}

/// One line of a report.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ReportLine {
    /// A table's number, a rulebook's id or a date; `total`.
    pub of: String,
    /// The rulebooks that were played by.
    pub rules: Vec<String>,
    /// Rounds that were settled.
    pub rounds: u64,
    /// Rounds that are void.
    pub voids: u64,
    /// Corrections.
    pub corrections: u64,
    /// What the house itself won of bets and took back by corrections.
    pub house_took: u64,
    /// What the house itself paid on bets and by corrections.
    pub house_paid: u64,
    /// Commission.
    pub commission: u64,
    /// Fees and rake.
    pub fees: u64,
    /// What the house has of all that, or has lost if less than nothing. Its own players, whose
    /// losses are its gains, are in it like everyone else.
    pub house_result: i64,
    /// Bet by bet, what people wagered.
    pub people: Vec<BetLine>,
    /// The same of the house's own players.
    pub bots: Vec<BetLine>,
}

/// One bet over many rounds. What returns is what a wager of 1 comes back as on average.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BetLine {
    /// `standard`, `fortune`, `tiger-nine`, `envy`, `house-wager`, `bank`, `fee` or `correction`.
    pub bet: &'static str,
    /// How often someone had part in it.
    pub shares: u64,
    /// What was wagered.
    pub wagered: u64,
    /// What was taken of it.
    pub taken: u64,
    /// What was paid beside it.
    pub paid: u64,
    /// What of it went back.
    pub back: u64,
    /// The commission on it.
    pub commission: u64,
    /// What returned of the wagers, commission taken; for wagers of players alone.
    pub actual_return: Option<f64>,
    /// What returns by the exact odds, for a player who sets the House Way. Nothing where the odds
    /// are not known: for rulebook files, and for Envy, which depends on who else plays.
    pub theoretical_return: Option<f64>,
    /// The same for a player who sets every hand best, where setting matters.
    pub best_return: Option<f64>,
    /// The standard error of the actual return if every wager were decided by itself. Hands at one
    /// table meet the same banker, so in truth it is somewhat more.
    pub standard_error: Option<f64>,
}

/// A report of the rounds that ended from a time on and before another.
pub async fn report(house: &House, by: ReportBy, from: u64, until: u64) -> Result<Report, Failure> {
    let sum_by = match by {
        ReportBy::Table => SumBy::Table,
        ReportBy::Rules => SumBy::Rulebook,
        ReportBy::Day => SumBy::Day,
    };
    let sums = house.store().round_sums(sum_by, from, until).await?;
    // The first report counts hands for some seconds.
    let made = tokio::task::spawn_blocking(move || {
        let mut by_key: BTreeMap<(SumKey, &str), Vec<&RoundSum>> = BTreeMap::new();
        for sum in &sums {
            let rules = if by == ReportBy::Rules { sum.rulebook.as_str() } else { "" };
            by_key.entry((sum.key, rules)).or_default().push(sum);
        }
        let lines = by_key.into_iter().map(|((key, rules), sums)| {
            let of = match key {
                SumKey::Table(table) => table.to_string(),
                SumKey::Rulebook => rules.to_owned(),
                SumKey::Day(day) => calendar::date(day),
            };
            line(of, &sums)
        });
        let lines = lines.collect();
        let total = line("total".into(), &sums.iter().collect::<Vec<_>>());
        Report { by, from, until, lines, total }
    });
    made.await.map_err(|error| Failure::Unavailable(error.to_string()))
}

fn line(of: String, sums: &[&RoundSum]) -> ReportLine {
    let total = |of: fn(&RoundSum) -> u64| sums.iter().map(|sum| of(sum)).sum::<u64>();
    let bets = || sums.iter().flat_map(|sum| &sum.bets);
    let commission = bets().map(|bet| bet.commission).sum();
    let fees = bets().filter(|bet| bet.bet == RoundBet::Fee).map(|bet| bet.taken).sum();
    let (house_took, house_paid) = (total(|sum| sum.house_took), total(|sum| sum.house_paid));
    let result =
        i128::from(house_took) + i128::from(commission) + i128::from(fees) - i128::from(house_paid);
    let rules: BTreeSet<&str> = sums.iter().map(|sum| sum.rulebook.as_str()).collect();
    ReportLine {
        of,
        rules: rules.into_iter().map(str::to_owned).collect(),
        rounds: total(|sum| sum.rounds),
        voids: total(|sum| sum.voids),
        corrections: total(|sum| sum.corrections),
        house_took,
        house_paid,
        commission,
        fees,
        house_result: i64::try_from(result).unwrap_or(i64::MAX),
        people: bet_lines(sums, false),
        bots: bet_lines(sums, true),
    }
}

fn bet_lines(sums: &[&RoundSum], bot: bool) -> Vec<BetLine> {
    let lines = RoundBet::ALL.into_iter().filter_map(|bet| {
        let of_bet = |it: &&BetSum| it.bet == bet && it.bot == bot;
        let parts: Vec<(&str, BetSum)> = sums
            .iter()
            .flat_map(|sum| sum.bets.iter().filter(of_bet).map(|it| (&*sum.rulebook, *it)))
            .collect();
        (!parts.is_empty()).then(|| bet_line(bet, &parts))
    });
    lines.collect()
}

/// A bet, by the rulebooks it was played by.
#[expect(clippy::cast_precision_loss, reason = "for printing only")]
fn bet_line(bet: RoundBet, parts: &[(&str, BetSum)]) -> BetLine {
    let mut parts_left = parts.iter().map(|(_, part)| *part);
    let first = parts_left.next().expect("a bet that somebody made");
    let sum = parts_left.fold(first, |mut sum, part| {
        sum.add(&part);
        sum
    });
    let wagers = matches!(bet, RoundBet::Standard | RoundBet::Fortune | RoundBet::TigerNine);
    let wagered = (wagers && sum.wagered > 0).then_some(sum.wagered as f64);
    let returned = (sum.back + sum.paid) as f64 - sum.commission as f64;
    // What is expected of each rulebook's wagers, weighed by them; nothing if one is not known.
    let known: Option<Vec<(Odds, BetSum)>> =
        parts.iter().map(|&(rules, part)| Some((odds(rules, bet)?, part))).collect();
    let weighed = |of: &dyn Fn(&Odds) -> Option<f64>| {
        let parts = known.as_ref()?.iter();
        let all: Option<Vec<f64>> =
            parts.map(|(odds, part)| Some(of(odds)? * part.wagered as f64)).collect();
        Some(all?.into_iter().sum::<f64>() / wagered?)
    };
    let variance = known
        .as_ref()
        .map(|known| known.iter().map(|(odds, part)| odds.variance * part.squares).sum::<f64>());
    BetLine {
        bet: bet.name(),
        shares: sum.shares,
        wagered: sum.wagered,
        taken: sum.taken,
        paid: sum.paid,
        back: sum.back,
        commission: sum.commission,
        actual_return: wagered.map(|wagered| returned / wagered),
        theoretical_return: weighed(&|odds| Some(odds.returns)),
        best_return: weighed(&|odds| odds.best),
        standard_error: variance.and_then(|variance| Some(variance.sqrt() / wagered?)),
    }
}

/// What a wager of 1 comes back as.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Odds {
    returns: f64,
    best: Option<f64>,
    variance: f64,
}

/// The odds of a bet under one of the houses' rulebooks, counted once. A rulebook file has an id
/// that another file can have had before, so nothing is claimed of it.
fn odds(rules: &str, bet: RoundBet) -> Option<Odds> {
    static COUNTED: Mutex<BTreeMap<(String, RoundBet), Option<Odds>>> = Mutex::new(BTreeMap::new());
    let rulebook = houses::find(rules)?;
    // Whoever comes meanwhile waits for the first instead of counting as well.
    let mut counted = COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
    *counted.entry((rules.to_owned(), bet)).or_insert_with(|| count(rulebook, bet))
}

fn count(rulebook: &Rulebook, bet: RoundBet) -> Option<Odds> {
    let apart = |gain: f64, variance| Odds { returns: 1.0 + gain, best: None, variance };
    match bet {
        RoundBet::Standard => {
            let stake = Stake::of(rulebook);
            let game = HouseWayGame(rulebook).shipped()?.total();
            let best = BestGame { rulebook, seat: Seat::Player, waived: false }.shipped();
            let best = best.map(|best| 1.0 + best.other.total().value(stake).as_f64());
            Some(Odds { best, ..apart(game.value(stake).as_f64(), game.variance(stake)) })
        }
        RoundBet::Fortune if rulebook.fortune.only_above_banker.is_some() => {
            let above = FortuneAboveBanker(rulebook).shipped()??;
            Some(apart(above.value().as_f64(), above.variance()))
        }
        RoundBet::Fortune => {
            let fortune = bonus::fortune(rulebook);
            Some(apart(fortune.value().as_f64(), fortune.variance()))
        }
        RoundBet::TigerNine => {
            let tiger = bonus::tiger_nine(rulebook)?;
            Some(apart(tiger.value.as_f64(), tiger.variance()))
        }
        RoundBet::Envy
        | RoundBet::HouseWager
        | RoundBet::Bank
        | RoundBet::Fee
        | RoundBet::Correction => None,
    }
}

/// What the house owes people, in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Liability {
    /// What people have away from tables; bots not counted.
    pub wallets: i64,
    /// What they have at tables and have not wagered; bots not counted.
    pub stacks: i64,
    /// What lies on wagers and in banks of rounds that have not ended, interrupted ones among them.
    pub in_play: i64,
}

/// What the house owes people now.
pub async fn liability(house: &House) -> Result<Liability, Failure> {
    let is_bot = |number: &str| number.parse::<u32>().is_ok_and(|number| number >= FIRST_BOT);
    let mut sum = Liability::default();
    for (account, balance) in house.store().balances("wallet/").await? {
        if account.as_str().strip_prefix("wallet/").is_some_and(|person| !is_bot(person)) {
            sum.wallets += balance;
        }
    }
    for (account, balance) in house.store().balances("table/").await? {
        let mut parts = account.as_str().split('/').skip(2);
        match (parts.next(), parts.next()) {
            (Some("stack"), Some(person)) if !is_bot(person) => sum.stacks += balance,
            (Some("felt" | "bank"), _) => sum.in_play += balance,
            _ => {}
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_store::TableId;

    fn bet(bet: RoundBet, [shares, wagered, taken, paid, commission]: [u64; 5]) -> BetSum {
        let (back, squares) = (wagered - taken, 0.0);
        BetSum { bet, bot: false, shares, wagered, taken, paid, back, commission, squares }
    }

    fn sum(rulebook: &str, bets: Vec<BetSum>) -> RoundSum {
        RoundSum {
            key: SumKey::Table(TableId(1)),
            rulebook: rulebook.into(),
            rounds: 3,
            voids: 1,
            corrections: 0,
            house_took: 500,
            house_paid: 200,
            bets,
        }
    }

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-6)
    }

    /// The published edge of the House Way against itself, and four equal wagers of a dollar.
    #[test]
    fn returns_stand_beside_the_exact_odds() {
        let wagers =
            BetSum { squares: 40_000.0, ..bet(RoundBet::Standard, [4, 400, 100, 200, 10]) };
        let made = line("x".into(), &[&sum("mbs-2020", vec![wagers])]);
        let standard = &made.people[0];
        assert!(near(standard.actual_return, (300.0 + 200.0 - 10.0) / 400.0));
        assert!(standard.theoretical_return.is_some_and(|it| format!("{it:.6}") == "0.972758"));
        assert!(standard.best_return > standard.theoretical_return);
        // Each wager's deviation is near 0.75 of it, and four of them halve that.
        assert!(standard.standard_error.is_some_and(|it| (0.35..0.40).contains(&it)));
        assert_eq!((made.rounds, made.voids, made.house_result), (3, 1, 310));
        assert_eq!(made.bots, []);
    }

    #[test]
    fn rulebooks_are_weighed_by_their_wagers() {
        let one = sum("mbs-2020", vec![bet(RoundBet::Standard, [1, 300, 0, 0, 0])]);
        let two = sum("commission-free", vec![bet(RoundBet::Standard, [1, 100, 0, 0, 0])]);
        let of = |sums: &[&RoundSum]| line("x".into(), sums).people[0].theoretical_return;
        let (a, b) = (of(&[&one]).expect("known"), of(&[&two]).expect("known"));
        assert!((a - b).abs() > 0.001);
        assert!(near(of(&[&one, &two]), 0.75 * a + 0.25 * b));
        // What is not known of one is not claimed of both.
        let file = sum("my-house", vec![bet(RoundBet::Standard, [1, 100, 0, 0, 0])]);
        assert_eq!(of(&[&one, &file]), None);
    }

    #[test]
    fn every_bet_of_the_houses_has_its_odds() {
        for rulebook in houses::HOUSES {
            for (bet, offered) in [
                (RoundBet::Standard, true),
                (RoundBet::Fortune, true),
                (RoundBet::TigerNine, rulebook.tiger_nine.is_some()),
                (RoundBet::Envy, false),
                (RoundBet::Fee, false),
            ] {
                let found = odds(&rulebook.id, bet);
                assert_eq!(found.is_some(), offered, "{} {bet}", rulebook.id);
                if let Some(odds) = found {
                    assert!((0.75..1.0).contains(&odds.returns), "{} {bet}: {odds:?}", rulebook.id);
                    assert!(odds.variance > 0.0);
                }
            }
        }
    }

    #[test]
    fn fees_have_no_return() {
        let made =
            line("x".into(), &[&sum("cardroom", vec![bet(RoundBet::Fee, [2, 300, 300, 0, 0])])]);
        let fee = &made.people[0];
        assert_eq!((made.fees, fee.actual_return, fee.theoretical_return), (300, None, None));
    }
}
