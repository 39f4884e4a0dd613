//! Names and passwords that are wrong: whether the time of a refusal tells which names exist.

use std::net::Ipv4Addr;

use anyhow::{Context, bail};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use tokio::time::Instant;

use crate::door::Door;
use crate::figures::LoggedIn;

/// What everyone's password is.
const RIGHT: &str = "seven cards, no tells";

/// What is tried.
const WRONG: &str = "eight cards, one tell";

/// How often a name is tried at most: one more failure locks it, and a locked name costs nothing.
const TRIES_A_NAME: u64 = 4;

/// The statuses of a refusal, and of one that came too often.
const REFUSED: u16 = 401;
const LOCKED: u16 = 429;

/// Tries so often, known and unknown names in a random order.
pub(crate) async fn run(door: &Door, tries: u64) -> anyhow::Result<LoggedIn> {
    let names = (tries / 2).div_ceil(TRIES_A_NAME);
    for name in 0..names {
        door.register(&format!("known {name}"), RIGHT).await?;
    }
    let mut order: Vec<(bool, u64)> = (0..names * TRIES_A_NAME)
        .flat_map(|number| [(true, number % names), (false, number % names)])
        .collect();
    order.truncate(usize::try_from(tries)?);
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    let mut times = [vec![], vec![]];
    // The first few are slower, whoever they are about.
    let warm_up = order.len() / 20;
    for (place, (known, number)) in order.into_iter().enumerate() {
        let name = if known { format!("known {number}") } else { format!("nobody {number}") };
        let start = Instant::now();
        let status = door.log_in(&name, WRONG, address(place)).await?;
        let took = start.elapsed().as_secs_f64() * 1_000.0;
        if status != REFUSED {
            bail!("{name} was answered with {status}, not with {REFUSED}");
        }
        if place >= warm_up {
            times[usize::from(known)].push(took);
        }
    }
    let [mut unknown, mut known] = times;
    let welch_t = welch(&known, &unknown).context("more tries are needed")?.abs();
    let (known, unknown) = (median(&mut known), median(&mut unknown));
    Ok(LoggedIn { tries, welch_t, known, unknown, locked_after: locked_after(door).await? })
}

/// After how many failures a name is locked, from wherever they come.
async fn locked_after(door: &Door) -> anyhow::Result<u64> {
    const FAR: usize = 1 << 20;
    door.register("locked out", RIGHT).await?;
    for failures in 0..100 {
        let status = door.log_in("locked out", WRONG, address(FAR + failures)).await?;
        if status == LOCKED {
            let right = door.log_in("locked out", RIGHT, address(FAR * 2)).await?;
            if right != LOCKED {
                bail!("the right password opened a locked name");
            }
            return Ok(failures as u64);
        }
    }
    bail!("a name was never locked")
}

/// An address of its own for every try: those that fail are locked too.
pub(crate) fn address(number: usize) -> Ipv4Addr {
    let [_, a, b, c] = (number as u32).to_be_bytes();
    Ipv4Addr::new(10, a, b, c)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Welch's t: how far apart two means are, in standard errors.
fn welch(one: &[f64], other: &[f64]) -> Option<f64> {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let square = |all: &[f64]| {
        let mean = mean(all);
        let squares = all.iter().map(|it| (it - mean) * (it - mean)).sum::<f64>();
        squares / (all.len() - 1) as f64 / all.len() as f64
    };
    let enough = one.len() > 1 && other.len() > 1;
    enough.then(|| (mean(one) - mean(other)) / (square(one) + square(other)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two samples of Welch's own kind, computed by hand: means 3 and 6, variances 1 and 4.
    #[test]
    fn means_are_compared_in_standard_errors() {
        let t = welch(&[2.0, 3.0, 4.0], &[4.0, 6.0, 8.0]).expect("enough of both");
        assert!((t + 3.0 / (1.0_f64 / 3.0 + 4.0 / 3.0).sqrt()).abs() < 1e-12, "{t}");
        assert_eq!(welch(&[1.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn every_try_has_an_address_of_its_own() {
        let all: std::collections::BTreeSet<Ipv4Addr> = (0..100_000).map(address).collect();
        assert_eq!(all.len(), 100_000);
    }
}
