//! The numbered readings: what the documents leave open, decided.

use core::fmt;

/// A reading: how we understand the documents where they are silent or contradict themselves.
///
/// ```
/// use houseway_rules::{Reading, houses};
///
/// let clause = houses::CARDROOM.clause("C12").unwrap();
/// assert_eq!(clause.readings, [Reading::R16]);
/// assert_eq!(Reading::R16.to_string(), "R16");
/// assert!(Reading::R16.says().contains("returned"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reading(u8);

macro_rules! readings {
    ($($name:ident $number:literal $says:literal;)*) => {
        impl Reading {
            $(#[doc = $says] pub const $name: Reading = Reading($number);)*

            /// Every reading, by number.
            pub const ALL: &[Reading] = &[$(Reading::$name),*];

            /// The reading in a sentence.
            pub const fn says(self) -> &'static str {
                match self.0 {
                    $($number => $says,)*
                    _ => "",
                }
            }
        }
    };
}

readings! {
    R1 1 "Where several physical cards fit a clause, those are taken that leave the highest High hand; suits break no tie beyond that.";
    R2 2 "The joker counts as an ace when pairs are counted, and stays High where it completes a straight or a flush there.";
    R3 3 "To play a complete hand, look at all 21 ways to take two cards away, keep those that leave one, and take the highest Low hand, then the highest High hand.";
    R4 4 "A better card satisfies: an ace or the joker serves where a king is asked for, a king where a queen is.";
    R5 5 "A House Way never fouls.";
    R6 6 "Money is whole cents and wagers whole dollars, so nothing is rounded; odd cents of a division go to the earliest position in settlement order.";
    R7 7 "Where the document says nothing about a foul, the hand is set the House Way.";
    R8 8 "A player who does not set a hand in time has it set the House Way; where the document does not say so, it is the table's policy.";
    R9 9 "Only the 2020 edition lets a player concede.";
    R10 10 "In a void round every wager and fee goes back in full; the cards and the reason stay in the record.";
    R11 11 "The 2016 edition ranks A-2-3-4-5 lowest among straights, as the 2020 edition says it does.";
    R12 12 "A conceded hand loses its standard wager only; its Fortune Bonus is judged on the seven cards.";
    R13 13 "Envy is paid once for each qualifying hand of another player; one's own second position is not another player.";
    R14 14 "The Action button is drawn among the seats other than the Designated Player's as commission-free F5 draws it.";
    R15 15 "What the banking player put up is used up, in settlement order, by every dollar won and every dollar paid; pushes use nothing, and winnings do not extend it.";
    R16 16 "A qualifying Fortune Bonus that may not be paid is returned.";
    R17 17 "Two of three of a kind may be the highest permissible pair, as long as that does not foul.";
    R18 18 "Four of a kind with three of a kind is set like four of a kind with a pair.";
    R19 19 "At each seat the Fortune Bonus is settled, then the game wager, then Tiger 9; Envy comes last for all seats.";
    R20 20 "A straight or better includes full houses and four of a kind.";
    R21 21 "Where the text before the collection tables and the tables disagree, the tables decide.";
    R22 22 "In options 1 to 4 a player pays for each wager by its own band; in options 5 to 28 once a round, and the player-dealer by the sum of all wagers.";
    R23 23 "Fouls are counted per player for as long as they sit.";
    R24 24 "A capped total is shared in proportion to what each is due.";
    R25 25 "Two times three of a kind, which the chart leaves out, puts a pair of the higher Low.";
    R26 26 "A complete hand with three of a kind, which the chart leaves out, is kept High with a pair Low.";
    R27 27 "Two aces and the joker may form a complete hand that needs the joker, so that no pair is left; then the best complete-hand setting is played.";
    R28 28 "The clause cited is the row whose setting is played.";
}

impl Reading {
    /// The reading's number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{}", self.0)
    }
}
