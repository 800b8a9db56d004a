//! Variations walked again: whether each is a trace of the system, ends as it is said to, and takes the steps
//! it is said to take. Nothing is asked of how they were found.

use graph::{OUTSIDE, Trace, Transitions};

use crate::recheck::Recheck;

/// What is claimed of the steps of variations.
#[derive(Clone, Copy)]
pub enum Claim<'a> {
    /// Every failing one takes all kinds of steps from 0 to below this number, told by label, and no passing one
    /// takes any.
    Separates(u32, &'a dyn Fn(u32) -> Option<u32>),
    /// Nothing: only that they are what they are called.
    Ends,
}

impl std::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Separates(..) => "Separates",
            Self::Ends => "Ends",
        })
    }
}

/// Walks failing and passing variations again.
pub fn walk_again<T: Transitions>(
    system: &T,
    failing: &[Trace],
    passing: &[Trace],
    claim: Claim<'_>,
) -> Recheck {
    let holds_for = |trace: &Trace, fails: bool| {
        if !is_trace(system, trace) || has_failed(system, trace) != fails {
            return false;
        }
        let Claim::Separates(kinds, kind) = claim else { return true };
        let taken = |wanted: u32| trace.steps.iter().any(|step| kind(step.label) == Some(wanted));
        if fails { (0..kinds).all(taken) } else { !(0..kinds).any(taken) }
    };
    let holds = failing.iter().all(|trace| holds_for(trace, true))
        && passing.iter().all(|trace| holds_for(trace, false));
    if holds { Recheck::Confirmed } else { Recheck::Refuted }
}

fn is_trace<T: Transitions>(system: &T, trace: &Trace) -> bool {
    let is_step = |(from, step): (u32, &graph::Edge)| {
        let mut found = false;
        if from != OUTSIDE && !system.is_violating(from) {
            system.successors(from, |label, target| found |= label == step.label && target == step.state);
        }
        found
    };
    system.initial().contains(&trace.start) && trace.states().zip(&trace.steps).all(is_step)
}

fn has_failed<T: Transitions>(system: &T, trace: &Trace) -> bool {
    let last = trace.last();
    last != OUTSIDE && system.is_violating(last) && system.is_target(last)
}
