//! A log folded into a table: what has happened is all there is.

use crate::event::Event;
use crate::setup::Setup;
use crate::state::Table;

/// The table after these events.
pub fn replay<'a>(setup: Setup, events: impl IntoIterator<Item = &'a Event>) -> Table {
    let mut table = Table::new(setup);
    for event in events {
        table.apply(event);
    }
    table
}
