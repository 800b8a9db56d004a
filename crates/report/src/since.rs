//! What became of the violations of an earlier report, as plain data.

use serde::Serialize;

use crate::{Location, Verdict};

/// An earlier report and this one, side by side: the loop of use is to fix something and to look again.
#[derive(Clone, Debug, Serialize)]
pub struct Since {
    /// The file of the earlier report.
    pub path: String,
    pub verdict: Verdict,
    /// Whether both reports are about the same property; if not, their figures say little.
    pub same_property: bool,
    /// Whether both searches went to their end, so that what is not found is not there.
    pub complete: bool,
    pub states: Pair<u64>,
    /// Violating states and steps, which the paper counts as counterexamples.
    pub counterexamples: Pair<u64>,
    /// The length of the counterexample that is explained.
    pub length: Pair<Option<u64>>,
    /// Classes of violations, as many of each as there were and are.
    pub violations: Vec<ViolationSince>,
    /// None where one of the reports has no anomalies or does not list all of them.
    pub anomalies: Option<AnomaliesSince>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pair<T> {
    pub before: T,
    pub after: T,
}

#[derive(Clone, Debug, Serialize)]
pub struct ViolationSince {
    pub kind: String,
    pub text: String,
    /// Where it is, or was if it is gone.
    pub location: Option<Location>,
    pub count: Pair<u64>,
    pub state: Change,
}

/// What became of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    New,
    Left,
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AnomaliesSince {
    pub new: u64,
    pub left: u64,
    pub gone: u64,
}
