//! Money: whole cents, checked.

use core::fmt;

/// An amount of money in whole cents. Never a float, never rounded (R6).
///
/// Wagers are whole dollars, so a percentage of one is always a whole number of cents; where it
/// would not be, [`Cents::percent`] says so instead of rounding.
///
/// ```
/// use houseway_rules::Cents;
///
/// let wager = Cents::dollars(25);
/// assert_eq!(wager.percent(5), Some(Cents::new(125)));
/// assert_eq!(wager.percent(5).unwrap().to_string(), "$1.25");
/// assert_eq!(Cents::new(1).percent(5), None); // a twentieth of a cent
/// assert_eq!(Cents::dollars(1).minus(Cents::dollars(2)), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(u64);

impl Cents {
    /// Nothing.
    pub const ZERO: Cents = Cents(0);

    /// So many cents.
    pub const fn new(cents: u64) -> Cents {
        Cents(cents)
    }

    /// So many dollars.
    pub const fn dollars(dollars: u32) -> Cents {
        Cents(dollars as u64 * 100)
    }

    /// The number of cents.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The sum, unless it is more than can be counted.
    pub const fn plus(self, other: Cents) -> Option<Cents> {
        match self.0.checked_add(other.0) {
            Some(cents) => Some(Cents(cents)),
            None => None,
        }
    }

    /// The difference, unless it is less than nothing.
    pub const fn minus(self, other: Cents) -> Option<Cents> {
        match self.0.checked_sub(other.0) {
            Some(cents) => Some(Cents(cents)),
            None => None,
        }
    }

    /// So many times the amount: what a wager at `n` to 1 pays.
    pub const fn times(self, n: u32) -> Option<Cents> {
        match self.0.checked_mul(n as u64) {
            Some(cents) => Some(Cents(cents)),
            None => None,
        }
    }

    /// A percentage, where it is a whole number of cents. Nothing is ever rounded.
    pub const fn percent(self, percent: u8) -> Option<Cents> {
        match self.0.checked_mul(percent as u64) {
            Some(hundredths) if hundredths % 100 == 0 => Some(Cents(hundredths / 100)),
            _ => None,
        }
    }
}

impl fmt::Display for Cents {
    /// `$25`, `$1.25`, `$8,000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        write_grouped(f, self.0 / 100)?;
        match self.0 % 100 {
            0 => Ok(()),
            cents => write!(f, ".{cents:02}"),
        }
    }
}

/// The text is not an amount of money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCentsError(alloc::string::String);

impl fmt::Display for ParseCentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an amount: write `$25` or `$1.25`", self.0.escape_debug())
    }
}

impl core::error::Error for ParseCentsError {}

impl core::str::FromStr for Cents {
    type Err = ParseCentsError;

    /// Reads what is printed: `$25`, `$1.25`, `$8,000`.
    fn from_str(text: &str) -> Result<Cents, ParseCentsError> {
        parse(text).ok_or_else(|| ParseCentsError(text.into()))
    }
}

fn parse(text: &str) -> Option<Cents> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let amount = text.strip_prefix('$')?;
    let (dollars, cents) = amount.split_once('.').unwrap_or((amount, "00"));
    // Commas stand between thousands alone: `$1,50` is no amount, and surely not 150 dollars.
    let mut groups = dollars.split(',');
    let first = groups.next().filter(|first| digits(first))?;
    let grouped = dollars.len() > first.len();
    if grouped && first.len() > 3
        || !groups.all(|group| digits(group) && group.len() == 3)
        || !digits(cents)
        || cents.len() != 2
    {
        return None;
    }
    let (dollars, cents): (u64, u64) =
        (dollars.replace(',', "").parse().ok()?, cents.parse().ok()?);
    Some(Cents(dollars.checked_mul(100)?.checked_add(cents)?))
}

/// Writes a number with commas between thousands.
pub(crate) fn write_grouped(f: &mut impl fmt::Write, number: u64) -> fmt::Result {
    if number < 1000 {
        return write!(f, "{number}");
    }
    write_grouped(f, number / 1000)?;
    write!(f, ",{:03}", number % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn amounts_print_as_people_write_them() {
        for (cents, text) in
            [(0, "$0"), (5, "$0.05"), (125, "$1.25"), (2500, "$25"), (80_000_000, "$800,000")]
        {
            assert_eq!(Cents::new(cents).to_string(), text);
            assert_eq!(text.parse(), Ok(Cents::new(cents)));
        }
        for wrong in [
            "",
            "$",
            "25",
            "$1.5",
            "$1.",
            "$.50",
            "$-1",
            "$1.005",
            "$99999999999999999999",
            "$1,50",
            "$1234,567",
            "$1,2345",
        ] {
            assert!(wrong.parse::<Cents>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn nothing_overflows_or_rounds() {
        assert_eq!(Cents::new(u64::MAX).plus(Cents::new(1)), None);
        assert_eq!(Cents::new(u64::MAX).times(2), None);
        assert_eq!(Cents::new(u64::MAX).percent(5), None);
        assert_eq!(Cents::new(10).percent(5), None);
        assert_eq!(Cents::dollars(1).percent(5), Some(Cents::new(5)));
    }
}
