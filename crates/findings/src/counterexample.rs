//! The counterexample, step by step.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph::{Fate, Footprint, Sort, ViolationKind};
use serde::Serialize;
use source::Location;

use crate::{Blocked, Deed, StateId, What};

#[derive(Clone, Debug)]
pub struct Counterexample {
    pub kind: ViolationKind,
    /// What exactly is wrong at its end, where more is known than the property says.
    pub what: Option<What>,
    pub sort: Sort,
    pub length: u64,
    pub loop_start: Option<u64>,
    /// How the trace was chosen.
    pub chosen: Chosen,
    /// Whether it passes other violations before its own.
    pub past_others: bool,
    /// The values of the first state, where states have values.
    pub initial: BTreeMap<String, String>,
    pub steps: Vec<Step>,
    pub blocked: Vec<Blocked>,
    /// The condition of the assertion that fails at its end, operands before what they belong to, the whole last.
    pub condition: Vec<ConditionPart>,
    /// The same in terms of the model; empty of a transition system.
    pub run: Arc<Run>,
}

/// A trace of a model as its machine knows it.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// One more than there are events, or as many where what a wrong last step leads to was not kept.
    pub states: Vec<Vec<u8>>,
    pub events: Vec<u64>,
    /// What each step reads and writes; empty where nobody knows.
    pub footprints: Vec<Footprint>,
    /// What blocked processes ask at the end before they go on.
    pub wants: Footprint,
}

/// A part of a condition.
#[derive(Clone, Debug, Serialize)]
pub struct ConditionPart {
    pub text: String,
    /// The part that it is an operand of, by its place in the list.
    pub parent: Option<u64>,
    pub value: PartValue,
}

/// What a part of a condition is worth.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PartValue {
    Truth(bool),
    /// Of an operand that is no condition itself.
    Value(String),
    /// What stands before it has decided already, or it has no value.
    Unasked,
}

#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Counted from 1.
    pub n: u64,
    pub process: Option<String>,
    pub pid: Option<u64>,
    pub action: String,
    pub location: Option<Location>,
    /// The receiving side of a rendezvous.
    pub partner: Option<Deed>,
    /// A name of the event that no other event of the system has.
    pub event: String,
    /// Old and new value of each variable that changed; null where it has none.
    pub changes: BTreeMap<String, [Option<String>; 2]>,
    /// What variables hold that were written and hold what they held before.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub stays: BTreeMap<String, String>,
    /// The values that the step took from outside, in the order in which it took them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<i64>,
    /// How many calls the step lies in, where traces are told with their calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The fate of the state the step leads to: safe, free, doomed, elsewhere or unknown.
    pub fate: Fate,
    /// Whether the step belongs to the abstracted counterexample.
    pub kept: bool,
    /// Where the step leads, as the input calls it.
    pub state: StateId,
    /// Actions possible instead of this step that make failing impossible.
    pub escapes: Vec<String>,
    /// Actions possible instead of this step after which both outcomes are still possible.
    pub still_free: Vec<String>,
    pub point_of_no_return: bool,
}

/// How a counterexample was chosen among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// It was given.
    Given,
    /// Of the shortest, the one along which most was decided latest.
    CalmestShortest,
    Shortest,
    /// Where not all traces were looked at.
    Short,
    /// The first that a solver found.
    FirstFound,
    /// A shortest way to where an endless trace is decided.
    ShortestToDecision,
}
