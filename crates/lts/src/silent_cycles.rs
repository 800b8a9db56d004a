//! Contracting cycles of silent steps.
//!
//! States on a cycle of silent steps can reach each other unseen, so they are branching bisimilar; each
//! strongly connected component under silent steps (Tarjan 1972, with an explicit stack) becomes one
//! state. Afterwards silent steps form no cycles, on which the refinement relies: whoever follows
//! silent steps comes to an end. All silent labels become one.

use std::borrow::Cow;

use graph::{Edge, Interrupt, StateGraph};

use crate::pulse::Pulse;

/// A graph without silent cycles.
pub(crate) struct Contraction<'a> {
    pub(crate) graph: Cow<'a, StateGraph>,
    /// What each state became; nothing if it is the original graph.
    pub(crate) state_of: Option<Vec<u32>>,
    /// What is silent, if there are any silent steps left.
    pub(crate) silence: Option<Silence>,
}

pub(crate) struct Silence {
    pub(crate) tau: u32,
    /// All states, each after the targets of its silent steps.
    pub(crate) order: Vec<u32>,
}

/// `silent` says of every label whether it is.
pub(crate) fn contract<'a>(
    graph: &'a StateGraph,
    silent: &[bool],
    pulse: &mut Pulse<'_>,
) -> Result<Contraction<'a>, Interrupt> {
    let Some(tau) = silent.iter().position(|silent| *silent) else {
        return Ok(Contraction { graph: Cow::Borrowed(graph), state_of: None, silence: None });
    };
    let tau = tau as u32;
    let (component_of, order) = components(graph, silent, pulse)?;
    let component = |state: u32| component_of[state as usize];
    let initial = graph.initial().iter().map(|state| component(*state)).collect();
    let mut silent_steps = false;
    let contracted = graph.image(
        order.len(),
        initial,
        |state| Some(component(state)),
        |source, Edge { label, state }| {
            let state = component(state);
            if !silent[label as usize] {
                return Some(Edge { label, state });
            }
            let stays = source != state;
            silent_steps |= stays;
            stays.then_some(Edge { label: tau, state })
        },
    );
    let graph = Cow::Owned(contracted);
    let silence = silent_steps.then_some(Silence { tau, order });
    Ok(Contraction { graph, state_of: Some(component_of), silence })
}

/// The component of every state, numbered by first state; and all components, each after those that it
/// reaches.
fn components(
    graph: &StateGraph,
    silent: &[bool],
    pulse: &mut Pulse<'_>,
) -> Result<(Vec<u32>, Vec<u32>), Interrupt> {
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
    let mut roots: Vec<u32> = Vec::new();
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
                roots.push(state);
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
    for root in &mut roots {
        *root = number_of_root[*root as usize];
    }
    Ok((root_of, roots))
}
