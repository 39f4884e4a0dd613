//! How much someone may ask in a while: a bucket that fills with time. The time comes in.

use std::time::Instant;

/// So many asks at once, and so many a second after that.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    per_second: f64,
    most: f64,
    left: f64,
    last: Option<Instant>,
}

impl Bucket {
    /// A full bucket: twice of what flows in a second.
    pub fn new(per_second: u32) -> Bucket {
        let most = f64::from(per_second) * 2.0;
        Bucket { per_second: f64::from(per_second), most, left: most, last: None }
    }

    /// Whether nothing was taken for so long that a fresh one would be the same.
    pub fn is_full(&self, now: Instant) -> bool {
        let passed = self.last.map_or(0.0, |last| now.duration_since(last).as_secs_f64());
        self.left + passed * self.per_second >= self.most
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, now: Instant) -> bool {
        let passed = self.last.map_or(0.0, |last| now.duration_since(last).as_secs_f64());
        self.last = Some(now);
        self.left = (self.left + passed * self.per_second).min(self.most);
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_flows_in_can_be_taken() {
        let start = Instant::now();
        let mut bucket = Bucket::new(10);
        assert_eq!((0..100).filter(|_| bucket.take(start)).count(), 20);
        let later = start + Duration::from_millis(500);
        assert_eq!((0..100).filter(|_| bucket.take(later)).count(), 5);
        let much_later = start + Duration::from_secs(100);
        assert_eq!((0..100).filter(|_| bucket.take(much_later)).count(), 20, "and never more");
    }
}
