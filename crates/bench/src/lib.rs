//! What benchmarks share; they themselves are in `benches`: `cargo bench -p houseway-bench`.

pub mod floor;
pub mod slow;
