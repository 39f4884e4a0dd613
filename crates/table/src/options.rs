//! What someone may do now. Each offer was put to [`decide`]: what is offered is what is accepted.

use houseway_rules::rulebook::{Role, Wager};
use houseway_rules::{CardSet, Cents, Setting};
use serde::Serialize;

use crate::command::{Action, Actor, Command};
use crate::decide::decide;
use crate::place::{Person, Places, Position};
use crate::stake::{Bank, Stakes, WAGERS};
use crate::state::{Phase, Table};

/// Something that would be granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Offer {
    /// Sit down.
    Sit {
        /// Where.
        position: Position,
    },
    /// Get up.
    Leave {
        /// From where.
        position: Position,
    },
    /// Take money away.
    TakeMoney {
        /// At most so much.
        most: Cents,
    },
    /// Start a round.
    OpenRound,
    /// Take the bank.
    TakeBank {
        /// With at least so much.
        least: Cents,
        /// With at most so much.
        most: Cents,
        /// What the house wagers at most, where it plays too.
        house_wager: Cents,
    },
    /// Decline it.
    DeclineBank,
    /// Place a wager.
    Place {
        /// Where.
        position: Position,
        /// On which bet.
        wager: Wager,
        /// At least so much.
        least: Cents,
        /// At most so much.
        most: Cents,
        /// In steps of so much.
        step: Cents,
    },
    /// Take a wager back.
    Withdraw {
        /// Where.
        position: Position,
        /// From which bet.
        wager: Wager,
    },
    /// "No more bets".
    CloseBets,
    /// Deal.
    Deal,
    /// Look at one's cards.
    View {
        /// Where.
        position: Position,
    },
    /// Set a hand.
    Set {
        /// Where.
        position: Position,
        /// Pairs of cards that can go Low without a foul; nothing before one has looked.
        lows: Vec<CardSet>,
    },
    /// Have a hand set the House Way.
    SetHouseWay {
        /// Where.
        position: Position,
    },
    /// Ask how the House Way would set a hand.
    AskHouseWay {
        /// Where.
        position: Position,
    },
    /// Show the banker's hand and set it by the sheet.
    Reveal,
    /// Set one's hand as the banker.
    SetBanker {
        /// Pairs of cards that can go Low without a foul.
        lows: Vec<CardSet>,
    },
    /// Give a hand up.
    Concede {
        /// Where.
        position: Position,
    },
    /// Compare, pay and take.
    Settle,
    /// Withdraw everything after a power failure.
    WithdrawAll,
}

/// Everything that someone may do at a moment.
pub fn options(table: &Table, person: Person, role: Role, at: u64) -> Vec<Offer> {
    let asking = Asking { table, by: Actor { person, role }, at };
    let mut offers = vec![];
    asking.as_staff(&mut offers);
    asking.seating(&mut offers);
    asking.banking(&mut offers);
    asking.betting(&mut offers);
    asking.hands(&mut offers);
    offers
}

struct Asking<'a> {
    table: &'a Table,
    by: Actor,
    at: u64,
}

impl Asking<'_> {
    fn granted(&self, action: Action) -> bool {
        decide(self.table, &Command { by: self.by, at: self.at, action }).is_ok()
    }

    fn offer(&self, offers: &mut Vec<Offer>, action: Action, offer: Offer) {
        if self.granted(action) {
            offers.push(offer);
        }
    }

    fn as_staff(&self, offers: &mut Vec<Offer>) {
        self.offer(offers, Action::OpenRound, Offer::OpenRound);
        self.offer(offers, Action::CloseBets, Offer::CloseBets);
        if self.by.role >= Role::Dealer && matches!(self.table.phase(), Phase::Closed(..)) {
            offers.push(Offer::Deal);
        }
        self.offer(offers, Action::Reveal { low: None }, Offer::Reveal);
        self.offer(offers, Action::Settle, Offer::Settle);
    }

    fn seating(&self, offers: &mut Vec<Offer>) {
        let places = Places::of(&self.table.setup().rulebook);
        for position in (1..=places.seats).map(Position) {
            self.offer(offers, Action::Sit { position }, Offer::Sit { position });
            if self.table.seats().get(&position) == Some(&self.by.person) {
                self.offer(offers, Action::Leave { position }, Offer::Leave { position });
            }
        }
        // Fees of the round may have to stay.
        let cent = Cents::new(1);
        let take = |amount| Action::TakeMoney { amount };
        if let Some((_, most)) = self.range(cent, cent, self.stack(), take) {
            offers.push(Offer::TakeMoney { most });
        }
    }

    fn stack(&self) -> Cents {
        self.table.people().get(&self.by.person).map_or(Cents::ZERO, |guest| guest.stack)
    }

    /// The least and the most of whole steps that are granted, by halving between two ends.
    fn range(
        &self,
        step: Cents,
        least: Cents,
        most: Cents,
        action: impl Fn(Cents) -> Action,
    ) -> Option<(Cents, Cents)> {
        let step = step.get().max(1);
        let (first, last) = (least.get().div_ceil(step), most.get() / step);
        let granted = |steps: u64| self.granted(action(Cents::new(steps * step)));
        if first > last || !granted(first) {
            return None;
        }
        // What is granted is a range from the least on: find its end.
        let (mut low, mut high) = (first, last);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if granted(middle) { low = middle } else { high = middle - 1 }
        }
        Some((Cents::new(first * step), Cents::new(low * step)))
    }

    fn banking(&self, offers: &mut Vec<Offer>) {
        self.offer(offers, Action::DeclineBank, Offer::DeclineBank);
        let needed = match self.table.phase() {
            Phase::Offering { .. } => Cents::dollars(1),
            Phase::Betting(betting) => {
                let standard = betting.stakes.values().map(|it| it.total(Wager::Standard));
                crate::stake::sum(standard).max(Cents::dollars(1))
            }
            _ => return,
        };
        let before = match self.table.phase() {
            Phase::Betting(betting) => match betting.bank {
                Bank::Player { person, put_up, .. } if person == self.by.person => put_up,
                _ => Cents::ZERO,
            },
            _ => Cents::ZERO,
        };
        let most = crate::stake::plus(self.stack(), before);
        let take = |put_up| Action::TakeBank { put_up, house_wager: Cents::ZERO };
        if let Some((least, most)) = self.range(Cents::dollars(1), needed, most, take) {
            let guest = self.table.people().get(&self.by.person);
            let plays = self.table.setup().rulebook.bank.player_banker.is_some();
            let house_wager = guest.filter(|_| plays).map_or(Cents::ZERO, |guest| guest.last_wager);
            offers.push(Offer::TakeBank { least, most, house_wager });
        }
    }

    fn betting(&self, offers: &mut Vec<Offer>) {
        let Phase::Betting(betting) = self.table.phase() else { return };
        for &position in self.table.seats().keys() {
            let none = Stakes::default();
            let there = betting.stakes.get(&position).unwrap_or(&none);
            for wager in WAGERS {
                let Some((limits, rule)) = self.table.setup().range(wager) else { continue };
                let own = there.of(wager).iter().find(|share| share.person == self.by.person);
                let others = crate::stake::minus(
                    there.total(wager),
                    own.map_or(Cents::ZERO, |share| share.amount),
                );
                // Beside what others have there, the sum must be within the limits.
                let least = limits.minimum.minus(others).unwrap_or(Cents::ZERO).max(rule.step);
                let place = |amount| Action::Place { position, wager, amount, person: None };
                if let Some((least, most)) = self.range(rule.step, least, limits.maximum, place) {
                    let step = rule.step;
                    offers.push(Offer::Place { position, wager, least, most, step });
                }
                let withdraw = Action::Withdraw { position, wager };
                self.offer(offers, withdraw, Offer::Withdraw { position, wager });
            }
        }
    }

    fn hands(&self, offers: &mut Vec<Offer>) {
        let (Phase::Setting(play) | Phase::Revealed(play)) = self.table.phase() else { return };
        let ranking = self.table.setup().rulebook.ranking();
        for (&position, hand) in play.hands.iter().filter(|(_, hand)| hand.holder == self.by.person)
        {
            if !hand.viewed {
                self.offer(offers, Action::View { position }, Offer::View { position });
            }
            let legal: Vec<CardSet> =
                hand.dealt.legal_settings(ranking).map(Setting::low).collect();
            if let Some(&low) = legal.first()
                && self.granted(Action::Set { position, low })
            {
                let lows = if hand.viewed { legal } else { vec![] };
                offers.push(Offer::Set { position, lows });
            }
            let house_way = Action::SetHouseWay { position };
            self.offer(offers, house_way, Offer::SetHouseWay { position });
            let ask = Action::AskHouseWay { position };
            self.offer(offers, ask, Offer::AskHouseWay { position });
            self.offer(offers, Action::Concede { position }, Offer::Concede { position });
        }
        let legal = play.banker.dealt.legal_settings(ranking).map(Setting::low);
        let lows: Vec<CardSet> = legal.collect();
        if let Some(&low) = lows.first() {
            self.offer(offers, Action::SetBanker { low }, Offer::SetBanker { lows });
        }
        self.offer(offers, Action::WithdrawAll, Offer::WithdrawAll);
    }
}
