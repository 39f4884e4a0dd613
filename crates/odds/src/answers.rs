//! Questions whose answers take long, and the answers that are shipped.
//!
//! An answer is kept as text under a key: a hash of the question and of everything the rulebooks
//! say. Change a word of a rulebook, and its answers are counted anew. Those of the five houses are
//! shipped in `crates/odds/shipped`; a test counts each of them again and compares.

use houseway_rules::houses;
use houseway_rules::rulebook::Rulebook;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Seat;
use crate::bonus::{self, AboveBanker};
use crate::game::{self, Counted, Stake};
use crate::progress::Progress;
use crate::ways::{self, Compared};

/// Goes up when answers are written in another way.
const FORM: &str = "2";

/// A question whose answer takes long enough to be kept.
pub trait Question: Sync {
    /// What the answer is.
    type Answer: Serialize + DeserializeOwned + Send;

    /// A name for it among a rulebook's questions.
    fn name(&self) -> &'static str;

    /// The rulebooks it is about; the first is the one that is played.
    fn rulebooks(&self) -> Vec<&Rulebook>;

    /// What counting costs, for whoever has to wait.
    fn cost(&self) -> &'static str;

    /// Counts.
    fn count(&self, progress: &Progress) -> Self::Answer;

    /// The key of its answer.
    fn key(&self) -> String {
        let mut hash = Sha256::new();
        // Another version may count otherwise.
        for text in [FORM, env!("CARGO_PKG_VERSION"), self.name()] {
            hash.update(text);
            hash.update([0]);
        }
        for rulebook in self.rulebooks() {
            hash.update(fingerprint(rulebook));
        }
        hex(hash)
    }

    /// Whether an answer can be one: every deal is counted once.
    fn is_whole(&self, answer: &Self::Answer) -> bool;

    /// A name for a file that holds the answer.
    fn file_name(&self) -> String {
        let ids: Vec<&str> = self.rulebooks().iter().map(|rulebook| &*rulebook.id).collect();
        format!("{}-{}.json", ids.join("-"), self.name())
    }

    /// The answer as it is kept.
    fn write(&self, answer: &Self::Answer) -> String {
        let sum = sum(&self.key(), answer);
        let kept = Kept { question: self.name().into(), key: self.key(), sum, answer };
        serde_json::to_string(&kept).expect("an answer has a text form") + "\n"
    }

    /// The answer from text, if it is this question's, whole and as it was written.
    fn read(&self, text: &str) -> Option<Self::Answer> {
        let Kept { question, key, sum: written, answer } = serde_json::from_str(text).ok()?;
        let same = question == self.name() && key == self.key() && written == sum(&key, &answer);
        (same && self.is_whole(&answer)).then_some(answer)
    }

    /// The answer that is shipped, if there is one.
    fn shipped(&self) -> Option<Self::Answer> {
        let name = self.file_name();
        let (_, text) = SHIPPED.iter().find(|(file, _)| *file == name)?;
        self.read(text)
    }
}

/// An answer with its key.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    question: String,
    key: String,
    /// Over the key and the answer: a file that was changed is not believed.
    sum: String,
    answer: T,
}

/// A hash of everything a rulebook says.
pub fn fingerprint(rulebook: &Rulebook) -> String {
    let mut hash = Sha256::new();
    hash.update(serde_json::to_vec(rulebook).expect("a rulebook has a text form"));
    hex(hash)
}

fn sum(key: &str, answer: &impl Serialize) -> String {
    let mut hash = Sha256::new();
    hash.update(key);
    hash.update(serde_json::to_vec(answer).expect("an answer has a text form"));
    hex(hash)
}

fn hex(hash: Sha256) -> String {
    let digits = |byte: &u8| {
        [byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[digit as usize]))
    };
    hash.finalize().iter().flat_map(digits).collect()
}

fn whole(compared: &Compared) -> bool {
    compared.other.total().deals() == game::DEALS && compared.house_way.deals() == game::DEALS
}

/// Both sides set the House Way of a rulebook.
pub struct HouseWayGame<'a>(pub &'a Rulebook);

impl Question for HouseWayGame<'_> {
    type Answer = Counted;

    fn name(&self) -> &'static str {
        "house-way"
    }

    fn rulebooks(&self) -> Vec<&Rulebook> {
        vec![self.0]
    }

    fn cost(&self) -> &'static str {
        "about seven seconds on two cores and 500 MB"
    }

    fn count(&self, progress: &Progress) -> Counted {
        game::house_way(self.0, progress)
    }

    fn is_whole(&self, answer: &Counted) -> bool {
        answer.total().deals() == game::DEALS
    }
}

/// One side sets each hand the way that is worth most, the other the House Way.
pub struct BestGame<'a> {
    /// The rulebook.
    pub rulebook: &'a Rulebook,
    /// Who sets best.
    pub seat: Seat,
    /// Whether the commission is waived.
    pub waived: bool,
}

impl BestGame<'_> {
    /// What a win brings and a loss costs.
    pub fn stake(&self) -> Stake {
        if self.waived { Stake::FREE } else { Stake::at(self.rulebook, self.seat) }
    }
}

impl Question for BestGame<'_> {
    type Answer = Compared;

    fn name(&self) -> &'static str {
        match (self.seat, self.waived) {
            (Seat::Player, false) => "optimal",
            (Seat::Player, true) => "optimal-waived",
            (Seat::Banker, false) => "optimal-banker",
            (Seat::Banker, true) => "optimal-banker-waived",
        }
    }

    fn rulebooks(&self) -> Vec<&Rulebook> {
        vec![self.rulebook]
    }

    fn cost(&self) -> &'static str {
        "about forty seconds on two cores and 900 MB"
    }

    fn count(&self, progress: &Progress) -> Compared {
        ways::optimal(self.rulebook, self.seat, self.stake(), progress)
    }

    fn is_whole(&self, answer: &Compared) -> bool {
        whole(answer)
    }
}

/// The House Ways of two rulebooks, both played under the first.
pub struct Against<'a> {
    /// The rulebook that is played.
    pub rulebook: &'a Rulebook,
    /// The one whose House Way is compared.
    pub other: &'a Rulebook,
    /// Who sets by it.
    pub seat: Seat,
}

impl Question for Against<'_> {
    type Answer = Compared;

    fn name(&self) -> &'static str {
        match self.seat {
            Seat::Player => "against",
            Seat::Banker => "against-banker",
        }
    }

    fn rulebooks(&self) -> Vec<&Rulebook> {
        vec![self.rulebook, self.other]
    }

    fn cost(&self) -> &'static str {
        "about thirty seconds on two cores and 300 MB"
    }

    fn count(&self, progress: &Progress) -> Compared {
        ways::against(self.rulebook, self.other, self.seat, progress)
    }

    fn is_whole(&self, answer: &Compared) -> bool {
        whole(answer)
    }
}

/// The Fortune Bonus where it is paid only above the banker's bonus hand. The answer is nothing
/// where it is paid whatever the banker holds.
pub struct FortuneAboveBanker<'a>(pub &'a Rulebook);

impl Question for FortuneAboveBanker<'_> {
    type Answer = Option<AboveBanker>;

    fn name(&self) -> &'static str {
        "above-banker"
    }

    fn rulebooks(&self) -> Vec<&Rulebook> {
        vec![self.0]
    }

    fn cost(&self) -> &'static str {
        "about ten seconds on two cores and 650 MB"
    }

    fn count(&self, progress: &Progress) -> Option<AboveBanker> {
        bonus::fortune_above_banker(self.0, progress)
    }

    fn is_whole(&self, answer: &Option<AboveBanker>) -> bool {
        let deals = |counted: &AboveBanker| {
            counted.lose + counted.lines.iter().map(|line| line.paid + line.returned).sum::<u64>()
        };
        answer.as_ref().is_none_or(|counted| deals(counted) == game::DEALS)
    }
}

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../shipped/", $name)))),*]
    };
}

/// The files of `crates/odds/shipped`.
static SHIPPED: &[(&str, &str)] = files!(
    "mbs-2016-house-way.json"
    "mbs-2016-optimal.json"
    "mbs-2020-house-way.json"
    "mbs-2020-optimal.json"
    "cardroom-house-way.json"
    "cardroom-optimal.json"
    "cardroom-above-banker.json"
    "commission-free-house-way.json"
    "commission-free-optimal.json"
    "catfish-bend-house-way.json"
    "catfish-bend-optimal.json"
    "catfish-bend-optimal-banker.json"
    "catfish-bend-optimal-waived.json"
);

/// A shipped file: its name and what counts it anew.
pub type Recount = (String, Box<dyn Fn(&Progress) -> String + Sync>);

/// Every shipped answer, to be counted anew.
pub fn recounts() -> Vec<Recount> {
    fn recount(question: impl Question + 'static) -> Recount {
        (question.file_name(), Box::new(move |progress| question.write(&question.count(progress))))
    }
    let mut all = vec![];
    for rulebook in houses::HOUSES {
        all.push(recount(HouseWayGame(rulebook)));
        all.push(recount(BestGame { rulebook, seat: Seat::Player, waived: false }));
        if rulebook.bank.player_banker.is_some() {
            all.push(recount(BestGame { rulebook, seat: Seat::Banker, waived: false }));
        }
        if rulebook.waiver().is_some() {
            all.push(recount(BestGame { rulebook, seat: Seat::Player, waived: true }));
        }
        if rulebook.fortune.only_above_banker.is_some() {
            all.push(recount(FortuneAboveBanker(rulebook)));
        }
    }
    all
}
