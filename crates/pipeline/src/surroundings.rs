//! The states around a counterexample, for a picture: those on it, then ring by ring what can be reached from them,
//! beginning where it is decided. Only so many, because nobody looks at more, and a page must stay small.

use std::collections::VecDeque;

use explain::Counterexample;
use findings::{EdgeNearby, StateNearby, Surroundings};
use graph::{Exploration, Fates, OUTSIDE, Transitions};
use rustc_hash::FxHashMap;

use crate::naming::Naming;

/// How many states, how many of them on the counterexample, and how many edges are told at most.
const MOST_STATES: usize = 2_000;
const MOST_ON_TRACE: usize = 600;
const MOST_EDGES: usize = 8_000;

pub(crate) fn surroundings<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    fates: &Fates,
    counterexample: &Counterexample,
) -> Surroundings {
    let mut picture = Picture { system, fates, told: Surroundings::default(), numbers: FxHashMap::default() };
    let found = picture.rings(explored, counterexample);
    picture.edges(&found);
    picture.told
}

struct Picture<'a, T> {
    system: &'a T,
    fates: &'a Fates,
    told: Surroundings,
    /// The places of the states in the list.
    numbers: FxHashMap<u32, u64>,
}

impl<T: Transitions + Naming> Picture<'_, T> {
    /// Lists states, and gives them in the order of the list.
    fn rings(&mut self, explored: &Exploration, counterexample: &Counterexample) -> Vec<u32> {
        let states: Vec<u32> = counterexample.trace.states().collect();
        let decisive = counterexample.notes.iter().position(|note| note.is_point_of_no_return());
        let decisive = decisive.unwrap_or(states.len() - 1);
        let first =
            decisive.saturating_sub(MOST_ON_TRACE / 2).min(states.len().saturating_sub(MOST_ON_TRACE));
        let window = first..states.len().min(first + MOST_ON_TRACE);
        self.told.cut |= window.len() < states.len();
        let mut found = Vec::new();
        for step in window.clone() {
            self.add(states[step], Some(step as u64), &mut found);
        }
        // What is near where it is decided comes first.
        let mut order: Vec<usize> = window.collect();
        order.sort_by_key(|step| step.abs_diff(decisive));
        let mut queue: VecDeque<u32> = order.into_iter().map(|step| states[step]).collect();
        while let Some(state) = queue.pop_front() {
            // A trace ends with its violation.
            if self.system.is_violating(state) || !explored.is_reached(state) {
                continue;
            }
            let mut targets = Vec::new();
            self.system.successors(state, |_, target| targets.push(target));
            for target in targets {
                let is_new = target != OUTSIDE && !self.numbers.contains_key(&target);
                if is_new && found.len() >= MOST_STATES {
                    self.told.cut = true;
                } else if is_new {
                    self.add(target, None, &mut found);
                    queue.push_back(target);
                }
            }
        }
        found
    }

    fn add(&mut self, state: u32, step: Option<u64>, found: &mut Vec<u32>) {
        if self.numbers.contains_key(&state) {
            return;
        }
        self.numbers.insert(state, found.len() as u64);
        found.push(state);
        self.told.states.push(StateNearby {
            state: Some(self.system.state_id(state)),
            fate: self.fates.of(state),
            step,
            violating: self.system.is_violating(state),
            hidden: 0,
        });
    }

    /// Lists the edges between the states of the list.
    fn edges(&mut self, found: &[u32]) {
        let mut labels: FxHashMap<u32, u64> = FxHashMap::default();
        for (from, state) in (0..).zip(found) {
            if self.system.is_violating(*state) {
                continue;
            }
            let mut outside = None;
            let mut edges = Vec::new();
            self.system.successors(*state, |label, target| edges.push((label, target)));
            for (label, target) in edges {
                let known = if target == OUTSIDE {
                    Some(*outside.get_or_insert_with(|| self.add_outside()))
                } else {
                    self.numbers.get(&target).copied()
                };
                let Some(to) = known.filter(|_| self.told.edges.len() < MOST_EDGES) else {
                    self.told.states[from as usize].hidden += 1;
                    self.told.cut = true;
                    continue;
                };
                let label = *labels.entry(label).or_insert_with(|| {
                    self.told.labels.push(self.system.label(label));
                    self.told.labels.len() as u64 - 1
                });
                self.told.edges.push(EdgeNearby { from, to, label });
            }
        }
    }

    /// One state for all that lies beyond a state where no violation can come any more.
    fn add_outside(&mut self) -> u64 {
        self.told.states.push(StateNearby {
            state: None,
            fate: graph::Fate::Safe,
            step: None,
            violating: false,
            hidden: 0,
        });
        self.told.states.len() as u64 - 1
    }
}
