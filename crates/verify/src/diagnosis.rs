//! Statements that, had they done something else, would have met the constraints.
//!
//! The claim is about values that no state of the input need have, so it cannot be decided here. It is refuted if the
//! counterexample does not execute a line that is blamed, unless it is that of the value that a variable has from the
//! start. It holds if a state that differs from the one after a
//! blamed statement only in what this statement writes is reached by the input itself, and the rest of the counterexample
//! can be gone from there without the violation.

use findings::TestResult;
use serde::Deserialize;

use crate::case::{Case, Followed, unknown};
use crate::says::Says;

#[derive(Clone, Debug, Deserialize)]
struct Suspects {
    statements: Vec<String>,
    lines: Vec<u64>,
    evidence: serde_json::Value,
}

pub(crate) fn diagnosis(case: &Case<'_>, says: &Says) -> TestResult {
    let told = match says.read::<Suspects>() {
        Ok(told) => told,
        Err(error) => return TestResult::Refuted(unknown(&format!("a diagnosis: {error}"))),
    };
    let Ok(trace) = case.trace() else { return TestResult::NotTested };
    let in_line =
        |wanted: u64| (0..trace.events.len()).filter(move |at| line(case, trace, *at) == Some(wanted));
    // What is executed within a single step has no step of its own.
    let are_single = |at: usize| {
        let told = case.words.told(case.net, trace.events[at]);
        told.is_some_and(|told| told.deed.action.to_ascii_lowercase().starts_with("d_step"))
    };
    let is_trace = told.evidence.as_str() == Some("trace") && !(0..trace.events.len()).any(are_single);
    let all_have_steps = !told.statements.iter().any(|statement| is_initial(case, trace, statement));
    for wanted in told.lines.iter().filter(|_| is_trace && all_have_steps) {
        if in_line(*wanted).next().is_none() {
            return TestResult::Refuted(unknown(&format!("a step of the counterexample in line {wanted}")));
        }
    }
    let [only] = told.lines[..] else { return TestResult::NotTested };
    if told.statements.len() == 1 && in_line(only).any(|at| could_pass(case, trace, at)) {
        return TestResult::Holds;
    }
    TestResult::NotTested
}

/// Whether a statement is the value that a variable has from the start: it assigns to one, and no step executes it.
fn is_initial(case: &Case<'_>, trace: &Followed, statement: &str) -> bool {
    let Some((name, _)) = statement.split_once('=') else { return false };
    let name = name.trim_end();
    let values = case.words.values(trace.nodes[0]);
    let is_variable = values.keys().any(|key| key.split('[').next() == Some(name));
    let mut told = (0..case.net.events.len()).filter_map(|event| case.words.told(case.net, event));
    is_variable && !told.any(|told| told.deed.action == statement)
}

fn line(case: &Case<'_>, trace: &Followed, at: usize) -> Option<u64> {
    Some(case.words.told(case.net, trace.events[at])?.deed.location?.line)
}

/// Whether the counterexample can be gone on without the violation from where another result of a step leads to.
fn could_pass(case: &Case<'_>, trace: &Followed, at: usize) -> bool {
    let writes = case.words.footprint(case.net, trace.nodes[at], trace.events[at]).unwrap_or_default().writes;
    let rest = |node: usize| {
        let mut values = case.words.values(node);
        writes.iter().for_each(|name| drop(values.remove(name)));
        values
    };
    let own = rest(trace.nodes[at + 1]);
    let others = case.live.keys().copied().filter(|node| !case.net.is_violating(*node) && rest(*node) == own);
    let mut now: Vec<usize> = others.filter(|node| *node != trace.nodes[at + 1]).collect();
    for event in &trace.events[at + 1..] {
        let going = now.iter().filter(|node| !case.net.is_violating(**node));
        let edges = going.flat_map(|node| &case.net.nodes[*node].edges);
        now = edges.filter(|edge| edge.event == *event).map(|edge| edge.to).collect();
        now.sort_unstable();
        now.dedup();
    }
    at + 1 < trace.events.len() && now.iter().any(|node| !case.net.is_violating(*node))
}
