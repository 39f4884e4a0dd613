//! What the program promises when things go wrong around it: nothing acknowledged is lost, nodes
//! agree, nothing hidden is told. Real processes, real sockets, real databases.

#[path = "../../../server/tests/players/mod.rs"]
mod players;

mod canaries;
mod hashes;
mod kills;
mod looking;
mod node;
mod nodes;
mod secrets;
mod trio;
mod trouble;
