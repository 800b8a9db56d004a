//! Division by zero: what is divided by is 0.
//!
//! It applies to that fault. The variable that the dividing statement reads and that holds 0 is told, with the step that
//! made it so, where there is just one such variable. Nothing is claimed of other traces, so there is nothing to refute.

use findings::{BugPattern, Written};
use graph::FaultKind;

use crate::scene::{Scene, SceneStep};

pub(crate) fn candidate(scene: &Scene) -> Option<BugPattern> {
    let at = scene.steps.last().filter(|_| scene.end.fault == Some(FaultKind::DivisionByZero))?;
    Some(BugPattern::DivisionByZero { divisor: only(scene, at, |value| value == "0"), at: at.moment() })
}

/// The only variable of a kind that the last step reads.
pub(crate) fn only(scene: &Scene, last: &SceneStep, is_such: impl Fn(&str) -> bool) -> Option<Written> {
    let value = |name: &String| scene.end.values.get(name).filter(|value| is_such(value));
    let mut such = last.footprint.reads.iter().filter_map(|name| Some((name, value(name)?)));
    let (name, value) = such.next()?;
    if such.next().is_some() {
        return None;
    }
    let by = scene.last_write(scene.steps.len() - 1, name).map(SceneStep::moment);
    Some(Written { variable: name.clone(), value: value.clone(), by })
}
