//! Nothing but benchmarks lives here: `cargo bench -p houseway-bench`.
