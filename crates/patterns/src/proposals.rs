//! Statements that a name says are missing, for whoever tries repairs: the name is told only if one of them was verified.

use findings::{BugPattern, Claim, Explanation, Moment};

/// How many lines a statement is proposed for.
const MOST_LINES: usize = 4;

/// Statements, each with the line beside which it may be missing.
pub fn proposals(explanation: &Explanation) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    for finding in explanation.findings.iter().filter(|finding| !finding.is_confirmed()) {
        let Claim::Pattern(own) = &finding.claim else { continue };
        match &own.pattern {
            BugPattern::StaleValue { renewed, .. } => {
                let line = renewed.location.as_ref().map(|at| at.line);
                found.extend(line.zip(proposal(&own.pattern)));
            }
            BugPattern::SkippedBookkeeping { counted, .. } => {
                let statement = proposal(&own.pattern);
                let lines = lines_after(explanation, counted);
                found.extend(lines.into_iter().filter_map(|line| Some((line, statement.clone()?))));
            }
            _ => {}
        }
    }
    found
}

/// The statement that a pattern says is missing.
pub(crate) fn proposal(pattern: &BugPattern) -> Option<String> {
    match pattern {
        BugPattern::StaleValue { variable, fresh, renewed, .. } => {
            let name = in_text(variable, renewed);
            fresh.as_ref().map(|fresh| format!("{name} = {fresh}"))
        }
        BugPattern::SkippedBookkeeping { undone, .. } => Some(undone.clone()),
        _ => None,
    }
}

/// A variable as its own process calls it: without who it belongs to.
fn in_text<'v>(variable: &'v str, by: &Moment) -> &'v str {
    let own = format!("{}:{}.", by.who.name, by.who.pid);
    variable.strip_prefix(&own).unwrap_or(variable)
}

/// The lines that the process executes after a step, the last first.
fn lines_after(explanation: &Explanation, step: &Moment) -> Vec<u64> {
    let steps = explanation.counterexample.iter().flat_map(|trace| &trace.steps);
    let own = steps.filter(|one| one.n > step.step && one.pid == Some(step.who.pid));
    let mut lines: Vec<u64> = Vec::new();
    let mut all: Vec<u64> = own.filter_map(|one| Some(one.location.as_ref()?.line)).collect();
    all.reverse();
    for line in all {
        if lines.len() < MOST_LINES && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}
