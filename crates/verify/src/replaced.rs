//! What a failing variation of the counterexample does in place of what a passing one does.
//!
//! The two have the same first steps, part, and go on together. So there is a state after that many steps from which the
//! steps of the one lead to where the violation can come, and those of the other to where the last step of the
//! counterexample can still be taken without a violation, or where a trace can pass.

use std::collections::BTreeSet;

use findings::{Shows, Witness};
use serde::Deserialize;

use crate::case::{Case, Tested};
use crate::fates::leading_to;

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Replaced {
    after: u64,
    failing: Vec<String>,
    passing: Vec<String>,
}

pub(crate) fn replaced(case: &Case<'_>, told: &Replaced) -> Tested {
    let (failing, passing) = (case.events(&told.failing)?, case.events(&told.passing)?);
    let last = case.trace()?.events.last().copied();
    let unharmed = |node: &usize| {
        let mut edges = case.net.nodes[*node].edges.iter();
        !case.net.is_violating(*node)
            && edges.any(|edge| Some(edge.event) == last && !case.net.is_violating(edge.to))
    };
    let ends: Vec<usize> = (0..case.net.nodes.len()).filter(unharmed).collect();
    let takes_it = leading_to(case.net, ends);
    let parts = |node: &usize| {
        let fails = after(case, *node, &failing).iter().any(|end| case.fates.can_fail[*end]);
        let ends = after(case, *node, &passing);
        let is_fine = |end: &usize| !case.net.is_violating(*end);
        let passes = |end: &usize| takes_it[*end] || case.fates.can_pass[*end];
        fails && ends.iter().any(|end| is_fine(end) && passes(end))
    };
    let mut layer: BTreeSet<usize> = case.net.initial.iter().copied().collect();
    for _ in 0..told.after {
        let going = layer.iter().filter(|node| !case.net.is_violating(**node));
        layer = going.flat_map(|node| case.net.nodes[*node].edges.iter().map(|edge| edge.to)).collect();
        if layer.is_empty() {
            break;
        }
    }
    if layer.iter().any(parts) { Ok(()) } else { Err(Witness::NoTrace { shows: Shows::Occurs }) }
}

/// The nodes to which these events lead from a node, one after the other.
fn after(case: &Case<'_>, node: usize, events: &[usize]) -> BTreeSet<usize> {
    let mut now = BTreeSet::from([node]);
    for event in events {
        let going = now.iter().filter(|node| !case.net.is_violating(**node));
        let edges = going.flat_map(|node| case.net.nodes[*node].edges.iter());
        now = edges.filter(|edge| edge.event == *event).map(|edge| edge.to).collect();
    }
    now
}
