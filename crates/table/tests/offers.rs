//! What is offered is exactly what is accepted: at every step of random play, for people of every
//! role, each command that an offer allows is granted, and each that is granted is allowed by one.

mod common;

use std::collections::BTreeSet;

use common::{Chance, DEALER, Night, dollars, plain_deck, staff};
use houseway_rules::houses::{CARDROOM, CATFISH_BEND, COMMISSION_FREE, MBS_2016, MBS_2020};
use houseway_rules::rulebook::{Incident, Remedy, Role, Rulebook, Wager};
use houseway_rules::{Card, CardSet, Cents, Dealt, set_house_way};
use houseway_table::deal::{Deck, Spot};
use houseway_table::{
    Action, Actor, Call, Command, Event, MOST, Offer, Person, Phase, Position, Posted, Repair,
    Ruling, Table, Time, decide, options,
};

const WAGERS: [Wager; 3] = [Wager::Standard, Wager::Fortune, Wager::TigerNine];
const CENT: Cents = Cents::new(1);

/// Every way to take two of seven cards.
fn pairs(dealt: Dealt) -> Vec<CardSet> {
    let cards: Vec<Card> = dealt.cards().iter().collect();
    let two = |a: usize| (0..a).map(move |b| (a, b));
    (0..7).flat_map(two).map(|(a, b)| CardSet::of(cards[a]).with(cards[b])).collect()
}

/// Both ends of a range and its middle, in steps.
fn ends(least: Cents, most: Cents, step: Cents) -> [Cents; 3] {
    let (least, most, step) = (least.get(), most.get(), step.get());
    let middle = least + (most - least) / 2 / step * step;
    [least, middle, most].map(Cents::new)
}

/// The commands that an offer allows: all of them, but of amounts and numbers the ends and the
/// middle.
fn allowed(table: &Table, offer: &Offer) -> Vec<Action> {
    let dollar = dollars(1);
    match offer.clone() {
        Offer::BringMoney { most } => {
            ends(dollar, most, dollar).map(|amount| Action::BringMoney { amount }).to_vec()
        }
        Offer::TakeMoney { most } => {
            ends(CENT, most, CENT).map(|amount| Action::TakeMoney { amount }).to_vec()
        }
        Offer::Sit { position } => vec![Action::Sit { position }],
        Offer::Leave { position } => vec![Action::Leave { position }],
        Offer::OpenRound => vec![Action::OpenRound],
        Offer::TakeBank { least, most, covers, house_wager, step } => {
            let wagers = ends(Cents::ZERO, house_wager, step);
            let with = |house_wager: Cents| {
                let needed = covers.plus(house_wager).expect("countable").max(least);
                ends(needed, most, dollar).map(|put_up| Action::TakeBank { put_up, house_wager })
            };
            wagers.into_iter().flat_map(with).collect()
        }
        Offer::DeclineBank => vec![Action::DeclineBank],
        Offer::Place { position, wager, person, least, most, step } => ends(least, most, step)
            .map(|amount| Action::Place { position, wager, amount, person })
            .to_vec(),
        Offer::Withdraw { position, wager } => vec![Action::Withdraw { position, wager }],
        Offer::CloseBets => vec![Action::CloseBets],
        Offer::Deal { highest } => {
            let numbers = highest.map_or([0, 1, 255], |highest| [1, highest / 2, highest]);
            numbers.map(|number| Action::Deal { deck: plain_deck(), number }).to_vec()
        }
        Offer::View { position } => vec![Action::View { position }],
        Offer::Set { position, lows, fouls, .. } => {
            let named: Vec<CardSet> = lows.into_iter().chain(fouls).collect();
            let hand = &in_play_of(table).hands[&position];
            assert_eq!(named.is_empty(), !hand.viewed, "cards are named once they were seen");
            let all = if named.is_empty() { pairs(hand.dealt) } else { named };
            all.into_iter().map(|low| Action::Set { position, low }).collect()
        }
        Offer::SetHouseWay { position } => vec![Action::SetHouseWay { position }],
        Offer::AskHouseWay { position } => vec![Action::AskHouseWay { position }],
        Offer::Reveal { by_hand } => {
            let laid = pairs(in_play_of(table).banker.dealt);
            let laid = laid.into_iter().filter(|low| may_be_laid(table, by_hand, *low));
            [None].into_iter().chain(laid.map(Some)).map(|low| Action::Reveal { low }).collect()
        }
        Offer::SetBanker { lows, fouls } => {
            lows.into_iter().chain(fouls).map(|low| Action::SetBanker { low }).collect()
        }
        Offer::Concede { position } => vec![Action::Concede { position }],
        Offer::Settle => vec![Action::Settle],
        Offer::TimeUp => vec![Action::TimeUp],
        Offer::Resume => vec![Action::Resume],
        Offer::Call { what, spots, unrepaired, repairs } => {
            let spots: Vec<Option<Spot>> = match spots.is_empty() {
                true => vec![None],
                false => spots.into_iter().map(Some).collect(),
            };
            let repairs: Vec<Option<Repair>> = unrepaired
                .then_some(None)
                .into_iter()
                .chain(repairs.into_iter().map(Some))
                .collect();
            let call = |spot: Option<Spot>| {
                let with = repairs.iter().cloned();
                with.map(move |repair| Action::Call(Call { what, spot, repair }))
            };
            spots.into_iter().flat_map(call).collect()
        }
        Offer::WithdrawAll => vec![Action::WithdrawAll],
        Offer::Restrict { persons } => persons
            .into_iter()
            .map(|person| Action::Restrict { person, reason: "a test".into() })
            .collect(),
        Offer::Rule { rulings } => {
            let rule = |ruling| Action::Rule { ruling, reason: "a glass of water".into() };
            rulings.into_iter().map(rule).collect()
        }
    }
}

fn in_play_of(table: &Table) -> &houseway_table::InPlay {
    match table.phase() {
        Phase::Setting(play) | Phase::Revealed(play) => play,
        phase => panic!("no cards are out: {phase:?}"),
    }
}

/// Whether two cards of the banker's may be laid Low: by the dealer's hand, or as the sheet says.
fn may_be_laid(table: &Table, by_hand: bool, low: CardSet) -> bool {
    let (rules, dealt) = (&*table.setup().rulebook, in_play_of(table).banker.dealt);
    match by_hand {
        true => dealt.set(low, rules.ranking()).is_ok(),
        false => set_house_way(rules, dealt).setting.low() == low,
    }
}

/// Whether an offer allows a command.
fn allows(table: &Table, offer: &Offer, by: Actor, action: &Action) -> bool {
    let inside = |amount: &Cents, least: Cents, most: Cents, step: Cents| {
        (least..=most).contains(amount) && amount.get().is_multiple_of(step.get())
    };
    let dollar = dollars(1);
    match (offer, action) {
        (Offer::BringMoney { most }, Action::BringMoney { amount }) => {
            inside(amount, dollar, *most, dollar)
        }
        (Offer::TakeMoney { most }, Action::TakeMoney { amount }) => {
            inside(amount, CENT, *most, CENT)
        }
        (
            Offer::TakeBank { least, most, covers, house_wager, step },
            Action::TakeBank { put_up, house_wager: asked },
        ) => {
            let needed = covers.plus(*asked).expect("countable");
            inside(asked, Cents::ZERO, *house_wager, *step)
                && inside(put_up, needed.max(*least), *most, dollar)
        }
        (
            Offer::Place { position, wager, person, least, most, step },
            Action::Place { position: at, wager: on, amount, person: whose },
        ) => {
            (position, wager) == (at, on)
                && person.unwrap_or(by.person) == whose.unwrap_or(by.person)
                && inside(amount, *least, *most, *step)
        }
        (Offer::Deal { highest }, Action::Deal { number, .. }) => {
            highest.is_none_or(|highest| (1..=highest).contains(number))
        }
        (Offer::Set { position, lows, fouls, .. }, Action::Set { position: at, low }) => {
            let unseen = || {
                let cards = in_play_of(table).hands[position].dealt.cards();
                lows.is_empty() && low.len() == 2 && low.without(cards).is_empty()
            };
            position == at && (lows.contains(low) || fouls.contains(low) || unseen())
        }
        (Offer::SetBanker { lows, fouls }, Action::SetBanker { low }) => {
            lows.contains(low) || fouls.contains(low)
        }
        (Offer::Reveal { by_hand }, Action::Reveal { low }) => {
            low.is_none_or(|low| may_be_laid(table, *by_hand, low))
        }
        (
            Offer::Call { what, spots, unrepaired, repairs },
            Action::Call(Call { what: called, spot, repair }),
        ) => {
            let about = match spot {
                Some(spot) => spots.contains(spot),
                None => spots.is_empty(),
            };
            let mended = match repair {
                None => *unrepaired,
                Some(Repair::Swap(a, b)) => [(a, b), (b, a)]
                    .into_iter()
                    .any(|(a, b)| repairs.contains(&Repair::Swap(*a, *b))),
                Some(repair) => repairs.contains(repair),
            };
            what == called && about && mended
        }
        (Offer::Restrict { persons }, Action::Restrict { person, .. }) => persons.contains(person),
        (Offer::Rule { rulings }, Action::Rule { ruling, reason }) => {
            rulings.contains(ruling) && !reason.trim().is_empty()
        }
        _ => allowed_alone(offer).as_ref() == Some(action),
    }
}

/// The one command that an offer allows which leaves nothing to fill in.
fn allowed_alone(offer: &Offer) -> Option<Action> {
    Some(match *offer {
        Offer::Sit { position } => Action::Sit { position },
        Offer::Leave { position } => Action::Leave { position },
        Offer::OpenRound => Action::OpenRound,
        Offer::DeclineBank => Action::DeclineBank,
        Offer::Withdraw { position, wager } => Action::Withdraw { position, wager },
        Offer::CloseBets => Action::CloseBets,
        Offer::View { position } => Action::View { position },
        Offer::SetHouseWay { position } => Action::SetHouseWay { position },
        Offer::AskHouseWay { position } => Action::AskHouseWay { position },
        Offer::Concede { position } => Action::Concede { position },
        Offer::Settle => Action::Settle,
        Offer::TimeUp => Action::TimeUp,
        Offer::Resume => Action::Resume,
        Offer::WithdrawAll => Action::WithdrawAll,
        _ => return None,
    })
}

/// Every command worth trying at a table: each action, about every position, bet, person, incident
/// and spot, with amounts around every limit.
fn universe(table: &Table, by: Actor) -> Vec<Action> {
    let positions: Vec<Position> = (0..=8).map(Position).collect();
    let stack = table.people().get(&by.person).map_or(Cents::ZERO, |guest| guest.stack);
    let mut all = vec![
        Action::OpenRound,
        Action::DeclineBank,
        Action::CloseBets,
        Action::Reveal { low: None },
        Action::Settle,
        Action::TimeUp,
        Action::Resume,
        Action::WithdrawAll,
    ];
    let room = MOST.minus(stack).expect("nobody has more");
    for amount in around(&[Cents::ZERO, dollars(1), dollars(7), room]) {
        all.push(Action::BringMoney { amount });
    }
    for amount in around(&[Cents::ZERO, dollars(1), stack]) {
        all.push(Action::TakeMoney { amount });
    }
    for &position in &positions {
        all.extend([
            Action::Sit { position },
            Action::Leave { position },
            Action::View { position },
            Action::SetHouseWay { position },
            Action::AskHouseWay { position },
            Action::Concede { position },
        ]);
        all.extend(WAGERS.map(|wager| Action::Withdraw { position, wager }));
    }
    for number in [0, 1, 7, 8, 21, 22, 255] {
        all.push(Action::Deal { deck: plain_deck(), number });
    }
    all.extend(
        (0..=9)
            .chain([900, 901, 902])
            .map(|it| Action::Restrict { person: Person(it), reason: "a test".into() }),
    );
    let rulings = positions.iter().map(|&position| Ruling::HandOut(position));
    for ruling in rulings.chain([Ruling::PlayOn, Ruling::Void]) {
        all.extend(["", "a glass of water"].map(|it| Action::Rule { ruling, reason: it.into() }));
    }
    money(table, by, stack, &mut all);
    cards(table, &mut all);
    calls(table, &mut all);
    all
}

/// Amounts and those just beside them.
fn around(amounts: &[Cents]) -> BTreeSet<Cents> {
    let beside = |&amount: &Cents| {
        let steps = [CENT, dollars(1), dollars(5)];
        let below = steps.map(|step| amount.minus(step));
        let above = steps.map(|step| amount.plus(step));
        below.into_iter().chain(above).flatten().chain([amount])
    };
    amounts.iter().flat_map(beside).collect()
}

/// Wagers and banks.
fn money(table: &Table, by: Actor, stack: Cents, all: &mut Vec<Action>) {
    let (Phase::Offering { .. } | Phase::Betting(_)) = table.phase() else {
        let (position, amount) = (Position(1), dollars(20));
        all.push(Action::Place { position, wager: Wager::Standard, amount, person: None });
        all.push(Action::TakeBank { put_up: dollars(100), house_wager: Cents::ZERO });
        return;
    };
    let mut sums = vec![Cents::ZERO, dollars(20), stack];
    if let Phase::Betting(betting) = table.phase() {
        let standard = betting.stakes.values().map(|stakes| stakes.total(Wager::Standard));
        sums.push(standard.fold(Cents::ZERO, |sum, it| sum.plus(it).expect("countable")));
        let before = betting.bank.position().map(|_| betting.bank);
        if let Some(houseway_table::Bank::Player { put_up, .. }) = before {
            sums.extend([put_up, stack.plus(put_up).expect("countable")]);
        }
    }
    let positions = (1..=7).map(Position);
    let last: Vec<Cents> = positions.map(|at| table.last_wager(at, by.person)).collect();
    for house_wager in around(&[&last[..], &[Cents::ZERO, dollars(5)]].concat()) {
        let with: Vec<Cents> = sums.iter().filter_map(|sum| sum.plus(house_wager)).collect();
        for put_up in around(&sums).into_iter().chain(around(&with)) {
            all.push(Action::TakeBank { put_up, house_wager });
        }
    }
    let persons = [None, Some(by.person), Some(Person(1)), Some(Person(5)), Some(Person(77))];
    for wager in WAGERS {
        let range = table.setup().range(wager).map(|(range, _)| [range.minimum, range.maximum]);
        let limits = range.into_iter().flatten();
        let amounts: Vec<Cents> = limits.chain([dollars(5), stack]).collect();
        for position in (0..=8).map(Position) {
            for amount in around(&amounts) {
                all.extend(persons.map(|person| Action::Place { position, wager, amount, person }));
            }
        }
    }
}

/// Settings of every hand that lies there, and of cards that do not.
fn cards(table: &Table, all: &mut Vec<Action>) {
    let elsewhere = ["", "Ac", "Ac Kd", "Jk 2c", "Ac Kd Qh"].map(common::cards);
    let (Phase::Setting(play) | Phase::Revealed(play)) = table.phase() else {
        all.extend(elsewhere.map(|low| Action::Reveal { low: Some(low) }));
        all.extend(elsewhere.map(|low| Action::SetBanker { low }));
        return;
    };
    for (&position, hand) in &play.hands {
        let lows = pairs(hand.dealt).into_iter().chain(elsewhere);
        all.extend(lows.map(|low| Action::Set { position, low }));
    }
    for low in pairs(play.banker.dealt).into_iter().chain(elsewhere) {
        all.extend([Action::Reveal { low: Some(low) }, Action::SetBanker { low }]);
        all.push(Action::Set { position: Position(8), low });
    }
}

/// Every incident about every spot, repaired in every way.
fn calls(table: &Table, all: &mut Vec<Action>) {
    let spots: Vec<Spot> = (0..=8).map(|at| Spot::At(Position(at))).chain([Spot::Dealer]).collect();
    let named: Vec<Option<Spot>> =
        [None].into_iter().chain(spots.iter().copied().map(Some)).collect();
    let lows = match table.phase() {
        Phase::Setting(play) | Phase::Revealed(play) => pairs(play.banker.dealt),
        _ => vec![],
    };
    let lays = lows.into_iter().chain([common::cards("Ac Kd")]).map(Repair::Lay);
    let lays: Vec<Repair> = lays.collect();
    let swaps: Vec<Repair> =
        spots.iter().flat_map(|&a| spots.iter().map(move |&b| Repair::Swap(a, b))).collect();
    for &what in Incident::ALL {
        let mut call = |spot, repair| all.push(Action::Call(Call { what, spot, repair }));
        for &spot in &named {
            call(spot, None);
            call(spot, Some(Repair::Reconstruct));
            call(spot, Some(Repair::Swap(Spot::At(Position(1)), Spot::At(Position(3)))));
        }
        for repair in &swaps {
            call(None, Some(repair.clone()));
        }
        for repair in &lays {
            call(None, Some(repair.clone()));
            call(Some(Spot::Dealer), Some(repair.clone()));
            for at in [1, 3, 6] {
                call(Some(Spot::At(Position(at))), Some(repair.clone()));
            }
        }
    }
}

/// People in every role, seated and not, with money and without; and players who say that they are
/// staff.
fn people() -> Vec<Actor> {
    let mut all = [1, 3, 5, 6, 2].map(Actor::player).to_vec();
    all.extend([DEALER, Actor { person: Person(5), role: Role::Dealer }]);
    all.push(Actor { person: Person(1), role: Role::GamingShiftManager });
    all.extend(
        [Role::Dealer, Role::PitSupervisor, Role::PitManager, Role::GamingShiftManager].map(staff),
    );
    all
}

/// How often a kind of command is taken when it is offered: what keeps rounds going more often than
/// what ends them.
fn weight(action: &Action) -> usize {
    match action {
        Action::OpenRound
        | Action::TakeBank { .. }
        | Action::Deal { .. }
        | Action::Reveal { .. }
        | Action::SetBanker { .. }
        | Action::WithdrawAll => 60,
        Action::Place { .. } => 80,
        Action::Set { .. } => 40,
        Action::SetHouseWay { .. } | Action::Settle | Action::DeclineBank => 25,
        Action::View { .. } | Action::CloseBets | Action::TimeUp | Action::Call(_) => 12,
        Action::Concede { .. } | Action::AskHouseWay { .. } | Action::Withdraw { .. } => 6,
        Action::Sit { .. } | Action::BringMoney { .. } | Action::Resume => 4,
        Action::Leave { .. }
        | Action::TakeMoney { .. }
        | Action::Restrict { .. }
        | Action::Rule { .. } => 1,
    }
}

/// What was offered in the course of the nights.
#[derive(Default)]
struct Seen {
    offers: BTreeSet<String>,
    calls: BTreeSet<String>,
    refused: usize,
    granted: usize,
}

struct Evening {
    night: Night,
    chance: Chance,
    seen: Seen,
}

impl Evening {
    fn new(rulebook: &Rulebook, seed: u64, seen: Seen) -> Evening {
        let mut chance = Chance(seed);
        let time = |chance: &mut Chance| (chance.below(3) == 0).then_some(1_000);
        let time = Time {
            banking: time(&mut chance),
            betting: time(&mut chance),
            setting: time(&mut chance),
            conceding: time(&mut chance),
        };
        let mut night = Night::with(rulebook, |posted: &mut Posted| posted.time = time);
        for person in [1, 3, 6] {
            night.seat(person, 2_000);
        }
        // One has money and no seat, another's second position is beside the first.
        night.must(Actor::player(5), Action::BringMoney { amount: dollars(90) });
        if rulebook.seats.several_positions.is_some() {
            night.must(Actor::player(3), Action::Sit { position: Position(4) });
        }
        Evening { night, chance, seen }
    }

    fn is_granted(&self, by: Actor, action: &Action) -> bool {
        let command = Command { by, at: self.night.now, action: action.clone() };
        decide(&self.night.table, &command).is_ok()
    }

    /// What everyone may do; and that everyone may do that, and nothing else.
    fn check(&mut self) -> Vec<(Actor, Action)> {
        let mut choices = vec![];
        let everyone = people();
        let thorough = self.chance.below(everyone.len());
        for (place, by) in everyone.into_iter().enumerate() {
            let table = &self.night.table;
            let offers = options(table, by.person, by.role, self.night.now);
            for offer in &offers {
                for action in allowed(table, offer) {
                    let granted = self.is_granted(by, &action);
                    assert!(granted, "offered to {by:?} and refused: {action:?}\n{offer:?}");
                    choices.push((by, action));
                }
                let text = serde_json::to_value(offer).expect("an offer is text");
                let name = text["do"].as_str().expect("a name").to_string();
                if let Offer::Call { what, .. } = offer {
                    self.seen.calls.insert(format!("{what:?}"));
                }
                self.seen.offers.insert(name);
            }
            // The rest of the commands is tried for one person a step, and all have their turn.
            if place != thorough {
                continue;
            }
            for action in universe(table, by) {
                let granted = self.is_granted(by, &action);
                let offered = offers.iter().any(|offer| allows(table, offer, by, &action));
                assert_eq!(
                    granted,
                    offered,
                    "granted and offered to {by:?} in {:?}: {action:?}",
                    table.phase()
                );
                *if granted { &mut self.seen.granted } else { &mut self.seen.refused } += 1;
            }
        }
        choices
    }

    /// Takes one of the choices: a kind of command first, then one of that kind.
    fn step(&mut self, choices: &[(Actor, Action)]) {
        let kind = |action: &Action| std::mem::discriminant(action);
        let mut kinds: Vec<(std::mem::Discriminant<Action>, usize)> = vec![];
        for (_, action) in choices {
            if kinds.iter().all(|(known, _)| *known != kind(action)) {
                kinds.push((kind(action), weight(action)));
            }
        }
        let mut left = self.chance.below(kinds.iter().map(|(_, weight)| weight).sum());
        let chosen = kinds.iter().find(|(_, weight)| {
            let found = left < *weight;
            left = left.saturating_sub(*weight);
            found
        });
        let (chosen, _) = chosen.expect("one of them");
        let of_kind: Vec<&(Actor, Action)> =
            choices.iter().filter(|(_, action)| kind(action) == *chosen).collect();
        let (by, mut action) = (*self.chance.of(&of_kind)).clone();
        match &mut action {
            Action::Deal { deck, .. } => {
                let mut cards: Vec<Card> = Card::all().collect();
                self.chance.shuffle(&mut cards);
                *deck = Deck::try_from(cards).expect("53 cards");
            }
            Action::BringMoney { amount } => *amount = dollars(50),
            _ => {}
        }
        let mut events = self.must(by, &action);
        self.misplace(&mut events);
        for event in &events {
            self.night.table.apply(event);
        }
        if self.chance.below(8) == 0 {
            self.night.now += self.chance.below(1_500) as u64;
        }
    }

    /// Where the rules have a remedy for it, chips lie there now and then that no command would have
    /// put there.
    fn misplace(&mut self, events: &mut [Event]) {
        let setup = self.night.table.setup();
        if setup.rulebook.irregularity(Incident::UnderMinimum).is_none() {
            return;
        }
        if let [Event::Placed { person, wager, amount, .. }] = events
            && let Some((range, _)) = setup.range(*wager)
            && self.chance.below(4) == 0
        {
            let over = range.maximum.plus(dollars(5)).expect("countable");
            let wanted = if self.chance.below(2) == 0 { dollars(4) } else { over };
            if wanted <= self.night.stack(person.0) {
                *amount = wanted;
            }
        }
    }

    fn must(&self, by: Actor, action: &Action) -> Vec<Event> {
        let command = Command { by, at: self.night.now, action: action.clone() };
        decide(&self.night.table, &command)
            .unwrap_or_else(|refusal| panic!("{action:?}: {refusal}"))
    }
}

fn evenings(rulebook: &Rulebook) {
    let mut seen = Seen::default();
    for seed in 0..24 {
        let mut evening = Evening::new(rulebook, seed, seen);
        for _ in 0..60 {
            let choices = evening.check();
            evening.step(&choices);
        }
        seen = evening.seen;
    }
    assert!(seen.granted > 1_000 && seen.refused > 100_000, "{} {}", seen.granted, seen.refused);
    let mut missing: BTreeSet<String> = rulebook
        .irregularities
        .iter()
        // What is refused whenever it is asked for, and what needs its reason, is never called.
        .filter(|rule| !matches!(rule.remedy, Remedy::Refuse | Remedy::Decide))
        .map(|rule| format!("{:?}", rule.what))
        .collect();
    missing.retain(|what| !seen.calls.contains(what));
    assert!(missing.is_empty(), "never offered to be called: {missing:?}");
    let mut kinds: BTreeSet<&str> = [
        "bring-money",
        "take-money",
        "sit",
        "leave",
        "open-round",
        "place",
        "withdraw",
        "close-bets",
        "deal",
        "view",
        "set",
        "set-house-way",
        "ask-house-way",
        "reveal",
        "settle",
        "time-up",
        "resume",
        "rule",
    ]
    .into();
    if rulebook.bank.rotation.is_some() {
        kinds.insert("take-bank");
    }
    if !rulebook.bank.banker.is_house() {
        kinds.insert("decline-bank");
    }
    if rulebook.bank.player_banker.is_some() {
        kinds.insert("set-banker");
    }
    if rulebook.concession.is_some() {
        kinds.extend(["concede", "withdraw-all", "restrict"]);
    }
    if !rulebook.irregularities.is_empty() {
        kinds.insert("call");
    }
    let seen: BTreeSet<&str> = seen.offers.iter().map(String::as_str).collect();
    assert_eq!(seen, kinds, "what is ever offered at {}", rulebook.id);
}

#[test]
fn offers_at_mbs_2016() {
    evenings(&MBS_2016);
}

#[test]
fn offers_at_mbs_2020() {
    evenings(&MBS_2020);
}

#[test]
fn offers_at_the_cardroom() {
    evenings(&CARDROOM);
}

#[test]
fn offers_commission_free() {
    evenings(&COMMISSION_FREE);
}

#[test]
fn offers_at_catfish_bend() {
    evenings(&CATFISH_BEND);
}
