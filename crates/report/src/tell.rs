//! Words: from an explanation, which is data, to a report, which people read.
//!
//! This is the only place where sentences are made. Each file has the words of one sort of thing; a sentence takes what
//! it says from one claim and nothing else.

mod changes;
mod claims;
mod conditions;
mod counterexamples;
mod methods;
mod patterns;
mod reasons;
mod rechecks;
mod repairs;
mod skips;
mod tests;
mod unwound;

use findings::Explanation;

pub use self::changes::change;
pub use self::reasons::{limit, trace_end, what};
pub use self::tests::tests;
use crate::{Cause, CheckedProperty, Evidence, OtherFailure, Report, Violation};

/// The version of the tool that reports name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Puts an explanation into words.
pub fn tell(explanation: &Explanation) -> Report {
    let Explanation { input, property, statistics, .. } = explanation;
    Report {
        schema: Report::SCHEMA,
        version: VERSION,
        input: input.clone(),
        property: property.clone(),
        properties: properties(explanation),
        engine: explanation.engine,
        bound: explanation.bound,
        verdict: explanation.verdict,
        reason: reasons::reason(&explanation.reason),
        passing_definition: reasons::passing(explanation.passing),
        statistics: statistics.clone(),
        violations: explanation.violations.iter().map(violation).collect(),
        explained: explanation.explained,
        fates: explanation.fates,
        counterexample: explanation.counterexample.as_ref().map(counterexamples::counterexample),
        evaluation: explanation.evaluation.as_ref().map(counterexamples::evaluation),
        doom: explanation.doom.clone(),
        doom_soon: explanation.doom_soon.clone(),
        causes: causes(&explanation.causes, explanation.counterexample.as_ref()),
        without: explanation.without.clone(),
        others: explanation.others.iter().map(other).collect(),
        only_unfair: explanation.only_unfair,
        repairs: explanation.repairs.iter().map(repairs::found).collect(),
        repairs_tried: explanation.repair_search.as_ref().map(|search| search.tried),
        repairs_checked: explanation
            .repair_search
            .as_ref()
            .map_or_else(Vec::new, |search| search.properties.clone()),
        repairs_thorough: explanation.repair_search.as_ref().is_some_and(|search| search.is_thorough),
        repairs_cut_short: explanation.repair_search.as_ref().is_some_and(|search| search.cut_short),
        methods: methods::methods(&explanation.methods),
        unreached: explanation.unreached.clone(),
        since: None,
        surroundings: explanation.surroundings.clone(),
        tests: explanation.tests.clone(),
    }
}

/// The properties with their verdicts; where there is one, its verdict is that of the report.
fn properties(explanation: &Explanation) -> Vec<CheckedProperty> {
    let told = explanation.properties.iter().map(|checked| CheckedProperty {
        kind: checked.property.kind,
        text: checked.property.text.clone(),
        ask: checked.ask.clone(),
        verdict: checked.verdict,
        reason: reasons::reason(&checked.reason),
        violations: checked.violations.clone(),
    });
    let told: Vec<CheckedProperty> = told.collect();
    if !told.is_empty() {
        return told;
    }
    vec![CheckedProperty {
        kind: explanation.property.kind,
        text: explanation.property.text.clone(),
        ask: None,
        verdict: explanation.verdict,
        reason: reasons::reason(&explanation.reason),
        violations: explanation.violations.iter().map(|violation| violation.id).collect(),
    }]
}

/// A violation as a report lists it.
pub fn violation(violation: &findings::Violation) -> Violation {
    Violation {
        id: violation.id,
        kind: violation.kind,
        text: what(&violation.what),
        location: violation.location.clone(),
        count: violation.count,
        shortest: violation.shortest,
    }
}

/// A counterexample as a report shows it.
pub fn counterexample(found: &findings::Counterexample) -> crate::Counterexample {
    counterexamples::counterexample(found)
}

fn causes(ranked: &[findings::Cause], trace: Option<&findings::Counterexample>) -> Vec<Cause> {
    let everybody = trace.map(everybody).unwrap_or_default();
    ranked.iter().zip(1..).map(|(cause, rank)| told_cause(cause, rank, &everybody)).collect()
}

/// The processes that move in a trace.
fn everybody(trace: &findings::Counterexample) -> Vec<findings::Role> {
    let role = |step: &findings::Step| Some(findings::Role { name: step.process.clone()?, pid: step.pid? });
    let mut all: Vec<findings::Role> = trace.steps.iter().filter_map(role).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn told_cause(cause: &findings::Cause, rank: u64, everybody: &[findings::Role]) -> Cause {
    let main = &cause.main;
    Cause {
        rank,
        score: cause.score,
        kind: main.claim.kind(),
        pattern: match &main.claim {
            findings::Claim::Pattern(found) => Some(found.pattern.name()),
            _ => None,
        },
        summary: claims::summary(&main.claim, cause.exactly_when.as_ref(), everybody),
        claim: claims::claim(&main.claim),
        says: Some(main.claim.clone()),
        locations: cause.locations.clone(),
        steps: main.steps.clone(),
        methods: cause.methods.clone(),
        group: cause.group,
        recheck: rechecks::told(main.recheck.as_ref()),
        repair: cause.repair.as_ref().map(repairs::repair),
        evidence: cause.evidence.iter().map(evidence).collect(),
    }
}

fn evidence(finding: &findings::Finding) -> Evidence {
    Evidence {
        method: finding.claim.method(),
        claim: claims::claim(&finding.claim),
        says: Some(finding.claim.clone()),
        steps: finding.steps.clone(),
        recheck: finding.recheck.as_ref().map(rechecks::recheck),
    }
}

fn other(other: &findings::OtherFailure) -> OtherFailure {
    let how = if other.same_cause {
        "without the points of no return of either violation the other one does not occur, and traces still pass"
    } else {
        "without the points of no return of one of the two violations the other one still occurs, or nothing passes"
    };
    OtherFailure {
        violation: other.violation,
        same_cause: other.same_cause,
        how: how.to_owned(),
        causes: causes(&other.causes, other.counterexample.as_ref()),
        counterexample: other.counterexample.as_ref().map(counterexamples::counterexample),
    }
}
