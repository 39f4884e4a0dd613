//! What onlookers see: never a card they may not. `HOUSEWAY_PAIRS` says over how many pairs of rounds.

mod common;

use std::collections::BTreeSet;

use common::{Chance, DEALER, Night, at, cards, in_play, staff};
use houseway_rules::rulebook::{Incident, Role, Rulebook, Wager};
use houseway_rules::{Card, CardSet, Cents, houses, set_house_way};
use houseway_table::deal::{Deck, Spot};
use houseway_table::view::{HandView, Look, Onlooker, view};
use houseway_table::{
    Action, Actor, Bank, Call, Command, Event, InPlay, Person, Phase, Places, Position, Repair,
    Ruling, decide, seen,
};

/// A table with three players, each at the seat of their number, bets closed. A player banks where one
/// must.
fn closed(rulebook: &'static Rulebook, people: [u32; 3]) -> Night {
    let mut night = Night::new(rulebook);
    for person in people {
        night.seat(person, 2_000);
    }
    night.open();
    let banker = match night.table.phase() {
        Phase::Offering { to, .. } => Some(u32::from(to.0)),
        _ => None,
    };
    if let Some(banker) = banker {
        night.bank(banker, 500);
    }
    for person in people.into_iter().filter(|&it| Some(it) != banker) {
        night.standard(person, 20);
        if person != people[0] {
            night.fortune(person, 5);
        }
    }
    // One who may look at one hand only has a second one, further on.
    if &*rulebook.id == "mbs-2020" {
        let mut further = people[1] + 1..;
        let seat = further.find(|seat| !people.contains(seat)).expect("a free seat") as u8;
        night.must(Actor::player(people[1]), Action::Sit { position: Position(seat) });
        night.place(people[1], seat, Wager::Standard, 20);
    }
    night.close();
    night
}

/// The same, and a player banks where one may: the one with the button, against two.
fn closed_with_a_banker(rulebook: &'static Rulebook, people: [u32; 3]) -> Night {
    let mut night = closed(rulebook, people);
    if rulebook.bank.player_banker.is_none() {
        return night;
    }
    night.deal(1, &[]);
    night.set_all();
    night.reveal();
    night.settle();
    night.open();
    let banks = Action::TakeBank { put_up: Cents::dollars(500), house_wager: Cents::ZERO };
    let banker = people.into_iter().find(|&it| night.ask(Actor::player(it), banks.clone()).is_ok());
    let banker = banker.expect("someone has the button");
    for person in people.into_iter().filter(|&it| it != banker) {
        night.standard(person, 20);
        night.fortune(person, 5);
    }
    night.close();
    night
}

/// How far a round is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// It becomes void before the banker's hand is shown.
    Void,
    /// The banker's hand is shown, and no more.
    Shown,
    /// It is settled and the next one begins. A hand may have left it before, and was never shown.
    Settled(Option<(Position, Leaves)>),
}

/// How a hand leaves a round after the banker's was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaves {
    /// Its player gives it up, where one may.
    Conceded,
    /// A shift manager rules it out, and its wagers go back.
    Out,
}

/// One of all that can be. A hand that is conceded has no Fortune Bonus on it: that is paid by its cards,
/// and what it was paid on is read out to all.
fn ending(rulebook: &Rulebook, play: &InPlay, chance: &mut Chance) -> Ending {
    let positions: Vec<Position> = play.hands.keys().copied().collect();
    let position = *chance.of(&positions);
    let bonus = play.hands[&position].stakes.total(Wager::Fortune) > Cents::ZERO;
    match chance.below(8) {
        0 | 1 => Ending::Void,
        2 | 3 => Ending::Shown,
        4 => Ending::Settled(None),
        5 | 6 if rulebook.concession.is_some() && !bonus => {
            Ending::Settled(Some((position, Leaves::Conceded)))
        }
        _ => Ending::Settled(Some((position, Leaves::Out))),
    }
}

/// All cards that an onlooker who holds some positions may see of a round until its end, the next
/// round included.
fn ever_seen(play: &InPlay, onlooker: Onlooker, own: &[u8], ending: Ending) -> CardSet {
    let banks = play.bank.position().is_some_and(|position| own.contains(&position.0));
    let mut seen = CardSet::EMPTY;
    if ending != Ending::Void || banks {
        seen = play.banker.dealt.cards();
    }
    if let (Some(house), true) = (play.house, ending != Ending::Void) {
        seen = seen.union(house.dealt.cards());
    }
    for (&position, hand) in &play.hands {
        let shown = match ending {
            Ending::Void | Ending::Shown => false,
            Ending::Settled(Some((left, how))) if left == position => match onlooker {
                Onlooker::Auditor => true,
                Onlooker::Staff(_, role) => how == Leaves::Conceded && role >= Role::PitSupervisor,
                Onlooker::Player(_) | Onlooker::Spectator => false,
            },
            Ending::Settled(_) => true,
        };
        if shown || own.contains(&position.0) {
            seen = seen.union(hand.dealt.cards());
        }
    }
    seen
}

/// A deck, and the round as it would be dealt from it.
fn dealt(night: &Night, deck: &[Card]) -> InPlay {
    let deck = Deck::try_from(deck.to_vec()).expect("53 cards");
    let mut probe = Night { table: night.table.clone(), log: vec![], now: 0 };
    let events = probe.must(DEALER, Action::Deal { deck, number: 1 });
    assert!(matches!(events[0], Event::Dealt { .. }));
    in_play(&probe).clone()
}

/// A deck with all cards but these at other places, as chance has it.
fn shuffled_but(deck: &[Card], fixed: CardSet, chance: &mut Chance) -> Vec<Card> {
    let mut others: Vec<Card> =
        deck.iter().copied().filter(|&card| !fixed.contains(card)).collect();
    chance.shuffle(&mut others);
    let mut others = others.into_iter();
    let kept = deck.iter().map(|&card| match fixed.contains(card) {
        true => card,
        false => others.next().expect("as many as before"),
    });
    kept.collect()
}

/// What is done in a pair of rounds.
#[derive(Clone, Copy)]
struct Plan<'a> {
    /// What the onlooker holds.
    own: &'a [u8],
    /// Whether the first player leaves the setting to the dealer.
    by_the_dealer: bool,
    /// Whether others foul where they can.
    fouls: bool,
    ending: Ending,
}

/// The steps of a round after the deal: everyone looks and sets a hand, or has it set; then it ends
/// as it is planned.
fn steps(night: &Night, plan: Plan<'_>) -> Vec<(Actor, Action)> {
    let Phase::Setting(play) = night.table.phase() else { panic!("dealt") };
    let rulebook = &night.table.setup().rulebook;
    let mut steps = vec![];
    let mut seen = vec![];
    for (&position, hand) in &play.hands {
        // A second hand is set the House Way once the first was looked at.
        if seen.contains(&hand.holder) {
            continue;
        }
        seen.push(hand.holder);
        let who = Actor::player(hand.holder.0);
        steps.push((who, Action::View { position }));
        let house_way = set_house_way(rulebook, hand.dealt).setting.low();
        let foul = || {
            let all = hand.dealt.cards().iter();
            let pairs = all.clone().flat_map(|a| all.clone().map(move |b| [a, b]));
            let lows = pairs.map(|pair| pair.into_iter().fold(CardSet::EMPTY, CardSet::with));
            let mut lows = lows.filter(|low| low.len() == 2);
            lows.find(|&low| hand.dealt.set(low, rulebook.ranking()).is_err())
        };
        let others = plan.fouls && !plan.own.contains(&position.0);
        let low = others.then(foul).flatten().unwrap_or(house_way);
        steps.push(match plan.by_the_dealer && steps.len() == 1 {
            true => (who, Action::SetHouseWay { position }),
            false => (who, Action::Set { position, low }),
        });
    }
    let by_ruling = |ruling| {
        let reason = "the lights went out".into();
        (staff(Role::GamingShiftManager), Action::Rule { ruling, reason })
    };
    let sets_freely = rulebook.bank.player_banker.is_some() && play.bank.position().is_some();
    steps.push(match play.bank {
        _ if plan.ending == Ending::Void => by_ruling(Ruling::Void),
        Bank::Player { person, .. } if sets_freely => {
            let low = set_house_way(rulebook, play.banker.dealt).setting.low();
            (Actor::player(person.0), Action::SetBanker { low })
        }
        _ => (DEALER, Action::Reveal { low: None }),
    });
    if let Ending::Settled(leaves) = plan.ending {
        steps.extend(leaves.map(|(position, how)| match how {
            Leaves::Conceded => {
                let holder = play.hands[&position].holder;
                (Actor::player(holder.0), Action::Concede { position })
            }
            Leaves::Out => by_ruling(Ruling::HandOut(position)),
        }));
        steps.extend([(DEALER, Action::Settle), (DEALER, Action::OpenRound)]);
    }
    steps
}

/// What an onlooker is answered who tries their luck on hands that are not theirs to see: a refusal
/// must not tell a card either.
fn answers(night: &Night, onlooker: Onlooker, own: &[u8]) -> String {
    let by = match onlooker {
        Onlooker::Player(person) => Actor { person, role: Role::Player },
        Onlooker::Staff(person, role) => Actor { person, role },
        Onlooker::Spectator | Onlooker::Auditor => return String::new(),
    };
    let mut answers = vec![];
    for position in (1..=7).map(Position).filter(|at| !own.contains(&at.0)) {
        let tries =
            ["Ac Ad", "Kh 2c", "Jk 7s"].map(|low| Action::Set { position, low: cards(low) });
        let others = [Action::View { position }, Action::Concede { position }];
        for action in tries.into_iter().chain(others) {
            let decided = decide(&night.table, &Command { by, at: 0, action });
            answers.push(decided.err().map_or("granted".to_string(), |it| it.to_string()));
        }
        let spot = Some(Spot::At(position));
        for (what, repair) in [
            (Incident::WrongHouseWay, None),
            (Incident::BankerMisset, None),
            (Incident::BankerMisset, Some(Repair::Lay(cards("Ac Ad")))),
        ] {
            let action = Action::Call(Call { what, spot, repair });
            let decided = decide(&night.table, &Command { by, at: 0, action });
            answers.push(decided.err().map_or("granted".to_string(), |it| it.to_string()));
        }
    }
    answers.join("; ")
}

/// Everything that an onlooker is told of a night.
fn told(night: &Night, onlooker: Onlooker, own: &[u8]) -> String {
    let view = serde_json::to_string(&view(&night.table, onlooker, 0)).expect("a view is text");
    let happened: Vec<seen::Seen<'_>> = night.log.iter().map(seen::seen).collect();
    let happened = serde_json::to_string(&happened).expect("events are text");
    format!("{view}\n{happened}\n{}", answers(night, onlooker, own))
}

/// How many bytes of two texts are not the same; what one has beyond the other counts as well.
fn differing(one: &str, other: &str) -> usize {
    let unlike = one.bytes().zip(other.bytes()).filter(|(a, b)| a != b).count();
    unlike + one.len().abs_diff(other.len())
}

/// What pairs of rounds came to.
#[derive(Default)]
struct Pairs {
    compared: u64,
    settled: u64,
    left: u64,
    differing: usize,
    /// Where the first difference was.
    first: Option<String>,
}

impl Pairs {
    fn compare(&mut self, twins: &[Night; 2], onlooker: Onlooker, own: &[u8], place: &str) {
        let [one, other] = twins.each_ref().map(|night| told(night, onlooker, own));
        self.compared += 1;
        let differing = differing(&one, &other);
        if differing > 0 {
            self.differing += differing;
            self.first.get_or_insert_with(|| format!("{place}, {onlooker:?}:\n{one}\n{other}"));
        }
    }

    /// A pair of rounds from a night with closed bets, for one onlooker.
    fn play(&mut self, night: &Night, onlooker: Onlooker, own: &[u8], chance: &mut Chance) {
        let rulebook = &*night.table.setup().rulebook;
        let mut deck: Vec<Card> = Card::all().collect();
        chance.shuffle(&mut deck);
        let play = dealt(night, &deck);
        let ending = ending(rulebook, &play, chance);
        let fixed = ever_seen(&play, onlooker, own, ending);
        let other = shuffled_but(&deck, fixed, chance);
        let mut twins = [deck, other].map(|deck| {
            let mut twin = Night { table: night.table.clone(), log: vec![], now: 0 };
            let deck = Deck::try_from(deck).expect("53 cards");
            twin.must(DEALER, Action::Deal { deck, number: 1 });
            twin
        });
        // In one of the two rounds others foul: until hands are compared nobody can tell.
        let settled = matches!(ending, Ending::Settled(_));
        let fouls = !settled && chance.below(3) == 0;
        let by_the_dealer = chance.below(2) == 0;
        let plan = Plan { own, by_the_dealer, fouls: false, ending };
        let plans = [steps(&twins[0], plan), steps(&twins[1], Plan { fouls, ..plan })];
        self.settled += u64::from(settled);
        self.left += u64::from(matches!(ending, Ending::Settled(Some(_))));
        self.compare(&twins, onlooker, own, &format!("{} dealt", rulebook.id));
        for place in 0..plans[0].len() {
            for (twin, plan) in twins.iter_mut().zip(&plans) {
                let (by, action) = plan[place].clone();
                twin.must(by, action);
            }
            // Every card of a round that is over is an auditor's.
            let over = ending == Ending::Void && place + 1 == plans[0].len();
            if onlooker != Onlooker::Auditor || !over {
                let place = format!("{} {ending:?} step {place}", rulebook.id);
                self.compare(&twins, onlooker, own, &place);
            }
        }
    }
}

/// Pairs of rounds that differ only in cards an onlooker may not see look alike to that onlooker,
/// byte for byte: while they are played, when they are void, and once they are settled.
#[test]
fn what_may_not_be_seen_makes_no_difference() {
    let pairs = std::env::var("HOUSEWAY_PAIRS").map_or(5_400, |it| it.parse().expect("a number"));
    let rounds = usize::div_ceil(pairs, houses::HOUSES.len());
    let (mut chance, mut found) = (Chance(7), Pairs::default());
    let mut seats = BTreeSet::new();
    for rulebook in houses::HOUSES {
        let last = u32::from(Places::of(rulebook).seats);
        let people = [[1, 3, 6], [2, 4, 5], [1, 4, last]];
        let nights = people.map(|it| [closed(rulebook, it), closed_with_a_banker(rulebook, it)]);
        for round in 0..rounds {
            let which = chance.below(people.len());
            let night = &nights[which][chance.below(2)];
            let player = round % 9;
            let onlooker = match player {
                0..=2 => Onlooker::Player(Person(people[which][player])),
                3 => Onlooker::Spectator,
                4 => Onlooker::Auditor,
                5 => Onlooker::Staff(Person(901), Role::Dealer),
                6 => Onlooker::Staff(Person(902), Role::PitSupervisor),
                7 => Onlooker::Staff(Person(903), Role::PitManager),
                _ => Onlooker::Staff(Person(904), Role::GamingShiftManager),
            };
            let own = match onlooker {
                Onlooker::Player(person) => vec![person.0 as u8],
                _ => vec![],
            };
            seats.extend(own.iter().map(|&seat| (rulebook.id.to_string(), seat)));
            found.play(night, onlooker, &own, &mut chance);
        }
    }
    let all = houses::HOUSES.iter().map(|it| usize::from(Places::of(it).seats)).sum::<usize>();
    let pairs = rounds * houses::HOUSES.len();
    let Pairs { compared, settled, left, differing, first } = found;
    eprintln!(
        r#"figures {{"pairs": {pairs}, "views-compared": {compared}, "settled": {settled}, "hands-left": {left}, "seats": {}, "differing": {differing}}}"#,
        seats.len()
    );
    assert_eq!(differing, 0, "{}", first.unwrap_or_default());
    assert_eq!(seats.len(), all, "every seat of every house looked on");
    assert!(settled * 3 > pairs as u64, "{settled} of {pairs} are played to the end");
}

/// What the test above counts can be more than nothing: the hand of another who looks.
#[test]
fn a_difference_is_counted() {
    assert_eq!(differing("the same", "the same"), 0);
    assert_eq!(differing("the sane", "the same"), 1);
    assert_eq!(differing("the same", "the same, longer"), 8);
    let night = closed(&houses::MBS_2020, [1, 3, 6]);
    let (me, mut chance, mut found) = (Onlooker::Player(Person(3)), Chance(1), Pairs::default());
    // As if what they hold themselves were nothing to them.
    for _ in 0..20 {
        found.play(&night, me, &[], &mut chance);
    }
    assert!(found.differing > 0 && found.first.is_some());
}

/// The test above can fail: a player who has looked sees their own cards, and no one else's.
#[test]
fn one_sees_ones_own_hand_after_looking() {
    let mut night = closed(&houses::MBS_2020, [1, 3, 6]);
    night.deal(0, &[(at(3), "Ac Kd Js 9h 7c 4d 3s")]);
    let hand = |night: &Night, onlooker: Onlooker, position: usize| {
        view(&night.table, onlooker, 0).seats[position - 1].hand.clone()
    };
    let me = Onlooker::Player(Person(3));
    let hidden = Some(HandView::FaceDown { set: false, conceded: false });
    assert_eq!(hand(&night, me, 3), hidden, "before looking");
    night.must(Actor::player(3), Action::View { position: Position(3) });
    let dealt = vec!["Ac", "Kd", "Js", "9h", "7c", "4d", "3s"];
    let dealt: Vec<Card> = dealt.into_iter().map(|card| card.parse().expect("a card")).collect();
    assert_eq!(hand(&night, me, 3), Some(HandView::Dealt { dealt }));
    let again = night.refused(Actor::player(3), Action::View { position: Position(3) });
    assert_eq!(again, "the hand was looked at");
    assert_eq!(hand(&night, Onlooker::Player(Person(1)), 3), hidden);
    assert_eq!(hand(&night, Onlooker::Staff(Person(9), Role::PitManager), 3), hidden);
    assert_eq!(hand(&night, Onlooker::Auditor, 3), hidden, "a round in play is nobody's to read");
}

/// `mbs-2020` 3.16.1.1: a conceded hand is shown to a Pit Supervisor who looks at it, to nobody in
/// passing, and to players and dealers not at all.
#[test]
fn mbs_2020_3_16_1_1_a_conceded_hand_is_for_the_pit_supervisor() {
    let mut night = closed(&houses::MBS_2020, [1, 3, 6]);
    night.deal(0, &[]);
    night.set_all();
    night.reveal();
    night.must(Actor::player(3), Action::Concede { position: Position(3) });
    night.settle();
    let seen = |by: Onlooker, conceded: Option<u64>| {
        let last = view(&night.table, Look { by, conceded }, 0).last.expect("a round was played");
        let hand = last.hands.into_iter().find(|(position, _)| *position == Position(3));
        matches!(hand.expect("it was in play").1, HandView::Set { .. })
    };
    let staff = |role| Onlooker::Staff(Person(9), role);
    let (pit, shift) = (staff(Role::PitSupervisor), staff(Role::GamingShiftManager));
    for by in [Onlooker::Player(Person(1)), Onlooker::Spectator, staff(Role::Dealer)] {
        assert!(!seen(by, None) && !seen(by, Some(1)), "{by:?}");
    }
    for by in [pit, staff(Role::PitManager), shift] {
        assert!(!seen(by, None), "{by:?} in passing");
        assert!(!seen(by, Some(2)), "{by:?} who looks at another round");
        assert!(seen(by, Some(1)), "{by:?} on purpose (6.2)");
    }
    for by in [Onlooker::Player(Person(3)), Onlooker::Auditor] {
        assert!(seen(by, None), "{by:?}");
    }
}

/// A banking player sees their hand only once all others have set.
#[test]
fn catfish_bend_b16_the_banker_looks_last() {
    let mut night = Night::new(&houses::CATFISH_BEND);
    night.seat(2, 500);
    night.seat(6, 500);
    night.open();
    night.standard(6, 20);
    night.close();
    night.deal(1, &[]);
    night.set_all();
    night.reveal();
    night.settle();
    night.open();
    night.standard(2, 20);
    night.bank(6, 100);
    night.close();
    night.deal(1, &[(at(6), "Ac Kd Js 9h 7c 4d 3s")]);
    let banker = |night: &Night| view(&night.table, Onlooker::Player(Person(6)), 0).banker;
    assert!(matches!(banker(&night), Some(HandView::FaceDown { .. })));
    night.set_all();
    assert!(matches!(banker(&night), Some(HandView::Dealt { .. })));
    night.must(Actor::player(6), Action::SetBanker { low: cards("Kd Js") });
    assert!(
        matches!(night.table.phase(), Phase::Revealed(play) if matches!(play.bank, Bank::Player { .. }))
    );
}
