//! Where unforeseeable bytes come from. Tests bring their own.

use rand::rand_core::TryRng;
use rand::rngs::SysRng;

/// A source of random bytes.
pub trait Chance: Send + Sync {
    /// Fills all of it with fresh bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's own source, which is sound under load and after a fork.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemChance;

impl Chance for SystemChance {
    fn fill(&self, bytes: &mut [u8]) {
        // Without chance nothing may go on: a token that can be guessed is worse than none.
        SysRng.try_fill_bytes(bytes).expect("the operating system gives random bytes");
    }
}
