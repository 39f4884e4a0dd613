//! A house inside another program.

use houseway_server::config::Config;
use houseway_server::inside::Inside;
use houseway_server::people::ComeInError;
use houseway_server::serve::{NotServed, Serving};
use houseway_store::AccountName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn config(folder: &std::path::Path) -> Config {
    let listen = ([127, 0, 0, 1], 0).into();
    Config { data: folder.to_path_buf(), listen, ..Config::default() }
}

#[tokio::test]
async fn it_answers_through_memory_and_knows_its_player_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut known = None;
    for _ in 0..2 {
        let house = Inside::open(config(folder.path())).await.expect("it opens");
        let entered = house.come_in("Mary").await.expect("she comes in");
        assert_eq!(*known.get_or_insert(entered.who.person), entered.who.person);
        let wallet = AccountName::wallet(entered.who.person);
        let balance = house.app.house.store().balance(&wallet).await.expect("a balance");
        assert_eq!(balance, 1_000_000, "play money comes once");
        let mut stream = house.entrance().connect().expect("a stream");
        let token = entered.token.reveal();
        let request =
            format!("GET /api/me HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("it answers");
        assert!(answer.contains("200 OK") && answer.contains("\"Mary\""), "{answer}");
        house.close().await;
    }
}

#[tokio::test]
async fn nobody_comes_in_by_the_name_of_an_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = Inside::open(config(folder.path())).await.expect("it opens");
    let people = &house.app.people;
    people.register(None, "Alice", "correct horse battery").await.expect("she registers");
    assert_eq!(house.come_in("alice").await, Err(ComeInError::Account("Alice".into())));
    assert!(matches!(house.come_in("x").await, Err(ComeInError::Name(_))));
}

#[tokio::test]
async fn a_folder_is_one_houses_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = Inside::open(config(folder.path())).await.expect("it opens");
    let taken = |it: &NotServed| matches!(it, NotServed::Taken { .. });
    assert!(Inside::open(config(folder.path())).await.is_err_and(|it| taken(&it)));
    assert!(Serving::open(config(folder.path())).await.is_err_and(|it| taken(&it)));
    house.close().await;
    let serving = Serving::open(config(folder.path())).await.expect("it is free again");
    assert!(Inside::open(config(folder.path())).await.is_err_and(|it| taken(&it)));
    serving.close().await;
}
