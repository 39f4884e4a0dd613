//! Whole rounds in a house that deals the same in every run, looked at as text. A screen that was
//! changed on purpose is written anew with `HOUSEWAY_SCREENS=write cargo test -p houseway-terminal`.

use std::sync::Arc;
use std::time::Duration;

use houseway_fair::Keyring;
use houseway_rules::Cents;
use houseway_server::clock::Clock;
use houseway_server::config::Config;
use houseway_server::inside::Inside;
use houseway_server::vault::{Chance, NoChance, Vault};
use houseway_store::Memory;
use houseway_table::Bank;
use houseway_table::view::PhaseView;
use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::seat::{Seat, holds_bank};
use super::state::{Do, Library, Notes, Page, Play};
use super::{INSIDE, Wishes};
use crate::door::Door;
use crate::link::{Ask, Link, Pass, Said};
use crate::look::{Look, signed};

struct Seeded(ChaCha20Rng);

impl Chance for Seeded {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NoChance> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

/// A clock that stands.
struct Noon;

impl Clock for Noon {
    fn now(&self) -> u64 {
        1_800_000_000_000
    }
}

/// Someone at a house that deals the same in every run.
struct Guest {
    play: Play,
    asks: UnboundedSender<Ask>,
    said: UnboundedReceiver<Said>,
    /// How many requests are not answered yet.
    open: usize,
    house: Inside,
}

impl Guest {
    async fn at(rules: &str, seed: u64) -> Guest {
        let keyring = Keyring::new([(1, [7; 32])]).expect("one key");
        let vault = Vault::new(keyring, Seeded(ChaCha20Rng::seed_from_u64(seed)));
        let config =
            Config { requests_per_second: 1000, messages_per_second: 1000, ..Config::default() };
        let house = Inside::on(config, Arc::new(Memory::new()), vault, Arc::new(Noon)).await;
        let house = house.expect("it opens");
        let entered = house.come_in("Player").await.expect("they come in");
        let (said, heard) = unbounded_channel();
        let (asks, asked) = unbounded_channel();
        let pass = Pass::Token(entered.token.reveal().to_string());
        tokio::spawn(Link::new(Door::Inside(house.entrance()), pass, said).run(asked));
        let wishes = Wishes {
            rules: Some(rules.to_string()),
            bots: Some(2),
            optimal: false,
            stakes: None,
            buy_in: Cents::dollars(1_000),
            new: false,
        };
        let look = Look { colour: true, ascii: false };
        let play = Play::new(look, Library::default(), wishes, INSIDE.into(), Notes::default());
        let mut guest = Guest { play, asks, said: heard, open: 0, house };
        guest
            .until("the table", |play| play.seat.as_ref().is_some_and(|it| it.update.is_some()))
            .await;
        guest
    }

    /// Lets house and screen go on until something holds and nothing is under way.
    async fn until(&mut self, what: &str, holds: impl Fn(&Play) -> bool) {
        let waiting = async {
            loop {
                for ask in std::mem::take(&mut self.play.asks) {
                    // What goes over the socket is counted by the table's version.
                    let over_socket = matches!(ask, Ask::Watch(_) | Ask::Command { .. });
                    self.open += usize::from(!over_socket);
                    self.asks.send(ask).expect("the link stands");
                }
                let version =
                    self.play.seat.as_ref().and_then(|it| it.update.as_ref()).map(|it| it.version);
                let seen = version.is_none_or(|it| it >= self.play.commands.version);
                let answered = self.open == 0 && self.play.commands.are_done();
                if answered && seen && holds(&self.play) {
                    return;
                }
                let said = self.said.recv().await.expect("the link stands");
                let answers = matches!(
                    said,
                    Said::Tables(_)
                        | Said::Opened(_)
                        | Said::Me(_)
                        | Said::Given(_)
                        | Said::Rounds(_)
                        | Said::Recall(_)
                        | Said::No(_)
                );
                self.open -= usize::from(answers);
                self.play.hear(said);
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(30), waiting).await;
        assert!(waited.is_ok(), "{what} did not come:\n{}", self.screen(80, 24));
    }

    fn key(&mut self, code: KeyCode) {
        self.play.input(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    async fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            self.key(match key {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '<' => KeyCode::Left,
                '>' => KeyCode::Right,
                letter => KeyCode::Char(letter),
            });
            self.until("quiet", |_| true).await;
        }
    }

    /// What one has at the table, in cents.
    fn stack(&self) -> i64 {
        let stack = self.play.seat.as_ref().and_then(|seat| seat.view()?.stack);
        stack.map_or(0, |it| i64::try_from(it.get()).expect("it is countable"))
    }

    /// Does the next natural thing, and takes the bank where that is wanted.
    async fn step(&mut self, bank: bool) {
        let seat = self.play.seat.as_ref().expect("a seat");
        let view = seat.view().expect("a table");
        let me = self.play.person().expect("someone");
        let takes = bank && seat.bank().is_some() && !holds_bank(view, me);
        let has = |key| self.play.buttons().iter().any(|button| button.key == KeyCode::Char(key));
        let keys =
            match view.phase {
                PhaseView::Offering { .. } if takes => "b",
                PhaseView::Offering { .. } if has('n') => "n",
                PhaseView::Betting if takes => "b\n",
                PhaseView::Setting if seat.unset().is_some() && seat.chosen.len() < 2 => {
                    if has('d') { "d" } else { "a" }
                }
                _ => "\n",
            };
        self.press(keys).await;
    }

    /// Plays until one more round is over.
    async fn round(&mut self, bank: bool) {
        let past = |guest: &Guest| {
            let view = guest.play.seat.as_ref().and_then(|seat| seat.view());
            view.and_then(|view| view.last.as_ref()).map(|last| last.round)
        };
        let before = past(self);
        for _ in 0..60 {
            if past(self) != before && self.phase() == Some(PhaseView::Idle) {
                return;
            }
            self.step(bank).await;
        }
        panic!("the round does not end:\n{}", self.screen(80, 24));
    }

    async fn until_bets(&mut self) {
        for _ in 0..20 {
            if self.phase() == Some(PhaseView::Betting) {
                return;
            }
            self.step(false).await;
        }
        panic!("bets are not opened:\n{}", self.screen(80, 24));
    }

    /// Plays until there is a hand to set.
    async fn until_hand(&mut self) {
        for _ in 0..30 {
            if self.play.seat.as_ref().is_some_and(|seat| seat.unset().is_some()) {
                return;
            }
            self.step(false).await;
        }
        panic!("no hand:\n{}", self.screen(80, 24));
    }

    fn phase(&self) -> Option<PhaseView> {
        Some(self.play.seat.as_ref()?.view()?.phase)
    }

    async fn until_phase(&mut self, phase: PhaseView) {
        self.until(&format!("{phase:?}"), |play| {
            play.seat.as_ref().and_then(|seat| seat.view()).is_some_and(|view| view.phase == phase)
        })
        .await;
    }

    fn screen(&mut self, width: u16, height: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        self.play.draw(&mut buffer);
        text(&buffer)
    }

    /// A screen as one line: where it is broken does not matter.
    fn flat(&mut self) -> String {
        self.screen(80, 40).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn click(&mut self, at: &str) {
        let screen = self.screen(80, 24);
        let found = (0..).zip(screen.lines()).find_map(|(row, line)| {
            let byte = line.find(at)?;
            Some((line[..byte].chars().count() as u16, row))
        });
        let (column, row) =
            found.unwrap_or_else(|| panic!("`{at}` is not on the screen:\n{screen}"));
        self.play.input(&Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }
}

fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let rows = buffer.content.chunks(width).map(|row| {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        line.trim_end().to_string()
    });
    rows.collect::<Vec<_>>().join("\n") + "\n"
}

/// Compares a screen with what it should look like.
fn looks_as(name: &str, screen: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/screens");
    let path = format!("{folder}/{name}.txt");
    if std::env::var_os("HOUSEWAY_SCREENS").is_some_and(|it| it == "write") {
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(&path, screen).expect("it can be written");
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(screen, wanted, "{name} looks otherwise:\n{screen}");
}

#[tokio::test]
async fn a_round_looks_as_it_should_in_every_size() {
    let mut guest = Guest::at("mbs-2020", 7).await;
    looks_as("welcome-80x24", &guest.screen(80, 24));
    guest.press("\n").await;
    guest.until_phase(PhaseView::Betting).await;
    guest.press("\n\t2").await;
    looks_as("bets-80x24", &guest.screen(80, 24));
    looks_as("bets-40x24", &guest.screen(40, 24));
    guest.press("\n").await;
    guest.until_phase(PhaseView::Setting).await;
    guest.press("\n").await;
    looks_as("hand-80x24", &guest.screen(80, 24));
    guest.press(" >").await;
    looks_as("hand-40x24", &guest.screen(40, 24));
    looks_as("hand-40x20", &guest.screen(40, 20));
    guest.press("h").await;
    looks_as("house-way-80x24", &guest.screen(80, 24));
    guest.press("a").await;
    looks_as("advice-100x30", &guest.screen(100, 30));
    looks_as("advice-40x24", &guest.screen(40, 24));
    looks_as("advice-40x20", &guest.screen(40, 20));
    guest.press("\n").await;
    guest.until_phase(PhaseView::Revealed).await;
    looks_as("revealed-80x24", &guest.screen(80, 24));
    guest.press("\n").await;
    guest.until_phase(PhaseView::Idle).await;
    looks_as("results-80x24", &guest.screen(80, 24));
    looks_as("results-40x24", &guest.screen(40, 24));
    guest.play.look.ascii = true;
    let plain = guest.screen(80, 24);
    assert!(plain.is_ascii(), "{plain}");
    looks_as("results-ascii-80x24", &plain);
    guest.press("?").await;
    looks_as("help-80x24", &guest.screen(80, 24));
    looks_as("help-40x24", &guest.screen(40, 24));
}

#[tokio::test]
async fn a_round_is_told_again() {
    let mut guest = Guest::at("mbs-2016", 8).await;
    guest.press("\n").await;
    guest.until_phase(PhaseView::Betting).await;
    guest.press("\n\n").await;
    guest.until_phase(PhaseView::Setting).await;
    guest.press("\nd").await;
    guest.until_phase(PhaseView::Idle).await;
    guest.round(false).await;
    guest.press("y").await;
    guest.until("history", |play| !play.history.rounds.rounds.is_empty()).await;
    looks_as("history-80x24", &guest.screen(80, 24));
    guest.key(KeyCode::Enter);
    guest.until("replay", |play| play.page == Page::Replay).await;
    let steps = guest.play.replay.as_ref().expect("a replay").recall.steps.len();
    let mut seen = vec![guest.screen(80, 24)];
    for _ in 0..steps {
        guest.key(KeyCode::Right);
        seen.push(guest.screen(80, 24));
    }
    assert!(seen[0].contains("Before the round"), "{}", seen[0]);
    assert!(!seen[0].contains(['♣', '♦', '♥', '♠']), "no card is dealt yet:\n{}", seen[0]);
    assert!(seen.iter().any(|it| it.contains("the cards are dealt")));
    assert!(seen[steps].contains("the round is over"), "{}", seen[steps]);
    assert!(seen[steps].contains("Together"), "{}", seen[steps]);
    guest.key(KeyCode::Esc);
    assert_eq!(guest.play.page, Page::History);
    guest.key(KeyCode::Esc);
    assert_eq!(guest.play.page, Page::Table);
}

#[tokio::test]
async fn everything_can_be_clicked() {
    let mut guest = Guest::at("mbs-2020", 9).await;
    guest.click("sit down with");
    guest.until_phase(PhaseView::Betting).await;
    guest.click("●$25");
    guest.until("quiet", |_| true).await;
    guest.click("Fortune");
    guest.click("●$5");
    guest.until("quiet", |_| true).await;
    assert!(guest.screen(80, 24).contains("S25 F5"), "{}", guest.screen(80, 24));
    guest.click("deal");
    guest.until_phase(PhaseView::Setting).await;
    guest.click("look at your cards");
    guest.until("cards", |play| play.seat.as_ref().is_some_and(|it| it.unset().is_some())).await;
    let cards = guest.play.seat.as_ref().and_then(Seat::unset).expect("a hand").cards;
    let look = guest.play.look;
    // Any two will do: what they are is not judged here.
    for card in &cards[..2] {
        guest.click(&format!("│{}", look.card_text(*card)));
    }
    assert_eq!(guest.play.seat.as_ref().expect("a seat").chosen, cards[..2]);
    guest.click(&format!("║{}", look.card_text(cards[0])));
    assert_eq!(guest.play.seat.as_ref().expect("a seat").chosen, cards[1..2]);
    guest.click("dealer sets it");
    guest.until_phase(PhaseView::Revealed).await;
    guest.click("compare");
    guest.until_phase(PhaseView::Idle).await;
}

/// Plays until there is a hand that can be fouled, and chooses such a foul.
async fn choose_a_foul(guest: &mut Guest) {
    for _ in 0..40 {
        guest.until_hand().await;
        let seat = guest.play.seat.as_mut().expect("a seat");
        if let Some(foul) = seat.unset().and_then(|it| it.fouls.first().copied()) {
            seat.chosen = foul.from_the_top().collect();
            return;
        }
        guest.round(false).await;
    }
    panic!("no hand can be fouled");
}

#[tokio::test]
async fn a_foul_is_told_before_it_is_made_and_after() {
    let mut guest = Guest::at("mbs-2020", 1).await;
    let cite = &guest.play.rulebook().expect("a house").foul.cite;
    choose_a_foul(&mut guest).await;
    let screen = guest.flat();
    let then = format!("It would be set the House Way ({cite})");
    assert!(screen.contains("A foul:") && screen.contains(&then), "{screen}");
    assert!(screen.contains("Enter lay down the foul"), "{screen}");
    guest.press("\n").await;
    let told = format!("was a foul and was set the House Way ({cite})");
    assert!(guest.flat().contains(&told), "{}", guest.screen(80, 24));
    guest.press("\n").await;
    guest.until_phase(PhaseView::Idle).await;
    assert!(guest.flat().contains(&told), "{}", guest.screen(80, 24));
}

/// `catfish-bend` B5: the first foul is a warning, and whoever was warned is told again.
#[tokio::test]
async fn a_second_foul_is_warned_of() {
    let mut guest = Guest::at("catfish-bend", 2).await;
    choose_a_foul(&mut guest).await;
    let screen = guest.flat();
    assert!(screen.contains("your next foul would lose (B5)"), "{screen}");
    guest.round(false).await;
    let screen = guest.flat();
    assert!(screen.contains("This is a warning: the next one loses (B5)"), "{screen}");
    choose_a_foul(&mut guest).await;
    let screen = guest.flat();
    assert!(screen.contains("You have fouled before: the hand would lose (B5)"), "{screen}");
    guest.round(false).await;
    let screen = guest.flat();
    assert!(screen.contains("was a foul once more, and loses (B5)"), "{screen}");
}

/// `mbs-2020` 3.16: once the banker's hand is shown, a hand can be given up.
#[tokio::test]
async fn a_hand_is_given_up() {
    let mut guest = Guest::at("mbs-2020", 3).await;
    guest.until_hand().await;
    guest.press("d").await;
    guest.until_phase(PhaseView::Revealed).await;
    let screen = guest.screen(80, 24);
    assert!(screen.contains("Enter compare") && screen.contains("c give up seat 1"), "{screen}");
    guest.press("c").await;
    guest.until_phase(PhaseView::Idle).await;
    let screen = guest.screen(80, 24);
    assert!(screen.contains("Seat 1 Standard $10 is given up"), "{screen}");
    assert!(screen.contains("Together -$10") && screen.contains("3.16:"), "{screen}");
}

/// What is said to have been won or lost together is what one's money has changed by: fees,
/// commission and one's own bank included.
#[tokio::test]
async fn together_is_what_the_money_has_changed_by() {
    for rules in ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"] {
        for banks in [false, true] {
            let mut guest = Guest::at(rules, 12).await;
            guest.press("\n").await;
            let mut banked = 0;
            for _ in 0..6 {
                let before = guest.stack();
                guest.round(banks).await;
                let screen = guest.screen(120, 70);
                let gained = signed(guest.stack() - before);
                assert!(screen.contains(&format!("Together {gained}\n")), "{rules}:\n{screen}");
                banked += usize::from(screen.contains("Your bank of"));
            }
            let may = banks && !rules.starts_with("mbs");
            assert_eq!(banked > 0, may, "{rules}");
        }
    }
}

/// What each seat gave and got, by which clause, and what was paid for it.
#[tokio::test]
async fn a_bank_is_sized_taken_and_told_by_seat() {
    let mut guest = Guest::at("catfish-bend", 5).await;
    guest.press("\n").await;
    // The dealer banks first (B13).
    guest.round(false).await;
    for _ in 0..12 {
        guest.until_bets().await;
        if guest.play.seat.as_ref().is_some_and(|it| it.bank().is_some()) {
            break;
        }
        guest.round(false).await;
    }
    let screen = guest.screen(80, 24);
    assert!(
        screen.contains("or take the bank (b)") && screen.contains("b take the bank"),
        "{screen}"
    );
    guest.press("b").await;
    looks_as("bank-button-80x24", &guest.screen(80, 24));
    guest.press("321").await;
    assert!(guest.screen(80, 24).contains("< $321_ >"), "{}", guest.screen(80, 24));
    guest.key(KeyCode::Down);
    guest.key(KeyCode::Right);
    let screen = guest.screen(80, 24);
    assert!(screen.contains("< $321 >") && screen.contains("< $5 >"), "{screen}");
    guest.press("b").await;
    let bank = guest.play.seat.as_ref().and_then(|seat| seat.view()?.bank).expect("a bank");
    let Bank::Player { put_up, house_wager, .. } = bank else { panic!("it is ours") };
    assert_eq!((put_up, house_wager), (Cents::dollars(321), Cents::dollars(5)));
    assert!(guest.screen(80, 24).contains("Enter deal"), "{}", guest.screen(80, 24));
    guest.round(true).await;
    let screen = guest.screen(100, 50);
    for told in ["Your bank of $321:", "Seat 4 Standard", "The house's wager $5", "B17:"] {
        assert!(screen.contains(told), "{told}:\n{screen}");
    }
}

/// Enter twice is not ready twice: the second one would be said in the next phase.
#[tokio::test]
async fn an_enter_too_many_says_nothing() {
    let mut guest = Guest::at("mbs-2020", 8).await;
    guest.until_bets().await;
    guest.press("\n").await;
    for _ in 0..3 {
        guest.key(KeyCode::Enter);
    }
    guest.until_phase(PhaseView::Setting).await;
    let ready = guest.play.seat.as_ref().and_then(|it| it.update.as_ref()).map(|it| it.ready.len());
    assert_eq!((ready, guest.play.notice.clone()), (Some(0), None));
}

/// However many keys there are, help and the way out are on the screen.
#[tokio::test]
async fn help_and_the_way_out_are_always_shown() {
    let mut guest = Guest::at("mbs-2020", 8).await;
    guest.until_bets().await;
    for (width, height) in [(40, 20), (40, 24), (80, 24)] {
        let screen = guest.screen(width, height);
        assert!(screen.contains("? help") && screen.contains("q quit"), "{screen}");
        assert!(screen.contains("$10 to $1,000"), "nothing is cut off:\n{screen}");
    }
}

#[tokio::test]
async fn a_round_is_sat_out() {
    let mut guest = Guest::at("mbs-2020", 6).await;
    guest.until_bets().await;
    guest.press("o").await;
    // Nobody else waits for anything.
    guest.until_phase(PhaseView::Idle).await;
    assert!(guest.screen(80, 24).contains("You had no part in it"), "{}", guest.screen(80, 24));
    assert_eq!(guest.stack(), 100_000);
}

/// What is chosen is kept where it is, however often an arrow is pressed.
#[tokio::test]
async fn the_cursor_stays_among_the_bets() {
    let mut guest = Guest::at("mbs-2020", 7).await;
    guest.until_bets().await;
    for _ in 0..20 {
        guest.key(KeyCode::Down);
    }
    let screen = guest.screen(80, 24);
    assert!(screen.contains("▸ seat 6 Standard"), "the last:\n{screen}");
    assert!(screen.contains("Enter bet $1 at seat 6"), "what lies under the cursor:\n{screen}");
    guest.key(KeyCode::Up);
    assert!(guest.screen(80, 24).contains("▸ seat 4 Standard"), "one above the last");
    for _ in 0..20 {
        guest.key(KeyCode::Up);
    }
    assert!(guest.screen(80, 24).contains("Enter bet $10  "), "{}", guest.screen(80, 24));
    guest.press("\n").await;
    guest.key(KeyCode::Down);
    guest.press("1").await;
    let screen = guest.screen(80, 24);
    assert!(screen.contains("▸ seat 1 Fortune") && screen.contains("S10 F1"), "{screen}");
}

/// A key too many does not have to be taken back by as many others.
#[tokio::test]
async fn nobody_scrolls_past_the_end() {
    let mut guest = Guest::at("commission-free", 1).await;
    guest.press("?").await;
    let first = guest.screen(80, 24);
    guest.key(KeyCode::End);
    let last = guest.screen(80, 24);
    assert_ne!(first, last);
    guest.key(KeyCode::PageDown);
    assert_eq!(guest.screen(80, 24), last);
    guest.key(KeyCode::Up);
    assert_ne!(guest.screen(80, 24), last);
    guest.key(KeyCode::Home);
    assert_eq!(guest.screen(80, 24), first);
    guest.key(KeyCode::Esc);
    assert_ne!(guest.screen(80, 24), first);
}

/// What decides a side bet is not the same in every house.
#[tokio::test]
async fn help_says_what_decides_the_side_bets() {
    for (rules, says) in [
        ("mbs-2020", "The Fortune Bonus is decided by your seven cards alone"),
        (
            "commission-free",
            "Tiger 9 is decided by the banker's Low hand alone: it must be 9-high (F10)",
        ),
        ("cardroom", "only where the banker's own bonus hand is lower (C12)"),
    ] {
        let mut guest = Guest::at(rules, 1).await;
        guest.press("?").await;
        let screen = guest.screen(200, 90);
        assert!(screen.contains(says), "{rules}:\n{screen}");
        let narrow = guest.screen(40, 200).replace('\n', " ");
        assert!(narrow.contains("Ctrl-C goes at once."), "nothing is cut off:\n{narrow}");
    }
}

/// Catfish Bend tells the House Way only after all others have set: with two people at the table,
/// the first is refused, by the clause.
#[tokio::test]
async fn advice_is_given_where_the_rulebook_permits() {
    use houseway_server::desk::{Ask as Asked, HouseAsk};
    use houseway_server::room;
    use houseway_store::TableId;
    use houseway_table::{Action, Actor, Position};
    let mut guest = Guest::at("catfish-bend", 4).await;
    guest.press("\n").await;
    let table = guest.play.seat.as_ref().expect("a seat").table;
    let house = &guest.house.app.house;
    let room = house.room(TableId(table)).await.expect("it is there");
    let other = guest.house.come_in("Other").await.expect("they come in").who.person;
    let by = Actor { person: other, role: houseway_rules::rulebook::Role::Player };
    let ask = async |ask: Asked| {
        let id = uuid::Uuid::now_v7();
        let answer = room.ask(room::Asked { by, ask, id }).await.expect("an answer");
        assert!(answer.text.contains("done"), "{}", answer.text);
    };
    let position = Position(3);
    ask(Asked::Table(Action::BringMoney { amount: Cents::dollars(100) })).await;
    ask(Asked::Table(Action::Sit { position })).await;
    guest
        .until("an offer or bets", |play| {
            let phase = play.seat.as_ref().and_then(|seat| seat.view()).map(|view| view.phase);
            phase.is_some_and(|phase| phase != PhaseView::Idle)
        })
        .await;
    if guest.phase() != Some(PhaseView::Betting) {
        guest.press("n").await;
        guest.until("the next phase", |_| true).await;
    }
    if matches!(guest.phase(), Some(PhaseView::Offering { .. })) {
        ask(Asked::Table(Action::DeclineBank)).await;
    }
    guest.until_phase(PhaseView::Betting).await;
    guest.press("\n\n").await;
    let wager = houseway_rules::rulebook::Wager::Standard;
    let amount = Cents::dollars(10);
    ask(Asked::Table(Action::Place { position, wager, amount, person: None })).await;
    ask(Asked::House(HouseAsk::Ready)).await;
    guest.until_phase(PhaseView::Setting).await;
    guest.press("\na").await;
    let screen = guest.screen(80, 24);
    assert!(screen.contains("only after all others have set (B23)"), "{screen}");
    assert!(guest.play.seat.as_ref().expect("a seat").advice.is_none());
    ask(Asked::Table(Action::SetHouseWay { position })).await;
    guest
        .until("their turn", |play| {
            let offers = play.seat.as_ref().map(Seat::offers);
            let told = |it: &houseway_table::Offer| {
                matches!(it, houseway_table::Offer::AskHouseWay { .. })
            };
            offers.is_some_and(|offers| offers.iter().any(told))
        })
        .await;
    guest.press("a").await;
    assert!(guest.screen(80, 24).contains("Exact worth"), "{}", guest.screen(80, 24));
}

#[tokio::test]
async fn the_menu_opens_what_is_chosen() {
    let library = Library::default();
    let wishes = Wishes {
        rules: None,
        bots: None,
        optimal: false,
        stakes: None,
        buy_in: Cents::dollars(1_000),
        new: false,
    };
    let look = Look { colour: false, ascii: false };
    let mut play = Play::new(look, library, wishes, INSIDE.into(), Notes::default());
    let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
    play.draw(&mut buffer);
    looks_as("menu-80x24", &text(&buffer));
    for act in [Do::Down, Do::Right, Do::Down, Do::Left, Do::Down, Do::Right, Do::Down, Do::Right] {
        play.act(act);
    }
    play.act(Do::Enter);
    let Some(Ask::Open(wish)) = play.asks.pop_front() else { panic!("a table is opened") };
    assert_eq!(wish["rules"], "cardroom");
    assert_eq!((&wish["bots"], &wish["strategy"]), (&2.into(), &"optimal".into()));
    assert_eq!(wish["posted"]["standard"]["minimum"], 2500);
    assert_eq!(wish["posted"]["time"]["betting"], serde_json::Value::Null, "nobody is hurried");
}

#[tokio::test]
async fn money_is_brought_words_are_said_and_a_table_is_left() {
    let mut guest = Guest::at("mbs-2020", 5).await;
    guest.press("\n").await;
    guest.until_phase(PhaseView::Betting).await;
    assert!(!guest.screen(80, 24).contains("m bring"), "there is enough");
    guest.play.wishes.buy_in = Cents::dollars(3_000);
    guest.press("m").await;
    let stack = |play: &Play| play.seat.as_ref().and_then(|seat| seat.view()?.stack);
    guest.until("the money", |play| stack(play) == Some(Cents::dollars(3_000))).await;
    guest.press("wlucky seven").await;
    assert!(guest.screen(80, 24).contains("lucky seven_"), "{}", guest.screen(80, 24));
    guest.press("\n").await;
    assert_eq!(guest.play.notice, None, "they were taken");
    guest.press("l").await;
    guest
        .until("the wallet", |play| {
            play.me.as_ref().is_some_and(|me| me.wallet == Cents::dollars(10_000))
        })
        .await;
    assert!(guest.screen(80, 24).contains("sit down with"), "{}", guest.screen(80, 24));
}

/// Every bet of a rulebook is placed, taken back and placed again.
#[tokio::test]
async fn every_bet_of_the_rulebook_is_placed() {
    let mut guest = Guest::at("commission-free", 6).await;
    guest.press("\n").await;
    guest
        .until("the bank", |play| {
            let phase = play.seat.as_ref().and_then(|seat| seat.view()).map(|view| view.phase);
            matches!(phase, Some(PhaseView::Offering { .. } | PhaseView::Betting))
        })
        .await;
    if matches!(guest.phase(), Some(PhaseView::Offering { .. })) {
        looks_as("bank-80x24", &guest.screen(80, 24));
        guest.press("n").await;
    }
    guest.until_phase(PhaseView::Betting).await;
    guest.press("3\t2\t2").await;
    let screen = guest.screen(80, 24);
    assert!(screen.contains("S25 F5 T5"), "{screen}");
    guest.key(KeyCode::Backspace);
    guest.until("quiet", |_| true).await;
    let screen = guest.screen(80, 24);
    assert!(screen.contains("S25 F5") && !screen.contains("T5"), "{screen}");
    guest.press("1111").await;
    assert!(guest.screen(80, 24).contains("S25 F5 T4"), "{}", guest.screen(80, 24));
}
