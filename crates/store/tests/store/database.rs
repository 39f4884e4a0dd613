//! What the databases themselves refuse, and what is found when somebody gets round them.

use std::sync::Arc;

use houseway_store::{
    Append, AppendError, Appended, NewUser, OpenError, OwnLimit, Postgres, RoundBet, RoundRow,
    Sqlite, Store, Strays, SumBy, TableId, Version,
};
use houseway_table::Person;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection};
use tempfile::TempDir;
use uuid::Uuid;

use crate::common::{
    account, append, assert_whole, bodies, command, database, entry, fund, moved, paid, round,
    share, stream, with_command,
};

/// A database with somebody at its back door.
enum Back {
    Sqlite(TempDir),
    Postgres(String),
}

impl Back {
    async fn both() -> [Back; 2] {
        [Back::Sqlite(tempfile::tempdir().expect("a folder")), Back::Postgres(database().await)]
    }

    fn address(&self) -> String {
        match self {
            Back::Sqlite(folder) => folder.path().join("houseway.db").display().to_string(),
            Back::Postgres(address) => address.clone(),
        }
    }

    async fn open(&self) -> Result<Arc<dyn Store>, OpenError> {
        Ok(match self {
            Back::Sqlite(_) => Arc::new(Sqlite::open(self.address().as_ref()).await?),
            Back::Postgres(address) => Arc::new(Postgres::open(address).await?),
        })
    }

    async fn run(&self, sql: &str) -> Result<(), sqlx::Error> {
        let sql = AssertSqlSafe(sql.to_owned());
        match self {
            Back::Sqlite(_) => {
                let mut raw =
                    SqliteConnection::connect(&format!("sqlite://{}", self.address())).await?;
                sqlx::raw_sql(sql).execute(&mut raw).await?;
                raw.close().await
            }
            Back::Postgres(address) => {
                let mut raw = PgConnection::connect(address).await?;
                sqlx::raw_sql(sql).execute(&mut raw).await?;
                raw.close().await
            }
        }
    }

    /// Takes the triggers away, as somebody with all rights could.
    async fn disarm(&self) {
        let sql = match self {
            Back::Sqlite(_) => {
                "drop trigger entry_is_final; drop trigger entry_stays; drop trigger entry_follows;
                 drop trigger move_is_final; drop trigger move_stays; pragma foreign_keys = off"
            }
            Back::Postgres(_) => {
                "alter table entry disable trigger user; alter table move disable trigger user"
            }
        };
        self.run(sql).await.expect("the owner may do this");
    }
}

async fn with_history(back: &Back) -> Arc<dyn Store> {
    let store = back.open().await.expect("it opens");
    fund(&*store, "wallet/1", 500).await;
    let entries = vec![
        entry("a"),
        paid("b", vec![moved("wallet/1", "house/bets", 7)]),
        entry("c"),
        entry("d"),
    ];
    let asked = with_command(append("table/1", 0, entries), command(1, 1, "done"));
    store.append(asked).await.expect("stored");
    let person =
        NewUser { name: "Ada".into(), password_hash: None, role: "player".into(), created: 1 };
    let person = store.add_user(person).await.expect("entered").id;
    let limit = OwnLimit { person, kind: "loss".into(), most: Some(5), made: 1 };
    store.set_limit(limit).await.expect("set");
    store
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_cannot_be_changed() {
    for back in Back::both().await {
        let store = with_history(&back).await;
        let mut wrong = vec![
            "update entry set body = 'x' where version = 2",
            "delete from entry where version = 4",
            "update move set amount = 1",
            "delete from move",
            "update command set answer = 'x'",
            "delete from command",
            // A gap, a second first entry, money that is not there.
            "insert into entry select stream, 9, at, kind, body, previous, hash from entry \
             where stream = 'table/1' and version = 4",
            "insert into entry select * from entry where stream = 'table/1' and version = 1",
            "update balance set amount = -1 where account = 'wallet/1'",
            // A right to owe, which an account has by its name alone.
            "update balance set amount = -1, overdraft = not overdraft where account = 'wallet/1'",
            // Limits that people set themselves.
            "update own_limit set most = 9",
            "delete from own_limit",
            // A move without its entry, to itself, of nothing.
            "insert into move values ('table/9', 1, 0, 0, 'house/a', 'house/b', 1, 'x', null)",
            "insert into move values ('table/1', 1, 0, 0, 'house/a', 'house/a', 1, 'x', null)",
            "insert into move values ('table/1', 1, 0, 0, 'house/a', 'house/b', 0, 'x', null)",
        ];
        match back {
            Back::Sqlite(_) => wrong.extend([
                "insert or replace into entry select stream, version, at, kind, 'x', previous, \
                 hash from entry where stream = 'table/1' and version = 2",
                "insert or replace into move select stream, version, number, at, from_account, \
                 to_account, 1, reason, clause from move where stream = 'table/1'",
                "insert or replace into command select id, person, digest, stream, version, 'x' \
                 from command",
                "insert or replace into own_limit select number, person, kind, 9, made \
                 from own_limit",
                "insert into balance values ('wallet/9', -5, 1)",
                "insert into balance values ('table/1/house/2', -5, 1)",
            ]),
            Back::Postgres(_) => wrong.extend([
                "truncate entry cascade",
                "truncate move",
                "truncate own_limit",
                "insert into balance values ('wallet/9', -5, true)",
                "insert into balance values ('table/1/house/2', -5, true)",
            ]),
        }
        for sql in wrong {
            let refused = back.run(sql).await;
            assert!(matches!(refused, Err(sqlx::Error::Database(_))), "{sql}: {refused:?}");
        }
        assert_eq!(bodies(&*store, "table/1").await, ["a", "b", "c", "d"]);
        assert_whole(&*store).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_gets_round_it_is_found_out() {
    let tampered = [
        ("update entry set body = 'x' where stream = 'table/1' and version = 3", "entry 3"),
        ("update entry set at = at + 1 where stream = 'table/1' and version = 1", "entry 1"),
        ("update move set to_account = 'wallet/1' where stream = 'house'", "house, entry 1"),
        ("update move set amount = 8 where stream = 'table/1'", "table/1, entry 2"),
        ("delete from entry where stream = 'table/1' and version = 3", "entry 3"),
        ("delete from entry where stream = 'table/1' and version > 2", "ends here"),
    ];
    for (sql, found) in tampered {
        for back in Back::both().await {
            let store = with_history(&back).await;
            let anchors = store.heads("").await.expect("heads");
            back.disarm().await;
            // The same text would be no tampering.
            let sql = sql.replace("'wallet/1'", "'wallet/2'");
            back.run(&sql).await.expect("nothing is in the way now");
            let mut words = String::new();
            for (stream, head) in anchors {
                if let Err(error) = store.verify_chain(&stream, Some(head)).await {
                    words += &error.to_string();
                }
            }
            assert!(words.contains(found), "{sql}: {words}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_balances_are_found_and_put_right() {
    for back in Back::both().await {
        let store = with_history(&back).await;
        back.run("update balance set amount = amount + 5 where account = 'wallet/1'")
            .await
            .expect("a balance may change");
        back.run("delete from balance where account = 'house/bets'").await.expect("or go");
        let differences = store.check_books().await.expect("counted");
        let found: Vec<_> =
            differences.iter().map(|it| (it.account.as_str(), it.kept, it.counted)).collect();
        assert_eq!(found, [("house/bets", 0, 7), ("wallet/1", 498, 493)]);
        store.rebuild_books().await.expect("rebuilt");
        assert_eq!(store.balance(&account("wallet/1")).await, Ok(493));
        assert_whole(&*store).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_sums_are_put_right() {
    for back in Back::both().await {
        let store = back.open().await.expect("it opens");
        let shares = vec![share(1, RoundBet::Standard, [10, 10, 0, 0])];
        let rounds = vec![RoundRow { shares, ..round(1, 1, 1) }];
        let asked = Append { rounds, ..append("table/1", 0, vec![entry("a")]) };
        store.append(asked).await.expect("stored");
        let sums = async || store.round_sums(SumBy::Day, 0, u64::MAX).await.expect("summed");
        let right = sums().await;
        for sql in [
            "update round_sum set rounds = rounds + 1",
            "update bet_sum set wagered = wagered + 1, taken = taken + 1",
            "delete from bet_sum",
            "insert into round_sum values (7, 7, 'mbs-2020', 'settled', 1, 0, 0)",
        ] {
            back.run(sql).await.expect("a sum may change");
            assert_ne!(sums().await, right, "{sql}");
            store.rebuild_round_sums().await.expect("rebuilt");
            assert_eq!(sums().await, right, "{sql}");
        }
    }
}

/// What a store would never write: shares without a round or under other words than its, marks without an
/// entry, moves at another time than their entry's.
#[tokio::test(flavor = "multi_thread")]
async fn what_stands_beside_no_entry_is_found() {
    for back in Back::both().await {
        let store = with_history(&back).await;
        let shares = vec![share(1, RoundBet::Standard, [10, 10, 0, 0])];
        let rounds = vec![RoundRow { shares, ..round(1, 1, 5) }];
        let mark = Some("sealed".to_owned());
        let asked = Append { rounds, mark, ..append("table/1", 4, vec![entry("e")]) };
        store.append(asked).await.expect("stored");
        assert_eq!(store.strays().await, Ok(Strays::default()));
        back.disarm().await;
        let free = match &back {
            Back::Sqlite(_) => "pragma foreign_keys = off;",
            Back::Postgres(_) => {
                "alter table round_share drop constraint round_share_table_id_last_version_fkey;"
            }
        };
        let forged = format!(
            "{free}
             insert into round_share select 999, last_version, person, bet, bot, ended, rulebook, status,
                 wagered, taken, paid, back, commission from round_share;
             update round_share set ended = ended + 1 where table_id = 1;
             insert into mark values ('table/1', 6, 'x'), ('table/9', 1, 'x');"
        );
        back.run(&forged).await.expect("nothing is in the way");
        let strays = Strays {
            rounds: vec![],
            shares: vec![(TableId(1), Version(5)), (TableId(999), Version(5))],
            marks: vec![(stream("table/1"), Version(6)), (stream("table/9"), Version(1))],
        };
        assert_eq!(store.strays().await, Ok(strays));
        store.remove_strays().await.expect("removed");
        // A share that stands at an entry is written anew from the log.
        let shares = vec![(TableId(1), Version(5))];
        assert_eq!(store.strays().await, Ok(Strays { shares, ..Strays::default() }));

        assert_eq!(store.moment().await.expect("read").misdated, []);
        back.run("update move set at = at + 1 where stream = 'table/1'").await.expect("changed");
        let misdated = store.moment().await.expect("read").misdated;
        assert_eq!(misdated, [(stream("table/1"), Version(2))]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_schema_is_left_alone() {
    for back in Back::both().await {
        drop(with_history(&back).await);
        back.run("insert into schema_version values (99, 'later')").await.expect("inserted");
        let Err(refused) = back.open().await else { panic!("it opened") };
        let OpenError::NewerSchema { found: 99, known } = refused else { panic!("{refused}") };
        assert!((4..99).contains(&known), "{known} steps are known");
        assert!(refused.to_string().contains("use a newer Houseway"), "{refused}");
    }
}

/// The first schema that kept everything, and a store that was written with it: it is brought up to date,
/// and what was answered is answered again.
#[tokio::test(flavor = "multi_thread")]
async fn an_older_schema_is_brought_up_to_date() {
    for back in Back::both().await {
        let mut old = match &back {
            Back::Sqlite(folder) => {
                std::fs::write(folder.path().join("houseway.db"), []).expect("an empty file");
                [
                    include_str!("../../migrations/sqlite/0001_log.sql"),
                    include_str!("../../migrations/sqlite/0002_people.sql"),
                    include_str!("../../migrations/sqlite/0003_rounds.sql"),
                    include_str!("../../migrations/sqlite/0004_sums.sql"),
                ]
            }
            Back::Postgres(_) => [
                include_str!("../../migrations/postgres/0001_log.sql"),
                include_str!("../../migrations/postgres/0002_people.sql"),
                include_str!("../../migrations/postgres/0003_rounds.sql"),
                include_str!("../../migrations/postgres/0004_sums.sql"),
            ],
        }
        .join("\n");
        old.push_str(
            "create table schema_version (version bigint primary key, name text not null);
             insert into schema_version values (1, 'log'), (2, 'people'), (3, 'rounds'), (4, 'sums');",
        );
        let (id, digest) = ("0".repeat(31) + "7", "05".repeat(32));
        let answers = match &back {
            Back::Sqlite(_) => format!(
                "insert into command values (1, x'{id}', x'{digest}', 'table/1', 3, 'first');
                 insert into command values (2, x'{id}', x'{digest}', 'table/2', 4, 'second');"
            ),
            Back::Postgres(_) => format!(
                "insert into command values (1, '\\x{id}', '\\x{digest}', 'table/1', 3, 'first');
                 insert into command values (2, '\\x{id}', '\\x{digest}', 'table/2', 4, 'second');"
            ),
        };
        let hash = match &back {
            Back::Sqlite(_) => format!("x'{digest}'"),
            Back::Postgres(_) => format!("'\\x{digest}'"),
        };
        let moves = format!(
            "insert into entry values ('house', 1, 5, 'issue', '', {hash}, {hash});
             insert into move values ('house', 1, 0, 5, 'issue/play', 'wallet/1', 90, 'x', null),
                                     ('house', 1, 1, 5, 'wallet/1', 'table/1/stack/1', 40, 'x', null),
                                     ('house', 1, 2, 5, 'table/1/stack/1', 'table/1/bank', 7, 'x', null);"
        );
        back.run(&(old + &answers + &moves)).await.expect("an older store");

        let store = back.open().await.expect("it opens");
        let moves = store.wallet_moves(Person(1), None, 9).await.expect("read");
        let amounts: Vec<u64> = moves.iter().map(|it| it.moved.amount.get()).collect();
        assert_eq!(amounts, [40, 90]);
        for (person, version, answer) in [(1, 3, "first"), (2, 4, "second")] {
            let recalled = store.recall(Person(person), Uuid::from_u128(7)).await.expect("read");
            let recalled = recalled.expect("it was kept");
            assert_eq!((recalled.version, &*recalled.answer), (Version(version), answer));
        }
        let again = with_command(append("table/1", 3, vec![entry("a")]), command(7, 5, "later"));
        let answered = store.append(again).await.expect("answered");
        let Appended::Before(before) = answered else { panic!("{answered:?}") };
        assert_eq!(&*before.answer, "first");
        for wrong in ["update command set answer = 'x'", "delete from command"] {
            assert!(back.run(wrong).await.is_err(), "{wrong}");
        }
    }
}

/// What one program remembers of the books is not trusted once another has written.
#[tokio::test(flavor = "multi_thread")]
async fn what_another_program_wrote_counts() {
    for back in Back::both().await {
        let (here, there) = (back.open().await.expect("opens"), back.open().await.expect("opens"));
        fund(&*here, "wallet/1", 100).await;
        let spend = |version, cents| {
            let moves = vec![moved("wallet/1", "table/1/stack/1", cents)];
            append("table/1", version, vec![paid("spent", moves)])
        };
        here.append(spend(0, 10)).await.expect("stored");
        there.append(spend(1, 80)).await.expect("stored");
        let late = here.append(spend(1, 1)).await;
        assert_eq!(late, Err(AppendError::Conflict { actual: Version(2) }));
        let refused = here.append(spend(2, 20)).await;
        assert_eq!(refused, Err(AppendError::Overdrawn { account: account("wallet/1") }));
        here.append(spend(2, 10)).await.expect("the last of it");
        let refused = there.append(spend(3, 1)).await;
        assert_eq!(refused, Err(AppendError::Overdrawn { account: account("wallet/1") }));
        assert_whole(&*there).await;
    }
}

/// Many at once make the schema once; opening again changes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn opening_is_safe_at_any_time() {
    for back in Back::both().await {
        let (a, b, c) = tokio::join!(back.open(), back.open(), back.open());
        let stores = [a, b, c].map(|it| it.expect("it opens"));
        for (number, store) in stores.iter().enumerate() {
            let asked = append("table/1", number as u64, vec![entry("a")]);
            store.append(asked).await.expect("stored");
        }
        let again = back.open().await.expect("it opens");
        let head = again.head(&stream("table/1")).await.expect("a head");
        assert_eq!(head.version, Version(3));
        assert_whole(&*again).await;
        for store in stores {
            store.close().await;
            let refused = store.append(append("table/1", 3, vec![entry("late")])).await;
            assert!(refused.is_err(), "a closed store stores nothing");
        }
    }
}
