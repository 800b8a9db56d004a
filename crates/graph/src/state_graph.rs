//! States and labelled edges in compressed rows.
//!
//! The edges of state `s` lie side by side in one array, sorted by label and then target, without
//! repetition; `offsets` says where each state's edges start. Eight bytes an edge, four a state.

use thiserror::Error;

use crate::{Labels, StateNames, StateVariables};

/// A labelled edge as seen from one end: `state` is the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub label: u32,
    pub state: u32,
}

/// The whole behaviour of a system, with the names its states and steps have in the input.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    pub labels: Labels,
    pub names: StateNames,
    pub variables: Option<StateVariables>,
    initial: Vec<u32>,
    rows: Rows,
}

impl StateGraph {
    pub fn state_count(&self) -> usize {
        self.rows.len()
    }

    pub fn edge_count(&self) -> usize {
        self.rows.edges.len()
    }

    /// The initial states, ascending; never empty in a graph that a reader or a search made.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    pub fn edges(&self, state: u32) -> &[Edge] {
        self.rows.of(state)
    }

    /// Adds states without edges at the end.
    pub fn add_states(&mut self, count: usize) {
        let edges = self.rows.edges.len() as u32;
        if self.rows.offsets.is_empty() {
            self.rows.offsets.push(0);
        }
        self.rows.offsets.extend(std::iter::repeat_n(edges, count));
    }

    /// Takes the last states away again, which have no edges and to which none leads.
    pub fn remove_states(&mut self, count: usize) {
        let left = self.rows.offsets.len().saturating_sub(count);
        self.rows.offsets.truncate(left);
    }

    /// Lets an edge of `source` lead to `target` instead; nothing happens if there is no such edge.
    ///
    /// # Panics
    /// If `target` is no state.
    pub fn redirect(&mut self, source: u32, edge: Edge, target: u32) {
        assert!((target as usize) < self.state_count(), "edge to a state outside");
        let source = source as usize;
        let row = self.rows.offsets[source] as usize..self.rows.offsets[source + 1] as usize;
        let row = &mut self.rows.edges[row];
        if let Ok(at) = row.binary_search(&edge) {
            row[at].state = target;
            row.sort_unstable();
        }
    }

    /// A graph over states `0..states` that these states and edges are mapped to. A state becomes the source
    /// `source_of` says, or its edges are left out; an edge of such a state becomes the one that `edge_of` says
    /// for the new source, or is left out. An edge becomes at most one, so there cannot be too many of them.
    ///
    /// # Panics
    /// If an edge or an initial state lies outside.
    pub fn image(
        &self,
        states: usize,
        initial: Vec<u32>,
        source_of: impl Fn(u32) -> Option<u32>,
        mut edge_of: impl FnMut(u32, Edge) -> Option<Edge>,
    ) -> Self {
        let mut builder = GraphBuilder { labels: self.labels.clone(), ..GraphBuilder::new() };
        for state in 0..self.state_count() as u32 {
            let Some(source) = source_of(state) else { continue };
            for edge in self.edges(state).iter().filter_map(|edge| edge_of(source, *edge)) {
                builder.edge(source, edge.label, edge.state);
            }
        }
        builder.in_rows(states, initial)
    }

    /// The same edges, found from their targets.
    pub fn reverse(&self) -> Reverse {
        let mut counts = vec![0u32; self.state_count() + 1];
        for edge in &self.rows.edges {
            counts[edge.state as usize] += 1;
        }
        let mut next = counts;
        let offsets = starts(&mut next);
        let mut edges = vec![Edge { label: 0, state: 0 }; self.edge_count()];
        for source in 0..self.state_count() as u32 {
            for edge in self.edges(source) {
                let slot = &mut next[edge.state as usize];
                edges[*slot as usize] = Edge { label: edge.label, state: source };
                *slot += 1;
            }
        }
        Reverse { rows: Rows { offsets, edges } }
    }
}

/// The edges of a graph by target; in [`Edge::state`] stands the source.
#[derive(Clone, Debug, Default)]
pub struct Reverse {
    rows: Rows,
}

impl Reverse {
    pub fn edges(&self, state: u32) -> &[Edge] {
        self.rows.of(state)
    }
}

#[derive(Clone, Debug, Default)]
struct Rows {
    /// One more than there are states, or none at all.
    offsets: Vec<u32>,
    edges: Vec<Edge>,
}

impl Rows {
    fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    #[inline]
    fn of(&self, state: u32) -> &[Edge] {
        let state = state as usize;
        &self.edges[self.offsets[state] as usize..self.offsets[state + 1] as usize]
    }
}

/// Turns counts into row starts: afterwards `counts[s]` is where row `s` starts, too, so that it can
/// be counted up while the rows are filled.
fn starts(counts: &mut [u32]) -> Vec<u32> {
    let mut offsets = Vec::with_capacity(counts.len());
    let mut sum = 0;
    for count in counts.iter_mut() {
        offsets.push(sum);
        sum += std::mem::replace(count, sum);
    }
    offsets
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("more than 4,294,967,295 transitions")]
pub struct TooManyEdges;

/// Collects edges in any order and makes a [`StateGraph`] of them.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    pub labels: Labels,
    sources: Vec<u32>,
    edges: Vec<Edge>,
    unsorted: bool,
}

impl GraphBuilder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn reserve(&mut self, edges: usize) {
        self.sources.reserve(edges);
        self.edges.reserve(edges);
    }

    /// Adds an edge; repeated ones are dropped at the end.
    #[inline]
    pub fn edge(&mut self, source: u32, label: u32, target: u32) {
        self.unsorted |= self.sources.last().is_some_and(|last| *last > source);
        self.sources.push(source);
        self.edges.push(Edge { label, state: target });
    }

    /// How many edges were added, repetitions included.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The graph over states `0..states`.
    ///
    /// # Panics
    /// If an edge or an initial state lies outside.
    pub fn finish(self, states: usize, initial: Vec<u32>) -> Result<StateGraph, TooManyEdges> {
        u32::try_from(self.edges.len()).map_err(|_| TooManyEdges)?;
        Ok(self.in_rows(states, initial))
    }

    /// The graph of edges whose number is known to fit into 32 bits.
    fn in_rows(self, states: usize, mut initial: Vec<u32>) -> StateGraph {
        let Self { labels, sources, mut edges, unsorted } = self;
        assert!(edges.iter().all(|edge| (edge.state as usize) < states), "edge to a state outside");
        let mut next = vec![0u32; states + 1];
        for source in &sources {
            next[*source as usize] += 1;
        }
        assert_eq!(next[states], 0, "edge from a state outside");
        let mut offsets = starts(&mut next);
        if unsorted {
            // Files are mostly written state by state; only others pay for a second array.
            let mut rows = vec![Edge { label: 0, state: 0 }; edges.len()];
            for (source, edge) in sources.iter().zip(&edges) {
                let slot = &mut next[*source as usize];
                rows[*slot as usize] = *edge;
                *slot += 1;
            }
            edges = rows;
        }
        drop((sources, next));
        sort_rows(&mut offsets, &mut edges);
        initial.sort_unstable();
        initial.dedup();
        assert!(initial.iter().all(|state| (*state as usize) < states), "initial state outside");
        StateGraph {
            labels,
            names: StateNames::default(),
            variables: None,
            initial,
            rows: Rows { offsets, edges },
        }
    }
}

/// Sorts every row and closes the gaps that repeated edges leave.
fn sort_rows(offsets: &mut [u32], edges: &mut Vec<Edge>) {
    let mut kept = 0;
    for state in 0..offsets.len().saturating_sub(1) {
        let (start, end) = (offsets[state] as usize, offsets[state + 1] as usize);
        edges[start..end].sort_unstable();
        offsets[state] = kept as u32;
        let mut previous = None;
        for at in start..end {
            let edge = edges[at];
            if previous != Some(edge) {
                edges[kept] = edge;
                kept += 1;
                previous = Some(edge);
            }
        }
    }
    if let Some(last) = offsets.last_mut() {
        *last = kept as u32;
    }
    edges.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(states: usize, edges: &[(u32, u32, u32)]) -> StateGraph {
        let mut builder = GraphBuilder::new();
        for label in ["a", "b", "c"] {
            builder.labels.intern(label);
        }
        for (source, label, target) in edges {
            builder.edge(*source, *label, *target);
        }
        builder.finish(states, vec![0]).unwrap()
    }

    fn list(edges: &[Edge]) -> Vec<(u32, u32)> {
        edges.iter().map(|edge| (edge.label, edge.state)).collect()
    }

    #[test]
    fn an_image_has_what_states_and_edges_become() {
        let graph = graph(4, &[(0, 0, 1), (0, 1, 2), (1, 0, 3), (2, 0, 3), (3, 2, 0)]);
        // States 1 and 2 become one, state 3 has no edges any more, and no edge has the label `b`.
        let number_of = [0, 1, 1, 2];
        let image = graph.image(
            3,
            vec![0],
            |state| Some(number_of[state as usize]).filter(|number| *number != 2),
            |source, edge| {
                assert!(source < 2);
                let state = number_of[edge.state as usize];
                (edge.label != 1).then_some(Edge { state, ..edge })
            },
        );
        assert_eq!([0, 1, 2].map(|state| list(image.edges(state))), [vec![(0, 1)], vec![(0, 2)], vec![]]);
        assert_eq!((image.state_count(), image.edge_count(), image.initial()), (3, 2, &[0][..]));
        assert_eq!(image.labels.len(), 3);
    }

    #[test]
    fn rows_are_sorted_and_free_of_repetition() {
        let graph = graph(
            4,
            &[
                (2, 1, 0),
                (0, 1, 2),
                (0, 0, 1),
                (0, 1, 2),
                (2, 1, 0),
                (2, 0, 3),
                (2, 1, 0),
                (3, 2, 3),
                (0, 0, 0),
            ],
        );
        assert_eq!(list(graph.edges(0)), [(0, 0), (0, 1), (1, 2)]);
        assert_eq!(list(graph.edges(1)), []);
        assert_eq!(list(graph.edges(2)), [(0, 3), (1, 0)]);
        assert_eq!(list(graph.edges(3)), [(2, 3)]);
        assert_eq!(graph.edge_count(), 6);
    }

    #[test]
    fn reverse_holds_the_same_edges() {
        let graph = graph(3, &[(0, 0, 1), (0, 1, 1), (1, 0, 2), (2, 2, 1)]);
        let reverse = graph.reverse();
        assert_eq!(list(reverse.edges(0)), []);
        assert_eq!(list(reverse.edges(1)), [(0, 0), (1, 0), (2, 2)]);
        assert_eq!(list(reverse.edges(2)), [(0, 1)]);
    }

    #[test]
    fn a_graph_without_edges_has_states() {
        let graph = graph(2, &[]);
        assert_eq!((graph.state_count(), graph.edge_count()), (2, 0));
        assert!(graph.reverse().edges(1).is_empty());
    }
}
