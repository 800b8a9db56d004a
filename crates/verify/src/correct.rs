//! Steps that no correct trace takes, and steps that correct traces take with other values only.
//!
//! A correct trace comes to the check and meets it, without any violation before; where there is no check that a trace
//! could meet, it is one that passes. A step is on a correct trace if one can still come of where it leads.

use std::collections::BTreeMap;

use findings::Shows;
use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Tested, same, unknown};
use crate::replay::place;
use crate::report::ReportedPlace;

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ErrorEdge {
    events: Vec<String>,
    correct: String,
    check: Value,
    line: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Values {
    event: String,
    held: Vec<(String, String)>,
    instead: Option<Vec<String>>,
    correct: String,
}

/// What a check says and where it stands.
pub(crate) type Check = (Option<String>, Option<ReportedPlace>);

/// `checks` are those of all violations that were asked about.
pub(crate) fn error_edge(case: &Case<'_>, told: &ErrorEdge, steps: &[u64], checks: &[Check]) -> Tested {
    let events = case.events(&told.events)?;
    let text = told.check.get("told").and_then(Value::as_str);
    let is_meant = |(what, at): &&Check| {
        let line = at.as_ref().map(|at| at.line);
        line == told.line && (text.is_none() || what.is_none() || what.as_deref() == text)
    };
    let check = checks.iter().find(is_meant).ok_or_else(|| unknown("the check"))?;
    let leading = leading(case, &told.correct, check.1.as_ref())?;
    for (step, name) in steps.iter().zip(&told.events) {
        case.step_is(*step, name)?;
    }
    let taken = correct_steps(case, &leading).find(|(_, event)| events.contains(event));
    match taken {
        Some((node, event)) => Err(case.witness_at(node, Shows::Occurs, &[event])),
        None => fails_with(case, &events),
    }
}

/// Some failing trace takes the steps that are blamed.
fn fails_with(case: &Case<'_>, events: &[usize]) -> Tested {
    let takes = |node: &usize| {
        let edges = &case.net.nodes[*node].edges;
        edges.iter().any(|edge| events.contains(&edge.event))
    };
    let mut live = case.live.keys().filter(|node| !case.net.is_violating(**node));
    if live.any(takes) { Ok(()) } else { Err(findings::Witness::NoTrace { shows: Shows::Occurs }) }
}

/// The claim does not say which check it is about, so it is tested with each; one has to fit.
pub(crate) fn values(case: &Case<'_>, told: &Values, steps: &[u64], checks: &[Check]) -> Tested {
    let mut refuted = Err(unknown("the check"));
    for (_, at) in checks {
        refuted = of_check(case, told, steps, at.as_ref());
        if refuted.is_ok() {
            break;
        }
    }
    refuted
}

fn of_check(case: &Case<'_>, told: &Values, steps: &[u64], check: Option<&ReportedPlace>) -> Tested {
    let event = case.net.event_named(&told.event).ok_or_else(|| unknown(&told.event))?;
    if let Some(step) = steps.first() {
        case.step_is(*step, &told.event)?;
        let node = case.trace()?.nodes[usize::try_from(*step).unwrap_or_default() - 1];
        let values = case.words.values(node);
        for (name, held) in &told.held {
            same(&format!("value of {name} before step {step}"), &Some(held), &values.get(name))?;
        }
    }
    let has_them = |node: &usize| {
        let values = case.words.values(*node);
        told.held.iter().all(|(name, held)| values.get(name) == Some(held))
    };
    let takes_it = |node: &&usize| case.net.nodes[**node].edges.iter().any(|edge| edge.event == event);
    if !case.live.keys().filter(takes_it).any(has_them) {
        return Err(findings::Witness::NoTrace { shows: Shows::Occurs });
    }
    let leading = leading(case, &told.correct, check)?;
    let first = told.held.first().map(|(name, _)| name.as_str()).unwrap_or_default();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for (node, _) in correct_steps(case, &leading).filter(|(_, other)| *other == event) {
        let values = case.words.values(node);
        if has_them(&node) {
            return Err(case.witness_at(node, Shows::Occurs, &[event]));
        }
        others.extend(values.get(first).map(|value| (value.clone(), node)));
    }
    for value in told.instead.iter().flatten() {
        if !others.contains_key(value) {
            return Err(unknown(&format!("a correct trace in which `{first}` is {value}")));
        }
    }
    Ok(())
}

/// The steps of correct traces: where they start, and their events.
fn correct_steps<'a>(case: &'a Case<'_>, leading: &'a [bool]) -> impl Iterator<Item = (usize, usize)> + 'a {
    let outside = (0..case.net.nodes.len()).filter(|node| case.net.nodes[*node].is_outside);
    let nodes = case.live.keys().copied().chain(outside).filter(|node| !case.net.is_violating(*node));
    nodes.flat_map(move |node| {
        let edges = case.net.nodes[node].edges.iter();
        edges.filter(|edge| leading[edge.to]).map(move |edge| (node, edge.event))
    })
}

/// The nodes from which a correct trace can come.
fn leading(
    case: &Case<'_>,
    correct: &str,
    check: Option<&ReportedPlace>,
) -> Result<Vec<bool>, findings::Witness> {
    if correct != "meets-check" {
        return Ok(case.fates.can_pass.clone());
    }
    let check = check.ok_or_else(|| unknown("a place of the check"))?;
    let executes: Vec<bool> = (0..case.net.events.len())
        .map(|event| {
            let told = case.words.told(case.net, event).into_iter();
            let deeds = told.flat_map(|told| std::iter::once(told.deed).chain(told.partner));
            deeds.filter_map(|deed| deed.location).map(place).any(|at| at == *check)
        })
        .collect();
    let meets = |node: &usize| {
        let mut edges = case.net.nodes[*node].edges.iter();
        !case.net.is_violating(*node)
            && edges.any(|edge| executes[edge.event] && !case.net.is_violating(edge.to))
    };
    let ends: Vec<usize> = case.live.keys().copied().filter(meets).collect();
    Ok(crate::fates::leading_to(case.net, ends))
}
