//! Irregularities, discretion, power failures, corrections.

use std::collections::BTreeMap;

use houseway_rules::rulebook::{Incident, Irregularity, Remedy, Role, Text, Wager};
use houseway_rules::{CardSet, Cents, set_house_way};

use super::{Asked, Decided, TABLE_POLICY, may_act};
use crate::adjudicate::differences;
use crate::command::{Call, Repair, Ruling};
use crate::deal::Spot;
use crate::event::{Event, How};
use crate::place::{Person, Position};
use crate::refusal::{Refusal, Why};
use crate::settlement::{Bet, Ending, Line, Owner, Standing, bank_after, settle};
use crate::setup::Setup;
use crate::stake::{Bank, Share, Stakes};
use crate::state::{InPlay, Past, Phase, Table, on_felt};

/// Whether some wager of the round has been won or lost for good: a pure function of the state, by
/// which a power failure is decided.
///
/// A hand that was given up or is dead has lost. Once the banker's hand is shown, so has, or won,
/// every standard wager that does not push.
pub fn outcome_established(table: &Table) -> bool {
    match &table.phase {
        Phase::Setting(play) => play.hands.values().any(|hand| hand.standing != Standing::Plays),
        Phase::Revealed(play) => {
            let lines = play.with_round(&table.setup, settle).unwrap_or_default();
            let main = lines.iter().filter(|line| line.bet == Bet::Standard);
            main.clone().any(|line| matches!(line.ending, Ending::Win | Ending::Lose))
        }
        _ => false,
    }
}

impl Asked<'_> {
    fn rule_on(&self, what: Incident) -> Result<&Irregularity, Refusal> {
        self.rules().irregularity(what).ok_or_else(|| Refusal::new(Why::NoSuchIrregularity))
    }

    pub(super) fn call(&self, call: &Call) -> Decided {
        let what = match call.what {
            // Which of the two it is follows from the round.
            Incident::PowerFailureOpen | Incident::PowerFailureDecided => {
                match outcome_established(self.table) {
                    true => Incident::PowerFailureDecided,
                    false => Incident::PowerFailureOpen,
                }
            }
            what => what,
        };
        let rule = self.rule_on(what)?;
        if !may_act(self.command.by.role, rule.called_by) {
            return Err(Refusal::by(Why::NeedsRole { role: rule.called_by }, &rule.cite));
        }
        let clause = || rule.cite.clone();
        match rule.remedy {
            Remedy::Void | Remedy::Redeal | Remedy::CountAndRedeal => {
                // What is wrong with dealt cards needs cards; a deck or a shuffler can be wrong before.
                let dealt = matches!(
                    rule.what,
                    Incident::TwoExposed
                        | Incident::FourExposed
                        | Incident::SpotMissed
                        | Incident::HandSize
                        | Incident::NotFourLeft
                );
                if dealt {
                    self.in_play()?;
                }
                self.void(rule)
            }
            Remedy::VoidUnlessMoved | Remedy::MoveHands => {
                self.unhandled(rule)?;
                match &call.repair {
                    Some(Repair::Swap(a, b)) => self.swap(*a, *b, rule),
                    _ if rule.remedy == Remedy::MoveHands => {
                        Err(Refusal::by(Why::NoSpot, &rule.cite))
                    }
                    _ => self.void(rule),
                }
            }
            Remedy::VoidUnlessReconstructed => match (&call.repair, &self.table.phase) {
                (Some(Repair::Reconstruct), _) => Ok(noted(rule, None)),
                (_, Phase::Idle) => self.void_past(rule),
                (_, Phase::Setting(_) | Phase::Revealed(_)) => self.void(rule),
                _ => Err(Refusal::by(Why::TooLate, &rule.cite)),
            },
            Remedy::Refuse => Err(Refusal::by(Why::TooLate, &rule.cite)),
            Remedy::HandOut => match (&call.repair, &self.table.phase) {
                (Some(Repair::Reconstruct), _) => Ok(noted(rule, None)),
                (_, Phase::Idle) => self.hand_out_of_past(position_of(call)?, rule),
                _ => self.hand_out(position_of(call)?, &clause(), true),
            },
            Remedy::ReturnWager => {
                self.looked(rule)?;
                self.hand_out(position_of(call)?, &clause(), true)
            }
            Remedy::SecondHandOut => self.second_hand_out(position_of(call)?, rule),
            Remedy::DiscardHand => {
                let play = self.looked(rule)?;
                match call.spot {
                    Some(Spot::At(position)) if play.hands.contains_key(&position) => {
                        Err(Refusal::by(Why::HasAWager, &rule.cite))
                    }
                    _ => Ok(noted(rule, None)),
                }
            }
            Remedy::SettleAsStood | Remedy::SettleToMaximum | Remedy::Stand => {
                Ok(noted(rule, None))
            }
            Remedy::SettleOnce => {
                let position = position_of(call)?;
                let person = self.table.seats.get(&position).copied();
                Ok(noted(rule, Some(person.ok_or_else(|| Refusal::new(Why::NotSeated))?)))
            }
            Remedy::MayWithdraw => self.dissatisfied(rule),
            Remedy::MayBar => self.bar(position_of(call)?, rule),
            Remedy::Reset | Remedy::Reconstruct => self.reset(call, rule),
            Remedy::Correct => self.correct(call, rule),
            Remedy::WithdrawAllOrNone | Remedy::PlayOn => {
                if !matches!(self.table.phase, Phase::Closed(..)) {
                    self.in_play()?;
                }
                let decided = rule.remedy == Remedy::PlayOn;
                Ok(vec![Event::PowerFailed { decided, clause: clause() }])
            }
            // What no rule covers is decided with a reason: `Rule`.
            Remedy::Decide => Err(Refusal::by(Why::NoReason, &rule.cite)),
        }
    }

    fn in_play(&self) -> Result<&InPlay, Refusal> {
        match &self.table.phase {
            Phase::Setting(play) | Phase::Revealed(play) => Ok(play),
            _ => Err(Refusal::new(Why::NotNow)),
        }
    }

    fn void(&self, rule: &Irregularity) -> Decided {
        self.voided(rule.cite.clone(), rule.what.to_string())
    }

    /// Every wager goes back, and the fees of the round (R10).
    pub(super) fn voided(&self, clause: Text, why: String) -> Decided {
        let (bank, fees, wagers) = match &self.table.phase {
            Phase::Betting(betting) => (betting.bank, &[][..], on_felt(&betting.stakes)),
            Phase::Closed(betting, fees) => (betting.bank, &fees[..], on_felt(&betting.stakes)),
            Phase::Setting(play) | Phase::Revealed(play) => {
                (play.bank, &play.fees[..], play.on_felt())
            }
            Phase::Idle | Phase::Offering { .. } => return Err(Refusal::new(Why::NotNow)),
        };
        let fees = fees.iter().map(|fee| Share { person: fee.person, amount: fee.amount });
        let bank = match bank {
            Bank::Player { person, put_up, .. } => Some(Share { person, amount: put_up }),
            Bank::House => None,
        };
        Ok(vec![Event::Voided { clause, why, wagers, bank, fees: fees.collect() }])
    }

    fn swap(&self, a: Spot, b: Spot, rule: &Irregularity) -> Decided {
        let play = self.in_play()?;
        if a == b || play.dealt_at(a).is_none() || play.dealt_at(b).is_none() {
            return Err(Refusal::new(Why::NoHand));
        }
        Ok(vec![Event::Swapped { a, b, clause: rule.cite.clone() }])
    }

    /// A wrong deal is put right or void as long as nobody has handled cards.
    fn unhandled(&self, rule: &Irregularity) -> Result<(), Refusal> {
        let play = self.in_play()?;
        match play.hands.values().any(|hand| hand.viewed || hand.low.is_some()) {
            true => Err(Refusal::by(Why::CardsHandled, &rule.cite)),
            false => Ok(()),
        }
    }

    /// Some mistakes have a rule of their own once a player has looked.
    fn looked(&self, rule: &Irregularity) -> Result<&InPlay, Refusal> {
        let play = self.in_play()?;
        match play.hands.values().any(|hand| hand.viewed) {
            true => Ok(play),
            false => Err(Refusal::by(Why::NobodyLooked, &rule.cite)),
        }
    }

    /// Only a second hand of someone who has looked at another is out.
    fn second_hand_out(&self, position: Position, rule: &Irregularity) -> Decided {
        let play = self.in_play()?;
        let Some(hand) = play.hands.get(&position) else { return Err(Refusal::new(Why::NoHand)) };
        let first = play
            .hands
            .iter()
            .any(|(&at, other)| at != position && other.holder == hand.holder && other.viewed);
        match first && !hand.viewed {
            true => self.hand_out(position, &rule.cite, false),
            false => Err(Refusal::by(Why::FirstHand, &rule.cite)),
        }
    }

    /// The round before is void: what it moved goes back, fees included.
    fn void_past(&self, rule: &Irregularity) -> Decided {
        let Some(past) = &self.table.past else { return Err(Refusal::new(Why::NotNow)) };
        let lines = past.play.returned_lines(|_| true, &rule.cite);
        let mut all = differences(past.play.bank, &past.lines, &lines);
        for fee in &past.play.fees {
            let amount = i64::try_from(fee.amount.get()).unwrap_or(i64::MAX);
            match all.iter_mut().find(|(person, _)| *person == fee.person) {
                Some((_, difference)) => *difference += amount,
                None => all.push((fee.person, amount)),
            }
        }
        let spot = past.play.banker_spot();
        let low = low_at(&past.play, spot).unwrap_or(CardSet::EMPTY);
        Ok(vec![self.corrected(past, (spot, low), lines, all, rule)])
    }

    /// A hand of the round before is out: its wagers go back, the others stand as they are without
    /// it.
    fn hand_out_of_past(&self, position: Position, rule: &Irregularity) -> Decided {
        let Some(past) = &self.table.past else { return Err(Refusal::new(Why::NotNow)) };
        let mut play = past.play.clone();
        if !play.hands.contains_key(&position) {
            return Err(Refusal::new(Why::NoHand));
        }
        // What went back before stays as it is.
        let gone = past.lines.iter().filter(|line| !play.hands.contains_key(&line.position));
        let mut lines: Vec<Line> =
            gone.filter(|line| line.ending == Ending::Returned).cloned().collect();
        lines.extend(play.returned_lines(|at| at == position, &rule.cite));
        play.hands.remove(&position);
        let rest = play.with_round(&self.table.setup, settle);
        lines.extend(rest.ok_or_else(|| Refusal::new(Why::NotSet))?);
        let all = differences(play.bank, &past.lines, &lines);
        let spot = Spot::At(position);
        let low = low_at(&past.play, spot).unwrap_or(CardSet::EMPTY);
        Ok(vec![self.corrected(past, (spot, low), lines, all, rule)])
    }

    /// A correction of the round before. Nobody gives back more than they have here.
    fn corrected(
        &self,
        past: &Past,
        (spot, low): (Spot, CardSet),
        lines: Vec<Line>,
        mut differences: Vec<(Person, i64)>,
        rule: &Irregularity,
    ) -> Event {
        for (person, difference) in &mut differences {
            let stack = i64::try_from(self.stack(*person).get()).unwrap_or(i64::MAX);
            *difference = (*difference).max(-stack);
        }
        differences.retain(|(_, difference)| *difference != 0);
        let clause = rule.cite.clone();
        let (round, what) = (past.round, rule.what);
        Event::Corrected { round, what, spot, low, lines, differences, clause }
    }

    /// A hand is out, and what lies there goes back.
    fn hand_out(&self, position: Position, clause: &Text, may_withdraw: bool) -> Decided {
        let play = self.in_play()?;
        let Some(hand) = play.hands.get(&position) else { return Err(Refusal::new(Why::NoHand)) };
        let mut events: Vec<Event> = hand
            .stakes
            .shares()
            .map(|(wager, share)| Event::Returned {
                position,
                person: share.person,
                wager,
                amount: share.amount,
                clause: Some(clause.clone()),
            })
            .collect();
        events.push(Event::HandOut { position, may_withdraw, clause: clause.clone() });
        Ok(events)
    }

    /// Whoever lost a hand by 5.7, 5.8 or 5.9 may withdraw the rest before more cards are shown.
    fn dissatisfied(&self, rule: &Irregularity) -> Decided {
        let Phase::Setting(play) = &self.table.phase else { return Err(Refusal::new(Why::NotNow)) };
        if !play.may_withdraw.contains(&self.person()) {
            return Err(Refusal::by(Why::NotYours, &rule.cite));
        }
        let events = all_out(play, self.person(), &rule.cite);
        if events.is_empty() { Err(Refusal::new(Why::NoHand)) } else { Ok(events) }
    }

    fn bar(&self, position: Position, rule: &Irregularity) -> Decided {
        let Some(&person) = self.table.seats.get(&position) else {
            return Err(Refusal::new(Why::NotSeated));
        };
        let mut events = match &self.table.phase {
            Phase::Setting(play) | Phase::Revealed(play) => all_out(play, person, &rule.cite),
            Phase::Betting(it) | Phase::Closed(it, _) => {
                all_back(&self.table.setup, &it.stakes, person, &rule.cite)
            }
            Phase::Idle | Phase::Offering { .. } => vec![],
        };
        events.push(Event::Barred { person, clause: rule.cite.clone() });
        Ok(events)
    }

    /// A hand that should be set the House Way is set again as the sheet says.
    fn reset(&self, call: &Call, rule: &Irregularity) -> Decided {
        let play = self.in_play()?;
        let spot = call.spot.ok_or_else(|| Refusal::by(Why::NoSpot, &rule.cite))?;
        let dealt = play.dealt_at(spot).ok_or_else(|| Refusal::new(Why::NoHand))?;
        if rule.what == Incident::BankerMisset && !play.is_banker(spot) {
            return Err(Refusal::by(Why::NotYours, &rule.cite));
        }
        players_own(play, spot, rule)?;
        let low = set_house_way(self.rules(), dealt).setting.low();
        if low_at(play, spot).is_none_or(|now| now == low) {
            return Err(Refusal::by(Why::SetRight, &rule.cite));
        }
        Ok(vec![Event::Reset { spot, low, clause: rule.cite.clone() }])
    }

    /// A House Way found wrong after the round: the difference is paid or taken back.
    fn correct(&self, call: &Call, rule: &Irregularity) -> Decided {
        let (Phase::Idle | Phase::Offering { .. } | Phase::Betting(_)) = &self.table.phase else {
            return Err(Refusal::new(Why::NotNow));
        };
        let Some(past) = &self.table.past else { return Err(Refusal::new(Why::NotNow)) };
        let spot = call.spot.ok_or_else(|| Refusal::by(Why::NoSpot, &rule.cite))?;
        let mut play = past.play.clone();
        let dealt = play.dealt_at(spot).ok_or_else(|| Refusal::new(Why::NoHand))?;
        players_own(&play, spot, rule)?;
        let low = set_house_way(self.rules(), dealt).setting.low();
        let now = low_at(&play, spot).ok_or_else(|| Refusal::new(Why::NoHand))?;
        if now == low {
            return Err(Refusal::by(Why::SetRight, &rule.cite));
        }
        play.set_low(spot, low);
        let lines = play.with_round(&self.table.setup, settle);
        let lines = lines.ok_or_else(|| Refusal::new(Why::NotSet))?;
        let all = differences(play.bank, &past.lines, &lines);
        Ok(vec![self.corrected(past, (spot, low), lines, all, rule)])
    }

    /// After a power failure everyone may withdraw everything, as long as nothing is decided.
    pub(super) fn withdraw_all(&self) -> Decided {
        let rule = self.rule_on(Incident::PowerFailureOpen)?;
        let person = self.person();
        let events = match &self.table.phase {
            Phase::Setting(play) if play.power_out => all_out(play, person, &rule.cite),
            Phase::Closed(betting, _) if betting.power_out => {
                all_back(&self.table.setup, &betting.stakes, person, &rule.cite)
            }
            _ => return Err(Refusal::by(Why::NotNow, &rule.cite)),
        };
        if events.is_empty() { Err(Refusal::new(Why::NoHand)) } else { Ok(events) }
    }

    pub(super) fn rule(&self, ruling: Ruling, reason: &str) -> Decided {
        // Where the document says nothing, it is the table's policy that someone decides.
        let rule = self.rules().irregularity(Incident::NotCovered);
        let policy = TABLE_POLICY;
        let cite = rule.map_or(&policy, |rule| &rule.cite);
        let role = rule.map_or(Role::GamingShiftManager, |rule| rule.called_by);
        if !may_act(self.command.by.role, role) {
            return Err(Refusal::by(Why::NeedsRole { role }, cite));
        }
        if reason.trim().is_empty() {
            return Err(Refusal::by(Why::NoReason, cite));
        }
        let clause = cite.clone();
        let by = self.command.by;
        let mut events =
            vec![Event::Ruled { by, ruling, reason: reason.to_string(), clause: clause.clone() }];
        match ruling {
            Ruling::PlayOn => {}
            Ruling::Void => events.extend(self.voided(clause, reason.to_string())?),
            Ruling::HandOut(position) => events.extend(self.hand_out(position, &clause, false)?),
        }
        Ok(events)
    }
}

/// Everything of someone's goes back, shares at others' positions included. A hand is out once
/// nobody has a standard wager on it.
fn all_out(play: &InPlay, person: Person, clause: &Text) -> Vec<Event> {
    let mut events = vec![];
    for (&position, hand) in &play.hands {
        let standard = hand.stakes.of(Wager::Standard);
        let stays = standard.iter().any(|share| share.person != person);
        let gone: Vec<(Wager, Share)> =
            hand.stakes.shares().filter(|(_, it)| !stays || it.person == person).collect();
        let touched = gone.iter().any(|(_, share)| share.person == person);
        if !touched {
            continue;
        }
        events.extend(gone.iter().map(|&(wager, Share { person, amount })| Event::Returned {
            position,
            person,
            wager,
            amount,
            clause: Some(clause.clone()),
        }));
        if !stays {
            let may_withdraw = false;
            events.push(Event::HandOut { position, may_withdraw, clause: clause.clone() });
        }
    }
    events
}

/// The same before cards are dealt.
fn all_back(
    setup: &Setup,
    stakes: &BTreeMap<Position, Stakes>,
    person: Person,
    clause: &Text,
) -> Vec<Event> {
    let mut events = vec![];
    for (&position, there) in stakes {
        // What others have left must still be a wager within the limits.
        let left = |wager: Wager| {
            let others = there.of(wager).iter().filter(|share| share.person != person);
            crate::stake::sum(others.map(|share| share.amount))
        };
        let enough = |wager: Wager| {
            setup.range(wager).is_some_and(|(range, _)| left(wager) >= range.minimum)
        };
        let stays = enough(Wager::Standard);
        let touched = there.shares().any(|(_, share)| share.person == person);
        for (wager, Share { person: whose, amount }) in there.shares().filter(|_| touched) {
            if whose == person || !stays || !enough(wager) {
                let clause = Some(clause.clone());
                events.push(Event::Returned { position, person: whose, wager, amount, clause });
            }
        }
    }
    events
}

fn position_of(call: &Call) -> Result<Position, Refusal> {
    match call.spot {
        Some(Spot::At(position)) => Ok(position),
        _ => Err(Refusal::new(Why::NoSpot)),
    }
}

fn noted(rule: &Irregularity, person: Option<Person>) -> Vec<Event> {
    vec![Event::Noted { what: rule.what, person, clause: rule.cite.clone() }]
}

/// Refused for a hand that its player laid: that is no House Way to be wrong.
fn players_own(play: &InPlay, spot: Spot, rule: &Irregularity) -> Result<(), Refusal> {
    let Spot::At(position) = spot else { return Ok(()) };
    let hand = play.hands.get(&position).filter(|_| !play.is_banker(spot));
    match hand.and_then(|hand| hand.low) {
        Some((_, How::Laid)) => Err(Refusal::by(Why::PlayersOwn, &rule.cite)),
        _ => Ok(()),
    }
}

/// The two cards that are Low at a spot.
fn low_at(play: &InPlay, spot: Spot) -> Option<CardSet> {
    match spot {
        spot if play.is_banker(spot) => play.banker.low,
        Spot::At(position) if play.dealer == Some(position) => play.house.and_then(|it| it.low),
        Spot::At(position) => play.hands.get(&position)?.low.map(|(low, _)| low),
        Spot::Dealer => None,
    }
}

/// What each person gained by lines, in cents, the banking player included.
pub(crate) fn gains(bank: Bank, lines: &[Line]) -> Vec<(Person, i64)> {
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
