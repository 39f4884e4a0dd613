//! The House Way: a sheet of clauses, of which the first that fits sets the hand.
//!
//! [`set_house_way`] reads the sheet as a dealer does: what do the seven cards contain, which line
//! is that, what does it say. It is the obvious version. [`HouseWay`] is the quick one: it has
//! read the sheet for every combination of ranks beforehand.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use crate::card::{Card, Rank};
use crate::cards::CardSet;
use crate::ranking::{Category, HandKey, LowStrength, Ranking, SLOTS};
use crate::readings::Reading;
use crate::rulebook::Rulebook;
use crate::setting::{Dealt, Setting, Split};
use crate::shape::{Contents, Group, Ranks, Shapes};

/// One line of a House Way sheet.
///
/// ```
/// use houseway_rules::{Condition, Low, Play, Shape, houses};
///
/// let clause = houses::CARDROOM.house_way.iter().find(|clause| clause.id == "C24").unwrap();
/// assert_eq!(clause.row, "three aces");
/// assert!(clause.shapes.contains(Shape::Trips));
/// assert_eq!(*clause.when, [Condition::First("A".parse().unwrap())]);
/// assert_eq!(clause.play, Play::Low(Low::OneOfFirst));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The clause's id in its rulebook, shown beside every hand it sets. Several lines of a
    /// printed table may share one.
    pub id: Cow<'static, str>,
    /// Which line of the printed table.
    pub row: Cow<'static, str>,
    /// The shapes it speaks of.
    pub shapes: Shapes,
    /// What else must hold, all of it.
    pub when: Cow<'static, [Condition]>,
    /// What goes Low.
    pub play: Play,
    /// What it says, in our own words.
    pub says: Cow<'static, str>,
    /// The numbered readings it rests on.
    pub readings: Cow<'static, [Reading]>,
}

/// What a clause can ask of a hand. A new condition needs a printed line that asks for it.
///
/// ```
/// use houseway_rules::{Condition, houses};
///
/// // Two pair with jacks to nines on top stay together if an ace can go in front.
/// let clause = houses::CARDROOM.house_way.iter().find(|clause| clause.row.contains("ace in front"));
/// let conditions: Vec<String> = clause.unwrap().when.iter().map(Condition::to_string).collect();
/// assert_eq!(conditions, ["first 9-J", "best-single A"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// A straight, flush, straight flush or royal flush can be formed by five of the seven (R3).
    Complete,
    /// Some pair can go Low and leave a straight or better High (R20).
    PairBeforeComplete,
    /// The first group has one of these ranks.
    First(Ranks),
    /// The second group has one of these ranks.
    Second(Ranks),
    /// The highest card that is alone in its rank is one of these.
    BestSingle(Ranks),
    /// The second highest card that is alone in its rank is one of these.
    NextSingle(Ranks),
}

/// What a clause puts in the Low hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Play {
    /// One of the basic plays.
    Low(Low),
    /// Whichever of two has the stronger Low hand, then the stronger High hand.
    Stronger(Low, Low),
}

/// The basic plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Low {
    /// The second and the third highest card of a hand without a pair.
    SecondAndThird,
    /// The two highest cards that are alone in their rank.
    BestSingles,
    /// Two cards of a group.
    Pair(Group),
    /// One card of the first group and the highest other card.
    OneOfFirst,
    /// The best two that leave a complete hand (R3).
    BeforeComplete,
    /// The highest pair that leaves a straight or better (R20).
    PairBeforeComplete,
    /// The highest pair that does not foul (R17).
    HighestPair,
}

impl Low {
    /// Every basic play.
    pub const ALL: [Low; 9] = [
        Low::SecondAndThird,
        Low::BestSingles,
        Low::Pair(Group::First),
        Low::Pair(Group::Second),
        Low::Pair(Group::Third),
        Low::OneOfFirst,
        Low::BeforeComplete,
        Low::PairBeforeComplete,
        Low::HighestPair,
    ];

    /// The id used in rulebook files.
    pub const fn id(self) -> &'static str {
        match self {
            Low::SecondAndThird => "second-and-third",
            Low::BestSingles => "best-singles",
            Low::Pair(Group::First) => "pair-of-first",
            Low::Pair(Group::Second) => "pair-of-second",
            Low::Pair(Group::Third) => "pair-of-third",
            Low::OneOfFirst => "one-of-first",
            Low::BeforeComplete => "before-complete",
            Low::PairBeforeComplete => "pair-before-complete",
            Low::HighestPair => "highest-pair",
        }
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Play::Low(low) => f.write_str(low.id()),
            Play::Stronger(a, b) => write!(f, "stronger of {} and {}", a.id(), b.id()),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Complete => f.write_str("complete"),
            Condition::PairBeforeComplete => f.write_str("pair-before-complete"),
            Condition::First(ranks) => write!(f, "first {ranks}"),
            Condition::Second(ranks) => write!(f, "second {ranks}"),
            Condition::BestSingle(ranks) => write!(f, "best-single {ranks}"),
            Condition::NextSingle(ranks) => write!(f, "next-single {ranks}"),
        }
    }
}

/// How a house sets a hand, and the clause that says so.
///
/// ```
/// use houseway_rules::{houses, set_house_way};
///
/// let decision = set_house_way(&houses::CARDROOM, "Ac Ad Ah Kh Qc Jd 2s".parse().unwrap());
/// assert_eq!(decision.setting.to_string(), "Ac Kh / Ah Ad Qc Jd 2s");
/// assert_eq!(decision.clause.id, "C24");
/// assert_eq!(
///     decision.why(),
///     "Three aces, with a single king: three aces are split: one goes in front with the highest \
///      other card."
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<'a> {
    /// The hand as set.
    pub setting: Setting,
    /// The clause that decided.
    pub clause: &'a Clause,
}

impl Decision<'_> {
    /// A sentence on why: what the cards contain, and what the clause says of that.
    pub fn why(&self) -> String {
        let mut sentence = String::new();
        self.write_why(&mut sentence).expect("a String takes everything");
        sentence
    }

    /// The sentence of [`Decision::why`], written somewhere.
    pub fn write_why(&self, to: &mut impl fmt::Write) -> fmt::Result {
        let mut contents = Capitalised { to, begun: false };
        fmt::Write::write_fmt(
            &mut contents,
            format_args!("{}: {}", Contents::of(self.setting.dealt()), self.clause.says),
        )
    }
}

/// Passes text on with its first letter in upper case.
struct Capitalised<'a, W> {
    to: &'a mut W,
    begun: bool,
}

impl<W: fmt::Write> fmt::Write for Capitalised<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut letters = text.chars();
        match letters.next() {
            Some(first) if !self.begun => {
                self.begun = true;
                self.to.write_char(first.to_ascii_uppercase())?;
                self.to.write_str(letters.as_str())
            }
            _ => self.to.write_str(text),
        }
    }
}

/// Why a sheet does not set a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetError<'a> {
    /// No clause fits.
    NoClause(Dealt),
    /// The clause fits, but its play is not possible with these cards.
    #[expect(missing_docs, reason = "the names say it")]
    NoPlay { dealt: Dealt, clause: &'a Clause },
    /// The clause's setting is a foul.
    #[expect(missing_docs, reason = "the names say it")]
    Foul { dealt: Dealt, low: CardSet, clause: &'a Clause },
}

/// Sets seven cards the House Way, by reading the sheet.
///
/// ```
/// use houseway_rules::{houses, set_house_way};
///
/// let dealt = "Kc Kh 5s 5h Ac 6d 4s".parse().unwrap();
/// let decision = set_house_way(&houses::MBS_2020, dealt);
/// assert_eq!(decision.setting.to_string(), "Ac 6d / Kh Kc 5s 5h 4s");
/// assert_eq!(decision.clause.id, "A.2");
/// assert!(decision.why().starts_with("Two pair, kings and fives, with a single ace: "));
/// ```
///
/// # Panics
/// If the rulebook's sheet leaves the hand out. That of the five houses leaves none out, and a
/// rulebook read from a file is proved to leave none out when it is read.
pub fn set_house_way(rulebook: &Rulebook, dealt: Dealt) -> Decision<'_> {
    match try_set(&rulebook.house_way, rulebook.ranking(), dealt) {
        Ok(decision) => decision,
        Err(error) => panic!("{} does not set {dealt}: {error:?}", rulebook.id),
    }
}

/// Sets seven cards by a sheet that may not be complete.
pub fn try_set(
    sheet: &[Clause],
    ranking: Ranking,
    dealt: Dealt,
) -> Result<Decision<'_>, SheetError<'_>> {
    let hand = Hand::new(ranking, dealt);
    let clause =
        sheet.iter().find(|clause| hand.fits(clause)).ok_or(SheetError::NoClause(dealt))?;
    let split = hand.play(clause.play).ok_or(SheetError::NoPlay { dealt, clause })?;
    if ranking.fouls(split.hands) {
        return Err(SheetError::Foul { dealt, low: split.low, clause });
    }
    Ok(Decision { setting: dealt.set_unchecked(split.low), clause })
}

/// The setting that one clause's play gives, whatever the rest of the sheet says, if its
/// conditions hold.
pub fn try_clause(clause: &Clause, ranking: Ranking, dealt: Dealt) -> Option<Setting> {
    let hand = Hand::new(ranking, dealt);
    let split = hand.fits(clause).then(|| hand.play(clause.play))??;
    (!ranking.fouls(split.hands)).then(|| dealt.set_unchecked(split.low))
}

/// Seven cards with all that a clause may ask of them.
struct Hand {
    ranking: Ranking,
    contents: Contents,
    splits: [Split; 21],
    /// The weakest straight: a hand at least as strong is a straight or better.
    straight: crate::ranking::Strength,
}

impl Hand {
    fn new(ranking: Ranking, dealt: Dealt) -> Hand {
        let mut all = dealt.splits(ranking);
        let splits = core::array::from_fn(|_| all.next().expect("21 splits"));
        let straight = ranking.weakest(Category::Straight);
        Hand { ranking, contents: Contents::of(dealt), splits, straight }
    }

    fn fits(&self, clause: &Clause) -> bool {
        clause.shapes.contains(self.contents.shape)
            && clause.when.iter().all(|condition| self.meets(*condition))
    }

    fn meets(&self, condition: Condition) -> bool {
        let is = |rank: Option<Rank>, ranks: Ranks| rank.is_some_and(|rank| ranks.contains(rank));
        match condition {
            Condition::Complete => self.splits.iter().any(|split| self.is_complete(split)),
            Condition::PairBeforeComplete => self.low(Low::PairBeforeComplete).is_some(),
            Condition::First(ranks) => is(self.contents.group(Group::First), ranks),
            Condition::Second(ranks) => is(self.contents.group(Group::Second), ranks),
            Condition::BestSingle(ranks) => is(self.contents.single(0), ranks),
            Condition::NextSingle(ranks) => is(self.contents.single(1), ranks),
        }
    }

    fn play(&self, play: Play) -> Option<Split> {
        match play {
            Play::Low(low) => self.low(low),
            Play::Stronger(a, b) => {
                let strongest = |split: &Split| (split.hands.low, split.hands.high);
                [self.low(a), self.low(b)].into_iter().flatten().max_by_key(strongest)
            }
        }
    }

    fn low(&self, low: Low) -> Option<Split> {
        let (group, single) = (|it| self.contents.group(it), |number| self.contents.single(number));
        match low {
            Low::SecondAndThird => self.of_ranks(single(1)?, single(2)?),
            Low::BestSingles => self.of_ranks(single(0)?, single(1)?),
            Low::Pair(it) => self.of_ranks(group(it)?, group(it)?),
            Low::OneOfFirst => self.of_ranks(group(Group::First)?, self.highest_beside_first()?),
            Low::BeforeComplete => self.best(|split| self.is_complete(split)),
            Low::PairBeforeComplete => {
                self.best(|split| split.hands.low.is_pair() && split.hands.high >= self.straight)
            }
            Low::HighestPair => {
                self.best(|split| split.hands.low.is_pair() && !self.ranking.fouls(split.hands))
            }
        }
    }

    fn highest_beside_first(&self) -> Option<Rank> {
        let others = [self.contents.group(Group::Second), self.contents.single(0)];
        others.into_iter().flatten().max()
    }

    fn is_complete(&self, split: &Split) -> bool {
        matches!(
            self.ranking.category(split.hands.high),
            Category::Straight | Category::Flush | Category::StraightFlush
        )
    }

    /// The split with these two ranks Low: of the physical cards that fit, those that leave the
    /// highest High hand (R1).
    fn of_ranks(&self, a: Rank, b: Rank) -> Option<Split> {
        let wanted = LowStrength::of(a, b);
        self.best(|split| split.hands.low == wanted)
    }

    /// The best of the splits that are wanted: the highest Low hand, then the highest High hand
    /// (R3). Where suits alone are left to choose by, the joker stays High and lower suits go Low,
    /// so that a hand is always set in the same way.
    fn best(&self, wanted: impl Fn(&Split) -> bool) -> Option<Split> {
        self.splits.iter().copied().filter(wanted).max_by_key(|split| {
            let by_suit = Reverse(split.low.sorted::<2>().map(Card::index));
            (split.hands.low, split.hands.high, Reverse(split.low.has_joker()), by_suit)
        })
    }
}

/// A House Way read beforehand: the quick [`set_house_way`].
///
/// Where no five cards have one suit, a setting depends on ranks alone, and there are only 67,600
/// combinations of these: one look-up sets such a hand. The few others are set by reading the
/// sheet. Making one takes some milliseconds; setting a hand then takes nanoseconds.
///
/// ```
/// use houseway_rules::{HouseWay, houses};
///
/// let house_way = HouseWay::new(&houses::CATFISH_BEND);
/// let decision = house_way.set("Qc Qd Qh Qs 2h 2d 3s".parse().unwrap());
/// assert_eq!(decision.setting.to_string(), "Qd Qc / Qs Qh 3s 2h 2d");
/// assert_eq!(decision.clause.id, "B40");
/// ```
#[derive(Clone, Debug)]
pub struct HouseWay<'a> {
    sheet: &'a [Clause],
    ranking: Ranking,
    answers: Box<[Answer; SLOTS]>,
}

/// What a combination of ranks is set as.
#[derive(Clone, Copy, Debug)]
struct Answer {
    /// The ranks that go Low.
    low: [u8; 2],
    /// Whether the joker is the first of the two.
    joker: bool,
    clause: u8,
}

impl<'a> HouseWay<'a> {
    /// Reads the rulebook's sheet for every combination of ranks.
    ///
    /// # Panics
    /// If the sheet leaves a hand out.
    pub fn new(rulebook: &'a Rulebook) -> HouseWay<'a> {
        match HouseWay::of_sheet(&rulebook.house_way, rulebook.ranking()) {
            Ok(house_way) => house_way,
            Err(error) => panic!("{} does not set a hand: {error:?}", rulebook.id),
        }
    }

    /// Reads a sheet that may not be complete: a hand that it does not set is an error, unless it
    /// is one in which five cards have one suit.
    pub fn of_sheet(sheet: &'a [Clause], ranking: Ranking) -> Result<HouseWay<'a>, SheetError<'a>> {
        let blank = Answer { low: [0; 2], joker: false, clause: 0 };
        let answers: Vec<Answer> = alloc::vec![blank; SLOTS];
        let mut answers: Box<[Answer; SLOTS]> =
            answers.try_into().expect("a vector of that length");
        let mut fault = None;
        each_combination_of_ranks(|dealt| match try_set(sheet, ranking, dealt) {
            Ok(decision) => {
                let slot = HandKey::of(dealt.cards()).seven_slot();
                answers[slot] = Answer::of(decision, sheet);
            }
            Err(error) => fault = fault.or(Some(error)),
        });
        match fault {
            None => Ok(HouseWay { sheet, ranking, answers }),
            Some(error) => Err(error),
        }
    }

    /// Sets seven cards.
    ///
    /// # Panics
    /// If the sheet leaves the hand out.
    #[inline]
    pub fn set(&self, dealt: Dealt) -> Decision<'a> {
        match self.try_set_numbered(dealt) {
            Ok((clause, setting)) => Decision { setting, clause: &self.sheet[clause] },
            Err(error) => panic!("{dealt} is not set: {error:?}"),
        }
    }

    /// Sets seven cards, if the sheet does; the clause by its place in the sheet.
    #[inline]
    pub fn try_set_numbered(&self, dealt: Dealt) -> Result<(usize, Setting), SheetError<'a>> {
        let cards = dealt.cards();
        let hand = HandKey::of(cards);
        if hand.has_flush() {
            return self.read(dealt);
        }
        let Answer { low: [a, b], joker, clause } = self.answers[hand.seven_slot()];
        let first = if joker { CardSet::of(Card::JOKER) } else { cards.lowest_of_rank(a) };
        let low = first.union(cards.without(first).lowest_of_rank(b));
        Ok((clause as usize, dealt.set_unchecked(low)))
    }

    #[cold]
    fn read(&self, dealt: Dealt) -> Result<(usize, Setting), SheetError<'a>> {
        let decision = try_set(self.sheet, self.ranking, dealt)?;
        Ok((place_of(decision.clause, self.sheet), decision.setting))
    }

    /// The clauses, in order.
    pub const fn sheet(&self) -> &'a [Clause] {
        self.sheet
    }
}

impl Answer {
    fn of(decision: Decision<'_>, sheet: &[Clause]) -> Answer {
        let [a, b] = decision.setting.low().sorted::<2>();
        let clause = place_of(decision.clause, sheet);
        let clause = u8::try_from(clause).expect("a sheet has at most 256 clauses");
        Answer { low: [a.rank() as u8, b.rank() as u8], joker: a.is_joker(), clause }
    }
}

/// The place of a clause in the sheet it is from.
fn place_of(clause: &Clause, sheet: &[Clause]) -> usize {
    sheet.iter().position(|other| core::ptr::eq(other, clause)).expect("a clause of this sheet")
}

/// One hand for each of the 67,600 combinations of ranks, with suits that make no flush.
fn each_combination_of_ranks(mut visit: impl FnMut(Dealt)) {
    for joker in [false, true] {
        let start = if joker { CardSet::of(Card::JOKER) } else { CardSet::EMPTY };
        add_ranks(start, 0, 7 - usize::from(joker), 0, &mut visit);
    }
}

/// Adds `count` cards of rank `lowest` or above, suits in turn: no suit then has more than two.
fn add_ranks(
    cards: CardSet,
    lowest: usize,
    count: usize,
    turn: usize,
    visit: &mut impl FnMut(Dealt),
) {
    if count == 0 {
        return visit(Dealt::new(cards).expect("seven by construction"));
    }
    for (rank, &of) in Rank::ALL.iter().enumerate().skip(lowest) {
        if cards.count_of_rank(of) < 4 {
            let card = Card::new(of, crate::card::Suit::ALL[turn % 4]);
            add_ranks(cards.with(card), rank, count - 1, turn + 1, visit);
        }
    }
}
