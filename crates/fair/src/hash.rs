//! The one way in which anything is hashed here.
//!
//! What is hashed is a list of parts, the first of them a name for the purpose; each part is
//! preceded by its length. So no two lists give the same bytes, and no hash made for one purpose
//! can stand for one made for another.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::bytes::Bytes32;

/// What hashes are made for.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Leaf,
    Node,
    Commitment,
    Cut,
    ShuffleKey,
    Salt,
    Seal,
    SealKey,
    Digest,
    DigestKey,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Purpose::Leaf => "houseway-fair/1/leaf",
            Purpose::Node => "houseway-fair/1/node",
            Purpose::Commitment => "houseway-fair/1/commitment",
            Purpose::Cut => "houseway-fair/1/cut",
            Purpose::ShuffleKey => "houseway-fair/1/shuffle-key",
            Purpose::Salt => "houseway-fair/1/salt",
            Purpose::Seal => "houseway-fair/1/seal",
            Purpose::SealKey => "houseway-fair/1/seal-key",
            Purpose::Digest => "houseway-fair/1/digest",
            Purpose::DigestKey => "houseway-fair/1/digest-key",
        }
    }
}

/// Takes the purpose and the parts one after the other, each with its length before it.
fn each(purpose: Purpose, parts: &[&[u8]], mut take: impl FnMut(&[u8])) {
    for part in [purpose.name().as_bytes()].iter().chain(parts) {
        take(&(part.len() as u64).to_be_bytes());
        take(part);
    }
}

/// The purpose and the parts, each with its length before it.
pub(crate) fn listed(purpose: Purpose, parts: &[&[u8]]) -> Vec<u8> {
    let mut list = Vec::new();
    each(purpose, parts, |bytes| list.extend(bytes));
    list
}

/// SHA-256 of the list.
pub(crate) fn hash(purpose: Purpose, parts: &[&[u8]]) -> Bytes32 {
    let mut hash = Sha256::new();
    each(purpose, parts, |bytes| hash.update(bytes));
    Bytes32(hash.finalize().into())
}

/// HMAC-SHA-256 over the list: bytes that nobody can tell who has not the key.
pub(crate) fn derive(key: &[u8; 32], purpose: Purpose, parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length is a key");
    each(purpose, parts, |bytes| mac.update(bytes));
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where one part ends and the next begins is part of what is hashed.
    #[test]
    fn parts_do_not_run_together() {
        let hashes = [
            hash(Purpose::Leaf, &[b"ab", b"c"]),
            hash(Purpose::Leaf, &[b"a", b"bc"]),
            hash(Purpose::Leaf, &[b"abc"]),
            hash(Purpose::Leaf, &[b"abc", b""]),
            hash(Purpose::Node, &[b"abc"]),
        ];
        for (at, one) in hashes.iter().enumerate() {
            assert!(!hashes[at + 1..].contains(one), "{one}");
        }
    }
}
