//! `mbs-2016` and `mbs-2020`: two editions of one house's rules, which share their House Way.

use super::{
    ACE, HIGH, KING, KING_OR_BETTER, LOW, MEDIUM, cited, line, list, pay_table, rule, text, wrong,
};
use crate::card::Rank;
use crate::house_way::{Clause, Condition, Low};
use crate::money::Cents;
use crate::ranking::Wheel;
use crate::readings::Reading;
use crate::rulebook::{
    Bank, Banker, Bounds, By, Commission, Comparison, Concession, Coverage, Dealing, Device,
    Direction, Envy, First, Fortune, Foul, Hands, Incident, Irregularity, Limits, Pattern, PayLine,
    Payer, Remedy, Role, Rule, Rulebook, Seats, Settlement, Several, Source, Start, Wager,
};
use crate::shape::{Group, Ranks, Shape};

/// The 2016 edition.
pub static MBS_2016: Rulebook = Rulebook {
    id: text("mbs-2016"),
    name: text("Marina Bay Sands, 2016 edition"),
    summary: text("The house banks and takes 5 % of a win; Envy for the two highest hands."),
    source: Source {
        document: text("Fortune Pai Gow Poker (MBS) Game Rules"),
        edition: text("Version 3, in force from 26 May 2016"),
    },
    wheel: cited(Wheel::Lowest, "3.9"),
    bank: Bank {
        banker: Banker::House,
        rotation: None,
        player_banker: None,
        sets_house_way: text("3.8"),
        cite: text("3.6"),
    },
    seats: Seats {
        betting_positions: 6,
        banker_is_seated: false,
        several_positions: None,
        one_of_each: None,
        restricted_by: None,
        shared_wagers: None,
        staff_wagers: None,
        cite: text("2.2"),
    },
    dealing: list(DEALING_2016),
    action_button: None,
    wagers: list(WAGERS_2016),
    comparison: Comparison {
        win: text("3.12"),
        lose: text("3.13"),
        standoff: text("3.14"),
        standoff_name: text("tie"),
        copy: text("3.15"),
    },
    commission: Some(Commission { percent: 5, cite: text("4.1.1"), waived_by_fortune: None }),
    nine_high_push: None,
    fortune: FORTUNE,
    envy: Some(envy("3.18", ["3.18.1.1", "3.18.1.2", "3.18.1.3"])),
    tiger_nine: None,
    coverage: Coverage::House,
    collection: None,
    settlement: SETTLEMENT,
    foul: cited(Foul::HouseWay, "3.7.2"),
    absent: By::TablePolicy,
    concession: None,
    conduct: list(&[]),
    higher_acts: None,
    irregularities: list(IRREGULARITIES_2016),
    house_way: list(SHEET),
    rules: list(RULES_2016),
};

/// The 2020 edition.
pub static MBS_2020: Rulebook = Rulebook {
    id: text("mbs-2020"),
    name: text("Marina Bay Sands, 2020 edition"),
    summary: text(
        "As in 2016; hands may be conceded, wagers shared, and every mishap has its rule.",
    ),
    source: Source {
        document: text("Fortune Pai Gow Poker (MBS) Game Rules"),
        edition: text("Version 4, in force from 24 April 2020"),
    },
    wheel: cited(Wheel::Lowest, "3.4.1.1"),
    bank: Bank {
        banker: Banker::House,
        rotation: None,
        player_banker: None,
        sets_house_way: text("3.13"),
        cite: text("3.10"),
    },
    seats: Seats {
        betting_positions: 6,
        banker_is_seated: false,
        several_positions: Some(cited(Several::ViewOne, "3.5.2")),
        one_of_each: Some(text("3.7")),
        restricted_by: Some(cited(Role::PitManager, "3.9")),
        shared_wagers: Some(text("3.8")),
        staff_wagers: Some(text("3.5.1")),
        cite: text("2.2"),
    },
    dealing: list(DEALING_2020),
    action_button: None,
    wagers: list(WAGERS_2020),
    comparison: Comparison {
        win: text("3.18"),
        lose: text("3.19"),
        standoff: text("3.20"),
        standoff_name: text("standoff"),
        copy: text("1.1.1"),
    },
    commission: Some(Commission { percent: 5, cite: text("4.1.1"), waived_by_fortune: None }),
    nine_high_push: None,
    fortune: FORTUNE,
    envy: Some(envy("3.23", ["3.24.1", "3.24.2", "3.24.3"])),
    tiger_nine: None,
    coverage: Coverage::House,
    collection: None,
    settlement: SETTLEMENT,
    foul: cited(Foul::HouseWay, "3.12.2"),
    absent: By::Clause(text("3.13.1")),
    concession: Some(Concession {
        cite: text("3.16"),
        viewed_by: Role::PitSupervisor,
        viewed_cite: text("3.16.1.1"),
    }),
    conduct: list(&[]),
    higher_acts: Some(text("6.2")),
    irregularities: list(IRREGULARITIES_2020),
    house_way: list(SHEET),
    rules: list(RULES_2020),
};

static DEALING_2016: &[Dealing] = &[Dealing {
    device: Device::Machine,
    pattern: Pattern::SevenAtOnce,
    direction: Direction::Clockwise,
    first: First::DealersLeft,
    hands: Hands::Wagered,
    left_over: None,
    cite: text("3.6"),
}];

static DEALING_2020: &[Dealing] = &[
    Dealing {
        device: Device::Machine,
        pattern: Pattern::SevenAtOnce,
        direction: Direction::Clockwise,
        first: First::DealersLeft,
        hands: Hands::Wagered,
        left_over: None,
        cite: text("3.10"),
    },
    Dealing {
        device: Device::Manual,
        pattern: Pattern::OneInTurn,
        direction: Direction::Clockwise,
        first: First::DealersLeft,
        hands: Hands::Wagered,
        left_over: None,
        cite: text("3.11"),
    },
];

static WAGERS_2016: &[Limits] = &[limits(Wager::Standard, "3.4"), limits(Wager::Fortune, "3.5")];

static WAGERS_2020: &[Limits] = &[limits(Wager::Standard, "3.5"), limits(Wager::Fortune, "3.6")];

static IRREGULARITIES_2016: &[Irregularity] = &[
    wrong("5.1", Incident::ForeignCard, Remedy::Void, Role::Dealer),
    wrong("5.2", Incident::WronglyDealt, Remedy::VoidUnlessMoved, Role::Dealer),
    wrong("5.3", Incident::BankerHandSize, Remedy::VoidUnlessReconstructed, Role::Dealer),
    wrong("5.4", Incident::TwoExposed, Remedy::Void, Role::Dealer),
    wrong("5.5", Incident::CardCount, Remedy::Void, Role::Dealer),
    wrong("5.6", Incident::LateWager, Remedy::Refuse, Role::Dealer),
    wrong("5.7", Incident::LateWithdrawal, Remedy::SettleAsStood, Role::Dealer),
];

const fn limits(wager: Wager, cite: &'static str) -> Limits {
    Limits {
        wager,
        minimum: Bounds::POSTED,
        maximum: Bounds::POSTED,
        step: Cents::dollars(1),
        cite: text(cite),
    }
}

static PAY_TABLE: [PayLine; 11] = pay_table([
    (2500, 250),
    (1000, 50),
    (500, 0),
    (250, 0),
    (100, 0),
    (50, 0),
    (20, 0),
    (5, 0),
    (4, 0),
    (3, 0),
    (2, 0),
]);

const FORTUNE: Fortune = Fortune {
    table: list(&PAY_TABLE),
    payer: Payer::House,
    only_above_banker: None,
    cap: None,
    cite: text("4.1.2"),
};

const fn envy(
    cite: &'static str,
    [banker, straight_flush, royal_match]: [&'static str; 3],
) -> Envy {
    Envy {
        fortune_at_least: Cents::dollars(1),
        other_must_bet_fortune: false,
        positions_count_apart: false,
        none_if_banker_holds: Some(text(banker)),
        none_with_own_straight_flush: Some(text(straight_flush)),
        higher_only_with_own_royal_match: Some(text(royal_match)),
        payer: Payer::House,
        cite: text(cite),
    }
}

/// The documents give no order: the table settles as it deals.
const SETTLEMENT: Settlement = Settlement {
    start: Start::DealersLeft,
    direction: Direction::Clockwise,
    order: list(&[Wager::Standard, Wager::Fortune]),
    by: By::TablePolicy,
};

static IRREGULARITIES_2020: &[Irregularity] = &[
    wrong("5.1", Incident::ForeignCard, Remedy::Void, Role::Dealer),
    wrong("5.1", Incident::CardCount, Remedy::Void, Role::Dealer),
    wrong("5.1", Incident::Unshuffled, Remedy::Void, Role::Dealer),
    wrong("5.2", Incident::WronglyDealt, Remedy::VoidUnlessMoved, Role::Dealer),
    wrong("5.3", Incident::BankerHandSize, Remedy::VoidUnlessReconstructed, Role::Dealer),
    wrong("5.4", Incident::TwoExposed, Remedy::Void, Role::Dealer),
    wrong("5.5", Incident::LateWager, Remedy::Refuse, Role::Dealer),
    wrong("5.6", Incident::LateWithdrawal, Remedy::SettleAsStood, Role::Dealer),
    wrong("5.7", Incident::PlayerHandSize, Remedy::HandOut, Role::Dealer),
    wrong("5.8", Incident::NoCards, Remedy::ReturnWager, Role::Dealer),
    wrong("5.9", Incident::NoWager, Remedy::DiscardHand, Role::Dealer),
    wrong("5.10", Incident::Dissatisfied, Remedy::MayWithdraw, Role::Player),
    wrong("5.11", Incident::DeviceCount, Remedy::Void, Role::Dealer),
    wrong("5.12", Incident::UnderMinimum, Remedy::SettleOnce, Role::Dealer),
    wrong("5.13", Incident::OverMaximum, Remedy::SettleToMaximum, Role::Dealer),
    wrong("5.14", Incident::EarlierRounds, Remedy::Stand, Role::Dealer),
    wrong("5.15", Incident::HandShown, Remedy::MayBar, Role::GamingShiftManager),
    wrong("5.16", Incident::SecondViewed, Remedy::SecondHandOut, Role::Dealer),
    wrong("5.17", Incident::WrongHouseWay, Remedy::Reset, Role::Dealer),
    wrong("5.17.1", Incident::WrongHouseWayLater, Remedy::Correct, Role::Dealer),
    wrong("5.18.1", Incident::PowerFailureOpen, Remedy::WithdrawAllOrNone, Role::Dealer),
    wrong("5.18.2", Incident::PowerFailureDecided, Remedy::PlayOn, Role::Dealer),
    wrong("6.1", Incident::NotCovered, Remedy::Decide, Role::GamingShiftManager),
];

const LOW_OR_MEDIUM: Ranks = Ranks::between(Rank::Two, Rank::Ten);
/// High pairs other than aces, which have a row of their own.
const JACK_TO_KING: Ranks = Ranks::between(Rank::Jack, Rank::King);

static SHEET: &[Clause] = &[
    line(
        ("A.5", "complete hand with no pair or one pair"),
        &[Shape::NoPair, Shape::OnePair],
        &[Condition::Complete],
        Low::BeforeComplete,
        "the straight or flush stays High, and the best two cards that leave one go Low.",
        &[Reading::R3],
    ),
    line(
        ("A.5", "complete hand with three of a kind"),
        &[Shape::Trips],
        &[Condition::Complete],
        Low::BeforeComplete,
        "the straight or flush stays High with one of the three, and the other two go Low.",
        &[Reading::R3, Reading::R27],
    ),
    line(
        ("A.5", "three kings with an ace and the joker"),
        &[Shape::FullHouse],
        &[Condition::Complete, Condition::First(KING), Condition::Second(ACE)],
        Low::BeforeComplete,
        "a pair of kings goes Low before the straight or flush that the ace and the joker make.",
        &[Reading::R1, Reading::R3],
    ),
    line(
        ("A.1", "no pair"),
        &[Shape::NoPair],
        &[],
        Low::SecondAndThird,
        "the highest card stays High, the second and third highest go Low.",
        &[Reading::R2],
    ),
    line(
        ("A.1", "one pair"),
        &[Shape::OnePair],
        &[],
        Low::BestSingles,
        "the pair stays High, the two highest others go Low.",
        &[Reading::R2],
    ),
    line(
        ("A.2", "low with low or medium pair, king or better"),
        &[Shape::TwoPair],
        &[
            Condition::First(LOW_OR_MEDIUM),
            Condition::Second(LOW),
            Condition::BestSingle(KING_OR_BETTER),
        ],
        Low::BestSingles,
        "a low pair with a low or medium one stays High beside it, because a single king, ace or \
         joker can lead the Low hand.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("A.2", "low with low or medium pair"),
        &[Shape::TwoPair],
        &[Condition::First(LOW_OR_MEDIUM), Condition::Second(LOW)],
        Low::Pair(Group::Second),
        "a low pair with a low or medium one is split off Low, for want of a single king, ace or \
         joker.",
        &[Reading::R28],
    ),
    line(
        ("A.2", "low with high pair, ace or joker"),
        &[Shape::TwoPair],
        &[Condition::First(JACK_TO_KING), Condition::Second(LOW), Condition::BestSingle(ACE)],
        Low::BestSingles,
        "a low and a high pair stay High together, because a single ace or joker can lead the Low \
         hand.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("A.2", "low with high pair"),
        &[Shape::TwoPair],
        &[Condition::First(JACK_TO_KING), Condition::Second(LOW)],
        Low::Pair(Group::Second),
        "a low and a high pair are split, for want of a single ace or joker.",
        &[Reading::R28],
    ),
    line(
        ("A.2", "two medium pairs, ace or joker"),
        &[Shape::TwoPair],
        &[Condition::First(MEDIUM), Condition::Second(MEDIUM), Condition::BestSingle(ACE)],
        Low::BestSingles,
        "two medium pairs stay High together, because a single ace or joker can lead the Low hand.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("A.2", "two medium pairs"),
        &[Shape::TwoPair],
        &[Condition::First(MEDIUM), Condition::Second(MEDIUM)],
        Low::Pair(Group::Second),
        "two medium pairs are split, for want of a single ace or joker.",
        &[Reading::R28],
    ),
    line(
        ("A.2", "medium with high pair"),
        &[Shape::TwoPair],
        &[Condition::First(JACK_TO_KING), Condition::Second(MEDIUM)],
        Low::Pair(Group::Second),
        "a medium and a high pair are always split.",
        &[Reading::R28],
    ),
    line(
        ("A.2", "two high pairs"),
        &[Shape::TwoPair],
        &[Condition::First(JACK_TO_KING), Condition::Second(HIGH)],
        Low::Pair(Group::Second),
        "two high pairs are always split.",
        &[Reading::R28],
    ),
    line(
        ("A.2", "aces with any pair"),
        &[Shape::TwoPair],
        &[Condition::First(ACE)],
        Low::Pair(Group::Second),
        "aces and another pair are always split.",
        &[Reading::R1, Reading::R2, Reading::R28],
    ),
    line(
        ("A.3", "three pair"),
        &[Shape::ThreePair],
        &[],
        Low::Pair(Group::First),
        "the highest of three pairs goes Low.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("A.4", "three aces"),
        &[Shape::Trips],
        &[Condition::First(ACE)],
        Low::OneOfFirst,
        "three aces are split: two stay High, one goes Low with the highest other card.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("A.4", "three of a kind"),
        &[Shape::Trips],
        &[],
        Low::BestSingles,
        "three of a kind stays High, the two highest others go Low.",
        &[Reading::R2],
    ),
    line(
        ("A.4", "two times three of a kind"),
        &[Shape::TwoTrips],
        &[],
        Low::Pair(Group::First),
        "two of the higher three go Low, the lower three stay High.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("A.6", "three of a kind, a pair of twos, ace and king"),
        &[Shape::FullHouse],
        &[
            Condition::Second(Ranks::only(Rank::Two)),
            Condition::BestSingle(ACE),
            Condition::NextSingle(KING),
        ],
        Low::BestSingles,
        "with a pair of twos the full house stays High, because ace and king can go Low.",
        &[Reading::R2],
    ),
    line(
        ("A.6", "three of a kind and a pair"),
        &[Shape::FullHouse],
        &[],
        Low::Pair(Group::Second),
        "the three stay High, the pair goes Low.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("A.6", "three of a kind and two pair"),
        &[Shape::FullHouseAndPair],
        &[],
        Low::Pair(Group::Second),
        "the three and the lower pair stay High, the higher pair goes Low.",
        &[Reading::R2],
    ),
    line(
        ("A.7", "four of a kind, twos to sixes"),
        &[Shape::Quads],
        &[Condition::First(LOW)],
        Low::BestSingles,
        "four of a low rank are never split; the two highest others go Low.",
        &[Reading::R28],
    ),
    line(
        ("A.7", "four of a kind, sevens to tens, ace or joker"),
        &[Shape::Quads],
        &[Condition::First(MEDIUM), Condition::BestSingle(ACE)],
        Low::BestSingles,
        "four of a medium rank stay High, because an ace or the joker can lead the Low hand.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("A.7", "four of a kind, sevens to tens"),
        &[Shape::Quads],
        &[Condition::First(MEDIUM)],
        Low::Pair(Group::First),
        "four of a medium rank are split two and two, for want of an ace or joker.",
        &[Reading::R1, Reading::R28],
    ),
    line(
        ("A.7", "four of a kind, jacks to aces"),
        &[Shape::Quads],
        &[Condition::First(HIGH)],
        Low::Pair(Group::First),
        "four of a high rank are always split two and two.",
        &[Reading::R1, Reading::R2, Reading::R28],
    ),
    line(
        ("A.7", "four of a kind, twos to kings, with a pair or three of a kind"),
        &[Shape::QuadsAndPair, Shape::QuadsAndTrips],
        &[Condition::First(Ranks::between(Rank::Two, Rank::King))],
        Low::Pair(Group::Second),
        "the four stay High, the pair goes Low.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("A.7", "four aces with kings"),
        &[Shape::QuadsAndPair, Shape::QuadsAndTrips],
        &[Condition::First(ACE), Condition::Second(KING)],
        Low::Pair(Group::Second),
        "four aces stay High when a pair of kings can go Low.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("A.7", "four aces with a pair or three of a kind"),
        &[Shape::QuadsAndPair, Shape::QuadsAndTrips],
        &[Condition::First(ACE)],
        Low::Pair(Group::First),
        "four aces are split two and two.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("A.8", "five aces with kings"),
        &[Shape::FiveAcesAndPair],
        &[Condition::Second(KING)],
        Low::Pair(Group::Second),
        "five aces stay High when a pair of kings can go Low.",
        &[Reading::R2],
    ),
    line(
        ("A.8", "five aces with a pair"),
        &[Shape::FiveAcesAndPair],
        &[],
        Low::Pair(Group::First),
        "two of the five aces go Low.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("A.8", "five aces"),
        &[Shape::FiveAces],
        &[],
        Low::Pair(Group::First),
        "two of the five aces go Low.",
        &[Reading::R1, Reading::R2],
    ),
];

static RULES_2016: &[Rule] = &[
    rule("1.1.1", "A copy hand is a hand of the player's that equals the dealer's in rank.", &[]),
    rule(
        "1.1.3",
        "The Fortune Bonus is an optional wager on the player's own cards, whatever the dealer holds.",
        &[],
    ),
    rule("1.1.4", "A hand is foul when its two cards outrank its five.", &[]),
    rule("1.1.6", "The House Way is the one way the dealer's hand may be set.", &[Reading::R5]),
    rule(
        "1.1.7",
        "The joker completes a straight, a flush, a straight or royal flush or a seven-card \
         straight flush; otherwise it is an ace. It has no part in a royal match's Low hand.",
        &[Reading::R2],
    ),
    rule("1.1.8", "The Low hand may equal the High hand in rank, but not outrank it.", &[]),
    rule(
        "1.1.9",
        "A royal match is a royal flush, in which the joker may stand, and a natural king and \
         queen of one suit.",
        &[],
    ),
    rule("2.1", "One deck of 52 cards and a joker.", &[]),
    rule("2.2", "Up to six positions, each with places for both wagers and both hands.", &[]),
    rule("3.2", "Betting closes with the call of no more bets.", &[]),
    rule("3.4", "A standard wager opens a position.", &[Reading::R6]),
    rule("3.5", "A Fortune Bonus wager may join a standard wager.", &[]),
    rule(
        "3.6",
        "Seven cards at once go to each position with a wager, clockwise from the dealer's left, \
         and to the dealer last.",
        &[],
    ),
    rule("3.7.1", "Five cards go High, two go Low.", &[]),
    rule("3.7.2", "A foul hand is set the House Way by the dealer.", &[]),
    rule(
        "3.8",
        "When all have set, the dealer's cards are shown and set the House Way.",
        &[Reading::R8],
    ),
    rule(
        "3.9",
        "Five-card hands rank from five aces, royal and straight flush down to high card; \
         A-2-3-4-5 is the lowest straight.",
        &[Reading::R11],
    ),
    rule("3.9.1.1", "Of two straights the one with the higher top card wins.", &[]),
    rule("3.9.1.2", "Of equal pairs the next highest card decides.", &[]),
    rule("3.9.1.3", "Without a pair the highest card decides, then the next, and so on.", &[]),
    rule("3.10", "Two-card hands rank from a pair of aces to a pair of twos, then by card.", &[]),
    rule("3.11", "High is compared with High and Low with Low, player by player.", &[]),
    rule("3.12", "The player wins when both hands are higher.", &[]),
    rule("3.13", "The player loses when both hands are lower.", &[]),
    rule("3.14", "One hand won and one lost is a tie: the wager is returned.", &[]),
    rule("3.15", "Equal hands are the dealer's.", &[]),
    rule("3.16", "A Fortune Bonus without a paying hand loses.", &[]),
    rule("3.17", "A Fortune Bonus with a paying hand wins.", &[]),
    rule(
        "3.18",
        "Every player with a Fortune Bonus wager gets Envy for each other player's natural \
         seven-card straight flush or royal match.",
        &[Reading::R13],
    ),
    rule("3.18.1.1", "Nobody gets Envy when the dealer holds such a hand.", &[]),
    rule("3.18.1.2", "A player with a natural seven-card straight flush gets no Envy.", &[]),
    rule(
        "3.18.1.3",
        "A player with a royal match gets Envy for a natural seven-card straight flush only.",
        &[],
    ),
    rule("4.1.1", "A standard wager pays 1 to 1 less 5 % commission.", &[Reading::R6]),
    rule("4.1.2", "The Fortune Bonus pays by the table, from 2,500 to 1 down to 2 to 1.", &[]),
    rule("5.1", "A foreign card voids the round; earlier rounds stand.", &[Reading::R10]),
    rule(
        "5.2",
        "A wrong deal that nobody has touched voids the round, unless moving whole hands repairs \
         it.",
        &[Reading::R10],
    ),
    rule(
        "5.3",
        "A dealer's hand of other than seven cards, found before the next round, voids the round \
         unless it can be reconstructed.",
        &[Reading::R10],
    ),
    rule(
        "5.4",
        "Two or more cards exposed in the deal void the round; with one, play goes on.",
        &[Reading::R10],
    ),
    rule("5.5", "A deck short or in excess voids the round.", &[Reading::R10]),
    rule("5.6", "Nothing is placed or raised after bets closed.", &[]),
    rule("5.7", "A wager withdrawn after bets closed is settled as if it stood.", &[]),
];

static RULES_2020: &[Rule] = &[
    rule("1.1.1", "A copy hand equals the dealer's in rank, and is the dealer's.", &[]),
    rule(
        "1.1.3",
        "The Fortune Bonus is an optional wager on the player's own cards, whatever the dealer holds.",
        &[Reading::R12],
    ),
    rule("1.1.4", "A hand is foul when its two cards outrank its five.", &[]),
    rule("1.1.6", "The House Way is the one way the dealer's hand may be set.", &[Reading::R5]),
    rule(
        "1.1.7",
        "The joker completes a straight, a flush, a straight or royal flush or a seven-card \
         straight flush; otherwise it is an ace. It has no part in a royal match's Low hand.",
        &[Reading::R2],
    ),
    rule("1.1.8", "The Low hand may equal the High hand in rank, but not outrank it.", &[]),
    rule(
        "1.1.9",
        "A royal match is a royal flush, in which the joker may stand, and a natural king and \
         queen of one suit.",
        &[],
    ),
    rule("2.1", "One deck of 52 cards and a joker.", &[]),
    rule("2.2", "Up to six positions, each with places for both wagers and both hands.", &[]),
    rule("3.2", "Betting closes with the call of no more bets.", &[]),
    rule("3.4.1", "Cards rank from the ace down to the two.", &[]),
    rule("3.4.1.1", "In A-2-3-4-5 the ace counts as one: it is the lowest straight.", &[]),
    rule(
        "3.4.1.2",
        "A joker that completes a hand ranks as the card it replaces; otherwise as an ace.",
        &[Reading::R2],
    ),
    rule("3.4.1.3", "No suit outranks another.", &[Reading::R1]),
    rule("3.5", "A standard wager opens a position.", &[Reading::R6]),
    rule(
        "3.5.1",
        "Dealer, pit supervisor or pit manager may place a wager a player asks for.",
        &[],
    ),
    rule(
        "3.5.2",
        "A player on several positions may look at one hand; the others are set the House Way.",
        &[],
    ),
    rule("3.6", "A Fortune Bonus wager may join a standard wager.", &[]),
    rule("3.7", "A playing area takes one standard and one Fortune Bonus wager.", &[]),
    rule("3.8", "Several players may share a wager that is within the limits.", &[]),
    rule("3.9", "A pit manager may keep a player to one playing area.", &[]),
    rule(
        "3.10",
        "From a device, seven cards at once go to each position with a wager, clockwise from the \
         dealer's left, and to the dealer last.",
        &[],
    ),
    rule(
        "3.11",
        "By hand, one card at a time goes round the positions with a wager, the dealer last in \
         each turn, until all have seven.",
        &[],
    ),
    rule("3.12.1", "Five cards go High, two go Low.", &[]),
    rule("3.12.2", "A foul hand is set the House Way by the dealer.", &[]),
    rule("3.13", "When all have set, the dealer's cards are shown and set the House Way.", &[]),
    rule("3.13.1", "The hand of an absent player is set the House Way.", &[Reading::R8]),
    rule(
        "3.14",
        "Five-card hands rank from five aces, royal and straight flush down to high card.",
        &[],
    ),
    rule("3.14.1.1", "Of two straights the one with the higher top card wins.", &[]),
    rule("3.14.1.2", "Of equal pairs the next highest card decides.", &[]),
    rule("3.14.1.3", "Without a pair the highest card decides, then the next, and so on.", &[]),
    rule("3.15", "Two-card hands rank from a pair of aces to a pair of twos, then by card.", &[]),
    rule(
        "3.16",
        "Once the dealer's hand is shown a player may concede, which loses the standard wager.",
        &[Reading::R9, Reading::R12],
    ),
    rule("3.16.1", "A conceded hand does not come back into play.", &[Reading::R9]),
    rule("3.16.1.1", "Only the pit supervisor may look at a conceded hand.", &[]),
    rule("3.17", "High is compared with High and Low with Low, player by player.", &[]),
    rule("3.18", "The player wins when both hands are higher.", &[]),
    rule("3.19", "The player loses when both hands are lower.", &[]),
    rule("3.20", "One hand won and one lost is a standoff: the wager is returned.", &[]),
    rule("3.21", "A Fortune Bonus without a paying hand loses.", &[]),
    rule("3.22", "A Fortune Bonus with a paying hand wins.", &[]),
    rule(
        "3.23",
        "Every player with a Fortune Bonus wager gets Envy for each other player's natural \
         seven-card straight flush or royal match.",
        &[Reading::R13],
    ),
    rule("3.24.1", "Nobody gets Envy when the dealer holds such a hand.", &[]),
    rule("3.24.2", "A player with a natural seven-card straight flush gets no Envy.", &[]),
    rule(
        "3.24.3",
        "A player with a royal match gets Envy for a natural seven-card straight flush only.",
        &[],
    ),
    rule("4.1.1", "A standard wager pays 1 to 1 less 5 % commission.", &[Reading::R6]),
    rule("4.1.2", "The Fortune Bonus pays by the table, from 2,500 to 1 down to 2 to 1.", &[]),
    rule(
        "5.1",
        "A foreign, extra or missing card, or unshuffled cards, void the round; earlier rounds \
         stand.",
        &[Reading::R10],
    ),
    rule(
        "5.2",
        "A wrong deal that nobody has touched voids the round, unless moving whole hands repairs \
         it.",
        &[Reading::R10],
    ),
    rule(
        "5.3",
        "A dealer's hand of other than seven cards, found before the next round, voids the round \
         unless it can be reconstructed.",
        &[Reading::R10],
    ),
    rule(
        "5.4",
        "Two or more cards exposed in the deal void the round; with one, play goes on.",
        &[Reading::R10],
    ),
    rule("5.5", "Nothing is placed or raised after bets closed.", &[]),
    rule("5.6", "A wager withdrawn after bets closed is settled as if it stood.", &[]),
    rule(
        "5.7",
        "A player's hand of other than seven cards is out and its wager returned, unless it can \
         be reconstructed before the next round.",
        &[],
    ),
    rule("5.8", "A wager whose position got no cards is returned once a player has looked.", &[]),
    rule(
        "5.9",
        "Cards dealt to a position without a wager are discarded once a player has looked.",
        &[],
    ),
    rule(
        "5.10",
        "A player unhappy with 5.7, 5.8 or 5.9 may withdraw the rest before more cards are dealt.",
        &[],
    ),
    rule(
        "5.11",
        "When the device cannot verify the count and a count by hand is off, the round is void.",
        &[Reading::R10],
    ),
    rule(
        "5.12",
        "A wager found under the minimum after the outcome is settled once; later ones of that \
         player are returned.",
        &[],
    ),
    rule("5.13", "A wager over the maximum is paid or collected up to the maximum.", &[]),
    rule("5.14", "What earlier rounds settled outside the limits stands.", &[]),
    rule(
        "5.15",
        "For a hand shown or another's viewed the gaming shift manager may bar the player; the \
         wager is returned.",
        &[],
    ),
    rule(
        "5.16",
        "A second hand that a player on several positions looks at is out, its wagers returned.",
        &[],
    ),
    rule("5.17", "A House Way set wrongly is set again.", &[]),
    rule("5.17.1", "Found after the round, the difference is paid or taken back.", &[]),
    rule(
        "5.18.1",
        "With none decided each player may withdraw all wagers or none; then the round ends.",
        &[],
    ),
    rule("5.18.2", "With any decided the round is played to its end.", &[]),
    rule("6.1", "What the rules do not cover the gaming shift manager decides.", &[]),
    rule("6.2", "A higher position may act for a lower one.", &[]),
];
