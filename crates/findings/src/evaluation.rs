//! The property along the counterexample: what of it was true when, and what made it false.

use serde::Serialize;

#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The parts of the property: of a temporal formula all of its subformulas, operands before what they belong to;
    /// of a forbidden sequence the tests of single steps, from left to right.
    pub parts: Vec<PropertyPart>,
    /// Of a forbidden sequence: for each step the part that it matched, by its place in `parts`.
    pub matched: Vec<u64>,
    /// What made the property false: of a temporal formula from the whole down to the smallest part, of a forbidden
    /// sequence from its first step to its last.
    pub failing: Vec<FailingPart>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PropertyPart {
    pub text: String,
    /// The part that it is an operand of.
    pub parent: Option<u64>,
    /// A letter for the start and for each step: `T` where it is true after the step (of a forbidden sequence: where
    /// the step passes the test), `F` where it is false, `-` where nobody looks or what comes decides.
    pub values: String,
}

#[derive(Clone, Debug)]
pub struct FailingPart {
    /// Its place in `parts`.
    pub part: u64,
    /// The step after which it is so, or which matches; 0 is the start.
    pub step: u64,
    /// The last such step.
    pub last: u64,
    pub holds: bool,
    pub what: FailingWhat,
}

/// What a part of a property has to do with its violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailingWhat {
    /// The step matches it; `completes` tells whether the forbidden sequence is complete with it.
    Matches { event: String, completes: bool },
    /// It is true or false after the step, and perhaps from there on.
    Evaluates { from_there_on: bool },
}
