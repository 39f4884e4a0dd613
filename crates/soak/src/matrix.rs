//! Interruptions: every boundary of a round × every kind of break × every rulebook, held against a
//! table that was written from the rules.
//!
//! A boundary is a place in the log where it can be cut: between two appends, for an append is on
//! disk whole or not at all. The same round is played again for every cell, is broken there, and is
//! played to its end by whoever is left.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use houseway_rules::rulebook::{Incident, Role, Rulebook, Wager};
use houseway_rules::{CardSet, Cents, Dealt, houses, set_house_way};
use houseway_server::app::App;
use houseway_server::desk::{Ask, Desk, HouseAsk};
use houseway_server::recall::{DoneForThem, recall};
use houseway_server::record::Record;
use houseway_server::room::Asked;
use houseway_store::{Store, StreamId, TableId, Version};
use houseway_table::settlement::{Bet, Ending, Line, Owner};
use houseway_table::view::{HandView, Onlooker, TableView, view};
use houseway_table::{Action, Actor, Call, Event, How, Offer, Person, Phase, Position};
use serde_json::Value;
use tokio::time::timeout;

use crate::dice::Dice;
use crate::judge::at_once;
use crate::night::{open, pay};
use crate::node::{kill, lose_power, start};
use crate::plan::Plan;
use crate::truth::Sabotage;
use crate::world::{World, vault};

/// What breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Break {
    /// One player is gone.
    OneDrops,
    /// All players are.
    AllDrop,
    /// The house is killed and starts again.
    Kill,
    /// The power of the house fails: it stops, what the next one asked is written and not synced, and lost.
    PowerLoss,
    /// The power fails at the table, and the dealer says so.
    PowerCalled,
    /// The table is closed.
    Disabled,
}

impl Break {
    /// All of them.
    pub const ALL: [Break; 6] = [OneDrops, AllDrop, Kill, PowerLoss, PowerCalled, Disabled];
}

/// Where a round stands at a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// The bank is offered.
    Offering,
    /// Bets are open.
    Betting,
    /// Hands are set, and none is decided.
    Setting,
    /// The banker's hand is shown, and some wager is won or lost by it.
    Established,
    /// The banker's hand is shown, and every wager pushes.
    Undecided,
}

/// What the rules say comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// The round ends as if nothing had been.
    AsIfNothing,
    /// Whoever is gone plays with what they had wagered, their hand set the House Way; whoever had
    /// wagered nothing takes no part; a round that nobody wagered in is not dealt.
    SetForTheAbsent,
    /// The bank goes past whoever is gone.
    BankPasses,
    /// Whoever wants may withdraw all their wagers; the others play on.
    MayWithdraw,
    /// The round ends as if nothing had been, and no other begins.
    LastRound,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What breaks.
    pub breaks: &'static [Break],
    /// When.
    pub when: &'static [When],
    /// Under which rulebooks; nothing stands for all that no line above names.
    pub rules: Option<&'static str>,
    /// What follows.
    pub expected: Expected,
    /// By which clause it is cited; nothing where nothing has to be.
    pub clause: Option<&'static str>,
}

use Break::{AllDrop, Disabled, Kill, OneDrops, PowerCalled, PowerLoss};
use When::{Betting, Established, Offering, Setting, Undecided};

/// Whoever decided nothing for themselves: a table's own policy, where no document has a clause (R8).
const POLICY: Option<&str> = Some("table policy");

/// The rules on interruptions; the first line that fits decides.
pub const RULES: &[Rule] = &[
    // Nobody waits for whoever does not take the bank.
    Rule {
        breaks: &[OneDrops, AllDrop],
        when: &[Offering],
        rules: None,
        expected: Expected::BankPasses,
        clause: None,
    },
    // R8: `mbs-2020` 3.13.1, elsewhere the table's policy.
    Rule {
        breaks: &[OneDrops, AllDrop],
        when: &[Betting, Setting, Established, Undecided],
        rules: Some("mbs-2020"),
        expected: Expected::SetForTheAbsent,
        clause: Some("3.13.1"),
    },
    Rule {
        breaks: &[OneDrops, AllDrop],
        when: &[Betting, Setting, Established, Undecided],
        rules: None,
        expected: Expected::SetForTheAbsent,
        clause: POLICY,
    },
    // `mbs-2020` 5.18: a house that was killed is a power failure.
    Rule {
        breaks: &[Kill, PowerLoss, PowerCalled],
        when: &[Setting, Undecided],
        rules: Some("mbs-2020"),
        expected: Expected::MayWithdraw,
        clause: Some("5.18.1"),
    },
    Rule {
        breaks: &[Kill, PowerLoss, PowerCalled],
        when: &[Established],
        rules: Some("mbs-2020"),
        expected: Expected::AsIfNothing,
        clause: Some("5.18.2"),
    },
    // Bets are open: whoever wants takes theirs back without a clause. Where no document speaks of
    // it, play goes on in the state just before the break (GLI-19 4.16.3(b)).
    Rule {
        breaks: &[Kill, PowerLoss, PowerCalled],
        when: &[Offering, Betting, Setting, Established, Undecided],
        rules: None,
        expected: Expected::AsIfNothing,
        clause: None,
    },
    // Running rounds end, then the table is locked (GLI-19 4.15.1, 2.4.1).
    Rule {
        breaks: &[Disabled],
        when: &[Offering, Betting, Setting, Established, Undecided],
        rules: None,
        expected: Expected::LastRound,
        clause: None,
    },
];

/// The line that decides a cell: its place in [`RULES`].
pub fn line(rules: &str, broken: Break, when: When) -> Option<usize> {
    RULES.iter().position(|rule| {
        rule.breaks.contains(&broken)
            && rule.when.contains(&when)
            && rule.rules.is_none_or(|only| only == rules)
    })
}

/// A cell of the matrix, played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// By whose rules.
    pub rules: &'static str,
    /// From which seed the round was played.
    pub seed: u64,
    /// At which boundary, counted from the first.
    pub boundary: usize,
    /// Where the round stood.
    pub when: When,
    /// What broke.
    pub broken: Break,
    /// Which line of [`RULES`] says what should come of it.
    pub line: usize,
    /// How many appends were lost with the power.
    pub lost: usize,
    /// How it was otherwise, if it was.
    pub wrong: Option<String>,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { rules, seed, boundary, when, broken, line, wrong, .. } = self;
        let (expected, wrong) = (RULES[*line].expected, wrong.as_deref());
        let wrong = wrong.unwrap_or("as it should be");
        write!(f, "{rules}, seed {seed}, boundary {boundary} ({when:?}), {broken:?}: ")?;
        write!(f, "{expected:?}: {wrong}")
    }
}

/// Every cell of one rulebook, from one seed.
fn cells(rules: &'static str, seed: u64) -> Vec<Cell> {
    let whole = play(rules, seed, None);
    let decided = whole.lines.iter().any(|lines| decides(lines));
    let mut cells = vec![];
    for (boundary, &stood) in whole.boundaries.iter().enumerate() {
        let when = match stood {
            Established if !decided => Undecided,
            when => when,
        };
        for broken in Break::ALL {
            let Some(line) = line(rules, broken, when) else {
                unreachable!("the table has a line for everything")
            };
            let run = play(rules, seed, Some((broken, boundary)));
            let wrong = match run.broke_when == Some(stood) {
                true => check(rules, broken, &RULES[line], &whole, &run).err(),
                false => Some(format!("it broke at another boundary: {:?}", run.broke_when)),
            };
            let lost = run.lost;
            cells.push(Cell { rules, seed, boundary, when, broken, line, lost, wrong });
        }
    }
    cells
}

/// The seeds that are played. Under `mbs-2020`, which tells the two apart, some wager is won or lost with
/// the first, and every wager pushes with the second.
const SEEDS: [u64; 2] = [11, 12];

/// Every cell of every rulebook.
pub fn all() -> Vec<Cell> {
    let rules = houses::HOUSES.iter().map(|rulebook| &*rulebook.id);
    rules.flat_map(|rules| SEEDS.iter().flat_map(|&seed| cells(rules, seed))).collect()
}

/// Who plays, and where.
const PLAYERS: [(Person, Position); 3] =
    [(Person(1), Position(1)), (Person(2), Position(2)), (Person(3), Position(3))];

/// What a round came to.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about a round")]
struct Run {
    /// Where the round stood at each boundary.
    boundaries: Vec<When>,
    broke_when: Option<When>,
    /// What whoever told the house of the break was answered: that it is done, or why not.
    answer: Option<String>,
    /// Who was gone, and whether they had wagered and set by then.
    gone: Vec<(Person, bool)>,
    lines: Option<Vec<Line>>,
    void: bool,
    no_banker: bool,
    /// Hands that were set for someone, with the clause.
    absent: Vec<(Position, Option<String>)>,
    passed: Vec<Position>,
    power: Vec<(bool, String)>,
    /// What went back by a clause, by person.
    returned: BTreeMap<(Person, String), u64>,
    wagered: BTreeMap<Person, u64>,
    /// On which bets.
    bets: Vec<Wager>,
    commitments: Vec<String>,
    /// Whether money was on the round when the house was killed: else nothing was interrupted.
    at_stake: bool,
    /// How many appends were lost with the power.
    lost: usize,
    resumed: bool,
    closed: Option<String>,
    begun_after: bool,
    /// What a recall says was done for whoever was not there.
    recalled: Vec<(Position, DoneForThem)>,
    breaks: Vec<String>,
}

fn play(rules: &'static str, seed: u64, broken: Option<(Break, usize)>) -> Run {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("one thread and a clock");
    let plan = Plan {
        seed,
        tables: vec![rules],
        nodes: 1,
        guests: 3,
        bots: 0,
        roughness: 0,
        rounds: 1,
        skew: 0,
        sabotage: Sabotage::Nothing,
    };
    runtime.block_on(async {
        let world = World::new(plan, false);
        let run = Playing::begin(&world).await.run(broken).await;
        kill(&world, 0);
        run
    })
}

/// How an answer is named that something is done with.
const DONE: &str = "done";

/// A round in progress.
struct Playing {
    world: Arc<World>,
    table: TableId,
    present: Vec<(Person, Position)>,
    withdraws: bool,
    commands: u64,
}

impl Playing {
    async fn begin(world: &Arc<World>) -> Playing {
        start(world, 0).await;
        open(world, 0).await;
        let table = world.table(0);
        let present = PLAYERS.to_vec();
        let mut playing =
            Playing { world: world.clone(), table, present, withdraws: false, commands: 0 };
        for (person, _) in PLAYERS {
            pay(world, person, 10_000).await;
            let amount = Cents::dollars(2_000);
            playing.ask(Actor::player(person.0), Ask::Table(Action::BringMoney { amount })).await;
        }
        for (person, position) in PLAYERS {
            playing.ask(Actor::player(person.0), Ask::Table(Action::Sit { position })).await;
        }
        playing
    }

    fn app(&self) -> Arc<App> {
        self.world.node(0).app.clone().expect("the house is open")
    }

    async fn ask(&mut self, by: Actor, ask: Ask) -> bool {
        self.answer(by, ask).await == DONE
    }

    /// What someone is answered: that it is done, or the name of what is wrong with it.
    async fn answer(&mut self, by: Actor, ask: Ask) -> String {
        self.commands += 1;
        let id = uuid::Uuid::from_u128(u128::from(self.commands));
        let answer = match self.app().ask(self.table, Asked { by, ask, id }).await {
            Ok(answer) => answer.text,
            Err(error) => return error.to_string(),
        };
        let told: Value = serde_json::from_str(&answer).expect("answers are JSON");
        let name = told["refused"].as_str().or(told["answer"].as_str());
        name.unwrap_or(&answer).to_string()
    }

    fn desk(&self) -> Desk {
        self.world.judge().desk(self.table).expect("it was opened").clone()
    }

    /// Where the log ends: whatever is appended takes it further, words and readiness too.
    fn version(&self) -> Version {
        self.world.judge().version(self.table)
    }

    /// Whether the round is over: settled, void, or never begun for want of a banker.
    fn is_over(&self) -> bool {
        let desk = self.desk();
        matches!(desk.table().phase(), Phase::Idle) || desk.table().round() > 1
    }

    fn when(&self) -> When {
        match self.desk().table().phase() {
            Phase::Idle | Phase::Betting(_) | Phase::Closed(..) => Betting,
            Phase::Offering { .. } => Offering,
            Phase::Setting(_) => Setting,
            Phase::Revealed(_) => Established,
        }
    }

    /// What those who are there would do now, one after the other.
    fn wishes(&self) -> Vec<(Actor, Ask)> {
        let desk = self.desk();
        let now = self.app().house.now();
        let wish = |(person, position): &(Person, Position)| {
            let seen = view(desk.table(), Onlooker::Player(*person), now);
            let leaves = self.withdraws && *person == PLAYERS[0].0;
            let wanted = match leaves && seen.options.contains(&Offer::WithdrawAll) {
                true => Some(Ask::Table(Action::WithdrawAll)),
                false => does(&desk, &seen, *position),
            };
            let ready =
                desk.ready().contains(person) || matches!(desk.table().phase(), Phase::Idle);
            let wanted = wanted.or((!ready).then_some(Ask::House(HouseAsk::Ready)))?;
            Some((Actor::player(person.0), wanted))
        };
        self.present.iter().filter_map(wish).collect()
    }

    /// One command of someone who is there; false if nobody has anything to do.
    async fn step(&mut self) -> bool {
        for (by, ask) in self.wishes() {
            if self.ask(by, ask).await {
                return true;
            }
        }
        false
    }

    async fn run(mut self, broken: Option<(Break, usize)>) -> Run {
        let mut run = Run::default();
        let mut last = Version(0);
        for _ in 0..2_000 {
            if self.is_over() {
                break;
            }
            let version = self.version();
            if version != last {
                last = version;
                if let Some((broken, boundary)) = broken
                    && boundary == run.boundaries.len()
                {
                    run.broke_when = Some(self.when());
                    self.break_off(broken, &mut run).await;
                }
                run.boundaries.push(self.when());
            }
            if !self.step().await {
                // Until something is appended, or it is time for something.
                let _ = timeout(Duration::from_secs(1), self.world.news.notified()).await;
            }
        }
        if !self.is_over() {
            run.breaks.push(format!("it stands still in {:?}", self.desk().table().phase()));
        }
        self.look_back(&mut run, broken).await;
        run
    }

    async fn break_off(&mut self, broken: Break, run: &mut Run) {
        let desk = self.desk();
        match broken {
            OneDrops | AllDrop => {
                let one = match desk.table().phase() {
                    Phase::Offering { to, .. } => {
                        PLAYERS.iter().position(|(_, at)| at == to).unwrap_or(0)
                    }
                    // Not the banking player, whose hand is the banker's.
                    Phase::Betting(it) if it.bank.position() == Some(PLAYERS[1].1) => 2,
                    Phase::Setting(it) if it.bank.position() == Some(PLAYERS[1].1) => 2,
                    _ => 1,
                };
                let gone: Vec<(Person, Position)> = match broken {
                    AllDrop => PLAYERS.to_vec(),
                    _ => vec![PLAYERS[one]],
                };
                self.present.retain(|player| !gone.contains(player));
                run.gone = gone.iter().map(|(person, at)| (*person, is_set(&desk, *at))).collect();
            }
            Kill | PowerLoss => {
                run.at_stake = desk.table().is_at_stake();
                match broken {
                    Kill => drop(kill(&self.world, 0)),
                    _ => run.lost = self.lose_power().await,
                }
                tokio::time::sleep(Duration::from_secs(20)).await;
                start(&self.world, 0).await;
                self.withdraws = true;
            }
            PowerCalled => {
                let what = Incident::PowerFailureOpen;
                let call = Action::Call(Call { what, spot: None, repair: None });
                let dealer = Actor { person: Person(901), role: Role::Dealer };
                run.answer = Some(self.answer(dealer, Ask::Table(call)).await);
                self.withdraws = true;
            }
            Disabled => {
                let why = "the lamp above it went out".to_string();
                let manager = Actor { person: Person(903), role: Role::PitManager };
                let close = Ask::House(HouseAsk::CloseTable { why });
                run.answer = Some(self.answer(manager, close).await);
            }
        }
    }

    /// The power fails while what somebody asked lies on a disk that has not confirmed it. How many appends
    /// are lost with it.
    async fn lose_power(&mut self) -> usize {
        self.world.confirms_nothing.store(true, Ordering::Relaxed);
        if let Some((by, ask)) = self.wishes().into_iter().next() {
            let asking = timeout(Duration::from_secs(1), self.answer(by, ask)).await;
            assert!(
                asking.is_err(),
                "a disk that confirms nothing lets nobody be answered: {asking:?}"
            );
        }
        let lost = self.world.unsynced().len();
        lose_power(&self.world, 0);
        self.world.confirms_nothing.store(false, Ordering::Relaxed);
        lost
    }

    /// Reads the log of the round, and how it is told again.
    async fn look_back(&mut self, run: &mut Run, broken: Option<(Break, usize)>) {
        if matches!(broken, Some((Disabled, _))) {
            // Everyone would go on, and nobody can.
            tokio::time::sleep(Duration::from_mins(2)).await;
            let (person, _) = PLAYERS[0];
            let on = self.ask(Actor::player(person.0), Ask::House(HouseAsk::Ready)).await;
            run.begun_after = on || !matches!(self.desk().table().phase(), Phase::Idle);
            let amount = Cents::dollars(1);
            let out = Ask::Table(Action::TakeMoney { amount });
            if !self.ask(Actor::player(person.0), out).await {
                run.breaks.push("nobody gets their money at a closed table".into());
            }
        }
        let stream = StreamId::table(self.table);
        let vault = vault(Dice::new(0));
        let entries = at_once(self.world.truth.memory.read(&stream, Version(0), u32::MAX));
        let mut rounds = 0;
        for entry in entries.unwrap_or_default() {
            let stamped = vault.read(&entry).expect("it can be read");
            match stamped.record {
                Record::Committed(it) => {
                    rounds += 1;
                    if rounds == 1 {
                        run.commitments.push(it.commitment.to_string());
                    }
                }
                Record::Resumed { .. } => run.resumed = true,
                Record::Closed { why } => run.closed = Some(why),
                Record::Happened(event) if rounds <= 1 => {
                    happened(run, event, stamped.by);
                }
                _ => {}
            }
        }
        if run.lines.is_some() {
            match recall(&self.app().house, self.table, 1, Onlooker::Auditor).await {
                Ok(told) => {
                    let done = told.for_the_absent.iter().map(|it| (it.position, it.did));
                    run.recalled = done.collect();
                }
                Err(error) => run.breaks.push(error.to_string()),
            }
        }
        let judge = self.world.judge();
        run.breaks.extend(judge.breaks.iter().map(|it| format!("{}: {}", it.what, it.how)));
    }
}

fn happened(run: &mut Run, event: Event, by: Actor) {
    match event {
        Event::Settled { lines } => run.lines = Some(lines),
        Event::Voided { .. } => run.void = true,
        Event::NoBanker { .. } => run.no_banker = true,
        Event::Set { position, how: How::Absent, clause, .. } => {
            run.absent.push((position, clause.map(|it| it.to_string())));
        }
        Event::BankDeclined { position } if by.role >= Role::Dealer => run.passed.push(position),
        Event::PowerFailed { decided, clause } => run.power.push((decided, clause.to_string())),
        Event::Placed { person, wager, amount, before, .. } => {
            run.bets.push(wager);
            *run.wagered.entry(person).or_default() += amount.get() - before.get();
        }
        Event::Returned { person, amount, clause: Some(clause), .. } => {
            *run.returned.entry((person, clause.to_string())).or_default() += amount.get();
        }
        _ => {}
    }
}

/// Whether someone has nothing more to do with their hand.
fn is_set(desk: &Desk, position: Position) -> bool {
    match desk.table().phase() {
        Phase::Setting(play) => {
            play.hands.get(&position).is_some_and(|hand| hand.low.is_some())
                || play.left_to_dealer.contains(&position)
                || play.bank.position() == Some(position)
        }
        Phase::Revealed(_) => true,
        _ => false,
    }
}

/// What someone does who plays by the book: the least of every wager there is, the House Way, the bank if it is theirs.
fn does(desk: &Desk, seen: &TableView, here: Position) -> Option<Ask> {
    let action = seen.options.iter().find_map(|offer| match offer {
        Offer::TakeBank { least, most, .. } if seen.options.contains(&Offer::DeclineBank) => {
            let put_up = Cents::dollars(500).max(*least).min(*most);
            Some(Action::TakeBank { put_up, house_wager: Cents::ZERO })
        }
        Offer::Place { position, wager, person: None, least, .. } if *position == here => {
            let seat = seen.seats.iter().find(|seat| seat.position == here)?;
            let bare = |wager| seat.stakes.total(wager) == Cents::ZERO;
            // The others are beside the standard wager, never without it.
            let wanted = bare(*wager) && (*wager == Wager::Standard || !bare(Wager::Standard));
            wanted.then_some(Action::Place {
                position: here,
                wager: *wager,
                amount: *least,
                person: None,
            })
        }
        Offer::View { position } => Some(Action::View { position: *position }),
        Offer::SetHouseWay { position } => Some(Action::SetHouseWay { position: *position }),
        Offer::SetBanker { .. } => {
            let Some(HandView::Dealt { dealt }) = &seen.banker else { return None };
            let cards = dealt.iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
            let dealt = Dealt::new(cards).ok()?;
            let low = set_house_way(&desk.table().setup().rulebook, dealt).setting.low();
            Some(Action::SetBanker { low })
        }
        _ => None,
    });
    action.map(Ask::Table)
}

/// The lines of everyone but some.
fn without(lines: &[Line], gone: &[Person]) -> Vec<Line> {
    let of = |line: &&Line| !matches!(line.owner, Owner::Person(it) if gone.contains(&it));
    lines.iter().filter(of).cloned().collect()
}

/// Whether a statement wins or loses some standard wager: then an outcome is established.
fn decides(lines: &[Line]) -> bool {
    let mut main = lines.iter().filter(|line| line.bet == Bet::Standard);
    main.any(|line| matches!(line.ending, Ending::Win | Ending::Lose))
}

/// Whether every kind of wager that a rulebook has is among some.
fn has_every_bet(rules: &str, bets: &[Wager]) -> bool {
    let of = |it: &Rulebook, wager| it.limits(wager).is_none() || bets.contains(&wager);
    let all = [Wager::Standard, Wager::Fortune, Wager::TigerNine];
    houses::find(rules).is_some_and(|it| all.iter().all(|wager| of(it, *wager)))
}

/// What whoever tells the house of a break must be answered. That the power failed is taken down where
/// the rulebook has a clause on it, and cards are out.
fn answered(rules: &str, broken: Break, rule: &Rule) -> Option<&'static str> {
    let has_clause = |it: &Rulebook| it.irregularity(Incident::PowerFailureOpen).is_some();
    match broken {
        OneDrops | AllDrop | Kill | PowerLoss => None,
        Disabled => Some(DONE),
        PowerCalled if rule.clause.is_some() => Some(DONE),
        PowerCalled if houses::find(rules).is_some_and(has_clause) => Some("not-now"),
        PowerCalled => Some("no-such-irregularity"),
    }
}

/// Holds a broken round against its line of the table and against the round that was not broken.
fn check(rules: &str, broken: Break, rule: &Rule, whole: &Run, run: &Run) -> Result<(), String> {
    let must = |holds: bool, what: &str| match holds {
        true => Ok(()),
        false => Err(what.to_string()),
    };
    must(run.breaks.is_empty(), &run.breaks.join("; "))?;
    let answer = run.answer.as_deref();
    must(answer == answered(rules, broken, rule), &format!("the house says {answer:?} to it"))?;
    let stopped = matches!(broken, Kill | PowerLoss);
    let told = !stopped || !run.at_stake || run.resumed;
    must(told, "nobody is told that play was interrupted")?;
    must(run.commitments.len() <= 1, "the deck was rolled again")?;
    let same_deck = run.commitments == whole.commitments;
    let empty = vec![];
    let (lines, whole_lines) =
        (run.lines.as_ref().unwrap_or(&empty), whole.lines.as_ref().unwrap_or(&empty));
    let set_for = |person: Person| PLAYERS.iter().find(|it| it.0 == person).map(|it| it.1);
    match rule.expected {
        Expected::AsIfNothing | Expected::LastRound => {
            must(run.lines.is_some(), "it is settled")?;
            // Before bets were open there was no deck yet that could be kept.
            if run.broke_when != Some(Offering) {
                must(same_deck, "another deck")?;
                must(lines == whole_lines, "another statement")?;
            }
            must(run.returned.is_empty(), "nothing is withdrawn")?;
            must(run.absent.is_empty() && run.recalled.is_empty(), "nothing is done for anyone")?;
        }
        Expected::BankPasses => {
            let to = run.gone.iter().filter_map(|(person, _)| set_for(*person));
            let passed = to.clone().any(|at| run.passed.contains(&at));
            must(passed, "the bank goes past whoever is gone")?;
            must(
                run.lines.is_some() || run.no_banker || run.void,
                "the others play, or no round is dealt",
            )?;
            if run.lines.is_some() {
                let told = run
                    .passed
                    .iter()
                    .all(|at| run.recalled.contains(&(*at, DoneForThem::DeclinedBank)));
                must(told, "it is told in the recall")?;
            }
        }
        Expected::SetForTheAbsent => {
            for (person, was_set) in &run.gone {
                let position = set_for(*person).ok_or("they sit there")?;
                let wagers = run.wagered.contains_key(person);
                let set = run.absent.iter().find(|(at, _)| *at == position);
                let needs = wagers && !was_set && run.lines.is_some();
                must(needs == set.is_some(), "set for whoever is gone, and no one else")?;
                if let Some((_, clause)) = set {
                    must(clause.as_deref() == rule.clause, "the clause is cited")?;
                    let told = run.recalled.contains(&(position, DoneForThem::Set));
                    must(told, "it is told in the recall")?;
                }
                let plays = lines.iter().any(|line| line.owner == Owner::Person(*person));
                must(plays == (wagers && run.lines.is_some()), "who wagered plays, no one else")?;
            }
            let any = !run.wagered.is_empty();
            must(run.lines.is_some() == any && run.void != any, "dealt if anyone wagered")?;
            if run.broke_when != Some(Betting) {
                must(same_deck && lines == whole_lines, "another statement")?;
            }
        }
        Expected::MayWithdraw => {
            let (first, _) = PLAYERS[0];
            let clause = rule.clause.unwrap_or_default().to_string();
            must(run.power == [(false, clause.clone())], "no outcome is established")?;
            must(has_every_bet(rules, &run.bets), "every wager there is was placed")?;
            let back = run.returned.get(&(first, clause)).copied();
            must(back.is_some() && back == run.wagered.get(&first).copied(), "all wagers go back")?;
            must(run.returned.len() == 1, "nobody else's wagers move")?;
            must(same_deck, "another deck")?;
            let others = without(whole_lines, &[first]);
            must(without(lines, &[first]) == others, "the others play on as if nothing had been")?;
            must(lines.len() == others.len(), "who withdrew has no part")?;
        }
    }
    if rule.expected == Expected::LastRound {
        must(run.closed.is_some(), "the reason is kept")?;
        must(!run.begun_after, "no other round begins")?;
    }
    if rule.clause == Some("5.18.2") {
        let told = format!("an outcome is established, once: {:?}", run.power);
        must(run.power == [(true, "5.18.2".to_string())], &told)?;
    }
    Ok(())
}
