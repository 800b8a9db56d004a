//! Small systems for the tests of this crate.

use crate::{Dfa, GraphBuilder, LabelClasses, Product, StateGraph, Transitions, ViolatedWhen};

/// A graph, and a property that forbids the label `bad` and loses interest after `over`.
pub(crate) struct Fixture {
    graph: StateGraph,
    classes: LabelClasses,
    dfa: Dfa,
}

impl Fixture {
    /// State 0 is initial; label numbers are in the order of first mention.
    pub(crate) fn new(states: usize, edges: &[(u32, &str, u32)]) -> Self {
        let mut builder = GraphBuilder::new();
        for (source, label, target) in edges {
            let label = builder.labels.intern(label);
            builder.edge(*source, label, *target);
        }
        let graph = builder.finish(states, vec![0]).expect("a handful of edges");
        let classes = LabelClasses::by_key(graph.labels.iter().map(letter));
        let letters: Vec<Letter> =
            classes.representatives().iter().map(|label| letter(graph.labels.get(*label))).collect();
        let next = |state, letter| match (state, letter) {
            (0, Letter::Bad) => 1,
            (0, Letter::Over) => Dfa::DEAD,
            _ => state,
        };
        let table = (0..2).flat_map(|state| letters.iter().map(move |letter| next(state, *letter)));
        let dfa = Dfa::new(0, vec![false, true], classes.count(), table.collect());
        Self { graph, classes, dfa }
    }

    pub(crate) fn product(&self) -> Product<'_> {
        self.product_when(ViolatedWhen::Accepted)
    }

    pub(crate) fn product_when(&self, violated_when: ViolatedWhen) -> Product<'_> {
        Product::new(&self.graph, &self.classes, &self.dfa, violated_when).expect("a small product")
    }

    pub(crate) fn into_graph(self) -> StateGraph {
        self.graph
    }

    pub(crate) fn classes(&self) -> &LabelClasses {
        &self.classes
    }

    pub(crate) fn label(&self, text: &str) -> u32 {
        self.graph.labels.find(text).expect("a label of the graph")
    }
}

/// The product state of graph state `state` before anything bad happened.
pub(crate) fn fine(state: u32) -> u32 {
    state << 1
}

/// The product state of graph state `state` after something bad happened.
pub(crate) fn failed(state: u32) -> u32 {
    state << 1 | 1
}

pub(crate) fn successors(system: &impl Transitions, state: u32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    system.successors(state, |label, target| found.push((label, target)));
    found
}

pub(crate) fn predecessors(system: &impl Transitions, state: u32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    system.predecessors(state, |label, source| found.push((label, source)));
    found
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Letter {
    Bad,
    Over,
    Any,
}

fn letter(label: &str) -> Letter {
    match label {
        "bad" => Letter::Bad,
        "over" => Letter::Over,
        _ => Letter::Any,
    }
}
