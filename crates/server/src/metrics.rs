//! Figures for Prometheus. A registry is a value: several servers can be in one process.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// What is counted and measured.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Commands that were carried out.
    pub done: Counter,
    /// Commands that the rules or the house refused.
    pub refused: Counter,
    /// Commands that were not answered because something failed.
    pub failed: Counter,
    /// Races for a table that were lost and decided again.
    pub races: Counter,
    /// Rounds that ended, settled or void.
    pub rounds: Counter,
    /// Sockets that are open.
    pub sockets: Gauge,
    /// Tables that are open in this process.
    pub rooms: Gauge,
    /// 1 while no round is begun because a file is not what it should be.
    pub play_stopped: Gauge,
    /// Seconds from a command to its durable answer.
    pub answer_seconds: Histogram,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("houseway");
        let mut counter = |name: &str, help: &str| {
            let counter = Counter::default();
            registry.register(name, help, counter.clone());
            counter
        };
        let done = counter("commands_done", "Commands that were carried out");
        let refused = counter("commands_refused", "Commands that were refused");
        let failed = counter("commands_failed", "Commands that were not answered");
        let races = counter("races", "Races for a table that were lost and decided again");
        let rounds = counter("rounds", "Rounds that ended");
        let mut gauge = |name: &str, help: &str| {
            let gauge = Gauge::default();
            registry.register(name, help, gauge.clone());
            gauge
        };
        let sockets = gauge("sockets", "Sockets that are open");
        let rooms = gauge("rooms", "Tables that are open in this process");
        let play_stopped =
            gauge("play_stopped", "1 while a file is not what it should be and no round is begun");
        let answer_seconds = Histogram::new(exponential_buckets(0.0005, 2.0, 14));
        registry.register_with_unit(
            "answer",
            "From a command to its durable answer",
            Unit::Seconds,
            answer_seconds.clone(),
        );
        Metrics {
            registry,
            done,
            refused,
            failed,
            races,
            rounds,
            sockets,
            rooms,
            play_stopped,
            answer_seconds,
        }
    }
}

impl Metrics {
    /// All figures as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
