//! The whole behaviour of a model as a transition system, for other tools.
//!
//! A step that violates something leads to where nothing goes on. Where a trace may end, a step [`EXIT`]
//! leads to the end, as in LOTOS, so that what looks like a deadlock is one.

use graph::{GraphBuilder, StateGraph, Story, System, TooManyEdges};
use search::{Explored, Violation};

use crate::model_system::{Classes, ModelSystem};

/// The label of the step that ends a trace properly.
pub const EXIT: &str = "exit";

pub fn transition_system(
    system: &impl System,
    found: Explored,
    story: &impl Story,
) -> Result<StateGraph, TooManyEdges> {
    let classes = Classes::new(&found, story);
    let deadlocks: Vec<u32> = found
        .violations
        .iter()
        .filter_map(|violation| match violation {
            Violation::Deadlock { state } => Some(*state),
            Violation::Step { .. } => None,
        })
        .collect();
    // The states behind wrong steps come last; they have no edges and must stay so.
    let own = found.store.len() as u32;
    let graph = ModelSystem::new(system, found, story, &classes, |_| true).into_graph();
    let mut builder = GraphBuilder::new();
    let mut number = vec![u32::MAX; graph.state_count()];
    let mut order = graph.initial().to_vec();
    let mut labels = vec![u32::MAX; graph.labels.len()];
    order.iter().zip(0..).for_each(|(state, new)| number[*state as usize] = new);
    let initial = (0..order.len() as u32).collect();
    let mut next = 0;
    let mut ends = Vec::new();
    while let Some(state) = order.get(next).copied() {
        let edges = graph.edges(state);
        if edges.is_empty() && state < own && deadlocks.binary_search(&state).is_err() {
            ends.push(next as u32);
        }
        for edge in edges {
            let known = &mut number[edge.state as usize];
            if *known == u32::MAX {
                *known = order.len() as u32;
                order.push(edge.state);
            }
            let label = &mut labels[edge.label as usize];
            if *label == u32::MAX {
                *label = builder.labels.intern(graph.labels.get(edge.label));
            }
            builder.edge(next as u32, *label, *known);
        }
        next += 1;
    }
    let mut states = order.len();
    if !ends.is_empty() {
        let exit = builder.labels.intern(EXIT);
        for end in ends {
            builder.edge(end, exit, states as u32);
        }
        states += 1;
    }
    builder.finish(states, initial)
}
