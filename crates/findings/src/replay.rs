//! What became of trails that were gone again.

use std::fmt;

use serde::Serialize;

use crate::{Location, Step, ViolationKind, What};

/// A trail, and what became of it; `V` is how what it violates is told.
#[derive(Clone, Debug, Serialize)]
pub struct Replay<V = Violated> {
    pub path: String,
    pub result: ReplayResult,
    /// The steps that could be replayed.
    pub steps: Vec<Step>,
    /// What is violated at its end; known of models.
    pub violation: Option<V>,
    /// Where the trail does not fit the system.
    pub divergence: Option<Divergence>,
    /// Why the trail could not be read.
    pub problem: Option<String>,
}

impl<V> Replay<V> {
    /// A trail that could not be read.
    pub fn unreadable(path: String, problem: String) -> Self {
        let result = ReplayResult::Unreadable;
        Self { path, result, steps: Vec::new(), violation: None, divergence: None, problem: Some(problem) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplayResult {
    Fails,
    Passes,
    Diverges,
    Unreadable,
}

#[derive(Clone, Debug, Serialize)]
pub struct Divergence {
    /// The number of the step that is not possible.
    pub n: u64,
    pub wanted: String,
    /// What is possible there instead.
    pub possible: Vec<String>,
    /// The line of the trail, where steps are not simply numbered.
    pub line: Option<u64>,
    /// Why the step is not possible, where that is known.
    pub reason: Option<String>,
}

/// What a trail violates.
#[derive(Clone, Debug)]
pub struct Violated {
    pub kind: ViolationKind,
    pub what: What,
    pub location: Option<Location>,
}

/// How many possible steps are named.
const MOST_NAMED: usize = 5;

impl Divergence {
    /// What is possible there: `A`, `A or B`, `A, B or C`.
    fn alternatives(&self) -> String {
        let more = self.possible.len().saturating_sub(MOST_NAMED);
        let mut named: Vec<String> =
            self.possible.iter().take(MOST_NAMED).map(|step| format!("`{step}`")).collect();
        if more > 0 {
            named.push(format!("{more} more"));
        }
        match named.split_last() {
            None => String::new(),
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }
}

/// An error where a trail has to fit.
impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = match (self.possible.len(), &self.reason) {
            (0, None) => "nothing is possible there".to_owned(),
            (0, Some(reason)) => reason.clone(),
            (_, None) => format!("only {} is possible there", self.alternatives()),
            (_, Some(reason)) => {
                format!("{reason}; only {} is possible there", self.alternatives())
            }
        };
        let entry = match self.line {
            Some(line) => format!("line {line} of the trail (step {})", self.n),
            None => format!("step {} of the trail", self.n),
        };
        write!(f, "{entry}, `{}`, is not possible in the system: {instead}", self.wanted)
    }
}
