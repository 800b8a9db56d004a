//! Graphs of a known structure, with known classes.

use graph::{GraphBuilder, StateGraph};

/// A graph from (source, label, target); state 0 is initial.
pub fn graph_of(states: u32, edges: impl IntoIterator<Item = (u32, &'static str, u32)>) -> StateGraph {
    let mut builder = GraphBuilder::new();
    for (source, label, target) in edges {
        let label = builder.labels.intern(label);
        builder.edge(source, label, target);
    }
    builder.finish(states as usize, vec![0]).expect("a handful of edges")
}

/// `states` states in a circle under one label.
pub fn ring(states: u32) -> StateGraph {
    graph_of(states, (0..states).map(|state| (state, "a", (state + 1) % states)))
}

/// A chain of steps with one label that ends.
pub fn chain(label: &'static str, states: u32) -> StateGraph {
    graph_of(states, (1..states).map(|state| (state - 1, label, state)))
}

/// Silent steps in a circle, from whose middle `a` leads to a state where all is over.
pub fn silent_cycle(states: u32) -> StateGraph {
    let circle = (0..states).map(|state| (state, "tau", (state + 1) % states));
    graph_of(states + 1, circle.chain([(states / 2, "a", states)]))
}

/// `a` and `b` in either order, `stages` times.
pub fn diamonds(stages: u32) -> StateGraph {
    let one = |stage: u32| {
        let at = 3 * stage;
        [(at, "a", at + 1), (at, "b", at + 2), (at + 1, "b", at + 3), (at + 2, "a", at + 3)]
    };
    graph_of(3 * stages + 1, (0..stages).flat_map(one))
}

/// A complete binary tree of steps `a` (left) and `b` (right).
pub fn tree(depth: u32) -> StateGraph {
    let inner = (1 << depth) - 1;
    let children = |state| [(state, "a", 2 * state + 1), (state, "b", 2 * state + 2)];
    graph_of(2 * inner + 1, (0..inner).flat_map(children))
}

/// Two graphs side by side; the states of the second one follow those of the first, and both keep
/// their initial states.
pub fn union(first: &StateGraph, second: &StateGraph) -> StateGraph {
    let mut builder = GraphBuilder::new();
    let shift = first.state_count() as u32;
    for (graph, shift) in [(first, 0), (second, shift)] {
        for source in 0..graph.state_count() as u32 {
            for edge in graph.edges(source) {
                let label = builder.labels.intern(graph.labels.get(edge.label));
                builder.edge(source + shift, label, edge.state + shift);
            }
        }
    }
    let initial = first.initial().iter().copied().chain(second.initial().iter().map(|state| state + shift));
    let initial = initial.collect();
    builder.finish(first.state_count() + second.state_count(), initial).expect("a handful of edges")
}
