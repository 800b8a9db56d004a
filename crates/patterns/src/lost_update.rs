//! Lost update: a value is read, another process writes the variable, and the first one writes back what it made of the
//! value it read. What the other one wrote is lost (Lu et al. 2008: an atomicity violation, read - write - write).
//!
//! It applies where what is written derives from what was read: through variables of the process, or because both are
//! steps of one statement. It is refuted if a violation is left when nobody writes back after a foreign write.

use findings::BugPattern;

use crate::flow::made;
use crate::scene::Scene;
use crate::windows::{FoundWindow, Inside, windows};

pub(crate) fn candidates(scene: &Scene) -> Vec<FoundWindow> {
    windows(
        scene,
        |step| !step.is_guard,
        |scene, variable, look, at| match (
            scene.steps[at].writes(variable),
            writes_back(scene, variable, look, at),
        ) {
            (_, true) => Inside::Relies,
            (true, false) => Inside::Ends,
            (false, false) => Inside::GoesOn,
        },
    )
}

pub(crate) fn told(scene: &Scene, found: &FoundWindow) -> BugPattern {
    BugPattern::LostUpdate(found.cast(scene))
}

/// Whether the step at `at` writes what was made of what the one at `look` read.
fn writes_back(scene: &Scene, variable: &str, look: usize, at: usize) -> bool {
    let (first, last) = (&scene.steps[look], &scene.steps[at]);
    if !last.writes(variable) || first.writes(variable) {
        return false;
    }
    if first.told.deed.location == last.told.deed.location && first.told.deed.action == last.told.deed.action
    {
        return true;
    }
    let made = made(scene, look, at);
    last.footprint.reads.iter().any(|read| made.contains(read.as_str()))
}
