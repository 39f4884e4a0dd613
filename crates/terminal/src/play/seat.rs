//! One's place at a table: what is shown there, and what is chosen and not yet sent.

use std::collections::BTreeMap;

use houseway_rules::rulebook::{Rulebook, Wager};
use houseway_rules::{Card, CardSet, Cents};
use houseway_table::view::{HandView, PhaseView, SeatView, TableView};
use houseway_table::{Bank, Offer, Person, Position};
use ratatui::crossterm::event::KeyCode;

use super::advice::Advice;
use super::state::Do;
use crate::heard::Update;

/// Chips, by the keys 1 to 5.
pub(crate) const CHIPS: [u32; 5] = [1, 5, 25, 100, 500];

/// The longest words that a deck is cut by, in bytes.
const LONGEST_WORDS: usize = 256;

/// The most digits of an amount that is typed.
const LONGEST_AMOUNT: usize = 7;

/// What is done at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    SitDown,
    SitAt(Position),
    Bring,
    Chip(u32),
    Least(Position, Wager),
    Clear,
    Box(Position, Wager),
    NextBox,
    Again,
    Ready,
    Look(Position),
    Card(usize),
    Set,
    LetDealerSet(Position),
    HouseWay,
    Advice,
    OpenBank,
    TakeBank,
    DeclineBank,
    Concede(Position),
    WithdrawAll,
    Words,
    Leave,
    Cashier,
}

/// A bet on the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BetBox {
    pub(crate) position: Position,
    pub(crate) wager: Wager,
    /// What is ours there, or is about to be.
    pub(crate) placed: Cents,
    /// What may be placed: least, most, step.
    pub(crate) offered: Option<(Cents, Cents, Cents)>,
}

/// Whose hand is to be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    At(Position),
    Banker,
}

/// A hand that is to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unset {
    pub(crate) whose: Whose,
    pub(crate) cards: Vec<Card>,
    /// Pairs that would be a foul.
    pub(crate) fouls: Vec<CardSet>,
    /// Whether a foul would lose the hand; otherwise it is set the House Way.
    pub(crate) foul_loses: bool,
}

/// One's place at a table.
pub(crate) struct Seat {
    pub(crate) table: u64,
    pub(crate) update: Option<Update>,
    /// What is wanted on bets, until the table shows it.
    pub(crate) wanted: BTreeMap<(Position, u8), Cents>,
    /// The bet that is chosen; the first, if none is.
    at_bet: Option<(Position, Wager)>,
    /// What we wagered in the round before.
    pub(crate) last_bets: Vec<(Position, Wager, Cents)>,
    pub(crate) put_up: Option<Cents>,
    pub(crate) house_wager: Cents,
    pub(crate) at_house_wager: bool,
    /// An amount that is being typed for the bank, in dollars.
    pub(crate) typed: String,
    /// Whether the bank is looked at while bets are open.
    bank_open: bool,
    pub(crate) chosen: Vec<Card>,
    pub(crate) at_card: usize,
    pub(crate) advice: Option<Advice>,
    pub(crate) scroll: u16,
    /// Words that are being typed.
    pub(crate) words: Option<String>,
    /// Whether results of a round are to be looked at.
    pub(crate) results: bool,
}

pub(crate) const fn wager_number(wager: Wager) -> u8 {
    match wager {
        Wager::Standard => 0,
        Wager::Fortune => 1,
        Wager::TigerNine => 2,
    }
}

pub(crate) const fn wager_name(wager: Wager) -> &'static str {
    match wager {
        Wager::Standard => "Standard",
        Wager::Fortune => "Fortune",
        Wager::TigerNine => "Tiger 9",
    }
}

pub(crate) fn wager_word(wager: Wager) -> &'static str {
    match wager {
        Wager::Standard => "standard",
        Wager::Fortune => "fortune",
        Wager::TigerNine => "tiger-nine",
    }
}

pub(crate) const WAGERS: [Wager; 3] = [Wager::Standard, Wager::Fortune, Wager::TigerNine];

/// What one person has on a bet.
pub(crate) fn share_of(seat: &SeatView, wager: Wager, person: Person) -> Cents {
    let own = seat.stakes.of(wager).iter().find(|share| share.person == person);
    own.map_or(Cents::ZERO, |share| share.amount)
}

impl Seat {
    pub(crate) fn new(table: u64) -> Seat {
        Seat {
            table,
            update: None,
            wanted: BTreeMap::new(),
            at_bet: None,
            last_bets: vec![],
            put_up: None,
            house_wager: Cents::ZERO,
            at_house_wager: false,
            typed: String::new(),
            bank_open: false,
            chosen: vec![],
            at_card: 0,
            advice: None,
            scroll: 0,
            words: None,
            results: false,
        }
    }

    pub(crate) fn view(&self) -> Option<&TableView> {
        self.update.as_ref().map(|update| &update.view)
    }

    /// Shows a table as it stands now; whether a round has ended since the last time.
    pub(crate) fn show(&mut self, update: Update, me: Option<Person>) -> bool {
        let before = self.view().map(|view| (view.phase, view.round));
        let settled = self.view().and_then(|view| view.last.as_ref().map(|last| last.round));
        let was_betting = before.is_some_and(|(phase, _)| phase == PhaseView::Betting);
        if was_betting && update.view.phase != PhaseView::Betting {
            self.remember_bets(me);
        }
        let now = Some((update.view.phase, update.view.round));
        let ended = update.view.last.as_ref().map(|last| last.round) != settled;
        self.update = Some(update);
        if before != now {
            self.put_up = None;
            self.house_wager = Cents::ZERO;
            self.at_house_wager = false;
            self.typed.clear();
            self.bank_open = false;
            self.words = None;
            self.scroll = 0;
            self.at_bet = None;
        }
        let unset = self.unset();
        if !unset.is_some_and(|it| self.chosen.iter().all(|card| it.cards.contains(card))) {
            self.chosen.clear();
            self.advice = None;
            self.at_card = 0;
        }
        if ended && before.is_some() {
            self.results = true;
        }
        ended
    }

    fn remember_bets(&mut self, me: Option<Person>) {
        let (Some(view), Some(me)) = (self.view(), me) else { return };
        let bets = view.seats.iter().flat_map(|seat| {
            WAGERS.into_iter().map(move |wager| (seat.position, wager, share_of(seat, wager, me)))
        });
        let bets: Vec<_> = bets.filter(|(_, _, amount)| *amount > Cents::ZERO).collect();
        if !bets.is_empty() {
            self.last_bets = bets;
        }
    }

    pub(crate) fn refused(&mut self) {
        self.wanted.clear();
        self.advice = None;
    }

    pub(crate) fn is_seated(&self, me: Option<Person>) -> bool {
        let seats = self.view().map(|view| &view.seats);
        me.is_some() && seats.is_some_and(|seats| seats.iter().any(|seat| seat.person == me))
    }

    pub(crate) fn offers(&self) -> &[Offer] {
        self.view().map_or(&[], |view| &view.options)
    }

    pub(crate) fn may(&self, word: &str) -> bool {
        self.update.as_ref().is_some_and(|it| it.house_options.iter().any(|option| option == word))
    }

    /// The bets one has or may have: one's own seats first.
    pub(crate) fn boxes(&self, me: Option<Person>, rulebook: Option<&Rulebook>) -> Vec<BetBox> {
        let (Some(view), Some(me)) = (self.view(), me) else { return vec![] };
        let mut boxes = vec![];
        let own_first = view.seats.iter().filter(|seat| seat.person == Some(me));
        let others = view.seats.iter().filter(|seat| seat.person != Some(me));
        for seat in own_first.chain(others) {
            for wager in WAGERS {
                let position = seat.position;
                let offered = view.options.iter().find_map(|offer| match *offer {
                    Offer::Place { position: at, wager: on, person: None, least, most, step }
                        if at == position && on == wager =>
                    {
                        Some((least, most, step))
                    }
                    _ => None,
                });
                let there = share_of(seat, wager, me);
                let wanted = self.wanted.get(&(position, wager_number(wager)));
                let placed = wanted.copied().unwrap_or(there);
                let banks = view.bank.is_some_and(|bank| bank.position() == Some(position));
                // A bet that the rulebook has is shown at one's own seat before it can be placed.
                let known = rulebook.is_some_and(|it| it.limits(wager).is_some());
                let own = seat.person == Some(me) && known && !banks;
                if offered.is_some() || placed > Cents::ZERO || own {
                    boxes.push(BetBox { position, wager, placed, offered });
                }
            }
        }
        boxes
    }

    /// The place of the bet that is chosen. What is chosen stays chosen when others come and go.
    pub(crate) fn at_box(&self, boxes: &[BetBox]) -> usize {
        let chosen = |it: &BetBox| Some((it.position, it.wager)) == self.at_bet;
        boxes.iter().position(chosen).unwrap_or(0)
    }

    pub(crate) fn choose_box(&mut self, position: Position, wager: Wager) {
        self.at_bet = Some((position, wager));
    }

    /// What was wagered in the round before, as far as it can be wagered now: side bets follow their
    /// standard wager.
    pub(crate) fn bets_again(&self, boxes: &[BetBox]) -> Vec<(Position, Wager, Cents)> {
        let open = |position, wager| {
            let here = boxes.iter().find(|it| (it.position, it.wager) == (position, wager))?;
            Some(here.offered)
        };
        let again = self.last_bets.iter().filter_map(|&(position, wager, amount)| {
            if let Some((least, most, _)) = open(position, wager)? {
                (least <= amount).then(|| (position, wager, amount.min(most)))
            } else {
                open(position, Wager::Standard)??;
                (wager != Wager::Standard).then_some((position, wager, amount))
            }
        });
        again.collect()
    }

    /// The hand that is ours to set now.
    pub(crate) fn unset(&self) -> Option<Unset> {
        let view = self.view()?;
        self.offers().iter().find_map(|offer| match offer {
            Offer::Set { position, lows, fouls, foul_loses }
                if !lows.is_empty() || !fouls.is_empty() =>
            {
                let seat = view.seats.iter().find(|seat| seat.position == *position)?;
                let HandView::Dealt { dealt } = seat.hand.as_ref()? else { return None };
                let (whose, cards, fouls) = (Whose::At(*position), dealt.clone(), fouls.clone());
                Some(Unset { whose, cards, fouls, foul_loses: *foul_loses })
            }
            Offer::SetBanker { fouls, .. } => {
                let HandView::Dealt { dealt } = view.banker.as_ref()? else { return None };
                let (whose, cards, fouls) = (Whose::Banker, dealt.clone(), fouls.clone());
                Some(Unset { whose, cards, fouls, foul_loses: false })
            }
            _ => None,
        })
    }

    /// What the chosen cards would be in front.
    pub(crate) fn low(&self) -> CardSet {
        self.chosen.iter().fold(CardSet::EMPTY, |set, &card| set.with(card))
    }

    /// The bank as it would be taken: what is put up, what the house wagers, and the offer.
    pub(crate) fn bank(&self) -> Option<(Cents, Cents, &Offer)> {
        let offer = self.offers().iter().find(|it| matches!(it, Offer::TakeBank { .. }))?;
        let &Offer::TakeBank { least, most, covers, house_wager, step } = offer else {
            return None;
        };
        let typed = self.typed.parse().ok().map(Cents::dollars);
        let (put_up, wager) = match self.at_house_wager {
            true => (self.put_up, typed.unwrap_or(self.house_wager)),
            false => (typed.or(self.put_up), self.house_wager),
        };
        let half = Cents::new(most.get() / 200 * 100);
        let put_up = put_up.unwrap_or(half).clamp(least, most.max(least));
        let room = put_up.minus(covers).unwrap_or(Cents::ZERO);
        let step = step.get().max(1);
        let wager = wager.min(house_wager).min(room).get() / step * step;
        Some((put_up, Cents::new(wager), offer))
    }

    /// Whether the bank is what one looks at: it is offered, or was asked for while bets are open.
    pub(crate) fn looks_at_bank(&self) -> bool {
        let offered = self.view().is_some_and(|view| view.phase != PhaseView::Betting);
        self.bank().is_some() && (offered || self.bank_open)
    }

    /// Whether the bank was asked for, so that Enter takes it: an Enter too many does not.
    pub(crate) fn wants_bank(&self) -> bool {
        self.looks_at_bank() && (self.bank_open || !self.typed.is_empty())
    }

    pub(crate) fn open_bank(&mut self) {
        self.bank_open = true;
        self.results = false;
    }

    /// Takes a key for an amount of the bank; whether it was one.
    pub(crate) fn type_amount(&mut self, key: KeyCode) -> bool {
        if !self.looks_at_bank() {
            return false;
        }
        match key {
            KeyCode::Char(digit) if digit.is_ascii_digit() => {
                if self.typed.len() < LONGEST_AMOUNT {
                    self.typed.push(digit);
                }
            }
            KeyCode::Backspace => drop(self.typed.pop()),
            _ => return false,
        }
        true
    }

    /// What was typed stands.
    fn keep_typed(&mut self) {
        if let Some((put_up, house_wager, _)) = self.bank()
            && !self.typed.is_empty()
        {
            (self.put_up, self.house_wager) = (Some(put_up), house_wager);
            self.typed.clear();
        }
    }

    /// Whether something is open at the table that can be closed.
    pub(crate) fn has_open(&self) -> bool {
        let bank = self.bank_open && self.bank().is_some();
        self.advice.is_some() || self.results || bank
    }

    /// Steps back from what is open at the table; whether something was.
    pub(crate) fn step_back(&mut self) -> bool {
        let open = self.has_open();
        self.advice = None;
        self.results = false;
        self.bank_open = false;
        self.typed.clear();
        open
    }

    pub(crate) fn arrows(&mut self, act: &Do, me: Option<Person>, rulebook: Option<&Rulebook>) {
        if let Some(unset) = self.unset() {
            let last = unset.cards.len() - 1;
            match act {
                Do::Left => self.at_card = self.at_card.saturating_sub(1),
                Do::Right => self.at_card = (self.at_card + 1).min(last),
                Do::Up if self.advice.is_none() => self.choose(self.at_card, true),
                Do::Down if self.advice.is_none() => self.choose(self.at_card, false),
                Do::Up => self.scroll = self.scroll.saturating_sub(1),
                Do::Down => self.scroll = self.scroll.saturating_add(1),
                _ => {}
            }
            return;
        }
        if self.looks_at_bank() {
            self.keep_typed();
            self.size_bank(act);
            return;
        }
        match act {
            Do::Up if self.results => self.scroll = self.scroll.saturating_sub(1),
            Do::Down if self.results => self.scroll = self.scroll.saturating_add(1),
            Do::Left | Do::Up | Do::Right | Do::Down => {
                let boxes = self.boxes(me, rulebook);
                let at = self.at_box(&boxes);
                let to = match act {
                    Do::Left | Do::Up => at.saturating_sub(1),
                    _ => (at + 1).min(boxes.len().saturating_sub(1)),
                };
                if let Some(it) = boxes.get(to) {
                    self.choose_box(it.position, it.wager);
                }
            }
            _ => {}
        }
    }

    /// What is put up, or asked of the house, goes up and down by the arrows.
    fn size_bank(&mut self, act: &Do) {
        let Some((put_up, house_wager, offer)) = self.bank() else { return };
        let Offer::TakeBank { least, most, house_wager: highest, step, .. } = *offer else {
            return;
        };
        let (dollar, hundred) = (Cents::dollars(1), Cents::dollars(100));
        let moved = |amount: Cents, by: Cents, up: bool| match up {
            true => amount.plus(by).unwrap_or(amount),
            false => amount.minus(by).unwrap_or(Cents::ZERO),
        };
        match (act, self.at_house_wager) {
            (Do::Left | Do::Right, false) => {
                let by = if most.get() > 10 * hundred.get() { hundred } else { dollar };
                let put_up = moved(put_up, by, *act == Do::Right);
                self.put_up = Some(put_up.clamp(least, most.max(least)));
            }
            (Do::Left | Do::Right, true) => {
                let wager = moved(house_wager, step.max(dollar), *act == Do::Right);
                self.house_wager = wager.min(highest);
            }
            (Do::Up | Do::Down, _) if highest > Cents::ZERO => {
                self.at_house_wager = !self.at_house_wager;
            }
            _ => {}
        }
    }

    /// Puts a card in front or takes it back. A third in front sends the first back.
    pub(crate) fn choose(&mut self, place: usize, front: bool) {
        let Some(card) = self.unset().and_then(|it| it.cards.get(place).copied()) else { return };
        self.at_card = place;
        match (self.chosen.iter().position(|it| *it == card), front) {
            (Some(at), false) => drop(self.chosen.remove(at)),
            (None, true) => {
                if self.chosen.len() == 2 {
                    self.chosen.remove(0);
                }
                self.chosen.push(card);
            }
            _ => {}
        }
    }

    /// Takes a key for words; the words, once they are whole.
    pub(crate) fn type_words(&mut self, key: KeyCode) -> Option<String> {
        let words = self.words.as_mut()?;
        match key {
            KeyCode::Char(letter) if words.len() + letter.len_utf8() <= LONGEST_WORDS => {
                words.push(letter);
            }
            KeyCode::Backspace => drop(words.pop()),
            KeyCode::Esc => self.words = None,
            KeyCode::Enter => return self.words.take().filter(|it| !it.is_empty()),
            _ => {}
        }
        None
    }
}

/// Whether someone holds the bank.
pub(crate) fn holds_bank(view: &TableView, person: Person) -> bool {
    matches!(view.bank, Some(Bank::Player { person: banker, .. }) if banker == person)
}

/// Whether a position is the bank's.
pub(crate) fn banks(view: &TableView, position: Position) -> bool {
    matches!(view.bank, Some(Bank::Player { position: at, .. }) if at == position)
}
