//! The names of a model's states and steps, for the graph that tells what can become of its traces.

use std::collections::BTreeMap;

use findings::StateId;
use graph::{Actors, Footprint, StateGraph, Story, Told, Transitions, Waiting};
use liveness::Unfolded;

use crate::model_system::ModelSystem;
use crate::naming::Naming;

#[derive(Debug)]
pub(crate) struct Named<'a, S> {
    pub(crate) model: &'a ModelSystem<'a, S>,
    pub(crate) unfolded: &'a Unfolded,
}

impl<S> Named<'_, S> {
    fn origin(&self, state: u32) -> u32 {
        self.unfolded.stands_for[state as usize]
    }
}

impl<S: Story> Naming for Named<'_, S> {
    fn graph(&self) -> &StateGraph {
        self.model.graph()
    }

    fn stands_for(&self, state: u32) -> Vec<u32> {
        vec![self.origin(state)]
    }

    fn state_id(&self, state: u32) -> StateId {
        self.model.state_id(self.origin(state))
    }

    fn values(&self, state: u32) -> BTreeMap<String, String> {
        self.model.values(self.origin(state))
    }

    fn changes(&self, from: u32, to: u32) -> BTreeMap<String, [Option<String>; 2]> {
        self.model.changes(self.origin(from), self.origin(to))
    }

    fn event(&self, label: u32) -> Option<u64> {
        self.model.event(label)
    }

    fn told(&self, label: u32) -> Option<Told> {
        self.model.told(label)
    }

    fn footprint(&self, state: u32, label: u32) -> Option<Footprint> {
        self.model.footprint(self.origin(state), label)
    }

    fn waiting(&self, state: u32) -> Vec<Waiting> {
        self.model.waiting(self.origin(state))
    }
}

/// Everything about edges is the graph's business.
impl<S> Transitions for Named<'_, S> {
    fn bound(&self) -> usize {
        self.unfolded.graph.bound()
    }

    fn initial(&self) -> Vec<u32> {
        self.unfolded.graph.initial()
    }

    fn is_violating(&self, state: u32) -> bool {
        self.unfolded.graph.is_violating(state)
    }

    fn is_open(&self, state: u32) -> bool {
        self.unfolded.graph.is_open(state)
    }

    fn has_processes(&self) -> bool {
        self.unfolded.graph.has_processes()
    }

    fn actors(&self, label: u32) -> Actors {
        self.unfolded.graph.actors(label)
    }

    fn is_uninterrupted(&self, state: u32) -> bool {
        self.unfolded.graph.is_uninterrupted(state)
    }

    fn successors(&self, state: u32, visit: impl FnMut(u32, u32)) {
        self.unfolded.graph.successors(state, visit);
    }

    fn predecessors(&self, state: u32, visit: impl FnMut(u32, u32)) {
        self.unfolded.graph.predecessors(state, visit);
    }

    fn degree(&self, state: u32) -> u32 {
        self.unfolded.graph.degree(state)
    }
}
