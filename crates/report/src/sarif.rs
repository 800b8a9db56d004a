//! The report as SARIF 2.1.0, for code scanning and editors: one result for each cause, with the counterexample as
//! its code flow.
//!
//! Fingerprints are made of words, not of places: the kind of violation, the method, the statements and the
//! processes they stand in. So an alert stays the same alert when lines move.

mod artifacts;
mod fingerprints;
mod flows;
mod log;
mod patch;
mod rules;

use std::collections::BTreeMap;
use std::io;

use artifacts::{Artifacts, ROOT};
use fingerprints::Fingerprints;
use flows::{Flows, actor};
use log::{
    Artifact, ArtifactChange, BaseId, Driver, Fix, Invocation, Location, Log, Message, Notification,
    ResultProperties, Run, RunProperties, SarifResult, Tool,
};
use rules::{RuleReference, Rules};

use crate::{
    Cause, Counterexample, Method, Outcome, RecheckResult, Repair, Report, Step, Verdict, Violation,
    ViolationKind,
};

/// How many related locations a result has at most; GitHub takes no more.
const MOST_RELATED: usize = 1_000;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes a report as a log. Absolute paths inside of `folder` are told from there. `exit_code` is the status the
/// command ends with.
pub fn render(
    report: &Report,
    folder: Option<&str>,
    exit_code: u8,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(report, folder, exit_code))?;
    writeln!(out)
}

fn log<'a>(report: &'a Report, folder: Option<&str>, exit_code: u8) -> Log<'a> {
    let explained = report.explained_violation().or_else(|| report.violations.first());
    let mut teller = Teller {
        report,
        failure: Failure::new(report, explained, report.counterexample.as_ref()),
        artifacts: Artifacts::new(folder),
        rules: Rules::default(),
        fingerprints: Fingerprints::default(),
    };
    let input = teller.artifacts.file(&report.input.path).index;
    let results = teller.results();
    let artifacts = teller.artifacts.listed().into_iter().map(|location| {
        let is_input = location.index == input;
        let roles = if is_input { vec!["analysisTarget"] } else { Vec::new() };
        Artifact { location, roles, source_language: is_input.then_some(&*report.input.kind) }
    });
    let description = Message { text: "the folder in which the command ran".to_owned() };
    let driver = Driver {
        name: "Wherefore",
        version: report.version,
        semantic_version: report.version,
        short_description: Message { text: "Explains counterexamples of model checking".to_owned() },
        rules: teller.rules.used,
    };
    let invocation = Invocation {
        execution_successful: true,
        exit_code,
        tool_execution_notifications: notifications(report),
    };
    let properties = RunProperties {
        verdict: report.verdict,
        reason: &report.reason,
        property: &report.property.text,
        properties: &report.properties,
        engine: report.engine,
        bound: report.bound,
        passing_definition: &report.passing_definition,
    };
    let run = Run {
        tool: Tool { driver },
        invocations: [invocation],
        original_uri_base_ids: BTreeMap::from([(ROOT, BaseId { description })]),
        artifacts: artifacts.collect(),
        results,
        column_kind: "unicodeCodePoints",
        properties,
    };
    Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
}

/// What a reader of the results alone would miss.
fn notifications(report: &Report) -> Vec<Notification> {
    let note = |level, text: &str| Notification { level, message: Message { text: message_text(text) } };
    let mut notes = Vec::new();
    if report.verdict == Verdict::Unknown {
        notes.push(note("warning", &format!("undecided: {}", report.reason)));
    }
    for other in report.violations.iter().filter(|violation| Some(violation.id) != report.explained) {
        // With one violation there is no choice, and it is the one that is explained.
        if report.violations.len() > 1 {
            let place = other.location.as_ref().map(|place| format!(" in line {}", place.line));
            let place = place.unwrap_or_default();
            let told = report.others.iter().find(|told| told.violation == other.id);
            let why = match told {
                Some(told) if told.same_cause => "of the same cause".to_owned(),
                Some(_) => "explained by results of its own".to_owned(),
                None => format!("explained with --violation {}", other.id),
            };
            let text = format!("another violation is possible, {}{place}: {}", other.kind, other.text);
            notes.push(note("warning", &format!("{text} ({why})")));
        }
    }
    for (method, why) in skipped(report) {
        notes.push(note("note", &format!("{method} was not run: {why}")));
    }
    notes
}

/// The methods that did not run, and why.
fn skipped(report: &Report) -> Vec<(Method, &str)> {
    let methods = &report.methods;
    let all = [
        (Method::Neighbourhoods, methods.neighbourhoods.as_ref().and_then(Outcome::skipped)),
        (Method::Anomalies, methods.anomalies.as_ref().and_then(Outcome::skipped)),
        (Method::CorrectTransitions, methods.correct_transitions.as_ref().and_then(Outcome::skipped)),
        (Method::Variations, methods.variations.as_ref().and_then(Outcome::skipped)),
        (Method::Diagnosis, methods.diagnosis.as_ref().and_then(Outcome::skipped)),
    ];
    all.into_iter().filter_map(|(method, why)| Some((method, &**why?))).collect()
}

/// What results are about: a violation and the trace to it.
struct Failure<'a> {
    violation: Option<&'a Violation>,
    trace: Option<&'a Counterexample>,
    flows: Option<Flows<'a>>,
}

impl<'a> Failure<'a> {
    fn new(report: &'a Report, violation: Option<&'a Violation>, trace: Option<&'a Counterexample>) -> Self {
        Self { violation, trace, flows: trace.map(|trace| Flows::new(trace, &report.input.path)) }
    }
}

struct Teller<'a, 'f> {
    report: &'a Report,
    failure: Failure<'a>,
    artifacts: Artifacts<'f>,
    rules: Rules,
    fingerprints: Fingerprints,
}

impl<'a> Teller<'a, '_> {
    fn results(&mut self) -> Vec<SarifResult<'a>> {
        let report = self.report;
        if report.verdict != Verdict::Violated {
            return Vec::new();
        }
        let mut results = self.of_failure(&report.causes);
        for other in report.others.iter().filter(|other| !other.same_cause) {
            let violation = report.violations.iter().find(|violation| violation.id == other.violation);
            self.failure = Failure::new(report, violation, other.counterexample.as_ref());
            results.extend(self.of_failure(&other.causes));
        }
        results
    }

    fn of_failure(&mut self, causes: &'a [Cause]) -> Vec<SarifResult<'a>> {
        if causes.is_empty() {
            // What is violated is worth an alert, whether or not anybody knows why.
            vec![self.violation()]
        } else {
            causes.iter().map(|cause| self.cause(cause)).collect()
        }
    }

    /// The kind of the violation, and what exactly is wrong.
    fn wrong(&self) -> (ViolationKind, &'a str) {
        let Failure { violation, trace, .. } = self.failure;
        let kind = trace.map(|trace| trace.kind).or(violation.map(|violation| violation.kind));
        let text =
            trace.and_then(|trace| trace.text.as_deref()).or(violation.map(|violation| &*violation.text));
        (kind.unwrap_or(self.report.property.kind), text.unwrap_or(&self.report.reason))
    }

    fn cause(&mut self, cause: &'a Cause) -> SarifResult<'a> {
        let (kind, wrong) = self.wrong();
        let rule = self.rules.of(kind, cause.methods.first().copied());
        let (level, judged) = match cause.recheck.result {
            RecheckResult::Confirmed => ("error", "confirmed"),
            RecheckResult::Refuted => ("note", "refuted"),
            RecheckResult::NotRun => ("warning", "not rechecked"),
        };
        let how = &cause.recheck.how;
        let recheck = if how.is_empty() { judged.to_owned() } else { format!("{judged}: {how}") };
        let text = format!("{}. Because: {} ({recheck}).", wrong.trim_end_matches('.'), cause.claim);
        let fingerprint = self.fingerprint(&rule.id, cause);
        let mut result = self.result(rule, &text, self.place(cause), &cause.steps, fingerprint);
        result.level = level;
        result.rank = rank(cause.score);
        result.related_locations = self.related(cause);
        result.fixes = cause.repair.iter().filter_map(|repair| self.fix(repair)).collect();
        result.properties = Some(ResultProperties {
            summary: &cause.summary,
            methods: &cause.methods,
            group: cause.group,
            recheck: &cause.recheck,
            repair: cause.repair.as_ref().filter(|_| result.fixes.is_empty()),
        });
        result
    }

    /// A violation of which no cause is known.
    fn violation(&mut self) -> SarifResult<'a> {
        let (kind, wrong) = self.wrong();
        let rule = self.rules.of(kind, None);
        let last = || self.failure.trace?.steps.last()?.location.as_ref();
        let place = self.violation_place().or_else(last);
        let words = [&*rule.id, wrong].into_iter().chain(place.map(|place| &*place.text));
        let fingerprint = self.fingerprints.of(words);
        let mut result = self.result(rule, wrong, place, &[], fingerprint);
        result.related_locations = numbered(self.blocked());
        result
    }

    fn result(
        &mut self,
        rule: RuleReference,
        text: &str,
        place: Option<&'a crate::Location>,
        blamed: &[u64],
        fingerprint: String,
    ) -> SarifResult<'a> {
        let mut logical_locations = Vec::new();
        for actor in self.steps(blamed).map(actor) {
            if !logical_locations.contains(&actor) {
                logical_locations.push(actor);
            }
        }
        let physical = match place {
            Some(place) => self.artifacts.place(place),
            None => self.artifacts.whole(&self.report.input.path),
        };
        let place = Location { physical_location: Some(physical), logical_locations, ..Location::default() };
        let artifacts = &mut self.artifacts;
        let code_flows = self.failure.flows.as_mut().map(|flows| flows.for_result(blamed, artifacts));
        SarifResult {
            rule_id: rule.id,
            rule_index: rule.index,
            kind: "fail",
            level: "error",
            rank: 100.0,
            message: Message { text: message_text(text) },
            locations: [place],
            related_locations: Vec::new(),
            code_flows: code_flows.unwrap_or_default(),
            fixes: Vec::new(),
            // The first name is ours, the other the only one that GitHub reads.
            partial_fingerprints: BTreeMap::from([
                ("wherefore/v1", fingerprint.clone()),
                ("primaryLocationLineHash", fingerprint),
            ]),
            properties: None,
        }
    }

    /// Steps of the counterexample, by their numbers.
    fn steps(&self, numbers: &[u64]) -> impl Iterator<Item = &'a Step> {
        let steps = self.failure.trace.map_or(&[][..], |trace| &trace.steps);
        let at = |n: &u64| steps.get(usize::try_from(n.checked_sub(1)?).ok()?);
        numbers.iter().filter_map(at)
    }

    /// Where the violation itself is.
    fn violation_place(&self) -> Option<&'a crate::Location> {
        self.failure.violation?.location.as_ref()
    }

    /// Where a cause is: its first statement, or that of a step.
    fn place(&self, cause: &'a Cause) -> Option<&'a crate::Location> {
        let of_steps = || self.steps(&cause.steps).find_map(|step| step.location.as_ref());
        cause.locations.first().or_else(of_steps).or_else(|| self.violation_place())
    }

    /// What else belongs to a cause: its other statements, the evidence, the violation and who waits for what.
    fn related(&mut self, cause: &'a Cause) -> Vec<Location<'a>> {
        let mut related = Vec::new();
        for other in cause.locations.iter().skip(1) {
            related.push(remark(self.artifacts.place(other), "this belongs to the cause"));
        }
        for evidence in &cause.evidence {
            let place = self.steps(&evidence.steps).find_map(|step| step.location.as_ref());
            let place = match place.or_else(|| self.place(cause)) {
                Some(place) => self.artifacts.place(place),
                None => self.artifacts.whole(&self.report.input.path),
            };
            let recheck = evidence.recheck.as_ref().map(|recheck| match recheck.result {
                RecheckResult::Confirmed => format!(" (confirmed: {})", recheck.how),
                RecheckResult::Refuted => format!(" (refuted: {})", recheck.how),
                RecheckResult::NotRun => " (not rechecked)".to_owned(),
            });
            let text = format!("{}: {}{}", evidence.method, evidence.claim, recheck.unwrap_or_default());
            related.push(remark(place, &text));
        }
        if let Some(place) = self.violation_place() {
            related.push(remark(self.artifacts.place(place), self.wrong().1));
        }
        related.extend(self.blocked());
        numbered(related)
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

    /// What a cause is known by: what is violated, by which statements, of which processes.
    fn fingerprint(&mut self, rule: &str, cause: &'a Cause) -> String {
        let mut statements: Vec<&str> = cause.locations.iter().map(|place| &*place.text).collect();
        let mut processes = Vec::new();
        for step in self.steps(&cause.steps) {
            match &step.process {
                Some(process) => processes.push(&**process),
                None => statements.push(&step.action),
            }
        }
        for words in [&mut statements, &mut processes] {
            words.sort_unstable();
            words.dedup();
        }
        self.fingerprints.of([rule].into_iter().chain(statements).chain(processes))
    }

    /// A repair as replacements; none if it replaces nothing.
    fn fix(&mut self, repair: &Repair) -> Option<Fix> {
        let verified = match (repair.verified, repair.bound) {
            (true, None) => "a search found no violation with this change".to_owned(),
            (true, Some(bound)) => {
                format!("no violation was found with this change, up to the bound {bound}")
            }
            (false, _) => "this change was not verified".to_owned(),
        };
        let edits = patch::edits(&repair.patch);
        if edits.is_empty() {
            return None;
        }
        let change = ArtifactChange {
            artifact_location: self.artifacts.file(&repair.patch.file),
            replacements: edits.into_iter().map(patch::replacement).collect(),
        };
        Some(Fix { artifact_changes: vec![change], description: Message { text: verified } })
    }
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

/// A text as it must be written in messages, where `{0}` would be a placeholder and `[text](target)` a link.
fn message_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', ']']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let taken = if rest.starts_with('{') && digits > 0 && rest[1 + digits..].starts_with('}') {
            out.push_str(&format!("{{{{{}}}}}", &rest[1..=digits]));
            digits + 2
        } else if rest.starts_with("](") {
            out.push_str("\\]");
            1
        } else {
            out.push_str(&rest[..1]);
            1
        };
        rest = &rest[taken..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_links_are_neither() {
        assert_eq!(message_text("a[i] = {0}; f[1](2) {x} {12"), "a[i] = {{0}}; f[1\\](2) {x} {12");
        assert_eq!(message_text("{ä}{{7}}]"), "{ä}{{{7}}}]");
    }

    #[test]
    fn ranks_are_numbers_from_0_to_100() {
        assert_eq!(
            [0.8, 7.0, -1.0, f64::NAN, f64::INFINITY, 0.3333].map(rank),
            [80.0, 100.0, 0.0, 0.0, 100.0, 33.3]
        );
    }
}
