//! What a solver can still be asked once it has found a counterexample: the seam to methods that have no graph of
//! states to look at.
//!
//! The solver that found the counterexample keeps the formula of the program up to its bound, and all that it has
//! learnt; a method asks its questions of that one. What comes out are inputs, and inputs are never believed: the
//! program is run with them, step by step, by the machine that all engines share.

use encode::bounded::FoundRun;
use encode::questions::Questions;
use encode::unwind::{At, Duty, Unwinder, Unwinding};
use graph::System;

/// A program that can be run with inputs.
pub trait Runnable {
    type Fed<'a>: System
    where
        Self: 'a;

    /// The program with these inputs; it has one step at most from every state.
    fn fed(&self, inputs: Vec<i64>) -> Self::Fed<'_>;

    /// The event of taking an edge, if it takes no inputs.
    fn event_at(&self, at: At) -> Option<u64>;
}

/// How many steps of a single run are looked at unless it is known to end.
pub const LONGEST_RUN: usize = 1 << 16;

/// The program in which a counterexample was found, as a formula that can be asked more.
#[derive(Debug)]
pub struct SatAnswers<'a, 'p, 'w, R> {
    pub program: &'a R,
    pub unwinder: Unwinder<'p, 'w>,
    /// The program up to the bound within which the counterexample lies.
    pub unwinding: Unwinding,
    /// The counterexample: its inputs, the edge where it fails, and what is neglected there.
    pub found: FoundRun,
    /// How many conflicts a question may cost, if the user says so.
    pub conflicts: Option<u64>,
}

impl<'p, 'w, R: Runnable> SatAnswers<'_, 'p, 'w, R> {
    /// Questions about runs, of which those fail that neglect the same at the same place as the counterexample.
    pub fn questions(&mut self) -> Questions<'_, 'p, 'w> {
        let FoundRun { at, duty, .. } = self.found;
        let is_same = move |other: At, neglected: Duty| other == at && same_duty(neglected, duty);
        Questions::new(&mut self.unwinder, &self.unwinding, is_same)
    }
}

/// Whether two duties are one kind of fault; the values in them differ from instance to instance.
pub(crate) fn same_duty(one: Duty, other: Duty) -> bool {
    let kind = |duty: Duty| match duty {
        Duty::Failure(failure) => (Some(failure), None),
        _ => (None, duty.fault().map(model::Fault::kind)),
    };
    kind(one) == kind(other)
}
