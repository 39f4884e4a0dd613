//! The web table in a real browser, against a real house. One file for each part of it.

mod account;
#[path = "../common/mod.rs"]
mod common;
mod fair;
mod felt;
mod look;
mod pit;
mod record;

mod breaks;
mod looks;
mod rounds;
mod setting;
mod site;
mod sitting;
mod styles;
mod together;
mod types;
