//! Averages of what was played, each with its error.

/// Sums of some figure, in whole cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// Of the figure.
    pub sum: i128,
    /// Of its square.
    pub squares: i128,
}

/// An average and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The average.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The standard deviation of a single figure.
    pub deviation: f64,
}

impl Moments {
    pub(crate) fn add(&mut self, cents: i64) {
        let cents = i128::from(cents);
        self.sum += cents;
        self.squares += cents * cents;
    }

    pub(crate) fn plus(self, other: Moments) -> Moments {
        Moments { sum: self.sum + other.sum, squares: self.squares + other.squares }
    }

    /// The average over so many figures.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn estimate(self, figures: u64) -> Estimate {
        let n = figures.max(1) as f64;
        let mean = self.sum as f64 / n;
        let variance = (self.squares as f64 / n - mean * mean).max(0.0);
        Estimate { mean, standard_error: (variance / n).sqrt(), deviation: variance.sqrt() }
    }
}

impl Estimate {
    /// How many standard errors it is from an exact figure. Nothing where there is no error: then
    /// the figure never varied.
    pub fn errors_from(&self, exact: f64) -> Option<f64> {
        (self.standard_error > 0.0).then(|| (self.mean - exact) / self.standard_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_have_their_error() {
        let mut moments = Moments::default();
        for cents in [100, -100, 100, 100] {
            moments.add(cents);
        }
        let Estimate { mean, standard_error, deviation } = moments.estimate(4);
        assert!((mean - 50.0).abs() < 1e-9);
        assert!((deviation - 7500f64.sqrt()).abs() < 1e-9);
        assert!((standard_error - deviation / 2.0).abs() < 1e-9);
        assert_eq!(moments.plus(Moments::default()), moments);
        assert_eq!(Moments::default().estimate(4).errors_from(0.0), None);
    }
}
