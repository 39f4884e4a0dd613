//! Whether a round can have been: who sits and banks where, and what lies on the bets.

use std::collections::BTreeSet;
use std::sync::Arc;

use houseway_rules::rulebook::{Banker, Coverage, First, Incident, Rulebook, Text, Wager};
use houseway_rules::{Card, CardSet, Cents, Dealt};

use super::given::{Given, GivenBank, GivenSeat, GivenShare};
use super::{Fault, fault};
use crate::place::{Person, Places, Position, may_take};
use crate::setup::{Posted, Setup};
use crate::stake::{Bank, MOST, Share, Stakes, WAGERS, minus, plus, sum};

/// A round whose wagers were checked.
pub(super) struct Case<'a> {
    pub(super) setup: Setup,
    pub(super) given: &'a Given,
    pub(super) bank: Bank,
    /// What is in action at each of the seats, in their order.
    pub(super) stakes: Vec<Stakes>,
    /// What went back of them, and the clause that says so.
    pub(super) back: Vec<(Position, Wager, Share, Text)>,
}

pub(super) const fn name_of(wager: Wager) -> &'static str {
    match wager {
        Wager::Standard => "standard",
        Wager::Fortune => "fortune",
        Wager::TigerNine => "tiger-nine",
    }
}

impl<'a> Case<'a> {
    pub(super) fn new(rulebook: &Rulebook, given: &'a Given) -> Result<Case<'a>, Fault> {
        let posted = given.posted.clone().unwrap_or_else(|| Posted::usual(rulebook));
        let setup = Setup::new(Arc::new(rulebook.clone()), posted).map_err(|error| {
            fault(format!("posted.{}", error.field), error.why, error.clause.as_deref())
        })?;
        let bank = check_bank(&setup, given)?;
        let mut case = Case { setup, given, bank, stakes: vec![], back: vec![] };
        let house = matches!(bank, Bank::Player { house_wager, .. } if house_wager > Cents::ZERO);
        if given.seats.is_empty() && !house {
            return Err(fault("seats", "nobody has wagered: name a position", None));
        }
        case.check_seated()?;
        case.check_number()?;
        for (place, seat) in given.seats.iter().enumerate() {
            case.check_seat(place, seat)?;
        }
        case.take_away_late()?;
        for (place, stakes) in case.stakes.iter().enumerate() {
            for wager in WAGERS {
                let field = format!("seats[{place}].{}", name_of(wager));
                case.check_wager(&field, wager, stakes)?;
            }
        }
        case.check_coverage()?;
        if let Some(bank) = &given.bank {
            case.check_bankers_fortune(bank)?;
        }
        Ok(case)
    }

    pub(super) fn rules(&self) -> &Rulebook {
        &self.setup.rulebook
    }

    /// Every seat with what is in action there.
    pub(super) fn seats(&self) -> impl Iterator<Item = (&'a GivenSeat, &Stakes)> + Clone {
        self.given.seats.iter().zip(&self.stakes)
    }

    fn check_number(&self) -> Result<(), Fault> {
        let rules = self.rules();
        let drawn = self.setup.dealing().first != First::DealersLeft;
        let button = rules.action_button.as_ref();
        let cite = button.map_or(&*self.setup.dealing().cite, |button| &*button.cite);
        let highest = self.setup.highest_number();
        match self.given.number {
            Some(_) if !drawn => {
                Err(fault("number", "no number is drawn here: leave it out", Some(cite)))
            }
            Some(number) if !(1..=highest).contains(&number) => {
                Err(fault("number", format!("the number is from 1 to {highest}"), Some(cite)))
            }
            None if button.is_some() => {
                Err(fault("number", "the number that was drawn", Some(cite)))
            }
            _ => Ok(()),
        }
    }

    fn check_seat(&self, place: usize, seat: &GivenSeat) -> Result<(), Fault> {
        let field = |name: &str| format!("seats[{place}].{name}");
        let rules = self.rules();
        let places = Places::of(rules);
        let position = Position(seat.position);
        if !places.has_seat(position) {
            let why = format!("there are positions 1 to {}", places.seats);
            return Err(fault(field("position"), why, Some(&rules.seats.cite)));
        }
        let before = &self.given.seats[..place];
        if before.iter().any(|other| other.position == seat.position) {
            return Err(fault(field("position"), "the position is there twice", None));
        }
        if self.bank.position() == Some(position) {
            return Err(fault(field("position"), "the banker does not wager there", None));
        }
        self.check_person(&field("person"), seat, before)?;
        if seat.conceded && rules.concession.is_none() {
            return Err(fault(field("conceded"), "a hand cannot be conceded here", Some("R9")));
        }
        if !seat.shared.is_empty() && rules.seats.shared_wagers.is_none() {
            return Err(fault(field("shared"), "a wager is not shared here", None));
        }
        if seat.under_minimum_before && rules.irregularity(Incident::UnderMinimum).is_none() {
            let why = format!("{} settles no wager under the minimum", rules.id);
            return Err(fault(field("under-minimum-before"), why, None));
        }
        // A side bet stands beside a standard wager of the same person.
        let mut sharers = seat.shared.iter().enumerate();
        let bare =
            |share: &GivenShare| share.fortune > Cents::ZERO && share.standard == Cents::ZERO;
        if let Some((at, _)) = sharers.find(|(_, share)| bare(share)) {
            let cite = self.setup.range(Wager::Fortune).map(|(_, limits)| &*limits.cite);
            let why = "a standard wager comes first";
            return Err(fault(field(&format!("shared[{at}].fortune")), why, cite));
        }
        // Before anything is added up, every amount is one that can be.
        let shares = seat.shared.iter().enumerate().flat_map(|(at, share)| {
            let name = move |bet: &str| format!("shared[{at}].{bet}");
            [(name("standard"), share.standard), (name("fortune"), share.fortune)]
        });
        let own = [
            ("standard".to_string(), seat.standard),
            ("fortune".to_string(), seat.fortune),
            ("tiger-nine".to_string(), seat.tiger_nine),
        ];
        for (name, amount) in own.into_iter().chain(shares) {
            check_amount(&field(&name), amount)?;
        }
        Ok(())
    }

    /// Nobody wagers against their own bank, nor on more positions than the house allows.
    fn check_person(
        &self,
        field: &str,
        seat: &GivenSeat,
        before: &[GivenSeat],
    ) -> Result<(), Fault> {
        let rules = self.rules();
        // Where one may have several positions, a banker's other one is like another player's.
        let banks = match self.bank {
            Bank::Player { person, position, .. } if person == seat.holder() => Some(position),
            _ => None,
        };
        let own = before.iter().filter(|other| other.holder() == seat.holder());
        let own: Vec<Position> = own.map(|other| Position(other.position)).chain(banks).collect();
        may_take(rules, &own, Position(seat.position)).map_err(|cite| match banks {
            Some(_) if cite.is_none() => {
                fault(field, "the banker does not wager against the bank", None)
            }
            _ => fault(field, "a player may not have that many positions", cite),
        })
    }

    /// Whoever sits there without a wager sits at a place of their own.
    fn check_seated(&self) -> Result<(), Fault> {
        let places = Places::of(self.rules());
        for (at, seated) in self.given.seated.iter().enumerate() {
            let field = format!("seated[{at}].position");
            let position = Position(seated.position);
            if !places.has_seat(position) {
                let why = format!("there are positions 1 to {}", places.seats);
                return Err(fault(field, why, Some(&self.rules().seats.cite)));
            }
            let before = self.given.seated[..at].iter().map(|it| it.position);
            let wagered = self.given.seats.iter().map(|it| it.position);
            if before.chain(wagered).any(|other| other == seated.position) {
                return Err(fault(field, "the position is there twice", None));
            }
        }
        Ok(())
    }

    /// The clause by which a wager is too late: where no irregularity is about it, the one that
    /// closes bets by the deal is.
    fn late_clause(&self) -> Text {
        let rule = self.rules().irregularity(Incident::LateWager);
        rule.map_or_else(|| self.setup.dealing().cite.clone(), |rule| rule.cite.clone())
    }

    /// Finds what is in action: what lies there, less what came too late.
    fn take_away_late(&mut self) -> Result<(), Fault> {
        let given = self.given;
        self.stakes = given.seats.iter().map(GivenSeat::stakes).collect();
        let clause = self.late_clause();
        for (at, incident) in given.irregularities.iter().enumerate() {
            if incident.what != Incident::LateWager {
                continue;
            }
            let field = |name: &str| format!("irregularities[{at}].{name}");
            let found = |seat: &GivenSeat| Some(seat.position) == incident.position;
            let Some(place) = given.seats.iter().position(found) else {
                return Err(fault(
                    field("position"),
                    "name a position with a wager",
                    Some(&clause),
                ));
            };
            let position = Position(given.seats[place].position);
            let person = incident.person.map_or(given.seats[place].holder(), Person);
            let Some(wager) = incident.wager else {
                if incident.amount.is_some() {
                    return Err(fault(field("wager"), "say which bet was raised", None));
                }
                match incident.person {
                    Some(_) => self.give_back(place, |_, share| share.person == person, &clause),
                    None => self.give_back(place, |_, _| true, &clause),
                }
                continue;
            };
            let stakes = &mut self.stakes[place];
            let own = stakes.of(wager).iter().find(|share| share.person == person);
            let lay = own.map_or(Cents::ZERO, |share| share.amount);
            let amount = incident.amount.unwrap_or(lay);
            if amount == Cents::ZERO || amount > lay {
                let why = format!("{amount} cannot be late of {lay}");
                return Err(fault(field("amount"), why, Some(&clause)));
            }
            stakes.remove(wager, person);
            if amount < lay {
                stakes.add(wager, person, minus(lay, amount));
            }
            self.back.push((position, wager, Share { person, amount }, clause.clone()));
            self.give_back(place, |_, _| false, &clause);
        }
        Ok(())
    }

    /// Gives some of what lies at a seat back. Where no standard wager is left, nothing can stand
    /// beside it; and a side bet goes with its owner's standard wager.
    pub(super) fn give_back(
        &mut self,
        place: usize,
        goes: impl Fn(Wager, Share) -> bool,
        clause: &Text,
    ) {
        let position = Position(self.given.seats[place].position);
        let stakes = std::mem::take(&mut self.stakes[place]);
        let stays = |share: &Share| !goes(Wager::Standard, *share);
        let standard: Vec<Person> =
            stakes.of(Wager::Standard).iter().filter(|it| stays(it)).map(|it| it.person).collect();
        for (wager, share) in stakes.shares() {
            match goes(wager, share) || !standard.contains(&share.person) {
                true => self.back.push((position, wager, share, clause.clone())),
                false => self.stakes[place].add(wager, share.person, share.amount),
            }
        }
    }

    fn check_wager(&self, field: &str, wager: Wager, stakes: &Stakes) -> Result<(), Fault> {
        let total = stakes.total(wager);
        if total == Cents::ZERO {
            return match wager {
                // A position whose wagers all came too late has none left.
                Wager::Standard if !stakes.is_empty() || self.back.is_empty() => {
                    let cite = self.setup.range(wager).map(|(_, limits)| &*limits.cite);
                    Err(fault(field, "a standard wager opens a position", cite))
                }
                _ => Ok(()),
            };
        }
        let Some((range, limits)) = self.setup.range(wager) else {
            return Err(fault(field, format!("{} has no such bet", self.rules().id), None));
        };
        let cite = Some(&*limits.cite);
        if !total.get().is_multiple_of(limits.step.get()) {
            return Err(fault(field, format!("{total} is not in steps of {}", limits.step), cite));
        }
        // Some documents settle what is outside the limits; others do not take it.
        let settles = |what| self.rules().irregularity(what).is_some();
        if total < range.minimum && !settles(Incident::UnderMinimum) {
            let why = format!("{total} is below the minimum of {}", range.minimum);
            return Err(fault(field, why, cite));
        }
        if total > range.maximum && !settles(Incident::OverMaximum) {
            let why = format!("{total} is above the maximum of {}", range.maximum);
            return Err(fault(field, why, cite));
        }
        Ok(())
    }

    fn check_bankers_fortune(&self, bank: &GivenBank) -> Result<(), Fault> {
        if bank.fortune == Cents::ZERO {
            return Ok(());
        }
        let mut stakes = Stakes::default();
        stakes.add(Wager::Fortune, Person(0), bank.fortune);
        self.check_wager("bank.fortune", Wager::Fortune, &stakes)
    }

    /// A bank that must cover every wager in advance does.
    fn check_coverage(&self) -> Result<(), Fault> {
        let (Bank::Player { put_up, house_wager, .. }, Coverage::InAdvance { cite }) =
            (self.bank, &self.rules().coverage)
        else {
            return Ok(());
        };
        let stakes = self.stakes.iter().map(|stakes| stakes.total(Wager::Standard));
        let needed = plus(sum(stakes), house_wager);
        if needed > put_up {
            let why = format!("{put_up} does not cover {needed}");
            return Err(fault("bank.put-up", why, Some(cite)));
        }
        Ok(())
    }

    /// No card is there twice, and every hand in play has seven.
    pub(super) fn check_cards(&self, out: &BTreeSet<Position>) -> Result<(), Fault> {
        let mut seen = CardSet::EMPTY;
        let given = self.given;
        let house = given.house.iter().map(|hand| ("house".to_string(), &hand.cards, true));
        let seats = given.seats.iter().enumerate().map(|(place, seat)| {
            let in_action = !self.stakes[place].is_empty();
            let plays = in_action && !out.contains(&Position(seat.position));
            (format!("seats[{place}]"), &seat.cards, plays)
        });
        let banker = [("banker".to_string(), &given.banker.cards, true)];
        for (hand, cards, plays) in banker.into_iter().chain(house).chain(seats) {
            for (at, &card) in cards.iter().enumerate() {
                if seen.contains(card) {
                    let why = format!("{card} is there twice, or in another hand too");
                    let clause = self.irregular(&[Incident::ForeignCard, Incident::CardCount]);
                    return Err(fault(format!("{hand}.cards[{at}]"), why, clause));
                }
                seen = seen.with(card);
            }
            if plays && cards.is_empty() {
                return Err(fault(format!("{hand}.cards"), "the cards are missing", None));
            }
            if plays && cards.len() != 7 {
                let why = format!("{} cards, and a hand has seven", cards.len());
                let what = match hand.as_str() {
                    "banker" => Incident::BankerHandSize,
                    _ => Incident::PlayerHandSize,
                };
                let clause = self.irregular(&[what, Incident::HandSize]);
                return Err(fault(format!("{hand}.cards"), why, clause));
            }
        }
        Ok(())
    }

    /// The clause on something that would have to be called.
    fn irregular(&self, what: &[Incident]) -> Option<&str> {
        let found = what.iter().find_map(|&what| self.rules().irregularity(what));
        found.map(|rule| &*rule.cite)
    }
}

/// Seven cards that were checked.
pub(super) fn dealt(cards: &[Card]) -> Dealt {
    let cards = cards.iter().fold(CardSet::EMPTY, |set, &card| set.with(card));
    Dealt::new(cards).expect("the cards were checked")
}

fn check_amount(field: &str, amount: Cents) -> Result<(), Fault> {
    if amount > MOST {
        return Err(fault(field, format!("{amount} is more than {MOST}"), None));
    }
    if !amount.get().is_multiple_of(100) {
        return Err(fault(field, format!("{amount} is not whole dollars"), Some("R6")));
    }
    Ok(())
}

fn check_bank(setup: &Setup, given: &Given) -> Result<Bank, Fault> {
    let rules = &setup.rulebook;
    let cite = Some(&*rules.bank.cite);
    let Some(bank) = &given.bank else {
        if !rules.bank.banker.is_house() {
            return Err(fault("bank", "say who banks, and with what", cite));
        }
        if given.house.is_some() {
            let why = "the house banks, so its hand is `banker`: leave this out";
            return Err(fault("house", why, cite));
        }
        return Ok(Bank::House);
    };
    if rules.bank.banker == Banker::House {
        return Err(fault("bank", "only the house banks here: leave it out", cite));
    }
    let position = Position(bank.position);
    if !Places::of(rules).has_seat(position) {
        return Err(fault("bank.position", "there is no such position", Some(&rules.seats.cite)));
    }
    for (field, amount) in [
        ("bank.put-up", bank.put_up),
        ("bank.house-wager", bank.house_wager),
        ("bank.fortune", bank.fortune),
    ] {
        check_amount(field, amount)?;
    }
    if bank.put_up == Cents::ZERO {
        return Err(fault("bank.put-up", "a bank of nothing covers nothing", cite));
    }
    let Some(plays) = &rules.bank.player_banker else {
        let unknown = [
            ("bank.house-wager", bank.house_wager > Cents::ZERO),
            ("bank.fortune", bank.fortune > Cents::ZERO),
            ("house", given.house.is_some()),
        ];
        return match unknown.into_iter().find(|(_, there)| *there) {
            Some((field, _)) => Err(fault(field, "the house does not play here", cite)),
            None => Ok(player_bank(bank)),
        };
    };
    if bank.house_wager > Cents::ZERO && given.house.is_none() {
        let why = "the house wagers, so it has a hand";
        return Err(fault("house", why, Some(&plays.house_bets)));
    }
    if let Some((_, limits)) = setup.range(Wager::Standard)
        && !bank.house_wager.get().is_multiple_of(limits.step.get())
    {
        let why = format!("{} is not in steps of {}", bank.house_wager, limits.step);
        return Err(fault("bank.house-wager", why, Some(&limits.cite)));
    }
    Ok(player_bank(bank))
}

fn player_bank(bank: &GivenBank) -> Bank {
    Bank::Player {
        position: Position(bank.position),
        person: Person(bank.person.unwrap_or(u32::from(bank.position))),
        put_up: bank.put_up,
        house_wager: bank.house_wager,
    }
}
