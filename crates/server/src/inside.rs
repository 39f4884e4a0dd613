//! A house inside another program: no port, but else as any other. Whoever connects gets a stream
//! through memory, over which the same requests and sockets go as over a network.

use std::io;
use std::sync::Arc;

use axum::serve::Listener;
use houseway_store::Store;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;

use crate::app::App;
use crate::clock::Clock;
use crate::config::Config;
use crate::integrity::Integrity;
use crate::people::{ComeInError, Entered};
use crate::serve::{Kept, NotServed, router, rulebooks, start, stop};
use crate::vault::Vault;

/// How much lies in a stream that nobody has read yet.
const UNREAD: usize = 256 * 1024;

/// A house that is open inside this program.
pub struct Inside {
    /// What every request shares.
    pub app: Arc<App>,
    connect: mpsc::UnboundedSender<DuplexStream>,
    task: tokio::task::JoinHandle<()>,
    #[expect(dead_code, reason = "held for as long as the house is open")]
    lock: Option<std::fs::File>,
}

impl Inside {
    /// Opens the house of a configuration.
    pub async fn open(config: Config) -> Result<Inside, NotServed> {
        let integrity = Integrity::at_the_start(&config).await?;
        let kept = Kept::open(&config).await?;
        Inside::start(config, kept, integrity).await
    }

    /// Opens a house on a store, with keys, chance and time that come from elsewhere.
    pub async fn on(
        config: Config,
        store: Arc<dyn Store>,
        vault: Vault,
        clock: Arc<dyn Clock>,
    ) -> Result<Inside, NotServed> {
        let integrity = Integrity::at_the_start(&config).await?;
        let kept = Kept { store, vault, clock, lock: None };
        Inside::start(config, kept, integrity).await
    }

    async fn start(
        mut config: Config,
        mut kept: Kept,
        integrity: Integrity,
    ) -> Result<Inside, NotServed> {
        // Nobody else finds a table in here.
        config.open_ended = true;
        let files = rulebooks(&config)?;
        let lock = kept.lock.take();
        let app = start(config, files, kept, integrity).await?;
        let (connect, connecting) = mpsc::unbounded_channel();
        let mut stopping = app.stopping.subscribe();
        let stopped = async move {
            // Whoever drops the sender stops it too.
            let _ = stopping.wait_for(|stopping| *stopping).await;
        };
        let serving = axum::serve(Door(connecting), router(&app)).with_graceful_shutdown(stopped);
        let task = tokio::spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(%error, "the house stopped serving");
            }
        });
        Ok(Inside { app, connect, task, lock })
    }

    /// A way to make new streams to the house.
    pub fn entrance(&self) -> Entrance {
        Entrance(self.connect.clone())
    }

    /// Lets in who plays here, known by name from one run to the next.
    pub async fn come_in(&self, name: &str) -> Result<Entered, ComeInError> {
        self.app.people.come_in_as(name).await
    }

    /// Closes the house: what is queued is stored.
    pub async fn close(self) {
        self.app.stopping.send_replace(true);
        // Nobody but this program is served, and it has stopped listening.
        self.task.abort();
        stop(&self.app).await;
    }
}

/// Where streams to a house inside this program are made.
#[derive(Clone, Debug)]
pub struct Entrance(mpsc::UnboundedSender<DuplexStream>);

impl Entrance {
    /// A new stream to the house.
    pub fn connect(&self) -> io::Result<DuplexStream> {
        let (ours, theirs) = tokio::io::duplex(UNREAD);
        let closed = |_| io::Error::new(io::ErrorKind::ConnectionRefused, "the house is closed");
        self.0.send(theirs).map_err(closed)?;
        Ok(ours)
    }
}

/// The house's side of its entrance.
struct Door(mpsc::UnboundedReceiver<DuplexStream>);

impl Listener for Door {
    type Io = DuplexStream;
    type Addr = ();

    async fn accept(&mut self) -> (DuplexStream, ()) {
        match self.0.recv().await {
            Some(stream) => (stream, ()),
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<()> {
        Ok(())
    }
}
