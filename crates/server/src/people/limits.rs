//! Limits that people set themselves, and what they decide.
//!
//! A tighter limit counts at once; a looser one, or none, only after a day. So what is in force is
//! the strictest of all that someone has wished within the last 24 hours. Limits of a table or a
//! house stand beside these and are not loosened by them: the strictest wins (GLI-19 2.5.5(b)).

use std::fmt;
use std::str::FromStr;

use houseway_rules::Cents;
use houseway_store::{
    AccountName, Failure, Moved, OwnLimit, RoundFilter, RoundRow, RoundShare, StatusKind, UserError,
};
use houseway_table::Person;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cashier::moves_since;
use super::{DAY, MINUTE, People, must_exist};

/// How many rounds are read at once.
const PAGE: u32 = 500;

/// How long a looser limit waits, in milliseconds.
pub const LOOSER_AFTER: u64 = DAY;

/// What can be limited.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Cents lost within 24 hours.
    LossPerDay,
    /// Cents lost within 7 days.
    LossPerWeek,
    /// Cents lost within 30 days.
    LossPerMonth,
    /// Milliseconds at tables within 24 hours.
    TimePerDay,
}

impl Kind {
    /// All there are.
    pub const ALL: [Kind; 4] =
        [Kind::LossPerDay, Kind::LossPerWeek, Kind::LossPerMonth, Kind::TimePerDay];

    /// Those of money, the shortest period first.
    const LOSS: [Kind; 3] = [Kind::LossPerDay, Kind::LossPerWeek, Kind::LossPerMonth];

    /// The word it is kept and sent as.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::LossPerDay => "loss-per-day",
            Kind::LossPerWeek => "loss-per-week",
            Kind::LossPerMonth => "loss-per-month",
            Kind::TimePerDay => "time-per-day",
        }
    }

    /// Back to when it looks, in milliseconds. Periods end now, so that nobody waits for midnight.
    pub const fn period(self) -> u64 {
        match self {
            Kind::LossPerDay | Kind::TimePerDay => DAY,
            Kind::LossPerWeek => 7 * DAY,
            Kind::LossPerMonth => 30 * DAY,
        }
    }

    /// The most that makes sense: more than that would be no limit.
    const fn largest(self) -> u64 {
        match self {
            Kind::TimePerDay => DAY,
            Kind::LossPerDay | Kind::LossPerWeek | Kind::LossPerMonth => 100_000_000_000,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The text is no kind of limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` is no limit: write loss-per-day, loss-per-week, loss-per-month or time-per-day",
    .0.escape_debug()
)]
pub struct ParseKindError(String);

impl FromStr for Kind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Kind, ParseKindError> {
        let found = Kind::ALL.into_iter().find(|it| it.word() == text);
        found.ok_or_else(|| ParseKindError(text.chars().take(40).collect()))
    }
}

/// A limit was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// So high that it would be no limit.
    #[error("{kind} can be at most {most}")]
    TooHigh {
        /// Which.
        kind: Kind,
        /// The most it can be.
        most: u64,
    },
    /// There is nobody with that number.
    #[error("there is no such person")]
    Unknown,
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// One limit as it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Limit {
    /// The most that counts now; nothing is no limit.
    pub most: Option<u64>,
    /// What was asked for since and counts later.
    pub waiting: Option<Waiting>,
}

/// A looser limit that does not count yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Waiting {
    /// The most; nothing lifts the limit.
    pub most: Option<u64>,
    /// From when on.
    pub begins: u64,
}

/// All limits of one person at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Limits {
    /// Cents within 24 hours.
    pub loss_per_day: Limit,
    /// Cents within 7 days.
    pub loss_per_week: Limit,
    /// Cents within 30 days.
    pub loss_per_month: Limit,
    /// Milliseconds within 24 hours.
    pub time_per_day: Limit,
}

impl Limits {
    /// As they stand at a time, out of all that were ever asked for, in the order of asking.
    pub fn at(asked: &[OwnLimit], now: u64) -> Limits {
        let limit = |kind| limit_at(asked, kind, now);
        Limits {
            loss_per_day: limit(Kind::LossPerDay),
            loss_per_week: limit(Kind::LossPerWeek),
            loss_per_month: limit(Kind::LossPerMonth),
            time_per_day: limit(Kind::TimePerDay),
        }
    }

    /// Whether any of them is about money.
    pub fn are_of_money(&self) -> bool {
        Kind::LOSS.into_iter().any(|kind| self.of(kind).most.is_some())
    }

    /// The one of a kind.
    pub const fn of(&self, kind: Kind) -> Limit {
        match kind {
            Kind::LossPerDay => self.loss_per_day,
            Kind::LossPerWeek => self.loss_per_week,
            Kind::LossPerMonth => self.loss_per_month,
            Kind::TimePerDay => self.time_per_day,
        }
    }
}

/// No limit is the loosest.
fn strictness(most: Option<u64>) -> u64 {
    most.unwrap_or(u64::MAX)
}

/// The strictest wish that stood at any moment of the last 24 hours: each stands until the next. When a
/// wish counts follows from when it was made alone, so that two who ask at once loosen nothing.
fn limit_at(asked: &[OwnLimit], kind: Kind, now: u64) -> Limit {
    let asked: Vec<_> = asked.iter().filter(|it| it.kind == kind.word()).collect();
    let since = now.saturating_sub(LOOSER_AFTER);
    let stood_until = |number: usize| asked.get(number + 1).map_or(u64::MAX, |next| next.made);
    let stood = (0..asked.len()).filter(|&number| stood_until(number) > since);
    let most =
        stood.map(|number| asked[number].most).min_by_key(|&most| strictness(most)).flatten();
    let wish = asked.last().filter(|it| it.most != most);
    let begins = |it: &OwnLimit| it.made + LOOSER_AFTER;
    Limit { most, waiting: wish.map(|it| Waiting { most: it.most, begins: begins(it) }) }
}

/// What someone has lost within each period. To bring more money, it is what was brought to tables and
/// not brought back, so that what lies there counts as lost until it returns; to wager it, what rounds
/// have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// Within 24 hours.
    pub day: Cents,
    /// Within 7 days.
    pub week: Cents,
    /// Within 30 days.
    pub month: Cents,
}

impl Lost {
    /// Out of the moves of a person's wallet, which reach back far enough.
    pub fn at(moves: &[Moved], wallet: &AccountName, now: u64) -> Lost {
        let lost = |kind: Kind| lost_since(moves, wallet, (now + 1).saturating_sub(kind.period()));
        Lost {
            day: lost(Kind::LossPerDay),
            week: lost(Kind::LossPerWeek),
            month: lost(Kind::LossPerMonth),
        }
    }
}

/// What went from a wallet to tables since a time and did not come back. A period in which more
/// came back than went counts as nothing lost: what was won is no leave to lose more.
pub fn lost_since(moves: &[Moved], wallet: &AccountName, since: u64) -> Cents {
    let is_table = |account: &AccountName| account.as_str().starts_with("table/");
    let recent = moves.iter().filter(|it| it.place.at >= since).map(|it| &it.moved);
    let lost: i128 = recent
        .map(|moved| match (&moved.from, &moved.to) {
            (from, to) if from == wallet && is_table(to) => i128::from(moved.amount.get()),
            (from, to) if to == wallet && is_table(from) => -i128::from(moved.amount.get()),
            _ => 0,
        })
        .sum();
    Cents::new(u64::try_from(lost.max(0)).unwrap_or(u64::MAX))
}

/// An own limit stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("your own limit {kind} allows {left} more{}", match .kind {
    Kind::TimePerDay => " milliseconds",
    _ => " cents",
})]
pub struct Exceeded {
    /// Which.
    pub kind: Kind,
    /// The most.
    pub most: u64,
    /// What is left of it.
    pub left: u64,
}

/// Whether someone who has lost so much may put an amount at risk: if all of it were lost, no limit
/// would be passed. Of several limits in the way, the one that leaves least is named.
pub fn may_risk(limits: &Limits, lost: &Lost, amount: Cents) -> Result<(), Exceeded> {
    let lost = [
        (Kind::LossPerDay, lost.day),
        (Kind::LossPerWeek, lost.week),
        (Kind::LossPerMonth, lost.month),
    ];
    let left = lost.into_iter().filter_map(|(kind, lost)| {
        let most = limits.of(kind).most?;
        Some(Exceeded { kind, most, left: most.saturating_sub(lost.get()) })
    });
    match left.min_by_key(|it| it.left) {
        Some(least) if amount.get() > least.left => Err(least),
        _ => Ok(()),
    }
}

/// Whether someone who was at tables for so many milliseconds within 24 hours may go on, and for
/// how much longer; nothing is without end.
pub fn may_play(limits: &Limits, played: u64) -> Result<Option<u64>, Exceeded> {
    let Some(most) = limits.time_per_day.most else { return Ok(None) };
    match most.saturating_sub(played) {
        0 => Err(Exceeded { kind: Kind::TimePerDay, most, left: 0 }),
        left => Ok(Some(left)),
    }
}

/// A break that is longer than this is time away from tables.
const BREAK: u64 = 5 * MINUTE;

/// How long someone was at tables since a time: from the beginning of a round they took part in to
/// the end of the last one, over breaks in which one goes nowhere. Rounds are when they began and
/// ended, in any order.
pub fn played_since(mut rounds: Vec<(u64, u64)>, since: u64) -> u64 {
    rounds.sort_unstable();
    let (mut played, mut counted) = (0, since);
    for (began, ended) in rounds {
        let from =
            if began.saturating_sub(counted) <= BREAK && played > 0 { counted } else { began };
        let from = from.max(counted);
        played += ended.saturating_sub(from);
        counted = counted.max(ended);
    }
    played
}

impl People {
    /// Someone limits themselves, or wishes a limit to be looser; nothing lifts it. Says how the
    /// limits stand then.
    pub async fn set_limit(
        &self,
        person: Person,
        kind: Kind,
        most: Option<u64>,
    ) -> Result<Limits, LimitError> {
        if most.is_some_and(|most| most > kind.largest()) {
            return Err(LimitError::TooHigh { kind, most: kind.largest() });
        }
        let now = self.clock.now();
        let limit = OwnLimit { person, kind: kind.word().to_owned(), most, made: now };
        self.store.set_limit(limit).await.map_err(|error| match error {
            UserError::Unknown => LimitError::Unknown,
            other => LimitError::Failed(must_exist(other)),
        })?;
        Ok(self.limits(person, now).await?)
    }

    /// The limits of someone at a time: those in force, and those that wait.
    pub async fn limits(&self, person: Person, now: u64) -> Result<Limits, Failure> {
        Ok(Limits::at(&self.store.limits(person).await?, now))
    }

    /// What someone has lost in rounds that have ended, and by their corrections. Periods that they have
    /// not limited are not looked at.
    pub async fn lost_in_rounds(&self, person: Person, limits: &Limits) -> Result<Lost, Failure> {
        let now = self.clock.now();
        let since = |kind: Kind| (now + 1).saturating_sub(kind.period());
        let limited = Kind::LOSS.into_iter().filter(|kind| limits.of(*kind).most.is_some());
        let Some(longest) = limited.max_by_key(|kind| kind.period()) else {
            return Ok(Lost::default());
        };
        let mut won = [0_i128; 3];
        let shares = |row: &RoundRow| {
            let own = row.shares.iter().filter(|share| share.person == person);
            own.map(RoundShare::net).sum::<i128>()
        };
        for row in self.rounds_since(person, since(longest)).await? {
            let counts = Kind::LOSS.into_iter().zip(&mut won);
            for (_, sum) in counts.filter(|(kind, _)| row.ended >= since(*kind)) {
                *sum += shares(&row);
            }
        }
        let [day, week, month] =
            won.map(|won| Cents::new(u64::try_from((-won).max(0)).unwrap_or(u64::MAX)));
        Ok(Lost { day, week, month })
    }

    /// The rounds since a time that someone had a share in, newest first.
    async fn rounds_since(&self, person: Person, since: u64) -> Result<Vec<RoundRow>, Failure> {
        let filter =
            RoundFilter { person: Some(person), from: Some(since), ..RoundFilter::default() };
        let mut rounds: Vec<RoundRow> = Vec::new();
        loop {
            let before = rounds.last().map(RoundRow::place);
            let page = self.store.rounds(&filter, before, PAGE).await?;
            let is_last = page.len() < PAGE as usize;
            rounds.extend(page);
            if is_last {
                return Ok(rounds);
            }
        }
    }

    /// What someone has brought to tables up to now and not brought back.
    pub async fn lost(&self, person: Person) -> Result<Lost, Failure> {
        let now = self.clock.now();
        let wallet = AccountName::wallet(person);
        let since = now.saturating_sub(Kind::LossPerMonth.period());
        let moves = moves_since(&*self.store, person, since).await?;
        Ok(Lost::at(&moves, &wallet, now))
    }
}

impl People {
    /// Whether someone may begin another round at some table, as far as their own time goes.
    pub async fn has_time(&self, person: Person, limits: &Limits) -> Result<bool, Failure> {
        let now = self.clock.now();
        if limits.time_per_day.most.is_none() {
            return Ok(true);
        }
        let since = now.saturating_sub(Kind::TimePerDay.period());
        let rounds = self.rounds_since(person, since).await?.into_iter();
        // A correction is made long after its round, and nobody plays meanwhile.
        let played = rounds.filter(|row| row.status.kind() != StatusKind::Corrected);
        let played = played_since(played.map(|row| (row.began, row.ended)).collect(), since);
        Ok(may_play(limits, played).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_store::{Move, Place, StreamId, Version};
    use rand::rngs::ChaCha12Rng;
    use rand::{RngExt, SeedableRng};

    const HOUR: u64 = super::super::HOUR;

    #[test]
    fn time_at_tables_is_rounds_and_short_breaks() {
        for (rounds, since, played) in [
            (vec![], 0, 0),
            (vec![(100, 150)], 0, 50),
            (vec![(100, 150)], 120, 30),
            (vec![(100, 150)], 200, 0),
            // Two tables at once are one time.
            (vec![(100, 150), (120, 160), (110, 120)], 0, 60),
            (vec![(160, 200), (100, 150)], 0, 100),
            (vec![(0, 10), (10 + BREAK, 20 + BREAK)], 0, 20 + BREAK),
            (vec![(0, 10), (11 + BREAK, 20 + BREAK)], 0, 19),
            (vec![(1_000, 1_010)], 900, 10),
        ] {
            assert_eq!(played_since(rounds.clone(), since), played, "{rounds:?} since {since}");
        }
    }

    fn ask(wishes: &[(u64, Option<u64>)]) -> Vec<OwnLimit> {
        let kind = Kind::LossPerDay.word();
        let wish =
            |&(made, most): &_| OwnLimit { person: Person(1), kind: kind.into(), most, made };
        wishes.iter().map(wish).collect()
    }

    fn most(asked: &[OwnLimit], now: u64) -> Option<u64> {
        Limits::at(asked, now).loss_per_day.most
    }

    #[test]
    fn tighter_counts_at_once_and_looser_after_a_day() {
        let asked = ask(&[(0, Some(100)), (HOUR, Some(500)), (2 * HOUR, Some(50))]);
        assert_eq!(most(&asked[..1], 0), Some(100));
        let waiting = Some(Waiting { most: Some(500), begins: 25 * HOUR });
        let limit = Limits::at(&asked[..2], HOUR).loss_per_day;
        assert_eq!(limit, Limit { most: Some(100), waiting });
        assert_eq!(most(&asked[..2], 25 * HOUR - 1), Some(100));
        assert_eq!(most(&asked[..2], 25 * HOUR), Some(500));
        assert_eq!(most(&asked, 2 * HOUR), Some(50));
        assert_eq!(most(&asked, 999 * HOUR), Some(50), "the looser wish was taken back");
        let lifted = ask(&[(0, Some(100)), (HOUR, None)]);
        assert_eq!(most(&lifted, 25 * HOUR - 1), Some(100));
        assert_eq!(most(&lifted, 25 * HOUR), None);
        assert_eq!(
            most(&ask(&[(0, Some(100)), (HOUR, None), (2 * HOUR, Some(100))]), 99 * HOUR),
            Some(100)
        );
        assert_eq!(Limits::at(&asked, 0).loss_per_week, Limit::default());
    }

    /// The obvious rule: whatever was wished at some moment of the last 24 hours, the strictest. Wishes
    /// are whole hours apart, so a look at every half hour sees them all.
    fn obvious(wishes: &[(u64, Option<u64>)], now: u64) -> Option<u64> {
        let moments = (0..48).map_while(|looks| now.checked_sub(looks * HOUR / 2));
        let stood = moments.filter_map(|at| wishes.iter().rfind(|it| it.0 <= at));
        stood.filter_map(|(_, most)| *most).min()
    }

    #[test]
    fn tighter_counts_at_once_where_a_clock_is_behind_too() {
        let asked = ask(&[(HOUR, Some(100)), (2 * HOUR, Some(500))]);
        assert_eq!(Limits::at(&asked[..1], HOUR - 400).loss_per_day.most, Some(100));
        let waiting = Some(Waiting { most: Some(500), begins: 26 * HOUR });
        let limit = Limits::at(&asked, 2 * HOUR - 400).loss_per_day;
        assert_eq!(limit, Limit { most: Some(100), waiting }, "a looser one waits all the same");
    }

    #[test]
    fn what_is_in_force_is_the_strictest_wish_of_a_day() {
        let mut chance = ChaCha12Rng::from_seed([5; 32]);
        let mut loosened = 0;
        for _ in 0..5_000 {
            let mut now = 0;
            let wishes: Vec<_> = (0..chance.random_range(1..8))
                .map(|_| {
                    now += chance.random_range(1..30) * HOUR;
                    (now, chance.random_bool(0.8).then(|| chance.random_range(0..5)))
                })
                .collect();
            for _ in 0..20 {
                let at = chance.random_range(0..now / HOUR + 30) * HOUR;
                let known = wishes.iter().filter(|it| it.0 <= at).count();
                let found = most(&ask(&wishes[..known]), at);
                assert_eq!(found, obvious(&wishes[..known], at), "{wishes:?} at {at}");
                loosened += usize::from(known > 1 && found == wishes[known - 1].1);
            }
        }
        assert!(loosened > 1_000, "limits were loosened, too");
    }

    #[test]
    fn two_who_ask_at_once_loosen_nothing() {
        for second in [HOUR, HOUR + 1] {
            let raced = ask(&[(HOUR, Some(100)), (second, Some(200))]);
            assert_eq!(most(&raced, HOUR + 1), Some(100), "the second at {second}");
            assert_eq!(most(&raced, HOUR + 1 + LOOSER_AFTER), Some(200));
        }
    }

    fn moved(at: u64, from: &str, to: &str, dollars: u32) -> Moved {
        let (from, to) = (from.parse().expect("a name"), to.parse().expect("a name"));
        let amount = Cents::dollars(dollars);
        let place = Place { at, stream: StreamId::house(), version: Version(1), number: 0 };
        Moved { place, moved: Move { from, to, amount, reason: "test".into(), clause: None } }
    }

    #[test]
    fn lost_is_what_was_brought_and_did_not_come_back() {
        let now = 40 * DAY;
        let wallet = AccountName::wallet(Person(1));
        let moves = [
            moved(now, "wallet/1", "table/7/stack/1", 50),
            moved(now - HOUR, "issue/play", "wallet/1", 10_000),
            moved(now - 2 * DAY, "table/7/stack/1", "wallet/1", 500),
            moved(now - 3 * DAY, "wallet/1", "table/7/stack/1", 700),
            moved(now - 30 * DAY + 1, "wallet/1", "table/8/stack/1", 1_000),
            moved(now - 30 * DAY, "wallet/1", "table/8/stack/1", 9_000),
        ];
        let lost = Lost::at(&moves, &wallet, now);
        let dollars = [lost.day, lost.week, lost.month].map(|it| it.get() / 100);
        assert_eq!(dollars, [50, 250, 1_250]);
        let won = [moved(now, "table/7/stack/1", "wallet/1", 80), moves[0].clone()];
        assert_eq!(lost_since(&won, &wallet, 0), Cents::ZERO);
    }

    #[test]
    fn the_strictest_limit_decides_what_may_be_brought() {
        let limit = |dollars: u64| Limit { most: Some(dollars * 100), waiting: None };
        let lost = Lost {
            day: Cents::dollars(50),
            week: Cents::dollars(250),
            month: Cents::dollars(1_250),
        };
        let none = Limits::default();
        assert_eq!(may_risk(&none, &lost, Cents::new(u64::MAX)), Ok(()));
        let limits = Limits { loss_per_day: limit(100), loss_per_week: limit(280), ..none };
        assert_eq!(may_risk(&limits, &lost, Cents::dollars(30)), Ok(()));
        let refused = may_risk(&limits, &lost, Cents::new(3_001)).expect_err("a cent too much");
        assert_eq!(refused, Exceeded { kind: Kind::LossPerWeek, most: 28_000, left: 3_000 });
        assert_eq!(refused.to_string(), "your own limit loss-per-week allows 3000 more cents");
        let passed = Limits { loss_per_month: limit(1_000), ..limits };
        assert_eq!(may_risk(&passed, &lost, Cents::new(1)).map_err(|it| it.left), Err(0));
        assert_eq!(may_risk(&passed, &lost, Cents::ZERO), Ok(()));
    }

    #[test]
    fn time_runs_out_to_the_millisecond() {
        let limit = Limit { most: Some(HOUR), waiting: None };
        let limits = Limits { time_per_day: limit, ..Limits::default() };
        assert_eq!(may_play(&Limits::default(), u64::MAX), Ok(None));
        assert_eq!(may_play(&limits, HOUR - 1), Ok(Some(1)));
        assert_eq!(may_play(&limits, HOUR).map_err(|it| it.left), Err(0));
    }
}
