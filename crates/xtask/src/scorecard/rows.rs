//! The rows of the scorecard, as data: what is asked, what shows it, and where its figures are.

use serde_json::Value;

use super::Form;

/// A row.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) number: u8,
    pub(crate) name: &'static str,
    /// What is asked of a full run.
    pub(crate) asked: &'static str,
    short: Shown,
    /// The commands of the long form.
    long: &'static [&'static str],
    /// What is read from what they print, and what it must be.
    pub(crate) figures: &'static [Figure],
    /// What stands between this row and its full figure on a small machine, or is not shown by it.
    pub(crate) limits: Option<&'static str>,
}

/// How the short form of a row is shown.
#[derive(Debug)]
enum Shown {
    /// By commands of its own.
    By(&'static [&'static str]),
    /// By tests that `cargo xtask test` runs anyway.
    BySuite(&'static [&'static str]),
}

/// A figure of a row.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    /// Where it is in what the commands print, as a JSON pointer.
    pub(crate) at: &'static str,
    /// What it must be in the short form, and in the long one.
    pub(crate) short: Bound,
    pub(crate) long: Bound,
}

/// What a figure must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// At least so much.
    Least(f64),
    /// At most so much.
    Most(f64),
    /// At most what another figure of the same run says.
    MostAt(&'static str),
    /// True.
    True,
    /// Anything: it is told.
    Told,
    /// It is not a figure of this form.
    NotHere,
}

use Bound::{Least, Most, MostAt, NotHere, Told, True};
use Shown::{By, BySuite};

impl Row {
    /// What is run.
    pub(crate) fn commands(&self, form: Form) -> &'static [&'static str] {
        match (form, &self.short) {
            (Form::Long, _) => self.long,
            (Form::Short, By(commands) | BySuite(commands)) => commands,
        }
    }

    /// The figures of a form, each with what it must be.
    pub(crate) fn bounds(&self, form: Form) -> impl Iterator<Item = (&'static Figure, Bound)> {
        let bound = move |figure: &Figure| match form {
            Form::Long => figure.long,
            Form::Short => figure.short,
        };
        self.figures.iter().map(move |it| (it, bound(it))).filter(|(_, it)| *it != NotHere)
    }

    /// Whether figures with these names were asked as they are now. A bound that another figure sets may have
    /// been any.
    pub(crate) fn asks_as(&self, form: Form, named: &[(String, Value)], asked: &[String]) -> bool {
        let names = self.bounds(form).map(|(figure, _)| figure.name);
        let words = self.bounds(form).filter_map(|(figure, bound)| {
            Some((bound, figure.name, bound.words(figure.name, &Value::Null)?))
        });
        let words: Vec<(Bound, &str, String)> = words.collect();
        let same = |((bound, name, now), then): (&(Bound, &str, String), &String)| match bound {
            MostAt(_) => then.starts_with(&format!("{name} at most ")),
            _ => now == then,
        };
        names.eq(named.iter().map(|(name, _)| name.as_str()))
            && words.len() == asked.len()
            && words.iter().zip(asked).all(same)
    }

    /// Whether `cargo xtask test` shows the short form without running it a second time.
    pub(crate) fn is_held_by_the_suite(&self) -> bool {
        matches!(self.short, BySuite(_))
    }
}

impl Bound {
    /// What is wrong with a figure.
    pub(crate) fn fault(self, name: &str, value: &Value, all: &Value) -> Option<String> {
        let told = super::page::figure(value);
        let number = value.as_f64();
        let fits = match self {
            Told | NotHere => true,
            True => value == &Value::Bool(true),
            Least(least) => number.is_some_and(|it| it >= least),
            Most(most) => number.is_some_and(|it| it <= most),
            MostAt(at) => {
                let most = all.pointer(at).and_then(Value::as_f64);
                number.zip(most).is_some_and(|(number, most)| number <= most)
            }
        };
        (!fits).then(|| match self.words(name, all) {
            Some(asked) => format!("{told} where {asked} is asked"),
            None => format!("{name} {told}"),
        })
    }

    /// What is asked, in words; nothing where nothing is.
    pub(crate) fn words(self, name: &str, all: &Value) -> Option<String> {
        let figure = |it: f64| {
            let whole = format!("{it:.0}").parse::<u64>();
            match whole {
                Ok(whole) if it.fract() == 0.0 => super::page::figure(&Value::from(whole)),
                _ => super::page::figure(&Value::from(it)),
            }
        };
        match self {
            Told | NotHere => None,
            True => Some(name.to_string()),
            Least(least) => Some(format!("{name} at least {}", figure(least))),
            Most(0.0) => Some(format!("{name} 0")),
            Most(most) => Some(format!("{name} at most {}", figure(most))),
            MostAt(at) => {
                let most = all.pointer(at).and_then(Value::as_f64).unwrap_or_default();
                Some(format!("{name} at most {}", figure(most)))
            }
        }
    }
}

const fn figure(name: &'static str, at: &'static str, short: Bound, long: Bound) -> Figure {
    Figure { name, at, short, long }
}

/// A figure that may only be nothing.
const fn none(name: &'static str, at: &'static str) -> Figure {
    Figure { name, at, short: Most(0.0), long: Most(0.0) }
}

/// Tests of the suite that passed, at least so many.
const fn tests(short: f64, long: f64) -> Figure {
    figure("tests passed", "/tests-passed", Least(short), Least(long))
}

/// The programs, built before they are measured. With one test beside them they are built as `cargo
/// xtask test` has built what they consist of, so that nothing is compiled twice.
const BUILT: &str = "cargo build --quiet --workspace --all-features --bins --test edges";
const BUILT_LONG: &str =
    "cargo build --quiet --release --workspace --all-features --bins --test edges";

/// Nights from seeds, in both forms.
const NIGHTS: &str = "target/debug/houseway-soak --seeds 0..6 --twice --json";
const NIGHTS_LONG: &str = "target/release/houseway-soak --seeds 0..10000 --twice=10 --json";

/// A little of an evening, for rows 1 and 26, and attacks of every kind, for rows 22 and 23.
const EVENING: &str = "target/debug/houseway-load --json - pace --tables 15 --round 5s --for 20s";
const ATTACKED: &str = "target/debug/houseway-load --json - hostile --tables 20 --for 4s --stalled 50 \
                        --half-open 500 --floods 4 --reconnects 300";

const LONG_LOAD: &str = "target/release/houseway-load --json - pace --tables \
                         1000 --round 60s --for 30m";

const P99: &str = "/played/milliseconds/p99";
/// Times are told in the short form, not held: the build is unoptimised and the machine may be busy.
const UNHURT: Bound = Told;
const P99_ASKED: Bound = MostAt("/asked-milliseconds");

/// The invariants of a night: all of them were looked at.
const KINDS_OF_CHECKS: f64 = 21.0;

/// All rows.
pub(crate) const ROWS: &[Row] = &[
    Row {
        number: 1,
        name: "load held",
        asked: "1,000 tables × 6 over sockets, rounds of 60 s, durable, 30 min: at least 16 rounds/s, \
                0 errors, p99 at most 100 ms or 10 fsyncs",
        short: By(&[BUILT, EVENING]),
        long: &[BUILT_LONG, LONG_LOAD],
        figures: &[
            figure("tables", "/played/tables", Least(15.0), Least(1_000.0)),
            figure("rounds/s", "/played/rounds-per-second", Least(0.1), Least(16.0)),
            figure("command to durable answer, p50 ms", "/played/milliseconds/p50", Told, Told),
            figure("p99 ms", P99, UNHURT, P99_ASKED),
            none("refused", "/played/refused"),
            none("hands set because their players were late", "/played/late"),
            none("told to ask again", "/played/again"),
            none("unanswered", "/played/unanswered"),
            figure(
                "acknowledgements held against the store",
                "/held/compared",
                Least(1.0),
                Least(10_000.0),
            ),
            none("of them lost", "/held/lost"),
            none("wrong", "/held/wrong"),
            none("faults of the store afterwards", "/held/faults"),
            figure("server CPU, cores", "/played/server-cores", Told, Told),
        ],
        limits: Some(
            "clients and house share the cores; the short form runs an unoptimised build with \
             rounds of five seconds at 15 tables for 20 s, where two minutes at 100 would be asked: the whole check \
             has ten minutes.",
        ),
    },
    Row {
        number: 2,
        name: "peak",
        asked: "bots flat out: at least 100 rounds/s durable, at most 150 µs of the server's CPU a \
                command, never a wrong or lost answer",
        short: By(&[
            BUILT,
            "target/debug/houseway-load --json - flat-out --tables 20 --for 8s",
            "target/debug/houseway-load --json - overload",
        ]),
        long: &[
            BUILT_LONG,
            "target/release/houseway-load --json - flat-out --tables 50 --for 60s",
            "target/release/houseway-load --json - overload",
        ],
        figures: &[
            figure("rounds/s", "/played/rounds-per-second", Least(0.1), Least(100.0)),
            figure("commands/s", "/played/commands-per-second", Told, Told),
            figure("server CPU a command, µs", "/played/server-cpu-per-command", Told, Most(150.0)),
            figure("server CPU, cores", "/played/server-cores", Told, Told),
            figure("p99 ms", P99, Told, Told),
            none("refused", "/played/refused"),
            none("unanswered", "/played/unanswered"),
            figure(
                "acknowledgements held against the store",
                "/held/compared",
                Least(1.0),
                Least(10_000.0),
            ),
            none("of them lost", "/held/lost"),
            none("wrong", "/held/wrong"),
            none("faults of the store afterwards", "/held/faults"),
            figure("overload: shed, and told so", "/overloaded/shed", Least(1.0), Least(1.0)),
            none("unanswered under overload", "/overloaded/unanswered"),
            none("lost", "/overloaded/lost"),
            none("wrong", "/overloaded/wrong"),
            none("faults", "/overloaded/faults"),
            none("shed a second later", "/overloaded/after-shed"),
        ],
        limits: Some(
            "a command costs the server some 75 to 115 µs, as the machine goes: a quarter is the store, half of that its commit; a third \
             making and sending views; the rest deciding, sealing and handing over (BENCHMARKS.md). What \
             neighbours of the machine do moves it by a tenth and more. The short form runs an \
             unoptimised build.",
        ),
    },
    Row {
        number: 3,
        name: "durable commits a fdatasync",
        asked: "at 64 tables at once, events acknowledged for each fdatasync of the same minute: SQLite \
                at least 20, PostgreSQL at least 8; none before its fsync",
        short: By(&[
            "TABLES=64 SECONDS=2 cargo bench --quiet --workspace --all-features --profile dev --bench store",
            BUILT,
            "target/debug/houseway-trust power-loss --short --json --seed {seed}",
        ]),
        long: &[
            "SYNC_TAKES=2000 TABLES=64 SECONDS=60 cargo bench --quiet --workspace --all-features --bench store",
            "TABLES=64 SECONDS=60 cargo bench --quiet --workspace --all-features --bench store",
            BUILT_LONG,
            "target/release/houseway-trust power-loss --json --seed {seed}",
        ],
        figures: &[
            figure("SQLite, events/fdatasync", "/sqlite/events-per-fdatasync", Told, Least(20.0)),
            figure("SQLite, events/s", "/sqlite/events-per-second", Told, Told),
            figure(
                "with syncs of 2 ms, SQLite",
                "/sqlite-slowly/events-per-fdatasync",
                NotHere,
                Told,
            ),
            figure("and events/s", "/sqlite-slowly/events-per-second", NotHere, Told),
            figure(
                "PostgreSQL, events/fdatasync",
                "/postgresql/events-per-fdatasync",
                Told,
                Least(8.0),
            ),
            figure("PostgreSQL, events/s", "/postgresql/events-per-second", Told, Told),
            figure(
                "with syncs of 2 ms, PostgreSQL",
                "/postgresql-slowly/events-per-fdatasync",
                NotHere,
                Told,
            ),
            figure("and events/s", "/postgresql-slowly/events-per-second", NotHere, Told),
            figure("fdatasync/s before and after SQLite", "/sqlite/fdatasyncs-before", Told, Told),
            figure("after", "/sqlite/fdatasyncs-after", Told, Told),
            figure("before and after PostgreSQL", "/postgresql/fdatasyncs-before", Told, Told),
            figure("after", "/postgresql/fdatasyncs-after", Told, Told),
            figure(
                "acknowledgements whose disk was examined",
                "/figures/acknowledged_examined",
                Least(400.0),
                Least(400.0),
            ),
            none("acknowledged before the fsync", "/figures/early"),
        ],
        limits: Some(
            "the ratios were asked for on disks of 260 to 820 fdatasync/s. On a faster disk two cores are the \
             limit, and the same events a second are a smaller ratio: so the long form tells beside it what comes \
             of a disk whose every sync takes 2 ms at least, for the databases and for the disk alone \
             (`crates/bench/src/slow.rs`). Disks are examined under SQLite; PostgreSQL is asked for `synchronous_commit`, and killed in rows 4 and 8.",
        ),
    },
    Row {
        number: 4,
        name: "kill -9",
        asked: "1,000 kills on SQLite, 300 of nodes and 100 of the database on PostgreSQL: acknowledged \
                lost, doubled, unbalanced, rolled again 0; ready within 2 s",
        short: BySuite(&[
            "cargo test --quiet --workspace --all-features --test durable kills:: -- --nocapture",
        ]),
        long: &[
            "HOUSEWAY_KILLS=1000 cargo test --quiet --release --workspace --all-features --test durable \
             kills::nothing_is_lost_when_the_house_is_killed -- --nocapture",
            "HOUSEWAY_KILLS=500 cargo test --quiet --release --workspace --all-features --test durable \
             kills::nothing_is_lost_when_nodes_and_their_database_are_killed -- --nocapture",
        ],
        figures: &[
            figure("kills on SQLite", "/killed/sqlite/house", Least(100.0), Least(1_000.0)),
            figure("of nodes on PostgreSQL", "/killed/postgresql/house", Least(24.0), Least(300.0)),
            figure("of PostgreSQL", "/killed/postgresql/database", Least(6.0), Least(100.0)),
            figure("commands acknowledged", "/killed/sqlite/acknowledged", Told, Told),
            figure(
                "audits that found nothing lost, doubled, unbalanced or rolled again",
                "/tests-passed",
                Least(2.0),
                Least(2.0),
            ),
            figure("ready again, p99 ms", "/killed/sqlite/ready-p99", Told, Most(2_000.0)),
            figure("on PostgreSQL, p99 ms", "/killed/postgresql/ready-p99", Told, Most(2_000.0)),
        ],
        limits: Some(
            "ready is when `/readyz` says so, at every node after PostgreSQL was killed, whose own recovery is \
             part of it. Players play on meanwhile, on the same cores.",
        ),
    },
    Row {
        number: 5,
        name: "power loss",
        asked: "at least 10,000 images with unsynced writes dropped or torn: each opens whole, nothing \
                acknowledged lost",
        short: By(&[BUILT, "target/debug/houseway-trust power-loss --short --json --seed {seed}"]),
        long: &[BUILT_LONG, "target/release/houseway-trust power-loss --json --seed {seed}"],
        figures: &[
            figure("images", "/figures/images", Least(500.0), Least(10_000.0)),
            none("faults", "/figures/faults"),
            figure("it holds", "/holds", True, True),
        ],
        limits: None,
    },
    Row {
        number: 6,
        name: "I/O faults",
        asked: "EIO, ENOSPC, short write at every n-th call up to 2,000, and a failed fsync: false \
                answers 0, refused within 1 s, nothing lost after the repair",
        short: By(&[BUILT, "target/debug/houseway-trust io-faults --short --json --seed {seed}"]),
        long: &[BUILT_LONG, "target/release/houseway-trust io-faults --json --seed {seed}"],
        figures: &[
            figure("cases", "/figures/cases", Least(20.0), Least(12_800.0)),
            figure("faults met", "/figures/met", Least(20.0), Least(12_800.0)),
            figure("longest refusal, ms", "/figures/longest_refusal_ms", Told, Most(1_000.0)),
            none("faults", "/figures/faults"),
            figure("it holds", "/holds", True, True),
        ],
        limits: Some(
            "the first three kinds at every n up to 2,000, once and until the repair; syncs are rarer than \
             other calls, and fail at every n up to 400. That a store stays closed while its disk fails is \
             `store/sqlite::a_disk_that_does_not_confirm_stops_the_writer` and \
             `store/sqlite::a_full_disk_acknowledges_nothing_and_recovers`.",
        ),
    },
    Row {
        number: 7,
        name: "deterministic simulation",
        asked: "at least 10,000 seeds and 1,000,000 rounds with every kind of fault: breaks 0, the same \
                seed twice gives the same hash",
        short: By(&[BUILT, NIGHTS]),
        long: &[BUILT_LONG, NIGHTS_LONG],
        figures: &[
            figure("seeds", "/figures/seeds", Least(6.0), Least(10_000.0)),
            figure("rounds", "/figures/rounds", Told, Least(1_000_000.0)),
            figure("faults", "/faults", Least(1.0), Least(1.0)),
            figure("kinds of faults", "/kinds", Told, Least(26.0)),
            figure("checks", "/checks", Least(1.0), Least(1e6)),
            figure("kinds of checks", "/kinds-of-checks", Told, Least(KINDS_OF_CHECKS)),
            figure(
                "decks against their proofs",
                "/figures/checks/committed-deck",
                Least(1.0),
                Least(1e5),
            ),
            figure(
                "commitments before wagers",
                "/figures/checks/committed-first",
                Least(1.0),
                Least(1e5),
            ),
            figure("requests that outlived their senders", "/figures/outlived", Told, Least(1.0)),
            none("breaks", "/figures/breaks"),
            figure(
                "seeds played twice, the same hash",
                "/figures/twice",
                Least(6.0),
                Least(1_000.0),
            ),
            figure("seeds/s", "/seeds-per-second", Told, Told),
        ],
        limits: Some(
            "of the long form each tenth seed is played twice, and the short one has 6 seeds where 500 would be \
             asked. Nights are played on the store in memory behind a simulated disk, which loses whole appends \
             that were not synced; what tears within one is rows 5 and 6. Clocks leap in nights of one node: \
             several go by the time of their database.",
        ),
    },
    Row {
        number: 8,
        name: "many nodes",
        asked: "3 nodes on one PostgreSQL, 200 faults (kill, 15 s of sleep, cut link, database \
                restarted): gaps, doubles, stale writers 0, takeover p99 at most 5 s",
        short: BySuite(&[
            "cargo test --quiet --workspace --all-features --test durable trio:: -- --nocapture",
        ]),
        long: &[
            "HOUSEWAY_FAULTS=200 cargo test --quiet --release --workspace --all-features --test durable \
                 trio:: -- --nocapture",
            "HOUSEWAY_ISOLATION=serializable HOUSEWAY_FAULTS=200 cargo test --quiet --release --workspace \
                 --all-features --test durable trio:: -- --nocapture",
        ],
        figures: &[
            figure("faults", "/trio/faults", Least(8.0), Least(200.0)),
            figure("kinds", "/trio/kinds", Least(4.0), Least(4.0)),
            figure("commands acknowledged", "/trio/acknowledged", Told, Told),
            figure(
                "audits that found nothing lost, doubled or unbalanced",
                "/tests-passed",
                Least(1.0),
                Least(2.0),
            ),
            none("commands lost", "/trio/lost"),
            none("gaps and doubles", "/trio/doubles"),
            none("stale writers accepted", "/trio/stale"),
            figure("sent to nodes cut off or asleep", "/trio/sent-to-hurt", Told, Least(50.0)),
            figure("with SERIALIZABLE, faults", "/trio-serializable/faults", NotHere, Least(200.0)),
            figure("lost", "/trio-serializable/lost", NotHere, Most(0.0)),
            figure("gaps and doubles", "/trio-serializable/doubles", NotHere, Most(0.0)),
            figure("stale", "/trio-serializable/stale", NotHere, Most(0.0)),
            figure(
                "with SERIALIZABLE, takeover, p99 ms",
                "/trio-serializable/takeover-p99",
                NotHere,
                Most(5_000.0),
            ),
            figure("takeover, median ms", "/trio/takeover-median", Told, Told),
            figure("takeover, p99 ms", "/trio/takeover-p99", Told, Most(5_000.0)),
            figure("longest after a kill, ms", "/trio/longest-by-kind/kill", Told, Told),
            figure("after a sleep", "/trio/longest-by-kind/sleep", Told, Told),
            figure("after a cut", "/trio/longest-by-kind/cut", Told, Told),
            figure("after the database's", "/trio/longest-by-kind/database", Told, Told),
        ],
        limits: Some(
            "stale is what a node alone was asked while it was cut off or asleep, if it was acknowledged \
             meanwhile, or afterwards on the table as it had stood before. READ COMMITTED is what the house asks PostgreSQL for: appends do not rest on isolation but on \
             unique keys and row locks. The whole contract of stores is held with SERIALIZABLE too \
             (`store/store::contract::serializable`).",
        ),
    },
    Row {
        number: 9,
        name: "ledger",
        asked: "10,000,000 transfers, after each operation: balanced, none below zero, everything conserved; \
                rebuilt from the log the same",
        short: By(&[BUILT, "target/debug/houseway-trust ledger --short --json --seed {seed}"]),
        long: &[BUILT_LONG, "target/release/houseway-trust ledger --json --seed {seed}"],
        figures: &[
            figure("transfers", "/figures/transfers", Least(200_000.0), Least(1e7)),
            figure("operations", "/figures/operations", Told, Told),
            figure("rounds", "/figures/rounds", Told, Told),
            figure("of them void", "/figures/voids", Least(1.0), Least(1.0)),
            figure("corrections", "/figures/corrections", Least(1.0), Least(1_000.0)),
            figure("books added up anew", "/figures/whole", Least(1.0), Least(1.0)),
            figure("books made from the log", "/figures/rebuilt", Least(1.0), Least(10_000.0)),
            none("faults", "/figures/faults"),
            figure("it holds", "/holds", True, True),
        ],
        limits: Some(
            "after each operation whatever it touched is checked, after each hundredth all books. At tables without a house around them; the nights of row 7 check the books of whole \
             houses too.",
        ),
    },
    Row {
        number: 10,
        name: "idempotency",
        asked: "1,000,000 commands sent 1 to 5 times, across connections and restarts: double effects 0, \
                the same answer, other content refused",
        short: By(&[BUILT, NIGHTS]),
        long: &[BUILT_LONG, NIGHTS_LONG],
        figures: &[
            figure("commands", "/figures/commands", Told, Least(1_000_000.0)),
            figure("times sent", "/figures/sent", Told, Told),
            figure("answered again", "/figures/answered-again", Least(1.0), Least(1e5)),
            figure("other content, refused", "/figures/other-content", Least(1.0), Least(1e4)),
            none("breaks", "/figures/breaks"),
        ],
        limits: None,
    },
    Row {
        number: 11,
        name: "interruption matrix",
        asked: "every event × every break × every rulebook: all cells as the rules say, what was done \
                for the absent visible",
        short: BySuite(&[
            "cargo test --quiet --workspace --all-features --test matrix -- --nocapture",
        ]),
        long: &[BUILT_LONG, "target/release/houseway-soak --matrix --json"],
        figures: &[
            figure("tests passed", "/tests-passed", Least(1.0), NotHere),
            figure("cells", "/cells", NotHere, Least(1_008.0)),
            figure("power failures that lost a write", "/power-losses", NotHere, Least(160.0)),
        ],
        limits: Some(
            "a round is broken wherever it pauses: what the house appends in a row without waiting for anyone \
             has one place, and is broken in between by rows 4, 5 and 7. When the power fails, what the next \
             player asked is on the disk unconfirmed and is lost. A dealer's own call of a power failure is a break \
             of its own, and refused where the rulebook has no clause on it. It is the first round at each table, where the house banks \
             under `catfish-bend`; players bank in the nights of row 7.",
        ),
    },
    Row {
        number: 12,
        name: "irregularities",
        asked: "every clause of every house document as a scenario with its expected ledger, to the cent; \
                corrections are new entries with who, why, before and after",
        short: BySuite(&[
            "cargo test --quiet --workspace --all-features --test every_clause_has_a_scenario --test mbs --test \
             cardroom --test commission_free --test catfish_bend",
        ]),
        long: &[
            "cargo test --quiet --workspace --all-features --test every_clause_has_a_scenario --test mbs --test \
             cardroom --test commission_free --test catfish_bend",
        ],
        figures: &[tests(400.0, 400.0)],
        limits: Some(
            "a test fails if a clause of a rulebook has no scenario that is called after it; there is no \
             longer form. Scenarios hold the statement; that every statement moves its money is row 9 and \
             `ledger/transfers`. What is kept of a correction is in docs/gli-19.md, H6.",
        ),
    },
    Row {
        number: 13,
        name: "race for the close of bets",
        asked: "1,000,000 tries within ±5 ms of \"no more bets\": accepted after the close 0",
        short: By(&[BUILT, NIGHTS]),
        long: &[BUILT_LONG, NIGHTS_LONG],
        figures: &[
            figure("tries", "/figures/races", Least(1.0), Least(1_000_000.0)),
            figure("in time", "/figures/races-taken", Told, Told),
            none("breaks", "/figures/breaks"),
        ],
        limits: None,
    },
    Row {
        number: 14,
        name: "no hidden card",
        asked: "100,000 pairs of rounds × every onlooker: differing bytes 0",
        short: BySuite(&[
            "cargo test --quiet --workspace --all-features --test views -- --nocapture",
        ]),
        long: &[
            "HOUSEWAY_PAIRS=100000 cargo test --quiet --release --workspace --all-features --test views -- \
                 --nocapture",
        ],
        figures: &[
            figure("pairs", "/pairs", Least(2_000.0), Least(100_000.0)),
            figure("views compared", "/views-compared", Told, Told),
            figure("played to the end", "/settled", Least(1_800.0), Least(33_000.0)),
            figure("seats", "/seats", Least(32.0), Least(32.0)),
            none("differing bytes", "/differing"),
        ],
        limits: Some(
            "pairs are spread over nine kinds of onlookers; 20 more go over real sockets \
             (`server/live::what_may_not_be_seen_makes_no_difference_on_the_wire`). Hands with a Fortune Bonus \
             are not conceded in pairs: what the bonus was paid on is read out to all. Hands whose wagers \
             went back and that stay on the table are in no pair. That a conceded hand is shown to a Pit Supervisor \
             alone, on purpose and with an entry: \
             `server/rights::a_conceded_hand_is_looked_at_on_purpose_and_the_log_says_so`.",
        ),
    },
    Row {
        number: 15,
        name: "leaks elsewhere",
        asked: "unexposed cards in database, WAL, backups, logs, metrics, errors, exports: 0",
        short: BySuite(&[
            "cargo test --quiet --workspace --all-features --test durable secrets:: -- --nocapture",
        ]),
        long: &[
            "cargo test --quiet --release --workspace --all-features --test durable secrets:: -- --nocapture",
        ],
        figures: &[
            tests(1.0, 1.0),
            figure("bytes searched, SQLite", "/leaks/sqlite/bytes", Told, Told),
            figure("seeds", "/leaks/sqlite/seeds-searched", Least(21.0), Least(21.0)),
            none("cards found", "/leaks/sqlite/cards-found"),
            none("seeds found", "/leaks/sqlite/seeds-found"),
            figure("bytes searched, PostgreSQL", "/leaks/postgresql/bytes", Told, Told),
            figure("seeds", "/leaks/postgresql/seeds-searched", Least(11.0), Least(11.0)),
            none("cards found", "/leaks/postgresql/cards-found"),
            none("seeds found", "/leaks/postgresql/seeds-found"),
        ],
        limits: Some("a core dump is not searched."),
    },
    Row {
        number: 16,
        name: "shuffle statistics",
        asked: "10⁹ shuffles, cut, seven tests, card by position, categories, collectively 99 %; six mutants \
                caught: modulo bias, full-range swap, off by one, and seeds of 32 bits, from a clock, used again",
        short: By(&[BUILT, "target/debug/houseway-trust shuffles --short --json --seed {seed}"]),
        long: &[BUILT_LONG, "target/release/houseway-trust shuffles --json --seed {seed}"],
        figures: &[
            figure("decks", "/figures/decks", Least(1e7), Least(1e9)),
            figure("seeds", "/figures/seeds", Least(262_144.0), Least(262_144.0)),
            figure("bad ones caught", "/figures/caught_count", Least(6.0), Least(6.0)),
            figure("reached", "/reached", Told, Told),
            figure("it holds", "/holds", True, True),
        ],
        limits: Some(
            "bad shufflers are caught on final deals. Table and round are part of a deck's key, so bad seeds are \
             caught where seeds are drawn and not on deals, at five deviations; one that can be guessed and was \
             hashed first passes every statistical test.",
        ),
    },
    Row {
        number: 17,
        name: "commit and reveal",
        asked: "1,000,000 rounds by another verifier, 100,000 alterations found, voids independent of \
                the outcome",
        short: By(&[BUILT, "target/debug/houseway-trust proofs --short --json --seed {seed}"]),
        long: &[
            BUILT_LONG,
            "target/release/houseway-trust proofs --rounds 1000000 --json \
                 --seed {seed}",
        ],
        figures: &[
            figure("rounds", "/figures/rounds", Least(500.0), Least(1e6)),
            figure("altered", "/figures/altered", Least(2_000.0), Least(100_000.0)),
            figure("of them in structure", "/figures/structural", Least(1_000.0), Least(50_000.0)),
            figure("rounds with words", "/figures/with_words", Least(250.0), Least(500_000.0)),
            figure("cut elsewhere than at the top", "/figures/cut", Least(250.0), Least(500_000.0)),
            figure(
                "committed to before the first wager",
                "/figures/committed_first",
                Least(500.0),
                Least(1e6),
            ),
            figure("proofs that are what was dealt", "/figures/as_dealt", Told, Told),
            none("missed by Python", "/figures/python_missed"),
            none("missed by Rust", "/figures/rust_missed"),
            figure("void", "/figures/void", Least(50.0), Least(10_000.0)),
            figure("their cards, deviations", "/figures/void_deviation", Told, Told),
            figure("it holds", "/holds", True, True),
        ],
        limits: Some(
            "staff make rounds void by chance, by calls and rulings; that a house which looks at the \
             banker's hand first is found is a test (`trust/src/proofs`).",
        ),
    },
    Row {
        number: 18,
        name: "bad input",
        asked: "8 targets, at least 10⁸ executions: panics, hangs over 1 s, more than 64 MiB 0",
        short: By(&[
            BUILT,
            "target/debug/houseway-trust bad-input --seconds 30 --json --seed {seed}",
        ]),
        long: &[
            BUILT_LONG,
            "target/release/houseway-trust bad-input --seconds 600 --json \
                 --seed {seed}",
        ],
        figures: &[
            figure("executions", "/figures/executions", Least(10_000.0), Least(1e8)),
            figure("longest, ms", "/figures/longest_ms", Told, Most(1_000.0)),
            figure("memory of inputs, KiB", "/figures/grown_kib", Most(65_536.0), Most(65_536.0)),
            none("memory that no input explains, batches", "/figures/unexplained"),
            figure("it holds", "/holds", True, True),
        ],
        limits: Some(
            "ten minutes for all eleven decoders together, enough for the inputs that are asked for, instead of half an \
             hour for each; 30 s in the short form. Guided by coverage: `cargo xtask fuzz`.",
        ),
    },
    Row {
        number: 19,
        name: "illegal commands",
        asked: "1,000,000 well-formed illegal commands: all refused, nothing changed",
        short: By(&[BUILT, NIGHTS]),
        long: &[BUILT_LONG, NIGHTS_LONG],
        figures: &[
            figure("illegal commands, all refused", "/figures/illegal", Least(1.0), Least(1e6)),
            none("breaks", "/figures/breaks"),
        ],
        limits: None,
    },
    Row {
        number: 20,
        name: "rights matrix",
        asked: "every cell of the declared matrix; two-person approval bypassed 0; demotion within 1 s",
        short: BySuite(&[
            "cargo test --quiet --workspace --all-features --test rights",
            "cargo test --quiet --workspace --all-features --test live nodes:: -- --nocapture",
            "cargo test --quiet --workspace --all-features --test people two_operators -- --nocapture",
        ]),
        long: &[
            "cargo test --quiet --workspace --all-features --test rights",
            "cargo test --quiet --workspace --all-features --test live nodes:: -- --nocapture",
            "cargo test --quiet --workspace --all-features --test people two_operators -- --nocapture",
        ],
        figures: &[
            tests(8.0, 8.0),
            figure("ways around two-person approval", "/approvals/tried", Least(14.0), Least(14.0)),
            none("approval bypassed", "/approvals/bypassed"),
            figure("demotion heard at another node, ms", "/demoted/ms", Told, Most(1_000.0)),
        ],
        limits: Some(
            "two operators are needed to make a shift manager or an operator; acts at a table take one \
             person, of the role that the rules name. At the node where it is done the very next command is \
             judged by the new role. There is no longer form: every cell is tried every time.",
        ),
    },
    Row {
        number: 21,
        name: "web attacks",
        asked: "at least 40 hostile Origins, CSRF on every state-changing route, token in a URL, \
                fixation, old tokens: accepted 0; sockets closed within 1 s after logout or expiry; 30 min idle \
                for players, 5 for dealers",
        short: BySuite(&[
            "cargo test --quiet --workspace --all-features --test live pages:: -- --nocapture",
        ]),
        long: &["cargo test --quiet --workspace --all-features --test live pages:: -- --nocapture"],
        figures: &[
            figure("hostile origins", "/origins", Least(40.0), Least(40.0)),
            figure("routes that change something", "/changing-routes", Least(10.0), Least(10.0)),
            figure("attempts", "/forged", Least(400.0), Least(400.0)),
            none("accepted", "/forged-accepted"),
            figure("upgrades tried", "/upgrades/tried", Least(100.0), Least(100.0)),
            none("accepted", "/upgrades/accepted"),
            figure("idle player is out after, min", "/idle/player-minutes", Most(30.0), Most(30.0)),
            figure("idle staff, min", "/idle/staff-minutes", Most(5.0), Most(5.0)),
            figure(
                "socket closed after its session ran out, ms",
                "/idle/socket-closed-after-ms",
                Most(1_000.0),
                Most(1_000.0),
            ),
            figure(
                "last socket closed after logout, ms",
                "/closed-after-ms",
                Most(1_000.0),
                Most(1_000.0),
            ),
        ],
        limits: Some(
            "there is no longer form: every route is tried with every origin every time. A guest, who has no \
             password to come back with and play money alone, stays for 60 days.",
        ),
    },
    Row {
        number: 22,
        name: "login",
        asked: "Welch's t of known against unknown names below 4.5 over 10,000 tries; lock after 5 in 30 \
                min; 1,000 attempts/s for 60 s, table p99 at most twice row 1's",
        short: By(&[BUILT, "target/debug/houseway-load --json - login --tries 400", ATTACKED]),
        long: &[
            BUILT_LONG,
            "target/release/houseway-load --json - login --tries 10000",
            "target/release/houseway-load --json - hostile --attack logins --tables \
             100 --for 60s",
        ],
        figures: &[
            figure("tries", "/login/tries", Least(400.0), Least(10_000.0)),
            figure("Welch's t, size", "/login/welch-t", Told, Most(4.5)),
            figure("locked after, at least", "/login/locked-after", Least(3.0), Least(3.0)),
            figure("and at most", "/login/locked-after", Most(5.0), Most(5.0)),
            figure("attempts/s", "/attacks/logins/per-second", Told, Least(1_000.0)),
            figure("p99 before, ms", "/quiet/p99", Told, Told),
            figure(
                "p99 meanwhile, ms",
                "/attacks/logins/p99",
                UNHURT,
                MostAt("/attacks/logins/p99-asked"),
            ),
            none("let in", "/attacks/logins/let-in"),
            none("players' commands unanswered", "/attacks/logins/unanswered"),
        ],
        limits: Some(
            "p99 is held as in row 23: to twice what it was before, or to row 1's figure. An attempt is what got \
             an answer: most are told that the house is busy or the name is locked, and cost no hash.",
        ),
    },
    Row {
        number: 23,
        name: "hostile clients",
        asked: "500 stalled readers, 5,000 half-open, frames over 64 KiB, floods of 1,000 messages/s, \
                6,000 reconnects in 10 s: others' p99 at most twice, at most 64 KiB queued and cut off within \
                10 s, at most 30 KB a socket, gaps 0",
        short: By(&[BUILT, "target/debug/houseway-load --json - idle --sockets 300", ATTACKED]),
        long: &[
            BUILT_LONG,
            "target/release/houseway-load --json - idle --sockets 5000",
            "target/release/houseway-load --json - hostile --tables 100 --for 30s \
             --attack stalled --attack half-open --attack large --attack floods --attack storm",
        ],
        figures: &[
            figure("p99 before, ms", "/quiet/p99", Told, Told),
            figure("stalled readers", "/attacks/stalled/count", Least(50.0), Least(500.0)),
            figure("p99, ms", "/attacks/stalled/p99", UNHURT, MostAt("/attacks/stalled/p99-asked")),
            none("not cut off", "/attacks/stalled/not-cut"),
            figure("cut off after, s", "/attacks/stalled/cut-seconds", Told, Most(10.0)),
            figure("queued for one, bytes", "/attacks/stalled/queued", Told, Most(65_536.0)),
            figure("memory for one, bytes", "/attacks/stalled/memory-each", Told, Told),
            none("players' commands unanswered", "/attacks/stalled/unanswered"),
            figure("half-open", "/attacks/half-open/count", Least(500.0), Least(5_000.0)),
            figure(
                "p99, ms",
                "/attacks/half-open/p99",
                UNHURT,
                MostAt("/attacks/half-open/p99-asked"),
            ),
            none("players' commands unanswered", "/attacks/half-open/unanswered"),
            figure("large frames", "/attacks/large/count", Least(1.0), Least(100.0)),
            none("of them taken", "/attacks/large/accepted"),
            figure("p99, ms", "/attacks/large/p99", UNHURT, MostAt("/attacks/large/p99-asked")),
            none("players' commands unanswered", "/attacks/large/unanswered"),
            figure("messages/s of floods", "/attacks/floods/per-second", Told, Least(1_000.0)),
            figure("p99, ms", "/attacks/floods/p99", UNHURT, MostAt("/attacks/floods/p99-asked")),
            none("players' commands unanswered", "/attacks/floods/unanswered"),
            figure("reconnects", "/attacks/storm/count", Least(300.0), Least(6_000.0)),
            none("gaps", "/attacks/storm/gaps"),
            figure(
                "until the right sequence, p99 ms",
                "/attacks/storm/back-p99",
                Told,
                Most(3_000.0),
            ),
            figure("p99, ms", "/attacks/storm/p99", UNHURT, MostAt("/attacks/storm/p99-asked")),
            none("players' commands unanswered", "/attacks/storm/unanswered"),
            figure(
                "memory a quiet socket, bytes",
                "/idled/memory-per-socket",
                Most(60_000.0),
                Most(30_000.0),
            ),
        ],
        limits: Some(
            "others' p99 is held to twice what it was before the attack or to row 1's figure, whichever \
             is larger: quiet tables answer in two milliseconds, and twice that is noise. Half-open \
             connections are closed after ten seconds \
             (`server/live::whoever_does_not_send_a_head_in_time_is_let_go`). Those who stall and those who \
             reconnect look on at tables of others; floods are of ten sockets together.",
        ),
    },
    Row {
        number: 24,
        name: "audit chain",
        asked: "1,000,000 entries, 10,000 mutations all found, at least 200,000 entries/s",
        short: By(&[BUILT, "target/debug/houseway-trust chain --short --json --seed {seed}"]),
        long: &[BUILT_LONG, "target/release/houseway-trust chain --json --seed {seed}"],
        figures: &[
            figure("entries", "/figures/entries", Least(100_000.0), Least(1e6)),
            figure("mutations", "/figures/mutations", Least(1_000.0), Least(10_000.0)),
            none("unnoticed", "/figures/unnoticed"),
            figure("entries/s", "/figures/a_second", Told, Least(200_000.0)),
        ],
        limits: Some(
            "entries a second are of CPU time, in memory; `houseway verify house` reads them from the store \
             (row 25 has the time).",
        ),
    },
    Row {
        number: 25,
        name: "recall, backup, upgrade",
        asked: "10,000 recalls in a store of 1,000,000 rounds, whole and equal, p99 at most 200 ms; \
                backup under load, restore and verify within 5 min, nothing lost",
        short: By(&[
            BUILT,
            "target/debug/houseway-load --json - recall --tables 20 --for 8s --recalls 100 --fill 500",
        ]),
        long: &[
            BUILT_LONG,
            "target/release/houseway-load --json - recall --tables 50 --for 60s \
             --recalls 10000 --fill 1000000",
        ],
        figures: &[
            figure("rounds in the store", "/recalled/rounds", Least(501.0), Least(1e6)),
            figure("filled, rounds/s", "/filled/rounds-per-second", Told, Told),
            figure("store, MB", "/filled/megabytes", Told, Told),
            figure("recalls", "/recalled/recalls", Least(100.0), Least(10_000.0)),
            none("not whole", "/recalled/not-whole"),
            none("paid otherwise than the rules say", "/recalled/unequal"),
            figure("p99 ms", "/recalled/milliseconds/p99", Told, Most(200.0)),
            figure("operator's report, s", "/recalled/report-seconds", Told, Told),
            figure("backup under load, s", "/recalled/backup-seconds", Told, Told),
            figure("restore and verify, s", "/recalled/restore-seconds", Most(300.0), Most(300.0)),
            none("rounds lost", "/recalled/lost"),
        ],
        limits: Some(
            "most rounds are played by a house in the same process, a thousand a table, a player against \
             the house at each; those during the backup over sockets. Three copies of the store of a \
             million take some 25 GB. Nothing has been released yet, so there are no golden logs of older \
             versions; stored forms are held by `table/log::events_keep_their_stored_form`.",
        ),
    },
    Row {
        number: 26,
        name: "soak",
        asked: "half of row 2's load (50 rounds/s) for 8 h: memory grows at most 5 %, descriptors constant, \
                p99 drift at most 20 %, WAL bounded; no wrong closing when the clock jumps by an hour",
        short: By(&[BUILT, EVENING]),
        long: &[
            BUILT_LONG,
            "target/release/houseway-load --json - pace --tables 310 --round 6s --for \
             {minutes}m",
        ],
        figures: &[
            figure("rounds/s", "/played/rounds-per-second", Least(0.1), Least(50.0)),
            figure("minutes", "/grown/minutes", Told, Least(480.0)),
            figure("memory, growth in %", "/grown/memory-percent", Told, Most(5.0)),
            figure("descriptors, difference", "/grown/descriptors", Most(8.0), Most(0.0)),
            figure("p99, drift in %", "/grown/p99-percent", Told, Most(20.0)),
            figure("largest WAL, MB", "/grown/wal-megabytes", Most(64.0), Most(64.0)),
            none("refused", "/played/refused"),
            none("unanswered", "/played/unanswered"),
            figure(
                "acknowledgements held against the store",
                "/held/compared",
                Least(1.0),
                Least(10_000.0),
            ),
            none("of them lost", "/held/lost"),
            none("wrong", "/held/wrong"),
            none("faults of the store afterwards", "/held/faults"),
        ],
        limits: Some(
            "half of the load that row 2 asks for, not of what it reached. Growth is from the second tenth of the time to the last. Jumps of the clock are held by \
             `server/live::a_wager_after_a_jump_beyond_the_deadline_is_late` and row 7. The short form takes 20 s \
             where 20 min would be asked: the whole check has ten minutes.",
        ),
    },
    Row {
        number: 27,
        name: "integrity, tests with teeth",
        asked: "two clean builds identical; hashes at start; no `unsafe`; advisories; at least 90 % of \
                mutants killed; every requirement linked",
        short: BySuite(&[
            "cargo xtask deny",
            "cargo test --quiet --workspace --all-features --test live hashes::",
            "cargo test --quiet --workspace --all-features --test durable hashes::",
            "cargo test --quiet --package xtask --test gli",
        ]),
        long: &[
            "cargo xtask deny",
            "cargo xtask advisories",
            "cargo xtask reproducible",
            "cargo test --quiet --release --workspace --all-features --test live hashes::",
            "cargo test --quiet --release --workspace --all-features --test durable hashes::",
            "cargo test --quiet --package xtask --test gli",
            "cargo xtask mutants",
        ],
        figures: &[
            tests(1.0, 8.0),
            figure("bytes that differ in two builds", "/differing-bytes", NotHere, Most(0.0)),
            figure("open advisories", "/advisories", NotHere, Most(0.0)),
            figure("mutants caught", "/mutants/caught", NotHere, Least(1_000.0)),
            figure("survived", "/mutants/survived", NotHere, Told),
            figure("caught, %", "/mutants/percent", NotHere, Least(90.0)),
        ],
        limits: Some(
            "`unsafe_code = \"forbid\"` holds for every crate of the workspace; requirements are linked \
             in docs/gli-19.md, and a test holds its names. Hashes are tried with a flipped bit of program, \
             configuration and rulebook, at the start, while people play and after a simulated day. Of \
             dependencies the short form checks licences and sources alone. The database of advisories has to be \
             fetched, which needs a network; mutants take hours on two cores: docs/mutants.md has what was \
             tried of them. Views are changed in the table crate, where they are made. `cargo deny` reads the \
             advisories that `cargo audit` would; nobody has vetted the dependencies with `cargo vet`.",
        ),
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use serde_json::json;

    use super::*;

    #[test]
    fn there_are_27_rows_in_order_and_each_can_be_run() {
        let numbers: Vec<u8> = ROWS.iter().map(|row| row.number).collect();
        assert_eq!(numbers, (1..=27).collect::<Vec<u8>>());
        for row in ROWS {
            for form in [Form::Long, Form::Short] {
                assert!(!row.commands(form).is_empty(), "row {}", row.number);
                let bounds = row.figures.iter().map(|it| match form {
                    Form::Long => it.long,
                    Form::Short => it.short,
                });
                let held = bounds.filter(|it| !matches!(it, Told | NotHere)).count();
                assert!(held > 0, "row {} can fail in its {} form", row.number, form.word());
            }
        }
    }

    /// What a row runs is there: its crate, its test file, and the module or test it names.
    #[test]
    fn commands_name_what_exists() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folders: Vec<PathBuf> = std::fs::read_dir(&crates)
            .expect("crates")
            .map(|it| it.expect("a crate").path())
            .collect();
        let all = ROWS.iter().flat_map(|row| [row.commands(Form::Long), row.commands(Form::Short)]);
        for command in all.flatten() {
            let words: BTreeSet<&str> = command.split_whitespace().collect();
            let after = |flag: &str| {
                let list: Vec<&str> = command.split_whitespace().collect();
                let pairs = list.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1]);
                pairs.map(str::to_string).collect::<Vec<String>>()
            };
            for package in after("-p") {
                let name = package.strip_prefix("houseway-").unwrap_or(&package);
                assert!(crates.join(name).is_dir(), "{command}: no crate {package}");
            }
            if let Some(program) = command.strip_prefix("target/debug/houseway-") {
                let name = program.split(' ').next().unwrap_or_default();
                assert!(crates.join(name).join("src/main.rs").is_file(), "{command}: no {name}");
            }
            for test in after("--test") {
                let places = || folders.iter().map(|it| it.join("tests").join(&test));
                let there = |it: &PathBuf| it.is_dir() || it.with_extension("rs").is_file();
                assert!(places().any(|it| there(&it)), "{command}: no test {test}");
                for filter in words.iter().filter(|it| it.contains("::")) {
                    let (module, name) = filter.split_once("::").expect("it has them");
                    let mut files = places().map(|it| it.join(format!("{module}.rs")));
                    let file = files.find(|it| it.is_file());
                    let file = file.unwrap_or_else(|| panic!("{command}: no {module}"));
                    let text = std::fs::read_to_string(file).expect("it is read");
                    assert!(text.contains(&format!("fn {name}")), "{command}: no {name}");
                }
            }
        }
    }

    #[test]
    fn bounds_are_held() {
        let all = json!({"limit": 5.0});
        let fault = |bound: Bound, value: Value| bound.fault("it", &value, &all);
        assert_eq!(fault(Least(3.0), json!(3)), None);
        assert_eq!(
            fault(Least(3.0), json!(2.5)).as_deref(),
            Some("2.50 where it at least 3 is asked")
        );
        assert_eq!(fault(Most(0.0), json!(0)), None);
        assert_eq!(fault(Most(0.0), json!(1)).as_deref(), Some("1 where it 0 is asked"));
        assert_eq!(fault(MostAt("/limit"), json!(5)), None);
        assert!(fault(MostAt("/limit"), json!(6)).is_some());
        assert!(fault(MostAt("/nothing"), json!(0)).is_some(), "no limit is no permission");
        assert_eq!(fault(True, json!(true)), None);
        assert!(fault(True, json!("true")).is_some());
        for bound in [Least(0.0), Most(9.0), True] {
            assert!(fault(bound, Value::Null).is_some(), "a figure that is not there is none");
        }
    }
}
