//! The web table in a real browser, against a real house. One file for each part of it.

mod account;
#[path = "../common/mod.rs"]
mod common;
mod fair;
mod felt;
mod pit;
mod record;
mod site;
mod types;
