//! One's place at a table: what the house offers, as keys; what is chosen and not yet sent.

use std::collections::BTreeMap;

use houseway_rules::rulebook::{Rulebook, Wager};
use houseway_rules::{Card, CardSet, Cents, Dealt};
use houseway_table::view::{HandView, PhaseView, SeatView, TableView};
use houseway_table::{Bank, Offer, Person, Position};
use ratatui::crossterm::event::KeyCode;
use serde_json::{Value, json};

use super::advice::Advice;
use super::state::{Button, Do, Play, cents};
use crate::heard::Update;
use crate::link::Ask;

/// Chips, by the keys 1 to 5.
pub(crate) const CHIPS: [u32; 5] = [1, 5, 25, 100, 500];

/// The longest words that a deck is cut by, in bytes.
const LONGEST_WORDS: usize = 256;

/// What is done at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    SitDown,
    SitAt(Position),
    Chip(u32),
    Clear,
    Box(usize),
    NextBox,
    Again,
    Ready,
    Look(Position),
    Card(usize),
    Set,
    LetDealerSet(Position),
    HouseWay,
    Advice,
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
}

/// One's place at a table.
pub(crate) struct Seat {
    pub(crate) table: u64,
    pub(crate) update: Option<Update>,
    /// What is wanted on bets, until the table shows it.
    pub(crate) wanted: BTreeMap<(Position, u8), Cents>,
    pub(crate) at_box: usize,
    /// What we wagered in the round before.
    last_bets: Vec<(Position, Wager, Cents)>,
    pub(crate) put_up: Option<Cents>,
    pub(crate) house_wager: Cents,
    pub(crate) at_house_wager: bool,
    pub(crate) chosen: Vec<Card>,
    pub(crate) at_card: usize,
    pub(crate) advice: Option<Advice>,
    pub(crate) scroll: u16,
    /// Words that are being typed.
    pub(crate) words: Option<String>,
    /// Whether results of a round are to be looked at.
    pub(crate) results: bool,
    /// The last round in which the bank was ours.
    pub(crate) banked: Option<u64>,
}

const fn wager_number(wager: Wager) -> u8 {
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

fn wager_word(wager: Wager) -> &'static str {
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
            at_box: 0,
            last_bets: vec![],
            put_up: None,
            house_wager: Cents::ZERO,
            at_house_wager: false,
            chosen: vec![],
            at_card: 0,
            advice: None,
            scroll: 0,
            words: None,
            results: false,
            banked: None,
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
        if me.is_some_and(|me| holds_bank(&update.view, me)) {
            self.banked = Some(update.view.round);
        }
        let now = Some((update.view.phase, update.view.round));
        let ended = update.view.last.as_ref().map(|last| last.round) != settled;
        self.update = Some(update);
        if before != now {
            self.put_up = None;
            self.house_wager = Cents::ZERO;
            self.words = None;
            self.scroll = 0;
            self.at_box = 0;
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

    fn may(&self, word: &str) -> bool {
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

    /// The hand that is ours to set now.
    pub(crate) fn unset(&self) -> Option<Unset> {
        let view = self.view()?;
        self.offers().iter().find_map(|offer| match offer {
            Offer::Set { position, lows, fouls } if !lows.is_empty() || !fouls.is_empty() => {
                let seat = view.seats.iter().find(|seat| seat.position == *position)?;
                let HandView::Dealt { dealt } = seat.hand.as_ref()? else { return None };
                let (whose, cards) = (Whose::At(*position), dealt.clone());
                Some(Unset { whose, cards, fouls: fouls.clone() })
            }
            Offer::SetBanker { fouls, .. } => {
                let HandView::Dealt { dealt } = view.banker.as_ref()? else { return None };
                let (whose, cards) = (Whose::Banker, dealt.clone());
                Some(Unset { whose, cards, fouls: fouls.clone() })
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
        let &Offer::TakeBank { least, most, covers, house_wager, .. } = offer else { return None };
        let half = Cents::new(most.get() / 200 * 100);
        let put_up = self.put_up.unwrap_or(half).clamp(least, most.max(least));
        let room = put_up.minus(covers).unwrap_or(Cents::ZERO);
        Some((put_up, self.house_wager.min(house_wager).min(room), offer))
    }

    /// Steps back from what is open at the table; whether something was.
    pub(crate) fn step_back(&mut self) -> bool {
        let open = self.advice.is_some() || self.results;
        self.advice = None;
        self.results = false;
        open
    }

    pub(crate) fn arrows(&mut self, act: &Do) {
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
        if let Some((put_up, house_wager, offer)) = self.bank()
            && let Offer::TakeBank { least, most, step, .. } = *offer
        {
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
                    self.house_wager = moved(house_wager, step.max(dollar), *act == Do::Right);
                }
                (Do::Up | Do::Down, _) => self.at_house_wager = !self.at_house_wager,
                _ => {}
            }
            return;
        }
        match act {
            Do::Up if self.results => self.scroll = self.scroll.saturating_sub(1),
            Do::Down if self.results => self.scroll = self.scroll.saturating_add(1),
            Do::Left | Do::Up => self.at_box = self.at_box.saturating_sub(1),
            Do::Right | Do::Down => self.at_box = self.at_box.saturating_add(1),
            _ => {}
        }
    }

    /// Puts a card in front or takes it back. A third in front sends the first back.
    fn choose(&mut self, place: usize, front: bool) {
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

fn seat_button(key: KeyCode, label: impl Into<String>, step: Move) -> Button {
    Button::new(key, label, Do::Seat(step))
}

/// What can be done at the table now, most natural first: what the house offers, as keys.
pub(crate) fn buttons(play: &Play) -> Vec<Button> {
    use KeyCode::Char;
    let Some(seat) = &play.seat else { return vec![] };
    let me = play.person();
    let seated = seat.is_seated(me);
    let mut all = vec![];
    if let Some(primary) = primary(play, seat) {
        all.push(primary);
    }
    if let Some(unset) = seat.unset() {
        all.push(seat_button(Char(' '), "front/back", Move::Card(seat.at_card)));
        if let Whose::At(position) = unset.whose {
            all.push(seat_button(Char('h'), "House Way", Move::HouseWay));
            if seat.offers().contains(&Offer::SetHouseWay { position }) {
                all.push(seat_button(Char('d'), "dealer sets it", Move::LetDealerSet(position)));
            }
        }
        all.push(seat_button(Char('a'), "advice", Move::Advice));
    }
    for offer in seat.offers() {
        match *offer {
            Offer::DeclineBank => {
                all.push(seat_button(Char('n'), "pass the bank", Move::DeclineBank));
            }
            Offer::Concede { position } => {
                let label = format!("give up seat {}", position.0);
                all.push(seat_button(Char('c'), label, Move::Concede(position)));
            }
            Offer::WithdrawAll => {
                all.push(seat_button(Char('x'), "withdraw all wagers", Move::WithdrawAll));
            }
            _ => {}
        }
    }
    if let Some((put_up, _, _)) = seat.bank() {
        all.push(seat_button(Char('b'), format!("take the bank with {put_up}"), Move::TakeBank));
    }
    // Who leaves a hand unseen to the dealer, or cannot look at it, has it set the House Way.
    if seat.unset().is_none()
        && let Some(position) = seat.offers().iter().find_map(|it| match it {
            Offer::SetHouseWay { position } => Some(*position),
            _ => None,
        })
    {
        all.push(seat_button(Char('d'), "dealer sets it", Move::LetDealerSet(position)));
    }
    let boxes = seat.boxes(me, play.rulebook());
    if boxes.iter().any(|it| it.offered.is_some()) {
        let names = CHIPS.map(|chip| chip.to_string());
        for (number, chip) in ('1'..).zip(CHIPS) {
            let label = format!("${}", names[usize::from(number as u8 - b'1')]);
            all.push(seat_button(Char(number), label, Move::Chip(chip)));
        }
        all.push(seat_button(KeyCode::Tab, "next bet", Move::NextBox));
        all.push(seat_button(KeyCode::Backspace, "take back", Move::Clear));
        if !seat.last_bets.is_empty() {
            all.push(seat_button(Char('r'), "bet again", Move::Again));
        }
    }
    if seat.may("say") {
        all.push(seat_button(Char('w'), "words for the cut", Move::Words));
    }
    let another = seat.offers().iter().find_map(|offer| match offer {
        Offer::Sit { position } => Some(*position),
        _ => None,
    });
    if let (Some(position), true) = (another, seated) {
        let label = format!("also seat {}", position.0);
        all.push(seat_button(Char('s'), label, Move::SitAt(position)));
    }
    let leaves = seat.offers().iter().any(|it| matches!(it, Offer::Leave { .. }));
    if seated && leaves {
        all.push(seat_button(Char('l'), "leave the table", Move::Leave));
    }
    let poor = play.me.as_ref().is_some_and(|me| me.wallet < Cents::dollars(100));
    if poor && seat.view().is_some_and(|view| view.phase == PhaseView::Idle) {
        all.push(seat_button(Char('$'), "cashier", Move::Cashier));
    }
    all.push(Button::new(Char('y'), "history", Do::History));
    let back = if seat.advice.is_some() || seat.results { "close" } else { "menu" };
    all.push(Button::new(KeyCode::Esc, back, Do::Back));
    all
}

/// What the Enter key does: the most natural thing.
fn primary(play: &Play, seat: &Seat) -> Option<Button> {
    let enter = |label: String, step| Some(seat_button(KeyCode::Enter, label, step));
    let me = play.person();
    let view = seat.view()?;
    if !seat.is_seated(me) {
        let sits = seat.offers().iter().any(|it| matches!(it, Offer::Sit { .. }));
        return match sits {
            true => enter(format!("sit down with {}", buy_in(play)), Move::SitDown),
            false => None,
        };
    }
    if seat.unset().is_some() {
        return match seat.chosen.len() {
            2 => enter("set the hand".into(), Move::Set),
            _ => enter("put in front".into(), Move::Card(seat.at_card)),
        };
    }
    let looks = seat.offers().iter().find_map(|offer| match offer {
        Offer::View { position } => Some(*position),
        _ => None,
    });
    if let Some(position) = looks {
        return enter("look at your cards".into(), Move::Look(position));
    }
    if view.phase == PhaseView::Betting {
        let boxes = seat.boxes(me, play.rulebook());
        let placed = boxes.iter().any(|it| it.placed > Cents::ZERO);
        let least = boxes.iter().find_map(|it| it.offered.map(|(least, _, _)| least));
        if let (false, Some(least)) = (placed, least) {
            return match seat.last_bets.is_empty() {
                true => enter(format!("bet {least}"), Move::Chip(0)),
                false => enter("bet again".into(), Move::Again),
            };
        }
    }
    if seat.may("ready") {
        let label = match view.phase {
            PhaseView::Idle => "next round",
            PhaseView::Betting | PhaseView::Closed => "deal",
            PhaseView::Revealed => "compare",
            PhaseView::Setting | PhaseView::Offering { .. } => return None,
        };
        return enter(label.into(), Move::Ready);
    }
    None
}

/// What one sits down with: as much as wished, no more than there is, in whole dollars.
pub(crate) fn buy_in(play: &Play) -> Cents {
    let wallet = play.me.as_ref().map_or(Cents::ZERO, |me| me.wallet);
    let there = play.seat.as_ref().and_then(|seat| seat.view()?.stack).unwrap_or(Cents::ZERO);
    let wish = play.wishes.buy_in.minus(there).unwrap_or(Cents::ZERO);
    Cents::new(wish.min(wallet).get() / 100 * 100)
}

/// Does something at the table.
pub(crate) fn act(play: &mut Play, step: Move) {
    let at = |position: Position| json!(position.0);
    match step {
        Move::SitDown => sit_down(play),
        Move::SitAt(position) => play.command(json!({"do": "sit", "position": at(position)})),
        Move::Chip(chip) => bet(play, Cents::dollars(chip)),
        Move::Clear => take_back(play),
        Move::Box(place) => {
            if let Some(seat) = &mut play.seat {
                seat.at_box = place;
            }
        }
        Move::NextBox => next_box(play),
        Move::Again => bet_again(play),
        Move::Ready => {
            if let Some(seat) = &mut play.seat {
                seat.results = false;
            }
            play.command(json!({"do": "ready"}));
        }
        Move::Look(position) => play.command(json!({"do": "view", "position": at(position)})),
        Move::Card(place) => {
            if let Some(seat) = &mut play.seat {
                let card = seat.unset().and_then(|it| it.cards.get(place).copied());
                let front = card.is_some_and(|card| !seat.chosen.contains(&card));
                seat.choose(place, front);
            }
        }
        Move::Set => set(play),
        Move::LetDealerSet(position) => {
            play.command(json!({"do": "set-house-way", "position": at(position)}));
        }
        Move::HouseWay => house_way(play),
        Move::Advice => advice(play),
        Move::TakeBank => take_bank(play),
        Move::DeclineBank => play.command(json!({"do": "decline-bank"})),
        Move::Concede(position) => play.command(json!({"do": "concede", "position": at(position)})),
        Move::WithdrawAll => play.command(json!({"do": "withdraw-all"})),
        Move::Words => {
            if let Some(seat) = &mut play.seat {
                seat.words = Some(String::new());
            }
        }
        Move::Leave => leave(play),
        Move::Cashier => play.asks.push_back(Ask::Cashier),
    }
}

fn sit_down(play: &mut Play) {
    let Some(seat) = &play.seat else { return };
    let free: Vec<Position> = seat
        .offers()
        .iter()
        .filter_map(|offer| match offer {
            Offer::Sit { position } => Some(*position),
            _ => None,
        })
        .collect();
    // Bots fill the seats from the other end, this one last.
    let last = seat.view().map_or(1, |view| 1 + view.seats.len() % 2);
    let best = free.iter().find(|it| usize::from(it.0) == last).or(free.first());
    let Some(position) = best.copied() else { return };
    let amount = buy_in(play);
    let has =
        play.seat.as_ref().and_then(|seat| seat.view()?.stack).is_some_and(|it| it > Cents::ZERO);
    if amount == Cents::ZERO && !has {
        play.warn("There is nothing in your wallet: $ asks the cashier.");
        play.asks.push_back(Ask::Cashier);
        return;
    }
    if amount > Cents::ZERO {
        play.command(json!({"do": "bring-money", "amount": cents(amount)}));
    }
    play.command(json!({"do": "sit", "position": position.0}));
    play.commands.move_money = true;
}

fn current_box(play: &Play) -> Option<BetBox> {
    let seat = play.seat.as_ref()?;
    let boxes = seat.boxes(play.person(), play.rulebook());
    boxes.get(seat.at_box.min(boxes.len().checked_sub(1)?)).cloned()
}

fn place(play: &mut Play, position: Position, wager: Wager, amount: Cents) {
    if let Some(seat) = &mut play.seat {
        seat.wanted.insert((position, wager_number(wager)), amount);
    }
    let (position, wager) = (position.0, wager_word(wager));
    play.command(match amount {
        Cents::ZERO => json!({"do": "withdraw", "position": position, "wager": wager}),
        amount => {
            json!({"do": "place", "position": position, "wager": wager, "amount": cents(amount)})
        }
    });
}

/// Adds a chip to the bet that is chosen; no chip is the least that can be bet.
fn bet(play: &mut Play, chip: Cents) {
    let Some(BetBox { position, wager, placed, offered }) = current_box(play) else { return };
    let Some((least, most, step)) = offered else {
        let why = match wager {
            Wager::Standard => "That bet cannot be placed now.",
            _ => "A standard wager comes first.",
        };
        return play.warn(why);
    };
    let sum = placed.plus(chip).unwrap_or(most);
    let step = step.get().max(1);
    let wanted = sum.max(least).get().div_ceil(step) * step;
    let amount = Cents::new(wanted).min(most);
    if amount == placed {
        return play.warn(format!("{} takes at most {most} here.", wager_name(wager)));
    }
    place(play, position, wager, amount);
}

fn take_back(play: &mut Play) {
    let Some(BetBox { position, wager, placed, .. }) = current_box(play) else { return };
    if placed > Cents::ZERO {
        place(play, position, wager, Cents::ZERO);
    }
}

fn next_box(play: &mut Play) {
    let (me, rulebook) = (play.person(), play.rulebook());
    let number = play.seat.as_ref().map_or(0, |seat| seat.boxes(me, rulebook).len());
    if let Some(seat) = &mut play.seat {
        seat.at_box = (seat.at_box.min(number.saturating_sub(1)) + 1) % number.max(1);
    }
}

fn bet_again(play: &mut Play) {
    let bets = play.seat.as_ref().map(|seat| seat.last_bets.clone()).unwrap_or_default();
    for (position, wager, amount) in bets {
        place(play, position, wager, amount);
    }
}

fn set(play: &mut Play) {
    let Some(seat) = &play.seat else { return };
    let Some(unset) = seat.unset() else { return };
    let low: Value = json!(seat.low());
    play.command(match unset.whose {
        Whose::At(position) => json!({"do": "set", "position": position.0, "low": low}),
        Whose::Banker => json!({"do": "set-banker", "low": low}),
    });
}

/// Whether the house tells how it would set the hand, or would be asked to: only where and when the
/// rulebook lets a player be told.
fn may_be_told(seat: &Seat, whose: Whose) -> bool {
    match whose {
        Whose::At(position) => seat.offers().contains(&Offer::AskHouseWay { position }),
        Whose::Banker => true,
    }
}

/// Asks the dealer for the House Way, and puts the cards so.
fn house_way(play: &mut Play) {
    let Some((unset, dealt)) = dealt(play) else { return };
    let Whose::At(position) = unset.whose else { return };
    // Asked in any case: where it is not told, the house says by which clause.
    play.command(json!({"do": "ask-house-way", "position": position.0}));
    if let (Some(rulebook), Some(seat)) = (play.rulebook(), &mut play.seat)
        && may_be_told(seat, unset.whose)
    {
        let told = Advice::house_way(rulebook, dealt);
        seat.chosen = told.low.from_the_top().collect();
        seat.advice = Some(told);
        seat.scroll = 0;
    }
}

/// What every setting is worth, exactly.
fn advice(play: &mut Play) {
    let Some((unset, dealt)) = dealt(play) else { return };
    let me = play.person();
    let Some(rulebook) = play.rulebook() else {
        return play.warn("This rulebook is not known here, so nothing can be counted.");
    };
    let Some(seat) = &mut play.seat else { return };
    if !may_be_told(seat, unset.whose) {
        let Whose::At(position) = unset.whose else { return };
        return play.command(json!({"do": "ask-house-way", "position": position.0}));
    }
    let fortune = match (unset.whose, seat.view(), me) {
        (Whose::At(position), Some(view), Some(me)) => {
            let there = view.seats.iter().find(|it| it.position == position);
            there.map_or(Cents::ZERO, |it| share_of(it, Wager::Fortune, me))
        }
        _ => Cents::ZERO,
    };
    let advice = Advice::exact(rulebook, dealt, unset.whose == Whose::Banker, fortune);
    seat.chosen = advice.low.from_the_top().collect();
    seat.advice = Some(advice);
    seat.scroll = 0;
}

fn dealt(play: &Play) -> Option<(Unset, Dealt)> {
    let unset = play.seat.as_ref()?.unset()?;
    let cards = unset.cards.iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
    let dealt = Dealt::new(cards).ok()?;
    Some((unset, dealt))
}

fn take_bank(play: &mut Play) {
    let Some((put_up, house_wager, _)) = play.seat.as_ref().and_then(Seat::bank) else { return };
    let (put_up, house_wager) = (cents(put_up), cents(house_wager));
    play.command(json!({"do": "take-bank", "put-up": put_up, "house-wager": house_wager}));
}

/// Gets up and takes one's money along.
fn leave(play: &mut Play) {
    let Some(seat) = &play.seat else { return };
    let mut commands = vec![];
    for offer in seat.offers() {
        match offer {
            Offer::Leave { position } => {
                commands.push(json!({"do": "leave", "position": position.0}));
            }
            Offer::TakeMoney { most } if *most > Cents::ZERO => {
                commands.push(json!({"do": "take-money", "amount": cents(*most)}));
            }
            _ => {}
        }
    }
    for command in commands {
        play.command(command);
    }
    let rules = seat_rules(play);
    if let (Some(rules), Some(tables)) = (rules, play.notes.tables.get_mut(&play.place)) {
        tables.remove(&rules);
        play.noted = true;
    }
    play.commands.move_money = true;
}

fn seat_rules(play: &Play) -> Option<String> {
    Some(play.seat.as_ref()?.view()?.rules.clone())
}

/// Whether someone holds the bank.
pub(crate) fn holds_bank(view: &TableView, person: Person) -> bool {
    matches!(view.bank, Some(Bank::Player { person: banker, .. }) if banker == person)
}

/// Whether a position is the bank's.
pub(crate) fn banks(view: &TableView, position: Position) -> bool {
    matches!(view.bank, Some(Bank::Player { position: at, .. }) if at == position)
}
