//! What every method says about single places, read off the report.

use findings::{Engine, Method};
use report::{Cause, CauseKind, Deed, Location, Outcome, Recheck, Repair, Report};

use super::LONGEST_CONDITION;
use super::place::Place;

/// A finding, in words.
#[derive(Debug)]
pub(super) struct Remark {
    pub(super) method: Method,
    pub(super) kind: CauseKind,
    pub(super) places: Vec<(Place, f64)>,
    pub(super) locations: Vec<Location>,
    pub(super) steps: Vec<u64>,
    pub(super) summary: String,
    pub(super) claim: String,
    pub(super) recheck: Option<Recheck>,
    pub(super) repair: Option<Repair>,
    /// Exactly when the statement is fatal, if that is known and was confirmed.
    pub(super) fatal_when: Option<String>,
}

/// How many findings of one kind are taken from a list, best first.
const MOST_OF_A_KIND: usize = 12;

pub(super) fn all(report: &Report) -> Vec<Remark> {
    let causes = report.causes.iter().filter(|cause| is_of_explained(report, cause));
    let mut remarks: Vec<Remark> = causes.filter_map(|cause| told(report, cause)).collect();
    // Of several diagnoses the first is the likeliest. Where something is missing, and what was added mends it, the
    // statements that are there may all be right.
    let diagnosed = report.methods.diagnosis.as_ref().and_then(Outcome::found);
    let is_absent = diagnosed.is_some_and(|found| found.absence_of_function.is_some());
    let is_added = report.repairs.first().is_some_and(|first| first.adds);
    let belief = if is_absent && is_added { MAY_BE_RIGHT } else { 1.0 };
    let diagnoses = remarks.iter_mut().filter(|remark| remark.kind == CauseKind::Diagnosis);
    for (remark, number) in diagnoses.zip(1..) {
        remark.places.iter_mut().for_each(|(_, share)| *share *= belief / f64::from(number).sqrt());
    }
    crossings(report, &mut remarks);
    sequence(report, &mut remarks);
    repairs(report, &mut remarks);
    found_repairs(report, &mut remarks);
    variations(report, &mut remarks);
    // What was refuted speaks for nothing.
    let is_refuted = |remark: &Remark| {
        remark.recheck.as_ref().is_some_and(|recheck| recheck.result == report::RecheckResult::Refuted)
    };
    remarks.retain(|remark| !is_refuted(remark));
    remarks.iter_mut().for_each(with_callers);
    remarks
}

/// How much a diagnosis says where something is missing.
const MAY_BE_RIGHT: f64 = 0.4;

/// How much of what is said of an inline or a macro is about the place where it is called.
const CALLER: f64 = 0.9;

/// What is said of a place is also said of those from which it is called.
fn with_callers(remark: &mut Remark) {
    for location in remark.locations.iter().filter(|location| !location.calls.is_empty()) {
        let own = remark.places.iter().find(|(place, _)| place.is_at(Some(location)));
        let Some(share) = own.map(|(_, share)| *share) else { continue };
        for call in &location.calls {
            let caller = Place::of(Some(call), "");
            if remark.places.iter().all(|(place, _)| *place != caller) {
                remark.places.push((caller, share * CALLER));
            }
        }
    }
}

/// Whether a cause is one of the violation that is explained: correct transitions tell of all of them. Call by call
/// that is all there is, and told together.
fn is_of_explained(report: &Report, cause: &Cause) -> bool {
    let found = report.methods.correct_transitions.as_ref().and_then(Outcome::found);
    if report.engine == Engine::Summary || !cause.methods.contains(&Method::CorrectTransitions) {
        return true;
    }
    let trace = found.and_then(|found| found.traces.get(cause.group.checked_sub(1)? as usize));
    let (Some(trace), Some(violation)) = (trace, report.explained_violation()) else { return true };
    let line = |at: &Option<Location>| at.as_ref().map(|at| (at.file.clone(), at.line));
    line(&trace.query.location) == line(&violation.location)
}

/// A cause that a method told by itself.
fn told(report: &Report, cause: &Cause) -> Option<Remark> {
    let method = *cause.methods.first()?;
    let mut places: Vec<Place> = cause.locations.iter().map(|at| Place::of(Some(at), "")).collect();
    if places.is_empty() {
        // In a transition system events are all there is.
        let steps = report.counterexample.iter().flat_map(|counterexample| &counterexample.steps);
        let steps = steps.filter(|step| cause.steps.contains(&step.n) && step.location.is_none());
        places = steps.map(|step| Place::Event(step.event.clone())).collect();
    }
    Some(Remark {
        method,
        kind: cause.kind,
        places: shared(places),
        locations: cause.locations.clone(),
        steps: cause.steps.clone(),
        summary: cause.summary.clone(),
        claim: cause.claim.clone(),
        recheck: Some(cause.recheck.clone()),
        repair: None,
        fatal_when: None,
    })
}

/// A remark about several places says less about each; the first is the one that is meant.
fn shared(places: Vec<Place>) -> Vec<(Place, f64)> {
    let mut different: Vec<Place> = Vec::new();
    for place in places {
        if !different.contains(&place) {
            different.push(place);
        }
    }
    let count = different.len().max(1) as f64;
    let share = |at| if at == 0 { 1.0 / count.sqrt() } else { 1.0 / count };
    different.into_iter().enumerate().map(|(at, place)| (place, share(at))).collect()
}

/// The lines of an event: its own, and that of who receives.
fn lines_of(own: Option<&Location>, partner: Option<&Deed>) -> Vec<Location> {
    own.into_iter().chain(partner.and_then(|with| with.location.as_ref())).cloned().collect()
}

/// What is said of an event is said of all its lines or, where there is no text, of itself.
fn places_of(lines: &[Location], event: &str, share: f64) -> Vec<(Place, f64)> {
    if lines.is_empty() {
        return vec![(Place::Event(event.to_owned()), share)];
    }
    let mut places: Vec<(Place, f64)> = lines.iter().map(|at| (Place::of(Some(at), event), share)).collect();
    places.dedup();
    places
}

/// How much it says of a statement that it decides, where all it does is to violate the property.
const VIOLATION_ITSELF: f64 = 0.5;

/// Which statements take traces past the point of no return, over the whole graph.
fn crossings(report: &Report, remarks: &mut Vec<Remark>) {
    let Some(Outcome::Found(found)) = &report.methods.anomalies else { return };
    let all: u64 = found.points_of_no_return.iter().map(|point| point.crosses).sum();
    for point in found.points_of_no_return.iter().take(MOST_OF_A_KIND) {
        let name = &point.event.event;
        // A condition that is true of something harmless says little.
        let sure =
            point.fatal_when.as_ref().filter(|when| when.harmless_covered == 0 && !when.any_of.is_empty());
        let rules = sure.map(|when| {
            let rules: Vec<String> = when.any_of.iter().map(|rule| rule.join(" and ")).collect();
            rules.join(", or ")
        });
        let is_exact = sure.is_some_and(|when| when.is_exact);
        let when = match (&rules, sure) {
            (Some(rules), Some(_)) if is_exact => format!(", exactly when {rules}"),
            (Some(rules), Some(when)) => {
                format!(
                    " whenever {rules}, which is so {} of the {} times it does",
                    when.fatal_covered, when.fatal
                )
            }
            _ => String::new(),
        };
        let summary = match &rules {
            Some(rules) if rules.len() <= LONGEST_CONDITION && is_exact => {
                format!("`{name}` decides that the run fails, exactly when {rules}")
            }
            Some(rules) if rules.len() <= LONGEST_CONDITION => {
                format!("`{name}` decides that the run fails whenever {rules}")
            }
            _ => format!("`{name}` decides that the run fails"),
        };
        let harmless = match point.harmless {
            0 => "it is never harmless".to_owned(),
            1 => "it is harmless once".to_owned(),
            many => format!("it is harmless {many} times"),
        };
        let claim = format!(
            "`{name}` decides that the run fails{when}: {} of {} transitions behind which every trace fails are this \
             one; {harmless}",
            point.crosses, all
        );
        let lines = lines_of(point.event.location.as_ref(), point.event.partner.as_ref());
        let mut share = (point.crosses as f64 / all.max(1) as f64).sqrt();
        let last = report.counterexample.iter().flat_map(|counterexample| &counterexample.steps).next_back();
        if point.harmless == 0 && last.is_some_and(|last| point.events.contains(&last.event)) {
            share *= VIOLATION_ITSELF;
        }
        let recheck = sure.and_then(|when| {
            let how = match when.still_violating {
                Some(0) => "searched again from wherever this is true; without it nothing fails".to_owned(),
                _ => "searched again from wherever this is true, for a passing trace".to_owned(),
            };
            Some(Recheck { how, result: when.recheck? })
        });
        let is_confirmed = |recheck: &Recheck| recheck.result == report::RecheckResult::Confirmed;
        let fatal_when = rules.filter(|_| is_exact && recheck.as_ref().is_some_and(is_confirmed));
        remarks.push(Remark {
            method: Method::Anomalies,
            kind: CauseKind::Crossing,
            places: places_of(&lines, name, share),
            locations: lines,
            steps: steps_of(report, &point.events),
            summary,
            claim,
            recheck,
            repair: None,
            fatal_when,
        });
    }
}

fn steps_of(report: &Report, events: &[String]) -> Vec<u64> {
    let steps = report.counterexample.iter().flat_map(|counterexample| &counterexample.steps);
    steps.filter(|step| events.contains(&step.event)).map(|step| step.n).collect()
}

/// The steps that the violation came of: the later, the closer to it.
fn sequence(report: &Report, remarks: &mut Vec<Remark>) {
    let Some(Outcome::Found(found)) = &report.methods.anomalies else { return };
    let Some(counterexample) = &report.counterexample else { return };
    let count = found.explanatory_sequence.len() as f64;
    for (at, n) in found.explanatory_sequence.iter().enumerate() {
        let Some(step) = counterexample.steps.get(*n as usize - 1) else { continue };
        let lines = lines_of(step.location.as_ref(), step.partner.as_ref());
        let share = 0.4 + 0.6 * (at + 1) as f64 / count;
        let because: Vec<&str> = found
            .links
            .iter()
            .filter(|link| link.from == *n)
            .map(|link| link.reason.as_str())
            .take(2)
            .collect();
        let because = if because.is_empty() { String::new() } else { format!(": {}", because.join("; ")) };
        remarks.push(Remark {
            method: Method::Anomalies,
            kind: CauseKind::Needed,
            places: places_of(&lines, &step.event, share),
            locations: lines,
            steps: vec![*n],
            summary: format!("step {n}, `{}`, is part of how it came about", step.event),
            claim: format!("step {n}, `{}`, is part of how it came about{because}", step.event),
            recheck: None,
            repair: None,
            fatal_when: None,
        });
    }
}

/// Changes of the text that were tried and help: they speak for the line they change.
fn repairs(report: &Report, remarks: &mut Vec<Remark>) {
    for cause in report.causes.iter().filter(|cause| is_of_explained(report, cause)) {
        let Some((repair, file)) = cause.repair.as_ref().zip(cause.locations.first().map(|at| &at.file))
        else {
            continue;
        };
        let Some(line) = changed_line(&repair.patch).filter(|_| repair.verified) else { continue };
        let within = repair.bound.map_or_else(String::new, |bound| format!(" up to bound {bound}"));
        let is_insertion = cause.kind == CauseKind::ErrorEdge;
        let summary = if is_insertion {
            format!("something is missing at line {line}")
        } else {
            format!("line {line} can be changed so that nothing fails")
        };
        remarks.push(Remark {
            method: Method::Repair,
            kind: if is_insertion { CauseKind::Insertion } else { CauseKind::Repair },
            places: vec![(Place::Line { file: file.clone(), line }, 1.0)],
            locations: vec![changed(file, line, &repair.patch)],
            steps: Vec::new(),
            claim: format!("with the change below nothing fails{within}"),
            summary,
            recheck: Some(Recheck {
                how: "the changed text was checked again from scratch".to_owned(),
                result: report::RecheckResult::Confirmed,
            }),
            repair: Some(repair.clone()),
            fatal_when: None,
        });
    }
}

/// The same of what was looked for; the likeliest comes first.
fn found_repairs(report: &Report, remarks: &mut Vec<Remark>) {
    for found in report.repairs.iter().filter(|found| found.repair.verified) {
        let place = Place::of(Some(&found.location), "");
        remarks.push(Remark {
            method: Method::Repair,
            kind: CauseKind::Repair,
            places: vec![(place, found.likelihood)],
            locations: vec![found.location.clone()],
            steps: Vec::new(),
            claim: found.summary.clone(),
            summary: format!("{} in line {} mends it", found.change, found.location.line),
            recheck: Some(Recheck {
                how: "the changed text was checked again from scratch".to_owned(),
                result: report::RecheckResult::Confirmed,
            }),
            repair: Some(found.repair.clone()),
            fatal_when: None,
        });
    }
}

/// The place of the first change of a unified diff, with the line that stands there now.
fn changed(file: &str, line: u64, patch: &str) -> Location {
    let rows = patch.lines().skip_while(|row| !row.starts_with("@@")).skip(1);
    let mut rows = rows.skip_while(|row| row.starts_with(' ') || row.is_empty());
    let text =
        rows.find(|row| !row.starts_with('+')).and_then(|row| row.get(1..)).unwrap_or_default().trim_end();
    let column = 1 + text.chars().take_while(|c| c.is_whitespace()).count() as u64;
    Location { file: file.to_owned(), line, column, text: text.to_owned(), calls: Vec::new() }
}

/// The first line that a unified diff changes.
fn changed_line(patch: &str) -> Option<u64> {
    let mut line = None;
    for text in patch.lines() {
        if let Some(rest) = text.strip_prefix("@@ -") {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            line = digits.parse::<u64>().ok();
        } else if let Some(at) = &mut line {
            match text.chars().next() {
                Some('-' | '+') => return line,
                _ => *at += 1,
            }
        }
    }
    None
}

/// What separates failing variations from passing ones.
fn variations(report: &Report, remarks: &mut Vec<Remark>) {
    let Some(Outcome::Found(found)) = &report.methods.variations else { return };
    let all = found.all.as_ref().filter(|all| all.has_positives).map(|all| &all.transitions);
    let sets = [(all, "all"), (Some(&found.transitions), "near")];
    for (sets, which) in sets {
        let Some(elements) = sets.and_then(|sets| sets.only_neg.as_ref()) else { continue };
        let share = 1.0 / (elements.len() as f64).sqrt().max(1.0);
        for element in elements.iter().take(MOST_OF_A_KIND) {
            let choice = report::wording::given(element);
            let traces =
                if which == "all" { "failing traces" } else { "failing traces near the counterexample" };
            let claim = format!("only {traces} take `{}{choice}`", element.statement);
            remarks.push(Remark {
                method: Method::Variations,
                kind: CauseKind::OnlyFailing,
                places: vec![(Place::of(element.location.as_ref(), &element.statement), share)],
                locations: element.location.iter().cloned().collect(),
                steps: steps_of(report, std::slice::from_ref(&element.statement)),
                summary: claim.clone(),
                claim,
                recheck: None,
                repair: None,
                fatal_when: None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{changed, changed_line};

    #[test]
    fn a_patch_speaks_for_the_first_line_it_changes() {
        assert_eq!(changed_line("--- a\n+++ b\n@@ -20 +20 @@\n-x\n+y\n"), Some(20));
        assert_eq!(changed_line("@@ -3,4 +3,5 @@\n a\n b\n+c\n"), Some(5));
        assert_eq!(changed_line("no patch at all"), None);
        let text = |patch| changed("a.c", 5, patch).text;
        assert_eq!(text("--- a\n+++ b\n@@ -20 +20 @@\n-x\n+y\n"), "x");
        assert_eq!(text("@@ -3,4 +3,5 @@\n a\n b\n+c\n  d\n"), " d", "what is inserted is not there yet");
        assert_eq!(text("no patch at all"), "");
    }
}
