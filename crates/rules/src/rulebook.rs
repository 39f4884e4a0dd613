//! A rulebook: everything that one house does its own way, as data.
//!
//! The engine holds the behaviour, a rulebook the choices. Every choice carries the id of the
//! clause that makes it; [`Rulebook::clause`] gives our sentence for an id. Nothing here is a
//! function, so a rulebook can be printed, compared with another and read from a file.

use alloc::borrow::Cow;
use core::fmt;

use crate::bonus::BonusHand;
use crate::house_way::Clause;
use crate::money::Cents;
use crate::ranking::{Ranking, Wheel};
use crate::readings::Reading;
use crate::setting::Dealt;

/// Text that is either part of the program or read from a file.
pub type Text = Cow<'static, str>;
/// A list that is either part of the program or read from a file.
pub type List<T> = Cow<'static, [T]>;

/// Everything that one house does its own way.
///
/// ```
/// use houseway_rules::{BonusHand, houses};
///
/// let rulebook = houses::find("catfish-bend").unwrap();
/// assert_eq!(rulebook.fortune.pays(BonusHand::FiveAces), Some(400));
/// assert_eq!(rulebook.commission.as_ref().unwrap().percent, 5);
/// let clause = rulebook.clause("B12").unwrap();
/// assert!(clause.says.contains("$25,000"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub struct Rulebook {
    /// The id by which commands know it.
    pub id: Text,
    /// Its name.
    pub name: Text,
    /// One plain sentence on how it differs.
    pub summary: Text,
    /// The document it was read from.
    pub source: Source,
    /// Where A-2-3-4-5 stands.
    pub wheel: Cited<Wheel>,
    /// Who deals against the players.
    pub bank: Bank,
    /// Who may sit and bet where.
    pub seats: Seats,
    /// How the cards are dealt; the first way is the usual one.
    pub dealing: List<Dealing>,
    /// How the Action button's seat is drawn, where there is one.
    pub action_button: Option<ActionButton>,
    /// What may be wagered.
    pub wagers: List<Limits>,
    /// How hands are compared.
    pub comparison: Comparison,
    /// What a winning standard wager pays to the house.
    pub commission: Option<Commission>,
    /// Whether a 9-high Low hand of the banker's pushes every standard wager.
    pub nine_high_push: Option<Text>,
    /// The Fortune Bonus.
    pub fortune: Fortune,
    /// The Envy Bonus.
    pub envy: Option<Envy>,
    /// The Tiger 9 bet.
    pub tiger_nine: Option<TigerNine>,
    /// How far the banker's money reaches.
    pub coverage: Coverage,
    /// What the house collects for a round.
    pub collection: Option<Collection>,
    /// In which order wagers are settled.
    pub settlement: Settlement,
    /// What becomes of a foul hand.
    pub foul: Cited<Foul>,
    /// What a choice rests on.
    pub absent: By,
    /// Whether a hand may be conceded.
    pub concession: Option<Concession>,
    /// What players and dealers may do while hands are being set.
    pub conduct: List<Cited<Conduct>>,
    /// The clause by which a higher position may act for a lower one.
    pub higher_acts: Option<Text>,
    /// What happens when something goes wrong.
    pub irregularities: List<Irregularity>,
    /// The House Way: the first clause that fits sets the hand.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub house_way: List<Clause>,
    /// The document's numbered rules that decide something, in our own words; the House Way apart.
    pub rules: List<Rule>,
}

/// A choice and the clause that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Cited<T> {
    /// The choice.
    pub is: T,
    /// The clause's id.
    pub cite: Text,
}

/// The document a rulebook was read from, so that a reader can check us.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Source {
    pub document: Text,
    pub edition: Text,
}

/// A numbered rule in our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Rule {
    /// Its id in the document.
    pub id: Text,
    /// What it says.
    pub says: Text,
    /// The numbered readings it rests on.
    pub readings: List<Reading>,
}

/// Who deals against the players.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Bank {
    /// Who it is.
    pub banker: Banker,
    /// How the position moves, where it does.
    pub rotation: Option<Rotation>,
    /// What a player must meet who banks against a house that also bets.
    pub player_banker: Option<PlayerBanker>,
    /// The clause by which the banker's hand, or the house's, is set the House Way.
    pub sets_house_way: Text,
    /// The clause.
    pub cite: Text,
}

/// Who deals against the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Banker {
    /// The house, always.
    House,
    /// A seat among the players, the Designated Player.
    DesignatedPlayer,
    /// A seat among the players, the player-dealer.
    PlayerDealer,
    /// The house, unless a player takes the button.
    HouseOrPlayer,
}

/// How the banker's position moves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Rotation {
    /// Which way it goes.
    pub direction: Direction,
    /// How many rounds a player may bank in a row.
    pub rounds_in_a_row: u8,
    /// Whether the house banks a round after each player's.
    pub house_between: bool,
    /// The clause.
    pub cite: Text,
}

/// Around the table, as seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Clockwise,
    CounterClockwise,
}

/// What holds when a player banks and the house bets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct PlayerBanker {
    /// The clause by which the money for every standard wager must be shown beforehand.
    pub covers_in_advance: Text,
    /// The clause by which the house bets what the banker asks, up to their own last wager.
    pub house_bets: Text,
    /// The clause by which the banker sets freely, after the players and before the house.
    pub sets_freely: Text,
    /// The clause by which losing wagers pay winning ones and commission is on the net gain, unless
    /// it is waived.
    pub pools: Text,
    /// The clause by which the banker may bet the Fortune Bonus, against the house.
    pub may_bet_fortune: Text,
}

/// Who may sit and bet where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Seats {
    /// How many positions can bet against the banker.
    pub betting_positions: u8,
    /// Whether the banker sits among them, so that one more hand is dealt there.
    pub banker_is_seated: bool,
    /// Whether one player may take several positions.
    pub several_positions: Option<Cited<Several>>,
    /// The clause by which a playing area takes one wager of each kind.
    pub one_of_each: Option<Text>,
    /// Who may keep a player to one playing area.
    pub restricted_by: Option<Cited<Role>>,
    /// The clause by which several players may share a wager.
    pub shared_wagers: Option<Text>,
    /// The clause by which staff may place a wager for a player.
    pub staff_wagers: Option<Text>,
    /// The clause.
    pub cite: Text,
}

/// How one player may take several positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Several {
    /// Any number, but only one hand may be looked at; the rest are set the House Way.
    ViewOne,
    /// Two that lie side by side; each counts as a player of its own.
    TwoAdjacent,
}

/// One way to deal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Dealing {
    /// With what.
    pub device: Device,
    /// In which pattern.
    pub pattern: Pattern,
    /// Which way round.
    pub direction: Direction,
    /// Where the first hand goes.
    pub first: First,
    /// Which positions get a hand.
    pub hands: Hands,
    /// How many cards must be left over, where that is checked.
    pub left_over: Option<u8>,
    /// The clause.
    pub cite: Text,
}

/// How the Action button's seat is drawn: a number is counted clockwise from the banker as 1, and
/// round again; when it names the banker, the seat to the banker's left has the button.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct ActionButton {
    /// The highest number that can be drawn; the lowest is 1.
    pub highest: u8,
    /// The clause.
    pub cite: Text,
}

/// With what the cards are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Device {
    Machine,
    Manual,
}

/// In which pattern the cards are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Pattern {
    /// Seven cards at a time.
    SevenAtOnce,
    /// One card to each in turn, seven times.
    OneInTurn,
    /// Seven piles, a card at a time from left to right, then from right to left, and so on.
    BackAndForth,
}

/// Where the first hand goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum First {
    /// The dealer's left; the dealer's own hand is last.
    DealersLeft,
    /// The seat with the Action button, drawn among the seats other than the banker's.
    ActionButton,
    /// The seat that a random number names, counted from the banker as 1, and round again: the
    /// banker is 8 and 15 as well.
    NumberFromBanker,
}

/// Which positions get a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Hands {
    /// Those with a wager, and the banker.
    Wagered,
    /// All seven; those without a wager are discarded.
    AllSeven,
}

/// What can be wagered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Wager {
    Standard,
    Fortune,
    TigerNine,
}

/// What may be wagered on one bet.
///
/// ```
/// use houseway_rules::rulebook::Wager;
/// use houseway_rules::{Cents, houses};
///
/// let limits = houses::CATFISH_BEND.limits(Wager::Fortune).unwrap();
/// assert_eq!(limits.maximum.highest, Some(Cents::dollars(25)));
/// assert_eq!(houses::CATFISH_BEND.limits(Wager::TigerNine), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Limits {
    /// The bet.
    pub wager: Wager,
    /// The smallest amount: posted at the table, within these bounds.
    pub minimum: Bounds,
    /// The largest amount: posted at the table, within these bounds.
    pub maximum: Bounds,
    /// Amounts are multiples of this.
    pub step: Cents,
    /// The clause.
    pub cite: Text,
}

/// Where a posted limit may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Bounds {
    pub lowest: Option<Cents>,
    pub highest: Option<Cents>,
}

impl Banker {
    /// Whether the house banks, unless a player takes its place.
    pub const fn is_house(self) -> bool {
        matches!(self, Banker::House | Banker::HouseOrPlayer)
    }
}

impl Bounds {
    /// Wherever the house posts it.
    pub const POSTED: Bounds = Bounds { lowest: None, highest: None };

    /// Between two amounts.
    pub const fn between(lowest: Cents, highest: Cents) -> Bounds {
        Bounds { lowest: Some(lowest), highest: Some(highest) }
    }

    /// At one amount.
    pub const fn at(amount: Cents) -> Bounds {
        Bounds::between(amount, amount)
    }
}

/// The clauses by which hands are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Comparison {
    /// Both hands higher: the player wins.
    pub win: Text,
    /// Neither hand higher: the player loses.
    pub lose: Text,
    /// One of the two: the wager is returned.
    pub standoff: Text,
    /// What this house calls that.
    pub standoff_name: Text,
    /// Equal hands are the banker's.
    pub copy: Text,
}

/// What a winning standard wager pays to the house.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Commission {
    /// Of the amount won.
    pub percent: u8,
    /// The clause.
    pub cite: Text,
    /// The Fortune Bonus wager that waives it.
    pub waived_by_fortune: Option<Cited<Cents>>,
}

/// The Fortune Bonus.
///
/// ```
/// use houseway_rules::houses;
///
/// let fortune = &houses::CATFISH_BEND.fortune;
/// let line = fortune.best("Qc Qd Qh Qs 2h 2d 3s".parse().unwrap()).unwrap();
/// assert_eq!((line.hand.id(), line.pays), ("four-of-a-kind", 25));
/// assert_eq!(line.envy.unwrap().to_string(), "$5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub struct Fortune {
    /// What each hand pays, and the Envy it brings to others.
    pub table: List<PayLine>,
    /// Who takes and pays it.
    pub payer: Payer,
    /// The clause by which it is paid only if the banker's own bonus hand is lower.
    pub only_above_banker: Option<Text>,
    /// What all of it in one round may come to.
    pub cap: Option<Cap>,
    /// The clause.
    pub cite: Text,
}

/// What one hand pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct PayLine {
    /// The hand.
    pub hand: BonusHand,
    /// So much to one.
    pub pays: u32,
    /// What it brings to each holder of an Envy bet.
    pub envy: Option<Cents>,
}

/// Who takes and pays a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Payer {
    House,
    Banker,
}

/// What the payments of one round may come to together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Cap {
    /// The amount, or what the house has posted.
    pub amount: Option<Cents>,
    /// What becomes of the rest.
    pub beyond: Beyond,
    /// The clause.
    pub cite: Text,
}

/// What becomes of payments beyond a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Beyond {
    /// The wagers are returned.
    Returned,
    /// All are paid in proportion (R24).
    Prorated,
}

impl Fortune {
    /// What a hand pays to one, if anything.
    pub fn pays(&self, hand: BonusHand) -> Option<u32> {
        self.line(hand).map(|line| line.pays)
    }

    /// The line of a hand.
    pub fn line(&self, hand: BonusHand) -> Option<&PayLine> {
        self.table.iter().find(|line| line.hand == hand)
    }

    /// The best-paid hand that the seven cards form.
    pub fn best(&self, dealt: Dealt) -> Option<&PayLine> {
        let highest = self.line(BonusHand::of(dealt)?);
        if self.is_ordered() {
            return highest;
        }
        let formed = BonusHand::formed(dealt).filter_map(|hand| self.line(hand));
        formed.max_by_key(|line| (line.pays, line.hand))
    }

    /// Whether every hand pays at least as much as each lower one.
    pub fn is_ordered(&self) -> bool {
        self.out_of_order().is_none()
    }

    /// Two neighbouring hands of which the higher, and rarer, pays less; and what each pays.
    pub fn out_of_order(&self) -> Option<[(BonusHand, u32); 2]> {
        let pays = |hand| (hand, self.pays(hand).unwrap_or(0));
        let pairs = BonusHand::ALL.windows(2).map(|pair| [pays(pair[0]), pays(pair[1])]);
        pairs.into_iter().find(|[lower, higher]| higher.1 < lower.1)
    }
}

/// The Envy Bonus.
///
/// ```
/// use houseway_rules::houses;
///
/// let envy = houses::COMMISSION_FREE.envy.as_ref().unwrap();
/// assert_eq!(envy.fortune_at_least.to_string(), "$5");
/// assert!(envy.other_must_bet_fortune);
/// assert_eq!(houses::CARDROOM.envy, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Envy {
    /// The Fortune Bonus wager that carries it.
    pub fortune_at_least: Cents,
    /// Whether the other hand brings it only if it bet the Fortune Bonus too.
    pub other_must_bet_fortune: bool,
    /// Whether one's own second position counts as another player.
    pub positions_count_apart: bool,
    /// The clause by which nobody gets it when the banker's seven cards are such a hand.
    pub none_if_banker_holds: Option<Text>,
    /// The clause by which a player with a natural seven-card straight flush gets none.
    pub none_with_own_straight_flush: Option<Text>,
    /// The clause by which a player with a royal match gets it for a higher hand only.
    pub higher_only_with_own_royal_match: Option<Text>,
    /// Who pays it.
    pub payer: Payer,
    /// The clause.
    pub cite: Text,
}

/// The Tiger 9 bet: the banker's Low hand is unpaired and 9-high.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct TigerNine {
    /// So much to one.
    pub pays: u32,
    /// The clause.
    pub cite: Text,
}

/// How far the banker's money reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Coverage {
    /// The house covers everything.
    House,
    /// As far as what was put up, used up by every dollar won or paid, in settlement order (R15).
    PutUp {
        /// The clause.
        cite: Text,
    },
    /// All of it, shown beforehand.
    InAdvance {
        /// The clause.
        cite: Text,
    },
}

/// What the house collects for a round.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Collection {
    /// A posted amount that the banker pays before the deal.
    Rake {
        /// The clause.
        cite: Text,
    },
    /// One of these, chosen by the house.
    Schedules {
        /// The schedules, by option.
        schedules: List<Schedule>,
        /// The clause.
        cite: Text,
    },
}

/// A collection schedule.
///
/// ```
/// use houseway_rules::rulebook::Collection;
/// use houseway_rules::{Cents, houses};
///
/// let Some(Collection::Schedules { schedules, .. }) = &houses::COMMISSION_FREE.collection else {
///     unreachable!("it collects by schedules")
/// };
/// let option_7 = &schedules[6];
/// assert_eq!(option_7.banded(Cents::dollars(199)), Cents::dollars(6));
/// assert_eq!(option_7.banded(Cents::dollars(200)), Cents::dollars(12));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Schedule {
    /// Its number.
    pub option: u8,
    /// What its bands measure, and so who pays by them.
    pub measure: Measure,
    /// The bands, lowest first; the last has no upper bound.
    pub bands: List<Band>,
    /// What the other side pays, whatever the amount.
    pub fixed: Cents,
}

/// What a schedule's bands measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Measure {
    /// Each wager; the player pays by band for each, the banker the fixed fee.
    EachWager,
    /// All wagers at the table; the banker pays by band, each player the fixed fee.
    TableTotal,
}

/// One band of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Band {
    /// The largest amount in it.
    pub up_to: Option<Cents>,
    /// The fee.
    pub fee: Cents,
}

impl Schedule {
    /// The fee of the band an amount falls into; nothing for nothing.
    pub fn banded(&self, amount: Cents) -> Cents {
        let inside = |band: &&Band| band.up_to.is_none_or(|up_to| amount <= up_to);
        let band = self.bands.iter().find(inside).filter(|_| amount > Cents::ZERO);
        band.map_or(Cents::ZERO, |band| band.fee)
    }
}

/// In which order wagers are settled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Settlement {
    /// Where it starts.
    pub start: Start,
    /// Which way it goes.
    pub direction: Direction,
    /// The order at each position; Envy comes last for all of them.
    pub order: List<Wager>,
    /// What it rests on.
    pub by: By,
}

/// Where settlement starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Start {
    DealersLeft,
    DealersRight,
    ActionButton,
}

/// What becomes of a foul hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Foul {
    /// It is set the House Way.
    HouseWay,
    /// A player's first is set the House Way with a warning, every later one loses.
    SecondLoses,
}

/// What a choice rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum By {
    /// A clause of the document.
    Clause(Text),
    /// The table's policy, where the document says nothing.
    TablePolicy,
}

/// How a hand may be conceded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Concession {
    /// The clause: once the banker's hand is shown, and for good.
    pub cite: Text,
    /// Who may look at a conceded hand.
    pub viewed_by: Role,
    /// The clause of that.
    pub viewed_cite: Text,
}

/// What players and dealers may do while hands are being set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum Conduct {
    /// Players exchange nothing before their hands are set; helping another comes after, for good.
    NoTalkBeforeSet,
    /// The House Way is told to a player who asks, once all others have set.
    HouseWayToldLast,
    /// Cards are touched only between the count of the leftover cards and the banker's showing.
    HandsOff,
}

/// Who may call something. A higher one may act for a lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Role {
    Player,
    Dealer,
    PitSupervisor,
    PitManager,
    GamingShiftManager,
}

impl Role {
    /// The role's name.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Dealer => "dealer",
            Role::PitSupervisor => "pit supervisor",
            Role::PitManager => "pit manager",
            Role::GamingShiftManager => "gaming shift manager",
        }
    }
}

/// Something that goes wrong, and what is done about it.
///
/// ```
/// use houseway_rules::houses;
/// use houseway_rules::rulebook::{Incident, Remedy, Role};
///
/// let shown = |it: &&houseway_rules::rulebook::Irregularity| it.what == Incident::HandShown;
/// let irregularity = houses::MBS_2020.irregularities.iter().find(shown).unwrap();
/// assert_eq!((irregularity.remedy, &*irregularity.cite), (Remedy::MayBar, "5.15"));
/// assert_eq!(irregularity.called_by, Role::GamingShiftManager);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Irregularity {
    /// What went wrong.
    pub what: Incident,
    /// What is done.
    pub remedy: Remedy,
    /// Who may call it, and anyone above.
    pub called_by: Role,
    /// The clause.
    pub cite: Text,
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(rename_all = "kebab-case")
        )]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $(#[doc = $text] $variant,)*
        }

        impl $name {
            /// Every one of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $($name::$variant => $text,)*
                })
            }
        }
    };
}

named! {
    /// What can go wrong.
    Incident {
        ForeignCard "a card that does not belong to the deck",
        CardCount "cards missing from the deck or too many in it",
        Unshuffled "unshuffled cards in play",
        WronglyDealt "cards dealt wrongly, no player has handled any",
        BankerHandSize "the banker's hand has not seven cards, found before the next round",
        TwoExposed "two or more cards exposed in the deal",
        FourExposed "more than three cards exposed in the deal",
        LateWager "a wager placed or raised after bets closed",
        LateWithdrawal "a wager withdrawn after bets closed",
        PlayerHandSize "a player's hand has not seven cards, found before the next round",
        NoCards "a wagered position got no cards, and a player has looked",
        NoWager "a position without a wager got cards, and a player has looked",
        Dissatisfied "a player is unhappy with a returned wager or a discarded hand",
        DeviceCount "the dealing device cannot verify the count, and the count by hand is off",
        UnderMinimum "a wager under the minimum, found after the outcome",
        OverMaximum "a wager over the maximum",
        EarlierRounds "wagers outside the limits, settled in earlier rounds",
        HandShown "a hand shown, or another's viewed",
        SecondViewed "a player on several positions looks at a second hand",
        WrongHouseWay "a House Way set wrongly",
        WrongHouseWayLater "a House Way set wrongly, found after the round",
        PowerFailureOpen "a power failure with no wager decided",
        PowerFailureDecided "a power failure with some wager decided",
        NotCovered "anything the rules do not cover",
        NotFourLeft "not four cards left after the deal",
        SpotMissed "a spot missed in the deal",
        HandSize "a hand of other than seven cards",
        ShufflerError "the shuffler reports a count error",
        FirstHandAstray "the first hand delivered to the wrong spot",
        BankerMisset "the player banker's hand found wrongly set midway",
        PickedUp "a reconstruction asked for after cards were picked up",
    }
}

named! {
    /// What is done about it.
    Remedy {
        Void "the round is void, earlier ones stand",
        VoidUnlessMoved "the round is void, unless moving whole hands repairs it",
        VoidUnlessReconstructed "the round is void, unless the hand can be reconstructed",
        Refuse "refused",
        SettleAsStood "settled as if it stood",
        HandOut "that hand is out and its wager returned, unless it can be reconstructed",
        ReturnWager "the wager is returned",
        DiscardHand "the cards are discarded and play goes on",
        MayWithdraw "the rest of the wagers may be withdrawn before more cards are dealt",
        SettleOnce "settled once; the player's later ones are returned",
        SettleToMaximum "paid or collected up to the maximum",
        Stand "they stand",
        MayBar "the player may be barred; the wager is returned",
        SecondHandOut "the second hand is out and its wagers returned",
        Reset "the hand is set again as the sheet says",
        Correct "the difference is paid or taken back",
        WithdrawAllOrNone "each player may withdraw all wagers, then the round ends",
        PlayOn "play goes on to the end",
        Decide "the decision is the gaming shift manager's",
        Redeal "the round is void and dealt again",
        CountAndRedeal "the deck is counted to 53, the round is void and dealt again",
        MoveHands "the hands are moved and play goes on",
        Reconstruct "the hand is reconstructed",
    }
}

/// A clause with our sentence for it, whichever part of the rulebook it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Saying<'a> {
    pub id: &'a str,
    pub says: &'a str,
    pub readings: &'a [Reading],
}

impl Rulebook {
    /// How this house ranks hands.
    pub const fn ranking(&self) -> Ranking {
        Ranking::new(self.wheel.is)
    }

    /// The first saying of a clause by its id.
    pub fn clause(&self, id: &str) -> Option<Saying<'_>> {
        self.sayings().find(|saying| saying.id == id)
    }

    /// Every clause with our sentence for it: the rules first, then the House Way.
    pub fn sayings(&self) -> impl Iterator<Item = Saying<'_>> {
        let rules =
            self.rules.iter().map(|Rule { id, says, readings }| Saying { id, says, readings });
        let sheet = self.house_way.iter().map(|clause| Saying {
            id: &clause.id,
            says: &clause.says,
            readings: &clause.readings,
        });
        rules.chain(sheet)
    }

    /// Every clause that a choice cites. All fields are named, so that one added later has to be
    /// thought of here.
    pub fn cites(&self) -> alloc::vec::Vec<&str> {
        let Rulebook {
            id: _,
            name: _,
            summary: _,
            source: _,
            wheel,
            bank,
            seats,
            dealing,
            action_button,
            wagers,
            comparison,
            commission,
            nine_high_push,
            fortune,
            envy,
            tiger_nine,
            coverage,
            collection,
            settlement,
            foul,
            absent,
            concession,
            conduct,
            higher_acts,
            irregularities,
            house_way: _,
            rules: _,
        } = self;
        let mut cites = alloc::vec![&*wheel.cite, &*foul.cite];

        let Bank { banker: _, rotation, player_banker, sets_house_way, cite } = bank;
        cites.extend([&**sets_house_way, &**cite]);
        cites.extend(rotation.iter().map(|Rotation { cite, .. }| &**cite));
        if let Some(banker) = player_banker {
            let PlayerBanker { covers_in_advance, house_bets, sets_freely, pools, may_bet_fortune } =
                banker;
            let of_banker = [covers_in_advance, house_bets, sets_freely, pools, may_bet_fortune];
            cites.extend(of_banker.map(|cite| &**cite));
        }

        let Seats {
            betting_positions: _,
            banker_is_seated: _,
            several_positions,
            one_of_each,
            restricted_by,
            shared_wagers,
            staff_wagers,
            cite,
        } = seats;
        cites.push(cite);
        cites.extend(several_positions.iter().map(|Cited { cite, .. }| &**cite));
        cites.extend(restricted_by.iter().map(|Cited { cite, .. }| &**cite));
        for cite in [one_of_each, shared_wagers, staff_wagers, nine_high_push] {
            cites.extend(cite.as_deref());
        }

        cites.extend(dealing.iter().map(|Dealing { cite, .. }| &**cite));
        cites.extend(wagers.iter().map(|Limits { cite, .. }| &**cite));
        let Comparison { win, lose, standoff, standoff_name: _, copy } = comparison;
        cites.extend([win, lose, standoff, copy].map(|cite| &**cite));
        if let Some(Commission { percent: _, cite, waived_by_fortune }) = commission {
            cites.push(cite);
            cites.extend(waived_by_fortune.iter().map(|Cited { cite, .. }| &**cite));
        }

        let Fortune { table: _, payer: _, only_above_banker, cap, cite } = fortune;
        cites.push(cite);
        cites.extend(only_above_banker.as_deref());
        cites.extend(cap.iter().map(|Cap { cite, .. }| &**cite));
        if let Some(envy) = envy {
            let Envy {
                fortune_at_least: _,
                other_must_bet_fortune: _,
                positions_count_apart: _,
                none_if_banker_holds,
                none_with_own_straight_flush,
                higher_only_with_own_royal_match,
                payer: _,
                cite,
            } = envy;
            cites.push(cite);
            for cite in [
                none_if_banker_holds,
                none_with_own_straight_flush,
                higher_only_with_own_royal_match,
            ] {
                cites.extend(cite.as_deref());
            }
        }
        cites.extend(tiger_nine.iter().map(|TigerNine { cite, .. }| &**cite));

        match coverage {
            Coverage::House => {}
            Coverage::PutUp { cite } | Coverage::InAdvance { cite } => cites.push(cite),
        }
        match collection {
            None => {}
            Some(Collection::Rake { cite } | Collection::Schedules { cite, .. }) => {
                cites.push(cite);
            }
        }
        let Settlement { start: _, direction: _, order: _, by: settled_by } = settlement;
        for by in [settled_by, absent] {
            match by {
                By::Clause(cite) => cites.push(cite),
                By::TablePolicy => {}
            }
        }
        cites.extend(action_button.iter().map(|ActionButton { cite, .. }| &**cite));
        cites.extend(higher_acts.as_deref());
        if let Some(Concession { cite, viewed_by: _, viewed_cite }) = concession {
            cites.extend([&**cite, &**viewed_cite]);
        }
        cites.extend(conduct.iter().map(|Cited { cite, .. }| &**cite));
        cites.extend(irregularities.iter().map(|Irregularity { cite, .. }| &**cite));
        cites
    }

    /// The limits of a bet, where the house offers it.
    pub fn limits(&self, wager: Wager) -> Option<&Limits> {
        self.wagers.iter().find(|limits| limits.wager == wager)
    }

    /// What is done about a mishap, if the document says.
    pub fn irregularity(&self, what: Incident) -> Option<&Irregularity> {
        self.irregularities.iter().find(|it| it.what == what)
    }

    /// The Fortune Bonus wager that waives the commission, if one does.
    pub fn waiver(&self) -> Option<&Cited<Cents>> {
        self.commission.as_ref()?.waived_by_fortune.as_ref()
    }
}
