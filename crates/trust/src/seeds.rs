//! Row 16 too: what the vault draws for rounds. A deck's key holds its table and round, so that a seed
//! which came twice gives no deck twice, and no statistic of decks sees it: seeds are looked at
//! themselves.
//!
//! What no look at seeds can see is one that can be guessed and is hashed on its way. So the house has
//! one source, the operating system's, and nothing is done to what comes from it.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use houseway_fair::{Bytes32, Deal, Disclosed, Evidence, Keyring, Seed, Shuffle, Words};
use houseway_server::vault::{Chance, NoChance, SystemChance, Vault};
use houseway_store::TableId;
use rand::rngs::ChaCha20Rng;
use rand::{Rng, RngExt, SeedableRng};
use rayon::prelude::*;

use crate::statistics::{deviation, squares};

/// How many rounds seeds are drawn for: enough that 2³² seeds meet each other about eight times.
pub(crate) const ROUNDS: u64 = 1 << ROUND_BITS;
const ROUND_BITS: u32 = 18;

/// One round in so many is opened again, as for an auditor.
const OPENED: u64 = 1_024;

/// How far a test may be from what is expected, in standard deviations. The system's seeds are others in
/// every run: one run in half a million fails by chance. Bad seeds are off by hundreds.
pub(crate) const LIMIT: f64 = 5.0;

type SeedBytes = [u8; 32];

const BITS: usize = 256;

/// The seeds of rounds as a desk draws them: each is sealed before the next, and what opens is it.
fn drawn(chance: impl Chance + 'static) -> Result<Vec<SeedBytes>> {
    let keyring = Keyring::new([(1, [7; 32])]).context("one key")?;
    let vault = Vault::new(keyring, chance);
    let table = TableId(1);
    let one = |round: u64| {
        let bytes: SeedBytes = vault.fresh()?;
        let sealed = vault.seal_seed(table, round, &Seed::new(bytes))?;
        if round.is_multiple_of(OPENED) {
            let opened = vault.open_seed(table, round, &sealed)?;
            let deal = Deal { table: table.to_string(), round, highest: std::num::NonZeroU8::MIN };
            let proof = Shuffle::new(opened, deal).cut(Words::default()).disclose();
            let same = proof.evidence == Evidence::Seed(Disclosed(Bytes32(bytes)));
            ensure!(same, "another seed is opened for round {round}");
        }
        Ok(bytes)
    };
    (0..ROUNDS).map(one).collect()
}

/// How far each test of the operating system's seeds is from what is expected.
pub(crate) fn of_the_system() -> Result<BTreeMap<&'static str, f64>> {
    Ok(deviations(&drawn(SystemChance)?))
}

/// The tests that bad seeds do not pass, by where the seeds come from.
pub(crate) fn bad_ones(seed: u64) -> Result<BTreeMap<&'static str, Vec<&'static str>>> {
    let one = |(name, seeds): &(&'static str, Source)| {
        let deviations = deviations(&seeds(seed)?);
        let failed = deviations.into_iter().filter(|(_, it)| it.abs() > LIMIT);
        Ok((*name, failed.map(|(test, _)| test).collect()))
    };
    BAD_SEEDS.par_iter().map(one).collect()
}

/// Draws seeds, beginning somewhere.
type Source = fn(u64) -> Result<Vec<SeedBytes>>;

/// Chance of one's own making.
struct By<F>(F);

impl<F: FnMut(&mut [u8]) + Send> Chance for By<F> {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NoChance> {
        (self.0)(bytes);
        Ok(())
    }
}

/// Sources that people have used.
pub(crate) const BAD_SEEDS: [(&str, Source); 3] = [
    ("seeds of 32 bits", |seed| {
        let mut fresh = ChaCha20Rng::seed_from_u64(seed);
        drawn(By(move |bytes: &mut [u8]| {
            ChaCha20Rng::seed_from_u64(u64::from(fresh.next_u32())).fill_bytes(bytes);
        }))
    }),
    // Thousandths since 1970, over and over; a round takes 20 to 85 seconds.
    ("seeds from a clock", |seed| {
        let mut fresh = ChaCha20Rng::seed_from_u64(seed);
        let mut time = 1_800_000_000_000_u64;
        drawn(By(move |bytes: &mut [u8]| {
            time += fresh.random_range(20_000..85_000);
            for eight in bytes.chunks_mut(8) {
                eight.copy_from_slice(&time.to_be_bytes()[..eight.len()]);
            }
        }))
    }),
    // Once in a thousand rounds the seed of the round before is used again. What seals need is less than a
    // seed, and always fresh.
    ("seeds that are used again", |seed| {
        let mut fresh = ChaCha20Rng::seed_from_u64(seed);
        let (mut last, mut rounds) = ([0; 32], 0_u32);
        drawn(By(move |bytes: &mut [u8]| {
            if bytes.len() < last.len() {
                return fresh.fill_bytes(bytes);
            }
            rounds += 1;
            if !rounds.is_multiple_of(1_000) {
                fresh.fill_bytes(&mut last);
            }
            bytes.copy_from_slice(&last);
        }))
    }),
];

/// How far each test is from what is expected.
fn deviations(seeds: &[SeedBytes]) -> BTreeMap<&'static str, f64> {
    let bits = Bits::of(seeds);
    // Each comes true in half of all rounds.
    let halves = |counts: &[u64]| {
        let half = seeds.len() as f64 / 2.0;
        deviation(2.0 * squares(counts, |_| half), counts.len() as f64)
    };
    let rounds: Vec<u64> = (0..ROUND_BITS).flat_map(|bit| bits.unlike_round(bit)).collect();
    BTreeMap::from([
        // No eight bytes come twice, in whatever seeds and places.
        ("repeats: eight bytes that came twice", repeats(seeds) as f64 * 1_000.0),
        ("frequency: bits", halves(&bits.ones())),
        ("serial correlation: bits and those before", halves(&bits.unlike_before())),
        ("correlation: bits and the round's number", halves(&rounds)),
        ("chi-square: bytes by position", bytes(seeds)),
    ])
}

fn repeats(seeds: &[SeedBytes]) -> usize {
    let mut eights: Vec<&[u8]> = seeds.iter().flat_map(|seed| seed.chunks_exact(8)).collect();
    eights.sort_unstable();
    eights.windows(2).filter(|two| two[0] == two[1]).count()
}

/// 255 are free in each of 32 positions.
fn bytes(seeds: &[SeedBytes]) -> f64 {
    let mut counts = vec![0; 32 * 256];
    for seed in seeds {
        for (at, byte) in seed.iter().enumerate() {
            counts[at * 256 + usize::from(*byte)] += 1;
        }
    }
    deviation(squares(&counts, |_| seeds.len() as f64 / 256.0), 32.0 * 255.0)
}

/// The bits of seeds, turned: each bit in round after round, 64 rounds to a word.
struct Bits(Vec<Vec<u64>>);

impl Bits {
    fn of(seeds: &[SeedBytes]) -> Bits {
        let mut bits = vec![vec![0; seeds.len().div_ceil(64)]; BITS];
        for (round, seed) in seeds.iter().enumerate() {
            for (bit, rounds) in bits.iter_mut().enumerate() {
                let is_set = u64::from(seed[bit / 8] >> (bit % 8) & 1);
                rounds[round / 64] |= is_set << (round % 64);
            }
        }
        Bits(bits)
    }

    /// In how many rounds each bit differs from something else, word by word.
    fn unlike(&self, other: impl Fn(&[u64], usize) -> u64) -> Vec<u64> {
        let count = |rounds: &Vec<u64>| {
            let words = rounds.iter().enumerate();
            words.map(|(at, word)| u64::from((word ^ other(rounds, at)).count_ones())).sum()
        };
        self.0.iter().map(count).collect()
    }

    fn ones(&self) -> Vec<u64> {
        self.unlike(|_, _| 0)
    }

    fn unlike_before(&self) -> Vec<u64> {
        self.unlike(|rounds, at| {
            let before = if at == 0 { 0 } else { rounds[at - 1] };
            rounds[at] << 1 | before >> 63
        })
    }

    /// Against a bit of the round's number, which counts the time too.
    fn unlike_round(&self, bit: u32) -> Vec<u64> {
        self.unlike(|_, at| {
            let round = |within: u64| at as u64 * 64 + within;
            (0..64).fold(0, |word, within| word | (round(within) >> bit & 1) << within)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_seeds_pass_and_bad_ones_are_caught() {
        let system = of_the_system().expect("there is chance");
        assert!(system.values().all(|it| it.abs() < LIMIT), "{system:?}");
        let caught = bad_ones(1).expect("they are drawn");
        let by = |bad: &str, test: &str| caught[bad].iter().any(|it| it.starts_with(test));
        assert!(by("seeds of 32 bits", "repeats"), "{caught:?}");
        assert!(by("seeds that are used again", "repeats"), "{caught:?}");
        for test in ["frequency", "correlation", "chi-square"] {
            assert!(by("seeds from a clock", test), "{caught:?}");
        }
    }

    /// Good seeds but for one bit that follows the round's number, or the bit before.
    #[test]
    fn a_bit_that_follows_the_round_or_the_one_before_is_seen() {
        let good = || drawn(SystemChance).expect("there is chance");
        let failed = |seeds: &[SeedBytes], test: &str| {
            deviations(seeds).iter().any(|(name, it)| name.starts_with(test) && it.abs() > LIMIT)
        };
        let mut counted = good();
        for (round, seed) in counted.iter_mut().enumerate() {
            seed[7] = seed[7] & 0xfe | (round >> 5 & 1) as u8;
        }
        assert!(failed(&counted, "correlation: bits and the round"));
        let mut turned = good();
        for round in 1..turned.len() {
            turned[round][3] = turned[round][3] & 0x7f | !turned[round - 1][3] & 0x80;
        }
        assert!(failed(&turned, "serial correlation"));
    }
}
