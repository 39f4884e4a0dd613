//! The promises of [`Store`](houseway_store::Store), held by all three stores, and what each of
//! the databases promises besides.
//!
//! `HOUSEWAY_KILLS` sets how often the crash tests kill, `HOUSEWAY_SEEDS` how many random histories
//! the stores are compared over.

mod common;
mod contract;
mod crash;
mod database;
mod model;
mod postgres;
mod sqlite;
