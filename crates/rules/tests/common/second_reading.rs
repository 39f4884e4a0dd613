//! A second, independent reading of the five House Ways of Fortune Pai Gow Poker.
//!
//! It is the judge of another implementation, so it is written as a dealer works: look at what the
//! seven cards hold, go down the chart of the house, lay two cards in front. There is one function
//! per house and each branch names the row it follows.
//!
//! Cards are numbers `0..=52`: `rank * 4 + suit`, rank 0 is the Two and 12 the Ace, suits 0 to 3 are
//! clubs, diamonds, hearts and spades; 52 is the joker.

const JOKER: u8 = 52;

const SIX: u8 = 4;
const NINE: u8 = 7;
const TEN: u8 = 8;
const JACK: u8 = 9;
const QUEEN: u8 = 10;
const KING: u8 = 11;
const ACE: u8 = 12;

const HIGH_CARD: u8 = 0;
const ONE_PAIR: u8 = 1;
const TWO_PAIR: u8 = 2;
const THREE: u8 = 3;
const STRAIGHT: u8 = 4;
const FLUSH: u8 = 5;
const FULL_HOUSE: u8 = 6;
const FOUR: u8 = 7;
const STRAIGHT_FLUSH: u8 = 8;
const ROYAL_FLUSH: u8 = 9;
const FIVE_ACES: u8 = 10;

/// Ten to ace, one bit a rank.
const ROYAL_RANKS: u16 = 0b1_1111_0000_0000;

/// The five rulebooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum House {
    Mbs2016,
    Mbs2020,
    Cardroom,
    CommissionFree,
    CatfishBend,
}

/// A setting: two cards Low, five cards High, and the row of the House Way it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set {
    pub low: [u8; 2],
    pub high: [u8; 5],
    pub clause: &'static str,
}

/// Category number, then the ranks that break ties within it.
pub type Five = (u8, [u8; 5]);

/// Whether it is a pair, then the higher and the lower rank.
pub type Two = (bool, u8, u8);

/// The House Way of seven distinct cards.
#[must_use]
pub fn set(house: House, mut cards: [u8; 7]) -> Set {
    // Ascending order makes "lower suits go Low" the first fitting choice, and puts the joker last.
    cards.sort_unstable();
    match house {
        House::Mbs2016 | House::Mbs2020 => marina_bay(house, cards),
        House::Cardroom => cardroom(cards),
        House::CommissionFree => commission_free(cards),
        House::CatfishBend => catfish_bend(cards),
    }
}

/// The value of a five-card hand, comparable within one house, bigger is better.
#[must_use]
pub fn five(house: House, cards: [u8; 5]) -> Five {
    let mut count = [0_u8; 13];
    let mut natural_ranks = 0_u16;
    let mut naturals = 0;
    let mut suits = 0_u8;
    for &card in &cards {
        if card != JOKER {
            count[usize::from(card / 4)] += 1;
            natural_ranks |= 1 << (card / 4);
            suits |= 1 << (card % 4);
            naturals += 1;
        }
    }
    let joker = naturals == 4;

    if joker && count[usize::from(ACE)] == 4 {
        return (FIVE_ACES, [ACE, 0, 0, 0, 0]);
    }

    // Four natural cards of one suit and the joker are a flush, the joker being wild for it.
    let flush = suits.is_power_of_two();
    if natural_ranks.count_ones() == naturals {
        if let Some(height) = straight_height(house, natural_ranks) {
            return match (flush, natural_ranks & !ROYAL_RANKS == 0) {
                (true, true) => (ROYAL_FLUSH, [0; 5]),
                (true, false) => (STRAIGHT_FLUSH, [height, 0, 0, 0, 0]),
                (false, _) => (STRAIGHT, [height, 0, 0, 0, 0]),
            };
        }
        if flush {
            let mut shown = natural_ranks;
            if joker {
                // In a flush the joker is the highest card missing from it.
                shown |= 1 << (0..=ACE).rev().find(|&rank| shown & (1 << rank) == 0).unwrap_or(ACE);
            }
            return (FLUSH, descending(shown));
        }
    }

    if joker {
        count[usize::from(ACE)] += 1;
    }
    grouped(&count)
}

/// The value of a two-card hand, bigger is better; the joker is always an ace here.
#[must_use]
pub fn two(cards: [u8; 2]) -> Two {
    let (a, b) = (rank(cards[0]), rank(cards[1]));
    (a == b, a.max(b), a.min(b))
}

/// Whether Low outranks High on what both show.
#[must_use]
pub fn foul(house: House, low: [u8; 2], high: [u8; 5]) -> bool {
    let (pair, first, second) = two(low);
    let (category, ranks) = five(house, high);
    match category {
        HIGH_CARD => pair || (first, second) > (ranks[0], ranks[1]),
        ONE_PAIR => pair && first > ranks[0],
        _ => false,
    }
}

/// The Fortune Bonus category of seven cards, the best paid one they can form.
#[must_use]
pub fn bonus(cards: [u8; 7]) -> &'static str {
    let mut suited = [0_u16; 4];
    let mut count = [0_u8; 13];
    let mut joker = 0;
    for &card in &cards {
        if card == JOKER {
            joker = 1;
        } else {
            suited[usize::from(card % 4)] |= 1 << (card / 4);
        }
        count[usize::from(rank(card))] += 1;
    }
    let all = suited[0] | suited[1] | suited[2] | suited[3];
    let has_royal = |ranks: u16| (ranks & ROYAL_RANKS).count_ones() + joker >= 5;

    if suited.iter().any(|&ranks| longest_fit(ranks, 7) == 7) {
        return "seven-card-straight-flush";
    }
    let royal = suited.iter().position(|&ranks| has_royal(ranks));
    if let Some(suit) = royal {
        // Five cards are the royal flush, so a King and Queen of another suit are all the rest; a
        // King and Queen of the royal's own suit cannot be left over.
        let king_queen = (1 << KING) | (1 << QUEEN);
        if (0..4).any(|other| other != suit && suited[other] & king_queen == king_queen) {
            return "royal-match";
        }
    }
    if joker == 1 && suited.iter().any(|&ranks| longest_fit(ranks, 7) == 6) {
        return "seven-card-straight-flush-joker";
    }
    if count[usize::from(ACE)] == 5 {
        return "five-aces";
    }
    if royal.is_some() {
        return "royal-flush";
    }
    if suited.iter().any(|&ranks| longest_fit(ranks, 5) + joker >= 5) {
        return "straight-flush";
    }
    let at_least = |wanted: u8| count.iter().filter(|&&held| held >= wanted).count();
    if at_least(4) > 0 {
        return "four-of-a-kind";
    }
    if at_least(3) > 0 && at_least(2) > 1 {
        return "full-house";
    }
    if suited.iter().any(|&ranks| ranks.count_ones() + joker >= 5) {
        return "flush";
    }
    if at_least(3) > 0 {
        return "three-of-a-kind";
    }
    if longest_fit(all, 5) + joker >= 5 {
        return "straight";
    }
    "none"
}

/// Marina Bay Sands, Appendix A of both editions.
fn marina_bay(house: House, cards: [u8; 7]) -> Set {
    let held = sort_out(cards);
    let others = held.singles.as_slice();

    if held.five_aces {
        let low = if held.pairs.first() == Some(KING) { KING } else { ACE };
        return lay(house, cards, low, low, "A.8");
    }

    if let Some(four) = held.fours.first() {
        let companion = held.threes.first().or(held.pairs.first());
        if let Some(companion) = companion {
            let low = if four == ACE && companion != KING { ACE } else { companion };
            return lay(house, cards, low, low, "A.7");
        }
        let keep = four <= SIX || (four <= TEN && others[0] == ACE);
        let (a, b) = if keep { (others[0], others[1]) } else { (four, four) };
        return lay(house, cards, a, b, "A.7");
    }

    if let Some(three) = held.threes.first() {
        if held.threes.len == 2 {
            return lay(house, cards, three, three, "A.4");
        }
        if let Some(pair) = held.pairs.first() {
            // Three Kings with an ace and the joker are the one full house that yields to a complete
            // hand. One King, the ace and the joker all stay High in it, so the Kings are the Low.
            if three == KING && pair == ACE && complete(house, cards).is_some() {
                return lay(house, cards, KING, KING, "A.5");
            }
            if held.pairs.len == 1 && pair == 0 && others == [ACE, KING] {
                return lay(house, cards, ACE, KING, "A.6");
            }
            return lay(house, cards, pair, pair, "A.6");
        }
        if let Some(found) = complete(house, cards) {
            return finish(cards, found, "A.5");
        }
        let first = if three == ACE { ACE } else { others[0] };
        let second = if three == ACE { others[0] } else { others[1] };
        return lay(house, cards, first, second, "A.4");
    }

    if held.pairs.len == 3 {
        let highest = held.pairs.list[0];
        return lay(house, cards, highest, highest, "A.3");
    }

    if held.pairs.len == 2 {
        let (higher, lower) = (held.pairs.list[0], held.pairs.list[1]);
        let keep = match (group(higher), group(lower)) {
            (Group::Low | Group::Medium, Group::Low) => others[0] >= KING,
            // A pair of aces leaves no single ace to hold, so aces with any pair always split.
            (Group::High, Group::Low) | (Group::Medium, Group::Medium) => others[0] == ACE,
            _ => false,
        };
        let (a, b) = if keep { (others[0], others[1]) } else { (lower, lower) };
        return lay(house, cards, a, b, "A.2");
    }

    if let Some(found) = complete(house, cards) {
        return finish(cards, found, "A.5");
    }
    if held.pairs.len == 1 {
        return lay(house, cards, others[0], others[1], "A.1");
    }
    lay(house, cards, others[1], others[2], "A.1")
}

/// The cardroom with a Designated Player.
fn cardroom(cards: [u8; 7]) -> Set {
    let house = House::Cardroom;
    let held = sort_out(cards);
    let others = held.singles.as_slice();

    if held.five_aces {
        return lay(house, cards, ACE, ACE, "C29");
    }
    if let Some(four) = held.fours.first() {
        if let Some(companion) = held.threes.first().or(held.pairs.first()) {
            return lay(house, cards, companion, companion, "C28");
        }
        let (a, b) = cardroom_four(four, others);
        return lay(house, cards, a, b, "C27");
    }
    if let Some(three) = held.threes.first() {
        if held.threes.len == 2 {
            return lay(house, cards, three, three, "C24");
        }
        if held.pairs.len > 0 {
            return highest_pair_without_foul(house, cards, &held, "C26");
        }
        if let Some(found) = complete(house, cards) {
            return finish(cards, found, "C25");
        }
        let (a, b) = cardroom_three(three, others);
        return lay(house, cards, a, b, "C24");
    }
    if held.pairs.len == 3 {
        let highest = held.pairs.list[0];
        return lay(house, cards, highest, highest, "C23");
    }
    if held.pairs.len == 2 {
        let (a, b) = cardroom_two_pair(held.pairs.list[0], held.pairs.list[1], others);
        return lay(house, cards, a, b, "C22");
    }
    if let Some(found) = complete(house, cards) {
        return finish(cards, found, "C25");
    }
    if held.pairs.len == 1 {
        return lay(house, cards, others[0], others[1], "C21");
    }
    lay(house, cards, others[1], others[2], "C20")
}

/// The commission-free game: its footnote F20 first, then rows much like the cardroom's.
fn commission_free(cards: [u8; 7]) -> Set {
    let house = House::CommissionFree;
    if let Some(found) = pair_before_straight_or_better(house, cards) {
        return finish(cards, found, "F20");
    }

    let held = sort_out(cards);
    let others = held.singles.as_slice();

    if held.five_aces {
        return lay(house, cards, ACE, ACE, "F29");
    }
    if let Some(four) = held.fours.first() {
        if let Some(companion) = held.threes.first().or(held.pairs.first()) {
            return lay(house, cards, companion, companion, "F28");
        }
        let (a, b) = cardroom_four(four, others);
        return lay(house, cards, a, b, "F27");
    }
    if let Some(three) = held.threes.first() {
        if held.threes.len == 2 {
            return lay(house, cards, three, three, "F24");
        }
        if held.pairs.len > 0 {
            return highest_pair_without_foul(house, cards, &held, "F26");
        }
        if let Some(found) = complete(house, cards) {
            return finish(cards, found, "F25");
        }
        let (a, b) = cardroom_three(three, others);
        return lay(house, cards, a, b, "F24");
    }
    if held.pairs.len == 3 {
        let highest = held.pairs.list[0];
        return lay(house, cards, highest, highest, "F23");
    }
    if held.pairs.len == 2 {
        let (a, b) = cardroom_two_pair(held.pairs.list[0], held.pairs.list[1], others);
        return lay(house, cards, a, b, "F22");
    }
    if let Some(found) = complete(house, cards) {
        return finish(cards, found, "F25");
    }
    if held.pairs.len == 1 {
        return lay(house, cards, others[0], others[1], "F21");
    }
    lay(house, cards, others[1], others[2], "F21")
}

/// Catfish Bend.
fn catfish_bend(cards: [u8; 7]) -> Set {
    let house = House::CatfishBend;
    let held = sort_out(cards);
    let others = held.singles.as_slice();

    if held.five_aces {
        let low = if held.pairs.first() == Some(KING) { KING } else { ACE };
        return lay(house, cards, low, low, "B42");
    }
    if let Some(four) = held.fours.first() {
        if let Some(three) = held.threes.first() {
            let low = if four == ACE && three == KING { KING } else { four.max(three) };
            return lay(house, cards, low, low, "B41");
        }
        if let Some(pair) = held.pairs.first() {
            let low = four.max(pair);
            return lay(house, cards, low, low, "B40");
        }
        let keep = match group(four) {
            Group::High => false,
            Group::Medium => others[0] == ACE,
            Group::Low => true,
        };
        let (a, b) = if keep { (others[0], others[1]) } else { (four, four) };
        return lay(house, cards, a, b, "B39");
    }
    if let Some(three) = held.threes.first() {
        if held.threes.len == 2 {
            return lay(house, cards, three, three, "B43");
        }
        if held.pairs.len == 2 {
            let low = three.max(held.pairs.list[0]);
            return lay(house, cards, low, low, "B36");
        }
        if let Some(pair) = held.pairs.first() {
            return lay(house, cards, pair, pair, "B35");
        }
        if let Some(found) = complete(house, cards) {
            return finish(cards, found, "B44");
        }
        let first = if three == ACE { ACE } else { others[0] };
        let second = if three == ACE { others[0] } else { others[1] };
        return lay(house, cards, first, second, "B34");
    }
    if held.pairs.len == 3 {
        let highest = held.pairs.list[0];
        return lay(house, cards, highest, highest, "B33");
    }
    if held.pairs.len == 2 {
        let (higher, lower) = (held.pairs.list[0], held.pairs.list[1]);
        let keep = match (group(higher), group(lower)) {
            (Group::High, Group::High | Group::Medium) => false,
            (Group::Low, _) => true,
            _ => others[0] == ACE,
        };
        let (a, b) = if keep { (others[0], others[1]) } else { (lower, lower) };
        // B38 asks for the complete hand in some of these, and it never differs: a complete hand of
        // five ranks leaves a pair Low only when the joker paired an ace, and that is this split.
        return lay(house, cards, a, b, "B32");
    }
    if let Some(found) = complete(house, cards) {
        return finish(cards, found, "B37");
    }
    if held.pairs.len == 1 {
        return lay(house, cards, others[0], others[1], "B31");
    }
    lay(house, cards, others[1], others[2], "B30")
}

/// C22 and F22: the ranks that go in front with two pair.
fn cardroom_two_pair(higher: u8, lower: u8, others: &[u8]) -> (u8, u8) {
    let keep = match higher {
        QUEEN..=ACE => false,
        NINE..=JACK => others[0] == ACE,
        SIX..NINE => others[0] >= KING,
        _ => others[0] >= QUEEN,
    };
    if keep { (others[0], others[1]) } else { (lower, lower) }
}

/// C24 and F24: the ranks that go in front with one three of a kind and nothing else.
fn cardroom_three(three: u8, others: &[u8]) -> (u8, u8) {
    if three == ACE { (ACE, others[0]) } else { (others[0], others[1]) }
}

/// C27 and F27: the ranks that go in front with four of a kind and three single cards.
fn cardroom_four(four: u8, others: &[u8]) -> (u8, u8) {
    let keep = match four {
        QUEEN..=ACE => false,
        NINE..=JACK => others[0] >= KING,
        SIX..NINE => others[0] >= QUEEN,
        _ => true,
    };
    if keep { (others[0], others[1]) } else { (four, four) }
}

/// C26 and F26: the highest pair in front that does not foul.
fn highest_pair_without_foul(
    house: House,
    cards: [u8; 7],
    held: &Held,
    clause: &'static str,
) -> Set {
    let three = held.threes.list[0];
    let pair = held.pairs.list[0];
    let higher = lay(house, cards, three.max(pair), three.max(pair), clause);
    if foul(house, higher.low, higher.high) {
        // Only the trips can foul as a pair in front, and then the pair goes there.
        return lay(house, cards, pair, pair, clause);
    }
    higher
}

/// Two positions in the ascending seven cards: the Low hand.
type Front = (usize, usize);

/// R3: the complete hand with the highest Low, then the highest High, if there is one.
fn complete(house: House, cards: [u8; 7]) -> Option<Front> {
    if !may_be_complete(cards) {
        return None;
    }
    let mut best: Option<(Two, Five, bool)> = None;
    let mut front = None;
    for i in 0..6 {
        for j in i + 1..7 {
            let low = [cards[i], cards[j]];
            let low_value = two(low);
            if best.is_some_and(|(best_low, ..)| low_value < best_low) {
                continue;
            }
            let high_value = five(house, without(cards, (i, j)));
            if !matches!(high_value.0, STRAIGHT | FLUSH | STRAIGHT_FLUSH | ROYAL_FLUSH) {
                continue;
            }
            let value = (low_value, high_value, low[1] != JOKER);
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                front = Some((i, j));
            }
        }
    }
    front
}

/// F20: the highest pair in front that leaves a straight or better behind, if there is one.
fn pair_before_straight_or_better(house: House, cards: [u8; 7]) -> Option<Front> {
    let mut best: Option<(Two, Five, bool)> = None;
    let mut front = None;
    for i in 0..6 {
        for j in i + 1..7 {
            let low = [cards[i], cards[j]];
            let low_value = two(low);
            if !low_value.0 {
                continue;
            }
            let high_value = five(house, without(cards, (i, j)));
            if high_value.0 < STRAIGHT {
                continue;
            }
            let value = (low_value, high_value, low[1] != JOKER);
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                front = Some((i, j));
            }
        }
    }
    front
}

/// Lays cards of two named ranks Low. R1: of the cards that fit, those that leave the highest High;
/// where that ties the joker stays High, and then the lower suits go Low.
fn lay(house: House, cards: [u8; 7], first: u8, second: u8, clause: &'static str) -> Set {
    let wanted = (first.max(second), first.min(second));
    let mut fitting = [(0, 0); 21];
    let mut len = 0;
    for i in 0..6 {
        for j in i + 1..7 {
            let (_, a, b) = two([cards[i], cards[j]]);
            if (a, b) == wanted {
                fitting[len] = (i, j);
                len += 1;
            }
        }
    }
    let mut front = fitting[0];
    if len > 1 {
        let mut best: Option<(Five, bool)> = None;
        for &(i, j) in &fitting[..len] {
            let value = (five(house, without(cards, (i, j))), cards[j] != JOKER);
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                front = (i, j);
            }
        }
    }
    finish(cards, front, clause)
}

/// Writes the setting down, higher cards first in both hands.
fn finish(cards: [u8; 7], front: Front, clause: &'static str) -> Set {
    let mut high = without(cards, front);
    high.reverse();
    Set { low: [cards[front.1], cards[front.0]], high, clause }
}

/// The five cards that stay when two are taken away.
fn without(cards: [u8; 7], (i, j): Front) -> [u8; 5] {
    let mut rest = [0; 5];
    let mut len = 0;
    for (position, &card) in cards.iter().enumerate() {
        if position != i && position != j {
            rest[len] = card;
            len += 1;
        }
    }
    rest
}

/// Whether five of the seven cards make a straight or a flush, the joker included; it spares the
/// search through all 21 ways for most hands.
fn may_be_complete(cards: [u8; 7]) -> bool {
    let mut ranks = 0_u16;
    let mut of_suit = [0_u8; 4];
    let mut joker = 0_u8;
    for &card in &cards {
        if card == JOKER {
            joker = 1;
        } else {
            ranks |= 1 << (card / 4);
            of_suit[usize::from(card % 4)] += 1;
        }
    }
    of_suit.iter().any(|&suited| suited + joker >= 5)
        || longest_fit(ranks, 5) + u32::from(joker) >= 5
}

/// How many of the ranks fall at most into one stretch of `length` neighbouring ranks, the ace
/// counting at either end.
fn longest_fit(ranks: u16, length: u32) -> u32 {
    let with_low_ace = (ranks << 1) | (ranks >> ACE);
    let stretch = (1_u16 << length) - 1;
    (0..=14 - length)
        .map(|start| (with_low_ace & (stretch << start)).count_ones())
        .max()
        .unwrap_or(0)
}

/// How high a straight is that these four (with the joker) or five ranks make, in half steps so that
/// the wheel of Catfish Bend finds its place between the King-high and the ace-high straight.
fn straight_height(house: House, ranks: u16) -> Option<u8> {
    const WHEEL: u16 = 0b1_0000_0000_1111;
    let wheel = ranks & !WHEEL == 0;
    if ranks & !ROYAL_RANKS == 0 {
        return Some(2 * ACE);
    }
    if wheel && house == House::CatfishBend {
        return Some(2 * KING + 1);
    }
    for top in (SIX..=KING).rev() {
        if ranks & !(0b1_1111 << (top - 4)) == 0 {
            return Some(2 * top);
        }
    }
    wheel.then_some(2 * (SIX - 1))
}

/// The ranks of exactly five bits, highest first.
fn descending(ranks: u16) -> [u8; 5] {
    let mut list = [0; 5];
    let mut len = 0;
    for rank in (0..=ACE).rev() {
        if ranks & (1 << rank) != 0 {
            list[len] = rank;
            len += 1;
        }
    }
    list
}

/// The value of five cards that are neither straight nor flush.
fn grouped(count: &[u8; 13]) -> Five {
    let mut ranks = [0; 5];
    let mut len = 0;
    let (mut fours, mut threes, mut pairs) = (0, 0, 0);
    for size in (1..=4).rev() {
        for rank in (0..=ACE).rev() {
            if count[usize::from(rank)] == size {
                ranks[len] = rank;
                len += 1;
                match size {
                    4 => fours += 1,
                    3 => threes += 1,
                    2 => pairs += 1,
                    _ => {}
                }
            }
        }
    }
    let category = match (fours, threes, pairs) {
        (1, ..) => FOUR,
        (_, 1, 1) => FULL_HOUSE,
        (_, 1, _) => THREE,
        (_, _, 2) => TWO_PAIR,
        (_, _, 1) => ONE_PAIR,
        _ => HIGH_CARD,
    };
    (category, ranks)
}

/// The rank of a card, the joker counting as an ace (R2).
fn rank(card: u8) -> u8 {
    if card == JOKER { ACE } else { card / 4 }
}

/// The pair groups of Marina Bay and Catfish Bend.
enum Group {
    Low,
    Medium,
    High,
}

fn group(rank: u8) -> Group {
    match rank {
        0..=SIX => Group::Low,
        JACK..=ACE => Group::High,
        _ => Group::Medium,
    }
}

/// A few ranks, highest first.
#[derive(Default)]
struct Ranks {
    list: [u8; 7],
    len: usize,
}

impl Ranks {
    fn push(&mut self, rank: u8) {
        self.list[self.len] = rank;
        self.len += 1;
    }

    fn first(&self) -> Option<u8> {
        self.as_slice().first().copied()
    }

    fn as_slice(&self) -> &[u8] {
        &self.list[..self.len]
    }
}

/// What seven cards hold, rank by rank, the joker as an ace (R2).
#[derive(Default)]
struct Held {
    five_aces: bool,
    fours: Ranks,
    threes: Ranks,
    pairs: Ranks,
    singles: Ranks,
}

fn sort_out(cards: [u8; 7]) -> Held {
    let mut count = [0_u8; 13];
    for &card in &cards {
        count[usize::from(rank(card))] += 1;
    }
    let mut held = Held::default();
    for rank in (0..=ACE).rev() {
        match count[usize::from(rank)] {
            5 => held.five_aces = true,
            4 => held.fours.push(rank),
            3 => held.threes.push(rank),
            2 => held.pairs.push(rank),
            1 => held.singles.push(rank),
            _ => {}
        }
    }
    held
}
