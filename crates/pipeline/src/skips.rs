//! Methods that did not run, and why.

use findings::{Explanation, Outcome, Skip};

use crate::request::Request;

/// Nothing, and why.
pub fn skipped<M>(why: Skip) -> Option<Outcome<M>> {
    Some(Outcome::Skipped(why))
}

/// Says of every method why it was not run.
pub(crate) fn skip_methods(explanation: &mut Explanation, request: &Request, why: &Skip) {
    let reason = |asked: bool| if asked { why.clone() } else { Skip::NotAsked };
    explanation.methods.neighbourhoods = skipped(reason(request.neighbourhoods));
    explanation.methods.anomalies = skipped(reason(request.anomalies.is_some()));
    explanation.methods.correct_transitions = skipped(reason(request.correct_transitions.is_some()));
    explanation.methods.variations = skipped(reason(request.variations.is_some()));
    explanation.methods.diagnosis = skipped(reason(request.diagnosis.is_some()));
}
