//! The 53 cards and their one text form.

use core::fmt;
use core::str::FromStr;

/// A card's rank, in the order the game ranks it.
///
/// ```
/// use houseway_rules::Rank;
/// assert!(Rank::Ace > Rank::King);
/// assert_eq!(Rank::Ten.to_string(), "T");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// Every rank, lowest first.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The letter or digit of the text form.
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }

    /// The rank's name in a sentence: `"nine"`.
    pub const fn name(self) -> &'static str {
        [
            "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack",
            "queen", "king", "ace",
        ][self as usize]
    }

    /// The name of several of them: `"nines"`, `"sixes"`.
    pub const fn plural(self) -> &'static str {
        [
            "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
            "jacks", "queens", "kings", "aces",
        ][self as usize]
    }

    /// The rank that a sheet calls `A`, `T` or `10`.
    pub(crate) fn from_name(name: &str) -> Option<Rank> {
        let mut letters = name.chars();
        match (letters.next()?, letters.next()) {
            (letter, None) => Rank::from_letter(letter),
            _ => (name == "10").then_some(Rank::Ten),
        }
    }

    const fn from_letter(letter: char) -> Option<Rank> {
        Some(match letter {
            '2'..='9' => Rank::ALL[letter as usize - '2' as usize],
            'T' | 't' => Rank::Ten,
            'J' | 'j' => Rank::Jack,
            'Q' | 'q' => Rank::Queen,
            'K' | 'k' => Rank::King,
            'A' | 'a' => Rank::Ace,
            _ => return None,
        })
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One of the four suits. Suits have no order in the game; the one here is that of the alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// Every suit.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The letter of the text form.
    pub const fn letter(self) -> char {
        b"cdhs"[self as usize] as char
    }

    /// The suit's sign.
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }

    const fn from_sign(sign: char) -> Option<Suit> {
        Some(match sign {
            'c' | 'C' | '♣' | '♧' => Suit::Clubs,
            'd' | 'D' | '♦' | '♢' => Suit::Diamonds,
            'h' | 'H' | '♥' | '♡' => Suit::Hearts,
            's' | 'S' | '♠' | '♤' => Suit::Spades,
            _ => return None,
        })
    }
}

/// One of the 53 cards.
///
/// The text form is rank and suit, `Ah`, `Td`, `2c`; the joker is `Jk`. Also read: `10h` for `Th`,
/// the suit signs `♣♦♥♠`, `@` and `joker`, and either case.
///
/// ```
/// use houseway_rules::{Card, Rank, Suit};
///
/// let card: Card = "10♥".parse().unwrap();
/// assert_eq!(card, Card::new(Rank::Ten, Suit::Hearts));
/// assert_eq!(card.to_string(), "Th");
///
/// let joker: Card = "@".parse().unwrap();
/// assert_eq!(joker.to_string(), "Jk");
/// assert_eq!(joker.rank(), Rank::Ace); // where nothing is completed it is an ace
/// assert_eq!(joker.suit(), None);
///
/// assert_eq!("1h".parse::<Card>().unwrap_err().to_string(), "`1h` is not a card");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The 53rd card.
    pub const JOKER: Card = Card(52);

    /// How many cards the deck has.
    pub const COUNT: usize = 53;

    /// The card of a rank and a suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// The card's place in the deck, 0 to 52: by rank, then suit, the joker last.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The card at a place in the deck.
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < Card::COUNT { Some(Card(index as u8)) } else { None }
    }

    /// All 53 cards, the joker last.
    pub fn all() -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        (0..53u8).map(Card)
    }

    /// The rank; the joker's is an ace's.
    pub const fn rank(self) -> Rank {
        if self.is_joker() { Rank::Ace } else { Rank::ALL[(self.0 >> 2) as usize] }
    }

    /// The suit; the joker has none.
    pub const fn suit(self) -> Option<Suit> {
        if self.is_joker() { None } else { Some(Suit::ALL[(self.0 & 3) as usize]) }
    }

    /// Whether this is the joker.
    pub const fn is_joker(self) -> bool {
        self.0 == 52
    }

    /// The text form as two bytes, for writers that must be quick.
    pub const fn ascii(self) -> [u8; 2] {
        match self.suit() {
            Some(suit) => [self.rank().letter() as u8, suit.letter() as u8],
            None => *b"Jk",
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.ascii();
        f.pad(core::str::from_utf8(&text).expect("two ASCII letters"))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not one of the 53 cards. Keeps the beginning of the text, so that a message can
/// show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCardError(alloc::string::String);

/// How much of a wrong text a message repeats.
const SHOWN: usize = 12;

impl fmt::Display for ParseCardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.escape_debug();
        if self.0.chars().count() == SHOWN {
            write!(f, "`{shown}…` is not a card")
        } else {
            write!(f, "`{shown}` is not a card")
        }
    }
}

impl core::error::Error for ParseCardError {}

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        parse(text).ok_or_else(|| ParseCardError(text.chars().take(SHOWN).collect()))
    }
}

/// The plain two-letter form first: batches hold nothing else.
fn parse(text: &str) -> Option<Card> {
    if let [rank, suit] = *text.as_bytes()
        && let (Some(rank), Some(suit)) =
            (Rank::from_letter(rank as char), Suit::from_sign(suit as char))
    {
        return Some(Card::new(rank, suit));
    }
    if text == "@" || text.eq_ignore_ascii_case("jk") || text.eq_ignore_ascii_case("joker") {
        return Some(Card::JOKER);
    }
    let text = match text.strip_prefix("10") {
        Some(suit) => return Some(Card::new(Rank::Ten, only_suit(suit)?)),
        None => text,
    };
    let mut signs = text.chars();
    let rank = Rank::from_letter(signs.next()?)?;
    Some(Card::new(rank, only_suit(signs.as_str())?))
}

/// A suit sign and nothing after it but the selector some keyboards add to make it an emoji.
fn only_suit(text: &str) -> Option<Suit> {
    let mut signs = text.trim_end_matches('\u{fe0f}').chars();
    let suit = Suit::from_sign(signs.next()?)?;
    signs.next().is_none().then_some(suit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_card_reads_back_what_it_prints() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(card.to_string().to_lowercase().parse(), Ok(card));
            assert_eq!(Card::from_index(card.index()), Some(card));
        }
        assert_eq!(Card::from_index(53), None);
    }

    #[test]
    fn aliases_are_read() {
        for (alias, text) in [
            ("10h", "Th"),
            ("10♠", "Ts"),
            ("t♦", "Td"),
            ("A♥\u{fe0f}", "Ah"),
            ("k♤", "Ks"),
            ("@", "Jk"),
            ("joker", "Jk"),
            ("JOKER", "Jk"),
            ("jK", "Jk"),
        ] {
            assert_eq!(alias.parse::<Card>().unwrap().to_string(), text, "{alias}");
        }
    }

    #[test]
    fn what_is_not_a_card_is_named() {
        for wrong in ["", "A", "h", "1h", "10", "100h", "Ahh", "AhKd", "♥A", "Xx", "Ä♥", "\0\u{1}"]
        {
            let error = wrong.parse::<Card>().unwrap_err().to_string();
            assert_eq!(error, alloc::format!("`{}` is not a card", wrong.escape_debug()));
        }
        let long = "a card that is not a card".parse::<Card>().unwrap_err().to_string();
        assert_eq!(long, "`a card that …` is not a card");
    }
}
