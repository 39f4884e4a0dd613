//! Which passwords are accepted, and how one is known again.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};
use std::thread;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use houseway_store::Failure;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// The fewest characters (OWASP ASVS 5.0, 6.2.1).
pub const PASSWORD_SHORTEST: usize = 8;
/// What is advised (ASVS 5.0, 6.2.1, and NIST SP 800-63B-4).
pub const PASSWORD_ADVISED: usize = 15;
/// The most characters. ASVS 6.2.9 asks for at least 64; some end there must be.
pub const PASSWORD_LONGEST: usize = 128;

/// How many may wait for their turn. At some twenty milliseconds each, the last waits a second.
const WAITING: usize = 64;

/// Memory in KiB, passes and lanes of Argon2id: the OWASP Password Storage Cheat Sheet's figures.
const MEMORY: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// What everybody tries first: the 3,000 that ASVS 6.2.4 asks for, by how often they are met (the
/// frequency lists of zxcvbn). Only those that would be long enough are listed.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common-passwords.txt").lines().collect());

/// What is verified where there is no hash. It takes as long to make as any other, once in a process.
static DUMMY: LazyLock<Arc<str>> =
    LazyLock::new(|| hash("nobody has this one", *b"sixteen of salt.").into());

/// Why a password is not accepted. There are no rules on what characters it is made of (ASVS
/// 6.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordProblem {
    /// Too short.
    #[error("a password has at least 8 characters, better 15; this one has {0}")]
    Short(usize),
    /// Too long.
    #[error("a password has at most 128 characters, this one has {0}")]
    Long(usize),
    /// On the list of common ones.
    #[error("that password is among the first that are tried: choose another")]
    Common,
    /// The same as the name.
    #[error("that password is the name: choose another")]
    Name,
}

/// Whether someone of this name may have this password.
pub(super) fn check(password: &str, name: &str) -> Result<(), PasswordProblem> {
    let length = password.chars().count();
    let lower = password.to_lowercase();
    if length < PASSWORD_SHORTEST {
        Err(PasswordProblem::Short(length))
    } else if length > PASSWORD_LONGEST {
        Err(PasswordProblem::Long(length))
    } else if COMMON.contains(lower.as_str()) {
        Err(PasswordProblem::Common)
    } else if lower.trim() == name.to_lowercase() {
        Err(PasswordProblem::Name)
    } else {
        Ok(())
    }
}

/// Too many are waiting to have a password looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crowded;

/// Hashes and verifies, a few at a time: each takes 19 MiB and a core for a while, and a flood of
/// them must leave the tables their share.
pub(super) struct Passwords {
    working: Arc<Semaphore>,
    waiting: Semaphore,
    asking: Semaphore,
    /// Verified against where there is no hash, so that the work is the same.
    dummy: Arc<str>,
}

impl Passwords {
    pub(super) fn new() -> Passwords {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Passwords {
            working: Arc::new(Semaphore::new((cores / 2).max(1))),
            waiting: Semaphore::new(WAITING),
            asking: Semaphore::new(WAITING),
            dummy: DUMMY.clone(),
        }
    }

    /// The right to ask the store about a name, unless too many do at this moment: a flood must not
    /// queue there, where tables wait too.
    pub(super) fn ask(&self) -> Result<SemaphorePermit<'_>, Crowded> {
        self.asking.try_acquire().map_err(|_| Crowded)
    }

    /// Waits for a turn, unless too many do.
    pub(super) async fn turn(&self) -> Result<Turn, Crowded> {
        let _waiting = self.waiting.try_acquire().map_err(|_| Crowded)?;
        let working = Arc::clone(&self.working).acquire_owned().await;
        Ok(Turn {
            _permit: working.expect("the semaphore is never closed"),
            dummy: Arc::clone(&self.dummy),
        })
    }
}

/// The right to use a core for a while.
pub(super) struct Turn {
    _permit: OwnedSemaphorePermit,
    dummy: Arc<str>,
}

/// What a look at a password has shown.
pub(super) struct Verified {
    /// Whether it is the right one.
    pub(super) right: bool,
    /// Whether its hash was made in another way than one would be today.
    pub(super) outdated: bool,
}

impl Turn {
    /// The form in which a password is kept.
    pub(super) async fn hash(self, password: String, salt: [u8; 16]) -> Result<String, Failure> {
        self.work(move |_| hash(&password, salt)).await.map(|(hash, _)| hash)
    }

    /// Holds a password against a hash, or against the dummy, which nothing is right for. The turn
    /// comes back: what follows from the answer is done before the next one's.
    pub(super) async fn verify(
        self,
        password: String,
        hash: Option<String>,
    ) -> Result<(Verified, Turn), Failure> {
        self.work(move |dummy| {
            let kept = hash.as_deref().and_then(|it| PasswordHash::new(it).ok());
            let known = kept.is_some();
            let kept = kept.unwrap_or_else(|| PasswordHash::new(dummy).expect("it was made here"));
            let matches = hasher().verify_password(password.as_bytes(), &kept).is_ok();
            Verified { right: matches && known, outdated: !is_todays(&kept) }
        })
        .await
    }

    /// Works off the tasks' threads. The permit goes along: it is not free before the work is done,
    /// whatever becomes of whoever asked.
    async fn work<T: Send + 'static>(
        self,
        work: impl FnOnce(&str) -> T + Send + 'static,
    ) -> Result<(T, Turn), Failure> {
        let worked = tokio::task::spawn_blocking(move || (work(&self.dummy), self)).await;
        worked
            .map_err(|error| Failure::Unavailable(format!("a password's work broke off: {error}")))
    }
}

fn hasher() -> Argon2<'static> {
    let params = Params::new(MEMORY, PASSES, LANES, None).expect("the figures are in range");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &str, salt: [u8; 16]) -> String {
    let hashed = hasher().hash_password_with_salt(password.as_bytes(), &salt);
    hashed.expect("salt and password have lengths that fit").to_string()
}

fn is_todays(hash: &PasswordHash) -> bool {
    let figures = |it: &Params| (it.m_cost(), it.t_cost(), it.p_cost());
    hash.algorithm == Algorithm::Argon2id.ident()
        && hash.version == Some(Version::V0x13.into())
        && Params::try_from(hash).is_ok_and(|it| figures(&it) == (MEMORY, PASSES, LANES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_and_lists_decide_and_nothing_else() {
        let long = "x".repeat(129);
        let checks = [
            ("seven77", Err(PasswordProblem::Short(7))),
            ("七個字的密碼啊", Err(PasswordProblem::Short(7))),
            (&long, Err(PasswordProblem::Long(129))),
            (&long[..128], Ok(())),
            ("PassWord123", Err(PasswordProblem::Common)),
            ("mary-ann b", Err(PasswordProblem::Name)),
            ("no composition rules", Ok(())),
            ("ooooooooo", Ok(())),
        ];
        for (password, answer) in checks {
            assert_eq!(check(password, "Mary-Ann B"), answer, "{password}");
        }
    }

    /// A line that is never met would be dead weight.
    #[test]
    fn the_list_of_common_passwords_is_in_the_form_it_is_compared_in() {
        assert!(COMMON.len() >= 3_000);
        for line in COMMON.iter() {
            assert!(line.chars().count() >= PASSWORD_SHORTEST, "{line} is refused as too short");
            assert_eq!(*line, line.to_lowercase());
        }
    }

    #[tokio::test]
    async fn a_crowd_is_turned_away_and_all_who_wait_get_their_turn() {
        let passwords = Arc::new(Passwords::new());
        let mut working = Vec::new();
        while passwords.working.available_permits() > 0 {
            working.push(passwords.turn().await.expect("nobody is waiting"));
        }
        let wait = |_| {
            let passwords = Arc::clone(&passwords);
            tokio::spawn(async move { passwords.turn().await.is_ok() })
        };
        let waiting: Vec<_> = (0..WAITING).map(wait).collect();
        while passwords.waiting.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(passwords.turn().await.err(), Some(Crowded));
        drop(working);
        for waiting in waiting {
            assert!(waiting.await.expect("no panic"));
        }
        assert!(passwords.turn().await.is_ok());
    }

    #[test]
    fn so_many_ask_at_once_and_no_more() {
        let passwords = Passwords::new();
        let asking: Vec<_> = (0..WAITING).map(|_| passwords.ask().expect("a place")).collect();
        assert_eq!(passwords.ask().err(), Some(Crowded));
        drop(asking);
        assert!(passwords.ask().is_ok());
    }

    #[test]
    fn a_hash_names_the_figures() {
        let hash = hash("a password", [7; 16]);
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(is_todays(&PasswordHash::new(&hash).expect("it is one")));
    }
}
