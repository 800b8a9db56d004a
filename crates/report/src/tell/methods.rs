//! What each method found.

use std::collections::BTreeMap;

use findings::{LinkWhy, Method, NoOrderCore, NoPatterns, Untouched};

use super::changes::small_change;
use super::claims::{made, right_made};
use super::conditions::{link_reason, rules};
use super::skips::skip;
use super::{repairs, what};
use crate::{
    Anomalies, AnomalyLink, CorrectTransitions, Diagnosis, ErrorTrace, FatalWhen, Methods, Neighbourhoods,
    Outcome, PointOfNoReturn, Query, RightValue, Suspicion,
};

pub(super) fn methods(found: &findings::Methods) -> Methods {
    Methods {
        neighbourhoods: found.neighbourhoods.as_ref().map(|one| outcome(one, neighbourhoods)),
        anomalies: found.anomalies.as_ref().map(|one| outcome(one, anomalies)),
        correct_transitions: found.correct_transitions.as_ref().map(|one| outcome(one, correct_transitions)),
        variations: found.variations.as_ref().map(|one| outcome(one, Clone::clone)),
        diagnosis: found.diagnosis.as_ref().map(|one| outcome(one, diagnosis)),
        more: more(&found.more),
    }
}

/// What methods found that have no words here, as they put it themselves.
fn more(
    found: &BTreeMap<Method, Option<findings::Outcome<serde_json::Value>>>,
) -> BTreeMap<String, Outcome<serde_json::Value>> {
    let told = found
        .iter()
        .filter_map(|(method, found)| Some((method.member(), outcome(found.as_ref()?, Clone::clone))));
    told.collect()
}

fn outcome<F, T>(outcome: &findings::Outcome<F>, tell: impl Fn(&F) -> T) -> Outcome<T> {
    match outcome {
        findings::Outcome::Skipped(why) => Outcome::Skipped { skipped: skip(why) },
        findings::Outcome::Found(found) => Outcome::Found(Box::new(tell(found))),
    }
}

fn neighbourhoods(found: &findings::Neighbourhoods) -> Neighbourhoods {
    Neighbourhoods {
        seconds: found.seconds,
        exactness: found.exactness,
        full_lts: found.full_lts,
        counterexample_lts: found.counterexample_lts,
        edges: found.edges.clone(),
        neighbourhoods: found.neighbourhoods.clone(),
        listed: found.listed,
        count: found.count,
        kinds: found.kinds.clone(),
        touched: found.touched,
        counterexample_length: found.counterexample_length,
        abstracted_length: found.abstracted_length,
        abstracted: found.abstracted.clone(),
        untouched: found.untouched.as_ref().map(untouched),
    }
}

fn untouched(why: &Untouched) -> String {
    match why {
        Untouched::DoomedFromTheStart => "no trace passes, so every step leads to failure".to_owned(),
        Untouched::PartedAtTheStart => {
            "no passing trace shares a prefix with it: passing traces begin with another step, after which failing is \
             still possible"
                .to_owned()
        }
        Untouched::PartedEarlier { step, event } => format!(
            "passing traces leave it at step {step} (`{event}`) at the latest, but by steps after which failing is \
             still possible, so no state on it has a correct transition"
        ),
        Untouched::OnlyByCircling => {
            "along it the only way to pass is to repeat a cycle forever, so no state on it has a correct transition"
                .to_owned()
        }
        Untouched::NotExplored => {
            "too little was explored to tell where passing traces leave it".to_owned()
        }
    }
}

fn anomalies(found: &findings::Anomalies) -> Anomalies {
    Anomalies {
        seconds: found.seconds,
        exactness: found.exactness,
        order: found.order,
        length: found.length,
        good: found.good.clone(),
        bad: found.bad.clone(),
        count: found.count,
        decisive: found.decisive,
        anomalies: found.anomalies.clone(),
        counterexamples: found.counterexamples.clone(),
        groups: found.groups.clone(),
        last_steps: found.last_steps,
        explanatory_sequence: found.explanatory_sequence.clone(),
        links: found
            .links
            .iter()
            .map(|link| AnomalyLink {
                from: link.reason.since,
                to: link.to,
                reason: link_reason(&link.reason),
                is_stale: matches!(link.reason.why, LinkWhy::Stale { .. }),
            })
            .collect(),
        deferred: found.deferred.clone(),
        order_core: found.order_core.clone(),
        no_order_core: found.no_order_core.map(no_order_core),
        patterns: found.patterns.clone(),
        no_patterns: found.no_patterns.map(no_patterns),
        points_of_no_return: found.points_of_no_return.iter().map(point_of_no_return).collect(),
    }
}

fn no_order_core(why: NoOrderCore) -> String {
    match why {
        NoOrderCore::NothingPasses => "no trace from the initial state passes",
        NoOrderCore::InPassingTraces => {
            "passing traces can have all of these events in the same order, with others in between"
        }
        NoOrderCore::TooLarge => "the limit of work was reached first",
    }
    .to_owned()
}

fn no_patterns(why: NoPatterns) -> String {
    match why {
        NoPatterns::NotSampled => "patterns are looked for in samples of traces: --mode sampled",
        NoPatterns::Limit => "the limit of work was reached before all were found",
    }
    .to_owned()
}

fn point_of_no_return(point: &findings::PointOfNoReturn) -> PointOfNoReturn {
    PointOfNoReturn {
        event: point.event.clone(),
        events: point.events.clone(),
        crosses: point.crosses,
        harmless: point.harmless,
        fatal_when: point.fatal_when.as_ref().map(|when| FatalWhen {
            any_of: rules(&when.condition),
            is_exact: when.is_exact,
            fatal: when.fatal,
            fatal_covered: when.fatal_covered,
            harmless: when.harmless,
            harmless_covered: when.harmless_covered,
            recheck: when.recheck,
            still_violating: when.still_violating,
        }),
    }
}

fn correct_transitions(found: &findings::CorrectTransitions) -> CorrectTransitions {
    CorrectTransitions {
        seconds: found.seconds,
        exactness: found.exactness,
        traces: found.traces.iter().map(error_trace).collect(),
        trusted: found.trusted,
        covered: found.covered,
    }
}

fn error_trace(trace: &findings::ErrorTrace) -> ErrorTrace {
    ErrorTrace {
        query: Query { location: trace.query.location.clone(), check: what(&trace.query.check) },
        events: trace.events.clone(),
        lines: trace.lines.clone(),
        length: trace.length,
        kind: trace.kind,
        causes: trace.causes.clone(),
        causes_by_transition: trace.causes_by_transition.clone(),
        point_of_interest: trace.point_of_interest.clone(),
        step: trace.step,
        together: trace.together,
        values: trace.values.clone(),
        correct_trace: trace.correct_trace.clone(),
        common: trace.common,
        lacks: trace.lacks.clone(),
        suggestion: trace.suggestion.clone(),
        halted: trace.halted.clone(),
    }
}

fn diagnosis(found: &findings::Diagnosis) -> Diagnosis {
    Diagnosis {
        seconds: found.seconds,
        exactness: found.exactness,
        constraints: found.constraints.clone(),
        inputs: found.inputs,
        suspects: found.suspects,
        statements: found.statements,
        diagnoses: found.diagnoses.iter().map(suspicion).collect(),
        conflicts: found.conflicts.clone(),
        absence_of_function: found.absence_of_function.clone(),
        runs: found.runs,
        tried_on: found.tried_on,
        across: found.across.clone(),
    }
}

fn suspicion(one: &findings::Suspicion) -> Suspicion {
    Suspicion {
        rank: one.rank,
        lines: one.lines.clone(),
        statements: one.statements.clone(),
        likely: one.likely,
        small_change: one.small_change.as_ref().map(small_change),
        transitive: one.transitive.clone(),
        redundant: one.redundant,
        values: one.values.iter().map(right_value).collect(),
        suggestion: one.suggestion.as_ref().map(right_made),
        change: one.change.clone(),
        explains: one.explains,
        scope: one.scope,
        repair: one.repair.as_ref().map(repairs::repair),
    }
}

fn right_value(value: &findings::RightValue) -> RightValue {
    RightValue {
        line: value.line,
        what: made(&value.what),
        failing: value.failing.clone(),
        right: value.right.clone(),
    }
}
