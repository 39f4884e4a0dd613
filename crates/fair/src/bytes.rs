//! Bytes as lower-case hexadecimal text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// 32 bytes: a hash, a salt, a commitment. The text form is 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Bytes32(pub [u8; 32]);

/// The text is not as many bytes as it should be, or not in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotBytes {
    /// How many bytes were asked for, where that is fixed.
    pub wanted: Option<usize>,
}

impl fmt::Display for NotBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wanted {
            Some(bytes) => {
                write!(f, "not {bytes} bytes as {} lower-case hexadecimal digits", bytes * 2)
            }
            None => f.write_str("not bytes as lower-case hexadecimal digits, two a byte"),
        }
    }
}

impl std::error::Error for NotBytes {}

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

/// One text for each value: capitals are not read, so that a proof has one form.
pub(crate) fn from_hex(text: &str) -> Result<Vec<u8>, NotBytes> {
    let digit = |letter: &u8| match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(high)? << 4 | digit(low)?));
    match rest.is_empty() {
        true => bytes.collect::<Option<Vec<u8>>>().ok_or(NotBytes { wanted: None }),
        false => Err(NotBytes { wanted: None }),
    }
}

pub(crate) fn exactly<const N: usize>(text: &str) -> Result<[u8; N], NotBytes> {
    let bytes = from_hex(text).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or(NotBytes { wanted: Some(N) })
}

impl FromStr for Bytes32 {
    type Err = NotBytes;

    fn from_str(text: &str) -> Result<Bytes32, NotBytes> {
        exactly(text).map(Bytes32)
    }
}

impl TryFrom<String> for Bytes32 {
    type Error = NotBytes;

    fn try_from(text: String) -> Result<Bytes32, NotBytes> {
        text.parse()
    }
}

impl From<Bytes32> for String {
    fn from(bytes: Bytes32) -> String {
        to_hex(&bytes.0)
    }
}

impl fmt::Display for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

impl fmt::Debug for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_one_text() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&bytes)), Ok(bytes));
        for wrong in ["0", "0G", "FF", "é", "0x", " 0"] {
            assert_eq!(from_hex(wrong), Err(NotBytes { wanted: None }), "{wrong}");
        }
        let short = "00".repeat(31).parse::<Bytes32>().expect_err("31 bytes");
        assert_eq!(short.to_string(), "not 32 bytes as 64 lower-case hexadecimal digits");
    }
}
