//! Irregularities, discretion, power failures, corrections.

use houseway_rules::rulebook::{Incident, Irregularity, Remedy, Role, Text};
use houseway_rules::{CardSet, Cents, set_house_way};

use super::play::bank_after;
use super::{Asked, Decided, may_act};
use crate::adjudicate::differences;
use crate::command::{Call, Repair, Ruling};
use crate::deal::Spot;
use crate::event::Event;
use crate::place::{Person, Position};
use crate::refusal::{Refusal, Why};
use crate::settlement::{Line, Owner, Standing, settle};
use crate::stake::{Bank, Share};
use crate::state::{InPlay, Phase, Table, on_felt};

/// Whether some wager of the round has been won or lost for good: a pure function of the state, by
/// which a power failure is decided.
pub fn outcome_established(table: &Table) -> bool {
    match &table.phase {
        Phase::Setting(play) | Phase::Revealed(play) => {
            play.hands.values().any(|hand| hand.standing != Standing::Plays)
        }
        _ => false,
    }
}

impl Asked<'_> {
    fn rule_on(&self, what: Incident) -> Result<&Irregularity, Refusal> {
        let found = self.rules().irregularities.iter().find(|it| it.what == what);
        found.ok_or_else(|| Refusal::new(Why::NoSuchIrregularity))
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
            Remedy::Void | Remedy::Redeal | Remedy::CountAndRedeal => self.void(rule),
            Remedy::VoidUnlessMoved | Remedy::MoveHands => match &call.repair {
                Some(Repair::Swap(a, b)) => self.swap(*a, *b, rule),
                _ if rule.remedy == Remedy::MoveHands => Err(Refusal::by(Why::NoSpot, &rule.cite)),
                _ => self.void(rule),
            },
            Remedy::VoidUnlessReconstructed => match &call.repair {
                Some(Repair::Reconstruct) => Ok(noted(rule)),
                _ => self.void(rule),
            },
            Remedy::Refuse => Err(Refusal::by(Why::TooLate, &rule.cite)),
            Remedy::HandOut => match &call.repair {
                Some(Repair::Reconstruct) => Ok(noted(rule)),
                _ => self.hand_out(position_of(call)?, &clause(), true),
            },
            Remedy::ReturnWager => self.hand_out(position_of(call)?, &clause(), true),
            Remedy::SecondHandOut => self.hand_out(position_of(call)?, &clause(), false),
            Remedy::SettleAsStood
            | Remedy::DiscardHand
            | Remedy::SettleOnce
            | Remedy::SettleToMaximum
            | Remedy::Stand => Ok(noted(rule)),
            Remedy::MayWithdraw => self.dissatisfied(rule),
            Remedy::MayBar => self.bar(position_of(call)?, rule),
            Remedy::Reset | Remedy::Reconstruct => self.reset(call, rule),
            Remedy::Correct => self.correct(call, rule),
            Remedy::WithdrawAllOrNone | Remedy::PlayOn => {
                self.in_play()?;
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
    fn voided(&self, clause: Text, why: String) -> Decided {
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
        let play = self.setting_unhandled(rule)?;
        if a == b || play.dealt_at(a).is_none() || play.dealt_at(b).is_none() {
            return Err(Refusal::new(Why::NoHand));
        }
        Ok(vec![Event::Swapped { a, b, clause: rule.cite.clone() }])
    }

    /// Hands can be moved as long as nobody has handled them.
    fn setting_unhandled(&self, rule: &Irregularity) -> Result<&InPlay, Refusal> {
        let play = self.in_play()?;
        match play.hands.values().any(|hand| hand.viewed || hand.low.is_some()) {
            true => Err(Refusal::by(Why::TooLate, &rule.cite)),
            false => Ok(play),
        }
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

    /// Every hand of someone is out.
    fn all_out(&self, play: &InPlay, person: Person, clause: &Text) -> Decided {
        let own = play.hands.iter().filter(|(_, hand)| hand.holder == person);
        let mut events = vec![];
        for (&position, _) in own {
            events.extend(self.hand_out(position, clause, false)?);
        }
        Ok(events)
    }

    /// Whoever lost a hand by 5.7, 5.8 or 5.9 may withdraw the rest before more cards are shown.
    fn dissatisfied(&self, rule: &Irregularity) -> Decided {
        let Phase::Setting(play) = &self.table.phase else { return Err(Refusal::new(Why::NotNow)) };
        if !play.may_withdraw.contains(&self.person()) {
            return Err(Refusal::by(Why::NotYours, &rule.cite));
        }
        let events = self.all_out(play, self.person(), &rule.cite)?;
        if events.is_empty() { Err(Refusal::new(Why::NoHand)) } else { Ok(events) }
    }

    fn bar(&self, position: Position, rule: &Irregularity) -> Decided {
        let Some(&person) = self.table.seats.get(&position) else {
            return Err(Refusal::new(Why::NotSeated));
        };
        let mut events = match &self.table.phase {
            Phase::Setting(play) | Phase::Revealed(play) => {
                self.all_out(play, person, &rule.cite)?
            }
            _ => vec![],
        };
        events.push(Event::Barred { person, clause: rule.cite.clone() });
        Ok(events)
    }

    /// A hand that should be set the House Way is set again as the sheet says.
    fn reset(&self, call: &Call, rule: &Irregularity) -> Decided {
        let play = self.in_play()?;
        let spot = call.spot.ok_or_else(|| Refusal::by(Why::NoSpot, &rule.cite))?;
        let dealt = play.dealt_at(spot).ok_or_else(|| Refusal::new(Why::NoHand))?;
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
        let low = set_house_way(self.rules(), dealt).setting.low();
        if low_at(&play, spot) == Some(low) {
            return Err(Refusal::by(Why::SetRight, &rule.cite));
        }
        play.set_low(spot, low);
        let lines = play.with_round(&self.table.setup, settle);
        let lines = lines.ok_or_else(|| Refusal::new(Why::NotSet))?;
        let mut differences = differences(play.bank, &past.lines, &lines);
        // Nobody gives back more than they have here.
        for (person, difference) in &mut differences {
            let stack = i64::try_from(self.stack(*person).get()).unwrap_or(i64::MAX);
            *difference = (*difference).max(-stack);
        }
        differences.retain(|(_, difference)| *difference != 0);
        Ok(vec![Event::Corrected {
            round: past.round,
            spot,
            low,
            lines,
            differences,
            clause: rule.cite.clone(),
        }])
    }

    pub(super) fn withdraw_all(&self) -> Decided {
        let play = self.in_play()?;
        let rule = self.rule_on(Incident::PowerFailureOpen)?;
        if !play.power_out {
            return Err(Refusal::by(Why::NotNow, &rule.cite));
        }
        let events = self.all_out(play, self.person(), &rule.cite)?;
        if events.is_empty() { Err(Refusal::new(Why::NoHand)) } else { Ok(events) }
    }

    pub(super) fn rule(&self, ruling: Ruling, reason: &str) -> Decided {
        let rule = self.rule_on(Incident::NotCovered)?;
        if !may_act(self.command.by.role, rule.called_by) {
            return Err(Refusal::by(Why::NeedsRole { role: Role::GamingShiftManager }, &rule.cite));
        }
        if reason.trim().is_empty() {
            return Err(Refusal::by(Why::NoReason, &rule.cite));
        }
        let clause = rule.cite.clone();
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

fn position_of(call: &Call) -> Result<Position, Refusal> {
    match call.spot {
        Some(Spot::At(position)) => Ok(position),
        _ => Err(Refusal::new(Why::NoSpot)),
    }
}

fn noted(rule: &Irregularity) -> Vec<Event> {
    vec![Event::Noted { what: rule.what, clause: rule.cite.clone() }]
}

/// The two cards that are Low at a spot.
fn low_at(play: &InPlay, spot: Spot) -> Option<CardSet> {
    match spot {
        Spot::At(position) if play.bank.position() == Some(position) => play.banker.low,
        Spot::At(position) => match play.hands.get(&position) {
            Some(hand) => hand.low.map(|(low, _)| low),
            None => play.house.and_then(|house| house.low),
        },
        Spot::Dealer => play.banker.low,
    }
}

/// What each person gained by lines, in cents, the banking player included.
pub(crate) fn gains(bank: Bank, lines: &[Line]) -> Vec<(Person, i64)> {
    let signed = |amount: Cents| i64::try_from(amount.get()).expect("money on one table");
    let mut all: Vec<(Person, i64)> = lines
        .iter()
        .filter_map(|line| match line.owner {
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
