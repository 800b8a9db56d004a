//! A counterexample LTS that was made elsewhere, matched to the model.
//!
//! Sections 3.2 and 3.3 of Barbon, Leroy and Salaün: a state of the given LTS stands for every state
//! of the model that simulates it along a common trace; an edge of such a model state that no edge of
//! the given state follows is a correct transition (Definition 7). Here correct transitions lead
//! [`OUTSIDE`], and everything that works on a product works on this.

use graph::{GraphBuilder, OUTSIDE, Reverse, StateGraph, TooManyEdges, Transitions};
use lts::Simulation;

#[derive(Debug)]
pub struct Matched<'a> {
    model: &'a StateGraph,
    simulation: &'a Simulation,
    /// The given LTS without its end markers, in the label numbers of the model.
    given: StateGraph,
    reverse: Reverse,
    ends: Vec<bool>,
    /// Labels of the correct transitions of each state, and where each state's start.
    correct: Vec<u32>,
    correct_starts: Vec<u32>,
}

impl<'a> Matched<'a> {
    /// `end_label` marks in `given` where counterexamples end; without one they end where no edge
    /// leaves. `simulation` is that of `given` by `model`, without a mismatch.
    pub fn new(
        model: &'a StateGraph,
        given: &StateGraph,
        end_label: Option<u32>,
        simulation: &'a Simulation,
    ) -> Result<Self, TooManyEdges> {
        let translation: Vec<Option<u32>> =
            given.labels.iter().map(|label| model.labels.find(label)).collect();
        let mut builder = GraphBuilder::new();
        let mut ends = vec![false; given.state_count()];
        for state in 0..given.state_count() as u32 {
            let edges = given.edges(state);
            ends[state as usize] = match end_label {
                Some(end) => edges.iter().any(|edge| edge.label == end),
                None => edges.is_empty(),
            };
            for edge in edges.iter().filter(|edge| Some(edge.label) != end_label) {
                if let Some(label) = translation[edge.label as usize] {
                    builder.edge(state, label, edge.state);
                }
            }
        }
        let given = builder.finish(given.state_count(), given.initial().to_vec())?;
        let mut matched = Self {
            model,
            simulation,
            reverse: given.reverse(),
            given,
            ends,
            correct: Vec::new(),
            correct_starts: vec![0],
        };
        matched.find_correct_transitions();
        Ok(matched)
    }

    fn find_correct_transitions(&mut self) {
        for state in 0..self.given.state_count() as u32 {
            for counterpart in self.simulation.matches(state) {
                for edge in self.model.edges(*counterpart) {
                    let followed = self.given.edges(state).iter().any(|own| {
                        own.label == edge.label
                            && self.simulation.matches(own.state).binary_search(&edge.state).is_ok()
                    });
                    if !followed {
                        self.correct.push(edge.label);
                    }
                }
            }
            self.correct_starts.push(self.correct.len() as u32);
        }
    }

    pub fn model(&self) -> &'a StateGraph {
        self.model
    }

    /// The states of the model that `state` of the given LTS stands for, ascending.
    pub fn counterparts(&self, state: u32) -> &[u32] {
        self.simulation.matches(state)
    }

    fn correct(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.correct[self.correct_starts[state] as usize..self.correct_starts[state + 1] as usize]
    }
}

impl Transitions for Matched<'_> {
    fn bound(&self) -> usize {
        self.given.state_count()
    }

    fn initial(&self) -> Vec<u32> {
        self.given.initial().to_vec()
    }

    fn is_violating(&self, state: u32) -> bool {
        self.ends[state as usize]
    }

    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        for edge in self.given.edges(state) {
            visit(edge.label, edge.state);
        }
        for label in self.correct(state) {
            visit(*label, OUTSIDE);
        }
    }

    fn predecessors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        for edge in self.reverse.edges(state) {
            visit(edge.label, edge.state);
        }
    }

    fn degree(&self, state: u32) -> u32 {
        (self.given.edges(state).len() + self.correct(state).len()) as u32
    }
}
