//! Tables for many people: rooms, accounts, history, HTTP and WebSocket.

pub mod bots;
pub mod clock;
pub mod desk;
pub mod house;
pub mod metrics;
pub mod pace;
pub mod protocol;
pub mod rate;
pub mod record;
pub mod room;
pub mod vault;
