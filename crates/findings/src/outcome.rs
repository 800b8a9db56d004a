//! What was asked, and what a check came to.

use graph::{Fairness, ViolationKind};
use serde::Serialize;
use source::Location;

use crate::{Reduction, Spelling};

#[derive(Clone, Debug, Serialize)]
pub struct Input {
    pub path: String,
    pub kind: String,
    /// What was read; none where a limit came first.
    pub size: Option<GraphSize>,
    /// How it was asked about, where anything was said.
    #[serde(skip_serializing_if = "Options::is_default")]
    pub options: Options,
}

/// What was asked, as the user said it, so that the same can be asked again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Options {
    /// What `-p` said; everything that the input states if nothing was said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spelling: Option<Spelling>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include_folders: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_model: Option<DataModel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_bits: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cc: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub class_path: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The folder of the tests that the program ran on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unwind: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample_lts: Option<String>,
}

impl Options {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// How wide the integers of a C program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DataModel {
    /// int, long and pointers have 32 bits.
    Ilp32,
    /// int has 32 bits, long and pointers have 64.
    Lp64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Property {
    pub kind: ViolationKind,
    pub text: String,
    /// How a formula is spelled.
    pub spelling: Option<Spelling>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct GraphSize {
    pub states: u64,
    pub transitions: u64,
    pub labels: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    pub states: u64,
    pub transitions: u64,
    /// How many violating states were found.
    pub violations: u64,
    pub max_depth: u64,
    pub seconds: f64,
    /// The part of it that went into reading and searching, where methods came after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_seconds: Option<f64>,
    /// How many bytes a state takes in the store; none where states are read from a file.
    pub state_bytes: Option<u64>,
    /// None where the operating system does not tell.
    pub peak_bytes: Option<u64>,
    pub complete: bool,
    /// What was left out that makes no difference: `none` or `por` (partial-order reduction). The other
    /// figures are of what was left.
    pub reduction: Reduction,
}

/// All violations of one kind at one place.
#[derive(Clone, Debug)]
pub struct Violation {
    pub id: u64,
    pub kind: ViolationKind,
    pub what: What,
    /// Whether the statement there is right if it is executed and nothing goes wrong.
    pub can_hold: bool,
    pub location: Option<Location>,
    pub count: u64,
    /// The length of a shortest trace to it.
    pub shortest: u64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Fates {
    pub safe: u64,
    pub doomed: u64,
    pub free: u64,
    /// States that fail in every case, but with another violation than the one explained.
    pub elsewhere: u64,
    pub unknown: u64,
    pub points_of_no_return: u64,
    pub escapes: u64,
}

/// What becomes of the violation without one statement: every step of it was blocked, and the system searched again.
#[derive(Clone, Debug, Serialize)]
pub struct Without {
    pub location: Option<Location>,
    /// One of its events, for people.
    pub event: String,
    /// How many violating states there are, and how many can still be reached.
    pub violating: u64,
    pub still_violating: u64,
    /// Whether a trace passes that never executes it.
    pub passes: bool,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// What the language calls it, or a property as its author wrote it.
    #[serde(rename = "told")]
    Quoted(String),
    /// Nothing can move, and not every process may stop.
    Deadlock,
    /// A transition system comes to a state without outgoing transitions.
    NoWayOn,
    /// A transition system does what the property forbids.
    ForbiddenSequence,
    /// A condition that has to hold in every state is false after a step, by these values.
    Broken { property: String, step: u64, because: Option<String> },
    /// An endless trace that violates the property.
    Endless { property: EndlessProperty, ending: TraceEnd },
}

/// A property of endless traces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndlessProperty {
    /// A formula or a never claim, as its author calls it.
    Stated(String),
    /// No cycle passes a label that begins with `accept`.
    NoAcceptanceCycle,
    /// Every cycle passes a label that begins with `progress`.
    NoNonProgressCycle,
}

/// How a trace goes on after its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceEnd {
    /// The steps from the first to the last one are repeated forever.
    Repeats { first: u64, last: u64 },
    /// Nothing moves any more.
    Stops,
    /// Whatever comes, the property is violated.
    Decided,
}
