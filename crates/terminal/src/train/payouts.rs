//! Rounds to be paid: drawn so that what a dealer has to know comes up, and adjudicated by the table.

use houseway_rules::rulebook::{Banker, Payer, Rulebook, Text};
use houseway_rules::settle::is_nine_high;
use houseway_rules::{BonusHand, Card, Cents, Rank, Suit, set_house_way};
use houseway_table::adjudicate::{Adjudicated, Given, adjudicate};
use houseway_table::settlement::{Bet, Line, Owner};
use houseway_table::{Bank, Person, Places, Posted, Setup};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use serde_json::{Value, json};

use super::drills::{Amount, Form, dealt, deck};
use crate::look::signed;
use crate::words;

/// Whose win or loss is asked for.
const ASKED: Person = Person(1);

/// What a payout is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    Plain,
    Fortune,
    Envy,
    Coverage,
    Tiger,
    /// The one who is asked about banks.
    Bank,
}

/// A round to be paid. What it comes to is the table's own adjudication.
pub(super) fn payout(rulebook: &Rulebook, chance: &mut ChaCha8Rng) -> (Vec<String>, Form) {
    // Not every round that can be thought of may be played; the first that may is asked about.
    for _ in 0..64 {
        let theme = pick(chance, &themes(rulebook));
        let (given, about) = Round::draw(rulebook, theme, chance).given();
        let Ok(read) = serde_json::from_value::<Given>(given) else { continue };
        if let Ok(adjudicated) = adjudicate(rulebook, &read) {
            return (about, Form::Amount(amount(rulebook, &adjudicated)));
        }
    }
    unreachable!("a house lets some round be played")
}

fn themes(rulebook: &Rulebook) -> Vec<Theme> {
    let mut themes = vec![Theme::Plain, Theme::Fortune];
    if rulebook.envy.is_some() {
        themes.push(Theme::Envy);
    }
    match rulebook.bank.banker {
        Banker::House => {}
        Banker::HouseOrPlayer => themes.push(Theme::Bank),
        Banker::DesignatedPlayer | Banker::PlayerDealer => {
            themes.extend([Theme::Coverage, Theme::Bank]);
        }
    }
    if rulebook.tiger_nine.is_some() {
        themes.push(Theme::Tiger);
    }
    themes
}

fn pick<T: Copy>(chance: &mut ChaCha8Rng, from: &[T]) -> T {
    from[chance.random_range(0..from.len())]
}

/// What lies at a seat, in cents.
struct Wagers {
    position: u8,
    standard: u64,
    fortune: u64,
    tiger: u64,
}

/// A player's bank, in cents.
struct Banked {
    position: u8,
    put_up: u64,
    house_wager: u64,
    fortune: u64,
}

/// A round as it is drawn.
struct Round<'a> {
    rulebook: &'a Rulebook,
    /// Seven cards each: the banker's, then those of the seats, then the house's own.
    cards: Vec<Card>,
    seats: [Wagers; 2],
    bank: Option<Banked>,
    number: Option<u8>,
}

impl<'a> Round<'a> {
    fn draw(rulebook: &'a Rulebook, theme: Theme, chance: &mut ChaCha8Rng) -> Round<'a> {
        let posted = Posted::usual(rulebook);
        let cards = cards(rulebook, theme, chance);
        let player_banks = match rulebook.bank.banker {
            Banker::House => false,
            Banker::DesignatedPlayer | Banker::PlayerDealer => true,
            Banker::HouseOrPlayer => theme == Theme::Bank || chance.random_range(0..2) == 0,
        };
        // Player 1 has the first seat; where the others sit decides who is paid first.
        let mut places: Vec<u8> = (2..=Places::of(rulebook).seats).collect();
        places.shuffle(chance);
        let (first, banker) = match theme {
            Theme::Bank => (places[1], 1),
            _ => (1, places[1]),
        };
        let least = posted.standard.minimum.get();
        let stake = |chance: &mut ChaCha8Rng| least * pick(chance, &[1, 2, 3, 5, 10]);
        let bonus = posted.fortune.minimum.get();
        let mut fortune = bonus * pick(chance, &[1, 5]);
        if matches!(theme, Theme::Plain | Theme::Bank) && chance.random_range(0..2) == 0 {
            fortune = 0;
        }
        let tiger = posted.tiger_nine.map_or(0, |range| range.minimum.get());
        let tiger = if theme == Theme::Tiger { tiger * 5 } else { 0 };
        // Some houses bring Envy only for a hand that bet the bonus itself.
        let others = if theme == Theme::Envy { bonus * pick(chance, &[0, 1]) } else { 0 };
        let seats = [
            Wagers { position: first, standard: stake(chance), fortune, tiger },
            Wagers { position: places[0], standard: stake(chance), fortune: others, tiger: 0 },
        ];
        let bank = player_banks.then(|| {
            let wagered = seats[0].standard + seats[1].standard;
            let (mut house_wager, mut own) = (0, 0);
            if rulebook.bank.player_banker.is_some() {
                house_wager = least * pick(chance, &[0, 1, 2]);
                own = bonus * pick(chance, &[0, 1, 5]);
            }
            let put_up = match theme {
                Theme::Coverage => wagered / 200 * pick(chance, &[50, 70, 100]),
                _ => (wagered + house_wager) * 50,
            };
            let put_up = (put_up / 100 * 100).max(100);
            Banked { position: banker, put_up, house_wager, fortune: own }
        });
        let highest = Setup::new(rulebook.clone().into(), posted).ok();
        let highest = highest.map_or(1, |setup| setup.highest_number());
        let drawn = rulebook.bank.banker != Banker::House;
        let number = drawn.then(|| chance.random_range(1..=highest));
        Round { rulebook, cards, seats, bank, number }
    }

    fn hand(&self, place: usize) -> &[Card] {
        &self.cards[place * 7..place * 7 + 7]
    }

    fn in_words(&self, place: usize) -> String {
        let set = set_house_way(self.rulebook, dealt(self.hand(place))).setting;
        format!("Low {}, High {}", set.low(), set.high())
    }

    /// The round for the table, and for the person who is asked.
    fn given(&self) -> (Value, Vec<String>) {
        let seats: Vec<Value> = (1..)
            .zip(&self.seats)
            .map(|(place, it)| {
                json!({"position": it.position, "standard": it.standard, "fortune": it.fortune,
                       "tiger-nine": it.tiger, "cards": self.hand(place)})
            })
            .collect();
        let mut given = json!({
            "rules": self.rulebook.id, "banker": {"cards": self.hand(0)}, "seats": seats,
        });
        let mut about = vec![];
        if let Some(number) = self.number {
            given["number"] = number.into();
        }
        match (&self.bank, self.number) {
            (Some(bank), number) => {
                let Banked { position, put_up, house_wager, fortune } = *bank;
                given["bank"] = json!({"position": position, "put-up": put_up,
                    "house-wager": house_wager, "fortune": fortune});
                let drawn =
                    number.map_or(String::new(), |it| format!("; the number drawn is {it}"));
                about.push(format!("Player {position} banks with {}{drawn}.", Cents::new(put_up)));
                if fortune > 0 {
                    let fortune = Cents::new(fortune);
                    about.push(format!("          and wagers Fortune {fortune} on that hand"));
                }
            }
            (None, _) => about.push("The house banks.".to_string()),
        }
        about.push(format!("Banker:   {}", self.in_words(0)));
        for (place, it) in (1..).zip(&self.seats) {
            let all = [("standard", it.standard), ("Fortune", it.fortune), ("Tiger 9", it.tiger)];
            let placed = all.into_iter().filter(|(_, amount)| *amount > 0);
            let texts = placed.map(|(name, amount)| format!("{name} {}", Cents::new(amount)));
            about.push(format!("Player {}: {}", it.position, self.in_words(place)));
            about.push(format!("          wagers {}", texts.collect::<Vec<_>>().join(", ")));
        }
        if let Some(wager) = self.bank.as_ref().map(|bank| bank.house_wager).filter(|it| *it > 0) {
            given["house"] = json!({"cards": self.hand(3)});
            about.push(format!("House:    {}", self.in_words(3)));
            about.push(format!("          wagers {} against the bank", Cents::new(wager)));
        }
        about.push(
            "All hands are set the House Way. Commission counts; fees before the deal do not."
                .into(),
        );
        (given, about)
    }
}

/// A deck in whose first hands lies what a round is about.
fn cards(rulebook: &Rulebook, theme: Theme, chance: &mut ChaCha8Rng) -> Vec<Card> {
    if theme == Theme::Envy {
        let table = rulebook.fortune.table.iter();
        let brings: Vec<BonusHand> =
            table.filter(|line| line.envy.is_some()).map(|line| line.hand).collect();
        let held = bonus_hand(pick(chance, &brings), chance);
        let mut rest = deck(chance);
        rest.retain(|card| !held.contains(card));
        rest.splice(14..14, held);
        return rest;
    }
    // Half of what Tiger 9 and the bonus are about is whether the banker stands in the way.
    let wants_banker = chance.random_range(0..2) == 0;
    let ranking = rulebook.ranking();
    let wants = |deck: &[Card]| {
        let hand = |place: usize| dealt(&deck[place * 7..place * 7 + 7]);
        match theme {
            Theme::Fortune => {
                let pays = |hand| {
                    BonusHand::of(hand).is_some_and(|it| rulebook.fortune.pays(it).is_some())
                };
                let beaten = rulebook.fortune.only_above_banker.is_some() && wants_banker;
                pays(hand(1)) && (!beaten || pays(hand(0)))
            }
            Theme::Tiger => {
                let low = set_house_way(rulebook, hand(0)).setting.strengths(ranking).low;
                is_nine_high(low) == wants_banker
            }
            Theme::Plain | Theme::Coverage | Theme::Bank | Theme::Envy => true,
        }
    };
    let mut cards = deck(chance);
    for _ in 0..20_000 {
        if wants(&cards) {
            break;
        }
        cards = deck(chance);
    }
    cards
}

/// Seven cards that are a bonus hand and no higher one.
fn bonus_hand(wanted: BonusHand, chance: &mut ChaCha8Rng) -> Vec<Card> {
    loop {
        let suits = Suit::ALL;
        let suit = pick(chance, &suits);
        let run = |chance: &mut ChaCha8Rng, long: usize| {
            let from = chance.random_range(0..=Rank::ALL.len() - long);
            Rank::ALL[from..from + long].iter().map(|&rank| Card::new(rank, suit)).collect()
        };
        let royal = || Rank::ALL[8..].iter().map(|&rank| Card::new(rank, suit)).collect();
        let mut cards: Vec<Card> = match wanted {
            BonusHand::SevenCardStraightFlush => run(chance, 7),
            BonusHand::SevenCardStraightFlushJoker => {
                let mut cards: Vec<Card> = run(chance, 7);
                cards[chance.random_range(0..7)] = Card::JOKER;
                cards
            }
            BonusHand::RoyalMatch => {
                let mut cards: Vec<Card> = royal();
                let other = pick(chance, &suits);
                cards.extend([Card::new(Rank::King, other), Card::new(Rank::Queen, other)]);
                cards
            }
            BonusHand::RoyalFlush => royal(),
            BonusHand::StraightFlush => run(chance, 5),
            BonusHand::FiveAces => {
                let aces = suits.map(|suit| Card::new(Rank::Ace, suit));
                aces.into_iter().chain([Card::JOKER]).collect()
            }
            BonusHand::FourOfAKind => {
                let rank = pick(chance, &Rank::ALL);
                suits.map(|suit| Card::new(rank, suit)).to_vec()
            }
            // What is common enough comes by itself.
            BonusHand::Straight
            | BonusHand::ThreeOfAKind
            | BonusHand::Flush
            | BonusHand::FullHouse => vec![],
        };
        for card in deck(chance) {
            if cards.len() < 7 && !cards.contains(&card) {
                cards.push(card);
            }
        }
        let distinct = cards.iter().enumerate().all(|(at, card)| !cards[..at].contains(card));
        if distinct && BonusHand::of(dealt(&cards)) == Some(wanted) {
            return cards;
        }
    }
}

fn amount(rulebook: &Rulebook, adjudicated: &Adjudicated) -> Amount {
    let banks = matches!(adjudicated.bank, Bank::Player { person, .. } if person == ASKED);
    let (mut right, mut why, mut clauses) = (0, vec![], vec![]);
    let mut tell = |text: String, cited: &[Text]| {
        why.push(text);
        for clause in cited {
            why.push(format!("  {}", words::clause(Some(rulebook), clause)));
            if !clauses.contains(&clause.to_string()) {
                clauses.push(clause.to_string());
            }
        }
    };
    for line in &adjudicated.lines {
        // What a bank takes and pays are other people's lines.
        let gain = match line {
            line if line.owner == Owner::Person(ASKED) => words::gain(line),
            line if banks && line.payer == Payer::Banker => taken(line),
            _ => continue,
        };
        right += gain;
        let text = match banks && line.bet != Bet::BankerCommission {
            true => format!("{} {}.", signed(gain), words::line(line)),
            false => format!("{}.", words::line(line)),
        };
        tell(text, &line.clauses);
    }
    Amount { right, why, clauses }
}

/// What the bank gains by a line.
fn taken(line: &Line) -> i64 {
    words::signed_cents(line.taken) - words::signed_cents(line.paid)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use houseway_rules::houses::HOUSES;
    use rand::SeedableRng;

    use super::*;

    /// What is paid in so many rounds of a theme, by clause or word.
    fn told(rulebook: &Rulebook, theme: Theme, rounds: u64) -> BTreeMap<String, usize> {
        let mut told = BTreeMap::new();
        for number in 0..rounds {
            let mut chance = ChaCha8Rng::seed_from_u64(number);
            let (given, _) = Round::draw(rulebook, theme, &mut chance).given();
            let read = serde_json::from_value::<Given>(given).expect("it can be read");
            let adjudicated = adjudicate(rulebook, &read).expect("it can be played");
            let amount = amount(rulebook, &adjudicated);
            for line in &amount.why {
                for word in ["Tiger 9", "wins", "loses", "Envy", "Commission on", "house's wager"] {
                    if line.contains(word) && !line.starts_with("  ") {
                        *told.entry(word.to_string()).or_default() += 1;
                    }
                }
            }
            for clause in amount.clauses {
                *told.entry(clause).or_default() += 1;
            }
        }
        told
    }

    fn house(id: &str) -> &'static Rulebook {
        HOUSES.into_iter().find(|it| it.id == id).expect("it is there")
    }

    #[test]
    fn every_theme_is_played_in_every_house_that_has_it() {
        for rulebook in HOUSES {
            for theme in themes(rulebook) {
                assert!(!told(rulebook, theme, 12).is_empty(), "{} {theme:?}", rulebook.id);
            }
        }
    }

    #[test]
    fn tiger_nine_wins_in_half_of_what_is_asked() {
        let mut won = 0;
        for number in 0..60 {
            let mut chance = ChaCha8Rng::seed_from_u64(number);
            let rulebook = house("commission-free");
            let (given, _) = Round::draw(rulebook, Theme::Tiger, &mut chance).given();
            let read = serde_json::from_value::<Given>(given).expect("it can be read");
            let lines = adjudicate(rulebook, &read).expect("it can be played").lines;
            let tiger = lines.iter().find(|line| line.bet == Bet::TigerNine).expect("it was bet");
            won += usize::from(tiger.paid > Cents::ZERO);
        }
        assert!((15..=45).contains(&won), "{won} of 60");
    }

    #[test]
    fn envy_is_paid_often_enough_to_be_learned() {
        for rulebook in HOUSES.into_iter().filter(|it| it.envy.is_some()) {
            let told = told(rulebook, Theme::Envy, 40);
            let paid = told.get("Envy").copied().unwrap_or_default();
            assert!(paid >= 8, "{}: {paid} of 40", rulebook.id);
        }
    }

    #[test]
    fn bonus_hands_are_built_as_wanted() {
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        for wanted in BonusHand::ALL {
            let cards = bonus_hand(wanted, &mut chance);
            assert_eq!(BonusHand::of(dealt(&cards)), Some(wanted));
        }
    }

    /// `catfish-bend` B17: the bank, the house's wager against it, and the banker's commission.
    #[test]
    fn a_player_bank_is_asked_about() {
        let told = told(house("catfish-bend"), Theme::Bank, 60);
        for word in ["B17", "Commission on", "house's wager"] {
            assert!(told.contains_key(word), "{word}: {told:?}");
        }
    }

    /// What a bank gains and what the others lose by it is the same money.
    #[test]
    fn a_bank_is_what_the_others_give_and_get() {
        for rulebook in [house("cardroom"), house("commission-free")] {
            for number in 0..40 {
                let mut chance = ChaCha8Rng::seed_from_u64(number);
                let (given, _) = Round::draw(rulebook, Theme::Bank, &mut chance).given();
                let read = serde_json::from_value::<Given>(given).expect("it can be read");
                let adjudicated = adjudicate(rulebook, &read).expect("it can be played");
                let others: i64 = adjudicated.lines.iter().map(words::gain).sum();
                assert_eq!(amount(rulebook, &adjudicated).right, -others, "{number}");
            }
        }
    }

    /// The number that is drawn decides who is covered first.
    #[test]
    fn the_number_drawn_matters() {
        for id in ["cardroom", "commission-free"] {
            let rulebook = house(id);
            let differs = (0..60).any(|number| {
                let mut chance = ChaCha8Rng::seed_from_u64(number);
                let mut round = Round::draw(rulebook, Theme::Coverage, &mut chance);
                let mut results = (1..=21).map(|drawn| {
                    round.number = Some(drawn);
                    let read = serde_json::from_value::<Given>(round.given().0);
                    let read = read.expect("it can be read");
                    amount(rulebook, &adjudicate(rulebook, &read).expect("it can be played")).right
                });
                let first = results.next();
                results.any(|it| Some(it) != first)
            });
            assert!(differs, "{id}");
        }
    }
}
