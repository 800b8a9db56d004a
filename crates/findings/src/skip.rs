//! Why a method was not run, or found nothing.

use graph::{Interrupt, ViolationKind};

use crate::{Method, Unsolved};

/// Why a method was not run, or found nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skip {
    NotAsked,
    /// There is no counterexample.
    NothingToExplain,
    /// Only statements of programs and models can be assumed wrong.
    NoStatements,
    /// Traces of programs in this language are not made formulas.
    NoFormula,
    /// A limit came first.
    Interrupted(Interrupt),
    /// A solver was asked and came to no answer.
    Unsolved(Unsolved),
    /// The SAT engine has no graph of the program's states.
    NoGraph,
    /// Call by call there is no graph of whole states.
    NoStates,
    /// It compares traces that end, and this one goes on forever.
    EndlessTrace(Method),
    /// Which traces pass is not known of this claim.
    UnknownFulfilments,
    /// It has nothing to say of a counterexample LTS from elsewhere.
    GivenLts(Method),
    /// The states of the model and those of the property make too many pairs.
    TooManyPairs,
    /// The property splits the states of the model into too many.
    TooManySplit,
    /// The counterexample was not found again in the split states.
    TraceLost,
    /// With so many events, only sequences of so many can be compared.
    SequencesTooLong {
        labels: usize,
        longest: usize,
    },
    /// No step of the counterexample could be another.
    NoOtherStep,
    /// The run with the inputs of the counterexample leaves what was unwound.
    LeavesUnwound,
    /// The variations have more transitions than a graph can have.
    TooManyTransitions,
    /// The diagnosis of this counterexample is not possible.
    Undiagnosed(Undiagnosed),
}

impl From<Undiagnosed> for Skip {
    fn from(why: Undiagnosed) -> Self {
        Self::Undiagnosed(why)
    }
}

/// Why there is no diagnosis of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undiagnosed {
    /// Runs of programs with threads are not made formulas.
    StartsThreads,
    /// Such a violation fails no check.
    NoCheck(ViolationKind),
    /// The trace has no steps.
    NoSteps,
    /// The steps of the trace compute no values.
    NoValues,
    /// The counterexample goes past another violation.
    PastAnother,
    /// The SAT engine does not know a value on the trace.
    UnknownValue,
    /// Nothing on the trace decides whether it fails.
    NothingDecides,
    /// A run that is said to fail, with these inputs, passes.
    RunPasses(Vec<i64>),
}
