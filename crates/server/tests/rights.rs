//! Who may do what: every endpoint and every command against everyone, from one page,
//! `docs/rights.md`. Nothing may succeed that the page does not say, and the page says nothing that
//! cannot be.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::mem::{Discriminant, discriminant};
use std::path::Path;

use common::OpenHouse;
use common::cast::{self, Known, STANDINGS, guest, operator, registered, staff};
use common::endpoints::{self, About};
use common::http::{done, send};
use common::live::Live;
use houseway_rules::rulebook::{Incident, Role, Wager};
use houseway_rules::{Card, CardSet, Cents, houses};
use houseway_server::bots::Strategy;
use houseway_server::desk::{Ask, Desk, HouseAsk};
use houseway_server::knowledge::{Reader, Sight, named};
use houseway_server::pace::{self, Next};
use houseway_server::record::{Bot, Opening, RulebookSource, Stamped};
use houseway_server::vault::Vault;
use houseway_store::TableId;
use houseway_table::deal::{Deck, Spot};
use houseway_table::view::{Look, Onlooker, past_view};
use houseway_table::{
    Action, Actor, Call, Offer, Person, Phase, Places, Position, Posted, Repair, Ruling, Time,
    options,
};
use serde_json::{Value, json};
use uuid::Uuid;

fn page_path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rights.md")
}

// ---------------------------------------------------------------------------------------------
// Endpoints.

/// The least standing that an endpoint asks for, as a number; nobody has 0.
fn rank(word: &str) -> usize {
    match word {
        "anyone" => 0,
        "someone" => 1,
        word => 1 + STANDINGS.iter().position(|it| *it == word).expect("a standing"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_endpoint_lets_in_whom_it_says() {
    let house = OpenHouse::open(21).await;
    let boss = operator(&house).await;
    let url = |at: &str| format!("{}{at}", house.url);
    let wish = json!({"rules": "mbs-2020"});
    let table = done("POST", &url("/api/tables"), Some(&boss.token), &wish)["table"].as_u64();
    let about = About { table: table.expect("a table"), scapegoat: &registered(&house) };
    let document = done("GET", &url("/api/openapi.json"), None, &Value::Null);
    endpoints::none_is_missing(&document, &endpoints::all(&about));

    let shut_out = registered(&house);
    cast::on(&house, &boss, &shut_out, "disable", &json!({"why": "for a test"}));
    let gone = registered(&house);
    done("POST", &url("/api/logout"), Some(&gone.token), &Value::Null);
    let mut callers: Vec<(&str, Option<String>, usize)> = vec![
        ("nobody", None, 0),
        ("a shut out account", Some(shut_out.token), 0),
        ("an ended session", Some(gone.token), 0),
        ("a made up token", Some("0".repeat(43)), 0),
        ("a guest", Some(guest(&house).token), 1),
    ];
    for standing in &STANDINGS[..5] {
        callers.push((standing, Some(staff(&house, &boss, standing).await.token), rank(standing)));
    }
    callers.push(("operator", Some(boss.token.clone()), rank("operator")));

    for (name, token, has) in &callers {
        for request in endpoints::all(&about) {
            let described = &document["paths"][request.path][request.method.to_lowercase()];
            let needs = rank(described["x-access"].as_str().expect("an access"));
            // Whoever comes in or goes is someone else afterwards.
            let changes = ["/api/register", "/api/login", "/api/logout"].contains(&request.path);
            let token = match changes && *has > 0 {
                true => Some(guest(&house).token),
                false => token.clone(),
            };
            let body = (!request.body.is_null()).then(|| request.body.to_string());
            let at = url(&request.at);
            let answer = send(request.method, &at, token.as_deref(), body.as_deref());
            let about = format!("{name}: {} {}: {}", request.method, request.at, answer.text);
            match (*has >= needs, *has) {
                // A socket is not for whoever shows a session that has ended.
                (true, 0) if request.path == "/api/socket" && token.is_some() => {
                    assert_eq!(answer.status, 401, "{about}");
                }
                (true, _) if request.path == "/api/cashier" => {
                    assert!([200, 409].contains(&answer.status), "{about}");
                }
                (true, _) => assert_eq!(answer.status, request.status, "{about}"),
                (false, 0) => assert_eq!(answer.status, 401, "{about}"),
                (false, _) => assert_eq!(answer.status, 403, "{about}"),
            }
        }
    }
    assert_eq!(endpoint_table(&document), section("## Endpoints"), "docs/rights.md");
}

fn endpoint_table(document: &Value) -> String {
    let mut table = String::from("| endpoint | for |\n|---|---|\n");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, described) in methods.as_object().expect("methods") {
            let (method, access) = (method.to_uppercase(), described["x-access"].as_str());
            let _ = writeln!(table, "| `{method} {path}` | {} |", access.expect("an access"));
        }
    }
    table
}

/// The table under a heading of the page.
fn section(heading: &str) -> String {
    let page = std::fs::read_to_string(page_path()).expect("docs/rights.md");
    let (_, rest) = page.split_once(heading).expect("a heading");
    let lines = rest.lines().skip_while(|it| !it.starts_with('|'));
    lines.take_while(|it| it.starts_with('|')).flat_map(|it| [it, "\n"]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_someone_is_now_decides() {
    let house = OpenHouse::open(22).await;
    let boss = operator(&house).await;
    let url = |at: &str| format!("{}{at}", house.url);
    let heads = |who: &Known| send("GET", &url("/api/heads"), Some(&who.token), None).status;
    let manager = staff(&house, &boss, "pit-manager").await;
    assert_eq!(heads(&manager), 200);
    let player = json!({"standing": "player", "why": "for a test"});
    cast::on(&house, &boss, &manager, "standing", &player);
    assert_eq!(heads(&manager), 403);
    cast::on(&house, &boss, &manager, "end-sessions", &json!({"why": "for a test"}));
    assert_eq!(heads(&manager), 401);
    // Nobody decides about themselves, and guests have no role.
    let own = url(&format!("/api/people/{}/standing", boss.person));
    let answer = send("POST", &own, Some(&boss.token), Some(&player.to_string()));
    assert_eq!(answer.status, 409, "{}", answer.text);
    let at = url(&format!("/api/people/{}/standing", guest(&house).person));
    let dealer = json!({"standing": "dealer", "why": "for a test"}).to_string();
    assert_eq!(send("POST", &at, Some(&boss.token), Some(&dealer)).status, 409);
}

/// Over HTTP too, and everyone who runs the house sees what waits.
#[tokio::test(flavor = "multi_thread")]
async fn an_operator_is_made_by_two() {
    let house = OpenHouse::open(24).await;
    let (first, second) = (operator(&house).await, operator(&house).await);
    let mary = registered(&house);
    let at = format!("{}/api/people/{}/standing", house.url, mary.person);
    let body = json!({"standing": "operator", "why": "she runs the night"});
    let ask = |who: &Known| done("POST", &at, Some(&who.token), &body);
    let people = format!("{}/api/people", house.url);
    let waiting = format!("{}/api/proposals", house.url);
    let open = || done("GET", &waiting, Some(&second.token), &Value::Null);
    let waits = ask(&first);
    assert_eq!(waits["done"], false);
    assert_eq!(ask(&first), waits, "nobody is two");
    let proposed = open()[0].take();
    let expected = json!({
        "number": 1, "person": mary.person, "name": mary.name, "standing": "operator",
        "by": first.person, "by-name": first.name, "why": body["why"], "until": waits["waits-until"],
    });
    assert_eq!(proposed, expected);
    let as_mary = send("GET", &people, Some(&mary.token), None);
    assert_eq!(as_mary.status, 403, "{}", as_mary.text);
    let decline = format!("{}/api/people/{}/decline", house.url, mary.person);
    done("POST", &decline, Some(&second.token), &json!({"why": "not her"}));
    assert_eq!(open(), json!([]));
    let gone = json!({"standing": "operator", "why": "agreed", "agrees-to": 1});
    let answer = send("POST", &at, Some(&second.token), Some(&gone.to_string()));
    assert_eq!(answer.status, 409, "{}", answer.text);
    assert_eq!(ask(&second)["done"], false);
    let agreed = json!({"standing": "operator", "why": "agreed", "agrees-to": 3});
    assert_eq!(done("POST", &at, Some(&first.token), &agreed), json!({"done": true}));
    assert_eq!(open(), json!([]));
    assert_eq!(send("GET", &people, Some(&mary.token), None).status, 200);
}

// ---------------------------------------------------------------------------------------------
// Commands.

/// Who asks, as the page has it.
const COLUMNS: [&str; 7] = [
    "at one's own seat",
    "at another's",
    "standing",
    "dealer",
    "pit supervisor",
    "pit manager",
    "shift manager",
];

const PHASES: [&str; 6] = ["idle", "offering", "betting", "closed", "setting", "revealed"];

fn phase(phase: &Phase) -> usize {
    match phase {
        Phase::Idle => 0,
        Phase::Offering { .. } => 1,
        Phase::Betting(_) => 2,
        Phase::Closed(..) => 3,
        Phase::Setting(_) => 4,
        Phase::Revealed(_) => 5,
    }
}

/// Command and column to phases.
type Matrix = BTreeMap<(String, usize), BTreeSet<usize>>;

const SEATED: Person = Person(1);
const NEIGHBOUR: Person = Person(2);
const STANDS: Person = Person(3);
const STAFF: [(u32, Role); 4] = [
    (21, Role::Dealer),
    (22, Role::PitSupervisor),
    (23, Role::PitManager),
    (24, Role::GamingShiftManager),
];

/// Everyone who asks: their column, and the positions and people that they ask about.
struct Asker {
    column: usize,
    by: Actor,
    positions: Vec<Position>,
    /// Whether what is about no position counts here too.
    plain: bool,
}

/// The askers of a table, from who sits where.
fn askers(seats: &BTreeMap<Position, Person>, all: u8, people: &[Actor; 6]) -> Vec<Asker> {
    let positions = || (1..=all).map(Position);
    let [seated, stands, staff @ ..] = people;
    let own = |it: &Position| seats.get(it).is_none_or(|person| *person == seated.person);
    let (own, others): (Vec<Position>, Vec<Position>) = positions().partition(own);
    let mut askers = vec![
        Asker { column: 0, by: *seated, positions: own, plain: true },
        Asker { column: 1, by: *seated, positions: others, plain: false },
        Asker { column: 2, by: *stands, positions: positions().collect(), plain: true },
    ];
    askers.extend((3..).zip(staff).map(|(column, by)| Asker {
        column,
        by: *by,
        positions: positions().collect(),
        plain: true,
    }));
    askers
}

/// Everything that can be asked, in every form that could be granted.
fn asks(desk: &Desk, asker: &Asker, at: u64) -> Vec<Ask> {
    let amounts = [Cents::dollars(10), Cents::dollars(100)];
    let (banker, hands) = match desk.table().phase() {
        Phase::Setting(play) | Phase::Revealed(play) => {
            let hands = play.hands.iter().map(|(at, hand)| (*at, hand.dealt.cards())).collect();
            (play.banker.dealt.cards(), hands)
        }
        _ => (Card::all().take(7).fold(CardSet::EMPTY, CardSet::with), BTreeMap::new()),
    };
    let pairs = |cards: CardSet| {
        let cards: Vec<Card> = cards.iter().collect();
        let two = |a: usize, b: usize| CardSet::EMPTY.with(cards[a]).with(cards[b]);
        (1..cards.len())
            .flat_map(move |b| (0..b).map(move |a| (a, b)))
            .map(|(a, b)| two(a, b))
            .collect::<Vec<CardSet>>()
    };
    let mut all = vec![];
    for &position in &asker.positions {
        all.extend([
            Action::Sit { position },
            Action::Leave { position },
            Action::View { position },
            Action::SetHouseWay { position },
            Action::AskHouseWay { position },
            Action::Concede { position },
            Action::Rule { ruling: Ruling::HandOut(position), reason: "for a test".into() },
        ]);
        let dealt = hands.get(&position).copied().unwrap_or(banker);
        all.extend(pairs(dealt).into_iter().map(|low| Action::Set { position, low }));
        for wager in [Wager::Standard, Wager::Fortune, Wager::TigerNine] {
            all.push(Action::Withdraw { position, wager });
            for person in [None, Some(SEATED), Some(NEIGHBOUR), Some(STANDS)] {
                let place = |amount| Action::Place { position, wager, amount, person };
                all.extend(amounts.map(place));
            }
        }
    }
    if asker.plain {
        all.extend(amounts.map(|amount| Action::BringMoney { amount }));
        all.push(Action::TakeMoney { amount: Cents::dollars(1) });
        let offers = options(desk.table(), asker.by.person, asker.by.role, at);
        let banks = offers.iter().flat_map(|offer| match offer {
            Offer::TakeBank { least, most, .. } => vec![*least, *most],
            _ => vec![],
        });
        let put_up = banks.chain([Cents::dollars(100), Cents::dollars(2_000)]);
        all.extend(put_up.map(|put_up| Action::TakeBank { put_up, house_wager: Cents::ZERO }));
        let deck = Deck::try_from(Card::all().collect::<Vec<Card>>()).expect("all cards");
        all.extend([
            Action::OpenRound,
            Action::DeclineBank,
            Action::CloseBets,
            Action::Deal { deck, number: 1 },
            Action::Reveal { low: None },
            Action::Settle,
            Action::TimeUp,
            Action::Resume,
            Action::WithdrawAll,
            Action::Rule { ruling: Ruling::PlayOn, reason: "for a test".into() },
            Action::Rule { ruling: Ruling::Void, reason: "for a test".into() },
        ]);
        all.extend(pairs(banker).into_iter().map(|low| Action::SetBanker { low }));
        all.extend(
            [SEATED, NEIGHBOUR, STANDS]
                .map(|person| Action::Restrict { person, reason: "a test".into() }),
        );
        let (one, two) = (Spot::At(Position(1)), Spot::At(Position(2)));
        let spots = [None, Some(one), Some(two), Some(Spot::Dealer)];
        let lay = pairs(banker).into_iter().next().map(Repair::Lay);
        let repairs = [None, Some(Repair::Reconstruct), Some(Repair::Swap(one, two)), lay];
        for what in Incident::ALL {
            for spot in spots {
                let call = |repair| Action::Call(Call { what: *what, spot, repair });
                all.extend(repairs.clone().map(call));
            }
        }
    }
    let of_the_house = [
        HouseAsk::Say { words: "seven".into() },
        HouseAsk::Ready,
        HouseAsk::DealCommitted,
        HouseAsk::CloseTable { why: "for a test".into() },
        HouseAsk::OpenTable { why: "for a test".into() },
    ];
    let of_the_house = of_the_house.into_iter().filter(|_| asker.plain).map(Ask::House);
    all.into_iter().map(Ask::Table).chain(of_the_house).collect()
}

/// The words of what is asked, each made once.
#[derive(Default)]
struct Words {
    game: HashMap<Discriminant<Action>, String>,
    house: HashMap<Discriminant<HouseAsk>, String>,
}

impl Words {
    fn word(&mut self, ask: &Ask) -> String {
        let fresh = || {
            let value = serde_json::to_value(ask).expect("an ask is JSON");
            value["do"].as_str().expect("a word").to_string()
        };
        match ask {
            Ask::Table(it) => self.game.entry(discriminant(it)).or_insert_with(fresh).clone(),
            Ask::House(it) => self.house.entry(discriminant(it)).or_insert_with(fresh).clone(),
        }
    }
}

/// How two guests play who want to see everything.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Evening {
    /// They leave the bank to others.
    Decline,
    /// They take it.
    Bank,
    /// The lights go out in every phase.
    Dark,
}

struct Play {
    desk: Desk,
    reader: Reader,
    at: u64,
    vault: Vault,
    evening: Evening,
    dark: BTreeSet<(u64, usize)>,
}

impl Play {
    fn new(rules: &str, evening: Evening) -> Play {
        let rulebook = houses::find(rules).expect("a rulebook");
        let time = Time {
            banking: Some(10_000),
            betting: Some(10_000),
            setting: Some(10_000),
            conceding: Some(10_000),
        };
        let posted = Posted { time, ..Posted::usual(rulebook) };
        let seats = Places::of(rulebook).seats;
        let bot = |number: u8| Bot {
            person: Person(4_000_000_000 + u32::from(number)),
            name: "Bot".into(),
            position: Position(seats - number),
            strategy: Strategy::HouseWay,
        };
        let bots = vec![bot(0), bot(1)];
        let source = RulebookSource::House(rules.into());
        let name = "A table".to_string();
        let opening = Opening {
            name,
            rulebook: source,
            posted,
            results: 1_000,
            seats: None,
            bots,
            listed: true,
        };
        let setup = opening.setup().expect("a set-up");
        let vault = common::vault(24);
        let desk = Desk::new(TableId(7), opening, setup);
        let (reader, dark) = (Reader::default(), BTreeSet::new());
        let mut play = Play { desk, reader, at: 1_000, vault, evening, dark };
        let amount = Cents::dollars(5_000);
        for person in [SEATED, NEIGHBOUR, STANDS] {
            play.does(person, Action::BringMoney { amount });
        }
        play
    }

    fn record(&mut self, by: Actor, ask: &Ask) -> bool {
        let Ok(records) = self.desk.decide(by, ask, self.at, &self.vault) else { return false };
        for record in records {
            let stamped = Stamped { by, record };
            self.reader.before(&self.desk, &stamped);
            self.desk.apply(&stamped, self.at);
            self.reader.after(&self.desk);
        }
        true
    }

    fn does(&mut self, person: Person, action: Action) -> bool {
        self.record(Actor { person, role: Role::Player }, &Ask::Table(action))
    }

    /// Something happens; false once nothing more does.
    fn step(&mut self) -> bool {
        let now = phase(self.desk.table().phase());
        let round = self.desk.table().round();
        if self.evening == Evening::Dark && self.dark.insert((round, now)) {
            let what = Incident::PowerFailureOpen;
            let call = Action::Call(Call { what, spot: None, repair: None });
            if self.record(Actor::DEALER, &Ask::Table(call)) {
                return true;
            }
        }
        if let Next::Do(by, ask) = pace::next(&self.desk, self.at) {
            return self.record(by, &ask);
        }
        for (person, position) in [(SEATED, Position(1)), (NEIGHBOUR, Position(2))] {
            if let Some(action) = self.choose(person, position) {
                return self.does(person, action);
            }
        }
        let ready = |person| (Actor { person, role: Role::Player }, Ask::House(HouseAsk::Ready));
        for person in [SEATED, NEIGHBOUR] {
            let (by, ask) = ready(person);
            // In the last phase nobody hurries: what may be done there is to be seen.
            if now != 4 && self.record(by, &ask) {
                return true;
            }
        }
        match pace::next(&self.desk, self.at) {
            Next::Wait(until) => {
                self.at = until;
                true
            }
            Next::Do(..) => true,
            Next::Rest => false,
        }
    }

    fn choose(&self, person: Person, here: Position) -> Option<Action> {
        let table = self.desk.table();
        if !table.seats().values().any(|it| *it == person) {
            return Some(Action::Sit { position: here });
        }
        let banked = matches!(table.phase(), Phase::Betting(it) if it.bank.position().is_some());
        let stakes = match table.phase() {
            Phase::Betting(betting) => betting.stakes.get(&here).cloned().unwrap_or_default(),
            _ => houseway_table::Stakes::default(),
        };
        options(table, person, Role::Player, self.at).into_iter().find_map(|offer| match offer {
            Offer::TakeBank { least, most, .. } if self.evening == Evening::Bank && !banked => {
                let half = Cents::new(most.get() / 200 * 100);
                Some(Action::TakeBank { put_up: half.max(least), house_wager: Cents::ZERO })
            }
            Offer::DeclineBank if self.evening != Evening::Bank => Some(Action::DeclineBank),
            Offer::Place { position, wager, least, person: None, .. }
                if position == here && stakes.total(wager) == Cents::ZERO =>
            {
                Some(Action::Place { position, wager, amount: least, person: None })
            }
            Offer::View { position } => Some(Action::View { position }),
            Offer::SetHouseWay { position } => Some(Action::SetHouseWay { position }),
            Offer::SetBanker { lows, .. } => {
                lows.first().map(|low| Action::SetBanker { low: *low })
            }
            _ => None,
        })
    }

    /// Adds what everyone could do now.
    fn look(&self, matrix: &mut Matrix, words: &mut Words) {
        let table = self.desk.table();
        let now = phase(table.phase());
        let seats = Places::of(&table.setup().rulebook).seats;
        let player = |person| Actor { person, role: Role::Player };
        let [a, b, c, d] = STAFF.map(|(person, role)| Actor { person: Person(person), role });
        let people = [player(SEATED), player(STANDS), a, b, c, d];
        for asker in askers(table.seats(), seats, &people) {
            for ask in asks(&self.desk, &asker, self.at) {
                let phases = matrix.entry((words.word(&ask), asker.column)).or_default();
                // What can be done once is known; time that has run out is looked at too.
                let times = [self.at, self.at + 10_001];
                if !phases.contains(&now)
                    && times
                        .iter()
                        .any(|at| self.desk.decide(asker.by, &ask, *at, &self.vault).is_ok())
                {
                    phases.insert(now);
                }
            }
        }
    }
}

/// What can be done by whom and when, under any of the rulebooks.
fn seen() -> Matrix {
    let (mut matrix, mut words) = (Matrix::new(), Words::default());
    for rules in common::RULEBOOKS {
        for evening in [Evening::Decline, Evening::Bank, Evening::Dark] {
            let mut play = Play::new(rules, evening);
            let mut reached = BTreeSet::new();
            // Long enough for the bank to come round.
            let rounds = if evening == Evening::Bank { 7 } else { 3 };
            for _ in 0..400 {
                reached.insert(phase(play.desk.table().phase()));
                play.look(&mut matrix, &mut words);
                if play.desk.table().round() > rounds || !play.step() {
                    break;
                }
            }
            assert!(play.desk.table().round() > 2, "{rules}, {evening:?}: rounds are played");
            assert!(reached.contains(&4), "{rules}: hands are set");
        }
    }
    matrix
}

fn command_table(matrix: &Matrix) -> String {
    let mut table = format!("| command | {} |\n", COLUMNS.join(" | "));
    table.push_str("|---|---|---|---|---|---|---|---|\n");
    let words: BTreeSet<&String> = matrix.keys().map(|(word, _)| word).collect();
    for word in words {
        let cell = |column| match matrix.get(&(word.clone(), column)) {
            Some(phases) if phases.len() == PHASES.len() => "always".to_string(),
            Some(phases) if !phases.is_empty() => {
                phases.iter().map(|it| PHASES[*it]).collect::<Vec<&str>>().join(", ")
            }
            _ => "–".to_string(),
        };
        let cells: Vec<String> = (0..COLUMNS.len()).map(cell).collect();
        let _ = writeln!(table, "| `{word}` | {} |", cells.join(" | "));
    }
    table
}

/// The page's table of commands, read.
fn declared() -> Matrix {
    let mut matrix = Matrix::new();
    for line in section("## Commands").lines().skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let word = cells[0].trim_matches('`').to_string();
        for (column, cell) in cells[1..].iter().enumerate() {
            let phases = (0..PHASES.len()).filter(|phase| {
                *cell == "always" || cell.split(", ").any(|it| it == PHASES[*phase])
            });
            matrix.insert((word.clone(), column), phases.collect());
        }
    }
    matrix
}

#[test]
fn commands_are_for_whom_the_page_says() {
    let seen = command_table(&seen());
    assert_eq!(seen, section("## Commands"), "docs/rights.md; it would be right as\n{seen}");
}

/// `mbs-2020` 3.16.1.1: whoever looks at conceded hands is shown what the log says they may see by it,
/// card for card; whoever does not is not.
#[test]
fn one_who_looks_at_conceded_hands_sees_those_and_no_other_hidden_card() {
    let mut play = Play::new("mbs-2020", Evening::Decline);
    while !matches!(play.desk.table().phase(), Phase::Revealed(_)) {
        assert!(play.step(), "a hand is shown");
    }
    assert!(play.does(SEATED, Action::Concede { position: Position(1) }));
    while play.desk.table().last_round().is_none() {
        assert!(play.step(), "the round ends");
    }
    let table = play.desk.table();
    let past = table.last_round().expect("a round");
    let shown = play.reader.round(past.round).expect("it had cards");
    for (person, role) in STAFF {
        let (by, sight) = (Onlooker::Staff(Person(person), role), Sight { person: None, role });
        let seen = |conceded| {
            let seen = past_view(table, Look { by, conceded }, past);
            named(&serde_json::to_string(&seen).expect("a view is JSON"))
        };
        assert_eq!(seen(None), shown.of(sight), "{role:?} in passing");
        let looks = shown.of_one_who_looks(sight);
        assert_eq!(seen(Some(past.round)), looks, "{role:?} on purpose");
        let more = if role == Role::Dealer { 0 } else { 7 };
        assert_eq!(looks.without(shown.of(sight)).len(), more, "{role:?}");
    }
}

/// A table over HTTP with someone in every column.
struct Company<'a> {
    house: &'a OpenHouse,
    table: u64,
    /// Another table, where nobody is and nothing goes on.
    elsewhere: u64,
    seated: Known,
    neighbour: Known,
    stands: Known,
    staff: Vec<Known>,
}

impl Company<'_> {
    /// At a table where nobody is hurried.
    async fn gather<'a>(house: &'a OpenHouse, boss: &Known) -> Company<'a> {
        let url = format!("{}/api/tables", house.url);
        let mut wish = json!({"rules": "mbs-2020", "results": 120_000});
        let usual = done("POST", &url, Some(&boss.token), &wish)["table"].clone();
        // Nobody is hurried.
        wish["posted"] =
            done("GET", &format!("{url}/{usual}"), None, &Value::Null)["posted"].take();
        wish["posted"]["time"] = json!({});
        let table = done("POST", &url, Some(&boss.token), &wish)["table"].as_u64();
        let table = table.expect("a table");
        let mut working = vec![];
        for standing in &STANDINGS[1..5] {
            working.push(staff(house, boss, standing).await);
        }
        let [seated, neighbour, stands] = [guest(house), guest(house), guest(house)];
        let elsewhere = usual.as_u64().expect("a table");
        Company { house, table, elsewhere, seated, neighbour, stands, staff: working }
    }

    fn ask(&self, who: &Known, ask: &Value) -> Value {
        let at = format!("{}/api/tables/{}/commands", self.house.url, self.table);
        let body = json!({"id": Uuid::new_v4(), "command": ask});
        done("POST", &at, Some(&who.token), &body)["answer"].clone()
    }

    fn does(&self, who: &Known, ask: &Value) {
        let answer = self.ask(who, ask);
        assert_eq!(answer["answer"], "done", "{ask}: {answer}");
    }

    async fn desk(&self) -> Desk {
        let room = self.house.serving.app.house.room(TableId(self.table)).await.expect("a table");
        room.now().desk.clone()
    }

    /// Everyone tries everything that the page does not allow in this phase.
    async fn try_what_is_forbidden(&self, expected: &str, declared: &Matrix) {
        let desk = self.desk().await;
        let now = phase(desk.table().phase());
        assert_eq!(PHASES[now], expected);
        let actor = |known: &Known, role| Actor { person: Person(known.person), role };
        let roles = STAFF.map(|(_, role)| role);
        let staff: Vec<Actor> =
            self.staff.iter().zip(roles).map(|(it, role)| actor(it, role)).collect();
        let [a, b, c, d] = staff[..] else { panic!("four of the staff") };
        let player = |known| actor(known, Role::Player);
        let people = [player(&self.seated), player(&self.stands), a, b, c, d];
        let seats = Places::of(&desk.table().setup().rulebook).seats;
        let mut tried = 0;
        for asker in askers(desk.table().seats(), seats, &people) {
            let known = [&self.seated, &self.seated, &self.stands].into_iter().chain(&self.staff);
            let known = known.collect::<Vec<&Known>>()[asker.column];
            let (mut words, mut asked) = (Words::default(), BTreeMap::<String, usize>::new());
            for ask in asks(&desk, &asker, self.house.serving.app.house.now()) {
                let word = words.word(&ask);
                if declared[&(word.clone(), asker.column)].contains(&now) {
                    continue;
                }
                // Every command in its first forms: all of them were put to the rules themselves.
                let forms = asked.entry(word).or_default();
                *forms += 1;
                if *forms > 4 {
                    continue;
                }
                let ask = serde_json::to_value(&ask).expect("an ask is JSON");
                let answer = self.ask(known, &ask);
                let about = format!("{expected}: {} asks {ask}: {answer}", COLUMNS[asker.column]);
                assert_eq!(answer["answer"], "refused", "{about}");
                tried += 1;
            }
        }
        assert!(tried > 100, "{expected}: {tried}");
        self.try_without_a_name(&desk).await;
        self.try_elsewhere(declared).await;
    }

    /// Whoever shows nothing does nothing, whatever the phase.
    async fn try_without_a_name(&self, desk: &Desk) {
        let at = format!("{}/api/tables/{}/commands", self.house.url, self.table);
        let before = self.desk().await.table().version();
        for (word, ask) in self.first_forms(desk) {
            let body = json!({"id": Uuid::new_v4(), "command": ask}).to_string();
            let answer = send("POST", &at, None, Some(&body));
            assert_eq!(answer.status, 401, "nobody asks {word}: {}", answer.text);
        }
        assert_eq!(self.desk().await.table().version(), before, "nothing has happened");
    }

    /// A seat at one table is none at another.
    async fn try_elsewhere(&self, declared: &Matrix) {
        let room = self.house.serving.app.house.room(TableId(self.elsewhere)).await;
        let desk = room.expect("a table").now().desk.clone();
        let now = phase(desk.table().phase());
        let at = format!("{}/api/tables/{}/commands", self.house.url, self.elsewhere);
        let mut tried = 0;
        for (word, ask) in self.first_forms(&desk) {
            if !declared[&(word, 2)].contains(&now) {
                let body = json!({"id": Uuid::new_v4(), "command": ask});
                let answer = done("POST", &at, Some(&self.seated.token), &body)["answer"].take();
                assert_eq!(answer["answer"], "refused", "elsewhere: {ask}: {answer}");
                tried += 1;
            }
        }
        assert!(tried > 10, "elsewhere: {tried}");
    }

    /// One form of everything that can be asked at a table.
    fn first_forms(&self, desk: &Desk) -> BTreeMap<String, Value> {
        let by = Actor { person: Person(self.seated.person), role: Role::Player };
        let positions = vec![Position(1)];
        let asker = Asker { column: 2, by, positions, plain: true };
        let (mut words, mut forms) = (Words::default(), BTreeMap::new());
        for ask in asks(desk, &asker, self.house.serving.app.house.now()) {
            let form = || serde_json::to_value(&ask).expect("an ask is JSON");
            forms.entry(words.word(&ask)).or_insert_with(form);
        }
        forms
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_nobody_does_what_the_page_forbids() {
    let house = OpenHouse::open(23).await;
    let boss = operator(&house).await;
    let company = Company::gather(&house, &boss).await;
    let declared = declared();
    company.try_what_is_forbidden("idle", &declared).await;
    for who in [&company.seated, &company.neighbour, &company.stands] {
        company.does(who, &json!({"do": "bring-money", "amount": 100_000}));
    }
    let here = |position: u8| json!({"do": "sit", "position": position});
    company.does(&company.neighbour, &here(2));
    company.does(&company.seated, &here(1));
    company.try_what_is_forbidden("betting", &declared).await;
    for (who, position) in [(&company.seated, 1), (&company.neighbour, 2)] {
        let place =
            json!({"do": "place", "position": position, "wager": "standard", "amount": 1_000});
        company.does(who, &place);
        company.does(who, &json!({"do": "ready"}));
    }
    company.try_what_is_forbidden("setting", &declared).await;
    for (who, position) in [(&company.seated, 1), (&company.neighbour, 2)] {
        company.does(who, &json!({"do": "view", "position": position}));
        company.does(who, &json!({"do": "set-house-way", "position": position}));
    }
    company.try_what_is_forbidden("revealed", &declared).await;
    for who in [&company.seated, &company.neighbour] {
        company.does(who, &json!({"do": "ready"}));
    }
    company.try_what_is_forbidden("idle", &declared).await;
    house.books_are_right().await;
}

/// Entries of a log, as an operator reads them.
fn log(house: &OpenHouse, boss: &Known, stream: &str) -> Vec<Value> {
    let at = format!("{}/api/log?stream={stream}&most=500", house.url);
    done("GET", &at, Some(&boss.token), &Value::Null).as_array().expect("entries").clone()
}

/// Plays a round in which the dealer places a wager for the neighbour, who asked for it, and the one
/// who is seated concedes; their hand.
async fn conceded(company: &Company<'_>) -> CardSet {
    let players = [(&company.seated, 1), (&company.neighbour, 2)];
    for (who, position) in players {
        company.does(who, &json!({"do": "bring-money", "amount": 100_000}));
        company.does(who, &json!({"do": "sit", "position": position}));
    }
    let mut place = json!({"do": "place", "position": 1, "wager": "standard", "amount": 1_000});
    company.does(&company.seated, &place);
    place["position"] = json!(2);
    place["person"] = json!(company.neighbour.person);
    company.does(&company.staff[0], &place);
    for (who, _) in players {
        company.does(who, &json!({"do": "ready"}));
    }
    for (who, position) in players {
        company.does(who, &json!({"do": "view", "position": position}));
        company.does(who, &json!({"do": "set-house-way", "position": position}));
    }
    company.does(&company.seated, &json!({"do": "concede", "position": 1}));
    company.does(&company.neighbour, &json!({"do": "ready"}));
    let desk = company.desk().await;
    let past = desk.table().last_round().expect("the round is over");
    past.play.hands[&Position(1)].dealt.cards()
}

/// `mbs-2020` 3.16.1.1: a conceded hand is looked at by a Pit Supervisor or above, on purpose, and the
/// log of the house says who did, and why.
#[tokio::test(flavor = "multi_thread")]
async fn a_conceded_hand_is_looked_at_on_purpose_and_the_log_says_so() {
    let house = OpenHouse::open(25).await;
    let boss = operator(&house).await;
    let company = Company::gather(&house, &boss).await;
    let hand = conceded(&company).await;
    let table = company.table;
    let round = format!("/api/tables/{table}/rounds/1");
    let proof = format!("{round}/proof");
    let ask = |who: Option<&Known>, at: &str| {
        send("GET", &format!("{}{at}", house.url), who.map(|it| &*it.token), None)
    };
    let of_the_hand = |text: &str| hand.without(hand.without(named(text)));
    let everyone = [&company.neighbour, &company.stands, &boss].into_iter().chain(&company.staff);
    let everyone: Vec<Option<&Known>> = everyone.map(Some).chain([None]).collect();
    let view = format!("/api/tables/{table}/view");
    for who in &everyone {
        for at in [&view, &round, &proof] {
            let answer = ask(*who, at);
            assert_eq!(answer.status, 200, "{at}: {}", answer.text);
            assert_eq!(of_the_hand(&answer.text), CardSet::EMPTY, "{who:?} {at}");
        }
        let mut live = Live::connect(&house, who.map(|it| &*it.token)).await;
        live.say(json!({"type": "watch", "table": table})).await;
        let told = live.hear_a("table").await;
        assert!(!told["view"]["last"].is_null(), "the round is told of");
        assert_eq!(of_the_hand(&told.to_string()), CardSet::EMPTY, "{who:?} on a socket");
    }
    assert_eq!(of_the_hand(&ask(Some(&company.seated), &round).text), hand, "one's own");

    let (why, looks) = ("a dispute", "?conceded=true&why=a%20dispute");
    let looked = || {
        let mut entries = log(&house, &boss, "house");
        entries.retain(|it| it["kind"] == "conceded-hands");
        entries.into_iter().map(|mut it| it["body"].take()).collect::<Vec<Value>>()
    };
    let [dealer, above @ ..] = &company.staff[..] else { panic!("staff") };
    let below = [None, Some(&company.seated), Some(&company.stands), Some(dealer)];
    for at in [&round, &proof] {
        for who in below {
            let answer = ask(who, &format!("{at}{looks}"));
            assert_eq!(answer.status, 403, "{who:?}: {}", answer.text);
        }
        for who in above.iter().chain([&boss]) {
            for no_reason in ["?conceded=true", "?conceded=true&why=", "?conceded=true&why=%20"] {
                let answer = ask(Some(who), &format!("{at}{no_reason}"));
                assert!((400..500).contains(&answer.status), "{}", answer.text);
            }
        }
    }
    let missing = ask(Some(&boss), &format!("/api/tables/{table}/rounds/2{looks}"));
    assert_eq!(missing.status, 404, "{}", missing.text);
    assert_eq!(looked(), [json!(null); 0], "nobody has looked");

    let public = named(&ask(None, &round).text);
    let mut noted = vec![];
    for who in above.iter().chain([&boss]) {
        for at in [&round, &proof] {
            let answer = ask(Some(who), &format!("{at}{looks}"));
            assert_eq!(answer.status, 200, "{}", answer.text);
            assert_eq!(named(&answer.text), public.union(hand), "{at}: no other hidden card");
            assert!(!answer.text.contains("\"seed\":\""), "that is an auditor's");
            noted.push(json!({
                "kind": "conceded-hands", "by": {"person": who.person}, "why": why,
                "table": table, "round": 1,
            }));
        }
    }
    assert_eq!(looked(), noted);
}

/// `mbs-2020` 3.5.1: of a wager that staff place for a player, the log says who placed it, in which
/// role, and whose it is.
#[tokio::test(flavor = "multi_thread")]
async fn a_wager_placed_for_a_player_says_who_placed_it() {
    let house = OpenHouse::open(26).await;
    let boss = operator(&house).await;
    let company = Company::gather(&house, &boss).await;
    conceded(&company).await;
    let placed = |position: u8| {
        let entries = log(&house, &boss, &format!("table/{}", company.table));
        let mut placed = entries.into_iter().map(|mut it| it["body"].take()).filter(|it| {
            let happened = &it["record"]["happened"];
            happened["event"] == "placed" && happened["position"] == position
        });
        placed.next().expect("a wager")
    };
    let (own, asked_for) = (placed(1), placed(2));
    assert_eq!(own["by"], json!({"person": company.seated.person, "role": "player"}));
    assert_eq!(asked_for["by"], json!({"person": company.staff[0].person, "role": "dealer"}));
    let happened = &asked_for["record"]["happened"];
    assert_eq!((&happened["by"], &happened["clause"]), (&asked_for["by"], &json!("3.5.1")));
    assert_eq!(happened["person"], company.neighbour.person);
}
