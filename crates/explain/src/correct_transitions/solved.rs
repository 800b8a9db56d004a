//! Correct transitions by satisfiability, for programs with more inputs than can be tried.
//!
//! The program is a formula up to a bound, and every question about an edge is one for the solver: is there a
//! correct run through it? States are not written out, so values are not compared, and an error trace of which every
//! statement is innocent is told by its point of interest alone.

use std::cell::RefCell;

use encode::arrivals::{Arrivals, FailingRun};
use encode::solver::Stop;
use findings::CorrectTraceBy;
use graph::{BitSet, Interrupt};

use super::Engine;
use crate::recheck::Recheck;

/// Asks about steps with some labels.
type Again<'q> = Box<dyn Fn(&dyn Fn(u32) -> bool) -> Result<SecondLook, Stop> + 'q>;

/// Answers from a program as a formula.
pub struct Solved<'q, 'p, 'w> {
    asked: RefCell<Arrivals<'q, 'p, 'w>>,
    /// Looks once more whether a run can take a step with one of these labels, and whether a correct one does.
    again: Again<'q>,
    stopped: RefCell<Option<Stop>>,
}

/// What a second look found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondLook {
    pub is_taken: bool,
    pub is_correct: bool,
    /// Whether any run is correct.
    pub is_any_correct: bool,
}

impl std::fmt::Debug for Solved<'_, '_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solved").field("stopped", &self.stopped).finish_non_exhaustive()
    }
}

impl<'q, 'p, 'w> Solved<'q, 'p, 'w> {
    pub fn new(
        asked: Arrivals<'q, 'p, 'w>,
        again: impl Fn(&dyn Fn(u32) -> bool) -> Result<SecondLook, Stop> + 'q,
    ) -> Self {
        Self { asked: RefCell::new(asked), again: Box::new(again), stopped: RefCell::new(None) }
    }

    /// Why a question was not answered, if one was not; then nothing of what was answered is to be told.
    pub fn stopped(&self) -> Option<Stop> {
        *self.stopped.borrow()
    }

    /// What the solver answers, or what blames nobody if it does not.
    fn or<A>(&self, answer: Result<A, Stop>, otherwise: A) -> A {
        answer.unwrap_or_else(|stop| {
            self.stopped.borrow_mut().get_or_insert(stop);
            otherwise
        })
    }
}

impl Engine for Solved<'_, '_, '_> {
    type Trace = FailingRun;

    fn label_count(&self) -> usize {
        self.asked.borrow().label_count()
    }

    fn is_any_correct(&self) -> bool {
        let answer = self.asked.borrow_mut().is_any_correct();
        self.or(answer, false)
    }

    fn error_trace(&mut self, halted: &BitSet) -> Result<Option<FailingRun>, Interrupt> {
        let found = self.asked.get_mut().failing(|label| halted.contains(label));
        match found {
            Err(Stop::Interrupted(interrupt)) => Err(interrupt),
            found => Ok(self.or(found, None)),
        }
    }

    fn labels(&self, trace: &FailingRun) -> Vec<u32> {
        trace.labels.clone()
    }

    fn places(&self, trace: &FailingRun) -> Vec<u32> {
        (0..trace.labels.len() as u32).collect()
    }

    fn takes(&self, label: u32) -> bool {
        let answer = self.asked.borrow_mut().takes(label);
        self.or(answer, true)
    }

    fn led_on(&self, trace: &FailingRun) -> Option<usize> {
        let answer = self.asked.borrow_mut().led_on(trace);
        self.or(answer, None)
    }

    fn way_on(&self, trace: &FailingRun, after: usize, without: Option<u32>) -> Option<Vec<u32>> {
        let answer = self.asked.borrow_mut().way_on(trace, after, without);
        self.or(answer, None)
    }

    fn visits(&self, _visit: &mut dyn FnMut(u32, u32)) {}

    fn recheck(&self, is_such: &dyn Fn(u32, u32) -> bool) -> Recheck {
        match (self.again)(&|label| is_such(0, label)) {
            Ok(SecondLook { is_taken: true, is_correct: false, is_any_correct: true }) => Recheck::Confirmed,
            Ok(_) => Recheck::Refuted,
            Err(_) => Recheck::NotRun,
        }
    }

    fn rechecks_by(&self) -> CorrectTraceBy {
        CorrectTraceBy::Solver
    }
}
