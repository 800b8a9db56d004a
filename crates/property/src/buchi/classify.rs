//! What can be told from the shape of an automaton: which states have decided, and whether accepted or
//! rejected words show themselves after finitely many letters.
//!
//! All answers are on the safe side: yes means yes, no may mean that it cannot be seen this easily.

use super::Automaton;
use super::components::Components;
use super::guard::{Effort, Guard};

/// What is spent on finding out whether a state has an edge for every letter.
const EFFORT: u64 = 20_000_000;

impl Automaton {
    /// The states from which every word is accepted. First those that stay among accepting states
    /// whatever is read, then those that come there whatever is read.
    pub fn settled(&self) -> Vec<bool> {
        let mut settled: Vec<bool> = self.accepting.clone();
        self.fix(&mut settled, |inside, always| inside && always);
        self.fix(&mut settled, |inside, always| inside || always);
        settled
    }

    /// Repeats `decide` for each state, given whether it is inside and whether each letter leads inside.
    fn fix(&self, inside: &mut [bool], decide: impl Fn(bool, bool) -> bool) {
        let mut guards = Vec::new();
        let mut effort = Effort::of(EFFORT);
        loop {
            let mut changed = false;
            for state in 0..self.states() {
                guards.clear();
                let edges = self.edges_from(state as u32).iter();
                guards.extend(edges.filter(|edge| inside[edge.to as usize]).map(|edge| edge.guard));
                let decided = decide(inside[state], Guard::TRUE.is_covered_by(&guards, &mut effort));
                changed |= decided != inside[state];
                inside[state] = decided;
            }
            if !changed {
                return;
            }
        }
    }

    /// The states from which no word is accepted.
    pub fn dead(&self) -> Vec<bool> {
        let live_components = self.accepting_components();
        let components = self.components();
        let mut live = vec![false; components.count];
        for state in components.by_component() {
            let component = components.of_state[state] as usize;
            live[component] |= live_components[component]
                || self
                    .edges_from(state as u32)
                    .iter()
                    .any(|edge| live[components.of_state[edge.to as usize] as usize]);
        }
        components.of_state.iter().map(|component| !live[*component as usize]).collect()
    }

    /// Whether every infinite run is accepted: a word that is rejected is so after finitely many letters.
    /// If this is the automaton of a property, the property is a safety property.
    pub fn is_safety(&self) -> bool {
        let dead = self.dead();
        // A run that is not accepted ends in a cycle without accepting states; among dead ones it may.
        let steps = |state: usize| {
            let from = !self.accepting[state] && !dead[state];
            self.successors(state).filter(move |to| from && !self.accepting[*to])
        };
        let components = Components::of(self.states(), steps);
        !components.with_cycles(steps).contains(&true)
    }

    /// Whether every accepted run settles: a word that is accepted is so after finitely many letters. If
    /// this is the automaton of the negation of a property, that one is a safety property: its violations
    /// are the traces that come to a settled state.
    pub fn is_guarantee(&self) -> bool {
        let settled = self.settled();
        let components = self.components();
        let accepting = self.accepting_components();
        (0..self.states()).all(|state| settled[state] || !accepting[components.of_state[state] as usize])
    }

    pub(super) fn components(&self) -> Components {
        Components::of(self.states(), |state| self.successors(state))
    }

    fn successors(&self, state: usize) -> impl Iterator<Item = usize> {
        self.edges_from(state as u32).iter().map(|edge| edge.to as usize)
    }

    /// The components in which an accepted run can stay.
    pub(super) fn accepting_components(&self) -> Vec<bool> {
        let components = self.components();
        let mut accepting = vec![false; components.count];
        for edge in &self.edges {
            let component = components.of_state[edge.from as usize];
            // An accepting state with an inner edge is on a cycle.
            accepting[component as usize] |=
                self.is_accepting(edge.from) && components.of_state[edge.to as usize] == component;
        }
        accepting
    }
}
