//! A counterexample LTS that was made elsewhere, matched to the model.
//!
//! Sections 3.2 and 3.3 of Barbon, Leroy and Salaün: a state of the given LTS matches a state of the
//! model that simulates it; an edge of a matched model state that the given LTS does not follow is a
//! correct transition (Definition 7). Taken by the letter, the definition matches too much: where a trace
//! leads to several states of the given LTS, one that can do less is simulated by a model state that
//! another one was made from, and what only the other one follows looks like a way out. So model state
//! and given states are followed together along each trace, and of the given states that a model state
//! simulates only those count that no other one of them exceeds. States of the given LTS that simulate
//! each other cannot be told apart.
//!
//! Correct transitions lead [`OUTSIDE`], and everything that works on a product works on this. What can
//! become of a trace is a question to the product with the given LTS as the property, not to this.

use std::collections::{BTreeMap, BTreeSet};

use graph::{GraphBuilder, OUTSIDE, Reverse, StateGraph, TooManyEdges, Transitions};
use lts::Simulation;

#[derive(Debug)]
pub struct Matched<'a> {
    model: &'a StateGraph,
    /// The model states that each given state stands for.
    counterparts: Vec<BTreeSet<u32>>,
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
    /// leaves. `simulation` is that of `given` by `model`, without a mismatch; `own` is that of `given`
    /// by itself, end markers included.
    pub fn new(
        model: &'a StateGraph,
        given: &StateGraph,
        end_label: Option<u32>,
        simulation: &Simulation,
        own: &Simulation,
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
        let Walk { counterparts, correct: labels_of, .. } = Walk::new(model, &given, simulation, own);
        let mut matched = Self {
            model,
            reverse: given.reverse(),
            given,
            ends,
            correct: Vec::new(),
            correct_starts: vec![0],
            counterparts,
        };
        for labels in &labels_of {
            matched.correct.extend(labels);
            matched.correct_starts.push(matched.correct.len() as u32);
        }
        Ok(matched)
    }

    pub fn model(&self) -> &'a StateGraph {
        self.model
    }

    /// The states of the model that `state` of the given LTS stands for, ascending.
    pub fn counterparts(&self, state: u32) -> impl ExactSizeIterator<Item = u32> {
        self.counterparts[state as usize].iter().copied()
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

/// Follows model and given LTS together along all traces.
struct Walk<'a> {
    model: &'a StateGraph,
    given: &'a StateGraph,
    simulation: &'a Simulation,
    own: &'a Simulation,
    counterparts: Vec<BTreeSet<u32>>,
    /// Labels of correct transitions, by given state.
    correct: Vec<BTreeSet<u32>>,
}

impl<'a> Walk<'a> {
    fn new(
        model: &'a StateGraph,
        given: &'a StateGraph,
        simulation: &'a Simulation,
        own: &'a Simulation,
    ) -> Self {
        let nothing = vec![BTreeSet::new(); given.state_count()];
        let mut walk =
            Self { model, given, simulation, own, counterparts: nothing.clone(), correct: nothing };
        let mut seen: BTreeSet<(u32, Vec<u32>)> = BTreeSet::new();
        let mut waiting = Vec::new();
        for state in model.initial() {
            let together = walk.greatest(given.initial().iter().copied(), *state);
            if !together.is_empty() {
                waiting.push((*state, together));
            }
        }
        while let Some((state, together)) = waiting.pop() {
            if seen.contains(&(state, together.clone())) {
                continue;
            }
            walk.look(state, &together, &mut waiting);
            seen.insert((state, together));
        }
        walk
    }

    fn look(&mut self, state: u32, together: &[u32], waiting: &mut Vec<(u32, Vec<u32>)>) {
        for own in together {
            self.counterparts[*own as usize].insert(state);
        }
        let mut moves: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for own in together {
            for edge in self.given.edges(*own) {
                moves.entry(edge.label).or_default().insert(edge.state);
            }
        }
        for edge in self.model.edges(state) {
            let targets = moves.get(&edge.label).into_iter().flatten().copied();
            let next = self.greatest(targets, edge.state);
            if next.is_empty() {
                for own in together {
                    self.correct[*own as usize].insert(edge.label);
                }
            } else {
                waiting.push((edge.state, next));
            }
        }
    }

    /// Of the given states that the model state simulates, those that no other one exceeds, ascending.
    fn greatest(&self, states: impl Iterator<Item = u32>, model_state: u32) -> Vec<u32> {
        let simulated = |state: &u32| self.simulation.matches(*state).binary_search(&model_state).is_ok();
        let states: BTreeSet<u32> = states.filter(simulated).collect();
        let follows = |small: u32, large: u32| self.own.matches(small).binary_search(&large).is_ok();
        let exceeded =
            |state: u32| states.iter().any(|other| follows(state, *other) && !follows(*other, state));
        states.iter().copied().filter(|state| !exceeded(*state)).collect()
    }
}
