//! A pointer that is null, or points to what is no longer there; memory that is freed twice.
//!
//! It applies to these faults. The pointer is told where the failing step reads just one that is null or dangling, with
//! the step that made it so. Nothing is claimed of other traces, so there is nothing to refute.

use findings::{BugPattern, Written};
use graph::FaultKind;

use crate::division_by_zero::only;
use crate::scene::{Scene, SceneStep};

/// How often a dangling pointer is followed to where it was copied from.
const MOST_COPIES: usize = 8;

pub(crate) fn candidate(scene: &Scene) -> Option<BugPattern> {
    let at = scene.steps.last()?;
    let shown = match scene.end.fault? {
        FaultKind::NullPointer => "null",
        FaultKind::Dangling | FaultKind::DoubleFree => "dangling",
        _ => return None,
    };
    let pointer = only(scene, at, |value| value.eq_ignore_ascii_case(shown));
    let is_dangling = shown == "dangling";
    let pointer = pointer.or_else(|| named_in(scene, at).filter(|_| is_dangling));
    let freed = pointer.as_ref().filter(|_| is_dangling).and_then(|pointer| freed(scene, pointer));
    Some(BugPattern::NullOrDangling {
        pointer,
        freed: freed.map(SceneStep::moment),
        at: at.moment(),
        is_freed_again: scene.end.fault == Some(FaultKind::DoubleFree),
    })
}

/// The only variable of the trace that became dangling and still is, if the failing statement names it: the statement may
/// read what it points to and not the pointer itself.
fn named_in(scene: &Scene, at: &SceneStep) -> Option<Written> {
    let became = scene.steps.iter().flat_map(|step| step.changes.iter().map(move |change| (step, change)));
    let mut became = became.filter(|(_, (_, change))| change.new.as_deref() == Some("dangling"));
    let (step, (variable, _)) = became.next()?;
    let own = variable.rsplit('.').next()?;
    let mut words = at.told.deed.action.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_told = became.next().is_none() && words.any(|word| word == own);
    let value = scene.end.values.get(variable).filter(|value| *value == "dangling")?;
    is_told.then(|| Written { variable: variable.clone(), value: value.clone(), by: Some(step.moment()) })
}

/// The step that frees what the pointer points to: the one after which it is dangling, unless that copies a pointer that
/// was dangling before.
fn freed<'s>(scene: &'s Scene, pointer: &Written) -> Option<&'s SceneStep> {
    let mut variable = pointer.variable.as_str();
    for _ in 0..MOST_COPIES {
        let (at, step) = scene.steps.iter().enumerate().rfind(|(_, step)| {
            let change = step.changes.get(variable);
            change.is_some_and(|change| change.new.as_deref() == Some(pointer.value.as_str()))
        })?;
        let is_dangling = |read: &&String| scene.value_before(at, read) == Some(pointer.value.as_str());
        let action = &step.told.deed.action;
        let frees =
            action.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word.contains("free"));
        match step.footprint.reads.iter().find(is_dangling) {
            Some(copied) if !frees => variable = copied,
            _ => return frees.then_some(step),
        }
    }
    None
}
