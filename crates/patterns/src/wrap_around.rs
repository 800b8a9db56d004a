//! Wrap-around: a sum, difference or product does not fit its type.
//!
//! It applies to the fault of signed overflow, of which nothing more is claimed. Where the language goes on with what is
//! left (unsigned numbers in C), it applies if what is left goes into a later condition or into the check that fails. With
//! a graph it is refuted if a violation is left when that statement never wraps around, or if nothing passes then.
//!
//! The same is asked of values that are stored in a type that is too narrow: a lossy conversion.

use std::collections::BTreeSet;

use findings::BugPattern;
use graph::{FaultKind, Loss, is_computed};

use crate::lens::Act;
use crate::recheck::{Monitor, Next};
use crate::scene::Scene;

pub(crate) fn candidate(scene: &Scene) -> Option<BugPattern> {
    let at = scene.steps.last().filter(|_| scene.end.fault == Some(FaultKind::SignedOverflow))?;
    Some(BugPattern::WrapAround { at: at.moment(), is_used: false, into: None })
}

/// Steps whose result does not fit and is used, the last one of each statement, from the end.
pub(crate) fn used_losses(scene: &Scene) -> Vec<(BugPattern, usize)> {
    let mut found: Vec<(BugPattern, usize)> = Vec::new();
    for (at, step) in scene.steps.iter().enumerate().rev() {
        let is_known = found.iter().any(|(_, known)| scene.steps[*known].told.deed == step.told.deed);
        let Some(loss) = step.losses.first().filter(|_| !is_known) else { continue };
        let Some(into) = step.footprint.writes.first().filter(|_| is_used(scene, at)) else { continue };
        let into = (!is_computed(into)).then(|| into.clone());
        let pattern = match loss {
            Loss::WrapAround => BugPattern::WrapAround { at: step.moment(), is_used: true, into },
            Loss::Conversion => BugPattern::LossyConversion { at: step.moment(), into },
        };
        found.push((pattern, at));
    }
    found
}

/// Whether what a step writes goes into a later condition, or into the check that fails.
pub(crate) fn is_used(scene: &Scene, from: usize) -> bool {
    let made = |at: usize| {
        let footprint = &scene.steps[at].footprint;
        footprint.writes.iter().chain(&footprint.begins).map(String::as_str)
    };
    let mut marked: BTreeSet<&str> = made(from).collect();
    for (at, step) in scene.steps.iter().enumerate().skip(from + 1) {
        let reads = step.footprint.reads.iter().any(|name| marked.contains(name.as_str()));
        let is_check = step.is_guard || at + 1 == scene.steps.len();
        if reads && is_check {
            return true;
        }
        for name in made(at) {
            if reads {
                marked.insert(name);
            } else {
                marked.remove(name);
            }
        }
    }
    false
}

/// Blocks a statement where its result does not fit.
pub(crate) struct LossMonitor {
    pub(crate) statement: u32,
}

impl Monitor for LossMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        if act.statement == self.statement && act.loses { Next::Complete } else { Next::To(memory) }
    }
}
