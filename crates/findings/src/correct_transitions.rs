//! What the method "correct transitions" tells, as plain data.

use serde::Serialize;
use source::{Diff, Location};

use crate::{ErrorTraceKind, Event, Exactness, RecheckResult, What, Worded};

#[derive(Clone, Debug, Serialize)]
pub struct CorrectTransitions {
    pub seconds: f64,
    pub exactness: Exactness,
    /// One error trace for each cause.
    pub traces: Vec<ErrorTrace>,
    /// How many error traces are left out because only steps that are trusted are to blame for them.
    #[serde(skip_serializing_if = "is_zero")]
    pub trusted: u64,
    /// Whether every error trace of every query takes one of the causes, or of the trusted steps.
    pub covered: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Clone, Debug, Serialize)]
pub struct ErrorTrace {
    pub query: Query,
    /// All its steps.
    #[serde(rename = "steps")]
    pub events: Vec<Event>,
    /// The lines it passes, in order; the same line several times in a row is there once.
    pub lines: Vec<u64>,
    pub length: u64,
    pub kind: ErrorTraceKind,
    /// Its steps that no correct trace takes.
    pub causes: Vec<CauseEdge>,
    /// Its steps from where no correct trace can come of it any more.
    pub causes_by_transition: Vec<CauseEdge>,
    pub point_of_interest: Option<Location>,
    /// Where values differ: the step to look at, by its number in the trace.
    pub step: Option<u64>,
    /// Whether each of the values occurs there in correct traces, but never all of them together.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub together: bool,
    /// What variables hold before that step, and what they hold before it in correct traces.
    pub values: Vec<Value>,
    /// A correct trace that stays with this one as long as it can, and the number of its steps that are
    /// the same.
    pub correct_trace: Vec<Event>,
    pub common: u64,
    /// What every correct trace does that goes on from there, and this one does not.
    pub lacks: Vec<Event>,
    /// What to insert so that it is no error any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Suggestion>,
    /// What later traces of the same query may not do any more.
    pub halted: Vec<Event>,
}

/// A statement to insert.
#[derive(Clone, Debug, Serialize)]
pub struct Suggestion {
    /// The statement.
    pub insert: String,
    /// The line it goes to.
    pub line: u64,
    /// The same as a patch.
    pub patch: Diff,
    /// What a new check of the changed program came to.
    pub result: RecheckResult,
}

/// A check at a place.
#[derive(Clone, Debug, Serialize)]
pub struct Query {
    pub location: Option<Location>,
    pub check: Worded<What>,
}

/// A step from one place to another.
#[derive(Clone, Debug, Serialize)]
pub struct CauseEdge {
    /// The step, counted from 1.
    pub step: u64,
    pub from: Option<Location>,
    pub to: Option<Location>,
    pub event: Event,
}

#[derive(Clone, Debug, Serialize)]
pub struct Value {
    pub var: String,
    pub failing: String,
    /// All values in correct traces, or the first of them.
    pub correct: Vec<String>,
    /// How many more there are.
    pub others: u64,
}
