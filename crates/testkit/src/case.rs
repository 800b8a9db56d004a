//! A random model together with a random property of it.

use graph::{Product, StateGraph};

use crate::naive_system::{NaiveSystem, Pair};
use crate::random::{Random, random_visible_graph};
use crate::random_property::{RandomProperty, random_property};

#[derive(Clone, Debug)]
pub struct Case {
    pub graph: StateGraph,
    pub property: RandomProperty,
}

impl Case {
    pub fn random(random: &mut Random) -> Self {
        Self::about(random_visible_graph(random), random)
    }

    /// A random property of a given model.
    pub fn about(graph: StateGraph, random: &mut Random) -> Self {
        let property = random_property(random, graph.labels.len());
        Self { graph, property }
    }

    pub fn product(&self) -> Product<'_> {
        let RandomProperty { classes, dfa, violated_when } = &self.property;
        Product::new(&self.graph, classes, dfa, *violated_when).expect("a small product")
    }

    /// The same product, written out.
    pub fn twin(&self) -> NaiveSystem {
        let RandomProperty { classes, dfa, violated_when } = &self.property;
        NaiveSystem::product(&self.graph, classes, dfa, *violated_when)
    }

    /// What a state of the product stands for.
    pub fn pair(product: &Product<'_>, state: u32) -> Pair {
        (product.graph_state(state), product.automaton_state(state))
    }
}
