//! A finding: a claim, where it points, and what came of testing it again.

use source::Location;

use crate::{Claim, RecheckResult, Repair};

#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub claim: Claim,
    /// Where the statements stand that it is about, the one that is meant first.
    pub locations: Vec<Location>,
    /// Steps of the counterexample, by their `n`.
    pub steps: Vec<u64>,
    /// What came of testing the claim; none where it is read off results and claims nothing about other traces.
    pub recheck: Option<Recheck>,
    /// Findings with the same number explain the same failing traces.
    pub group: u64,
    /// A change that belongs to it.
    pub repair: Option<Repair>,
}

impl Finding {
    pub fn new(claim: Claim, locations: Vec<Location>, steps: Vec<u64>) -> Self {
        Self { claim, locations, steps, recheck: None, group: 1, repair: None }
    }

    #[must_use]
    pub fn rechecked(self, how: How, result: RecheckResult) -> Self {
        Self { recheck: Some(Recheck { how, result }), ..self }
    }

    pub fn is_refuted(&self) -> bool {
        self.has(RecheckResult::Refuted)
    }

    pub fn is_confirmed(&self) -> bool {
        self.has(RecheckResult::Confirmed)
    }

    fn has(&self, result: RecheckResult) -> bool {
        self.recheck.as_ref().is_some_and(|recheck| recheck.result == result)
    }
}

/// What came of testing a claim, and how it was tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recheck {
    pub how: How,
    pub result: RecheckResult,
}

/// How a claim was tested again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// By a forward search for a passing trace, before this step and after it.
    ForwardAround(u64),
    /// By a forward search for a passing trace from the initial state.
    ForwardFromStart,
    /// By a search by fixed points for a trace that meets the property, before this step and after it.
    FixedPointsAround(u64),
    /// By evaluating the formula on the trace by its definition.
    FormulaOnTrace,
    /// There is no formula to evaluate.
    NoFormula,
    /// By a new search in which nothing comes between two steps.
    NothingBetween,
    /// By a forward search for a passing trace from wherever it can happen.
    ForwardFromOccurrences,
    /// By a new search from wherever a condition is true; whether nothing fails without such steps.
    WhereTrue { cures: bool },
    /// By looking again for a correct trace that takes the step; whether a limit came first.
    CorrectTrace { by: CorrectTraceBy, is_cut_short: bool },
    /// By walking the variations again step by step.
    VariationsWalked,
    /// By the whole program as a formula, on the inputs of each failing run.
    WholeProgram,
    /// By running the changed program on the inputs of each run.
    ChangedProgramRun,
    /// By executing the statements of the trace again with the values that would be right.
    StatementsExecuted,
    /// By checking the changed text from scratch.
    CheckedFromScratch,
    /// By a new search in which the pattern never completes.
    PatternBlocked,
    /// By looking for the pattern in every violating state.
    PatternAtEveryEnd,
    /// Every loop that violates the property was looked at.
    PatternInEveryLoop,
    /// Not at all: recorded traces cannot be run again.
    Recorded,
}

/// Who looks again for a correct trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorrectTraceBy {
    /// A forward search from wherever the step can happen.
    ForwardSearch,
    /// A new solver, with loops unwound twice as often.
    Solver,
}
