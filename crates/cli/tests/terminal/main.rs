//! `houseway play` and `houseway train`, the program itself, in a terminal.
#![cfg(unix)]

mod play;
mod server;
mod train;
mod tty;
