//! The program in a terminal that a test holds: keys go in, the screen is read.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long something may take to appear. Nothing is measured by it.
const PATIENCE: Duration = Duration::from_mins(1);

/// What the program says before and after it draws a frame.
const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

pub(crate) struct Tty {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Whether a frame has begun and not ended.
    drawing: Arc<AtomicBool>,
    reading: JoinHandle<()>,
}

impl Tty {
    /// Starts `houseway` with arguments in a folder, in a window of columns and rows.
    pub(crate) fn start(folder: &Path, arguments: &[&str], (columns, rows): (u16, u16)) -> Tty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_houseway"));
        command.args(arguments);
        Tty::of(command, folder, (columns, rows))
    }

    /// Runs a line of shell, in which `$HOUSEWAY` is the program.
    pub(crate) fn shell(folder: &Path, line: &str, size: (u16, u16)) -> Tty {
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", line]);
        command.env("HOUSEWAY", env!("CARGO_BIN_EXE_houseway"));
        Tty::of(command, folder, size)
    }

    fn of(mut command: CommandBuilder, folder: &Path, (columns, rows): (u16, u16)) -> Tty {
        command.cwd(folder);
        command.env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "HOUSEWAY_SERVER", "HOUSEWAY_DATA", "HOUSEWAY_PASSWORD"] {
            command.env_remove(name);
        }
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("it can be read");
        let keys = pair.master.take_writer().expect("it can be written to");
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let drawing = Arc::new(AtomicBool::new(false));
        let (shown, draws) = (screen.clone(), drawing.clone());
        let reading = thread::spawn(move || {
            let mut tail = vec![];
            let mut bytes = [0; 4096];
            while let Ok(number) = reader.read(&mut bytes) {
                if number == 0 {
                    return;
                }
                let mut shown = shown.lock().expect("nobody panics with it");
                shown.process(&bytes[..number]);
                // A mark may come in two parts.
                tail.extend_from_slice(&bytes[..number]);
                for mark in tail.windows(FRAME_ENDS.len()) {
                    match mark {
                        FRAME_BEGINS => draws.store(true, Ordering::Relaxed),
                        FRAME_ENDS => draws.store(false, Ordering::Relaxed),
                        _ => {}
                    }
                }
                tail.drain(..tail.len().saturating_sub(FRAME_ENDS.len() - 1));
            }
        });
        Tty { master: pair.master, child, keys, screen, drawing, reading }
    }

    pub(crate) fn text(&self) -> String {
        self.screen.lock().expect("nobody panics with it").screen().contents()
    }

    /// Waits until the screen shows something, and gives it.
    pub(crate) fn until(&self, what: &str) -> String {
        self.until_any(&[what])
    }

    /// Waits until the screen shows one of these.
    pub(crate) fn until_any(&self, any: &[&str]) -> String {
        self.until_that(&format!("{any:?}"), |text| any.iter().any(|it| text.contains(it)))
    }

    pub(crate) fn until_that(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let text = self.text();
            if holds(&text) && !self.drawing.load(Ordering::Relaxed) {
                // What is written without frames may be half there: it has to stay for a moment.
                thread::sleep(Duration::from_millis(40));
                if self.text() == text {
                    return text;
                }
                continue;
            }
            assert!(Instant::now() < until, "{what} did not appear:\n{text}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the program listens");
        self.keys.flush().expect("the program listens");
    }

    /// Clicks where a text is on the screen.
    pub(crate) fn click(&mut self, at: &str) {
        let text = self.until(at);
        let found = (1..).zip(text.lines()).find_map(|(row, line)| {
            let byte = line.find(at)?;
            Some((line[..byte].chars().count() + 1, row))
        });
        let (column, row) = found.expect("it is there");
        self.press(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        // What was drawn for the old size is not looked at any more.
        self.screen.lock().expect("nobody panics with it").screen_mut().set_size(rows, columns);
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("it can be resized");
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.process_id().expect("it runs")
    }

    /// Waits for the end of the program; its exit code.
    pub(crate) fn exit(&mut self) -> u32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                // What it said last may still be on its way. The terminal ends with its last program.
                while !self.reading.is_finished() && Instant::now() < until {
                    thread::sleep(Duration::from_millis(5));
                }
                return status.exit_code();
            }
            assert!(Instant::now() < until, "it does not end:\n{}", self.text());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The terminal is as it was: no other screen, no mouse, the cursor shown.
    pub(crate) fn is_given_back(&self) {
        let screen = self.screen.lock().expect("nobody panics with it");
        let screen = screen.screen();
        assert!(!screen.alternate_screen(), "the screen is another");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
