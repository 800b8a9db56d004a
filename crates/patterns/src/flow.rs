//! Where a value goes that a process has read: through its own variables, and through what its calls hand back.

use std::collections::BTreeSet;

use crate::scene::Scene;

/// The variables that hold, before the step at `until`, something that was made of what the step at `look` read.
pub(crate) fn made(scene: &Scene, look: usize, until: usize) -> BTreeSet<&str> {
    let first = &scene.steps[look];
    let mut made: BTreeSet<&str> = first.footprint.writes.iter().map(String::as_str).collect();
    for step in scene.steps[look + 1..until].iter().filter(|step| step.is_by(first.actor())) {
        let derives = step.footprint.reads.iter().any(|read| made.contains(read.as_str()));
        for write in &step.footprint.writes {
            if derives {
                made.insert(write);
            } else {
                made.remove(write.as_str());
            }
        }
    }
    made
}

/// The step before `until` that tests what the step at `look` read: that step itself, or a later one of the same process
/// that tests something made of it.
pub(crate) fn test_of(scene: &Scene, look: usize, until: usize) -> Option<usize> {
    if scene.steps[look].tests() {
        return Some(look);
    }
    let actor = scene.steps[look].actor();
    // The first part of a condition is read in a step of its own.
    let place = &scene.steps[look].told.deed.location;
    let next = (look + 1..until).find(|at| scene.steps[*at].is_by(actor));
    let goes_on = |at: &usize| scene.steps[*at].told.deed.location == *place && scene.steps[*at].tests();
    if let Some(next) = next.filter(|at| scene.steps[look].is_guard && place.is_some() && goes_on(at)) {
        return Some(next);
    }
    (look + 1..until).rev().filter(|at| scene.steps[*at].is_by(actor) && scene.steps[*at].tests()).find(
        |at| {
            let made = made(scene, look, *at);
            scene.steps[*at].footprint.reads.iter().any(|read| made.contains(read.as_str()))
        },
    )
}
