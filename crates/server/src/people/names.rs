//! Names that people are shown under.

use super::chance::Chance;

/// The shortest and the longest name, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=24;

/// How the names begin that are given to guests.
const GUEST: &str = "Guest";

/// The first word of those that are given to bots.
const BOT: &str = "Bot";

/// Why a name cannot be had. Each says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameProblem {
    /// Too short or too long.
    #[error("a name has 2 to 24 characters, this one has {0}")]
    Length(usize),
    /// A character that is not allowed, or not there.
    #[error(
        "`{}` cannot stand here in a name: letters A to Z and a to z, Chinese, Japanese and Korean \
         letters, digits, `-`, `_`, and single spaces between them are allowed",
        .0.escape_debug()
    )]
    Character(char),
    /// Nothing that can be read out.
    #[error("a name needs at least one letter")]
    NoLetter,
    /// A name that looks like a guest's or a bot's.
    #[error("names that begin with `Guest` or `Bot` are given to guests and bots: choose another")]
    Reserved,
}

/// Kana: the long-vowel mark is allowed after these alone, since elsewhere it looks like a dash.
const fn is_kana(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
}

/// ASCII and the common blocks of Han, kana and Hangul. Full-width forms, Cyrillic, Greek and
/// accents are left out: they hold the letters that pass for ASCII ones.
const fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphabetic()
        || is_kana(letter)
        || matches!(letter, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
        || matches!(letter, '\u{ac00}'..='\u{d7a3}')
}

/// The name as it is kept, without spaces around it.
pub(super) fn checked(text: &str) -> Result<&str, NameProblem> {
    let name = text.trim();
    let length = name.chars().count();
    if !LENGTHS.contains(&length) {
        return Err(NameProblem::Length(length));
    }
    let mut before = None;
    for character in name.chars() {
        let fits = match character {
            ' ' => before != Some(' '),
            'ー' => before.is_some_and(|it| is_kana(it) || it == 'ー'),
            '-' | '_' | '0'..='9' => true,
            letter => is_letter(letter),
        };
        if !fits {
            return Err(NameProblem::Character(character));
        }
        before = Some(character);
    }
    if !name.chars().any(is_letter) {
        return Err(NameProblem::NoLetter);
    }
    let first = name.split(|it: char| !it.is_alphabetic()).next().unwrap_or_default();
    let is_guest = name.get(..GUEST.len()).is_some_and(|it| it.eq_ignore_ascii_case(GUEST));
    match is_guest || first.eq_ignore_ascii_case(BOT) {
        true => Err(NameProblem::Reserved),
        false => Ok(name),
    }
}

/// Names for a guest to try one after the other. They grow, so that one is free in a full house
/// too.
pub(super) fn for_guest(chance: &dyn Chance) -> impl Iterator<Item = String> {
    [4_u32, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 9].into_iter().map(move |digits| {
        let mut bytes = [0; 8];
        chance.fill(&mut bytes);
        let lowest = 10_u64.pow(digits - 1);
        // Not quite even, which a name need not be.
        format!("{GUEST} {}", lowest + u64::from_le_bytes(bytes) % (9 * lowest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_fine() {
        for name in
            ["Al", "Botwin", "Mary-Ann_2", "a b c", "陳大文", "ユーザー", "김철수", "Alex 張", "4x"]
        {
            assert_eq!(checked(name), Ok(name));
        }
        assert_eq!(checked("  Al  "), Ok("Al"));
        assert!(checked(&"x".repeat(24)).is_ok());
    }

    #[test]
    fn names_that_are_not_and_why() {
        let long = "x".repeat(25);
        let wrong: [(&str, NameProblem); 16] = [
            ("", NameProblem::Length(0)),
            (" x ", NameProblem::Length(1)),
            (&long, NameProblem::Length(25)),
            ("a  b", NameProblem::Character(' ')),
            ("a\u{a0}b", NameProblem::Character('\u{a0}')),
            ("а-cyrillic", NameProblem::Character('а')),
            ("Ａlex", NameProblem::Character('Ａ')),
            ("Zoë", NameProblem::Character('ë')),
            ("a\u{200b}b", NameProblem::Character('\u{200b}')),
            ("a\u{202e}b", NameProblem::Character('\u{202e}')),
            ("a\0b", NameProblem::Character('\0')),
            ("xーx", NameProblem::Character('ー')),
            ("12-34", NameProblem::NoLetter),
            ("gUEST 4821", NameProblem::Reserved),
            ("bot Wu", NameProblem::Reserved),
            ("Bot-7", NameProblem::Reserved),
        ];
        for (name, why) in wrong {
            assert_eq!(checked(name), Err(why), "{name:?}");
        }
        let said = NameProblem::Character('\u{202e}').to_string();
        assert!(said.starts_with("`\\u{202e}` cannot stand here"), "{said}");
    }
}
