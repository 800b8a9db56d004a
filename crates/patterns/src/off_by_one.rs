//! Off by one: a comparison by size counts equality the wrong way, so that one case too many gets through, or one too few.
//!
//! It applies where equality decides a branch of the counterexample. It is refuted if a violation is left when that
//! branch is not taken on equality, or if nothing passes then: every loop ends on equality. That much is true of other
//! bounds as well, so the name is given only if a change of that very comparison was verified (see
//! [`crate::slips`]).

use findings::BugPattern;

use crate::lens::Act;
use crate::recheck::{Monitor, Next};
use crate::scene::Scene;

/// The steps that equality decides, the last one of each statement, from the end.
pub(crate) fn candidates(scene: &Scene) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for (at, step) in scene.steps.iter().enumerate().rev() {
        let is_known = found.iter().any(|known| scene.steps[*known].told.deed == step.told.deed);
        // A condition on what has just come from outside says which inputs there are.
        let is_given = |name: &String| {
            scene.last_write(at, name).is_some_and(|by| by.told.deed.action.contains(" gave "))
        };
        let asks_input = step.footprint.reads.iter().any(is_given);
        if step.at_bound.is_some() && !is_known && !asks_input {
            found.push(at);
        }
    }
    found
}

pub(crate) fn told(scene: &Scene, at: usize) -> BugPattern {
    BugPattern::OffByOne { at: scene.steps[at].moment(), change: None }
}

/// Blocks a statement where equality decides it.
pub(crate) struct BoundMonitor {
    pub(crate) statement: u32,
}

impl Monitor for BoundMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        if act.statement == self.statement && act.at_bound { Next::Complete } else { Next::To(memory) }
    }
}
