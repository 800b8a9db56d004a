//! What came of the tests that a program ran on.

use serde::Serialize;
use source::Location;

#[derive(Clone, Debug, Serialize)]
pub struct TestRuns {
    /// The folder they are in.
    pub folder: String,
    pub count: u64,
    /// By their names.
    pub passing: Vec<String>,
    pub failing: Vec<FailingTest>,
    /// Those of which nothing is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<UndecidedTest>,
    /// The one that the counterexample belongs to.
    pub explained: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct FailingTest {
    pub name: String,
    /// What is wrong, as the front-end says it.
    pub what: String,
    /// Where that is seen.
    pub location: Option<Location>,
    /// The first difference between what is printed and what should be, where that is what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputDifference>,
}

/// The first difference between what a program prints and what it should print.
#[derive(Clone, Debug, Serialize)]
pub struct OutputDifference {
    /// The line of the output, counted from 1.
    pub line: u64,
    /// The word there; none at the end of a line or of the output.
    pub printed: Option<String>,
    pub expected: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct UndecidedTest {
    pub name: String,
    /// Why, as the front-end says it.
    pub why: String,
}
