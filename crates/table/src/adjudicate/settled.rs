//! The hands as they lay and as they should, and what the round comes to.

use std::collections::BTreeMap;

use houseway_rules::rulebook::{Foul, Incident, Several, Text, Wager};
use houseway_rules::{CardSet, Cents, Dealt, SetError, set_house_way};

use super::called::Called;
use super::check::{Case, dealt};
use super::given::{GivenHand, GivenSeat, GivenSeated};
use super::{Adjudicated, Fault, GivenFee, LaidHand, Lies, Misset, Note, fault};
use crate::deal::{Spot, first_hand};
use crate::fees::{Fee, fees};
use crate::place::{Person, Places, Position};
use crate::settlement::{Line, PlayerHand, Round, SetHand, Standing, differences, envied, settle};
use crate::stake::{Bank, Stakes};

/// A hand in play.
#[derive(Clone)]
struct Hand {
    spot: Spot,
    person: Option<Person>,
    dealt: Dealt,
    /// The two cards in front as it is compared.
    low: CardSet,
    /// The two cards in front of a dead hand, as it lay.
    dead: Option<CardSet>,
    how: Lies,
    clause: Option<Text>,
    standing: Standing,
    stakes: Stakes,
}

/// A hand that lay wrong.
struct Wrong {
    spot: Spot,
    lay: CardSet,
    clause: Text,
}

/// Every hand in play: the banker's, the house's own where it has one, and the positions'.
#[derive(Clone)]
struct Laid {
    banker: Hand,
    house: Option<Hand>,
    seats: Vec<Hand>,
}

impl Laid {
    fn all(&self) -> impl Iterator<Item = &Hand> {
        [&self.banker].into_iter().chain(&self.house).chain(&self.seats)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Hand> {
        [&mut self.banker].into_iter().chain(&mut self.house).chain(&mut self.seats)
    }
}

impl Case<'_> {
    pub(super) fn settled(&mut self, mut called: Called) -> Result<Adjudicated, Fault> {
        self.bonus_under_minimum_again();
        let out = called.out.keys().copied().collect();
        self.check_cards(&out)?;
        self.check_one_hand_laid(&called)?;
        let mut wrong = vec![];
        let laid = self.laid(&mut called, &mut wrong)?;
        let settled = self.lines(&laid);
        let missets = wrong.into_iter().map(|it| self.misset(it, &laid, &settled, &called));
        let missets = missets.collect();
        let mut lines: Vec<Line> = self.gone_back().collect();
        for (&position, clause) in &called.out {
            lines.extend(self.returned(position, clause));
        }
        lines.extend(settled);
        called.notes.extend(self.limits(&laid));
        called.notes.extend(self.withheld(&laid));
        Ok(Adjudicated {
            rules: self.rules().id.to_string(),
            void: None,
            fees: self.fees(),
            hands: laid.all().map(|hand| self.in_words(hand)).collect(),
            lines,
            bank: self.bank,
            notes: called.notes,
            missets,
        })
    }

    /// A bonus under the minimum of someone who had a wager so settled before goes back alone.
    fn bonus_under_minimum_again(&mut self) {
        for (place, seat) in self.given.seats.iter().enumerate() {
            let stakes = &self.stakes[place];
            if let Some(clause) = self.under_minimum_again(seat, stakes, Wager::Fortune) {
                self.give_back(place, |wager, _| wager == Wager::Fortune, &clause);
            }
        }
    }

    fn fees(&self) -> Vec<GivenFee> {
        let wagered = self.seats().filter(|(_, stakes)| !stakes.is_empty());
        let all = wagered.map(|(seat, stakes)| (Position(seat.position), seat.holder(), stakes));
        let fee = |Fee { person, amount, clause }| GivenFee { person, amount, clause };
        fees(&self.setup, self.bank, all).into_iter().map(fee).collect()
    }

    /// Whoever may look at one hand only has laid no other than the House Way would.
    fn check_one_hand_laid(&self, called: &Called) -> Result<(), Fault> {
        let rule = self.rules().seats.several_positions.as_ref();
        let Some(rule) = rule.filter(|rule| rule.is == Several::ViewOne) else { return Ok(()) };
        let mut laid: Vec<Person> = vec![];
        for (place, seat) in self.given.seats.iter().enumerate() {
            let Some(low) = seat.low else { continue };
            if seat.dealer_set || called.out.contains_key(&Position(seat.position)) {
                continue;
            }
            if set_house_way(self.rules(), dealt(&seat.cards)).setting.low() == low {
                continue;
            }
            if laid.contains(&seat.holder()) {
                let second = self.rules().irregularity(Incident::SecondViewed);
                let hint = second.map(|rule| format!(", or call `second-viewed` ({})", rule.cite));
                let why = format!(
                    "a player lays one hand, the others are set the House Way: leave it out{}",
                    hint.unwrap_or_default()
                );
                return Err(fault(format!("seats[{place}].low"), why, Some(&rule.cite)));
            }
            laid.push(seat.holder());
        }
        Ok(())
    }

    /// Every hand as it is compared, and those that lay wrong.
    fn laid(&self, called: &mut Called, wrong: &mut Vec<Wrong>) -> Result<Laid, Fault> {
        let places = Places::of(self.rules());
        let spot = self.bank.position().or(places.dealer()).map_or(Spot::Dealer, Spot::At);
        let person = match self.bank {
            Bank::Player { person, .. } => Some(person),
            Bank::House => None,
        };
        let free = self.rules().bank.player_banker.is_some() && person.is_some();
        let given = &self.given.banker;
        let reconstructed = called.reconstructed.is_some();
        let banker = match given.low {
            low if free && (low.is_some() || reconstructed) => {
                self.free_banker(spot, person, low, called, wrong)?
            }
            _ => self.by_the_sheet(("banker", spot), person, given, called, wrong)?,
        };
        let at = places.dealer().map_or(Spot::Dealer, Spot::At);
        let house = self.given.house.as_ref();
        let house = house.map(|it| self.by_the_sheet(("house", at), None, it, called, wrong));
        let mut seats = vec![];
        let mut fouls: BTreeMap<Person, u8> = BTreeMap::new();
        for (place, (seat, stakes)) in self.seats().enumerate() {
            if stakes.is_empty() || called.out.contains_key(&Position(seat.position)) {
                continue;
            }
            let mut hand = if seat.dealer_set {
                // What the dealer laid is no foul of the player's.
                let given = GivenHand { cards: seat.cards.clone(), low: seat.low };
                let field = format!("seats[{place}]");
                let spot = Spot::At(Position(seat.position));
                let holder = Some(seat.holder());
                self.by_the_sheet((&field, spot), holder, &given, called, wrong)?
            } else {
                let fouls = fouls.entry(seat.holder()).or_insert(seat.fouls);
                self.players(place, seat, fouls, &mut called.notes)?
            };
            if let (Some(rule), true) = (&self.rules().concession, seat.conceded) {
                hand.standing = Standing::Conceded(rule.cite.clone());
                (hand.how, hand.clause) = (Lies::Conceded, Some(rule.cite.clone()));
            }
            if let Some(clause) = self.under_minimum_again(seat, stakes, Wager::Standard) {
                hand.standing = Standing::Returned(clause);
            }
            hand.stakes = stakes.clone();
            seats.push(hand);
        }
        seats.sort_by_key(|hand| hand.spot);
        Ok(Laid { banker, house: house.transpose()?, seats })
    }

    /// A wager under the minimum of someone who had one settled before takes no part.
    fn under_minimum_again(&self, seat: &GivenSeat, stakes: &Stakes, wager: Wager) -> Option<Text> {
        let rule = self.rules().irregularity(Incident::UnderMinimum)?;
        let (range, _) = self.setup.range(wager)?;
        let total = stakes.total(wager);
        let under = total > Cents::ZERO && total < range.minimum;
        (under && seat.under_minimum_before).then(|| rule.cite.clone())
    }

    /// A hand that must lie the House Way.
    fn by_the_sheet(
        &self,
        (field, spot): (&str, Spot),
        person: Option<Person>,
        given: &GivenHand,
        called: &Called,
        wrong: &mut Vec<Wrong>,
    ) -> Result<Hand, Fault> {
        let dealt = dealt(&given.cards);
        let decision = set_house_way(self.rules(), dealt);
        let clause = decision.clause.id.clone();
        let mut hand = Hand::new(spot, person, dealt, decision.setting.low());
        (hand.how, hand.clause) = (Lies::HouseWay, Some(clause.clone()));
        let Some(lay) = given.low.filter(|low| *low != hand.low) else { return Ok(hand) };
        let legal = match dealt.set(lay, self.rules().ranking()) {
            Ok(_) => true,
            Err(SetError::Foul { .. }) => false,
            Err(error) => return Err(fault(format!("{field}.low"), error.to_string(), None)),
        };
        wrong.push(Wrong { spot, lay, clause });
        match &called.as_they_lay {
            // Too late to put it right; but a foul cannot be compared.
            Some(clause) if legal => {
                (hand.how, hand.clause) = (Lies::Laid, Some(clause.clone()));
                hand.low = lay;
            }
            // The clause that puts it right, where there is one; the sheet's is in what was wrong.
            _ => {
                let reset = self.rules().irregularity(Incident::WrongHouseWay);
                if let Some(rule) = reset {
                    hand.clause = Some(rule.cite.clone());
                }
                hand.how = Lies::PutRight;
            }
        }
        Ok(hand)
    }

    /// The hand of a banking player who sets freely: as it lies, unless it fouls or was called.
    fn free_banker(
        &self,
        spot: Spot,
        person: Option<Person>,
        low: Option<CardSet>,
        called: &mut Called,
        wrong: &mut Vec<Wrong>,
    ) -> Result<Hand, Fault> {
        let dealt = dealt(&self.given.banker.cards);
        let house_way = set_house_way(self.rules(), dealt).setting.low();
        let low = low.unwrap_or(house_way);
        let mut hand = Hand::new(spot, person, dealt, low);
        let fouls = match dealt.set(low, self.rules().ranking()) {
            Ok(_) => false,
            Err(SetError::Foul { .. }) => true,
            Err(error) => return Err(fault("banker.low", error.to_string(), None)),
        };
        if let Some((meant, clause)) = &called.reconstructed {
            hand.low = meant.unwrap_or(house_way);
            if let Err(error) = dealt.set(hand.low, self.rules().ranking()) {
                let field = "irregularities: the cards that belong in front";
                return Err(fault(field, error.to_string(), Some(clause)));
            }
            (hand.how, hand.clause) = (Lies::PutRight, Some(clause.clone()));
            if hand.low != low {
                wrong.push(Wrong { spot, lay: low, clause: clause.clone() });
            }
        } else if fouls {
            let rule = self.rules().bank.player_banker.as_ref();
            let clause = rule.map_or(self.rules().foul.cite.clone(), |it| it.sets_freely.clone());
            let says = "the banker's foul is set again the House Way";
            called.notes.push(Note::new(&clause, says));
            hand.low = house_way;
            (hand.how, hand.clause) = (Lies::Fouled, Some(clause));
        }
        Ok(hand)
    }

    /// A player's hand, a foul put right as the house does it.
    fn players(
        &self,
        place: usize,
        seat: &GivenSeat,
        fouls: &mut u8,
        notes: &mut Vec<Note>,
    ) -> Result<Hand, Fault> {
        let dealt = dealt(&seat.cards);
        let decision = set_house_way(self.rules(), dealt);
        let position = Position(seat.position);
        let spot = Spot::At(position);
        let mut hand = Hand::new(spot, Some(seat.holder()), dealt, decision.setting.low());
        let Some(low) = seat.low else {
            (hand.how, hand.clause) = (Lies::HouseWay, Some(decision.clause.id.clone()));
            return Ok(hand);
        };
        match dealt.set(low, self.rules().ranking()) {
            Ok(_) => hand.low = low,
            Err(SetError::Foul { .. }) => {
                let foul = &self.rules().foul;
                let clause = foul.cite.clone();
                let dead = foul.is == Foul::SecondLoses && *fouls > 0;
                *fouls = fouls.saturating_add(1);
                let says = match dead {
                    true => format!("{position}: a later foul is dead and loses"),
                    false => format!("{position}: a foul, set again the House Way"),
                };
                notes.push(Note::new(&clause, says));
                if dead {
                    hand.standing = Standing::Dead(clause.clone());
                    hand.dead = Some(low);
                }
                hand.how = if dead { Lies::Dead } else { Lies::Fouled };
                hand.clause = Some(clause);
            }
            Err(error) => {
                return Err(fault(format!("seats[{place}].low"), error.to_string(), None));
            }
        }
        Ok(hand)
    }

    fn set(&self, hand: &Hand) -> SetHand {
        let ranking = self.rules().ranking();
        let strengths = hand.dealt.strengths(hand.low, ranking);
        SetHand {
            dealt: hand.dealt,
            strengths: strengths.expect("a hand is compared as it may lie"),
        }
    }

    fn with_round<T>(&self, laid: &Laid, look: impl FnOnce(&Round<'_>) -> T) -> T {
        let rules = self.rules();
        let banker_at = self.bank.position().or(Places::of(rules).dealer());
        let number = self.given.number.unwrap_or(1);
        let (_, action) = first_hand(rules, self.setup.dealing(), banker_at, number);
        let in_play = laid.seats.iter().filter_map(|hand| {
            let (Spot::At(position), Some(holder)) = (hand.spot, hand.person) else { return None };
            let (stakes, standing) = (hand.stakes.clone(), hand.standing.clone());
            Some(PlayerHand { position, holder, hand: self.set(hand), stakes, standing })
        });
        let hands: Vec<PlayerHand> = in_play.collect();
        let seated = |seat: &GivenSeat| (Position(seat.position), seat.holder());
        let without = |it: &GivenSeated| (Position(it.position), it.holder());
        let without = self.given.seated.iter().map(without);
        let seated: Vec<(Position, Person)> =
            self.given.seats.iter().map(seated).chain(without).collect();
        look(&Round {
            setup: &self.setup,
            bank: self.bank,
            action,
            banker: self.set(&laid.banker),
            banker_fortune: self.given.bank.as_ref().map_or(Cents::ZERO, |bank| bank.fortune),
            house: laid.house.as_ref().map(|hand| self.set(hand)),
            hands: &hands,
            seated: &seated,
        })
    }

    fn lines(&self, laid: &Laid) -> Vec<Line> {
        self.with_round(laid, settle)
    }

    /// What the right setting of a hand changes, all else being as it is.
    fn misset(&self, wrong: Wrong, laid: &Laid, lines: &[Line], called: &Called) -> Misset {
        let Wrong { spot, lay, clause } = wrong;
        let hand = laid.all().find(|hand| hand.spot == spot).expect("it is one of them");
        let correct = match hand.how {
            Lies::PutRight => hand.low,
            _ => set_house_way(self.rules(), hand.dealt).setting.low(),
        };
        let legal = |low: CardSet| hand.dealt.set(low, self.rules().ranking()).is_ok();
        let foul = !legal(lay);
        let with = |low: CardSet| {
            let mut other = laid.clone();
            for hand in other.all_mut().filter(|hand| hand.spot == spot) {
                hand.low = low;
            }
            self.lines(&other)
        };
        let stays = called.as_they_lay.clone().filter(|_| hand.low == lay);
        let differences = match (foul, &stays) {
            // A hand that lay foul could not be compared at all.
            (true, _) => vec![],
            (false, Some(_)) => differences(self.bank, lines, &with(correct)),
            (false, None) => differences(self.bank, &with(lay), lines),
        };
        Misset { spot, low: lay, correct, clause, stays, foul, differences }
    }

    /// Wagers outside the limits, as the rules settle them.
    fn limits(&self, laid: &Laid) -> Vec<Note> {
        let mut notes = vec![];
        for hand in &laid.seats {
            let (Spot::At(position), Some((range, _))) =
                (hand.spot, self.setup.range(Wager::Standard))
            else {
                continue;
            };
            let total = hand.stakes.total(Wager::Standard);
            let under = self.rules().irregularity(Incident::UnderMinimum);
            if let Some(rule) = under.filter(|_| total < range.minimum) {
                let what = format!("{position}: {total} is under the minimum of {}", range.minimum);
                notes.push(Note::new(
                    &rule.cite,
                    match hand.standing {
                        Standing::Returned(_) => format!("{what} again, and goes back"),
                        _ => format!("{what}: settled this once, a later one goes back"),
                    },
                ));
            }
        }
        notes
    }

    /// Envy that is kept from someone, and why.
    fn withheld(&self, laid: &Laid) -> Vec<Note> {
        let all = self.with_round(laid, envied).into_iter();
        all.filter_map(|it| {
            let clause = it.withheld?;
            let says = format!(
                "{}: no Envy of {} for the {} at {}",
                it.position, it.amount, it.held, it.of
            );
            Some(Note::new(&clause, says))
        })
        .collect()
    }

    fn in_words(&self, hand: &Hand) -> LaidHand {
        let ranking = self.rules().ranking();
        let low = hand.dead.unwrap_or(hand.low);
        let high = hand.dealt.cards().without(low);
        LaidHand {
            spot: hand.spot,
            person: hand.person,
            how: hand.how,
            clause: hand.clause.clone(),
            low: low.from_the_top().collect(),
            high: high.from_the_top().collect(),
            low_is: ranking.two(low).to_string(),
            high_is: ranking.name(ranking.five(high)),
        }
    }
}

impl Hand {
    /// A hand as its player laid it.
    fn new(spot: Spot, person: Option<Person>, dealt: Dealt, low: CardSet) -> Hand {
        Hand {
            spot,
            person,
            dealt,
            low,
            dead: None,
            how: Lies::Laid,
            clause: None,
            standing: Standing::Plays,
            stakes: Stakes::default(),
        }
    }
}
