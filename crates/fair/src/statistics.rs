//! Over many words and seeds, cuts and numbers are even. What decks come to is in `houseway-trust`,
//! by the million. Everything is drawn from fixed bytes, so a run never differs from the one before.

use std::num::NonZeroU8;

use crate::draw::keystream;
use crate::seed::Seed;
use crate::shuffle::Deal;
use crate::words::Words;

const ROUNDS: u64 = 1 << 18;

/// How far a test may be from what is expected, in standard deviations: all tests of the crate
/// together would fail a fair shuffle about once in a hundred sets of fixed bytes.
const LIMIT: f64 = 3.5;

/// How far counts that should be alike are from what chance gives, in standard deviations of a normal
/// distribution, by the approximation of Wilson and Hilferty.
fn even(counts: &[u32]) -> f64 {
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let cells: f64 = counts.iter().map(|_| 1.0).sum();
    let expected = total / cells;
    let squares: f64 =
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let freedom = cells - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    ((squares / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

fn deal(round: u64) -> Deal {
    Deal { table: "statistics".into(), round, highest: NonZeroU8::new(7).expect("not 0") }
}

fn take<const N: usize>(bytes: &mut impl Iterator<Item = u8>) -> [u8; N] {
    std::array::from_fn(|_| bytes.next().expect("a stream does not end"))
}

/// Over words that differ in a digit, every cut and every number comes as often as any other, each
/// pair of them too; over seeds the committed number.
#[test]
fn cuts_and_numbers_are_even() {
    for highest in [1, 7, 21, 255u8].map(|highest| NonZeroU8::new(highest).expect("not 0")) {
        let deal = Deal { highest, ..deal(1) };
        let numbers = usize::from(highest.get());
        let mut cuts = [0; 53];
        let mut both = vec![0; 53 * numbers];
        let mut committed = vec![0; numbers];
        let mut fresh = keystream(&[8; 32]);
        for round in 0..ROUNDS {
            let mut words = Words::default();
            words.say(1, round.to_string()).expect("a few digits");
            let (cut, shift) = words.cut(&deal);
            let number = usize::from(shift.apply(1, highest) - 1);
            cuts[usize::from(cut.places)] += 1;
            both[usize::from(cut.places) * numbers + number] += 1;
            let seed = Seed::new(take(&mut fresh));
            committed[usize::from(seed.shuffle(&deal).1 - 1)] += 1;
        }
        assert!(even(&cuts).abs() < LIMIT, "{highest}: {}", even(&cuts));
        assert!(even(&both).abs() < LIMIT, "{highest}: {}", even(&both));
        let of_one = |numbers: &[u32]| numbers == [ROUNDS as u32];
        assert!(of_one(&committed) || even(&committed).abs() < LIMIT, "{highest}");
    }
}
