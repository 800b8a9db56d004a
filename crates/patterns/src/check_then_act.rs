//! Check-then-act: a condition was true when a process tested it, another process made it false, and the first one acts
//! on it all the same (Lu et al. 2008: an atomicity violation, read - write - use).
//!
//! It applies where the test does nothing but read, the variable holds another value when the process acts than when
//! it tested, and the process has not looked again. The act is the first step after the test that others can notice.
//! It is refuted if a violation is left when nobody acts on a condition that a foreign write came after.

use findings::BugPattern;

use crate::scene::Scene;
use crate::windows::{FoundWindow, Inside, windows};

pub(crate) fn candidates(scene: &Scene) -> Vec<FoundWindow> {
    windows(scene, |step| step.is_guard, acts)
}

pub(crate) fn told(scene: &Scene, found: &FoundWindow) -> BugPattern {
    BugPattern::CheckThenAct(found.cast(scene))
}

fn acts(scene: &Scene, variable: &str, look: usize, at: usize) -> Inside {
    match (is_noticed(scene, at), scene.value_before(look, variable) == scene.value_before(at, variable)) {
        (false, _) => Inside::GoesOn,
        (true, true) => Inside::Ends,
        (true, false) => Inside::Relies,
    }
}

/// Whether others can notice a step: it changes what others touch, or uses a channel.
pub(crate) fn is_noticed(scene: &Scene, at: usize) -> bool {
    let step = &scene.steps[at];
    let is_touched = |name: &String| {
        let others = scene.steps.iter().filter(|other| !other.is_by(step.actor()));
        others.clone().any(|other| other.reads(name) || other.writes(name))
    };
    step.footprint.writes.iter().any(is_touched) || step.channels().next().is_some()
}
