//! What the findings say about single places, and how much of it is about each.

use findings::{
    CauseKind, CauseKind as Kind, Claim, Engine, Explanation, Finding, FoundRepair, How, Location, Outcome,
    RecheckResult,
};

use super::place::BlamedPlace;

/// A finding, and the places it is about: how much of it is about each, 1 if all of it.
#[derive(Debug)]
pub(super) struct Remark {
    pub(super) finding: Finding,
    pub(super) places: Vec<(BlamedPlace, f64)>,
}

/// All findings that were not refuted, in the order in which equals are told.
pub(super) fn all(explanation: &Explanation) -> Vec<Remark> {
    let of_explained = || explanation.findings.iter().filter(|finding| is_of_explained(explanation, finding));
    let of_kind = |kind: CauseKind| {
        let findings = explanation.findings.iter();
        findings.filter(move |finding| finding.claim.kind() == kind).cloned()
    };
    // A change that belongs to a finding is one of its own.
    let own = of_explained().filter(|finding| stands_alone(finding));
    let mut findings: Vec<Finding> = own.map(|finding| Finding { repair: None, ..finding.clone() }).collect();
    findings.extend(of_kind(CauseKind::Crossing));
    findings.extend(of_kind(CauseKind::Needed));
    findings.extend(of_explained().filter_map(suggested));
    findings.extend(repairs(explanation));
    findings.extend(likely_places(explanation));
    findings.extend(of_kind(CauseKind::OnlyFailing));
    // What was refuted speaks for nothing.
    findings.retain(|finding| !finding.is_refuted());
    let belief = belief(explanation);
    let mut diagnoses = 0;
    findings
        .into_iter()
        .map(|finding| {
            let mut places = places(explanation, &finding);
            // Of several diagnoses the first is the likeliest.
            if finding.claim.kind() == CauseKind::Diagnosis {
                diagnoses += 1;
                let less = belief / f64::from(diagnoses).sqrt();
                places.iter_mut().for_each(|(_, share)| *share *= less);
            }
            with_callers(&finding.locations, &mut places);
            Remark { finding, places }
        })
        .collect()
}

/// Whether a finding is a cause by itself; others only speak for a place.
pub(super) fn stands_alone(finding: &Finding) -> bool {
    !matches!(
        finding.claim.kind(),
        Kind::Crossing | Kind::Needed | Kind::OnlyFailing | Kind::Insertion | Kind::Repair
    )
}

/// How much a diagnosis says where something is missing.
const MAY_BE_RIGHT: f64 = 0.4;

/// How far diagnoses are believed. Where something is missing, and what was added helps, the statements that are there
/// may all be right.
fn belief(explanation: &Explanation) -> f64 {
    let diagnosed = explanation.methods.diagnosis.as_ref().and_then(Outcome::found);
    let is_absent = diagnosed.is_some_and(|found| found.absence_of_function.is_some());
    let is_added = explanation.repairs.first().is_some_and(|first| first.adds);
    if is_absent && is_added { MAY_BE_RIGHT } else { 1.0 }
}

/// How much of what is said of an inline or a macro is about the place where it is called.
const CALLER: f64 = 0.9;

/// What is said of a place is also said of those from which it is called.
fn with_callers(locations: &[Location], places: &mut Vec<(BlamedPlace, f64)>) {
    for location in locations.iter().filter(|location| !location.calls.is_empty()) {
        let own = places.iter().find(|(place, _)| place.is_at(Some(location)));
        let Some(share) = own.map(|(_, share)| *share) else { continue };
        for call in &location.calls {
            let caller = BlamedPlace::of(Some(call), "");
            if places.iter().all(|(place, _)| *place != caller) {
                places.push((caller, share * CALLER));
            }
        }
    }
}

/// Whether a finding is about the violation that is explained: correct transitions tell of all of them. Call by call
/// that is all there is, and told together.
fn is_of_explained(explanation: &Explanation, finding: &Finding) -> bool {
    let found = explanation.methods.correct_transitions.as_ref().and_then(Outcome::found);
    if explanation.engine == Engine::Summary
        || !matches!(finding.claim.kind(), CauseKind::ErrorEdge | CauseKind::Values)
    {
        return true;
    }
    let trace = found.and_then(|found| found.traces.get(finding.group.checked_sub(1)? as usize));
    let (Some(trace), Some(violation)) = (trace, explanation.explained_violation()) else { return true };
    let line = |at: &Option<Location>| at.as_ref().map(|at| (at.file.clone(), at.line));
    line(&trace.query.location) == line(&violation.location)
}

/// How much it says of a statement that it decides, where all it does is to violate the property.
const VIOLATION_ITSELF: f64 = 0.5;

/// The places that a finding is about.
fn places(explanation: &Explanation, finding: &Finding) -> Vec<(BlamedPlace, f64)> {
    let locations = &finding.locations;
    match &finding.claim {
        Claim::Crossing(crossing) => {
            let share = (crossing.crosses as f64 / crossing.all.max(1) as f64).sqrt();
            let share = if crossing.is_violation { share * VIOLATION_ITSELF } else { share };
            each(locations, &crossing.event, share)
        }
        // The later a step, the closer to the violation.
        Claim::Needed { event, place, .. } => {
            each(locations, event, 0.4 + 0.6 * (place.at + 1) as f64 / place.of as f64)
        }
        Claim::OnlyFailing { step, among, .. } => {
            let share = 1.0 / (*among as f64).sqrt().max(1.0);
            vec![(BlamedPlace::of(locations.first(), &step.statement), share)]
        }
        Claim::Repair(found) | Claim::MayBeWrong(found) => {
            vec![(BlamedPlace::of(locations.first(), ""), found.likelihood)]
        }
        Claim::Suggested { .. } => vec![(BlamedPlace::of(locations.first(), ""), 1.0)],
        Claim::Pattern(_) => cast(locations),
        _ if locations.is_empty() => {
            // In a transition system events are all there is.
            let steps = explanation.counterexample.iter().flat_map(|counterexample| &counterexample.steps);
            let steps = steps.filter(|step| finding.steps.contains(&step.n) && step.location.is_none());
            shared(steps.map(|step| BlamedPlace::Event(step.event.clone())).collect())
        }
        _ => shared(locations.iter().map(|at| BlamedPlace::of(Some(at), "")).collect()),
    }
}

/// How much a pattern says about the places of its cast besides the one that is meant.
const ALSO_IN_THE_CAST: f64 = 0.3;

fn cast(locations: &[Location]) -> Vec<(BlamedPlace, f64)> {
    let mut places: Vec<(BlamedPlace, f64)> = Vec::new();
    for place in locations.iter().map(|at| BlamedPlace::of(Some(at), "")) {
        if places.iter().all(|(known, _)| *known != place) {
            places.push((place, if places.is_empty() { 1.0 } else { ALSO_IN_THE_CAST }));
        }
    }
    places
}

/// A finding about several places says less about each; the first is the one that is meant.
fn shared(places: Vec<BlamedPlace>) -> Vec<(BlamedPlace, f64)> {
    let mut different: Vec<BlamedPlace> = Vec::new();
    for place in places {
        if !different.contains(&place) {
            different.push(place);
        }
    }
    let count = different.len().max(1) as f64;
    let share = |at| if at == 0 { 1.0 / count.sqrt() } else { 1.0 / count };
    different.into_iter().enumerate().map(|(at, place)| (place, share(at))).collect()
}

/// What is said of an event is said of all its lines or, where there is no text, of itself.
fn each(lines: &[Location], event: &str, share: f64) -> Vec<(BlamedPlace, f64)> {
    if lines.is_empty() {
        return vec![(BlamedPlace::Event(event.to_owned()), share)];
    }
    let mut places: Vec<(BlamedPlace, f64)> =
        lines.iter().map(|at| (BlamedPlace::of(Some(at), event), share)).collect();
    places.dedup();
    places
}

/// What correct transitions suggest to change, where that was tried and helps: it speaks for the line it changes.
fn suggested(finding: &Finding) -> Option<Finding> {
    let repair = finding.repair.as_ref().filter(|repair| repair.verified && !finding.locations.is_empty())?;
    let claim = Claim::Suggested {
        line: repair.location.line,
        bound: repair.bound,
        is_missing: finding.claim.kind() == CauseKind::ErrorEdge,
    };
    let suggested = Finding::new(claim, vec![repair.location.clone()], Vec::new());
    let suggested = suggested.rechecked(How::CheckedFromScratch, RecheckResult::Confirmed);
    Some(Finding { repair: Some(repair.clone()), ..suggested })
}

/// How many places are suspected because a change there helps, and how likely they are at least.
const MOST_PLACES: usize = 3;
const LIKELY: f64 = 0.6;

/// Where a change leaves nothing wrong, and most of what passing traces do as it was. Where nothing passes, a change that
/// helps says little by itself.
fn likely_places(explanation: &Explanation) -> impl Iterator<Item = Finding> {
    let is_likely = |found: &&FoundRepair| {
        let is_good = found.repair.verified && found.repair.leaves.is_none();
        is_good
            && found.likelihood >= LIKELY
            && found.doubt().is_none()
            && (found.keeps_most() || found.is_shown)
    };
    let mut places: Vec<&FoundRepair> = Vec::new();
    for found in explanation.repairs.iter().filter(is_likely) {
        // What is forgotten is forgotten once, however many places there are for it.
        if places.len() < MOST_PLACES && !places.iter().any(|known| adds_the_same(known, found)) {
            places.push(found);
        }
    }
    places.into_iter().map(|found| {
        let claim = Claim::MayBeWrong(Box::new(found.clone()));
        let finding = Finding::new(claim, vec![found.repair.location.clone()], Vec::new());
        let finding = finding.rechecked(How::CheckedFromScratch, RecheckResult::Confirmed);
        Finding { repair: Some(found.repair.clone()), ..finding }
    })
}

/// Whether two changes add a statement that sets the same.
fn adds_the_same(one: &FoundRepair, other: &FoundRepair) -> bool {
    let target = |found: &FoundRepair| {
        let added = found.change.parts().into_iter().next()?.split('=').next()?.trim().to_owned();
        found.adds.then_some(added)
    };
    target(one).is_some_and(|own| target(other) == Some(own))
}

fn repairs(explanation: &Explanation) -> impl Iterator<Item = Finding> {
    explanation.repairs.iter().filter(|found| found.repair.verified).map(|found| {
        let claim = Claim::Repair(Box::new(found.clone()));
        let finding = Finding::new(claim, vec![found.repair.location.clone()], Vec::new());
        let finding = finding.rechecked(How::CheckedFromScratch, RecheckResult::Confirmed);
        Finding { repair: Some(found.repair.clone()), ..finding }
    })
}
