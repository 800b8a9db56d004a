//! What the method "diagnosis" tells, as plain data.

use serde::Serialize;
use source::Location;

use crate::{Exactness, InputsOfTrace, Made, Repair, RightMade, Scope, ShownRepair, SmallChange, Worded};

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

/// Sets of statements that explain several failing runs, each on its own way and with its own inputs.
#[derive(Clone, Debug, Serialize)]
pub struct Across {
    /// The inputs of each run.
    pub runs: Vec<Vec<i64>>,
    pub exactness: Exactness,
    /// By size.
    pub diagnoses: Vec<SuspectSet>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SuspectSet {
    pub lines: Vec<u64>,
    pub statements: Vec<SuspectStatement>,
}

/// Something that should hold.
#[derive(Clone, Debug, Serialize)]
pub struct Constraint {
    pub text: String,
    pub location: Option<Location>,
}

/// Statements that, assumed wrong, would explain the counterexample.
#[derive(Clone, Debug, Serialize)]
pub struct Suspicion {
    pub rank: u64,
    pub lines: Vec<u64>,
    pub statements: Vec<SuspectStatement>,
    /// Whether nothing speaks for others rather than for these.
    pub likely: bool,
    /// A small change of the statement, or of each of two, with which none of the runs fails that it was tried on.
    pub small_change: Option<Worded<SmallChange>>,
    /// The lines of assignments that use what these statements make, and so are wrong with them.
    pub transitive: Vec<u64>,
    /// Whether what the program would have to do instead is what other runs of it do.
    pub redundant: bool,
    /// What was made, and what should have been made for all to be well.
    pub values: Vec<RightValue>,
    pub suggestion: Option<Worded<RightMade>>,
    /// The statement that this comes to, for example `m = x`.
    pub change: Option<String>,
    /// How many of the failing runs pass if these statements make other things, or go other ways, in them.
    pub explains: u64,
    pub scope: Scope,
    pub repair: Option<Worded<Repair, ShownRepair>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SuspectStatement {
    pub text: String,
    pub location: Option<Location>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RightValue {
    pub line: u64,
    /// The variable, or the condition.
    pub what: Worded<Made>,
    pub failing: String,
    pub right: String,
}

/// Nothing on the trace need be wrong: something is missing.
#[derive(Clone, Debug, Serialize)]
pub struct Absence {
    /// What the trace does not make sure of.
    pub unimplied: Vec<String>,
    /// Inputs with which the same trace passes.
    pub passing_input: Vec<i64>,
    /// Inputs with which it fails.
    pub failing_input: Vec<i64>,
}
