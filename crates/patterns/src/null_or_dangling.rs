//! A pointer that is null, or points to what is no longer there; memory that is freed twice.
//!
//! It applies to these faults. The pointer is told where the failing step reads just one that is null or dangling, with
//! the step that made it so. Nothing is claimed of other traces, so there is nothing to refute.

use findings::{BugPattern, Written};
use graph::FaultKind;

use crate::division_by_zero::only;
use crate::scene::{Scene, SceneStep};

pub(crate) fn candidate(scene: &Scene) -> Option<BugPattern> {
    let at = scene.steps.last()?;
    let shown = match scene.end.fault? {
        FaultKind::NullPointer => "null",
        FaultKind::Dangling | FaultKind::DoubleFree => "dangling",
        _ => return None,
    };
    let pointer = only(scene, at, |value| value.eq_ignore_ascii_case(shown));
    let freed = pointer.as_ref().filter(|_| shown == "dangling").and_then(|pointer| freed(scene, pointer));
    Some(BugPattern::NullOrDangling { pointer, freed: freed.map(SceneStep::moment), at: at.moment() })
}

/// The step after which the pointer is dangling.
fn freed<'s>(scene: &'s Scene, pointer: &Written) -> Option<&'s SceneStep> {
    scene.steps.iter().rfind(|step| {
        let change = step.changes.get(&pointer.variable);
        change.is_some_and(|change| change.new.as_deref() == Some(pointer.value.as_str()))
    })
}
