//! `houseway play` in a terminal: how long from its start to the first frame and to an open house,
//! how long from a key to its frame, and what it costs while nothing happens.
//!
//! `cargo xtask bench` builds the program first. The best of several runs counts.
#![allow(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark prints its figures"
)]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const RUNS: usize = 10;
const IDLE: Duration = Duration::from_secs(10);

fn main() {
    let program = program();
    let (mut first, mut open, mut key) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..RUNS {
        let folder = tempfile::tempdir().expect("a folder");
        let mut run = Run::start(&program, folder.path());
        first = first.min(run.until("A new table"));
        open = open.min(run.until("10,000"));
        run.start = Instant::now();
        run.keys.write_all(b"?").expect("it listens");
        key = key.min(run.until("How it is played"));
    }
    println!("milliseconds from the start to the first frame   {first:>6.1}");
    println!("                          to an open house      {open:>6.1}");
    println!("                from a key to its frame         {key:>6.1}");
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = Run::start(&program, folder.path());
    run.until("10,000");
    for shown in ["sit down with", "Enter bet $10"] {
        run.keys.write_all(b"\r").expect("it listens");
        run.until(shown);
    }
    thread::sleep(Duration::from_secs(2));
    let before = run.cpu();
    thread::sleep(IDLE);
    let used = run.cpu() - before;
    println!(
        "CPU over {} s at a table where nothing happens   {:.0} ms ({:.2} %)",
        IDLE.as_secs(),
        used * 1000.0,
        used / IDLE.as_secs_f64() * 100.0
    );
}

/// The program beside this one: `cargo xtask bench` has just built it.
fn program() -> PathBuf {
    let own = env::current_exe().expect("this program has a path");
    let program = own.ancestors().nth(2).expect("target/release").join("houseway");
    assert!(program.is_file(), "{} is not there: run `cargo xtask bench`", program.display());
    program
}

struct Run {
    start: Instant,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    shown: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    _master: Box<dyn MasterPty + Send>,
}

impl Run {
    fn start(program: &Path, folder: &Path) -> Run {
        let mut command = CommandBuilder::new(program);
        command.args(["play", "--bots", "3"]);
        command.cwd(folder);
        command.env("TERM", "xterm-256color");
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let start = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut reader = pair.master.try_clone_reader().expect("it can be read");
        let keys = pair.master.take_writer().expect("it can be written to");
        let (sender, shown) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 8192];
            while let Ok(number @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..number].to_vec()).is_err() {
                    return;
                }
            }
        });
        let screen = vt100::Parser::new(24, 80, 0);
        Run { start, child, keys, shown, screen, _master: pair.master }
    }

    /// Waits until something is shown, and says how long after the start, in milliseconds.
    fn until(&mut self, what: &str) -> f64 {
        loop {
            let text = self.screen.screen().contents();
            if text.contains(what) {
                return self.start.elapsed().as_secs_f64() * 1000.0;
            }
            let bytes = self.shown.recv_timeout(Duration::from_secs(20));
            let bytes = bytes.unwrap_or_else(|_| panic!("{what} is not shown:\n{text}"));
            self.screen.process(&bytes);
        }
    }

    /// Seconds of CPU the program has used.
    fn cpu(&self) -> f64 {
        let id = self.child.process_id().expect("it runs");
        let text = fs::read_to_string(format!("/proc/{id}/stat")).expect("Linux");
        let fields = text.rsplit_once(')').expect("a name").1.split_whitespace();
        // User and system time, in hundredths of a second.
        let ticks: u64 = fields.skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
        ticks as f64 / 100.0
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
