//! Making an automaton smaller without changing its language.
//!
//! [`Generalised::reduce`] is for the automaton as the tableau gives it, [`reduce_accepting_states`] for
//! the one with accepting states. Both repeat what helps until nothing gets smaller: dropping states
//! without hope, joining states with the same edges, simulation. In between, states that do not decide
//! whether a run is accepted may be counted as accepting or not, whichever makes more states alike.

use std::collections::HashMap;

use super::components::Components;
use super::degeneralise::WAITING;
use super::generalised::{Arrow, Generalised, change_guards};
use super::guard;

/// Simulation compares all edges with all edges; with more than this it is left out.
const MAX_EDGES_FOR_SIMULATION: usize = 2_500;

impl Generalised {
    /// Prunes, joins and simulates until nothing gets smaller.
    pub(super) fn reduce(&mut self) {
        self.repeat(|automaton| {
            automaton.normalise_promises();
            if automaton.edges() <= MAX_EDGES_FOR_SIMULATION {
                automaton.reduce_forwards();
            }
        });
    }

    fn repeat(&mut self, step: impl Fn(&mut Self)) {
        loop {
            let before = self.size();
            self.prune();
            self.join_equal_states();
            self.simplify_guards();
            step(self);
            if self.size() >= before {
                return;
            }
        }
    }

    /// Joins states with the same edges into the same classes of states, by refining the partition with
    /// one class (Moore's way).
    fn join_equal_states(&mut self) {
        let mut class = vec![0; self.states.len()];
        let mut classes = 1;
        loop {
            let mut known: HashMap<(u32, Vec<Arrow>), u32> = HashMap::new();
            let refined: Vec<u32> = self
                .states
                .iter()
                .enumerate()
                .map(|(state, arrows)| {
                    let mut arrows: Vec<Arrow> =
                        arrows.iter().map(|arrow| Arrow { to: class[arrow.to as usize], ..*arrow }).collect();
                    arrows.sort_unstable();
                    arrows.dedup();
                    let fresh = known.len() as u32;
                    *known.entry((class[state], arrows)).or_insert(fresh)
                })
                .collect();
            let stable = known.len() == classes;
            (class, classes) = (refined, known.len());
            if stable {
                break;
            }
        }
        let mut first = vec![u32::MAX; classes];
        for (state, class) in class.iter().enumerate().rev() {
            first[*class as usize] = state as u32;
        }
        let representative: Vec<u32> = class.iter().map(|class| first[*class as usize]).collect();
        self.join(&representative);
    }

    /// Writes the guards of parallel edges in a shorter way.
    fn simplify_guards(&mut self) {
        for arrows in &mut self.states {
            change_guards(arrows, guard::simplify);
        }
    }

    fn is_accepting(&self, state: usize) -> bool {
        self.states[state].first().is_some_and(|arrow| arrow.pending == 0)
    }

    fn set_accepting(&mut self, accepting: &[bool]) {
        for (arrows, accepting) in self.states.iter_mut().zip(accepting) {
            for arrow in arrows {
                arrow.pending = if *accepting { 0 } else { WAITING };
            }
        }
    }

    /// Lets every state accept through which no cycle leads that is not accepted anyway.
    fn accept_most(&mut self) {
        let accepting: Vec<bool> = (0..self.states.len()).map(|state| self.is_accepting(state)).collect();
        let rejecting_steps = |state: usize| {
            let from = !accepting[state];
            let accepting = &accepting;
            self.successors(state).filter(move |to| from && !accepting[*to])
        };
        let components = Components::of(self.states.len(), rejecting_steps);
        let rejected = components.with_cycles(rejecting_steps);
        let most: Vec<bool> =
            components.of_state.iter().map(|component| !rejected[*component as usize]).collect();
        self.set_accepting(&most);
    }

    /// Lets no state accept that is on no cycle.
    fn accept_on_cycles_only(&mut self) {
        let components = self.components();
        let cycles = components.with_cycles(|state| self.successors(state));
        let accepting: Vec<bool> = (0..self.states.len())
            .map(|state| self.is_accepting(state) && cycles[components.of_state[state] as usize])
            .collect();
        self.set_accepting(&accepting);
    }
}

/// The smallest automaton found; its states accept or not, as those of the given one do.
pub(super) fn reduce_accepting_states(automaton: Generalised) -> Generalised {
    let small = |mut automaton: Generalised, label: fn(&mut Generalised)| {
        automaton.repeat(|automaton| {
            label(automaton);
            if automaton.edges() <= MAX_EDGES_FOR_SIMULATION {
                automaton.reduce_forwards();
                label(automaton);
                automaton.reduce_backwards();
            }
        });
        automaton
    };
    let mut best = small(automaton, Generalised::accept_most);
    loop {
        let other = small(best.clone(), Generalised::accept_on_cycles_only);
        let again = small(other.clone(), Generalised::accept_most);
        let smaller = if other.size() < again.size() { other } else { again };
        if smaller.size() >= best.size() {
            return best;
        }
        best = smaller;
    }
}
