//! Counts against what chance gives; time that was worked.

use std::time::Duration;

use anyhow::{Context, Result};

/// How far a sum of squares is from what chance gives, in standard deviations of a normal
/// distribution, by the approximation of Wilson and Hilferty.
pub(crate) fn deviation(squares: f64, freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    ((squares / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// The sum of squares of counts, each against what is expected in its place.
pub(crate) fn squares(counts: &[u64], expected: impl Fn(usize) -> f64) -> f64 {
    let one = |(at, &count): (usize, &u64)| (count as f64 - expected(at)).powi(2) / expected(at);
    counts.iter().enumerate().map(one).sum()
}

/// Counts that should all be alike.
pub(crate) fn even(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    let cells = counts.len() as f64;
    deviation(squares(counts, |_| total as f64 / cells), cells - 1.0)
}

/// Counts against probabilities. Neighbours are taken together until 20 are expected of each.
pub(crate) fn against(counts: &[u64], probabilities: &[f64]) -> f64 {
    let total: u64 = counts.iter().sum();
    let (mut seen, mut expected) = (vec![], vec![]);
    let (mut count, mut mass) = (0, 0.0);
    for (one, probability) in counts.iter().zip(probabilities) {
        count += one;
        mass += probability * total as f64;
        if mass >= 20.0 {
            seen.push(count);
            expected.push(mass);
            (count, mass) = (0, 0.0);
        }
    }
    // What is left belongs to the last.
    if let (Some(last), Some(at)) = (seen.last_mut(), expected.last_mut()) {
        *last += count;
        *at += mass;
    }
    deviation(squares(&seen, |at| expected[at]), (seen.len() - 1) as f64)
}

/// Whether rows of counts are distributed alike: a table of contingency.
pub(crate) fn alike(rows: &[Vec<u64>]) -> f64 {
    let columns = rows.first().map_or(0, Vec::len);
    let sum = |row: &[u64]| row.iter().sum::<u64>() as f64;
    let total: f64 = rows.iter().map(|row| sum(row)).sum();
    let column = |at: usize| rows.iter().map(|row| row[at]).sum::<u64>() as f64;
    let cells = rows.iter().flat_map(|row| {
        (0..columns).map(move |at| {
            let expected = sum(row) * column(at) / total;
            (row[at] as f64 - expected).powi(2) / expected
        })
    });
    deviation(cells.sum(), ((rows.len() - 1) * (columns - 1)) as f64)
}

/// For how long this thread has been working, and not waiting for others.
pub(crate) fn time_worked() -> Result<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").context("no /proc")?;
    let nanoseconds = text.split(' ').next().and_then(|it| it.parse().ok());
    Ok(Duration::from_nanos(nanoseconds.context("the time worked is no number")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_does_not_deviate_and_what_is_not_does() {
        assert!(even(&[1_000, 1_020, 990, 1_010]).abs() < 3.0);
        assert!(even(&[1_000, 1_200, 990, 1_010]) > 3.0);
        assert!(even(&[1_000; 100]) < -3.0, "too good to be chance");
        assert!(against(&[495, 252, 253], &[0.5, 0.25, 0.25]).abs() < 3.0);
        assert!(against(&[600, 252, 253], &[0.5, 0.25, 0.25]) > 3.0);
        assert!(alike(&[vec![100, 210, 300], vec![1_010, 2_000, 3_020]]).abs() < 3.0);
        assert!(alike(&[vec![200, 210, 300], vec![1_010, 2_000, 3_020]]) > 3.0);
    }
}
