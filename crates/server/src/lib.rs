//! Tables for many people: rooms, accounts, history, HTTP and WebSocket.

pub mod bots;
pub mod calendar;
pub mod clock;
pub mod desk;
pub mod history;
pub mod house;
pub mod metrics;
pub mod pace;
pub mod protocol;
pub mod rate;
pub mod recall;
pub mod record;
pub mod report;
pub mod room;
pub mod rounds;
pub mod vault;
