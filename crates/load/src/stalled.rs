//! Readers that do not read, seen from outside: how much the house's kernel holds for each, and when the
//! house cuts it off.
//!
//! Whoever does not read is not told that the connection is closed: that stands behind all it has not
//! read. The kernel's list of connections says it.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::door::Socket;

/// How often the kernel is asked.
const LOOK: Duration = Duration::from_millis(200);

/// How the kernel writes that a connection is open on both sides.
const ESTABLISHED: &str = "01";

/// What is known of a reader's connection.
#[derive(Clone, Copy, Debug, Default)]
struct Reader {
    /// Since when there is something on the way that the reader's side does not take.
    unread: Option<Instant>,
    /// How long it was from then until it was cut off, once it was.
    cut: Option<Duration>,
    /// The most that was ever on the way, in bytes.
    queued: u64,
}

/// What became of readers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stalls {
    /// How many were cut off.
    pub(crate) cut: u64,
    /// The longest it took from the first byte that was not taken.
    pub(crate) longest: Duration,
    /// The most that the house's kernel held for one of them, in bytes.
    pub(crate) queued: u64,
}

/// Holds sockets and reads nothing until all are cut off, or for so long.
pub(crate) async fn hold(sockets: Vec<Socket>, until: Instant) -> anyhow::Result<Stalls> {
    let Some(first) = sockets.first() else { return Ok(Stalls::default()) };
    let house = first.get_ref().peer_addr()?.port();
    let mut readers: BTreeMap<u16, Reader> = BTreeMap::new();
    for socket in &sockets {
        readers.insert(socket.get_ref().local_addr()?.port(), Reader::default());
    }
    while Instant::now() < until && readers.values().any(|it| it.cut.is_none()) {
        sleep(LOOK).await;
        look(&fs::read_to_string("/proc/net/tcp")?, house, &mut readers, Instant::now());
    }
    let cut = readers.values().filter_map(|it| it.cut);
    Ok(Stalls {
        cut: cut.clone().count() as u64,
        longest: cut.max().unwrap_or_default(),
        queued: readers.values().map(|it| it.queued).max().unwrap_or_default(),
    })
}

/// Looks at the house's side of every connection.
fn look(list: &str, house: u16, readers: &mut BTreeMap<u16, Reader>, now: Instant) {
    let open: BTreeMap<u16, u64> = list.lines().filter_map(|it| connection(it, house)).collect();
    for (port, reader) in readers.iter_mut().filter(|(_, it)| it.cut.is_none()) {
        match (open.get(port), reader.unread) {
            (Some(0), _) => reader.unread = None,
            (Some(&queued), since) => {
                reader.unread = since.or(Some(now));
                reader.queued = reader.queued.max(queued);
            }
            (None, Some(since)) => reader.cut = Some(now.duration_since(since)),
            // It was cut off before anything was on the way to it, or is not of this machine.
            (None, None) => {}
        }
    }
}

/// The other side's port of an open connection of the house's, and how much is on the way to it.
fn connection(line: &str, house: u16) -> Option<(u16, u64)> {
    let mut words = line.split_whitespace().skip(1);
    let (own, other, state, queues) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let port = |address: &str| u16::from_str_radix(address.rsplit_once(':')?.1, 16).ok();
    let queued = u64::from_str_radix(queues.split_once(':')?.0, 16).ok()?;
    (state == ESTABLISHED && port(own)? == house).then_some((port(other)?, queued))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(own: u16, other: u16, state: &str, queued: u64) -> String {
        format!(
            "   1: 0100007F:{own:04X} 0100007F:{other:04X} {state} {queued:08X}:00000000 00:00000000 0\n"
        )
    }

    #[test]
    fn the_kernels_list_is_understood() {
        assert_eq!(connection(&line(80, 5_000, "01", 70_000), 80), Some((5_000, 70_000)));
        assert_eq!(connection(&line(80, 5_000, "04", 70_000), 80), None, "closed by the house");
        assert_eq!(connection(&line(81, 5_000, "01", 0), 80), None, "another's");
        assert_eq!(connection("  sl  local_address rem_address   st tx_queue rx_queue", 80), None);
    }

    #[test]
    fn it_counts_from_the_first_byte_that_is_not_taken() {
        let (start, mut readers) = (Instant::now(), BTreeMap::from([(5_000, Reader::default())]));
        let mut at = |seconds: u64, list: &str| {
            look(list, 80, &mut readers, start + Duration::from_secs(seconds));
            readers[&5_000]
        };
        at(0, &line(80, 5_000, "01", 0));
        at(1, &line(80, 5_000, "01", 10));
        at(2, &line(80, 5_000, "01", 0));
        at(3, &line(80, 5_000, "01", 500));
        assert!(at(4, &line(80, 5_000, "01", 300)).cut.is_none());
        let reader = at(12, &line(80, 5_000, "04", 300));
        assert_eq!((reader.cut, reader.queued), (Some(Duration::from_secs(9)), 500));
        assert_eq!(at(20, "").cut, Some(Duration::from_secs(9)), "once");
    }
}
