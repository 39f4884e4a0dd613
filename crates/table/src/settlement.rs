//! What a round comes to: a pure function from what lay on the table to lines of a statement.

use std::collections::BTreeMap;

use houseway_rules::rulebook::{Beyond, Coverage, Incident, Payer, Rulebook, Start, Text, Wager};
use houseway_rules::settle::{Bonus, Outcome, Strengths, is_nine_high};
use houseway_rules::{BonusHand, Cents, Dealt};
use serde::{Deserialize, Serialize};

use crate::place::{Person, Places, Position};
use crate::setup::Setup;
use crate::stake::{Bank, Share, Stakes, minus, plus, sum};

/// Everything that a settlement looks at.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// The table.
    pub setup: &'a Setup,
    /// Who banks, with what.
    pub bank: Bank,
    /// Who has the action button, where there is one.
    pub action: Option<Position>,
    /// The hand that all others play against.
    pub banker: SetHand,
    /// A Fortune Bonus wager that a banking player has on their own hand, where that may be.
    pub banker_fortune: Cents,
    /// The house's own hand against a banking player's.
    pub house: Option<SetHand>,
    /// The positions in play. A hand that is out of play is not among them.
    pub hands: &'a [PlayerHand],
    /// Everyone who sits at the table, with a hand or without.
    pub seated: &'a [(Position, Person)],
}

/// A hand as it is set.
#[derive(Clone, Copy, Debug)]
pub struct SetHand {
    /// Its seven cards.
    pub dealt: Dealt,
    /// What its two parts are worth.
    pub strengths: Strengths,
}

/// A position in play.
#[derive(Clone, Debug)]
pub struct PlayerHand {
    /// Where.
    pub position: Position,
    /// Who sits there.
    pub holder: Person,
    /// The hand as it is set.
    pub hand: SetHand,
    /// What lies there.
    pub stakes: Stakes,
    /// Whether it is compared at all.
    pub standing: Standing,
}

/// Whether a hand is compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "standing", content = "clause", rename_all = "kebab-case")]
pub enum Standing {
    /// It is.
    Plays,
    /// The player gave it up; the clause that lets them.
    Conceded(Text),
    /// It fouled once too often and loses; the clause that says so.
    Dead(Text),
    /// Its wagers take no part and go back; the clause that says so.
    Returned(Text),
}

/// Which bet a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "bet", rename_all = "kebab-case")]
pub enum Bet {
    /// The standard wager.
    Standard,
    /// The Fortune Bonus.
    Fortune,
    /// Tiger 9.
    TigerNine,
    /// Envy for another position's hand.
    Envy {
        /// Whose hand it is paid for.
        of: Position,
    },
    /// The house's wager against a banking player.
    HouseWager,
    /// The commission on what a banking player gained.
    BankerCommission,
}

/// How a bet ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Paid, as far as it is covered.
    Win,
    /// Neither won nor lost.
    Push,
    /// Taken, as far as it is covered.
    Lose,
    /// A winning bet that may not be paid: it goes back.
    Returned,
}

/// Whose bet it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// Someone's.
    Person(Person),
    /// The house's.
    House,
}

/// What a line was decided on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum On {
    /// Two hands compared with the banker's.
    Hands {
        /// The High hand.
        high: Versus,
        /// The Low hand.
        low: Versus,
    },
    /// A bonus hand in seven cards.
    Held(BonusHand),
    /// The banker's Low hand alone.
    BankersLow,
}

/// A hand against the banker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Versus {
    /// Higher.
    Higher,
    /// Equal, which the banker wins.
    Copy,
    /// Lower.
    Lower,
}

impl From<std::cmp::Ordering> for Versus {
    fn from(order: std::cmp::Ordering) -> Versus {
        match order {
            std::cmp::Ordering::Greater => Versus::Higher,
            std::cmp::Ordering::Equal => Versus::Copy,
            std::cmp::Ordering::Less => Versus::Lower,
        }
    }
}

/// One line of a statement. Of the stake, some is taken and the rest goes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct Line {
    /// Where.
    pub position: Position,
    /// Whose.
    pub owner: Owner,
    /// Which bet.
    #[serde(flatten)]
    pub bet: Bet,
    /// How it ended.
    pub ending: Ending,
    /// What lay there.
    pub stake: Cents,
    /// What of it is taken.
    pub taken: Cents,
    /// What is paid beside it.
    pub paid: Cents,
    /// What of the stake goes back.
    pub back: Cents,
    /// What the owner then pays the house.
    pub commission: Cents,
    /// Who takes and pays.
    pub payer: Payer,
    /// What was looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub on: Option<On>,
    /// The clause that decides, and then those that changed the amount.
    pub clauses: Vec<Text>,
}

impl From<Wager> for Bet {
    fn from(wager: Wager) -> Bet {
        match wager {
            Wager::Standard => Bet::Standard,
            Wager::Fortune => Bet::Fortune,
            Wager::TigerNine => Bet::TigerNine,
        }
    }
}

impl Line {
    /// A share that goes back whole.
    pub(crate) fn returned(position: Position, wager: Wager, share: Share, clause: &Text) -> Line {
        Line {
            position,
            owner: Owner::Person(share.person),
            bet: wager.into(),
            ending: Ending::Returned,
            stake: share.amount,
            taken: Cents::ZERO,
            paid: Cents::ZERO,
            back: share.amount,
            commission: Cents::ZERO,
            payer: Payer::House,
            on: None,
            clauses: vec![clause.clone()],
        }
    }
}

/// The statement of a round, line by line in the order in which it is settled.
pub fn settle(round: &Round<'_>) -> Vec<Line> {
    let mut settling = Settling::new(round);
    let order = order(round);
    let prorated = settling.prorated(&order);
    settling.house_wager();
    for &position in &order {
        for &wager in settling.rulebook.settlement.order.iter() {
            settling.wager(position, wager, &prorated);
        }
    }
    settling.envy(&order);
    settling.banker_commission();
    settling.lines
}

/// What a banking player has in the bank after a round.
pub fn bank_after(bank: Bank, lines: &[Line]) -> Option<(Person, Cents)> {
    let Bank::Player { person, put_up, .. } = bank else { return None };
    let by_banker = |line: &&Line| line.payer == Payer::Banker;
    let taken = sum(lines.iter().filter(by_banker).map(|line| line.taken));
    let paid = sum(lines.iter().filter(by_banker).map(|line| line.paid));
    let on_gain = lines.iter().filter(|line| line.bet == Bet::BankerCommission);
    let commission = sum(on_gain.map(|line| line.commission));
    Some((person, minus(minus(plus(put_up, taken), paid), commission)))
}

/// What each person gained by lines, in cents, the banking player included.
fn gains(bank: Bank, lines: &[Line]) -> Vec<(Person, i64)> {
    let signed = |amount: Cents| i64::try_from(amount.get()).expect("money on one table");
    let mut all: Vec<(Person, i64)> = lines
        .iter()
        .filter_map(|line| match line.owner {
            // A banker's commission has come out of the bank.
            Owner::Person(_) if line.bet == Bet::BankerCommission => None,
            Owner::Person(person) => {
                let gain = signed(line.back) + signed(line.paid) - signed(line.commission);
                Some((person, gain))
            }
            Owner::House => None,
        })
        .collect();
    all.extend(bank_after(bank, lines).map(|(person, amount)| (person, signed(amount))));
    all
}

/// What each person gets more by one statement than by another.
pub(crate) fn differences(bank: Bank, before: &[Line], after: &[Line]) -> Vec<(Person, i64)> {
    let mut sums = BTreeMap::<Person, i64>::new();
    for (lines, sign) in [(before, -1), (after, 1)] {
        for (person, amount) in gains(bank, lines) {
            *sums.entry(person).or_default() += sign * amount;
        }
    }
    sums.into_iter().filter(|(_, difference)| *difference != 0).collect()
}

/// The positions in the order in which they are settled.
pub fn order(round: &Round<'_>) -> Vec<Position> {
    let rulebook = &*round.setup.rulebook;
    let places = Places::of(rulebook);
    let settlement = &rulebook.settlement;
    let start = match settlement.start {
        Start::DealersLeft => Position(1),
        Start::DealersRight => Position(places.seats),
        Start::ActionButton => round.action.unwrap_or(Position(1)),
    };
    places.round(start, settlement.direction).collect()
}

struct Settling<'a> {
    round: &'a Round<'a>,
    rulebook: &'a Rulebook,
    /// What of the banker's amount is not used up, where that is limited.
    left: Option<Cents>,
    /// What bonus wagers may still be paid, where that is limited in order.
    bonus_left: Option<Cents>,
    lines: Vec<Line>,
}

/// What Fortune Bonus bets are paid of what they are due.
type Prorated = Vec<(Position, Person, Cents)>;

/// A bet about to be settled.
struct Due {
    position: Position,
    owner: Owner,
    bet: Bet,
    ending: Ending,
    stake: Cents,
    /// What a win pays.
    win: Cents,
    /// What of the stake is over the table's maximum and takes no part.
    over: Cents,
    payer: Payer,
    on: Option<On>,
    clauses: Vec<Text>,
}

impl<'a> Settling<'a> {
    fn new(round: &'a Round<'a>) -> Settling<'a> {
        let rulebook = &*round.setup.rulebook;
        Settling {
            round,
            rulebook,
            left: match (&rulebook.coverage, round.bank) {
                (Coverage::PutUp { .. }, Bank::Player { put_up, .. }) => Some(put_up),
                _ => None,
            },
            bonus_left: match &rulebook.fortune.cap {
                Some(cap) if cap.beyond == Beyond::Returned => {
                    cap.amount.or(round.setup.posted.bonus_cap)
                }
                _ => None,
            },
            // Two bets lie at most positions.
            lines: Vec::with_capacity(2 * round.hands.len()),
        }
    }

    fn hand(&self, position: Position) -> Option<&'a PlayerHand> {
        self.round.hands.iter().find(|hand| hand.position == position)
    }

    /// Writes a line, as far as the banker's amount reaches.
    fn line(&mut self, due: Due, commission: impl FnOnce(Cents) -> (Cents, Option<Text>)) {
        let Due { position, owner, bet, ending, stake, win, over, payer, on, mut clauses } = due;
        let at_stake = minus(stake, over);
        let (wanted_taken, wanted_paid) = match ending {
            Ending::Win => (Cents::ZERO, win),
            Ending::Lose => (at_stake, Cents::ZERO),
            Ending::Push | Ending::Returned => (Cents::ZERO, Cents::ZERO),
        };
        let (mut taken, mut paid) = (wanted_taken, wanted_paid);
        if let (Payer::Banker, Some(left)) = (payer, &mut self.left) {
            taken = taken.min(*left);
            *left = minus(*left, taken);
            paid = paid.min(*left);
            *left = minus(*left, paid);
            if let Coverage::PutUp { cite } = &self.rulebook.coverage
                && (taken, paid) != (wanted_taken, wanted_paid)
            {
                clauses.push(cite.clone());
            }
        }
        let (commission, clause) =
            if paid > Cents::ZERO { commission(paid) } else { (Cents::ZERO, None) };
        clauses.extend(clause);
        let back = minus(stake, taken);
        self.lines.push(Line {
            position,
            owner,
            bet,
            ending,
            stake,
            taken,
            paid,
            back,
            commission,
            payer,
            on,
            clauses,
        });
    }

    /// What a bet's shares are in action for, up to the table's maximum where the rules settle so.
    fn over_maximum(
        &self,
        wager: Wager,
        shares: &'a [Share],
    ) -> impl Iterator<Item = (Share, Cents, Option<Text>)> + use<'a> {
        let rule = self.rulebook.irregularity(Incident::OverMaximum);
        let mut room = self.round.setup.range(wager).map(|(range, _)| range.maximum);
        shares.iter().map(move |&share| match (rule, &mut room) {
            (Some(rule), Some(room)) => {
                let inside = share.amount.min(*room);
                *room = minus(*room, inside);
                let over = minus(share.amount, inside);
                (share, over, (over > Cents::ZERO).then(|| rule.cite.clone()))
            }
            _ => (share, Cents::ZERO, None),
        })
    }

    fn wager(&mut self, position: Position, wager: Wager, prorated: &Prorated) {
        if wager == Wager::Fortune
            && self.round.bank.position() == Some(position)
            && self.round.banker_fortune > Cents::ZERO
        {
            self.bankers_fortune(position, prorated);
        }
        let Some(hand) = self.hand(position) else { return };
        for (share, over, over_clause) in self.over_maximum(wager, hand.stakes.of(wager)) {
            let due = match wager {
                Wager::Standard => Some(self.standard(hand, share, over)),
                Wager::Fortune => {
                    let judged = self.judge(hand.hand.dealt, minus(share.amount, over));
                    let held = BonusHand::of(hand.hand.dealt);
                    Some(self.fortune_due(position, share, over, judged, held, prorated))
                }
                Wager::TigerNine => self.tiger_nine(hand, share, over),
            };
            let Some(mut due) = due else { continue };
            due.clauses.extend(over_clause);
            if let Standing::Returned(clause) = &hand.standing {
                due.ending = Ending::Returned;
                due.clauses = vec![clause.clone()];
                // It is not compared, so nobody is told what it is.
                due.on = None;
            }
            let fortune = hand.stakes.total(Wager::Fortune);
            let rulebook = self.rulebook;
            self.line(due, |paid| {
                // Only a standard wager's win, in whole dollars, pays commission.
                let taken =
                    (wager == Wager::Standard).then(|| rulebook.commission_on(paid, fortune));
                match taken.flatten() {
                    Some((amount, clause)) => (amount, Some(clause.clone())),
                    None => (Cents::ZERO, None),
                }
            });
        }
    }

    fn standard(&self, hand: &PlayerHand, share: Share, over: Cents) -> Due {
        let verdict = self.rulebook.compare(hand.hand.strengths, self.round.banker.strengths);
        let (ending, clauses) = match &hand.standing {
            Standing::Conceded(clause) | Standing::Dead(clause) => {
                (Ending::Lose, vec![clause.clone()])
            }
            Standing::Plays | Standing::Returned(_) => {
                let ending = match verdict.outcome {
                    Outcome::Win => Ending::Win,
                    Outcome::Push => Ending::Push,
                    Outcome::Lose => Ending::Lose,
                };
                let copy = verdict.copy.filter(|copy| *copy != verdict.clause);
                (ending, [Some(verdict.clause), copy].into_iter().flatten().cloned().collect())
            }
        };
        Due {
            position: hand.position,
            owner: Owner::Person(share.person),
            bet: Bet::Standard,
            ending,
            stake: share.amount,
            win: minus(share.amount, over),
            over,
            payer: self.standard_payer(),
            on: match hand.standing {
                Standing::Plays => Some(On::Hands {
                    high: verdict.hands.high.into(),
                    low: verdict.hands.low.into(),
                }),
                _ => None,
            },
            clauses,
        }
    }

    fn standard_payer(&self) -> Payer {
        match self.round.bank {
            Bank::House => Payer::House,
            Bank::Player { .. } => Payer::Banker,
        }
    }

    /// Who pays a bonus bet: the house where it banks, or where the rules say so.
    fn bonus_payer(&self, payer: Payer) -> Payer {
        match self.round.bank {
            Bank::House => Payer::House,
            Bank::Player { .. } => payer,
        }
    }

    /// How a Fortune Bonus bet of an amount ends, what it is due, and by which clause.
    fn judge(&self, dealt: Dealt, amount: Cents) -> (Ending, Cents, &'a Text) {
        let cite = &self.rulebook.fortune.cite;
        match self.rulebook.judge_fortune(dealt, self.round.banker.dealt) {
            Bonus::Paid(line) => {
                let due = amount.times(line.pays).expect("limits keep wagers countable");
                (Ending::Win, due, cite)
            }
            Bonus::Returned(_, clause) => (Ending::Returned, Cents::ZERO, clause),
            Bonus::Lost => (Ending::Lose, Cents::ZERO, cite),
        }
    }

    fn fortune_due(
        &mut self,
        position: Position,
        share: Share,
        over: Cents,
        (mut ending, due, clause): (Ending, Cents, &Text),
        held: Option<BonusHand>,
        prorated: &Prorated,
    ) -> Due {
        let mut win = due;
        let mut clauses = vec![clause.clone()];
        let cap = self.rulebook.fortune.cap.as_ref();
        let reduced =
            prorated.iter().find(|(at, person, _)| (*at, *person) == (position, share.person));
        if let Some((_, _, amount)) = reduced {
            win = win.min(*amount);
        }
        if let Some(left) = &mut self.bonus_left {
            win = win.min(*left);
            *left = minus(*left, win);
        }
        if let Some(cap) = cap
            && win != due
        {
            clauses.push(cap.cite.clone());
            if win == Cents::ZERO {
                ending = Ending::Returned;
            }
        }
        Due {
            position,
            owner: Owner::Person(share.person),
            bet: Bet::Fortune,
            ending,
            stake: share.amount,
            win,
            over,
            payer: self.bonus_payer(self.rulebook.fortune.payer),
            on: held.map(On::Held),
            clauses,
        }
    }

    /// A banking player's own Fortune Bonus bet.
    fn bankers_fortune(&mut self, position: Position, prorated: &Prorated) {
        let Bank::Player { person, .. } = self.round.bank else { return };
        let share = Share { person, amount: self.round.banker_fortune };
        let judged = self.judge(self.round.banker.dealt, share.amount);
        let held = BonusHand::of(self.round.banker.dealt);
        let due = self.fortune_due(position, share, Cents::ZERO, judged, held, prorated);
        self.line(due, |_| (Cents::ZERO, None));
    }

    /// What each Fortune Bonus bet is paid where all together are over a cap that is prorated;
    /// nothing where they are not. Cents left over go to the earliest (R6, R24).
    fn prorated(&self, order: &[Position]) -> Prorated {
        let cap = self.rulebook.fortune.cap.as_ref();
        let Some(cap) = cap.filter(|cap| cap.beyond == Beyond::Prorated) else { return vec![] };
        let Some(amount) = cap.amount.or(self.round.setup.posted.bonus_cap) else { return vec![] };
        let mut shares: Prorated = vec![];
        for &position in order {
            if let Bank::Player { position: at, person, .. } = self.round.bank
                && at == position
            {
                let (_, due, _) = self.judge(self.round.banker.dealt, self.round.banker_fortune);
                shares.push((position, person, due));
            }
            let Some(hand) = self.hand(position) else { continue };
            let staked = self.over_maximum(Wager::Fortune, hand.stakes.of(Wager::Fortune));
            for (share, over, _) in staked {
                let (_, due, _) = self.judge(hand.hand.dealt, minus(share.amount, over));
                shares.push((position, share.person, due));
            }
        }
        shares.retain(|(_, _, due)| *due > Cents::ZERO);
        let total = sum(shares.iter().map(|(_, _, due)| *due));
        if total <= amount {
            return vec![];
        }
        let prorated = |due: Cents| {
            let share = u128::from(due.get()) * u128::from(amount.get());
            let share = share / u128::from(total.get());
            Cents::new(u64::try_from(share).expect("no more than is due"))
        };
        let mut rest = minus(amount, sum(shares.iter().map(|(_, _, due)| prorated(*due))));
        // Cents left over go to the earliest, never beyond what is due.
        for (_, _, due) in &mut shares {
            let share = prorated(*due);
            let more = rest.min(minus(*due, share));
            rest = minus(rest, more);
            *due = plus(share, more);
        }
        shares
    }

    fn tiger_nine(&self, hand: &PlayerHand, share: Share, over: Cents) -> Option<Due> {
        let tiger = self.rulebook.tiger_nine.as_ref()?;
        let at_stake = minus(share.amount, over);
        let wins = is_nine_high(self.round.banker.strengths.low);
        Some(Due {
            position: hand.position,
            owner: Owner::Person(share.person),
            bet: Bet::TigerNine,
            ending: if wins { Ending::Win } else { Ending::Lose },
            stake: share.amount,
            win: at_stake.times(tiger.pays).expect("limits keep wagers countable"),
            over,
            payer: self.bonus_payer(Payer::Banker),
            on: Some(On::BankersLow),
            clauses: vec![tiger.cite.clone()],
        })
    }

    /// The house's hand against a banking player's comes first.
    fn house_wager(&mut self) {
        let (Some(house), Bank::Player { position, house_wager, .. }) =
            (self.round.house, self.round.bank)
        else {
            return;
        };
        if house_wager == Cents::ZERO {
            return;
        }
        let verdict = self.rulebook.compare(house.strengths, self.round.banker.strengths);
        let ending = match verdict.outcome {
            Outcome::Win => Ending::Win,
            Outcome::Push => Ending::Push,
            Outcome::Lose => Ending::Lose,
        };
        let pools = self.rulebook.bank.player_banker.as_ref().map(|rules| rules.pools.clone());
        let clauses = [Some(verdict.clause.clone()), pools].into_iter().flatten();
        let due = Due {
            position: Places::of(self.rulebook).dealer().unwrap_or(position),
            owner: Owner::House,
            bet: Bet::HouseWager,
            ending,
            stake: house_wager,
            win: house_wager,
            over: Cents::ZERO,
            payer: Payer::Banker,
            on: Some(On::Hands { high: verdict.hands.high.into(), low: verdict.hands.low.into() }),
            clauses: clauses.collect(),
        };
        self.line(due, |_| (Cents::ZERO, None));
    }

    /// A banking player pays commission on what the round gained, where the house takes one.
    fn banker_commission(&mut self) {
        let Bank::Player { position, person, .. } = self.round.bank else { return };
        let Some(rules) = &self.rulebook.bank.player_banker else { return };
        let main = |line: &&Line| matches!(line.bet, Bet::Standard | Bet::HouseWager);
        let total = |of: fn(&Line) -> Cents| sum(self.lines.iter().filter(main).map(of));
        let Some(gain) = total(|line| line.taken).minus(total(|line| line.paid)) else { return };
        if gain == Cents::ZERO {
            return;
        }
        let taken = self.rulebook.commission_on(gain, self.round.banker_fortune);
        let Some((commission, clause)) = taken else { return };
        self.lines.push(Line {
            position,
            owner: Owner::Person(person),
            bet: Bet::BankerCommission,
            ending: Ending::Push,
            stake: Cents::ZERO,
            taken: Cents::ZERO,
            paid: Cents::ZERO,
            back: Cents::ZERO,
            commission,
            payer: Payer::House,
            on: None,
            clauses: vec![rules.pools.clone(), clause.clone()],
        });
    }

    fn envy(&mut self, order: &[Position]) {
        let Some(envy) = &self.rulebook.envy else { return };
        for envied in self.envied(order).into_iter().filter(|it| it.withheld.is_none()) {
            let due = Due {
                position: envied.position,
                owner: Owner::Person(envied.person),
                bet: Bet::Envy { of: envied.of },
                ending: Ending::Win,
                stake: Cents::ZERO,
                win: envied.amount,
                over: Cents::ZERO,
                payer: self.bonus_payer(envy.payer),
                on: Some(On::Held(envied.held)),
                clauses: vec![envy.cite.clone()],
            };
            self.line(due, |_| (Cents::ZERO, None));
        }
    }

    /// Every hand that someone is envious of, in order of settlement.
    fn envied(&self, order: &[Position]) -> Vec<Envied> {
        let Some(envy) = &self.rulebook.envy else { return vec![] };
        let fortune = &self.rulebook.fortune;
        let banker = BonusHand::of(self.round.banker.dealt);
        // Such hands are rare: they are looked for first, and only then who would get something.
        let paid = |hand: &'a PlayerHand| {
            let held = BonusHand::of(hand.hand.dealt)?;
            let bets = envy.is_for_hands_with(hand.stakes.total(Wager::Fortune));
            Some((hand, held, fortune.envy(held).filter(|_| bets)?))
        };
        let hands = order.iter().filter_map(|&position| self.hand(position));
        let paid: Vec<(&PlayerHand, BonusHand, Cents)> = hands.filter_map(paid).collect();
        if paid.is_empty() {
            return vec![];
        }
        let mut found = vec![];
        for receiver in self.envious(order) {
            for &(hand, held, amount) in &paid {
                let is_own = match receiver.apart {
                    true => hand.position == receiver.position,
                    false => hand.holder == receiver.person,
                };
                if is_own {
                    continue;
                }
                let mut own = receiver.own.iter().map(|&own| Some(own)).chain([None]);
                let withheld = own.find_map(|own| envy.bars(fortune, own, held, banker));
                found.push(Envied {
                    position: receiver.position,
                    person: receiver.person,
                    of: hand.position,
                    held,
                    amount,
                    withheld: withheld.map(|clause| clause.to_string().into()),
                });
            }
        }
        found
    }

    /// Who gets Envy, in order: each position where positions count apart, otherwise each seated
    /// person once, at the first of their positions. A wager that takes no part earns none.
    fn envious(&self, order: &[Position]) -> Vec<Envious> {
        let Some(envy) = &self.rulebook.envy else { return vec![] };
        let enough = |wagered: Cents| envy.is_carried_by(wagered);
        let in_action = |hand: &&PlayerHand| !matches!(hand.standing, Standing::Returned(_));
        let mut found: Vec<Envious> = vec![];
        for &position in order {
            if let Bank::Player { position: at, person, .. } = self.round.bank
                && at == position
                && enough(self.round.banker_fortune)
            {
                let own = BonusHand::of(self.round.banker.dealt).into_iter().collect();
                found.push(Envious { position, person, own, apart: true });
            }
            if envy.positions_count_apart {
                let Some(hand) = self.hand(position).filter(in_action) else { continue };
                if enough(hand.stakes.total(Wager::Fortune)) {
                    let own = BonusHand::of(hand.hand.dealt).into_iter().collect();
                    found.push(Envious { position, person: hand.holder, own, apart: true });
                }
                continue;
            }
            // Whoever sits there, be it only to share another's wager.
            let seated = self.round.seated.iter().find(|(at, _)| *at == position);
            let Some(&(_, person)) = seated else { continue };
            if found.iter().any(|it| it.person == person) {
                continue;
            }
            let hands = self.round.hands.iter().filter(in_action);
            let shares = hands.flat_map(|it| it.stakes.of(Wager::Fortune));
            let wagered = sum(shares.filter(|it| it.person == person).map(|it| it.amount));
            if enough(wagered) {
                let held = self.round.hands.iter().filter(|it| it.holder == person);
                let own = held.filter_map(|it| BonusHand::of(it.hand.dealt)).collect();
                found.push(Envious { position, person, own, apart: false });
            }
        }
        found
    }
}

/// A hand that someone with a Fortune Bonus wager is envious of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envied {
    /// Where the envious one sits.
    pub position: Position,
    /// Who that is.
    pub person: Person,
    /// Whose hand it is.
    pub of: Position,
    /// What that hand is.
    pub held: BonusHand,
    /// What Envy pays for it.
    pub amount: Cents,
    /// The clause that keeps it from them, if one does.
    pub withheld: Option<Text>,
}

/// Every hand that someone is envious of, paid or withheld, in order of settlement.
pub fn envied(round: &Round<'_>) -> Vec<Envied> {
    Settling::new(round).envied(&order(round))
}

/// Someone whose Fortune Bonus wager carries Envy.
struct Envious {
    position: Position,
    person: Person,
    /// What they hold themselves.
    own: Vec<BonusHand>,
    /// Whether only this position is their own.
    apart: bool,
}
