//! What a round comes to and what it costs, by the digests: slow, obvious, and with nothing in
//! common with the crate but the types of what goes in. A rule that one of the two misreads shows
//! as a difference.
//!
//! Amounts are plain cents. Every figure stands here again instead of being looked up in the
//! rulebooks, so that a wrong figure in a rulebook shows as well.

use std::collections::BTreeMap;

use houseway_rules::{BonusHand, Category, Dealt, Rank, Ranking, Strength};
use houseway_table::settlement::{Bet, Owner, PlayerHand, Round, SetHand, Standing};
use houseway_table::{Bank, Person, Position, Setup, Stakes};

/// A line of a statement, without what only explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) position: Position,
    pub(crate) owner: Owner,
    pub(crate) bet: Bet,
    pub(crate) taken: u64,
    pub(crate) paid: u64,
    pub(crate) back: u64,
    pub(crate) commission: u64,
}

impl Judged {
    fn new(position: Position, owner: Owner, bet: Bet) -> Judged {
        Judged { position, owner, bet, taken: 0, paid: 0, back: 0, commission: 0 }
    }

    /// Whether any money moves by it. Lines by which none does say why, and are not compared.
    pub(crate) fn moves_money(&self) -> bool {
        self.taken + self.paid + self.back + self.commission > 0
    }
}

/// The statement of a round in the order in which the house settles it.
pub(crate) fn settle(round: &Round<'_>) -> Vec<Judged> {
    let lines = match &*round.setup.rulebook.id {
        "mbs-2016" | "mbs-2020" => mbs(round),
        "cardroom" => cardroom(round),
        "commission-free" => commission_free(round),
        "catfish-bend" => catfish_bend(round),
        other => panic!("no digest of {other}"),
    };
    lines.into_iter().filter(Judged::moves_money).collect()
}

const DOLLAR: u64 = 100;

/// What a Fortune Bonus pays to 1 and what Envy pays in dollars, by the table of a digest: the
/// figures from the natural seven-card straight flush down to the straight.
type PayTable = [(u64, u64); 11];

const MBS: PayTable = [
    (2_500, 250),
    (1_000, 50),
    (500, 0),
    (250, 0),
    (100, 0),
    (50, 0),
    (20, 0),
    (5, 0),
    (4, 0),
    (3, 0),
    (2, 0),
];

const CARDROOM: PayTable = [
    (5_000, 0),
    (2_000, 0),
    (1_000, 0),
    (400, 0),
    (150, 0),
    (50, 0),
    (25, 0),
    (5, 0),
    (4, 0),
    (3, 0),
    (2, 0),
];

const COMMISSION_FREE: PayTable = [
    (2_500, 1_000),
    (1_000, 750),
    (750, 250),
    (250, 100),
    (125, 50),
    (50, 20),
    (25, 5),
    (5, 0),
    (4, 0),
    (3, 0),
    (2, 0),
];

const CATFISH_BEND: PayTable = [
    (8_000, 5_000),
    (2_000, 1_000),
    (1_000, 500),
    (400, 250),
    (150, 50),
    (50, 20),
    (25, 5),
    (5, 0),
    (4, 0),
    (3, 0),
    (2, 0),
];

/// The line of a pay table for seven cards, counted from the top; nothing if they are not paid.
fn pay_line(dealt: Dealt) -> Option<usize> {
    Some(match BonusHand::of(dealt)? {
        BonusHand::SevenCardStraightFlush => 0,
        BonusHand::RoyalMatch => 1,
        BonusHand::SevenCardStraightFlushJoker => 2,
        BonusHand::FiveAces => 3,
        BonusHand::RoyalFlush => 4,
        BonusHand::StraightFlush => 5,
        BonusHand::FourOfAKind => 6,
        BonusHand::FullHouse => 7,
        BonusHand::Flush => 8,
        BonusHand::ThreeOfAKind => 9,
        BonusHand::Straight => 10,
    })
}

/// What a Fortune Bonus wager is due, or nothing if it loses.
fn bonus(table: &PayTable, dealt: Dealt, stake: u64) -> Option<u64> {
    pay_line(dealt).map(|line| table[line].0 * stake)
}

/// What Envy pays for someone's seven cards.
fn envy(table: &PayTable, dealt: Dealt) -> u64 {
    pay_line(dealt).map_or(0, |line| table[line].1 * DOLLAR)
}

/// What becomes of a standard wager.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Win,
    Push,
    Lose,
}

/// Low against Low and High against High: both strictly higher wins, neither loses.
fn compare(own: &SetHand, banker: &SetHand) -> Fate {
    let high = own.strengths.high > banker.strengths.high;
    let low = own.strengths.low > banker.strengths.low;
    match (high, low) {
        (true, true) => Fate::Win,
        (false, false) => Fate::Lose,
        _ => Fate::Push,
    }
}

/// A conceded hand and a dead one lose without being looked at.
fn fate(hand: &PlayerHand, banker: &SetHand) -> Fate {
    match hand.standing {
        Standing::Plays => compare(&hand.hand, banker),
        Standing::Conceded(_) | Standing::Dead(_) => Fate::Lose,
        Standing::Returned(_) => Fate::Push,
    }
}

/// A wager that someone with deep pockets pays and takes in full.
fn in_full(line: Judged, stake: u64, fate: Fate, due: u64) -> Judged {
    match fate {
        Fate::Win => Judged { paid: due, back: stake, ..line },
        Fate::Push => Judged { back: stake, ..line },
        Fate::Lose => Judged { taken: stake, ..line },
    }
}

fn of_bonus(line: Judged, stake: u64, due: Option<u64>) -> Judged {
    match due {
        Some(due) => in_full(line, stake, Fate::Win, due),
        None => in_full(line, stake, Fate::Lose, 0),
    }
}

/// The positions in a stated order, as far as they are in play.
fn in_order<'a>(
    round: &Round<'a>,
    order: impl IntoIterator<Item = u8> + 'a,
) -> impl Iterator<Item = &'a PlayerHand> + 'a {
    let hands = round.hands;
    order.into_iter().filter_map(move |at| hands.iter().find(|it| it.position == Position(at)))
}

// ------------------------------------------------------------------------------------------------

/// Both editions: the house pays; 5 % of a win; a wager may be several people's.
fn mbs(round: &Round<'_>) -> Vec<Judged> {
    let mut lines = vec![];
    for hand in in_order(round, 1..=6) {
        let fate = fate(hand, &round.banker);
        for share in &hand.stakes.standard {
            let stake = share.amount.get();
            let line = Judged::new(hand.position, Owner::Person(share.person), Bet::Standard);
            let commission = if fate == Fate::Win { stake * 5 / 100 } else { 0 };
            lines.push(Judged { commission, ..in_full(line, stake, fate, stake) });
        }
        // On the seven cards, also of a conceded hand (R12).
        for share in &hand.stakes.fortune {
            let stake = share.amount.get();
            let line = Judged::new(hand.position, Owner::Person(share.person), Bet::Fortune);
            // 5.12: a wager that takes no part goes back, whatever the cards.
            lines.push(match hand.standing {
                Standing::Returned(_) => in_full(line, stake, Fate::Push, 0),
                _ => of_bonus(line, stake, bonus(&MBS, hand.hand.dealt, stake)),
            });
        }
    }
    lines.extend(mbs_envy(round));
    lines
}

fn mbs_envy(round: &Round<'_>) -> Vec<Judged> {
    let natural = |dealt: Dealt| BonusHand::of(dealt) == Some(BonusHand::SevenCardStraightFlush);
    let matched = |dealt: Dealt| BonusHand::of(dealt) == Some(BonusHand::RoyalMatch);
    let mut lines = vec![];
    // 2016 3.18.1.1, 2020 3.24.1.
    if envy(&MBS, round.banker.dealt) > 0 {
        return lines;
    }
    // Each seated player with a Fortune Bonus wager anywhere, once, however many they have (R13).
    // Someone who shares a wager without a seat gets none.
    // Nor does one whose wager takes no part (5.12).
    let bets = |player: Person| {
        let hands = round.hands.iter().filter(|it| !matches!(it.standing, Standing::Returned(_)));
        hands.into_iter().any(|it| it.stakes.fortune.iter().any(|share| share.person == player))
    };
    let mut players: Vec<(Position, Person)> = vec![];
    for &(seat, player) in round.seated {
        if bets(player) && players.iter().all(|it| it.1 != player) {
            // The digest names no place for the line: it stands at the player's first seat.
            players.push((seat, player));
        }
    }
    players.sort();
    for (at, player) in players {
        let own: Vec<Dealt> =
            round.hands.iter().filter(|it| it.holder == player).map(|it| it.hand.dealt).collect();
        for other in in_order(round, 1..=6).filter(|it| it.holder != player) {
            let barred = own.iter().any(|&it| natural(it))
                || own.iter().any(|&it| matched(it)) && !natural(other.hand.dealt);
            if !barred {
                let bet = Bet::Envy { of: other.position };
                let line = Judged::new(at, Owner::Person(player), bet);
                lines.push(Judged { paid: envy(&MBS, other.hand.dealt), ..line });
            }
        }
    }
    lines
}

// ------------------------------------------------------------------------------------------------

/// What a banking player put up, used up by every dollar won and paid (R15).
struct PutUp {
    left: u64,
}

impl PutUp {
    fn of(round: &Round<'_>) -> PutUp {
        let Bank::Player { put_up, .. } = round.bank else { panic!("a player banks here") };
        PutUp { left: put_up.get() }
    }

    /// As much of an amount as is covered.
    fn use_up(&mut self, amount: u64) -> u64 {
        let covered = amount.min(self.left);
        self.left -= covered;
        covered
    }

    /// A wager that is paid and taken as far as the bank reaches.
    fn covered(&mut self, line: Judged, stake: u64, fate: Fate, due: u64) -> Judged {
        match fate {
            Fate::Win => Judged { paid: self.use_up(due), back: stake, ..line },
            Fate::Push => Judged { back: stake, ..line },
            Fate::Lose => {
                let taken = self.use_up(stake);
                Judged { taken, back: stake - taken, ..line }
            }
        }
    }
}

/// Seven seats clockwise from the one with the action button.
fn clockwise_from_action(round: &Round<'_>) -> [u8; 7] {
    let Some(Position(action)) = round.action else { panic!("there is an action button here") };
    std::array::from_fn(|further| (action - 1 + further as u8) % 7 + 1)
}

/// The one share of a bet where nobody shares.
fn only(hand: &PlayerHand, shares: &[houseway_table::Share]) -> u64 {
    match shares {
        [] => 0,
        [one] => {
            assert_eq!(one.person, hand.holder, "nobody wagers on another's hand here");
            one.amount.get()
        }
        more => panic!("wagers are not shared here: {more:?}"),
    }
}

fn cardroom(round: &Round<'_>) -> Vec<Judged> {
    let ranking = round.setup.rulebook.ranking();
    let mut bank = PutUp::of(round);
    // C13.
    let mut cap = round.setup.posted.bonus_cap.map_or(u64::MAX, houseway_rules::Cents::get);
    let mut lines = vec![];
    for hand in in_order(round, clockwise_from_action(round)) {
        let owner = Owner::Person(hand.holder);
        let stake = only(hand, &hand.stakes.standard);
        let line = Judged::new(hand.position, owner, Bet::Standard);
        lines.push(bank.covered(line, stake, fate(hand, &round.banker), stake));

        let stake = only(hand, &hand.stakes.fortune);
        let line = Judged::new(hand.position, owner, Bet::Fortune);
        let own = hand.hand.dealt;
        lines.push(match bonus(&CARDROOM, own, stake) {
            None => bank.covered(line, stake, Fate::Lose, 0),
            // C12, R16: it may not be paid, so it goes back.
            Some(_) if !ranks_below(round.banker.dealt, own, ranking) => {
                bank.covered(line, stake, Fate::Push, 0)
            }
            Some(due) => {
                let line = bank.covered(line, stake, Fate::Win, due.min(cap));
                cap -= line.paid;
                line
            }
        });
    }
    lines
}

/// Whether one bonus hand is lower than another (C12): by the pay table's order, then by the poker
/// value of the cards that make it.
fn ranks_below(a: Dealt, b: Dealt, ranking: Ranking) -> bool {
    let [a, b] = [a, b].map(|dealt| match pay_line(dealt) {
        None => (0, None),
        Some(line) => (CARDROOM[line].0, Some(poker_value(dealt, line, ranking))),
    });
    a < b
}

/// The best five cards of the category that a pay line names. A seven-card straight flush is as
/// high as the highest five of it, and royal matches are all alike.
fn poker_value(dealt: Dealt, line: usize, ranking: Ranking) -> Strength {
    let wanted = match line {
        0..=2 | 4 | 5 => Category::StraightFlush,
        3 => Category::FiveAces,
        6 => Category::FourOfAKind,
        7 => Category::FullHouse,
        8 => Category::Flush,
        9 => Category::ThreeOfAKind,
        _ => Category::Straight,
    };
    let cards = dealt.sorted();
    let mut best = None;
    for (at, &one) in cards.iter().enumerate() {
        for &two in &cards[at + 1..] {
            let pair = houseway_rules::CardSet::EMPTY.with(one).with(two);
            let strength = ranking.five(dealt.cards().without(pair));
            if ranking.category(strength) == wanted {
                best = best.max(Some(strength));
            }
        }
    }
    best.expect("a paid hand has five cards of its kind")
}

fn commission_free(round: &Round<'_>) -> Vec<Judged> {
    let mut bank = PutUp::of(round);
    let (first, second) = round.banker.strengths.low.ranks();
    let nine_high = first != second && first.max(second) == Rank::Nine;
    let mut lines = vec![];
    for hand in in_order(round, clockwise_from_action(round)) {
        let owner = Owner::Person(hand.holder);
        let stake = only(hand, &hand.stakes.fortune);
        let line = Judged::new(hand.position, owner, Bet::Fortune);
        lines.push(match bonus(&COMMISSION_FREE, hand.hand.dealt, stake) {
            Some(due) => bank.covered(line, stake, Fate::Win, due),
            None => bank.covered(line, stake, Fate::Lose, 0),
        });

        let stake = only(hand, &hand.stakes.standard);
        let line = Judged::new(hand.position, owner, Bet::Standard);
        let fate = if nine_high { Fate::Push } else { fate(hand, &round.banker) };
        lines.push(bank.covered(line, stake, fate, stake));

        let stake = only(hand, &hand.stakes.tiger_nine);
        let line = Judged::new(hand.position, owner, Bet::TigerNine);
        let fate = if nine_high { Fate::Win } else { Fate::Lose };
        lines.push(bank.covered(line, stake, fate, 30 * stake));
    }
    // F12: the button takes $5, the hand it is paid for any Fortune Bonus wager.
    for hand in in_order(round, clockwise_from_action(round)) {
        if only(hand, &hand.stakes.fortune) < 5 * DOLLAR {
            continue;
        }
        for other in in_order(round, clockwise_from_action(round)) {
            let bets = only(other, &other.stakes.fortune) > 0;
            if bets && other.position != hand.position && other.holder != hand.holder {
                let bet = Bet::Envy { of: other.position };
                let line = Judged::new(hand.position, Owner::Person(hand.holder), bet);
                let due = envy(&COMMISSION_FREE, other.hand.dealt);
                lines.push(bank.covered(line, 0, Fate::Win, due));
            }
        }
    }
    lines
}

// ------------------------------------------------------------------------------------------------

/// A Fortune Bonus wager at Catfish Bend, the banking player's included.
struct Fortune {
    position: Position,
    person: Person,
    stake: u64,
    dealt: Dealt,
}

fn catfish_bend(round: &Round<'_>) -> Vec<Judged> {
    const DEALER: Position = Position(7);
    let banker = match round.bank {
        Bank::House => None,
        Bank::Player { position, person, house_wager, .. } => {
            Some((position, person, house_wager.get()))
        }
    };
    // Each hand counts as a separate player (B3), so all of this goes by position. From the
    // position farthest to the dealer's right, counter-clockwise (B9).
    let fortunes: Vec<Fortune> = (1..=6)
        .rev()
        .filter_map(|at| match banker {
            Some((position, person, _)) if position == Position(at) => {
                let (stake, dealt) = (round.banker_fortune.get(), round.banker.dealt);
                Some(Fortune { position, person, stake, dealt })
            }
            _ => in_order(round, [at]).next().map(|hand| Fortune {
                position: hand.position,
                person: hand.holder,
                stake: only(hand, &hand.stakes.fortune),
                dealt: hand.hand.dealt,
            }),
        })
        .filter(|it| it.stake > 0)
        .collect();
    let paid = prorated(&fortunes);
    let fortune_at = |at: Position| -> Option<Judged> {
        let index = fortunes.iter().position(|it| it.position == at)?;
        let it = &fortunes[index];
        let line = Judged::new(it.position, Owner::Person(it.person), Bet::Fortune);
        Some(of_bonus(line, it.stake, paid[index]))
    };

    let mut lines = vec![];
    // What the banking player has won and lost on standard wagers.
    let (mut won, mut lost) = (0, 0);
    // B17: the house's wager comes first. It owes itself no commission.
    if let (Some((_, _, stake)), Some(house)) = (banker, &round.house) {
        let line = Judged::new(DEALER, Owner::House, Bet::HouseWager);
        lines.push(in_full(line, stake, compare(house, &round.banker), stake));
    }
    for at in (1..=6).rev().map(Position) {
        if let Some(hand) = in_order(round, [at.0]).next() {
            let stake = only(hand, &hand.stakes.standard);
            let line = Judged::new(at, Owner::Person(hand.holder), Bet::Standard);
            let fate = fate(hand, &round.banker);
            // B2, B8.
            let waived = only(hand, &hand.stakes.fortune) >= 5 * DOLLAR;
            let commission = if fate == Fate::Win && !waived { stake * 5 / 100 } else { 0 };
            lines.push(Judged { commission, ..in_full(line, stake, fate, stake) });
        }
        lines.extend(fortune_at(at));
    }
    for line in &lines {
        if matches!(line.bet, Bet::Standard | Bet::HouseWager) {
            won += line.taken;
            lost += line.paid;
        }
    }
    // B11: a lammer takes $5; any other position's hand pays, except the banking player's.
    for it in fortunes.iter().filter(|it| it.stake >= 5 * DOLLAR) {
        for other in in_order(round, (1..=6).rev()).filter(|other| other.position != it.position) {
            let bet = Bet::Envy { of: other.position };
            let line = Judged::new(it.position, Owner::Person(it.person), bet);
            lines.push(Judged { paid: envy(&CATFISH_BEND, other.hand.dealt), ..line });
        }
    }
    if let Some((position, person, _)) = banker {
        let waived = round.banker_fortune.get() >= 5 * DOLLAR;
        if won > lost && !waived {
            let line = Judged::new(position, Owner::Person(person), Bet::BankerCommission);
            lines.push(Judged { commission: (won - lost) * 5 / 100, ..line });
        }
    }
    lines
}

/// What each Fortune Bonus wager is paid under the limit of $25,000 for all of them (B12, R24), or
/// nothing if it loses. The cents that a division leaves over are the earliest winner's (R6), who
/// gets no more than is due: what is then still over goes to the next.
fn prorated(fortunes: &[Fortune]) -> Vec<Option<u64>> {
    const LIMIT: u64 = 25_000 * DOLLAR;
    let due: Vec<Option<u64>> =
        fortunes.iter().map(|it| bonus(&CATFISH_BEND, it.dealt, it.stake)).collect();
    let total: u64 = due.iter().flatten().sum();
    if total <= LIMIT {
        return due;
    }
    let mut paid: Vec<Option<u64>> =
        due.iter().map(|due| due.map(|it| it * LIMIT / total)).collect();
    let mut over = LIMIT - paid.iter().flatten().sum::<u64>();
    for (paid, due) in paid.iter_mut().flatten().zip(due.iter().flatten()) {
        let more = over.min(due - *paid);
        *paid += more;
        over -= more;
    }
    assert_eq!(over, 0, "more is due than is paid");
    paid
}

// ------------------------------------------------------------------------------------------------

/// Who pays what before the cards are dealt, nobody for nothing.
pub(crate) fn fees(
    setup: &Setup,
    bank: Bank,
    stakes: &[(Person, &Stakes)],
) -> BTreeMap<Person, u64> {
    let Bank::Player { person: banker, .. } = bank else { return BTreeMap::new() };
    let mut fees: BTreeMap<Person, u64> = BTreeMap::new();
    match &*setup.rulebook.id {
        "cardroom" => {
            fees.insert(banker, setup.posted.rake.get());
        }
        "commission-free" => {
            let option = setup.posted.schedule.expect("a schedule is posted");
            let all = |stakes: &Stakes| -> Vec<u64> {
                stakes.shares().map(|(_, share)| share.amount.get()).collect()
            };
            for (person, stakes) in stakes {
                let fee = match option {
                    1..=4 => all(stakes).into_iter().map(|it| each_wager(option, it)).sum(),
                    6 | 7 => DOLLAR,
                    _ => 0,
                };
                let so_far = fees.entry(*person).or_default();
                *so_far = if option <= 4 { *so_far + fee } else { fee };
            }
            let action: u64 = stakes.iter().flat_map(|(_, stakes)| all(stakes)).sum();
            *fees.entry(banker).or_default() += match option {
                1 | 3 => DOLLAR,
                2 | 4 => 2 * DOLLAR,
                _ => table_action(option, action),
            };
        }
        _ => {}
    }
    fees.retain(|_, fee| *fee > 0);
    fees
}

/// Bands are inclusive, the last is "and above".
fn band(amount: u64, bounds: &[u64], dollars: &[u64]) -> u64 {
    assert_eq!(bounds.len() + 1, dollars.len());
    let index = bounds.iter().position(|&upper| amount <= upper * DOLLAR);
    dollars[index.unwrap_or(bounds.len())] * DOLLAR
}

/// Options 1 to 4: what a player pays for one wager.
fn each_wager(option: u8, amount: u64) -> u64 {
    match option {
        1 | 2 => band(amount, &[100, 200, 300, 400], &[1, 2, 3, 4, 5]),
        3 => band(amount, &[200, 400, 600, 800], &[1, 3, 5, 7, 9]),
        4 => band(amount, &[200, 600, 1000, 1400], &[2, 4, 8, 12, 15]),
        _ => panic!("option {option} does not go by the wager"),
    }
}

/// Options 5 to 28: what the player-dealer pays by all wagers together.
fn table_action(option: u8, amount: u64) -> u64 {
    let (bounds, dollars): (&[u64], &[u64]) = match option {
        5 => (&[49, 99, 149, 199], &[2, 4, 6, 8, 12]),
        6 => (&[49, 99, 149, 199], &[1, 3, 5, 7, 10]),
        7 => (&[49, 99, 199], &[2, 4, 6, 12]),
        8 => (&[49, 99, 149, 199], &[1, 2, 3, 4, 5]),
        9 => (&[49, 99, 199, 299], &[1, 2, 3, 4, 6]),
        10 => (&[49, 99, 199, 399], &[1, 2, 3, 4, 6]),
        11 => (&[49, 99, 199, 299], &[1, 2, 3, 5, 8]),
        12 => (&[74, 149, 224, 299], &[1, 2, 3, 4, 5]),
        13 => (&[74, 149, 224, 299], &[1, 2, 3, 4, 6]),
        14 => (&[74, 149, 224, 399], &[1, 2, 3, 4, 7]),
        15 => (&[74, 199, 399, 699], &[1, 2, 5, 8, 12]),
        16 => (&[99, 199, 299, 399], &[1, 2, 3, 4, 6]),
        17 => (&[99, 199, 299, 399], &[1, 3, 4, 5, 7]),
        18 => (&[99, 199, 299, 399], &[1, 4, 5, 6, 8]),
        19 => (&[99, 299, 499, 799], &[1, 3, 5, 8, 12]),
        20 => (&[99, 299, 499, 799], &[2, 3, 6, 8, 12]),
        21 | 22 => (&[99, 299, 499, 799], &[2, 3, 6, 10, 15]),
        23 => (&[99, 299, 499, 799], &[2, 3, 5, 12, 20]),
        24 => (&[999, 1999, 2999, 3999], &[5, 15, 25, 35, 45]),
        25 => (&[999, 1999, 2999, 3999], &[10, 15, 30, 35, 50]),
        26 => (&[999, 1999, 2999, 3999], &[15, 20, 30, 40, 55]),
        27 => (&[999, 1999, 2999, 3999], &[20, 25, 35, 45, 55]),
        28 => (&[999, 1999, 2999, 3999], &[15, 25, 35, 50, 70]),
        _ => panic!("option {option} does not go by the table's action"),
    };
    band(amount, bounds, dollars)
}
