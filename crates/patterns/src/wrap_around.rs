//! Wrap-around: a sum, difference or product does not fit its type.
//!
//! It applies to the fault of signed overflow. Nothing is claimed of other traces, so there is nothing to refute.

use findings::BugPattern;
use graph::FaultKind;

use crate::scene::Scene;

pub(crate) fn candidate(scene: &Scene) -> Option<BugPattern> {
    let at = scene.steps.last().filter(|_| scene.end.fault == Some(FaultKind::SignedOverflow))?;
    Some(BugPattern::WrapAround { at: at.moment() })
}
