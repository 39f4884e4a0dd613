//! Tables for many people: rooms, accounts, history, HTTP and WebSocket.
//!
//! ```text
//!  socket, api ──► app ──► house ──► room ──► desk ──► houseway-table     what happens at a table
//!       │           │                 │         └────► houseway-fair      its shuffles
//!       │           └──► people       └──► vault ────► houseway-store     what is kept
//!       └──► protocol, views: what each onlooker may know
//! ```
//!
//! A [`desk`] is pure: what happened is in its records, and [`pace`] says what the house does next.
//! A [`room`] is the one task that decides and appends for a table in this process; several
//! processes may have the same table open, and the log decides who was first.

pub mod api;
pub mod app;
pub mod bots;
pub mod calendar;
pub mod clock;
pub mod config;
mod connections;
pub mod desk;
pub mod history;
pub mod house;
pub mod inside;
pub mod integrity;
pub mod keys;
pub mod knowledge;
pub mod mark;
pub mod metrics;
mod own;
pub mod pace;
pub mod people;
pub mod proof;
pub mod protocol;
pub mod rate;
mod reading;
pub mod recall;
pub mod record;
pub mod report;
pub mod room;
pub mod rounds;
mod rulebooks;
pub mod serve;
mod socket;
pub mod vault;
mod web;
