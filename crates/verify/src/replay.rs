//! The counterexample itself: every step is possible, changes what is told, and comes to the fate that is told.
//!
//! Steps are told by the names of their events, and an event may lead to several states. So all nodes that the steps so
//! far can lead to are kept; a claim about a step is refuted only if none of them fits.

use findings::{Fate, Witness};

use crate::case::{Case, Followed, Tested, same, unknown};
use crate::report::{Counterexample, ReportedPlace, Step};

/// A node, and where it was come from: the place in the layer before, and the event.
pub(crate) type Came = (usize, Option<(usize, usize)>);

pub(crate) type Layer = Vec<Came>;

/// Follows a counterexample; a refuted one is nowhere.
pub(crate) fn follow(case: &Case<'_>, told: &Counterexample) -> Result<Followed, Witness> {
    let fits = |node: &usize| told.initial.is_empty() || case.words.values(*node) == told.initial;
    let start: Layer = case.net.initial.iter().copied().filter(fits).map(|node| (node, None)).collect();
    if start.is_empty() {
        let found = case.net.initial.first().map(|node| case.words.values(*node)).unwrap_or_default();
        same("initial", &told.initial, &found)?;
    }
    let mut layers = vec![start];
    for (step, n) in told.steps.iter().zip(1u64..) {
        same("n", &step.n, &n)?;
        let next = one_step(case, layers.last().map_or(&[], Vec::as_slice), step)?;
        layers.push(next);
    }
    let last = layers.last().map_or(&[][..], Vec::as_slice);
    let Some(end) = last.iter().position(|(node, _)| case.net.is_target(*node)) else {
        return Err(unknown("the violation at the end of the counterexample"));
    };
    let (mut nodes, mut events, mut at) = (Vec::new(), Vec::new(), end);
    for layer in layers.iter().rev() {
        let (node, came) = layer[at];
        nodes.push(node);
        if let Some((before, event)) = came {
            events.push(event);
            at = before;
        }
    }
    nodes.reverse();
    events.reverse();
    Ok(Followed { nodes, events })
}

/// The nodes after a step of which only what it does is told, and not what can become of a trace after it.
pub(crate) fn step_as_told(case: &Case<'_>, layer: &[Came], step: &Step) -> Result<Layer, Witness> {
    one_step(case, layer, &Step { fate: "unknown".to_owned(), ..step.clone() })
}

fn one_step(case: &Case<'_>, layer: &[Came], step: &Step) -> Result<Layer, Witness> {
    let impossible = || Witness::Impossible { step: step.n, event: step.event.clone() };
    let event = case.net.event_named(&step.event).ok_or_else(impossible)?;
    who(case, event, step)?;
    let mut next: Layer = Vec::new();
    let mut wrong = None;
    for (place, (node, _)) in layer.iter().enumerate().filter(|(_, (node, _))| !case.net.is_violating(*node))
    {
        for edge in case.net.nodes[*node].edges.iter().filter(|edge| edge.event == event) {
            match fits(case, *node, edge.to, event, step) {
                Err(witness) => wrong = Some(witness),
                Ok(()) if next.iter().any(|(known, _)| *known == edge.to) => {}
                Ok(()) => next.push((edge.to, Some((place, event)))),
            }
        }
    }
    if next.is_empty() { Err(wrong.unwrap_or_else(impossible)) } else { Ok(next) }
}

/// Whether a step from one node to another is what is told.
fn fits(case: &Case<'_>, from: usize, to: usize, event: usize, step: &Step) -> Tested {
    let at = |what: &str| format!("{what} of step {}", step.n);
    same(&at("changes"), &step.changes, &case.words.changes(from, to))?;
    same(&at("inputs"), &step.inputs, &case.words.inputs(case.net, from, to, event))?;
    // An unknown fate claims nothing.
    if step.fate == "unknown" {
        return Ok(());
    }
    same(&at("fate"), &step.fate, &case.fate(to).to_string())?;
    let is_point = case.fate(from) == Fate::Free && case.fate(to) == Fate::Doomed;
    same(&at("point_of_no_return"), &step.point_of_no_return, &is_point)?;
    let (escapes, still_free) = case.instead(from, (event, to));
    same(&at("escapes"), &step.escapes.iter().map(String::as_str).collect(), &escapes)?;
    same(&at("still_free"), &step.still_free.iter().map(String::as_str).collect(), &still_free)
}

/// Whether an event is of who is told, and stands where it is told.
fn who(case: &Case<'_>, event: usize, step: &Step) -> Tested {
    let told = case.words.told(case.net, event);
    let at = |what: &str| format!("{what} of step {}", step.n);
    let deed = told.map(|told| told.deed);
    same(&at("process"), &step.process.as_deref(), &deed.as_ref().map(|deed| deed.actor.name.as_str()))?;
    same(&at("pid"), &step.pid, &deed.as_ref().map(|deed| u64::from(deed.actor.number)))?;
    let action = deed.as_ref().map_or(step.event.as_str(), |deed| deed.action.as_str());
    same(&at("action"), &step.action.as_str(), &action)?;
    same(&at("location"), &step.location, &deed.and_then(|deed| deed.location).map(place))
}

pub(crate) fn place(at: findings::Location) -> ReportedPlace {
    ReportedPlace { file: at.file, line: at.line, column: at.column }
}

/// Lengths, and who is blocked at the end.
pub(crate) fn ending(case: &Case<'_>, told: &Counterexample) -> Tested {
    same("length", &told.length, &(told.steps.len() as u64))?;
    let trace = case.trace()?;
    if matches!(told.choice.as_deref(), Some("fewest-decisions" | "shortest")) {
        let ends = case.live.iter().filter(|(node, _)| case.net.is_target(**node));
        same("shortest length", &Some(told.length), &ends.map(|(_, depth)| *depth).min())?;
    }
    let end = trace.nodes.last().copied().unwrap_or_default();
    if told.kind != "deadlock" {
        return Ok(());
    }
    let waiting = case.words.waiting(end);
    same("blocked", &told.blocked.len(), &waiting.len())?;
    for (told, found) in told.blocked.iter().zip(waiting) {
        same("process of blocked", &told.process, &Some(found.actor.name))?;
        same("pid of blocked", &told.pid, &Some(u64::from(found.actor.number)))?;
        same("may_end of blocked", &told.may_end, &found.may_end)?;
        let needs = found.needs.into_iter().map(|need| crate::report::Need {
            action: need.action,
            location: need.location.map(place),
            reason: need.reason,
        });
        same("needs of blocked", &told.needs, &needs.collect())?;
    }
    Ok(())
}
