//! A sequence of events that only failing traces have: it occurs in the counterexample at the steps that are told, and no
//! passing trace has it.
//!
//! Between its events nothing may come, or any steps in which one process takes no part. So a trace is followed together
//! with how many of the events it has just had, one after the other; if it comes to the last one in a state from which a
//! trace passes, that trace is the witness.

use std::collections::BTreeSet;

use findings::Shows;

use crate::case::{Case, Tested, same, unknown};

/// Which events count: all, or those in which a process takes part.
pub(crate) type Counts<'a> = &'a dyn Fn(usize) -> bool;

pub(crate) fn only_failing(case: &Case<'_>, names: &[String], steps: &[u64], counts: Counts<'_>) -> Tested {
    let events = case.events(names)?;
    in_counterexample(case, names, steps, counts)?;
    match occurs_in_passing(case, &events, counts) {
        None => Ok(()),
        Some((node, event)) => Err(case.witness_at(node, Shows::Passes, &[event])),
    }
}

/// No passing trace has the events one after the other.
pub(crate) fn in_no_passing_trace(case: &Case<'_>, names: &[String]) -> Tested {
    let events = case.events(names)?;
    match occurs_in_passing(case, &events, &|_| true) {
        None => Ok(()),
        Some((node, event)) => Err(case.witness_at(node, Shows::Passes, &[event])),
    }
}

/// The steps have these events, and nothing that counts lies between them.
fn in_counterexample(case: &Case<'_>, names: &[String], steps: &[u64], counts: Counts<'_>) -> Tested {
    same("number of steps", &steps.len(), &names.len())?;
    for (step, name) in steps.iter().zip(names) {
        case.step_is(*step, name)?;
    }
    let trace = case.trace()?;
    for pair in steps.windows(2) {
        let between = pair[0]..pair[1].saturating_sub(1);
        let between = between.filter_map(|at| trace.events.get(usize::try_from(at).ok()?));
        if pair[0] >= pair[1] || between.into_iter().any(|event| counts(*event)) {
            return Err(unknown(&format!("steps {} and {} one after the other", pair[0], pair[1])));
        }
    }
    Ok(())
}

/// A step with which a trace completes the sequence and can still pass after it: where it starts, and its event.
fn occurs_in_passing(case: &Case<'_>, events: &[usize], counts: Counts<'_>) -> Option<(usize, usize)> {
    // A trace may be inside of several attempts at once; each is followed for itself.
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    let outside = (0..case.net.nodes.len()).filter(|node| case.net.nodes[*node].is_outside);
    let mut waiting: Vec<(usize, usize)> =
        case.live.keys().copied().chain(outside).map(|node| (node, 0)).collect();
    while let Some((node, had)) = waiting.pop() {
        if case.net.is_violating(node) || !seen.insert((node, had)) {
            continue;
        }
        for edge in &case.net.nodes[node].edges {
            if edge.event == events[had] && counts(edge.event) {
                if had + 1 == events.len() {
                    if case.fates.can_pass[edge.to] {
                        return Some((node, edge.event));
                    }
                } else {
                    waiting.push((edge.to, had + 1));
                }
            }
            if had > 0 && !counts(edge.event) {
                waiting.push((edge.to, had));
            }
        }
    }
    None
}
