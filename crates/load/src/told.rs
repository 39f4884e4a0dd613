//! Whether a round that was told again has everything that belongs to it (GLI-19 2.8.2, 4.14), and
//! whether it was paid as the rules say: it is settled once more from its cards, settings and wagers.

use std::collections::BTreeMap;

use anyhow::{Context, bail, ensure};
use houseway_rules::{Card, CardSet, Cents, houses};
use houseway_table::adjudicate::{
    Adjudicated, Given, GivenBank, GivenHand, GivenSeat, GivenSeated, GivenShare, adjudicate,
};
use houseway_table::settlement::{Bet, Line, Owner, bank_after};
use houseway_table::view::{HandView, PastView, PhaseView, SeatView, TableView};
use houseway_table::{Bank, Person, Share};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A round as it was told to someone who played there.
pub(crate) struct Told<'a> {
    pub(crate) recall: &'a Value,
    pub(crate) table: u64,
    pub(crate) round: u64,
    /// To whom.
    pub(crate) person: u32,
}

/// What one bet came to for someone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct Amounts {
    wagered: u64,
    taken: u64,
    paid: u64,
    back: u64,
    commission: u64,
}

#[derive(Deserialize)]
struct ToldShare {
    person: u32,
    bet: String,
    #[serde(flatten)]
    amounts: Amounts,
}

#[derive(Deserialize)]
struct ToldFunds {
    person: u32,
    before: u64,
    brought: u64,
    taken: u64,
    after: u64,
}

impl Amounts {
    fn add(&mut self, other: &Amounts) {
        self.wagered += other.wagered;
        self.taken += other.taken;
        self.paid += other.paid;
        self.back += other.back;
        self.commission += other.commission;
    }

    fn of(line: &Line) -> Amounts {
        Amounts {
            wagered: line.stake.get(),
            taken: line.taken.get(),
            paid: line.paid.get(),
            back: line.back.get(),
            commission: line.commission.get(),
        }
    }
}

impl Told<'_> {
    fn read<T: DeserializeOwned>(&self, at: &str) -> anyhow::Result<T> {
        let value = self.recall.pointer(at).with_context(|| format!("{at} is missing"))?;
        T::deserialize(value).with_context(|| at.to_string())
    }

    fn text(&self, at: &str) -> anyhow::Result<String> {
        let text: String = self.read(at)?;
        ensure!(!text.trim().is_empty(), "{at} says nothing");
        Ok(text)
    }

    fn is_void(&self) -> anyhow::Result<bool> {
        match self.text("/round/status")?.as_str() {
            "settled" => Ok(false),
            "void" => Ok(true),
            other => bail!("a round that is {other}"),
        }
    }

    /// What the round came to for whom it is told.
    fn shares(&self) -> anyhow::Result<Vec<ToldShare>> {
        let shares: Vec<ToldShare> = self.read("/round/shares")?;
        ensure!(shares.iter().all(|it| it.person == self.person), "somebody else's share");
        Ok(shares)
    }

    /// Whether everything is there that belongs to a round, to its last step, and is what it should be;
    /// otherwise what is wrong.
    pub(crate) fn check_whole(&self) -> anyhow::Result<()> {
        ensure!(self.read::<bool>("/replay")?, "it does not say that it is a replay");
        self.text("/name")?;
        ensure!(self.read::<u64>("/round/table")? == self.table, "another table");
        ensure!(self.read::<u64>("/round/round")? == self.round, "another round");
        houses::find(&self.text("/round/rules")?).context("rules that nobody knows")?;
        if self.is_void()? {
            self.text("/round/clause")?;
        }
        let before: TableView = self.read("/before")?;
        ensure!(before.rules == self.text("/round/rules")?, "other rules before");
        self.check_steps()?;
        self.check_money()
    }

    /// What happened, without gaps and in time: wagers, choices, results.
    fn check_steps(&self) -> anyhow::Result<()> {
        #[derive(Deserialize)]
        struct Happened {
            version: u64,
            at: u64,
            event: String,
            /// Whose it was, where it is about someone.
            #[serde(default)]
            person: Option<u32>,
        }
        #[derive(Deserialize)]
        struct Step {
            happened: Happened,
            view: TableView,
        }
        let (began, ended): (u64, u64) = (self.read("/round/began")?, self.read("/round/ended")?);
        ensure!(0 < began && began <= ended, "it began at {began} and ended at {ended}");
        let steps: Vec<Step> = self.read("/steps")?;
        let (first, last) = steps.first().zip(steps.last()).context("no steps")?;
        ensure!(first.happened.at == began && last.happened.at == ended, "steps of other times");
        for (one, next) in steps.iter().zip(&steps[1..]) {
            let (one, next) = (&one.happened, &next.happened);
            ensure!(next.version == one.version + 1, "a gap after step {}", one.version);
            ensure!(next.at >= one.at, "step {} was before the one before it", next.version);
        }
        let past = last.view.last.as_ref().context("the last step does not end the round")?;
        ensure!(past.round == self.round, "the last step ends another round");
        let end = last.happened.event.as_str();
        ensure!(["round-ended", "voided"].contains(&end), "it ends with `{end}`");
        let has = |event: &str| steps.iter().any(|it| it.happened.event == event);
        let own = |it: &&Step| it.happened.person == Some(self.person);
        if !self.shares()?.is_empty() {
            let wagered = steps.iter().filter(own).any(|it| it.happened.event == "placed");
            ensure!(wagered, "a share without a wager");
        }
        if self.is_void()? {
            return Ok(());
        }
        for event in ["bets-opened", "bets-closed", "dealt", "set", "settled"] {
            ensure!(has(event), "nobody is told of `{event}`");
        }
        laid(&past.banker).context("the banker's hand")?;
        for (position, hand) in &past.hands {
            laid(hand).with_context(|| format!("the hand at {}", position.0))?;
        }
        let clauses: Vec<Value> = self.read("/clauses")?;
        ensure!(!clauses.is_empty(), "no clause is cited");
        Ok(())
    }

    /// Wagers, wins, commission and what someone had before and after: it all adds up.
    fn check_money(&self) -> anyhow::Result<()> {
        let shares = self.shares()?;
        for share in &shares {
            let Amounts { wagered, taken, back, .. } = share.amounts;
            ensure!(!share.bet.is_empty() && wagered == taken + back, "{}: a part", share.bet);
        }
        let funds: Vec<ToldFunds> = self.read("/funds")?;
        match &funds[..] {
            [] if shares.is_empty() => Ok(()),
            [it] if !shares.is_empty() && it.person == self.person => {
                let result: i128 = shares.iter().map(|it| net(&it.amounts)).sum();
                ensure!(result == i128::from(self.read::<i64>("/round/net")?), "another result");
                let right = i128::from(it.before) + i128::from(it.brought) - i128::from(it.taken);
                ensure!(i128::from(it.after) == right + result, "funds that do not add up");
                Ok(())
            }
            _ => bail!("no funds, or somebody else's"),
        }
    }

    /// Whether everyone was paid what the rules say; otherwise what is wrong. Of a void round
    /// everything went back.
    pub(crate) fn check_paid(&self) -> anyhow::Result<()> {
        let statement: Vec<Line> = self.read("/statement")?;
        if self.is_void()? {
            ensure!(statement.is_empty(), "a void round with a statement");
            return self.check_all_back();
        }
        let right = self.settled_again()?;
        ensure!(right.lines == statement, "the statement should be {:?}", right.lines);
        let mut told: BTreeMap<String, Amounts> = BTreeMap::new();
        for share in self.shares()? {
            told.entry(share.bet).or_default().add(&share.amounts);
        }
        // What comes from the bank and from fees is judged by what all of it comes to.
        let (bank, fees) = (told.remove("bank"), told.remove("fee"));
        let rest = [bank, fees].into_iter().flatten().map(|it| net(&it)).sum::<i128>();
        let mut asked: BTreeMap<String, Amounts> = BTreeMap::new();
        let own = Owner::Person(Person(self.person));
        let lines = right.lines.iter().filter(|it| it.owner == own);
        for line in lines.filter(|it| it.bet != Bet::BankerCommission) {
            asked.entry(name(line.bet).to_string()).or_default().add(&Amounts::of(line));
        }
        ensure!(told == asked, "shares {told:?} should be {asked:?}");
        ensure!(rest == self.beside(&right), "bank and fees come to {rest}");
        Ok(())
    }

    /// What the bank and fees come to for whom it is told.
    fn beside(&self, right: &Adjudicated) -> i128 {
        let own = Person(self.person);
        let fees = right.fees.iter().filter(|it| it.person == own);
        let fees: i128 = fees.map(|it| i128::from(it.amount.get())).sum();
        let gained = match (right.bank, bank_after(right.bank, &right.lines)) {
            (Bank::Player { put_up, .. }, Some((person, after))) if person == own => {
                i128::from(after.get()) - i128::from(put_up.get())
            }
            _ => 0,
        };
        gained - fees
    }

    fn check_all_back(&self) -> anyhow::Result<()> {
        let mut wagered = 0;
        for ToldShare { bet, amounts, .. } in self.shares()? {
            let Amounts { wagered: stake, taken, paid, back, commission } = amounts;
            ensure!(back == stake && taken + paid + commission == 0, "{bet} did not go back");
            wagered += if bet == "bank" || bet == "fee" { 0 } else { stake };
        }
        let stakes: Vec<Share> = match self.wagered()? {
            Some(view) => {
                view.seats.iter().flat_map(|it| it.stakes.shares()).map(|it| it.1).collect()
            }
            None => vec![],
        };
        let own = stakes.iter().filter(|it| it.person == Person(self.person));
        let lay: u64 = own.map(|it| it.amount.get()).sum();
        ensure!(lay == wagered, "{lay} lay there, and {wagered} went back");
        Ok(())
    }

    /// The table as it last was with wagers on it.
    fn wagered(&self) -> anyhow::Result<Option<TableView>> {
        let steps: &Vec<Value> = self.recall["steps"].as_array().context("no steps")?;
        for step in steps.iter().rev() {
            let view = TableView::deserialize(&step["view"])?;
            if view.phase != PhaseView::Idle && view.seats.iter().any(|it| !it.stakes.is_empty()) {
                return Ok(Some(view));
            }
        }
        Ok(None)
    }

    /// Settles the round from its cards, settings and wagers, as it would be at a physical table.
    fn settled_again(&self) -> anyhow::Result<Adjudicated> {
        let rules = self.text("/round/rules")?;
        let rulebook = houses::find(&rules).context("rules that nobody knows")?;
        let steps: &Vec<Value> = self.recall["steps"].as_array().context("no steps")?;
        let past = steps.last().context("no steps")?.pointer("/view/last");
        let past = PastView::deserialize(past.context("no result")?)?;
        let number = match rulebook.action_button.is_some() {
            true => steps.iter().find_map(|it| it.pointer("/happened/number")?.as_u64()),
            false => None,
        };
        let view = self.wagered()?.context("nobody has wagered")?;
        let bank_at = past.bank.position();
        let mut given = Given {
            rules,
            posted: None,
            bank: bank(past.bank, &view.seats),
            number: number.map(u8::try_from).transpose()?,
            banker: laid(&past.banker)?,
            house: past.house.as_ref().map(laid).transpose()?,
            seats: vec![],
            seated: vec![],
            irregularities: vec![],
            rulings: vec![],
        };
        for seat in view.seats.iter().filter(|it| Some(it.position) != bank_at) {
            let Some(Person(person)) = seat.person else { continue };
            let position = seat.position.0;
            match past.hands.iter().find(|(at, _)| *at == seat.position) {
                Some((_, hand)) => given.seats.push(wager(seat, person, laid(hand)?)),
                None => given.seated.push(GivenSeated { position, person: Some(person) }),
            }
        }
        Ok(adjudicate(rulebook, &given)?)
    }
}

/// What a share brought, or cost.
fn net(it: &Amounts) -> i128 {
    i128::from(it.paid) - i128::from(it.taken) - i128::from(it.commission)
}

fn name(bet: Bet) -> &'static str {
    match bet {
        Bet::Standard => "standard",
        Bet::Fortune => "fortune",
        Bet::TigerNine => "tiger-nine",
        Bet::Envy { .. } => "envy",
        Bet::HouseWager => "house-wager",
        Bet::BankerCommission => "bank",
    }
}

/// A hand as it lay.
fn laid(hand: &HandView) -> anyhow::Result<GivenHand> {
    let HandView::Set { low, high, .. } = hand else { bail!("it is not shown: {hand:?}") };
    ensure!(low.len() == 2 && high.len() == 5, "it has not two cards and five");
    let cards: Vec<Card> = low.iter().chain(high).copied().collect();
    Ok(GivenHand { cards, low: Some(low.iter().fold(CardSet::EMPTY, |all, card| all.with(*card))) })
}

fn bank(bank: Bank, seats: &[SeatView]) -> Option<GivenBank> {
    let Bank::Player { position, person, put_up, house_wager } = bank else { return None };
    let fortune = seats.iter().find(|it| it.position == position).map_or(Cents::ZERO, |it| {
        it.stakes.fortune.first().map_or(Cents::ZERO, |share| share.amount)
    });
    Some(GivenBank { position: position.0, person: Some(person.0), put_up, house_wager, fortune })
}

fn wager(seat: &SeatView, person: u32, hand: GivenHand) -> GivenSeat {
    let of = |shares: &[Share], whose: u32| {
        let own = shares.iter().find(|it| it.person == Person(whose));
        own.map_or(Cents::ZERO, |it| it.amount)
    };
    let stakes = &seat.stakes;
    let others = stakes.standard.iter().map(|it| it.person.0).filter(|it| *it != person);
    let shared = others.map(|it| GivenShare {
        person: it,
        standard: of(&stakes.standard, it),
        fortune: of(&stakes.fortune, it),
    });
    GivenSeat {
        position: seat.position.0,
        person: Some(person),
        standard: of(&stakes.standard, person),
        fortune: of(&stakes.fortune, person),
        tiger_nine: of(&stakes.tiger_nine, person),
        shared: shared.collect(),
        cards: hand.cards,
        low: hand.low,
        dealer_set: false,
        conceded: false,
        fouls: 0,
        under_minimum_before: false,
    }
}

#[cfg(test)]
mod tests {
    use houseway_server::config::Config;
    use houseway_server::inside::Inside;
    use houseway_server::recall::recall;
    use houseway_store::TableId;
    use houseway_table::view::Onlooker;
    use serde_json::json;

    use super::*;
    use crate::fill::{Played, fill};

    /// Rounds of every house as their players are told of them.
    async fn rounds() -> Vec<(Value, u64, u64, u32)> {
        let mut all = vec![];
        for rulebook in houses::HOUSES {
            let folder = tempfile::tempdir().expect("a folder");
            let fill = fill(folder.path(), 3, &rulebook.id).await.expect(&rulebook.id);
            let config = Config { data: folder.path().to_path_buf(), ..Config::default() };
            let inside = Inside::open(config).await.expect("it opens again");
            for Played { table, rounds, guest } in &fill.tables {
                let person = guest.you.person;
                for round in 1..=*rounds {
                    let onlooker = Onlooker::Player(Person(person));
                    let told = recall(&inside.app.house, TableId(*table), round, onlooker).await;
                    let told = serde_json::to_value(told.expect("it was played")).expect("JSON");
                    all.push((told, *table, round, person));
                }
            }
            inside.close().await;
        }
        all
    }

    /// What is found, of the whole and of the payouts.
    fn found((told, table, round, person): &(Value, u64, u64, u32)) -> [Option<String>; 2] {
        let told = Told { recall: told, table: *table, round: *round, person: *person };
        [told.check_whole(), told.check_paid()].map(|it| it.err().map(|it| format!("{it:#}")))
    }

    /// A round with one thing changed.
    fn changed(
        of: &(Value, u64, u64, u32),
        change: impl FnOnce(&mut Value),
    ) -> (Value, u64, u64, u32) {
        let mut other = of.clone();
        change(&mut other.0);
        other
    }

    fn add(told: &mut Value, at: &str, amount: u64) {
        let value = told.pointer_mut(at).expect(at);
        *value = json!(value.as_u64().expect("an amount") + amount);
    }

    #[tokio::test]
    async fn rounds_of_every_house_are_whole_and_a_cent_too_much_is_seen() {
        for round in &rounds().await {
            let rules = &round.0["round"]["rules"];
            assert_eq!(found(round), [None, None], "{rules}");
            for at in ["/statement/0/paid", "/statement/0/back", "/round/shares/0/paid"] {
                let wrong = changed(round, |told| add(told, at, 1));
                assert!(found(&wrong)[1].is_some(), "{rules}: {at}");
            }
            for at in ["/funds/0/after", "/funds/0/before", "/round/shares/0/wagered"] {
                let wrong = changed(round, |told| add(told, at, 1));
                assert!(found(&wrong)[0].is_some(), "{rules}: {at}");
            }
            // Statement and shares agree on a cent that the cards do not bear out.
            let both = changed(round, |told| {
                let own = json!({"person": round.3});
                let lines = told["statement"].as_array_mut().expect("lines");
                let line = lines.iter_mut().find(|it| it["owner"] == own).expect("their line");
                add(line, "/paid", 1);
                add(told, "/round/shares/0/paid", 1);
            });
            assert!(found(&both)[1].is_some(), "{rules}: both");
        }
    }

    #[tokio::test]
    async fn whatever_is_missing_from_a_round_is_seen() {
        let rounds = rounds().await;
        let round = &rounds[0];
        for at in ["name", "round", "before", "steps", "funds", "clauses", "replay"] {
            let without = changed(round, |told| drop(told[at].take()));
            assert!(found(&without)[0].is_some(), "{at}");
        }
        for (at, other) in [
            ("/replay", json!(false)),
            ("/name", json!("")),
            ("/round/table", json!(0)),
            ("/round/round", json!(99)),
            ("/round/rules", json!("nobodys")),
            ("/round/began", json!(0)),
            ("/round/ended", json!(1)),
            ("/round/status", json!("running")),
            ("/round/net", json!(7)),
            ("/round/shares/0/person", json!(0)),
            ("/round/shares/0/bet", json!("")),
            ("/round/shares", json!([])),
            ("/clauses", json!([])),
            ("/steps", json!([])),
            ("/funds", json!([])),
        ] {
            let wrong = changed(round, |told| *told.pointer_mut(at).expect(at) = other);
            assert!(found(&wrong)[0].is_some(), "{at}");
        }
        let gap =
            changed(round, |told| drop(told["steps"].as_array_mut().expect("steps").remove(1)));
        assert!(found(&gap)[0].is_some(), "a step that is left out");
        let end = changed(round, |told| drop(told["steps"].as_array_mut().expect("steps").pop()));
        assert!(found(&end)[0].is_some(), "the last step");
    }

    #[tokio::test]
    async fn of_a_void_round_everything_goes_back() {
        let rounds = rounds().await;
        let void = changed(&rounds[0], |told| {
            told["round"]["status"] = json!("void");
            told["round"]["clause"] = json!("6.1");
            told["statement"] = json!([]);
            let share = &mut told["round"]["shares"][0];
            share["back"] = share["wagered"].clone();
            for taken in ["taken", "paid", "commission"] {
                share[taken] = json!(0);
            }
            told["round"]["net"] = json!(0);
            told["funds"][0]["after"] = told["funds"][0]["before"].clone();
        });
        assert_eq!(found(&void), [None, None]);
        let kept = changed(&void, |told| add(told, "/round/shares/0/taken", 1));
        assert!(found(&kept)[1].is_some());
        let less = changed(&void, |told| {
            told["round"]["shares"][0]["back"] = json!(1);
            told["round"]["shares"][0]["wagered"] = json!(1);
        });
        assert!(found(&less)[1].is_some(), "less than lay there");
        let settled = changed(&void, |told| told["statement"] = rounds[0].0["statement"].clone());
        assert!(found(&settled)[1].is_some(), "settled all the same");
        let why = changed(&void, |told| drop(told["round"]["clause"].take()));
        assert!(found(&why)[0].is_some(), "by which clause?");
    }
}
