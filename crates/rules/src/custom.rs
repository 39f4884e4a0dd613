//! Rulebooks read from TOML files, each proved complete as it is read.
//!
//! A file either `extends` one of the houses and says what differs, or says everything. Reading
//! it counts all 154,143,080 hands: every hand must have a clause, and no clause may foul. What is
//! wrong is named with its line and with what would be right.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use std::collections::BTreeMap;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::bonus::BonusHand;
use crate::house_way::{Clause, Condition, Low, Play, SheetError};
use crate::houses;
use crate::money::Cents;
use crate::ranking::{PerHand, Ranking, Wheel};
use crate::readings::Reading;
use crate::rulebook::{
    ActionButton, Bank, Bounds, By, Cap, Cited, Collection, Commission, Comparison, Concession,
    Conduct, Coverage, Dealing, Envy, Fortune, Foul, Irregularity, Limits, List, PayLine, Payer,
    Rule, Rulebook, Seats, Settlement, Source, Text, TigerNine, Wager,
};
use crate::shape::{Contents, Ranks, Shapes};
use crate::survey;
use crate::text_form::named;

/// A rulebook from a file, with what is odd about it.
#[derive(Clone, Debug)]
pub struct Custom {
    /// The rulebook, proved to set every hand.
    pub rulebook: Rulebook,
    /// What is allowed but probably not meant.
    pub warnings: Vec<Remark>,
}

/// Something to say about a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line, counted from 1, where there is one.
    pub line: Option<usize>,
    /// What is wrong with it, and what would be right.
    pub message: String,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl core::error::Error for Remark {}

/// The most clauses a sheet can have.
const MOST_CLAUSES: usize = 256;

/// Reads a rulebook file. `id` is the rulebook's id unless the file gives one.
///
/// ```
/// use houseway_rules::custom;
///
/// let file = r#"
///     extends = "mbs-2020"
///     name = "Ours"
///
///     [fortune.pays]
///     five-aces = 500
///
///     [[amend]]
///     id = "A.3"
///     shape = "three-pair"
///     low = "pair-of-second"
///     says = "the middle pair goes Low."
/// "#;
/// let custom = custom::read("ours", file).unwrap();
/// let decision = houseway_rules::set_house_way(
///     &custom.rulebook,
///     "Jc Jh 7s 7h 2c 2d 6s".parse().unwrap(),
/// );
/// assert_eq!(decision.setting.to_string(), "7s 7h / Jh Jc 6s 2d 2c");
///
/// let wrong = custom::read("ours", "extends = \"mbs-2021\"").unwrap_err();
/// assert_eq!(wrong.to_string(), "line 1: there is no house `mbs-2021`; did you mean `mbs-2020`?");
/// ```
pub fn read(id: &str, text: &str) -> Result<Custom, Remark> {
    let at = |offset: usize| {
        Some(
            text.as_bytes()[..offset.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
                + 1,
        )
    };
    let file: File = toml::from_str(text).map_err(|error| Remark {
        line: error.span().and_then(|span| at(span.start)),
        message: in_our_words(error.message()),
    })?;
    let base = match &file.extends {
        Some(extends) => Some(
            find_house(extends.get_ref())
                .map_err(|message| Remark { line: at(extends.span().start), message })?,
        ),
        None => None,
    };
    let line_of = |span: core::ops::Range<usize>| at(span.start);
    let (sheet, lines) = file.sheet(base, line_of)?;
    if let Some(twice) = file.fortune.as_ref().and_then(FortuneFile::line_given_twice) {
        return Err(Remark {
            line: None,
            message: format!("[fortune] table has two lines for `{}`: keep one", twice.id()),
        });
    }
    let rulebook = file.rulebook(id, base, sheet)?;
    check(&rulebook).map_err(|message| Remark { line: None, message })?;
    let warnings = prove(&rulebook, base, &lines)?;
    Ok(Custom { rulebook, warnings })
}

/// The parser's words on one line, with the name that was probably meant and with examples
/// instead of the names of our types.
fn in_our_words(message: &str) -> String {
    let mut message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    for (theirs, ours) in [
        ("expected struct Cited", "expected a choice and its clause: { is = \"…\", cite = \"…\" }"),
        ("expected struct ", "expected a table of the fields of "),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected u32", "expected a whole number, 0 or more"),
        ("expected a string", "expected a string: write it between quotation marks"),
    ] {
        message = message.replace(theirs, ours);
    }
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match names[..] {
        [unknown, ref known @ ..] if message.starts_with("unknown field") => {
            match houses::nearest_of(unknown, known.iter().copied()) {
                Some(meant) => format!("unknown field `{unknown}`; did you mean `{meant}`?"),
                None => message,
            }
        }
        _ => message,
    }
}

fn find_house(id: &str) -> Result<&'static Rulebook, String> {
    houses::find(id).ok_or_else(|| {
        let meant = match houses::nearest(id) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "there are {}, and a file extends one of these",
                houses::HOUSES.map(|house| &*house.id).join(", ")
            ),
        };
        format!("there is no house `{}`; {meant}", id.escape_debug())
    })
}

/// A rulebook file as written.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    extends: Option<Spanned<String>>,
    id: Option<String>,
    name: Option<String>,
    summary: Option<String>,
    source: Option<Source>,
    wheel: Option<Cited<Wheel>>,
    bank: Option<Bank>,
    seats: Option<Seats>,
    dealing: Option<Vec<Dealing>>,
    action_button: Option<Switch<ActionButton>>,
    wagers: Option<Vec<Limits>>,
    comparison: Option<Comparison>,
    commission: Option<Switch<Commission>>,
    nine_high_push: Option<Switch<String>>,
    fortune: Option<FortuneFile>,
    envy: Option<Switch<Envy>>,
    tiger_nine: Option<Switch<TigerNine>>,
    coverage: Option<Coverage>,
    collection: Option<Switch<Collection>>,
    settlement: Option<Settlement>,
    foul: Option<Cited<Foul>>,
    absent: Option<By>,
    concession: Option<Switch<Concession>>,
    conduct: Option<Vec<Cited<Conduct>>>,
    higher_acts: Option<Switch<String>>,
    irregularities: Option<Vec<Irregularity>>,
    #[serde(default)]
    rules: Vec<Rule>,
    house_way: Option<Vec<Spanned<ClauseFile>>>,
    #[serde(default)]
    amend: Vec<Spanned<ClauseFile>>,
    #[serde(default)]
    remove: Vec<Spanned<String>>,
}

/// The Fortune Bonus as written: whole, or what differs.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct FortuneFile {
    table: Option<Vec<PayLine>>,
    #[serde(default)]
    pays: BTreeMap<BonusKey, u32>,
    #[serde(default)]
    envy: BTreeMap<BonusKey, Cents>,
    payer: Option<Payer>,
    only_above_banker: Option<Switch<String>>,
    cap: Option<Switch<Cap>>,
    cite: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct BonusKey(BonusHand);

/// A clause as written.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct ClauseFile {
    id: String,
    #[serde(default)]
    row: String,
    /// In an amendment, the clause that a new one goes in front of.
    before: Option<String>,
    shape: Shapes,
    #[serde(default)]
    complete: bool,
    #[serde(default)]
    pair_before_complete: bool,
    first: Option<Ranks>,
    second: Option<Ranks>,
    best_single: Option<Ranks>,
    next_single: Option<Ranks>,
    low: Play,
    says: String,
    #[serde(default)]
    readings: Vec<Reading>,
}

impl ClauseFile {
    fn clause(self) -> Clause {
        let mut when = Vec::new();
        when.extend(self.complete.then_some(Condition::Complete));
        when.extend(self.pair_before_complete.then_some(Condition::PairBeforeComplete));
        when.extend(self.first.map(Condition::First));
        when.extend(self.second.map(Condition::Second));
        when.extend(self.best_single.map(Condition::BestSingle));
        when.extend(self.next_single.map(Condition::NextSingle));
        let row = if self.row.is_empty() { self.shape.to_string() } else { self.row };
        Clause {
            id: Cow::Owned(self.id),
            row: Cow::Owned(row),
            shapes: self.shape,
            when: Cow::Owned(when),
            play: self.low,
            says: Cow::Owned(self.says),
            readings: Cow::Owned(self.readings),
        }
    }
}

/// One basic play, or two of which the stronger is taken.
impl<'de> Deserialize<'de> for Play {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Play, D::Error> {
        struct Plays;

        impl<'de> Visitor<'de> for Plays {
            type Value = Play;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a play such as \"best-singles\", or a list of two")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Play, E> {
                named(text, "a play", &Low::ALL, Low::id).map(Play::Low)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut plays: A) -> Result<Play, A::Error> {
                let mut two = Vec::new();
                while let Some(name) = plays.next_element::<String>()? {
                    two.push(named(&name, "a play", &Low::ALL, Low::id)?);
                }
                match two[..] {
                    [a, b] => Ok(Play::Stronger(a, b)),
                    _ => Err(A::Error::invalid_length(two.len(), &self)),
                }
            }
        }

        deserializer.deserialize_any(Plays)
    }
}

/// Something a house may not have at all: `false` in a file takes it away.
enum Switch<T> {
    On(T),
    Off,
}

impl<T> Switch<T> {
    fn into_option(self) -> Option<T> {
        match self {
            Switch::On(it) => Some(it),
            Switch::Off => None,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Switch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Switch<T>, D::Error> {
        struct OnOff<T>(core::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for OnOff<T> {
            type Value = Switch<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("what the house has, or `false` if it has none")
            }

            fn visit_bool<E: serde::de::Error>(self, on: bool) -> Result<Switch<T>, E> {
                match on {
                    false => Ok(Switch::Off),
                    true => Err(E::invalid_value(serde::de::Unexpected::Bool(true), &self)),
                }
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Switch<T>, E> {
                T::deserialize(StrDeserializer::new(text)).map(Switch::On)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Switch<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Switch::On)
            }
        }

        deserializer.deserialize_any(OnOff(core::marker::PhantomData))
    }
}

/// A sheet, and the line of each clause that stands in the file.
type Sheet = (Vec<Clause>, Vec<Option<usize>>);

impl File {
    fn sheet(
        &self,
        base: Option<&Rulebook>,
        line_of: impl Fn(core::ops::Range<usize>) -> Option<usize>,
    ) -> Result<Sheet, Remark> {
        let mut sheet: Vec<(Clause, Option<usize>)> = match (&self.house_way, base) {
            (Some(written), _) => written
                .iter()
                .map(|clause| match &clause.get_ref().before {
                    None => Ok((clause.get_ref().clone().clause(), line_of(clause.span()))),
                    Some(_) => Err(Remark {
                        line: line_of(clause.span()),
                        message:
                            "`before` belongs to [[amend]]: the clauses of [[house-way]] stand \
                                  in their order"
                                .to_string(),
                    }),
                })
                .collect::<Result<_, _>>()?,
            (None, Some(base)) => base.house_way.iter().map(|it| (it.clone(), None)).collect(),
            (None, None) => Vec::new(),
        };
        for id in &self.remove {
            let before = sheet.len();
            sheet.retain(|(clause, _)| clause.id != *id.get_ref());
            if sheet.len() == before {
                return Err(no_clause(id.get_ref(), &sheet, line_of(id.span())));
            }
        }
        let mut amended: Vec<&str> = Vec::new();
        for amendment in &self.amend {
            let line = line_of(amendment.span());
            amend(&mut sheet, amendment.get_ref(), line, &mut amended)?;
        }
        match sheet.len() {
            0 => Err(Remark {
                line: None,
                message: "there is no House Way: add [[house-way]] clauses, or `extends` a house"
                    .to_string(),
            }),
            MOST_CLAUSES.. => Err(Remark {
                line: None,
                message: format!("{} clauses, but a House Way has at most 255", sheet.len()),
            }),
            _ => Ok(sheet.into_iter().unzip()),
        }
    }

    fn rulebook(
        self,
        id: &str,
        base: Option<&Rulebook>,
        sheet: Vec<Clause>,
    ) -> Result<Rulebook, Remark> {
        fn taken<T: Clone>(
            given: Option<T>,
            base: Option<&T>,
            missing: &mut Vec<&'static str>,
            field: &'static str,
        ) -> Option<T> {
            let taken = given.or_else(|| base.cloned());
            if taken.is_none() {
                missing.push(field);
            }
            taken
        }
        fn switched<T: Clone>(given: Option<Switch<T>>, base: Option<&Option<T>>) -> Option<T> {
            match given {
                Some(switch) => switch.into_option(),
                None => base.cloned().flatten(),
            }
        }
        let mut missing = Vec::new();
        macro_rules! take {
            ($field:ident, $name:literal) => {
                take!($field, $name, self.$field)
            };
            ($field:ident, $name:literal, $given:expr) => {
                taken($given, base.map(|base| &base.$field), &mut missing, $name)
            };
        }
        let owned = |text: Option<String>| text.map(Text::Owned);
        let name = take!(name, "name", owned(self.name));
        let source = take!(source, "source");
        let wheel = take!(wheel, "wheel");
        let bank = take!(bank, "bank");
        let seats = take!(seats, "seats");
        let dealing = take!(dealing, "dealing", self.dealing.map(List::Owned));
        let wagers = take!(wagers, "wagers", self.wagers.map(List::Owned));
        let comparison = take!(comparison, "comparison");
        let coverage = take!(coverage, "coverage");
        let settlement = take!(settlement, "settlement");
        let foul = take!(foul, "foul");
        let absent = take!(absent, "absent");
        let fortune = match self.fortune {
            Some(file) => Some(file.over(base.map(|base| &base.fortune))?),
            None => taken(None, base.map(|base| &base.fortune), &mut missing, "fortune"),
        };
        let cite = |switch: Switch<String>| match switch {
            Switch::On(cite) => Switch::On(Text::Owned(cite)),
            Switch::Off => Switch::Off,
        };
        let nine_high = self.nine_high_push.map(cite);
        let higher_acts = self.higher_acts.map(cite);
        let rules = merged(base.map_or(&[][..], |base| &base.rules), self.rules);
        let incomplete = |missing: &[&str]| Remark {
            line: None,
            message: format!(
                "without `extends` a rulebook says everything; missing: {}",
                missing.join(", ")
            ),
        };
        let all = || {
            Some(Rulebook {
                id: Text::Owned(self.id.unwrap_or_else(|| id.to_string())),
                summary: match owned(self.summary) {
                    Some(summary) => summary,
                    None => match base {
                        Some(base) => Text::Owned(format!("Based on {}.", base.id)),
                        None => Text::Borrowed(""),
                    },
                },
                name: name?,
                source: source?,
                wheel: wheel?,
                bank: bank?,
                seats: seats?,
                dealing: dealing?,
                wagers: wagers?,
                comparison: comparison?,
                commission: switched(self.commission, base.map(|base| &base.commission)),
                nine_high_push: switched(nine_high, base.map(|base| &base.nine_high_push)),
                action_button: switched(self.action_button, base.map(|base| &base.action_button)),
                higher_acts: switched(higher_acts, base.map(|base| &base.higher_acts)),
                fortune: fortune?,
                envy: switched(self.envy, base.map(|base| &base.envy)),
                tiger_nine: switched(self.tiger_nine, base.map(|base| &base.tiger_nine)),
                coverage: coverage?,
                collection: switched(self.collection, base.map(|base| &base.collection)),
                settlement: settlement?,
                foul: foul?,
                absent: absent?,
                concession: switched(self.concession, base.map(|base| &base.concession)),
                conduct: self.conduct.map_or_else(
                    || base.map_or(Cow::Borrowed(&[][..]), |base| base.conduct.clone()),
                    Cow::Owned,
                ),
                irregularities: self.irregularities.map_or_else(
                    || base.map_or(Cow::Borrowed(&[][..]), |base| base.irregularities.clone()),
                    Cow::Owned,
                ),
                house_way: Cow::Owned(sheet),
                rules: Cow::Owned(rules),
            })
        };
        all().ok_or_else(|| incomplete(&missing))
    }
}

/// Carries out an amendment: it replaces the rows of its id, or goes in front of another's. The
/// rows of one id that several amendments give stand one after another.
fn amend<'a>(
    sheet: &mut Vec<(Clause, Option<usize>)>,
    amendment: &'a ClauseFile,
    line: Option<usize>,
    amended: &mut Vec<&'a str>,
) -> Result<(), Remark> {
    let id = amendment.id.as_str();
    let first_of = |sheet: &[(Clause, Option<usize>)], id: &str| {
        sheet.iter().position(|(clause, _)| clause.id == id)
    };
    let place = if amended.contains(&id) {
        let last = sheet.iter().rposition(|(clause, _)| clause.id == id);
        last.map_or(sheet.len(), |last| last + 1)
    } else {
        let own = first_of(sheet, id);
        sheet.retain(|(clause, _)| clause.id != id);
        amended.push(id);
        match &amendment.before {
            Some(other) => first_of(sheet, other).ok_or_else(|| no_clause(other, sheet, line))?,
            None => own.ok_or_else(|| Remark {
                line,
                message: format!(
                    "{}; to add a clause, say which one it goes in front of: `before = \"…\"`",
                    no_clause(id, sheet, None).message
                ),
            })?,
        }
    };
    sheet.insert(place, (amendment.clone().clause(), line));
    Ok(())
}

fn no_clause(id: &str, sheet: &[(Clause, Option<usize>)], line: Option<usize>) -> Remark {
    let mut ids: Vec<&str> = sheet.iter().map(|(clause, _)| &*clause.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let id = id.escape_debug();
    let message = match ids[..] {
        [] => format!("there is no clause `{id}`, nor any other: say which house it `extends`"),
        _ => format!("there is no clause `{id}`; there are {}", ids.join(", ")),
    };
    Remark { line, message }
}

/// The base's rules with those of the file, which replace the ones of the same id.
fn merged(base: &[Rule], file: Vec<Rule>) -> Vec<Rule> {
    let mut rules: Vec<Rule> = base.to_vec();
    for rule in file {
        match rules.iter_mut().find(|old| old.id == rule.id) {
            Some(old) => *old = rule,
            None => rules.push(rule),
        }
    }
    rules
}

impl FortuneFile {
    fn line_given_twice(&self) -> Option<BonusHand> {
        let mut hands: Vec<BonusHand> = self.table.iter().flatten().map(|line| line.hand).collect();
        hands.sort_unstable();
        hands.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    }

    fn over(self, base: Option<&Fortune>) -> Result<Fortune, Remark> {
        let table = match (self.table, base) {
            (Some(table), _) => table,
            (None, Some(base)) => base.table.to_vec(),
            (None, None) => Vec::new(),
        };
        let mut table: BTreeMap<BonusHand, PayLine> =
            table.into_iter().map(|line| (line.hand, line)).collect();
        for (BonusKey(hand), pays) in self.pays {
            table.entry(hand).or_insert(PayLine { hand, pays, envy: None }).pays = pays;
        }
        for (BonusKey(hand), envy) in self.envy {
            let line = table.get_mut(&hand).ok_or_else(|| Remark {
                line: None,
                message: format!("`{}` has envy but pays nothing: add it to `pays`", hand.id()),
            })?;
            line.envy = (envy > Cents::ZERO).then_some(envy);
        }
        let missing = |field: &str| Remark {
            line: None,
            message: format!("without `extends`, [fortune] needs `{field}`"),
        };
        let payer = self.payer.or(base.map(|base| base.payer));
        let cite = self.cite.map(Text::Owned).or_else(|| base.map(|base| base.cite.clone()));
        Ok(Fortune {
            table: Cow::Owned(table.into_values().rev().collect()),
            payer: payer.ok_or_else(|| missing("payer"))?,
            only_above_banker: match self.only_above_banker {
                Some(switch) => switch.into_option().map(Text::Owned),
                None => base.and_then(|base| base.only_above_banker.clone()),
            },
            cap: match self.cap {
                Some(switch) => switch.into_option(),
                None => base.and_then(|base| base.cap.clone()),
            },
            cite: cite.ok_or_else(|| missing("cite"))?,
        })
    }
}

/// What the types allow and the game does not.
fn check(rulebook: &Rulebook) -> Result<(), String> {
    check_texts(rulebook)?;
    if rulebook.commission.as_ref().is_some_and(|commission| commission.percent > 100) {
        return Err("[commission] percent is more than the whole win: write 0 to 100".into());
    }
    if !(1..=6).contains(&rulebook.seats.betting_positions) {
        return Err("[seats] betting-positions must be 1 to 6: with the banker's, 53 cards make \
                    seven hands"
            .into());
    }
    if rulebook.dealing.is_empty() {
        return Err("dealing is empty: give at least one way to deal".into());
    }
    check_wagers(rulebook)?;
    if let Some(Collection::Schedules { schedules, .. }) = &rulebook.collection {
        if schedules.is_empty() {
            return Err("[collection] has no schedule: give one, or `collection = false`".into());
        }
        for schedule in &**schedules {
            let bounds: Vec<Option<Cents>> = schedule.bands.iter().map(|band| band.up_to).collect();
            let (last, lower) = bounds.split_last().map_or((None, &[][..]), |(a, b)| (Some(a), b));
            let rising = lower.windows(2).all(|pair| pair[0] < pair[1]);
            if last != Some(&None) || lower.contains(&None) || !rising {
                return Err(format!(
                    "collection option {}: bands must rise, and only the last has no `up-to`",
                    schedule.option
                ));
            }
        }
    }
    let ids: Vec<&str> = rulebook.sayings().map(|saying| saying.id).collect();
    match rulebook.cites().into_iter().find(|cite| !ids.contains(cite)) {
        Some(cite) => Err(format!(
            "a choice cites `{cite}`, which is no clause here: add it under [[rules]] with `id` and \
             `says`"
        )),
        None => Ok(()),
    }
}

/// Names and sentences are there, and are text and nothing else.
fn check_texts(rulebook: &Rulebook) -> Result<(), String> {
    let named = [("id", &rulebook.id), ("name", &rulebook.name), ("summary", &rulebook.summary)];
    let said = rulebook.house_way.iter().flat_map(|clause| {
        [("the id of a clause", &clause.id), ("`says` of a clause", &clause.says)]
    });
    let ruled = rulebook
        .rules
        .iter()
        .flat_map(|rule| [("the id of a rule", &rule.id), ("`says` of a rule", &rule.says)]);
    for (what, text) in named.into_iter().chain(said).chain(ruled) {
        if text.trim().is_empty() && what != "summary" {
            return Err(format!("{what} is empty"));
        }
        if text.chars().any(char::is_control) {
            return Err(format!("{what} has control characters in it: {text:?}"));
        }
    }
    match houses::find(&rulebook.id) {
        Some(_) => Err(format!("the id `{}` is a house's: choose another", rulebook.id)),
        None => Ok(()),
    }
}

/// Limits can be met, and every wager is settled once.
fn check_wagers(rulebook: &Rulebook) -> Result<(), String> {
    for limits in &*rulebook.wagers {
        let crossed = |bounds: Bounds| {
            bounds.lowest.zip(bounds.highest).is_some_and(|(lowest, highest)| lowest > highest)
        };
        if crossed(limits.minimum) || crossed(limits.maximum) {
            return Err(format!("{:?} wager: `lowest` is above `highest`", limits.wager));
        }
        if limits.step == Cents::ZERO || limits.step.get() % 100 != 0 {
            return Err(format!(
                "{:?} wager: steps of {}, but wagers are whole dollars: write \"$1\" or more",
                limits.wager, limits.step
            ));
        }
    }
    let mut offered: Vec<Wager> = rulebook.wagers.iter().map(|limits| limits.wager).collect();
    let mut settled: Vec<Wager> = rulebook.settlement.order.to_vec();
    offered.sort_unstable();
    settled.sort_unstable();
    if !offered.contains(&Wager::Standard) {
        return Err("wagers has no `standard` wager: every position opens with one".into());
    }
    if offered != settled {
        return Err(format!(
            "[settlement] order must name each wager once: there are {offered:?}, it has {settled:?}"
        ));
    }
    Ok(())
}

/// Proves that the sheet sets every hand, and says what is odd.
fn prove(
    rulebook: &Rulebook,
    base: Option<&Rulebook>,
    lines: &[Option<usize>],
) -> Result<Vec<Remark>, Remark> {
    let ranking = rulebook.ranking();
    let tallies = survey::clauses(&rulebook.house_way, ranking)
        .map_err(|error| fault(rulebook, lines, ranking, error))?;
    // Which rows of the base decide nothing there either: those are no news.
    let mut idle: Option<Vec<&Clause>> = None;
    let mut warnings = Vec::new();
    for ((clause, tally), line) in rulebook.house_way.iter().zip(&tallies).zip(lines) {
        if tally.hands > 0 {
            continue;
        }
        let idle = idle.get_or_insert_with(|| base.map_or(Vec::new(), idle_clauses));
        if line.is_some() || !idle.contains(&clause) {
            warnings.push(Remark {
                line: *line,
                message: format!(
                    "clause `{}` ({}) decides no hand: the clauses before it take them all",
                    clause.id, clause.row
                ),
            });
        }
    }
    if let Some([(lower, less), (higher, pays)]) = rulebook.fortune.out_of_order() {
        warnings.push(Remark {
            line: None,
            message: format!(
                "`{}` pays {pays} to 1, less than the more frequent `{}` at {less} to 1: hands are \
                 paid as the best-paid they form",
                higher.id(),
                lower.id()
            ),
        });
    }
    Ok(warnings)
}

fn idle_clauses(rulebook: &Rulebook) -> Vec<&Clause> {
    let tallies = survey::clauses(&rulebook.house_way, rulebook.ranking()).unwrap_or_default();
    let rows = rulebook.house_way.iter().zip(tallies);
    rows.filter(|(_, tally)| tally.hands == 0).map(|(clause, _)| clause).collect()
}

fn fault(
    rulebook: &Rulebook,
    lines: &[Option<usize>],
    ranking: Ranking,
    error: SheetError<'_>,
) -> Remark {
    let line_of = |clause: &Clause| {
        let place = rulebook.house_way.iter().position(|other| core::ptr::eq(other, clause));
        place.and_then(|place| lines[place])
    };
    match error {
        SheetError::NoClause(dealt) => {
            let contents = Contents::of(dealt);
            Remark {
                line: lines.iter().rev().find_map(|line| *line),
                message: format!(
                    "no clause sets {dealt} ({contents}): add one with `shape = \"{}\"` that fits it",
                    contents.shape.id()
                ),
            }
        }
        SheetError::NoPlay { dealt, clause } => Remark {
            line: line_of(clause),
            message: format!(
                "clause `{}` cannot play `{}` with {dealt} ({}): narrow its conditions or choose \
                 another play",
                clause.id,
                clause.play,
                Contents::of(dealt)
            ),
        },
        SheetError::Foul { dealt, low, clause } => {
            let hands =
                PerHand { high: ranking.five(dealt.cards().without(low)), low: ranking.two(low) };
            Remark {
                line: line_of(clause),
                message: format!(
                    "clause `{}` fouls {dealt}: Low {} would outrank High {}; narrow its conditions \
                     or choose another play",
                    clause.id,
                    hands.low,
                    ranking.name(hands.high)
                ),
            }
        }
    }
}
