//! The results of a log: a violation each, with what is known of its causes.

use std::collections::{BTreeMap, BTreeSet};

use super::artifacts::Artifacts;
use super::fingerprints::Fingerprints;
use super::flows::{Flows, actor};
use super::log::{
    self, ArtifactChange, CauseProperties, Fix, Location, Message, ResultProperties, SarifResult,
};
use super::message::message_text;
use super::patch;
use super::rules::Rules;
use crate::story::{first_or_any, further_claim, outcome};
use crate::{
    Cause, Counterexample, FoundRepair, OtherFailure, Recheck, RecheckResult, Repair, Report, Step, Verdict,
    Violation, ViolationKind,
};

/// How many related locations a result has at most; GitHub takes no more.
const MOST_RELATED: usize = 1_000;
/// How many repairs are offered.
const MOST_FIXES: usize = 3;

/// What a result is about: a violation, the trace to it, and what is known of its causes.
struct Failure<'a> {
    violation: Option<&'a Violation>,
    trace: Option<&'a Counterexample>,
    flows: Option<Flows<'a>>,
    causes: &'a [Cause],
    repairs: &'a [FoundRepair],
    /// Where the report is about another violation, what it says of this one.
    besides: Option<Besides<'a>>,
}

/// A violation besides the one that the report is about.
struct Besides<'a> {
    /// Whether the first cause is its cause as well, and how that was found out; nothing where nobody looked.
    other: Option<&'a OtherFailure>,
}

impl<'a> Failure<'a> {
    fn of_report(report: &'a Report) -> Self {
        let trace = report.counterexample.as_ref();
        Self {
            violation: report.explained_violation().or_else(|| report.violations.first()),
            trace,
            flows: trace.map(|trace| Flows::new(trace, &report.input.path)),
            causes: &report.causes,
            repairs: &report.repairs,
            besides: None,
        }
    }

    fn besides(report: &'a Report, violation: &'a Violation) -> Self {
        let other = report.others.iter().find(|other| other.violation == violation.id);
        let trace = other.and_then(|other| other.counterexample.as_ref());
        Self {
            violation: Some(violation),
            trace,
            flows: trace.map(|trace| Flows::new(trace, &report.input.path)),
            causes: other.map_or(&[], |other| &other.causes),
            repairs: &[],
            besides: Some(Besides { other }),
        }
    }
}

/// Writes the results, and gathers the rules and files they name.
pub(super) struct Teller<'a, 'f> {
    report: &'a Report,
    failure: Failure<'a>,
    pub(super) artifacts: Artifacts<'f>,
    pub(super) rules: Rules,
    fingerprints: Fingerprints,
}

impl<'a, 'f> Teller<'a, 'f> {
    pub(super) fn new(report: &'a Report, folder: Option<&'f str>) -> Self {
        Self {
            report,
            failure: Failure::of_report(report),
            artifacts: Artifacts::new(folder),
            rules: Rules::default(),
            fingerprints: Fingerprints::default(),
        }
    }

    pub(super) fn results(&mut self) -> Vec<SarifResult<'a>> {
        let report = self.report;
        if report.verdict != Verdict::Violated {
            return Vec::new();
        }
        let explained = self.failure.violation.map(|violation| violation.id);
        let mut results = vec![self.result()];
        for violation in report.violations.iter().filter(|violation| Some(violation.id) != explained) {
            self.failure = Failure::besides(report, violation);
            results.push(self.result());
        }
        results
    }

    /// The kind of the violation, and what exactly is wrong.
    fn wrong(&self) -> (ViolationKind, &'a str) {
        let Failure { violation, trace, .. } = self.failure;
        let kind = trace.map(|trace| trace.kind).or(violation.map(|violation| violation.kind));
        let text =
            trace.and_then(|trace| trace.text.as_deref()).or(violation.map(|violation| &*violation.text));
        (kind.unwrap_or(self.report.property.kind), text.unwrap_or(&self.report.reason))
    }

    fn result(&mut self) -> SarifResult<'a> {
        let (kind, _) = self.wrong();
        let rule = self.rules.of(kind);
        let first = first_or_any(self.failure.causes);
        let blamed = first.map_or(&[][..], |cause| &cause.steps);
        let mut logical_locations = Vec::new();
        for actor in self.steps(blamed).map(actor) {
            if !logical_locations.contains(&actor) {
                logical_locations.push(actor);
            }
        }
        let physical = match self.place(first) {
            Some(place) => self.artifacts.place(place),
            None => self.artifacts.whole(&self.report.input.path),
        };
        let place = Location { physical_location: Some(physical), logical_locations, ..Location::default() };
        let causes = self.failure.causes;
        let artifacts = &mut self.artifacts;
        let code_flows = self.failure.flows.as_mut().map(|flows| flows.for_result(blamed, causes, artifacts));
        let fingerprint = self.fingerprint(kind);
        SarifResult {
            rule_id: rule.id,
            rule_index: rule.index,
            kind: "fail",
            level: self.level(),
            rank: first.map_or(100.0, |cause| rank(cause.score)),
            message: Message { text: message_text(&self.message(first)) },
            locations: [place],
            related_locations: self.related(first),
            code_flows: code_flows.unwrap_or_default(),
            fixes: self.fixes(first),
            // The first name is ours, the other the only one that GitHub reads.
            partial_fingerprints: BTreeMap::from([
                ("wherefore/v2", fingerprint.clone()),
                ("primaryLocationLineHash", fingerprint),
            ]),
            properties: ResultProperties { causes: causes.iter().map(CauseProperties::of).collect() },
        }
    }

    /// An error is shown by a trace. What the search has seen without keeping a trace is a warning, and so is what only
    /// unfair traces do.
    fn level(&self) -> &'static str {
        if self.failure.trace.is_some() && !self.report.only_unfair { "error" } else { "warning" }
    }

    /// What is wrong, and why.
    fn message(&self, first: Option<&Cause>) -> String {
        let mut text = sentence(self.wrong().1);
        if let Some(cause) = first {
            text.push_str(&format!(" Cause: {}", sentence(&cause.summary)));
            if let Some(claim) = further_claim(cause) {
                text.push_str(&format!(" Because: {}", sentence(claim)));
            }
            text.push_str(&format!(" ({})", judged(&cause.recheck)));
        }
        if self.report.only_unfair {
            text.push_str(" No weakly fair trace does this.");
        }
        match &self.failure.besides {
            Some(Besides { other: Some(other) }) if other.same_cause => {
                let cause = first_or_any(&self.report.causes);
                let cause = cause.map_or_else(String::new, |cause| format!(": {}", cause.summary));
                text.push_str(&format!(" It has the same cause as the first violation{}", sentence(&cause)));
            }
            Some(Besides { other: None }) => {
                let id = self.failure.violation.map_or(0, |violation| violation.id);
                text.push_str(&format!(" It is explained with --violation {id}."));
            }
            _ => {}
        }
        text
    }

    /// Steps of the counterexample, by their numbers.
    fn steps(&self, numbers: &[u64]) -> impl Iterator<Item = &'a Step> {
        let steps = self.failure.trace.map_or(&[][..], |trace| &trace.steps);
        let at = |n: &u64| steps.get(usize::try_from(n.checked_sub(1)?).ok()?);
        numbers.iter().filter_map(at)
    }

    /// Where the violation itself is.
    fn violation_place(&self) -> Option<&'a crate::Location> {
        let last = || self.failure.trace?.steps.last()?.location.as_ref();
        self.failure.violation.and_then(|violation| violation.location.as_ref()).or_else(last)
    }

    /// Where to look first: the first statement of a cause, or that of a step, or what is violated.
    fn place(&self, cause: Option<&'a Cause>) -> Option<&'a crate::Location> {
        cause.and_then(|cause| self.cause_place(cause)).or_else(|| self.violation_place())
    }

    fn cause_place(&self, cause: &'a Cause) -> Option<&'a crate::Location> {
        let of_steps = || self.steps(&cause.steps).find_map(|step| step.location.as_ref());
        cause.locations.first().or_else(of_steps)
    }

    /// What else belongs to the violation: the other statements of the first cause and its evidence, the other causes,
    /// the violation itself and who waits for what.
    fn related(&mut self, first: Option<&'a Cause>) -> Vec<Location<'a>> {
        let mut related = Vec::new();
        if let Some(cause) = first {
            for other in cause.locations.iter().skip(1) {
                related.push(remark(self.artifacts.place(other), "this belongs to the cause"));
            }
            for evidence in &cause.evidence {
                let of_steps = self.steps(&evidence.steps).find_map(|step| step.location.as_ref());
                let place = self.physical(of_steps.or_else(|| self.place(first)));
                let recheck = evidence.recheck.as_ref().map(|recheck| format!(" ({})", judged(recheck)));
                let text = format!("{}: {}{}", evidence.method, evidence.claim, recheck.unwrap_or_default());
                related.push(remark(place, &text));
            }
        }
        for cause in self.failure.causes {
            if first.is_some_and(|first| std::ptr::eq(first, cause)) {
                continue;
            }
            let place = self.physical(self.cause_place(cause));
            let text = format!("cause {}: {} ({})", cause.rank, cause.summary, judged(&cause.recheck));
            related.push(remark(place, &text));
        }
        if first.is_some()
            && let Some(place) = self.violation_place()
        {
            related.push(remark(self.artifacts.place(place), self.wrong().1));
        }
        related.extend(self.blocked());
        numbered(related)
    }

    fn physical(&mut self, place: Option<&'a crate::Location>) -> log::PhysicalLocation<'a> {
        match place {
            Some(place) => self.artifacts.place(place),
            None => self.artifacts.whole(&self.report.input.path),
        }
    }

    /// Who can not move in the end.
    fn blocked(&mut self) -> Vec<Location<'a>> {
        let blocked = self.failure.trace.into_iter().flat_map(|trace| &trace.blocked);
        let artifacts = &mut self.artifacts;
        let places = blocked.filter_map(|blocked| {
            let place = artifacts.place(blocked.location.as_ref()?);
            let who = match (&blocked.process, blocked.pid) {
                (Some(process), Some(pid)) => format!("{process}:{pid}"),
                (Some(process), None) => process.clone(),
                (None, _) => "a process".to_owned(),
            };
            Some(remark(place, &format!("{who} waits here: {}", blocked.waits_for)))
        });
        places.collect()
    }

    /// What a violation is known by: its kind, what it says without numbers, which change with every trace, its statement, and
    /// of a deadlock who waits before which statements.
    fn fingerprint(&mut self, kind: ViolationKind) -> String {
        let violation = self.failure.violation;
        let text = violation.map_or("", |violation| &violation.text);
        let text: String = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        let mut words = vec![kind.to_string(), text];
        if let Some(place) = violation.and_then(|violation| violation.location.as_ref()) {
            words.push(place.text.clone());
        } else {
            let waiting: BTreeSet<String> = self
                .failure
                .trace
                .into_iter()
                .flat_map(|trace| &trace.blocked)
                .flat_map(|blocked| {
                    let place = blocked.location.as_ref().map(|place| place.text.clone());
                    [blocked.process.clone(), place].into_iter().flatten()
                })
                .collect();
            // What has no place and no processes is known by the property alone.
            if waiting.is_empty() {
                words.push(self.report.property.text.clone());
            }
            words.extend(waiting);
        }
        self.fingerprints.of(words.iter().map(String::as_str))
    }

    /// The repairs as replacements, that of the first cause first.
    fn fixes(&mut self, first: Option<&'a Cause>) -> Vec<Fix> {
        let causes = first.into_iter().chain(self.failure.causes).filter_map(|cause| cause.repair.as_ref());
        let found = self.failure.repairs.iter().map(|found| &found.repair);
        let mut told: Vec<&Repair> = Vec::new();
        for repair in causes.chain(found) {
            if told.len() < MOST_FIXES && told.iter().all(|other| other.patch != repair.patch) {
                told.push(repair);
            }
        }
        told.into_iter().filter_map(|repair| self.fix(repair)).collect()
    }

    /// A repair as replacements; none if it replaces nothing.
    fn fix(&mut self, repair: &Repair) -> Option<Fix> {
        let edits = patch::edits(&repair.patch);
        if edits.is_empty() {
            return None;
        }
        let change = ArtifactChange {
            artifact_location: self.artifacts.file(&repair.patch.file),
            replacements: edits.into_iter().map(patch::replacement).collect(),
        };
        let description = Message { text: message_text(&outcome(repair, &self.report.repairs_checked)) };
        Some(Fix { artifact_changes: vec![change], description })
    }
}

impl<'a> CauseProperties<'a> {
    fn of(cause: &'a Cause) -> Self {
        let Cause { rank, score, pattern, summary, methods, group, recheck, .. } = cause;
        Self {
            rank: *rank,
            score: if score.is_finite() { *score } else { 0.0 },
            pattern: *pattern,
            summary,
            methods,
            group: *group,
            recheck,
        }
    }
}

/// What came of testing a claim again.
fn judged(recheck: &Recheck) -> String {
    let result = match recheck.result {
        RecheckResult::Confirmed => "confirmed",
        RecheckResult::Refuted => "refuted",
        RecheckResult::NotRun => "not rechecked",
    };
    if recheck.how.is_empty() { result.to_owned() } else { format!("{result}: {}", recheck.how) }
}

/// With a full stop.
fn sentence(text: &str) -> String {
    format!("{}.", text.trim_end_matches('.'))
}

/// A score as SARIF's rank, with one digit behind the point.
fn rank(score: f64) -> f64 {
    if score.is_nan() { 0.0 } else { (score.clamp(0.0, 1.0) * 1000.0).round() / 10.0 }
}

fn remark<'a>(place: log::PhysicalLocation<'a>, text: &str) -> Location<'a> {
    let message = Some(Message { text: message_text(text) });
    Location { physical_location: Some(place), message, ..Location::default() }
}

/// The same with numbers, by which viewers know them.
fn numbered(mut locations: Vec<Location<'_>>) -> Vec<Location<'_>> {
    locations.truncate(MOST_RELATED);
    for (at, location) in locations.iter_mut().enumerate() {
        location.id = Some(at + 1);
    }
    locations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_numbers_from_0_to_100() {
        assert_eq!(
            [0.8, 7.0, -1.0, f64::NAN, f64::INFINITY, 0.3333].map(rank),
            [80.0, 100.0, 0.0, 0.0, 100.0, 33.3]
        );
    }
}
