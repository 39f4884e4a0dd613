//! What can be done at a table, as keys, and what each does: what the house offers, and no rules.

use houseway_rules::rulebook::Wager;
use houseway_rules::{CardSet, Cents, Dealt};
use houseway_table::view::PhaseView;
use houseway_table::{Offer, Position};
use ratatui::crossterm::event::KeyCode;
use serde_json::{Value, json};

use super::advice::Advice;
use super::seat::{
    BetBox, CHIPS, Move, Seat, Unset, Whose, holds_bank, share_of, wager_name, wager_number,
    wager_word,
};
use super::state::{Button, Do, Play, cents};
use crate::link::Ask;

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
        let holds = me.zip(seat.view()).is_some_and(|(me, view)| holds_bank(view, me));
        all.push(match (seat.looks_at_bank(), holds) {
            // Enter says so already.
            (true, _) if seat.wants_bank() => seat_button(Char('b'), "", Move::TakeBank),
            (true, _) => {
                seat_button(Char('b'), format!("take the bank with {put_up}"), Move::TakeBank)
            }
            (false, true) => seat_button(Char('b'), "change the bank", Move::OpenBank),
            (false, false) => seat_button(Char('b'), "take the bank", Move::OpenBank),
        });
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
    // Digits are an amount while the bank is looked at.
    if boxes.iter().any(|it| it.offered.is_some()) && !seat.looks_at_bank() {
        for (number, chip) in ('1'..).zip(CHIPS) {
            all.push(seat_button(Char(number), format!("${chip}"), Move::Chip(chip)));
        }
        all.push(seat_button(KeyCode::Tab, "next bet", Move::NextBox));
        all.push(seat_button(KeyCode::Backspace, "take back", Move::Clear));
        if !seat.bets_again(&boxes).is_empty() {
            // Enter may say so already.
            let said = all.first().is_some_and(|it| it.act == Do::Seat(Move::Again));
            all.push(seat_button(Char('r'), if said { "" } else { "bet again" }, Move::Again));
        }
        if may_sit_out(play, seat, &boxes) {
            all.push(seat_button(Char('o'), "sit this round out", Move::Ready));
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
    let brings = seat.offers().iter().any(|it| matches!(it, Offer::BringMoney { .. }));
    let more = buy_in(play);
    // Whoever has lost half of what they sat down with may want more.
    if seated && brings && more.get() * 2 > play.wishes.buy_in.get() {
        all.push(seat_button(Char('m'), format!("bring {more}"), Move::Bring));
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
    let back = if seat.has_open() { "close" } else { "menu" };
    all.push(Button::new(KeyCode::Esc, back, Do::Back));
    all
}

/// Whether a round can be left to the others: there are some, and one has no part in it yet.
fn may_sit_out(play: &Play, seat: &Seat, boxes: &[BetBox]) -> bool {
    let Some((me, view)) = play.person().zip(seat.view()) else { return false };
    let others = view.seats.iter().any(|it| it.person.is_some_and(|person| person != me));
    let none = boxes.iter().all(|it| it.placed == Cents::ZERO);
    others && none && !holds_bank(view, me) && seat.may("ready")
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
    if let Some(unset) = seat.unset() {
        return match seat.chosen.len() {
            2 if unset.fouls.contains(&seat.low()) => enter("lay down the foul".into(), Move::Set),
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
    if let Some((put_up, _, _)) = seat.bank()
        && seat.wants_bank()
    {
        return enter(format!("take the bank with {put_up}"), Move::TakeBank);
    }
    // Whoever banks need not bet.
    let banks = me.is_some_and(|me| holds_bank(view, me));
    if view.phase == PhaseView::Betting && !banks {
        let boxes = seat.boxes(me, play.rulebook());
        let placed = boxes.iter().any(|it| it.placed > Cents::ZERO);
        let chosen = boxes.get(seat.at_box(&boxes)).filter(|it| it.offered.is_some());
        let first = boxes.iter().find(|it| it.offered.is_some());
        if let (false, Some(BetBox { position, wager, offered: Some((least, _, _)), .. })) =
            (placed, chosen.or(first))
        {
            let own = view.seats.iter().any(|it| it.position == *position && it.person == me);
            let on = match wager {
                _ if !own => format!(" at seat {}", position.0),
                Wager::Standard => String::new(),
                wager => format!(" on {}", wager_name(*wager)),
            };
            return match seat.bets_again(&boxes).is_empty() {
                true => enter(format!("bet {least}{on}"), Move::Least(*position, *wager)),
                false => enter("bet again".into(), Move::Again),
            };
        }
    }
    if seat.may("ready") {
        let label = match view.phase {
            PhaseView::Idle => "next round",
            PhaseView::Betting | PhaseView::Closed => "deal",
            PhaseView::Revealed => "compare",
            // After a failure of the power, what was set waits for those who withdraw.
            PhaseView::Setting if seat.offers().contains(&Offer::WithdrawAll) => "go on",
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
        Move::Bring => bring(play),
        Move::Chip(chip) => bet(play, Cents::dollars(chip)),
        Move::Least(position, wager) => {
            choose_box(play, position, wager);
            bet(play, Cents::ZERO);
        }
        Move::Clear => take_back(play),
        Move::Box(position, wager) => choose_box(play, position, wager),
        Move::NextBox => next_box(play),
        Move::Again => bet_again(play),
        Move::Ready => {
            if let Some(seat) = &mut play.seat {
                seat.results = false;
            }
            // An Enter too many does not say it again, in a phase that it was not meant for.
            let ready = json!({"do": "ready"});
            if !play.commands.hold(&ready) {
                play.command(ready);
            }
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
        Move::OpenBank => {
            if let Some(seat) = &mut play.seat {
                seat.open_bank();
            }
        }
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
        bring(play);
    }
    play.command(json!({"do": "sit", "position": position.0}));
}

/// Brings as much as one sits down with.
fn bring(play: &mut Play) {
    let amount = buy_in(play);
    play.command(json!({"do": "bring-money", "amount": cents(amount)}));
    play.commands.move_money = true;
}

fn current_box(play: &Play) -> Option<BetBox> {
    let seat = play.seat.as_ref()?;
    let boxes = seat.boxes(play.person(), play.rulebook());
    boxes.get(seat.at_box(&boxes)).cloned()
}

fn choose_box(play: &mut Play, position: Position, wager: Wager) {
    if let Some(seat) = &mut play.seat {
        seat.choose_box(position, wager);
    }
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
    let Some(seat) = &mut play.seat else { return };
    let boxes = seat.boxes(me, rulebook);
    let next = (seat.at_box(&boxes) + 1) % boxes.len().max(1);
    if let Some(it) = boxes.get(next) {
        seat.choose_box(it.position, it.wager);
    }
}

fn bet_again(play: &mut Play) {
    let Some(seat) = &play.seat else { return };
    let boxes = seat.boxes(play.person(), play.rulebook());
    for (position, wager, amount) in seat.bets_again(&boxes) {
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
    if let Some(seat) = &mut play.seat {
        seat.step_back();
    }
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
