//! A graph that knows its own violations: deadlocks, and steps that went wrong.
//!
//! A step that violates something (a failed assertion, a fault) leads to a state of its own from which
//! nothing leads on, one for every class of violation, so that for every method a violation ends the
//! trace. What a search found behind such a step is no longer reached through it.

use crate::{Actors, BitSet, Edge, Reverse, StateGraph, Transitions};

/// A step that is wrong, and in which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongStep {
    pub source: u32,
    pub edge: Edge,
    pub class: u32,
}

/// What is known of a graph besides its edges.
#[derive(Debug, Default)]
pub struct Marks {
    /// States without edges in which a trace must not end.
    pub deadlocks: Vec<u32>,
    /// How many classes of wrong steps there are.
    pub classes: u32,
    pub wrong: Vec<WrongStep>,
    /// States whose edges are not known.
    pub open: Vec<u32>,
    /// Who takes the steps with each label; empty where there are no processes.
    pub actors: Vec<Actors>,
    /// States inside sequences that nothing interrupts.
    pub uninterrupted: Vec<u32>,
}

#[derive(Debug)]
pub struct Checked {
    graph: StateGraph,
    reverse: Reverse,
    violating: BitSet,
    targets: BitSet,
    open: BitSet,
    /// The first of the states that wrong steps lead to.
    first_wrong: u32,
    wrong: Vec<WrongStep>,
    actors: Vec<Actors>,
    uninterrupted: BitSet,
}

impl Checked {
    /// Puts the marks on a graph; every violation is a target.
    pub fn new(mut graph: StateGraph, marks: Marks) -> Self {
        let first_wrong = graph.state_count() as u32;
        graph.add_states(marks.classes as usize);
        for step in &marks.wrong {
            graph.redirect(step.source, step.edge, first_wrong + step.class);
        }
        let bound = graph.state_count();
        let set = |states: &mut dyn Iterator<Item = u32>| {
            let mut set = BitSet::new(bound);
            states.for_each(|state| {
                set.insert(state);
            });
            set
        };
        let wrong = first_wrong..first_wrong + marks.classes;
        let violating = set(&mut marks.deadlocks.into_iter().chain(wrong));
        Self {
            reverse: graph.reverse(),
            targets: violating.clone(),
            violating,
            open: set(&mut marks.open.into_iter()),
            first_wrong,
            wrong: marks.wrong,
            actors: marks.actors,
            uninterrupted: set(&mut marks.uninterrupted.into_iter()),
            graph,
        }
    }

    /// Makes targets of the violations of some classes only; the class of a deadlock is `None`.
    pub fn aim(&mut self, at: impl Fn(Option<u32>) -> bool) {
        let mut targets = BitSet::new(self.graph.state_count());
        for state in self.violating.iter().filter(|state| at(self.class(*state))) {
            targets.insert(state);
        }
        self.targets = targets;
    }

    /// Lets wrong steps of all classes but one lead to where they led before.
    pub fn forgive_all_but(&mut self, class: Option<u32>) {
        let first = self.first_wrong;
        for step in self.wrong.iter().filter(|step| Some(step.class) != class) {
            let edge = Edge { label: step.edge.label, state: first + step.class };
            self.graph.redirect(step.source, edge, step.edge.state);
        }
        self.wrong.retain(|step| Some(step.class) == class);
        self.reverse = self.graph.reverse();
    }

    pub fn graph(&self) -> &StateGraph {
        &self.graph
    }

    pub fn into_graph(self) -> StateGraph {
        self.graph
    }

    /// The graph as it was before it was marked.
    pub fn unmarked(mut self) -> StateGraph {
        let first = self.first_wrong;
        for step in &self.wrong {
            let edge = Edge { label: step.edge.label, state: first + step.class };
            self.graph.redirect(step.source, edge, step.edge.state);
        }
        self.graph.remove_states(self.graph.state_count() - first as usize);
        self.graph
    }

    /// The class of the wrong steps that lead to `state`; none for a state of the system itself.
    pub fn class(&self, state: u32) -> Option<u32> {
        state.checked_sub(self.first_wrong)
    }
}

impl Transitions for Checked {
    fn bound(&self) -> usize {
        self.graph.state_count()
    }

    fn initial(&self) -> Vec<u32> {
        self.graph.initial().to_vec()
    }

    #[inline]
    fn is_violating(&self, state: u32) -> bool {
        self.violating.contains(state)
    }

    #[inline]
    fn is_target(&self, state: u32) -> bool {
        self.targets.contains(state)
    }

    fn is_shared_end(&self, state: u32) -> bool {
        self.class(state).is_some()
    }

    #[inline]
    fn is_open(&self, state: u32) -> bool {
        self.open.contains(state)
    }

    fn has_processes(&self) -> bool {
        !self.actors.is_empty()
    }

    #[inline]
    fn actors(&self, label: u32) -> Actors {
        self.actors.get(label as usize).copied().unwrap_or(Actors::NONE)
    }

    #[inline]
    fn is_uninterrupted(&self, state: u32) -> bool {
        self.uninterrupted.contains(state)
    }

    #[inline]
    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        for edge in self.graph.edges(state) {
            visit(edge.label, edge.state);
        }
    }

    #[inline]
    fn predecessors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        for edge in self.reverse.edges(state) {
            visit(edge.label, edge.state);
        }
    }

    #[inline]
    fn degree(&self, state: u32) -> u32 {
        self.graph.edges(state).len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fixture, successors};

    #[test]
    fn wrong_steps_end_and_can_be_forgiven() {
        let fixture = Fixture::new(4, &[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)]);
        let [a, b, c] = ["a", "b", "c"].map(|label| fixture.label(label));
        let wrong = |source, label, state, class| WrongStep { source, edge: Edge { label, state }, class };
        let wrong = vec![wrong(0, a, 1, 0), wrong(2, c, 3, 1)];
        let marks = Marks { deadlocks: vec![3], classes: 2, wrong, ..Marks::default() };
        let mut checked = Checked::new(fixture.into_graph(), marks);
        assert_eq!(successors(&checked, 0), [(a, 2), (a, 4)]);
        assert_eq!(successors(&checked, 2), [(c, 5)]);
        assert!([3, 4, 5].iter().all(|state| checked.is_violating(*state) && checked.is_target(*state)));
        checked.aim(|class| class == Some(1));
        assert_eq!([3, 4, 5].map(|state| checked.is_target(state)), [false, false, true]);
        checked.forgive_all_but(Some(1));
        assert_eq!(successors(&checked, 0), [(a, 1), (a, 2)]);
        assert_eq!((successors(&checked, 1), successors(&checked, 2)), (vec![(b, 3)], vec![(c, 5)]));
        assert_eq!(checked.class(5), Some(1));
    }
}
