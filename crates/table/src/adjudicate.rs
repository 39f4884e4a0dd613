//! Adjudicating one round of a physical table: what was wagered, dealt and laid comes in as data,
//! the statement goes out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use houseway_rules::rulebook::{
    Banker, Coverage, Foul, Incident, Irregularity, Remedy, Rulebook, Text, Wager,
};
use houseway_rules::{CardSet, Cents, Dealt, SetError, set_house_way};
use serde::{Deserialize, Serialize};

use crate::deal::{Spot, first_hand};
use crate::fees::{Fee, fees};
use crate::place::{Person, Places, Position, may_take};
use crate::settlement::{Line, PlayerHand, Round, SetHand, Standing, settle};
use crate::setup::{Posted, Setup};
use crate::stake::{Bank, MOST, Stakes, plus, sum};

/// A round as it lay on the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Given {
    /// The rulebook's id; whoever reads the file finds the rulebook.
    pub rules: String,
    /// What the room posts, where it is not what is usual.
    #[serde(default)]
    pub posted: Option<Posted>,
    /// Who banks, where it is not the house.
    #[serde(default)]
    pub bank: Option<GivenBank>,
    /// The number that was drawn, where one is.
    #[serde(default)]
    pub number: Option<u8>,
    /// The banker's hand.
    pub banker: GivenHand,
    /// The house's own hand against a banking player's.
    #[serde(default)]
    pub house: Option<GivenHand>,
    /// The positions with a wager.
    pub seats: Vec<GivenSeat>,
    /// What went wrong.
    #[serde(default)]
    pub irregularities: Vec<GivenIncident>,
}

/// A banking player.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenBank {
    /// Where they sit.
    pub position: u8,
    /// Who they are; their position's number, if nothing is said.
    #[serde(default)]
    pub person: Option<u32>,
    /// What they put up.
    pub put_up: Cents,
    /// What the house wagers against them.
    #[serde(default)]
    pub house_wager: Cents,
    /// A Fortune Bonus wager on their own hand.
    #[serde(default)]
    pub fortune: Cents,
}

/// Seven cards and how they lay.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenHand {
    /// The cards.
    pub cards: CardSet,
    /// The two cards in front; the House Way, if nothing is said.
    #[serde(default)]
    pub low: Option<CardSet>,
}

/// A position with a wager.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenSeat {
    /// Where.
    pub position: u8,
    /// Who; the position's number, if nothing is said.
    #[serde(default)]
    pub person: Option<u32>,
    /// The standard wager.
    pub standard: Cents,
    /// The Fortune Bonus wager.
    #[serde(default)]
    pub fortune: Cents,
    /// The Tiger 9 wager.
    #[serde(default)]
    pub tiger_nine: Cents,
    /// Who else has part in the wagers, where they are shared.
    #[serde(default)]
    pub shared: Vec<GivenShare>,
    /// The cards.
    pub cards: CardSet,
    /// The two cards in front; the House Way, if nothing is said.
    #[serde(default)]
    pub low: Option<CardSet>,
    /// Whether the dealer set it, so that it must be the House Way.
    #[serde(default)]
    pub dealer_set: bool,
    /// Whether the hand was given up.
    #[serde(default)]
    pub conceded: bool,
    /// How often this player has fouled before.
    #[serde(default)]
    pub fouls: u8,
}

/// Part of a wager.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenShare {
    /// Whose.
    pub person: u32,
    /// On the standard wager.
    #[serde(default)]
    pub standard: Cents,
    /// On the Fortune Bonus.
    #[serde(default)]
    pub fortune: Cents,
}

/// Something that went wrong.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenIncident {
    /// What.
    pub what: Incident,
    /// Whose hand, where it is about one.
    #[serde(default)]
    pub position: Option<u8>,
    /// Whether the cards could be put right, so that the round stands.
    #[serde(default)]
    pub repaired: bool,
}

/// Why a round cannot be adjudicated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where in the data.
    pub field: String,
    /// What is wrong, and what would be right.
    pub why: String,
    /// The clause that says so, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.why)?;
        match &self.clause {
            Some(clause) => write!(f, " ({clause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// What a round comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Adjudicated {
    /// The rulebook's id.
    pub rules: String,
    /// The clause that makes the round void, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<Text>,
    /// What is collected before the round.
    pub fees: Vec<GivenFee>,
    /// The statement, line by line in the order of settlement.
    pub lines: Vec<Line>,
    /// Who banks, with what.
    pub bank: Bank,
    /// What else the rules say about it.
    pub notes: Vec<Note>,
    /// Hands that should lie the House Way and do not.
    pub missets: Vec<Misset>,
}

/// A fee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GivenFee {
    /// Who pays it.
    pub person: Person,
    /// How much.
    pub amount: Cents,
    /// By which clause.
    pub clause: Text,
}

/// What the rules say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// By which clause.
    pub clause: Text,
    /// In words.
    pub says: String,
}

/// A hand that should lie the House Way and does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Misset {
    /// Whose.
    pub spot: Spot,
    /// The two cards in front as it lies.
    pub low: CardSet,
    /// The two cards that belong there.
    pub correct: CardSet,
    /// The clause of the sheet.
    pub clause: Text,
    /// What each person gets more, or less, when it lies right.
    pub differences: Vec<(Person, i64)>,
}

/// Adjudicates a round under a rulebook. Hands that must be set the House Way are settled as they
/// should lie; the difference to how they lay is told.
pub fn adjudicate(rulebook: &Rulebook, given: &Given) -> Result<Adjudicated, Fault> {
    Case::new(rulebook, given)?.decide()
}

fn fault(field: impl Into<String>, why: impl Into<String>, clause: Option<&str>) -> Fault {
    Fault { field: field.into(), why: why.into(), clause: clause.map(str::to_string) }
}

/// A round, checked.
struct Case<'a> {
    setup: Setup,
    given: &'a Given,
    bank: Bank,
}

impl<'a> Case<'a> {
    fn new(rulebook: &Rulebook, given: &'a Given) -> Result<Case<'a>, Fault> {
        let posted = given.posted.clone().unwrap_or_else(|| Posted::usual(rulebook));
        let setup = Setup::new(Arc::new(rulebook.clone()), posted).map_err(|error| {
            fault(format!("posted.{}", error.field), error.why, error.clause.as_deref())
        })?;
        let bank = check_bank(&setup, given)?;
        let case = Case { setup, given, bank };
        case.check_cards()?;
        for (place, seat) in given.seats.iter().enumerate() {
            case.check_seat(place, seat)?;
        }
        case.check_coverage()?;
        if let Some(bank) = given.bank.as_ref().filter(|bank| bank.fortune > Cents::ZERO) {
            let mut stakes = Stakes::default();
            stakes.add(Wager::Fortune, Person(0), bank.fortune);
            case.check_wager("bank.fortune", Wager::Fortune, bank.fortune, &stakes)?;
        }
        Ok(case)
    }

    fn rules(&self) -> &Rulebook {
        &self.setup.rulebook
    }

    /// No card is there twice, and every hand has seven.
    fn check_cards(&self) -> Result<(), Fault> {
        let mut seen = CardSet::EMPTY;
        let hands = [("banker.cards".to_string(), &self.given.banker.cards)];
        let house = self.given.house.iter().map(|hand| ("house.cards".to_string(), &hand.cards));
        let seats = self.given.seats.iter().enumerate();
        let seats = seats.map(|(place, seat)| (format!("seats[{place}].cards"), &seat.cards));
        for (field, &cards) in hands.into_iter().chain(house).chain(seats) {
            if let Err(error) = Dealt::new(cards) {
                return Err(fault(field, error.to_string(), None));
            }
            if let Some(card) = seen.intersection(cards).iter().next() {
                return Err(fault(field, format!("{card} is in another hand too"), None));
            }
            seen = seen.union(cards);
        }
        Ok(())
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
        let shares = seat.shared.iter().flat_map(|share| [share.standard, share.fortune]);
        let own = [seat.standard, seat.fortune, seat.tiger_nine];
        if let Some(amount) = own.into_iter().chain(shares).find(|amount| *amount > MOST) {
            return Err(fault(field("standard"), format!("{amount} is more than {MOST}"), None));
        }
        let stakes = seat.stakes();
        for (name, wager) in [
            ("standard", Wager::Standard),
            ("fortune", Wager::Fortune),
            ("tiger-nine", Wager::TigerNine),
        ] {
            self.check_wager(&field(name), wager, stakes.total(wager), &stakes)?;
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
        if matches!(self.bank, Bank::Player { person, .. } if person == seat.holder()) {
            return Err(fault(field, "the banker does not wager against the bank", None));
        }
        let own = before.iter().filter(|other| other.holder() == seat.holder());
        let own: Vec<Position> = own.map(|other| Position(other.position)).collect();
        may_take(rules, &own, Position(seat.position))
            .map_err(|cite| fault(field, "a player may not have that many positions", cite))
    }

    fn check_wager(
        &self,
        field: &str,
        wager: Wager,
        total: Cents,
        stakes: &Stakes,
    ) -> Result<(), Fault> {
        if total == Cents::ZERO {
            return match wager {
                Wager::Standard => Err(fault(field, "a standard wager opens a position", None)),
                _ => Ok(()),
            };
        }
        let Some((range, limits)) = self.setup.range(wager) else {
            return Err(fault(field, format!("{} has no such bet", self.rules().id), None));
        };
        let cite = Some(&*limits.cite);
        for share in stakes.of(wager) {
            if share.amount > MOST {
                return Err(fault(field, format!("{} is more than {MOST}", share.amount), None));
            }
            if !share.amount.get().is_multiple_of(100) {
                let why = format!("{} is not whole dollars", share.amount);
                return Err(fault(field, why, Some("R6")));
            }
        }
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

    /// A bank that must cover every wager in advance does.
    fn check_coverage(&self) -> Result<(), Fault> {
        let (Bank::Player { put_up, house_wager, .. }, Coverage::InAdvance { cite }) =
            (self.bank, &self.rules().coverage)
        else {
            return Ok(());
        };
        let stakes = self.given.seats.iter().map(|seat| seat.stakes().total(Wager::Standard));
        let needed = plus(sum(stakes), house_wager);
        if needed > put_up {
            let why = format!("{put_up} does not cover {needed}");
            return Err(fault("bank.put-up", why, Some(cite)));
        }
        Ok(())
    }

    fn decide(&self) -> Result<Adjudicated, Fault> {
        let mut notes = vec![];
        let mut out: BTreeSet<Position> = BTreeSet::new();
        let mut returned: Vec<Line> = vec![];
        for (place, incident) in self.given.irregularities.iter().enumerate() {
            let Some(rule) = self.rules().irregularity(incident.what) else {
                let field = format!("irregularities[{place}].what");
                let why = format!("{} has no rule on {}", self.rules().id, incident.what);
                return Err(fault(field, why, None));
            };
            let field = format!("irregularities[{place}].position");
            match self.remedy(rule, incident, &field)? {
                Consequence::Void => return Ok(self.voided(rule, notes)),
                Consequence::Out(positions) => {
                    for position in positions {
                        if out.insert(position) {
                            returned.extend(self.returned(position, &rule.cite));
                        }
                    }
                }
                Consequence::Stands => {}
            }
            let says = format!("{}: {}", rule.what, rule.remedy);
            notes.push(Note { clause: rule.cite.clone(), says });
        }
        let (lines, missets) = self.settled(&out, &mut notes)?;
        Ok(Adjudicated {
            rules: self.rules().id.to_string(),
            void: None,
            fees: self.fees(),
            lines: returned.into_iter().chain(lines).collect(),
            bank: self.bank,
            notes,
            missets,
        })
    }

    fn remedy(
        &self,
        rule: &Irregularity,
        incident: &GivenIncident,
        field: &str,
    ) -> Result<Consequence, Fault> {
        let position = || {
            let seats = &self.given.seats;
            let named = incident.position.filter(|at| seats.iter().any(|it| it.position == *at));
            named
                .map(Position)
                .ok_or_else(|| fault(field, "name a position with a wager", Some(&rule.cite)))
        };
        Ok(match rule.remedy {
            Remedy::Void | Remedy::Redeal | Remedy::CountAndRedeal => Consequence::Void,
            Remedy::VoidUnlessMoved | Remedy::VoidUnlessReconstructed if !incident.repaired => {
                Consequence::Void
            }
            Remedy::HandOut if !incident.repaired => Consequence::Out(vec![position()?]),
            // A wager that came too late is not honoured.
            Remedy::ReturnWager | Remedy::SecondHandOut | Remedy::Refuse => {
                Consequence::Out(vec![position()?])
            }
            // Everything of that player's goes back.
            Remedy::MayBar | Remedy::MayWithdraw => Consequence::Out(self.all_of(position()?)),
            // Whoever withdraws after a power failure is named, one irregularity a player.
            Remedy::WithdrawAllOrNone if incident.position.is_some() => {
                Consequence::Out(self.all_of(position()?))
            }
            _ => Consequence::Stands,
        })
    }

    /// Every position of whoever sits at this one.
    fn all_of(&self, position: Position) -> Vec<Position> {
        let seats = &self.given.seats;
        let holder = seats.iter().find(|seat| seat.position == position.0).map(GivenSeat::holder);
        let own = seats.iter().filter(|seat| Some(seat.holder()) == holder);
        own.map(|seat| Position(seat.position)).collect()
    }

    /// Everything goes back; fees are not taken.
    fn voided(&self, rule: &Irregularity, mut notes: Vec<Note>) -> Adjudicated {
        let says = format!("{}: {}", rule.what, rule.remedy);
        notes.push(Note { clause: rule.cite.clone(), says });
        let all = self.given.seats.iter();
        let lines = all.flat_map(|seat| self.returned(Position(seat.position), &rule.cite));
        Adjudicated {
            rules: self.rules().id.to_string(),
            void: Some(rule.cite.clone()),
            fees: vec![],
            lines: lines.collect(),
            bank: self.bank,
            notes,
            missets: vec![],
        }
    }

    /// Lines by which a position's wagers go back.
    fn returned(&self, position: Position, clause: &Text) -> Vec<Line> {
        let seat = self.given.seats.iter().find(|seat| Position(seat.position) == position);
        let stakes = seat.map(GivenSeat::stakes).unwrap_or_default();
        let shares = stakes.shares();
        shares.map(|(wager, share)| Line::returned(position, wager, share, clause)).collect()
    }

    fn fees(&self) -> Vec<GivenFee> {
        let stakes: Vec<(Position, Person, Stakes)> = self
            .given
            .seats
            .iter()
            .map(|seat| (Position(seat.position), seat.holder(), seat.stakes()))
            .collect();
        let all = stakes.iter().map(|(position, person, stakes)| (*position, *person, stakes));
        let fee = |Fee { person, amount, clause }| GivenFee { person, amount, clause };
        fees(&self.setup, self.bank, all).into_iter().map(fee).collect()
    }

    /// A hand that must lie the House Way: as it should lie, and how it lay if that is not it.
    fn by_the_sheet(&self, hand: &GivenHand) -> (CardSet, Option<(CardSet, Text)>) {
        let dealt = Dealt::new(hand.cards).expect("checked");
        let decision = set_house_way(self.rules(), dealt);
        let correct = decision.setting.low();
        let wrong = hand.low.filter(|low| *low != correct);
        (correct, wrong.map(|low| (low, decision.clause.id.clone())))
    }

    fn strengths(&self, field: &str, cards: CardSet, low: CardSet) -> Result<SetHand, Fault> {
        let dealt = Dealt::new(cards).expect("checked");
        match dealt.set(low, self.rules().ranking()) {
            Ok(setting) => {
                Ok(SetHand { dealt, strengths: setting.strengths(self.rules().ranking()) })
            }
            Err(error) => Err(fault(field, error.to_string(), None)),
        }
    }

    fn settled(
        &self,
        out: &BTreeSet<Position>,
        notes: &mut Vec<Note>,
    ) -> Result<(Vec<Line>, Vec<Misset>), Fault> {
        let free =
            self.rules().bank.player_banker.is_some() && matches!(self.bank, Bank::Player { .. });
        let mut wrong: Vec<(Spot, CardSet, CardSet, Text)> = vec![];
        let places = Places::of(self.rules());
        let banker_spot = self.bank.position().or(places.dealer()).map_or(Spot::Dealer, Spot::At);
        let banker_low = if let Some(low) = self.given.banker.low.filter(|_| free) {
            self.free_banker(low, notes)?
        } else {
            let (low, misset) = self.by_the_sheet(&self.given.banker);
            wrong.extend(misset.map(|(lay, clause)| (banker_spot, lay, low, clause)));
            low
        };
        let house_low = self.given.house.as_ref().map(|house| {
            let (low, misset) = self.by_the_sheet(house);
            let spot = places.dealer().map_or(Spot::Dealer, Spot::At);
            wrong.extend(misset.map(|(lay, clause)| (spot, lay, low, clause)));
            low
        });
        let mut hands: Vec<(PlayerHand, CardSet)> = vec![];
        let mut fouls: BTreeMap<Person, u8> = BTreeMap::new();
        for (place, seat) in self.given.seats.iter().enumerate() {
            if out.contains(&Position(seat.position)) {
                continue;
            }
            let hand = GivenHand { cards: seat.cards, low: seat.low };
            // What the dealer laid is no foul of the player's.
            let (low, standing) = if seat.dealer_set {
                let (correct, misset) = self.by_the_sheet(&hand);
                let spot = Spot::At(Position(seat.position));
                wrong.extend(misset.map(|(lay, clause)| (spot, lay, correct, clause)));
                (correct, self.standing(seat))
            } else {
                let fouls = fouls.entry(seat.holder()).or_insert(seat.fouls);
                self.low_of(place, seat, fouls, notes)?
            };
            let hand = self.strengths(&format!("seats[{place}].low"), seat.cards, low)?;
            let position = Position(seat.position);
            let (holder, stakes) = (seat.holder(), seat.stakes());
            hands.push((PlayerHand { position, holder, hand, stakes, standing }, low));
        }
        hands.sort_by_key(|(hand, _)| hand.position);
        let lines = self.lines(banker_low, house_low, &hands)?;
        let mut missets = vec![];
        for (spot, lay, correct, clause) in wrong {
            // As it lay, all else being right; a hand that lay foul could not be compared at all.
            let fouls = |cards: CardSet| {
                let dealt = Dealt::new(cards).expect("checked");
                matches!(dealt.set(lay, self.rules().ranking()), Err(SetError::Foul { .. }))
            };
            let seat = |position: Position| {
                let mut seats = self.given.seats.iter();
                seats.find(|seat| seat.position == position.0).map(|seat| seat.cards)
            };
            let cards = match spot {
                spot if spot == banker_spot => Some(self.given.banker.cards),
                Spot::At(position) => {
                    seat(position).or_else(|| Some(self.given.house.as_ref()?.cards))
                }
                Spot::Dealer => None,
            };
            if cards.is_some_and(fouls) {
                let differences = vec![];
                missets.push(Misset { spot, low: lay, correct, clause, differences });
                continue;
            }
            let banker = if spot == banker_spot { lay } else { banker_low };
            let house = house_low.map(|low| match Some(spot) == places.dealer().map(Spot::At) {
                true if spot != banker_spot => lay,
                _ => low,
            });
            let mut others = hands.clone();
            for (hand, low) in &mut others {
                if Spot::At(hand.position) == spot {
                    *low = lay;
                    hand.hand = self.strengths("low", hand.hand.dealt.cards(), lay)?;
                }
            }
            let before = self.lines(banker, house, &others)?;
            let differences = differences(self.bank, &before, &lines);
            missets.push(Misset { spot, low: lay, correct, clause, differences });
        }
        Ok((lines, missets))
    }

    /// Whether a hand was given up.
    fn standing(&self, seat: &GivenSeat) -> Standing {
        match (&self.rules().concession, seat.conceded) {
            (Some(rule), true) => Standing::Conceded(rule.cite.clone()),
            _ => Standing::Plays,
        }
    }

    /// The two cards in front of a banking player who sets freely; a foul is set the House Way.
    fn free_banker(&self, low: CardSet, notes: &mut Vec<Note>) -> Result<CardSet, Fault> {
        let dealt = Dealt::new(self.given.banker.cards).expect("checked");
        match dealt.set(low, self.rules().ranking()) {
            Ok(_) => Ok(low),
            Err(SetError::Foul { .. }) => {
                let rule = self.rules().bank.player_banker.as_ref();
                let clause =
                    rule.map_or(self.rules().foul.cite.clone(), |it| it.sets_freely.clone());
                let says = "the banker's foul is set again the House Way".to_string();
                notes.push(Note { clause, says });
                Ok(set_house_way(self.rules(), dealt).setting.low())
            }
            Err(error) => Err(fault("banker.low", error.to_string(), None)),
        }
    }

    /// The two cards in front of a position, a foul put right as the house does it.
    fn low_of(
        &self,
        place: usize,
        seat: &GivenSeat,
        fouls: &mut u8,
        notes: &mut Vec<Note>,
    ) -> Result<(CardSet, Standing), Fault> {
        let dealt = Dealt::new(seat.cards).expect("checked");
        let house_way = set_house_way(self.rules(), dealt).setting.low();
        let standing = self.standing(seat);
        let Some(low) = seat.low else { return Ok((house_way, standing)) };
        match dealt.set(low, self.rules().ranking()) {
            Ok(_) => Ok((low, standing)),
            Err(SetError::Foul { .. }) => {
                let foul = &self.rules().foul;
                let clause = foul.cite.clone();
                let dead = foul.is == Foul::SecondLoses && *fouls > 0;
                *fouls = fouls.saturating_add(1);
                let says = match dead {
                    true => format!("position {}: a later foul is dead and loses", seat.position),
                    false => {
                        format!("position {}: a foul, set again the House Way", seat.position)
                    }
                };
                notes.push(Note { clause: clause.clone(), says });
                Ok((house_way, if dead { Standing::Dead(clause) } else { standing }))
            }
            Err(error) => Err(fault(format!("seats[{place}].low"), error.to_string(), None)),
        }
    }

    fn lines(
        &self,
        banker_low: CardSet,
        house_low: Option<CardSet>,
        hands: &[(PlayerHand, CardSet)],
    ) -> Result<Vec<Line>, Fault> {
        let rules = self.rules();
        let dealing = self.setup.dealing();
        let places = Places::of(rules);
        let banker_at = self.bank.position().or(places.dealer());
        let number = match (self.given.number, &rules.action_button) {
            (Some(number), Some(button)) if !(1..=button.highest).contains(&number) => {
                let why = format!("the number is from 1 to {}", button.highest);
                return Err(fault("number", why, Some(&button.cite)));
            }
            (None, Some(button)) => {
                return Err(fault("number", "the number that was drawn", Some(&button.cite)));
            }
            (number, _) => number.unwrap_or(1),
        };
        let (_, action) = first_hand(rules, dealing, banker_at, number);
        let banker = self.strengths("banker.low", self.given.banker.cards, banker_low)?;
        let house = match (&self.given.house, house_low) {
            (Some(house), Some(low)) => Some(self.strengths("house.low", house.cards, low)?),
            _ => None,
        };
        let hands: Vec<PlayerHand> = hands.iter().map(|(hand, _)| hand.clone()).collect();
        let seats = self.given.seats.iter();
        let seated: Vec<(Position, Person)> =
            seats.map(|seat| (Position(seat.position), seat.holder())).collect();
        let round = Round {
            setup: &self.setup,
            bank: self.bank,
            action,
            banker,
            banker_fortune: self.given.bank.as_ref().map_or(Cents::ZERO, |bank| bank.fortune),
            house,
            hands: &hands,
            seated: &seated,
        };
        Ok(settle(&round))
    }
}

/// What an irregularity does to a round.
enum Consequence {
    Void,
    Out(Vec<Position>),
    Stands,
}

fn check_bank(setup: &Setup, given: &Given) -> Result<Bank, Fault> {
    let rules = &setup.rulebook;
    let cite = Some(&*rules.bank.cite);
    let Some(bank) = &given.bank else {
        return match rules.bank.banker {
            banker if banker.is_house() => Ok(Bank::House),
            _ => Err(fault("bank", "say who banks, and with what", cite)),
        };
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
        if amount > MOST {
            return Err(fault(field, format!("{amount} is more than {MOST}"), None));
        }
        if !amount.get().is_multiple_of(100) {
            return Err(fault(field, format!("{amount} is not whole dollars"), Some("R6")));
        }
    }
    if bank.put_up == Cents::ZERO {
        return Err(fault("bank.put-up", "a bank of nothing covers nothing", cite));
    }
    let plays = rules.bank.player_banker.as_ref();
    if plays.is_none() && (bank.house_wager > Cents::ZERO || bank.fortune > Cents::ZERO) {
        let field = if bank.fortune > Cents::ZERO { "bank.fortune" } else { "bank.house-wager" };
        return Err(fault(field, "there is no such wager in this house", None));
    }
    if bank.house_wager > Cents::ZERO && given.house.is_none() {
        let cite = plays.map(|rules| &*rules.house_bets);
        return Err(fault("house", "the house wagers, so it has a hand", cite));
    }
    Ok(Bank::Player {
        position,
        person: Person(bank.person.unwrap_or(u32::from(bank.position))),
        put_up: bank.put_up,
        house_wager: bank.house_wager,
    })
}

impl GivenSeat {
    fn holder(&self) -> Person {
        Person(self.person.unwrap_or(u32::from(self.position)))
    }

    fn stakes(&self) -> Stakes {
        let mut stakes = Stakes::default();
        let own = [
            (Wager::Standard, self.standard),
            (Wager::Fortune, self.fortune),
            (Wager::TigerNine, self.tiger_nine),
        ];
        for (wager, amount) in own {
            if amount > Cents::ZERO {
                stakes.add(wager, self.holder(), amount);
            }
        }
        for share in &self.shared {
            for (wager, amount) in
                [(Wager::Standard, share.standard), (Wager::Fortune, share.fortune)]
            {
                if amount > Cents::ZERO {
                    stakes.add(wager, Person(share.person), amount);
                }
            }
        }
        stakes
    }
}

/// What each person gets more by one statement than by another.
pub(crate) fn differences(bank: Bank, before: &[Line], after: &[Line]) -> Vec<(Person, i64)> {
    let mut sums = BTreeMap::<Person, i64>::new();
    for (lines, sign) in [(before, -1), (after, 1)] {
        for (person, amount) in crate::decide::gains(bank, lines) {
            *sums.entry(person).or_default() += sign * amount;
        }
    }
    sums.into_iter().filter(|(_, difference)| *difference != 0).collect()
}
