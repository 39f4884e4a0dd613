//! A bad line: sockets are cut off in the middle of what the house says, again and again. Requests
//! get through.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How many bytes the first socket is told. Each later one is told more, so that everyone gets on.
const FIRST: usize = 2_000;

/// And how many more. No multiple of anything the house says.
const MORE: usize = 1_237;

/// A bad line to a house.
pub(crate) struct BadLine {
    pub(crate) url: String,
    cuts: Arc<AtomicUsize>,
}

impl BadLine {
    pub(crate) async fn to(house: SocketAddr) -> BadLine {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let cuts = Arc::new(AtomicUsize::new(0));
        let counted = cuts.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, house, counted.clone()));
            }
        });
        BadLine { url, cuts }
    }

    /// How many sockets were cut off.
    pub(crate) fn cuts(&self) -> usize {
        self.cuts.load(Ordering::SeqCst)
    }
}

async fn carry(
    mut client: TcpStream,
    house: SocketAddr,
    cuts: Arc<AtomicUsize>,
) -> std::io::Result<()> {
    let mut house = TcpStream::connect(house).await?;
    let mut first = [0; 4096];
    let length = client.read(&mut first).await?;
    house.write_all(&first[..length]).await?;
    if !first.starts_with(b"GET /api/socket ") {
        tokio::io::copy_bidirectional(&mut client, &mut house).await?;
        return Ok(());
    }
    let most = FIRST + MORE * cuts.load(Ordering::SeqCst);
    let (mut from_client, mut to_client) = client.split();
    let (from_house, mut to_house) = house.split();
    let mut told = from_house.take(most as u64);
    tokio::select! {
        _ = tokio::io::copy(&mut told, &mut to_client) => {
            cuts.fetch_add(1, Ordering::SeqCst);
        }
        _ = tokio::io::copy(&mut from_client, &mut to_house) => {}
    }
    Ok(())
}
