//! The closed sets of words that answers use: how sure, by which engine, by which method.
//!
//! How a word is spelled in JSON is said by serde alone; `Display` writes the same spelling.

use std::fmt;

use serde::Serialize;

/// Writes a word as serde spells it.
macro_rules! displayed_as_serialized {
    ($($word:ty),+ $(,)?) => {
        $(impl fmt::Display for $word {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.serialize(f)
            }
        })+
    };
}

displayed_as_serialized!(
    AnomalyKind,
    Atomic,
    CauseKind,
    Choices,
    Colour,
    Engine,
    ErrorTraceKind,
    Exactness,
    InputsOfTrace,
    Method,
    NeighbourhoodKind,
    Order,
    PassingEnd,
    RecheckResult,
    Reduction,
    Scope,
    Spelling,
    VariationKind,
    Verdict,
    Walk,
);

/// What was found out about the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Holds,
    Violated,
    Unknown,
}

/// How the answer was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// All states and steps, one by one.
    Explicit,
    /// Procedures call by call, by what each call can do.
    Summary,
    /// The program as a formula, asked of a solver.
    Sat,
    /// Recorded traces alone.
    Logs,
}

/// How far a result can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Exactness {
    /// True of all traces.
    Exact,
    /// True of what was explored before a limit.
    Bounded,
    /// True of the traces that were sampled.
    Sampled,
}

impl Exactness {
    /// What an exploration allows to say.
    pub fn of(is_complete: bool) -> Self {
        if is_complete { Self::Exact } else { Self::Bounded }
    }
}

/// Who says something about the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Where passing traces part from failing ones, after Barbon, Leroy and Salaün.
    Neighbourhoods,
    /// Sequences of events that only failing traces have, after Leue and Befrouei.
    Anomalies,
    /// Steps of an error trace that no correct trace takes, after Ball, Naik and Rajamani.
    CorrectTransitions,
    /// What failing variations of the counterexample have in common, after Groce and Visser.
    Variations,
    /// Statements of a program or model that may be wrong, after Pu.
    Diagnosis,
    /// Changes of the text that were tried: no method that is asked for by name, but a witness like them.
    Repair,
    /// Known patterns of bugs: no method that is asked for by name either.
    Patterns,
}

impl Method {
    /// All that can be asked for.
    pub const ALL: [Self; 5] =
        [Self::Neighbourhoods, Self::Anomalies, Self::CorrectTransitions, Self::Variations, Self::Diagnosis];

    /// What it looks for, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Neighbourhoods => "Where failing and passing traces part (Barbon, Leroy, Salaün 2017)",
            Self::Anomalies => "What only failing traces do (Leue, Tabaei Befrouei 2012)",
            Self::CorrectTransitions => {
                "What no correct trace does, one error trace for each cause (Ball, Naik, Rajamani 2003)"
            }
            Self::Variations => {
                "What separates failing traces like the counterexample from passing ones (Groce, Visser 2003)"
            }
            Self::Diagnosis => "Which statements of a C program, assumed wrong, would explain it (Pu 2013)",
            Self::Repair => "Which small changes leave nothing wrong",
            Self::Patterns => "Which known pattern of bugs it is",
        }
    }

    /// The member of a report that has what it found.
    pub fn member(self) -> String {
        self.to_string().replace('-', "_")
    }
}

/// What sort of thing is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// A step of the counterexample after which it could not pass any more.
    PointOfNoReturn,
    /// The violating step itself: nothing was decided before it.
    OnlyTheViolation,
    /// Every trace fails.
    Doomed,
    /// What an endless trace does forever, so that the property is never met.
    Unmet,
    /// A statement that takes traces past the point of no return, anywhere in the system.
    Crossing,
    /// A sequence of events that only failing traces have.
    Anomaly,
    /// A step that came later than it could.
    Deferred,
    /// A step that the violation came of.
    Needed,
    /// Steps that no correct trace takes.
    ErrorEdge,
    /// A step that correct traces take with other values only.
    Values,
    /// A statement that is missing.
    Insertion,
    /// What all failing variations do, and no passing one.
    SeparatesVariations,
    /// What only failing variations do.
    OnlyFailing,
    /// What a failing variation does in place of what a passing one does.
    Replaced,
    /// Statements that, had they done something else, would have met the constraints.
    Diagnosis,
    /// A change of the text that was verified.
    Repair,
    /// A place where such a change leaves all that passing traces do as it was.
    MayBeWrong,
    /// A known pattern of bugs.
    Pattern,
}

/// What came of testing a claim again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecheckResult {
    Confirmed,
    Refuted,
    NotRun,
}

/// What was left out of a search that makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reduction {
    None,
    /// Partial-order reduction.
    Por,
}

/// How a formula over actions is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Spelling {
    /// As CADP's evaluator reads it.
    Mcl,
    /// As mCRL2 reads it.
    Mcf,
}

/// What counts as following each other in a sequence of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// One step after the other.
    #[default]
    Trace,
    /// In the steps of one process.
    Process,
    /// Among events that depend on each other.
    Dependent,
}

/// Where in a failing trace an anomaly lies, seen from its point of no return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnomalyKind {
    /// Its last event decides.
    Decisive,
    /// An event before its last one decides.
    Inside,
    /// Everything was decided before it.
    Consequence,
}

/// What becomes of the violation if nothing comes between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Atomic {
    Cured,
    StillFails,
    NothingPasses,
}

/// How an error trace differs from correct ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorTraceKind {
    /// It takes steps that no correct trace takes.
    Control,
    /// It takes the same steps with other values.
    Value,
    /// Neither.
    Unexplained,
    /// There is no correct trace.
    Incomparable,
}

impl ErrorTraceKind {
    /// Whether something sets the trace apart from correct ones.
    pub fn is_explained(self) -> bool {
        matches!(self, Self::Control | Self::Value)
    }
}

/// In which order variations are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Walk {
    Bfs,
    Dfs,
    Heuristic,
    /// By a solver, the nearest first.
    Solver,
}

/// Whether a variation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VariationKind {
    Negative,
    Positive,
}

/// What has to be chosen otherwise for a failing trace to become a passing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Choices {
    Schedule,
    Input,
    Both,
}

/// How a passing trace goes on behind what is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassingEnd {
    Ends,
    /// It can fail no more.
    Safe,
    /// Forever, from the one step that is told.
    GoesOn,
}

/// Which traces a diagnosis speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Those on the counterexample's own way.
    Trace,
    /// Those with branches that go the other way as well.
    Program,
}

/// What the inputs of a diagnosed trace may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InputsOfTrace {
    /// Any.
    Symbolic,
    /// Those of the counterexample.
    Fixed,
}

/// The kinds of neighbourhoods, by the colours of what leaves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum NeighbourhoodKind {
    G,
    Gr,
    Grb,
    R,
}

/// The colours of edges around a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// It leads to where nothing can fail any more.
    Green,
    /// It leads to where both is possible.
    Black,
    /// It leads to where everything fails.
    Red,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_as_serde_spells_them() {
        assert_eq!(Method::CorrectTransitions.to_string(), "correct-transitions");
        assert_eq!(NeighbourhoodKind::Grb.to_string(), "GRB");
        assert_eq!(Atomic::StillFails.to_string(), "still-fails");
        assert_eq!(Reduction::Por.to_string(), "por");
        assert_eq!(PassingEnd::GoesOn.to_string(), "goes-on");
    }
}
