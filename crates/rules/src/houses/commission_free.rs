//! `commission-free`: a player-dealer, no commission, a push on 9-high, Tiger 9 and 28 ways to
//! collect.

use super::{
    ACE, KING_OR_BETTER, QUEEN_OR_BETTER, cited, line, list, pay_table, ranks, rule, text,
};
use crate::card::Rank;
use crate::house_way::{Clause, Condition, Low};
use crate::money::Cents;
use crate::ranking::Wheel;
use crate::readings::Reading;
use crate::rulebook::{
    ActionButton, Band, Bank, Banker, Bounds, By, Collection, Comparison, Coverage, Dealing,
    Device, Direction, Envy, First, Fortune, Foul, Hands, Limits, Measure, Pattern, PayLine, Payer,
    Rotation, Rule, Rulebook, Schedule, Seats, Settlement, Source, Start, TigerNine, Wager,
};
use crate::shape::{Group, Shape};

/// The commission-free game.
pub static COMMISSION_FREE: Rulebook = Rulebook {
    id: text("commission-free"),
    name: text("Commission Free, player-dealer"),
    summary: text(
        "A player banks; no commission, but every game wager pushes when the banker's Low hand is \
         9-high; Tiger 9 bets on just that.",
    ),
    source: Source {
        document: text("Commission Free Fortune Pai Gow Poker, a California game"),
        edition: text("undated, pay table FPG-04"),
    },
    wheel: cited(Wheel::Lowest, "F6"),
    bank: Bank {
        banker: Banker::PlayerDealer,
        rotation: Some(Rotation {
            direction: Direction::Clockwise,
            rounds_in_a_row: 2,
            house_between: false,
            cite: text("F2"),
        }),
        player_banker: None,
        sets_house_way: text("F6"),
        cite: text("F2"),
    },
    seats: Seats {
        betting_positions: 6,
        banker_is_seated: true,
        several_positions: None,
        one_of_each: None,
        restricted_by: None,
        shared_wagers: None,
        staff_wagers: None,
        cite: text("F4"),
    },
    dealing: list(DEALING),
    action_button: Some(ActionButton { highest: 21, cite: text("F5") }),
    wagers: list(WAGERS),
    comparison: Comparison {
        win: text("F8"),
        lose: text("F8"),
        standoff: text("F8"),
        standoff_name: text("push"),
        copy: text("F8"),
    },
    commission: None,
    nine_high_push: Some(text("F9")),
    fortune: Fortune {
        table: list(&PAY_TABLE),
        payer: Payer::Banker,
        only_above_banker: None,
        cap: None,
        cite: text("F11"),
    },
    envy: Some(Envy {
        fortune_at_least: Cents::dollars(5),
        other_must_bet_fortune: true,
        positions_count_apart: false,
        none_if_banker_holds: None,
        none_with_own_straight_flush: None,
        higher_only_with_own_royal_match: None,
        payer: Payer::Banker,
        cite: text("F12"),
    }),
    tiger_nine: Some(TigerNine { pays: 30, cite: text("F10") }),
    coverage: Coverage::PutUp { cite: text("F3") },
    collection: Some(Collection::Schedules { schedules: list(SCHEDULES), cite: text("F13") }),
    settlement: Settlement {
        start: Start::ActionButton,
        direction: Direction::Clockwise,
        order: list(&[Wager::Fortune, Wager::Standard, Wager::TigerNine]),
        by: By::Clause(text("F7")),
    },
    foul: cited(Foul::HouseWay, "F6"),
    absent: By::TablePolicy,
    concession: None,
    conduct: list(&[]),
    higher_acts: None,
    irregularities: list(&[]),
    house_way: list(SHEET),
    rules: list(RULES),
};

static DEALING: &[Dealing] = &[Dealing {
    device: Device::Machine,
    pattern: Pattern::SevenAtOnce,
    direction: Direction::Clockwise,
    first: First::NumberFromBanker,
    hands: Hands::AllSeven,
    left_over: Some(4),
    cite: text("F5"),
}];

static WAGERS: &[Limits] =
    &[limits(Wager::Standard), limits(Wager::Fortune), limits(Wager::TigerNine)];

const fn limits(wager: Wager) -> Limits {
    Limits {
        wager,
        minimum: Bounds::between(Cents::dollars(1), Cents::dollars(1_000)),
        maximum: Bounds::between(Cents::dollars(100), Cents::dollars(10_000)),
        step: Cents::dollars(1),
        cite: text("F1"),
    }
}

static PAY_TABLE: [PayLine; 11] = pay_table([
    (2500, 1000),
    (1000, 750),
    (750, 250),
    (250, 100),
    (125, 50),
    (50, 20),
    (25, 5),
    (5, 0),
    (4, 0),
    (3, 0),
    (2, 0),
]);

/// A schedule from its bands' upper bounds and fees in dollars; the last bound is 0, for none.
macro_rules! schedule {
    ($option:literal, $measure:ident, [$($up_to:literal),*], [$($fee:literal),*], $fixed:literal) => {
        Schedule {
            option: $option,
            measure: Measure::$measure,
            bands: list(const { &[$(band($up_to, $fee)),*] }),
            fixed: Cents::dollars($fixed),
        }
    };
}

const fn band(up_to: u32, fee: u32) -> Band {
    let up_to = if up_to == 0 { None } else { Some(Cents::dollars(up_to)) };
    Band { up_to, fee: Cents::dollars(fee) }
}

#[rustfmt::skip]
static SCHEDULES: &[Schedule] = &[
    schedule!(1, EachWager, [100, 200, 300, 400, 0], [1, 2, 3, 4, 5], 1),
    schedule!(2, EachWager, [100, 200, 300, 400, 0], [1, 2, 3, 4, 5], 2),
    schedule!(3, EachWager, [200, 400, 600, 800, 0], [1, 3, 5, 7, 9], 1),
    schedule!(4, EachWager, [200, 600, 1000, 1400, 0], [2, 4, 8, 12, 15], 2),
    schedule!(5, TableTotal, [49, 99, 149, 199, 0], [2, 4, 6, 8, 12], 0),
    schedule!(6, TableTotal, [49, 99, 149, 199, 0], [1, 3, 5, 7, 10], 1),
    schedule!(7, TableTotal, [49, 99, 199, 0], [2, 4, 6, 12], 1),
    schedule!(8, TableTotal, [49, 99, 149, 199, 0], [1, 2, 3, 4, 5], 0),
    schedule!(9, TableTotal, [49, 99, 199, 299, 0], [1, 2, 3, 4, 6], 0),
    schedule!(10, TableTotal, [49, 99, 199, 399, 0], [1, 2, 3, 4, 6], 0),
    schedule!(11, TableTotal, [49, 99, 199, 299, 0], [1, 2, 3, 5, 8], 0),
    schedule!(12, TableTotal, [74, 149, 224, 299, 0], [1, 2, 3, 4, 5], 0),
    schedule!(13, TableTotal, [74, 149, 224, 299, 0], [1, 2, 3, 4, 6], 0),
    schedule!(14, TableTotal, [74, 149, 224, 399, 0], [1, 2, 3, 4, 7], 0),
    schedule!(15, TableTotal, [74, 199, 399, 699, 0], [1, 2, 5, 8, 12], 0),
    schedule!(16, TableTotal, [99, 199, 299, 399, 0], [1, 2, 3, 4, 6], 0),
    schedule!(17, TableTotal, [99, 199, 299, 399, 0], [1, 3, 4, 5, 7], 0),
    schedule!(18, TableTotal, [99, 199, 299, 399, 0], [1, 4, 5, 6, 8], 0),
    schedule!(19, TableTotal, [99, 299, 499, 799, 0], [1, 3, 5, 8, 12], 0),
    schedule!(20, TableTotal, [99, 299, 499, 799, 0], [2, 3, 6, 8, 12], 0),
    schedule!(21, TableTotal, [99, 299, 499, 799, 0], [2, 3, 6, 10, 15], 0),
    schedule!(22, TableTotal, [99, 299, 499, 799, 0], [2, 3, 6, 10, 15], 0),
    schedule!(23, TableTotal, [99, 299, 499, 799, 0], [2, 3, 5, 12, 20], 0),
    schedule!(24, TableTotal, [999, 1999, 2999, 3999, 0], [5, 15, 25, 35, 45], 0),
    schedule!(25, TableTotal, [999, 1999, 2999, 3999, 0], [10, 15, 30, 35, 50], 0),
    schedule!(26, TableTotal, [999, 1999, 2999, 3999, 0], [15, 20, 30, 40, 55], 0),
    schedule!(27, TableTotal, [999, 1999, 2999, 3999, 0], [20, 25, 35, 45, 55], 0),
    schedule!(28, TableTotal, [999, 1999, 2999, 3999, 0], [15, 25, 35, 50, 70], 0),
];

static SHEET: &[Clause] = &[
    line(
        ("F20", "a pair in front of a straight or better"),
        &Shape::ALL,
        &[Condition::PairBeforeComplete],
        Low::PairBeforeComplete,
        "the highest pair that leaves a straight or better behind goes in front.",
        &[Reading::R1, Reading::R20, Reading::R28],
    ),
    line(
        ("F25", "complete hand with no pair or one pair"),
        &[Shape::NoPair, Shape::OnePair],
        &[Condition::Complete],
        Low::BeforeComplete,
        "the straight or flush stays behind, and the best two cards that leave one go in front.",
        &[Reading::R3],
    ),
    line(
        ("F25", "complete hand with three aces, the joker needed in it"),
        &[Shape::Trips],
        &[Condition::Complete],
        Low::BeforeComplete,
        "the straight or flush that needs the joker stays behind, and an ace leads the hand in \
         front.",
        &[Reading::R3, Reading::R27],
    ),
    line(
        ("F21", "no pair"),
        &[Shape::NoPair],
        &[],
        Low::SecondAndThird,
        "the second and third highest cards go in front.",
        &[Reading::R2],
    ),
    line(
        ("F21", "one pair"),
        &[Shape::OnePair],
        &[],
        Low::BestSingles,
        "the pair stays behind, the two highest others go in front.",
        &[Reading::R2],
    ),
    line(
        ("F22", "two pair, aces, kings or queens"),
        &[Shape::TwoPair],
        &[Condition::First(QUEEN_OR_BETTER)],
        Low::Pair(Group::Second),
        "with queens or better as the higher pair, two pair are always split.",
        &[Reading::R1, Reading::R2, Reading::R28],
    ),
    line(
        ("F22", "two pair, jacks, tens or nines, ace in front"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Nine, Rank::Jack)), Condition::BestSingle(ACE)],
        Low::BestSingles,
        "with nines to jacks as the higher pair, two pair stay behind, because a single ace can go \
         in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("F22", "two pair, jacks, tens or nines"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Nine, Rank::Jack))],
        Low::Pair(Group::Second),
        "with nines to jacks as the higher pair, two pair are split, for want of a single ace.",
        &[Reading::R28],
    ),
    line(
        ("F22", "two pair, eights, sevens or sixes, king in front"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Six, Rank::Eight)), Condition::BestSingle(KING_OR_BETTER)],
        Low::BestSingles,
        "with sixes to eights as the higher pair, two pair stay behind, because a single king or \
         better can go in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("F22", "two pair, eights, sevens or sixes"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Six, Rank::Eight))],
        Low::Pair(Group::Second),
        "with sixes to eights as the higher pair, two pair are split, for want of a single king or \
         better.",
        &[Reading::R28],
    ),
    line(
        ("F22", "two pair, fives or below, queen in front"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Two, Rank::Five)), Condition::BestSingle(QUEEN_OR_BETTER)],
        Low::BestSingles,
        "with fives or below as the higher pair, two pair stay behind, because a single queen or \
         better can go in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("F22", "two pair, fives or below"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Two, Rank::Five))],
        Low::Pair(Group::Second),
        "with fives or below as the higher pair, two pair are split, for want of a single queen or \
         better.",
        &[Reading::R28],
    ),
    line(
        ("F23", "three pair"),
        &[Shape::ThreePair],
        &[],
        Low::Pair(Group::First),
        "the highest of three pairs goes in front.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("F24", "three aces"),
        &[Shape::Trips],
        &[Condition::First(ACE)],
        Low::OneOfFirst,
        "three aces are split: one goes in front with the highest other card.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("F24", "three of a kind"),
        &[Shape::Trips],
        &[],
        Low::BestSingles,
        "three of a kind stays behind, the two highest others go in front.",
        &[Reading::R2],
    ),
    line(
        ("F24", "two times three of a kind"),
        &[Shape::TwoTrips],
        &[],
        Low::Pair(Group::First),
        "two of the higher three go in front.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("F26", "full house"),
        &[Shape::FullHouse, Shape::FullHouseAndPair],
        &[],
        Low::HighestPair,
        "the highest pair that does not foul goes in front.",
        &[Reading::R2, Reading::R17, Reading::R28],
    ),
    line(
        ("F27", "four aces, kings or queens"),
        &[Shape::Quads],
        &[Condition::First(QUEEN_OR_BETTER)],
        Low::Pair(Group::First),
        "four queens or better are split two and two.",
        &[Reading::R1, Reading::R2, Reading::R28],
    ),
    line(
        ("F27", "four jacks, tens or nines, king in front"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Nine, Rank::Jack)), Condition::BestSingle(KING_OR_BETTER)],
        Low::BestSingles,
        "four nines to jacks stay behind, because a single king or better can go in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("F27", "four jacks, tens or nines"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Nine, Rank::Jack))],
        Low::Pair(Group::First),
        "four nines to jacks are split two and two, for want of a single king or better.",
        &[Reading::R1, Reading::R28],
    ),
    line(
        ("F27", "four eights, sevens or sixes, queen in front"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Six, Rank::Eight)), Condition::BestSingle(QUEEN_OR_BETTER)],
        Low::BestSingles,
        "four sixes to eights stay behind, because a single queen or better can go in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("F27", "four eights, sevens or sixes"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Six, Rank::Eight))],
        Low::Pair(Group::First),
        "four sixes to eights are split two and two, for want of a single queen or better.",
        &[Reading::R1, Reading::R28],
    ),
    line(
        ("F27", "four fives or below"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Two, Rank::Five))],
        Low::BestSingles,
        "four fives or below are never split.",
        &[Reading::R28],
    ),
    line(
        ("F28", "four of a kind with a pair"),
        &[Shape::QuadsAndPair, Shape::QuadsAndTrips],
        &[],
        Low::Pair(Group::Second),
        "the four stay behind, the pair goes in front.",
        &[Reading::R18],
    ),
    line(
        ("F29", "five aces"),
        &[Shape::FiveAces, Shape::FiveAcesAndPair],
        &[],
        Low::Pair(Group::First),
        "two of the five aces go in front.",
        &[Reading::R1, Reading::R2],
    ),
];

static RULES: &[Rule] = &[
    rule(
        "F1",
        "A game wager is required; Fortune Bonus and Tiger 9 may join it, each of any size within \
         the limits, whose minimum is $1 to $1,000 and whose maximum $100 to $10,000.",
        &[Reading::R6],
    ),
    rule(
        "F2",
        "A player-dealer banks at most two rounds in a row, then the position is offered clockwise.",
        &[],
    ),
    rule(
        "F3",
        "The player-dealer neither wins nor loses more than was put up, on any bet; what is not \
         covered goes back.",
        &[Reading::R15],
    ),
    rule(
        "F4",
        "All seven hands are dealt; those without a wager are discarded, and four cards are left.",
        &[],
    ),
    rule(
        "F5",
        "A number from 1 to 21 names the seat of the first hand, the player-dealer being 1, 8 and \
         15; it also gets the action button, or the next seat does when it is the player-dealer.",
        &[],
    ),
    rule(
        "F6",
        "Five cards must rank higher than two; the player-dealer sets the House Way; A-2-3-4-5 is \
         the lowest straight.",
        &[Reading::R5, Reading::R7, Reading::R8],
    ),
    rule(
        "F7",
        "Seats are settled clockwise from the action button: Fortune Bonus, game wager, Tiger 9; \
         Envy last for all.",
        &[Reading::R19],
    ),
    rule(
        "F8",
        "Both hands higher win 1 to 1, both lower lose, one of each pushes; copies are the \
         player-dealer's.",
        &[],
    ),
    rule(
        "F9",
        "When the player-dealer's Low hand is unpaired and 9-high, every game wager pushes.",
        &[],
    ),
    rule("F10", "Tiger 9 pays 30 to 1 on just that Low hand and loses on any other.", &[]),
    rule(
        "F11",
        "The Fortune Bonus looks at the seven cards and stands whatever the other wagers do.",
        &[],
    ),
    rule(
        "F12",
        "A Fortune Bonus of $5 carries Envy for each other player's hand in the upper rows, if \
         that player bet the Fortune Bonus too.",
        &[],
    ),
    rule(
        "F13",
        "The house collects before the round by one of 28 schedules.",
        &[Reading::R21, Reading::R22],
    ),
];
