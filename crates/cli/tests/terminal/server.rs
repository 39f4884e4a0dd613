//! Playing at a server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

use tempfile::tempdir;

use crate::play::round;
use crate::tty::Tty;

struct Server {
    child: Child,
    address: SocketAddr,
    /// Held, so that the house can go on saying things.
    _said: BufReader<ChildStdout>,
}

impl Server {
    fn start(folder: &Path, listen: &str) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_houseway"))
            .args(["serve", "--listen", listen, "--data", "house"])
            .current_dir(folder)
            .env("HOUSEWAY_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("a pipe"));
        said.read_line(&mut line).expect("a line");
        let address = line.trim().rsplit("http://").next().and_then(|it| it.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address: {line}"));
        Server { child, address, _said: said }
    }

    /// Ends it as a power failure would.
    fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_round_is_played_at_a_server_and_whoever_comes_back_is_known() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), "127.0.0.1:0");
    let url = format!("http://{}", server.address);
    let arguments = ["play", "--server", &url, "--rules", "mbs-2020", "--bots", "1"];
    let mut tty = Tty::start(folder.path(), &arguments, (80, 24));
    let text = round(&mut tty);
    assert!(text.contains("Standard $10"), "{text}");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
    // However the address is written.
    let url = format!("{url}/");
    let mut tty = Tty::start(folder.path(), &["play", "--server", &url], (80, 24));
    let text = tty.until("(your seat)");
    assert!(text.contains("Guest ") && text.contains("$9,000"), "{text}");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
}

#[test]
fn a_name_without_a_password_is_told_to_be_a_guest() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), "127.0.0.1:0");
    let url = format!("http://{}", server.address);
    let arguments = ["play", "--server", &url, "--name", "Ann"];
    let mut tty = Tty::start(folder.path(), &arguments, (80, 24));
    let text = tty.until("Ann is not signed in").replace('\n', " ");
    assert!(text.contains("HOUSEWAY_PASSWORD"), "{text}");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
}

#[test]
fn a_server_that_is_lost_is_waited_for_and_the_round_goes_on() {
    let folder = tempdir().expect("a folder");
    let mut server = Server::start(folder.path(), "127.0.0.1:0");
    let url = format!("http://{}", server.address);
    let arguments = ["play", "--server", &url, "--rules", "cardroom", "--bots", "3"];
    let mut tty = Tty::start(folder.path(), &arguments, (80, 24));
    tty.until("sit down with");
    tty.press("\r");
    tty.until_any(&["pass the bank", "Enter bet"]);
    server.kill();
    tty.until("The house is away");
    let _server = Server::start(folder.path(), &server.address.to_string());
    tty.until_that("the house is back", |text| !text.contains("The house is away"));
    let text = round(&mut tty);
    assert!(text.contains("Standard $10"), "{text}");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
    tty.is_given_back();
}

#[test]
fn a_server_that_is_not_there_is_told_and_can_be_left() {
    let folder = tempdir().expect("a folder");
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("a port");
    let url = format!("http://{free}");
    let mut tty = Tty::start(folder.path(), &["play", "--server", &url], (80, 24));
    tty.until("The house is away");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
    let mut tty =
        Tty::start(folder.path(), &["play", "--server", "https://play.example"], (80, 24));
    assert_eq!(tty.exit(), 2);
    assert!(tty.text().contains("tunnel"), "{}", tty.text());
}

/// Something that answers as a house of another version would.
fn other_version() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("a port");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = vec![];
            let mut bytes = [0; 1024];
            while !request.windows(4).any(|it| it == b"\r\n\r\n") {
                match stream.read(&mut bytes) {
                    Ok(0) | Err(_) => break,
                    Ok(number) => request.extend(&bytes[..number]),
                }
            }
            if request.starts_with(b"POST /api/guest") {
                let body = r#"{"you":{"person":1,"name":"Guest 1","wallet":100},"token":"t"}"#;
                let length = body.len();
                let _ = write!(stream, "HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
                continue;
            }
            thread::spawn(move || {
                let mut socket = upgraded(stream, &request);
                let welcome = r#"{"type":"welcome","protocol":99,"you":{"someone":1},"now":1}"#;
                socket.write_all(&[0x81, welcome.len() as u8]).expect("it is heard");
                socket.write_all(welcome.as_bytes()).expect("it is heard");
                let _ = socket.read(&mut [0; 16]);
            });
        }
    });
    address
}

/// Upgrades a connection by hand: the request has been read already.
fn upgraded(mut stream: TcpStream, request: &[u8]) -> TcpStream {
    use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
    let text = String::from_utf8_lossy(request);
    let key = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("sec-websocket-key").then(|| value.trim().to_string())
    });
    let accept = derive_accept_key(key.expect("a key").as_bytes());
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(answer.as_bytes()).expect("it is heard");
    stream
}

#[test]
fn a_server_of_another_version_is_told_by_its_number() {
    let folder = tempdir().expect("a folder");
    let url = format!("http://{}", other_version());
    let mut tty = Tty::start(folder.path(), &["play", "--server", &url], (80, 24));
    assert_eq!(tty.exit(), 2);
    let told = tty.text().replace('\n', " ");
    assert!(told.contains("protocol 99") && told.contains("protocol 1"), "{told}");
    tty.is_given_back();
}

#[test]
fn an_account_is_come_into_by_its_password() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), "127.0.0.1:0");
    let mut stream = TcpStream::connect(server.address).expect("it listens");
    let body = r#"{"name":"Alice","password":"correct horse battery"}"#;
    let length = body.len();
    write!(
        stream,
        "POST /api/register HTTP/1.0\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
    .expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.contains("200 OK"), "{answer}");
    let play = format!("$HOUSEWAY play --server http://{} --name Alice", server.address);
    let line = format!("HOUSEWAY_PASSWORD='correct horse battery' {play}");
    let mut tty = Tty::shell(folder.path(), &line, (80, 24));
    tty.until("Alice · $10,000");
    tty.press("q");
    assert_eq!(tty.exit(), 0);
    let mut tty = Tty::shell(folder.path(), &format!("HOUSEWAY_PASSWORD=wrong {play}"), (80, 24));
    assert_eq!(tty.exit(), 2);
    assert!(tty.text().contains("name or password is wrong"), "{}", tty.text());
    tty.is_given_back();
}
