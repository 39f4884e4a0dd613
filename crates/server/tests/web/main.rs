//! The web table in a real browser, against a real house. One file for each part of it.

#[path = "../common/mod.rs"]
mod common;
mod felt;
mod look;

mod breaks;
mod looks;
mod rounds;
mod setting;
mod site;
mod together;
mod types;
