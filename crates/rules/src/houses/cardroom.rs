//! `cardroom`: one of the seats is the Designated Player, the house never plays.

use super::{
    ACE, KING_OR_BETTER, QUEEN_OR_BETTER, cited, line, list, pay_table, ranks, rule, text,
};
use crate::card::Rank;
use crate::house_way::{Clause, Condition, Low};
use crate::money::Cents;
use crate::ranking::Wheel;
use crate::readings::Reading;
use crate::rulebook::{
    ActionButton, Bank, Banker, Beyond, Bounds, By, Cap, Collection, Comparison, Coverage, Dealing,
    Device, Direction, First, Fortune, Foul, Hands, Limits, Pattern, PayLine, Payer, Rotation,
    Rule, Rulebook, Seats, Settlement, Source, Start, Wager,
};
use crate::shape::{Group, Shape};

/// The cardroom.
pub static CARDROOM: Rulebook = Rulebook {
    id: text("cardroom"),
    name: text("Cardroom, Designated Player"),
    summary: text(
        "A player banks with what they put up and pays a rake; no commission, no Envy, and a bonus \
         must beat the banker's.",
    ),
    source: Source {
        document: text("Fortune Pai Gow, Rules of Game Play"),
        edition: text("undated"),
    },
    wheel: cited(Wheel::Lowest, "C6"),
    bank: Bank {
        banker: Banker::DesignatedPlayer,
        rotation: Some(Rotation {
            direction: Direction::Clockwise,
            rounds_in_a_row: 1,
            house_between: false,
            cite: text("C14"),
        }),
        player_banker: None,
        sets_house_way: text("C7"),
        cite: text("C14"),
    },
    seats: Seats {
        betting_positions: 6,
        banker_is_seated: true,
        several_positions: None,
        one_of_each: None,
        restricted_by: None,
        shared_wagers: None,
        staff_wagers: None,
        cite: text("C3"),
    },
    dealing: list(DEALING),
    action_button: Some(ActionButton { highest: 21, cite: text("C5") }),
    wagers: list(WAGERS),
    comparison: Comparison {
        win: text("C8"),
        lose: text("C8"),
        standoff: text("C8"),
        standoff_name: text("push"),
        copy: text("C8"),
    },
    commission: None,
    nine_high_push: None,
    fortune: Fortune {
        table: list(&PAY_TABLE),
        payer: Payer::Banker,
        only_above_banker: Some(text("C12")),
        cap: Some(Cap { amount: None, beyond: Beyond::Returned, cite: text("C13") }),
        cite: text("C11"),
    },
    envy: None,
    tiger_nine: None,
    coverage: Coverage::PutUp { cite: text("C10") },
    collection: Some(Collection::Rake { cite: text("C2") }),
    settlement: Settlement {
        start: Start::ActionButton,
        direction: Direction::Clockwise,
        order: list(&[Wager::Standard, Wager::Fortune]),
        by: By::Clause(text("C9")),
    },
    foul: cited(Foul::HouseWay, "C6"),
    absent: By::TablePolicy,
    concession: None,
    conduct: list(&[]),
    higher_acts: None,
    irregularities: list(&[]),
    house_way: list(SHEET),
    rules: list(RULES),
};

static DEALING: &[Dealing] = &[
    Dealing {
        device: Device::Machine,
        pattern: Pattern::SevenAtOnce,
        direction: Direction::Clockwise,
        first: First::ActionButton,
        hands: Hands::AllSeven,
        left_over: Some(4),
        cite: text("C3"),
    },
    Dealing {
        device: Device::Manual,
        pattern: Pattern::BackAndForth,
        direction: Direction::Clockwise,
        first: First::ActionButton,
        hands: Hands::AllSeven,
        left_over: Some(4),
        cite: text("C4"),
    },
];

static WAGERS: &[Limits] = &[limits(Wager::Standard), limits(Wager::Fortune)];

const fn limits(wager: Wager) -> Limits {
    Limits {
        wager,
        minimum: Bounds::POSTED,
        maximum: Bounds::POSTED,
        step: Cents::dollars(1),
        cite: text("C1"),
    }
}

static PAY_TABLE: [PayLine; 11] = pay_table([
    (5000, 0),
    (2000, 0),
    (1000, 0),
    (400, 0),
    (150, 0),
    (50, 0),
    (25, 0),
    (5, 0),
    (4, 0),
    (3, 0),
    (2, 0),
]);

static SHEET: &[Clause] = &[
    line(
        ("C25", "complete hand with no pair or one pair"),
        &[Shape::NoPair, Shape::OnePair],
        &[Condition::Complete],
        Low::BeforeComplete,
        "the straight or flush stays behind, and the best two cards that leave one go in front.",
        &[Reading::R3],
    ),
    line(
        ("C25", "complete hand with three of a kind"),
        &[Shape::Trips],
        &[Condition::Complete],
        Low::BeforeComplete,
        "the straight or flush stays behind with one of the three, and the other two go in front.",
        &[Reading::R3, Reading::R27],
    ),
    line(
        ("C20", "no pair"),
        &[Shape::NoPair],
        &[],
        Low::SecondAndThird,
        "the second and third highest cards go in front.",
        &[Reading::R2],
    ),
    line(
        ("C21", "one pair"),
        &[Shape::OnePair],
        &[],
        Low::BestSingles,
        "the pair stays behind, the two highest single cards go in front.",
        &[Reading::R2],
    ),
    line(
        ("C22", "two pair, aces, kings or queens"),
        &[Shape::TwoPair],
        &[Condition::First(QUEEN_OR_BETTER)],
        Low::Pair(Group::Second),
        "with queens or better as the higher pair, two pair are always split.",
        &[Reading::R1, Reading::R2, Reading::R28],
    ),
    line(
        ("C22", "two pair, jacks, tens or nines, ace in front"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Nine, Rank::Jack)), Condition::BestSingle(ACE)],
        Low::BestSingles,
        "with nines to jacks as the higher pair, two pair stay behind, because a single ace can go \
         in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("C22", "two pair, jacks, tens or nines"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Nine, Rank::Jack))],
        Low::Pair(Group::Second),
        "with nines to jacks as the higher pair, two pair are split, for want of a single ace.",
        &[Reading::R28],
    ),
    line(
        ("C22", "two pair, eights, sevens or sixes, king in front"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Six, Rank::Eight)), Condition::BestSingle(KING_OR_BETTER)],
        Low::BestSingles,
        "with sixes to eights as the higher pair, two pair stay behind, because a single king or \
         better can go in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("C22", "two pair, eights, sevens or sixes"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Six, Rank::Eight))],
        Low::Pair(Group::Second),
        "with sixes to eights as the higher pair, two pair are split, for want of a single king or \
         better.",
        &[Reading::R28],
    ),
    line(
        ("C22", "two pair, fives, fours or threes, queen in front"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Three, Rank::Five)), Condition::BestSingle(QUEEN_OR_BETTER)],
        Low::BestSingles,
        "with threes to fives as the higher pair, two pair stay behind, because a single queen or \
         better can go in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("C22", "two pair, fives, fours or threes"),
        &[Shape::TwoPair],
        &[Condition::First(ranks(Rank::Three, Rank::Five))],
        Low::Pair(Group::Second),
        "with threes to fives as the higher pair, two pair are split, for want of a single queen \
         or better.",
        &[Reading::R28],
    ),
    line(
        ("C23", "three pair"),
        &[Shape::ThreePair],
        &[],
        Low::Pair(Group::First),
        "the highest of three pairs goes in front.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("C24", "three aces"),
        &[Shape::Trips],
        &[Condition::First(ACE)],
        Low::OneOfFirst,
        "three aces are split: one goes in front with the highest other card.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("C24", "three of a kind"),
        &[Shape::Trips],
        &[],
        Low::BestSingles,
        "three of a kind stays behind, the two highest others go in front.",
        &[Reading::R2],
    ),
    line(
        ("C24", "two times three of a kind"),
        &[Shape::TwoTrips],
        &[],
        Low::Pair(Group::First),
        "two of the higher three go in front.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("C26", "full house"),
        &[Shape::FullHouse, Shape::FullHouseAndPair],
        &[],
        Low::HighestPair,
        "the highest pair that does not foul goes in front, be it two of the three.",
        &[Reading::R1, Reading::R2, Reading::R17, Reading::R28],
    ),
    line(
        ("C27", "four aces, kings or queens"),
        &[Shape::Quads],
        &[Condition::First(QUEEN_OR_BETTER)],
        Low::Pair(Group::First),
        "four queens or better are split two and two.",
        &[Reading::R1, Reading::R2, Reading::R28],
    ),
    line(
        ("C27", "four jacks, tens or nines, king in front"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Nine, Rank::Jack)), Condition::BestSingle(KING_OR_BETTER)],
        Low::BestSingles,
        "four nines to jacks stay behind, because a single king or better can go in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("C27", "four jacks, tens or nines"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Nine, Rank::Jack))],
        Low::Pair(Group::First),
        "four nines to jacks are split two and two, for want of a single king or better.",
        &[Reading::R1, Reading::R28],
    ),
    line(
        ("C27", "four eights, sevens or sixes, queen in front"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Six, Rank::Eight)), Condition::BestSingle(QUEEN_OR_BETTER)],
        Low::BestSingles,
        "four sixes to eights stay behind, because a single queen or better can go in front.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("C27", "four eights, sevens or sixes"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Six, Rank::Eight))],
        Low::Pair(Group::First),
        "four sixes to eights are split two and two, for want of a single queen or better.",
        &[Reading::R1, Reading::R28],
    ),
    line(
        ("C27", "four fives or below"),
        &[Shape::Quads],
        &[Condition::First(ranks(Rank::Two, Rank::Five))],
        Low::BestSingles,
        "four fives or below are never split.",
        &[Reading::R28],
    ),
    line(
        ("C28", "four of a kind with a pair or three of a kind"),
        &[Shape::QuadsAndPair, Shape::QuadsAndTrips],
        &[],
        Low::Pair(Group::Second),
        "the four stay behind, the pair goes in front.",
        &[Reading::R1, Reading::R2, Reading::R18],
    ),
    line(
        ("C29", "five aces"),
        &[Shape::FiveAces, Shape::FiveAcesAndPair],
        &[],
        Low::Pair(Group::First),
        "two of the five aces go in front.",
        &[Reading::R1, Reading::R2],
    ),
];

static RULES: &[Rule] = &[
    rule(
        "C1",
        "A game wager is required and a Fortune Bonus may join it, both within the posted limits.",
        &[Reading::R6],
    ),
    rule("C2", "The Designated Player pays a posted rake before the cards are dealt.", &[]),
    rule(
        "C3",
        "By machine, seven piles of seven go out clockwise from the Action button; four cards are \
         left, unused piles are discarded.",
        &[],
    ),
    rule(
        "C4",
        "By hand, seven piles are laid a card at a time, left to right and back again, and then go \
         out as by machine.",
        &[],
    ),
    rule(
        "C5",
        "The Action button goes to a seat drawn among those other than the Designated Player's.",
        &[Reading::R14],
    ),
    rule(
        "C6",
        "Two cards go in front, five behind, and the five must rank higher; A-2-3-4-5 is the \
         lowest straight.",
        &[Reading::R7, Reading::R8],
    ),
    rule("C7", "The Designated Player's hand is set the House Way.", &[Reading::R5]),
    rule(
        "C8",
        "Both hands higher win 1 to 1, both lower lose, one of each pushes; copies are the \
         Designated Player's.",
        &[],
    ),
    rule(
        "C9",
        "Seats are settled clockwise from the Action button, the game wager before the Fortune \
         Bonus.",
        &[],
    ),
    rule(
        "C10",
        "The Designated Player wins and pays no more than was put up, in settlement order; what is \
         not covered goes back.",
        &[Reading::R15],
    ),
    rule("C11", "The Fortune Bonus looks at the seven cards, not at how they were set.", &[]),
    rule(
        "C12",
        "A Fortune Bonus is paid only if the Designated Player's own bonus hand is lower, by the \
         pay table's order and then by poker value; equal or higher, it goes back.",
        &[Reading::R16],
    ),
    rule("C13", "A posted maximum caps a round's bonus payments; beyond it wagers go back.", &[]),
    rule(
        "C14",
        "The Designated Player's position is offered clockwise every hand; with no taker there is \
         no round.",
        &[],
    ),
];
