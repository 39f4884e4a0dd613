//! A house with real sockets in the test's own process, where chance and time are in its hands.

#[path = "../players/mod.rs"]
mod players;

mod clocks;
mod connections;
mod hashes;
mod house;
mod nodes;
mod pages;
mod secrets;
mod sockets;
mod words;
