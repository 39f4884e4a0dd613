//! Accounts, sessions, roles, limits and play money, on a store in memory and one in a file, with a
//! clock that is set and chance that repeats.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use argon2::password_hash::PasswordHasher;
use argon2::{Algorithm, Argon2, Params, Version as Argon2Version};
use houseway_rules::Cents;
use houseway_rules::rulebook::Role;
use houseway_server::clock::Clock;
use houseway_server::people::{
    ADDRESS_LOCK_AFTER, APPROVAL_WITHIN, Alteration, Attempt, By, Chance, Entered, GRANT_EVERY,
    GRANT_TO, GrantError, HouseRecord, Kind, LOCK_AFTER, LOOSER_AFTER, LimitError, LoginError,
    Lost, Outcome, Password, PasswordError, People, RegisterError, Sessions, StaffError, Standing,
    may_risk,
};
use houseway_store::{
    AccountName, Append, Memory, Move, NewEntry, NewUser, Sqlite, Store, StreamId, UserChange,
    Version,
};
use houseway_table::Person;
use rand::rngs::ChaCha12Rng;
use rand::{Rng, SeedableRng};
use sqlx::Connection as _;
use tempfile::TempDir;

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const GOOD: &str = "seven cards, no tells";
const DEALER: Standing = Standing::Table(Role::Dealer);

struct SetClock(AtomicU64);

impl Clock for SetClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

struct Repeated(Mutex<ChaCha12Rng>);

impl Chance for Repeated {
    fn fill(&self, bytes: &mut [u8]) {
        self.0.lock().expect("no panic while filling").fill_bytes(bytes);
    }
}

/// A house with its people.
struct World {
    people: People,
    store: Arc<dyn Store>,
    clock: Arc<SetClock>,
    _folder: Option<TempDir>,
}

impl World {
    fn new(store: Arc<dyn Store>, folder: Option<TempDir>) -> World {
        let clock = Arc::new(SetClock(AtomicU64::new(1_800_000_000_000)));
        let chance = Repeated(Mutex::new(ChaCha12Rng::from_seed([8; 32])));
        let people = People::new(Arc::clone(&store), clock.clone(), Arc::new(chance));
        World { people, store, clock, _folder: folder }
    }

    /// The same house at another node.
    fn another_node(&self) -> People {
        let chance = Repeated(Mutex::new(ChaCha12Rng::from_seed([9; 32])));
        People::new(Arc::clone(&self.store), self.clock.clone(), Arc::new(chance))
    }

    fn pass(&self, milliseconds: u64) {
        self.clock.0.fetch_add(milliseconds, Ordering::SeqCst);
    }

    async fn register(&self, name: &str) -> Entered {
        self.people.register(None, name, GOOD).await.expect("the name is free")
    }

    async fn operator(&self) -> By {
        By::Person(self.people.make_operator("The Boss", GOOD).await.expect("an operator"))
    }

    async fn another_operator(&self) -> By {
        By::Person(self.people.make_operator("The Other", GOOD).await.expect("an operator"))
    }

    async fn try_login(&self, name: &str, password: &str, from: u8) -> Result<Entered, LoginError> {
        let (name, password) = (name.to_owned(), password.to_owned());
        let address = [10, 0, 0, from].into();
        self.people.login(Attempt { name, password, address, replaces: None }).await
    }

    async fn login(&self, name: &str) -> Entered {
        self.try_login(name, GOOD, 1).await.expect("the password is right")
    }

    /// Whether a token still leads to someone.
    async fn holds(&self, entered: &Entered) -> bool {
        self.people.who(entered.token.reveal()).await.expect("the store works").is_some()
    }

    async fn records(&self) -> Vec<HouseRecord> {
        let house = StreamId::house();
        self.store.verify_chain(&house, None).await.expect("the chain is whole");
        let entries = self.store.read(&house, Version(0), 1_000).await.expect("it is read");
        let records = entries.iter().map(|it| HouseRecord::read(it).expect("it is whole"));
        records.map(|it| it.expect("people write nothing else")).collect()
    }

    async fn wallet(&self, person: Person) -> i64 {
        self.store.balance(&AccountName::wallet(person)).await.expect("it is read")
    }

    /// As a room would: money goes from one account to another.
    async fn carry(&self, from: &str, to: &str, amount: Cents) {
        let name = |text: &str| -> AccountName { text.parse().expect("a name") };
        let (from, to, reason) = (name(from), name(to), "test".to_owned());
        let moved = Move { from, to, amount, reason, clause: None };
        let entry = NewEntry { kind: "test".into(), body: "{}".into(), moves: vec![moved] };
        let stream: StreamId = "table/7".parse().expect("a name");
        let expected = self.store.head(&stream).await.expect("it is read").version;
        let (at, entries) = (self.clock.now(), vec![entry]);
        let rounds = vec![];
        let append = Append { stream, expected, at, entries, rounds, command: None, mark: None };
        self.store.append(append).await.expect("there is enough");
    }
}

/// Each test holds on both stores.
macro_rules! on_both_stores {
    ($($name:ident,)*) => {
        mod memory {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(World::new(Arc::new(Memory::new()), None)).await;
            })*
        }

        mod sqlite {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                let folder = tempfile::tempdir().expect("a folder");
                let store = Sqlite::open(&folder.path().join("people.db")).await;
                super::$name(World::new(Arc::new(store.expect("it opens")), Some(folder))).await;
            })*
        }
    };
}

on_both_stores! {
    a_guest_sits_down_and_stays_known,
    guests_have_names_and_tokens_of_their_own,
    a_token_is_not_kept_and_nothing_like_it_opens,
    registering_keeps_number_and_money_and_changes_the_token,
    a_registration_that_broke_off_can_be_repeated,
    names_and_passwords_are_looked_at_before_anything_is_done,
    one_answer_for_every_way_to_be_wrong,
    a_name_is_locked_from_everywhere_for_half_an_hour,
    a_password_is_changed_by_who_knows_it,
    an_address_is_locked_for_every_name_and_success_does_not_clear_it,
    a_locked_name_locks_nobody_else_at_its_address,
    a_burst_gets_no_more_tries,
    an_attempt_that_is_dropped_counts,
    a_login_brings_a_fresh_token_and_ends_the_browsers_old_session,
    a_login_says_when_the_last_one_was,
    a_hash_of_other_figures_is_replaced_at_login,
    sessions_run_out_when_idle_and_in_any_case,
    a_sign_of_life_is_written_once_a_minute,
    a_change_of_role_holds_at_once_for_open_sessions,
    who_is_shut_out_is_out_at_once_and_until_let_in,
    only_operators_administer_and_never_themselves,
    the_highest_standings_take_two_operators,
    every_staff_act_is_in_the_log_of_the_house,
    the_cashier_helps_those_who_have_nothing_once_an_hour,
    many_ask_the_cashier_at_once_and_each_gets_it_once,
    own_limits_tighten_at_once_and_loosen_after_a_day,
    what_was_lost_counts_against_the_limit,
}

async fn a_guest_sits_down_and_stays_known(world: World) {
    let guest = world.people.sit_down().await.expect("there are names");
    let who = &guest.who;
    let number = who.name.strip_prefix("Guest ").expect("a readable name");
    assert_eq!(number.len(), 4);
    assert_eq!((who.role, who.guest, who.last_login), (Role::Player, true, None));
    let token = guest.token.reveal();
    assert!(token.len() == 64 && token.bytes().all(|it| it.is_ascii_hexdigit()));
    assert!(!format!("{guest:?}").contains(token), "a token is not printed");
    let found = world.people.who(token).await.expect("the store works");
    assert_eq!(found.as_ref(), Some(who));
    world.pass(60 * DAY - 1);
    assert!(world.holds(&guest).await);
    world.pass(1);
    assert!(!world.holds(&guest).await);
}

async fn guests_have_names_and_tokens_of_their_own(world: World) {
    let (mut names, mut tokens) = (HashSet::new(), HashSet::new());
    for _ in 0..300 {
        let guest = world.people.sit_down().await.expect("there are names");
        assert!(names.insert(guest.who.name) && tokens.insert(guest.token.reveal().to_owned()));
    }
}

async fn a_token_is_not_kept_and_nothing_like_it_opens(world: World) {
    let token = world.people.sit_down().await.expect("a guest").token.reveal().to_owned();
    for wrong in
        ["", "x", &token[1..], &token.to_uppercase(), &format!("{token}0"), &"g".repeat(64)]
    {
        assert_eq!(world.people.who(wrong).await, Ok(None), "{wrong}");
    }
    let mut bytes = [0; 32];
    for (byte, digits) in bytes.iter_mut().zip(token.as_bytes().chunks(2)) {
        let digits = std::str::from_utf8(digits).expect("digits");
        *byte = u8::from_str_radix(digits, 16).expect("digits");
    }
    assert_eq!(world.store.session(bytes).await, Ok(None), "the token itself is not the key");
}

async fn registering_keeps_number_and_money_and_changes_the_token(world: World) {
    let guest = world.people.sit_down().await.expect("a guest");
    let person = guest.who.person;
    world.people.grant(person, Cents::ZERO).await.expect("the wallet is empty");
    let old = guest.token.reveal();
    let known = world.people.register(Some(old), " Mary Ann ", GOOD).await.expect("a name");
    assert_eq!((known.who.person, known.who.name.as_str()), (person, "Mary Ann"));
    assert!(!known.who.guest);
    assert_eq!(world.wallet(person).await, 1_000_000);
    assert_ne!(known.token, guest.token);
    assert!(!world.holds(&guest).await && world.holds(&known).await);
    let again = world.people.register(Some(known.token.reveal()), "Other", GOOD).await;
    assert_eq!(again, Err(RegisterError::Registered));
    assert_eq!(world.login("mary ann").await.who.person, person, "in any capitals");
}

async fn a_registration_that_broke_off_can_be_repeated(world: World) {
    let guest = world.people.sit_down().await.expect("a guest");
    let person = guest.who.person;
    let renamed = world.store.change_user(person, UserChange::Name("Mary".into())).await;
    renamed.expect("the name is free");
    let token = guest.token.reveal();
    let known = world.people.register(Some(token), "Mary", GOOD).await.expect("it is theirs");
    assert_eq!(known.who.person, person);
}

async fn names_and_passwords_are_looked_at_before_anything_is_done(world: World) {
    world.register("Mary").await;
    let guest = world.people.sit_down().await.expect("a guest");
    let tries = [
        ("x", GOOD, "a name has 2 to 24 characters"),
        ("Маry", GOOD, "cannot stand here"),
        ("Guest 77", GOOD, "are given to guests"),
        ("mARY", GOOD, "the name is taken"),
        ("Newcomer", "short", "at least 8 characters, better 15; this one has 5"),
        ("Newcomer", "Password123", "among the first that are tried"),
        ("New Comer", "new comer", "is the name"),
    ];
    for (name, password, why) in tries {
        for token in [None, Some(guest.token.reveal())] {
            let refused = world.people.register(token, name, password).await;
            let said = refused.expect_err(name).to_string();
            assert!(said.contains(why), "{said}");
        }
    }
    assert!(world.holds(&guest).await, "the guest is still there");
    assert_eq!(world.store.users(Person(0), 10).await.expect("it is read").len(), 2);
}

/// What is answered tells nothing about who exists: not before the lock, not after.
async fn one_answer_for_every_way_to_be_wrong(world: World) {
    let operator = world.operator().await;
    world.register("Known").await;
    let shut_out = world.register("Shut Out").await.who.person;
    world.people.disable(operator, shut_out, "asked for it").await.expect("an operator may");
    let guest = world.people.sit_down().await.expect("a guest").who.name;
    let (name, role) = ("No Password".to_owned(), "player".to_owned());
    let user = NewUser { name, password_hash: None, role, created: 0 };
    world.store.add_user(user).await.expect("the name is free");
    let cases = [
        ("Known", "another password"),
        ("Unknown", GOOD),
        ("Shut Out", GOOD),
        (guest.as_str(), GOOD),
        // What is compared where there is no hash opens nothing.
        ("No Password", "nobody has this one"),
        ("not a\0name", GOOD),
    ];
    for (case, (name, password)) in (10..).zip(cases) {
        let mut answers = Vec::new();
        for _ in 0..7 {
            answers.push(world.try_login(name, password, case).await.map(|it| it.who));
        }
        let (refused, locked) = (Err(LoginError::Refused), Err(LoginError::Locked));
        assert_eq!(answers[..5], vec![refused; 5], "{name}");
        assert_eq!(answers[5..], vec![locked; 2], "{name}");
    }
}

async fn a_password_is_changed_by_who_knows_it(world: World) {
    const BETTER: &str = "nine cards, some tells";
    let first = world.register("Anna").await;
    let other = world.login("Anna").await;
    let stranger = world.register("Bruno").await;
    let person = first.who.person;
    let change = async |old: &str, new: &str| {
        world.people.change_password(person, old.to_owned(), new.to_owned()).await
    };
    assert_eq!(change("not this one", BETTER).await, Err(PasswordError::Wrong));
    let short = change(GOOD, "short").await;
    assert!(matches!(short, Err(PasswordError::Password(_))), "{short:?}");
    let name = change(GOOD, "password123").await;
    assert!(matches!(name, Err(PasswordError::Password(_))), "{name:?}");
    assert!(world.holds(&first).await && world.holds(&other).await, "nothing has changed yet");
    let entered = change(GOOD, BETTER).await.expect("it is changed");
    assert_eq!(entered.who.person, person);
    assert!(world.holds(&entered).await);
    assert!(!world.holds(&first).await && !world.holds(&other).await, "others have ended");
    assert!(world.holds(&stranger).await);
    assert!(world.try_login("Anna", GOOD, 2).await.is_err());
    assert!(world.try_login("Anna", BETTER, 2).await.is_ok());
    let changed = HouseRecord::Password(Alteration {
        person,
        by: By::Person(person),
        why: "changed by its owner".into(),
        before: Password::Old,
        after: Password::New,
    });
    assert_eq!(world.records().await, [changed]);

    // Guesses lock the name, and the right one is no help then.
    for _ in 0..LOCK_AFTER {
        assert_eq!(change("a guess or two", GOOD).await, Err(PasswordError::Wrong));
    }
    assert_eq!(change(BETTER, GOOD).await, Err(PasswordError::Locked));
    assert_eq!(world.try_login("Anna", BETTER, 3).await, Err(LoginError::Locked));

    let guest = world.people.sit_down().await.expect("a seat").who.person;
    let none = world.people.change_password(guest, String::new(), BETTER.into()).await;
    assert_eq!(none, Err(PasswordError::Guest));
}

async fn a_name_is_locked_from_everywhere_for_half_an_hour(world: World) {
    world.register("Mary").await;
    for from in 1..=5 {
        let name = if from % 2 == 0 { "Mary" } else { " mARY " };
        let refused = world.try_login(name, "wrong wrong", from).await;
        assert_eq!(refused, Err(LoginError::Refused));
        world.pass(MINUTE);
    }
    // The first failure was 5 minutes ago: it counts for 25 more.
    assert_eq!(world.try_login("Mary", GOOD, 9).await, Err(LoginError::Locked));
    world.pass(25 * MINUTE - 1);
    assert_eq!(world.try_login("Mary", GOOD, 9).await, Err(LoginError::Locked));
    world.pass(1);
    world.login("Mary").await;
    // Success has cleared the four that were left.
    for _ in 0..4 {
        assert_eq!(world.try_login("Mary", "wrong wrong", 8).await, Err(LoginError::Refused));
    }
    world.login("Mary").await;
}

async fn an_address_is_locked_for_every_name_and_success_does_not_clear_it(world: World) {
    world.register("Mary").await;
    // Each under a name of its own, so that no name is what is locked.
    for number in 1..ADDRESS_LOCK_AFTER {
        let refused = world.try_login(&format!("Ann {number}"), GOOD, 6).await;
        assert_eq!(refused, Err(LoginError::Refused));
    }
    world.try_login("Mary", GOOD, 6).await.expect("one failure is left");
    assert_eq!(world.try_login("Emil", GOOD, 6).await, Err(LoginError::Refused));
    assert_eq!(world.try_login("Mary", GOOD, 6).await, Err(LoginError::Locked));
    world.try_login("Mary", GOOD, 7).await.expect("another address");
    world.people.sweep().await.expect("it is swept");
    assert_eq!(world.try_login("Mary", GOOD, 6).await, Err(LoginError::Locked));
    world.pass(30 * MINUTE);
    world.people.sweep().await.expect("it is swept");
    world.try_login("Mary", GOOD, 6).await.expect("half an hour is over");
}

/// One of a household mistypes until the name is locked; the others come in from the same address.
async fn a_locked_name_locks_nobody_else_at_its_address(world: World) {
    world.register("Mary").await;
    world.register("Ann").await;
    for _ in 0..LOCK_AFTER {
        assert_eq!(world.try_login("Ann", "wrong wrong", 6).await, Err(LoginError::Refused));
    }
    assert_eq!(world.try_login("Ann", GOOD, 6).await, Err(LoginError::Locked));
    world.try_login("Mary", GOOD, 6).await.expect("hers is not locked");
}

/// Many at once find no more tries than few in turn, but for those that had a turn together.
async fn a_burst_gets_no_more_tries(world: World) {
    world.register("Mary").await;
    let tries = (0..60).map(|from| {
        let people = world.people.clone();
        tokio::spawn(people_login(people, "Mary", "wrong wrong", 100 + from))
    });
    let tries: Vec<_> = tries.collect();
    let mut refused = 0;
    for tried in tries {
        match tried.await.expect("no panic") {
            Err(LoginError::Refused) => refused += 1,
            Err(LoginError::Locked | LoginError::Busy) => {}
            other => panic!("{other:?}"),
        }
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let turns = (cores / 2).max(1);
    assert!((5..5 + turns).contains(&refused), "{refused}");
}

/// Whoever hangs up before the answer has tried all the same.
async fn an_attempt_that_is_dropped_counts(world: World) {
    world.register("Mary").await;
    for from in 20..25 {
        let people = world.people.clone();
        let login = people_login(people, "Mary", "wrong wrong", from);
        let dropped = tokio::time::timeout(std::time::Duration::ZERO, login).await;
        assert!(dropped.is_err(), "a hash takes longer than nothing");
    }
    let mut answer = world.try_login("Mary", "wrong wrong", 30).await;
    for from in 31..40 {
        if answer == Err(LoginError::Locked) {
            break;
        }
        assert!(from < 33, "the dropped attempts were not counted");
        answer = world.try_login("Mary", "wrong wrong", from).await;
    }
    assert_eq!(answer, Err(LoginError::Locked));
}

async fn a_login_brings_a_fresh_token_and_ends_the_browsers_old_session(world: World) {
    let first = world.register("Mary").await;
    let guest = world.people.sit_down().await.expect("a guest");
    let attempt = |replaces: &Entered, password: &str| Attempt {
        name: "Mary".into(),
        password: password.into(),
        address: [10, 0, 0, 1].into(),
        replaces: Some(replaces.token.reveal().to_owned()),
    };
    let refused = world.people.login(attempt(&guest, "wrong wrong")).await;
    assert_eq!(refused, Err(LoginError::Refused));
    assert!(world.holds(&guest).await, "a failure ends nothing");
    let second = world.people.login(attempt(&guest, GOOD)).await.expect("it is right");
    assert!(!world.holds(&guest).await, "the guest's session is over");
    assert!(world.holds(&first).await, "another browser's is not");
    assert!(second.token != guest.token && second.token != first.token);
    world.people.logout(second.token.reveal()).await.expect("it ends");
    assert!(!world.holds(&second).await && world.holds(&first).await);
}

async fn a_login_says_when_the_last_one_was(world: World) {
    let start = world.clock.now();
    let first = world.register("Mary").await;
    assert_eq!(first.who.last_login, None);
    world.pass(MINUTE);
    let second = world.login("Mary").await;
    assert_eq!(second.who.last_login, Some(start));
    let who = |entered: &Entered| {
        let (people, token) = (world.people.clone(), entered.token.reveal().to_owned());
        async move { people.who(&token).await.expect("the store works").expect("it holds") }
    };
    assert_eq!(who(&second).await, second.who);
    assert_eq!(who(&first).await.last_login, Some(start + MINUTE), "a stranger is noticed");
}

async fn a_hash_of_other_figures_is_replaced_at_login(world: World) {
    let weak = Params::new(64, 1, 1, None).expect("small figures");
    let weak = Argon2::new(Algorithm::Argon2id, Argon2Version::V0x13, weak);
    let hash = weak.hash_password_with_salt(GOOD.as_bytes(), b"salt salt salt s");
    let hash = hash.expect("it is hashed").to_string();
    let (name, role) = ("Old Timer".to_owned(), "player".to_owned());
    let user = NewUser { name, password_hash: Some(hash.clone()), role, created: 0 };
    let person = world.store.add_user(user).await.expect("the name is free").id;
    let kept = async || {
        let user = world.store.user(person).await.expect("it is read");
        user.and_then(|it| it.password_hash).expect("a hash")
    };
    let refused = world.try_login("Old Timer", "wrong wrong", 1).await;
    assert_eq!(refused, Err(LoginError::Refused));
    assert_eq!(kept().await, hash, "a failure changes nothing");
    world.login("Old Timer").await;
    let new = kept().await;
    assert!(new.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{new}");
    world.login("Old Timer").await;
    assert_eq!(kept().await, new, "and stays from then on");
    world
        .store
        .change_user(person, UserChange::Password(Some("damaged".into())))
        .await
        .expect("it is changed");
    assert_eq!(world.try_login("Old Timer", GOOD, 1).await, Err(LoginError::Refused));
}

async fn sessions_run_out_when_idle_and_in_any_case(world: World) {
    let operator = world.operator().await;
    let dealer = world.register("Dealer").await.who.person;
    world
        .people
        .set_standing(operator, dealer, DEALER, "hired", None)
        .await
        .expect("an operator may");
    for (name, idle) in [("Player", 30 * MINUTE), ("Dealer", 5 * MINUTE), ("The Boss", 5 * MINUTE)]
    {
        if name == "Player" {
            world.register(name).await;
        }
        let entered = world.login(name).await;
        let token = entered.token.reveal();
        world.pass(idle - 1);
        assert!(world.holds(&entered).await, "{name}");
        world.pass(1);
        assert!(!world.holds(&entered).await, "{name}: looking is no sign of life");
        assert_eq!(world.people.touch(token).await, Ok(None), "{name}: too late");

        let entered = world.login(name).await;
        let (token, mut time) = (entered.token.reveal(), 0);
        while time < 12 * HOUR {
            assert!(world.people.touch(token).await.expect("the store works").is_some());
            world.pass(4 * MINUTE);
            time += 4 * MINUTE;
        }
        assert_eq!(world.people.touch(token).await, Ok(None), "{name}: half a day is over");
    }
}

async fn a_sign_of_life_is_written_once_a_minute(world: World) {
    let entered = world.register("Mary").await;
    let token = entered.token.reveal();
    let start = world.clock.now();
    // What is written is seen by when the session ends: 30 minutes after it.
    for (pass, ends) in [(MINUTE - 1, start + 30 * MINUTE), (MINUTE, start + 31 * MINUTE)] {
        world.clock.0.store(start + pass, Ordering::SeqCst);
        assert!(world.people.touch(token).await.expect("the store works").is_some());
        world.clock.0.store(ends - 1, Ordering::SeqCst);
        assert!(world.holds(&entered).await);
        world.clock.0.store(ends, Ordering::SeqCst);
        assert!(!world.holds(&entered).await);
    }
    assert_eq!(world.store.end_sessions(houseway_store::Ending::RunOut(0)).await, Ok(0));
    world.people.sweep().await.expect("it is swept");
    let left = world.store.end_sessions(houseway_store::Ending::Person(entered.who.person)).await;
    assert_eq!(left, Ok(0), "the sweep took it away");
}

/// On a full disk no row can be written, and everything can be read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_looks_at_something_is_not_turned_away_by_a_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("people.db");
    let store = Arc::new(Sqlite::open(&file).await.expect("it opens"));
    let world = World::new(store, None);
    let entered = world.register("Mary").await;
    let address = format!("sqlite://{}", file.display());
    let mut raw = sqlx::SqliteConnection::connect(&address).await.expect("it opens");
    let full = "create trigger full before update on session \
                begin select raise(abort, 'the disk is full'); end";
    sqlx::raw_sql(full).execute(&mut raw).await.expect("it is full");
    world.pass(2 * MINUTE);
    let token = entered.token.reveal();
    assert!(world.store.touch_session([0; 32], 1, 1).await.is_ok(), "nothing is written there");
    for _ in 0..2 {
        assert_eq!(world.people.touch(token).await, Ok(Some(entered.who.clone())));
    }
    // What was not kept does not count.
    world.pass(28 * MINUTE);
    assert_eq!(world.people.touch(token).await, Ok(None));
}

async fn a_change_of_role_holds_at_once_for_open_sessions(world: World) {
    let (operator, second) = (world.operator().await, world.another_operator().await);
    let entered = world.register("Mary").await;
    let (token, person) = (entered.token.reveal(), entered.who.person);
    for standing in Standing::ALL.into_iter().rev() {
        for by in [operator, second] {
            world.people.set_standing(by, person, standing, "a test", None).await.expect("may");
        }
        let who = world.people.who(token).await.expect("the store works").expect("it holds");
        assert_eq!((who.standing, who.role), (standing, standing.role()));
    }
    world.people.set_standing(operator, person, DEALER, "hired", None).await.expect("may");
    world.pass(5 * MINUTE);
    assert!(!world.holds(&entered).await, "under staff's limits from now on");
}

async fn who_is_shut_out_is_out_at_once_and_until_let_in(world: World) {
    let operator = world.operator().await;
    let entered = world.register("Mary").await;
    let person = entered.who.person;
    world.people.disable(operator, person, "a dispute").await.expect("an operator may");
    assert!(!world.holds(&entered).await);
    assert_eq!(world.try_login("Mary", GOOD, 1).await, Err(LoginError::Refused));
    assert_eq!(world.people.grant(person, Cents::ZERO).await, Err(GrantError::Unknown));
    world.people.enable(operator, person, "settled").await.expect("an operator may");
    assert!(!world.holds(&entered).await, "old sessions do not come back");
    world.login("Mary").await;
}

async fn only_operators_administer_and_never_themselves(world: World) {
    let boss = world.operator().await;
    let By::Person(boss_person) = boss else { panic!("an operator has a number") };
    let mary = world.register("Mary").await.who.person;
    let other = world.register("Other").await.who.person;
    let before = world.records().await;
    let mut was = Standing::PLAYER;
    for standing in Standing::ALL {
        let role = UserChange::Role { from: was.word().into(), to: standing.word().into() };
        world.store.change_user(mary, role).await.expect("set");
        was = standing;
        let by = By::Person(mary);
        let allowed = standing == Standing::Operator;
        let expected = if allowed { Ok(()) } else { Err(StaffError::NotAllowed) };
        let people = &world.people;
        let set = people.set_standing(by, other, DEALER, "a test", None).await.map(|_| ());
        assert_eq!(set, expected, "{standing}");
        assert_eq!(people.disable(by, other, "a test").await, expected, "{standing}");
        assert_eq!(people.enable(by, other, "a test").await, expected, "{standing}");
        assert_eq!(people.end_all(by, other, "a test").await.map(|_| ()), expected, "{standing}");
        if !allowed {
            assert_eq!(world.records().await, before, "what is refused is not recorded");
        }
    }
    let people = &world.people;
    let down = people.set_standing(boss, boss_person, Standing::PLAYER, "tired", None).await;
    assert_eq!(down, Err(StaffError::Oneself));
    assert_eq!(people.disable(boss, boss_person, "tired").await, Err(StaffError::Oneself));
    let guest = people.sit_down().await.expect("a guest").who.person;
    assert_eq!(
        people.set_standing(boss, guest, DEALER, "nice", None).await,
        Err(StaffError::Guest)
    );
    let nobody = Person(4_000_000);
    assert_eq!(people.disable(boss, nobody, "who?").await, Err(StaffError::Unknown));
    for why in ["", "  ", "a\nb", &"x".repeat(501)] {
        assert_eq!(people.disable(boss, mary, why).await, Err(StaffError::Why), "{why:?}");
    }
    people.disable(By::CommandLine, boss_person, "left").await.expect("the machine's owner may");
    let late = people.set_standing(boss, mary, DEALER, "late", None).await;
    assert_eq!(late, Err(StaffError::NotAllowed), "who is shut out administers nothing");
}

async fn the_highest_standings_take_two_operators(world: World) {
    const SHIFT: Standing = Standing::Table(Role::GamingShiftManager);
    let (first, second) = (world.operator().await, world.another_operator().await);
    let By::Person(first_person) = first else { panic!("an operator has a number") };
    let mary = world.register("Mary").await.who.person;
    let people = &world.people;
    let set = async |by, after| people.set_standing(by, mary, after, "a test", None).await;
    let is = async |standing: Standing| {
        let user = world.store.user(mary).await.expect("it is read").expect("she is there");
        assert_eq!(user.role, standing.word());
    };
    let open = async || people.proposals().await.expect("they are read");
    let waits = || Ok(Outcome::Waits { until: world.clock.now() + APPROVAL_WITHIN });
    let (tried, bypassed) = (Cell::new(0), Cell::new(0));
    // What one operator asks for alone: nothing but a proposal comes of it.
    let no_way_around = async |by, after, how: &str| {
        let asked = set(by, after).await;
        tried.set(tried.get() + 1);
        bypassed.set(bypassed.get() + u32::from(asked == Ok(Outcome::Done)));
        assert_eq!(asked, waits(), "{how}");
    };
    let back = async || {
        let by = By::CommandLine;
        people.set_standing(by, mary, Standing::PLAYER, "a test", None).await.expect("may");
    };

    for after in Standing::ALL.into_iter().filter(|it| it.is_staff() && *it < SHIFT) {
        assert_eq!(set(first, after).await, Ok(Outcome::Done), "one is enough");
    }
    for after in [SHIFT, Standing::Operator] {
        back().await;
        let recorded = world.records().await.len();
        no_way_around(first, after, "one").await;
        no_way_around(first, after, "nobody is two").await;
        is(Standing::PLAYER).await;
        assert_eq!(world.records().await.len(), recorded, "nothing was done");
        let [proposal] = &open().await[..] else { panic!("it waits") };
        assert_eq!((proposal.change.by, proposal.change.after), (first, after));
        assert_eq!(set(second, after).await, Ok(Outcome::Done));
        is(after).await;
        assert_eq!(open().await, [], "it is used up");
        assert_eq!(set(first, DEALER).await, Ok(Outcome::Done), "power is taken away by one");
        is(DEALER).await;
        no_way_around(second, after, "what was agreed on is used up").await;
        assert_eq!(set(second, DEALER).await, Ok(Outcome::Done));
        assert_eq!(open().await, [], "decided otherwise");
    }

    back().await;
    no_way_around(first, SHIFT, "one").await;
    no_way_around(second, Standing::Operator, "another thing").await;
    no_way_around(first, SHIFT, "it was replaced meanwhile").await;
    world.pass(APPROVAL_WITHIN);
    assert_eq!(open().await, []);
    no_way_around(second, SHIFT, "too late").await;
    assert_eq!(set(first, DEALER).await, Ok(Outcome::Done));
    back().await;
    no_way_around(first, SHIFT, "decided otherwise meanwhile").await;

    // Whoever proposed it is gone, and nobody comes back by one hand.
    people.disable(second, first_person, "left").await.expect("may");
    assert_eq!(open().await, []);
    assert_eq!(people.enable(second, first_person, "back").await, Err(StaffError::TakesTwo));
    assert_eq!(set(first, SHIFT).await, Err(StaffError::NotAllowed));
    people.enable(By::CommandLine, first_person, "back").await.expect("may");
    no_way_around(second, SHIFT, "what was proposed before is off").await;
    assert_eq!(people.decline(first, mary, " ").await, Err(StaffError::Why));
    people.decline(first, mary, "not her").await.expect("may");
    assert_eq!(people.decline(first, mary, "not her").await, Err(StaffError::NotProposed));
    let nobody = people.decline(first, Person(4_000_000), "who?").await;
    assert_eq!(nobody, Err(StaffError::Unknown));
    no_way_around(first, SHIFT, "it was refused").await;
    people.make_operator("The Boss", GOOD).await.expect("a new password");
    assert_eq!(open().await, [], "whoever proposed it may not be who they were");
    no_way_around(second, SHIFT, "the same").await;

    // Agreed to by its number, it is that one or nothing.
    let [proposal] = &open().await[..] else { panic!("it waits") };
    let agree = async |by, after, number| {
        people.set_standing(by, mary, after, "agreed", Some(number)).await
    };
    let number = proposal.number;
    for (by, after, number) in [
        (first, SHIFT, number + 1),
        (first, Standing::Operator, number),
        (first, DEALER, number),
        (second, SHIFT, number),
    ] {
        assert_eq!(agree(by, after, number).await, Err(StaffError::NotProposed));
    }
    is(Standing::PLAYER).await;
    assert_eq!(agree(first, SHIFT, number).await, Ok(Outcome::Done));
    is(SHIFT).await;
    assert_eq!(agree(first, SHIFT, number).await, Err(StaffError::NotProposed));
    let own = people.set_standing(By::Person(mary), mary, Standing::Operator, "me", None).await;
    assert_eq!(own, Err(StaffError::NotAllowed));
    let player = Person(mary.0 + 1);
    world.register("Player").await;
    for by in [mary, player] {
        let declined = people.decline(By::Person(by), mary, "no").await;
        assert_eq!(declined, Err(StaffError::NotAllowed));
    }

    // Two who ask at once, at two nodes: one is the second. And who takes power away is not
    // overtaken by one who leaves it.
    let nodes = [people.clone(), world.another_node()];
    let ask = |node: usize, by, after| nodes[node].set_standing(by, mary, after, "now", None);
    for _ in 0..20 {
        back().await;
        let both = (ask(0, first, Standing::Operator), ask(1, second, Standing::Operator));
        let (a, b) = tokio::join!(both.0, both.1);
        let done = [&a, &b].into_iter().filter(|it| **it == Ok(Outcome::Done)).count();
        assert_eq!(done, 1, "{a:?} {b:?}");
        is(Standing::Operator).await;
        let both = (ask(0, first, DEALER), ask(1, second, Standing::Operator));
        let (a, b) = tokio::join!(both.0, both.1);
        assert_eq!(a, Ok(Outcome::Done));
        assert!(b.is_ok(), "{b:?}");
        is(DEALER).await;
    }
    let log: StreamId = "approvals".parse().expect("a name");
    world.store.verify_chain(&log, None).await.expect("the chain is whole");
    let figures = serde_json::json!({
        "approvals": {"tried": tried.get(), "bypassed": bypassed.get()},
    });
    eprintln!("figures {figures}");
}

async fn every_staff_act_is_in_the_log_of_the_house(world: World) {
    fn of<T>(person: Person, by: By, why: &str, before: T, after: T) -> Alteration<T> {
        Alteration { person, by, why: why.into(), before, after }
    }
    let boss = world.operator().await;
    let By::Person(boss_person) = boss else { panic!("an operator has a number") };
    let mary = world.register("Mary").await.who.person;
    let people = &world.people;
    people.set_standing(boss, mary, DEALER, " hired ", None).await.expect("may");
    let at = world.clock.now();
    people.disable(boss, mary, "a dispute").await.expect("may");
    people.enable(boss, mary, "settled").await.expect("may");
    world.login("Mary").await;
    world.login("Mary").await;
    assert_eq!(people.end_all(By::Person(mary), mary, "lost my phone").await, Ok(2));
    people.grant(mary, Cents::ZERO).await.expect("the wallet is empty");
    world.people.make_operator("Mary", "another good one").await.expect("an operator");
    let (line, own) = (By::CommandLine, By::Person(mary));
    let made = "made an operator on the command line";
    let (player, operator) = (Standing::PLAYER, Standing::Operator);
    let expected = [
        HouseRecord::Password(of(boss_person, line, made, Password::None, Password::New)),
        HouseRecord::Standing(of(boss_person, line, made, player, operator)),
        HouseRecord::Standing(of(mary, boss, "hired", player, DEALER)),
        HouseRecord::Disabled(of(mary, boss, "a dispute", None, Some(at))),
        HouseRecord::Disabled(of(mary, boss, "settled", Some(at), None)),
        HouseRecord::Sessions(of(mary, own, "lost my phone", Sessions::Open, Sessions::Ended)),
        HouseRecord::PlayMoney(of(mary, own, "play money from the cashier", Cents::ZERO, GRANT_TO)),
        HouseRecord::Password(of(mary, line, made, Password::Old, Password::New)),
        HouseRecord::Standing(of(mary, line, made, DEALER, operator)),
    ];
    assert_eq!(world.records().await, expected);
    assert_eq!(world.try_login("Mary", GOOD, 1).await, Err(LoginError::Refused));
    let entered = world.try_login("Mary", "another good one", 1).await.expect("the new one");
    assert_eq!(entered.who.standing, Standing::Operator);
}

async fn the_cashier_helps_those_who_have_nothing_once_an_hour(world: World) {
    let person = world.people.sit_down().await.expect("a guest").who.person;
    let (wallet, stack) = (format!("wallet/{}", person.0), format!("table/7/stack/{}", person.0));
    let grant = || world.people.grant(person, Cents::ZERO);
    assert_eq!(grant().await, Ok(GRANT_TO));
    assert_eq!(grant().await, Err(GrantError::Enough(GRANT_TO)));
    world.carry(&wallet, &stack, Cents::dollars(9_900)).await;
    assert_eq!(grant().await, Err(GrantError::Enough(Cents::dollars(100))));
    world.carry(&wallet, &stack, Cents::new(1)).await;
    world.pass(GRANT_EVERY - 1);
    assert_eq!(grant().await, Err(GrantError::TooSoon { minutes: 1 }));
    world.pass(1);
    assert_eq!(grant().await, Err(GrantError::OnTables(Cents::new(990_001))));
    world.carry(&stack, "table/7/house", Cents::new(990_001)).await;
    // Somebody else's stack, whose number ends alike, is no hindrance.
    world.carry("table/7/house", &format!("table/7/stack/9{}", person.0), Cents::dollars(5)).await;
    let felt = world.people.grant(person, Cents::dollars(5)).await;
    assert_eq!(felt, Err(GrantError::OnTables(Cents::dollars(5))));
    assert_eq!(grant().await, Ok(Cents::new(990_001)));
    assert_eq!(world.wallet(person).await, 1_000_000);
    assert_eq!(world.people.grant(Person(4_000_000), Cents::ZERO).await, Err(GrantError::Unknown));
    assert_eq!(world.store.check_books().await, Ok(vec![]));
}

async fn many_ask_the_cashier_at_once_and_each_gets_it_once(world: World) {
    let mut asked = Vec::new();
    for _ in 0..4 {
        let person = world.people.sit_down().await.expect("a guest").who.person;
        for _ in 0..25 {
            let people = world.people.clone();
            asked.push(tokio::spawn(async move { people.grant(person, Cents::ZERO).await }));
        }
    }
    let mut given = 0;
    for asked in asked {
        match asked.await.expect("no panic") {
            Ok(_) => given += 1,
            // Who saw the wallet before the other's grant sees the grant itself.
            Err(GrantError::Enough(GRANT_TO) | GrantError::TooSoon { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(given, 4);
    assert_eq!(world.records().await.len(), 4);
}

async fn own_limits_tighten_at_once_and_loosen_after_a_day(world: World) {
    let person = world.people.sit_down().await.expect("a guest").who.person;
    let set = |most| world.people.set_limit(person, Kind::LossPerDay, most);
    assert_eq!(set(Some(20_000)).await.expect("set").loss_per_day.most, Some(20_000));
    let limit = set(None).await.expect("set").loss_per_day;
    let begins = world.clock.now() + LOOSER_AFTER;
    assert_eq!(limit.most, Some(20_000));
    assert_eq!(limit.waiting.map(|it| (it.most, it.begins)), Some((None, begins)));
    let limits = world.people.limits(person, begins).await.expect("they are read");
    assert_eq!((limits.loss_per_day.most, limits.loss_per_day.waiting), (None, None));
    assert_eq!(set(Some(10_000)).await.expect("set").loss_per_day.most, Some(10_000));
    let time = world.people.set_limit(person, Kind::TimePerDay, Some(DAY + 1)).await;
    assert_eq!(time, Err(LimitError::TooHigh { kind: Kind::TimePerDay, most: DAY }));
    let loss = world.people.set_limit(person, Kind::LossPerWeek, Some(u64::MAX)).await;
    assert!(matches!(loss, Err(LimitError::TooHigh { kind: Kind::LossPerWeek, .. })));
    let nobody = world.people.set_limit(Person(4_000_000), Kind::TimePerDay, Some(1)).await;
    assert_eq!(nobody, Err(LimitError::Unknown));
}

/// As a room asks: what is lost is read off the wallet's moves, however many there are.
async fn what_was_lost_counts_against_the_limit(world: World) {
    let person = world.people.sit_down().await.expect("a guest").who.person;
    world.people.grant(person, Cents::ZERO).await.expect("the wallet is empty");
    let (wallet, stack) = (format!("wallet/{}", person.0), format!("table/7/stack/{}", person.0));
    world.carry(&wallet, &stack, Cents::dollars(1_000)).await;
    world.pass(2 * DAY);
    for _ in 0..150 {
        world.carry(&wallet, &stack, Cents::dollars(3)).await;
        world.carry(&stack, &wallet, Cents::dollars(1)).await;
    }
    let (day, week) = (Cents::dollars(300), Cents::dollars(1_300));
    let lost = world.people.lost(person).await.expect("it is read");
    assert_eq!(lost, Lost { day, week, month: week });
    let limits = world.people.set_limit(person, Kind::LossPerDay, Some(35_000)).await.expect("set");
    assert_eq!(may_risk(&limits, &lost, Cents::dollars(50)), Ok(()));
    let refused = may_risk(&limits, &lost, Cents::new(5_001)).expect_err("a cent too much");
    assert_eq!((refused.kind, refused.left), (Kind::LossPerDay, 5_000));
}

async fn people_login(
    people: People,
    name: &'static str,
    password: &'static str,
    from: u8,
) -> Result<Entered, LoginError> {
    let (name, password) = (name.to_owned(), password.to_owned());
    let address = [10, 0, 0, from].into();
    people.login(Attempt { name, password, address, replaces: None }).await
}
