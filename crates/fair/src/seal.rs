//! Seals for what may not lie open at rest, and digests that cannot be guessed.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::Mac;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::bytes::{Bytes32, exactly, from_hex, to_hex};
use crate::hash::{Purpose, derive, listed, mac};
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

/// A digest under a key. The text form is `keyed:1:`, the key's number and the digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Keyed {
    key: u32,
    digest: Bytes32,
}

/// Why a sealed thing does not open, or a digest cannot be compared.
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

    /// A digest of content under the newest key. What a command says could be guessed from a plain
    /// hash by trying; here nobody can try without the key. `purpose` says what it is a digest of.
    pub fn digest(&self, purpose: &str, content: &[u8]) -> Keyed {
        let (id, key) = self.newest();
        let parts = [purpose.as_bytes(), content];
        Keyed { key: id, digest: Bytes32(derive(&key.digest, Purpose::Digest, &parts)) }
    }

    /// Whether a digest, also one under an older key, is that of this content.
    pub fn matches(&self, keyed: &Keyed, purpose: &str, content: &[u8]) -> Result<bool, Unopened> {
        let key = self.key(keyed.key)?;
        let mac = mac(&key.digest, Purpose::Digest, &[purpose.as_bytes(), content]);
        Ok(mac.verify_slice(&keyed.digest.0).is_ok())
    }
}

impl Key {
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

/// A text is not a seal or a keyed digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASeal {
    wanted: &'static str,
}

impl fmt::Display for NotASeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not of the form `{}`", self.wanted)
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
        read().ok_or(NotASeal { wanted: "sealed:1:<key number>:<nonce, 48 hex digits>:<hex>" })
    }
}

impl fmt::Display for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sealed:1:{}:{}:{}", self.key, to_hex(&self.nonce), to_hex(&self.text))
    }
}

impl FromStr for Keyed {
    type Err = NotASeal;

    fn from_str(text: &str) -> Result<Keyed, NotASeal> {
        let read = || {
            let (key, digest) = text.strip_prefix("keyed:1:")?.split_once(':')?;
            Some(Keyed { key: key_number(key)?, digest: digest.parse().ok()? })
        };
        read().ok_or(NotASeal { wanted: "keyed:1:<key number>:<64 hex digits>" })
    }
}

impl fmt::Display for Keyed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "keyed:1:{}:{}", self.key, self.digest)
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

impl TryFrom<String> for Keyed {
    type Error = NotASeal;

    fn try_from(text: String) -> Result<Keyed, NotASeal> {
        text.parse()
    }
}

impl From<Keyed> for String {
    fn from(keyed: Keyed) -> String {
        keyed.to_string()
    }
}
