//! Irregularities, discretion, power failures, corrections.

use houseway_rules::rulebook::{Hands, Incident, Irregularity, Remedy, Role, Text, Wager};
use houseway_rules::{CardSet, Cents, set_house_way};

use super::betting::is_wagered;
use super::play::{is_under_minimum, laid};
use super::{Asked, Decided, TABLE_POLICY, may_act};
use crate::command::{Call, Repair, Ruling};
use crate::deal::Spot;
use crate::event::{Event, How};
use crate::place::{Person, Places, Position};
use crate::refusal::{Refusal, Why};
use crate::settlement::{Bet, Ending, Line, Standing, differences, settle};
use crate::setup::Setup;
use crate::stake::{Bank, Share, Stakes, WAGERS, sum};
use crate::state::{InHand, InPlay, Past, Phase, Table};

/// Whether some wager of the round has been won or lost for good: a pure function of the state, by
/// which a power failure is decided.
///
/// A hand that was given up or is dead has lost. Once the banker's hand is shown, so has, or won,
/// every standard wager that does not push: so what follows from a power failure then depends on
/// hands that still lie face down, as the rule does.
pub fn outcome_established(table: &Table) -> bool {
    match &table.phase {
        Phase::Setting(play) => play.hands.values().any(|hand| {
            // What goes back takes no part: it has neither won nor lost.
            matches!(hand.standing, Standing::Conceded(_) | Standing::Dead(_))
        }),
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
        is_well_formed(call, rule)?;
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
            Remedy::VoidUnlessReconstructed => self.bankers_size(call, rule),
            Remedy::Refuse => Err(Refusal::by(Why::TooLate, &rule.cite)),
            Remedy::HandOut => self.hands_size(call, rule),
            Remedy::ReturnWager => {
                self.looked(rule)?;
                self.hand_out(position_of(call, rule)?, &rule.cite, true)
            }
            Remedy::SecondHandOut => self.second_hand_out(position_of(call, rule)?, rule),
            Remedy::DiscardHand => {
                let play = self.looked(rule)?;
                let position = self.seat_of(call, rule)?;
                // A hand that is out had its wager, where only those with one are dealt.
                let out = self.table.setup.dealing().hands == Hands::Wagered
                    && play.dealt_at(Spot::At(position)).is_some();
                match out || play.hands.contains_key(&position) {
                    true => Err(Refusal::by(Why::HasAWager, &rule.cite)),
                    false => Ok(noted(rule, None)),
                }
            }
            Remedy::SettleAsStood => {
                self.frozen(position_of(call, rule)?, rule)?;
                Ok(noted(rule, None))
            }
            Remedy::SettleToMaximum => {
                let stakes = self.frozen(position_of(call, rule)?, rule)?;
                match WAGERS.iter().any(|&on| is_over_maximum(&self.table.setup, stakes, on)) {
                    true => Ok(noted(rule, None)),
                    false => Err(Refusal::by(Why::NotOverMaximum, &rule.cite)),
                }
            }
            // What earlier rounds were is not kept: any position may have had such a wager.
            Remedy::Stand => match (self.seat_of(call, rule)?, &self.table.past) {
                (_, Some(_)) => Ok(noted(rule, None)),
                (_, None) => Err(Refusal::by(Why::NotNow, &rule.cite)),
            },
            Remedy::SettleOnce => self.settled_once(position_of(call, rule)?, rule),
            Remedy::MayWithdraw => self.dissatisfied(rule),
            Remedy::MayBar => self.bar(position_of(call, rule)?, rule),
            Remedy::Reset | Remedy::Reconstruct => self.reset(call, rule),
            Remedy::Correct => self.correct(call, rule),
            Remedy::WithdrawAllOrNone | Remedy::PlayOn => {
                if !matches!(self.table.phase, Phase::Closed(..)) {
                    self.in_play()?;
                }
                let decided = rule.remedy == Remedy::PlayOn;
                Ok(vec![Event::PowerFailed { decided, clause: rule.cite.clone() }])
            }
            // What no rule covers is decided with a reason: `Rule`.
            Remedy::Decide => Err(Refusal::by(Why::NoReason, &rule.cite)),
        }
    }

    /// The banker's hand has not seven cards: void, or put together again, in the round or before
    /// the next one.
    fn bankers_size(&self, call: &Call, rule: &Irregularity) -> Decided {
        match (self.just_played(), self.in_play()) {
            (None, Err(_)) => Err(Refusal::by(Why::NotNow, &rule.cite)),
            _ if call.repair.is_some() => Ok(noted(rule, None)),
            (Some(past), _) => Ok(vec![self.void_past(past, rule)]),
            (None, Ok(_)) => self.void(rule),
        }
    }

    /// The same of a player's hand: it is out.
    fn hands_size(&self, call: &Call, rule: &Irregularity) -> Decided {
        let position = position_of(call, rule)?;
        let past = self.just_played();
        let play = past.map_or_else(|| self.in_play(), |past| Ok(&past.play))?;
        if !play.hands.contains_key(&position) {
            return Err(Refusal::by(Why::NoHand, &rule.cite));
        }
        match past {
            _ if call.repair.is_some() => Ok(noted(rule, None)),
            Some(past) => self.hand_out_of_past(past, position, rule),
            None => self.hand_out(position, &rule.cite, true),
        }
    }

    /// The round before, as long as no other has begun.
    fn just_played(&self) -> Option<&Past> {
        let past = self.table.past.as_ref().filter(|past| past.void.is_none())?;
        (self.table.phase == Phase::Idle && past.round == self.table.round).then_some(past)
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
        let phase = &self.table.phase;
        let bank = phase.bank().ok_or(Refusal::new(Why::NotNow))?;
        let fees = match phase {
            Phase::Closed(_, fees) => &fees[..],
            Phase::Setting(play) | Phase::Revealed(play) => &play.fees,
            Phase::Idle | Phase::Offering { .. } | Phase::Betting(_) => &[],
        };
        let wagers = phase.shares().into_iter().map(|(at, _, share)| (at, share)).collect();
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
            return Err(Refusal::by(Why::NoHand, &rule.cite));
        }
        Ok(vec![Event::Swapped { a, b, clause: rule.cite.clone() }])
    }

    /// A wrong deal is put right or void as long as nobody has handled cards.
    fn unhandled(&self, rule: &Irregularity) -> Result<(), Refusal> {
        let play = self.in_play()?;
        let shown = matches!(self.table.phase, Phase::Revealed(_));
        match shown || play.hands.values().any(|hand| hand.viewed || hand.low.is_some()) {
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
    fn void_past(&self, past: &Past, rule: &Irregularity) -> Event {
        let mut lines = past.returned_before();
        lines.extend(past.play.returned_lines(|_| true, &rule.cite));
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
        self.corrected(past, (spot, low), lines, all, rule)
    }

    /// A hand of the round before is out: its wagers go back, the others stand as they are without
    /// it.
    fn hand_out_of_past(&self, past: &Past, position: Position, rule: &Irregularity) -> Decided {
        let mut play = past.play.clone();
        let mut lines = past.returned_before();
        lines.extend(play.returned_lines(|at| at == position, &rule.cite));
        play.hands.remove(&position);
        let rest = play.with_round(&self.table.setup, settle);
        lines.extend(rest.ok_or_else(|| Refusal::new(Why::NotSet))?);
        let all = differences(play.bank, &past.lines, &lines);
        let spot = Spot::At(position);
        let low = low_at(&past.play, spot).unwrap_or(CardSet::EMPTY);
        Ok(vec![self.corrected(past, (spot, low), lines, all, rule)])
    }

    /// A correction of the round before. What someone does not have here they owe.
    fn corrected(
        &self,
        past: &Past,
        (spot, low): (Spot, CardSet),
        lines: Vec<Line>,
        mut differences: Vec<(Person, i64)>,
        rule: &Irregularity,
    ) -> Event {
        let mut owed = vec![];
        for (person, difference) in &mut differences {
            let stack = i64::try_from(self.stack(*person).get()).unwrap_or(i64::MAX);
            let taken = (*difference).max(-stack);
            if taken > *difference {
                owed.push((*person, Cents::new(difference.abs_diff(taken))));
            }
            *difference = taken;
        }
        differences.retain(|(_, difference)| *difference != 0);
        let clause = rule.cite.clone();
        let (round, what) = (past.round, rule.what);
        Event::Corrected { round, what, spot, low, lines, differences, owed, clause }
    }

    /// What lies at a position once no more may be placed or withdrawn there.
    fn frozen(&self, position: Position, rule: &Irregularity) -> Result<&Stakes, Refusal> {
        let stakes = match &self.table.phase {
            Phase::Closed(betting, _) => betting.stakes.get(&position),
            Phase::Setting(play) | Phase::Revealed(play) => {
                play.hands.get(&position).map(|hand| &hand.stakes)
            }
            _ => return Err(Refusal::by(Why::NotNow, &rule.cite)),
        };
        stakes.ok_or_else(|| Refusal::by(Why::NoSuchWager, &rule.cite))
    }

    /// A wager under the minimum stands this once, if it is found when its outcome is known and the
    /// next round has not begun.
    fn settled_once(&self, position: Position, rule: &Irregularity) -> Decided {
        let play = match (&self.table.phase, self.just_played()) {
            (Phase::Revealed(play), _) => play,
            (_, Some(past)) => &past.play,
            _ => return Err(Refusal::by(Why::NotNow, &rule.cite)),
        };
        let hand = play.hands.get(&position);
        let hand = hand.ok_or_else(|| Refusal::by(Why::NoSuchWager, &rule.cite))?;
        let under = |&on: &Wager| is_under_minimum(&self.table.setup, &hand.stakes, on);
        // One that went back was not settled.
        match WAGERS.iter().any(under) && !matches!(hand.standing, Standing::Returned(_)) {
            true => Ok(noted(rule, Some(hand.holder))),
            false => Err(Refusal::by(Why::NotUnderMinimum, &rule.cite)),
        }
    }

    /// A position where someone can sit.
    fn seat_of(&self, call: &Call, rule: &Irregularity) -> Result<Position, Refusal> {
        let position = position_of(call, rule)?;
        match Places::of(self.rules()).has_seat(position) {
            true => Ok(position),
            false => Err(Refusal::by(Why::NoSuchPosition, &rule.cite)),
        }
    }

    /// Once nobody has a standard wager in the round there is nothing to play for: it ends as a void
    /// one does (R10).
    fn concluded(&self, mut events: Vec<Event>, clause: &Text) -> Decided {
        let after = self.after(&events);
        let (bank, is_left) = match &after.phase {
            Phase::Closed(betting, _) => (betting.bank, is_wagered(betting)),
            Phase::Setting(play) | Phase::Revealed(play) => (play.bank, !play.hands.is_empty()),
            Phase::Idle | Phase::Offering { .. } | Phase::Betting(_) => return Ok(events),
        };
        // The house's own wager against a banking player is one too.
        let house_wagers =
            matches!(bank, Bank::Player { house_wager, .. } if house_wager > Cents::ZERO);
        if !is_left && !house_wagers {
            let ended = Asked { table: &after, ..*self };
            events.extend(ended.voided(clause.clone(), "no wager is left".into())?);
        }
        Ok(events)
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
        let may_withdraw = if may_withdraw { hand.partakers() } else { vec![] };
        events.push(Event::HandOut { position, may_withdraw, clause: clause.clone() });
        self.concluded(events, clause)
    }

    /// Whoever had part in a hand that went by 5.7, 5.8 or 5.9 may withdraw the rest before more cards are shown.
    fn dissatisfied(&self, rule: &Irregularity) -> Decided {
        let Phase::Setting(play) = &self.table.phase else { return Err(Refusal::new(Why::NotNow)) };
        if !play.may_withdraw.contains(&self.person()) {
            return Err(Refusal::by(Why::NotYours, &rule.cite));
        }
        self.withdrawn(&rule.cite)
    }

    /// Everything of the asker's goes back; there must be something.
    fn withdrawn(&self, clause: &Text) -> Decided {
        match self.all_back(self.person(), clause) {
            events if events.is_empty() => Err(Refusal::new(Why::NoHand)),
            events => self.concluded(events, clause),
        }
    }

    fn bar(&self, position: Position, rule: &Irregularity) -> Decided {
        let Some(&person) = self.table.seats.get(&position) else {
            return Err(Refusal::new(Why::NotSeated));
        };
        if self.table.people.get(&person).is_some_and(|guest| guest.barred) {
            return Err(Refusal::by(Why::AlreadyDone, &rule.cite));
        }
        let mut events = self.all_back(person, &rule.cite);
        events.push(Event::Barred { person, clause: rule.cite.clone() });
        self.concluded(events, &rule.cite)
    }

    /// A hand that should be set the House Way is set again as the sheet says; a banking player's as
    /// it was meant, where that is known.
    fn reset(&self, call: &Call, rule: &Irregularity) -> Decided {
        let play = self.in_play()?;
        let spot = call.spot.ok_or_else(|| Refusal::by(Why::NoSpot, &rule.cite))?;
        let dealt = play.dealt_at(spot).ok_or_else(|| Refusal::new(Why::NoHand))?;
        let banks = matches!(play.bank, Bank::Player { .. });
        if rule.what == Incident::BankerMisset && !(banks && play.is_banker(spot)) {
            return Err(Refusal::by(Why::NotYours, &rule.cite));
        }
        // How a player's hand came to be set is told when hands are compared: until then the same is
        // said of every one of them.
        if !play.is_banker(spot) && matches!(spot, Spot::At(at) if play.hands.contains_key(&at)) {
            return Err(Refusal::by(Why::SetRight, &rule.cite));
        }
        // Before it is shown nobody is told whether cards are in it.
        let Some(now) = low_at(play, spot) else {
            return Err(Refusal::by(Why::NotNow, &rule.cite));
        };
        let (low, otherwise) = match call.repair {
            Some(Repair::Lay(low)) => {
                let low = laid(self.rules(), dealt, low)?;
                (low.ok_or_else(|| Refusal::new(Why::FoulBanker))?, Why::AlreadyDone)
            }
            _ => (set_house_way(self.rules(), dealt).setting.low(), Why::SetRight),
        };
        if now == low {
            return Err(Refusal::by(otherwise, &rule.cite));
        }
        Ok(vec![Event::Reset { spot, low, clause: rule.cite.clone() }])
    }

    /// A House Way found wrong after the round: the difference is paid or taken back.
    fn correct(&self, call: &Call, rule: &Irregularity) -> Decided {
        let (Phase::Idle | Phase::Offering { .. } | Phase::Betting(_)) = &self.table.phase else {
            return Err(Refusal::new(Why::NotNow));
        };
        let Some(past) = self.table.past.as_ref().filter(|past| past.void.is_none()) else {
            return Err(Refusal::new(Why::NotNow));
        };
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
        let settled = play.with_round(&self.table.setup, settle);
        let mut lines = past.returned_before();
        lines.extend(settled.ok_or_else(|| Refusal::new(Why::NotSet))?);
        let all = differences(play.bank, &past.lines, &lines);
        Ok(vec![self.corrected(past, (spot, low), lines, all, rule)])
    }

    /// After a power failure everyone may withdraw everything, as long as nothing is decided.
    pub(super) fn withdraw_all(&self) -> Decided {
        let rule = self.rule_on(Incident::PowerFailureOpen)?;
        let power_out = match &self.table.phase {
            Phase::Closed(betting, _) => betting.power_out,
            Phase::Setting(play) | Phase::Revealed(play) => play.power_out,
            _ => false,
        };
        match power_out && !outcome_established(self.table) {
            true => self.withdrawn(&rule.cite),
            false => Err(Refusal::by(Why::NotNow, &rule.cite)),
        }
    }

    /// Everything of someone's goes back, shares at others' positions included. What others have
    /// there stays as long as it is a wager: before the deal that is one within the limits.
    fn all_back(&self, person: Person, clause: &Text) -> Vec<Event> {
        let (all, dealt): (Vec<(&Position, &Stakes)>, bool) = match &self.table.phase {
            Phase::Betting(it) | Phase::Closed(it, _) => (it.stakes.iter().collect(), false),
            Phase::Setting(play) | Phase::Revealed(play) => {
                (play.hands.iter().map(|(at, hand)| (at, &hand.stakes)).collect(), true)
            }
            Phase::Idle | Phase::Offering { .. } => return vec![],
        };
        let own = |(_, share): &(Wager, Share)| share.person == person;
        let mut events = vec![];
        for (&position, there) in all.into_iter().filter(|(_, it)| it.shares().any(|it| own(&it))) {
            let stays = |wager: Wager| {
                let others = there.of(wager).iter().filter(|share| share.person != person);
                let left = sum(others.map(|share| share.amount));
                let range = self.table.setup.range(wager).filter(|_| !dealt);
                left > Cents::ZERO && range.is_none_or(|(range, _)| left >= range.minimum)
            };
            let opens = stays(Wager::Standard);
            let goes = |it: &(Wager, Share)| own(it) || !opens || !stays(it.0);
            for (wager, Share { person, amount }) in there.shares().filter(goes) {
                let clause = Some(clause.clone());
                events.push(Event::Returned { position, person, wager, amount, clause });
            }
            if dealt && !opens {
                let may_withdraw = vec![];
                events.push(Event::HandOut { position, may_withdraw, clause: clause.clone() });
            }
        }
        events
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

/// What is said with a call beside what happened.
pub(crate) struct Form {
    /// Whether it is about one hand or position, which must be named.
    pub(crate) spot: bool,
    /// How the cards can be put right.
    pub(crate) mend: Option<Mend>,
}

/// The kinds of [`Repair`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mend {
    Swap,
    Reconstruct,
    Lay,
}

/// What is said with a call that has this remedy.
pub(crate) const fn form(remedy: Remedy) -> Form {
    let (spot, mend) = match remedy {
        Remedy::Void
        | Remedy::Redeal
        | Remedy::CountAndRedeal
        | Remedy::Refuse
        | Remedy::MayWithdraw
        | Remedy::WithdrawAllOrNone
        | Remedy::PlayOn
        | Remedy::Decide => (false, None),
        Remedy::VoidUnlessMoved | Remedy::MoveHands => (false, Some(Mend::Swap)),
        Remedy::VoidUnlessReconstructed => (false, Some(Mend::Reconstruct)),
        Remedy::HandOut => (true, Some(Mend::Reconstruct)),
        Remedy::Reconstruct => (true, Some(Mend::Lay)),
        Remedy::SettleAsStood
        | Remedy::ReturnWager
        | Remedy::DiscardHand
        | Remedy::SettleOnce
        | Remedy::SettleToMaximum
        | Remedy::Stand
        | Remedy::MayBar
        | Remedy::SecondHandOut
        | Remedy::Reset
        | Remedy::Correct => (true, None),
    };
    Form { spot, mend }
}

fn is_well_formed(call: &Call, rule: &Irregularity) -> Result<(), Refusal> {
    let form = form(rule.remedy);
    let mend = call.repair.as_ref().map(|repair| match repair {
        Repair::Swap(..) => Mend::Swap,
        Repair::Reconstruct => Mend::Reconstruct,
        Repair::Lay(_) => Mend::Lay,
    });
    match call.spot {
        Some(_) if !form.spot => Err(Refusal::by(Why::NotAboutAHand, &rule.cite)),
        None if form.spot => Err(Refusal::by(Why::NoSpot, &rule.cite)),
        _ if mend.is_some() && mend != form.mend => Err(Refusal::by(Why::NoSuchRepair, &rule.cite)),
        _ => Ok(()),
    }
}

fn position_of(call: &Call, rule: &Irregularity) -> Result<Position, Refusal> {
    match call.spot {
        Some(Spot::At(position)) => Ok(position),
        _ => Err(Refusal::by(Why::NoSpot, &rule.cite)),
    }
}

/// Whether more than the maximum lies on a bet.
fn is_over_maximum(setup: &Setup, stakes: &Stakes, wager: Wager) -> bool {
    let range = setup.range(wager);
    range.is_some_and(|(range, _)| stakes.total(wager) > range.maximum)
}

fn noted(rule: &Irregularity, person: Option<Person>) -> Vec<Event> {
    vec![Event::Noted { what: rule.what, person, clause: rule.cite.clone() }]
}

/// Refused for a hand that its player laid: that is no House Way to be wrong.
fn players_own(play: &InPlay, spot: Spot, rule: &Irregularity) -> Result<(), Refusal> {
    let Spot::At(position) = spot else { return Ok(()) };
    let hand = play.hands.get(&position).filter(|_| !play.is_banker(spot));
    // A dead hand lies as its player laid it.
    let laid = |hand: &InHand| {
        matches!(hand.low, Some((_, How::Laid))) || matches!(hand.standing, Standing::Dead(_))
    };
    match hand.is_some_and(laid) {
        true => Err(Refusal::by(Why::PlayersOwn, &rule.cite)),
        false => Ok(()),
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
