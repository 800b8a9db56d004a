//! What testing the claims of a report again came to.

use serde::Serialize;

/// All claims of a report, in its order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verification {
    pub claims: Vec<TestedClaim>,
}

/// A claim, and what a test of it came to.
#[derive(Clone, Debug, Serialize)]
pub struct TestedClaim {
    /// Where it stands in the report, as a JSON pointer.
    pub at: String,
    /// What sort of claim it is; of a cause the kind of its claim.
    pub kind: String,
    /// The sentence that the report makes of it, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    pub result: TestResult,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestResult {
    Holds,
    Refuted(Witness),
    TooLarge(Beyond),
    /// There is no test for claims of this kind.
    NotTested,
}

/// What refutes a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Witness {
    /// A value of the report is another one.
    Differs { what: String, told: String, found: String },
    /// A step of a trace cannot be executed: its number and its event.
    Impossible { step: u64, event: String },
    /// A trace that must not exist does.
    Trace { shows: Shows, events: Vec<String> },
    /// A trace that should exist does not.
    NoTrace { shows: Shows },
    /// The report names something that the input does not have.
    Unknown { what: String },
    /// The changed text cannot be read.
    Unreadable { message: String },
}

/// What a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// It ends as it may, or goes on forever from its last state without a violation.
    Passes,
    /// It violates what is explained.
    Fails,
    /// It does what is claimed of others only.
    Occurs,
}

/// Why a claim could not be tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Beyond {
    /// There are more states than this.
    States(u64),
    /// A limit of time or memory, or a signal, came first.
    Interrupted(String),
    /// The machine cannot tell what comes after some state.
    Unknowable,
    /// The report itself did not see everything.
    PartialReport,
    /// The question cannot be asked again from the report alone.
    Question(String),
}

/// The verdict on a whole report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overall {
    AllHold,
    SomeRefuted,
    SomeUntested,
}

impl Verification {
    pub fn overall(&self) -> Overall {
        let some = |wanted: fn(&TestResult) -> bool| self.claims.iter().any(|claim| wanted(&claim.result));
        if some(|result| matches!(result, TestResult::Refuted(_))) {
            Overall::SomeRefuted
        } else if some(|result| *result != TestResult::Holds) {
            Overall::SomeUntested
        } else {
            Overall::AllHold
        }
    }
}
