//! A rulebook's choices in words, one fact a topic: what lists, pages and comparisons show.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::bonus::BonusHand;
use crate::money::Cents;
use crate::ranking::Wheel;
use crate::rulebook::{
    Banker, Beyond, Bounds, By, Collection, Conduct, Coverage, Dealing, Device, Direction, First,
    Foul, Hands, Measure, Pattern, Payer, Role, Rulebook, Schedule, Several, Start, Wager,
};

/// One thing a house does its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The part of the game it belongs to.
    pub part: Part,
    /// What it is about; the same in every house.
    pub topic: String,
    /// How this house does it.
    pub value: String,
    /// The clauses that say so.
    pub cite: String,
}

/// The parts of the game that facts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Ranking, bank, seats and deal.
    Table,
    /// The standard wager and how it is decided.
    Wagers,
    /// What the Fortune Bonus pays for each hand.
    PayTable,
    /// The rest about the Fortune Bonus, Envy and Tiger 9.
    Bonuses,
    /// Cover, fees, settlement and conduct.
    Settlement,
    /// What is done when something goes wrong.
    Mishaps,
}

impl Part {
    /// A name for other programs.
    pub const fn id(self) -> &'static str {
        match self {
            Part::Table => "table",
            Part::Wagers => "wagers",
            Part::PayTable => "pay-table",
            Part::Bonuses => "bonuses",
            Part::Settlement => "settlement",
            Part::Mishaps => "mishaps",
        }
    }
}

/// Everything a rulebook chooses, the House Way apart.
///
/// ```
/// use houseway_rules::{describe, houses};
///
/// let facts = describe::facts(&houses::COMMISSION_FREE);
/// let tiger = facts.iter().find(|fact| fact.topic == "Tiger 9").unwrap();
/// assert_eq!((&*tiger.value, &*tiger.cite), ("pays 30 to 1 on a 9-high Low hand of the banker's", "F10"));
/// ```
pub fn facts(rulebook: &Rulebook) -> Vec<Fact> {
    let mut facts = Facts { part: Part::Table, all: Vec::new() };
    table(rulebook, &mut facts);
    drawn(rulebook, &mut facts);
    facts.part = Part::Wagers;
    wagers(rulebook, &mut facts);
    facts.part = Part::PayTable;
    pay_table(rulebook, &mut facts);
    facts.part = Part::Bonuses;
    bonuses(rulebook, &mut facts);
    facts.part = Part::Settlement;
    settling(rulebook, &mut facts);
    facts.part = Part::Mishaps;
    for irregularity in &*rulebook.irregularities {
        let called_by = match irregularity.called_by {
            Role::Player => "the player decides".to_string(),
            role => format!("called by the {} or above", role.name()),
        };
        let value = format!("{}; {called_by}", irregularity.remedy);
        facts.add(&format!("mishap: {}", irregularity.what), value, &irregularity.cite);
    }
    facts.all
}

struct Facts {
    part: Part,
    all: Vec<Fact>,
}

impl Facts {
    fn add(&mut self, topic: &str, value: impl Into<String>, cite: &str) {
        let (topic, value, cite) = (topic.into(), value.into(), cite.into());
        self.all.push(Fact { part: self.part, topic, value, cite });
    }

    fn by(&mut self, topic: &str, value: &str, by: &By) {
        match by {
            By::Clause(cite) => self.add(topic, value, cite),
            By::TablePolicy => self.add(topic, format!("{value}, as the table's policy"), ""),
        }
    }

    fn none(&mut self, topic: &str) {
        self.add(topic, "none", "");
    }
}

fn table(rulebook: &Rulebook, facts: &mut Facts) {
    facts.add(
        "A-2-3-4-5",
        match rulebook.wheel.is {
            Wheel::Lowest => "the lowest straight",
            Wheel::SecondHighest => "the second highest straight",
        },
        &rulebook.wheel.cite,
    );
    let bank = &rulebook.bank;
    facts.add(
        "banker",
        match bank.banker {
            Banker::House => "the house, always",
            Banker::DesignatedPlayer => "the Designated Player, one of the seats",
            Banker::PlayerDealer => "the player-dealer, one of the seats",
            Banker::HouseOrPlayer => "the house, or a player who takes the button",
        },
        &bank.cite,
    );
    match &bank.rotation {
        None => facts.none("rotation"),
        Some(rotation) => {
            let rounds = match rotation.rounds_in_a_row {
                1 => "one round at a time".to_string(),
                rounds => format!("at most {rounds} rounds in a row"),
            };
            let between = if rotation.house_between { ", the house in between" } else { "" };
            let way = direction(rotation.direction);
            facts.add("rotation", format!("{way}, {rounds}{between}"), &rotation.cite);
        }
    }
    match &bank.player_banker {
        None => facts.none("player banker"),
        Some(banker) => {
            let clauses =
                [&banker.covers_in_advance, &banker.house_bets, &banker.sets_freely, &banker.pools];
            facts.add(
                "player banker",
                "shows cover for every wager, asks for the house's bet, sets freely, pays from the \
                 pool of losing wagers; may bet the Fortune Bonus",
                &format!(
                    "{} {}",
                    clauses.map(|clause| &**clause).join(" "),
                    banker.may_bet_fortune
                ),
            );
        }
    }
    let whose = if bank.player_banker.is_some() { "house's hand" } else { "banker's hand" };
    facts.add(whose, "set the House Way", &bank.sets_house_way);
    let seats = &rulebook.seats;
    facts.add(
        "seats",
        format!(
            "{} betting positions{}",
            seats.betting_positions,
            if seats.banker_is_seated { ", the banker in a seat of its own" } else { "" }
        ),
        &seats.cite,
    );
    match &seats.several_positions {
        None => facts.add("several positions", "not provided for", ""),
        Some(several) => facts.add(
            "several positions",
            match several.is {
                Several::ViewOne => "any number, one hand viewed, the rest set the House Way",
                Several::TwoAdjacent => "two adjacent ones, each a player of its own",
            },
            &several.cite,
        ),
    }
    if let Some(cite) = &seats.one_of_each {
        facts.add("wagers on an area", "one of each kind", cite);
    }
    if let Some(restricted) = &seats.restricted_by {
        let value = format!("the {} may keep a player to one", restricted.is.name());
        facts.add("restriction of areas", value, &restricted.cite);
    }
    if let Some(cite) = &seats.shared_wagers {
        facts.add("shared wagers", "several players may share one within the limits", cite);
    }
    if let Some(cite) = &seats.staff_wagers {
        facts.add("wagers by staff", "at the player's request", cite);
    }
    for dealing in &*rulebook.dealing {
        let topic = match dealing.device {
            Device::Machine => "deal by machine",
            Device::Manual => "deal by hand",
        };
        facts.add(topic, deal(dealing), &dealing.cite);
    }
}

/// The rest of what is drawn and done at the table.
fn drawn(rulebook: &Rulebook, facts: &mut Facts) {
    match &rulebook.action_button {
        None => facts.none("Action button"),
        Some(button) => {
            let value = format!(
                "the seat a number from 1 to {} names, the banker being 1; its left neighbour's for \
                 the banker's own",
                button.highest
            );
            facts.add("Action button", value, &button.cite);
        }
    }
    if let Some(cite) = &rulebook.higher_acts {
        facts.add("acting for another", "a higher position may act for a lower one", cite);
    }
}

fn deal(dealing: &Dealing) -> String {
    let pattern = match dealing.pattern {
        Pattern::SevenAtOnce => "seven cards at once",
        Pattern::OneInTurn => "one card in turn",
        Pattern::BackAndForth => "seven piles back and forth",
    };
    let first = match dealing.first {
        First::DealersLeft => "from the dealer's left, the dealer last",
        First::ActionButton => "from the Action button",
        First::NumberFromBanker => "from the spot a random number names, the banker being 1",
    };
    let hands = match dealing.hands {
        Hands::Wagered => "to positions with a wager",
        Hands::AllSeven => "to all seven",
    };
    let left = match dealing.left_over {
        Some(cards) => format!(", {cards} cards left over"),
        None => String::new(),
    };
    format!("{pattern}, {} {first}, {hands}{left}", direction(dealing.direction))
}

const fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Clockwise => "clockwise",
        Direction::CounterClockwise => "counter-clockwise",
    }
}

fn wagers(rulebook: &Rulebook, facts: &mut Facts) {
    for limits in &*rulebook.wagers {
        let topic = match limits.wager {
            Wager::Standard => "standard wager",
            Wager::Fortune => "Fortune Bonus wager",
            Wager::TigerNine => "Tiger 9 wager",
        };
        let posted = |bounds: Bounds| match (bounds.lowest, bounds.highest) {
            (Some(lowest), Some(highest)) if lowest == highest => lowest.to_string(),
            (Some(lowest), Some(highest)) => format!("posted, {lowest} to {highest}"),
            _ => "posted".to_string(),
        };
        let (minimum, maximum) = (posted(limits.minimum), posted(limits.maximum));
        let value = format!("minimum {minimum}, maximum {maximum}, steps of {}", limits.step);
        facts.add(topic, value, &limits.cite);
    }
    let comparison = &rulebook.comparison;
    facts.add("win", "both hands higher: 1 to 1", &comparison.win);
    facts.add("loss", "neither hand higher", &comparison.lose);
    let standoff = format!("called a {}: the wager is returned", comparison.standoff_name);
    facts.add("one of two", standoff, &comparison.standoff);
    facts.add("copies", "the banker's", &comparison.copy);
    match &rulebook.nine_high_push {
        None => facts.none("9-high push"),
        Some(cite) => {
            facts.add(
                "9-high push",
                "every game wager, when the banker's Low hand is 9-high",
                cite,
            );
        }
    }
    match &rulebook.commission {
        None => facts.none("commission"),
        Some(commission) => {
            facts.add("commission", format!("{} % of a win", commission.percent), &commission.cite);
            if let Some(waiver) = &commission.waived_by_fortune {
                let value = format!("by a Fortune Bonus wager of {} or more", waiver.is);
                facts.add("commission waived", value, &waiver.cite);
            }
        }
    }
}

fn pay_table(rulebook: &Rulebook, facts: &mut Facts) {
    let fortune = &rulebook.fortune;
    for hand in BonusHand::ALL.into_iter().rev() {
        if let Some(line) = fortune.line(hand) {
            let pays = grouped(line.pays.into());
            let value = match line.envy {
                Some(envy) => format!("{pays} to 1, envy {envy}"),
                None => format!("{pays} to 1"),
            };
            facts.add(&hand.to_string(), value, &fortune.cite);
        }
    }
}

fn bonuses(rulebook: &Rulebook, facts: &mut Facts) {
    let fortune = &rulebook.fortune;
    let payer = match fortune.payer {
        Payer::House => "the house",
        Payer::Banker => "the banker",
    };
    facts.add("Fortune Bonus against", payer, &fortune.cite);
    if let Some(cite) = &fortune.only_above_banker {
        facts.add("Fortune Bonus paid", "only if the banker's own bonus hand is lower", cite);
    }
    match &fortune.cap {
        None => facts.none("Fortune Bonus cap"),
        Some(cap) => {
            let amount = cap.amount.map_or("a posted amount".to_string(), |it| it.to_string());
            let beyond = match cap.beyond {
                Beyond::Returned => "beyond it wagers are returned",
                Beyond::Prorated => "shared in proportion",
            };
            facts.add("Fortune Bonus cap", format!("{amount} a round, {beyond}"), &cap.cite);
        }
    }
    match &rulebook.envy {
        None => facts.none("Envy"),
        Some(envy) => {
            let others = if envy.other_must_bet_fortune { " that bet the bonus too" } else { "" };
            let own = if envy.positions_count_apart {
                "one's own second position counts as another"
            } else {
                "one's own second position does not count"
            };
            let value = format!(
                "with a Fortune Bonus wager of {} or more, for each other hand{others}; {own}",
                envy.fortune_at_least
            );
            facts.add("Envy", value, &envy.cite);
            if let Some(cite) = &envy.none_if_banker_holds {
                facts.add("Envy, banker", "none for anyone if the banker holds such a hand", cite);
            }
            if let Some(cite) = &envy.none_with_own_straight_flush {
                let value = "none with a natural seven-card straight flush of one's own";
                facts.add("Envy, own straight flush", value, cite);
            }
            if let Some(cite) = &envy.higher_only_with_own_royal_match {
                let value = "with a royal match of one's own, for a higher hand only";
                facts.add("Envy, own royal match", value, cite);
            }
        }
    }
    match &rulebook.tiger_nine {
        None => facts.none("Tiger 9"),
        Some(tiger) => {
            let value = format!("pays {} to 1 on a 9-high Low hand of the banker's", tiger.pays);
            facts.add("Tiger 9", value, &tiger.cite);
        }
    }
}

fn settling(rulebook: &Rulebook, facts: &mut Facts) {
    match &rulebook.coverage {
        Coverage::House => facts.add("coverage", "the house covers everything", ""),
        Coverage::PutUp { cite } => {
            facts.add("coverage", "as far as what the banker put up, in settlement order", cite);
        }
        Coverage::InAdvance { cite } => {
            facts.add(
                "coverage",
                "a player banker shows cover for every standard wager beforehand",
                cite,
            );
        }
    }
    match &rulebook.collection {
        None => facts.none("collection"),
        Some(Collection::Rake { cite }) => {
            facts.add("collection", "a posted rake, paid by the banker before the deal", cite);
        }
        Some(Collection::Schedules { schedules, cite }) => {
            let value = format!("one of {} schedules, before the round", schedules.len());
            facts.add("collection", value, cite);
            for it in &**schedules {
                facts.add(&format!("collection option {}", it.option), schedule(it), cite);
            }
        }
    }
    let settlement = &rulebook.settlement;
    let start = match settlement.start {
        Start::DealersLeft => "the dealer's left",
        Start::DealersRight => "the dealer's far right",
        Start::ActionButton => "the Action button",
    };
    let order: Vec<&str> = settlement
        .order
        .iter()
        .map(|wager| match wager {
            Wager::Standard => "standard wager",
            Wager::Fortune => "Fortune Bonus",
            Wager::TigerNine => "Tiger 9",
        })
        .collect();
    let envy = if rulebook.envy.is_some() { "; Envy last" } else { "" };
    let way = direction(settlement.direction);
    let value =
        format!("{way} from {start}, each position in full: {}{envy}", order.join(", then "));
    facts.by("settlement", &value, &settlement.by);
    facts.add(
        "foul hand",
        match rulebook.foul.is {
            Foul::HouseWay => "set the House Way",
            Foul::SecondLoses => "a player's first set the House Way, later ones lose",
        },
        &rulebook.foul.cite,
    );
    facts.by("absent player", "set the House Way", &rulebook.absent);
    match &rulebook.concession {
        None => facts.none("conceding"),
        Some(concession) => {
            let viewer = concession.viewed_by.name();
            let value =
                format!("once the banker's hand is shown, for good; viewed only by the {viewer}");
            facts.add(
                "conceding",
                value,
                &format!("{} {}", concession.cite, concession.viewed_cite),
            );
        }
    }
    for conduct in &*rulebook.conduct {
        let (topic, value) = match conduct.is {
            Conduct::NoTalkBeforeSet => ("talk", "none before one's hand is set, then for good"),
            Conduct::HouseWayToldLast => {
                ("House Way told", "when asked, after all others have set")
            }
            Conduct::HandsOff => {
                ("cards touched", "between the count of leftover cards and the banker's showing")
            }
        };
        facts.add(topic, value, &conduct.cite);
    }
}

/// A collection schedule in words: `banker $2 to $49, $4 to $99, … $12 above; player $1`.
fn schedule(schedule: &Schedule) -> String {
    let bands: Vec<String> = schedule
        .bands
        .iter()
        .map(|band| match band.up_to {
            Some(up_to) => format!("{} to {up_to}", band.fee),
            None => format!("{} above", band.fee),
        })
        .collect();
    let fixed =
        if schedule.fixed == Cents::ZERO { "nothing".into() } else { schedule.fixed.to_string() };
    let (banded, other) = match schedule.measure {
        Measure::EachWager => ("player for each wager", "banker"),
        Measure::TableTotal => ("banker on all wagers", "player"),
    };
    format!("{banded} {}; {other} {fixed}", bands.join(", "))
}

/// A number with commas between thousands.
pub fn grouped(number: u64) -> String {
    let mut text = String::new();
    crate::money::write_grouped(&mut text, number).expect("a String takes everything");
    text
}
