//! A panic gives the terminal back before it is told. Each test starts itself anew in a terminal of
//! its own, and there the second run panics.
#![cfg(unix)]

use std::io::Read;
use std::{env, thread};

use houseway_terminal::Screen;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Whether this is the second run.
const INSIDE: &str = "HOUSEWAY_TEST_PANICS";

/// Runs a test of this file again in a terminal; what the terminal shows then, and the exit code.
fn in_terminal(test: &str) -> (vt100::Parser, String, u32) {
    let mut command = CommandBuilder::new(env::current_exe().expect("a program"));
    command.args(["--exact", test, "--nocapture", "--test-threads", "1"]);
    command.env(INSIDE, "1");
    command.env("TERM", "xterm-256color");
    command.env_remove("RUST_BACKTRACE");
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a terminal");
    let mut child = pair.slave.spawn_command(command).expect("it starts");
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().expect("it can be read");
    let reading = thread::spawn(move || {
        let mut bytes = vec![];
        // The terminal ends with an error when nobody holds its other side any more.
        let _ = reader.read_to_end(&mut bytes);
        bytes
    });
    let code = child.wait().expect("it ends").exit_code();
    drop(pair.master);
    let bytes = reading.join().expect("it was read");
    let mut parser = vt100::Parser::new(24, 80, 0);
    parser.process(&bytes);
    (parser, String::from_utf8_lossy(&bytes).into_owned(), code)
}

fn is_given_back(parser: &vt100::Parser) {
    let screen = parser.screen();
    assert!(!screen.alternate_screen() && !screen.hide_cursor());
    assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
}

fn open() -> Screen {
    let mut screen = Screen::open().expect("a terminal");
    screen.draw(|frame| frame.render_widget("JOKER", frame.area())).expect("it is drawn");
    screen
}

#[test]
fn a_panic_where_the_screen_is_drawn() {
    if env::var_os(INSIDE).is_some() {
        let mut screen = open();
        let _ = screen.draw(|_| panic!("a card fell off the table"));
        return;
    }
    let (parser, bytes, code) = in_terminal("a_panic_where_the_screen_is_drawn");
    assert_ne!(code, 0);
    is_given_back(&parser);
    assert!(bytes.contains("JOKER"), "it was drawn: {bytes}");
    let shown = parser.screen().contents();
    assert!(shown.contains("a card fell off the table"), "it is told on the screen:\n{shown}");
    assert!(!shown.contains("JOKER"), "what was drawn is gone:\n{shown}");
}

#[test]
fn a_panic_elsewhere_is_told_when_the_screen_is_closed() {
    if env::var_os(INSIDE).is_some() {
        let mut screen = open();
        let elsewhere = thread::spawn(|| panic!("a bot fell off its chair"));
        assert!(elsewhere.join().is_err());
        screen.draw(|frame| frame.render_widget("seven", frame.area())).expect("it is drawn");
        drop(screen);
        return;
    }
    let (parser, bytes, code) = in_terminal("a_panic_elsewhere_is_told_when_the_screen_is_closed");
    assert_eq!(code, 0);
    is_given_back(&parser);
    let (drawn, told) = (bytes.find("seven"), bytes.find("a bot fell off its chair"));
    assert!(drawn.is_some() && told > drawn, "the screen stays whole until then: {bytes}");
}
