//! Whole nights of a house from a seed.
//!
//! ```text
//!  seed ──► plan ──► night ──► guests, staff, trouble      what people do, and what goes wrong
//!                      │            │
//!                      │            ▼ link: requests that are late, lost, or come twice
//!                      │         node: houseway-server as it runs in production
//!                      │            │
//!                      │            ▼ wire: a store that is slow, busy, cut off, or answers nobody
//!                      └──► judge: every append held against what must hold; one hash over it all
//! ```
//!
//! One thread, and time that passes only when nothing else is to be done: so a seed gives the same
//! night again, bit for bit.

mod deal;
mod dice;
mod figures;
mod guest;
mod judge;
mod link;
pub mod matrix;
mod night;
mod node;
mod plan;
mod staff;
mod trouble;
mod truth;
mod twist;
mod wire;
mod world;

pub use figures::{Fault, Figures, Invariant};
pub use night::{Night, night, traced};
pub use plan::Plan;
pub use truth::Sabotage;
