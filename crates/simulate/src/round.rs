//! One round, played through the table as people play it.

use std::sync::Arc;

use houseway_odds::game::Stake;
use houseway_rules::rulebook::{Bounds, Collection, Payer, Rulebook, Wager};
use houseway_rules::{Card, Cents};
use houseway_table::deal::Deck;
use houseway_table::settlement::{Bet, Ending, Line, Owner};
use houseway_table::{
    Action, Actor, Command, Event, Person, Phase, Position, Posted, Range, Setup, SetupError,
    Table, decide,
};
use rand::RngExt;
use rand::rngs::ChaCha12Rng;
use rand::seq::SliceRandom;

use crate::strategy::Player;
use crate::{Plan, Played, Seat};

/// More than anyone can lose in a block of rounds.
const PLENTY: Cents = Cents::dollars(2_000_000_000);

/// A position's gains in one round, in cents.
#[derive(Clone, Copy, Default)]
struct Gains {
    standard: i64,
    fortune: i64,
    envy: i64,
    tiger: i64,
    fees: i64,
}

fn signed(amount: Cents) -> i64 {
    i64::try_from(amount.get()).expect("wagers are far below what can be counted")
}

/// The table that a plan is played at.
pub(crate) fn setup(plan: &Plan<'_>) -> Result<Setup, SetupError> {
    let rulebook = plan.rulebook;
    let usual = Posted::usual(rulebook);
    let around = |wager: Wager, amount: fn(&Seat) -> Cents| {
        let limits = rulebook.limits(wager)?;
        let amounts = || plan.seats.iter().map(amount).filter(|amount| *amount > Cents::ZERO);
        let least = amounts().min().unwrap_or(limits.step);
        let most = amounts().max().unwrap_or(limits.step);
        let within = |amount: Cents, bounds: &Bounds| {
            let amount = bounds.lowest.map_or(amount, |lowest| amount.max(lowest));
            bounds.highest.map_or(amount, |highest| amount.min(highest))
        };
        Some(Range {
            minimum: within(least, &limits.minimum),
            maximum: within(most, &limits.maximum),
        })
    };
    let posted = Posted {
        standard: around(Wager::Standard, |seat| seat.standard).unwrap_or(usual.standard),
        fortune: around(Wager::Fortune, |seat| seat.fortune).unwrap_or(usual.fortune),
        tiger_nine: around(Wager::TigerNine, |seat| seat.tiger).or(usual.tiger_nine),
        rake: match rulebook.collection {
            Some(Collection::Rake { .. }) => plan.rake,
            _ => Cents::ZERO,
        },
        schedule: plan.schedule.or(usual.schedule),
        ..usual
    };
    Setup::new(Arc::new(rulebook.clone()), posted)
}

/// A table with everyone seated: the betting positions, and one more where a player banks.
pub(crate) fn seated(plan: &Plan<'_>) -> Table {
    let setup = setup(plan).expect("the plan was checked");
    let mut table = Table::new(setup);
    let banker = usize::from(!plan.rulebook.bank.banker.is_house());
    for number in 1..=plan.seats.len() + banker {
        let who = Actor::player(number as u32);
        ask(&mut table, who, Action::BringMoney { amount: PLENTY });
        ask(&mut table, who, Action::Sit { position: Position(number as u8) });
    }
    table
}

fn ask(table: &mut Table, by: Actor, action: Action) -> Vec<Event> {
    let command = Command { by, at: 0, action };
    let decided = decide(table, &command);
    let events = decided.unwrap_or_else(|refusal| panic!("{:?}: {refusal}", command.action));
    for event in &events {
        table.apply(event);
    }
    events
}

/// Plays one round and adds what it came to.
pub(crate) fn play(
    plan: &Plan<'_>,
    player: &Player<'_>,
    table: &mut Table,
    deck: &mut [Card],
    chance: &mut ChaCha12Rng,
    played: &mut Played,
) {
    ask(table, Actor::DEALER, Action::OpenRound);
    let mut banker = None;
    if let Phase::Offering { to, .. } = table.phase() {
        let to = *to;
        let put_up = plan.put_up.unwrap_or(Cents::dollars(1_000_000_000));
        let taken = Action::TakeBank { put_up, house_wager: Cents::ZERO };
        ask(table, Actor::player(to.0.into()), taken);
        banker = Some(to);
    }
    let bettors = bettors(plan, banker);
    for (seat, &position) in plan.seats.iter().zip(&bettors) {
        let who = Actor::player(position.0.into());
        for (wager, amount) in [
            (Wager::Standard, seat.standard),
            (Wager::Fortune, seat.fortune),
            (Wager::TigerNine, seat.tiger),
        ] {
            if amount > Cents::ZERO {
                ask(table, who, Action::Place { position, wager, amount, person: None });
            }
        }
    }
    let closed = ask(table, Actor::DEALER, Action::CloseBets);
    deck.shuffle(chance);
    let number = chance.random_range(1..=table.setup().highest_number());
    let dealt = Deck::try_from(deck.to_vec()).expect("all 53 cards");
    ask(table, Actor::DEALER, Action::Deal { deck: dealt, number });
    for (seat, &position) in plan.seats.iter().zip(&bettors) {
        let Phase::Setting(hands) = table.phase() else { unreachable!("cards were dealt") };
        let dealt = hands.hands[&position].dealt;
        let stake = stake(plan.rulebook, seat);
        let draw = |below: usize| chance.random_range(0..below);
        let low = player.set(seat.strategy, dealt, stake, draw).low();
        ask(table, Actor::player(position.0.into()), Action::Set { position, low });
    }
    ask(table, Actor::DEALER, Action::Reveal { low: None });
    let settled = ask(table, Actor::DEALER, Action::Settle);
    let lines = settled.iter().find_map(|event| match event {
        Event::Settled { lines } => Some(lines.as_slice()),
        _ => None,
    });
    count(&bettors, banker, &closed, lines.unwrap_or_default(), played);
}

/// The betting positions: all of them, or those clockwise from a banking player on.
fn bettors(plan: &Plan<'_>, banker: Option<Position>) -> Vec<Position> {
    let seats = plan.seats.len() as u8;
    match banker {
        None => (1..=seats).map(Position).collect(),
        Some(banker) => {
            (1..=seats).map(|step| Position((banker.0 - 1 + step) % (seats + 1) + 1)).collect()
        }
    }
}

fn count(
    bettors: &[Position],
    banker: Option<Position>,
    closed: &[Event],
    lines: &[Line],
    played: &mut Played,
) {
    let place = |position: Position| bettors.iter().position(|at| *at == position);
    let mut gains = vec![Gains::default(); bettors.len()];
    let mut banker_gain = 0;
    for event in closed {
        if let Event::FeeTaken { person: Person(person), amount, .. } = event {
            match place(Position(*person as u8)) {
                Some(place) => gains[place].fees -= signed(*amount),
                None => banker_gain -= signed(*amount),
            }
        }
    }
    for line in lines {
        // What a house that banks takes is its own, commission included.
        let net = signed(line.paid) - signed(line.taken) - signed(line.commission);
        banker_gain -= match line.payer {
            _ if banker.is_none() => net,
            Payer::Banker => signed(line.paid) - signed(line.taken),
            Payer::House => 0,
        };
        let (Owner::Person(_), Some(place)) = (line.owner, place(line.position)) else { continue };
        match line.bet {
            Bet::Standard => {
                gains[place].standard += net;
                let outcomes = &mut played.seats[place].outcomes;
                match line.ending {
                    Ending::Win => outcomes.win += 1,
                    Ending::Push | Ending::Returned => outcomes.push += 1,
                    Ending::Lose => outcomes.lose += 1,
                }
            }
            Bet::Fortune => gains[place].fortune += net,
            Bet::TigerNine => gains[place].tiger += net,
            Bet::Envy { .. } => gains[place].envy += net,
            Bet::HouseWager | Bet::BankerCommission => {}
        }
    }
    for (result, gains) in played.seats.iter_mut().zip(gains) {
        let Gains { standard, fortune, envy, tiger, fees } = gains;
        result.standard.add(standard);
        result.fortune.add(fortune);
        result.envy.add(envy);
        result.tiger.add(tiger);
        result.fees.add(fees);
        result.total.add(standard + fortune + envy + tiger + fees);
    }
    played.rounds += 1;
    played.banker.add(banker_gain);
    *played.banker_gains.entry(banker_gain).or_default() += 1;
}

/// Whether a bonus bet is the banker's to pay. The house banks here wherever it can.
pub(crate) fn banker_pays(rulebook: &Rulebook, payer: Payer) -> bool {
    rulebook.bank.banker.is_house() || payer == Payer::Banker
}

/// What a win costs a position.
pub(crate) fn stake(rulebook: &Rulebook, seat: &Seat) -> Stake {
    let waived = rulebook.commission_on(Cents::dollars(1), seat.fortune);
    match waived {
        Some((Cents::ZERO, _)) | None => Stake::FREE,
        Some(_) => Stake::of(rulebook),
    }
}
