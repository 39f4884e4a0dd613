//! A house with real sockets in the test's own process, where chance and time are in its hands.

#[path = "../common/mod.rs"]
mod common;

mod clocks;
mod house;
mod secrets;
mod sockets;
