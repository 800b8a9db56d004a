//! A net in which some steps are forbidden, depending on what came before: the plainest test of a claim that the
//! violation needs something is to forbid it and to look again.
//!
//! A memory is carried along every trace; it sees each step and may forbid it. A state all of whose steps are forbidden is
//! no end of the input's own, so a trace that comes there neither passes nor fails.

use std::collections::HashMap;
use std::hash::Hash;

use crate::fates::Fates;
use crate::net::{Edge, Net, Node};

/// The class of what is neither: more than any that an input has.
pub(crate) const CUT_OFF: usize = usize::MAX;

/// What is made of a step.
pub(crate) enum Seen<M> {
    /// The trace goes on with this memory.
    On(M),
    /// There is no such step any more.
    Forbidden,
    /// The step is still there to be fair to, but who takes it neither passes nor fails.
    Blocked,
}

/// A changed net, and the node of the old one that each node is.
pub(crate) struct Changed {
    pub(crate) net: Net,
    pub(crate) of: Vec<usize>,
}

impl Changed {
    /// `holds_on` says of which memories nobody else may come between.
    pub(crate) fn new<M: Clone + Eq + Hash>(
        old: &Net,
        start: M,
        mut see: impl FnMut(&M, usize, Edge) -> Seen<M>,
        holds_on: impl Fn(&M) -> bool,
    ) -> Self {
        let mut new = Self {
            net: Net {
                events: old.events.clone(),
                target: old.target,
                has_processes: old.has_processes,
                ..Net::default()
            },
            of: Vec::new(),
        };
        let mut memories: Vec<M> = Vec::new();
        let mut numbers: HashMap<(usize, M), usize> = HashMap::new();
        for node in &old.initial {
            let number = new.number(old, &mut numbers, &mut memories, *node, start.clone());
            new.net.initial.push(number);
        }
        let blocked = new.net.nodes.len();
        new.net.nodes.push(Node { violation: Some(CUT_OFF), ..Node::default() });
        new.of.push(usize::MAX);
        memories.push(start);
        let mut at = 0;
        while at < new.of.len() {
            let (from, memory) = (new.of[at], memories[at].clone());
            if at == blocked || old.is_violating(from) {
                at += 1;
                continue;
            }
            new.net.nodes[at].is_uninterrupted |= holds_on(&memory);
            for edge in &old.nodes[from].edges {
                let to = match see(&memory, from, *edge) {
                    Seen::Forbidden => continue,
                    Seen::Blocked => blocked,
                    Seen::On(memory) => new.number(old, &mut numbers, &mut memories, edge.to, memory),
                };
                new.net.nodes[at].edges.push(Edge { to, ..*edge });
            }
            if new.net.nodes[at].edges.is_empty() && !old.nodes[from].edges.is_empty() {
                new.net.nodes[at].violation = Some(CUT_OFF);
            }
            at += 1;
        }
        new
    }

    /// Without some steps.
    pub(crate) fn without(old: &Net, is_forbidden: impl Fn(usize, Edge) -> bool) -> Self {
        let see = |(): &(), from: usize, edge: Edge| {
            if is_forbidden(from, edge) { Seen::Forbidden } else { Seen::On(()) }
        };
        Self::new(old, (), see, |()| false)
    }

    fn number<M: Clone + Eq + Hash>(
        &mut self,
        old: &Net,
        numbers: &mut HashMap<(usize, M), usize>,
        memories: &mut Vec<M>,
        node: usize,
        memory: M,
    ) -> usize {
        *numbers.entry((node, memory)).or_insert_with_key(|(node, memory)| {
            self.net.nodes.push(Node { edges: Vec::new(), ..old.nodes[*node].clone() });
            self.of.push(*node);
            memories.push(memory.clone());
            self.of.len() - 1
        })
    }

    /// How many violating nodes of the old net can still be reached.
    pub(crate) fn still_violating(&self) -> u64 {
        let live = self.net.live();
        let mut left: Vec<usize> =
            live.keys().filter(|node| self.net.is_target(**node)).map(|node| self.of[*node]).collect();
        left.sort_unstable();
        left.dedup();
        left.len() as u64
    }

    /// Whether a trace passes.
    pub(crate) fn passes(&self, is_fair: bool) -> bool {
        let fates = Fates::new(&self.net, is_fair);
        self.net.initial.iter().any(|node| fates.can_pass[*node])
    }
}
