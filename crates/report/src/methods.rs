//! What the methods found, with words: the parts of the report that findings do not carry as they are.

use std::collections::BTreeMap;

use findings::{
    Absence, Abstracted, Across, Anomaly, AnomalyGroup, CauseEdge, ColouredEdge, Constraint, Deferred,
    ErrorTraceKind, Event, Exactness, GraphSize, InputsOfTrace, Location, Neighbourhood, NeighbourhoodKind,
    Order, Pattern, RecheckResult, Scope, Suggestion, SuspectStatement, TraceSet, Value, Variations,
};
use serde::Serialize;

use crate::Repair;

/// What each method found; a method that was not asked for is absent.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Methods {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbourhoods: Option<Outcome<Neighbourhoods>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anomalies: Option<Outcome<Anomalies>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_transitions: Option<Outcome<CorrectTransitions>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variations: Option<Outcome<Variations>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Outcome<Diagnosis>>,
    /// What further methods found, for which there are no words of our own.
    #[serde(flatten)]
    pub more: BTreeMap<String, Outcome<serde_json::Value>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome<M> {
    Skipped { skipped: String },
    Found(Box<M>),
}

impl<M> Outcome<M> {
    pub fn found(&self) -> Option<&M> {
        match self {
            Self::Found(found) => Some(found),
            Self::Skipped { .. } => None,
        }
    }

    /// Why there is nothing.
    pub fn skipped(&self) -> Option<&String> {
        match self {
            Self::Found(_) => None,
            Self::Skipped { skipped } => Some(skipped),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Neighbourhoods {
    pub seconds: f64,
    pub exactness: Exactness,
    pub full_lts: GraphSize,
    pub counterexample_lts: GraphSize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<ColouredEdge>>,
    /// The first of them; `listed` says how many of the `count` and the kind R ones are here.
    pub neighbourhoods: Vec<Neighbourhood>,
    pub listed: u64,
    /// By Definition 9: without kind R.
    pub count: u64,
    /// How many there are of each kind.
    pub kinds: BTreeMap<NeighbourhoodKind, u64>,
    /// How many the counterexample passes.
    pub touched: u64,
    pub counterexample_length: u64,
    pub abstracted_length: u64,
    pub abstracted: Vec<Abstracted>,
    /// Why nothing could be left out, when the counterexample touches no neighbourhood.
    pub untouched: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Anomalies {
    pub seconds: f64,
    pub exactness: Exactness,
    /// What counts as following each other.
    pub order: Order,
    /// How many events make a sequence.
    pub length: u64,
    /// The traces that were compared; null where all were.
    pub good: Option<TraceSet>,
    pub bad: Option<TraceSet>,
    /// How many anomalies there are, and how many of them are decisive.
    pub count: u64,
    pub decisive: u64,
    /// The first of them, best first.
    pub anomalies: Vec<Anomaly>,
    /// Failing traces that contain them, as the names of their events.
    pub counterexamples: Vec<Vec<String>>,
    /// A counterexample and the ranks of the anomalies it shows.
    pub groups: Vec<AnomalyGroup>,
    /// How many last steps failing traces have; the `support` of an anomaly is out of these.
    pub last_steps: Option<u64>,
    /// Steps of the report's counterexample, by their `n`.
    pub explanatory_sequence: Vec<u64>,
    pub links: Vec<AnomalyLink>,
    pub deferred: Vec<Deferred>,
    /// Steps of the report's counterexample that no passing trace has in this order; empty if there are
    /// none such.
    pub order_core: Vec<u64>,
    /// Why there is no order core.
    pub no_order_core: Option<String>,
    pub patterns: Vec<Pattern>,
    /// Why patterns are missing or not all there.
    pub no_patterns: Option<String>,
    pub points_of_no_return: Vec<PointOfNoReturn>,
}

/// Why one step of the counterexample needed another.
#[derive(Clone, Debug, Serialize)]
pub struct AnomalyLink {
    pub from: u64,
    pub to: u64,
    pub reason: String,
    /// Whether the later step relied on a value that a pending event would have changed.
    #[serde(skip)]
    pub is_stale: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct PointOfNoReturn {
    /// The statement; where several processes execute it, without the number of a process.
    pub event: Event,
    /// The names of the events that are this statement: one for each process.
    pub events: Vec<String>,
    /// How many of its transitions lead to where every trace fails.
    pub crosses: u64,
    /// How many lead on from where traces can pass to where they still can.
    pub harmless: u64,
    /// What tells the ones from the others, if it was asked and both are there.
    pub fatal_when: Option<FatalWhen>,
}

/// The smallest condition that was found for when a statement decides, and how well it fits.
#[derive(Clone, Debug, Serialize)]
pub struct FatalWhen {
    /// One of these, each several things that are all true.
    pub any_of: Vec<Vec<String>>,
    /// Whether the statement decides exactly when this is true.
    #[serde(rename = "exact")]
    pub is_exact: bool,
    /// How many occurrences decide, and of how many of these the condition is true.
    pub fatal: u64,
    pub fatal_covered: u64,
    /// The same for those that decide nothing.
    pub harmless: u64,
    pub harmless_covered: u64,
    /// What came of looking again: whether a passing trace does it when this is true. None where it was not tried.
    pub recheck: Option<RecheckResult>,
    /// Of all violating states, how many can still be reached if it never happens when this is true.
    pub still_violating: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    pub seconds: f64,
    /// Exact: these are all smallest sets on the trace.
    pub exactness: Exactness,
    /// What should hold.
    pub constraints: Vec<Constraint>,
    pub inputs: InputsOfTrace,
    /// How many statements of the trace could have been wrong.
    pub suspects: u64,
    /// How many statements the program has.
    pub statements: u64,
    /// The likeliest first.
    pub diagnoses: Vec<Suspicion>,
    /// Lines of statements that cannot all be right.
    pub conflicts: Vec<Vec<u64>>,
    pub absence_of_function: Option<Absence>,
    /// How many failing runs were looked at, the counterexample among them.
    pub runs: u64,
    /// How many runs, failing and passing ones, small changes of statements were tried on.
    pub tried_on: u64,
    /// What explains all of them on their own ways, if there are several.
    pub across: Option<Across>,
}

/// Statements that, assumed wrong, would explain the counterexample.
#[derive(Clone, Debug, Serialize)]
pub struct Suspicion {
    pub rank: u64,
    pub lines: Vec<u64>,
    pub statements: Vec<SuspectStatement>,
    /// Whether nothing speaks for others rather than for these.
    pub likely: bool,
    /// A small change of the statement, or of each of two, with which none of the runs fails that it was tried on: its kind
    /// and, where there are words for it, what stands there instead.
    pub small_change: Option<String>,
    /// The lines of assignments that use what these statements make, and so are wrong with them.
    pub transitive: Vec<u64>,
    /// Whether what the program would have to do instead is what other runs of it do.
    pub redundant: bool,
    /// What was made, and what should have been made for all to be well.
    pub values: Vec<RightValue>,
    pub suggestion: Option<String>,
    /// The statement that this comes to, for example `m = x`.
    pub change: Option<String>,
    /// How many of the failing runs pass if these statements make other things, or go other ways, in them.
    pub explains: u64,
    pub scope: Scope,
    pub repair: Option<Repair>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RightValue {
    pub line: u64,
    /// The variable, or the condition.
    pub what: String,
    pub failing: String,
    pub right: String,
}

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

/// A check at a place.
#[derive(Clone, Debug, Serialize)]
pub struct Query {
    pub location: Option<Location>,
    pub check: String,
}
