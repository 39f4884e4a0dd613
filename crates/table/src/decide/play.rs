//! Cards: dealing, setting, showing, conceding, settling.

use houseway_rules::rulebook::{
    By, Conduct, First, Foul, Incident, Role, Rulebook, Several, Text, Wager,
};
use houseway_rules::{CardSet, Cents, Dealt, SetError, set_house_way};

use super::{Asked, Decided, TABLE_POLICY};
use crate::deal::{Deck, deal};
use crate::event::{Event, How};
use crate::place::{Places, Position};
use crate::refusal::{Refusal, Why};
use crate::settlement::{Standing, bank_after, settle};
use crate::setup::Setup;
use crate::stake::{Bank, Share, Stakes};
use crate::state::{InHand, InPlay, Phase};

impl Asked<'_> {
    pub(super) fn deal(&self, deck: &Deck, number: u8) -> Decided {
        self.needs(Role::Dealer)?;
        let Phase::Closed(betting, _) = &self.table.phase else {
            return Err(Refusal::new(Why::NotNow));
        };
        let (rules, dealing) = (self.rules(), self.table.setup.dealing());
        if dealing.first != First::DealersLeft {
            let highest = self.table.setup.highest_number();
            if !(1..=highest).contains(&number) {
                let button = rules.action_button.as_ref();
                let cite = button.map_or(&*dealing.cite, |button| &*button.cite);
                return Err(Refusal::by(Why::NumberOutOfRange { highest }, cite));
            }
        }
        let dealer = Places::of(rules).dealer();
        let banker = betting.bank.position().or(dealer);
        let wagered: Vec<Position> = betting.stakes.keys().copied().collect();
        let delivery = deal(rules, dealing, deck, &wagered, banker, number);
        let hands = delivery.hands.iter().map(|hand| (hand.spot, hand.cards.cards())).collect();
        let mut events = vec![Event::Dealt {
            hands,
            number,
            action: delivery.action,
            left_over: delivery.left_over,
            until: self.until(self.table.setup.posted.time.setting),
            clause: dealing.cite.clone(),
        }];
        for (&position, stakes) in &betting.stakes {
            events.extend(self.under_minimum_again(position, stakes));
        }
        Ok(events)
    }

    /// Wagers under the minimum of someone who had one settled before take no part. Without a
    /// standard wager nothing there does.
    fn under_minimum_again(&self, position: Position, stakes: &Stakes) -> Vec<Event> {
        let Some(rule) = self.rules().irregularity(Incident::UnderMinimum) else { return vec![] };
        let holder = self.table.seats.get(&position);
        let guest = holder.and_then(|person| self.table.people.get(person));
        if !guest.is_some_and(|guest| guest.under_minimum) {
            return vec![];
        }
        let clause = rule.cite.clone();
        if is_under_minimum(&self.table.setup, stakes, Wager::Standard) {
            return vec![Event::NotInAction { position, clause }];
        }
        let under =
            |&(wager, _): &(Wager, Share)| is_under_minimum(&self.table.setup, stakes, wager);
        let returned = |(wager, Share { person, amount })| Event::Returned {
            position,
            person,
            wager,
            amount,
            clause: Some(clause.clone()),
        };
        stakes.shares().filter(under).map(returned).collect()
    }

    fn setting(&self) -> Result<&InPlay, Refusal> {
        match &self.table.phase {
            Phase::Setting(play) => Ok(play),
            // Once the banker's cards are shown nobody touches theirs.
            Phase::Revealed(_) => {
                Err(Refusal { why: Why::NotNow, clause: self.conduct(Conduct::HandsOff) })
            }
            _ => Err(Refusal::new(Why::NotNow)),
        }
    }

    /// The clause on some conduct, where the document has one.
    fn conduct(&self, conduct: Conduct) -> Option<Text> {
        let rule = self.rules().conduct.iter().find(|it| it.is == conduct);
        rule.map(|rule| rule.cite.clone())
    }

    /// A hand of the asker's that is not set.
    fn own_hand<'p>(&self, play: &'p InPlay, position: Position) -> Result<&'p InHand, Refusal> {
        let Some(hand) = play.hands.get(&position) else { return Err(Refusal::new(Why::NoHand)) };
        if hand.holder != self.person() {
            return Err(Refusal::new(Why::NotYours));
        }
        if hand.low.is_some() {
            let clause = self.conduct(Conduct::NoTalkBeforeSet);
            return Err(Refusal { why: Why::AlreadySet, clause });
        }
        // What others have on the hand of someone who is barred, the dealer plays for them.
        if self.table.people.get(&hand.holder).is_some_and(|guest| guest.barred) {
            return Err(self.barred());
        }
        self.not_left_to_the_dealer(play, position)?;
        self.in_time(play.until)?;
        Ok(hand)
    }

    fn not_left_to_the_dealer(&self, play: &InPlay, position: Position) -> Result<(), Refusal> {
        match play.left_to_dealer.contains(&position) {
            true => {
                let clause = self.conduct(Conduct::HouseWayToldLast);
                Err(Refusal { why: Why::LeftToDealer, clause })
            }
            false => Ok(()),
        }
    }

    pub(super) fn view(&self, position: Position) -> Decided {
        let play = self.setting()?;
        if self.own_hand(play, position)?.viewed {
            return Err(Refusal::new(Why::AlreadyViewed));
        }
        self.viewing(play, position)
    }

    /// Looks at a hand. Where one may look at one hand only, the others are then set the House Way.
    fn viewing(&self, play: &InPlay, position: Position) -> Decided {
        let hand = play.hands.get(&position).ok_or(Refusal::new(Why::NoHand))?;
        let mut events = vec![];
        if !hand.viewed {
            events.push(Event::Viewed { position });
        }
        let Some(rule) = &self.rules().seats.several_positions else { return Ok(events) };
        if rule.is != Several::ViewOne {
            return Ok(events);
        }
        let others =
            play.hands.iter().filter(|(at, it)| **at != position && it.holder == hand.holder);
        for (&at, other) in others {
            if other.viewed {
                return Err(Refusal::by(Why::SecondHand, &rule.cite));
            }
            if other.low.is_none() {
                events.push(self.by_the_sheet(at, other.dealt, How::Unviewed, Some(&rule.cite)));
            }
        }
        Ok(events)
    }

    /// A hand set by the sheet. The clause is that of the sheet, unless another one sends it there.
    fn by_the_sheet(
        &self,
        position: Position,
        dealt: Dealt,
        how: How,
        clause: Option<&str>,
    ) -> Event {
        let decision = set_house_way(self.rules(), dealt);
        let clause = clause.unwrap_or(&decision.clause.id).to_string().into();
        Event::Set { position, low: decision.setting.low(), how, clause: Some(clause) }
    }

    pub(super) fn set(&self, position: Position, low: CardSet) -> Decided {
        let play = self.setting()?;
        let hand = self.own_hand(play, position)?;
        let mut events = self.viewing(play, position)?;
        // Of several hands one must be chosen first: a refusal must not tell what is in the others.
        if !hand.viewed
            && events.len() > 1
            && let Some(rule) = &self.rules().seats.several_positions
        {
            return Err(Refusal::by(Why::NotViewed, &rule.cite));
        }
        events.push(match laid(self.rules(), hand.dealt, low)? {
            Some(low) => Event::Set { position, low, how: How::Laid, clause: None },
            None => self.fouled(position, hand, low),
        });
        events.extend(self.bankers_turn(play, &[position]));
        Ok(events)
    }

    /// When the last player has set, a banking player who sets freely has their own time.
    fn bankers_turn(&self, play: &InPlay, last: &[Position]) -> Option<Event> {
        let free = self.rules().bank.player_banker.is_some();
        let banks = matches!(play.bank, Bank::Player { .. });
        let time = self.table.setup.posted.time.setting.filter(|_| free && banks)?;
        let mut others = play.hands.iter().filter(|(at, _)| !last.contains(at));
        let all = others.all(|(_, hand)| hand.low.is_some());
        all.then(|| Event::BankersTurn { until: self.until(Some(time)) })
    }

    fn fouled(&self, position: Position, hand: &InHand, low: CardSet) -> Event {
        let foul = &self.rules().foul;
        let before = self.table.people.get(&hand.holder).map_or(0, |guest| guest.fouls);
        match foul.is {
            Foul::SecondLoses if before > 0 => {
                Event::Dead { position, low, clause: foul.cite.clone() }
            }
            Foul::SecondLoses | Foul::HouseWay => {
                self.by_the_sheet(position, hand.dealt, How::Fouled, Some(&foul.cite))
            }
        }
    }

    pub(super) fn set_house_way(&self, position: Position) -> Decided {
        let play = self.setting()?;
        // The dealer sets the hand of someone who is not there to do it.
        let absent = play
            .hands
            .get(&position)
            .filter(|hand| hand.holder != self.person() && self.is_staff());
        if let Some(hand) = absent.filter(|hand| hand.low.is_none()) {
            self.not_left_to_the_dealer(play, position)?;
            let clause = self.absent_clause();
            if self.has_time_left(play, hand) {
                return Err(Refusal::by(Why::TooEarly, &clause));
            }
            let set = self.by_the_sheet(position, hand.dealt, How::Absent, Some(&clause));
            return Ok([Some(set), self.bankers_turn(play, &[position])]
                .into_iter()
                .flatten()
                .collect());
        }
        let hand = self.own_hand(play, position)?;
        let mut events = self.viewing(play, position)?;
        // Where the House Way comes last, it is kept in mind until then.
        if let Err(Refusal { clause: Some(clause), .. }) = self.house_way_last(play, hand) {
            events.push(Event::LeftToDealer { position, clause });
            return Ok(events);
        }
        events.push(self.by_the_sheet(position, hand.dealt, How::HouseWay, None));
        events.extend(self.bankers_turn(play, &[position]));
        Ok(events)
    }

    /// Whether a hand's holder may still set it themselves by the clock. Where none runs, whoever deals
    /// sees who is there; someone who is barred has no time to wait for.
    fn has_time_left(&self, play: &InPlay, hand: &InHand) -> bool {
        let barred = self.table.people.get(&hand.holder).is_some_and(|guest| guest.barred);
        !barred && play.until.is_some_and(|until| self.command.at <= until)
    }

    /// Hands that were left to the dealer are set as soon as no other is waited for, whatever it was
    /// that they waited for.
    pub(super) fn with_hands_left_to_the_dealer(&self, mut events: Vec<Event>) -> Vec<Event> {
        match &self.table.phase {
            Phase::Setting(play) if !play.left_to_dealer.is_empty() => {}
            _ => return events,
        }
        let after = self.after(&events);
        let Phase::Setting(play) = &after.phase else { return events };
        let ready = |at: &Position| self.house_way_last(play, &play.hands[at]).is_ok();
        let ready: Vec<Position> = play.left_to_dealer.iter().copied().filter(ready).collect();
        for &at in &ready {
            events.push(self.by_the_sheet(at, play.hands[&at].dealt, How::HouseWay, None));
        }
        if !ready.is_empty() {
            events.extend(self.bankers_turn(play, &ready));
        }
        events
    }

    pub(super) fn ask_house_way(&self, position: Position) -> Decided {
        let play = self.setting()?;
        let hand = self.own_hand(play, position)?;
        self.house_way_last(play, hand)?;
        let mut events = self.viewing(play, position)?;
        let decision = set_house_way(self.rules(), hand.dealt);
        let clause = decision.clause.id.clone();
        events.push(Event::HouseWayTold { position, low: decision.setting.low(), clause });
        Ok(events)
    }

    /// Where the House Way is told only after all others have set, or left theirs to the dealer.
    fn house_way_last(&self, play: &InPlay, own: &InHand) -> Result<(), Refusal> {
        let Some(clause) = self.conduct(Conduct::HouseWayToldLast) else { return Ok(()) };
        let waiting = |(at, hand): (&Position, &InHand)| {
            let thinks = hand.low.is_none() && !play.left_to_dealer.contains(at);
            thinks && hand.holder != own.holder
        };
        match play.hands.iter().any(waiting) {
            true => Err(Refusal { why: Why::OthersFirst, clause: Some(clause) }),
            false => Ok(()),
        }
    }

    /// Those who did not set in time, or cannot, have it done for them.
    pub(super) fn set_for_the_absent(&self) -> Decided {
        let play = self.setting()?;
        let clause = self.absent_clause();
        // What is left to the dealer comes last.
        let mut waiting: Vec<(&Position, &InHand)> =
            play.hands.iter().filter(|(_, hand)| hand.low.is_none()).collect();
        waiting.sort_by_key(|(at, _)| play.left_to_dealer.contains(at));
        let set = |(at, hand): (&Position, &InHand)| match play.left_to_dealer.contains(at) {
            true => self.by_the_sheet(*at, hand.dealt, How::HouseWay, None),
            false => self.by_the_sheet(*at, hand.dealt, How::Absent, Some(&clause)),
        };
        let mut events: Vec<Event> = waiting.into_iter().map(set).collect();
        // A banking player who sets freely still has their own time; once that is up, they are as
        // absent as anyone.
        let free = self.rules().bank.player_banker.is_some();
        match play.bank {
            Bank::Player { .. } if free && !events.is_empty() => {
                let until = self.until(self.table.setup.posted.time.setting);
                events.push(Event::BankersTurn { until });
            }
            _ => events.extend(self.banker_by_the_sheet(play)),
        }
        Ok(events)
    }

    /// The clause by which an absent player's hand is set, or that it is the table's policy.
    fn absent_clause(&self) -> Text {
        match &self.rules().absent {
            By::Clause(clause) => clause.clone(),
            By::TablePolicy => TABLE_POLICY,
        }
    }

    fn banker_by_the_sheet(&self, play: &InPlay) -> Vec<Event> {
        let decision = set_house_way(self.rules(), play.banker.dealt);
        self.banker_set(play, decision.setting.low(), decision.clause.id.clone())
    }

    /// The banker's hand is set, and then the house's own.
    fn banker_set(&self, play: &InPlay, low: CardSet, clause: Text) -> Vec<Event> {
        let time = self.rules().concession.as_ref().and(self.table.setup.posted.time.conceding);
        let mut events = vec![Event::BankerSet { low, clause, until: self.until(time) }];
        if let Some(house) = play.house {
            let decision = set_house_way(self.rules(), house.dealt);
            let (low, clause) = (decision.setting.low(), decision.clause.id.clone());
            events.push(Event::HouseSet { low, clause });
        }
        events
    }

    pub(super) fn reveal(&self, low: Option<CardSet>) -> Decided {
        self.needs(Role::Dealer)?;
        let play = self.setting()?;
        all_set(play, &self.rules().bank.sets_house_way)?;
        // A banking player who may set freely is not set by the dealer.
        if matches!(play.bank, Bank::Player { .. })
            && let Some(rule) = &self.rules().bank.player_banker
        {
            return Err(Refusal::by(Why::NotYours, &rule.sets_freely));
        }
        let Some(low) = low else { return Ok(self.banker_by_the_sheet(play)) };
        // A House Way that lies wrong is taken only where a rule puts it right again.
        let correct = set_house_way(self.rules(), play.banker.dealt).setting.low();
        let put_right = self.rules().irregularity(Incident::WrongHouseWay).is_some();
        if low != correct && !put_right {
            return Err(Refusal::by(Why::NotTheHouseWay, &self.rules().bank.sets_house_way));
        }
        match laid(self.rules(), play.banker.dealt, low)? {
            Some(low) => Ok(self.banker_set(play, low, self.rules().bank.sets_house_way.clone())),
            None => Err(Refusal::new(Why::FoulBanker)),
        }
    }

    pub(super) fn set_banker(&self, low: CardSet) -> Decided {
        let play = self.setting()?;
        let (Bank::Player { person, .. }, Some(rule)) =
            (play.bank, &self.rules().bank.player_banker)
        else {
            return Err(Refusal::by(Why::NotYours, &self.rules().bank.sets_house_way));
        };
        if person != self.person() {
            return Err(Refusal::new(Why::NotYours));
        }
        self.in_time(play.until)?;
        all_set(play, &rule.sets_freely)?;
        match laid(self.rules(), play.banker.dealt, low)? {
            Some(low) => Ok(self.banker_set(play, low, rule.sets_freely.clone())),
            // A banker's foul is set again the House Way.
            None => Ok(self.banker_by_the_sheet(play)),
        }
    }

    fn revealed(&self) -> Result<&InPlay, Refusal> {
        match &self.table.phase {
            Phase::Revealed(play) => Ok(play),
            _ => Err(Refusal::new(Why::NotNow)),
        }
    }

    pub(super) fn concede(&self, position: Position) -> Decided {
        let Some(rule) = &self.rules().concession else {
            return Err(Refusal::by(Why::NotNow, "R9"));
        };
        let Phase::Revealed(play) = &self.table.phase else {
            return Err(Refusal::by(Why::NotNow, &rule.cite));
        };
        let Some(hand) = play.hands.get(&position) else { return Err(Refusal::new(Why::NoHand)) };
        if hand.holder != self.person() {
            return Err(Refusal::new(Why::NotYours));
        }
        if let Standing::Returned(clause) = &hand.standing {
            return Err(Refusal::by(Why::NoHand, clause));
        }
        if hand.standing != Standing::Plays {
            // What was conceded cannot come back: a clause of its own where the document has one.
            let further = format!("{}.1", rule.cite);
            let clause = self.rules().clause(&further).map_or(&*rule.cite, |_| &further);
            return Err(Refusal::by(Why::AlreadySet, clause));
        }
        self.in_time(play.until)?;
        Ok(vec![Event::Conceded { position, clause: rule.cite.clone() }])
    }

    pub(super) fn settle(&self) -> Decided {
        self.needs(Role::Dealer)?;
        let play = self.revealed()?;
        let lines = play.with_round(&self.table.setup, settle);
        let lines = lines.ok_or_else(|| Refusal::new(Why::NotSet))?;
        let mut events = vec![];
        if let Some((person, amount)) = bank_after(play.bank, &lines) {
            events.push(Event::BankReturned { person, amount });
        }
        events.insert(0, Event::Settled { lines });
        events.push(Event::RoundEnded { rotation: self.next_rotation(play.bank) });
        Ok(events)
    }
}

/// Whether less than the minimum lies on a bet, but something.
pub(super) fn is_under_minimum(setup: &Setup, stakes: &Stakes, wager: Wager) -> bool {
    let total = stakes.total(wager);
    let range = setup.range(wager);
    total > Cents::ZERO && range.is_some_and(|(range, _)| total < range.minimum)
}

/// Two cards of a hand laid Low: as they are, or nothing where that is a foul.
pub(super) fn laid(
    rules: &Rulebook,
    dealt: Dealt,
    low: CardSet,
) -> Result<Option<CardSet>, Refusal> {
    match dealt.set(low, rules.ranking()) {
        Ok(_) => Ok(Some(low)),
        Err(SetError::Foul { .. }) => Ok(None),
        Err(SetError::NotTwo(_)) => Err(Refusal::new(Why::NotTwoCards)),
        Err(SetError::NotDealt(_)) => Err(Refusal::new(Why::NotInHand)),
    }
}

fn all_set(play: &InPlay, clause: &str) -> Result<(), Refusal> {
    match play.hands.values().all(|hand| hand.low.is_some()) {
        true => Ok(()),
        false => Err(Refusal::by(Why::NotSet, clause)),
    }
}
