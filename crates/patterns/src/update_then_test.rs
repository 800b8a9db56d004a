//! Update then test: a process counts a shared variable up or down and tests it afterwards, to learn what its own update
//! made of it; another process updates the variable in between, and both draw the same conclusion. The usual instance is
//! a reference count that two readers take down before either of them asks whether it was the last one (Lu et al. 2008: an
//! atomicity violation, write - write - read).
//!
//! It applies where the update reads what it writes, and the other process updates the variable likewise. It is refuted
//! if a violation is left when nobody tests the variable after a foreign write that came behind the own one.

use findings::BugPattern;

use crate::scene::{Scene, SceneStep};
use crate::windows::{FoundWindow, Inside, windows};

pub(crate) fn candidates(scene: &Scene) -> Vec<FoundWindow> {
    let found = windows(
        scene,
        |step| !step.footprint.writes.is_empty(),
        |scene, variable, look, at| {
            let step = &scene.steps[at];
            match (updates(&scene.steps[look], variable), step.tests() && step.reads(variable)) {
                (true, true) => Inside::Relies,
                (true, false) if !step.writes(variable) => Inside::GoesOn,
                _ => Inside::Ends,
            }
        },
    );
    found.into_iter().filter(|found| updates(&scene.steps[found.foreign], &found.variable)).collect()
}

/// Whether a step gives a variable a value that it makes of the one it has.
fn updates(step: &SceneStep, variable: &str) -> bool {
    step.reads(variable) && step.alters(variable)
}

/// The steps that update a variable, and those that test it.
pub(crate) fn concerned(scene: &Scene, variable: &str) -> (Vec<usize>, Vec<usize>) {
    let all = 0..scene.steps.len();
    let updates = all.clone().filter(|at| updates(&scene.steps[*at], variable)).collect();
    let tests = all.filter(|at| scene.steps[*at].tests() && scene.steps[*at].reads(variable)).collect();
    (updates, tests)
}

pub(crate) fn told(scene: &Scene, found: &FoundWindow) -> BugPattern {
    let (updates, tests) = concerned(scene, &found.variable);
    let moments = |steps: Vec<usize>| steps.into_iter().map(|at| scene.steps[at].moment()).collect();
    BugPattern::UpdateThenTest { window: found.cast(scene), updates: moments(updates), tests: moments(tests) }
}
