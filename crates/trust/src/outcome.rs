//! What a row of the scorecard came to: one line for people, one JSON object for programs.

use std::fmt;

use serde_json::{Map, Value, json};

/// What a row came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The row's number on the scorecard.
    pub row: u8,
    /// What was tried.
    pub what: String,
    /// The figure asked of a full run.
    pub asked: String,
    /// The figure reached.
    pub reached: String,
    /// Whether nothing was found that may not be, whatever the size of the run.
    pub holds: bool,
    /// Further figures.
    pub figures: Map<String, Value>,
}

impl Outcome {
    /// An outcome with figures, which must be an object.
    pub fn new(
        row: u8,
        what: &str,
        asked: &str,
        reached: String,
        holds: bool,
        figures: Value,
    ) -> Outcome {
        let figures = match figures {
            Value::Object(figures) => figures,
            other => Map::from_iter([("figure".to_string(), other)]),
        };
        Outcome { row, what: what.into(), asked: asked.into(), reached, holds, figures }
    }

    /// One object: row, what, asked, reached, holds, and the figures.
    pub fn to_json(&self) -> Value {
        let Outcome { row, what, asked, reached, holds, figures } = self;
        let mut all = json!({
            "row": row, "what": what, "asked": asked, "reached": reached, "holds": holds,
        });
        all["figures"] = Value::Object(figures.clone());
        all
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { row, what, asked, reached, holds, .. } = self;
        let verdict = if *holds { "holds" } else { "DOES NOT HOLD" };
        write!(f, "row {row}, {what}: {verdict}: {reached} (asked: {asked})")
    }
}
