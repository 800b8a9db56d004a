//! Methods that did not run, and why.

use findings::{Explanation, Method, Outcome, Skip};

use crate::request::Request;

/// Nothing, and why.
pub fn skipped<M>(why: Skip) -> Option<Outcome<M>> {
    Some(Outcome::Skipped(why))
}

/// Says of every method why it was not run.
pub(crate) fn skip_methods(explanation: &mut Explanation, request: &Request, why: &Skip) {
    let reason = |method: Method| if request.runs(method) { why.clone() } else { Skip::NotAsked };
    explanation.methods.neighbourhoods = skipped(reason(Method::Neighbourhoods));
    explanation.methods.anomalies = skipped(reason(Method::Anomalies));
    explanation.methods.correct_transitions = skipped(reason(Method::CorrectTransitions));
    explanation.methods.variations = skipped(reason(Method::Variations));
    explanation.methods.diagnosis = skipped(reason(Method::Diagnosis));
}
