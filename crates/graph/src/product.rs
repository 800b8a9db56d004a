//! A graph together with the automaton of a property, never written out.
//!
//! The product state of graph state `s` and automaton state `q` has the number `s << shift | q`, so
//! that its edges are those of `s` with the automaton's move looked up: no second graph in memory.
//! Where the automaton dies the edge leads [`OUTSIDE`].

use thiserror::Error;

use crate::{Dfa, LabelClasses, OUTSIDE, Reverse, StateGraph, Transitions};

/// When a product state is violating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolatedWhen {
    /// The automaton accepts: the labels read so far are a forbidden sequence.
    Accepted,
    /// The automaton accepts and the graph state has no edge out: a deadlock.
    AcceptedAndStuck,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{states} states times {automaton} states of the property automaton are too many")]
pub struct ProductTooLarge {
    pub states: usize,
    pub automaton: usize,
}

#[derive(Debug)]
pub struct Product<'a> {
    graph: &'a StateGraph,
    reverse: Reverse,
    classes: &'a LabelClasses,
    dfa: &'a Dfa,
    violated_when: ViolatedWhen,
    shift: u32,
    /// `sources[starts[q * classes + c]..]`: the automaton states that read class `c` into `q`, without
    /// settled ones.
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl<'a> Product<'a> {
    pub fn new(
        graph: &'a StateGraph,
        classes: &'a LabelClasses,
        dfa: &'a Dfa,
        violated_when: ViolatedWhen,
    ) -> Result<Self, ProductTooLarge> {
        let shift = dfa.state_count().next_power_of_two().trailing_zeros();
        let too_large = ProductTooLarge { states: graph.state_count(), automaton: dfa.state_count() };
        if (graph.state_count() as u64) << shift >= u64::from(OUTSIDE) {
            return Err(too_large);
        }
        let (starts, sources) = invert(dfa, violated_when);
        Ok(Self { graph, reverse: graph.reverse(), classes, dfa, violated_when, shift, starts, sources })
    }

    pub fn graph(&self) -> &'a StateGraph {
        self.graph
    }

    /// The state of the graph that product state `state` is at.
    #[inline]
    pub fn graph_state(&self, state: u32) -> u32 {
        state >> self.shift
    }

    /// The state of the automaton that product state `state` is at.
    #[inline]
    pub fn automaton_state(&self, state: u32) -> u32 {
        state & ((1 << self.shift) - 1)
    }

    #[inline]
    fn join(&self, graph_state: u32, automaton_state: u32) -> u32 {
        graph_state << self.shift | automaton_state
    }
}

impl Transitions for Product<'_> {
    fn bound(&self) -> usize {
        self.graph.state_count() << self.shift
    }

    fn initial(&self) -> Vec<u32> {
        self.graph.initial().iter().map(|state| self.join(*state, self.dfa.initial())).collect()
    }

    #[inline]
    fn is_violating(&self, state: u32) -> bool {
        self.dfa.accepts(self.automaton_state(state))
            && match self.violated_when {
                ViolatedWhen::Accepted => true,
                ViolatedWhen::AcceptedAndStuck => self.degree(state) == 0,
            }
    }

    #[inline]
    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        let at = self.automaton_state(state);
        for edge in self.graph.edges(self.graph_state(state)) {
            let next = self.dfa.next(at, self.classes.of(edge.label));
            let target = if next == Dfa::DEAD { OUTSIDE } else { self.join(edge.state, next) };
            visit(edge.label, target);
        }
    }

    #[inline]
    fn predecessors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        let row = self.automaton_state(state) as usize * self.dfa.class_count() as usize;
        for edge in self.reverse.edges(self.graph_state(state)) {
            let slot = row + self.classes.of(edge.label) as usize;
            for from in &self.sources[self.starts[slot] as usize..self.starts[slot + 1] as usize] {
                visit(edge.label, self.join(edge.state, *from));
            }
        }
    }

    #[inline]
    fn degree(&self, state: u32) -> u32 {
        self.graph.edges(self.graph_state(state)).len() as u32
    }

    fn outside_bound(&self) -> usize {
        self.graph.state_count()
    }

    #[inline]
    fn leaving(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        let at = self.automaton_state(state);
        for edge in self.graph.edges(self.graph_state(state)) {
            if self.dfa.next(at, self.classes.of(edge.label)) == Dfa::DEAD {
                visit(edge.label, edge.state);
            }
        }
    }

    #[inline]
    fn outside_successors(&self, outside: u32, mut visit: impl FnMut(u32, u32)) {
        for edge in self.graph.edges(outside) {
            visit(edge.label, edge.state);
        }
    }
}

/// The automaton's moves by target and class. A state that accepts whatever comes is settled: once it
/// is entered every state is violating, so its moves are left out, and with them most of the edges of
/// a product whose violations are never taken back.
fn invert(dfa: &Dfa, violated_when: ViolatedWhen) -> (Vec<u32>, Vec<u32>) {
    let classes = dfa.class_count();
    let settled = |state: u32| {
        violated_when == ViolatedWhen::Accepted
            && dfa.accepts(state)
            && (0..classes).all(|class| dfa.next(state, class) == state)
    };
    let moves = |visit: &mut dyn FnMut(usize, u32)| {
        for state in (0..dfa.state_count() as u32).filter(|state| !settled(*state)) {
            for class in 0..classes {
                let next = dfa.next(state, class);
                if next != Dfa::DEAD {
                    visit((next * classes + class) as usize, state);
                }
            }
        }
    };
    let mut starts = vec![0u32; dfa.state_count() * classes as usize + 1];
    moves(&mut |slot, _| starts[slot + 1] += 1);
    for slot in 1..starts.len() {
        starts[slot] += starts[slot - 1];
    }
    let mut next = starts.clone();
    let mut sources = vec![0u32; starts.last().map_or(0, |end| *end as usize)];
    moves(&mut |slot, state| {
        sources[next[slot] as usize] = state;
        next[slot] += 1;
    });
    (starts, sources)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fixture, failed, fine, predecessors, successors};

    #[test]
    fn where_the_automaton_dies_the_edge_leads_outside() {
        let fixture = Fixture::new(3, &[(0, "go", 1), (0, "over", 1), (0, "bad", 2), (1, "go", 0)]);
        let product = fixture.product();
        let [go, over, bad] = ["go", "over", "bad"].map(|label| fixture.label(label));
        assert_eq!(successors(&product, fine(0)), [(go, fine(1)), (over, OUTSIDE), (bad, failed(2))]);
        assert_eq!(product.degree(fine(0)), 3, "edges outside are edges");
        assert_eq!((product.initial(), product.bound()), (vec![fine(0)], 6));
        assert_eq!((product.graph_state(failed(2)), product.automaton_state(failed(2))), (2, 1));
        assert!(product.is_violating(failed(2)) && !product.is_violating(fine(2)));
    }

    #[test]
    fn predecessors_are_found_through_both_halves() {
        let fixture = Fixture::new(2, &[(0, "go", 1), (0, "over", 1), (0, "bad", 1), (1, "go", 1)]);
        let product = fixture.product();
        let (go, bad) = (fixture.label("go"), fixture.label("bad"));
        assert_eq!(predecessors(&product, fine(1)), [(go, fine(0)), (go, fine(1))]);
        // What was bad stays bad, so nobody asks for the edges among failed states.
        assert_eq!(predecessors(&product, failed(1)), [(bad, fine(0))]);
    }

    #[test]
    fn a_deadlock_needs_both_halves() {
        let fixture = Fixture::new(2, &[(0, "bad", 1), (0, "go", 0)]);
        let product = fixture.product_when(ViolatedWhen::AcceptedAndStuck);
        assert!(product.is_violating(failed(1)));
        assert!(!product.is_violating(failed(0)), "it can go on");
        assert!(!product.is_violating(fine(1)), "to stop here is no harm");
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let fixture = Fixture::new(1, &[(0, "go", 0)]);
        let states = 1 << 18;
        let many = Dfa::new(0, vec![false; states], 1, vec![Dfa::DEAD; states]);
        let graph = crate::GraphBuilder::new().finish(1 << 14, vec![0]).expect("no edges");
        let refused = Product::new(&graph, fixture.classes(), &many, ViolatedWhen::Accepted);
        assert_eq!(refused.err(), Some(ProductTooLarge { states: 1 << 14, automaton: states }));
    }
}
