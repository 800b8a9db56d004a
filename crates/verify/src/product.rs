//! A transition system together with the automaton of a property, written out state by state.

use std::collections::HashMap;

use graph::{Dfa, LabelClasses, StateGraph, ViolatedWhen};

use crate::net::{Edge, Event, Net, Node};

/// The automaton of a property over the labels of a transition system.
#[derive(Clone, Copy, Debug)]
pub struct Automaton<'a> {
    pub dfa: &'a Dfa,
    pub classes: &'a LabelClasses,
    pub violated_when: ViolatedWhen,
}

/// The product, and the state of the transition system of each node; none if there are more nodes than `most`.
pub(crate) fn product(graph: &StateGraph, automaton: Automaton<'_>, most: u64) -> Option<(Net, Vec<u32>)> {
    let names = graph.labels.iter();
    let events = names.map(|name| Event { name: name.to_string(), actors: Vec::new(), number: None });
    let mut net = Net { events: events.collect(), ..Net::default() };
    let mut states: Vec<(u32, u32)> = Vec::new();
    let mut numbers: HashMap<(u32, u32), usize> = HashMap::new();
    for state in graph.initial() {
        let number = node(&mut net, &mut states, &mut numbers, (*state, automaton.dfa.initial()));
        net.initial.push(number);
    }
    let mut at = 0;
    while at < states.len() {
        if states.len() as u64 > most {
            return None;
        }
        let (state, reads) = states[at];
        let is_outside = reads == Dfa::DEAD;
        for edge in graph.edges(state) {
            let class = automaton.classes.of(edge.label);
            let next = if is_outside { Dfa::DEAD } else { automaton.dfa.next(reads, class) };
            let to = node(&mut net, &mut states, &mut numbers, (edge.state, next));
            net.nodes[at].edges.push(Edge { event: edge.label as usize, to });
        }
        let is_end = graph.edges(state).is_empty();
        let is_violated = !is_outside
            && automaton.dfa.accepts(reads)
            && match automaton.violated_when {
                ViolatedWhen::Accepted => true,
                ViolatedWhen::AcceptedAndStuck => is_end,
            };
        net.nodes[at].violation = is_violated.then_some(0);
        net.nodes[at].is_outside = is_outside;
        at += 1;
    }
    Some((net, states.into_iter().map(|(state, _)| state).collect()))
}

fn node(
    net: &mut Net,
    states: &mut Vec<(u32, u32)>,
    numbers: &mut HashMap<(u32, u32), usize>,
    state: (u32, u32),
) -> usize {
    *numbers.entry(state).or_insert_with(|| {
        net.nodes.push(Node::default());
        states.push(state);
        states.len() - 1
    })
}
