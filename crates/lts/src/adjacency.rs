//! Edges by number, found from both ends.

use graph::StateGraph;

/// The edges of a graph, numbered by source, then label, then target.
pub(crate) struct Adjacency {
    pub(crate) source: Vec<u32>,
    pub(crate) label: Vec<u32>,
    pub(crate) target: Vec<u32>,
    out_offsets: Vec<u32>,
    in_edges: Vec<u32>,
    in_offsets: Vec<u32>,
    /// The sources of silent edges by target: what backward searches look at and nothing else.
    pub(crate) silent_sources: Vec<u32>,
    pub(crate) silent_offsets: Vec<u32>,
}

impl Adjacency {
    pub(crate) fn new(graph: &StateGraph, tau: u32) -> Self {
        let states = graph.state_count();
        let mut source = Vec::with_capacity(graph.edge_count());
        let mut label = Vec::with_capacity(graph.edge_count());
        let mut target = Vec::with_capacity(graph.edge_count());
        let mut out_offsets = Vec::with_capacity(states + 1);
        for state in 0..states as u32 {
            out_offsets.push(source.len() as u32);
            for edge in graph.edges(state) {
                source.push(state);
                label.push(edge.label);
                target.push(edge.state);
            }
        }
        out_offsets.push(source.len() as u32);
        let (in_offsets, in_edges) = by_target(states, &target, |_| true);
        let (silent_offsets, mut silent_sources) =
            by_target(states, &target, |edge| label[edge as usize] == tau);
        for edge in &mut silent_sources {
            *edge = source[*edge as usize];
        }
        Self { source, label, target, out_offsets, in_edges, in_offsets, silent_sources, silent_offsets }
    }

    pub(crate) fn states(&self) -> usize {
        self.out_offsets.len() - 1
    }

    /// The edges out of a state are consecutive.
    #[inline]
    pub(crate) fn outgoing(&self, state: u32) -> std::ops::Range<u32> {
        self.out_offsets[state as usize]..self.out_offsets[state as usize + 1]
    }

    /// The edges out of a state with a label.
    pub(crate) fn outgoing_with(&self, state: u32, label: u32) -> std::ops::Range<u32> {
        let all = self.outgoing(state);
        let labels = &self.label[all.start as usize..all.end as usize];
        let start = labels.partition_point(|other| *other < label);
        let length = labels[start..].partition_point(|other| *other == label);
        let start = all.start + start as u32;
        start..start + length as u32
    }

    #[inline]
    pub(crate) fn incoming(&self, state: u32) -> &[u32] {
        let (start, end) = (self.in_offsets[state as usize], self.in_offsets[state as usize + 1]);
        &self.in_edges[start as usize..end as usize]
    }

    #[inline]
    pub(crate) fn silent_incoming(&self, state: u32) -> &[u32] {
        let (start, end) = (self.silent_offsets[state as usize], self.silent_offsets[state as usize + 1]);
        &self.silent_sources[start as usize..end as usize]
    }
}

/// Some edges sorted by target: where those of each state start, and the edges.
fn by_target(states: usize, target: &[u32], chosen: impl Fn(u32) -> bool) -> (Vec<u32>, Vec<u32>) {
    let edges = || (0u32..).zip(target).filter(|(edge, _)| chosen(*edge));
    let mut next = vec![0u32; states + 1];
    for (_, target) in edges() {
        next[*target as usize] += 1;
    }
    let mut sum = 0;
    for slot in &mut next {
        sum += std::mem::replace(slot, sum);
    }
    let offsets = next.clone();
    let mut sorted = vec![0; sum as usize];
    for (edge, target) in edges() {
        let slot = &mut next[*target as usize];
        sorted[*slot as usize] = edge;
        *slot += 1;
    }
    (offsets, sorted)
}
