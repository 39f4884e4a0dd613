//! Entries of a stream, and the chain that each makes with the one before it.

use std::cmp::Reverse;
use std::fmt;

use houseway_ledger::Transfer;
use houseway_rules::Cents;
use sha2::{Digest, Sha256};

use crate::name::{AccountName, StreamId, TableId};

/// How many entries a stream has: its last entry's version. The first is 1; 0 is an empty stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u64);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// SHA-256 of an entry and, through it, of all entries before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// What the first entry of a stream follows.
    pub const NONE: Hash = Hash([0; 32]);
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Where a stream stands. Kept somewhere else, it anchors the stream: nothing up to it can be
/// changed or cut off unnoticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The last entry's version.
    pub version: Version,
    /// The last entry's hash.
    pub hash: Hash,
}

/// Money that moves between two accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// From where.
    pub from: AccountName,
    /// To where; another account.
    pub to: AccountName,
    /// How much, more than nothing.
    pub amount: Cents,
    /// Why, in a word.
    pub reason: String,
    /// By which clause, where one decides.
    pub clause: Option<String>,
}

impl Move {
    /// A transfer at a table, with names that hold beyond it.
    pub fn of(table: TableId, transfer: &Transfer) -> Move {
        let reason = serde_json::to_value(transfer.reason);
        Move {
            from: AccountName::of(table, transfer.from),
            to: AccountName::of(table, transfer.to),
            amount: transfer.amount,
            reason: reason
                .ok()
                .and_then(|reason| reason.as_str().map(str::to_owned))
                .expect("a reason is written as a word"),
            clause: transfer.clause.as_deref().map(str::to_owned),
        }
    }
}

/// What is to be entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// What kind of thing happened, in a word.
    pub kind: String,
    /// What happened: JSON, or a sealed text. The store does not look inside.
    pub body: String,
    /// The money that moves because of it.
    pub moves: Vec<Move>,
}

/// What was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// In which stream.
    pub stream: StreamId,
    /// At which place, from 1, without gaps.
    pub version: Version,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What kind of thing happened, in a word.
    pub kind: String,
    /// What happened.
    pub body: String,
    /// The money that moved because of it.
    pub moves: Vec<Move>,
    /// The hash of the entry before it.
    pub previous: Hash,
    /// The hash of all of the above.
    pub hash: Hash,
}

impl Entry {
    /// The entry that follows a head.
    pub fn after(head: Head, stream: &StreamId, at: u64, new: NewEntry) -> Entry {
        let NewEntry { kind, body, moves } = new;
        let version = Version(head.version.0 + 1);
        let (stream, previous) = (stream.clone(), head.hash);
        let mut entry =
            Entry { stream, version, at, kind, body, moves, previous, hash: Hash::NONE };
        entry.hash = entry.reckon_hash();
        entry
    }

    /// Where the stream stands with this entry as its last.
    pub fn head(&self) -> Head {
        Head { version: self.version, hash: self.hash }
    }

    /// The hash as it must be. Every field is written with its length before it, so that no two
    /// entries are written alike; the first words keep these hashes apart from all others.
    fn reckon_hash(&self) -> Hash {
        let mut hash = Sha256::new();
        let mut field = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        };
        field(b"houseway entry 1");
        field(&self.previous.0);
        field(self.stream.as_str().as_bytes());
        field(&self.version.0.to_be_bytes());
        field(&self.at.to_be_bytes());
        field(self.kind.as_bytes());
        field(self.body.as_bytes());
        field(&(self.moves.len() as u64).to_be_bytes());
        for Move { from, to, amount, reason, clause } in &self.moves {
            field(from.as_str().as_bytes());
            field(to.as_str().as_bytes());
            field(&amount.get().to_be_bytes());
            field(reason.as_bytes());
            field(&[u8::from(clause.is_some())]);
            field(clause.as_deref().unwrap_or_default().as_bytes());
        }
        Hash(hash.finalize().into())
    }
}

/// Where and how a chain is broken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{stream}, entry {version}: {what}")]
pub struct Break {
    /// In which stream.
    pub stream: StreamId,
    /// At which version.
    pub version: Version,
    /// How.
    pub what: BreakKind,
}

/// How a chain can be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BreakKind {
    /// Another entry stands in its place.
    #[error("it is missing, or another stands in its place")]
    Missing,
    /// It does not name the entry before it.
    #[error("it does not follow the entry before it")]
    Unlinked,
    /// Its content has another hash.
    #[error("it was changed")]
    Changed,
    /// The chain holds, but is not the one that was anchored.
    #[error("it is not the entry that was anchored: the history was written again")]
    Rewritten,
    /// The stream ends before its anchor.
    #[error("the stream ends here, before its anchor")]
    Cut,
}

/// Follows a stream's chain from its first entry on.
#[derive(Clone, Debug)]
pub struct Chain {
    stream: StreamId,
    /// Those that are still to come, the next one last.
    anchors: Vec<Head>,
    head: Head,
}

impl Chain {
    /// Begins before the first entry. Anchors are heads that were kept elsewhere.
    pub fn new(stream: StreamId, anchors: impl IntoIterator<Item = Head>) -> Chain {
        let head = Head::default();
        let mut anchors: Vec<Head> =
            anchors.into_iter().filter(|it| it.version > head.version).collect();
        anchors.sort_by_key(|it| Reverse(it.version));
        Chain { stream, anchors, head }
    }

    /// Takes the next entry, unless it cannot be the next.
    pub fn follow(&mut self, entry: &Entry) -> Result<(), Break> {
        let version = Version(self.head.version.0 + 1);
        let broken = |what| Err(Break { stream: self.stream.clone(), version, what });
        if entry.stream != self.stream || entry.version != version {
            return broken(BreakKind::Missing);
        }
        if entry.previous != self.head.hash {
            return broken(BreakKind::Unlinked);
        }
        if entry.hash != entry.reckon_hash() {
            return broken(BreakKind::Changed);
        }
        while let Some(anchor) = self.anchors.pop_if(|it| it.version == version) {
            if anchor.hash != entry.hash {
                return broken(BreakKind::Rewritten);
            }
        }
        self.head = entry.head();
        Ok(())
    }

    /// The head, unless the stream ended before an anchor.
    pub fn end(self) -> Result<Head, Break> {
        let Chain { stream, anchors, head } = self;
        match anchors.is_empty() {
            true => Ok(head),
            false => Err(Break { stream, version: head.version, what: BreakKind::Cut }),
        }
    }

    /// The version that was followed last.
    pub fn version(&self) -> Version {
        self.head.version
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_ledger::{Account, Reason};
    use houseway_table::Person;

    fn log(words: &[&str]) -> Vec<Entry> {
        let stream = StreamId::house();
        let mut head = Head::default();
        let entries = words.iter().enumerate().map(|(at, word)| {
            let transfer = Transfer {
                from: Account::House,
                to: Account::Stack(Person(1)),
                amount: Cents::dollars(1),
                reason: Reason::BankBack,
                clause: Some("5.1".into()),
            };
            let new = NewEntry {
                kind: "word".into(),
                body: (*word).into(),
                moves: vec![Move::of(TableId(7), &transfer)],
            };
            let entry = Entry::after(head, &stream, at as u64, new);
            head = entry.head();
            entry
        });
        entries.collect()
    }

    fn verify(entries: &[Entry], anchor: Option<Head>) -> Result<Head, (u64, BreakKind)> {
        let mut chain = Chain::new(StreamId::house(), anchor);
        let followed = entries.iter().try_for_each(|entry| chain.follow(entry));
        followed.and_then(|()| chain.end()).map_err(|it| (it.version.0, it.what))
    }

    #[test]
    fn a_transfer_keeps_its_word_and_clause() {
        let moved = &log(&["a"])[0].moves[0];
        assert_eq!((moved.reason.as_str(), moved.clause.as_deref()), ("bank-back", Some("5.1")));
        assert_eq!(moved.from.as_str(), "table/7/house");
    }

    #[test]
    fn every_way_to_tamper_is_found() {
        let good = log(&["a", "b", "c", "d"]);
        let head = good[3].head();
        assert_eq!(verify(&good, Some(head)), Ok(head));
        assert_eq!(verify(&good, Some(good[1].head())), Ok(head));
        assert_eq!(verify(&good, None), Ok(head));

        let mut swapped = good.clone();
        swapped.swap(1, 2);
        assert_eq!(verify(&swapped, None), Err((2, BreakKind::Missing)));

        let mut renumbered = swapped;
        (renumbered[1].version, renumbered[2].version) = (Version(2), Version(3));
        assert_eq!(verify(&renumbered, None), Err((2, BreakKind::Unlinked)));

        let dropped = [&good[..1], &good[2..]].concat();
        assert_eq!(verify(&dropped, None), Err((2, BreakKind::Missing)));

        assert_eq!(verify(&good[..2], Some(head)), Err((2, BreakKind::Cut)));
        assert_eq!(verify(&good[..2], None), Ok(good[1].head()), "a tail needs an anchor");

        let rewritten = log(&["a", "b", "x", "y"]);
        assert_eq!(verify(&rewritten, Some(head)), Err((4, BreakKind::Rewritten)));
    }

    /// One changed bit anywhere: in every field that is kept.
    #[test]
    fn every_field_is_under_the_hash() {
        let good = log(&["a", "b", "c"]);
        let changes: [fn(&mut Entry); 12] = [
            |it| it.stream = "table/1".parse().expect("a name"),
            |it| it.version.0 += 1,
            |it| it.at += 1,
            |it| it.kind.push('x'),
            |it| it.body.push('x'),
            |it| it.previous.0[31] ^= 1,
            |it| it.hash.0[0] ^= 1,
            |it| it.moves[0].amount = Cents::dollars(2),
            |it| it.moves[0].to = "wallet/2".parse().expect("a name"),
            |it| it.moves[0].clause = None,
            |it| it.moves[0].reason.clear(),
            |it| it.moves.clear(),
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut changed = good.clone();
            change(&mut changed[1]);
            assert_ne!(changed, good);
            assert!(verify(&changed, None).is_err(), "change {number} was not found");
        }
    }

    /// The stored form: a diff here breaks every chain that was ever written.
    #[test]
    fn the_hash_stays_what_it_is() {
        assert_eq!(
            log(&["a"])[0].hash.to_string(),
            "cd4c7c9c7ba874e39f6b9efd3f16c06018436211f68b546a5ea999a51fe8fb4b"
        );
    }

    /// Text that moves from one field to the next is another entry.
    #[test]
    fn fields_do_not_run_into_each_other() {
        let entry = |kind: &str, body: &str| {
            let new = NewEntry { kind: kind.into(), body: body.into(), moves: vec![] };
            Entry::after(Head::default(), &StreamId::house(), 0, new).hash
        };
        assert_ne!(entry("ab", "c"), entry("a", "bc"));
    }
}
