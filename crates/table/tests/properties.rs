//! Random nights at a table under each rulebook, with whatever people may ask mixed in, and what
//! must hold after every command.
//!
//! `HOUSEWAY_ROUNDS` sets the rounds per rulebook and `HOUSEWAY_SEED` the first seed. A failure
//! tells the seed of its table: with that seed and one round the same table comes first.

#[path = "common/naive.rs"]
mod naive;

use std::collections::BTreeMap;
use std::sync::Arc;

use houseway_rules::rulebook::{Incident, Pattern, Payer, Role, Rulebook, Wager};
use houseway_rules::{BonusHand, Card, CardSet, Cents, Dealt, Rank, Suit, houses, set_house_way};
use houseway_table::deal::{Deck, Spot};
use houseway_table::settlement::{Bet, Ending, Line, Owner, PlayerHand, Round, SetHand, Standing};
use houseway_table::{
    Action, Actor, Bank, Betting, Call, Command, Event, How, InHand, InPlay, Person, Phase, Places,
    Position, Posted, Range, Repair, Ruling, Setup, Share, Stakes, Table, Time, Why, decide,
};
use naive::Judged;

/// Rounds per rulebook where the environment names no number: less than a minute for all five on
/// one core, with this crate optimised as the workspace's profile has it.
const ROUNDS: u64 = 200_000;

#[test]
fn nights_at_mbs_2016() {
    nights(&houses::MBS_2016, 1);
}

#[test]
fn nights_at_mbs_2020() {
    nights(&houses::MBS_2020, 2);
}

#[test]
fn nights_at_the_cardroom() {
    nights(&houses::CARDROOM, 3);
}

#[test]
fn nights_commission_free() {
    nights(&houses::COMMISSION_FREE, 4);
}

#[test]
fn nights_at_catfish_bend() {
    nights(&houses::CATFISH_BEND, 5);
}

fn nights(rulebook: &Rulebook, seed: u64) {
    let number = |name: &str| {
        let text = std::env::var(name).ok()?;
        Some(text.replace('_', "").parse::<u64>().unwrap_or_else(|_| panic!("{name}: {text}")))
    };
    let rounds = number("HOUSEWAY_ROUNDS").unwrap_or(ROUNDS);
    let mut seed = number("HOUSEWAY_SEED").unwrap_or(seed << 40);
    let shared = Arc::new(rulebook.clone());
    let mut tally = Tally::default();
    let start = std::time::Instant::now();
    while tally.rounds < rounds {
        let mut night = Night::new(&shared, seed, tally);
        night.play();
        tally = night.tally;
        seed += 1;
    }
    let (id, seconds) = (&rulebook.id, start.elapsed().as_secs_f64());
    eprintln!("{id}: {} rounds in {seconds:.1} seconds, {tally:?}", tally.rounds);
    if rounds >= ROUNDS {
        tally.is_not_vacuous(&rulebook.id);
    }
}

/// What happened, so that a generator that no longer reaches something is noticed.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    rounds: u64,
    voids: u64,
    commands: u64,
    refused: u64,
    replays: u64,
    lines: u64,
    wins: u64,
    pushes: u64,
    losses: u64,
    returned: u64,
    partly_covered: u64,
    commissions: u64,
    banker_commissions: u64,
    house_wagers: u64,
    prorated: u64,
    envies: u64,
    nine_highs: u64,
    tigers: u64,
    shared: u64,
    fees: u64,
    player_banks: u64,
    no_bankers: u64,
    fouls: u64,
    dead: u64,
    conceded: u64,
    absent: u64,
    out: u64,
    swapped: u64,
    reset: u64,
    corrected: u64,
    left: u64,
}

impl Tally {
    /// Every rulebook's nights have to reach what that rulebook is about.
    fn is_not_vacuous(&self, id: &str) {
        let all = [self.wins, self.pushes, self.losses, self.fouls, self.replays, self.absent];
        let own: &[u64] = match id {
            "mbs-2016" => &[self.commissions, self.envies, self.voids, self.swapped],
            "mbs-2020" => &[
                self.commissions,
                self.envies,
                self.voids,
                self.swapped,
                self.shared,
                self.conceded,
                self.out,
                self.reset,
                self.corrected,
            ],
            "cardroom" => &[self.returned, self.partly_covered, self.fees, self.no_bankers],
            "commission-free" => &[
                self.partly_covered,
                self.fees,
                self.no_bankers,
                self.nine_highs,
                self.tigers,
                self.envies,
            ],
            _ => &[
                self.commissions,
                self.banker_commissions,
                self.house_wagers,
                self.prorated,
                self.envies,
                self.player_banks,
                self.dead,
                self.voids,
                self.swapped,
                self.reset,
                self.left,
            ],
        };
        let reached = all.iter().chain(own).all(|&times| times > 0);
        assert!(reached, "something of {id} is never reached: {self:?}");
    }
}

// Chance ------------------------------------------------------------------------------------------

/// A xorshift generator: the same nights everywhere, from one number.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Dice {
        // Seeds that differ little shall not give nights that differ little.
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            dice.next();
        }
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 to `end` - 1.
    fn below(&mut self, end: u64) -> u64 {
        ((self.next() >> 32) * end) >> 32
    }

    fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn maybe<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(self.of(all)) }
    }

    fn person(&mut self) -> Person {
        Person(self.between(1, PEOPLE) as u32)
    }

    /// Any place, and sometimes one that is none.
    fn position(&mut self) -> Position {
        Position(self.below(9) as u8)
    }

    fn spot(&mut self) -> Spot {
        if self.one_in(5) { Spot::Dealer } else { Spot::At(self.position()) }
    }

    fn wager(&mut self) -> Wager {
        self.of(&[Wager::Standard, Wager::Standard, Wager::Fortune, Wager::TigerNine])
    }

    fn dollars(&mut self, most: u64) -> Cents {
        Cents::new(self.below(most + 1) * 100)
    }

    /// An amount that is often wrong.
    fn amount(&mut self) -> Cents {
        match self.below(4) {
            0 => Cents::new(self.below(20_000)),
            1 => self.dollars(10),
            2 => self.dollars(200),
            _ => self.dollars(20_000),
        }
    }

    fn role(&mut self) -> Role {
        self.of(&[
            Role::Player,
            Role::Dealer,
            Role::Dealer,
            Role::PitSupervisor,
            Role::PitManager,
            Role::GamingShiftManager,
        ])
    }

    fn cards(&mut self, count: u64) -> CardSet {
        (0..count).fold(CardSet::EMPTY, |set, _| {
            let card = Card::from_index(self.below(53) as usize);
            set.with(card.expect("there are 53 cards"))
        })
    }

    /// Two of these cards.
    fn two_of(&mut self, dealt: Dealt) -> CardSet {
        let cards = dealt.sorted();
        let one = self.below(7) as usize;
        let two = (one + 1 + self.below(6) as usize) % 7;
        CardSet::of(cards[one]).with(cards[two])
    }
}

/// How many people come and go.
const PEOPLE: u64 = 10;

// Decks -------------------------------------------------------------------------------------------

/// A deck for so many piles. Rare hands are laid into some of them, because chance alone would
/// take years to deal two natural straight flushes at once.
fn deck(dice: &mut Dice, pattern: Pattern, piles: usize) -> Deck {
    let mut order: Vec<Option<Card>> = vec![None; 53];
    let mut used = CardSet::EMPTY;
    if dice.one_in(3) {
        let mut last = CardSet::EMPTY;
        for pile in 0..piles {
            if dice.one_in(2) {
                continue;
            }
            let hand = rare(dice, last);
            if hand.len() > 7 || !hand.intersection(used).is_empty() {
                continue;
            }
            used = used.union(hand);
            last = hand;
            for (turn, card) in hand.iter().enumerate() {
                let place = match pattern {
                    Pattern::SevenAtOnce => pile * 7 + turn,
                    Pattern::OneInTurn => turn * piles + pile,
                    // From left to right, then from right to left, and so on.
                    Pattern::BackAndForth if turn % 2 == 0 => turn * piles + pile,
                    Pattern::BackAndForth => turn * piles + (piles - 1 - pile),
                };
                order[place] = Some(card);
            }
        }
    }
    let mut rest: Vec<Card> = Card::all().filter(|&card| !used.contains(card)).collect();
    for end in (1..rest.len()).rev() {
        rest.swap(end, dice.below(end as u64 + 1) as usize);
    }
    let cards = order.into_iter().map(|card| card.or_else(|| rest.pop()).expect("a card"));
    Deck::try_from(cards.collect::<Vec<Card>>()).expect("a deck")
}

/// Up to seven cards that make something rare, or that copy the ranks of the hand before.
fn rare(dice: &mut Dice, before: CardSet) -> CardSet {
    let suit = dice.of(&Suit::ALL);
    let suited = |ranks: &[usize]| {
        let card = |&rank: &usize| Card::new(Rank::ALL[rank], suit);
        ranks.iter().map(card).fold(CardSet::EMPTY, CardSet::with)
    };
    let of_rank = |rank: usize, count: usize| {
        let card = |&suit: &Suit| Card::new(Rank::ALL[rank], suit);
        Suit::ALL[..count].iter().map(card).fold(CardSet::EMPTY, CardSet::with)
    };
    // Ace low, then from 8-high to ace-high.
    let run: Vec<usize> = match dice.below(8) as usize {
        0 => vec![12, 0, 1, 2, 3, 4, 5],
        low => (low - 1..low + 6).collect(),
    };
    let rank = dice.below(13) as usize;
    let with_joker = |dice: &mut Dice, cards: CardSet| {
        let out = dice.below(cards.len() as u64) as usize;
        let out = cards.iter().nth(out).expect("a card to leave out");
        cards.without(CardSet::of(out)).with(Card::JOKER)
    };
    let royal = suited(&[8, 9, 10, 11, 12]);
    match dice.below(13) {
        0 => suited(&run),
        1 | 2 => {
            let other = dice.of(&Suit::ALL);
            let court = [Rank::King, Rank::Queen].map(|rank| Card::new(rank, other));
            let royal = if dice.one_in(2) { with_joker(dice, royal) } else { royal };
            court.into_iter().fold(royal, CardSet::with)
        }
        3 => with_joker(dice, suited(&run)),
        4 => of_rank(12, 4).with(Card::JOKER),
        5 => {
            if dice.one_in(2) {
                with_joker(dice, royal)
            } else {
                royal
            }
        }
        6 => suited(&run[..5]),
        7 => of_rank(rank, 4),
        8 => of_rank(rank, 3).union(of_rank((rank + 1) % 13, 2)),
        9 => of_rank(rank, 3),
        // A 9 second: the House Way puts it Low.
        10 | 11 => {
            let mut cards = CardSet::of(Card::new(Rank::ALL[8 + rank % 5], suit));
            for rank in [7, 6, 4, 3, 1, 0].into_iter().take(if dice.one_in(2) { 6 } else { 5 }) {
                cards = cards.with(Card::new(Rank::ALL[rank], dice.of(&Suit::ALL)));
            }
            cards
        }
        // The ranks of the hand before in other suits, for copies.
        _ => before.iter().fold(CardSet::EMPTY, |set, card| match card.suit() {
            Some(suit) => {
                let next = Suit::ALL[(suit as usize + 1) % 4];
                set.with(Card::new(card.rank(), next))
            }
            None => set,
        }),
    }
}

// Money -------------------------------------------------------------------------------------------

/// Where all money is, by the events alone.
#[derive(Default)]
struct Model {
    /// What people brought, less what they took away.
    brought: i64,
    stacks: BTreeMap<Person, i64>,
    felt: Vec<(Position, Wager, Person, i64)>,
    bank: Option<(Bank, i64)>,
    house: i64,
    /// Fees of this round, which a void gives back.
    fees: Vec<Share>,
    fouls: BTreeMap<Person, u8>,
    seats: BTreeMap<Position, Person>,
    /// The standard wager of the last round against the house at each position, and whose it was.
    last_wagers: BTreeMap<Position, (Person, i64)>,
    /// Who banked the last round that ended, and how many since the bank was last offered to all.
    banked: Option<(Person, u8)>,
}

fn signed(amount: Cents) -> i64 {
    i64::try_from(amount.get()).expect("money on one table")
}

impl Model {
    fn give(&mut self, person: Person, amount: i64) {
        let stack = self.stacks.entry(person).or_default();
        *stack += amount;
        assert!(*stack >= 0, "{person} has {stack} cents");
    }

    /// Takes what someone has on a bet off the layout.
    fn lift(&mut self, position: Position, wager: Wager, person: Person) -> i64 {
        let key = (position, wager, person);
        let at = self.felt.iter().position(|it| (it.0, it.1, it.2) == key);
        at.map_or(0, |at| self.felt.swap_remove(at).3)
    }

    fn pay_from(&mut self, payer: Payer, amount: i64) {
        match payer {
            Payer::House => self.house -= amount,
            Payer::Banker => match &mut self.bank {
                Some((_, bank)) => {
                    *bank -= amount;
                }
                None => panic!("there is no banker to pay"),
            },
        }
    }

    fn fold(&mut self, rulebook: &Rulebook, event: &Event) {
        match event {
            Event::MoneyBrought { person, amount } => {
                self.brought += signed(*amount);
                self.give(*person, signed(*amount));
            }
            Event::MoneyTaken { person, amount } => {
                self.brought -= signed(*amount);
                self.give(*person, -signed(*amount));
            }
            Event::Sat { person, position } => {
                let before = self.seats.insert(*position, *person);
                assert_eq!(before, None, "{position} is taken");
                // C14 offers the bank from seat to seat: whoever moves to another seat is asked there.
                if &*rulebook.id == "cardroom" && self.banked.is_some_and(|(who, _)| who == *person)
                {
                    self.banked = None;
                }
            }
            Event::Left { person, position } => {
                assert_eq!(self.seats.remove(position), Some(*person));
                // R23: counted for as long as they sit.
                if !self.seats.values().any(|seated| seated == person) {
                    self.fouls.remove(person);
                }
            }
            Event::BankTaken { bank, before: told, .. } => {
                let Bank::Player { person, put_up, position, house_wager } = bank else {
                    panic!("the house takes no bank")
                };
                let last = self.last_wagers.get(position).filter(|last| last.0 == *person);
                assert!(signed(*house_wager) <= last.map_or(0, |last| last.1), "B15: {event:?}");
                assert_eq!(self.seats.get(position), Some(person), "who banks sits there");
                let before = self.bank.take().map_or(0, |(_, before)| before);
                assert_eq!(signed(*told), before, "{event:?}");
                self.give(*person, before);
                self.give(*person, -signed(*put_up));
                self.bank = Some((*bank, signed(*put_up)));
            }
            Event::Placed { position, person, wager, amount, before: told, .. } => {
                let before = self.lift(*position, *wager, *person);
                assert_eq!(signed(*told), before, "{event:?}");
                self.give(*person, before);
                self.give(*person, -signed(*amount));
                self.felt.push((*position, *wager, *person, signed(*amount)));
            }
            Event::Returned { position, person, wager, amount, .. } => {
                assert_eq!(self.lift(*position, *wager, *person), signed(*amount), "{event:?}");
                self.give(*person, signed(*amount));
            }
            Event::FeeTaken { person, amount, .. } => {
                self.give(*person, -signed(*amount));
                self.house += signed(*amount);
                self.fees.push(Share { person: *person, amount: *amount });
            }
            Event::Set { position, how: How::Fouled, .. } => {
                let fouls = self.fouls.entry(self.seats[position]).or_default();
                assert!(*fouls == 0 || &*rulebook.id != "catfish-bend", "B5: a later foul loses");
                *fouls += 1;
            }
            Event::Dead { position, .. } => {
                let fouls = self.fouls.entry(self.seats[position]).or_default();
                assert!(*fouls > 0 && &*rulebook.id == "catfish-bend", "B5: a first foul");
                *fouls += 1;
            }
            Event::Settled { lines } => self.settle(lines),
            Event::BankReturned { person, amount } => {
                let Some((Bank::Player { person: banker, .. }, bank)) = self.bank.take() else {
                    panic!("there is no bank to return")
                };
                assert_eq!((*person, signed(*amount)), (banker, bank));
                self.give(banker, bank);
            }
            Event::Voided { wagers, bank, fees, .. } => {
                for (position, Share { person, amount }) in wagers {
                    let here = (*position, *person, signed(*amount));
                    let at = self.felt.iter().position(|it| (it.0, it.2, it.3) == here);
                    self.felt.swap_remove(at.expect("what goes back lies there"));
                    self.give(*person, signed(*amount));
                }
                assert!(self.felt.is_empty(), "R10: every wager goes back");
                if let Some((Bank::Player { person, .. }, amount)) = self.bank.take() {
                    let told = bank.map(|share| (share.person, signed(share.amount)));
                    assert_eq!(told, Some((person, amount)), "and what was put up");
                    self.give(person, amount);
                }
                assert_eq!(*fees, self.fees, "R10: the fees of the round go back");
                for Share { person, amount } in std::mem::take(&mut self.fees) {
                    self.give(person, signed(amount));
                    self.house -= signed(amount);
                }
            }
            Event::HandOut { position, .. } => {
                assert!(self.felt.iter().all(|it| it.0 != *position), "wagers lie on a hand out");
            }
            Event::Corrected { differences, .. } => {
                for &(person, difference) in differences {
                    self.give(person, difference);
                    self.house -= difference;
                }
            }
            Event::DebtCollected { person, amount, .. } => {
                self.give(*person, -signed(*amount));
                self.house += signed(*amount);
            }
            Event::RoundEnded { .. } => {
                assert!(self.felt.is_empty() && self.bank.is_none(), "something is not settled");
                self.fees.clear();
            }
            _ => {}
        }
    }

    fn settle(&mut self, lines: &[Line]) {
        for line in lines {
            if let (None, Bet::Standard, Owner::Person(person)) = (self.bank, line.bet, line.owner)
            {
                self.last_wagers.insert(line.position, (person, signed(line.stake)));
            }
            let [stake, taken, paid, back, commission] =
                [line.stake, line.taken, line.paid, line.back, line.commission].map(signed);
            assert_eq!(stake, taken + back, "{line:?}");
            let fits = match line.ending {
                Ending::Win => taken == 0,
                Ending::Push | Ending::Returned => (taken, paid) == (0, 0),
                Ending::Lose => (paid, commission) == (0, 0),
            };
            assert!(fits || line.bet == Bet::BankerCommission, "{line:?}");
            self.pay_from(line.payer, paid - taken);
            let wager = match line.bet {
                Bet::Standard => Some(Wager::Standard),
                Bet::Fortune => Some(Wager::Fortune),
                Bet::TigerNine => Some(Wager::TigerNine),
                Bet::Envy { .. } | Bet::HouseWager | Bet::BankerCommission => None,
            };
            match (line.owner, wager) {
                (Owner::Person(person), Some(wager)) => {
                    assert_eq!(self.lift(line.position, wager, person), stake, "{line:?}");
                    self.give(person, back + paid);
                    self.give(person, -commission);
                    self.house += commission;
                }
                // B17: out of what the banker gains.
                (Owner::Person(_), None) if line.bet == Bet::BankerCommission => {
                    assert_eq!((stake, paid), (0, 0), "{line:?}");
                    self.pay_from(Payer::Banker, commission);
                    self.house += commission;
                }
                (Owner::Person(person), None) => {
                    assert_eq!(stake, 0, "{line:?}");
                    self.give(person, paid);
                    self.give(person, -commission);
                    self.house += commission;
                }
                // The house's own wager against a banking player comes out of the house's money.
                (Owner::House, None) => self.house += paid - taken,
                (Owner::House, Some(_)) => panic!("the house has no such wager: {line:?}"),
            }
        }
        assert!(self.felt.is_empty(), "wagers without a line: {:?}", self.felt);
        if let Some((_, bank)) = self.bank {
            assert!(bank >= 0, "a bank of {bank} cents");
        }
    }

    /// The table has every cent where the events put it.
    fn check(&self, table: &Table) {
        let mut stacks = 0;
        for (person, guest) in table.people() {
            let stack = self.stacks.get(person).copied().unwrap_or_default();
            assert_eq!(signed(guest.stack), stack, "the stack of {person}");
            stacks += stack;
        }
        assert_eq!(stacks, self.stacks.values().sum::<i64>(), "someone was forgotten");
        let put_up = match table.phase().bank() {
            Some(bank @ Bank::Player { put_up, .. }) => {
                assert_eq!(self.bank, Some((bank, signed(put_up))));
                signed(put_up)
            }
            Some(Bank::House) | None => {
                assert!(self.bank.is_none(), "a bank was forgotten");
                0
            }
        };
        let (mut felt, mut shares) = (0, 0);
        for (position, wager, share) in table.phase().shares() {
            let here = (position, wager, share.person, signed(share.amount));
            assert!(self.felt.contains(&here), "{here:?} is not on the layout");
            felt += here.3;
            shares += 1;
        }
        assert_eq!(shares, self.felt.len(), "a wager was forgotten");
        assert_eq!(felt, self.felt.iter().map(|it| it.3).sum::<i64>());
        assert_eq!(self.brought, stacks + felt + put_up + self.house, "a cent was made or lost");
        assert_eq!(signed(table.money()), stacks + felt + put_up);
        assert_eq!(table.seats(), &self.seats);
    }
}

// A night -----------------------------------------------------------------------------------------

struct Night {
    seed: u64,
    dice: Dice,
    table: Table,
    log: Vec<Event>,
    model: Model,
    now: u64,
    tally: Tally,
    /// Whether the whole table is compared before and after each decision: dear, so not always.
    watched: bool,
    last: Option<Command>,
    /// What a correction has taken out of the last round: hands, or all of it.
    taken_out: Vec<Position>,
    void_later: bool,
}

impl Drop for Night {
    /// A failed assertion alone does not say how the table came there.
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}, posted {:?}", self.seed, self.table.setup().posted);
            let from = self.log.len().saturating_sub(60);
            for event in &self.log[from..] {
                eprintln!("  {event:?}");
            }
            eprintln!("last command: {:?}", self.last);
        }
    }
}

impl Night {
    fn new(rulebook: &Arc<Rulebook>, seed: u64, tally: Tally) -> Night {
        let mut dice = Dice::new(seed);
        let posted = posted(&mut dice, rulebook);
        let setup = Setup::new(Arc::clone(rulebook), posted).expect("a good setup");
        let watched = dice.one_in(16);
        let table = Table::new(setup);
        Night {
            seed,
            dice,
            table,
            log: vec![],
            model: Model::default(),
            now: 0,
            tally,
            watched,
            last: None,
            taken_out: vec![],
            void_later: false,
        }
    }

    fn is(&self, id: &str) -> bool {
        &*self.table.setup().rulebook.id == id
    }

    /// Some rounds at one table.
    fn play(&mut self) {
        let rounds = self.tally.rounds + self.dice.between(5, 40);
        // Any round comes to its end, however much is asked that does not help.
        let mut patience = 0;
        let mut before = self.tally.rounds;
        while self.tally.rounds < rounds {
            self.now += self.dice.below(60);
            let odd = self.dice.below(120);
            if odd < 14 {
                self.ask_anything();
            } else if odd < 16 {
                self.call_something();
            } else if !self.go_on() {
                break;
            }
            if self.dice.one_in(512) {
                self.replay();
            }
            patience = if self.tally.rounds == before { patience + 1 } else { 0 };
            before = self.tally.rounds;
            assert!(patience < 2_000, "the round does not end: {:?}", self.table.phase());
        }
        self.replay();
    }

    /// The log alone gives the same table.
    fn replay(&mut self) {
        let mut again = Table::new(self.table.setup().clone());
        for event in &self.log {
            again.apply(event);
        }
        assert!(same(&again, &self.table), "a replay gives another table");
        assert!(again.setup().posted == self.table.setup().posted);
        self.tally.replays += 1;
    }

    fn ask(&mut self, by: Actor, action: Action) -> Result<(), Why> {
        let command = Command { by, at: self.now, action };
        self.tally.commands += 1;
        let before = self.watched.then(|| self.table.clone());
        let version = self.table.version();
        let decided = decide(&self.table, self.last.insert(command));
        assert_eq!(self.table.version(), version, "deciding changes nothing");
        if let Some(before) = before {
            assert!(same(&before, &self.table), "deciding changes nothing");
        }
        match decided {
            Err(refusal) => {
                self.tally.refused += 1;
                self.model.check(&self.table);
                Err(refusal.why)
            }
            Ok(events) => {
                if events.contains(&Event::BetsClosed) {
                    self.check_bets(&events);
                }
                for event in events {
                    self.happens(event);
                }
                self.check();
                Ok(())
            }
        }
    }

    fn happens(&mut self, event: Event) {
        self.look_at(&event);
        self.model.fold(&self.table.setup().rulebook, &event);
        self.table.apply(&event);
        self.log.push(event);
    }

    /// What must be true of an event, at the table as it is before.
    fn look_at(&mut self, event: &Event) {
        let (setup, tally) = (self.table.setup(), &mut self.tally);
        let ranking = setup.rulebook.ranking();
        let legal = |dealt: Dealt, low: CardSet| dealt.set(low, ranking).is_ok();
        match event {
            Event::Settled { lines } => {
                let Phase::Revealed(play) = self.table.phase() else { panic!("nothing to settle") };
                judge(setup, play, lines);
                tally.count(setup, play, lines);
                self.taken_out.clear();
                self.void_later = false;
                tally.rounds += 1;
            }
            Event::Corrected { lines, differences, spot, low, clause, .. } => {
                let past = self.table.past().expect("a round to correct");
                let mut play = past.play.clone();
                assert!(!self.void_later || &**clause == "5.3", "a void round is corrected");
                play.hands.retain(|at, _| !self.taken_out.contains(at));
                match (&**clause, spot) {
                    ("5.17.1", Spot::At(position)) => {
                        let hand = play.hands.get_mut(position).expect("a hand to correct");
                        let (_, how) = hand.low.expect("it was set");
                        assert_ne!(how, How::Laid, "5.17: the House Way did not set it");
                        hand.low = Some((*low, how));
                    }
                    ("5.17.1", Spot::Dealer) => play.banker.low = Some(*low),
                    ("5.3", _) => {
                        self.void_later = true;
                        play.hands.clear();
                    }
                    ("5.7", Spot::At(position)) => {
                        play.hands.remove(position);
                        self.taken_out.push(*position);
                    }
                    _ => panic!("no correction: {event:?}"),
                }
                // What was taken out goes back, and the rest stands as if it had not been there.
                let out = |line: &Line| !play.hands.contains_key(&line.position);
                let (back, rest): (Vec<Line>, Vec<Line>) = lines
                    .iter()
                    .cloned()
                    .partition(|line| !matches!(line.bet, Bet::Envy { .. }) && out(line));
                assert!(back.iter().all(|line| line.stake == line.back), "{back:?}");
                if !self.void_later {
                    judge(setup, &play, &rest);
                }
                self.check_differences(&past.lines, lines, differences);
                self.tally.corrected += 1;
            }
            Event::Voided { .. } => {
                tally.rounds += 1;
                tally.voids += 1;
            }
            Event::NoBanker { .. } => {
                tally.rounds += 1;
                tally.no_bankers += 1;
            }
            Event::FeeTaken { .. } => tally.fees += 1,
            Event::BankTaken { .. } => tally.player_banks += 1,
            Event::BankOffered { position, .. } => {
                let declined = match self.table.phase() {
                    Phase::Offering { declined, .. } => declined.as_slice(),
                    _ => &[],
                };
                // With so much anyone is eligible, whatever the fees.
                let eligible = |other: &Person| {
                    let guest = self.table.people()[other];
                    !guest.barred && guest.stack >= Cents::dollars(200)
                };
                let mut others = self.table.seats().iter().filter(|it| it.0 != position);
                if others.all(|(at, other)| declined.contains(at) || !eligible(other)) {
                    self.model.banked = None;
                }
            }
            Event::Set { position, low, how, .. } => {
                let hand = &in_play(&self.table).hands[position];
                assert!(hand.low.is_none() && legal(hand.dealt, *low), "{event:?}");
                if *how != How::Laid {
                    let sheet = set_house_way(&setup.rulebook, hand.dealt).setting.low();
                    assert_eq!(*low, sheet, "{event:?}");
                }
                if *how == How::HouseWay {
                    check_told_last(&self.table, *position);
                }
                let left = in_play(&self.table).left_to_dealer.contains(position);
                let kept = !left || *how == How::HouseWay;
                assert!(kept, "B23: what is left to the dealer is set the House Way: {event:?}");
                tally.fouls += u64::from(*how == How::Fouled);
                tally.absent += u64::from(*how == How::Absent);
            }
            Event::LeftToDealer { position, .. } => {
                assert!(&*setup.rulebook.id == "catfish-bend", "B23: nobody waits elsewhere");
                let play = in_play(&self.table);
                let mut others = play.hands.iter().filter(|(at, _)| *at != position);
                let waiting = others.any(|(at, hand)| thinks(play, *at, hand));
                assert!(waiting, "there is nobody to wait for");
                tally.left += 1;
            }
            Event::Dead { position, low, .. } => {
                let hand = &in_play(&self.table).hands[position];
                assert!(hand.low.is_none() && !legal(hand.dealt, *low), "{event:?}");
                tally.dead += 1;
            }
            Event::BankerSet { low, .. } => {
                let play = in_play(&self.table);
                assert!(play.hands.values().all(|hand| hand.low.is_some()), "players set first");
                assert!(legal(play.banker.dealt, *low), "{event:?}");
                let freely = match &*setup.rulebook.id {
                    // 5.17 is there for a dealer's mistakes.
                    "mbs-2020" => true,
                    "catfish-bend" => play.bank != Bank::House,
                    _ => false,
                };
                if !freely {
                    let sheet = set_house_way(&setup.rulebook, play.banker.dealt).setting.low();
                    assert_eq!(*low, sheet, "the banker's hand is set the House Way");
                }
            }
            Event::HouseWayTold { position, .. } => check_told_last(&self.table, *position),
            Event::Viewed { position } => {
                let hands = &in_play(&self.table).hands;
                let holder = hands[position].holder;
                let seen = hands.values().filter(|hand| hand.viewed && hand.holder == holder);
                let one = seen.count() == 0 || &*setup.rulebook.id == "catfish-bend";
                assert!(one, "3.5.2: one hand only is looked at");
            }
            Event::HouseSet { low, .. } => {
                let house = in_play(&self.table).house.expect("the house has a hand");
                let sheet = set_house_way(&setup.rulebook, house.dealt).setting.low();
                assert_eq!(*low, sheet, "B15: the house's hand is set the House Way");
            }
            Event::Conceded { .. } => {
                assert!(&*setup.rulebook.id == "mbs-2020", "R9: nobody concedes elsewhere");
                tally.conceded += 1;
            }
            Event::HandOut { .. } => tally.out += 1,
            Event::Swapped { a, b, .. } => {
                let play = in_play(&self.table);
                for spot in [a, b] {
                    assert!(has_hand(setup, play, *spot), "{spot:?} has no hand to move");
                }
                tally.swapped += 1;
            }
            Event::Reset { spot, low, .. } => {
                let play = in_play(&self.table);
                match (&*setup.rulebook.id, spot) {
                    ("catfish-bend", spot) => {
                        let banker = play.bank.position().map(Spot::At);
                        assert_eq!(Some(*spot), banker, "B20: a player banker's hand only");
                    }
                    (_, Spot::At(position)) => {
                        let hand = &play.hands[position];
                        let how = hand.low.map(|(_, how)| how);
                        assert_ne!(how, Some(How::Laid), "5.17: the House Way did not set it");
                        assert!(legal(hand.dealt, *low));
                    }
                    (_, Spot::Dealer) => assert!(legal(play.banker.dealt, *low)),
                }
                tally.reset += 1;
            }
            Event::RoundEnded { rotation } => {
                let banker = self.table.past().and_then(|past| match past.play.bank {
                    Bank::House => None,
                    Bank::Player { person, .. } => Some(person),
                });
                let before = self.model.banked;
                self.model.banked = banker.map(|person| match before {
                    Some((last, rounds)) if last == person => (person, rounds + 1),
                    _ => (person, 1),
                });
                match &*setup.rulebook.id {
                    "commission-free" => {
                        let running = self.model.banked.map_or(0, |(_, rounds)| rounds);
                        assert!(running <= 2, "F2: at most two rounds before it is offered");
                    }
                    "cardroom" => {
                        let running = self.model.banked.map_or(0, |(_, rounds)| rounds);
                        assert!(running <= 1, "C14: offered every hand");
                    }
                    "catfish-bend" if before.is_some() => {
                        assert_eq!(banker, None, "B13: the dealer's for one round");
                        let on = Places::of(&setup.rulebook).has_seat(rotation.next);
                        assert!(on, "B13: and then the next player's");
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// 5.17.1: each gets what the right lines give beyond the wrong ones, or gives it back as far
    /// as they have it.
    fn check_differences(&self, wrong: &[Line], right: &[Line], told: &[(Person, i64)]) {
        let mut due: BTreeMap<Person, i64> = BTreeMap::new();
        for (lines, sign) in [(wrong, -1), (right, 1)] {
            for line in lines {
                let Owner::Person(person) = line.owner else { panic!("the house has no wager") };
                let [back, paid, commission] = [line.back, line.paid, line.commission].map(signed);
                *due.entry(person).or_default() += sign * (back + paid - commission);
            }
        }
        // A correction settles the same wagers again: none is lost, none comes twice.
        let staked = |lines: &[Line]| -> BTreeMap<(Position, Person), i64> {
            let mut staked = BTreeMap::new();
            for line in lines {
                let Owner::Person(person) = line.owner else { continue };
                *staked.entry((line.position, person)).or_default() += signed(line.stake);
            }
            staked.retain(|_, stake| *stake > 0);
            staked
        };
        assert_eq!(staked(wrong), staked(right), "the wagers of a corrected round");
        for (person, due) in due {
            let found = told.iter().find(|it| it.0 == person).map_or(0, |it| it.1);
            let stack = self.model.stacks.get(&person).copied().unwrap_or_default();
            assert_eq!(found, due.max(-stack), "the difference of {person}");
        }
    }

    /// What lies on the layout at "no more bets", and the fees for it.
    fn check_bets(&mut self, events: &[Event]) {
        let Phase::Betting(betting) = self.table.phase() else { panic!("bets are not open") };
        let setup = self.table.setup();
        for (&position, stakes) in &betting.stakes {
            for wager in [Wager::Standard, Wager::Fortune, Wager::TigerNine] {
                let total = stakes.total(wager);
                if total == Cents::ZERO {
                    continue;
                }
                let (range, limits) = setup.range(wager).expect("there is such a bet");
                assert!(total.get() % limits.step.get() == 0, "{position} {wager:?} {total}");
                assert!(total <= range.maximum, "{position} {wager:?} {total}");
                assert!(total >= range.minimum, "{position} {wager:?} {total}");
            }
            let banks = betting.bank.position() == Some(position);
            assert_eq!(stakes.standard.is_empty(), banks, "{position}: {stakes:?}");
        }
        let stakes: Vec<(Person, &Stakes)> = betting
            .stakes
            .iter()
            .map(|(position, stakes)| (self.table.seats()[position], stakes))
            .collect();
        let mut taken: BTreeMap<Person, u64> = BTreeMap::new();
        for event in events {
            if let Event::FeeTaken { person, amount, .. } = event {
                *taken.entry(*person).or_default() += amount.get();
            }
        }
        assert_eq!(taken, naive::fees(setup, betting.bank, &stakes), "the fees of {betting:?}");
    }

    fn check(&self) {
        self.model.check(&self.table);
        match self.table.phase() {
            Phase::Setting(play) | Phase::Revealed(play) => {
                check_cards(play);
                if self.is("catfish-bend") {
                    let standard = play.hands.values().map(|hand| &hand.stakes);
                    check_covered(play.bank, standard);
                }
            }
            Phase::Betting(betting) | Phase::Closed(betting, _) if self.is("catfish-bend") => {
                check_covered(betting.bank, betting.stakes.values());
            }
            _ => {}
        }
    }
}

/// Two tables in every part that is not how they were opened.
fn same(a: &Table, b: &Table) -> bool {
    (a.version(), a.round(), a.rotation()) == (b.version(), b.round(), b.rotation())
        && (a.people(), a.seats()) == (b.people(), b.seats())
        && (a.phase(), a.past()) == (b.phase(), b.past())
}

fn in_play(table: &Table) -> &InPlay {
    match table.phase() {
        Phase::Setting(play) | Phase::Revealed(play) => play,
        other => panic!("no hands are in play: {other:?}"),
    }
}

/// Whether a hand is neither set nor left to the dealer.
fn thinks(play: &InPlay, position: Position, hand: &InHand) -> bool {
    hand.low.is_none() && !play.left_to_dealer.contains(&position)
}

/// B23: the House Way is told only after all other players have set, or left it to the dealer.
fn check_told_last(table: &Table, position: Position) {
    if &*table.setup().rulebook.id == "catfish-bend" {
        let play = in_play(table);
        let holder = play.hands[&position].holder;
        let mut others = play.hands.iter().filter(|(_, hand)| hand.holder != holder);
        let waiting = others.any(|(at, hand)| thinks(play, *at, hand));
        assert!(!waiting, "B23: told too early");
    }
}

/// Whether cards lie at a spot.
fn has_hand(setup: &Setup, play: &InPlay, spot: Spot) -> bool {
    let dealer = Places::of(&setup.rulebook).dealer();
    match spot {
        // A dealer with a spot of its own in the round is that spot, whoever banks.
        Spot::Dealer => dealer.is_none() || play.bank == Bank::House,
        Spot::At(position) if Some(position) == dealer => true,
        Spot::At(position) => {
            play.hands.contains_key(&position)
                || play.bank.position() == Some(position)
                || play.discarded.iter().any(|(at, _)| *at == spot)
        }
    }
}

/// Every card is in one place, and none is missing.
fn check_cards(play: &InPlay) {
    let mut all = CardSet::EMPTY;
    let mut count = 0;
    let mut lay = |cards: CardSet| {
        all = all.union(cards);
        count += cards.len();
    };
    lay(play.banker.dealt.cards());
    lay(play.left_over);
    play.house.iter().for_each(|house| lay(house.dealt.cards()));
    play.hands.values().for_each(|hand| lay(hand.dealt.cards()));
    play.discarded.iter().for_each(|(_, cards)| lay(*cards));
    assert_eq!((count, all.len()), (53, 53), "a card is in two places, or in none: {play:?}");
}

/// B14: a player banker covers every standard wager and the house's.
fn check_covered<'a>(bank: Bank, stakes: impl Iterator<Item = &'a Stakes>) {
    if let Bank::Player { put_up, house_wager, .. } = bank {
        let standard: u64 = stakes.map(|stakes| stakes.total(Wager::Standard).get()).sum();
        assert!(standard + house_wager.get() <= put_up.get(), "B14: not covered");
    }
}

/// What a round comes to by the slow judge.
fn by_the_digest(setup: &Setup, play: &InPlay) -> Vec<Judged> {
    let ranking = setup.rulebook.ranking();
    let set = |dealt: Dealt, low: CardSet| {
        let setting = dealt.set(low, ranking).expect("a legal setting");
        SetHand { dealt, strengths: setting.strengths(ranking) }
    };
    let banker = set(play.banker.dealt, play.banker.low.expect("the banker's hand is set"));
    let house = play.house.map(|it| set(it.dealt, it.low.expect("the house's hand is set")));
    let hands: Vec<PlayerHand> = play
        .hands
        .iter()
        .map(|(&position, hand)| PlayerHand {
            position,
            holder: hand.holder,
            hand: match (&hand.standing, hand.low) {
                // A dead hand is foul, and nobody looks at it.
                (Standing::Dead(_), _) => SetHand { dealt: hand.dealt, ..banker },
                (_, low) => set(hand.dealt, low.expect("every hand is set").0),
            },
            stakes: hand.stakes.clone(),
            standing: hand.standing.clone(),
        })
        .collect();
    naive::settle(&Round {
        setup,
        bank: play.bank,
        action: play.action,
        banker,
        banker_fortune: play.banker_fortune,
        house,
        hands: &hands,
        seated: &play.seated,
    })
}

/// A statement against the slow judge's, and against what was put up.
fn judge(setup: &Setup, play: &InPlay, lines: &[Line]) {
    let told: Vec<Judged> = lines.iter().map(judged).filter(Judged::moves_money).collect();
    let wanted = by_the_digest(setup, play);
    assert!(
        told == wanted,
        "the table settles\n{}\nby the digest it is\n{}\nof {play:?}",
        listed(&told),
        listed(&wanted)
    );
    // R15: what a banking player wins and pays together is no more than was put up.
    if let (Bank::Player { put_up, .. }, "cardroom" | "commission-free") =
        (play.bank, &*setup.rulebook.id)
    {
        let used: u64 = lines.iter().map(|line| line.taken.get() + line.paid.get()).sum();
        assert!(used <= put_up.get(), "{used} cents of {put_up} used");
        assert!(lines.iter().all(|line| line.payer == Payer::Banker), "the house plays no part");
    }
}

fn judged(line: &Line) -> Judged {
    Judged {
        position: line.position,
        owner: line.owner,
        bet: line.bet,
        taken: line.taken.get(),
        paid: line.paid.get(),
        back: line.back.get(),
        commission: line.commission.get(),
    }
}

fn listed(lines: &[Judged]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("  {line:?}")).collect();
    lines.join("\n")
}

impl Tally {
    fn count(&mut self, setup: &Setup, play: &InPlay, lines: &[Line]) {
        self.lines += lines.len() as u64;
        let (mut fortune_paid, mut won) = (0, 0);
        for line in lines {
            match line.ending {
                Ending::Win => self.wins += 1,
                Ending::Push => self.pushes += 1,
                Ending::Lose => self.losses += 1,
                Ending::Returned => self.returned += 1,
            }
            let paid = line.paid.get();
            match line.bet {
                Bet::Envy { .. } => self.envies += u64::from(paid > 0),
                Bet::TigerNine => self.tigers += u64::from(paid > 0),
                Bet::HouseWager => self.house_wagers += 1,
                Bet::BankerCommission => {
                    self.banker_commissions += u64::from(line.commission > Cents::ZERO);
                }
                Bet::Fortune => {
                    fortune_paid += paid;
                    won += u64::from(paid > 0);
                }
                Bet::Standard => self.commissions += u64::from(line.commission > Cents::ZERO),
            }
            let short = line.ending == Ending::Lose && line.back > Cents::ZERO;
            let cut =
                line.bet == Bet::Standard && line.ending == Ending::Win && paid < line.stake.get();
            self.partly_covered += u64::from(short || cut);
        }
        let capped = &*setup.rulebook.id == "catfish-bend" && fortune_paid == 2_500_000;
        self.prorated += u64::from(capped && won > 1);
        let low = play.banker.low.map(|low| setup.rulebook.ranking().two(low).ranks());
        let nine = low.is_some_and(|(high, low)| high == Rank::Nine && low != Rank::Nine);
        self.nine_highs += u64::from(nine);
        self.shared +=
            play.hands.values().filter(|hand| hand.stakes.standard.len() > 1).count() as u64;
    }
}

// What people do ----------------------------------------------------------------------------------

fn posted(dice: &mut Dice, rulebook: &Rulebook) -> Posted {
    let mut posted = Posted::usual(rulebook);
    let range = |minimum: u32, maximum: u32| Range {
        minimum: Cents::dollars(minimum),
        maximum: Cents::dollars(maximum),
    };
    let dealing = dice.below(rulebook.dealing.len() as u64) as usize;
    posted.device = rulebook.dealing[dealing].device;
    match &*rulebook.id {
        "catfish-bend" => posted.standard = range(dice.of(&[5, 10, 25]), dice.of(&[50, 200, 1000])),
        "commission-free" => {
            let mut any =
                || range(dice.of(&[1, 1, 5, 25, 100]), dice.of(&[100, 300, 1000, 10_000]));
            posted.standard = any();
            posted.fortune = any();
            posted.tiger_nine = Some(any());
            posted.schedule = Some(dice.between(1, 28) as u8);
        }
        _ => {
            posted.standard = range(dice.of(&[1, 5, 10, 25]), dice.of(&[50, 200, 1000]));
            posted.fortune = range(dice.of(&[1, 1, 5]), dice.of(&[5, 25, 100]));
        }
    }
    if &*rulebook.id == "cardroom" {
        posted.rake = Cents::dollars(dice.of(&[0, 1, 3, 10]));
        if dice.one_in(2) {
            posted.bonus_cap = Some(Cents::new(dice.of(&[0, 100, 1_234, 10_000, 250_000])));
        }
    }
    if dice.one_in(5) {
        let mut some = || if dice.one_in(3) { None } else { Some(dice.between(100, 2_000)) };
        posted.time = Time { banking: some(), betting: some(), setting: some(), conceding: some() };
    }
    posted
}

impl Night {
    /// One step that helps the round on. Nothing if nobody can.
    fn go_on(&mut self) -> bool {
        match self.table.phase() {
            Phase::Idle => return self.between_rounds(),
            Phase::Offering { to, until, .. } => {
                let (to, until) = (*to, *until);
                self.answer_offer(to, until);
            }
            Phase::Betting(_) => self.bet(),
            Phase::Closed(betting, _) => {
                let wagered = betting.stakes.len();
                self.deal(wagered);
            }
            Phase::Setting(_) => self.set(),
            Phase::Revealed(play) => {
                let hands: Vec<(Position, Person)> =
                    play.hands.iter().map(|(&at, hand)| (at, hand.holder)).collect();
                let until = play.until;
                if self.dice.one_in(5)
                    && let Some((position, holder)) = self.dice.maybe(&hands)
                {
                    let _ = self.ask(player(holder), Action::Concede { position });
                } else if self.dice.one_in(12) && self.call_about_hands() {
                } else if self.is_over(until) && self.dice.one_in(2) {
                    self.must(Actor::DEALER, Action::TimeUp);
                } else {
                    self.must(Actor::DEALER, Action::Settle);
                }
            }
        }
        true
    }

    /// Asks for what cannot be refused.
    fn must(&mut self, by: Actor, action: Action) {
        if let Err(why) = self.ask(by, action) {
            panic!("{:?} is refused: {why:?}", self.last);
        }
    }

    fn is_over(&self, until: Option<u64>) -> bool {
        until.is_some_and(|until| self.now > until)
    }

    fn stack(&self, person: Person) -> u64 {
        self.table.people().get(&person).map_or(0, |guest| guest.stack.get() / 100)
    }

    fn bring(&mut self, person: Person) {
        let amount = Cents::dollars(self.dice.of(&[20, 100, 400, 2_000, 20_000, 100_000]));
        self.must(player(person), Action::BringMoney { amount });
    }

    fn between_rounds(&mut self) -> bool {
        let seated = self.table.seats().len();
        if seated < 2 || seated < 6 && self.dice.one_in(6) {
            // Whoever may sit down, somewhere; a table of people who are barred is given up.
            let places = Places::of(&self.table.setup().rulebook);
            for _ in 0..60 {
                let person = self.dice.person();
                let position = Position(self.dice.between(1, u64::from(places.seats)) as u8);
                if self.ask(player(person), Action::Sit { position }).is_ok() {
                    self.bring(person);
                    return true;
                }
            }
            return false;
        }
        let seats: Vec<(Position, Person)> =
            self.table.seats().iter().map(|(&at, &person)| (at, person)).collect();
        let (position, person) = self.dice.of(&seats);
        match self.dice.below(32) {
            0 => {
                let _ = self.ask(player(person), Action::Leave { position });
            }
            1 => {
                let amount = Cents::dollars(self.dice.between(1, 50) as u32);
                let _ = self.ask(player(person), Action::TakeMoney { amount });
            }
            2..=5 if self.is("mbs-2020") => {
                let spot = if self.dice.one_in(2) { Spot::Dealer } else { Spot::At(position) };
                let what = self.dice.of(&[
                    Incident::WrongHouseWayLater,
                    Incident::WrongHouseWayLater,
                    Incident::WrongHouseWayLater,
                    Incident::PlayerHandSize,
                    Incident::BankerHandSize,
                ]);
                // The dealer's hand is the only one that 5.3 is about.
                let spot = (what != Incident::BankerHandSize).then_some(spot);
                let call = Call { what, spot, repair: None };
                let _ = self.ask(Actor::DEALER, Action::Call(call));
            }
            _ => {
                if self.stack(person) < 30 {
                    self.bring(person);
                }
                self.must(Actor::DEALER, Action::OpenRound);
            }
        }
        true
    }

    fn answer_offer(&mut self, to: Position, until: Option<u64>) {
        if self.is_over(until) {
            return self.must(Actor::DEALER, Action::TimeUp);
        }
        let person = self.table.seats()[&to];
        if self.dice.one_in(5) {
            return self.must(player(person), Action::DeclineBank);
        }
        // Often less than the wagers that follow will need.
        let most = self.dice.of(&[20, 200, 2_000, 20_000, 200_000]).min(self.stack(person));
        let put_up = Cents::dollars(self.dice.between(1, most.max(1)) as u32);
        let bank = Action::TakeBank { put_up, house_wager: Cents::ZERO };
        if self.ask(player(person), bank).is_err() {
            self.must(player(person), Action::DeclineBank);
        }
    }

    fn bet(&mut self) {
        let Phase::Betting(Betting { bank, stakes, until, .. }) = self.table.phase() else {
            return;
        };
        let (bank, until) = (*bank, *until);
        let wagers = stakes.values().any(|stakes| !stakes.standard.is_empty());
        if self.is_over(until) {
            return self.must(Actor::DEALER, Action::TimeUp);
        }
        let seats: Vec<(Position, Person)> =
            self.table.seats().iter().map(|(&at, &person)| (at, person)).collect();
        if self.is("catfish-bend") && self.dice.one_in(4) {
            let next = self.table.rotation().next;
            if let Some(&person) = self.table.seats().get(&next) {
                let put_up = self.dice.of(&[50, 200, 1_000, 5_000]).min(self.stack(person));
                let most = self.table.last_wager(next, person).get() / 100;
                let house_wager = self.dice.dollars(most + most / 4);
                let put_up = Cents::dollars(put_up as u32);
                let _ = self.ask(player(person), Action::TakeBank { put_up, house_wager });
                return;
            }
        }
        let others: Vec<(Position, Person)> =
            seats.iter().copied().filter(|it| bank.position() != Some(it.0)).collect();
        if wagers && self.dice.one_in(if others.len() > 3 { 9 } else { 5 }) {
            return self.must(Actor::DEALER, Action::CloseBets);
        }
        let Some((mut position, holder)) = self.dice.maybe(&others) else {
            // Nobody sits there but the banker.
            let person = self.dice.person();
            let position = Position(self.dice.between(1, 7) as u8);
            if self.ask(player(person), Action::Sit { position }).is_ok() {
                self.bring(person);
            }
            return;
        };
        let mut person = holder;
        let mut wager = match self.has_standard(position) {
            true => self.dice.of(&[Wager::Fortune, Wager::Fortune, Wager::TigerNine]),
            false => Wager::Standard,
        };
        if let (Some(own), true, true) =
            (bank.position(), self.is("catfish-bend"), self.dice.one_in(6))
        {
            (position, wager) = (own, Wager::Fortune);
            person = self.table.seats()[&own];
        }
        let mut by = player(person);
        if self.is("mbs-2020") && self.dice.one_in(4) {
            person = self.dice.person();
            wager = self.dice.of(&[Wager::Standard, Wager::Fortune]);
            by = if self.dice.one_in(2) { player(person) } else { Actor::DEALER };
        }
        if self.dice.one_in(25) {
            let wager = self.dice.wager();
            let _ = self.ask(by, Action::Withdraw { position, wager });
            return;
        }
        if self.dice.one_in(60) {
            // Everything that is not on the layout.
            let guest = self.table.people().get(&person).copied().unwrap_or_default();
            let _ = self.ask(player(person), Action::TakeMoney { amount: guest.stack });
            return;
        }
        let Some((range, limits)) = self.table.setup().range(wager) else { return };
        let step = limits.step.get() / 100;
        let [least, most] = [range.minimum, range.maximum].map(|it| it.get() / 100);
        if self.stack(person) < least && self.dice.one_in(2) {
            self.bring(person);
        }
        let most = match self.dice.below(4) {
            0 => most,
            1 => self.stack(person).min(most),
            _ => (least * 4).min(most),
        };
        let mut amount = self.dice.between(least, most.max(least)) / step * step;
        // A share may be less than the whole must be.
        if person != holder && self.dice.one_in(2) {
            amount = self.dice.between(1, least);
        }
        let amount = Cents::dollars(amount as u32);
        let action = Action::Place { position, wager, amount, person: Some(person) };
        let _ = self.ask(by, action);
    }

    fn has_standard(&self, position: Position) -> bool {
        match self.table.phase() {
            Phase::Betting(betting) => {
                betting.stakes.get(&position).is_some_and(|stakes| !stakes.standard.is_empty())
            }
            _ => false,
        }
    }

    fn deal(&mut self, wagered: usize) {
        let setup = self.table.setup();
        let pattern = setup.dealing().pattern;
        let house_alone = matches!(&*setup.rulebook.id, "mbs-2016" | "mbs-2020");
        let piles = if house_alone { wagered + 1 } else { 7 };
        let deck = deck(&mut self.dice, pattern, piles);
        let highest = if self.is("catfish-bend") { 7 } else { 21 };
        let number = self.dice.between(1, highest) as u8;
        self.must(Actor::DEALER, Action::Deal { deck, number });
    }

    fn set(&mut self) {
        let Phase::Setting(play) = self.table.phase() else { return };
        let waiting: Vec<(Position, Person, Dealt)> = play
            .hands
            .iter()
            .filter(|(_, hand)| hand.low.is_none())
            .map(|(&at, hand)| (at, hand.holder, hand.dealt))
            .collect();
        let (bank, banker, until) = (play.bank, play.banker.dealt, play.until);
        if self.is_over(until) {
            return self.must(Actor::DEALER, Action::TimeUp);
        }
        if self.dice.one_in(12) && self.call_about_hands() {
            return;
        }
        let Some((position, holder, dealt)) = self.dice.maybe(&waiting) else {
            return self.set_banker(bank, banker);
        };
        let action = match self.dice.below(12) {
            0 => Action::View { position },
            1 => Action::AskHouseWay { position },
            2 | 3 => Action::SetHouseWay { position },
            4 | 5 => Action::Set { position, low: self.dice.two_of(dealt) },
            _ => Action::Set { position, low: self.legal_low(dealt) },
        };
        let _ = self.ask(player(holder), action);
    }

    /// Two cards that may go Low: any, or as the House Way has it.
    fn legal_low(&mut self, dealt: Dealt) -> CardSet {
        let rulebook = &*self.table.setup().rulebook;
        for _ in 0..4 {
            let low = self.dice.two_of(dealt);
            if dealt.set(low, rulebook.ranking()).is_ok() {
                return low;
            }
        }
        set_house_way(rulebook, dealt).setting.low()
    }

    fn set_banker(&mut self, bank: Bank, dealt: Dealt) {
        let low = match self.dice.below(4) {
            0 => self.dice.two_of(dealt),
            _ => self.legal_low(dealt),
        };
        match bank {
            Bank::Player { person, .. } if self.is("catfish-bend") => {
                self.must(player(person), Action::SetBanker { low });
            }
            // A dealer makes mistakes.
            _ if self.dice.one_in(6) => {
                let _ = self.ask(Actor::DEALER, Action::Reveal { low: Some(low) });
            }
            _ => self.must(Actor::DEALER, Action::Reveal { low: None }),
        }
    }

    /// An irregularity of the rulebook, by someone who may call it or may not.
    fn call_something(&mut self) {
        let irregularities = &self.table.setup().rulebook.irregularities;
        let what = match irregularities.len() as u64 {
            0 => self.dice.of(Incident::ALL),
            count => irregularities[self.dice.below(count) as usize].what,
        };
        let repair = match self.dice.below(6) {
            0 | 1 => Some(Repair::Reconstruct),
            2 => Some(Repair::Swap(self.dice.spot(), self.dice.spot())),
            3 => Some(Repair::Lay(self.dice.cards(2))),
            _ => None,
        };
        let spot = if self.dice.one_in(2) { None } else { Some(self.dice.spot()) };
        let by = match self.dice.below(3) {
            0 => self.anyone(),
            _ => Actor { person: Person(900), role: self.dice.role() },
        };
        let _ = self.ask(by, Action::Call(Call { what, spot, repair }));
    }

    /// An irregularity about hands that are there, by someone who may call it: most are granted.
    fn call_about_hands(&mut self) -> bool {
        let play = in_play(&self.table);
        let mut spots: Vec<Spot> = play.hands.keys().copied().map(Spot::At).collect();
        spots.extend(play.bank.position().map(Spot::At));
        spots.push(play.dealer.map_or(Spot::Dealer, Spot::At));
        let banker = play.banker.dealt;
        let holders: Vec<Person> = play.hands.values().map(|hand| hand.holder).collect();
        let (a, b) = (self.dice.of(&spots), self.dice.of(&spots));
        let what = match &*self.table.setup().rulebook.id {
            "mbs-2016" => Incident::WronglyDealt,
            "mbs-2020" => self.dice.of(&[
                Incident::WronglyDealt,
                Incident::WronglyDealt,
                Incident::WrongHouseWay,
                Incident::WrongHouseWay,
                Incident::PlayerHandSize,
                Incident::NoCards,
                Incident::SecondViewed,
                Incident::PowerFailureOpen,
                Incident::Dissatisfied,
            ]),
            "catfish-bend" => self.dice.of(&[Incident::FirstHandAstray, Incident::BankerMisset]),
            _ => return false,
        };
        let (spot, repair) = match what {
            Incident::WronglyDealt | Incident::FirstHandAstray => (None, Some(Repair::Swap(a, b))),
            Incident::PowerFailureOpen | Incident::Dissatisfied => (None, None),
            Incident::BankerMisset if self.dice.one_in(2) => {
                (Some(a), Some(Repair::Lay(self.dice.two_of(banker))))
            }
            _ => (Some(a), None),
        };
        let call = Call { what, spot, repair };
        let by = match what {
            Incident::Dissatisfied => player(self.dice.maybe(&holders).unwrap_or(Person(1))),
            _ => Actor { person: Person(900), role: Role::PitSupervisor },
        };
        let _ = self.ask(by, Action::Call(call));
        if what == Incident::PowerFailureOpen
            && let Some(holder) = self.dice.maybe(&holders)
        {
            let _ = self.ask(player(holder), Action::WithdrawAll);
        }
        true
    }

    fn anyone(&mut self) -> Actor {
        match self.dice.below(3) {
            0 => Actor { person: Person(900), role: self.dice.role() },
            _ => player(self.dice.person()),
        }
    }

    /// Any command, by anyone, about anything: most are refused.
    fn ask_anything(&mut self) {
        let dice = &mut self.dice;
        let position = dice.position();
        let action = match dice.below(26) {
            0 => Action::BringMoney { amount: dice.amount() },
            1 => Action::TakeMoney { amount: dice.amount() },
            2 => Action::Sit { position },
            3 => Action::Leave { position },
            4 => Action::OpenRound,
            5 => Action::TakeBank { put_up: dice.amount(), house_wager: dice.dollars(20) },
            6 => Action::DeclineBank,
            7..=9 => {
                let person = if dice.one_in(3) { Some(dice.person()) } else { None };
                Action::Place { position, wager: dice.wager(), amount: dice.amount(), person }
            }
            10 => Action::Withdraw { position, wager: dice.wager() },
            11 => Action::CloseBets,
            12 => {
                let number = dice.below(30) as u8;
                Action::Deal { deck: deck(dice, Pattern::SevenAtOnce, 7), number }
            }
            13 => Action::View { position },
            14 => Action::Set { position, low: dice.cards(2) },
            15 => Action::SetHouseWay { position },
            16 => Action::AskHouseWay { position },
            17 => {
                let low = if dice.one_in(2) { Some(dice.cards(2)) } else { None };
                Action::Reveal { low }
            }
            18 => Action::SetBanker { low: dice.cards(2) },
            19 => Action::Concede { position },
            20 => Action::Settle,
            21 => Action::TimeUp,
            22 => Action::WithdrawAll,
            23 => Action::Restrict { person: dice.person(), reason: "a test".into() },
            24 if dice.one_in(4) => {
                let ruling = dice.of(&[Ruling::PlayOn, Ruling::Void, Ruling::HandOut(position)]);
                let reason = if dice.one_in(5) { " " } else { "a glass of water" };
                Action::Rule { ruling, reason: reason.to_string() }
            }
            _ => {
                // Someone's own hand, at the wrong time or in the wrong way.
                return self.ask_about_own_hand();
            }
        };
        let by = self.anyone();
        let _ = self.ask(by, action);
    }

    fn ask_about_own_hand(&mut self) {
        let (Phase::Setting(play) | Phase::Revealed(play)) = self.table.phase() else { return };
        let hands: Vec<(Position, Person, Dealt)> =
            play.hands.iter().map(|(&at, hand)| (at, hand.holder, hand.dealt)).collect();
        let Some((position, holder, dealt)) = self.dice.maybe(&hands) else { return };
        let action = match self.dice.below(6) {
            0 => Action::Withdraw { position, wager: self.dice.wager() },
            1 => Action::Place {
                position,
                wager: self.dice.wager(),
                amount: self.dice.dollars(100),
                person: None,
            },
            2 => Action::Leave { position },
            3 => Action::Concede { position },
            4 => Action::Set { position, low: self.dice.cards(3) },
            _ => Action::Set { position, low: self.dice.two_of(dealt) },
        };
        let _ = self.ask(player(holder), action);
    }
}

fn player(person: Person) -> Actor {
    Actor { person, role: Role::Player }
}

/// The generator lays the rare hands that it means to lay.
#[test]
fn rare_hands_are_dealt() {
    let mut dice = Dice::new(1);
    let mut seen = [0; 12];
    for _ in 0..3_000 {
        let cards = *deck(&mut dice, Pattern::SevenAtOnce, 7).cards();
        for pile in cards.chunks_exact(7) {
            let set = pile.iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
            let dealt = Dealt::new(set).expect("seven cards");
            seen[BonusHand::of(dealt).map_or(0, |hand| hand as usize)] += 1;
        }
    }
    assert!(seen.iter().all(|&times| times > 20), "{seen:?}");
}
