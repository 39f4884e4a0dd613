//! Seals for what may not lie open at rest, and digests that cannot be guessed.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::bytes::{Bytes32, exactly, from_hex, to_hex};
use crate::hash::{Purpose, derive, listed};
use crate::seed::Seed;

/// Keys by number. New things are sealed with the highest number, old ones still open with theirs.
pub struct Keyring(BTreeMap<u32, Key>);

/// What a key is used for has a key of its own, so that the uses cannot touch.
struct Key {
    seal: Zeroizing<[u8; 32]>,
    digest: Zeroizing<[u8; 32]>,
}

/// Where a sealed thing lies: it opens nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<'a> {
    /// Which stream of events, or which record.
    pub stream: &'a str,
    /// Which version of it.
    pub version: u64,
}

/// Keys do not make a keyring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoKeyring {
    /// There is no key.
    Empty,
    /// Two keys have the same number.
    Twice(u32),
}

impl fmt::Display for NoKeyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoKeyring::Empty => f.write_str("a keyring needs at least one key"),
            NoKeyring::Twice(id) => write!(f, "two keys have the number {id}"),
        }
    }
}

impl std::error::Error for NoKeyring {}

/// Something sealed. The text form is `sealed:1:` and the key's number, the nonce and what is
/// sealed, with colons between: safe in JSON and in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sealed {
    key: u32,
    nonce: [u8; 24],
    text: Vec<u8>,
}

/// Why a sealed thing does not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unopened {
    /// The key of that number is not on the ring.
    NoKey(u32),
    /// It was sealed with other bytes under that number, for another place, or it was changed.
    /// These cannot be told apart, on purpose.
    Broken,
    /// It opens, but does not hold a seed.
    NotASeed,
}

impl fmt::Display for Unopened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unopened::NoKey(id) => write!(f, "key {id} is not on the keyring"),
            Unopened::Broken => f.write_str(
                "the seal does not open: another key has this number, it was made for another \
                 place, or it was changed",
            ),
            Unopened::NotASeed => f.write_str("what was sealed is not a seed of 32 bytes"),
        }
    }
}

impl std::error::Error for Unopened {}

impl Keyring {
    /// A keyring of keys with their numbers; the highest is the newest.
    pub fn new(keys: impl IntoIterator<Item = (u32, [u8; 32])>) -> Result<Keyring, NoKeyring> {
        let mut ring = BTreeMap::new();
        for (id, bytes) in keys {
            let bytes = Zeroizing::new(bytes);
            let part = |purpose| Zeroizing::new(derive(&bytes, purpose, &[]));
            let key = Key { seal: part(Purpose::SealKey), digest: part(Purpose::DigestKey) };
            if ring.insert(id, key).is_some() {
                return Err(NoKeyring::Twice(id));
            }
        }
        if ring.is_empty() { Err(NoKeyring::Empty) } else { Ok(Keyring(ring)) }
    }

    fn newest(&self) -> (u32, &Key) {
        let (&id, key) = self.0.last_key_value().expect("a keyring has at least one key");
        (id, key)
    }

    fn key(&self, id: u32) -> Result<&Key, Unopened> {
        self.0.get(&id).ok_or(Unopened::NoKey(id))
    }

    /// Seals with the newest key. The nonce is 24 fresh bytes from the operating system.
    pub fn seal(&self, slot: Slot<'_>, nonce: [u8; 24], plain: &[u8]) -> Sealed {
        let (id, key) = self.newest();
        let payload = Payload { msg: plain, aad: &slot.listed(id) };
        let text = key.cipher().encrypt(&XNonce::from(nonce), payload);
        let text = text.expect("what fits into memory is not too long to seal");
        Sealed { key: id, nonce, text }
    }

    /// Opens what was sealed for this place.
    pub fn open(&self, slot: Slot<'_>, sealed: &Sealed) -> Result<Zeroizing<Vec<u8>>, Unopened> {
        let key = self.key(sealed.key)?;
        let payload = Payload { msg: &sealed.text, aad: &slot.listed(sealed.key) };
        let plain = key.cipher().decrypt(&XNonce::from(sealed.nonce), payload);
        plain.map(Zeroizing::new).map_err(|_| Unopened::Broken)
    }

    /// Seals a seed.
    pub fn seal_seed(&self, slot: Slot<'_>, nonce: [u8; 24], seed: &Seed) -> Sealed {
        self.seal(slot, nonce, seed.bytes())
    }

    /// Opens a seed.
    pub fn open_seed(&self, slot: Slot<'_>, sealed: &Sealed) -> Result<Seed, Unopened> {
        let plain = self.open(slot, sealed)?;
        let bytes = <[u8; 32]>::try_from(plain.as_slice()).map_err(|_| Unopened::NotASeed)?;
        Ok(Seed::new(bytes))
    }

    /// A digest of content. What a command says could be guessed from a plain hash by trying; here
    /// nobody can try without the key. `purpose` says what it is a digest of.
    ///
    /// It is the oldest key's, which is never taken off the ring as long as anything is to be opened: so
    /// digests stay the same when keys are added, and two who have not got the new one yet agree.
    pub fn digest(&self, purpose: &str, content: &[u8]) -> Bytes32 {
        let (_, key) = self.0.first_key_value().expect("a keyring has at least one key");
        key.digest(purpose, content)
    }

    /// What each key is known again by, by its number. No key follows from it.
    pub fn fingerprints(&self) -> BTreeMap<u32, Bytes32> {
        self.0.iter().map(|(&id, key)| (id, key.digest("key", b""))).collect()
    }
}

impl Key {
    fn digest(&self, purpose: &str, content: &[u8]) -> Bytes32 {
        Bytes32(derive(&self.digest, Purpose::Digest, &[purpose.as_bytes(), content]))
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.seal).into())
    }
}

impl Slot<'_> {
    fn listed(self, key: u32) -> Vec<u8> {
        let parts = [&key.to_be_bytes(), self.stream.as_bytes(), &self.version.to_be_bytes()[..]];
        listed(Purpose::Seal, &parts)
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<u32> = self.0.keys().copied().collect();
        f.debug_tuple("Keyring").field(&ids).finish()
    }
}

/// A text is not a seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASeal;

impl fmt::Display for NotASeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not of the form `sealed:1:<key number>:<nonce, 48 hex digits>:<hex>`")
    }
}

impl std::error::Error for NotASeal {}

/// The number of a key has one text: no sign, no zeros before it.
fn key_number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|id: &u32| id.to_string() == text)
}

impl FromStr for Sealed {
    type Err = NotASeal;

    fn from_str(text: &str) -> Result<Sealed, NotASeal> {
        let read = || {
            let mut parts = text.strip_prefix("sealed:1:")?.splitn(3, ':');
            let key = key_number(parts.next()?)?;
            let nonce = exactly(parts.next()?).ok()?;
            let text = from_hex(parts.next()?).ok()?;
            Some(Sealed { key, nonce, text })
        };
        read().ok_or(NotASeal)
    }
}

impl fmt::Display for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sealed:1:{}:{}:{}", self.key, to_hex(&self.nonce), to_hex(&self.text))
    }
}

impl TryFrom<String> for Sealed {
    type Error = NotASeal;

    fn try_from(text: String) -> Result<Sealed, NotASeal> {
        text.parse()
    }
}

impl From<Sealed> for String {
    fn from(sealed: Sealed) -> String {
        sealed.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Slot<'_> = Slot { stream: "table/lantern", version: 12 };

    fn ring(keys: &[(u32, u8)]) -> Keyring {
        Keyring::new(keys.iter().map(|&(id, byte)| (id, [byte; 32]))).expect("keys")
    }

    /// Pinned: what is sealed today opens in ten years. The values were computed from the RFCs by
    /// other means.
    #[test]
    fn seals_and_digests_have_the_text_that_they_always_had() {
        let ring = ring(&[(3, 3)]);
        let sealed = ring.seal(SLOT, [9; 24], b"As Kd");
        assert_eq!(
            sealed.to_string(),
            "sealed:1:3:090909090909090909090909090909090909090909090909:\
             d1b76684aa0dcb9a06ad79611fb0beb65c3ffcd0a0"
        );
        assert_eq!(
            ring.digest("command", b"{}").to_string(),
            "81b1b0c5e3be4057a77750765a3f3e4a2f3219d3b622c74a71d5ee9421e60227"
        );
    }

    #[test]
    fn new_things_get_the_newest_key_and_old_ones_still_open() {
        let (old, both, new) = (ring(&[(1, 1)]), ring(&[(2, 2), (1, 1)]), ring(&[(2, 2)]));
        let sealed = old.seal_seed(SLOT, [0; 24], &Seed::new([7; 32]));
        assert_eq!(both.open_seed(SLOT, &sealed).expect("key 1 is there").bytes(), &[7; 32]);
        assert_eq!(new.open(SLOT, &sealed), Err(Unopened::NoKey(1)));
        assert!(both.seal(SLOT, [0; 24], b"x").to_string().starts_with("sealed:1:2:"));

        let digest = old.digest("command", b"fold");
        assert_eq!(both.digest("command", b"fold"), digest, "a new key changes no digest");
        assert_ne!(both.digest("command", b"hold"), digest);
        assert_ne!(both.digest("event", b"fold"), digest);
        assert_ne!(new.digest("command", b"fold"), digest);

        let [old, both, new] = [old, both, new].map(|it| it.fingerprints());
        assert_eq!((both[&1], both[&2]), (old[&1], new[&2]));
        assert_ne!(both[&1], both[&2]);
    }

    #[test]
    fn a_seal_opens_with_its_key_in_its_place_as_it_was_written() {
        let ring = ring(&[(1, 1), (2, 2)]);
        let plain: Vec<u8> = (0..100).collect();
        let sealed = ring.seal(SLOT, [4; 24], &plain);
        assert_eq!(ring.open(SLOT, &sealed).expect("untouched").as_slice(), plain);

        let other_bytes = Keyring::new([(2, [3; 32])]).expect("a key");
        assert_eq!(other_bytes.open(SLOT, &sealed), Err(Unopened::Broken));
        for slot in [
            Slot { version: 13, ..SLOT },
            Slot { stream: "table/lantern2", ..SLOT },
            Slot { stream: "", ..SLOT },
        ] {
            assert_eq!(ring.open(slot, &sealed), Err(Unopened::Broken), "{slot:?}");
        }
        assert_eq!(ring.open_seed(SLOT, &sealed).expect_err("100 bytes"), Unopened::NotASeed);

        // Another key's number, a nonce's bit, any bit and any length of what is sealed.
        assert_eq!(ring.open(SLOT, &Sealed { key: 1, ..sealed.clone() }), Err(Unopened::Broken));
        for bit in 0..24 * 8 {
            let mut changed = sealed.clone();
            changed.nonce[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(ring.open(SLOT, &changed), Err(Unopened::Broken));
        }
        for bit in 0..sealed.text.len() * 8 {
            let mut changed = sealed.clone();
            changed.text[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(ring.open(SLOT, &changed), Err(Unopened::Broken));
        }
        for length in 0..sealed.text.len() {
            let changed = Sealed { text: sealed.text[..length].to_vec(), ..sealed.clone() };
            assert_eq!(ring.open(SLOT, &changed), Err(Unopened::Broken));
        }
    }

    /// What is sealed has a text that JSON takes as it is, and any change of it is seen.
    #[test]
    fn texts_are_read_as_written_and_nothing_else_is() {
        let ring = ring(&[(10, 1)]);
        let sealed = ring.seal_seed(SLOT, [5; 24], &Seed::new([6; 32]));
        let text = sealed.to_string();
        assert_eq!(serde_json::to_string(&sealed).expect("a text"), format!("\"{text}\""));
        assert_eq!(text.parse(), Ok(sealed));
        for at in 0..text.len() {
            for byte in 0..128 {
                let mut changed = text.clone().into_bytes();
                changed[at] = byte;
                let changed = String::from_utf8(changed).expect("ASCII");
                let opened = changed.parse().map(|sealed| ring.open(SLOT, &sealed).is_ok());
                assert_eq!(opened == Ok(true), changed == text, "{changed}");
            }
        }
        for wrong in ["", "sealed:1:", "sealed:1:+1::", "sealed:2:1::", "sealed:1:010::"] {
            let error = wrong.parse::<Sealed>().expect_err("no seal");
            let form = "sealed:1:<key number>:<nonce, 48 hex digits>:<hex>";
            assert_eq!(error.to_string(), format!("not of the form `{form}`"));
        }
    }

    #[test]
    fn a_keyring_has_keys_with_numbers_of_their_own_and_does_not_show_them() {
        assert_eq!(Keyring::new([]).expect_err("no key"), NoKeyring::Empty);
        let twice = Keyring::new([(4, [0; 32]), (4, [1; 32])]).expect_err("4 twice");
        assert_eq!(twice.to_string(), "two keys have the number 4");
        assert_eq!(format!("{:?}", ring(&[(4, 1), (2, 7)])), "Keyring([2, 4])");
    }
}
