//! What keeps a property unmet in a loop, or at an end: atoms that never change there, processes that could move at times
//! and never do, processes that wait all the time, steps that start at a label, and whether only an unfair scheduler does
//! this.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::case::{Case, Tested, same, unknown};
use crate::endless::Endless;
use crate::model::Model;

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Unmet {
    is_loop: bool,
    atoms: Vec<(String, bool)>,
    passed_over: Vec<(String, bool)>,
    waiting: Vec<Waits>,
    holds_if_fair: bool,
}

#[derive(Clone, Debug, Deserialize)]
struct Waits {
    process: String,
    action: String,
    reason: String,
}

pub(crate) fn unmet(
    case: &Case<'_>,
    (endless, model): (&Endless<'_>, &Model<'_>),
    told: &Unmet,
    (steps, loop_start): (&[u64], Option<u64>),
    holds_if_fair: &dyn Fn() -> Option<bool>,
) -> Tested {
    let trace = case.trace()?;
    let start = loop_start.and_then(|start| usize::try_from(start).ok()?.checked_sub(1));
    same("is_loop", &told.is_loop, &start.is_some())?;
    let first = start.unwrap_or(trace.events.len());
    if steps.iter().any(|step| *step <= first as u64 || *step > trace.events.len() as u64) {
        return Err(unknown(&format!("steps {steps:?} in the loop")));
    }
    let turn = &trace.nodes[first..];
    let letters: Vec<u64> = turn
        .iter()
        .filter(|node| !case.net.nodes[**node].is_uninterrupted)
        .filter_map(|node| (endless.letter)(&model.raw.states[*node]))
        .collect();
    let constant = |value: bool| -> BTreeSet<(&str, bool)> {
        let named = (0..).zip(endless.atoms);
        let stays = named
            .filter(|(at, _): &(u32, &String)| letters.iter().all(|letter| (letter >> at & 1 != 0) == value));
        stays.map(|(_, name)| (name.as_str(), value)).collect()
    };
    let found: BTreeSet<(&str, bool)> = constant(true).union(&constant(false)).copied().collect();
    same("atoms", &told.atoms.iter().map(|(name, value)| (name.as_str(), *value)).collect(), &found)?;
    if told.is_loop {
        resting(case, told, turn, &trace.events[first..])?;
    }
    // With fairness asked for nothing is left to be said of it.
    let fair = if endless.is_fair { Some(false) } else { holds_if_fair() };
    fair.map_or(Ok(()), |fair| same("holds_if_fair", &told.holds_if_fair, &fair))
}

/// Who does not move in a loop: who could somewhere, and who waits all the time.
fn resting(case: &Case<'_>, told: &Unmet, turn: &[usize], events: &[usize]) -> Tested {
    let actors = |event: usize| &case.net.events[event].actors;
    let moving: BTreeSet<u8> = events.iter().flat_map(|event| actors(*event)).copied().collect();
    let open: Vec<usize> =
        turn[1..].iter().copied().filter(|node| !case.net.nodes[*node].is_uninterrupted).collect();
    let ends =
        |event: usize| case.words.told(case.net, event).is_some_and(|told| told.deed.action == "-end-");
    let can = |process: u8, node: usize| {
        let mut edges = case.net.nodes[node].edges.iter();
        edges.any(|edge| actors(edge.event).first() == Some(&process) && !ends(edge.event))
    };
    let mut named: BTreeSet<u8> = BTreeSet::new();
    for (event, always) in &told.passed_over {
        let event = case.net.event_named(event).ok_or_else(|| unknown(event))?;
        let process = *actors(event).first().ok_or_else(|| unknown("who is passed over"))?;
        let could = |node: &&usize| case.net.nodes[**node].edges.iter().any(|edge| edge.event == event);
        if moving.contains(&process) || !open.iter().any(|node| could(&node)) {
            return Err(unknown(&format!("`{}` that is passed over", case.net.name(event))));
        }
        let everywhere = open.iter().all(|node| can(process, *node));
        same("whether it could move all the time", always, &everywhere)?;
        named.insert(process);
    }
    let all: BTreeSet<u8> = case.net.events.iter().flat_map(|event| event.actors.first()).copied().collect();
    let passed: BTreeSet<u8> = all
        .into_iter()
        .filter(|process| !moving.contains(process) && open.iter().any(|node| can(*process, *node)))
        .collect();
    same("processes that are passed over", &named, &passed)?;
    let waiting = turn.first().map(|node| case.words.waiting(*node)).unwrap_or_default();
    let wait = waiting.into_iter().filter(|one| {
        let number = one.actor.number;
        !one.may_end && !moving.contains(&number) && !passed.contains(&number)
    });
    let found: BTreeSet<(String, String, String)> = wait
        .filter_map(|one| {
            let need = one.needs.into_iter().next()?;
            Some((one.actor.to_string(), need.action, need.reason))
        })
        .collect();
    let waits = told.waiting.iter().map(|one| (one.process.clone(), one.action.clone(), one.reason.clone()));
    same("waiting", &waits.collect(), &found)
}
