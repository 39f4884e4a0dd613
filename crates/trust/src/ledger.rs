//! Row 9: random play by every rulebook, and the books after each operation.
//!
//! What is entered is judged three times: by what it touched, after each operation; by books added up
//! from every transfer there ever was, now and then; and by books made from the log alone, after each
//! round, compared byte for byte.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::AddAssign;
use std::sync::Arc;

use anyhow::Result;
use houseway_ledger::{Account, Book, Transfer, transfers};
use houseway_rules::rulebook::{Role, Rulebook, Wager};
use houseway_rules::{Card, CardSet, Cents, houses};
use houseway_table::deal::Deck;
use houseway_table::{
    Action, Actor, Call, Command, Event, Offer, Person, Phase, Position, Posted, Setup, Table,
    Time, decide, options,
};
use rand::rngs::ChaCha12Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde_json::json;

use crate::outcome::Outcome;

/// How many come to a table.
const PEOPLE: u32 = 8;

/// How many rounds are played at a table before another one is opened.
const ROUNDS: u64 = 30;

/// How many tables are played at before it is looked whether it was enough.
const TABLES: u64 = 200;

/// After how many operations the books are added up from the first transfer on.
const WHOLE: u64 = 100;

/// How many commands a round may take, most of them refused.
const PATIENCE: u64 = 20_000;

/// From what has happened to the money that moved.
type Ledger = fn(&Event) -> Vec<Transfer>;

/// What was done, and how often it was looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    transfers: u64,
    operations: u64,
    whole: u64,
    rebuilt: u64,
    rounds: u64,
    voids: u64,
    corrections: u64,
    came_or_went: u64,
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Sums) {
        self.transfers += other.transfers;
        self.operations += other.operations;
        self.whole += other.whole;
        self.rebuilt += other.rebuilt;
        self.rounds += other.rounds;
        self.voids += other.voids;
        self.corrections += other.corrections;
        self.came_or_went += other.came_or_went;
    }
}

/// Plays until at least so many transfers were entered.
pub fn run(transfers_wanted: u64, seed: u64) -> Result<Outcome> {
    let (sums, faults) = played(transfers_wanted, seed, transfers);
    let Sums { transfers, operations, whole, rebuilt, rounds, voids, corrections, .. } = sums;
    let reached = format!(
        "{transfers} transfers in {operations} operations and {rounds} rounds, {voids} of them void, \
         {corrections} corrections; books added up {whole} times, made from the log {rebuilt} times; \
         {} faults{}",
        faults.len(),
        faults.first().map_or(String::new(), |it| format!(", the first: {it}")),
    );
    let figures = json!({
        "transfers": transfers, "operations": operations, "rounds": rounds, "voids": voids,
        "corrections": corrections, "came_or_went": sums.came_or_went, "whole": whole,
        "rebuilt": rebuilt, "faults": faults.len(), "seed": seed,
    });
    let asked = "10,000,000 transfers, checked after each operation";
    let everything = [voids, corrections, sums.came_or_went, whole, rebuilt];
    let holds = faults.is_empty() && everything.iter().all(|&it| it > 0);
    Ok(Outcome::new(9, "ledger", asked, reached, holds, figures))
}

/// Plays with a ledger: what was done, and every fault with the number of its table.
fn played(wanted: u64, seed: u64, ledger: Ledger) -> (Sums, Vec<String>) {
    let rulebooks: Vec<Arc<Rulebook>> =
        houses::HOUSES.iter().map(|it| Arc::new((*it).clone())).collect();
    let (mut sums, mut faults) = (Sums::default(), vec![]);
    let mut next = seed << 32;
    while sums.transfers < wanted && faults.is_empty() {
        let nights: Vec<(u64, Sums, Result<(), String>)> = (next..next + TABLES)
            .into_par_iter()
            .map(|number| {
                let rulebook = &rulebooks[(number % rulebooks.len() as u64) as usize];
                let mut night = Night::new(rulebook, number, ledger);
                let found = night.play();
                (number, night.sums, found)
            })
            .collect();
        for (number, of_one, found) in nights {
            sums += of_one;
            faults.extend(found.err().map(|why| format!("table {number}: {why}")));
        }
        next += TABLES;
    }
    (sums, faults)
}

/// Some rounds at one table.
struct Night {
    chance: ChaCha12Rng,
    table: Table,
    ledger: Ledger,
    /// The books as they are kept.
    book: Book,
    log: Vec<Event>,
    entered: Vec<Transfer>,
    now: u64,
    sums: Sums,
}

impl Night {
    fn new(rulebook: &Arc<Rulebook>, number: u64, ledger: Ledger) -> Night {
        let some = Some(1_000);
        let time = Time { banking: some, betting: some, setting: some, conceding: some };
        let posted = Posted { time, ..Posted::usual(rulebook) };
        let setup = Setup::new(Arc::clone(rulebook), posted).expect("what is usual is allowed");
        Night {
            chance: ChaCha12Rng::seed_from_u64(number),
            table: Table::new(setup),
            ledger,
            book: Book::new(),
            log: vec![],
            entered: vec![],
            now: 0,
            sums: Sums::default(),
        }
    }

    fn play(&mut self) -> Result<(), String> {
        let mut asked = 0;
        while self.sums.rounds < ROUNDS {
            let before = self.sums.rounds;
            self.now += self.chance.random_range(0..100);
            let (by, action) = self.next();
            let command = Command { by, at: self.now, action };
            if let Ok(events) = decide(&self.table, &command) {
                self.operate(events)?;
            }
            asked = if self.sums.rounds == before { asked + 1 } else { 0 };
            if asked > PATIENCE {
                return Err(format!("a round does not end: {:?}", self.table.phase()));
            }
        }
        // As it is stored and read again, not only as it was remembered.
        let text = serde_json::to_string(&self.log).map_err(|error| error.to_string())?;
        self.log = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        self.rebuild()
    }

    /// One operation: what has happened is entered, and looked at.
    fn operate(&mut self, events: Vec<Event>) -> Result<(), String> {
        let from = self.entered.len();
        let mut ended = false;
        for event in events {
            for transfer in (self.ledger)(&event) {
                self.book.enter(&transfer).map_err(|overdrawn| overdrawn.to_string())?;
                self.entered.push(transfer);
            }
            let sums = &mut self.sums;
            match &event {
                Event::RoundEnded { .. } => ended = true,
                // A round before can be void too, and is not played again.
                Event::Voided { .. } => {
                    sums.voids += 1;
                    ended = true;
                }
                Event::Corrected { .. } => sums.corrections += 1,
                Event::MoneyBrought { .. } | Event::MoneyTaken { .. } => sums.came_or_went += 1,
                _ => {}
            }
            self.table.apply(&event);
            self.log.push(event);
        }
        self.sums.operations += 1;
        self.sums.transfers += (self.entered.len() - from) as u64;
        self.check_touched(from)?;
        if self.sums.operations.is_multiple_of(WHOLE) {
            self.sums.whole += 1;
            let balances: BTreeMap<Account, i128> = self.book.balances().collect();
            wrong_in(&balances, &self.entered, &self.table).map_or(Ok(()), Err)?;
        }
        if ended {
            self.sums.rounds += 1;
            self.rebuild()?;
        }
        Ok(())
    }

    /// What the last transfers touched: as the table has it, and nothing below nothing.
    fn check_touched(&self, from: usize) -> Result<(), String> {
        for transfer in &self.entered[from..] {
            for account in [transfer.from, transfer.to] {
                let balance = self.book.balance(account);
                if balance < 0 && !account.may_be_overdrawn() {
                    return Err(format!("{account} has {balance} cents"));
                }
                let held = held(&self.table, account);
                if held.is_some_and(|held| held != balance) {
                    return Err(format!("{account} has {balance} cents, at the table {held:?}"));
                }
            }
        }
        Ok(())
    }

    /// The books, made from the log alone, are the same to the byte.
    fn rebuild(&mut self) -> Result<(), String> {
        self.sums.rebuilt += 1;
        let mut again = Book::new();
        for event in &self.log {
            again.record(event).map_err(|overdrawn| format!("from the log: {overdrawn}"))?;
        }
        let (live, again) = (written(&self.book), written(&again));
        match live == again {
            true => Ok(()),
            false => Err(format!("the books are\n{live}and from the log\n{again}")),
        }
    }

    /// What is asked next. Much of it is refused, and rounds go on all the same.
    fn next(&mut self) -> (Actor, Action) {
        let odd = match self.table.phase() {
            Phase::Idle => 8,
            _ => 60,
        };
        if self.chance.random_range(0..odd) == 0
            && let Some(asked) = self.something()
        {
            return asked;
        }
        let dealer = |action| (Actor::DEALER, action);
        let position = Position(self.chance.random_range(1..=7));
        let holder = self.table.seats().get(&position).copied();
        let player = |person: Option<Person>, action| {
            let person = person.unwrap_or(Person(1));
            (Actor { person, role: Role::Player }, action)
        };
        let dice = self.chance.random_range(0..10);
        match self.table.phase() {
            Phase::Idle => {
                let person = Some(Person(self.chance.random_range(1..=PEOPLE)));
                let amount = Cents::dollars(self.chance.random_range(1..2_000));
                match dice {
                    0 | 1 => player(person, Action::BringMoney { amount }),
                    2 => player(person, Action::TakeMoney { amount }),
                    3..=5 => player(person, Action::Sit { position }),
                    6 => player(holder, Action::Leave { position }),
                    _ => dealer(Action::OpenRound),
                }
            }
            Phase::Offering { to, .. } => {
                let put_up = Cents::dollars(self.chance.random_range(1..2_000));
                let action = match dice {
                    0..=2 => Action::DeclineBank,
                    _ => Action::TakeBank { put_up, house_wager: Cents::ZERO },
                };
                player(self.table.seats().get(to).copied(), action)
            }
            Phase::Betting(_) => {
                let wager = *[Wager::Standard, Wager::Standard, Wager::Fortune, Wager::TigerNine]
                    .choose(&mut self.chance)
                    .expect("some");
                match dice {
                    0 => player(holder, Action::Withdraw { position, wager }),
                    1 => dealer(Action::CloseBets),
                    2 => dealer(Action::TimeUp),
                    _ => {
                        let amount = self.wager(wager);
                        player(holder, Action::Place { position, wager, amount, person: None })
                    }
                }
            }
            Phase::Closed(..) => {
                let mut cards: Vec<Card> = Card::all().collect();
                cards.shuffle(&mut self.chance);
                let deck = Deck::try_from(cards).expect("all 53 cards");
                let number = self.chance.random_range(1..=self.table.setup().highest_number());
                dealer(Action::Deal { deck, number })
            }
            Phase::Setting(play) => {
                let cards = play.hands.get(&position).map_or(play.banker.dealt, |it| it.dealt);
                let banker = play.bank.position().and_then(|it| self.table.seats().get(&it));
                let banker = banker.copied();
                let mut sorted: Vec<Card> = cards.cards().iter().collect();
                sorted.shuffle(&mut self.chance);
                let low = sorted[..2].iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
                match dice {
                    0 => player(holder, Action::View { position }),
                    1 | 2 => player(holder, Action::Set { position, low }),
                    3..=5 => player(holder, Action::SetHouseWay { position }),
                    6 => player(banker, Action::SetBanker { low }),
                    7 => dealer(Action::TimeUp),
                    8 => dealer(Action::Reveal { low: Some(low) }),
                    _ => dealer(Action::Reveal { low: None }),
                }
            }
            Phase::Revealed(_) => match dice {
                0 | 1 => player(holder, Action::Concede { position }),
                _ => dealer(Action::Settle),
            },
        }
    }

    /// A wager within what is posted, most of the time.
    fn wager(&mut self, wager: Wager) -> Cents {
        let posted = &self.table.setup().posted;
        let range = match wager {
            Wager::Standard => Some(posted.standard),
            Wager::Fortune => Some(posted.fortune),
            Wager::TigerNine => posted.tiger_nine,
        };
        let least = range.map_or(500, |it| it.minimum.get());
        Cents::new(least + self.chance.random_range(0..5) * 500)
    }

    /// Anything that someone may do now: calls, rulings, withdrawals, corrections.
    fn something(&mut self) -> Option<(Actor, Action)> {
        let role = *[Role::Player, Role::Dealer, Role::PitManager, Role::GamingShiftManager]
            .choose(&mut self.chance)?;
        let person = match role {
            Role::Player => Person(self.chance.random_range(1..=PEOPLE)),
            _ => Person(0),
        };
        let offers = options(&self.table, person, role, self.now);
        let chance = &mut self.chance;
        let action = match offers.choose(chance)? {
            Offer::Call { what, spots, repairs, .. } => {
                let spot = spots.choose(chance).copied();
                let repair = repairs.choose(chance).cloned();
                Action::Call(Call { what: *what, spot, repair })
            }
            Offer::Rule { rulings } => {
                let ruling = *rulings.choose(chance)?;
                Action::Rule { ruling, reason: "as it happened".into() }
            }
            Offer::WithdrawAll => Action::WithdrawAll,
            Offer::TakeMoney { most } => {
                Action::TakeMoney { amount: Cents::new(chance.random_range(1..=most.get())) }
            }
            Offer::TakeBank { most, house_wager, .. } => {
                Action::TakeBank { put_up: *most, house_wager: *house_wager }
            }
            _ => return None,
        };
        Some((Actor { person, role }, action))
    }
}

/// What the table itself says is in an account; nothing where it does not know.
fn held(table: &Table, account: Account) -> Option<i128> {
    match account {
        Account::Stack(person) => {
            let guest = table.people().get(&person);
            Some(guest.map_or(0, |guest| i128::from(guest.stack.get())))
        }
        // Between rounds nothing lies on the layout.
        Account::Felt(_) | Account::Bank if matches!(table.phase(), Phase::Idle) => Some(0),
        _ => None,
    }
}

/// What is wrong with books, if something is: all of them, added up from every transfer.
fn wrong_in(
    balances: &BTreeMap<Account, i128>,
    entered: &[Transfer],
    table: &Table,
) -> Option<String> {
    let mut counted = BTreeMap::<Account, i128>::new();
    for Transfer { from, to, amount, .. } in entered {
        *counted.entry(*from).or_default() -= i128::from(amount.get());
        *counted.entry(*to).or_default() += i128::from(amount.get());
    }
    if *balances != counted {
        return Some(format!("kept {balances:?}, counted {counted:?}"));
    }
    let sum: i128 = balances.values().sum();
    if sum != 0 {
        return Some(format!("debits and credits differ by {sum} cents"));
    }
    let below = balances.iter().find(|(account, it)| **it < 0 && !account.may_be_overdrawn());
    if let Some((account, balance)) = below {
        return Some(format!("{account} has {balance} cents"));
    }
    // Everything people brought is free, held, or the house's; and the table counts the same.
    let of = |which: fn(&Account) -> bool| -> i128 {
        balances.iter().filter(|(account, _)| which(account)).map(|(_, it)| it).sum()
    };
    let outside = of(|it| matches!(it, Account::Outside(_)));
    let at_table = of(|it| matches!(it, Account::Stack(_) | Account::Felt(_) | Account::Bank));
    let houses = of(|it| matches!(it, Account::House | Account::Commission | Account::Collection));
    let counted = i128::from(table.money().get());
    let conserved = at_table == counted && -outside == counted + houses;
    (!conserved).then(|| {
        format!(
            "{} brought, {at_table} at the table where it has {counted}, {houses} the house's",
            -outside
        )
    })
}

/// Books as text.
fn written(book: &Book) -> String {
    book.balances().fold(String::new(), |mut text, (account, balance)| {
        writeln!(text, "{account}: {balance}").expect("a string takes all");
        text
    })
}

#[cfg(test)]
mod tests {
    use houseway_ledger::Reason;

    use super::*;

    #[test]
    fn random_play_reaches_everything_and_nothing_is_wrong() {
        let outcome = run(20_000, 1).expect("it can be played");
        assert!(outcome.holds, "{outcome}");
        assert!(outcome.figures["transfers"].as_u64() >= Some(20_000));
    }

    /// The same play with a ledger that is wrong in one way: each is found.
    #[test]
    fn bad_ledgers_are_found() {
        let a_cent_too_much: Ledger = |event| {
            let mut all = transfers(event);
            let win = all.iter_mut().find(|it| it.reason == Reason::Win);
            if let Some(win) = win {
                win.amount = Cents::new(win.amount.get() + 1);
            }
            all
        };
        let one_dropped: Ledger = |event| {
            let mut all = transfers(event);
            all.retain(|it| it.reason != Reason::Commission && it.reason != Reason::Fee);
            all
        };
        let one_twice: Ledger = |event| {
            let all = transfers(event);
            let again = all.iter().filter(|it| it.reason == Reason::WagerBack).cloned();
            all.iter().cloned().chain(again).collect()
        };
        let more_than_there_is: Ledger = |event| {
            let mut all = transfers(event);
            for it in all.iter_mut().filter(|it| matches!(it.from, Account::Stack(_))) {
                it.amount = Cents::new(it.amount.get() + 100_000_000);
            }
            all
        };
        for (name, ledger) in [
            ("a cent too much", a_cent_too_much),
            ("one dropped", one_dropped),
            ("one twice", one_twice),
            ("more than there is", more_than_there_is),
        ] {
            let (_, faults) = played(20_000, 1, ledger);
            assert!(!faults.is_empty(), "{name} was not found");
        }
    }

    /// Books that went wrong by themselves are found by those who add them up.
    #[test]
    fn bad_books_are_found() {
        let rulebook = Arc::new(houses::HOUSES[0].clone());
        let mut night = Night::new(&rulebook, 1, transfers);
        night.play().expect("nothing is wrong");
        let good: BTreeMap<Account, i128> = night.book.balances().collect();
        let wrong = |balances: &BTreeMap<Account, i128>, entered: &[Transfer]| {
            wrong_in(balances, entered, &night.table)
        };
        assert_eq!(wrong(&good, &night.entered), None);
        let mut cent = good.clone();
        *cent.entry(Account::House).or_default() += 1;
        assert!(wrong(&cent, &night.entered).is_some(), "a cent from nowhere");
        let last = night.entered.len() - 1;
        assert!(wrong(&good, &night.entered[..last]).is_some(), "a transfer that is not there");
        let twice = [&night.entered[..], &night.entered[last..]].concat();
        assert!(wrong(&good, &twice).is_some(), "one that is there twice");
        let stack = |person| Account::Stack(Person(person));
        let debt = Transfer {
            from: stack(99),
            to: stack(98),
            amount: Cents::new(1),
            reason: Reason::Wager,
            clause: None,
        };
        let mut below = good.clone();
        below.extend([(stack(99), -1), (stack(98), 1)]);
        let all = [&night.entered[..], &[debt]].concat();
        let found = wrong(&below, &all).expect("someone is below nothing");
        assert_eq!(found, "person 99, stack has -1 cents");
    }
}
