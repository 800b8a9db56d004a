//! What nodes and events of a net are called: the semantics of the input, asked of its own front-end.

use std::collections::BTreeMap;

use graph::{Actor, Chosen, Footprint, StateGraph, Told, Waiting};

use crate::model::Model;
use crate::net::Net;

/// Old and new value of each variable that changed.
pub(crate) type Changes = BTreeMap<String, [Option<String>; 2]>;

pub(crate) trait Words {
    fn values(&self, node: usize) -> BTreeMap<String, String>;
    fn changes(&self, from: usize, to: usize) -> Changes;
    /// The values that a step took from outside.
    fn inputs(&self, net: &Net, from: usize, to: usize, event: usize) -> Vec<i64>;
    /// Who does what; nothing where no processes are known.
    fn told(&self, net: &Net, event: usize) -> Option<Told>;
    /// What of an event does not depend on the data; nothing where no processes are known.
    fn chosen(&self, net: &Net, event: usize) -> Option<Chosen>;
    fn waiting(&self, node: usize) -> Vec<Waiting>;
    fn standing(&self, node: usize) -> Vec<(Actor, u64)>;
    /// What a step reads and writes; nothing where nobody knows.
    fn footprint(&self, net: &Net, node: usize, event: usize) -> Option<Footprint>;
    /// What those who cannot go on ask.
    fn wants(&self, node: usize) -> Option<Footprint>;
}

impl Words for Model<'_> {
    fn values(&self, node: usize) -> BTreeMap<String, String> {
        self.bytes(node).map_or_else(BTreeMap::new, |bytes| self.story.values(bytes).into_iter().collect())
    }

    fn changes(&self, from: usize, to: usize) -> Changes {
        let (Some(from), Some(to)) = (self.bytes(from), self.bytes(to)) else { return Changes::new() };
        let changes = self.story.changes(from, to).into_iter();
        changes.map(|change| (change.name, [change.old, change.new])).collect()
    }

    fn inputs(&self, net: &Net, from: usize, to: usize, event: usize) -> Vec<i64> {
        match (self.bytes(from), net.events[event].number) {
            (Some(from), Some(number)) => self.story.inputs(from, self.bytes(to), number),
            _ => Vec::new(),
        }
    }

    fn told(&self, net: &Net, event: usize) -> Option<Told> {
        let number = net.events[event].number.filter(|_| net.has_processes)?;
        Some(self.story.event(number))
    }

    fn chosen(&self, net: &Net, event: usize) -> Option<Chosen> {
        net.events[event].number.filter(|_| net.has_processes).map(|number| self.story.chosen(number))
    }

    fn waiting(&self, node: usize) -> Vec<Waiting> {
        self.bytes(node).map_or_else(Vec::new, |bytes| self.story.waiting(bytes))
    }

    fn standing(&self, node: usize) -> Vec<(Actor, u64)> {
        self.bytes(node).map_or_else(Vec::new, |bytes| self.story.standing(bytes))
    }

    fn footprint(&self, net: &Net, node: usize, event: usize) -> Option<Footprint> {
        Some(self.story.footprint(self.bytes(node)?, net.events[event].number?))
    }

    fn wants(&self, node: usize) -> Option<Footprint> {
        self.bytes(node).map(|bytes| self.story.wants(bytes))
    }
}

/// A transition system, and the state of it that each node is.
pub(crate) struct States<'a> {
    pub(crate) graph: &'a StateGraph,
    pub(crate) of: Vec<u32>,
}

impl Words for States<'_> {
    fn values(&self, node: usize) -> BTreeMap<String, String> {
        let Some(variables) = &self.graph.variables else { return BTreeMap::new() };
        let named = variables.names().iter().enumerate();
        named
            .filter_map(|(at, name)| Some((name.clone(), variables.get(self.of[node], at)?.to_owned())))
            .collect()
    }

    fn changes(&self, from: usize, to: usize) -> Changes {
        let (old, new) = (self.values(from), self.values(to));
        let names = old.keys().chain(new.keys());
        let pairs = names.map(|name| (name.clone(), [old.get(name).cloned(), new.get(name).cloned()]));
        pairs.filter(|(_, [old, new])| old != new).collect()
    }

    fn inputs(&self, _: &Net, _: usize, _: usize, _: usize) -> Vec<i64> {
        Vec::new()
    }

    fn told(&self, _: &Net, _: usize) -> Option<Told> {
        None
    }

    fn chosen(&self, _: &Net, _: usize) -> Option<Chosen> {
        None
    }

    fn waiting(&self, _: usize) -> Vec<Waiting> {
        Vec::new()
    }

    fn standing(&self, _: usize) -> Vec<(Actor, u64)> {
        Vec::new()
    }

    fn footprint(&self, _: &Net, _: usize, _: usize) -> Option<Footprint> {
        None
    }

    fn wants(&self, _: usize) -> Option<Footprint> {
        None
    }
}
