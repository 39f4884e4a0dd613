//! The terminal itself: taken, given back as it was, and what is typed and clicked.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::panic;
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

use anyhow::bail;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event, read};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use ratatui::{Frame, Terminal};
use tokio::sync::mpsc::UnboundedSender;

/// Whose screen is open; nobody's if none is.
static OWNER: Mutex<Option<ThreadId>> = Mutex::new(None);

/// What went wrong elsewhere while the screen was open, told once it is closed.
static MEANWHILE: Mutex<Vec<String>> = Mutex::new(vec![]);

/// Says so, unless there is a terminal to read from and one to draw on.
pub fn needs_terminal(what: &str, instead: &str) -> anyhow::Result<()> {
    let drawn = io::stdout().is_terminal() || io::stderr().is_terminal();
    match (io::stdin().is_terminal(), drawn) {
        (true, true) => Ok(()),
        (false, _) => {
            bail!("`houseway {what}` needs a terminal, and standard input is none; {instead}")
        }
        (true, false) => bail!(
            "`houseway {what}` needs a terminal, and neither standard output nor standard error is \
             one; {instead}"
        ),
    }
}

/// What is drawn on: standard output, or standard error where what is printed goes elsewhere.
fn output() -> Box<dyn Write + Send> {
    match io::stdout().is_terminal() {
        true => Box::new(io::stdout()),
        false => Box::new(io::stderr()),
    }
}

/// Standard error is written to letter by letter unless it is collected.
type Output = BufWriter<Box<dyn Write + Send>>;

/// The terminal while a program has it. Dropping it gives it back, and so does a panic.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Output>>,
}

impl Screen {
    /// Takes the terminal.
    pub fn open() -> io::Result<Screen> {
        give_back_on_panic();
        *OWNER.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread::current().id());
        let opened = (|| {
            enable_raw_mode()?;
            execute!(output(), EnterAlternateScreen, EnableMouseCapture)?;
            Terminal::new(CrosstermBackend::new(BufWriter::new(output())))
        })();
        if opened.is_err() {
            give_back();
        }
        Ok(Screen { terminal: opened? })
    }

    /// Draws one frame: only what has changed is written, and shown at once where the terminal can.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        let drawn = self.terminal.draw(draw).map(drop);
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        drawn
    }

    /// Sends what is typed and clicked, from now on.
    pub fn listen<T: From<Event> + Send + 'static>(to: UnboundedSender<T>) {
        // The thread ends with the program, or with whoever listens to it.
        thread::spawn(move || {
            while let Ok(event) = read() {
                if to.send(event.into()).is_err() {
                    return;
                }
            }
        });
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
        let meanwhile =
            std::mem::take(&mut *MEANWHILE.lock().unwrap_or_else(PoisonError::into_inner));
        for message in meanwhile {
            let _ = writeln!(io::stderr(), "{message}");
        }
    }
}

/// Gives the terminal back as it was, if it was taken.
fn give_back() {
    let owner = OWNER.lock().unwrap_or_else(PoisonError::into_inner).take();
    if owner.is_some() {
        // Whatever fails, the rest is tried.
        let _ = execute!(
            output(),
            EndSynchronizedUpdate,
            DisableMouseCapture,
            LeaveAlternateScreen,
            Show
        );
        let _ = disable_raw_mode();
    }
}

/// A panic where the screen is drawn gives the terminal back before it is told. One elsewhere ends
/// no more than its own task, and is told when the screen is closed: the terminal is not its to
/// write on.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let owner = *OWNER.lock().unwrap_or_else(PoisonError::into_inner);
            match owner {
                Some(owner) if owner != thread::current().id() => {
                    MEANWHILE.lock().unwrap_or_else(PoisonError::into_inner).push(info.to_string());
                }
                _ => {
                    give_back();
                    before(info);
                }
            }
        }));
    });
}

/// Tells whoever listens that the program is to end, when someone ends it from outside: they get
/// their terminal back as well.
pub(crate) fn stop_on_signals(stop: impl Fn() -> bool + Clone + Send + 'static) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        for kind in [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()] {
            let Ok(mut signal) = signal(kind) else { continue };
            let stop = stop.clone();
            tokio::spawn(async move { while signal.recv().await.is_some() && stop() {} });
        }
    }
    #[cfg(not(unix))]
    drop(stop);
}
