//! Check-then-act: a condition was true when a process tested it, another process made it false, and the first one acts
//! on it all the same (Lu et al. 2008: an atomicity violation, read - write - use).
//!
//! It applies where the test does nothing but read, or tests a copy that the process took before, the variable holds another
//! value when the process acts than when it looked, and the process has not looked again. Where a condition can be evaluated
//! in any state, it has to be false when the process acts. The act is the first step after
//! the test that others can notice; taking and giving back locks is none.
//! It is refuted if a violation is left when nobody acts on a condition that a foreign write came after.

use findings::BugPattern;
use graph::Synchronisation;

use crate::flow::test_of;
use crate::scene::{Scene, SceneStep};
use crate::windows::{FoundWindow, Inside, windows};

pub(crate) fn candidates(scene: &Scene) -> Vec<FoundWindow> {
    windows(scene, |step| step.is_guard || copies(step), acts)
}

/// Whether a step may take a copy of what it reads, to test it later.
fn copies(step: &SceneStep) -> bool {
    !step.footprint.writes.is_empty() && step.channels().next().is_none()
}

pub(crate) fn told(scene: &Scene, found: &FoundWindow) -> BugPattern {
    BugPattern::CheckThenAct(found.cast(scene))
}

fn acts(scene: &Scene, variable: &str, look: usize, at: usize) -> Inside {
    if !is_noticed(scene, at) {
        return Inside::GoesOn;
    }
    let is_changed = scene.value_before(look, variable) != scene.value_before(at, variable);
    // What was tested as a copy says nothing of the variable.
    let is_broken =
        test_of(scene, look, at).is_some_and(|test| test != look || !scene.is_still_true(test, at));
    if is_changed && is_broken { Inside::Relies } else { Inside::Ends }
}

/// Whether others can notice a step: it changes what others touch, or uses a channel.
pub(crate) fn is_noticed(scene: &Scene, at: usize) -> bool {
    let step = &scene.steps[at];
    let is_lock =
        |one: &Synchronisation| matches!(one, Synchronisation::Acquire(_) | Synchronisation::Release(_));
    if !step.synchronisation.is_empty() && step.synchronisation.iter().all(is_lock) {
        return false;
    }
    let is_touched = |name: &String| {
        let others = scene.steps.iter().filter(|other| !other.is_by(step.actor()));
        others.clone().any(|other| other.reads(name) || other.writes(name))
    };
    step.footprint.writes.iter().any(is_touched) || step.channels().next().is_some()
}
