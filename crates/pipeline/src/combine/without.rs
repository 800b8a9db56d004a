//! What the violation needs: each statement of the counterexample blocked in turn, and everything searched again.

use std::collections::{BTreeMap, BTreeSet};

use explain::without::without;
use graph::{BitSet, Exploration, Fairness, Trace, Transitions};

use super::place::BlamedPlace;
use crate::as_findings;
use crate::naming::Naming;
use crate::request::Host;

/// How many statements are blocked, and how many edges may be looked at for all of them.
const MOST_BLOCKED: usize = 40;
const EDGES: u64 = 40_000_000;

/// Blocks the statements of a trace, the last ones first.
pub(crate) fn blocked_in_turn<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    trace: &Trace,
    fairness: Fairness,
    host: &dyn Host,
) -> Vec<findings::Without> {
    let violating = explored.violating().len() as u64;
    if violating == 0 || !explored.is_complete() {
        return Vec::new();
    }
    let most = (EDGES / explored.live_edges().max(1)).min(MOST_BLOCKED as u64) as usize;
    let count = system.labels().len();
    let mut of_place: BTreeMap<BlamedPlace, BitSet> = BTreeMap::new();
    let place_of = |label: u32| -> Vec<BlamedPlace> {
        let told = as_findings::event(system, label);
        let mut places = vec![BlamedPlace::of(told.location.as_ref(), &told.event)];
        places.extend(told.partner.map(|with| BlamedPlace::of(with.location.as_ref(), &told.event)));
        places
    };
    let wanted: Vec<(BlamedPlace, u32)> = {
        let mut seen = BTreeSet::new();
        let last_first = trace.steps.iter().rev().flat_map(|step| {
            let places = place_of(step.label);
            places.into_iter().map(|place| (place, step.label)).collect::<Vec<_>>()
        });
        last_first.filter(|(place, _)| seen.insert(place.clone())).take(most).collect()
    };
    if wanted.is_empty() {
        return Vec::new();
    }
    for label in 0..count as u32 {
        for place in place_of(label) {
            if wanted.iter().any(|(other, _)| *other == place) {
                of_place.entry(place).or_insert_with(|| BitSet::new(count)).insert(label);
            }
        }
    }
    let mut told = Vec::new();
    for (place, label) in wanted {
        let Some(labels) = of_place.get(&place) else { continue };
        let Ok(left) = without(system, |_, label, _| labels.contains(label), fairness, host) else { break };
        let event = as_findings::event(system, label);
        let partner = event.partner.and_then(|with| with.location);
        let location = event.location.into_iter().chain(partner).find(|at| place.is_at(Some(at)));
        told.push(findings::Without {
            location,
            event: event.event,
            violating,
            still_violating: left.violating,
            passes: left.passes,
        });
    }
    told
}
