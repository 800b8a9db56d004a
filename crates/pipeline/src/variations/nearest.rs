//! The passing trace that stays with the counterexample longest, whether or not it takes the failing step unharmed.

use std::collections::VecDeque;

use findings::PassingEnd;
use graph::{Fates, OUTSIDE, Trace, Transitions};
use rustc_hash::FxHashMap;

use crate::as_findings;
use crate::naming::Naming;

/// The nearest passing trace; nothing if none is known to pass.
pub(super) fn nearest<T: Transitions + Naming>(
    system: &T,
    fates: &Fates,
    counterexample: &Trace,
) -> Option<findings::NearestPassing> {
    let may_pass = |state: u32| !system.is_violating(state) && fates.may_pass(state);
    let (common, parting) =
        counterexample.states().enumerate().filter(|(_, state)| may_pass(*state)).last()?;
    let (labels, ending) = way_on(system, fates, parting)?;
    Some(findings::NearestPassing {
        common: common as u64,
        steps: labels.iter().map(|label| as_findings::event(system, *label)).collect(),
        ending,
    })
}

/// A shortest way to where a trace ends properly or can fail no more; where there is none, one step of a trace that
/// goes on for ever.
fn way_on<T: Transitions>(system: &T, fates: &Fates, start: u32) -> Option<(Vec<u32>, PassingEnd)> {
    let mut from: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
    let mut waiting = VecDeque::from([start]);
    let way_to = |from: &FxHashMap<u32, (u32, u32)>, mut state: u32| {
        let mut labels = Vec::new();
        while let Some((label, before)) = from.get(&state).copied().filter(|_| state != start) {
            labels.push(label);
            state = before;
        }
        labels.reverse();
        labels
    };
    let mut first = None;
    while let Some(state) = waiting.pop_front() {
        let ends = system.degree(state) == 0 && !system.is_open(state);
        if ends || fates.is_safe(state) {
            let ending = if ends { PassingEnd::Ends } else { PassingEnd::Safe };
            return Some((way_to(&from, state), ending));
        }
        let mut outside = None;
        system.successors(state, |label, target| {
            if target == OUTSIDE {
                outside.get_or_insert(label);
            } else if !system.is_violating(target) && fates.may_pass(target) {
                first.get_or_insert(label);
                if target != start && !from.contains_key(&target) {
                    from.insert(target, (label, state));
                    waiting.push_back(target);
                }
            }
        });
        if let Some(label) = outside {
            let mut labels = way_to(&from, state);
            labels.push(label);
            return Some((labels, PassingEnd::Safe));
        }
    }
    first.map(|label| (vec![label], PassingEnd::GoesOn))
}
