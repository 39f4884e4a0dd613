//! Tables for many people: rooms, accounts, history, HTTP and WebSocket.

pub mod clock;
pub mod people;
