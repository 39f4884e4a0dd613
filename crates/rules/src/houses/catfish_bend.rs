//! `catfish-bend`: the house banks until a player takes the button; the wheel ranks second.

use super::{ACE, HIGH, KING, LOW, MEDIUM, cited, line, list, pay_table, rule, text, wrong};
use crate::card::Rank;
use crate::house_way::{Clause, Condition, Low, Play};
use crate::money::Cents;
use crate::ranking::Wheel;
use crate::readings::Reading;
use crate::rulebook::{
    Bank, Banker, Beyond, Bounds, By, Cap, Cited, Commission, Comparison, Conduct, Coverage,
    Dealing, Device, Direction, Envy, First, Fortune, Foul, Hands, Incident, Irregularity, Limits,
    Pattern, PayLine, Payer, PlayerBanker, Remedy, Role, Rotation, Rule, Rulebook, Seats,
    Settlement, Several, Source, Start, Wager,
};
use crate::shape::{Group, Ranks, Shape, Shapes};

/// Catfish Bend.
pub static CATFISH_BEND: Rulebook = Rulebook {
    id: text("catfish-bend"),
    name: text("Catfish Bend, house or player banker"),
    summary: text(
        "The house banks until a player takes the button; $5 on the bonus waives the commission \
         and carries Envy; A-2-3-4-5 is the second highest straight.",
    ),
    source: Source {
        document: text("Catfish Bend Casinos, Rules of the Game Fortune Pai Gow"),
        edition: text("undated, pages FPG-2 to FPG-10"),
    },
    wheel: cited(Wheel::SecondHighest, "B6"),
    bank: Bank {
        banker: Banker::HouseOrPlayer,
        rotation: Some(Rotation {
            direction: Direction::CounterClockwise,
            rounds_in_a_row: 1,
            house_between: true,
            cite: text("B13"),
        }),
        player_banker: Some(PlayerBanker {
            covers_in_advance: text("B14"),
            house_bets: text("B15"),
            sets_freely: text("B16"),
            pools: text("B17"),
            may_bet_fortune: text("B10"),
        }),
        sets_house_way: text("B15"),
        cite: text("B13"),
    },
    seats: Seats {
        betting_positions: 6,
        banker_is_seated: true,
        several_positions: Some(cited(Several::TwoAdjacent, "B3")),
        one_of_each: None,
        restricted_by: None,
        shared_wagers: None,
        staff_wagers: None,
        cite: text("B4"),
    },
    dealing: list(DEALING),
    action_button: None,
    wagers: list(WAGERS),
    comparison: Comparison {
        win: text("B7"),
        lose: text("B7"),
        standoff: text("B7"),
        standoff_name: text("push"),
        copy: text("B7"),
    },
    commission: Some(Commission {
        percent: 5,
        cite: text("B8"),
        waived_by_fortune: Some(cited(Cents::dollars(5), "B2")),
    }),
    nine_high_push: None,
    fortune: Fortune {
        table: list(&PAY_TABLE),
        payer: Payer::House,
        only_above_banker: None,
        cap: Some(Cap {
            amount: Some(Cents::dollars(25_000)),
            beyond: Beyond::Prorated,
            cite: text("B12"),
        }),
        cite: text("B10"),
    },
    envy: Some(Envy {
        fortune_at_least: Cents::dollars(5),
        other_must_bet_fortune: false,
        positions_count_apart: true,
        none_if_banker_holds: None,
        none_with_own_straight_flush: None,
        higher_only_with_own_royal_match: None,
        payer: Payer::House,
        cite: text("B11"),
    }),
    tiger_nine: None,
    coverage: Coverage::InAdvance { cite: text("B14") },
    collection: None,
    settlement: Settlement {
        start: Start::DealersRight,
        direction: Direction::CounterClockwise,
        order: list(&[Wager::Standard, Wager::Fortune]),
        by: By::Clause(text("B9")),
    },
    foul: cited(Foul::SecondLoses, "B5"),
    absent: By::TablePolicy,
    concession: None,
    conduct: list(CONDUCT),
    higher_acts: None,
    irregularities: list(IRREGULARITIES),
    house_way: list(SHEET),
    rules: list(RULES),
};

static DEALING: &[Dealing] = &[Dealing {
    device: Device::Machine,
    pattern: Pattern::SevenAtOnce,
    direction: Direction::CounterClockwise,
    first: First::NumberFromBanker,
    hands: Hands::AllSeven,
    left_over: Some(4),
    cite: text("B4"),
}];

static WAGERS: &[Limits] = &[
    Limits {
        wager: Wager::Standard,
        minimum: Bounds::POSTED,
        maximum: Bounds::POSTED,
        step: Cents::dollars(5),
        cite: text("B1"),
    },
    Limits {
        wager: Wager::Fortune,
        minimum: Bounds::at(Cents::dollars(1)),
        maximum: Bounds::at(Cents::dollars(25)),
        step: Cents::dollars(1),
        cite: text("B1"),
    },
];

static CONDUCT: &[Cited<Conduct>] = &[
    cited(Conduct::NoTalkBeforeSet, "B22"),
    cited(Conduct::HouseWayToldLast, "B23"),
    cited(Conduct::HandsOff, "B24"),
];

static IRREGULARITIES: &[Irregularity] = &[
    wrong("B18", Incident::NotFourLeft, Remedy::CountAndRedeal, Role::Dealer),
    wrong("B18", Incident::SpotMissed, Remedy::Redeal, Role::Dealer),
    wrong("B18", Incident::FourExposed, Remedy::Redeal, Role::Dealer),
    wrong("B18", Incident::HandSize, Remedy::Redeal, Role::Dealer),
    wrong("B18", Incident::ShufflerError, Remedy::CountAndRedeal, Role::Dealer),
    wrong("B19", Incident::FirstHandAstray, Remedy::MoveHands, Role::Dealer),
    wrong("B20", Incident::BankerMisset, Remedy::Reconstruct, Role::PitSupervisor),
    wrong("B21", Incident::PickedUp, Remedy::Refuse, Role::Dealer),
];

static PAY_TABLE: [PayLine; 11] = pay_table([
    (8000, 5000),
    (2000, 1000),
    (1000, 500),
    (400, 250),
    (150, 50),
    (50, 20),
    (25, 5),
    (5, 0),
    (4, 0),
    (3, 0),
    (2, 0),
]);

const MEDIUM_OR_HIGH: Ranks = Ranks::at_least(Rank::Seven);

static SHEET: &[Clause] = &[
    line(
        ("B37", "complete hand with no pair or one pair"),
        &[Shape::NoPair, Shape::OnePair],
        &[Condition::Complete],
        Low::BeforeComplete,
        "the straight or flush stays High, and the best two cards that leave one go Low.",
        &[Reading::R3],
    ),
    line(
        ("B44", "complete hand with three of a kind"),
        &[Shape::Trips],
        &[Condition::Complete],
        Low::BeforeComplete,
        "the straight or flush stays High with one of the three, and the other two go Low.",
        &[Reading::R3, Reading::R26, Reading::R27],
    ),
    line(
        ("B30", "no pair"),
        &[Shape::NoPair],
        &[],
        Low::SecondAndThird,
        "the highest card stays High, the next two go Low.",
        &[Reading::R2],
    ),
    line(
        ("B31", "one pair"),
        &[Shape::OnePair],
        &[],
        Low::BestSingles,
        "the pair stays High, the two highest others go Low.",
        &[Reading::R2],
    ),
    line(
        ("B32", "two pair, high with high or medium"),
        &[Shape::TwoPair],
        &[Condition::First(HIGH), Condition::Second(MEDIUM_OR_HIGH)],
        Low::Pair(Group::Second),
        "a high pair with a high or medium one is split.",
        &[Reading::R1, Reading::R2, Reading::R28],
    ),
    line(
        ("B32", "two pair, high with low, two medium or medium with low, ace Low"),
        &[Shape::TwoPair],
        &[Condition::First(MEDIUM_OR_HIGH), Condition::BestSingle(ACE)],
        Low::BestSingles,
        "both pairs stay High, because a single ace or joker can lead the Low hand.",
        &[Reading::R2, Reading::R4, Reading::R28],
    ),
    line(
        ("B32", "two pair, high with low, two medium or medium with low"),
        &[Shape::TwoPair],
        &[Condition::First(MEDIUM_OR_HIGH)],
        Low::Pair(Group::Second),
        "the pairs are split, for want of a single ace or joker.",
        &[Reading::R28],
    ),
    line(
        ("B32", "two low pairs"),
        &[Shape::TwoPair],
        &[Condition::First(LOW)],
        Low::BestSingles,
        "two low pairs are kept together, the two highest others go Low.",
        &[Reading::R28],
    ),
    line(
        ("B38", "complete hand with two pair, a pair left"),
        &[Shape::TwoPair],
        &[Condition::Complete, Condition::PairBeforeComplete],
        Low::PairBeforeComplete,
        "the straight or flush stays High, because a pair is left to go Low.",
        &[Reading::R28],
    ),
    Clause {
        id: text("B38"),
        row: text("complete hand with two pair, aces with the joker"),
        shapes: Shapes::of(&[Shape::TwoPair]),
        when: list(&[Condition::Complete, Condition::First(ACE)]),
        play: Play::Stronger(Low::BeforeComplete, Low::Pair(Group::Second)),
        says: text(
            "the joker completes the hand or pairs the ace, whichever gives the stronger Low hand.",
        ),
        readings: list(&[Reading::R2, Reading::R3, Reading::R28]),
    },
    line(
        ("B33", "three pair"),
        &[Shape::ThreePair],
        &[],
        Low::Pair(Group::First),
        "the highest of three pairs goes Low.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("B34", "three aces"),
        &[Shape::Trips],
        &[Condition::First(ACE)],
        Low::OneOfFirst,
        "three aces are split: two stay High, one goes Low with the highest other card.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("B34", "three of a kind"),
        &[Shape::Trips],
        &[],
        Low::BestSingles,
        "three of a kind stays High, the two highest others go Low.",
        &[Reading::R2],
    ),
    line(
        ("B35", "full house"),
        &[Shape::FullHouse],
        &[],
        Low::Pair(Group::Second),
        "the three stay High, the pair goes Low.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("B36", "full house with a second pair"),
        &[Shape::FullHouseAndPair],
        &[],
        Low::HighestPair,
        "the highest pair goes Low, two of the three counted as one.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("B39", "four of a kind, jacks to aces"),
        &[Shape::Quads],
        &[Condition::First(HIGH)],
        Low::Pair(Group::First),
        "four of a high rank are split, as two high pairs are.",
        &[Reading::R1, Reading::R2, Reading::R28],
    ),
    line(
        ("B39", "four of a kind, sevens to tens, ace Low"),
        &[Shape::Quads],
        &[Condition::First(MEDIUM), Condition::BestSingle(ACE)],
        Low::BestSingles,
        "four of a medium rank stay High, because a single ace or joker can lead the Low hand.",
        &[Reading::R2, Reading::R28],
    ),
    line(
        ("B39", "four of a kind, sevens to tens"),
        &[Shape::Quads],
        &[Condition::First(MEDIUM)],
        Low::Pair(Group::First),
        "four of a medium rank are split, for want of a single ace or joker.",
        &[Reading::R1, Reading::R28],
    ),
    line(
        ("B39", "four of a kind, twos to sixes"),
        &[Shape::Quads],
        &[Condition::First(LOW)],
        Low::BestSingles,
        "four of a low rank are kept together, the two highest others go Low.",
        &[Reading::R28],
    ),
    line(
        ("B40", "four of a kind and a pair"),
        &[Shape::QuadsAndPair],
        &[],
        Low::HighestPair,
        "as with three pair, the highest goes Low.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("B41", "four aces and three kings"),
        &[Shape::QuadsAndTrips],
        &[Condition::First(ACE), Condition::Second(KING)],
        Low::Pair(Group::Second),
        "four aces stay High, two of the three kings go Low.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("B41", "four of a kind and three of a kind"),
        &[Shape::QuadsAndTrips],
        &[],
        Low::HighestPair,
        "the highest pair goes Low, out of the four or out of the three.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("B42", "five aces with kings"),
        &[Shape::FiveAcesAndPair],
        &[Condition::Second(KING)],
        Low::Pair(Group::Second),
        "five aces stay High when a pair of kings can go Low.",
        &[Reading::R2],
    ),
    line(
        ("B42", "five aces"),
        &[Shape::FiveAces, Shape::FiveAcesAndPair],
        &[],
        Low::Pair(Group::First),
        "two of the five aces go Low.",
        &[Reading::R1, Reading::R2],
    ),
    line(
        ("B43", "two times three of a kind"),
        &[Shape::TwoTrips],
        &[],
        Low::Pair(Group::First),
        "two of the higher three go Low, the lower three stay High.",
        &[Reading::R1, Reading::R2, Reading::R25],
    ),
];

static RULES: &[Rule] = &[
    rule(
        "B1",
        "Standard wagers go in steps of $5; a Fortune Bonus of $1 to $25 may join one until the \
         first hand leaves the shuffler.",
        &[Reading::R6],
    ),
    rule(
        "B2",
        "A Fortune Bonus of $5 or more carries Envy and waives that position's commission.",
        &[],
    ),
    rule(
        "B3",
        "A player may take two adjacent positions; each counts as a player of its own.",
        &[],
    ),
    rule(
        "B4",
        "A shuffler's random number, counted counter-clockwise from the banker as 1, names the \
         first hand's spot; all seven spots get a hand, four cards must remain, and bets are \
         frozen.",
        &[],
    ),
    rule(
        "B5",
        "The High hand must outrank the Low; a player's first foul is set the House Way with a \
         warning, a later one loses.",
        &[Reading::R8, Reading::R23],
    ),
    rule("B6", "A-2-3-4-5 ranks second among straights and straight flushes.", &[]),
    rule(
        "B7",
        "Both hands higher win, neither higher loses, anything else pushes; a tied hand is the \
         banker's.",
        &[],
    ),
    rule(
        "B8",
        "A win pays 1 to 1 less 5 %, unless waived; nothing is taken on losses, pushes or bonuses.",
        &[Reading::R6],
    ),
    rule(
        "B9",
        "Positions are settled counter-clockwise from the dealer's far right, standard wager \
         before Fortune Bonus; Envy last.",
        &[],
    ),
    rule(
        "B10",
        "Fortune Bonus and Envy are the house's to take and pay, also when a player banks, who may \
         bet it too.",
        &[],
    ),
    rule(
        "B11",
        "Envy is paid for each other position's four of a kind or better, whether or not it bet \
         the bonus; not for the dealer's, the player banker's or one's own.",
        &[],
    ),
    rule(
        "B12",
        "Fortune Bonus payments of a round are capped at $25,000 together, Envy apart.",
        &[Reading::R6, Reading::R24],
    ),
    rule(
        "B13",
        "The dealer banks first; the button moves counter-clockwise each round, a player may bank \
         or pass, and after a player's turn the dealer has one.",
        &[],
    ),
    rule(
        "B14",
        "A player banker must show enough to cover every standard wager, the house's too.",
        &[],
    ),
    rule(
        "B15",
        "The house bets what the player banker asks, up to that player's last wager against it; \
         its hand is set the House Way.",
        &[Reading::R5],
    ),
    rule(
        "B16",
        "Players set first, then the player banker as they like, a foul being set the House Way, \
         then the house.",
        &[],
    ),
    rule(
        "B17",
        "Losing wagers pool to pay winners, the house's bet first; the player banker takes what \
         remains less 5 % of the net gain, unless B2 waives it, or makes up what is short.",
        &[],
    ),
    rule(
        "B18",
        "Not four cards left, a spot missed, more than three cards exposed, a hand of other than \
         seven or a shuffler's count error is a misdeal: void and dealt again; up to three exposed \
         cards are turned back.",
        &[Reading::R10],
    ),
    rule("B19", "A first hand delivered to the wrong spot is moved, the others with it.", &[]),
    rule(
        "B20",
        "A player banker's hand found wrongly set midway is reconstructed by a supervisor.",
        &[],
    ),
    rule("B21", "Once cards are picked up no hand is reconstructed for a dealer's error.", &[]),
    rule(
        "B22",
        "Players exchange nothing before their hands are set; a player may help another after \
         setting, and may then not set again.",
        &[],
    ),
    rule(
        "B23",
        "The dealer tells the House Way only when asked, and after all others have set.",
        &[],
    ),
    rule(
        "B24",
        "Cards are not touched before the four left over are counted, nor after the dealer's are \
         shown.",
        &[],
    ),
    rule(
        "B45",
        "A complete hand with three pair, a full house or four of a kind is set by that row, as if \
         it were none.",
        &[Reading::R28],
    ),
];
