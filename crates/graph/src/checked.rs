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
    actors: Vec<Actors>,
    uninterrupted: BitSet,
}

impl Checked {
    /// Puts the marks on a graph; every violation is a target.
    pub fn new(mut graph: StateGraph, marks: Marks) -> Self {
        let first_wrong = graph.state_count() as u32;
        graph.add_states(marks.classes as usize);
        for step in marks.wrong {
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

    pub fn graph(&self) -> &StateGraph {
        &self.graph
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
