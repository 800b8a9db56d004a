//! How many edges share source, label and target constellation.
//!
//! Edges that do share a counter (Paige and Tarjan). When a block is taken out of its constellation, the
//! edges into it move to counters of their own, and what is left on the old ones tells which sources
//! can still reach the rest.

use graph::StateGraph;

const NONE: u32 = u32::MAX;

pub(crate) struct Counters {
    values: Vec<u32>,
    free: Vec<u32>,
    /// Per state the counter to which its edges are moving.
    fresh: Vec<u32>,
    /// Those states, each with the counter from which its edges move.
    moving: Vec<(u32, u32)>,
}

impl Counters {
    pub(crate) fn new(states: usize) -> Self {
        Self { values: Vec::new(), free: Vec::new(), fresh: vec![NONE; states], moving: Vec::new() }
    }

    /// A counter for every label of every state: right if there is one constellation. Returns the
    /// counter of every edge.
    pub(crate) fn by_label(graph: &StateGraph) -> (Self, Vec<u32>) {
        let mut counters = Self::new(graph.state_count());
        let mut counter_of = Vec::with_capacity(graph.edge_count());
        for state in 0..graph.state_count() as u32 {
            for run in graph.edges(state).chunk_by(|one, other| one.label == other.label) {
                let counter = counters.add(run.len());
                counter_of.extend(run.iter().map(|_| counter));
            }
        }
        (counters, counter_of)
    }

    /// A new counter that counts so many edges.
    #[inline]
    pub(crate) fn add(&mut self, edges: usize) -> u32 {
        self.values.push(edges as u32);
        self.values.len() as u32 - 1
    }

    /// Moves an edge, counted by `counter`, to the new counter of its source; true if it is the first
    /// edge of its source to move.
    #[inline]
    pub(crate) fn shift(&mut self, source: u32, counter: &mut u32) -> bool {
        let fresh = &mut self.fresh[source as usize];
        let first = *fresh == NONE;
        if first {
            *fresh = self.free.pop().unwrap_or_else(|| {
                self.values.push(0);
                self.values.len() as u32 - 1
            });
            self.moving.push((source, *counter));
        }
        self.values[*fresh as usize] += 1;
        self.values[*counter as usize] -= 1;
        *counter = *fresh;
        first
    }

    /// Ends the move: calls `left_behind` with every source that has edges left on its old counter.
    #[inline]
    pub(crate) fn settle(&mut self, mut left_behind: impl FnMut(u32)) {
        for (source, old) in self.moving.drain(..) {
            self.fresh[source as usize] = NONE;
            if self.values[old as usize] == 0 {
                self.free.push(old);
            } else {
                left_behind(source);
            }
        }
    }
}
