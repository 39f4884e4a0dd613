//! Counting pairs of points by who is above whom in both hands.

/// What a hand, or many that are set alike, is worth, and how much it weighs. Weights are signed:
/// a correction takes away what it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) low: u8,
    pub(crate) high: u16,
    /// Which line of a breakdown it counts for.
    pub(crate) label: u16,
    pub(crate) weight: i64,
}

/// Wins, losses and all pairs, by label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) win: Vec<i128>,
    pub(crate) lose: Vec<i128>,
    pub(crate) all: Vec<i128>,
}

impl Tally {
    pub(crate) fn new(labels: usize) -> Tally {
        Tally { win: vec![0; labels], lose: vec![0; labels], all: vec![0; labels] }
    }

    /// Adds another, multiplied and then divided; the division must be exact.
    pub(crate) fn add(&mut self, other: &Tally, times: i128, over: i128) {
        for (sums, parts) in [
            (&mut self.win, &other.win),
            (&mut self.lose, &other.lose),
            (&mut self.all, &other.all),
        ] {
            // Most labels have no part in most groups, and dividing is dear.
            for (sum, part) in sums.iter_mut().zip(parts).filter(|(_, part)| **part != 0) {
                debug_assert_eq!(part * times % over, 0, "a count is whole");
                *sum += part * times / over;
            }
        }
    }

    /// With another.
    #[expect(clippy::needless_pass_by_value, reason = "made for reducing")]
    pub(crate) fn plus(mut self, other: Tally) -> Tally {
        self.add(&other, 1, 1);
        self
    }

    pub(crate) fn clear(&mut self) {
        for sums in [&mut self.win, &mut self.lose, &mut self.all] {
            sums.fill(0);
        }
    }
}

/// The banker's side of a count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// A banker's Low hand of two unpaired cards with this class range pushes everything.
    pub(crate) push_low: Option<(u8, u8)>,
}

impl Rule {
    pub(crate) fn pushes(self, low: u8) -> bool {
        self.push_low.is_some_and(|(lowest, highest)| (lowest..=highest).contains(&low))
    }
}

/// Sums of weights by the class of a High hand, that can be added to and summed up to a class.
pub(crate) struct Tree(Vec<i64>);

/// One more than the highest class of a High hand, rounded up.
const HIGHS: usize = 8192;

impl Tree {
    pub(crate) fn new() -> Tree {
        Tree(vec![0; HIGHS + 1])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(crate) fn insert(&mut self, high: u16, weight: i64) {
        let mut place = high as usize + 1;
        while place <= HIGHS {
            self.0[place] += weight;
            place += place & place.wrapping_neg();
        }
    }

    pub(crate) fn sum_below(&self, high: u16) -> i64 {
        let (mut place, mut sum) = (high as usize, 0);
        while place > 0 {
            sum += self.0[place];
            place &= place - 1;
        }
        sum
    }
}

/// Room to count in, kept between counts.
pub(crate) struct Scratch {
    tree: Tree,
}

/// Below this many pairs each pair is looked at.
const FEW: usize = 2048;

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch { tree: Tree::new() }
    }

    /// Counts every pair of a player's and a banker's point: won when both hands are higher, lost
    /// when neither is. Both lists are sorted on the way.
    pub(crate) fn count(
        &mut self,
        players: &mut [Point],
        bankers: &mut Vec<Point>,
        rule: Rule,
        tally: &mut Tally,
    ) {
        let total: i64 = bankers.iter().map(|banker| banker.weight).sum();
        for player in &*players {
            tally.all[player.label as usize] += i128::from(player.weight) * i128::from(total);
        }
        bankers.retain(|banker| !rule.pushes(banker.low));
        if players.len() * bankers.len() < FEW {
            few(players, bankers, tally);
        } else {
            self.many(players, bankers, tally);
        }
    }

    /// In order of the Low hand, with a tree of sums over the High hands of all lower ones.
    fn many(&mut self, players: &mut [Point], bankers: &mut [Point], tally: &mut Tally) {
        players.sort_unstable_by_key(|point| point.low);
        bankers.sort_unstable_by_key(|point| point.low);
        self.tree.clear();
        let total: i64 = bankers.iter().map(|banker| banker.weight).sum();
        let (mut next, mut lower) = (0, 0);
        // Those with a lower Low hand, and of these, those with a lower High hand.
        let mut below: Vec<(i64, i64)> = Vec::with_capacity(players.len());
        for player in &*players {
            while let Some(banker) = bankers.get(next).filter(|banker| banker.low < player.low) {
                self.tree.insert(banker.high, banker.weight);
                lower += banker.weight;
                next += 1;
            }
            below.push((lower, self.tree.sum_below(player.high)));
        }
        for banker in &bankers[next..] {
            self.tree.insert(banker.high, banker.weight);
        }
        for (player, (lower, both)) in players.iter().zip(below) {
            let neither = total - lower - self.tree.sum_below(player.high) + both;
            let (label, weight) = (player.label as usize, i128::from(player.weight));
            tally.win[label] += weight * i128::from(both);
            tally.lose[label] += weight * i128::from(neither);
        }
    }
}

fn few(players: &[Point], bankers: &[Point], tally: &mut Tally) {
    for player in players {
        let (mut win, mut lose) = (0, 0);
        for banker in bankers {
            match (player.low > banker.low, player.high > banker.high) {
                (true, true) => win += banker.weight,
                (false, false) => lose += banker.weight,
                _ => {}
            }
        }
        let (label, weight) = (player.label as usize, i128::from(player.weight));
        tally.win[label] += weight * i128::from(win);
        tally.lose[label] += weight * i128::from(lose);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree counts what looking at every pair counts.
    #[test]
    fn many_is_few() {
        let mut state = 5u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let mut points = |count| -> Vec<Point> {
            (0..count)
                .map(|_| Point {
                    low: next(91) as u8,
                    high: next(40) as u16 * 180,
                    label: next(3) as u16,
                    weight: next(100).cast_signed() - 50,
                })
                .collect()
        };
        let (mut players, mut bankers) = (points(300), points(500));
        let [mut slow, mut fast] = [Tally::new(3), Tally::new(3)];
        few(&players, &bankers, &mut slow);
        Scratch::new().many(&mut players, &mut bankers, &mut fast);
        assert_eq!(fast, slow);
        assert!(slow.win.iter().all(|&win| win != 0));
    }
}
