//! Uninitialised: what was never given a value is used.
//!
//! It applies to that fault: a channel that was declared and never made. Nothing is claimed of other traces, so there is
//! nothing to refute.

use findings::BugPattern;
use graph::FaultKind;

use crate::scene::Scene;

pub(crate) fn candidate(scene: &Scene) -> Option<BugPattern> {
    let at = scene.steps.last().filter(|_| scene.end.fault == Some(FaultKind::Uninitialised))?;
    Some(BugPattern::Uninitialised { at: at.moment() })
}
