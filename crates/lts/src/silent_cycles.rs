//! Contracting cycles of silent steps.
//!
//! States on a cycle of silent steps can reach each other unseen, so they are branching bisimilar; each
//! strongly connected component under silent steps (Tarjan 1972, with an explicit stack) becomes one
//! state. Afterwards silent steps form no cycles, on which the refinement relies: whoever follows
//! silent steps comes to an end. All silent labels become one.

use std::borrow::Cow;

use graph::{Edge, GraphBuilder, Interrupt, StateGraph};

use crate::pulse::Pulse;
use crate::quotient::finish;

/// A graph without silent cycles.
pub(crate) struct Contraction<'a> {
    pub(crate) graph: Cow<'a, StateGraph>,
    /// What each state became; nothing if it is the original graph.
    pub(crate) state_of: Option<Vec<u32>>,
    /// The one silent label, if there is any.
    pub(crate) tau: Option<u32>,
}

/// `silent` says of every label whether it is.
pub(crate) fn contract<'a>(
    graph: &'a StateGraph,
    silent: &[bool],
    pulse: &mut Pulse<'_>,
) -> Result<Contraction<'a>, Interrupt> {
    let tau = silent.iter().position(|silent| *silent).map(|label| label as u32);
    let Some(tau_label) = tau else {
        return Ok(Contraction { graph: Cow::Borrowed(graph), state_of: None, tau });
    };
    let (component_of, count) = components(graph, silent, pulse)?;
    let mut builder = GraphBuilder::new();
    builder.labels = graph.labels.clone();
    builder.reserve(graph.edge_count());
    for (state, source) in component_of.iter().enumerate() {
        for Edge { label, state: target } in graph.edges(state as u32) {
            let target = component_of[*target as usize];
            if !silent[*label as usize] {
                builder.edge(*source, *label, target);
            } else if *source != target {
                builder.edge(*source, tau_label, target);
            }
        }
    }
    let initial = graph.initial().iter().map(|state| component_of[*state as usize]).collect();
    let graph = Cow::Owned(finish(builder, count, initial));
    Ok(Contraction { graph, state_of: Some(component_of), tau })
}

/// The component of every state, numbered by first state, and how many there are.
fn components(
    graph: &StateGraph,
    silent: &[bool],
    pulse: &mut Pulse<'_>,
) -> Result<(Vec<u32>, usize), Interrupt> {
    const NEW: u32 = u32::MAX;
    const DONE: u32 = u32::MAX - 1;
    struct Frame {
        state: u32,
        next_edge: u32,
        lowest: u32,
    }
    let states = graph.state_count();
    // When a state was entered; NEW before and DONE after its component is known.
    let mut entered = vec![NEW; states];
    let mut root_of = vec![0; states];
    let mut clock = 0;
    let mut frames: Vec<Frame> = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    for start in 0..states as u32 {
        let mut enter = (entered[start as usize] == NEW).then_some(start);
        loop {
            if let Some(state) = enter.take() {
                entered[state as usize] = clock;
                frames.push(Frame { state, next_edge: 0, lowest: clock });
                open.push(state);
                clock += 1;
            }
            let Some(frame) = frames.last_mut() else { break };
            let edges = graph.edges(frame.state);
            while let Some(edge) = edges.get(frame.next_edge as usize) {
                frame.next_edge += 1;
                if !silent[edge.label as usize] {
                    continue;
                }
                match entered[edge.state as usize] {
                    DONE => {}
                    NEW => {
                        enter = Some(edge.state);
                        break;
                    }
                    time => frame.lowest = frame.lowest.min(time),
                }
            }
            if enter.is_some() {
                continue;
            }
            pulse.work(edges.len() + 1, states)?;
            let Frame { state, lowest, .. } = *frame;
            frames.pop();
            if lowest == entered[state as usize] {
                while let Some(member) = open.pop() {
                    entered[member as usize] = DONE;
                    root_of[member as usize] = state;
                    if member == state {
                        break;
                    }
                }
            } else if let Some(parent) = frames.last_mut() {
                parent.lowest = parent.lowest.min(lowest);
            }
        }
    }
    // Number the components in the order of their first states: neighbours in the file stay neighbours.
    let mut number_of_root = vec![NEW; states];
    let mut count = 0;
    for root in &mut root_of {
        let number = &mut number_of_root[*root as usize];
        if *number == NEW {
            *number = count;
            count += 1;
        }
        *root = *number;
    }
    Ok((root_of, count as usize))
}
