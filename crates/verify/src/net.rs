//! A graph whose violations end traces: what every claim about failing and passing traces is tested on.
//!
//! A node is a state of the input, or of its product with the automaton of a property; a step that is wrong leads to a
//! node of its own, one for each class of violations, from which nothing leads on.

use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The number of the event in [`Net::events`].
    pub(crate) event: usize,
    pub(crate) to: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) edges: Vec<Edge>,
    /// The class of the violation that a trace has come to here.
    pub(crate) violation: Option<usize>,
    /// Whether the state lies inside a sequence that nothing interrupts.
    pub(crate) is_uninterrupted: bool,
    /// Whether the property has come to where no violation can come any more; reports do not count such states.
    pub(crate) is_outside: bool,
    /// Whether it stands for the ends of all wrong steps of a class.
    pub(crate) ends_wrong_steps: bool,
}

/// Something that can happen.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// A name that no other event has.
    pub(crate) name: String,
    /// The processes that take part.
    pub(crate) actors: Vec<u8>,
    /// As the system numbers it, where it does.
    pub(crate) number: Option<u64>,
}

#[derive(Debug, Default)]
pub(crate) struct Net {
    pub(crate) nodes: Vec<Node>,
    pub(crate) initial: Vec<usize>,
    pub(crate) events: Vec<Event>,
    /// The class that is explained.
    pub(crate) target: usize,
    pub(crate) has_processes: bool,
}

impl Net {
    pub(crate) fn is_target(&self, node: usize) -> bool {
        self.nodes[node].violation == Some(self.target)
    }

    pub(crate) fn is_violating(&self, node: usize) -> bool {
        self.nodes[node].violation.is_some()
    }

    pub(crate) fn event_named(&self, name: &str) -> Option<usize> {
        self.events.iter().position(|event| event.name == name)
    }

    pub(crate) fn name(&self, event: usize) -> &str {
        &self.events[event].name
    }

    /// The nodes that a trace comes to before it violates anything, or when it does, each with the length of a
    /// shortest such trace. Those outside are not among them.
    pub(crate) fn live(&self) -> BTreeMap<usize, u64> {
        let mut found: BTreeMap<usize, u64> = self.initial.iter().map(|node| (*node, 0)).collect();
        let mut now: Vec<usize> = self.initial.clone();
        let mut depth = 0;
        while !now.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for node in now.into_iter().filter(|node| !self.is_violating(*node)) {
                for edge in &self.nodes[node].edges {
                    if !self.nodes[edge.to].is_outside && !found.contains_key(&edge.to) {
                        found.insert(edge.to, depth);
                        next.push(edge.to);
                    }
                }
            }
            now = next;
        }
        found
    }

    /// The events of a shortest trace to a node that is wanted, through nodes without violations; a step that is not
    /// allowed is not taken.
    pub(crate) fn way(
        &self,
        allowed: impl Fn(usize, Edge) -> bool,
        wanted: impl Fn(usize) -> bool,
    ) -> Option<Vec<usize>> {
        let mut came: BTreeMap<usize, Option<(usize, usize)>> =
            self.initial.iter().map(|node| (*node, None)).collect();
        let mut now = self.initial.clone();
        loop {
            if let Some(end) = now.iter().copied().find(|node| wanted(*node)) {
                let mut events = Vec::new();
                let mut at = end;
                while let Some(Some((event, before))) = came.get(&at) {
                    events.push(*event);
                    at = *before;
                }
                events.reverse();
                return Some(events);
            }
            let mut next = Vec::new();
            for node in now.into_iter().filter(|node| !self.is_violating(*node)) {
                for edge in self.nodes[node].edges.iter().filter(|edge| allowed(node, **edge)) {
                    came.entry(edge.to).or_insert_with(|| {
                        next.push(edge.to);
                        Some((edge.event, node))
                    });
                }
            }
            if next.is_empty() {
                return None;
            }
            now = next;
        }
    }

    /// The names of events.
    pub(crate) fn names(&self, events: &[usize]) -> Vec<String> {
        events.iter().map(|event| self.name(*event).to_owned()).collect()
    }
}
