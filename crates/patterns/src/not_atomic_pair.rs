//! A pair that is not atomic: two variables belong together, one process writes them one after the other, and another one
//! reads both in between (Lu et al. 2008: a multi-variable atomicity violation).
//!
//! It applies where the failing step reads both, the last write of the first is of another process, and the very next step
//! of that process writes the second, wherever it has written the first. It is refuted if a violation is left when nobody reads
//! the two while they do not fit.

use findings::{BugPattern, ViolationKind};

use crate::following::Following;
use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::Scene;

/// A match: the two variables, and the places of the steps.
pub(crate) struct Pair {
    pub(crate) first: String,
    pub(crate) second: String,
    pub(crate) written: usize,
    pub(crate) read: usize,
}

pub(crate) fn candidates(scene: &Scene, facts: &Facts, following: &Following) -> Vec<Pair> {
    let mut found = Vec::new();
    let Some(read) = scene.steps.len().checked_sub(1) else { return found };
    if scene.end.kind != ViolationKind::Assertion {
        return found;
    }
    let reader = &scene.steps[read];
    for first in &reader.footprint.reads {
        let written = scene.steps[..read].iter().rposition(|step| step.alters(first));
        let Some(written) = written.filter(|at| !scene.steps[*at].is_by(reader.actor())) else { continue };
        let writer = scene.steps[written].actor();
        for second in reader.footprint.reads.iter().filter(|second| *second != first) {
            let since = scene.steps[written..read].iter().any(|step| step.writes(second));
            if !since && following.writes(facts, &scene.steps[written], writer, second) {
                found.push(Pair { first: first.clone(), second: second.clone(), written, read });
            }
        }
    }
    found
}

pub(crate) fn told(scene: &Scene, found: &Pair) -> BugPattern {
    BugPattern::NotAtomicPair {
        first: found.first.clone(),
        second: found.second.clone(),
        written: scene.steps[found.written].moment(),
        read: scene.steps[found.read].moment(),
    }
}

/// Remembers whether the first was written since the second was.
pub(crate) struct PairMonitor {
    pub(crate) second: u8,
    pub(crate) written: u32,
    pub(crate) read: u32,
}

impl Monitor for PairMonitor {
    /// The memory is one more than the number of the process that wrote the first.
    fn step(&self, memory: u64, act: &Act) -> Next {
        if act.statement == self.read && memory != 0 && memory != u64::from(act.actor) + 1 {
            return Next::Complete;
        }
        if act.statement == self.written {
            return Next::To(u64::from(act.actor) + 1);
        }
        if act.writes.contains(&self.second) {
            return Next::To(0);
        }
        Next::To(memory)
    }
}
