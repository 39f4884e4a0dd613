//! Rows as they are written, for SQLite and PostgreSQL alike: which columns there are, and what stands
//! in them.

use std::collections::BTreeMap;

use crate::append::Remember;
use crate::entry::{Entry, Move, Version};
use crate::name::{AccountName, StreamId, TableId};
use crate::round::{BetSum, DAY, RoundRow, StatusKind};
use crate::rows::int;

/// A value as databases take it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Int(i64),
    Real(f64),
    Bool(bool),
    Text(&'a str),
    NoText,
    Bytes(&'a [u8]),
}

/// Rows to be written.
#[derive(Debug)]
pub(crate) struct Insert<'a, const N: usize> {
    /// The table and its columns.
    pub(crate) into: &'static str,
    pub(crate) values: Vec<[Value<'a>; N]>,
    /// What is done with a row that is there already; nothing where there must be none.
    pub(crate) conflict: &'static str,
}

fn number<'a>(number: u64) -> Value<'a> {
    Value::Int(int(number))
}

pub(crate) fn entries(all: &[Entry]) -> Insert<'_, 7> {
    let values = all.iter().map(|entry| {
        [
            Value::Text(entry.stream.as_str()),
            number(entry.version.0),
            number(entry.at),
            Value::Text(&entry.kind),
            Value::Text(&entry.body),
            Value::Bytes(&entry.previous.0),
            Value::Bytes(&entry.hash.0),
        ]
    });
    Insert {
        into: "entry (stream, version, at, kind, body, previous, hash)",
        values: values.collect(),
        conflict: "",
    }
}

pub(crate) fn moves<'a>(all: &[(&'a Entry, i64, &'a Move)]) -> Insert<'a, 9> {
    let values = all.iter().map(|&(entry, place, moved)| {
        [
            Value::Text(entry.stream.as_str()),
            number(entry.version.0),
            Value::Int(place),
            number(entry.at),
            Value::Text(moved.from.as_str()),
            Value::Text(moved.to.as_str()),
            number(moved.amount.get()),
            Value::Text(&moved.reason),
            moved.clause.as_deref().map_or(Value::NoText, Value::Text),
        ]
    });
    Insert {
        into: "move (stream, version, number, at, from_account, to_account, amount, reason, clause)",
        values: values.collect(),
        conflict: "",
    }
}

pub(crate) fn balances<'a>(
    all: &[(&'a AccountName, i64)],
    conflict: &'static str,
) -> Insert<'a, 3> {
    let values = all.iter().map(|&(account, amount)| {
        let overdraft = Value::Bool(account.may_be_overdrawn());
        [Value::Text(account.as_str()), Value::Int(amount), overdraft]
    });
    Insert { into: "balance (account, amount, overdraft)", values: values.collect(), conflict }
}

pub(crate) fn commands<'a>(all: &[(&'a Remember, &'a StreamId, Version)]) -> Insert<'a, 6> {
    let values = all.iter().map(|&(command, stream, version)| {
        [
            Value::Int(i64::from(command.by.0)),
            Value::Bytes(command.id.as_bytes()),
            Value::Bytes(&command.digest),
            Value::Text(stream.as_str()),
            number(version.0),
            Value::Text(&command.answer),
        ]
    });
    Insert {
        into: "command (person, id, digest, stream, version, answer)",
        values: values.collect(),
        conflict: "",
    }
}

/// Each of a stream, at a version. Another node may have made the same.
pub(crate) fn marks<'a>(all: &[(&'a StreamId, Version, &'a str)]) -> Insert<'a, 3> {
    let values = all.iter().map(|&(stream, version, body)| {
        [Value::Text(stream.as_str()), number(version.0), Value::Text(body)]
    });
    Insert {
        into: "mark (stream, version, body)",
        values: values.collect(),
        conflict: " on conflict (stream, version) do nothing",
    }
}

pub(crate) fn rounds<'a>(all: &[&'a RoundRow]) -> Insert<'a, 11> {
    let values = all.iter().map(|round| {
        [
            number(round.table.0),
            number(round.last.0),
            number(round.round),
            number(round.first.0),
            Value::Text(&round.rulebook),
            number(round.began),
            number(round.ended),
            Value::Text(round.status.kind().name()),
            round.status.clause().map_or(Value::NoText, Value::Text),
            number(round.house_took.get()),
            number(round.house_paid.get()),
        ]
    });
    Insert {
        into: "round (table_id, last_version, round, first_version, rulebook, began, ended, \
               status, clause, house_took, house_paid)",
        values: values.collect(),
        conflict: "",
    }
}

pub(crate) fn shares<'a>(rounds: &[&'a RoundRow]) -> Insert<'a, 13> {
    let shares = rounds.iter().flat_map(|round| round.shares.iter().map(|it| (*round, it)));
    let values = shares.map(|(round, share)| {
        [
            number(round.table.0),
            number(round.last.0),
            Value::Int(i64::from(share.person.0)),
            Value::Text(share.bet.name()),
            Value::Bool(share.bot),
            number(round.ended),
            Value::Text(&round.rulebook),
            Value::Text(round.status.kind().name()),
            number(share.wagered.get()),
            number(share.taken.get()),
            number(share.paid.get()),
            number(share.back.get()),
            number(share.commission.get()),
        ]
    });
    Insert {
        into: "round_share (table_id, last_version, person, bet, bot, ended, rulebook, status, \
               wagered, taken, paid, back, commission)",
        values: values.collect(),
        conflict: "",
    }
}

/// Added to what the day has so far.
pub(crate) fn round_sums<'a>(sums: &[DayRows<'a>]) -> Insert<'a, 7> {
    let values = sums.iter().map(|(of, status, [rounds, took, paid])| {
        [
            number(of.day),
            number(of.table.0),
            Value::Text(of.rulebook),
            Value::Text(status.name()),
            number(*rounds),
            number(*took),
            number(*paid),
        ]
    });
    Insert {
        into: "round_sum (day, table_id, rulebook, status, rounds, house_took, house_paid)",
        values: values.collect(),
        conflict: " on conflict (day, table_id, rulebook, status) do update set \
                   rounds = round_sum.rounds + excluded.rounds, \
                   house_took = round_sum.house_took + excluded.house_took, \
                   house_paid = round_sum.house_paid + excluded.house_paid",
    }
}

/// Added to what the day has so far.
pub(crate) fn bet_sums<'a>(sums: &[(DayKey<'a>, BetSum)]) -> Insert<'a, 12> {
    let values = sums.iter().map(|(of, sum)| {
        [
            number(of.day),
            number(of.table.0),
            Value::Text(of.rulebook),
            Value::Text(sum.bet.name()),
            Value::Bool(sum.bot),
            number(sum.shares),
            number(sum.wagered),
            number(sum.taken),
            number(sum.paid),
            number(sum.back),
            number(sum.commission),
            Value::Real(sum.squares),
        ]
    });
    Insert {
        into: "bet_sum (day, table_id, rulebook, bet, bot, shares, \
               wagered, taken, paid, back, commission, squares)",
        values: values.collect(),
        conflict: " on conflict (day, table_id, rulebook, bet, bot) do update set \
                   shares = bet_sum.shares + excluded.shares, \
                   wagered = bet_sum.wagered + excluded.wagered, \
                   taken = bet_sum.taken + excluded.taken, \
                   paid = bet_sum.paid + excluded.paid, \
                   back = bet_sum.back + excluded.back, \
                   commission = bet_sum.commission + excluded.commission, \
                   squares = bet_sum.squares + excluded.squares",
    }
}

/// The money that entries move, each with its entry and its place in it.
pub(crate) fn moves_of(entries: &[Entry]) -> Vec<(&Entry, i64, &Move)> {
    let moves = entries.iter().flat_map(|entry| {
        entry.moves.iter().zip(0..).map(move |(moved, number)| (entry, number, moved))
    });
    moves.collect()
}

/// What rounds are summed under for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DayKey<'a> {
    pub(crate) day: u64,
    pub(crate) table: TableId,
    pub(crate) rulebook: &'a str,
}

/// Rows of one status: `rounds, house_took, house_paid`.
type DayRows<'a> = (DayKey<'a>, StatusKind, [u64; 3]);

/// Rounds summed by day, table and rulebook: the rows and their bets.
pub(crate) fn day_sums<'a>(
    rounds: &[&'a RoundRow],
) -> (Vec<DayRows<'a>>, Vec<(DayKey<'a>, BetSum)>) {
    let (mut of_rows, mut of_bets) = (BTreeMap::new(), BTreeMap::new());
    for round in rounds {
        let status = round.status.kind();
        let key = DayKey { day: round.ended / DAY, table: round.table, rulebook: &round.rulebook };
        let (_, sum) = of_rows.entry((key, status.name())).or_insert((status, [0; 3]));
        let more = [1, round.house_took.get(), round.house_paid.get()];
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        for share in round.shares.iter().filter(|_| status != StatusKind::Void) {
            let one = BetSum::of(share);
            of_bets
                .entry((key, share.bet, share.bot))
                .and_modify(|sum: &mut BetSum| sum.add(&one))
                .or_insert(one);
        }
    }
    let of_rows = of_rows.into_iter().map(|((key, _), (status, sum))| (key, status, sum));
    let of_bets = of_bets.into_iter().map(|((key, ..), sum)| (key, sum));
    (of_rows.collect(), of_bets.collect())
}
