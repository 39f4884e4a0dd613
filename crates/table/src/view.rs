//! What each onlooker may see. A view is built from nothing but what may be shown: there is no
//! field for a card that may not.

use houseway_rules::rulebook::{Role, Text, Wager};
use houseway_rules::{Card, CardSet, Cents};
use serde::{Deserialize, Serialize};

use crate::event::How;
use crate::fees::Fee;
use crate::options::{Offer, options};
use crate::place::{Person, Places, Position};
use crate::settlement::{Line, Standing};
use crate::stake::{Bank, Stakes};
use crate::state::{BankerHand, InPlay, Past, Phase, Table, may_act};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onlooker {
    /// Someone with a seat or money at the table.
    Player(Person),
    /// Someone who only watches.
    Spectator,
    /// Staff at work.
    Staff(Person, Role),
    /// Someone who looks into finished rounds, every card of them.
    Auditor,
}

/// How someone looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Who they are.
    pub by: Onlooker,
    /// The round whose conceded hands they look at on purpose. Staff whom the rules let look see them
    /// then, and not in passing.
    pub conceded: Option<u64>,
}

impl From<Onlooker> for Look {
    fn from(by: Onlooker) -> Look {
        Look { by, conceded: None }
    }
}

/// The table as one onlooker may see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct TableView<Last = PastView> {
    /// How many events there have been.
    pub version: u64,
    /// The rulebook's id.
    pub rules: String,
    /// The number of the round.
    pub round: u64,
    /// What is going on.
    pub phase: PhaseView,
    /// Until when something has to be done.
    pub until: Option<u64>,
    /// Who holds the bank, where someone does.
    pub bank: Option<Bank>,
    /// Where the bank or its button goes next, where it goes round.
    pub button: Option<Position>,
    /// Who has the action button.
    pub action: Option<Position>,
    /// The seats.
    pub seats: Vec<SeatView>,
    /// The banker's hand.
    pub banker: Option<HandView>,
    /// The house's own hand against a banking player's.
    pub house: Option<HandView>,
    /// The onlooker's own money here.
    pub stack: Option<Cents>,
    /// What the onlooker may do now.
    pub options: Vec<Offer>,
    /// The round before.
    pub last: Option<Last>,
}

/// What is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum PhaseView {
    /// Between rounds.
    Idle,
    /// The bank is offered.
    Offering {
        /// To whom.
        to: Position,
    },
    /// Wagers are placed.
    Betting,
    /// No more bets.
    Closed,
    /// Hands are set.
    Setting,
    /// The banker's hand is shown.
    Revealed,
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct SeatView {
    /// Where.
    pub position: Position,
    /// Who sits there.
    pub person: Option<Person>,
    /// What they have.
    pub stack: Option<Cents>,
    /// What lies there.
    pub stakes: Stakes,
    /// Whether the Fortune Bonus wager there is one that Envy is paid on.
    pub envy: bool,
    /// The hand in play, where there is one.
    pub hand: Option<HandView>,
    /// Whether that hand is left to the dealer, who sets it once all others are set.
    pub left_to_dealer: bool,
}

/// A hand, as far as it may be seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "cards", rename_all = "kebab-case")]
pub enum HandView {
    /// Seven backs.
    FaceDown {
        /// Whether it is set.
        set: bool,
        /// Whether its player gave it up.
        conceded: bool,
    },
    /// Seven cards, not yet set.
    Dealt {
        /// The cards.
        dealt: Vec<Card>,
    },
    /// A set hand.
    Set {
        /// The two cards in front.
        low: Vec<Card>,
        /// The five behind.
        high: Vec<Card>,
        /// How it came to be set.
        how: Option<How>,
    },
}

/// A finished round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct PastView {
    /// Its number.
    pub round: u64,
    /// Who held the bank.
    pub bank: Bank,
    /// The hands that were shown.
    pub hands: Vec<(Position, HandView)>,
    /// The banker's.
    pub banker: HandView,
    /// The house's own.
    pub house: Option<HandView>,
    /// Cards that nobody was shown: left over, discarded and out of play. For an auditor alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<Vec<Card>>,
    /// What it came to.
    pub lines: Vec<Line>,
    /// What was collected before it. Of a void round everything went back.
    pub fees: Vec<Fee>,
    /// The clause that makes it void, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub void: Option<Text>,
}

fn sorted(cards: CardSet) -> Vec<Card> {
    cards.from_the_top().collect()
}

fn set(all: CardSet, low: CardSet, how: Option<How>) -> HandView {
    HandView::Set { low: sorted(low), high: sorted(all.without(low)), how }
}

/// The table as an onlooker may see it at a moment.
pub fn view(table: &Table, look: impl Into<Look>, at: u64) -> TableView {
    let look = look.into();
    let last = table.last_round().map(|past| past_view(table, look, past));
    view_beside(table, look.by, at, last)
}

/// The round before as an onlooker may see it. It changes seldom: whoever sends views often keeps it.
pub fn past_view(table: &Table, look: impl Into<Look>, past: &Past) -> PastView {
    let Look { by, conceded } = look.into();
    Seer { table, onlooker: by }.past(past, conceded == Some(past.round))
}

/// The table as an onlooker may see it at a moment, beside a view of the round before that was made
/// already.
pub fn view_beside<Last>(
    table: &Table,
    onlooker: Onlooker,
    at: u64,
    last: Option<Last>,
) -> TableView<Last> {
    let seer = Seer { table, onlooker };
    let places = Places::of(&table.setup().rulebook);
    let (phase, until, bank, play) = match table.phase() {
        Phase::Idle => (PhaseView::Idle, None, None, None),
        Phase::Offering { to, until, .. } => (PhaseView::Offering { to: *to }, *until, None, None),
        Phase::Betting(it) => (PhaseView::Betting, it.until, Some(it.bank), None),
        Phase::Closed(it, _) => (PhaseView::Closed, None, Some(it.bank), None),
        Phase::Setting(play) => (PhaseView::Setting, play.until, Some(play.bank), Some(play)),
        Phase::Revealed(play) => (PhaseView::Revealed, play.until, Some(play.bank), Some(play)),
    };
    let shown = matches!(table.phase(), Phase::Revealed(_));
    TableView {
        version: table.version(),
        rules: table.setup().rulebook.id.to_string(),
        round: table.round(),
        phase,
        until,
        bank,
        button: table.button(),
        action: play.and_then(|play| play.action),
        seats: (1..=places.seats).map(|number| seer.seat(Position(number))).collect(),
        banker: play.map(|play| seer.banker(play, shown)),
        house: play.and_then(|play| play.house).map(|house| match house.low {
            Some(low) if shown => set(house.dealt.cards(), low, None),
            _ => HandView::FaceDown { set: false, conceded: false },
        }),
        stack: seer.person().and_then(|person| Some(table.people().get(&person)?.stack)),
        options: match onlooker {
            Onlooker::Player(person) => options(table, person, Role::Player, at),
            Onlooker::Staff(person, role) => options(table, person, role, at),
            Onlooker::Spectator | Onlooker::Auditor => vec![],
        },
        last,
    }
}

/// What lies at a position, a banking player's own bonus bet included.
fn stakes(play: &InPlay, position: Position) -> Stakes {
    let mut stakes = play.hands.get(&position).map(|hand| hand.stakes.clone()).unwrap_or_default();
    if let Bank::Player { position: at, person, .. } = play.bank
        && at == position
        && play.banker_fortune > Cents::ZERO
    {
        stakes.add(Wager::Fortune, person, play.banker_fortune);
    }
    stakes
}

struct Seer<'a> {
    table: &'a Table,
    onlooker: Onlooker,
}

impl Seer<'_> {
    fn person(&self) -> Option<Person> {
        match self.onlooker {
            Onlooker::Player(person) => Some(person),
            _ => None,
        }
    }

    fn seat(&self, position: Position) -> SeatView {
        let person = self.table.seats().get(&position).copied();
        let (stakes, hand) = match self.table.phase() {
            Phase::Betting(it) | Phase::Closed(it, _) => {
                (it.stakes.get(&position).cloned().unwrap_or_default(), None)
            }
            Phase::Setting(play) | Phase::Revealed(play) => (
                stakes(play, position),
                play.hands.get(&position).map(|_| self.hand(play, position)),
            ),
            Phase::Idle | Phase::Offering { .. } => (Stakes::default(), None),
        };
        let stack = person.and_then(|person| Some(self.table.people().get(&person)?.stack));
        let left_to_dealer = match self.table.phase() {
            Phase::Setting(play) => play.left_to_dealer.contains(&position),
            _ => false,
        };
        let rules = self.table.setup().rulebook.envy.as_ref();
        let envy = rules.is_some_and(|it| it.is_carried_by(stakes.total(Wager::Fortune)));
        SeatView { position, person, stack, stakes, envy, hand, left_to_dealer }
    }

    /// A hand in play: one's own once it was looked at, others' not before the round is settled.
    fn hand(&self, play: &InPlay, position: Position) -> HandView {
        let hand = &play.hands[&position];
        let own = self.person() == Some(hand.holder) && hand.viewed;
        match hand.low {
            Some((low, how)) if own => set(hand.dealt.cards(), low, Some(how)),
            None if own => HandView::Dealt { dealt: sorted(hand.dealt.cards()) },
            low => HandView::FaceDown {
                set: low.is_some(),
                conceded: matches!(hand.standing, Standing::Conceded(_)),
            },
        }
    }

    /// The banker's hand: a banking player sees their own cards once all others have set.
    fn banker(&self, play: &InPlay, shown: bool) -> HandView {
        match play.banker.low {
            Some(low) if shown => return set(play.banker.dealt.cards(), low, None),
            _ => {}
        }
        let sets_freely = self.table.setup().rulebook.bank.player_banker.is_some();
        let all_set = play.hands.values().all(|hand| hand.low.is_some());
        match play.bank {
            Bank::Player { person, .. }
                if sets_freely && all_set && self.person() == Some(person) =>
            {
                HandView::Dealt { dealt: sorted(play.banker.dealt.cards()) }
            }
            _ => HandView::FaceDown { set: false, conceded: false },
        }
    }

    /// A finished round: what was compared was shown to all. A conceded hand was not, and is for
    /// those alone whom the rules let see it and who look at it on purpose; nor was one whose wagers
    /// went back.
    fn past(&self, past: &Past, on_purpose: bool) -> PastView {
        let play = &past.play;
        let concession = self.table.setup().rulebook.concession.as_ref();
        let may_see_conceded = match self.onlooker {
            Onlooker::Auditor => true,
            Onlooker::Staff(_, role) => {
                on_purpose && concession.is_some_and(|rule| may_act(role, rule.viewed_by))
            }
            Onlooker::Player(_) | Onlooker::Spectator => false,
        };
        let hands = play.hands.iter().map(|(&position, hand)| {
            let conceded = matches!(hand.standing, Standing::Conceded(_));
            let own = self.person() == Some(hand.holder) && hand.viewed;
            let compared = past.void.is_none() || self.onlooker == Onlooker::Auditor;
            let may_see = match &hand.standing {
                // What was not compared was not shown.
                _ if !compared => own,
                Standing::Plays | Standing::Dead(_) => true,
                Standing::Conceded(_) => own || may_see_conceded,
                Standing::Returned(_) => own || self.onlooker == Onlooker::Auditor,
            };
            let seen = match hand.low {
                Some((low, how)) if may_see => set(hand.dealt.cards(), low, Some(how)),
                None if may_see => HandView::Dealt { dealt: sorted(hand.dealt.cards()) },
                low => HandView::FaceDown { set: low.is_some(), conceded },
            };
            (position, seen)
        });
        let auditor = self.onlooker == Onlooker::Auditor;
        // A round that is void may have ended before the banker's hand was shown.
        let shown = |hand: &BankerHand| match hand.low {
            Some(low) => set(hand.dealt.cards(), low, None),
            None if auditor => HandView::Dealt { dealt: sorted(hand.dealt.cards()) },
            None => HandView::FaceDown { set: false, conceded: false },
        };
        PastView {
            round: past.round,
            bank: play.bank,
            hands: hands.collect(),
            banker: shown(&play.banker),
            house: play.house.as_ref().map(shown),
            unseen: auditor.then(|| {
                let discarded = play.discarded.iter().map(|(_, cards)| *cards);
                sorted(discarded.fold(play.left_over, CardSet::union))
            }),
            lines: past.lines.clone(),
            fees: if past.void.is_none() { play.fees.clone() } else { vec![] },
            void: past.void.clone(),
        }
    }
}
